//! What the columns of a table hold, for tables of which only some rows are shown.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use crate::cells::each_cell;
use crate::listing::{Listing, TableSpan};

/// What a table holds.
#[derive(Clone, Debug, PartialEq)]
pub struct TableProfile {
    /// The line that it is written above: the first of the table's header, or its first row.
    pub line_idx: usize,
    /// How many rows there are below the header.
    pub n_rows: usize,
    /// How many of them were looked at: all, unless there are very many, and then evenly spread ones.
    pub n_rows_seen: usize,
    /// The columns that are described, in order.
    pub columns: Vec<ColumnProfile>,
    /// How many columns there are besides.
    pub n_columns_left_out: usize,
}

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnProfile {
    /// Its name in the header; `column 3` where there is none.
    pub name: String,
    /// What its cells are.
    pub kind: ColumnKind,
    /// How many cells are empty.
    pub n_empty: usize,
    /// How many different values there are; `None` if more than [`MAX_DISTINCT`].
    pub n_distinct: Option<usize>,
    /// The least and the greatest value as the cells show them, where the kind has an order.
    pub extremes: Option<(String, String)>,
    /// All values, in the order of their first rows, where they are few and short.
    pub values: Vec<String>,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Every cell is empty.
    Empty,
    /// Every cell that is not empty is a number.
    Number,
    /// Every cell that is not empty is a date.
    Date,
    /// Anything else.
    Text,
}

impl ColumnKind {
    /// The kind's name: one word, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            ColumnKind::Empty => "empty",
            ColumnKind::Number => "number",
            ColumnKind::Date => "date",
            ColumnKind::Text => "text",
        }
    }
}

/// Different values are counted up to this many.
pub const MAX_DISTINCT: usize = 1_000;

/// Tables of more rows than this are looked at in [`N_BLOCKS`] blocks, spread evenly.
const MAX_ROWS_SEEN: usize = 100_000;
const N_BLOCKS: usize = 100;
/// More columns than this are not described.
const MAX_COLUMNS: usize = 256;
/// A column with at most this many values, each short, names them.
const MAX_NAMED_VALUES: usize = 5;
const MAX_NAMED_CHARS: usize = 24;

/// Looks at the rows of a table.
pub(crate) fn profile(listing: &Listing<'_>, table: &TableSpan) -> TableProfile {
    let mut columns: Vec<Column> = Vec::new();
    let mut n_rows_seen = 0;
    for rows in blocks(&table.rows) {
        for line_idx in rows {
            n_rows_seen += 1;
            each_cell(listing, line_idx, &mut |column_idx, cell| {
                if column_idx >= columns.len() && column_idx < MAX_COLUMNS {
                    columns.resize_with(column_idx + 1, Column::default);
                }
                if let Some(column) = columns.get_mut(column_idx) {
                    column.see(cell);
                }
            });
        }
    }
    let mut names = vec![String::new(); columns.len()];
    for line_idx in table.header.clone() {
        each_cell(listing, line_idx, &mut |column_idx, cell| {
            if let Some(name) = names.get_mut(column_idx).filter(|_| !cell.is_empty()) {
                *name = cell.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
            }
        });
    }
    let columns = columns.into_iter().zip(names).enumerate().map(|(column_idx, (column, name))| {
        let name = if name.is_empty() { format!("column {}", column_idx + 1) } else { name };
        column.finish(name, n_rows_seen)
    });
    TableProfile {
        line_idx: table.header.start,
        n_rows: table.rows.len(),
        n_rows_seen,
        columns: columns.collect(),
        n_columns_left_out: 0,
    }
}

impl TableProfile {
    /// Leaves columns out until it takes no more than `max_chars`: those in `kept_longest` go last.
    pub(crate) fn shorten(&mut self, max_chars: usize, kept_longest: &[usize]) {
        let mut left = max_chars.saturating_sub(PROFILE_MARK_CHARS);
        let mut keeps = vec![false; self.columns.len()];
        let others = (0..self.columns.len()).filter(|column_idx| !kept_longest.contains(column_idx));
        for column_idx in kept_longest.iter().copied().chain(others) {
            let Some(column) = self.columns.get(column_idx) else { continue };
            let n_chars = column.to_string().chars().count() + 2;
            if n_chars <= left {
                left -= n_chars;
                keeps[column_idx] = true;
            }
        }
        let n_columns = self.columns.len();
        let mut keeps = keeps.into_iter();
        self.columns.retain(|_| keeps.next().unwrap_or(false));
        self.n_columns_left_out += n_columns - self.columns.len();
    }
}

