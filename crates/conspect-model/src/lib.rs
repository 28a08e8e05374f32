//! The one document model of Conspect: what a file says, and where in the file it says it.
//!
//! A reader turns an [`Input`] into a [`Document`]; everything after it (laying out, selecting, sampling, rendering,
//! chunking, indexing) works on that Document alone. Begin with [`Document`], then [`Block`] and [`Origin`].
//!
//! Useful for: writing a reader, or anything that consumes what readers produce.
//! Not useful for: wire formats. The model derives no serde; `conspect-tools` holds the types that go over a wire.
//!
//! # Conventions
//!
//! Pages, sheets, paragraphs, lines, rows and columns count from 1 and say so in their type ([`PageNumber`],
//! [`LineNumber`], …). `line_idx` and its like count from 0. Ranges are half-open inside the library.
//!
//! # Architecture invariants
//!
//! This crate does no input or output, knows no format in particular and depends on nothing. A reader is a function
//! `read(&Input, &Scope, &Limits) -> Result<Document, ReadError>`: no disk, clock, environment or global state.
//! What is not in the blocks is in a [`Notice`] or in the [`Extent`]: nothing is lost in silence.

mod input;
mod picture;
mod format;
mod scope;
mod limits;
mod number;
mod origin;
mod document;
mod block;
mod table;
mod symbol;
mod lines;
mod notice;
mod error;

pub use block::{Block, BlockKind, Mark, MarkKind, NoteKind};
pub use document::{
    Document, Extent, Metadata, OutlineEntry, PageKind, PageSummary, Part, TextEncoding, TextPart,
};
pub use error::ReadError;
pub use format::{Format, FormatFamily};
pub use input::{Input, SharedBytes};
pub use limits::{Limits, StopToken};
pub use lines::{DataKey, DataValue, OwnedLines, TextLines};
pub use notice::{Notice, NoticeKind};
pub use number::{ColumnNumber, LineNumber, PageNumber, ParagraphNumber, RowNumber, SheetNumber};
pub use origin::{CellRange, LineRange, Origin, Rect};
pub use picture::{PageImage, PixelRect, RecognizeError, RecognizedLine, RecognizedWord, Recognizer};
pub use scope::{CellValues, Revisions, RunningText, Scope, SheetChoice};
pub use symbol::{Symbol, SymbolKind};
pub use table::{Row, Span, Table};
