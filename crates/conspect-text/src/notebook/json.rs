//! The JSON of a notebook, as much of it as is shown. What is read before a fault is kept.

use std::fmt;

use conspect_model::Limits;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

#[derive(Default)]
pub(super) struct Notebook {
    pub(super) cells: Vec<Cell>,
    pub(super) n_cells_left_out: usize,
    pub(super) language: Option<String>,
    pub(super) title: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Cell {
    #[serde(deserialize_with = "lenient_string")]
    pub(super) id: Option<String>,
    #[serde(deserialize_with = "text")]
    pub(super) cell_type: String,
    /// Version 3 calls the source of a code cell `input`.
    #[serde(alias = "input", deserialize_with = "text")]
    pub(super) source: String,
    #[serde(alias = "prompt_number", rename = "execution_count", deserialize_with = "number")]
    pub(super) run: Option<u64>,
    /// Version 3: the language of this cell.
    #[serde(deserialize_with = "lenient_string")]
    pub(super) language: Option<String>,
    /// Version 3: the level of a heading cell.
    #[serde(deserialize_with = "level")]
    pub(super) level: u64,
    #[serde(deserialize_with = "outputs")]
    pub(super) outputs: Vec<Output>,
    #[serde(deserialize_with = "attachments")]
    pub(super) attachments: Vec<(String, usize)>,
}

#[derive(Default)]
pub(super) struct Output {
    /// What a stream printed.
    pub(super) text: String,
    /// The forms of a result, by their type.
    pub(super) data: Vec<(String, Shown)>,
    pub(super) error: Option<String>,
    pub(super) traceback: String,
}

impl Output {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.data.is_empty() && self.error.is_none() && self.traceback.is_empty()
    }
}

pub(super) enum Shown {
    Text(String),
    Picture { n_bytes: usize },
    Other,
}

impl Notebook {
    /// Reads what can be read; after an error, `self` has what stands before it.
    pub(super) fn read(&mut self, text: &str, limits: &Limits) -> Result<(), serde_json::Error> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        NotebookSeed { notebook: self, max_cells: limits.max_entries }.deserialize(&mut deserializer)?;
        deserializer.end()
    }
}

struct NotebookSeed<'n> {
    notebook: &'n mut Notebook,
    max_cells: usize,
}

impl<'de> DeserializeSeed<'de> for NotebookSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NotebookSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a notebook")
    }

    /// Version 3 has its cells in worksheets, each an object like the notebook itself.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_cells = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "cells" => {
                    map.next_value_seed(CellsSeed {
                        notebook: &mut *self.notebook,
                        max_cells: self.max_cells,
                    })?;
                    has_cells = true;
                }
                "worksheets" => {
                    map.next_value_seed(WorksheetsSeed {
                        notebook: &mut *self.notebook,
                        max_cells: self.max_cells,
                    })?;
                    has_cells = true;
                }
                "metadata" => {
                    let metadata: Metadata = map.next_value()?;
                    self.notebook.language = metadata
                        .language_info
                        .name
                        .or(metadata.kernelspec.language)
                        .or(self.notebook.language.take());
                    self.notebook.title = metadata.title.or(self.notebook.title.take());
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if has_cells { Ok(()) } else { Err(A::Error::custom("it has no cells")) }
    }
}

struct WorksheetsSeed<'n> {
    notebook: &'n mut Notebook,
    max_cells: usize,
}

impl<'de> DeserializeSeed<'de> for WorksheetsSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for WorksheetsSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("worksheets")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut worksheets: A) -> Result<(), A::Error> {
        let max_cells = self.max_cells;
        while worksheets
            .next_element_seed(NotebookSeed { notebook: &mut *self.notebook, max_cells })?
            .is_some()
        {}
        Ok(())
    }
}

struct CellsSeed<'n> {
    notebook: &'n mut Notebook,
    max_cells: usize,
}

