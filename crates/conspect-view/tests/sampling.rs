//! What must hold for every sample, whatever the text looks like (S1, S3, S4, S6, S8, S10).

use std::ops::ControlFlow;

use conspect_model::{
    Block, BlockKind, Document, Format, LineRange, Origin, OwnedLines, PageNumber, Rect, Table, TextLines,
};
use conspect_view::{
    Claim, Query, RenderOptions, SampleOptions, Shown, Style, View, lay_out, render, rendered_chars, sample,
};
use proptest::prelude::*;

/// A text of lines, of which some are headings and some are a table.
fn text_document(
    lines: &[String],
    headings: &[usize],
    table: Option<std::ops::Range<usize>>,
) -> Document<'static> {
    let mut document = Document::new(Format::Markdown);
    let mut owned = OwnedLines::new();
    for line in lines {
        owned.push(line);
    }
    let over = |range: std::ops::Range<usize>| Origin::Lines(LineRange::from_idx(range));
    for &line_idx in headings {
        let level = (line_idx % 3 + 1) as u8;
        document.blocks.push(Block::new(BlockKind::Heading { level }, "", over(line_idx..line_idx + 1)));
    }
    if let Some(range) = table {
        document.blocks.push(Block::new(BlockKind::TableLines { n_header_lines: 1 }, "", over(range)));
    }
    document.extent.n_lines = owned.n_lines() as u64;
    document.lines = Some(Box::new(owned));
    document
}

/// The same with a place for most lines, and for places inside them.
struct PlacedLines(OwnedLines);

impl TextLines for PlacedLines {
    fn n_lines(&self) -> usize {
        self.0.n_lines()
    }

    fn n_chars(&self) -> usize {
        self.0.n_chars()
    }

    fn visit(&self, lines: std::ops::Range<usize>, each: &mut dyn FnMut(usize, &str) -> ControlFlow<()>) {
        self.0.visit(lines, each);
    }

    fn place(&self, line_idx: usize, byte: usize) -> Option<String> {
        (!line_idx.is_multiple_of(7)).then(|| format!("{}é[{byte}]", "k".repeat(line_idx % 40)))
    }
}

fn placed_document(lines: &[String]) -> Document<'static> {
    let mut owned = OwnedLines::new();
    lines.iter().for_each(|line| owned.push(line));
    let mut document = Document::new(Format::Json);
    document.extent.n_lines = owned.n_lines() as u64;
    document.lines = Some(Box::new(PlacedLines(owned)));
    document
}

/// Blocks that are laid out by us: headings, paragraphs of any length, tables, code, over some pages.
fn laid_out_document(shapes: &[(u8, u16)]) -> Document<'static> {
    let mut document = Document::new(Format::Pdf);
    for (idx, &(shape, size)) in shapes.iter().enumerate() {
        let page = PageNumber::from_idx(idx / 4);
        let origin = Origin::Page { page, rect: Rect::default() };
        let words =
            |n: u16| (0..n).map(|n| format!("word{} ", n % 50)).collect::<String>().trim_end().to_owned();
        document.blocks.push(match shape % 6 {
            0 => Block::new(BlockKind::Heading { level: shape / 5 % 4 + 1 }, words(size % 9 + 1), origin),
            1 | 2 => Block::new(BlockKind::Paragraph, format!("{}.", words(size % 300 + 1)), origin),
            3 => {
                let mut table = Table::new();
                for row in 0..size % 60 + 1 {
                    assert!(table.push(origin, [format!("key{row}").as_str(), "some | value", "3.5"]));
                }
                table.n_header_rows = usize::from(shape / 5 % 2);
                Block::new(BlockKind::Table(Box::new(table)), "", origin)
            }
            4 => {
                let mut table = Table::new();
                let n_columns = usize::from(size % 70) + 6;
                for row in 0..size % 40 + 2 {
                    let cells: Vec<String> = (0..n_columns)
                        .map(|column| match (row, column % 9) {
                            (0, _) => format!("name{column}"),
                            (_, 4) => words(size % 30),
                            _ => format!("{}", usize::from(row) * column),
                        })
                        .collect();
                    assert!(table.push(origin, cells.iter().map(String::as_str)));
                }
                table.n_header_rows = 1;
                Block::new(BlockKind::Table(Box::new(table)), "", origin)
            }
            _ => Block::new(BlockKind::Code { language: None }, "let x = 1;\n\n    let y = word7;", origin),
        });
    }
    document
}

