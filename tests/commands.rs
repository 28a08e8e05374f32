//! What a person sees: the scripts under `commands/` and the README, each a command and what it prints, with a sentence
//! of why.
//!
//! A block that begins with three backticks and `console` holds one command: a line with `$`, if it does not exit with
//! 0 a line with `?` and its exit code, then what it writes, standard error last. `< FILE` at the end of a command is
//! its standard input. Commands run in the folder of the corpus, those of the README in the repository. `CONSPECT_UPDATE=1`
//! writes what is printed today into them.

#![expect(clippy::disallowed_methods, reason = "scripts are read, and the command under test is started")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use conspect_tests::{files_under, repository};

const BEGIN: &str = "```console\n";
const END: &str = "```\n";

#[test]
fn commands_print_what_the_scripts_say() {
    let command = command_under_test();
    let mut differences = Vec::new();
    let mut n_commands = 0;
    let corpus = repository().join("fixtures");
    let scripts = files_under(&repository().join("tests/commands")).expect("the folder of scripts");
    let scripts = scripts.into_iter().map(|script| (script, corpus.clone()));
    for (script, folder) in scripts.chain([(repository().join("README.md"), repository())]) {
        let text = std::fs::read_to_string(&script).expect("a script");
        let mut today = String::new();
        let mut rest = text.as_str();
        while let Some((before, from)) = rest.split_once(BEGIN) {
            let (expected, after) = from.split_once(END).expect("a block that ends");
            let line = expected.lines().next().and_then(|line| line.strip_prefix("$ ")).expect("a command");
            let printed = run(&command, line, &folder);
            if printed != expected {
                let name = script.file_name().unwrap_or_default().to_string_lossy();
                differences.push(format!("{name}\n--- expected\n{expected}--- today\n{printed}"));
            }
            today.push_str(&format!("{before}{BEGIN}{printed}{END}"));
            rest = after;
            n_commands += 1;
        }
        if std::env::var_os("CONSPECT_UPDATE").is_some_and(|value| value == "1") {
            std::fs::write(&script, today + rest).expect("a script can be written");
            differences.clear();
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {n_commands} differ\n\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// Runs a command line and gives the block that it should have in its script.
fn run(command: &Path, line: &str, folder: &Path) -> String {
    let (call, input) = match line.split_once(" < ") {
        Some((call, file)) => (call, Some(file)),
        None => (line, None),
    };
    let words = words(call);
    assert_eq!(words.first().map(String::as_str), Some("conspect"), "{line}");
    let input = match input {
        Some(file) => Stdio::from(std::fs::File::open(folder.join(file)).expect("a file of the corpus")),
        None => Stdio::null(),
    };
    let output = Command::new(command)
        .args(&words[1..])
        .current_dir(folder)
        .env_clear()
        .stdin(input)
        .output()
        .expect("the command can be started");
    let code = match output.status.code() {
        Some(0) => String::new(),
        Some(code) => format!("? {code}\n"),
        None => "? ended by a signal\n".to_owned(),
    };
    let printed = [output.stdout, output.stderr].concat();
    let printed: String = String::from_utf8(printed)
        .expect("what is printed is text")
        .split_inclusive('\n')
        // Git does not keep the time of files.
        .map(|line| if line.starts_with("modified: ") { "modified: …\n" } else { line })
        .collect();
    assert!(!printed.contains(END), "{line}: the answer would end its block");
    format!("$ {line}\n{code}{printed}")
}

/// The words of a command line; single or double quotes hold a word together, and nothing else is special.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The command that was built with this crate, under its own name: it says that name in its help.
fn command_under_test() -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_conspect-under-test"));
    let named =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("conspect{}", std::env::consts::EXE_SUFFIX));
    let _ = std::fs::remove_file(&named);
    std::fs::hard_link(built, &named)
        .or_else(|_| std::fs::copy(built, &named).map(drop))
        .expect("the command can be put into the folder of temporary files");
    named
}
