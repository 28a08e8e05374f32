//! Plain text, and formats that are shown as they are: logs, JSON, YAML, TOML, XML.

use conspect_model::{Document, Extent, Format, Input, Limits, ReadError, Scope, TextLines};

use crate::{SourceText, places, sniff};

/// Reads a text as its own lines, without blocks. The format is what [`sniff`] takes it for.
pub fn read<'a>(input: &Input<'a>, _scope: &Scope, limits: &Limits) -> Result<Document<'a>, ReadError> {
    let text = SourceText::decode(input, limits)?;
    let format = match sniff(input) {
        Some(format @ (Format::Log | Format::Json | Format::Yaml | Format::Toml | Format::Xml)) => format,
        _ => Format::Text,
    };
    Ok(document(format, text))
}

/// A document that is its own lines, with what decoding guessed or lost.
pub(crate) fn document<'a>(format: Format, text: SourceText<'a>) -> Document<'a> {
    document_of(format, text, |text| places::with_places(format, text))
}

/// The same, where the lines are to know more than a text does.
pub(crate) fn document_of<'a>(
    format: Format,
    text: SourceText<'a>,
    lines: impl FnOnce(SourceText<'a>) -> Box<dyn TextLines + 'a>,
) -> Document<'a> {
    Document {
        extent: Extent { n_lines: text.n_lines() as u64, ..Extent::default() },
        encoding: Some(text.encoding().clone()),
        notices: text.notices(),
        lines: Some(lines(text)),
        ..Document::new(format)
    }
}
