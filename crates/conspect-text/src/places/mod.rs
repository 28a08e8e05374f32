//! Where in the structure of its text a line stands: the keys around it in JSON, YAML and TOML, the time of the entry
//! that it continues in a log.
//!
//! Nothing here is a parser: broken text is daily input, and the beginning of a file of any size must be found out in
//! one pass. A walk goes over the text and keeps what is open. It is made only when the first place is asked for, and
//! leaves behind copies of itself, from the nearest of which every later question is answered.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, OnceLock};

use conspect_model::{DataKey, Format, TextLines};

use crate::SourceText;
use crate::source_text::{LineGoesOn, Position};

mod json;
mod keys;
mod log;
mod path;
mod toml;
mod yaml;

/// A text whose lines have places.
pub(crate) struct PlacedText<'a> {
    text: SourceText<'a>,
    structure: Structure,
    /// Copies of the walk, in order.
    known: OnceLock<Vec<Known>>,
    /// Places asked for before: a sampler weighs the same line many times.
    recent: Mutex<HashMap<Position, Option<String>>>,
    /// The first keys, once they were asked for: an outline asks several times.
    keys: OnceLock<Vec<DataKey>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Structure {
    Json,
    Yaml,
    Toml,
    Log,
}

/// What a walk over a text has open at a place of it.
#[derive(Clone)]
enum Walk {
    Json(json::Walk),
    Yaml(yaml::Walk),
    Toml(toml::Walk),
}

struct Known {
    at: Position,
    walk: Walk,
}

/// How far apart copies of the walk are in a small text.
const STRIDE_BYTES: usize = 4 << 10;

/// How many copies of the walk are held, and how much they hold together. In a larger text they are further apart.
const MAX_KNOWN: usize = 8 << 10;
const MAX_WEIGHT: usize = 8 << 20;

/// How many places are held that were asked for.
const MAX_RECENT: usize = 16 << 10;

/// The text with its places, where the format has any.
pub(crate) fn with_places<'a>(format: Format, text: SourceText<'a>) -> Box<dyn TextLines + 'a> {
    let structure = match format {
        Format::Json => Structure::Json,
        Format::Yaml => Structure::Yaml,
        Format::Toml => Structure::Toml,
        Format::Log => Structure::Log,
        _ => return Box::new(text),
    };
    Box::new(PlacedText {
        text,
        structure,
        known: OnceLock::new(),
        recent: Mutex::default(),
        keys: OnceLock::new(),
    })
}

impl PlacedText<'_> {
    fn find_place(&self, at: Position) -> Option<String> {
        let walk = match self.structure {
            Structure::Json => Walk::Json(json::Walk::default()),
            Structure::Yaml => Walk::Yaml(yaml::Walk::default()),
            Structure::Toml => Walk::Toml(toml::Walk::default()),
            Structure::Log => return log::place(&self.text, at.line_idx),
        };
        let known = self.known.get_or_init(|| walk_over(&self.text, walk.clone()));
        let n_before = known.partition_point(|known| known.at <= at);
        let (from, mut walk) = match n_before.checked_sub(1).and_then(|idx| known.get(idx)) {
            Some(known) => (known.at, known.walk.clone()),
            None => (Position::default(), walk),
        };
        let mut place = None;
        self.text.visit_pieces(from, &mut |piece_at, text, goes_on| {
            let is_here = piece_at.line_idx == at.line_idx
                && (goes_on == LineGoesOn::No || at.byte < piece_at.byte + text.len());
            if !is_here {
                walk.step(piece_at, text, goes_on);
                return ControlFlow::Continue(());
            }
            let n_before = text.floor_char_boundary(at.byte - piece_at.byte);
            let (before, after) = text.split_at(n_before);
            place =
                walk.clone().place(Position { byte: piece_at.byte + n_before, ..piece_at }, before, after);
            ControlFlow::Break(())
        });
        place
    }
}

/// Goes over the whole text once and keeps copies of the walk.
fn walk_over(text: &SourceText<'_>, mut walk: Walk) -> Vec<Known> {
    let mut known: Vec<Known> = Vec::new();
    let mut stride = STRIDE_BYTES;
    let mut weight = 0;
    let mut since_last = 0;
    text.visit_pieces(Position::default(), &mut |at, piece, goes_on| {
        let mut at = at;
        let mut rest = piece;
        while !rest.is_empty() || goes_on == LineGoesOn::No {
            if since_last >= stride && walk.can_begin_at(at) {
                weight += walk.weight();
                known.push(Known { at, walk: walk.clone() });
                since_last = 0;
                if known.len() > MAX_KNOWN || weight > MAX_WEIGHT {
                    let mut keep = false;
                    known.retain(|_| {
                        keep = !keep;
                        keep
                    });
                    weight = known.iter().map(|known| known.walk.weight()).sum();
                    stride *= 2;
                }
            }
            let (step, after) = rest.split_at(rest.floor_char_boundary(stride));
            let is_last = after.is_empty();
            walk.step(at, step, if is_last { goes_on } else { LineGoesOn::Yes });
            since_last += step.len() + 1;
            at.byte += step.len();
            rest = after;
            if is_last {
                break;
            }
        }
        ControlFlow::Continue(())
    });
    known
}

