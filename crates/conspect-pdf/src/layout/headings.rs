//! Which paragraphs are headings, and how high they rank.

use conspect_model::{OutlineEntry, PageNumber};
use rustc_hash::{FxHashMap, FxHashSet};

use super::paragraphs::Paragraph;
use super::tagged::Kind;

/// Longer than this, and it is not a heading.
const MAX_HEADING_CHARS: usize = 200;
const MAX_HEADING_LINES: usize = 4;
/// Digits before a title on its page that its entry in the outline may leave out.
const MAX_NUMBER: usize = 16;

/// The look of the running text, and the looks of headings from the highest on.
#[derive(Debug)]
pub(crate) struct Headings {
    /// The size of most of the text, in points.
    pub(crate) body_size: f32,
    body_is_bold: bool,
    ranks: Vec<Look>,
    outline: Outline,
    /// The looks of the headings that the file's structure names, from the largest on, with their levels.
    tagged: Vec<(Look, u8)>,
}

/// A look that headings have: size in half points, and weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Look {
    half_points: i32,
    is_bold: bool,
}

/// The file's own outline, as far as its titles stand on the pages.
#[derive(Debug, Default)]
struct Outline {
    /// Level and page of the entries, by their letters and digits.
    entries: FxHashMap<String, Vec<(u8, Option<PageNumber>)>>,
    /// Bytes of the longest of them.
    longest: usize,
    /// The looks that its headings have on the pages, with the level they have most.
    looks: Vec<(Look, u8)>,
    /// Whether the outline names the headings down to the small ones, so that what it leaves out is none.
    is_complete: bool,
}

impl Headings {
    /// Learns the looks from all paragraphs read, and from the outline.
    pub(crate) fn learn<'p>(
        paragraphs: impl Iterator<Item = &'p Paragraph> + Clone,
        outline: &[OutlineEntry],
    ) -> Headings {
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
            outline: Outline::of(outline, paragraphs.clone()),
            tagged: tagged_looks(paragraphs.clone()),
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
        match paragraph.tagged.as_ref().map(|tagged| &tagged.kind) {
            Some(Kind::Heading(level)) => return Some(*level),
            Some(Kind::Text) | None => {}
            Some(_) => return None,
        }
        if let Some(level) = self.outline.level(paragraph) {
            return Some(level);
        }
        if !self.is_heading(paragraph) {
            return None;
        }
        let look = look(paragraph);
        if !self.tagged.is_empty() && paragraph.tagged.is_some() {
            return self.level_beside_tagged(look);
        }
        if self.outline.is_complete {
            return self.outline.level_of_look(look, self.body_size);
        }
        let rank = self.ranks.iter().position(|rank| rank.is_like(look));
        Some(rank.unwrap_or(0).min(5) as u8 + 1)
    }

    /// The level of what is tagged as text in a file whose headings are tagged. Word tags its titles so: they are larger
    /// than the text by far. What is only bold is then no heading.
    fn level_beside_tagged(&self, look: Look) -> Option<u8> {
        if (look.half_points as f32) < self.body_size * 2.0 * 1.15 {
            return None;
        }
        let is_like = |(tagged, _): &&(Look, u8)| tagged.is_like(look);
        if let Some((_, level)) = self.tagged.iter().find(is_like) {
            return Some(*level);
        }
        let above = self.tagged.iter().filter(|(tagged, _)| tagged.half_points > look.half_points);
        Some(above.map(|(_, level)| level + 1).max().unwrap_or(1).min(6))
    }

    fn is_heading(&self, paragraph: &Paragraph) -> bool {
        if paragraph.tagged.as_ref().is_some_and(|tagged| tagged.kind != Kind::Text) {
            return false;
        }
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

fn tagged_looks<'p>(paragraphs: impl Iterator<Item = &'p Paragraph>) -> Vec<(Look, u8)> {
    let mut looks: Vec<(Look, u8)> = paragraphs
        .filter_map(|paragraph| match paragraph.tagged.as_ref()?.kind {
            Kind::Heading(level) => Some((look(paragraph), level)),
            _ => None,
        })
        .collect();
    looks.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    looks.dedup();
    looks
}

