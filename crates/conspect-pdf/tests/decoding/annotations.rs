//! Annotations and form fields: spec D2.

use crate::builder::{Builder, check};

#[test]
fn annotations_and_form_fields_show_their_text() {
    let mut builder = Builder::new();
    let drawn = builder.add_stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F1 3 0 R >> >>",
        b"BT /F1 12 Tf 2 5 Td (Drawn value) Tj ET",
    );
    let with_appearance = builder.add(&format!(
        "<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [50 600 150 620] /V (Drawn value) /AP << /N {drawn} 0 R >> >>"
    ));
    let without =
        builder.add("<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [50 500 150 520] /V (Only a value) >>");
    let hidden =
        builder.add("<< /Type /Annot /Subtype /FreeText /F 2 /Rect [50 400 150 420] /Contents (Hidden) >>");
    let free =
        builder.add("<< /Type /Annot /Subtype /FreeText /Rect [50 300 150 320] /Contents (A remark) >>");
    builder.page_with(
        &format!("/Annots [{with_appearance} 0 R {without} 0 R {hidden} 0 R {free} 0 R]"),
        "BT /F1 12 Tf 50 700 Td (Form) Tj ET",
    );
    check(&builder.finish(), &["p Form", "p Drawn value", "p Only a value", "p A remark"]);
}
