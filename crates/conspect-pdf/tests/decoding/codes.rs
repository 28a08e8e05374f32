//! What the codes of a font mean: spec D1.

use crate::builder::{Builder, check, fonts};

/// Reads a page that shows a string in a font, and compares its text.
#[track_caller]
fn check_font(font: &str, shown: &str, expected: &str) {
    check(&Builder::new().in_font(font, shown), &[&format!("p {expected}")]);
}

/// The same for a simple font with this `ToUnicode` mapping.
#[track_caller]
fn check_to_unicode(map: &str, shown: &str, expected: &str) {
    let mut builder = Builder::new();
    let map = builder.add_stream("", map.as_bytes());
    let font = format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode {map} 0 R >>");
    check(&builder.in_font(&font, shown), &[&format!("p {expected}")]);
}

/// A composite font with codes of two bytes that are its glyphs, and these entries of its own.
fn composite(own: &str, of_descendant: &str) -> String {
    format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Nameless /Encoding /Identity-H {own}
            /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Nameless {of_descendant} /DW 500
            /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>"
    )
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

/// D1: mappings as single codes, as ranges, as lists, and beyond the first 65,536 characters.
#[test]
fn to_unicode_maps_codes_ranges_lists_and_surrogate_pairs() {
    check_to_unicode(
        "begincmap 2 beginbfchar <61> <0416> <62> <D83DDE00> endbfchar endcmap",
        "(aba)",
        "Ж😀Ж",
    );
    check_to_unicode("begincmap 1 beginbfrange <61> <7a> <0430> endbfrange endcmap", "(abc)", "абв");
    check_to_unicode(
        "begincmap 1 beginbfrange <61> <63> [<0041> <00660069> <D835DD04>] endbfrange endcmap",
        "(abc)",
        "Afi𝔄",
    );
}

/// D1: what a mapping leaves out, or maps to nothing, the encoding tells.
#[test]
fn a_partial_or_faulty_to_unicode_leaves_the_rest_to_the_encoding() {
    check_to_unicode("begincmap 1 beginbfchar <62> <0042> endbfchar endcmap", "(abc)", "aBc");
    check_to_unicode("begincmap 2 beginbfchar <61> <0000> <62> <fffd> endbfchar endcmap", "(abc)", "abc");
    check_to_unicode("begincmap 1 beginbfrange <61> <61> <0041> <62", "(ab)", "Ab");
    check_to_unicode(
        "begincmap 1 beginbfchar <62> <0042> <63> oops 1 beginbfchar <61> <0041>",
        "(abc)",
        "ABc",
    );
    check_to_unicode("nothing of the kind", "(abc)", "abc");
    check_to_unicode(
        "begincmap beginbfchar <61> <0020> <62> <0020> <63> <0020> <64> <0020> endbfchar endcmap",
        "(abcd)",
        "abcd",
    );
}

/// D1: codes of a composite font that are said to be characters themselves.
#[test]
fn an_identity_mapping_says_that_codes_are_characters() {
    check_font(&composite("/ToUnicode /Identity-H", ""), "<041f0440>", "Пр");
    let mut builder = Builder::new();
    let map = builder.add_stream("", b"begincmap 1 begincidrange <0000> <ffff> 0 endcidrange endcmap");
    let font = composite(&format!("/ToUnicode {map} 0 R"), "");
    check(&builder.in_font(&font, "<4e2d6587>"), &["p 中文"]);
}

/// D1: a font that cannot be loaded keeps what its mapping says.
#[test]
fn a_font_without_a_usable_encoding_keeps_its_mapping() {
    let mut builder = Builder::new();
    let map = builder.add_stream("", b"begincmap 1 beginbfrange <0001> <0003> <0061> endbfrange endcmap");
    let font =
        format!("<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /No-Such-H /ToUnicode {map} 0 R >>");
    check(&builder.in_font(&font, "<000100020003>"), &["p abc"]);
}

