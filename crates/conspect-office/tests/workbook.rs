//! What a workbook says: values as shown, and the tables in its sheets.

mod support;

use conspect_model::{BlockKind, CellRange, CellValues, Format, Origin, ReadError, Scope, SheetChoice};
use rust_xlsxwriter::{ExcelDateTime, Format as CellFormat, Formula, Note, Table, Workbook, Worksheet};
use support::{assert_lines, notices, read, read_with, shown, xlsx};

/// Builds a workbook with one sheet, and compares its blocks.
#[track_caller]
fn check(build: impl Fn(&mut Worksheet), expected: &str) {
    let mut workbook = Workbook::new();
    build(workbook.add_worksheet());
    let bytes = workbook.save_to_buffer().expect("a workbook");
    assert_lines(&shown(&read(&bytes).expect("a document")), expected);
}

fn put(sheet: &mut Worksheet, row: u32, values: &[&str]) {
    for (column, value) in values.iter().enumerate() {
        let column = column as u16;
        match value.parse::<f64>() {
            Ok(number) => sheet.write_number(row, column, number).expect("a number"),
            Err(_) if value.is_empty() => continue,
            Err(_) => sheet.write_string(row, column, *value).expect("a text"),
        };
    }
}

#[test]
fn values_come_out_as_excel_shows_them() {
    let shown_as = |code: &str, number: f64| {
        let mut workbook = Workbook::new();
        let format = CellFormat::new().set_num_format(code);
        workbook.add_worksheet().write_number_with_format(0, 0, number, &format).expect("a number");
        let bytes = workbook.save_to_buffer().expect("a workbook");
        let document = read(&bytes).expect("a document");
        let BlockKind::Table(table) = &document.blocks[1].kind else { panic!("a table for {code}") };
        table.cell(0, 0).expect("a cell").to_owned()
    };
    let cases = [
        ("General", 1234.5, "1234.5"),
        ("General", 1.0 / 3.0, "0.333333333"),
        ("General", 0.1 + 0.2, "0.3"),
        ("General", 123456789012345.0, "123456789012345"),
        ("General", -1e-7, "-0.0000001"),
        ("General", 2.5e21, "2.5E+21"),
        ("0", 2.5, "3"),
        ("0.00", -0.004, "0.00"),
        ("0.00", 1.005, "1.01"),
        ("#,##0.00", 1234567.891, "1,234,567.89"),
        ("#,##0;(#,##0);\"nil\"", -1234.0, "(1,234)"),
        ("#,##0;(#,##0);\"nil\"", 0.0, "nil"),
        ("0.0%", 0.1234, "12.3%"),
        ("[$€-407] #,##0.00", 9.5, "€ 9.50"),
        ("0.0,,\" M\"", 12_345_678.0, "12.3 M"),
        ("[<1000]0;[<1000000]0.0,\"k\";0.0,,\"m\"", 45_600.0, "45.6k"),
        ("# ?/?", 2.75, "2 3/4"),
        ("# ??/16", 0.3125, "5/16"),
        ("0.00E+00", 12345.0, "1.23E+04"),
        ("##0.0E+0", 12345.0, "12.3E+3"),
        ("00000", 42.0, "00042"),
        ("000\\-00\\-0000", 123456789.0, "123-45-6789"),
        ("\"Lot \"0", 7.0, "Lot 7"),
        ("yyyy-mm-dd", 45_351.0, "2024-02-29"),
        ("d mmm yy", 60.0, "29 Feb 00"),
        ("dddd, mmmm d", 45_351.0, "Thursday, February 29"),
        ("h:mm AM/PM", 0.75, "6:00 PM"),
        ("hh:mm:ss.00", 0.5 + 1.25 / 86_400.0, "12:00:01.25"),
        ("[h]:mm", 1.5, "36:00"),
        ("[mm]:ss", 0.25, "360:00"),
        ("m/d/yy h:mm", 45_351.5, "2/29/24 12:00"),
        ("@", 12.0, "12"),
        ("yyyy", -1.0, "-1"),
    ];
    for (code, number, expected) in cases {
        assert_eq!(shown_as(code, number), expected, "{number} as {code}");
    }
}

