//! The answers as JSON. What is here is published: a field never changes its meaning, and a change that old readers
//! could not understand raises [`SCHEMA_VERSION`].

use std::io;
use std::ops::ControlFlow;

use conspect::{
    Answer, Claim, ColumnProfile, Document, Extent, FormatRow, LineKind, Listing, Notice, NoticeKind, Origin,
    Shown, Style, TableProfile, TextEncoding, TextPart, View, shown_text,
};
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

use crate::error::ToolError;
use crate::explain::CallRecord;
use crate::open::OpenFile;
use crate::read_file::map_text;
use crate::request::Request;

/// The version of the JSON that answers are in.
pub const SCHEMA_VERSION: u32 = 1;

/// What an answer in JSON begins with: `{"schema_version":1,"files":[`.
pub(crate) fn beginning() -> String {
    format!("{{\"schema_version\":{SCHEMA_VERSION},\"files\":[")
}

/// What an answer in JSON ends with.
pub(crate) const END: &str = "]}\n";

/// Ends an answer in JSON with what explains it, so that the budget need not count it.
pub(crate) fn write_explained_end(explanation: &CallRecord, write: &mut dyn FnMut(&str)) {
    write("],\"explain\":");
    write_json(explanation, write);
    write("}\n");
}

/// What explains an answer in JSON lines: the last of them.
pub(crate) fn write_explanation_line(explanation: &CallRecord, write: &mut dyn FnMut(&str)) {
    write_typed("explain", None, explanation, write);
}

/// One file of an answer.
#[derive(Serialize)]
pub(crate) struct FileRecord<'a> {
    #[serde(flatten)]
    head: HeadRecord<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Lines<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gaps: Vec<GapRecord>,
    /// What the columns hold of tables that are shown in part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tables: Vec<TableRecord<'a>>,
}

/// A table of which only some rows are shown.
#[derive(Serialize)]
struct TableRecord<'a> {
    /// The first line of its header.
    line: usize,
    rows: usize,
    /// How many rows the columns speak of, where they are not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows_seen: Option<usize>,
    columns: Vec<ColumnRecord<'a>>,
    #[serde(skip_serializing_if = "no_columns")]
    columns_left_out: usize,
}

/// A column of such a table.
#[derive(Serialize)]
struct ColumnRecord<'a> {
    name: &'a str,
    /// `number`, `date`, `text` or `empty`.
    kind: &'static str,
    empty: usize,
    /// How many different values there are; absent where there are more than a thousand.
    #[serde(skip_serializing_if = "Option::is_none")]
    distinct: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    greatest: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    values: &'a [String],
}

impl<'a> TableRecord<'a> {
    fn of(profile: &'a TableProfile) -> TableRecord<'a> {
        let column = |column: &'a ColumnProfile| ColumnRecord {
            name: &column.name,
            kind: column.kind.name(),
            empty: column.n_empty,
            distinct: column.n_distinct,
            least: column.extremes.as_ref().map(|(least, _)| least.as_str()),
            greatest: column.extremes.as_ref().map(|(_, greatest)| greatest.as_str()),
            values: &column.values,
        };
        TableRecord {
            line: profile.line_idx + 1,
            rows: profile.n_rows,
            rows_seen: Some(profile.n_rows_seen).filter(|&n_seen| n_seen < profile.n_rows),
            columns: profile.columns.iter().map(column).collect(),
            columns_left_out: profile.n_columns_left_out,
        }
    }
}

/// What is said of a file besides its lines.
#[derive(Serialize, Default)]
struct HeadRecord<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord<'a>>,
    #[serde(flatten)]
    kind: Option<KindRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'a str>,
    /// `whole`, `empty`, `sample`, `lines`, `hits`, `symbol` or `map`.
    #[serde(skip_serializing_if = "Option::is_none")]
    shows: Option<&'static str>,
    /// How many lines a filter found, whether or not there was room for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<usize>,
    #[serde(flatten)]
    cut: Option<CutRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<EncodingRecord>,
    /// The pages that were read, by what they hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    page_kinds: Vec<PageKindRecord>,
    /// A plain answer instead of lines: nothing matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
    /// The structure map or outline, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<NoticeRecord<'a>>,
}

