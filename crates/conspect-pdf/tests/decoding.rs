//! What codes mean and where text stands: spec D1 to D4 and D6.

mod builder;

use builder::{Builder, check, lines, pretty_equal, read, told};
use conspect_model::{Input, Limits, Origin, PageNumber, ReadError, Scope};

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

#[test]
fn to_unicode_goes_before_the_encoding_and_ligatures_are_spelled_out() {
    let mut builder = Builder::new();
    let map = builder.add_stream(
        "",
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap
          1 begincodespacerange <00> <ff> endcodespacerange
          3 beginbfchar <41> <fb01> <42> <0020> <43> <00660066006c> endbfchar
          endcmap end end",
    );
    let font =
        builder.add(&format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {map} 0 R >>"));
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td (Anish) Tj (B) Tj (oCine) Tj ET",
    );
    check(&builder.finish(), &["p finish offline"]);
}

#[test]
fn glyph_names_tell_what_codes_mean() {
    let mut builder = Builder::new();
    let font = builder.add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica
            /Encoding << /Differences [65 /eacute /uni0416 /f_f_i /Euro] >> >>",
    );
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td (ABCD) Tj ET",
    );
    check(&builder.finish(), &["p éЖffi€"]);
}

#[test]
fn a_predefined_cmap_and_its_collection_give_the_text() {
    let mut builder = Builder::new();
    let descendant = builder.add(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3
            /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>",
    );
    let font = builder.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /90ms-RKSJ-H
            /DescendantFonts [{descendant} 0 R] >>"
    ));
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td <93fa967b8cea> Tj ET",
    );
    check(&builder.finish(), &["p 日本語"]);
}

#[test]
fn a_chinese_font_name_tells_the_encoding_of_a_font_that_says_nothing() {
    let mut builder = Builder::new();
    let font = builder.add("<< /Type /Font /Subtype /TrueType /BaseFont /#CB#CE#CC#E5 >>");
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td <d6d0cec4> Tj ET",
    );
    check(&builder.finish(), &["p 中文"]);
}

/// D1: a font that says nothing of its codes.
#[test]
fn a_true_type_font_without_an_encoding_has_the_codes_of_windows() {
    let mut builder = Builder::new();
    let font = builder.add("<< /Type /Font /Subtype /TrueType /BaseFont /Arial >>");
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td <4a6573fa73204665726ee16e64657a> Tj ET",
    );
    check(&builder.finish(), &["p Jesús Fernández"]);
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
fn codes_without_meaning_are_marked_and_told_once() {
    let mut builder = Builder::new();
    let descendant = builder.add(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Nameless
            /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
    );
    let font = builder.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Nameless /Encoding /Identity-H
            /DescendantFonts [{descendant} 0 R] >>"
    ));
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td <50015002> Tj ET",
    );
    check(
        &builder.finish(),
        &["p \u{fffd}\u{fffd}", "! page 1: text layer damaged: 2 of 2 characters have no known meaning"],
    );
}

/// A page in a font that numbers its glyphs and says nothing of them.
fn coded(codes: impl Iterator<Item = u32>) -> Vec<u8> {
    let mut builder = Builder::new();
    let descendant = builder.add(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Nameless
            /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
    );
    let font = builder.add(&format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Nameless /Encoding /Identity-H
            /DescendantFonts [{descendant} 0 R] >>"
    ));
    let codes: String = codes.map(|code| format!("{code:04x}")).collect();
    builder.page_with(
        &format!("/Resources << /Font << /F1 3 0 R /F9 {font} 0 R >> >>"),
        &format!("BT /F1 12 Tf 50 700 Td (Known) Tj /F9 12 Tf 0 -40 Td <{codes}> Tj ET"),
    );
    builder.finish()
}

#[test]
fn glyph_numbers_are_taken_for_the_macintosh_order_where_that_gives_text() {
    // In that order the blank is glyph 3.
    let codes = "The harbour is closed".chars().map(|c| u32::from(c) - 29);
    check(&coded(codes), &["p Known", "p The harbour is closed"]);
}

#[test]
fn glyph_numbers_given_out_as_letters_came_up_are_not_guessed_at() {
    let told = "\u{fffd}".repeat(17);
    check(
        &coded(1..=17),
        &[
            "p Known",
            &format!("p {told}"),
            "! page 1: text layer damaged: 17 of 22 characters have no known meaning",
        ],
    );
}

#[test]
fn actual_text_is_said_instead_of_the_glyphs() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 50 700 Td (The ) Tj /Span << /ActualText (office) >> BDC (o##ce) Tj EMC ( is open) Tj ET",
        ),
        &["p The office is open"],
    );
}

