//! Pages laid out by the file's own structure tree, where the tree is to be believed.
//!
//! Many tagged files are tagged badly: by tools that call everything a paragraph, or that cut paragraphs at every line.
//! So the tree is asked first what share of the page it covers and whether what it says can be; where it cannot, or
//! where geometry sees more than the tree says, the page is laid out by geometry.

use conspect_model::{PageNumber, Rect, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::blocks::Piece;
use super::lines::{Line, lines};
use super::paragraphs::{Paragraph, paragraphs};
use super::runs::Run;
use super::tables::{CellRow, CellText, Cells, Item, items};
use super::{Figure, LaidPage};
use crate::glyph::{NO_TAG, PageContent, Tag};
use crate::structure::{Element, ElementId, PageStructure, Role, Structure};

/// Columns of a table; what spans more is cut.
const MAX_COLUMNS: usize = 200;
/// A table of fewer columns or longer cells than these is there for the layout.
const MIN_COLUMNS: usize = 2;
const MAX_CELL_CHARS: usize = 2000;
/// More lines than this in one paragraph, and geometry is asked whether it is one.
const MAX_SURE_LINES: usize = 12;

/// What the structure tree says of a tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// Nothing.
    #[default]
    Loose,
    /// That it is not part of the text.
    Artifact,
    /// That it is text of this element, the smallest one that stands by itself.
    Block(ElementId),
}

/// What the structure tree makes of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tagged {
    pub element: ElementId,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Heading(u8),
    /// Running text, unless geometry knows more of it.
    Text,
    /// An item of a list; the label is empty where the text itself begins with it.
    Item {
        depth: u8,
        label: String,
    },
    Code,
    Quote,
    Caption,
    Note {
        label: String,
    },
}

/// What the tree says of each tag of the page, if it covers the page's text.
pub(crate) fn places(
    structure: &Structure<'_>,
    page: &PageStructure,
    content: &PageContent,
) -> Option<Vec<Place>> {
    let place = |(tag, element): (&Tag, &Option<ElementId>)| match (tag, element) {
        (Tag::Artifact, _) => Place::Artifact,
        (_, Some(element)) => block_around(structure, *element).map_or(Place::Loose, Place::Block),
        _ => Place::Loose,
    };
    let places: Vec<Place> = content.tags.iter().zip(&page.elements).map(place).collect();
    let (mut n_all, mut n_artifacts, mut n_named) = (0_usize, 0_usize, 0_usize);
    for glyph in &content.glyphs {
        let n = content.text.get(glyph.range()).map_or(0, |text| text.trim().len());
        n_all += n;
        match places.get(glyph.tag as usize) {
            Some(Place::Artifact) => n_artifacts += n,
            Some(Place::Block(element)) => {
                let says = |element: &Element| !matches!(element.role, Role::Group | Role::Section);
                n_named += if structure.element(*element).is_some_and(says) { n } else { 0 };
            }
            Some(Place::Loose) | None => {}
        }
    }
    let is_covered = n_artifacts * 2 <= n_all && n_named * 10 >= (n_all - n_artifacts) * 8;
    is_covered.then_some(places)
}

/// The smallest element around content that stands by itself rather than within a line.
fn block_around(structure: &Structure<'_>, content: ElementId) -> Option<ElementId> {
    let mut around = structure.around(content).peekable();
    let mut block = None;
    while let Some((id, element)) = around.next() {
        let parent = around.peek().map(|(_, parent)| parent.role);
        let holds_text = parent.is_some_and(|parent| {
            matches!(
                parent,
                Role::Paragraph | Role::Heading(_) | Role::Title | Role::Caption | Role::Label | Role::Inline
            )
        });
        let is_within = match element.role {
            Role::Inline => true,
            Role::Code | Role::Formula => holds_text,
            Role::Label => !matches!(parent, Some(Role::Item | Role::Note)),
            // A field stands in the text around it.
            Role::Group => holds_text,
            Role::Note | Role::Figure => false,
            _ => holds_text && parent != Some(Role::Paragraph),
        };
        match element.role {
            _ if is_within => {}
            // These are one text, whatever stands in them.
            Role::Heading(_) | Role::Title | Role::Caption | Role::Code => return Some(id),
            Role::Note if block.is_none_or(|block| is_text(structure, block)) => return Some(id),
            Role::Note => return block,
            _ if block.is_none() => block = Some(id),
            _ => {}
        }
    }
    block
}

