use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use crate::cells::{columns_of, each_cell, printed_with_ends};
use crate::kept::{Addition, Kept, piece_from};
use crate::listing::{HeadingLine, Listing, TableSpan};
use crate::narrow::Narrow;
use crate::passage::{LONG_ROW_CHARS, Passage, Scan, scan};
use crate::profile::profile;
use crate::query::Query;
use crate::render::{RenderOptions, printed, rendered_chars};
use crate::view::{Claim, Shown, View};

/// What a sample may hold and what it should answer.
#[derive(Clone, Debug)]
pub struct SampleOptions<'q> {
    /// Characters that the rendered View may take, everything counted.
    pub budget: usize,
    /// What the reader wants to know, if that is known.
    pub query: Option<&'q Query>,
    /// The share of the budget that lines may claim only because they answer the query.
    pub query_share: f64,
    /// Characters that one line may take before it is cut.
    pub line_cap: usize,
    /// How the View will be rendered: what is counted depends on it.
    pub render: RenderOptions,
}

impl<'q> SampleOptions<'q> {
    /// The defaults for a budget in characters.
    pub fn new(budget: usize) -> SampleOptions<'q> {
        SampleOptions {
            budget,
            query: None,
            query_share: 0.4,
            line_cap: 2_000,
            render: RenderOptions::default(),
        }
    }
}

/// The share of the budget that headings and table headers may take.
const STRUCTURE_SHARE: f64 = 0.35;
/// The same where the query hits something.
const STRUCTURE_SHARE_BESIDE_QUERY: f64 = 0.15;

/// The share of the budget that profiles of tables may take.
const PROFILE_SHARE: f64 = 0.12;
/// The same where the query hits something.
const PROFILE_SHARE_BESIDE_QUERY: f64 = 0.06;
/// A profile that may take less than this says too little.
const SMALLEST_PROFILE_CHARS: usize = 150;
/// Tables with fewer rows than this speak for themselves.
const MIN_PROFILED_ROWS: usize = 30;
/// Of how many hits in a wide table the columns are looked at.
const N_HITS_SEEN: usize = 12;

/// Chooses the part of a Listing that matters, within an exact budget.
///
/// Claims are served in this order: the first and last line that is not blank; headings and table headers, up to a
/// share; passages that answer the query, with their headings and table header, up to a share; and windows spread
/// evenly over the rest, which lean towards the query. What is left over makes the windows grow. If everything fits,
/// everything is shown.
pub fn sample(listing: &Listing<'_>, options: &SampleOptions<'_>) -> View {
    if let Some(whole) = whole(listing, options) {
        return whole;
    }
    let passage_chars = passage_chars(options.budget);
    let scan = scan(listing, options.query, options.render.style, passage_chars);
    let mut sampler = Sampler {
        listing,
        options,
        scan: &scan,
        kept: Kept::new(listing, &options.render, part(options.budget, options.query_share)),
        passage_chars,
        ranked: ranked(&scan.hits),
        narrow: HashMap::new(),
    };
    sampler.narrow_tables();
    sampler.keep_edges();
    sampler.keep_structure();
    sampler.keep_profiles();
    sampler.keep_answers();
    sampler.keep_windows();
    sampler.grow();
    sampler.kept.into_view()
}

/// The View of everything, if it fits.
fn whole(listing: &Listing<'_>, options: &SampleOptions<'_>) -> Option<View> {
    let surely_too_long = listing.n_lines() > options.budget
        || (listing.is_source() && listing.n_chars() + listing.n_lines() > options.budget);
    if surely_too_long {
        return None;
    }
    let view = View::whole(listing.n_lines());
    (rendered_chars(listing, &view, &options.render) <= options.budget).then_some(view)
}

/// About how long a passage is: short where the budget is, so that several fit. Longer ones find less at every budget,
/// since what a hit needs around it has a worth of its own.
pub(crate) fn passage_chars(budget: usize) -> usize {
    (budget / 8).clamp(60, 240)
}

