//! Which lines of a Markdown text are headings, tables and code.

use conspect_model::{Block, BlockKind, Input, Limits, Origin, Scope};
use conspect_text::markdown;

/// Reads Markdown and gives its blocks, one a line: lines, kind, text.
fn check(text: &str, expected: &[&str]) {
    let input = Input::new(text.as_bytes(), "a.md");
    let document = markdown::read(&input, &Scope::default(), &Limits::default()).expect("text is read");
    let blocks: Vec<String> = document.blocks.iter().map(show).collect();
    assert_eq!(blocks, expected, "in {text}");
}

fn show(block: &Block) -> String {
    let Origin::Lines(lines) = block.origin else { panic!("a block without lines: {block:?}") };
    let lines = format!("{}-{}", lines.first, lines.last);
    match &block.kind {
        BlockKind::Heading { level } => format!("{lines} h{level} {}", block.text),
        BlockKind::Code { language } => format!("{lines} code {}", language.as_deref().unwrap_or("?")),
        BlockKind::TableLines { n_header_lines } => format!("{lines} table {n_header_lines}"),
        other => format!("{lines} {other:?}"),
    }
}

#[test]
fn headings_by_hashes() {
    check(
        "# One\ntext\n## Two ##\n   ### Three\n###### Six\n#\n",
        &["1-1 h1 One", "3-3 h2 Two", "4-4 h3 Three", "5-5 h6 Six", "6-6 h1 "],
    );
    check("#hashtag\n####### seven\n    # code\n\\# no\n", &[]);
    check("# C# #\n# `a` [b](c.md) **d** e_f \\* ![g](h)\n", &["1-1 h1 C#", "2-2 h1 a b d e_f * g"]);
}

#[test]
fn headings_by_underline() {
    check("Title\n=====\n\nPart\n---\ntext\n\n---\n", &["1-2 h1 Title", "4-5 h2 Part"]);
    check("over two\nlines\n===\n", &["1-3 h1 over two lines"]);
    check("- item\n---\n\n> quote\n---\n\n***\n---\n", &[]);
}

#[test]
fn what_only_looks_like_a_heading() {
    check("```sh\n# comment\n```\n# real\n", &["1-3 code sh", "4-4 h1 real"]);
    check("~~~~\n~~~\n# no\n~~~~\n", &["1-4 code ?"]);
    check("``` {.python .numbered}\n# no\n", &["1-2 code python"]);
    check("<!--\n# no\n-->\n# yes\n<!-- one line -->\n# yes\n", &["4-4 h1 yes", "6-6 h1 yes"]);
    check("<pre>\n# no\n</pre>\n<present>\n# yes\n", &["5-5 h1 yes"]);
    check("---\ntitle: x\n# comment\n---\n# yes\n", &["5-5 h1 yes"]);
    check("---\n\n# yes\n---\n", &["3-3 h1 yes"]);
    check("1. step\n\n    ```py\n    # no\n    ```\n", &["3-5 code py"]);
    check("use ``` in a sentence\n# yes\n", &["2-2 h1 yes"]);
}

#[test]
fn pipe_tables() {
    check("text\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n\nafter\n", &["3-6 table 2"]);
    check("a | b\n-|-\n1 | 2\n# h\n", &["1-3 table 2", "4-4 h1 h"]);
    check("| a |\n|---|\n", &["1-2 table 2"]);
    check("| a | b |\n|---|\n| 1 | 2 |\n", &[]);
    check("a \\| b | c\n---|---\n", &["1-2 table 2"]);
}

#[test]
fn hostile_texts_are_read_in_time() {
    for text in [
        "[".repeat(1 << 20),
        "`".repeat(1 << 20),
        "# ".to_owned() + &"[a](".repeat(1 << 18),
        "a\n".repeat(1 << 19),
    ]
    .into_iter()
    .chain([
        "> ".repeat(1 << 20),
        "|".repeat(1 << 20) + "\n" + &"-|".repeat(1 << 19),
        "<!--\n".repeat(1 << 18),
    ]) {
        let input = Input::new(text.as_bytes(), "a.md");
        let document = markdown::read(&input, &Scope::default(), &Limits::default()).expect("text is read");
        assert!(document.blocks.len() <= 1);
    }
}
