//! What is damaged, hostile or locked: read as far as it goes, told, and never a panic or a hang.

mod support;

use conspect_model::{Document, Format, Input, Limits, NoticeKind, ReadError, Scope};
use support::{archive, assert_lines, docx, notices, p, read, relationships, shown, tc, word_part, xlsx};

fn read_limited(bytes: &[u8], limits: &Limits) -> Result<Document<'static>, ReadError> {
    conspect_office::read(&Input::new(bytes, "input"), &Scope::default(), limits)
}

fn has_notice(document: &Document<'_>, kind: NoticeKind) -> bool {
    document.notices.iter().any(|notice| notice.kind == kind)
}

/// The document's main part last, so that cutting the file's end cuts into it.
fn document_with_main_part_last(body: &str) -> Vec<u8> {
    archive(&[
        ("_rels/.rels", relationships(&[("officeDocument", "word/document.xml")]).as_bytes()),
        ("word/document.xml", word_part("document", &format!("<w:body>{body}</w:body>")).as_bytes()),
    ])
}

#[test]
fn a_truncated_archive_is_read_as_far_as_it_goes() {
    let paragraphs: String =
        (0..2000).map(|number| p(&format!("Paragraph {number} {}", number * 7919))).collect();
    let bytes = document_with_main_part_last(&paragraphs);
    let document = read(&bytes[..bytes.len() / 2]).expect("what is whole");
    assert!(document.blocks.len() > 200, "{} blocks", document.blocks.len());
    assert_eq!(document.blocks[1].text, "Paragraph 1 7919");
    assert!(has_notice(&document, NoticeKind::Damaged));
}

#[test]
fn a_member_that_expands_too_far_is_refused() {
    let bytes = docx(&p(&"x".repeat(1 << 20)), &[]);
    let limits = Limits { max_part_bytes: 1 << 16, ..Limits::default() };
    let error = read_limited(&bytes, &limits).expect_err("too large");
    assert_eq!(error, ReadError::Limit { what: "expanded size in bytes", limit: 1 << 16 });
    assert_eq!(error.to_string(), "its expanded size in bytes is over the limit of 65536");
    // Squeezed far more than any document is, whatever the other limits are.
    let bytes = docx(&p(&"x".repeat(40 << 20)), &[]);
    assert!(matches!(read(&bytes), Err(ReadError::Limit { what: "expanded size in bytes", .. })));
}

#[test]
fn an_entity_that_is_not_expanded_stands_in_the_text_and_is_told() {
    let read_part = |declared: &str, text: &str| {
        let part = format!("{declared}{}", word_part("document", &format!("<w:body>{}</w:body>", p(text))));
        read(&archive(&[
            ("_rels/.rels", relationships(&[("officeDocument", "word/document.xml")]).as_bytes()),
            ("word/document.xml", part.as_bytes()),
        ]))
        .expect("a document")
    };
    let declared = r#"<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>"#;
    let document = read_part(declared, "before &b; after");
    assert_lines(&shown(&document), "before &b; after");
    assert_lines(&notices(&document), "damaged: part word/document.xml: an entity was not expanded (&b;)");
    // What XML itself knows is no loss, and neither is an entity that only the document type speaks of.
    let document = read_part(declared, "salt &amp; pepper &#169; &lt;b>; R&amp;D;");
    assert_lines(&shown(&document), "salt & pepper © <b>; R&D;");
    assert_eq!(notices(&document), "");
}

#[test]
fn a_wrong_checksum_is_told_and_the_text_read() {
    let stored = {
        use std::io::Write;
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for (name, text) in [
            ("_rels/.rels", relationships(&[("officeDocument", "word/document.xml")])),
            ("word/document.xml", word_part("document", &format!("<w:body>{}</w:body>", p("Hello there")))),
        ] {
            writer.start_file(name, options).expect("a member");
            writer.write_all(text.as_bytes()).expect("its bytes");
        }
        writer.finish().expect("an archive").into_inner()
    };
    let at = stored.windows(5).position(|window| window == b"Hello").expect("stored text");
    let mut bytes = stored;
    bytes[at] = b'J';
    let document = read(&bytes).expect("a document");
    assert_lines(&shown(&document), "Jello there");
    assert!(has_notice(&document, NoticeKind::Damaged));
}

