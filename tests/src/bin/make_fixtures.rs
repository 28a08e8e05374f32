//! Writes the files of `fixtures/` that are made by program, and the manifest of all.
//!
//! ```sh
//! cargo run -p conspect-tests --bin make_fixtures
//! ```

#![expect(clippy::disallowed_methods, reason = "it writes the folder of test files")]

use std::path::Path;

use conspect_tests::make::{fixtures, manifest};
use conspect_tests::repository;

fn main() -> std::io::Result<()> {
    let root = repository().join("fixtures");
    let mut n_bytes = 0;
    let fixtures = fixtures();
    for fixture in &fixtures {
        let path = root.join(fixture.path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        std::fs::write(&path, &fixture.bytes)?;
        n_bytes += fixture.bytes.len();
    }
    std::fs::write(root.join("MANIFEST.toml"), manifest(&root)?)?;
    println!("{} files, {} kB", fixtures.len(), n_bytes / 1000);
    Ok(())
}