fn is_text(structure: &Structure<'_>, block: ElementId) -> bool {
    structure.element(block).is_some_and(|block| block.role == Role::Paragraph)
}

/// Puts what elements say of themselves in the place of what their glyphs say.
pub(crate) fn say_actual_texts(structure: &Structure<'_>, page: &PageStructure, content: &mut PageContent) {
    let speaker = |element: &Option<ElementId>| {
        let around = structure.around((*element)?);
        around.filter(|(_, element)| element.actual_text.is_some()).map(|(id, _)| id).last()
    };
    let speakers: Vec<Option<ElementId>> = page.elements.iter().map(speaker).collect();
    if speakers.iter().all(Option::is_none) {
        return;
    }
    let of_tag = |tag: u32| speakers.get(tag as usize).copied().flatten();
    let mut kept: Vec<crate::glyph::Glyph> = Vec::with_capacity(content.glyphs.len());
    let mut said: FxHashSet<ElementId> = FxHashSet::default();
    for group in content.glyphs.chunk_by(|a, b| of_tag(a.tag) == of_tag(b.tag)) {
        let replacement = group.first().and_then(|first| of_tag(first.tag)).and_then(|speaker| {
            let text = structure.element(speaker)?.actual_text.as_deref()?;
            let text = crate::unicode::plain(text);
            let shown: String = group.iter().filter_map(|glyph| content.text.get(glyph.range())).collect();
            let (first, last) = (group.first()?, group.last()?);
            // Over several lines, or in pieces, the glyphs tell words and lines better than one long glyph would.
            let is_one_line = (first.y0 - last.y1).abs() < first.size;
            let is_plain = shown.trim() == text.trim() || !is_one_line || text.len() > usize::from(u16::MAX);
            (!is_plain && !text.is_empty() && said.insert(speaker)).then_some((text, first, last))
        });
        match replacement {
            Some((text, first, last)) => {
                let start = content.text.len() as u32;
                kept.push(crate::glyph::Glyph {
                    x1: last.x1,
                    y1: last.y1,
                    start,
                    len: text.len() as u16,
                    ..first.clone()
                });
                content.text.push_str(&text);
            }
            None => kept.extend_from_slice(group),
        }
    }
    content.glyphs = kept;
}

/// The figures of a page that say what they show.
pub(crate) fn figures(
    structure: &Structure<'_>,
    page: &PageStructure,
    content: &PageContent,
    whole_page: Rect,
) -> Vec<Figure> {
    let mut rects: FxHashMap<ElementId, Rect> = FxHashMap::default();
    for (tag, rect) in &content.tagged_images {
        let Some(element) = page.elements.get(*tag as usize).copied().flatten() else { continue };
        for (id, _) in structure.around(element).filter(|(_, element)| element.role == Role::Figure) {
            rects.entry(id).and_modify(|known| *known = known.union(*rect)).or_insert(*rect);
        }
    }
    let has_text: FxHashSet<ElementId> = content
        .glyphs
        .iter()
        .filter(|glyph| glyph.tag != NO_TAG)
        .filter_map(|glyph| page.elements.get(glyph.tag as usize).copied().flatten())
        .collect();
    let mut elements: Vec<ElementId> = page.present.iter().chain(rects.keys()).copied().collect();
    elements.extend(page.elements.iter().flatten());
    elements.sort_unstable();
    elements.dedup();
    let figure = |&id: &ElementId| {
        let element = structure.element(id)?;
        let text = element.alternate.clone().filter(|text| !text.trim().is_empty())?;
        let is_silent = element.role == Role::Formula && !has_text.contains(&id);
        let rect = rects.get(&id).copied().unwrap_or(whole_page);
        (element.role == Role::Figure || is_silent).then_some(Figure { element: id, text, rect })
    };
    elements.iter().filter_map(figure).collect()
}

/// Whether the tree says more of the pages than that all of their text is text.
pub(crate) fn says_kinds(structure: &Structure<'_>, pages: &[LaidPage]) -> bool {
    let says = |place: &ElementId| {
        structure.around(*place).any(|(_, element)| {
            !matches!(
                element.role,
                Role::Group | Role::Section | Role::Paragraph | Role::Inline | Role::Figure
            )
        })
    };
    let mut asked: FxHashSet<ElementId> = FxHashSet::default();
    pages
        .iter()
        .flat_map(|page| &page.runs)
        .any(|run| matches!(run.place, Place::Block(element) if asked.insert(element) && says(&element)))
}

