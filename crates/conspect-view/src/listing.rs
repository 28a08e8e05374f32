use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::{ControlFlow, Range};

use conspect_model::{
    Block, BlockKind, Document, NoteKind, Origin, PageNumber, RowNumber, SheetNumber, TextLines, TextPart,
};

/// A Document laid out as numbered lines.
///
/// Head, tail, ranges, filters, pins, budget and gap markers all speak in these lines. For text and code they are the
/// file's own; for other documents a line is a paragraph (a long one is several, broken after sentences), a list
/// item, a table row, and so on, each pointing back to its block.
pub struct Listing<'d> {
    document: &'d Document<'d>,
    body: Body<'d>,
    headings: Vec<HeadingLine>,
    tables: Vec<TableSpan>,
}

enum Body<'d> {
    Source(&'d dyn TextLines),
    LaidOut(Vec<LaidLine>),
}

/// A line of a laid-out block: a part of its text, or one row of its table.
#[derive(Clone, Copy)]
struct LaidLine {
    block_idx: u32,
    /// The byte where the line begins in the block's text, or the row's index.
    start: u32,
    /// The byte where the line ends in the block's text; unused for rows.
    end: u32,
}

/// A heading's place in a Listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeadingLine {
    /// Its line, from 0.
    pub line_idx: usize,
    /// 1 is the highest; sheets count as 1.
    pub level: u8,
}

/// A table's place in a Listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpan {
    /// Its header rows; empty where it has none.
    pub header: Range<usize>,
    /// The rows below.
    pub rows: Range<usize>,
}

/// What a line is, as far as writing it out depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A line of the file itself, written as it is.
    Source,
    /// A heading of this level.
    Heading(u8),
    /// Running text: the first line of its block, or a later one.
    Text {
        /// Whether it is the block's first line.
        is_first: bool,
    },
    /// An item of a list, or a later line of it.
    ListItem {
        /// 0 is the outermost list.
        depth: u8,
        /// Whether it is the item's first line.
        is_first: bool,
    },
    /// A line of code.
    Code,
    /// A line of a quotation.
    Quote,
    /// A row of a table.
    Row {
        /// Whether it is a header row.
        is_header: bool,
        /// Whether it is the last header row, after which Markdown has its separator.
        ends_header: bool,
    },
    /// A figure.
    Figure,
    /// A formula.
    Math,
    /// A note outside the running text.
    Note,
    /// The beginning of a sheet.
    Sheet,
}

/// The longest line that a paragraph is left as, in bytes.
const LONG_LINE: usize = 600;
/// About how long the lines of a longer paragraph become, in bytes.
const WRAPPED_LINE: usize = 300;

/// Numbers the lines of a Document.
pub fn lay_out<'d>(document: &'d Document<'d>) -> Listing<'d> {
    let mut listing =
        Listing { document, body: Body::LaidOut(Vec::new()), headings: Vec::new(), tables: Vec::new() };
    match &document.lines {
        Some(lines) => lay_over(&mut listing, lines.as_ref()),
        None => lay_blocks(&mut listing),
    }
    listing
}

/// Notes which of the file's own lines are headings and tables.
fn lay_over<'d>(listing: &mut Listing<'d>, lines: &'d dyn TextLines) {
    let n_lines = lines.n_lines();
    for block in &listing.document.blocks {
        let Origin::Lines(range) = block.origin else { continue };
        let range = range.idx();
        if range.end > n_lines {
            continue;
        }
        match block.kind {
            BlockKind::Heading { level } => {
                listing.headings.push(HeadingLine { line_idx: range.start, level })
            }
            BlockKind::TableLines { n_header_lines } => {
                let header_end = range.start + (n_header_lines as usize).min(range.len());
                listing
                    .tables
                    .push(TableSpan { header: range.start..header_end, rows: header_end..range.end });
            }
            _ => {}
        }
    }
    listing.headings.sort_by_key(|heading| heading.line_idx);
    listing.tables.sort_by_key(|table| table.header.start);
    listing.body = Body::Source(lines);
}

