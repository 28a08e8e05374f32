use std::collections::{HashMap, HashSet};

use conspect_model::{Limits, Notice, NoticeKind, Origin, ReadError};

use crate::package::archive::Archive;
use crate::package::xml::{Token, Xml, decode, first_unexpanded};

/// An Open Packaging Conventions package: parts, their content types, and the relationships between them.
pub(crate) struct Package<'a> {
    pub(crate) archive: Archive<'a>,
    types_by_part: HashMap<String, String>,
    types_by_extension: HashMap<String, String>,
    max_depth: usize,
}

/// A relationship from one part to another, or out of the package.
#[derive(Clone, Debug)]
pub(crate) struct Relationship {
    /// The part's name, or the outside address.
    pub(crate) target: String,
    /// Whether it leads out of the package.
    pub(crate) is_external: bool,
    /// The last segment of its type: `styles`, `hyperlink`.
    pub(crate) kind: String,
}

/// The relationships of one part, by their identifiers, in file order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relationships {
    in_order: Vec<Relationship>,
    by_id: HashMap<String, usize>,
}

impl Relationships {
    /// The relationship with this identifier.
    pub(crate) fn get(&self, id: &str) -> Option<&Relationship> {
        self.in_order.get(*self.by_id.get(id)?)
    }

    /// The targets inside the package of all relationships of this kind, in file order, each once.
    pub(crate) fn parts_of_kind(&self, kind: &str) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for relationship in &self.in_order {
            if relationship.kind == kind && !relationship.is_external && seen.insert(&relationship.target) {
                parts.push(relationship.target.clone());
            }
        }
        parts
    }
}

impl<'a> Package<'a> {
    /// Reads the content types.
    pub(crate) fn new(archive: Archive<'a>, limits: &Limits) -> Package<'a> {
        let mut package = Package {
            archive,
            types_by_part: HashMap::new(),
            types_by_extension: HashMap::new(),
            max_depth: element_depth(limits),
        };
        if let Some(text) = package.quiet_text("[Content_Types].xml") {
            package.read_content_types(&text);
        }
        package
    }

    /// How deep elements may nest in a part.
    pub(crate) fn max_depth(&self) -> usize {
        self.max_depth
    }

    /// The content type of a part.
    pub(crate) fn content_type(&self, part: &str) -> Option<&str> {
        let name = part.trim_start_matches('/').to_lowercase();
        let by_extension = || self.types_by_extension.get(name.rsplit('.').next().unwrap_or_default());
        self.types_by_part.get(&name).or_else(by_extension).map(String::as_str)
    }

    /// The part that the package is about.
    pub(crate) fn main_part(&self) -> Option<String> {
        let parts = self.relationships("").parts_of_kind("officeDocument");
        parts.into_iter().find(|part| self.archive.contains(part))
    }

    /// The part declared with one of these content types, for packages whose relationships are lost.
    pub(crate) fn part_of_type(&self, wanted: impl Fn(&str) -> bool) -> Option<String> {
        let mut parts: Vec<&String> =
            self.types_by_part.iter().filter(|(_, kind)| wanted(kind)).map(|(part, _)| part).collect();
        parts.sort();
        parts.into_iter().find(|part| self.archive.contains(part)).cloned()
    }

    /// The relationships of a part; those of the package itself with an empty name.
    pub(crate) fn relationships(&self, part: &str) -> Relationships {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let separator = if folder.is_empty() { "" } else { "/" };
        let mut relationships = Relationships::default();
        let Some(text) = self.quiet_text(&format!("{folder}{separator}_rels/{file}.rels")) else {
            return relationships;
        };
        let mut xml = Xml::new(&text, self.max_depth);
        loop {
            match xml.next() {
                Token::Open(element) if element.name() == "Relationship" => {
                    let (Some(id), Some(target)) = (element.attribute("Id"), element.attribute("Target"))
                    else {
                        continue;
                    };
                    let kind = element.attribute("Type").unwrap_or_default();
                    let is_external = element.attribute("TargetMode").as_deref() == Some("External");
                    let target = if is_external { target.into_owned() } else { resolve(folder, &target) };
                    let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                    relationships.by_id.entry(id.into_owned()).or_insert(relationships.in_order.len());
                    relationships.in_order.push(Relationship { target, is_external, kind });
                }
                Token::End => return relationships,
                _ => {}
            }
        }
    }

    /// The text of an XML part, `None` where it is missing; what is wrong with it goes to the notices.
    pub(crate) fn text(&self, part: &str, notices: &mut Vec<Notice>) -> Result<Option<String>, ReadError> {
        let Some(expanded) = self.archive.member(part)? else { return Ok(None) };
        if let Some(damage) = expanded.damage {
            notices.push(Notice::new(NoticeKind::Damaged, format!("part {part}: {damage}"), Origin::File));
        }
        let text = decode(expanded.bytes);
        if let Some(name) = first_unexpanded(&text) {
            let message = format!("part {part}: an entity was not expanded (&{name};)");
            notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
        }
        Ok(Some(text))
    }

    /// The text of a part that the document can do without: missing and broken are the same, and a part that is too
    /// large is told.
    pub(crate) fn side_text(&self, part: &str, notices: &mut Vec<Notice>) -> Option<String> {
        match self.text(part, notices) {
            Ok(text) => text,
            Err(error) => {
                notices.push(Notice::new(NoticeKind::Limit, format!("part {part}: {error}"), Origin::File));
                None
            }
        }
    }

    fn quiet_text(&self, part: &str) -> Option<String> {
        Some(decode(self.archive.member(part).ok()??.bytes))
    }

    fn read_content_types(&mut self, text: &str) {
        let mut xml = Xml::new(text, self.max_depth);
        loop {
            match xml.next() {
                Token::Open(element) => {
                    let Some(kind) = element.attribute("ContentType") else { continue };
                    if let Some(part) = element.attribute("PartName") {
                        let part = part.replace('\\', "/").trim_start_matches('/').to_lowercase();
                        self.types_by_part.insert(part, kind.into_owned());
                    } else if let Some(extension) = element.attribute("Extension") {
                        self.types_by_extension.insert(extension.to_lowercase(), kind.into_owned());
                    }
                }
                Token::End => return,
                Token::Close(_) | Token::Text(_) => {}
            }
        }
    }
}

/// A table inside a table takes some four elements, so elements may nest deeper than what they mean.
pub(crate) fn element_depth(limits: &Limits) -> usize {
    limits.max_nesting.saturating_mul(8)
}

fn resolve(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let mut segments: Vec<&str> = match target.starts_with('/') {
        true => Vec::new(),
        false => folder.split('/').filter(|segment| !segment.is_empty()).collect(),
    };
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    segments.join("/")
}
