//! Names that are the same text, and names that are nearly the name asked for.

use unicode_normalization::UnicodeNormalization as _;

/// A name in the form in which two spellings of one text are equal: composed, with plain spaces.
pub(crate) fn fold(name: &str) -> String {
    name.nfc().map(|c| if matches!(c, '\u{A0}' | '\u{202F}') { ' ' } else { c }).collect()
}

/// The names most like the one wanted, best first; none that are nothing like it.
pub(crate) fn nearest(wanted: &str, names: &[String], limit: usize) -> Vec<String> {
    let wanted = fold(wanted).to_lowercase();
    let stem = stem(&wanted);
    let mut scored: Vec<(usize, &String)> = names
        .iter()
        .filter_map(|name| {
            let folded = fold(name).to_lowercase();
            let allowed = (wanted.chars().count() / 3).max(1);
            let distance = match edits(&wanted, &folded, allowed) {
                Some(distance) => distance,
                // The right name with another ending, or with more around it.
                None if stem.chars().count() >= 3 && self::stem(&folded) == stem => allowed + 1,
                None if stem.chars().count() >= 4 && folded.contains(stem) => allowed + 2,
                None => return None,
            };
            Some((distance, name))
        })
        .collect();
    scored.sort();
    scored.into_iter().take(limit).map(|(_, name)| name.clone()).collect()
}

fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// How many letters must be put in, left out, replaced or swapped with their neighbour; `None` if more than `limit`.
fn edits(a: &str, b: &str, limit: usize) -> Option<usize> {
    let a: Vec<char> = a.chars().take(256).collect();
    let b: Vec<char> = b.chars().take(256).collect();
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = last;
        last = row;
    }
    let distance = last[b.len()];
    (distance <= limit).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names_come_best_first() {
        let names: Vec<String> =
            ["report.txt", "Report.md", "reports.txt", "quarterly-report.pdf", "notes.txt"]
                .map(String::from)
                .into();
        assert_eq!(nearest("reprot.txt", &names, 3), ["report.txt", "reports.txt",]);
        assert_eq!(nearest("report.txt", &names, 3), ["report.txt", "reports.txt", "Report.md"]);
        assert_eq!(
            nearest("report.docx", &names, 4),
            ["Report.md", "report.txt", "quarterly-report.pdf", "reports.txt"]
        );
        assert_eq!(nearest("x", &names, 3), Vec::<String>::new());
    }

    #[test]
    fn swapped_neighbours_are_one_edit() {
        assert_eq!(edits("reprot", "report", 2), Some(1));
        assert_eq!(edits("", "ab", 2), Some(2));
        assert_eq!(edits("abc", "xyz", 2), None);
    }
}
