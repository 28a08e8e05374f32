//! Markdown, as its own lines with headings, tables and fenced code over them.
//!
//! This is a scanner of lines, not a parser: what matters for finding one's way in a long text is which lines are
//! headings and which only look like it (in code, comments and front matter), where tables are and where code is.
//! It follows CommonMark 0.31 and the tables of GitHub Flavored Markdown; what stands inside quotations is not looked
//! into.

use std::ops::ControlFlow;

use conspect_model::{
    Block, BlockKind, Document, Format, Input, Limits, LineRange, Origin, ReadError, Scope, TextLines,
};

use crate::{SourceText, plain};

/// Reads Markdown.
pub fn read<'a>(input: &Input<'a>, _scope: &Scope, limits: &Limits) -> Result<Document<'a>, ReadError> {
    let text = SourceText::decode(input, limits)?;
    let blocks = blocks(&text, limits);
    let mut document = plain::document(Format::Markdown, text);
    document.blocks = blocks;
    Ok(document)
}

/// A paragraph longer than this is not taken for a heading, whatever line stands under it.
const MAX_HEADING_BYTES: usize = 1000;

/// A longer line is neither a heading nor the header of a table.
const MAX_LINE_BYTES: usize = 16 << 10;

/// How far the end of front matter is looked for.
const MAX_FRONT_MATTER_LINES: usize = 1000;

/// The blocks over the lines of a text.
pub(crate) fn blocks(lines: &dyn TextLines, limits: &Limits) -> Vec<Block> {
    let first_line_idx = front_matter_end(lines);
    let mut scanner = Scanner { blocks: Vec::new(), place: Place::Text, paragraph: None, in_list: false };
    lines.visit(first_line_idx..usize::MAX, &mut |line_idx, line| {
        if line_idx.is_multiple_of(4096) && limits.stop.is_stopped() {
            return ControlFlow::Break(());
        }
        scanner.line(line_idx, line);
        ControlFlow::Continue(())
    });
    scanner.end(lines.n_lines());
    scanner.blocks
}