/// What a profile takes besides its columns: brackets, the number of rows, the number of columns left out.
const PROFILE_MARK_CHARS: usize = 80;

/// All rows, or evenly spread blocks of them.
fn blocks(rows: &Range<usize>) -> Vec<Range<usize>> {
    if rows.len() <= MAX_ROWS_SEEN {
        return vec![rows.clone()];
    }
    let per_block = MAX_ROWS_SEEN / N_BLOCKS;
    (0..N_BLOCKS)
        .map(|block| rows.start + (rows.len() - per_block) / (N_BLOCKS - 1) * block)
        .map(|start| start..start + per_block)
        .collect()
}

/// A column while its cells are looked at.
#[derive(Default)]
struct Column {
    n_filled: usize,
    n_numbers: usize,
    n_dates: usize,
    least: Option<(f64, String)>,
    greatest: Option<(f64, String)>,
    distinct: HashSet<u64>,
    values: Vec<String>,
}

impl Column {
    fn see(&mut self, cell: &str) {
        if cell.is_empty() {
            return;
        }
        self.n_filled += 1;
        if self.distinct.len() <= MAX_DISTINCT {
            let mut hasher = DefaultHasher::new();
            cell.hash(&mut hasher);
            let is_new = self.distinct.insert(hasher.finish());
            if is_new && self.values.len() <= MAX_NAMED_VALUES {
                self.values.push(cell.chars().take(MAX_NAMED_CHARS + 1).collect());
            }
        }
        // A column that has held something else is text; its cells need not be looked into.
        if self.n_numbers + 1 == self.n_filled
            && let Some(number) = number(cell)
        {
            self.n_numbers += 1;
            self.order(number, cell);
        } else if self.n_dates + 1 == self.n_filled
            && let Some(day) = day(cell)
        {
            self.n_dates += 1;
            self.order(day, cell);
        }
    }

    fn order(&mut self, key: f64, cell: &str) {
        if self.least.as_ref().is_none_or(|(least, _)| key < *least) {
            self.least = Some((key, cell.to_owned()));
        }
        if self.greatest.as_ref().is_none_or(|(greatest, _)| key > *greatest) {
            self.greatest = Some((key, cell.to_owned()));
        }
    }

    fn finish(self, name: String, n_rows: usize) -> ColumnProfile {
        let kind = match self.n_filled {
            0 => ColumnKind::Empty,
            n if n == self.n_numbers => ColumnKind::Number,
            n if n == self.n_dates => ColumnKind::Date,
            _ => ColumnKind::Text,
        };
        let has_order = matches!(kind, ColumnKind::Number | ColumnKind::Date);
        let extremes = self.least.zip(self.greatest).filter(|_| has_order);
        let are_few = self.values.len() <= MAX_NAMED_VALUES
            && self.values.iter().all(|value| value.chars().count() <= MAX_NAMED_CHARS);
        ColumnProfile {
            name,
            kind,
            n_empty: n_rows - self.n_filled.min(n_rows),
            n_distinct: Some(self.distinct.len()).filter(|&n| n <= MAX_DISTINCT),
            extremes: extremes.map(|((_, least), (_, greatest))| (least, greatest)),
            values: if kind == ColumnKind::Text && are_few { self.values } else { Vec::new() },
        }
    }
}

