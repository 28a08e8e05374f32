/// Width and height in pixels of a PNG, JPEG, GIF, WebP or BMP image, from its header; `None` for anything else.
pub fn image_size(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some((u32_be(bytes, 16)?, u32_be(bytes, 20)?)),
        [b'G', b'I', b'F', b'8', ..] => Some((u16_le(bytes, 6)?, u16_le(bytes, 8)?)),
        [0xFF, 0xD8, 0xFF, ..] => jpeg_size(bytes),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => webp_size(bytes),
        [b'B', b'M', ..] => bmp_size(bytes),
        _ => None,
    }
}

/// The size stands in the first frame header, after any number of other segments.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        if *bytes.get(at)? != 0xFF {
            return None;
        }
        match *bytes.get(at + 1)? {
            0xFF => at += 1,
            // Frame headers; C4, C8 and CC between them are other tables.
            0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                return Some((u16_be(bytes, at + 7)?, u16_be(bytes, at + 5)?));
            }
            0x01 | 0xD0..=0xD8 => at += 2,
            // The end, or the picture itself before any frame header.
            0xD9 | 0xDA => return None,
            _ => at += 2 + (u16_be(bytes, at + 2)? as usize).max(2),
        }
    }
}

fn webp_size(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " => Some((u16_le(bytes, 26)? & 0x3FFF, u16_le(bytes, 28)? & 0x3FFF)),
        b"VP8L" => {
            let sizes = u32_le(bytes, 21)?;
            Some(((sizes & 0x3FFF) + 1, (sizes >> 14 & 0x3FFF) + 1))
        }
        b"VP8X" => {
            let u24 = |at| Some(u32_le(bytes, at)? & 0xFF_FFFF);
            // The height's three bytes may be the last of a header cut short, so they are read one byte early.
            Some((u24(24)? + 1, (u32_le(bytes, 26)? >> 8) + 1))
        }
        _ => None,
    }
}

/// The height is negative when the rows are stored from the top.
fn bmp_size(bytes: &[u8]) -> Option<(u32, u32)> {
    match u32_le(bytes, 14)? {
        12 => Some((u16_le(bytes, 18)?, u16_le(bytes, 20)?)),
        40..=124 => {
            let signed = |at| Some((u32_le(bytes, at)? as i32).unsigned_abs());
            Some((signed(18)?, signed(22)?))
        }
        _ => None,
    }
}

fn u16_be(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 2)?;
    Some(u32::from(bytes[0]) << 8 | u32::from(bytes[1]))
}

fn u16_le(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 2)?;
    Some(u32::from(bytes[1]) << 8 | u32::from(bytes[0]))
}

fn u32_be(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u16_be(bytes, at)? << 16 | u16_be(bytes, at + 2)?)
}

fn u32_le(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u16_le(bytes, at + 2)? << 16 | u16_le(bytes, at)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_stand_in_the_headers() {
        let check = |pieces: &[&[u8]], expected| assert_eq!(image_size(&pieces.concat()), expected);
        check(&[b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR", b"\0\0\x02\x80\0\0\x01\xE0"], Some((640, 480)));
        check(&[b"GIF89a", b"\x80\x02\xE0\x01"], Some((640, 480)));
        check(
            &[b"\xFF\xD8", b"\xFF\xE0\0\x04ab", b"\xFF\xFF\xC2\0\x0B\x08\x01\xE0\x02\x80"],
            Some((640, 480)),
        );
        check(&[b"RIFF....WEBPVP8X....", b"\0\0\0\0", b"\x7F\x02\0\xDF\x01\0"], Some((640, 480)));
        check(&[b"RIFF....WEBPVP8 ....", b"\0\0\0\x9D\x01\x2A", b"\x80\x02\xE0\x01"], Some((640, 480)));
        check(&[b"RIFF....WEBPVP8L....", b"\x2F", b"\x7F\xC2\x77\0"], Some((640, 480)));
        check(&[b"BM............", b"\x28\0\0\0", b"\x80\x02\0\0\x20\xFE\xFF\xFF"], Some((640, 480)));
        check(&[b"BM is also the beginning of a text"], None);
        check(&[b"\xFF\xD8\xFF\xDA"], None);
        check(&[b"\x89PNG\r\n\x1A\n"], None);
        check(&[b"\xFF\xD8\xFF\xE0\0\0"], None);
    }
}
