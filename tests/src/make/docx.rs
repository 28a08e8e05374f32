use super::archive::archive;
use super::prose::sections;
use super::{Fixture, fixture};

pub(super) fn fixtures() -> Vec<Fixture> {
    vec![
        fixture(
            "docx/headings_lists.docx",
            "Headings by style, numbered and bulleted lists, inline style.",
            headings_lists(),
        ),
        fixture(
            "docx/table_merged_cells.docx",
            "A table with cells merged over columns and over rows.",
            table_merged(),
        ),
        fixture(
            "docx/footnote_comment.docx",
            "A footnote and a comment, each with its place in the text.",
            notes(),
        ),
        fixture("docx/header_footer.docx", "A header and a footer, once each.", header_footer()),
        fixture(
            "docx/tracked_changes.docx",
            "Words that tracked changes added and took away.",
            tracked_changes(),
        ),
        fixture(
            "docx/hyperlink_text_box.docx",
            "A link out of the document, and a text box.",
            link_text_box(),
        ),
        fixture("docx/long_report.docx", "Thirty sections of three paragraphs.", long_report()),
    ]
}

fn headings_lists() -> Vec<u8> {
    let body = [
        heading(1, "Keeping bees on a roof"),
        paragraph(
            &(run("Two hives stand on the roof since ")
                + &strong("2017")
                + &run(". They are looked after by ")
                + &emphasis("whoever has time")
                + &run(".")),
        ),
        heading(2, "What is needed"),
        list_item(1, 0, "A veil"),
        list_item(1, 0, "Smoke"),
        list_item(1, 1, "dry leaves"),
        list_item(1, 1, "a tin with holes"),
        list_item(1, 0, "Patience"),
        heading(2, "What is done in May"),
        list_item(2, 0, "Lift the lid."),
        list_item(2, 0, "Look for queen cells."),
        list_item(2, 1, "Count them."),
        list_item(2, 1, "Leave two."),
        list_item(2, 0, "Close the lid."),
        heading(3, "If it rains"),
        paragraph(&run("Nothing is done.")),
    ]
    .concat();
    document(&body, &[("styles", &styles()), ("numbering", NUMBERING)])
}

fn table_merged() -> Vec<u8> {
    let cell = |properties: &str, text: &str| {
        format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", paragraph(&run(text)))
    };
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let header_row =
        |cells: &[String]| format!("<w:tr><w:trPr><w:tblHeader/></w:trPr>{}</w:tr>", cells.concat());
    let two_columns = r#"<w:gridSpan w:val="2"/>"#;
    let merge_begins = r#"<w:vMerge w:val="restart"/>"#;
    let merge_goes_on = "<w:vMerge/>";
    let table = [
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/><w:gridCol/></w:tblGrid>".to_owned(),
        header_row(&[cell("", "Boat"), cell(two_columns, "Catch in crates")]),
        row(&[cell(merge_begins, "Marigold"), cell("", "herring"), cell("", "41")]),
        row(&[cell(merge_goes_on, ""), cell("", "cod"), cell("", "7")]),
        row(&[cell("", "Petrel"), cell("", "herring"), cell("", "18")]),
        row(&[cell(two_columns, "All boats"), cell("", "66")]),
        "</w:tbl>".to_owned(),
    ]
    .concat();
    let body = paragraph(&run("Landed at East Quay on Friday:"))
        + &table
        + &paragraph(&run("Signed by the harbour master."));
    document(&body, &[])
}

