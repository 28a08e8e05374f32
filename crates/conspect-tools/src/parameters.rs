//! The parameters of the operations, as they are given: nothing here is checked yet. The first line of each field's
//! documentation is its help on the command line and in the schema that models see.

use std::borrow::Cow;
use std::convert::Infallible;
use std::str::FromStr;

use clap::Args;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// Read a file, or some files, or the part of one that is asked for.
///
/// Without a selection the answer is the whole file if it fits the budget, else a structure map of code or a sample
/// of anything else.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReadFile {
    /// The file to read.
    pub path: Option<String>,
    /// Several files to read with the same options.
    pub paths: Option<Vec<String>>,
    /// Several files, each with its own options. Goes with no other option than budget and format.
    pub requests: Option<Vec<ReadRequest>>,
    /// What to show of them.
    #[serde(flatten)]
    pub options: ReadOptions,
    /// How to answer.
    #[serde(flatten)]
    pub output: OutputOptions,
    /// What to say of how the answer came about.
    #[serde(skip)]
    pub explanation: ExplanationOptions,
}

/// One file of several, with its own options.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ReadRequest {
    /// The file to read.
    pub path: Option<String>,
    /// What to show of it.
    #[serde(flatten)]
    pub options: ReadOptions,
}

/// What to show of a file.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema, Args)]
#[serde(default)]
pub struct ReadOptions {
    /// Show the first N lines.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Lines")]
    #[schemars(with = "Option<u64>")]
    pub head: Option<Loose>,
    /// Show the last N lines.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Lines")]
    #[schemars(with = "Option<u64>")]
    pub tail: Option<Loose>,
    /// Show from this line on, together with end_line.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Lines")]
    #[schemars(with = "Option<u64>")]
    pub start_line: Option<Loose>,
    /// Show up to this line, together with start_line.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Lines")]
    #[schemars(with = "Option<u64>")]
    pub end_line: Option<Loose>,
    /// Show these lines: "120-180", "120-" (to the end), "-50" (the last 50), "120+20" (20 lines from 120), "1-20,300".
    #[arg(long, value_name = "RANGES", allow_hyphen_values = true, help_heading = "Lines")]
    #[schemars(with = "Option<String>")]
    pub lines: Option<Loose>,
    /// Begin each line at this character, to page through one long line.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Lines")]
    #[schemars(with = "Option<u64>")]
    pub column: Option<Loose>,
    /// Lines to pass over before the first one shown; counts from 0.
    #[arg(skip)]
    #[schemars(with = "Option<u64>")]
    pub offset: Option<Loose>,
    /// How many lines to show, from the first or from offset on.
    #[arg(skip)]
    #[schemars(with = "Option<u64>")]
    pub limit: Option<Loose>,
    /// Put its number before each line. The number is not part of the file.
    #[arg(long, visible_alias = "line-numbers", short = 'n', help_heading = "Lines")]
    pub show_line_numbers: bool,

    /// Show the lines that contain this text, letter case ignored.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, help_heading = "Filters")]
    pub contains: Option<String>,
    /// Show the lines that contain any of these texts.
    #[arg(long, value_name = "TEXT", num_args = 1.., help_heading = "Filters")]
    pub contains_any: Option<Vec<String>>,
    /// Show the lines that contain all of these texts.
    #[arg(long, value_name = "TEXT", num_args = 1.., help_heading = "Filters")]
    pub contains_all: Option<Vec<String>>,
    /// Show the lines that match this regular expression.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true, help_heading = "Filters")]
    pub regex: Option<String>,
    /// Flags of the regular expression: i (ignore case), m (multi-line), s (dot matches all).
    #[arg(long, value_name = "FLAGS", help_heading = "Filters")]
    pub regex_flags: Option<String>,
    /// A hit must be a whole word.
    #[arg(long, help_heading = "Filters")]
    pub whole_word: bool,
    /// Lines shown before and after each hit.
    #[arg(long, short = 'C', value_name = "N", allow_hyphen_values = true, help_heading = "Filters")]
    #[schemars(with = "Option<u64>")]
    pub context_lines: Option<Loose>,
    /// What a hit brings along: line, section, page, row or cell.
    #[arg(long, value_name = "UNIT", help_heading = "Filters")]
    pub unit: Option<String>,

