//! Where text stands, and that all of it is found: spec D2.

use conspect_model::Origin;

use crate::builder::{Builder, check, pretty_equal, read, told};

#[test]
fn every_text_operator_shows_its_text() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 14 TL 50 700 Td (One) Tj 0 -40 Td [(T) 20 (wo)] TJ 0 -40 TD (Three) Tj
             T* (Four) Tj (Five) ' 2 1 (Six) \" 1 0 0 1 50 400 Tm (Seven) Tj ET",
        ),
        &["p One", "p Two", "p Three", "p Four", "p Five", "p Six", "p Seven"],
    );
}

#[test]
fn forms_place_their_text_by_their_matrix_and_use_their_own_fonts() {
    let mut builder = Builder::new();
    let form = builder.add_stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 500 500] /Matrix [1 0 0 1 0 600]
         /Resources << /Font << /G1 4 0 R >> >>",
        b"BT /G1 12 Tf 50 50 Td (inside) Tj ET",
    );
    builder.resources = format!("/XObject << /X1 {form} 0 R >>");
    builder.page("BT /F1 12 Tf 50 700 Td (before) Tj ET /X1 Do BT /F1 12 Tf 50 500 Td (after) Tj ET");
    let document = read(&builder.finish()).expect("a document");
    pretty_equal(&told(&document), &["p before", "p inside", "p after"]);
    let Origin::Page { rect, .. } = document.blocks[1].origin else { panic!("a place on a page") };
    assert!((645.0..652.0).contains(&rect.y0), "50 above the matrix's 600, less the descent: {rect:?}");
}

#[test]
fn vertical_writing_runs_down_and_its_lines_leftwards() {
    let mut builder = Builder::new();
    let descendant = builder.add(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3
            /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>",
    );
    let font = builder.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /90ms-RKSJ-V
            /DescendantFonts [{descendant} 0 R] >>"
    ));
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 1 0 0 1 300 700 Tm <93fa967b> Tj 1 0 0 1 284 700 Tm <8cea> Tj ET",
    );
    check(&builder.finish(), &["p 日本語"]);
}

#[test]
fn turned_pages_and_turned_text_read_like_upright_ones() {
    let mut builder = Builder::new();
    let turned =
        "BT /F1 12 Tf 0 1 -1 0 300 100 Tm (Turned text) Tj 0 1 -1 0 314.4 100 Tm (on two lines) Tj ET";
    builder.page(turned);
    builder.page_with("/Rotate 90", turned);
    let document = read(&builder.finish()).expect("a document");
    pretty_equal(&told(&document), &["p Turned text on two lines", "p Turned text on two lines"]);
    let Origin::Page { rect, page } = document.blocks[1].origin else { panic!("a place on a page") };
    assert_eq!(page.get(), 2);
    assert!(rect.width() > rect.height(), "as shown, the page turned, the text is upright: {rect:?}");
}

#[test]
fn flipped_and_negative_sizes_read_the_same() {
    check(
        &Builder::of_page("q 1 0 0 -1 0 800 cm BT /F1 -12 Tf -1 0 0 1 50 100 Tm (Flipped twice) Tj ET Q"),
        &["p Flipped twice"],
    );
}

/// D2: a form without resources of its own uses those of whoever shows it, as old producers have it.
#[test]
fn forms_inherit_resources_and_stand_in_one_another() {
    let mut builder = Builder::new();
    let inner = builder.add_stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Matrix [1 0 0 1 0 -100]",
        b"BT /F2 12 Tf 50 700 Td (Inner) Tj ET",
    );
    let outer = builder.add_stream(
        &format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Matrix [1 0 0 1 0 -100]
             /Resources << /Font << /F2 4 0 R >> /XObject << /X2 {inner} 0 R >> >>"
        ),
        b"BT /F2 12 Tf 50 700 Td (Outer) Tj ET q 1 0 0 1 0 -100 cm /X2 Do Q",
    );
    let plain = builder.add_stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 600 800]",
        b"BT /F1 12 Tf 50 100 Td (Of the page) Tj ET",
    );
    builder.resources = format!("/XObject << /X1 {outer} 0 R /X3 {plain} 0 R >>");
    builder.page("/X1 Do /X3 Do");
    let document = read(&builder.finish()).expect("a document");
    let places: Vec<(&str, f32)> = document
        .blocks
        .iter()
        .map(|block| {
            let Origin::Page { rect, .. } = block.origin else { panic!("a place on a page") };
            (&*block.text, (rect.y0 / 10.0).round() * 10.0)
        })
        .collect();
    assert_eq!(places, [("Outer", 600.0), ("Inner", 400.0), ("Of the page", 100.0)]);
}