/// Indexes of hits, the most worth first.
pub(crate) fn ranked(hits: &[Passage]) -> Vec<usize> {
    let mut ranked: Vec<usize> = (0..hits.len()).collect();
    ranked.sort_by(|&a, &b| hits[b].worth.total_cmp(&hits[a].worth).then(a.cmp(&b)));
    ranked
}

struct Sampler<'s, 'd> {
    listing: &'s Listing<'d>,
    options: &'s SampleOptions<'s>,
    scan: &'s Scan,
    kept: Kept<'s, 'd>,
    passage_chars: usize,
    ranked: Vec<usize>,
    /// Wide tables by their first line.
    narrow: HashMap<usize, Narrow>,
}

/// A claim that has failed this often in a row is given up: there is hardly any room left.
const MAX_FAILURES: usize = 40;

impl Sampler<'_, '_> {
    /// Claim 1: the first and the last line that is not blank, each cut to an eighth of the budget.
    fn keep_edges(&mut self) {
        let budget = self.options.budget;
        let most = (budget / 8).clamp(40, self.options.line_cap.max(40));
        for line_idx in [self.scan.first_line, self.scan.last_line].into_iter().flatten() {
            let mut with_header = self.header_of(line_idx);
            with_header.extend(self.line(line_idx, most));
            if self.kept.add(&with_header, Claim::Edge, budget / 2) {
                continue;
            }
            let mut n_chars = most;
            while !self.kept.add(&[self.beginning(line_idx, n_chars)], Claim::Edge, budget) && n_chars > 1 {
                n_chars /= 2;
            }
        }
    }

    /// Chooses columns of tables that are too wide for the budget.
    fn narrow_tables(&mut self) {
        let budget = self.options.budget;
        let style = self.options.render.style;
        let line_cap = self.options.line_cap.min(LONG_ROW_CHARS - 1);
        let (max_chars, row_chars) =
            ((budget / 6).clamp(120, line_cap.max(120)), (budget / 10).clamp(60, 1_000));
        for table in self.listing.tables() {
            let wanted = || self.columns_asked_for(table);
            if let Some(narrow) =
                Narrow::choose(self.listing, table, style, max_chars, line_cap, row_chars, &wanted)
            {
                self.narrow.insert(table.header.start, narrow);
            }
        }
    }

    /// The columns of a table that have to do with the query: those it names, then those of its best hits.
    fn columns_asked_for(&self, table: &TableSpan) -> Vec<usize> {
        let style = self.options.render.style;
        let mut columns: Vec<usize> =
            table.header.clone().flat_map(|line_idx| self.cells_asked_for(line_idx)).collect();
        let hits = self.ranked.iter().map(|&hit| &self.scan.hits[hit]);
        for hit in hits.filter(|hit| table.rows.contains(&hit.lines.start)).take(N_HITS_SEEN) {
            let line_idx = hit.lines.start;
            match &hit.piece {
                Some(piece) => {
                    let (_, ends) = printed_with_ends(self.listing, line_idx, style);
                    columns.extend(columns_of(&ends, &piece.bytes));
                }
                None => columns.extend(self.cells_asked_for(line_idx)),
            }
        }
        columns
    }

    /// The columns of a row whose cells hold a term of the query.
    fn cells_asked_for(&self, line_idx: usize) -> Vec<usize> {
        let mut columns = Vec::new();
        each_cell(self.listing, line_idx, &mut |column_idx, cell| {
            if self.scan.is_asked_for(cell) {
                columns.push(column_idx);
            }
        });
        columns
    }

    /// The choice of columns for the table that a line belongs to.
    fn narrow_at(&self, line_idx: usize) -> Option<&Narrow> {
        if self.narrow.is_empty() {
            return None;
        }
        self.narrow.get(&self.listing.table_at(line_idx)?.header.start)
    }

