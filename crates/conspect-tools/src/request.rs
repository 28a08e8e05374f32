//! What is asked for, checked: from the parameters as they were given to a [`Call`] that cannot be wrong in itself.

use std::ops::RangeInclusive;

use conspect::{
    Budget, CellRange, CellValues, Filter, FilterError, FilterKind, HitUnit, LineChoice, LineNumber,
    LineRange, Mode, PageNumber, Query, RenderOptions, Revisions, RunningText, Scope, Selection, SheetChoice,
};
use conspect_report::is_report;
use conspect_workspace::{Destination, Tesseract, TesseractError, escaped};
use serde_json::json;

use crate::context::{Context, Door};
use crate::error::{ErrorCode, ToolError};
use crate::parameters::{Loose, OutputOptions, ReadFile, ReadOptions, ReadRequest};
use crate::settings::Key;

/// A call that reads one or several files.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) requests: Vec<Request>,
    /// The budget, if one was given.
    pub(crate) budget: Option<Budget>,
    pub(crate) format: Option<OutputFormat>,
    pub(crate) header: bool,
    /// Whether to say how the answer came about.
    pub(crate) explain: bool,
    /// Where a page goes that shows it.
    pub(crate) report: Option<Destination>,
}

/// One file of a call.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) scope: Scope,
    /// The part of the file in words, where the scope names one.
    pub(crate) part: Option<String>,
    pub(crate) wanted: Wanted,
    /// Whether an outline goes before the lines that are wanted.
    pub(crate) with_outline: bool,
    pub(crate) query: Option<Query>,
    pub(crate) query_share: f64,
    pub(crate) line_numbers: bool,
    pub(crate) max_lines: Option<usize>,
    pub(crate) max_bytes: Option<usize>,
    /// The character to begin at, from 0.
    pub(crate) first_char: usize,
    pub(crate) encoding: Option<String>,
    pub(crate) password: Option<String>,
    /// Who reads pages that are only a picture.
    pub(crate) recognizer: Option<Tesseract>,
    /// The parameters that a call has to say again which goes on where this one was cut.
    pub(crate) repeated: serde_json::Map<String, serde_json::Value>,
}

/// Which part of the file's text is wanted.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// Whatever is useful.
    Preview(Mode),
    /// Lines by number, by what they hold, or both.
    Lines(Selection),
    /// A symbol of source code.
    Symbol(String),
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    Text,
    Markdown,
    Json,
    JsonLines,
}

impl Request {
    /// Whether the budget of the call holds for this file. Lines asked for by their numbers, and whole files, have
    /// ceilings of their own.
    pub(crate) fn is_budgeted(&self) -> bool {
        match &self.wanted {
            Wanted::Preview(Mode::Full) | Wanted::Symbol(_) => self.with_outline,
            Wanted::Preview(_) => true,
            Wanted::Lines(selection) => selection.lines == LineChoice::All || self.with_outline,
        }
    }

    /// The parameters to say again, in words: `contains "low", pages "3-5"`. Where they are as long as an answer, they
    /// are only spoken of.
    pub(crate) fn repeated_in_words(&self) -> String {
        const MAX_BYTES: usize = 200;
        let words: Vec<String> =
            self.repeated.iter().map(|(name, value)| format!("{name} {value}")).collect();
        match words.join(", ") {
            long if long.len() > MAX_BYTES => "and the rest of this call".to_owned(),
            words => words,
        }
    }

    pub(crate) fn render(&self, style: conspect::Style) -> RenderOptions {
        RenderOptions { style, line_numbers: self.line_numbers }
    }
}

impl Call {
    /// Checks the parameters of a call.
    pub(crate) fn new(parameters: &ReadFile, context: &Context) -> Result<Call, ToolError> {
        let requests = requests(parameters, context)?;
        let OutputOptions { budget, format, no_header } = &parameters.output;
        let report = report(parameters, &requests, context)?;
        Ok(Call {
            report,
            requests,
            budget: budget.as_ref().map(parse_budget).transpose()?,
            format: format.as_deref().map(OutputFormat::parse).transpose()?,
            header: !no_header,
            explain: parameters.explanation.explain,
        })
    }
}

