use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::{ControlFlow, Range};

use conspect_model::{Block, BlockKind, Mark, MarkKind, NoteKind, Origin, Row, SheetNumber};

use crate::cells::{cell_ends, columns_mark, columns_of};
use crate::listing::{LineKind, Listing};
use crate::profile::TableProfile;
use crate::view::{Piece, Run, Shown, View};

/// How a View is written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// The form of headings, marks and places.
    pub style: Style,
    /// Whether each line is preceded by its number: `12: `.
    pub line_numbers: bool,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions { style: Style::Text, line_numbers: false }
    }
}

/// The form of what is written out. Lines of the file itself are the same in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Compact: headings, lists and tables as in Markdown, places as `[page 12]`, no inline style, few blank lines.
    Text,
    /// Clean Markdown: inline style, links, blank lines between blocks, places as comments.
    Markdown,
}

/// Writes a View out. Every line ends with a line feed.
pub fn render(listing: &Listing<'_>, view: &View, options: &RenderOptions) -> String {
    let mut out = String::new();
    write_view(listing, view, options, &mut out);
    out
}

/// Writes a View out piece by piece, for answers that are too large to hold.
pub fn render_to(listing: &Listing<'_>, view: &View, options: &RenderOptions, write: &mut dyn FnMut(&str)) {
    struct Writer<'w>(&'w mut dyn FnMut(&str));
    impl Sink for Writer<'_> {
        fn push(&mut self, text: &str) {
            (self.0)(text);
        }
    }
    write_view(listing, view, options, &mut Writer(write));
}

/// How many characters [`render`] would write, without writing them.
pub fn rendered_chars(listing: &Listing<'_>, view: &View, options: &RenderOptions) -> usize {
    let mut count = CharCount(0);
    write_view(listing, view, options, &mut count);
    count.0
}

/// What a line of a View says as it is written out, with the marks of what is cut from it; without number and line feed.
pub fn shown_text(listing: &Listing<'_>, line_idx: usize, shown: &Shown, style: Style) -> String {
    let text = printed(listing, line_idx, style);
    match shown {
        Shown::Whole => text.into_owned(),
        Shown::Pieces { pieces, n_chars } => {
            let mut out = String::new();
            write_pieces(listing, line_idx, &text, pieces, *n_chars, style, &mut out);
            out
        }
    }
}

/// Takes what is written: a string, or only the count of its characters.
pub(crate) trait Sink {
    fn push(&mut self, text: &str);
}

impl Sink for String {
    fn push(&mut self, text: &str) {
        self.push_str(text);
    }
}

pub(crate) struct CharCount(pub(crate) usize);

impl Sink for CharCount {
    fn push(&mut self, text: &str) {
        self.0 += text.chars().count();
    }
}

fn write_view(listing: &Listing<'_>, view: &View, options: &RenderOptions, sink: &mut dyn Sink) {
    each_part(listing, view, options.style, &mut |part| match part {
        Part::Between(prev, next) => write_between(listing, prev, next, options, sink),
        Part::Profile(profile) => write_profile(profile, options.style, sink),
        Part::Line { line_idx, text, run } => {
            write_line(listing, line_idx, text, &run.shown, options, sink);
        }
    });
}

/// What a View is written out of.
pub(crate) enum Part<'p> {
    /// What stands between two lines that follow one another.
    Between(Side, Side),
    /// What a table's columns hold.
    Profile(&'p TableProfile),
    /// A line of a run, with its text as it is written out whole.
    Line {
        /// Its index.
        line_idx: usize,
        /// Its text.
        text: &'p str,
        /// The run that it is part of.
        run: &'p Run,
    },
}

/// Calls `each` with all that a View is written out of, in order.
pub(crate) fn each_part(listing: &Listing<'_>, view: &View, style: Style, each: &mut dyn FnMut(Part<'_>)) {
    let end = if view.marks_ends { Side::MarkedEnd } else { Side::OpenEnd };
    let mut prev = if view.marks_first_place { Side::PlacedStart } else { end };
    for run in &view.runs {
        visit_printed(listing, run.lines.clone(), style, &mut |line_idx, text| {
            each(Part::Between(prev, Side::Line(line_idx)));
            if let Some(profile) = view.profiles.iter().find(|profile| profile.line_idx == line_idx) {
                each(Part::Profile(profile));
            }
            each(Part::Line { line_idx, text, run });
            prev = Side::Line(line_idx);
            ControlFlow::Continue(())
        });
    }
    each(Part::Between(prev, end));
}

