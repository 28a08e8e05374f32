use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

/// A text as numbered lines, without a copy of the text where that can be helped.
///
/// A line is what stands before a line feed; a final line feed adds no line, and the carriage return of a CRLF is not
/// part of the line. Everything else is text, shown as it is. Implementations keep offsets, or no more than a sparse
/// index, into bytes that may be far larger than memory.
pub trait TextLines: Send + Sync {
    /// How many lines there are.
    fn n_lines(&self) -> usize;

    /// How many characters (Unicode scalar values) all lines hold, line ends not counted.
    fn n_chars(&self) -> usize;

    /// Calls `each` with the index from 0 and the text of every line in `lines`, in order, until it breaks.
    ///
    /// Lines past the end are passed over. This is the fast way to see many lines.
    fn visit(&self, lines: Range<usize>, each: &mut dyn FnMut(usize, &str) -> ControlFlow<()>);

    /// Calls `each` with every cell of a line, in order, where lines are rows of cells (CSV): where it lies in the line,
    /// delimiters left out, and what it says, without the quotes around it. Never called elsewhere, nor for a line that
    /// is only a part of a row.
    fn visit_cells(&self, _line: &str, _each: &mut dyn FnMut(Range<usize>, &str)) {}

    /// The first keys of a text that is data, each before those inside it; none elsewhere.
    fn keys(&self) -> &[DataKey] {
        &[]
    }

    /// The text of one line; empty past the end.
    fn line(&self, line_idx: usize) -> Cow<'_, str> {
        let mut text = String::new();
        self.visit(line_idx..line_idx + 1, &mut |_, line| {
            text.push_str(line);
            ControlFlow::Break(())
        });
        Cow::Owned(text)
    }

    /// Where in the structure of the text byte `byte` of a line stands, in the words of the format: the keys around it
    /// (`services.web.ports[2]`), the time of the log entry that it continues. `None` where there is no such structure,
    /// and where there is nothing to say that the line, read from that byte on, does not say itself.
    fn place(&self, _line_idx: usize, _byte: usize) -> Option<String> {
        None
    }
}

/// A key of a text that is data: JSON, YAML, TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataKey {
    /// How many keys it is inside.
    pub depth: usize,
    /// The key as written, without quotes. Empty for a value that has none: the whole text.
    pub name: String,
    /// The lines from the key to the end of its value, from 0.
    pub lines: Range<usize>,
    /// What it holds.
    pub value: DataValue,
}

/// What a [`DataKey`] holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataValue {
    /// An object, mapping or table with so many keys.
    Object(usize),
    /// An array or list with so many items.
    Array(usize),
    /// A string.
    Text,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// Nothing.
    Null,
    /// Anything else: a date, an alias.
    Other,
}

impl std::fmt::Display for DataValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DataValue::Object(1) => f.write_str("object, 1 key"),
            DataValue::Object(n_keys) => write!(f, "object, {n_keys} keys"),
            DataValue::Array(1) => f.write_str("array, 1 item"),
            DataValue::Array(n_items) => write!(f, "array, {n_items} items"),
            DataValue::Text => f.write_str("text"),
            DataValue::Number => f.write_str("number"),
            DataValue::Boolean => f.write_str("true or false"),
            DataValue::Null => f.write_str("null"),
            DataValue::Other => f.write_str("value"),
        }
    }
}

/// Lines held in memory: one string and where each line ends.
#[derive(Clone, Debug, Default)]
pub struct OwnedLines {
    text: String,
    ends: Vec<usize>,
    n_chars: usize,
}

impl OwnedLines {
    /// No lines.
    pub fn new() -> OwnedLines {
        OwnedLines::default()
    }

    /// Adds a line. A line feed inside it would make it two, so it is shown as a blank.
    pub fn push(&mut self, line: &str) {
        if line.contains('\n') {
            self.text.push_str(&line.replace('\n', " "));
        } else {
            self.text.push_str(line);
        }
        self.ends.push(self.text.len());
        self.n_chars += line.chars().count();
    }

    /// The text of one line; empty past the end.
    pub fn get(&self, line_idx: usize) -> &str {
        let Some(&end) = self.ends.get(line_idx) else { return "" };
        let start = if line_idx == 0 { 0 } else { self.ends[line_idx - 1] };
        &self.text[start..end]
    }
}

impl TextLines for OwnedLines {
    fn n_lines(&self) -> usize {
        self.ends.len()
    }

    fn n_chars(&self) -> usize {
        self.n_chars
    }

    fn visit(&self, lines: Range<usize>, each: &mut dyn FnMut(usize, &str) -> ControlFlow<()>) {
        for line_idx in lines.start..lines.end.min(self.ends.len()) {
            if each(line_idx, self.get(line_idx)).is_break() {
                return;
            }
        }
    }

    fn line(&self, line_idx: usize) -> Cow<'_, str> {
        Cow::Borrowed(self.get(line_idx))
    }
}
