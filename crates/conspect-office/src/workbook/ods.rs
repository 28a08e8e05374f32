use std::collections::HashSet;

use conspect_model::{CellValues, Format, Notice, NoticeKind, Origin, ReadError};

use crate::package::{Checkpoint, Element, Namespace, Package, Token, Xml};
use crate::workbook::cells::{Area, CellKind};
use crate::workbook::sheet::{CellComment, Sheet, SheetEntry, add_hidden};
use crate::workbook::source::{SheetRequest, SheetSource};

const MAX_COLUMNS: u32 = 1 << 14;
/// Tables stand in `office:document-content`, `office:body` and `office:spreadsheet`.
const MAX_TABLE_DEPTH: usize = 5;

/// A row or cell with something in it may stand for many; together they may add no more cells than this.
const MAX_REPEATED_CELLS: u64 = 1_000_000;

/// An OpenDocument spreadsheet. Its cells hold the text that the program showed.
pub(crate) struct Ods {
    text: String,
    max_depth: usize,
    entries: Vec<SheetEntry>,
    /// Where each sheet begins.
    places: Vec<Checkpoint>,
}

impl Ods {
    /// Reads the list of sheets; sheets are read when asked for.
    pub(crate) fn open(package: &Package<'_>, notices: &mut Vec<Notice>) -> Result<Ods, ReadError> {
        let damaged =
            || ReadError::Damaged { format: Format::Ods, what: "its content is missing".to_owned() };
        let text = package.text("content.xml", notices)?.ok_or_else(damaged)?;
        let mut ods = Ods { text, max_depth: package.max_depth(), entries: Vec::new(), places: Vec::new() };
        let mut hidden_styles: HashSet<String> = HashSet::new();
        let mut style = String::new();
        let mut xml = Xml::new(&ods.text, ods.max_depth);
        let mut entries = Vec::new();
        let mut places = Vec::new();
        // Where a table may begin: only close to the root, so that few places are noted in vain.
        let mut place = xml.checkpoint();
        loop {
            if xml.depth() <= MAX_TABLE_DEPTH {
                place = xml.checkpoint();
            }
            match xml.next() {
                Token::Open(element) => match (element.namespace, element.name()) {
                    (Namespace::Other, "style") => style = attribute_text(&element, "style:name"),
                    (Namespace::Other, "table-properties")
                        if element.attribute("display").as_deref() == Some("false") =>
                    {
                        hidden_styles.insert(style.clone());
                    }
                    (Namespace::OdfOffice, "annotation") => xml.skip(),
                    (Namespace::OdfTable, "table") => {
                        let is_visible =
                            !hidden_styles.contains(&attribute_text(&element, "table:style-name"));
                        let name = attribute_text(&element, "table:name");
                        entries.push(SheetEntry { name, is_visible, place: String::new() });
                        places.push(place.clone());
                        xml.skip();
                    }
                    _ => {}
                },
                Token::Close(_) | Token::Text(_) => {}
                Token::End => break,
            }
        }
        drop(xml);
        ods.entries = entries;
        ods.places = places;
        Ok(ods)
    }
}

fn attribute_text(element: &Element<'_>, name: &str) -> String {
    let local = name.rsplit(':').next().unwrap_or(name);
    element.plain_attribute(name).or_else(|| element.attribute(local)).unwrap_or_default().into_owned()
}

impl SheetSource for Ods {
    fn entries(&self) -> &[SheetEntry] {
        &self.entries
    }

    fn read_sheet(&mut self, sheet_idx: usize, request: &SheetRequest<'_>) -> Result<Sheet, ReadError> {
        let mut sheet = Sheet::default();
        let Some(place) = self.places.get(sheet_idx) else { return Ok(sheet) };
        let mut xml = Xml::resume(&self.text, place, self.max_depth);
        if let Token::Open(_) = xml.next() {
            read_table(&mut xml, &mut sheet, request);
        }
        if let Some(problem) = xml.problem {
            let message = format!("{problem}; the cells before it were read");
            sheet.notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
        }
        Ok(sheet)
    }
}

