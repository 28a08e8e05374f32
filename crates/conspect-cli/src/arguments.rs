use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use conspect_tools::{DrawPage, ExplanationOptions, FileInfo, Outline, OutputOptions, ReadOptions};

/// Read documents and source code: the part that matters, within an exact budget, every line with its place.
#[derive(Debug, Parser)]
#[command(name = "conspect", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show a file: whole if it fits the budget, else a map of code or a sample of anything else
    #[command(after_help = READ_EXAMPLES)]
    Read(Box<Read>),
    /// Map files: symbols of code, headings of documents, sheets of workbooks
    #[command(after_help = OUTLINE_EXAMPLES)]
    Outline {
        #[command(flatten)]
        outline: Outline,
        /// The same as --format json.
        #[arg(long, conflicts_with = "format", help_heading = "Output")]
        json: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Say what files are, how large, and what reading them would cost
    Info {
        #[command(flatten)]
        info: FileInfo,
        /// The same as --format json.
        #[arg(long, conflicts_with = "format", help_heading = "Output")]
        json: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Draw a page of a PDF as a picture (PNG): what a scan, a chart or a form looks like
    #[command(after_help = PAGE_IMAGE_EXAMPLES)]
    PageImage {
        #[command(flatten)]
        page: DrawPage,
        #[command(flatten)]
        common: Common,
    },
    /// Print each setting, its value and where it comes from
    Config {
        #[command(flatten)]
        common: Common,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page
    Man,
}

#[derive(Debug, Args)]
pub(crate) struct Read {
    /// Files to read; - is standard input.
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<String>,
    #[command(flatten)]
    pub(crate) options: ReadOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
    #[command(flatten)]
    pub(crate) explanation: ExplanationOptions,
    /// The same as --format json.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Read only files inside this folder. Without it, any file that you can read.
    #[arg(long, value_name = "DIR", help_heading = "Opening")]
    pub(crate) root: Option<PathBuf>,
    /// The largest document that is read whole, in bytes; text has no such limit.
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) max_file_bytes: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  conspect read report.pdf                           the part that matters, in 20,000 characters
  conspect read report.pdf -q \"delivery terms\" -b 5000
  conspect read contract.docx --mode full > contract.md
  conspect read server.log --contains timeout -C 2
  conspect read prices.xlsx --sheet Fees --cells A1:F40
  conspect outline src/*.rs
  conspect info scan.pdf data.csv
  conspect page-image scan.pdf --page 3";

const READ_EXAMPLES: &str = "\
Examples:
  conspect read report.pdf                           whole if it fits 20,000 characters, else a sample
  conspect read report.pdf -q \"delivery terms\"       a sample that leans towards a question
  conspect read report.pdf --pages 20-25             some pages
  conspect read main.py --symbol Runner.run          one function
  conspect read main.py --lines 120-180 -n           some lines, with their numbers
  conspect read server.log --regex 'E[0-9]{3}' -C 0  lines that match
  conspect read a.docx --mode full > a.md            everything, as Markdown
  conspect read a.md b.pdf c.xlsx -b 8000t           several files within 8,000 tokens
  conspect read report.pdf -q pump -b 2000 --explain what was kept and why, on standard error
  conspect read report.pdf -q pump --report why.html the same as a page, with what was left out
  conspect read scan.pdf --ocr                       pages that are only a picture as well
  git diff | conspect read - -b 4000

Exit codes: 0 fine, 1 nothing matched, 2 wrong call, 3 some files failed.";

const OUTLINE_EXAMPLES: &str = "\
Examples:
  conspect outline main.py                           classes and functions with their lines
  conspect outline report.docx                       headings
  conspect outline src/*.rs -b 4000 -q parser        a map of several files within a budget
  conspect outline src/*.rs --format jsonl           every symbol, an object a file";

const PAGE_IMAGE_EXAMPLES: &str = "\
Examples:
  conspect page-image scan.pdf                       page 1, into scan-page-1.png
  conspect page-image report.pdf --page 12 --dpi 300 -o chart.png
  conspect page-image scan.pdf -p 3 -o - | tesseract stdin stdout

Exit codes: 0 fine, 2 wrong call, 3 the page cannot be drawn.";
