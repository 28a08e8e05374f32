//! Makes the corpus under `fixtures/`: the same bytes in every run, on every machine.
//!
//! Every module makes the files of one format and says of each what it shows. Files that are text and can be read as
//! they stand are not made here: they are written by hand, lie in their folder, and are named in [`BY_HAND`].

mod prose;
mod archive;
mod page;
mod pdf;
mod docx;
mod xlsx;
mod csv;
mod text;
mod hostile;
mod by_hand;
mod manifest;
mod joined;

pub use by_hand::BY_HAND;
pub use joined::{Objects, joined_pdf};
pub use manifest::{Entry, manifest, read_manifest};
pub use prose::FACT;

/// A file of the corpus.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// Its place under `fixtures/`: format, then feature and variant.
    pub path: &'static str,
    /// What it is there to show.
    pub shows: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Every file that is made by program.
pub fn fixtures() -> Vec<Fixture> {
    let made = [
        pdf::fixtures(),
        docx::fixtures(),
        xlsx::fixtures(),
        csv::fixtures(),
        text::fixtures(),
        hostile::fixtures(),
    ];
    made.into_iter().flatten().collect()
}

fn fixture(path: &'static str, shows: &'static str, bytes: impl Into<Vec<u8>>) -> Fixture {
    Fixture { path, shows, bytes: bytes.into() }
}
