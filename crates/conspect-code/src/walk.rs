use std::collections::{HashMap, HashSet};
use std::ops::Range;

use conspect_grammars::Blocks;
use conspect_model::{Limits, StopToken, SymbolKind};
use tree_sitter::{Node, QueryCursor, StreamingIterator, Tree};

use crate::declaration;
use crate::parse::parse;
use crate::query::{Capture, Compiled};
use crate::source::Source;

/// A definition as it was found, before it is known what stands around it.
pub(crate) struct Definition {
    pub(crate) kind: SymbolKind,
    pub(crate) name: String,
    /// Where the name stands.
    pub(crate) name_byte: usize,
    /// The name with what is written before it: `Type::method` for a member that is defined outside its type.
    pub(crate) qualified: Option<String>,
    /// From the first decorator or modifier to the end.
    pub(crate) range: Range<usize>,
    pub(crate) signature: String,
    pub(crate) doc: Option<String>,
    /// Whether it was seen to stand inside a function.
    pub(crate) is_local: bool,
    /// Whether it looks like a function and may be a call of a macro that makes something.
    pub(crate) may_be_macro: bool,
}

/// An import as it was found.
pub(crate) struct Import {
    pub(crate) text: String,
    pub(crate) range: Range<usize>,
}

/// What a walk found, in no particular order.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) definitions: Vec<Definition>,
    pub(crate) imports: Vec<Import>,
    /// What the grammar could not parse.
    pub(crate) errors: Vec<Range<usize>>,
    /// The outermost statements that hold an error, in order: its effect ends with them.
    pub(crate) troubled: Vec<Range<usize>>,
    /// Comments and strings in troubled statements: not to be taken for code.
    pub(crate) quoted: Vec<Range<usize>>,
    /// Whether there were more definitions than are asked for.
    pub(crate) is_cut: bool,
}

/// How often text in macro calls is parsed inside text in macro calls.
const MAX_REPARSES: usize = 4;

/// How deep the end of a block is looked for.
const MAX_TRAILING_DEPTH: usize = 40;

/// Walks a tree once and runs the query only at nodes where one of its patterns can begin, passing over what cannot
/// hold a definition.
///
/// A query over the whole tree visits each node with every pattern that is under way, which takes quadratic time on
/// the flat error nodes of broken text, and several times as long as the walk on sound text.
///
/// Ends with the first `max_entries` definitions.
pub(crate) fn walk(
    compiled: &Compiled,
    source: &Source<'_>,
    bytes: &[u8],
    tree: &Tree,
    limits: &Limits,
) -> Found {
    let (stop, max_definitions) = (&limits.stop, limits.max_entries);
    let new_walk = |found: Found, is_sound: bool| Walk {
        compiled,
        source,
        bytes,
        stop,
        max_definitions,
        found,
        known: HashMap::new(),
        functions: HashSet::new(),
        imported: HashMap::new(),
        again: Vec::new(),
        is_sound,
    };
    let mut walk = new_walk(Found::default(), !tree.root_node().has_error());
    walk.tree(tree, false);

    let mut found = walk.found;
    let mut again: Vec<(Again, usize)> = walk.again.into_iter().map(|again| (again, 1)).collect();
    while let Some((Again { part, is_local }, n_reparses)) = again.pop() {
        let Ok(tree) = parse(&compiled.grammar, bytes, Some(part), stop) else { continue };
        // The inside of a macro call need not be sound.
        let mut walk = new_walk(found, true);
        walk.tree(&tree, is_local);
        found = walk.found;
        if n_reparses < MAX_REPARSES {
            again.extend(walk.again.into_iter().map(|again| (again, n_reparses + 1)));
        }
    }
    found
}

struct Walk<'w, 't> {
    compiled: &'w Compiled,
    source: &'w Source<'t>,
    bytes: &'w [u8],
    stop: &'w StopToken,
    max_definitions: usize,
    found: Found,
    /// Definitions by their node and the start of their name: several patterns may find the same one, and the first
    /// in the query counts.
    known: HashMap<(usize, usize), Known>,
    /// The nodes of functions, inside which everything is local.
    functions: HashSet<usize>,
    /// Imports by their node: one match for each of its names.
    imported: HashMap<usize, usize>,
    again: Vec<Again>,
    /// Whether the parse has no errors, or they do not matter.
    is_sound: bool,
}

struct Known {
    pattern_idx: usize,
    definition_idx: usize,
}

/// Text to parse once more.
struct Again {
    part: Range<usize>,
    is_local: bool,
}

/// An ancestor of the node that the walk is at.
struct Frame<'t> {
    node: Node<'t>,
    kind_id: u16,
    /// Whether everything inside stands inside a function.
    is_local: bool,
    /// Whether it belongs to the one definition inside it.
    is_wrapper: bool,
    /// Comments and decorators since the last child that is neither.
    gathering: Leading,
    /// Those before the child that the walk is in.
    leading: Leading,
    /// Where the last child ended.
    last_end: usize,
}

