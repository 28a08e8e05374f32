//! The sampler on texts of different shapes: time for one preview of a document that is already read.

use conspect_model::{Block, BlockKind, Document, Format, LineRange, Origin, OwnedLines};
use conspect_view::{Query, SampleOptions, lay_out, sample};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Prose with a heading every fifty lines.
fn markdown(n_lines: usize) -> Document<'static> {
    let mut document = Document::new(Format::Markdown);
    let mut lines = OwnedLines::new();
    for n in 0..n_lines {
        if n % 50 == 0 {
            lines.push(&format!("## Section {}", n / 50));
            let origin = Origin::Lines(LineRange::from_idx(n..n + 1));
            document.blocks.push(Block::new(BlockKind::Heading { level: 2 }, "", origin));
        } else {
            let topic = ["harbour", "railway", "orchard", "library", "quarry"][n * 7 % 5];
            lines.push(&format!(
                "Line {n} tells of the {topic} and of what was paid for it in year {}.",
                1900 + n % 90
            ));
        }
    }
    document.lines = Some(Box::new(lines));
    document
}

/// One table of three columns.
fn csv(n_rows: usize) -> Document<'static> {
    let mut document = Document::new(Format::Csv);
    let mut lines = OwnedLines::new();
    lines.push("name,unit,price");
    for n in 0..n_rows {
        lines.push(&format!("item{n},kg,{}", n * 31 % 997));
    }
    let origin = Origin::Lines(LineRange::from_idx(0..n_rows + 1));
    document.blocks.push(Block::new(BlockKind::TableLines { n_header_lines: 1 }, "", origin));
    document.lines = Some(Box::new(lines));
    document
}

#[divan::bench(args = [1_000, 10_000, 300_000])]
fn markdown_with_query(bencher: Bencher<'_, '_>, n_lines: usize) {
    let document = markdown(n_lines);
    let listing = lay_out(&document);
    let query = Query::parse("What was paid for the orchard in 1937?");
    bencher.bench(|| {
        sample(black_box(&listing), &SampleOptions { query: Some(&query), ..SampleOptions::new(5_000) })
    });
}

#[divan::bench(args = [1_000, 10_000, 300_000])]
fn markdown_without_query(bencher: Bencher<'_, '_>, n_lines: usize) {
    let document = markdown(n_lines);
    let listing = lay_out(&document);
    bencher.bench(|| sample(black_box(&listing), &SampleOptions::new(5_000)));
}

#[divan::bench(args = [1_000, 100_000])]
fn csv_with_query(bencher: Bencher<'_, '_>, n_rows: usize) {
    let document = csv(n_rows);
    let listing = lay_out(&document);
    let query = Query::parse("price of item517");
    bencher.bench(|| {
        sample(black_box(&listing), &SampleOptions { query: Some(&query), ..SampleOptions::new(5_000) })
    });
}
