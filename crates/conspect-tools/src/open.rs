use conspect::{
    ContentHash, Document, Format, FormatFamily, FormatRow, HitUnit, Input, Limits, LineChoice, LinesWanted,
    NoticeKind, Origin, Recognizer, Selection, Selectors, content_hash, image_size, read_as, read_lines,
    sniff,
};
use conspect::{Notice, ReadError};
use conspect_workspace::{FileBytes, check_size, escaped};

use crate::context::{Context, Door};
use crate::error::{ErrorCode, ToolError};
use crate::request::{Request, Wanted};
use crate::settings::Key;

/// A file with its bytes, and what they are.
#[derive(Debug)]
pub(crate) struct OpenFile {
    /// The path as it was given.
    pub(crate) path: String,
    /// The file's name, as it is printed.
    pub(crate) name: String,
    /// The name on disk, where it is spelt in other code points.
    pub(crate) found_as: Option<String>,
    pub(crate) bytes: FileBytes,
    pub(crate) format: Format,
    /// The hash of its bytes; `None` where only a part of them is looked at.
    pub(crate) hash: Option<ContentHash>,
    /// The lines that are read without the rest of the file.
    lines: Option<LinesWanted>,
}

/// The path that stands for standard input.
pub(crate) const STANDARD_INPUT: &str = "-";

impl OpenFile {
    /// Opens a file, and checks that what is asked for means something in its format.
    pub(crate) fn open(request: &Request, context: &Context) -> Result<OpenFile, ToolError> {
        let mut file = OpenFile::unhashed(&request.path, context)?;
        file.check_selectors(request)?;
        let n_bytes = file.bytes.bytes().len() as u64;
        let max_bytes = context.settings.count(Key::ReadMaxBytes) as u64;
        file.lines = lines_of_large(request, context).filter(|_| n_bytes > max_bytes);
        if file.lines.is_none() {
            file.hash = Some(content_hash(&file.bytes.input(&file.name)));
        }
        check_size(file.format, n_bytes, &request.scope, max_bytes)
            .map_err(|error| ToolError::from_size(&file.name, &error))?;
        Ok(file)
    }

    /// Opens a file whatever it is.
    pub(crate) fn of_path(path: &str, context: &Context) -> Result<OpenFile, ToolError> {
        let file = OpenFile::unhashed(path, context)?;
        let hash = content_hash(&file.bytes.input(&file.name));
        Ok(OpenFile { hash: Some(hash), ..file })
    }

    fn unhashed(path: &str, context: &Context) -> Result<OpenFile, ToolError> {
        let (name, found_as, bytes) = match &context.standard_input {
            Some(bytes) if path == STANDARD_INPUT => {
                ("standard input".to_owned(), None, FileBytes::in_memory(bytes.clone()))
            }
            _ => {
                let found = context.workspace.resolve(path).map_err(|error| ToolError::from_path(&error))?;
                let bytes = context.workspace.read(&found).map_err(|error| ToolError::from_path(&error))?;
                (escaped(found.name()), found.found_as().map(escaped), bytes)
            }
        };
        let format = sniff(&bytes.input(&name));
        Ok(OpenFile { path: path.to_owned(), name, found_as, bytes, format, hash: None, lines: None })
    }

    pub(crate) fn input<'a>(&'a self, request: &'a Request) -> Input<'a> {
        self.bytes
            .input(&self.name)
            .with_password(request.password.as_deref())
            .with_encoding(request.encoding.as_deref())
            .with_recognizer(request.recognizer.as_ref().map(|recognizer| recognizer as &dyn Recognizer))
    }

