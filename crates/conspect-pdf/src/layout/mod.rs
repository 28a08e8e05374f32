//! From glyphs on pages to blocks: runs of words, tables, lines, paragraphs, headings and lists.
//!
//! The order of the content stream is trusted, since producers write what people read in the order in which they read
//! it far more often than geometry can tell. Geometry decides only where things end: words, cells, lines, paragraphs.

mod blocks;
mod footnotes;
mod furniture;
mod grid;
mod headings;
mod labels;
mod lines;
mod paragraphs;
mod rows;
mod runs;
mod tables;
mod tagged;

pub(crate) use blocks::blocks;
pub(crate) use furniture::{Furniture, take_out_furniture};
#[cfg(feature = "render")]
pub(crate) use runs::Word;
pub(crate) use runs::{Run, runs};
pub(crate) use tagged::{Place, figures, places, say_actual_texts, says_kinds};

use conspect_model::Rect;

use crate::glyph::Rule;
use crate::structure::ElementId;

/// A page, laid out as far as it can be without knowing the others.
pub(crate) struct LaidPage {
    pub number: conspect_model::PageNumber,
    pub height: f32,
    pub runs: Vec<Run>,
    pub rules: Vec<Rule>,
    /// Whether the file's structure covers its text.
    pub is_tagged: bool,
    pub figures: Vec<Figure>,
}

/// A picture of which the file's structure says what it shows.
pub(crate) struct Figure {
    pub element: ElementId,
    pub text: String,
    pub rect: Rect,
}