/// What lies on one side of the place between two lines of a View.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// A line that is shown.
    Line(usize),
    /// The beginning or end of the View, where lines left out are marked.
    MarkedEnd,
    /// The beginning or end of the View, where they are not.
    OpenEnd,
    /// The beginning of the View, where they are not, but the place of the first line shown is.
    PlacedStart,
}

impl Side {
    fn line(self) -> Option<usize> {
        match self {
            Side::Line(line_idx) => Some(line_idx),
            Side::MarkedEnd | Side::OpenEnd | Side::PlacedStart => None,
        }
    }
}

/// Writes what stands between two lines that follow one another in a View: the marker of the gap between them, the
/// mark of a new page or sheet, the fences of code, blank lines.
pub(crate) fn write_between(
    listing: &Listing<'_>,
    prev: Side,
    next: Side,
    options: &RenderOptions,
    sink: &mut dyn Sink,
) {
    let markdown = options.style == Style::Markdown;
    let gap = gap(listing, prev, next);
    let (before, after) = (prev.line(), next.line());
    let same_block = match (before, after) {
        (Some(before), Some(after)) => listing.block_idx(before) == listing.block_idx(after),
        _ => false,
    };
    let runs_on = gap.is_empty() && same_block;
    let kind_before = before.map(|line_idx| listing.kind(line_idx));
    let kind_after = after.map(|line_idx| listing.kind(line_idx));

    if kind_before == Some(LineKind::Code) && !runs_on {
        sink.push("```\n");
    }
    if !gap.is_empty() {
        if markdown && before.is_some() && !listing.is_source() {
            sink.push("\n");
        }
        sink.push(&gap_marker(listing, gap.clone()));
    }
    let Some(after) = after else { return };
    if listing.is_source() {
        // Where lines follow one another, the ones before say where the next stands.
        let is_begun_anew = !gap.is_empty() || (prev == Side::PlacedStart && after > 0);
        if let Some(place) = is_begun_anew.then(|| listing.place(after, 0)).flatten() {
            sink.push(&format!("[at {place}]\n"));
        }
    }
    let place = Place::of(listing, after);
    let new_place = match before {
        _ if kind_after == Some(LineKind::Sheet) => None,
        Some(before) => place.filter(|_| place != Place::of(listing, before)),
        None => place,
    };
    let list_goes_on = matches!(
        (kind_before, kind_after),
        (Some(LineKind::ListItem { .. }), Some(LineKind::ListItem { .. }))
    );
    let needs_blank = !listing.is_source()
        && (before.is_some() || !gap.is_empty())
        && match options.style {
            Style::Markdown => !gap.is_empty() || !(same_block || list_goes_on),
            Style::Text => {
                gap.is_empty() && matches!(kind_after, Some(LineKind::Heading(_) | LineKind::Sheet))
            }
        };
    if needs_blank {
        sink.push("\n");
    }
    if let Some(place) = new_place {
        match options.style {
            Style::Text => sink.push(&format!("[{}]\n", place.describe(listing))),
            Style::Markdown => sink.push(&format!("<!-- {} -->\n\n", place.describe(listing))),
        }
    }
    if kind_after == Some(LineKind::Code) && !runs_on {
        let language = match listing.block(after).map(|block| &block.kind) {
            Some(BlockKind::Code { language: Some(language) }) => language.as_str(),
            _ => "",
        };
        sink.push(&format!("```{}\n", language.replace(['`', '\n'], "")));
    }
}

/// The lines left out between two sides that a marker tells of; empty where there are none.
pub(crate) fn gap(listing: &Listing<'_>, prev: Side, next: Side) -> Range<usize> {
    match (prev, next) {
        (Side::OpenEnd | Side::PlacedStart, _) | (_, Side::OpenEnd | Side::PlacedStart) => 0..0,
        (prev, next) => {
            prev.line().map_or(0, |line_idx| line_idx + 1)..next.line().unwrap_or(listing.n_lines())
        }
    }
}

