//! Reads every file under the folders it is given through the command `conspect`, each in a process of its own, and
//! says what went well, what was an error, and what panicked, aborted or hung.
//!
//! ```sh
//! cargo build --release && cargo run --release -p conspect-tests --bin walk -- FOLDER… [--deadline SECONDS] [-- ARGS…]
//! ```
//!
//! What follows `--` replaces the arguments before the file's name: `read --mode full --no-header`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use conspect_tests::process::{Finished, Outcome, run, run_each};
use conspect_tests::{built_command, files_under};

fn main() -> ExitCode {
    match walk() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("walk: {error}");
            ExitCode::from(2)
        }
    }
}

/// Walks the folders; the number of files that panicked, aborted or hung comes back.
fn walk() -> Result<usize, String> {
    let mut folders = Vec::new();
    let mut deadline = Duration::from_secs(10);
    let mut how: Vec<String> = ["read", "--mode", "full"].map(String::from).to_vec();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--deadline" => {
                let seconds = arguments.next().and_then(|text| text.parse().ok());
                deadline = Duration::from_secs(seconds.ok_or("--deadline takes a number of seconds")?);
            }
            "--" => how = arguments.by_ref().collect(),
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    if folders.is_empty() {
        return Err("usage: walk FOLDER… [--deadline SECONDS] [-- ARGS…]".into());
    }
    let command = built_command()?;
    let mut files = Vec::new();
    for folder in &folders {
        files.extend(files_under(folder).map_err(|error| format!("{}: {error}", folder.display()))?);
    }
    let results = run_each(&files, |file| {
        let name = file.to_string_lossy();
        let mut arguments: Vec<&str> = how.iter().map(String::as_str).collect();
        arguments.push(&name);
        run(&command, &arguments, deadline)
            .map(|finished| (file.clone(), finished))
            .map_err(|error| format!("{name}: {error}"))
    });
    let results = results.into_iter().collect::<Result<Vec<_>, String>>()?;
    Ok(report(&results))
}

fn report(results: &[(PathBuf, Finished)]) -> usize {
    let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
    for (file, finished) in results {
        let outcome = finished.outcome();
        *counts.entry(outcome).or_default() += 1;
        if outcome > Outcome::Error {
            println!("{outcome:?}: {}\n    {}", file.display(), last_line(&finished.stderr));
        }
    }
    let cpu: Duration = results.iter().map(|(_, finished)| finished.cpu).sum();
    println!("{} files, {:.1} s of processor time: {counts:?}", results.len(), cpu.as_secs_f64());
    if let Some((file, finished)) = results.iter().max_by_key(|(_, finished)| finished.wall) {
        println!("slowest: {:.2} s {}", finished.wall.as_secs_f64(), file.display());
    }
    if let Some((file, finished)) = results.iter().max_by_key(|(_, finished)| finished.peak_kib) {
        println!("largest: {} MiB {}", finished.peak_kib / 1024, file.display());
    }
    counts.range(Outcome::Panic..).map(|(_, count)| count).sum()
}

fn last_line(text: &str) -> &str {
    let panic = text.lines().find(|line| line.contains("panicked at"));
    panic.or(text.lines().last()).unwrap_or_default()
}
