use std::fmt;

use crate::Format;

/// Why there is no Document at all.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The bytes are of a kind that holds no text, or that no reader knows.
    Unsupported {
        /// What they are.
        format: Format,
    },
    /// The file is encrypted and no password was given.
    Encrypted {
        /// What it is.
        format: Format,
        /// Whether giving a password would help.
        can_open: bool,
    },
    /// The file is encrypted and the password given does not open it.
    WrongPassword,
    /// Nothing could be read.
    Damaged {
        /// What it should have been.
        format: Format,
        /// What is wrong, in a few words.
        what: String,
    },
    /// A ceiling was met before anything could be read.
    Limit {
        /// What is too large, in a few words that name the unit: `expanded size in bytes`.
        what: &'static str,
        /// The ceiling.
        limit: u64,
    },
    /// The part asked for does not exist.
    NotThere {
        /// What was asked for: `page 900`, `sheet "2031"`.
        what: String,
        /// What there is: `the file has 48 pages`.
        instead: String,
    },
    /// The encoding asked for has no such name.
    UnknownEncoding {
        /// As it was asked for.
        label: String,
    },
    /// The bytes look like no text in any encoding.
    Binary,
}

impl fmt::Display for ReadError {
    /// The cause, in one sentence part without the file's name and without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Unsupported { format } => {
                write!(f, "it is of a kind that cannot be read as text ({format})")
            }
            ReadError::Encrypted { format, .. } => {
                write!(f, "it is encrypted ({format}) and needs a password")
            }
            ReadError::WrongPassword => write!(f, "it is encrypted and the password does not open it"),
            ReadError::Damaged { format, what } => write!(f, "it is damaged ({format}): {what}"),
            ReadError::Limit { what, limit } => write!(f, "its {what} is over the limit of {limit}"),
            ReadError::NotThere { what, instead } => write!(f, "it has no {what}: {instead}"),
            ReadError::UnknownEncoding { label } => write!(f, "there is no encoding called {label:?}"),
            ReadError::Binary => write!(f, "it is binary data, not text"),
        }
    }
}

impl std::error::Error for ReadError {}