/// Lines of the shapes that a sampler meets: short, empty, long, very long, CSV, CJK, right-to-left, emoji.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,8}( [a-z]{1,8}){0,12}",
        2 => Just(String::new()),
        2 => "[a-z]",
        1 => "[a-z ]{1850,1950}",
        1 => "#?[0-9]{1,4},[a-z]{1,9},[0-9]{1,6}",
        1 => "[東京都人口推移年度]{5,120}",
        1 => "[אבגדהוזחט ]{5,80}",
        1 => "[🙂🚀👩‍👩‍👧é]{1,40}",
        1 => "[กขคงจฉชซ]{5,80}",
    ]
}

fn text() -> impl Strategy<Value = (Vec<String>, Vec<usize>, Option<std::ops::Range<usize>>)> {
    (proptest::collection::vec(line(), 1..400), 0_usize..40, any::<bool>()).prop_map(
        |(lines, every, has_table)| {
            let n = lines.len();
            let headings = if every == 0 { vec![] } else { (0..n / 2).step_by(every).collect() };
            let table = (has_table && n > 8).then_some(n / 2..n);
            (lines, headings, table)
        },
    )
}

fn options(budget: usize, query: Option<&Query>, style: Style, line_numbers: bool) -> SampleOptions<'_> {
    SampleOptions { query, render: RenderOptions { style, line_numbers }, ..SampleOptions::new(budget) }
}

/// Everything that must hold for one sample of one document.
fn check(document: &Document<'_>, options: &SampleOptions<'_>) {
    let listing = lay_out(document);
    let view = sample(&listing, options);
    let text = render(&listing, &view, &options.render);
    let used = text.chars().count();

    // S1: exact, and nearly all used where there is more. A budget that holds no more than a marker gives a marker.
    assert_eq!(used, rendered_chars(&listing, &view, &options.render), "what is counted is what is printed");
    if options.budget >= 120 {
        assert!(used <= options.budget, "{used} of {}", options.budget);
        if !view.is_whole() && options.budget >= 400 {
            assert!(used * 10 >= options.budget * 9, "only {used} of {} used", options.budget);
        }
    }

    // S6: shown + skipped = total, and the markers carry the true numbers.
    let n_skipped: usize = view.gaps().iter().map(|gap| gap.lines.len()).sum();
    assert_eq!(view.n_shown() + n_skipped, listing.n_lines());
    for gap in view.gaps() {
        let lines = if gap.lines.len() == 1 { "line" } else { "lines" };
        let marker =
            format!("[... skipped {} {lines} ({}-{})", gap.lines.len(), gap.lines.start + 1, gap.lines.end);
        assert!(text.contains(&marker), "no {marker:?} in\n{text}");
    }
    check_order(&view);
    check_tables(&listing, &view);
    if options.budget >= 1_000 {
        check_columns(&listing, &view, options);
    }

    // S2: the first and the last line that is not blank.
    let blank = |line_idx: &usize| listing.plain(*line_idx).trim().is_empty();
    let first = (0..listing.n_lines()).find(|line_idx| !blank(line_idx));
    let last = (0..listing.n_lines()).rev().find(|line_idx| !blank(line_idx));
    let shows = |line_idx: usize| view.runs.iter().any(|run| run.lines.contains(&line_idx));
    if options.budget >= 200 {
        assert!(first.is_none_or(shows) && last.is_none_or(shows), "an end is missing");
    }

    // S4: what is shown only for the query takes no more than its share.
    let for_query: usize = view
        .runs
        .iter()
        .filter(|run| run.claim == Claim::Query)
        .map(|run| match &run.shown {
            Shown::Whole => {
                run.lines.clone().map(|line_idx| listing.plain(line_idx).chars().count() + 1).sum()
            }
            Shown::Pieces { pieces, .. } => pieces.iter().map(|piece| piece.chars.len()).sum::<usize>(),
        })
        .sum();
    assert!(view.is_whole() || for_query as f64 <= options.budget as f64 * options.query_share + 1.0);

    // S8.
    assert_eq!(sample(&listing, options), view);
}

