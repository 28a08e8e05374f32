use clap::Args;
use conspect::{FormatRow, PageImage, PageNumber, Selectors};
use conspect_workspace::{Destination, escaped};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::context::Context;
use crate::error::{ErrorCode, ToolError};
use crate::open::{OpenFile, STANDARD_INPUT};
use crate::parameters::Loose;
use crate::request::count;
use crate::tool::{Outcome, Report};

/// Draw a page of a PDF as a picture (PNG): what a scan, a chart or a form looks like.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, Args)]
#[serde(default)]
#[group(skip)]
pub struct DrawPage {
    /// The PDF; - is standard input.
    #[arg(value_name = "PATH", required = true)]
    pub path: Option<String>,
    /// The page, from 1. Without it, the first.
    #[arg(long, short = 'p', value_name = "N", allow_hyphen_values = true)]
    #[schemars(with = "Option<u64>")]
    pub page: Option<Loose>,
    /// Pixels to the inch. Without it, 150.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    #[schemars(with = "Option<u64>")]
    pub dpi: Option<Loose>,
    /// The file for the picture; at the command line, - is standard output. Without it, a name made of the PDF's and
    /// the page's number, in the current folder.
    #[arg(long, short = 'o', value_name = "FILE")]
    pub output: Option<String>,
    /// Let the picture take the place of a file that is there.
    #[arg(long)]
    pub force: bool,
    /// The password of an encrypted file.
    #[arg(long, value_name = "PASSWORD", env = "CONSPECT_PASSWORD", hide_env_values = true)]
    pub password: Option<String>,
}

const DEFAULT_DPI: u32 = 150;
const MAX_DPI: u32 = 2400;

/// Draws a page into a file, and says which.
pub fn draw_page(
    context: &Context,
    parameters: &DrawPage,
    write: &mut dyn FnMut(&str),
) -> Result<Report, ToolError> {
    // Before the work is done: a place that cannot be written to is told at once.
    let page = page_of(parameters)?;
    let destination = destination(context, parameters, page)?;
    let picture = match page_picture(context, parameters) {
        Ok(picture) => picture,
        Err(error) if error.code == ErrorCode::InvalidParams => return Err(error),
        Err(error) => {
            return Ok(Report { errors: vec![error], outcome: Outcome::SomeFailed, ..Report::default() });
        }
    };
    let written = context.workspace.write(&destination, &picture.png);
    written.map_err(|error| ToolError::from_write("picture", &error))?;
    let PageImage { width, height, dpi, png } = picture;
    let of = escaped(parameters.path.as_deref().unwrap_or_default());
    write(&format!(
        "{}: page {page} of {of}, {width}×{height} pixels at {dpi} to the inch, {} bytes\n",
        escaped(destination.given()),
        png.len(),
    ));
    Ok(Report::default())
}

/// Draws a page, and hands the picture out.
pub fn page_picture(context: &Context, parameters: &DrawPage) -> Result<PageImage, ToolError> {
    let path = path_of(parameters)?;
    let page = page_of(parameters)?;
    let dpi = match &parameters.dpi {
        Some(dpi) => u32::try_from(count("dpi", dpi)?).unwrap_or(u32::MAX),
        None => DEFAULT_DPI,
    };
    if dpi > MAX_DPI {
        return Err(ToolError::invalid(
            format!("dpi {dpi} is more than {MAX_DPI}"),
            "Use 150 to look at a page, 300 to read small print",
        ));
    }
    let file = OpenFile::of_path(path, context)?;
    if FormatRow::of(file.format).selectors != Selectors::Pages {
        return Err(ToolError::new(
            ErrorCode::WrongSelector,
            format!("{} has no pages that can be drawn: it is {}", file.name, file.format),
            "Give a PDF",
        ));
    }
    picture(&file, parameters, page, dpi)
}

#[cfg(feature = "render")]
fn picture(
    file: &OpenFile,
    parameters: &DrawPage,
    page: PageNumber,
    dpi: u32,
) -> Result<PageImage, ToolError> {
    let input = file.bytes.input(&file.name).with_password(parameters.password.as_deref());
    conspect::page_image(&input, page, dpi, &conspect::Limits::default()).map_err(|error| match error {
        conspect::ReadError::Limit { limit, .. } => ToolError::new(
            ErrorCode::Limit,
            format!("{} cannot be drawn at {dpi} pixels to the inch: they would be over {limit}", file.name),
            "Give a smaller dpi",
        ),
        error => ToolError::from_read(&file.name, &error),
    })
}

#[cfg(not(feature = "render"))]
fn picture(file: &OpenFile, _: &DrawPage, _: PageNumber, _: u32) -> Result<PageImage, ToolError> {
    Err(ToolError::new(
        ErrorCode::Unsupported,
        format!("{} cannot be drawn: this build cannot draw pages", file.name),
        "Build it with the feature render",
    ))
}

fn path_of(parameters: &DrawPage) -> Result<&str, ToolError> {
    parameters
        .path
        .as_deref()
        .ok_or_else(|| ToolError::new(ErrorCode::PathMissing, "no path was given", "Give the path of a PDF"))
}

fn page_of(parameters: &DrawPage) -> Result<PageNumber, ToolError> {
    let Some(page) = &parameters.page else { return Ok(PageNumber::FIRST) };
    let number = count("page", page)?;
    u32::try_from(number).ok().and_then(PageNumber::new).ok_or_else(|| {
        ToolError::invalid(format!("page {number} is no number of a page"), "Pages count from 1")
    })
}

/// Where the picture goes, if nothing is lost by it.
fn destination(context: &Context, parameters: &DrawPage, page: PageNumber) -> Result<Destination, ToolError> {
    let workspace = &context.workspace;
    let path = path_of(parameters)?;
    let name = match parameters.output.as_deref() {
        Some("-") => {
            return Err(ToolError::invalid("there is no standard output here", "Give the name of a file"));
        }
        Some(name) => name.to_owned(),
        None => default_name(path, page),
    };
    let destination =
        workspace.destination(&name).map_err(|error| ToolError::from_write("picture", &error))?;
    if let Some(existing) = destination.existing() {
        let is_read = workspace.resolve(path).is_ok_and(|found| found.is_same_file(existing));
        if is_read || !parameters.force {
            let advice = match is_read {
                true => "Give another name for the picture",
                false => "Give another name for the picture, or force to replace the file",
            };
            return Err(ToolError::invalid(format!("{} is there already", escaped(&name)), advice));
        }
    }
    Ok(destination)
}

/// `scan-page-3.png` for page 3 of `archive/scan.pdf`.
fn default_name(path: &str, page: PageNumber) -> String {
    if path == STANDARD_INPUT {
        return format!("page-{page}.png");
    }
    let file_name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    let stem = if stem.is_empty() { file_name } else { stem };
    format!("{stem}-page-{page}.png")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_named_for_its_page() {
        let name = |path| default_name(path, PageNumber::new(3).expect("a page"));
        assert_eq!(name("archive/scan.old.pdf"), "scan.old-page-3.png");
        assert_eq!(name("scan"), "scan-page-3.png");
        assert_eq!(name(".pdf"), ".pdf-page-3.png");
        assert_eq!(name("-"), "page-3.png");
    }
}
