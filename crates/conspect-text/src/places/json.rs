//! JSON, JSON with one value a line, and what people write beside it: comments, keys without quotes, commas too many.

use super::path::{self, MAX_KEY_BYTES, Step};
use crate::source_text::LineGoesOn;

/// How deep the walk keeps keys; what is deeper only counts.
const MAX_FRAMES: usize = 64;

#[derive(Clone, Default)]
pub(super) struct Walk {
    frames: Vec<Frame>,
    /// Objects and arrays that are open inside the last frame.
    n_deeper: usize,
    token: Token,
    /// The key that is being read.
    key: String,
    /// Brackets did not match, or text stood where none may: there is no telling where we are.
    is_lost: bool,
    shape: Shape,
}

#[derive(Clone)]
enum Frame {
    Object { key: Option<Box<str>>, in_value: bool },
    Array { idx: usize },
}

/// What the next byte is part of.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Token {
    #[default]
    Between,
    /// After a slash that may begin a comment.
    Slash,
    LineComment,
    BlockComment {
        star: bool,
    },
    Text {
        quote: u8,
        is_key: bool,
        escaped: bool,
    },
    /// A key without quotes.
    BareKey,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Shape {
    /// Nothing was seen yet that tells.
    #[default]
    Unknown,
    /// One value that goes over lines.
    Value,
    /// The first line was a whole object or array: so are the others, and a broken one breaks no other.
    Lines,
}

impl Walk {
    pub(super) fn step(&mut self, piece: &str, goes_on: LineGoesOn) {
        let bytes = piece.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if let Token::Text { quote, is_key: false, escaped: false } = self.token {
                // Most of JSON is text, and most of that is neither its end nor an escape.
                match memchr::memchr2(quote, b'\\', &bytes[at..]) {
                    None => break,
                    Some(n_passed) => at += n_passed,
                }
                self.byte(bytes[at]);
            } else {
                self.byte(byte);
            }
            at += 1;
        }
        if goes_on == LineGoesOn::No {
            self.end_line();
        }
    }

    fn byte(&mut self, byte: u8) {
        match self.token {
            Token::Between => self.between(byte),
            Token::Slash => {
                self.token = match byte {
                    b'/' => Token::LineComment,
                    b'*' => Token::BlockComment { star: false },
                    _ => Token::Between,
                }
            }
            Token::LineComment => {}
            Token::BlockComment { star: true } if byte == b'/' => self.token = Token::Between,
            Token::BlockComment { .. } => self.token = Token::BlockComment { star: byte == b'*' },
            Token::Text { quote, is_key, escaped } => {
                if !escaped && byte == quote {
                    self.token = Token::Between;
                    if is_key {
                        self.end_key();
                    }
                    return;
                }
                let escaped = !escaped && byte == b'\\';
                self.token = Token::Text { quote, is_key, escaped };
                if is_key {
                    self.add_to_key(byte);
                }
            }
            Token::BareKey if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-') => {
                self.add_to_key(byte);
            }
            Token::BareKey => {
                self.token = Token::Between;
                self.end_key();
                self.between(byte);
            }
        }
    }

    fn between(&mut self, byte: u8) {
        match byte {
            b'"' | b'\'' => {
                let is_key = self.expects_key();
                self.key.clear();
                self.token = Token::Text { quote: byte, is_key, escaped: false };
            }
            b'{' => self.open(Frame::Object { key: None, in_value: false }),
            b'[' => self.open(Frame::Array { idx: 0 }),
            b'}' | b']' => self.close(byte),
            b'/' => self.token = Token::Slash,
            b':' if self.n_deeper == 0 => {
                if let Some(Frame::Object { in_value, .. }) = self.frames.last_mut() {
                    *in_value = true;
                }
            }
            b',' if self.n_deeper == 0 => match self.frames.last_mut() {
                Some(Frame::Object { key, in_value }) => (*key, *in_value) = (None, false),
                Some(Frame::Array { idx }) => *idx += 1,
                None => {}
            },
            _ if self.frames.is_empty() => self.is_lost |= !byte.is_ascii_whitespace() && byte != b',',
            _ if self.expects_key() && (byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')) => {
                self.key.clear();
                self.add_to_key(byte);
                self.token = Token::BareKey;
            }
            _ => {}
        }
    }

    fn expects_key(&self) -> bool {
        self.n_deeper == 0 && matches!(self.frames.last(), Some(Frame::Object { in_value: false, .. }))
    }

    /// Bytes of a key outside ASCII come one by one and are put together at its end.
    fn add_to_key(&mut self, byte: u8) {
        if self.key.len() < 4 * MAX_KEY_BYTES {
            self.key.push(char::from(byte));
        }
    }

    fn end_key(&mut self) {
        let bytes: Vec<u8> = self.key.chars().map(|c| c as u8).collect();
        let own = path::kept(&String::from_utf8_lossy(&bytes));
        if let Some(Frame::Object { key, .. }) = self.frames.last_mut() {
            *key = Some(own);
        }
        self.key.clear();
    }

    fn open(&mut self, frame: Frame) {
        match self.n_deeper == 0 && self.frames.len() < MAX_FRAMES {
            true => self.frames.push(frame),
            false => self.n_deeper += 1,
        }
    }

    fn close(&mut self, byte: u8) {
        if self.n_deeper > 0 {
            self.n_deeper -= 1;
            return;
        }
        match (self.frames.pop(), byte) {
            (Some(Frame::Object { .. }), b'}') | (Some(Frame::Array { .. }), b']') => {}
            _ => self.is_lost = true,
        }
    }

    fn end_line(&mut self) {
        match self.token {
            Token::BareKey => self.end_key(),
            Token::BlockComment { .. } => return,
            _ => {}
        }
        // No text goes over a line's end.
        self.token = Token::Between;
        if self.shape == Shape::Unknown {
            self.shape = match self.frames.is_empty() && !self.is_lost {
                true => Shape::Lines,
                false => Shape::Value,
            };
        }
        if self.shape == Shape::Lines {
            self.frames.clear();
            self.n_deeper = 0;
            self.is_lost = false;
        }
    }

    /// The path of what stands next. A key that stands there itself is not said twice.
    pub(super) fn place(&self, after: &str) -> Option<String> {
        if self.is_lost {
            return None;
        }
        let next = after.bytes().find(|byte| !byte.is_ascii_whitespace());
        let is_between = self.token == Token::Between && self.n_deeper == 0;
        let ends = is_between && matches!(next, Some(b'}' | b']'));
        let goes_on = is_between && next == Some(b',');
        let last = self.frames.len().wrapping_sub(1);
        path::path(self.frames.iter().enumerate().filter_map(|(frame_idx, frame)| match frame {
            _ if frame_idx == last && ends => None,
            Frame::Object { .. } if frame_idx == last && goes_on => None,
            Frame::Object { key, .. } => key.as_deref().map(Step::Key),
            Frame::Array { idx } => Some(Step::Idx(idx + usize::from(frame_idx == last && goes_on))),
        }))
    }

    pub(super) fn weight(&self) -> usize {
        let key_bytes = |frame: &Frame| match frame {
            Frame::Object { key: Some(key), .. } => key.len(),
            _ => 0,
        };
        size_of::<Walk>()
            + self.frames.iter().map(|frame| size_of::<Frame>() + key_bytes(frame)).sum::<usize>()
    }
}
