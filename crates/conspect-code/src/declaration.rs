//! What a declaration says in one line: its name, signature and documentation.

use std::borrow::Cow;
use std::ops::Range;

use conspect_model::SymbolKind;
use tree_sitter::Node;

use crate::query::Compiled;
use crate::source::Source;

/// Characters of a signature that has a body to be cut off.
const SIGNATURE_CHARS: usize = 300;
/// Characters of a declaration that has a value.
const VALUE_CHARS: usize = 100;
/// Characters of a line of documentation.
const DOC_CHARS: usize = 160;
/// Bytes of a declaration that are looked at for its signature.
const SIGNATURE_BYTES: usize = 4096;
/// Nodes of a declaration that are looked at for comments and decorators in its signature. Without a bound, symbols
/// nested thousands deep would each look at thousands of the others.
const SIGNATURE_NODES: usize = 400;

/// The declaration from the start of `outer` to `end`, on one line: without decorators and comments, blanks folded.
pub(crate) fn signature(
    compiled: &Compiled,
    source: &Source<'_>,
    outer: Node<'_>,
    end: usize,
    kind: SymbolKind,
) -> String {
    let start = outer.start_byte();
    let end = source.text.floor_char_boundary(end.max(start).min(start + SIGNATURE_BYTES));
    let holes = holes(compiled, outer, start..end);
    let mut kept = String::new();
    let mut at = start;
    for hole in holes {
        kept.push_str(source.slice(at..hole.start.min(end)));
        kept.push(' ');
        at = hole.end.min(end).max(at);
    }
    kept.push_str(source.slice(at..end));
    let max_chars = match kind {
        // A long value begins on the first line and says no more on the others.
        SymbolKind::Var | SymbolKind::Const | SymbolKind::Field | SymbolKind::Variant => {
            kept = kept.trim_start().lines().next().unwrap_or_default().to_owned();
            VALUE_CHARS
        }
        SymbolKind::Macro => {
            kept = kept.replace("\\\n", " ");
            cut_block(&mut kept, "");
            VALUE_CHARS
        }
        SymbolKind::Type => {
            cut_block(&mut kept, "{…}");
            SIGNATURE_CHARS
        }
        // The query takes the body off where the grammar has one, and a damaged tree may not know it.
        _ => {
            if let Some(block) = kept.find(" {").filter(|&block| !kept[..block].ends_with('=')) {
                kept.truncate(block);
            }
            SIGNATURE_CHARS
        }
    };
    tidy(&kept, max_chars)
}

/// Puts something short for a block in braces, unless it is a value.
fn cut_block(text: &mut String, short: &str) {
    let (Some(start), Some(end)) = (text.find('{'), text.rfind('}')) else { return };
    if start < end && !text[..start].trim_end().ends_with('=') {
        text.replace_range(start..=end, short);
    }
}

/// Blanks folded, and what only announces a body cut off.
pub(crate) fn tidy(text: &str, max_chars: usize) -> String {
    let folded = fold(text, max_chars);
    folded.trim_end_matches([' ', '{', ':', ';', ',', '=']).trim_start_matches(';').trim().to_owned()
}

/// Decorators and comments in a declaration, in order.
fn holes(compiled: &Compiled, outer: Node<'_>, range: Range<usize>) -> Vec<Range<usize>> {
    let mut holes: Vec<Range<usize>> = Vec::new();
    let mut cursor = outer.walk();
    for _ in 0..SIGNATURE_NODES {
        let node = cursor.node();
        if node.start_byte() >= range.end {
            return holes;
        }
        let node_use = compiled.nodes.get(usize::from(node.kind_id())).copied().unwrap_or_default();
        if node_use.is_comment || node_use.is_decorator {
            holes.push(node.byte_range());
        } else if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return holes;
            }
        }
    }
    holes
}

/// The text on one line: runs of blanks become one, and what is too long ends in `…`.
pub(crate) fn fold(text: &str, max_chars: usize) -> String {
    let mut folded = String::new();
    let mut n_chars = 0;
    for word in text.split_whitespace() {
        if n_chars > 0 {
            folded.push(' ');
            n_chars += 1;
        }
        for c in word.chars() {
            if n_chars >= max_chars {
                folded.push('…');
                return folded;
            }
            folded.push(c);
            n_chars += 1;
        }
    }
    // Blanks that line breaks left inside brackets.
    folded.replace("( ", "(").replace(" )", ")").replace(",)", ")")
}

/// The first line of a comment or documentation string that says something, without its marks.
pub(crate) fn doc_line(text: &str) -> Option<String> {
    let text = text.trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B']).trim_matches(['"', '\'']);
    let text = &without_tags(text);
    let marks = ['/', '*', '#', '!', '-', ';', '<', '%', '='];
    // `#:` is how Sphinx marks a comment as documentation.
    let lines = text.lines().map(|line| line.trim().trim_start_matches("#:").trim_start_matches(marks));
    lines.map(|line| line.trim_end_matches("*/").trim()).find_map(|line| {
        let says_something = line.chars().any(char::is_alphanumeric);
        let is_for_tools = line.starts_with('@') || line.starts_with("eslint") || line.starts_with("pylint");
        (says_something && !is_for_tools).then(|| fold(line, DOC_CHARS))
    })
}