/// Where the report goes: not over a file that is being read, and over no other that was not a report before.
fn report(
    parameters: &ReadFile,
    requests: &[Request],
    context: &Context,
) -> Result<Option<Destination>, ToolError> {
    let Some(path) = &parameters.explanation.report else { return Ok(None) };
    if matches!(parameters.output.format.as_deref(), Some("json" | "jsonl")) {
        return Err(ToolError::invalid(
            "report is given together with an answer in JSON",
            "Leave one of them out: a report is drawn of the text",
        ));
    }
    let workspace = &context.workspace;
    let destination = workspace.destination(path).map_err(|error| ToolError::from_write("report", &error))?;
    let Some(existing) = destination.existing() else { return Ok(Some(destination)) };
    let is_read =
        |request: &Request| workspace.resolve(&request.path).is_ok_and(|found| found.is_same_file(existing));
    if requests.iter().any(is_read) {
        return Err(ToolError::invalid(
            format!("the report would take the place of {}, which is being read", escaped(path)),
            "Give another name for the report",
        ));
    }
    let there = workspace.read(existing).map_err(|error| ToolError::from_write("report", &error))?;
    if !parameters.explanation.force && !is_report(there.bytes()) {
        return Err(ToolError::invalid(
            format!("{} is there already, and is no report", escaped(path)),
            "Give another name for the report, or --force to replace the file",
        ));
    }
    Ok(Some(destination))
}

impl OutputFormat {
    pub(crate) fn parse(text: &str) -> Result<OutputFormat, ToolError> {
        let known = [
            ("text", OutputFormat::Text),
            ("markdown", OutputFormat::Markdown),
            ("json", OutputFormat::Json),
            ("jsonl", OutputFormat::JsonLines),
        ];
        one_of("format", text, &known)
    }
}

pub(crate) fn parse_budget(text: &Loose) -> Result<Budget, ToolError> {
    Budget::parse(&text.0).ok_or_else(|| {
        ToolError::invalid(
            format!("budget {:?} is no amount", text.0),
            "Give characters (\"20000\") or tokens (\"8000t\"), at least 1",
        )
    })
}

fn requests(parameters: &ReadFile, context: &Context) -> Result<Vec<Request>, ToolError> {
    let max_files = context.settings.count(Key::ReadBatchMaxFiles);
    let is_limited = context.door == Door::Model;
    let too_many = |n_files: usize| {
        ToolError::invalid(
            format!("{n_files} files are asked for, and one call may ask for {max_files}"),
            "Make several calls",
        )
    };
    match (&parameters.path, &parameters.paths, &parameters.requests) {
        (None, None, Some(requests)) => {
            if parameters.options != ReadOptions::default() {
                return Err(ToolError::invalid(
                    "requests goes with no other option of its own level",
                    "Put each file's options into its request",
                ));
            }
            if is_limited && requests.len() > max_files {
                return Err(too_many(requests.len()));
            }
            if requests.is_empty() {
                return Err(no_path(context));
            }
            requests
                .iter()
                .map(|ReadRequest { path, options }| match path {
                    Some(path) => request(path, options, context),
                    None => Err(ToolError::new(
                        ErrorCode::PathMissing,
                        "a request has no path",
                        "Give every request a path",
                    )),
                })
                .collect()
        }
        (_, _, Some(_)) => Err(ToolError::invalid(
            "requests does not go with path or paths",
            "Put the path into a request, or leave requests out",
        )),
        (Some(_), Some(_), None) => {
            Err(ToolError::invalid("path and paths are given together", "Give one of them"))
        }
        (Some(path), None, None) => Ok(vec![request(path, &parameters.options, context)?]),
        (None, Some(paths), None) => {
            let mut distinct: Vec<&String> = Vec::new();
            for path in paths {
                if !distinct.contains(&path) {
                    distinct.push(path);
                }
            }
            if is_limited && distinct.len() > max_files {
                return Err(too_many(distinct.len()));
            }
            if distinct.is_empty() {
                return Err(no_path(context));
            }
            distinct.into_iter().map(|path| request(path, &parameters.options, context)).collect()
        }
        (None, None, None) => Err(no_path(context)),
    }
}

