//! Finds the tables of a sheet: what the workbook calls a table, else islands of cells with blank rows or columns
//! around them. Where that is not clear, a sheet is one table.

use std::ops::Range;

use conspect_model::{Block, BlockKind, Notice, NoticeKind, Origin, SheetNumber, Span, Table};

use crate::workbook::cells::{Area, CellKind, CellRef, SheetCells};
use crate::workbook::sheet::{DefinedTable, Sheet};

/// How many rows below a header are looked at.
const N_SAMPLE_ROWS: usize = 20;
/// A header taller than this is none.
const MAX_HEADER_ROWS: usize = 6;
/// Lines above a table that are its title and remarks.
const MAX_TITLE_ROWS: usize = 6;
/// Lists of lines no longer than this are text, longer ones a table of one column.
const MAX_LOOSE_ROWS: usize = 3;
/// More merged cells than these are not told.
const MAX_SPANS: usize = 100_000;
/// More defined tables than these are read as if they were none.
const MAX_TABLES: usize = 64;

/// A sheet as blocks.
pub(crate) struct LaidOut {
    pub(crate) blocks: Vec<Block>,
    /// The rectangle that holds everything; `None` where there is nothing.
    pub(crate) used: Option<Area>,
    /// How many cells the tables hold, blank ones included.
    pub(crate) n_cells: usize,
    pub(crate) notices: Vec<Notice>,
}

/// A run of cells without a blank row inside, or several of them that belong together.
#[derive(Clone)]
struct Region {
    area: Area,
    /// Indexes of filled cells; those outside of the area are another region's.
    cells: Range<usize>,
    defined: Option<u32>,
}

/// A sheet, with its merged cells in order so that those of some rows are found at once.
struct Layout<'s> {
    sheet: &'s Sheet,
    /// By top and left.
    merges: Vec<Area>,
    tables: Vec<&'s DefinedTable>,
}

impl<'s> Layout<'s> {
    fn new(sheet: &'s Sheet) -> Layout<'s> {
        let mut merges = sheet.merges.clone();
        merges.sort_by_key(|merge| (merge.top, merge.left));
        merges.truncate(MAX_SPANS);
        let mut tables: Vec<&DefinedTable> = Vec::new();
        for table in sheet.tables.iter().take(MAX_TABLES) {
            if !tables.iter().any(|other| other.area.overlaps(&table.area)) {
                tables.push(table);
            }
        }
        Layout { sheet, merges, tables }
    }

    /// The merged cells that begin in these rows.
    fn merges_from(&self, top: u32, bottom: u32) -> &[Area] {
        let start = self.merges.partition_point(|merge| merge.top < top);
        let end = self.merges.partition_point(|merge| merge.top <= bottom);
        self.merges.get(start..end).unwrap_or_default()
    }

    /// Whether the cell is merged with others to its right, over part of the region's columns.
    fn is_group_name(&self, cell: &CellRef<'_>, region: &Region) -> bool {
        let row = self.merges_from(cell.row, cell.row);
        let merge = row.iter().find(|merge| merge.left == cell.column);
        merge.is_some_and(|merge| merge.right > merge.left && merge.left > region.area.left)
    }
}

/// Lays out the cells of a sheet.
pub(crate) fn lay_out(sheet: &Sheet, number: SheetNumber, max_cells: usize) -> LaidOut {
    let layout = Layout::new(sheet);
    let cells = &sheet.cells;
    let used = extent(cells.range(0..cells.len()));
    let mut laid_out = LaidOut { blocks: Vec::new(), used, n_cells: 0, notices: Vec::new() };
    let mut regions: Vec<Region> =
        layout.tables.iter().filter_map(|table| defined_region(cells, table)).collect();
    for band in join(&layout, bands(&layout)) {
        split_columns(&layout, band, 0, &mut regions);
    }
    regions.sort_by_key(|region| (region.area.top, region.area.left));
    let mut writer = Writer { layout: &layout, number, max_cells, out: &mut laid_out };
    for region in regions {
        writer.write(&region);
    }
    laid_out
}

fn extent<'c>(cells: impl Iterator<Item = CellRef<'c>>) -> Option<Area> {
    let mut extent: Option<Area> = None;
    for cell in cells {
        let area = extent.get_or_insert(Area {
            top: cell.row,
            left: cell.column,
            bottom: cell.row,
            right: cell.column,
        });
        area.top = area.top.min(cell.row);
        area.left = area.left.min(cell.column);
        area.bottom = area.bottom.max(cell.row);
        area.right = area.right.max(cell.column);
    }
    extent
}

