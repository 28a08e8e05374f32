use conspect_model::{Document, NoticeKind, TextEncoding};

use crate::answer::{Shows, counted};
use crate::hash::ContentHash;

/// What the header line says of a file besides what the Document knows.
#[derive(Clone, Debug, Default)]
pub struct Title<'a> {
    /// The file's name, as it is to be printed.
    pub name: &'a str,
    /// The hash of its raw bytes.
    pub hash: Option<ContentHash>,
    /// The part of the file that was read, in words: `pages 3-5`.
    pub part: Option<&'a str>,
}

impl<'a> Title<'a> {
    /// A title with this name, without a hash.
    pub fn new(name: &'a str) -> Title<'a> {
        Title { name, ..Title::default() }
    }
}

/// How much of the structure a sample does not show.
#[derive(Clone, Copy, Default)]
pub(crate) struct LeftOut {
    pub(crate) n_headings: usize,
    pub(crate) n_tables: usize,
}

impl LeftOut {
    /// `12 headings and 1 table left out`.
    fn describe(self) -> Option<String> {
        let counts = [(self.n_headings, "heading"), (self.n_tables, "table")];
        let counts: Vec<String> =
            counts.iter().filter(|(n, _)| *n > 0).map(|&(n, one)| counted(n, one)).collect();
        (!counts.is_empty()).then(|| format!("{} left out", counts.join(" and ")))
    }
}

/// What of a header is left out first when there is little room for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Notices,
    Encoding,
    Headings,
    Hash,
    Part,
    Kind,
    Shows,
    Name,
}

/// The header line with its line feed: `[report.pdf · PDF, 48 pages · sample of 612 lines · #9f2c41d07ab3]`.
///
/// It takes no more than `max_chars`: what matters least is left out, then the name is cut.
pub(crate) fn header(
    title: &Title<'_>,
    document: &Document<'_>,
    shows: &Shows,
    left_out: LeftOut,
    max_chars: usize,
) -> String {
    let mut parts = vec![(Weight::Name, title.name.to_owned()), (Weight::Kind, kind(document))];
    if let Some(part) = title.part {
        parts.push((Weight::Part, part.to_owned()));
    }
    if let Some(shows) = shows.describe() {
        parts.push((Weight::Shows, shows));
    }
    if let Some(left_out) = left_out.describe() {
        parts.push((Weight::Headings, left_out));
    }
    if let Some(encoding) = document.encoding.as_ref().and_then(encoding) {
        parts.push((Weight::Encoding, encoding));
    }
    if let Some(notices) = notices(document) {
        parts.push((Weight::Notices, notices));
    }
    if let Some(hash) = &title.hash {
        parts.push((Weight::Hash, format!("#{}", hash.short())));
    }
    loop {
        let line = line_of(&parts);
        if line.chars().count() <= max_chars {
            return line;
        }
        let lightest = parts.iter().map(|(weight, _)| *weight).min().unwrap_or(Weight::Name);
        if lightest == Weight::Name {
            return cut_name(title.name, max_chars);
        }
        parts.retain(|(weight, _)| *weight != lightest);
    }
}

fn line_of(parts: &[(Weight, String)]) -> String {
    let parts: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
    format!("[{}]\n", parts.join(" · "))
}

fn cut_name(name: &str, max_chars: usize) -> String {
    match max_chars.checked_sub("[…]\n".chars().count()) {
        Some(n_left) => format!("[{}…]\n", name.chars().take(n_left).collect::<String>()),
        None => String::new(),
    }
}

fn kind(document: &Document<'_>) -> String {
    let extent = document.extent.describe();
    match extent.as_str() {
        "" => document.format.to_string(),
        extent => format!("{}, {extent}", document.format),
    }
}

/// The encoding, where there is something to tell about it.
fn encoding(encoding: &TextEncoding) -> Option<String> {
    if encoding.is_plain_utf8() {
        return None;
    }
    let mut text = encoding.name.to_owned();
    if encoding.bom {
        text.push_str(" with BOM");
    }
    if !encoding.certain {
        text.push_str(" (guessed)");
    }
    if encoding.n_malformed > 0 {
        text.push_str(&format!(", {} malformed", encoding.n_malformed));
    }
    Some(text)
}

/// How many things were lost, and of which sorts.
fn notices(document: &Document<'_>) -> Option<String> {
    let sorts = [
        (NoticeKind::Damaged, "damaged"),
        (NoticeKind::Limit, "limit"),
        (NoticeKind::NoText, "no text"),
        (NoticeKind::WrongExtension, "wrong extension"),
        (NoticeKind::Syntax, "syntax errors"),
    ];
    let mut n_notices = 0;
    let mut names = Vec::new();
    for (kind, name) in sorts {
        let n_of_kind = document.notices.iter().filter(|notice| notice.kind == kind).count();
        if n_of_kind > 0 {
            n_notices += n_of_kind;
            names.push(name);
        }
    }
    (n_notices > 0).then(|| format!("{}: {}", counted(n_notices, "notice"), names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use conspect_model::{Format, Notice, Origin};

    fn check(max_chars: usize, expected: &str) {
        let mut document = Document::new(Format::Pdf);
        document.extent.n_pages = 48;
        document.notices.push(Notice::new(NoticeKind::Damaged, "a stream is cut", Origin::File));
        document.notices.push(Notice::new(NoticeKind::NoText, "no text, 1 image", Origin::File));
        document.notices.push(Notice::new(NoticeKind::LeftOut, "page numbers", Origin::File));
        let title = Title { name: "report.pdf", hash: None, part: Some("pages 3-5") };
        let header = header(
            &title,
            &document,
            &Shows::Sample { n_lines: 612 },
            LeftOut { n_headings: 3, n_tables: 1 },
            max_chars,
        );
        assert!(header.chars().count() <= max_chars);
        assert_eq!(header.trim_end(), expected);
    }

    /// R50.
    #[test]
    fn a_header_leaves_out_what_matters_least_until_it_fits() {
        check(
            200,
            "[report.pdf · PDF, 48 pages · pages 3-5 · sample of 612 lines · 3 headings and 1 table left out \
             · 2 notices: damaged, no text]",
        );
        check(80, "[report.pdf · PDF, 48 pages · pages 3-5 · sample of 612 lines]");
        check(36, "[report.pdf · sample of 612 lines]");
        check(14, "[report.pdf]");
        check(8, "[repo…]");
        check(3, "");
    }
}
