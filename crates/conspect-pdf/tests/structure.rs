//! From glyphs to blocks: paragraphs, headings, lists, tables, what repeats on pages.

mod builder;

use builder::{Builder, check, lines, told};
use conspect_model::{BlockKind, Input, Limits, RunningText, Scope};

const BODY: [&str; 4] = [
    "The harbour board met on Monday and heard the yearly survey of the",
    "outer breakwater, which had lost eleven metres of its crown during",
    "the storms of the winter before, more than in any year on record so",
    "far.",
];

#[test]
fn lines_are_joined_to_paragraphs_and_gaps_part_them() {
    let content =
        lines("F1", 10, 50, 700, &BODY) + &lines("F1", 10, 50, 630, &["Repairs begin after the storms."]);
    check(
        &Builder::of_page(&content),
        &[
            "p The harbour board met on Monday and heard the yearly survey of the outer breakwater, which had lost \
             eleven metres of its crown during the storms of the winter before, more than in any year on record so far.",
            "p Repairs begin after the storms.",
        ],
    );
}

#[test]
fn words_divided_at_line_ends_are_made_whole_unless_the_hyphen_is_theirs() {
    let text =
        ["The well-known engineer said that the work on the break-", "water is a well-", "known trouble."];
    check(
        &Builder::of_page(&lines("F1", 10, 50, 700, &text)),
        &["p The well-known engineer said that the work on the breakwater is a well-known trouble."],
    );
}

#[test]
fn larger_and_bolder_lines_are_headings_ranked_by_size() {
    let content = lines("F2", 20, 50, 750, &["Survey of the harbour"])
        + &lines("F1", 10, 50, 720, &BODY)
        + &lines("F2", 14, 50, 650, &["The breakwater"])
        + &lines("F1", 10, 50, 630, &BODY)
        + &lines("F2", 10, 50, 560, &["What it costs"])
        + &lines("F1", 10, 50, 540, &["It costs more than last year."]);
    let told: Vec<String> = {
        let document = builder::read(&Builder::of_page(&content)).expect("a document");
        builder::told(&document).into_iter().filter(|line| line.starts_with('h')).collect()
    };
    builder::pretty_equal(&told, &["h1 Survey of the harbour", "h2 The breakwater", "h3 What it costs"]);
}

/// L5: the number of a title counts titles, not items.
#[test]
fn a_numbered_bold_line_is_the_title_of_the_list_below_it() {
    let content = lines("F1", 10, 50, 760, &BODY)
        + &lines("F2", 10, 50, 690, &["1. The crown is urgent."])
        + &lines("F1", 10, 60, 670, &["- Replace the eleven metres.", "- Watch the rest."])
        + &lines("F2", 10, 50, 625, &["2. The lamp can wait."])
        + &lines("F1", 10, 60, 605, &["- Order a lens."]);
    let document = builder::read(&Builder::of_page(&content)).expect("a document");
    let told = builder::told(&document);
    let items: Vec<String> = told.into_iter().filter(|line| line.starts_with("li")).collect();
    builder::pretty_equal(
        &items,
        &["li0 - Replace the eleven metres.", "li0 - Watch the rest.", "li0 - Order a lens."],
    );
}

/// L5: a narrow column breaks `0.25` after its point.
#[test]
fn a_number_broken_after_its_point_is_no_list_item() {
    let content = lines("F1", 10, 50, 700, &BODY) + &lines("F1", 10, 50, 620, &["0. 2", "5 s"]);
    let document = builder::read(&Builder::of_page(&content)).expect("a document");
    let told = builder::told(&document);
    builder::pretty_equal(&told[1..], &["p 0. 2", "p 5 s"]);
}

#[test]
fn bullets_and_numbers_make_list_items_with_their_depth() {
    let content = lines("F1", 10, 50, 700, &["What is needed:"])
        + &lines(
            "F1",
            10,
            60,
            680,
            &["\u{2022} stone from the quarry".replace('\u{2022}', "\\225").as_str()],
        )
        .replace("\\\\225", "\\225")
        + &lines("F1", 10, 80, 664, &["- of the large kind"])
        + &lines("F1", 10, 60, 648, &["\\225 a crane"]).replace("\\\\225", "\\225")
        + &lines("F1", 10, 50, 620, &["In this order:"])
        + &lines("F1", 10, 60, 600, &["1. the outer wall"])
        + &lines("F1", 10, 60, 584, &["2. the inner wall"]);
    check(
        &Builder::of_page(&content),
        &[
            "p What is needed:",
            "li0 • stone from the quarry",
            "li1 - of the large kind",
            "li0 • a crane",
            "p In this order:",
            "li0 1. the outer wall",
            "li0 2. the inner wall",
        ],
    );
}

