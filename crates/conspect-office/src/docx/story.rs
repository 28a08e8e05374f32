use conspect_model::{
    Block, BlockKind, MarkKind, NoteKind, Notice, NoticeKind, Origin, PageNumber, ParagraphNumber, Revisions,
};

use crate::docx::fields::{Field, read_form_value};
use crate::docx::math::read_math;
use crate::docx::paragraph::{Paragraph, ParagraphProperties};
use crate::docx::reading::{Reading, Reference, Section};
use crate::docx::styles::Look;
use crate::docx::symbols::symbol;
use crate::docx::table_builder::{CellBuilder, Merge, RowBuilder, TableBuilder, cell_text};
use crate::package::{Element, Namespace, Relationships, Token, Xml};

/// Which story of the document a part tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoryKind {
    /// The main text, whose paragraphs are counted.
    Body,
    /// Notes, comments, headers, footers: their blocks get the origin given.
    Aside,
}

/// A note or comment as its part holds it.
pub(crate) struct NoteText {
    pub(crate) id: String,
    pub(crate) author: String,
    pub(crate) text: String,
}

/// What a part says.
#[derive(Default)]
pub(crate) struct StoryText {
    pub(crate) blocks: Vec<Block>,
    /// The notes, where the part is one of notes.
    pub(crate) notes: Vec<NoteText>,
}

/// Reads one part: one pass over its elements, with everything that is open on stacks of its own, so that no nesting
/// of the file becomes nesting of calls.
pub(crate) struct Story<'r, 'd> {
    reading: &'r mut Reading<'d>,
    relationships: Relationships,
    kind: StoryKind,
    /// Where blocks go: the story itself, then the cells, text boxes and notes that are open.
    flows: Vec<Flow>,
    paragraphs: Vec<Paragraph>,
    tables: Vec<TableBuilder>,
    fields: Vec<Field>,
    /// Links that are open: their target and where they begin.
    links: Vec<(Option<String>, usize)>,
    /// Tracked changes that are open.
    changes: Vec<MarkKind>,
    /// Alternatives that are open, and whether one of their branches was taken.
    alternatives: Vec<bool>,
    look: Look,
    /// Where the text of a footnote's own mark begins, after a reference that brings one.
    custom_mark_start: Option<usize>,
    note: Option<(String, String, bool)>,
    /// Whether the drawing at hand has no alternative text; only pictures need one.
    drawing_is_untold: bool,
    out: StoryText,
}

#[derive(Default)]
struct Flow {
    blocks: Vec<Block>,
    /// A paragraph whose end tracked changes take away; the next one goes on with it.
    carried: Option<Paragraph>,
    /// How many tables and paragraphs were open when it began.
    n_paragraphs: usize,
}

impl<'r, 'd> Story<'r, 'd> {
    /// Reads the text of a part.
    pub(crate) fn read(
        reading: &'r mut Reading<'d>,
        relationships: Relationships,
        kind: StoryKind,
        part: &str,
        text: &str,
    ) -> StoryText {
        let max_depth = reading.package.max_depth();
        let mut story = Story {
            reading,
            relationships,
            kind,
            flows: vec![Flow::default()],
            paragraphs: Vec::new(),
            tables: Vec::new(),
            fields: Vec::new(),
            links: Vec::new(),
            changes: Vec::new(),
            alternatives: Vec::new(),
            look: Look::default(),
            custom_mark_start: None,
            note: None,
            drawing_is_untold: false,
            out: StoryText::default(),
        };
        let mut xml = Xml::new(text, max_depth);
        loop {
            match xml.next() {
                Token::Open(element) => story.open(element, &mut xml),
                Token::Close(closed) => {
                    let (namespace, name) = closed.key();
                    story.close(namespace, name);
                }
                // Text outside of runs is indentation.
                Token::Text(_) => {}
                Token::End => break,
            }
            if story.reading.is_over() {
                break;
            }
        }
        if let Some(problem) = xml.problem.take() {
            let origin = story.here();
            let message = format!("part {part}: {problem}; what stands before it was read");
            story.reading.notices.push(Notice::new(NoticeKind::Damaged, message, origin));
        }
        story.finish()
    }

