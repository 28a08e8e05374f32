//! Suites that cross crates, through the front doors.
//!
//! `layers` holds the architecture: an edge between crates that is not in its table fails. The program `walk` reads
//! every file under a folder through the command and counts what panicked, aborted or hung. The corpus under
//! `fixtures/` is made by [`make`].

#![expect(
    clippy::disallowed_methods,
    reason = "the suites read folders of test files and start the command under test"
)]

pub mod content;
pub mod make;
pub mod mutate;
pub mod process;
pub mod words;

use std::path::{Path, PathBuf};

/// The folder of the whole repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every regular file under a folder, in order of their paths. Links are not followed.
pub fn files_under(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The command `conspect` that was built beside the running program.
pub fn built_command() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let command = own.with_file_name("conspect");
    match command.is_file() {
        true => Ok(command),
        false => {
            Err(format!("there is no {}: build it first with `cargo build --release`", command.display()))
        }
    }
}
