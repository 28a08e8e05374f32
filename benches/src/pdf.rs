//! PDFs: very long ones and one that expands without measure, beside the programs that a user would pick instead; and
//! all files of a folder in one process of every engine.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use conspect_tests::files_under;
use conspect_tests::make::{Objects, joined_pdf};
use conspect_tests::process::{End, Finished, measure, run};
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::installed;

/// A file that is made for the comparison.
struct Made {
    name: &'static str,
    make: fn(&mut dyn Write) -> std::io::Result<()>,
}

const LONG: Made =
    Made { name: "pages_6756.pdf", make: |file| file.write_all(&joined_pdf(6_756, Objects::Plain)) };
const LONG_PACKED: Made =
    Made { name: "pages_6756_packed.pdf", make: |file| file.write_all(&joined_pdf(6_756, Objects::Packed)) };
const WHOLE: Made =
    Made { name: "pages_1126.pdf", make: |file| file.write_all(&joined_pdf(1_126, Objects::Plain)) };
const BOMB: Made = Made { name: "bomb.pdf", make: stream_bomb };

/// One question that every program is asked of one file. `{}` is the file.
struct Question {
    file: &'static Made,
    what: &'static str,
    ours: &'static [&'static str],
    /// The name to print, the program and its arguments.
    peers: &'static [(&'static str, &'static str, &'static [&'static str])],
}

const QUESTIONS: &[Question] = &[
    Question {
        file: &LONG,
        what: "pages 3-5",
        ours: PAGES,
        peers: &[("mutool", "mutool", MUTOOL_PAGES), ("pdftotext", "pdftotext", PDFTOTEXT_PAGES)],
    },
    Question {
        file: &LONG_PACKED,
        what: "pages 3-5",
        ours: PAGES,
        peers: &[("mutool", "mutool", MUTOOL_PAGES), ("pdftotext", "pdftotext", PDFTOTEXT_PAGES)],
    },
    Question {
        file: &WHOLE,
        what: "all pages",
        ours: ALL,
        peers: &[
            ("mutool, text", "mutool", &["draw", "-F", "txt", "-o", "-", "{}"]),
            ("mutool, structured", "mutool", &["draw", "-F", "stext", "-o", "-", "{}"]),
            ("pdftotext", "pdftotext", &["{}", "-"]),
        ],
    },
    Question {
        file: &BOMB,
        what: "all pages",
        ours: ALL,
        peers: &[
            ("mutool, text", "mutool", &["draw", "-F", "txt", "-o", "-", "{}"]),
            ("pdftotext", "pdftotext", &["{}", "-"]),
        ],
    },
];

const PAGES: &[&str] = &["read", "{}", "--pages", "3-5", "--mode", "full", "--no-header"];
const ALL: &[&str] = &["read", "{}", "--mode", "full", "--no-header"];
const MUTOOL_PAGES: &[&str] = &["draw", "-F", "txt", "-o", "-", "{}", "3-5"];
const PDFTOTEXT_PAGES: &[&str] = &["-f", "3", "-l", "5", "{}", "-"];

/// How often each command is run; the median counts.
const N_RUNS: usize = 3;