#[test]
fn kinds_of_values_are_kept_apart() {
    let bytes = xlsx(
        r#"<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>007</t></is></c><c r="B1" t="s"><v>0</v></c>
            <c r="C1" t="b"><v>1</v></c><c r="D1" t="e"><v>#DIV/0!</v></c><c r="E1" t="str"><f>A1&amp;"x"</f><v>007x</v></c>
            <c r="F1"><f>SUM(G1:H1)</f></c><c r="G1"><v>3.0</v></c><c r="H1"/></row>
            <row><c><v>1</v></c><c t="s"><v>1</v></c><c t="s"><v>99</v></c></row></sheetData>"#,
        "",
        "",
        r#"<si><r><t>rich </t></r><r><t>text</t></r><rPh sb="0" eb="1"><t>kana</t></rPh></si><si><t>line_x000D_
two | NA</t></si>"#,
    );
    assert_lines(
        &shown(&read(&bytes).expect("a document")),
        "
        sheet Data
        | 007 | rich text | TRUE | #DIV/0! | 007x | =SUM(G1:H1) | 3
        | 1 | line/two | NA",
    );
}

#[test]
fn values_can_be_asked_for_raw_or_as_formulas() {
    let bytes = xlsx(
        r#"<sheetData><row r="1"><c r="A1" s="1"><v>45351.5</v></c><c r="B1"><f t="shared" ref="B1:B2" si="0">A1*2+$A$1</f><v>4</v></c></row>
            <row r="2"><c r="A2"><v>0.1</v></c><c r="B2"><f t="shared" si="0"/><v>5</v></c></row></sheetData>"#,
        "",
        r#"<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>"#,
        "",
    );
    let check = |values: CellValues, expected: &str| {
        let scope = Scope { values, ..Scope::default() };
        assert_lines(&shown(&read_with(&bytes, &scope)), expected);
    };
    check(CellValues::Shown, "sheet Data\n| 2/29/24 | 4\n| 0.1 | 5");
    check(CellValues::Raw, "sheet Data\n| 45351.5 | 4\n| 0.1 | 5");
    check(CellValues::Formula, "sheet Data\n| 2/29/24 | =A1*2+$A$1\n| 0.1 | =A2*2+$A$1");
}

#[test]
fn days_count_from_1904_where_the_workbook_says_so() {
    let bytes = xlsx(
        r#"<sheetData><row r="1"><c r="A1" s="0"><v>1</v></c></row></sheetData>"#,
        r#"<workbookPr date1904="1"/>"#,
        r#"<numFmts><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>"#,
        "",
    );
    assert_lines(&shown(&read(&bytes).expect("a document")), "sheet Data\n| 1904-01-02");
}

#[test]
fn a_title_stays_text_and_the_row_of_names_is_the_header() {
    check(
        |sheet| {
            put(sheet, 0, &["Harvest by region, tonnes"]);
            put(sheet, 2, &["region", "2023", "2024"]);
            put(sheet, 3, &["north", "10", "12"]);
            put(sheet, 4, &["south", "7", "9"]);
            put(sheet, 6, &["Source: survey of March"]);
        },
        "
        sheet Sheet1
        Harvest by region, tonnes
        ! region | 2023 | 2024
        | north | 10 | 12
        | south | 7 | 9
        Source: survey of March",
    );
}

#[test]
fn islands_are_tables_of_their_own_only_where_that_is_clear() {
    check(
        |sheet| {
            for (row, values) in [
                (0, ["item", "price", "", "city", "km"]),
                (1, ["pen", "2", "", "Oslo", "400"]),
                (2, ["ink", "5", "", "Bonn", "90"]),
                (5, ["month", "sum", "", "", ""]),
                (6, ["May", "11", "", "", ""]),
                (8, ["June", "12", "", "", ""]),
            ] {
                put(sheet, row, &values);
            }
        },
        "
        sheet Sheet1
        ! item | price
        | pen | 2
        | ink | 5
        ! city | km
        | Oslo | 400
        | Bonn | 90
        ! month | sum
        | May | 11
        | June | 12",
    );
}

#[test]
fn merged_headers_and_frozen_rows_are_told() {
    check(
        |sheet| {
            let format = CellFormat::new();
            sheet.merge_range(0, 1, 0, 2, "Sales", &format).expect("merged");
            put(sheet, 1, &["who", "May", "June"]);
            put(sheet, 2, &["Ada", "1", "2"]);
            sheet.set_freeze_panes(2, 0).expect("frozen");
        },
        "
        sheet Sheet1
        !  | Sales |
        ! who | May | June
        | Ada | 1 | 2
          span r0 c1: 1x2",
    );
}

