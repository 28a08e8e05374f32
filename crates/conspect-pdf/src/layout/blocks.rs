//! Pages to blocks, once all pages are known.

use conspect_model::{
    Block, BlockKind, NoteKind, Notice, NoticeKind, Origin, OutlineEntry, PageNumber, Rect, Span, Table,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::LaidPage;
use super::footnotes::mark_footnotes;
use super::headings::Headings;
use super::labels::LabelKind;
use super::paragraphs::{Paragraph, paragraphs};
use super::tables::{Cells, Item, items, join_wrapped};
use super::tagged::{self, Kind, OpenItems};
use crate::structure::Structure;

/// A paragraph, a table or a figure, on its page.
pub(crate) enum Piece {
    Paragraph(Paragraph),
    Table(Cells, PageNumber),
    Figure { text: String, page: PageNumber, rect: Rect },
}

/// The blocks of the pages, in order. Tables hold `max_cells` cells together; the first that is cut is told.
pub(crate) fn blocks(
    pages: Vec<LaidPage>,
    structure: Option<&Structure<'_>>,
    outline: &[OutlineEntry],
    max_cells: usize,
    notices: &mut Vec<Notice>,
) -> Vec<Block> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open_items = OpenItems::default();
    let mut heights: FxHashMap<PageNumber, f32> = FxHashMap::default();
    for page in pages {
        let number = page.number;
        heights.insert(number, page.height);
        let page = match structure.filter(|_| page.is_tagged) {
            Some(structure) => match tagged::pieces(structure, page, &mut open_items) {
                Ok(tagged) => {
                    for piece in tagged {
                        match piece {
                            Piece::Table(cells, number) => push_table(cells, number, &mut pieces),
                            piece => pieces.push(piece),
                        }
                    }
                    continue;
                }
                Err(page) => page,
            },
            None => page,
        };
        let mut lines = Vec::new();
        for item in items(page.runs, &page.rules, number) {
            match item {
                Item::Line(line) => lines.push(line),
                Item::Table(cells) => {
                    let above = paragraphs(std::mem::take(&mut lines), number);
                    pieces.extend(above.into_iter().map(Piece::Paragraph));
                    push_table(cells, number, &mut pieces);
                }
            }
        }
        pieces.extend(paragraphs(lines, number).into_iter().map(Piece::Paragraph));
        pieces.extend(page.figures.into_iter().map(|figure| Piece::Figure {
            text: figure.text,
            page: number,
            rect: figure.rect,
        }));
    }
    let of_text = pieces.iter().filter_map(|piece| match piece {
        Piece::Paragraph(paragraph) => Some(paragraph),
        Piece::Table(..) | Piece::Figure { .. } => None,
    });
    let headings = Headings::learn(of_text, outline);
    mark_footnotes(&mut pieces, headings.body_size, |page| heights.get(&page).copied().unwrap_or_default());
    let words = Words::of(&pieces);
    let mut blocks: Vec<Block> = Vec::new();
    let mut n_cells = 0;
    let mut is_cut = false;
    let mut list = OpenList::default();
    let mut open: Option<Paragraph> = None;
    // Notes at the foot of a page, while it is not known whether the text above them goes on over the page.
    let mut held: Vec<Block> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Paragraph(paragraph) if paragraph.note_mark.is_some() => {
                held.push(note(&paragraph, &words))
            }
            Piece::Paragraph(paragraph) => {
                if let Some(before) = &mut open
                    && continues(before, &paragraph, &headings)
                {
                    join_wrapped(&mut before.text, &paragraph.text);
                    before.text.push_str(&paragraph.text);
                    before.lines.extend(paragraph.lines);
                    continue;
                }
                if let Some(before) = open.replace(paragraph) {
                    push_paragraph(before, &headings, &words, &mut list, &mut blocks);
                }
                blocks.append(&mut held);
            }
            Piece::Table(cells, page) => {
                if let Some(before) = open.take() {
                    push_paragraph(before, &headings, &words, &mut list, &mut blocks);
                }
                blocks.append(&mut held);
                list = OpenList::default();
                let origin = origin_of(page, cells.rect);
                let table = table(&cells, max_cells.saturating_sub(n_cells));
                if table.n_rows() < cells.rows.len() && !is_cut {
                    let message =
                        "the tables from here on have more cells than the limit allows: the rest is missing";
                    notices.push(Notice::new(NoticeKind::Limit, message, origin));
                    is_cut = true;
                }
                n_cells += table.n_cells();
                blocks.push(Block::new(BlockKind::Table(Box::new(table)), "", origin));
            }
            Piece::Figure { text, page, rect } => {
                if let Some(before) = open.take() {
                    push_paragraph(before, &headings, &words, &mut list, &mut blocks);
                }
                blocks.append(&mut held);
                blocks.push(Block::new(BlockKind::Figure, text, origin_of(page, rect)));
            }
        }
    }
    if let Some(before) = open.take() {
        push_paragraph(before, &headings, &words, &mut list, &mut blocks);
    }
    blocks.append(&mut held);
    blocks
}

