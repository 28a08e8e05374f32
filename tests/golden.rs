//! What is read of every file of the corpus, compared with the expected output that lies beside it.
//!
//! `NAME.full.md` is the whole text as `conspect read --mode full` prints it, what went to standard error last;
//! `NAME.outline.txt` is the outline; `NAME.json` has the origin of every line; `NAME.preview-BUDGET.txt` are the
//! previews that `previews.toml` of the folder asks for. A missing file is written and fails the test once, so that
//! somebody reads it; `CONSPECT_UPDATE=1` writes them all.

#![expect(clippy::disallowed_methods, reason = "the corpus is read from disk")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use conspect_tests::make::{Entry, fixtures, manifest, read_manifest};
use conspect_tests::{files_under, repository};
use conspect_tools::{
    Context, Door, Loose, Outline, OutputOptions, ReadFile, ReadOptions, Report, Settings, ToolError,
    outline, read_file,
};
use conspect_workspace::Workspace;

/// What stands between an answer and what is said besides.
const STANDARD_ERROR: &str = "--- standard error\n";

/// Longer texts are kept as their beginning and end, with the hash of the whole.
const MAX_EXPECTED_LINES: usize = 120;

/// The files of which the place of every line is compared.
const WITH_ORIGINS: &[&str] = &[
    "docx/footnote_comment.docx",
    "eml/alternative_attachment.eml",
    "html/article.html",
    "ipynb/analysis.ipynb",
    "pdf/headings_two_pages.pdf",
    "pdf/table_ruled.pdf",
    "xlsx/tables_two.xlsx",
];

/// Folders whose files have no outline worth comparing.
const WITHOUT_OUTLINE: &[&str] = &["csv", "txt", "hostile"];

#[test]
fn full_text() {
    let mut differences = Differences::default();
    for entry in entries() {
        let full = read(&entry.path, ReadOptions { mode: Some("full".into()), ..ReadOptions::default() }, "");
        match source_text(&entry.path) {
            // What is text as it stands is shown as it stands; expected output lies beside it only where there is
            // something to say as well.
            Some(source) => {
                let (shown, said) = match full.split_once(STANDARD_ERROR) {
                    Some((shown, said)) => (shown, Some(said)),
                    None => (full.as_str(), None),
                };
                let (_, shown) = shown.split_once('\n').expect("a header and the text");
                if shown != with_final_newline(&source) {
                    differences.note(format!("{}: the text is not what the file holds", entry.path));
                }
                if said.is_some() {
                    differences.check(&entry.path, "full.md", &abbreviated(&full));
                }
            }
            None => differences.check(&entry.path, "full.md", &abbreviated(&full)),
        }
    }
    differences.report();
}

#[test]
fn outlines() {
    let mut differences = Differences::default();
    for entry in entries() {
        if !WITHOUT_OUTLINE.contains(&folder(&entry.path)) {
            let map = written(|context, write| {
                let parameters = Outline {
                    path: Some(entry.path.clone()),
                    output: OutputOptions { budget: Some(Loose("6000".into())), ..OutputOptions::default() },
                    ..Outline::default()
                };
                outline(context, &parameters, write)
            });
            differences.check(&entry.path, "outline.txt", &map);
        }
    }
    differences.report();
}

#[test]
fn origins() {
    let mut differences = Differences::default();
    for path in WITH_ORIGINS {
        let json = read(path, ReadOptions { mode: Some("full".into()), ..ReadOptions::default() }, "json");
        // What is said besides is in the JSON as well.
        let json = json.split(STANDARD_ERROR).next().unwrap_or_default();
        differences.check(path, "json", json);
    }
    differences.report();
}

/// S1: within the budget; and what was asked about is there.
#[test]
fn previews() {
    let mut differences = Differences::default();
    let folders: BTreeSet<String> = entries().iter().map(|entry| folder(&entry.path).to_owned()).collect();
    for folder in folders {
        let Ok(text) = std::fs::read_to_string(root().join(&folder).join("previews.toml")) else { continue };
        let table: toml::Table =
            text.parse().unwrap_or_else(|error| panic!("{folder}/previews.toml: {error}"));
        for preview in table["preview"].as_array().expect("an array of tables called preview") {
            let field = |name: &str| preview.get(name).and_then(toml::Value::as_str).map(str::to_owned);
            let path = format!("{folder}/{}", field("file").expect("a file"));
            let budget = preview["budget"].as_integer().expect("a budget");
            let output =
                OutputOptions { budget: Some(Loose(budget.to_string())), ..OutputOptions::default() };
            let options = ReadOptions { query: field("query"), ..ReadOptions::default() };
            let parameters = ReadFile { path: Some(path.clone()), options, output, ..ReadFile::default() };
            let mut shown = String::new();
            let report =
                read_file(&context(), &parameters, &mut |piece| shown.push_str(piece)).expect("a good call");
            assert!(report.errors.is_empty(), "{path}: {:?}", report.errors);
            if shown.chars().count() > budget as usize {
                differences
                    .note(format!("{path}: {} characters at a budget of {budget}", shown.chars().count()));
            }
            if let Some(keeps) = field("keeps").filter(|keeps| !shown.contains(keeps.as_str())) {
                differences.note(format!("{path} at {budget}: {keeps:?} is not in the preview"));
            }
            differences.check(&path, &format!("preview-{budget}.txt"), &shown);
        }
    }
    differences.report();
}

