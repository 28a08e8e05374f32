use std::collections::{HashMap, HashSet};

use crate::docx::number_words::in_format;
use crate::docx::styles::{Style, Styles};
use crate::docx::symbols::bullet;
use crate::package::{Namespace, Token, Xml};

const N_LEVELS: usize = 9;

/// The lists of a document, and where their counting stands.
#[derive(Default)]
pub(crate) struct Numbering {
    definitions: HashMap<i64, Definition>,
    lists: HashMap<i64, List>,
    counters: HashMap<i64, [Option<i64>; N_LEVELS]>,
    started: HashSet<(i64, u8)>,
}

/// A number or bullet as shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// 0 is the outermost level.
    pub(crate) depth: u8,
    pub(crate) text: String,
    pub(crate) is_bullet: bool,
}

/// `w:abstractNum`: the levels that lists share.
#[derive(Clone, Default)]
struct Definition {
    levels: [Option<Level>; N_LEVELS],
    /// The numbering style that it takes its levels from.
    taken_from: Option<String>,
    /// The numbering style that it defines.
    defines: Option<String>,
}

/// `w:num`: one list.
#[derive(Default)]
struct List {
    definition: i64,
    start_overrides: [Option<i64>; N_LEVELS],
    level_overrides: [Option<Level>; N_LEVELS],
}

#[derive(Clone, Default)]
struct Level {
    start: i64,
    format: String,
    /// With `%1` to `%9` for the numbers of the levels.
    text: String,
    /// The level, from 1, whose step restarts this one; 0 is none.
    restart: Option<u8>,
    style: Option<String>,
    /// All numbers in the text are shown as 1, 2, 3.
    is_legal: bool,
}

impl Numbering {
    /// Reads `numbering.xml`.
    pub(crate) fn read(text: &str, max_depth: usize, styles: &Styles) -> Numbering {
        let mut numbering = Numbering::default();
        numbering.read_parts(text, max_depth);
        numbering.follow_style_links(styles);
        numbering
    }

    /// The list and level of a paragraph: its own, else by its style. List 0 takes a paragraph out of every list.
    pub(crate) fn place(&self, list: Option<i64>, level: Option<u8>, style: &Style) -> Option<(i64, u8)> {
        match (list, &style.numbering) {
            (Some(list), _) => (list > 0).then_some((list, level.unwrap_or(0))),
            (None, Some(by_style)) if by_style.list > 0 => {
                let named = self.level_named(by_style.list, &by_style.style);
                Some((by_style.list, level.or(by_style.level).or(named).unwrap_or(0)))
            }
            _ => None,
        }
    }

    /// Counts one paragraph of the list, and gives its number as shown.
    pub(crate) fn step(&mut self, list_id: i64, level: u8) -> Option<Label> {
        let level_idx = usize::from(level).min(N_LEVELS - 1);
        let list = self.lists.get(&list_id)?;
        let definition = self.definitions.get(&list.definition)?;
        let levels: [Option<&Level>; N_LEVELS] =
            std::array::from_fn(|idx| list.level_overrides[idx].as_ref().or(definition.levels[idx].as_ref()));
        let this = levels[level_idx]?;
        let counters = self.counters.entry(list.definition).or_default();
        for (idx, start) in list.start_overrides.iter().enumerate() {
            if let Some(start) = start
                && self.started.insert((list_id, idx as u8))
            {
                counters[idx] = Some(start.saturating_sub(1));
            }
        }
        for idx in 0..level_idx {
            counters[idx].get_or_insert(levels[idx].map_or(1, |level| level.start));
        }
        counters[level_idx] = Some(counters[level_idx].map_or(this.start, |number| number.saturating_add(1)));
        for idx in level_idx + 1..N_LEVELS {
            match levels[idx].and_then(|level| level.restart) {
                Some(0) => {}
                Some(restart) if level_idx + 1 > usize::from(restart) => {}
                _ => counters[idx] = None,
            }
        }
        let depth = level_idx as u8;
        if this.format == "bullet" {
            return Some(Label { depth, text: bullet(&this.text).to_owned(), is_bullet: true });
        }
        let text = spell(this, &levels, counters);
        (!text.trim().is_empty()).then(|| Label { depth, text: text.trim().to_owned(), is_bullet: false })
    }

    fn level_named(&self, list: i64, style: &str) -> Option<u8> {
        let definition = self.definitions.get(&self.lists.get(&list)?.definition)?;
        let named =
            |level: &Option<Level>| level.as_ref().is_some_and(|level| level.style.as_deref() == Some(style));
        definition.levels.iter().position(named).map(|idx| idx as u8)
    }

