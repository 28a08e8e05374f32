//! Electronic mail (RFC 5322, MIME): the header that people read, the best body once, and what is attached as parts.
//!
//! Where a message has the same text as plain text and as HTML, the plain one is taken unless it is hardly there.
//! Attached messages are parts like any other file. The nesting of MIME is walked here, under a limit; the headers
//! are read by a library.

use std::borrow::Cow;
use std::ops::Range;

use conspect_model::{
    Block, BlockKind, Document, Format, Input, Limits, LineRange, Notice, NoticeKind, Origin, Part,
    ReadError, Scope,
};
use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Address, Message, MessageParser, MimeHeaders};
use memchr::{memchr, memchr_iter};

use crate::charset::Charset;
use crate::{SourceText, html, plain};

/// Reads a message.
pub fn read<'a>(input: &Input<'a>, _scope: &Scope, limits: &Limits) -> Result<Document<'a>, ReadError> {
    let bytes = input.bytes;
    if bytes.len() as u64 > limits.max_part_bytes.min(u32::MAX.into()) {
        return Err(ReadError::Limit { what: "size", limit: limits.max_part_bytes });
    }
    // A message out of a mailbox begins with a line that is no part of it.
    let start = if bytes.starts_with(b"From ") { line_end(bytes, 0) } else { 0 };
    let Some(entity) = Entity::at(bytes, start..bytes.len()) else {
        let message = "this is no message (it has no header), so it is read as plain text";
        let mut document = plain::document(Format::Text, SourceText::decode(input, limits)?);
        document.notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
        return Ok(document);
    };
    let mut document = Document::new(Format::Mail);
    document.extent.n_lines =
        (memchr_iter(b'\n', bytes).count() + usize::from(!bytes.ends_with(b"\n"))) as u64;
    let header = &entity.header;
    document.metadata.title = header.subject().map(str::to_owned);
    document.metadata.author = header.from().map(addresses);
    document.metadata.created = header.date().map(|date| date.to_rfc3339());
    let mut walk = Walk { bytes, limits, document: &mut document, n_entities: 0, counted: (0, 0) };
    walk.lay_out_header(&entity);
    walk.entity(entity, 0, Want::Text);
    Ok(document)
}

/// MIME inside MIME deeper than this is handed out as a part, unread.
const MAX_NESTING: usize = 20;

/// A message, or one part of it.
struct Entity<'a> {
    header: Message<'a>,
    range: Range<usize>,
    body: Range<usize>,
}

impl<'a> Entity<'a> {
    /// `None` where no header begins.
    fn at(bytes: &'a [u8], range: Range<usize>) -> Option<Entity<'a>> {
        let body_start = header_end(&bytes[..range.end], range.start);
        let header = MessageParser::default().parse_headers(&bytes[range.start..body_start])?;
        Some(Entity { header, body: body_start..range.end, range })
    }

    /// Type and subtype in lower case: `text/plain`.
    fn content_type(&self) -> String {
        match self.header.content_type() {
            Some(content_type) => {
                let subtype = content_type.subtype().unwrap_or("plain");
                format!("{}/{subtype}", content_type.ctype()).to_ascii_lowercase()
            }
            None => "text/plain".to_owned(),
        }
    }

    fn is_attached(&self) -> bool {
        self.header.content_disposition().is_some_and(|disposition| disposition.is_attachment())
    }

    /// The body without its transfer encoding, and whether that was in order.
    fn decoded(&self, bytes: &'a [u8]) -> (Cow<'a, [u8]>, bool) {
        let raw = &bytes[self.body.clone()];
        let encoding =
            self.header.content_transfer_encoding().unwrap_or_default().trim().to_ascii_lowercase();
        let decoded = match encoding.as_str() {
            "base64" => {
                let digits: Vec<u8> = raw
                    .iter()
                    .copied()
                    .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
                    .collect();
                base64_decode(&digits)
            }
            "quoted-printable" => quoted_printable_decode(raw),
            _ => return (Cow::Borrowed(raw), true),
        };
        match decoded {
            Some(decoded) => (Cow::Owned(decoded), true),
            None => (Cow::Borrowed(raw), false),
        }
    }

    /// The text of the body: in the charset that the header names, or in the one that the bytes suggest.
    fn text(&self, bytes: &'a [u8]) -> String {
        let (body, _) = self.decoded(bytes);
        let named = self.header.content_type().and_then(|content_type| content_type.attribute("charset"));
        if let Some(charset) = named.and_then(Charset::for_label) {
            return charset.decode(&body).into_owned();
        }
        match SourceText::decode(&Input::new(&body, ""), &Limits::default()) {
            Ok(text) => text.text().into_owned(),
            Err(_) => String::from_utf8_lossy(&body).into_owned(),
        }
    }
}

struct Walk<'a, 'd> {
    bytes: &'a [u8],
    limits: &'d Limits,
    document: &'d mut Document<'a>,
    n_entities: usize,
    /// A place in the bytes, and the index of its line.
    counted: (usize, usize),
}

/// What is wanted of an entity: the parts of a body that another form of it stands for are wanted without its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Text,
    PartsOnly,
}

