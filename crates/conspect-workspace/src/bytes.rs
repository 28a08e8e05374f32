use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use std::time::SystemTime;

use conspect::{Input, SharedBytes};
use memmap2::Mmap;

/// The bytes of a file: in memory, or mapped where it is large.
pub struct FileBytes {
    bytes: SharedBytes,
    modified: Option<SystemTime>,
}

/// Up to this size a file is read into memory: that is safe against others writing to it meanwhile, and as fast.
const MAX_READ_BYTES: u64 = 16 << 20;

impl FileBytes {
    /// Bytes that are in memory already, such as those of standard input.
    pub fn in_memory(bytes: Vec<u8>) -> FileBytes {
        FileBytes { bytes: SharedBytes::new(bytes), modified: None }
    }

    /// Reads or maps an opened regular file.
    pub(crate) fn of(mut file: File) -> io::Result<FileBytes> {
        let metadata = file.metadata()?;
        let modified = metadata.modified().ok();
        if metadata.len() <= MAX_READ_BYTES {
            // The size is a hint: files under /proc have none, and others grow.
            let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
            (&mut file).take(MAX_READ_BYTES + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 <= MAX_READ_BYTES {
                return Ok(FileBytes { bytes: SharedBytes::new(bytes), modified });
            }
            file.seek(SeekFrom::Start(0))?;
        }
        let map = mapped(&file)?;
        let released = Arc::clone(&map);
        let bytes = SharedBytes::new(Mapped(map)).with_release(move |range| give_back(&released, range));
        Ok(FileBytes { bytes, modified })
    }

    /// All of them.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_ref()
    }

    /// The bytes as something to read, under this name, giving memory back as a reader passes through.
    pub fn input<'a>(&'a self, name: &'a str) -> Input<'a> {
        Input::of_shared(&self.bytes, name)
    }

    /// When the file was last changed, where that is known.
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }
}

impl fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileBytes").field("n_bytes", &self.bytes().len()).finish_non_exhaustive()
    }
}

#[expect(unsafe_code, reason = "a map is the only way to read a file larger than memory; see SAFETY")]
fn mapped(file: &File) -> io::Result<Arc<Mmap>> {
    // SAFETY: The map is read-only and private to this process's view of the file. What no process can rule out is
    // another one that changes the file meanwhile: readers take bytes for untrusted and never rely on seeing the same
    // byte twice, and a file cut shorter ends the process with SIGBUS, as it does for every program that maps files.
    Ok(Arc::new(unsafe { Mmap::map(file)? }))
}

/// A map that is also held by what gives its memory back.
struct Mapped(Arc<Mmap>);

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "giving pages back keeps a large file's memory small; see SAFETY")]
fn give_back(map: &Mmap, range: Range<usize>) {
    let end = range.end.min(map.len());
    let start = range.start.min(end);
    // SAFETY: "Don't need" drops pages of a map of a file that nobody wrote to through the map, so that the next look
    // at them reads the same bytes from the file again. It is only a hint, so a failure changes nothing.
    let _ = unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, end - start) };
}

#[cfg(not(unix))]
fn give_back(_map: &Mmap, _range: Range<usize>) {}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests make the files that they read")]

    use super::*;

    #[test]
    fn large_files_are_mapped_and_stay_readable_when_memory_is_given_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large");
        let written: Vec<u8> = (0..MAX_READ_BYTES + 10_000).map(|at| (at % 251) as u8).collect();
        std::fs::write(&path, &written).expect("a file");
        let bytes = FileBytes::of(File::open(&path).expect("opened")).expect("mapped");
        let input = bytes.input("large");
        for range in [0..written.len(), 5000..9000, 10..10, 0..usize::MAX, usize::MAX..usize::MAX] {
            input.release(range);
        }
        assert!(input.bytes == written);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_says_it_is_empty_is_read_to_its_end() {
        let bytes = FileBytes::of(File::open("/proc/version").expect("opened")).expect("read");
        assert!(!bytes.bytes().is_empty());
    }
}