/// How many documents are offered to someone who named none.
const MAX_OFFERED: usize = 20;

/// Not a bare error: which documents there are, so that the person can be asked which one is meant.
fn no_path(context: &Context) -> ToolError {
    let is_document = |name: &str| {
        let extension = conspect::Input::new(&[], name).extension();
        conspect::FormatRow::of_extension(&extension).is_some()
    };
    let (names, n_names) = context.workspace.file_names(is_document, MAX_OFFERED);
    let names: Vec<String> = names.iter().map(|name| conspect_workspace::escaped(name)).collect();
    let more = match n_names - names.len() {
        0 => String::new(),
        n_more => format!(" and {n_more} more"),
    };
    let advice = match names.is_empty() {
        true => "Give the path of a file".to_owned(),
        false => format!("Ask which of these is meant, do not guess: {}{more}", names.join(", ")),
    };
    ToolError::new(ErrorCode::PathMissing, "no path was given", advice)
}

fn request(path: &str, options: &ReadOptions, context: &Context) -> Result<Request, ToolError> {
    let choice = line_choice(options)?;
    let filter = filter(options, context)?;
    let mode = options.mode.as_deref().map(|mode| one_of("mode", mode, Mode::NAMES)).transpose()?;
    let selects_lines = choice.is_some() || filter.is_some() || options.symbol.is_some();
    if let Some(mode @ (Mode::Full | Mode::Head | Mode::Sample)) = mode
        && selects_lines
    {
        let name = Mode::NAMES.iter().find(|(_, known)| *known == mode).map_or("", |(name, _)| name);
        return Err(ToolError::invalid(
            format!("mode {name:?} does not go with lines, filters or a symbol"),
            "Leave the mode out, or use mode \"outline\", which goes with them",
        ));
    }
    let wanted = match (&options.symbol, choice, filter) {
        (Some(_), Some(_), _) | (Some(_), _, Some(_)) => {
            return Err(ToolError::invalid(
                "symbol does not go with lines or filters",
                "Give the symbol alone, or the lines alone",
            ));
        }
        (Some(symbol), None, None) => Wanted::Symbol(symbol.clone()),
        (None, None, None) => Wanted::Preview(mode.unwrap_or_default()),
        (None, choice, filter) => Wanted::Lines(Selection { lines: choice.unwrap_or_default(), filter }),
    };
    let column = options.column.as_ref().map(|column| count("column", column)).transpose()?;
    if column.is_some() && !matches!(wanted, Wanted::Lines(_)) {
        return Err(ToolError::invalid(
            "column needs lines to count in",
            "Give lines as well, such as lines \"12\" with column 4001",
        ));
    }
    let query_share = match &options.query_share {
        Some(share) => parse_share(share)?,
        None => context.settings.get(Key::ReadQueryShare).0,
    };
    let (scope, part) = scope(options)?;
    Ok(Request {
        path: path.to_owned(),
        scope,
        part,
        with_outline: mode == Some(Mode::Outline) && selects_lines,
        wanted,
        query: options.query.as_deref().filter(|query| !query.trim().is_empty()).map(Query::parse),
        query_share,
        line_numbers: options.show_line_numbers,
        max_lines: options.max_lines.as_ref().map(|count_| count("max_lines", count_)).transpose()?,
        max_bytes: options.max_bytes.as_ref().map(|count_| count("max_bytes", count_)).transpose()?,
        first_char: column.map_or(0, |column| column - 1),
        encoding: options.encoding.clone(),
        password: options.password.clone(),
        recognizer: recognizer(options)?,
        repeated: repeated(options),
    })
}

