use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};

use crate::bytes::FileBytes;
use crate::near::{fold, nearest};
use crate::path::{NotAFile, PathError, WorkspacePath};

/// Folders that were opened, and inside which files may be read.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) roots: Vec<Root>,
    /// The folder, inside the first root, that relative paths begin at.
    base: PathBuf,
}

#[derive(Debug)]
pub(crate) struct Root {
    /// The handle beneath which everything is opened.
    pub(crate) dir: Dir,
    /// Its real path.
    path: PathBuf,
}

/// How many entries of a folder are looked at for a name like the one that is missing.
const MAX_LISTED: usize = 20_000;
/// How many names are offered for one that is missing.
const MAX_NEAREST: usize = 3;

impl Workspace {
    /// Opens these folders. Relative paths begin at the first of them.
    pub fn open(roots: &[&Path]) -> io::Result<Workspace> {
        let mut opened = Vec::new();
        for root in roots {
            opened.push(Root::open(root)?);
        }
        let base = match opened.first() {
            Some(root) => root.path.clone(),
            None => return Err(io::Error::new(io::ErrorKind::InvalidInput, "a workspace needs a root")),
        };
        Ok(Workspace { roots: opened, base })
    }

    /// Opens the whole file system that holds `base`, for a person at a command line, who may name any file that they
    /// can read. Relative paths begin at `base`.
    pub fn open_file_system(base: &Path) -> io::Result<Workspace> {
        let base = fs::canonicalize(base)?;
        let top = base.ancestors().last().unwrap_or(&base);
        Ok(Workspace { roots: vec![Root::open(top)?], base })
    }

    /// The path of a file or folder that exists inside a root, from the text of a relative or absolute path.
    ///
    /// A name that is spelt with other code points for the same text (composed or decomposed, a no-break space for
    /// a space) is accepted where exactly one name in its folder is meant; [`WorkspacePath::found_as`] tells.
    pub fn resolve(&self, text: &str) -> Result<WorkspacePath, PathError> {
        let given = Path::new(text);
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        if text.contains('\0') {
            return Err(PathError::Missing { path: text.to_owned(), nearest: Vec::new() });
        }
        let path = self.base.join(given);
        let error = match fs::canonicalize(&path) {
            Ok(real) => return self.inside(text, real, None),
            Err(error) => error,
        };
        // What the caller may not see is refused in the same words whether it exists or not.
        let (parent, rest) = deepest_existing(&path);
        let parent = self.inside(text, parent, None)?;
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {}
            _ => return Err(PathError::from_io(text, &error)),
        }
        if let Some(real) = self.find_equal(&parent, &rest) {
            let found_as = real.file_name().map(|name| name.to_string_lossy().into_owned());
            return self.inside(text, real, found_as);
        }
        let wanted = rest.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let names = self.names_in(&parent);
        let folder = given.ancestors().nth(rest.len()).unwrap_or(Path::new(""));
        let nearest = nearest(&wanted, &names, MAX_NEAREST)
            .into_iter()
            .map(|name| folder.join(name).to_string_lossy().into_owned())
            .collect();
        Err(PathError::Missing { path: text.to_owned(), nearest })
    }

    /// Opens a regular file and reads or maps it. Anything else is refused before it is opened.
    pub fn read(&self, path: &WorkspacePath) -> Result<FileBytes, PathError> {
        let file = self.open_file(path)?;
        FileBytes::of(file).map_err(|error| PathError::from_io(path.given(), &error))
    }

    fn open_file(&self, path: &WorkspacePath) -> Result<fs::File, PathError> {
        let dir = &self.roots[path.root_idx].dir;
        let refuse = |error: io::Error| PathError::from_io(path.given(), &error);
        let metadata = dir.metadata(&path.beneath).map_err(refuse)?;
        if let Some(what) = NotAFile::of(&metadata.file_type()) {
            return Err(PathError::NotAFile { path: path.given().to_owned(), what });
        }
        // Should a pipe have taken the file's place by now, the open must not wait for somebody to write to it.
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let file: File = dir.open_with(&path.beneath, &options).map_err(refuse)?;
        let opened = file.metadata().map_err(refuse)?;
        match NotAFile::of(&opened.file_type()) {
            Some(what) => Err(PathError::NotAFile { path: path.given().to_owned(), what }),
            None => Ok(file.into_std()),
        }
    }

    /// Up to `limit` names of files in the folder that relative paths begin at, in order, and how many there are.
    pub fn file_names(&self, wanted: impl Fn(&str) -> bool, limit: usize) -> (Vec<String>, usize) {
        let base = match self.inside("", self.base.clone(), None) {
            Ok(base) => base,
            Err(_) => return (Vec::new(), 0),
        };
        let mut names: Vec<String> = self.names_in(&base).into_iter().filter(|name| wanted(name)).collect();
        names.sort();
        let n_names = names.len();
        names.truncate(limit);
        (names, n_names)
    }

    /// The proof that a real path lies inside a root.
    fn inside(
        &self,
        given: &str,
        real: PathBuf,
        found_as: Option<String>,
    ) -> Result<WorkspacePath, PathError> {
        for (root_idx, root) in self.roots.iter().enumerate() {
            if let Ok(beneath) = real.strip_prefix(&root.path) {
                let beneath = match beneath.as_os_str().is_empty() {
                    true => PathBuf::from("."),
                    false => beneath.to_owned(),
                };
                return Ok(WorkspacePath { root_idx, beneath, given: given.to_owned(), found_as });
            }
        }
        Err(PathError::Outside { path: given.to_owned() })
    }

    /// The real path of the one name, at each step, that is the same text as the one asked for.
    fn find_equal(&self, parent: &WorkspacePath, rest: &[std::ffi::OsString]) -> Option<PathBuf> {
        let mut found = self.roots[parent.root_idx].path.join(&parent.beneath);
        for wanted in rest {
            let exact = found.join(wanted);
            if exact.exists() {
                found = exact;
                continue;
            }
            let folder = self.inside("", fs::canonicalize(&found).ok()?, None).ok()?;
            let wanted = fold(wanted.to_str()?);
            let names = self.names_in(&folder);
            let mut equal = names.iter().filter(|name| fold(name) == wanted);
            found.push(equal.next()?);
            if equal.next().is_some() {
                return None;
            }
        }
        fs::canonicalize(found).ok()
    }

    fn names_in(&self, folder: &WorkspacePath) -> Vec<String> {
        let Ok(entries) = self.roots[folder.root_idx].dir.read_dir(&folder.beneath) else {
            return Vec::new();
        };
        let names = entries.take(MAX_LISTED).filter_map(Result::ok);
        names.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }
}

