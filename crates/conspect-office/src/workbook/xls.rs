use std::collections::HashMap;

use conspect_model::{CellValues, Format, ReadError};
use encoding_rs::Encoding;

use crate::package::{Ole, u16_at, u32_at, u64_at};
use crate::workbook::cells::{Area, StoredValue, ValueWriter, error_name, rk_number};
use crate::workbook::number_format::NumberFormat;
use crate::workbook::sheet::{CellComment, Sheet, SheetEntry, add_hidden};
use crate::workbook::source::{SheetRequest, SheetSource};
use crate::workbook::xlsb::formulas_not_shown;
use crate::workbook::xlsx::{SharedStrings, formats_of};

const CONTINUE: u16 = 0x3C;

/// A workbook of Excel 97–2003 or older ([MS-XLS] and its forerunners): a stream of small records.
pub(crate) struct Xls {
    stream: Vec<u8>,
    version: Version,
    encoding: &'static Encoding,
    entries: Vec<SheetEntry>,
    offsets: Vec<usize>,
    shared_strings: SharedStrings,
    formats: Vec<NumberFormat>,
    /// Excel 2 to 4 number their formats by order.
    format_codes: Vec<String>,
    is_1904: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Version {
    Biff2,
    Biff3,
    Biff4,
    Biff5,
    Biff8,
}

impl Xls {
    /// Reads what stands before the sheets.
    pub(crate) fn open(bytes: &[u8]) -> Result<Xls, ReadError> {
        let damaged = |what: &str| ReadError::Damaged { format: Format::Xls, what: what.to_owned() };
        let stream = match Ole::open(bytes) {
            Some(ole) => ole.stream("Workbook").or_else(|| ole.stream("Book")),
            None => Some(bytes.to_vec()),
        };
        let stream = stream.ok_or_else(|| damaged("its workbook stream is missing"))?;
        let mut workbook = Xls {
            version: version_of(&stream).ok_or_else(|| damaged("its workbook stream is no workbook"))?,
            stream,
            encoding: encoding_rs::WINDOWS_1252,
            entries: Vec::new(),
            offsets: Vec::new(),
            shared_strings: SharedStrings::default(),
            formats: Vec::new(),
            format_codes: Vec::new(),
            is_1904: false,
        };
        let stream = std::mem::take(&mut workbook.stream);
        workbook.read_globals(&stream)?;
        workbook.stream = stream;
        if workbook.entries.is_empty() {
            // A stream may be one sheet by itself, as it always was up to Excel 4.
            const WORKSHEET: Option<u16> = Some(0x10);
            if u16_at(&workbook.stream, 6) != WORKSHEET {
                return Err(damaged("it has no sheets"));
            }
            workbook.entries.push(SheetEntry {
                name: "Sheet1".to_owned(),
                is_visible: true,
                place: String::new(),
            });
            workbook.offsets.push(0);
        }
        Ok(workbook)
    }

    fn read_globals(&mut self, stream: &[u8]) -> Result<(), ReadError> {
        let mut codes: HashMap<u32, String> = HashMap::new();
        let mut ids: Vec<u32> = Vec::new();
        let has_sheets_apart = self.version >= Version::Biff5;
        for record in Records::new(stream, 0) {
            let data = record.data;
            match record.id {
                0x2F => return Err(ReadError::Encrypted { format: Format::Xls, can_open: false }),
                0x42 => self.encoding = encoding_of(u16_at(data, 0).unwrap_or(1252)),
                0x22 => self.is_1904 = u16_at(data, 0) == Some(1),
                0x85 => self.read_bound_sheet(data),
                0xFC => self.shared_strings = read_shared_strings(stream, &record),
                0x1E => {
                    let code = self.short_string(data, 0).unwrap_or_default();
                    self.format_codes.push(code);
                }
                0x41E => {
                    let code = match self.version {
                        Version::Biff8 => unicode_string(data, 2),
                        _ => self.short_string(data, 2),
                    };
                    let code = code.unwrap_or_default();
                    if self.version == Version::Biff4 {
                        self.format_codes.push(code);
                    } else if let Some(id) = u16_at(data, 0) {
                        codes.insert(u32::from(id), code);
                    }
                }
                0xE0 => ids.push(u32::from(u16_at(data, 2).unwrap_or(0))),
                // Font and format are one byte each.
                0x243 | 0x443 => ids.push(data.get(1).copied().map_or(0, u32::from)),
                0x0A if has_sheets_apart => break,
                _ => {}
            }
        }
        if !self.format_codes.is_empty() {
            let by_order = self.format_codes.iter().enumerate();
            codes = by_order.map(|(idx, code)| (idx as u32, code.clone())).collect();
        }
        if self.version == Version::Biff2 {
            ids = (0..self.format_codes.len() as u32).collect();
        }
        self.formats = formats_of(&ids, &codes);
        Ok(())
    }

