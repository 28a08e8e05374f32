use conspect_model::{CellValues, Limits, Notice, NoticeKind, Origin, ReadError};

use crate::workbook::cells::{Area, SheetCells};
use crate::workbook::sheet::{Sheet, SheetEntry};

/// A workbook of some format: what its sheets are, and each of them when asked for.
pub(crate) trait SheetSource {
    /// The sheets in file order.
    fn entries(&self) -> &[SheetEntry];

    /// Reads the wanted cells of one sheet.
    fn read_sheet(&mut self, sheet_idx: usize, request: &SheetRequest<'_>) -> Result<Sheet, ReadError>;
}

/// What is wanted of a sheet, and how much of it there is room for.
pub(crate) struct SheetRequest<'l> {
    pub(crate) values: CellValues,
    /// The wanted cells, where not all are.
    pub(crate) area: Option<Area>,
    pub(crate) max_cells: usize,
    pub(crate) max_text_bytes: usize,
    pub(crate) limits: &'l Limits,
}

impl SheetRequest<'_> {
    /// Whether the cell is wanted.
    pub(crate) fn wants(&self, row: u32, column: u32) -> bool {
        self.area.is_none_or(|area| area.contains(row, column))
    }

    /// Whether nothing wanted can follow a cell of this row, in a sheet whose rows are in order.
    pub(crate) fn is_past(&self, row: u32) -> bool {
        self.area.is_some_and(|area| row > area.bottom)
    }

    /// Whether there is no more room.
    pub(crate) fn is_full(&self, cells: &SheetCells) -> bool {
        let is_checkpoint = cells.len().is_multiple_of(1024);
        cells.len() >= self.max_cells
            || cells.n_text_bytes() >= self.max_text_bytes
            || (is_checkpoint && self.limits.stop.is_stopped())
    }

    /// What to tell where there was no more room.
    pub(crate) fn full_notice(&self) -> Notice {
        let message = if self.limits.stop.is_stopped() {
            "the reading was stopped; the cells before it were read".to_owned()
        } else {
            format!(
                "the sheet is over the limit ({} cells, {} characters); the cells before it were read",
                self.limits.max_cells, self.limits.max_chars
            )
        };
        Notice::new(NoticeKind::Limit, message, Origin::File)
    }
}
