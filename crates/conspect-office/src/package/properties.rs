use conspect_model::{Metadata, Notice};

use crate::package::opc::Package;
use crate::package::xml::{Token, Xml};

/// What the package says of itself: `docProps/core.xml` and `docProps/app.xml`, wherever they lie.
pub(crate) fn read_properties(package: &Package<'_>, notices: &mut Vec<Notice>) -> Metadata {
    let mut metadata = Metadata::default();
    let relationships = package.relationships("");
    for part in relationships.parts_of_kind("core-properties") {
        if let Some(text) = package.side_text(&part, notices) {
            read_core(&text, package.max_depth(), &mut metadata);
        }
    }
    for part in relationships.parts_of_kind("extended-properties") {
        if let Some(text) = package.side_text(&part, notices) {
            let mut xml = Xml::new(&text, package.max_depth());
            while let Some(element) = next_open(&mut xml) {
                if element == "Application" {
                    metadata.producer = stated(&xml.text());
                }
            }
        }
    }
    metadata
}

fn read_core(text: &str, max_depth: usize, metadata: &mut Metadata) {
    let mut xml = Xml::new(text, max_depth);
    while let Some(element) = next_open(&mut xml) {
        let place = match element.as_str() {
            "title" => &mut metadata.title,
            "creator" => &mut metadata.author,
            "subject" => &mut metadata.subject,
            "description" if metadata.subject.is_none() => &mut metadata.subject,
            "keywords" => &mut metadata.keywords,
            "created" => &mut metadata.created,
            "modified" => &mut metadata.modified,
            "language" => &mut metadata.language,
            _ => continue,
        };
        if let Some(value) = stated(&xml.text()) {
            *place = Some(value);
        }
    }
}

fn next_open(xml: &mut Xml<'_>) -> Option<String> {
    loop {
        match xml.next() {
            Token::Open(element) => return Some(element.name().to_owned()),
            Token::End => return None,
            Token::Close(_) | Token::Text(_) => {}
        }
    }
}

fn stated(value: &str) -> Option<String> {
    let value = value.trim();
    (!value.is_empty()).then(|| value.to_owned())
}
