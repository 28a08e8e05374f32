//! Damages the files under a folder, and tells how the command `conspect` does on them beside others that read PDFs.
//!
//! ```sh
//! cargo run --release -p conspect-tests --bin mutate -- FOLDER [--seed N] [--per-file N] --out DIR
//! cargo build --release && cargo run --release -p conspect-tests --bin mutate -- FOLDER [--seed N] [--per-file N] --compare
//! ```
//!
//! With `--out` the damaged copies are left in DIR. With `--compare` every PDF and its copies are read by `conspect
//! read` and `mutool draw`, each in a process of its own with 20 seconds and 4 GiB: printed are what panicked, aborted
//! or hung, and how many words of the sound file came through. Only words that both programs find in the sound file
//! count, so that what is compared is the reading of what is damaged. With `--worst N` the copies follow of which
//! `mutool` has most words that `conspect` has not.

#![expect(clippy::disallowed_methods, reason = "it reads a folder of files and writes copies")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use conspect::{Budget, Input, Limits, Mode, PreviewOptions, Scope, lay_out, preview, read};
use conspect_tests::mutate::{Mutated, mutate};
use conspect_tests::process::{Outcome, run_each, run_within};
use conspect_tests::words::Words;
use conspect_tests::{built_command, files_under};

const DEADLINE: Duration = Duration::from_secs(20);
const MAX_KIB: u64 = 4 << 20;

const USAGE: &str =
    "usage: mutate FOLDER [--seed N] [--per-file N] (--out DIR | --compare [--worst N] [--out DIR])";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, file] = arguments.as_slice()
        && word == READ_ONE
    {
        read_one(Path::new(file));
        return ExitCode::SUCCESS;
    }
    let done =
        Call::parse(arguments).and_then(|call| if call.compares { compare(&call) } else { write(&call) });
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mutate: {error}");
            ExitCode::from(2)
        }
    }
}

/// What was asked for.
struct Call {
    folder: PathBuf,
    seed: u64,
    per_file: u64,
    out: Option<PathBuf>,
    compares: bool,
    n_worst: usize,
}

impl Call {
    fn parse(arguments: Vec<String>) -> Result<Call, String> {
        let mut folder = None;
        let (mut seed, mut per_file, mut n_worst) = (1, 3, 0);
        let (mut out, mut compares) = (None, false);
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut number = || arguments.next().and_then(|text| text.parse().ok()).ok_or(USAGE);
            match argument.as_str() {
                "--seed" => seed = number()?,
                "--per-file" => per_file = number()?,
                "--worst" => n_worst = number()? as usize,
                "--compare" => compares = true,
                "--out" => out = Some(PathBuf::from(arguments.next().ok_or(USAGE)?)),
                _ if folder.is_none() => folder = Some(PathBuf::from(argument)),
                _ => return Err(USAGE.to_owned()),
            }
        }
        let folder = folder.ok_or(USAGE)?;
        match out.is_some() || compares {
            true => Ok(Call { folder, seed, per_file, out, compares, n_worst }),
            false => Err(USAGE.to_owned()),
        }
    }

    fn files(&self) -> Result<Vec<PathBuf>, String> {
        files_under(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))
    }

    /// The damaged copies of a file. Its name is part of the seed, so that a folder's files do not all have the same
    /// faults, and its place is not, so that another file beside it changes nothing.
    fn copies(&self, file: &Path) -> Result<Vec<(String, Mutated)>, String> {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let of_name = blake3::hash(name.as_bytes());
        let of_name = of_name.as_bytes().iter().take(8).fold(0, |seed, &byte| seed << 8 | u64::from(byte));
        let copy = |idx: u64| {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let extension = file.extension().unwrap_or_default().to_string_lossy();
            let seed = of_name ^ (self.seed << 32) ^ idx;
            (format!("{stem}.{}-{idx}.{extension}", self.seed), mutate(&bytes, seed))
        };
        Ok((0..self.per_file).map(copy).collect())
    }
}

/// Writes the copies, each folder of files as a folder of copies.
fn write(call: &Call) -> Result<usize, String> {
    let mut n_copies = 0;
    for file in call.files()? {
        for (name, mutated) in call.copies(&file)? {
            let out = call.out.as_deref().unwrap_or(Path::new("."));
            let path = out.join(file.strip_prefix(&call.folder).unwrap_or(&file)).with_file_name(name);
            put(&path, &mutated.bytes)?;
            n_copies += 1;
        }
    }
    println!("{n_copies} copies");
    Ok(0)
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, bytes));
    written.map_err(|error| format!("{}: {error}", path.display()))
}

/// How one program did on one copy.
struct Read {
    outcome: Outcome,
    words: Words,
}

/// One copy, as both read it.
struct Compared {
    file: PathBuf,
    faults: String,
    /// Words of the sound file that both find in it.
    n_words: usize,
    ours: (Outcome, usize),
    theirs: (Outcome, usize),
    /// The first line of a panic of ours, were it caught or not.
    panic: Option<String>,
}

/// Reads all copies by both; the number of those on which we panicked, aborted or hung comes back.
fn compare(call: &Call) -> Result<usize, String> {
    let conspect = built_command()?;
    let scratch = match &call.out {
        Some(out) => out.clone(),
        None => std::env::temp_dir().join(format!("conspect-mutate-{}", std::process::id())),
    };
    let files = call.files()?;
    let is_pdf =
        |file: &PathBuf| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdf"));
    let files: Vec<PathBuf> = files.into_iter().filter(is_pdf).collect();
    let compared = run_each(&files, |file| compare_file(call, &conspect, file, &scratch));
    if call.out.is_none() {
        let _ = std::fs::remove_dir_all(&scratch);
    }
    let compared: Vec<Vec<Compared>> = compared.into_iter().collect::<Result<_, String>>()?;
    let compared: Vec<Compared> = compared.into_iter().flatten().collect();
    Ok(report(&compared, call.n_worst))
}