/// The program that reads scans, where it is asked for.
fn recognizer(options: &ReadOptions) -> Result<Option<Tesseract>, ToolError> {
    if !options.ocr && options.ocr_languages.is_none() {
        return Ok(None);
    }
    if cfg!(not(feature = "render")) {
        return Err(ToolError::new(
            ErrorCode::Unsupported,
            "scans cannot be read: this build cannot draw pages",
            "Build it with the feature render",
        ));
    }
    let found = Tesseract::find(options.ocr_languages.as_deref());
    found.map(Some).map_err(|error| {
        let advice = match &error {
            TesseractError::UnknownLanguage { .. } => "Use one of those, or install the data of the language",
            _ => "Install tesseract (tesseract-ocr in many package lists), or leave out ocr",
        };
        ToolError::new(ErrorCode::Unsupported, format!("scans cannot be read: {error}"), advice)
    })
}

/// The parameters without which the next lines would not be the next lines: filters and parts of documents.
fn repeated(options: &ReadOptions) -> serde_json::Map<String, serde_json::Value> {
    let text = |value: &Option<String>| value.as_ref().map(|value| json!(value));
    let loose = |value: &Option<Loose>| value.as_ref().map(|value| json!(value.0));
    let number = |value: &Option<Loose>| {
        value
            .as_ref()
            .map(|Loose(value)| value.trim().parse::<u64>().map_or(json!(value), |value| json!(value)))
    };
    let parameters = [
        ("contains", text(&options.contains)),
        ("contains_any", options.contains_any.as_ref().map(|texts| json!(texts))),
        ("contains_all", options.contains_all.as_ref().map(|texts| json!(texts))),
        ("regex", text(&options.regex)),
        ("regex_flags", text(&options.regex_flags)),
        ("whole_word", options.whole_word.then_some(json!(true))),
        ("context_lines", number(&options.context_lines)),
        ("unit", text(&options.unit)),
        ("pages", loose(&options.pages)),
        ("page_start", number(&options.page_start)),
        ("page_end", number(&options.page_end)),
        ("sheet", loose(&options.sheet)),
        ("cells", text(&options.cells)),
        ("values", text(&options.values)),
        ("revisions", text(&options.revisions)),
        ("running_text", options.running_text.then_some(json!(true))),
        ("encoding", text(&options.encoding)),
        ("ocr", options.ocr.then_some(json!(true))),
        ("ocr_languages", text(&options.ocr_languages)),
    ];
    parameters.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// The lines asked for by number. Each wrong combination has a message of its own.
fn line_choice(options: &ReadOptions) -> Result<Option<LineChoice>, ToolError> {
    let ReadOptions { head, tail, start_line, end_line, lines, offset, limit, .. } = options;
    let has_range = start_line.is_some() || end_line.is_some() || lines.is_some();
    if head.is_some() && tail.is_some() {
        return Err(ToolError::invalid(
            "head and tail are given together",
            "Give one of them, and the other in a second call",
        ));
    }
    if (head.is_some() || tail.is_some()) && has_range {
        let which = if head.is_some() { "head" } else { "tail" };
        return Err(ToolError::invalid(
            format!("{which} is given together with a range of lines"),
            format!("Give {which} alone, or start_line with end_line, or lines"),
        ));
    }
    if lines.is_some() && (start_line.is_some() || end_line.is_some()) {
        return Err(ToolError::invalid(
            "lines is given together with start_line or end_line",
            "Give lines alone, such as \"120-180\"",
        ));
    }
    if (offset.is_some() || limit.is_some()) && (has_range || head.is_some() || tail.is_some()) {
        return Err(ToolError::invalid(
            "offset or limit is given together with other lines",
            "Give start_line and end_line alone",
        ));
    }
    match (start_line, end_line) {
        (Some(_), None) => {
            return Err(ToolError::invalid(
                "start_line is given without end_line",
                "Give both, or lines \"120-\" for everything from a line on",
            ));
        }
        (None, Some(_)) => {
            return Err(ToolError::invalid(
                "end_line is given without start_line",
                "Give both, or head for the first lines",
            ));
        }
        (Some(start), Some(end)) => {
            let (start, end) = (count("start_line", start)?, count("end_line", end)?);
            if start > end {
                return Err(ToolError::invalid(
                    format!("start_line {start} is after end_line {end}"),
                    "Give the smaller number as start_line; both count from 1 and both lines are shown",
                ));
            }
            return Ok(Some(range(start, Some(end))));
        }
        (None, None) => {}
    }
    if let Some(head) = head {
        return Ok(Some(LineChoice::Head(count("head", head)?)));
    }
    if let Some(tail) = tail {
        return Ok(Some(LineChoice::Tail(count("tail", tail)?)));
    }
    if let Some(lines) = lines {
        return parse_lines(&lines.0).map(Some);
    }
    let limit = limit.as_ref().map(|limit| count("limit", limit)).transpose()?;
    match (offset, limit) {
        (None, None) => Ok(None),
        (None, Some(limit)) => Ok(Some(LineChoice::Head(limit))),
        (Some(offset), limit) => {
            let start = count_or_zero("offset", offset)? + 1;
            Ok(Some(range(start, limit.map(|limit| start + limit - 1))))
        }
    }
}

/// From one line to another, or to the end.
fn range(start: usize, end: Option<usize>) -> LineChoice {
    let first = LineNumber::from_idx(start - 1);
    let last = end.map_or(first, |end| LineNumber::from_idx(end - 1));
    LineChoice::Ranges(vec![(LineRange { first, last }, end.is_none())])
}

fn parse_lines(text: &str) -> Result<LineChoice, ToolError> {
    if let Some(choice) = LineChoice::parse(text) {
        return Ok(choice);
    }
    for part in text.split(',') {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        if let Some((first, last)) = part.split_once('-')
            && let (Some(first), Some(last)) = (number(first), number(last))
            && first > last
        {
            return Err(ToolError::invalid(
                format!("lines {text:?} ends before it begins"),
                "Give the smaller number first, such as \"120-180\"",
            ));
        }
        if part.split(['-', '+']).any(|number_| number(number_) == Some(0)) {
            return Err(ToolError::invalid(
                format!("lines {text:?} holds a 0"),
                "Lines count from 1; the first ten are \"1-10\"",
            ));
        }
    }
    Err(ToolError::invalid(
        format!("lines {text:?} is no range of lines"),
        "Use \"120-180\", \"120-\", \"-50\", \"120+20\", or several with commas",
    ))
}

fn filter(options: &ReadOptions, context: &Context) -> Result<Option<Filter>, ToolError> {
    let ReadOptions { contains, contains_any, contains_all, regex, regex_flags, whole_word, .. } = options;
    let kinds = [
        ("contains", contains.as_ref().map(|text| FilterKind::Contains(text.clone()))),
        ("contains_any", contains_any.as_ref().map(|texts| FilterKind::ContainsAny(texts.clone()))),
        ("contains_all", contains_all.as_ref().map(|texts| FilterKind::ContainsAll(texts.clone()))),
        (
            "regex",
            regex.as_ref().map(|pattern| FilterKind::Regex {
                pattern: pattern.clone(),
                flags: regex_flags.clone().unwrap_or_default(),
            }),
        ),
    ];
    let given: Vec<(&str, FilterKind)> =
        kinds.into_iter().filter_map(|(name, kind)| Some((name, kind?))).collect();
    if given.len() > 1 {
        let names: Vec<&str> = given.iter().map(|(name, _)| *name).collect();
        return Err(ToolError::invalid(
            format!("{} are given together", names.join(" and ")),
            "Give one filter; contains_any and contains_all take several texts",
        ));
    }
    if regex_flags.is_some() && regex.is_none() {
        return Err(ToolError::invalid(
            "regex_flags is given without regex",
            "Give regex as well, or leave it out",
        ));
    }
    let Some((name, kind)) = given.into_iter().next() else {
        let alone = [
            ("whole_word", *whole_word),
            ("context_lines", options.context_lines.is_some()),
            ("unit", options.unit.is_some()),
        ];
        return match alone.into_iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(ToolError::invalid(
                format!("{name} is given without a filter"),
                "Give contains, contains_any, contains_all or regex as well",
            )),
            None => Ok(None),
        };
    };
    let mut filter = Filter::new(&kind, *whole_word).map_err(|error| {
        let advice = match error {
            FilterError::Empty => "Give something to look for",
            FilterError::Regex { .. } => "Mend the pattern, or give the text itself with contains",
            FilterError::Flag(_) => "Give flags among i, m and s",
        };
        ToolError::invalid(format!("{name}: {error}"), advice)
    })?;
    filter.context_lines = match &options.context_lines {
        Some(context_lines) => count_or_zero("context_lines", context_lines)?,
        None => context.settings.count(Key::ReadContextLines),
    };
    if let Some(unit) = &options.unit {
        filter.unit = one_of("unit", unit, HitUnit::NAMES)?;
    }
    Ok(Some(filter))
}

