//! PDF to Document: the text of pages, in reading order, as headings, paragraphs, lists and tables with their places.
//!
//! Begin with [`read`]. The file's objects, filters and encryption are read by `hayro-syntax`, fonts by `hayro-font`
//! and `hayro-cmap`; interpreting content streams for their text, and finding structure in it, is done here.
//!
//! Useful for: what a page says. Not useful for: what it looks like (pictures and colours are passed over), and text
//! that is only a picture (such pages are named in a notice).
//!
//! # Architecture invariants
//!
//! No input or output. Types of the hayro crates do not cross the crate's border. Whatever the bytes, a read ends with
//! a Document or an error: recursion, decoded sizes and the number of operators have ceilings, and a panic in the
//! libraries below is caught at the page it happens on.

mod read;

mod open;
mod owner_password;
mod repair;

mod metadata;
mod text_string;

mod annotations;
mod content;
mod faults;
mod filters;
mod font;
mod glyph;
mod glyph_names;
mod layers;
mod stream;
mod structure;
mod to_unicode;
mod unicode;

mod fallback;

mod layout;

pub use read::read;