/// Lines come in order and once, pieces come in order and apart, and the numbers of characters are true.
fn check_order(view: &View) {
    let mut next = 0;
    for run in &view.runs {
        assert!(run.lines.start >= next && run.lines.start < run.lines.end && run.lines.end <= view.n_lines);
        next = run.lines.end;
        if let Shown::Pieces { pieces, n_chars } = &run.shown {
            assert_eq!(run.lines.len(), 1);
            let mut end = None;
            for piece in pieces {
                assert!(end.is_none_or(|end| piece.chars.start > end) && piece.chars.end <= *n_chars);
                end = Some(piece.chars.end);
            }
            let shown: usize = pieces.iter().map(|piece| piece.chars.len()).sum();
            assert!(shown < *n_chars, "a line shown in full is whole");
        }
    }
}

/// The rows of a wide table show the same columns, or the first ones, so that each cell stands below its name.
fn check_columns(listing: &conspect_view::Listing<'_>, view: &View, options: &SampleOptions<'_>) {
    let n_cells = |line_idx: usize| {
        let own = View {
            runs: view.runs.iter().filter(|run| run.lines.contains(&line_idx)).cloned().collect(),
            n_lines: view.n_lines,
            ..View::default()
        };
        let text = render(listing, &own, &RenderOptions { line_numbers: false, ..options.render.clone() });
        let row = text.lines().find(|line| line.starts_with('|')).unwrap_or_default().to_owned();
        (row.replace("\\|", "").matches('|').count(), row)
    };
    for run in view.runs.iter().filter(|run| matches!(run.claim, Claim::Query | Claim::Coverage)) {
        let Some(table) = listing.table_at(run.lines.start) else { continue };
        let (Shown::Pieces { pieces, .. }, Some(row)) = (&run.shown, listing.row(run.lines.start)) else {
            continue;
        };
        if row.n_cells() >= 6 && !table.header.is_empty() {
            let (header, row) = (n_cells(table.header.start), n_cells(run.lines.start));
            let is_beginning = pieces.len() == 1 && pieces[0].chars.start == 0;
            assert!(header.0 == row.0 || is_beginning, "{}\n{}", header.1, row.1);
        }
    }
}