/// Which part of the document is to be read, and the same in words.
fn scope(options: &ReadOptions) -> Result<(Scope, Option<String>), ToolError> {
    let pages = match (&options.pages, &options.page_start, &options.page_end) {
        (None, None, None) => None,
        (Some(pages), None, None) => Some(parse_pages(&pages.0)?),
        (None, Some(start), Some(end)) => {
            let (start, end) = (count("page_start", start)?, count("page_end", end)?);
            if start > end {
                return Err(ToolError::invalid(
                    format!("page_start {start} is after page_end {end}"),
                    "Give the smaller number as page_start",
                ));
            }
            Some(parse_pages(&format!("{start}-{end}"))?)
        }
        (None, Some(start), None) => Some(parse_pages(&format!("{}-", count("page_start", start)?))?),
        (None, None, Some(end)) => Some(parse_pages(&format!("1-{}", count("page_end", end)?))?),
        (Some(_), _, _) => {
            return Err(ToolError::invalid(
                "pages is given together with page_start or page_end",
                "Give pages alone, such as \"20-25\"",
            ));
        }
    };
    let sheet = options.sheet.as_ref().map(|sheet| match sheet.0.trim().parse::<u32>() {
        Ok(number) if number > 0 => SheetChoice::Number(number),
        _ => SheetChoice::Name(sheet.0.clone()),
    });
    let cells = options
        .cells
        .as_deref()
        .map(|cells| {
            CellRange::parse(cells).ok_or_else(|| {
                ToolError::invalid(
                    format!("cells {cells:?} is no range of cells"),
                    "Use \"B2:F40\", \"B2\", \"B:F\" or \"2:40\", and name the sheet with sheet",
                )
            })
        })
        .transpose()?;
    let values = [("shown", CellValues::Shown), ("raw", CellValues::Raw), ("formula", CellValues::Formula)];
    let revisions = [("final", Revisions::Final), ("original", Revisions::Original), ("all", Revisions::All)];
    let mut parts = Vec::new();
    if let Some(pages) = &pages {
        parts.push(pages_in_words(pages));
    }
    match &sheet {
        Some(SheetChoice::Name(name)) => parts.push(format!("sheet {name:?}")),
        Some(SheetChoice::Number(number)) => parts.push(format!("sheet {number}")),
        None => {}
    }
    if let Some(cells) = &cells {
        parts.push(cells.to_string());
    }
    let scope = Scope {
        pages,
        sheet,
        cells,
        values: options
            .values
            .as_deref()
            .map(|word| one_of("values", word, &values))
            .transpose()?
            .unwrap_or_default(),
        revisions: options
            .revisions
            .as_deref()
            .map(|word| one_of("revisions", word, &revisions))
            .transpose()?
            .unwrap_or_default(),
        running_text: if options.running_text { RunningText::Kept } else { RunningText::LeftOut },
    };
    Ok((scope, (!parts.is_empty()).then(|| parts.join(" "))))
}

