//! Pages asked for, and what the file says of itself: spec D6 and L6.

use conspect_model::{Input, Limits, PageNumber, ReadError, Scope};

use crate::builder::{Builder, lines, pretty_equal, read, told};

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

#[test]
fn what_the_information_dictionary_leaves_out_is_taken_from_xmp() {
    let mut builder = Builder::new();
    builder.page("BT /F1 12 Tf 50 700 Td (One) Tj ET");
    let packet = "<x:xmpmeta><rdf:RDF><rdf:Description><dc:title>Another title</dc:title>\
                  <dc:creator><rdf:Seq><rdf:li>A. Harrow</rdf:li></rdf:Seq></dc:creator>\
                  </rdf:Description></rdf:RDF></x:xmpmeta>";
    let packet = builder.add_stream("/Type /Metadata /Subtype /XML", packet.as_bytes());
    let info = builder.add("<< /Title (A title) >>");
    builder.catalog = format!("/Metadata {packet} 0 R");
    builder.trailer = format!("/Info {info} 0 R");
    let metadata = read(&builder.finish()).expect("a document").metadata;
    assert_eq!(metadata.title.as_deref(), Some("A title"));
    assert_eq!(metadata.author.as_deref(), Some("A. Harrow"));
}
