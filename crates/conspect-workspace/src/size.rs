use std::fmt;

use conspect::{Format, FormatFamily, Scope};

/// A document is larger than what is read whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLargeError {
    /// What it is.
    pub format: Format,
    /// Its size in bytes.
    pub n_bytes: u64,
    /// The largest size that is read.
    pub max_bytes: u64,
}

/// Refuses documents and workbooks over the limit, which are read as a whole. Text of any size is read, since only the
/// lines shown are looked at twice; so are chosen pages of a PDF.
pub fn check_size(format: Format, n_bytes: u64, scope: &Scope, max_bytes: u64) -> Result<(), TooLargeError> {
    let is_text = matches!(format.family(), FormatFamily::Text | FormatFamily::Code | FormatFamily::Binary);
    let reads_part = format == Format::Pdf && scope.pages.is_some();
    match n_bytes > max_bytes && !is_text && !reads_part {
        true => Err(TooLargeError { format, n_bytes, max_bytes }),
        false => Ok(()),
    }
}

impl fmt::Display for TooLargeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mega = |n_bytes: u64| n_bytes.div_ceil(1_000_000);
        let (size, limit) = (mega(self.n_bytes), mega(self.max_bytes));
        write!(f, "it is too large for a document ({}, {size} MB; the limit is {limit} MB)", self.format)
    }
}

impl std::error::Error for TooLargeError {}

#[cfg(test)]
mod tests {
    use super::*;
    use conspect::PageNumber;

    /// R34.
    #[test]
    fn only_documents_read_whole_are_refused_for_their_size() {
        let pages = Scope { pages: Some(vec![PageNumber::FIRST..=PageNumber::FIRST]), ..Scope::default() };
        let check = |format, scope: &Scope| check_size(format, 60, scope, 50).is_ok();
        assert!(!check(Format::Pdf, &Scope::default()));
        assert!(check(Format::Pdf, &pages));
        assert!(!check(Format::Docx, &pages));
        assert!(!check(Format::Xlsx, &Scope::default()));
        assert!(check(Format::Text, &Scope::default()));
        assert!(check(Format::Log, &Scope::default()));
        assert!(check(Format::Code("rust"), &Scope::default()));
        assert!(check_size(Format::Docx, 50, &Scope::default(), 50).is_ok());
    }
}
