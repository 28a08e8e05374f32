//! Large texts: what a preview of them takes beside programs that only pass over their bytes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use conspect_tests::process::{End, measure};

/// A text that is made for the comparison.
struct Large {
    name: &'static str,
    query: &'static str,
    /// How many records it has: lines, or sentences where it is one line.
    n_records: u64,
    record: fn(u64) -> String,
}

const LARGE: &[Large] = &[
    Large {
        name: "requests.log",
        query: "request 51234 took",
        n_records: 1_200_000,
        record: |n| {
            let level = ["INFO", "WARN", "DEBUG", "ERROR"][(n * n % 7 % 4) as usize];
            let (day, hour, minute, second) = (1 + n / 86_400 % 28, n / 3600 % 24, n / 60 % 60, n % 60);
            format!(
                "2026-11-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03} {level} worker-{} request {n} took {} ms\n",
                n * 7 % 1000,
                n % 17,
                n * 31 % 997
            )
        },
    },
    Large {
        name: "prices.csv",
        query: "price of item517",
        n_records: 25_000_000,
        record: |n| match n {
            0 => "id,name,unit,price,date\n".to_owned(),
            n => {
                let (price, month, day) = (n * 31 % 997, n % 12 + 1, n % 28 + 1);
                format!("{n},item{n},kg,{price}.{:02},2026-{month:02}-{day:02}\n", n % 100)
            }
        },
    },
    Large {
        name: "chronicle.md",
        query: "What was paid for the orchard in 1937?",
        n_records: 300_000,
        record: |n| match n % 50 {
            0 => format!("## Section {}\n", n / 50),
            _ => {
                let topic = ["harbour", "railway", "orchard", "library", "quarry"][(n * 7 % 5) as usize];
                format!(
                    "Line {n} tells of the {topic} and of what was paid for it in year {}.\n",
                    1900 + n % 90
                )
            }
        },
    },
    Large {
        name: "one_line.txt",
        query: "reading 70123 of the gauge",
        n_records: 125_000,
        record: |n| format!("Reading {n} of the gauge was {} millimetres. ", n * 31 % 997),
    },
];

/// Programs that pass over the bytes and print next to nothing: the command, and its arguments; `{}` is the file.
const PASSES: &[(&str, &str, &[&str])] = &[
    ("cat >/dev/null", "sh", &["-c", "cat \"$0\" >/dev/null", "{}"]),
    ("wc -l", "wc", &["-l", "{}"]),
    ("rg -c", "rg", &["-c", "took 31 ms|item517,", "{}"]),
];

const BUDGET: &str = "20000";

/// How often each command is run; the median counts.
const N_RUNS: usize = 3;

/// Makes the texts in a folder, where they are not there yet, and prints a table of what each command takes.
///
/// Every command is run on a text in turn, so that all meet the same state of the machine.
pub fn compare_large(conspect: &Path, folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    println!("| text | MB | command | seconds | µs a record | peak MiB |");
    println!("|---|---|---|---|---|---|");
    for large in LARGE {
        let path = folder.join(large.name);
        if !path.exists() {
            make(large, &path).map_err(failed)?;
        }
        let n_bytes = path.metadata().map_err(failed)?.len();
        let file = path.to_string_lossy();
        let row = |name: &str, program: &Path, arguments: &[&str]| -> Result<(), String> {
            let arguments: Vec<&str> =
                arguments.iter().map(|&argument| if argument == "{}" { &*file } else { argument }).collect();
            let mut runs = Vec::new();
            for _ in 0..N_RUNS {
                let finished = measure(program, &arguments, Duration::from_secs(300))
                    .map_err(|error| format!("{name}: {error}"))?;
                if !matches!(finished.end, End::Exit(0 | 1)) {
                    return Err(format!("{name} on {file}: {:?}", finished.end));
                }
                runs.push((finished.wall, finished.peak_kib));
            }
            runs.sort();
            let (wall, peak_kib) = runs[N_RUNS / 2];
            println!(
                "| {} | {} | {name} | {:.3} | {:.2} | {} |",
                large.name,
                n_bytes / 1_000_000,
                wall.as_secs_f64(),
                wall.as_secs_f64() * 1e6 / large.n_records as f64,
                peak_kib / 1024,
            );
            Ok(())
        };
        for (name, program, arguments) in PASSES {
            match crate::installed(program) {
                Some(program) => row(name, &program, arguments)?,
                None => println!("| {} | | {name} | not installed | | |", large.name),
            }
        }
        row("conspect read", conspect, &["read", "{}", "--budget", BUDGET])?;
        row("conspect read --query", conspect, &["read", "{}", "--budget", BUDGET, "--query", large.query])?;
        row("conspect read --tail 20", conspect, &["read", "{}", "--tail", "20", "--max-bytes", BUDGET])?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the texts are made on disk, in a folder that the user names")]
fn make(large: &Large, path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for n in 0..large.n_records {
        file.write_all((large.record)(n).as_bytes())?;
    }
    file.flush()
}