/// D1: the encodings that a simple font can name.
#[test]
fn each_encoding_gives_its_characters() {
    let font = |encoding: &str| {
        format!("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /{encoding} >>")
    };
    check_font(&font("StandardEncoding"), "<27 aa ae af e1 f1 b7>", "’“fiflÆæ•");
    check_font(&font("WinAnsiEncoding"), "<27 80 93 94 e9 8a 95>", "'€“”éŠ•");
    check_font(&font("MacRomanEncoding"), "<8e 8a a5 d2 d3 de df>", "éä•“”fifl");
    check_font(&font("MacExpertEncoding"), "<30 31 61 62 2c 56>", "01ab,ff");
    let of_name = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>");
    check_font(&of_name("Symbol"), "<61 62 a5 b3 ae>", "αβ∞≥→");
    check_font(&of_name("ZapfDingbats"), "<33 34 21 d5>", "✓✔✁→");
    check_font(&of_name("Times-Roman"), "<27 61>", "’a");
}

/// D1: glyph names in the ways producers have of writing them.
#[test]
fn names_of_glyphs_are_known_in_all_their_spellings() {
    let names = |names: &str| {
        format!(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 {names}] >> >>"
        )
    };
    check_font(&names("/Aacute /germandbls /afii10017 /Omega"), "(ABCD)", "ÁßАΩ");
    check_font(&names("/uni20AC0308 /u1D538 /uni0041 /uni00e9"), "(ABCD)", "€̈𝔸Aé");
    check_font(&names("/f_f_i /T_h /a.alt /A.sc"), "(ABCD)", "ffiThaA");
    check_font(&names("/ff /ffi /dotlessi /arrowright /lessequal"), "(ABCDE)", "ffffiı→≤");
    check_font(&names("/G42 /C067 /c68 /uni00f1"), "(ABCD)", "BCDñ");
    check_font(&names("/nbspace /softhyphen /minus"), "(xAyC)", "x y−");
}

/// D1: names that count glyphs, which the embedded font maps to characters.
#[test]
fn names_that_count_glyphs_are_looked_up_in_the_font() {
    let program = fonts::true_type(&[(3, 1, &[(0x61, 2), (0x62, 1), (0x416, 3)])], &[]);
    let mut builder = Builder::new();
    let program = builder.add_stream("", &program);
    let font = format!(
        "<< /Type /Font /Subtype /TrueType /BaseFont /Tiny /FirstChar 65 /LastChar 67 /Widths [500 500 500]
            /Encoding << /Differences [65 /g2 /cid1 /glyph3] >>
            /FontDescriptor << /Type /FontDescriptor /FontName /Tiny /Flags 32 /FontFile2 {program} 0 R >> >>"
    );
    check(&builder.in_font(&font, "(ABC)"), &["p abЖ"]);
}

/// D1: codes that are glyphs, in a font that maps characters to them or names them.
#[test]
fn an_embedded_font_tells_what_its_glyphs_are() {
    let of_program = |program: Vec<u8>, shown: &str, expected: &str| {
        let mut builder = Builder::new();
        let program = builder.add_stream("", &program);
        let descriptor = format!(
            "/FontDescriptor << /Type /FontDescriptor /FontName /Tiny /Flags 4 /FontFile2 {program} 0 R >>"
        );
        check(&builder.in_font(&composite("", &descriptor), shown), &[expected]);
    };
    let unicode = fonts::true_type(&[(3, 1, &[(0x20, 1), (0x68, 2), (0x69, 3), (0x4e2d, 4)])], &[]);
    of_program(unicode, "<00020003000100 04>", "p hi 中");
    let private = fonts::true_type(&[(3, 0, &[(0xf068, 1), (0xf069, 2)])], &[]);
    of_program(private, "<00010002>", "p hi");
    let named = fonts::true_type(&[(3, 0, &[(0xf001, 1)])], &["h", "iacute", "f_f"]);
    of_program(named, "<000100020003>", "p híff");
}

