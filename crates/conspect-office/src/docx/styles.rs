use std::collections::HashMap;

use crate::package::{Element, Namespace, Token, Xml};

/// Styles that lean on one another in a ring, or in a chain longer than any template has, end here.
const MAX_INHERITANCE: usize = 40;

/// The styles of a document, with what they inherit worked out.
#[derive(Default)]
pub(crate) struct Styles {
    by_id: HashMap<String, Style>,
    default: Style,
}

/// What a style means for reading, inheritance applied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Style {
    /// The level of the heading that its paragraphs are.
    pub(crate) heading: Option<u8>,
    /// The list its paragraphs belong to.
    pub(crate) numbering: Option<StyleNumbering>,
    /// Whether its paragraphs are quotations.
    pub(crate) is_quote: bool,
    /// Whether its paragraphs are code.
    pub(crate) is_code: bool,
    /// Whether a table of this style sets its first row apart.
    pub(crate) has_first_row: bool,
    /// How its text looks.
    pub(crate) look: Look,
}

/// The list that a style puts its paragraphs into.
#[derive(Clone, Debug)]
pub(crate) struct StyleNumbering {
    pub(crate) list: i64,
    pub(crate) level: Option<u8>,
    /// The style that says so: a list's levels name the styles they belong to.
    pub(crate) style: String,
}

/// Character formatting, as far as it means something. `None` leaves it as it was.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) strike: Option<bool>,
    pub(crate) hidden: Option<bool>,
    pub(crate) raised: Option<Raised>,
}

/// Above or below the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Raised {
    Baseline,
    Superscript,
    Subscript,
}

impl Look {
    /// This look, where `over` says nothing else.
    pub(crate) fn with(self, over: Look) -> Look {
        Look {
            bold: over.bold.or(self.bold),
            italic: over.italic.or(self.italic),
            strike: over.strike.or(self.strike),
            hidden: over.hidden.or(self.hidden),
            raised: over.raised.or(self.raised),
        }
    }

    /// Takes over one run property.
    pub(crate) fn read(&mut self, property: &Element<'_>) {
        match property.name() {
            "b" => self.bold = Some(property.is_on()),
            "i" => self.italic = Some(property.is_on()),
            "strike" | "dstrike" => self.strike = Some(property.is_on()),
            "vanish" => self.hidden = Some(property.is_on()),
            "vertAlign" => {
                self.raised = match property.val().as_deref() {
                    Some("superscript") => Some(Raised::Superscript),
                    Some("subscript") => Some(Raised::Subscript),
                    _ => Some(Raised::Baseline),
                }
            }
            _ => {}
        }
    }
}

/// A style as the file has it.
#[derive(Default)]
struct RawStyle {
    name: String,
    based_on: Option<String>,
    outline_level: Option<u8>,
    list: Option<i64>,
    list_level: Option<u8>,
    has_first_row: bool,
    look: Look,
}

impl Styles {
    /// Reads `styles.xml`.
    pub(crate) fn read(text: &str, max_depth: usize) -> Styles {
        let (raw, default_id) = read_raw(text, max_depth);
        let mut styles = Styles::default();
        for id in raw.keys() {
            styles.by_id.insert(id.clone(), inherit(&raw, id));
        }
        if let Some(style) = default_id.and_then(|id| styles.by_id.get(&id)) {
            // A default style that is a heading would make the whole document one.
            styles.default = Style { heading: None, ..style.clone() };
        }
        styles
    }

    /// The style with this identifier, or the default of paragraphs.
    pub(crate) fn get(&self, id: Option<&str>) -> &Style {
        id.and_then(|id| self.by_id.get(id)).unwrap_or(&self.default)
    }

    /// The look that a character style gives.
    pub(crate) fn look(&self, id: &str) -> Look {
        self.by_id.get(id).map(|style| style.look).unwrap_or_default()
    }
}

fn read_raw(text: &str, max_depth: usize) -> (HashMap<String, RawStyle>, Option<String>) {
    let mut styles = HashMap::new();
    let mut default_id = None;
    let mut open: Option<(String, RawStyle)> = None;
    let mut xml = Xml::new(text, max_depth);
    loop {
        match xml.next() {
            Token::Open(element) => {
                let (Namespace::Word, name) = element.key() else { continue };
                if name == "style" {
                    let id = element.attribute("styleId").unwrap_or_default().into_owned();
                    let is_default =
                        matches!(element.attribute("default").as_deref(), Some("1" | "true" | "on"));
                    if is_default && matches!(element.attribute("type").as_deref(), None | Some("paragraph"))
                    {
                        default_id = Some(id.clone());
                    }
                    open = Some((id, RawStyle::default()));
                    continue;
                }
                let Some((_, style)) = &mut open else { continue };
                match name {
                    "name" => style.name = element.val().unwrap_or_default().to_lowercase(),
                    "basedOn" => style.based_on = element.val().map(|id| id.into_owned()),
                    "outlineLvl" => style.outline_level = element.number("val"),
                    "numId" => style.list = element.number("val"),
                    "ilvl" => style.list_level = element.number("val"),
                    "tblStylePr" => {
                        style.has_first_row |= element.attribute("type").as_deref() == Some("firstRow");
                        xml.skip();
                    }
                    "pPrChange" | "rPrChange" => xml.skip(),
                    _ => style.look.read(&element),
                }
            }
            Token::Close(closed) if closed.key() == (Namespace::Word, "style") => styles.extend(open.take()),
            Token::Close(_) | Token::Text(_) => {}
            Token::End => return (styles, default_id),
        }
    }
}

fn inherit(raw: &HashMap<String, RawStyle>, id: &str) -> Style {
    let mut style = Style::default();
    let mut heading_known = false;
    let mut next = Some(id);
    for _ in 0..MAX_INHERITANCE {
        let Some((id, this)) = next.and_then(|id| raw.get_key_value(id)) else { break };
        if !heading_known {
            if let Some(level) = this.outline_level {
                heading_known = true;
                style.heading = (level < 9).then_some(level + 1);
            } else if let Some(level) = heading_of_name(&this.name) {
                heading_known = true;
                style.heading = Some(level);
            }
        }
        if style.numbering.is_none()
            && let Some(list) = this.list
        {
            style.numbering = Some(StyleNumbering { list, level: this.list_level, style: id.clone() });
        }
        style.is_quote |= matches!(this.name.as_str(), "quote" | "intense quote");
        style.is_code |=
            matches!(this.name.as_str(), "html preformatted" | "source code" | "code" | "plain text code");
        style.has_first_row |= this.has_first_row;
        style.look = this.look.with(style.look);
        next = this.based_on.as_deref();
    }
    style
}

/// The level that a style's name stands for: Word's own names (kept in English inside files of every language), and
/// those that other programs translate.
fn heading_of_name(name: &str) -> Option<u8> {
    const NAMES: &[&str] = &[
        "heading",
        "überschrift",
        "titre",
        "titolo",
        "título",
        "заголовок",
        "标题",
        "見出し",
        "제목",
        "nagłówek",
        "rubrik",
        "overskrift",
        "kop",
        "otsikko",
        "nadpis",
        "címsor",
        "başlık",
        "tytuł",
        "encabezado",
        "cabeçalho",
    ];
    if matches!(name, "title" | "titel") {
        return Some(1);
    }
    let rest = NAMES.iter().find_map(|prefix| name.strip_prefix(prefix))?;
    rest.trim().parse().ok().filter(|level| (1..=9).contains(level))
}
