//! Word documents (.docx, .docm, .dotx, .dotm): one pass over each part, styles and numbering resolved as Word does.
//!
//! Begin with [`read`]; [`story`] holds the pass over a part's elements. Origins are paragraph numbers, counted over
//! the body with the cells of its tables; page numbers are those that the program which wrote the file noted.

mod fields;
mod math;
mod number_words;
mod numbering;
mod paragraph;
mod reading;
mod story;
mod styles;
mod symbols;
mod table_builder;

use std::collections::HashMap;

use conspect_model::{
    Block, BlockKind, Document, Format, Limits, NoteKind, Notice, NoticeKind, Origin, ParagraphNumber, Part,
    ReadError, Scope,
};

use crate::docx::numbering::Numbering;
use crate::docx::reading::{Pages, Reading};
use crate::docx::story::{Story, StoryKind};
use crate::docx::styles::Styles;
use crate::docx::table_builder::cell_text;
use crate::package::{Archive, Namespace, Package, Relationships, Token, Xml, read_properties};

/// Reads a Word document from the bytes of its package.
pub(crate) fn read_bytes(
    bytes: &[u8],
    scope: &Scope,
    limits: &Limits,
) -> Result<Document<'static>, ReadError> {
    let damaged = |what: &str| ReadError::Damaged { format: Format::Docx, what: what.to_owned() };
    let archive = Archive::open(bytes, limits).ok_or_else(|| damaged("it is no zip archive"))?;
    read(&Package::new(archive, limits), scope, limits)
}

/// Reads a Word document.
pub(crate) fn read(
    package: &Package<'_>,
    scope: &Scope,
    limits: &Limits,
) -> Result<Document<'static>, ReadError> {
    let damaged = |what: &str| ReadError::Damaged { format: Format::Docx, what: what.to_owned() };
    let main =
        package.main_part().or_else(|| package.part_of_type(is_main_type)).or_else(|| main_by_name(package));
    let main = main.ok_or_else(|| damaged("its main part is missing"))?;
    let mut reading = Reading::new(package, scope, limits);
    let Some(text) = package.text(&main, &mut reading.notices)? else {
        return Err(damaged("its main part is missing"));
    };
    let relationships = package.relationships(&main);
    read_definitions(&mut reading, &relationships);
    reading.pages = Pages::look_ahead(&text);
    reading.look_ahead_for_footnotes(&text);

    let story = Story::read(&mut reading, relationships.clone(), StoryKind::Body, &main, &text);
    drop(text);
    let (headers, footers) = read_margins(&mut reading, &relationships);
    let notes = read_notes(&mut reading, &relationships);
    keep_embedded_files(&mut reading, &relationships);

    let mut document = Document::new(Format::Docx);
    document.metadata = read_properties(package, &mut reading.notices);
    document.blocks = headers;
    document.blocks.extend(story.blocks);
    document.blocks.extend(notes);
    document.blocks.extend(footers);
    if scope.pages.is_some() {
        document.blocks.retain(|block| block.origin.page().is_none_or(|page| scope.wants_page(page)));
    }
    document.extent.n_paragraphs = reading.n_paragraphs;
    document.extent.n_pages = if reading.pages.are_known { reading.pages.current } else { 0 };
    document.notices =
        closing_notices(reading.notices, reading.n_hidden_characters, reading.n_pictures_without_text);
    document.parts = reading.parts;
    if document.blocks.is_empty() && document.notices.iter().any(|notice| notice.kind == NoticeKind::Damaged)
    {
        let what = document.notices.iter().find(|notice| notice.kind == NoticeKind::Damaged);
        return Err(damaged(what.map_or("nothing could be read", |notice| &notice.message)));
    }
    Ok(document)
}

/// Whether a content type is that of a Word document's main part.
pub(crate) fn is_main_type(content_type: &str) -> bool {
    let content_type = content_type.to_lowercase();
    content_type.contains("wordprocessingml") && content_type.contains(".main")
        || content_type.contains("ms-word") && content_type.contains(".main")
}

/// The main part of a package that lost its relationships and content types.
fn main_by_name(package: &Package<'_>) -> Option<String> {
    let name = |name: &&str| name.to_lowercase().replace('\\', "/").ends_with("word/document.xml");
    package.archive.names().find(name).map(str::to_owned)
}

fn read_definitions(reading: &mut Reading<'_>, relationships: &Relationships) {
    let package = reading.package;
    for part in relationships.parts_of_kind("styles") {
        if let Some(text) = package.side_text(&part, &mut reading.notices) {
            reading.styles = Styles::read(&text, package.max_depth());
        }
    }
    for part in relationships.parts_of_kind("numbering") {
        if let Some(text) = package.side_text(&part, &mut reading.notices) {
            reading.numbering = Numbering::read(&text, package.max_depth(), &reading.styles);
        }
    }
    for part in relationships.parts_of_kind("settings") {
        if let Some(text) = package.side_text(&part, &mut reading.notices) {
            read_note_formats(reading, &text);
        }
    }
}