/// `[... skipped 84 lines (120-203), pages 4-6 ...]`: the numbers are those of the next call that asks for them.
pub(crate) fn gap_marker(listing: &Listing<'_>, gap: Range<usize>) -> String {
    let (first, last) = (gap.start + 1, gap.end);
    let mut marker = match gap.len() {
        1 => format!("[... skipped 1 line ({first}-{last})"),
        n_lines => format!("[... skipped {n_lines} lines ({first}-{last})"),
    };
    let (start, end) = (gap.start, gap.end - 1);
    if let (Some(from), Some(to)) = (listing.page(start), listing.page(end)) {
        let _ = match from == to {
            true => write!(marker, ", page {from}"),
            false => write!(marker, ", pages {from}-{to}"),
        };
    } else if let (Some((sheet, from)), Some((other_sheet, to))) =
        (listing.sheet_row(start), listing.sheet_row(end))
        && sheet == other_sheet
        && from < to
    {
        let _ = write!(marker, ", rows {from}-{to}");
    }
    marker.push_str(" ...]\n");
    marker
}

/// Where in the document a line stands, as far as people turn to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Page(u32),
    Sheet(SheetNumber),
    Slide(u32),
    NotebookCell(u32),
}

impl Place {
    fn of(listing: &Listing<'_>, line_idx: usize) -> Option<Place> {
        if listing.is_source() {
            return None;
        }
        match listing.origin(line_idx) {
            Origin::Page { page, .. } => Some(Place::Page(page.get())),
            Origin::Paragraph { page: Some(page), .. } => Some(Place::Page(page.get())),
            Origin::Cells { sheet, .. } => Some(Place::Sheet(sheet)),
            Origin::Slide(slide) => Some(Place::Slide(slide.get())),
            Origin::NotebookCell(cell) => Some(Place::NotebookCell(cell)),
            Origin::Paragraph { page: None, .. } | Origin::Lines(_) | Origin::File => None,
        }
    }

    fn describe(self, listing: &Listing<'_>) -> String {
        match self {
            Place::Page(page) => format!("page {page}"),
            Place::Slide(slide) => format!("slide {slide}"),
            Place::NotebookCell(cell) => format!("cell {cell}"),
            Place::Sheet(sheet) => match listing.document().extent.sheet_name(sheet) {
                Some(name) => format!("sheet \"{name}\""),
                None => format!("sheet {sheet}"),
            },
        }
    }
}

/// Writes one line with its number, its cut marks and its line feed.
pub(crate) fn write_line(
    listing: &Listing<'_>,
    line_idx: usize,
    text: &str,
    shown: &Shown,
    options: &RenderOptions,
    sink: &mut dyn Sink,
) {
    if let Some(header) = empty_header(listing, line_idx, options.style) {
        sink.push(&header);
    }
    if options.line_numbers {
        sink.push(&format!("{}: ", listing.number(line_idx)));
    }
    match shown {
        Shown::Whole => sink.push(text),
        Shown::Pieces { pieces, n_chars } => {
            write_pieces(listing, line_idx, text, pieces, *n_chars, options.style, sink)
        }
    }
    sink.push("\n");
    if let Some(separator) = separator(listing, line_idx, text, shown, options.style) {
        sink.push(&separator);
    }
}

/// Writes pieces of a line with marks for what lies between them: cells of a row, or characters.
fn write_pieces(
    listing: &Listing<'_>,
    line_idx: usize,
    text: &str,
    pieces: &[Piece],
    n_chars: usize,
    style: Style,
    sink: &mut dyn Sink,
) {
    let ends = cell_ends(listing, line_idx, text, style);
    let end = Piece { bytes: text.len()..text.len(), chars: n_chars..n_chars };
    let (mut byte, mut chars) = (0, 0);
    for piece in pieces.iter().chain([&end]) {
        if piece.chars.start > chars {
            match columns_mark(listing, line_idx, text, &ends, byte..piece.bytes.start) {
                Some(mark) => sink.push(&mark),
                None => {
                    let before = if chars > 0 { "…" } else { "" };
                    let goes_on = piece.chars.start < n_chars;
                    let after = if goes_on { "…" } else { "" };
                    let place = goes_on.then(|| listing.place(line_idx, piece.bytes.start)).flatten();
                    let place = place.map(|place| format!(", at {place}")).unwrap_or_default();
                    sink.push(&format!("{before}[+{} chars{place}]{after}", piece.chars.start - chars));
                }
            }
        }
        sink.push(text.get(piece.bytes.clone()).unwrap_or_default());
        (byte, chars) = (piece.bytes.end, piece.chars.end);
    }
}