    fn open(&mut self, element: Element<'_>, xml: &mut Xml<'_>) {
        match element.key() {
            (Namespace::Word, name) => self.open_word(name, &element, xml),
            (Namespace::Math, "oMathPara") => {
                let latex = read_math(xml);
                self.push_math(&latex, true);
            }
            (Namespace::Math, "oMath") => {
                let latex = read_math(xml);
                self.push_math(&latex, false);
            }
            (Namespace::Compatibility, "AlternateContent") => self.alternatives.push(false),
            (Namespace::Compatibility, "Choice" | "Fallback") => match self.alternatives.last_mut() {
                Some(taken @ false) => *taken = true,
                Some(true) => xml.skip(),
                None => {}
            },
            (Namespace::WordDrawing, "docPr") => {
                let described = element.attribute("descr").filter(|text| !text.trim().is_empty());
                let text = described.or_else(|| element.attribute("title")).unwrap_or_default();
                self.drawing_is_untold = text.trim().is_empty();
                self.push_figure(&text);
            }
            (Namespace::Drawing, "blip") => {
                self.reading.n_pictures_without_text += usize::from(self.drawing_is_untold);
                self.drawing_is_untold = false;
            }
            (Namespace::Vml, "shape" | "rect" | "imagedata" | "oval" | "roundrect") => {
                if let Some(text) = element.attribute("alt").filter(|text| !text.trim().is_empty()) {
                    self.push_figure(&text);
                }
            }
            (Namespace::Vml, "textpath") => {
                if let Some(text) = element.attribute("string") {
                    self.push_figure(&text);
                }
            }
            (Namespace::Chart, "chart") => {
                if let Some(id) = element.attribute("id") {
                    self.push_part_text(&id);
                }
            }
            (Namespace::Diagram, "relIds") => {
                if let Some(id) = element.attribute("dm") {
                    self.push_part_text(&id);
                }
            }
            _ => {}
        }
    }

