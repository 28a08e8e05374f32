use std::ops::ControlFlow;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use conspect::{
    Budget, CellRange, Document, FormatFamily, FormatRow, Limits, PageNumber, RenderOptions, Scope,
    Selectors, SheetChoice, SourceText, View, image_size, lay_out, read_as, rendered_chars,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::error::ToolError;
use crate::open::OpenFile;
use crate::read_file::each;
use crate::request::OutputFormat;
use crate::tool::{Outcome, Report};
use crate::wire::{
    EncodingRecord, ErrorRecord, KindRecord, NoticeRecord, PageKindRecord, notices, page_kinds, write_json,
};

/// Say what files are, how large, in which encoding, and what reading them would cost.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Args)]
#[serde(default)]
#[group(skip)]
pub struct FileInfo {
    /// The file to look at.
    #[arg(skip)]
    pub path: Option<String>,
    /// Several files to look at.
    #[arg(value_name = "PATH")]
    pub paths: Option<Vec<String>>,
    /// The password of an encrypted file.
    #[arg(long, value_name = "PASSWORD", env = "CONSPECT_PASSWORD", hide_env_values = true)]
    pub password: Option<String>,
    /// The form of the answer: text, json or jsonl.
    #[arg(long, short = 'f', value_name = "FORMAT")]
    pub format: Option<String>,
}

/// Says what files are, without reading documents whole.
pub fn file_info(
    context: &Context,
    parameters: &FileInfo,
    write: &mut dyn FnMut(&str),
) -> Result<Report, ToolError> {
    let format = parameters.format.as_deref().map(OutputFormat::parse).transpose()?;
    let paths: Vec<&String> = parameters.path.iter().chain(parameters.paths.iter().flatten()).collect();
    if paths.is_empty() {
        return Err(ToolError::new(
            crate::error::ErrorCode::PathMissing,
            "no path was given",
            "Give the path of a file",
        ));
    }
    let mut report = Report::default();
    let looked = each(&paths, |path| look(path, parameters.password.as_deref(), context));
    let mut records = Vec::new();
    for (path, looked) in paths.iter().zip(looked) {
        match looked {
            Ok(info) => records.push((path, Ok(info))),
            Err(error) => {
                report.errors.push(error.clone());
                records.push((path, Err(error)));
            }
        }
    }
    if !report.errors.is_empty() {
        report.outcome = Outcome::SomeFailed;
    }
    let mut is_first = true;
    if format == Some(OutputFormat::Json) {
        write(&crate::wire::beginning());
    }
    for (path, looked) in &records {
        let record = match looked {
            Ok(info) => InfoRecord { path, info: Some(info), error: None },
            Err(error) => InfoRecord {
                path,
                info: None,
                error: Some(ErrorRecord {
                    code: error.code.name(),
                    cause: &error.cause,
                    advice: &error.advice,
                }),
            },
        };
        match (format, looked) {
            (Some(OutputFormat::Json), _) => {
                if !is_first {
                    write(",");
                }
                write_json(&record, write);
            }
            (Some(OutputFormat::JsonLines), _) => {
                write_json(&record, write);
                write("\n");
            }
            (Some(OutputFormat::Text | OutputFormat::Markdown) | None, Ok(info)) => {
                if !is_first {
                    write("\n");
                }
                write(&info.in_words(path));
            }
            (Some(OutputFormat::Text | OutputFormat::Markdown) | None, Err(error)) => {
                if context.door == crate::context::Door::Model {
                    write(&format!("[{path} · {}] {error}\n", error.code.name()));
                }
                continue;
            }
        }
        is_first = false;
    }
    if format == Some(OutputFormat::Json) {
        write(crate::wire::END);
    }
    Ok(report)
}

#[derive(Serialize)]
struct InfoRecord<'a> {
    path: &'a str,
    #[serde(flatten)]
    info: Option<&'a Info>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorRecord<'a>>,
}

/// What is known of a file.
#[derive(Serialize)]
struct Info {
    #[serde(flatten)]
    kind: KindRecord,
    /// Seconds since 1970 at which it was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<EncodingRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_ends: Option<LineEndsRecord>,
    /// Characters of the longest line, and its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_line: Option<LongestLine>,
    /// Width and height in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pixels: Option<(u32, u32)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// What reading it whole would cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Cost>,
    /// Why it cannot be read, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
    /// What the pages hold that were looked at: the first few.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    page_kinds: Vec<PageKindRecord>,
    #[serde(skip)]
    extent: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<NoticeOwned>,
}

