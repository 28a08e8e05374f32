//! Damaged files: what can be read is read. Spec D3.

mod builder;

use std::io::Write;

use builder::{Builder, check, pretty_equal, read, told};

const TEXT: [&str; 1] = ["p Still here"];

fn one_page() -> String {
    String::from_utf8(Builder::of_page("BT /F1 12 Tf 50 700 Td (Still here) Tj ET")).expect("ASCII")
}

/// Reads the page with a part of the file replaced, which must be there.
#[track_caller]
fn check_replaced(part: &str, by: &str) {
    let whole = one_page();
    assert!(whole.contains(part), "{part:?} is not in the file:\n{whole}");
    check(whole.replace(part, by).as_bytes(), &TEXT);
}

fn flate(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).expect("in memory");
    encoder.finish().expect("in memory")
}

#[test]
fn a_damaged_head_or_tail_does_not_matter() {
    check_replaced("%PDF-1.7\n", "");
    check_replaced("%PDF-1.7\n", "%PDF-x\n");
    check_replaced("%%EOF\n", "");
    check_replaced("startxref", "startxerf");
    check_replaced("xref\n0", "0");
    check_replaced("trailer\n", "");
    check_replaced("65535 f \n", "65535 f\n");
    check(format!("{}{}", one_page(), "\0".repeat(5000)).as_bytes(), &TEXT);
    check(format!("{}{}", "junk\n".repeat(300), one_page()).as_bytes(), &TEXT);
}

#[test]
fn offsets_that_lead_astray_are_found_out() {
    let whole = one_page();
    let (body, table) = whole.split_once("xref\n").expect("a table");
    for wrong in [1, 7, 100_000] {
        let moved: Vec<String> = table
            .lines()
            .map(|line| match line.strip_suffix(" 00000 n ") {
                Some(offset) => {
                    format!("{:010} 00000 n ", offset.parse::<usize>().expect("a number") + wrong)
                }
                None => line.to_string(),
            })
            .collect();
        check(format!("{body}xref\n{}\n", moved.join("\n")).as_bytes(), &TEXT);
    }
    // A table that names another object at each place.
    check_replaced("0 8\n", "1 8\n");
    check_replaced("/Size 8", "/Size 2");
    check_replaced("/Size 8", "");
}

#[test]
fn a_table_that_leads_back_to_itself_ends() {
    let whole = one_page();
    let start = whole.find("xref\n").expect("a table");
    check(whole.replace("/Root 1 0 R", &format!("/Root 1 0 R /Prev {start}")).as_bytes(), &TEXT);
}

#[test]
fn words_that_end_objects_may_be_missing() {
    check_replaced("endobj\n", "");
    for by in ["\nendobj", ""] {
        let cut = one_page().replace("\nendstream\nendobj", by);
        check(cut.as_bytes(), &[TEXT[0], "! the end of the last stream is missing"]);
    }
    check_replaced("stream\nBT", "stream\r\nBT");
    check_replaced("stream\nBT", "stream\rBT");
}

#[test]
fn lengths_of_any_kind_are_found_out() {
    for wrong in
        ["", "/Length -1", "/Length 0", "/Length 4", "/Length 9999999999", "/Length 99 0 R", "/Length (x)"]
    {
        check_replaced("/Length 41", wrong);
    }
}

#[test]
fn page_trees_with_faults_keep_their_pages() {
    check_replaced("/Type /Pages ", "");
    check_replaced("/Type /Page ", "");
    check_replaced("/Count 1", "/Count -5");
    check_replaced("/Count 1", "");
    check_replaced("/MediaBox [0 0 600 800]", "");
    check_replaced("/MediaBox [0 0 600 800]", "/MediaBox [0 0 0 0]");
    check_replaced("/Kids [", "/Kids [null 77 0 R (x) ");
    check_replaced("/Parent 2 0 R", "");
    check_replaced("/Type /Catalog ", "");
}