impl Walk {
    /// Goes over a piece of a line.
    fn step(&mut self, at: Position, piece: &str, goes_on: LineGoesOn) {
        match self {
            Walk::Json(walk) => walk.step(piece, goes_on),
            // These go line by line; what makes a line's structure stands at its beginning.
            Walk::Yaml(walk) if at.byte == 0 => walk.line(piece),
            Walk::Toml(walk) if at.byte == 0 => walk.line(piece),
            Walk::Yaml(_) | Walk::Toml(_) => {}
        }
    }

    /// The place between two parts of a piece, the walk standing at the beginning of the first.
    fn place(mut self, at: Position, before: &str, after: &str) -> Option<String> {
        self.step_to(at, before);
        match self {
            Walk::Json(walk) => walk.place(after),
            Walk::Yaml(walk) if at.byte == 0 => walk.place_of_line(after),
            Walk::Yaml(walk) => walk.place(),
            Walk::Toml(walk) if at.byte == 0 => walk.place_of_line(after),
            Walk::Toml(walk) => walk.place(),
        }
    }

    fn step_to(&mut self, at: Position, before: &str) {
        if !before.is_empty() {
            let begins_at = Position { byte: at.byte - before.len(), ..at };
            self.step(begins_at, before, LineGoesOn::Yes);
        }
    }

    /// Whether the walk can be taken up there.
    fn can_begin_at(&self, at: Position) -> bool {
        matches!(self, Walk::Json(_)) || at.byte == 0
    }

    /// About how many bytes it holds.
    fn weight(&self) -> usize {
        match self {
            Walk::Json(walk) => walk.weight(),
            Walk::Yaml(walk) => walk.weight(),
            Walk::Toml(walk) => walk.weight(),
        }
    }
}