/// The runs of one element, or of what stands loose between elements.
struct Group {
    element: Option<ElementId>,
    path: Vec<u32>,
    runs: Vec<Run>,
}

/// What is known of lists from the pages before.
#[derive(Default)]
pub(crate) struct OpenItems {
    begun: FxHashSet<ElementId>,
}

/// The pieces of a page whose tags cover its text; the runs come back where the tags cannot be.
pub(crate) fn pieces(
    structure: &Structure<'_>,
    page: LaidPage,
    open: &mut OpenItems,
) -> Result<Vec<Piece>, LaidPage> {
    let groups = groups(structure, &page.runs);
    if !is_sane(structure, &groups, &page) {
        return Err(page);
    }
    let groups = in_order(groups);
    let trusts_headings = trusts_headings(structure, &groups);
    let mut tables = tables(structure, &groups, page.number);
    let mut layout = Layout {
        structure,
        page: page.number,
        rules: &page.rules,
        trusts_headings,
        n_items: n_items(structure, &groups),
        pieces: Vec::new(),
        label: None,
    };
    let figures = page.figures.into_iter().map(|figure| (structure.path(figure.element), figure));
    let mut figures: Vec<(Vec<u32>, Figure)> = figures.collect();
    figures.sort_by(|a, b| a.0.cmp(&b.0));
    let mut figures = figures.into_iter().peekable();
    for group in groups {
        while let Some((_, figure)) = figures.next_if(|(path, _)| *path < group.path) {
            layout.figure(figure);
        }
        let table = group.element.and_then(|element| table_around(structure, element));
        match table.and_then(|table| tables.get_mut(&table)) {
            Some(cells) => {
                if let Some(cells) = cells.take() {
                    layout.flush_label();
                    layout.pieces.push(Piece::Table(cells, page.number));
                }
            }
            None => layout.group(group, open),
        }
    }
    layout.flush_label();
    for (_, figure) in figures {
        layout.figure(figure);
    }
    Ok(layout.pieces)
}

/// The runs by their elements, in the order in which the content first shows them.
fn groups(structure: &Structure<'_>, runs: &[Run]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: FxHashMap<ElementId, usize> = FxHashMap::default();
    for run in runs {
        let element = match run.place {
            Place::Block(element) => Some(element),
            Place::Loose | Place::Artifact => None,
        };
        let at = match element {
            Some(element) => known.get(&element).copied(),
            None => groups.len().checked_sub(1).filter(|&last| groups[last].element.is_none()),
        };
        match at.and_then(|at| groups.get_mut(at)) {
            Some(group) => group.runs.push(run.clone()),
            None => {
                let path = match element {
                    Some(element) => structure.path(element),
                    None => groups.last().map(|last| last.path.clone()).unwrap_or_default(),
                };
                if let Some(element) = element {
                    known.insert(element, groups.len());
                }
                groups.push(Group { element, path, runs: vec![run.clone()] });
            }
        }
    }
    groups
}

/// Whether the tags can be what they say: paragraphs that end where sentences do, and tables that geometry would not
/// have to find in text tagged as paragraphs.
fn is_sane(structure: &Structure<'_>, groups: &[Group], page: &LaidPage) -> bool {
    let is_text = |group: &&Group| {
        let element = group.element.and_then(|element| structure.element(element));
        element.is_some_and(|element| element.role == Role::Paragraph)
    };
    let texts: Vec<&Group> = groups.iter().filter(is_text).collect();
    let n_broken = texts.windows(2).filter(|pair| {
        let [above, below] = pair else { return false };
        let (Some(last), Some(first)) = (above.runs.last(), below.runs.first()) else { return false };
        let is_under = last.direction == first.direction
            && (last.size - first.size).abs() < 0.1 * first.size
            && (0.5 * first.size..2.0 * first.size).contains(&(last.v - first.v));
        is_under
            && first.text.starts_with(char::is_lowercase)
            && last.text.ends_with(|c: char| c.is_lowercase() || c == ',' || c == '-')
    });
    let n_broken = n_broken.count();
    if n_broken >= 3 && n_broken * 10 >= texts.len() * 3 {
        return false;
    }
    let has_table =
        groups.iter().filter_map(|group| group.element).any(|id| table_around(structure, id).is_some());
    if has_table {
        return has_cells_in_order(structure, groups);
    }
    let tagged_as_text: Vec<Run> = texts.iter().flat_map(|group| group.runs.iter().cloned()).collect();
    let found = items(tagged_as_text, &page.rules, page.number);
    !found.iter().any(|item| matches!(item, Item::Table(cells) if cells.rows.len() >= 3))
}

