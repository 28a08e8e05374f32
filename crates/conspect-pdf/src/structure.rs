//! The structure tree of a tagged PDF (ISO 32000-1, 14.7 and 14.8): what the file itself says its pieces of text are.
//!
//! The tree is read from the marked content of a page upwards, through the parent tree, so that a few pages of a large
//! file cost what those pages hold. Whether it is to be believed is for the layout to judge.

use std::ops::RangeInclusive;

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, String as PdfString};
use hayro_syntax::xref::XRef;
use rustc_hash::FxHashMap;

use crate::glyph::{PageContent, Tag};
use crate::text_string::text_string;

/// Elements of a file that are kept; beyond them, pages are read without the tree.
const MAX_ELEMENTS: usize = 1_000_000;
/// How deep elements may nest. Real trees stay below thirty.
const MAX_DEPTH: usize = 100;
/// How many roles may lead from one to the next.
const MAX_ROLE_STEPS: usize = 16;
const MAX_ROLES: usize = 10_000;
/// Nodes of the parent tree from its root to a leaf, and nodes that are looked at.
const MAX_TREE_DEPTH: usize = 32;
const MAX_TREE_NODES: usize = 100_000;
/// Entries of the parent tree's leaves that are kept, and marked content of one page.
const MAX_PARENTS: usize = 1_000_000;
/// Children of one element whose order is known.
const MAX_CHILDREN: usize = 1_000_000;
/// Cells of one row.
const MAX_CELLS: usize = 1000;
/// Bytes of an alternate text.
const MAX_TEXT: usize = 20_000;

/// An element of the structure tree, by its index in [`Structure::elements`].
pub(crate) type ElementId = u32;

/// What an element is, as far as that matters for text (ISO 32000-1, 14.8.4; ISO 32000-2, 14.8.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Holds others and says nothing of their kind: a part, a section, a role nobody knows.
    Group,
    /// A group that headings without a level count as one.
    Section,
    /// `None` for one whose level is that of its section.
    Heading(Option<u8>),
    Title,
    Paragraph,
    List,
    Item,
    Label,
    ItemBody,
    Table,
    /// The head of a table.
    Head,
    Row,
    HeaderCell,
    Cell,
    Caption,
    Code,
    Quote,
    Note,
    Figure,
    Formula,
    /// A part of the text of the element around it.
    Inline,
}

/// One element.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub role: Role,
    pub parent: Option<ElementId>,
    /// Its place among its parent's children.
    pub place: u32,
    /// What to say of it to those who cannot see it.
    pub alternate: Option<String>,
    /// What it says in place of what its glyphs say.
    pub actual_text: Option<String>,
    /// Of a cell: how many rows and columns it covers.
    pub n_rows: u16,
    pub n_columns: u16,
    /// Of a header cell: whether it is the header of a row rather than of a column.
    pub heads_row: bool,
    /// Of a row: its cells, also those that hold nothing.
    pub cells: Vec<ElementId>,
}

/// The structure tree, as far as the pages read so far led into it.
pub(crate) struct Structure<'a> {
    xref: &'a XRef,
    root: Option<ObjectIdentifier>,
    /// What a role of the file's own stands for.
    roles: FxHashMap<Vec<u8>, Vec<u8>>,
    classes: Option<Dict<'a>>,
    /// The nodes of the parent tree, the root first.
    nodes: Vec<Node<'a>>,
    n_parents: usize,
    known: FxHashMap<ObjectIdentifier, Option<ElementId>>,
    /// The places of elements among their parent's children.
    places: FxHashMap<ObjectIdentifier, u32>,
    pub elements: Vec<Element>,
}