    /// A line, or its beginning where it is longer than `max_chars`; of a wide table's row, the chosen columns.
    fn line(&self, line_idx: usize, max_chars: usize) -> Vec<Addition> {
        if let Some(narrow) = self.narrow_at(line_idx) {
            let (text, ends) = printed_with_ends(self.listing, line_idx, self.options.render.style);
            let pieces = narrow.pieces(&text, &ends, narrow.columns());
            if !pieces.is_empty() {
                let line_chars = text.chars().count();
                return pieces
                    .into_iter()
                    .map(|piece| Addition::Piece { line_idx, piece, line_chars })
                    .collect();
            }
        }
        vec![self.beginning(line_idx, max_chars)]
    }

    /// A line, or its beginning where it is longer than `max_chars`.
    fn beginning(&self, line_idx: usize, max_chars: usize) -> Addition {
        let text = printed(self.listing, line_idx, self.options.render.style);
        // Bytes first: counting the characters of a very long line takes time.
        if text.len() <= max_chars {
            return Addition::Line(line_idx);
        }
        let line_chars = text.chars().count();
        if line_chars <= max_chars {
            return Addition::Line(line_idx);
        }
        Addition::Piece { line_idx, piece: piece_from(&text, 0, max_chars), line_chars }
    }

    /// Claim 2: headings by level, evenly within a level, and table headers.
    fn keep_structure(&mut self) {
        let share = match self.ranked.is_empty() {
            true => STRUCTURE_SHARE,
            false => STRUCTURE_SHARE_BESIDE_QUERY,
        };
        let limit = self.limit(share);
        let mut levels: Vec<(u8, Vec<usize>)> = Vec::new();
        let mut claim =
            |level: u8, line_idx: usize| match levels.iter_mut().find(|(known, _)| *known == level) {
                Some((_, lines)) => lines.push(line_idx),
                None => levels.push((level, vec![line_idx])),
            };
        // Doubled, so that table headers stand between the second and the third level.
        for HeadingLine { line_idx, level } in self.listing.headings() {
            claim(level.saturating_mul(2), *line_idx);
        }
        for table in self.listing.tables() {
            if !table.header.is_empty() {
                claim(5, table.header.start);
            }
        }
        levels.sort_by_key(|(level, _)| *level);
        for (_, lines) in levels {
            let mut failures = 0;
            let mut all = true;
            for place in evenly(lines.len()) {
                let line_idx = lines[place];
                let fits = match self.listing.table_at(line_idx) {
                    Some(table) => {
                        let header = self.header(table.header.clone());
                        self.kept.add(&header, Claim::Structure, limit)
                    }
                    None => {
                        let heading = self.line(line_idx, self.options.line_cap.min(200));
                        self.kept.add(&heading, Claim::Structure, limit)
                    }
                };
                failures = if fits { 0 } else { failures + 1 };
                all &= fits;
                if failures > MAX_FAILURES.min(lines.len() / 4) {
                    break;
                }
            }
            // A level that did not fit whole leaves nothing for the next one.
            if !all {
                break;
            }
        }
    }

    /// Part of claim 2: what the columns of long tables hold, the longest tables first.
    fn keep_profiles(&mut self) {
        let share = match self.ranked.is_empty() {
            true => PROFILE_SHARE,
            false => PROFILE_SHARE_BESIDE_QUERY,
        };
        let mut left = part(self.options.budget, share);
        let mut tables: Vec<&TableSpan> =
            self.listing.tables().iter().filter(|table| table.rows.len() >= MIN_PROFILED_ROWS).collect();
        tables.sort_by_key(|table| (Reverse(table.rows.len()), table.header.start));
        for table in tables {
            if left < SMALLEST_PROFILE_CHARS || !self.kept.has_line(table.header.start) {
                return;
            }
            let mut profile = profile(self.listing, table);
            let narrow = self.narrow.get(&table.header.start);
            profile.shorten(left, narrow.map_or(&[], Narrow::columns));
            let used = self.kept.used();
            self.kept.add_profile(profile, used + left);
            left -= (self.kept.used() - used).min(left);
        }
    }

