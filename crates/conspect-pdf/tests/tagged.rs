//! Tagged files: what the structure tree says, where it is believed and where it is not.

mod builder;

use builder::{Builder, check, lines};
use conspect_model::{BlockKind, Input, Limits, PageNumber, Scope};

/// A node of a structure tree under construction.
enum Node {
    /// Its role, further entries of its dictionary, its children.
    Element(&'static str, &'static str, Vec<Node>),
    /// Content of a page: the page's index and the number there.
    Content(usize, u32),
}

fn element(role: &'static str, kids: Vec<Node>) -> Node {
    Node::Element(role, "", kids)
}

fn with(role: &'static str, entries: &'static str, kids: Vec<Node>) -> Node {
    Node::Element(role, entries, kids)
}

/// An element whose only content is this number of the first page.
fn leaf(role: &'static str, number: u32) -> Node {
    element(role, vec![Node::Content(0, number)])
}

/// Content with a number of its own.
fn marked(number: u32, content: &str) -> String {
    format!("/P << /MCID {number} >> BDC\n{content}EMC\n")
}

fn artifact(content: &str) -> String {
    format!("/Artifact BMC\n{content}EMC\n")
}

fn line(font: &str, size: u32, x: u32, y: u32, text: &str) -> String {
    lines(font, size, x, y, &[text])
}

/// A tagged file of these pages.
fn tagged(pages: &[String], root: &str, tree: &[Node]) -> Vec<u8> {
    let mut builder = Builder::new();
    for (idx, page) in pages.iter().enumerate() {
        builder.page_with(&format!("/StructParents {idx}"), page);
    }
    let root_number = builder.add("");
    let mut parents: Vec<Vec<String>> = vec![Vec::new(); pages.len()];
    let kids: Vec<String> =
        tree.iter().map(|node| add(&mut builder, node, root_number, &mut parents)).collect();
    let numbers: Vec<String> =
        parents.iter().enumerate().map(|(page, parents)| format!("{page} [{}]", parents.join(" "))).collect();
    builder.replace(
        root_number,
        &format!(
            "<< /Type /StructTreeRoot /K [{}] /ParentTree << /Nums [{}] >> {root} >>",
            kids.join(" "),
            numbers.join(" ")
        ),
    );
    builder.catalog = format!("/MarkInfo << /Marked true >> /StructTreeRoot {root_number} 0 R");
    builder.finish()
}

/// Adds a node and gives what its parent's list of children says of it.
fn add(builder: &mut Builder, node: &Node, parent: usize, parents: &mut [Vec<String>]) -> String {
    match node {
        Node::Content(page, number) => {
            let of_page = &mut parents[*page];
            let number = *number as usize;
            if of_page.len() <= number {
                of_page.resize(number + 1, "null".to_string());
            }
            of_page[number] = format!("{parent} 0 R");
            number.to_string()
        }
        Node::Element(role, entries, kids) => {
            let number = builder.add("");
            let kids: Vec<String> = kids.iter().map(|kid| add(builder, kid, number, parents)).collect();
            let object = format!(
                "<< /Type /StructElem /S /{role} /P {parent} 0 R /K [{}] {entries} >>",
                kids.join(" ")
            );
            builder.replace(number, &object);
            format!("{number} 0 R")
        }
    }
}

/// L2: the level is the tree's, whatever the size, and a role of the file's own is what it is mapped to, over several
/// steps.
#[test]
fn headings_and_paragraphs_are_those_of_the_tree() {
    let page = marked(0, &line("F1", 10, 50, 700, "Survey"))
        + &marked(1, &line("F1", 10, 50, 680, "The board met on Monday"))
        + &marked(2, &line("F1", 10, 50, 668, "and adjourned."))
        + &marked(3, &line("F1", 10, 50, 640, "Costs"))
        + &marked(4, &line("F1", 10, 50, 620, "They rise."));
    let tree = [element(
        "Document",
        vec![
            leaf("Titel", 0),
            element("P", vec![Node::Content(0, 1), leaf("Span", 2)]),
            leaf("H3", 3),
            leaf("Fliess", 4),
        ],
    )];
    check(
        &tagged(&[page], "/RoleMap << /Titel /Kopf /Kopf /H1 /Fliess /P /Ring /Ring >>", &tree),
        &["h1 Survey", "p The board met on Monday and adjourned.", "h3 Costs", "p They rise."],
    );
}

/// L2: a heading without a level has that of its section, and roles that lead round in a ring are none.
#[test]
fn a_heading_without_level_counts_its_sections() {
    let page = marked(0, &line("F1", 10, 50, 700, "Survey"))
        + &marked(1, &line("F1", 10, 50, 680, "Costs"))
        + &marked(2, &line("F1", 10, 50, 660, "They rise."));
    let tree = [element(
        "Sect",
        vec![leaf("H", 0), element("Sect", vec![leaf("H", 1), element("Ring", vec![leaf("P", 2)])])],
    )];
    check(
        &tagged(&[page], "/RoleMap << /Ring /Kreis /Kreis /Ring >>", &tree),
        &["h1 Survey", "h2 Costs", "p They rise."],
    );
}

