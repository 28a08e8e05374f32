//! The short form of a Document: what it holds and where, within a budget.
//!
//! Of code these are imports and symbols, of other documents headings, sheets and tables. Every line begins with the
//! lines that it stands for, so that it can be pasted into the next request.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use conspect_model::{
    Block, BlockKind, DataKey, DataValue, Document, Format, LineRange, Origin, Symbol, SymbolKind,
};

use crate::listing::{Listing, lay_out};

/// What a [`Map`] is made to.
#[derive(Clone, Debug, Default)]
pub struct MapOptions {
    /// Characters that the map may have, everything counted that it prints.
    pub budget: usize,
    /// Words that decide what is kept when not everything fits.
    pub query: Option<String>,
}

/// A structure map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// The map: a line for each symbol or heading shown, and a last line that says how to read on. Empty if the
    /// Document has no structure that we know. Never longer than the budget.
    pub text: String,
    /// How many symbols (headings, sheets and tables, where there are no symbols) the Document has.
    pub n_symbols: usize,
    /// How many of them the map names.
    pub n_shown: usize,
}

/// Makes the structure map of a Document: the most detailed form that fits the budget as a whole, or else the symbols
/// that matter most, from every part of the file.
pub fn map(document: &Document<'_>, options: &MapOptions) -> Map {
    let outline = outline(document);
    let n_symbols = outline.entries.iter().filter(|entry| entry.class != Class::Imports).count();
    if outline.entries.is_empty() {
        return Map { text: String::new(), n_symbols, n_shown: 0 };
    }
    let drawn = drawn_within(document, &outline, options);
    Map { text: drawn.text, n_symbols, n_shown: drawn.shown.len() }
}

/// The most detailed form that fits, or else a sample.
fn drawn_within(document: &Document<'_>, outline: &Outline, options: &MapOptions) -> Drawn {
    let best = LADDER.iter().find_map(|detail| {
        let drawn = draw(outline, *detail, None);
        (drawn.n_chars <= options.budget).then_some(drawn)
    });
    best.unwrap_or_else(|| ranked_sample(document, outline, options))
}

/// A symbol or heading, and whether a map names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapEntry {
    /// The lines that it stands for.
    pub lines: LineRange,
    /// Its qualified name, or the heading.
    pub name: String,
    /// Whether the map names it, on a line of its own or beside others.
    pub is_named: bool,
    /// Whether it has words of the query.
    pub is_asked_for: bool,
}

/// Every symbol or heading that [`map`](map()) with these options could name, in order, and whether it does.
pub fn map_entries(document: &Document<'_>, options: &MapOptions) -> Vec<MapEntry> {
    let outline = outline(document);
    if outline.entries.is_empty() {
        return Vec::new();
    }
    let shown: BTreeSet<usize> = drawn_within(document, &outline, options).shown.into_iter().collect();
    let query_words = query_words(options.query.as_deref().unwrap_or_default());
    let of = |(idx, entry): (usize, &Entry)| MapEntry {
        lines: LineRange::from_idx(entry.first.saturating_sub(1) as usize..entry.last as usize),
        name: entry.qualified_name.clone(),
        is_named: shown.contains(&idx),
        is_asked_for: hits(entry, &query_words) > 0,
    };
    let named = outline.entries.iter().enumerate().filter(|(_, entry)| entry.class != Class::Imports);
    named.map(of).collect()
}

/// The symbols with this name: `Runner.run`, or `run` for any that end so. An exact qualified name goes before its
/// endings, and letter case is ignored only where nothing else is found.
pub fn symbol<'d>(document: &'d Document<'_>, name: &str) -> Vec<&'d Block> {
    let wanted = name.trim().trim_end_matches("()");
    let find = |fits: &dyn Fn(&Symbol) -> bool| -> Vec<&'d Block> {
        let blocks = document.blocks.iter();
        blocks.filter(|block| matches!(&block.kind, BlockKind::Symbol(symbol) if fits(symbol))).collect()
    };
    if wanted.is_empty() {
        return Vec::new();
    }
    let parts = name_parts(wanted);
    let lower: Vec<String> = parts.iter().map(|part| part.to_lowercase()).collect();
    let exact = find(&|symbol| symbol.qualified_name == wanted);
    if !exact.is_empty() {
        return exact;
    }
    let ending =
        find(&|symbol| symbol.name == wanted || name_parts(&symbol.qualified_name).ends_with(&parts));
    if !ending.is_empty() {
        return ending;
    }
    find(&|symbol| {
        let own: Vec<String> =
            name_parts(&symbol.qualified_name).iter().map(|part| part.to_lowercase()).collect();
        own.ends_with(&lower)
    })
}

/// The symbols that a range of lines begins inside of, outermost first: the class and function that its first line
/// belongs to, and whose own first line it does not show.
pub fn enclosing<'d>(document: &'d Document<'_>, lines: LineRange) -> Vec<&'d Block> {
    let holds = |block: &&Block| match (&block.kind, block.origin) {
        (BlockKind::Symbol(symbol), Origin::Lines(own)) => {
            let is_outer = symbol.kind.is_container() || is_function(symbol.kind);
            is_outer && own.first < lines.first && own.last >= lines.first
        }
        _ => false,
    };
    document.blocks.iter().filter(holds).collect()
}