impl<'a> Walk<'a, '_> {
    fn lay_out_header(&mut self, entity: &Entity<'_>) {
        let header = &entity.header;
        let origin = self.origin(entity.range.start..entity.body.start);
        if let Some(subject) = header.subject().filter(|subject| !subject.trim().is_empty()) {
            self.document.blocks.push(Block::new(BlockKind::Heading { level: 1 }, subject.trim(), origin));
        }
        let fields = [
            ("From", header.from().map(addresses)),
            ("To", header.to().map(addresses)),
            ("Cc", header.cc().map(addresses)),
            ("Date", header.date().map(|date| date.to_rfc3339())),
        ];
        let lines: Vec<String> =
            fields.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", value?))).collect();
        if !lines.is_empty() {
            self.document.blocks.push(Block::new(BlockKind::Paragraph, lines.join("\n"), origin));
        }
    }

    fn entity(&mut self, entity: Entity<'a>, depth: usize, want: Want) {
        self.n_entities += 1;
        if self.n_entities > self.limits.max_entries || self.limits.stop.is_stopped() {
            return self.notice(
                NoticeKind::Limit,
                "the parts of the message from here on are not read",
                &entity,
            );
        }
        let content_type = entity.content_type();
        if content_type.starts_with("multipart/") {
            let boundary =
                entity.header.content_type().and_then(|content_type| content_type.attribute("boundary"));
            let children =
                boundary.map(|boundary| split(self.bytes, entity.body.clone(), boundary.trim_end()));
            match children.filter(|children| !children.is_empty()) {
                Some(_) if depth >= MAX_NESTING => {
                    self.notice(NoticeKind::Limit, "parts inside parts are not read any deeper", &entity);
                    self.part(&entity, &content_type);
                }
                Some(children) => self.multipart(&content_type, children, depth, want),
                None => {
                    self.notice(
                        NoticeKind::Damaged,
                        "the parts of the message cannot be told apart",
                        &entity,
                    );
                    self.text(&entity, "text/plain", want);
                }
            }
        } else if matches!(content_type.as_str(), "text/plain" | "text/html") && !entity.is_attached() {
            self.text(&entity, &content_type, want);
        } else {
            self.part(&entity, &content_type);
        }
    }

    fn multipart(&mut self, content_type: &str, children: Vec<Range<usize>>, depth: usize, want: Want) {
        let children: Vec<Entity<'a>> =
            children.into_iter().filter_map(|range| self.child(range, content_type)).collect();
        let chosen_idx = match content_type {
            "multipart/alternative" => Some(best_alternative(self.bytes, &children, depth)),
            _ => None,
        };
        for (child_idx, child) in children.into_iter().enumerate() {
            let is_chosen = chosen_idx.is_none_or(|chosen_idx| chosen_idx == child_idx);
            let is_text = child.content_type().starts_with("text/") && !child.is_attached();
            if is_chosen {
                self.entity(child, depth + 1, want);
            } else if !is_text || child.content_type() == "text/calendar" {
                self.entity(child, depth + 1, Want::PartsOnly);
            }
        }
    }

    /// A part without a header is plain text, or a message where messages are collected.
    fn child(&mut self, range: Range<usize>, parent_type: &str) -> Option<Entity<'a>> {
        if range.is_empty() {
            return None;
        }
        let begins_with_body = header_end(&self.bytes[..range.end], range.start) <= range.start + 2;
        let entity = if begins_with_body { None } else { Entity::at(self.bytes, range.clone()) };
        if parent_type == "multipart/digest"
            && entity.as_ref().is_none_or(|entity| entity.header.content_type().is_none())
        {
            let body = header_end(&self.bytes[..range.end], range.start).min(range.start + 2);
            return Some(Entity { header: typed("message/rfc822")?, body: body..range.end, range });
        }
        entity.or_else(|| Some(Entity { header: typed("text/plain")?, body: range.clone(), range }))
    }

    fn text(&mut self, entity: &Entity<'a>, content_type: &str, want: Want) {
        if want == Want::PartsOnly {
            return;
        }
        if !entity.decoded(self.bytes).1 {
            self.notice(
                NoticeKind::Damaged,
                "the transfer encoding is broken; the text is shown as it came",
                entity,
            );
        }
        let text = entity.text(self.bytes);
        let origin = self.origin(entity.body.clone());
        if content_type == "text/html" {
            let (blocks, notices) = html::blocks_of(&text, self.limits);
            self.document.blocks.extend(blocks.into_iter().map(|block| Block { origin, ..block }));
            self.document.notices.extend(notices.into_iter().map(|notice| Notice { origin, ..notice }));
        } else {
            lay_out_plain(&text, origin, &mut self.document.blocks);
        }
    }

    fn part(&mut self, entity: &Entity<'a>, content_type: &str) {
        let (decoded, is_whole) = entity.decoded(self.bytes);
        if !is_whole {
            self.notice(NoticeKind::Damaged, "the transfer encoding of an attachment is broken", entity);
        }
        let name = entity.header.attachment_name().map(str::to_owned).unwrap_or_else(|| {
            let extension =
                EXTENSIONS.iter().find(|(known, _)| *known == content_type).map_or("bin", |row| row.1);
            format!("part-{}.{extension}", self.document.parts.len() + 1)
        });
        self.document.parts.push(Part { name, bytes: decoded.into_owned() });
    }

    fn notice(&mut self, kind: NoticeKind, message: &str, entity: &Entity<'_>) {
        let origin = self.origin(entity.range.clone());
        self.document.notices.push(Notice::new(kind, message, origin));
    }

    /// The lines of some bytes of the message, without blank ones at either end.
    fn origin(&mut self, range: Range<usize>) -> Origin {
        let text = &self.bytes[range.clone()];
        let start = range.start + text.len() - text.trim_ascii_start().len();
        // Parts come one after another, so counting goes on from the last one.
        let (known, known_idx) = self.counted;
        let first_idx = match self.bytes.get(known..start) {
            Some(passed) => known_idx + memchr_iter(b'\n', passed).count(),
            None => memchr_iter(b'\n', &self.bytes[..start]).count(),
        };
        self.counted = (start, first_idx);
        let n_inside = memchr_iter(b'\n', text.trim_ascii()).count();
        Origin::Lines(LineRange::from_idx(first_idx..first_idx + n_inside + 1))
    }
}

