//! Workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods): cells as the spreadsheet program shows them, laid out as tables.
//!
//! Each format has a reader that fills a [`sheet::Sheet`] with cells and what is known of the sheet; [`regions`] finds
//! the tables in it. Begin with [`read_package`] and [`read_xls`].
//!
//! The readers are our own and not calamine's: values have to come out in their number formats, sparse sheets must
//! cost nothing, and no bytes may panic or reserve memory for cells that are not there.

mod cells;
mod formula;
mod number_format;
mod ods;
mod regions;
mod sheet;
mod source;
mod xls;
mod xlsb;
mod xlsx;

use conspect_model::{
    Block, BlockKind, Document, Format, Limits, NoteKind, Notice, NoticeKind, Origin, ReadError, Scope,
    SheetChoice, SheetNumber,
};

use crate::package::{Package, read_properties};
use crate::workbook::cells::Area;
use crate::workbook::ods::Ods;
use crate::workbook::regions::lay_out;
use crate::workbook::sheet::{Sheet, SheetEntry};
use crate::workbook::source::{SheetRequest, SheetSource};
use crate::workbook::xls::Xls;
use crate::workbook::xlsb::Xlsb;
use crate::workbook::xlsx::Xlsx;

/// Reads a workbook that is a zip package.
pub(crate) fn read_package(
    package: &Package<'_>,
    format: Format,
    scope: &Scope,
    limits: &Limits,
) -> Result<Document<'static>, ReadError> {
    let mut notices = Vec::new();
    let mut source: Box<dyn SheetSource + '_> = match format {
        Format::Xlsx => Box::new(Xlsx::open(package, &mut notices)?),
        Format::Xlsb => Box::new(Xlsb::open(package, &mut notices)?),
        Format::Ods => Box::new(Ods::open(package, &mut notices)?),
        _ => return Err(ReadError::Unsupported { format }),
    };
    let mut document = read_sheets(source.as_mut(), format, scope, limits)?;
    document.metadata = read_properties(package, &mut notices);
    document.notices.splice(0..0, notices);
    Ok(document)
}

/// Reads a workbook of Excel 97–2003, or older.
pub(crate) fn read_xls(bytes: &[u8], scope: &Scope, limits: &Limits) -> Result<Document<'static>, ReadError> {
    read_sheets(&mut Xls::open(bytes)?, Format::Xls, scope, limits)
}

fn read_sheets(
    source: &mut dyn SheetSource,
    format: Format,
    scope: &Scope,
    limits: &Limits,
) -> Result<Document<'static>, ReadError> {
    let entries = source.entries().to_vec();
    let wanted = wanted_sheets(&entries, scope)?;
    let mut document = Document::new(format);
    document.extent.sheets = entries.iter().map(|entry| entry.name.clone()).collect();
    if entries.is_empty() {
        return Err(ReadError::Damaged { format, what: "it has no sheets".to_owned() });
    }
    let area = scope.cells.map(|range| Area {
        top: range.first_row.idx() as u32,
        left: range.first_column.idx() as u32,
        bottom: range.last_row.idx() as u32,
        right: range.last_column.idx() as u32,
    });
    let (mut n_cells, mut n_text_bytes) = (0, 0);
    for sheet_idx in wanted {
        if n_cells >= limits.max_cells || n_text_bytes >= limits.max_chars || limits.stop.is_stopped() {
            let message =
                format!("sheets from \"{}\" on were not read: a limit was met", entries[sheet_idx].name);
            document.notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
            break;
        }
        let request = SheetRequest {
            values: scope.values,
            area,
            max_cells: limits.max_cells - n_cells,
            max_text_bytes: limits.max_chars - n_text_bytes,
            limits,
        };
        let mut sheet = match source.read_sheet(sheet_idx, &request) {
            Ok(sheet) => sheet,
            // One sheet too large should not hide the others, unless it is all there is.
            Err(error) if entries.len() > 1 => {
                let mut sheet = Sheet::default();
                sheet.notices.push(Notice::new(
                    NoticeKind::Limit,
                    format!("not read: {error}"),
                    Origin::File,
                ));
                sheet
            }
            Err(error) => return Err(error),
        };
        sheet.cells.finish();
        n_text_bytes += sheet.cells.n_text_bytes();
        n_cells +=
            push_sheet(&mut document, &entries[sheet_idx], SheetNumber::from_idx(sheet_idx), sheet, &request);
    }
    Ok(document)
}

