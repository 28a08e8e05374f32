use std::collections::HashMap;

use crate::words::{Language, each_word, guess_language, is_spaceless};

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
    }

    #[test]
    fn a_query_as_long_as_a_document_is_looked_for_in_part() {
        let long: String = (0..500).map(|n| format!("word{n}x ")).collect();
        assert_eq!(Query::parse(&long).terms(None).len(), MAX_TERMS);
    }
}
