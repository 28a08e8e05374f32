use conspect_model::Notice;

use crate::workbook::cells::{Area, SheetCells};

/// A sheet as its reader found it.
#[derive(Default)]
pub(crate) struct Sheet {
    pub(crate) cells: SheetCells,
    pub(crate) merges: Vec<Area>,
    /// Ranges that the workbook itself calls tables.
    pub(crate) tables: Vec<DefinedTable>,
    /// The range that a filter lies on.
    pub(crate) filter: Option<Area>,
    /// How many rows at the top stay in view.
    pub(crate) n_frozen_rows: u32,
    /// Hidden rows and columns, as ranges of indexes from 0 with their ends included.
    pub(crate) hidden_rows: Vec<(u32, u32)>,
    pub(crate) hidden_columns: Vec<(u32, u32)>,
    pub(crate) comments: Vec<CellComment>,
    pub(crate) notices: Vec<Notice>,
}

/// A range that the workbook calls a table.
pub(crate) struct DefinedTable {
    pub(crate) area: Area,
    pub(crate) n_header_rows: u32,
}

/// A remark on a cell.
pub(crate) struct CellComment {
    pub(crate) area: Area,
    pub(crate) author: String,
    pub(crate) text: String,
}

/// A sheet in the workbook's list.
#[derive(Clone, Debug)]
pub(crate) struct SheetEntry {
    pub(crate) name: String,
    pub(crate) is_visible: bool,
    /// Where its reader finds it: a part's name, or an offset.
    pub(crate) place: String,
}

/// Adds a row or column to ranges, which grow where they meet.
pub(crate) fn add_hidden(ranges: &mut Vec<(u32, u32)>, first: u32, last: u32) {
    match ranges.last_mut() {
        Some((_, end)) if first <= end.saturating_add(1) && last >= *end => *end = last,
        _ => ranges.push((first, last)),
    }
}
