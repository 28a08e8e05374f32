//! The owner's password of older encryption (ISO 32000-1, 7.6.3.4). It opens a file by way of the user's password, which
//! the file holds encrypted with it; newer encryption takes either password as it is.

use hayro_syntax::object::{Dict, FromBytes, String as PdfString};
use md5::{Digest, Md5};
use memchr::memmem;

/// What fills up passwords that are shorter than 32 bytes.
const PADDING: [u8; 32] = [
    0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08, 0x2e,
    0x2e, 0x00, 0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
];

/// The user's password that the owner's leads to. A wrong password leads to a wrong one, or to none.
pub(crate) fn user_password(file: &[u8], owner_password: &str) -> Option<String> {
    let encryption = encryption(file)?;
    let revision = encryption.get::<u8>(b"R")?;
    if !(2..=4).contains(&revision) {
        return None;
    }
    let n_key = match (revision, encryption.get::<u16>(b"V")?) {
        (2, _) => 5,
        (_, 4) => 16,
        _ => usize::from(encryption.get::<u16>(b"Length").unwrap_or(40) / 8).clamp(5, 16),
    };
    let mut padded: Vec<u8> = owner_password.bytes().take(PADDING.len()).collect();
    padded.extend_from_slice(PADDING.get(..PADDING.len() - padded.len())?);
    let mut hash = Md5::digest(&padded);
    if revision > 2 {
        for _ in 0..50 {
            hash = Md5::digest(hash);
        }
    }
    let key = hash.get(..n_key)?;
    let mut password = encryption.get::<PdfString<'_>>(b"O")?.as_bytes().get(..PADDING.len())?.to_vec();
    let rounds = if revision == 2 { 0..1 } else { 0..20 };
    for round in rounds.rev() {
        let key: Vec<u8> = key.iter().map(|byte| byte ^ round).collect();
        rc4(&key, &mut password);
    }
    let len =
        (0..=PADDING.len()).find(|&len| PADDING.starts_with(password.get(len..).unwrap_or_default()))?;
    password.truncate(len);
    String::from_utf8(password).ok()
}

/// The encryption dictionary, which stands in the file or in its trailer and is itself not encrypted.
fn encryption(file: &[u8]) -> Option<Dict<'_>> {
    let at = memmem::rfind(file, b"/Encrypt")? + b"/Encrypt".len();
    let rest = file.get(at..)?.trim_ascii_start();
    if rest.starts_with(b"<<") {
        return Dict::from_bytes(rest);
    }
    let n_digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    let head = [rest.get(..n_digits)?, b" 0 obj"].concat();
    let is_whole =
        |at: &usize| !at.checked_sub(1).and_then(|at| file.get(at)).is_some_and(u8::is_ascii_digit);
    let at = memmem::find_iter(file, &head).filter(is_whole).last()?;
    Dict::from_bytes(file.get(at + head.len()..)?.trim_ascii_start())
}

fn rc4(key: &[u8], data: &mut [u8]) {
    let mut state: [u8; 256] = std::array::from_fn(|idx| idx as u8);
    let mut j: u8 = 0;
    for idx in 0..=255_u8 {
        let at = usize::from(idx);
        j = j.wrapping_add(state[at]).wrapping_add(key[at % key.len()]);
        state.swap(at, usize::from(j));
    }
    let (mut i, mut j) = (0_u8, 0_u8);
    for byte in data {
        i = i.wrapping_add(1);
        j = j.wrapping_add(state[usize::from(i)]);
        state.swap(usize::from(i), usize::from(j));
        *byte ^= state[usize::from(state[usize::from(i)].wrapping_add(state[usize::from(j)]))];
    }
}