/// L2: labels, depth by the tree; a label that the text holds itself is taken from it.
#[test]
fn lists_have_the_labels_and_depth_of_the_tree() {
    let page = marked(0, &line("F1", 10, 50, 700, "1."))
        + &marked(1, &line("F1", 10, 70, 700, "stone from the quarry"))
        + &marked(2, &line("F1", 10, 70, 680, "- of the large kind"))
        + &marked(3, &line("F1", 10, 50, 660, "2."))
        + &marked(4, &line("F1", 10, 70, 660, "a crane"))
        + &marked(5, &line("F1", 10, 70, 640, "which is hired."));
    let inner = element("L", vec![element("LI", vec![leaf("LBody", 2)])]);
    let tree = [element(
        "L",
        vec![
            element("LI", vec![leaf("Lbl", 0), element("LBody", vec![Node::Content(0, 1), inner])]),
            element("LI", vec![leaf("Lbl", 3), element("LBody", vec![leaf("P", 4), leaf("P", 5)])]),
        ],
    )];
    check(
        &tagged(&[page], "", &tree),
        &["li0 1. stone from the quarry", "li1 - of the large kind", "li0 2. a crane", "p which is hired."],
    );
}

/// L2: cells that hold nothing keep their place, cells that span say so, and the head is the tree's.
#[test]
fn tables_have_the_cells_spans_and_head_of_the_tree() {
    let texts =
        [(50, 700, "Port"), (150, 700, "Depth"), (50, 680, "Outer"), (250, 680, "9 m"), (150, 660, "7 m")];
    let page: String = texts
        .iter()
        .enumerate()
        .map(|(number, (x, y, text))| marked(number as u32, &line("F1", 10, *x, *y, text)))
        .collect();
    let tree = [element(
        "Table",
        vec![
            element(
                "THead",
                vec![element(
                    "TR",
                    vec![
                        leaf("TH", 0),
                        with("TH", "/A << /O /Table /ColSpan 2 >>", vec![Node::Content(0, 1)]),
                    ],
                )],
            ),
            element(
                "TBody",
                vec![
                    element(
                        "TR",
                        vec![
                            with("TD", "/A << /O /Table /RowSpan 2 >>", vec![Node::Content(0, 2)]),
                            element("TD", vec![]),
                            leaf("TD", 3),
                        ],
                    ),
                    element("TR", vec![leaf("TD", 4), element("TD", vec![])]),
                ],
            ),
        ],
    )];
    let bytes = tagged(&[page], "", &tree);
    check(&bytes, &["th Port | Depth | ", "td Outer |  | 9 m", "td  | 7 m | "]);
    let document = builder::read(&bytes).expect("a document");
    let Some(BlockKind::Table(table)) = document.blocks.first().map(|block| &block.kind) else {
        panic!("a table")
    };
    let spans: Vec<[usize; 4]> =
        table.spans.iter().map(|span| [span.row_idx, span.column_idx, span.n_rows, span.n_columns]).collect();
    assert_eq!(spans, [[0, 1, 1, 2], [1, 0, 2, 1]]);
}

/// L2: what a page break parts is one paragraph where the tree says so, even between sentences.
#[test]
fn a_paragraph_over_two_pages_is_one() {
    let pages = [
        marked(0, &line("F1", 20, 50, 700, "Survey")) + &marked(1, &line("F1", 10, 50, 80, "It was cold.")),
        marked(0, &line("F1", 10, 50, 700, "Nobody came.")),
    ];
    let tree = [leaf("H1", 0), element("P", vec![Node::Content(0, 1), Node::Content(1, 0)])];
    check(&tagged(&pages, "", &tree), &["h1 Survey", "p It was cold. Nobody came."]);
}

/// L2: the order is the tree's where the content's jumps about.
#[test]
fn text_is_read_in_the_order_of_the_tree() {
    let page = marked(0, &line("F1", 10, 50, 600, "Third."))
        + &marked(1, &line("F1", 10, 50, 700, "First"))
        + &marked(2, &line("F1", 10, 50, 650, "Second."));
    let tree = [leaf("H1", 1), leaf("P", 2), leaf("P", 0)];
    check(&tagged(&[page], "", &tree), &["h1 First", "p Second.", "p Third."]);
}

