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
        for (word, weight) in &words {
            terms.add(word, *weight);
        }
        // After all exact ones, which are not to lose their places to these.
        for (word, weight) in &words {
            terms.add_beginning(word, *weight);
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
    /// Looked for where a word's stem is none of those.
    weak: Vec<WeakTerm>,
    weights: Vec<f32>,
    /// How each term is written in the query, folded.
    words: Vec<String>,
    /// Which first two bytes any term has, so that most words of a text are passed over at once.
    beginnings: Box<[u64; 1024]>,
}

/// Words that are like a word of the query.
struct WeakTerm {
    term: u16,
    likeness: Likeness,
}

enum Likeness {
    /// Their stems begin so: inflections that stemming does not know, compounds.
    Beginning(String),
    /// They differ from it in a letter or two.
    Spelling(String),
}

/// What a word counts that begins like a word of the query, in parts of what the word itself counts.
const BEGINNING_WEIGHT: f32 = 0.7;
/// The same for a word that is spelled nearly like it.
const SPELLING_WEIGHT: f32 = 0.7;
/// The shortest beginning, and what part of a stem it is at least.
const MIN_BEGINNING_CHARS: usize = 5;
const BEGINNING_PART: f32 = 0.7;
/// How many letters may follow a beginning.
const MAX_ENDING_CHARS: usize = 5;
/// Words shorter than this are like too many others.
const MIN_SPELLING_CHARS: usize = 6;
/// From this length on, two letters may differ.
const LONG_SPELLING_CHARS: usize = 9;

/// More terms than this are not looked for; a query that long is a document.
const MAX_TERMS: usize = 64;

impl Terms {
    fn new(language: Option<&'static Language>) -> Terms {
        Terms {
            language,
            by_stem: HashMap::new(),
            weak: Vec::new(),
            weights: Vec::new(),
            words: Vec::new(),
            beginnings: Box::new([0; 1024]),
        }
    }

    fn add(&mut self, word: &str, weight: f32) {
        let stem = self.stem(word).into_owned();
        if let Some(&term) = self.by_stem.get(&stem) {
            self.weights[usize::from(term)] = self.weights[usize::from(term)].max(weight);
        } else if let Some(term) = self.push(word, weight) {
            self.admit(&stem);
            self.by_stem.insert(stem, term);
        }
    }

    /// A new term for a word of the query, unless there are too many.
    fn push(&mut self, word: &str, weight: f32) -> Option<u16> {
        let term = self.weights.len();
        if term >= MAX_TERMS {
            return None;
        }
        self.weights.push(weight);
        self.words.push(word.to_owned());
        Some(term as u16)
    }

    /// Lets words through that begin like this one.
    fn admit(&mut self, word: &str) {
        let bit = beginning(word);
        self.beginnings[bit / 64] |= 1 << (bit % 64);
    }

    /// Also looks for words that begin like this one, if it is long enough to say something.
    fn add_beginning(&mut self, word: &str, weight: f32) {
        let stem = self.stem(word);
        let n_chars = stem.chars().count();
        if n_chars < MIN_BEGINNING_CHARS || !is_made_of_letters(word) {
            return;
        }
        let n_kept = (n_chars as f32 * BEGINNING_PART).ceil() as usize;
        let kept: String = stem.chars().take(n_kept.max(MIN_BEGINNING_CHARS)).collect();
        self.admit(&kept);
        self.add_weak(Likeness::Beginning(kept), weight * BEGINNING_WEIGHT, word);
    }

    /// Also looks for words that are spelled nearly like those that nothing was found for, given how often each term
    /// was. Says whether there are such words.
    pub(crate) fn tolerate_misspelling(&mut self, n_found: &[usize]) -> bool {
        let is_found = |term: usize| n_found.get(term).is_some_and(|&n| n > 0);
        // The exact terms are the first ones.
        let missing: Vec<usize> = (0..self.by_stem.len())
            .filter(|&term| is_made_of_letters(&self.words[term]))
            .filter(|&term| self.words[term].chars().count() >= MIN_SPELLING_CHARS)
            .filter(|&term| {
                !(0..self.len()).any(|other| self.words[other] == self.words[term] && is_found(other))
            })
            .collect();
        for &term in &missing {
            let (word, weight) = (self.words[term].clone(), self.weights[term]);
            // The first letter is hardly ever the wrong one.
            let first = usize::from(word.as_bytes().first().copied().unwrap_or(0));
            self.beginnings[first * 4..first * 4 + 4].fill(u64::MAX);
            self.add_weak(Likeness::Spelling(word.clone()), weight * SPELLING_WEIGHT, &word);
        }
        !missing.is_empty()
    }