/// Pages in ascending order without overlap.
fn parse_pages(text: &str) -> Result<Vec<RangeInclusive<PageNumber>>, ToolError> {
    let wrong = || {
        ToolError::invalid(
            format!("pages {text:?} is no range of pages"),
            "Use \"3\", \"20-25\", \"40-\" or \"1-3,9\"; pages count from 1",
        )
    };
    let number = |text: &str| text.trim().parse::<u32>().ok().and_then(PageNumber::new).ok_or_else(wrong);
    let mut ranges = Vec::new();
    for part in text.split(',') {
        let range = match part.split_once('-') {
            Some((first, last)) if last.trim().is_empty() => {
                number(first)?..=PageNumber::new(u32::MAX).unwrap_or(PageNumber::FIRST)
            }
            Some((first, last)) => number(first)?..=number(last)?,
            None => number(part)?..=number(part)?,
        };
        if range.start() > range.end() {
            return Err(ToolError::invalid(
                format!("pages {text:?} ends before it begins"),
                "Give the smaller number first, such as \"20-25\"",
            ));
        }
        ranges.push(range);
    }
    ranges.sort_by_key(|range| *range.start());
    let mut merged: Vec<RangeInclusive<PageNumber>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start().get() <= last.end().get().saturating_add(1) => {
                *last = *last.start()..=*last.end().max(range.end());
            }
            _ => merged.push(range),
        }
    }
    Ok(merged)
}

