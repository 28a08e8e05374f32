//! Text strings outside content streams: metadata, outline titles, field values.

/// PDFDocEncoding where it differs from Latin-1 (ISO 32000-1, annex D.3).
#[rustfmt::skip]
const DOC_ENCODING: [(u8, char); 40] = [
    (0x18, '˘'), (0x19, 'ˇ'), (0x1a, 'ˆ'), (0x1b, '˙'), (0x1c, '˝'), (0x1d, '˛'), (0x1e, '˚'), (0x1f, '˜'),
    (0x80, '•'), (0x81, '†'), (0x82, '‡'), (0x83, '…'), (0x84, '—'), (0x85, '–'), (0x86, 'ƒ'), (0x87, '⁄'),
    (0x88, '‹'), (0x89, '›'), (0x8a, '−'), (0x8b, '‰'), (0x8c, '„'), (0x8d, '“'), (0x8e, '”'), (0x8f, '‘'),
    (0x90, '’'), (0x91, '‚'), (0x92, '™'), (0x93, 'ﬁ'), (0x94, 'ﬂ'), (0x95, 'Ł'), (0x96, 'Œ'), (0x97, 'Š'),
    (0x98, 'Ÿ'), (0x99, 'Ž'), (0x9a, 'ı'), (0x9b, 'ł'), (0x9c, 'œ'), (0x9d, 'š'), (0x9e, 'ž'), (0xa0, '€'),
];

/// The text of a text string: UTF-16 or UTF-8 with a mark, otherwise PDFDocEncoding.
pub(crate) fn text_string(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        without_language_codes(&String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|&byte| doc_char(byte)).collect(),
    }
}

fn doc_char(byte: u8) -> char {
    DOC_ENCODING.iter().find(|(code, _)| *code == byte).map_or(char::from(byte), |(_, c)| *c)
}

/// A language code stands between two escape characters (ISO 32000-1, 7.9.2.2).
fn without_language_codes(text: &str) -> String {
    text.split('\u{1b}').step_by(2).collect()
}