/// A footnote without its mark, which is its label.
fn note(paragraph: &Paragraph, words: &Words) -> Block {
    let mark = paragraph.note_mark.as_deref().unwrap_or_default();
    let text = words.text(paragraph);
    let text = text.get(mark.len()..).unwrap_or_default().trim_start().to_string();
    let label = mark.trim_end_matches(')').to_string();
    let kind = BlockKind::Note { kind: NoteKind::Footnote, label };
    Block::new(kind, text, origin_of(paragraph.page, paragraph.rect))
}

/// Adds a table, or its rows to the table before it where a page or column break parted them.
fn push_table(cells: Cells, page: PageNumber, pieces: &mut Vec<Piece>) {
    if let Some(Piece::Table(before, before_page)) = pieces.last_mut()
        && is_continuation(before, *before_page, &cells, page)
    {
        let repeats_header =
            before.rows.first().zip(cells.rows.first()).is_some_and(|(a, b)| a.cells == b.cells);
        let n_before = before.rows.len();
        let n_repeated = usize::from(repeats_header);
        before.rows.extend(cells.rows.into_iter().skip(n_repeated));
        let spans = cells.spans.into_iter().filter(|span| span.row_idx >= n_repeated);
        before.spans.extend(spans.map(|span| Span { row_idx: span.row_idx - n_repeated + n_before, ..span }));
        return;
    }
    pieces.push(Piece::Table(cells, page));
}

/// Whether the table goes on from the one before: the same columns, moved sideways as a whole at most.
fn is_continuation(before: &Cells, before_page: PageNumber, cells: &Cells, page: PageNumber) -> bool {
    if before.element.is_some() || cells.element.is_some() {
        return before.element == cells.element;
    }
    let has_moved = page != before_page || cells.rect.y1 > before.rect.y0;
    if !has_moved || before.lefts.len() != cells.lefts.len() || before.is_ruled != cells.is_ruled {
        return false;
    }
    let offset = cells.lefts.first().unwrap_or(&0.0) - before.lefts.first().unwrap_or(&0.0);
    before.lefts.iter().zip(&cells.lefts).all(|(a, b)| (b - a - offset).abs() < 6.0)
}

/// The table, its rows cut where it has more cells than there is room for.
fn table(cells: &Cells, max_cells: usize) -> Table {
    let mut table = Table::new();
    for row in &cells.rows {
        if table.n_cells() + row.cells.len() > max_cells {
            break;
        }
        let origin = origin_of(row.page, row.rect);
        if !table.push(origin, row.cells.iter().map(|cell| cell.as_str())) {
            break;
        }
    }
    table.n_header_rows = cells.n_header_rows.min(table.n_rows());
    let n_rows = table.n_rows();
    table.spans = cells.spans.iter().copied().filter(|span| span.row_idx + span.n_rows <= n_rows).collect();
    table
}

/// Whether the paragraph goes on where a column or page broke it off.
fn continues(before: &Paragraph, next: &Paragraph, headings: &Headings) -> bool {
    let has_moved = before.page != next.page
        || before
            .lines
            .last()
            .zip(next.lines.first())
            .is_some_and(|(a, b)| b.v > a.v + a.size && b.u0 > a.u1);
    if let (Some(a), Some(b)) = (&before.tagged, &next.tagged)
        && a.element == b.element
    {
        return true;
    }
    let is_plain = |paragraph: &Paragraph| {
        paragraph.tagged.as_ref().is_none_or(|tagged| matches!(tagged.kind, Kind::Text | Kind::Item { .. }))
    };
    if !is_plain(before) || !is_plain(next) {
        return false;
    }
    let is_text = next.label.is_none()
        && next.text.starts_with(|c: char| c.is_lowercase() || matches!(c, '(' | '“' | '"'))
        && before.text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '-' | '\u{ad}' | ')'));
    has_moved
        && is_text
        && (before.size - next.size).abs() < 0.6
        && before.style.is_monospace == next.style.is_monospace
        && headings.level(before).is_none()
        && headings.level(next).is_none()
}