/// The index of the first cell at or below a row.
fn first_cell_from(cells: &SheetCells, row: u32) -> usize {
    let (mut low, mut high) = (0, cells.len());
    while low < high {
        let middle = low + (high - low) / 2;
        if cells.get(middle).is_some_and(|cell| cell.row < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn defined_region(cells: &SheetCells, table: &DefinedTable) -> Option<Region> {
    let range =
        first_cell_from(cells, table.area.top)..first_cell_from(cells, table.area.bottom.saturating_add(1));
    let inside = cells.range(range.clone()).filter(|cell| table.area.contains(cell.row, cell.column));
    let filled = extent(inside)?;
    let area = Area { left: table.area.left, right: table.area.right.min(filled.right), ..filled };
    let n_header_rows = if filled.top == table.area.top { table.n_header_rows } else { 0 };
    Some(Region { area, cells: range, defined: Some(n_header_rows) })
}

/// Runs of rows with something in them. A merged cell fills all its rows.
fn bands(layout: &Layout<'_>) -> Vec<Region> {
    let cells = &layout.sheet.cells;
    let mut merges = layout.merges.iter().filter(|area| area.bottom > area.top).peekable();
    let mut filled_to = 0;
    let mut bands: Vec<Region> = Vec::new();
    for idx in 0..cells.len() {
        let is_free = |cell: &CellRef<'_>| {
            !layout.tables.iter().any(|table| table.area.contains(cell.row, cell.column))
        };
        let Some(cell) = cells.get(idx).filter(is_free) else { continue };
        while let Some(merge) = merges.next_if(|merge| merge.top <= cell.row) {
            filled_to = filled_to.max(merge.bottom);
        }
        match bands.last_mut() {
            Some(band) if cell.row <= band.area.bottom.max(filled_to).saturating_add(1) => {
                band.area.bottom = cell.row;
                band.area.left = band.area.left.min(cell.column);
                band.area.right = band.area.right.max(cell.column);
                band.cells.end = idx + 1;
            }
            _ => {
                let area = Area { top: cell.row, left: cell.column, bottom: cell.row, right: cell.column };
                bands.push(Region { area, cells: idx..idx + 1, defined: None });
            }
        }
    }
    bands
}

/// Puts bands together that do not clearly begin a table of their own.
fn join(layout: &Layout<'_>, bands: Vec<Region>) -> Vec<Region> {
    let cells = &layout.sheet.cells;
    let mut joined: Vec<Region> = Vec::new();
    for band in bands {
        let Some(before) = joined.last_mut() else {
            joined.push(band);
            continue;
        };
        let shares_columns = band.area.left <= before.area.right && before.area.left <= band.area.right;
        if begins_table(layout, &band)
            || is_loose_text(cells, before)
            || is_loose_text(cells, &band)
            || !shares_columns
        {
            joined.push(band);
        } else {
            before.area.bottom = band.area.bottom;
            before.area.left = before.area.left.min(band.area.left);
            before.area.right = before.area.right.max(band.area.right);
            before.cells.end = band.cells.end;
        }
    }
    joined
}

/// Whether the region is a few lines of text in one column.
fn is_loose_text(cells: &SheetCells, region: &Region) -> bool {
    if region.defined.is_some() || region.cells.len() > MAX_LOOSE_ROWS {
        return false;
    }
    let mut rows = std::collections::HashSet::new();
    region_cells(cells, region).all(|cell| cell.kind == CellKind::Text && rows.insert(cell.row))
}

/// Whether a region begins, titles aside, with a row of names over rows of values.
fn begins_table(layout: &Layout<'_>, region: &Region) -> bool {
    let rows = sample_rows(&layout.sheet.cells, region, N_SAMPLE_ROWS + MAX_TITLE_ROWS);
    let n_titles = n_title_rows(layout, &rows, region);
    header_of(&rows[n_titles..]) > 0
}

fn region_cells<'c>(cells: &'c SheetCells, region: &'c Region) -> impl Iterator<Item = CellRef<'c>> {
    cells.range(region.cells.clone()).filter(|cell| region.area.contains(cell.row, cell.column))
}

fn sample_rows<'c>(cells: &'c SheetCells, region: &'c Region, n_rows: usize) -> Vec<Vec<CellRef<'c>>> {
    let mut rows: Vec<Vec<CellRef<'c>>> = Vec::new();
    for cell in region_cells(cells, region) {
        let n_so_far = rows.len();
        match rows.last_mut() {
            Some(row) if row[0].row == cell.row => row.push(cell),
            _ if n_so_far == n_rows => break,
            _ => rows.push(vec![cell]),
        }
    }
    rows
}

/// How many of the first rows are titles: one text each, over rows of several cells.
fn n_title_rows(layout: &Layout<'_>, rows: &[Vec<CellRef<'_>>], region: &Region) -> usize {
    if region.defined.is_some() || region.area.left == region.area.right {
        return 0;
    }
    let is_title = |row: &&Vec<CellRef<'_>>| {
        row.len() == 1 && row[0].kind == CellKind::Text && !layout.is_group_name(&row[0], region)
    };
    let n_titles = rows.iter().take_while(is_title).count();
    // Names of one column that has blanks beside it are data, however few.
    if n_titles > MAX_TITLE_ROWS || n_titles == rows.len() { 0 } else { n_titles }
}

