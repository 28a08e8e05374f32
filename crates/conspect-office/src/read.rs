use conspect_model::{Document, Format, Input, Limits, Notice, NoticeKind, Origin, ReadError, Scope};

use crate::package::{Archive, Package};
use crate::{docx, sniff, workbook};

/// Reads a Word document or a workbook.
///
/// Presentations, OpenDocument text, electronic books and the binary formats of Word and PowerPoint are recognised
/// and refused with [`ReadError::Unsupported`].
pub fn read(input: &Input<'_>, scope: &Scope, limits: &Limits) -> Result<Document<'static>, ReadError> {
    let format = sniff(input.bytes, input.name).unwrap_or(Format::Binary("file"));
    match format {
        Format::Docx | Format::Xlsx | Format::Xlsb | Format::Ods => {
            let damaged = || ReadError::Damaged { format, what: "its zip archive has no members".to_owned() };
            let archive = Archive::open(input.bytes, limits).ok_or_else(damaged)?;
            let notices = archive_notices(&archive);
            let package = Package::new(archive, limits);
            let mut document = match format {
                Format::Docx => docx::read(&package, scope, limits)?,
                _ => workbook::read_package(&package, format, scope, limits)?,
            };
            document.notices.splice(0..0, notices);
            Ok(document)
        }
        Format::Xls => workbook::read_xls(input.bytes, scope, limits),
        Format::EncryptedOffice => Err(ReadError::Encrypted { format, can_open: false }),
        _ => Err(ReadError::Unsupported { format }),
    }
}

fn archive_notices(archive: &Archive<'_>) -> Vec<Notice> {
    let mut notices = Vec::new();
    if archive.is_truncated {
        let message = "the end of the file is missing; the parts that are there were read";
        notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
    }
    if archive.has_more_members {
        let message = "the archive has more members than are looked at";
        notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
    }
    notices
}
