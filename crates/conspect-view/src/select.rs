use std::fmt;
use std::ops::{ControlFlow, Range};

use conspect_model::{LineRange, Origin};

use crate::filter::{Filter, HitUnit};
use crate::kept::{CUT_MARK_CHARS, cut_around};
use crate::listing::Listing;
use crate::render::{RenderOptions, visit_printed};
use crate::view::{Claim, Cut, CutReason, Found, Shown, View};

/// Which lines are asked for: a choice of lines, and of those the ones that a filter keeps.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The lines among which the filter looks.
    pub lines: LineChoice,
    /// What a line must hold.
    pub filter: Option<Filter>,
}

/// A choice of lines by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LineChoice {
    /// All of them.
    #[default]
    All,
    /// The first so many.
    Head(usize),
    /// The last so many.
    Tail(usize),
    /// These ranges, in any order. A range without an end goes to the last line.
    Ranges(Vec<(LineRange, bool)>),
}

impl LineChoice {
    /// Reads `120-180`, `120-`, `-50` (the last 50), `120+20` (20 lines from 120), `7`, and lists of them with commas.
    pub fn parse(text: &str) -> Option<LineChoice> {
        let number = |text: &str| text.trim().parse::<u64>().ok().and_then(conspect_model::LineNumber::new);
        let text = text.trim();
        if let Some(n_lines) = text.strip_prefix('-') {
            return number(n_lines).map(|n_lines| LineChoice::Tail(n_lines.get() as usize));
        }
        let mut ranges = Vec::new();
        for part in text.split(',') {
            let part = part.trim();
            let range = if let Some((first, n_lines)) = part.split_once('+') {
                let (first, n_lines) = (number(first)?, number(n_lines)?);
                let last = conspect_model::LineNumber::new(first.get().saturating_add(n_lines.get() - 1))?;
                (LineRange { first, last }, false)
            } else if let Some((first, last)) = part.split_once('-') {
                let first = number(first)?;
                match last.trim() {
                    "" => (LineRange { first, last: first }, true),
                    last => (LineRange { first, last: number(last).filter(|last| *last >= first)? }, false),
                }
            } else {
                let line = number(part)?;
                (LineRange { first: line, last: line }, false)
            };
            ranges.push(range);
        }
        Some(LineChoice::Ranges(ranges))
    }

    #[expect(clippy::single_range_in_vec_init, reason = "a list of ranges that may hold one")]
    /// The lines in a Listing of `n_lines` lines: ascending ranges of indexes that neither touch nor overlap.
    fn resolve(&self, n_lines: usize) -> Result<Vec<Range<usize>>, SelectError> {
        let mut ranges: Vec<Range<usize>> = match self {
            LineChoice::All => vec![0..n_lines],
            LineChoice::Head(n) => vec![0..n_lines.min(*n)],
            LineChoice::Tail(n) => vec![n_lines.saturating_sub(*n)..n_lines],
            LineChoice::Ranges(ranges) => {
                let mut resolved = Vec::new();
                for (range, is_open) in ranges {
                    let range = range.idx();
                    if range.start >= n_lines && n_lines > 0 {
                        return Err(SelectError::PastEnd { start: range.start + 1, n_lines });
                    }
                    resolved.push(range.start..if *is_open { n_lines } else { range.end.min(n_lines) });
                }
                resolved
            }
        };
        ranges.retain(|range| !range.is_empty());
        ranges.sort_by_key(|range| range.start);
        Ok(merged(ranges))
    }
}

/// Ceilings for lines that were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// How many lines at most.
    pub max_lines: usize,
    /// How many bytes of UTF-8 at most, as written out.
    pub max_bytes: usize,
    /// How many characters at most, as written out.
    pub max_chars: usize,
    /// How many characters of one line at most; the rest is marked.
    pub max_line_chars: usize,
    /// The character of each line to begin at, from 0, so that a line longer than the cap can be paged through.
    pub first_char: usize,
}

impl Caps {
    /// No ceilings.
    pub const NONE: Caps = Caps {
        max_lines: usize::MAX,
        max_bytes: usize::MAX,
        max_chars: usize::MAX,
        max_line_chars: usize::MAX,
        first_char: 0,
    };
}

