//! The lines that a sampler has decided to keep, and exactly what they cost.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::listing::{Listing, TableSpan};
use crate::profile::TableProfile;
use crate::render::{CharCount, RenderOptions, Side, printed, write_between, write_line, write_profile};
use crate::view::{Claim, Piece, Shown, View};

/// What the marks around a piece of a long line take at most: `[+N chars]…` before and `…[+N chars]` after it.
pub(crate) const CUT_MARK_CHARS: usize = 60;

/// Lines kept so far. `used` is at all times the number of characters that rendering them takes.
pub(crate) struct Kept<'l, 'd> {
    listing: &'l Listing<'d>,
    options: &'l RenderOptions,
    lines: BTreeMap<usize, KeptLine>,
    used: usize,
    /// What the lines take that are kept only for the query, and what they may take.
    for_query: usize,
    query_limit: usize,
    profiles: Vec<TableProfile>,
}

#[derive(Clone, Debug)]
struct KeptLine {
    shown: Shown,
    claim: Claim,
    cost: usize,
}

/// A line, or a piece of one, to be kept.
#[derive(Clone, Debug)]
pub(crate) enum Addition {
    /// The whole line.
    Line(usize),
    /// A piece of a line that has so many characters.
    Piece { line_idx: usize, piece: Piece, line_chars: usize },
}

impl Addition {
    fn line_idx(&self) -> usize {
        match self {
            Addition::Line(line_idx) | Addition::Piece { line_idx, .. } => *line_idx,
        }
    }
}

impl<'l, 'd> Kept<'l, 'd> {
    /// Nothing kept yet. Lines kept only for the query will take no more than `query_limit`.
    pub(crate) fn new(
        listing: &'l Listing<'d>,
        options: &'l RenderOptions,
        query_limit: usize,
    ) -> Kept<'l, 'd> {
        let mut kept = Kept {
            listing,
            options,
            lines: BTreeMap::new(),
            used: 0,
            for_query: 0,
            query_limit,
            profiles: Vec::new(),
        };
        kept.used = kept.between(Side::MarkedEnd, Side::MarkedEnd);
        kept
    }

    /// How many characters rendering takes.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Whether the whole line, or at least this much of it, is kept.
    pub(crate) fn holds(&self, addition: &Addition) -> bool {
        match (self.lines.get(&addition.line_idx()).map(|line| &line.shown), addition) {
            (None, _) => false,
            (Some(Shown::Whole), _) => true,
            (Some(Shown::Pieces { .. }), Addition::Line(_)) => false,
            (Some(Shown::Pieces { pieces, .. }), Addition::Piece { piece, .. }) => pieces
                .iter()
                .any(|kept| kept.chars.start <= piece.chars.start && kept.chars.end >= piece.chars.end),
        }
    }

    /// Whether any of the line is kept.
    pub(crate) fn has_line(&self, line_idx: usize) -> bool {
        self.lines.contains_key(&line_idx)
    }

    /// How the line is kept.
    pub(crate) fn shown(&self, line_idx: usize) -> Option<&Shown> {
        self.lines.get(&line_idx).map(|line| &line.shown)
    }

