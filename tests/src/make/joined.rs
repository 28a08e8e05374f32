//! Very long PDFs, as come of joining many reports: every report brings its own fonts, page tree, bookmark, picture
//! and structure.

use std::fmt::Write as _;

use lopdf::{Dictionary, Document, Object, ObjectId, SaveOptions, Stream, StringFormat, dictionary};

use super::prose::{numbers, section, wrap};

/// How the objects of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objects {
    /// One after the other, with a table of where each begins.
    Plain,
    /// Packed into compressed streams, with the table as a stream as well.
    Packed,
}

/// Pages of a report, the last report's excepted.
const PAGES_OF_REPORT: usize = 12;
/// Sections on a page.
const SECTIONS_OF_PAGE: usize = 3;
/// Nodes that one node of the page tree holds.
const KIDS: usize = 16;
/// Edge of the pictures, in pixels.
const PIXELS: usize = 96;

/// A tagged PDF of so many pages.
pub fn joined_pdf(n_pages: usize, objects: Objects) -> Vec<u8> {
    let mut joined = Joined::new();
    while joined.n_pages < n_pages {
        joined.add_report(PAGES_OF_REPORT.min(n_pages - joined.n_pages));
    }
    joined.finish(objects)
}

/// A file under construction.
struct Joined {
    document: Document,
    n_pages: usize,
    /// The page tree of every report, with the number of its pages.
    reports: Vec<(ObjectId, usize)>,
    bookmarks: Vec<ObjectId>,
    structure: ObjectId,
    parts: Vec<Object>,
    /// For every page, the elements of its marked content.
    parents: Vec<Object>,
}

impl Joined {
    fn new() -> Joined {
        let mut document = Document::with_version("1.7");
        let structure = document.new_object_id();
        Joined {
            document,
            n_pages: 0,
            reports: Vec::new(),
            bookmarks: Vec::new(),
            structure,
            parts: Vec::new(),
            parents: Vec::new(),
        }
    }

    fn add_report(&mut self, n_pages: usize) {
        let report_idx = self.reports.len();
        let title = format!("Report {} of the water works", report_idx + 1);
        let tree = self.document.new_object_id();
        let part = self.document.new_object_id();
        let resources = self.resources(report_idx);
        let mut elements = Vec::new();
        let mut pages: Vec<Object> = Vec::new();
        for page_idx in 0..n_pages {
            let page = self.document.new_object_id();
            let content = self.content(page, part, (page_idx == 0).then_some(title.as_str()), &mut elements);
            let content = compressed(Dictionary::new(), content.into_bytes());
            let content = self.document.add_object(content);
            let dictionary = dictionary! {
                "Type" => "Page",
                "Parent" => tree,
                "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()],
                "Resources" => resources,
                "Contents" => content,
                "StructParents" => self.n_pages as i64,
            };
            self.document.set_object(page, dictionary);
            pages.push(page.into());
            self.n_pages += 1;
        }
        if let Some(first) = pages.first() {
            self.bookmarks.push(self.document.add_object(dictionary! {
                "Title" => Object::string_literal(title),
                "Dest" => vec![first.clone(), "Fit".into()],
            }));
        }
        let element = dictionary! { "S" => "Part", "P" => self.structure, "K" => elements };
        self.document.set_object(part, element);
        self.parts.push(part.into());
        let node = dictionary! { "Type" => "Pages", "Count" => n_pages as i64, "Kids" => pages };
        self.document.set_object(tree, node);
        self.reports.push((tree, n_pages));
    }

    /// The fonts and the picture of a report.
    fn resources(&mut self, report_idx: usize) -> ObjectId {
        let mut fonts = Dictionary::new();
        for (name, base, width) in [("F1", "Helvetica", 500), ("F2", "Helvetica-Bold", 540)] {
            let base = format!("{}+{base}", tag(report_idx));
            let descriptor = self.document.add_object(dictionary! {
                "Type" => "FontDescriptor",
                "FontName" => base.as_str(),
                "Flags" => 32,
                "ItalicAngle" => 0,
                "Ascent" => 905,
                "Descent" => -212,
                "CapHeight" => 716,
                "StemV" => 80,
                "FontBBox" => vec![(-665).into(), (-325).into(), 2000.into(), 1006.into()],
            });
            let map = self.document.add_object(compressed(Dictionary::new(), ascii_to_unicode()));
            let widths: Vec<Object> =
                (32..127).map(|code| (width + numbers(code) as i64 % 80).into()).collect();
            let font = self.document.add_object(dictionary! {
                "Type" => "Font",
                "Subtype" => "TrueType",
                "BaseFont" => base.as_str(),
                "Encoding" => "WinAnsiEncoding",
                "FirstChar" => 32,
                "LastChar" => 126,
                "Widths" => widths,
                "FontDescriptor" => descriptor,
                "ToUnicode" => map,
            });
            fonts.set(name, font);
        }
        let noise = (0..PIXELS * PIXELS * 3).map(|idx| (numbers(report_idx * 31 + idx) % 256) as u8);
        let picture = dictionary! {
            "Type" => "XObject",
            "Subtype" => "Image",
            "Width" => PIXELS as i64,
            "Height" => PIXELS as i64,
            "ColorSpace" => "DeviceRGB",
            "BitsPerComponent" => 8,
        };
        let picture = self.document.add_object(compressed(picture, noise.collect()));
        self.document.add_object(dictionary! {
            "Font" => fonts,
            "XObject" => dictionary! { "Im1" => picture },
        })
    }

