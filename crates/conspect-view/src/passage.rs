//! One pass over a Listing that finds what a sampler needs to know: where the text stands, and which passages have to
//! do with a query.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use crate::listing::Listing;
use crate::query::{Query, Terms};
use crate::render::{Style, visit_printed};
use crate::view::Piece;
use crate::words::{each_word, guess_language};

/// A few lines that belong together, one row of a table, or a piece of a long line: what a query hits.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    /// Its lines.
    pub(crate) lines: Range<usize>,
    /// Which piece of its single line it is, where the line is too long to be taken whole.
    pub(crate) piece: Option<Piece>,
    /// How many characters the line that it is a piece of has.
    pub(crate) line_chars: usize,
    /// How many characters of the Listing come before it.
    pub(crate) at: usize,
    /// How many characters it has, line ends included.
    pub(crate) n_chars: usize,
    /// How many words it has.
    n_words: usize,
    /// Which terms it holds, and how often.
    counts: Vec<(u16, u16)>,
    /// How often two terms stand close together.
    n_close: u32,
    /// The terms of the headings above it and of its table's header, as bits.
    above: u64,
    /// What it is worth for the query.
    pub(crate) worth: f32,
}

/// What one pass over a Listing found.
pub(crate) struct Scan {
    /// Passages that have to do with the query, or stand beside one that has, in order, worth and all.
    pub(crate) hits: Vec<Passage>,
    /// The first line that is not blank.
    pub(crate) first_line: Option<usize>,
    /// The last line that is not blank.
    pub(crate) last_line: Option<usize>,
    /// How many characters there are as written out, line ends included.
    pub(crate) n_chars: usize,
    /// What was looked for.
    pub(crate) terms: Option<Terms>,
    /// In how many passages each term stands.
    n_passages_with: Vec<usize>,
    positions: Positions,
}

impl Scan {
    /// Whether a text holds a term of the query.
    pub(crate) fn is_asked_for(&self, text: &str) -> bool {
        let Some(terms) = &self.terms else { return false };
        let mut is_found = false;
        each_word(text, &mut |word| is_found |= terms.find(word).is_some());
        is_found
    }