/// Writes what a table's columns hold, above the table.
pub(crate) fn write_profile(profile: &TableProfile, style: Style, sink: &mut dyn Sink) {
    match style {
        Style::Text => sink.push(&format!("[{profile}]\n")),
        // Two hyphens would end a comment.
        Style::Markdown => sink.push(&format!("<!-- {} -->\n\n", profile.to_string().replace("--", "- -"))),
    }
}

/// The line below a table's header. Markdown knows headers of one row only: there it stands below the first.
fn separator(
    listing: &Listing<'_>,
    line_idx: usize,
    text: &str,
    shown: &Shown,
    style: Style,
) -> Option<String> {
    let LineKind::Row { is_header: true, ends_header } = listing.kind(line_idx) else { return None };
    let row = listing.row(line_idx)?;
    let is_here = match style {
        Style::Text => ends_header,
        Style::Markdown => row.idx() == 0,
    };
    let n_cells = || match shown {
        Shown::Whole => row.n_cells(),
        Shown::Pieces { pieces, .. } => n_cells_shown(&cell_ends(listing, line_idx, text, style), pieces),
    };
    is_here.then(|| separator_of(n_cells()))
}

/// How many cells pieces of a row make, those that stand for columns left out counted.
fn n_cells_shown(ends: &[usize], pieces: &[Piece]) -> usize {
    let mut n_cells = 0;
    let mut next = 0;
    for piece in pieces {
        let columns = columns_of(ends, &piece.bytes);
        n_cells += usize::from(columns.start > next) + columns.end.saturating_sub(columns.start.max(next));
        next = next.max(columns.end);
    }
    n_cells + usize::from(next < ends.len())
}

fn separator_of(n_cells: usize) -> String {
    format!("|{}\n", "---|".repeat(n_cells.max(1)))
}

/// Markdown has no table without a header: one that has none gets an empty one, before its first row.
fn empty_header(listing: &Listing<'_>, line_idx: usize, style: Style) -> Option<String> {
    let row = listing.row(line_idx).filter(|row| style == Style::Markdown && row.idx() == 0)?;
    let has_header = listing.table_at(line_idx).is_some_and(|table| !table.header.is_empty());
    let n_cells = row.n_cells().max(1);
    (!has_header).then(|| format!("|{}\n{}", " |".repeat(n_cells), separator_of(n_cells)))
}

/// Calls `each` with the index and the written-out text of every line in `lines`, in order, until it breaks.
pub(crate) fn visit_printed(
    listing: &Listing<'_>,
    lines: Range<usize>,
    style: Style,
    each: &mut dyn FnMut(usize, &str) -> ControlFlow<()>,
) {
    if listing.is_source() {
        return listing.visit(lines, each);
    }
    for line_idx in lines {
        if each(line_idx, &printed(listing, line_idx, style)).is_break() {
            return;
        }
    }
}

