//! The one pass over a text: lines, characters, line ends, and the sparse index by which lines are found again.

use std::ops::Range;

use conspect_model::{Input, Limits};
use memchr::{memchr, memchr_iter};

use crate::LineEnds;
use crate::charset::Charset;
use crate::source_text::{CHECKPOINT_BYTES, RELEASE_BYTES, RawLine, RawLineEnd};

/// What the pass finds.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The bytes of the text, without the mark before it; they end early when the pass was stopped.
    pub(crate) text: Range<usize>,
    pub(crate) n_lines: usize,
    /// Without line ends.
    pub(crate) n_chars: usize,
    pub(crate) line_ends: LineEnds,
    pub(crate) n_malformed: usize,
    /// The index of the first line with a malformed sequence.
    pub(crate) first_malformed: Option<usize>,
    /// Where the first zero byte is that is a character of its own. Only looked for where it would tell binary data.
    pub(crate) first_nul: Option<usize>,
    /// Beginnings of lines, at least [`CHECKPOINT_BYTES`] of text apart on average.
    pub(crate) checkpoints: Vec<Checkpoint>,
}

/// The beginning of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    pub(crate) byte: usize,
    pub(crate) line_idx: usize,
}

/// Why bytes are not plain UTF-8.
#[derive(Debug)]
pub(crate) enum NotUtf8 {
    Nul,
    Malformed { at: usize },
}

/// Scans text that must be UTF-8 without zero bytes. This is nearly every text, so it is done at the speed of memory:
/// chunk by chunk, each counted as a whole while it is in the processor's cache.
pub(crate) fn valid_utf8(input: &Input<'_>, limits: &Limits) -> Result<Scan, NotUtf8> {
    let bytes = input.bytes;
    let mut scan = Scan::default();
    let (mut n_line_feeds, mut n_carriage_returns) = (0, 0);
    let mut start = 0;
    let mut released = 0;
    while start < bytes.len() && !limits.stop.is_stopped() {
        let end = bytes.len().min(start + CHECKPOINT_BYTES);
        let mut chunk = &bytes[start..end];
        let text = match std::str::from_utf8(chunk) {
            Ok(text) => text,
            Err(error) => {
                let (valid, _) = chunk.split_at(error.valid_up_to());
                // A border of chunks may cut a character, which then begins the next chunk.
                if error.error_len().is_some() || end == bytes.len() {
                    return Err(NotUtf8::Malformed { at: start + valid.len() });
                }
                chunk = valid;
                std::str::from_utf8(valid).unwrap_or_default()
            }
        };
        if memchr(0, chunk).is_some() {
            return Err(NotUtf8::Nul);
        }
        if let Some(at) = memchr(b'\n', chunk) {
            if start > 0 {
                scan.checkpoints.push(Checkpoint { byte: start + at + 1, line_idx: n_line_feeds + 1 });
            }
            n_line_feeds += memchr_iter(b'\n', chunk).count();
        }
        scan.n_chars += text.chars().count();
        for at in memchr_iter(b'\r', chunk) {
            n_carriage_returns += 1;
            scan.line_ends.n_crlf += usize::from(bytes.get(start + at + 1) == Some(&b'\n'));
        }
        start += chunk.len();
        if start - released >= RELEASE_BYTES {
            input.release(released..start);
            released = start;
        }
    }
    input.release(released..start);
    scan.text = 0..start;
    scan.line_ends.n_lf = n_line_feeds - scan.line_ends.n_crlf.min(n_line_feeds);
    scan.line_ends.n_lone_cr = n_carriage_returns - scan.line_ends.n_crlf;
    scan.line_ends.final_newline = bytes[..start].ends_with(b"\n");
    scan.n_lines = n_line_feeds + usize::from(start > 0 && !scan.line_ends.final_newline);
    scan.n_chars -= n_line_feeds + scan.line_ends.n_crlf;
    Ok(scan)
}

/// Scans text in any charset, line by line. Nothing is an error: malformed sequences and zero bytes are counted.
pub(crate) fn lines(input: &Input<'_>, charset: Charset, text_start: usize, limits: &Limits) -> Scan {
    let bytes = input.bytes;
    let mut scan = Scan { text: text_start..bytes.len(), ..Scan::default() };
    let mut start = text_start;
    let mut released = 0;
    let mut last_checkpoint = text_start;
    while start < bytes.len() {
        if scan.n_lines.is_multiple_of(1024) && limits.stop.is_stopped() {
            break;
        }
        if start - last_checkpoint >= CHECKPOINT_BYTES {
            scan.checkpoints.push(Checkpoint { byte: start, line_idx: scan.n_lines });
            last_checkpoint = start;
        }
        let line = RawLine::at(charset, bytes, start);
        let text = &bytes[start..line.text_end];
        let count = charset.count(text);
        scan.n_chars += count.n_chars;
        if count.n_malformed > 0 {
            scan.n_malformed += count.n_malformed;
            scan.first_malformed.get_or_insert(scan.n_lines);
        }
        if charset.width() == 1 && scan.first_nul.is_none() {
            scan.first_nul = memchr(0, text).map(|at| start + at);
        }
        scan.line_ends.n_lone_cr += charset.count_units(b'\r', text);
        match line.end {
            RawLineEnd::Lf => scan.line_ends.n_lf += 1,
            RawLineEnd::CrLf => scan.line_ends.n_crlf += 1,
            RawLineEnd::None => {}
        }
        scan.line_ends.final_newline = line.end != RawLineEnd::None;
        scan.n_lines += 1;
        start = line.next;
        if start - released >= RELEASE_BYTES {
            input.release(released..start);
            released = start;
        }
    }
    input.release(released..start);
    scan.text.end = start;
    scan
}
