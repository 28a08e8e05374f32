//! Opening: passwords, damage to the file's frame, and object streams that expand without measure.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use conspect_model::{Format, Input, Limits, Notice, NoticeKind, Origin, ReadError, SharedBytes};
use hayro_syntax::object::Dict;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use memchr::memmem;
use unicode_normalization::UnicodeNormalization;

use crate::owner_password::user_password;
use crate::repair::{missing_frame, with_end_of_stream, with_page_tree};
use crate::stream::{MAX_DEFLATE_RATIO, inflated_len};

/// Opens the file, repaired where that is needed and possible. What was wrong goes to the notices.
pub(crate) fn open(input: &Input<'_>, limits: &Limits, notices: &mut Vec<Notice>) -> Result<Pdf, ReadError> {
    if input.bytes.is_empty() {
        return Err(damaged("the file is empty"));
    }
    check_object_streams(input, limits)?;
    let bytes = match with_end_of_stream(input.bytes) {
        Some(bytes) => {
            notices.push(Notice::new(
                NoticeKind::Damaged,
                "the end of the last stream is missing",
                Origin::File,
            ));
            SharedBytes::new(bytes)
        }
        None => input.to_shared(),
    };
    let bytes = Arc::new(Passing::new(bytes));
    // An empty user password opens many encrypted files; it is tried first, so that a needless password does no harm.
    let first = load(&bytes, "");
    let needs_password = matches!(first, Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected)));
    let loaded = match (needs_password, input.password) {
        (true, Some(password)) => load_with(&bytes, password),
        _ => first,
    };
    match loaded {
        Ok(pdf) => {
            notices.extend(missing_pages(&pdf));
            Ok(pdf)
        }
        Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected)) => match input.password {
            Some(_) => Err(ReadError::WrongPassword),
            None => Err(ReadError::Encrypted { format: Format::Pdf, can_open: true }),
        },
        Err(LoadPdfError::Decryption(_)) => {
            Err(ReadError::Encrypted { format: Format::Pdf, can_open: false })
        }
        Err(LoadPdfError::Invalid) => {
            let rescued = with_page_tree(input.bytes, limits)
                .and_then(|bytes| load(&Arc::new(Passing::new(SharedBytes::new(bytes))), "").ok());
            let pdf = rescued.ok_or_else(|| damaged("no pages can be found in it"))?;
            let missing = missing_frame(input.bytes);
            let message = format!("{missing}: the pages found are in the order they stand in the file");
            notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
            Ok(pdf)
        }
    }
}

/// The bytes as the library below asks for them: anew for each object. What it has touched is given back from time to
/// time, so that a walk over the pages of a mapped file does not leave all of the file in memory.
struct Passing {
    bytes: SharedBytes,
    n_asked: AtomicUsize,
}

impl Passing {
    /// A few pages of memory for each object.
    const OBJECTS_BETWEEN_RELEASES: usize = 256;

    fn new(bytes: SharedBytes) -> Passing {
        Passing { bytes, n_asked: AtomicUsize::new(0) }
    }
}

impl AsRef<[u8]> for Passing {
    fn as_ref(&self) -> &[u8] {
        let n_asked = self.n_asked.fetch_add(1, Ordering::Relaxed);
        if n_asked % Passing::OBJECTS_BETWEEN_RELEASES == Passing::OBJECTS_BETWEEN_RELEASES - 1 {
            self.bytes.release(0..usize::MAX);
        }
        self.bytes.as_ref()
    }
}

fn damaged(what: &str) -> ReadError {
    ReadError::Damaged { format: Format::Pdf, what: what.to_string() }
}

/// The library promises not to panic on any file. Should one make it do so anyway, the file counts as damaged.
fn load(bytes: &Arc<Passing>, password: &str) -> Result<Pdf, LoadPdfError> {
    let bytes = Arc::clone(bytes);
    catch_unwind(AssertUnwindSafe(|| Pdf::new_with_password(bytes, password)))
        .unwrap_or(Err(LoadPdfError::Invalid))
}

