//! Characters of symbol fonts, as the Unicode characters they look like.

/// The character that a symbol font shows for a code, as `w:sym` gives it. Codes of the private area stand for the
/// font's own places 0x20 to 0xFF.
pub(crate) fn symbol(font: &str, code: u32) -> Option<char> {
    let place = if (0xF000..=0xF0FF).contains(&code) { code - 0xF000 } else { code };
    let font = font.to_lowercase();
    let known = if font.starts_with("wingdings") || font.starts_with("webdings") {
        from_table(WINGDINGS, place)
    } else if font.starts_with("symbol") || code >= 0xF000 {
        greek(place).or_else(|| from_table(SYMBOL, place))
    } else {
        None
    };
    known.or_else(|| char::from_u32(place)).filter(|character| !character.is_control())
}

/// The bullet to show for a level's text: symbol fonts' places become what they look like.
pub(crate) fn bullet(text: &str) -> &str {
    let text = text.trim();
    let Some(character) = text.chars().next() else { return "•" };
    match character {
        '\u{F0B7}' | '\u{F06C}' | '\u{F09F}' => "•",
        '\u{F0A7}' | '\u{F06E}' | '\u{F0A8}' => "▪",
        '\u{F0D8}' => "➢",
        '\u{F0FC}' => "✓",
        '\u{F076}' => "❖",
        '\u{F0E0}' | '\u{F0E8}' => "→",
        '\u{F02D}' => "-",
        '\u{F0A3}' | '\u{F071}' | '\u{F06F}' => "☐",
        'o' if text.len() == 1 => "◦",
        '\u{E000}'..='\u{F8FF}' => "•",
        _ => text,
    }
}

fn from_table(table: &[(u32, char)], place: u32) -> Option<char> {
    table.iter().find(|(known, _)| *known == place).map(|(_, character)| *character)
}

fn greek(place: u32) -> Option<char> {
    const UPPER: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const LOWER: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    match place {
        0x41..=0x5A => UPPER.chars().nth(place as usize - 0x41),
        0x61..=0x7A => LOWER.chars().nth(place as usize - 0x61),
        _ => None,
    }
}

const SYMBOL: &[(u32, char)] = &[
    (0x22, '∀'),
    (0x24, '∃'),
    (0x27, '∋'),
    (0x2A, '∗'),
    (0x2D, '−'),
    (0x40, '≅'),
    (0x5C, '∴'),
    (0x5E, '⊥'),
    (0x7E, '∼'),
    (0xA0, '€'),
    (0xA2, '′'),
    (0xA3, '≤'),
    (0xA4, '⁄'),
    (0xA5, '∞'),
    (0xA6, 'ƒ'),
    (0xA7, '♣'),
    (0xA8, '♦'),
    (0xA9, '♥'),
    (0xAA, '♠'),
    (0xAB, '↔'),
    (0xAC, '←'),
    (0xAD, '↑'),
    (0xAE, '→'),
    (0xAF, '↓'),
    (0xB0, '°'),
    (0xB1, '±'),
    (0xB2, '″'),
    (0xB3, '≥'),
    (0xB4, '×'),
    (0xB5, '∝'),
    (0xB6, '∂'),
    (0xB7, '•'),
    (0xB8, '÷'),
    (0xB9, '≠'),
    (0xBA, '≡'),
    (0xBB, '≈'),
    (0xBC, '…'),
    (0xC0, 'ℵ'),
    (0xC1, 'ℑ'),
    (0xC2, 'ℜ'),
    (0xC3, '℘'),
    (0xC4, '⊗'),
    (0xC5, '⊕'),
    (0xC6, '∅'),
    (0xC7, '∩'),
    (0xC8, '∪'),
    (0xC9, '⊃'),
    (0xCA, '⊇'),
    (0xCB, '⊄'),
    (0xCC, '⊂'),
    (0xCD, '⊆'),
    (0xCE, '∈'),
    (0xCF, '∉'),
    (0xD0, '∠'),
    (0xD1, '∇'),
    (0xD2, '®'),
    (0xD3, '©'),
    (0xD4, '™'),
    (0xD5, '∏'),
    (0xD6, '√'),
    (0xD7, '⋅'),
    (0xD8, '¬'),
    (0xD9, '∧'),
    (0xDA, '∨'),
    (0xDB, '⇔'),
    (0xDC, '⇐'),
    (0xDD, '⇑'),
    (0xDE, '⇒'),
    (0xDF, '⇓'),
    (0xE0, '◊'),
    (0xE5, '∑'),
    (0xF2, '∫'),
];

const WINGDINGS: &[(u32, char)] = &[
    (0x21, '✏'),
    (0x22, '✂'),
    (0x28, '☎'),
    (0x2A, '✉'),
    (0x41, '✌'),
    (0x43, '👍'),
    (0x44, '👎'),
    (0x46, '☞'),
    (0x4A, '☺'),
    (0x4C, '☹'),
    (0x52, '☼'),
    (0x6C, '●'),
    (0x6D, '❍'),
    (0x6E, '■'),
    (0x6F, '□'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x73, '⬧'),
    (0x74, '⧫'),
    (0x75, '◆'),
    (0x76, '❖'),
    (0x9F, '•'),
    (0xA1, '○'),
    (0xA4, '◉'),
    (0xA7, '▪'),
    (0xA8, '◻'),
    (0xAB, '★'),
    (0xD8, '➢'),
    (0xDF, '←'),
    (0xE0, '→'),
    (0xE1, '↑'),
    (0xE2, '↓'),
    (0xE8, '➔'),
    (0xEF, '⇦'),
    (0xF0, '⇨'),
    (0xF1, '⇧'),
    (0xF2, '⇩'),
    (0xF3, '⬄'),
    (0xFB, '✗'),
    (0xFC, '✓'),
    (0xFD, '☒'),
    (0xFE, '☑'),
];