    fn open_word(&mut self, name: &str, element: &Element<'_>, xml: &mut Xml<'_>) {
        match name {
            "p" => self.open_paragraph(),
            "pPr" => {
                let (properties, section) = read_paragraph_properties(xml, self.reading);
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.properties = properties;
                }
                if let (Some(section), StoryKind::Body) = (section, self.kind) {
                    self.reading.close_section(section);
                }
            }
            "r" => self.look = Look::default(),
            "rPr" => self.look = read_look(xml, self.reading),
            "t" | "delText" => {
                let text = xml.text();
                self.push(&text);
            }
            "instrText" | "delInstrText" => {
                let text = xml.text();
                if let Some(field) = self.fields.last_mut() {
                    field.instruction.push_str(&text);
                }
            }
            "tab" | "ptab" => self.push("\t"),
            "br" => match element.attribute("type").as_deref() {
                Some("page") => self.reading.pages.explicit_break(self.kind),
                Some("column") => {}
                _ => self.push("\n"),
            },
            "cr" => self.push("\n"),
            "lastRenderedPageBreak" => self.reading.pages.rendered_break(self.kind),
            "noBreakHyphen" => self.push("\u{2011}"),
            "sym" => {
                let font = element.attribute("font").unwrap_or_default();
                let code = element.attribute("char").and_then(|code| u32::from_str_radix(&code, 16).ok());
                if let Some(character) = code.and_then(|code| symbol(&font, code)) {
                    self.push(character.encode_utf8(&mut [0; 4]));
                }
            }
            "fldChar" => match element.attribute("fldCharType").as_deref() {
                Some("begin") => self.open_field(String::new()),
                Some("separate") => self.begin_result(),
                Some("end") => self.close_field(),
                _ => {}
            },
            "fldSimple" => {
                self.open_field(element.attribute("instr").unwrap_or_default().into_owned());
                self.begin_result();
            }
            "ffData" => {
                let value = read_form_value(xml);
                if let Some(field) = self.fields.last_mut() {
                    field.form_value = value;
                }
            }
            "hyperlink" => {
                let outside = element.attribute("id").and_then(|id| self.relationships.get(&id));
                let anchor = element.attribute("anchor");
                let target = match (outside, anchor) {
                    (Some(outside), Some(anchor)) => Some(format!("{}#{anchor}", outside.target)),
                    (Some(outside), None) => Some(outside.target.clone()),
                    (None, Some(anchor)) => Some(format!("#{anchor}")),
                    (None, None) => None,
                };
                let start = self.paragraphs.last().map_or(0, |paragraph| paragraph.text.len());
                self.links.push((target, start));
            }
            "footnoteReference" => self.push_reference(NoteKind::Footnote, element),
            "endnoteReference" => self.push_reference(NoteKind::Endnote, element),
            "commentReference" => self.push_reference(NoteKind::Comment, element),
            "ins" | "moveTo" => match self.reading.scope.revisions {
                Revisions::Original => xml.skip(),
                Revisions::Final | Revisions::All => self.changes.push(MarkKind::Inserted),
            },
            "del" | "moveFrom" => match self.reading.scope.revisions {
                Revisions::Final => xml.skip(),
                Revisions::Original | Revisions::All => self.changes.push(MarkKind::Deleted),
            },
            "pPrChange" | "rPrChange" | "tblPrChange" | "trPrChange" | "tcPrChange" | "sectPrChange"
            | "numberingChange" | "tblGridChange" | "tblPrExChange" | "sdtPr" | "sdtEndPr"
            | "customXmlPr" | "smartTagPr" | "rt" | "tblGrid" => xml.skip(),
            "tbl" => self.tables.push(TableBuilder::default()),
            "tblPr" => {
                let (style, wants_first_row) = read_table_properties(xml);
                if let Some(table) = self.tables.last_mut() {
                    table.style = style;
                    table.wants_first_row = wants_first_row;
                }
            }
            "tr" => self.open_row(),
            "trPr" => {
                let revisions = self.reading.scope.revisions;
                if let Some(row) = self.tables.last_mut().and_then(|table| table.rows.last_mut()) {
                    read_row_properties(xml, row, revisions);
                }
            }
            "tc" => {
                if let Some(row) = self.tables.last_mut().and_then(|table| table.rows.last_mut()) {
                    row.cells.push(CellBuilder { n_columns: 1, ..CellBuilder::default() });
                    self.open_flow();
                }
            }
            "tcPr" => {
                let revisions = self.reading.scope.revisions;
                let row = self.tables.last_mut().and_then(|table| table.rows.last_mut());
                if let Some(cell) = row.and_then(|row| row.cells.last_mut()) {
                    read_cell_properties(xml, cell, revisions);
                }
            }
            "txbxContent" => self.open_flow(),
            "sectPr" => {
                let section = read_section(xml);
                if self.kind == StoryKind::Body {
                    self.reading.close_section(section);
                }
            }
            "altChunk" => {
                if let Some(id) = element.attribute("id") {
                    self.push_chunk(&id);
                }
            }
            "footnote" | "endnote" | "comment" => {
                let kind = element.attribute("type").unwrap_or_default();
                let is_ruler = matches!(&*kind, "separator" | "continuationSeparator" | "continuationNotice");
                let id = element.attribute("id").unwrap_or_default().into_owned();
                self.note =
                    Some((id, element.attribute("author").unwrap_or_default().into_owned(), is_ruler));
                self.open_flow();
            }
            _ => {}
        }
    }

    fn close(&mut self, namespace: Namespace, name: &str) {
        match (namespace, name) {
            (Namespace::Word, "p") => self.close_paragraph(),
            (Namespace::Word, "r") => {
                self.look = Look::default();
                self.close_custom_mark();
            }
            (Namespace::Word, "hyperlink") => {
                if let (Some((Some(target), start)), Some(paragraph)) =
                    (self.links.pop(), self.paragraphs.last_mut())
                {
                    paragraph.mark(start, MarkKind::Link(target));
                }
            }
            (Namespace::Word, "fldSimple") => self.close_field(),
            (Namespace::Word, "ins" | "moveTo" | "del" | "moveFrom") => {
                self.changes.pop();
            }
            (Namespace::Word, "tc") => {
                if let (false, Some(blocks)) = (self.tables.is_empty(), self.close_flow()) {
                    let row = self.tables.last_mut().and_then(|table| table.rows.last_mut());
                    if let Some(cell) = row.and_then(|row| row.cells.last_mut()) {
                        cell.blocks = blocks;
                        self.reading.count_cells(cell.n_columns);
                    }
                }
            }
            (Namespace::Word, "tbl") => {
                if let Some(table) = self.tables.pop() {
                    let has_first_row = table
                        .style
                        .as_deref()
                        .is_some_and(|id| self.reading.styles.get(Some(id)).has_first_row);
                    let blocks = table.finish(has_first_row);
                    self.add_blocks(blocks);
                }
            }
            (Namespace::Word, "txbxContent") => {
                if let Some(blocks) = self.close_flow() {
                    match self.paragraphs.last_mut() {
                        Some(paragraph) => paragraph.attached.extend(blocks),
                        None => self.add_blocks(blocks),
                    }
                }
            }
            (Namespace::Word, "footnote" | "endnote" | "comment") => {
                if let (Some((id, author, is_ruler)), Some(blocks)) = (self.note.take(), self.close_flow())
                    && !is_ruler
                {
                    self.out.notes.push(NoteText { id, author, text: cell_text(&blocks) });
                }
            }
            (Namespace::Compatibility, "AlternateContent") => {
                self.alternatives.pop();
            }
            _ => {}
        }
    }

    fn finish(mut self) -> StoryText {
        // Whatever the file left open ends here, from the inside out.
        while !self.paragraphs.is_empty() {
            self.close_paragraph();
        }
        while let Some(table) = self.tables.pop() {
            if let Some(blocks) = self.close_flow() {
                self.add_blocks(blocks);
            }
            let blocks = table.finish(false);
            self.add_blocks(blocks);
        }
        while let Some(blocks) = self.close_flow() {
            self.add_blocks(blocks);
        }
        if let Some(mut flow) = self.flows.pop() {
            self.flush_carried(&mut flow);
            self.out.blocks = flow.blocks;
        }
        self.out
    }

    fn here(&self) -> Origin {
        self.reading.here(self.kind)
    }

    fn open_flow(&mut self) {
        self.flows.push(Flow { n_paragraphs: self.paragraphs.len(), ..Flow::default() });
    }

    /// Closes the innermost flow and gives its blocks; the story's own flow stays.
    fn close_flow(&mut self) -> Option<Vec<Block>> {
        if self.flows.len() < 2 {
            return None;
        }
        let inner_start = self.flows.last().map_or(0, |flow| flow.n_paragraphs);
        while self.paragraphs.len() > inner_start {
            self.close_paragraph();
        }
        let mut flow = self.flows.pop()?;
        self.flush_carried(&mut flow);
        Some(flow.blocks)
    }

    fn flush_carried(&mut self, flow: &mut Flow) {
        if let Some(carried) = flow.carried.take() {
            let blocks = self.blocks_of(carried);
            flow.blocks.extend(blocks);
        }
    }

    fn add_blocks(&mut self, blocks: Vec<Block>) {
        if let Some(flow) = self.flows.last_mut() {
            flow.blocks.extend(blocks);
        }
    }

    fn open_paragraph(&mut self) {
        // A paragraph directly inside a paragraph is not Word's; the outer one ends.
        if self.paragraphs.len() > self.flows.last().map_or(0, |flow| flow.n_paragraphs) {
            self.close_paragraph();
        }
        if self.kind == StoryKind::Body && self.flows.iter().all(|flow| flow.n_paragraphs == 0) {
            self.reading.n_paragraphs += 1;
        }
        let number = ParagraphNumber::new(self.reading.n_paragraphs);
        self.look = Look::default();
        let fresh = || Paragraph { number, page: self.reading.pages.current, ..Paragraph::default() };
        let carried = self.flows.last_mut().and_then(|flow| flow.carried.take());
        self.paragraphs.push(carried.map_or_else(fresh, |carried| Paragraph {
            properties: ParagraphProperties::default(),
            ..carried
        }));
    }

    fn close_paragraph(&mut self) {
        let Some(paragraph) = self.paragraphs.pop() else { return };
        // An instruction that no result followed in its own paragraph never gets one.
        let n_open = self.paragraphs.len();
        self.fields.retain(|field| field.is_in_result || field.n_paragraphs <= n_open);
        let Some(flow) = self.flows.last_mut() else { return };
        if paragraph.properties.joins_next {
            flow.carried = Some(paragraph);
            return;
        }
        let blocks = self.blocks_of(paragraph);
        self.add_blocks(blocks);
    }

    /// The blocks that a paragraph becomes: itself, if it says anything, and what hangs on it.
    fn blocks_of(&mut self, mut paragraph: Paragraph) -> Vec<Block> {
        let page = PageNumber::new(paragraph.page).filter(|_| self.reading.pages.are_known);
        let origin = match (self.kind, paragraph.number) {
            (StoryKind::Body, Some(paragraph)) => Origin::Paragraph { paragraph, page },
            _ => Origin::File,
        };
        let properties = std::mem::take(&mut paragraph.properties);
        let style = self.reading.styles.get(properties.style.as_deref());
        let heading = match properties.outline_level {
            Some(level) => (level < 9).then_some(level + 1),
            None => style.heading.filter(|_| properties.style.is_some()),
        };
        let (is_quote, is_code) = (style.is_quote, style.is_code);
        let place = self.reading.numbering.place(properties.list, properties.list_level, style);
        let label = match (self.kind, place) {
            (_, Some((list, level))) => self.reading.numbering.step(list, level),
            _ => None,
        };
        let mut blocks = Vec::with_capacity(1 + paragraph.attached.len());
        let attached = std::mem::take(&mut paragraph.attached);
        let display_math = paragraph.display_math.take();
        let (text, mut marks) = paragraph.take_trimmed();
        self.reading.count_characters(text.len());
        if !text.is_empty() {
            let is_formula_only = display_math
                .as_ref()
                .is_some_and(|latex| text.len() == latex.len() + 2 && text.contains(latex.as_str()));
            let (kind, text) = match (heading, label) {
                _ if is_formula_only => {
                    marks.clear();
                    (BlockKind::Math, display_math.unwrap_or_default())
                }
                (Some(level), label) => {
                    let (text, heading_marks) =
                        heading_text(&text, marks, label.filter(|label| !label.is_bullet));
                    marks = heading_marks;
                    (BlockKind::Heading { level }, text)
                }
                (None, Some(label)) => (BlockKind::ListItem { depth: label.depth, label: label.text }, text),
                (None, None) if is_quote => (BlockKind::Quote, text),
                (None, None) if is_code => (BlockKind::Code { language: None }, text),
                (None, None) => (BlockKind::Paragraph, text),
            };
            blocks.push(Block { kind, text, marks, origin });
        }
        blocks.extend(attached);
        blocks
    }

    fn is_in_instruction(&self) -> bool {
        self.fields.iter().any(|field| !field.is_in_result)
    }

    fn push(&mut self, text: &str) {
        if self.is_in_instruction() {
            return;
        }
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        let style = self.reading.styles.get(paragraph.properties.style.as_deref());
        // Bold that a whole paragraph has by its style is the paragraph's look, not stress.
        let hidden = self.look.hidden.or(style.look.hidden) == Some(true);
        if hidden {
            self.reading.n_hidden_characters += text.chars().count();
            return;
        }
        let change = self.changes.last().filter(|_| self.reading.scope.revisions == Revisions::All);
        paragraph.push(text, self.look, change);
    }

    fn push_math(&mut self, latex: &str, is_display: bool) {
        if latex.is_empty() {
            return;
        }
        self.look = Look::default();
        if self.paragraphs.is_empty() {
            let origin = self.here();
            self.add_blocks(vec![Block::new(BlockKind::Math, latex, origin)]);
            return;
        }
        self.push(&format!("${latex}$"));
        if let Some(paragraph) = self.paragraphs.last_mut().filter(|_| is_display) {
            paragraph.display_math = Some(latex.to_owned());
        }
    }

    fn push_figure(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let origin = self.here();
        let figure = Block::new(BlockKind::Figure, text, origin);
        self.reading.count_characters(text.len());
        match self.paragraphs.last_mut() {
            Some(paragraph) => paragraph.attached.push(figure),
            None => self.add_blocks(vec![figure]),
        }
    }

    /// Adds what a chart or diagram part says.
    fn push_part_text(&mut self, id: &str) {
        let Some(relationship) = self.relationships.get(id).filter(|relationship| !relationship.is_external)
        else {
            return;
        };
        let part = relationship.target.clone();
        let text = self.reading.drawing_text(&part);
        self.push_figure(&text);
    }

    /// Adds the text of a whole file that the document takes in.
    fn push_chunk(&mut self, id: &str) {
        let Some(relationship) = self.relationships.get(id).filter(|relationship| !relationship.is_external)
        else {
            return;
        };
        let part = relationship.target.clone();
        let origin = self.here();
        let blocks = self.reading.chunk(&part, origin);
        self.add_blocks(blocks);
    }

    fn push_reference(&mut self, kind: NoteKind, element: &Element<'_>) {
        let Some(id) = element.attribute("id") else { return };
        if self.is_in_instruction() {
            return;
        }
        let origin = self.here();
        let has_own_mark =
            element.attribute("customMarkFollows").is_some_and(|value| value != "0" && value != "false");
        let reference = self.reading.refer(kind, &id, origin, has_own_mark);
        if kind == NoteKind::Comment || self.kind != StoryKind::Body {
            return;
        }
        if has_own_mark {
            self.custom_mark_start = self.paragraphs.last().map(|paragraph| paragraph.text.len());
            return;
        }
        if let Some(Reference { label, .. }) = reference {
            let shown = format!("[^{label}]");
            self.look = Look::default();
            self.push(&shown);
        }
    }

    fn close_custom_mark(&mut self) {
        let Some(start) = self.custom_mark_start.take() else { return };
        let text =
            self.paragraphs.last().and_then(|paragraph| paragraph.text.get(start..)).unwrap_or_default();
        self.reading.name_last_reference(text.trim());
    }

    fn open_field(&mut self, instruction: String) {
        if self.fields.len() < self.reading.limits.max_nesting {
            let n_paragraphs = self.paragraphs.len();
            self.fields.push(Field { instruction, n_paragraphs, ..Field::default() });
        }
    }

    fn begin_result(&mut self) {
        let start = self.paragraphs.last().map_or(0, |paragraph| paragraph.text.len());
        if let Some(field) = self.fields.last_mut() {
            field.is_in_result = true;
            field.result_start = start;
        }
    }

    fn close_field(&mut self) {
        let Some(field) = self.fields.pop() else { return };
        let start = if field.n_paragraphs == self.paragraphs.len() && field.is_in_result {
            Some(field.result_start)
        } else {
            None
        };
        let n_written = self.paragraphs.last().map_or(0, |paragraph| paragraph.text.len());
        if field.shows_form_value() && start.is_none_or(|start| start >= n_written) {
            if let Some(value) = &field.form_value {
                self.push(value);
            }
        } else if let (Some(start), Some(target)) = (start, field.link_target())
            && let Some(paragraph) = self.paragraphs.last_mut()
        {
            paragraph.mark(start, MarkKind::Link(target));
        }
    }

    fn open_row(&mut self) {
        let origin = match (self.kind, ParagraphNumber::new(self.reading.n_paragraphs.saturating_add(1))) {
            (StoryKind::Body, Some(paragraph)) => {
                let page =
                    PageNumber::new(self.reading.pages.current).filter(|_| self.reading.pages.are_known);
                Origin::Paragraph { paragraph, page }
            }
            _ => Origin::File,
        };
        if let Some(table) = self.tables.last_mut() {
            let row =
                RowBuilder { origin, cells: Vec::new(), is_header: false, is_removed: false, n_before: 0 };
            table.rows.push(row);
        }
    }
}

