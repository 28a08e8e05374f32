//! Which glyphs make a word: spec D1, D2 and L1.

use crate::builder::{Builder, check, fonts, lines};

#[test]
fn gaps_between_glyphs_are_blanks_and_kerning_is_not() {
    check(
        &Builder::of_page("BT /F1 12 Tf 50 700 Td [(to) -300 (gether) 60 (, a) 40 (part)] TJ ET"),
        &["p to gether, apart"],
    );
}

#[test]
fn letters_spaced_out_are_one_word() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 50 700 Td 4 Tc (SPACED) Tj ET\nBT 50 600 Td 0 Tc [(W) -300 (I) -300 (D) -300 (E) -300 (R) -900 (G) -300 (A) -300 (P)] TJ ET",
        ),
        &["p SPACED", "p WIDER GAP"],
    );
}

/// D2: the matrix of this font makes a font size of 0.1 as large as 10 points.
#[test]
fn a_type_3_font_drawn_in_units_of_its_own_has_no_false_blanks() {
    let mut builder = Builder::new();
    let glyph = builder.add_stream("", b"50 0 0 0 50 70 d1 0 0 50 70 re f");
    let font = builder.add(&format!(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0]
            /FirstChar 97 /LastChar 101 /Widths [50 50 50 50 50] /CharProcs << /g {glyph} 0 R >>
            /Encoding << /Differences [97 /a /b /c /d /e] >> >>"
    ));
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 0.1 Tf 50 700 Td [(de) -5000 (ad) -40000 (be) 3000 (d)] TJ ET",
    );
    check(&builder.finish(), &["p dead bed"]);
}

#[test]
fn accents_set_over_letters_become_accented_letters() {
    check(&Builder::of_page("BT /F1 12 Tf 50 700 Td [(caf) (\\264) 333 (e)] TJ ET"), &["p café"]);
}

#[test]
fn text_printed_over_itself_counts_once() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 50 700 Td (Bold by force) Tj ET BT /F1 12 Tf 50.3 700 Td (Bold by force) Tj ET",
        ),
        &["p Bold by force"],
    );
}

/// L1: all widths are a default, and every glyph is moved to where its neighbour really ends.
#[test]
fn a_font_without_widths_has_those_of_its_program() {
    let program = fonts::true_type(&[(3, 1, &[(0x20, 1), (0x61, 2), (0x62, 3)])], &[]);
    let mut builder = Builder::new();
    let program = builder.add_stream("", &program);
    let font = builder.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Tiny /Encoding /Identity-H /DescendantFonts [
            << /Type /Font /Subtype /CIDFontType2 /BaseFont /Tiny /DW 1000
               /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>
               /FontDescriptor << /Type /FontDescriptor /FontName /Tiny /Flags 4 /FontFile2 {program} 0 R >> >>] >>"
    ));
    // Glyphs are half as wide as the default says.
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td [<0002> 500 <0003> 500 <0001> 500 <0003> 500 <0002> 500 <0002>] TJ ET",
    );
    check(&builder.finish(), &["p ab baa"]);
}

/// L1: single letters far apart are words of one letter.
#[test]
fn letters_that_stand_by_themselves_are_no_word() {
    check(
        &Builder::of_page("BT /F1 20 Tf 50 700 Td [(A) -500 (B) -500 (C) -500 (D) -500 (E) -500 (F)] TJ ET"),
        &["p A B C D E F"],
    );
}

/// D2: fake bold, letter by letter and line by line, with the shifts that producers use.
#[test]
fn overprints_of_letters_and_of_lines_count_once() {
    let by_letter: String = "Bold"
        .chars()
        .zip([0.0, 8.0, 15.3, 18.6])
        .map(|(c, x)| format!("1 0 0 1 {} 700 Tm ({c}) Tj 1 0 0 1 {} 700 Tm ({c}) Tj ", 50.0 + x, 50.4 + x))
        .collect();
    check(&Builder::of_page(&format!("BT /F1 12 Tf {by_letter} ET")), &["p Bold"]);
    let by_line: String = [(50.0, 700.0), (50.4, 700.0), (50.4, 700.4), (50.0, 700.4)]
        .map(|(x, y)| format!("BT /F1 12 Tf {x} {y} Td (Bold four times) Tj ET "))
        .concat();
    check(&Builder::of_page(&by_line), &["p Bold four times"]);
    check(&Builder::of_page("BT /F1 12 Tf 50 700 Td (see sheep, 1100) Tj ET"), &["p see sheep, 1100"]);
}

/// D2: the text that was recognized in a scan is often set in one typewriter font, which is no sign of code.
#[test]
fn recognized_text_in_a_typewriter_font_is_no_code() {
    let content = |mode: u32| {
        lines(
            "F3",
            10,
            50,
            700,
            &["The best bone, about sixty, and upon an ave-", "rage, perhaps, fifty per cent."],
        )
        .replace("Tf", &format!("Tf {mode} Tr"))
    };
    check(
        &Builder::of_page(&content(3)),
        &["p The best bone, about sixty, and upon an average, perhaps, fifty per cent."],
    );
    check(
        &Builder::of_page(&content(0)),
        &["code The best bone, about sixty, and upon an ave-⏎rage, perhaps, fifty per cent."],
    );
}
