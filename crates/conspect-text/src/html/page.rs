use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use conspect_model::{Block, BlockKind, LineRange, MarkKind, Metadata, Notice, NoticeKind, Origin};
use html5gum::{HtmlString, Spanned};

use super::grid::Grid;
use super::inline::{Inline, Taken};

/// A page that is being laid out: what was read so far, and where in the page we are.
pub(super) struct Page {
    pub(super) blocks: Vec<Block>,
    pub(super) notices: Vec<Notice>,
    pub(super) metadata: Metadata,
    inline: Inline,
    heading: Option<u8>,
    lists: Vec<List>,
    /// The label of a list item that has no text yet.
    item: Option<String>,
    n_quotes: usize,
    pre: Option<Pre>,
    grid: Option<Grid>,
    /// The element whose content is left out, and how many of its name are open.
    skipped: Option<(String, usize)>,
    in_title: bool,
    title_line_idx: usize,
    has_left_out: bool,
    n_links_in_cells: usize,
}

struct List {
    is_ordered: bool,
    next: i64,
}

struct Pre {
    language: Option<String>,
}

/// The attributes of a tag.
pub(super) struct Attributes<'t>(&'t BTreeMap<HtmlString, Spanned<HtmlString, usize>>);

impl<'t> Attributes<'t> {
    pub(super) fn new(attributes: &'t BTreeMap<HtmlString, Spanned<HtmlString, usize>>) -> Attributes<'t> {
        Attributes(attributes)
    }

    fn get(&self, name: &str) -> Option<Cow<'t, str>> {
        self.0.get(name.as_bytes()).map(|value| String::from_utf8_lossy(&value.value.0))
    }
}

/// Content that is no text of the page, or shown only by browsers without scripts.
const SKIPPED: &[&str] =
    &["script", "style", "template", "noscript", "svg", "iframe", "noembed", "noframes", "object"];

/// Elements that stand on lines of their own.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "pre",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
];

