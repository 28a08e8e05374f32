//! The first or the last lines of a text that is too large to be gone over for them.

use conspect_model::{Document, Extent, Format, Input, Limits, Origin, ReadError, TextPart};
use memchr::{memchr, memchr_iter, memrchr};

use crate::charset::Charset;
use crate::{SourceText, plain};

/// Which lines of a text are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinesWanted {
    /// So many from the beginning.
    First(usize),
    /// So many from the end.
    Last(usize),
}

/// How many bytes are looked at before their memory is given back.
const CHUNK_BYTES: usize = 4 << 20;

/// How much of the beginning tells whether line feeds are bytes of their own.
const HEAD_BYTES: usize = 64 << 10;

/// Reads no more of a text than the lines that are wanted, as its own lines without blocks. `None` where they are all
/// of it, or where lines are not told by single bytes: then it is read as a whole.
pub fn read<'a>(
    format: Format,
    input: &Input<'a>,
    wanted: LinesWanted,
    limits: &Limits,
) -> Result<Option<Document<'a>>, ReadError> {
    let bytes = input.bytes;
    let is_wide = Charset::from_mark(bytes).is_some_and(|(charset, _)| charset.width() > 1)
        || memchr(0, &bytes[..bytes.len().min(HEAD_BYTES)]).is_some();
    if input.encoding.is_some() || is_wide {
        return Ok(None);
    }
    let (part, part_read) = match wanted {
        LinesWanted::First(n_lines) => {
            let Some(end) = end_of_first(input, n_lines) else { return Ok(None) };
            let mut part = *input;
            part.bytes = &bytes[..end];
            (part, TextPart::Beginning)
        }
        LinesWanted::Last(n_lines) => {
            let Some(start) = start_of_last(bytes, n_lines) else { return Ok(None) };
            (Input::new(&bytes[start..], input.name), TextPart::End)
        }
    };
    let mut document = plain::document(format, SourceText::decode(&part, limits)?);
    document.extent = Extent::default();
    document.part_read = part_read;
    if part_read == TextPart::End {
        // Their lines are counted from another beginning.
        document.notices.retain(|notice| notice.origin == Origin::File);
    }
    Ok(Some(document))
}

/// Where the first so many lines end; `None` if nothing comes after them.
fn end_of_first(input: &Input<'_>, n_lines: usize) -> Option<usize> {
    let mut n_left = n_lines;
    let mut start = 0;
    for chunk in input.bytes.chunks(CHUNK_BYTES) {
        let n_here = memchr_iter(b'\n', chunk).count();
        if n_here >= n_left {
            let last = memchr_iter(b'\n', chunk).nth(n_left.checked_sub(1)?)?;
            return Some(start + last + 1).filter(|&end| end < input.bytes.len());
        }
        n_left -= n_here;
        input.release(start..start + chunk.len());
        start += chunk.len();
    }
    None
}

/// Where the last so many lines begin; `None` if nothing comes before them.
fn start_of_last(bytes: &[u8], n_lines: usize) -> Option<usize> {
    // A final line feed ends the last line and begins none.
    let mut end = bytes.len() - usize::from(bytes.ends_with(b"\n"));
    for n_found in 1..=n_lines {
        end = memrchr(b'\n', &bytes[..end])?;
        if n_found == n_lines {
            return Some(end + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: LinesWanted, expected: Option<&str>) {
        let input = Input::new(text.as_bytes(), "a.txt");
        let document = read(Format::Text, &input, wanted, &Limits::default()).expect("text");
        let lines = document.map(|document| {
            let lines = document.lines.expect("lines");
            (0..lines.n_lines()).map(|line_idx| lines.line(line_idx).into_owned() + "|").collect::<String>()
        });
        assert_eq!(lines.as_deref(), expected, "{text:?} {wanted:?}");
    }

    /// R1 and R34.
    #[test]
    fn the_lines_wanted_are_read_and_no_others() {
        use LinesWanted::{First, Last};
        check("a\nb\r\nc\n", First(2), Some("a|b|"));
        check("a\nb\nc\n", First(3), None);
        check("a\nb\nc", First(2), Some("a|b|"));
        check("a\nb\nc", First(9), None);
        check("a\n\n\nb\n", First(2), Some("a||"));
        check("a\nb\nc\n", Last(1), Some("c|"));
        check("a\nb\nc", Last(2), Some("b|c|"));
        check("a\nb\n\n", Last(1), Some("|"));
        check("a\nb\n", Last(2), None);
        check("", Last(2), None);
        check("\n", Last(1), None);
        check("a\0b\nc\n", First(1), None);
    }
}
