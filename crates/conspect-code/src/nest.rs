use std::cmp::Reverse;

use conspect_grammars::Language;
use conspect_model::{Block, BlockKind, Limits, LineRange, Origin, Symbol, SymbolKind};

use crate::declaration;
use crate::query::Patterns;
use crate::source::Source;
use crate::walk::{Definition, Import};

/// Puts definitions and imports in source order, finds what stands inside what, and makes blocks of them.
///
/// A symbol's parent is the innermost definition whose range holds it. Definitions past `max_nesting` are siblings of
/// the last ones that are not, so that names stay short on text that nests without end.
pub(crate) fn blocks(
    language: Option<&Language>,
    patterns: Option<&Patterns>,
    source: &Source<'_>,
    mut definitions: Vec<Definition>,
    mut imports: Vec<Import>,
    limits: &Limits,
) -> Vec<Block> {
    definitions.sort_by_key(|definition| {
        (definition.range.start, Reverse(definition.range.end), definition.name_byte)
    });
    imports.sort_by_key(|import| import.range.start);
    definitions.retain(|definition| definition.kind != SymbolKind::Var || !is_import(definition, &imports));
    let separator = language.map_or(".", |language| language.separator);

    let mut blocks: Vec<Block> = Vec::new();
    let mut around: Vec<Around> = Vec::new();
    let mut imports = imports.into_iter().peekable();
    for mut definition in definitions {
        let mut group: Vec<Import> = Vec::new();
        while let Some(import) = imports.next_if(|import| import.range.start < definition.range.start) {
            // What a module inside the file takes from elsewhere says little of the file.
            if around.iter().all(|outer| outer.range.end <= import.range.start) {
                group.push(import);
            }
        }
        push_imports(&mut blocks, group, source);
        while around.last().is_some_and(|outer| !outer.holds(&definition)) {
            around.pop();
        }
        name_macro_call(&mut definition, patterns, &blocks, around.last());
        let symbol = symbol(patterns, language, source, &definition, &blocks, around.last(), separator);
        let place = Around { range: definition.range.clone(), block_idx: blocks.len(), depth: symbol.depth };
        let can_hold =
            !matches!(symbol.kind, SymbolKind::Macro | SymbolKind::Type) && around.len() < limits.max_nesting;
        let origin = Origin::Lines(source.line_range(&definition.range));
        blocks.push(Block::new(BlockKind::Symbol(Box::new(symbol)), definition.signature, origin));
        if can_hold {
            around.push(place);
        }
    }
    let outside = |import: &Import| around.iter().all(|outer| outer.range.end <= import.range.start);
    push_imports(&mut blocks, imports.filter(outside).collect(), source);
    blocks
}

/// Whether a variable is only the name that an import gets here: `const fs = require("fs")`.
fn is_import(definition: &Definition, imports: &[Import]) -> bool {
    let n_before = imports.partition_point(|import| import.range.start <= definition.name_byte);
    let import = n_before.checked_sub(1).and_then(|idx| imports.get(idx));
    import.is_some_and(|import| definition.name_byte < import.range.end)
}

/// A definition that others may stand in.
struct Around {
    range: std::ops::Range<usize>,
    block_idx: usize,
    depth: u32,
}

impl Around {
    /// Several names of one declaration have one range, and do not hold one another.
    fn holds(&self, inner: &Definition) -> bool {
        inner.range.start < self.range.end && inner.range.end <= self.range.end && inner.range != self.range
    }
}

/// `TEST(Suite, case) { .. }` makes something, and unless the macro is known nobody can tell what; it is called by what
/// is written. A constructor looks the same, and stands in the type of its name.
fn name_macro_call(
    definition: &mut Definition,
    patterns: Option<&Patterns>,
    blocks: &[Block],
    around: Option<&Around>,
) {
    let parent = around.and_then(|around| blocks.get(around.block_idx));
    let is_constructor = matches!(parent.map(|block| &block.kind), Some(BlockKind::Symbol(symbol)) if symbol.name == definition.name);
    if !definition.may_be_macro || is_constructor {
        return;
    }
    let rules = patterns.map(|patterns| patterns.macro_rules.as_slice()).unwrap_or_default();
    let known = rules.iter().find_map(|(kind, pattern)| {
        Some((*kind, pattern.captures(&definition.signature)?.name("name")?.as_str().to_owned()))
    });
    if let Some((kind, name)) = known {
        definition.kind = kind;
        definition.name = name;
    } else {
        definition.kind = SymbolKind::Object;
        definition.name = declaration::fold(&definition.signature, 100);
    }
}

