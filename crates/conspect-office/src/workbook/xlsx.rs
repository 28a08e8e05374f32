use std::borrow::Cow;
use std::collections::HashMap;

use conspect_model::{Format, Notice, NoticeKind, Origin, ReadError};

use crate::package::{Element, Namespace, Package, Relationships, Token, Xml};
use crate::workbook::cells::{Area, StoredValue, ValueWriter};
use crate::workbook::formula::shift_references;
use crate::workbook::number_format::NumberFormat;
use crate::workbook::sheet::{CellComment, DefinedTable, Sheet, SheetEntry, add_hidden};
use crate::workbook::source::{SheetRequest, SheetSource};

/// A workbook in XML (.xlsx, .xlsm, .xltx).
pub(crate) struct Xlsx<'p> {
    package: &'p Package<'p>,
    entries: Vec<SheetEntry>,
    shared_strings: SharedStrings,
    /// By the index of the cell's style.
    formats: Vec<NumberFormat>,
    is_1904: bool,
}

/// The strings that cells refer to by number, in one piece.
#[derive(Default)]
pub(crate) struct SharedStrings {
    text: String,
    ends: Vec<usize>,
}

impl SharedStrings {
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    pub(crate) fn get(&self, idx: usize) -> Option<&str> {
        let end = *self.ends.get(idx)?;
        let start = idx.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.text.get(start..end)
    }
}

impl<'p> Xlsx<'p> {
    /// Reads the workbook's own parts; sheets are read when asked for.
    pub(crate) fn open(package: &'p Package<'p>, notices: &mut Vec<Notice>) -> Result<Xlsx<'p>, ReadError> {
        let damaged =
            || ReadError::Damaged { format: Format::Xlsx, what: "its workbook part is missing".to_owned() };
        let main = main_part(package).ok_or_else(damaged)?;
        let text = package.text(&main, notices)?.ok_or_else(damaged)?;
        let relationships = package.relationships(&main);
        let mut workbook = Xlsx {
            package,
            entries: Vec::new(),
            shared_strings: SharedStrings::default(),
            formats: Vec::new(),
            is_1904: false,
        };
        workbook.read_workbook(&text, &relationships, notices);
        if workbook.entries.is_empty() {
            workbook.find_lost_sheets(&main);
        }
        for part in relationships.parts_of_kind("sharedStrings") {
            if let Some(text) = package.side_text(&part, notices) {
                workbook.shared_strings = read_shared_strings(&text, package.max_depth());
            }
        }
        for part in relationships.parts_of_kind("styles") {
            if let Some(text) = package.side_text(&part, notices) {
                workbook.formats = read_formats(&text, package.max_depth());
            }
        }
        Ok(workbook)
    }

    fn read_workbook(&mut self, text: &str, relationships: &Relationships, notices: &mut Vec<Notice>) {
        let mut xml = Xml::new(text, self.package.max_depth());
        loop {
            match xml.next() {
                Token::Open(element) => match element.key() {
                    (Namespace::Sheet, "workbookPr") => {
                        self.is_1904 =
                            matches!(element.attribute("date1904").as_deref(), Some("1" | "true" | "on"));
                    }
                    (Namespace::Sheet, "sheet") => {
                        let Some(name) = element.attribute("name") else { continue };
                        let state = element.attribute("state");
                        let id = relationship_id(&element);
                        let target =
                            id.and_then(|id| relationships.get(&id).map(|found| found.target.clone()));
                        if target.is_none() {
                            let message = format!("sheet \"{name}\" has no part in the file");
                            notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
                        }
                        self.entries.push(SheetEntry {
                            name: name.into_owned(),
                            is_visible: !matches!(state.as_deref(), Some("hidden" | "veryHidden")),
                            place: target.unwrap_or_default(),
                        });
                    }
                    (Namespace::Compatibility, "Fallback") => xml.skip(),
                    _ => {}
                },
                Token::Close(_) | Token::Text(_) => {}
                Token::End => break,
            }
        }
        if let Some(problem) = xml.problem {
            notices.push(Notice::new(
                NoticeKind::Damaged,
                format!("the workbook part: {problem}"),
                Origin::File,
            ));
        }
    }

    /// The sheets of a workbook whose list is lost, by their parts.
    fn find_lost_sheets(&mut self, main: &str) {
        let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
        let prefix = format!("{folder}/worksheets/").to_lowercase();
        for part in self.package.archive.names() {
            if part.to_lowercase().starts_with(&prefix) && part.ends_with(".xml") {
                let name = part.rsplit('/').next().unwrap_or(part).trim_end_matches(".xml");
                self.entries.push(SheetEntry {
                    name: name.to_owned(),
                    is_visible: true,
                    place: part.to_owned(),
                });
            }
        }
    }
}

