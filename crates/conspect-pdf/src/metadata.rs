//! What the file says of itself: the information dictionary, the catalog, its XMP packet and the outline.

use conspect_model::{Metadata, OutlineEntry, PageNumber};
use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, DateTime, Dict, Name, Object, ObjectIdentifier, String as PdfString};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::text_string::text_string;
use crate::xmp;

/// Entries of an outline; the longest real ones have some ten thousand.
const MAX_OUTLINE_ENTRIES: usize = 50_000;
const MAX_OUTLINE_DEPTH: usize = 30;
const MAX_NAME_TREE_NODES: usize = 20_000;

/// Reads the metadata and the outline.
pub(crate) fn metadata(pdf: &Pdf) -> Metadata {
    let stated = pdf.metadata();
    let text = |bytes: &Option<Box<[u8]>>| {
        let text = text_string(bytes.as_deref()?);
        let text = text.trim().trim_matches('\0');
        (!text.is_empty()).then(|| text.to_string())
    };
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let mut metadata = Metadata {
        title: text(&stated.title),
        author: text(&stated.author),
        subject: text(&stated.subject),
        keywords: text(&stated.keywords),
        created: stated.creation_date.map(iso_date),
        modified: stated.modification_date.map(iso_date),
        producer: text(&stated.producer).or_else(|| text(&stated.creator)),
        language: catalog
            .get::<PdfString<'_>>(b"Lang")
            .map(|language| text_string(language.as_bytes()))
            .filter(|language| !language.trim().is_empty()),
        outline: outline(pdf, &catalog),
    };
    xmp::complete(&mut metadata, &catalog);
    metadata
}

fn iso_date(date: DateTime) -> String {
    let mut text = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        date.year, date.month, date.day, date.hour, date.minute, date.second
    );
    match (date.utc_offset_hour, date.utc_offset_minute) {
        (0, 0) => text.push('Z'),
        (hour, minute) => {
            let sign = if hour < 0 { '-' } else { '+' };
            text.push_str(&format!("{sign}{:02}:{minute:02}", hour.unsigned_abs()));
        }
    }
    text
}

/// The outline, walked without recursion: it may loop, and it may be deep.
fn outline(pdf: &Pdf, catalog: &Dict<'_>) -> Vec<OutlineEntry> {
    let Some(root) = catalog.get::<Dict<'_>>(b"Outlines") else { return Vec::new() };
    let targets = Targets::of(pdf, catalog);
    let mut entries = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open: Vec<Dict<'_>> = root.get::<Dict<'_>>(b"First").into_iter().collect();
    while let Some(item) = open.pop() {
        if let Some(id) = item.obj_id()
            && !seen.insert(id)
        {
            continue;
        }
        let level = open.len() + 1;
        let title = item.get::<PdfString<'_>>(b"Title").map(|title| text_string(title.as_bytes()));
        if let Some(title) = title {
            entries.push(OutlineEntry {
                level: level.min(255) as u8,
                title: title.split_whitespace().collect::<Vec<_>>().join(" "),
                page: targets.of_item(&item),
            });
        }
        if entries.len() >= MAX_OUTLINE_ENTRIES {
            break;
        }
        // The next sibling waits at this level while the children are walked. A level without one keeps its place with
        // an empty dictionary, so that the stack's height stays the level.
        let first = item.get::<Dict<'_>>(b"First").filter(|_| open.len() < MAX_OUTLINE_DEPTH);
        let next = item.get::<Dict<'_>>(b"Next");
        match (first, next) {
            (Some(first), next) => {
                open.push(next.unwrap_or_default());
                open.push(first);
            }
            (None, Some(next)) => open.push(next),
            (None, None) => {}
        }
    }
    entries
}

/// Where destinations lead.
struct Targets<'a> {
    pages: FxHashMap<ObjectIdentifier, PageNumber>,
    named: FxHashMap<Vec<u8>, Object<'a>>,
}

impl<'a> Targets<'a> {
    fn of(pdf: &'a Pdf, catalog: &Dict<'a>) -> Targets<'a> {
        let pages = pdf.pages().iter().enumerate();
        let pages = pages.filter_map(|(idx, page)| Some((page.raw().obj_id()?, PageNumber::from_idx(idx))));
        let mut named = FxHashMap::default();
        if let Some(old) = catalog.get::<Dict<'a>>(b"Dests") {
            for key in old.keys() {
                if let Some(target) = old.get::<Object<'a>>(key.as_ref()) {
                    named.insert(key.as_ref().to_vec(), target);
                }
            }
        }
        let tree = catalog.get::<Dict<'a>>(b"Names").and_then(|names| names.get::<Dict<'a>>(b"Dests"));
        let mut open: Vec<Dict<'a>> = tree.into_iter().collect();
        let mut n_nodes = 0;
        while let Some(node) = open.pop() {
            n_nodes += 1;
            if n_nodes > MAX_NAME_TREE_NODES {
                break;
            }
            if let Some(names) = node.get::<Array<'a>>(b"Names") {
                let mut names = names.iter::<Object<'a>>();
                while let (Some(Object::String(name)), Some(target)) = (names.next(), names.next()) {
                    named.insert(name.as_bytes().to_vec(), target);
                }
            }
            if let Some(kids) = node.get::<Array<'a>>(b"Kids") {
                open.extend(kids.iter::<Dict<'a>>().take(MAX_NAME_TREE_NODES));
            }
        }
        Targets { pages: pages.collect(), named }
    }

    fn of_item(&self, item: &Dict<'a>) -> Option<PageNumber> {
        let target = item.get::<Object<'a>>(b"Dest").or_else(|| {
            let action = item.get::<Dict<'a>>(b"A")?;
            let leads_here = action.get::<Name<'_>>(b"S").as_deref() == Some(b"GoTo");
            leads_here.then(|| action.get::<Object<'a>>(b"D")).flatten()
        })?;
        let target = match &target {
            Object::Name(name) => self.named.get(name.as_ref())?.clone(),
            Object::String(name) => self.named.get(name.as_bytes())?.clone(),
            other => other.clone(),
        };
        let array = match target {
            Object::Array(array) => array,
            Object::Dict(dict) => dict.get::<Array<'a>>(b"D")?,
            _ => return None,
        };
        let page = array.raw_iter().next()?.as_obj_ref()?;
        self.pages.get(&page.into()).copied()
    }
}
