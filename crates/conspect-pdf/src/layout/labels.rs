//! List labels: bullets, numbers and letters at the beginning of a line.

/// What kind of label a list item has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelKind {
    Bullet,
    /// `1.`, `2)`, `(3)`: the number counts.
    Number(u32),
    /// `a)`, `(b)`.
    Letter(char),
}

/// Whether the text is nothing but a label.
pub(crate) fn is_label(text: &str) -> bool {
    label(text).is_some_and(|(_, label_len)| label_len >= text.len())
}

/// The label at the beginning of the text: its kind and its length in bytes.
pub(crate) fn label(text: &str) -> Option<(LabelKind, usize)> {
    let end = text.find(' ').unwrap_or(text.len());
    let word = text.get(..end)?;
    let mut chars = word.chars();
    let first = chars.next()?;
    if chars.next().is_none() {
        return is_bullet(first).then_some((LabelKind::Bullet, end));
    }
    if word.chars().count() > 5 {
        return None;
    }
    let inner = match word.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?,
        None => word.strip_suffix('.').or_else(|| word.strip_suffix(')'))?,
    };
    if let Ok(number) = inner.parse::<u32>() {
        return (number < 1000 && !inner.starts_with('+')).then_some((LabelKind::Number(number), end));
    }
    let mut letters = inner.chars();
    match (letters.next(), letters.next()) {
        // A capital with a full stop is more often somebody's initial.
        (Some(c), None) if c.is_ascii_lowercase() => Some((LabelKind::Letter(c), end)),
        _ => None,
    }
}

fn is_bullet(c: char) -> bool {
    matches!(
        c,
        '•' | '◦'
            | '▪'
            | '▫'
            | '‣'
            | '⁃'
            | '●'
            | '○'
            | '■'
            | '□'
            | '►'
            | '▶'
            | '➢'
            | '❖'
            | '✓'
            | '✔'
            | '✗'
            | '·'
            | '∙'
            | '–'
            | '—'
            | '-'
            | '*'
            | '∗'
            | '⋅'
            | '◆'
            | '◇'
            | '⚫'
            | '➔'
            | '➤'
            | '»'
            // A sign without a known meaning before a text is a box or bullet of a font of signs.
            | '\u{fffd}'
    )
}

/// Whether only a typographic bullet, not a dash or star that may be anything, begins the text.
pub(crate) fn is_certain_bullet(text: &str) -> bool {
    text.chars().next().is_some_and(|c| is_bullet(c) && !matches!(c, '–' | '—' | '-' | '*' | '·' | '»'))
}