/// What stands right before a node and belongs to it.
#[derive(Clone, Default)]
struct Leading {
    decorators_start: Option<usize>,
    comments: Option<Range<usize>>,
}

impl<'t> Walk<'_, 't> {
    fn tree(&mut self, tree: &Tree, is_local: bool) {
        let mut cursor = tree.walk();
        let mut queries = QueryCursor::new();
        queries.set_max_start_depth(Some(0));
        let mut frames: Vec<Frame<'_>> = Vec::new();
        let mut n_nodes = 0_u32;
        let root = tree.root_node();
        if root.is_error() && !self.is_sound {
            self.found.troubled.push(root.byte_range());
        }
        loop {
            n_nodes = n_nodes.wrapping_add(1);
            if n_nodes.is_multiple_of(4096) && self.stop.is_stopped() {
                return;
            }
            if self.found.definitions.len() >= self.max_definitions {
                self.found.is_cut = true;
                return;
            }
            let node = cursor.node();
            if self.enter(node, &mut frames, &mut queries, is_local) && cursor.goto_first_child() {
                frames.push(self.frame(node, frames.last().map_or(is_local, |frame| frame.is_local)));
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                frames.pop();
            }
        }
    }

    fn frame<'n>(&self, node: Node<'n>, is_local: bool) -> Frame<'n> {
        let node_use = self.node_use(node);
        let is_wrapper = node_use.is_wrapper || (node_use.is_sole_wrapper && self.holds_one(node));
        let defines_function = self.functions.contains(&node.id());
        Frame {
            node,
            kind_id: node.kind_id(),
            is_local: is_local || node_use.is_function_scope || defines_function,
            is_wrapper,
            gathering: Leading::default(),
            leading: Leading::default(),
            last_end: node.start_byte(),
        }
    }

    /// Takes what the node says and tells whether to go inside.
    fn enter<'n>(
        &mut self,
        node: Node<'n>,
        frames: &mut [Frame<'n>],
        queries: &mut QueryCursor,
        is_local: bool,
    ) -> bool {
        let node_use = self.node_use(node);
        let is_local = frames.last().map_or(is_local, |frame| frame.is_local);
        if !self.is_sound {
            self.note_trouble(node, frames.len());
        }
        if let Some(parent) = frames.last_mut() {
            if node_use.is_comment {
                self.gather_comment(node, parent);
            } else if node_use.is_decorator {
                parent.leading = Leading::default();
                parent.gathering.decorators_start.get_or_insert(node.start_byte());
            } else if node.is_named() {
                parent.leading = std::mem::take(&mut parent.gathering);
            }
            parent.last_end = node.end_byte();
        }
        if node_use.is_candidate && !(is_local && node_use.only_values) {
            self.run_query(node, frames, queries, is_local);
        }
        !node_use.is_opaque || (!self.is_sound && node.has_error())
    }

    /// Comments that follow one another line by line are one; those after code on its own line belong to that code.
    fn gather_comment(&self, node: Node<'_>, parent: &mut Frame<'_>) {
        parent.leading = Leading::default();
        let gap = self.source.slice(parent.last_end..node.start_byte());
        let previous_ended_line = self.source.slice(0..parent.last_end).ends_with('\n');
        let n_line_ends = gap.matches('\n').count() + usize::from(previous_ended_line);
        let starts_line = n_line_ends > 0 || parent.last_end == node.start_byte();
        match &mut parent.gathering.comments {
            Some(comments) if n_line_ends <= 1 => comments.end = node.end_byte(),
            comments if starts_line => *comments = Some(node.byte_range()),
            comments => *comments = None,
        }
    }

    fn note_trouble(&mut self, node: Node<'_>, depth: usize) {
        if node.is_error() || node.is_missing() {
            self.found.errors.push(node.byte_range());
        }
        if depth == 1 && node.has_error() {
            self.found.troubled.push(node.byte_range());
        }
        let node_use = self.node_use(node);
        if node_use.is_comment || (node_use.is_opaque && node.kind().contains("string")) {
            self.found.quoted.push(node.byte_range());
        }
    }

    fn run_query<'n>(
        &mut self,
        node: Node<'n>,
        frames: &[Frame<'n>],
        queries: &mut QueryCursor,
        is_local: bool,
    ) {
        let compiled = self.compiled;
        let mut matches = queries.matches(&compiled.query, node, self.bytes);
        while let Some(found) = matches.next() {
            if let Some(Some(under)) = compiled.conditions.get(found.pattern_index) {
                let ancestors = frames.iter().rev().filter(|frame| !self.is_passed_over(frame));
                if !under.holds(ancestors.map(|frame| frame.kind_id)) {
                    continue;
                }
            }
            let captured = |wanted: Capture| {
                let captures = found.captures().iter();
                captures.filter(move |capture| compiled.captures.get(capture.index as usize) == Some(&wanted))
            };
            let first = |wanted: Capture| captured(wanted).next().map(|capture| capture.node);
            for capture in found.captures() {
                match compiled.captures.get(capture.index as usize) {
                    Some(&Capture::Definition(kind)) => {
                        // Of a definition below the node where its pattern begins, nothing is known but itself.
                        let frames = if capture.node.id() == node.id() { frames } else { &[] };
                        let parts = Parts {
                            name: first(Capture::Name),
                            declarator: first(Capture::Declarator),
                            body: first(Capture::Body),
                            doc: first(Capture::Doc),
                            receiver: first(Capture::Receiver),
                            qualified: first(Capture::Qualified),
                        };
                        self.define(kind, capture.node, parts, frames, is_local, found.pattern_index);
                    }
                    Some(Capture::Import) if !is_local => {
                        let module = first(Capture::ImportModule);
                        for name in captured(Capture::ImportName) {
                            self.import(node, module, Some(name.node));
                        }
                        if first(Capture::ImportName).is_none() {
                            self.import(node, None, None);
                        }
                    }
                    Some(Capture::Reparse) if !is_local => {
                        let part = capture.node.start_byte() + 1..capture.node.end_byte().saturating_sub(1);
                        if part.start < part.end {
                            self.again.push(Again { part, is_local });
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// A wrapper says nothing of where a definition stands.
    fn is_passed_over(&self, frame: &Frame<'_>) -> bool {
        let node_use = self.node_use(frame.node);
        node_use.is_wrapper || node_use.is_sole_wrapper
    }

    fn define<'n>(
        &mut self,
        kind: SymbolKind,
        node: Node<'n>,
        parts: Parts<'n>,
        frames: &[Frame<'n>],
        is_local: bool,
        pattern_idx: usize,
    ) {
        let is_value = matches!(kind, SymbolKind::Var | SymbolKind::Const | SymbolKind::Field);
        if is_local && is_value {
            return;
        }
        let mut kind = kind;
        let mut may_be_macro = false;
        let name = match (parts.name, parts.declarator) {
            (Some(name), _) => name,
            (None, Some(declarator)) => {
                let Some(declared) = declaration::declared(self.compiled, declarator) else { return };
                kind = declared.kind(kind);
                may_be_macro = declared.is_function && self.is_macro_name(node, declared.name);
                declared.name
            }
            (None, None) => return,
        };
        let place = self.place(node, frames);
        let doc = match parts.doc {
            Some(doc) => declaration::doc_line(self.source.slice(doc.byte_range())),
            None => place.comments.and_then(|comments| self.doc_comment(comments)),
        };
        let key = (node.id(), name.start_byte());
        if let Some(known) = self.known.get_mut(&key) {
            let Some(definition) = self.found.definitions.get_mut(known.definition_idx) else { return };
            if definition.doc.is_none() {
                definition.doc = doc;
            }
            if known.pattern_idx <= pattern_idx {
                return;
            }
            known.pattern_idx = pattern_idx;
            definition.kind = kind;
            let ends = parts.body.map_or(place.range.end, |body| body.start_byte());
            definition.signature =
                declaration::signature(self.compiled, self.source, place.outer, ends, kind);
            return;
        }

        let text = self.source.slice(name.byte_range());
        let (name_text, written) = declaration::split_name(text);
        // Some languages write `_` for a value that nobody needs.
        if name_text.is_empty() || (is_value && name_text == "_") {
            return;
        }
        let qualified = match (parts.receiver, parts.qualified) {
            (Some(receiver), _) => {
                let receiver = declaration::receiver_type(self.source.slice(receiver.byte_range()));
                receiver.map(|receiver| format!("{receiver}{}{name_text}", self.compiled.language.separator))
            }
            (None, Some(qualified)) => declaration::qualified(self.source.slice(qualified.byte_range())),
            (None, None) => written.then(|| declaration::fold(text, 200)),
        };
        let ends = parts.body.map_or(place.range.end, |body| body.start_byte());
        let signature = declaration::signature(self.compiled, self.source, place.outer, ends, kind);
        let definition_idx = self.found.definitions.len();
        self.known.insert(key, Known { pattern_idx, definition_idx });
        if matches!(kind, SymbolKind::Function | SymbolKind::Method) {
            self.functions.insert(node.id());
        }
        self.found.definitions.push(Definition {
            kind,
            name: name_text,
            name_byte: name.end_byte().saturating_sub(1).max(name.start_byte()),
            qualified,
            range: place.range,
            signature,
            doc,
            is_local,
            may_be_macro,
        });
    }

    /// Whether a function without a type has the name of a macro.
    fn is_macro_name(&self, node: Node<'_>, name: Node<'_>) -> bool {
        let Some(pattern) = &self.compiled.patterns.macro_name else { return false };
        let name = self.source.slice(name.byte_range());
        pattern.is_match(name) && node.child_by_field_name("type").is_none()
    }

    /// The range of a definition with its wrappers and what leads them, and the comments before it.
    fn place<'n>(&self, node: Node<'n>, frames: &[Frame<'n>]) -> Place<'n> {
        let mut place = Place { range: node.byte_range(), outer: node, comments: None };
        if self.compiled.language.blocks == Blocks::Indent {
            place.range.end = self.end_of_code(node);
        }
        let mut child_start = node.start_byte();
        for frame in frames.iter().rev() {
            if let Some(start) = frame.leading.decorators_start {
                place.range.start = place.range.start.min(start);
            }
            if place.comments.is_none() {
                place.comments = frame.leading.comments.clone().filter(|comments| {
                    let next = frame.leading.decorators_start.filter(|&start| start > comments.start);
                    self.is_right_before(comments, next.unwrap_or(child_start))
                });
            }
            if frame.is_wrapper {
                place.range.start = place.range.start.min(frame.node.start_byte());
                place.range.end = place.range.end.max(frame.node.end_byte());
                place.outer = frame.node;
            } else if frame.node.start_byte() != child_start {
                break;
            }
            child_start = frame.node.start_byte();
        }
        place
    }

    /// Where a node ends without the comments that trail it: where indentation ends a block, a comment at its end may
    /// as well belong to what follows.
    fn end_of_code(&self, node: Node<'_>) -> usize {
        let mut cursor = node.walk();
        for _ in 0..MAX_TRAILING_DEPTH {
            if !cursor.goto_last_child() {
                break;
            }
            while self.node_use(cursor.node()).is_comment {
                if !cursor.goto_previous_sibling() {
                    return node.end_byte();
                }
            }
        }
        cursor.node().end_byte()
    }

    fn is_right_before(&self, comments: &Range<usize>, next: usize) -> bool {
        let ends_line = self.source.slice(comments.clone()).ends_with('\n');
        let gap = self.source.slice(comments.end..next);
        gap.matches('\n').count() + usize::from(ends_line) <= 1
    }

    fn doc_comment(&self, comments: Range<usize>) -> Option<String> {
        let text = self.source.slice(comments);
        let is_doc = self.compiled.patterns.doc_comment.as_ref().is_none_or(|pattern| pattern.is_match(text));
        if is_doc { declaration::doc_line(text) } else { None }
    }

    fn import(&mut self, node: Node<'_>, module: Option<Node<'_>>, name: Option<Node<'_>>) {
        let slice = |node: Node<'_>| self.source.slice(node.byte_range());
        let text = match (module, name) {
            (Some(module), Some(name)) => {
                let separator = self.compiled.language.import_separator;
                let module = slice(module);
                let separator = if module.ends_with(separator) { "" } else { separator };
                format!("{module}{separator}{}", slice(name))
            }
            (_, Some(name)) => slice(name).trim_matches(['"', '\'', '`', '<', '>']).to_owned(),
            (_, None) => {
                let text = declaration::fold(slice(node), 200);
                match &self.compiled.patterns.import_trim {
                    Some(trim) => trim.replace_all(&text, "").trim().to_owned(),
                    None => text,
                }
            }
        };
        if text.is_empty() {
            return;
        }
        match self.imported.get(&node.id()).and_then(|&idx| self.found.imports.get_mut(idx)) {
            Some(import) => {
                import.text.push('\n');
                import.text.push_str(&text);
            }
            None => {
                self.imported.insert(node.id(), self.found.imports.len());
                self.found.imports.push(Import { text, range: node.byte_range() });
            }
        }
    }

    /// Whether exactly one child says something.
    fn holds_one(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).filter(|child| !self.node_use(*child).is_comment).count() == 1
    }

    fn node_use(&self, node: Node<'_>) -> crate::query::NodeUse {
        self.compiled.nodes.get(usize::from(node.kind_id())).copied().unwrap_or_default()
    }
}

/// What one match of the query says of a definition.
struct Parts<'n> {
    name: Option<Node<'n>>,
    declarator: Option<Node<'n>>,
    body: Option<Node<'n>>,
    doc: Option<Node<'n>>,
    receiver: Option<Node<'n>>,
    qualified: Option<Node<'n>>,
}

/// Where a definition stands.
struct Place<'n> {
    range: Range<usize>,
    /// The node that its signature begins with: itself, or its outermost wrapper.
    outer: Node<'n>,
    comments: Option<Range<usize>>,
}