impl TextLines for PlacedText<'_> {
    fn keys(&self) -> &[DataKey] {
        self.keys.get_or_init(|| match self.structure {
            Structure::Json => keys::of_json(&self.text),
            Structure::Yaml => keys::of_yaml(&self.text),
            Structure::Toml => keys::of_toml(&self.text),
            Structure::Log => Vec::new(),
        })
    }

    fn n_lines(&self) -> usize {
        self.text.n_lines()
    }

    fn n_chars(&self) -> usize {
        self.text.n_chars()
    }

    fn visit(&self, lines: Range<usize>, each: &mut dyn FnMut(usize, &str) -> ControlFlow<()>) {
        self.text.visit(lines, each);
    }

    fn line(&self, line_idx: usize) -> Cow<'_, str> {
        self.text.line(line_idx)
    }

    fn place(&self, line_idx: usize, byte: usize) -> Option<String> {
        let at = Position { line_idx, byte };
        if let Ok(recent) = self.recent.lock()
            && let Some(place) = recent.get(&at)
        {
            return place.clone();
        }
        let place = self.find_place(at);
        if let Ok(mut recent) = self.recent.lock() {
            if recent.len() >= MAX_RECENT {
                recent.clear();
            }
            recent.insert(at, place.clone());
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conspect_model::{Input, Limits};

    /// The place of every line, or of the text from a `^` on, which stands for no text of its own.
    fn check(format: Format, marked: &str, expected: &[&str]) {
        let caret = marked.find('^');
        let plain = marked.replace('^', "");
        let text = SourceText::decode(&Input::new(plain.as_bytes(), "x"), &Limits::default()).expect("text");
        let lines = with_places(format, text);
        let asked: Vec<(usize, usize)> = match caret {
            Some(at) => {
                let before = &plain[..at];
                let line_start = before.rfind('\n').map_or(0, |at| at + 1);
                vec![(before.matches('\n').count(), at - line_start)]
            }
            None => (0..lines.n_lines()).map(|line_idx| (line_idx, 0)).collect(),
        };
        let places: Vec<String> =
            asked.iter().map(|&(idx, byte)| lines.place(idx, byte).unwrap_or_default()).collect();
        assert_eq!(places, expected, "{marked}");
    }

    #[test]
    fn json_lines_stand_below_keys_and_indexes() {
        check(
            Format::Json,
            r#"{
  "services": {
    "web": {
      "ports": [
        80,
        { "odd key": [
          1
        ] }
      ]
    }
  }
}"#,
            &[
                "",
                "",
                "services",
                "services.web",
                "services.web.ports[0]",
                "services.web.ports[1]",
                "services.web.ports[1].\"odd key\"[0]",
                "services.web.ports[1].\"odd key\"",
                "services.web.ports",
                "services.web",
                "services",
                "",
            ],
        );
    }

    #[test]
    fn a_place_inside_one_line_of_json_has_its_path() {
        check(Format::Json, r#"{"a":[{"b":1},{"b":"x, [y^ {z"}]}"#, &["a[1].b"]);
        check(Format::Json, r#"{"a":[{"b":1}^,{"b":2}]}"#, &["a[1]"]);
        check(Format::Json, r#"{"a":[{"b":1},^{"b":2}]}"#, &["a[1]"]);
        check(Format::Json, r#"{"a":{"b":1^,"c":2}}"#, &["a"]);
        check(Format::Json, "{\"id\":1}\n{\"id\":2,\"t\":\"x^y\"}\n", &["t"]);
        check(Format::Json, "// why\n{ /* [ */ key: ['a', ^'b'] }", &["key[1]"]);
        check(Format::Json, r#"{"日本":["é", ^"x"]}"#, &["日本[1]"]);
    }

    #[test]
    fn what_comes_after_broken_json_has_no_place() {
        check(Format::Json, "{\n \"a\": [1}\n, {\"b\": [\n2]}]", &["", "", "", ""]);
        check(Format::Json, "{\"a\":1}\n]]]\n{\"b\":[1,^2]}\n", &["b[1]"]);
    }

    #[test]
    fn yaml_is_told_by_its_indentation() {
        check(
            Format::Yaml,
            "services:\n  web:\n    ports:\n    - 80\n    - name: x\n      value: |\n        a: b\n    env: {a: 1,\n                   b: 2}\n# note\n---\nnext:\n- a\n",
            &[
                "",
                "services",
                "services.web",
                "services.web.ports[0]",
                "services.web.ports[1]",
                "services.web.ports[1]",
                "services.web.ports[1].value",
                "services.web",
                "services.web.env",
                "services.web.env",
                "",
                "",
                "next[0]",
            ],
        );
    }

    #[test]
    fn toml_is_told_by_its_sections() {
        check(
            Format::Toml,
            "a = 1\n[server.\"x y\"]\nports = [\n  80,\n]\n[[job]]\nname = \"a\"\n[[job]]\ntext = \"\"\"\n[no]\n\"\"\"\nlast = 1\n",
            &[
                "",
                "",
                "server.\"x y\"",
                "server.\"x y\".ports",
                "server.\"x y\".ports",
                "job[0]",
                "job[0]",
                "job[1]",
                "job[1]",
                "job[1].text",
                "job[1].text",
                "job[1]",
            ],
        );
    }

    #[test]
    fn lines_of_a_log_that_continue_an_entry_stand_at_its_time() {
        check(
            Format::Log,
            "2026-11-30T10:02:11.5Z ERROR lost\n  at a.b\n  at c.d\n[2026-11-30 10:02:12] INFO found\n  more\n",
            &["", "2026-11-30T10:02:11.5Z", "2026-11-30T10:02:11.5Z", "", "2026-11-30 10:02:12"],
        );
    }

    #[test]
    fn places_far_into_a_text_are_found_from_what_was_seen_before() {
        let items: Vec<String> =
            (0..20_000).map(|idx| format!("{{\"n\":{idx},\"t\":\"{}\"}}", "x, [".repeat(9))).collect();
        let json = format!("{{\"items\":[{}]}}", items.join(","));
        let input = Input::new(json.as_bytes(), "x.json");
        let lines = with_places(Format::Json, SourceText::decode(&input, &Limits::default()).expect("text"));
        for idx in [19_999, 3, 12_345, 12_346] {
            let at = json.find(&format!("{{\"n\":{idx},")).expect("the item");
            assert_eq!(lines.place(0, at).as_deref(), Some(format!("items[{idx}]").as_str()));
        }
    }

    #[test]
    fn no_bytes_make_a_walk_fail() {
        let noise = "{[\"'\\:,]}#- |>\n \r\u{e9}\u{1f680}=[[x.y]]\"\"\"/*";
        let chars: Vec<char> = noise.chars().collect();
        for seed in 0..200_usize {
            let text: String =
                (0..300).map(|at| chars[(at * at * 31 + at * seed + seed) % chars.len()]).collect();
            let input = Input::new(text.as_bytes(), "x");
            for format in [Format::Json, Format::Yaml, Format::Toml, Format::Log] {
                let lines =
                    with_places(format, SourceText::decode(&input, &Limits::default()).expect("text"));
                for line_idx in 0..lines.n_lines() + 1 {
                    for byte in 0..8 {
                        assert!(lines.place(line_idx, byte).is_none_or(|place| place.chars().count() <= 80));
                    }
                }
            }
        }
    }
}