impl Look {
    fn is_like(self, other: Look) -> bool {
        self.is_bold == other.is_bold && (self.half_points - other.half_points).abs() <= 1
    }
}

impl Outline {
    fn of<'p>(outline: &[OutlineEntry], paragraphs: impl Iterator<Item = &'p Paragraph> + Clone) -> Outline {
        let mut own = Outline::default();
        for entry in outline {
            let key = key(&entry.title);
            if !key.is_empty() {
                own.longest = own.longest.max(key.len());
                own.entries.entry(key).or_default().push((entry.level.clamp(1, 6), entry.page));
            }
        }
        if own.entries.is_empty() {
            return own;
        }
        let mut pages: FxHashSet<PageNumber> = FxHashSet::default();
        let mut looks: FxHashMap<(Look, u8), usize> = FxHashMap::default();
        let mut n_matched = 0;
        for paragraph in paragraphs {
            pages.insert(paragraph.page);
            if let Some(level) = own.level(paragraph) {
                n_matched += 1;
                *looks.entry((look(paragraph), level)).or_default() += 1;
            }
        }
        let n_expected =
            outline.iter().filter(|entry| entry.page.is_some_and(|page| pages.contains(&page))).count();
        let is_trusted = n_matched >= 3 && n_matched * 10 >= n_expected * 6;
        own.is_complete = is_trusted && n_matched * 2 >= pages.len();
        let mut looks: Vec<((Look, u8), usize)> = looks.into_iter().collect();
        looks.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(b.0.cmp(&a.0)));
        own.looks = looks.into_iter().map(|(look, _)| look).collect();
        own
    }

    /// The level of the entry whose title the paragraph is, on its page or the one beside it.
    fn level(&self, paragraph: &Paragraph) -> Option<u8> {
        if self.entries.is_empty() || paragraph.lines.len() > MAX_HEADING_LINES {
            return None;
        }
        let key = key_within(&paragraph.text, self.longest + MAX_NUMBER)?;
        let entries = self.entries.get(&key).or_else(|| {
            // Some outlines leave out the numbers that the page shows.
            self.entries.get(key.trim_start_matches(|c: char| c.is_ascii_digit()))
        })?;
        let is_near = |page: &Option<PageNumber>| {
            page.is_none_or(|page| page.get().abs_diff(paragraph.page.get()) <= 1)
        };
        entries.iter().find(|(_, page)| is_near(page)).map(|(level, _)| *level)
    }

    /// The level of a heading that a complete outline does not name: a title above all others, or one more with the
    /// look of those that it names. What is no larger than the text is then no heading.
    fn level_of_look(&self, look: Look, body_size: f32) -> Option<u8> {
        if (look.half_points as f32) < body_size * 2.0 * 1.08 {
            return None;
        }
        if let Some((_, level)) = self.looks.iter().find(|(known, _)| known.is_like(look)) {
            return Some(*level);
        }
        let is_highest = self.looks.iter().all(|(known, _)| known.half_points < look.half_points);
        let lowest = self.looks.iter().map(|(_, level)| *level).max().unwrap_or(0);
        Some(if is_highest { 1 } else { (lowest + 1).min(6) })
    }
}

/// Letters and digits in lower case: what outlines and pages agree on.
fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The key of the text, unless it has more bytes than that: most paragraphs are longer than any title.
fn key_within(text: &str, max_len: usize) -> Option<String> {
    let mut key = String::with_capacity(max_len.min(text.len()) + 4);
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        key.extend(c.to_lowercase());
        if key.len() > max_len {
            return None;
        }
    }
    Some(key)
}

fn look(paragraph: &Paragraph) -> Look {
    let half_points = (paragraph.size * 2.0).round().clamp(0.0, 10_000.0) as i32;
    Look { half_points, is_bold: paragraph.style.is_bold }
}
