//! Zip archives with the same bytes in every run.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// An archive of these members, deflated, all from the first day that a zip can name.
pub(crate) fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    for (name, bytes) in members {
        writer.start_file(*name, options).expect("a member begins");
        writer.write_all(bytes).expect("a member is written");
    }
    writer.finish().expect("an archive ends").into_inner()
}