#[test]
fn defined_tables_are_tables_whatever_stands_next_to_them() {
    check(
        |sheet| {
            put(sheet, 0, &["k", "v"]);
            put(sheet, 1, &["a", "b"]);
            put(sheet, 2, &["right below", "it"]);
            sheet.add_table(0, 0, 1, 1, &Table::new()).expect("a table");
        },
        "
        sheet Sheet1
        ! k | v
        | a | b
        | right below | it",
    );
}

#[test]
fn hidden_sheets_rows_and_comments_are_read_and_told() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    put(sheet, 0, &["k", "v"]);
    put(sheet, 1, &["a", "1"]);
    put(sheet, 2, &["b", "2"]);
    sheet.set_row_hidden(1).expect("a hidden row");
    sheet.insert_note(2, 1, &Note::new("checked").set_author("Ada")).expect("a note");
    let hidden = workbook.add_worksheet();
    hidden.set_name("Back").expect("a name").set_hidden(true);
    hidden.write_datetime(0, 0, ExcelDateTime::from_ymd(2024, 5, 1).expect("a date")).expect("a cell");
    let document = read(&workbook.save_to_buffer().expect("a workbook")).expect("a document");
    assert_lines(
        &shown(&document),
        "
        sheet Sheet1
        ! k | v
        | a | 1
        | b | 2
        [comment Ada] Ada:/checked
        sheet Back (hidden)
        | 45413",
    );
    assert_lines(
        &notices(&document),
        "
        guessed: sheet 1 A1:B3: rows 2 are hidden in the sheet and included here
        guessed: sheet 2 A1: sheet \"Back\" is hidden in the workbook and included here",
    );
    assert_eq!(document.extent.sheets, ["Sheet1", "Back"]);
}

#[test]
fn sheets_and_cells_can_be_picked() {
    let mut workbook = Workbook::new();
    for name in ["First", "2", "Third"] {
        let sheet = workbook.add_worksheet();
        sheet.set_name(name).expect("a name");
        for row in 0..4 {
            put(sheet, row, &[&format!("{name}-{row}"), "1", "2"]);
        }
    }
    let bytes = workbook.save_to_buffer().expect("a workbook");
    let pick = |sheet: SheetChoice, cells: &str| {
        let scope = Scope { sheet: Some(sheet), cells: CellRange::parse(cells), ..Scope::default() };
        conspect_office::read(&conspect_model::Input::new(&bytes, "b.xlsx"), &scope, &Default::default())
    };
    let shown_of = |sheet, cells| shown(&pick(sheet, cells).expect("a document"));
    assert_lines(
        &shown_of(SheetChoice::Name("third".into()), "A2:B3"),
        "sheet Third\n| Third-1 | 1\n| Third-2 | 1",
    );
    assert_lines(&shown_of(SheetChoice::Number(2), "A1"), "sheet 2\n2-0");
    assert_lines(&shown_of(SheetChoice::Number(1), "B:B"), "sheet First\n| 1\n| 1\n| 1\n| 1");
    let error = pick(SheetChoice::Name("2031".into()), "A1").expect_err("no such sheet");
    assert_eq!(
        error,
        ReadError::NotThere {
            what: "sheet \"2031\"".into(),
            instead: "its sheets are \"First\", \"2\", \"Third\"".into()
        }
    );
}

#[test]
fn rows_know_their_numbers_and_far_cells_cost_nothing() {
    let bytes = xlsx(
        r#"<sheetData><row r="3"><c r="B3"><v>1</v></c><c r="D3"><v>2</v></c></row>
            <row r="1048576"><c r="XFD1048576"><v>9</v></c></row></sheetData>"#,
        "",
        "",
        "",
    );
    let document = read(&bytes).expect("a document");
    assert_lines(&shown(&document), "sheet Data\n| 1 |  | 2\n| 9");
    let BlockKind::Table(table) = &document.blocks[1].kind else { panic!("a table") };
    let Origin::Cells { range, .. } = table.row(0).expect("a row").origin() else { panic!("cells") };
    assert_eq!(range.to_string(), "B3:D3");
    assert_eq!(document.blocks[0].origin.to_string(), "sheet 1 B3:XFD1048576");
}

#[test]
fn a_formula_without_a_value_is_shown_itself() {
    check(
        |sheet| {
            put(sheet, 0, &["2", "3"]);
            sheet.write_formula(0, 2, Formula::new("A1+B1").set_result("5")).expect("a formula");
        },
        "sheet Sheet1\n| 2 | 3 | 5",
    );
}

