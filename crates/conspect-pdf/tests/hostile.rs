//! Damaged and hostile files: a Document or an error, never a panic, a hang or gigabytes. Spec D3 and D5.

mod builder;

use std::io::Write;

use builder::{Builder, check, lines, read, told};
use conspect_model::{Input, Limits, ReadError, Scope};

fn one_page() -> Vec<u8> {
    Builder::of_page("BT /F1 12 Tf 50 700 Td (Still here) Tj ET")
}

#[test]
fn nothing_and_garbage_are_errors() {
    for bytes in [b"".as_slice(), b"%PDF-1.7", b"Not a PDF at all", &[0xff; 4096]] {
        assert!(matches!(read(bytes), Err(ReadError::Damaged { .. })));
    }
}

#[test]
fn junk_before_the_header_does_not_matter() {
    let mut bytes = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    bytes.extend(one_page());
    check(&bytes, &["p Still here"]);
}

#[test]
fn a_wrong_startxref_and_a_missing_table_are_repaired() {
    let bytes = one_page();
    let text = String::from_utf8(bytes).expect("ASCII");
    let (body, _) = text.split_once("startxref").expect("an end");
    check(format!("{body}startxref\n7\n%%EOF").as_bytes(), &["p Still here"]);
    let (objects, _) = text.split_once("xref\n").expect("a table");
    let trailer = "trailer\n<< /Root 1 0 R >>\n";
    check(format!("{objects}{trailer}").as_bytes(), &["p Still here"]);
}

#[test]
fn a_wrong_stream_length_is_found_out() {
    let text = String::from_utf8(one_page()).expect("ASCII");
    for wrong in ["/Length 5", "/Length 99999"] {
        let broken = text.replace("/Length 41", wrong);
        assert_ne!(broken, text, "the length is the content's own");
        check(broken.as_bytes(), &["p Still here"]);
    }
}

#[test]
fn a_page_tree_that_bites_its_tail_ends() {
    let text = String::from_utf8(one_page()).expect("ASCII");
    let (_, after) = text.split_once("/Kids [").expect("kids");
    let (kid, _) = after.split_once(']').expect("one kid");
    let looped = text.replace(&format!("[{kid}]"), &format!("[2 0 R {kid} 2 0 R]"));
    check(looped.as_bytes(), &["p Still here"]);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let deep = "[".repeat(200_000);
    let dicts = "<</A ".repeat(100_000);
    let saves = "q ".repeat(200_000);
    for prefix in [deep.as_str(), dicts.as_str(), saves.as_str()] {
        let _ = read(&Builder::of_page(&format!("BT /F1 12 Tf 50 700 Td (Before) Tj ET {prefix}")))
            .map(|document| assert_eq!(told(&document).first().map(String::as_str), Some("p Before")));
    }
    let mut builder = Builder::new();
    builder.add(&deep);
    builder.page("BT /F1 12 Tf 50 700 Td (Still here) Tj ET");
    check(&builder.finish(), &["p Still here"]);
}

#[test]
fn a_form_that_shows_itself_is_shown_once() {
    let mut builder = Builder::new();
    // The form will be object 6, the next one.
    let form = builder.add_stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> /XObject << /X1 6 0 R >> >>",
        b"BT /F1 12 Tf 50 700 Td (Mirror) Tj ET /X1 Do",
    );
    assert_eq!(form, 6);
    builder.resources = "/XObject << /X1 6 0 R >>".to_string();
    builder.page("/X1 Do");
    check(&builder.finish(), &["p Mirror"]);
}

#[test]
fn forms_that_multiply_one_another_meet_the_limit() {
    let mut builder = Builder::new();
    let shows = "/X1 Do ".repeat(100);
    let mut inner = builder.add_stream("/Type /XObject /Subtype /Form /BBox [0 0 1 1]", b"0 0 m");
    for _ in 0..8 {
        inner = builder.add_stream(
            &format!("/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X1 {inner} 0 R >> >>"),
            shows.as_bytes(),
        );
    }
    builder.resources = format!("/XObject << /X1 {inner} 0 R >>");
    builder.page("BT /F1 12 Tf 50 700 Td (Still here) Tj ET /X1 Do");
    check(
        &builder.finish(),
        &[
            "p Still here",
            "! page 1: only a part of the page was read: it has more operators than the limit allows",
        ],
    );
}

