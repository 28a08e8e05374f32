//! The smallest PDFs that show something, built by hand, and their reading written out as text.
#![allow(dead_code, reason = "every test binary uses a part of it")]

pub(crate) mod fonts;

use conspect_model::{BlockKind, Document, Input, Limits, NoteKind, ReadError, Scope};

/// Reads the file and compares what it says, one block a line, then one notice a line.
#[track_caller]
pub(crate) fn check(bytes: &[u8], expected: &[&str]) {
    let document = read(bytes).unwrap_or_else(|error| panic!("the file can be read, but {error}"));
    pretty_equal(&told(&document), expected);
}

#[track_caller]
pub(crate) fn pretty_equal(told: &[String], expected: &[&str]) {
    assert_eq!(told, expected, "\nread:\n{}\nexpected:\n{}\n", told.join("\n"), expected.join("\n"));
}

pub(crate) fn read(bytes: &[u8]) -> Result<Document<'static>, ReadError> {
    conspect_pdf::read(&Input::new(bytes, "test.pdf"), &Scope::default(), &Limits::default())
}

/// What a document says, as text.
pub(crate) fn told(document: &Document<'_>) -> Vec<String> {
    let mut told = Vec::new();
    for block in &document.blocks {
        let text = block.text.replace('\n', "⏎");
        match &block.kind {
            BlockKind::Heading { level } => told.push(format!("h{level} {text}")),
            BlockKind::Paragraph => told.push(format!("p {text}")),
            BlockKind::ListItem { depth, label } => told.push(format!("li{depth} {label} {text}")),
            BlockKind::Code { .. } => told.push(format!("code {text}")),
            BlockKind::Note { kind: NoteKind::PageHeader, .. } => told.push(format!("header {text}")),
            BlockKind::Note { kind: NoteKind::PageFooter, .. } => told.push(format!("footer {text}")),
            BlockKind::Table(table) => {
                for row in table.rows() {
                    let mark = if row.is_header() { "th" } else { "td" };
                    told.push(format!("{mark} {}", row.cells().collect::<Vec<_>>().join(" | ")));
                }
            }
            BlockKind::Note { label, .. } => told.push(format!("note {label} {text}")),
            BlockKind::Figure => told.push(format!("figure {text}")),
            BlockKind::Quote => told.push(format!("quote {text}")),
            other => told.push(format!("{other:?} {text}")),
        }
    }
    told.extend(document.notices.iter().map(|notice| format!("! {notice}")));
    told
}

/// A PDF under construction. Every page can use the fonts F1 (Helvetica), F2 (Helvetica-Bold) and F3 (Courier).
pub(crate) struct Builder {
    objects: Vec<Vec<u8>>,
    pages: Vec<usize>,
    pub(crate) catalog: String,
    pub(crate) trailer: String,
    pub(crate) resources: String,
}

const CATALOG: usize = 1;
const PAGES: usize = 2;

impl Builder {
    pub(crate) fn new() -> Builder {
        let mut builder = Builder {
            objects: vec![Vec::new(), Vec::new()],
            pages: Vec::new(),
            catalog: String::new(),
            trailer: String::new(),
            resources: String::new(),
        };
        for name in ["Helvetica", "Helvetica-Bold", "Courier"] {
            builder.add(&format!(
                "<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
            ));
        }
        builder
    }

    /// A file of one page.
    pub(crate) fn of_page(content: &str) -> Vec<u8> {
        let mut builder = Builder::new();
        builder.page(content);
        builder.finish()
    }

    /// A file of one page that shows a string, written as in content (`(ab)` or `<6162>`), in a font of the file.
    pub(crate) fn in_font(mut self, font: &str, shown: &str) -> Vec<u8> {
        self.page_with(
            &format!("/Resources << /Font << /F9 {font} >> >>"),
            &format!("BT /F9 12 Tf 50 700 Td {shown} Tj ET"),
        );
        self.finish()
    }

    /// Adds an object and gives its number.
    pub(crate) fn add(&mut self, object: &str) -> usize {
        self.objects.push(object.as_bytes().to_vec());
        self.objects.len()
    }

    /// Puts an object in the place of the one with this number.
    pub(crate) fn replace(&mut self, number: usize, object: &str) {
        self.objects[number - 1] = object.as_bytes().to_vec();
    }

    pub(crate) fn add_stream(&mut self, entries: &str, data: &[u8]) -> usize {
        let mut object = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
        object.extend_from_slice(data);
        object.extend_from_slice(b"\nendstream");
        self.objects.push(object);
        self.objects.len()
    }

    pub(crate) fn page(&mut self, content: &str) {
        self.page_with("", content);
    }

    /// Adds a page with entries of its own.
    pub(crate) fn page_with(&mut self, entries: &str, content: &str) {
        let content = self.add_stream("", content.as_bytes());
        let resources = format!("<< /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> {} >>", self.resources);
        let page = self.add(&format!(
            "<< /Type /Page /Parent {PAGES} 0 R /MediaBox [0 0 600 800] /Resources {resources} \
             /Contents {content} 0 R {entries} >>"
        ));
        self.pages.push(page);
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let kids: Vec<String> = self.pages.iter().map(|page| format!("{page} 0 R")).collect();
        self.objects[CATALOG - 1] =
            format!("<< /Type /Catalog /Pages {PAGES} 0 R {} >>", self.catalog).into_bytes();
        self.objects[PAGES - 1] =
            format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), kids.len()).into_bytes();
        let mut bytes = b"%PDF-1.7\n".to_vec();
        let mut offsets = Vec::new();
        for (idx, object) in self.objects.iter().enumerate() {
            offsets.push(bytes.len());
            bytes.extend_from_slice(format!("{} 0 obj\n", idx + 1).as_bytes());
            bytes.extend_from_slice(object);
            bytes.extend_from_slice(b"\nendobj\n");
        }
        let start = bytes.len();
        let n_entries = offsets.len() + 1;
        bytes.extend_from_slice(format!("xref\n0 {n_entries}\n0000000000 65535 f \n").as_bytes());
        for offset in offsets {
            bytes.extend_from_slice(format!("{offset:010} 00000 n \n").as_bytes());
        }
        let trailer = format!(
            "trailer\n<< /Size {n_entries} /Root {CATALOG} 0 R \
             /ID [<0123456789abcdef0123456789abcdef> <0123456789abcdef0123456789abcdef>] {} >>\n\
             startxref\n{start}\n%%EOF\n",
            self.trailer
        );
        bytes.extend_from_slice(trailer.as_bytes());
        bytes
    }
}

/// Lines of text at the left margin, the first at the given height.
pub(crate) fn lines(font: &str, size: u32, x: u32, y: u32, lines: &[&str]) -> String {
    let leading = size + size / 5;
    let mut content = format!("BT /{font} {size} Tf {leading} TL {x} {y} Td\n");
    for (idx, line) in lines.iter().enumerate() {
        let line = line.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        content.push_str(&if idx == 0 { format!("({line}) Tj\n") } else { format!("T* ({line}) Tj\n") });
    }
    content + "ET\n"
}
