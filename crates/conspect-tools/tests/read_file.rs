//! What a model gets when it calls `read_file`: JSON in, text out.

#![expect(clippy::disallowed_methods, reason = "the tests make the files that they read")]

use std::fs;

use conspect_tools::{Context, Door, Outcome, Report, Settings, TOOLS, ToolError};
use conspect_workspace::Workspace;
use serde_json::{Value, json};
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn call(folder: &TempDir, tool: &str, parameters: Value) -> (String, Result<Report, ToolError>) {
    let context = Context {
        workspace: Workspace::open(&[folder.path()]).expect("a workspace"),
        settings: Settings::default(),
        door: Door::Model,
        standard_input: None,
    };
    let tool = TOOLS.iter().find(|known| known.name == tool).expect("a tool");
    let mut text = String::new();
    let report = (tool.run)(&context, parameters, &mut |piece| text.push_str(piece));
    (text, report)
}

/// The answer without hashes, which are tested elsewhere.
fn read(folder: &TempDir, parameters: Value) -> String {
    let (text, report) = call(folder, "read_file", parameters);
    report.expect("a right call");
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        match line.find(" · #") {
            Some(at) => out.push_str(&format!("{}]\n", &line[..at])),
            None => out.push_str(line),
        }
    }
    out
}

fn wrong(parameters: Value) -> String {
    let folder = folder(&[("a.txt", "a\nb\nc\n")]);
    let (text, report) = call(&folder, "read_file", parameters);
    assert_eq!(text, "");
    let error = report.expect_err("a wrong call");
    format!("{}: {error}", error.code.name())
}

fn numbered(n_lines: usize) -> String {
    (1..=n_lines).map(|number| format!("line {number}\n")).collect()
}

/// R11: each wrong combination has its own message, and says the right form.
#[test]
fn wrong_combinations_of_lines_are_refused_each_in_its_own_words() {
    let check = |more: Value, expected: &str| {
        let mut parameters = json!({"path": "a.txt"});
        parameters.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let error = wrong(parameters);
        assert_eq!(error.split(". ").next().expect("a cause"), format!("invalid_params: {expected}"));
    };
    check(json!({"head": 1, "tail": 1}), "head and tail are given together");
    check(json!({"head": 1, "start_line": 1, "end_line": 2}), "head is given together with a range of lines");
    check(json!({"tail": 1, "lines": "1-2"}), "tail is given together with a range of lines");
    check(json!({"start_line": 2}), "start_line is given without end_line");
    check(json!({"end_line": 2}), "end_line is given without start_line");
    check(json!({"start_line": 3, "end_line": 2}), "start_line 3 is after end_line 2");
    check(json!({"start_line": 0, "end_line": 2}), "start_line is 0");
    check(json!({"head": 0}), "head is 0");
    check(json!({"limit": 0}), "limit is 0");
    check(json!({"head": -5}), "head \"-5\" is negative");
    check(json!({"tail": 1.5}), "tail \"1.5\" is a fraction");
    check(json!({"tail": "many"}), "tail \"many\" is no number");
    check(json!({"lines": "9-2"}), "lines \"9-2\" ends before it begins");
    check(json!({"lines": "0-2"}), "lines \"0-2\" holds a 0");
    check(json!({"lines": "abc"}), "lines \"abc\" is no range of lines");
    check(json!({"lines": "1-2", "end_line": 2}), "lines is given together with start_line or end_line");
    check(json!({"offset": 1, "head": 2}), "offset or limit is given together with other lines");
    check(json!({"contains": "a", "regex": "b"}), "contains and regex are given together");
    check(json!({"regex_flags": "i"}), "regex_flags is given without regex");
    check(json!({"context_lines": 2}), "context_lines is given without a filter");
    check(json!({"regex": "("}), "regex: \"(\" is no regular expression: unclosed group");
    check(json!({"mode": "full", "head": 3}), "mode \"full\" does not go with lines, filters or a symbol");
    check(json!({"mode": "whole"}), "there is no mode \"whole\"");
    check(json!({"column": 3}), "column needs lines to count in");
    check(json!({"pages": "3-1"}), "pages \"3-1\" ends before it begins");
    check(json!({"pages": "one"}), "pages \"one\" is no range of pages");
    check(json!({"cells": "2B"}), "cells \"2B\" is no range of cells");
    check(json!({"budget": "0"}), "budget \"0\" is no amount");
    check(json!({"query_share": 2}), "query_share \"2\" is no share");
    check(json!({"format": "xml"}), "there is no format \"xml\"");
}

