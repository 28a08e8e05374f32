//! Any bytes as the content of a page that is sound otherwise.

#![no_main]

#[path = "../../src/content.rs"]
mod content;

use conspect_model::{Input, Scope};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = content::page_of(bytes);
    let read = conspect_pdf::read(&Input::new(&file, "fuzz.pdf"), &Scope::default(), &content::modest_limits());
    assert!(read.is_ok(), "the file around the content is sound");
});