impl SheetSource for Xlsx<'_> {
    fn entries(&self) -> &[SheetEntry] {
        &self.entries
    }

    fn read_sheet(&mut self, sheet_idx: usize, request: &SheetRequest<'_>) -> Result<Sheet, ReadError> {
        let mut sheet = Sheet::default();
        let part = self.entries.get(sheet_idx).map(|entry| entry.place.clone()).unwrap_or_default();
        let Some(text) = self.package.text(&part, &mut sheet.notices)? else { return Ok(sheet) };
        let relationships = self.package.relationships(&part);
        let mut reading = SheetReading {
            workbook: self,
            writer: ValueWriter { values: request.values, is_1904: self.is_1904 },
            request,
            next_row: 0,
            next_column: 0,
            shared_formulas: HashMap::new(),
            general: NumberFormat::default(),
        };
        reading.read(&text, &mut sheet);
        drop(text);
        for part in relationships.parts_of_kind("table") {
            if let Some(text) = self.package.side_text(&part, &mut sheet.notices) {
                sheet.tables.extend(read_table(&text, self.package.max_depth()));
            }
        }
        if !relationships.parts_of_kind("drawing").is_empty() {
            let message = "pictures, charts and text boxes on the sheet are not read";
            sheet.notices.push(Notice::new(NoticeKind::Unsupported, message, Origin::File));
        }
        for part in relationships.parts_of_kind("comments") {
            if let Some(text) = self.package.side_text(&part, &mut sheet.notices) {
                sheet.comments.extend(read_comments(&text, self.package.max_depth()));
            }
        }
        Ok(sheet)
    }
}

/// One pass over a sheet's part.
struct SheetReading<'r, 'p> {
    workbook: &'r Xlsx<'p>,
    writer: ValueWriter,
    request: &'r SheetRequest<'r>,
    next_row: u32,
    next_column: u32,
    /// By their number: the cell they stand in first, and their text there.
    shared_formulas: HashMap<u32, (u32, u32, String)>,
    general: NumberFormat,
}

impl SheetReading<'_, '_> {
    fn read(&mut self, text: &str, sheet: &mut Sheet) {
        let mut xml = Xml::new(text, self.workbook.package.max_depth());
        loop {
            match xml.next() {
                Token::Open(element) => {
                    if element.key() == (Namespace::Sheet, "c") {
                        if !self.cell(&element, &mut xml, sheet) {
                            break;
                        }
                    } else {
                        self.other(&element, &mut xml, sheet);
                    }
                }
                Token::Close(_) | Token::Text(_) => {}
                Token::End => break,
            }
        }
        if let Some(problem) = xml.problem {
            let message = format!("{problem}; the cells before it were read");
            sheet.notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
        }
    }