    /// Claim 3: the passages that answer the query best.
    fn keep_answers(&mut self) {
        let limit = self.limit(self.options.query_share);
        self.keep_ranked(Claim::Query, limit);
    }

    /// Keeps ranked hits while they fit.
    fn keep_ranked(&mut self, claim: Claim, limit: usize) {
        let mut failures = 0;
        for place in 0..self.ranked.len() {
            let hit = self.ranked[place];
            failures = if self.keep_hit(hit, claim, limit) { 0 } else { failures + 1 };
            if failures > MAX_FAILURES {
                break;
            }
        }
    }

    /// Keeps a hit with the headings above it and its table's header; without them if there is no room for both.
    fn keep_hit(&mut self, hit: usize, claim: Claim, limit: usize) -> bool {
        let passage = &self.scan.hits[hit];
        let beside = passage.lines.start.saturating_sub(1)..passage.lines.end + 1;
        if !passage.holds_terms() && !self.kept.any_in(beside) {
            return false;
        }
        let Some(own) = self.additions(passage) else { return false };
        if own.iter().all(|addition| self.kept.holds(addition)) {
            return true;
        }
        let header = self.header_of(passage.lines.start);
        let owners = self.listing.owners(passage.lines.start);
        let nearest = owners.iter().rev().take(1);
        let nearest: Vec<Addition> = nearest.flat_map(|heading| self.line(heading.line_idx, 200)).collect();
        let with_header = [header.as_slice(), own.as_slice()].concat();
        let with_all = [nearest.as_slice(), with_header.as_slice()].concat();
        self.kept.add(&with_all, claim, limit) || self.kept.add(&with_header, claim, limit)
    }

    /// What a hit adds; nothing where it is a piece in columns that are not shown.
    fn additions(&self, passage: &Passage) -> Option<Vec<Addition>> {
        let Some(piece) = &passage.piece else {
            let lines = passage.lines.clone();
            return Some(lines.flat_map(|line_idx| self.line(line_idx, self.options.line_cap)).collect());
        };
        let line_idx = passage.lines.start;
        let own = Addition::Piece { line_idx, piece: piece.clone(), line_chars: passage.line_chars };
        let Some(narrow) = self.narrow_at(line_idx) else { return Some(vec![own]) };
        let style = self.options.render.style;
        let (_, ends) = printed_with_ends(self.listing, line_idx, style);
        if !narrow.shows(&ends, &piece.bytes) {
            return None;
        }
        let mut additions = self.line(line_idx, self.options.line_cap);
        additions.push(own);
        Some(additions)
    }

    /// Claim 4: a window in every stratum of the text. With a query it is the stratum's best hit, strata are few, and
    /// what is left goes to the best hits anywhere.
    fn keep_windows(&mut self) {
        let budget = self.options.budget;
        let left = budget.saturating_sub(self.kept.used());
        if self.ranked.is_empty() {
            let window = (budget / 16).clamp(60, self.passage_chars);
            let n_strata = (left / (window + MARKER_CHARS)).clamp(1, 400);
            for stratum in self.strata(n_strata, evenly(n_strata)) {
                self.keep_blind(&stratum, window);
            }
            return;
        }
        let n_strata = (left / (4 * self.passage_chars)).clamp(1, 16);
        for stratum in self.strata(n_strata, (0..n_strata).collect()) {
            let hits = self.hits_in(&stratum);
            let kept_one = hits.clone().any(|hit| self.kept.any_in(self.scan.hits[hit].lines.clone()));
            if kept_one {
                continue;
            }
            let best =
                hits.reduce(|a, b| if self.scan.hits[b].worth > self.scan.hits[a].worth { b } else { a });
            let fits = best.is_some_and(|hit| self.keep_hit(hit, Claim::Coverage, budget));
            if !fits {
                self.keep_blind(&stratum, self.passage_chars / 4);
            }
        }
        self.keep_ranked(Claim::Coverage, budget);
    }

