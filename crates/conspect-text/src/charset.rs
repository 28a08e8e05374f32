use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding, UTF_16BE, UTF_16LE};
use memchr::{memchr, memchr_iter};

/// How the bytes of a text are characters.
///
/// Every one of them can be cut at a line feed and decoded line by line: in the encodings of the WHATWG standard the
/// byte 0x0A is never part of another character, and in UTF-16 and UTF-32 a line feed is a whole code unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    Utf8,
    /// One of the older encodings of the WHATWG standard.
    Legacy(&'static Encoding),
    Utf16 {
        big_endian: bool,
    },
    /// Not part of the WHATWG standard, so decoded here.
    Utf32 {
        big_endian: bool,
    },
}

/// What a piece of text comes to, decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) n_chars: usize,
    /// Sequences that become U+FFFD.
    pub(crate) n_malformed: usize,
}

impl Charset {
    /// The charset that a user or a file names; the labels are those of the WHATWG standard, and `utf-32` with or
    /// without `le` and `be`.
    ///
    /// The labels that the standard maps to its "replacement" encoding are refused: nothing can be read by them.
    pub(crate) fn for_label(label: &str) -> Option<Charset> {
        match label.trim().to_ascii_lowercase().as_str() {
            "utf-32" | "utf32" | "utf-32le" | "utf32le" => return Some(Charset::Utf32 { big_endian: false }),
            "utf-32be" | "utf32be" => return Some(Charset::Utf32 { big_endian: true }),
            _ => {}
        }
        Encoding::for_label_no_replacement(label.as_bytes()).map(Charset::from_encoding)
    }

    pub(crate) fn from_encoding(encoding: &'static Encoding) -> Charset {
        match encoding {
            _ if encoding == encoding_rs::UTF_8 => Charset::Utf8,
            _ if encoding == UTF_16LE => Charset::Utf16 { big_endian: false },
            _ if encoding == UTF_16BE => Charset::Utf16 { big_endian: true },
            _ => Charset::Legacy(encoding),
        }
    }

    /// The charset that a byte order mark at the beginning tells, and the mark's length.
    ///
    /// The mark of UTF-16LE begins that of UTF-32LE; a text that begins with U+0000 is no text, so the longer one
    /// is meant.
    pub(crate) fn from_mark(bytes: &[u8]) -> Option<(Charset, usize)> {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some((Charset::Utf8, 3)),
            [0xFF, 0xFE, 0, 0, ..] => Some((Charset::Utf32 { big_endian: false }, 4)),
            [0, 0, 0xFE, 0xFF, ..] => Some((Charset::Utf32 { big_endian: true }, 4)),
            [0xFF, 0xFE, ..] => Some((Charset::Utf16 { big_endian: false }, 2)),
            [0xFE, 0xFF, ..] => Some((Charset::Utf16 { big_endian: true }, 2)),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => "UTF-8",
            Charset::Legacy(encoding) => encoding.name(),
            Charset::Utf16 { big_endian: false } => "UTF-16LE",
            Charset::Utf16 { big_endian: true } => "UTF-16BE",
            Charset::Utf32 { big_endian: false } => "UTF-32LE",
            Charset::Utf32 { big_endian: true } => "UTF-32BE",
        }
    }

    /// Bytes in a code unit.
    pub(crate) fn width(self) -> usize {
        match self {
            Charset::Utf8 | Charset::Legacy(_) => 1,
            Charset::Utf16 { .. } => 2,
            Charset::Utf32 { .. } => 4,
        }
    }

    /// Where in `bytes`, which begins at a code unit, the first unit with this ASCII value stands.
    pub(crate) fn find_unit(self, unit: u8, bytes: &[u8]) -> Option<usize> {
        match self {
            Charset::Utf8 | Charset::Legacy(_) => memchr(unit, bytes),
            Charset::Utf16 { big_endian } => find_wide_unit(unit, bytes, 2, big_endian),
            Charset::Utf32 { big_endian } => find_wide_unit(unit, bytes, 4, big_endian),
        }
    }

    /// How many code units of `bytes`, which begins at one, have this ASCII value.
    pub(crate) fn count_units(self, unit: u8, bytes: &[u8]) -> usize {
        if self.width() == 1 {
            return memchr_iter(unit, bytes).count();
        }
        let mut n_units = 0;
        let mut from = 0;
        while let Some(at) = self.find_unit(unit, &bytes[from..]) {
            n_units += 1;
            from += at + self.width();
        }
        n_units
    }

    /// Whether `bytes` ends in a code unit with this ASCII value.
    pub(crate) fn ends_in_unit(self, unit: u8, bytes: &[u8]) -> bool {
        let width = self.width();
        bytes.len() >= width
            && bytes.len().is_multiple_of(width)
            && self.find_unit(unit, &bytes[bytes.len() - width..]).is_some()
    }

    /// The text of some bytes; malformed sequences become U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            // Valid text is the rule, and checking it first is several times faster.
            Charset::Utf8 => match std::str::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(bytes),
            },
            Charset::Legacy(encoding) => encoding.decode_without_bom_handling(bytes).0,
            Charset::Utf16 { big_endian: false } => UTF_16LE.decode_without_bom_handling(bytes).0,
            Charset::Utf16 { big_endian: true } => UTF_16BE.decode_without_bom_handling(bytes).0,
            Charset::Utf32 { big_endian } => utf32_chars(bytes, big_endian)
                .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect::<String>()
                .into(),
        }
    }

    /// What [`Charset::decode`] would give, counted without holding it.
    pub(crate) fn count(self, bytes: &[u8]) -> Count {
        match self {
            Charset::Utf8 => count_utf8(bytes),
            Charset::Legacy(encoding) if encoding.is_ascii_compatible() && bytes.is_ascii() => {
                Count { n_chars: bytes.len(), n_malformed: 0 }
            }
            Charset::Legacy(encoding) => count_decoded(encoding, bytes),
            Charset::Utf16 { big_endian: false } => count_decoded(UTF_16LE, bytes),
            Charset::Utf16 { big_endian: true } => count_decoded(UTF_16BE, bytes),
            Charset::Utf32 { big_endian } => {
                utf32_chars(bytes, big_endian).fold(Count::default(), |count, unit| Count {
                    n_chars: count.n_chars + 1,
                    n_malformed: count.n_malformed + usize::from(unit.is_none()),
                })
            }
        }
    }

    /// The bytes of a text; the first character that the charset does not have is the error.
    pub(crate) fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, char> {
        match self {
            Charset::Utf8 => Ok(Cow::Borrowed(text.as_bytes())),
            Charset::Legacy(encoding) => match encoding.encode(text) {
                (bytes, _, false) => Ok(bytes),
                (_, _, true) => Err(first_unencodable(encoding, text)),
            },
            Charset::Utf16 { big_endian } => {
                let to_bytes = if big_endian { u16::to_be_bytes } else { u16::to_le_bytes };
                Ok(text.encode_utf16().flat_map(to_bytes).collect())
            }
            Charset::Utf32 { big_endian } => {
                let to_bytes = if big_endian { u32::to_be_bytes } else { u32::to_le_bytes };
                Ok(text.chars().flat_map(|c| to_bytes(c as u32)).collect())
            }
        }
    }
}