/// What a part without a name is called after.
const EXTENSIONS: &[(&str, &str)] = &[
    ("text/plain", "txt"),
    ("text/html", "html"),
    ("text/csv", "csv"),
    ("text/calendar", "ics"),
    ("message/rfc822", "eml"),
    ("application/pdf", "pdf"),
    ("application/zip", "zip"),
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/gif", "gif"),
];

/// Names and addresses as people write them.
fn addresses(address: &Address<'_>) -> String {
    let shown: Vec<String> = address
        .iter()
        .filter_map(|one| match (one.name(), one.address()) {
            (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
            (Some(name), None) => Some(name.to_owned()),
            (None, Some(address)) => Some(address.to_owned()),
            (None, None) => None,
        })
        .collect();
    shown.join(", ")
}

/// A header that says nothing but a type.
fn typed(content_type: &str) -> Option<Message<'static>> {
    let header = format!("Content-Type: {content_type}\n\n");
    Some(MessageParser::default().parse_headers(header.as_bytes())?.into_owned())
}

/// The plain text, unless there is much more in the HTML; without either, the last form, which is the richest.
fn best_alternative(bytes: &[u8], forms: &[Entity<'_>], depth: usize) -> usize {
    let plain = forms.iter().position(|form| form.content_type() == "text/plain" && !form.is_attached());
    let html =
        forms.iter().enumerate().rev().find_map(|(idx, form)| Some((idx, html_in(bytes, form, depth)?)));
    let n_letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
    match (plain, html) {
        (Some(plain_idx), Some((html_idx, html))) => {
            let n_plain = n_letters(&forms[plain_idx].text(bytes));
            let n_html = n_letters(&html::text_of(&html));
            if n_plain * 4 >= n_html { plain_idx } else { html_idx }
        }
        (Some(idx), None) | (None, Some((idx, _))) => idx,
        (None, None) => forms.len().saturating_sub(1),
    }
}

/// The HTML of a form: its own, or that of its first part, where pictures come along with it.
fn html_in(bytes: &[u8], form: &Entity<'_>, depth: usize) -> Option<String> {
    let content_type = form.content_type();
    if content_type == "text/html" && !form.is_attached() {
        return Some(form.text(bytes));
    }
    if depth >= MAX_NESTING || !matches!(content_type.as_str(), "multipart/related" | "multipart/mixed") {
        return None;
    }
    let boundary = form.header.content_type()?.attribute("boundary")?;
    let first = split(bytes, form.body.clone(), boundary.trim_end()).into_iter().next()?;
    html_in(bytes, &Entity::at(bytes, first)?, depth + 1)
}

/// Paragraphs between blank lines; lines that begin with `>` are a quotation.
fn lay_out_plain(text: &str, origin: Origin, blocks: &mut Vec<Block>) {
    let mut open: Option<Block> = None;
    for line in text.lines() {
        let line = line.trim_end();
        let (kind, shown) = match line.strip_prefix('>') {
            Some(quoted) => (BlockKind::Quote, quoted.strip_prefix(' ').unwrap_or(quoted)),
            None => (BlockKind::Paragraph, line),
        };
        match &mut open {
            _ if shown.trim().is_empty() => blocks.extend(open.take()),
            Some(block) if block.kind == kind => {
                block.text.push('\n');
                block.text.push_str(shown);
            }
            _ => blocks.extend(open.replace(Block::new(kind, shown, origin))),
        }
    }
    blocks.extend(open);
}

/// Where the entities between the delimiter lines of a multipart body stand (RFC 2046, 5.1.1).
fn split(bytes: &[u8], body: Range<usize>, boundary: &str) -> Vec<Range<usize>> {
    let mut entities = Vec::new();
    let mut entity_start = None;
    let mut at = body.start;
    while at < body.end {
        let next = line_end(&bytes[..body.end], at);
        let line = bytes[at..next].trim_ascii_end();
        let delimiter = line.strip_prefix(b"--").and_then(|line| line.strip_prefix(boundary.as_bytes()));
        if let Some(rest) = delimiter.filter(|rest| matches!(*rest, b"" | b"--")) {
            if let Some(start) = entity_start.take() {
                entities.push(start..without_line_end(bytes, start, at));
            }
            if rest == b"--" {
                return entities;
            }
            entity_start = Some(next);
        }
        at = next;
    }
    entities.extend(entity_start.map(|start| start..body.end));
    entities
}

/// The line end before a delimiter is part of the delimiter.
fn without_line_end(bytes: &[u8], start: usize, end: usize) -> usize {
    let n_end = match &bytes[start..end] {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n'] => 1,
        _ => 0,
    };
    end - n_end
}

/// Where the body after a header begins: after the first blank line.
fn header_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < bytes.len() {
        let next = line_end(bytes, at);
        if matches!(&bytes[at..next], b"\n" | b"\r\n") {
            return next;
        }
        at = next;
    }
    bytes.len()
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n + 1)
}
