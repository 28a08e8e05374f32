//! Which paragraphs are headings, and how high they rank.

use rustc_hash::FxHashMap;

use super::paragraphs::Paragraph;

/// Longer than this, and it is not a heading.
const MAX_HEADING_CHARS: usize = 200;
const MAX_HEADING_LINES: usize = 4;

/// The look of the running text, and the looks of headings from the highest on.
#[derive(Debug)]
pub(crate) struct Headings {
    body_size: f32,
    body_is_bold: bool,
    ranks: Vec<Look>,
}

/// A look that headings have: size in half points, and weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Look {
    half_points: i32,
    is_bold: bool,
}

impl Headings {
    /// Learns the looks from all paragraphs of the file.
    pub(crate) fn learn<'p>(paragraphs: impl Iterator<Item = &'p Paragraph> + Clone) -> Headings {
        let mut n_chars: FxHashMap<Look, usize> = FxHashMap::default();
        for paragraph in paragraphs.clone() {
            *n_chars.entry(look(paragraph)).or_default() += paragraph.text.len();
        }
        // Text without a size is there for machines, not for readers.
        n_chars.retain(|look, _| look.half_points > 2);
        let body = n_chars.iter().max_by_key(|(look, n)| (**n, -look.half_points)).map(|(look, _)| *look);
        let body = body.unwrap_or(Look { half_points: 20, is_bold: false });
        let mut headings = Headings {
            body_size: body.half_points as f32 / 2.0,
            body_is_bold: body.is_bold,
            ranks: Vec::new(),
        };
        let mut ranks: Vec<Look> =
            paragraphs.filter(|paragraph| headings.is_heading(paragraph)).map(look).collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks.dedup();
        // Sizes half a point apart are one look, rounded differently.
        ranks.dedup_by(|next, kept| kept.is_bold == next.is_bold && kept.half_points - next.half_points <= 1);
        headings.ranks = ranks;
        headings
    }

    /// The level of the paragraph, if it is a heading.
    pub(crate) fn level(&self, paragraph: &Paragraph) -> Option<u8> {
        if !self.is_heading(paragraph) {
            return None;
        }
        let look = look(paragraph);
        let rank = self.ranks.iter().position(|rank| {
            rank.is_bold == look.is_bold && (rank.half_points - look.half_points).abs() <= 1
        });
        Some(rank.unwrap_or(0).min(5) as u8 + 1)
    }

    fn is_heading(&self, paragraph: &Paragraph) -> bool {
        let text = paragraph.text.as_str();
        if paragraph.lines.len() > MAX_HEADING_LINES
            || text.len() > MAX_HEADING_CHARS
            || !text.chars().any(char::is_alphabetic)
            || paragraph.lines.first().is_none_or(|line| line.direction != 0)
        {
            return false;
        }
        if matches!(paragraph.label, Some((super::labels::LabelKind::Bullet, _))) {
            return false;
        }
        let size = look(paragraph).half_points as f32 / 2.0;
        let is_larger = size >= self.body_size * 1.08 + 0.3;
        let is_bolder = paragraph.style.is_bold && !self.body_is_bold;
        let ends_as_text = text.ends_with(['.', ',', ';']) || text.ends_with(':') && !is_larger;
        if is_larger && is_bolder {
            return true;
        }
        if is_larger {
            return !ends_as_text && (size >= self.body_size * 1.15 || paragraph.lines.len() == 1);
        }
        let has_room = paragraph.gap_above.is_none_or(|gap| gap > 1.35 * size || gap < 0.0);
        is_bolder
            && size >= self.body_size * 0.8
            && !ends_as_text
            && has_room
            && paragraph.lines.len() <= 2
            && text.len() <= 120
            && !paragraph.style.is_monospace
            && !text.starts_with(|c: char| c.is_lowercase())
    }
}

fn look(paragraph: &Paragraph) -> Look {
    let half_points = (paragraph.size * 2.0).round().clamp(0.0, 10_000.0) as i32;
    Look { half_points, is_bold: paragraph.style.is_bold }
}
