use std::fmt;
use std::ops::Range;

/// The bytes to read, and the name they came under.
///
/// The name is a hint for telling formats apart and a word for messages; it is never a path to open.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The raw bytes: read, mapped, or a member of an archive.
    pub bytes: &'a [u8],
    /// The file's name as the user knows it, for hints and messages.
    pub name: &'a str,
    /// What an encrypted file is opened with.
    pub password: Option<&'a str>,
    /// A character encoding that the user insists on, by its WHATWG label.
    pub encoding: Option<&'a str>,
    /// Called by [`Input::release`]; see there.
    release: Option<&'a (dyn Fn(Range<usize>) + Sync)>,
}

impl<'a> Input<'a> {
    /// An input with no password, no insisted encoding and nothing to release.
    pub fn new(bytes: &'a [u8], name: &'a str) -> Input<'a> {
        Input { bytes, name, password: None, encoding: None, release: None }
    }

    /// The same input, opened with `password` when it is encrypted.
    pub fn with_password(self, password: Option<&'a str>) -> Input<'a> {
        Input { password, ..self }
    }

    /// The same input, decoded as `encoding` (a WHATWG label such as `windows-1252`).
    pub fn with_encoding(self, encoding: Option<&'a str>) -> Input<'a> {
        Input { encoding, ..self }
    }

    /// The same input, whose bytes are backed by something that can give memory back.
    ///
    /// `release` is told which bytes a reader will not touch for a while. A memory mapping drops those pages, which
    /// the system reads again on demand, so that a large file passes through a small resident set.
    pub fn with_release(self, release: &'a (dyn Fn(Range<usize>) + Sync)) -> Input<'a> {
        Input { release: Some(release), ..self }
    }

    /// Says that `range` of the bytes will not be needed for a while. A hint: the bytes stay readable.
    pub fn release(&self, range: Range<usize>) {
        if let Some(release) = self.release {
            release(range);
        }
    }

    /// The name's last extension in lower case, without the dot; empty where there is none.
    pub fn extension(&self) -> String {
        let file_name = self.name.rsplit(['/', '\\']).next().unwrap_or_default();
        match file_name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => extension.to_lowercase(),
            _ => String::new(),
        }
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("name", &self.name).field("n_bytes", &self.bytes.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extension_is_of_the_file_name_only() {
        let extension = |name| Input::new(b"", name).extension();
        assert_eq!(extension("a/b.d/Report.PDF"), "pdf");
        assert_eq!(extension("a/b.d/Makefile"), "");
        assert_eq!(extension(".gitignore"), "");
        assert_eq!(extension("x.tar.gz"), "gz");
    }
}