/// D2: what is set once holds for all text that follows.
#[test]
fn scaling_spacing_rise_and_font_of_the_state_are_kept() {
    let mut builder = Builder::new();
    builder.resources = "/ExtGState << /G1 << /Font [4 0 R 12] >> >>".to_string();
    builder.page(
        "/G1 gs BT 50 700 Td (From the state) Tj ET
         BT /F1 12 Tf 50 Tz 50 660 Td (Nar) Tj (row) Tj 100 Tz ET
         BT /F1 12 Tf 3 Tw 50 620 Td (Wide blanks here) Tj 0 Tw ET
         BT /F1 12 Tf 50 580 Td (x) Tj 5 Ts (2) Tj 0 Ts ( squared) Tj ET
         q BT /F1 12 Tf ET Q BT 50 540 Td (Still the state) Tj ET",
    );
    check(
        &builder.finish(),
        &["h1 From the state", "p Narrow", "p Wide blanks here", "p x2 squared", "p Still the state"],
    );
}

/// D2: scanned pages have their recognized text under the picture; it is the text of the page.
#[test]
fn text_that_is_not_painted_is_read() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 3 Tr 50 700 Td (Recognized) Tj ET BT 7 Tr 50 600 Td (Clips) Tj ET
             BT 1 Tr 50 500 Td (Outlined) Tj ET",
        ),
        &["p Recognized", "p Clips", "p Outlined"],
    );
}

/// D2: a page's content may be cut into streams anywhere between two of its words.
#[test]
fn content_in_several_streams_is_one() {
    let mut builder = Builder::new();
    let parts = ["BT /F1 12", "Tf 50 700 Td [(Cut)", "20 ( up)] TJ", "ET"];
    let parts = parts.map(|part| format!("{} 0 R", builder.add_stream("", part.as_bytes())));
    builder.page_with(&format!("/Contents [{}]", parts.join(" ")), "");
    check(&builder.finish(), &["p Cut up"]);
}

/// D2: pages turned to each side, and text turned on them.
#[test]
fn every_quarter_turn_reads_the_same() {
    let quarters = [
        ("1 0 0 1 100 400", "1 0 0 1 100 385.6"),
        ("0 1 -1 0 300 100", "0 1 -1 0 314.4 100"),
        ("-1 0 0 -1 500 400", "-1 0 0 -1 500 414.4"),
        ("0 -1 1 0 300 700", "0 -1 1 0 285.6 700"),
    ];
    for turn in [0, 90, 180, 270] {
        for (first, second) in quarters {
            let mut builder = Builder::new();
            builder.page_with(
                &format!("/Rotate {turn}"),
                &format!("BT /F1 12 Tf {first} Tm (Turned text) Tj {second} Tm (on two lines) Tj ET"),
            );
            check(&builder.finish(), &["p Turned text on two lines"]);
        }
    }
    check(
        &Builder::of_page("BT /F1 12 Tf 0.7071 0.7071 -0.7071 0.7071 100 100 Tm (A slanted line) Tj ET"),
        &["p A slanted line"],
    );
}

/// D2: a size below zero turns letters round, which a second turn takes back.
#[test]
fn negative_sizes_and_scalings_read_in_order() {
    let cases = [
        "BT /F1 -12 Tf -1 0 0 -1 50 700 Tm (Upright again) Tj ET",
        "BT /F1 12 Tf -100 Tz -1 0 0 1 50 700 Tm (Upright again) Tj ET",
        "q -1 0 0 1 600 0 cm BT /F1 12 Tf -1 0 0 1 550 700 Tm (Upright again) Tj ET Q",
        "q 1 0 0 -1 0 800 cm BT /F1 12 Tf 1 0 0 -1 50 100 Tm (Upright again) Tj ET Q",
        "q 0.1 0 0 0.1 0 0 cm BT /F1 120 Tf 500 7000 Td (Upright again) Tj ET Q",
        "BT /F1 1 Tf 12 0 0 12 50 700 Tm (Upright again) Tj ET",
    ];
    for content in cases {
        check(&Builder::of_page(content), &["p Upright again"]);
    }
}

/// D2: text set from top to bottom, by each of the ways a font can say so.
#[test]
fn vertical_fonts_of_each_kind_run_down() {
    let cases = [
        ("UniJIS-UTF16-V", "<65e5672c>", "<8a9e>", ""),
        ("EUC-V", "<c6fccbdc>", "<b8ec>", "/DW2 [880 -900]"),
        ("GBK-EUC-V", "<c8d5b1be>", "<d3ef>", "/W2 [1 9000 -1000 500 880]"),
    ];
    for (cmap, first, second, own) in cases {
        let ordering = if cmap.starts_with("GBK") { "GB1" } else { "Japan1" };
        let expected = if cmap.starts_with("GBK") { "p 日本语" } else { "p 日本語" };
        let mut builder = Builder::new();
        let font = builder.add(&format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /Some /Encoding /{cmap} /DescendantFonts [
                << /Type /Font /Subtype /CIDFontType0 /BaseFont /Some {own} /CIDSystemInfo
                   << /Registry (Adobe) /Ordering ({ordering}) /Supplement 2 >> >>] >>"
        ));
        builder.page_with(
            &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
            &format!("BT /F9 12 Tf 1 0 0 1 300 700 Tm {first} Tj 1 0 0 1 284 700 Tm {second} Tj ET"),
        );
        check(&builder.finish(), &[expected]);
    }
}
