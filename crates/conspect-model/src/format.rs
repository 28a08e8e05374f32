use std::fmt;

/// What the bytes are, decided from the bytes first and the name second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// Text with no structure that we know: prose, logs, anything.
    Text,
    /// Markdown: text with headings, lists and tables.
    Markdown,
    /// Comma-separated values, with whatever delimiter the file uses.
    Csv,
    /// Tab-separated values.
    Tsv,
    /// A log: lines that begin with a time.
    Log,
    /// JSON, or JSON with one value a line.
    Json,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// HTML or XHTML.
    Html,
    /// XML of no kind that we know better.
    Xml,
    /// A Jupyter notebook.
    Notebook,
    /// An electronic mail message.
    Mail,
    /// Source code in a language that has a grammar; the name is that of its folder in `grammars/`.
    Code(&'static str),
    /// Portable Document Format.
    Pdf,
    /// Word (Office Open XML).
    Docx,
    /// Excel (Office Open XML), with or without macros.
    Xlsx,
    /// Excel, binary workbook.
    Xlsb,
    /// Excel 97–2003.
    Xls,
    /// OpenDocument spreadsheet.
    Ods,
    /// PowerPoint (Office Open XML).
    Pptx,
    /// OpenDocument text.
    Odt,
    /// OpenDocument presentation.
    Odp,
    /// Electronic book.
    Epub,
    /// Rich Text Format.
    Rtf,
    /// Word 97–2003.
    Doc,
    /// PowerPoint 97–2003.
    Ppt,
    /// A zip archive of no kind that we know better.
    Zip,
    /// An Office file behind a password (an OLE container with an encrypted package).
    EncryptedOffice,
    /// An image, a sound, a film, a program, an archive: something without text. The word names its kind.
    Binary(&'static str),
}

/// What a format is at heart: it decides which view of an oversized file is useful.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormatFamily {
    /// The file's own lines are the listing, and it reads as prose or records.
    Text,
    /// The file's own lines are the listing, and a structure map is the short form.
    Code,
    /// Blocks laid out by us: pages, paragraphs, tables.
    Document,
    /// Sheets of rows.
    Workbook,
    /// Nothing to read.
    Binary,
}

impl Format {
    /// The name shown to people: `PDF`, `Word`, `python`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Markdown => "Markdown",
            Format::Csv => "CSV",
            Format::Tsv => "TSV",
            Format::Log => "log",
            Format::Json => "JSON",
            Format::Yaml => "YAML",
            Format::Toml => "TOML",
            Format::Html => "HTML",
            Format::Xml => "XML",
            Format::Notebook => "notebook",
            Format::Mail => "mail",
            Format::Code(language) => language,
            Format::Pdf => "PDF",
            Format::Docx => "Word",
            Format::Xlsx => "Excel",
            Format::Xlsb => "Excel binary",
            Format::Xls => "Excel 97-2003",
            Format::Ods => "OpenDocument spreadsheet",
            Format::Pptx => "PowerPoint",
            Format::Odt => "OpenDocument text",
            Format::Odp => "OpenDocument presentation",
            Format::Epub => "EPUB",
            Format::Rtf => "RTF",
            Format::Doc => "Word 97-2003",
            Format::Ppt => "PowerPoint 97-2003",
            Format::Zip => "zip archive",
            Format::EncryptedOffice => "encrypted Office file",
            Format::Binary(kind) => kind,
        }
    }

    /// What kind of reading the format asks for.
    pub fn family(self) -> FormatFamily {
        match self {
            Format::Text
            | Format::Markdown
            | Format::Csv
            | Format::Tsv
            | Format::Log
            | Format::Json
            | Format::Yaml
            | Format::Toml
            | Format::Xml => FormatFamily::Text,
            Format::Code(_) => FormatFamily::Code,
            Format::Html
            | Format::Notebook
            | Format::Mail
            | Format::Pdf
            | Format::Docx
            | Format::Pptx
            | Format::Odt
            | Format::Odp
            | Format::Epub
            | Format::Rtf
            | Format::Doc
            | Format::Ppt => FormatFamily::Document,
            Format::Xlsx | Format::Xlsb | Format::Xls | Format::Ods => FormatFamily::Workbook,
            Format::Zip | Format::EncryptedOffice | Format::Binary(_) => FormatFamily::Binary,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
