use conspect_grammars::{LANGUAGES, Language};
use regex::bytes::Regex;

/// How much of a file is looked at to tell languages apart that share an extension.
const HEAD_BYTES: usize = 64 << 10;

/// The name of the language that a file is written in, told by its name first and by its `#!` line second; `None`
/// where neither names a language that has a folder in `grammars/`.
pub fn language_of(bytes: &[u8], name: &str) -> Option<&'static str> {
    find(bytes, name).map(|language| language.name)
}

/// The language with this name.
pub(crate) fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

fn find(bytes: &[u8], name: &str) -> Option<&'static Language> {
    let file_name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    if let Some(language) = LANGUAGES.iter().find(|language| language.file_names.contains(&file_name)) {
        return Some(language);
    }
    match file_name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => by_extension(bytes, &extension.to_lowercase()),
        _ => by_first_line(bytes),
    }
}

/// A language with a claim on the extension that the file's head fulfils goes before one without a claim.
fn by_extension(bytes: &[u8], extension: &str) -> Option<&'static Language> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let mut unclaimed = None;
    for language in LANGUAGES.iter().filter(|language| language.extensions.contains(&extension)) {
        let claim = language.claims.iter().find(|(claimed, _)| *claimed == extension);
        match claim {
            None => unclaimed = unclaimed.or(Some(language)),
            Some((_, pattern)) => {
                if Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(head)) {
                    return Some(language);
                }
            }
        }
    }
    unclaimed
}

/// By the program in `#!/usr/bin/env -S python3.12 -u`, without its folder and version.
fn by_first_line(bytes: &[u8]) -> Option<&'static Language> {
    let line = bytes.strip_prefix(b"#!")?;
    let line = line.split(|&b| b == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(&line[..line.len().min(256)]).into_owned();
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or_default());
    let mut program = words.next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    LANGUAGES.iter().find(|language| language.shebangs.contains(&program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_name_then_by_first_line() {
        let check = |name: &str, text: &str, expected: Option<&str>| {
            assert_eq!(language_of(text.as_bytes(), name), expected, "{name}: {text:?}");
        };
        check("src/a.PY", "", Some("python"));
        check("a.rs", "", Some("rust"));
        check("tool", "#!/usr/bin/env -S python3.12 -u\n", Some("python"));
        check("tool", "#! /usr/bin/python3\n", Some("python"));
        check("tool", "#!", None);
        check("tool", "#!/usr/bin/env A=1\n", None);
        check("notes.txt", "#!/usr/bin/python\n", None);
        check("py", "", None);
        check(".py", "", None);
    }
}
