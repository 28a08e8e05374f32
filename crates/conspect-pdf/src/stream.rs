//! Stream data under a ceiling: some kilobytes of a file may expand to gigabytes.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::Filter;
use hayro_syntax::object::{Dict, Stream};

/// How much one byte of deflated data can expand to, at most.
pub(crate) const MAX_DEFLATE_RATIO: u64 = 1032;
/// The same for LZW: a code of nine bits stands for at most 4096 bytes.
const MAX_LZW_RATIO: u64 = 3641;

/// Decoded data, and whether the ceiling cut it short.
pub(crate) struct Decoded<'a> {
    pub data: Cow<'a, [u8]>,
    pub is_cut: bool,
}

/// Decodes a stream to at most `max_bytes`. `None` where nothing can be decoded, or where the size cannot be known
/// before it is too late.
pub(crate) fn decode<'a>(stream: &Stream<'a>, max_bytes: u64) -> Option<Decoded<'a>> {
    if is_plain_deflate(stream) {
        let raw = stream.raw_data();
        let mut data = Vec::new();
        if inflate(&raw, max_bytes, &mut data) {
            let is_cut = data.len() as u64 >= max_bytes;
            return Some(Decoded { data: Cow::Owned(data), is_cut });
        }
    }
    if !is_bounded(stream, max_bytes) {
        return None;
    }
    stream.decoded_data().ok().map(|data| Decoded { data, is_cut: false })
}

/// Whether the stream surely decodes to no more than `max_bytes`.
pub(crate) fn is_bounded(stream: &Stream<'_>, max_bytes: u64) -> bool {
    let raw = stream.raw_data();
    let filters = stream.filters();
    let bound = filters.iter().fold(raw.len() as u64, |size, filter| match filter {
        Filter::FlateDecode => size.saturating_mul(MAX_DEFLATE_RATIO),
        Filter::LzwDecode => size.saturating_mul(MAX_LZW_RATIO),
        Filter::RunLengthDecode => size.saturating_mul(64),
        _ => size,
    });
    if bound <= max_bytes {
        return true;
    }
    // The bound is coarse; one pass without keeping anything tells the size for sure. Longer chains of filters that
    // could expand so far are not found in honest files.
    match filters.as_slice() {
        [filter] => expanded_len(&raw, *filter, max_bytes) < max_bytes,
        [Filter::AsciiHexDecode | Filter::Ascii85Decode, Filter::FlateDecode | Filter::LzwDecode] => {
            // Decoding what is written in letters only makes it smaller.
            match (filters.first(), filters.get(1)) {
                (Some(Filter::Ascii85Decode), Some(last)) => {
                    expanded_len(&without_ascii85(&raw), *last, max_bytes) < max_bytes
                }
                (_, Some(last)) => expanded_len(&without_hex(&raw), *last, max_bytes) < max_bytes,
                _ => false,
            }
        }
        _ => false,
    }
}

fn expanded_len(raw: &[u8], filter: Filter, max_bytes: u64) -> u64 {
    match filter {
        Filter::FlateDecode => inflated_len(raw, max_bytes),
        Filter::LzwDecode => lzw_len(raw, max_bytes),
        _ => u64::MAX,
    }
}

/// How much LZW data expands to (ISO 32000-1, 7.4.4), by the lengths of its table's entries alone.
fn lzw_len(raw: &[u8], max_bytes: u64) -> u64 {
    const CLEAR: usize = 256;
    const END: usize = 257;
    let mut lengths: Vec<u64> = vec![1; 258];
    let mut last: Option<u64> = None;
    let (mut n_bits, mut buffer, mut n_buffered) = (9_u32, 0_u32, 0_u32);
    let mut total = 0_u64;
    for &byte in raw {
        buffer = (buffer << 8) | u32::from(byte);
        n_buffered += 8;
        while n_buffered >= n_bits {
            n_buffered -= n_bits;
            let code = (buffer >> n_buffered) as usize & ((1 << n_bits) - 1);
            buffer &= (1 << n_buffered) - 1;
            match code {
                END => return total,
                CLEAR => {
                    lengths.truncate(258);
                    n_bits = 9;
                    last = None;
                    continue;
                }
                _ => {}
            }
            let length = lengths.get(code).copied().or(last.map(|last| last + 1)).unwrap_or(1);
            total += length;
            if total >= max_bytes {
                return total;
            }
            if let Some(last) = last
                && lengths.len() < 4096
            {
                lengths.push(last + 1);
            }
            last = Some(length);
            n_bits = match lengths.len() {
                0..511 => 9,
                511..1023 => 10,
                1023..2047 => 11,
                _ => 12,
            };
        }
    }
    total
}