/// A line as written out, without number and line feed.
pub(crate) fn printed<'d>(listing: &Listing<'d>, line_idx: usize, style: Style) -> Cow<'d, str> {
    let kind = listing.kind(line_idx);
    if kind == LineKind::Source {
        return listing.plain(line_idx);
    }
    let Some(block) = listing.block(line_idx) else { return Cow::Borrowed("") };
    match kind {
        LineKind::Source => listing.plain(line_idx),
        LineKind::Heading(level) => {
            let hashes = "#".repeat(usize::from(level.clamp(1, 6)));
            Cow::Owned(format!("{hashes} {}", inline(listing, line_idx, block, style).replace('\n', " ")))
        }
        // What stands in a cell outside any table comes out as a cell too.
        LineKind::Text { .. } if style == Style::Markdown && matches!(block.origin, Origin::Cells { .. }) => {
            Cow::Owned(format!("| {} |", inline(listing, line_idx, block, style).replace('|', "\\|")))
        }
        LineKind::Text { .. } => match (style, inline(listing, line_idx, block, style)) {
            (Style::Markdown, text) => escape_line_start(text),
            (Style::Text, text) => text,
        },
        LineKind::ListItem { depth, is_first } => {
            let indent = "  ".repeat(usize::from(depth.min(20)));
            let BlockKind::ListItem { label, .. } = &block.kind else { return Cow::Borrowed("") };
            let label = match label.as_str() {
                label if label.chars().any(char::is_alphanumeric) => label,
                _ => "-",
            };
            let text = inline(listing, line_idx, block, style);
            match is_first {
                true => Cow::Owned(format!("{indent}{label} {text}")),
                false => Cow::Owned(format!("{indent}  {text}")),
            }
        }
        LineKind::Code => listing.plain(line_idx),
        LineKind::Quote => Cow::Owned(format!("> {}", inline(listing, line_idx, block, style))),
        LineKind::Row { .. } => match listing.row(line_idx) {
            Some(row) => Cow::Owned(printed_row(&row, style, &mut Vec::new())),
            None => Cow::Borrowed(""),
        },
        LineKind::Figure => match (listing.plain(line_idx), style) {
            (alt, Style::Text) if alt.is_empty() => Cow::Borrowed("[figure]"),
            (alt, Style::Text) => Cow::Owned(format!("[figure: {alt}]")),
            (alt, Style::Markdown) => Cow::Owned(format!("![{alt}]()")),
        },
        LineKind::Math => Cow::Owned(format!("${}$", listing.plain(line_idx))),
        LineKind::Note => Cow::Owned(format!(
            "{}{}",
            note_label(listing, line_idx, block),
            inline(listing, line_idx, block, style)
        )),
        LineKind::Sheet => match (style, block.origin) {
            (Style::Markdown, _) => Cow::Owned(format!("## {}", block.text.replace('\n', " "))),
            (Style::Text, Origin::Cells { range, .. }) => {
                Cow::Owned(format!("[sheet \"{}\" {range}]", block.text))
            }
            (Style::Text, _) => Cow::Owned(format!("[sheet \"{}\"]", block.text)),
        },
    }
}

/// A row as written out; `ends` gets where each of its cells ends, the bar after it included.
pub(crate) fn printed_row(row: &Row<'_>, style: Style, ends: &mut Vec<usize>) -> String {
    let line_break = match style {
        Style::Text => " ",
        Style::Markdown => "<br>",
    };
    let mut text = String::from("|");
    for cell in row.cells() {
        text.push(' ');
        let cell = literal(cell.trim(), style);
        let mut rest = cell.as_ref();
        // What needs no change, which in a cell of megabytes is nearly all of it, is copied as a whole.
        while let Some(at) = rest.bytes().position(|b| matches!(b, b'|' | b'\n' | b'\r')) {
            text.push_str(&rest[..at]);
            match rest.as_bytes()[at] {
                b'|' => text.push_str("\\|"),
                b'\n' => text.push_str(line_break),
                _ => {}
            }
            rest = &rest[at + 1..];
        }
        text.push_str(rest);
        text.push_str(" |");
        ends.push(text.len());
    }
    text
}

fn note_label(listing: &Listing<'_>, line_idx: usize, block: &Block) -> String {
    if listing.text_range(line_idx).is_some_and(|range| range.start > 0) {
        return String::from("  ");
    }
    let BlockKind::Note { kind, label } = &block.kind else { return String::new() };
    match kind {
        NoteKind::Footnote | NoteKind::Endnote => format!("[^{label}]: "),
        NoteKind::Comment if label.is_empty() => String::from("[comment] "),
        NoteKind::Comment => format!("[comment {label}] "),
        NoteKind::PageHeader => String::from("[header] "),
        NoteKind::PageFooter => String::from("[footer] "),
        NoteKind::Speaker => String::from("[notes] "),
    }
}

