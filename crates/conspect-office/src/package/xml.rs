use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesEnd, BytesStart, Event};
use quick_xml::reader::Reader;

/// A pull reader over one XML part: elements by namespace and local name, whatever prefix the file uses.
///
/// Every [`Token::Open`] is followed by its [`Token::Close`], for empty elements too. What is ill-formed ends the
/// reading with [`Xml::problem`] set; what was read before stays good. Entities of the file's own are not expanded: the
/// reference stands in the text as it is written, and [`first_unexpanded`] tells of it.
pub(crate) struct Xml<'x> {
    reader: Reader<&'x [u8]>,
    /// Prefixes in force, the innermost last: the depth of the element that declares it, the prefix, its meaning.
    scopes: Vec<(usize, String, Namespace)>,
    /// What the last prefix meant: elements next to one another mostly share theirs.
    last_resolved: Option<(String, Namespace)>,
    depth: usize,
    max_depth: usize,
    /// Why the reading ended before the end of the part.
    pub(crate) problem: Option<String>,
    finished: bool,
}

/// A place between two tokens of a part, from which reading can go on.
#[derive(Clone)]
pub(crate) struct Checkpoint {
    position: usize,
    scopes: Vec<(usize, String, Namespace)>,
    depth: usize,
}

/// What stands next in an XML part.
pub(crate) enum Token<'x> {
    /// An element begins.
    Open(Element<'x>),
    /// The innermost element ends.
    Close(Closed<'x>),
    /// A piece of text; one text may come in several pieces.
    Text(Cow<'x, str>),
    /// The part is over.
    End,
}

/// The beginning of an element.
pub(crate) struct Element<'x> {
    start: BytesStart<'x>,
    pub(crate) namespace: Namespace,
}

/// The end of an element.
pub(crate) struct Closed<'x> {
    end: BytesEnd<'x>,
    pub(crate) namespace: Namespace,
}

/// The namespaces we tell apart, in their transitional and strict spellings alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Namespace {
    /// WordprocessingML.
    Word,
    /// SpreadsheetML.
    Sheet,
    /// Office Math.
    Math,
    /// DrawingML: shared by all programs.
    Drawing,
    /// DrawingML as placed in a Word document.
    WordDrawing,
    /// DrawingML charts.
    Chart,
    /// DrawingML diagrams (SmartArt).
    Diagram,
    /// The older drawing language.
    Vml,
    /// Markup compatibility.
    Compatibility,
    /// OpenDocument tables.
    OdfTable,
    /// OpenDocument text.
    OdfText,
    /// OpenDocument office.
    OdfOffice,
    /// Anything else.
    Other,
}

impl<'x> Xml<'x> {
    /// A reader over the text of a part.
    pub(crate) fn new(text: &'x str, max_depth: usize) -> Xml<'x> {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        config.expand_empty_elements = true;
        Xml {
            reader,
            scopes: Vec::new(),
            last_resolved: None,
            depth: 0,
            max_depth,
            problem: None,
            finished: false,
        }
    }

    /// The place in front of the next token.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        let position = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
        Checkpoint { position, scopes: self.scopes.clone(), depth: self.depth }
    }

    /// A reader that goes on from a place in the same text.
    pub(crate) fn resume(text: &'x str, checkpoint: &Checkpoint, max_depth: usize) -> Xml<'x> {
        let mut xml = Xml::new(text.get(checkpoint.position..).unwrap_or_default(), max_depth);
        xml.scopes = checkpoint.scopes.clone();
        xml.depth = checkpoint.depth;
        xml
    }

    /// How many elements are open.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Token<'x> {
        loop {
            if self.finished {
                return Token::End;
            }
            match self.reader.read_event() {
                Ok(Event::Start(start)) => {
                    self.depth += 1;
                    if self.depth > self.max_depth {
                        return self.stop("elements are nested too deeply");
                    }
                    self.declare(&start);
                    let namespace = self.resolve(prefix_of(start.name().0));
                    return Token::Open(Element { start, namespace });
                }
                Ok(Event::End(end)) => {
                    let namespace = self.resolve(prefix_of(end.name().0));
                    while self.scopes.last().is_some_and(|(depth, ..)| *depth >= self.depth) {
                        self.scopes.pop();
                        self.last_resolved = None;
                    }
                    self.depth = self.depth.saturating_sub(1);
                    return Token::Close(Closed { end, namespace });
                }
                Ok(Event::Text(text)) => return Token::Text(text.xml_content(XmlVersion::Implicit1_0)),
                Ok(Event::CData(text)) => return Token::Text(text.xml_content(XmlVersion::Implicit1_0)),
                Ok(Event::GeneralRef(reference)) => {
                    let text = match character_of(&reference) {
                        Some(character) => character.to_string(),
                        None => format!("&{};", &*reference),
                    };
                    return Token::Text(Cow::Owned(text));
                }
                Ok(Event::Eof) => {
                    if self.depth > 0 {
                        self.problem.get_or_insert_with(|| "the part ends in the middle".to_owned());
                    }
                    self.finished = true;
                    return Token::End;
                }
                Ok(_) => {}
                Err(error) => return self.stop(&format!("its XML is broken ({error})")),
            }
        }
    }