/// Makes the files in a folder, where they are not there yet, and prints a table of what each command takes, with the
/// ratio of ours to theirs.
///
/// Every command is run on a file in turn, so that all meet the same state of the machine.
pub fn compare_pdf(conspect: &Path, folder: &Path) -> Result<(), String> {
    println!("| file | MB | asked for | command | seconds | CPU s | CPU, ours to this | peak MiB |");
    println!("|---|---|---|---|---|---|---|---|");
    for question in QUESTIONS {
        let path = folder.join(question.file.name);
        let failed = |error: std::io::Error| format!("{}: {error}", path.display());
        if !path.exists() {
            made_apart(question.file.name, &path)?;
        }
        let n_bytes = path.metadata().map_err(failed)?.len();
        let row = |name: &str, took: Result<Took, String>, ours: Option<Duration>| {
            let (seconds, cpu, peak) = match &took {
                Ok(took) => (
                    format!("{:.3}", took.wall.as_secs_f64()),
                    format!("{:.3}", took.cpu.as_secs_f64()),
                    (took.peak_kib / 1024).to_string(),
                ),
                Err(why) => (why.clone(), String::new(), String::new()),
            };
            let ratio = match (ours, &took) {
                (Some(ours), Ok(theirs)) => {
                    format!("{:.2}", ours.as_secs_f64() / theirs.cpu.as_secs_f64().max(1e-9))
                }
                _ => String::new(),
            };
            println!(
                "| {} | {} | {} | {name} | {seconds} | {cpu} | {ratio} | {peak} |",
                question.file.name,
                n_bytes / 1_000_000,
                question.what
            );
            took
        };
        let ours = row("conspect read", median(conspect, question.ours, &path), None)?;
        for (name, program, arguments) in question.peers {
            let took = match installed(program) {
                Some(program) => median(&program, arguments, &path),
                None => Err("not installed".to_owned()),
            };
            // What a peer cannot do is told in its row.
            let _ = row(name, took, Some(ours.cpu));
        }
    }
    Ok(())
}

/// What a command takes.
struct Took {
    wall: Duration,
    cpu: Duration,
    peak_kib: u64,
}

fn median(program: &Path, arguments: &[&str], file: &Path) -> Result<Took, String> {
    let file = file.to_string_lossy();
    let arguments: Vec<&str> =
        arguments.iter().map(|&argument| if argument == "{}" { &*file } else { argument }).collect();
    let mut runs = Vec::new();
    for _ in 0..N_RUNS {
        let finished =
            measure(program, &arguments, Duration::from_secs(120)).map_err(|error| error.to_string())?;
        if finished.end == End::Deadline {
            return Err("over 120 s".to_owned());
        }
        if !matches!(finished.end, End::Exit(0)) {
            return Err(format!("{:?}", finished.end));
        }
        runs.push(finished);
    }
    runs.sort_by_key(|run| run.cpu);
    let cpu = runs[N_RUNS / 2].cpu;
    runs.sort_by_key(|run| run.wall);
    Ok(Took { wall: runs[N_RUNS / 2].wall, cpu, peak_kib: runs[N_RUNS / 2].peak_kib })
}

/// The first argument with which this program makes one of the files, by its name.
pub const MAKE_PDF: &str = "--make-pdf";

/// Has the file made by a process of its own, so that this one stays small: see [`measure`].
fn made_apart(name: &str, path: &Path) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let arguments = [MAKE_PDF, name, &*path.to_string_lossy()];
    let made = run(&own, &arguments, Duration::from_secs(600)).map_err(|error| error.to_string())?;
    if made.end == End::Exit(0) { Ok(()) } else { Err(made.stderr) }
}

/// Makes the file of this name.
#[expect(clippy::disallowed_methods, reason = "the files are made on disk, in a folder that the user names")]
pub fn make_pdf(name: &str, path: &Path) -> Result<(), String> {
    let made = QUESTIONS.iter().map(|question| question.file).find(|made| made.name == name);
    let made = made.ok_or_else(|| format!("no file is called {name}"))?;
    let write = || {
        let mut file = BufWriter::new(File::create(path)?);
        (made.make)(&mut file)?;
        file.flush()
    };
    write().map_err(|error| format!("{}: {error}", path.display()))
}

/// One page whose content of 1.5 MB expands to 1.5 GiB.
fn stream_bomb(file: &mut dyn Write) -> std::io::Result<()> {
    let mut content = ZlibEncoder::new(Vec::new(), Compression::best());
    content.write_all(b"BT /F1 12 Tf 72 720 Td (Before the flood) Tj ET\n")?;
    let blanks = vec![b' '; 1 << 20];
    for _ in 0..1536 {
        content.write_all(&blanks)?;
    }
    let content = content.finish()?;
    let mut bytes = b"%PDF-1.7\n\
        1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n\
        2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj\n\
        3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R \
        /Resources << /Font << /F1 4 0 R >> >> >> endobj\n\
        4 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj\n"
        .to_vec();
    writeln!(bytes, "5 0 obj << /Length {} /Filter /FlateDecode >> stream", content.len())?;
    bytes.extend_from_slice(&content);
    bytes.extend_from_slice(b"\nendstream endobj\n");
    let table = bytes.len();
    write!(bytes, "xref\n0 6\n0000000000 65535 f \n")?;
    for number in 1..6 {
        let head = format!("{number} 0 obj");
        let at = bytes.windows(head.len()).position(|window| window == head.as_bytes()).unwrap_or_default();
        writeln!(bytes, "{at:010} 00000 n ")?;
    }
    write!(bytes, "trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n")?;
    file.write_all(&bytes)
}

