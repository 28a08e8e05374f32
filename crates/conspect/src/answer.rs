use std::fmt::Write as _;
use std::ops::Range;

use conspect_model::TextPart;
use conspect_view::{CutReason, Listing, RenderOptions, View, render_to, rendered_chars};

/// The answer for one file: a header line, what is shown, and how to go on where it was cut.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The header line with its line feed; empty where none was asked for.
    pub header: String,
    /// What is shown of the file.
    pub shows: Shows,
    /// The text, or the lines it consists of.
    pub body: Body,
    /// Where the answer was cut, and the next call.
    pub next: Option<Next>,
    /// How many characters a sample or map was made to; `None` for anything else.
    pub within: Option<usize>,
}

/// What is shown of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shows {
    /// All of it.
    Whole,
    /// Nothing, since there is nothing.
    Empty,
    /// The part that matters.
    Sample {
        /// How many lines there are.
        n_lines: usize,
    },
    /// Lines that were asked for.
    Lines {
        /// The lines shown, by index from 0.
        lines: Vec<Range<usize>>,
        /// How many there are in the part that was read.
        n_lines: usize,
        /// Which part of the text was read.
        part: TextPart,
    },
    /// Lines that a filter keeps, with what they bring along.
    Hits {
        /// The filter in words.
        filter: String,
        /// How many lines are hits, whether or not there was room for them.
        n_hits: usize,
        /// How many lines were searched.
        n_searched: usize,
    },
    /// A symbol of source code.
    Symbol {
        /// Its qualified name.
        name: String,
        /// Its lines, by index from 0.
        lines: Range<usize>,
        /// How many there are.
        n_lines: usize,
    },
    /// A map or outline.
    Map {
        /// What is counted, in words: `structure map: 31 of 31 symbols`.
        counted: String,
    },
}

/// What an [`Answer`] consists of.
#[derive(Clone, Debug)]
pub enum Body {
    /// Lines of the Listing.
    View(View),
    /// Text that is not made of the Listing's lines, each line with its line feed.
    Text(String),
}

/// Why an answer ends before what was asked for does, and how to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// Which ceiling it was.
    pub reason: CutReason,
    /// The lines to ask for next, as the parameter `lines` takes them.
    pub lines: String,
    /// The character to begin at, from 1, where the next call goes on inside a line.
    pub column: Option<usize>,
    /// How many ranges more there are after those of `lines`, where there are too many to name.
    pub n_more_ranges: usize,
    /// What else the next call has to say again, as [`Asked::also`](crate::Asked::also) has it.
    pub also: String,
    /// The lines that are shown, in words.
    pub shown: String,
}

impl Answer {
    /// Writes the answer out piece by piece.
    pub fn write(&self, listing: &Listing<'_>, options: &RenderOptions, write: &mut dyn FnMut(&str)) {
        write(&self.header);
        match &self.body {
            Body::View(view) => render_to(listing, view, options, write),
            Body::Text(text) => write(text),
        }
        if let Some(next) = &self.next {
            write(&next.line());
        }
    }

    /// The answer as one text.
    pub fn text(&self, listing: &Listing<'_>, options: &RenderOptions) -> String {
        let mut text = String::new();
        self.write(listing, options, &mut |piece| text.push_str(piece));
        text
    }

    /// How many characters the answer has as written out.
    pub fn n_chars(&self, listing: &Listing<'_>, options: &RenderOptions) -> usize {
        let body = match &self.body {
            Body::View(view) => rendered_chars(listing, view, options),
            Body::Text(text) => text.chars().count(),
        };
        let next = self.next.as_ref().map_or(0, |next| next.line().chars().count());
        self.header.chars().count() + body + next
    }

    /// The View, where the answer is made of lines.
    pub fn view(&self) -> Option<&View> {
        match &self.body {
            Body::View(view) => Some(view),
            Body::Text(_) => None,
        }
    }

    /// The answer cut to so many characters, for budgets in which not even the least answer fits.
    pub(crate) fn cut(self, listing: &Listing<'_>, options: &RenderOptions, max_chars: usize) -> Answer {
        let text = self.text(listing, options);
        match text.char_indices().nth(max_chars) {
            None => self,
            Some((end, _)) => {
                let text = text[..end].to_owned();
                Answer { header: String::new(), body: Body::Text(text), next: None, ..self }
            }
        }
    }
}