    /// What a page shows: a running header, a title where it has one, sections, a table or the picture, its number.
    fn content(
        &mut self,
        page: ObjectId,
        part: ObjectId,
        title: Option<&str>,
        elements: &mut Vec<Object>,
    ) -> String {
        let mut tagged = Tagged { page, part, document: &mut self.document, of_page: Vec::new(), elements };
        let mut content = String::new();
        let number = self.n_pages + 1;
        artifact(&mut content, 805, &format!("Annals of the water works, volume {}", number / 200 + 1));
        let mut y = 770;
        if let Some(title) = title {
            tagged.block(&mut content, "H1", ("F2", 20), &mut y, &[title.to_owned()]);
        }
        for section_idx in 0..SECTIONS_OF_PAGE {
            let section = section(self.n_pages * SECTIONS_OF_PAGE + section_idx);
            tagged.block(&mut content, "H2", ("F2", 13), &mut y, &[section.title]);
            for paragraph in &section.paragraphs {
                tagged.block(&mut content, "P", ("F1", 10), &mut y, &wrap(paragraph, 92));
            }
        }
        match number % 4 {
            0 => content.push_str("q 96 0 0 96 72 80 cm /Im1 Do Q\n"),
            2 => tagged.table(&mut content, number),
            _ => {}
        }
        artifact(&mut content, 40, &number.to_string());
        let of_page = tagged.of_page;
        self.parents.push(of_page.into());
        content
    }

    fn finish(mut self, objects: Objects) -> Vec<u8> {
        let outlines = self.outline();
        let (pages, _) = page_tree(&mut self.document, std::mem::take(&mut self.reports));
        let parents = self.parents.into_iter().enumerate();
        let parents: Vec<Object> =
            parents.flat_map(|(idx, of_page)| [(idx as i64).into(), of_page]).collect();
        let parents = self.document.add_object(dictionary! { "Nums" => parents });
        let root = dictionary! { "Type" => "StructTreeRoot", "K" => self.parts, "ParentTree" => parents };
        self.document.set_object(self.structure, root);
        let catalog = self.document.add_object(dictionary! {
            "Type" => "Catalog",
            "Pages" => pages,
            "Outlines" => outlines,
            "StructTreeRoot" => self.structure,
            "MarkInfo" => dictionary! { "Marked" => true },
            "Lang" => Object::string_literal("en"),
        });
        let id = Object::String(b"conspect fixture".to_vec(), StringFormat::Hexadecimal);
        self.document.trailer.set("Root", catalog);
        self.document.trailer.set("ID", vec![id.clone(), id]);
        let options = match objects {
            Objects::Plain => SaveOptions::default(),
            Objects::Packed => SaveOptions::builder().use_object_streams(true).use_xref_streams(true).build(),
        };
        let mut bytes = Vec::new();
        self.document.save_with_options(&mut bytes, options).expect("a document can be written");
        bytes
    }

    /// A bookmark a report.
    fn outline(&mut self) -> ObjectId {
        let outlines = self.document.new_object_id();
        for (idx, &bookmark) in self.bookmarks.iter().enumerate() {
            let entry = self.document.get_dictionary_mut(bookmark).expect("it was added as one");
            entry.set("Parent", outlines);
            if let Some(&next) = self.bookmarks.get(idx + 1) {
                entry.set("Next", next);
            }
            if let Some(&last) = idx.checked_sub(1).and_then(|idx| self.bookmarks.get(idx)) {
                entry.set("Prev", last);
            }
        }
        let mut dictionary = dictionary! { "Type" => "Outlines", "Count" => self.bookmarks.len() as i64 };
        if let (Some(&first), Some(&last)) = (self.bookmarks.first(), self.bookmarks.last()) {
            dictionary.set("First", first);
            dictionary.set("Last", last);
        }
        self.document.set_object(outlines, dictionary);
        outlines
    }
}

/// Marked content of one page, and the elements it belongs to.
struct Tagged<'a> {
    page: ObjectId,
    part: ObjectId,
    document: &'a mut Document,
    of_page: Vec<Object>,
    elements: &'a mut Vec<Object>,
}