/// The groups in the order of the tree, unless the tree jumps about the page more than the content does.
fn in_order(groups: Vec<Group>) -> Vec<Group> {
    let n_jumps = |order: &[usize]| {
        let edge = |idx: usize, of: fn(f32, f32) -> f32, start: f32| {
            let runs = groups.get(idx).map(|group| group.runs.as_slice()).unwrap_or_default();
            runs.iter().filter(|run| run.direction == 0).map(|run| run.v).fold(start, of)
        };
        let jumps = order.windows(2).filter(|pair| {
            let [above, below] = pair else { return false };
            edge(*below, f32::min, f32::INFINITY) > edge(*above, f32::max, f32::NEG_INFINITY) + 4.0
        });
        jumps.count()
    };
    let written: Vec<usize> = (0..groups.len()).collect();
    let mut told = written.clone();
    told.sort_by(|a, b| groups[*a].path.cmp(&groups[*b].path));
    if told == written || n_jumps(&told) > n_jumps(&written) + groups.len() / 8 {
        return groups;
    }
    let mut groups: Vec<Option<Group>> = groups.into_iter().map(Some).collect();
    told.into_iter().filter_map(|idx| groups.get_mut(idx)?.take()).collect()
}

/// Whether headings are as few as headings are.
fn trusts_headings(structure: &Structure<'_>, groups: &[Group]) -> bool {
    let (mut n_headings, mut n_heading_chars, mut n_chars) = (0, 0, 0);
    for group in groups {
        let n: usize = group.runs.iter().map(|run| run.text.len()).sum();
        n_chars += n;
        let element = group.element.and_then(|element| structure.element(element));
        if element.is_some_and(|element| matches!(element.role, Role::Heading(_) | Role::Title)) {
            n_headings += 1;
            n_heading_chars += n;
        }
    }
    n_chars < 400 || n_headings < 4 || n_heading_chars * 2 < n_chars
}

fn n_items(structure: &Structure<'_>, groups: &[Group]) -> FxHashMap<ElementId, usize> {
    let mut n_items: FxHashMap<ElementId, usize> = FxHashMap::default();
    let mut seen: FxHashSet<ElementId> = FxHashSet::default();
    for id in groups.iter().filter_map(|group| group.element) {
        for (item, element) in structure.around(id).filter(|(_, element)| element.role == Role::Item) {
            if let Some(list) = element.parent.filter(|_| seen.insert(item)) {
                *n_items.entry(list).or_default() += 1;
            }
        }
    }
    n_items
}

fn ancestor(
    structure: &Structure<'_>,
    element: ElementId,
    is: impl Fn(Role) -> bool,
    ends: impl Fn(Role) -> bool,
) -> Option<ElementId> {
    let mut around = structure.around(element);
    around
        .find(|(_, element)| is(element.role) || ends(element.role))
        .filter(|(_, e)| is(e.role))
        .map(|(id, _)| id)
}

fn table_around(structure: &Structure<'_>, element: ElementId) -> Option<ElementId> {
    // A caption belongs to its table, but is no cell of it.
    ancestor(structure, element, |role| role == Role::Table, |role| role == Role::Caption)
}

fn row_around(structure: &Structure<'_>, element: ElementId) -> Option<ElementId> {
    ancestor(structure, element, |role| role == Role::Row, |role| role == Role::Table)
}

fn cell_around(structure: &Structure<'_>, element: ElementId) -> Option<ElementId> {
    let is_cell = |role| matches!(role, Role::Cell | Role::HeaderCell);
    ancestor(structure, element, is_cell, |role| matches!(role, Role::Row | Role::Table))
}