/// The text without tags such as `<summary>`, which some languages write in their documentation.
fn without_tags(text: &str) -> Cow<'_, str> {
    if !text.contains("</") && !text.contains("<summary>") {
        return Cow::Borrowed(text);
    }
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        kept.push_str(&rest[..start]);
        match rest[start..].find('>') {
            Some(length) => rest = &rest[start + length + 1..],
            None => break,
        }
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// The name itself, and whether more than it was written: `ns::Type::run` is `run`, `Type<T>` is `Type`.
pub(crate) fn split_name(text: &str) -> (String, bool) {
    let text = text.trim().trim_matches(['"', '\'', '`']).trim_start_matches(':');
    let is_word =
        text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '#' | '~' | ':' | '@'));
    if text.starts_with("operator") || !is_word {
        return (operator_name(text), false);
    }
    let mut depth = 0_i32;
    let mut start = 0;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ':' if depth <= 0 && previous == ':' => start = at + 1,
            _ => {}
        }
        previous = c;
    }
    let last = text[start..].trim();
    if last.starts_with("operator") {
        return (operator_name(last), start > 0);
    }
    (fold(last.split('<').next().unwrap_or_default(), 200), start > 0)
}

/// A conversion is named by its type alone: `operator bool() const` is `operator bool`.
fn operator_name(text: &str) -> String {
    let is_conversion = text.strip_prefix("operator ").is_some_and(|of| of.starts_with(char::is_alphabetic));
    let end = if is_conversion { text.find('(') } else { None };
    fold(text.get(..end.unwrap_or(text.len())).unwrap_or(text), 200)
}

/// A name as written with its owner, in the form that is asked for: `Type.prototype.run` is `Type.run`.
pub(crate) fn qualified(text: &str) -> Option<String> {
    let text = fold(text, 200);
    let plain = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '#' | ':'));
    plain.then(|| text.replace(".prototype.", "."))
}

/// The type in `(r *Runner[T])`.
pub(crate) fn receiver_type(text: &str) -> Option<String> {
    let text = text.trim_matches(['(', ')']);
    let text = text.split('[').next().unwrap_or_default();
    let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').rfind(|word| !word.is_empty());
    word.map(str::to_owned)
}

/// What a declarator of the C family declares.
pub(crate) struct Declared<'n> {
    pub(crate) name: Node<'n>,
    pub(crate) is_function: bool,
}

impl Declared<'_> {
    /// A declaration or field of a function is a function; a type stays a type.
    pub(crate) fn kind(&self, written: SymbolKind) -> SymbolKind {
        match written {
            SymbolKind::Var if self.is_function => SymbolKind::Function,
            SymbolKind::Field if self.is_function => SymbolKind::Method,
            _ => written,
        }
    }
}

/// The name inside a declarator: `*(*table[4])(int)` declares `table`. What stands right around the name decides
/// whether it is a function.
pub(crate) fn declared<'n>(compiled: &Compiled, declarator: Node<'n>) -> Option<Declared<'n>> {
    let node_use =
        |node: Node<'_>| compiled.nodes.get(usize::from(node.kind_id())).copied().unwrap_or_default();
    let mut node = declarator;
    let mut is_function = false;
    loop {
        if node_use(node).is_declarator_name {
            return Some(Declared { name: node, is_function });
        }
        if node_use(node).is_function_declarator {
            is_function = true;
        } else if node.kind() != "parenthesized_declarator" {
            is_function = false;
        }
        let inner = compiled.declarator_field.and_then(|field| node.child_by_field_id(field.get()));
        // Parentheses and references have their declarator as a child without a field.
        node = inner.or_else(|| node.named_child(node.named_child_count().checked_sub(1)? as u32))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_is_its_first_telling_line() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(doc_line(text).as_deref(), expected, "{text}");
        check("\"\"\"Return the  profile.\n\nMore.\"\"\"", Some("Return the profile."));
        check("/**\n * Opens it.\n */", Some("Opens it."));
        check("/// Opens it.\n/// Then reads.\n", Some("Opens it."));
        check("# ----\n# Opens it.", Some("Opens it."));
        check("#: Opens it.\n#: Then reads.", Some("Opens it."));
        check("/* one */", Some("one"));
        check("/// <summary>\n/// Opens <c>it</c>.\n/// </summary>", Some("Opens it."));
        check("//", None);
        check("/** @internal */", None);
    }

    #[test]
    fn names_are_split_from_what_is_written_before_them() {
        let check = |text: &str, name: &str, written: bool| {
            assert_eq!(split_name(text), (name.to_owned(), written), "{text}");
        };
        check("run", "run", false);
        check("ns::Type<a::b>::run", "run", true);
        check("Type<T>", "Type", false);
        check("Type::operator<", "operator<", true);
        check("'quoted'", "quoted", false);
    }

    #[test]
    fn blanks_are_folded_and_long_texts_cut() {
        assert_eq!(fold("def f(\n    a,\n    b,\n) -> int", 100), "def f(a, b) -> int");
        assert_eq!(fold("abc defg", 5), "abc d…");
    }

    #[test]
    fn receivers_are_named_by_their_type() {
        assert_eq!(receiver_type("(r *Runner[T])").as_deref(), Some("Runner"));
        assert_eq!(receiver_type("(Runner)").as_deref(), Some("Runner"));
        assert_eq!(receiver_type("()"), None);
    }
}