/// How many rows at the top are header, by what the cells hold.
fn header_of(rows: &[Vec<CellRef<'_>>]) -> usize {
    let Some((first, below)) = rows.split_first() else { return 0 };
    if below.is_empty() {
        return 0;
    }
    if names_over_values(first, below) {
        return 1;
    }
    // Groups of columns over the names of columns.
    if let [second, rest @ ..] = below
        && first.iter().all(|cell| cell.kind == CellKind::Text)
        && first.len() < second.len()
        && !rest.is_empty()
        && names_over_values(second, rest)
    {
        return 2;
    }
    0
}

fn cell_in<'r, 'c>(row: &'r [CellRef<'c>], column: u32) -> Option<&'r CellRef<'c>> {
    row.binary_search_by_key(&column, |cell| cell.column).ok().and_then(|idx| row.get(idx))
}

/// Whether a row holds names and some column below holds values; or, where all is text, whether it is full and its
/// names are short and different.
fn names_over_values(first: &[CellRef<'_>], below: &[Vec<CellRef<'_>>]) -> bool {
    let is_value =
        |cell: &CellRef<'_>| matches!(cell.kind, CellKind::Number | CellKind::Date | CellKind::Logical);
    let value_below = |column: u32| {
        let column_cells = below.iter().filter_map(|row| cell_in(row, column));
        let (mut n_values, mut n_cells) = (0, 0);
        for cell in column_cells.take(N_SAMPLE_ROWS) {
            n_cells += 1;
            n_values += usize::from(is_value(cell));
        }
        n_values > 0 && n_values * 2 >= n_cells
    };
    let n_columns_below = below.iter().map(Vec::len).max().unwrap_or(0);
    if first.len() * 2 < n_columns_below {
        return false;
    }
    if first.iter().all(|cell| cell.kind == CellKind::Text) {
        if first.iter().any(|cell| value_below(cell.column)) {
            return true;
        }
        let are_short = first.iter().all(|cell| cell.text.chars().count() <= 40 && !cell.text.contains('\n'));
        let are_different = (first.iter().enumerate())
            .all(|(idx, cell)| first[idx + 1..].iter().take(200).all(|other| other.text != cell.text));
        return first.len() >= 2
            && below.len() >= 2
            && first.len() >= n_columns_below
            && are_short
            && are_different;
    }
    // Years as names of columns.
    let is_name = |cell: &CellRef<'_>| {
        let is_year = || cell.text.parse().is_ok_and(|year: u32| (1900..=2100).contains(&year));
        cell.kind == CellKind::Text || (cell.kind == CellKind::Number && is_year())
    };
    let begins_with_text =
        below.iter().all(|row| row.first().is_some_and(|cell| cell.kind == CellKind::Text));
    first.len() >= 2 && first.iter().all(is_name) && begins_with_text
}

