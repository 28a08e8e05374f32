use std::ops::Range;

use conspect_model::Rect;

/// One shown character code: where it stands on the page and what it says.
///
/// Coordinates are in points from the page's lower left corner, rotation applied.
#[derive(Clone, Debug)]
pub(crate) struct Glyph {
    /// Where its baseline begins.
    pub x0: f32,
    pub y0: f32,
    /// Where the next glyph would begin, without word and character spacing.
    pub x1: f32,
    pub y1: f32,
    /// Height of the em square.
    pub size: f32,
    /// Where its text lies in [`PageContent::text`].
    pub start: u32,
    pub len: u16,
    /// Index into [`Styles`].
    pub style: u16,
    /// Whether it is the first after the file set a new position, rather than the next of a string.
    pub is_start: bool,
    /// Whether the file marks it as a running header or footer.
    pub is_furniture: bool,
    /// Index into [`PageContent::tags`], or [`NO_TAG`].
    pub tag: u32,
}

/// The tag of what stands outside all marked content.
pub(crate) const NO_TAG: u32 = u32::MAX;

/// Marked content that the structure tree can name, or that it is to pass over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// Numbered in a page or form that has this entry in the parent tree.
    Content { holder: i32, mcid: u32 },
    /// A form or annotation that is content as a whole.
    Whole { holder: i32 },
    /// Not part of what the document says: a background, a page's number.
    Artifact,
}

impl Glyph {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// What a font looks like, as far as structure can be told from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Style {
    pub is_bold: bool,
    pub is_italic: bool,
    pub is_monospace: bool,
}

/// Everything that one page draws and that matters for text.
#[derive(Debug, Default)]
pub(crate) struct PageContent {
    /// In content order.
    pub glyphs: Vec<Glyph>,
    /// The text of all glyphs, one after the other.
    pub text: String,
    /// Marked content, in the order in which it begins.
    pub tags: Vec<Tag>,
    /// Straight horizontal and vertical strokes, and the edges of rectangles.
    pub rules: Vec<Rule>,
    /// The images that stand in marked content: its tag, and where.
    pub tagged_images: Vec<(u32, Rect)>,
    /// How many images are shown.
    pub n_images: usize,
    /// Glyphs without any known meaning.
    pub n_unknown: usize,
    /// What ended the page early, if anything did.
    pub cut_short: Option<&'static str>,
    /// Whether some part could not be decoded.
    pub is_damaged: bool,
    /// Whether the second reader had to be asked.
    pub is_second_reading: bool,
    /// Whether a hidden layer was left out.
    pub has_hidden: bool,
}

/// A straight line, horizontal or vertical, with its ends in ascending order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    pub is_horizontal: bool,
    /// The coordinate that stays the same along the line.
    pub at: f32,
    pub from: f32,
    pub to: f32,
}
