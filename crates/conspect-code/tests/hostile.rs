//! Broken and hostile text ends soon, without a panic, and with the symbols that are plain to see.

use conspect_model::{BlockKind, Document, Input, Limits, NoticeKind, Scope};

fn read<'a>(text: &'a str, name: &'a str) -> Document<'a> {
    conspect_code::read(&Input::new(text.as_bytes(), name), &Scope::default(), &Limits::default())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn names(document: &Document<'_>) -> Vec<String> {
    let symbols = document.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Symbol(symbol) => Some(symbol.qualified_name.clone()),
        _ => None,
    });
    symbols.collect()
}

const NAMES: &[&str] = &[
    "a.py",
    "a.rs",
    "a.js",
    "a.ts",
    "a.tsx",
    "a.go",
    "a.java",
    "a.c",
    "a.cpp",
    "a.rb",
    "a.php",
    "a.sh",
    "a.cs",
    "a.kt",
    "a.swift",
    "a.scala",
    "a.lua",
    "a.unknown",
    "a",
];

/// M9: the time for unclosed brackets does not grow with their square.
#[test]
fn unclosed_brackets_do_not_take_forever() {
    for bracket in ["(", "[", "{", "<", "f(", "{a:", "class A{", "if ", "\"", "/*", "$("] {
        let text = bracket.repeat(2_000);
        for name in NAMES {
            read(&text, name);
        }
    }
}

#[test]
fn deep_nesting_keeps_names_short() {
    let text = "mod a {".repeat(5_000) + &"}".repeat(5_000);
    let document = read(&text, "a.rs");
    assert!(names(&document).iter().all(|name| name.len() < 1000));
}

#[test]
fn any_bytes_are_read_or_refused() {
    let mut state = 7_u32;
    let mut bytes = Vec::new();
    for _ in 0..4_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        bytes.push((state >> 24) as u8);
    }
    for length in [0, 1, 2, 3, 10, 100, 4_000] {
        for name in NAMES {
            let input = Input::new(&bytes[..length], name);
            let _ = conspect_code::read(&input, &Scope::default(), &Limits::default());
        }
    }
}

#[test]
fn symbols_after_an_error_are_found() {
    let check = |name: &str, text: &str, expected: &[&str]| {
        let document = read(text, name);
        let found = names(&document);
        for name in expected {
            assert!(found.iter().any(|found| found == name), "{name} in {found:?}");
        }
        assert!(document.notices.iter().any(|notice| notice.kind == NoticeKind::Syntax), "{name}");
    };
    check(
        "a.py",
        "def a(:\n    pass\n\nclass B:\n    def c(self):\n        x = (\n\ndef d():\n    pass\n",
        &["a", "B", "B.c", "d"],
    );
    check("a.go", "package a\nfunc a( {\n}\nfunc b() {\n}\ntype C struct {\n\tx int\n", &["a", "b", "C"]);
    check(
        "a.ts",
        "export function a( {\n}\nexport const b = (\n  x: number\n) => x;\nclass C {\n}\n",
        &["a", "b", "C"],
    );
}

#[test]
fn a_language_without_a_grammar_is_read_line_by_line() {
    let document = read("class Shape {\n  void draw() {}\n}\n\nfunc main() {\n}\n", "a.unknown");
    assert_eq!(names(&document), ["Shape", "main"]);
    assert_eq!(document.notices.len(), 1);
    assert_eq!(document.notices[0].kind, NoticeKind::Guessed);
}

#[test]
fn a_stopped_read_gives_what_lines_say_or_nothing() {
    let limits = Limits::default();
    limits.stop.stop();
    let text = "def a(): pass\n".repeat(2_000);
    let read = conspect_code::read(&Input::new(text.as_bytes(), "a.py"), &Scope::default(), &limits);
    let document = read.expect("text");
    assert!(
        document.notices.iter().any(|notice| matches!(notice.kind, NoticeKind::Guessed | NoticeKind::Limit))
    );
}

#[test]
fn more_symbols_than_the_limit_are_cut_with_a_notice() {
    let limits = Limits { max_entries: 10, ..Limits::default() };
    let text = "def a(): pass\n".repeat(50);
    let read = conspect_code::read(&Input::new(text.as_bytes(), "a.py"), &Scope::default(), &limits);
    let document = read.expect("text");
    assert_eq!(document.extent.n_symbols, 10);
    assert!(document.notices.iter().any(|notice| notice.kind == NoticeKind::Limit));
}

/// Lone carriage returns end a line for the grammar, and not for the numbers of lines.
#[test]
fn old_line_ends_do_not_hide_symbols() {
    let document = read("def a():\r    pass\r\rdef b():\r    pass\r", "a.py");
    assert_eq!(names(&document), ["a", "b"]);
    assert_eq!(document.extent.n_lines, 1);
}

#[test]
fn headers_are_told_apart_by_their_text() {
    let check = |text: &str, expected: &str| {
        assert_eq!(conspect_code::language_of(text.as_bytes(), "a.h"), Some(expected), "{text}");
    };
    check("struct point { int x; };\n", "c");
    check("class Point;\nnamespace a {\n}\n", "cpp");
    check("#pragma once\ntemplate <typename T> struct A {};\n", "cpp");
}