    /// The line at a character of the Listing, and how many characters come before that line.
    pub(crate) fn line_at(&self, listing: &Listing<'_>, style: Style, at: usize) -> (usize, usize) {
        let (mut chars, line_idx) = self.positions.before(at);
        let mut found = (line_idx, chars);
        visit_printed(listing, line_idx..listing.n_lines(), style, &mut |line_idx, text| {
            found = (line_idx, chars);
            chars += text.chars().count() + 1;
            if chars > at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }
}

/// Where some lines begin, counted in characters: never more than a few thousand of them.
struct Positions {
    stride: usize,
    known: Vec<(usize, usize)>,
}

const MAX_POSITIONS: usize = 8192;

impl Positions {
    fn new() -> Positions {
        Positions { stride: 1024, known: vec![(0, 0)] }
    }

    fn note(&mut self, at: usize, line_idx: usize) {
        if at - self.known[self.known.len() - 1].0 < self.stride {
            return;
        }
        self.known.push((at, line_idx));
        if self.known.len() > MAX_POSITIONS {
            let mut keep = false;
            self.known.retain(|_| {
                keep = !keep;
                keep
            });
            self.stride *= 2;
        }
    }

    fn before(&self, at: usize) -> (usize, usize) {
        let after = self.known.partition_point(|&(known, _)| known <= at);
        self.known[after.saturating_sub(1)]
    }
}

/// Hits held at once; the worst half goes when there are more.
const MAX_HITS: usize = 100_000;

/// A row from this length on is several passages; a shorter one is always one.
pub(crate) const LONG_ROW_CHARS: usize = 2_000;

/// A text longer than this is looked at once only.
const MAX_CHARS_SEEN_TWICE: usize = 20_000_000;

/// Looks at every line once, and a second time where words of the query are nowhere and may be misspelled.
pub(crate) fn scan(listing: &Listing<'_>, query: Option<&Query>, style: Style, passage_chars: usize) -> Scan {
    let terms = query.map(|query| query.terms(language(listing))).filter(|terms| !terms.is_empty());
    let Some(mut terms) = terms else { return pass(listing, None, style, passage_chars) };
    let mut scan = pass(listing, Some(&terms), style, passage_chars);
    if scan.n_chars <= MAX_CHARS_SEEN_TWICE && terms.tolerate_misspelling(&scan.n_passages_with) {
        scan = pass(listing, Some(&terms), style, passage_chars);
    }
    scan.terms = Some(terms);
    scan
}

fn pass(listing: &Listing<'_>, terms: Option<&Terms>, style: Style, passage_chars: usize) -> Scan {
    let mut scan = Scan {
        hits: Vec::new(),
        first_line: None,
        last_line: None,
        n_chars: 0,
        terms: None,
        n_passages_with: Vec::new(),
        positions: Positions::new(),
    };
    let mut search = terms.map(|terms| Search::new(listing, terms, passage_chars));
    visit_printed(listing, 0..listing.n_lines(), style, &mut |line_idx, text| {
        scan.positions.note(scan.n_chars, line_idx);
        let is_blank = text.trim_start().is_empty();
        if !is_blank {
            scan.first_line.get_or_insert(line_idx);
            scan.last_line = Some(line_idx);
        }
        let n_chars = text.chars().count();
        if let Some(search) = &mut search {
            search.line(line_idx, text, n_chars, is_blank, scan.n_chars);
        }
        scan.n_chars += n_chars + 1;
        ControlFlow::Continue(())
    });
    if let Some(search) = search {
        (scan.hits, scan.n_passages_with) = search.finish();
    }
    scan
}

/// The language of a Listing, from lines at its beginning and in its middle.
pub(crate) fn language(listing: &Listing<'_>) -> Option<&'static crate::words::Language> {
    let mut words = Vec::new();
    let n_lines = listing.n_lines();
    for start in [0, n_lines / 3, n_lines / 3 * 2] {
        let mut left = 4_000_usize;
        listing.visit(start..n_lines, &mut |_, text| {
            each_word(&text[..text.floor_char_boundary(left)], &mut |word| words.push(word.to_owned()));
            left = left.saturating_sub(text.len() + 1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
    guess_language(words.iter().map(String::as_str))
}

/// The search for a query's terms, line after line.
struct Search<'l, 'd> {
    listing: &'l Listing<'d>,
    terms: &'l Terms,
    passage_chars: usize,
    hits: Vec<Passage>,
    /// In how many passages each term stands.
    n_passages_with: Vec<usize>,
    n_passages: usize,
    n_words: usize,
    open: Option<Passage>,
    counts: Vec<u16>,
    /// The passage before, where it holds no term: an answer often stands beside the words of its question.
    before: Option<Passage>,
    /// Whether the passage before is a hit.
    after_hit: bool,
    /// The last term seen in the open passage, and after how many words.
    last_term: Option<(usize, usize)>,
    next_heading: usize,
    next_table: usize,
    /// The headings above, with the terms that each holds.
    owners: Vec<(u8, u64)>,
    /// The terms of the current table's header.
    header: u64,
}

impl<'l, 'd> Search<'l, 'd> {
    fn new(listing: &'l Listing<'d>, terms: &'l Terms, passage_chars: usize) -> Search<'l, 'd> {
        Search {
            listing,
            terms,
            passage_chars,
            hits: Vec::new(),
            n_passages_with: vec![0; terms.len()],
            n_passages: 0,
            n_words: 0,
            open: None,
            counts: vec![0; terms.len()],
            before: None,
            after_hit: false,
            last_term: None,
            next_heading: 0,
            next_table: 0,
            owners: Vec::new(),
            header: 0,
        }
    }

    fn line(&mut self, line_idx: usize, text: &str, n_chars: usize, is_blank: bool, at: usize) {
        let headings = self.listing.headings();
        let heading = headings.get(self.next_heading).filter(|heading| heading.line_idx == line_idx).copied();
        let tables = self.listing.tables();
        while tables.get(self.next_table).is_some_and(|table| table.rows.end <= line_idx) {
            self.next_table += 1;
            self.header = 0;
        }
        let table = tables.get(self.next_table).filter(|table| table.header.start <= line_idx);
        let in_row = table.is_some_and(|table| table.rows.contains(&line_idx));
        let in_header = table.is_some_and(|table| table.header.contains(&line_idx));

        if let Some(heading) = heading {
            self.next_heading += 1;
            self.close();
            while self.owners.last().is_some_and(|(level, _)| *level >= heading.level) {
                self.owners.pop();
            }
        }
        let is_full = self.open.as_ref().is_some_and(|open| {
            let full = open.n_chars + n_chars > self.passage_chars + self.passage_chars / 4;
            full || open.n_chars >= self.passage_chars || (is_blank && open.n_chars * 2 >= self.passage_chars)
        });
        if is_full || in_row || in_header {
            self.close();
        }
        if n_chars > self.passage_chars * 2 && !(in_row && n_chars < LONG_ROW_CHARS) {
            self.close();
            self.long_line(line_idx, text, n_chars, at);
            return;
        }
        if self.open.is_none() && is_blank {
            return;
        }
        let above = self.above();
        let open = self.open.get_or_insert_with(|| Passage::at(line_idx, at, above));
        open.lines.end = line_idx + 1;
        open.n_chars += n_chars + 1;
        let seen = self.words(text);
        if let Some(heading) = heading {
            self.owners.push((heading.level, seen));
        }
        if in_header {
            self.header |= seen;
        }
        if in_row {
            self.close();
        }
    }

    /// A line that is several passages: pieces of it, broken at blanks where there are any.
    fn long_line(&mut self, line_idx: usize, text: &str, line_chars: usize, at: usize) {
        let mut start = (0, 0);
        let mut blank = None;
        let mut n_chars = 0;
        for (offset, c) in text.char_indices() {
            let length = n_chars - start.1;
            if c == ' ' && length * 2 >= self.passage_chars {
                blank = Some((offset + 1, n_chars + 1));
            }
            if length >= self.passage_chars {
                let end = blank.take().unwrap_or((offset, n_chars));
                self.piece(line_idx, text, start, end, line_chars, at);
                start = end;
            }
            n_chars += 1;
        }
        if start.0 < text.len() {
            self.piece(line_idx, text, start, (text.len(), n_chars), line_chars, at);
        }
    }

    fn piece(
        &mut self,
        line_idx: usize,
        text: &str,
        start: (usize, usize),
        end: (usize, usize),
        line_chars: usize,
        at: usize,
    ) {
        let mut passage = Passage::at(line_idx, at + start.1, self.above());
        passage.lines.end = line_idx + 1;
        passage.piece = Some(Piece { bytes: start.0..end.0, chars: start.1..end.1 });
        passage.line_chars = line_chars;
        passage.n_chars = end.1 - start.1 + 1;
        self.open = Some(passage);
        self.words(&text[start.0..end.0]);
        self.close();
    }

    /// Counts the terms in a text of the open passage. Returns those it holds, as bits.
    fn words(&mut self, text: &str) -> u64 {
        let Some(open) = &mut self.open else { return 0 };
        let mut seen = 0;
        each_word(text, &mut |word| {
            open.n_words += 1;
            let Some(term) = self.terms.find(word) else { return };
            self.counts[term] = self.counts[term].saturating_add(1);
            seen |= 1 << term;
            if let Some((last, n_words)) = self.last_term
                && last != term
                && open.n_words - n_words <= 3
            {
                open.n_close += 1;
            }
            self.last_term = Some((term, open.n_words));
        });
        seen
    }

    fn above(&self) -> u64 {
        self.owners.iter().fold(self.header, |above, (_, terms)| above | terms)
    }

    /// Ends the open passage, and keeps it if it has to do with the query.
    fn close(&mut self) {
        self.last_term = None;
        let Some(mut passage) = self.open.take() else { return };
        self.n_passages += 1;
        self.n_words += passage.n_words;
        for (term, count) in self.counts.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
            self.n_passages_with[term] += 1;
            passage.counts.push((term as u16, *count));
            *count = 0;
        }
        if passage.counts.is_empty() {
            match std::mem::take(&mut self.after_hit) {
                true => self.push(passage),
                false => self.before = Some(passage),
            }
            return;
        }
        if let Some(before) = self.before.take() {
            self.push(before);
        }
        self.push(passage);
        self.after_hit = true;
    }

    fn push(&mut self, passage: Passage) {
        self.hits.push(passage);
        if self.hits.len() >= MAX_HITS {
            self.drop_the_worst_half();
        }
    }

    fn drop_the_worst_half(&mut self) {
        let rough =
            |passage: &Passage| -> f32 { passage.counts.iter().map(|&(term, _)| self.rarity(term)).sum() };
        let mut order: Vec<(f32, usize)> =
            self.hits.iter().enumerate().map(|(idx, passage)| (rough(passage), idx)).collect();
        // Equals are kept from all over the text, not from its beginning.
        let spread = |idx: usize| idx.wrapping_mul(0x9E37_79B9) & 0xFFFF_FFFF;
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(spread(a.1).cmp(&spread(b.1))));
        let mut keep = vec![false; self.hits.len()];
        for &(_, idx) in &order[..order.len() / 2] {
            keep[idx] = true;
        }
        let mut keep = keep.into_iter();
        self.hits.retain(|_| keep.next().unwrap_or(false));
    }

    /// The inverse document frequency of a term over the passages seen so far, times its weight.
    fn rarity(&self, term: u16) -> f32 {
        let (n, with) = (self.n_passages as f32, self.n_passages_with[usize::from(term)] as f32);
        (1.0 + (n - with + 0.5) / (with + 0.5)).ln() * self.terms.weight(usize::from(term))
    }

    /// All hits with their worth, and in how many passages each term stands.
    fn finish(mut self) -> (Vec<Passage>, Vec<usize>) {
        self.close();
        let average = (self.n_words as f32 / self.n_passages.max(1) as f32).max(1.0);
        let rarity: Vec<f32> = (0..self.terms.len()).map(|term| self.rarity(term as u16)).collect();
        let close_by = surroundings(&self.hits, &rarity, CLOSE_BY_CHARS);
        let around = surroundings(&self.hits, &rarity, SURROUNDING_CHARS);
        for ((passage, close_by), around) in self.hits.iter_mut().zip(close_by).zip(around) {
            passage.worth = passage.own_worth(&rarity, average)
                + CLOSE_BY_WEIGHT * close_by
                + SURROUNDING_WEIGHT * around;
        }
        (self.hits, self.n_passages_with)
    }
}

/// BM25's usual constants.
const K1: f32 = 1.5;
const B: f32 = 0.75;
/// How many characters before and after a passage count as what surrounds it, and what their worth counts for the
/// passage's.
const SURROUNDING_CHARS: usize = 800;
const SURROUNDING_WEIGHT: f32 = 0.5;
/// The same for what is next to it.
const CLOSE_BY_CHARS: usize = 150;
const CLOSE_BY_WEIGHT: f32 = 0.6;

impl Passage {
    /// Whether it holds a term itself, and does not only stand beside a passage that does.
    pub(crate) fn holds_terms(&self) -> bool {
        !self.counts.is_empty()
    }

    fn at(line_idx: usize, at: usize, above: u64) -> Passage {
        Passage {
            lines: line_idx..line_idx,
            piece: None,
            line_chars: 0,
            at,
            n_chars: 0,
            n_words: 0,
            counts: Vec::new(),
            n_close: 0,
            above,
            worth: 0.0,
        }
    }

    /// BM25 of the passage itself, and something for terms that stand close together or above it.
    fn own_worth(&self, rarity: &[f32], average_words: f32) -> f32 {
        let length = 1.0 - B + B * self.n_words as f32 / average_words;
        let mut worth = 0.0;
        let mut here = 0_u64;
        let mut rarest: f32 = 0.0;
        for &(term, count) in &self.counts {
            let count = f32::from(count);
            let rarity = rarity[usize::from(term)];
            worth += rarity * count * (K1 + 1.0) / (count + K1 * length);
            here |= 1 << term;
            rarest = rarest.max(rarity);
        }
        let close = self.n_close.min(3) as f32;
        let above: f32 = (0..rarity.len())
            .filter(|term| (self.above & !here) >> term & 1 == 1)
            .map(|term| rarity[term])
            .sum();
        worth + 0.15 * close * rarest + 0.4 * above
    }
}

/// For each hit, BM25 of the text so many characters around it, itself included.
fn surroundings(hits: &[Passage], rarity: &[f32], n_chars: usize) -> Vec<f32> {
    let mut counts: HashMap<u16, u32> = HashMap::new();
    let (mut start, mut end) = (0, 0);
    let mut worths = Vec::with_capacity(hits.len());
    for hit in hits {
        let from = hit.at.saturating_sub(n_chars);
        let to = hit.at + hit.n_chars + n_chars;
        while end < hits.len() && hits[end].at < to {
            for &(term, count) in &hits[end].counts {
                *counts.entry(term).or_default() += u32::from(count);
            }
            end += 1;
        }
        while start < end && hits[start].at + hits[start].n_chars <= from {
            for &(term, count) in &hits[start].counts {
                if let Some(sum) = counts.get_mut(&term) {
                    *sum = sum.saturating_sub(u32::from(count));
                }
            }
            start += 1;
        }
        // In the order of terms, since sums of floats depend on their order.
        let worth = (0..rarity.len() as u16)
            .filter_map(|term| counts.get(&term).map(|&count| (term, count as f32)))
            .map(|(term, count)| rarity[usize::from(term)] * count * (K1 + 1.0) / (count + K1))
            .sum();
        worths.push(worth);
    }
    worths
}