/// The parts of a name, whichever way they are joined.
fn name_parts(name: &str) -> Vec<&str> {
    name.split(['.', ':', '#', '\\', '/']).filter(|part| !part.is_empty()).collect()
}

fn is_function(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro)
}

/// What a Document holds, as far as a map can show it.
struct Outline {
    entries: Vec<Entry>,
    /// The number of the last line.
    n_lines: u64,
    is_code: bool,
}

/// One line of a full map.
struct Entry {
    class: Class,
    first: u64,
    last: u64,
    /// The line that a run of names gives.
    name_line: u64,
    depth: usize,
    parent: Option<usize>,
    /// The short name, for runs.
    name: String,
    /// The name to ask for.
    qualified_name: String,
    /// What is shown of it.
    label: String,
    doc: Option<String>,
    is_exported: bool,
}

/// What an entry is, as far as the map treats it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Imports,
    /// A type or module, a heading or a sheet.
    Container,
    Function,
    /// A field, variant, constant, variable; a table.
    Value,
    /// Anything inside a function.
    Local,
}

fn outline(document: &Document<'_>) -> Outline {
    let has_symbols = document.blocks.iter().any(|block| matches!(block.kind, BlockKind::Symbol(_)));
    if has_symbols {
        return of_symbols(document);
    }
    let keys = document.lines.as_ref().map(|lines| lines.keys()).unwrap_or_default();
    match keys.is_empty() {
        true if document.format == Format::Notebook => of_cells(document),
        true => of_headings(document),
        false => of_keys(document, keys),
    }
}

/// The keys of data.
fn of_keys(document: &Document<'_>, keys: &[DataKey]) -> Outline {
    let mut entries: Vec<Entry> = Vec::new();
    let mut around: Vec<usize> = Vec::new();
    for key in keys {
        around.truncate(key.depth);
        let label = match key.name.as_str() {
            "" => key.value.to_string(),
            name => format!("{}: {}", cut(&name.replace(char::is_control, " "), 100), key.value),
        };
        let class = match key.value {
            DataValue::Object(_) | DataValue::Array(_) => Class::Container,
            _ => Class::Value,
        };
        let parent = around.last().copied();
        around.push(entries.len());
        entries.push(entry_of(class, key.lines.clone(), parent, &entries, label));
    }
    Outline { entries, n_lines: document.extent.n_lines.max(1), is_code: false }
}

/// The cells of a notebook, each with its first line.
fn of_cells(document: &Document<'_>) -> Outline {
    let listing = lay_out(document);
    let n_lines = listing.n_lines();
    let cell_at = |line_idx: usize| match listing.origin(line_idx) {
        Origin::NotebookCell(cell) => Some(cell),
        _ => None,
    };
    let mut entries: Vec<Entry> = Vec::new();
    let mut start = 0;
    while start < n_lines {
        let cell = cell_at(start);
        let end = (start..n_lines).find(|&line_idx| cell_at(line_idx) != cell).unwrap_or(n_lines);
        if let Some(cell) = cell {
            // The reader's own line about the cell, and the first one of what is in it.
            let mut said =
                (start..end).map(|line_idx| listing.plain(line_idx)).filter(|text| !text.trim().is_empty());
            let about = said.next().map_or_else(|| format!("cell {cell}"), |text| cut(text.trim(), 100));
            let label = match said.next() {
                Some(text) => format!("{about}: {}", cut(heading_text(&text), 100)),
                None => about,
            };
            entries.push(entry_of(Class::Container, start..end, None, &entries, label));
        }
        start = end;
    }
    Outline { entries, n_lines: n_lines.max(1) as u64, is_code: false }
}

fn of_symbols(document: &Document<'_>) -> Outline {
    let mut entries: Vec<Entry> = Vec::new();
    let mut entry_of_block: HashMap<usize, usize> = HashMap::new();
    for (block_idx, block) in document.blocks.iter().enumerate() {
        let Origin::Lines(lines) = block.origin else { continue };
        let (first, last) = (lines.first.get(), lines.last.get());
        match &block.kind {
            BlockKind::Imports => entries.push(Entry {
                class: Class::Imports,
                first,
                last,
                name_line: first,
                depth: 0,
                parent: None,
                name: String::new(),
                qualified_name: String::new(),
                label: block.text.clone(),
                doc: None,
                is_exported: false,
            }),
            BlockKind::Symbol(symbol) => {
                let parent = symbol.parent.and_then(|parent| entry_of_block.get(&parent).copied());
                entry_of_block.insert(block_idx, entries.len());
                entries.push(Entry {
                    class: class(symbol),
                    first,
                    last,
                    name_line: symbol.name_line.get(),
                    depth: parent.map_or(0, |parent| entries[parent].depth + 1),
                    parent,
                    name: symbol.name.clone(),
                    qualified_name: symbol.qualified_name.clone(),
                    label: if symbol.signature.is_empty() {
                        symbol.name.clone()
                    } else {
                        symbol.signature.clone()
                    },
                    doc: symbol.doc.clone(),
                    is_exported: symbol.is_exported,
                });
            }
            _ => {}
        }
    }
    Outline { entries, n_lines: document.extent.n_lines.max(1), is_code: true }
}