/// Whether the cells of rows are told in the order in which they stand. Some producers list them as they were drawn, and
/// leave out those that are empty: their columns cannot be told from the tree.
fn has_cells_in_order(structure: &Structure<'_>, groups: &[Group]) -> bool {
    let mut place_of: FxHashMap<ElementId, Rect> = FxHashMap::default();
    let mut rows: FxHashSet<ElementId> = FxHashSet::default();
    for group in groups {
        let Some(element) = group.element else { continue };
        let (Some(cell), Some(row)) = (cell_around(structure, element), row_around(structure, element))
        else {
            continue;
        };
        rows.insert(row);
        for run in &group.runs {
            place_of.entry(cell).and_modify(|rect| *rect = rect.union(run.rect)).or_insert(run.rect);
        }
    }
    let (mut n_pairs, mut n_backwards) = (0_usize, 0_usize);
    for row in rows.iter().filter_map(|row| structure.element(*row)) {
        let placed: Vec<&Rect> = row.cells.iter().filter_map(|cell| place_of.get(cell)).collect();
        for pair in placed.windows(2) {
            if let [left, right] = pair {
                n_pairs += 1;
                n_backwards += usize::from(right.x1 < left.x0);
            }
        }
    }
    // A table in a script from right to left has all of its cells the other way round.
    n_backwards * 20 <= n_pairs || n_backwards * 20 >= n_pairs * 19
}

/// The page's tables by their elements. What is a table only for the layout of the page is not among them.
fn tables(
    structure: &Structure<'_>,
    groups: &[Group],
    page: PageNumber,
) -> FxHashMap<ElementId, Option<Cells>> {
    let mut of_table: FxHashMap<ElementId, Vec<&Group>> = FxHashMap::default();
    for group in groups {
        if let Some(table) = group.element.and_then(|element| table_around(structure, element)) {
            of_table.entry(table).or_default().push(group);
        }
    }
    let table = |(id, groups): (ElementId, Vec<&Group>)| {
        let cells = table(structure, id, &groups, page)?;
        Some((id, Some(cells)))
    };
    of_table.into_iter().filter_map(table).collect()
}

fn table(structure: &Structure<'_>, table: ElementId, groups: &[&Group], page: PageNumber) -> Option<Cells> {
    let mut texts: FxHashMap<ElementId, (CellText, Rect)> = FxHashMap::default();
    let mut rows: Vec<ElementId> = Vec::new();
    for group in groups {
        let element = group.element?;
        let (cell, row) = (cell_around(structure, element)?, row_around(structure, element)?);
        let is_heading =
            structure.around(element).any(|(_, element)| matches!(element.role, Role::Heading(_)));
        if is_heading {
            return None;
        }
        if !rows.contains(&row) {
            rows.push(row);
        }
        for run in &group.runs {
            let (text, rect) = texts.entry(cell).or_insert_with(|| (CellText::default(), run.rect));
            *rect = rect.union(run.rect);
            for word in &run.words {
                text.push(run.word_text(word), run.v, run.size);
            }
        }
    }
    rows.sort_by_key(|row| structure.path(*row));
    let n_chars = |(text, _): &(CellText, Rect)| text.text.len();
    if texts.values().map(n_chars).max()? > MAX_CELL_CHARS {
        return None;
    }
    let mut cells = Cells { element: Some(table), is_ruled: true, ..Cells::default() };
    // For every column, how many rows below are covered from above.
    let mut covered: Vec<usize> = Vec::new();
    let mut is_head = true;
    for (row_idx, row) in rows.iter().enumerate() {
        let row_element = structure.element(*row)?;
        let mut shown: Vec<String> = Vec::new();
        let mut rect: Option<Rect> = None;
        let skip_covered = |shown: &mut Vec<String>, covered: &mut Vec<usize>| {
            while let Some(n_rows) = covered.get_mut(shown.len()).filter(|n_rows| **n_rows > 0) {
                *n_rows -= 1;
                shown.push(String::new());
            }
        };
        for cell in &row_element.cells {
            skip_covered(&mut shown, &mut covered);
            let element = structure.element(*cell)?;
            let (n_rows, n_columns) = (usize::from(element.n_rows), usize::from(element.n_columns));
            let n_columns = n_columns.min(MAX_COLUMNS.saturating_sub(shown.len())).max(1);
            let n_rows = n_rows.min(rows.len() - row_idx);
            if n_rows > 1 || n_columns > 1 {
                cells.spans.push(Span { row_idx, column_idx: shown.len(), n_rows, n_columns });
            }
            let (text, place) = match texts.get(cell) {
                Some((text, place)) => (text.text.clone(), Some(*place)),
                None => (String::new(), None),
            };
            rect = place.map(|place| rect.map_or(place, |rect| rect.union(place))).or(rect);
            for column in 0..n_columns {
                let at = shown.len();
                if covered.len() <= at {
                    covered.resize(at + 1, 0);
                }
                if let Some(covered) = covered.get_mut(at) {
                    *covered = n_rows - 1;
                }
                shown.push(if column == 0 { text.clone() } else { String::new() });
            }
        }
        skip_covered(&mut shown, &mut covered);
        is_head &= is_header(structure, row_element, &texts);
        cells.n_header_rows += usize::from(is_head);
        let rect = rect?;
        cells.rect = if row_idx == 0 { rect } else { cells.rect.union(rect) };
        cells.rows.push(CellRow { page, cells: shown, rect });
    }
    let n_columns = cells.rows.iter().map(|row| row.cells.len()).max()?;
    if !(MIN_COLUMNS..=MAX_COLUMNS).contains(&n_columns) {
        return None;
    }
    // A table without any header cell says nothing of its header: as in other tables, that is then the first row.
    let has_header_cells = rows.iter().filter_map(|row| structure.element(*row)).any(|row| {
        let cells = row.cells.iter().filter_map(|cell| structure.element(*cell));
        cells.into_iter().any(|cell| cell.role == Role::HeaderCell)
    });
    if !has_header_cells && cells.n_header_rows == 0 {
        cells.n_header_rows = 1;
    }
    Some(cells)
}