/// Loading such a font would make an entry for each of two milliard glyphs.
#[test]
fn a_font_with_widths_for_every_number_is_not_loaded() {
    let mut builder = Builder::new();
    let font = "<< /Type /Font /Subtype /Type0 /BaseFont /Wide /Encoding /Identity-H /DescendantFonts [ << /Type /Font \
                /Subtype /CIDFontType2 /BaseFont /Wide /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) \
                /Supplement 0 >> /W [ 0 2147483647 500 ] >> ] >>";
    let form = builder.add_stream(
        &format!("/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /Font << /F2 {font} >> >>"),
        b"BT /F2 12 Tf 50 700 Td (AB) Tj ET",
    );
    builder.resources = format!("/XObject << /X1 {form} 0 R >>");
    builder.page("BT /F1 12 Tf 50 600 Td (Still here) Tj ET /X1 Do");
    let text = told(&read(&builder.finish()).expect("a document"));
    assert!(text.iter().any(|line| line.contains("Still here")), "{text:?}");
}

#[test]
fn content_that_expands_without_measure_is_cut() {
    let mut data = b"BT /F1 12 Tf 50 700 Td (Still here) Tj ET ".to_vec();
    data.resize(8 << 20, b' ');
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&data).expect("in memory");
    let packed = encoder.finish().expect("in memory");
    let mut builder = Builder::new();
    let content = builder.add_stream("/Filter /FlateDecode", &packed);
    builder.page_with(&format!("/Contents {content} 0 R"), "");
    let bytes = builder.finish();
    let limits = Limits { max_part_bytes: 1 << 20, ..Limits::default() };
    let document =
        conspect_pdf::read(&Input::new(&bytes, "test.pdf"), &Scope::default(), &limits).expect("a document");
    builder::pretty_equal(
        &told(&document),
        &["p Still here", "! page 1: only a part of the page was read: its content expands over the limit"],
    );
}

#[test]
fn an_object_stream_that_expands_without_measure_is_refused() {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![b' '; 8 << 20]).expect("in memory");
    let packed = encoder.finish().expect("in memory");
    let mut builder = Builder::new();
    builder.add_stream("/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode", &packed);
    builder.page("BT /F1 12 Tf 50 700 Td (Still here) Tj ET");
    let bytes = builder.finish();
    let limits = Limits { max_part_bytes: 1 << 20, ..Limits::default() };
    let read = conspect_pdf::read(&Input::new(&bytes, "test.pdf"), &Scope::default(), &limits);
    assert!(matches!(read, Err(ReadError::Limit { what: "expanded size of objects", .. })));
    check(&bytes, &["p Still here"]);
}

/// Looking for the end of each of these streams would pass through the rest of the file each time.
#[test]
fn names_of_object_streams_without_end_are_passed_through_once() {
    let mut bytes = one_page();
    bytes.extend(b"/ObjStm stream\n".repeat(100_000));
    check(&bytes, &["p Still here"]);
}

#[test]
fn a_file_cut_before_its_page_tree_keeps_the_pages_that_are_there() {
    // Pages before everything else, as some producers write them.
    let bytes = b"%PDF-1.4
4 0 obj << /Type /Page /MediaBox [0 0 600 800] /Contents 5 0 R
  /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj
5 0 obj << /Length 45 >> stream
BT /F1 12 Tf 50 700 Td (Saved) Tj ET
endstream endobj
6 0 obj << /Type /Pages /Ki";
    check(
        bytes,
        &[
            "p Saved",
            "! the catalog and the page tree are missing: the pages found are in the order they stand in the file",
        ],
    );
}

#[test]
fn a_file_cut_before_its_catalog_is_not_said_to_lack_its_page_tree() {
    let whole = Builder::of_page("BT /F1 12 Tf 50 700 Td (Saved) Tj ET");
    let catalog = memchr::memmem::find(&whole, b"/Type /Catalog").expect("a catalog");
    let mut bytes = whole.clone();
    bytes.drain(..catalog + b"/Type /Catalog".len());
    bytes.truncate(memchr::memmem::find(&bytes, b"xref").expect("a table"));
    check(
        &bytes,
        &["p Saved", "! the catalog is missing: the pages found are in the order they stand in the file"],
    );
}

