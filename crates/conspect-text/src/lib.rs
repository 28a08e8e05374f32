//! Bytes to text and back, and readers for formats that are text.
//!
//! [`SourceText`] is the one way in which Conspect turns bytes into lines, so that a line number from a read, a
//! search, an edit or an outline is the same line. Begin there.
//!
//! # Architecture invariants
//!
//! This crate does no input or output. Readers are functions `read(&Input, &Scope, &Limits)`; a text that is its own
//! listing (plain text, Markdown, CSV) is never copied as a whole, whatever its size.

mod ansi;
mod charset;
mod detect;
mod image_size;
mod magic;
mod places;
mod scan;
mod sniff;
mod source_text;

pub mod csv;
pub mod html;
pub mod mail;
pub mod markdown;
pub mod notebook;
pub mod part;
pub mod plain;

pub use image_size::image_size;
pub use sniff::sniff;
pub use source_text::{LineEnds, SourceText, UnencodableError};