/// The line after front matter (YAML between lines of three hyphens at the very beginning); 0 without any.
fn front_matter_end(lines: &dyn TextLines) -> usize {
    let mut end = 0;
    lines.visit(0..MAX_FRONT_MATTER_LINES, &mut |line_idx, line| {
        let line = line.trim_end();
        match line_idx {
            0 if line == "---" => ControlFlow::Continue(()),
            0 => ControlFlow::Break(()),
            // A blank line right after it: the hyphens were a thematic break.
            1 if line.is_empty() => ControlFlow::Break(()),
            _ if line == "---" || line == "..." => {
                end = line_idx + 1;
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    });
    end
}

struct Scanner {
    blocks: Vec<Block>,
    place: Place,
    /// The paragraph that the line before belongs to.
    paragraph: Option<Paragraph>,
    /// Whether deeper indentation may belong to a list item, so that it does not make code.
    in_list: bool,
}

/// What the scanner is inside of.
enum Place {
    Text,
    Fence {
        first_idx: usize,
        mark: u8,
        n_marks: usize,
        language: Option<String>,
    },
    /// Raw HTML up to a line with this end.
    Html {
        end: &'static str,
    },
    Table {
        first_idx: usize,
    },
}

struct Paragraph {
    first_idx: usize,
    text: String,
    last_line: String,
}

impl Scanner {
    fn line(&mut self, line_idx: usize, line: &str) {
        match &self.place {
            Place::Fence { mark, n_marks, .. } => {
                let trimmed = line.trim();
                if trimmed.len() >= *n_marks && trimmed.bytes().all(|byte| byte == *mark) {
                    self.end(line_idx + 1);
                }
                return;
            }
            Place::Html { end } => {
                if contains_ignoring_case(line, end) {
                    self.place = Place::Text;
                }
                return;
            }
            Place::Table { .. } => {
                if !ends_table(line) {
                    return;
                }
                self.end(line_idx);
            }
            Place::Text => {}
        }
        self.text_line(line_idx, line);
    }

    fn text_line(&mut self, line_idx: usize, line: &str) {
        let text = line.trim_start_matches([' ', '\t']);
        if text.is_empty() {
            self.paragraph = None;
            return;
        }
        let indent = indent(&line[..line.len() - text.len()]);
        if indent >= 4 && !self.in_list {
            // Code by indentation, or the paragraph goes on.
            self.extend_paragraph(line_idx, text, false);
            return;
        }
        if let Some((mark, n_marks, language)) = fence(text) {
            self.paragraph = None;
            self.place = Place::Fence { first_idx: line_idx, mark, n_marks, language };
            return;
        }
        if let Some(end) = raw_html_end(text) {
            self.paragraph = None;
            if !contains_ignoring_case(&text[1..], end) {
                self.place = Place::Html { end };
            }
            return;
        }
        if self.starts_table(line_idx, text) {
            return;
        }
        if indent < 4 && self.heading(line_idx, text) {
            return;
        }
        if list_item(text).is_some() && !is_break(text) {
            self.in_list = true;
            self.paragraph = None;
            return;
        }
        self.in_list &= indent > 0;
        if text.starts_with('>') || is_break(text) || text.len() > MAX_LINE_BYTES {
            self.paragraph = None;
        } else {
            self.extend_paragraph(line_idx, text, true);
        }
    }

    /// Adds a heading if the line is one, or underlines one.
    fn heading(&mut self, line_idx: usize, text: &str) -> bool {
        let n_hashes = text.bytes().take_while(|&byte| byte == b'#').count();
        if text.len() > MAX_LINE_BYTES {
            return false;
        }
        if (1..=6).contains(&n_hashes) && text[n_hashes..].chars().next().is_none_or(char::is_whitespace) {
            let mut title = text[n_hashes..].trim();
            let without_end = title.trim_end_matches('#');
            if without_end.is_empty() || without_end.ends_with([' ', '\t']) {
                title = without_end.trim_end();
            }
            self.push_heading(n_hashes as u8, title, line_idx..line_idx + 1);
            return true;
        }
        let underline = text.trim_end();
        let level = match underline.as_bytes().first() {
            Some(b'=') if underline.bytes().all(|byte| byte == b'=') => 1,
            Some(b'-') if underline.bytes().all(|byte| byte == b'-') => 2,
            _ => return false,
        };
        match self.paragraph.take() {
            Some(paragraph) if paragraph.text.len() <= MAX_HEADING_BYTES => {
                self.push_heading(level, &paragraph.text, paragraph.first_idx..line_idx + 1);
                true
            }
            _ => false,
        }
    }

    fn push_heading(&mut self, level: u8, title: &str, lines: std::ops::Range<usize>) {
        let origin = Origin::Lines(LineRange::from_idx(lines));
        self.blocks.push(Block::new(BlockKind::Heading { level }, without_inline_markup(title), origin));
        self.paragraph = None;
        self.in_list = false;
    }

    /// A line of hyphens and pipes under a line with as many cells makes both the header of a table.
    fn starts_table(&mut self, line_idx: usize, text: &str) -> bool {
        let Some(paragraph) = &self.paragraph else { return false };
        let is_header = |header: &str| header.contains('|') && n_cells(header) == n_cells(text);
        if !is_separator(text) || !is_header(&paragraph.last_line) {
            return false;
        }
        self.paragraph = None;
        self.place = Place::Table { first_idx: line_idx - 1 };
        true
    }

    fn extend_paragraph(&mut self, line_idx: usize, text: &str, may_start: bool) {
        match &mut self.paragraph {
            Some(paragraph) => {
                if paragraph.text.len() <= MAX_HEADING_BYTES {
                    paragraph.text.push(' ');
                    paragraph.text.push_str(text.trim_end());
                }
                paragraph.last_line.clear();
                paragraph.last_line.push_str(text);
            }
            None if may_start => {
                let text = text.trim_end().to_owned();
                self.paragraph = Some(Paragraph { first_idx: line_idx, last_line: text.clone(), text });
            }
            None => {}
        }
    }

    /// Ends the fence or table that the scanner is in.
    fn end(&mut self, end_idx: usize) {
        let (kind, first_idx) = match std::mem::replace(&mut self.place, Place::Text) {
            Place::Fence { first_idx, language, .. } => (BlockKind::Code { language }, first_idx),
            Place::Table { first_idx } => (BlockKind::TableLines { n_header_lines: 2 }, first_idx),
            Place::Text | Place::Html { .. } => return,
        };
        let origin = Origin::Lines(LineRange::from_idx(first_idx..end_idx));
        self.blocks.push(Block::new(kind, "", origin));
    }
}

fn indent(blanks: &str) -> usize {
    blanks.chars().fold(0, |column, c| if c == '\t' { column / 4 * 4 + 4 } else { column + 1 })
}

/// Mark, number of marks and language of a line that opens fenced code.
pub(crate) fn fence(text: &str) -> Option<(u8, usize, Option<String>)> {
    let mark = *text.as_bytes().first().filter(|&&byte| byte == b'`' || byte == b'~')?;
    let n_marks = text.bytes().take_while(|&byte| byte == mark).count();
    let rest = text[n_marks..].trim();
    if n_marks < 3 || (mark == b'`' && rest.contains('`')) {
        return None;
    }
    // `python`, `python title="x"`, `{.python .numbered}`, `{python, echo=FALSE}`
    let word = rest.trim_start_matches(['{', '.', ' ']);
    let word = word.split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}')).next();
    Some((mark, n_marks, word.filter(|word| !word.is_empty()).map(str::to_owned)))
}

/// What ends the raw HTML that a line opens, where that may hold lines like headings.
fn raw_html_end(text: &str) -> Option<&'static str> {
    const RAW: &[(&str, &str)] = &[
        ("<!--", "-->"),
        ("<pre", "</pre>"),
        ("<script", "</script>"),
        ("<style", "</style>"),
        ("<textarea", "</textarea>"),
    ];
    let (start, end) = RAW
        .iter()
        .find(|(start, _)| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))?;
    let after = text[start.len()..].chars().next();
    (*start == "<!--" || after.is_none_or(|c| c == '>' || c.is_whitespace())).then_some(end)
}

