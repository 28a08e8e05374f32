use conspect_model::{Format, FormatFamily, Input, Notice, NoticeKind, Origin};

use crate::formats::{FormatRow, WITHOUT_GRAMMAR};

/// What the bytes are: containers by what they hold, text by what stands in it, and the name last.
pub fn sniff(input: &Input<'_>) -> Format {
    if let Some(format) = conspect_office::sniff(input.bytes, input.name) {
        return format;
    }
    if is_pdf(input) {
        return Format::Pdf;
    }
    let by_name = FormatRow::of_extension(&input.extension()).map(|row| row.format);
    let format = match conspect_text::sniff(input) {
        // Something that should have been a container, and is damaged beyond knowing it.
        Some(Format::Binary(UNKNOWN)) => {
            return by_name.filter(is_container).unwrap_or(Format::Binary(UNKNOWN));
        }
        Some(format) => format,
        None if input.bytes.starts_with(b"\xD0\xCF\x11\xE0") => {
            return by_name.filter(is_container).unwrap_or(Format::Binary("OLE container"));
        }
        // A text that speaks of PDF.
        None => by_name.filter(|format| !is_container(format)).unwrap_or(Format::Text),
    };
    if matches!(format, Format::Binary(_)) {
        return format;
    }
    match language(input, by_name) {
        Some(language) => Format::Code(language),
        None => format,
    }
}

/// What `conspect-text` calls bytes that are no text and no kind of data that it knows.
const UNKNOWN: &str = "binary data";

/// Text formats that have a grammar too; they are read as what they are, not as code.
const TEXT_LANGUAGES: &[&str] = &["markdown", "json", "yaml", "toml", "html", "xml", "csv"];

/// The language of source code. A name that says code is believed: much of it begins like something else, as PHP
/// begins like HTML.
fn language(input: &Input<'_>, by_name: Option<Format>) -> Option<&'static str> {
    let language = conspect_code::language_of(input.bytes, input.name);
    match (language, by_name) {
        (Some(language), _) => Some(language).filter(|language| !TEXT_LANGUAGES.contains(language)),
        (None, Some(Format::Code(_))) => Some(WITHOUT_GRAMMAR),
        (None, _) => None,
    }
}

/// The header of a PDF may have junk in front of it; a source file may hold that header in a string. So where it does
/// not stand first, something else must say PDF as well.
fn is_pdf(input: &Input<'_>) -> bool {
    let head = &input.bytes[..input.bytes.len().min(1024)];
    let Some(at) = find(head, b"%PDF-") else { return is_headless_pdf(input) };
    let is_first =
        head[..at].iter().all(|byte| byte.is_ascii_whitespace() || matches!(byte, 0xEF | 0xBB | 0xBF));
    let named_otherwise = || {
        FormatRow::of_extension(&input.extension()).is_some_and(|row| row.format != Format::Pdf)
            || conspect_code::language_of(input.bytes, input.name).is_some()
    };
    let has_objects = || find(&input.bytes[..input.bytes.len().min(64 << 10)], b" obj").is_some();
    is_first || input.extension() == "pdf" || (!named_otherwise() && has_objects())
}

/// A file named so that has lost its beginning, but has the end of a PDF.
fn is_headless_pdf(input: &Input<'_>) -> bool {
    let tail = &input.bytes[input.bytes.len().saturating_sub(1024)..];
    input.extension() == "pdf" && find(tail, b"startxref").is_some() && find(tail, b"%%EOF").is_some()
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Whether the format is made of bytes rather than of text.
fn is_container(format: &Format) -> bool {
    !matches!(format, Format::Html | Format::Notebook | Format::Mail)
        && !matches!(format.family(), FormatFamily::Text | FormatFamily::Code)
}

/// Says so when the name speaks of another format than the one the bytes are in.
pub(crate) fn wrong_extension(input: &Input<'_>, format: Format) -> Option<Notice> {
    let extension = input.extension();
    let named = FormatRow::of_extension(&extension)?.format;
    let is_plain = |format: Format| matches!(format.family(), FormatFamily::Text | FormatFamily::Code);
    if named == format || input.bytes.is_empty() || (is_plain(named) && is_plain(format)) {
        return None;
    }
    if matches!((named, format), (_, Format::EncryptedOffice)) {
        return None;
    }
    let message = format!("the name ends in .{extension}, but the bytes are {format}; read as {format}");
    Some(Notice::new(NoticeKind::WrongExtension, message, Origin::File))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], name: &str, expected: Format) {
        assert_eq!(sniff(&Input::new(bytes, name)), expected, "{name}");
    }

    #[test]
    fn bytes_decide_before_the_name() {
        check(b"%PDF-1.7\n", "report.txt", Format::Pdf);
        check(b"HTTP/1.1 200 OK\n\n%PDF-1.4\n1 0 obj", "download", Format::Pdf);
        check(b"junk\n%PDF-1.4", "a.pdf", Format::Pdf);
        check(b"plain words", "a.pdf", Format::Text);
        check(b"1 0 obj <<>> endobj\nstartxref\n0\n%%EOF\n", "a.pdf", Format::Pdf);
        check(b"1 0 obj <<>> endobj\nstartxref\n0\n%%EOF\n", "a.txt", Format::Text);
        check(b"\x89PNG\r\n\x1A\n....", "a.txt", Format::Binary("PNG image"));
        check(b"", "a.docx", Format::Text);
    }

    #[test]
    fn source_code_is_believed_by_its_name() {
        check(b"MAGIC = b'%PDF-'\nsource = '1 0 obj'\n", "magic.py", Format::Code("python"));
        check(b"const std = @import(\"std\");\n", "main.zig", Format::Code("code"));
        check(b"#!/usr/bin/env python3\nprint(1)\n", "tool", Format::Code("python"));
        check(b"The header is %PDF-1.4, as in 1 0 obj.\n", "notes.md", Format::Markdown);
    }

    #[test]
    fn names_decide_where_bytes_cannot() {
        check(b"\x01\x02\x03\x00\xFF", "a.pdf", Format::Pdf);
        check(b"\x01\x02\x03\x00\xFF", "a.txt", Format::Binary("binary data"));
        check(b"a: 1\n", "a.yml", Format::Yaml);
    }

    /// R61.
    #[test]
    fn a_wrong_extension_is_told_where_it_matters() {
        let tells = |bytes: &[u8], name: &str| {
            let input = Input::new(bytes, name);
            wrong_extension(&input, sniff(&input)).map(|notice| notice.message)
        };
        let expected = "the name ends in .txt, but the bytes are PDF; read as PDF";
        assert_eq!(tells(b"%PDF-1.7\n", "report.txt").as_deref(), Some(expected));
        assert!(tells(b"plain words", "report.pdf").is_some());
        assert_eq!(tells(b"%PDF-1.7\n", "report.pdf"), None);
        assert_eq!(tells(b"a,b\n1,2\n", "table.txt"), None);
        assert_eq!(tells(b"", "report.docx"), None);
    }
}