    /// The character ranges of even strata, in the order of `order`.
    fn strata(&self, n_strata: usize, order: Vec<usize>) -> Vec<Range<usize>> {
        let n_chars = self.scan.n_chars;
        // Divided last and in 128 bits, so that no remainder gathers at the end and nothing overflows.
        let border = |n: usize| (n_chars as u128 * n as u128 / n_strata as u128) as usize;
        order.into_iter().map(|n| border(n)..border(n + 1)).filter(|stratum| !stratum.is_empty()).collect()
    }

    fn hits_in(&self, stratum: &Range<usize>) -> Range<usize> {
        let hits = &self.scan.hits;
        hits.partition_point(|hit| hit.at < stratum.start)..hits.partition_point(|hit| hit.at < stratum.end)
    }

    /// Keeps about `window` characters from the middle of a stratum.
    fn keep_blind(&mut self, stratum: &Range<usize>, window: usize) {
        let budget = self.options.budget;
        let middle = stratum.start + stratum.len() / 2;
        let (mut line_idx, line_at) = self.scan.line_at(self.listing, self.options.render.style, middle);
        let text = printed(self.listing, line_idx, self.options.render.style);
        let line_chars = if text.len() > window { text.chars().count() } else { text.len() };
        if line_chars > window * 2 && self.listing.table_at(line_idx).is_none() {
            // A line as long as a stratum or longer: the piece of it that lies in the middle. Rows begin at their first
            // cell, so that it is plain which column is which.
            let first = middle.saturating_sub(line_at).saturating_sub(window / 2).min(line_chars - window);
            let piece = piece_from(&text, first, window);
            let addition = Addition::Piece { line_idx, piece, line_chars };
            self.kept.add(&[addition], Claim::Coverage, budget);
            return;
        }
        // Blank lines are no window.
        while line_idx + 1 < self.listing.n_lines()
            && printed(self.listing, line_idx, self.options.render.style).trim().is_empty()
        {
            line_idx += 1;
            if line_idx % 64 == 0 {
                break;
            }
        }
        if self.kept.has_line(line_idx) {
            return;
        }
        let mut additions = self.header_of(line_idx);
        let mut n_chars = 0;
        while n_chars < window && line_idx < self.listing.n_lines() {
            let text = printed(self.listing, line_idx, self.options.render.style);
            let length = text.len().min(self.options.line_cap);
            if n_chars > 0 && n_chars + length > window + window / 2 {
                break;
            }
            additions.extend(self.line(line_idx, self.options.line_cap.min(window * 2)));
            n_chars += length + 1;
            line_idx += 1;
        }
        while !self.kept.add(&additions, Claim::Coverage, budget) && additions.len() > 1 {
            additions.pop();
        }
    }

    /// The header of the table whose row the line is.
    fn header_of(&self, line_idx: usize) -> Vec<Addition> {
        let table = self.listing.table_at(line_idx).filter(|table| table.rows.contains(&line_idx));
        self.header(table.map_or(0..0, |table| table.header.clone()))
    }

    /// A table's header, cut where it would leave no room for rows.
    fn header(&self, lines: Range<usize>) -> Vec<Addition> {
        let cap = self.options.line_cap.min((self.options.budget * 2 / 5).max(80));
        lines.flat_map(|line_idx| self.line(line_idx, cap)).collect()
    }