    /// The kept lines' indexes, in order.
    pub(crate) fn line_idxs(&self) -> impl Iterator<Item = usize> + '_ {
        self.lines.keys().copied()
    }

    /// The kept lines' indexes that lie in the range, in order.
    pub(crate) fn line_idxs_in(&self, lines: std::ops::Range<usize>) -> impl Iterator<Item = usize> + '_ {
        self.lines.range(lines).map(|(&line_idx, _)| line_idx)
    }

    /// Whether a kept line lies in the range.
    pub(crate) fn any_in(&self, lines: std::ops::Range<usize>) -> bool {
        lines.start < lines.end && self.lines.range(lines).next().is_some()
    }

    /// Keeps all additions if everything kept then takes no more than `limit`; else keeps none of them.
    pub(crate) fn add(&mut self, additions: &[Addition], claim: Claim, limit: usize) -> bool {
        let (used, for_query) = (self.used, self.for_query);
        let mut undo: Vec<(usize, Option<KeptLine>)> = Vec::new();
        for addition in additions {
            if self.holds(addition) {
                continue;
            }
            let line_idx = addition.line_idx();
            let before = self.lines.get(&line_idx).cloned();
            self.add_one(addition, before.as_ref(), claim);
            undo.push((line_idx, before));
            // Later additions may close a gap and so make room, but hardly this much.
            if self.used > limit + 4_000 {
                break;
            }
        }
        if self.used <= limit && (claim != Claim::Query || self.for_query <= self.query_limit) {
            return true;
        }
        for (line_idx, before) in undo.into_iter().rev() {
            match before {
                Some(line) => self.lines.insert(line_idx, line),
                None => self.lines.remove(&line_idx),
            };
        }
        (self.used, self.for_query) = (used, for_query);
        false
    }

    /// Adds a profile, if the line that it stands above is kept and everything then takes no more than `limit`.
    pub(crate) fn add_profile(&mut self, profile: TableProfile, limit: usize) -> bool {
        let mut count = CharCount(0);
        write_profile(&profile, self.options.style, &mut count);
        let fits = self.used + count.0 <= limit && self.lines.contains_key(&profile.line_idx);
        if fits {
            self.used += count.0;
            self.profiles.push(profile);
        }
        fits
    }

    fn add_one(&mut self, addition: &Addition, before: Option<&KeptLine>, claim: Claim) {
        let line_idx = addition.line_idx();
        let shown = match (addition, before.map(|line| &line.shown)) {
            (Addition::Line(_), _) => Shown::Whole,
            (Addition::Piece { piece, line_chars, .. }, Some(Shown::Pieces { pieces, .. })) => {
                joined(pieces, piece, *line_chars)
            }
            (Addition::Piece { piece, line_chars, .. }, _) => joined(&[], piece, *line_chars),
        };
        let cost = self.cost(line_idx, &shown);
        match before {
            Some(line) => self.used = self.used - line.cost + cost,
            None => {
                let prev = self.lines.range(..line_idx).next_back();
                let prev = prev.map_or(Side::MarkedEnd, |(&line_idx, _)| Side::Line(line_idx));
                let next = self.lines.range((Bound::Excluded(line_idx), Bound::Unbounded)).next();
                let next = next.map_or(Side::MarkedEnd, |(&line_idx, _)| Side::Line(line_idx));
                let own = Side::Line(line_idx);
                self.used += cost + self.between(prev, own) + self.between(own, next);
                self.used -= self.between(prev, next);
            }
        }
        // A line shown in pieces for several reasons bears the weakest, so that no claim is overstated.
        let claim = before.map_or(claim, |line| line.claim.max(claim));
        if let Some(line) = before.filter(|line| line.claim == Claim::Query) {
            self.for_query -= line.cost;
        }
        if claim == Claim::Query {
            self.for_query += cost;
        }
        self.lines.insert(line_idx, KeptLine { shown, claim, cost });
    }

    fn cost(&self, line_idx: usize, shown: &Shown) -> usize {
        let mut count = CharCount(0);
        let text = printed(self.listing, line_idx, self.options.style);
        write_line(self.listing, line_idx, &text, shown, self.options, &mut count);
        count.0
    }

    fn between(&self, prev: Side, next: Side) -> usize {
        let mut count = CharCount(0);
        write_between(self.listing, prev, next, self.options, &mut count);
        count.0
    }

    /// The View of what is kept.
    pub(crate) fn into_view(self) -> View {
        let mut view = View { n_lines: self.listing.n_lines(), marks_ends: true, ..View::default() };
        let n_headings_kept = self
            .listing
            .headings()
            .iter()
            .filter(|heading| self.lines.contains_key(&heading.line_idx))
            .count();
        view.n_headings_left_out = self.listing.headings().len() - n_headings_kept;
        let is_left_out =
            |table: &&TableSpan| !table.header.is_empty() && !self.any_in(table.header.start..table.rows.end);
        view.n_tables_left_out = self.listing.tables().iter().filter(is_left_out).count();
        for (line_idx, line) in self.lines {
            view.push(line_idx, line.shown, line.claim);
        }
        view.profiles = self.profiles;
        view.profiles.sort_by_key(|profile| profile.line_idx);
        view
    }
}

