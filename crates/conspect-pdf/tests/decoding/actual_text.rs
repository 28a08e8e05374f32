//! Text that a file says instead of its glyphs: spec D1.

use conspect_model::Origin;

use crate::builder::{Builder, check, pretty_equal, read, told};

#[test]
fn actual_text_is_said_instead_of_the_glyphs() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 50 700 Td (The ) Tj /Span << /ActualText (office) >> BDC (o##ce) Tj EMC ( is open) Tj ET",
        ),
        &["p The office is open"],
    );
}

/// D1: over several operators, in each of the three encodings of strings, nested, and from the page's properties.
#[test]
fn actual_text_stands_for_a_whole_sequence() {
    let page = |sequence: &str| {
        let mut builder = Builder::new();
        let named = builder.add("<< /ActualText (named) >>");
        builder.resources = format!("/Properties << /P1 {named} 0 R >>");
        builder.page(&format!("BT /F1 12 Tf 50 700 Td (It is ) Tj {sequence} ( here.) Tj ET"));
        builder.finish()
    };
    let cases = [
        ("/Span << /ActualText <feff00e40062> >> BDC (#) Tj (b) Tj EMC", "äb"),
        ("/Span << /ActualText <efbbbfc3a462> >> BDC (#) Tj [(b) -20 (c)] TJ EMC", "äb"),
        ("/Span << /ActualText <e462> >> BDC (#) Tj EMC", "äb"),
        ("/Span << /ActualText <fffee400> >> BDC (#) Tj EMC", "ä"),
        ("/Span /P1 BDC (n) Tj (#) Tj EMC", "named"),
        (
            "/Span << /ActualText (outer) >> BDC /Span << /ActualText (inner) >> BDC (a) Tj EMC (b) Tj EMC",
            "outer",
        ),
        ("/Span << /ActualText (ffi) >> BDC /Span BMC (#) Tj EMC EMC", "ffi"),
    ];
    for (sequence, expected) in cases {
        check(&page(sequence), &[&format!("p It is {expected} here.")]);
    }
}

/// D1: an empty text takes glyphs away, such as a hyphen that only ends a line.
#[test]
fn empty_actual_text_removes_its_glyphs() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 50 700 Td (Con) Tj /Span << /ActualText () >> BDC (-) Tj EMC (spect) Tj ET",
        ),
        &["p Conspect"],
    );
}

/// D1: words drawn as curves, or as a picture, that the file also says.
#[test]
fn actual_text_of_a_drawing_is_said_where_it_is_drawn() {
    let document = read(&Builder::of_page(
        "BT /F1 12 Tf 50 700 Td (Before) Tj ET
         /Span << /ActualText (Drawn words) >> BDC 50 600 m 60 612 70 612 150 600 c 150 612 l h f EMC
         /Span << /ActualText ( ) >> BDC 50 500 m 60 500 l S EMC
         BT /F1 12 Tf 50 400 Td (After) Tj ET",
    ))
    .expect("a document");
    pretty_equal(&told(&document), &["p Before", "p Drawn words", "p After"]);
    let Origin::Page { rect, .. } = document.blocks[1].origin else { panic!("a place on a page") };
    assert!((49.0..51.0).contains(&rect.x0) && (595.0..605.0).contains(&rect.y0), "{rect:?}");
}

/// D1: where the glyphs of several lines say nothing, the text that stands for them does.
#[test]
fn actual_text_stands_for_lines_that_cannot_be_read() {
    let mut builder = Builder::new();
    let font = builder.add(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Nameless /Encoding /Identity-H /DescendantFonts [
            << /Type /Font /Subtype /CIDFontType2 /BaseFont /Nameless /DW 500
               /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>",
    );
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "/P << /ActualText (Two lines that nobody could read) >> BDC
         BT /F9 12 Tf 50 700 Td <500150025003500450055006> Tj 0 -14 Td <500150025003500450055006> Tj ET EMC",
    );
    check(&builder.finish(), &["p Two lines that nobody could read"]);
}