    fn other(&mut self, element: &Element<'_>, xml: &mut Xml<'_>, sheet: &mut Sheet) {
        match element.key() {
            (Namespace::Sheet, "row") => {
                if let Some(number) = element.number::<u32>("r").filter(|&number| number > 0) {
                    self.next_row = number - 1;
                }
                self.next_column = 0;
                if matches!(element.attribute("hidden").as_deref(), Some("1" | "true")) {
                    add_hidden(&mut sheet.hidden_rows, self.next_row, self.next_row);
                }
                self.next_row = self.next_row.saturating_add(1);
            }
            (Namespace::Sheet, "col") => {
                if matches!(element.attribute("hidden").as_deref(), Some("1" | "true"))
                    && let (Some(first @ 1..), Some(last @ 1..)) =
                        (element.number::<u32>("min"), element.number::<u32>("max"))
                {
                    add_hidden(&mut sheet.hidden_columns, first - 1, last - 1);
                }
            }
            (Namespace::Sheet, "pane") => {
                let is_frozen = element.attribute("state").is_some_and(|state| state.starts_with("frozen"));
                if is_frozen {
                    let n_rows = element.number::<f64>("ySplit").unwrap_or(0.0);
                    sheet.n_frozen_rows = n_rows.clamp(0.0, 1000.0) as u32;
                }
            }
            (Namespace::Sheet, "mergeCell") => {
                sheet.merges.extend(element.attribute("ref").and_then(|reference| Area::parse(&reference)));
            }
            (Namespace::Sheet, "autoFilter") => {
                sheet.filter = element.attribute("ref").and_then(|reference| Area::parse(&reference));
            }
            (Namespace::Compatibility, "Fallback") => xml.skip(),
            (Namespace::Sheet, "extLst" | "conditionalFormatting" | "dataValidations") => xml.skip(),
            _ => {}
        }
    }

    /// Reads one cell; `false` where the reading should end.
    fn cell(&mut self, element: &Element<'_>, xml: &mut Xml<'_>, sheet: &mut Sheet) -> bool {
        let mut place = None;
        let mut style: usize = 0;
        let mut kind = [0u8; 12];
        let mut n_kind = 0;
        element.each_attribute(|name, value| match name {
            "r" => place = parse_place(value),
            "s" => style = value.parse().unwrap_or(0),
            "t" => {
                n_kind = value.len().min(kind.len());
                kind[..n_kind].copy_from_slice(&value.as_bytes()[..n_kind]);
            }
            _ => {}
        });
        // A cell that does not say where it is follows the one before it.
        let (row, column) = place.unwrap_or((self.next_row.saturating_sub(1), self.next_column));
        self.next_column = column.saturating_add(1);
        if !self.request.wants(row, column) {
            xml.skip();
            return !self.request.is_past(row);
        }
        let (value, formula) = self.cell_content(xml, row, column);
        let format = self.workbook.formats.get(style).unwrap_or(&self.general);
        let error_text;
        let stored = match (&kind[..n_kind], value.as_deref()) {
            (_, None) => StoredValue::Empty,
            (b"s", Some(idx)) => {
                let shared = idx.trim().parse().ok().and_then(|idx| self.workbook.shared_strings.get(idx));
                shared.map_or(StoredValue::Empty, StoredValue::Text)
            }
            (b"b", Some(text)) => StoredValue::Logical(matches!(text.trim(), "1" | "true")),
            (b"e", Some(text)) => {
                error_text = text.trim().to_owned();
                StoredValue::Error(&error_text)
            }
            (b"str" | b"inlineStr", Some(text)) => StoredValue::Text(text),
            (b"d", Some(text)) => StoredValue::Text(text),
            (_, Some(text)) => match text.trim().parse::<f64>() {
                Ok(number) => StoredValue::Number(number),
                Err(_) if text.trim().is_empty() => StoredValue::Empty,
                Err(_) => StoredValue::Text(text),
            },
        };
        let kept = match self.writer.write(stored, formula.as_deref(), format) {
            Some((kind, text)) => sheet.cells.push(row, column, kind, &text),
            None => true,
        };
        if !kept || self.request.is_full(&sheet.cells) {
            sheet.notices.push(self.request.full_notice());
            return false;
        }
        true
    }

