//! Every language's cases give the outline that stands beside them.
//!
//! A case is a source file in `grammars/<language>/cases/` with its outline in a file of the same name and `.outline`
//! added. Where that is missing, or with `UPDATE_CASES=1`, the test writes it, and fails; read it before it is committed.
#![expect(clippy::disallowed_methods, reason = "a test reads the cases of the languages")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use conspect_model::{BlockKind, Document, Input, Limits, Origin, Scope};

#[test]
fn cases_give_their_outlines() {
    let grammars = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammars");
    let mut faults = Vec::new();
    let mut n_cases = 0;
    for language in files(&grammars) {
        for case in files(&language.join("cases")) {
            if case.extension().is_some_and(|extension| extension == "outline") {
                continue;
            }
            n_cases += 1;
            let name = case.file_name().and_then(|name| name.to_str()).expect("a plain name");
            let bytes = fs::read(&case).expect("a case can be read");
            let read = conspect_code::read(&Input::new(&bytes, name), &Scope::default(), &Limits::default());
            let outline = outline(&read.expect("a case is text"));
            let expected_path = case.with_file_name(format!("{name}.outline"));
            let expected = fs::read_to_string(&expected_path).unwrap_or_default();
            if outline != expected {
                if expected.is_empty() || std::env::var_os("UPDATE_CASES").is_some() {
                    fs::write(&expected_path, &outline).expect("an outline can be written");
                }
                faults.push(format!("{}:\n{}", case.display(), changes(&expected, &outline)));
            }
        }
    }
    assert!(n_cases > 0);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// One line a block: its lines, what it is, what it is called and what the map shows.
///
/// `12-61@13 function Runner.run local private: def run() — Run it.`; the line of the name follows `@` where it is not
/// the first. Exported symbols are not marked.
fn outline(document: &Document<'_>) -> String {
    let mut outline = format!("{}\n", document.format);
    for block in &document.blocks {
        let Origin::Lines(lines) = block.origin else { continue };
        match &block.kind {
            BlockKind::Imports => {
                let _ = writeln!(
                    outline,
                    "{}-{} imports {}",
                    lines.first,
                    lines.last,
                    block.text.replace('\n', ", ")
                );
            }
            BlockKind::Symbol(symbol) => {
                let indent = "  ".repeat(symbol.depth as usize);
                let _ = write!(outline, "{indent}{}-{}", lines.first, lines.last);
                if symbol.name_line != lines.first {
                    let _ = write!(outline, "@{}", symbol.name_line);
                }
                let _ = write!(outline, " {} {}", symbol.kind.name(), symbol.qualified_name);
                if symbol.is_local {
                    outline.push_str(" local");
                } else if !symbol.is_exported {
                    outline.push_str(" private");
                }
                let _ = write!(outline, ": {}", symbol.signature);
                if let Some(doc) = &symbol.doc {
                    let _ = write!(outline, " — {doc}");
                }
                outline.push('\n');
            }
            _ => {}
        }
    }
    for notice in &document.notices {
        let _ = writeln!(outline, "notice {}: {notice}", notice.kind.name());
    }
    outline
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    files
}

fn changes(expected: &str, found: &str) -> String {
    let only = |mark: char, lines: &str, others: &str| {
        let others: Vec<&str> = others.lines().collect();
        lines
            .lines()
            .filter(|line| !others.contains(line))
            .map(|line| format!("{mark} {line}\n"))
            .collect::<String>()
    };
    only('-', expected, found) + &only('+', found, expected)
}
