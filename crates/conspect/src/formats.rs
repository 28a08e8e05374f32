use std::mem::discriminant;

use conspect_model::{Document, Format, Input, Limits, ReadError, Scope};

/// A function that reads one family of formats.
pub type Reader = for<'a> fn(&Input<'a>, &Scope, &Limits) -> Result<Document<'a>, ReadError>;

/// A format: what it is called, and who reads it.
#[derive(Clone, Copy, Debug)]
pub struct FormatRow {
    /// The format. For source code it stands for every language.
    pub format: Format,
    /// The extensions that such files have, in lower case. They count only where the bytes do not tell.
    pub extensions: &'static [&'static str],
    /// The media type.
    pub mime: &'static str,
    /// Which parts of such a file can be asked for.
    pub selectors: Selectors,
    /// Who reads it; `None` where the format is known and cannot be read.
    pub reader: Option<Reader>,
}

/// Which parts of a file can be asked for. Lines always can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selectors {
    /// Lines only.
    Lines,
    /// Pages.
    Pages,
    /// Sheets, and cells of a sheet.
    Cells,
}

/// Every format, the most common first.
pub const FORMATS: &[FormatRow] = &[
    row(Format::Text, &["txt", "text"], "text/plain", Selectors::Lines, Some(conspect_text::plain::read)),
    row(
        Format::Markdown,
        &["md", "markdown", "mdx", "mkd"],
        "text/markdown",
        Selectors::Lines,
        Some(conspect_text::markdown::read),
    ),
    row(
        Format::Code(WITHOUT_GRAMMAR),
        &[
            "ada", "adb", "ads", "asm", "clj", "cljs", "cr", "d", "dart", "elm", "erl", "ex", "exs", "f90",
            "fs", "fsx", "gd", "groovy", "hs", "jl", "lisp", "m", "ml", "mli", "mm", "nim", "pas", "pl",
            "pm", "proto", "ps1", "r", "rkt", "sol", "tcl", "v", "vb", "vhd", "vhdl", "zig",
        ],
        "text/plain",
        Selectors::Lines,
        Some(conspect_code::read),
    ),
    row(Format::Pdf, &["pdf"], "application/pdf", Selectors::Pages, Some(conspect_pdf::read)),
    row(
        Format::Docx,
        &["docx", "docm", "dotx", "dotm"],
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        Selectors::Lines,
        Some(conspect_office::read),
    ),
    row(
        Format::Xlsx,
        &["xlsx", "xlsm", "xltx", "xltm"],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        Selectors::Cells,
        Some(conspect_office::read),
    ),
    row(Format::Csv, &["csv"], "text/csv", Selectors::Lines, Some(conspect_text::csv::read)),
    row(
        Format::Tsv,
        &["tsv", "tab"],
        "text/tab-separated-values",
        Selectors::Lines,
        Some(conspect_text::csv::read),
    ),
    row(Format::Log, &["log"], "text/plain", Selectors::Lines, Some(conspect_text::plain::read)),
    row(
        Format::Json,
        &["json", "jsonl", "ndjson", "jsonc", "json5", "geojson"],
        "application/json",
        Selectors::Lines,
        Some(conspect_text::plain::read),
    ),
    row(
        Format::Yaml,
        &["yaml", "yml"],
        "application/yaml",
        Selectors::Lines,
        Some(conspect_text::plain::read),
    ),
    row(Format::Toml, &["toml"], "application/toml", Selectors::Lines, Some(conspect_text::plain::read)),
    row(
        Format::Html,
        &["html", "htm", "xhtml"],
        "text/html",
        Selectors::Lines,
        Some(conspect_text::html::read),
    ),
    row(
        Format::Xml,
        &["xml", "xsd", "xsl", "xslt", "svg", "rss", "atom", "plist"],
        "application/xml",
        Selectors::Lines,
        Some(conspect_text::plain::read),
    ),
    row(
        Format::Notebook,
        &["ipynb"],
        "application/x-ipynb+json",
        Selectors::Lines,
        Some(conspect_text::notebook::read),
    ),
    row(Format::Mail, &["eml"], "message/rfc822", Selectors::Lines, Some(conspect_text::mail::read)),
    row(
        Format::Xls,
        &["xls", "xlt"],
        "application/vnd.ms-excel",
        Selectors::Cells,
        Some(conspect_office::read),
    ),
    row(
        Format::Xlsb,
        &["xlsb"],
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        Selectors::Cells,
        Some(conspect_office::read),
    ),
    row(
        Format::Ods,
        &["ods", "ots"],
        "application/vnd.oasis.opendocument.spreadsheet",
        Selectors::Cells,
        Some(conspect_office::read),
    ),
    row(
        Format::Pptx,
        &["pptx", "pptm", "ppsx", "potx"],
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        Selectors::Lines,
        Some(conspect_office::read),
    ),
    row(
        Format::Odt,
        &["odt", "ott"],
        "application/vnd.oasis.opendocument.text",
        Selectors::Lines,
        Some(conspect_office::read),
    ),
    row(
        Format::Odp,
        &["odp", "otp"],
        "application/vnd.oasis.opendocument.presentation",
        Selectors::Lines,
        Some(conspect_office::read),
    ),
    row(Format::Epub, &["epub"], "application/epub+zip", Selectors::Lines, Some(conspect_office::read)),
    row(
        Format::EncryptedOffice,
        &[],
        "application/x-ole-storage",
        Selectors::Lines,
        Some(conspect_office::read),
    ),
    row(Format::Rtf, &["rtf"], "application/rtf", Selectors::Lines, None),
    row(Format::Doc, &["doc", "dot"], "application/msword", Selectors::Lines, None),
    row(Format::Ppt, &["ppt", "pps"], "application/vnd.ms-powerpoint", Selectors::Lines, None),
    row(Format::Zip, &["zip", "jar"], "application/zip", Selectors::Lines, None),
    row(Format::Binary("binary data"), &[], "application/octet-stream", Selectors::Lines, None),
];

/// What source code is called whose language has no grammar.
pub(crate) const WITHOUT_GRAMMAR: &str = "code";

impl FormatRow {
    /// The row of a format.
    pub fn of(format: Format) -> &'static FormatRow {
        let found = FORMATS.iter().find(|row| discriminant(&row.format) == discriminant(&format));
        // A test keeps the table whole.
        found.unwrap_or(&FORMATS[0])
    }

    /// The row of an extension in lower case.
    pub fn of_extension(extension: &str) -> Option<&'static FormatRow> {
        FORMATS.iter().find(|row| row.extensions.contains(&extension))
    }
}

const fn row(
    format: Format,
    extensions: &'static [&'static str],
    mime: &'static str,
    selectors: Selectors,
    reader: Option<Reader>,
) -> FormatRow {
    FormatRow { format, extensions, mime, selectors, reader }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_format_has_one_row_and_every_extension_one_format() {
        let formats: HashSet<_> = FORMATS.iter().map(|row| discriminant(&row.format)).collect();
        assert_eq!(formats.len(), FORMATS.len());
        let extensions: Vec<_> = FORMATS.iter().flat_map(|row| row.extensions).collect();
        assert_eq!(extensions.iter().collect::<HashSet<_>>().len(), extensions.len());
        for format in [Format::Code("rust"), Format::Binary("PNG image"), Format::Ppt, Format::Text] {
            assert_eq!(discriminant(&FormatRow::of(format).format), discriminant(&format), "{format}");
        }
    }
}
