//! What a page says, laid out as blocks.

use std::time::Instant;

use conspect_model::{Block, BlockKind, Document, Input, Limits, MarkKind, Origin, Scope};
use conspect_text::html;

/// Reads HTML and gives its blocks and notices, one a line: lines, kind, text with marks in braces.
fn check(page: &str, expected: &[&str]) {
    check_bytes(page.as_bytes(), expected);
}

fn check_bytes(page: &[u8], expected: &[&str]) {
    let document = read(page);
    let mut shown: Vec<String> = document.blocks.iter().map(show).collect();
    shown.extend(document.notices.iter().map(ToString::to_string));
    assert_eq!(shown, expected, "in {}", String::from_utf8_lossy(page));
}

fn read(page: &[u8]) -> Document<'_> {
    html::read(&Input::new(page, "a.html"), &Scope::default(), &Limits::default()).expect("a page is read")
}

fn show(block: &Block) -> String {
    let Origin::Lines(lines) = block.origin else { panic!("a block without lines: {block:?}") };
    let place = if lines.first == lines.last {
        lines.first.to_string()
    } else {
        format!("{}-{}", lines.first, lines.last)
    };
    let text = marked(block);
    match &block.kind {
        BlockKind::Heading { level } => format!("{place} h{level} {text}"),
        BlockKind::Paragraph => format!("{place} p {text}"),
        BlockKind::ListItem { depth, label } => format!("{place} li{depth} {label} {text}"),
        BlockKind::Code { language } => {
            format!("{place} code {} {text:?}", language.as_deref().unwrap_or("?"))
        }
        BlockKind::Quote => format!("{place} quote {text}"),
        BlockKind::Figure => format!("{place} figure {text}"),
        BlockKind::Table(table) => {
            let rows: Vec<String> = table
                .rows()
                .map(|row| {
                    let cells: Vec<&str> = row.cells().collect();
                    format!("{}[{}]", if row.is_header() { "!" } else { "" }, cells.join("|"))
                })
                .collect();
            let spans: Vec<String> = table
                .spans
                .iter()
                .map(|span| {
                    format!(" {},{}:{}x{}", span.row_idx, span.column_idx, span.n_rows, span.n_columns)
                })
                .collect();
            format!("{place} table {}{}", rows.join(""), spans.join(""))
        }
        other => format!("{place} {other:?}"),
    }
}

fn marked(block: &Block) -> String {
    let mut text = block.text.clone();
    for mark in block.marks.iter().rev() {
        let name = match &mark.kind {
            MarkKind::Strong => "b",
            MarkKind::Emphasis => "i",
            MarkKind::Code => "code",
            MarkKind::Link(target) => target,
            _ => "?",
        };
        let shown = format!("{{{name}:{}}}", &block.text[mark.range.clone()]);
        // Marks inside one another would need more than this; the tests have none.
        text.replace_range(mark.range.clone(), &shown);
    }
    text
}

#[test]
fn headings_and_paragraphs() {
    check(
        "<!DOCTYPE html>\n<html lang=en><head><title>The\n title</title></head>\n<body>\n<h1>One</h1>\n<p>Some\n  text &amp; more\n<p>next<br>line</p>tail\n<h3>Two</h3></body></html>",
        &["2 h1 The title", "5 h1 One", "6-7 p Some text & more", "8 p next\nline", "8 p tail", "9 h3 Two"],
    );
    check("<title>Same</title><h1>Same</h1>", &["1 h1 Same"]);
    check("a\r\n\r\n<p>b\r\nc</p>\r\n<p>d", &["1 p a", "3-4 p b c", "5 p d"]);
    check("", &[]);
}

#[test]
fn marks_and_links() {
    check(
        "<p>A <b>bold</b> and <a href='https://x.org/?a=1&amp;b=2'>a link</a>, <a href='#top'>up</a> <code>f(x)</code>.",
        &["1 p A {b:bold} and {https://x.org/?a=1&b=2:a link}, up {code:f(x)}."],
    );
    check("<b>never <p>closed", &["1 p {b:never}", "1 p {b:closed}"]);
    check("<p>a<i> b </i>c</b></p>", &["1 p a {i:b} c"]);
    check("<p><b> </b></p><p><i></i>x", &["1 p x"]);
}

#[test]
fn lists_and_quotes() {
    check(
        "<ul><li>a<li>b<ol start=3><li>c</li><li value=7>d</li></ol></li></ul><p>e</p><blockquote><p>f</p></blockquote>g",
        &["1 li0 • a", "1 li0 • b", "1 li1 3. c", "1 li1 7. d", "1 p e", "1 quote f", "1 p g"],
    );
    check("<ul><li><p>a</p><p>b</p></ul></ul></li>c", &["1 li0 • a", "1 p b", "1 p c"]);
}

#[test]
fn preformatted_text_is_exact() {
    check(
        "<pre class='highlight'><code class='language-rust'>fn a() {\n    b &lt; c;\n}\n</code></pre>\n<p>x",
        &["1-3 code rust \"fn a() {\\n    b < c;\\n}\"", "5 p x"],
    );
    check("<pre>\n  a\n<div>b</div></pre>", &["2-3 code ? \"  a\\n\\nb\""]);
}

