//! HTML, laid out as headings, paragraphs, list items, tables and code.
//!
//! The tokens of the page are walked once and no tree is built, so nothing nests and nothing recurses, whatever the
//! page does. Styles and scripts are not looked at; what a browser would show only without scripts is left out. A
//! table that holds another table, or headings, was made for the look of the page and is read as running text.

use conspect_model::{
    Block, BlockKind, Document, Format, Input, Limits, Notice, NoticeKind, Origin, ReadError, Scope,
    TextLines,
};
use html5gum::{DefaultEmitter, Error, Token, Tokenizer};

mod grid;
mod inline;
mod page;

use page::{Attributes, Page};

use crate::SourceText;

/// A page of a few bytes a block must not become a hundred times as large in memory.
const MAX_BLOCKS: usize = 1_000_000;

/// The same for one table.
const MAX_TABLE_CELLS: usize = 4_000_000;

/// Reads HTML. The encoding that the page names counts where there is no byte order mark and the bytes are not UTF-8.
pub fn read<'a>(input: &Input<'a>, _scope: &Scope, limits: &Limits) -> Result<Document<'a>, ReadError> {
    let hint = named_charset(input.bytes);
    let source = SourceText::decode_with_hint(input, hint.as_deref(), limits)?;
    if source.n_chars() > limits.max_chars {
        return Err(ReadError::Limit { what: "text", limit: limits.max_chars as u64 });
    }
    let mut page = lay_out(&source.text(), limits);
    let mut document = Document::new(Format::Html);
    document.extent.n_lines = source.n_lines() as u64;
    document.encoding = Some(source.encoding().clone());
    document.notices = source.notices();
    document.notices.append(&mut page.notices);
    document.metadata = page.metadata;
    document.blocks = page.blocks;
    Ok(document)
}

/// The text of a piece of HTML, one line a block; cells of a table are separated by tabs.
pub(crate) fn text_of(html: &str) -> String {
    let page = lay_out(html, &Limits::default());
    let lines: Vec<String> = page.blocks.iter().map(block_text).collect();
    lines.join("\n")
}

/// The blocks of a piece of HTML, and what was lost; the origins are lines of the piece.
pub(crate) fn blocks_of(html: &str, limits: &Limits) -> (Vec<Block>, Vec<Notice>) {
    let page = lay_out(html, limits);
    (page.blocks, page.notices)
}

fn block_text(block: &Block) -> String {
    match &block.kind {
        BlockKind::Table(table) => {
            let rows: Vec<String> =
                table.rows().map(|row| row.cells().collect::<Vec<_>>().join("\t")).collect();
            rows.join("\n")
        }
        BlockKind::ListItem { label, .. } => format!("{label} {}", block.text),
        _ => block.text.clone(),
    }
}

fn lay_out(text: &str, limits: &Limits) -> Page {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    // Scripts, styles and titles hold `<` that begins no tag.
    emitter.naively_switch_states(true);
    let mut page = Page::new();
    let (max_blocks, max_cells) = (MAX_BLOCKS.min(limits.max_cells), MAX_TABLE_CELLS.min(limits.max_cells));
    let mut lines = LineCounter { text, at: 0, line_idx: 0 };
    for (token_idx, token) in Tokenizer::new_with_emitter(text, emitter).enumerate() {
        if token_idx.is_multiple_of(1024) && limits.stop.is_stopped() {
            let message = format!("reading was stopped after line {}", lines.line_idx + 1);
            page.notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
            break;
        }
        if page.blocks.len() > max_blocks || page.n_open_cells() > max_cells {
            let message = format!(
                "the page has more in it than is laid out; the rest, from line {} on, is left out",
                lines.line_idx + 1
            );
            page.notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
            break;
        }
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let line_idx = lines.line_at(tag.span.start);
                let name = String::from_utf8_lossy(&tag.name);
                let attributes = Attributes::new(&tag.attributes);
                page.start_tag(&name, &attributes, tag.self_closing, line_idx);
            }
            Token::EndTag(tag) => {
                lines.line_at(tag.span.start);
                page.end_tag(&String::from_utf8_lossy(&tag.name));
            }
            Token::String(string) => {
                // The lines are those of what is not blank.
                let raw = text.get(string.span.start..string.span.end).unwrap_or_default();
                let n_before = raw.len() - raw.trim_start().len();
                let n_after = raw.len() - raw.trim_end().len();
                let first_idx = lines.line_at(string.span.start + n_before);
                let last_idx = lines.line_at(string.span.end.saturating_sub(n_after));
                page.text(&String::from_utf8_lossy(&string.value), first_idx..last_idx + 1);
            }
            Token::Error(error) => {
                let unclosed = match error.value {
                    Error::EofInComment => "comment",
                    Error::EofInTag => "tag",
                    _ => continue,
                };
                let line_idx = lines.line_at(error.span.start);
                page.never_closed(unclosed, line_idx);
            }
            Token::Comment(_) | Token::Doctype(_) => {}
        }
    }
    page.end();
    page
}

/// Counts lines up to places that only move forward.
struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line_idx: usize,
}

impl LineCounter<'_> {
    fn line_at(&mut self, at: usize) -> usize {
        if let Some(passed) = self.text.as_bytes().get(self.at..at) {
            self.line_idx += memchr::memchr_iter(b'\n', passed).count();
            self.at = at;
        }
        self.line_idx
    }
}

/// The encoding that a page names in its first bytes: `<meta charset=…>`, or the same inside a content type.
fn named_charset(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).to_ascii_lowercase();
    let (_, after) = head.split_once("charset")?;
    let value = after.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let end = value.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | ':' | '.'));
    Some(value[..end.unwrap_or(value.len())].to_owned())
}
