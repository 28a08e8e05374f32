//! The first keys of a text that is data: those at the top, and those inside them where they are few.

use std::ops::{ControlFlow, Range};

use conspect_model::{DataKey, DataValue, TextLines};

use super::yaml;
use crate::SourceText;
use crate::source_text::{LineGoesOn, Position};

/// More keys at the top than this are not named.
const MAX_TOP_KEYS: usize = 2_000;
/// A value with more keys than this does not name them.
const MAX_INNER_KEYS: usize = 12;
/// No more of a key or a word is looked at; a longer key of YAML or TOML is none.
const MAX_NAME_BYTES: usize = 200;

/// Keys as they are found.
#[derive(Default)]
struct Keys {
    found: Vec<DataKey>,
}

impl Keys {
    /// Adds a key; returns its index, unless there are too many.
    fn add(&mut self, depth: usize, name: &str, line_idx: usize, value: DataValue) -> Option<usize> {
        if self.found.len() >= MAX_TOP_KEYS * (MAX_INNER_KEYS + 1) {
            return None;
        }
        let lines = line_idx..line_idx + 1;
        self.found.push(DataKey { depth, name: name.to_owned(), lines, value });
        Some(self.found.len() - 1)
    }

    /// Ends a key's value, and forgets the keys in it where they are many.
    fn end(&mut self, key_idx: usize, line_idx: usize) {
        let n_inner = self.found.len() - key_idx - 1;
        let Some(key) = self.found.get_mut(key_idx) else { return };
        key.lines.end = key.lines.end.max(line_idx + 1);
        if n_inner > MAX_INNER_KEYS {
            self.found.truncate(key_idx + 1);
        }
    }
}

