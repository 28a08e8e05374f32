use std::borrow::Cow;
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

use conspect_model::{
    Input, Limits, LineNumber, LineRange, Notice, NoticeKind, Origin, ReadError, TextEncoding, TextLines,
};

use memchr::{memchr, memchr_iter};

use crate::charset::Charset;
use crate::scan::{self, Scan};
use crate::{detect, magic};

/// Decoded text over the bytes of a file, with what is needed to write it back byte for byte.
///
/// There is no copy of the text and no table of lines: one checkpoint for every 64 KiB says which line begins there,
/// and lines are found from the nearest one. UTF-8 is borrowed straight from the bytes; other encodings are decoded
/// line by line. So a file of any size costs no more than its index, 16 bytes for every 64 KiB.
pub struct SourceText<'a> {
    input: Input<'a>,
    charset: Charset,
    encoding: TextEncoding,
    scan: Scan,
    /// Bytes looked at since the last time memory was given back.
    n_touched: AtomicUsize,
}

/// How the lines of a text end. What stands at the ends of a file's lines is kept by an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineEnds {
    /// Line feeds without a carriage return before them.
    pub n_lf: usize,
    /// Carriage return and line feed.
    pub n_crlf: usize,
    /// Carriage returns without a line feed after them: text, not line ends.
    pub n_lone_cr: usize,
    /// Whether the last line has an end.
    pub final_newline: bool,
}

/// A place in a text: a line, and a byte of it as decoded. Both count from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line_idx: usize,
    pub(crate) byte: usize,
}

/// Whether a piece of a line is followed by another one of the same line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineGoesOn {
    Yes,
    No,
}

/// A character that the encoding of a file does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnencodableError {
    /// The first such character.
    pub character: char,
    /// The encoding's WHATWG name.
    pub encoding: &'static str,
}

/// How far apart the places are from which lines are found.
pub(crate) const CHECKPOINT_BYTES: usize = 64 << 10;

/// How much of a long line is handed out at once.
pub(crate) const PIECE_BYTES: usize = 64 << 10;

/// After this many bytes, memory behind them is given back.
pub(crate) const RELEASE_BYTES: usize = 4 << 20;

impl<'a> SourceText<'a> {
    /// Decodes an input: one pass over its bytes, which finds the encoding and counts lines and characters.
    ///
    /// In order: the encoding that the user insists on; a byte order mark; UTF-8, if all of it is valid; UTF-16
    /// without a mark, told by its zero bytes; a guess from the bytes; windows-1252.
    ///
    /// A text that was stopped before its end holds the lines up to there; [`SourceText::notices`] says so.
    pub fn decode(input: &Input<'a>, limits: &Limits) -> Result<SourceText<'a>, ReadError> {
        SourceText::decode_with_hint(input, None, limits)
    }

    /// As [`SourceText::decode`]; `hint` is the label that a file of some format gives itself, which counts for more
    /// than a guess and for less than the bytes.
    pub(crate) fn decode_with_hint(
        input: &Input<'a>,
        hint: Option<&str>,
        limits: &Limits,
    ) -> Result<SourceText<'a>, ReadError> {
        let bytes = input.bytes;
        let mark = Charset::from_mark(bytes);
        if let Some(label) = input.encoding {
            let charset = Charset::for_label(label)
                .ok_or_else(|| ReadError::UnknownEncoding { label: label.to_owned() })?;
            // The user names the kind of encoding, and a mark of that kind knows the byte order.
            let (charset, n_mark) = match mark {
                Some((marked, n_mark)) if marked.width() == charset.width() && marked.width() > 1 => {
                    (marked, n_mark)
                }
                Some((Charset::Utf8, n_mark)) if charset == Charset::Utf8 => (Charset::Utf8, n_mark),
                _ => (charset, 0),
            };
            let scan = scan::lines(input, charset, n_mark, limits);
            return Ok(SourceText::new(*input, charset, n_mark > 0, true, scan));
        }
        if let Some((charset, n_mark)) = mark {
            let scan = scan::lines(input, charset, n_mark, limits);
            if charset == Charset::Utf8 && scan.first_nul.is_some() {
                return Err(ReadError::Binary);
            }
            return Ok(SourceText::new(*input, charset, true, true, scan));
        }
        let head = &bytes[..bytes.len().min(CHECKPOINT_BYTES)];
        let wide = if memchr::memchr(0, head).is_some() { detect::utf16_without_mark(bytes) } else { None };
        if let Some(charset) = wide {
            let scan = scan::lines(input, charset, 0, limits);
            return Ok(SourceText::new(*input, charset, false, false, scan));
        }
        match scan::valid_utf8(input, limits) {
            Ok(scan) => Ok(SourceText::new(*input, Charset::Utf8, false, true, scan)),
            Err(scan::NotUtf8::Nul) => Err(ReadError::Binary),
            Err(scan::NotUtf8::Malformed { .. }) if magic::binary_kind(bytes).is_some() => {
                Err(ReadError::Binary)
            }
            Err(scan::NotUtf8::Malformed { at }) => {
                let charset = detect::guess(bytes, at, hint);
                let scan = scan::lines(input, charset, 0, limits);
                match scan.first_nul {
                    Some(_) => Err(ReadError::Binary),
                    None => Ok(SourceText::new(*input, charset, false, false, scan)),
                }
            }
        }
    }

