//! Damaged copies of the PDFs of the corpus and of the contents of their pages: whatever is broken in them, a read ends
//! soon, in modest memory, and never by a panic. Spec 5, D3 and D5.

#![expect(clippy::disallowed_methods, reason = "it reads the folder of test files")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use conspect::{Budget, Input, Limits, Mode, PreviewOptions, Scope, lay_out, preview, read};
use conspect_tests::content::{modest_limits, page_of};
use conspect_tests::mutate::mutate;
use conspect_tests::{files_under, repository};

/// Copies made of each file.
const N_COPIES: u64 = 25;
/// Far more than any copy needs on a busy machine.
const DEADLINE: Duration = Duration::from_secs(30);
const MAX_RESIDENT_KIB: u64 = 600 << 10;

#[test]
fn damaged_copies_are_read_to_an_end() {
    let copies = pdfs().into_iter().flat_map(|(file, bytes)| {
        (0..N_COPIES).map(move |seed| {
            let mutated = mutate(&bytes, seed);
            let what = format!("{}, seed {seed}, {}", file.display(), mutated.faults.join(", "));
            (what, mutated.bytes)
        })
    });
    check(copies, &Limits::default());
}

#[test]
fn damaged_contents_are_read_to_an_end() {
    let contents = pdfs().into_iter().flat_map(|(file, bytes)| {
        let of_page = |bytes: &[u8]| {
            let document = lopdf::Document::load_mem(bytes).ok()?;
            let (_, page) = document.get_pages().pop_first()?;
            Some(document.get_page_content(page))
        };
        of_page(&bytes).map(|content| (file, content))
    });
    let copies = contents.flat_map(|(file, content)| {
        (0..N_COPIES).map(move |seed| {
            let mutated = mutate(&content, seed);
            let what = format!("content of {}, seed {seed}, {}", file.display(), mutated.faults.join(", "));
            (what, page_of(&mutated.bytes))
        })
    });
    check(copies, &modest_limits());
}

/// Reads every copy, each by a thread of its own.
fn check(copies: impl Iterator<Item = (String, Vec<u8>)>, limits: &Limits) {
    // The hook for panics is one for the whole process, so the tests take turns.
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let panics: Arc<Mutex<Vec<String>>> = Arc::default();
    // Panics that the readers catch count as well.
    std::panic::set_hook(Box::new({
        let panics = Arc::clone(&panics);
        move |panic| panics.lock().expect("never held over a panic").push(panic.to_string())
    }));
    let (mut n_texts, mut n_copies) = (0, 0);
    let mut failed = Vec::new();
    for (what, bytes) in copies {
        n_copies += 1;
        let (done, ended) = mpsc::channel();
        let limits = limits.clone();
        let reader = std::thread::Builder::new().stack_size(16 << 20);
        let reader = reader.spawn(move || done.send(has_text(&bytes, &limits))).expect("a thread can be had");
        let problem = match ended.recv_timeout(DEADLINE) {
            Err(mpsc::RecvTimeoutError::Timeout) => Some("still being read".to_owned()),
            ended => {
                n_texts += usize::from(ended == Ok(true));
                let _ = reader.join();
                panics.lock().expect("never held over a panic").pop()
            }
        };
        failed.extend(problem.map(|problem| format!("{what}: {problem}")));
    }
    drop(std::panic::take_hook());
    drop(turn);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(n_texts * 3 > n_copies, "{n_texts} of {n_copies} gave a text: faults so many prove nothing");
    if let Some(resident) = peak_resident_kib() {
        assert!(resident < MAX_RESIDENT_KIB, "{resident} KiB were resident");
    }
}

fn pdfs() -> Vec<(PathBuf, Vec<u8>)> {
    let files = files_under(&repository().join("fixtures")).expect("the fixtures are there");
    let pdfs = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "pdf"));
    pdfs.map(|file| {
        let bytes = std::fs::read(&file).expect("a fixture can be read");
        (file, bytes)
    })
    .collect()
}

fn has_text(bytes: &[u8], limits: &Limits) -> bool {
    let whole = PreviewOptions { mode: Mode::Full, ..PreviewOptions::new(Budget::Chars(usize::MAX)) };
    let document = read(&Input::new(bytes, "copy.pdf"), &Scope::default(), limits);
    document.is_ok_and(|document| !preview(&lay_out(&document), None, &whole).trim().is_empty())
}

/// The most memory that this process ever had, where the system tells.
fn peak_resident_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
