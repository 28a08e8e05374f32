use std::fmt;

use memchr::memmem::Finder;
use regex::{Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization as _;

use crate::words::is_spaceless;

/// Which lines are asked for by what they hold.
#[derive(Clone, Debug)]
pub struct Filter {
    patterns: Vec<Pattern>,
    all: bool,
    described: String,
    /// How many lines before and after a hit come along, where the unit is a line.
    pub context_lines: usize,
    /// What a hit brings along.
    pub unit: HitUnit,
}

#[derive(Clone, Debug)]
enum Pattern {
    /// Folded text to be found in a folded line.
    Contains {
        needle: Box<Finder<'static>>,
        whole_word: bool,
        joins_spaceless: bool,
    },
    Regex(Regex),
}

/// What a [`Filter`] looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterKind {
    /// This text, letter case ignored.
    Contains(String),
    /// Any of these.
    ContainsAny(Vec<String>),
    /// All of these, in one line.
    ContainsAll(Vec<String>),
    /// This regular expression.
    Regex {
        /// The pattern.
        pattern: String,
        /// Flags among `i`, `m` and `s`.
        flags: String,
    },
}

/// What a hit brings along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HitUnit {
    /// The line, and lines of context.
    #[default]
    Line,
    /// The whole section under its heading.
    Section,
    /// The whole page.
    Page,
    /// The row, with its table's header.
    Row,
    /// The cell of a notebook; elsewhere the row that the cell stands in, with its table's header.
    Cell,
}

impl HitUnit {
    /// Every unit with its name.
    pub const NAMES: &'static [(&'static str, HitUnit)] = &[
        ("line", HitUnit::Line),
        ("section", HitUnit::Section),
        ("page", HitUnit::Page),
        ("row", HitUnit::Row),
        ("cell", HitUnit::Cell),
    ];

    /// The unit with this name.
    pub fn from_name(name: &str) -> Option<HitUnit> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, unit)| *unit)
    }
}

/// Why a [`Filter`] cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterError {
    /// Nothing is looked for.
    Empty,
    /// The regular expression is not one.
    Regex {
        /// The pattern.
        pattern: String,
        /// What is wrong with it, in one line.
        why: String,
    },
    /// A flag that is not `i`, `m` or `s`.
    Flag(char),
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FilterError::Empty => write!(f, "the filter is empty"),
            FilterError::Regex { pattern, why } => write!(f, "{pattern:?} is no regular expression: {why}"),
            FilterError::Flag(flag) => write!(f, "{flag:?} is no regex flag (there are i, m and s)"),
        }
    }
}

impl std::error::Error for FilterError {}

/// What a regular expression may compile to, so that `(a{1000}){1000}` ends as an error.
const REGEX_SIZE_LIMIT: usize = 8 << 20;

impl Filter {
    /// A filter of this kind. With `whole_word` a hit must not touch letters or digits at either end.
    pub fn new(kind: &FilterKind, whole_word: bool) -> Result<Filter, FilterError> {
        let contains = |text: &String| -> Result<Pattern, FilterError> {
            let joins_spaceless = text.chars().any(is_spaceless);
            let needle = fold(text, joins_spaceless);
            match needle.is_empty() {
                true => Err(FilterError::Empty),
                false => {
                    let needle = Box::new(Finder::new(needle.as_bytes()).into_owned());
                    Ok(Pattern::Contains { needle, whole_word, joins_spaceless })
                }
            }
        };
        let (patterns, all, described) = match kind {
            FilterKind::Contains(text) => (vec![contains(text)?], false, format!("contains {text:?}")),
            FilterKind::ContainsAny(texts) => (
                texts.iter().map(contains).collect::<Result<Vec<_>, _>>()?,
                false,
                format!("contains_any {texts:?}"),
            ),
            FilterKind::ContainsAll(texts) => (
                texts.iter().map(contains).collect::<Result<Vec<_>, _>>()?,
                true,
                format!("contains_all {texts:?}"),
            ),
            FilterKind::Regex { pattern, flags } => (
                vec![Pattern::Regex(regex(pattern, flags, whole_word)?)],
                false,
                format!("regex {pattern:?}"),
            ),
        };
        if patterns.is_empty() {
            return Err(FilterError::Empty);
        }
        Ok(Filter { patterns, all, described: shortened(described), context_lines: 3, unit: HitUnit::Line })
    }

    /// The filter in words, as the request had it, cut where it is long.
    pub fn describe(&self) -> &str {
        &self.described
    }

    /// Whether a line of plain text is a hit.
    pub fn matches(&self, line: &str) -> bool {
        match self.all {
            true => self.patterns.iter().all(|pattern| pattern.matches(line)),
            false => self.patterns.iter().any(|pattern| pattern.matches(line)),
        }
    }

    /// Where the first hit begins in `text`, as a byte offset, for showing the piece around it. Texts that change
    /// their length when folded give a place near the hit.
    pub fn find(&self, text: &str) -> Option<usize> {
        self.patterns.iter().filter_map(|pattern| pattern.find(text)).min()
    }
}

/// What a filter is called in messages, which are part of an answer that has a budget.
fn shortened(described: String) -> String {
    match described.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &described[..end]),
        None => described,
    }
}

