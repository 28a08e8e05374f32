//! Lines joined to paragraphs.

use conspect_model::{PageNumber, Rect};

use super::labels::{LabelKind, is_certain_bullet, label};
use super::lines::Line;
use super::tables::join_wrapped;
use super::tagged::Tagged;
use crate::glyph::Style;

/// Lines that are one paragraph, heading, list item or piece of code.
#[derive(Clone, Debug)]
pub(crate) struct Paragraph {
    pub page: PageNumber,
    pub rect: Rect,
    pub text: String,
    /// The line breaks, for code: byte offsets into the text where a line begins.
    pub lines: Vec<Line>,
    pub size: f32,
    pub style: Style,
    pub label: Option<(LabelKind, String)>,
    pub u0: f32,
    /// Space above it, where something stands above it in the content.
    pub gap_above: Option<f32>,
    /// The mark that it begins with, where it is a footnote.
    pub note_mark: Option<String>,
    /// What the file's structure says of it.
    pub tagged: Option<Tagged>,
    /// The most room that one of its lines left at the right although the next word would have fitted.
    raggedness: f32,
}

/// Joins lines of one page, which follow one another in the content.
pub(crate) fn paragraphs(lines: Vec<Line>, page: PageNumber) -> Vec<Paragraph> {
    let rights = column_rights(&lines);
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut last_right = f32::INFINITY;
    for (line, right) in lines.into_iter().zip(rights) {
        if let Some(open) = paragraphs.last_mut()
            && goes_on(open, &line, last_right)
        {
            if let Some(last) = open.lines.last() {
                open.raggedness = open.raggedness.max(room_left(last, &line, last_right));
            }
            open.push(line);
            last_right = right;
            continue;
        }
        let gap_above = paragraphs.last().and_then(|above| {
            let last = above.lines.last()?;
            (last.direction == line.direction).then_some(last.v - line.v)
        });
        paragraphs.push(Paragraph::new(line, page, gap_above));
        last_right = right;
    }
    paragraphs
}

/// For every line the right edge of the column it stands in: the farthest right that lines near it reach.
fn column_rights(lines: &[Line]) -> Vec<f32> {
    const NEAR: usize = 12;
    let right = |idx: usize| {
        let this = &lines[idx];
        let near = &lines[idx.saturating_sub(NEAR)..(idx + NEAR).min(lines.len())];
        let in_column = near.iter().filter(|line| {
            line.direction == this.direction
                && (line.u0 - this.u0).abs() < 6.0 * this.size
                && (line.v - this.v).abs() < 30.0 * this.size
        });
        in_column.map(|line| line.u1).fold(this.u1, f32::max)
    };
    (0..lines.len()).map(right).collect()
}

impl Paragraph {
    fn new(line: Line, page: PageNumber, gap_above: Option<f32>) -> Paragraph {
        let label =
            label(&line.text).map(|(kind, len)| (kind, line.text.get(..len).unwrap_or_default().to_string()));
        Paragraph {
            page,
            rect: line.rect,
            text: line.text.clone(),
            size: line.size,
            style: line.style,
            label,
            u0: line.u0,
            gap_above,
            note_mark: None,
            tagged: None,
            raggedness: 0.0,
            lines: vec![line],
        }
    }

    /// The paragraph that all these lines are; `None` without lines.
    pub(crate) fn of_lines(
        lines: Vec<Line>,
        page: PageNumber,
        gap_above: Option<f32>,
        tagged: Tagged,
    ) -> Option<Paragraph> {
        let mut lines = lines.into_iter();
        let mut paragraph = Paragraph::new(lines.next()?, page, gap_above);
        paragraph.tagged = Some(tagged);
        paragraph.extend(lines);
        Some(paragraph)
    }

    /// Cuts the paragraph before one of its lines, and gives what comes after; `None` where a side would be empty.
    pub(crate) fn split_off(&mut self, line_idx: usize) -> Option<Paragraph> {
        if line_idx == 0 || line_idx >= self.lines.len() {
            return None;
        }
        let after = self.lines.split_off(line_idx);
        let (mut lines, mut after) = (std::mem::take(&mut self.lines).into_iter(), after.into_iter());
        let gap = after.as_slice().first().zip(lines.as_slice().last()).map(|(next, last)| last.v - next.v);
        let mut rest = Paragraph::new(after.next()?, self.page, gap);
        rest.extend(after);
        let mut first = Paragraph::new(lines.next()?, self.page, self.gap_above);
        first.extend(lines);
        *self = Paragraph { note_mark: self.note_mark.take(), tagged: self.tagged.take(), ..first };
        Some(rest)
    }

