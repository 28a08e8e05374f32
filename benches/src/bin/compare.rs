//! Runs the command `conspect` and whichever of its peers are installed over the files of a folder, one process a
//! file, side by side in one run, and prints processor time, peak memory and failures with the ratio of ours to theirs.
//!
//! ```sh
//! cargo build --release && cargo run --release -p conspect-benches --bin compare -- FOLDER
//! cargo build --release && cargo run --release -p conspect-benches --bin compare -- --large FOLDER
//! cargo build --release && cargo run --release -p conspect-benches --bin compare -- --pdf FOLDER
//! cargo build --release && cargo run --release -p conspect-benches --bin compare -- --engines FOLDER
//! ```
//!
//! With `--large` the files are large texts that it makes in the folder (1.3 GB), and the peers are programs that only
//! pass over their bytes. With `--pdf` they are PDFs that it makes there: three pages of 6,756, all of 1,126, and one
//! whose content expands to 1.5 GiB. With `--engines` every engine reads all PDFs of the folder in one process: PDFium
//! and MuPDF through the modules `pypdfium2` and `pymupdf` of the Python that is first on the search path, where it
//! has them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use conspect_benches::{MAKE_PDF, compare_engines, compare_large, compare_pdf, installed, make_pdf};
use conspect_tests::process::{End, measure};
use conspect_tests::{built_command, files_under};

/// What a user would pick instead of us, for files with these extensions.
struct Peer {
    name: &'static str,
    extensions: &'static [&'static str],
    program: &'static str,
    /// `{}` stands for the file.
    arguments: &'static [&'static str],
    /// What we are asked for, so that both do the same job.
    ours: &'static [&'static str],
}

const FULL: &[&str] = &["read", "--mode", "full", "--no-header", "{}"];
const MAP: &[&str] = &["outline", "--format", "jsonl", "{}"];
const SOURCE: &[&str] = &["py", "rs", "js", "ts", "tsx", "go", "java", "c", "cpp", "rb", "php", "sh"];

const PEERS: &[Peer] = &[
    Peer {
        name: "pdftotext",
        extensions: &["pdf"],
        program: "pdftotext",
        arguments: &["{}", "-"],
        ours: FULL,
    },
    Peer {
        name: "MuPDF",
        extensions: &["pdf"],
        program: "mutool",
        arguments: &["draw", "-F", "txt", "-o", "-", "{}"],
        ours: FULL,
    },
    Peer {
        name: "pandoc",
        extensions: &["docx", "odt"],
        program: "pandoc",
        arguments: &["-t", "gfm", "{}"],
        ours: FULL,
    },
    Peer {
        name: "markitdown",
        extensions: &["docx", "xlsx", "xls", "pdf", "html"],
        program: "markitdown",
        arguments: &["{}"],
        ours: FULL,
    },
    Peer {
        name: "ctags",
        extensions: SOURCE,
        program: "ctags",
        arguments: &["--output-format=json", "--fields=+ne", "-f", "-", "{}"],
        ours: MAP,
    },
    Peer {
        name: "ast-grep",
        extensions: SOURCE,
        program: "ast-grep",
        arguments: &["outline", "{}"],
        ours: MAP,
    },
];

/// What all runs of one command took together.
#[derive(Default)]
struct Total {
    cpu: Duration,
    peak_kib: u64,
    n_failed: usize,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let compared = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--large", folder] => built_command().and_then(|command| compare_large(&command, Path::new(folder))),
        ["--pdf", folder] => built_command().and_then(|command| compare_pdf(&command, Path::new(folder))),
        [MAKE_PDF, name, path] => make_pdf(name, Path::new(path)),
        ["--engines", folder] => compare_engines(Path::new(folder)),
        [folder] => compare(Path::new(folder)),
        _ => {
            eprintln!("usage: compare [--large | --pdf | --engines] FOLDER");
            return ExitCode::from(2);
        }
    };
    match compared {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(folder: &Path) -> Result<(), String> {
    let command = built_command()?;
    let files = files_under(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    println!(
        "| peer | files | CPU s, peer | CPU s, conspect | ratio | peak MiB, peer | peak MiB, conspect | failed, peer | failed, conspect |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for peer in PEERS {
        let ours: Vec<&PathBuf> = files
            .iter()
            .filter(|file| {
                let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
                peer.extensions.contains(&extension.to_ascii_lowercase().as_str())
            })
            .collect();
        if ours.is_empty() {
            println!("| {} | no such files here | | | | | | | |", peer.name);
            continue;
        }
        let Some(program) = installed(peer.program) else {
            println!("| {} | not installed | | | | | | | |", peer.name);
            continue;
        };
        let (mut theirs, mut own) = (Total::default(), Total::default());
        for file in &ours {
            // One after the other on each file, so that both meet the same state of the machine.
            theirs.add(&program, peer.arguments, file)?;
            own.add(&command, peer.ours, file)?;
        }
        println!(
            "| {} | {} | {:.2} | {:.2} | {:.2} | {} | {} | {} | {} |",
            peer.name,
            ours.len(),
            theirs.cpu.as_secs_f64(),
            own.cpu.as_secs_f64(),
            own.cpu.as_secs_f64() / theirs.cpu.as_secs_f64().max(1e-9),
            theirs.peak_kib / 1024,
            own.peak_kib / 1024,
            theirs.n_failed,
            own.n_failed,
        );
    }
    Ok(())
}

impl Total {
    fn add(&mut self, program: &Path, arguments: &[&str], file: &Path) -> Result<(), String> {
        let name = file.to_string_lossy();
        let arguments: Vec<&str> =
            arguments.iter().map(|&argument| if argument == "{}" { &*name } else { argument }).collect();
        let finished = measure(program, &arguments, Duration::from_secs(60))
            .map_err(|error| format!("{}: {error}", program.display()))?;
        self.cpu += finished.cpu;
        self.peak_kib = self.peak_kib.max(finished.peak_kib);
        self.n_failed += usize::from(finished.end != End::Exit(0));
        Ok(())
    }
}