/// A filled cell of the row at hand: first column, how often it is repeated, kind and text.
type RowCell = (u32, u32, CellKind, String);

fn read_table(xml: &mut Xml<'_>, sheet: &mut Sheet, request: &SheetRequest<'_>) {
    let outside = xml.depth().saturating_sub(1);
    let (mut row, mut column) = (0u32, 0u32);
    let mut n_rows = 1;
    let mut row_cells: Vec<RowCell> = Vec::new();
    let mut definition_column = 0u32;
    let mut n_repeated_left = MAX_REPEATED_CELLS;
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::OdfTable, "table-column") => {
                    let n = repeat(&element, "number-columns-repeated");
                    if is_collapsed(&element) {
                        add_hidden(
                            &mut sheet.hidden_columns,
                            definition_column,
                            definition_column.saturating_add(n - 1),
                        );
                    }
                    definition_column = definition_column.saturating_add(n);
                }
                (Namespace::OdfTable, "table-row") => {
                    n_rows = repeat(&element, "number-rows-repeated");
                    column = 0;
                    row_cells.clear();
                    if is_collapsed(&element) {
                        add_hidden(&mut sheet.hidden_rows, row, row.saturating_add(n_rows - 1));
                    }
                }
                (Namespace::OdfTable, "table-cell" | "covered-table-cell") => {
                    let n = repeat(&element, "number-columns-repeated");
                    let n_columns = repeat(&element, "number-columns-spanned");
                    let n_spanned_rows = repeat(&element, "number-rows-spanned");
                    if (n_columns > 1 || n_spanned_rows > 1) && n_columns < MAX_COLUMNS {
                        sheet.merges.push(Area {
                            top: row,
                            left: column,
                            bottom: row.saturating_add(n_spanned_rows - 1),
                            right: column.saturating_add(n_columns - 1),
                        });
                    }
                    if let Some((kind, text)) = read_cell(&element, xml, sheet, request, row, column) {
                        row_cells.push((column, n, kind, text));
                    }
                    column = column.saturating_add(n);
                }
                (Namespace::OdfTable, "shapes") => xml.skip(),
                _ => {}
            },
            Token::Close(closed) => {
                if closed.key() == (Namespace::OdfTable, "table-row") {
                    let n_cells: u64 =
                        row_cells.iter().map(|(_, n, ..)| u64::from((*n).min(MAX_COLUMNS))).sum();
                    let mut n_placed_rows = n_rows;
                    if n_rows > 1 && n_cells > 0 {
                        let room = u32::try_from(n_repeated_left / n_cells).unwrap_or(u32::MAX).max(1);
                        if room < n_rows {
                            n_placed_rows = room;
                            let message = format!(
                                "row {} stands for {n_rows} rows; {room} are shown",
                                u64::from(row) + 1
                            );
                            sheet.notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
                        }
                        n_repeated_left = n_repeated_left.saturating_sub(u64::from(n_placed_rows) * n_cells);
                    }
                    if !place_row(row, n_placed_rows, &row_cells, sheet, request) {
                        return;
                    }
                    row = row.saturating_add(n_rows);
                }
            }
            Token::Text(_) => {}
            Token::End => return,
        }
    }
}

/// Places the cells of a row as often as it is repeated; `false` where there is no more room.
fn place_row(
    row: u32,
    n_rows: u32,
    cells: &[RowCell],
    sheet: &mut Sheet,
    request: &SheetRequest<'_>,
) -> bool {
    if cells.is_empty() {
        return true;
    }
    for repeated_row in row..row.saturating_add(n_rows) {
        if request.is_past(repeated_row) {
            return false;
        }
        for (first, n, kind, text) in cells {
            for column in *first..first.saturating_add(*n).min(MAX_COLUMNS) {
                if !request.wants(repeated_row, column) {
                    continue;
                }
                if !sheet.cells.push(repeated_row, column, *kind, text) || request.is_full(&sheet.cells) {
                    sheet.notices.push(request.full_notice());
                    return false;
                }
            }
        }
    }
    true
}

