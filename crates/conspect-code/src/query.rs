use std::sync::OnceLock;

use conspect_grammars::{LANGUAGES, Language};
use conspect_model::SymbolKind;
use regex::Regex;
use tree_sitter::{Query, QueryPredicateArg};

/// A language made ready: its query and node kinds looked up in its grammar, its patterns compiled.
pub(crate) struct Compiled {
    pub(crate) language: &'static Language,
    pub(crate) grammar: tree_sitter::Language,
    pub(crate) query: Query,
    /// What each capture of the query means, by its index.
    pub(crate) captures: Vec<Capture>,
    /// For each pattern of the query, the ancestors that it asks for.
    pub(crate) conditions: Vec<Option<Under>>,
    /// What the walk does at a node, by the id of its kind.
    pub(crate) nodes: Vec<NodeUse>,
    /// The field that leads from a declarator to the one inside it.
    pub(crate) declarator_field: Option<std::num::NonZeroU16>,
    pub(crate) patterns: Patterns,
}

/// What a capture means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capture {
    /// The node of a definition.
    Definition(SymbolKind),
    /// Its name.
    Name,
    /// The outermost of its declarators, inside which the name stands.
    Declarator,
    /// What the signature ends before.
    Body,
    /// Its documentation, where that stands inside it.
    Doc,
    /// The type it belongs to, where that does not stand around it.
    Receiver,
    /// The name with everything that stands before it.
    Qualified,
    /// An import.
    Import,
    /// The module that an import takes from.
    ImportModule,
    /// What is imported.
    ImportName,
    /// Text that is parsed once more as if it stood by itself: the inside of a macro call.
    Reparse,
    /// Of no meaning here; used by a predicate.
    Other,
}

/// The kinds of the ancestors of a node, from its parent upward, wrappers passed over.
pub(crate) struct Under(Vec<Vec<u16>>);

impl Under {
    pub(crate) fn holds(&self, mut ancestors: impl Iterator<Item = u16>) -> bool {
        self.0.iter().all(|kinds| ancestors.next().is_some_and(|kind| kinds.contains(&kind)))
    }
}

/// What the walk does at nodes of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NodeUse {
    /// The query is run here.
    pub(crate) is_candidate: bool,
    /// Nothing but variables and fields is found here, which count for nothing inside functions.
    pub(crate) only_values: bool,
    pub(crate) is_opaque: bool,
    pub(crate) is_function_scope: bool,
    pub(crate) is_wrapper: bool,
    pub(crate) is_sole_wrapper: bool,
    pub(crate) is_decorator: bool,
    pub(crate) is_comment: bool,
    pub(crate) is_declarator_name: bool,
    pub(crate) is_function_declarator: bool,
}

/// The regular expressions of a language.
pub(crate) struct Patterns {
    pub(crate) doc_comment: Option<Regex>,
    pub(crate) macro_name: Option<Regex>,
    pub(crate) macro_rules: Vec<(SymbolKind, Regex)>,
    pub(crate) blanked: Option<Regex>,
    pub(crate) private_name: Option<Regex>,
    pub(crate) constant_name: Option<Regex>,
    pub(crate) public_signature: Option<Regex>,
    pub(crate) private_signature: Option<Regex>,
    pub(crate) import_trim: Option<Regex>,
}