/// Loads with a password in each of the ways it can be meant: as it stands, in the normal form that newer encryption
/// wants, and as the owner's of older encryption.
fn load_with(bytes: &Arc<Passing>, password: &str) -> Result<Pdf, LoadPdfError> {
    let is_wrong = |loaded: &Result<Pdf, LoadPdfError>| {
        matches!(loaded, Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected)))
    };
    let loaded = load(bytes, password);
    if !is_wrong(&loaded) {
        return loaded;
    }
    let normal: String = password.nfkc().collect();
    let others =
        [Some(normal).filter(|normal| normal != password), user_password((**bytes).as_ref(), password)];
    let mut others = others.into_iter().flatten().map(|other| load(bytes, &other));
    others.find(|loaded| !is_wrong(loaded)).unwrap_or(loaded)
}

/// Tells when the page tree promises more pages than can be found, as in a file cut short.
fn missing_pages(pdf: &Pdf) -> Option<Notice> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?;
    let n_promised = catalog.get::<Dict<'_>>(b"Pages")?.get::<i32>(b"Count")?;
    let n_found = i32::try_from(pdf.pages().len()).unwrap_or(i32::MAX);
    // Wrong counts are common in sound files as well; only a large gap tells of pages lost.
    (n_promised < 100_000 && n_found < n_promised).then(|| {
        let message = format!("the file says it has {n_promised} pages, of which {n_found} can be found");
        Notice::new(NoticeKind::Damaged, message, Origin::File)
    })
}

/// The library below decodes object and cross-reference streams whole. Before it may, their sizes are looked at.
fn check_object_streams(input: &Input<'_>, limits: &Limits) -> Result<(), ReadError> {
    let raw = object_streams(input, limits.max_entries);
    let bound = raw.iter().fold(0_u64, |sum, raw| sum.saturating_add(raw.len() as u64 * MAX_DEFLATE_RATIO));
    if bound <= limits.max_part_bytes {
        return Ok(());
    }
    let mut total = 0_u64;
    for raw in raw {
        total = total.saturating_add(inflated_len(raw, limits.max_part_bytes));
        if total >= limits.max_part_bytes {
            return Err(ReadError::Limit { what: "expanded size of objects", limit: limits.max_part_bytes });
        }
    }
    Ok(())
}

/// The raw data of the file's object and cross-reference streams, as far as their names tell. The file is passed
/// through once, in pieces whose memory is given back.
fn object_streams<'a>(input: &Input<'a>, max_streams: usize) -> Vec<&'a [u8]> {
    const PIECE_BYTES: usize = 1 << 20;
    let mut found = Vec::new();
    // With each name, the end of the last stream found under it, so that no end is looked for twice.
    let mut kinds = [(b"/ObjStm".as_slice(), 0), (b"/XRef", 0)];
    let mut start = 0;
    while start < input.bytes.len() && found.len() < max_streams {
        let next = start.saturating_add(PIECE_BYTES).min(input.bytes.len());
        for (kind, end) in &mut kinds {
            // A name may begin in one piece and end in the next.
            let piece =
                input.bytes.get(start..input.bytes.len().min(next + kind.len() - 1)).unwrap_or_default();
            let starts =
                memmem::find_iter(piece, kind).filter_map(|at| stream_start(input.bytes, start + at));
            for data_start in starts.take(max_streams) {
                if *end < data_start {
                    let rest = input.bytes.get(data_start..).unwrap_or_default();
                    *end = data_start + memmem::find(rest, b"endstream").unwrap_or(rest.len());
                }
                found.extend(input.bytes.get(data_start..*end));
            }
        }
        input.release(start..next);
        start = next;
    }
    found
}

/// Where the data begins of the stream whose dictionary holds the place.
pub(crate) fn stream_start(bytes: &[u8], place: usize) -> Option<usize> {
    const MAX_DICTIONARY: usize = 4096;
    let head = bytes.get(place..bytes.len().min(place + MAX_DICTIONARY))?;
    let start = memmem::find(head, b"stream")? + b"stream".len();
    let data = head.get(start..)?;
    let line_end = if data.starts_with(b"\r\n") { 2 } else { usize::from(data.starts_with(b"\n")) };
    Some(place + start + line_end)
}
