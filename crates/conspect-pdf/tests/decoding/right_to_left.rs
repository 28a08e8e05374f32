//! Scripts written from right to left: spec D4.

use crate::builder::{Builder, check};

/// Reads a page with one line, seen from the left, in a font where letters from `a` on are Hebrew from alef on, capitals
/// are Latin, and further codes are as given.
#[track_caller]
fn check_line(codes: &str, shown: &str, expected: &str) {
    let mut builder = Builder::new();
    let map = builder.add_stream(
        "",
        format!(
            "begincmap 3 beginbfrange <20> <40> <0020> <41> <5a> <0041> <61> <7a> <05d0> endbfrange
             beginbfchar {codes} endbfchar endcmap"
        )
        .as_bytes(),
    );
    let font = format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {map} 0 R >>");
    check(&builder.in_font(&font, shown), &[&format!("p {expected}")]);
}

/// D4: numbers inside, brackets of each kind, and words of the other direction.
#[test]
fn numbers_brackets_and_latin_words_keep_their_order() {
    check_line("", "(dc ba)", "אב גד");
    check_line("", "(2024 dc 12.5 ba)", "אב 12.5 גד 2024");
    check_line("", "(\\(dc\\) <ba>)", "<אב> (גד)");
    check_line("", "(dc PDF ba)", "אב PDF גד");
    check_line("", "(A LINE WITH ba IN IT)", "A LINE WITH אב IN IT");
}

/// D4: vowel points stay with their letters, in whatever order they are drawn.
#[test]
fn points_follow_their_letters() {
    check_line("<7b> <05b8>", "(ba{)", "אָב");
}

/// D4: text of a glyph that stands for several letters is in reading order already.
#[test]
fn letters_of_one_glyph_are_not_turned_round() {
    check_line("<7b> <05d005d105d2>", "(d{)", "אבגד");
    check_line(
        "<7b> <05e905dc05d505dd> <7c> <05e905dc05d505dd00200048> <7d> <>",
        "(|ELLO {}})",
        "שלום HELLO שלום",
    );
    check_line("<7b> <05d005d10020> <7c> <05d205d3>", "(|{)", "אב גד");
    check_line("<7b> <062d064e0628>", "({)", "حَب");
}

/// D4: some producers write letter after letter as they are read, each to the left of the one before.
#[test]
fn letters_drawn_in_reading_order_are_read_in_it() {
    let mut builder = Builder::new();
    let map = builder.add_stream("", b"begincmap beginbfrange <61> <7a> <05d0> endbfrange endcmap");
    let font =
        builder.add(&format!("<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode {map} 0 R >>"));
    let content: String = "abcd"
        .chars()
        .zip([200, 193, 186, 179])
        .map(|(c, x)| format!("1 0 0 1 {x} 700 Tm ({c}) Tj "))
        .collect();
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        &format!("BT /F9 12 Tf {content} ET"),
    );
    check(&builder.finish(), &["p אבגד"]);
}

#[test]
fn right_to_left_text_comes_in_reading_order() {
    let mut builder = Builder::new();
    let map = builder.add_stream(
        "",
        b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange
          1 beginbfrange <61> <7a> <05d0> endbfrange
          6 beginbfchar <20> <0020> <31> <0031> <32> <0032> <33> <0033> <28> <0028> <29> <0029> endbfchar endcmap",
    );
    let font =
        builder.add(&format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {map} 0 R >>"));
    // As seen from the left: a number, then the second word in brackets, then the first one.
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td (123 \\(dc\\) ba) Tj ET",
    );
    check(&builder.finish(), &["p אב (גד) 123"]);
}
