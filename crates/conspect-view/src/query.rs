use std::collections::HashMap;

use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;

use crate::words::{Language, each_word, guess_language, is_spaceless, languages};

/// A question, or words, that decide what a sample keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    text: String,
}

impl Query {
    /// The query with this text. Parts in double quotes are phrases. A text without words matches nothing.
    pub fn parse(text: &str) -> Query {
        Query { text: text.to_owned() }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The query's terms, as they are looked for in a document of this language.
    pub(crate) fn terms(&self, language: Option<&'static Language>) -> Terms {
        let mut words: Vec<(String, f32)> = Vec::new();
        each_word(&self.text, &mut |word| words.push((word.to_owned(), 1.0)));
        let own = guess_language(words.iter().map(|(word, _)| word.as_str()));
        let is_function_word =
            |word: &str| [language, own].iter().flatten().any(|language| language.is_function_word(word));
        weigh_numbers(&mut words);
        weigh_n_grams(&self.text, &mut words, [language, own]);
        let content: Vec<(String, f32)> =
            words.iter().filter(|(word, _)| is_content(word) && !is_function_word(word)).cloned().collect();
        let words = if content.is_empty() { words } else { content };
        let mut terms = Terms::new(language);
        for (word, weight) in words {
            terms.add(&word, weight);
        }
        terms
    }
}

/// Single letters say little; digits, and single characters of scripts without blanks, do.
fn is_content(word: &str) -> bool {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => only.is_ascii_digit() || is_spaceless(only),
        (None, _) => false,
        _ => true,
    }
}

/// A number counts once, as a whole; the parts of one with separators count a little.
fn weigh_numbers(words: &mut Vec<(String, f32)>) {
    let mut whole = String::new();
    words.retain_mut(|(word, weight)| {
        if let Some(digits) = word.strip_prefix('#') {
            whole = digits.to_owned();
            return true;
        }
        if word.bytes().all(|b| b.is_ascii_digit()) {
            *weight = 0.3;
            return *word != whole;
        }
        true
    });
}

/// What an n-gram counts that lies across the border of two words.
const ACROSS_WORDS: f32 = 0.4;

/// In scripts without blanks, n-grams inside a word count in full, those across a border less, and those of function
/// words nothing.
fn weigh_n_grams(text: &str, words: &mut Vec<(String, f32)>, known: [Option<&'static Language>; 2]) {
    if !text.chars().any(is_spaceless) {
        return;
    }
    let mut inside: HashMap<String, f32> = HashMap::new();
    let segmenter = WordSegmenter::new_auto(WordBreakInvariantOptions::default());
    let mut start = 0;
    for end in segmenter.segment_str(text) {
        let word = &text[start..end];
        start = end;
        if !word.chars().any(is_spaceless) {
            continue;
        }
        let is_function_word = languages().iter().any(|language| {
            let may_be = known.iter().all(Option::is_none)
                || known.iter().flatten().any(|known| known.name == language.name);
            may_be && language.is_function_word(word)
        });
        let weight = if is_function_word { 0.0 } else { 1.0 };
        each_word(word, &mut |n_gram| {
            let known = inside.entry(n_gram.to_owned()).or_insert(weight);
            *known = known.max(weight);
        });
    }
    words.retain_mut(|(word, weight)| {
        if word.chars().any(is_spaceless) {
            *weight = inside.get(word).copied().unwrap_or(ACROSS_WORDS);
        }
        *weight > 0.0
    });
}

/// The terms of a query, ready to be looked for.
pub(crate) struct Terms {
    language: Option<&'static Language>,
    by_stem: HashMap<String, u16>,
    weights: Vec<f32>,
    /// Which first two bytes any term has, so that most words of a text are passed over at once.
    beginnings: Box<[u64; 1024]>,
}

/// More terms than this are not looked for; a query that long is a document.
const MAX_TERMS: usize = 64;

impl Terms {
    fn new(language: Option<&'static Language>) -> Terms {
        Terms { language, by_stem: HashMap::new(), weights: Vec::new(), beginnings: Box::new([0; 1024]) }
    }

    fn add(&mut self, word: &str, weight: f32) {
        let stem = self.stem(word).into_owned();
        if let Some(&term) = self.by_stem.get(&stem) {
            self.weights[usize::from(term)] = self.weights[usize::from(term)].max(weight);
        } else if self.weights.len() < MAX_TERMS {
            let bit = beginning(&stem);
            self.beginnings[bit / 64] |= 1 << (bit % 64);
            self.by_stem.insert(stem, self.weights.len() as u16);
            self.weights.push(weight);
        }
    }

    fn stem<'w>(&self, word: &'w str) -> std::borrow::Cow<'w, str> {
        match self.language {
            Some(language) if !word.starts_with('#') => language.stem(word),
            _ => std::borrow::Cow::Borrowed(word),
        }
    }

    /// How many terms there are, at most 64.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there is nothing to look for.
    pub(crate) fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// How much a term counts.
    pub(crate) fn weight(&self, term: usize) -> f32 {
        self.weights[term]
    }

    /// The stems that are looked for, each at its term's place.
    pub(crate) fn stems(&self) -> Vec<&str> {
        let mut stems = vec![""; self.len()];
        for (stem, term) in &self.by_stem {
            stems[usize::from(*term)] = stem;
        }
        stems
    }

    /// The term that a folded word of the document is.
    pub(crate) fn find(&self, word: &str) -> Option<usize> {
        if self.language.is_none_or(|language| language.keeps_beginnings) {
            let bit = beginning(word);
            if self.beginnings[bit / 64] & (1 << (bit % 64)) == 0 {
                return None;
            }
        }
        self.by_stem.get(self.stem(word).as_ref()).map(|&term| usize::from(term))
    }
}

fn beginning(word: &str) -> usize {
    let bytes = word.as_bytes();
    let first = bytes.first().copied().unwrap_or(0);
    let second = bytes.get(1).copied().unwrap_or(0);
    usize::from(first) << 8 | usize::from(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::languages;

    fn check(query: &str, language: &str, found: &[&str], missed: &[&str]) {
        let language = languages().iter().find(|known| known.name == language);
        let terms = Query::parse(query).terms(language);
        for word in found {
            assert!(terms.find(word).is_some(), "{query:?} should look for {word:?}");
        }
        for word in missed {
            assert!(terms.find(word).is_none(), "{query:?} should not look for {word:?}");
        }
    }

    /// S4: stop words out, stemming, numbers whole.
    #[test]
    fn terms_are_stems_of_the_words_that_say_something() {
        check(
            "What did the judges decide?",
            "english",
            &["judge", "judges", "decided"],
            &["the", "what", "did"],
        );
        check("Wie hoch sind die Gebühren?", "german", &["gebuhr", "gebuhren", "hoch"], &["die", "wie"]);
        check("цены домов", "russian", &["цена", "ценами", "дома"], &["год"]);
        check("cost 1,250.50 in 2019", "english", &["#125050", "#2019", "250"], &["#1250", "2019"]);
        check("the of and", "english", &["the", "of", "and"], &["a"]);
        check("東京都の人口", "none", &["東京", "人口"], &["大阪"]);
        check("?!", "english", &[], &["a"]);
        // 什么 is a function word; 网卡 and 地址 are words.
        check("网卡的地址是什么", "none", &["网卡", "地址"], &["什么"]);
    }

    #[test]
    fn a_query_as_long_as_a_document_is_looked_for_in_part() {
        let long: String = (0..500).map(|n| format!("word{n}x ")).collect();
        assert_eq!(Query::parse(&long).terms(None).len(), MAX_TERMS);
    }
}