/// D1: a simple font without a word on its codes, in which the embedded font has its own.
#[test]
fn a_symbolic_font_has_the_codes_of_its_program() {
    let program = fonts::true_type(
        &[(1, 0, &[(1, 1), (2, 2), (0x41, 3)]), (3, 0, &[(0xf001, 1), (0xf041, 3)])],
        &["x", "y", "z"],
    );
    let mut builder = Builder::new();
    let program = builder.add_stream("", &program);
    let font = format!(
        "<< /Type /Font /Subtype /TrueType /BaseFont /Tiny /FirstChar 1 /LastChar 2 /Widths [500 500]
            /FontDescriptor << /Type /FontDescriptor /FontName /Tiny /Flags 4 /MissingWidth 500 /FontFile2 {program} 0 R >> >>"
    );
    check(&builder.in_font(&font, "<010241>"), &["p xyz"]);
}

/// D1: the names of the glyphs in a bare CFF program, through its own encoding and without any.
#[test]
fn a_cff_program_names_its_glyphs() {
    let names = ["h", "eacute", "f_i", "uni0416"];
    let mut builder = Builder::new();
    let program = builder.add_stream("/Subtype /Type1C", &fonts::cff(&names));
    let font = format!(
        "<< /Type /Font /Subtype /Type1 /BaseFont /Tiny /FirstChar 65 /LastChar 68 /Widths [500 500 500 500]
            /FontDescriptor << /Type /FontDescriptor /FontName /Tiny /Flags 4 /FontFile3 {program} 0 R >> >>"
    );
    check(&builder.in_font(&font, "(ABCD)"), &["p héfiЖ"]);
    let mut builder = Builder::new();
    let program = builder.add_stream("/Subtype /CIDFontType0C", &fonts::cff(&names));
    let descriptor = format!(
        "/FontDescriptor << /Type /FontDescriptor /FontName /Tiny /Flags 4 /FontFile3 {program} 0 R >>"
    );
    check(&builder.in_font(&composite("", &descriptor), "<00010002>"), &["p hé"]);
}

/// D1: fonts that are not embedded, in each of the four collections of characters, with codes of each kind.
#[test]
fn predefined_cmaps_of_each_collection_give_the_text() {
    let cases = [
        ("GB1", "GBK-EUC-H", "<d6d0cec461>", "中文a"),
        ("GB1", "UniGB-UCS2-H", "<4e2d6587>", "中文"),
        ("Japan1", "90ms-RKSJ-H", "<93fa967b8cea61>", "日本語a"),
        ("Japan1", "UniJIS-UTF16-H", "<65e5672c8a9e>", "日本語"),
        ("Japan1", "EUC-H", "<c6fccbdc>", "日本"),
        ("Japan1", "H", "<467c4b5c>", "日本"),
        ("Korea1", "KSCms-UHC-H", "<c7d1b1db>", "한글"),
        ("Korea1", "UniKS-UCS2-H", "<d55cae00>", "한글"),
        ("CNS1", "ETen-B5-H", "<a4a4a4e5>", "中文"),
        ("CNS1", "UniCNS-UTF16-H", "<4e2d6587>", "中文"),
    ];
    for (ordering, cmap, shown, expected) in cases {
        let font = format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /Some /Encoding /{cmap} /DescendantFonts [
                << /Type /Font /Subtype /CIDFontType0 /BaseFont /Some /CIDSystemInfo
                   << /Registry (Adobe) /Ordering ({ordering}) /Supplement 2 >> >>] >>"
        );
        check_font(&font, shown, expected);
    }
}

/// D1: characters of a collection by their numbers, in an embedded font that has no mapping.
#[test]
fn characters_of_a_collection_are_known_by_their_numbers() {
    let mut builder = Builder::new();
    let program = builder.add_stream("", &fonts::true_type(&[], &[]));
    let font = format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Some /Encoding /Identity-H /DescendantFonts [
            << /Type /Font /Subtype /CIDFontType2 /BaseFont /Some /CIDSystemInfo
               << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>
               /FontDescriptor << /Type /FontDescriptor /FontName /Some /Flags 4 /FontFile2 {program} 0 R >> >>] >>"
    );
    check(&builder.in_font(&font, "<0022 0cd4>"), &["p A日"]);
}

