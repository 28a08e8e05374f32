use crate::{Block, Format, LineNumber, Notice, PageNumber, SheetNumber, TextLines};

/// What a file says: blocks in reading order, the extent of the whole source, and notices.
///
/// There are two shapes. In a format that we lay out (PDF, Word, workbooks, HTML), `lines` is `None` and the blocks
/// hold the text. In a format whose own lines are what people see (plain text, Markdown, code, CSV), `lines` is the
/// text and the blocks lie over it: headings, tables and symbols with an [`Origin::Lines`](crate::Origin::Lines) and
/// without a copy of the text.
pub struct Document<'a> {
    /// What the bytes were read as.
    pub format: Format,
    /// Headings, paragraphs, tables, … in reading order; sections follow from heading levels.
    pub blocks: Vec<Block>,
    /// The file's own lines, where they are what is shown.
    pub lines: Option<Box<dyn TextLines + 'a>>,
    /// Which part of the text `lines` is.
    pub part_read: TextPart,
    /// How large the whole source is, whatever part of it was read.
    pub extent: Extent,
    /// The pages that were read, in ascending order, where the format has pages of its own.
    pub pages: Vec<PageSummary>,
    /// What the file says of itself.
    pub metadata: Metadata,
    /// What was lost or guessed.
    pub notices: Vec<Notice>,
    /// Files inside this file.
    pub parts: Vec<Part>,
    /// How the bytes were decoded, where they are text.
    pub encoding: Option<TextEncoding>,
}

impl<'a> Document<'a> {
    /// A document of this format that says nothing yet.
    pub fn new(format: Format) -> Document<'a> {
        Document {
            format,
            blocks: Vec::new(),
            lines: None,
            part_read: TextPart::Whole,
            extent: Extent::default(),
            pages: Vec::new(),
            metadata: Metadata::default(),
            notices: Vec::new(),
            parts: Vec::new(),
            encoding: None,
        }
    }
}

impl std::fmt::Debug for Document<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document")
            .field("format", &self.format)
            .field("blocks", &self.blocks)
            .field("n_lines", &self.lines.as_ref().map(|lines| lines.n_lines()))
            .field("extent", &self.extent)
            .field("pages", &self.pages)
            .field("metadata", &self.metadata)
            .field("notices", &self.notices)
            .field("encoding", &self.encoding)
            .finish_non_exhaustive()
    }
}

/// Which part of a text its lines are. What is asked for of a very large one is read without the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextPart {
    /// All of it.
    #[default]
    Whole,
    /// Its beginning. How many lines come after it is not known.
    Beginning,
    /// Its end. How many lines come before it is not known, so lines are counted from the last one: -1.
    End,
}

/// How large the whole source is, in its own units. Zero or empty where a unit does not apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Lines of text.
    pub n_lines: u64,
    /// Pages.
    pub n_pages: u32,
    /// Slides.
    pub n_slides: u32,
    /// Notebook cells.
    pub n_cells: u32,
    /// The names of the sheets, in file order.
    pub sheets: Vec<String>,
    /// Symbols of a source file, local ones included.
    pub n_symbols: u32,
    /// Paragraphs of a word-processing document.
    pub n_paragraphs: u32,
}

impl Extent {
    /// In words, the most telling unit first: `48 pages`, `3 sheets`, `697 lines`. Empty where nothing is known.
    pub fn describe(&self) -> String {
        let count = |n: u64, one: &str| match n {
            1 => format!("1 {one}"),
            _ => format!("{n} {one}s"),
        };
        if self.n_pages > 0 {
            count(self.n_pages.into(), "page")
        } else if self.n_slides > 0 {
            count(self.n_slides.into(), "slide")
        } else if !self.sheets.is_empty() {
            count(self.sheets.len() as u64, "sheet")
        } else if self.n_cells > 0 {
            count(self.n_cells.into(), "cell")
        } else if self.n_paragraphs > 0 {
            count(self.n_paragraphs.into(), "paragraph")
        } else if self.n_lines > 0 {
            count(self.n_lines, "line")
        } else {
            String::new()
        }
    }

    /// The name of the sheet with this number.
    pub fn sheet_name(&self, number: SheetNumber) -> Option<&str> {
        self.sheets.get(number.idx()).map(String::as_str)
    }

    /// The number of the sheet with this name.
    pub fn sheet_number(&self, name: &str) -> Option<SheetNumber> {
        self.sheets.iter().position(|sheet| sheet == name).map(SheetNumber::from_idx)
    }
}

/// A page that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSummary {
    /// Which it is.
    pub number: PageNumber,
    /// What it holds.
    pub kind: PageKind,
    /// Whether its text was read from a picture by a [`Recognizer`](crate::Recognizer).
    pub is_recognized: bool,
}

/// What a page holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// Text and no picture.
    Text,
    /// Text and pictures. A scan with a hidden layer of text is such a page.
    Mixed,
    /// Pictures and no text of its own.
    Image,
    /// Neither: it is blank, or has drawn lines only.
    Empty,
}

impl PageKind {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            PageKind::Text => "text",
            PageKind::Mixed => "mixed",
            PageKind::Image => "image",
            PageKind::Empty => "empty",
        }
    }
}

/// What the file says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Title.
    pub title: Option<String>,
    /// Author or authors.
    pub author: Option<String>,
    /// Subject or description.
    pub subject: Option<String>,
    /// Keywords as written.
    pub keywords: Option<String>,
    /// When it was made: ISO 8601 where the file's own form could be read, else as written.
    pub created: Option<String>,
    /// When it was last changed, in the same form.
    pub modified: Option<String>,
    /// The program that made it.
    pub producer: Option<String>,
    /// Its language: a BCP 47 tag.
    pub language: Option<String>,
    /// The outline (bookmarks) of the file itself.
    pub outline: Vec<OutlineEntry>,
}

/// An entry of a file's own outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// From 1.
    pub level: u8,
    /// Its text.
    pub title: String,
    /// Where it leads, if the file says.
    pub page: Option<PageNumber>,
}

/// A file inside the file: an attachment, an embedded workbook, a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name inside the file.
    pub name: String,
    /// Its bytes, not read further by the reader that found them.
    pub bytes: Vec<u8>,
}

/// How bytes were decoded to text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEncoding {
    /// The WHATWG name: `UTF-8`, `windows-1252`.
    pub name: &'static str,
    /// Whether the file began with a byte order mark.
    pub bom: bool,
    /// Whether the bytes themselves left no doubt (a mark, valid UTF-8, or the user's word).
    pub certain: bool,
    /// How many malformed sequences became U+FFFD, if they were counted.
    pub n_malformed: u64,
    /// The first line with a malformed sequence.
    pub first_malformed: Option<LineNumber>,
}

impl TextEncoding {
    /// Whether this is UTF-8 without a mark and without faults: nothing to tell anybody.
    pub fn is_plain_utf8(&self) -> bool {
        self.name == "UTF-8" && !self.bom && self.n_malformed == 0
    }
}
