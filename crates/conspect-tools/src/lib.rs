//! The operations of Conspect, each defined once: its name, its parameters with their help, and what it does.
//!
//! [`TOOLS`] is the table of them. The command line, and every other door, takes its parameters from the structs in
//! here ([`ReadFile`], [`Outline`], [`FileInfo`], [`DrawPage`]), and calls [`read_file`], [`outline`], [`file_info`] or
//! [`draw_page`] with a [`Context`]; a door that speaks JSON calls [`Tool::run`].
//!
//! # Architecture invariants
//!
//! This crate reads files only through the workspace of its [`Context`], and looks at no clock or environment. It is
//! the only crate, besides the doors, that knows JSON. Parameters are checked once, before any file is opened; what a
//! file then turns out to hold is an error in that file's own block.

mod tool;
mod context;
mod settings;
mod error;

mod parameters;
mod from_json;
mod request;

mod open;
mod read_file;
mod explain;
mod outline;
mod file_info;
mod draw_page;
mod wire;

pub use conspect_workspace::{Workspace, escaped};
pub use context::{Context, Door};
pub use draw_page::{DrawPage, draw_page, page_picture};
pub use error::{ErrorCode, ToolError};
pub use file_info::{FileInfo, file_info};
pub use outline::{Outline, outline};
pub use parameters::{ExplanationOptions, Loose, OutputOptions, ReadFile, ReadOptions, ReadRequest};
pub use read_file::read_file;
pub use settings::{Key, SETTINGS, Setting, Settings, SettingsError, Source};
pub use tool::{Outcome, Report, Run, TOOLS, Tool};
pub use wire::SCHEMA_VERSION;
