use std::fmt::Write as _;
use std::ops::Range;

use conspect::{Claim, Stretch};

/// How many pieces a strip has at most.
const MAX_CELLS: usize = 400;

/// A piece of the strip: lines of one claim, or left out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// From which cell on to which.
    pub(crate) cells: Range<usize>,
    /// The lines in it that the claim is about, from the first to the last, by index from 0.
    pub(crate) lines: Range<usize>,
    pub(crate) claim: Option<Claim>,
}

/// The strip of a document: cells of equal size in characters, and neighbours of the same claim joined.
///
/// A cell with anything shown in it has the claim that shows most of it, so that not even one line among a million is
/// lost to sight.
pub(crate) fn segments(stretches: &[Stretch]) -> (Vec<Segment>, usize) {
    let n_chars: usize = stretches.iter().map(|stretch| stretch.n_chars).sum();
    let n_cells = n_chars.min(MAX_CELLS);
    let mut segments: Vec<Segment> = Vec::new();
    let (mut first, mut start) = (0, 0);
    for cell in 0..n_cells {
        let chars = cell * n_chars / n_cells..(cell + 1) * n_chars / n_cells;
        while let Some(stretch) =
            stretches.get(first).filter(|stretch| start + stretch.n_chars <= chars.start)
        {
            start += stretch.n_chars;
            first += 1;
        }
        let mut at = start;
        // What is shown goes before what is not, and then the larger before the smaller.
        let mut most: Option<(bool, usize, &Stretch)> = None;
        for stretch in &stretches[first..] {
            if at >= chars.end {
                break;
            }
            let n_inside = (at + stretch.n_chars).min(chars.end) - at.max(chars.start);
            at += stretch.n_chars;
            let is_shown = stretch.claim.is_some();
            if most.is_none_or(|(was_shown, most, _)| (is_shown, n_inside) > (was_shown, most)) {
                most = Some((is_shown, n_inside, stretch));
            }
        }
        let Some((_, _, stretch)) = most else { continue };
        match segments.last_mut() {
            Some(last) if last.claim == stretch.claim => {
                last.cells.end = cell + 1;
                last.lines.end = stretch.lines.end;
            }
            _ => segments.push(Segment {
                cells: cell..cell + 1,
                lines: stretch.lines.clone(),
                claim: stretch.claim,
            }),
        }
    }
    (segments, n_cells)
}

/// A share of the strip in percent, with two places.
pub(crate) fn percent(cells: usize, n_cells: usize) -> String {
    let hundredths = cells * 10_000 / n_cells.max(1);
    let mut text = String::new();
    let _ = write!(text, "{}.{:02}%", hundredths / 100, hundredths % 100);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(lines: Range<usize>, claim: Option<Claim>, n_chars: usize) -> Stretch {
        Stretch { lines, claim, n_chars, n_shown: 0 }
    }

    #[test]
    fn a_strip_is_bounded_and_loses_no_claim() {
        let mut stretches = Vec::new();
        for line_idx in 0..200_000 {
            let claim = (line_idx == 123_456).then_some(Claim::Query);
            stretches.push(stretch(line_idx..line_idx + 1, claim, 50));
        }
        let (segments, n_cells) = segments(&stretches);
        assert_eq!(n_cells, MAX_CELLS);
        let claims: Vec<Option<Claim>> = segments.iter().map(|segment| segment.claim).collect();
        assert_eq!(claims, [None, Some(Claim::Query), None]);
        assert_eq!(segments[1].lines, 123_456..123_457);
        assert_eq!(segments.last().map(|segment| segment.cells.end), Some(n_cells));
    }

    #[test]
    fn cells_are_proportional_to_characters() {
        let stretches = [
            stretch(0..1, Some(Claim::Edge), 100),
            stretch(1..10, None, 500),
            stretch(10..12, Some(Claim::Coverage), 200),
        ];
        let (segments, n_cells) = segments(&stretches);
        let cells: Vec<Range<usize>> = segments.into_iter().map(|segment| segment.cells).collect();
        assert_eq!((cells, n_cells), (vec![0..50, 50..300, 300..400], 400));
        assert_eq!(segments_of_nothing(), 0);
    }

    fn segments_of_nothing() -> usize {
        segments(&[]).0.len()
    }
}