    fn new(input: Input<'a>, charset: Charset, bom: bool, certain: bool, scan: Scan) -> SourceText<'a> {
        let encoding = TextEncoding {
            name: charset.name(),
            bom,
            certain,
            n_malformed: scan.n_malformed as u64,
            first_malformed: scan.first_malformed.map(LineNumber::from_idx),
        };
        SourceText { input, charset, encoding, scan, n_touched: AtomicUsize::new(0) }
    }

    /// How the bytes were decoded.
    pub fn encoding(&self) -> &TextEncoding {
        &self.encoding
    }

    /// How the lines end.
    pub fn line_ends(&self) -> LineEnds {
        self.scan.line_ends
    }

    /// All bytes of the file: its byte order mark, if it has one, and everything after it.
    pub fn bytes(&self) -> &'a [u8] {
        self.input.bytes
    }

    /// The byte order mark; empty without one.
    pub fn bom(&self) -> &'a [u8] {
        &self.input.bytes[..self.scan.text.start]
    }

    /// Where the bytes of a line stand in the file, its end included; empty, and at the end, past the last line.
    pub fn byte_range(&self, line_idx: usize) -> Range<usize> {
        match self.find_line(line_idx) {
            Some(start) => start..self.line_from(start).next,
            None => self.scan.text.end..self.scan.text.end,
        }
    }

    /// The whole text with its line ends, for parsers that need it in one piece: borrowed where the bytes are valid
    /// UTF-8, else a copy. The byte order mark is left out.
    pub fn text(&self) -> Cow<'a, str> {
        let bytes = &self.input.bytes[self.scan.text.clone()];
        if self.charset == Charset::Utf8 {
            return self.charset.decode(bytes);
        }
        // Line by line, so that it holds the same lines even where a decoder would carry its state over a line end.
        let mut text = String::with_capacity(bytes.len());
        let mut start = self.scan.text.start;
        while start < self.scan.text.end {
            let line = self.line_from(start);
            text.push_str(&self.charset.decode(&self.input.bytes[start..line.text_end]));
            text.push_str(line.end.as_str());
            start = line.next;
        }
        Cow::Owned(text)
    }

    /// A text in the encoding of this file, to be written into it. No byte order mark is added.
    pub fn encode<'t>(&self, text: &'t str) -> Result<Cow<'t, [u8]>, UnencodableError> {
        self.charset
            .encode(text)
            .map_err(|character| UnencodableError { character, encoding: self.charset.name() })
    }

    /// What was guessed or lost in decoding.
    pub fn notices(&self) -> Vec<Notice> {
        let mut notices = Vec::new();
        let name = self.charset.name();
        if !self.encoding.certain {
            let message = format!("the encoding is not marked; decoded as {name}, a guess from the bytes");
            notices.push(Notice::new(NoticeKind::Guessed, message, Origin::File));
        }
        if let Some(line_idx) = self.scan.first_malformed {
            let n_malformed = self.scan.n_malformed;
            let what = if n_malformed == 1 { "sequence is" } else { "sequences are" };
            let message =
                format!("{n_malformed} byte {what} malformed in {name} and shown as U+FFFD, the first here");
            let origin = Origin::Lines(LineRange::from_idx(line_idx..line_idx + 1));
            notices.push(Notice::new(NoticeKind::Damaged, message, origin));
        }
        let (end, n_bytes) = (self.scan.text.end, self.input.bytes.len());
        if end < n_bytes {
            let message = format!("reading was stopped after {end} of {n_bytes} bytes");
            notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
        }
        notices
    }

    /// Where the line begins; `None` past the last one.
    fn find_line(&self, line_idx: usize) -> Option<usize> {
        if line_idx >= self.scan.n_lines {
            return None;
        }
        let checkpoints = &self.scan.checkpoints;
        let n_before = checkpoints.partition_point(|checkpoint| checkpoint.line_idx <= line_idx);
        let (mut start, known_idx) = match n_before.checked_sub(1).and_then(|at| checkpoints.get(at)) {
            Some(checkpoint) => (checkpoint.byte, checkpoint.line_idx),
            None => (self.scan.text.start, 0),
        };
        let found_from = start;
        let n_skipped = line_idx - known_idx;
        if self.charset.width() == 1 && n_skipped > 0 {
            let mut line_feeds = memchr_iter(b'\n', &self.input.bytes[start..self.scan.text.end]);
            start += line_feeds.nth(n_skipped - 1)? + 1;
        } else {
            for _ in 0..n_skipped {
                start = self.line_from(start).next;
            }
        }
        self.touched(start - found_from);
        Some(start)
    }

    fn line_from(&self, start: usize) -> RawLine {
        RawLine::at(self.charset, &self.input.bytes[..self.scan.text.end], start)
    }

    /// Calls `each` with the text from a byte of a line on, in pieces of at most [`PIECE_BYTES`] that end at characters
    /// and at the end of every line, until it breaks. So a line of any length passes through.
    pub(crate) fn visit_pieces(
        &self,
        from: Position,
        each: &mut dyn FnMut(Position, &str, LineGoesOn) -> ControlFlow<()>,
    ) {
        let is_plain = self.charset == Charset::Utf8 && self.scan.n_malformed == 0;
        if !is_plain {
            return self.visit_decoded_pieces(from, each);
        }
        let Some(line_start) = self.find_line(from.line_idx) else { return };
        let bytes = &self.input.bytes[..self.scan.text.end];
        let mut start = (line_start + from.byte).min(bytes.len());
        let mut at = from;
        while start < bytes.len() {
            let (text_end, next) = piece_at(bytes, start);
            let text = String::from_utf8_lossy(&bytes[start..text_end]);
            let ends_line = next > text_end || next == bytes.len();
            let goes_on = if ends_line { LineGoesOn::No } else { LineGoesOn::Yes };
            self.touched(next - start);
            if each(at, &text, goes_on).is_break() {
                return;
            }
            at = match goes_on {
                LineGoesOn::No => Position { line_idx: at.line_idx + 1, byte: 0 },
                LineGoesOn::Yes => Position { byte: at.byte + (next - start), ..at },
            };
            start = next;
        }
    }

    fn visit_decoded_pieces(
        &self,
        from: Position,
        each: &mut dyn FnMut(Position, &str, LineGoesOn) -> ControlFlow<()>,
    ) {
        self.visit(from.line_idx..usize::MAX, &mut |line_idx, line| {
            let mut byte = if line_idx == from.line_idx { from.byte.min(line.len()) } else { 0 };
            loop {
                let end = floor_char(line.as_bytes(), byte, PIECE_BYTES);
                let goes_on = if end < line.len() { LineGoesOn::Yes } else { LineGoesOn::No };
                each(Position { line_idx, byte }, line.get(byte..end).unwrap_or_default(), goes_on)?;
                if goes_on == LineGoesOn::No {
                    return ControlFlow::Continue(());
                }
                byte = end;
            }
        });
    }

    /// Says that some bytes were looked at. Now and then all memory is given back: what is still needed is read again
    /// by the system, and what is not does not pile up.
    fn touched(&self, n_bytes: usize) {
        if self.n_touched.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes >= RELEASE_BYTES {
            self.n_touched.store(0, Ordering::Relaxed);
            self.input.release(0..self.input.bytes.len());
        }
    }
}

