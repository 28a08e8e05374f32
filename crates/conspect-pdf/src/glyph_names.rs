//! Names that producers make up for glyphs, where the number in the name is all there is.

use hayro_syntax::object::{Array, Dict, Object};
use rustc_hash::FxHashMap;

/// What the numbers in the names of a font's codes count. What they mean can only be told from all of them together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberedNames {
    /// Glyphs in the font program: `g12`, `cid12` and the like.
    pub glyphs: FxHashMap<u8, u32>,
    /// Characters by their codes: `G41` and `C65`, in the hexadecimal and the decimal way of old producers.
    pub chars: FxHashMap<u8, char>,
}

/// Reads the names that a simple font's encoding gives to codes.
pub(crate) fn numbered_names(font: &Dict<'_>) -> NumberedNames {
    let encoding = font.get::<Dict<'_>>(b"Encoding");
    let Some(differences) = encoding.and_then(|encoding| encoding.get::<Array<'_>>(b"Differences")) else {
        return NumberedNames::default();
    };
    let mut names: Vec<(u8, String)> = Vec::new();
    let mut code = 0_i64;
    for object in differences.iter::<Object<'_>>().take(1 << 12) {
        match object {
            Object::Number(number) => code = number.as_i64(),
            Object::Name(name) => {
                if let Ok(code) = u8::try_from(code) {
                    names.push((code, name.as_str().to_string()));
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    let names: Vec<(u8, &str)> = names.iter().map(|(code, name)| (*code, name.as_str())).collect();
    of_names(&names)
}

fn of_names(names: &[(u8, &str)]) -> NumberedNames {
    let mut numbered = NumberedNames::default();
    for (code, name) in names {
        let prefixes = ["glyph", "index", "gid", "cid", "g"];
        if let Some(glyph) = prefixes.iter().find_map(|prefix| number(name.strip_prefix(prefix)?, 10)) {
            numbered.glyphs.insert(*code, glyph);
        }
        // The standard wants capital digits, which not all producers know.
        let digits = name.strip_prefix("uni").filter(|digits| digits.len() == 4);
        if let Some(c) = digits.and_then(|digits| number(digits, 16)).and_then(char::from_u32) {
            numbered.chars.insert(*code, c);
        }
    }
    let with = |prefixes: &[char]| -> Vec<(u8, &str)> {
        let digits = names.iter().filter_map(|(code, name)| Some((*code, name.strip_prefix(prefixes)?)));
        digits.filter(|(_, digits)| number(digits, 16).is_some()).collect()
    };
    let of_g = with(&['G']);
    if of_g.iter().all(|(_, digits)| digits.len() == 2) {
        numbered.chars.extend(chars(&of_g, 16));
    }
    let of_c = with(&['C', 'c']);
    let is_hex = of_c.iter().any(|(_, digits)| number(digits, 10).is_none());
    if of_c.iter().all(|(_, digits)| (2..=3).contains(&digits.len())) {
        numbered.chars.extend(chars(&of_c, if is_hex { 16 } else { 10 }));
    }
    numbered
}

/// The characters that the numbers name; none where one of them can be no character, since all are only counted then.
fn chars(names: &[(u8, &str)], radix: u32) -> Vec<(u8, char)> {
    let char_of =
        |digits: &str| number(digits, radix).filter(|number| *number >= 0x20).and_then(char::from_u32);
    let chars: Option<Vec<(u8, char)>> =
        names.iter().map(|(code, digits)| Some((*code, char_of(digits)?))).collect();
    chars.unwrap_or_default()
}

fn number(digits: &str, radix: u32) -> Option<u32> {
    let is_number = (1..=6).contains(&digits.len()) && digits.chars().all(|digit| digit.is_digit(radix));
    is_number.then(|| u32::from_str_radix(digits, radix).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the codes from 1 on, and what their numbers are found to be.
    #[track_caller]
    fn check(names: &[&str], glyphs: &[u32], chars: &str) {
        let names: Vec<(u8, &str)> = (1..).zip(names.iter().copied()).collect();
        let numbered = of_names(&names);
        let mut told: Vec<(u8, u32)> = numbered.glyphs.into_iter().collect();
        told.sort_unstable();
        assert_eq!(told.iter().map(|(_, glyph)| *glyph).collect::<Vec<_>>(), glyphs);
        let mut told: Vec<(u8, char)> = numbered.chars.into_iter().collect();
        told.sort_unstable();
        assert_eq!(told.iter().map(|(_, c)| *c).collect::<String>(), chars);
    }

    #[test]
    fn the_numbers_in_names_are_told_apart() {
        check(&["g12", "gid13", "glyph14", "index15", "cid16"], &[12, 13, 14, 15, 16], "");
        check(&["G41", "G7a"], &[], "Az");
        check(&["C65", "c122"], &[], "Az");
        check(&["C20", "C41", "C7a"], &[], " Az");
        check(&["uni00e9", "A", "uni4E2D"], &[], "é中");
    }

    #[test]
    fn names_that_only_count_say_nothing() {
        check(&["G1", "G2", "G41"], &[], "");
        check(&["C01", "C65"], &[], "");
        check(&["", "g", "G", "gamma", "Gbreve", "cent", "C1234", "é12"], &[], "");
    }
}