/// Whether a row is one of the table's head: it stands there, or its cells are headers of columns.
fn is_header(
    structure: &Structure<'_>,
    row: &Element,
    texts: &FxHashMap<ElementId, (CellText, Rect)>,
) -> bool {
    let parent = row.parent.and_then(|parent| structure.element(parent));
    if parent.is_some_and(|parent| parent.role == Role::Head) {
        return true;
    }
    let mut filled = row.cells.iter().filter(|cell| texts.contains_key(cell)).peekable();
    filled.peek().is_some()
        && filled
            .filter_map(|cell| structure.element(*cell))
            .all(|cell| cell.role == Role::HeaderCell && !cell.heads_row)
}

/// A page being laid out.
struct Layout<'s, 'a> {
    structure: &'s Structure<'a>,
    page: PageNumber,
    rules: &'s [crate::glyph::Rule],
    trusts_headings: bool,
    /// How many items of each list stand on the page.
    n_items: FxHashMap<ElementId, usize>,
    pieces: Vec<Piece>,
    /// The label of the item or note that comes next, with the element it belongs to.
    label: Option<(ElementId, Vec<Run>)>,
}

impl Layout<'_, '_> {
    fn figure(&mut self, figure: Figure) {
        self.pieces.push(Piece::Figure { text: figure.text, page: self.page, rect: figure.rect });
    }

    fn group(&mut self, group: Group, open: &mut OpenItems) {
        let Some(id) = group.element else { return self.by_geometry(group.runs) };
        let Some(element) = self.structure.element(id) else { return self.by_geometry(group.runs) };
        if element.role == Role::Label
            && let Some(parent) = element.parent
        {
            self.flush_label();
            self.label = Some((parent, group.runs));
            return;
        }
        let item = ancestor(
            self.structure,
            id,
            |role| role == Role::Item,
            |role| matches!(role, Role::Table | Role::Note | Role::Caption),
        );
        let kind = match (element.role, item) {
            (Role::Heading(_) | Role::Title, _) if !self.trusts_headings => Kind::Text,
            (Role::Heading(level), _) => Kind::Heading(level.unwrap_or_else(|| self.level_of_section(id))),
            (Role::Title, _) => Kind::Heading(1),
            (Role::Caption, _) => Kind::Caption,
            (Role::Code, _) => Kind::Code,
            (Role::Note, _) => Kind::Note { label: self.take_label(id) },
            (Role::Group | Role::Section | Role::Figure, None) => return self.by_geometry(group.runs),
            (_, Some(item)) if self.is_title(item, &group.runs) && !open.begun.contains(&item) => {
                let mut runs = self.label.take().map(|(_, runs)| runs).unwrap_or_default();
                runs.extend(group.runs);
                return self.by_geometry(runs);
            }
            (_, Some(item)) if open.begun.insert(item) => {
                let lists = self.structure.around(item).filter(|(_, element)| element.role == Role::List);
                let depth = lists.count().saturating_sub(1).min(9) as u8;
                let label = self.take_label(item);
                Kind::Item { depth, label }
            }
            _ if self.is_quoted(id) => Kind::Quote,
            _ => Kind::Text,
        };
        self.flush_label();
        self.text(group.runs, Tagged { element: id, kind });
    }

