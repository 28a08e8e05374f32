//! The readers on the repository's own fixtures: time from bytes to Document.

use conspect::{Input, Limits, Scope, read};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// One file of every family, the longest that the corpus has.
const FILES: &[(&str, &[u8])] = &[
    ("long_report.pdf", include_bytes!("../../fixtures/pdf/long_report.pdf")),
    ("long_report.docx", include_bytes!("../../fixtures/docx/long_report.docx")),
    ("long_3000_rows.xlsx", include_bytes!("../../fixtures/xlsx/long_3000_rows.xlsx")),
    ("long_1200_rows.csv", include_bytes!("../../fixtures/csv/long_1200_rows.csv")),
    ("long_report.md", include_bytes!("../../fixtures/markdown/long_report.md")),
    ("article.html", include_bytes!("../../fixtures/html/article.html")),
    ("inventory.py", include_bytes!("../../fixtures/code/inventory.py")),
    ("scheduler.rs", include_bytes!("../../fixtures/code/scheduler.rs")),
];

#[divan::bench(args = FILES.iter().map(|(name, _)| *name))]
fn document(bencher: Bencher<'_, '_>, name: &str) {
    let bytes = FILES.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, bytes)| bytes);
    let input = Input::new(bytes, name);
    bencher.counter(divan::counter::BytesCount::new(bytes.len())).bench(|| {
        read(black_box(&input), &Scope::default(), &Limits::default()).map(|document| document.blocks.len())
    });
}