fn class(symbol: &Symbol) -> Class {
    match symbol.kind {
        _ if symbol.is_local => Class::Local,
        kind if is_function(kind) => Class::Function,
        SymbolKind::Const | SymbolKind::Var | SymbolKind::Field | SymbolKind::Variant => Class::Value,
        _ => Class::Container,
    }
}

/// Headings, sheets and tables, by the lines of the Listing.
fn of_headings(document: &Document<'_>) -> Outline {
    let listing = lay_out(document);
    let n_lines = listing.n_lines() as u64;
    let mut entries: Vec<Entry> = Vec::new();
    let mut around: Vec<(u8, usize)> = Vec::new();
    let mut tables = listing.tables().iter().peekable();
    let mut headings = listing.headings().iter().peekable();
    loop {
        let next_heading = headings.peek().map_or(usize::MAX, |heading| heading.line_idx);
        let next_table = tables.peek().map_or(usize::MAX, |table| table.header.start);
        if next_heading == usize::MAX && next_table == usize::MAX {
            break;
        }
        if next_table < next_heading {
            let Some(table) = tables.next() else { break };
            let lines = table.header.start..table.rows.end;
            let label = table_label(&listing, lines.clone(), table.header.len());
            let parent = around.last().map(|&(_, parent)| parent);
            entries.push(entry_of(Class::Value, lines, parent, &entries, label));
        } else {
            let Some(heading) = headings.next() else { break };
            while around.last().is_some_and(|&(level, _)| level >= heading.level) {
                around.pop();
            }
            let mut label = heading_text(&listing.plain(heading.line_idx)).to_owned();
            let mut place = String::new();
            if let Some(page) = listing.page(heading.line_idx) {
                let _ = write!(place, " (page {page})");
            } else if let Origin::Slide(slide) = listing.origin(heading.line_idx) {
                let _ = write!(place, " (slide {slide})");
            }
            if matches!(listing.block(heading.line_idx), Some(block) if matches!(block.kind, BlockKind::Sheet { .. }))
            {
                label = format!("sheet \"{label}\"");
            }
            label = cut(&label, 200) + &place;
            let lines = listing.section(heading.line_idx);
            let parent = around.last().map(|&(_, parent)| parent);
            around.push((heading.level, entries.len()));
            entries.push(entry_of(Class::Container, lines, parent, &entries, label));
        }
    }
    Outline { entries, n_lines: n_lines.max(1), is_code: false }
}

/// The text of a heading without the marks that Markdown puts before it and may put behind it.
fn heading_text(line: &str) -> &str {
    let line = line.trim();
    let text = line.trim_start_matches('#');
    if text.len() == line.len() {
        return line;
    }
    let without_end = text.trim_end_matches('#');
    // Without a blank before them, they belong to the text: `# C#`.
    if without_end.is_empty() || without_end.ends_with([' ', '\t']) {
        without_end.trim()
    } else {
        text.trim()
    }
}

fn entry_of(
    class: Class,
    lines: std::ops::Range<usize>,
    parent: Option<usize>,
    before: &[Entry],
    label: String,
) -> Entry {
    let range = LineRange::from_idx(lines);
    Entry {
        class,
        first: range.first.get(),
        last: range.last.get(),
        name_line: range.first.get(),
        depth: parent.and_then(|parent| before.get(parent)).map_or(0, |parent| parent.depth + 1),
        parent,
        name: label.clone(),
        qualified_name: label.clone(),
        label,
        doc: None,
        is_exported: true,
    }
}

/// `table A1:F40, 39 rows: Name | Unit | Price`.
fn table_label(listing: &Listing<'_>, lines: std::ops::Range<usize>, n_header: usize) -> String {
    let mut label = String::from("table");
    if let Origin::Cells { range: first, .. } = listing.origin(lines.start) {
        let mut range = first;
        if let Origin::Cells { range: last, .. } = listing.origin(lines.end.saturating_sub(1)) {
            range.last_row = last.last_row;
            range.first_column = range.first_column.min(last.first_column);
            range.last_column = range.last_column.max(last.last_column);
        }
        let _ = write!(label, " {range}");
    }
    let n_rows = lines.len() - n_header.min(lines.len());
    let _ = write!(label, ", {n_rows} {}", if n_rows == 1 { "row" } else { "rows" });
    let header = match listing.row(lines.start) {
        Some(row) => {
            row.cells().map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" | ")
        }
        None => listing.plain(lines.start).trim().to_owned(),
    };
    if n_header > 0 && !header.is_empty() {
        let _ = write!(label, ": {}", cut(&fold(&header), 160));
    }
    label
}

/// How much a map tells of each entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Detail {
    docs: bool,
    locals: bool,
    /// Characters of a signature.
    label_chars: usize,
    /// Fields, variants and constants one by one, or as a count.
    values: bool,
    runs: Runs,
    n_imports: usize,
}

/// Which entries share a line with their neighbours, as `name:line`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runs {
    None,
    /// What stands in a type.
    Members,
    /// All but types.
    All,
}