impl Pattern {
    fn matches(&self, line: &str) -> bool {
        match self {
            Pattern::Regex(regex) => regex.is_match(line),
            Pattern::Contains { needle, whole_word, joins_spaceless } => {
                let folded = fold(line, *joins_spaceless);
                let n_needle = needle.needle().len();
                let free = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
                needle.find_iter(folded.as_bytes()).any(|at| {
                    !whole_word
                        || (free(folded[..at].chars().next_back())
                            && free(folded[at + n_needle..].chars().next()))
                })
            }
        }
    }

    fn find(&self, text: &str) -> Option<usize> {
        match self {
            Pattern::Regex(regex) => regex.find(text).map(|found| found.start()),
            Pattern::Contains { needle, joins_spaceless, .. } => {
                let at = needle.find(fold(text, *joins_spaceless).as_bytes())?;
                Some(text.floor_char_boundary(at))
            }
        }
    }
}

fn regex(pattern: &str, flags: &str, whole_word: bool) -> Result<Regex, FilterError> {
    if pattern.is_empty() {
        return Err(FilterError::Empty);
    }
    let bounded;
    let source = match whole_word {
        true => {
            bounded = format!(r"\b(?:{pattern})\b");
            &bounded
        }
        false => pattern,
    };
    let mut builder = RegexBuilder::new(source);
    builder.size_limit(REGEX_SIZE_LIMIT);
    for flag in flags.chars() {
        match flag {
            'i' => builder.case_insensitive(true),
            'm' => builder.multi_line(true),
            's' => builder.dot_matches_new_line(true),
            other => return Err(FilterError::Flag(other)),
        };
    }
    builder.build().map_err(|error| {
        let why = error.to_string();
        let why = why
            .lines()
            .last()
            .unwrap_or_default()
            .trim_start_matches("error: ")
            .trim_end_matches('.')
            .to_owned();
        FilterError::Regex { pattern: shortened(pattern.to_owned()), why }
    })
}

/// The text in the form in which `contains` compares: composed, letter case folded; without the blanks between
/// characters of scripts that have no blanks between words, where the needle is in such a script.
fn fold(text: &str, joins_spaceless: bool) -> String {
    let folded: String = match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => text.nfc().flat_map(char::to_lowercase).collect(),
    };
    if !joins_spaceless {
        return folded;
    }
    let mut joined = String::with_capacity(folded.len());
    let mut chars = folded.chars().peekable();
    let mut prev = None;
    while let Some(c) = chars.next() {
        let between =
            c == ' ' && prev.is_some_and(is_spaceless) && chars.peek().copied().is_some_and(is_spaceless);
        if !between {
            joined.push(c);
            prev = Some(c);
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: FilterKind, whole_word: bool, hits: &[&str], misses: &[&str]) {
        let filter = Filter::new(&kind, whole_word).expect("a filter");
        for hit in hits {
            assert!(filter.matches(hit), "{kind:?} should match {hit:?}");
        }
        for miss in misses {
            assert!(!filter.matches(miss), "{kind:?} should not match {miss:?}");
        }
    }

    /// R14.
    #[test]
    fn filters_fold_case_and_know_words() {
        check(FilterKind::Contains("Total".into()), false, &["the TOTAL is", "subtotal"], &["tot al"]);
        check(FilterKind::Contains("total".into()), true, &["the TOTAL is"], &["subtotal", "total_2"]);
        check(FilterKind::ContainsAny(vec!["a1".into(), "b2".into()]), false, &["xb2"], &["ab"]);
        check(FilterKind::ContainsAll(vec!["a1".into(), "b2".into()]), false, &["b2 a1"], &["b2"]);
        let regex =
            |pattern: &str, flags: &str| FilterKind::Regex { pattern: pattern.into(), flags: flags.into() };
        check(regex("^x+$", ""), false, &["xxx"], &["XXX", "axx"]);
        check(regex("^x+$", "i"), false, &["XXX"], &["axx"]);
        check(regex("tot", ""), true, &["a tot b"], &["total"]);
    }

    /// R14, the last sentence.
    #[test]
    fn filters_match_scripts_without_blanks_through_blanks() {
        check(FilterKind::Contains("東京都".into()), false, &["東 京 都", "は東京都の"], &["東 x 京都"]);
        check(FilterKind::Contains("ราคา".into()), false, &["ร า ค า"], &["รา"]);
    }

    #[test]
    fn what_is_no_filter_says_why() {
        let why = |pattern: &str, flags: &str| {
            let kind = FilterKind::Regex { pattern: pattern.into(), flags: flags.into() };
            Filter::new(&kind, false).expect_err("no filter").to_string()
        };
        assert_eq!(why("(", ""), "\"(\" is no regular expression: unclosed group");
        assert_eq!(why("a", "x"), "'x' is no regex flag (there are i, m and s)");
        assert_eq!(why("", ""), "the filter is empty");
        let long = Filter::new(&FilterKind::Contains("x".repeat(5_000)), false).expect("a filter");
        assert_eq!(long.describe().chars().count(), 101);
        assert!(why("(((a{1000}){1000}){1000})", "").contains("is no regular expression"));
        assert_eq!(
            Filter::new(&FilterKind::ContainsAny(vec![]), false).expect_err("empty"),
            FilterError::Empty
        );
    }
}