/// A line's pieces with one more, those that touch or overlap joined; the whole line where nothing is left out.
fn joined(pieces: &[Piece], new: &Piece, line_chars: usize) -> Shown {
    let mut all: Vec<Piece> = pieces.to_vec();
    all.push(new.clone());
    all.sort_by_key(|piece| (piece.chars.start, piece.chars.end));
    let mut joined: Vec<Piece> = Vec::new();
    for piece in all {
        match joined.last_mut() {
            Some(last) if piece.chars.start <= last.chars.end => {
                if piece.chars.end > last.chars.end {
                    last.chars.end = piece.chars.end;
                    last.bytes.end = piece.bytes.end;
                }
            }
            _ => joined.push(piece),
        }
    }
    match joined.as_slice() {
        [only] if only.chars.start == 0 && only.chars.end >= line_chars => Shown::Whole,
        _ => Shown::Pieces { pieces: joined, n_chars: line_chars },
    }
}

/// The piece of `text` from its character `first` on, at most `n_chars` characters long.
pub(crate) fn piece_from(text: &str, first: usize, n_chars: usize) -> Piece {
    let start = char_offset(text, first);
    let (length, bytes) = match text[start..].char_indices().nth(n_chars) {
        Some((bytes, _)) => (n_chars, bytes),
        None => (text[start..].chars().count(), text.len() - start),
    };
    Piece { bytes: start..start + bytes, chars: first..first + length }
}

/// The byte at which a character begins; the text's end where it has fewer. Blocks are counted as a whole, which is many
/// times faster than stepping through a line of some megabytes.
fn char_offset(text: &str, n_chars: usize) -> usize {
    const BLOCK_BYTES: usize = 4096;
    let (mut at, mut n_left) = (0, n_chars);
    // A block has no more characters than bytes.
    while n_left > BLOCK_BYTES && text.len() - at > BLOCK_BYTES {
        let end = text.floor_char_boundary(at + BLOCK_BYTES);
        n_left -= text[at..end].chars().count();
        at = end;
    }
    text[at..].char_indices().nth(n_left).map_or(text.len(), |(offset, _)| at + offset)
}

/// How a line is shown that begins at character `first_char` and may have `max_chars` characters: whole where it fits,
/// else the piece around byte `around`, else from its start. `None` where it ends before `first_char`.
pub(crate) fn cut_around(
    text: &str,
    n_chars: usize,
    first_char: usize,
    around: Option<usize>,
    max_chars: usize,
) -> Option<Shown> {
    if first_char > 0 && first_char >= n_chars {
        return None;
    }
    if first_char == 0 && n_chars <= max_chars {
        return Some(Shown::Whole);
    }
    let first = match around {
        Some(byte) if first_char == 0 => {
            let hit = text.get(..byte).map_or(0, |before| before.chars().count());
            hit.saturating_sub(max_chars / 3).min(n_chars.saturating_sub(max_chars))
        }
        _ => first_char,
    };
    Some(Shown::Pieces { pieces: vec![piece_from(text, first, max_chars)], n_chars })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_a_long_line_are_found_where_stepping_finds_them() {
        let text = "aé東🙂".repeat(5_000);
        for n_chars in [0, 1, 4095, 4096, 4097, 8191, 12_345, 19_999, 20_000, 90_000] {
            let expected = text.char_indices().nth(n_chars).map_or(text.len(), |(offset, _)| offset);
            assert_eq!(char_offset(&text, n_chars), expected, "{n_chars}");
        }
    }
}