impl<'de> DeserializeSeed<'de> for CellsSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for CellsSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of cells")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut cells: A) -> Result<(), A::Error> {
        while self.notebook.cells.len() < self.max_cells {
            match cells.next_element::<Cell>()? {
                Some(cell) => self.notebook.cells.push(cell),
                None => return Ok(()),
            }
        }
        while cells.next_element::<IgnoredAny>()?.is_some() {
            self.notebook.n_cells_left_out += 1;
        }
        Ok(())
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    language_info: LanguageInfo,
    kernelspec: Kernelspec,
    #[serde(deserialize_with = "lenient_string")]
    title: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct LanguageInfo {
    #[serde(deserialize_with = "lenient_string")]
    name: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Kernelspec {
    #[serde(deserialize_with = "lenient_string")]
    language: Option<String>,
}

/// Text as notebooks write it: one string, or a list of strings that follow one another. Anything else is no text.
#[derive(Default)]
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
        Ok(Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Text, A::Error> {
        let mut text = String::new();
        while let Some(Text(part)) = parts.next_element()? {
            text.push_str(&part);
        }
        Ok(Text(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Text::default())
    }

    fn visit_unit<E: Error>(self) -> Result<Text, E> {
        Ok(Text::default())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Text, E> {
        Ok(Text::default())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Text, E> {
        Ok(Text(number.to_string()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Text, E> {
        Ok(Text(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Text, E> {
        Ok(Text(number.to_string()))
    }
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Text::deserialize(deserializer).map(|text| text.0)
}

fn lenient_string<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    text(deserializer).map(|text| Some(text).filter(|text| !text.is_empty()))
}

fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    text(deserializer).map(|text| text.parse().ok())
}

fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    number(deserializer).map(|level| level.unwrap_or(1))
}

fn outputs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Output>, D::Error> {
    struct Outputs;
    impl<'de> Visitor<'de> for Outputs {
        type Value = Vec<Output>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of outputs")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut outputs = Vec::new();
            while let Some(output) = list.next_element::<Output>()? {
                // One that says nothing would take a hundred times its bytes.
                if !output.is_empty() {
                    outputs.push(output);
                }
            }
            Ok(outputs)
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }
    }
    deserializer.deserialize_any(Outputs)
}

/// The pictures that a Markdown cell carries with it: `{"image.png": {"image/png": "…"}}`.
fn attachments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, usize)>, D::Error> {
    struct Attachments;
    impl<'de> Visitor<'de> for Attachments {
        type Value = Vec<(String, usize)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("attachments")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pictures = Vec::new();
            while let Some((name, Forms(forms))) = map.next_entry::<String, Forms>()? {
                pictures.extend(forms.into_iter().filter_map(|(mime, shown)| match shown {
                    Shown::Picture { n_bytes } => Some((format!("{name}: {mime}"), n_bytes)),
                    _ => None,
                }));
            }
            Ok(pictures)
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }
    }
    deserializer.deserialize_any(Attachments)
}

impl<'de> Deserialize<'de> for Output {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Output, D::Error> {
        deserializer.deserialize_map(OutputVisitor)
    }
}

struct OutputVisitor;

impl<'de> Visitor<'de> for OutputVisitor {
    type Value = Output;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an output")
    }

    /// Version 4 has the forms of a result in `data`; version 3 has them beside the other keys, under short names.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Output, A::Error> {
        let mut output = Output::default();
        let (mut name, mut value) = (String::new(), String::new());
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "text" => output.text = map.next_value::<Text>()?.0,
                "data" => {
                    output.data = map.next_value::<Option<Forms>>()?.map(|forms| forms.0).unwrap_or_default()
                }
                "ename" => name = map.next_value::<Text>()?.0,
                "evalue" => value = map.next_value::<Text>()?.0,
                "traceback" => output.traceback = map.next_value::<Lines>()?.0,
                "html" => {
                    output.data.push(("text/html".to_owned(), Shown::Text(map.next_value::<Text>()?.0)))
                }
                "latex" => {
                    output.data.push(("text/latex".to_owned(), Shown::Text(map.next_value::<Text>()?.0)))
                }
                "png" | "jpeg" | "svg" => {
                    let n_bytes = map.next_value::<EncodedSize>()?.0;
                    output.data.push((format!("image/{key}"), Shown::Picture { n_bytes }));
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if !name.is_empty() || !value.is_empty() {
            output.error = Some(format!("{name}: {value}"));
        }
        // In version 3 `text` is also the plain form of a result.
        if !output.text.is_empty() {
            output.data.retain(|(_, shown)| !matches!(shown, Shown::Text(_)));
        }
        Ok(output)
    }
}

/// A traceback: a list of strings, each of one or more lines without the last line feed.
#[derive(Default)]
struct Lines(String);

impl<'de> Deserialize<'de> for Lines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lines, D::Error> {
        let lines = Option::<Vec<Text>>::deserialize(deserializer)?.unwrap_or_default();
        Ok(Lines(lines.into_iter().map(|line| line.0).collect::<Vec<_>>().join("\n")))
    }
}

/// The forms of a result, by their type.
struct Forms(Vec<(String, Shown)>);

impl<'de> Deserialize<'de> for Forms {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Forms, D::Error> {
        deserializer.deserialize_map(FormsVisitor)
    }
}

struct FormsVisitor;

impl<'de> Visitor<'de> for FormsVisitor {
    type Value = Forms;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the forms of a result")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Forms, A::Error> {
        let mut forms = Vec::new();
        while let Some(mime) = map.next_key::<String>()? {
            let shown = match mime.as_str() {
                image if image.starts_with("image/") => {
                    Shown::Picture { n_bytes: map.next_value::<EncodedSize>()?.0 }
                }
                text if text.starts_with("text/") => Shown::Text(map.next_value::<Text>()?.0),
                "application/json" => Shown::Text(map.next_value::<serde_json::Value>()?.to_string()),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    Shown::Other
                }
            };
            forms.push((mime, shown));
        }
        Ok(Forms(forms))
    }
}

/// How many bytes some base64 stands for; the text itself is not kept. Drawings are stored as they are.
#[derive(Default)]
struct EncodedSize(usize);

impl<'de> Deserialize<'de> for EncodedSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EncodedSize, D::Error> {
        let Text(encoded) = Text::deserialize(deserializer)?;
        if encoded.trim_start().starts_with('<') {
            return Ok(EncodedSize(encoded.len()));
        }
        let n_digits = encoded.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=').count();
        Ok(EncodedSize(n_digits * 3 / 4))
    }
}