    /// Passes over the rest of the element just opened, its end included.
    pub(crate) fn skip(&mut self) {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            if let Token::End = self.next() {
                return;
            }
        }
    }

    /// The text inside the element just opened, its end included.
    pub(crate) fn text(&mut self) -> Cow<'x, str> {
        let outside = self.depth.saturating_sub(1);
        let mut all: Cow<'x, str> = Cow::Borrowed("");
        while self.depth > outside {
            match self.next() {
                Token::Text(text) if all.is_empty() => all = text,
                Token::Text(text) => all.to_mut().push_str(&text),
                Token::End => break,
                Token::Open(_) | Token::Close(_) => {}
            }
        }
        all
    }

    fn stop(&mut self, problem: &str) -> Token<'x> {
        self.problem.get_or_insert_with(|| problem.to_owned());
        self.finished = true;
        Token::End
    }

    fn declare(&mut self, start: &BytesStart<'_>) {
        // Nearly no element declares a prefix, so the look for one has to be cheap.
        let raw = start.attributes_raw().as_bytes();
        if !memchr::memchr_iter(b'x', raw).any(|at| raw[at..].starts_with(b"xmlns")) {
            return;
        }
        self.last_resolved = None;
        for attribute in start.attributes().with_checks(false).flatten() {
            let prefix = match attribute.key.0.strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) if rest.starts_with(':') => &rest[1..],
                _ => continue,
            };
            self.scopes.push((self.depth, prefix.to_owned(), Namespace::from_uri(&attribute.value)));
        }
    }

    fn resolve(&mut self, prefix: &str) -> Namespace {
        // No prefix is asked for first: comparing empty strings took a quarter of the time of a large sheet, since
        // masked loads from an empty string's address are slow.
        if let Some((last, namespace)) = &self.last_resolved
            && last.len() == prefix.len()
            && (prefix.is_empty() || last == prefix)
        {
            return *namespace;
        }
        let declared = self.scopes.iter().rev().find(|(_, known, _)| known == prefix);
        let namespace =
            declared.map_or_else(|| Namespace::from_customary_prefix(prefix), |(.., namespace)| *namespace);
        self.last_resolved = Some((prefix.to_owned(), namespace));
        namespace
    }
}

impl Element<'_> {
    /// The name without its prefix.
    pub(crate) fn name(&self) -> &str {
        local_of(self.start.name().0)
    }

    /// Namespace and local name, to match on.
    pub(crate) fn key(&self) -> (Namespace, &str) {
        (self.namespace, self.name())
    }

    /// The value of the attribute with this local name, whatever its prefix.
    pub(crate) fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        self.attribute_where(|key| local_of(key) == name)
    }

    /// The value of the attribute with exactly this name, prefix included.
    pub(crate) fn plain_attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        self.attribute_where(|key| key == name)
    }

    /// All attributes in one pass: their full names and their values as written.
    pub(crate) fn each_attribute(&self, mut each: impl FnMut(&str, &str)) {
        for attribute in self.start.attributes().with_checks(false).flatten() {
            each(attribute.key.0, &attribute.value);
        }
    }

    /// The value of `val`, Word's usual attribute.
    pub(crate) fn val(&self) -> Option<Cow<'_, str>> {
        self.attribute("val")
    }

    /// An attribute as a number.
    pub(crate) fn number<N: std::str::FromStr>(&self, name: &str) -> Option<N> {
        self.attribute(name)?.trim().parse().ok()
    }

    /// Whether a property that is on by being there is on: `<w:b/>`, `<w:b w:val="0"/>`.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self.val().as_deref(), Some("0" | "false" | "off" | "none"))
    }

    fn attribute_where(&self, wanted: impl Fn(&str) -> bool) -> Option<Cow<'_, str>> {
        let mut attributes = self.start.attributes();
        let found = attributes.with_checks(false).flatten().find(|attribute| wanted(attribute.key.0))?;
        match found.normalized_value(XmlVersion::Implicit1_0) {
            Ok(value) => Some(value),
            Err(_) => Some(found.value),
        }
    }
}

impl Closed<'_> {
    /// Namespace and local name, to match on.
    pub(crate) fn key(&self) -> (Namespace, &str) {
        (self.namespace, local_of(self.end.name().0))
    }
}

