use std::ops::Range;

use crate::{CellRange, Origin, RowNumber};

/// A table: header rows and rows, every row with its own origin.
///
/// All cell text stands in one string, so that a sheet of some million cells costs little more than its text. Rows
/// may have different numbers of cells. A cell that spans more than one row or column stands at its first place; the
/// places it covers hold an empty cell, and [`Table::spans`] tells its size.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Table {
    text: String,
    /// Where each cell ends in `text`.
    cell_ends: Vec<u32>,
    rows: Vec<RowPlace>,
    /// How many of the first rows are header.
    pub n_header_rows: usize,
    /// Cells that cover more than one place, in order of row and column.
    pub spans: Vec<Span>,
}

#[derive(Clone, Debug, PartialEq)]
struct RowPlace {
    first_cell: u32,
    origin: Origin,
}

/// A cell that covers more than one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Index of its first row, from 0.
    pub row_idx: usize,
    /// Index of its first column, from 0.
    pub column_idx: usize,
    /// How many rows it covers, at least 1.
    pub n_rows: usize,
    /// How many columns it covers, at least 1.
    pub n_columns: usize,
}

impl Table {
    /// A table without rows.
    pub fn new() -> Table {
        Table::default()
    }

    /// Begins a row; cells pushed from now on are its.
    pub fn push_row(&mut self, origin: Origin) {
        self.rows.push(RowPlace { first_cell: self.cell_ends.len() as u32, origin });
    }

    /// Adds a cell to the last row. Without a row, or past 4 GiB of text, it is dropped and `false` comes back.
    #[must_use = "a dropped cell needs a notice"]
    pub fn push_cell(&mut self, text: &str) -> bool {
        let (Ok(end), Ok(_)) =
            (u32::try_from(self.text.len() + text.len()), u32::try_from(self.cell_ends.len() + 1))
        else {
            return false;
        };
        if self.rows.is_empty() {
            return false;
        }
        self.text.push_str(text);
        self.cell_ends.push(end);
        true
    }

    /// Adds a whole row; `false` if a cell was dropped.
    #[must_use = "a dropped cell needs a notice"]
    pub fn push<'s>(&mut self, origin: Origin, cells: impl IntoIterator<Item = &'s str>) -> bool {
        self.push_row(origin);
        let mut is_whole = true;
        for cell in cells {
            is_whole &= self.push_cell(cell);
        }
        is_whole
    }

    /// How many rows there are, header included.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// How many cells there are.
    pub fn n_cells(&self) -> usize {
        self.cell_ends.len()
    }

    /// How many cells the longest row has.
    pub fn n_columns(&self) -> usize {
        (0..self.rows.len()).map(|row_idx| self.cells_of(row_idx).len()).max().unwrap_or(0)
    }

    /// Bytes of text in all cells.
    pub fn n_text_bytes(&self) -> usize {
        self.text.len()
    }

    /// The row with this index from 0.
    pub fn row(&self, row_idx: usize) -> Option<Row<'_>> {
        (row_idx < self.rows.len()).then_some(Row { table: self, row_idx })
    }

    /// All rows, header first.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        (0..self.rows.len()).map(|row_idx| Row { table: self, row_idx })
    }

    /// The text of a cell; `None` where the row is shorter.
    pub fn cell(&self, row_idx: usize, column_idx: usize) -> Option<&str> {
        self.row(row_idx)?.cell(column_idx)
    }

    fn cells_of(&self, row_idx: usize) -> Range<usize> {
        let start = self.rows[row_idx].first_cell as usize;
        let end = self.rows.get(row_idx + 1).map_or(self.cell_ends.len(), |next| next.first_cell as usize);
        start..end
    }

    fn cell_text(&self, cell_idx: usize) -> &str {
        let start = if cell_idx == 0 { 0 } else { self.cell_ends[cell_idx - 1] as usize };
        &self.text[start..self.cell_ends[cell_idx] as usize]
    }
}

/// One row of a [`Table`].
#[derive(Clone, Copy, Debug)]
pub struct Row<'t> {
    table: &'t Table,
    row_idx: usize,
}

impl<'t> Row<'t> {
    /// Its index from 0, header rows included.
    pub fn idx(&self) -> usize {
        self.row_idx
    }

    /// Whether it is one of the header rows.
    pub fn is_header(&self) -> bool {
        self.row_idx < self.table.n_header_rows
    }

    /// Where it stands.
    pub fn origin(&self) -> Origin {
        self.table.rows[self.row_idx].origin
    }

    /// Its number in the sheet, if it comes from one.
    pub fn number(&self) -> Option<RowNumber> {
        match self.origin() {
            Origin::Cells { range: CellRange { first_row, .. }, .. } => Some(first_row),
            _ => None,
        }
    }

    /// How many cells it has.
    pub fn n_cells(&self) -> usize {
        self.table.cells_of(self.row_idx).len()
    }

    /// The text of a cell; `None` past the row's end.
    pub fn cell(&self, column_idx: usize) -> Option<&'t str> {
        let cells = self.table.cells_of(self.row_idx);
        (column_idx < cells.len()).then(|| self.table.cell_text(cells.start + column_idx))
    }

    /// The texts of its cells, from the left.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = &'t str> + use<'t> {
        let table = self.table;
        table.cells_of(self.row_idx).map(move |cell_idx| table.cell_text(cell_idx))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_different_lengths_keep_their_cells() {
        let mut table = Table::new();
        assert!(!table.push_cell("no row yet"));
        assert!(table.push(Origin::File, ["name", "unit", "price"]));
        assert!(table.push(Origin::File, ["", "kg"]));
        assert!(table.push(Origin::File, []));
        assert!(table.push(Origin::File, ["last"]));
        table.n_header_rows = 1;
        let rows: Vec<Vec<&str>> = table.rows().map(|row| row.cells().collect()).collect();
        assert_eq!(rows, [vec!["name", "unit", "price"], vec!["", "kg"], vec![], vec!["last"]]);
        assert_eq!((table.n_rows(), table.n_columns(), table.n_cells()), (4, 3, 6));
        assert_eq!(table.cell(1, 1), Some("kg"));
        assert_eq!(table.cell(1, 2), None);
        assert_eq!(table.cell(9, 0), None);
        assert!(table.row(0).expect("a row").is_header());
        assert!(!table.row(1).expect("a row").is_header());
    }
}