#[test]
fn limits_on_text_and_cells_end_the_reading_with_a_notice() {
    let body: String = (0..100).map(|number| p(&format!("paragraph {number}"))).collect();
    let document =
        read_limited(&docx(&body, &[]), &Limits { max_chars: 200, ..Limits::default() }).expect("a start");
    assert!((5..30).contains(&document.blocks.len()), "{} blocks", document.blocks.len());
    assert!(has_notice(&document, NoticeKind::Limit));

    let rows: String = (1..=100)
        .map(|row| {
            format!(r#"<row r="{row}"><c r="A{row}"><v>{row}</v></c><c r="Z{row}"><v>0</v></c></row>"#)
        })
        .collect();
    let bytes = xlsx(&format!("<sheetData>{rows}</sheetData>"), "", "", "");
    let document = read_limited(&bytes, &Limits { max_cells: 150, ..Limits::default() }).expect("a start");
    assert!(has_notice(&document, NoticeKind::Limit));
    let limits = Limits::default();
    limits.stop.stop();
    assert!(has_notice(&read_limited(&docx(&body, &[]), &limits).expect("nothing much"), NoticeKind::Limit));
}

#[test]
fn deep_nesting_ends_and_does_not_overflow() {
    let table = |depth: usize, inside: &str| {
        let begin = "<w:tbl><w:tr><w:tc><w:p/>".repeat(depth);
        let end = "</w:tc></w:tr></w:tbl>".repeat(depth);
        format!("{}{begin}{inside}{end}", p("before"))
    };
    let document = read(&docx(&table(50, &p("inside")), &[])).expect("a document");
    assert_lines(&shown(&document), "before\ninside");
    for depth in [3_000, 60_000] {
        let document = read(&docx(&table(depth, &p("inside")), &[])).expect("a document");
        assert_eq!(document.blocks[0].text, "before");
        assert!(has_notice(&document, NoticeKind::Damaged));
    }
    let formula =
        format!("<w:p><m:oMath>{}<m:r><m:t>x</m:t></m:r></m:oMath></w:p>", "<m:f><m:num>".repeat(300));
    let _ = read(&docx(&formula, &[]));
    let fields = r#"<w:r><w:fldChar w:fldCharType="begin"/></w:r>"#.repeat(5_000);
    let document = read(&docx(&format!("<w:p>{fields}</w:p>{}", p("after")), &[])).expect("a document");
    assert_lines(&shown(&document), "after");
}

#[test]
fn unclosed_and_broken_xml_gives_what_stands_before() {
    let part = |content: &str| {
        archive(&[
            ("_rels/.rels", relationships(&[("officeDocument", "d.xml")]).as_bytes()),
            (
                "d.xml",
                format!("{}{content}", word_part("document", "").trim_end_matches("</w:document>"))
                    .as_bytes(),
            ),
        ])
    };
    let whole = p("whole");
    for broken in [
        format!("<w:body>{whole}<w:p><w:r><w:t>cut"),
        format!("<w:body>{whole}<w:p><w:r><w:t>cut</w:t></w:r></w:body"),
        format!("<w:body>{whole}<w:p><w:pPr><w:rPrChange><w:p"),
        format!("<w:body>{whole}<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cut</w:t>"),
        format!("<w:body>{whole}<w:p <w:r>"),
    ] {
        let document = read(&part(&broken)).unwrap_or_else(|error| panic!("{error}: {broken}"));
        assert_eq!(document.blocks[0].text, "whole", "{broken}");
        assert!(has_notice(&document, NoticeKind::Damaged), "{broken}");
    }
    // Closing tags that match nothing are passed over.
    let document =
        read(&part(&format!("<w:body></w:tbl></w:tc>{whole}</w:hyperlink></w:body></w:document>")));
    assert_lines(&shown(&document.expect("a document")), "whole");
}

#[test]
fn parts_in_other_encodings_and_in_none_are_read() {
    let main = |declared: &[u8], text: &[u8]| {
        let head = [b"<?xml version=\"1.0\" encoding=", declared, b"?>"].concat();
        let part = word_part("document", "<w:body><w:p><w:r><w:t>@</w:t></w:r></w:p></w:body>");
        let (_, root) = part.split_once("?>").expect("a declaration");
        let (before, after) = root.split_once('@').expect("a place for the text");
        let bytes = [&head, before.as_bytes(), text, after.as_bytes()].concat();
        archive(&[
            ("_rels/.rels", relationships(&[("officeDocument", "d.xml")]).as_bytes()),
            ("d.xml", &bytes),
        ])
    };
    let check = |declared: &[u8], text: &[u8], expected: &str| {
        assert_lines(&shown(&read(&main(declared, text)).expect("a document")), expected);
    };
    check(b"\"windows-1252\"", b"\x93caf\xE9\x94", "“café”");
    check(b"'iso-8859-5'", b"\xB4\xD0", "Да");
    check(b"\xFFUTF-8\"", b"odd", "odd");
    check(b"\"UTF-8\"", b"bad \xFF byte", "bad \u{FFFD} byte");
}

#[test]
fn missing_parts_and_dangling_relationships_are_no_error() {
    let body = format!(
        r#"<w:p><w:pPr><w:pStyle w:val="Gone"/><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr>
        <w:hyperlink r:id="rId99"><w:r><w:t>linked</w:t></w:r></w:hyperlink>
        <w:r><w:footnoteReference w:id="7"/></w:r></w:p><w:altChunk r:id="rId98"/>{}"#,
        p("end")
    );
    let bytes = archive(&[
        ("_rels/.rels", relationships(&[("officeDocument", "/a/b.xml")]).as_bytes()),
        (
            "a/_rels/b.xml.rels",
            relationships(&[("styles", "no.xml"), ("footnotes", "../none.xml")]).as_bytes(),
        ),
        ("a/b.xml", word_part("document", &format!("<w:body>{body}</w:body>")).as_bytes()),
    ]);
    assert_lines(&shown(&read(&bytes).expect("a document")), "linked[^1]\nend");
}

#[test]
fn a_document_that_takes_itself_in_ends() {
    let mut bytes = docx(&p("innermost"), &[]);
    for depth in 0..8 {
        let relation = relationships(&[("aFChunk", "chunk.docx")]);
        let body = format!("<w:body>{}<w:altChunk r:id=\"rId1\"/></w:body>", p(&format!("level {depth}")));
        bytes = archive(&[
            ("_rels/.rels", relationships(&[("officeDocument", "d.xml")]).as_bytes()),
            ("d.xml", word_part("document", &body).as_bytes()),
            ("_rels/d.xml.rels", relation.as_bytes()),
            ("chunk.docx", &bytes),
        ]);
    }
    let document = read(&bytes).expect("a document");
    assert_eq!(document.blocks[0].text, "level 7");
    assert_eq!(document.blocks[1].text, "level 6");
    assert!(document.blocks.len() < 9, "the innermost is past the limit");
}

#[test]
fn absurd_numbers_reserve_nothing() {
    let cell = |properties: &str| tc(properties, "x");
    let row = format!("<w:tr>{}{}</w:tr>", cell(r#"<w:gridSpan w:val="4000000000"/>"#), cell(""));
    let document = read(&docx(&format!("<w:tbl>{row}{row}</w:tbl>"), &[])).expect("a document");
    assert_eq!(document.blocks.len(), 1);
    let sheet = r#"<sheetData><row r="4294967295"><c r="ZZZZZZZ4294967295"><v>1</v></c><c r="A99999999999"><v>2</v></c></row>
        <row r="1"><c r="A1" s="99999999"><v>3</v></c></row></sheetData>
        <mergeCells><mergeCell ref="A1:XFD1048576"/><mergeCell ref="B9:A1"/></mergeCells>"#;
    let document = read(&xlsx(sheet, "", "", "")).expect("a document");
    assert!(shown(&document).contains("| 3"), "{}", shown(&document));
}

#[test]
fn what_is_locked_or_foreign_says_so() {
    // The smallest OLE file: a header, one sector of the allocation table, one of the directory.
    let ole = |stream: &str| {
        let mut bytes = vec![0u8; 512 * 3];
        bytes[..8].copy_from_slice(&[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]);
        bytes[30] = 9;
        bytes[32] = 6;
        bytes[44] = 1;
        bytes[48] = 1;
        bytes[56..60].copy_from_slice(&4096u32.to_le_bytes());
        for at in [60, 68] {
            bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        }
        bytes[76..512].fill(0xFF);
        bytes[76..80].copy_from_slice(&0u32.to_le_bytes());
        bytes[512..1024].fill(0xFF);
        for (idx, (name, kind)) in [("Root Entry", 5u8), (stream, 2)].into_iter().enumerate() {
            let entry = &mut bytes[1024 + 128 * idx..1024 + 128 * (idx + 1)];
            let units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            entry[..units.len()].copy_from_slice(&units);
            entry[64] = units.len() as u8 + 2;
            entry[66] = kind;
        }
        bytes
    };
    let locked = ReadError::Encrypted { format: Format::EncryptedOffice, can_open: false };
    assert_eq!(read(&ole("EncryptedPackage")).expect_err("locked"), locked);
    for (stream, format) in [("WordDocument", Format::Doc), ("PowerPoint Document", Format::Ppt)] {
        assert_eq!(read(&ole(stream)).expect_err("not read"), ReadError::Unsupported { format });
    }
    assert!(matches!(read(&ole("Workbook")), Err(ReadError::Damaged { format: Format::Xls, .. })));
    assert_eq!(conspect_office::sniff(b"{\\rtf1 text}", "a.doc"), Some(Format::Rtf));
    assert_eq!(conspect_office::sniff(b"name,price\n", "a.xlsx"), None);
    assert_eq!(conspect_office::sniff(&archive(&[("notes.txt", b"hi")]), "a.docx"), Some(Format::Zip));
    for garbage in [
        &b""[..],
        b"PK",
        b"PK\x03\x04",
        b"PK\x05\x06",
        b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
        b"\x09\x08\x10\x00\x00\x06",
    ] {
        assert!(read(garbage).is_err());
    }
}

/// Changes bytes of good files at places drawn from a fixed seed; whatever comes out, nothing panics.
#[test]
fn mutated_files_never_panic() {
    let body = format!(
        "{}<w:tbl><w:tr>{}{}</w:tr></w:tbl><w:p><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num></m:f></m:oMath></w:p>",
        p("text"),
        tc(r#"<w:gridSpan w:val="2"/><w:vMerge w:val="restart"/>"#, "a"),
        tc("", "b")
    );
    let main = word_part("document", &format!("<w:body>{body}</w:body>"));
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.write_string(0, 0, "name").expect("a cell");
    sheet.write_number(1, 0, 45_000.5).expect("a cell");
    let package = workbook.save_to_buffer().expect("a workbook");
    let record =
        |id: u16, data: &[u8]| [&id.to_le_bytes()[..], &(data.len() as u16).to_le_bytes(), data].concat();
    let binary = [
        record(0x809, &[0, 6, 5, 0, 0, 0, 0, 0]),
        record(0x85, &[60, 0, 0, 0, 0, 0, 1, 0, b'S']),
        record(0xFC, &[1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 9, 1, 0, b'a', 0, b'b']),
        record(0x3C, &[0, b'c', b'd']),
        record(0x0A, &[]),
        record(0x809, &[0, 6, 16, 0, 0, 0, 0, 0]),
        record(0xFD, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        record(0xBD, &[1, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 0]),
        record(0xE5, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0]),
        record(0x0A, &[]),
    ]
    .concat();
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let limits =
        Limits { max_total_bytes: 8 << 20, max_part_bytes: 4 << 20, max_cells: 50_000, ..Limits::default() };
    let mut n_read = 0;
    for round in 0..900 {
        let mut bytes = match round % 3 {
            0 => main.clone().into_bytes(),
            1 => package.clone(),
            _ => binary.clone(),
        };
        for _ in 0..=next(4) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] = next(256) as u8,
                1 => bytes.truncate(at.max(1)),
                2 => bytes[at] ^= 1 << next(8),
                _ => {
                    let end = (at + next(40)).min(bytes.len());
                    bytes.drain(at..end);
                }
            }
            if bytes.is_empty() {
                bytes.push(0);
            }
        }
        if round % 3 == 0 {
            let relation = relationships(&[("officeDocument", "d.xml")]);
            bytes = archive(&[("_rels/.rels", relation.as_bytes()), ("d.xml", &bytes)]);
        }
        n_read += usize::from(read_limited(&bytes, &limits).is_ok());
    }
    assert!(n_read > 450, "most of them say something still, not {n_read}");
}

#[test]
fn wide_and_gappy_sheets_take_no_time_to_lay_out() {
    // A row of 16,384 names over rows of texts, and then every other column of two thousand.
    let column = |number: u32| conspect_model::ColumnNumber::new(number).expect("not zero").letters();
    let text =
        |reference: String| format!(r#"<c r="{reference}" t="inlineStr"><is><t>n{reference}</t></is></c>"#);
    let wide: String = (1..=12)
        .map(|row| {
            let cells: String = (1..=16_384).map(|number| text(format!("{}{row}", column(number)))).collect();
            format!(r#"<row r="{row}">{cells}</row>"#)
        })
        .collect();
    let gappy: String = (20..=60)
        .map(|row| {
            let cells: String =
                (1..=1000).map(|number| text(format!("{}{row}", column(2 * number)))).collect();
            format!(r#"<row r="{row}">{cells}</row>"#)
        })
        .collect();
    let document =
        read(&xlsx(&format!("<sheetData>{wide}{gappy}</sheetData>"), "", "", "")).expect("a document");
    let n_cells: usize = (document.blocks.iter())
        .map(|block| match &block.kind {
            conspect_model::BlockKind::Table(table) => {
                table.rows().map(|row| row.cells().filter(|cell| !cell.is_empty()).count()).sum()
            }
            _ => 0,
        })
        .sum();
    assert_eq!(n_cells, 12 * 16_384 + 41 * 1000);
}

#[test]
fn many_references_and_joined_paragraphs_take_no_time() {
    let joined = r#"<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:r><w:t>word </w:t></w:r></w:p>"#;
    let referring = r#"<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>"#;
    let document =
        read(&docx(&format!("{}{}{}", joined.repeat(60_000), p("end"), referring.repeat(60_000)), &[]));
    let document = document.expect("a document");
    assert_eq!(document.blocks[0].text.len(), 5 * 60_000 + 3);
    assert_eq!(document.blocks.last().expect("a block").text, "[^60000]");
}