impl Tagged<'_> {
    /// Lines of one element, from `y` down; `y` is then where the next element begins.
    fn block(
        &mut self,
        content: &mut String,
        kind: &str,
        font: (&str, i32),
        y: &mut i32,
        lines: &[impl AsRef<str>],
    ) {
        let element = self.element(kind, self.part);
        self.elements.push(element.into());
        let (name, size) = font;
        let leading = size + size / 4;
        let mcid = self.of_page.len() - 1;
        write!(content, "/{kind} <</MCID {mcid}>> BDC\nBT /{name} {size} Tf {leading} TL 72 {y} Td\n")
            .expect("in memory");
        for line in lines {
            writeln!(content, "{} T*", kerned(line.as_ref())).expect("in memory");
            *y -= leading;
        }
        content.push_str("ET EMC\n");
        *y -= leading / 2;
    }

    /// A ruled table of four rows and three columns at the foot of the page.
    fn table(&mut self, content: &mut String, number: usize) {
        let table = self.document.add_object(dictionary! { "S" => "Table", "P" => self.part });
        let columns = [72, 222, 372, 522];
        let mut rows: Vec<Object> = Vec::new();
        for row in 0..4 {
            let y = 150 - row * 18;
            let row_element = self.document.add_object(dictionary! { "S" => "TR", "P" => table });
            let mut cells: Vec<Object> = Vec::new();
            for (column, x) in columns.iter().take(3).enumerate() {
                let kind = if row == 0 { "TH" } else { "TD" };
                cells.push(self.element(kind, row_element).into());
                let text = match (row, column) {
                    (0, 0) => "Meter".to_owned(),
                    (0, 1) => "Reading".to_owned(),
                    (0, _) => "Changed".to_owned(),
                    (row, 0) => format!("M-{}", number * 10 + row as usize),
                    (row, column) => (numbers(number * 40 + row as usize * 4 + column) % 9000).to_string(),
                };
                let mcid = self.of_page.len() - 1;
                writeln!(
                    content,
                    "/{kind} <</MCID {mcid}>> BDC BT /F1 9 Tf {} {} Td {} ET EMC",
                    x + 4,
                    y - 12,
                    kerned(&text)
                )
                .expect("in memory");
            }
            self.document.get_dictionary_mut(row_element).expect("it was added as one").set("K", cells);
            rows.push(row_element.into());
        }
        self.document.get_dictionary_mut(table).expect("it was added as one").set("K", rows);
        self.elements.push(table.into());
        for row in 0..5 {
            let y = 150 - row * 18;
            writeln!(content, "72 {y} m 522 {y} l S").expect("in memory");
        }
        for x in columns {
            writeln!(content, "{x} 150 m {x} 78 l S").expect("in memory");
        }
    }

    /// An element for the marked content that comes next.
    fn element(&mut self, kind: &str, parent: ObjectId) -> ObjectId {
        let mcid = self.of_page.len() as i64;
        let element = dictionary! { "S" => kind, "P" => parent, "Pg" => self.page, "K" => mcid };
        let element = self.document.add_object(element);
        self.of_page.push(element.into());
        element
    }
}

/// A tree over the nodes, with the number of its pages.
fn page_tree(document: &mut Document, mut nodes: Vec<(ObjectId, usize)>) -> (ObjectId, usize) {
    loop {
        let mut above = Vec::new();
        for kids in nodes.chunks(KIDS) {
            let n_pages: usize = kids.iter().map(|(_, n_pages)| n_pages).sum();
            let node = document.add_object(dictionary! {
                "Type" => "Pages",
                "Count" => n_pages as i64,
                "Kids" => kids.iter().map(|&(kid, _)| kid.into()).collect::<Vec<Object>>(),
            });
            for &(kid, _) in kids {
                document.get_dictionary_mut(kid).expect("it was added as one").set("Parent", node);
            }
            above.push((node, n_pages));
        }
        match above.as_slice() {
            [root] => return *root,
            _ => nodes = above,
        }
    }
}

fn artifact(content: &mut String, y: i32, text: &str) {
    writeln!(content, "/Artifact <</Type /Pagination>> BDC BT /F1 8 Tf 72 {y} Td ({text}) Tj ET EMC")
        .expect("in memory");
}

/// The text as `TJ` shows it, with some pairs moved together, as typesetting programs do. It has no brackets in it.
fn kerned(text: &str) -> String {
    let mut operands = String::from("[(");
    for (idx, character) in text.chars().enumerate() {
        if idx % 7 == 5 {
            write!(operands, ") {} (", (idx % 5) * 4).expect("in memory");
        }
        operands.push(character);
    }
    operands + ")] TJ"
}

/// The six letters before the name of a font of which only a part is there.
fn tag(report_idx: usize) -> String {
    (0..6).map(|place| char::from(b'A' + (numbers(report_idx * 6 + place) % 26) as u8)).collect()
}

fn compressed(dictionary: Dictionary, data: Vec<u8>) -> Stream {
    let mut stream = Stream::new(dictionary, data);
    stream.compress().expect("in memory");
    stream
}

fn ascii_to_unicode() -> Vec<u8> {
    let mut map = String::from(
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Joined def\n/CMapType 2 def\n\
         1 begincodespacerange\n<00> <FF>\nendcodespacerange\n95 beginbfchar\n",
    );
    for code in 32..127 {
        writeln!(map, "<{code:02X}> <{code:04X}>").expect("in memory");
    }
    map.push_str("endbfchar\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
    map.into_bytes()
}