    /// Whether an item is the only one of its list, numbered and bold: Word tags numbered titles so that are not made
    /// as headings.
    fn is_title(&self, item: ElementId, runs: &[Run]) -> bool {
        let list = self.structure.element(item).and_then(|element| element.parent);
        let is_numbered = self.label.as_ref().is_some_and(|(owner, label)| {
            *owner == item && label.iter().any(|run| run.text.chars().any(char::is_alphanumeric))
        });
        is_numbered
            && runs.iter().all(|run| run.style.is_bold)
            && list.is_some_and(|list| self.n_items.get(&list) == Some(&1))
    }

    fn is_quoted(&self, id: ElementId) -> bool {
        ancestor(self.structure, id, |role| role == Role::Quote, |role| role == Role::Table).is_some()
    }

    /// The level of a heading that has none of its own: how many sections it stands in.
    fn level_of_section(&self, id: ElementId) -> u8 {
        let sections = self.structure.around(id).filter(|(_, element)| element.role == Role::Section);
        sections.count().clamp(1, 6) as u8
    }

    /// The label that stands before the text of this element.
    fn take_label(&mut self, owner: ElementId) -> String {
        match self.label.take_if(|(parent, _)| *parent == owner) {
            Some((_, runs)) => {
                let texts: Vec<&str> = runs.iter().map(|run| run.text.trim()).collect();
                texts.join(" ")
            }
            None => String::new(),
        }
    }

    /// A label without a text of its own is text.
    fn flush_label(&mut self) {
        if let Some((_, runs)) = self.label.take() {
            self.by_geometry(runs);
        }
    }

    fn by_geometry(&mut self, runs: Vec<Run>) {
        let mut open: Vec<Line> = Vec::new();
        for item in items(runs, self.rules, self.page) {
            match item {
                Item::Line(line) => open.push(line),
                Item::Table(cells) => {
                    let above = paragraphs(std::mem::take(&mut open), self.page);
                    self.pieces.extend(above.into_iter().map(Piece::Paragraph));
                    self.pieces.push(Piece::Table(cells, self.page));
                }
            }
        }
        self.pieces.extend(paragraphs(open, self.page).into_iter().map(Piece::Paragraph));
    }

    /// One paragraph, unless it surely is several.
    fn text(&mut self, runs: Vec<Run>, tagged: Tagged) {
        let lines = lines(runs);
        if tagged.kind == Kind::Text {
            let parts = paragraphs(lines.clone(), self.page);
            if is_several(&lines, &parts) {
                self.pieces.extend(parts.into_iter().map(Piece::Paragraph));
                return;
            }
        }
        let last = match self.pieces.last_mut() {
            Some(Piece::Paragraph(last)) => Some(last),
            _ => None,
        };
        let gap_above = last.as_ref().zip(lines.first()).and_then(|(last, line)| {
            let last = last.lines.last()?;
            (last.direction == line.direction).then_some(last.v - line.v)
        });
        let Some(paragraph) = Paragraph::of_lines(lines, self.page, gap_above, tagged) else { return };
        // Word makes a paragraph of every line of code.
        if let Some(last) = last
            && last.style.is_monospace
            && paragraph.style.is_monospace
            && is_code(last)
            && is_code(&paragraph)
            && gap_above.is_some_and(|gap| (0.0..2.0 * paragraph.size).contains(&gap))
        {
            last.extend(paragraph.lines);
            return;
        }
        self.pieces.push(Piece::Paragraph(paragraph));
    }
}

fn is_code(paragraph: &Paragraph) -> bool {
    paragraph.tagged.as_ref().is_some_and(|tagged| matches!(tagged.kind, Kind::Text | Kind::Code))
}

/// Whether what is tagged as one paragraph is not: of two sizes, with a gap that no paragraph has, or a whole page.
fn is_several(lines: &[Line], parts: &[Paragraph]) -> bool {
    if parts.len() < 2 {
        return false;
    }
    let is_apart = |pair: &[Line]| {
        let [above, below] = pair else { return false };
        let size = above.size.max(below.size);
        let is_long = |line: &Line| line.text.len() >= 10;
        let differs = (above.size - below.size).abs() > 0.25 * size && is_long(above) && is_long(below);
        above.direction == below.direction && (differs || above.v - below.v > 2.4 * size)
    };
    lines.windows(2).any(is_apart) || lines.len() > MAX_SURE_LINES && parts.len() >= 4
}
