//! The command as a person or a script meets it: arguments in; output, errors and exit code out.

#![expect(clippy::disallowed_methods, reason = "the tests run the command on files that they make")]

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    file("a.txt", "alpha\nbeta\ngamma\n");
    file("empty.txt", "");
    file("page.html", "<html><body><h1>Title</h1><p>Some <b>bold</b> words.</p></body></html>");
    file("large.txt", &(1..=5000).map(|number| format!("line {number}\n")).collect::<String>());
    folder
}

fn run(folder: &TempDir, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_conspect"))
        .args(arguments)
        .current_dir(folder.path())
        .env_remove("CONSPECT_READ_BATCH_MAX_CHARS")
        .env("XDG_CONFIG_HOME", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    child.stdin.take().expect("an input").write_all(input.as_bytes()).expect("written");
    child.wait_with_output().expect("it ends")
}

fn check(arguments: &[&str], code: i32, stdout: &str, stderr: &str) {
    let output = run(&folder(), arguments, "from a pipe\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout, "{arguments:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr, "{arguments:?}");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
}

#[test]
fn a_file_is_printed_with_a_header_or_without() {
    check(&["read", "a.txt", "--no-header"], 0, "alpha\nbeta\ngamma\n", "");
    check(&["read", "a.txt", "--lines", "2+1", "-n", "--no-header"], 0, "2: beta\n", "");
    check(&["read", "a.txt", "--lines", "-1", "--no-header"], 0, "gamma\n", "");
    let output = run(&folder(), &["read", "a.txt"], "");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("[a.txt · text, 3 lines · #"));
}

#[test]
fn a_dash_is_standard_input() {
    check(&["read", "-", "--no-header"], 0, "from a pipe\n", "");
}

/// R31: a person or a script that asks for everything gets everything.
#[test]
fn the_whole_file_has_no_ceiling() {
    let folder = folder();
    let expected = fs::read_to_string(folder.path().join("large.txt")).expect("a text");
    let output = run(&folder, &["read", "--mode", "full", "--no-header", "large.txt"], "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    let output = run(&folder, &["read", "--lines", "1-4999", "--no-header", "large.txt"], "");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 4999);
    let output = run(&folder, &["read", "large.txt", "-b", "3000"], "");
    assert!(String::from_utf8_lossy(&output.stdout).chars().count() <= 3000);
}

/// R52.
#[test]
fn a_whole_document_is_markdown() {
    check(
        &["read", "--mode", "full", "--no-header", "page.html"],
        0,
        "# Title\n\nSome **bold** words.\n",
        "",
    );
    check(&["read", "--no-header", "page.html"], 0, "# Title\nSome bold words.\n", "");
}

/// R60.
#[test]
fn exit_codes_tell_what_went_wrong() {
    check(&["read", "empty.txt", "--no-header"], 0, "", "conspect: empty.txt is empty\n");
    check(
        &["read", "a.txt", "--contains", "zzz"],
        1,
        "a.txt: no line matches contains \"zzz\" (3 lines searched)\n",
        "",
    );
    check(
        &["read", "a.txt", "--head", "1", "--tail", "1"],
        2,
        "",
        "conspect: head and tail are given together. Give one of them, and the other in a second call.\n",
    );
    check(
        &["read", "--head", "-3", "a.txt"],
        2,
        "",
        "conspect: head \"-3\" is negative. Give head as a whole number; the last 50 lines are tail 50.\n",
    );
    check(
        &["read", "b.txt", "a.txt", "--no-header"],
        3,
        "alpha\nbeta\ngamma\n",
        "conspect: there is no file b.txt. Nearest names: a.txt.\n",
    );
    assert_eq!(run(&folder(), &["read"], "").status.code(), Some(2));
    assert_eq!(run(&folder(), &["read", "a.txt", "--unknown"], "").status.code(), Some(2));
}

#[test]
fn a_root_keeps_the_rest_out() {
    check(
        &["read", "--root", ".", "/etc/passwd"],
        3,
        "",
        "conspect: /etc/passwd is outside the workspace. Give a path inside the workspace, relative to its root.\n",
    );
}

/// R70.
#[test]
fn settings_come_from_the_nearest_place() {
    let folder = folder();
    fs::write(folder.path().join("conspect.toml"), "[read]\ncontext_lines = 0\n").expect("a file");
    let output = run(&folder, &["read", "a.txt", "--contains", "beta", "--no-header"], "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "beta\n");
    let output = run(&folder, &["config"], "");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.starts_with("read.context_lines")).expect("the setting");
    assert!(line.contains(" 0 ") && line.ends_with("conspect.toml"), "{line}");
    fs::write(folder.path().join("conspect.toml"), "[read]\nno_such_thing = 0\n").expect("a file");
    assert_eq!(run(&folder, &["config"], "").status.code(), Some(2));
}

#[test]
fn json_has_one_shape_for_one_file_and_for_many() {
    let output = run(&folder(), &["read", "--json", "a.txt", "missing.txt"], "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["files"][0]["lines"][1]["text"], "beta");
    assert_eq!(json["files"][0]["shows"], "whole");
    assert_eq!(json["files"][1]["error"]["code"], "not_found");
    let output = run(&folder(), &["read", "--format", "jsonl", "--mode", "full", "a.txt"], "");
    let records: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let types: Vec<_> = records.iter().map(|record| record["type"].as_str().expect("a type")).collect();
    assert_eq!(types, ["file", "line", "line", "line"]);
}

#[test]
fn help_completions_and_manual_are_printed() {
    let help = run(&folder(), &["read", "--help"], "");
    assert!(String::from_utf8_lossy(&help.stdout).contains("conspect read main.py --symbol Runner.run"));
    assert!(!run(&folder(), &["completions", "bash"], "").stdout.is_empty());
    assert!(String::from_utf8_lossy(&run(&folder(), &["man"], "").stdout).starts_with(".ie"));
}
