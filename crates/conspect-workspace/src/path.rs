use std::fmt;
use std::io;
use std::path::PathBuf;

use cap_std::fs::FileType;

/// A path proven to lie inside a root of its [`Workspace`](crate::Workspace). Having one is the proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspacePath {
    pub(crate) root_idx: usize,
    /// From the root, without links or `..`.
    pub(crate) beneath: PathBuf,
    pub(crate) given: String,
    pub(crate) found_as: Option<String>,
}

impl WorkspacePath {
    /// The path as it was given.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The path from its root.
    pub fn beneath(&self) -> &std::path::Path {
        &self.beneath
    }

    /// The file's name: the last part of the path as it was given.
    pub fn name(&self) -> &str {
        let name = self.given.trim_end_matches(['/', '\\']);
        name.rsplit(['/', '\\']).next().unwrap_or(name)
    }

    /// Whether both lead to the same file, however they were given.
    pub fn is_same_file(&self, other: &WorkspacePath) -> bool {
        self.root_idx == other.root_idx && self.beneath == other.beneath
    }

    /// The name on disk, where it is spelt with other code points than the one given.
    pub fn found_as(&self) -> Option<&str> {
        self.found_as.as_deref()
    }
}

/// Why a path leads to no bytes. Paths in it are as the caller gave them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// There is no path at all.
    Empty,
    /// It does not lie inside a root.
    Outside {
        /// The path.
        path: String,
    },
    /// There is nothing by that name.
    Missing {
        /// The path.
        path: String,
        /// Names in the same folder that are most like it.
        nearest: Vec<String>,
    },
    /// It is something that is not opened.
    NotAFile {
        /// The path.
        path: String,
        /// What it is.
        what: NotAFile,
    },
    /// The system does not let this user read it.
    Forbidden {
        /// The path.
        path: String,
    },
    /// It could not be read.
    Unreadable {
        /// The path.
        path: String,
        /// Why, in a few words.
        why: &'static str,
    },
}

impl PathError {
    /// The error for a path, in our own words and not in those of the system.
    pub(crate) fn from_io(path: &str, error: &io::Error) -> PathError {
        let path = path.to_owned();
        let why = match error.kind() {
            io::ErrorKind::NotFound => return PathError::Missing { path, nearest: Vec::new() },
            io::ErrorKind::PermissionDenied => return PathError::Forbidden { path },
            io::ErrorKind::InvalidFilename => "the name is too long",
            io::ErrorKind::StaleNetworkFileHandle => "the network drive it is on went away",
            io::ErrorKind::Interrupted | io::ErrorKind::TimedOut => "the drive it is on does not answer",
            _ if is_link_loop(error) => "it is a chain of links without an end",
            _ => "the system cannot read it",
        };
        PathError::Unreadable { path, why }
    }
}

#[cfg(unix)]
fn is_link_loop(error: &io::Error) -> bool {
    // ELOOP has no kind of its own in the standard library yet; its number differs between systems.
    let number = if cfg!(any(target_os = "linux", target_os = "android")) { 40 } else { 62 };
    error.raw_os_error() == Some(number)
}

#[cfg(not(unix))]
fn is_link_loop(_error: &io::Error) -> bool {
    false
}

impl fmt::Display for PathError {
    /// The cause, as one sentence without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::Empty => write!(f, "the path is empty"),
            PathError::Outside { path } => write!(f, "{} is outside the workspace", escaped(path)),
            PathError::Missing { path, .. } => write!(f, "there is no file {}", escaped(path)),
            PathError::NotAFile { path, what } => write!(f, "{} is {what}, not a file", escaped(path)),
            PathError::Forbidden { path } => write!(f, "{} may not be read by this user", escaped(path)),
            PathError::Unreadable { path, why } => write!(f, "{} could not be read: {why}", escaped(path)),
        }
    }
}

impl std::error::Error for PathError {}

/// The kinds of things that have a path and are not regular files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAFile {
    /// A folder.
    Folder,
    /// A pipe: reading it would wait for a writer.
    Pipe,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// Something else.
    Other,
}

impl NotAFile {
    /// What a file type is, if it is not a regular file.
    pub(crate) fn of(file_type: &FileType) -> Option<NotAFile> {
        if file_type.is_file() {
            return None;
        }
        if file_type.is_dir() {
            return Some(NotAFile::Folder);
        }
        #[cfg(unix)]
        {
            use cap_std::fs::FileTypeExt as _;
            if file_type.is_fifo() {
                return Some(NotAFile::Pipe);
            }
            if file_type.is_socket() {
                return Some(NotAFile::Socket);
            }
            if file_type.is_block_device() || file_type.is_char_device() {
                return Some(NotAFile::Device);
            }
        }
        Some(NotAFile::Other)
    }
}

impl fmt::Display for NotAFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotAFile::Folder => "a folder",
            NotAFile::Pipe => "a pipe",
            NotAFile::Socket => "a socket",
            NotAFile::Device => "a device",
            NotAFile::Other => "something special",
        })
    }
}

/// A name with its control characters, and those that turn the direction of text, written as escapes.
pub fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        let turns = matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        match c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}') {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_controls_are_escaped() {
        assert_eq!(escaped("a\nb\u{1B}[31m.txt"), "a\\nb\\u{1b}[31m.txt");
        assert_eq!(escaped("evil\u{202E}fdp.exe"), "evil\\u{202e}fdp.exe");
        assert_eq!(escaped("ümlaut 東京.txt"), "ümlaut 東京.txt");
    }
}