/// R10.
#[test]
fn lines_are_named_in_many_ways() {
    let folder = folder(&[("a.txt", "a\nb\nc\n")]);
    let check = |parameters: Value, expected: &str| {
        let mut parameters = parameters;
        parameters["path"] = "a.txt".into();
        parameters["no_header"] = true.into();
        assert_eq!(read(&folder, parameters.clone()), expected, "{parameters}");
    };
    check(json!({"head": 2}), "a\nb\n");
    check(json!({"tail": 1}), "c\n");
    check(json!({"start_line": 2, "end_line": 9}), "b\nc\n");
    check(json!({"lines": "2-"}), "b\nc\n");
    check(json!({"lines": 2}), "b\n");
    check(json!({"lines": "2+1"}), "b\n");
    check(json!({"offset": 1, "limit": 1}), "b\n");
    check(json!({"offset": 2}), "c\n");
    check(json!({"line_start": 2, "line_end": 3, "show_line_numbers": true}), "2: b\n3: c\n");
    check(json!({"contains": "B", "context_lines": 0}), "b\n");
}

/// R12 and R60.
#[test]
fn a_start_past_the_end_is_an_error_that_names_the_total() {
    let folder = folder(&[("a.txt", "a\nb\nc\n")]);
    let answer = read(&folder, json!({"path": "a.txt", "start_line": 9, "end_line": 12}));
    assert_eq!(
        answer,
        "[a.txt · range_past_eof] a.txt: line 9 is past the end: there are 3 lines. Ask for lines between 1 and 3.\n"
    );
}

/// R31 and R32: at this door whole files and ranges have ceilings, and a cut says how to go on.
#[test]
fn a_cut_says_what_is_shown_why_and_the_next_call() {
    let folder = folder(&[("a.txt", &numbered(1001)), ("long.txt", &"x".repeat(200_000))]);
    let whole = read(&folder, json!({"path": "a.txt", "mode": "full"}));
    assert!(whole.starts_with("[a.txt · text, 1001 lines · lines 1-1000 of 1001]\nline 1\n"));
    assert!(whole.ends_with("line 1000\n[lines 1-1000 shown, cut by line_limit; next: lines \"1001\"]\n"));
    let json = read(&folder, json!({"path": "a.txt", "mode": "full", "format": "json"}));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let file = &json["files"][0];
    assert_eq!(json["schema_version"], 1);
    assert_eq!(
        (&file["truncated"], &file["reason"], &file["total_lines"], &file["shown"], &file["next"]["lines"]),
        (&json!(true), &json!("line_limit"), &json!(1001), &json!([[1, 1000]]), &json!("1001"))
    );
    assert_eq!(file["lines"][999], json!({"number": 1000, "text": "line 1000", "origin": {"line": 1000}}));
    // R33: any character of one long line can be reached.
    let part = read(&folder, json!({"path": "long.txt", "lines": "1", "column": 199_991}));
    assert!(part.ends_with("xxxxxxxxxx\n"), "{part}");
}

/// R14.
#[test]
fn no_hit_is_a_plain_answer() {
    let folder = folder(&[("a.txt", "a\nb\nc\n")]);
    let (text, report) = call(&folder, "read_file", json!({"path": "a.txt", "contains": "zzz"}));
    assert_eq!(text, "a.txt: no line matches contains \"zzz\" (3 lines searched)\n");
    assert_eq!(report.expect("a right call").outcome, Outcome::NothingMatched);
}

/// R16: a selector without a meaning is an error, never ignored.
#[test]
fn a_selector_of_another_format_is_refused() {
    let folder = folder(&[("a.txt", "a\n")]);
    for selector in
        [json!({"pages": "1"}), json!({"sheet": "1"}), json!({"cells": "A1"}), json!({"symbol": "x"})]
    {
        let mut parameters = selector.clone();
        parameters["path"] = "a.txt".into();
        let answer = read(&folder, parameters);
        assert!(answer.starts_with("[a.txt · wrong_selector] "), "{answer}");
    }
}

