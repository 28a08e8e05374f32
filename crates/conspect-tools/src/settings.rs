use std::fmt;

/// A value that the user may change: by a flag for one call, by the environment, or in a `conspect.toml`.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Which one it is.
    pub key: Key,
    /// Its name in `conspect.toml`: table and key. The variable is `CONSPECT_` and this name in capitals.
    pub name: &'static str,
    /// The value where nobody changed it.
    pub default: f64,
    /// What may be put there.
    kind: Kind,
    /// What it is, in one line.
    pub help: &'static str,
}

/// The settings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is described in the table below")]
pub enum Key {
    ReadBatchMaxChars,
    ReadBatchMaxFiles,
    ReadMaxBytes,
    ReadMaxLines,
    ReadMaxOutputBytes,
    ReadMaxLineChars,
    ReadContextLines,
    ReadQueryShare,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A whole number, at least 1.
    Count,
    /// A whole number or 0.
    CountOrZero,
    /// A part of a whole: from 0 to 1.
    Share,
}

/// Every setting.
pub const SETTINGS: &[Setting] = &[
    setting(
        Key::ReadBatchMaxChars,
        "read.batch_max_chars",
        20_000.0,
        Kind::Count,
        "characters of one answer, all files together (--budget)",
    ),
    setting(
        Key::ReadBatchMaxFiles,
        "read.batch_max_files",
        4.0,
        Kind::Count,
        "files that a model may ask for in one call",
    ),
    setting(
        Key::ReadMaxBytes,
        "read.max_bytes",
        50_000_000.0,
        Kind::Count,
        "bytes of the largest document that is read whole; text has no such limit (--max-file-bytes)",
    ),
    setting(
        Key::ReadMaxLines,
        "read.max_lines",
        1_000.0,
        Kind::Count,
        "lines that a model gets of a range, a head or a whole file (--max-lines)",
    ),
    setting(
        Key::ReadMaxOutputBytes,
        "read.max_output_bytes",
        131_072.0,
        Kind::Count,
        "bytes that a model gets of a range, a head or a whole file (--max-bytes)",
    ),
    setting(
        Key::ReadMaxLineChars,
        "read.max_line_chars",
        2_000.0,
        Kind::Count,
        "characters of one line before it is cut",
    ),
    setting(
        Key::ReadContextLines,
        "read.context_lines",
        3.0,
        Kind::CountOrZero,
        "lines shown around a hit (--context-lines)",
    ),
    setting(
        Key::ReadQueryShare,
        "read.query_share",
        0.4,
        Kind::Share,
        "share of the budget that hits of a query may claim (--query-share)",
    ),
];

const fn setting(key: Key, name: &'static str, default: f64, kind: Kind, help: &'static str) -> Setting {
    Setting { key, name, default, kind, help }
}

impl Setting {
    /// The environment variable.
    pub fn variable(&self) -> String {
        format!("CONSPECT_{}", self.name.replace('.', "_").to_uppercase())
    }

    fn parse(&self, text: &str) -> Option<f64> {
        let text: String = text.trim().chars().filter(|&c| c != '_').collect();
        let value: f64 = text.parse().ok()?;
        let is_right = match self.kind {
            Kind::Count => value >= 1.0 && value.fract() == 0.0,
            Kind::CountOrZero => value >= 0.0 && value.fract() == 0.0,
            Kind::Share => (0.0..=1.0).contains(&value),
        };
        is_right.then_some(value)
    }

    fn expected(&self) -> &'static str {
        match self.kind {
            Kind::Count => "a whole number, at least 1",
            Kind::CountOrZero => "a whole number or 0",
            Kind::Share => "a number from 0 to 1",
        }
    }
}

/// The values in force, and where each comes from.
#[derive(Clone, Debug)]
pub struct Settings {
    values: Vec<(f64, Source)>,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nobody changed it.
    Default,
    /// A file, under the name given to [`Settings::resolve`].
    File(String),
    /// An environment variable.
    Environment(String),
    /// A flag of this call.
    Flag(&'static str),
}

/// A setting that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingsError {
    /// The file is not TOML.
    Syntax {
        /// Its name.
        file: String,
        /// What is wrong, in one line.
        why: String,
    },
    /// There is no such setting.
    Unknown {
        /// The file it stands in.
        file: String,
        /// Its name.
        name: String,
    },
    /// The value is not of the right kind.
    Value {
        /// Where it stands.
        source: Source,
        /// The setting's name.
        name: &'static str,
        /// What belongs there.
        expected: &'static str,
    },
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { values: SETTINGS.iter().map(|setting| (setting.default, Source::Default)).collect() }
    }
}