    /// Uses what is left: gaps that cost less to print than to mark are printed, and windows grow evenly.
    fn grow(&mut self) {
        let budget = self.options.budget;
        self.close_cheap_gaps();
        let step = (self.passage_chars / 2).max(40);
        let mut ends: Vec<usize> = self.run_ends();
        while self.kept.used() + 8 < budget && !ends.is_empty() {
            let mut still = Vec::new();
            for end in ends {
                if let Some(end) = self.grow_after(end, step) {
                    still.push(end);
                }
            }
            ends = still;
        }
        self.close_cheap_gaps();
        self.fill_with_pieces();
        // What is left over only lines longer than the cap can use.
        let mut cut: Vec<usize> = self.kept.line_idxs().filter(|&line_idx| self.is_cut(line_idx)).collect();
        while (budget - self.kept.used().min(budget)) * 12 > budget && !cut.is_empty() {
            cut.retain(|&line_idx| {
                let longer = self.longer_piece(line_idx, step, usize::MAX);
                longer.is_some_and(|additions| self.kept.add(&additions, Claim::Coverage, budget))
            });
        }
        self.widen_tables();
    }

    /// Shows more columns of wide tables where there is nothing else left to show.
    fn widen_tables(&mut self) {
        let budget = self.options.budget;
        let style = self.options.render.style;
        for table in self.listing.tables() {
            let columns = self.narrow.get(&table.header.start).map(Narrow::left_out).unwrap_or_default();
            if !table.header.clone().all(|line_idx| self.kept.has_line(line_idx)) {
                continue;
            }
            for column_idx in columns {
                if (budget - self.kept.used().min(budget)) * 12 <= budget {
                    return;
                }
                let narrow = &self.narrow[&table.header.start];
                let mut additions = Vec::new();
                for line_idx in self.kept.line_idxs_in(table.header.start..table.rows.end) {
                    let (text, ends) = printed_with_ends(self.listing, line_idx, style);
                    let line_chars = text.chars().count();
                    let pieces = narrow.pieces(&text, &ends, &[column_idx]);
                    additions.extend(pieces.into_iter().map(|piece| Addition::Piece {
                        line_idx,
                        piece,
                        line_chars,
                    }));
                }
                self.kept.add(&additions, Claim::Coverage, budget);
            }
        }
    }

    /// The last line of every run of kept lines.
    fn run_ends(&self) -> Vec<usize> {
        let lines: Vec<usize> = self.kept.line_idxs().collect();
        lines
            .iter()
            .enumerate()
            .filter(|&(idx, line_idx)| lines.get(idx + 1) != Some(&(line_idx + 1)) || self.is_cut(*line_idx))
            .map(|(_, &line_idx)| line_idx)
            .collect()
    }

    fn is_cut(&self, line_idx: usize) -> bool {
        matches!(self.kept.shown(line_idx), Some(Shown::Pieces { .. }))
    }

    /// Lets the run that ends at a line grow by about `step` characters; says where it ends then, or that it cannot.
    fn grow_after(&mut self, line_idx: usize, step: usize) -> Option<usize> {
        let budget = self.options.budget;
        if let Some(additions) = self.longer_piece(line_idx, step, self.options.line_cap) {
            return self.kept.add(&additions, Claim::Coverage, budget).then_some(line_idx);
        }
        let next = line_idx + 1;
        if next >= self.listing.n_lines() || self.kept.has_line(next) {
            return None;
        }
        let mut additions = self.header_of(next);
        additions.extend(self.line(next, self.options.line_cap.min(step.max(200))));
        self.kept.add(&additions, Claim::Coverage, budget).then_some(next)
    }

    /// For a line that is shown in pieces, one of them made longer by `step` characters: the last one to the right, and
    /// when it has reached the end of the line, the first one to the left. No more than `cap` characters are shown then.
    fn longer_piece(&self, line_idx: usize, step: usize, cap: usize) -> Option<Vec<Addition>> {
        let Some(Shown::Pieces { pieces, n_chars }) = self.kept.shown(line_idx) else { return None };
        if self.narrow_at(line_idx).is_some() {
            return None;
        }
        let shown: usize = pieces.iter().map(|piece| piece.chars.len()).sum();
        if shown >= cap {
            return None;
        }
        let step = step.min(cap - shown);
        let text = printed(self.listing, line_idx, self.options.render.style);
        let (first, last) = (pieces.first()?, pieces.last()?);
        let mut piece = if last.chars.end < *n_chars { last.clone() } else { first.clone() };
        if piece.chars.end < *n_chars {
            let longer = piece_from(text.get(piece.bytes.end..)?, 0, step);
            piece.bytes.end += longer.bytes.end;
            piece.chars.end += longer.chars.end;
        } else {
            let before = text.get(..piece.bytes.start)?;
            let step = step.min(piece.chars.start);
            piece.bytes.start =
                before.char_indices().rev().nth(step.checked_sub(1)?).map_or(0, |(offset, _)| offset);
            piece.chars.start -= step;
        }
        let mut additions = self.header_of(line_idx);
        additions.push(Addition::Piece { line_idx, piece, line_chars: *n_chars });
        Some(additions)
    }