/// The indents of the list that is being written out, from the outermost on.
#[derive(Default)]
struct OpenList {
    indents: Vec<f32>,
}

impl OpenList {
    fn depth(&mut self, indent: f32) -> u8 {
        while self.indents.last().is_some_and(|last| indent < last - 3.0) {
            self.indents.pop();
        }
        if self.indents.last().is_none_or(|last| indent > last + 3.0) {
            self.indents.push(indent);
        }
        (self.indents.len().saturating_sub(1)).min(9) as u8
    }
}

fn push_paragraph(
    paragraph: Paragraph,
    headings: &Headings,
    words: &Words,
    list: &mut OpenList,
    blocks: &mut Vec<Block>,
) {
    let origin = origin_of(paragraph.page, paragraph.rect);
    if let Some(level) = headings.level(&paragraph) {
        *list = OpenList::default();
        blocks.push(Block::new(BlockKind::Heading { level }, words.text(&paragraph), origin));
        return;
    }
    if let Some(tagged) = &paragraph.tagged
        && let Some(kind) = kind_of(&tagged.kind, &paragraph)
    {
        *list = OpenList::default();
        let text = match kind {
            BlockKind::Code { .. } => code(&paragraph),
            BlockKind::ListItem { .. } | BlockKind::Note { .. } => {
                let text = words.text(&paragraph);
                match own_label(&tagged.kind, &paragraph) {
                    Some(label) => text.get(label.len()..).unwrap_or_default().trim_start().to_string(),
                    None => text,
                }
            }
            _ => words.text(&paragraph),
        };
        blocks.push(Block::new(kind, text, origin));
        return;
    }
    if let Some((kind, label)) = &paragraph.label
        && is_item(*kind, &paragraph, blocks)
    {
        let text = words.text(&paragraph);
        let rest = text.get(label.len()..).unwrap_or_default().trim_start().to_string();
        let depth = list.depth(paragraph.u0);
        let label = label.replace('\u{fffd}', "•");
        blocks.push(Block::new(BlockKind::ListItem { depth, label }, rest, origin));
        return;
    }
    if paragraph.style.is_monospace && paragraph.text.contains(|c: char| !c.is_alphanumeric()) {
        blocks.push(Block::new(BlockKind::Code { language: None }, code(&paragraph), origin));
        return;
    }
    *list = OpenList::default();
    blocks.push(Block::new(BlockKind::Paragraph, words.text(&paragraph), origin));
}

/// What the file's structure makes of the paragraph, where that is more than text.
fn kind_of(kind: &Kind, paragraph: &Paragraph) -> Option<BlockKind> {
    Some(match kind {
        Kind::Heading(_) | Kind::Text | Kind::Caption => return None,
        Kind::Item { depth, label } => {
            let label = own_label(kind, paragraph).unwrap_or(label);
            // Word writes the letter o for the bullet of an inner list.
            let label = if matches!(label, "" | "o") { "•" } else { label };
            BlockKind::ListItem { depth: *depth, label: label.to_string() }
        }
        Kind::Code => BlockKind::Code { language: None },
        Kind::Quote => BlockKind::Quote,
        Kind::Note { label } => {
            let label = own_label(kind, paragraph).unwrap_or(label);
            // What has no mark is text that stands aside.
            if label.is_empty() {
                return None;
            }
            BlockKind::Note { kind: NoteKind::Footnote, label: label.trim_end_matches('.').to_string() }
        }
    })
}

/// The label that the text of an item or note itself begins with, where the file's structure does not give it.
fn own_label<'p>(kind: &Kind, paragraph: &'p Paragraph) -> Option<&'p str> {
    match kind {
        Kind::Item { label, .. } if label.is_empty() => {
            paragraph.label.as_ref().map(|(_, label)| label.as_str())
        }
        Kind::Note { label } if label.is_empty() => {
            let first = paragraph.text.split(' ').next().unwrap_or_default();
            let is_mark = first.chars().all(|c| c.is_ascii_digit() || "*†‡§¶.".contains(c));
            (is_mark && first.chars().count() <= 4).then_some(first)
        }
        _ => None,
    }
}

fn origin_of(page: PageNumber, rect: Rect) -> Origin {
    Origin::Page { page, rect }
}

