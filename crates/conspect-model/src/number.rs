//! Numbers that count from 1, so that no reader of the code has to ask.

use std::fmt;
use std::num::NonZeroU32;

macro_rules! one_based {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The first one.
            pub const FIRST: $name = $name(NonZeroU32::MIN);

            /// The number that people see, if it is one: 0 is none.
            pub fn new(number: u32) -> Option<$name> {
                NonZeroU32::new(number).map($name)
            }

            /// The number of the item with this index from 0. Saturates at the largest number.
            pub fn from_idx(idx: usize) -> $name {
                let number = u32::try_from(idx).unwrap_or(u32::MAX).saturating_add(1);
                $name(NonZeroU32::new(number).unwrap_or(NonZeroU32::MAX))
            }

            /// The number that people see.
            pub fn get(self) -> u32 {
                self.0.get()
            }

            /// The index from 0.
            pub fn idx(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

one_based! {
    /// A page, as counted from the start of the file (not the label printed on it).
    PageNumber
}
one_based! {
    /// A sheet of a workbook, or a slide of a presentation, in file order.
    SheetNumber
}
one_based! {
    /// A paragraph of a word-processing document, in file order.
    ParagraphNumber
}
one_based! {
    /// A row of a sheet, as the spreadsheet program shows it.
    RowNumber
}
one_based! {
    /// A column of a sheet: A is 1.
    ColumnNumber
}

/// A line of text: what ends with a line feed, or with the file.
///
/// Wider than the other numbers, since a log may hold more than 4 milliard lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineNumber(std::num::NonZeroU64);

impl LineNumber {
    /// The first line.
    pub const FIRST: LineNumber = LineNumber(std::num::NonZeroU64::MIN);

    /// The number that people see, if it is one: 0 is none.
    pub fn new(number: u64) -> Option<LineNumber> {
        std::num::NonZeroU64::new(number).map(LineNumber)
    }

    /// The number of the line with this index from 0.
    pub fn from_idx(idx: usize) -> LineNumber {
        LineNumber(std::num::NonZeroU64::MIN.saturating_add(idx as u64))
    }

    /// The number that people see.
    pub fn get(self) -> u64 {
        self.0.get()
    }

    /// The index from 0.
    pub fn idx(self) -> usize {
        (self.0.get() - 1) as usize
    }
}

impl fmt::Display for LineNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl ColumnNumber {
    /// The letters that a spreadsheet shows: A, Z, AA, XFD.
    pub fn letters(self) -> String {
        let mut letters = Vec::new();
        let mut rest = self.get();
        while rest > 0 {
            letters.push(b'A' + ((rest - 1) % 26) as u8);
            rest = (rest - 1) / 26;
        }
        letters.iter().rev().map(|&b| b as char).collect()
    }

    /// The column with these letters, in either case.
    pub fn from_letters(letters: &str) -> Option<ColumnNumber> {
        let mut number: u32 = 0;
        for b in letters.bytes() {
            let digit = match b {
                b'A'..=b'Z' => b - b'A' + 1,
                b'a'..=b'z' => b - b'a' + 1,
                _ => return None,
            };
            number = number.checked_mul(26)?.checked_add(u32::from(digit))?;
        }
        ColumnNumber::new(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_letters_and_numbers_go_both_ways() {
        for (number, letters) in [(1, "A"), (26, "Z"), (27, "AA"), (702, "ZZ"), (703, "AAA"), (16384, "XFD")]
        {
            let column = ColumnNumber::new(number).expect("not zero");
            assert_eq!(column.letters(), letters);
            assert_eq!(ColumnNumber::from_letters(letters), Some(column));
        }
        assert_eq!(ColumnNumber::from_letters(""), None);
        assert_eq!(ColumnNumber::from_letters("A1"), None);
        assert_eq!(ColumnNumber::from_letters("AAAAAAAAAAAA"), None);
    }

    #[test]
    fn numbers_count_from_one_and_indexes_from_zero() {
        assert_eq!(PageNumber::from_idx(0), PageNumber::FIRST);
        assert_eq!(PageNumber::from_idx(11).get(), 12);
        assert_eq!(LineNumber::from_idx(4).idx(), 4);
        assert_eq!(PageNumber::new(0), None);
    }
}