/// Adds the blocks of a sheet; gives how many table cells they hold.
fn push_sheet(
    document: &mut Document<'_>,
    entry: &SheetEntry,
    number: SheetNumber,
    sheet: Sheet,
    request: &SheetRequest<'_>,
) -> usize {
    let laid_out = lay_out(&sheet, number, request.max_cells);
    let used = laid_out.used.unwrap_or(Area { top: 0, left: 0, bottom: 0, right: 0 });
    let origin = Origin::Cells { sheet: number, range: used.range() };
    let kind = BlockKind::Sheet { visible: entry.is_visible };
    document.blocks.push(Block::new(kind, entry.name.clone(), origin));
    document.blocks.extend(laid_out.blocks);
    if !entry.is_visible {
        let message = format!("sheet \"{}\" is hidden in the workbook and included here", entry.name);
        document.notices.push(Notice::new(NoticeKind::Guessed, message, origin));
    }
    for comment in sheet.comments.iter().filter(|comment| request.wants(comment.area.top, comment.area.left))
    {
        let kind = BlockKind::Note { kind: NoteKind::Comment, label: comment.author.clone() };
        let origin = Origin::Cells { sheet: number, range: comment.area.range() };
        document.blocks.push(Block::new(kind, comment.text.trim(), origin));
    }
    let notices = sheet.notices.into_iter().chain(laid_out.notices);
    document.notices.extend(notices.map(|notice| match notice.origin {
        Origin::File => Notice { origin, ..notice },
        _ => notice,
    }));
    for (ranges, what) in [(&sheet.hidden_rows, "rows"), (&sheet.hidden_columns, "columns")] {
        if let Some(message) = hidden_message(ranges, what, &used) {
            document.notices.push(Notice::new(NoticeKind::Guessed, message, origin));
        }
    }
    laid_out.n_cells
}

/// Says which rows or columns with something in them are hidden; they are read all the same.
fn hidden_message(ranges: &[(u32, u32)], what: &str, used: &Area) -> Option<String> {
    const MAX_NAMED: usize = 8;
    let is_rows = what == "rows";
    let (first_used, last_used) = if is_rows { (used.top, used.bottom) } else { (used.left, used.right) };
    let name = |idx: u32| {
        if is_rows {
            (u64::from(idx) + 1).to_string()
        } else {
            conspect_model::ColumnNumber::from_idx(idx as usize).letters()
        }
    };
    let inside = ranges.iter().filter(|(first, last)| *first <= last_used && *last >= first_used);
    let names: Vec<String> = inside
        .map(|(first, last)| match first == last {
            true => name(*first),
            false => format!("{}-{}", name(*first), name((*last).min(last_used))),
        })
        .collect();
    if names.is_empty() {
        return None;
    }
    let more = if names.len() > MAX_NAMED { ", …" } else { "" };
    let named = names.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    Some(format!("{what} {named}{more} are hidden in the sheet and included here"))
}

fn wanted_sheets(entries: &[SheetEntry], scope: &Scope) -> Result<Vec<usize>, ReadError> {
    let Some(choice) = &scope.sheet else { return Ok((0..entries.len()).collect()) };
    let by_name = |name: &str| {
        let exact = entries.iter().position(|entry| entry.name == name);
        exact.or_else(|| {
            let folded = name.trim().to_lowercase();
            let mut alike =
                (0..entries.len()).filter(|&idx| entries[idx].name.trim().to_lowercase() == folded);
            let only = alike.next();
            if alike.next().is_some() { None } else { only }
        })
    };
    let (found, what) = match choice {
        SheetChoice::Name(name) => (by_name(name), format!("sheet {name:?}")),
        SheetChoice::Number(number) => {
            let by_number = || (*number as usize).checked_sub(1).filter(|&idx| idx < entries.len());
            (by_name(&number.to_string()).or_else(by_number), format!("sheet {number}"))
        }
    };
    found.map(|idx| vec![idx]).ok_or_else(|| {
        let names: Vec<String> = entries.iter().take(50).map(|entry| format!("{:?}", entry.name)).collect();
        let more = if entries.len() > names.len() { ", …" } else { "" };
        ReadError::NotThere { what, instead: format!("its sheets are {}{more}", names.join(", ")) }
    })
}