#[test]
fn accents_set_over_letters_become_accented_letters() {
    check(&Builder::of_page("BT /F1 12 Tf 50 700 Td [(caf) (\\264) 333 (e)] TJ ET"), &["p café"]);
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
fn a_type3_font_is_read_by_its_glyph_names() {
    let mut builder = Builder::new();
    let glyph = builder.add_stream("", b"500 0 0 0 400 700 d1 0 0 400 700 re f");
    let font = builder.add(&format!(
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0]
            /CharProcs << /H {glyph} 0 R /i {glyph} 0 R >> /Encoding << /Differences [1 /H /i] >>
            /FirstChar 1 /LastChar 2 /Widths [500 500] >>"
    ));
    builder.page_with(
        &format!("/Resources << /Font << /F9 {font} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td <0102> Tj ET",
    );
    check(&builder.finish(), &["p Hi"]);
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

#[test]
fn text_printed_over_itself_counts_once() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 50 700 Td (Bold by force) Tj ET BT /F1 12 Tf 50.3 700 Td (Bold by force) Tj ET",
        ),
        &["p Bold by force"],
    );
}

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

#[test]
fn encryption_with_an_empty_password_opens_by_itself_and_others_need_theirs() {
    let plain = Builder::of_page("BT /F1 12 Tf 50 700 Td (Secret) Tj ET");
    let encrypted = |user_password: &str| {
        let mut document = lopdf::Document::load_mem(&plain).expect("a PDF");
        let version = lopdf::EncryptionVersion::V2 {
            document: &document,
            owner_password: "owner",
            user_password,
            key_length: 128,
            permissions: lopdf::Permissions::all(),
        };
        let state = lopdf::EncryptionState::try_from(version).expect("a key");
        document.encrypt(&state).expect("encrypted");
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).expect("written");
        bytes
    };
    check(&encrypted(""), &["p Secret"]);
    let bytes = encrypted("open sesame");
    let with = |password| {
        let input = Input::new(&bytes, "test.pdf").with_password(password);
        conspect_pdf::read(&input, &Scope::default(), &Limits::default()).map(|document| told(&document))
    };
    assert_eq!(with(Some("open sesame")), Ok(vec!["p Secret".to_string()]));
    assert_eq!(with(Some("open barley")), Err(ReadError::WrongPassword));
    assert!(matches!(with(None), Err(ReadError::Encrypted { can_open: true, .. })));
}

#[test]
fn only_the_pages_asked_for_are_read_and_the_extent_is_the_file() {
    let mut builder = Builder::new();
    for number in 1..=5 {
        builder.page(&lines("F1", 12, 50, 400, &[&format!("Text of page number {number} of this file")]));
    }
    let bytes = builder.finish();
    let read_pages = |from: u32, to: u32| {
        let page = |number| PageNumber::new(number).expect("from 1");
        let scope = Scope { pages: Some(vec![page(from)..=page(to)]), ..Scope::default() };
        conspect_pdf::read(&Input::new(&bytes, "test.pdf"), &scope, &Limits::default())
    };
    let document = read_pages(2, 3).expect("a document");
    pretty_equal(
        &told(&document),
        &["p Text of page number 2 of this file", "p Text of page number 3 of this file"],
    );
    assert_eq!(document.extent.n_pages, 5);
    assert_eq!(document.blocks[0].origin.page(), PageNumber::new(2));
    assert_eq!(
        read_pages(9, 9).map(|document| told(&document)),
        Err(ReadError::NotThere { what: "page 9".into(), instead: "the file has 5 pages".into() })
    );
}

#[test]
fn metadata_and_outline_are_the_files_own() {
    let mut builder = Builder::new();
    builder.page("BT /F1 12 Tf 50 700 Td (One) Tj ET");
    builder.page("BT /F1 12 Tf 50 700 Td (Two) Tj ET");
    // The two pages are the objects 7 and 9: each comes after its content.
    let child = builder.add("<< /Title <feff00dc006200650072> /Dest [9 0 R /Fit] >>");
    let entry =
        builder.add(&format!("<< /Title (Part one) /First {child} 0 R /A << /S /GoTo /D [7 0 R /Fit] >> >>"));
    let outline = builder.add(&format!("<< /Type /Outlines /First {entry} 0 R >>"));
    let info =
        builder.add("<< /Title (A title) /Author (Somebody) /CreationDate (D:20240229120000+01'00') >>");
    builder.catalog = format!("/Outlines {outline} 0 R /Lang (en-GB)");
    builder.trailer = format!("/Info {info} 0 R");
    let metadata = read(&builder.finish()).expect("a document").metadata;
    assert_eq!(metadata.title.as_deref(), Some("A title"));
    assert_eq!(metadata.author.as_deref(), Some("Somebody"));
    assert_eq!(metadata.created.as_deref(), Some("2024-02-29T12:00:00+01:00"));
    assert_eq!(metadata.language.as_deref(), Some("en-GB"));
    let outline: Vec<(u8, &str, Option<u32>)> = metadata
        .outline
        .iter()
        .map(|entry| (entry.level, entry.title.as_str(), entry.page.map(PageNumber::get)))
        .collect();
    assert_eq!(outline, [(1, "Part one", Some(1)), (2, "Über", Some(2))]);
}
