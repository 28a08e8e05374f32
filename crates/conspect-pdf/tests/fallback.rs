//! What the second reader must not do: replace what was read, or show what is hidden. Spec 5, on the base.
#![cfg(feature = "fallback-pdf-extract")]

mod builder;

use builder::{Builder, check};

#[test]
fn a_page_that_is_read_is_left_as_it_is() {
    check(&Builder::of_page("BT /F1 12 Tf 50 700 Td (Read by the first) Tj ET"), &["p Read by the first"]);
}

#[test]
fn hidden_layers_stay_hidden() {
    let mut builder = Builder::new();
    let hidden = builder.add("<< /Type /OCG /Name (draft) >>");
    builder.catalog = format!("/OCProperties << /OCGs [{hidden} 0 R] /D << /OFF [{hidden} 0 R] >> >>");
    builder.resources = format!("/Properties << /L1 {hidden} 0 R >>");
    builder.page("/OC /L1 BDC BT /F1 12 Tf 50 700 Td (Not this) Tj ET EMC");
    check(&builder.finish(), &["! page 1: a hidden layer was left out"]);
}

#[test]
fn a_page_that_nobody_can_read_is_said_so() {
    let font = "<< /Type /Font /Subtype /Type0 /BaseFont /Nameless /Encoding /Identity-H /DescendantFonts [
        << /Type /Font /Subtype /CIDFontType2 /BaseFont /Nameless
           /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>";
    check(
        &Builder::new().in_font(font, "<50015002>"),
        &["p \u{fffd}\u{fffd}", "! page 1: text layer damaged: 2 of 2 characters have no known meaning"],
    );
}