fn contains_ignoring_case(line: &str, wanted: &str) -> bool {
    line.len() >= wanted.len()
        && line.as_bytes().windows(wanted.len()).any(|part| part.eq_ignore_ascii_case(wanted.as_bytes()))
}

/// The label of a list item, and its text: `-`, `*`, `+`, `1.`, `1)`.
pub(crate) fn list_item(text: &str) -> Option<(&str, &str)> {
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let n_label = match (n_digits, text.as_bytes().get(n_digits)?) {
        (0, b'-' | b'*' | b'+') => 1,
        (1..=9, b'.' | b')') => n_digits + 1,
        _ => return None,
    };
    let (label, rest) = text.split_at(n_label);
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some((label, rest.trim()))
}

/// Whether a line is a thematic break: nothing but three or more hyphens, asterisks or underscores.
fn is_break(text: &str) -> bool {
    ['-', '*', '_']
        .iter()
        .any(|&mark| text.chars().all(|c| c == mark || c.is_whitespace()) && text.matches(mark).count() >= 3)
}

fn ends_table(line: &str) -> bool {
    let text = line.trim();
    text.is_empty()
        || text.starts_with('>')
        || text.starts_with('#') && !text.contains('|')
        || fence(text).is_some()
        || raw_html_end(text).is_some()
        || list_item(text).is_some() && !text.contains('|')
}

/// Whether a line is made of cells like `:---:`, with at least one pipe.
fn is_separator(text: &str) -> bool {
    let is_cell = |cell: &str| {
        let cell = cell.trim();
        let cell = cell.strip_prefix(':').unwrap_or(cell);
        let cell = cell.strip_suffix(':').unwrap_or(cell);
        !cell.is_empty() && cell.bytes().all(|byte| byte == b'-')
    };
    text.contains('|') && text.bytes().all(|byte| b"|:- \t".contains(&byte)) && cells(text).all(is_cell)
}

fn n_cells(text: &str) -> usize {
    let n_escaped = text.matches("\\|").count();
    cells(text).count() - n_escaped.min(cells(text).count())
}

fn cells(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim();
    let text = text.strip_prefix('|').unwrap_or(text);
    let text = text.strip_suffix('|').unwrap_or(text);
    text.split('|')
}

/// A title without the marks of inline style: links become their text, code and bold lose their marks.
pub(crate) fn without_inline_markup(title: &str) -> String {
    let mut text = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find(['[', '`', '*', '_', '\\', '!']) {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        rest = match from.as_bytes() {
            [b'\\', next, ..] if next.is_ascii_punctuation() => {
                text.push(*next as char);
                &from[2..]
            }
            [b'*', b'*', ..] | [b'_', b'_', ..] => &from[2..],
            [b'`', ..] => &from[1..],
            [b'!', b'[', ..] => &from[1..],
            [b'[', ..] => match link(from) {
                Some((shown, after)) => {
                    text.push_str(shown);
                    after
                }
                None => {
                    text.push('[');
                    &from[1..]
                }
            },
            _ => {
                text.push_str(&from[..1]);
                &from[1..]
            }
        };
    }
    text.push_str(rest);
    text.trim().to_owned()
}

/// The shown text of `[text](target)`, and what follows.
fn link(from: &str) -> Option<(&str, &str)> {
    let (shown, target) = from[1..].split_once("](")?;
    let (_, after) = target.split_once(')')?;
    (!shown.contains(['[', ']'])).then_some((shown, after))
}
