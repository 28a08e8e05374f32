use std::collections::HashMap;

use conspect_model::{CellValues, Format, Notice, NoticeKind, Origin, ReadError};

use crate::package::{Package, Relationships, u16_at, u32_at, u64_at};
use crate::workbook::cells::{Area, StoredValue, ValueWriter, error_name, rk_number};
use crate::workbook::number_format::NumberFormat;
use crate::workbook::sheet::{CellComment, DefinedTable, Sheet, SheetEntry, add_hidden};
use crate::workbook::source::{SheetRequest, SheetSource};
use crate::workbook::xlsx::{SharedStrings, formats_of};

/// A binary workbook (.xlsb): the parts of an .xlsx as records ([MS-XLSB]).
pub(crate) struct Xlsb<'p> {
    package: &'p Package<'p>,
    entries: Vec<SheetEntry>,
    shared_strings: SharedStrings,
    formats: Vec<NumberFormat>,
    is_1904: bool,
}

impl<'p> Xlsb<'p> {
    /// Reads the workbook's own parts; sheets are read when asked for.
    pub(crate) fn open(package: &'p Package<'p>, notices: &mut Vec<Notice>) -> Result<Xlsb<'p>, ReadError> {
        let damaged =
            || ReadError::Damaged { format: Format::Xlsb, what: "its workbook part is missing".to_owned() };
        let by_name = || {
            let is_workbook =
                |name: &&str| name.to_lowercase().replace('\\', "/").ends_with("xl/workbook.bin");
            package.archive.names().find(is_workbook).map(str::to_owned)
        };
        let main = package.main_part().or_else(by_name).ok_or_else(damaged)?;
        let bytes = package.archive.member(&main)?.ok_or_else(damaged)?.bytes;
        let relationships = package.relationships(&main);
        let mut workbook = Xlsb {
            package,
            entries: Vec::new(),
            shared_strings: SharedStrings::default(),
            formats: Vec::new(),
            is_1904: false,
        };
        workbook.read_workbook(&bytes, &relationships);
        for part in relationships.parts_of_kind("sharedStrings") {
            for record in records(&side_bytes(package, &part, notices)) {
                if record.id == 19 {
                    let text = record.data.get(1..).and_then(|data| wide_string(data, 0));
                    workbook.shared_strings.push(text.map(|(text, _)| text).unwrap_or_default().as_str());
                }
            }
        }
        for part in relationships.parts_of_kind("styles") {
            workbook.formats = read_formats(&side_bytes(package, &part, notices));
        }
        Ok(workbook)
    }

    fn read_workbook(&mut self, bytes: &[u8], relationships: &Relationships) {
        for record in records(bytes) {
            match record.id {
                // BrtWbProp
                153 => self.is_1904 = u32_at(record.data, 0).is_some_and(|flags| flags & 1 != 0),
                // BrtBundleSh
                156 => {
                    let state = u32_at(record.data, 0).unwrap_or(0);
                    let Some((id, at)) = wide_string(record.data, 8) else { continue };
                    let Some((name, _)) = wide_string(record.data, at) else { continue };
                    let place = relationships.get(&id).map(|found| found.target.clone()).unwrap_or_default();
                    self.entries.push(SheetEntry { name, is_visible: state & 3 == 0, place });
                }
                _ => {}
            }
        }
    }

    fn read_comments(&self, bytes: &[u8], sheet: &mut Sheet) {
        let mut authors: Vec<String> = Vec::new();
        for record in records(bytes) {
            match record.id {
                // BrtCommentAuthor
                632 => authors.push(wide_string(record.data, 0).map(|(name, _)| name).unwrap_or_default()),
                // BrtBeginComment
                635 => {
                    let author = u32_at(record.data, 0).and_then(|idx| authors.get(idx as usize)).cloned();
                    if let Some(area) = area_at(record.data, 4) {
                        let author = author.unwrap_or_default();
                        sheet.comments.push(CellComment { area, author, text: String::new() });
                    }
                }
                // BrtCommentText
                637 => {
                    if let (Some(comment), Some((text, _))) =
                        (sheet.comments.last_mut(), wide_string(record.data, 1))
                    {
                        comment.text = text;
                    }
                }
                _ => {}
            }
        }
    }
}