fn notes() -> Vec<u8> {
    let body = [
        paragraph(
            &(run("The bridge was opened in 1874")
                + r#"<w:r><w:footnoteReference w:id="2"/></w:r>"#
                + &run(" and widened twice.")),
        ),
        paragraph(
            &(r#"<w:commentRangeStart w:id="0"/>"#.to_owned()
                + &run("It carries forty thousand people a day.")
                + r#"<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>"#),
        ),
    ]
    .concat();
    let footnotes = format!(
        r#"<w:footnote w:id="0" w:type="separator">{}</w:footnote><w:footnote w:id="2">{}</w:footnote>"#,
        paragraph("<w:r><w:separator/></w:r>"),
        paragraph(&("<w:r><w:footnoteRef/></w:r>".to_owned() + &run(" A year later than planned.")))
    );
    let comments = format!(
        r#"<w:comment w:id="0" w:author="Ines Falk" w:initials="IF" w:date="2024-02-29T12:00:00Z">{}</w:comment>"#,
        paragraph(&run("Who counted them?"))
    );
    document(&body, &[("footnotes", &footnotes), ("comments", &comments)])
}

fn header_footer() -> Vec<u8> {
    let body = [
        paragraph(&run("The lighthouse keeps two clocks, of which one is right.")),
        format!(
            r#"<w:sectPr><w:headerReference w:type="default" r:id="rId1"/>{}</w:sectPr>"#,
            r#"<w:footerReference w:type="default" r:id="rId2"/>"#
        ),
    ]
    .concat();
    let header = paragraph(&run("Lights of the northern coast"));
    let footer = paragraph(&run("Printed for the harbour office"));
    document(&body, &[("header", &header), ("footer", &footer)])
}

fn tracked_changes() -> Vec<u8> {
    let by = r#"w:id="1" w:author="Ines Falk" w:date="2024-02-29T12:00:00Z""#;
    let body = [
        paragraph(&format!(
            "{}<w:del {by}><w:r><w:delText>thirty</w:delText></w:r></w:del><w:ins {by}>{}</w:ins>{}",
            run("The tenant gives notice of "),
            run("ninety"),
            run(" days.")
        )),
        paragraph(&format!("<w:ins {by}>{}</w:ins>", run("Notice is given in writing."))),
        paragraph(&run("The keys are returned on the last day.")),
    ]
    .concat();
    document(&body, &[])
}

fn link_text_box() -> Vec<u8> {
    let text_box = format!(
        "<w:r><w:pict><v:shape><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>",
        paragraph(&run("Closed on Mondays."))
    );
    let body = [
        paragraph(&format!(
            r#"{}<w:hyperlink r:id="rId1">{}</w:hyperlink>{}"#,
            run("Tickets are sold "),
            run("on the web"),
            run(" and at the door.")
        )),
        paragraph(&text_box),
        paragraph(&run("Children pay half.")),
    ]
    .concat();
    document(&body, &[("hyperlink", "https://museum.example/tickets")])
}

fn long_report() -> Vec<u8> {
    let mut body = heading(1, "Report of the water works");
    for section in sections(30) {
        body.push_str(&heading(2, &section.title));
        for text in &section.paragraphs {
            body.push_str(&paragraph(&run(text)));
        }
    }
    document(&body, &[("styles", &styles())])
}

fn paragraph(content: &str) -> String {
    format!("<w:p>{content}</w:p>")
}

fn heading(level: u8, text: &str) -> String {
    format!(r#"<w:p><w:pPr><w:pStyle w:val="Heading{level}"/></w:pPr>{}</w:p>"#, run(text))
}

fn list_item(list: u8, depth: u8, text: &str) -> String {
    format!(
        r#"<w:p><w:pPr><w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{list}"/></w:numPr></w:pPr>{}</w:p>"#,
        run(text)
    )
}

fn run(text: &str) -> String {
    styled_run("", text)
}

fn strong(text: &str) -> String {
    styled_run("<w:rPr><w:b/></w:rPr>", text)
}

fn emphasis(text: &str) -> String {
    styled_run("<w:rPr><w:i/></w:rPr>", text)
}

fn styled_run(properties: &str, text: &str) -> String {
    format!(r#"<w:r>{properties}<w:t xml:space="preserve">{text}</w:t></w:r>"#)
}

fn styles() -> String {
    let style = |level: u8| {
        format!(
            r#"<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/>
            <w:pPr><w:outlineLvl w:val="{}"/></w:pPr></w:style>"#,
            level - 1
        )
    };
    (1..=3).map(style).collect()
}

/// List 1 has bullets, list 2 numbers and letters.
const NUMBERING: &str = r#"
<w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="–"/></w:lvl>
</w:abstractNum>
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>"#;

const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A document around its body. Further parts are given by the kind of their relationship with the content of their
/// root elements; their ids are `rId1`, `rId2`, … A link has its target for content.
pub(super) fn document(body: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    packed(part("document", &format!("<w:body>{body}</w:body>")), parts)
}

/// A document without further parts, from the whole text of its main part.
pub(super) fn package(main: String) -> Vec<u8> {
    packed(main, &[])
}

fn packed(main: String, parts: &[(&str, &str)]) -> Vec<u8> {
    let mut members = Vec::new();
    let mut types = String::new();
    let mut relationships = String::new();
    for (idx, (kind, content)) in parts.iter().enumerate() {
        let (target, mode) = match *kind {
            "hyperlink" => ((*content).to_owned(), r#" TargetMode="External""#),
            kind => {
                let root = match kind {
                    "header" => "hdr",
                    "footer" => "ftr",
                    kind => kind,
                };
                members.push((format!("word/{kind}.xml"), part(root, content)));
                types.push_str(&type_of(&format!("word/{kind}.xml"), kind));
                (format!("{kind}.xml"), "")
            }
        };
        relationships.push_str(&format!(
            r#"<Relationship Id="rId{}" Type="{RELATIONSHIPS}/{kind}" Target="{target}"{mode}/>"#,
            idx + 1
        ));
    }
    types.push_str(&type_of("word/document.xml", "document.main"));
    let to_main = format!(
        r#"<Relationship Id="rId1" Type="{RELATIONSHIPS}/officeDocument" Target="word/document.xml"/>"#
    );
    members.push(("word/document.xml".to_owned(), main));
    members.push(("word/_rels/document.xml.rels".to_owned(), package_part("Relationships", &relationships)));
    members.push(("_rels/.rels".to_owned(), package_part("Relationships", &to_main)));
    // Word writes the list of types first, and some readers rely on it.
    members.insert(0, ("[Content_Types].xml".to_owned(), package_part("Types", &types)));
    let members: Vec<(&str, &[u8])> =
        members.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    archive(&members)
}

fn type_of(part: &str, kind: &str) -> String {
    format!(r#"<Override PartName="/{part}" ContentType="{WORD}.{kind}+xml"/>"#)
}

const DECLARATION: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#;

/// One of the two parts that say how the package hangs together.
fn package_part(root: &str, content: &str) -> String {
    let (name, first) = match root {
        "Types" => ("content-types", TYPE_OF_RELATIONSHIPS),
        _ => ("relationships", ""),
    };
    format!(
        r#"{DECLARATION}<{root} xmlns="http://schemas.openxmlformats.org/package/2006/{name}">{first}{content}</{root}>"#
    )
}

const TYPE_OF_RELATIONSHIPS: &str = concat!(
    r#"<Default Extension="rels" "#,
    r#"ContentType="application/vnd.openxmlformats-package.relationships+xml"/>"#
);

/// A part in the names of WordprocessingML.
fn part(root: &str, content: &str) -> String {
    let names = [
        ("w", "http://schemas.openxmlformats.org/wordprocessingml/2006/main"),
        ("r", RELATIONSHIPS),
        ("v", "urn:schemas-microsoft-com:vml"),
    ];
    let names: String = names.iter().map(|(prefix, name)| format!(r#" xmlns:{prefix}="{name}""#)).collect();
    format!("{DECLARATION}<w:{root}{names}>{content}</w:{root}>")
}