/// Why a Selection cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectError {
    /// It begins past the last line.
    PastEnd {
        /// The line asked for, from 1.
        start: usize,
        /// How many there are.
        n_lines: usize,
    },
    /// No line is a hit.
    NoHit {
        /// The filter in words.
        filter: String,
        /// How many lines were searched.
        n_lines: usize,
    },
    /// The character to begin at lies past the end of the line.
    PastLineEnd {
        /// The character asked for, from 1.
        column: usize,
        /// How many the longest line asked for has.
        n_chars: usize,
    },
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelectError::PastEnd { start, n_lines } => {
                write!(f, "line {start} is past the end: there are {n_lines} lines")
            }
            SelectError::NoHit { filter, n_lines } => {
                write!(f, "no line matches {filter} ({n_lines} lines searched)")
            }
            SelectError::PastLineEnd { column, n_chars } => {
                write!(f, "column {column} is past the end of the line: it has {n_chars} characters")
            }
        }
    }
}

impl std::error::Error for SelectError {}

/// Chooses the lines that were asked for, up to the caps.
///
/// The first line is always there, cut if need be. Where a cap ends the selection, the View says which and where the
/// next call begins.
pub fn select(
    listing: &Listing<'_>,
    selection: &Selection,
    caps: &Caps,
    options: &RenderOptions,
) -> Result<View, SelectError> {
    let n_lines = listing.n_lines();
    let mut ranges = selection.lines.resolve(n_lines)?;
    let mut found = None;
    if let Some(filter) = &selection.filter {
        let n_searched = ranges.iter().map(Range::len).sum();
        let hits = hits(listing, filter, &ranges);
        if hits.is_empty() {
            return Err(SelectError::NoHit { filter: filter.describe().to_owned(), n_lines: n_searched });
        }
        found = Some(Found { n_hits: hits.len(), n_searched });
        ranges = with_surroundings(listing, filter, &ranges, hits);
    }
    let marks_ends = selection.lines == LineChoice::All && selection.filter.is_none();
    let marks_first_place = selection.filter.is_some();
    let mut view = View { n_lines, marks_ends, found, marks_first_place, ..View::default() };
    let mut taken = Taken::default();
    let mut longest = 0;
    let end = ranges.last().map_or(0, |range| range.end);
    for range in &ranges {
        visit_printed(listing, range.clone(), options.style, &mut |line_idx, text| {
            let mut shown = Shown::Whole;
            // A table's header leaves room for the row that it stands above.
            let is_header = found.is_some()
                && listing.table_at(line_idx).is_some_and(|table| table.header.contains(&line_idx));
            let max_line_chars = match is_header {
                true => caps.max_line_chars.min((caps.max_chars.min(caps.max_bytes / 4) / 3).max(1)),
                false => caps.max_line_chars,
            };
            if caps.first_char > 0 || text.len() > max_line_chars {
                let n_chars = text.chars().count();
                longest = longest.max(n_chars);
                let around = selection.filter.as_ref().and_then(|filter| filter.find(text));
                match cut_around(text, n_chars, caps.first_char, around, max_line_chars) {
                    Some(cut) => shown = cut,
                    None => return ControlFlow::Continue(()),
                }
            }
            let (bytes, chars) = size_of(&shown, text);
            if let Some(reason) = taken.cut_by(bytes, chars, caps) {
                view.marks_ends = false;
                view.cut = Some(Cut { reason, rest: line_idx..end });
                if view.runs.is_empty() {
                    let fitting = caps.max_chars.min(caps.max_bytes / 4).min(caps.max_line_chars);
                    let fitting = fitting.saturating_sub(CUT_MARK_CHARS).max(1);
                    let around = selection.filter.as_ref().and_then(|filter| filter.find(text));
                    if let Some(piece) =
                        cut_around(text, text.chars().count(), caps.first_char, around, fitting)
                    {
                        view.push(line_idx, piece, Claim::Asked);
                        view.cut = Some(Cut { reason, rest: line_idx + 1..end });
                    }
                }
                return ControlFlow::Break(());
            }
            taken.add(bytes, chars);
            view.push(line_idx, shown, Claim::Asked);
            ControlFlow::Continue(())
        });
        if view.cut.is_some() {
            break;
        }
    }
    if view.runs.is_empty() && caps.first_char > 0 && !ranges.is_empty() {
        return Err(SelectError::PastLineEnd { column: caps.first_char + 1, n_chars: longest });
    }
    Ok(view)
}

/// What the lines chosen so far take.
#[derive(Default)]
struct Taken {
    n_lines: usize,
    n_bytes: usize,
    n_chars: usize,
}

