//! Words as they are compared: folded, stemmed where the language has it, n-grams in scripts without blanks.
//!
//! Nothing here names a language: what differs between languages is in `words/languages.txt`.

use std::collections::HashMap;
use std::sync::OnceLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// A language's stemmer, and its place in the table.
pub(crate) struct Language {
    pub(crate) name: &'static str,
    stemmer: Option<Stemmer>,
    /// Whether a stem begins with the same two letters as its word.
    pub(crate) keeps_beginnings: bool,
    /// Its bit in [`Table::function_words`].
    bit: u64,
}

/// All languages, and which of them each function word belongs to.
struct Table {
    languages: Vec<Language>,
    function_words: HashMap<String, u64>,
}

impl Language {
    /// Whether the folded word is a function word: in nearly every sentence, and no use in a search.
    pub(crate) fn is_function_word(&self, word: &str) -> bool {
        table().function_words.get(word).is_some_and(|languages| languages & self.bit != 0)
    }

    /// The word's stem; the word itself in a language that has no stemmer.
    pub(crate) fn stem<'w>(&self, word: &'w str) -> std::borrow::Cow<'w, str> {
        match &self.stemmer {
            Some(stemmer) if word.chars().nth(3).is_some() => stemmer.stem(word),
            _ => std::borrow::Cow::Borrowed(word),
        }
    }
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Every language of the table.
pub(crate) fn languages() -> &'static [Language] {
    &table().languages
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table { languages: Vec::new(), function_words: HashMap::new() };
        for line in include_str!("words/languages.txt").lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split_whitespace();
            let (Some(name), Some(stemmer)) = (fields.next(), fields.next()) else { continue };
            let bit = 1 << table.languages.len();
            let row = ALGORITHMS.iter().find(|(known, ..)| *known == stemmer);
            table.languages.push(Language {
                name,
                stemmer: row.map(|(_, algorithm, _)| Stemmer::create(*algorithm)),
                keeps_beginnings: row.is_none_or(|(.., keeps_beginnings)| *keeps_beginnings),
                bit,
            });
            for word in fields {
                let mut folded = String::new();
                fold_into(word, &mut folded);
                *table.function_words.entry(folded).or_default() |= bit;
            }
        }
        table
    })
}

/// Stemmers by name, and whether they leave the beginnings of words alone.
const ALGORITHMS: &[(&str, Algorithm, bool)] = &[
    ("Arabic", Algorithm::Arabic, false),
    ("Danish", Algorithm::Danish, true),
    ("Dutch", Algorithm::Dutch, true),
    ("English", Algorithm::English, true),
    ("Finnish", Algorithm::Finnish, true),
    ("French", Algorithm::French, true),
    ("German", Algorithm::German, true),
    ("Greek", Algorithm::Greek, true),
    ("Hungarian", Algorithm::Hungarian, true),
    ("Italian", Algorithm::Italian, true),
    ("Norwegian", Algorithm::Norwegian, true),
    ("Portuguese", Algorithm::Portuguese, true),
    ("Romanian", Algorithm::Romanian, true),
    ("Russian", Algorithm::Russian, true),
    ("Spanish", Algorithm::Spanish, true),
    ("Swedish", Algorithm::Swedish, true),
    ("Tamil", Algorithm::Tamil, true),
    ("Turkish", Algorithm::Turkish, true),
];

/// The language whose function words the folded words have most of; `None` where hardly any has one.
pub(crate) fn guess_language<'w>(words: impl Iterator<Item = &'w str>) -> Option<&'static Language> {
    let table = table();
    let mut counts = vec![0usize; table.languages.len()];
    let mut n_words = 0;
    for word in words {
        n_words += 1;
        let mut of = table.function_words.get(word).copied().unwrap_or(0);
        while of != 0 {
            counts[of.trailing_zeros() as usize] += 1;
            of &= of - 1;
        }
    }
    // The first of equals, so that the guess does not depend on anything but the table.
    let (best, count) = counts.iter().enumerate().rev().max_by_key(|(_, count)| **count)?;
    (*count > 0 && *count * 25 >= n_words).then(|| &table.languages[best])
}

/// Whether the character belongs to a script that writes words without blanks between them.
pub(crate) fn is_spaceless(c: char) -> bool {
    n_gram_length(c) > 0 && !is_hangul(c)
}