/// Pages that follow one another and hold the same.
#[derive(Serialize)]
pub(crate) struct PageKindRecord {
    first: u32,
    last: u32,
    /// `text`, `mixed` (text and pictures), `image` or `empty`.
    kind: &'static str,
    /// Whether their text was read from a picture.
    #[serde(skip_serializing_if = "is_false")]
    ocr: bool,
}

pub(crate) fn page_kinds(document: &Document<'_>) -> Vec<PageKindRecord> {
    let mut records: Vec<PageKindRecord> = Vec::new();
    for page in &document.pages {
        let number = page.number.get();
        match records.last_mut() {
            Some(record)
                if record.last + 1 == number
                    && record.kind == page.kind.name()
                    && record.ocr == page.is_recognized =>
            {
                record.last = number;
            }
            _ => records.push(PageKindRecord {
                first: number,
                last: number,
                kind: page.kind.name(),
                ocr: page.is_recognized,
            }),
        }
    }
    records
}

#[derive(Serialize)]
pub(crate) struct ErrorRecord<'a> {
    pub(crate) code: &'static str,
    pub(crate) cause: &'a str,
    pub(crate) advice: &'a str,
}

/// What a file is.
#[derive(Serialize)]
pub(crate) struct KindRecord {
    pub(crate) name: String,
    pub(crate) format: &'static str,
    pub(crate) mime: &'static str,
    /// 64 hexadecimal digits of BLAKE3 of the raw bytes; absent where only a part of them was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hash: Option<String>,
    pub(crate) size: SizeRecord,
}

/// How large a file is, in the units that it has.
#[derive(Serialize)]
pub(crate) struct SizeRecord {
    pub(crate) bytes: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) lines: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) pages: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) slides: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) notebook_cells: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) paragraphs: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) symbols: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) sheets: Vec<String>,
}

/// What is told when not everything is shown.
#[derive(Serialize)]
pub(crate) struct CutRecord {
    truncated: bool,
    /// `line_limit`, `byte_limit`, `line_and_byte_limit` or `budget`; absent where all that was asked for is here.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    total_lines: usize,
    total_known: bool,
    /// First and last line of each range shown; counted from -1 backwards where only the end of the file was read.
    shown: Vec<(i64, i64)>,
    file_bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextRecord>,
}

/// The parameters of the call that goes on.
#[derive(Serialize)]
pub(crate) struct NextRecord {
    lines: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The parameters of this call that the next one says again.
    #[serde(flatten)]
    repeated: serde_json::Map<String, serde_json::Value>,
    /// How many ranges more there are after those of `lines`.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_ranges: Option<usize>,
}

#[derive(Serialize)]
pub(crate) struct EncodingRecord {
    pub(crate) name: &'static str,
    pub(crate) bom: bool,
    pub(crate) certain: bool,
    pub(crate) malformed: u64,
}

#[derive(Serialize)]
pub(crate) struct GapRecord {
    first: usize,
    last: usize,
}

/// A notice, as every operation gives it.
#[derive(Serialize)]
pub(crate) struct NoticeRecord<'a> {
    pub(crate) kind: &'static str,
    pub(crate) message: &'a str,
    pub(crate) origin: OriginRecord,
}

/// Where in the file something stands; only what is known is there.
#[derive(Serialize, Default)]
pub(crate) struct OriginRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    /// Left, lower, right and upper edge in points, from the page's lower left corner.
    #[serde(skip_serializing_if = "Option::is_none")]
    rect: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paragraph: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sheet: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slide: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notebook_cell: Option<String>,
}

/// One line of the answer.
#[derive(Serialize)]
struct LineRecord<'a> {
    /// From 1; from -1 backwards where only the end of the file was read.
    number: i64,
    text: &'a str,
    /// How many characters the whole line has, where only a part of it is here.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_chars: Option<usize>,
    /// `heading`, `row` and so on; absent for lines of the file itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// Why the line is in a sample: `edge`, `structure`, `query` or `coverage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<&'static str>,
    origin: OriginRecord,
}

