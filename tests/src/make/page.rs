//! Pages of a PDF, drawn with the standard fonts, and the file around them.

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, StringFormat, dictionary};

/// The fonts that every page knows.
#[derive(Clone, Copy)]
pub(crate) enum Font {
    Regular,
    Bold,
    Mono,
}

impl Font {
    fn name(self) -> &'static str {
        match self {
            Font::Regular => "F1",
            Font::Bold => "F2",
            Font::Mono => "F3",
        }
    }
}

/// What is drawn on one page: A4, measured in points from the lower left corner.
#[derive(Default)]
pub(crate) struct Page {
    operations: Vec<Operation>,
    entries: Dictionary,
    images: Vec<ObjectId>,
}

/// The left margin of text.
pub(crate) const LEFT: i32 = 72;

impl Page {
    pub(crate) fn new() -> Page {
        Page::default()
    }

    /// One line of text; characters beyond Latin-1 are written as WinAnsi has them.
    pub(crate) fn text(&mut self, font: Font, size: i32, x: i32, y: i32, text: &str) {
        self.bytes(font.name(), size, x, y, win_ansi(text));
    }

    /// One line in any font of the page's resources, as the codes of that font.
    pub(crate) fn bytes(&mut self, font: &str, size: i32, x: i32, y: i32, codes: Vec<u8>) {
        let codes = Object::String(codes, StringFormat::Hexadecimal);
        self.push("BT", vec![]);
        self.push("Tf", vec![font.into(), size.into()]);
        self.push("Td", vec![x.into(), y.into()]);
        self.push("Tj", vec![codes]);
        self.push("ET", vec![]);
    }

    /// Lines under one another, the first at `y`; where the next line would stand comes back.
    pub(crate) fn lines(&mut self, font: Font, size: i32, x: i32, y: i32, lines: &[impl AsRef<str>]) -> i32 {
        let leading = size + size / 4;
        let mut y = y;
        for line in lines {
            self.text(font, size, x, y, line.as_ref());
            y -= leading;
        }
        y
    }

    /// A ruled line.
    pub(crate) fn rule(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.push("m", vec![from.0.into(), from.1.into()]);
        self.push("l", vec![to.0.into(), to.1.into()]);
        self.push("S", vec![]);
    }

    /// An image over a rectangle.
    pub(crate) fn image(&mut self, image: ObjectId, x: i32, y: i32, width: i32, height: i32) {
        let name = format!("Im{}", self.images.len());
        self.images.push(image);
        self.push("q", vec![]);
        self.matrix([width, 0, 0, height, x, y]);
        self.push("Do", vec![name.as_str().into()]);
        self.push("Q", vec![]);
    }

    /// A change of the coordinates for all that follows.
    pub(crate) fn matrix(&mut self, matrix: [i32; 6]) {
        self.push("cm", matrix.map(Object::from).to_vec());
    }

    /// An entry of the page's dictionary.
    pub(crate) fn entry(&mut self, key: &str, value: impl Into<Object>) {
        self.entries.set(key, value);
    }

    fn push(&mut self, operator: &str, operands: Vec<Object>) {
        self.operations.push(Operation::new(operator, operands));
    }
}

/// A PDF under construction.
pub(crate) struct File {
    pub(crate) document: Document,
    pub(crate) pages: Vec<ObjectId>,
    pages_id: ObjectId,
    fonts: Dictionary,
}

impl File {
    pub(crate) fn new() -> File {
        let mut document = Document::with_version("1.7");
        let pages_id = document.new_object_id();
        let mut fonts = Dictionary::new();
        for (font, base) in
            [(Font::Regular, "Helvetica"), (Font::Bold, "Helvetica-Bold"), (Font::Mono, "Courier")]
        {
            let id = document.add_object(dictionary! {
                "Type" => "Font",
                "Subtype" => "Type1",
                "BaseFont" => base,
                "Encoding" => "WinAnsiEncoding",
            });
            fonts.set(font.name(), id);
        }
        File { document, pages: Vec::new(), pages_id, fonts }
    }

    /// The page tree, for who wants to put it where it does not belong.
    pub(crate) fn tree(&self) -> ObjectId {
        self.pages_id
    }

    /// Adds a font under this name, for the pages that follow.
    pub(crate) fn font(&mut self, name: &str, font: Dictionary) {
        let id = self.document.add_object(font);
        self.fonts.set(name, id);
    }

    pub(crate) fn add(&mut self, page: Page) {
        let content = Content { operations: page.operations }.encode().expect("operations can be written");
        let content = self.document.add_object(Stream::new(Dictionary::new(), content));
        let mut images = Dictionary::new();
        for (idx, image) in page.images.iter().enumerate() {
            images.set(format!("Im{idx}"), *image);
        }
        let mut dictionary = dictionary! {
            "Type" => "Page",
            "Parent" => self.pages_id,
            "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()],
            "Resources" => dictionary! { "Font" => self.fonts.clone(), "XObject" => images },
            "Contents" => content,
        };
        dictionary.extend(&page.entries);
        let id = self.document.add_object(dictionary);
        self.pages.push(id);
    }

    /// Puts the catalog and the page tree in place, so that the document can be encrypted or written.
    pub(crate) fn close(&mut self, catalog: Dictionary) {
        let kids: Vec<Object> = self.pages.iter().map(|&page| page.into()).collect();
        let pages = dictionary! {
            "Type" => "Pages",
            "Count" => kids.len() as i64,
            "Kids" => kids,
        };
        self.document.objects.insert(self.pages_id, pages.into());
        let mut root = dictionary! { "Type" => "Catalog", "Pages" => self.pages_id };
        root.extend(&catalog);
        let root = self.document.add_object(root);
        let info = self.document.add_object(dictionary! {
            "Producer" => Object::string_literal("make_fixtures"),
            "CreationDate" => Object::string_literal("D:20240229120000Z"),
        });
        let id = Object::String(b"conspect fixture".to_vec(), StringFormat::Hexadecimal);
        self.document.trailer.set("Root", root);
        self.document.trailer.set("Info", info);
        self.document.trailer.set("ID", vec![id.clone(), id]);
    }

    pub(crate) fn write(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.document.save_to(&mut bytes).expect("a document can be written");
        bytes
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.close(Dictionary::new());
        self.write()
    }
}

fn win_ansi(text: &str) -> Vec<u8> {
    let code = |character: char| match character {
        '•' => 0x95,
        '–' => 0x96,
        '€' => 0x80,
        _ => u8::try_from(u32::from(character)).expect("the text is Latin-1"),
    };
    text.chars().map(code).collect()
}