/// From the most to the least that a map can tell without leaving out a symbol that is neither local nor a value.
const LADDER: &[Detail] = &[
    Detail { docs: true, locals: true, label_chars: 400, values: true, runs: Runs::None, n_imports: 12 },
    Detail { docs: true, locals: false, label_chars: 400, values: true, runs: Runs::None, n_imports: 8 },
    Detail { docs: false, locals: false, label_chars: 400, values: true, runs: Runs::None, n_imports: 5 },
    Detail { docs: false, locals: false, label_chars: 80, values: true, runs: Runs::None, n_imports: 5 },
    Detail { docs: false, locals: false, label_chars: 80, values: false, runs: Runs::None, n_imports: 5 },
    Detail { docs: false, locals: false, label_chars: 80, values: false, runs: Runs::Members, n_imports: 3 },
    Detail { docs: false, locals: false, label_chars: 80, values: false, runs: Runs::All, n_imports: 3 },
];

/// How the entries of a ranked sample are shown.
const SAMPLE: Detail =
    Detail { docs: false, locals: true, label_chars: 80, values: true, runs: Runs::None, n_imports: 3 };

struct Drawn {
    text: String,
    n_chars: usize,
    /// The entries that are named, by their place.
    shown: Vec<usize>,
}

/// Draws the entries at this detail; with `kept`, only those, and the rest as gaps.
fn draw(outline: &Outline, detail: Detail, kept: Option<&BTreeSet<usize>>) -> Drawn {
    let entries = &outline.entries;
    let is_kept = |idx: usize| kept.is_none_or(|kept| kept.contains(&idx));
    let own_line = |idx: usize| is_kept(idx) && form(entries, idx, detail) == Form::Line;
    let width = (0..entries.len())
        .filter(|&idx| own_line(idx) && entries[idx].class != Class::Imports)
        .map(|idx| range_text(entries[idx].first, entries[idx].last).len())
        .max()
        .unwrap_or(0);
    let folded = if kept.is_none() { folded_counts(entries, detail) } else { HashMap::new() };

    let mut text = String::new();
    let mut shown = Vec::new();
    let mut gap = Gap::default();
    let mut run = Run::default();
    for (idx, entry) in entries.iter().enumerate() {
        let form = form(entries, idx, detail);
        if !is_kept(idx) {
            if entry.class != Class::Imports {
                run.end(&mut text, width);
                gap.add(entry);
            }
            continue;
        }
        gap.end(&mut text, outline.is_code);
        match form {
            Form::Folded => {}
            Form::Count => run.count(entry, &mut text, width),
            Form::Run => {
                shown.push(idx);
                run.name(entry, &mut text, width);
            }
            Form::Line if entry.class == Class::Imports => {
                run.end(&mut text, width);
                let range = range_text(entry.first, entry.last);
                let _ = writeln!(text, "imports {range}: {}", imports(&entry.label, detail.n_imports));
            }
            Form::Line => {
                run.end(&mut text, width);
                shown.push(idx);
                let range = range_text(entry.first, entry.last);
                let (indent, label) = (indent(entry.depth), cut(&entry.label, detail.label_chars));
                let _ = write!(text, "{indent}{range:<width$}  {label}");
                if let Some(folded) = folded.get(&idx) {
                    let _ = write!(text, " ({})", folded.describe());
                }
                if let Some(doc) = entry.doc.as_ref().filter(|_| detail.docs) {
                    let _ = write!(text, " — {doc}");
                }
                text.push('\n');
            }
        }
    }
    run.end(&mut text, width);
    gap.end(&mut text, outline.is_code);
    text.push_str(&footer(outline, &own_line));
    Drawn { n_chars: text.chars().count(), text, shown }
}

/// How an entry appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Line,
    /// By name, on a line with others.
    Run,
    /// One more of a number of values at the top of the file.
    Count,
    /// Not at all; its owner's line counts it.
    Folded,
}

fn form(entries: &[Entry], idx: usize, detail: Detail) -> Form {
    let entry = &entries[idx];
    match entry.class {
        Class::Local if !detail.locals => Form::Folded,
        Class::Value if !detail.values && entry.parent.is_some() => Form::Folded,
        Class::Value if !detail.values => Form::Count,
        Class::Function => match detail.runs {
            Runs::All => Form::Run,
            Runs::Members if entry.parent.is_some() => Form::Run,
            _ => Form::Line,
        },
        _ => Form::Line,
    }
}

/// What is folded into the line of its owner: the nearest symbol around it that has a line.
#[derive(Default)]
struct Folded {
    n_locals: usize,
    n_values: usize,
}

impl Folded {
    fn describe(&self) -> String {
        let mut parts = Vec::new();
        if self.n_values > 0 {
            parts.push(format!("+{} {}", self.n_values, if self.n_values == 1 { "field" } else { "fields" }));
        }
        if self.n_locals > 0 {
            parts.push(format!("+{} local", self.n_locals));
        }
        parts.join(", ")
    }
}

fn folded_counts(entries: &[Entry], detail: Detail) -> HashMap<usize, Folded> {
    let mut counts: HashMap<usize, Folded> = HashMap::new();
    // The owner of each entry, so that a chain of folded ones is walked once.
    let mut owners: Vec<Option<usize>> = Vec::with_capacity(entries.len());
    for (idx, entry) in entries.iter().enumerate() {
        let owner = entry.parent.and_then(|parent| match form(entries, parent, detail) {
            Form::Line => Some(parent),
            _ => owners[parent],
        });
        owners.push(owner);
        if form(entries, idx, detail) != Form::Folded {
            continue;
        }
        if let Some(owner) = owner {
            let folded = counts.entry(owner).or_default();
            match entry.class {
                Class::Local => folded.n_locals += 1,
                _ => folded.n_values += 1,
            }
        }
    }
    counts
}