/// R40.
#[test]
fn several_files_are_named_by_paths_or_by_requests() {
    let check = |parameters: Value, expected: &str| {
        let error = wrong(parameters);
        assert_eq!(error.split(". ").next().expect("a cause"), expected);
    };
    check(
        json!({"requests": [{"path": "a.txt"}], "contains": "x"}),
        "invalid_params: requests goes with no other option of its own level",
    );
    check(
        json!({"requests": [{"path": "a.txt"}], "path": "a.txt"}),
        "invalid_params: requests does not go with path or paths",
    );
    check(json!({"path": "a", "paths": ["b"]}), "invalid_params: path and paths are given together");
    check(json!({"requests": [{"head": 1}]}), "path_missing: a request has no path");
    check(
        json!({"paths": ["1", "2", "3", "4", "5"]}),
        "invalid_params: 5 files are asked for, and one call may ask for 4",
    );
    let folder = folder(&[("a.txt", "a\nb\nc\n"), ("b.txt", "d\ne\n")]);
    let requests =
        json!([{"path": "b.txt", "tail": 1}, {"path": "a.txt", "contains": "b", "context_lines": 0}]);
    assert_eq!(
        read(&folder, json!({"requests": requests})),
        "[b.txt · text, 2 lines · line 2 of 2]\ne\n\n[a.txt · text, 3 lines · 1 hit in 3 lines, contains \"b\"]\nb\n"
    );
}

/// R41.
#[test]
fn a_file_that_fails_is_an_error_in_its_own_block() {
    let folder = folder(&[("a.txt", "a\n"), ("c.txt", "c\n")]);
    let (_, report) = call(&folder, "read_file", json!({"paths": ["a.txt", "b.txt", "c.txt"]}));
    assert_eq!(report.expect("a right call").outcome, Outcome::SomeFailed);
    assert_eq!(
        read(&folder, json!({"paths": ["a.txt", "b.txt", "c.txt"]})),
        "[a.txt · text, 1 line]\na\n\n\
         [b.txt · not_found] there is no file b.txt. Nearest names: a.txt, c.txt.\n\n\
         [c.txt · text, 1 line]\nc\n"
    );
}

/// R42.
#[test]
fn what_small_files_do_not_need_goes_to_the_large_ones() {
    let (large, small) = (numbered(5000), numbered(5));
    let folder = folder(&[("b1", &large), ("s1", &small), ("b2", &large), ("s2", &small)]);
    let answer = read(&folder, json!({"paths": ["b1", "s1", "b2", "s2", "s1"]}));
    assert!(answer.chars().count() <= 20_000);
    let blocks: Vec<&str> = answer.split("\n\n").collect();
    assert_eq!(blocks.len(), 4);
    assert!(blocks[0].starts_with("[b1 ") && blocks[0].chars().count() > 9_000);
    assert_eq!(blocks[1], format!("[s1 · text, 5 lines]\n{}", small.trim_end()));
    assert!(blocks[2].starts_with("[b2 ") && blocks[2].chars().count() > 9_000);
}

/// R30.
#[test]
fn the_budget_holds_in_every_form() {
    let folder = folder(&[("a.txt", &numbered(5000)), ("b.txt", &numbered(300))]);
    for budget in [400, 1_000, 5_000] {
        for format in ["text", "markdown", "json", "jsonl"] {
            let parameters = json!({"paths": ["a.txt", "b.txt"], "budget": budget, "format": format});
            let (text, report) = call(&folder, "read_file", parameters);
            report.expect("a right call");
            let n_chars = text.chars().count();
            // JSON has parts that cannot be left out.
            let least = if format.starts_with("json") { 1_500 } else { 0 };
            assert!(n_chars <= budget.max(least), "{format}: {n_chars} of {budget}");
        }
    }
}

/// R43.
#[test]
fn who_names_no_file_is_told_which_there_are() {
    let folder = folder(&[("b.docx", ""), ("a.pdf", ""), ("program", "")]);
    let (_, report) = call(&folder, "read_file", json!({}));
    assert_eq!(
        report.expect_err("no path").to_string(),
        "no path was given. Ask which of these is meant, do not guess: a.pdf, b.docx."
    );
}

/// R46 and R60: nothing outside is named.
#[test]
fn what_may_not_be_read_is_refused_without_a_word_of_the_system() {
    let folder = folder(&[("a.txt", "a\n")]);
    fs::create_dir(folder.path().join("docs")).expect("a folder");
    let place = folder.path().to_string_lossy().into_owned();
    for path in ["docs", "../a.txt", "/etc/passwd", "missing.txt", ""] {
        let answer = read(&folder, json!({"path": path}));
        assert!(answer.starts_with('['), "{answer}");
        assert!(!answer.contains(&place) && !answer.contains("os error"), "{answer}");
    }
    assert!(read(&folder, json!({"path": "docs"})).contains("list_directory"));
    assert!(read(&folder, json!({"path": "/etc/passwd"})).starts_with("[/etc/passwd · outside_root]"));
}

