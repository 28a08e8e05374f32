use std::fmt;

use conspect::{Format, ReadError, SelectError};
use conspect_workspace::{NotAFile, PathError, TooLargeError, escaped};

/// Why an operation, or one file of it, failed: a code for programs, a sentence of cause with the file's name, and a
/// sentence of what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolError {
    /// The sort of error.
    pub code: ErrorCode,
    /// What happened, as a sentence without a full stop.
    pub cause: String,
    /// What to do next, as a sentence without a full stop.
    pub advice: String,
}

/// The sorts of [`ToolError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The parameters are wrong, alone or together.
    InvalidParams,
    /// No path was given.
    PathMissing,
    /// There is no such file.
    NotFound,
    /// The path leads out of the workspace.
    OutsideRoot,
    /// The path is a folder, a pipe, a socket or a device.
    NotAFile,
    /// The user may not read the file, or the system cannot.
    Unreadable,
    /// The user may not write the file, or the system cannot.
    Unwritable,
    /// The file holds no text that can be read.
    Unsupported,
    /// The file is binary data.
    Binary,
    /// The file needs a password, or another one.
    Encrypted,
    /// The file is damaged beyond reading.
    Damaged,
    /// The file is too large.
    TooLarge,
    /// A ceiling ended the reading.
    Limit,
    /// A selector means nothing in this format.
    WrongSelector,
    /// The page, sheet or symbol does not exist.
    NotThere,
    /// The first line asked for is past the end.
    RangePastEof,
}

impl ErrorCode {
    /// The code's name, which never changes.
    pub fn name(self) -> &'static str {
        match self {
            ErrorCode::InvalidParams => "invalid_params",
            ErrorCode::PathMissing => "path_missing",
            ErrorCode::NotFound => "not_found",
            ErrorCode::OutsideRoot => "outside_root",
            ErrorCode::NotAFile => "not_a_file",
            ErrorCode::Unreadable => "unreadable",
            ErrorCode::Unwritable => "unwritable",
            ErrorCode::Unsupported => "unsupported",
            ErrorCode::Binary => "binary",
            ErrorCode::Encrypted => "encrypted",
            ErrorCode::Damaged => "damaged",
            ErrorCode::TooLarge => "too_large",
            ErrorCode::Limit => "limit",
            ErrorCode::WrongSelector => "wrong_selector",
            ErrorCode::NotThere => "not_there",
            ErrorCode::RangePastEof => "range_past_eof",
        }
    }
}

impl ToolError {
    /// An error of this sort.
    pub fn new(code: ErrorCode, cause: impl Into<String>, advice: impl Into<String>) -> ToolError {
        ToolError { code, cause: cause.into(), advice: advice.into() }
    }

    /// Parameters that are wrong.
    pub fn invalid(cause: impl Into<String>, advice: impl Into<String>) -> ToolError {
        ToolError::new(ErrorCode::InvalidParams, cause, advice)
    }

    pub(crate) fn from_path(error: &PathError) -> ToolError {
        let (code, advice) = match error {
            PathError::Empty => (ErrorCode::PathMissing, "Give the path of a file".to_owned()),
            PathError::Outside { .. } => {
                (ErrorCode::OutsideRoot, "Give a path inside the workspace, relative to its root".to_owned())
            }
            PathError::Missing { nearest, .. } if nearest.is_empty() => {
                (ErrorCode::NotFound, "List the folder to see what is there".to_owned())
            }
            PathError::Missing { nearest, .. } => {
                let names: Vec<String> = nearest.iter().map(|name| escaped(name)).collect();
                (ErrorCode::NotFound, format!("Nearest names: {}", names.join(", ")))
            }
            PathError::NotAFile { what: NotAFile::Folder, .. } => {
                (ErrorCode::NotAFile, "Name a file in it; list_directory shows what there is".to_owned())
            }
            PathError::NotAFile { .. } => {
                (ErrorCode::NotAFile, "Only regular files are read; nothing was opened".to_owned())
            }
            PathError::Forbidden { .. } => {
                (ErrorCode::Unreadable, "Change the file's permissions, or read as another user".to_owned())
            }
            _ => (ErrorCode::Unreadable, "Check the file and try again".to_owned()),
        };
        ToolError::new(code, error.to_string(), advice)
    }