/// Whether a labelled paragraph is an item and not a sentence that happens to begin so: a bullet, the first number of a
/// list, or the one after the item before.
fn is_item(kind: LabelKind, paragraph: &Paragraph, blocks: &[Block]) -> bool {
    let has_text = paragraph.label.as_ref().is_some_and(|(_, label)| paragraph.text.len() > label.len());
    let before = blocks.iter().rev().take(40).find_map(|block| match &block.kind {
        BlockKind::ListItem { label, .. } => {
            let (before, _) = super::labels::label(label)?;
            (std::mem::discriminant(&before) == std::mem::discriminant(&kind)).then_some(before)
        }
        _ => None,
    });
    let is_titled = matches!(kind, LabelKind::Number(_)) && is_bold_line(paragraph);
    has_text
        && !is_titled
        && match (kind, before) {
            (LabelKind::Bullet, _) | (LabelKind::Letter('a'), _) => true,
            (LabelKind::Number(0 | 1), _) => says_a_word(paragraph),
            (LabelKind::Number(number), Some(LabelKind::Number(last))) => number == last + 1,
            (LabelKind::Letter(letter), Some(LabelKind::Letter(last))) => letter as u32 == last as u32 + 1,
            _ => false,
        }
}

/// Whether the paragraph is one bold line: the title of what follows, which may be numbered.
fn is_bold_line(paragraph: &Paragraph) -> bool {
    paragraph.style.is_bold && paragraph.lines.len() == 1
}

/// Whether a word follows the label. `0. 1. 2 s` is what a narrow column left of a number.
fn says_a_word(paragraph: &Paragraph) -> bool {
    let label_len = paragraph.label.as_ref().map_or(0, |(_, label)| label.len());
    let text = paragraph.text.get(label_len..).unwrap_or_default();
    text.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().nth(1).is_some() || !word.is_ascii())
}

/// Lines as they stand, the indent told by blanks.
fn code(paragraph: &Paragraph) -> String {
    let left = paragraph.lines.iter().map(|line| line.u0).fold(f32::INFINITY, f32::min);
    let mut text = String::new();
    for (idx, line) in paragraph.lines.iter().enumerate() {
        if idx > 0 {
            text.push('\n');
        }
        let n_blanks = ((line.u0 - left) / (0.6 * line.size).max(1.0)).round().clamp(0.0, 100.0) as usize;
        text.extend(std::iter::repeat_n(' ', n_blanks));
        text.push_str(line.text.trim_end_matches('\u{ad}'));
    }
    text
}

/// The words of the file, to know whether a word divided at a line's end is written with a hyphen elsewhere.
struct Words {
    hyphenated: FxHashSet<String>,
    joined: FxHashSet<String>,
}

impl Words {
    /// Only words that are divided somewhere are looked for.
    fn of(pieces: &[Piece]) -> Words {
        let mut words = Words { hyphenated: FxHashSet::default(), joined: FxHashSet::default() };
        let lines = || {
            pieces.iter().flat_map(|piece| match piece {
                Piece::Paragraph(paragraph) => paragraph.lines.as_slice(),
                Piece::Table(..) | Piece::Figure { .. } => &[],
            })
        };
        if !lines().any(|line| line.text.ends_with('-')) {
            return words;
        }
        for line in lines() {
            for word in line.text.split(' ') {
                let word = word.trim_matches(|c: char| !c.is_alphanumeric());
                if word.contains('-') {
                    words.hyphenated.insert(word.to_lowercase());
                } else if word.len() > 4 {
                    words.joined.insert(word.to_lowercase());
                }
            }
        }
        words
    }

    /// The paragraph's lines as one text.
    fn text(&self, paragraph: &Paragraph) -> String {
        let mut text = String::with_capacity(paragraph.text.len());
        for line in &paragraph.lines {
            if !text.is_empty() {
                if self.keeps_hyphen(&text, &line.text) {
                    // The hyphen belongs to the word; only the line break goes.
                } else {
                    join_wrapped(&mut text, &line.text);
                }
            }
            text.push_str(&line.text);
        }
        while text.ends_with('\u{ad}') {
            text.pop();
        }
        text
    }

    fn keeps_hyphen(&self, text: &str, next: &str) -> bool {
        let Some(before) = text.strip_suffix('-') else { return false };
        let first = before.rsplit(' ').next().unwrap_or_default();
        let first = first.trim_start_matches(|c: char| !c.is_alphanumeric());
        let second = next.split(' ').next().unwrap_or_default();
        let second = second.trim_end_matches(|c: char| !c.is_alphanumeric());
        let hyphenated = format!("{first}-{second}").to_lowercase();
        let joined = format!("{first}{second}").to_lowercase();
        self.hyphenated.contains(&hyphenated) && !self.joined.contains(&joined)
    }
}
