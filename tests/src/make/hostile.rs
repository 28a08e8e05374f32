//! Files that nobody should send, and everybody does.

use super::page::{File, Font, LEFT, Page};
use super::prose::numbers;
use super::{Fixture, docx, fixture};

pub(super) fn fixtures() -> Vec<Fixture> {
    let word = docx::document("<w:p><w:r><w:t>This is a Word document.</w:t></w:r></w:p>", &[]);
    let pdf = one_page();
    let catalog = pdf.windows(8).position(|bytes| bytes == b"/Catalog").expect("a PDF has a catalog");
    let noise: Vec<u8> = (0..2048).map(|idx| (numbers(idx) % 256) as u8).collect();
    vec![
        fixture("hostile/empty.txt", "No bytes at all.", ""),
        fixture("hostile/blank_lines.txt", "Nothing but ends of lines.", "\n\n\n"),
        fixture("hostile/noise.bin", "Bytes that are no text in any encoding.", noise.clone()),
        fixture("hostile/noise.txt", "The same bytes under the name of a text.", noise),
        fixture("hostile/image.png", "A PNG of one pixel.", PNG),
        fixture(
            "hostile/truncated.docx",
            "A Word document cut in the middle of its archive.",
            &word[..word.len() * 2 / 3],
        ),
        fixture(
            "hostile/truncated.pdf",
            "A PDF cut in its catalog, before its table of objects.",
            &pdf[..catalog],
        ),
        fixture("hostile/word_named.pdf", "A Word document under the name of a PDF.", word),
        fixture("hostile/pdf_named.txt", "A PDF under the name of a text.", pdf),
        fixture("hostile/text_named.xlsx", "Text under the name of a workbook.", "name,count\nlantern,3\n"),
        fixture(
            "hostile/nested_deep.json",
            "Twenty thousand arrays in one another.",
            nested("[", "]", 20_000),
        ),
        fixture(
            "hostile/nested_deep.html",
            "Ten thousand lists in one another.",
            nested("<ul><li>", "", 10_000),
        ),
        fixture(
            "hostile/nested_deep.py",
            "Twenty thousand brackets in one another.",
            nested("(", ")", 20_000),
        ),
        fixture("hostile/nested_tables.docx", "Two thousand tables in one another.", nested_tables(2_000)),
        fixture("hostile/zip_bomb.docx", "A paragraph that unpacks to 64 MiB.", zip_bomb()),
        fixture(
            "hostile/page_tree_loop.pdf",
            "A page tree that contains itself, and one page.",
            page_tree_loop(),
        ),
        fixture("hostile/entities.docx", "Entities that expand into entities.", entities()),
    ]
}

fn one_page() -> Vec<u8> {
    let mut page = Page::new();
    page.text(Font::Regular, 11, LEFT, 760, "This is a PDF.");
    let mut file = File::new();
    file.add(page);
    file.finish()
}

const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0,
    1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 10, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0x60, 0,
    0, 0, 2, 0, 1, 0x48, 0xaf, 0xa4, 0x71, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

fn nested(open: &str, close: &str, depth: usize) -> String {
    format!("{}{}\n", open.repeat(depth), close.repeat(depth))
}

fn nested_tables(depth: usize) -> Vec<u8> {
    let open = "<w:tbl><w:tr><w:tc>";
    let close = "</w:tc></w:tr></w:tbl>";
    let paragraph = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let tables = format!("{}{}{}", open.repeat(depth), paragraph("The innermost cell."), close.repeat(depth));
    docx::document(&(paragraph("Before all tables.") + &tables + &paragraph("After all tables.")), &[])
}

fn zip_bomb() -> Vec<u8> {
    let text = "0".repeat(64 << 20);
    docx::document(&format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"), &[])
}

fn page_tree_loop() -> Vec<u8> {
    let mut page = Page::new();
    page.text(Font::Regular, 11, LEFT, 760, "The only page.");
    let mut file = File::new();
    file.add(page);
    let tree = file.tree();
    file.pages.push(tree);
    file.finish()
}

/// Ten levels, each ten times the one below: ten thousand million characters if anybody expanded them.
fn entities() -> Vec<u8> {
    let mut declared = String::from(r#"<!ENTITY e0 "0123456789">"#);
    for level in 1..10 {
        let inner = format!("&e{};", level - 1).repeat(10);
        declared.push_str(&format!(r#"<!ENTITY e{level} "{inner}">"#));
    }
    let document = format!(
        concat!(
            r#"<?xml version="1.0"?><!DOCTYPE d [{declared}]><w:document "#,
            r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">"#,
            "<w:body><w:p><w:r><w:t>before &e9; after</w:t></w:r></w:p></w:body></w:document>"
        ),
        declared = declared
    );
    docx::package(document)
}