/// The files that a program makes are what it makes today.
#[test]
fn made_files_are_the_same_in_every_run() {
    for fixture in fixtures() {
        let there = std::fs::read(root().join(fixture.path)).unwrap_or_default();
        assert!(there == fixture.bytes, "{}: run the program make_fixtures", fixture.path);
    }
    let there = std::fs::read_to_string(root().join("MANIFEST.toml")).unwrap_or_default();
    let made = manifest(&root()).expect("a manifest");
    assert!(there == made, "MANIFEST.toml: run the program make_fixtures");
}

/// Every file in the corpus is small, and on the manifest or expected output of one that is.
#[test]
fn nothing_lies_about() {
    let root = root();
    let entries = entries();
    for file in files_under(&root).expect("the corpus can be listed") {
        let path = file.strip_prefix(&root).expect("it lies inside").to_string_lossy().replace('\\', "/");
        let belongs = entries.iter().any(|entry| {
            let suffix = path.strip_prefix(&entry.path);
            suffix.is_some_and(|suffix| suffix.is_empty() || is_expected_output(suffix))
        });
        let is_about_others = ["MANIFEST.toml", "README.md", "previews.toml", ".gitattributes"]
            .contains(&path.rsplit('/').next().unwrap_or(""));
        assert!(belongs || is_about_others, "{path} is neither on the manifest nor expected output");
        let n_bytes = std::fs::metadata(&file).expect("it is there").len();
        assert!(n_bytes < 200_000, "{path} has {n_bytes} bytes: make it the smallest that shows the feature");
    }
}

fn is_expected_output(suffix: &str) -> bool {
    [".full.md", ".outline.txt", ".json"].contains(&suffix)
        || suffix.starts_with(".preview-") && suffix.ends_with(".txt")
}

fn root() -> PathBuf {
    repository().join("fixtures")
}

fn entries() -> Vec<Entry> {
    let text = std::fs::read_to_string(root().join("MANIFEST.toml")).expect("a manifest");
    read_manifest(&text).expect("a manifest that can be read")
}

fn folder(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

fn context() -> Context {
    Context {
        workspace: Workspace::open(&[&root()]).expect("the corpus is a folder"),
        settings: Settings::resolve(&[], &|_| None).expect("the defaults are settings"),
        door: Door::Command,
        standard_input: None,
    }
}

fn read(path: &str, options: ReadOptions, format: &str) -> String {
    let format = Some(format.to_owned()).filter(|format| !format.is_empty());
    let output = OutputOptions { format, ..OutputOptions::default() };
    let parameters = ReadFile { path: Some(path.to_owned()), options, output, ..ReadFile::default() };
    written(|context, write| read_file(context, &parameters, write))
}

/// What a call writes, and under a line of its own what it says besides.
fn written(call: impl FnOnce(&Context, &mut dyn FnMut(&str)) -> Result<Report, ToolError>) -> String {
    let mut text = String::new();
    let report = call(&context(), &mut |piece| text.push_str(piece)).expect("a good call");
    let errors = report.errors.iter().map(|error| format!("{}: {error}", error.code.name()));
    let said: Vec<String> = report.notices.iter().cloned().chain(errors).collect();
    if !said.is_empty() {
        text.push_str(STANDARD_ERROR);
        text.push_str(&(said.join("\n") + "\n"));
    }
    text
}

/// The text of a file that holds nothing but plain UTF-8 in a format whose own lines are shown.
fn source_text(path: &str) -> Option<String> {
    let shown_as_they_stand =
        ["py", "rs", "js", "ts", "go", "md", "txt", "log", "csv", "tsv", "json", "yaml", "toml"];
    let extension = path.rsplit('.').next()?;
    let bytes = std::fs::read(root().join(path)).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let is_plain = !text.starts_with('\u{feff}') && !text.contains(['\r', '\0']);
    (folder(path) != "hostile" && is_plain && shown_as_they_stand.contains(&extension)).then_some(text)
}

fn with_final_newline(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}

fn abbreviated(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() <= MAX_EXPECTED_LINES {
        return text.to_owned();
    }
    let (head, tail) =
        (lines[..MAX_EXPECTED_LINES / 2].concat(), lines[lines.len() - MAX_EXPECTED_LINES / 4..].concat());
    format!("{head}--- {} lines in all, BLAKE3 {}\n{tail}", lines.len(), blake3::hash(text.as_bytes()))
}

/// What is not as expected, all of it at once.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn note(&mut self, difference: String) {
        self.0.push(difference);
    }

    fn check(&mut self, path: &str, suffix: &str, text: &str) {
        let file = root().join(format!("{path}.{suffix}"));
        let update = std::env::var_os("CONSPECT_UPDATE").is_some_and(|value| value == "1");
        match std::fs::read_to_string(&file) {
            Ok(expected) if expected == text => {}
            Ok(expected) if !update => {
                self.note(format!("{path}.{suffix} differs\n{}", first_difference(&expected, text)))
            }
            there => {
                std::fs::write(&file, text).expect("expected output can be written");
                if there.is_err() && !update {
                    self.note(format!("{path}.{suffix} was missing and has been written: read it"));
                }
            }
        }
    }

    fn report(self) {
        assert!(self.0.is_empty(), "{} differences\n\n{}", self.0.len(), self.0.join("\n"));
    }
}

/// The first lines in which two texts differ.
fn first_difference(expected: &str, text: &str) -> String {
    let (mut expected, mut text) = (expected.lines(), text.lines());
    let mut number = 1;
    loop {
        match (expected.next(), text.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            (a, b) => {
                let shown = |line: Option<&str>| line.unwrap_or("(nothing more)").to_owned();
                return format!("  line {number}\n  - {}\n  + {}", shown(a), shown(b));
            }
        }
    }
}