/// R61.
#[test]
fn files_that_are_not_what_they_seem_are_told() {
    let folder = folder(&[("empty.txt", ""), ("page.pdf", "plain words\n")]);
    fs::write(folder.path().join("photo.txt"), b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x02\x80\0\0\x01\xE0")
        .expect("a file");
    fs::write(folder.path().join("cut.docx"), b"PK\x03\x04\x14\0\0\0\x08\0").expect("a file");
    fs::write(folder.path().join("cut.pdf"), b"%PDF-1.7\n1 0 obj\n<<").expect("a file");
    assert_eq!(read(&folder, json!({"path": "empty.txt"})), "[empty.txt · text · empty]\n");
    assert_eq!(
        read(&folder, json!({"path": "page.pdf"})),
        "[page.pdf · text, 1 line · 1 notice: wrong extension]\nplain words\n"
    );
    assert!(
        read(&folder, json!({"path": "photo.txt"})).starts_with(
            "[photo.txt · binary] photo.txt holds no text: PNG image, 640×480 pixels, 24 bytes."
        )
    );
    for damaged in ["cut.docx", "cut.pdf"] {
        let answer = read(&folder, json!({"path": damaged}));
        assert!(answer.starts_with(&format!("[{damaged} · ")), "{answer}");
    }
}

/// M3.
#[test]
fn a_symbol_is_read_by_its_name() {
    let text = "import os\n\nclass Runner:\n    def run(self):\n        return 1\n\ndef main():\n    pass\n";
    let folder = folder(&[("a.py", text)]);
    assert_eq!(
        read(&folder, json!({"path": "a.py", "symbol": "Runner.run"})),
        "[a.py · python, 8 lines · Runner.run, lines 4-5 of 8]\n    def run(self):\n        return 1\n"
    );
    assert!(
        read(&folder, json!({"path": "a.py", "lines": "5"}))
            .starts_with("[a.py · python, 8 lines · in Runner.run · line 5 of 8]\n")
    );
    assert!(read(&folder, json!({"path": "a.py", "symbol": "nothing"})).starts_with("[a.py · not_there] "));
}

/// R80.
#[test]
fn an_outline_is_one_object_a_file() {
    let text = "import os\n\nclass Runner:\n    def run(self):\n        return 1\n";
    let folder = folder(&[("a.py", text)]);
    let (text, report) = call(&folder, "outline", json!({"path": "a.py", "format": "jsonl"}));
    report.expect("a right call");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&record["path"], &record["language"]), (&json!("a.py"), &json!("python")));
    assert_eq!(
        record["symbols"][1],
        json!({
            "name": "run", "qualified_name": "Runner.run", "kind": "method", "line": 4, "start_line": 4, "end_line": 5,
            "signature": "def run(self)", "doc": null, "local": false, "exported": true,
        })
    );
    assert_eq!(record["notices"], json!([]));
}

/// I1.
#[test]
fn file_info_says_what_reading_would_cost() {
    let folder = folder(&[("a.txt", "one\r\ntwo\nthree")]);
    let (text, report) = call(&folder, "file_info", json!({"path": "a.txt", "format": "jsonl"}));
    report.expect("a right call");
    let record: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(record["line_ends"], json!({"lf": 1, "crlf": 1, "lone_cr": 0, "final_newline": false}));
    assert_eq!(record["longest_line"], json!({"number": 3, "chars": 5}));
    assert_eq!(record["cost"]["chars"], json!(14));
    assert_eq!(record["encoding"]["name"], "UTF-8");
}

/// R32: the next call is whole: the filter and the part of the document are said again.
#[test]
fn a_cut_filter_says_the_next_call_with_the_filter() {
    let rows: String = (1..=200).map(|number| format!("{number},item{number},kg\n")).collect();
    let folder = folder(&[("a.csv", &format!("number,name,unit\n{rows}"))]);
    let parameters = json!({
        "path": "a.csv", "contains": "item1", "context_lines": 0, "max_lines": 3, "show_line_numbers": true,
    });
    assert_eq!(
        read(&folder, parameters),
        "[a.csv · CSV, 201 lines · 111 hits in 201 lines, contains \"item1\"]\n1: number,name,unit\n\
         2: 1,item1,kg\n[... skipped 8 lines (3-10) ...]\n11: 10,item10,kg\n\
         [lines 1-2, 11 shown, cut by line_limit; next: lines \"12-200\", contains \"item1\", context_lines 0]\n"
    );
    let long = json!({"path": "a.csv", "contains_any": vec!["item1"; 100], "max_lines": 3});
    assert!(read(&folder, long).ends_with("next: lines \"4-201\", and the rest of this call]\n"));
    let budgets = [300, 700, 2_000].map(|budget| {
        let parameters = json!({"path": "a.csv", "contains": "item1", "budget": budget});
        read(&folder, parameters).lines().next().map(str::to_owned)
    });
    assert!(
        budgets.iter().all(|header| *header == budgets[0]),
        "the hits are those of the file: {budgets:?}"
    );
}

