//! XMP: what newer files say of themselves instead of in the information dictionary (ISO 16684-1).

use conspect_model::Metadata;
use encoding_rs::{Encoding, UTF_8};
use hayro_syntax::object::{Dict, Stream};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesRef, Event};

use crate::filters::decode;

/// Bytes of a packet that are looked at; most of what is larger is a preview picture or a history.
const MAX_BYTES: u64 = 1 << 20;
/// Characters of one value.
const MAX_CHARS: usize = 10_000;
/// How deep elements nest.
const MAX_DEPTH: usize = 64;

/// Fills in from the catalog's packet what the metadata does not say yet.
pub(crate) fn complete(metadata: &mut Metadata, catalog: &Dict<'_>) {
    let Some(stream) = catalog.get::<Stream<'_>>(b"Metadata") else { return };
    let Some(decoded) = decode(&stream, MAX_BYTES) else { return };
    let (encoding, _) = Encoding::for_bom(&decoded.data).unwrap_or((UTF_8, 0));
    let (text, _, _) = encoding.decode(&decoded.data);
    let found = parse(&text);
    let fill = |field: &mut Option<String>, found: Option<String>| {
        if field.is_none() {
            *field = found;
        }
    };
    fill(&mut metadata.title, found.title);
    fill(&mut metadata.author, found.author);
    fill(&mut metadata.subject, found.subject);
    fill(&mut metadata.keywords, found.keywords);
    fill(&mut metadata.created, found.created);
    fill(&mut metadata.modified, found.modified);
    fill(&mut metadata.producer, found.producer);
    fill(&mut metadata.language, found.language);
}

/// The properties of a packet. A packet that is no XML from some place on says what stands before it.
fn parse(text: &str) -> Metadata {
    let mut found = Metadata::default();
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    // The names of the elements around the text, and the text of the innermost.
    let mut open: Vec<String> = Vec::new();
    let mut value = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                if open.len() >= MAX_DEPTH {
                    break;
                }
                take_attributes(element.attributes().flatten(), &open, &mut found);
                open.push(element.name().as_ref().to_owned());
                value.clear();
            }
            Ok(Event::Empty(element)) => {
                take_attributes(element.attributes().flatten(), &open, &mut found);
            }
            Ok(Event::Text(text)) if value.len() < MAX_CHARS => {
                value.push_str(&text);
            }
            Ok(Event::GeneralRef(reference)) if value.len() < MAX_CHARS => {
                value.push_str(&resolved(&reference))
            }
            Ok(Event::End(_)) => {
                let property = open.iter().rev().find(|name| !name.starts_with("rdf:"));
                if let Some(property) = property {
                    take(property, &value, &mut found);
                }
                open.pop();
                value.clear();
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    found
}

/// Simple properties may be attributes of the description.
fn take_attributes<'a>(
    attributes: impl Iterator<Item = Attribute<'a>>,
    open: &[String],
    found: &mut Metadata,
) {
    if open.last().is_none_or(|name| name != "rdf:RDF") {
        return;
    }
    for attribute in attributes {
        if let Ok(value) = attribute.normalized_value(XmlVersion::Implicit1_0) {
            take(attribute.key.as_ref(), &value, found);
        }
    }
}

/// Takes the value of a property: the first of a title in several languages, all of several authors.
fn take(property: &str, value: &str, found: &mut Metadata) {
    let value: String =
        value.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_CHARS).collect();
    if value.is_empty() {
        return;
    }
    let (field, is_list) = match property {
        "dc:title" => (&mut found.title, false),
        "dc:creator" => (&mut found.author, true),
        "dc:description" => (&mut found.subject, false),
        "pdf:Keywords" => (&mut found.keywords, false),
        "xmp:CreateDate" => (&mut found.created, false),
        "xmp:ModifyDate" => (&mut found.modified, false),
        "pdf:Producer" => (&mut found.producer, false),
        "dc:language" => (&mut found.language, false),
        _ => return,
    };
    match field {
        Some(authors) if is_list && authors.len() < MAX_CHARS => {
            authors.push_str(", ");
            authors.push_str(&value);
        }
        Some(_) => {}
        None => *field = Some(value),
    }
}

fn resolved(reference: &BytesRef<'_>) -> String {
    match reference.resolve_char_ref() {
        Ok(Some(c)) => c.to_string(),
        _ => resolve_predefined_entity(reference).unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_elements_lists_or_attributes() {
        let found = parse(
            "<?xpacket begin='' id=''?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF>\
             <rdf:Description xmp:CreateDate='2026-01-31T08:00:00Z' pdf:Producer='Press &amp; Co'>\
             <dc:title><rdf:Alt><rdf:li xml:lang='x-default'>Tides &#38; <b/>winds</rdf:li>\
             <rdf:li xml:lang='de'>Gezeiten</rdf:li></rdf:Alt></dc:title>\
             <dc:creator><rdf:Seq><rdf:li>A. Harrow</rdf:li><rdf:li>B. Quill</rdf:li></rdf:Seq></dc:creator>\
             <pdf:Keywords> sea,\n stone </pdf:Keywords>\
             </rdf:Description></rdf:RDF></x:xmpmeta>",
        );
        assert_eq!(found.created.as_deref(), Some("2026-01-31T08:00:00Z"));
        assert_eq!(found.producer.as_deref(), Some("Press & Co"));
        assert_eq!(found.title.as_deref(), Some("Tides & winds"));
        assert_eq!(found.author.as_deref(), Some("A. Harrow, B. Quill"));
        assert_eq!(found.keywords.as_deref(), Some("sea, stone"));
        assert_eq!(found.language, None);
    }

    #[test]
    fn a_broken_packet_says_what_stands_before_the_break() {
        let found = parse("<rdf:RDF><dc:title>Tides</dc:title><dc:creator>A. Har<<<");
        assert_eq!((found.title.as_deref(), found.author), (Some("Tides"), None));
        assert_eq!(parse(&"<a>".repeat(100_000)), Metadata::default());
        assert_eq!(parse("no XML at all"), Metadata::default());
    }
}