fn pages_in_words(pages: &[RangeInclusive<PageNumber>]) -> String {
    let words: Vec<String> = pages
        .iter()
        .map(|range| match (range.start().get(), range.end().get()) {
            (first, last) if first == last => format!("{first}"),
            (first, u32::MAX) => format!("{first}-"),
            (first, last) => format!("{first}-{last}"),
        })
        .collect();
    let noun = if pages.len() == 1 && pages[0].start() == pages[0].end() { "page" } else { "pages" };
    format!("{noun} {}", words.join(","))
}

fn parse_share(text: &Loose) -> Result<f64, ToolError> {
    let share = text.0.trim().parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| {
        ToolError::invalid(
            format!("query_share {:?} is no share", text.0),
            "Give a number from 0 to 1, such as 0.4",
        )
    })
}

/// A whole number from 1 on.
pub(crate) fn count(name: &str, given: &Loose) -> Result<usize, ToolError> {
    match count_or_zero(name, given)? {
        0 => Err(ToolError::invalid(
            format!("{name} is 0"),
            format!("Give {name} as a whole number from 1 on"),
        )),
        number => Ok(number),
    }
}

fn count_or_zero(name: &str, given: &Loose) -> Result<usize, ToolError> {
    let text = given.0.trim();
    if let Ok(number) = text.parse::<u32>() {
        return Ok(number as usize);
    }
    let what = match text.parse::<f64>() {
        Ok(number) if number < 0.0 => "negative",
        Ok(number) if number.fract() != 0.0 => "a fraction",
        Ok(number) if number.is_finite() => "too large",
        _ => "no number",
    };
    let advice = match (name, what) {
        ("start_line" | "head", "negative") => {
            format!("Give {name} as a whole number; the last 50 lines are tail 50")
        }
        _ => format!("Give {name} as a whole number"),
    };
    Err(ToolError::invalid(format!("{name} {text:?} is {what}"), advice))
}

/// The value that a word stands for.
fn one_of<T: Copy>(name: &str, word: &str, known: &[(&str, T)]) -> Result<T, ToolError> {
    let found = known.iter().find(|(known, _)| known.eq_ignore_ascii_case(word.trim()));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        ToolError::invalid(format!("there is no {name} {word:?}"), format!("Use one of {}", names.join(", ")))
    })
}
