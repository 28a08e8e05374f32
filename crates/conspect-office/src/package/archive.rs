use std::cell::Cell;
use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;

use conspect_model::{Limits, ReadError};

/// A member that expands beyond this many bytes may not have been squeezed more than [`MAX_RATIO`] times. Real sheets
/// reach some thirty; what deflate can do at most is a thousand.
const RATIO_MATTERS_ABOVE: u64 = 24 << 20;
const MAX_RATIO: u64 = 200;

/// A zip archive over borrowed bytes: its members by name, letter case and slashes aside.
///
/// Written here and not taken from a crate, since what matters is what happens with archives that are cut off, have
/// junk around them or lie about themselves: what is whole is read.
pub(crate) struct Archive<'a> {
    bytes: &'a [u8],
    members: Vec<Member>,
    by_name: HashMap<String, usize>,
    max_part_bytes: u64,
    /// How many bytes may still be expanded.
    total_left: Cell<u64>,
    /// Whether the directory at the end is missing or wrong, so that members were looked for one by one.
    pub(crate) is_truncated: bool,
    /// Whether members beyond the limit were not looked at.
    pub(crate) has_more_members: bool,
}

struct Member {
    name: String,
    data: Range<usize>,
    method: u16,
    checksum: Option<u32>,
    is_encrypted: bool,
}

/// The bytes of a member, and whether they are all there.
pub(crate) struct Expanded {
    pub(crate) bytes: Vec<u8>,
    /// What is wrong with them, in a few words.
    pub(crate) damage: Option<&'static str>,
}

impl<'a> Archive<'a> {
    /// Reads the directory; `None` where there is no member at all.
    pub(crate) fn open(bytes: &'a [u8], limits: &Limits) -> Option<Archive<'a>> {
        let mut is_truncated = false;
        let mut members = directory(bytes, limits.max_entries).unwrap_or_default();
        if members.is_empty() {
            is_truncated = true;
            members = scan_local_headers(bytes, limits.max_entries);
        }
        if members.is_empty() {
            return None;
        }
        let has_more_members = members.len() > limits.max_entries;
        members.truncate(limits.max_entries);
        let mut by_name = HashMap::with_capacity(members.len());
        for (member_idx, member) in members.iter().enumerate() {
            by_name.entry(lookup_name(&member.name)).or_insert(member_idx);
        }
        Some(Archive {
            bytes,
            members,
            by_name,
            max_part_bytes: limits.max_part_bytes,
            total_left: Cell::new(limits.max_total_bytes),
            is_truncated,
            has_more_members,
        })
    }

    /// The names of all members, as the archive spells them.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|member| member.name.as_str())
    }

    /// Whether there is a member with this name.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(&lookup_name(name))
    }

    /// The bytes of a member; `Ok(None)` where there is none with this name.
    pub(crate) fn member(&self, name: &str) -> Result<Option<Expanded>, ReadError> {
        match self.by_name.get(&lookup_name(name)) {
            Some(&member_idx) => self.expand(&self.members[member_idx]).map(Some),
            None => Ok(None),
        }
    }

    /// The first bytes of a member, for a look at what it is.
    pub(crate) fn beginning(&self, name: &str, n_bytes: u64) -> Vec<u8> {
        let Some(&member_idx) = self.by_name.get(&lookup_name(name)) else { return Vec::new() };
        let member = &self.members[member_idx];
        let mut beginning = Vec::new();
        // What came before an error is what we want.
        let _ = self.reader(member).take(n_bytes).read_to_end(&mut beginning);
        beginning
    }

    fn reader(&self, member: &Member) -> Box<dyn Read + 'a> {
        let data = &self.bytes[member.data.clone()];
        match member.method {
            0 => Box::new(data),
            8 => Box::new(flate2::bufread::DeflateDecoder::new(data)),
            _ => Box::new(std::io::empty()),
        }
    }

    fn expand(&self, member: &Member) -> Result<Expanded, ReadError> {
        if member.is_encrypted {
            return Ok(Expanded { bytes: Vec::new(), damage: Some("it is encrypted") });
        }
        let by_ratio = RATIO_MATTERS_ABOVE.max((member.data.len() as u64).saturating_mul(MAX_RATIO));
        let limit = self.max_part_bytes.min(self.total_left.get()).min(by_ratio);
        let mut bytes = Vec::new();
        let outcome = self.reader(member).take(limit.saturating_add(1)).read_to_end(&mut bytes);
        if bytes.len() as u64 > limit {
            return Err(ReadError::Limit { what: "expanded size in bytes", limit });
        }
        self.total_left.set(self.total_left.get() - bytes.len() as u64);
        let damage = match (outcome, member.checksum) {
            (Err(_), _) => Some("it ends in the middle"),
            (Ok(_), Some(checksum)) if checksum != checksum_of(&bytes) => Some("its checksum is wrong"),
            _ => None,
        };
        Ok(Expanded { bytes, damage })
    }
}

