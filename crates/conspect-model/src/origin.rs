use std::fmt;

use crate::{ColumnNumber, LineNumber, PageNumber, ParagraphNumber, RowNumber, SheetNumber};

/// Where in the file something stands. Every block has one, and so has every row of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// Lines of the text.
    Lines(LineRange),
    /// A place on a page. The rectangle is in points from the page's lower left corner, as shown (rotation applied).
    Page {
        /// The page.
        page: PageNumber,
        /// The smallest upright rectangle around it.
        rect: Rect,
    },
    /// A paragraph of a word-processing document (a table's row has the number of its first paragraph).
    Paragraph {
        /// The paragraph, counted over the whole body.
        paragraph: ParagraphNumber,
        /// The page it was last seen on by the program that wrote the file: approximate, and often unknown.
        page: Option<PageNumber>,
    },
    /// Cells of a sheet.
    Cells {
        /// The sheet.
        sheet: SheetNumber,
        /// The cells.
        range: CellRange,
    },
    /// A slide of a presentation.
    Slide(SheetNumber),
    /// A cell of a notebook, counted from 0 as notebook programs do, and lines of its source or output.
    NotebookCell(u32),
    /// The file as a whole: metadata, or a fault that has no place.
    File,
}

impl Origin {
    /// The page it stands on, where pages are known.
    pub fn page(&self) -> Option<PageNumber> {
        match self {
            Origin::Page { page, .. } => Some(*page),
            Origin::Paragraph { page, .. } => *page,
            _ => None,
        }
    }

    /// The sheet it stands on, where there are sheets.
    pub fn sheet(&self) -> Option<SheetNumber> {
        match self {
            Origin::Cells { sheet, .. } => Some(*sheet),
            _ => None,
        }
    }
}

impl fmt::Display for Origin {
    /// In words: `page 12`, `lines 3-9`, `sheet 2 A1:F40`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Lines(lines) if lines.first == lines.last => write!(f, "line {}", lines.first),
            Origin::Lines(lines) => write!(f, "lines {}-{}", lines.first, lines.last),
            Origin::Page { page, .. } => write!(f, "page {page}"),
            Origin::Paragraph { paragraph, .. } => write!(f, "paragraph {paragraph}"),
            Origin::Cells { sheet, range } => write!(f, "sheet {sheet} {range}"),
            Origin::Slide(slide) => write!(f, "slide {slide}"),
            Origin::NotebookCell(cell) => write!(f, "cell-{cell}"),
            Origin::File => write!(f, "file"),
        }
    }
}

/// Lines from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineRange {
    /// The first line.
    pub first: LineNumber,
    /// The last line, not before the first.
    pub last: LineNumber,
}

impl LineRange {
    /// The lines with these indexes from 0, end excluded. An empty range becomes the one line at its start.
    pub fn from_idx(range: std::ops::Range<usize>) -> LineRange {
        let last = range.end.max(range.start + 1) - 1;
        LineRange { first: LineNumber::from_idx(range.start), last: LineNumber::from_idx(last) }
    }

    /// The indexes from 0, end excluded.
    pub fn idx(&self) -> std::ops::Range<usize> {
        self.first.idx()..self.last.idx() + 1
    }
}

/// An upright rectangle on a page, in points, the origin at the page's lower left corner.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Rect {
    /// Left edge.
    pub x0: f32,
    /// Lower edge.
    pub y0: f32,
    /// Right edge.
    pub x1: f32,
    /// Upper edge.
    pub y1: f32,
}

