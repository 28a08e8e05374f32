//! S1: a preview, its header and every mark included, never takes more than its budget, and makes use of it.

#![expect(clippy::disallowed_methods, reason = "the corpus is read from disk")]

use std::sync::atomic::{AtomicUsize, Ordering};

use conspect::{
    Budget, FormatFamily, Input, Limits, Mode, PreviewOptions, Query, Scope, Title, content_hash, lay_out,
    preview, read,
};
use conspect_tests::make::{FACT, read_manifest};
use conspect_tests::repository;

/// From too little for a header to more than most files hold.
const BUDGETS: &[usize] = &[
    50, 63, 80, 101, 127, 160, 202, 254, 320, 403, 508, 640, 806, 1_016, 1_280, 1_613, 2_032, 2_560, 3_225,
    4_064, 5_000, 6_451, 8_127, 10_240, 12_902, 16_255, 20_000,
];

/// Below this, marks and headers may leave more than a tenth of the budget without use.
const LEAST_WELL_USED: usize = 400;

/// Files of which a preview leaves more than a tenth of its budget without use, although there is more text.
///
/// All rows of the wide table are shown with some of their columns, and one column more in all of them takes more than
/// what is left.
const IDLE: &[&str] = &["xlsx/wide_60_columns.xlsx"];

#[test]
fn previews_keep_their_budget_and_use_it() {
    let root = repository().join("fixtures");
    let manifest = std::fs::read_to_string(root.join("MANIFEST.toml")).expect("a manifest");
    let entries = read_manifest(&manifest).expect("a manifest that can be read");
    let next = AtomicUsize::new(0);
    let check_all = || {
        let mut found = Vec::new();
        while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
            let bytes = std::fs::read(root.join(&entry.path)).expect("a fixture");
            found.push((entry.path.as_str(), check(&entry.path, &bytes)));
        }
        found
    };
    let mut found: Vec<(&str, Found)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(check_all)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no check panics")).collect()
    });
    found.sort_by_key(|(path, _)| *path);
    let over: Vec<&String> = found.iter().flat_map(|(_, found)| &found.over).collect();
    assert!(over.is_empty(), "over the budget: {over:#?}");
    let idle: Vec<&str> =
        found.iter().filter(|(_, found)| !found.idle.is_empty()).map(|(path, _)| *path).collect();
    let details: Vec<&String> = found.iter().flat_map(|(_, found)| &found.idle).collect();
    assert_eq!(idle, IDLE, "{details:#?}");
}

/// The previews of one file that break a promise.
#[derive(Default)]
struct Found {
    over: Vec<String>,
    idle: Vec<String>,
}

/// Makes every preview of a file. A file that cannot be read has none.
fn check(path: &str, bytes: &[u8]) -> Found {
    let mut found = Found::default();
    let input = Input::new(bytes, path);
    let Ok(document) = read(&input, &Scope::default(), &Limits::default()) else { return found };
    let listing = lay_out(&document);
    let title = Title { hash: Some(content_hash(&input)), ..Title::new(path) };
    let whole = PreviewOptions { mode: Mode::Full, ..PreviewOptions::new(Budget::Chars(0)) };
    let n_whole = preview(&listing, Some(&title), &whole).chars().count();
    let query = Query::parse(FACT);
    // A map of code ends where there are no more symbols; a sample of code makes use of all it is given.
    let is_code = document.format.family() == FormatFamily::Code;
    let modes: &[Mode] = if is_code { &[Mode::Auto, Mode::Sample] } else { &[Mode::Auto] };
    for &budget in BUDGETS {
        for &mode in modes {
            for query in [None, Some(&query)] {
                let options = PreviewOptions { mode, query, ..PreviewOptions::new(Budget::Chars(budget)) };
                let n_chars = preview(&listing, Some(&title), &options).chars().count();
                let asked = if query.is_some() { "a query" } else { "no query" };
                let what = format!("{path}, {mode:?}, {asked}: {n_chars} of {budget} (whole: {n_whole})");
                let is_map = is_code && mode == Mode::Auto;
                if n_chars == 0 || n_chars > budget {
                    found.over.push(what);
                } else if budget >= LEAST_WELL_USED
                    && !is_map
                    && n_whole > budget
                    && n_chars * 10 < budget * 9
                {
                    found.idle.push(what);
                }
            }
        }
    }
    found
}
