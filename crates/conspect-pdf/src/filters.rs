//! The filters of streams that are not pictures, one after the other, each under a ceiling.
//!
//! Some kilobytes of a file may expand to gigabytes, and filters may be chained, so every one of them stops at the
//! ceiling. What is damaged is decoded as far as it goes.

use std::borrow::Cow;

use flate2::{Decompress, FlushDecompress, Status};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};

/// Filters of one stream; honest ones have two or three.
const MAX_FILTERS: usize = 16;

/// Decoded data, and what is wrong with it.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    pub data: Cow<'a, [u8]>,
    /// Whether the ceiling cut it short.
    pub is_cut: bool,
    /// Whether it ends early because the rest is damaged.
    pub is_damaged: bool,
}

/// Decodes a stream to at most `max_bytes`. `None` where a filter is unknown or one of pictures, or where nothing comes
/// out of data that has something in it.
pub(crate) fn decode<'a>(stream: &Stream<'a>, max_bytes: u64) -> Option<Decoded<'a>> {
    let max_len = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    let steps = steps(stream.dict())?;
    let mut decoded = Decoded { data: stream.raw_data(), is_cut: false, is_damaged: false };
    for (filter, parameters) in &steps {
        let out = apply(*filter, parameters, &decoded.data, max_len);
        if out.data.is_empty() && !decoded.data.trim_ascii().is_empty() && out.is_damaged {
            return None;
        }
        decoded.is_cut |= out.is_cut;
        decoded.is_damaged |= out.is_damaged;
        decoded.data = Cow::Owned(out.data);
    }
    if decoded.data.len() > max_len {
        decoded.is_cut = true;
        decoded.data.to_mut().truncate(max_len);
    }
    Some(decoded)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    AsciiHex,
    Ascii85,
    Lzw,
    Flate,
    RunLength,
}

/// The filters in the order they are taken off, each with its parameters. `None` where one is not known.
fn steps<'a>(dict: &Dict<'a>) -> Option<Vec<(Filter, Dict<'a>)>> {
    let names: Vec<Name<'a>> = match dict.get::<Object<'a>>(b"Filter").or_else(|| dict.get(b"F")) {
        None | Some(Object::Null(_)) => return Some(Vec::new()),
        Some(Object::Name(name)) => vec![name],
        Some(Object::Array(names)) => names.iter::<Name<'a>>().take(MAX_FILTERS + 1).collect(),
        Some(_) => return None,
    };
    if names.len() > MAX_FILTERS {
        return None;
    }
    let parameters: Vec<Dict<'a>> = match dict.get::<Object<'a>>(b"DecodeParms").or_else(|| dict.get(b"DP")) {
        Some(Object::Dict(parameters)) => vec![parameters],
        Some(Object::Array(parameters)) => of_array(&parameters),
        _ => Vec::new(),
    };
    let mut steps = Vec::new();
    for (idx, name) in names.iter().enumerate() {
        let filter = match name.as_ref() {
            b"ASCIIHexDecode" | b"AHx" => Filter::AsciiHex,
            b"ASCII85Decode" | b"A85" => Filter::Ascii85,
            b"LZWDecode" | b"LZW" => Filter::Lzw,
            b"FlateDecode" | b"Fl" => Filter::Flate,
            b"RunLengthDecode" | b"RL" => Filter::RunLength,
            // Taken off with the encryption, before all others.
            b"Crypt" => continue,
            _ => return None,
        };
        steps.push((filter, parameters.get(idx).cloned().unwrap_or_default()));
    }
    Some(steps)
}

/// A filter without parameters has `null` in its place.
fn of_array<'a>(parameters: &Array<'a>) -> Vec<Dict<'a>> {
    let dict = |object| if let Object::Dict(dict) = object { dict } else { Dict::default() };
    parameters.iter::<Object<'a>>().take(MAX_FILTERS).map(dict).collect()
}

struct Step {
    data: Vec<u8>,
    is_cut: bool,
    is_damaged: bool,
}

impl Step {
    fn of(data: Vec<u8>, max_len: usize) -> Step {
        Step { is_cut: data.len() >= max_len, data, is_damaged: false }
    }
}