fn compare_file(call: &Call, conspect: &Path, file: &Path, scratch: &Path) -> Result<Vec<Compared>, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let by_us = |file: &Path| by(conspect, &["read", "--mode", "full", "--no-header"], file);
    let by_mutool = |file: &Path| by(Path::new("mutool"), &["draw", "-q", "-F", "txt", "-o", "-"], file);
    let sound = by_us(file)?.words.common(&by_mutool(file)?.words);
    let mut compared = Vec::new();
    for (name, mutated) in call.copies(file)? {
        let path = scratch.join(file.strip_prefix(&call.folder).unwrap_or(file)).with_file_name(name);
        put(&path, &mutated.bytes)?;
        let (ours, theirs) = (by_us(&path)?, by_mutool(&path)?);
        let inside = run_within(&own, &[READ_ONE, &path.to_string_lossy()], DEADLINE, MAX_KIB)
            .map_err(|error| format!("{}: {error}", own.display()))?;
        let panic = inside.stderr.lines().find(|line| line.contains("panicked at")).map(str::to_owned);
        let n_found = |read: &Read| (read.outcome, read.words.common(&sound).count());
        compared.push(Compared {
            faults: mutated.faults.join(", "),
            n_words: sound.count(),
            ours: n_found(&ours),
            theirs: n_found(&theirs),
            panic,
            file: path.clone(),
        });
        if call.out.is_none() {
            let _ = std::fs::remove_file(&path);
        }
    }
    Ok(compared)
}

fn by(program: &Path, arguments: &[&str], file: &Path) -> Result<Read, String> {
    let name = file.to_string_lossy();
    let arguments: Vec<&str> = arguments.iter().copied().chain([&*name]).collect();
    let finished = run_within(program, &arguments, DEADLINE, MAX_KIB)
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let outcome = finished.outcome();
    Ok(Read { outcome, words: Words::of(&String::from_utf8_lossy(&finished.stdout)) })
}

fn report(compared: &[Compared], n_worst: usize) -> usize {
    for copy in compared {
        if copy.ours.0 > Outcome::Error || copy.panic.is_some() {
            let panic = copy.panic.as_deref().unwrap_or_default();
            println!("{:?}: {} ({}) {panic}", copy.ours.0, copy.file.display(), copy.faults);
        }
    }
    let counts = |outcome: fn(&Compared) -> Outcome| {
        let mut counts: BTreeMap<Outcome, usize> = BTreeMap::new();
        for copy in compared {
            *counts.entry(outcome(copy)).or_default() += 1;
        }
        counts
    };
    let sum = |words: fn(&Compared) -> usize| compared.iter().map(words).sum::<usize>();
    let (sound, ours, theirs) =
        (sum(|copy| copy.n_words), sum(|copy| copy.ours.1), sum(|copy| copy.theirs.1));
    let mean = |words: fn(&Compared) -> usize| {
        let with_words = compared.iter().filter(|copy| copy.n_words > 0);
        let recalls: Vec<f64> = with_words.map(|copy| words(copy) as f64 / copy.n_words as f64).collect();
        recalls.iter().sum::<f64>() / recalls.len().max(1) as f64
    };
    println!("| | copies | how it ended | words of {sound} | of all | mean of files |");
    println!("|---|---|---|---|---|---|");
    let row = |name: &str, outcome: fn(&Compared) -> Outcome, words: fn(&Compared) -> usize| {
        println!(
            "| {name} | {} | {:?} | {} | {:.4} | {:.4} |",
            compared.len(),
            counts(outcome),
            sum(words),
            sum(words) as f64 / sound.max(1) as f64,
            mean(words)
        );
    };
    row("conspect", |copy| copy.ours.0, |copy| copy.ours.1);
    row("mutool", |copy| copy.theirs.0, |copy| copy.theirs.1);
    println!("words, ours to theirs: {:.4}", ours as f64 / theirs.max(1) as f64);
    let mut worst: Vec<&Compared> = compared.iter().filter(|copy| copy.ours.1 < copy.theirs.1).collect();
    worst.sort_by_key(|copy| copy.ours.1 as i64 - copy.theirs.1 as i64);
    for copy in worst.iter().take(n_worst) {
        println!(
            "{} of {}, mutool {}: {} ({})",
            copy.ours.1,
            copy.n_words,
            copy.theirs.1,
            copy.file.display(),
            copy.faults
        );
    }
    compared.iter().filter(|copy| copy.ours.0 > Outcome::Error || copy.panic.is_some()).count()
}

/// The first argument of the process that reads one file and lets every panic be heard, also those that the readers
/// catch and of which the command says nothing.
const READ_ONE: &str = "--read-one";

fn read_one(file: &Path) {
    let Ok(bytes) = std::fs::read(file) else { return };
    let read_whole = move || {
        let input = Input::new(&bytes, "copy.pdf");
        let whole = PreviewOptions { mode: Mode::Full, ..PreviewOptions::new(Budget::Chars(usize::MAX)) };
        if let Ok(document) = read(&input, &Scope::default(), &Limits::default()) {
            preview(&lay_out(&document), None, &whole);
        }
    };
    let reader = std::thread::Builder::new().stack_size(64 << 20).spawn(read_whole);
    let _ = reader.map(std::thread::JoinHandle::join);
}
