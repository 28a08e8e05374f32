use std::ops::Range;

use conspect_grammars::{Blocks, Language};
use conspect_model::{Limits, SymbolKind};
use regex::{Regex, RegexSet};

use crate::declaration;
use crate::source::Source;
use crate::walk::Definition;

/// Bytes of a line that a rule looks at.
const LINE_BYTES: usize = 1000;

/// Rules for languages that have none of their own: words that begin a definition nearly everywhere.
const GENERIC: &[(&str, &str)] = &[
    (
        "class",
        r"^\s*(?:(?:public|private|protected|internal|export|abstract|final|sealed|data|open|static|case|default|partial)\s+)*class\s+(?<name>\w+)",
    ),
    (
        "interface",
        r"^\s*(?:(?:public|private|protected|internal|export|sealed|unsafe|pub)\s+)*(?:interface|trait|protocol)\s+(?<name>\w+)",
    ),
    (
        "struct",
        r"^\s*(?:(?:public|private|internal|export|pub|typedef|packed|extern)\s+)*(?:struct|record|union)\s+(?<name>\w+)",
    ),
    ("enum", r"^\s*(?:(?:public|private|internal|export|pub|typedef)\s+)*enum\s+(?:class\s+)?(?<name>\w+)"),
    ("module", r"^\s*(?:pub\s+|export\s+)?(?:module|defmodule|namespace|package)\s+(?<name>[\w.:]+)"),
    (
        "function",
        r"^\s*(?:(?:public|private|protected|internal|export|static|async|local|pub|inline|override|open|final|suspend|unsafe|const|default)\s+)*(?:def|defp|defmacro|function|func|fn|fun|sub|proc|procedure|subroutine|method)\s+(?<name>[\w.:!?]+)",
    ),
    ("type", r"^\s*(?:(?:public|private|export|pub)\s+)*type\s+(?<name>\w+)\s*="),
];

/// Definitions told by single lines, within the given parts of the text.
///
/// Rougher than a grammar: nesting and ends come from indentation.
pub(crate) fn definitions(
    language: Option<&Language>,
    source: &Source<'_>,
    parts: &[Range<usize>],
    quoted: &[Range<usize>],
    limits: &Limits,
) -> Vec<Definition> {
    let rules = Rules::of(language);
    let Some(rules) = rules else { return Vec::new() };
    let blocks = language.map_or(Blocks::Braces, |language| language.blocks);
    let mut definitions: Vec<Definition> = Vec::new();
    // Definitions whose end is not known yet, with their indentation.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut last_text_end = 0;
    let (mut part_idx, mut quoted_idx) = (0, 0);
    let first_line = parts.first().map_or(source.n_lines(), |part| source.line_idx(part.start));
    for line_idx in first_line..source.n_lines() {
        if definitions.len() >= limits.max_entries || (line_idx % 4096 == 0 && limits.stop.is_stopped()) {
            break;
        }
        let start = source.line_start(line_idx);
        while parts.get(part_idx).is_some_and(|part| part.end <= start) {
            part_idx += 1;
        }
        let line = source.line(line_idx);
        let is_wanted = parts.get(part_idx).is_some_and(|part| part.start < start + line.len().max(1));
        if !is_wanted && open.is_empty() {
            if part_idx >= parts.len() {
                break;
            }
            continue;
        }
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        let indent = line.len() - trimmed.len();
        let text_start = start + indent;
        while quoted.get(quoted_idx).is_some_and(|quoted| quoted.end <= text_start) {
            quoted_idx += 1;
        }
        let is_quoted = quoted.get(quoted_idx).is_some_and(|quoted| quoted.start < text_start);
        if is_quoted {
            last_text_end = start + line.len();
            continue;
        }

        let closes = trimmed.starts_with(['}', ')', ']']) || is_word(trimmed, "end");
        let continues =
            trimmed.starts_with(['{', ')', ']']) || trimmed.starts_with("->") || is_word(trimmed, "where");
        while let Some(&(definition_idx, open_indent)) = open.last() {
            let ends_here = indent == open_indent && closes && blocks != Blocks::Indent;
            if indent > open_indent || (indent == open_indent && continues) {
                break;
            }
            if let Some(definition) = definitions.get_mut(definition_idx) {
                definition.range.end = if ends_here { start + line.len() } else { last_text_end };
            }
            open.pop();
            if ends_here {
                break;
            }
        }
        last_text_end = start + line.len();

        if !is_wanted {
            continue;
        }
        let Some((kind, name, name_start)) = rules.find(line) else { continue };
        let (last_name, written) = declaration::split_name(&name);
        if !is_complete(trimmed) {
            open.push((definitions.len(), indent));
        }
        definitions.push(Definition {
            kind,
            name: last_name,
            name_byte: start + name_start,
            qualified: written.then_some(name),
            range: text_start..start + line.len(),
            signature: declaration::tidy(trimmed.split(" {").next().unwrap_or(trimmed), 200),
            doc: None,
            is_local: false,
            may_be_macro: false,
        });
    }
    for (definition_idx, _) in open {
        if let Some(definition) = definitions.get_mut(definition_idx) {
            definition.range.end = last_text_end.max(definition.range.end);
        }
    }
    definitions
}

/// Whether the line is the whole definition.
fn is_complete(line: &str) -> bool {
    let line = line.trim_end();
    let balanced = line.matches('{').count() == line.matches('}').count();
    line.ends_with([';', '}']) && balanced
}

fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

struct Rules {
    /// All of them at once: most lines match none.
    any: RegexSet,
    each: Vec<(SymbolKind, Regex)>,
}

impl Rules {
    fn of(language: Option<&Language>) -> Option<Rules> {
        let own = language.map_or(&[][..], |language| language.line_rules);
        let rules: Vec<(&str, &str)> = match own {
            [] => GENERIC.to_vec(),
            own => own.iter().map(|rule| (rule.kind, rule.pattern)).collect(),
        };
        let any = RegexSet::new(rules.iter().map(|(_, pattern)| pattern)).ok()?;
        let mut each = Vec::new();
        for (kind, pattern) in rules {
            each.push((SymbolKind::from_name(kind)?, Regex::new(pattern).ok()?));
        }
        Some(Rules { any, each })
    }

    /// The kind and name that the first fitting rule gives a line, and where in it the name stands.
    fn find(&self, line: &str) -> Option<(SymbolKind, String, usize)> {
        let line = &line[..line.floor_char_boundary(LINE_BYTES)];
        let rule_idx = self.any.matches(line).into_iter().next()?;
        let (kind, pattern) = self.each.get(rule_idx)?;
        let name = pattern.captures(line)?.name("name")?;
        Some((*kind, name.as_str().to_owned(), name.start()))
    }
}