/// Entries that are left out between two that are shown.
#[derive(Default)]
struct Gap {
    n: usize,
    first: u64,
    last: u64,
}

impl Gap {
    fn add(&mut self, entry: &Entry) {
        self.first = if self.n == 0 { entry.first } else { self.first.min(entry.first) };
        self.last = self.last.max(entry.last);
        self.n += 1;
    }

    fn end(&mut self, text: &mut String, is_code: bool) {
        if self.n > 0 {
            let symbols = match (is_code, self.n) {
                (true, 1) => "symbol",
                (true, _) => "symbols",
                (false, 1) => "part",
                (false, _) => "parts",
            };
            let _ = writeln!(text, "[... {} {symbols}, lines {}-{} ...]", self.n, self.first, self.last);
        }
        *self = Gap::default();
    }
}

/// How many characters of names share a line.
const RUN_CHARS: usize = 100;

/// Neighbours that share a line: names, or a number of values.
#[derive(Default)]
struct Run {
    names: String,
    n_values: usize,
    depth: usize,
    parent: Option<usize>,
    first: u64,
    last: u64,
}

impl Run {
    fn name(&mut self, entry: &Entry, text: &mut String, width: usize) {
        if self.n_values > 0 || self.parent != entry.parent || self.names.len() > RUN_CHARS {
            self.end(text, width);
        }
        self.extend(entry);
        if !self.names.is_empty() {
            self.names.push_str(", ");
        }
        let _ = write!(self.names, "{}:{}", entry.name, entry.name_line);
    }

    fn count(&mut self, entry: &Entry, text: &mut String, width: usize) {
        if !self.names.is_empty() {
            self.end(text, width);
        }
        self.extend(entry);
        self.n_values += 1;
    }

    fn extend(&mut self, entry: &Entry) {
        if self.names.is_empty() && self.n_values == 0 {
            (self.first, self.depth, self.parent) = (entry.first, entry.depth, entry.parent);
        }
        self.last = self.last.max(entry.last);
    }

    fn end(&mut self, text: &mut String, width: usize) {
        let range = range_text(self.first, self.last);
        let indent = indent(self.depth);
        if self.n_values > 0 {
            let values = if self.n_values == 1 { "value" } else { "values" };
            let _ = writeln!(text, "{indent}{range:<width$}  {} {values}", self.n_values);
        } else if !self.names.is_empty() {
            let _ = writeln!(text, "{indent}{range:<width$}  {}", self.names);
        }
        *self = Run::default();
    }
}

/// The last line: how to ask for a part, with parts of this very map.
fn footer(outline: &Outline, has_line: &dyn Fn(usize) -> bool) -> String {
    let entries = &outline.entries;
    let shown = |class: Class| {
        let mut found = (0..entries.len()).filter(move |&idx| has_line(idx) && entries[idx].class == class);
        found.next_back().map(|idx| &entries[idx])
    };
    let by_lines = shown(Class::Function).or_else(|| shown(Class::Container)).or_else(|| shown(Class::Value));
    let lines = match by_lines {
        Some(entry) => range_text(entry.first, entry.last),
        None => range_text(1, outline.n_lines),
    };
    let member = |idx: &usize| {
        let entry = &entries[*idx];
        has_line(*idx) && entry.class == Class::Function && entry.parent.is_some()
    };
    let by_name = (0..entries.len()).find(member).map(|idx| &entries[idx]);
    match by_name.or(by_lines).filter(|entry| outline.is_code && entry.qualified_name.len() < 100) {
        Some(entry) => format!("[read a part: lines \"{lines}\" or symbol \"{}\"]\n", entry.qualified_name),
        None => format!("[read a part: lines \"{lines}\"]\n"),
    }
}

/// The entries that matter most, as many as fit.
fn ranked_sample(document: &Document<'_>, outline: &Outline, options: &MapOptions) -> Drawn {
    let order = ranked(document, outline, options.query.as_deref().unwrap_or_default());
    let (mut fits, mut too_many) = (0, order.len() + 1);
    let mut best = None;
    while fits + 1 < too_many {
        let n_kept = fits.midpoint(too_many);
        let drawn = draw(outline, SAMPLE, Some(&with_ancestors(&outline.entries, &order[..n_kept])));
        if drawn.n_chars <= options.budget {
            fits = n_kept;
            best = Some(drawn);
        } else {
            too_many = n_kept;
        }
    }
    best.unwrap_or_else(|| least(outline, options.budget))
}

/// For budgets that hold nothing: how much there is, or as much of that as fits.
fn least(outline: &Outline, budget: usize) -> Drawn {
    let nothing = draw(outline, SAMPLE, Some(&BTreeSet::new()));
    if nothing.n_chars <= budget {
        return nothing;
    }
    let gap: String = nothing.text.lines().next().unwrap_or_default().to_owned() + "\n";
    let text: String = if gap.chars().count() <= budget { gap } else { String::new() };
    Drawn { n_chars: text.chars().count(), text, shown: Vec::new() }
}

fn with_ancestors(entries: &[Entry], chosen: &[usize]) -> BTreeSet<usize> {
    let mut kept = BTreeSet::new();
    for &idx in chosen {
        let mut next = Some(idx);
        while let Some(idx) = next {
            if !kept.insert(idx) {
                break;
            }
            next = entries[idx].parent;
        }
    }
    kept
}

