use std::ops::Range;

use conspect_model::{LineRange, Origin, Span, Table};

/// A table that is being read.
#[derive(Default)]
pub(super) struct Grid {
    rows: Vec<GridRow>,
    row: Option<GridRow>,
    cell: Option<OpenCell>,
    spans: Vec<Span>,
    /// How many more rows each column is covered by a cell from above.
    covered: Vec<u32>,
    pub(super) in_head: bool,
    n_padding: usize,
    n_opened: usize,
    /// Whether spans were ignored because they would cover too much.
    pub(super) is_over_limit: bool,
}

#[derive(Default)]
struct GridRow {
    cells: Vec<String>,
    has_data_cell: bool,
    in_head: bool,
    lines: Option<Range<usize>>,
}

#[derive(Default)]
struct OpenCell {
    text: String,
    n_columns: usize,
    n_rows: u32,
}

/// A few bytes can ask for a cell over 65,534 rows and 1,000 columns: this many covered places in one table are more
/// than any real one has.
const MAX_PADDING: usize = 200_000;

impl Grid {
    pub(super) fn open_row(&mut self) {
        self.close_row();
        self.n_opened += 1;
        self.row = Some(GridRow { in_head: self.in_head, ..GridRow::default() });
    }

    /// Opens a cell; the spans are as the page gives them.
    pub(super) fn open_cell(&mut self, is_header: bool, n_columns: Option<&str>, n_rows: Option<&str>) {
        self.close_cell();
        self.n_opened += 1;
        let in_head = self.in_head;
        let row = self.row.get_or_insert_with(|| GridRow { in_head, ..GridRow::default() });
        row.has_data_cell |= !is_header;
        let n_columns = n_columns.and_then(|n| n.trim().parse().ok()).unwrap_or(1).clamp(1, 1000);
        let n_rows = match n_rows.and_then(|n| n.trim().parse().ok()) {
            // To the end of the table's section.
            Some(0) => 65_534,
            Some(n_rows) => u32::min(n_rows, 65_534),
            None => 1,
        };
        self.cell = Some(OpenCell { text: String::new(), n_columns, n_rows });
    }

    pub(super) fn has_open_cell(&self) -> bool {
        self.cell.is_some()
    }

    /// Rows and cells opened so far, and the places that they cover.
    pub(super) fn n_cells(&self) -> usize {
        self.n_opened + self.n_padding
    }

    pub(super) fn n_complete_rows(&self) -> usize {
        self.rows.len()
    }

    /// Adds a paragraph to the open cell.
    pub(super) fn push_text(&mut self, text: &str, lines: Range<usize>) {
        let Some(cell) = &mut self.cell else { return };
        if !cell.text.is_empty() {
            cell.text.push('\n');
        }
        cell.text.push_str(text);
        if let Some(row) = &mut self.row {
            row.lines = Some(match row.lines.take() {
                Some(known) => known.start.min(lines.start)..known.end.max(lines.end),
                None => lines,
            });
        }
    }

    pub(super) fn close_cell(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        self.skip_covered();
        let row_idx = self.rows.len();
        let row = self.row.get_or_insert_default();
        let column_idx = row.cells.len();
        row.cells.push(cell.text);
        let n_covered = cell.n_columns * cell.n_rows.min(2) as usize - 1;
        if n_covered == 0 {
            return;
        }
        if self.n_padding + n_covered > MAX_PADDING {
            self.is_over_limit = true;
            return;
        }
        self.n_padding += cell.n_columns - 1;
        row.cells.resize(column_idx + cell.n_columns, String::new());
        if cell.n_rows > 1 {
            let end = column_idx + cell.n_columns;
            self.covered.resize(self.covered.len().max(end), 0);
            self.covered[column_idx..end].fill(cell.n_rows - 1);
        }
        self.spans.push(Span {
            row_idx,
            column_idx,
            n_rows: cell.n_rows as usize,
            n_columns: cell.n_columns,
        });
    }

    pub(super) fn close_row(&mut self) {
        self.close_cell();
        if self.row.is_none() {
            return;
        }
        // Places at the row's end may be covered from above as well.
        let last_covered = self.covered.iter().rposition(|&n_rows| n_rows > 0);
        while let (Some(last), Some(row)) = (last_covered, &mut self.row) {
            if row.cells.len() > last {
                break;
            }
            self.n_padding += 1;
            let column_idx = row.cells.len();
            row.cells.push(String::new());
            self.covered[column_idx] = self.covered[column_idx].saturating_sub(1);
        }
        self.rows.extend(self.row.take());
        if self.n_padding > MAX_PADDING {
            self.is_over_limit = true;
            self.covered.clear();
        }
    }

    fn skip_covered(&mut self) {
        let row = self.row.get_or_insert_default();
        while let Some(n_rows) = self.covered.get_mut(row.cells.len()).filter(|n_rows| **n_rows > 0) {
            *n_rows -= 1;
            self.n_padding += 1;
            row.cells.push(String::new());
        }
    }

    /// The cells as running text, where the table is none of data.
    pub(super) fn into_paragraphs(mut self) -> Vec<(String, Range<usize>)> {
        self.close_row();
        let rows = self.rows.into_iter();
        let cells = rows.flat_map(|row| {
            let lines = row.lines.unwrap_or(0..1);
            row.cells.into_iter().map(move |cell| (cell, lines.clone()))
        });
        cells.filter(|(cell, _)| !cell.is_empty()).collect()
    }

    /// Whether there is more than one column, or a header: what makes a table one of data.
    pub(super) fn is_data(&self) -> bool {
        let has_columns = self.rows.iter().any(|row| row.cells.len() > 1);
        has_columns || self.rows.len() > 1 && self.rows.first().is_some_and(GridRow::is_header)
    }

    /// The table; `None` where no cell holds anything. Call [`Grid::close_row`] first.
    pub(super) fn into_table(self) -> Option<(Table, Range<usize>)> {
        let mut lines: Option<Range<usize>> = None;
        for row_lines in self.rows.iter().filter_map(|row| row.lines.as_ref()) {
            let known = lines.get_or_insert_with(|| row_lines.clone());
            *known = known.start.min(row_lines.start)..known.end.max(row_lines.end);
        }
        let lines = lines?;
        let mut table = Table::new();
        table.n_header_rows = self.rows.iter().take_while(|row| row.is_header()).count();
        // A table that is all header is all data.
        if table.n_header_rows == self.rows.len() && self.rows.len() > 1 {
            table.n_header_rows = 1;
        }
        let n_rows = self.rows.len();
        let mut last_line = lines.start;
        for row in &self.rows {
            let row_lines = row.lines.clone().unwrap_or(last_line..last_line + 1);
            last_line = row_lines.end.saturating_sub(1);
            let origin = Origin::Lines(LineRange::from_idx(row_lines));
            // A page is shorter than the 4 GiB that a table holds.
            let _ = table.push(origin, row.cells.iter().map(String::as_str));
        }
        table.spans = self
            .spans
            .into_iter()
            .map(|span| Span { n_rows: span.n_rows.min(n_rows - span.row_idx.min(n_rows - 1)), ..span })
            .filter(|span| span.n_rows > 1 || span.n_columns > 1)
            .collect();
        Some((table, lines))
    }
}

impl GridRow {
    fn is_header(&self) -> bool {
        self.in_head || (!self.has_data_cell && !self.cells.is_empty())
    }
}