/// The lines of a View, written one by one so that a file of any size passes through.
pub(crate) struct Lines<'a> {
    listing: &'a Listing<'a>,
    view: &'a View,
    style: Style,
}

impl<'a> FileRecord<'a> {
    pub(crate) fn failed(path: &'a str, error: &'a ToolError) -> FileRecord<'a> {
        let error = ErrorRecord { code: error.code.name(), cause: &error.cause, advice: &error.advice };
        let head = HeadRecord { path, error: Some(error), ..HeadRecord::default() };
        FileRecord { head, lines: None, gaps: Vec::new(), tables: Vec::new() }
    }

    pub(crate) fn no_hit(
        file: &OpenFile,
        request: &'a Request,
        listing: &'a Listing<'_>,
        message: &'a str,
    ) -> FileRecord<'a> {
        let view = View { n_lines: listing.n_lines(), ..View::default() };
        let head = HeadRecord {
            shows: Some("hits"),
            hits: Some(0),
            message: Some(message),
            cut: CutRecord::of(file, listing, Some(&view), None, false),
            ..HeadRecord::of(file, request, listing.document())
        };
        FileRecord { head, lines: None, gaps: Vec::new(), tables: Vec::new() }
    }

    pub(crate) fn read(
        file: &OpenFile,
        request: &'a Request,
        listing: &'a Listing<'a>,
        answers: &'a [Answer],
    ) -> FileRecord<'a> {
        let view = answers.iter().find_map(Answer::view);
        let last = answers.last();
        let next = answers.iter().find_map(|answer| answer.next.as_ref());
        let is_sample = last.is_some_and(|answer| matches!(answer.shows.name(), "sample" | "map"));
        let mut cut = CutRecord::of(file, listing, view, next.map(|next| next.reason.name()), is_sample);
        if let (Some(cut), Some(next)) = (&mut cut, next) {
            cut.next = Some(NextRecord {
                lines: next.lines.clone(),
                column: next.column,
                repeated: request.repeated.clone(),
                more_ranges: Some(next.n_more_ranges).filter(|n_ranges| *n_ranges > 0),
            });
        }
        let gaps = view.map(View::gaps).unwrap_or_default();
        let mut notices = notices(listing.document());
        if is_sample {
            // A budget is for the text; `--mode full` has the running headers of every chapter.
            notices.retain(|notice| notice.kind != NoticeKind::LeftOut.name());
            notices.truncate(MAX_NOTICES);
        }
        let mut page_kinds = page_kinds(listing.document());
        if is_sample && page_kinds.len() > MAX_PAGE_KINDS {
            page_kinds.clear();
        }
        let head = HeadRecord {
            notices,
            page_kinds,
            shows: last.map(|answer| answer.shows.name()),
            hits: view.and_then(|view| view.found).map(|found| found.n_hits),
            cut,
            map: map_text(answers),
            ..HeadRecord::of(file, request, listing.document())
        };
        FileRecord {
            head,
            lines: view.map(|view| Lines { listing, view, style: Style::Text }),
            gaps: gaps
                .iter()
                .map(|gap| GapRecord { first: gap.lines.start + 1, last: gap.lines.end })
                .collect(),
            tables: view.into_iter().flat_map(|view| &view.profiles).map(TableRecord::of).collect(),
        }
    }
}

/// How many stretches of pages an answer within a budget tells apart; where there are more, they
/// stand in the answer to `--mode full`.
const MAX_PAGE_KINDS: usize = 20;

/// How many notices an answer within a budget has.
const MAX_NOTICES: usize = 10;