fn repeat(element: &Element<'_>, name: &str) -> u32 {
    element.number(name).unwrap_or(1).max(1)
}

fn is_collapsed(element: &Element<'_>) -> bool {
    matches!(element.attribute("visibility").as_deref(), Some("collapse" | "filter"))
}

fn read_cell(
    element: &Element<'_>,
    xml: &mut Xml<'_>,
    sheet: &mut Sheet,
    request: &SheetRequest<'_>,
    row: u32,
    column: u32,
) -> Option<(CellKind, String)> {
    let value_type = element.attribute("value-type").unwrap_or_default().into_owned();
    let formula = element.attribute("formula").map(|formula| formula.into_owned());
    let stored = ["date-value", "time-value", "boolean-value", "string-value", "value"];
    let stored = stored.iter().find_map(|name| element.plain_attribute(&format!("office:{name}")));
    let stored = stored.map(|value| value.into_owned());
    let shown = cell_text(xml, sheet, row, column);
    let kind = match value_type.as_str() {
        "float" | "percentage" | "currency" => CellKind::Number,
        "date" | "time" => CellKind::Date,
        "boolean" => CellKind::Logical,
        _ => CellKind::Text,
    };
    let formula = formula.map(|formula| {
        let plain = formula.strip_prefix("of:").or_else(|| formula.strip_prefix("oooc:")).unwrap_or(&formula);
        format!("={}", plain.trim_start_matches('='))
    });
    let text = match (request.values, formula) {
        (CellValues::Formula, Some(formula)) => return Some((CellKind::Text, formula)),
        (CellValues::Raw, _) => stored.filter(|_| kind != CellKind::Text).unwrap_or(shown),
        (_, formula) => match (shown.is_empty(), stored) {
            (false, _) => shown,
            (true, Some(stored)) => stored,
            (true, None) => formula.unwrap_or_default(),
        },
    };
    (!text.is_empty()).then_some((kind, text))
}

/// The text of the cell just opened: its paragraphs on lines of their own. Remarks go to the sheet.
fn cell_text(xml: &mut Xml<'_>, sheet: &mut Sheet, row: u32, column: u32) -> String {
    let outside = xml.depth().saturating_sub(1);
    let mut text = String::new();
    let mut n_paragraphs = 0;
    let mut in_paragraph = 0usize;
    let mut remark: Option<CellComment> = None;
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::OdfOffice, "annotation") => {
                    let area = Area { top: row, left: column, bottom: row, right: column };
                    remark = Some(CellComment { area, author: String::new(), text: String::new() });
                }
                (Namespace::Other, "creator") => {
                    let author = xml.text();
                    if let Some(comment) = &mut remark {
                        comment.author = author.into_owned();
                    }
                }
                (Namespace::Other, "date") => xml.skip(),
                (Namespace::OdfText, "p" | "h") => {
                    in_paragraph += 1;
                    match &mut remark {
                        Some(comment) if !comment.text.is_empty() => comment.text.push('\n'),
                        Some(_) => {}
                        None => {
                            if n_paragraphs > 0 {
                                text.push('\n');
                            }
                            n_paragraphs += 1;
                        }
                    }
                }
                (Namespace::OdfText, "s") => {
                    let n_blanks = element.number::<usize>("c").unwrap_or(1).min(1000);
                    text.extend(std::iter::repeat_n(' ', n_blanks));
                }
                (Namespace::OdfText, "tab") => text.push('\t'),
                (Namespace::OdfText, "line-break") => text.push('\n'),
                _ => {}
            },
            Token::Close(closed) => match closed.key() {
                (Namespace::OdfText, "p" | "h") => in_paragraph = in_paragraph.saturating_sub(1),
                (Namespace::OdfOffice, "annotation") => {
                    sheet.comments.extend(remark.take());
                }
                _ => {}
            },
            Token::Text(piece) if in_paragraph > 0 => match &mut remark {
                Some(comment) => comment.text.push_str(&piece),
                None => text.push_str(&piece),
            },
            Token::Text(_) => {}
            Token::End => break,
        }
    }
    text.trim().to_owned()
}