impl SheetSource for Xlsb<'_> {
    fn entries(&self) -> &[SheetEntry] {
        &self.entries
    }

    fn read_sheet(&mut self, sheet_idx: usize, request: &SheetRequest<'_>) -> Result<Sheet, ReadError> {
        let mut sheet = Sheet::default();
        let part = self.entries.get(sheet_idx).map(|entry| entry.place.clone()).unwrap_or_default();
        let Some(expanded) = self.package.archive.member(&part)? else { return Ok(sheet) };
        if let Some(damage) = expanded.damage {
            sheet.notices.push(Notice::new(
                NoticeKind::Damaged,
                format!("part {part}: {damage}"),
                Origin::File,
            ));
        }
        let writer = ValueWriter { values: request.values, is_1904: self.is_1904 };
        let general = NumberFormat::default();
        let (mut row, mut next_column) = (0, 0);
        let mut n_formulas = 0usize;
        for record in records(&expanded.bytes) {
            let data = record.data;
            // Short cells follow the one before them and do not say their column.
            let is_short = (12..=18).contains(&record.id);
            let content = if is_short { 4 } else { 8 };
            let value = match record.id {
                // BrtRowHdr
                0 => {
                    row = u32_at(data, 0).unwrap_or(row);
                    next_column = 0;
                    if data.get(11).is_some_and(|flags| flags & 0x10 != 0) {
                        add_hidden(&mut sheet.hidden_rows, row, row);
                    }
                    continue;
                }
                2 | 13 => u32_at(data, content).map(|rk| Content::Number(rk_number(rk))),
                3 | 11 | 14 => data.get(content).map(|code| Content::Error(error_name(*code))),
                4 | 10 | 15 => data.get(content).map(|value| Content::Logical(*value != 0)),
                5 | 9 | 16 => u64_at(data, content).map(|bits| Content::Number(f64::from_bits(bits))),
                6 | 8 | 17 => wide_string(data, content).map(|(text, _)| Content::Text(text)),
                7 | 18 => u32_at(data, content).map(Content::Shared),
                62 => wide_string(data, content + 1).map(|(text, _)| Content::Text(text)),
                1 | 12 => None,
                _ => {
                    read_layout(record.id, data, &mut sheet);
                    continue;
                }
            };
            n_formulas += usize::from((8..=11).contains(&record.id));
            let (column, style) = match is_short {
                true => (next_column, u32_at(data, 0)),
                false => (u32_at(data, 0).unwrap_or(next_column), u32_at(data, 4)),
            };
            next_column = column.saturating_add(1);
            let style = style.unwrap_or(0) & 0x00FF_FFFF;
            let Some(value) = value else { continue };
            if !request.wants(row, column) {
                if request.is_past(row) {
                    break;
                }
                continue;
            }
            let stored = match &value {
                Content::Number(number) => StoredValue::Number(*number),
                Content::Logical(value) => StoredValue::Logical(*value),
                Content::Error(error) => StoredValue::Error(error),
                Content::Text(text) => StoredValue::Text(text),
                Content::Shared(idx) => {
                    self.shared_strings.get(*idx as usize).map_or(StoredValue::Empty, StoredValue::Text)
                }
            };
            let format = self.formats.get(style as usize).unwrap_or(&general);
            if let Some((kind, text)) = writer.write(stored, None, format) {
                let kept = sheet.cells.push(row, column, kind, &text);
                if !kept || request.is_full(&sheet.cells) {
                    sheet.notices.push(request.full_notice());
                    break;
                }
            }
        }
        if request.values == CellValues::Formula && n_formulas > 0 {
            sheet.notices.push(formulas_not_shown(n_formulas));
        }
        let relationships = self.package.relationships(&part);
        for part in relationships.parts_of_kind("table") {
            let bytes = side_bytes(self.package, &part, &mut sheet.notices);
            let table = records(&bytes).find(|record| record.id == 343);
            if let Some((area, n_header_rows)) =
                table.and_then(|record| Some((area_at(record.data, 0)?, u32_at(record.data, 24)?)))
            {
                sheet.tables.push(DefinedTable { area, n_header_rows });
            }
        }
        for part in relationships.parts_of_kind("comments") {
            let bytes = side_bytes(self.package, &part, &mut sheet.notices);
            self.read_comments(&bytes, &mut sheet);
        }
        Ok(sheet)
    }
}