    fn read_bound_sheet(&mut self, data: &[u8]) {
        let (Some(offset), Some(state), Some(kind)) = (u32_at(data, 0), data.get(4), data.get(5)) else {
            return;
        };
        // A module of Visual Basic is in the list, but is no sheet.
        if *kind == 6 {
            return;
        }
        let name = match self.version {
            Version::Biff8 => data.get(6).and_then(|n| unicode_characters(data, 7, usize::from(*n))),
            _ => self.short_string(data, 6),
        };
        let name = name.unwrap_or_default();
        self.entries.push(SheetEntry { name, is_visible: state & 3 == 0, place: String::new() });
        self.offsets.push(offset as usize);
    }

    /// A string of bytes with a length of one byte.
    fn short_string(&self, data: &[u8], at: usize) -> Option<String> {
        let n_bytes = usize::from(*data.get(at)?);
        self.bytes_string(data, at + 1, n_bytes)
    }

    fn bytes_string(&self, data: &[u8], at: usize, n_bytes: usize) -> Option<String> {
        let bytes = data.get(at..)?;
        let bytes = &bytes[..n_bytes.min(bytes.len())];
        Some(self.encoding.decode_without_bom_handling(bytes).0.into_owned())
    }

    /// A string with a length of two bytes, in the way of the file's version.
    fn string(&self, record: &Record<'_>, at: usize) -> Option<String> {
        match self.version {
            Version::Biff8 => {
                let mut pieces = Pieces::of(&self.stream, record);
                pieces.skip(at)?;
                let n = usize::from(pieces.u16()?);
                pieces.string(n)
            }
            Version::Biff2 => self.short_string(record.data, at),
            _ => self.bytes_string(record.data, at + 2, usize::from(u16_at(record.data, at)?)),
        }
    }
}

impl SheetSource for Xls {
    fn entries(&self) -> &[SheetEntry] {
        &self.entries
    }

    fn read_sheet(&mut self, sheet_idx: usize, request: &SheetRequest<'_>) -> Result<Sheet, ReadError> {
        let Some(&offset) = self.offsets.get(sheet_idx) else { return Ok(Sheet::default()) };
        let mut reading = SheetReading {
            workbook: self,
            writer: ValueWriter { values: request.values, is_1904: self.is_1904 },
            request,
            sheet: Sheet::default(),
            general: NumberFormat::default(),
            awaits_string: None,
            object: None,
            object_texts: HashMap::new(),
            is_frozen: false,
            n_formulas: 0,
        };
        let mut depth = 0usize;
        for record in Records::new(&self.stream, offset) {
            match record.id {
                0x09 | 0x209 | 0x409 | 0x809 => depth += 1,
                0x0A => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                // Charts inside the sheet are streams of their own, with records like its.
                _ if depth == 1 && !reading.record(&record) => break,
                _ => {}
            }
        }
        let mut sheet = reading.sheet;
        if !reading.is_frozen {
            sheet.n_frozen_rows = 0;
        }
        if request.values == CellValues::Formula && reading.n_formulas > 0 {
            sheet.notices.push(formulas_not_shown(reading.n_formulas));
        }
        Ok(sheet)
    }
}

/// One pass over a sheet's records.
struct SheetReading<'r> {
    workbook: &'r Xls,
    writer: ValueWriter,
    request: &'r SheetRequest<'r>,
    sheet: Sheet,
    general: NumberFormat,
    /// The formula whose text the next record holds: row, column, style.
    awaits_string: Option<(u32, u32, usize)>,
    /// The drawing object whose text comes next.
    object: Option<u16>,
    object_texts: HashMap<u16, String>,
    is_frozen: bool,
    n_formulas: usize,
}