/// Engines with a door to Python: the module, and what takes the text of every page of the files it is given. Both
/// print how many files and characters there were.
const MODULES: &[(&str, &str, &str)] = &[
    (
        "PDFium",
        "pypdfium2",
        "import sys, pypdfium2
files = chars = 0
for name in sys.argv[1:]:
    try:
        document = pypdfium2.PdfDocument(name)
        for idx in range(len(document)):
            chars += len(document[idx].get_textpage().get_text_range())
        files += 1
    except pypdfium2.PdfiumError:
        pass
print(files, chars)",
    ),
    (
        "MuPDF",
        "pymupdf",
        "import sys, pymupdf
pymupdf.TOOLS.mupdf_display_errors(False)
files = chars = 0
for name in sys.argv[1:]:
    try:
        document = pymupdf.open(name)
        for page in document:
            chars += len(page.get_text('text'))
        files += 1
    except Exception:
        pass
print(files, chars)",
    ),
];

/// Prints what each engine takes for all PDFs under a folder, in one process each: ours with layout and everything
/// that `read --mode full` does, theirs with plain text. The modules are looked for in the Python that is first on the
/// search path.
pub fn compare_engines(folder: &Path) -> Result<(), String> {
    let files = files_under(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let is_pdf =
        |file: &PathBuf| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pdf"));
    let files: Vec<String> =
        files.iter().filter(|file| is_pdf(file)).map(|file| file.to_string_lossy().into_owned()).collect();
    println!("| engine | files | read | characters | CPU s | ours to this | peak MiB |");
    println!("|---|---|---|---|---|---|---|");
    let row = |name: &str, finished: &Finished, ours: Option<f64>| {
        let seconds = finished.cpu.as_secs_f64();
        let counts = String::from_utf8_lossy(&finished.stdout);
        let (read, chars) = counts.trim().split_once(' ').unwrap_or(("", ""));
        let ratio = ours.map(|ours| format!("{:.2}", ours / seconds.max(1e-9))).unwrap_or_default();
        println!(
            "| {name} | {} | {read} | {chars} | {seconds:.2} | {ratio} | {} |",
            files.len(),
            finished.peak_kib / 1024
        );
        seconds
    };
    let own = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("read_all");
    let ours = row("conspect", &all(&own, &[], &files)?, None);
    let Some(python) = installed("python3") else {
        println!("| a Python | not installed | | | | | |");
        return Ok(());
    };
    for (name, module, script) in MODULES {
        let import = format!("import {module}");
        let is_there = run(&python, &["-c", &import], Duration::from_secs(30))
            .is_ok_and(|finished| finished.end == End::Exit(0));
        if !is_there {
            println!("| {name} | {module} is not installed | | | | | |");
            continue;
        }
        row(name, &all(&python, &["-c", script], &files)?, Some(ours));
    }
    Ok(())
}

fn all(program: &Path, before: &[&str], files: &[String]) -> Result<Finished, String> {
    let arguments: Vec<&str> = before.iter().copied().chain(files.iter().map(String::as_str)).collect();
    let finished = run(program, &arguments, Duration::from_secs(1200))
        .map_err(|error| format!("{}: {error}", program.display()))?;
    match finished.end {
        End::Exit(0) => Ok(finished),
        end => Err(format!("{}: {end:?}: {}", program.display(), finished.stderr)),
    }
}