/// L2: an order that jumps about where the content does not is no order.
#[test]
fn an_order_of_the_tree_that_jumps_about_is_not_followed() {
    let words = ["One", "Two.", "Three.", "Four.", "Five.", "Six."];
    let page: String = words
        .iter()
        .enumerate()
        .map(|(number, word)| marked(number as u32, &line("F1", 10, 50, 700 - 30 * number as u32, word)))
        .collect();
    let tree = [leaf("P", 5), leaf("H1", 0), leaf("P", 4), leaf("P", 1), leaf("P", 3), leaf("P", 2)];
    check(&tagged(&[page], "", &tree), &["h1 One", "p Two.", "p Three.", "p Four.", "p Five.", "p Six."]);
}

/// L2: artifacts are told where running headers are, and alternate and actual texts are read.
#[test]
fn artifacts_are_left_out_and_alternate_texts_are_read() {
    let page = artifact(&line("F1", 10, 50, 780, "Harbour board"))
        + &marked(0, &line("F1", 10, 50, 700, "Survey"))
        + &artifact(&line("F1", 40, 50, 500, "DRAFT"))
        + &marked(1, "")
        + &marked(2, &line("F1", 10, 50, 400, "It is set in LATEX by hand."));
    let tree = [
        leaf("H1", 0),
        with("Figure", "/Alt (A lighthouse at night)", vec![Node::Content(0, 1)]),
        element(
            "P",
            vec![with("Span", "/ActualText (It is set in LaTeX by hand.)", vec![Node::Content(0, 2)])],
        ),
    ];
    check(
        &tagged(&[page], "", &tree),
        &[
            "h1 Survey",
            "figure A lighthouse at night",
            "p It is set in LaTeX by hand.",
            "! page 1: running header left out of page 1: Harbour board",
            "! page 1: left out of page 1, since the file says it is no part of the text: DRAFT",
        ],
    );
}

/// L2: captions, code and quotations are what they are called, and captions are no headings.
#[test]
fn captions_code_and_quotations_are_those_of_the_tree() {
    let page = marked(0, &line("F1", 10, 50, 700, "Survey"))
        + &marked(1, &line("F2", 14, 50, 670, "Table 1: Depths"))
        + &marked(2, &line("F1", 10, 50, 640, "let depth = 9;"))
        + &marked(3, &line("F1", 10, 50, 610, "Cold it was."));
    let tree =
        [leaf("H1", 0), leaf("Caption", 1), leaf("Code", 2), element("BlockQuote", vec![leaf("P", 3)])];
    check(
        &tagged(&[page], "", &tree),
        &["h1 Survey", "p Table 1: Depths", "code let depth = 9;", "quote Cold it was."],
    );
}

/// L2: a form that is content as a whole, and numbers that count in a form.
#[test]
fn forms_have_their_place_in_the_tree() {
    let mut builder = Builder::new();
    let font = "/Resources << /Font << /F1 3 0 R >> >>";
    let whole = builder.add_stream(
        &format!("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /StructParent 1 {font}"),
        line("F1", 10, 50, 700, "Survey").as_bytes(),
    );
    let numbered = builder.add_stream(
        &format!("/Type /XObject /Subtype /Form /BBox [0 0 600 800] /StructParents 2 {font}"),
        (marked(0, &line("F1", 10, 50, 670, "Costs")) + &marked(1, &line("F1", 10, 50, 640, "Rise.")))
            .as_bytes(),
    );
    builder.resources = format!("/XObject << /X1 {whole} 0 R /X2 {numbered} 0 R >>");
    builder.page_with("/StructParents 0", "/X1 Do /X2 Do");
    let root = builder.add("");
    let mut element = |role: &str| builder.add(&format!("<< /S /{role} /P {root} 0 R >>"));
    let (first, second, third) = (element("H1"), element("H2"), element("P"));
    builder.replace(
        root,
        &format!(
            "<< /Type /StructTreeRoot /K [{first} 0 R {second} 0 R {third} 0 R] /ParentTree << /Kids [<< /Limits [0 2] \
             /Nums [0 [] 1 {first} 0 R 2 [{second} 0 R {third} 0 R]] >>] >> >>"
        ),
    );
    builder.catalog = format!("/StructTreeRoot {root} 0 R");
    check(&builder.finish(), &["h1 Survey", "h2 Costs", "p Rise."]);
}

/// L2: where all text is tagged as paragraphs, geometry knows more.
#[test]
fn tags_that_call_everything_a_paragraph_leave_headings_to_geometry() {
    let page = marked(0, &line("F2", 20, 50, 740, "Survey of the harbour"))
        + &marked(1, &lines("F1", 10, 50, 700, &["The board met on Monday and heard", "the yearly survey."]));
    check(
        &tagged(&[page], "", &[leaf("P", 0), leaf("P", 1)]),
        &["h1 Survey of the harbour", "p The board met on Monday and heard the yearly survey."],
    );
}

