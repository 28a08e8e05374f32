//! Conspect reads documents and source code and shows the part that matters, within an exact budget.
//!
//! Bytes in, preview out. [`read`](read()) turns an [`Input`] into a [`Document`]; [`lay_out`] numbers its lines;
//! [`preview`](preview()) answers with the whole, a sample or a structure map, and [`excerpt`](excerpt()) with the
//! lines that were asked for. [`explain`](explain()) tells why an answer is what it is. Which formats there are, and who reads them, is one table: [`FORMATS`].
//!
//! ```
//! use conspect::{Budget, Input, Limits, PreviewOptions, Scope, Title, lay_out, preview, read};
//!
//! let input = Input::new(b"one\ntwo\nthree\n", "numbers.txt");
//! let document = read(&input, &Scope::default(), &Limits::default())?;
//! let listing = lay_out(&document);
//! let options = PreviewOptions::new(Budget::Chars(2_000));
//! let text = preview(&listing, Some(&Title::new("numbers.txt")), &options);
//! assert_eq!(text, "[numbers.txt · text, 3 lines]\none\ntwo\nthree\n");
//! # Ok::<(), conspect::ReadError>(())
//! ```
//!
//! # Architecture invariants
//!
//! This crate does no input or output: no disk, no clock, no environment. The same bytes and request give the same
//! answer. A panic in a reader becomes a [`ReadError`]; nothing else of what a file holds becomes one unless there is
//! no document at all.

mod formats;
mod sniff;
mod read;
mod hash;
mod header;
mod answer;
mod preview;
mod excerpt;
mod explain;

pub use answer::{Answer, Body, Next, Shows};
pub use excerpt::{Asked, excerpt};
pub use explain::{Explained, explain, place};
pub use formats::{FORMATS, FormatRow, Reader, Selectors};
pub use hash::{ContentHash, content_hash};
pub use header::Title;
pub use preview::{Mode, PreviewOptions, answer, preview};
pub use read::{read, read_as, read_lines};
pub use sniff::sniff;

pub use conspect_model::{
    Block, BlockKind, CellRange, CellValues, ColumnNumber, Document, Extent, Format, FormatFamily, Input,
    Limits, LineNumber, LineRange, Mark, MarkKind, Metadata, NoteKind, Notice, NoticeKind, Origin,
    OutlineEntry, OwnedLines, PageImage, PageKind, PageNumber, PageSummary, ParagraphNumber, Part, PixelRect,
    ReadError, RecognizeError, RecognizedLine, RecognizedWord, Recognizer, Rect, Revisions, Row, RowNumber,
    RunningText, Scope, SharedBytes, SheetChoice, SheetNumber, Span, StopToken, Symbol, SymbolKind, Table,
    TextEncoding, TextLines, TextPart,
};
#[cfg(feature = "render")]
pub use conspect_pdf::page_image;
pub use conspect_text::part::LinesWanted;
pub use conspect_text::{LineEnds, SourceText, image_size};
pub use conspect_view::{
    Budget, Caps, Claim, ColumnKind, ColumnProfile, Cost, CostOf, Cut, CutReason, Dropped, DroppedWord,
    ExplainedHit, ExplainedQuery, ExplainedTerm, Explanation, Filter, FilterError, FilterKind, Found, Gap,
    HitShown, HitUnit, LineChoice, LineKind, Listing, Map, MapEntry, MapOptions, Piece, Query, RenderOptions,
    Run, SampleOptions, SelectError, Selection, Shown, Stretch, Style, TableProfile, View, enclosing,
    lay_out, map, render, render_to, rendered_chars, sample, select, share, shown_text, symbol,
};