    /// Pages of a PDF: "3", "20-25", "1-3,9", "40-".
    #[arg(long, value_name = "PAGES", allow_hyphen_values = true, help_heading = "Parts of documents")]
    #[schemars(with = "Option<String>")]
    pub pages: Option<Loose>,
    /// First page of a PDF.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Parts of documents")]
    #[schemars(with = "Option<u64>")]
    pub page_start: Option<Loose>,
    /// Last page of a PDF.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Parts of documents")]
    #[schemars(with = "Option<u64>")]
    pub page_end: Option<Loose>,
    /// A sheet of a workbook, by its name or number.
    #[arg(long, value_name = "SHEET", help_heading = "Parts of documents")]
    #[schemars(with = "Option<String>")]
    pub sheet: Option<Loose>,
    /// Cells of a sheet: "B2:F40".
    #[arg(long, value_name = "CELLS", help_heading = "Parts of documents")]
    pub cells: Option<String>,
    /// A symbol of source code, by its name: "Runner.run".
    #[arg(long, value_name = "NAME", help_heading = "Parts of documents")]
    pub symbol: Option<String>,
    /// What cells show: shown (as the spreadsheet program does), raw or formula.
    #[arg(long, value_name = "WHICH", help_heading = "Parts of documents")]
    pub values: Option<String>,
    /// Which state of tracked changes to read: final, original or all.
    #[arg(long, value_name = "WHICH", help_heading = "Parts of documents")]
    pub revisions: Option<String>,
    /// Keep running headers, footers and page numbers of a PDF in the text.
    #[arg(long, help_heading = "Parts of documents")]
    pub running_text: bool,

    /// What you want to know: it decides what a sample keeps.
    #[arg(long, short = 'q', value_name = "TEXT", help_heading = "Preview")]
    pub query: Option<String>,
    /// The share of the budget that hits of the query may claim, from 0 to 1.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true, help_heading = "Preview")]
    #[schemars(with = "Option<f64>")]
    pub query_share: Option<Loose>,
    /// What to show: auto, full (everything), head (the beginning), sample or outline.
    #[arg(long, value_name = "MODE", help_heading = "Preview")]
    pub mode: Option<String>,

    /// Show at most N lines of what was asked for.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Limits")]
    #[schemars(with = "Option<u64>")]
    pub max_lines: Option<Loose>,
    /// Show at most N bytes of what was asked for.
    #[arg(long, value_name = "N", allow_hyphen_values = true, help_heading = "Limits")]
    #[schemars(with = "Option<u64>")]
    pub max_bytes: Option<Loose>,

    /// The encoding of the text, where it is not recognised: "windows-1252", "shift_jis".
    #[arg(long, value_name = "NAME", help_heading = "Opening")]
    pub encoding: Option<String>,
    /// The password of an encrypted file.
    #[arg(
        long,
        value_name = "PASSWORD",
        env = "CONSPECT_PASSWORD",
        hide_env_values = true,
        help_heading = "Opening"
    )]
    pub password: Option<String>,
    /// Read pages of a PDF that are only a picture, by the program tesseract. It must be installed.
    #[arg(long, help_heading = "Opening")]
    pub ocr: bool,
    /// The languages of those pages, as tesseract calls them: "eng+deu". Without it, English.
    #[arg(long, value_name = "LANGUAGES", help_heading = "Opening")]
    pub ocr_languages: Option<String>,
}

/// How to answer.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Args)]
#[serde(default)]
pub struct OutputOptions {
    /// What the whole answer may hold: characters ("20000") or tokens ("8000t").
    #[arg(long, short = 'b', value_name = "AMOUNT", allow_hyphen_values = true, help_heading = "Limits")]
    #[schemars(with = "Option<String>")]
    pub budget: Option<Loose>,
    /// The form of the answer: text, markdown, json or jsonl.
    #[arg(long, short = 'f', value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<String>,
    /// Leave out the line that says what the file is.
    #[arg(long, help_heading = "Output")]
    pub no_header: bool,
}

/// What to say of how an answer came about. It changes nothing of the answer, and takes nothing of its budget.
#[derive(Clone, Debug, Default, Args)]
pub struct ExplanationOptions {
    /// Say what the characters of the answer serve, what the query looked for, and its best hits.
    #[arg(long, help_heading = "Explanation")]
    pub explain: bool,
    /// Draw the same as a page of HTML in this file, beside the text and what was left out of it.
    #[arg(long, value_name = "FILE", help_heading = "Explanation")]
    pub report: Option<String>,
    /// Let the report take the place of a file that is no earlier report.
    #[arg(long, requires = "report", help_heading = "Explanation")]
    pub force: bool,
}

/// A number, or a text that may be a number, as it was given: what it means is decided when it is checked, so that a
/// wrong one gets an answer that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loose(pub String);

impl FromStr for Loose {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Loose, Infallible> {
        Ok(Loose(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Loose, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a number or a text")]
        enum NumberOrText {
            Number(serde_json::Number),
            Text(String),
        }
        Ok(Loose(match NumberOrText::deserialize(deserializer)? {
            // JSON does not tell 3.0 from 3.
            NumberOrText::Number(number) => match number.as_f64() {
                Some(value) if value.fract() == 0.0 && value.abs() < 9e15 => format!("{value:.0}"),
                _ => number.to_string(),
            },
            NumberOrText::Text(text) => text,
        }))
    }
}

impl JsonSchema for Loose {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("NumberOrText")
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string"] })
    }
}