impl SheetReading<'_> {
    /// Takes in a record; `false` where the reading should end.
    fn record(&mut self, record: &Record<'_>) -> bool {
        let data = record.data;
        let workbook = self.workbook;
        let (Some(row), Some(column)) = (u16_at(data, 0).map(u32::from), u16_at(data, 2).map(u32::from))
        else {
            return true;
        };
        let is_biff2 = workbook.version == Version::Biff2;
        // Excel 2 has three bytes of attributes where later ones have the number of the style.
        let (style, content) = match is_biff2 {
            true => (usize::from(data.get(5).copied().unwrap_or(0) & 0x3F), 7),
            false => (usize::from(u16_at(data, 4).unwrap_or(0)), 6),
        };
        let number_at = |at: usize| u64_at(data, at).map(f64::from_bits);
        match record.id {
            0x02 if is_biff2 => {
                let number = u16_at(data, content).map(f64::from);
                self.push(row, column, style, number.map_or(StoredValue::Empty, StoredValue::Number))
            }
            0x03 | 0x203 => {
                let number = number_at(content);
                self.push(row, column, style, number.map_or(StoredValue::Empty, StoredValue::Number))
            }
            0x27E => {
                let number = u32_at(data, content).map(rk_number);
                self.push(row, column, style, number.map_or(StoredValue::Empty, StoredValue::Number))
            }
            0xBD => {
                for (idx, cell) in data.get(4..).unwrap_or_default().chunks_exact(6).enumerate() {
                    let (Some(style), Some(rk)) = (u16_at(cell, 0), u32_at(cell, 2)) else { break };
                    let number = StoredValue::Number(rk_number(rk));
                    if !self.push(row, column + idx as u32, usize::from(style), number) {
                        return false;
                    }
                }
                true
            }
            0xFD => {
                let text = u32_at(data, content).and_then(|idx| workbook.shared_strings.get(idx as usize));
                self.push(row, column, style, text.map_or(StoredValue::Empty, StoredValue::Text))
            }
            0x04 | 0x204 | 0xD6 => {
                let text = workbook.string(record, content).unwrap_or_default();
                self.push(row, column, style, StoredValue::Text(&text))
            }
            0x05 | 0x205 => {
                let value = data.get(content).copied().unwrap_or(0);
                let is_error = data.get(content + 1).copied().unwrap_or(0) != 0;
                let value = if is_error {
                    StoredValue::Error(error_name(value))
                } else {
                    StoredValue::Logical(value != 0)
                };
                self.push(row, column, style, value)
            }
            0x06 | 0x206 | 0x406 => {
                self.n_formulas += 1;
                self.formula(row, column, style, data.get(content..content + 8).unwrap_or_default())
            }
            0x07 | 0x207 => {
                let Some((row, column, style)) = self.awaits_string.take() else { return true };
                let text = workbook.string(record, 0).unwrap_or_default();
                self.push(row, column, style, StoredValue::Text(&text))
            }
            _ => {
                self.layout(record, row, column);
                true
            }
        }
    }

    fn formula(&mut self, row: u32, column: u32, style: usize, value: &[u8]) -> bool {
        let stored = match value {
            [0, .., 0xFF, 0xFF] => {
                self.awaits_string = Some((row, column, style));
                return true;
            }
            [1, _, logical, .., 0xFF, 0xFF] => StoredValue::Logical(*logical != 0),
            [2, _, code, .., 0xFF, 0xFF] => StoredValue::Error(error_name(*code)),
            [3, .., 0xFF, 0xFF] => StoredValue::Empty,
            _ => u64_at(value, 0).map(f64::from_bits).map_or(StoredValue::Empty, StoredValue::Number),
        };
        self.push(row, column, style, stored)
    }

    fn push(&mut self, row: u32, column: u32, style: usize, value: StoredValue<'_>) -> bool {
        if !self.request.wants(row, column) {
            return true;
        }
        let format = self.workbook.formats.get(style).unwrap_or(&self.general);
        if let Some((kind, text)) = self.writer.write(value, None, format) {
            let kept = self.sheet.cells.push(row, column, kind, &text);
            if !kept || self.request.is_full(&self.sheet.cells) {
                self.sheet.notices.push(self.request.full_notice());
                return false;
            }
        }
        true
    }

    /// Records that say how the sheet is laid out, and its comments.
    fn layout(&mut self, record: &Record<'_>, first: u32, second: u32) {
        let data = record.data;
        match record.id {
            0x208 if u16_at(data, 12).is_some_and(|flags| flags & 0x20 != 0) => {
                add_hidden(&mut self.sheet.hidden_rows, first, first);
            }
            0x7D if u16_at(data, 8).is_some_and(|flags| flags & 1 != 0) && first <= second => {
                add_hidden(&mut self.sheet.hidden_columns, first, second);
            }
            0xE5 => {
                for area in data.get(2..).unwrap_or_default().chunks_exact(8) {
                    let at = |at| u32::from(u16_at(area, at).unwrap_or(0));
                    let area = Area { top: at(0), bottom: at(2), left: at(4), right: at(6) };
                    if area.top <= area.bottom && area.left <= area.right {
                        self.sheet.merges.push(area);
                    }
                }
            }
            0x23E => self.is_frozen = first & 8 != 0,
            0x41 => self.sheet.n_frozen_rows = second.min(1000),
            // The object that a text box belongs to.
            0x5D => self.object = u16_at(data, 6),
            0x1B6 => {
                let n_characters = usize::from(u16_at(data, 10).unwrap_or(0));
                let next = Records::new(&self.workbook.stream, record.next).next();
                let text = next.filter(|next| next.id == CONTINUE && n_characters > 0).and_then(|next| {
                    let mut pieces = Pieces::of(&self.workbook.stream, &next);
                    pieces.characters(n_characters)
                });
                if let (Some(object), Some(text)) = (self.object, text) {
                    self.object_texts.insert(object, text);
                }
            }
            0x1C if self.workbook.version == Version::Biff8 => {
                let text = u16_at(data, 6).and_then(|object| self.object_texts.get(&object)).cloned();
                if let Some(text) = text {
                    let area = Area { top: first, left: second, bottom: first, right: second };
                    let author = unicode_string(data, 8).unwrap_or_default();
                    self.sheet.comments.push(CellComment { area, author, text });
                }
            }
            _ => {}
        }
    }
}