    /// A file that cannot be written: a report, a picture.
    pub(crate) fn from_write(what: &str, error: &PathError) -> ToolError {
        let error = ToolError::from_path(error);
        let code = if error.code == ErrorCode::Unreadable { ErrorCode::Unwritable } else { error.code };
        ToolError::new(
            code,
            format!("the {what} cannot be written: {}", error.cause),
            format!("Give the name of a file, new or an earlier {what}, in a folder that you may write to"),
        )
    }

    pub(crate) fn from_size(name: &str, error: &TooLargeError) -> ToolError {
        let advice = match error.format {
            Format::Pdf => "Ask for some of its pages with pages (\"1-20\")",
            _ => "Raise the limit with CONSPECT_READ_MAX_BYTES, or split the document",
        };
        ToolError::new(ErrorCode::TooLarge, format!("{name} cannot be read whole: {error}"), advice)
    }

    pub(crate) fn from_read(name: &str, error: &ReadError) -> ToolError {
        let (code, advice) = match error {
            ReadError::Unsupported { format: Format::Doc | Format::Ppt | Format::Rtf } => (
                ErrorCode::Unsupported,
                "Save it in a current format (.docx, .pptx or PDF) and read that".to_owned(),
            ),
            ReadError::Unsupported { format: Format::Zip } => {
                (ErrorCode::Unsupported, "Unpack it and read the files in it".to_owned())
            }
            ReadError::Unsupported { .. } => {
                (ErrorCode::Unsupported, "Convert it to PDF or text and read that".to_owned())
            }
            ReadError::Binary => (
                ErrorCode::Binary,
                "If it is text in an encoding that was not recognised, name it with encoding".to_owned(),
            ),
            ReadError::Encrypted { can_open: true, .. } => {
                (ErrorCode::Encrypted, "Open it with its password: the option password".to_owned())
            }
            ReadError::Encrypted { .. } => (
                ErrorCode::Encrypted,
                "This kind of encryption cannot be opened here, even with a password; save it without one"
                    .to_owned(),
            ),
            ReadError::WrongPassword => (ErrorCode::Encrypted, "Give another password".to_owned()),
            ReadError::Damaged { .. } => (
                ErrorCode::Damaged,
                "Get the file again, or open and save it with the program that made it".to_owned(),
            ),
            ReadError::Limit { .. } => {
                (ErrorCode::Limit, "Split it, or check that it is not made to exhaust memory".to_owned())
            }
            ReadError::NotThere { .. } => (ErrorCode::NotThere, "Ask for one that is there".to_owned()),
            ReadError::UnknownEncoding { .. } => {
                (ErrorCode::InvalidParams, "Use a WHATWG name, such as windows-1252 or shift_jis".to_owned())
            }
            _ => (ErrorCode::Damaged, "Get the file again".to_owned()),
        };
        ToolError::new(code, format!("{name} cannot be read: {error}"), advice)
    }

    pub(crate) fn from_select(name: &str, error: &SelectError) -> ToolError {
        match error {
            SelectError::PastEnd { n_lines, .. } => ToolError::new(
                ErrorCode::RangePastEof,
                format!("{name}: {error}"),
                format!("Ask for lines between 1 and {n_lines}"),
            ),
            SelectError::PastLineEnd { n_chars, .. } => ToolError::new(
                ErrorCode::RangePastEof,
                format!("{name}: {error}"),
                format!("Ask for a column between 1 and {n_chars}"),
            ),
            // Not an error to whoever asked; see `read_file`.
            SelectError::NoHit { .. } => {
                ToolError::new(ErrorCode::NotThere, format!("{name}: {error}"), "Try other words")
            }
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}.", self.cause, self.advice)
    }
}

impl std::error::Error for ToolError {}
