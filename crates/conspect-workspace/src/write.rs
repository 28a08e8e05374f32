use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use cap_tempfile::TempFile;

use crate::path::{PathError, WorkspacePath};
use crate::workspace::Workspace;

/// A place inside a root where a file may be written: its folder exists.
#[derive(Clone, Debug)]
pub struct Destination {
    folder: WorkspacePath,
    name: OsString,
    given: String,
    existing: Option<WorkspacePath>,
}

impl Destination {
    /// The path as it was given.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// What is there already, and would be replaced.
    pub fn existing(&self) -> Option<&WorkspacePath> {
        self.existing.as_ref()
    }
}

impl Workspace {
    /// The place that the text of a relative or absolute path names, whether or not there is a file yet. A link leads to
    /// what it names.
    pub fn destination(&self, text: &str) -> Result<Destination, PathError> {
        match self.resolve(text) {
            Ok(existing) => {
                let name = existing.beneath.file_name().map(OsString::from);
                let folder = existing.beneath.parent().map(non_empty);
                let (Some(name), Some(beneath)) = (name, folder) else {
                    return Err(PathError::from_io(text, &io::ErrorKind::IsADirectory.into()));
                };
                let folder = WorkspacePath { beneath, ..existing.clone() };
                Ok(Destination { folder, name, given: text.to_owned(), existing: Some(existing) })
            }
            Err(error @ PathError::Missing { .. }) => {
                let path = Path::new(text);
                let Some(name) = path.file_name().map(OsString::from) else { return Err(error) };
                let folder = match path.parent().and_then(Path::to_str) {
                    None | Some("") => ".",
                    Some(folder) => folder,
                };
                Ok(Destination {
                    folder: self.resolve(folder)?,
                    name,
                    given: text.to_owned(),
                    existing: None,
                })
            }
            Err(error) => Err(error),
        }
    }

    /// Writes a file whole or not at all: until all of it is on the disk, what was there stays.
    pub fn write(&self, destination: &Destination, bytes: &[u8]) -> Result<(), PathError> {
        let refuse = |error: io::Error| PathError::from_io(&destination.given, &error);
        let root = &self.roots[destination.folder.root_idx].dir;
        let folder = root.open_dir(&destination.folder.beneath).map_err(refuse)?;
        let mut file = TempFile::new(&folder).map_err(refuse)?;
        file.write_all(bytes).map_err(refuse)?;
        file.as_file().sync_all().map_err(refuse)?;
        file.replace(&destination.name).map_err(refuse)
    }
}

fn non_empty(folder: &Path) -> PathBuf {
    match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests look at the files that were written")]

    use std::fs;

    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("root/docs")).expect("a folder");
        fs::write(folder.path().join("root/docs/old.html"), "old").expect("a file");
        let workspace = Workspace::open(&[&folder.path().join("root")]).expect("a workspace");
        (folder, workspace)
    }

    #[test]
    fn a_file_is_written_where_there_is_one_and_where_there_is_none() {
        let (folder, workspace) = workspace();
        for path in ["new.html", "docs/new.html", "docs/old.html", "./docs/../other.html"] {
            let destination = workspace.destination(path).expect("inside");
            assert_eq!(destination.existing().is_some(), path == "docs/old.html", "{path}");
            workspace.write(&destination, path.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(folder.path().join("root").join(path)).expect("there"), path);
        }
        let names = fs::read_dir(folder.path().join("root/docs")).expect("a folder").count();
        assert_eq!(names, 2, "nothing is left beside what was written");
    }

    /// P2.
    #[test]
    fn nothing_is_written_outside_or_over_a_folder() {
        let (folder, workspace) = workspace();
        for path in ["../out.html", "docs/../../out.html", "docs", ".", "", "missing/new.html"] {
            let written = workspace.destination(path).and_then(|place| workspace.write(&place, b"x"));
            assert!(written.is_err(), "{path}");
        }
        assert!(!folder.path().join("out.html").exists());
        assert!(folder.path().join("root/docs").is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_is_refused_and_one_inside_is_followed() {
        let (folder, workspace) = workspace();
        let root = folder.path().join("root");
        fs::write(folder.path().join("secret.txt"), "secret").expect("a file");
        std::os::unix::fs::symlink(folder.path().join("secret.txt"), root.join("out")).expect("a link");
        std::os::unix::fs::symlink("docs/old.html", root.join("in")).expect("a link");
        assert!(workspace.destination("out").is_err());
        let inside = workspace.destination("in").expect("inside");
        workspace.write(&inside, b"new").expect("written");
        assert_eq!(fs::read_to_string(root.join("docs/old.html")).expect("there"), "new");
        assert!(root.join("in").is_symlink());
    }
}