/// A heading on one line with its number in front, without the bold that headings have anyway.
fn heading_text(
    text: &str,
    mut marks: Vec<conspect_model::Mark>,
    label: Option<crate::docx::numbering::Label>,
) -> (String, Vec<conspect_model::Mark>) {
    let mut shown = String::new();
    if let Some(label) = label {
        shown.push_str(&label.text);
        shown.push(' ');
    }
    let shift = shown.len();
    // Line feeds and tabs are one byte, as a blank is, so the marks stay right.
    shown
        .extend(text.chars().map(|character| if matches!(character, '\n' | '\t') { ' ' } else { character }));
    marks.retain(|mark| mark.kind != MarkKind::Strong);
    for mark in &mut marks {
        mark.range.start += shift;
        mark.range.end += shift;
    }
    (shown, marks)
}

fn read_paragraph_properties(
    xml: &mut Xml<'_>,
    reading: &Reading<'_>,
) -> (ParagraphProperties, Option<Section>) {
    let outside = xml.depth().saturating_sub(1);
    let mut properties = ParagraphProperties::default();
    let mut section = None;
    let mut in_mark = false;
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Word, "pStyle") => properties.style = element.val().map(|id| id.into_owned()),
                (Namespace::Word, "numId") => properties.list = element.number("val"),
                (Namespace::Word, "ilvl") => properties.list_level = element.number("val"),
                (Namespace::Word, "outlineLvl") => properties.outline_level = element.number("val"),
                (Namespace::Word, "sectPr") => section = Some(read_section(xml)),
                // The properties of the mark that ends the paragraph: taken away, it joins the next one.
                (Namespace::Word, "rPr") => in_mark = true,
                (Namespace::Word, "del" | "moveFrom") if in_mark => {
                    properties.joins_next |= reading.scope.revisions == Revisions::Final;
                }
                (Namespace::Word, "ins" | "moveTo") if in_mark => {
                    properties.joins_next |= reading.scope.revisions == Revisions::Original;
                }
                (Namespace::Word, "pPrChange" | "rPrChange" | "numberingChange") => xml.skip(),
                _ => {}
            },
            Token::Close(_) | Token::Text(_) => {}
            Token::End => break,
        }
    }
    (properties, section)
}

