use std::ops::Range;

use conspect_model::{Mark, MarkKind};

/// The running text of the block that is being read: blanks folded as a browser folds them, with marks over it.
#[derive(Default)]
pub(super) struct Inline {
    text: String,
    marks: Vec<Mark>,
    open: Vec<OpenMark>,
    /// A blank that is added before the next character, if one comes.
    has_blank: bool,
    lines: Option<Range<usize>>,
}

struct OpenMark {
    tag: String,
    kind: MarkKind,
    start: usize,
}

/// A block's text with its marks, and the lines it stands on.
pub(super) struct Taken {
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
    pub(super) lines: Range<usize>,
}

/// More marks inside one another than this mean nothing.
const MAX_OPEN_MARKS: usize = 32;

impl Inline {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds text whose white space is folded.
    pub(super) fn push(&mut self, text: &str, lines: Range<usize>) {
        let mut is_first = true;
        for word in text.split([' ', '\t', '\n', '\r', '\u{C}']) {
            self.has_blank |= !is_first;
            is_first = false;
            if word.is_empty() {
                continue;
            }
            if self.has_blank && !self.text.is_empty() && !self.text.ends_with('\n') {
                self.text.push(' ');
            }
            self.has_blank = false;
            self.text.push_str(word);
            self.stands_on(&lines);
        }
    }

    /// Adds text as it is.
    pub(super) fn push_exact(&mut self, text: &str, lines: Range<usize>) {
        self.text.push_str(text);
        if !text.trim().is_empty() {
            self.stands_on(&lines);
        }
    }

    /// Breaks the line, unless it is empty.
    pub(super) fn break_line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.has_blank = false;
    }

    pub(super) fn open_mark(&mut self, tag: &str, kind: MarkKind) {
        if self.open.len() < MAX_OPEN_MARKS {
            // The blank before the mark is not part of it.
            if self.has_blank && !self.text.is_empty() && !self.text.ends_with('\n') {
                self.text.push(' ');
            }
            self.has_blank = false;
            self.open.push(OpenMark { tag: tag.to_owned(), kind, start: self.text.len() });
        }
    }

    /// Closes the innermost mark that this tag opened; an end tag too many does nothing.
    pub(super) fn close_mark(&mut self, tag: &str) {
        if let Some(at) = self.open.iter().rposition(|open| open.tag == tag) {
            let open = self.open.remove(at);
            self.add_mark(open.kind, open.start);
        }
    }

    /// What there is, if it is more than blanks. Marks that are open go on in the next block.
    pub(super) fn take(&mut self, is_exact: bool) -> Option<Taken> {
        for at in 0..self.open.len() {
            let start = std::mem::take(&mut self.open[at].start);
            self.add_mark(self.open[at].kind.clone(), start);
        }
        self.has_blank = false;
        let mut text = std::mem::take(&mut self.text);
        let mut marks = std::mem::take(&mut self.marks);
        let lines = self.lines.take();
        text.truncate(text.trim_end().len());
        if text.trim().is_empty() {
            return None;
        }
        if !is_exact {
            marks.retain_mut(|mark| {
                mark.range.end = mark.range.end.min(text.len());
                mark.range.start < mark.range.end
            });
            marks.sort_by_key(|mark| (mark.range.start, std::cmp::Reverse(mark.range.end)));
        } else {
            marks.clear();
        }
        Some(Taken { text, marks, lines: lines.unwrap_or(0..1) })
    }

    /// Marks what was added since, blanks around it left out.
    fn add_mark(&mut self, kind: MarkKind, start: usize) {
        let Some(text) = self.text.get(start..) else { return };
        let n_before = text.len() - text.trim_start().len();
        let range = start + n_before..start + text.trim_end().len();
        if !range.is_empty() {
            self.marks.push(Mark { range, kind });
        }
    }

    fn stands_on(&mut self, lines: &Range<usize>) {
        self.lines = Some(match &self.lines {
            Some(known) => known.start.min(lines.start)..known.end.max(lines.end),
            None => lines.clone(),
        });
    }
}
