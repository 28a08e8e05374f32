use std::panic::{AssertUnwindSafe, catch_unwind};

use conspect_model::{
    Document, Format, FormatFamily, Input, Limits, Notice, NoticeKind, Origin, ReadError, Scope,
};

use conspect_text::part::LinesWanted;

use crate::formats::FormatRow;
use crate::sniff::{sniff, wrong_extension};

/// Reads the bytes as what they are.
pub fn read<'a>(input: &Input<'a>, scope: &Scope, limits: &Limits) -> Result<Document<'a>, ReadError> {
    read_as(sniff(input), input, scope, limits)
}

/// Reads the bytes as this format, as [`sniff`] told it.
///
/// A panic in a reader is a bug in that reader, and ends this read alone.
pub fn read_as<'a>(
    format: Format,
    input: &Input<'a>,
    scope: &Scope,
    limits: &Limits,
) -> Result<Document<'a>, ReadError> {
    let reader = FormatRow::of(format).reader.ok_or(ReadError::Unsupported { format })?;
    let read = catch_unwind(AssertUnwindSafe(|| reader(input, scope, limits)));
    let mut document = read.unwrap_or_else(|_| {
        let what = format!("the {format} reader met something that it does not expect");
        Err(ReadError::Damaged { format, what })
    })?;
    document.format = format;
    document.notices.extend(wrong_extension(input, format));
    tell_of_parts(&mut document);
    Ok(document)
}

/// Reads no more of a text of this format than the first or last lines; `None` where the whole has to be read for
/// them.
pub fn read_lines<'a>(
    format: Format,
    input: &Input<'a>,
    wanted: LinesWanted,
    limits: &Limits,
) -> Result<Option<Document<'a>>, ReadError> {
    let is_text = matches!(format.family(), FormatFamily::Text | FormatFamily::Code);
    if is_text { conspect_text::part::read(format, input, wanted, limits) } else { Ok(None) }
}

/// Files inside the file are not read further, and whoever sees the text should know that they are there.
fn tell_of_parts(document: &mut Document<'_>) {
    for part in &document.parts {
        // A reader that knows where the part belongs has told it already.
        if document.notices.iter().any(|notice| notice.message.contains(&part.name)) {
            continue;
        }
        let message = format!("the file {:?} inside it ({} bytes) was not read", part.name, part.bytes.len());
        document.notices.push(Notice::new(NoticeKind::Unsupported, message, Origin::File));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_under_the_format_it_was_taken_for() {
        let input = Input::new(b"a,b\n1,2\n", "table.csv");
        let document = read(&input, &Scope::default(), &Limits::default()).expect("a document");
        assert_eq!((document.format, document.extent.n_lines), (Format::Csv, 2));
    }

    #[test]
    fn what_cannot_be_read_is_refused_by_kind() {
        let image = Input::new(b"\x89PNG\r\n\x1A\n....", "a.txt");
        let error = read(&image, &Scope::default(), &Limits::default()).expect_err("no document");
        assert_eq!(error, ReadError::Unsupported { format: Format::Binary("PNG image") });
    }

    #[test]
    fn files_inside_the_file_are_told() {
        let mail = "From: a@b.example\nSubject: tides\nMIME-Version: 1.0\n\
                    Content-Type: multipart/mixed; boundary=\"x\"\n\n\
                    --x\nContent-Type: text/plain\n\nSee the table.\n\
                    --x\nContent-Type: text/csv\nContent-Disposition: attachment; filename=\"tides.csv\"\n\n\
                    day,high\n--x--\n";
        let input = Input::new(mail.as_bytes(), "tides.eml");
        let document = read(&input, &Scope::default(), &Limits::default()).expect("a document");
        let told: Vec<String> = document.notices.iter().map(|notice| notice.message.clone()).collect();
        assert_eq!(told, ["the file \"tides.csv\" inside it (8 bytes) was not read"]);
    }

    #[test]
    fn a_wrong_name_is_a_notice() {
        let input = Input::new(b"plain words\n", "a.pdf");
        let document = read(&input, &Scope::default(), &Limits::default()).expect("a document");
        assert_eq!(document.format, Format::Text);
        assert_eq!(document.notices[0].kind, NoticeKind::WrongExtension);
    }
}