impl<'a> HeadRecord<'a> {
    fn of(file: &OpenFile, request: &'a Request, document: &'a Document<'_>) -> HeadRecord<'a> {
        let encoding = document.encoding.as_ref().filter(|encoding| !encoding.is_plain_utf8());
        HeadRecord {
            path: &request.path,
            kind: Some(KindRecord::of(file, document)),
            part: request.part.as_deref(),
            encoding: encoding.map(EncodingRecord::of),
            notices: notices(document),
            page_kinds: page_kinds(document),
            ..HeadRecord::default()
        }
    }
}

impl EncodingRecord {
    pub(crate) fn of(encoding: &TextEncoding) -> EncodingRecord {
        EncodingRecord {
            name: encoding.name,
            bom: encoding.bom,
            certain: encoding.certain,
            malformed: encoding.n_malformed,
        }
    }
}

pub(crate) fn notices<'a>(document: &'a Document<'_>) -> Vec<NoticeRecord<'a>> {
    let record = |notice: &'a Notice| NoticeRecord {
        kind: notice.kind.name(),
        message: &notice.message,
        origin: OriginRecord::of(notice.origin, &document.extent),
    };
    document.notices.iter().map(record).collect()
}

impl KindRecord {
    pub(crate) fn of(file: &OpenFile, document: &Document<'_>) -> KindRecord {
        KindRecord {
            name: file.name.clone(),
            format: document.format.name(),
            mime: FormatRow::of(document.format).mime,
            hash: file.hash.map(|hash| hash.to_string()),
            size: SizeRecord::of(file.bytes.bytes().len(), &document.extent),
        }
    }
}

impl SizeRecord {
    fn of(bytes: usize, extent: &Extent) -> SizeRecord {
        SizeRecord {
            bytes,
            lines: extent.n_lines,
            pages: extent.n_pages.into(),
            slides: extent.n_slides.into(),
            notebook_cells: extent.n_cells.into(),
            paragraphs: extent.n_paragraphs.into(),
            symbols: extent.n_symbols.into(),
            sheets: extent.sheets.clone(),
        }
    }
}

impl CutRecord {
    /// Nothing where the whole file is shown.
    fn of(
        file: &OpenFile,
        listing: &Listing<'_>,
        view: Option<&View>,
        reason: Option<&'static str>,
        is_sample: bool,
    ) -> Option<CutRecord> {
        let total_known = listing.document().part_read == TextPart::Whole;
        if total_known && view.is_some_and(View::is_whole) {
            return None;
        }
        let mut shown: Vec<(i64, i64)> = Vec::new();
        for run in view.iter().flat_map(|view| &view.runs) {
            match shown.last_mut() {
                Some(last) if last.1 + 1 == listing.number(run.lines.start) => {
                    last.1 = listing.number(run.lines.end - 1);
                }
                _ => shown.push((listing.number(run.lines.start), listing.number(run.lines.end - 1))),
            }
        }
        let reason = reason.or(is_sample.then_some("budget"));
        Some(CutRecord {
            truncated: reason.is_some(),
            reason,
            total_lines: listing.n_lines(),
            total_known,
            shown,
            file_bytes: file.bytes.bytes().len(),
            next: None,
        })
    }
}

impl OriginRecord {
    pub(crate) fn of(origin: Origin, extent: &Extent) -> OriginRecord {
        let none = OriginRecord::default();
        match origin {
            Origin::Lines(lines) => OriginRecord {
                line: Some(lines.first.get()),
                last_line: (lines.last != lines.first).then_some(lines.last.get()),
                ..none
            },
            Origin::Page { page, rect } => OriginRecord {
                page: Some(page.get()),
                rect: Some([rect.x0, rect.y0, rect.x1, rect.y1]),
                ..none
            },
            Origin::Paragraph { paragraph, page } => {
                OriginRecord { paragraph: Some(paragraph.get()), page: page.map(|page| page.get()), ..none }
            }
            Origin::Cells { sheet, range } => OriginRecord {
                sheet: Some(extent.sheet_name(sheet).map_or_else(|| sheet.to_string(), str::to_owned)),
                cells: Some(range.to_string()),
                ..none
            },
            Origin::Slide(slide) => OriginRecord { slide: Some(slide.get()), ..none },
            Origin::NotebookCell(cell) => {
                OriginRecord { notebook_cell: Some(format!("cell-{cell}")), ..none }
            }
            Origin::File => none,
        }
    }
}

