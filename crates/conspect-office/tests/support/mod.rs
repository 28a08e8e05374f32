//! Builds small files by code, and writes a Document as plain lines to compare with.

#![allow(dead_code, reason = "each suite uses its own half")]

use std::io::Write;

use conspect_model::{
    Block, BlockKind, Document, Format, Input, Limits, MarkKind, NoteKind, ReadError, Scope, Table,
};

/// A zip archive of these members, deflated.
pub(crate) fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in members {
        writer.start_file(*name, options).expect("a member");
        writer.write_all(bytes).expect("its bytes");
    }
    writer.finish().expect("an archive").into_inner()
}

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Relationships `rId1`, `rId2`, … to targets of these kinds; a target with `://` lies outside.
pub(crate) fn relationships(targets: &[(&str, &str)]) -> String {
    let mut xml = String::from(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">"#,
    );
    for (idx, (kind, target)) in targets.iter().enumerate() {
        let mode = if target.contains("://") { r#" TargetMode="External""# } else { "" };
        let id = idx + 1;
        xml.push_str(&format!(
            r#"<Relationship Id="rId{id}" Type="{RELATIONSHIPS}/{kind}" Target="{target}"{mode}/>"#
        ));
    }
    xml + "</Relationships>"
}

/// A Word document around the content of its body; `parts` are further parts by kind (`styles`, `footnotes`, …) with
/// the content of their root elements. Their relationships are `rId1` and on, in order.
pub(crate) fn docx(body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let mut targets: Vec<(String, String)> = Vec::new();
    let mut members: Vec<(String, String)> = Vec::new();
    for (idx, (kind, content)) in parts.iter().enumerate() {
        let root = match *kind {
            "header" => "hdr",
            "footer" => "ftr",
            kind => kind,
        };
        if content.contains("://") && !content.contains('<') {
            targets.push(((*kind).to_owned(), (*content).to_owned()));
            continue;
        }
        let name = format!("{kind}{idx}.xml");
        members.push((format!("word/{name}"), word_part(root, content)));
        targets.push(((*kind).to_owned(), name));
    }
    let targets: Vec<(&str, &str)> =
        targets.iter().map(|(kind, target)| (kind.as_str(), target.as_str())).collect();
    members.push(("word/_rels/document.xml.rels".to_owned(), relationships(&targets)));
    members
        .push(("word/document.xml".to_owned(), word_part("document", &format!("<w:body>{body}</w:body>"))));
    members.push(("_rels/.rels".to_owned(), relationships(&[("officeDocument", "word/document.xml")])));
    members.push((
        "[Content_Types].xml".to_owned(),
        concat!(
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
            r#"<Default Extension="xml" ContentType="application/xml"/>"#,
            r#"<Override PartName="/word/document.xml" ContentType="application/"#,
            r#"vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#
        )
        .to_owned(),
    ));
    let members: Vec<(&str, &[u8])> =
        members.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    archive(&members)
}

/// An XML part of WordprocessingML with the usual prefixes declared.
pub(crate) fn word_part(root: &str, content: &str) -> String {
    format!(
        concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?><w:{root} "#,
            r#"xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" "#,
            r#"xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" "#,
            r#"xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" "#,
            r#"xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" "#,
            r#"xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" "#,
            r#"xmlns:v="urn:schemas-microsoft-com:vml">{content}</w:{root}>"#
        ),
        root = root,
        content = content
    )
}

/// A paragraph of one run.
pub(crate) fn p(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// A paragraph of one run, with properties.
pub(crate) fn pp(properties: &str, text: &str) -> String {
    format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

/// A table cell with one paragraph, with properties.
pub(crate) fn tc(properties: &str, text: &str) -> String {
    format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p(text))
}

/// A workbook of one sheet `Data`, from the content of `worksheet`; `workbook` goes before the list of sheets, `styles`
/// into `styleSheet`, and `strings` into `sst`.
pub(crate) fn xlsx(worksheet: &str, workbook: &str, styles: &str, strings: &str) -> Vec<u8> {
    let main = r#"xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main""#;
    let list = concat!(
        r#"<sheets><sheet name="Data" sheetId="1" r:id="rId1" "#,
        r#"xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></sheets>"#
    );
    let types = concat!(
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">"#,
        r#"<Override PartName="/xl/workbook.xml" ContentType="application/"#,
        r#"vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>"#
    );
    archive(&[
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", relationships(&[("officeDocument", "xl/workbook.xml")]).as_bytes()),
        (
            "xl/_rels/workbook.xml.rels",
            relationships(&[
                ("worksheet", "sheet.xml"),
                ("styles", "styles.xml"),
                ("sharedStrings", "strings.xml"),
            ])
            .as_bytes(),
        ),
        ("xl/workbook.xml", format!("<workbook {main}>{workbook}{list}</workbook>").as_bytes()),
        ("xl/styles.xml", format!("<styleSheet {main}>{styles}</styleSheet>").as_bytes()),
        ("xl/strings.xml", format!("<sst {main}>{strings}</sst>").as_bytes()),
        ("xl/sheet.xml", format!("<worksheet {main}>{worksheet}</worksheet>").as_bytes()),
    ])
}

/// Reads with the default scope and limits.
pub(crate) fn read(bytes: &[u8]) -> Result<Document<'static>, ReadError> {
    conspect_office::read(&Input::new(bytes, "input"), &Scope::default(), &Limits::default())
}