/// How many characters an n-gram of the character's script has; 0 where words are separated.
fn n_gram_length(c: char) -> usize {
    match u32::from(c) {
        // Thai, Lao, Myanmar, Khmer: a syllable is several characters.
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF => 4,
        // Kana, Bopomofo, CJK ideographs, and the same in their compatibility forms.
        0x3005..=0x3007 | 0x3040..=0x30FF | 0x3100..=0x312F | 0x31F0..=0x31FF => 2,
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => 2,
        // Hangul has blanks, but particles cling to the words.
        0xAC00..=0xD7A3 => 2,
        _ => 0,
    }
}

fn is_hangul(c: char) -> bool {
    matches!(u32::from(c), 0xAC00..=0xD7A3)
}

/// Calls `each` with every folded word of the text, in order.
///
/// Words are runs of letters, digits and underscores, in lower case and without accents. A run with underscores comes
/// whole and in its parts. A number comes without its separators and marked by `#`, so that `1,234` and `1234` are one
/// word, and in its parts. Runs of scripts without blanks come as n-grams, blanks inside them ignored.
pub(crate) fn each_word(text: &str, each: &mut dyn FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut word = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let b = bytes[at];
        if b.is_ascii_alphanumeric() || b == b'_' {
            let start = at;
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
            if at < bytes.len() && bytes[at] >= 0x80 {
                at = foreign_word(text, start, &mut word, each);
                continue;
            }
            if bytes[start..at].iter().all(u8::is_ascii_digit) {
                at = number(bytes, start, at, &mut word, each);
                continue;
            }
            ascii_word(&text[start..at], &mut word, each);
        } else if b < 0x80 {
            at += 1;
        } else {
            at = foreign_word(text, at, &mut word, each);
        }
    }
}

fn ascii_word(run: &str, word: &mut String, each: &mut dyn FnMut(&str)) {
    word.clear();
    word.push_str(run);
    word.make_ascii_lowercase();
    each(word);
    if word.contains('_') {
        for part in word.split('_').filter(|part| !part.is_empty() && part.len() < word.len()) {
            each(part);
        }
    }
}

/// A run of digits from `start` to `end`, and what goes on with a separator and digits. Returns where it ends.
fn number(bytes: &[u8], start: usize, end: usize, word: &mut String, each: &mut dyn FnMut(&str)) -> usize {
    let mut at = end;
    while at + 1 < bytes.len() && matches!(bytes[at], b'.' | b',' | b'\'') && bytes[at + 1].is_ascii_digit() {
        let mut next = at + 1;
        while next < bytes.len() && bytes[next].is_ascii_digit() {
            next += 1;
        }
        if next < bytes.len() && (bytes[next].is_ascii_alphabetic() || bytes[next] >= 0x80) {
            break;
        }
        at = next;
    }
    word.clear();
    word.push('#');
    word.extend(bytes[start..at].iter().filter(|b| b.is_ascii_digit()).map(|&b| b as char));
    each(word);
    for part in bytes[start..at].split(|b| !b.is_ascii_digit()) {
        word.clear();
        word.extend(part.iter().map(|&b| b as char));
        each(word);
    }
    at
}

/// A run that holds characters outside ASCII. Returns where it ends.
fn foreign_word(text: &str, start: usize, word: &mut String, each: &mut dyn FnMut(&str)) -> usize {
    let belongs = |c: char| c.is_alphanumeric() || c == '_' || is_combining_mark(c) || n_gram_length(c) > 0;
    let mut end = start;
    let mut spaceless = false;
    let mut chars = text[start..].char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        let joins = c == ' '
            && text[start..start + offset].chars().next_back().is_some_and(is_spaceless)
            && chars.peek().is_some_and(|&(_, next)| is_spaceless(next));
        if !belongs(c) && !joins {
            if offset == 0 {
                end = start + c.len_utf8();
            }
            break;
        }
        spaceless |= n_gram_length(c) > 0;
        end = start + offset + c.len_utf8();
    }
    let run = &text[start..end];
    if spaceless {
        n_grams(run, word, each);
    } else {
        fold_into(run, word);
        if !word.is_empty() {
            each(word);
        }
    }
    end
}