/// Splits a region at blank columns where both sides are tables of their own.
fn split_columns(layout: &Layout<'_>, region: Region, depth: usize, regions: &mut Vec<Region>) {
    // Every gap costs a look at all cells; a sheet with more of them is no row of clear tables.
    const MAX_DEPTH: usize = 8;
    const MAX_GAPS: usize = 12;
    const MAX_CELLS: usize = 1_000_000;
    let cells = &layout.sheet.cells;
    let width = (region.area.right - region.area.left + 1) as usize;
    if depth >= MAX_DEPTH
        || region.cells.len() > MAX_CELLS
        || width < 3
        || region.area.bottom == region.area.top
    {
        regions.push(region);
        return;
    }
    let mut is_filled = vec![false; width];
    for cell in region_cells(cells, &region) {
        is_filled[(cell.column - region.area.left) as usize] = true;
    }
    for merge in layout.merges_from(region.area.top, region.area.bottom) {
        let first = merge.left.max(region.area.left);
        for column in first..=merge.right.min(region.area.right) {
            is_filled[(column - region.area.left) as usize] = true;
        }
    }
    let gaps: Vec<usize> = (1..width - 1).filter(|&idx| !is_filled[idx] && is_filled[idx - 1]).collect();
    for gap in gaps.iter().copied().filter(|_| gaps.len() <= MAX_GAPS) {
        let Some(right_start) = (gap..width).find(|&idx| is_filled[idx]) else { break };
        let side = |left: u32, right: u32| {
            let area = Area { left, right, ..region.area };
            let inside =
                cells.range(region.cells.clone()).filter(|cell| area.contains(cell.row, cell.column));
            extent(inside).map(|area| Region { area, cells: region.cells.clone(), defined: None })
        };
        let left = side(region.area.left, region.area.left + gap as u32 - 1);
        let right = side(region.area.left + right_start as u32, region.area.right);
        if let (Some(left), Some(right)) = (left, right)
            && begins_table(layout, &left)
            && begins_table(layout, &right)
        {
            regions.push(left);
            split_columns(layout, right, depth + 1, regions);
            return;
        }
    }
    regions.push(region);
}

/// Writes regions as blocks.
struct Writer<'r> {
    layout: &'r Layout<'r>,
    number: SheetNumber,
    max_cells: usize,
    out: &'r mut LaidOut,
}

