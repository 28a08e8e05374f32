//! Which part of a Document to show, and how it is written out.
//!
//! The way through: [`lay_out`] numbers a [`Document`](conspect_model::Document)'s lines, giving a [`Listing`];
//! [`select`](select()) (for lines that were asked for) or [`sample`](sample()) (for the part that matters within a
//! budget) choose among them, giving a [`View`]; [`render`](render()) writes the View out. Structure maps of code and
//! outlines of documents have their own short way: [`map`](map()). Why a View is what it is, [`explain`](explain()) tells.
//!
//! # Architecture invariants
//!
//! This crate does no input or output and parses no format. Nothing is Markdown before [`render`](render()), and
//! nothing here ever parses what was rendered. The lines of a View and its gaps together are the Listing. The same
//! Document and request give the same answer, at any thread count.

mod listing;
mod view;
mod cells;
mod profile;
mod render;
mod budget;
mod words;
mod query;
mod filter;
mod select;
mod passage;
mod kept;
mod narrow;
mod sample;
mod map;
mod explain;

pub use budget::{Budget, share};
pub use explain::{
    Cost, CostOf, Dropped, DroppedWord, ExplainedHit, ExplainedQuery, ExplainedTerm, Explanation, HitShown,
    Stretch, explain, visit_sizes,
};
pub use filter::{Filter, FilterError, FilterKind, HitUnit};
pub use listing::{HeadingLine, LineKind, Listing, TableSpan, lay_out};
pub use map::{Map, MapEntry, MapOptions, enclosing, map, map_entries, symbol};
pub use profile::{ColumnKind, ColumnProfile, MAX_DISTINCT, TableProfile};
pub use query::Query;
pub use render::{RenderOptions, Style, render, render_to, rendered_chars, shown_text};
pub use sample::{SampleOptions, sample};
pub use select::{Caps, LineChoice, SelectError, Selection, select};
pub use view::{Claim, Cut, CutReason, Found, Gap, Piece, Run, Shown, View};
