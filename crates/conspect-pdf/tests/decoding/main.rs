//! What a file's bytes say before structure is looked for: spec D1 to D4 and D6. One module a subject, in the order in
//! which a page is decoded.

#[path = "../builder/mod.rs"]
mod builder;

mod encryption;
mod filters;
mod pages;

mod actual_text;
mod codes;
mod right_to_left;
mod words;

mod annotations;
mod images;
mod layers;
mod placing;
