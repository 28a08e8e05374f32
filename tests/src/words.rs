//! How much of a text came through: words counted, whatever stands between them.

use std::collections::HashMap;

/// How often each word occurs in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(HashMap<String, usize>);

impl Words {
    /// The words of a text: letters and digits in a row, without regard to case. Where a program marks text up, its
    /// marks are no words.
    pub fn of(text: &str) -> Words {
        let mut words = Words::default();
        let found = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        for word in found {
            *words.0.entry(word.to_lowercase()).or_default() += 1;
        }
        words
    }

    /// What both have, as often as both have it.
    pub fn common(&self, other: &Words) -> Words {
        let common = self.0.iter().filter_map(|(word, count)| {
            let in_both = (*count).min(other.0.get(word).copied().unwrap_or_default());
            (in_both > 0).then(|| (word.clone(), in_both))
        });
        Words(common.collect())
    }

    /// How many words there are, repeated ones counted every time.
    pub fn count(&self) -> usize {
        self.0.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_as_often_as_both_have_them() {
        let one = Words::of("# The cat, the **cat** and the dog");
        let other = Words::of("the cat\nand\u{a0}the hen");
        assert_eq!(one.count(), 7);
        assert_eq!(one.common(&other), Words::of("the the cat and"));
    }
}
