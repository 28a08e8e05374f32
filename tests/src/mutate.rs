//! Files with faults put into them, drawn from a seed: what transport, disks and careless programs do, and what an
//! attacker does.
//!
//! Faults of bytes do for every format; those of PDFs know objects, lengths and offsets.

#![expect(clippy::ptr_arg, reason = "all faults are in one table, and most change how long the bytes are")]

use std::ops::Range;

use memchr::memmem;

/// A damaged copy.
#[derive(Clone, Debug)]
pub struct Mutated {
    /// The copy.
    pub bytes: Vec<u8>,
    /// The faults in it, in the order in which they were put in.
    pub faults: Vec<&'static str>,
}

/// Puts one to three faults into a copy of the bytes; the same ones for the same bytes and seed.
pub fn mutate(bytes: &[u8], seed: u64) -> Mutated {
    let mut mutated = Mutated { bytes: bytes.to_vec(), faults: Vec::new() };
    let mut draw = Draw::new(seed);
    let n_faults = 1 + draw.below(3);
    let is_pdf = memmem::find(bytes, b"%PDF-").is_some();
    let known = if is_pdf { FAULTS } else { &FAULTS[..N_OF_BYTES] };
    // A fault may find nothing to break: another is drawn.
    for _ in 0..100 {
        let (name, put) = known[draw.below(known.len())];
        if !mutated.bytes.is_empty() && put(&mut mutated.bytes, &mut draw) {
            mutated.faults.push(name);
        }
        if mutated.faults.len() == n_faults {
            break;
        }
    }
    mutated
}

/// Puts a fault into the bytes, and says whether there was a place for it.
type Put = fn(&mut Vec<u8>, &mut Draw) -> bool;

/// Those of bytes stand first.
const FAULTS: &[(&str, Put)] = &[
    ("bytes flipped", flip_bytes),
    ("cut short", cut_short),
    ("beginning lost", lose_beginning),
    ("chunk zeroed", zero_chunk),
    ("chunk lost", lose_chunk),
    ("chunk doubled", double_chunk),
    ("noise inserted", insert_noise),
    ("ends of lines changed", change_line_ends),
    ("object lost", lose_object),
    ("object doubled", double_object),
    ("numbers exchanged", exchange_numbers),
    ("length wrong", lie_about_length),
    ("offsets swapped", swap_offsets),
    ("filter renamed", rename_filter),
    ("keyword broken", break_keyword),
    ("reference turned", turn_reference),
];
const N_OF_BYTES: usize = 8;

fn flip_bytes(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    for _ in 0..1 + draw.below(12) {
        let at = draw.below(bytes.len());
        bytes[at] ^= 1 << draw.below(8);
    }
    true
}

fn cut_short(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    // Mostly near the end: a file without its last hundredth is more common than one of which little is left.
    let lost = if draw.below(3) == 0 { draw.below(bytes.len()) } else { draw.below(bytes.len() / 10 + 1) };
    bytes.truncate(bytes.len() - lost);
    true
}

fn lose_beginning(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let lost = draw.below(bytes.len().min(512));
    bytes.drain(..lost);
    true
}

fn zero_chunk(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let chunk = draw.chunk(bytes.len());
    bytes[chunk].fill(0);
    true
}

fn lose_chunk(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let chunk = draw.chunk(bytes.len());
    bytes.drain(chunk);
    true
}

fn double_chunk(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let chunk = draw.chunk(bytes.len());
    let copy = bytes[chunk.clone()].to_vec();
    bytes.splice(chunk.end..chunk.end, copy);
    true
}

fn insert_noise(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let at = draw.below(bytes.len() + 1);
    let noise: Vec<u8> = (0..1 + draw.below(1024)).map(|_| draw.below(256) as u8).collect();
    bytes.splice(at..at, noise);
    true
}

/// As a transfer in text mode does.
fn change_line_ends(bytes: &mut Vec<u8>, _draw: &mut Draw) -> bool {
    let mut changed = Vec::with_capacity(bytes.len());
    for (idx, &byte) in bytes.iter().enumerate() {
        if byte == b'\n' && idx.checked_sub(1).is_none_or(|before| bytes[before] != b'\r') {
            changed.push(b'\r');
        }
        changed.push(byte);
    }
    let is_new = changed != *bytes;
    *bytes = changed;
    is_new
}

fn lose_object(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let Some(object) = draw.one_of(&objects(bytes)) else { return false };
    bytes.drain(object);
    true
}

fn double_object(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let found = objects(bytes);
    let (Some(object), Some(before)) = (draw.one_of(&found), draw.one_of(&found)) else { return false };
    let copy = bytes[object].to_vec();
    bytes.splice(before.start..before.start, copy);
    true
}

/// Two objects take each other's numbers, wherever those are of one length.
fn exchange_numbers(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let found = objects(bytes);
    let (Some(one), Some(other)) = (draw.one_of(&found), draw.one_of(&found)) else { return false };
    let number = |object: &Range<usize>| object.start..object.start + n_digits(&bytes[object.clone()]);
    let (one, other) = (number(&one), number(&other));
    exchange(bytes, one, other)
}

/// A `/Length` becomes another number of as many digits.
fn lie_about_length(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let lengths: Vec<Range<usize>> = memmem::find_iter(bytes, b"/Length ")
        .map(|at| at + b"/Length ".len())
        .map(|at| at..at + n_digits(&bytes[at..]))
        .filter(|digits| !digits.is_empty())
        .collect();
    let Some(digits) = draw.one_of(&lengths) else { return false };
    for digit in &mut bytes[digits] {
        *digit = b'0' + draw.below(10) as u8;
    }
    true
}

