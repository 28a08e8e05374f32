//! What a Word document says, feature by feature.

mod support;

use conspect_model::{Origin, Revisions, Scope};
use support::{assert_lines, docx, notices, p, pp, read, read_with, shown, tc};

/// Reads a document built from a body and further parts, and compares its blocks.
#[track_caller]
fn check(body: &str, parts: &[(&str, &str)], expected: &str) {
    let document = read(&docx(body, parts)).expect("a document");
    assert_lines(&shown(&document), expected);
}

#[test]
fn headings_follow_style_inheritance_and_outline_levels() {
    let styles = r#"
        <w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
        <w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Standard"/>
            <w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>
        <w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="Our Clause"/><w:basedOn w:val="berschrift1"/></w:style>
        <w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>
        <w:style w:type="paragraph" w:styleId="Toc"><w:name w:val="TOC Heading"/><w:basedOn w:val="berschrift1"/>
            <w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
        <w:style w:type="paragraph" w:styleId="RingA"><w:name w:val="a"/><w:basedOn w:val="RingB"/></w:style>
        <w:style w:type="paragraph" w:styleId="RingB"><w:name w:val="b"/><w:basedOn w:val="RingA"/></w:style>
        <w:style w:type="paragraph" w:styleId="Named"><w:name w:val="heading 3"/></w:style>"#;
    let style = |id: &str| format!(r#"<w:pStyle w:val="{id}"/>"#);
    let body = [
        pp(&style("Titel"), "Annual report"),
        pp(&style("berschrift1"), "Scope"),
        pp(&style("Clause"), "Inherited"),
        pp(&style("Named"), "By name"),
        pp(r#"<w:outlineLvl w:val="1"/>"#, "By its own level"),
        pp(&(style("Clause") + r#"<w:outlineLvl w:val="9"/>"#), "Body by its own level"),
        pp(&style("Toc"), "Contents"),
        pp(&style("RingA"), "In a ring of styles"),
        pp(&style("Missing"), "Of an unknown style"),
    ];
    check(
        &body.concat(),
        &[("styles", styles)],
        "
        # Annual report
        # Scope
        # Inherited
        ### By name
        ## By its own level
        Body by its own level
        Contents
        In a ring of styles
        Of an unknown style",
    );
}

#[test]
fn list_numbers_are_shown_as_word_counts_them() {
    let level = |idx: u8, format: &str, text: &str, more: &str| {
        format!(
            r#"<w:lvl w:ilvl="{idx}"><w:start w:val="1"/><w:numFmt w:val="{format}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>"#
        )
    };
    let levels = [
        level(0, "decimal", "%1.", ""),
        level(1, "lowerLetter", "%1.%2)", ""),
        level(2, "upperRoman", "%3", r#"<w:isLgl w:val="0"/>"#),
    ];
    let numbering = format!(
        r#"<w:abstractNum w:abstractNumId="7">{}</w:abstractNum>
        <w:abstractNum w:abstractNumId="8">{}{}</w:abstractNum>
        <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
        <w:num w:numId="2"><w:abstractNumId w:val="7"/>
            <w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
        <w:num w:numId="3"><w:abstractNumId w:val="8"/></w:num>"#,
        levels.concat(),
        level(0, "bullet", "\u{F0B7}", ""),
        level(1, "ordinal", "%2", ""),
    );
    let styles = r#"
        <w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/>
            <w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>"#;
    let item = |list: u8, level: u8, text: &str| {
        pp(&format!(r#"<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list}"/></w:numPr>"#), text)
    };
    let body = [
        item(1, 0, "one"),
        item(1, 1, "under one"),
        item(1, 1, "again"),
        item(1, 2, "deep"),
        p("between"),
        item(1, 0, "two"),
        item(1, 1, "restarted"),
        item(2, 0, "from five"),
        item(3, 0, "bullet"),
        item(3, 1, "first"),
        item(3, 1, "second"),
        item(0, 0, "out of every list"),
        pp(r#"<w:pStyle w:val="H1"/>"#, "Heading with its number"),
        item(99, 0, "of a list that is not there"),
    ];
    check(
        &body.concat(),
        &[("styles", styles), ("numbering", &numbering)],
        "
        1. one
          1.a) under one
          1.b) again
            I deep
        between
        2. two
          2.a) restarted
        5. from five
        • bullet
          1st first
          2nd second
        out of every list
        # 6. Heading with its number
        of a list that is not there",
    );
}

#[test]
fn merged_cells_keep_their_place_and_say_their_size() {
    let row = |cells: &[String]| format!("<w:tr>{}</w:tr>", cells.concat());
    let header =
        format!("<w:tr><w:trPr><w:tblHeader/></w:trPr>{}{}</w:tr>", tc("", "Item"), tc(WIDE, "Years"));
    const WIDE: &str = r#"<w:gridSpan w:val="2"/>"#;
    const TALL: &str = r#"<w:vMerge w:val="restart"/>"#;
    const COVERED: &str = "<w:vMerge/>";
    let table = format!(
        "<w:tbl>{header}{}{}{}</w:tbl>",
        row(&[tc(TALL, "A"), tc("", "1"), tc("", "2")]),
        row(&[tc(COVERED, ""), tc("", "3"), tc("", "4")]),
        row(&[tc("", "B"), tc(WIDE, "5")]),
    );
    check(
        &(p("before") + &table + &p("after")),
        &[],
        "
        before
        ! Item | Years |
        | A | 1 | 2
        |  | 3 | 4
        | B | 5 |
          span r0 c1: 1x2
          span r1 c0: 2x1
          span r3 c1: 1x2
        after",
    );
}

#[test]
fn cells_hold_lists_and_inner_tables_and_frames_dissolve() {
    let inner = format!("<w:tbl><w:tr>{}{}</w:tr></w:tbl>", tc("", "x"), tc("", "y"));
    let rich = format!("<w:tc>{}{}{}</w:tc>", p("first"), p("second"), inner);
    let table = format!(
        "<w:tbl><w:tr>{}{rich}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        tc("", "a"),
        tc("", "b"),
        tc("", "c")
    );
    let frame = format!("<w:tbl><w:tr><w:tc>{}{}</w:tc></w:tr></w:tbl>", p("boxed"), p("text"));
    check(
        &(table + &frame),
        &[],
        "
        | a | first/second/x | y
        | b | c
        boxed
        text",
    );
}

#[test]
fn first_rows_are_headers_by_the_tables_style() {
    let styles = r#"<w:style w:type="table" w:styleId="Grid"><w:name w:val="Fancy"/>
        <w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>"#;
    let table = |look: &str| {
        format!(
            r#"<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/><w:tblLook w:val="{look}"/></w:tblPr>
            <w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>"#,
            tc("", "k"),
            tc("", "v"),
            tc("", "1"),
            tc("", "2")
        )
    };
    check(
        &(table("04A0") + &table("0480")),
        &[("styles", styles)],
        "
        ! k | v
        | 1 | 2
        | k | v
        | 1 | 2",
    );
}

#[test]
fn notes_comments_headers_and_footers_come_out_once() {
    let run = |content: &str| format!("<w:r>{content}</w:r>");
    let body = format!(
        "<w:p>{}{}{}{}{}</w:p>{}<w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId4\"/></w:sectPr>",
        run("<w:t>Claim</w:t>"),
        run(r#"<w:footnoteReference w:id="2"/>"#),
        run("<w:t> and end</w:t>"),
        run(r#"<w:endnoteReference w:id="2"/>"#),
        run(r#"<w:commentReference w:id="0"/>"#),
        "<w:p><w:r><w:t>Own mark</w:t></w:r><w:r><w:footnoteReference w:customMarkFollows=\"1\" w:id=\"3\"/><w:t>*</w:t></w:r></w:p>",
    );
    let footnotes = format!(
        r#"<w:footnote w:type="separator" w:id="0">{}</w:footnote><w:footnote w:id="2">{}{}</w:footnote>
        <w:footnote w:id="3">{}</w:footnote><w:footnote w:id="9">{}</w:footnote>"#,
        p("rule"),
        p("Source of it."),
        p("Second line."),
        p("Starred."),
        p("Nobody refers to this.")
    );
    let endnotes = format!(r#"<w:endnote w:id="2">{}</w:endnote>"#, p("At the end."));
    let comments = format!(r#"<w:comment w:id="0" w:author="Ada">{}</w:comment>"#, p("Really?"));
    check(
        &body,
        &[
            ("footnotes", &footnotes),
            ("endnotes", &endnotes),
            ("comments", &comments),
            ("header", &p("Running head")),
            ("header", &p("Running head")),
            ("footer", &p("Page 1")),
        ],
        "
        [header] Running head
        Claim[^1] and end[^i]
        Own mark*
        [footnote 1] Source of it./Second line.
        [footnote *] Starred.
        [endnote i] At the end.
        [comment Ada] Really?
        [footer] Page 1",
    );
}

#[test]
fn endnotes_counted_like_footnotes_are_told_apart() {
    let run = |content: &str| format!("<w:r>{content}</w:r>");
    let footnote = run("<w:t>Foot</w:t>") + &run(r#"<w:footnoteReference w:id="2"/>"#);
    let endnote = run("<w:t> end</w:t>") + &run(r#"<w:endnoteReference w:id="2"/>"#);
    let settings = r#"<w:endnotePr><w:numFmt w:val="decimal"/></w:endnotePr>"#;
    let footnotes = format!(r#"<w:footnote w:id="2">{}</w:footnote>"#, p("At the foot."));
    let endnotes = format!(r#"<w:endnote w:id="2">{}</w:endnote>"#, p("At the end."));
    let parts = [("settings", settings), ("footnotes", &footnotes), ("endnotes", &endnotes)];
    check(
        &format!("<w:p>{footnote}{endnote}</w:p>"),
        &parts,
        "
        Foot[^1] end[^e1]
        [footnote 1] At the foot.
        [endnote e1] At the end.",
    );
    check(
        &format!("<w:p>{endnote}</w:p>"),
        &parts,
        "
        end[^1]
        [endnote 1] At the end.",
    );
}

#[test]
fn text_boxes_come_once_and_pictures_by_their_alternative_text() {
    let body = format!(
        r#"<w:p><w:r><w:t>Anchor</w:t></w:r><w:r><mc:AlternateContent>
            <mc:Choice Requires="wps"><w:drawing><w:txbxContent>{}</w:txbxContent></w:drawing></mc:Choice>
            <mc:Fallback><w:pict><w:txbxContent>{}</w:txbxContent></w:pict></mc:Fallback>
        </mc:AlternateContent></w:r><w:r><w:t> goes on</w:t></w:r></w:p>
        <w:p><w:r><w:drawing><wp:docPr id="1" name="Picture 1" descr="A harbour at dusk"/></w:drawing></w:r></w:p>
        <w:p><w:r><w:drawing><wp:docPr id="2" name="Picture 2"/><a:blip/></w:drawing></w:r></w:p>
        <w:p><w:r><w:drawing><wp:docPr id="3" name="Line 1"/></w:drawing></w:r></w:p>"#,
        p("In the box"),
        p("In the box"),
    );
    let document = read(&docx(&body, &[])).expect("a document");
    assert_lines(
        &shown(&document),
        "
        Anchor goes on
        In the box
        figure: A harbour at dusk",
    );
    assert_lines(&notices(&document), "no_text: 1 picture has no alternative text");
}

#[test]
fn content_controls_and_wrappers_are_transparent() {
    let body = format!(
        r#"<w:sdt><w:sdtPr><w:alias w:val="not text"/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>
        <w:p><w:r><w:t xml:space="preserve">Dear </w:t></w:r><w:sdt><w:sdtContent><w:smartTag><w:customXml>
            <w:r><w:t>Ms Obi</w:t></w:r></w:customXml></w:smartTag></w:sdtContent></w:sdt><w:r><w:t>,</w:t></w:r></w:p>
        <w:tbl><w:tr><w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>{}</w:tr></w:tbl>"#,
        p("In a control"),
        tc("", "1"),
        tc("", "2"),
    );
    check(
        &body,
        &[],
        "
        In a control
        Dear Ms Obi,
        | 1 | 2",
    );
}

#[test]
fn formulas_become_latex() {
    let t = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let fraction = format!("<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f>", t("1"), t("2"));
    let power = format!("<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>", t("x"), t("2"));
    let sum = format!(
        r#"<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{}</m:sub><m:sup>{}</m:sup><m:e>{}</m:e></m:nary>"#,
        t("i=1"),
        t("n"),
        t("i")
    );
    let root = format!("<m:rad><m:deg>{}</m:deg><m:e>{}</m:e></m:rad>", t("3"), t("αβ"));
    let body = format!(
        "<w:p><w:r><w:t>So </w:t></w:r><m:oMath>{fraction}{}{power}</m:oMath><w:r><w:t>.</w:t></w:r></w:p>
        <w:p><m:oMathPara><m:oMath>{sum}{}{root}</m:oMath></m:oMathPara></w:p>",
        t("+"),
        t("="),
    );
    check(
        &body,
        &[],
        r"
        So $\frac{1}{2}+x^{2}$.
        math: \sum _{i=1}^{n} i=\sqrt[3]{\alpha \beta }",
    );
}

#[test]
fn tracked_changes_are_read_in_the_wanted_state() {
    let body = r#"
        <w:p><w:r><w:t xml:space="preserve">The price is </w:t></w:r>
        <w:del w:id="1" w:author="B"><w:r><w:delText>ten</w:delText></w:r></w:del>
        <w:ins w:id="2" w:author="B"><w:r><w:t>twelve</w:t></w:r></w:ins><w:r><w:t xml:space="preserve"> euros.</w:t></w:r></w:p>
        <w:p><w:pPr><w:rPr><w:del w:id="3"/></w:rPr></w:pPr><w:r><w:t xml:space="preserve">Joined </w:t></w:r></w:p>
        <w:p><w:r><w:t>here.</w:t></w:r></w:p>
        <w:p><w:moveFrom w:id="4"><w:r><w:t>Moved.</w:t></w:r></w:moveFrom></w:p>
        <w:p><w:moveTo w:id="5"><w:r><w:t>Moved.</w:t></w:r></w:moveTo></w:p>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>kept</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr>
        <w:tr><w:trPr><w:del w:id="6"/></w:trPr><w:tc><w:p><w:r><w:t>gone</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
        <w:p><w:pPr><w:pPrChange w:id="7"><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:pPrChange></w:pPr>
        <w:r><w:t>No heading any more</w:t></w:r></w:p>"#;
    let bytes = docx(body, &[]);
    let check = |revisions: Revisions, expected: &str| {
        let scope = Scope { revisions, ..Scope::default() };
        assert_lines(&shown(&read_with(&bytes, &scope)), expected);
    };
    check(
        Revisions::Final,
        "
        The price is twelve euros.
        Joined here.
        Moved.
        | kept |
        No heading any more",
    );
    check(
        Revisions::Original,
        "
        The price is ten euros.
        Joined
        here.
        Moved.
        | kept |
        | gone
        No heading any more",
    );
    check(
        Revisions::All,
        "
        The price is <del>ten</del><ins>twelve</ins> euros.
        Joined
        here.
        <del>Moved.</del>
        <ins>Moved.</ins>
        | kept |
        | gone
        No heading any more",
    );
}

#[test]
fn fields_show_their_result_and_links_keep_their_target() {
    let field = |kind: &str| format!(r#"<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>"#);
    let instruction =
        |text: &str| format!("<w:r><w:instrText xml:space=\"preserve\">{text}</w:instrText></w:r>");
    let run = |text: &str| format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let nested = [
        field("begin"),
        instruction(" IF "),
        field("begin"),
        instruction(" PAGE "),
        field("separate"),
        run("7"),
        field("end"),
        instruction(" = 7 yes no "),
        field("separate"),
        run("yes"),
        field("end"),
    ];
    let link = [
        field("begin"),
        instruction(r#" HYPERLINK "https://example.org/" "#),
        field("separate"),
        run("there"),
        field("end"),
    ];
    let check_box = format!(
        r#"<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>
        </w:ffData></w:fldChar></w:r>{}{}"#,
        instruction(" FORMCHECKBOX "),
        field("end")
    );
    let body = format!(
        r##"<w:p>{}{}{}</w:p><w:p>{}{}</w:p>
        <w:p><w:hyperlink r:id="rId1">{}</w:hyperlink>{}<w:hyperlink w:anchor="top">{}</w:hyperlink></w:p>
        <w:p><w:fldSimple w:instr=" DATE ">{}</w:fldSimple></w:p><w:p>{check_box}{}</w:p>
        <w:p>{}{}</w:p><w:p>{}</w:p>"##,
        run("See "),
        link.concat(),
        run("."),
        run("Nested: "),
        nested.concat(),
        run("outside"),
        run(" and "),
        run("inside"),
        run("5 May"),
        run(" agreed"),
        field("begin"),
        run("never shown"),
        run("an unfinished field ends with its paragraph"),
    );
    check(
        &body,
        &[("hyperlink", "https://example.com/a")],
        "
        See <a https://example.org/>there</a>.
        Nested: yes
        <a https://example.com/a>outside</a> and <a #top>inside</a>
        5 May
        ☒ agreed
        an unfinished field ends with its paragraph",
    );
}

#[test]
fn runs_keep_their_marks_breaks_and_symbols() {
    let body = r#"
        <w:p><w:r><w:t xml:space="preserve">plain </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bo</w:t></w:r>
        <w:r><w:rPr><w:b/><w:i/></w:rPr><w:t>ld</w:t></w:r><w:r><w:t>, H</w:t></w:r>
        <w:r><w:rPr><w:vertAlign w:val="subscript"/></w:rPr><w:t>2</w:t></w:r><w:r><w:t>O</w:t></w:r></w:p>
        <w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/>
        <w:t>e</w:t><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F0FC"/></w:r></w:p>
        <w:p><w:r><w:t xml:space="preserve">seen </w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>
        <w:p><w:r><w:rPr><w:rStyle w:val="Loud"/></w:rPr><w:t>by style</w:t></w:r>
        <w:r><w:rPr><w:rStyle w:val="Loud"/><w:b w:val="0"/></w:rPr><w:t xml:space="preserve"> undone</w:t></w:r></w:p>
        <w:p><w:r><w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>
        <w:p><w:r><w:t>a &lt; b &amp;&#x20;c &#955;</w:t></w:r></w:p>"#;
    let styles = r#"<w:style w:type="character" w:styleId="Loud"><w:name w:val="Loud"/><w:rPr><w:b/></w:rPr></w:style>"#;
    let document = read(&docx(body, &[("styles", styles)])).expect("a document");
    assert_lines(
        &shown(&document),
        "
        plain <b>bo<i>ld</i></b>, H<sub>2</sub>O
        a\tb/c\u{2011}deα✓
        seen
        <b>by style</b> undone
        漢
        a < b & c λ",
    );
    assert_lines(&notices(&document), "left_out: 6 characters of hidden text are left out");
}

#[test]
fn origins_are_paragraphs_and_the_pages_noted_by_word() {
    let body = [
        p("one"),
        "<w:p/>".to_owned(),
        format!("<w:tbl><w:tr>{}{}</w:tr></w:tbl>", tc("", "a"), tc("", "b")),
        "<w:p><w:r><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p>".to_owned(),
        p("three"),
    ];
    let document = read(&docx(&body.concat(), &[])).expect("a document");
    let places: Vec<(u32, Option<u32>)> = (document.blocks.iter())
        .map(|block| match block.origin {
            Origin::Paragraph { paragraph, page } => (paragraph.get(), page.map(|page| page.get())),
            _ => (0, None),
        })
        .collect();
    assert_eq!(places, [(1, Some(1)), (3, Some(1)), (5, Some(1)), (6, Some(2))]);
    assert_eq!((document.extent.n_paragraphs, document.extent.n_pages), (6, 2));
}

#[test]
fn any_prefix_strict_namespaces_and_odd_part_names_are_read() {
    let part = r#"<o:document xmlns:o="http://purl.oclc.org/ooxml/wordprocessingml/main"><o:body>
        <o:p><o:pPr><o:outlineLvl o:val="0"/></o:pPr><o:r><o:t>Strict</o:t></o:r></o:p></o:body></o:document>"#;
    let with_mark = format!("\u{FEFF}{part}");
    let bytes = support::archive(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", support::relationships(&[("officeDocument", r"\Word\Main.XML")]).as_bytes()),
        (r"word\main.xml", with_mark.as_bytes()),
    ]);
    assert_eq!(support::format_of(&bytes), conspect_model::Format::Docx);
    assert_lines(&shown(&read(&bytes).expect("a document")), "# Strict");
}

#[test]
fn a_document_written_by_docx_rs_reads_back() {
    use docx_rs::{Docx, Paragraph, Run, Table, TableCell, TableRow};
    let cell =
        |text: &str| TableCell::new().add_paragraph(Paragraph::new().add_run(Run::new().add_text(text)));
    let document = Docx::new()
        .add_paragraph(Paragraph::new().add_run(Run::new().add_text("Minutes").bold()))
        .add_table(Table::new(vec![
            TableRow::new(vec![cell("who"), cell("what")]),
            TableRow::new(vec![cell("Ada"), cell("engine")]),
        ]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    document.build().pack(&mut bytes).expect("a package");
    assert_lines(
        &shown(&read(&bytes.into_inner()).expect("a document")),
        "
        <b>Minutes</b>
        | who | what
        | Ada | engine",
    );
}