    /// Reads the file.
    pub(crate) fn read<'a>(
        &'a self,
        request: &'a Request,
        limits: &Limits,
    ) -> Result<Document<'a>, ToolError> {
        let input = self.input(request);
        let lines = self.lines.map(|wanted| read_lines(self.format, &input, wanted, limits)).transpose();
        if let Some(document) = lines.map_err(|error| self.read_error(&error))?.flatten() {
            return Ok(document);
        }
        let read = match (self.format, &request.encoding) {
            // Whoever names an encoding says that it is text.
            (Format::Binary(_), Some(_)) => read_as(Format::Text, &input, &request.scope, limits),
            (format, _) => read_as(format, &input, &request.scope, limits),
        };
        let mut document = read.map_err(|error| self.read_error(&error))?;
        if let Some(found_as) = &self.found_as {
            let message = format!("read as {found_as:?}, whose name is the same text in other code points");
            document.notices.push(Notice::new(NoticeKind::Guessed, message, Origin::File));
        }
        Ok(document)
    }

    fn read_error(&self, error: &ReadError) -> ToolError {
        let bytes = self.bytes.bytes();
        match error {
            ReadError::Unsupported { format: Format::Binary(kind) } => {
                let size = match image_size(bytes) {
                    Some((width, height)) => format!("{width}×{height} pixels, {} bytes", bytes.len()),
                    None => format!("{} bytes", bytes.len()),
                };
                ToolError::new(
                    ErrorCode::Binary,
                    format!("{} holds no text: {kind}, {size}", self.name),
                    "Ask for its metadata instead (info); if it is text in an unusual encoding, name that with encoding",
                )
            }
            error => ToolError::from_read(&self.name, error),
        }
    }

    fn check_selectors(&self, request: &Request) -> Result<(), ToolError> {
        let row = FormatRow::of(self.format);
        let scope = &request.scope;
        let is_text = matches!(self.format.family(), FormatFamily::Text | FormatFamily::Code);
        self.check_unit(request)?;
        let given = [
            ("pages", scope.pages.is_some() && row.selectors != Selectors::Pages),
            ("sheet", scope.sheet.is_some() && row.selectors != Selectors::Cells),
            ("cells", scope.cells.is_some() && row.selectors != Selectors::Cells),
            (
                "symbol",
                matches!(request.wanted, Wanted::Symbol(_)) && self.format.family() != FormatFamily::Code,
            ),
            (
                "encoding",
                request.encoding.is_some() && row.reader.is_some() && !is_text && !is_decoded(self.format),
            ),
        ];
        let Some((selector, _)) = given.into_iter().find(|(_, is_wrong)| *is_wrong) else { return Ok(()) };
        // What a file is that cannot be read at all matters more than which part was asked for.
        if row.reader.is_none() {
            return Ok(());
        }
        let instead = match row.selectors {
            Selectors::Lines => "lines",
            Selectors::Pages => "pages or lines",
            Selectors::Cells => "sheet, cells or lines",
        };
        Err(ToolError::new(
            ErrorCode::WrongSelector,
            format!("{selector} means nothing in {}, which is {}", self.name, self.format),
            format!("Use {instead}, or leave it out"),
        ))
    }
}

impl OpenFile {
    /// What a hit is to bring along must be something that the format has.
    fn check_unit(&self, request: &Request) -> Result<(), ToolError> {
        let Wanted::Lines(Selection { filter: Some(filter), .. }) = &request.wanted else { return Ok(()) };
        let is_laid_out = matches!(
            self.format.family(),
            FormatFamily::Document | FormatFamily::Workbook | FormatFamily::Binary
        );
        let is_table = matches!(self.format, Format::Csv | Format::Tsv);
        let has_pages = matches!(
            self.format,
            Format::Pdf | Format::Docx | Format::Odt | Format::Pptx | Format::Odp | Format::Binary(_)
        );
        let units = [
            (HitUnit::Line, true),
            (HitUnit::Section, is_laid_out || self.format == Format::Markdown),
            (HitUnit::Page, has_pages),
            (HitUnit::Row, is_laid_out || is_table || self.format == Format::Markdown),
            (HitUnit::Cell, is_laid_out || is_table || self.format == Format::Markdown),
        ];
        if units.contains(&(filter.unit, true)) {
            return Ok(());
        }
        let name = |unit: HitUnit| {
            HitUnit::NAMES.iter().find(|(_, known)| *known == unit).map_or("", |(name, _)| name)
        };
        let usable: Vec<String> = units
            .iter()
            .filter(|(_, is_usable)| *is_usable)
            .map(|(unit, _)| format!("{:?}", name(*unit)))
            .collect();
        let context = if usable.len() == 1 { " with context_lines" } else { "" };
        Err(ToolError::new(
            ErrorCode::WrongSelector,
            format!("unit {:?} means nothing in {}, which is {}", name(filter.unit), self.name, self.format),
            format!("Use unit {}{context}, or leave it out", usable.join(" or ")),
        ))
    }
}

/// The first or last lines that hold all that is asked for, where that can be told without the whole file.
fn lines_of_large(request: &Request, context: &Context) -> Option<LinesWanted> {
    let Wanted::Lines(Selection { lines, filter: None }) = &request.wanted else { return None };
    if request.with_outline {
        return None;
    }
    let max_lines = request.max_lines.or(match context.door {
        Door::Model => Some(context.settings.count(Key::ReadMaxLines)),
        Door::Command => None,
    });
    match lines {
        LineChoice::All => None,
        LineChoice::Head(n_lines) => Some(LinesWanted::First(*n_lines)),
        LineChoice::Tail(n_lines) => Some(LinesWanted::Last(*n_lines)),
        LineChoice::Ranges(ranges) => {
            let ends = ranges.iter().map(|(range, is_open)| match is_open {
                false => Some(range.idx().end),
                // One more than may be shown, so that it is told that there are more.
                true => {
                    max_lines.map(|max_lines| range.idx().start.saturating_add(max_lines).saturating_add(1))
                }
            });
            Some(LinesWanted::First(ends.collect::<Option<Vec<usize>>>()?.into_iter().max()?))
        }
    }
}

/// Whether a document's bytes are text that is decoded.
fn is_decoded(format: Format) -> bool {
    matches!(format, Format::Html | Format::Notebook | Format::Mail)
}