impl TextLines for SourceText<'_> {
    fn n_lines(&self) -> usize {
        self.scan.n_lines
    }

    fn n_chars(&self) -> usize {
        self.scan.n_chars
    }

    fn visit(&self, lines: Range<usize>, each: &mut dyn FnMut(usize, &str) -> ControlFlow<()>) {
        if lines.is_empty() {
            return;
        }
        let Some(mut start) = self.find_line(lines.start) else { return };
        let mut n_touched = 0;
        for line_idx in lines.start..lines.end.min(self.scan.n_lines) {
            let line = self.line_from(start);
            let text = self.charset.decode(&self.input.bytes[start..line.text_end]);
            if each(line_idx, &text).is_break() {
                break;
            }
            n_touched += line.next - start;
            start = line.next;
            if n_touched >= CHECKPOINT_BYTES {
                self.touched(n_touched);
                n_touched = 0;
            }
        }
        self.touched(n_touched);
    }

    fn line(&self, line_idx: usize) -> Cow<'_, str> {
        let Some(start) = self.find_line(line_idx) else { return Cow::Borrowed("") };
        let line = self.line_from(start);
        self.touched(line.next - start);
        self.charset.decode(&self.input.bytes[start..line.text_end])
    }
}

impl fmt::Debug for SourceText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceText")
            .field("input", &self.input)
            .field("encoding", &self.encoding)
            .field("n_lines", &self.scan.n_lines)
            .field("n_chars", &self.scan.n_chars)
            .field("line_ends", &self.scan.line_ends)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for UnencodableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let character = self.character;
        write!(f, "{character:?} (U+{:04X}) does not exist in {}", character as u32, self.encoding)
    }
}