/// Imports without a symbol between them are one block.
fn push_imports(blocks: &mut Vec<Block>, imports: Vec<Import>, source: &Source<'_>) {
    let (Some(first), Some(last)) = (imports.first(), imports.last()) else { return };
    let range = first.range.start..last.range.end.max(first.range.end);
    let origin = Origin::Lines(source.line_range(&range));
    let text: Vec<String> = imports.into_iter().map(|import| import.text).collect();
    blocks.push(Block::new(BlockKind::Imports, text.join("\n"), origin));
}

fn symbol(
    patterns: Option<&Patterns>,
    language: Option<&Language>,
    source: &Source<'_>,
    definition: &Definition,
    blocks: &[Block],
    around: Option<&Around>,
    separator: &str,
) -> Symbol {
    let parent = around.and_then(|around| match &blocks.get(around.block_idx)?.kind {
        BlockKind::Symbol(symbol) => Some((around, symbol.as_ref())),
        _ => None,
    });
    let parent_kind = parent.map(|(_, symbol)| symbol.kind);
    let matches =
        |pattern: Option<&regex::Regex>, text: &str| pattern.is_some_and(|found| found.is_match(text));
    let constant_name = patterns.and_then(|patterns| patterns.constant_name.as_ref());

    let kind = match (definition.kind, parent_kind) {
        (SymbolKind::Function, Some(parent)) if parent.is_container() && parent != SymbolKind::Module => {
            SymbolKind::Method
        }
        (SymbolKind::Var, Some(parent)) if parent.is_container() && parent != SymbolKind::Module => {
            SymbolKind::Field
        }
        (SymbolKind::Var, _) if matches(constant_name, &definition.name) => SymbolKind::Const,
        (kind, _) => kind,
    };
    let parent_is_function =
        parent_kind.is_some_and(|kind| matches!(kind, SymbolKind::Function | SymbolKind::Method));
    let is_local =
        definition.is_local || parent_is_function || parent.is_some_and(|(_, symbol)| symbol.is_local);
    let own = definition.qualified.as_deref().unwrap_or(&definition.name);
    let qualified_name = match parent {
        // A qualified name as written stands by itself unless the parent is a namespace.
        Some((_, symbol)) if definition.qualified.is_none() || symbol.kind == SymbolKind::Module => {
            format!("{}{separator}{own}", symbol.qualified_name)
        }
        _ => own.to_owned(),
    };
    Symbol {
        kind,
        name: definition.name.clone(),
        qualified_name,
        name_line: source.line_number(definition.name_byte),
        signature: definition.signature.clone(),
        doc: definition.doc.clone(),
        depth: parent.map_or(0, |(around, _)| around.depth + 1),
        parent: parent.map(|(around, _)| around.block_idx),
        is_local,
        is_exported: !is_local
            && is_exported(patterns, language, definition, parent.map(|(_, symbol)| symbol)),
    }
}

/// What can be seen from other files: by the signature's words, by the name's form, and not without the parent.
fn is_exported(
    patterns: Option<&Patterns>,
    language: Option<&Language>,
    definition: &Definition,
    parent: Option<&Symbol>,
) -> bool {
    let Some(patterns) = patterns else { return true };
    let matches =
        |pattern: &Option<regex::Regex>, text: &str| pattern.as_ref().map(|found| found.is_match(text));
    if matches(&patterns.private_name, &definition.name) == Some(true)
        || matches(&patterns.private_signature, &definition.signature) == Some(true)
    {
        return false;
    }
    if parent.is_some_and(|parent| !parent.is_exported && parent.kind != SymbolKind::Impl) {
        return false;
    }
    let is_given = match parent {
        None => false,
        Some(parent) => match parent.kind {
            SymbolKind::Interface | SymbolKind::Enum | SymbolKind::Variant => true,
            SymbolKind::Impl => parent.signature.contains(" for "),
            SymbolKind::Module => false,
            _ => language.is_some_and(|language| !language.members_need_public),
        },
    };
    let is_impl = definition.kind == SymbolKind::Impl;
    is_given || is_impl || matches(&patterns.public_signature, &definition.signature).unwrap_or(true)
}

/// The lines of these ranges, joined where they touch.
pub(crate) fn line_ranges(source: &Source<'_>, ranges: &[std::ops::Range<usize>]) -> Vec<LineRange> {
    let mut lines: Vec<LineRange> = ranges.iter().map(|range| source.line_range(range)).collect();
    lines.sort_by_key(|range| (range.first, range.last));
    let mut joined: Vec<LineRange> = Vec::new();
    for range in lines {
        match joined.last_mut() {
            Some(last) if range.first.get() <= last.last.get() + 1 => last.last = last.last.max(range.last),
            _ => joined.push(range),
        }
    }
    joined
}