impl Root {
    fn open(path: &Path) -> io::Result<Root> {
        let path = fs::canonicalize(path)?;
        Ok(Root { dir: Dir::open_ambient_dir(&path, ambient_authority())?, path })
    }
}

/// The real path of the deepest part of `path` that exists, and the names below it.
fn deepest_existing(path: &Path) -> (PathBuf, Vec<std::ffi::OsString>) {
    let mut rest = Vec::new();
    for ancestor in path.ancestors() {
        if let Ok(real) = fs::canonicalize(ancestor) {
            rest.reverse();
            return (real, rest);
        }
        // `..` below something missing is taken as a name that is missing too.
        rest.push(
            ancestor.components().next_back().map(|part| part.as_os_str().to_owned()).unwrap_or_default(),
        );
    }
    (PathBuf::new(), rest)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests make the files that they read")]

    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("docs")).expect("a folder");
        fs::write(root.join("docs/report.txt"), "inside").expect("a file");
        fs::write(folder.path().join("secret.txt"), "outside").expect("a file");
        fs::create_dir_all(folder.path().join("root-twin")).expect("a folder");
        fs::write(folder.path().join("root-twin/secret.txt"), "outside").expect("a file");
        let workspace = Workspace::open(&[&root]).expect("a workspace");
        (folder, workspace)
    }

    fn read(workspace: &Workspace, path: &str) -> Result<String, PathError> {
        let bytes = workspace.read(&workspace.resolve(path)?)?;
        Ok(String::from_utf8_lossy(bytes.bytes()).into_owned())
    }

    #[test]
    fn paths_are_relative_to_the_root_or_absolute_inside_it() {
        let (folder, workspace) = workspace();
        let absolute = folder.path().join("root/docs/report.txt");
        for path in ["docs/report.txt", "./docs/../docs/report.txt", &absolute.to_string_lossy()] {
            assert_eq!(read(&workspace, path).as_deref(), Ok("inside"), "{path}");
        }
    }

    /// P2.
    #[test]
    fn nothing_outside_is_read_or_told_apart_from_what_is_missing() {
        let (folder, workspace) = workspace();
        let absolute = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let outside = [
            "../secret.txt".to_owned(),
            "../missing.txt".to_owned(),
            "../root-twin/secret.txt".to_owned(),
            "docs/../../secret.txt".to_owned(),
            absolute("secret.txt"),
            absolute("missing.txt"),
            absolute("root-twin/secret.txt"),
        ];
        for path in outside {
            assert_eq!(read(&workspace, &path), Err(PathError::Outside { path: path.clone() }), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_inside_and_refused_outside() {
        use std::os::unix::fs::symlink;
        let (folder, workspace) = workspace();
        let root = folder.path().join("root");
        symlink("docs/report.txt", root.join("relative")).expect("a link");
        symlink(root.join("docs/report.txt"), root.join("absolute")).expect("a link");
        symlink(folder.path().join("secret.txt"), root.join("out")).expect("a link");
        symlink(folder.path().join("nothing"), root.join("dangling")).expect("a link");
        symlink("loop", root.join("loop")).expect("a link");
        assert_eq!(read(&workspace, "relative").as_deref(), Ok("inside"));
        assert_eq!(read(&workspace, "absolute").as_deref(), Ok("inside"));
        assert_eq!(read(&workspace, "out"), Err(PathError::Outside { path: "out".into() }));
        assert!(matches!(read(&workspace, "dangling"), Err(PathError::Missing { .. })));
        assert!(matches!(read(&workspace, "loop"), Err(PathError::Unreadable { .. })));
    }

    /// P2: the check has passed, and then the file is swapped for a link out.
    #[cfg(unix)]
    #[test]
    fn a_link_swapped_in_after_the_check_is_refused_by_the_open() {
        let (folder, workspace) = workspace();
        let file = folder.path().join("root/docs/report.txt");
        let path = workspace.resolve("docs/report.txt").expect("inside");
        fs::remove_file(&file).expect("removed");
        std::os::unix::fs::symlink(folder.path().join("secret.txt"), &file).expect("a link");
        assert!(workspace.read(&path).is_err());
    }

    /// R46.
    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let (folder, workspace) = workspace();
        let socket = folder.path().join("root/socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
        let what = |path: &str| match read(&workspace, path) {
            Err(PathError::NotAFile { what, .. }) => what,
            other => panic!("{path}: {other:?}"),
        };
        assert_eq!(what("docs"), NotAFile::Folder);
        assert_eq!(what("."), NotAFile::Folder);
        assert_eq!(what("socket"), NotAFile::Socket);
        let anywhere = Workspace::open_file_system(folder.path()).expect("a workspace");
        let device = anywhere.read(&anywhere.resolve("/dev/null").expect("there")).expect_err("refused");
        assert!(matches!(device, PathError::NotAFile { what: NotAFile::Device, .. }));
    }

    /// R43.
    #[test]
    fn a_missing_name_is_answered_with_the_nearest() {
        let (_folder, workspace) = workspace();
        let nearest = |path: &str| match read(&workspace, path) {
            Err(PathError::Missing { nearest, .. }) => nearest,
            other => panic!("{path}: {other:?}"),
        };
        assert_eq!(nearest("docs/reprot.txt"), ["docs/report.txt"]);
        assert_eq!(nearest("docs/report.md"), ["docs/report.txt"]);
        assert_eq!(nearest("dosc/report.txt"), ["docs"]);
        assert_eq!(nearest("docs/zzzzzzzz"), Vec::<String>::new());
    }

    /// P3.
    #[test]
    fn a_name_in_other_code_points_is_found_where_it_is_the_only_one() {
        let (folder, workspace) = workspace();
        let root = folder.path().join("root");
        fs::write(root.join("Shot at 9\u{202F}AM.txt"), "narrow").expect("a file");
        fs::write(root.join("u\u{308}ber.txt"), "decomposed").expect("a file");
        fs::write(root.join("a\u{A0}b"), "1").expect("a file");
        fs::write(root.join("a\u{202F}b"), "2").expect("a file");
        assert_eq!(read(&workspace, "Shot at 9 AM.txt").as_deref(), Ok("narrow"));
        assert_eq!(read(&workspace, "\u{FC}ber.txt").as_deref(), Ok("decomposed"));
        let path = workspace.resolve("\u{FC}ber.txt").expect("found");
        assert_eq!(path.found_as(), Some("u\u{308}ber.txt"));
        assert!(matches!(read(&workspace, "a b"), Err(PathError::Missing { .. })));
    }
}