fn read_note_formats(reading: &mut Reading<'_>, text: &str) {
    let mut xml = Xml::new(text, reading.package.max_depth());
    let mut inside = None;
    loop {
        match xml.next() {
            Token::Open(element) => match (element.key(), inside) {
                ((Namespace::Word, "footnotePr"), _) => inside = Some("footnotePr"),
                ((Namespace::Word, "endnotePr"), _) => inside = Some("endnotePr"),
                ((Namespace::Word, "numFmt"), Some(kind)) => {
                    reading.note_formats.insert(kind, element.val().unwrap_or_default().into_owned());
                }
                _ => {}
            },
            Token::Close(closed) => {
                if matches!(closed.key(), (Namespace::Word, "footnotePr" | "endnotePr")) {
                    inside = None;
                }
            }
            Token::Text(_) => {}
            Token::End => return,
        }
    }
}

/// Headers and footers, each text once, in the order of the sections that show them; those that no section shows last.
fn read_margins(reading: &mut Reading<'_>, relationships: &Relationships) -> (Vec<Block>, Vec<Block>) {
    let sections = std::mem::take(&mut reading.sections);
    let mut margins = (Vec::new(), Vec::new());
    for (kind, relationship_kind) in [(NoteKind::PageHeader, "header"), (NoteKind::PageFooter, "footer")] {
        let mut parts: Vec<(String, Origin)> = Vec::new();
        for section in &sections {
            let ids = if kind == NoteKind::PageHeader { &section.headers } else { &section.footers };
            for relationship in ids.iter().filter_map(|id| relationships.get(id)) {
                if !relationship.is_external && !parts.iter().any(|(part, _)| *part == relationship.target) {
                    let origin = match ParagraphNumber::new(section.start) {
                        Some(paragraph) => Origin::Paragraph { paragraph, page: None },
                        None => Origin::File,
                    };
                    parts.push((relationship.target.clone(), origin));
                }
            }
        }
        for part in relationships.parts_of_kind(relationship_kind) {
            if !parts.iter().any(|(known, _)| *known == part) {
                parts.push((part, Origin::File));
            }
        }
        let blocks = if kind == NoteKind::PageHeader { &mut margins.0 } else { &mut margins.1 };
        for (part, origin) in parts {
            let Some(story) = reading.read_aside(&part) else { continue };
            let text = cell_text(&story.blocks);
            let is_new = !blocks.iter().any(|block: &Block| block.text == text);
            if !text.is_empty() && is_new {
                blocks.push(Block::new(BlockKind::Note { kind, label: String::new() }, text, origin));
            }
        }
    }
    margins
}

/// Footnotes, endnotes and comments, in the order in which the text refers to them.
fn read_notes(reading: &mut Reading<'_>, relationships: &Relationships) -> Vec<Block> {
    let references = std::mem::take(&mut reading.references);
    let mut blocks = Vec::new();
    for (kind, relationship_kind) in
        [(NoteKind::Footnote, "footnotes"), (NoteKind::Endnote, "endnotes"), (NoteKind::Comment, "comments")]
    {
        let mut notes = Vec::new();
        for part in relationships.parts_of_kind(relationship_kind) {
            notes.extend(reading.read_aside(&part).map(|story| story.notes).unwrap_or_default());
        }
        let by_id: HashMap<&str, usize> =
            notes.iter().enumerate().rev().map(|(idx, note)| (note.id.as_str(), idx)).collect();
        let mut is_shown = vec![false; notes.len()];
        for reference in references.iter().filter(|reference| reference.kind == kind) {
            let Some(&idx) = by_id.get(reference.id.as_str()) else { continue };
            if std::mem::replace(&mut is_shown[idx], true) || notes[idx].text.is_empty() {
                continue;
            }
            let label = if kind == NoteKind::Comment { &notes[idx].author } else { &reference.label };
            let kind = BlockKind::Note { kind, label: label.clone() };
            blocks.push(Block::new(kind, notes[idx].text.clone(), reference.origin));
        }
        // Comments on a range may lack the reference that Word writes; a note without one is no longer in the text.
        if kind == NoteKind::Comment {
            for (note, _) in
                notes.iter().zip(is_shown).filter(|(note, shown)| !shown && !note.text.is_empty())
            {
                let kind = BlockKind::Note { kind, label: note.author.clone() };
                blocks.push(Block::new(kind, note.text.clone(), Origin::File));
            }
        }
    }
    blocks
}

/// Files that Word keeps inside the document: workbooks, other documents.
fn keep_embedded_files(reading: &mut Reading<'_>, relationships: &Relationships) {
    for part in relationships.parts_of_kind("package") {
        match reading.package.archive.member(&part) {
            Ok(Some(expanded)) => reading.parts.push(Part { name: part, bytes: expanded.bytes }),
            Ok(None) => {}
            Err(error) => {
                reading.notices.push(Notice::new(
                    NoticeKind::Limit,
                    format!("part {part}: {error}"),
                    Origin::File,
                ));
            }
        }
    }
}

fn closing_notices(mut notices: Vec<Notice>, n_hidden: usize, n_pictures: usize) -> Vec<Notice> {
    if n_hidden > 0 {
        let message = format!("{n_hidden} characters of hidden text are left out");
        notices.push(Notice::new(NoticeKind::LeftOut, message, Origin::File));
    }
    if n_pictures > 0 {
        let (number, word) = if n_pictures == 1 { ("1", "picture has") } else { ("", "pictures have") };
        let number = if number.is_empty() { n_pictures.to_string() } else { number.to_owned() };
        let message = format!("{number} {word} no alternative text");
        notices.push(Notice::new(NoticeKind::NoText, message, Origin::File));
    }
    notices
}
