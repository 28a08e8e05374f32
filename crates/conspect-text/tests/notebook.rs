//! Notebooks laid out cell by cell.

use conspect_model::{Block, BlockKind, Input, Limits, Origin, Scope};
use conspect_text::notebook;

/// Reads a notebook and gives its blocks, one a line: cell, kind, text; then its lines, if it has its own, and notices.
fn check(json: &str, expected: &[&str]) {
    let input = Input::new(json.as_bytes(), "a.ipynb");
    let document = notebook::read(&input, &Scope::default(), &Limits::default()).expect("a notebook is read");
    let mut shown: Vec<String> = document.blocks.iter().map(show).collect();
    if let Some(lines) = &document.lines {
        shown.push(format!("{} with {} lines", document.format, lines.n_lines()));
    }
    shown.extend(document.notices.iter().map(ToString::to_string));
    assert_eq!(shown, expected, "in {json}");
}

fn show(block: &Block) -> String {
    let Origin::NotebookCell(cell) = block.origin else { panic!("a block without a cell: {block:?}") };
    let text = &block.text;
    match &block.kind {
        BlockKind::Heading { level } => format!("{cell} h{level} {text}"),
        BlockKind::Paragraph => format!("{cell} p {text}"),
        BlockKind::ListItem { depth, label } => format!("{cell} li{depth} {label} {text}"),
        BlockKind::Code { language } => {
            format!("{cell} code {} {text:?}", language.as_deref().unwrap_or("?"))
        }
        BlockKind::Figure => format!("{cell} figure {text}"),
        other => format!("{cell} {other:?}"),
    }
}

/// R44.
#[test]
fn cells_come_with_source_and_outputs() {
    check(
        r##"{"cells": [
            {"cell_type": "markdown", "id": "intro", "source": ["# Title\n", "Some *text*\n", "over lines\n", "\n", "- a\n", "  - b\n", "```r\n", "# no\n", "```\n", "end"]},
            {"cell_type": "code", "execution_count": 5, "source": "print(1)\n2", "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["1\n", "\u001b[31mred\u001b[0m\n"]},
                {"output_type": "execute_result", "data": {"text/plain": "2", "text/html": "<b>2</b>"}},
                {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo=", "text/plain": ["<Figure size 640x480>"]}},
                {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["\u001b[0;31mTraceback\u001b[0m", "ValueError: no"]}
            ]},
            {"cell_type": "raw", "source": "as it is"},
            {"cell_type": "code", "execution_count": null, "source": "%%bash\nls", "outputs": []}
        ], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}"##,
        &[
            "0 p [intro] markdown",
            "0 h1 Title",
            "0 p Some *text*\nover lines",
            "0 li0 - a",
            "0 li1 - b",
            "0 code r \"# no\"",
            "0 p end",
            "1 p [cell-1] code, run 5",
            "1 code python \"print(1)\\n2\"",
            "1 code ? \"1\\nred\"",
            "1 code ? \"2\"",
            "1 code ? \"<Figure size 640x480>\"",
            "1 figure image/png, 8 bytes",
            "1 code ? \"Traceback\\nValueError: no\"",
            "2 p [cell-2] raw",
            "2 code ? \"as it is\"",
            "3 p [cell-3] code",
            "3 code bash \"%%bash\\nls\"",
        ],
    );
}

#[test]
fn the_plainest_form_that_says_something_is_shown() {
    let check_output = |data: &str, expected: &str| {
        let json = format!(
            r#"{{"cells": [{{"cell_type": "code", "source": "", "outputs": [{{"data": {data}}}]}}]}}"#
        );
        check(&json, &["0 p [cell-0] code", expected]);
    };
    check_output(
        r#"{"text/plain": "<IPython.core.display.HTML object>", "text/html": "<p>one</p><table><tr><td>a<td>b</table>"}"#,
        "0 code ? \"one\\na\\tb\"",
    );
    check_output(
        r#"{"text/html": "<table><tr><th>x<th>y<tr><td>1<td>2</table>"}"#,
        "0 code ? \"x\\ty\\n1\\t2\"",
    );
    check_output(r#"{"application/json": {"a": [1, 2]}}"#, "0 code ? \"{\\\"a\\\":[1,2]}\"");
    check_output(
        r#"{"application/vnd.plotly.v1+json": {"data": []}}"#,
        "0 figure application/vnd.plotly.v1+json, not shown",
    );
    check_output(&format!(r#"{{"image/jpeg": "{}"}}"#, "abcd".repeat(4000)), "0 figure image/jpeg, 12 kB");
    check_output(r#"{"image/svg+xml": ["<svg>", "</svg>"]}"#, "0 figure image/svg+xml, 11 bytes");
}

#[test]
fn version_3_is_read_too() {
    check(
        r#"{"metadata": {"name": "old"}, "nbformat": 3, "worksheets": [{"cells": [
            {"cell_type": "heading", "level": 2, "source": ["Part"]},
            {"cell_type": "code", "input": ["x = 1"], "language": "python", "prompt_number": 3, "outputs": [
                {"output_type": "pyout", "prompt_number": 3, "text": ["1"], "html": "<b>1</b>"},
                {"output_type": "display_data", "png": "AAAA"}
            ]}
        ]}]}"#,
        &[
            "0 p [cell-0] heading",
            "0 h2 Part",
            "1 p [cell-1] code, run 3",
            "1 code python \"x = 1\"",
            "1 code ? \"1\"",
            "1 figure image/png, 3 bytes",
        ],
    );
}

#[test]
fn a_broken_notebook_gives_what_stands_before_the_break() {
    check(
        r#"{"cells": [{"cell_type": "raw", "source": "a"}, {"cell_type": "raw", "sour"#,
        &[
            "0 p [cell-0] raw",
            "0 code ? \"a\"",
            "the notebook breaks off after 1 cells: EOF while parsing a string at line 1 column 74",
        ],
    );
}

#[test]
fn what_is_no_notebook_is_plain_text() {
    check(
        "not json\nat all\n",
        &[
            "JSON with 2 lines",
            "this is no notebook (expected ident at line 1 column 2), so it is read as plain text",
        ],
    );
    check(
        r#"{"a": 1}"#,
        &[
            "JSON with 1 lines",
            "this is no notebook (it has no cells at line 1 column 8), so it is read as plain text",
        ],
    );
    check(r#"{"cells": []}"#, &[]);
}

#[test]
fn odd_values_do_not_stop_the_reading() {
    check(
        r#"{"cells": [{"cell_type": null, "source": {"a": 1}, "outputs": null, "id": 7, "execution_count": "x", "attachments": null}]}"#,
        &["0 p [7] cell"],
    );
}

#[test]
fn deep_json_is_refused_without_harm() {
    let deep = format!(r#"{{"cells": [{{"source": {}"#, "[".repeat(200_000));
    let input = Input::new(deep.as_bytes(), "a.ipynb");
    let document = notebook::read(&input, &Scope::default(), &Limits::default()).expect("it is read as text");
    assert!(document.lines.is_some());
}