/// Lays out blocks that hold their own text.
fn lay_blocks(listing: &mut Listing<'_>) {
    let mut laid = Vec::new();
    for (block_idx, block) in listing.document.blocks.iter().enumerate() {
        let line = |start: usize, end: usize| LaidLine {
            block_idx: block_idx as u32,
            start: start as u32,
            end: end as u32,
        };
        match &block.kind {
            BlockKind::Heading { level } => {
                listing.headings.push(HeadingLine { line_idx: laid.len(), level: *level });
                laid.push(line(0, block.text.len()));
            }
            BlockKind::Sheet { .. } => {
                listing.headings.push(HeadingLine { line_idx: laid.len(), level: 1 });
                laid.push(line(0, block.text.len()));
            }
            BlockKind::Table(table) => {
                let first = laid.len();
                let header_end = first + table.n_header_rows.min(table.n_rows());
                laid.extend((0..table.n_rows()).map(|row_idx| line(row_idx, 0)));
                listing.tables.push(TableSpan { header: first..header_end, rows: header_end..laid.len() });
            }
            BlockKind::Code { .. } | BlockKind::Math => {
                each_line(&block.text, |range| laid.push(line(range.start, range.end)));
            }
            BlockKind::TableLines { .. } | BlockKind::Symbol(_) | BlockKind::Imports => {}
            BlockKind::Paragraph
            | BlockKind::ListItem { .. }
            | BlockKind::Quote
            | BlockKind::Figure
            | BlockKind::Note { .. } => {
                each_line(&block.text, |range| {
                    for wrapped in wrap(&block.text, range) {
                        laid.push(line(wrapped.start, wrapped.end));
                    }
                });
            }
        }
    }
    listing.body = Body::LaidOut(laid);
}

/// Calls `each` with the byte range of every line of a block's text.
fn each_line(text: &str, mut each: impl FnMut(Range<usize>)) {
    let mut start = 0;
    for line in text.split('\n') {
        each(start..start + line.len());
        start += line.len() + 1;
    }
}

/// Breaks a long line after sentences, or after words where a sentence is too long itself. Nothing is dropped but the
/// blank at a break.
fn wrap(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    if range.len() <= LONG_LINE {
        return vec![range];
    }
    let mut wrapped = Vec::new();
    let mut start = range.start;
    let mut sentence_end = None;
    let mut word_end = None;
    let line = &text[range.clone()];
    let mut chars = line.char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        let end = range.start + offset + c.len_utf8();
        let next = chars.peek().map(|&(_, next)| next);
        let before_blank = next == Some(' ');
        match c {
            '.' | '!' | '?' | ';' | ':' if before_blank => sentence_end = Some(end),
            '。' | '！' | '？' | '；' => sentence_end = Some(end),
            '-' | ' ' => {}
            _ if before_blank => word_end = Some(end),
            _ => {}
        }
        let length = end - start;
        let cut = match (sentence_end, word_end) {
            (Some(cut), _) if length >= WRAPPED_LINE && cut > start => Some(cut),
            (_, Some(cut)) if length >= LONG_LINE && cut > start => Some(cut),
            _ => None,
        };
        if let Some(cut) = cut {
            wrapped.push(start..cut);
            start = if text[cut..].starts_with(' ') { cut + 1 } else { cut };
            sentence_end = None;
            word_end = None;
        }
    }
    if start < range.end {
        wrapped.push(start..range.end);
    }
    wrapped
}

impl<'d> Listing<'d> {
    /// The Document that was laid out.
    pub fn document(&self) -> &'d Document<'d> {
        self.document
    }

    /// How many lines there are.
    pub fn n_lines(&self) -> usize {
        match &self.body {
            Body::Source(lines) => lines.n_lines(),
            Body::LaidOut(laid) => laid.len(),
        }
    }

    /// The headings, in order.
    pub fn headings(&self) -> &[HeadingLine] {
        &self.headings
    }

    /// The tables, in order; they do not overlap.
    pub fn tables(&self) -> &[TableSpan] {
        &self.tables
    }