/// D1: a mapping of codes to characters that the file brings along.
#[test]
fn an_embedded_cmap_parts_the_codes() {
    let mut builder = Builder::new();
    let encoding = builder.add_stream(
        "/Type /CMap /CMapName /Own",
        b"begincmap 2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange
          2 begincidrange <20> <7f> 1 <8001> <8002> 200 endcidrange endcmap",
    );
    let map = builder
        .add_stream("", b"begincmap 3 beginbfchar <61> <0061> <8001> <4e2d> <8002> <6587> endbfchar endcmap");
    let font = format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Some /Encoding {encoding} 0 R /ToUnicode {map} 0 R
            /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Some /CIDSystemInfo
                << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>"
    );
    check(&builder.in_font(&font, "<61 8001 8002 61>"), &["p a中文a"]);
}

/// D1: simple fonts that are not embedded and say nothing, whose name tells of the system's encoding.
#[test]
fn names_of_unembedded_fonts_tell_legacy_encodings() {
    let font = |name: &str| format!("<< /Type /Font /Subtype /TrueType /BaseFont /{name} >>");
    check_font(&font("SimSun"), "<61 d6d0 cec4 62>", "a中文b");
    check_font(&font("#82l#82r#83S#83V#83b#83N"), "<93fa 967b>", "日本");
    check_font(&font("#b2#d3#a9#fa#c5#e9"), "<a4a4 a4e5>", "中文");
    check_font(&font("#b9#d9#c5#c1#c3#bc"), "<c7d1 b1db>", "한글");
    check_font(&font("MS-Gothic"), "<93fa 967b b1>", "日本ｱ");
    check_font(&font("PMingLiU"), "<a4a4 a4e5>", "中文");
    check_font(&font("BatangChe"), "<c7d1 b1db>", "한글");
}

/// D1: characters that stand for several letters or for another form of a letter are written plainly.
#[test]
fn ligatures_and_presentation_forms_become_plain_letters() {
    check_to_unicode(
        "begincmap beginbfrange <61> <67> <fb00> endbfrange endcmap",
        "(abcdefg)",
        "fffiflffifflstst",
    );
    check_to_unicode("begincmap beginbfchar <61> <fe8e> <62> <fe91> endbfchar endcmap", "(ab)", "با");
    check_to_unicode("begincmap beginbfchar <61> <2f00> <62> <f967> endbfchar endcmap", "(ab)", "一不");
    check_to_unicode("begincmap beginbfchar <61> <00a0> <62> <2011> endbfchar endcmap", "(xaybz)", "x y-z");
}

/// D1: soft hyphens are for line ends only.
#[test]
fn soft_hyphens_do_not_part_words() {
    check_to_unicode("begincmap beginbfchar <2d> <00ad> endbfchar endcmap", "(hy-phen)", "hyphen");
}

/// D1: the bullets of symbol fonts, which have private characters.
#[test]
fn private_characters_of_symbol_fonts_become_bullets() {
    let mut builder = Builder::new();
    let map = builder.add_stream("", b"begincmap beginbfrange <b7> <b7> <f0b7> endbfrange endcmap");
    let symbol =
        builder.add(&format!("<< /Type /Font /Subtype /Type1 /BaseFont /Symbol /ToUnicode {map} 0 R >>"));
    builder.page_with(
        &format!("/Resources << /Font << /F1 3 0 R /F9 {symbol} 0 R >> >>"),
        "BT /F9 12 Tf 50 700 Td <b7> Tj /F1 12 Tf 20 0 Td (First) Tj
         /F9 12 Tf -20 -20 Td <b7> Tj /F1 12 Tf 20 0 Td (Second) Tj ET",
    );
    check(&builder.finish(), &["li0 • First", "li0 • Second"]);
}

/// D1: a glyph mapped to nothing belongs to its neighbour, and leaves no gap.
#[test]
fn glyphs_mapped_to_nothing_leave_no_gap() {
    check_to_unicode("begincmap beginbfchar <61> <00660069> <62> <> endbfchar endcmap", "(xabx)", "xfix");
    check_to_unicode("begincmap beginbfchar <62> <200b> endbfchar endcmap", "(xbx)", "xx");
}
