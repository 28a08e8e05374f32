//! Files on disk inside opened roots: the confined open and read.
//!
//! A [`Workspace`] is opened once with its roots. [`Workspace::resolve`] turns the text of a path into a
//! [`WorkspacePath`], which is the proof that it lies inside a root; [`Workspace::read`] opens it and gives its
//! [`FileBytes`], in memory or mapped. [`Workspace::write`] puts a file in place whole or not at all. [`check_size`] says which files are too large to be
//! read as a document. [`Tesseract`] is the one program outside that is run, where somebody asks for it.
//!
//! # Architecture invariants
//!
//! Only this crate (and, for its own store, the index) touches the disk. Confinement is by the file system and not by
//! strings: what is opened is opened beneath the root's own handle, so that a link swapped between the check and the
//! open leads nowhere. Only regular files are opened. No error names anything that the caller did not name, other
//! than names inside a root.

mod workspace;
mod path;
mod near;
mod write;
mod bytes;
mod size;
mod tesseract;

pub use bytes::FileBytes;
pub use path::{NotAFile, PathError, WorkspacePath, escaped};
pub use size::{TooLargeError, check_size};
pub use tesseract::{Tesseract, TesseractError};
pub use workspace::Workspace;
pub use write::Destination;