#[derive(Serialize)]
struct NoticeOwned {
    kind: &'static str,
    message: String,
}

#[derive(Serialize)]
struct LineEndsRecord {
    lf: usize,
    crlf: usize,
    /// Carriage returns that end no line.
    lone_cr: usize,
    final_newline: bool,
}

#[derive(Serialize)]
struct LongestLine {
    number: usize,
    chars: usize,
}

#[derive(Serialize)]
struct Cost {
    chars: usize,
    tokens: usize,
    /// Whether both were counted rather than estimated from a part.
    exact: bool,
}

/// How much text is counted in tokens; more is estimated from this much.
const TOKEN_SAMPLE_CHARS: usize = 50_000;
/// How many pages of a PDF, or rows of a sheet, are read for an estimate.
const SAMPLED_PAGES: u32 = 3;

fn look(path: &str, password: Option<&str>, context: &Context) -> Result<Info, ToolError> {
    let file = OpenFile::of_path(path, context)?;
    let input = file.bytes.input(&file.name).with_password(password);
    let row = FormatRow::of(file.format);
    let limits = Limits::default();
    // Enough of a document to know its extent, and no more.
    let scope = match row.selectors {
        Selectors::Pages => Scope {
            pages: PageNumber::new(SAMPLED_PAGES).map(|last| vec![PageNumber::FIRST..=last]),
            ..Scope::default()
        },
        Selectors::Cells if !is_small_workbook(&file) => Scope {
            sheet: Some(SheetChoice::Number(1)),
            cells: CellRange::parse("1:100"),
            ..Scope::default()
        },
        Selectors::Cells | Selectors::Lines => Scope::default(),
    };
    let document = read_as(file.format, &input, &scope, &limits);
    let unreadable = document.as_ref().err().map(ToString::to_string);
    let document = document.unwrap_or_else(|_| Document::new(file.format));
    let is_text = matches!(file.format.family(), FormatFamily::Text | FormatFamily::Code);
    let source = if is_text { SourceText::decode(&input, &limits).ok() } else { None };
    let modified = file.bytes.modified().and_then(|time: SystemTime| time.duration_since(UNIX_EPOCH).ok());
    Ok(Info {
        kind: KindRecord::of(&file, &document),
        modified: modified.map(|since| since.as_secs()),
        encoding: document.encoding.as_ref().map(EncodingRecord::of),
        line_ends: source.as_ref().map(|source| {
            let ends = source.line_ends();
            LineEndsRecord {
                lf: ends.n_lf,
                crlf: ends.n_crlf,
                lone_cr: ends.n_lone_cr,
                final_newline: ends.final_newline,
            }
        }),
        longest_line: longest_line(&document),
        pixels: image_size(file.bytes.bytes()),
        title: document.metadata.title.clone(),
        author: document.metadata.author.clone(),
        cost: unreadable.is_none().then(|| cost(&document, &file)),
        unreadable,
        page_kinds: page_kinds(&document),
        extent: document.extent.describe(),
        notices: notices(&document)
            .iter()
            .map(|NoticeRecord { kind, message, .. }| NoticeOwned { kind, message: (*message).to_owned() })
            .collect(),
    })
}

/// Whether a workbook is read whole to know what it would cost: it takes some tenths of a second at most.
fn is_small_workbook(file: &OpenFile) -> bool {
    file.bytes.bytes().len() <= 4 << 20
}

/// About how many characters a byte of a large workbook comes to: they are compressed, and markup besides.
const CHARS_OF_WORKBOOK_BYTE: usize = 2;

fn longest_line(document: &Document<'_>) -> Option<LongestLine> {
    let lines = document.lines.as_ref()?;
    let mut longest = LongestLine { number: 0, chars: 0 };
    lines.visit(0..lines.n_lines(), &mut |line_idx, text| {
        // A line of so many bytes cannot have more characters.
        if text.len() > longest.chars {
            let chars = text.chars().count();
            if chars > longest.chars {
                longest = LongestLine { number: line_idx + 1, chars };
            }
        }
        ControlFlow::Continue(())
    });
    (longest.number > 0).then_some(longest)
}