/// A record: what it is, what it holds, and where the next one begins.
struct Record<'s> {
    id: u16,
    data: &'s [u8],
    next: usize,
}

/// The records of a stream from some place on, up to the first that does not fit.
struct Records<'s> {
    stream: &'s [u8],
    at: usize,
}

impl<'s> Records<'s> {
    fn new(stream: &'s [u8], at: usize) -> Records<'s> {
        Records { stream, at }
    }
}

impl<'s> Iterator for Records<'s> {
    type Item = Record<'s>;

    fn next(&mut self) -> Option<Record<'s>> {
        let id = u16_at(self.stream, self.at)?;
        let n_bytes = usize::from(u16_at(self.stream, self.at.checked_add(2)?)?);
        let start = self.at + 4;
        // The last record of a file that was cut is read as far as it goes.
        let end = (start + n_bytes).min(self.stream.len());
        self.at = end;
        Some(Record { id, data: self.stream.get(start..end)?, next: end })
    }
}

/// A record and those that continue it, read as one, with strings going on over their borders.
struct Pieces<'s> {
    pieces: Vec<&'s [u8]>,
    piece_idx: usize,
    at: usize,
}

impl<'s> Pieces<'s> {
    fn of(stream: &'s [u8], record: &Record<'s>) -> Pieces<'s> {
        let mut pieces = vec![record.data];
        let continued = Records::new(stream, record.next).take_while(|next| next.id == CONTINUE);
        pieces.extend(continued.map(|next| next.data));
        Pieces { pieces, piece_idx: 0, at: 0 }
    }

    fn u8(&mut self) -> Option<u8> {
        loop {
            let piece = self.pieces.get(self.piece_idx)?;
            if let Some(&byte) = piece.get(self.at) {
                self.at += 1;
                return Some(byte);
            }
            self.piece_idx += 1;
            self.at = 0;
        }
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.u8()?, self.u8()?]))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from(self.u16()?) | u32::from(self.u16()?) << 16)
    }

    fn skip(&mut self, mut n_bytes: usize) -> Option<()> {
        while n_bytes > 0 {
            let piece = self.pieces.get(self.piece_idx)?;
            let n_here = (piece.len() - self.at).min(n_bytes);
            self.at += n_here;
            n_bytes -= n_here;
            if n_bytes > 0 {
                self.piece_idx += 1;
                self.at = 0;
            }
        }
        Some(())
    }

    /// A string of `n` characters: its options, its characters, and whatever formatting follows them.
    fn string(&mut self, n: usize) -> Option<String> {
        let options = self.u8()?;
        let n_runs = if options & 8 != 0 { usize::from(self.u16()?) } else { 0 };
        let n_extra = if options & 4 != 0 { self.u32()? as usize } else { 0 };
        let text = self.characters_as(n, options)?;
        // What is missing at the end of the last string takes nothing from it.
        let _ = self.skip(n_runs.saturating_mul(4).saturating_add(n_extra));
        Some(text)
    }

    /// Characters with their width in front.
    fn characters(&mut self, n: usize) -> Option<String> {
        let options = self.u8()?;
        self.characters_as(n, options)
    }

    fn characters_as(&mut self, n: usize, options: u8) -> Option<String> {
        let mut units: Vec<u16> = Vec::new();
        let mut is_wide = options & 1 != 0;
        while units.len() < n {
            let piece = self.pieces.get(self.piece_idx)?;
            if self.at >= piece.len() {
                self.piece_idx += 1;
                self.at = 0;
                // The rest of the string says its own width.
                match self.u8() {
                    Some(options) => is_wide = options & 1 != 0,
                    None => break,
                }
                continue;
            }
            if is_wide {
                match u16_at(piece, self.at) {
                    Some(unit) => units.push(unit),
                    None => units.push(u16::from(piece[self.at])),
                }
                self.at = (self.at + 2).min(piece.len());
            } else {
                units.push(u16::from(piece[self.at]));
                self.at += 1;
            }
        }
        let text = String::from_utf16_lossy(&units);
        Some(if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text })
    }
}

