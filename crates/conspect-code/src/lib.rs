//! Source code to Document: symbols with line ranges, through tree-sitter.
//!
//! [`read`](read()) gives a Document whose lines are the file's own and whose blocks are its imports and symbols, in
//! source order. What a language's definitions look like is data, in `conspect-grammars`; the code here is the same
//! for every language. Begin with `read.rs`, then `walk.rs`.
//!
//! # Architecture invariants
//!
//! This crate does no input or output and has no clock: a parse ends when the caller's token says so, or when it has
//! taken far more steps than a text of its size should. No type of tree-sitter crosses the border of this crate. A
//! text that its grammar cannot parse still has symbols, found line by line, and a notice that says so.

mod declaration;
mod detect;
mod line_rules;
mod nest;
mod parse;
mod query;
mod read;
mod source;
mod walk;

pub use detect::language_of;
pub use read::read;