    pub(crate) fn extend(&mut self, lines: impl IntoIterator<Item = Line>) {
        for line in lines {
            self.push(line);
        }
    }

    fn push(&mut self, line: Line) {
        join_wrapped(&mut self.text, &line.text);
        self.text.push_str(&line.text);
        self.rect = self.rect.union(line.rect);
        self.style.is_bold &= line.style.is_bold;
        self.style.is_monospace &= line.style.is_monospace;
        self.u0 = self.u0.min(line.u0);
        self.lines.push(line);
    }
}

/// Whether the line belongs to the paragraph above it.
fn goes_on(open: &Paragraph, line: &Line, last_right: f32) -> bool {
    let Some(last) = open.lines.last() else { return false };
    let size = last.size.max(line.size);
    let down = last.v - line.v;
    if last.direction != line.direction || (last.size - line.size).abs() > 0.15 * size {
        return false;
    }
    if !(0.5 * size..2.2 * size).contains(&down) || line.u0 > last.u1.max(open.rect.x1) + size {
        return false;
    }
    // A bold line over plain text is a heading, whatever the distance.
    if open.lines.iter().all(|line| line.style.is_bold) != line.style.is_bold
        && open.lines.len() <= 2
        && (last.style.is_bold != line.style.is_bold)
        && (ends_early(last, line, last_right)
            || last.style.is_bold && open.lines.len() == 1 && down > 1.3 * size)
    {
        return false;
    }
    if last.style.is_monospace != line.style.is_monospace && ends_early(last, line, last_right) {
        return false;
    }
    let is_early = ends_early(last, line, last_right);
    // Headings that follow one another: of two sizes, or farther apart than lines of one.
    if is_early && (last.size - line.size).abs() > 0.04 * size {
        return false;
    }
    let middle = |line: &Line| (line.u0 + line.u1) / 2.0;
    let is_centred = (middle(last) - middle(line)).abs() < 0.5 * size && (last.u0 - line.u0).abs() > size;
    if is_early
        && !is_centred
        && open.lines.len() == 1
        && down > 1.5 * size
        && line.text.starts_with(|c: char| !c.is_lowercase())
    {
        return false;
    }
    // The distance that the paragraph's lines keep.
    let leading = match open.lines.as_slice() {
        [.., a, b] => a.v - b.v,
        _ => 1.65 * size,
    };
    if down > leading * 1.18 + 0.3 {
        return false;
    }
    if is_certain_bullet(&line.text) {
        return false;
    }
    let is_code = last.style.is_monospace && line.style.is_monospace;
    if is_code {
        return true;
    }
    if label(&line.text).is_some() && (open.label.is_some() || ends_early(last, line, last_right)) {
        return false;
    }
    // A first line set in: the paragraph before it ended.
    let is_set_in = line.u0 > open.u0 + 0.8 * size && line.u0 < open.u0 + 5.0 * size;
    if is_set_in && open.lines.len() >= 2 && open.label.is_none() {
        return false;
    }
    // Back at the left of an item's text: the list ended.
    if open.label.is_some() && line.u0 < open.u0 - 0.5 * size {
        return false;
    }
    if open.label.is_some()
        && open.lines.len() == 1
        && line.u0 <= open.u0 + 0.2 * size
        && ends_early(last, line, last_right)
    {
        return false;
    }
    // Lines that were wrapped by counting characters end early in the middle of a sentence as well: a line that leaves
    // no more room than those before it says nothing.
    let is_ragged = open.lines.len() >= 3 && room_left(last, line, last_right) <= open.raggedness * 1.25;
    !(is_early && !is_ragged && ends_sentence(&last.text))
}

/// Whether the first word of the next line would have fitted after the line.
fn ends_early(last: &Line, next: &Line, right: f32) -> bool {
    room_left(last, next, right) > 0.0
}

/// How much farther the line could have gone with the first word of the next.
fn room_left(last: &Line, next: &Line, right: f32) -> f32 {
    right - (last.u1 + next.first_word_width() + 1.0 * last.size)
}

fn ends_sentence(text: &str) -> bool {
    let end = text.trim_end_matches(['"', '\'', ')', '”', '’', ']', '»']);
    end.ends_with(['.', ':', '!', '?', '。', ';'])
        || !text.ends_with(|c: char| c.is_lowercase() || c == ',' || c == '-')
}
