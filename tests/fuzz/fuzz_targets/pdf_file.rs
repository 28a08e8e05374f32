//! Any bytes as a PDF. A panic that the reader catches counts: the fuzzer ends the process before it can be caught.

#![no_main]

#[path = "../../src/content.rs"]
#[expect(dead_code, reason = "whole files need no page around them")]
mod content;

use conspect_model::{Input, Scope};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = conspect_pdf::read(&Input::new(bytes, "fuzz.pdf"), &Scope::default(), &content::modest_limits());
});
