//! TOML, by its section headers.

use std::collections::HashMap;

use super::path::{self, Step};

/// How many arrays of tables are counted.
const MAX_ARRAYS: usize = 64;

#[derive(Clone, Default)]
pub(super) struct Walk {
    /// The keys of the section's header.
    section: Vec<Box<str>>,
    /// How often each array of tables was begun, less one.
    arrays: HashMap<Vec<Box<str>>, usize>,
    /// The key whose value is not ended.
    key: Option<Box<str>>,
    value: Value,
}

/// What of a value is open over the line's end.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Value {
    #[default]
    Ended,
    Brackets(usize),
    /// Text in three quotes.
    Text(&'static str),
}

impl Walk {
    pub(super) fn line(&mut self, line: &str) {
        let line = line.trim();
        if self.value != Value::Ended {
            self.go_on(line);
        } else if line.starts_with('[') {
            self.header(line);
        } else if let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            self.key = Some(path::kept(key.trim()));
            self.go_on(value.trim());
        }
        if self.value == Value::Ended {
            self.key = None;
        }
    }

    /// The keys around a line. Those that it says itself are not said twice.
    pub(super) fn place_of_line(mut self, line: &str) -> Option<String> {
        if self.value == Value::Ended && line.trim_start().starts_with('[') {
            let is_array = line.trim_start().starts_with("[[");
            self.line(line);
            return self.place().filter(|_| is_array);
        }
        self.place()
    }

    /// The keys around what comes next.
    pub(super) fn place(&self) -> Option<String> {
        let mut steps = Vec::new();
        for (idx, key) in self.section.iter().enumerate() {
            steps.push(Step::Key(key));
            if let Some(&array_idx) = self.arrays.get(&self.section[..=idx]) {
                steps.push(Step::Idx(array_idx));
            }
        }
        steps.extend(self.key.as_deref().map(Step::Key));
        path::path(steps.into_iter())
    }

    fn header(&mut self, line: &str) {
        let inner = line.trim_start_matches('[');
        let is_array = line.starts_with("[[");
        let Some((name, _)) = inner.split_once(']') else { return };
        self.section = keys(name);
        if !is_array {
            return;
        }
        let section = self.section.clone();
        if let Some(array_idx) = self.arrays.get_mut(&section) {
            *array_idx += 1;
        } else if self.arrays.len() < MAX_ARRAYS {
            self.arrays.insert(section.clone(), 0);
        }
        self.arrays.retain(|keys, _| keys.len() <= section.len() || !keys.starts_with(&section));
    }

    /// Goes over a value, or more of one.
    fn go_on(&mut self, text: &str) {
        let mut rest = text;
        if let Value::Text(quotes) = self.value {
            let Some((_, after)) = rest.split_once(quotes) else { return };
            self.value = Value::Ended;
            rest = after;
        }
        let mut n_open = match self.value {
            Value::Brackets(n_open) => n_open,
            _ => 0,
        };
        while let Some(at) = rest.find(['[', ']', '{', '}', '"', '\'', '#']) {
            let found = &rest[at..];
            rest = &found[1..];
            match found.as_bytes()[0] {
                b'[' | b'{' => n_open += 1,
                b']' | b'}' => n_open = n_open.saturating_sub(1),
                b'#' => break,
                _ => match after_text(found) {
                    Ok(after) => rest = after,
                    Err(quotes) => {
                        // An array that holds such a text is taken to end with it.
                        self.value = Value::Text(quotes);
                        return;
                    }
                },
            }
        }
        self.value = if n_open > 0 { Value::Brackets(n_open) } else { Value::Ended };
    }

    pub(super) fn weight(&self) -> usize {
        let n_keys = self.section.len() + self.arrays.keys().map(Vec::len).sum::<usize>() + 1;
        size_of::<Walk>() + n_keys * (path::MAX_KEY_BYTES + size_of::<Box<str>>())
    }
}

/// What comes after the text in quotes that `text` begins with; the quotes, where it is one of several lines and does
/// not end here.
fn after_text(text: &str) -> Result<&str, &'static str> {
    for quotes in ["\"\"\"", "'''"] {
        if let Some(inner) = text.strip_prefix(quotes) {
            return inner.split_once(quotes).map(|(_, after)| after).ok_or(quotes);
        }
    }
    let (quote, inner) = text.split_at(1);
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote == "\"" => escaped = true,
            c if quote.starts_with(c) => return Ok(&inner[at + 1..]),
            _ => {}
        }
    }
    Ok("")
}

/// The keys of a header: parts between dots, with quotes where they hold some themselves.
fn keys(name: &str) -> Vec<Box<str>> {
    const MAX_KEYS: usize = 16;
    let mut keys: Vec<String> = vec![String::new()];
    let mut quote = None;
    for c in name.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '.') if keys.len() < MAX_KEYS => keys.push(String::new()),
            (None, c) if c.is_whitespace() => {}
            (_, c) => {
                if let Some(last) = keys.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    keys.iter().map(|key| path::kept(key)).collect()
}
