//! How large a stream becomes: what the libraries below decode whole is looked at before they may.

use std::io::Read;

use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::Filter;
use hayro_syntax::object::Stream;

use crate::filters::decode;

/// How much one byte of deflated data can expand to, at most.
pub(crate) const MAX_DEFLATE_RATIO: u64 = 1032;
/// The same for LZW: a code of nine bits stands for at most 4096 bytes.
const MAX_LZW_RATIO: u64 = 3641;

/// Whether the stream surely decodes to no more than `max_bytes`.
pub(crate) fn is_bounded(stream: &Stream<'_>, max_bytes: u64) -> bool {
    let raw = stream.raw_data();
    let filters = stream.filters();
    let bound = filters.iter().fold(raw.len() as u64, |size, filter| match filter {
        Filter::FlateDecode => size.saturating_mul(MAX_DEFLATE_RATIO),
        Filter::LzwDecode => size.saturating_mul(MAX_LZW_RATIO),
        Filter::RunLengthDecode => size.saturating_mul(64),
        // A `z` stands for four zeros.
        Filter::Ascii85Decode => size.saturating_mul(4),
        _ => size,
    });
    if bound <= max_bytes {
        return true;
    }
    // The bound is coarse; decoding under the ceiling tells the size for sure.
    match filters.as_slice() {
        [Filter::FlateDecode] => inflated_len(&raw, max_bytes) < max_bytes,
        _ => decode(stream, max_bytes).is_some_and(|decoded| !decoded.is_cut),
    }
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