impl Taken {
    /// Which cap one more line of this size would break.
    fn cut_by(&self, bytes: usize, chars: usize, caps: &Caps) -> Option<CutReason> {
        let lines = self.n_lines >= caps.max_lines;
        let bytes = self.n_bytes.saturating_add(bytes) > caps.max_bytes;
        if self.n_chars.saturating_add(chars) > caps.max_chars {
            return Some(CutReason::Budget);
        }
        match (lines, bytes) {
            (true, true) => Some(CutReason::LineAndByteLimit),
            (true, false) => Some(CutReason::LineLimit),
            (false, true) => Some(CutReason::ByteLimit),
            (false, false) => None,
        }
    }

    fn add(&mut self, bytes: usize, chars: usize) {
        self.n_lines += 1;
        self.n_bytes += bytes;
        self.n_chars += chars;
    }
}

/// The bytes and characters that a line takes, its line feed included.
fn size_of(shown: &Shown, text: &str) -> (usize, usize) {
    match shown {
        Shown::Whole => (text.len() + 1, text.chars().count() + 1),
        Shown::Pieces { pieces, .. } => {
            let bytes: usize = pieces.iter().map(|piece| piece.bytes.len()).sum();
            let chars: usize = pieces.iter().map(|piece| piece.chars.len()).sum();
            (bytes + 1, chars + 1)
        }
    }
}

/// The lines that a filter keeps.
fn hits(listing: &Listing<'_>, filter: &Filter, among: &[Range<usize>]) -> Vec<usize> {
    let mut hits = Vec::new();
    for range in among {
        listing.visit(range.clone(), &mut |line_idx, text| {
            if filter.matches(text) {
                hits.push(line_idx);
            }
            ControlFlow::Continue(())
        });
    }
    hits
}

/// The hits of a filter with what each brings along.
fn with_surroundings(
    listing: &Listing<'_>,
    filter: &Filter,
    among: &[Range<usize>],
    hits: Vec<usize>,
) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for line_idx in hits {
        match filter.unit {
            HitUnit::Line => {
                // Without its header a row says little.
                ranges.extend(listing.table_at(line_idx).map(|table| table.header.clone()));
                let around =
                    line_idx.saturating_sub(filter.context_lines)..line_idx + 1 + filter.context_lines;
                let own = among.iter().find(|range| range.contains(&line_idx)).cloned().unwrap_or(0..0);
                ranges.push(around.start.max(own.start)..around.end.min(own.end));
            }
            HitUnit::Section => ranges.push(listing.section(line_idx)),
            HitUnit::Page => ranges.push(lines_of_the_same(listing, line_idx, page)),
            HitUnit::Cell if notebook_cell(listing, line_idx).is_some() => {
                ranges.push(lines_of_the_same(listing, line_idx, notebook_cell));
            }
            HitUnit::Row | HitUnit::Cell => {
                if let Some(table) = listing.table_at(line_idx) {
                    ranges.push(table.header.clone());
                }
                ranges.push(line_idx..line_idx + 1);
            }
        }
    }
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| (range.start, range.end));
    merged(ranges)
}

/// The lines around this one that are part of the same page, or of something else that has a number; the section, where
/// the number is not known.
fn lines_of_the_same(
    listing: &Listing<'_>,
    line_idx: usize,
    number: fn(&Listing<'_>, usize) -> Option<u32>,
) -> Range<usize> {
    let own = number(listing, line_idx);
    if own.is_none() {
        return listing.section(line_idx);
    }
    let mut range = line_idx..line_idx + 1;
    while range.start > 0 && number(listing, range.start - 1) == own {
        range.start -= 1;
    }
    while range.end < listing.n_lines() && number(listing, range.end) == own {
        range.end += 1;
    }
    range
}

/// The number of the page or slide that a line stands on.
fn page(listing: &Listing<'_>, line_idx: usize) -> Option<u32> {
    match listing.origin(line_idx) {
        Origin::Slide(slide) => Some(slide.get()),
        origin => origin.page().map(|page| page.get()),
    }
}

fn notebook_cell(listing: &Listing<'_>, line_idx: usize) -> Option<u32> {
    match listing.origin(line_idx) {
        Origin::NotebookCell(cell) => Some(cell),
        _ => None,
    }
}

/// Joins sorted ranges that touch or overlap.
fn merged(ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