/// A node of the parent tree.
enum Node<'a> {
    Unread(Dict<'a>),
    Leaf(FxHashMap<i32, Entry<'a>>),
    /// The nodes below, with the keys they hold.
    Inner(Vec<(RangeInclusive<i32>, usize)>),
}

/// An entry of the parent tree.
#[derive(Clone)]
enum Entry<'a> {
    Elsewhere(ObjectIdentifier),
    Here(Object<'a>),
}

/// What the tree says of one page's marked content.
#[derive(Debug, Default)]
pub(crate) struct PageStructure {
    /// For every tag of the page the element that it is content of.
    pub elements: Vec<Option<ElementId>>,
    /// Elements that the parent tree has for this page, whether or not they have text.
    pub present: Vec<ElementId>,
}

impl<'a> Structure<'a> {
    /// The structure tree of the catalog, if it has one that leads from pages to elements.
    pub(crate) fn of_catalog(catalog: &Dict<'a>, xref: &'a XRef) -> Option<Structure<'a>> {
        let root = catalog.get::<Dict<'a>>(b"StructTreeRoot")?;
        let parent_tree = root.get::<Dict<'a>>(b"ParentTree")?;
        let mut roles = FxHashMap::default();
        if let Some(map) = root.get::<Dict<'a>>(b"RoleMap") {
            for key in map.keys().take(MAX_ROLES) {
                if let Some(role) = map.get::<Name<'_>>(key.as_ref()) {
                    roles.insert(key.as_ref().to_vec(), role.as_ref().to_vec());
                }
            }
        }
        Some(Structure {
            xref,
            root: root.obj_id(),
            roles,
            classes: root.get::<Dict<'a>>(b"ClassMap"),
            nodes: vec![Node::Unread(parent_tree)],
            n_parents: 0,
            known: FxHashMap::default(),
            places: FxHashMap::default(),
            elements: Vec::new(),
        })
    }

    pub(crate) fn element(&self, id: ElementId) -> Option<&Element> {
        self.elements.get(id as usize)
    }

    /// The element and those around it, from the inside out.
    pub(crate) fn around(&self, id: ElementId) -> impl Iterator<Item = (ElementId, &Element)> {
        let mut next = Some(id);
        std::iter::from_fn(move || {
            let id = next?;
            let element = self.element(id)?;
            next = element.parent;
            Some((id, element))
        })
    }

    /// The places from the root down to the element: what comes first is lower.
    pub(crate) fn path(&self, id: ElementId) -> Vec<u32> {
        let mut path: Vec<u32> = self.around(id).map(|(_, element)| element.place).collect();
        path.reverse();
        path
    }

    /// What the tree says of the page's content.
    pub(crate) fn page(&mut self, page: &Dict<'_>, content: &PageContent) -> PageStructure {
        let mut found = PageStructure::default();
        let mut by_holder: FxHashMap<i32, Vec<Option<ElementId>>> = FxHashMap::default();
        if let Some(holder) = page.get::<i32>(b"StructParents") {
            let parents = self.parents_of(holder);
            found.present = parents.iter().flatten().copied().collect();
            found.present.sort_unstable();
            found.present.dedup();
            by_holder.insert(holder, parents);
        }
        for tag in &content.tags {
            let element = match *tag {
                Tag::Artifact => None,
                Tag::Whole { holder } => match self.parent_entry(holder) {
                    Some(Object::Dict(dict)) => self.load(&dict),
                    _ => None,
                },
                Tag::Content { holder, mcid } => {
                    let parents = by_holder.entry(holder).or_insert_with(|| self.parents_of(holder));
                    parents.get(mcid as usize).copied().flatten()
                }
            };
            found.elements.push(element);
        }
        found
    }

    /// The elements that the contents of a page or form belong to, by their numbers.
    fn parents_of(&mut self, holder: i32) -> Vec<Option<ElementId>> {
        let Some(Object::Array(parents)) = self.parent_entry(holder) else { return Vec::new() };
        // A number without an element is null, which an iterator of dictionaries would pass over.
        let parents = parents.raw_iter().take(MAX_PARENTS);
        parents
            .map(|parent| match self.known_element(&parent) {
                Some(known) => known,
                None => match self.resolve(parent) {
                    Some(Object::Dict(dict)) => self.load(&dict),
                    _ => None,
                },
            })
            .collect()
    }

    fn known_element(&self, parent: &MaybeRef<Object<'a>>) -> Option<Option<ElementId>> {
        self.known.get(&parent.as_obj_ref()?.into()).copied()
    }

    fn resolve(&self, object: MaybeRef<Object<'a>>) -> Option<Object<'a>> {
        match object {
            MaybeRef::Ref(id) => self.xref.get::<Object<'a>>(id.into()),
            MaybeRef::NotRef(object) => Some(object),
        }
    }

    /// The parent tree's entry: an element, or the elements of a page's contents.
    fn parent_entry(&mut self, key: i32) -> Option<Object<'a>> {
        let mut node_idx = 0;
        for _ in 0..MAX_TREE_DEPTH {
            match self.node(node_idx)? {
                Node::Unread(_) => return None,
                Node::Leaf(entries) => {
                    return match entries.get(&key)?.clone() {
                        Entry::Elsewhere(id) => self.xref.get::<Object<'a>>(id),
                        Entry::Here(object) => Some(object),
                    };
                }
                Node::Inner(kids) => {
                    node_idx = kids.iter().find(|(keys, _)| keys.contains(&key))?.1;
                }
            }
        }
        None
    }

    /// A node of the parent tree. Some producers write one leaf for the whole file: every node is taken apart once.
    fn node(&mut self, node_idx: usize) -> Option<&Node<'a>> {
        if let Some(Node::Unread(dict)) = self.nodes.get(node_idx) {
            let dict = dict.clone();
            let node = match dict.get::<Array<'a>>(b"Nums") {
                Some(numbers) => Node::Leaf(self.entries(&numbers)),
                None => Node::Inner(self.kids(&dict)),
            };
            self.nodes[node_idx] = node;
        }
        self.nodes.get(node_idx)
    }

    fn entries(&mut self, numbers: &Array<'a>) -> FxHashMap<i32, Entry<'a>> {
        let mut entries = FxHashMap::default();
        let mut numbers = numbers.raw_iter();
        while let (Some(MaybeRef::NotRef(Object::Number(key))), Some(entry)) =
            (numbers.next(), numbers.next())
        {
            self.n_parents += 1;
            if self.n_parents > MAX_PARENTS {
                break;
            }
            if let Ok(key) = i32::try_from(key.as_i64()) {
                entries.insert(
                    key,
                    match entry {
                        MaybeRef::Ref(id) => Entry::Elsewhere(id.into()),
                        MaybeRef::NotRef(object) => Entry::Here(object),
                    },
                );
            }
        }
        entries
    }

    /// The nodes below a node, with the keys they say they hold.
    fn kids(&mut self, node: &Dict<'a>) -> Vec<(RangeInclusive<i32>, usize)> {
        let mut found = Vec::new();
        let Some(kids) = node.get::<Array<'a>>(b"Kids") else { return found };
        for kid in kids.iter::<Dict<'a>>().take(MAX_TREE_NODES.saturating_sub(self.nodes.len())) {
            let limits = kid.get::<Array<'a>>(b"Limits");
            let mut limits = limits.iter().flat_map(|limits| limits.iter::<i32>());
            let keys = limits.next().unwrap_or(i32::MIN)..=limits.next().unwrap_or(i32::MAX);
            found.push((keys, self.nodes.len()));
            self.nodes.push(Node::Unread(kid));
        }
        found
    }

    /// The element, and before it those around it, from the outermost on. `None` for what the root does not lead to.
    fn load(&mut self, dict: &Dict<'a>) -> Option<ElementId> {
        let mut chain: Vec<Dict<'a>> = Vec::new();
        let mut id = dict.obj_id();
        let mut here = Some(dict.clone());
        let mut parent: Option<ElementId> = None;
        loop {
            // By its number before it is looked at: the dictionary of one with many children is long.
            if let Some(id) = id {
                if let Some(known) = self.known.get(&id) {
                    parent = Some((*known)?);
                    break;
                }
                if Some(id) == self.root {
                    break;
                }
            }
            let dict = here.take().or_else(|| self.xref.get::<Dict<'a>>(id?));
            let is_new = |dict: &Dict<'a>| !chain.iter().any(|below| is_same(below, dict));
            let Some(dict) = dict.filter(|dict| chain.len() < MAX_DEPTH && is_new(dict)) else {
                self.forget(&chain);
                return None;
            };
            let is_root = dict.get::<Name<'_>>(b"S").is_none();
            if is_root {
                break;
            }
            id = dict.get_ref(b"P").map(ObjectIdentifier::from);
            chain.push(dict);
        }
        let depth = parent.map_or(0, |parent| self.around(parent).count());
        if depth + chain.len() > MAX_DEPTH || self.elements.len() + chain.len() > MAX_ELEMENTS {
            return None;
        }
        while let Some(dict) = chain.pop() {
            // A row has brought its cells along.
            let known = dict.obj_id().and_then(|id| self.known.get(&id).copied().flatten());
            parent = Some(known.unwrap_or_else(|| self.add(&dict, parent)));
        }
        parent
    }

    /// Remembers that the tree does not hold these, so that nobody climbs from them again.
    fn forget(&mut self, chain: &[Dict<'a>]) {
        self.known.extend(chain.iter().filter_map(|dict| Some((dict.obj_id()?, None))));
    }

    fn add(&mut self, dict: &Dict<'a>, parent: Option<ElementId>) -> ElementId {
        let id = self.elements.len() as ElementId;
        let role = self.role(dict);
        let place = dict.obj_id().and_then(|id| self.place(id, dict)).unwrap_or(0);
        let attributes = match role {
            Role::Cell | Role::HeaderCell => self.attributes(dict),
            _ => Vec::new(),
        };
        let span = |key: &[u8]| {
            let span = attributes.iter().find_map(|attributes| attributes.get::<i32>(key)).unwrap_or(1);
            span.clamp(1, MAX_CELLS as i32) as u16
        };
        let scope = attributes.iter().find_map(|attributes| attributes.get::<Name<'_>>(b"Scope"));
        self.elements.push(Element {
            role,
            parent,
            place,
            alternate: text(dict, b"Alt"),
            actual_text: text(dict, b"ActualText"),
            n_rows: span(b"RowSpan"),
            n_columns: span(b"ColSpan"),
            heads_row: scope.as_deref() == Some(b"Row"),
            cells: Vec::new(),
        });
        if let Some(object) = dict.obj_id() {
            self.known.insert(object, Some(id));
        }
        if role == Role::Row {
            let cells = self.cells(dict, id);
            if let Some(row) = self.elements.get_mut(id as usize) {
                row.cells = cells;
            }
        }
        id
    }

    /// The cells of a row. Those without text are found in no other way.
    fn cells(&mut self, row: &Dict<'a>, row_id: ElementId) -> Vec<ElementId> {
        let mut cells = Vec::new();
        let kids: Vec<ObjectIdentifier> = match row.get_raw::<Object<'a>>(b"K") {
            Some(MaybeRef::NotRef(Object::Array(kids))) => references(&kids),
            Some(MaybeRef::Ref(id)) => match self.xref.get::<Object<'a>>(id.into()) {
                Some(Object::Array(kids)) => references(&kids),
                _ => vec![id.into()],
            },
            _ => Vec::new(),
        };
        // What is reached from below does not lead down again: the library takes that for a loop.
        for kid in kids.into_iter().filter_map(|id| self.xref.get::<Dict<'a>>(id)) {
            if self.elements.len() >= MAX_ELEMENTS {
                break;
            }
            let is_known = kid.obj_id().is_some_and(|id| self.known.contains_key(&id));
            if !is_known && matches!(self.role(&kid), Role::Cell | Role::HeaderCell) {
                cells.push(self.add(&kid, Some(row_id)));
            }
        }
        cells
    }

    /// Where the element stands among the children of its parent, which are counted once.
    fn place(&mut self, id: ObjectIdentifier, dict: &Dict<'a>) -> Option<u32> {
        if let Some(place) = self.places.get(&id) {
            return Some(*place);
        }
        if let Object::Array(kids) = dict.get::<Dict<'a>>(b"P")?.get::<Object<'a>>(b"K")? {
            for (place, kid) in kids.raw_iter().take(MAX_CHILDREN).enumerate() {
                if let Some(kid) = kid.as_obj_ref()
                    && self.places.len() < MAX_CHILDREN
                {
                    self.places.entry(kid.into()).or_insert(place as u32);
                }
            }
        }
        // A parent that does not name it is asked once as well.
        Some(*self.places.entry(id).or_insert(0))
    }

    fn role(&self, dict: &Dict<'_>) -> Role {
        let Some(name) = dict.get::<Name<'_>>(b"S") else { return Role::Group };
        let mut name = name.as_ref().to_vec();
        for _ in 0..MAX_ROLE_STEPS {
            // A standard role is what it is called, whatever the map makes of it.
            if let Some(role) = standard_role(&name) {
                return role;
            }
            match self.roles.get(&name) {
                Some(next) => name.clone_from(next),
                None => break,
            }
        }
        Role::Group
    }

    /// The attributes of an element: its own, then those of its classes.
    fn attributes(&self, dict: &Dict<'a>) -> Vec<Dict<'a>> {
        const MAX_ATTRIBUTES: usize = 64;
        let listed = |object: Option<Object<'a>>| match object {
            Some(Object::Array(many)) => many.iter::<Dict<'a>>().take(MAX_ATTRIBUTES).collect(),
            Some(Object::Dict(one)) => vec![one],
            _ => Vec::new(),
        };
        let mut attributes = listed(dict.get::<Object<'a>>(b"A"));
        if let (Some(map), Some(classes)) = (&self.classes, dict.get::<Object<'a>>(b"C")) {
            let names = match classes {
                Object::Name(one) => vec![one],
                Object::Array(many) => many.iter::<Name<'a>>().take(MAX_ATTRIBUTES).collect(),
                _ => Vec::new(),
            };
            for name in names {
                attributes.extend(listed(map.get::<Object<'a>>(name.as_ref())));
            }
        }
        attributes
    }
}

fn references(kids: &Array<'_>) -> Vec<ObjectIdentifier> {
    kids.raw_iter().take(MAX_CELLS).filter_map(|kid| Some(kid.as_obj_ref()?.into())).collect()
}

fn is_same(a: &Dict<'_>, b: &Dict<'_>) -> bool {
    match (a.obj_id(), b.obj_id()) {
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

fn text(dict: &Dict<'_>, key: &[u8]) -> Option<String> {
    let bytes = dict.get::<PdfString<'_>>(key)?;
    let text = text_string(bytes.as_bytes().get(..MAX_TEXT).unwrap_or(bytes.as_bytes()));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text)
}

fn standard_role(name: &[u8]) -> Option<Role> {
    Some(match name {
        b"Document" | b"DocumentFragment" | b"Div" | b"NonStruct" | b"Private" | b"Index" | b"TOC"
        | b"TBody" | b"TFoot" | b"Form" | b"Aside" => Role::Group,
        b"Part" | b"Art" | b"Sect" => Role::Section,
        b"H" => Role::Heading(None),
        b"Title" => Role::Title,
        b"P" | b"TOCI" => Role::Paragraph,
        b"L" => Role::List,
        b"LI" => Role::Item,
        b"Lbl" => Role::Label,
        b"LBody" => Role::ItemBody,
        b"Table" => Role::Table,
        b"THead" => Role::Head,
        b"TR" => Role::Row,
        b"TH" => Role::HeaderCell,
        b"TD" => Role::Cell,
        b"Caption" => Role::Caption,
        b"Code" => Role::Code,
        b"BlockQuote" => Role::Quote,
        b"Note" | b"FENote" => Role::Note,
        b"Figure" => Role::Figure,
        b"Formula" => Role::Formula,
        b"Span" | b"Quote" | b"Reference" | b"BibEntry" | b"Link" | b"Annot" | b"Em" | b"Strong" | b"Sub"
        | b"Ruby" | b"RB" | b"RT" | b"RP" | b"Warichu" | b"WT" | b"WP" => Role::Inline,
        [b'H', digits @ ..] => {
            let level = std::str::from_utf8(digits).ok()?.parse::<u8>().ok()?;
            Role::Heading(Some(level.clamp(1, 6)))
        }
        _ => return None,
    })
}