/// The words of a run that holds characters of scripts without blanks: n-grams of those, whole words of the rest.
fn n_grams(run: &str, word: &mut String, each: &mut dyn FnMut(&str)) {
    let chars: Vec<char> = run.nfkc().filter(|&c| c != ' ').flat_map(char::to_lowercase).collect();
    let mut at = 0;
    while at < chars.len() {
        let length = n_gram_length(chars[at]);
        let mut end = at + 1;
        while end < chars.len() && n_gram_length(chars[end]) == length {
            end += 1;
        }
        let same = &chars[at..end];
        if length == 0 && same.iter().all(char::is_ascii_digit) {
            let digits: String = same.iter().collect();
            number(digits.as_bytes(), 0, digits.len(), word, each);
        } else if length == 0 {
            fold_into(&same.iter().collect::<String>(), word);
            if !word.is_empty() {
                each(word);
            }
        } else if same.len() <= length {
            word.clear();
            word.extend(same);
            each(word);
        } else {
            for n_gram in same.windows(length) {
                word.clear();
                word.extend(n_gram);
                each(word);
            }
        }
        at = end;
    }
}

/// Folds a word: compatibility forms, letter case, accents and vowel points.
pub(crate) fn fold_into(word: &str, folded: &mut String) {
    folded.clear();
    for c in word.nfkd() {
        match c {
            // Short i and short u are letters of their own, not accented ones.
            '\u{306}' if folded.ends_with(['и', 'у']) => {
                let letter = if folded.pop() == Some('и') { 'й' } else { 'ў' };
                folded.push(letter);
            }
            c if is_accent(c) => {}
            'ß' => folded.push_str("ss"),
            'ø' | 'Ø' => folded.push('o'),
            'æ' | 'Æ' => folded.push_str("ae"),
            'œ' | 'Œ' => folded.push_str("oe"),
            'ł' | 'Ł' => folded.push('l'),
            'đ' | 'Đ' => folded.push('d'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            c if c.is_alphanumeric() || c == '_' || is_combining_mark(c) => {
                folded.extend(c.to_lowercase().filter(|&c| !is_accent(c)));
            }
            _ => {}
        }
    }
}

/// Whether the mark may be left out in writing: accents, Hebrew points, Arabic vowel signs. The vowel signs of Indic
/// scripts may not.
fn is_accent(c: char) -> bool {
    matches!(u32::from(c), 0x0300..=0x036F | 0x0591..=0x05C7 | 0x0610..=0x061A | 0x064B..=0x065F | 0x0670)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, &mut |word| words.push(word.to_owned()));
        words
    }

    /// S4: segmentation, folding, numbers, n-grams.
    #[test]
    fn words_are_folded_and_cut_as_their_script_has_them() {
        let check = |text: &str, expected: &[&str]| assert_eq!(words(text), expected, "{text}");
        check("The Übung, naïve CAFÉ!", &["the", "ubung", "naive", "cafe"]);
        check("read_file x", &["read_file", "read", "file", "x"]);
        check("1,234.5 and 7", &["#12345", "1", "234", "5", "and", "#7", "7"]);
        check("v1.2.3", &["v1", "#23", "2", "3"]);
        check("東京都は", &["東京", "京都", "都は"]);
        check("東 京 都", &["東京", "京都"]);
        check("ＡＢＣ", &["abc"]);
        check("ภาษาไทย", &["ภาษา", "าษาไ", "ษาไท", "าไทย"]);
        check("Straße", &["strasse"]);
        check("Москва́ ёлка мой", &["москва", "елка", "мой"]);
        check("हिन्दी", &["हिन्दी"]);
        check("“quoted” — dash", &["quoted", "dash"]);
        check("한국어를", &["한국", "국어", "어를"]);
        check("2023年", &["#2023", "2023", "年"]);
        check("", &[]);
    }

    #[test]
    fn the_language_is_that_of_the_function_words() {
        let guess = |text: &str| {
            let words = words(text);
            guess_language(words.iter().map(String::as_str)).map(|language| language.name)
        };
        assert_eq!(guess("the price of the house is not what we paid"), Some("english"));
        assert_eq!(guess("Der Preis für das Haus ist nicht, was wir bezahlt haben"), Some("german"));
        assert_eq!(guess("Цена дома не та, что мы заплатили"), Some("russian"));
        assert_eq!(guess("xyzzy plugh 123"), None);
    }

    #[test]
    fn every_language_of_the_table_is_read() {
        assert!((20..=64).contains(&languages().len()), "a language is a bit of 64");
        for language in languages() {
            let n_words = table().function_words.values().filter(|of| **of & language.bit != 0).count();
            assert!(n_words > 5, "{} has {n_words} function words", language.name);
        }
        for (name, ..) in ALGORITHMS {
            let is_used = include_str!("words/languages.txt").contains(&format!(" {name} "));
            assert!(is_used, "no language uses the stemmer {name}");
        }
    }
}
