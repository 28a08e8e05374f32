use conspect_model::{CellRange, CellValues, ColumnNumber, RowNumber};

use crate::workbook::number_format::{NumberFormat, general};

/// The filled cells of one sheet, in the order of rows and columns. Empty cells cost nothing, however far apart the
/// filled ones stand.
#[derive(Default)]
pub(crate) struct SheetCells {
    text: String,
    cells: Vec<PlacedCell>,
    is_unordered: bool,
}

#[derive(Clone, Copy)]
struct PlacedCell {
    row: u32,
    column: u16,
    kind: CellKind,
    start: u32,
    end: u32,
}

/// What a cell holds, as far as it tells headers from data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellKind {
    Text,
    Number,
    Date,
    Logical,
    Error,
}

/// A filled cell.
#[derive(Clone, Copy)]
pub(crate) struct CellRef<'c> {
    /// From 0.
    pub(crate) row: u32,
    /// From 0.
    pub(crate) column: u32,
    pub(crate) kind: CellKind,
    pub(crate) text: &'c str,
}

/// A value as it is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StoredValue<'v> {
    Empty,
    Text(&'v str),
    Number(f64),
    Logical(bool),
    Error(&'v str),
}

impl SheetCells {
    /// Adds a cell; `false` where it has no place any more.
    pub(crate) fn push(&mut self, row: u32, column: u32, kind: CellKind, text: &str) -> bool {
        let (Ok(start), Ok(end), Ok(column)) = (
            u32::try_from(self.text.len()),
            u32::try_from(self.text.len() + text.len()),
            u16::try_from(column),
        ) else {
            return false;
        };
        if text.is_empty() {
            return true;
        }
        if let Some(last) = self.cells.last() {
            self.is_unordered |= (last.row, last.column) >= (row, column);
        }
        self.text.push_str(text);
        self.cells.push(PlacedCell { row, column, kind, start, end });
        true
    }

    /// Puts the cells in order; of two on one place the later stays.
    pub(crate) fn finish(&mut self) {
        if self.is_unordered {
            self.cells.reverse();
            self.cells.sort_by_key(|cell| (cell.row, cell.column));
            self.cells.dedup_by_key(|cell| (cell.row, cell.column));
            self.is_unordered = false;
        }
    }

    /// How many cells are filled.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Bytes of text in all cells.
    pub(crate) fn n_text_bytes(&self) -> usize {
        self.text.len()
    }

    /// The filled cell with this index, in order.
    pub(crate) fn get(&self, idx: usize) -> Option<CellRef<'_>> {
        let cell = self.cells.get(idx)?;
        Some(CellRef {
            row: cell.row,
            column: u32::from(cell.column),
            kind: cell.kind,
            text: self.text.get(cell.start as usize..cell.end as usize).unwrap_or_default(),
        })
    }

    /// The filled cells with these indexes.
    pub(crate) fn range(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = CellRef<'_>> {
        range.map_while(|idx| self.get(idx))
    }
}

/// How the values of a workbook are written out.
pub(crate) struct ValueWriter {
    pub(crate) values: CellValues,
    /// Whether days count from 1904.
    pub(crate) is_1904: bool,
}

impl ValueWriter {
    /// A value in its format, and what kind of value it is; `None` for nothing.
    pub(crate) fn write(
        &self,
        value: StoredValue<'_>,
        formula: Option<&str>,
        format: &NumberFormat,
    ) -> Option<(CellKind, String)> {
        let formula = formula.filter(|formula| !formula.trim().is_empty());
        if let Some(formula) = formula
            && (self.values == CellValues::Formula || matches!(value, StoredValue::Empty))
        {
            return Some((CellKind::Text, format!("={}", formula.trim_start_matches('='))));
        }
        let is_raw = self.values == CellValues::Raw;
        Some(match value {
            StoredValue::Empty => return None,
            StoredValue::Text(text) if is_raw => (CellKind::Text, text.to_owned()),
            StoredValue::Text(text) => (CellKind::Text, format.text(text).into_owned()),
            StoredValue::Number(number) => {
                let kind = if format.is_date() { CellKind::Date } else { CellKind::Number };
                (kind, if is_raw { raw_number(number) } else { format.number(number, self.is_1904) })
            }
            StoredValue::Logical(logical) => {
                (CellKind::Logical, if logical { "TRUE" } else { "FALSE" }.to_owned())
            }
            StoredValue::Error(error) => (CellKind::Error, error.to_owned()),
        })
    }
}

/// A number with all its digits: the shortest text that reads back as the same number.
fn raw_number(number: f64) -> String {
    if number == 0.0 || (1e-5..1e15).contains(&number.abs()) {
        return number.to_string();
    }
    if number.is_finite() { format!("{number:e}").replace('e', "E") } else { general(number) }
}

/// A number in the short form of binary workbooks: thirty bits of an integer or of a float, perhaps in hundredths.
pub(crate) fn rk_number(rk: u32) -> f64 {
    let number = if rk & 2 != 0 {
        f64::from((rk as i32) >> 2)
    } else {
        f64::from_bits(u64::from(rk & 0xFFFF_FFFC) << 32)
    };
    if rk & 1 != 0 { number / 100.0 } else { number }
}

/// The name of an error by its code in binary workbooks.
pub(crate) fn error_name(code: u8) -> &'static str {
    match code {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0F => "#VALUE!",
        0x17 => "#REF!",
        0x1D => "#NAME?",
        0x24 => "#NUM!",
        0x2A => "#N/A",
        0x2B => "#GETTING_DATA",
        _ => "#ERROR!",
    }
}

/// A rectangle of cells by indexes from 0, its ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) top: u32,
    pub(crate) left: u32,
    pub(crate) bottom: u32,
    pub(crate) right: u32,
}

impl Area {
    /// Parses `B2:F40`.
    pub(crate) fn parse(reference: &str) -> Option<Area> {
        let range = CellRange::parse(reference.rsplit('!').next()?)?;
        Some(Area {
            top: range.first_row.idx() as u32,
            left: range.first_column.idx() as u32,
            bottom: range.last_row.idx() as u32,
            right: range.last_column.idx() as u32,
        })
    }

    pub(crate) fn contains(&self, row: u32, column: u32) -> bool {
        (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&column)
    }

    pub(crate) fn overlaps(&self, other: &Area) -> bool {
        self.top <= other.bottom
            && other.top <= self.bottom
            && self.left <= other.right
            && other.left <= self.right
    }

    /// As the model says it.
    pub(crate) fn range(&self) -> CellRange {
        CellRange {
            first_row: RowNumber::from_idx(self.top as usize),
            first_column: ColumnNumber::from_idx(self.left as usize),
            last_row: RowNumber::from_idx(self.bottom as usize),
            last_column: ColumnNumber::from_idx(self.right as usize),
        }
    }
}