#[test]
fn bullets_drawn_after_all_text_find_their_items() {
    let content = lines("F1", 10, 60, 700, &["first item"])
        + &lines("F1", 10, 60, 680, &["second item"])
        + "BT /F1 10 Tf 50 700 Td (\\225) Tj 0 -20 Td (\\225) Tj ET";
    check(&Builder::of_page(&content), &["li0 • first item", "li0 • second item"]);
}

#[test]
fn monospaced_lines_are_code_with_its_indent() {
    let content = lines("F1", 10, 50, 700, &["Run it like this:"])
        + "BT /F3 10 Tf 50 670 Td (fn main\\(\\) {) Tj 24 -12 Td (survey\\(\\);) Tj -24 -12 Td (}) Tj ET";
    check(&Builder::of_page(&content), &["p Run it like this:", "code fn main() {⏎    survey();⏎}"]);
}

/// A cell's text at a place.
fn cell(x: u32, y: u32, text: &str) -> String {
    format!("BT /F1 10 Tf {x} {y} Td ({text}) Tj ET\n")
}

#[test]
fn a_ruled_table_keeps_cells_and_wrapped_lines() {
    let mut content = String::new();
    for y in [700, 680, 650, 630] {
        content += &format!("50 {y} m 350 {y} l S\n");
    }
    for x in [50, 150, 250, 350] {
        content += &format!("{x} 630 m {x} 700 l S\n");
    }
    content += &(cell(55, 686, "Port") + &cell(155, 686, "Depth") + &cell(255, 686, "Since"));
    content += &(cell(55, 668, "Outer")
        + &cell(55, 656, "harbour")
        + &cell(155, 668, "12 m")
        + &cell(255, 668, "1904"));
    content += &(cell(55, 636, "Inner") + &cell(255, 636, "1866"));
    check(
        &Builder::of_page(&content),
        &["th Port | Depth | Since", "td Outer harbour | 12 m | 1904", "td Inner |  | 1866"],
    );
}

#[test]
fn a_cell_over_two_columns_stands_at_its_first_place() {
    let mut content = String::new();
    for y in [700, 680, 660, 640] {
        content += &format!("50 {y} m 350 {y} l S\n");
    }
    for (x, top) in [(50, 700), (150, 680), (250, 700), (350, 700)] {
        content += &format!("{x} 640 m {x} {top} l S\n");
    }
    content += &(cell(110, 686, "Where and how deep") + &cell(255, 686, "Since"));
    content += &(cell(55, 666, "Outer") + &cell(155, 666, "12 m") + &cell(255, 666, "1904"));
    content += &(cell(55, 646, "Inner") + &cell(155, 646, "7 m") + &cell(255, 646, "1866"));
    check(
        &Builder::of_page(&content),
        &["th Where and how deep |  | Since", "td Outer | 12 m | 1904", "td Inner | 7 m | 1866"],
    );
}

#[test]
fn three_rows_in_columns_are_a_table_without_lines() {
    let mut content = lines("F1", 10, 50, 720, &["The ports of the coast:"]);
    for (row, texts) in
        [["Port", "Depth", "Since"], ["Outer", "12 m", "1904"], ["Inner", "7 m", "1866"]].iter().enumerate()
    {
        for (column, text) in texts.iter().enumerate() {
            content += &cell(50 + 100 * column as u32, 690 - 14 * row as u32, text);
        }
    }
    check(
        &Builder::of_page(&content),
        &[
            "p The ports of the coast:",
            "th Port | Depth | Since",
            "td Outer | 12 m | 1904",
            "td Inner | 7 m | 1866",
        ],
    );
}

