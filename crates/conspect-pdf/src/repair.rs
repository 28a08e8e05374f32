//! Files whose frame is broken: the catalog or the page tree is missing or leads nowhere, while pages stand in the file,
//! by themselves or packed into object streams, or the file breaks off.

use std::io::Read;

use conspect_model::Limits;
use flate2::read::ZlibDecoder;
use memchr::memmem;
use rustc_hash::FxHashSet;

use crate::open::stream_start;

/// Pages that a file without a page tree is searched for.
const MAX_RESCUED_PAGES: usize = 20_000;
/// How far into an object its type is looked for.
const MAX_PAGE_BYTES: usize = 2048;
/// What object streams may unpack to in the search for pages.
const MAX_PACKED_BYTES: u64 = 64 << 20;

/// The file with the end of its last stream put after it, where a file cut short has none: a stream without an end would
/// be no stream at all.
pub(crate) fn with_end_of_stream(bytes: &[u8]) -> Option<Vec<u8>> {
    let at = memmem::rfind(bytes, b"stream")?;
    // The word may stand anywhere; a stream's follows a dictionary.
    let is_open = bytes.get(..at)?.trim_ascii_end().ends_with(b">>");
    is_open.then(|| [bytes, b"\nendstream\nendobj\n"].concat())
}

/// What keeps the pages from being found the usual way. The catalog and the page tree are looked for by their types;
/// one that the end of the file cuts off is missing.
pub(crate) fn missing_frame(bytes: &[u8]) -> &'static str {
    let bytes = bytes.get(..memmem::rfind(bytes, b"endobj").unwrap_or_default()).unwrap_or_default();
    match (has_type(bytes, b"/Catalog"), has_type(bytes, b"/Pages")) {
        (false, true) => "the catalog is missing",
        (true, false) => "the page tree is missing",
        (false, false) => "the catalog and the page tree are missing",
        (true, true) => "the catalog does not lead to the pages",
    }
}

/// The file with a catalog and a page tree put after its end, made of the pages that stand in it.
pub(crate) fn with_page_tree(bytes: &[u8], limits: &Limits) -> Option<Vec<u8>> {
    let mut pages: Vec<u32> = Vec::new();
    let mut highest = 0;
    let mut n_packed_bytes = 0;
    for at in memmem::find_iter(bytes, b" obj") {
        if pages.len() >= MAX_RESCUED_PAGES || limits.stop.is_stopped() {
            break;
        }
        let Some(number) = object_number(bytes.get(..at)?) else { continue };
        highest = highest.max(number);
        let body = bytes.get(at..bytes.len().min(at + MAX_PAGE_BYTES))?;
        let body = body.get(..memmem::find(body, b"endobj").unwrap_or(body.len()))?;
        if has_type(body, b"/Page") {
            pages.push(number);
        } else if has_type(body, b"/ObjStm") && n_packed_bytes < MAX_PACKED_BYTES {
            let packed = packed_objects(bytes, at, body, MAX_PACKED_BYTES - n_packed_bytes);
            n_packed_bytes += packed.n_looked_at as u64;
            for (number, object) in packed.objects() {
                highest = highest.max(number);
                if has_type(object, b"/Page") {
                    pages.push(number);
                }
            }
        }
    }
    // An object that is there twice is one page.
    let mut seen = FxHashSet::default();
    pages.retain(|page| seen.insert(*page));
    if pages.is_empty() {
        return None;
    }
    let (catalog, tree) = (highest.checked_add(1)?, highest.checked_add(2)?);
    let kids: Vec<String> = pages.iter().map(|page| format!("{page} 0 R")).collect();
    let mut whole = bytes.to_vec();
    let added = format!(
        "\nendstream\nendobj\n{catalog} 0 obj\n<< /Type /Catalog /Pages {tree} 0 R >>\nendobj\n\
         {tree} 0 obj\n<< /Type /Pages /Count {} /Kids [{}] >>\nendobj\n\
         trailer\n<< /Root {catalog} 0 R >>\nstartxref\n0\n%%EOF\n",
        kids.len(),
        kids.join(" ")
    );
    whole.extend_from_slice(added.as_bytes());
    Some(whole)
}

/// The objects of an object stream (ISO 32000-1, 7.5.7), as far as it can be unpacked.
struct Packed {
    data: Vec<u8>,
    first: usize,
    /// Bytes that were looked at for it, before and after unpacking.
    n_looked_at: usize,
}

impl Packed {
    /// Every object with its number. The data begins with pairs of a number and the place of the object.
    fn objects(&self) -> impl Iterator<Item = (u32, &[u8])> {
        let head = self.data.get(..self.first).unwrap_or_default();
        let mut numbers = head.split(u8::is_ascii_whitespace).filter_map(number);
        let pairs: Vec<(u32, u32)> =
            std::iter::from_fn(move || Some((numbers.next()?, numbers.next()?))).collect();
        let place = |idx: usize| pairs.get(idx).map(|(_, place)| self.first.saturating_add(*place as usize));
        let objects: Vec<(u32, &[u8])> = (0..pairs.len())
            .filter_map(|idx| {
                let end = place(idx + 1).unwrap_or(self.data.len());
                Some((pairs.get(idx)?.0, self.data.get(place(idx)?..end.min(self.data.len()))?))
            })
            .collect();
        objects.into_iter()
    }
}

/// Unpacks the object stream at this place of the file, whose dictionary is in `body`. Its end is looked for, since its
/// length may be wrong.
fn packed_objects(bytes: &[u8], at: usize, body: &[u8], max_bytes: u64) -> Packed {
    let first = memmem::find(body, b"/First").and_then(|at| {
        let after = body.get(at + b"/First".len()..)?.trim_ascii_start();
        number(after.split(|byte| !byte.is_ascii_digit()).next()?)
    });
    let mut data = Vec::new();
    let mut n_raw = body.len();
    if let Some(start) = stream_start(bytes, at) {
        let raw = bytes.get(start..).unwrap_or_default();
        let raw = raw.get(..memmem::find(raw, b"endstream").unwrap_or(raw.len())).unwrap_or_default();
        n_raw += raw.len();
        // What comes before a fault is kept.
        let _ = ZlibDecoder::new(raw).take(max_bytes).read_to_end(&mut data);
    }
    Packed { n_looked_at: n_raw + data.len(), data, first: first.unwrap_or_default() as usize }
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The object number in `12 0`, the end of these bytes.
fn object_number(before: &[u8]) -> Option<u32> {
    let tail = before.get(before.len().saturating_sub(20)..)?;
    let text: String = tail.iter().map(|&byte| char::from(byte)).collect();
    let mut words = text.rsplit(|c: char| c.is_whitespace());
    words.next()?.parse::<u32>().ok()?;
    words.next()?.parse().ok()
}

/// Whether a dictionary in these bytes is of the type.
fn has_type(bytes: &[u8], name: &[u8]) -> bool {
    memmem::find_iter(bytes, b"/Type").any(|at| {
        let after = bytes.get(at + b"/Type".len()..).unwrap_or_default().trim_ascii_start();
        after.strip_prefix(name).is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
    })
}