fn apply(filter: Filter, parameters: &Dict<'_>, raw: &[u8], max_len: usize) -> Step {
    match filter {
        Filter::AsciiHex => Step::of(without_hex(raw, max_len), max_len),
        Filter::Ascii85 => Step::of(without_ascii85(raw, max_len), max_len),
        Filter::RunLength => Step::of(without_run_lengths(raw, max_len), max_len),
        Filter::Lzw => {
            let changes_early = parameters.get::<i32>(b"EarlyChange") != Some(0);
            without_predictor(Step::of(without_lzw(raw, changes_early, max_len), max_len), parameters)
        }
        Filter::Flate => without_predictor(inflate(raw, max_len), parameters),
    }
}

/// Inflates as far as the data is sound. A wrong checksum at the end is no damage, and neither is a missing or wrong
/// header: producers make both.
fn inflate(raw: &[u8], max_len: usize) -> Step {
    let (mut best, is_sound) = inflate_as(true, raw, max_len);
    if is_sound {
        return Step::of(best, max_len);
    }
    for body in [raw.get(2..).unwrap_or_default(), raw] {
        let (data, is_sound) = inflate_as(false, body, max_len);
        if is_sound && !data.is_empty() {
            return Step::of(data, max_len);
        }
        if data.len() > best.len() {
            best = data;
        }
    }
    Step { is_cut: false, data: best, is_damaged: true }
}

/// What the data inflates to up to its end, its first fault or the ceiling, and whether there was no fault.
fn inflate_as(has_header: bool, raw: &[u8], max_len: usize) -> (Vec<u8>, bool) {
    let mut inflater = Decompress::new(has_header);
    let mut data = Vec::with_capacity(raw.len().saturating_mul(3).clamp(256, 1 << 22).min(max_len));
    while data.len() < max_len {
        if data.len() == data.capacity() {
            data.reserve(data.len().min(max_len - data.len()));
        }
        let (n_in, n_out) = (inflater.total_in(), data.len());
        let rest = usize::try_from(n_in).ok().and_then(|n_in| raw.get(n_in..)).unwrap_or_default();
        match inflater.decompress_vec(rest, &mut data, FlushDecompress::None) {
            Ok(Status::StreamEnd) => return (data, true),
            Ok(_) if inflater.total_in() > n_in || data.len() > n_out => {}
            _ => return (data, false),
        }
    }
    (data, true)
}