#[test]
fn a_table_goes_on_over_the_page_and_its_repeated_header_does_not() {
    let mut builder = Builder::new();
    for rows in [
        [["Port", "Depth"], ["Outer", "12 m"], ["Inner", "7 m"]],
        [["Port", "Depth"], ["North", "5 m"], ["South", "4 m"]],
    ] {
        let mut content = String::new();
        for (row, texts) in rows.iter().enumerate() {
            for (column, text) in texts.iter().enumerate() {
                content += &cell(50 + 200 * column as u32, 500 - 14 * row as u32, text);
            }
        }
        builder.page(&content);
    }
    let bytes = builder.finish();
    let document = builder::read(&bytes).expect("a document");
    let BlockKind::Table(table) = &document.blocks[0].kind else { panic!("a table") };
    let pages: Vec<u32> = table.rows().filter_map(|row| Some(row.origin().page()?.get())).collect();
    assert_eq!(pages, [1, 1, 1, 2, 2], "every row knows its own page");
    check(
        &bytes,
        &["th Port | Depth", "td Outer | 12 m", "td Inner | 7 m", "td North | 5 m", "td South | 4 m"],
    );
}

#[test]
fn a_table_over_the_limit_of_cells_is_cut_and_told() {
    let mut content = String::new();
    for row in 0..4 {
        content += &(cell(50, 600 - 14 * row, "a port") + &cell(250, 600 - 14 * row, "a depth"));
    }
    let bytes = Builder::of_page(&content);
    let limits = Limits { max_cells: 5, ..Limits::default() };
    let document =
        conspect_pdf::read(&Input::new(&bytes, "test.pdf"), &Scope::default(), &limits).expect("a document");
    builder::pretty_equal(
        &builder::told(&document),
        &[
            "th a port | a depth",
            "td a port | a depth",
            "! page 1: the tables from here on have more cells than the limit allows: the rest is missing",
        ],
    );
}

#[test]
fn two_columns_written_across_are_read_down() {
    let left = [
        "The board met on Monday and",
        "heard the survey of the outer",
        "breakwater that had lost some",
        "eleven metres of its crown.",
    ];
    let right = [
        "Repairs will begin after the",
        "storms and should be done well",
        "before the ferries come back in",
        "the month of May, it was said.",
    ];
    let mut content = String::new();
    for (row, (left, right)) in left.iter().zip(right).enumerate() {
        content += &(cell(50, 700 - 12 * row as u32, left) + &cell(300, 700 - 12 * row as u32, right));
    }
    check(
        &Builder::of_page(&content),
        &[
            "p The board met on Monday and heard the survey of the outer breakwater that had lost some eleven metres of its crown.",
            "p Repairs will begin after the storms and should be done well before the ferries come back in the month of May, it was said.",
        ],
    );
}

/// Three pages with a running header and a number.
fn pages_with_running_text() -> Vec<u8> {
    let mut builder = Builder::new();
    let texts = ["Stone is dear this year.", "Cranes were hired in March.", "The wall is finished now."];
    for (idx, text) in texts.iter().enumerate() {
        builder.page(
            &(lines("F1", 8, 50, 780, &["Survey of the harbour 1904"])
                + &lines("F1", 10, 50, 500, &[text])
                + &lines("F1", 8, 300, 20, &[&format!("Page {}", idx + 1)])),
        );
    }
    builder.finish()
}

#[test]
fn running_headers_footers_and_page_numbers_stand_in_notices() {
    check(
        &pages_with_running_text(),
        &[
            "p Stone is dear this year.",
            "p Cranes were hired in March.",
            "p The wall is finished now.",
            "! page 1: running header left out of pages 1-3: Survey of the harbour 1904",
            "! page 1: page numbers left out of pages 1-3: Page 1 to Page 3",
        ],
    );
}

#[test]
fn running_text_stays_where_it_stands_when_it_is_asked_for() {
    let scope = Scope { running_text: RunningText::Kept, ..Scope::default() };
    let bytes = pages_with_running_text();
    let document =
        conspect_pdf::read(&Input::new(&bytes, "test.pdf"), &scope, &Limits::default()).expect("a document");
    let told = told(&document);
    for text in ["Survey of the harbour 1904", "Page 1", "Page 3"] {
        assert!(told.iter().any(|line| line.ends_with(text)), "{text} in {told:#?}");
    }
    assert_eq!(document.notices, []);
}

#[test]
fn a_sentence_broken_by_the_page_is_one_paragraph() {
    let mut builder = Builder::new();
    builder.page(&lines("F1", 10, 50, 100, &["The harbour board met on Monday and heard the yearly"]));
    builder.page(&lines("F1", 10, 50, 700, &["survey of the outer breakwater."]));
    check(
        &builder.finish(),
        &["p The harbour board met on Monday and heard the yearly survey of the outer breakwater."],
    );
}