/// Reads what has to be readable, with a scope.
pub(crate) fn read_with(bytes: &[u8], scope: &Scope) -> Document<'static> {
    conspect_office::read(&Input::new(bytes, "input"), scope, &Limits::default()).expect("a document")
}

/// The blocks as lines, one a block or table row, without blank ones.
pub(crate) fn shown(document: &Document<'_>) -> String {
    let mut lines = Vec::new();
    for block in &document.blocks {
        show(block, &mut lines);
    }
    lines.join("\n")
}

/// The notices as lines: kind and message.
pub(crate) fn notices(document: &Document<'_>) -> String {
    let lines: Vec<String> =
        document.notices.iter().map(|notice| format!("{}: {notice}", notice.kind.name())).collect();
    lines.join("\n")
}

fn show(block: &Block, lines: &mut Vec<String>) {
    let text = marked(block);
    lines.push(match &block.kind {
        BlockKind::Heading { level } => format!("{} {text}", "#".repeat(usize::from(*level))),
        BlockKind::ListItem { depth, label } => format!("{}{label} {text}", "  ".repeat(usize::from(*depth))),
        BlockKind::Table(table) => return show_table(table, lines),
        BlockKind::Quote => format!("> {text}"),
        BlockKind::Code { .. } => format!("code: {text}"),
        BlockKind::Figure => format!("figure: {text}"),
        BlockKind::Math => format!("math: {text}"),
        BlockKind::Sheet { visible } => format!("sheet {text}{}", if *visible { "" } else { " (hidden)" }),
        BlockKind::Note { kind, label } => {
            let kind = match kind {
                NoteKind::Footnote => "footnote",
                NoteKind::Endnote => "endnote",
                NoteKind::Comment => "comment",
                NoteKind::PageHeader => "header",
                NoteKind::PageFooter => "footer",
                NoteKind::Speaker => "speaker",
            };
            format!("[{kind}{}{label}] {text}", if label.is_empty() { "" } else { " " })
        }
        _ => text,
    });
}

fn show_table(table: &Table, lines: &mut Vec<String>) {
    for row in table.rows() {
        let begin = if row.is_header() { "!" } else { "|" };
        let cells: Vec<String> = row.cells().map(|cell| cell.replace('\n', "/")).collect();
        lines.push(format!("{begin} {}", cells.join(" | ")).trim_end().to_owned());
    }
    for span in &table.spans {
        lines.push(format!(
            "  span r{} c{}: {}x{}",
            span.row_idx, span.column_idx, span.n_rows, span.n_columns
        ));
    }
}

/// The text with its marks as tags.
fn marked(block: &Block) -> String {
    let mut tags: Vec<(usize, u8, usize, String)> = Vec::new();
    for (idx, mark) in block.marks.iter().enumerate() {
        let name = match &mark.kind {
            MarkKind::Strong => "b".to_owned(),
            MarkKind::Emphasis => "i".to_owned(),
            MarkKind::Code => "code".to_owned(),
            MarkKind::Strike => "s".to_owned(),
            MarkKind::Superscript => "sup".to_owned(),
            MarkKind::Subscript => "sub".to_owned(),
            MarkKind::Link(target) => format!("a {target}"),
            MarkKind::Inserted => "ins".to_owned(),
            MarkKind::Deleted => "del".to_owned(),
        };
        let closing = format!("</{}>", name.split(' ').next().unwrap_or_default());
        tags.push((mark.range.start, 1, idx, format!("<{name}>")));
        tags.push((mark.range.end, 0, usize::MAX - idx, closing));
    }
    tags.sort();
    let mut text = String::new();
    let mut at = 0;
    for (place, _, _, tag) in tags {
        text.push_str(&block.text[at..place]);
        text.push_str(&tag);
        at = place;
    }
    text.push_str(&block.text[at..]);
    text.replace('\n', "/")
}

/// Compares line by line, with the whole of both sides on failure.
#[track_caller]
pub(crate) fn assert_lines(actual: &str, expected: &str) {
    let tidy = |text: &str| {
        let lines: Vec<&str> =
            text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
        // Expected text stands indented in the source.
        let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
        lines.iter().map(|line| line[indent..].to_owned()).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(tidy(actual), tidy(expected), "\n--- found ---\n{actual}\n");
}

/// The format of the bytes, which have to be of a known one.
pub(crate) fn format_of(bytes: &[u8]) -> Format {
    conspect_office::sniff(bytes, "input").expect("a known container")
}
