use conspect_model::{Block, Mark, MarkKind, ParagraphNumber};

use crate::docx::styles::{Look, Raised};

/// A paragraph while it is read.
#[derive(Default)]
pub(crate) struct Paragraph {
    pub(crate) text: String,
    pub(crate) marks: Vec<Mark>,
    pub(crate) properties: ParagraphProperties,
    /// Where it is counted in the body.
    pub(crate) number: Option<ParagraphNumber>,
    /// The page it began on.
    pub(crate) page: u32,
    /// Blocks that hang on it and follow it: pictures, text boxes.
    pub(crate) attached: Vec<Block>,
    /// The formula that stands alone on its own line, if the paragraph is nothing else.
    pub(crate) display_math: Option<String>,
}

/// What `w:pPr` says.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParagraphProperties {
    pub(crate) style: Option<String>,
    pub(crate) list: Option<i64>,
    pub(crate) list_level: Option<u8>,
    /// From 0; 9 is body text.
    pub(crate) outline_level: Option<u8>,
    /// Whether tracked changes join it with the next paragraph.
    pub(crate) joins_next: bool,
}

impl Paragraph {
    /// Adds text with the marks of its look and of the tracked change around it.
    pub(crate) fn push(&mut self, text: &str, look: Look, change: Option<&MarkKind>) {
        let start = self.text.len();
        self.text.push_str(text);
        let marks = [
            (look.bold == Some(true)).then_some(MarkKind::Strong),
            (look.italic == Some(true)).then_some(MarkKind::Emphasis),
            (look.strike == Some(true)).then_some(MarkKind::Strike),
            match look.raised {
                Some(Raised::Superscript) => Some(MarkKind::Superscript),
                Some(Raised::Subscript) => Some(MarkKind::Subscript),
                _ => None,
            },
            change.cloned(),
        ];
        for kind in marks.into_iter().flatten() {
            self.mark(start, kind);
        }
    }

    /// Marks the text from `start` to the end so far; a mark of the same kind that ends there goes on.
    pub(crate) fn mark(&mut self, start: usize, kind: MarkKind) {
        let end = self.text.len();
        if start >= end {
            return;
        }
        // Neighbouring runs of one look have their marks among the last few.
        let neighbours = self.marks.iter_mut().rev().take(8);
        match neighbours.filter(|mark| mark.kind == kind).find(|mark| mark.range.end == start) {
            Some(mark) => mark.range.end = end,
            None => self.marks.push(Mark { range: start..end, kind }),
        }
    }

    /// The text without blanks around it, and the marks over what is left, in order.
    pub(crate) fn take_trimmed(&mut self) -> (String, Vec<Mark>) {
        let start = self.text.len() - self.text.trim_start().len();
        let end = self.text.trim_end().len().max(start);
        let mut marks = std::mem::take(&mut self.marks);
        marks.retain_mut(|mark| {
            mark.range.start = mark.range.start.clamp(start, end) - start;
            mark.range.end = mark.range.end.clamp(start, end) - start;
            !mark.range.is_empty()
        });
        marks.sort_by_key(|mark| (mark.range.start, usize::MAX - mark.range.end));
        let text = std::mem::take(&mut self.text);
        let text = if start == 0 && end == text.len() { text } else { text[start..end].to_owned() };
        (text, marks)
    }
}
