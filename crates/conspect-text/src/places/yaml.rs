//! YAML, by its indentation.

use super::path::{self, Step};

/// How deep the walk keeps keys.
const MAX_FRAMES: usize = 64;

#[derive(Clone, Default)]
pub(super) struct Walk {
    /// What is open, with the column that it begins at.
    frames: Vec<(usize, Frame)>,
    /// The column that a block of literal text must be indented beyond.
    literal: Option<usize>,
    /// Brackets and quotes that are open over the line's end.
    flow: Flow,
}

#[derive(Clone)]
enum Frame {
    Key(Box<str>),
    Idx(usize),
}

#[derive(Clone, Copy, Default)]
struct Flow {
    n_open: usize,
    quote: Option<u8>,
}

impl Walk {
    pub(super) fn line(&mut self, line: &str) {
        if let Some((column, rest)) = self.begin_line(line) {
            self.entry(column, rest);
        }
    }

    /// The keys and indexes around a line. A key that begins the line is not said twice.
    pub(super) fn place_of_line(mut self, line: &str) -> Option<String> {
        match self.begin_line(line) {
            Some((column, rest)) if key_of(rest).is_some() => self.close_from(column),
            _ => {}
        }
        self.place()
    }

    /// The keys and indexes around what comes next.
    pub(super) fn place(&self) -> Option<String> {
        path::path(self.frames.iter().map(|(_, frame)| match frame {
            Frame::Key(key) => Step::Key(key),
            Frame::Idx(idx) => Step::Idx(*idx),
        }))
    }

    /// Takes the dashes at the beginning of a line. What comes after them, and its column; `None` for a line that
    /// only goes on with something, or says nothing.
    fn begin_line<'l>(&mut self, line: &'l str) -> Option<(usize, &'l str)> {
        let mut rest = line.trim_start_matches([' ', '\t']);
        let mut column = line.len() - rest.len();
        if rest.trim_end().is_empty() {
            return None;
        }
        if let Some(outer) = self.literal {
            if column > outer {
                return None;
            }
            self.literal = None;
        }
        if self.flow.is_open() {
            self.flow.step(rest);
            return None;
        }
        if rest.starts_with('#') {
            return None;
        }
        if column == 0 && (line.starts_with("---") || line.starts_with("...")) {
            self.frames.clear();
            return None;
        }
        while let Some(after) =
            rest.strip_prefix('-').filter(|after| after.is_empty() || after.starts_with(' '))
        {
            self.dash(column);
            let inner = after.trim_start_matches(' ');
            column += rest.len() - inner.len();
            rest = inner;
        }
        Some((column, rest))
    }

    fn dash(&mut self, column: usize) {
        // A key at the column of the dash is the one that the list belongs to.
        while self.frames.pop_if(|(begins_at, _)| *begins_at > column).is_some() {}
        match self.frames.last_mut() {
            Some((begins_at, Frame::Idx(idx))) if *begins_at == column => *idx += 1,
            _ => self.push(column, Frame::Idx(0)),
        }
    }

    /// What follows the dashes of a line: a key with its value, or a value.
    fn entry(&mut self, column: usize, rest: &str) {
        let value = match key_of(rest) {
            Some((key, value)) => {
                self.close_from(column);
                self.push(column, Frame::Key(path::kept(key)));
                value
            }
            None => rest,
        };
        let value = value.trim_start();
        match value.bytes().next() {
            Some(b'|' | b'>') => self.literal = self.frames.last().map(|(begins_at, _)| *begins_at),
            Some(b'{' | b'[' | b'"' | b'\'') => self.flow.step(value),
            _ => {}
        }
    }

    /// Ends everything that begins at this column or beyond it.
    fn close_from(&mut self, column: usize) {
        while self.frames.pop_if(|(begins_at, _)| *begins_at >= column).is_some() {}
    }

    fn push(&mut self, column: usize, frame: Frame) {
        if self.frames.len() < MAX_FRAMES {
            self.frames.push((column, frame));
        }
    }

    pub(super) fn weight(&self) -> usize {
        let key_bytes = |frame: &Frame| match frame {
            Frame::Key(key) => key.len(),
            Frame::Idx(_) => 0,
        };
        size_of::<Walk>()
            + self
                .frames
                .iter()
                .map(|(_, frame)| size_of::<(usize, Frame)>() + key_bytes(frame))
                .sum::<usize>()
    }
}

impl Flow {
    fn is_open(self) -> bool {
        self.n_open > 0 || self.quote.is_some()
    }

    fn step(&mut self, text: &str) {
        let mut bytes = text.bytes();
        let mut before = b' ';
        while let Some(byte) = bytes.next() {
            match (self.quote, byte) {
                (Some(b'"'), b'\\') => {
                    bytes.next();
                }
                (Some(quote), byte) if byte == quote => {
                    self.quote = None;
                    if self.n_open == 0 {
                        return;
                    }
                }
                (Some(_), _) => {}
                (None, b'"' | b'\'') if !before.is_ascii_alphanumeric() => self.quote = Some(byte),
                (None, b'{' | b'[') => self.n_open += 1,
                (None, b'}' | b']') => {
                    self.n_open = self.n_open.saturating_sub(1);
                    if self.n_open == 0 {
                        return;
                    }
                }
                (None, b'#') if before == b' ' => return,
                (None, _) => {}
            }
            before = byte;
        }
    }
}

/// The key that a text begins with, and what comes after its colon.
pub(super) fn key_of(text: &str) -> Option<(&str, &str)> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inner = &text[1..];
        let (key, after) = inner.split_once(quote)?;
        return Some((key, after.trim_start().strip_prefix(':')?));
    }
    if text.starts_with(['{', '[', '#', '|', '>', '?', '%', '@', '`']) {
        return None;
    }
    let mut from = 0;
    while let Some(found) = text[from..].find(':') {
        let at = from + found;
        let after = &text[at + 1..];
        if after.is_empty() || after.starts_with([' ', '\t']) {
            let key = text[..at].trim_end();
            return (!key.is_empty() && !key.contains(" #")).then_some((key, after));
        }
        from = at + 1;
    }
    None
}
