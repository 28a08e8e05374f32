use std::fmt::Write as _;
use std::path::Path;

use super::{BY_HAND, fixtures};

/// What the manifest says of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place under `fixtures/`.
    pub path: String,
    /// What it is there to show.
    pub shows: String,
    /// `by program` or `by hand`.
    pub made: String,
    /// The BLAKE3 hash of its bytes.
    pub blake3: String,
}

/// The text of `MANIFEST.toml`, in order of paths.
pub fn manifest(root: &Path) -> std::io::Result<String> {
    let entry = |path: &str, shows: &str, made: &str, bytes: &[u8]| Entry {
        path: path.to_owned(),
        shows: shows.to_owned(),
        made: made.to_owned(),
        blake3: blake3::hash(bytes).to_string(),
    };
    let mut entries: Vec<Entry> = fixtures()
        .iter()
        .map(|fixture| entry(fixture.path, fixture.shows, "by program", &fixture.bytes))
        .collect();
    for (path, shows) in BY_HAND {
        entries.push(entry(path, shows, "by hand", &std::fs::read(root.join(path))?));
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let mut text = String::from(
        "# Written by `cargo run -p conspect-tests --bin make_fixtures`; see README.md.\n\
         # All files are the project's own, under its licence.\n\
         \n\
         licence = \"MIT OR Apache-2.0\"\n",
    );
    for entry in entries {
        let shows = toml::Value::from(entry.shows);
        let _ = write!(
            text,
            "\n[\"{}\"]\nshows = {shows}\nmade = \"{}\"\nblake3 = \"{}\"\n",
            entry.path, entry.made, entry.blake3
        );
    }
    Ok(text)
}

/// The entries of a manifest.
pub fn read_manifest(text: &str) -> Result<Vec<Entry>, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let entries = table.iter().filter_map(|(path, entry)| Some((path, entry.as_table()?)));
    entries
        .map(|(path, entry)| {
            let field = |name: &str| {
                let text = entry.get(name).and_then(toml::Value::as_str);
                text.map(str::to_owned).ok_or_else(|| format!("{path} has no {name}"))
            };
            Ok(Entry {
                path: path.clone(),
                shows: field("shows")?,
                made: field("made")?,
                blake3: field("blake3")?,
            })
        })
        .collect()
}