/// The keys of JSON. Text that is broken gives those before the break.
pub(super) fn of_json(text: &SourceText<'_>) -> Vec<DataKey> {
    let mut json = Json::default();
    text.visit_pieces(Position::default(), &mut |at, piece, goes_on| {
        for &byte in piece.as_bytes() {
            json.step(byte, at.line_idx);
        }
        if goes_on == LineGoesOn::No {
            json.step(b'\n', at.line_idx);
        }
        match json.has_ended {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    json.keys.found
}

#[derive(Default)]
struct Json {
    keys: Keys,
    /// Objects and arrays that are open, down to those whose keys are named.
    open: Vec<Open>,
    /// How many more are open inside the last of these.
    n_deeper: usize,
    /// The text or word that is being read, its beginning.
    token: Vec<u8>,
    in_text: bool,
    is_escaped: bool,
    in_word: bool,
    has_ended: bool,
}

struct Open {
    is_object: bool,
    n_items: usize,
    /// The key whose value it is.
    key_idx: Option<usize>,
    /// The key that was read last, until its value begins.
    name: Option<String>,
}

/// Keys are named in the outermost value, and in the values of these keys.
const MAX_OPEN: usize = 3;

impl Json {
    fn step(&mut self, byte: u8, line_idx: usize) {
        if self.in_text {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => {
                    self.in_text = false;
                    return;
                }
                _ => {}
            }
            if self.token.len() < MAX_NAME_BYTES {
                self.token.push(byte);
            }
            return;
        }
        let is_structure = matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b':' | b'"');
        if self.in_word && (is_structure || byte.is_ascii_whitespace()) {
            self.in_word = false;
            self.scalar(word_value(&self.token), line_idx);
        }
        match byte {
            b'"' => {
                self.token.clear();
                self.in_text = true;
                let is_value = self.open.last().is_none_or(|open| !open.is_object || open.name.is_some());
                if is_value && self.n_deeper == 0 {
                    self.scalar(DataValue::Text, line_idx);
                }
            }
            b':' if self.n_deeper == 0 => {
                let name = String::from_utf8_lossy(&self.token).into_owned();
                if let Some(open) = self.open.last_mut().filter(|open| open.is_object) {
                    open.name = Some(name);
                }
            }
            b'{' | b'[' => self.begin(byte == b'{', line_idx),
            b'}' | b']' => self.end(line_idx),
            _ if is_structure || byte.is_ascii_whitespace() => {}
            _ => {
                if !self.in_word {
                    self.token.clear();
                    self.in_word = true;
                }
                if self.token.len() < MAX_NAME_BYTES {
                    self.token.push(byte);
                }
            }
        }
    }

    /// A value that is a text, a number or a word.
    fn scalar(&mut self, value: DataValue, line_idx: usize) {
        if self.n_deeper > 0 {
            return;
        }
        let depth = self.open.len();
        let is_named = depth < MAX_OPEN && self.is_in_first_item();
        let Some(open) = self.open.last_mut() else { return };
        if open.is_object && open.name.is_none() {
            return;
        }
        open.n_items += 1;
        if let Some(name) = open.name.take().filter(|_| is_named) {
            self.keys.add(depth - 1, &name, line_idx, value);
        }
    }

    fn begin(&mut self, is_object: bool, line_idx: usize) {
        if self.n_deeper > 0 || self.open.len() >= MAX_OPEN {
            self.n_deeper += 1;
            if self.n_deeper == 1 {
                self.count();
            }
            return;
        }
        let depth = self.open.len();
        let value = if is_object { DataValue::Object(0) } else { DataValue::Array(0) };
        let is_named = self.is_in_first_item();
        let name = self.count();
        let key_idx = match (name, depth) {
            (Some(name), 1 | 2) if is_named => self.keys.add(depth - 1, &name, line_idx, value),
            // The whole text, where it has no keys of its own.
            (None, 0) if !is_object => self.keys.add(0, "", line_idx, value),
            _ => None,
        };
        self.open.push(Open { is_object, n_items: 0, key_idx, name: None });
    }

    /// Whether the outermost value is an object, or this its first item: the others have the same keys.
    fn is_in_first_item(&self) -> bool {
        self.open.first().is_none_or(|open| open.is_object || open.n_items <= 1)
    }

    /// Counts a value that begins in the last open one; returns its key.
    fn count(&mut self) -> Option<String> {
        let open = self.open.last_mut()?;
        open.n_items += 1;
        open.name.take()
    }

    fn end(&mut self, line_idx: usize) {
        if self.n_deeper > 0 {
            self.n_deeper -= 1;
            return;
        }
        let Some(open) = self.open.pop() else { return };
        if let Some(key_idx) = open.key_idx {
            if let Some(key) = self.keys.found.get_mut(key_idx) {
                key.value = match open.is_object {
                    true => DataValue::Object(open.n_items),
                    false => DataValue::Array(open.n_items),
                };
            }
            self.keys.end(key_idx, line_idx);
        }
        self.has_ended = self.open.is_empty();
    }
}

fn word_value(word: &[u8]) -> DataValue {
    match word {
        b"true" | b"false" => DataValue::Boolean,
        b"null" | b"~" => DataValue::Null,
        word => {
            let digits: Vec<u8> = word.iter().copied().filter(|&b| b != b'_').collect();
            let is_number = digits.iter().any(u8::is_ascii_digit)
                && std::str::from_utf8(&digits).is_ok_and(|digits| digits.parse::<f64>().is_ok());
            if is_number { DataValue::Number } else { DataValue::Other }
        }
    }
}

/// The keys of YAML: those of the outermost mapping, and of the mappings in it.
pub(super) fn of_yaml(text: &SourceText<'_>) -> Vec<DataKey> {
    let mut keys = Keys::default();
    let mut top: Option<Block> = None;
    each_line(text, &mut |line_idx, line| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let content = line[indent..].trim_end();
        let is_marker = indent == 0 && (content.starts_with("---") || content.starts_with("..."));
        if content.is_empty() || content.starts_with(['#', '%']) || is_marker {
            return;
        }
        if indent == 0 && !content.starts_with("- ") && content != "-" {
            finish(&mut keys, top.take());
            if let Some((name, value)) = yaml_key(content) {
                let key_idx = keys.add(0, name, line_idx, yaml_value(value));
                top = key_idx.map(|key_idx| Block::new(key_idx, value));
            }
            return;
        }
        let Some(block) = &mut top else { return };
        block.last = line_idx;
        let is_item = content == "-" || content.starts_with("- ");
        if block.is_text {
            return;
        }
        let own = *block.indent.get_or_insert(indent);
        if indent != own {
            // It belongs to the key before.
            if let Some(key) = keys.found.last_mut().filter(|key| key.depth == 1 && indent > own) {
                key.lines.end = line_idx + 1;
                if key.value == DataValue::Null {
                    key.value = DataValue::Other;
                }
            }
            return;
        }
        block.is_list |= is_item;
        block.n_items += usize::from(is_item == block.is_list);
        if !block.is_list
            && let Some((name, value)) = yaml_key(content)
        {
            keys.add(1, name, line_idx, yaml_value(value));
        }
    });
    finish(&mut keys, top);
    keys.found
}