fn read_look(xml: &mut Xml<'_>, reading: &Reading<'_>) -> Look {
    let outside = xml.depth().saturating_sub(1);
    let mut look = Look::default();
    let mut by_style = Look::default();
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Word, "rStyle") => {
                    by_style = element.val().map(|id| reading.styles.look(&id)).unwrap_or_default();
                }
                (Namespace::Word, "rPrChange") => xml.skip(),
                (Namespace::Word, _) => look.read(&element),
                _ => {}
            },
            Token::Close(_) | Token::Text(_) => {}
            Token::End => break,
        }
    }
    by_style.with(look)
}

fn read_table_properties(xml: &mut Xml<'_>) -> (Option<String>, bool) {
    let outside = xml.depth().saturating_sub(1);
    let (mut style, mut wants_first_row) = (None, false);
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Word, "tblStyle") => style = element.val().map(|id| id.into_owned()),
                (Namespace::Word, "tblLook") => {
                    let bits = element.val().and_then(|bits| u32::from_str_radix(&bits, 16).ok());
                    wants_first_row = match element.attribute("firstRow") {
                        Some(value) => matches!(&*value, "1" | "true" | "on"),
                        None => bits.is_some_and(|bits| bits & 0x20 != 0),
                    };
                }
                (Namespace::Word, "tblPrChange") => xml.skip(),
                _ => {}
            },
            Token::Close(_) | Token::Text(_) => {}
            Token::End => break,
        }
    }
    (style, wants_first_row)
}