fn read_shared_strings(stream: &[u8], record: &Record<'_>) -> SharedStrings {
    let mut strings = SharedStrings::default();
    let mut pieces = Pieces::of(stream, record);
    let Some(n_strings) = pieces.skip(4).and_then(|()| pieces.u32()) else { return strings };
    for _ in 0..n_strings {
        let Some(text) = pieces.u16().and_then(|n| pieces.string(usize::from(n))) else { break };
        strings.push(&text);
    }
    strings
}

/// A string inside one record, with a length of two bytes.
fn unicode_string(data: &[u8], at: usize) -> Option<String> {
    unicode_characters(data, at + 2, usize::from(u16_at(data, at)?))
}

fn unicode_characters(data: &[u8], at: usize, n: usize) -> Option<String> {
    let mut pieces = Pieces { pieces: vec![data.get(at..)?], piece_idx: 0, at: 0 };
    pieces.characters(n)
}

fn version_of(stream: &[u8]) -> Option<Version> {
    Some(match (u16_at(stream, 0)?, u16_at(stream, 4)?) {
        (0x09, _) => Version::Biff2,
        (0x209, _) => Version::Biff3,
        (0x409, _) => Version::Biff4,
        (0x809, 0x600) => Version::Biff8,
        (0x809, _) => Version::Biff5,
        _ => return None,
    })
}

fn encoding_of(code_page: u16) -> &'static Encoding {
    match code_page {
        866 => encoding_rs::IBM866,
        874 => encoding_rs::WINDOWS_874,
        932 => encoding_rs::SHIFT_JIS,
        936 => encoding_rs::GBK,
        949 => encoding_rs::EUC_KR,
        950 => encoding_rs::BIG5,
        1250 => encoding_rs::WINDOWS_1250,
        1251 => encoding_rs::WINDOWS_1251,
        1253 => encoding_rs::WINDOWS_1253,
        1254 => encoding_rs::WINDOWS_1254,
        1255 => encoding_rs::WINDOWS_1255,
        1256 => encoding_rs::WINDOWS_1256,
        1257 => encoding_rs::WINDOWS_1257,
        1258 => encoding_rs::WINDOWS_1258,
        10000 | 32768 => encoding_rs::MACINTOSH,
        10007 => encoding_rs::X_MAC_CYRILLIC,
        65001 => encoding_rs::UTF_8,
        _ => encoding_rs::WINDOWS_1252,
    }
}
