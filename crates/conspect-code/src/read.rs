use std::borrow::Cow;
use std::collections::HashMap;

use conspect_grammars::{Blocks, Language};
use conspect_model::{
    BlockKind, Document, Extent, Format, Input, Limits, Notice, NoticeKind, Origin, ReadError, Scope,
    TextLines,
};
use conspect_text::SourceText;

use crate::detect::{by_name, language_of};
use crate::line_rules;
use crate::nest;
use crate::parse::{NoTree, blank, n_unparsed, parse};
use crate::query::{compiled, patterns};
use crate::source::Source;
use crate::walk::{Found, walk};

/// Larger texts are not parsed: a syntax tree takes some ten times the memory of its text.
const MAX_PARSED_BYTES: usize = 16 << 20;
/// A longer line is one that no person wrote.
const MINIFIED_LINE_BYTES: usize = 20_000;
/// The same of the mean length of all lines.
const MINIFIED_MEAN_BYTES: usize = 500;
/// How many places with syntax errors are named one by one.
const MAX_SYNTAX_NOTICES: usize = 20;

/// What a file without a language is called.
const NO_LANGUAGE: &str = "code";

/// Reads source code: the file's own lines, and its imports and symbols as blocks over them.
pub fn read<'a>(input: &Input<'a>, _scope: &Scope, limits: &Limits) -> Result<Document<'a>, ReadError> {
    let source_text = SourceText::decode(input, limits)?;
    let language = language_of(input.bytes, input.name).and_then(by_name);
    let mut document = Document::new(Format::Code(language.map_or(NO_LANGUAGE, |language| language.name)));
    document.notices = source_text.notices();
    document.encoding = Some(source_text.encoding().clone());

    let text = source_text.text();
    let source = Source::new(&text);
    if let Some(message) = minified(&source) {
        document.notices.push(Notice::new(NoticeKind::Guessed, message, Origin::File));
    }
    let mut found = find(language, input, &source, limits, &mut document.notices);
    if found.is_cut || found.definitions.len() >= limits.max_entries {
        found.definitions.truncate(limits.max_entries);
        let message = format!("there are more symbols than the {} that are listed", limits.max_entries);
        document.notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
    }
    let patterns = language.map(patterns);
    document.blocks =
        nest::blocks(language, patterns.as_ref(), &source, found.definitions, found.imports, limits);
    let symbols = document.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Symbol(_)));
    document.extent = Extent {
        n_lines: source_text.n_lines() as u64,
        n_symbols: u32::try_from(symbols.count()).unwrap_or(u32::MAX),
        ..Extent::default()
    };
    document.lines = Some(Box::new(source_text));
    Ok(document)
}

/// Finds what there is: through the grammar, and by line rules where it fails.
fn find(
    language: Option<&'static Language>,
    input: &Input<'_>,
    source: &Source<'_>,
    limits: &Limits,
    notices: &mut Vec<Notice>,
) -> Found {
    let by_lines = |why: String| {
        let message = format!("{why}; symbols were found line by line, so some may be missing or wrong");
        Notice::new(NoticeKind::Guessed, message, Origin::File)
    };
    let whole_by_lines = || {
        let definitions = line_rules::definitions(
            language,
            source,
            std::slice::from_ref(&(0..source.text.len())),
            &[],
            limits,
        );
        Found { definitions, ..Found::default() }
    };

    let Some(compiled) = language.and_then(compiled) else {
        let extension = input.extension();
        let what = if extension.is_empty() { "this file".to_owned() } else { format!(".{extension}") };
        notices.push(by_lines(format!("there is no grammar for {what}")));
        return whole_by_lines();
    };
    if source.text.len() > MAX_PARSED_BYTES {
        notices.push(by_lines(format!("the file is larger than {} MiB", MAX_PARSED_BYTES >> 20)));
        return whole_by_lines();
    }
    let mut bytes = source.for_parser();
    let mut tree = match parse(&compiled.grammar, &bytes, None, &limits.stop) {
        Ok(tree) => tree,
        Err(NoTree::Stopped) => {
            notices.push(by_lines("reading was stopped before the file was parsed".to_owned()));
            return whole_by_lines();
        }
        Err(NoTree::TooManySteps) => {
            notices.push(by_lines("the grammar needs too many steps for this file".to_owned()));
            return whole_by_lines();
        }
    };
    if let Some(pattern) = compiled.patterns.blanked.as_ref().filter(|_| tree.root_node().has_error()) {
        let blanked = blank(source.text, &bytes, pattern);
        if let Ok(second) = parse(&compiled.grammar, &blanked, None, &limits.stop)
            && n_unparsed(&second) < n_unparsed(&tree)
        {
            tree = second;
            bytes = Cow::Owned(blanked);
        }
    }
    let mut found = walk(compiled, source, &bytes, &tree, limits);
    if !found.troubled.is_empty() {
        add_by_lines(compiled.language, source, &mut found, limits);
        notices.extend(syntax_notices(source, &found));
    }
    found
}

/// Adds what line rules find in troubled statements and the walk did not.
///
/// Where indentation ends a block, it says more surely than a damaged tree where a definition ends.
fn add_by_lines(language: &Language, source: &Source<'_>, found: &mut Found, limits: &Limits) {
    let (troubled, quoted) = (&found.troubled, &found.quoted);
    let by_lines = line_rules::definitions(Some(language), source, troubled, quoted, limits);
    let mut known: HashMap<(usize, String), usize> = HashMap::new();
    for (idx, definition) in found.definitions.iter().enumerate() {
        known.insert((source.line_idx(definition.name_byte), definition.name.clone()), idx);
    }
    for definition in by_lines {
        let key = (source.line_idx(definition.name_byte), definition.name.clone());
        let walked = known.get(&key).and_then(|&idx| found.definitions.get_mut(idx));
        match walked {
            None => found.definitions.push(definition),
            Some(walked) if language.blocks == Blocks::Indent && definition.range.end < walked.range.end => {
                walked.range.end = definition.range.end;
                walked.signature = definition.signature;
            }
            Some(_) => {}
        }
    }
}

/// One notice for each place with an error, up to some number.
fn syntax_notices(source: &Source<'_>, found: &Found) -> Vec<Notice> {
    let places = nest::line_ranges(source, &found.errors);
    let n_more = places.len().saturating_sub(MAX_SYNTAX_NOTICES);
    let mut notices: Vec<Notice> = places
        .into_iter()
        .take(MAX_SYNTAX_NOTICES)
        .map(|lines| {
            let message = "the grammar cannot parse this; symbols here were found line by line";
            Notice::new(NoticeKind::Syntax, message, Origin::Lines(lines))
        })
        .collect();
    if n_more > 0 {
        let message = format!("{n_more} more places that the grammar cannot parse");
        notices.push(Notice::new(NoticeKind::Syntax, message, Origin::File));
    }
    notices
}

/// What a text looks like that was made by a program to be small.
fn minified(source: &Source<'_>) -> Option<String> {
    let n_lines = source.n_lines().max(1);
    let longest = (0..source.n_lines()).map(|line_idx| source.line(line_idx).len()).max().unwrap_or(0);
    let is_minified = longest > MINIFIED_LINE_BYTES
        || (source.text.len() / n_lines > MINIFIED_MEAN_BYTES && longest > 2 * MINIFIED_MEAN_BYTES);
    is_minified.then(|| format!("the text looks minified: its longest line has {longest} bytes"))
}
