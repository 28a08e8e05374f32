//! Wide tables: which of their columns a sample shows.

use std::ops::Range;

use crate::cells::{columns_of, pieces_of, printed_with_ends};
use crate::listing::{Listing, TableSpan};
use crate::render::Style;
use crate::view::Piece;

/// The columns that are shown of a table whose rows are too wide for the budget: the same ones in every row, so that
/// each cell stands below its name.
pub(crate) struct Narrow {
    /// Ascending.
    columns: Vec<usize>,
    n_columns: usize,
    /// How many characters of a cell are shown.
    cell_cap: usize,
}

/// Tables with fewer columns than this are shown with all of them.
const MIN_COLUMNS: usize = 6;
/// How many rows are looked at to know how wide columns are.
const N_ROWS_SEEN: usize = 16;

impl Narrow {
    /// The choice for a table, if its header or its rows take more than `max_chars` characters, or one of them more than
    /// `line_cap`: columns that make up rows of about `row_chars`. The first column comes first, then the `wanted` ones,
    /// for which a row may become twice as long, then the others from the left.
    pub(crate) fn choose(
        listing: &Listing<'_>,
        table: &TableSpan,
        style: Style,
        max_chars: usize,
        line_cap: usize,
        row_chars: usize,
        wanted: &dyn Fn() -> Vec<usize>,
    ) -> Option<Narrow> {
        let header = row_widths(listing, table.header.end.checked_sub(1), style);
        let n_rows = table.rows.len().min(N_ROWS_SEEN);
        let rows: Vec<Vec<usize>> = (0..n_rows)
            .map(|n| table.rows.start + n * table.rows.len() / n_rows)
            .map(|line_idx| row_widths(listing, Some(line_idx), style))
            .collect();
        let n_columns = rows.iter().chain([&header]).map(Vec::len).max().unwrap_or(0);
        let of_rows: usize = rows.iter().flatten().sum::<usize>() / n_rows.max(1);
        let longest = rows.iter().map(|row| row.iter().sum::<usize>()).max().unwrap_or(0);
        let is_wide = of_rows.max(header.iter().sum()) > max_chars || longest > line_cap;
        if n_columns < MIN_COLUMNS || !is_wide {
            return None;
        }
        let cell_cap = (row_chars / 3).max(24);
        let width = |column_idx: usize| {
            let of_rows: usize =
                rows.iter().filter_map(|row| row.get(column_idx)).sum::<usize>() / n_rows.max(1);
            let of_header = header.get(column_idx).copied().unwrap_or(0);
            of_rows.max(of_header).min(cell_cap)
        };
        let mut columns: Vec<usize> = Vec::new();
        let mut used = 0;
        let mut take = |column_idx: usize, most: usize| {
            // A gap takes some characters too.
            let cost = width(column_idx) + 4;
            let fits = used + cost <= most || columns.is_empty();
            if fits && column_idx < n_columns && !columns.contains(&column_idx) {
                columns.push(column_idx);
                used += cost;
            }
            fits
        };
        take(0, row_chars);
        wanted().into_iter().for_each(|column_idx| {
            take(column_idx, row_chars * 2);
        });
        // From the left as far as they go: columns with gaps between them cost a mark each.
        (1..n_columns).all(|column_idx| take(column_idx, row_chars));
        columns.sort_unstable();
        Some(Narrow { columns, n_columns, cell_cap })
    }

    /// The columns, ascending.
    pub(crate) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// The columns that are not shown, ascending.
    pub(crate) fn left_out(&self) -> Vec<usize> {
        (0..self.n_columns).filter(|column_idx| self.columns.binary_search(column_idx).is_err()).collect()
    }

    /// The pieces of a row, or of the header, that show these columns. None where the line is no row of cells.
    pub(crate) fn pieces(&self, text: &str, ends: &[usize], columns: &[usize]) -> Vec<Piece> {
        pieces_of(text, ends, columns, self.cell_cap)
    }

    /// Whether a range of bytes of a row lies in cells that are shown.
    pub(crate) fn shows(&self, ends: &[usize], bytes: &Range<usize>) -> bool {
        columns_of(ends, bytes).all(|column_idx| self.columns.binary_search(&column_idx).is_ok())
    }
}

/// How many characters each cell of a row takes as written out.
fn row_widths(listing: &Listing<'_>, line_idx: Option<usize>, style: Style) -> Vec<usize> {
    let Some(line_idx) = line_idx else { return Vec::new() };
    let (text, ends) = printed_with_ends(listing, line_idx, style);
    let mut start = 0;
    ends.into_iter().map(|end| text[std::mem::replace(&mut start, end)..end].chars().count()).collect()
}
