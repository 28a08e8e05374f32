use std::cell::Cell;
use std::ops::{ControlFlow, Range};

use conspect_model::StopToken;
use tree_sitter::{ParseOptions, Parser, Tree};

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoTree {
    /// The caller asked to stop.
    Stopped,
    /// The parse took far more steps than a text of this size should.
    TooManySteps,
}

/// Calls back, each after a hundred steps of the parser: sound code takes far less than one for ten bytes.
const BYTES_PER_CALL: u64 = 8;
/// Calls that even the smallest text may take.
const CALLS_AT_LEAST: u64 = 2_000;
/// How much text is handed to the parser at a time.
const CHUNK_BYTES: usize = 2048;
/// How often, on average, the parser may read a text: a comment without an end makes some grammars read on to the end
/// of the text at every step.
const MAX_READINGS: u64 = 30;
/// Chunks that may be read of even the smallest text.
const CHUNKS_AT_LEAST: u64 = 5_000;

/// Parses a part of the text. A parse that is stopped leaves no tree.
///
/// The bound on steps takes the place of a time limit, which a reader without a clock cannot have, and gives the same
/// tree on a slow machine as on a fast one.
pub(crate) fn parse(
    grammar: &tree_sitter::Language,
    bytes: &[u8],
    part: Option<Range<usize>>,
    stop: &StopToken,
) -> Result<Tree, NoTree> {
    let mut parser = Parser::new();
    if parser.set_language(grammar).is_err() {
        return Err(NoTree::TooManySteps);
    }
    let mut n_bytes = bytes.len();
    if let Some(part) = part {
        n_bytes = part.len();
        let point = |byte: usize| tree_sitter::Point { row: 0, column: byte };
        let range = tree_sitter::Range {
            start_byte: part.start,
            end_byte: part.end,
            start_point: point(part.start),
            end_point: point(part.end),
        };
        if parser.set_included_ranges(&[range]).is_err() {
            return Err(NoTree::TooManySteps);
        }
    }
    let mut n_calls_left = CALLS_AT_LEAST + n_bytes as u64 / BYTES_PER_CALL;
    let n_chunks_left = Cell::new(CHUNKS_AT_LEAST + MAX_READINGS * (n_bytes / CHUNK_BYTES) as u64);
    let mut progress = |_: &tree_sitter::ParseState| {
        n_calls_left = n_calls_left.saturating_sub(1);
        if n_calls_left == 0 || n_chunks_left.get() == 0 || stop.is_stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut text = |at: usize, _| {
        n_chunks_left.set(n_chunks_left.get().saturating_sub(1));
        // Nothing more to read ends a step that would read on and on; the next call back ends the parse.
        let end = if n_chunks_left.get() == 0 { at } else { bytes.len().min(at.saturating_add(CHUNK_BYTES)) };
        bytes.get(at..end).unwrap_or_default()
    };
    let tree = parser.parse_with_options(&mut text, None, Some(options));
    let tree = tree.filter(|_| n_chunks_left.get() > 0);
    tree.ok_or(if stop.is_stopped() { NoTree::Stopped } else { NoTree::TooManySteps })
}

/// How much of a text its tree does not explain: bytes in errors, and one for each token that is missing.
pub(crate) fn n_unparsed(tree: &Tree) -> usize {
    let mut n_unparsed = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            n_unparsed += node.byte_range().len().max(1);
        } else if node.is_missing() {
            n_unparsed += 1;
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return n_unparsed;
            }
        }
    }
}

/// The text with what the groups of `pattern` match turned to blanks.
pub(crate) fn blank(text: &str, bytes: &[u8], pattern: &regex::Regex) -> Vec<u8> {
    let mut blanked = bytes.to_vec();
    for captures in pattern.captures_iter(text) {
        for group in captures.iter().skip(1).flatten() {
            if let Some(part) = blanked.get_mut(group.range()) {
                part.fill(b' ');
            }
        }
    }
    blanked
}
