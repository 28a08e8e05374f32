//! Faults in content streams: where a parser gives up, reading goes on behind what it cannot understand.

use hayro_syntax::content::UntypedIter;

/// The content behind a fault, and how many bytes were given up for it. `None` where the content is at its end.
///
/// The parser of content does not say where it stopped. It is known how many operators it gave, so that the place can be
/// found by counting them once more: names of operators lie in the content itself.
pub(crate) fn behind_fault(content: &[u8], n_operators: u64) -> Option<(&[u8], usize)> {
    let mut operators = UntypedIter::new(content);
    let mut end = 0;
    let mut is_image = false;
    for _ in 0..n_operators {
        let instruction = operators.next()?;
        end = end_in(content, instruction.operator)?;
        is_image = &**instruction.operator == b"BI";
    }
    // An operator that is sound by itself but lacks its operands.
    if let Some(instruction) = operators.next() {
        let end = end_in(content, instruction.operator)?;
        return Some((content.get(end..)?, 0));
    }
    let mut rest = content.get(end..)?;
    if is_image {
        let image = memchr::memmem::find(rest, b"EI").unwrap_or(rest.len());
        rest = rest.get(image + 2..).unwrap_or_default();
    }
    let rest = rest.trim_ascii_start();
    let n_faulty = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let behind = rest.get(n_faulty..)?;
    (!behind.trim_ascii().is_empty() || n_faulty > 0).then_some((behind, n_faulty))
}

/// Where a part of the content ends in it.
fn end_in(content: &[u8], part: &[u8]) -> Option<usize> {
    let start = (part.as_ptr() as usize).checked_sub(content.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    // An escaped name is a copy and lies elsewhere.
    (content.get(start..end) == Some(part)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: &str, n_operators: u64, expected: Option<(&str, usize)>) {
        let behind = behind_fault(content.as_bytes(), n_operators);
        assert_eq!(behind, expected.map(|(rest, n_faulty)| (rest.as_bytes(), n_faulty)));
    }

    #[test]
    fn the_place_of_a_fault_is_found_by_counting() {
        check("q Q ) q Q", 2, Some((" q Q", 1)));
        check("q Q 1 2 m l q Q", 3, Some((" q Q", 0)));
        check("q Q", 2, None);
        check("q Q \n", 2, None);
        check("", 0, None);
        check("[[[[", 0, Some(("", 4)));
        check("q >> (abc) Tj", 1, Some((" (abc) Tj", 2)));
    }
}