/// In how many parts the symbols are divided, each of which has its turn.
const N_PARTS: usize = 16;

/// The entries in the order in which they are kept: what the query names, then in turn the best of every part.
fn ranked(document: &Document<'_>, outline: &Outline, query: &str) -> Vec<usize> {
    let entries = &outline.entries;
    let references = references(document, entries);
    let query_words = query_words(query);
    let mut scored: Vec<(usize, u32, bool)> = Vec::new();
    for (idx, entry) in entries.iter().enumerate() {
        let n_references = references.get(entry.name.as_str()).copied().unwrap_or(0);
        let hits = hits(entry, &query_words);
        if entry.class != Class::Imports || hits > 0 {
            scored.push((idx, score(entry, n_references) + 1000 * hits, hits > 0));
        }
    }
    let by_score = |a: &(usize, u32, bool), b: &(usize, u32, bool)| b.1.cmp(&a.1).then(a.0.cmp(&b.0));
    let (mut named, rest): (Vec<_>, Vec<_>) = scored.into_iter().partition(|&(_, _, is_named)| is_named);
    named.sort_by(by_score);

    let mut parts: Vec<Vec<(usize, u32, bool)>> =
        rest.chunks(rest.len().div_ceil(N_PARTS).max(1)).map(<[_]>::to_vec).collect();
    for part in &mut parts {
        part.sort_by(by_score);
    }
    let mut order: Vec<usize> = named.into_iter().map(|(idx, _, _)| idx).collect();
    let longest = parts.iter().map(Vec::len).max().unwrap_or(0);
    for turn in 0..longest {
        let mut round: Vec<&(usize, u32, bool)> = parts.iter().filter_map(|part| part.get(turn)).collect();
        round.sort_by(|a, b| by_score(a, b));
        order.extend(round.into_iter().map(|&(idx, _, _)| idx));
    }
    order
}

fn query_words(query: &str) -> Vec<String> {
    words(query).into_iter().filter(|word| word.chars().count() > 1).collect()
}

fn score(entry: &Entry, n_references: u32) -> u32 {
    let by_class = match entry.class {
        Class::Container => 30,
        Class::Function => 20,
        Class::Value => 6,
        Class::Local | Class::Imports => 0,
    };
    let size = (entry.last - entry.first + 1).ilog2().min(10);
    let mut score = 20 + by_class + 2 * size + 2 * (n_references + 1).ilog2().min(8);
    if entry.is_exported {
        score += 40;
    }
    if entry.doc.is_some() {
        score += 4;
    }
    let name = entry.name.to_lowercase();
    if name.starts_with("test") || name.ends_with("test") || name.ends_with("tests") {
        score = score.saturating_sub(20);
    }
    score
}

/// How many of the query's words the entry's name or label has; words of the name count for more.
fn hits(entry: &Entry, query_words: &[String]) -> u32 {
    if query_words.is_empty() {
        return 0;
    }
    let (in_name, in_label) = (words(&entry.qualified_name), words(&entry.label));
    let has = |words: &[String], wanted: &String| words.iter().any(|word| word == wanted);
    let count = |words: &[String]| query_words.iter().filter(|wanted| has(words, wanted)).count() as u32;
    let whole = u32::from(query_words.contains(&entry.name.to_lowercase()));
    4 * whole + 2 * count(&in_name) + count(&in_label).min(1)
}

/// The words of a text in lower case; of `fetchAll_rows` these are itself, `fetch`, `all` and `rows`.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for name in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty()) {
        let mut word = String::new();
        let mut previous_is_lower = false;
        for c in name.chars() {
            if c == '_' || (c.is_uppercase() && previous_is_lower) {
                words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            }
            if c != '_' {
                word.extend(c.to_lowercase());
            }
            previous_is_lower = c.is_lowercase();
        }
        if word.len() < name.len() {
            words.push(name.to_lowercase());
        }
        words.extend((!word.is_empty()).then_some(word));
    }
    words
}

/// How often each name stands in the text, beyond where it is defined.
fn references<'e>(document: &Document<'_>, entries: &'e [Entry]) -> HashMap<&'e str, u32> {
    let mut counts: HashMap<&str, u32> = entries
        .iter()
        .filter(|entry| entry.class != Class::Imports)
        .map(|entry| (entry.name.as_str(), 0))
        .collect();
    let Some(lines) = document.lines.as_ref() else { return counts };
    lines.visit(0..lines.n_lines(), &mut |_, line| {
        for word in line.split(|c: char| !c.is_alphanumeric() && c != '_') {
            if let Some(count) = counts.get_mut(word) {
                *count += 1;
            }
        }
        ControlFlow::Continue(())
    });
    counts
}

/// The first names, and how many more there are.
fn imports(names: &str, n_shown: usize) -> String {
    let mut all: Vec<&str> = names.lines().collect();
    let n_more = all.len().saturating_sub(n_shown);
    all.truncate(n_shown);
    let shown = all.iter().map(|name| cut(name, 80)).collect::<Vec<_>>().join(", ");
    if n_more > 0 { format!("{shown} (+{n_more})") } else { shown }
}