impl Shows {
    /// In words, as the header has it; `None` where everything is shown.
    pub(crate) fn describe(&self) -> Option<String> {
        match self {
            Shows::Whole => None,
            Shows::Empty => Some("empty".to_owned()),
            Shows::Sample { n_lines } => Some(format!("sample of {}", counted(*n_lines, "line"))),
            Shows::Lines { lines, n_lines, part: TextPart::Whole } => {
                Some(format!("{} of {n_lines}", in_words(lines)))
            }
            Shows::Lines { lines, n_lines, part } => Some(part_in_words(lines, *n_lines, *part)),
            Shows::Hits { filter, n_hits, n_searched } => {
                Some(format!("{} in {}, {filter}", counted(*n_hits, "hit"), counted(*n_searched, "line")))
            }
            Shows::Symbol { name, lines, n_lines } => {
                Some(format!("{name}, {} of {n_lines}", in_words(std::slice::from_ref(lines))))
            }
            Shows::Map { counted } => Some(counted.clone()),
        }
    }

    /// One word for it, in lower case.
    pub fn name(&self) -> &'static str {
        match self {
            Shows::Whole => "whole",
            Shows::Empty => "empty",
            Shows::Sample { .. } => "sample",
            Shows::Lines { .. } => "lines",
            Shows::Hits { .. } => "hits",
            Shows::Symbol { .. } => "symbol",
            Shows::Map { .. } => "map",
        }
    }
}

/// `1 line`, `612 lines`.
pub(crate) fn counted(n: usize, one: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        _ => format!("{n} {one}s"),
    }
}

/// How many ranges a header names one by one.
const MAX_NAMED: usize = 4;

/// `lines 1-20, 300-320`, counted from 1 as people do.
pub(crate) fn in_words(lines: &[Range<usize>]) -> String {
    let named = |range: &Range<usize>| match range.len() {
        1 => format!("{}", range.end),
        _ => format!("{}-{}", range.start + 1, range.end),
    };
    let n_lines: usize = lines.iter().map(Range::len).sum();
    match (lines, n_lines) {
        ([], _) => "no lines".to_owned(),
        (_, 1) => format!("line {}", lines.iter().map(named).collect::<String>()),
        (few, _) if few.len() <= MAX_NAMED => {
            format!("lines {}", few.iter().map(named).collect::<Vec<_>>().join(", "))
        }
        (many, n_lines) => format!("{n_lines} lines in {} ranges", many.len()),
    }
}

/// The lines shown of a part of a text: without a total, and counted from the end where that is what was read.
pub(crate) fn part_in_words(lines: &[Range<usize>], n_lines: usize, part: TextPart) -> String {
    if part != TextPart::End {
        return in_words(lines);
    }
    let n_shown: usize = lines.iter().map(Range::len).sum();
    match (n_shown, n_lines) {
        (1, 1) => "the last line".to_owned(),
        (n_shown, n_lines) if n_shown == n_lines => format!("the last {n_lines} lines"),
        (n_shown, n_lines) => format!("{n_shown} of the last {n_lines} lines"),
    }
}

impl Next {
    /// How many characters it takes.
    pub(crate) fn n_chars(&self) -> usize {
        self.line().chars().count()
    }

    /// As the last line of an answer: `[lines 1-1000 shown, cut by line_limit; next: lines "1001-2000"]`.
    fn line(&self) -> String {
        let mut line = format!("[{} shown, cut by {}; next: ", self.shown, self.reason.name());
        let _ = write!(line, "lines \"{}\"", self.lines);
        if let Some(column) = self.column {
            let _ = write!(line, ", column {column}");
        }
        if !self.also.is_empty() {
            let _ = write!(line, ", {}", self.also);
        }
        match self.n_more_ranges {
            0 => {}
            1 => line.push_str("; then 1 more range"),
            n_ranges => {
                let _ = write!(line, "; then {n_ranges} more ranges");
            }
        }
        line.push_str("]\n");
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_is_not_called_lines() {
        let hits = |n_searched| Shows::Hits { filter: "contains \"low\"".to_owned(), n_hits: 1, n_searched };
        assert_eq!(Shows::Sample { n_lines: 1 }.describe().as_deref(), Some("sample of 1 line"));
        assert_eq!(Shows::Sample { n_lines: 612 }.describe().as_deref(), Some("sample of 612 lines"));
        assert_eq!(hits(1).describe().as_deref(), Some("1 hit in 1 line, contains \"low\""));
        assert_eq!(hits(40).describe().as_deref(), Some("1 hit in 40 lines, contains \"low\""));
    }
}
