//! Benches, and the comparison with what a user would pick instead.
//!
//! `cargo bench -p conspect-benches` measures the sampler on texts that it makes, and the readers on
//! the fixtures. The program `compare` runs the
//! command `conspect` and whichever of its peers are installed, side by side, over a folder of files.

mod large;
mod pdf;

pub use large::compare_large;
pub use pdf::{MAKE_PDF, compare_engines, compare_pdf, make_pdf};

/// Where on the search path a program is.
pub fn installed(program: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