fn read_row_properties(xml: &mut Xml<'_>, row: &mut RowBuilder, revisions: Revisions) {
    let outside = xml.depth().saturating_sub(1);
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Word, "tblHeader") => row.is_header = element.is_on(),
                (Namespace::Word, "gridBefore") => row.n_before = element.number("val").unwrap_or(0),
                (Namespace::Word, "del") => row.is_removed |= revisions == Revisions::Final,
                (Namespace::Word, "ins") => row.is_removed |= revisions == Revisions::Original,
                (Namespace::Word, "trPrChange") => xml.skip(),
                _ => {}
            },
            Token::Close(_) | Token::Text(_) => {}
            Token::End => break,
        }
    }
}

fn read_cell_properties(xml: &mut Xml<'_>, cell: &mut CellBuilder, revisions: Revisions) {
    let outside = xml.depth().saturating_sub(1);
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Word, "gridSpan") => cell.n_columns = element.number("val").unwrap_or(1).max(1),
                (Namespace::Word, "vMerge") => {
                    let restarts = element.val().as_deref() == Some("restart");
                    cell.merge = if restarts { Merge::Restart } else { Merge::Continue };
                }
                (Namespace::Word, "cellDel") => cell.is_removed |= revisions == Revisions::Final,
                (Namespace::Word, "cellIns") => cell.is_removed |= revisions == Revisions::Original,
                (Namespace::Word, "tcPrChange") => xml.skip(),
                _ => {}
            },
            Token::Close(_) | Token::Text(_) => {}
            Token::End => break,
        }
    }
}

fn read_section(xml: &mut Xml<'_>) -> Section {
    let outside = xml.depth().saturating_sub(1);
    let mut section = Section::default();
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Word, "headerReference") => {
                    section.headers.extend(element.attribute("id").map(|id| id.into_owned()));
                }
                (Namespace::Word, "footerReference") => {
                    section.footers.extend(element.attribute("id").map(|id| id.into_owned()));
                }
                (Namespace::Word, "sectPrChange") => xml.skip(),
                _ => {}
            },
            Token::Close(_) | Token::Text(_) => {}
            Token::End => break,
        }
    }
    section
}