/// Elements that end a drawing that was never closed.
const BREAKS_OUT: &[&str] =
    &["body", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre", "table", "td", "ul"];

impl Page {
    pub(super) fn new() -> Page {
        Page {
            blocks: Vec::new(),
            notices: Vec::new(),
            metadata: Metadata::default(),
            inline: Inline::default(),
            heading: None,
            lists: Vec::new(),
            item: None,
            n_quotes: 0,
            pre: None,
            grid: None,
            skipped: None,
            in_title: false,
            title_line_idx: 0,
            has_left_out: false,
            n_links_in_cells: 0,
        }
    }

    pub(super) fn start_tag(
        &mut self,
        name: &str,
        attributes: &Attributes<'_>,
        self_closing: bool,
        line_idx: usize,
    ) {
        if let Some((skipped, n_open)) = &mut self.skipped {
            if name == skipped && !self_closing {
                *n_open += 1;
            }
            if skipped != "svg" || !BREAKS_OUT.contains(&name) {
                return;
            }
            self.skipped = None;
        }
        if SKIPPED.contains(&name) {
            // Only drawings may close themselves.
            if !(self_closing && name == "svg") {
                self.skipped = Some((name.to_owned(), 1));
            }
            return;
        }
        let heading = heading_level(name);
        if heading.is_some() && self.grid.as_ref().is_some_and(|grid| grid.n_complete_rows() < 2) {
            self.dissolve_grid();
        }
        if heading.is_some() || BLOCKS.contains(&name) {
            self.end_block();
        }
        if heading.is_some() {
            self.heading = heading;
            return;
        }
        match name {
            "title" => {
                self.in_title = self.metadata.title.is_none();
                self.title_line_idx = line_idx;
            }
            "html" => {
                self.metadata.language =
                    attributes.get("lang").map(Cow::into_owned).filter(|lang| !lang.is_empty())
            }
            "meta" => self.meta(attributes),
            "ul" | "ol" | "menu" | "dir" => {
                let next = attributes.get("start").and_then(|start| start.trim().parse().ok()).unwrap_or(1);
                self.lists.push(List { is_ordered: name == "ol", next });
                self.item = None;
            }
            "li" => self.item = Some(self.label(attributes.get("value").as_deref())),
            "blockquote" => self.n_quotes += 1,
            "pre" => self.pre = Some(Pre { language: language(attributes) }),
            "code" if self.pre.is_some() => {
                if let (Some(pre @ Pre { language: None }), true) = (&mut self.pre, self.inline.is_empty()) {
                    pre.language = language(attributes);
                }
            }
            "br" => self.inline.break_line(),
            "img" => {
                let alt = attributes.get("alt").unwrap_or_default();
                self.picture(alt.trim(), line_idx);
            }
            "table" => {
                self.dissolve_grid();
                self.grid = Some(Grid::default());
            }
            "a" => {
                self.inline.close_mark("a");
                let target =
                    attributes.get("href").map(|target| target.trim().to_owned()).unwrap_or_default();
                let leads_away =
                    !target.is_empty() && !target.starts_with('#') && !target.starts_with("javascript:");
                if leads_away && self.grid.is_none() && self.pre.is_none() {
                    self.inline.open_mark("a", MarkKind::Link(target));
                } else if leads_away {
                    self.n_links_in_cells += usize::from(self.grid.is_some());
                }
            }
            _ => {
                if let Some(kind) = mark_kind(name) {
                    self.inline.open_mark(name, kind);
                }
            }
        }
        if let Some(grid) = &mut self.grid {
            match name {
                "thead" => {
                    grid.close_row();
                    grid.in_head = true;
                }
                "tbody" | "tfoot" => {
                    grid.close_row();
                    grid.in_head = false;
                }
                "tr" => grid.open_row(),
                "td" | "th" => {
                    let span = |name| attributes.get(name);
                    grid.open_cell(name == "th", span("colspan").as_deref(), span("rowspan").as_deref());
                }
                _ => {}
            }
        }
    }

    pub(super) fn end_tag(&mut self, name: &str) {
        if let Some((skipped, n_open)) = &mut self.skipped {
            if name == skipped {
                *n_open -= 1;
                if *n_open == 0 {
                    self.skipped = None;
                }
            }
            return;
        }
        if heading_level(name).is_some() {
            self.end_block();
            self.heading = None;
            return;
        }
        if name == "pre" && self.pre.is_some() {
            self.end_pre();
            return;
        }
        if BLOCKS.contains(&name) {
            self.end_block();
        }
        match name {
            "title" => self.in_title = false,
            "ul" | "ol" | "menu" | "dir" => {
                self.lists.pop();
                self.item = None;
            }
            "li" => self.item = None,
            "blockquote" => self.n_quotes = self.n_quotes.saturating_sub(1),
            "table" => self.end_grid(),
            "tr" => {
                if let Some(grid) = &mut self.grid {
                    grid.close_row();
                }
            }
            "td" | "th" => {
                if let Some(grid) = &mut self.grid {
                    grid.close_cell();
                }
            }
            "thead" => {
                if let Some(grid) = &mut self.grid {
                    grid.close_row();
                    grid.in_head = false;
                }
            }
            _ => self.inline.close_mark(name),
        }
    }

    pub(super) fn text(&mut self, text: &str, lines: Range<usize>) {
        if let Some((skipped, _)) = &self.skipped {
            let is_text = matches!(skipped.as_str(), "template" | "noscript" | "svg" | "noframes" | "object");
            self.has_left_out |= is_text && !text.trim().is_empty();
        } else if self.in_title {
            let title = text.split_whitespace().collect::<Vec<_>>().join(" ");
            self.metadata.title = Some(title).filter(|title| !title.is_empty());
        } else if self.pre.is_some() {
            // A line break right after the tag is not part of the text.
            let text = if self.inline.is_empty() { text.strip_prefix('\n').unwrap_or(text) } else { text };
            self.inline.push_exact(text, lines);
        } else {
            self.inline.push(text, lines);
        }
    }

    /// Rows and cells of the table that is being read.
    pub(super) fn n_open_cells(&self) -> usize {
        self.grid.as_ref().map_or(0, Grid::n_cells)
    }

    /// The page ends inside a comment or a tag, which takes the rest of the text with it.
    pub(super) fn never_closed(&mut self, what: &str, line_idx: usize) {
        let message = format!("a {what} is never closed; what follows its beginning is left out");
        let origin = Origin::Lines(LineRange::from_idx(line_idx..line_idx + 1));
        self.notices.push(Notice::new(NoticeKind::Damaged, message, origin));
    }

    pub(super) fn end(&mut self) {
        if let Some((skipped, _)) = self.skipped.take() {
            let message = format!("a <{skipped}> is never closed; what follows it is left out");
            self.notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
        }
        self.end_pre();
        self.end_grid();
        self.put_title();
        if self.has_left_out {
            let message = "text of drawings, templates and elements for browsers without scripts is left out";
            self.notices.push(Notice::new(NoticeKind::LeftOut, message, Origin::File));
        }
        if self.n_links_in_cells > 0 {
            let message = format!("the targets of {} links in tables are left out", self.n_links_in_cells);
            self.notices.push(Notice::new(NoticeKind::LeftOut, message, Origin::File));
        }
    }

    /// The title is the first heading, unless the page has one that says the same.
    fn put_title(&mut self) {
        let Some(title) = &self.metadata.title else { return };
        let is_title =
            |block: &Block| matches!(block.kind, BlockKind::Heading { .. }) && block.text == *title;
        if !self.blocks.iter().any(is_title) {
            let origin = Origin::Lines(LineRange::from_idx(self.title_line_idx..self.title_line_idx + 1));
            self.blocks.insert(0, Block::new(BlockKind::Heading { level: 1 }, title.clone(), origin));
        }
    }

    fn meta(&mut self, attributes: &Attributes<'_>) {
        let (Some(name), Some(content)) =
            (attributes.get("name").or(attributes.get("property")), attributes.get("content"))
        else {
            return;
        };
        let field = match name.to_ascii_lowercase().as_str() {
            "author" | "dc.creator" => &mut self.metadata.author,
            "description" => &mut self.metadata.subject,
            "keywords" => &mut self.metadata.keywords,
            "generator" => &mut self.metadata.producer,
            "article:published_time" | "dc.date" | "date" => &mut self.metadata.created,
            "article:modified_time" | "last-modified" => &mut self.metadata.modified,
            _ => return,
        };
        if !content.trim().is_empty() {
            *field = Some(content.trim().to_owned());
        }
    }

    fn label(&mut self, value: Option<&str>) -> String {
        match self.lists.last_mut() {
            Some(List { is_ordered: true, next }) => {
                let number = value.and_then(|value| value.trim().parse().ok()).unwrap_or(*next);
                *next = number.saturating_add(1);
                format!("{number}.")
            }
            _ => "•".to_owned(),
        }
    }

    /// A picture in running text is its alternative text; one that stands alone is a block.
    fn picture(&mut self, alt: &str, line_idx: usize) {
        if alt.is_empty() {
            return;
        }
        let in_cell = self.grid.as_ref().is_some_and(Grid::has_open_cell);
        if in_cell
            || !self.inline.is_empty()
            || self.heading.is_some()
            || self.item.is_some()
            || self.pre.is_some()
        {
            self.inline.push(alt, line_idx..line_idx + 1);
        } else {
            let origin = Origin::Lines(LineRange::from_idx(line_idx..line_idx + 1));
            self.blocks.push(Block::new(BlockKind::Figure, alt, origin));
        }
    }

    /// Ends the block that is being read. Blocks inside preformatted text only break its line.
    fn end_block(&mut self) {
        if self.pre.is_some() {
            self.inline.break_line();
            return;
        }
        let Some(taken) = self.inline.take(false) else { return };
        if let Some(grid) = self.grid.as_mut().filter(|grid| grid.has_open_cell()) {
            grid.push_text(&taken.text, taken.lines);
            return;
        }
        let kind = match (self.heading, self.item.take()) {
            (Some(level), _) => BlockKind::Heading { level },
            (None, Some(label)) => {
                BlockKind::ListItem { depth: self.lists.len().saturating_sub(1).min(255) as u8, label }
            }
            (None, None) if self.n_quotes > 0 => BlockKind::Quote,
            (None, None) => BlockKind::Paragraph,
        };
        self.push(kind, taken);
    }

    fn end_pre(&mut self) {
        let Some(pre) = self.pre.take() else {
            self.end_block();
            return;
        };
        let Some(taken) = self.inline.take(true) else { return };
        match self.grid.as_mut().filter(|grid| grid.has_open_cell()) {
            Some(grid) => grid.push_text(&taken.text, taken.lines),
            None => self.push(BlockKind::Code { language: pre.language }, taken),
        }
    }

    fn end_grid(&mut self) {
        self.end_block();
        let Some(mut grid) = self.grid.take() else { return };
        grid.close_row();
        if grid.is_over_limit {
            let message = "cells of a table span more rows and columns than are laid out";
            self.notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
        }
        if !grid.is_data() {
            self.push_paragraphs(grid);
        } else if let Some((table, lines)) = grid.into_table() {
            let origin = Origin::Lines(LineRange::from_idx(lines));
            self.blocks.push(Block::new(BlockKind::Table(Box::new(table)), "", origin));
        }
    }

    /// Ends a table that turns out to be there for the look of the page: what follows is running text.
    fn dissolve_grid(&mut self) {
        self.end_block();
        match &self.grid {
            Some(grid) if grid.n_complete_rows() >= 2 => self.end_grid(),
            Some(_) => {
                if let Some(grid) = self.grid.take() {
                    self.push_paragraphs(grid);
                }
            }
            None => {}
        }
    }

    fn push_paragraphs(&mut self, grid: Grid) {
        for (text, lines) in grid.into_paragraphs() {
            self.push(BlockKind::Paragraph, Taken { text, marks: Vec::new(), lines });
        }
    }

    fn push(&mut self, kind: BlockKind, taken: Taken) {
        let origin = Origin::Lines(LineRange::from_idx(taken.lines));
        self.blocks.push(Block { kind, text: taken.text, marks: taken.marks, origin });
    }
}

fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

fn mark_kind(name: &str) -> Option<MarkKind> {
    Some(match name {
        "b" | "strong" => MarkKind::Strong,
        "i" | "em" | "cite" | "dfn" | "var" => MarkKind::Emphasis,
        "code" | "kbd" | "samp" | "tt" => MarkKind::Code,
        "s" | "strike" | "del" => MarkKind::Strike,
        "sup" => MarkKind::Superscript,
        "sub" => MarkKind::Subscript,
        _ => return None,
    })
}

/// The language of code, as highlighters write it into the class: `language-rust`, `lang-rust`, `brush: rust`.
fn language(attributes: &Attributes<'_>) -> Option<String> {
    let class = attributes.get("class")?;
    let mut words = class.split_whitespace();
    words.find_map(|word| {
        let language = ["language-", "lang-", "highlight-source-", "brush:"]
            .iter()
            .find_map(|start| word.strip_prefix(start));
        language.map(|language| language.trim_matches(';').to_owned()).filter(|language| !language.is_empty())
    })
}
