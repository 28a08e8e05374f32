//! CSV and TSV, as their own lines with one table over them.
//!
//! A row may go over several lines, where a quoted cell holds a line break. The file is walked once, line by line, so
//! one of any size passes through.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use conspect_model::{
    Block, BlockKind, Document, Format, Input, Limits, LineRange, Notice, NoticeKind, Origin, ReadError,
    Scope, TextLines,
};
use memchr::{memchr, memchr_iter};

use crate::{SourceText, plain};

/// Reads CSV or TSV. The delimiter (comma, semicolon, tab or pipe) and whether the first row is a header are told from
/// the first rows; where these leave a doubt, a notice says what was taken.
pub fn read<'a>(input: &Input<'a>, _scope: &Scope, limits: &Limits) -> Result<Document<'a>, ReadError> {
    let text = SourceText::decode(input, limits)?;
    let head = head(&text);
    let dialect = dialect(&head, input);
    let header = header(&head, &dialect);
    let walk = walk(&text, &dialect, limits);
    let format = if dialect.delimiter == b'\t' { Format::Tsv } else { Format::Csv };
    let n_lines = text.n_lines();
    let delimiter = dialect.delimiter;
    let mut document = plain::document_of(format, text, |text| Box::new(RowLines { text, delimiter }));
    if n_lines > 0 {
        let origin = Origin::Lines(LineRange::from_idx(0..n_lines));
        let kind = BlockKind::TableLines { n_header_lines: header.n_lines };
        document.blocks.push(Block::new(kind, "", origin));
    }
    document.notices.extend(dialect.notice);
    document.notices.extend(header.notice);
    document.notices.extend(walk.notices());
    Ok(document)
}

/// The lines of a file, whose cells can be told apart.
struct RowLines<'a> {
    text: SourceText<'a>,
    delimiter: u8,
}

impl TextLines for RowLines<'_> {
    fn n_lines(&self) -> usize {
        self.text.n_lines()
    }

    fn n_chars(&self) -> usize {
        self.text.n_chars()
    }

    fn visit(&self, lines: Range<usize>, each: &mut dyn FnMut(usize, &str) -> ControlFlow<()>) {
        self.text.visit(lines, each);
    }

    fn line(&self, line_idx: usize) -> Cow<'_, str> {
        self.text.line(line_idx)
    }

    fn visit_cells(&self, line: &str, each: &mut dyn FnMut(Range<usize>, &str)) {
        let (ranges, is_open) = cell_ranges(line, self.delimiter);
        if is_open {
            return;
        }
        for range in ranges {
            each(range.clone(), &unquote(&line[range]));
        }
    }
}

/// Where the cells of a row lie, quotes included, and whether the last one goes on in the next line.
fn cell_ranges(line: &str, delimiter: u8) -> (Vec<Range<usize>>, bool) {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut is_open = false;
    if memchr(b'"', line.as_bytes()).is_none() {
        for at in memchr_iter(delimiter, line.as_bytes()) {
            ranges.push(start..at);
            start = at + 1;
        }
    } else {
        let mut cursor = Cursor::new(delimiter, false);
        for (at, &byte) in line.as_bytes().iter().enumerate() {
            if cursor.step(byte) == Step::Delimiter {
                ranges.push(start..at);
                start = at + 1;
            }
        }
        is_open = cursor.state == State::Quoted;
    }
    ranges.push(start..line.len());
    (ranges, is_open)
}

/// How many rows are looked at to tell delimiter and header.
const N_HEAD_ROWS: usize = 100;

/// How many bytes of them, lines that are too long cut off.
const N_HEAD_BYTES: usize = 256 << 10;

/// A quoted cell of more lines than this is a stray quote.
const MAX_CELL_LINES: usize = 10_000;

struct Dialect {
    delimiter: u8,
    /// The line `sep=;` that some programs write first says the delimiter and is no row.
    n_sep_lines: usize,
    notice: Option<Notice>,
}

