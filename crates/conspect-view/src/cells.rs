//! The cells of rows as they are written out: where each ends, and how columns that are left out are marked.

use std::borrow::Cow;
use std::ops::Range;

use conspect_model::{ColumnNumber, Origin};

use crate::listing::Listing;
use crate::render::{Style, printed, printed_row};
use crate::view::Piece;

/// Where each cell of a written-out row ends in its text, its delimiter included; the last one at the end of the text.
/// Empty where the line is no row of cells.
pub(crate) fn cell_ends(listing: &Listing<'_>, line_idx: usize, text: &str, style: Style) -> Vec<usize> {
    if let Some(row) = listing.row(line_idx) {
        let mut ends = Vec::with_capacity(row.n_cells());
        printed_row(&row, style, &mut ends);
        return ends;
    }
    if listing.table_at(line_idx).is_none() {
        return Vec::new();
    }
    let mut ends = Vec::new();
    listing.visit_source_cells(text, &mut |cell, _| ends.push((cell.end + 1).min(text.len())));
    ends
}

/// A line as written out, and where each of its cells ends.
pub(crate) fn printed_with_ends<'d>(
    listing: &Listing<'d>,
    line_idx: usize,
    style: Style,
) -> (Cow<'d, str>, Vec<usize>) {
    if let Some(row) = listing.row(line_idx) {
        let mut ends = Vec::with_capacity(row.n_cells());
        return (Cow::Owned(printed_row(&row, style, &mut ends)), ends);
    }
    let text = printed(listing, line_idx, style);
    let ends = cell_ends(listing, line_idx, &text, style);
    (text, ends)
}

/// What each cell of a row says. Nothing where the line is no row of cells.
pub(crate) fn each_cell(listing: &Listing<'_>, line_idx: usize, each: &mut dyn FnMut(usize, &str)) {
    if let Some(row) = listing.row(line_idx) {
        row.cells().enumerate().for_each(|(column_idx, cell)| each(column_idx, cell.trim()));
        return;
    }
    let mut column_idx = 0;
    listing.visit_source_cells(&listing.plain(line_idx), &mut |_, cell| {
        each(column_idx, cell);
        column_idx += 1;
    });
}

/// The pieces of a row that show these columns, of each cell no more than `cell_cap` characters and what ends it.
///
/// `columns` are ascending. Pieces that touch are one. Cells that are left out end where cells end, so that the mark
/// for them is a cell too and every row of the table has the same number of them.
pub(crate) fn pieces_of(text: &str, ends: &[usize], columns: &[usize], cell_cap: usize) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut byte, mut chars) = (0, 0);
    let mut push = |bytes: Range<usize>| {
        chars += text[byte..bytes.start].chars().count();
        let shown = Piece { bytes: bytes.clone(), chars: chars..chars + text[bytes].chars().count() };
        (byte, chars) = (shown.bytes.end, shown.chars.end);
        match pieces.last_mut() {
            Some(last) if last.bytes.end == shown.bytes.start => {
                last.bytes.end = shown.bytes.end;
                last.chars.end = shown.chars.end;
            }
            _ => pieces.push(shown),
        }
    };
    for &column_idx in columns {
        let Some(&end) = ends.get(column_idx) else { break };
        let start = if column_idx == 0 { 0 } else { ends[column_idx - 1] };
        let delimiter = match &text[start..end] {
            cell if cell.ends_with(" |") => end - 2,
            _ if column_idx + 1 == ends.len() => end,
            _ => end - 1,
        };
        match text[start..delimiter].char_indices().nth(cell_cap) {
            // A mark takes room as well.
            Some((offset, _)) if start + offset + MIN_CUT_BYTES < delimiter => {
                push(start..start + offset);
                push(delimiter..end);
            }
            _ => push(start..end),
        }
    }
    pieces.retain(|piece| !piece.bytes.is_empty());
    pieces
}

/// A cell is not cut for less than this.
const MIN_CUT_BYTES: usize = 16;

/// The columns of which a range of bytes shows something.
pub(crate) fn columns_of(ends: &[usize], bytes: &Range<usize>) -> Range<usize> {
    let first = ends.partition_point(|&end| end <= bytes.start);
    let last = ends.partition_point(|&end| end < bytes.end);
    first..(last + 1).min(ends.len()).max(first)
}

/// The mark for cells left out, where the gap begins and ends at borders of cells: `…[+12 columns, D-O] |` in the
/// header and in rows that have none, `… |` below a header.
pub(crate) fn columns_mark(
    listing: &Listing<'_>,
    line_idx: usize,
    text: &str,
    ends: &[usize],
    gap: Range<usize>,
) -> Option<String> {
    let first = match gap.start {
        0 => 0,
        start => ends.binary_search(&start).ok()? + 1,
    };
    let last = ends.binary_search(&gap.end).ok()?;
    let is_named = listing
        .table_at(line_idx)
        .is_some_and(|table| table.header.is_empty() || table.header.contains(&line_idx));
    let n_columns = last + 1 - first;
    let mut mark = String::from("…");
    if is_named {
        let columns = if n_columns == 1 { "column" } else { "columns" };
        mark.push_str(&format!("[+{n_columns} {columns}"));
        if let Some(letters) = letters(listing, line_idx, ends.len(), first..last + 1) {
            mark.push_str(&letters);
        }
        mark.push(']');
    }
    if listing.is_source() {
        if gap.end < text.len() {
            mark.push_str(text.get(gap.end - 1..gap.end).unwrap_or_default());
        }
        return Some(mark);
    }
    let start = if gap.start == 0 { "|" } else { "" };
    Some(format!("{start} {mark} |"))
}

/// `, D-O`: what a spreadsheet calls these columns, where the row's cells are those of a sheet without holes.
fn letters(listing: &Listing<'_>, line_idx: usize, n_cells: usize, columns: Range<usize>) -> Option<String> {
    let Origin::Cells { range, .. } = listing.origin(line_idx) else { return None };
    if range.last_column.idx() + 1 - range.first_column.idx() != n_cells {
        return None;
    }
    let name = |column_idx| ColumnNumber::from_idx(range.first_column.idx() + column_idx).letters();
    Some(match columns.len() {
        1 => format!(", {}", name(columns.start)),
        _ => format!(", {}-{}", name(columns.start), name(columns.end - 1)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_columns_are_one_piece_and_long_cells_are_cut() {
        let text = "id,name,a description that goes on,price";
        let ends = [3, 8, 35, text.len()];
        let shown = |columns: &[usize], cap: usize| -> Vec<&str> {
            pieces_of(text, &ends, columns, cap).into_iter().map(|piece| &text[piece.bytes]).collect()
        };
        assert_eq!(shown(&[0, 1], 20), ["id,name,"]);
        assert_eq!(shown(&[0, 3], 20), ["id,", "price"]);
        assert_eq!(shown(&[1, 2, 3], 5), ["name,a des", ",price"]);
        assert_eq!(shown(&[7], 13), Vec::<&str>::new());
        assert_eq!(columns_of(&ends, &(0..3)), 0..1);
        assert_eq!(columns_of(&ends, &(2..9)), 0..3);
        assert_eq!(columns_of(&ends, &(35..40)), 3..4);
    }
}