impl Lines<'_> {
    /// Calls `each` with every line of the View, in order, until it breaks.
    fn visit(&self, each: &mut dyn FnMut(&LineRecord<'_>) -> ControlFlow<()>) {
        let extent = &self.listing.document().extent;
        let mut is_stopped = false;
        for run in &self.view.runs {
            self.listing.visit(run.lines.clone(), &mut |line_idx, text| {
                let (text, line_chars) = match &run.shown {
                    Shown::Whole => (std::borrow::Cow::Borrowed(text), None),
                    Shown::Pieces { n_chars, .. } => {
                        let shown = shown_text(self.listing, line_idx, &run.shown, self.style);
                        (std::borrow::Cow::Owned(shown), Some(*n_chars))
                    }
                };
                let record = LineRecord {
                    number: self.listing.number(line_idx),
                    text: &text,
                    line_chars,
                    kind: kind_name(self.listing.kind(line_idx)),
                    claim: (run.claim != Claim::Asked).then_some(run.claim.name()),
                    origin: OriginRecord::of(self.listing.origin(line_idx), extent),
                };
                let flow = each(&record);
                is_stopped = flow.is_break();
                flow
            });
            if is_stopped {
                return;
            }
        }
    }
}

fn kind_name(kind: LineKind) -> Option<&'static str> {
    match kind {
        LineKind::Source => None,
        LineKind::Heading(_) => Some("heading"),
        LineKind::Text { .. } => Some("text"),
        LineKind::ListItem { .. } => Some("list_item"),
        LineKind::Code => Some("code"),
        LineKind::Quote => Some("quote"),
        LineKind::Row { is_header: true, .. } => Some("header_row"),
        LineKind::Row { is_header: false, .. } => Some("row"),
        LineKind::Figure => Some("figure"),
        LineKind::Math => Some("math"),
        LineKind::Note => Some("note"),
        LineKind::Sheet => Some("sheet"),
    }
}

impl Serialize for Lines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lines = serializer.serialize_seq(None)?;
        let mut failed = None;
        self.visit(&mut |line| match lines.serialize_element(line) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(S::Error::custom(error));
                ControlFlow::Break(())
            }
        });
        match failed {
            Some(error) => Err(error),
            None => lines.end(),
        }
    }
}

/// Writes a value as JSON, piece by piece.
pub(crate) fn write_json(value: &impl Serialize, write: &mut dyn FnMut(&str)) {
    let mut pieces = io::BufWriter::with_capacity(1 << 16, Pieces { write, rest: Vec::new() });
    // Writing to a closure does not fail, and the records hold nothing that JSON cannot say.
    let _ = serde_json::to_writer(&mut pieces, value);
    let _ = io::Write::flush(&mut pieces);
}

/// Writes a file as JSON lines: what it is, then each of its lines, then what was left out between them.
pub(crate) fn write_json_lines(record: &FileRecord<'_>, write: &mut dyn FnMut(&str)) {
    write_typed("file", None, &record.head, write);
    let path = Some(record.head.path);
    if let Some(lines) = &record.lines {
        lines.visit(&mut |line| {
            write_typed("line", path, line, write);
            ControlFlow::Continue(())
        });
    }
    for gap in &record.gaps {
        write_typed("gap", path, gap, write);
    }
}

fn write_typed(
    r#type: &'static str,
    path: Option<&str>,
    record: &impl Serialize,
    write: &mut dyn FnMut(&str),
) {
    #[derive(Serialize)]
    struct Typed<'r, T: Serialize> {
        r#type: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<&'r str>,
        #[serde(flatten)]
        record: &'r T,
    }
    write_json(&Typed { r#type, path, record }, write);
    write("\n");
}

fn no_columns(n_columns: &usize) -> bool {
    *n_columns == 0
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Hands bytes on as text: a character cut by the end of a buffer waits for its rest.
struct Pieces<'w> {
    write: &'w mut dyn FnMut(&str),
    rest: Vec<u8>,
}

impl io::Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        let n_whole = match std::str::from_utf8(&self.rest) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        (self.write)(&String::from_utf8_lossy(&self.rest[..n_whole]));
        self.rest.drain(..n_whole);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
