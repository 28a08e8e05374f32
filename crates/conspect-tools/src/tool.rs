use schemars::schema_for;
use serde_json::Value;

use crate::context::Context;
use crate::draw_page::{DrawPage, draw_page};
use crate::error::ToolError;
use crate::file_info::{FileInfo, file_info};
use crate::from_json::from_json;
use crate::outline::{Outline, outline};
use crate::parameters::ReadFile;
use crate::read_file::read_file;

/// One operation: its name, its parameters, its help and what it does.
#[derive(Clone, Copy)]
pub struct Tool {
    /// The name by which models call it.
    pub name: &'static str,
    /// The name of its command.
    pub command: &'static str,
    /// What it is for, in a sentence or two.
    pub help: &'static str,
    /// The JSON schema of its parameters.
    pub schema: fn() -> Value,
    /// Does it with parameters from JSON, and hands the answer out piece by piece.
    pub run: Run,
}

/// A function that does an operation with parameters from JSON; the answer goes to the closure.
pub type Run = fn(&Context, Value, &mut dyn FnMut(&str)) -> Result<Report, ToolError>;

/// Every operation.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "read_file",
        command: "read",
        help: "Reads a PDF, Word or Excel file, source code, or text in any encoding: whole if it fits the budget, \
               else a structure map of code or a sample of anything else; or exactly the lines, pages, sheets or \
               symbols that are asked for.",
        schema: || schema_for!(ReadFile).to_value(),
        run: |context, parameters, write| read_file(context, &from_json("read_file", parameters)?, write),
    },
    Tool {
        name: "outline",
        command: "outline",
        help: "Maps files: the symbols of source code, the headings of documents, the sheets of workbooks, each with \
               the lines it stands on.",
        schema: || schema_for!(Outline).to_value(),
        run: |context, parameters, write| outline(context, &from_json("outline", parameters)?, write),
    },
    Tool {
        name: "file_info",
        command: "info",
        help: "Says what files are, how large, in which encoding, and what reading them would cost, without reading \
               them whole.",
        schema: || schema_for!(FileInfo).to_value(),
        run: |context, parameters, write| file_info(context, &from_json("file_info", parameters)?, write),
    },
    Tool {
        name: "page_image",
        command: "page-image",
        help: "Draws a page of a PDF as a picture (PNG) in a file: what a scan, a chart or a form looks like.",
        schema: || schema_for!(DrawPage).to_value(),
        run: |context, parameters, write| draw_page(context, &from_json("page_image", parameters)?, write),
    },
];

/// What came of an operation, besides the answer that it handed out.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What was lost or guessed, a line each, with the file's name in front.
    pub notices: Vec<String>,
    /// The files that failed.
    pub errors: Vec<ToolError>,
    /// How it went.
    pub outcome: Outcome,
    /// How the answer came about, as text with its line feeds, where that was asked for and is no part of the answer.
    pub explanation: Option<String>,
}

/// How an operation went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// As asked.
    #[default]
    Fine,
    /// A filter was given, and nothing matched it.
    NothingMatched,
    /// Some files failed; the others are in the answer.
    SomeFailed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_help_in_the_schema() {
        for tool in TOOLS {
            let schema = (tool.schema)();
            let properties = schema["properties"].as_object().expect("properties");
            assert!(!properties.is_empty());
            for (name, property) in properties {
                assert!(property["description"].is_string(), "{}: {name}", tool.name);
            }
        }
    }
}
