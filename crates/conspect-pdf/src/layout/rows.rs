//! Tables without a grid: text that stands in columns over several rows.
//!
//! Producers write a table row by row and, within a row, cell by cell. So a row shows in the content as a jump back up
//! and to the right: the next cell begins beside the first line of the cell before.

use conspect_model::{PageNumber, Rect};

use super::runs::Run;
use super::tables::{CellRow, CellText, Cells};
use crate::glyph::Rule;

/// More lines than this in one cell, and it is a column of text.
const MAX_CELL_LINES: usize = 12;
const MAX_COLUMNS: usize = 40;
const MAX_TRIED_ROWS: usize = 64;

/// A stretch of a page's runs.
pub(crate) enum Part {
    Flow(Vec<Run>),
    Table(Cells),
}

/// One row: for every cell the range of its runs.
#[derive(Clone, Debug)]
struct Row {
    cells: Vec<Cell>,
    start: usize,
    end: usize,
}

#[derive(Clone, Debug)]
struct Cell {
    start: usize,
    end: usize,
    u0: f32,
    u1: f32,
}

/// Parts runs, in content order, into tables and the rest.
pub(crate) fn parts(runs: Vec<Run>, rules: &[Rule], page: PageNumber) -> Vec<Part> {
    let written = rows(&runs);
    let runs = columns_apart(runs, &written);
    let rows = self::rows(&runs);
    let mut tables: Vec<(usize, usize, Cells)> = Vec::new();
    let mut idx = 0;
    while idx < rows.len() {
        let n_rows = n_aligned(&rows[idx..], &runs);
        match table(&rows[idx..idx + n_rows], &runs, rules, page) {
            Some(cells) => {
                let (first, last) = (&rows[idx], &rows[idx + n_rows - 1]);
                tables.push((first.start, last.end, cells));
                idx += n_rows;
            }
            // A part of the rows may still be a table; of very many rows, that is not worth looking at each.
            None if n_rows > MAX_TRIED_ROWS => idx += n_rows,
            None => idx += 1,
        }
    }
    let mut parts = Vec::new();
    let mut flow: Vec<Run> = Vec::new();
    let mut tables = tables.into_iter().peekable();
    for (idx, run) in runs.into_iter().enumerate() {
        while tables.peek().is_some_and(|(_, end, _)| idx >= *end) {
            tables.next();
        }
        match tables.peek_mut() {
            Some((start, _, cells)) if idx == *start => {
                if !flow.is_empty() {
                    parts.push(Part::Flow(std::mem::take(&mut flow)));
                }
                parts.push(Part::Table(std::mem::take(cells)));
            }
            Some((start, end, _)) if (*start..*end).contains(&idx) => {}
            _ => flow.push(run),
        }
    }
    if !flow.is_empty() {
        parts.push(Part::Flow(flow));
    }
    parts
}

/// Running text in two columns that was written line by line across both: the left column first, then the right one.
/// Only the order within the rows changes, and so do not the rows.
fn columns_apart(mut runs: Vec<Run>, rows: &[Row]) -> Vec<Run> {
    let mut idx = 0;
    while idx < rows.len() {
        let n_rows = n_aligned(&rows[idx..], &runs);
        let group = &rows[idx..idx + n_rows];
        if n_rows >= 3 && runs_on(group, &runs) {
            let of_column = |column: usize| {
                group
                    .iter()
                    .filter_map(move |row| row.cells.get(column))
                    .flat_map(|cell| cell.start..cell.end)
            };
            let order: Vec<usize> = of_column(0).chain(of_column(1)).collect();
            let start = group.first().map_or(0, |row| row.start);
            let ordered: Vec<Run> = order.iter().filter_map(|&idx| runs.get(idx)).cloned().collect();
            let end = start + ordered.len();
            runs.splice(start..end, ordered);
        }
        idx += n_rows;
    }
    runs
}

/// Whether the text of both columns runs on from row to row in the middle of sentences.
fn runs_on(rows: &[Row], runs: &[Run]) -> bool {
    let goes_on = |column: usize| {
        let texts = rows.iter().filter_map(|row| runs.get(row.cells.get(column)?.start));
        let texts: Vec<&Run> = texts.collect();
        let n_on = texts.windows(2).filter(|pair| {
            let [above, below] = pair else { return false };
            above.words.len() >= 3
                && below.text.starts_with(char::is_lowercase)
                && !above.text.ends_with(['.', ':', ';', '!', '?'])
        });
        n_on.count() * 2 >= texts.len().saturating_sub(1)
    };
    rows.iter().all(|row| row.cells.len() == 2) && goes_on(0) && goes_on(1)
}

/// All rows with at least two cells, in order.
fn rows(runs: &[Run]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut idx = 0;
    while idx < runs.len() {
        match row(runs, idx) {
            Some(row) => {
                idx = row.end;
                rows.push(row);
            }
            None => idx += 1,
        }
    }
    rows
}