struct Header {
    n_lines: u32,
    notice: Option<Notice>,
}

fn head(text: &SourceText<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut n_bytes = 0;
    text.visit(0..N_HEAD_ROWS * 2, &mut |_, line| {
        n_bytes += line.len();
        if n_bytes > N_HEAD_BYTES && !lines.is_empty() {
            return ControlFlow::Break(());
        }
        lines.push(line[..line.floor_char_boundary(N_HEAD_BYTES)].to_owned());
        ControlFlow::Continue(())
    });
    lines
}

fn dialect(head: &[String], input: &Input<'_>) -> Dialect {
    if let Some(line) = head.first() {
        let sep = line.trim().trim_matches('"');
        if let Some([delimiter]) = sep.get(4..).map(str::as_bytes)
            && sep[..4].eq_ignore_ascii_case("sep=")
            && delimiter.is_ascii()
        {
            return Dialect { delimiter: *delimiter, n_sep_lines: 1, notice: None };
        }
    }
    let by_name = if matches!(input.extension().as_str(), "tsv" | "tab") { b'\t' } else { b',' };
    // The best delimiter gives the same number of cells in the most rows; more cells decide between equals.
    let score = |delimiter: u8| {
        let rows = rows(head, 0, delimiter);
        let Some(n_wanted) = rows.first().map(|row| row.cells.len()).filter(|&n_cells| n_cells > 1) else {
            return (0, 0);
        };
        let n_same = rows.iter().filter(|row| row.cells.len() == n_wanted).count();
        (n_same * 100 / rows.len(), n_wanted)
    };
    let mut scores = vec![(by_name, score(by_name))];
    let others = [b'\t', b';', b',', b'|'].into_iter().filter(|&delimiter| delimiter != by_name);
    scores.extend(others.map(|delimiter| (delimiter, score(delimiter))));
    let mut best = scores[0];
    for &candidate in &scores {
        if candidate.1 > best.1 {
            best = candidate;
        }
    }
    let (delimiter, (percent, _)) = best;
    let is_rival = |&(other, (others_percent, _)): &(u8, (usize, usize))| {
        other != delimiter && others_percent > 0 && others_percent >= percent
    };
    let rival = scores.into_iter().find(is_rival).map(|(rival, _)| rival);
    let notice = rival.map(|rival| {
        let (taken, other) = (delimiter_name(delimiter), delimiter_name(rival));
        let message = format!("the delimiter was taken to be {taken}; {other} would be as regular");
        Notice::new(NoticeKind::Guessed, message, Origin::File)
    });
    Dialect { delimiter, n_sep_lines: 0, notice }
}

fn delimiter_name(delimiter: u8) -> String {
    match delimiter {
        b'\t' => "a tab".to_owned(),
        b',' => "a comma".to_owned(),
        b';' => "a semicolon".to_owned(),
        b'|' => "a pipe".to_owned(),
        other => format!("{:?}", other as char),
    }
}

/// The first row is a header where it is all names (texts, no two the same) and a column below it is all numbers or
/// dates. Where no column below is, names alone make it a likely header.
fn header(head: &[String], dialect: &Dialect) -> Header {
    let rows = rows(head, dialect.n_sep_lines, dialect.delimiter);
    let none = Header { n_lines: 0, notice: None };
    let Some((first, body)) = rows.split_first() else { return none };
    let is_named = first.cells.iter().all(|cell| !looks_like_value(cell))
        && first.cells.iter().any(|cell| !cell.is_empty());
    if !is_named {
        return none;
    }
    let n_lines = first.lines.end as u32;
    let has_value_column = (0..first.cells.len()).any(|column_idx| {
        let mut cells = body
            .iter()
            .filter_map(|row| row.cells.get(column_idx))
            .filter(|cell| !cell.is_empty())
            .peekable();
        cells.peek().is_some() && cells.all(|cell| looks_like_value(cell))
    });
    if has_value_column {
        return Header { n_lines, notice: None };
    }
    let mut names: Vec<&String> = first.cells.iter().collect();
    names.sort();
    names.dedup();
    let are_distinct = names.len() == first.cells.len();
    let is_repeated_below =
        body.iter().any(|row| row.cells.iter().zip(&first.cells).any(|(a, b)| a == b && !a.is_empty()));
    let is_likely = are_distinct && !is_repeated_below && (body.is_empty() || first.cells.len() > 1);
    let message = match is_likely {
        true => "the first row was taken for the header; nothing but its place says so",
        false => "the first row was not taken for a header",
    };
    let origin = Origin::Lines(LineRange::from_idx(first.lines.clone()));
    let notice = (!body.is_empty()).then(|| Notice::new(NoticeKind::Guessed, message, origin));
    Header { n_lines: if is_likely { n_lines } else { 0 }, notice }
}

