//! The table over a CSV file: delimiter, header, and what is told.

use conspect_model::{BlockKind, Input, Limits, Origin, Scope};
use conspect_text::csv;

/// Reads CSV and gives `format first-last/header lines`, then the notices.
fn check(text: &str, expected: &[&str]) {
    let input = Input::new(text.as_bytes(), "a.csv");
    let document = csv::read(&input, &Scope::default(), &Limits::default()).expect("text is read");
    let mut shown = Vec::new();
    for block in &document.blocks {
        let (Origin::Lines(lines), BlockKind::TableLines { n_header_lines }) = (block.origin, &block.kind)
        else {
            panic!("not lines of a table: {block:?}");
        };
        shown.push(format!("{} {}-{}/{n_header_lines}", document.format, lines.first, lines.last));
    }
    shown.extend(document.notices.iter().map(ToString::to_string));
    assert_eq!(shown, expected, "in {text}");
}

#[test]
fn delimiters_are_told_from_the_rows() {
    check("name,price\nnut,1\nbolt,2\n", &["CSV 1-3/1"]);
    check("name;price\nnut;1,5\nbolt;2,5\n", &["CSV 1-3/1"]);
    check("name\tprice\nnut\t1\n", &["TSV 1-2/1"]);
    check("name|price\nnut|1\n", &["CSV 1-2/1"]);
    check("sep=;\na;b\n1;2\n", &["CSV 1-3/2"]);
    check("\"a,b\";c\n\"d,e\";1\n", &["CSV 1-2/1"]);
    check("name\nnut\n", &["CSV 1-2/0", "line 1: the first row was not taken for a header"]);
    check(
        "a|b,x\nc|1,y\n",
        &[
            "CSV 1-2/1",
            "the delimiter was taken to be a comma; a pipe would be as regular",
            "line 1: the first row was taken for the header; nothing but its place says so",
        ],
    );
    check("", &[]);
}

#[test]
fn a_row_of_values_is_no_header() {
    check("1,2\n3,4\n", &["CSV 1-2/0"]);
    check("2024-01-01,12:30\n2024-01-02,13:30\n", &["CSV 1-2/0"]);
    check(
        "city,country\nOslo,Norway\nTurku,Finland\n",
        &["CSV 1-3/1", "line 1: the first row was taken for the header; nothing but its place says so"],
    );
    check("a,b\na,c\na,d\n", &["CSV 1-3/0", "line 1: the first row was not taken for a header"]);
}

#[test]
fn quoted_cells_may_hold_line_breaks() {
    check("\"long\nname\",price\n\"a \"\"b\"\"\n,c\",1\nd,2\n", &["CSV 1-5/2"]);
    check("a,b\n5\" nail,1\n6\" nail,2\n", &["CSV 1-3/1"]);
}

#[test]
fn ragged_rows_are_noticed() {
    check(
        "a,b\n1,2\n3\n4,5,6\n7,8\n",
        &["CSV 1-5/1", "line 3: 2 rows have another number of cells than the first row's 2, the first here"],
    );
    check("a,b\n\n1,2\n", &["CSV 1-3/1"]);
}

#[test]
fn a_quote_that_is_never_closed_is_noticed() {
    check("a,b\n1,2\n3,\"x\n4,5\n", &["CSV 1-4/1", "line 3: a quote that opens here is not closed"]);
    let long = format!("a,b\n1,\"{}\n2,3\n", "x\n".repeat(300_000));
    let input = Input::new(long.as_bytes(), "a.csv");
    let document = csv::read(&input, &Scope::default(), &Limits::default()).expect("text is read");
    let told = document
        .notices
        .iter()
        .any(|notice| notice.to_string() == "line 2: a quote that opens here is not closed");
    assert!(told, "{:?}", document.notices);
}