/// Takes off LZW (ISO 32000-1, 7.4.4). Damaged codes end it.
fn without_lzw(raw: &[u8], changes_early: bool, max_len: usize) -> Vec<u8> {
    const CLEAR: usize = 256;
    const END: usize = 257;
    const FIRST: usize = 258;
    const FULL: usize = 4096;
    // Where in the data the string of each code stands: all of them were written out before.
    let mut strings: Vec<(usize, usize)> = Vec::with_capacity(FULL);
    let mut data: Vec<u8> = Vec::with_capacity(raw.len().saturating_mul(2).min(1 << 22).min(max_len));
    let mut last: Option<(usize, usize)> = None;
    let (mut n_bits, mut buffer, mut n_buffered) = (9_u32, 0_u32, 0_u32);
    for &byte in raw {
        buffer = (buffer << 8) | u32::from(byte);
        n_buffered += 8;
        if n_buffered < n_bits {
            continue;
        }
        n_buffered -= n_bits;
        let code = (buffer >> n_buffered) as usize;
        buffer &= (1 << n_buffered) - 1;
        match code {
            END => break,
            CLEAR => {
                strings.clear();
                n_bits = 9;
                last = None;
                continue;
            }
            _ => {}
        }
        let start = data.len();
        if let Ok(literal) = u8::try_from(code) {
            data.push(literal);
        } else if let Some(&(from, len)) = strings.get(code - FIRST) {
            data.extend_from_within(from..from + len);
        } else if let Some((from, len)) = last
            && code - FIRST == strings.len()
        {
            data.extend_from_within(from..from + len);
            data.extend_from_within(from..=from);
        } else {
            break;
        }
        if let Some((from, len)) = last
            && strings.len() < FULL - FIRST
        {
            // The string before and the first byte of this one, which follows it in the data.
            strings.push((from, len + 1));
        }
        last = Some((start, data.len() - start));
        if data.len() >= max_len {
            data.truncate(max_len);
            break;
        }
        n_bits = match FIRST + strings.len() + usize::from(changes_early) {
            0..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
    }
    data
}

/// Takes off run lengths (ISO 32000-1, 7.4.5).
fn without_run_lengths(raw: &[u8], max_len: usize) -> Vec<u8> {
    let mut data = Vec::new();
    let mut rest = raw;
    while let Some((&length, after)) = rest.split_first() {
        rest = match length {
            0..128 => {
                let (literal, after) = after.split_at(after.len().min(usize::from(length) + 1));
                data.extend_from_slice(literal);
                after
            }
            128 => break,
            129.. => {
                let Some((&repeated, after)) = after.split_first() else { break };
                data.resize(data.len() + 257 - usize::from(length), repeated);
                after
            }
        };
        if data.len() >= max_len {
            data.truncate(max_len);
            break;
        }
    }
    data
}

fn without_hex(raw: &[u8], max_len: usize) -> Vec<u8> {
    let digits = raw.iter().take_while(|byte| **byte != b'>');
    let mut digits = digits.filter_map(|byte| char::from(*byte).to_digit(16)).map(|digit| digit as u8);
    let mut data = Vec::with_capacity((raw.len() / 2).min(max_len));
    while let Some(high) = digits.next()
        && data.len() < max_len
    {
        data.push(high << 4 | digits.next().unwrap_or(0));
    }
    data
}

fn without_ascii85(raw: &[u8], max_len: usize) -> Vec<u8> {
    // Some producers put the mark of the beginning, which is PostScript's, before the data.
    let raw = raw.trim_ascii_start();
    let raw = raw.strip_prefix(b"<~").unwrap_or(raw);
    let mut data = Vec::with_capacity((raw.len() / 5 * 4).min(max_len));
    let mut group: Vec<u8> = Vec::with_capacity(5);
    let flush = |group: &mut Vec<u8>, data: &mut Vec<u8>| {
        let n_bytes = group.len().saturating_sub(1).min(4);
        group.resize(5, 84);
        let value =
            group.iter().fold(0_u32, |value, &digit| value.wrapping_mul(85).wrapping_add(digit.into()));
        data.extend_from_slice(&value.to_be_bytes()[..n_bytes]);
        group.clear();
    };
    for &byte in raw.iter().take_while(|byte| **byte != b'~') {
        match byte {
            b'z' if group.is_empty() => data.extend_from_slice(&[0; 4]),
            b'!'..=b'u' => {
                group.push(byte - b'!');
                if group.len() == 5 {
                    flush(&mut group, &mut data);
                }
            }
            _ => {}
        }
        if data.len() >= max_len {
            data.truncate(max_len);
            return data;
        }
    }
    if !group.is_empty() {
        flush(&mut group, &mut data);
    }
    data
}

/// Takes off a predictor (ISO 32000-1, 7.4.4.4): rows that hold only what differs from what stands beside or above.
fn without_predictor(mut step: Step, parameters: &Dict<'_>) -> Step {
    let predictor = parameters.get::<i32>(b"Predictor").unwrap_or(1);
    if predictor < 2 {
        return step;
    }
    let number = |key: &[u8], usual: usize| {
        let number = parameters.get::<u32>(key).map_or(usual, |number| number as usize);
        number.clamp(1, 1 << 24)
    };
    let n_bits = number(b"Colors", 1).saturating_mul(number(b"BitsPerComponent", 8));
    let n_row = n_bits.saturating_mul(number(b"Columns", 1)).div_ceil(8);
    let n_pixel = n_bits.div_ceil(8);
    step.data = if predictor == 2 {
        without_tiff_predictor(step.data, n_row, n_pixel, number(b"BitsPerComponent", 8))
    } else {
        without_png_predictor(&step.data, n_row, n_pixel)
    };
    step
}

/// Only whole bytes: no stream that is not a picture has less.
fn without_tiff_predictor(mut data: Vec<u8>, n_row: usize, n_pixel: usize, n_bits: usize) -> Vec<u8> {
    if n_bits == 8 {
        for row in data.chunks_mut(n_row) {
            for idx in n_pixel..row.len() {
                row[idx] = row[idx].wrapping_add(row[idx - n_pixel]);
            }
        }
    }
    data
}

fn without_png_predictor(data: &[u8], n_row: usize, n_pixel: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(data.len());
    for packed in data.chunks(n_row + 1) {
        let Some((&kind, packed)) = packed.split_first() else { break };
        let start = out.len();
        for (idx, &byte) in packed.iter().enumerate() {
            let left = if idx >= n_pixel { out[start + idx - n_pixel] } else { 0 };
            let above = if start >= n_row { out[start + idx - n_row] } else { 0 };
            let above_left =
                if idx >= n_pixel && start >= n_row { out[start + idx - n_row - n_pixel] } else { 0 };
            let predicted = match kind {
                1 => left,
                2 => above,
                3 => u8::midpoint(left, above),
                4 => paeth(left, above, above_left),
                _ => 0,
            };
            out.push(byte.wrapping_add(predicted));
        }
    }
    out
}

fn paeth(left: u8, above: u8, above_left: u8) -> u8 {
    let guess = i32::from(left) + i32::from(above) - i32::from(above_left);
    let distance = |byte: u8| (guess - i32::from(byte)).abs();
    if distance(left) <= distance(above) && distance(left) <= distance(above_left) {
        left
    } else if distance(above) <= distance(above_left) {
        above
    } else {
        above_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 1 << 20;

    #[test]
    fn lzw_is_taken_off_at_both_changes_of_width() {
        // The example of ISO 32000-1, 7.4.4.2.
        let encoded = [0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01];
        assert_eq!(without_lzw(&encoded, true, MAX), [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
        assert_eq!(without_lzw(&[], true, MAX), []);
        let letters: Vec<u8> = (0..3000_u32).map(|n| (n * n % 251) as u8).collect();
        for changes_early in [true, false] {
            assert_eq!(without_lzw(&lzw(&letters, changes_early), changes_early, MAX), letters);
        }
        assert_eq!(without_lzw(&lzw(&letters, true), true, 100), letters[..100]);
    }

    /// Every byte as a code of its own: the table still grows, and with it the width.
    fn lzw(data: &[u8], changes_early: bool) -> Vec<u8> {
        let (mut bits, mut n_table, mut n_since_clear) = (String::new(), 258, 0);
        let width = |n_table: usize| match n_table + usize::from(changes_early) {
            0..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        for &byte in data {
            let n = width(n_table);
            bits.push_str(&format!("{byte:0n$b}"));
            n_table = (n_table + usize::from(n_since_clear > 0)).min(4096);
            n_since_clear += 1;
        }
        let n = width(n_table);
        bits.push_str(&format!("{:0n$b}0000000", 257));
        let bytes = bits.as_bytes().chunks_exact(8);
        bytes.map(|byte| byte.iter().fold(0, |value, bit| value << 1 | (bit - b'0'))).collect()
    }

    #[test]
    fn letters_are_decoded() {
        assert_eq!(without_ascii85(b"87cURD]i,\"Ebo80~>", MAX), b"Hello World!");
        assert_eq!(without_ascii85(b" <~z!!~>", MAX), [0, 0, 0, 0, 0]);
        assert_eq!(without_ascii85(b"zzzz", 5), [0; 5]);
        assert_eq!(without_hex(b"48 65 6C6c 6f7>00", MAX), b"Hellop");
        assert_eq!(without_hex(b"4865", 1), b"H");
    }

    #[test]
    fn run_lengths_end_at_their_mark_their_data_or_the_ceiling() {
        assert_eq!(without_run_lengths(b"\x02abc\xfed\x80x", MAX), b"abcddd");
        assert_eq!(without_run_lengths(b"\x05ab", MAX), b"ab");
        assert_eq!(without_run_lengths(b"\x81x\x81y", 130), [[b'x'; 128].as_slice(), b"yy"].concat());
    }

    #[test]
    fn rows_of_each_png_kind_are_restored() {
        let rows = b"\x00abcd\x01a\x01\x01\x01\x02\x01\x01\x01\x01\x03\x31\x31\x31\x31\x04\x01\x01\x01\x01";
        let plain = without_png_predictor(rows, 4, 1);
        assert_eq!(&plain[..8], b"abcdabcd");
        assert_eq!(&plain[8..12], b"bcde");
        assert_eq!(plain.len(), 20);
        assert_eq!(without_tiff_predictor(b"a\x01\x01b\x01\x01".to_vec(), 3, 1, 8), b"abcbcd");
    }

    #[test]
    fn paeth_takes_the_nearest_of_three() {
        assert_eq!(paeth(10, 20, 10), 20);
        assert_eq!(paeth(20, 10, 10), 20);
        assert_eq!(paeth(10, 20, 20), 10);
        assert_eq!(paeth(10, 30, 20), 20);
    }
}
