use crate::package::archive::{u16_at, u32_at};

/// Sector numbers from here on mark ends and free places.
const FIRST_SPECIAL_SECTOR: u32 = 0xFFFF_FFFA;
/// A directory of a real file has some hundred entries at most.
const MAX_ENTRIES: usize = 10_000;

/// An OLE compound file ([MS-CFB]) over borrowed bytes: the container of .doc, .xls, .ppt and of encrypted packages.
///
/// Chains of sectors are followed as far as they lead, and never further than the file has sectors.
pub(crate) struct Ole<'a> {
    bytes: &'a [u8],
    sector_shift: u32,
    mini_shift: u32,
    mini_cutoff: u64,
    fat: Vec<u32>,
    mini_fat: Vec<u32>,
    mini_stream: Vec<u8>,
    entries: Vec<Entry>,
}

struct Entry {
    name: String,
    is_stream: bool,
    start: u32,
    size: u64,
}

impl<'a> Ole<'a> {
    pub(crate) const MAGIC: &'static [u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

    /// Reads the tables and the directory.
    pub(crate) fn open(bytes: &'a [u8]) -> Option<Ole<'a>> {
        if !bytes.starts_with(Self::MAGIC) {
            return None;
        }
        let sector_shift = u32::from(u16_at(bytes, 30)?);
        let mini_shift = u32::from(u16_at(bytes, 32)?);
        if !(7..=16).contains(&sector_shift) || !(4..=12).contains(&mini_shift) {
            return None;
        }
        let mut ole = Ole {
            bytes,
            sector_shift,
            mini_shift,
            mini_cutoff: u64::from(u32_at(bytes, 56)?),
            fat: Vec::new(),
            mini_fat: Vec::new(),
            mini_stream: Vec::new(),
            entries: Vec::new(),
        };
        ole.read_fat()?;
        let directory = ole.chain(u32_at(bytes, 48)?, u64::MAX);
        ole.entries = directory.chunks_exact(128).take(MAX_ENTRIES).filter_map(directory_entry).collect();
        let mini_fat = ole.chain(u32_at(bytes, 60)?, u64::MAX);
        ole.mini_fat = mini_fat.chunks_exact(4).filter_map(|chunk| u32_at(chunk, 0)).collect();
        if let Some(root) = ole.entries.first() {
            ole.mini_stream = ole.chain(root.start, root.size);
        }
        Some(ole)
    }

    /// Whether there is a stream with this name, letter case aside.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.entry(name).is_some()
    }

    /// The bytes of the stream with this name.
    pub(crate) fn stream(&self, name: &str) -> Option<Vec<u8>> {
        let entry = self.entry(name)?;
        if entry.size < self.mini_cutoff {
            Some(self.mini_chain(entry.start, entry.size))
        } else {
            Some(self.chain(entry.start, entry.size))
        }
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.is_stream && entry.name.eq_ignore_ascii_case(name))
    }

    fn n_sectors(&self) -> usize {
        (self.bytes.len() >> self.sector_shift) + 1
    }

    fn sector(&self, number: u32) -> &'a [u8] {
        let start = (u64::from(number) + 1) << self.sector_shift;
        let Ok(start) = usize::try_from(start) else { return &[] };
        let end = start.saturating_add(1 << self.sector_shift).min(self.bytes.len());
        self.bytes.get(start..end).unwrap_or_default()
    }

    fn read_fat(&mut self) -> Option<()> {
        let mut places: Vec<u32> = (0..109).filter_map(|idx| u32_at(self.bytes, 76 + 4 * idx)).collect();
        let mut next = u32_at(self.bytes, 68)?;
        for _ in 0..self.n_sectors() {
            if next >= FIRST_SPECIAL_SECTOR {
                break;
            }
            let sector = self.sector(next);
            let n_places = (sector.len() / 4).saturating_sub(1);
            places.extend((0..n_places).filter_map(|idx| u32_at(sector, 4 * idx)));
            next = u32_at(sector, 4 * n_places).unwrap_or(u32::MAX);
        }
        let n_fat_sectors = self.n_sectors();
        for place in places.into_iter().filter(|&place| place < FIRST_SPECIAL_SECTOR).take(n_fat_sectors) {
            let sector = self.sector(place);
            self.fat.extend(sector.chunks_exact(4).filter_map(|chunk| u32_at(chunk, 0)));
        }
        Some(())
    }

    fn chain(&self, start: u32, size: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut number = start;
        for _ in 0..self.n_sectors() {
            if number >= FIRST_SPECIAL_SECTOR || bytes.len() as u64 >= size {
                break;
            }
            bytes.extend_from_slice(self.sector(number));
            number = self.fat.get(number as usize).copied().unwrap_or(u32::MAX);
        }
        bytes.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        bytes
    }

    fn mini_chain(&self, start: u32, size: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut number = start;
        for _ in 0..=self.mini_fat.len() {
            let at = (number as usize) << self.mini_shift;
            let Some(rest) = self.mini_stream.get(at..) else { break };
            if number >= FIRST_SPECIAL_SECTOR || bytes.len() as u64 >= size {
                break;
            }
            bytes.extend_from_slice(&rest[..rest.len().min(1 << self.mini_shift)]);
            number = self.mini_fat.get(number as usize).copied().unwrap_or(u32::MAX);
        }
        bytes.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        bytes
    }
}

fn directory_entry(entry: &[u8]) -> Option<Entry> {
    let n_name_bytes = usize::from(u16_at(entry, 64)?).clamp(2, 64) - 2;
    let units: Vec<u16> = (0..n_name_bytes / 2).filter_map(|idx| u16_at(entry, 2 * idx)).collect();
    Some(Entry {
        name: String::from_utf16_lossy(&units),
        is_stream: *entry.get(66)? == 2,
        start: u32_at(entry, 116)?,
        // The upper half is only in use with large sectors, and otherwise may be junk.
        size: u64::from(u32_at(entry, 120)?),
    })
}
