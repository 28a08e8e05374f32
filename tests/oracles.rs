//! Other people's readers as a check on ours: what calamine finds in a workbook, we find in the same cell.

#![expect(clippy::disallowed_methods, reason = "the fixtures are read from disk")]

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, Reader as _};
use conspect::{BlockKind, Input, Limits, Origin, Scope};
use conspect_tests::{files_under, repository};

/// Sheet, row and column, from 0.
type Place = (String, u32, u32);

#[test]
fn what_calamine_reads_stands_in_the_same_cell() {
    let mut n_compared = 0;
    for file in files_under(&repository().join("fixtures/xlsx")).expect("the fixtures") {
        if file.extension().is_none_or(|extension| extension != "xlsx") {
            continue;
        }
        let bytes = std::fs::read(&file).expect("a fixture");
        let ours = our_cells(&bytes);
        for (place, text) in their_cells(&bytes) {
            // A text cell keeps its text whatever its format; lines in it may be broken in another way.
            let own = ours.get(&place).map(|text| text.replace(['\r', '\n'], " ").trim().to_owned());
            let text = text.replace(['\r', '\n'], " ").trim().to_owned();
            assert_eq!(own.as_deref(), Some(text.as_str()), "{} {place:?}", file.display());
            n_compared += 1;
        }
    }
    assert!(n_compared > 1_000, "only {n_compared} cells were compared");
}

/// The text cells that calamine finds.
fn their_cells(bytes: &[u8]) -> Vec<(Place, String)> {
    let mut workbook: calamine::Xlsx<_> =
        calamine::open_workbook_from_rs(Cursor::new(bytes)).expect("calamine reads the fixture");
    let mut cells = Vec::new();
    for name in workbook.sheet_names() {
        let range = workbook.worksheet_range(&name).expect("calamine reads the sheet");
        let (first_row, first_column) = range.start().unwrap_or_default();
        for (row, column, data) in range.used_cells() {
            if let Data::String(text) = data
                && !text.trim().is_empty()
            {
                let place = (name.clone(), first_row + row as u32, first_column + column as u32);
                cells.push((place, text.clone()));
            }
        }
    }
    cells
}

/// The cells of the Document that we make of it.
fn our_cells(bytes: &[u8]) -> BTreeMap<Place, String> {
    let input = Input::new(bytes, "workbook.xlsx");
    let document =
        conspect::read(&input, &Scope::default(), &Limits::default()).expect("we read the fixture");
    let mut cells = BTreeMap::new();
    for block in &document.blocks {
        let mut place = |origin: Origin, idx: usize, text: &str| {
            let Origin::Cells { sheet, range } = origin else { panic!("a cell without a place: {origin:?}") };
            let name = document.extent.sheets[sheet.idx()].clone();
            let column = range.first_column.idx() + idx;
            cells.insert((name, range.first_row.idx() as u32, column as u32), text.to_owned());
        };
        match &block.kind {
            BlockKind::Table(table) => {
                for row in table.rows() {
                    row.cells().enumerate().for_each(|(idx, text)| place(row.origin(), idx, text));
                }
            }
            BlockKind::Sheet { .. } => {}
            _ => place(block.origin, 0, &block.text),
        }
    }
    cells
}