impl Settings {
    /// Reads the settings from files (name and text; an earlier one goes before a later one) and from the
    /// environment, which goes before all files.
    pub fn resolve(
        files: &[(String, String)],
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Settings, SettingsError> {
        let mut settings = Settings::default();
        for (file, text) in files.iter().rev() {
            settings.apply_file(file, text)?;
        }
        for (setting, value) in SETTINGS.iter().zip(&mut settings.values) {
            let variable = setting.variable();
            if let Some(text) = environment(&variable).filter(|text| !text.trim().is_empty()) {
                *value = value_of(setting, &text, Source::Environment(variable))?;
            }
        }
        Ok(settings)
    }

    fn apply_file(&mut self, file: &str, text: &str) -> Result<(), SettingsError> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| SettingsError::Syntax {
            file: file.to_owned(),
            why: error.message().to_owned(),
        })?;
        for (section, entries) in &table {
            let unknown =
                |name: &str| SettingsError::Unknown { file: file.to_owned(), name: name.to_owned() };
            let entries = entries.as_table().ok_or_else(|| unknown(section))?;
            for (key, value) in entries {
                let name = format!("{section}.{key}");
                let idx =
                    SETTINGS.iter().position(|setting| setting.name == name).ok_or_else(|| unknown(&name))?;
                let text = match value {
                    toml::Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                self.values[idx] = value_of(&SETTINGS[idx], &text, Source::File(file.to_owned()))?;
            }
        }
        Ok(())
    }

    /// Sets a value for this call, as the flag of this name says it.
    pub fn set(&mut self, key: Key, flag: &'static str, text: &str) -> Result<(), SettingsError> {
        for (setting, value) in SETTINGS.iter().zip(&mut self.values) {
            if setting.key == key {
                *value = value_of(setting, text, Source::Flag(flag))?;
            }
        }
        Ok(())
    }

    /// A setting's value and where it comes from.
    pub fn get(&self, key: Key) -> (f64, &Source) {
        let idx = SETTINGS.iter().position(|setting| setting.key == key).unwrap_or_default();
        let (value, source) = &self.values[idx];
        (*value, source)
    }

    /// A setting that is a count.
    pub fn count(&self, key: Key) -> usize {
        self.get(key).0 as usize
    }
}

fn value_of(setting: &Setting, text: &str, source: Source) -> Result<(f64, Source), SettingsError> {
    match setting.parse(text) {
        Some(value) => Ok((value, source)),
        None => Err(SettingsError::Value { source, name: setting.name, expected: setting.expected() }),
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Default => f.write_str("default"),
            Source::File(file) => f.write_str(file),
            Source::Environment(variable) => write!(f, "environment variable {variable}"),
            Source::Flag(flag) => write!(f, "flag {flag}"),
        }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingsError::Syntax { file, why } => write!(f, "{file} is not TOML: {why}"),
            SettingsError::Unknown { file, name } => {
                write!(f, "{file} sets {name}, which is no setting; `conspect config` prints those there are")
            }
            SettingsError::Value { source, name, expected } => {
                write!(f, "{name} ({source}) must be {expected}")
            }
        }
    }
}

impl std::error::Error for SettingsError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[(&str, &str)], environment: &[(&str, &str)]) -> Result<(f64, String), String> {
        let files: Vec<(String, String)> =
            files.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        let variable = |name: &str| {
            environment.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
        };
        let settings = Settings::resolve(&files, &variable).map_err(|error| error.to_string())?;
        let (value, source) = settings.get(Key::ReadBatchMaxChars);
        Ok((value, source.to_string()))
    }

    /// R70.
    #[test]
    fn the_environment_goes_before_files_and_the_nearer_file_before_the_other() {
        let near = ("conspect.toml", "[read]\nbatch_max_chars = 10_000\n");
        let far = ("~/conspect.toml", "[read]\nbatch_max_chars = 5000\n");
        let variable = ("CONSPECT_READ_BATCH_MAX_CHARS", "1000");
        assert_eq!(check(&[], &[]), Ok((20_000.0, "default".into())));
        assert_eq!(check(&[far], &[]), Ok((5000.0, "~/conspect.toml".into())));
        assert_eq!(check(&[near, far], &[]), Ok((10_000.0, "conspect.toml".into())));
        let source = "environment variable CONSPECT_READ_BATCH_MAX_CHARS";
        assert_eq!(check(&[near, far], &[variable]), Ok((1000.0, source.into())));
    }

    #[test]
    fn a_setting_that_is_wrong_is_named() {
        let error = |text: &str| check(&[("conspect.toml", text)], &[]).expect_err("wrong");
        assert!(
            error("[read]\nbatch_max_char = 1\n")
                .starts_with("conspect.toml sets read.batch_max_char, which")
        );
        let expected = "read.batch_max_chars (conspect.toml) must be a whole number, at least 1";
        assert_eq!(error("[read]\nbatch_max_chars = 0\n"), expected);
        assert_eq!(error("[read]\nbatch_max_chars = 'x'\n"), expected);
        assert!(error("[read\n").starts_with("conspect.toml is not TOML"));
    }
}
