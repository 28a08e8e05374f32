use conspect_model::{Format, Limits};

use crate::docx;
use crate::package::{Archive, Ole, Package, Token, Xml, decode};

/// What kind of Office file, electronic book or archive the bytes are; `None` where they are no such container.
///
/// It is decided from what the container says of itself: the media type of OpenDocument and EPUB, the content types
/// and relationships of Office packages, the streams of an OLE file. The name only settles what the bytes leave open.
pub fn sniff(bytes: &[u8], name: &str) -> Option<Format> {
    if bytes.starts_with(Ole::MAGIC) {
        return sniff_ole(bytes);
    }
    if bytes.starts_with(b"{\\rtf") {
        return Some(Format::Rtf);
    }
    if is_bare_biff(bytes) {
        return Some(Format::Xls);
    }
    let begins_as_zip = bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06");
    // An archive may have junk in front of it; then its name has to agree.
    let extension = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let named_as_zip =
        ["docx", "docm", "dotx", "xlsx", "xlsm", "xlsb", "pptx", "odt", "ods", "odp", "epub", "zip"];
    if begins_as_zip || (named_as_zip.contains(&extension.as_str()) && has_zip_directory(bytes)) {
        return Some(sniff_zip(bytes));
    }
    None
}

fn sniff_ole(bytes: &[u8]) -> Option<Format> {
    let ole = Ole::open(bytes)?;
    let streams = [
        ("EncryptedPackage", Format::EncryptedOffice),
        ("Workbook", Format::Xls),
        ("Book", Format::Xls),
        ("WordDocument", Format::Doc),
        ("PowerPoint Document", Format::Ppt),
    ];
    let known = streams.into_iter().find(|(stream, _)| ole.contains(stream));
    Some(known.map_or(Format::Binary("OLE container"), |(_, format)| format))
}

/// Worksheets of Excel 2 to 5 can stand without a container: they begin with a record that says so.
fn is_bare_biff(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0x09, 0x00, 0x04, 0x00, ..]
            | [0x09, 0x02, 0x06, 0x00, ..]
            | [0x09, 0x04, 0x06, 0x00, ..]
            | [0x09, 0x08, 0x08 | 0x10, 0x00, 0x00, 0x05 | 0x06, ..]
    )
}

fn has_zip_directory(bytes: &[u8]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(22 + 65_536)..];
    memchr::memmem::find(tail, b"PK\x05\x06").is_some()
}

fn sniff_zip(bytes: &[u8]) -> Format {
    let limits = Limits::default();
    let Some(archive) = Archive::open(bytes, &limits) else { return Format::Zip };
    let media_type = archive.beginning("mimetype", 100);
    if let Some(format) = of_media_type(&String::from_utf8_lossy(&media_type)) {
        return format;
    }
    let package = Package::new(archive, &limits);
    let main = package.main_part();
    let by_type = main.as_deref().and_then(|part| package.content_type(part)).and_then(of_content_type);
    let declared = || package.part_of_type(|kind| of_content_type(kind).is_some());
    by_type
        .or_else(|| of_content_type(package.content_type(&declared()?)?))
        .or_else(|| of_root_element(&package, &main?))
        .or_else(|| of_manifest(&package))
        .or_else(|| of_some_part(&package))
        .unwrap_or(Format::Zip)
}

fn of_media_type(media_type: &str) -> Option<Format> {
    let subtype = media_type.trim().strip_prefix("application/")?;
    match subtype.strip_prefix("vnd.oasis.opendocument.") {
        Some(kind) if kind.starts_with("text") => Some(Format::Odt),
        Some(kind) if kind.starts_with("spreadsheet") => Some(Format::Ods),
        Some(kind) if kind.starts_with("presentation") => Some(Format::Odp),
        _ if subtype.starts_with("epub+zip") => Some(Format::Epub),
        _ => None,
    }
}

fn of_content_type(content_type: &str) -> Option<Format> {
    if docx::is_main_type(content_type) {
        return Some(Format::Docx);
    }
    let content_type = content_type.to_lowercase();
    if !content_type.contains(".main") {
        return None;
    }
    if content_type.contains("sheet.binary") {
        Some(Format::Xlsb)
    } else if content_type.contains("spreadsheetml") || content_type.contains("ms-excel") {
        Some(Format::Xlsx)
    } else if content_type.contains("presentationml") || content_type.contains("ms-powerpoint") {
        Some(Format::Pptx)
    } else {
        None
    }
}

fn of_root_element(package: &Package<'_>, part: &str) -> Option<Format> {
    let text = decode(package.archive.beginning(part, 4096));
    let mut xml = Xml::new(&text, 10);
    loop {
        match xml.next() {
            Token::Open(element) => {
                return match element.name() {
                    "document" => Some(Format::Docx),
                    "workbook" => Some(Format::Xlsx),
                    "presentation" => Some(Format::Pptx),
                    _ => None,
                };
            }
            Token::End => return part.ends_with(".bin").then_some(Format::Xlsb),
            Token::Close(_) | Token::Text(_) => {}
        }
    }
}

/// OpenDocument files whose media type is not where it should be.
fn of_manifest(package: &Package<'_>) -> Option<Format> {
    let text = decode(package.archive.beginning("META-INF/manifest.xml", 1 << 16));
    let mut xml = Xml::new(&text, 10);
    loop {
        match xml.next() {
            Token::Open(element) if element.attribute("full-path").as_deref() == Some("/") => {
                return of_media_type(&element.attribute("media-type")?);
            }
            Token::End => return None,
            _ => {}
        }
    }
}

/// A package that lost its content types, its relationships or its end: by what a part that it still has begins with.
fn of_some_part(package: &Package<'_>) -> Option<Format> {
    let names: Vec<&str> = package.archive.names().collect();
    let xml_parts = names.iter().filter(|name| name.ends_with(".xml") && !name.contains("docProps")).take(50);
    xml_parts.filter_map(|part| of_root_element(package, part)).next()
}