#[test]
fn an_opendocument_sheet_is_read_with_its_repeated_cells() {
    let content = r#"<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
        xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">
        <office:body><office:spreadsheet><table:table table:name="Tab">
        <table:table-row><table:table-cell office:value-type="string"><text:p>name</text:p></table:table-cell>
        <table:table-cell office:value-type="string" table:number-columns-repeated="2"><text:p>x<text:s text:c="2"/>y</text:p></table:table-cell></table:table-row>
        <table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" office:value="1.5"><text:p>1,50 €</text:p></table:table-cell>
        <table:table-cell table:number-columns-repeated="16000"/></table:table-row>
        <table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row>
        <table:table-row><table:table-cell table:formula="of:=[.A1]" office:value-type="float" office:value="7"/></table:table-row>
        </table:table><table:table table:name="Next"><table:table-row><table:table-cell><text:p>second sheet</text:p></table:table-cell>
        </table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"#;
    let bytes = support::archive(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content.as_bytes()),
    ]);
    assert_eq!(support::format_of(&bytes), Format::Ods);
    let document = read(&bytes).expect("a document");
    assert_lines(
        &shown(&document),
        "
        sheet Tab
        ! name | x  y | x  y
        | 1,50 €
        | 1,50 €
        | 7
        sheet Next
        second sheet",
    );
    assert_eq!(document.blocks[0].origin.to_string(), "sheet 1 A1:C1048004");
}

#[test]
fn old_binary_sheets_are_read_without_a_container() {
    let record = |id: u16, data: &[u8]| {
        let mut bytes = id.to_le_bytes().to_vec();
        bytes.extend((data.len() as u16).to_le_bytes());
        bytes.extend(data);
        bytes
    };
    // BIFF5: a stream of globals, then the sheet it points to.
    let cell = |row: u16, column: u16, style: u16| {
        [row.to_le_bytes(), column.to_le_bytes(), style.to_le_bytes()].concat()
    };
    let globals = |offset: u32| {
        let mut name = offset.to_le_bytes().to_vec();
        name.extend([0, 0, 3]);
        name.extend(b"Tab");
        [
            record(0x809, &[0, 5, 5, 0, 0, 0, 0, 0]),
            record(0x42, &1251u16.to_le_bytes()),
            record(0x41E, &[&164u16.to_le_bytes()[..], &[4], b"0.0%"].concat()),
            record(0xE0, &[0, 0, 0, 0]),
            record(0xE0, &[0, 0, 164, 0]),
            record(0x85, &name),
            record(0x0A, &[]),
        ]
        .concat()
    };
    let offset = globals(0).len() as u32;
    let sheet = [
        record(0x809, &[0, 5, 16, 0, 0, 0, 0, 0]),
        // "Да" in windows-1251.
        record(0x204, &[cell(0, 0, 0), vec![2, 0, 0xC4, 0xE0]].concat()),
        record(0x203, &[cell(0, 1, 1), 0.125f64.to_le_bytes().to_vec()].concat()),
        // 1234 in hundredths, twice.
        record(0x27E, &[cell(1, 0, 0), (1234u32 << 2 | 3).to_le_bytes().to_vec()].concat()),
        record(0x205, &[cell(1, 1, 0), vec![0x07, 1]].concat()),
        record(0x06, &[cell(2, 0, 0), vec![0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0]].concat()),
        record(0x207, &[2, 0, b'o', b'k']),
        record(0x0A, &[]),
    ];
    let bytes = [globals(offset), sheet.concat()].concat();
    assert_eq!(support::format_of(&bytes), Format::Xls);
    assert_lines(
        &shown(&read(&bytes).expect("a document")),
        "
        sheet Tab
        | Да | 12.5%
        | 12.34 | #DIV/0!
        | ok",
    );
}

#[test]
fn charts_on_a_sheet_are_told() {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    put(sheet, 0, &["1", "2"]);
    let mut chart = rust_xlsxwriter::Chart::new_pie();
    chart.add_series().set_values(("Sheet1", 0, 0, 0, 1));
    sheet.insert_chart(3, 3, &chart).expect("a chart");
    let document = read(&workbook.save_to_buffer().expect("a workbook")).expect("a document");
    assert_lines(
        &notices(&document),
        "unsupported: sheet 1 A1:B1: pictures, charts and text boxes on the sheet are not read",
    );
}
