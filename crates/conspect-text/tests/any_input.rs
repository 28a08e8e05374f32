//! What holds for every reader, whatever the bytes are: no panic, and every origin lies inside the file.

use conspect_model::{BlockKind, Document, Input, Limits, Origin, ReadError, Scope};
use conspect_text::{csv, html, mail, markdown, notebook, plain, sniff};
use proptest::prelude::*;

type Read = for<'a> fn(&Input<'a>, &Scope, &Limits) -> Result<Document<'a>, ReadError>;

const READERS: &[Read] = &[plain::read, markdown::read, csv::read, html::read, notebook::read, mail::read];

/// Pieces that mean something to one reader or another, to be put together in any order.
const PIECES: &[&str] = &[
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "    ",
    "a",
    "é",
    "\u{FEFF}",
    "\u{2028}",
    "\u{1B}[31m",
    "# ",
    "## b ##",
    "---",
    "===",
    "```",
    "~~~",
    "```py",
    "<!--",
    "-->",
    "| a | b |",
    "|---|---|",
    "- ",
    "1. ",
    "> ",
    "[a](b)",
    ",",
    ";",
    "|",
    "\"",
    "\"\"",
    "sep=;",
    "1,2",
    "<p>",
    "</p>",
    "<h1>",
    "</h1>",
    "<ul><li>",
    "</ul>",
    "<table>",
    "<tr>",
    "<td rowspan=3 colspan=2>",
    "<th>",
    "<thead>",
    "</table>",
    "<pre>",
    "</pre>",
    "<b>",
    "</b>",
    "<a href=x>",
    "</a>",
    "<svg>",
    "<template>",
    "<title>",
    "<img alt=x>",
    "<br>",
    "<script>",
    "&amp;",
    "&#10;",
    "<",
    ">",
    "{\"cells\":[",
    "{\"cell_type\":\"code\",",
    "\"source\":",
    "[\"x\\n\"]",
    "\"outputs\":[",
    "{",
    "}",
    "]",
    "\"data\":{\"image/png\":\"AA\"}",
    "null",
    "From: a@b.c\n",
    "Content-Type: multipart/mixed; boundary=x\n",
    "Content-Type: multipart/alternative; boundary=x\n",
    "Content-Type: text/html; charset=koi8-r\n",
    "Content-Type: message/rfc822\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "\n--x\n",
    "\n--x--\n",
    "=C3",
    "2024-01-01 ",
];

fn check(bytes: &[u8], name: &str) -> Result<(), TestCaseError> {
    let input = Input::new(bytes, name);
    sniff(&input);
    let n_lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
    for read in READERS {
        let Ok(document) = read(&input, &Scope::default(), &Limits::default()) else { continue };
        let blocks = document.blocks.iter().map(|block| block.origin);
        let notices = document.notices.iter().map(|notice| notice.origin);
        let rows = document.blocks.iter().flat_map(|block| match &block.kind {
            BlockKind::Table(table) => table.rows().map(|row| row.origin()).collect(),
            _ => Vec::new(),
        });
        for origin in blocks.chain(notices).chain(rows) {
            if let Origin::Lines(lines) = origin {
                prop_assert!(
                    lines.first <= lines.last && lines.last.idx() < n_lines,
                    "{origin} of {n_lines} lines"
                );
            }
        }
        for block in &document.blocks {
            for mark in &block.marks {
                let marked = block.text.get(mark.range.clone());
                prop_assert!(
                    marked.is_some_and(|text| !text.trim().is_empty()),
                    "{mark:?} in {:?}",
                    block.text
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_in_any_order(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)) {
        check(pieces.concat().as_bytes(), "a")?;
    }

    #[test]
    fn bytes_of_any_kind(bytes in proptest::collection::vec(any::<u8>(), 0..300), name in "[a-z.]{0,8}") {
        check(&bytes, &name)?;
    }
}
