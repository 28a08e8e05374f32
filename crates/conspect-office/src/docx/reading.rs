use std::collections::HashMap;

use conspect_model::{
    Block, BlockKind, Limits, NoteKind, Notice, NoticeKind, Origin, PageNumber, ParagraphNumber, Part,
    ReadError, Scope,
};

use crate::docx::number_words::in_format;
use crate::docx::numbering::Numbering;
use crate::docx::story::{Story, StoryKind};
use crate::docx::styles::Styles;
use crate::package::{Namespace, Package, Token, Xml, decode};

/// What the stories of one document share while they are read.
pub(crate) struct Reading<'d> {
    pub(crate) package: &'d Package<'d>,
    pub(crate) scope: &'d Scope,
    pub(crate) limits: &'d Limits,
    pub(crate) styles: Styles,
    pub(crate) numbering: Numbering,
    pub(crate) pages: Pages,
    pub(crate) n_paragraphs: u32,
    pub(crate) notices: Vec<Notice>,
    pub(crate) parts: Vec<Part>,
    /// Notes and comments in the order in which the text refers to them.
    pub(crate) references: Vec<Reference>,
    pub(crate) sections: Vec<Section>,
    pub(crate) n_hidden_characters: usize,
    pub(crate) n_pictures_without_text: usize,
    /// How notes are numbered, where the settings say so.
    pub(crate) note_formats: HashMap<&'static str, String>,
    /// Whether endnotes are told from footnotes by an `e` before their numbers, since both are counted alike.
    endnotes_are_lettered: bool,
    n_numbered_references: HashMap<NoteKind, i64>,
    n_characters: usize,
    n_cells: usize,
    is_over: bool,
    section_start: u32,
}

/// A place in the text that refers to a note.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) kind: NoteKind,
    pub(crate) id: String,
    /// As shown: `1`, `iv`, `*`.
    pub(crate) label: String,
    pub(crate) origin: Origin,
    has_own_mark: bool,
}

/// A section: the relationships of its headers and footers.
#[derive(Default)]
pub(crate) struct Section {
    pub(crate) headers: Vec<String>,
    pub(crate) footers: Vec<String>,
    /// Its first paragraph.
    pub(crate) start: u32,
}

/// Pages as the program that wrote the file saw them.
pub(crate) struct Pages {
    /// From 1.
    pub(crate) current: u32,
    /// Whether the file tells where its pages begin.
    pub(crate) are_known: bool,
    /// Whether the writer noted where pages began when it last laid them out; then explicit breaks are among them.
    are_rendered: bool,
}

impl Pages {
    /// Looks for page breaks in the text of the main part.
    pub(crate) fn look_ahead(text: &str) -> Pages {
        let are_rendered = memchr::memmem::find(text.as_bytes(), b"lastRenderedPageBreak").is_some();
        Pages { current: 1, are_known: are_rendered, are_rendered }
    }

    pub(crate) fn rendered_break(&mut self, kind: StoryKind) {
        if kind == StoryKind::Body {
            self.current = self.current.saturating_add(1);
        }
    }

    pub(crate) fn explicit_break(&mut self, kind: StoryKind) {
        if kind == StoryKind::Body && !self.are_rendered {
            self.current = self.current.saturating_add(1);
        }
    }
}

