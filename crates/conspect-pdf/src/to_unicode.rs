//! The mapping from codes to text that a font states in its `ToUnicode` stream (ISO 32000-1, 9.10.3).
//!
//! Producers get these streams wrong in many ways: counts that do not match, sections without an end, codes of another
//! length than the font's, `cidrange` where `bfrange` is meant. Whatever can be understood of one is kept.

use rustc_hash::FxHashMap;

/// Entries that are kept; there are 65,536 codes of two bytes.
const MAX_ENTRIES: usize = 1 << 17;
/// A text that one code stands for, in UTF-16 units. Real ones are ligatures and, rarely, words.
const MAX_TEXT: usize = 512;
/// Ranges that may overlap a code and start after the one that holds it.
const MAX_OVERLAP: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct ToUnicode {
    single: FxHashMap<u32, Box<str>>,
    /// Sorted by where they begin.
    ranges: Vec<Range>,
}

/// Consecutive codes whose texts differ in the last character, which counts up.
#[derive(Debug)]
struct Range {
    first: u32,
    last: u32,
    before: Box<str>,
    last_char: char,
}

impl ToUnicode {
    /// Reads the stream's data. `None` where it maps nothing.
    pub(crate) fn parse(data: &[u8]) -> Option<ToUnicode> {
        let mut map = ToUnicode::default();
        let mut tokens = Tokens { rest: data };
        while let Some(token) = tokens.next() {
            let Token::Word(word) = token else { continue };
            match word {
                b"beginbfchar" => map.chars(&mut tokens),
                b"beginbfrange" | b"begincidrange" => map.ranges(&mut tokens),
                _ => {}
            }
        }
        map.ranges.sort_by_key(|range| range.first);
        (map.n_entries() > 0).then_some(map)
    }

    /// Whether it maps everything to the same text, which is wrong.
    pub(crate) fn is_useless(&self) -> bool {
        let mut texts = self.single.values();
        let first = texts.next();
        self.ranges.is_empty() && self.single.len() >= 4 && texts.all(|text| Some(text) == first)
    }

    /// What the code stands for. Text that says nothing, such as a null character, is for the caller to judge.
    pub(crate) fn text(&self, code: u32) -> Option<String> {
        if let Some(text) = self.single.get(&code) {
            return Some(text.to_string());
        }
        let end = self.ranges.partition_point(|range| range.first <= code);
        let before = self.ranges.get(..end)?;
        let range = before.iter().rev().take(MAX_OVERLAP).find(|range| range.last >= code)?;
        let last = u32::from(range.last_char).checked_add(code - range.first).and_then(char::from_u32)?;
        Some(format!("{}{last}", range.before))
    }

    fn n_entries(&self) -> usize {
        self.single.len() + self.ranges.len()
    }

    fn chars(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(code) = tokens.next_code() {
            match tokens.next() {
                Some(Token::Hex(text)) => self.push(code, &utf16(&text)),
                // A glyph name, which the font's encoding has as well.
                Some(Token::Name) => {}
                _ => return,
            }
        }
    }

    fn ranges(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(first) = tokens.next_code() {
            let Some(Token::Hex(last)) = tokens.next() else { return };
            let last = code(&last);
            match tokens.next() {
                Some(Token::Hex(text)) => self.push_range(first, last, &utf16(&text)),
                // Where codes are numbered as themselves, they are meant as characters; other numbers are a font's.
                Some(Token::Number(number)) if number == first => {
                    self.push_range(first, last, &units(number))
                }
                Some(Token::Number(_)) => {}
                Some(Token::Open) => {
                    let mut code = Some(first);
                    loop {
                        match tokens.next() {
                            Some(Token::Hex(text)) => {
                                if let Some(at) = code.filter(|code| *code <= last) {
                                    self.push(at, &utf16(&text));
                                }
                            }
                            Some(Token::Name | Token::Number(_)) => {}
                            Some(Token::Close) => break,
                            _ => return,
                        }
                        code = code.and_then(|code| code.checked_add(1));
                    }
                }
                _ => return,
            }
        }
    }

    /// An empty text is kept: the glyph belongs to another, which has the text of both.
    fn push(&mut self, code: u32, text: &[u16]) {
        let text = String::from_utf16_lossy(text);
        if self.n_entries() < MAX_ENTRIES {
            self.single.insert(code, text.into());
        }
    }

    fn push_range(&mut self, first: u32, last: u32, text: &[u16]) {
        if first == last {
            return self.push(first, text);
        }
        let mut before = String::from_utf16_lossy(text);
        if let Some(last_char) = before.pop()
            && first < last
            && self.n_entries() < MAX_ENTRIES
        {
            self.ranges.push(Range { first, last, before: before.into(), last_char });
        }
    }
}

/// A code is a number of up to four bytes.
fn code(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, byte| code << 8 | u32::from(*byte))
}

/// UTF-16, the high byte first. A byte too many stands first, as in `<41>` for a letter.
fn utf16(bytes: &[u8]) -> Vec<u16> {
    let (odd, pairs) = bytes.split_at(bytes.len() % 2);
    let odd = odd.iter().map(|byte| u16::from(*byte));
    odd.chain(pairs.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])))
        .take(MAX_TEXT)
        .collect()
}

fn units(number: u32) -> Vec<u16> {
    char::from_u32(number).map(|c| c.encode_utf16(&mut [0; 2]).to_vec()).unwrap_or_default()
}