/// The language made ready, once for the life of the program: a query takes milliseconds to compile, more than most
/// files take to parse. `None` where it has no grammar, or where its folder is faulty, which its tests find.
pub(crate) fn compiled(language: &'static Language) -> Option<&'static Compiled> {
    static COMPILED: OnceLock<Vec<OnceLock<Option<Compiled>>>> = OnceLock::new();
    let all = COMPILED.get_or_init(|| LANGUAGES.iter().map(|_| OnceLock::new()).collect());
    let idx = LANGUAGES.iter().position(|known| known.name == language.name)?;
    all.get(idx)?.get_or_init(|| compile(language)).as_ref()
}

/// The patterns alone, for a language that is read by line rules.
pub(crate) fn patterns(language: &Language) -> Patterns {
    let regex = |pattern: Option<&str>| pattern.and_then(|pattern| Regex::new(pattern).ok());
    Patterns {
        doc_comment: regex(language.doc_comment),
        macro_name: regex(language.macro_name),
        macro_rules: language
            .macro_rules
            .iter()
            .filter_map(|rule| Some((SymbolKind::from_name(rule.kind)?, Regex::new(rule.pattern).ok()?)))
            .collect(),
        blanked: regex(language.blanked),
        private_name: regex(language.private_name),
        constant_name: regex(language.constant_name),
        public_signature: regex(language.public_signature),
        private_signature: regex(language.private_signature),
        import_trim: regex(language.import_trim),
    }
}

fn compile(language: &'static Language) -> Option<Compiled> {
    let grammar = tree_sitter::Language::new(language.grammar?);
    let query = Query::new(&grammar, language.query).ok()?;
    let captures: Vec<Capture> = query.capture_names().iter().map(|name| capture(name)).collect();

    let mut nodes = vec![NodeUse::default(); grammar.node_kind_count()];
    let mut mark = |kinds: &[&str], set: fn(&mut NodeUse)| {
        for kind in kinds {
            if let Some(node) = nodes.get_mut(usize::from(grammar.id_for_node_kind(kind, true))) {
                set(node);
            }
        }
    };
    mark(language.opaque, |node| node.is_opaque = true);
    mark(language.function_scopes, |node| node.is_function_scope = true);
    mark(language.wrappers, |node| node.is_wrapper = true);
    mark(language.sole_wrappers, |node| node.is_sole_wrapper = true);
    mark(language.decorators, |node| node.is_decorator = true);
    mark(language.comments, |node| node.is_comment = true);
    mark(language.declarator_names, |node| node.is_declarator_name = true);
    mark(language.function_declarators, |node| node.is_function_declarator = true);

    let mut conditions = Vec::new();
    for pattern_idx in 0..query.pattern_count() {
        let span = query.start_byte_for_pattern(pattern_idx)..query.end_byte_for_pattern(pattern_idx);
        let pattern = language.query.get(span)?;
        let values = ["@def.var", "@def.const", "@def.field", "@def.variant"];
        let only_values = values.iter().any(|value| pattern.contains(value));
        for kind in root_kinds(pattern) {
            let node = nodes.get_mut(usize::from(grammar.id_for_node_kind(kind, true)))?;
            node.only_values = only_values && (node.only_values || !node.is_candidate);
            node.is_candidate = true;
        }
        conditions.push(under(&query, pattern_idx, &grammar));
    }
    Some(Compiled {
        language,
        captures,
        conditions,
        nodes,
        declarator_field: grammar.field_id_for_name("declarator"),
        patterns: patterns(language),
        query,
        grammar,
    })
}

fn capture(name: &str) -> Capture {
    match name {
        "name" => Capture::Name,
        "declarator" => Capture::Declarator,
        "body" => Capture::Body,
        "doc" => Capture::Doc,
        "receiver" => Capture::Receiver,
        "qualified" => Capture::Qualified,
        "import" => Capture::Import,
        "import.module" => Capture::ImportModule,
        "import.name" => Capture::ImportName,
        "reparse" => Capture::Reparse,
        _ => match name.strip_prefix("def.").and_then(SymbolKind::from_name) {
            Some(kind) => Capture::Definition(kind),
            None => Capture::Other,
        },
    }
}

/// The node kinds at which a pattern can begin: `(kind ..`, `((kind ..) ..` or each of `[(kind ..) (kind ..)]`.
///
/// The query engine knows them and does not tell, and the walk must know where to run it.
fn root_kinds(pattern: &str) -> Vec<&str> {
    let kind_at = |start: usize| {
        let rest = pattern.get(start..).unwrap_or_default();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    };
    let Some(mut first) = pattern.find(['(', '[']) else { return Vec::new() };
    while pattern[first..].starts_with("((") || pattern[first..].starts_with("([") {
        first += 1;
    }
    if pattern[first..].starts_with('(') {
        return vec![kind_at(first + 1)];
    }
    let mut kinds = Vec::new();
    let mut depth = 0;
    for (at, c) in pattern.char_indices().skip_while(|(at, _)| *at <= first) {
        match c {
            '(' | '[' => {
                if depth == 0 {
                    kinds.push(kind_at(at + 1));
                }
                depth += 1;
            }
            ')' | ']' if depth == 0 => break,
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    kinds
}

/// The condition `(#under? "parent" "grandparent|or-another")` of a pattern.
fn under(query: &Query, pattern_idx: usize, grammar: &tree_sitter::Language) -> Option<Under> {
    let predicate =
        query.general_predicates(pattern_idx).iter().find(|found| &*found.operator == "under?")?;
    let mut levels = Vec::new();
    for arg in &predicate.args {
        let QueryPredicateArg::String(kinds) = arg else { continue };
        levels.push(kinds.split('|').map(|kind| grammar.id_for_node_kind(kind, true)).collect());
    }
    Some(Under(levels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_with_a_grammar_compiles() {
        for language in LANGUAGES.iter().filter(|language| language.grammar.is_some()) {
            let Some(compiled) = compiled(language) else { panic!("{} does not compile", language.name) };
            assert!(compiled.nodes.iter().any(|node| node.is_candidate), "{}", language.name);
        }
    }

    #[test]
    fn patterns_compile_and_line_rules_name_a_kind() {
        for language in LANGUAGES {
            let patterns = [
                language.doc_comment,
                language.macro_name,
                language.blanked,
                language.private_name,
                language.constant_name,
                language.test_name,
                language.public_signature,
                language.private_signature,
                language.import_trim,
            ];
            let claims = language.claims.iter().map(|(_, pattern)| *pattern);
            for pattern in patterns.into_iter().flatten().chain(claims) {
                assert!(Regex::new(pattern).is_ok(), "{}: {pattern}", language.name);
            }
            for rule in language.line_rules.iter().chain(language.macro_rules) {
                assert!(SymbolKind::from_name(rule.kind).is_some(), "{}: {}", language.name, rule.kind);
                let pattern = Regex::new(rule.pattern).expect(rule.pattern);
                assert!(pattern.capture_names().flatten().any(|name| name == "name"), "{}", rule.pattern);
            }
        }
    }

    #[test]
    fn captures_of_every_query_have_a_meaning() {
        for language in LANGUAGES.iter().filter(|language| language.grammar.is_some()) {
            let Some(compiled) = compiled(language) else { continue };
            for (name, capture) in compiled.query.capture_names().iter().zip(&compiled.captures) {
                assert!(*capture != Capture::Other || name.starts_with('_'), "{}: @{name}", language.name);
            }
        }
    }

    #[test]
    fn root_kinds_are_those_a_pattern_begins_with() {
        assert_eq!(root_kinds("(a (b) @x) @y"), ["a"]);
        assert_eq!(root_kinds("[(a (c)) (b)] @import"), ["a", "b"]);
        assert_eq!(root_kinds("((a) (#eq? @x \"y\"))"), ["a"]);
        assert_eq!(root_kinds(""), Vec::<&str>::new());
    }
}
