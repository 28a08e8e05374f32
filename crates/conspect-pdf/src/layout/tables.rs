//! Tables of a page: ruled ones from the grid, others from text that stands in columns.

use conspect_model::{PageNumber, Rect, Span};

use rustc_hash::{FxHashMap, FxHashSet};

use super::grid::{Grid, grids};
use super::labels::is_label;
use super::lines::{Line, lines};
use super::rows;
use super::runs::Run;
use crate::glyph::Rule;
use crate::structure::ElementId;
use crate::unicode::joins_without_blank;

/// A page with more labels drawn apart is no page of lists.
const MAX_LABELS: usize = 500;

/// Rows of columns inside one cell that tell a frame from a table.
const MIN_INNER_ROWS: usize = 3;
/// How far apart columns begin in rows that are aligned, in points.
const ALIGNED: f32 = 2.0;
/// How many lines of a cell are looked at for one that a run belongs to.
const MAX_LINES_BACK: usize = 64;

/// What stands on a page, in reading order.
pub(crate) enum Item {
    Line(Line),
    Table(Cells),
}

/// A table before it becomes a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    pub rows: Vec<CellRow>,
    pub n_header_rows: usize,
    pub rect: Rect,
    /// Where its columns begin, to know its continuation.
    pub lefts: Vec<f32>,
    /// Whether lines on the page draw it.
    pub is_ruled: bool,
    /// Cells that cover more than one place.
    pub spans: Vec<Span>,
    /// The table that it is, or a part of, in the file's structure.
    pub element: Option<ElementId>,
}

#[derive(Clone, Debug)]
pub(crate) struct CellRow {
    pub page: PageNumber,
    pub cells: Vec<String>,
    pub rect: Rect,
}

/// Parts the runs of a page into tables and lines.
pub(crate) fn items(mut runs: Vec<Run>, rules: &[Rule], page: PageNumber) -> Vec<Item> {
    put_labels_first(&mut runs);
    let grids = grids(rules);
    let in_grid: Vec<Option<usize>> = runs.iter().map(|run| grid_of(&grids, run)).collect();
    let mut tables: Vec<Option<Cells>> = grids
        .iter()
        .enumerate()
        .map(|(grid_idx, grid)| {
            let of_grid = runs.iter().zip(&in_grid).filter(|(_, idx)| **idx == Some(grid_idx));
            let of_grid: Vec<&Run> = of_grid.map(|(run, _)| run).collect();
            if holds_rows_of_columns(grid, &of_grid) { None } else { ruled(grid, &of_grid, page) }
        })
        .collect();
    let is_table: Vec<bool> = tables.iter().map(Option::is_some).collect();
    let mut items = Vec::new();
    let mut free: Vec<Run> = Vec::new();
    for (run, grid_idx) in runs.into_iter().zip(in_grid) {
        match grid_idx.filter(|&idx| is_table.get(idx) == Some(&true)) {
            None => free.push(run),
            Some(idx) => {
                if let Some(table) = tables.get_mut(idx).and_then(Option::take) {
                    flow(std::mem::take(&mut free), rules, page, &mut items);
                    items.push(Item::Table(table));
                }
            }
        }
    }
    flow(free, rules, page, &mut items);
    items
}

