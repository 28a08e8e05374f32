use std::fmt;

use crate::Origin;

/// Something that was lost or guessed while reading; the rest of the Document is good.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// What sort of thing happened.
    pub kind: NoticeKind,
    /// One sentence for people, without the file's name, not ending in a full stop.
    pub message: String,
    /// Where.
    pub origin: Origin,
}

impl Notice {
    /// A notice about this place.
    pub fn new(kind: NoticeKind, message: impl Into<String>, origin: Origin) -> Notice {
        Notice { kind, message: message.into(), origin }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin {
            Origin::File => f.write_str(&self.message),
            origin => write!(f, "{origin}: {}", self.message),
        }
    }
}

/// The sorts of [`Notice`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoticeKind {
    /// The file is damaged here; what could be read was.
    Damaged,
    /// A ceiling of [`Limits`](crate::Limits) ended the reading early.
    Limit,
    /// The reader has no way yet to say this in a Document.
    Unsupported,
    /// Something is there that has no text, such as a scanned page.
    NoText,
    /// A choice was made that the file does not settle: an encoding, a delimiter, a header row.
    Guessed,
    /// Left out on purpose: hidden text, deleted text, repeated page headers.
    LeftOut,
    /// The name says one format and the bytes another.
    WrongExtension,
    /// Source code that its grammar could not parse.
    Syntax,
}

impl NoticeKind {
    /// The kind's name: lower case, words joined by underscores.
    pub fn name(self) -> &'static str {
        match self {
            NoticeKind::Damaged => "damaged",
            NoticeKind::Limit => "limit",
            NoticeKind::Unsupported => "unsupported",
            NoticeKind::NoText => "no_text",
            NoticeKind::Guessed => "guessed",
            NoticeKind::LeftOut => "left_out",
            NoticeKind::WrongExtension => "wrong_extension",
            NoticeKind::Syntax => "syntax",
        }
    }
}
