//! From what a font says a code means to the text people would type.

use unicode_normalization::UnicodeNormalization;

/// What a font's mapping says, made plain: ligatures in their letters, presentation forms as ordinary letters, symbol
/// fonts' private characters as the symbol they show. Empty where it says nothing usable.
pub(crate) fn plain(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for c in raw.chars() {
        push_plain(c, &mut text);
    }
    text
}

fn push_plain(c: char, text: &mut String) {
    match c {
        ' '..='~' => text.push(c),
        '\t' | '\n' | '\r' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => text.push(' '),
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => {}
        '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fffd}' | '\u{fffe}' | '\u{ffff}' => {}
        '\u{2010}' | '\u{2011}' => text.push('-'),
        '\u{e000}'..='\u{f8ff}' => text.extend(symbol(c)),
        // The signs for ohm, kelvin and angstrom are letters; glyph names lead to them.
        '\u{2126}' | '\u{212a}' | '\u{212b}' => text.extend(std::iter::once(c).nfkc()),
        // Ligatures, Hebrew and Arabic presentation forms, radicals that stand for the whole character.
        '\u{fb00}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{f900}'..='\u{faff}' => {
            text.extend(std::iter::once(c).nfkc());
        }
        _ => text.push(c),
    }
}

/// Symbol fonts put their characters at U+F000 and up; these are the ones that documents use as bullets and arrows.
fn symbol(c: char) -> Option<char> {
    Some(match c {
        '\u{f0b7}' | '\u{f09f}' | '\u{f06c}' | '\u{f0a1}' => '•',
        '\u{f0a7}' | '\u{f06e}' | '\u{f0a8}' => '▪',
        '\u{f071}' | '\u{f072}' | '\u{f070}' => '□',
        '\u{f0fc}' | '\u{f050}' => '✓',
        '\u{f0fb}' => '✗',
        '\u{f0d8}' => '➢',
        '\u{f076}' => '❖',
        '\u{f0e0}' | '\u{f0ae}' => '→',
        '\u{f0ac}' => '←',
        '\u{f020}'..='\u{f07e}' => char::from_u32(c as u32 - 0xf000)?,
        _ => return None,
    })
}

/// Whether the character belongs to a script that is written from right to left.
pub(crate) fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
        && !matches!(c, '\u{660}'..='\u{669}' | '\u{6f0}'..='\u{6f9}')
}

/// Whether the character belongs to a script that puts no blanks between words and none at line ends.
pub(crate) fn joins_without_blank(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{2ffff}')
}

/// Whether the character modifies the one before it.
pub(crate) fn is_combining(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}