    /// The value and the formula of the cell just opened.
    fn cell_content<'x>(
        &mut self,
        xml: &mut Xml<'x>,
        row: u32,
        column: u32,
    ) -> (Option<Cow<'x, str>>, Option<String>) {
        let outside = xml.depth().saturating_sub(1);
        let (mut value, mut formula): (Option<Cow<'x, str>>, _) = (None, None);
        while xml.depth() > outside {
            match xml.next() {
                Token::Open(element) => match element.key() {
                    (Namespace::Sheet, "v") => value = Some(xml.text()),
                    (Namespace::Sheet, "f") => {
                        let shared = element.attribute("t").as_deref() == Some("shared");
                        let number = element.number::<u32>("si").filter(|_| shared);
                        let text = xml.text().into_owned();
                        formula = Some(match number {
                            Some(number) if !text.is_empty() => {
                                self.shared_formulas.insert(number, (row, column, text.clone()));
                                text
                            }
                            Some(number) => match self.shared_formulas.get(&number) {
                                Some((first_row, first_column, text)) => shift_references(
                                    text,
                                    i64::from(row) - i64::from(*first_row),
                                    i64::from(column) - i64::from(*first_column),
                                ),
                                None => text,
                            },
                            None => text,
                        });
                    }
                    (Namespace::Sheet, "is") => value = Some(Cow::Owned(rich_text(xml))),
                    _ => {}
                },
                Token::Close(_) | Token::Text(_) => {}
                Token::End => break,
            }
        }
        (value.filter(|value| !value.is_empty()), formula.filter(|formula| !formula.is_empty()))
    }
}

/// Row and column from 0, of `B7`.
fn parse_place(reference: &str) -> Option<(u32, u32)> {
    let (mut column, mut row) = (0u32, 0u32);
    for byte in reference.bytes() {
        match byte {
            b'A'..=b'Z' if row == 0 => {
                column = column.checked_mul(26)?.checked_add(u32::from(byte - b'A') + 1)?
            }
            b'a'..=b'z' if row == 0 => {
                column = column.checked_mul(26)?.checked_add(u32::from(byte - b'a') + 1)?
            }
            b'0'..=b'9' => row = row.checked_mul(10)?.checked_add(u32::from(byte - b'0'))?,
            _ => return None,
        }
    }
    Some((row.checked_sub(1)?, column.checked_sub(1)?))
}

fn main_part(package: &Package<'_>) -> Option<String> {
    let is_main = |kind: &str| {
        let kind = kind.to_lowercase();
        kind.contains(".main") && (kind.contains("spreadsheetml") || kind.contains("ms-excel"))
    };
    let by_name = || {
        let is_workbook = |name: &&str| name.to_lowercase().replace('\\', "/").ends_with("xl/workbook.xml");
        package.archive.names().find(is_workbook).map(str::to_owned)
    };
    package.main_part().or_else(|| package.part_of_type(is_main)).or_else(by_name)
}

/// The relationship of a `sheet`: its own `sheetId` ends in the same letters, so the prefix counts.
fn relationship_id(element: &Element<'_>) -> Option<String> {
    let mut found = None;
    element.each_attribute(|name, value| {
        if name.split_once(':').is_some_and(|(_, local)| local == "id") {
            found = Some(value.to_owned());
        }
    });
    found
}

fn read_shared_strings(text: &str, max_depth: usize) -> SharedStrings {
    let mut strings = SharedStrings::default();
    let mut xml = Xml::new(text, max_depth);
    loop {
        match xml.next() {
            Token::Open(element) if element.key() == (Namespace::Sheet, "si") => {
                strings.push(&rich_text(&mut xml))
            }
            Token::End => return strings,
            _ => {}
        }
    }
}

/// The text of runs, without what tells how to pronounce it.
fn rich_text(xml: &mut Xml<'_>) -> String {
    let outside = xml.depth().saturating_sub(1);
    let mut all = String::new();
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Sheet, "t") => all.push_str(&xml.text()),
                (Namespace::Sheet, "rPh") => xml.skip(),
                _ => {}
            },
            Token::Close(_) | Token::Text(_) => {}
            Token::End => break,
        }
    }
    unescape(all)
}