/// The row whose first cell begins at this run, if one does.
fn row(runs: &[Run], start: usize) -> Option<Row> {
    let first = runs.get(start)?;
    if first.direction != 0 {
        return None;
    }
    let mut cells: Vec<Cell> = Vec::new();
    let mut cell = Cell { start, end: start + 1, u0: first.u0, u1: first.u1 };
    loop {
        let last = runs.get(cell.end - 1)?;
        let Some(next) = runs.get(cell.end).filter(|next| next.direction == 0) else { break };
        if is_under(&cell, last, next)
            && cell.end - cell.start < MAX_CELL_LINES
            && !starts_row(runs, cell.end, cells.is_empty())
        {
            cell.u0 = cell.u0.min(next.u0);
            cell.u1 = cell.u1.max(next.u1);
            cell.end += 1;
        } else if is_beside(&cell, &runs[start..cell.end], next) && cells.len() < MAX_COLUMNS {
            let end = cell.end;
            cells.push(cell);
            cell = Cell { start: end, end: end + 1, u0: next.u0, u1: next.u1 };
        } else {
            break;
        }
    }
    let end = cell.end;
    cells.push(cell);
    (cells.len() >= 2).then_some(Row { cells, start, end })
}

/// Whether the run is a further line of the cell.
fn is_under(cell: &Cell, last: &Run, next: &Run) -> bool {
    let size = last.size.max(next.size);
    let down = last.v - next.v;
    // On the same baseline within a cell: the rest of a line in another font.
    if down.abs() < 0.3 * size {
        return next.u0 >= last.u1 - 0.2 * size && next.u0 - last.u1 < 0.8 * size;
    }
    (0.5 * size..1.75 * size).contains(&down)
        && next.u0 < cell.u1
        && next.u1 > cell.u0
        && (next.size - last.size).abs() < 0.25 * size
}

/// Whether the run begins a cell to the right of this one. Cells of a row need not begin at the same height: they may be
/// aligned at their feet.
fn is_beside(cell: &Cell, row: &[Run], next: &Run) -> bool {
    let size = row.iter().map(|run| run.size).fold(next.size, f32::max);
    let top = row.iter().map(|run| run.v).fold(f32::NEG_INFINITY, f32::max);
    let bottom = row.iter().map(|run| run.v).fold(f32::INFINITY, f32::min);
    (bottom - 0.45 * size..top + 2.6 * size).contains(&next.v) && next.u0 > cell.u1 + 0.35 * size
}

/// Whether the run under the first cell is not its second line but begins the next row: something follows beside it.
fn starts_row(runs: &[Run], idx: usize, is_first_cell: bool) -> bool {
    if !is_first_cell {
        return false;
    }
    let (Some(this), Some(next)) = (runs.get(idx), runs.get(idx + 1)) else { return false };
    let size = this.size.max(next.size);
    (next.v - this.v).abs() < 0.3 * size && next.u0 > this.u1 + 0.8 * size
}

/// How many of the rows, from the first on, stand under one another in the same columns.
fn n_aligned(rows: &[Row], runs: &[Run]) -> usize {
    let mut n_rows = 1;
    let Some(first) = rows.first() else { return 0 };
    let mut columns: Vec<(f32, f32)> = first.cells.iter().map(|cell| (cell.u0, cell.u1)).collect();
    while let (Some(above), Some(below)) = (rows.get(n_rows - 1), rows.get(n_rows)) {
        if above.end != below.start || !is_next(above, below, runs) || !fits(&columns, below) {
            break;
        }
        for cell in &below.cells {
            match columns.iter_mut().find(|(u0, u1)| cell.u0 < *u1 && cell.u1 > *u0) {
                Some((u0, u1)) => (*u0, *u1) = (u0.min(cell.u0), u1.max(cell.u1)),
                None => columns.push((cell.u0, cell.u1)),
            }
        }
        n_rows += 1;
        if columns.len() > MAX_COLUMNS {
            break;
        }
    }
    n_rows
}

/// Whether the second row stands right under the first.
fn is_next(above: &Row, below: &Row, runs: &[Run]) -> bool {
    let lowest = runs[above.start..above.end].iter().map(|run| run.v).fold(f32::INFINITY, f32::min);
    let (Some(last), Some(next)) = (runs.get(above.start), runs.get(below.start)) else { return false };
    let size = last.size.max(next.size);
    (0.4 * size..4.0 * size).contains(&(lowest - next.v)) && (last.size - next.size).abs() < 0.3 * size
}

/// Whether no cell of the row reaches over two columns.
fn fits(columns: &[(f32, f32)], row: &Row) -> bool {
    row.cells.iter().all(|cell| columns.iter().filter(|(u0, u1)| cell.u0 < *u1 && cell.u1 > *u0).count() <= 1)
}