/// The value of a cell that is a number: signs, currency, thousands and percent as people write them.
fn number(cell: &str) -> Option<f64> {
    let cell = cell.trim_start_matches(['$', '€', '£', '¥']).trim_end_matches(['%', '€', '$', '£']).trim();
    if !cell.bytes().next_back()?.is_ascii_digit() || cell.len() > 40 {
        return None;
    }
    let mut digits = String::with_capacity(cell.len());
    let comma_is_decimal = match (cell.rfind(','), cell.rfind('.')) {
        (Some(comma), Some(point)) => comma > point,
        (Some(comma), None) => cell.matches(',').count() == 1 && cell.len() - comma != 4,
        (None, _) => false,
    };
    for c in cell.chars() {
        match c {
            '0'..='9' | '+' | '-' | 'e' | 'E' => digits.push(c),
            '\u{2212}' => digits.push('-'),
            ',' if comma_is_decimal => digits.push('.'),
            '.' if comma_is_decimal => {}
            '.' => digits.push('.'),
            ',' | '\'' | ' ' | '\u{A0}' | '\u{202F}' => {}
            _ => return None,
        }
    }
    digits.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A number that orders days, for `2019-01-31`, `31.01.2019`, and these with a time after them.
fn day(cell: &str) -> Option<f64> {
    let mut words = cell.split([' ', 'T']);
    let date = words.next()?;
    let is_time = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || b":.,+-Z".contains(&b));
    let mut time = 0.0;
    for word in words {
        if !is_time(word) {
            return None;
        }
        let parts = word.split(|c: char| !c.is_ascii_digit()).take(3);
        time = parts.fold(0.0, |time, part| time * 60.0 + part.parse::<f64>().unwrap_or(0.0));
    }
    let separator = if date.contains('-') { '-' } else { '.' };
    let parts: Vec<u32> =
        date.split(separator).map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>()?;
    let [first, month, last] = parts[..] else { return None };
    let (year, day) = if separator == '-' { (first, last) } else { (last, first) };
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && (1000..10_000).contains(&year);
    is_date.then(|| f64::from(year * 372 + month * 31 + day) * 86_400.0 + time)
}

impl fmt::Display for ColumnProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.kind.name())?;
        if self.kind == ColumnKind::Empty {
            return Ok(());
        }
        match &self.extremes {
            Some((least, greatest)) if least == greatest => write!(f, " {least}")?,
            Some((least, greatest)) => write!(f, " {least} to {greatest}")?,
            None => {}
        }
        match self.n_distinct {
            _ if !self.values.is_empty() => write!(f, " ({})", self.values.join(" | "))?,
            Some(1) if self.extremes.is_some() => {}
            Some(n_distinct) => write!(f, ", {n_distinct} distinct")?,
            None => write!(f, ", over {MAX_DISTINCT} distinct")?,
        }
        if self.n_empty > 0 {
            write!(f, ", {} empty", self.n_empty)?;
        }
        Ok(())
    }
}

impl fmt::Display for TableProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} rows", self.n_rows)?;
        if self.n_rows_seen < self.n_rows {
            write!(f, ", {} of them looked at", self.n_rows_seen)?;
        }
        for column in &self.columns {
            write!(f, "; {column}")?;
        }
        match self.n_columns_left_out {
            0 => Ok(()),
            1 => f.write_str("; 1 more column"),
            n => write!(f, "; {n} more columns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_described_by_all_its_cells() {
        let check = |cells: &[&str], expected: &str| {
            let mut column = Column::default();
            cells.iter().for_each(|cell| column.see(cell));
            assert_eq!(column.finish("x".into(), cells.len()).to_string(), expected);
        };
        check(&["3", "10", "-2", ""], "x: number -2 to 10, 3 distinct, 1 empty");
        check(&["1,250.50", "$999", "12%"], "x: number 12% to 1,250.50, 3 distinct");
        check(&["1,5", "0,25"], "x: number 0,25 to 1,5, 2 distinct");
        check(&["7", "7"], "x: number 7");
        check(
            &["2024-11-30", "2019-01-02 10:00", "2019-01-02 09:59"],
            "x: date 2019-01-02 09:59 to 2024-11-30, 3 distinct",
        );
        check(&["31.01.2020", "01.02.2019"], "x: date 01.02.2019 to 31.01.2020, 2 distinct");
        check(&["open", "closed", "open"], "x: text (open | closed)");
        check(&["open", "3"], "x: text (open | 3)");
        check(&["a", "b", "c", "d", "e", "f"], "x: text, 6 distinct");
        check(&["", ""], "x: empty");
        check(&["192.168.0.1"], "x: text (192.168.0.1)");
        check(&["99.99.2020"], "x: text (99.99.2020)");
    }

    #[test]
    fn very_long_tables_are_looked_at_in_even_blocks() {
        let seen = blocks(&(1..1_000_001));
        assert_eq!(seen.iter().map(Range::len).sum::<usize>(), MAX_ROWS_SEEN);
        assert_eq!(seen[0].start, 1);
        assert!(seen.windows(2).all(|pair| pair[0].end <= pair[1].start));
        assert!(seen[N_BLOCKS - 1].end > 999_000 && seen[N_BLOCKS - 1].end <= 1_000_001);
        assert_eq!(blocks(&(3..50)).into_iter().flatten().count(), 47);
    }
}