    /// The table that holds this line, header or row.
    pub fn table_at(&self, line_idx: usize) -> Option<&TableSpan> {
        let after = self.tables.partition_point(|table| table.header.start <= line_idx);
        let table = self.tables.get(after.checked_sub(1)?)?;
        (line_idx < table.rows.end).then_some(table)
    }

    /// The headings that this line stands under, outermost first; not the line itself.
    pub fn owners(&self, line_idx: usize) -> Vec<HeadingLine> {
        let mut owners = Vec::new();
        let mut level = u8::MAX;
        let before = self.headings.partition_point(|heading| heading.line_idx < line_idx);
        let own = self.headings.get(before).filter(|heading| heading.line_idx == line_idx);
        if let Some(own) = own {
            level = own.level;
        }
        for heading in self.headings[..before].iter().rev() {
            if heading.level < level {
                level = heading.level;
                owners.push(*heading);
                if level <= 1 {
                    break;
                }
            }
        }
        owners.reverse();
        owners
    }

    /// The lines of the section that this line stands in: from its nearest heading to the next one that is not deeper.
    pub fn section(&self, line_idx: usize) -> Range<usize> {
        let after = self.headings.partition_point(|heading| heading.line_idx <= line_idx);
        let Some(own) = after.checked_sub(1).map(|idx| self.headings[idx]) else {
            return 0..self.headings.first().map_or(self.n_lines(), |heading| heading.line_idx);
        };
        let end = self.headings[after..].iter().find(|heading| heading.level <= own.level);
        own.line_idx..end.map_or(self.n_lines(), |heading| heading.line_idx)
    }

    /// The number of a line, from 1; from -1 backwards where only the end of the text was read.
    pub fn number(&self, line_idx: usize) -> i64 {
        match self.document.part_read {
            TextPart::Whole | TextPart::Beginning => line_idx as i64 + 1,
            TextPart::End => line_idx as i64 - self.n_lines() as i64,
        }
    }

    /// What a line is.
    pub fn kind(&self, line_idx: usize) -> LineKind {
        let Body::LaidOut(laid) = &self.body else { return LineKind::Source };
        let Some(line) = laid.get(line_idx) else { return LineKind::Source };
        let is_first = line.start == 0;
        match &self.block_of(line).kind {
            BlockKind::Heading { level } => LineKind::Heading(*level),
            BlockKind::ListItem { depth, .. } => LineKind::ListItem { depth: *depth, is_first },
            BlockKind::Code { .. } => LineKind::Code,
            BlockKind::Quote => LineKind::Quote,
            BlockKind::Table(table) => LineKind::Row {
                is_header: (line.start as usize) < table.n_header_rows,
                ends_header: line.start as usize + 1 == table.n_header_rows,
            },
            BlockKind::Figure => LineKind::Figure,
            BlockKind::Math => LineKind::Math,
            BlockKind::Note { .. } => LineKind::Note,
            BlockKind::Sheet { .. } => LineKind::Sheet,
            _ => LineKind::Text { is_first },
        }
    }

