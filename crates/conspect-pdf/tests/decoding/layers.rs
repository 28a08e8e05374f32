//! Optional content: spec D2.

use crate::builder::{Builder, check};

#[test]
fn hidden_layers_stay_out_and_are_told() {
    let mut builder = Builder::new();
    let hidden = builder.add("<< /Type /OCG /Name (draft) >>");
    let shown = builder.add("<< /Type /OCG /Name (final) >>");
    builder.catalog =
        format!("/OCProperties << /OCGs [{hidden} 0 R {shown} 0 R] /D << /OFF [{hidden} 0 R] >> >>");
    builder.resources = format!("/Properties << /L1 {hidden} 0 R /L2 {shown} 0 R >>");
    builder.page(
        "/OC /L1 BDC BT /F1 12 Tf 50 700 Td (Not this) Tj ET EMC
         /OC /L2 BDC BT /F1 12 Tf 50 600 Td (But this) Tj ET EMC",
    );
    check(&builder.finish(), &["p But this", "! page 1: a hidden layer was left out"]);
}

/// A page that shows one line in each layer or membership; the catalog says which are hidden.
#[track_caller]
fn check_layers(default: &str, memberships: &[&str], expected: &[&str]) {
    let mut builder = Builder::new();
    // The first three objects are fonts, after the catalog and the pages.
    let first = builder.add("<< /Type /OCG /Name (A) >>");
    let second = builder.add("<< /Type /OCG /Name (B) >>");
    assert_eq!((first, second), (6, 7));
    builder.catalog = format!("/OCProperties << /OCGs [6 0 R 7 0 R] /D << {default} >> >>");
    let named: Vec<String> = memberships
        .iter()
        .enumerate()
        .map(|(idx, membership)| match membership.ends_with(" R") {
            true => format!("/L{idx} {membership}"),
            false => format!("/L{idx} {} 0 R", builder.add(membership)),
        })
        .collect();
    builder.resources = format!("/Properties << {} >>", named.join(" "));
    let content: String = (0..memberships.len())
        .map(|idx| format!("/OC /L{idx} BDC BT /F1 12 Tf 50 {} Td (Line {idx}) Tj ET EMC ", 700 - 40 * idx))
        .collect();
    builder.page(&content);
    let told = "! page 1: a hidden layer was left out";
    let expected: Vec<&str> = expected.iter().copied().chain([told]).collect();
    check(&builder.finish(), &expected);
}

/// D2: layers that are off one by one, or all but some.
#[test]
fn layers_are_off_by_name_or_by_the_base_state() {
    check_layers("/OFF [6 0 R]", &["6 0 R", "7 0 R"], &["p Line 1"]);
    check_layers("/BaseState /OFF", &["6 0 R", "7 0 R"], &[]);
    check_layers("/BaseState /OFF /ON [7 0 R]", &["6 0 R", "7 0 R"], &["p Line 1"]);
    check_layers("/BaseState /ON /OFF [7 0 R]", &["6 0 R", "7 0 R"], &["p Line 0"]);
}

/// D2: content that belongs to several layers.
#[test]
fn memberships_say_which_of_their_layers_must_be_on() {
    let of = |policy: &str| format!("<< /Type /OCMD /OCGs [6 0 R 7 0 R] {policy} >>");
    let all = [of(""), of("/P /AnyOn"), of("/P /AllOn"), of("/P /AnyOff"), of("/P /AllOff")];
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    check_layers("/OFF [6 0 R]", &all, &["p Line 0", "p Line 1", "p Line 3"]);
    check_layers("/OFF [6 0 R 7 0 R]", &all, &["p Line 3", "p Line 4"]);
    check_layers(
        "/OFF [6 0 R]",
        &["<< /Type /OCMD /OCGs 6 0 R >>", "<< /Type /OCMD /OCGs [] >>"],
        &["p Line 1"],
    );
}

/// D2: memberships written as an expression.
#[test]
fn expressions_decide_before_policies() {
    let of = |expression: &str| format!("<< /Type /OCMD /OCGs [6 0 R] /VE {expression} >>");
    let all = [
        of("[/Not 6 0 R]"),
        of("[/And 6 0 R 7 0 R]"),
        of("[/Or 6 0 R 7 0 R]"),
        of("[/And [/Not 6 0 R] [/Or 7 0 R 6 0 R]]"),
    ];
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    check_layers("/OFF [6 0 R]", &all, &["p Line 0", "p Line 2", "p Line 3"]);
}

/// D2: forms and annotations belong to layers as well, and what is inside something hidden is hidden.
#[test]
fn forms_and_annotations_of_hidden_layers_stay_out() {
    let mut builder = Builder::new();
    let hidden = builder.add("<< /Type /OCG /Name (draft) >>");
    let form = builder.add_stream(
        &format!("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /OC {hidden} 0 R"),
        b"BT /F1 12 Tf 50 600 Td (In a form) Tj ET",
    );
    let note = builder.add(&format!(
        "<< /Type /Annot /Subtype /FreeText /Rect [50 500 150 520] /Contents (A remark) /OC {hidden} 0 R >>"
    ));
    builder.catalog = format!("/OCProperties << /OCGs [{hidden} 0 R] /D << /OFF [{hidden} 0 R] >> >>");
    builder.resources = format!("/Properties << /L1 {hidden} 0 R >> /XObject << /X1 {form} 0 R >>");
    builder.page_with(
        &format!("/Annots [{note} 0 R]"),
        "BT /F1 12 Tf 50 700 Td (Shown) Tj ET /X1 Do
         /OC /L1 BDC /Span BMC BT /F1 12 Tf 50 400 Td (Nested) Tj ET EMC EMC",
    );
    check(&builder.finish(), &["p Shown", "! page 1: a hidden layer was left out"]);
}