    /// Prints gaps whose lines take no more room than their marker does.
    fn close_cheap_gaps(&mut self) {
        let lines: Vec<usize> = self.kept.line_idxs().collect();
        let mut from = 0;
        for line_idx in lines.into_iter().chain([self.listing.n_lines()]) {
            let gap = from..line_idx;
            from = line_idx + 1;
            // Each line takes at least its line feed.
            if gap.is_empty() || gap.len() > MARKER_CHARS {
                continue;
            }
            let mut additions = self.header_of(gap.start);
            additions.extend(gap.flat_map(|line_idx| self.line(line_idx, self.options.line_cap)));
            self.kept.add(&additions, Claim::Coverage, self.kept.used().min(self.options.budget));
        }
    }

    /// Uses the last tenth of the budget where only lines too long for it are left: with beginnings of them.
    fn fill_with_pieces(&mut self) {
        let budget = self.options.budget;
        let mut ends = self.run_ends();
        ends.extend(self.kept.line_idxs().next().is_none().then_some(0));
        for end in ends {
            let left = budget.saturating_sub(self.kept.used());
            if left * 25 < budget || left < SMALLEST_PIECE_CHARS {
                return;
            }
            let mut n_chars = left;
            while n_chars > 0 {
                let additions = match self.longer_piece(end, n_chars, self.options.line_cap) {
                    Some(additions) => additions,
                    None => {
                        let next = end + 1;
                        if next >= self.listing.n_lines() || self.kept.has_line(next) {
                            break;
                        }
                        let mut additions = self.header_of(next);
                        additions.push(self.beginning(next, n_chars.min(self.options.line_cap)));
                        additions
                    }
                };
                if self.kept.add(&additions, Claim::Coverage, budget) {
                    break;
                }
                n_chars = n_chars * 3 / 4;
            }
        }
    }

    /// What may be used once another `share` of the budget is.
    fn limit(&self, share: f64) -> usize {
        (self.kept.used() + part(self.options.budget, share)).min(self.options.budget)
    }
}

/// A share of a budget, which is between none and all of it.
fn part(budget: usize, share: f64) -> usize {
    (budget as f64 * share.clamp(0.0, 1.0)) as usize
}

/// A piece of a line takes at least this much with its cut mark.
const SMALLEST_PIECE_CHARS: usize = 16;
/// About what a gap's marker takes.
const MARKER_CHARS: usize = 48;

/// The indexes below `n` in an order of which every beginning is spread evenly: the middle, the quarters, the eighths.
fn evenly(n: usize) -> Vec<usize> {
    let bits = usize::BITS - n.saturating_sub(1).leading_zeros();
    let reversed = |idx: usize| if bits == 0 { 0 } else { idx.reverse_bits() >> (usize::BITS - bits) };
    (0..1_usize << bits).map(reversed).filter(|&idx| idx < n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_comes_once_and_early_ones_are_spread() {
        for n in [0, 1, 2, 3, 7, 8, 100] {
            let mut order = evenly(n);
            order.sort_unstable();
            assert_eq!(order, (0..n).collect::<Vec<_>>());
        }
        assert_eq!(evenly(8)[..4], [0, 4, 2, 6]);
    }
}