/// The table that the rows make, if they are one.
fn table(rows: &[Row], runs: &[Run], rules: &[Rule], page: PageNumber) -> Option<Cells> {
    let mut columns = columns(rows);
    columns.sort_by(|a, b| a.0.total_cmp(&b.0));
    if columns.len() < 2 || columns.len() > MAX_COLUMNS {
        return None;
    }
    let rect_of = |row: &Row| {
        let rects = runs[row.start..row.end].iter().map(|run| run.rect);
        rects.reduce(Rect::union).unwrap_or_default()
    };
    let rect = rows.iter().map(rect_of).reduce(Rect::union)?;
    let n_rules = n_rules_across(rules, rect);
    // Two lines with a gap at the same place are chance; three are a table, and so are two between drawn lines.
    let is_table = rows.len() >= 3 || rows.len() == 2 && n_rules >= 2 || rows.len() == 1 && n_rules >= 3;
    if !is_table || is_prose(rows, runs) || is_list(rows, runs) || n_rules < 2 && is_spaced_text(rows, runs) {
        return None;
    }
    let cell_rows = rows.iter().map(|row| {
        let mut texts = vec![CellText::default(); columns.len()];
        for cell in &row.cells {
            let middle = (cell.u0 + cell.u1) / 2.0;
            let nearest = columns.iter().position(|(u0, u1)| middle >= *u0 && middle <= *u1);
            let Some(text) = nearest.and_then(|column| texts.get_mut(column)) else { continue };
            for run in &runs[cell.start..cell.end] {
                text.push(&run.text, run.v, run.size);
            }
        }
        CellRow { page, cells: texts.into_iter().map(|text| text.text).collect(), rect: rect_of(row) }
    });
    let lefts = columns.iter().map(|(u0, _)| *u0).collect();
    Some(Cells { rows: cell_rows.collect(), n_header_rows: 1, rect, lefts, ..Cells::default() })
}

/// The horizontal extents that no row's cells cross.
fn columns(rows: &[Row]) -> Vec<(f32, f32)> {
    let mut columns: Vec<(f32, f32)> =
        rows.iter().flat_map(|row| row.cells.iter().map(|cell| (cell.u0, cell.u1))).collect();
    columns.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut merged: Vec<(f32, f32)> = Vec::new();
    for (u0, u1) in columns {
        match merged.last_mut() {
            Some(last) if u0 < last.1 => last.1 = last.1.max(u1),
            _ => merged.push((u0, u1)),
        }
    }
    merged
}

/// How many rules run across most of the rectangle, at its edges or inside.
fn n_rules_across(rules: &[Rule], rect: Rect) -> usize {
    let crosses = |rule: &&Rule| {
        rule.is_horizontal
            && rule.from < rect.x0 + 0.25 * rect.width()
            && rule.to > rect.x1 - 0.25 * rect.width()
            && (rect.y0 - 12.0..rect.y1 + 12.0).contains(&rule.at)
    };
    let mut ats: Vec<f32> = rules.iter().filter(crosses).map(|rule| rule.at).collect();
    ats.sort_by(f32::total_cmp);
    ats.dedup_by(|a, b| (*a - *b).abs() < 3.0);
    ats.len()
}

/// Whether two columns hold running text: two-column pages written line by line.
fn is_prose(rows: &[Row], runs: &[Run]) -> bool {
    let mut n_long = 0;
    let mut n_cells = 0;
    for row in rows {
        for cell in &row.cells {
            n_cells += 1;
            let n_words: usize = runs[cell.start..cell.end].iter().map(|run| run.words.len()).sum();
            let n_lines = cell.end - cell.start;
            n_long += usize::from(n_lines == 1 && n_words >= 6);
        }
    }
    rows.iter().all(|row| row.cells.len() == 2) && n_long * 10 > n_cells * 6
}

/// Whether the gaps between most cells are no wider than blanks between words: every word was placed by itself, as text
/// recognition does.
fn is_spaced_text(rows: &[Row], runs: &[Run]) -> bool {
    let gaps = rows.iter().flat_map(|row| row.cells.windows(2)).filter_map(|pair| {
        let [left, right] = pair else { return None };
        Some((right.u0 - left.u1) / runs.get(right.start)?.size.max(1.0))
    });
    let mut gaps: Vec<f32> = gaps.collect();
    gaps.sort_by(f32::total_cmp);
    gaps.get(gaps.len() / 2).is_some_and(|middle| *middle < 0.7)
}

/// Whether the first column holds nothing but bullets or numbers.
fn is_list(rows: &[Row], runs: &[Run]) -> bool {
    rows.iter().all(|row| {
        row.cells.len() == 2
            && row.cells.first().is_some_and(|cell| {
                cell.end - cell.start == 1
                    && runs.get(cell.start).is_some_and(|run| super::labels::is_label(&run.text))
            })
    })
}