#[test]
fn pages_packed_into_object_streams_are_found_without_a_catalog() {
    let page = "<< /Type /Page /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F1 << /Type /Font \
                /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>";
    let objects = format!("7 0 8 {} {page} [1 2 3]", page.len() + 1);
    let first = objects.find('<').expect("a page");
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(objects.as_bytes()).expect("in memory");
    let packed = encoder.finish().expect("in memory");
    let mut bytes = b"%PDF-1.5\n5 0 obj << /Length 45 >> stream\nBT /F1 12 Tf 50 700 Td (Saved) Tj ET\nendstream endobj\n"
        .to_vec();
    bytes.extend(
        format!(
            "6 0 obj << /Type /ObjStm /N 2 /First {first} /Filter /FlateDecode /Length {} >> stream\n",
            packed.len()
        )
        .bytes(),
    );
    bytes.extend(packed);
    bytes.extend(b"\nendstream endobj\n");
    check(
        &bytes,
        &[
            "p Saved",
            "! the catalog and the page tree are missing: the pages found are in the order they stand in the file",
        ],
    );
}

#[test]
fn text_in_a_font_that_is_not_there_is_read_where_it_looks_like_text() {
    check(
        &Builder::of_page("BT /F9 12 Tf 50 700 Td (Still here) Tj ET"),
        &["p Still here", "! page 1: a part of the page cannot be decoded"],
    );
    check(
        &Builder::of_page("BT /F9 12 Tf 50 700 Td (!\"#$%&'*+,) Tj ET"),
        &[
            "p \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
            "! page 1: a part of the page cannot be decoded",
            "! page 1: text layer damaged: 10 of 10 characters have no known meaning",
        ],
    );
}

#[test]
fn pages_that_are_promised_and_not_there_are_told() {
    let text = String::from_utf8(one_page()).expect("ASCII");
    check(
        text.replace("/Count 1", "/Count 9").as_bytes(),
        &["p Still here", "! the file says it has 9 pages, of which 1 can be found"],
    );
}

#[test]
fn a_stopped_read_returns_what_there_is() {
    let limits = Limits::default();
    limits.stop.stop();
    let document = conspect_pdf::read(&Input::new(&one_page(), "test.pdf"), &Scope::default(), &limits)
        .expect("a document");
    builder::pretty_equal(
        &told(&document),
        &["! page 1: reading was stopped here: this page and those after it are missing"],
    );
}

#[test]
fn places_no_page_can_have_do_no_harm() {
    check(
        &Builder::of_page(
            "BT /F1 12 Tf 99999999999 0 0 99999999999 0 0 Tm (far) Tj 1 0 0 1 50 700 Tm (near) Tj 0 0 0 0 0 0 Tm (flat) Tj ET",
        ),
        &["p near", "p flat"],
    );
}

/// Flips bytes and cuts files at places drawn from a fixed seed: whatever comes out, nothing panics.
#[test]
fn mutated_files_never_panic() {
    let mut builder = Builder::new();
    let form = builder.add_stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >>",
        b"BT /F1 12 Tf 50 300 Td (Form) Tj ET",
    );
    builder.resources = format!("/XObject << /X1 {form} 0 R >>");
    builder.page_with(
        "/Annots [<< /Subtype /FreeText /Rect [1 2 30 40] /Contents (note) >>]",
        &(lines("F2", 18, 50, 750, &["Heading"])
            + &lines("F1", 10, 50, 700, &["Some text that is", "wrapped, and then", "- an item", "1. another"])
            + "50 600 m 200 600 l 50 500 m 200 500 l 50 550 m 200 550 l S 50 500 m 50 600 l 120 500 m 120 600 l 200 500 m 200 600 l S "
            + "BT /F3 10 Tf 55 560 Td (a) Tj 80 0 Td (b) Tj -80 -40 Td (c) Tj 80 0 Td (d) Tj ET /X1 Do"),
    );
    builder.page(&lines("F1", 10, 50, 700, &["Second page"]));
    let whole = builder.finish();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut draw = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    for round in 0..600 {
        let mut bytes = whole.clone();
        if round % 3 == 0 {
            bytes.truncate(draw(whole.len()));
        } else {
            for _ in 0..=draw(12) {
                let at = draw(bytes.len());
                bytes[at] = draw(256) as u8;
            }
        }
        let read = std::panic::catch_unwind(|| read(&bytes).map(|document| told(&document)));
        assert!(read.is_ok(), "round {round} panics");
    }
}
