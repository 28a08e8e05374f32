use std::fmt;

/// A page drawn as a picture.
#[derive(Clone, PartialEq, Eq)]
pub struct PageImage {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Pixels to the inch.
    pub dpi: u32,
    /// The picture as a PNG file.
    pub png: Vec<u8>,
}

/// Reads the text in pictures (OCR). Readers ask it about pages that are nothing but a picture.
pub trait Recognizer: Send + Sync {
    /// What it is called, with its version.
    fn name(&self) -> &str;

    /// The lines of text in the picture, in reading order.
    fn recognize(&self, picture: &PageImage) -> Result<Vec<RecognizedLine>, RecognizeError>;
}

/// A line of text in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct RecognizedLine {
    /// Where it stands.
    pub place: PixelRect,
    /// In reading order, never empty.
    pub words: Vec<RecognizedWord>,
}

/// A word in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct RecognizedWord {
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub place: PixelRect,
    /// How sure the recognizer is, from 0 to 100.
    pub confidence: f32,
}

/// An upright rectangle in a picture, in pixels from its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PixelRect {
    /// Its left edge.
    pub left: u32,
    /// Its upper edge.
    pub top: u32,
    /// Its right edge.
    pub right: u32,
    /// Its lower edge.
    pub bottom: u32,
}

/// Why a picture was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecognizeError {
    /// The program could not be run.
    NotRun,
    /// It took longer than it may.
    TimedOut,
    /// It ended with an error: the first line of what it said.
    Failed(String),
}

impl fmt::Display for RecognizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecognizeError::NotRun => write!(f, "it could not be run"),
            RecognizeError::TimedOut => write!(f, "it took too long"),
            RecognizeError::Failed(said) => write!(f, "it failed: {said}"),
        }
    }
}

impl std::error::Error for RecognizeError {}

impl fmt::Debug for PageImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageImage")
            .field("width", &self.width)
            .field("height", &self.height)
            .field("dpi", &self.dpi)
            .field("n_bytes", &self.png.len())
            .finish()
    }
}