/// A page tree as deep as a list of a thousand pages written by a program that never heard of balance.
#[test]
fn a_page_tree_of_one_node_below_the_other_is_walked() {
    let mut builder = Builder::new();
    builder.page("BT /F1 12 Tf 50 700 Td (Still here) Tj ET");
    let page = 7;
    let mut node = page;
    for _ in 0..20_000 {
        node = builder.add(&format!("<< /Type /Pages /Count 1 /Kids [{node} 0 R] >>"));
    }
    let text = String::from_utf8(builder.finish()).expect("ASCII");
    let read = read(
        text.replace(
            "/Kids [7 0 R] /Count 1 >>\nendobj\n3 0",
            &format!("/Kids [{node} 0 R] /Count 1 >>\nendobj\n3 0"),
        )
        .as_bytes(),
    );
    // However deep one cares to go, it ends with the page, or without it and with a word on that.
    let told = read.map(|document| told(&document)).unwrap_or_else(|error| vec![format!("! {error}")]);
    assert!(told.iter().any(|line| line == TEXT[0] || line.starts_with('!')), "{told:?}");
}

/// The newest of several objects with one number counts, with and without a table that says so.
#[test]
fn later_versions_of_an_object_count() {
    let mut whole = one_page();
    let old = "BT /F1 12 Tf 50 700 Td (Still here) Tj ET";
    let content =
        "6 0 obj\n<< /Length 36 >>\nstream\nBT /F1 12 Tf 50 700 Td (Newer) Tj ET\nendstream\nendobj\n";
    assert!(whole.contains(&format!("6 0 obj\n<<  /Length 41 >>\nstream\n{old}")), "{whole}");
    let start = whole.find("xref\n").expect("a table");
    let at = whole.len();
    whole.push_str(content);
    let table = whole.len();
    whole.push_str(&format!(
        "xref\n6 1\n{at:010} 00000 n \ntrailer\n<< /Size 9 /Root 1 0 R /Prev {start} >>\nstartxref\n{table}\n%%EOF\n"
    ));
    check(whole.as_bytes(), &["p Newer"]);
    // And with all tables gone, by what stands last in the file.
    check(whole.replace("xref", "xxxx").as_bytes(), &["p Newer"]);
}

