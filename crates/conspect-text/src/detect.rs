//! Which charset bytes are in, where neither a mark nor validity as UTF-8 settles it.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use crate::charset::Charset;

/// How much of a file a guess is made from. Enough for any statistics, and little beside a scan of a large file.
const SAMPLE_BYTES: usize = 1 << 20;

/// UTF-16 without a mark, told by its zero bytes; `None` where the bytes are not that.
///
/// The zero bytes of text in Latin letters all have the same parity, which gives away the byte order. Text in other
/// scripts has few zero bytes, but its blanks, digits and line feeds have them. A lone surrogate, a control character
/// or a noncharacter rules UTF-16 out: structured binary data is full of them.
pub(crate) fn utf16_without_mark(bytes: &[u8]) -> Option<Charset> {
    let sample = &bytes[..bytes.len().min(64 << 10) & !1];
    let (mut n_even, mut n_odd) = (0, 0);
    for unit in sample.chunks_exact(2) {
        n_even += usize::from(unit[0] == 0);
        n_odd += usize::from(unit[1] == 0);
    }
    let big_endian = n_even > n_odd;
    let n_zeros = n_even.max(n_odd);
    let n_units = sample.len() / 2;
    // Bytes that are ASCII text but for a few zeros are a text with zeros in it: UTF-16 in another script has high
    // bytes and control bytes everywhere.
    let is_frequent = n_zeros * 2 >= n_units && n_zeros > 0;
    let n_foreign = sample.iter().filter(|&&byte| byte >= 0x80 || is_control(byte)).count();
    let is_other_script = n_zeros * 200 >= n_units && n_zeros > 0 && n_foreign * 4 >= n_units;
    ((is_frequent || is_other_script) && is_utf16_text(sample, big_endian))
        .then_some(Charset::Utf16 { big_endian })
}

fn is_control(byte: u8) -> bool {
    byte != 0 && byte.is_ascii_control() && !byte.is_ascii_whitespace()
}

fn is_utf16_text(sample: &[u8], big_endian: bool) -> bool {
    let from_bytes = if big_endian { u16::from_be_bytes } else { u16::from_le_bytes };
    let units = sample.chunks_exact(2).map(|unit| from_bytes([unit[0], unit[1]]));
    let mut chars = char::decode_utf16(units).peekable();
    let mut n_common = 0usize;
    let mut n_chars = 0usize;
    while let Some(decoded) = chars.next() {
        let c = match decoded {
            Ok(c) => c,
            // The sample may end inside a pair.
            Err(_) => return chars.peek().is_none() && n_chars > 0,
        };
        let is_noncharacter = c as u32 & 0xFFFE == 0xFFFE || ('\u{FDD0}'..='\u{FDEF}').contains(&c);
        let is_private = ('\u{E000}'..='\u{F8FF}').contains(&c);
        if is_noncharacter
            || is_private
            || (c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{C}' | '\u{1B}'))
        {
            return false;
        }
        n_common += usize::from(c.is_alphanumeric() || c.is_whitespace() || c.is_ascii_punctuation());
        n_chars += 1;
    }
    n_common * 2 > n_chars
}

/// A guess for bytes that are not UTF-8 throughout. `fault_at` is where they first are not.
///
/// Text that is UTF-8 but for a few broken sequences is UTF-8: a line cut in the middle of a character by whoever
/// wrote a log must not turn all its other lines into nonsense. Hardly any text in another encoding holds valid
/// sequences of UTF-8 in number.
pub(crate) fn guess(bytes: &[u8], fault_at: usize, hint: Option<&str>) -> Charset {
    let first_high = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let sample = &bytes[first_high.saturating_sub(256)..];
    let sample = &sample[..sample.len().min(SAMPLE_BYTES)];
    let around_fault = &bytes[fault_at.saturating_sub(SAMPLE_BYTES / 2)..];
    let around_fault = &around_fault[..around_fault.len().min(SAMPLE_BYTES)];
    if is_mostly_utf8(sample) && is_mostly_utf8(around_fault) {
        return Charset::Utf8;
    }
    if let Some(charset) = hint.and_then(Charset::for_label).filter(|charset| charset.width() == 1) {
        return charset;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    // With nothing to go by, this is windows-1252.
    Charset::from_encoding(detector.guess(None, Utf8Detection::Deny))
}

fn is_mostly_utf8(sample: &[u8]) -> bool {
    let n_cut = sample.iter().take_while(|&&byte| byte & 0xC0 == 0x80).take(3).count();
    let sample = &sample[n_cut..];
    let (mut n_good, mut n_bad) = (0usize, 0usize);
    let mut chunks = sample.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        n_good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        // A character cut by the end of the sample, or of the file, says nothing against UTF-8.
        let is_cut = chunks.peek().is_none() && is_cut_char(chunk.invalid());
        n_bad += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    n_good > 0 && (n_bad * 10 <= n_good || (n_bad == 1 && n_good >= 3))
}

fn is_cut_char(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}