/// L2: tags that cut paragraphs at every line are not followed.
#[test]
fn tags_of_single_lines_are_not_followed() {
    let text = [
        "The harbour board met on Monday and heard the yearly survey of the",
        "outer breakwater, which had lost eleven metres of its crown during",
        "the storms of the winter before, more than in any year on record so",
        "far, and decided to begin repairs as soon as the weather would allow",
        "it.",
    ];
    let mut page = marked(0, &line("F2", 20, 50, 740, "Survey"));
    let mut tree = vec![leaf("H1", 0)];
    for (idx, text) in (1..).zip(text) {
        page += &marked(idx, &line("F1", 10, 50, 720 - 12 * idx, text));
        tree.push(leaf("P", idx));
    }
    let whole = format!("p {}", text.join(" "));
    check(&tagged(&[page], "", &tree), &["h1 Survey", &whole]);
}

/// L2: a tree that covers little of the page says little of it.
#[test]
fn tags_of_a_small_part_of_the_page_are_not_followed() {
    let page = marked(0, &line("F1", 10, 50, 740, "Tagged."))
        + &lines("F1", 10, 50, 700, &["The board met on Monday and heard", "the yearly survey."]);
    check(
        &tagged(&[page], "", &[leaf("H1", 0)]),
        &["p Tagged.", "p The board met on Monday and heard the yearly survey."],
    );
}

/// L2 and D6: pages asked for are read by the tree as they are in the whole file.
#[test]
fn a_page_in_the_middle_has_its_own_part_of_the_tree() {
    let page = |text: &str| {
        marked(0, &line("F1", 10, 50, 700, text)) + &marked(1, &line("F1", 10, 50, 680, "Text of it."))
    };
    let pages = [page("First"), page("Second"), page("Third")];
    let sections = (0..3).map(|idx| {
        element(
            "Sect",
            vec![element("H2", vec![Node::Content(idx, 0)]), element("P", vec![Node::Content(idx, 1)])],
        )
    });
    let bytes = tagged(&pages, "", &[element("Document", sections.collect())]);
    let second = PageNumber::new(2).expect("a page");
    let scope = Scope { pages: Some(vec![second..=second]), ..Scope::default() };
    let document = conspect_pdf::read(&Input::new(&bytes, "test.pdf"), &scope, &Limits::default());
    builder::pretty_equal(&builder::told(&document.expect("a document")), &["h2 Second", "p Text of it."]);
}

/// D5: a tree whose elements are one another's parents, or nest without end, ends.
#[test]
fn a_tree_that_loops_or_nests_without_end_is_passed_over() {
    let page =
        marked(0, &line("F1", 10, 50, 700, "Round")) + &marked(1, &line("F1", 10, 50, 680, "and deep."));
    let mut builder = Builder::new();
    builder.page_with("/StructParents 0", &page);
    let root = builder.add("");
    let (a, b) = (builder.add(""), builder.add(""));
    builder.replace(a, &format!("<< /S /H1 /P {b} 0 R /K [0 {b} 0 R] >>"));
    builder.replace(b, &format!("<< /S /Sect /P {a} 0 R /K [{a} 0 R] >>"));
    let mut deep = root;
    for _ in 0..20_000 {
        deep = builder.add(&format!("<< /S /Sect /P {deep} 0 R >>"));
    }
    builder.replace(
        root,
        &format!("<< /K [{a} 0 R] /ParentTree << /Nums [0 [{a} 0 R {deep} 0 R]] /Kids [{root} 0 R] >> >>"),
    );
    builder.catalog = format!("/StructTreeRoot {root} 0 R");
    check(&builder.finish(), &["p Round", "p and deep."]);
}

/// L2: Excel tags the cells of a row as it draws them, and leaves out those that are empty.
#[test]
fn tables_whose_cells_are_told_out_of_order_are_left_to_geometry() {
    let rows =
        [["Port", "Depth", "Crew"], ["Outer", "9 m", "Four"], ["Inner", "7 m", "Two"], ["Old", "3 m", "One"]];
    let mut page = String::new();
    let mut tree_rows = Vec::new();
    for (row_idx, row) in rows.iter().enumerate() {
        let first = 3 * row_idx as u32;
        for (column, text) in (0_u32..).zip(row) {
            page +=
                &marked(first + column, &line("F1", 10, 50 + 150 * column, 700 - 15 * row_idx as u32, text));
        }
        // The last column first in every second row.
        let order = if row_idx % 2 == 0 { [0, 1, 2] } else { [2, 0, 1] };
        tree_rows.push(element("TR", order.iter().map(|column| leaf("TD", first + column)).collect()));
    }
    check(
        &tagged(&[page], "", &[element("Table", tree_rows)]),
        &["th Port | Depth | Crew", "td Outer | 9 m | Four", "td Inner | 7 m | Two", "td Old | 3 m | One"],
    );
}
