//! What explains an answer adds up: to every character that was printed, and to every line that there is.

#![expect(clippy::disallowed_methods, reason = "the corpus is read from disk")]

use conspect::{
    Budget, Claim, CostOf, HitShown, Input, Limits, Mode, PreviewOptions, Query, RenderOptions, Scope, Shows,
    Style, Title, answer, explain, lay_out, read,
};
use conspect_tests::make::{FACT, read_manifest};
use conspect_tests::repository;
use conspect_tools::{
    Context, Door, ExplanationOptions, Loose, OutputOptions, ReadFile, ReadOptions, Settings, Workspace,
    read_file,
};

const BUDGETS: &[usize] = &[60, 240, 700, 2_000];

#[test]
fn costs_add_up_to_what_is_printed() {
    let root = repository().join("fixtures");
    let manifest = std::fs::read_to_string(root.join("MANIFEST.toml")).expect("a manifest");
    let mut n_answers = 0;
    for entry in read_manifest(&manifest).expect("a manifest that can be read") {
        let bytes = std::fs::read(root.join(&entry.path)).expect("a fixture");
        n_answers += check(&entry.path, &bytes);
    }
    assert!(n_answers > 500, "{n_answers}");
}

/// Explains answers of every kind for a file.
fn check(path: &str, bytes: &[u8]) -> usize {
    let input = Input::new(bytes, path);
    let Ok(document) = read(&input, &Scope::default(), &Limits::default()) else { return 0 };
    let listing = lay_out(&document);
    let title = Title::new(path);
    let query = Query::parse(FACT);
    let mut n_answers = 0;
    for (style, line_numbers) in [(Style::Text, true), (Style::Text, false), (Style::Markdown, false)] {
        let render = RenderOptions { style, line_numbers };
        for mode in [Mode::Auto, Mode::Head, Mode::Sample, Mode::Outline] {
            for &budget in BUDGETS {
                let options = PreviewOptions {
                    mode,
                    query: Some(&query),
                    render: render.clone(),
                    ..PreviewOptions::new(Budget::Chars(budget))
                };
                let what = format!("{path}, {mode:?} within {budget}");
                let answer = answer(&listing, Some(&title), &options, budget);
                let explained = explain(&listing, &answer, Some(&query), &render);
                n_answers += 1;

                let printed = answer.text(&listing, &render);
                assert_eq!(explained.n_chars(), printed.chars().count(), "{what}");

                let mut next = 0;
                for stretch in &explained.explanation.stretches {
                    assert_eq!(stretch.lines.start, next, "{what}");
                    assert!(stretch.n_shown <= stretch.n_chars, "{what}: {stretch:?}");
                    next = stretch.lines.end;
                }
                assert_eq!(next, listing.n_lines(), "{what}");

                if let Shows::Map { counted } = &answer.shows {
                    let entries = &explained.entries;
                    let n_named = entries.iter().filter(|entry| entry.is_named).count();
                    let named = format!(": {n_named} of {} ", entries.len());
                    assert!(entries.is_empty() || counted.contains(&named), "{what}: {counted}, {named}");
                }
                let Some(view) = answer.view() else { continue };
                for claim in [Claim::Asked, Claim::Edge, Claim::Structure, Claim::Query, Claim::Coverage] {
                    let of_claim = |of: &&conspect::Cost| of.of == CostOf::Claim(claim);
                    let n_lines =
                        explained.explanation.costs.iter().find(of_claim).map_or(0, |cost| cost.n_lines);
                    let runs = view.runs.iter().filter(|run| run.claim == claim);
                    assert_eq!(n_lines, runs.map(|run| run.lines.len()).sum::<usize>(), "{what}: {claim:?}");
                }
                let query = explained.explanation.query.as_ref().expect("there was a query");
                for hit in &query.hits {
                    assert!(!hit.terms.is_empty(), "{what}: {hit:?}");
                    let any = view
                        .runs
                        .iter()
                        .any(|run| run.lines.start < hit.lines.end && hit.lines.start < run.lines.end);
                    assert!(any || hit.shown == HitShown::Nothing, "{what}: {hit:?}");
                    assert!(!(view.is_whole() && hit.shown != HitShown::Whole), "{what}: {hit:?}");
                }
            }
        }
    }
    n_answers
}

/// S4: what is looked for is told as it is compared, and what is not, with the reason.
#[test]
fn terms_and_dropped_words_are_told() {
    let text = "The pumps were replaced.\nA pump stands here.\nNothing else does.\n".repeat(30);
    let input = Input::new(text.as_bytes(), "notes.txt");
    let document = read(&input, &Scope::default(), &Limits::default()).expect("a document");
    let listing = lay_out(&document);
    let query = Query::parse("When was the pump replaced in 2019, x?");
    let options = PreviewOptions { query: Some(&query), ..PreviewOptions::new(Budget::Chars(500)) };
    let answer = answer(&listing, None, &options, 500);
    let explained = explain(&listing, &answer, Some(&query), &options.render);
    let query = explained.explanation.query.expect("there was a query");
    let terms: Vec<(&str, usize, String)> = query
        .terms
        .iter()
        .map(|term| (term.stem.as_str(), term.n_found, format!("{:?}", term.forms)))
        .collect();
    assert_eq!(
        terms,
        [
            ("pump", 60, r#"[("pump", 30), ("pumps", 30)]"#.to_owned()),
            ("replac", 30, r#"[("replaced", 30)]"#.to_owned()),
            ("#2019", 0, "[]".to_owned()),
            ("repla…", 0, "[]".to_owned()),
        ]
    );
    let dropped: Vec<(&str, &str)> =
        query.dropped.iter().map(|dropped| (dropped.word.as_str(), dropped.why.name())).collect();
    assert_eq!(
        dropped,
        [
            ("when", "stop_word"),
            ("was", "stop_word"),
            ("the", "stop_word"),
            ("in", "stop_word"),
            ("x", "too_short")
        ]
    );
}

/// The answer is the same to the byte, whether or not it is explained.
#[test]
fn explaining_changes_nothing_of_the_answer() {
    let context = Context {
        workspace: Workspace::open(&[&repository().join("fixtures")]).expect("the corpus is a folder"),
        settings: Settings::resolve(&[], &|_| None).expect("the defaults are settings"),
        door: Door::Command,
        standard_input: None,
    };
    let printed = |path: &str, budget: &str, explain: bool| {
        let parameters = ReadFile {
            paths: Some(vec![path.to_owned(), "csv/long_1200_rows.csv".to_owned()]),
            options: ReadOptions { query: Some(FACT.to_owned()), ..ReadOptions::default() },
            output: OutputOptions { budget: Some(Loose(budget.to_owned())), ..OutputOptions::default() },
            explanation: ExplanationOptions { explain, ..ExplanationOptions::default() },
            ..ReadFile::default()
        };
        let mut printed = String::new();
        let report =
            read_file(&context, &parameters, &mut |piece| printed.push_str(piece)).expect("a good call");
        assert_eq!(report.explanation.is_some(), explain);
        printed
    };
    for path in ["pdf/long_report.pdf", "code/inventory.py", "xlsx/tables_two.xlsx", "hostile/noise.bin"] {
        for budget in ["300", "2000", "200t", "1000t"] {
            assert_eq!(printed(path, budget, true), printed(path, budget, false), "{path} within {budget}");
        }
    }
}