/// S3, the last sentence.
fn check_tables(listing: &conspect_view::Listing<'_>, view: &View) {
    let shows = |line_idx: usize| view.runs.iter().any(|run| run.lines.contains(&line_idx));
    for run in view.runs.iter().filter(|run| matches!(run.claim, Claim::Query | Claim::Coverage)) {
        for line_idx in run.lines.clone() {
            if let Some(table) = listing.table_at(line_idx).filter(|table| table.rows.contains(&line_idx)) {
                assert!(table.header.clone().all(shows), "row {line_idx} stands without its header");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn samples_of_text_keep_their_promises(
        (lines, headings, table) in text(),
        budget in prop_oneof![1_usize..200, 200_usize..6_000, 6_000_usize..30_000],
        query in prop_oneof![Just(None), "[a-z]{1,3} 東京 [0-9]{1,3}".prop_map(Some)],
        line_numbers in any::<bool>(),
    ) {
        let document = text_document(&lines, &headings, table);
        let query = query.map(|query| Query::parse(&query));
        check(&document, &options(budget, query.as_ref(), Style::Text, line_numbers));
    }

    /// R51 in data and logs.
    #[test]
    fn samples_with_places_keep_their_promises(
        (lines, _, _) in text(),
        budget in prop_oneof![1_usize..200, 200_usize..6_000, 6_000_usize..30_000],
        query in prop_oneof![Just(None), "[a-z]{1,3} 東京 [0-9]{1,3}".prop_map(Some)],
        line_numbers in any::<bool>(),
    ) {
        let document = placed_document(&lines);
        let query = query.map(|query| Query::parse(&query));
        let options = options(budget, query.as_ref(), Style::Text, line_numbers);
        check(&document, &options);
        let listing = lay_out(&document);
        let view = sample(&listing, &options);
        let text = render(&listing, &view, &options.render);
        for gap in view.gaps().iter().filter(|gap| gap.lines.end < listing.n_lines()) {
            if let Some(place) = listing.place(gap.lines.end, 0) {
                let marks = format!("-{}) ...]\n[at {place}]\n", gap.lines.end);
                assert!(text.contains(&marks), "no {marks:?} in\n{text}");
            }
        }
    }

    #[test]
    fn samples_of_laid_out_documents_keep_their_promises(
        shapes in proptest::collection::vec(any::<(u8, u16)>(), 1..120),
        budget in prop_oneof![1_usize..200, 200_usize..6_000, 6_000_usize..30_000],
        asks in any::<bool>(),
        markdown in any::<bool>(),
    ) {
        let document = laid_out_document(&shapes);
        let query = Query::parse("word7 \"word8 word9\" key3");
        let style = if markdown { Style::Markdown } else { Style::Text };
        check(&document, &options(budget, asks.then_some(&query), style, false));
    }
}

#[test]
fn one_very_long_line_keeps_the_fact_asked_for() {
    let mut line = "lorem ipsum dolor sit amet ".repeat(44_500);
    line.insert_str(25_000, "the harbour master of Ystad is Karin Blom ");
    let document = text_document(&[line], &[], None);
    let query = Query::parse("Who is the harbour master of Ystad?");
    let options = options(2_000, Some(&query), Style::Text, false);
    check(&document, &options);
    let listing = lay_out(&document);
    let text = render(&listing, &sample(&listing, &options), &options.render);
    assert!(text.contains("Karin Blom"), "{text}");
}

#[test]
fn a_million_blank_lines_are_one_gap() {
    let mut lines = vec![String::from("begin")];
    lines.resize(1_000_000, String::new());
    lines.push(String::from("end"));
    let document = text_document(&lines, &[], None);
    let listing = lay_out(&document);
    let view = sample(&listing, &SampleOptions::new(2_000));
    let text = render(&listing, &view, &RenderOptions::default());
    assert!(text.starts_with("begin\n") && text.ends_with("end\n") && text.chars().count() <= 2_000);
}

#[test]
fn all_headings_thin_out_by_level_and_evenly() {
    let lines: Vec<String> = (0..2_000).map(|n| format!("Heading number {n}")).collect();
    let headings: Vec<usize> = (0..2_000).collect();
    let document = text_document(&lines, &headings, None);
    let listing = lay_out(&document);
    let options = SampleOptions::new(3_000);
    check(&document, &options);
    let view = sample(&listing, &options);
    assert!(view.n_headings_left_out > 1_500);
    let structure: Vec<usize> =
        view.runs.iter().filter(|run| run.claim == Claim::Structure).map(|run| run.lines.start).collect();
    assert!(structure.iter().all(|line_idx| line_idx % 3 == 0), "only level 1 fits: {structure:?}");
    let (low, high) = (structure.iter().filter(|idx| **idx < 1_000).count(), structure.len());
    assert!(low * 3 > high && low * 3 < high * 2, "spread over both halves: {structure:?}");
}

#[test]
fn without_a_query_no_gap_is_much_larger_than_the_mean() {
    let lines: Vec<String> = (0..5_000).map(|n| format!("{n} {}", "x".repeat(n * 7 % 90))).collect();
    let document = text_document(&lines, &[], None);
    let listing = lay_out(&document);
    let view = sample(&listing, &SampleOptions::new(8_000));
    let gaps: Vec<usize> = view
        .gaps()
        .iter()
        .map(|gap| gap.lines.clone().map(|line_idx| lines[line_idx].len() + 1).sum())
        .collect();
    let mean = gaps.iter().sum::<usize>() / gaps.len();
    assert!(gaps.iter().all(|gap| *gap <= mean * 2), "mean {mean}, gaps {gaps:?}");
}

#[test]
fn a_query_that_hits_nothing_changes_nothing() {
    let lines: Vec<String> = (0..900).map(|n| format!("line {n} of some prose about rivers")).collect();
    let document = text_document(&lines, &[0, 300, 600], None);
    let listing = lay_out(&document);
    let query = Query::parse("xylophone quartz");
    let with = sample(&listing, &options(2_000, Some(&query), Style::Text, false));
    assert_eq!(with, sample(&listing, &SampleOptions::new(2_000)));
}

#[test]
fn a_row_that_answers_brings_its_header_and_heading() {
    let mut lines: Vec<String> =
        (0..300).map(|n| format!("Some prose, sentence {n}, about nothing much.")).collect();
    lines.push("# Prices".into());
    lines.push("name,unit,price".into());
    lines.extend((0..800).map(|n| format!("item{n},kg,{}", n * 3)));
    let document = text_document(&lines, &[300], Some(301..1102));
    let query = Query::parse("price of item517");
    let options = options(2_000, Some(&query), Style::Text, false);
    check(&document, &options);
    let listing = lay_out(&document);
    let text = render(&listing, &sample(&listing, &options), &options.render);
    let place = |what: &str| text.find(what).unwrap_or_else(|| panic!("no {what:?} in\n{text}"));
    assert!(
        place("# Prices") < place("name,unit,price") && place("name,unit,price") < place("item517,kg,1551")
    );
}

/// A table document of one sheet-like table, with a header.
fn table_document(
    n_rows: usize,
    cell: impl Fn(usize, usize) -> String,
    n_columns: usize,
) -> Document<'static> {
    let mut document = Document::new(Format::Xlsx);
    let mut table = Table::new();
    for row in 0..=n_rows {
        let cells: Vec<String> = (0..n_columns).map(|column| cell(row, column)).collect();
        assert!(table.push(Origin::File, cells.iter().map(String::as_str)));
    }
    table.n_header_rows = 1;
    document.blocks.push(Block::new(BlockKind::Table(Box::new(table)), "", Origin::File));
    document
}

/// Wide rows are cut per column with the names kept, and a hit in a far column of a far row is shown below its name.
#[test]
fn wide_rows_are_cut_by_columns() {
    let cell = |row: usize, column: usize| match (row, column) {
        (0, _) => format!("measure {column}"),
        (777, 151) => String::from("zirconium"),
        _ => format!("{}", row * 7 + column),
    };
    let document = table_document(1_000, cell, 200);
    let listing = lay_out(&document);
    let query = Query::parse("zirconium");
    let options = options(2_000, Some(&query), Style::Text, false);
    check(&document, &options);
    let text = render(&listing, &sample(&listing, &options), &options.render);
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| line.starts_with('|')).map(|line| line.split('|').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{text}");
    let hit = rows.iter().find(|row| row.contains(&" zirconium ")).expect("the row that was asked for");
    let column = hit.iter().position(|cell| *cell == " zirconium ").expect("its cell");
    assert_eq!((rows[0][1], rows[0][column], hit[1]), (" measure 0 ", " measure 151 ", " 5439 "));
    assert!(text.contains("…[+") && text.contains(" columns] |"), "{text}");
}

/// What the columns hold is said of tables that are shown in part, by all of their rows.
#[test]
fn columns_of_long_tables_are_described() {
    let cell = |row: usize, column: usize| match (row, column) {
        (0, _) => ["id", "state", "price", "note"][column].to_owned(),
        (_, 0) => row.to_string(),
        (_, 1) => ["open", "closed"][row % 2].to_owned(),
        (_, 2) if row.is_multiple_of(10) => String::new(),
        (_, 2) => format!("{}.5", row % 90),
        _ => format!("note {row} on something or other"),
    };
    let document = table_document(2_000, cell, 4);
    let listing = lay_out(&document);
    let profile = "[2000 rows; id: number 1 to 2000, over 1000 distinct; state: text (closed | open); \
                   price: number 1.5 to 89.5, 81 distinct, 200 empty; note: text, over 1000 distinct]\n| id |";
    for budget in [3_000, 8_000] {
        let options = SampleOptions::new(budget);
        check(&document, &options);
        let text = render(&listing, &sample(&listing, &options), &options.render);
        assert_eq!(text.matches(profile).count(), 1, "{text}");
    }
    let few = table_document(25, cell, 4);
    let listing = lay_out(&few);
    let text = render(&listing, &sample(&listing, &SampleOptions::new(800)), &RenderOptions::default());
    assert!(!text.contains("25 rows"), "{text}");
}

/// S3: tables thin out too, and it is known how many are left out.
#[test]
fn five_hundred_tables_thin_out() {
    let mut document = Document::new(Format::Docx);
    for number in 0..500 {
        let mut table = Table::new();
        for row in [format!("Name of table {number}"), String::from("a"), String::from("b")] {
            assert!(table.push(Origin::File, [row.as_str(), "value"]));
        }
        table.n_header_rows = 1;
        document.blocks.push(Block::new(BlockKind::Table(Box::new(table)), "", Origin::File));
    }
    let listing = lay_out(&document);
    let options = SampleOptions::new(2_000);
    check(&document, &options);
    let view = sample(&listing, &options);
    let is_shown = |number: &usize| {
        view.runs.iter().any(|run| run.lines.start < number * 3 + 3 && run.lines.end > number * 3)
    };
    let shown: Vec<usize> = (0..500).filter(is_shown).collect();
    assert_eq!(view.n_tables_left_out, 500 - shown.len());
    assert!(shown.len() > 10 && shown.iter().filter(|&&number| number < 250).count() * 3 > shown.len());
}
