use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::Recognizer;

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
    /// Who reads pages that are only a picture; without one they have no text.
    pub recognizer: Option<&'a dyn Recognizer>,
    /// The owner of `bytes`, where there is one that can be shared.
    shared: Option<&'a SharedBytes>,
}

impl<'a> Input<'a> {
    /// An input with no password, no insisted encoding, no recognizer and nothing to release.
    pub fn new(bytes: &'a [u8], name: &'a str) -> Input<'a> {
        Input { bytes, name, password: None, encoding: None, recognizer: None, shared: None }
    }

    /// The same as [`Input::new`] of bytes whose owner can be shared, see [`Input::to_shared`].
    pub fn of_shared(shared: &'a SharedBytes, name: &'a str) -> Input<'a> {
        Input { shared: Some(shared), ..Input::new(shared.as_ref(), name) }
    }

    /// The same input, opened with `password` when it is encrypted.
    pub fn with_password(self, password: Option<&'a str>) -> Input<'a> {
        Input { password, ..self }
    }

    /// The same input, decoded as `encoding` (a WHATWG label such as `windows-1252`).
    pub fn with_encoding(self, encoding: Option<&'a str>) -> Input<'a> {
        Input { encoding, ..self }
    }

    /// The same input, whose pages that are only a picture are read by `recognizer`.
    pub fn with_recognizer(self, recognizer: Option<&'a dyn Recognizer>) -> Input<'a> {
        Input { recognizer, ..self }
    }

    /// Says that `range` of the bytes will not be needed for a while. A hint: the bytes stay readable.
    pub fn release(&self, range: Range<usize>) {
        if let Some(shared) = self.shared {
            shared.release(range);
        }
    }

    /// The bytes for a library that wants to own what it reads: shared where they can be, and copied otherwise.
    pub fn to_shared(&self) -> SharedBytes {
        self.shared.cloned().unwrap_or_else(|| SharedBytes::new(self.bytes.to_vec()))
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

/// Bytes with any number of owners: a file in memory, or a mapping of one.
#[derive(Clone)]
pub struct SharedBytes {
    owner: Arc<dyn AsRef<[u8]> + Send + Sync>,
    release: Option<Arc<dyn Fn(Range<usize>) + Send + Sync>>,
}

impl SharedBytes {
    /// Shares what holds the bytes. It must hold the same ones at every call of its `as_ref`.
    pub fn new(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> SharedBytes {
        SharedBytes { owner: Arc::new(owner), release: None }
    }

    /// The same bytes, backed by something that can give memory back.
    ///
    /// `release` is told which bytes a reader will not touch for a while. A memory mapping drops those pages, which
    /// the system reads again on demand, so that a large file passes through a small resident set.
    pub fn with_release(self, release: impl Fn(Range<usize>) + Send + Sync + 'static) -> SharedBytes {
        SharedBytes { release: Some(Arc::new(release)), ..self }
    }

    /// Says that `range` of the bytes will not be needed for a while. A hint: the bytes stay readable.
    pub fn release(&self, range: Range<usize>) {
        if let Some(release) = &self.release {
            release(range);
        }
    }
}

impl AsRef<[u8]> for SharedBytes {
    fn as_ref(&self) -> &[u8] {
        (*self.owner).as_ref()
    }
}

impl fmt::Debug for SharedBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedBytes").field("n_bytes", &self.as_ref().len()).finish()
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
    fn bytes_that_have_an_owner_are_shared_and_others_copied() {
        let shared = SharedBytes::new(b"abc".to_vec());
        let input = Input::of_shared(&shared, "a.pdf");
        assert!(std::ptr::eq(input.to_shared().as_ref(), input.bytes));
        let copied = Input::new(b"abc", "a.pdf").to_shared();
        assert_eq!(copied.as_ref(), b"abc");
    }

    #[test]
    fn extension_is_of_the_file_name_only() {
        let extension = |name| Input::new(b"", name).extension();
        assert_eq!(extension("a/b.d/Report.PDF"), "pdf");
        assert_eq!(extension("a/b.d/Makefile"), "");
        assert_eq!(extension(".gitignore"), "");
        assert_eq!(extension("x.tar.gz"), "gz");
    }
}
