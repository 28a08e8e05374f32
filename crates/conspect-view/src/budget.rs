/// How much an answer may hold, everything counted: headers, markers, numbers, line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Characters: Unicode scalar values.
    Chars(usize),
    /// Tokens of the o200k_base encoding.
    Tokens(usize),
}

impl Budget {
    /// Reads `20000` (characters) or `8000t` (tokens). Underscores may group digits.
    pub fn parse(text: &str) -> Option<Budget> {
        let digits: String = text.trim().chars().filter(|&c| c != '_').collect();
        let (digits, in_tokens) = match digits.strip_suffix(['t', 'T']) {
            Some(digits) => (digits, true),
            None => (digits.as_str(), false),
        };
        let amount: usize = digits.parse().ok().filter(|&amount| amount > 0)?;
        Some(if in_tokens { Budget::Tokens(amount) } else { Budget::Chars(amount) })
    }

    /// How much of the budget a text takes, in the budget's own unit.
    pub fn measure(self, text: &str) -> usize {
        match self {
            Budget::Chars(_) => text.chars().count(),
            Budget::Tokens(_) => n_tokens(text),
        }
    }

    /// The amount, in the budget's own unit.
    pub fn amount(self) -> usize {
        match self {
            Budget::Chars(amount) | Budget::Tokens(amount) => amount,
        }
    }

    /// Answers within the budget, given a way to answer within a number of characters.
    ///
    /// For tokens the characters are found by trying: an answer is written, counted exactly, and written again with
    /// more or fewer characters, until nearly the whole budget is used. What comes back never holds more tokens than
    /// the budget, unless even the smallest answer does.
    pub fn fit(self, mut answer: impl FnMut(usize) -> String) -> String {
        let tokens = match self {
            Budget::Chars(chars) => return answer(chars),
            Budget::Tokens(tokens) => tokens,
        };
        let mut chars = tokens.saturating_mul(4);
        let mut best: Option<(usize, String)> = None;
        let mut too_many = usize::MAX;
        for _ in 0..12 {
            let text = answer(chars);
            let used = n_tokens(&text);
            let written = text.chars().count();
            if used <= tokens {
                let is_better = best.as_ref().is_none_or(|(most, _)| used > *most);
                if is_better {
                    best = Some((used, text));
                }
                // All of it fits, or as good as all of the budget is used.
                if used * 100 >= tokens * 97 || written * 2 < chars {
                    break;
                }
                let grown = (chars as f64 * tokens as f64 / used.max(1) as f64 * 0.995) as usize;
                let next = grown.min(too_many.saturating_sub(1)).min(chars.saturating_mul(4));
                if next <= chars {
                    break;
                }
                chars = next;
            } else {
                too_many = too_many.min(chars);
                let shrunk = (chars.min(written) as f64 * tokens as f64 / used as f64 * 0.98) as usize;
                let floor = best.as_ref().map_or(0, |(_, text)| text.chars().count());
                if shrunk <= floor || chars == 0 {
                    break;
                }
                chars = shrunk;
            }
        }
        best.map_or_else(|| answer(tokens / 2), |(_, text)| text)
    }
}

/// How many tokens of the o200k_base encoding a text has.
fn n_tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

/// Shares a budget over answers that each need so much, by water-filling: who needs less than an even share gives
/// the rest to those who need more. The shares add up to no more than the budget.
pub fn share(budget: usize, needs: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&idx| needs[idx]);
    let mut shares = vec![0; needs.len()];
    let mut left = budget;
    for (n_served, idx) in order.into_iter().enumerate() {
        let even = left / (needs.len() - n_served);
        shares[idx] = needs[idx].min(even);
        left -= shares[idx];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_characters_or_tokens() {
        assert_eq!(Budget::parse("20000"), Some(Budget::Chars(20_000)));
        assert_eq!(Budget::parse("20_000"), Some(Budget::Chars(20_000)));
        assert_eq!(Budget::parse("8000t"), Some(Budget::Tokens(8_000)));
        for wrong in ["", "0", "-5", "1.5", "t", "0t", "20k"] {
            assert_eq!(Budget::parse(wrong), None, "{wrong}");
        }
    }

    /// R42.
    #[test]
    fn what_one_file_does_not_need_goes_to_the_others() {
        assert_eq!(share(90, &[10, 100, 100]), [10, 40, 40]);
        assert_eq!(share(90, &[100, 100, 100]), [30, 30, 30]);
        assert_eq!(share(90, &[10, 20, 30]), [10, 20, 30]);
        assert_eq!(share(0, &[10, 20]), [0, 0]);
        assert_eq!(share(5, &[]), Vec::<usize>::new());
    }

    #[test]
    fn tokens_are_counted_exactly_and_nearly_all_used() {
        let text = "An even-handed account of tokens, characters and lines. ".repeat(400);
        let answer = |chars: usize| text.chars().take(chars).collect::<String>();
        for tokens in [10, 100, 1000] {
            let fitted = Budget::Tokens(tokens).fit(answer);
            let used = n_tokens(&fitted);
            assert!(used <= tokens && used * 10 >= tokens * 9, "{used} of {tokens}");
        }
        assert_eq!(Budget::Tokens(1_000_000).fit(answer), text);
    }
}