impl<'d> Reading<'d> {
    pub(crate) fn new(package: &'d Package<'d>, scope: &'d Scope, limits: &'d Limits) -> Reading<'d> {
        Reading {
            package,
            scope,
            limits,
            styles: Styles::default(),
            numbering: Numbering::default(),
            pages: Pages { current: 1, are_known: false, are_rendered: false },
            n_paragraphs: 0,
            notices: Vec::new(),
            parts: Vec::new(),
            references: Vec::new(),
            sections: Vec::new(),
            n_hidden_characters: 0,
            n_pictures_without_text: 0,
            note_formats: HashMap::new(),
            endnotes_are_lettered: false,
            n_numbered_references: HashMap::new(),
            n_characters: 0,
            n_cells: 0,
            is_over: false,
            section_start: 1,
        }
    }

    /// Where the reading stands in the body; asides have no place of their own.
    pub(crate) fn here(&self, kind: StoryKind) -> Origin {
        match (kind, ParagraphNumber::new(self.n_paragraphs)) {
            (StoryKind::Body, Some(paragraph)) => {
                let page = PageNumber::new(self.pages.current).filter(|_| self.pages.are_known);
                Origin::Paragraph { paragraph, page }
            }
            _ => Origin::File,
        }
    }

    /// Whether a limit was met or somebody asked to stop.
    pub(crate) fn is_over(&mut self) -> bool {
        if !self.is_over && self.limits.stop.is_stopped() {
            self.end("the reading was stopped".to_owned());
        }
        self.is_over
    }

    pub(crate) fn count_characters(&mut self, n_bytes: usize) {
        self.n_characters += n_bytes;
        if self.n_characters > self.limits.max_chars && !self.is_over {
            self.end(format!("the text is over the limit of {} characters", self.limits.max_chars));
        }
    }

    pub(crate) fn count_cells(&mut self, n_cells: usize) {
        self.n_cells = self.n_cells.saturating_add(n_cells);
        if self.n_cells > self.limits.max_cells && !self.is_over {
            self.end(format!("the tables are over the limit of {} cells", self.limits.max_cells));
        }
    }

    fn end(&mut self, message: String) {
        self.is_over = true;
        let origin = self.here(StoryKind::Body);
        self.notices.push(Notice::new(NoticeKind::Limit, message, origin));
    }

    pub(crate) fn close_section(&mut self, section: Section) {
        self.sections.push(Section { start: self.section_start, ..section });
        self.section_start = self.n_paragraphs.saturating_add(1);
    }

    /// Sees whether an endnote could bear the label of a footnote: where there are footnotes, and both kinds are
    /// numbered by digits or both by anything else.
    pub(crate) fn look_ahead_for_footnotes(&mut self, text: &str) {
        let is_by_digits =
            |kind| in_format(1, self.note_format(kind)).starts_with(|c: char| c.is_ascii_digit());
        let are_alike = is_by_digits(NoteKind::Footnote) == is_by_digits(NoteKind::Endnote);
        let has_footnotes = memchr::memmem::find(text.as_bytes(), b"footnoteReference").is_some();
        self.endnotes_are_lettered = are_alike && has_footnotes;
    }

    fn note_format(&self, kind: NoteKind) -> &str {
        match kind {
            NoteKind::Endnote => self.note_formats.get("endnotePr").map_or("lowerRoman", String::as_str),
            _ => self.note_formats.get("footnotePr").map_or("decimal", String::as_str),
        }
    }

    /// Counts a reference and gives it, with its label.
    pub(crate) fn refer(
        &mut self,
        kind: NoteKind,
        id: &str,
        origin: Origin,
        has_own_mark: bool,
    ) -> Option<&Reference> {
        let n_before = self.n_numbered_references.entry(kind).or_insert(0);
        let number = *n_before + 1;
        *n_before += i64::from(!has_own_mark);
        let letter = if kind == NoteKind::Endnote && self.endnotes_are_lettered { "e" } else { "" };
        let label = match has_own_mark {
            true => String::new(),
            false => format!("{letter}{}", in_format(number, self.note_format(kind))),
        };
        self.references.push(Reference { kind, id: id.to_owned(), label, origin, has_own_mark });
        self.references.last()
    }

    /// Gives the last reference the mark that the author wrote.
    pub(crate) fn name_last_reference(&mut self, mark: &str) {
        let last = self.references.iter_mut().rev().find(|reference| reference.has_own_mark);
        if let Some(reference) = last {
            reference.label = mark.to_owned();
        }
    }

    /// The words of a chart or diagram part: its text, and for a chart the names of its series and categories.
    pub(crate) fn drawing_text(&mut self, part: &str) -> String {
        let Some(text) = self.package.side_text(part, &mut self.notices) else { return String::new() };
        let mut xml = Xml::new(&text, self.package.max_depth());
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        loop {
            match xml.next() {
                Token::Open(element) => match element.key() {
                    (Namespace::Drawing, "t") => line.push_str(&xml.text()),
                    (Namespace::Drawing, "br") => line.push(' '),
                    (Namespace::Chart, "v") => {
                        lines.push(xml.text().into_owned());
                    }
                    // Numbers are the chart's own copy of data that stand elsewhere.
                    (Namespace::Chart, "numCache" | "numLit" | "externalData") => xml.skip(),
                    (Namespace::Compatibility, "Fallback") => xml.skip(),
                    _ => {}
                },
                Token::Close(closed) => {
                    if closed.key() == (Namespace::Drawing, "p") {
                        lines.push(std::mem::take(&mut line));
                    }
                }
                Token::Text(_) => {}
                Token::End => break,
            }
        }
        lines.retain(|line| !line.trim().is_empty());
        lines.dedup();
        lines.join("\n")
    }

    /// The blocks of a file taken in whole (`w:altChunk`): plain text and Word are read, the rest becomes a part.
    pub(crate) fn chunk(&mut self, part: &str, origin: Origin) -> Vec<Block> {
        let expanded = match self.package.archive.member(part) {
            Ok(Some(expanded)) => expanded,
            Ok(None) => return Vec::new(),
            Err(error) => {
                self.notices.push(Notice::new(NoticeKind::Limit, format!("part {part}: {error}"), origin));
                return Vec::new();
            }
        };
        let kind = self.package.content_type(part).unwrap_or_default().to_owned();
        if kind.starts_with("text/plain") || part.ends_with(".txt") {
            let text = decode(expanded.bytes);
            self.count_characters(text.len());
            let paragraphs = text.split('\n').map(str::trim).filter(|paragraph| !paragraph.is_empty());
            return paragraphs.map(|paragraph| Block::new(BlockKind::Paragraph, paragraph, origin)).collect();
        }
        if expanded.bytes.starts_with(b"PK") {
            // One level of documents inside documents; a chunk that holds itself must not go on for ever.
            match self.read_inner_document(&expanded.bytes) {
                Ok(mut blocks) => {
                    for block in &mut blocks {
                        block.origin = origin;
                    }
                    return blocks;
                }
                Err(error) => {
                    let message = format!("the document taken in from {part} was not read: {error}");
                    self.notices.push(Notice::new(NoticeKind::Damaged, message, origin));
                }
            }
        }
        let message = format!("the file taken in from {part} is not in the text; it is among the parts");
        self.notices.push(Notice::new(NoticeKind::Unsupported, message, origin));
        self.parts.push(Part { name: part.to_owned(), bytes: expanded.bytes });
        Vec::new()
    }

    fn read_inner_document(&mut self, bytes: &[u8]) -> Result<Vec<Block>, ReadError> {
        let limits = Limits {
            max_chars: self.limits.max_chars.saturating_sub(self.n_characters),
            max_nesting: self.limits.max_nesting / 2,
            max_total_bytes: self.limits.max_total_bytes / 2,
            ..self.limits.clone()
        };
        if limits.max_nesting < 20 {
            return Err(ReadError::Limit {
                what: "nesting of documents",
                limit: self.limits.max_nesting as u64,
            });
        }
        let document = crate::docx::read_bytes(bytes, self.scope, &limits)?;
        for block in &document.blocks {
            self.count_characters(block.text.len());
        }
        Ok(document.blocks)
    }

    /// Reads a side part as a story.
    pub(crate) fn read_aside(&mut self, part: &str) -> Option<crate::docx::story::StoryText> {
        let text = self.package.side_text(part, &mut self.notices)?;
        let relationships = self.package.relationships(part);
        Some(Story::read(self, relationships, StoryKind::Aside, part, &text))
    }
}