fn range_text(first: u64, last: u64) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// Two blanks a level, up to some level.
fn indent(depth: usize) -> &'static str {
    const BLANKS: &str = "                    ";
    &BLANKS[..(2 * depth).min(BLANKS.len())]
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_owned(),
        Some(_) => {
            let end = text.char_indices().nth(max_chars.saturating_sub(1)).map_or(0, |(at, _)| at);
            format!("{}…", text[..end].trim_end())
        }
    }
}

#[cfg(test)]
mod tests {
    use conspect_model::{Format, LineNumber, Table};
    use proptest::prelude::*;

    use super::*;

    /// A Document with these symbols: kind, name, first and last line, documentation; nested by their lines.
    fn code(symbols: &[(SymbolKind, &str, usize, usize, &str)]) -> Document<'static> {
        let mut document = Document::new(Format::Code("python"));
        let mut around: Vec<(usize, usize)> = Vec::new();
        for &(kind, name, first, last, doc) in symbols {
            around.retain(|&(_, outer_last)| outer_last >= last);
            let parent = around.last().map(|&(block_idx, _)| block_idx);
            let (outer_name, is_local) = match parent.and_then(|parent| symbol_of(&document.blocks[parent])) {
                Some(outer) => {
                    (format!("{}.", outer.qualified_name), outer.is_local || is_function(outer.kind))
                }
                None => (String::new(), false),
            };
            let signature = match kind {
                SymbolKind::Class => format!("class {name}"),
                SymbolKind::Function | SymbolKind::Method => format!("def {name}()"),
                _ => format!("{name} = 1"),
            };
            let symbol = Symbol {
                kind,
                name: name.to_owned(),
                qualified_name: outer_name + name,
                name_line: LineNumber::from_idx(first - 1),
                signature: signature.clone(),
                doc: (!doc.is_empty()).then(|| doc.to_owned()),
                depth: around.len() as u32,
                parent,
                is_local,
                is_exported: !name.starts_with('_'),
            };
            around.push((document.blocks.len(), last));
            let origin = Origin::Lines(LineRange::from_idx(first - 1..last));
            document.blocks.push(Block::new(BlockKind::Symbol(Box::new(symbol)), signature, origin));
            document.extent.n_lines = document.extent.n_lines.max(last as u64);
            document.extent.n_symbols += 1;
        }
        document
    }

    fn symbol_of(block: &Block) -> Option<&Symbol> {
        match &block.kind {
            BlockKind::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    fn runner() -> Document<'static> {
        let mut document = code(&[
            (SymbolKind::Const, "LIMIT", 13, 13, ""),
            (SymbolKind::Function, "_profile", 15, 61, "Return the profile text."),
            (SymbolKind::Class, "Runner", 64, 210, ""),
            (SymbolKind::Field, "timeout", 65, 65, ""),
            (SymbolKind::Method, "run", 70, 96, "Run it."),
            (SymbolKind::Function, "inner", 75, 80, ""),
            (SymbolKind::Method, "close", 98, 98, ""),
            (SymbolKind::Function, "bash", 648, 697, ""),
        ]);
        let names = "annotations\nos\nre\nsubprocess\npathlib.Path\nsys\ntime\njson";
        let imports = Block::new(BlockKind::Imports, names, Origin::Lines(LineRange::from_idx(0..11)));
        // Imports come first, and symbols name their parents by block.
        for block in &mut document.blocks {
            if let BlockKind::Symbol(symbol) = &mut block.kind {
                symbol.parent = symbol.parent.map(|parent| parent + 1);
            }
        }
        document.blocks.insert(0, imports);
        document
    }

    /// The expected map is what just fits into as many characters as it has.
    fn check(document: &Document<'_>, query: Option<&str>, expected: &str) {
        let budget = expected.chars().count();
        let map = map(document, &MapOptions { budget, query: query.map(str::to_owned) });
        assert_eq!(map.text, expected);
    }

    #[test]
    fn all_is_told_when_there_is_room() {
        check(
            &runner(),
            None,
            "\
imports 1-11: annotations, os, re, subprocess, pathlib.Path, sys, time, json
13       LIMIT = 1
15-61    def _profile() — Return the profile text.
64-210   class Runner
  65       timeout = 1
  70-96    def run() — Run it.
    75-80    def inner()
  98       def close()
648-697  def bash()
[read a part: lines \"648-697\" or symbol \"Runner.run\"]
",
        );
    }

    #[test]
    fn less_is_told_step_by_step_when_there_is_not() {
        check(
            &runner(),
            None,
            "\
imports 1-11: annotations, os, re, subprocess, pathlib.Path, sys, time, json
13       LIMIT = 1
15-61    def _profile() — Return the profile text.
64-210   class Runner
  65       timeout = 1
  70-96    def run() (+1 local) — Run it.
  98       def close()
648-697  def bash()
[read a part: lines \"648-697\" or symbol \"Runner.run\"]
",
        );
        check(
            &runner(),
            None,
            "\
imports 1-11: annotations, os, re, subprocess, pathlib.Path (+3)
13       1 value
15-61    def _profile()
64-210   class Runner (+1 field)
  70-96    def run() (+1 local)
  98       def close()
648-697  def bash()
[read a part: lines \"648-697\" or symbol \"Runner.run\"]
",
        );
        check(
            &runner(),
            None,
            "\
imports 1-11: annotations, os, re (+5)
13       1 value
15-61    def _profile()
64-210   class Runner (+1 field, +1 local)
  70-98    run:70, close:98
648-697  def bash()
[read a part: lines \"648-697\" or symbol \"bash\"]
",
        );
    }

    #[test]
    fn a_sample_keeps_what_the_query_names_with_what_is_around_it() {
        check(
            &runner(),
            Some("close the runner"),
            "\
[... 2 symbols, lines 13-61 ...]
64-210  class Runner
[... 3 symbols, lines 65-96 ...]
  98      def close()
[... 1 symbol, lines 648-697 ...]
[read a part: lines \"98\" or symbol \"Runner.close\"]
",
        );
    }

    #[test]
    fn headings_sheets_and_tables_are_the_structure_of_documents() {
        let mut document = Document::new(Format::Docx);
        let mut table = Table::new();
        for cells in [["Name", "Price"], ["nut", "1"], ["bolt", "2"]] {
            assert!(table.push(Origin::File, cells));
        }
        table.n_header_rows = 1;
        for (kind, text) in [
            (BlockKind::Heading { level: 1 }, "Parts"),
            (BlockKind::Paragraph, "All of them."),
            (BlockKind::Heading { level: 2 }, "Prices"),
            (BlockKind::Table(Box::new(table)), ""),
            (BlockKind::Heading { level: 1 }, "Orders"),
        ] {
            document.blocks.push(Block::new(kind, text, Origin::File));
        }
        check(
            &document,
            None,
            "\
1-6  Parts
  3-6  Prices
    4-6  table, 2 rows: Name | Price
7    Orders
[read a part: lines \"7\"]
",
        );
    }

    #[test]
    fn headings_are_told_without_the_marks_of_markdown() {
        for (line, expected) in [
            ("## Bends", "Bends"),
            ("## Bends ##", "Bends"),
            ("# C#", "C#"),
            ("#", ""),
            ("Bends", "Bends"),
            ("Item #", "Item #"),
        ] {
            assert_eq!(heading_text(line), expected, "{line}");
        }
    }

    #[test]
    fn nothing_is_said_of_a_document_without_structure() {
        check(&Document::new(Format::Text), None, "");
    }

    #[test]
    fn symbols_are_found_by_name_and_by_its_ending() {
        let document = runner();
        let check = |name: &str, expected: &[&str]| {
            let found: Vec<&str> = symbol(&document, name)
                .into_iter()
                .filter_map(symbol_of)
                .map(|symbol| symbol.qualified_name.as_str())
                .collect();
            assert_eq!(found, expected, "{name}");
        };
        check("Runner.run", &["Runner.run"]);
        check("run", &["Runner.run"]);
        check("run()", &["Runner.run"]);
        check("Runner::close", &["Runner.close"]);
        check("runner.RUN", &["Runner.run"]);
        check("unner.run", &[]);
        check("", &[]);
    }

    #[test]
    fn a_range_is_enclosed_by_what_began_before_it() {
        let document = runner();
        let check = |lines: std::ops::Range<usize>, expected: &[&str]| {
            let found: Vec<&str> = enclosing(&document, LineRange::from_idx(lines.start - 1..lines.end))
                .into_iter()
                .filter_map(symbol_of)
                .map(|symbol| symbol.name.as_str())
                .collect();
            assert_eq!(found, expected);
        };
        check(76..77, &["Runner", "run", "inner"]);
        check(70..300, &["Runner"]);
        check(65..65, &["Runner"]);
        check(64..64, &[]);
        check(300..301, &[]);
    }

    const KINDS: &[SymbolKind] = &[
        SymbolKind::Class,
        SymbolKind::Function,
        SymbolKind::Method,
        SymbolKind::Const,
        SymbolKind::Field,
        SymbolKind::Variant,
        SymbolKind::Module,
    ];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        /// M4: a map is never over its budget, and is the same every time.
        #[test]
        fn maps_keep_their_budget(
            spans in prop::collection::vec((0..KINDS.len(), 1..3000usize, 0..400usize, "[a-zA-Zé_]{1,30}"), 1..300),
            budget in 50..20_000usize,
            query in prop::option::of("[a-z]{1,8}"),
        ) {
            let mut spans = spans;
            spans.sort_by_key(|&(_, first, length, _)| (first, std::cmp::Reverse(length)));
            let symbols: Vec<_> = spans
                .iter()
                .map(|(kind, first, length, name)| (KINDS[*kind], name.as_str(), *first, first + length, name.as_str()))
                .collect();
            let document = code(&symbols);
            let options = MapOptions { budget, query };
            let one = map(&document, &options);
            prop_assert!(one.text.chars().count() <= budget, "{} > {budget}", one.text.chars().count());
            prop_assert!(one.n_shown <= one.n_symbols);
            prop_assert_eq!(one.n_symbols, symbols.len());
            prop_assert_eq!(&one, &map(&document, &options));
            // What is neither shown nor folded stands in a gap.
            if one.text.contains("[... ") {
                let in_gaps: usize = one
                    .text
                    .lines()
                    .filter_map(|line| line.strip_prefix("[... ")?.split(' ').next()?.parse::<usize>().ok())
                    .sum();
                prop_assert_eq!(in_gaps + one.n_shown, one.n_symbols);
            }
        }
    }
}
