use std::ops::RangeInclusive;

use crate::{CellRange, PageNumber};

/// Which part of a file is wanted, so that a reader need not read the rest.
///
/// The default asks for everything. A reader may return more than the scope asks for only where it cannot tell the
/// parts apart; selectors that have no meaning for a format are refused before a reader is called.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    /// Pages, in ascending order without overlap; `None` is all of them.
    pub pages: Option<Vec<RangeInclusive<PageNumber>>>,
    /// One sheet of a workbook; `None` is all of them.
    pub sheet: Option<SheetChoice>,
    /// Cells of the sheet; `None` is all of them.
    pub cells: Option<CellRange>,
    /// What a workbook's cells are shown as.
    pub values: CellValues,
    /// Which state of a document with tracked changes is read.
    pub revisions: Revisions,
    /// What becomes of the running headers, the footers and the numbers of pages.
    pub running_text: RunningText,
}

impl Scope {
    /// Whether the page is wanted.
    pub fn wants_page(&self, page: PageNumber) -> bool {
        self.pages.as_ref().is_none_or(|ranges| ranges.iter().any(|range| range.contains(&page)))
    }
}

/// A sheet, by name or by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SheetChoice {
    /// By its name; letter case is ignored where that is unambiguous.
    Name(String),
    /// By its number from 1, in file order. A sheet whose name is that number goes first.
    Number(u32),
}

/// What a workbook's cells are shown as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellValues {
    /// As the spreadsheet program shows them.
    #[default]
    Shown,
    /// As they are stored.
    Raw,
    /// The formula where there is one.
    Formula,
}

/// Which state of a document with tracked changes is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Revisions {
    /// As if every change were accepted.
    #[default]
    Final,
    /// As if every change were rejected.
    Original,
    /// Both, insertions and deletions marked.
    All,
}

/// What becomes of the running headers, the footers and the numbers of pages: what repeats at their edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunningText {
    /// It is no part of the text, and said in notices.
    #[default]
    LeftOut,
    /// It stands in the text where its page has it.
    Kept,
}