/// Moves list labels that were drawn apart from their items to right before them.
fn put_labels_first(runs: &mut Vec<Run>) {
    let is_before = |label: &Run, item: &Run| {
        let gap = item.u0 - label.u1;
        item.direction == label.direction
            && (item.v - label.v).abs() < 0.3 * item.size
            && (-0.2 * item.size..4.0 * item.size).contains(&gap)
    };
    let is_apart = |idx: usize, run: &Run| {
        is_label(&run.text) && runs.get(idx + 1).is_none_or(|next| !is_before(run, next))
    };
    let apart: Vec<usize> =
        runs.iter().enumerate().filter(|(idx, run)| is_apart(*idx, run)).map(|(idx, _)| idx).collect();
    if apart.is_empty() || apart.len() > MAX_LABELS {
        return;
    }
    // For every run the labels that belong before it.
    let mut labels_of: FxHashMap<usize, usize> = FxHashMap::default();
    for label_idx in apart {
        let Some(label) = runs.get(label_idx) else { continue };
        let items = runs.iter().enumerate().filter(|(idx, item)| *idx != label_idx && is_before(label, item));
        if let Some((item_idx, _)) = items.min_by(|a, b| a.1.u0.total_cmp(&b.1.u0)) {
            labels_of.insert(item_idx, label_idx);
        }
    }
    let moved: FxHashSet<usize> = labels_of.values().copied().collect();
    let mut ordered = Vec::with_capacity(runs.len());
    for (idx, run) in runs.iter().enumerate() {
        if moved.contains(&idx) {
            continue;
        }
        if let Some(label) = labels_of.get(&idx).and_then(|&label_idx| runs.get(label_idx)) {
            ordered.push(label.clone());
        }
        ordered.push(run.clone());
    }
    *runs = ordered;
}

/// Runs outside grids: tables where they stand in columns, lines otherwise.
fn flow(runs: Vec<Run>, rules: &[Rule], page: PageNumber, items: &mut Vec<Item>) {
    for part in rows::parts(runs, rules, page) {
        match part {
            rows::Part::Flow(runs) => items.extend(lines(runs).into_iter().map(Item::Line)),
            rows::Part::Table(cells) => items.push(Item::Table(cells)),
        }
    }
}

fn grid_of(grids: &[Grid], run: &Run) -> Option<usize> {
    if run.direction != 0 {
        return None;
    }
    let (x, y) = ((run.u0 + run.u1) / 2.0, run.v + 0.3 * run.size);
    // The smallest grid around it: a table inside a frame is the table.
    let area = |grid: &Grid| {
        let width = grid.xs.last().unwrap_or(&0.0) - grid.xs.first().unwrap_or(&0.0);
        let height = grid.ys.first().unwrap_or(&0.0) - grid.ys.last().unwrap_or(&0.0);
        width * height
    };
    let around = grids.iter().enumerate().filter(|(_, grid)| grid.holds(x, y));
    around.min_by(|a, b| area(a.1).total_cmp(&area(b.1))).map(|(idx, _)| idx)
}

/// The runs of a cell that stand on one line, and how high that is.
type Baseline<'r> = (f32, Vec<&'r Run>);

/// Whether a cell holds rows of text in columns of their own. The lines are then a frame around a form, or around parts
/// of a table, and what stands in columns is told better without them.
fn holds_rows_of_columns(grid: &Grid, runs: &[&Run]) -> bool {
    let mut lines_of: FxHashMap<(usize, usize), Vec<Baseline<'_>>> = FxHashMap::default();
    for &run in runs {
        let (row, column) = grid.place((run.u0 + run.u1) / 2.0, run.v + 0.3 * run.size);
        let lines = lines_of.entry(grid.merged(row, column)).or_default();
        match lines.iter_mut().rev().take(MAX_LINES_BACK).find(|(v, _)| (v - run.v).abs() < 0.4 * run.size) {
            Some((_, line)) => line.push(run),
            None => lines.push((run.v, vec![run])),
        }
    }
    lines_of.values().any(|lines| {
        let mut seconds: Vec<f32> = Vec::new();
        for (_, line) in lines {
            let first = line.iter().min_by(|a, b| a.u0.total_cmp(&b.u0));
            let after = first.and_then(|first| {
                let after = line.iter().filter(|run| run.u0 > first.u1).map(|run| run.u0);
                after.reduce(f32::min).filter(|_| !is_label(&first.text))
            });
            seconds.extend(after);
        }
        seconds.sort_by(f32::total_cmp);
        let is_aligned = seconds
            .windows(MIN_INNER_ROWS)
            .any(|few| few.first().zip(few.last()).is_some_and(|(first, last)| last - first < ALIGNED));
        is_aligned && seconds.len() * 2 >= lines.len()
    })
}