impl Namespace {
    fn from_uri(uri: &str) -> Namespace {
        match uri.trim().trim_end_matches('/') {
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
            | "http://purl.oclc.org/ooxml/wordprocessingml/main"
            | "http://schemas.microsoft.com/office/word/2003/wordml" => Namespace::Word,
            "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
            | "http://purl.oclc.org/ooxml/spreadsheetml/main"
            | "http://schemas.openxmlformats.org/spreadsheetml/2006/5/main" => Namespace::Sheet,
            "http://schemas.openxmlformats.org/officeDocument/2006/math"
            | "http://purl.oclc.org/ooxml/officeDocument/math" => Namespace::Math,
            "http://schemas.openxmlformats.org/drawingml/2006/main"
            | "http://purl.oclc.org/ooxml/drawingml/main" => Namespace::Drawing,
            "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
            | "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing" => Namespace::WordDrawing,
            "http://schemas.openxmlformats.org/drawingml/2006/chart"
            | "http://purl.oclc.org/ooxml/drawingml/chart" => Namespace::Chart,
            "http://schemas.openxmlformats.org/drawingml/2006/diagram"
            | "http://purl.oclc.org/ooxml/drawingml/diagram" => Namespace::Diagram,
            "urn:schemas-microsoft-com:vml" => Namespace::Vml,
            "http://schemas.openxmlformats.org/markup-compatibility/2006" => Namespace::Compatibility,
            "urn:oasis:names:tc:opendocument:xmlns:table:1.0" => Namespace::OdfTable,
            "urn:oasis:names:tc:opendocument:xmlns:text:1.0" => Namespace::OdfText,
            "urn:oasis:names:tc:opendocument:xmlns:office:1.0" => Namespace::OdfOffice,
            _ => Namespace::Other,
        }
    }

    /// What a prefix means when the file forgot to declare it.
    fn from_customary_prefix(prefix: &str) -> Namespace {
        match prefix {
            "w" => Namespace::Word,
            "x" => Namespace::Sheet,
            "m" => Namespace::Math,
            "a" => Namespace::Drawing,
            "wp" => Namespace::WordDrawing,
            "c" => Namespace::Chart,
            "dgm" => Namespace::Diagram,
            "v" => Namespace::Vml,
            "mc" => Namespace::Compatibility,
            "table" => Namespace::OdfTable,
            "text" => Namespace::OdfText,
            "office" => Namespace::OdfOffice,
            _ => Namespace::Other,
        }
    }
}

fn prefix_of(name: &str) -> &str {
    name.split_once(':').map_or("", |(prefix, _)| prefix)
}

fn local_of(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

fn character_of(reference: &str) -> Option<char> {
    match reference {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let digits = reference.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code).filter(|&character| character != '\0')
        }
    }
}

/// The first reference in a part's text, name only, that stands for no character that XML itself knows.
pub(crate) fn first_unexpanded(text: &str) -> Option<&str> {
    const MAX_NAME_BYTES: usize = 64;
    let content = after_document_type(text);
    memchr::memchr_iter(b'&', content.as_bytes()).find_map(|at| {
        let rest = &content.as_bytes()[at + 1..];
        let n_name = memchr::memchr(b';', &rest[..rest.len().min(MAX_NAME_BYTES)])?;
        let name = content.get(at + 1..at + 1 + n_name)?;
        let is_name = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "<>&\"'".contains(c));
        (is_name && character_of(name).is_none()).then_some(name)
    })
}

/// What follows the document type, where entities are declared with references to one another.
fn after_document_type(text: &str) -> &str {
    let head = &text.as_bytes()[..text.len().min(1024)];
    let Some(start) = memchr::memmem::find(head, b"<!DOCTYPE") else { return text };
    let declared = &text[start..];
    let bracket = declared.find(['[', '>']).filter(|&at| declared[at..].starts_with('['));
    let end = bracket.and_then(|at| declared[at..].find("]>").map(|length| at + length));
    end.map_or(declared, |end| &declared[end..])
}

/// The text of an XML part: by its byte order mark, then as UTF-8, then by the encoding it declares.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    let by_mark = encoding_rs::Encoding::for_bom(&bytes);
    if let Some((encoding, n_mark_bytes)) = by_mark {
        return encoding.decode_without_bom_handling(&bytes[n_mark_bytes..]).0.into_owned();
    }
    // UTF-16 without a mark begins with "<" and a zero, in one order or the other.
    match bytes.get(..2) {
        Some([b'<', 0]) => return encoding_rs::UTF_16LE.decode_without_bom_handling(&bytes).0.into_owned(),
        Some([0, b'<']) => return encoding_rs::UTF_16BE.decode_without_bom_handling(&bytes).0.into_owned(),
        _ => {}
    }
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let bytes = error.into_bytes();
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).into_owned();
            let label = head.split_once("encoding=").and_then(|(_, rest)| rest.split(['"', '\'']).nth(1));
            let encoding = label.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
            encoding.unwrap_or(encoding_rs::UTF_8).decode_without_bom_handling(&bytes).0.into_owned()
        }
    }
}