/// The value of a key at the top, while its lines are read.
struct Block {
    key_idx: usize,
    /// Whether it is a text of several lines, in which nothing is a key.
    is_text: bool,
    indent: Option<usize>,
    is_list: bool,
    n_items: usize,
    last: usize,
}

impl Block {
    fn new(key_idx: usize, value: &str) -> Block {
        let is_text = value.starts_with(['|', '>']);
        Block { key_idx, is_text, indent: None, is_list: false, n_items: 0, last: 0 }
    }
}

fn finish(keys: &mut Keys, block: Option<Block>) {
    let Some(block) = block else { return };
    if let Some(key) = keys.found.get_mut(block.key_idx)
        && block.n_items > 0
    {
        key.value = match block.is_list {
            true => DataValue::Array(block.n_items),
            false => DataValue::Object(block.n_items),
        };
    }
    keys.end(block.key_idx, block.last);
}

/// The key of a line of YAML, and what stands behind it. Aliases and anchors are none.
fn yaml_key(content: &str) -> Option<(&str, &str)> {
    let (name, value) = yaml::key_of(content)?;
    let is_name = !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.starts_with(['&', '*']);
    is_name.then(|| (name, value.trim()))
}

fn yaml_value(value: &str) -> DataValue {
    let value = value.split(" #").next().unwrap_or_default().trim();
    match value.as_bytes() {
        [] => DataValue::Null,
        [b'*' | b'&' | b'!', ..] => DataValue::Other,
        [b'[', rest @ .., b']'] => DataValue::Array(n_inline(rest)),
        [b'{', rest @ .., b'}'] => DataValue::Object(n_inline(rest)),
        word => match word_value(word) {
            DataValue::Other => DataValue::Text,
            value => value,
        },
    }
}

/// How many values there are between brackets in one line.
fn n_inline(inner: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut n_commas = 0;
    for byte in inner {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => n_commas += 1,
            _ => {}
        }
    }
    if inner.trim_ascii().is_empty() { 0 } else { n_commas + 1 }
}

/// The keys of TOML: those before the first table, and the tables with their keys.
pub(super) fn of_toml(text: &SourceText<'_>) -> Vec<DataKey> {
    let mut keys = Keys::default();
    let mut table: Option<(usize, usize)> = None;
    let mut last = 0;
    // The quotes that a text of several lines ends with.
    let mut quotes: Option<&str> = None;
    each_line(text, &mut |line_idx, line| {
        let content = line.trim();
        if let Some(mark) = quotes {
            if content.contains(mark) {
                quotes = None;
            }
            last = line_idx;
            return;
        }
        if content.is_empty() || content.starts_with('#') {
            return;
        }
        if let Some(name) = toml_table(content) {
            if let Some((key_idx, n_keys)) = table.take() {
                end_table(&mut keys, key_idx, n_keys, last);
            }
            table = keys.add(0, name, line_idx, DataValue::Object(0)).map(|key_idx| (key_idx, 0));
        } else if let Some((name, value)) = toml_key(content) {
            let depth = usize::from(table.is_some());
            if let Some((_, n_keys)) = &mut table {
                *n_keys += 1;
            }
            keys.add(depth, name, line_idx, toml_value(value));
            let is_open = |mark: &&&str| value.matches(**mark).count() == 1;
            quotes = ["\"\"\"", "'''"].iter().find(is_open).copied();
        }
        last = line_idx;
    });
    if let Some((key_idx, n_keys)) = table {
        end_table(&mut keys, key_idx, n_keys, last);
    }
    keys.found
}

fn end_table(keys: &mut Keys, key_idx: usize, n_keys: usize, last: usize) {
    if let Some(key) = keys.found.get_mut(key_idx) {
        key.value = DataValue::Object(n_keys);
    }
    keys.end(key_idx, last);
}

fn toml_table(content: &str) -> Option<&str> {
    let content = content.split(" #").next()?.trim();
    let inner = content.strip_prefix('[')?.strip_suffix(']')?;
    let inner = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(inner);
    let is_name = !inner.contains([',', '[', ']', '{']) && !inner.trim().is_empty();
    is_name.then(|| inner.trim())
}

fn toml_key(content: &str) -> Option<(&str, &str)> {
    let (name, value) = content.split_once('=')?;
    let name = name.trim();
    let is_bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'' | ' ');
    (!name.is_empty() && name.len() <= MAX_NAME_BYTES && name.chars().all(is_bare))
        .then(|| (name.trim_matches(['"', '\'']), value.trim()))
}

