use std::ops::Range;

use crate::profile::TableProfile;

/// Chosen lines of a Listing, in order. Wherever lines were left out there is a [`Gap`].
#[derive(Clone, Debug, PartialEq, Default)]
pub struct View {
    /// The lines shown, in order, each at most once. Neighbours shown for the same reason make one run, so that a
    /// whole file costs no more than one line of it.
    pub runs: Vec<Run>,
    /// How many lines the Listing has.
    pub n_lines: usize,
    /// Whether lines left out before the first and after the last shown one are marked as gaps. A sample speaks of
    /// the whole and does; a range that was asked for does not.
    pub marks_ends: bool,
    /// Whether the place of the first line shown is marked where lines left out before it are not: hits of a filter
    /// stand anywhere.
    pub marks_first_place: bool,
    /// Why the lines asked for are not all here.
    pub cut: Option<Cut>,
    /// How many headings the Listing has that are not shown.
    pub n_headings_left_out: usize,
    /// How many tables with a header the Listing has of which nothing is shown.
    pub n_tables_left_out: usize,
    /// What the columns hold of tables that are shown in part, in the order of the tables.
    pub profiles: Vec<TableProfile>,
    /// What a filter found, whether or not there was room to show it.
    pub found: Option<Found>,
}

/// What a filter found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// How many lines are hits.
    pub n_hits: usize,
    /// How many lines were searched.
    pub n_searched: usize,
}

/// Lines of a View that follow one another in the Listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Their indexes from 0; never empty.
    pub lines: Range<usize>,
    /// How much of them is shown. Only a run of a single line is shown in pieces.
    pub shown: Shown,
    /// Why they are shown.
    pub claim: Claim,
}

/// How much of a line is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All of it.
    Whole,
    /// Pieces of it, in order, with something left out between, before or after them.
    Pieces {
        /// The pieces; they neither touch nor overlap.
        pieces: Vec<Piece>,
        /// How many characters the whole line has as written out.
        n_chars: usize,
    },
}

/// A piece of a long line as written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Which bytes.
    pub bytes: Range<usize>,
    /// Which characters.
    pub chars: Range<usize>,
}

/// Why a line is shown, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Claim {
    /// It was asked for: a range, a hit of a filter, or the whole.
    Asked,
    /// The first or last line.
    Edge,
    /// A heading or a table's header.
    Structure,
    /// It answers the query, or stands beside what does.
    Query,
    /// It stands for its part of the document.
    Coverage,
}

impl Claim {
    /// The claim's name: one word, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Claim::Asked => "asked",
            Claim::Edge => "edge",
            Claim::Structure => "structure",
            Claim::Query => "query",
            Claim::Coverage => "coverage",
        }
    }
}

/// Lines that were left out: never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Their indexes from 0.
    pub lines: Range<usize>,
}

/// Why the lines that were asked for are not all shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Which ceiling it was.
    pub reason: CutReason,
    /// The lines asked for that are still to come, by index from 0. Empty where only the last line shown was cut.
    pub rest: Range<usize>,
}

/// Which ceiling ended a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CutReason {
    /// The number of lines.
    LineLimit,
    /// The number of bytes.
    ByteLimit,
    /// Both at once.
    LineAndByteLimit,
    /// The budget of the call.
    Budget,
}

impl CutReason {
    /// The reason's name.
    pub fn name(self) -> &'static str {
        match self {
            CutReason::LineLimit => "line_limit",
            CutReason::ByteLimit => "byte_limit",
            CutReason::LineAndByteLimit => "line_and_byte_limit",
            CutReason::Budget => "budget",
        }
    }
}

impl View {
    /// Every line of a Listing with `n_lines` lines.
    pub fn whole(n_lines: usize) -> View {
        let mut view = View { n_lines, marks_ends: true, ..View::default() };
        if n_lines > 0 {
            view.runs.push(Run { lines: 0..n_lines, shown: Shown::Whole, claim: Claim::Asked });
        }
        view
    }

    /// Adds a line after those that are there.
    pub fn push(&mut self, line_idx: usize, shown: Shown, claim: Claim) {
        match self.runs.last_mut() {
            Some(run)
                if run.lines.end == line_idx
                    && run.claim == claim
                    && run.shown == Shown::Whole
                    && shown == Shown::Whole =>
            {
                run.lines.end += 1;
            }
            _ => self.runs.push(Run { lines: line_idx..line_idx + 1, shown, claim }),
        }
    }

    /// Whether nothing at all was left out.
    pub fn is_whole(&self) -> bool {
        self.n_shown() == self.n_lines && self.runs.iter().all(|run| run.shown == Shown::Whole)
    }

    /// How many lines are shown, whole or in part.
    pub fn n_shown(&self) -> usize {
        self.runs.iter().map(|run| run.lines.len()).sum()
    }

    /// The gaps between the lines shown, and before and after them, in order. With the lines they are the Listing.
    pub fn gaps(&self) -> Vec<Gap> {
        let mut gaps = Vec::new();
        let mut next = 0;
        for run in &self.runs {
            if run.lines.start > next {
                gaps.push(Gap { lines: next..run.lines.start });
            }
            next = run.lines.end;
        }
        if next < self.n_lines {
            gaps.push(Gap { lines: next..self.n_lines });
        }
        gaps
    }
}