/// What a cell's record holds.
enum Content {
    Number(f64),
    Logical(bool),
    Error(&'static str),
    Text(String),
    Shared(u32),
}

/// Says that binary formulas are shown by their values.
pub(crate) fn formulas_not_shown(n_formulas: usize) -> Notice {
    let message = format!("{n_formulas} formulas are stored in binary form and shown by their values");
    Notice::new(NoticeKind::Unsupported, message, Origin::File)
}

/// Records that say how the sheet is laid out.
fn read_layout(id: u32, data: &[u8], sheet: &mut Sheet) {
    match id {
        // BrtColInfo
        60 => {
            let is_hidden = u16_at(data, 16).is_some_and(|flags| flags & 1 != 0);
            if let (true, Some(first), Some(last)) = (is_hidden, u32_at(data, 0), u32_at(data, 4)) {
                add_hidden(&mut sheet.hidden_columns, first, last);
            }
        }
        // BrtPane
        151 => {
            let is_frozen = data.get(28).is_some_and(|flags| flags & 1 != 0);
            if let (true, Some(bits)) = (is_frozen, u64_at(data, 8)) {
                sheet.n_frozen_rows = f64::from_bits(bits).clamp(0.0, 1000.0) as u32;
            }
        }
        // BrtMergeCell
        176 => sheet.merges.extend(area_at(data, 0)),
        // BrtBeginAFilter
        161 => sheet.filter = area_at(data, 0),
        _ => {}
    }
}

fn read_formats(bytes: &[u8]) -> Vec<NumberFormat> {
    let mut codes = HashMap::new();
    let mut ids = Vec::new();
    let mut in_cell_formats = false;
    for record in records(bytes) {
        match record.id {
            // BrtFmt
            44 => {
                if let (Some(id), Some((code, _))) = (u16_at(record.data, 0), wide_string(record.data, 2)) {
                    codes.insert(u32::from(id), code);
                }
            }
            617 => in_cell_formats = true,
            618 => in_cell_formats = false,
            // BrtXF
            47 if in_cell_formats => ids.push(u32::from(u16_at(record.data, 2).unwrap_or(0))),
            _ => {}
        }
    }
    formats_of(&ids, &codes)
}

fn side_bytes(package: &Package<'_>, part: &str, notices: &mut Vec<Notice>) -> Vec<u8> {
    match package.archive.member(part) {
        Ok(expanded) => expanded.map(|expanded| expanded.bytes).unwrap_or_default(),
        Err(error) => {
            notices.push(Notice::new(NoticeKind::Limit, format!("part {part}: {error}"), Origin::File));
            Vec::new()
        }
    }
}

struct Record<'b> {
    id: u32,
    data: &'b [u8],
}

/// The records of a part, up to the first that does not fit.
fn records(bytes: &[u8]) -> impl Iterator<Item = Record<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = *bytes.get(at)?;
        at += 1;
        let mut id = u32::from(first);
        if first & 0x80 != 0 {
            id = (u32::from(first) & 0x7F) | (u32::from(*bytes.get(at)?) & 0x7F) << 7;
            at += 1;
        }
        let mut n_bytes = 0usize;
        for shift in [0, 7, 14, 21] {
            let byte = *bytes.get(at)?;
            at += 1;
            n_bytes |= usize::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let data = bytes.get(at..at + n_bytes)?;
        at += n_bytes;
        Some(Record { id, data })
    })
}

/// A string with its length in front, and where it ends.
fn wide_string(data: &[u8], at: usize) -> Option<(String, usize)> {
    let n_units = u32_at(data, at)?;
    if n_units == u32::MAX {
        return Some((String::new(), at + 4));
    }
    let end = (at + 4).checked_add((n_units as usize).checked_mul(2)?)?;
    let units = data.get(at + 4..end)?.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let text: String =
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
    Some((text, end))
}

fn area_at(data: &[u8], at: usize) -> Option<Area> {
    Some(Area {
        top: u32_at(data, at)?,
        bottom: u32_at(data, at + 4)?,
        left: u32_at(data, at + 8)?,
        right: u32_at(data, at + 12)?,
    })
    .filter(|area| area.top <= area.bottom && area.left <= area.right && area.right < 1 << 14)
}