impl Rect {
    /// The smallest rectangle that holds both.
    pub fn union(self, other: Rect) -> Rect {
        Rect {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Right edge minus left edge.
    pub fn width(&self) -> f32 {
        self.x1 - self.x0
    }

    /// Upper edge minus lower edge.
    pub fn height(&self) -> f32 {
        self.y1 - self.y0
    }
}

/// Cells from one corner to the other, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellRange {
    /// The first row.
    pub first_row: RowNumber,
    /// The leftmost column.
    pub first_column: ColumnNumber,
    /// The last row.
    pub last_row: RowNumber,
    /// The rightmost column.
    pub last_column: ColumnNumber,
}

impl CellRange {
    /// Parses `B2`, `B2:F40`, `$B$2:$F$40`, `B:F` or `2:40`; the corners may come in any order.
    pub fn parse(text: &str) -> Option<CellRange> {
        let text: String = text.chars().filter(|&c| c != '$').collect();
        let (a, b) = text.split_once(':').unwrap_or((&text, &text));
        let (column_a, row_a) = corner(a.trim())?;
        let (column_b, row_b) = corner(b.trim())?;
        if column_a.is_some() != column_b.is_some() || row_a.is_some() != row_b.is_some() {
            return None;
        }
        let bounds = |x: Option<u32>, y: Option<u32>| match (x, y) {
            (Some(x), Some(y)) => (x.min(y), x.max(y)),
            _ => (1, u32::MAX),
        };
        let (left, right) = bounds(column_a, column_b);
        let (top, bottom) = bounds(row_a, row_b);
        Some(CellRange {
            first_row: RowNumber::new(top)?,
            first_column: ColumnNumber::new(left)?,
            last_row: RowNumber::new(bottom)?,
            last_column: ColumnNumber::new(right)?,
        })
    }

    /// Whether the cell lies inside.
    pub fn contains(&self, row: RowNumber, column: ColumnNumber) -> bool {
        (self.first_row..=self.last_row).contains(&row)
            && (self.first_column..=self.last_column).contains(&column)
    }
}

/// The column and row of one corner, either of which may be missing (but not both).
fn corner(text: &str) -> Option<(Option<u32>, Option<u32>)> {
    let n_letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (letters, digits) = text.split_at(n_letters);
    let column = match letters {
        "" => None,
        _ => Some(ColumnNumber::from_letters(letters)?.get()),
    };
    let row = match digits {
        "" => None,
        _ => Some(digits.parse::<u32>().ok().filter(|&row| row > 0)?),
    };
    (column.is_some() || row.is_some()).then_some((column, row))
}

impl fmt::Display for CellRange {
    /// As a spreadsheet writes it: `A1:F40`, `B2` for one cell, `2:40` for whole rows, `B:F` for whole columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first_column == ColumnNumber::FIRST && self.last_column.get() == u32::MAX {
            return write!(f, "{}:{}", self.first_row, self.last_row);
        }
        if self.first_row == RowNumber::FIRST && self.last_row.get() == u32::MAX {
            return write!(f, "{}:{}", self.first_column.letters(), self.last_column.letters());
        }
        write!(f, "{}{}", self.first_column.letters(), self.first_row)?;
        if (self.first_row, self.first_column) != (self.last_row, self.last_column) {
            write!(f, ":{}{}", self.last_column.letters(), self.last_row)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_ranges_are_read_as_a_spreadsheet_writes_them() {
        let check = |text: &str, expected: &str| {
            let range = CellRange::parse(text).unwrap_or_else(|| panic!("{text} is a range"));
            assert_eq!(range.to_string(), expected);
        };
        check("B2:F40", "B2:F40");
        check("$f$40:$b$2", "B2:F40");
        check("XFD1048576", "XFD1048576");
        check("C:B", "B:C");
        check("40:2", "2:40");
        let columns = CellRange::parse("B:C").expect("whole columns");
        assert!(columns.contains(RowNumber::from_idx(1_000_000), ColumnNumber::from_idx(1)));
        assert!(!columns.contains(RowNumber::FIRST, ColumnNumber::FIRST));
        for wrong in ["", ":", "A0", "2B", "A1:B", "A1:2", "Sheet1!A1", "-1"] {
            assert_eq!(CellRange::parse(wrong), None, "{wrong}");
        }
    }
}