/// Characters that XML cannot hold are written as `_x000D_`.
fn unescape(text: String) -> String {
    if !text.contains("_x") && !text.contains('\r') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("_x") {
        let code = rest.get(at + 2..at + 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let is_closed = rest.as_bytes().get(at + 6) == Some(&b'_');
        plain.push_str(&rest[..at]);
        match code.and_then(char::from_u32).filter(|_| is_closed) {
            Some(character) => {
                if character == '\t' || character == '\n' || character == '\r' || !character.is_control() {
                    plain.push(character);
                }
                rest = &rest[at + 7..];
            }
            None => {
                plain.push_str("_x");
                rest = &rest[at + 2..];
            }
        }
    }
    plain.push_str(rest);
    plain.replace("\r\n", "\n").replace('\r', "\n")
}

fn read_formats(text: &str, max_depth: usize) -> Vec<NumberFormat> {
    let mut codes: HashMap<u32, String> = HashMap::new();
    let mut ids: Vec<u32> = Vec::new();
    let mut in_cell_formats = false;
    let mut xml = Xml::new(text, max_depth);
    loop {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Sheet, "numFmt") => {
                    if let (Some(id), Some(code)) =
                        (element.number("numFmtId"), element.attribute("formatCode"))
                    {
                        codes.insert(id, code.into_owned());
                    }
                }
                // Formats of conditional styles are not the cells'.
                (Namespace::Sheet, "dxfs") => xml.skip(),
                (Namespace::Sheet, "cellXfs") => in_cell_formats = true,
                (Namespace::Sheet, "xf") if in_cell_formats => {
                    ids.push(element.number("numFmtId").unwrap_or(0))
                }
                _ => {}
            },
            Token::Close(closed) => {
                if closed.key() == (Namespace::Sheet, "cellXfs") {
                    in_cell_formats = false;
                }
            }
            Token::Text(_) => {}
            Token::End => break,
        }
    }
    formats_of(&ids, &codes)
}

/// The formats of the styles, by the formats' numbers.
pub(crate) fn formats_of(ids: &[u32], codes: &HashMap<u32, String>) -> Vec<NumberFormat> {
    let mut parsed: HashMap<u32, NumberFormat> = HashMap::new();
    (ids.iter())
        .map(|id| {
            let format = parsed.entry(*id).or_insert_with(|| {
                NumberFormat::parse(codes.get(id).map_or_else(|| NumberFormat::built_in(*id), String::as_str))
            });
            format.clone()
        })
        .collect()
}

fn read_table(text: &str, max_depth: usize) -> Option<DefinedTable> {
    let mut xml = Xml::new(text, max_depth);
    loop {
        match xml.next() {
            Token::Open(element) if element.key() == (Namespace::Sheet, "table") => {
                let area = Area::parse(&element.attribute("ref")?)?;
                return Some(DefinedTable {
                    area,
                    n_header_rows: element.number("headerRowCount").unwrap_or(1),
                });
            }
            Token::End => return None,
            _ => {}
        }
    }
}

fn read_comments(text: &str, max_depth: usize) -> Vec<CellComment> {
    let mut authors: Vec<String> = Vec::new();
    let mut comments = Vec::new();
    let mut xml = Xml::new(text, max_depth);
    loop {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Sheet, "author") => authors.push(xml.text().into_owned()),
                (Namespace::Sheet, "comment") => {
                    let area = element.attribute("ref").and_then(|reference| Area::parse(&reference));
                    let author = element.number("authorId").and_then(|idx: usize| authors.get(idx)).cloned();
                    let text = rich_text(&mut xml);
                    if let Some(area) = area {
                        comments.push(CellComment { area, author: author.unwrap_or_default(), text });
                    }
                }
                _ => {}
            },
            Token::Close(_) | Token::Text(_) => {}
            Token::End => return comments,
        }
    }
}
