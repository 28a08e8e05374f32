//! Streams through each filter: spec D2 and D5.

use std::io::Write;

use crate::builder::{Builder, check};

const CONTENT: &[u8] = b"BT /F1 12 Tf 50 700 Td (Through the filter) Tj ET";
const TEXT: [&str; 1] = ["p Through the filter"];

/// Reads a page whose content is stored like this.
#[track_caller]
fn check_content(entries: &str, data: &[u8], expected: &[&str]) {
    let mut builder = Builder::new();
    let content = builder.add_stream(entries, data);
    builder.page_with(&format!("/Contents {content} 0 R"), "");
    check(&builder.finish(), expected);
}

fn flate(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).expect("in memory");
    encoder.finish().expect("in memory")
}

fn hex(data: &[u8]) -> Vec<u8> {
    let digits: String = data.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{digits}>").into_bytes()
}

fn ascii85(data: &[u8]) -> Vec<u8> {
    let mut text = String::new();
    for chunk in data.chunks(4) {
        let mut group = [0; 4];
        group[..chunk.len()].copy_from_slice(chunk);
        let value = u32::from_be_bytes(group);
        let digits =
            [52_200_625, 614_125, 7_225, 85, 1].map(|place| char::from((value / place % 85) as u8 + b'!'));
        text.extend(&digits[..chunk.len() + 1]);
    }
    format!("{text}~>").into_bytes()
}

fn run_length(data: &[u8]) -> Vec<u8> {
    let runs = data.chunks(128).flat_map(|run| [&[run.len() as u8 - 1], run].concat());
    runs.chain([128]).collect()
}

/// One code a byte, with the table's mark before every hundred of them, so that all codes have nine bits.
fn lzw(data: &[u8]) -> Vec<u8> {
    let codes =
        data.chunks(100).flat_map(|run| std::iter::once(256).chain(run.iter().map(|byte| u16::from(*byte))));
    let bits: String = codes.chain([257]).map(|code| format!("{code:09b}")).collect();
    let bytes = bits.as_bytes().chunks(8);
    bytes
        .map(|byte| byte.iter().fold(0, |value, bit| value << 1 | (bit - b'0')) << (8 - byte.len()))
        .collect()
}

#[test]
fn each_filter_is_known_by_both_its_names() {
    let cases: [(&str, &str, Vec<u8>); 5] = [
        ("ASCIIHexDecode", "AHx", hex(CONTENT)),
        ("ASCII85Decode", "A85", ascii85(CONTENT)),
        ("LZWDecode", "LZW", lzw(CONTENT)),
        ("FlateDecode", "Fl", flate(CONTENT)),
        ("RunLengthDecode", "RL", run_length(CONTENT)),
    ];
    for (name, short, data) in cases {
        check_content(&format!("/Filter /{name}"), &data, &TEXT);
        check_content(&format!("/Filter [/{short}]"), &data, &TEXT);
    }
}

#[test]
fn filters_are_taken_off_one_after_the_other() {
    check_content("/Filter [/ASCII85Decode /FlateDecode]", &ascii85(&flate(CONTENT)), &TEXT);
    check_content("/Filter [/AHx /RL /LZW]", &hex(&run_length(&lzw(CONTENT))), &TEXT);
    check_content("/Filter [/Fl /Fl /Fl]", &flate(&flate(&flate(CONTENT))), &TEXT);
    check_content("/Filter []", CONTENT, &TEXT);
    check_content("/Filter null", CONTENT, &TEXT);
}

#[test]
fn a_crypt_filter_without_encryption_changes_nothing() {
    check_content(
        "/Filter [/Crypt /FlateDecode] /DecodeParms [<< /Name /Identity >> null]",
        &flate(CONTENT),
        &TEXT,
    );
    check_content("/Filter /Crypt", CONTENT, &TEXT);
}

#[test]
fn lzw_changes_its_width_early_or_not() {
    check_content("/Filter /LZWDecode /DecodeParms << /EarlyChange 0 >>", &lzw(CONTENT), &TEXT);
    check_content("/Filter [/LZW] /DP [<< /EarlyChange 1 >>]", &lzw(CONTENT), &TEXT);
}

#[test]
fn predictors_are_taken_off_by_the_parameters_of_their_filter() {
    // Rows of ten bytes, each with a byte that says how it differs: here from the row above.
    let mut padded = CONTENT.to_vec();
    padded.resize(CONTENT.len().next_multiple_of(10), b' ');
    let mut above = [0; 10];
    let mut rows = Vec::new();
    for row in padded.chunks(10) {
        rows.push(2);
        rows.extend(row.iter().zip(above).map(|(byte, above)| byte.wrapping_sub(above)));
        above.copy_from_slice(row);
    }
    let parameters = "<< /Predictor 12 /Columns 10 >>";
    check_content(&format!("/Filter /FlateDecode /DecodeParms {parameters}"), &flate(&rows), &TEXT);
    check_content(&format!("/Filter [/LZWDecode] /DecodeParms [{parameters}]"), &lzw(&rows), &TEXT);
    check_content(
        &format!("/Filter [/A85 /Fl] /DecodeParms [null {parameters}]"),
        &ascii85(&flate(&rows)),
        &TEXT,
    );
    let left: Vec<u8> = padded
        .chunks(10)
        .flat_map(|row| {
            let before = std::iter::once(0).chain(row.iter().copied());
            row.iter().zip(before).map(|(byte, before)| byte.wrapping_sub(before)).collect::<Vec<u8>>()
        })
        .collect();
    check_content("/Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns 10 >>", &flate(&left), &TEXT);
}

#[test]
fn damaged_data_is_decoded_as_far_as_it_goes() {
    let long = [CONTENT, b"\n0 0 m 1 1 l S".repeat(500).as_slice()].concat();
    let mut packed = flate(&long);
    let damaged = "! page 1: a part of the page cannot be decoded";
    check_content("/Filter /FlateDecode", &packed[..packed.len() - 20], &[TEXT[0], damaged]);
    // The checksum at the end and the header at the beginning are no part of the data.
    let last = packed.len() - 1;
    packed[last] ^= 0xff;
    check_content("/Filter /FlateDecode", &packed, &TEXT);
    packed[0] = 0;
    check_content("/Filter /FlateDecode", &packed, &TEXT);
    check_content("/Filter /FlateDecode", &flate(CONTENT)[2..], &TEXT);
    check_content("/Filter /FlateDecode", b"\xff\xff\xff\xffnothing", &[damaged]);
    check_content("/Filter /NoSuchDecode", CONTENT, &[damaged]);
}