    fn read_parts(&mut self, text: &str, max_depth: usize) {
        let mut definition: Option<i64> = None;
        let mut list: Option<i64> = None;
        let mut override_idx: Option<usize> = None;
        let mut level: Option<(usize, Level)> = None;
        let mut xml = Xml::new(text, max_depth);
        loop {
            let element = match xml.next() {
                Token::Open(element) => element,
                Token::Close(closed) => {
                    match closed.key() {
                        (Namespace::Word, "abstractNum") => definition = None,
                        (Namespace::Word, "num") => list = None,
                        (Namespace::Word, "lvlOverride") => override_idx = None,
                        (Namespace::Word, "lvl") => {
                            let Some((idx, level)) = level.take() else { continue };
                            if let Some(id) = definition {
                                self.definitions.entry(id).or_default().levels[idx] = Some(level);
                            } else if let Some(id) = list {
                                self.lists.entry(id).or_default().level_overrides[idx] = Some(level);
                            }
                        }
                        _ => {}
                    }
                    continue;
                }
                Token::Text(_) => continue,
                Token::End => return,
            };
            let value = || element.val().map(|value| value.into_owned());
            match element.key() {
                (Namespace::Compatibility, "Fallback") => xml.skip(),
                (Namespace::Word, "abstractNum") => {
                    definition = element.number("abstractNumId");
                    if let Some(id) = definition {
                        self.definitions.entry(id).or_default();
                    }
                }
                (Namespace::Word, "numStyleLink") => {
                    if let Some(id) = definition {
                        self.definitions.entry(id).or_default().taken_from = value();
                    }
                }
                (Namespace::Word, "styleLink") => {
                    if let Some(id) = definition {
                        self.definitions.entry(id).or_default().defines = value();
                    }
                }
                (Namespace::Word, "num") => list = element.number("numId"),
                (Namespace::Word, "abstractNumId") => {
                    if let (Some(id), Some(definition)) = (list, element.number("val")) {
                        self.lists.entry(id).or_default().definition = definition;
                    }
                }
                (Namespace::Word, "lvlOverride") => {
                    override_idx = element.number("ilvl").filter(|&idx: &usize| idx < N_LEVELS);
                }
                (Namespace::Word, "startOverride") => {
                    if let (Some(id), Some(idx)) = (list, override_idx) {
                        self.lists.entry(id).or_default().start_overrides[idx] = element.number("val");
                    }
                }
                (Namespace::Word, "lvl") => {
                    let idx = element.number("ilvl").unwrap_or(0usize).min(N_LEVELS - 1);
                    level = Some((idx, Level { format: "decimal".to_owned(), ..Level::default() }));
                }
                (Namespace::Word, name) => {
                    let Some((_, level)) = &mut level else { continue };
                    match name {
                        "start" => level.start = element.number("val").unwrap_or(1),
                        "numFmt" => level.format = value().unwrap_or_default(),
                        "lvlText" => level.text = value().unwrap_or_default(),
                        "isLgl" => level.is_legal = element.is_on(),
                        "lvlRestart" => level.restart = element.number("val"),
                        "pStyle" => level.style = value(),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
    }

    /// Fills definitions that only name a numbering style with the levels of the one that defines it.
    fn follow_style_links(&mut self, styles: &Styles) {
        let mut filled = Vec::new();
        for (id, definition) in &self.definitions {
            let Some(style) = &definition.taken_from else { continue };
            if definition.levels.iter().any(Option::is_some) {
                continue;
            }
            let defining = self.definitions.iter().find(|(_, other)| other.defines.as_ref() == Some(style));
            let by_list = || {
                let list = styles.get(Some(style)).numbering.as_ref()?.list;
                self.definitions.get(&self.lists.get(&list)?.definition)
            };
            if let Some(other) = defining.map(|(_, other)| other).or_else(by_list) {
                filled.push((*id, other.levels.clone()));
            }
        }
        for (id, levels) in filled {
            self.definitions.entry(id).or_default().levels = levels;
        }
    }
}

fn spell(this: &Level, levels: &[Option<&Level>; N_LEVELS], counters: &[Option<i64>; N_LEVELS]) -> String {
    let mut text = String::new();
    let mut characters = this.text.chars().peekable();
    while let Some(character) = characters.next() {
        let digit =
            if character == '%' { characters.peek().and_then(|next| next.to_digit(10)) } else { None };
        let Some(digit) = digit else {
            text.push(character);
            continue;
        };
        characters.next();
        let Some(idx) = (digit as usize).checked_sub(1) else { continue };
        let number = counters[idx].unwrap_or(1);
        match levels[idx] {
            _ if this.is_legal => text.push_str(&number.to_string()),
            Some(level) => text.push_str(&in_format(number, &level.format)),
            None => text.push_str(&number.to_string()),
        }
    }
    text
}