fn toml_value(value: &str) -> DataValue {
    if value.starts_with(['"', '\'']) {
        return DataValue::Text;
    }
    match yaml_value(value) {
        DataValue::Text | DataValue::Null => DataValue::Other,
        value => value,
    }
}

/// Calls `each` with every line, cut where it is very long.
fn each_line(text: &SourceText<'_>, each: &mut dyn FnMut(usize, &str)) {
    let lines: Range<usize> = 0..text.n_lines();
    text.visit(lines, &mut |line_idx, line| {
        each(line_idx, &line[..line.floor_char_boundary(4_096)]);
        ControlFlow::Continue(())
    });
}

#[cfg(test)]
mod tests {
    use conspect_model::{Input, Limits, Scope};

    use crate::plain;

    fn check(name: &str, text: &str, expected: &[&str]) {
        let input = Input::new(text.as_bytes(), name);
        let document = plain::read(&input, &Scope::default(), &Limits::default()).expect("a document");
        let keys = document.lines.as_ref().expect("lines").keys();
        let shown: Vec<String> = keys
            .iter()
            .map(|key| {
                let indent = "  ".repeat(key.depth);
                format!("{indent}{} {}-{} {}", key.name, key.lines.start + 1, key.lines.end, key.value)
            })
            .collect();
        assert_eq!(shown, expected, "{text}");
    }

    /// R23.
    #[test]
    fn json_names_its_first_keys_and_counts_what_they_hold() {
        check(
            "a.json",
            "{\n \"name\": \"x {\\\"\",\n \"n\": 3, \"ok\": true, \"no\": null,\n \"list\": [1, {\"a\": [2]}, []],\n \
             \"deep\": {\n  \"a\": {\"b\": {\"c\": 1}},\n  \"d\": []\n }\n}\n",
            &[
                "name 2-2 text",
                "n 3-3 number",
                "ok 3-3 true or false",
                "no 3-3 null",
                "list 4-4 array, 3 items",
                "deep 5-8 object, 2 keys",
                "  a 6-6 object, 1 key",
                "  d 7-7 array, 0 items",
            ],
        );
        check(
            "a.json",
            "[\n {\"a\": 2},\n {\"a\": 3},\n \"x\"\n]\n",
            &[" 1-5 array, 3 items", "  a 2-2 number"],
        );
        check("a.json", "{\"a\": 1, \"b\": [1, 2", &["a 1-1 number", "b 1-1 array, 0 items"]);
        check("a.json", "{}", &[]);
        let many: String = (0..40).map(|n| format!("\"k{n}\": {n},")).collect();
        let text = format!("{{\"few\": {{\"a\": 1}}, \"many\": {{{}}}}}", many.trim_end_matches(','));
        check("a.json", &text, &["few 1-1 object, 1 key", "  a 1-1 number", "many 1-1 object, 40 keys"]);
    }

    /// R23.
    #[test]
    fn yaml_names_its_first_keys_and_counts_what_they_hold() {
        check(
            "a.yaml",
            "# c\n---\nname: x\nlist:\n  - a: 1\n    b: 2\n  - c\ninline: [1, 2]\n\"quoted key\": 2.5\ntext: |\n  not: a key\nmap:\n  \
             a: yes\n  b:\n    c: 1\nflat:\n- 1\n- 2\n",
            &[
                "name 3-3 text",
                "list 4-7 array, 2 items",
                "inline 8-8 array, 2 items",
                "quoted key 9-9 number",
                "text 10-11 text",
                "map 12-15 object, 2 keys",
                "  a 13-13 text",
                "  b 14-15 value",
                "flat 16-18 array, 2 items",
            ],
        );
    }

    /// R23.
    #[test]
    fn toml_names_its_tables_and_their_keys() {
        check(
            "a.toml",
            "title = \"x\"\nday = 2024-01-31\n[server] # here\nport = 80\nhosts = [\n \"a\",\n]\nnote = \"\"\"\n[no]\nk = 1\n\"\"\"\n\
             [[item]]\nid = 1\n",
            &[
                "title 1-1 text",
                "day 2-2 value",
                "server 3-11 object, 3 keys",
                "  port 4-4 number",
                "  hosts 5-5 value",
                "  note 8-8 text",
                "item 12-13 object, 1 key",
                "  id 13-13 number",
            ],
        );
    }
}
