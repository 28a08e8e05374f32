//! Text that a file says instead of its glyphs: spec D1.

use crate::builder::{Builder, check};

#[test]
fn actual_text_is_said_instead_of_the_glyphs() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 50 700 Td (The ) Tj /Span << /ActualText (office) >> BDC (o##ce) Tj EMC ( is open) Tj ET",
        ),
        &["p The office is open"],
    );
}