/// Two entries of a table of objects change places.
fn swap_offsets(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let entries: Vec<Range<usize>> = memmem::find_iter(bytes, b" 00000 n")
        .filter_map(|at| Some(at.checked_sub(10)?..at))
        .filter(|digits| bytes[digits.clone()].iter().all(u8::is_ascii_digit))
        .collect();
    let (Some(one), Some(other)) = (draw.one_of(&entries), draw.one_of(&entries)) else { return false };
    exchange(bytes, one, other)
}

fn rename_filter(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    const NAMES: [&[u8]; 7] = [
        b"/FlateDecode",
        b"/LZWDecode",
        b"/ASCII85Decode",
        b"/ASCIIHexDecode",
        b"/RunLengthDecode",
        b"/DCTDecode",
        b"/Unknown",
    ];
    let mut found: Vec<Range<usize>> =
        NAMES.iter().flat_map(|name| memmem::find_iter(bytes, name).map(|at| at..at + name.len())).collect();
    found.sort_by_key(|name| name.start);
    let Some(name) = draw.one_of(&found) else { return false };
    bytes.splice(name, NAMES[draw.below(NAMES.len())].iter().copied());
    true
}

fn break_keyword(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    const WORDS: [&[u8]; 8] =
        [b"endstream", b"endobj", b" obj", b"stream", b"startxref", b"trailer", b"/Kids", b"/Type"];
    let word = WORDS[draw.below(WORDS.len())];
    let places: Vec<Range<usize>> = memmem::find_iter(bytes, word).map(|at| at..at + word.len()).collect();
    let Some(place) = draw.one_of(&places) else { return false };
    if draw.below(2) == 0 {
        bytes.drain(place);
    } else {
        let at = place.start + draw.below(place.len());
        bytes[at] = b'x';
    }
    true
}

/// A reference leads to another object.
fn turn_reference(bytes: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let references: Vec<Range<usize>> = memmem::find_iter(bytes, b" 0 R")
        .map(|end| {
            let digits = bytes[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            end - digits..end
        })
        .filter(|digits| !digits.is_empty())
        .collect();
    let (Some(one), Some(other)) = (draw.one_of(&references), draw.one_of(&references)) else { return false };
    let number = bytes[other].to_vec();
    bytes.splice(one, number);
    true
}

/// Where objects stand: from their number to `endobj`.
fn objects(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut objects = Vec::new();
    for end_of_head in memmem::find_iter(bytes, b" 0 obj") {
        let digits = bytes[..end_of_head].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let Some(len) = memmem::find(&bytes[end_of_head..], b"endobj").filter(|_| digits > 0) else {
            continue;
        };
        objects.push(end_of_head - digits..end_of_head + len + b"endobj".len());
    }
    objects
}

fn n_digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Exchanges two stretches of one length; `false` where they are not, or where it would change nothing.
fn exchange(bytes: &mut [u8], one: Range<usize>, other: Range<usize>) -> bool {
    if one.len() != other.len() || bytes[one.clone()] == bytes[other.clone()] {
        return false;
    }
    for (a, b) in one.zip(other) {
        bytes.swap(a, b);
    }
    true
}

/// Numbers that look like nothing in particular: SplitMix64.
struct Draw(u64);

impl Draw {
    fn new(seed: u64) -> Draw {
        Draw(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn one_of(&mut self, places: &[Range<usize>]) -> Option<Range<usize>> {
        if places.is_empty() { None } else { Some(places[self.below(places.len())].clone()) }
    }

    /// Up to four kilobytes somewhere, and no more than a quarter of all.
    fn chunk(&mut self, len: usize) -> Range<usize> {
        let chunk = 1 + self.below((len / 4).clamp(1, 4096));
        let start = self.below(len - chunk.min(len) + 1);
        start..(start + chunk).min(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PDF: &[u8] = b"%PDF-1.4\n1 0 obj << /Length 12 /Filter /FlateDecode >> endobj\n\
        2 0 obj << /Kids [1 0 R 3 0 R] /Type /Pages >> endobj\n3 0 obj [2 0 R] endobj\n\
        xref\n0000000009 00000 n \n0000000071 00000 n \ntrailer\nstartxref\n0\n";

    #[test]
    fn a_copy_follows_from_its_seed() {
        let copies: Vec<Vec<u8>> = (0..50).map(|seed| mutate(PDF, seed).bytes).collect();
        assert_eq!(copies[7], mutate(PDF, 7).bytes);
        for (seed, copy) in copies.iter().enumerate() {
            assert_ne!(copy, PDF, "seed {seed} has no fault");
        }
    }

    #[test]
    fn every_fault_finds_its_place() {
        for (name, put) in FAULTS {
            let is_put = (0..20).any(|seed| {
                let mut bytes = PDF.to_vec();
                put(&mut bytes, &mut Draw::new(seed)) && bytes != PDF
            });
            assert!(is_put, "{name}");
        }
        assert_eq!(FAULTS[N_OF_BYTES].0, "object lost");
    }

    #[test]
    fn numbers_of_objects_change_places() {
        let mut bytes = b"1 0 obj a endobj 2 0 obj b endobj".to_vec();
        let mut draw = Draw::new(1);
        while !exchange_numbers(&mut bytes, &mut draw) {}
        assert_eq!(bytes, b"2 0 obj a endobj 1 0 obj b endobj");
    }

    #[test]
    fn nothing_stays_nothing() {
        assert!(mutate(b"", 1).bytes.is_empty());
    }
}