    /// The block that a line belongs to; none for a line of the file itself that no heading or table claims.
    pub fn block(&self, line_idx: usize) -> Option<&'d Block> {
        match &self.body {
            Body::LaidOut(laid) => Some(self.block_of(laid.get(line_idx)?)),
            Body::Source(_) => None,
        }
    }

    /// The block that a line belongs to, as its index in the Document.
    pub fn block_idx(&self, line_idx: usize) -> Option<usize> {
        match &self.body {
            Body::LaidOut(laid) => Some(laid.get(line_idx)?.block_idx as usize),
            Body::Source(_) => None,
        }
    }

    /// Which bytes of its block's text a line is; `None` for rows and for lines of the file itself.
    pub fn text_range(&self, line_idx: usize) -> Option<Range<usize>> {
        let Body::LaidOut(laid) = &self.body else { return None };
        let line = laid.get(line_idx)?;
        match self.block_of(line).kind {
            BlockKind::Table(_) => None,
            _ => Some(line.start as usize..line.end as usize),
        }
    }

    /// The row of a table that a line is.
    pub fn row(&self, line_idx: usize) -> Option<conspect_model::Row<'d>> {
        let Body::LaidOut(laid) = &self.body else { return None };
        let line = laid.get(line_idx)?;
        match &self.block_of(line).kind {
            BlockKind::Table(table) => table.row(line.start as usize),
            _ => None,
        }
    }

    /// Calls `each` with every cell of a line of the file itself, where it is a row of cells: where it lies in the
    /// line's text, and what it says.
    pub(crate) fn visit_source_cells(&self, text: &str, each: &mut dyn FnMut(Range<usize>, &str)) {
        if let Body::Source(lines) = &self.body {
            lines.visit_cells(text, each);
        }
    }

    /// Where in the file a line stands.
    pub fn origin(&self, line_idx: usize) -> Origin {
        match &self.body {
            Body::Source(_) if self.document.part_read == TextPart::End => Origin::File,
            Body::Source(_) => Origin::Lines(conspect_model::LineRange::from_idx(line_idx..line_idx + 1)),
            Body::LaidOut(laid) => match laid.get(line_idx) {
                Some(line) => match self.row(line_idx) {
                    Some(row) => row.origin(),
                    None => self.block_of(line).origin,
                },
                None => Origin::File,
            },
        }
    }

    /// The page a line stands on, where pages are known.
    pub fn page(&self, line_idx: usize) -> Option<PageNumber> {
        match &self.body {
            Body::Source(_) => None,
            Body::LaidOut(_) => self.origin(line_idx).page(),
        }
    }

    /// Where in the structure of the file's own text byte `byte` of a line stands: the keys around it, the time of the
    /// log entry that it continues. `None` where the line says so itself, or there is nothing to say.
    pub fn place(&self, line_idx: usize, byte: usize) -> Option<String> {
        match &self.body {
            Body::Source(lines) => lines.place(line_idx, byte),
            Body::LaidOut(_) => None,
        }
    }

    /// The sheet and row a line stands on, where there are sheets.
    pub fn sheet_row(&self, line_idx: usize) -> Option<(SheetNumber, RowNumber)> {
        match self.origin(line_idx) {
            Origin::Cells { sheet, range } => Some((sheet, range.first_row)),
            _ => None,
        }
    }

    /// The plain text of a line, without any markup: what filters look at. The cells of a row are joined by tabs.
    pub fn plain(&self, line_idx: usize) -> Cow<'d, str> {
        match &self.body {
            Body::Source(lines) => lines.line(line_idx),
            Body::LaidOut(laid) => laid.get(line_idx).map_or(Cow::Borrowed(""), |line| self.plain_of(line)),
        }
    }

    /// Calls `each` with the index and plain text of every line in `lines`, in order, until it breaks.
    pub fn visit(&self, lines: Range<usize>, each: &mut dyn FnMut(usize, &str) -> ControlFlow<()>) {
        match &self.body {
            Body::Source(source) => source.visit(lines, each),
            Body::LaidOut(laid) => {
                let wanted = laid.iter().enumerate().take(lines.end).skip(lines.start);
                for (line_idx, line) in wanted {
                    if each(line_idx, &self.plain_of(line)).is_break() {
                        return;
                    }
                }
            }
        }
    }

    /// How many characters all lines hold, line ends and markup not counted.
    pub fn n_chars(&self) -> usize {
        match &self.body {
            Body::Source(lines) => lines.n_chars(),
            Body::LaidOut(laid) => laid.iter().map(|line| self.plain_of(line).chars().count()).sum(),
        }
    }

    /// Whether the lines are the file's own.
    pub fn is_source(&self) -> bool {
        matches!(self.body, Body::Source(_))
    }

    fn block_of(&self, line: &LaidLine) -> &'d Block {
        &self.document.blocks[line.block_idx as usize]
    }

    fn plain_of(&self, line: &LaidLine) -> Cow<'d, str> {
        let block = self.block_of(line);
        match &block.kind {
            BlockKind::Table(table) => {
                let mut text = String::new();
                for (column_idx, cell) in
                    table.row(line.start as usize).iter().flat_map(|row| row.cells()).enumerate()
                {
                    if column_idx > 0 {
                        text.push('\t');
                    }
                    text.push_str(cell);
                }
                if text.contains('\n') { Cow::Owned(text.replace('\n', " ")) } else { Cow::Owned(text) }
            }
            BlockKind::ListItem { label, .. }
                if line.start == 0 && label.chars().any(char::is_alphanumeric) =>
            {
                Cow::Owned(format!("{label} {}", &block.text[..line.end as usize]))
            }
            BlockKind::Note { kind, label } if line.start == 0 => {
                let mut text = String::new();
                let _ = match kind {
                    NoteKind::Footnote | NoteKind::Endnote | NoteKind::Comment => write!(text, "{label} "),
                    NoteKind::PageHeader | NoteKind::PageFooter | NoteKind::Speaker => Ok(()),
                };
                text.push_str(&block.text[..line.end as usize]);
                Cow::Owned(text)
            }
            BlockKind::Heading { .. } if block.text.contains('\n') => {
                Cow::Owned(block.text.replace('\n', " "))
            }
            _ => Cow::Borrowed(&block.text[line.start as usize..line.end as usize]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conspect_model::{Format, Table};

    fn document(blocks: Vec<Block>) -> Document<'static> {
        let mut document = Document::new(Format::Docx);
        document.blocks = blocks;
        document
    }

    fn paragraph(text: &str) -> Block {
        Block::new(BlockKind::Paragraph, text, Origin::File)
    }

    fn heading(level: u8, text: &str) -> Block {
        Block::new(BlockKind::Heading { level }, text, Origin::File)
    }

    #[test]
    fn a_long_paragraph_is_broken_after_sentences_and_loses_only_blanks() {
        let sentence = "The quick brown fox jumps over the lazy dog near the river bank. ";
        let document = document(vec![paragraph(sentence.repeat(20).trim_end())]);
        let listing = lay_out(&document);
        assert!(listing.n_lines() > 2);
        let lines: Vec<String> = (0..listing.n_lines()).map(|idx| listing.plain(idx).into_owned()).collect();
        assert!(lines.iter().all(|line| line.ends_with('.') && line.len() < LONG_LINE));
        assert_eq!(lines.join(" "), document.blocks[0].text);
    }

    #[test]
    fn text_without_blanks_or_full_stops_stays_one_line() {
        let document = document(vec![paragraph(&"ab".repeat(2000))]);
        assert_eq!(lay_out(&document).n_lines(), 1);
    }

    #[test]
    fn owners_are_the_headings_above_and_sections_end_at_the_next_of_their_level() {
        let document = document(vec![
            heading(1, "A"),
            heading(2, "A.1"),
            paragraph("x"),
            heading(2, "A.2"),
            paragraph("y"),
            heading(1, "B"),
        ]);
        let listing = lay_out(&document);
        let owners = |line_idx| -> Vec<usize> {
            listing.owners(line_idx).iter().map(|heading| heading.line_idx).collect()
        };
        assert_eq!(owners(4), [0, 3]);
        assert_eq!(owners(3), [0]);
        assert_eq!(owners(0), []);
        assert_eq!(owners(5), []);
        assert_eq!(listing.section(2), 1..3);
        assert_eq!(listing.section(0), 0..5);
        assert_eq!(listing.section(5), 5..6);
    }

    #[test]
    fn rows_are_lines_and_know_their_table() {
        let mut table = Table::new();
        assert!(table.push(Origin::File, ["name", "price"]));
        assert!(table.push(Origin::File, ["pear\nor apple", "3"]));
        table.n_header_rows = 1;
        let document = document(vec![
            paragraph("before"),
            Block::new(BlockKind::Table(Box::new(table)), "", Origin::File),
            paragraph("after"),
        ]);
        let listing = lay_out(&document);
        assert_eq!(listing.n_lines(), 4);
        assert_eq!(listing.plain(2), "pear or apple\t3");
        assert_eq!(listing.table_at(2), Some(&TableSpan { header: 1..2, rows: 2..3 }));
        assert_eq!(listing.table_at(1), listing.table_at(2));
        assert_eq!(listing.table_at(0), None);
        assert_eq!(listing.table_at(3), None);
    }
}