#[test]
fn many_running_headers_give_twenty_notices_at_most() {
    let mut builder = Builder::new();
    for chapter in 'a'..='z' {
        for text in ["Stone is dear this year.", "Cranes were hired in March."] {
            builder.page_with(
                "",
                &format!(
                    "/Artifact << /Type /Pagination /Subtype /Header >> BDC {} EMC {}",
                    lines("F1", 8, 50, 780, &[&format!("Chapter {chapter}")]),
                    lines("F1", 10, 50, 500, &[text]),
                ),
            );
        }
    }
    let document = builder::read(&builder.finish()).expect("a document");
    let notices: Vec<String> = document.notices.iter().map(ToString::to_string).collect();
    assert_eq!(notices.len(), 20);
    assert_eq!(notices[0], "page 1: running header left out of pages 1-2: Chapter a");
    assert_eq!(notices[19], "7 other running headers and footers left out of pages 39-52");
}

#[test]
fn a_sentence_that_ends_at_a_ragged_line_does_not_end_its_paragraph() {
    // The second line leaves as much room as the fourth, and goes on.
    let text = [
        "The ferry has crossed here since before the road was built over",
        "the hills in the north of the parish and",
        "its rope is as thick as a wrist and is turned every spring so that",
        "it wears evenly on both of its ends.",
        "Whoever wants to cross rings the bell.",
    ];
    check(&Builder::of_page(&lines("F1", 10, 50, 700, &text)), &[&format!("p {}", text.join(" "))]);
}

/// A box of a font of signs, larger than the text beside it and without a known meaning.
#[test]
fn boxes_before_answers_are_bullets_whatever_their_size() {
    let mut builder = Builder::new();
    let boxes = builder.add(
        "<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Signs /FirstChar 1 /LastChar 1 /Widths [800] \
         /Encoding << /Type /Encoding /Differences [1 /nosuchname] >> >>",
    );
    let answer =
        |y: u32, text: &str| format!("BT {} {y} Td /F9 16 Tf (\\001) Tj /F1 10 Tf ( {text}) Tj ET\n", 50);
    let content = lines("F1", 10, 50, 700, &["Does your country keep a register of its harbours?"])
        + &answer(680, "Yes")
        + &answer(660, "No");
    builder.page_with(&format!("/Resources << /Font << /F1 3 0 R /F9 {boxes} 0 R >> >>"), &content);
    let told = told(&builder::read(&builder.finish()).expect("a document"));
    let text: Vec<&String> = told.iter().filter(|line| !line.starts_with('!')).collect();
    assert_eq!(text, ["p Does your country keep a register of its harbours?", "li0 • Yes", "li0 • No"]);
}

/// L4: a frame around a form, whose lines part its title from rows that stand in columns of their own.
#[test]
fn rows_of_columns_inside_one_frame_are_the_rows() {
    let mut content = String::from("50 580 300 120 re S 50 680 m 350 680 l S 200 680 m 200 700 l S\n");
    content += "50 600 m 350 600 l S 200 580 m 200 600 l S\n";
    content += &(lines("F2", 10, 60, 686, &["Owner"]) + &lines("F2", 10, 210, 686, &["Vessel"]));
    let rows = [
        ("Name", "A. Harrow", "Name", "Kestrel"),
        ("Claim", "1904-17", "Built", "1887"),
        ("Port", "Dunmere", "Tons", "212"),
        ("Share", "One half", "Crew", "Nine"),
    ];
    for ((a, b, c, d), y) in rows.iter().zip((0..4).map(|row| 660 - row * 15)) {
        for (text, x) in [(a, 60), (b, 120), (c, 210), (d, 270)] {
            content += &lines("F1", 10, x, y, &[text]);
        }
    }
    content += &(lines("F2", 10, 60, 586, &["Sealed"]) + &lines("F2", 10, 210, 586, &["Dunmere"]));
    check(
        &Builder::of_page(&content),
        &[
            "th Owner |  | Vessel | ",
            "td Name | A. Harrow | Name | Kestrel",
            "td Claim | 1904-17 | Built | 1887",
            "td Port | Dunmere | Tons | 212",
            "td Share | One half | Crew | Nine",
            "td Sealed |  | Dunmere | ",
        ],
    );
}
