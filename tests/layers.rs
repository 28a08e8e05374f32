//! The edges between the crates. An edge that this table does not have is a decision: it is made here first, with the
//! reason in the commit.

#![expect(clippy::disallowed_methods, reason = "the manifests of this repository are read from disk")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Which crates of ours each crate may use, from bottom to top.
const LAYERS: &[(&str, &[&str])] = &[
    ("conspect-model", &[]),
    ("conspect-grammars", &[]),
    ("conspect-text", &["conspect-model"]),
    ("conspect-pdf", &["conspect-model"]),
    ("conspect-office", &["conspect-model"]),
    ("conspect-code", &["conspect-model", "conspect-text", "conspect-grammars"]),
    ("conspect-view", &["conspect-model"]),
    (
        "conspect",
        &[
            "conspect-model",
            "conspect-text",
            "conspect-pdf",
            "conspect-office",
            "conspect-code",
            "conspect-view",
        ],
    ),
    ("conspect-report", &["conspect"]),
    ("conspect-workspace", &["conspect", "conspect-text"]),
    ("conspect-index", &["conspect", "conspect-workspace"]),
    ("conspect-tools", &["conspect", "conspect-report", "conspect-workspace", "conspect-index"]),
    ("conspect-cli", &["conspect-tools"]),
    ("conspect-py", &["conspect-tools"]),
];

/// Crates that no product crate may use: nobody ships them.
const UNSHIPPED: &[&str] = &["conspect-tests", "conspect-benches"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The manifests of all crates, by the crate's name.
fn manifests() -> BTreeMap<String, toml::Table> {
    let mut folders = vec![root().join("grammars"), root().join("tests"), root().join("benches")];
    let crates = std::fs::read_dir(root().join("crates")).expect("the folder crates");
    folders.extend(crates.map(|entry| entry.expect("an entry of crates").path()));
    folders
        .into_iter()
        .map(|folder| {
            let text = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
            let manifest: toml::Table = text.parse().expect("a manifest is TOML");
            let name = manifest["package"]["name"].as_str().expect("a package has a name").to_owned();
            (name, manifest)
        })
        .collect()
}

/// Our crates that a manifest names under `kind`.
fn ours(manifest: &toml::Table, kind: &str) -> BTreeSet<String> {
    let dependencies = manifest.get(kind).and_then(toml::Value::as_table);
    let names = dependencies.into_iter().flat_map(|table| table.keys());
    names.filter(|name| name.starts_with("conspect")).cloned().collect()
}

#[test]
fn crates_use_only_what_lies_below_them() {
    for (name, manifest) in manifests() {
        if UNSHIPPED.contains(&name.as_str()) {
            continue;
        }
        let Some((_, may_use)) = LAYERS.iter().find(|(known, _)| *known == name) else {
            panic!("{name} has no place in the table of layers");
        };
        for used in ours(&manifest, "dependencies") {
            assert!(
                may_use.contains(&used.as_str()),
                "{name} uses {used}, an edge that the table of layers lacks"
            );
        }
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for used in ours(&manifest, kind) {
                assert!(!UNSHIPPED.contains(&used.as_str()), "{name} uses {used}, which nobody ships");
            }
        }
    }
}

#[test]
fn a_crate_is_named_for_its_folder() {
    for entry in std::fs::read_dir(root().join("crates")).expect("the folder crates") {
        let folder = entry.expect("an entry of crates").file_name().into_string().expect("a name in UTF-8");
        assert!(manifests().contains_key(&folder), "no crate is called {folder}");
    }
}

/// The model stands on nothing; wire formats, the terminal and MCP stay at the doors.
#[test]
fn what_is_absent_stays_absent() {
    let all_dependencies = |manifest: &toml::Table| -> BTreeSet<String> {
        let table = manifest.get("dependencies").and_then(toml::Value::as_table);
        table.into_iter().flat_map(|table| table.keys().cloned()).collect()
    };
    let manifests = manifests();
    assert_eq!(all_dependencies(&manifests["conspect-model"]), BTreeSet::new());
    for name in
        ["conspect-text", "conspect-pdf", "conspect-office", "conspect-code", "conspect-view", "conspect"]
    {
        let dependencies = all_dependencies(&manifests[name]);
        for absent in ["clap", "anyhow", "rmcp", "memmap2", "cap-std", "tempfile", "schemars"] {
            assert!(!dependencies.contains(absent), "{name} depends on {absent}");
        }
    }
    for name in ["conspect-pdf", "conspect-office", "conspect-view", "conspect", "conspect-report"] {
        assert!(!all_dependencies(&manifests[name]).contains("serde_json"), "{name} knows JSON");
    }
}
