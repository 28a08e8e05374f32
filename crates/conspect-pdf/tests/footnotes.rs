//! Footnotes, told by their look and by the marks that stand in the text. L5.

mod builder;

use builder::{Builder, check, lines};

/// A line of text with raised marks: what stands between bars is smaller and higher.
fn marked(x: u32, y: u32, text: &str) -> String {
    let mut content = format!("BT {x} {y} Td\n");
    for (idx, piece) in text.split('|').enumerate() {
        content += &match idx % 2 {
            0 => format!("/F1 10 Tf 0 Ts ({piece}) Tj\n"),
            _ => format!("/F1 6 Tf 4 Ts ({piece}) Tj\n"),
        };
    }
    content + "ET\n"
}

#[test]
fn notes_at_the_foot_of_a_page_are_notes_and_the_text_goes_on_over_the_page() {
    let mut builder = Builder::new();
    builder.page(
        &(marked(50, 700, "The board met on Monday|1| and heard the yearly survey of the")
            + &marked(50, 688, "outer breakwater,|2| which had lost eleven metres of its crown during")
            + &lines("F1", 8, 50, 70, &["1 Not on Tuesday, as the Gazette says."])
            + &lines(
                "F1",
                8,
                50,
                60,
                &["2 Built by convicts, and never once", "repaired until the great storm."],
            )),
    );
    builder.page(&lines("F1", 10, 50, 700, &["the storms of the winter before."]));
    check(
        &builder.finish(),
        &[
            "p The board met on Monday1 and heard the yearly survey of the outer breakwater,2 which had lost eleven \
             metres of its crown during the storms of the winter before.",
            "note 1 Not on Tuesday, as the Gazette says.",
            "note 2 Built by convicts, and never once repaired until the great storm.",
        ],
    );
}

#[test]
fn signs_mark_notes_as_well() {
    // WinAnsi has the dagger at 134.
    let content = marked(50, 700, "Stone is dear|*| this year, and cranes|\\206| are not to be had at all.")
        + &lines("F1", 8, 50, 80, &["* Twice the price of last year."])
        + "BT /F1 8 Tf 50 60 Td (\\206 The last was sold in March.) Tj ET";
    check(
        &Builder::of_page(&content),
        &[
            "p Stone is dear* this year, and cranes† are not to be had at all.",
            "note * Twice the price of last year.",
            "note † The last was sold in March.",
        ],
    );
}

#[test]
fn what_the_text_does_not_refer_to_is_no_note() {
    let text = marked(50, 700, "Stone is dear this year, and cranes are not to be had at all.");
    let small = lines("F1", 8, 50, 60, &["1 Department of Harbours, University of Dunmere"]);
    check(
        &Builder::of_page(&(text + &small)),
        &[
            "p Stone is dear this year, and cranes are not to be had at all.",
            "p 1 Department of Harbours, University of Dunmere",
        ],
    );
}

#[test]
fn small_text_above_the_text_is_no_note_and_neither_is_text_of_its_size() {
    let small = lines("F1", 8, 50, 740, &["1 Not on Tuesday, as the Gazette says."]);
    let text = marked(50, 700, "The board met on Monday|1| and heard the yearly survey of the year.");
    let same = lines("F1", 10, 50, 60, &["1 Not on Tuesday, as the Gazette says."]);
    for content in [small + &text, text.clone() + &same] {
        let document = builder::read(&Builder::of_page(&content)).expect("a document");
        let told = builder::told(&document);
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().all(|line| !line.starts_with("note")), "{told:?}");
    }
}

#[test]
fn numbers_in_the_text_are_no_marks() {
    let text = marked(50, 700, "Depths of 2.1 and 3 fathoms were found by crew B1 of the survey ship.");
    let small = lines("F1", 8, 50, 60, &["1 Department of Harbours, University of Dunmere"]);
    let document = builder::read(&Builder::of_page(&(text + &small))).expect("a document");
    let told = builder::told(&document);
    assert!(told.iter().all(|line| !line.starts_with("note")), "{told:?}");
}

#[test]
fn notes_as_close_as_lines_of_one_paragraph_are_parted() {
    let text =
        marked(50, 700, "Stone is dear|*| this year, and cranes|1| are not to be had.|2| The board met.")
            + &lines(
                "F1",
                10,
                50,
                688,
                &["It heard the survey of the breakwater, and was not pleased by it."],
            );
    let notes = ["* Twice the price of last year", "1 The last was sold in March", "2 So says the Gazette"];
    check(
        &Builder::of_page(&(text + &lines("F1", 8, 50, 80, &notes))),
        &[
            "p Stone is dear* this year, and cranes1 are not to be had.2 The board met. It heard the survey of the \
             breakwater, and was not pleased by it.",
            "note * Twice the price of last year",
            "note 1 The last was sold in March",
            "note 2 So says the Gazette",
        ],
    );
}

#[test]
fn a_mark_may_have_a_bracket_where_the_text_has_it_too() {
    let text = marked(50, 700, "The board met on Monday|3\\)| and heard the yearly survey of the year.");
    let note = lines("F1", 8, 50, 60, &["3) Not on Tuesday, as the Gazette says."]);
    check(
        &Builder::of_page(&(text + &note)),
        &[
            "p The board met on Monday3) and heard the yearly survey of the year.",
            "note 3 Not on Tuesday, as the Gazette says.",
        ],
    );
}