fn without_hex(raw: &[u8]) -> Vec<u8> {
    let digits =
        raw.iter().take_while(|byte| **byte != b'>').filter_map(|byte| char::from(*byte).to_digit(16));
    let digits: Vec<u8> = digits.map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair.first().unwrap_or(&0) << 4 | pair.get(1).unwrap_or(&0)).collect()
}

fn without_ascii85(raw: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(raw.len());
    let mut group: Vec<u8> = Vec::with_capacity(5);
    let mut flush = |group: &mut Vec<u8>| {
        let n_bytes = group.len().saturating_sub(1);
        group.resize(5, 84);
        let value =
            group.iter().fold(0_u32, |value, digit| value.wrapping_mul(85).wrapping_add(u32::from(*digit)));
        data.extend_from_slice(&value.to_be_bytes()[..n_bytes.min(4)]);
        group.clear();
    };
    for &byte in raw.iter().take_while(|byte| **byte != b'~') {
        match byte {
            b'z' if group.is_empty() => {
                group.extend([0; 5]);
                flush(&mut group);
            }
            b'!'..=b'u' => {
                group.push(byte - b'!');
                if group.len() == 5 {
                    flush(&mut group);
                }
            }
            _ => {}
        }
    }
    if !group.is_empty() {
        flush(&mut group);
    }
    data
}

fn is_plain_deflate(stream: &Stream<'_>) -> bool {
    let has_predictor = || {
        let dict = stream.dict();
        let params = dict.get::<Dict<'_>>(b"DecodeParms").or_else(|| dict.get::<Dict<'_>>(b"DP"));
        params.is_some_and(|params| params.contains_key(b"Predictor"))
            || dict.contains_key(b"F")
            || dict.get::<hayro_syntax::object::Array<'_>>(b"DecodeParms").is_some()
    };
    stream.filters().as_slice() == [Filter::FlateDecode] && !has_predictor()
}

/// Inflates to at most `max_bytes`; `false` where the data is faulty, so that a more lenient decoder may try.
fn inflate(raw: &[u8], max_bytes: u64, data: &mut Vec<u8>) -> bool {
    data.reserve(raw.len().saturating_mul(3).min(1 << 22));
    if ZlibDecoder::new(raw).take(max_bytes).read_to_end(data).is_ok() {
        return true;
    }
    data.clear();
    DeflateDecoder::new(raw).take(max_bytes).read_to_end(data).is_ok()
}

/// How much the data inflates to, counted up to `max_bytes` and kept nowhere.
pub(crate) fn inflated_len(raw: &[u8], max_bytes: u64) -> u64 {
    let count = |reader: &mut dyn Read| {
        let mut buffer = [0; 1 << 14];
        let mut n_bytes = 0;
        while let Ok(n @ 1..) = reader.read(&mut buffer) {
            n_bytes += n as u64;
        }
        n_bytes
    };
    let zlib = count(&mut ZlibDecoder::new(raw).take(max_bytes));
    if zlib > 0 { zlib } else { count(&mut DeflateDecoder::new(raw).take(max_bytes)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lzw_lengths_are_those_of_the_data() {
        // The example of ISO 32000-1, 7.4.4.2: ten bytes, 45 45 45 45 45 65 45 45 45 66.
        let encoded = [0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01];
        assert_eq!(lzw_len(&encoded, u64::MAX), 10);
        assert_eq!(lzw_len(&[], u64::MAX), 0);
        assert!(lzw_len(&[0xff; 4096], 10_000) <= 10_000 + 4096);
    }

    #[test]
    fn letters_are_decoded_before_they_are_counted() {
        assert_eq!(without_ascii85(b"87cURD]i,\"Ebo80~>"), b"Hello World!");
        assert_eq!(without_ascii85(b"z!!~>"), [0, 0, 0, 0, 0]);
        assert_eq!(without_hex(b"48 65 6C6c 6f>00"), b"Hello");
    }
}