enum Token<'d> {
    /// An operator.
    Word(&'d [u8]),
    Name,
    Hex(Vec<u8>),
    Number(u32),
    Open,
    Close,
    /// A string in brackets, or half of a dictionary's mark.
    Other,
}

/// The tokens of PostScript, as far as mappings use them.
struct Tokens<'d> {
    rest: &'d [u8],
}

impl<'d> Tokens<'d> {
    /// The code that begins an entry. Anything else ends the section: what comes next is an operator, or the entries
    /// cannot be told apart any more.
    fn next_code(&mut self) -> Option<u32> {
        let before = self.rest;
        match self.next() {
            Some(Token::Hex(bytes)) => Some(code(&bytes)),
            _ => {
                self.rest = before;
                None
            }
        }
    }

    fn take_while(&mut self, is_in: impl Fn(u8) -> bool) -> &'d [u8] {
        let len = self.rest.iter().position(|&byte| !is_in(byte)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }
}

impl<'d> Iterator for Tokens<'d> {
    type Item = Token<'d>;

    fn next(&mut self) -> Option<Token<'d>> {
        const DELIMITERS: &[u8] = b"()<>[]{}/%";
        let is_blank = |byte: u8| byte.is_ascii_whitespace() || byte == 0;
        let is_regular = |byte: u8| !is_blank(byte) && !DELIMITERS.contains(&byte);
        loop {
            self.take_while(is_blank);
            let (&first, after) = self.rest.split_first()?;
            if is_regular(first) {
                let word = self.take_while(is_regular);
                let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
                return Some(number.map_or(Token::Word(word), Token::Number));
            }
            self.rest = after;
            match first {
                b'%' => {
                    self.take_while(|byte| byte != b'\n' && byte != b'\r');
                }
                b'/' => {
                    self.take_while(is_regular);
                    return Some(Token::Name);
                }
                b'[' => return Some(Token::Open),
                b']' => return Some(Token::Close),
                b'<' if after.first() == Some(&b'<') => {
                    self.rest = after.get(1..).unwrap_or_default();
                    return Some(Token::Other);
                }
                b'<' => {
                    let digits = self.take_while(|byte| byte != b'>');
                    self.rest = self.rest.get(1..).unwrap_or_default();
                    return Some(Token::Hex(hex(digits)));
                }
                b'(' => {
                    self.take_while(|byte| byte != b')');
                    self.rest = self.rest.get(1..).unwrap_or_default();
                    return Some(Token::Other);
                }
                _ => return Some(Token::Other),
            }
        }
    }
}

/// A last digit without its pair counts as followed by a zero (ISO 32000-1, 7.3.4.3).
fn hex(digits: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> =
        digits.iter().filter_map(|&byte| char::from(byte).to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).unwrap_or(&0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(data: &str, expected: &[(u32, &str)]) {
        let map = ToUnicode::parse(data.as_bytes()).expect("a mapping");
        let told: Vec<(u32, String)> =
            expected.iter().map(|(code, _)| (*code, map.text(*code).unwrap_or_default())).collect();
        let expected: Vec<(u32, String)> =
            expected.iter().map(|(code, text)| (*code, text.to_string())).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn single_codes_ranges_and_lists_are_understood() {
        check("2 beginbfchar <01> <0041> <02> <D83DDE00> endbfchar", &[(1, "A"), (2, "😀"), (3, "")]);
        check(
            "beginbfrange <10> <12> <0061> <20> <22> [<0078> <00660069> <007A>] <30> <31> <00660030> endbfrange",
            &[(0x10, "a"), (0x12, "c"), (0x13, ""), (0x21, "fi"), (0x22, "z"), (0x30, "f0"), (0x31, "f1")],
        );
        check("beginbfrange <0000> <FFFF> <0000> endbfrange", &[(0x41, "A"), (0x4e2d, "中"), (0xd800, "")]);
        check("begincidrange <0000> <00ff> 0 endcidrange", &[(0x41, "A")]);
        check("beginbfrange <0001> <0002> <D83DDE00> endbfrange", &[(1, "😀"), (2, "😁")]);
    }

    #[test]
    fn sections_that_are_faulty_cost_no_more_than_themselves() {
        check("9 beginbfchar <01><0041> 1 beginbfchar <02><42> endbfchar", &[(1, "A"), (2, "B")]);
        check(
            "beginbfchar <01> <0041> <02> endbfchar beginbfchar <03> <0043>",
            &[(1, "A"), (2, ""), (3, "C")],
        );
        check("beginbfchar <01> <> <02> <0042> endbfchar", &[(1, ""), (2, "B")]);
        check("beginbfchar <01> /quotesingle <02> <0042> endbfchar", &[(1, ""), (2, "B")]);
        check("beginbfrange <05> <01> <0041> <06> <06> <0042> endbfrange", &[(5, ""), (6, "B")]);
        check("<< /x (beginbfchar) >> % beginbfchar <01> <0042>\nbeginbfchar <01> <0041>", &[(1, "A")]);
    }

    #[test]
    fn a_mapping_that_says_nothing_is_found_out() {
        assert!(ToUnicode::parse(b"").is_none());
        assert!(ToUnicode::parse(b"beginbfchar endbfchar").is_none());
        let same = "beginbfchar <01> <0020> <02> <0020> <03> <0020> <04> <0020> <05> <0020> endbfchar";
        assert!(ToUnicode::parse(same.as_bytes()).is_some_and(|map| map.is_useless()));
    }
}