fn cost(document: &Document<'_>, file: &OpenFile) -> Cost {
    let listing = lay_out(document);
    let render = RenderOptions::default();
    let n_read = match listing.is_source() {
        true => listing.n_chars() + listing.n_lines(),
        false => rendered_chars(&listing, &View::whole(listing.n_lines()), &render),
    };
    let extent = &document.extent;
    let selectors = FormatRow::of(file.format).selectors;
    let chars = match selectors {
        Selectors::Pages => {
            n_read * extent.n_pages.max(1) as usize / extent.n_pages.clamp(1, SAMPLED_PAGES) as usize
        }
        Selectors::Cells if !is_small_workbook(file) => file.bytes.bytes().len() * CHARS_OF_WORKBOOK_BYTE,
        Selectors::Cells | Selectors::Lines => n_read,
    };
    let mut sample = String::new();
    let mut n_sampled = 0;
    listing.visit(0..listing.n_lines(), &mut |_, text| {
        sample.extend(text.chars().take(TOKEN_SAMPLE_CHARS - n_sampled));
        sample.push('\n');
        n_sampled = (n_sampled + text.chars().count() + 1).min(TOKEN_SAMPLE_CHARS);
        if n_sampled >= TOKEN_SAMPLE_CHARS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let n_tokens = Budget::Tokens(1).measure(&sample);
    let n_sampled = sample.chars().count().max(1);
    let is_counted = listing.is_source() && n_sampled >= n_read;
    Cost {
        chars,
        tokens: (n_tokens as f64 * chars as f64 / n_sampled as f64).ceil() as usize,
        exact: is_counted && selectors == Selectors::Lines,
    }
}

impl Info {
    fn in_words(&self, path: &str) -> String {
        let mut text = format!("[{}", conspect_workspace::escaped(path));
        text.push_str(&format!(" · {}", self.kind.format));
        if !self.extent.is_empty() {
            text.push_str(&format!(", {}", self.extent));
        }
        let hash = self.kind.hash.as_deref().and_then(|hash| hash.get(..12)).unwrap_or_default();
        text.push_str(&format!(" · #{hash}]\n"));
        let mut line = |name: &str, value: String| text.push_str(&format!("{name}: {value}\n"));
        line("size", format!("{} bytes", self.kind.size.bytes));
        if !self.kind.size.sheets.is_empty() {
            line("sheets", self.kind.size.sheets.join(", "));
        }
        if let Some((width, height)) = self.pixels {
            line("pixels", format!("{width}×{height}"));
        }
        for (name, value) in [("title", &self.title), ("author", &self.author)] {
            if let Some(value) = value {
                line(name, value.clone());
            }
        }
        if let Some(encoding) = &self.encoding {
            let bom = if encoding.bom { " with BOM" } else { "" };
            let certain = if encoding.certain { "" } else { " (guessed; encoding names another)" };
            line("encoding", format!("{}{bom}{certain}", encoding.name));
        }
        if let Some(ends) = &self.line_ends {
            line("line ends", ends.in_words());
        }
        if let Some(longest) = &self.longest_line {
            line("longest line", format!("{} characters (line {})", longest.chars, longest.number));
        }
        if let Some(seconds) = self.modified {
            line("modified", utc(seconds));
        }
        if let Some(cost) = &self.cost {
            let about = if cost.exact { "" } else { "about " };
            line(
                "reading it whole",
                format!("{about}{} characters, {about}{} tokens", cost.chars, cost.tokens),
            );
        }
        if let Some(why) = &self.unreadable {
            line("cannot be read", why.clone());
        }
        for notice in &self.notices {
            line("notice", notice.message.clone());
        }
        text
    }
}

impl LineEndsRecord {
    fn in_words(&self) -> String {
        let kinds = [(self.lf, "LF"), (self.crlf, "CRLF")];
        let present: Vec<_> = kinds.iter().filter(|(n_ends, _)| *n_ends > 0).collect();
        let mut words = match present.as_slice() {
            [] => "none".to_owned(),
            [(_, name)] => (*name).to_owned(),
            several => {
                let counts: Vec<String> =
                    several.iter().map(|(n_ends, name)| format!("{n_ends} {name}")).collect();
                format!("mixed: {}", counts.join(", "))
            }
        };
        if self.lone_cr > 0 {
            words.push_str(&format!(", {} lone CR (text, not line ends)", self.lone_cr));
        }
        if !self.final_newline {
            words.push_str(", none after the last line");
        }
        words
    }
}

/// A time in UTC as `2026-11-30 22:14:05 UTC`, by the Gregorian calendar.
fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March of year 0, so that leap days come last in their year.
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_utc() {
        assert_eq!(utc(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc(1_796_077_999), "2026-11-30 22:33:19 UTC");
    }
}