/// The text of a line with its marks: in Markdown as Markdown has them, else only those that change what is said.
fn inline<'d>(listing: &Listing<'d>, line_idx: usize, block: &'d Block, style: Style) -> Cow<'d, str> {
    let Some(range) = listing.text_range(line_idx) else { return listing.plain(line_idx) };
    let text = &block.text[range.clone()];
    let shown = |mark: &&Mark| {
        let changes_meaning = matches!(mark.kind, MarkKind::Inserted | MarkKind::Deleted);
        (style == Style::Markdown || changes_meaning)
            && mark.range.start < range.end
            && mark.range.end > range.start
            && mark.range.start < mark.range.end
    };
    let mut marks: Vec<&Mark> = block.marks.iter().filter(shown).collect();
    if marks.is_empty() {
        return literal(text, style);
    }
    marks.sort_by_key(|mark| (mark.range.start, std::cmp::Reverse(mark.range.end)));
    let mut out = String::with_capacity(text.len() + 8 * marks.len());
    let mut open: Vec<(usize, &MarkKind)> = Vec::new();
    let mut written = range.start;
    for mark in marks {
        let Some((start, end)) =
            trimmed(&block.text, mark.range.start.max(range.start)..mark.range.end.min(range.end))
        else {
            continue;
        };
        if start < written {
            continue;
        }
        while let Some(&(close_at, kind)) = open.last().filter(|(close_at, _)| *close_at <= start) {
            out.push_str(&literal(&block.text[written..close_at], style));
            written = close_at;
            close(kind, &mut out);
            open.pop();
        }
        let end = open.last().map_or(end, |&(outer_end, _)| end.min(outer_end));
        out.push_str(&literal(&block.text[written..start], style));
        written = start;
        out.push_str(opening(&mark.kind));
        open.push((end, &mark.kind));
    }
    while let Some((close_at, kind)) = open.pop() {
        out.push_str(&literal(&block.text[written..close_at], style));
        written = close_at;
        close(kind, &mut out);
    }
    out.push_str(&literal(&block.text[written..range.end], style));
    Cow::Owned(out)
}

/// Text as it is. In Markdown an angle bracket that would begin a tag, and so vanish, is written as a reference.
fn literal(text: &str, style: Style) -> Cow<'_, str> {
    let begins_tag = |at: usize| {
        text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
    };
    if style == Style::Text || !text.match_indices('<').any(|(at, _)| begins_tag(at)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        match c {
            '<' if begins_tag(at) => out.push_str("&lt;"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The range without blanks at its ends, since Markdown's marks must touch the text; `None` if nothing is left or the
/// range does not lie at character borders.
fn trimmed(text: &str, range: Range<usize>) -> Option<(usize, usize)> {
    let marked = text.get(range.clone())?;
    let start = range.start + (marked.len() - marked.trim_start().len());
    let end = range.start + marked.trim_end().len();
    (start < end).then_some((start, end))
}

fn opening(kind: &MarkKind) -> &'static str {
    match kind {
        MarkKind::Strong => "**",
        MarkKind::Emphasis => "*",
        MarkKind::Code => "`",
        MarkKind::Strike => "~~",
        MarkKind::Superscript => "<sup>",
        MarkKind::Subscript => "<sub>",
        MarkKind::Link(_) => "[",
        MarkKind::Inserted => "{++",
        MarkKind::Deleted => "{--",
    }
}

fn close(kind: &MarkKind, out: &mut String) {
    match kind {
        MarkKind::Superscript => out.push_str("</sup>"),
        MarkKind::Subscript => out.push_str("</sub>"),
        MarkKind::Link(target) => {
            out.push_str("](");
            out.push_str(&target.replace([' ', '\n'], "%20").replace('(', "%28").replace(')', "%29"));
            out.push(')');
        }
        MarkKind::Inserted => out.push_str("++}"),
        MarkKind::Deleted => out.push_str("--}"),
        MarkKind::Strong | MarkKind::Emphasis | MarkKind::Code | MarkKind::Strike => {
            out.push_str(opening(kind))
        }
    }
}

/// Keeps running text from being taken for a heading, list, quotation or table.
fn escape_line_start(text: Cow<'_, str>) -> Cow<'_, str> {
    let rest = text.trim_start();
    let indent = text.len() - rest.len();
    let first_word = rest.split([' ', '\t']).next().unwrap_or_default();
    let is_number = first_word.len() > 1
        && first_word.ends_with(['.', ')'])
        && first_word[..first_word.len() - 1].bytes().all(|b| b.is_ascii_digit());
    if is_number {
        let at = indent + first_word.len() - 1;
        return Cow::Owned(format!("{}\\{}", &text[..at], &text[at..]));
    }
    let taken = matches!(first_word, "-" | "+" | "*")
        || (!first_word.is_empty() && first_word.len() <= 6 && first_word.bytes().all(|b| b == b'#'))
        || rest.starts_with(['>', '|'])
        || rest.starts_with("```")
        || rest.starts_with("---");
    match taken {
        true => Cow::Owned(format!("{}\\{rest}", &text[..indent])),
        false => text,
    }
}