/// The table that a grid and the text in it make, if it is one.
fn ruled(grid: &Grid, runs: &[&Run], page: PageNumber) -> Option<Cells> {
    if grid.n_columns() < 2 || grid.n_rows() > 2000 || grid.n_columns() > 100 {
        return None;
    }
    let mut texts: Vec<Vec<CellText>> = vec![vec![CellText::default(); grid.n_columns()]; grid.n_rows()];
    for run in runs {
        for word in &run.words {
            let (row, column) = grid.place((word.u0 + word.u1) / 2.0, run.v + 0.3 * run.size);
            let (row, column) = grid.merged(row, column);
            if let Some(cell) = texts.get_mut(row).and_then(|cells| cells.get_mut(column)) {
                cell.push(run.word_text(word), run.v, run.size);
            }
        }
    }
    let filled_columns = (0..grid.n_columns())
        .filter(|&column| texts.iter().any(|row| row.get(column).is_some_and(|cell| !cell.text.is_empty())));
    let filled_columns: Vec<usize> = filled_columns.collect();
    let n_full_rows =
        texts.iter().filter(|row| row.iter().filter(|cell| !cell.text.is_empty()).count() >= 2).count();
    if filled_columns.len() < 2 || n_full_rows < 2 && grid.n_rows() > 1 || n_full_rows == 0 {
        return None;
    }
    let (left, right) = (*grid.xs.first()?, *grid.xs.last()?);
    let mut rows = Vec::new();
    for (row_idx, row) in texts.iter().enumerate() {
        if row.iter().all(|cell| cell.text.is_empty()) {
            continue;
        }
        let rect = Rect { x0: left, y0: *grid.ys.get(row_idx + 1)?, x1: right, y1: *grid.ys.get(row_idx)? };
        let cells = filled_columns
            .iter()
            .filter_map(|&column| row.get(column))
            .map(|cell| cell.text.clone())
            .collect();
        rows.push(CellRow { page, cells, rect });
    }
    let rect = Rect { x0: left, y0: *grid.ys.last()?, x1: right, y1: *grid.ys.first()? };
    let lefts = filled_columns.iter().filter_map(|&column| grid.xs.get(column).copied()).collect();
    Some(Cells { rows, n_header_rows: 1, rect, lefts, is_ruled: true, ..Cells::default() })
}

/// The text of a cell, gathered word by word.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellText {
    pub text: String,
    v: f32,
    size: f32,
}

impl CellText {
    /// Adds a word; lines of the cell are joined, a word divided at a line's end made whole.
    pub(crate) fn push(&mut self, word: &str, v: f32, size: f32) {
        if !self.text.is_empty() {
            let is_new_line = (self.v - v).abs() > 0.5 * size.max(self.size);
            if is_new_line { join_wrapped(&mut self.text, word) } else { self.text.push(' ') }
        }
        self.text.push_str(word);
        self.v = v;
        self.size = size;
    }
}

/// Makes the end of a line ready for the next line's text: a blank, nothing after a division, nothing in scripts
/// without blanks.
pub(crate) fn join_wrapped(text: &mut String, next: &str) {
    let starts_lower = next.chars().next().is_some_and(char::is_lowercase);
    if text.ends_with('\u{ad}') {
        text.pop();
        return;
    }
    if text.ends_with('-') {
        let is_word = text.chars().rev().nth(1).is_some_and(char::is_alphabetic);
        if is_word && starts_lower {
            text.pop();
        }
        return;
    }
    let last = text.chars().next_back();
    let first = next.chars().next();
    if last.is_some_and(joins_without_blank) && first.is_some_and(joins_without_blank) {
        return;
    }
    text.push(' ');
}