impl std::error::Error for UnencodableError {}

/// Where a piece of a line of UTF-8 ends, and where the next piece or line begins.
fn piece_at(bytes: &[u8], start: usize) -> (usize, usize) {
    let most = bytes.len().min(start + PIECE_BYTES);
    if let Some(n_text) = memchr(b'\n', &bytes[start..most]) {
        let line_feed = start + n_text;
        let has_return = n_text > 0 && bytes[line_feed - 1] == b'\r';
        return (line_feed - usize::from(has_return), line_feed + 1);
    }
    let mut end = floor_char(bytes, start, PIECE_BYTES);
    // Only with what follows it is it known whether it belongs to the line's end.
    if end < bytes.len() && end > start + 1 && bytes[end - 1] == b'\r' {
        end -= 1;
    }
    (end, end)
}

/// The last border of characters within `n_bytes` from `start` on, and past `start` unless that is the end.
fn floor_char(bytes: &[u8], start: usize, n_bytes: usize) -> usize {
    let most = bytes.len().min(start + n_bytes);
    let is_border = |at: usize| bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
    (start + 1..=most).rev().find(|&at| is_border(at)).unwrap_or(most)
}

/// Where a line that begins at a known byte ends.
pub(crate) struct RawLine {
    /// The end of its text: where its line end begins.
    pub(crate) text_end: usize,
    /// Where the next line begins.
    pub(crate) next: usize,
    pub(crate) end: RawLineEnd,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RawLineEnd {
    Lf,
    CrLf,
    /// The text ends without a line end.
    None,
}

impl RawLineEnd {
    fn as_str(self) -> &'static str {
        match self {
            RawLineEnd::Lf => "\n",
            RawLineEnd::CrLf => "\r\n",
            RawLineEnd::None => "",
        }
    }
}

impl RawLine {
    pub(crate) fn at(charset: Charset, bytes: &[u8], start: usize) -> RawLine {
        let width = charset.width();
        let Some(n_text) = charset.find_unit(b'\n', &bytes[start..]) else {
            return RawLine { text_end: bytes.len(), next: bytes.len(), end: RawLineEnd::None };
        };
        let text_end = start + n_text;
        let next = text_end + width;
        if charset.ends_in_unit(b'\r', &bytes[start..text_end]) {
            RawLine { text_end: text_end - width, next, end: RawLineEnd::CrLf }
        } else {
            RawLine { text_end, next, end: RawLineEnd::Lf }
        }
    }
}
