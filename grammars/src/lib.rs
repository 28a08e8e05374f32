//! Languages as data: tree-sitter grammars with their outline queries, one folder a language.
//!
//! A folder holds `language.toml` (how the language is recognised, and what its syntax nodes mean for an outline),
//! `outline.scm` (tree-sitter queries that find definitions, names, bodies and imports) and `cases/` (sources with
//! the outline expected of them). A build script makes [`LANGUAGES`] of the folders. To add a language, add a folder
//! and, in `Cargo.toml`, the grammar with its feature; no Rust code changes. `README.md` explains every key.
//!
//! Useful for: `conspect-code`, which runs the queries.
//! Not useful for: highlighting, or anything else that needs the whole of a syntax tree.
//!
//! # Architecture invariants
//!
//! This crate holds no code beyond the shape of the table. Each grammar is a feature; a language whose feature is off
//! stays in the table, and is read by its line rules.

mod language;

pub use language::{Blocks, LANGUAGES, Language, LineRule};