impl Writer<'_> {
    fn write(&mut self, region: &Region) {
        let cells = &self.layout.sheet.cells;
        let rows = sample_rows(cells, region, N_SAMPLE_ROWS + MAX_TITLE_ROWS);
        if is_loose_text(cells, region) {
            for cell in region_cells(cells, region) {
                self.paragraph(&cell);
            }
            return;
        }
        // A frozen or filtered header tells where the titles end.
        let told = self.told_header_end(region);
        let n_titles = n_title_rows(self.layout, &rows, region);
        let titles = rows.iter().take(n_titles).filter_map(|row| row.first());
        let titles: Vec<&CellRef<'_>> =
            titles.take_while(|cell| told.is_none_or(|end| cell.row < end)).collect();
        for title in &titles {
            self.paragraph(title);
        }
        let body = &rows[titles.len()..];
        let Some(top) = body.first().map(|row| row[0].row) else { return };
        let told_rows = told.map_or(0, |end| body.iter().take_while(|row| row[0].row < end).count());
        let n_header_rows = match (region.defined, told_rows) {
            (Some(n), _) => n as usize,
            (None, 1..=MAX_HEADER_ROWS) => told_rows,
            (None, _) => header_of(body),
        };
        let remaining = Region { area: Area { top, ..region.area }, ..region.clone() };
        let remaining = match extent(region_cells(cells, &remaining)) {
            Some(area) if region.defined.is_none() => Region { area, ..remaining },
            _ => remaining,
        };
        self.table(&remaining, n_header_rows);
    }

    fn paragraph(&mut self, cell: &CellRef<'_>) {
        let area = Area { top: cell.row, left: cell.column, bottom: cell.row, right: cell.column };
        let origin = Origin::Cells { sheet: self.number, range: area.range() };
        self.out.blocks.push(Block::new(BlockKind::Paragraph, cell.text, origin));
        self.out.n_cells += 1;
    }

    /// The row below the header, where panes or a filter tell it.
    fn told_header_end(&self, region: &Region) -> Option<u32> {
        let filter = self.layout.sheet.filter.filter(|filter| {
            region.area.contains(filter.top, filter.left.max(region.area.left))
                && filter.left <= region.area.right
        });
        let frozen = self.layout.sheet.n_frozen_rows;
        let is_frozen = frozen > region.area.top && frozen <= region.area.bottom;
        filter.map(|filter| filter.top + 1).or(is_frozen.then_some(frozen))
    }

    fn table(&mut self, region: &Region, n_header_rows: usize) {
        let area = region.area;
        let row_origin = |row: u32| Origin::Cells {
            sheet: self.number,
            range: Area { top: row, bottom: row, ..area }.range(),
        };
        let spans = self.spans_in(&area);
        let mut next_span = 0;
        let mut table = Table::new();
        // Row numbers of the table's rows, which may leave blank ones out.
        let mut numbers: Vec<u32> = Vec::new();
        let mut n_in_row = 0;
        // How far the row has to reach for the cells that a merged one covers.
        let mut whole = true;
        let pad_to = |table: &mut Table, n_in_row: &mut u32, n_wanted: u32| {
            let mut whole = true;
            while *n_in_row < n_wanted {
                whole &= table.push_cell("");
                *n_in_row += 1;
            }
            whole
        };
        for cell in region_cells(&self.layout.sheet.cells, region) {
            if numbers.last() != Some(&cell.row) {
                if let Some(&row) = numbers.last() {
                    whole &= pad_to(&mut table, &mut n_in_row, reach(&spans, &mut next_span, row, area.left));
                }
                table.push_row(row_origin(cell.row));
                numbers.push(cell.row);
                n_in_row = 0;
            }
            let n_blank = cell.column - area.left - n_in_row;
            if self.out.n_cells + table.n_cells() + n_blank as usize >= self.max_cells {
                whole = false;
            }
            if !whole {
                break;
            }
            whole &= pad_to(&mut table, &mut n_in_row, cell.column - area.left);
            whole &= table.push_cell(cell.text);
            n_in_row += 1;
        }
        if let Some(&row) = numbers.last() {
            whole &= pad_to(&mut table, &mut n_in_row, reach(&spans, &mut next_span, row, area.left));
        }
        if !whole {
            let message = "the table is over the limit of cells; the rows before it were kept";
            self.out.notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
        }
        table.n_header_rows = n_header_rows.min(table.n_rows());
        for merge in &spans {
            let row_idx = numbers.partition_point(|&row| row < merge.top);
            let end = numbers.partition_point(|&row| row <= merge.bottom);
            if numbers.get(row_idx) == Some(&merge.top) {
                table.spans.push(Span {
                    row_idx,
                    column_idx: (merge.left - area.left) as usize,
                    n_rows: end - row_idx,
                    n_columns: (merge.right - merge.left + 1) as usize,
                });
            }
        }
        table.spans.retain(|span| span.n_rows > 1 || span.n_columns > 1);
        self.out.n_cells += table.n_cells();
        let origin = Origin::Cells { sheet: self.number, range: area.range() };
        self.out.blocks.push(Block::new(BlockKind::Table(Box::new(table)), "", origin));
    }

    /// The merged cells that begin inside, cut to the area's width, in order.
    fn spans_in(&self, area: &Area) -> Vec<Area> {
        let inside = self.layout.merges_from(area.top, area.bottom).iter();
        (inside.filter(|merge| area.contains(merge.top, merge.left)))
            .map(|merge| Area {
                right: merge.right.min(area.right),
                bottom: merge.bottom.min(area.bottom),
                ..*merge
            })
            .collect()
    }
}

/// How many cells a row needs so that the merged cells that begin in it have places to cover.
fn reach(spans: &[Area], next_span: &mut usize, row: u32, left: u32) -> u32 {
    let mut n_cells = 0;
    while let Some(span) = spans.get(*next_span).filter(|span| span.top <= row) {
        if span.top == row {
            n_cells = n_cells.max(span.right - left + 1);
        }
        *next_span += 1;
    }
    n_cells
}
