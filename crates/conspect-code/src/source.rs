use std::borrow::Cow;
use std::ops::Range;

use conspect_model::{LineNumber, LineRange};

/// The text of a source file and where its lines begin.
///
/// The parser's own rows are not used: it may see a copy in which bytes were replaced, one for one, so that lone
/// carriage returns end a line for the grammar while the file's lines stay what they are everywhere else.
pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    line_starts: Vec<usize>,
}

impl<'t> Source<'t> {
    pub(crate) fn new(text: &'t str) -> Source<'t> {
        let mut line_starts = vec![0];
        line_starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        if line_starts.len() > 1 && line_starts.last() == Some(&text.len()) {
            line_starts.pop();
        }
        Source { text, line_starts }
    }

    pub(crate) fn n_lines(&self) -> usize {
        if self.text.is_empty() { 0 } else { self.line_starts.len() }
    }

    /// The index of the line that holds this byte.
    pub(crate) fn line_idx(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|&start| start <= byte).saturating_sub(1)
    }

    pub(crate) fn line_number(&self, byte: usize) -> LineNumber {
        LineNumber::from_idx(self.line_idx(byte))
    }

    /// The lines from the one of the first byte to that of the last; a line end at the very end counts for nothing.
    pub(crate) fn line_range(&self, bytes: &Range<usize>) -> LineRange {
        let slice = self.slice(bytes.clone()).trim_end();
        let last = bytes.start + slice.len().saturating_sub(1);
        LineRange { first: self.line_number(bytes.start), last: self.line_number(last) }
    }

    /// Where the line begins; the end of the text past the last one.
    pub(crate) fn line_start(&self, line_idx: usize) -> usize {
        self.line_starts.get(line_idx).copied().unwrap_or(self.text.len())
    }

    /// The text of a line, without its end.
    pub(crate) fn line(&self, line_idx: usize) -> &'t str {
        let line = self.slice(self.line_start(line_idx)..self.line_start(line_idx + 1));
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// A part of the text; empty where the range is not one.
    pub(crate) fn slice(&self, bytes: Range<usize>) -> &'t str {
        self.text.get(bytes).unwrap_or_default()
    }

    /// The bytes that the parser sees: NUL, which ends a text for some grammars, becomes a blank, and a carriage
    /// return with no line feed after it, which no grammar takes for a line end, becomes a line feed.
    pub(crate) fn for_parser(&self) -> Cow<'t, [u8]> {
        let bytes = self.text.as_bytes();
        let is_lone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
        let lone_cr = memchr::memchr_iter(b'\r', bytes).any(is_lone);
        if !lone_cr && memchr::memchr(0, bytes).is_none() {
            return Cow::Borrowed(bytes);
        }
        let mut copy = bytes.to_vec();
        for (at, byte) in copy.iter_mut().enumerate() {
            match *byte {
                0 => *byte = b' ',
                b'\r' if is_lone(at) => *byte = b'\n',
                _ => {}
            }
        }
        Cow::Owned(copy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_line_feeds_only() {
        let source = Source::new("a\rb\r\nc\n\nd");
        let lines: Vec<&str> = (0..source.n_lines()).map(|line_idx| source.line(line_idx)).collect();
        assert_eq!(lines, ["a\rb", "c", "", "d"]);
        assert_eq!(source.line_idx(0), 0);
        assert_eq!(source.line_idx(5), 1);
        assert_eq!(source.for_parser().as_ref(), b"a\nb\r\nc\n\nd");
        assert_eq!(Source::new("a\n").n_lines(), 1);
        assert_eq!(Source::new("").n_lines(), 0);
    }
}