fn find_wide_unit(unit: u8, bytes: &[u8], width: usize, big_endian: bool) -> Option<usize> {
    memchr_iter(unit, bytes).find_map(|at| {
        let start = at - at % width;
        let whole = bytes.get(start..start + width)?;
        let (value_at, zeros) = if big_endian { (width - 1, &whole[..width - 1]) } else { (0, &whole[1..]) };
        (at - start == value_at && zeros.iter().all(|&byte| byte == 0)).then_some(start)
    })
}

/// The characters of UTF-32; `None` where four bytes, or fewer at the end, are none.
fn utf32_chars(bytes: &[u8], big_endian: bool) -> impl Iterator<Item = Option<char>> {
    bytes.chunks(4).map(move |unit| {
        let unit: [u8; 4] = unit.try_into().ok()?;
        char::from_u32(if big_endian { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) })
    })
}

fn count_utf8(bytes: &[u8]) -> Count {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Count { n_chars: text.chars().count(), n_malformed: 0 };
    }
    bytes.utf8_chunks().fold(Count::default(), |count, chunk| {
        let n_malformed = usize::from(!chunk.invalid().is_empty());
        Count {
            n_chars: count.n_chars + chunk.valid().chars().count() + n_malformed,
            n_malformed: count.n_malformed + n_malformed,
        }
    })
}

/// Decodes through a small buffer, so that a line as long as the file costs no memory.
fn count_decoded(encoding: &'static Encoding, bytes: &[u8]) -> Count {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut buffer = [0u8; 4096];
    let mut count = Count::default();
    let mut rest = bytes;
    loop {
        let (result, n_read, n_written) = decoder.decode_to_utf8_without_replacement(rest, &mut buffer, true);
        count.n_chars += buffer[..n_written].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        rest = &rest[n_read..];
        match result {
            DecoderResult::InputEmpty => return count,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => {
                count.n_chars += 1;
                count.n_malformed += 1;
            }
        }
    }
}

fn first_unencodable(encoding: &'static Encoding, text: &str) -> char {
    let mut buffer = [0u8; 4];
    text.chars()
        .find(|c| encoding.encode(c.encode_utf8(&mut buffer)).2)
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}
