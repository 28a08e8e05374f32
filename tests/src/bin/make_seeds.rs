//! Writes the files with which fuzzing begins: the PDFs of the corpus, and the contents of their pages.
//!
//! ```sh
//! cargo run -p conspect-tests --bin make_seeds
//! ```

#![expect(clippy::disallowed_methods, reason = "it writes the folders of seeds")]

use std::path::Path;

use conspect_tests::make::fixtures;
use conspect_tests::repository;

fn main() -> std::io::Result<()> {
    let corpus = repository().join("tests/fuzz/corpus");
    let (files, contents) = (corpus.join("pdf_file"), corpus.join("pdf_content"));
    std::fs::create_dir_all(&files)?;
    std::fs::create_dir_all(&contents)?;
    let mut n_contents = 0;
    let pdfs = fixtures().into_iter().filter(|fixture| fixture.path.ends_with(".pdf"));
    for fixture in pdfs {
        let name = Path::new(fixture.path).file_name().unwrap_or_default();
        std::fs::write(files.join(name), &fixture.bytes)?;
        // Damaged and locked ones have no contents that could be had.
        let Ok(document) = lopdf::Document::load_mem(&fixture.bytes) else { continue };
        for (number, page) in document.get_pages() {
            let content = document.get_page_content(page);
            let name = format!("{}-{number}", Path::new(name).with_extension("").display());
            std::fs::write(contents.join(name), content)?;
            n_contents += 1;
        }
    }
    println!("{n_contents} contents of pages");
    Ok(())
}