/// Whether a cell is a number, a date, a time or the like: made of digits and what stands between them.
fn looks_like_value(cell: &str) -> bool {
    let cell = cell.trim().trim_start_matches(['$', '€', '£', '¥']).trim_end_matches(['%', '€']);
    let n_digits = cell.bytes().filter(u8::is_ascii_digit).count();
    n_digits > 0 && cell.chars().all(|c| c.is_ascii_digit() || ".,:/+- eETZ'\u{A0}\u{202F}".contains(c))
}

/// A row of the head.
struct HeadRow {
    lines: Range<usize>,
    cells: Vec<String>,
}

fn rows(head: &[String], first_idx: usize, delimiter: u8) -> Vec<HeadRow> {
    let mut rows: Vec<HeadRow> = Vec::new();
    let mut line_idx = first_idx;
    while line_idx < head.len() && rows.len() < N_HEAD_ROWS {
        let start = line_idx;
        let mut text = head[line_idx].clone();
        line_idx += 1;
        // A quote that never closes within the head is an ordinary character.
        if quotes_open(&text, delimiter) {
            for (n_more, line) in head[line_idx..].iter().enumerate() {
                text.push('\n');
                text.push_str(line);
                if closes(line, delimiter) {
                    line_idx += n_more + 1;
                    break;
                }
            }
            if line_idx == start + 1 {
                text.truncate(head[start].len());
            }
        }
        if text.trim().is_empty() {
            continue;
        }
        rows.push(HeadRow { lines: start..line_idx, cells: split(&text, delimiter) });
    }
    rows
}

fn quotes_open(line: &str, delimiter: u8) -> bool {
    count_cells(line.as_bytes(), delimiter, false).is_open
}

fn closes(line: &str, delimiter: u8) -> bool {
    !count_cells(line.as_bytes(), delimiter, true).is_open
}

fn split(text: &str, delimiter: u8) -> Vec<String> {
    cell_ranges(text, delimiter).0.into_iter().map(|range| unquote(&text[range]).into_owned()).collect()
}

fn unquote(cell: &str) -> Cow<'_, str> {
    let trimmed = cell.trim();
    match trimmed.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')) {
        Some(inner) if inner.contains('"') => Cow::Owned(inner.replace("\"\"", "\"")),
        Some(inner) => Cow::Borrowed(inner),
        None => Cow::Borrowed(trimmed),
    }
}

/// What the walk over all lines finds.
#[derive(Default)]
struct Walk {
    /// Cells of the first row.
    n_cells: usize,
    n_ragged_rows: usize,
    first_ragged: Option<Range<usize>>,
    /// The line with the first quote that is never closed.
    first_stray_quote: Option<usize>,
}