/// A file of object streams, damaged in its parts. The page is object 7, in the stream.
fn compressed(damage: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let objects = [
        (1, "<< /Type /Catalog /Pages 2 0 R >>"),
        (2, "<< /Type /Pages /Kids [7 0 R] /Count 1 >>"),
        (3, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
        (
            7,
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 6 0 R
                /Resources << /Font << /F1 3 0 R >> >> >>",
        ),
    ];
    let (mut index, mut body) = (String::new(), String::new());
    for (number, object) in objects {
        index.push_str(&format!("{number} {} ", body.len()));
        body.push_str(&format!("{object}\n"));
    }
    let mut packed = flate(format!("{index}{body}").as_bytes());
    damage(&mut packed);
    let mut file = b"%PDF-1.5\n".to_vec();
    let at_content = file.len();
    file.extend_from_slice(
        b"6 0 obj\n<< /Length 41 >>\nstream\nBT /F1 12 Tf 50 700 Td (Still here) Tj ET\nendstream\nendobj\n",
    );
    let at_objects = file.len();
    file.extend_from_slice(
        format!(
            "8 0 obj\n<< /Type /ObjStm /N 4 /First {} /Filter /FlateDecode /Length {} >>\nstream\n",
            index.len(),
            packed.len()
        )
        .as_bytes(),
    );
    file.extend_from_slice(&packed);
    file.extend_from_slice(b"\nendstream\nendobj\n");
    let at_table = file.len();
    let entries: [[u16; 3]; 10] = [
        [0, 0, 0],
        [2, 8, 0],
        [2, 8, 1],
        [2, 8, 2],
        [0, 0, 0],
        [0, 0, 0],
        [1, at_content as u16, 0],
        [2, 8, 3],
        [1, at_objects as u16, 0],
        [1, at_table as u16, 0],
    ];
    let table: Vec<u8> = entries
        .iter()
        .flat_map(|[kind, at, idx]| [*kind as u8, (at >> 8) as u8, *at as u8, *idx as u8])
        .collect();
    file.extend_from_slice(
        format!(
            "9 0 obj\n<< /Type /XRef /Size 10 /W [1 2 1] /Root 1 0 R /Length {} >>\nstream\n",
            table.len()
        )
        .as_bytes(),
    );
    file.extend_from_slice(&table);
    file.extend_from_slice(format!("\nendstream\nendobj\nstartxref\n{at_table}\n%%EOF\n").as_bytes());
    file
}

#[test]
fn object_streams_are_read_with_and_without_their_table() {
    let whole = compressed(|_| {});
    check(&whole, &TEXT);
    let table = memchr::memmem::find(&whole, b"9 0 obj").expect("a table");
    let without = [&whole[..table], b"trailer\n<< /Root 1 0 R >>\n"].concat();
    check(&without, &TEXT);
}

#[test]
fn damaged_object_streams_give_what_is_left_of_them() {
    // A wrong checksum is no loss.
    check(
        &compressed(|packed| {
            let last = packed.len() - 1;
            packed[last] ^= 0xff;
        }),
        &TEXT,
    );
    // Cut, the last object is lost, and it is the page.
    let cut = read(&compressed(|packed| packed.truncate(packed.len() / 2)));
    assert!(cut.is_err() || cut.is_ok_and(|document| !document.notices.is_empty()));
}

/// A table for old readers that hides the objects of a stream, which a second table names.
#[test]
fn hybrid_files_have_the_objects_of_both_tables() {
    let mut file = b"%PDF-1.5\n".to_vec();
    let mut offsets = Vec::new();
    let mut push = |file: &mut Vec<u8>, object: &[u8]| {
        offsets.push(file.len());
        file.extend_from_slice(object);
    };
    push(&mut file, b"1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n");
    push(&mut file, b"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n");
    push(
        &mut file,
        b"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 6 0 R >> >> >>\nendobj\n",
    );
    push(
        &mut file,
        b"4 0 obj\n<< /Length 41 >>\nstream\nBT /F1 12 Tf 50 700 Td (Still here) Tj ET\nendstream\nendobj\n",
    );
    let inner = "6 0 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
    push(
        &mut file,
        format!(
            "5 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Length {} >>\nstream\n{inner}\nendstream\nendobj\n",
            inner.len()
        )
        .as_bytes(),
    );
    let at_stream = file.len();
    let entries = [2_u8, 0, 5, 0];
    file.extend_from_slice(
        b"7 0 obj\n<< /Type /XRef /Size 8 /Index [6 1] /W [1 2 1] /Root 1 0 R /Length 4 >>\nstream\n",
    );
    file.extend_from_slice(&entries);
    file.extend_from_slice(b"\nendstream\nendobj\n");
    let at_table = file.len();
    file.extend_from_slice(b"xref\n0 8\n0000000000 65535 f \n");
    for offset in &offsets {
        file.extend_from_slice(format!("{offset:010} 00000 n \n").as_bytes());
    }
    file.extend_from_slice(b"0000000000 65535 f \n");
    file.extend_from_slice(format!("{at_stream:010} 00000 n \n").as_bytes());
    file.extend_from_slice(
        format!("trailer\n<< /Size 8 /Root 1 0 R /XRefStm {at_stream} >>\nstartxref\n{at_table}\n%%EOF\n")
            .as_bytes(),
    );
    check(&file, &TEXT);
}

/// Content that nests without measure ends there, and the page says so.
#[test]
fn content_nested_without_measure_is_told() {
    for deep in ["[".repeat(100_000), "<< /A ".repeat(100_000)] {
        let told = told(
            &read(&Builder::of_page(&format!("BT /F1 12 Tf 50 700 Td (Still here) Tj ET {deep}")))
                .expect("a document"),
        );
        pretty_equal(&told, &[TEXT[0], "! page 1: a part of the page cannot be decoded"]);
    }
}

/// Signs that should not be there, and operators that lack their operands, cost no text.
#[test]
fn faults_in_content_are_passed_over() {
    let text = "BT /F1 12 Tf 50 700 Td (Still here) Tj ET";
    for fault in [
        ")",
        "]",
        "}",
        ">>",
        "> >",
        "m",
        "1 l",
        "(x) re",
        "/#",
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40",
    ] {
        check(&Builder::of_page(&format!("q Q {fault} {text}")), &TEXT);
    }
    check(
        &Builder::of_page(&format!(
            "{text} 0 -40 Td ) BT 50 600 Td (and here) Tj ET {}",
            "(unfinished".repeat(9)
        )),
        &[TEXT[0], "p and here", "! page 1: a part of the page cannot be decoded"],
    );
}

/// A file that breaks off in the middle of its text, with all that is needed to show it before that.
#[test]
fn a_file_that_breaks_off_in_a_stream_keeps_the_beginning() {
    let file = b"%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R
  /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj
4 0 obj << /Length 900 >> stream
BT /F1 12 Tf 50 700 Td (Still here) Tj ET BT /F1 12 Tf 50 600 T";
    check(file, &[TEXT[0], "! the end of the last stream is missing"]);
}