/// R32: many ranges are not named one by one.
#[test]
fn a_cut_list_of_ranges_names_the_first_of_those_to_come() {
    let folder = folder(&[("a.txt", &numbered(200))]);
    let lines: Vec<String> = (1..=100).map(|number| (2 * number).to_string()).collect();
    let parameters = json!({"path": "a.txt", "lines": lines.join(","), "max_lines": 10});
    let answer = read(&folder, parameters);
    let last = answer.lines().last().expect("a line");
    assert!(
        last.starts_with("[10 lines in 10 ranges shown, cut by line_limit; next: lines \"22,24,26,"),
        "{last}"
    );
    assert!(last.ends_with(",58,60\"; then 70 more ranges]"), "{last}");
}

/// R14 and S3: a row that is a hit stands under its table's header, however long that is.
#[test]
fn hits_in_a_table_bring_its_header() {
    let wide = format!("name,{}\npear,1\nplum,2\nfig,3\n", "x".repeat(5_000));
    let folder = folder(&[("a.csv", "name,price\npear,1\nplum,2\nfig,3\n"), ("wide.csv", &wide)]);
    let parameters = |path: &str| json!({"path": path, "contains": "fig", "context_lines": 0, "no_header": true, "budget": 400});
    assert_eq!(read(&folder, parameters("a.csv")), "name,price\n[... skipped 2 lines (2-3) ...]\nfig,3\n");
    assert!(read(&folder, parameters("wide.csv")).ends_with("\n[... skipped 2 lines (2-3) ...]\nfig,3\n"));
}

/// R16: what a hit brings along must be something that the format has.
#[test]
fn a_unit_that_the_format_does_not_have_is_refused() {
    let folder = folder(&[("a.txt", "pear\n"), ("a.csv", "name,price\npear,1\n")]);
    let check = |path: &str, unit: &str, expected: &str| {
        let answer = read(&folder, json!({"path": path, "contains": "pear", "unit": unit}));
        assert_eq!(answer, format!("[{path} · wrong_selector] {expected}\n"));
    };
    check(
        "a.txt",
        "row",
        "unit \"row\" means nothing in a.txt, which is text. Use unit \"line\" with context_lines, or leave it out.",
    );
    check(
        "a.csv",
        "page",
        "unit \"page\" means nothing in a.csv, which is CSV. Use unit \"line\" or \"row\" or \"cell\", or leave it out.",
    );
}

/// R34: what is asked for of a very large text is read without the rest, and what is not known then is not said.
#[cfg(unix)]
#[test]
fn lines_of_a_file_larger_than_memory_are_read_without_the_rest() {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let folder = folder(&[("large.log", &numbered(20_000))]);
    let path = folder.path().join("large.log");
    let mut file = fs::OpenOptions::new().write(true).open(path).expect("the file");
    // What lies between is a hole, which takes no room on the disk and would take minutes to go through.
    file.seek(SeekFrom::Start(40 << 30)).expect("a place far behind");
    file.write_all(b"\nlast but one\nlast\n").expect("an end");
    drop(file);
    let read = |more: Value| {
        let mut parameters = json!({"path": "large.log", "show_line_numbers": true});
        parameters.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        read(&folder, parameters)
    };
    assert_eq!(read(json!({"head": 2})), "[large.log · log · lines 1-2]\n1: line 1\n2: line 2\n");
    assert_eq!(
        read(json!({"lines": "9998-", "max_lines": 2})),
        "[large.log · log · lines 9998-9999]\n9998: line 9998\n9999: line 9999\n\
         [lines 9998-9999 shown, cut by line_limit; next: lines \"10000-\"]\n"
    );
    assert_eq!(
        read(json!({"tail": 2})),
        "[large.log · log · the last 2 lines]\n-2: last but one\n-1: last\n"
    );
    assert_eq!(
        read(json!({"tail": 2, "max_lines": 1})),
        "[large.log · log · 1 of the last 2 lines]\n-2: last but one\n\
         [1 of the last 2 lines shown, cut by line_limit; next: lines \"-1\"]\n"
    );
    let (text, report) =
        call(&folder, "read_file", json!({"path": "large.log", "tail": 1, "format": "json"}));
    report.expect("a right call");
    let answer: Value = serde_json::from_str(&text).expect("JSON");
    let file = &answer["files"][0];
    assert_eq!(
        (&file["total_known"], &file["shown"], &file["lines"][0]["number"], file.get("hash")),
        (&json!(false), &json!([[-1, -1]]), &json!(-1), None)
    );
}
