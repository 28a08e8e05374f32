use std::ops::Range;

use crate::{Origin, Symbol, Table};

/// One heading, paragraph, list item, table, …: kind, plain text, marks over it, origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its plain text, without any markup. Line breaks inside are `\n`. Empty for tables, and for blocks that lie over
    /// the file's own lines.
    pub text: String,
    /// Inline style over the text, in order of their start.
    pub marks: Vec<Mark>,
    /// Where it stands.
    pub origin: Origin,
}

impl Block {
    /// A block without marks.
    pub fn new(kind: BlockKind, text: impl Into<String>, origin: Origin) -> Block {
        Block { kind, text: text.into(), marks: Vec::new(), origin }
    }
}

/// What a block is.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockKind {
    /// A heading.
    Heading {
        /// 1 is the highest; a title is 1 as well.
        level: u8,
    },
    /// Running text.
    Paragraph,
    /// An item of a list.
    ListItem {
        /// 0 is the outermost list.
        depth: u8,
        /// The number or bullet as shown: `1.`, `(a)`, `•`.
        label: String,
    },
    /// Text whose line breaks and blanks count.
    Code {
        /// Its language, if the file says.
        language: Option<String>,
    },
    /// A quotation.
    Quote,
    /// A table that holds its own text.
    Table(Box<Table>),
    /// A table whose rows are lines of the file: CSV, a Markdown pipe table. Its origin is all of its lines.
    TableLines {
        /// How many of its first lines are header (with a separator line, where the format has one).
        n_header_lines: u32,
    },
    /// A picture, drawing or chart; the text is its alternative text or what is known of it.
    Figure,
    /// A formula, in LaTeX.
    Math,
    /// A note outside the running text.
    Note {
        /// Which sort.
        kind: NoteKind,
        /// Its mark as shown in the text: `1`, `*`, or a comment's author.
        label: String,
    },
    /// The beginning of a sheet; the text is its name.
    Sheet {
        /// Whether the spreadsheet program would show it.
        visible: bool,
    },
    /// A symbol of a source file.
    Symbol(Box<Symbol>),
    /// Names that a source file takes from elsewhere; the text is one import a line.
    Imports,
}

/// The sorts of [`BlockKind::Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// At the foot of the page.
    Footnote,
    /// At the end of the document.
    Endnote,
    /// A reader's or editor's remark.
    Comment,
    /// Repeated at the top of pages; given once.
    PageHeader,
    /// Repeated at the foot of pages; given once.
    PageFooter,
    /// Notes to a slide, for the speaker.
    Speaker,
}

/// Inline style over a part of a block's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which part: byte offsets into the block's text, at character borders.
    pub range: Range<usize>,
    /// What it means.
    pub kind: MarkKind,
}

/// What a [`Mark`] means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// Bold.
    Strong,
    /// Italic.
    Emphasis,
    /// Monospace.
    Code,
    /// Struck out.
    Strike,
    /// Above the line.
    Superscript,
    /// Below the line.
    Subscript,
    /// A link, with its target.
    Link(String),
    /// Text that tracked changes added.
    Inserted,
    /// Text that tracked changes took away.
    Deleted,
}
