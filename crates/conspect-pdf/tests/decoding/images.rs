//! Images between text: spec D2 and L6.

use crate::builder::{Builder, check};

#[test]
fn an_inline_image_that_holds_its_own_end_mark_does_not_end_the_page() {
    check(
        &Builder::of_page(
            "BI /W 4 /H 2 /BPC 8 /CS /G ID \u{1}\u{2} EI \u{3} EI\nBT /F1 12 Tf 50 700 Td (After the image) Tj ET",
        ),
        &["p After the image"],
    );
}

#[test]
fn an_image_without_text_is_told() {
    let mut builder = Builder::new();
    let image = builder.add_stream(
        "/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        b"x",
    );
    builder.resources = format!("/XObject << /I1 {image} 0 R >>");
    builder.page("q 600 0 0 800 0 0 cm /I1 Do Q");
    check(&builder.finish(), &["! page 1: no text, 1 image"]);
}
