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
    // The bound is coarse; one pass without keeping anything tells the size for sure.
    match filters.as_slice() {
        [Filter::FlateDecode] => inflated_len(&raw, max_bytes) < max_bytes,
        _ => bound / 64 <= max_bytes,
    }
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