fn checksum_of(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn lookup_name(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_lowercase()
}

/// The members by the directory at the end; `None` where it is missing, or where it points to nothing.
fn directory(bytes: &[u8], max_entries: usize) -> Option<Vec<Member>> {
    let tail_start = bytes.len().saturating_sub(22 + 65_536);
    let end = (tail_start..bytes.len().saturating_sub(21))
        .rev()
        .find(|&at| bytes[at..].starts_with(b"PK\x05\x06"))?;
    let mut n_members = u64::from(u16_at(bytes, end + 10)?);
    let mut size = u64::from(u32_at(bytes, end + 12)?);
    let mut offset = u64::from(u32_at(bytes, end + 16)?);
    let mut directory_end = end;
    if let Some(locator) = end.checked_sub(20).filter(|&at| bytes[at..].starts_with(b"PK\x06\x07")) {
        let record = usize::try_from(u64_at(bytes, locator + 8)?).ok()?;
        if bytes.get(record..).is_some_and(|rest| rest.starts_with(b"PK\x06\x06")) {
            n_members = u64_at(bytes, record + 32)?;
            size = u64_at(bytes, record + 40)?;
            offset = u64_at(bytes, record + 48)?;
            directory_end = record;
        }
    }
    // Junk before the archive shifts every offset; the directory ends where its end record begins.
    let start = (directory_end as u64).checked_sub(size)?;
    let (start, shift) =
        match usize::try_from(start).ok().filter(|&at| bytes[at..].starts_with(b"PK\x01\x02")) {
            Some(at) => (at, start.saturating_sub(offset)),
            None => (usize::try_from(offset).ok()?, 0),
        };
    let mut members = Vec::new();
    let mut at = start;
    while members.len() as u64 <= n_members.max(1) && members.len() <= max_entries {
        if !bytes.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x01\x02")) {
            break;
        }
        let (member, next) = directory_entry(bytes, at, shift)?;
        members.push(member);
        at = next;
    }
    Some(members)
}

fn directory_entry(bytes: &[u8], at: usize, shift: u64) -> Option<(Member, usize)> {
    let flags = u16_at(bytes, at + 8)?;
    let method = u16_at(bytes, at + 10)?;
    let checksum = u32_at(bytes, at + 16)?;
    let mut compressed = u64::from(u32_at(bytes, at + 20)?);
    let expanded = u32_at(bytes, at + 24)?;
    let n_name = usize::from(u16_at(bytes, at + 28)?);
    let n_extra = usize::from(u16_at(bytes, at + 30)?);
    let n_comment = usize::from(u16_at(bytes, at + 32)?);
    let mut local = u64::from(u32_at(bytes, at + 42)?);
    let name = bytes.get(at + 46..at + 46 + n_name)?;
    let extra_start = at + 46 + n_name;
    let extra = bytes.get(extra_start..extra_start + n_extra)?;
    // The zip64 field holds only the numbers that did not fit, in this order.
    if let Some(field) = extra_field(extra, 1) {
        let mut wide = field.chunks_exact(8).filter_map(|chunk| u64_at(chunk, 0));
        if expanded == u32::MAX {
            wide.next();
        }
        if compressed == u64::from(u32::MAX) {
            compressed = wide.next()?;
        }
        if local == u64::from(u32::MAX) {
            local = wide.next()?;
        }
    }
    let local = usize::try_from(local.checked_add(shift)?).ok()?;
    if !bytes.get(local..)?.starts_with(b"PK\x03\x04") {
        return None;
    }
    let data_start =
        local + 30 + usize::from(u16_at(bytes, local + 26)?) + usize::from(u16_at(bytes, local + 28)?);
    let data_end = data_start.checked_add(usize::try_from(compressed).ok()?)?;
    let data = data_start.min(bytes.len())..data_end.min(bytes.len());
    let member = Member {
        name: String::from_utf8_lossy(name).into_owned(),
        data,
        method,
        checksum: Some(checksum),
        is_encrypted: flags & 1 != 0,
    };
    Some((member, extra_start + n_extra + n_comment))
}

fn extra_field(mut extra: &[u8], id: u16) -> Option<&[u8]> {
    while let (Some(this), Some(size)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let end = (4 + usize::from(size)).min(extra.len());
        if this == id {
            return Some(&extra[4..end]);
        }
        extra = &extra[end..];
    }
    None
}

/// The members by their own headers, for an archive whose end is missing.
fn scan_local_headers(bytes: &[u8], max_entries: usize) -> Vec<Member> {
    let mut members = Vec::new();
    let mut at = 0;
    while members.len() <= max_entries {
        let Some(found) = bytes.get(at..).and_then(|rest| memchr::memmem::find(rest, b"PK\x03\x04")) else {
            break;
        };
        at += found;
        match local_entry(bytes, at) {
            Some(member) => {
                let ends_known = member.data.end < bytes.len();
                at = if ends_known { member.data.end } else { member.data.start };
                members.push(member);
            }
            None => at += 4,
        }
    }
    members
}

fn local_entry(bytes: &[u8], at: usize) -> Option<Member> {
    let flags = u16_at(bytes, at + 6)?;
    let method = u16_at(bytes, at + 8)?;
    let checksum = u32_at(bytes, at + 14)?;
    let compressed = u32_at(bytes, at + 18)? as usize;
    let n_name = usize::from(u16_at(bytes, at + 26)?);
    let n_extra = usize::from(u16_at(bytes, at + 28)?);
    let name = bytes.get(at + 30..at + 30 + n_name)?;
    let name = std::str::from_utf8(name).ok().filter(|name| !name.is_empty())?;
    if !matches!(method, 0 | 8) {
        return None;
    }
    let start = (at + 30 + n_name + n_extra).min(bytes.len());
    // With a data descriptor the size stands behind the data; deflated data know their own end.
    let has_descriptor = flags & 8 != 0 && compressed == 0;
    let end = if has_descriptor {
        match method {
            0 => start + memchr::memmem::find(&bytes[start..], b"PK\x07\x08").unwrap_or(bytes.len() - start),
            _ => bytes.len(),
        }
    } else {
        start.saturating_add(compressed).min(bytes.len())
    };
    Some(Member {
        name: name.to_owned(),
        data: start..end,
        method,
        checksum: (!has_descriptor && checksum != 0).then_some(checksum),
        is_encrypted: flags & 1 != 0,
    })
}

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}
