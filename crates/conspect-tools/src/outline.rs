use std::borrow::Cow;

use clap::Args;
use conspect::{Block, BlockKind, Limits, Listing, Origin, lay_out};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::context::Context;
use crate::error::ToolError;
use crate::open::OpenFile;
use crate::parameters::{ExplanationOptions, OutputOptions, ReadFile, ReadOptions};
use crate::read_file::{answer_call, each, notices_in_words};
use crate::request::{Call, OutputFormat, Request};
use crate::tool::{Outcome, Report};
use crate::wire::{self, ErrorRecord, NoticeRecord, write_json};

/// Map files: the symbols of source code, the headings of documents, the sheets of workbooks.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Args)]
#[serde(default)]
#[group(skip)]
pub struct Outline {
    /// The file to map.
    #[arg(skip)]
    pub path: Option<String>,
    /// Several files to map.
    #[arg(value_name = "PATH")]
    pub paths: Option<Vec<String>>,
    /// What you want to know: it decides what is kept when not everything fits.
    #[arg(long, short = 'q', value_name = "TEXT")]
    pub query: Option<String>,
    /// How to answer.
    #[serde(flatten)]
    #[command(flatten)]
    pub output: OutputOptions,
}

/// Maps one or several files and hands the answer out piece by piece.
///
/// As text the maps share the budget of the call. As JSON lines, one object a file, every symbol is there.
pub fn outline(
    context: &Context,
    parameters: &Outline,
    write: &mut dyn FnMut(&str),
) -> Result<Report, ToolError> {
    let options = ReadOptions {
        query: parameters.query.clone(),
        mode: Some("outline".to_owned()),
        ..ReadOptions::default()
    };
    let (path, paths) = (parameters.path.clone(), parameters.paths.clone());
    let read = ReadFile {
        path,
        paths,
        requests: None,
        options,
        output: parameters.output.clone(),
        explanation: ExplanationOptions::default(),
    };
    let call = Call::new(&read, context)?;
    match call.format {
        Some(OutputFormat::JsonLines) => Ok(outline_records(context, &call, write)),
        Some(OutputFormat::Json | OutputFormat::Text | OutputFormat::Markdown) | None => {
            Ok(answer_call(context, &call, write))
        }
    }
}

/// How many files are read before their records are written.
const WINDOW: usize = 64;

fn outline_records(context: &Context, call: &Call, write: &mut dyn FnMut(&str)) -> Report {
    let mut report = Report::default();
    for requests in call.requests.chunks(WINDOW) {
        for made in each(requests, |request| record_of(request, context)) {
            match made {
                Ok((record, notices)) => {
                    write(&record);
                    report.notices.extend(notices);
                }
                Err((record, error)) => {
                    write(&record);
                    report.errors.push(error);
                    report.outcome = Outcome::SomeFailed;
                }
            }
        }
    }
    report
}

type Made = Result<(String, Vec<String>), (String, ToolError)>;

fn record_of(request: &Request, context: &Context) -> Made {
    let failed = |error: ToolError| {
        let record = FailedRecord {
            path: &request.path,
            error: ErrorRecord { code: error.code.name(), cause: &error.cause, advice: &error.advice },
        };
        Err((json_line(&record), error.clone()))
    };
    let file = match OpenFile::open(request, context) {
        Ok(file) => file,
        Err(error) => return failed(error),
    };
    let document = match file.read(request, &Limits::default()) {
        Ok(document) => document,
        Err(error) => return failed(error),
    };
    let listing = lay_out(&document);
    let notices = notices_in_words(&file.name, &document, listing.n_lines() == 0);
    let has_symbols = document.blocks.iter().any(|block| matches!(block.kind, BlockKind::Symbol(_)));
    let imports = document.blocks.iter().filter(|block| block.kind == BlockKind::Imports);
    let record = OutlineRecord {
        path: &request.path,
        language: document.format.name(),
        symbols: match has_symbols {
            true => document.blocks.iter().filter_map(symbol_record).collect(),
            false => headings(&listing),
        },
        imports: imports.flat_map(|block| block.text.lines()).collect(),
        notices: wire::notices(&document),
    };
    Ok((json_line(&record), notices))
}

fn json_line(record: &impl Serialize) -> String {
    let mut text = String::new();
    write_json(record, &mut |piece| text.push_str(piece));
    text.push('\n');
    text
}

/// One file's outline as an object of its own.
#[derive(Serialize)]
struct OutlineRecord<'d> {
    path: &'d str,
    language: &'static str,
    symbols: Vec<SymbolRecord<'d>>,
    imports: Vec<&'d str>,
    notices: Vec<NoticeRecord<'d>>,
}

#[derive(Serialize)]
struct FailedRecord<'d> {
    path: &'d str,
    error: ErrorRecord<'d>,
}

#[derive(Serialize)]
struct SymbolRecord<'d> {
    name: Cow<'d, str>,
    qualified_name: Cow<'d, str>,
    kind: &'static str,
    /// The line that its name stands on.
    line: u64,
    start_line: u64,
    end_line: u64,
    signature: Cow<'d, str>,
    doc: Option<&'d str>,
    local: bool,
    exported: bool,
}

fn symbol_record(block: &Block) -> Option<SymbolRecord<'_>> {
    let (BlockKind::Symbol(symbol), Origin::Lines(lines)) = (&block.kind, block.origin) else { return None };
    Some(SymbolRecord {
        name: Cow::Borrowed(&symbol.name),
        qualified_name: Cow::Borrowed(&symbol.qualified_name),
        kind: symbol.kind.name(),
        line: symbol.name_line.get(),
        start_line: lines.first.get(),
        end_line: lines.last.get(),
        signature: Cow::Borrowed(&symbol.signature),
        doc: symbol.doc.as_deref(),
        local: symbol.is_local,
        exported: symbol.is_exported,
    })
}

/// The headings of something that has no symbols, each with the lines of its section.
fn headings<'d>(listing: &Listing<'d>) -> Vec<SymbolRecord<'d>> {
    let mut records = Vec::new();
    for heading in listing.headings() {
        let text = listing.plain(heading.line_idx);
        let name = text.trim_start_matches('#').trim().to_owned();
        let mut qualified_name = String::new();
        for owner in listing.owners(heading.line_idx) {
            qualified_name.push_str(listing.plain(owner.line_idx).trim_start_matches('#').trim());
            qualified_name.push_str(" / ");
        }
        qualified_name.push_str(&name);
        let section = listing.section(heading.line_idx);
        records.push(SymbolRecord {
            name: Cow::Owned(name),
            qualified_name: Cow::Owned(qualified_name),
            kind: "heading",
            line: heading.line_idx as u64 + 1,
            start_line: section.start as u64 + 1,
            end_line: section.end as u64,
            signature: text,
            doc: None,
            local: false,
            exported: true,
        });
    }
    records
}