fn walk(text: &SourceText<'_>, dialect: &Dialect, limits: &Limits) -> Walk {
    let mut walk = Walk::default();
    // The row that is being read: its first line, and its cells so far.
    let mut row_start = None;
    let mut n_cells = 0;
    text.visit(dialect.n_sep_lines..usize::MAX, &mut |line_idx, line| {
        if line_idx.is_multiple_of(4096) && limits.stop.is_stopped() {
            return ControlFlow::Break(());
        }
        if row_start.is_none() && line.is_empty() {
            return ControlFlow::Continue(());
        }
        let counted = count_cells(line.as_bytes(), dialect.delimiter, row_start.is_some());
        n_cells += counted.n_delimiters;
        let start = *row_start.get_or_insert(line_idx);
        if counted.is_open {
            if line_idx - start < MAX_CELL_LINES {
                return ControlFlow::Continue(());
            }
            walk.first_stray_quote.get_or_insert(start);
        } else {
            walk.row(start..line_idx + 1, n_cells + 1);
        }
        row_start = None;
        n_cells = 0;
        ControlFlow::Continue(())
    });
    if let Some(start) = row_start {
        walk.first_stray_quote.get_or_insert(start);
    }
    walk
}

impl Walk {
    fn row(&mut self, lines: Range<usize>, n_cells: usize) {
        if self.n_cells == 0 {
            self.n_cells = n_cells;
        }
        if n_cells != self.n_cells {
            self.n_ragged_rows += 1;
            self.first_ragged.get_or_insert(lines);
        }
    }

    fn notices(&self) -> Vec<Notice> {
        let mut notices = Vec::new();
        if let Some(lines) = &self.first_ragged {
            let (n_rows, n_cells) = (self.n_ragged_rows, self.n_cells);
            let rows = if n_rows == 1 { "1 row has".to_owned() } else { format!("{n_rows} rows have") };
            let message =
                format!("{rows} another number of cells than the first row's {n_cells}, the first here");
            notices.push(Notice::new(
                NoticeKind::Damaged,
                message,
                Origin::Lines(LineRange::from_idx(lines.clone())),
            ));
        }
        if let Some(line_idx) = self.first_stray_quote {
            let message = "a quote that opens here is not closed";
            let origin = Origin::Lines(LineRange::from_idx(line_idx..line_idx + 1));
            notices.push(Notice::new(NoticeKind::Damaged, message, origin));
        }
        notices
    }
}

struct Counted {
    n_delimiters: usize,
    /// Whether a quoted cell goes on in the next line.
    is_open: bool,
}

fn count_cells(line: &[u8], delimiter: u8, starts_open: bool) -> Counted {
    if memchr(b'"', line).is_none() {
        let n_delimiters = if starts_open { 0 } else { memchr_iter(delimiter, line).count() };
        return Counted { n_delimiters, is_open: starts_open };
    }
    let mut cursor = Cursor::new(delimiter, starts_open);
    let n_delimiters = line.iter().filter(|&&byte| cursor.step(byte) == Step::Delimiter).count();
    Counted { n_delimiters, is_open: cursor.state == State::Quoted }
}

/// Walks over the bytes of a row. A quote opens only at the beginning of a cell, and two of them inside are one.
struct Cursor {
    delimiter: u8,
    state: State,
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum State {
    CellStart,
    Bare,
    Quoted,
    /// After a quote inside a quoted cell: the cell's end, or the first of two quotes.
    QuoteSeen,
}

#[derive(PartialEq, Eq)]
enum Step {
    Delimiter,
    Other,
}

impl Cursor {
    fn new(delimiter: u8, is_open: bool) -> Cursor {
        Cursor { delimiter, state: if is_open { State::Quoted } else { State::CellStart } }
    }

    fn step(&mut self, byte: u8) -> Step {
        let is_delimiter = byte == self.delimiter && self.state != State::Quoted;
        self.state = match (self.state, byte) {
            _ if is_delimiter => State::CellStart,
            (State::CellStart, b'"') => State::Quoted,
            (State::CellStart, b' ') => State::CellStart,
            (State::Quoted, b'"') => State::QuoteSeen,
            (State::Quoted, _) => State::Quoted,
            (State::QuoteSeen, b'"') => State::Quoted,
            _ => State::Bare,
        };
        if is_delimiter { Step::Delimiter } else { Step::Other }
    }
}