    fn add_weak(&mut self, likeness: Likeness, weight: f32, word: &str) {
        if let Some(term) = self.push(word, weight) {
            self.weak.push(WeakTerm { term, likeness });
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

    /// The stems that are looked for, each at its term's place: `stem`, `start…`, `~spelling`.
    pub(crate) fn stems(&self) -> Vec<String> {
        let mut stems = vec![String::new(); self.len()];
        for (stem, term) in &self.by_stem {
            stems[usize::from(*term)] = stem.clone();
        }
        for WeakTerm { term, likeness } in &self.weak {
            stems[usize::from(*term)] = match likeness {
                Likeness::Beginning(beginning) => format!("{beginning}…"),
                Likeness::Spelling(word) => format!("~{word}"),
            };
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
        let stem = self.stem(word);
        if let Some(&term) = self.by_stem.get(stem.as_ref()) {
            return Some(usize::from(term));
        }
        let like = self.weak.iter().find(|weak| weak.likeness.holds(word, &stem))?;
        Some(usize::from(like.term))
    }
}

impl Likeness {
    fn holds(&self, word: &str, stem: &str) -> bool {
        match self {
            Likeness::Beginning(beginning) => stem
                .strip_prefix(beginning.as_str())
                .is_some_and(|ending| ending.chars().count() <= MAX_ENDING_CHARS),
            Likeness::Spelling(wanted) => {
                let most = if wanted.chars().count() < LONG_SPELLING_CHARS { 1 } else { 2 };
                // Bytes first: most words are ruled out by their length.
                word.len().abs_diff(wanted.len()) <= most * 4 && strsim::osa_distance(word, wanted) <= most
            }
        }
    }
}

/// Whether a word is of letters alone, and of a script that separates words.
fn is_made_of_letters(word: &str) -> bool {
    word.chars().all(|c| c.is_alphabetic() && !is_spaceless(c))
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

    /// S4: weak matches.
    #[test]
    fn words_that_begin_like_a_term_are_weak_matches_of_it() {
        let language = languages().iter().find(|known| known.name == "german");
        let terms = Query::parse("Wer schluchzte?").terms(language);
        let weight = |word: &str| terms.find(word).map(|term| terms.weight(term));
        assert_eq!(weight("schluchzte"), Some(1.0));
        assert_eq!(weight("schluchzen"), Some(BEGINNING_WEIGHT));
        assert_eq!(weight("schluchzerverein"), None);
        assert_eq!(weight("schluss"), None);
    }

    /// S4: weak matches for typos on long words, where nothing else is found.
    #[test]
    fn misspelled_words_are_looked_for_where_nothing_is_found() {
        let language = languages().iter().find(|known| known.name == "english");
        let mut terms = Query::parse("harbuor master").terms(language);
        assert!(terms.find("harbour").is_none());
        let n_found: Vec<usize> = (0..terms.len()).map(|term| usize::from(term == 1)).collect();
        assert!(terms.tolerate_misspelling(&n_found));
        assert_eq!(terms.find("harbour").map(|term| terms.weight(term)), Some(SPELLING_WEIGHT));
        assert!(terms.find("barbour").is_none() && terms.find("mister").is_none());
        let mut found = Query::parse("harbour").terms(language);
        assert!(!found.tolerate_misspelling(&[1, 0]));
        assert!(!Query::parse("ship 1250").terms(language).tolerate_misspelling(&[0, 0, 0]));
    }

    #[test]
    fn a_query_as_long_as_a_document_is_looked_for_in_part() {
        let long: String = (0..500).map(|n| format!("word{n}x ")).collect();
        assert_eq!(Query::parse(&long).terms(None).len(), MAX_TERMS);
    }
}