#[test]
fn tables() {
    check(
        "<table>\n<caption>Prices</caption>\n<tr><th>name<th>price</tr>\n<tr><td>nut<td>1\n<tr><td>bolt\n</td><td>2</table>",
        &["2 p Prices", "3-6 table ![name|price][nut|1][bolt|2]"],
    );
    check(
        "<table><thead><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td>d<tbody><tr><td>1<td>2<td>3</table>",
        &["1 table ![a|b|]![|c|d][1|2|3] 0,0:2x1 0,1:1x2"],
    );
    check("<table><tr><td rowspan=0>a<td>b<tr><td>c</table>", &["1 table [a|b][|c] 0,0:2x1"]);
    check("<table><tr><td>a<td rowspan=9>b<tr><td>c<tr><td>d</table>", &["1 table [a|b][c|][d|] 0,1:3x1"]);
    check("<table><tr><td><p>a</p><p>b</p><td><ul><li>c<li>d</ul></table>", &["1 table [a\nb|c\nd]"]);
    check(
        "<table><tr><td><a href=x>1</a><td>2</table>",
        &["1 table [1|2]", "the targets of 1 links in tables are left out"],
    );
}

/// Old pages use tables to put things side by side.
#[test]
fn tables_for_the_look_are_running_text() {
    check("<table><tr><td>menu<td><h1>Title</h1>text</table>", &["1 p menu", "1 h1 Title", "1 p text"]);
    check(
        "<table><tr><td>menu<td>a<table><tr><td>1<td>2</table>b<tr><td>foot</table>end",
        &["1 p menu", "1 p a", "1 table [1|2]", "1 p b", "1 p foot", "1 p end"],
    );
    check("<table><tr><td>one cell</table>", &["1 p one cell"]);
}

#[test]
fn pictures_have_their_alternative_text() {
    check(
        "<img src=a.png alt='A cat'><p>The <img alt=red> one<img alt=''>",
        &["1 figure A cat", "1 p The red one"],
    );
}

#[test]
fn what_is_no_text_is_left_out() {
    check(
        "<style>p > a</style><script>if (a < b) '<p>no</p>'</script>yes<svg/><p>yes",
        &["1 p yes", "1 p yes"],
    );
    let left_out = "text of drawings, templates and elements for browsers without scripts is left out";
    check(
        "<noscript><p>no</p></noscript><template>no<template>no</template>no</template>yes",
        &["1 p yes", left_out],
    );
    check("<svg><text>no</text><p>yes", &["1 p yes", left_out]);
    check(
        "yes<template>no",
        &["1 p yes", "a <template> is never closed; what follows it is left out", left_out],
    );
}

#[test]
fn what_an_unclosed_comment_takes_away_is_told() {
    check(
        "<p>a\n<p>b<!-- c\nd",
        &["1 p a", "2 p b", "line 3: a comment is never closed; what follows its beginning is left out"],
    );
    check(
        "<p>a<b title='c\nd",
        &["1 p a", "line 2: a tag is never closed; what follows its beginning is left out"],
    );
}

#[test]
fn the_page_names_its_encoding() {
    let guessed = "the encoding is not marked; decoded as ISO-8859-2, a guess from the bytes";
    check_bytes(b"<meta charset=iso-8859-2><p>\xB9\xE8", &["1 p šč", guessed]);
    check_bytes(b"<meta content=\"text/html; charset=iso-8859-2\"><p>\xC5\xA1", &["1 p š"]);
}

#[test]
fn the_head_says_who_wrote_it() {
    let document = read(
        b"<html lang=de><meta name=author content='A. B.'><meta name=description content=c><title>t</title>",
    );
    let metadata = &document.metadata;
    let fields = [&metadata.language, &metadata.author, &metadata.subject, &metadata.title];
    assert_eq!(fields.map(Option::as_deref), [Some("de"), Some("A. B."), Some("c"), Some("t")]);
}

#[test]
fn a_page_with_more_than_the_limit_ends_early() {
    let limits = Limits { max_cells: 100, ..Limits::default() };
    for (page, n_blocks) in [("<p>a\n".repeat(200), 101), ("<tr><td>a\n".repeat(200), 101)] {
        let page = page.replacen("<tr>", "<table><tr>", 1);
        let document =
            html::read(&Input::new(page.as_bytes(), ""), &Scope::default(), &limits).expect("a page is read");
        assert!(document.blocks.len() <= n_blocks);
        let told = document
            .notices
            .iter()
            .any(|notice| notice.message.starts_with("the page has more in it than is laid out"));
        assert!(told, "{:?}", document.notices);
    }
}

/// Pages made to break readers: deep nesting, tags and attributes without end, spans over everything.
#[test]
fn hostile_pages_are_read_in_time() {
    let started = Instant::now();
    let n = 20_000;
    let attributes: String = (0..n).map(|idx| format!(" a{idx}=1")).collect();
    for page in [
        "<div>".repeat(n) + "x",
        "<b><i><a href=x>".repeat(n) + "x",
        "<ul><li>".repeat(n) + "x",
        "<table><tr><td>".repeat(n) + "x",
        "<table>".to_owned() + &"<tr><td rowspan=65534 colspan=1000>".repeat(n) + "x",
        "<table><tr><td rowspan=65534 colspan=1000>x".to_owned() + &"<tr>".repeat(n),
        "<blockquote><pre>".repeat(n) + "x",
        "</p></table></td></li>".repeat(n) + "x",
        format!("<p{attributes}>x"),
        "<!--".repeat(n) + "x",
        "<![CDATA[".repeat(n) + "x",
        "&amp".repeat(n) + "x",
        "<a <a <a".repeat(n),
        "<svg><p>".repeat(n) + "x",
    ] {
        let document = read(page.as_bytes());
        let n_cells: usize = document
            .blocks
            .iter()
            .map(|block| if let BlockKind::Table(table) = &block.kind { table.n_cells() } else { 0 })
            .sum();
        assert!(n_cells < 1_000_000, "{n_cells} cells from {}", &page[..60]);
    }
    assert!(started.elapsed().as_secs() < 60, "no page takes more than its length");
}
