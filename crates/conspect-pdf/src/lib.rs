//! PDF to Document: the text of pages, in reading order, as headings, paragraphs, lists and tables with their places.
//!
//! Begin with [`read`]. The file's objects, filters and encryption are read by `hayro-syntax`, fonts by `hayro-font`
//! and `hayro-cmap`; interpreting content streams for their text, and finding structure in it, is done here.
//!
//! Useful for: what a page says. Not useful for: what it looks like (pictures and colours are passed over). Text that is
//! only a picture is named in a notice, or read where the input has a [`Recognizer`](conspect_model::Recognizer). With
//! the feature `render`, `page_image` draws a page through `hayro`, for eyes and for recognizers.
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
mod xmp;

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

#[cfg(feature = "render")]
mod page_image;
#[cfg(feature = "render")]
mod recognized;

mod layout;

#[cfg(feature = "render")]
pub use page_image::page_image;
pub use read::read;
