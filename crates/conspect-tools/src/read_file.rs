use std::collections::HashMap;

use conspect::{
    Answer, Asked, Body, Budget, Caps, Document, FormatFamily, Limits, LineChoice, LineRange, Listing, Mode,
    Notice, NoticeKind, Origin, PreviewOptions, RenderOptions, SelectError, Selection, Style, SymbolKind,
    Title, answer, enclosing, excerpt, lay_out, share, symbol,
};
use conspect_workspace::escaped;
use rayon::prelude::*;

use crate::context::{Context, Door};
use crate::error::{ErrorCode, ToolError};
use crate::explain::Explainer;
use crate::open::OpenFile;
use crate::parameters::ReadFile;
use crate::request::{Call, OutputFormat, Request, Wanted};
use crate::settings::Key;
use crate::tool::{Outcome, Report};
use crate::wire::{self, FileRecord};

/// Reads one or several files and hands the answer out piece by piece.
///
/// An error is a call that is wrong in itself. A file that fails is in the report, and in its own block of the answer.
pub fn read_file(
    context: &Context,
    parameters: &ReadFile,
    write: &mut dyn FnMut(&str),
) -> Result<Report, ToolError> {
    let call = Call::new(parameters, context)?;
    Ok(answer_call(context, &call, write))
}

/// Answers a call that was checked.
pub(crate) fn answer_call(context: &Context, call: &Call, write: &mut dyn FnMut(&str)) -> Report {
    let is_budgeted = call.budget.is_some() || call.requests.iter().any(Request::is_budgeted);
    // Without a budget to share, files are answered one after another, and only some are in memory at a time.
    let window = if is_budgeted { call.requests.len() } else { 2 * rayon::current_num_threads() };
    let mut report = Report::default();
    let mut n_hits = 0;
    let mut out = Out { call, context, write, n_written: 0, explainer: None };
    let budget = is_budgeted.then(|| out.budget());
    if call.explain || call.report.is_some() {
        out.explainer = Some(Explainer::new(call, budget));
    }
    out.begin();
    for requests in call.requests.chunks(window.max(1)) {
        let files = each(requests, |request| OpenFile::open(request, context));
        let read: Vec<_> = requests.iter().zip(&files).collect();
        let limits = Limits::default();
        let documents = each(&read, |(request, file)| match file {
            Ok(file) => file.read(request, &limits),
            Err(error) => Err(error.clone()),
        });
        let blocks: Vec<Block<'_>> = read
            .iter()
            .zip(&documents)
            .map(|((request, file), document)| Block {
                request,
                opened: match (file, document) {
                    (Ok(file), Ok(document)) => Ok((lay_out(document), file)),
                    (Err(error), _) | (_, Err(error)) => Err(error.clone()),
                },
            })
            .collect();
        for block in &blocks {
            report.notices.extend(block.notices());
        }
        let outcomes = match is_budgeted {
            true => out.write_within(&blocks),
            false => out.write_each(&blocks),
        };
        for outcome in outcomes {
            match outcome {
                Done::Shown => n_hits += 1,
                Done::NoHit => report.outcome = Outcome::NothingMatched,
                Done::Failed(error) => report.errors.push(error),
            }
        }
    }
    out.write_report(budget, &mut report);
    report.explanation = out.end(budget);
    if !report.errors.is_empty() {
        report.outcome = Outcome::SomeFailed;
    } else if n_hits > 0 {
        report.outcome = Outcome::Fine;
    }
    report
}

/// Calls `make` for every item: in parallel where there are several, and in place where there is one.
pub(crate) fn each<T: Sync, R: Send>(items: &[T], make: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    match items {
        [] | [_] => items.iter().map(make).collect(),
        items => items.par_iter().map(make).collect(),
    }
}

/// A file of the call, read and laid out, or the reason why not.
struct Block<'a> {
    request: &'a Request,
    opened: Result<(Listing<'a>, &'a OpenFile), ToolError>,
}

/// What came of a block.
enum Done {
    Shown,
    NoHit,
    Failed(ToolError),
}

/// What a block holds in the end.
enum Content {
    Answers(Vec<Answer>),
    /// A plain answer: nothing matches.
    NoHit(String),
    Failed(ToolError),
}

impl Block<'_> {
    fn notices(&self) -> Vec<String> {
        match &self.opened {
            Ok((listing, file)) => notices_in_words(&file.name, listing.document(), listing.n_lines() == 0),
            Err(_) => Vec::new(),
        }
    }

    /// The answer within so many characters, or within the caps of lines that were asked for.
    fn content(&self, context: &Context, call: &Call, max_chars: Option<usize>) -> Content {
        let (listing, file) = match &self.opened {
            Ok(opened) => opened,
            Err(error) => return Content::Failed(error.clone()),
        };
        let name = if call.requests.len() > 1 { escaped(&file.path) } else { file.name.clone() };
        let part = self.part(listing);
        let title = Title { name: &name, hash: file.hash, part: part.as_deref() };
        let title = call.header.then_some(&title);
        match self.answers(listing, &file.name, context, call, title, max_chars) {
            Ok(answers) => Content::Answers(answers),
            Err(Unanswered::NoHit { filter, n_lines }) => {
                let noun = if n_lines == 1 { "line" } else { "lines" };
                Content::NoHit(format!("{name}: no line matches {filter} ({n_lines} {noun} searched)\n"))
            }
            Err(Unanswered::Failed(error)) => Content::Failed(error),
        }
    }

    /// The part of the file that is shown, in words: that which the request names, or the symbol around its lines.
    fn part(&self, listing: &Listing<'_>) -> Option<String> {
        if let Some(part) = &self.request.part {
            return Some(part.clone());
        }
        let Wanted::Lines(Selection { lines: LineChoice::Ranges(ranges), filter: None }) =
            &self.request.wanted
        else {
            return None;
        };
        let (range, _) = ranges.first()?;
        if let Some(place) = listing.place(range.first.idx(), 0) {
            return Some(format!("at {place}"));
        }
        let around = enclosing(listing.document(), LineRange { first: range.first, last: range.last });
        match &around.last()?.kind {
            conspect::BlockKind::Symbol(symbol) => Some(format!("in {}", symbol.qualified_name)),
            _ => None,
        }
    }

    fn answers(
        &self,
        listing: &Listing<'_>,
        name: &str,
        context: &Context,
        call: &Call,
        title: Option<&Title<'_>>,
        max_chars: Option<usize>,
    ) -> Result<Vec<Answer>, Unanswered> {
        let request = self.request;
        let render = self.render(call, listing.document());
        let unanswered = |error: SelectError| match error {
            SelectError::NoHit { filter, n_lines } => Unanswered::NoHit { filter, n_lines },
            error => Unanswered::Failed(ToolError::from_select(name, &error)),
        };
        let also = request.repeated_in_words();
        let lines = |title: Option<&Title<'_>>,
                     selection: &Selection,
                     symbol: Option<&str>,
                     max_chars: Option<usize>| {
            let caps = self.caps(context, selection, max_chars.is_some());
            let asked = Asked { selection, symbol, caps, max_chars, also: &also, render: &render };
            excerpt(listing, title, &asked).map_err(unanswered)
        };
        let preview = |mode: Mode, max_chars: usize| {
            let options = PreviewOptions {
                mode,
                budget: Budget::Chars(max_chars),
                query: request.query.as_ref(),
                query_share: request.query_share,
                line_cap: context.settings.count(Key::ReadMaxLineChars),
                render: render.clone(),
            };
            answer(listing, title, &options, max_chars)
        };
        let default_chars = context.settings.count(Key::ReadBatchMaxChars);
        let mut answers = Vec::new();
        let mut title = title;
        let mut left = max_chars;
        if request.with_outline {
            let outline = preview(Mode::Outline, max_chars.unwrap_or(default_chars) / 2);
            left = max_chars.map(|max_chars| max_chars - outline.n_chars(listing, &render).min(max_chars));
            answers.push(outline);
            title = None;
        }
        answers.push(match &request.wanted {
            Wanted::Preview(Mode::Full) if left.is_none() && !self.has_caps(context) => {
                preview(Mode::Full, usize::MAX)
            }
            Wanted::Preview(Mode::Full) => lines(title, &Selection::default(), None, left)?,
            Wanted::Preview(mode) => preview(*mode, left.unwrap_or(default_chars)),
            Wanted::Lines(selection) => lines(title, selection, None, left)?,
            Wanted::Symbol(wanted) => {
                let (symbol, selection) = symbol_lines(listing, name, wanted)?;
                lines(title, &selection, Some(&symbol), left)?
            }
        });
        Ok(answers)
    }

    fn render(&self, call: &Call, document: &Document<'_>) -> RenderOptions {
        let is_document = matches!(document.format.family(), FormatFamily::Document | FormatFamily::Workbook);
        let is_full = matches!(self.request.wanted, Wanted::Preview(Mode::Full));
        self.request.render(match call.format {
            Some(OutputFormat::Markdown) => Style::Markdown,
            None if is_full && is_document => Style::Markdown,
            _ => Style::Text,
        })
    }

    fn has_caps(&self, context: &Context) -> bool {
        context.door == Door::Model || self.request.max_lines.is_some() || self.request.max_bytes.is_some()
    }

    /// The ceilings on lines that were asked for: those of the call, and at a model's door always some.
    fn caps(&self, context: &Context, selection: &Selection, is_budgeted: bool) -> Caps {
        let request = self.request;
        let default = |key| match context.door {
            Door::Model => context.settings.count(key),
            Door::Command => usize::MAX,
        };
        // A person who asks for a line by its number wants all of it; a filter may hit a line of a megabyte.
        let cuts_lines = context.door == Door::Model || is_budgeted || selection.filter.is_some();
        Caps {
            max_lines: request.max_lines.unwrap_or_else(|| default(Key::ReadMaxLines)),
            max_bytes: request.max_bytes.unwrap_or_else(|| default(Key::ReadMaxOutputBytes)),
            max_line_chars: match cuts_lines && request.first_char == 0 {
                true => context.settings.count(Key::ReadMaxLineChars),
                false => usize::MAX,
            },
            first_char: request.first_char,
            ..Caps::NONE
        }
    }

    fn is_budgeted(&self, call: &Call) -> bool {
        call.budget.is_some() || self.request.is_budgeted()
    }
}

/// The lines of the one symbol that a name means.
fn symbol_lines(listing: &Listing<'_>, name: &str, wanted: &str) -> Result<(String, Selection), Unanswered> {
    let found = symbol(listing.document(), wanted);
    let mut named: Vec<(String, LineRange)> = Vec::new();
    let mut parts: Vec<LineRange> = Vec::new();
    for block in &found {
        if let (conspect::BlockKind::Symbol(symbol), Origin::Lines(lines)) = (&block.kind, block.origin) {
            // A type and the blocks that implement it are one answer.
            if symbol.kind == SymbolKind::Impl && found.len() > 1 {
                parts.push(lines);
            } else {
                named.push((symbol.qualified_name.clone(), lines));
            }
        }
    }
    let failed = |cause: String, advice: String| {
        Err(Unanswered::Failed(ToolError::new(ErrorCode::NotThere, cause, advice)))
    };
    match named.as_slice() {
        [] => failed(
            format!("{name} has no symbol {wanted:?}"),
            "Use outline, or mode \"outline\", to see its symbols".to_owned(),
        ),
        [(qualified, lines)] => {
            let ranges = std::iter::once(*lines).chain(parts).map(|lines| (lines, false)).collect();
            Ok((qualified.clone(), Selection { lines: LineChoice::Ranges(ranges), filter: None }))
        }
        // Overloads and branches that define the same name are all meant.
        [(qualified, _), rest @ ..] if rest.iter().all(|(other, _)| other == qualified) => {
            let ranges =
                named.iter().map(|(_, lines)| *lines).chain(parts).map(|lines| (lines, false)).collect();
            Ok((qualified.clone(), Selection { lines: LineChoice::Ranges(ranges), filter: None }))
        }
        several => {
            let names: Vec<String> = several
                .iter()
                .take(10)
                .map(|(qualified, lines)| format!("{qualified} ({}-{})", lines.first, lines.last))
                .collect();
            failed(
                format!("{wanted:?} means {} symbols of {name}", several.len()),
                format!("Name one of {}", names.join(", ")),
            )
        }
    }
}

/// Why there is no answer for a file that was read.
enum Unanswered {
    NoHit { filter: String, n_lines: usize },
    Failed(ToolError),
}

impl From<ToolError> for Unanswered {
    fn from(error: ToolError) -> Unanswered {
        Unanswered::Failed(error)
    }
}

/// Writes the blocks of a call in the form that it asks for.
struct Out<'c, 'w> {
    call: &'c Call,
    context: &'c Context,
    write: &'w mut dyn FnMut(&str),
    n_written: usize,
    explainer: Option<Explainer>,
}

impl Out<'_, '_> {
    fn begin(&mut self) {
        if self.call.format == Some(OutputFormat::Json) {
            self.print(&wire::beginning());
        }
    }

    /// Ends the answer. What explains it comes back where it is no part of the answer.
    fn end(&mut self, budget: Option<Budget>) -> Option<String> {
        let is_json = self.call.format == Some(OutputFormat::Json);
        let Some(mut explainer) = self.explainer.take().filter(|_| self.call.explain) else {
            if is_json {
                (self.write)(wire::END);
            }
            return None;
        };
        if is_json {
            explainer.printed(wire::END);
        }
        let explanation = explainer.finish(budget);
        match self.call.format {
            Some(OutputFormat::Json) => wire::write_explained_end(&explanation, self.write),
            Some(OutputFormat::JsonLines) => wire::write_explanation_line(&explanation, self.write),
            Some(OutputFormat::Text | OutputFormat::Markdown) | None => return Some(explanation.text()),
        }
        None
    }

    /// Draws the report, where one is wanted and there is something to draw.
    fn write_report(&mut self, budget: Option<Budget>, report: &mut Report) {
        let (Some(explainer), Some(destination)) = (&self.explainer, &self.call.report) else { return };
        let Some(page) = explainer.page(budget, &report.errors) else { return };
        match self.context.workspace.write(destination, page.as_bytes()) {
            Ok(()) => report.notices.push(format!("the report is in {}", escaped(destination.given()))),
            Err(error) => report.errors.push(ToolError::from_write("report", &error)),
        }
    }

    /// The budget of the call, given or not.
    fn budget(&self) -> Budget {
        let default = || Budget::Chars(self.context.settings.count(Key::ReadBatchMaxChars));
        self.call.budget.unwrap_or_else(default)
    }

    fn print(&mut self, text: &str) {
        if let Some(explainer) = &mut self.explainer {
            explainer.printed(text);
        }
        (self.write)(text);
    }

    fn explain(&mut self, block: &Block<'_>, content: &Content) {
        let Some(explainer) = &mut self.explainer else { return };
        match (content, &block.opened) {
            (Content::Answers(answers), Ok((listing, _))) => {
                let render = block.render(self.call, listing.document());
                for answer in answers {
                    explainer.add(block.request, listing, answer, &render);
                }
            }
            (Content::NoHit(message), _) => explainer.add_message(block.request, message),
            _ => {}
        }
    }

    /// Writes blocks that have no budget to share.
    fn write_each(&mut self, blocks: &[Block<'_>]) -> Vec<Done> {
        let contents = each(blocks, |block| block.content(self.context, self.call, None));
        let mut done = Vec::new();
        for (block, content) in blocks.iter().zip(contents) {
            let is_first = self.n_written == 0;
            let (write, explainer) = (&mut *self.write, &mut self.explainer);
            let written = write_block(self.call, self.context, block, &content, is_first, &mut |piece| {
                if let Some(explainer) = explainer {
                    explainer.printed(piece);
                }
                write(piece);
            });
            self.n_written += usize::from(written);
            self.explain(block, &content);
            done.push(Done::of(content));
        }
        done
    }

    /// Writes all blocks of the call within its budget.
    fn write_within(&mut self, blocks: &[Block<'_>]) -> Vec<Done> {
        let budget = self.budget();
        let around = match self.call.format {
            Some(OutputFormat::Json) => wire::beginning().chars().count() + wire::END.len(),
            _ => 0,
        };
        let mut contents = Vec::new();
        // A budget in tokens is met by trying, and the last try need not be the best.
        let mut tries: Vec<(String, Vec<Content>)> = Vec::new();
        let explains = self.explainer.is_some();
        let mut answer_within = |max_chars: usize| {
            let before = std::mem::replace(&mut contents, self.contents_within(blocks, max_chars));
            if let Some((_, contents)) = tries.last_mut() {
                *contents = before;
            }
            let mut text = String::new();
            let mut is_first = true;
            for (block, content) in blocks.iter().zip(&contents) {
                let written = write_block(self.call, self.context, block, content, is_first, &mut |piece| {
                    text.push_str(piece);
                });
                is_first &= !written;
            }
            if explains {
                tries.push((text.clone(), Vec::new()));
            }
            text
        };
        let text = match (budget, self.call.format) {
            (Budget::Chars(max_chars), Some(OutputFormat::Json | OutputFormat::JsonLines)) => {
                fit_by_trying(max_chars.saturating_sub(around), answer_within)
            }
            (Budget::Chars(max_chars), _) => answer_within(max_chars),
            (Budget::Tokens(n_tokens), _) => {
                Budget::Tokens(n_tokens.saturating_sub(around).max(1)).fit(answer_within)
            }
        };
        if budget.measure(&text) + around > budget.amount()
            && matches!(self.call.format, Some(OutputFormat::Json | OutputFormat::JsonLines))
        {
            // Keys and hashes cannot be cut, and an answer over the budget is worse than none.
            let needed = budget.measure(&text) + around;
            return vec![Done::Failed(ToolError::invalid(
                format!("a budget of {} is too small for an answer in JSON", budget.amount()),
                format!("Give at least {needed}, or ask for text"),
            ))];
        }
        self.print(&text);
        if explains {
            tries.pop_if(|(last, _)| *last == text);
            let best = tries.iter().find(|(tried, _)| *tried == text);
            for (block, content) in blocks.iter().zip(best.map_or(&contents, |(_, contents)| contents)) {
                self.explain(block, content);
            }
        }
        contents.into_iter().map(Done::of).collect()
    }

    /// The contents of all blocks within so many characters, shared so that none gets more than it needs.
    fn contents_within(&self, blocks: &[Block<'_>], max_chars: usize) -> Vec<Content> {
        let content = |block: &Block<'_>, max_chars| block.content(self.context, self.call, max_chars);
        let own = |block: &Block<'_>, max_chars: usize| block.is_budgeted(self.call).then_some(max_chars);
        if let [block] = blocks {
            return vec![content(block, own(block, max_chars))];
        }
        // Between blocks there is an empty line.
        let max_chars = max_chars.saturating_sub(blocks.len() - 1);
        let full = each(blocks, |block| content(block, own(block, max_chars)));
        let needs: Vec<usize> = blocks
            .iter()
            .zip(&full)
            .map(|(block, content)| match block.is_budgeted(self.call) {
                true => n_chars(self.call, self.context, block, content),
                false => 0,
            })
            .collect();
        if needs.iter().sum::<usize>() <= max_chars {
            return full;
        }
        let shares = share(max_chars, &needs);
        let shared: Vec<_> = blocks.iter().zip(shares).collect();
        each(&shared, |(block, share)| content(block, own(block, *share)))
    }
}

impl Done {
    fn of(content: Content) -> Done {
        match content {
            Content::Answers(_) => Done::Shown,
            Content::NoHit(_) => Done::NoHit,
            Content::Failed(error) => Done::Failed(error),
        }
    }
}

fn n_chars(call: &Call, context: &Context, block: &Block<'_>, content: &Content) -> usize {
    let mut n_chars = 0;
    write_block(call, context, block, content, true, &mut |piece| n_chars += piece.chars().count());
    n_chars
}

/// Writes one block; `false` if there was nothing to write.
fn write_block(
    call: &Call,
    context: &Context,
    block: &Block<'_>,
    content: &Content,
    is_first: bool,
    write: &mut dyn FnMut(&str),
) -> bool {
    match call.format {
        Some(OutputFormat::Json) => {
            if !is_first {
                write(",");
            }
            wire::write_json(&record(block, content), write);
            return true;
        }
        Some(OutputFormat::JsonLines) => {
            wire::write_json_lines(&record(block, content), write);
            return true;
        }
        Some(OutputFormat::Text | OutputFormat::Markdown) | None => {}
    }
    let failed;
    let text: Option<&str> = match content {
        Content::Answers(_) => None,
        Content::NoHit(text) => Some(text),
        // At the command line errors go where errors go.
        Content::Failed(_) if context.door == Door::Command => return false,
        Content::Failed(error) => {
            failed = format!("[{} · {}] {error}\n", escaped(&block.request.path), error.code.name());
            Some(&failed)
        }
    };
    if !is_first {
        write("\n");
    }
    if let Some(text) = text {
        write(text);
    }
    if let (Content::Answers(answers), Ok((listing, _))) = (content, &block.opened) {
        let render = block.render(call, listing.document());
        for answer in answers {
            answer.write(listing, &render, write);
        }
    }
    true
}

fn record<'a>(block: &'a Block<'_>, content: &'a Content) -> FileRecord<'a> {
    let (listing, file) = match &block.opened {
        Ok(opened) => opened,
        Err(error) => return FileRecord::failed(&block.request.path, error),
    };
    match content {
        Content::Answers(answers) => FileRecord::read(file, block.request, listing, answers),
        Content::NoHit(message) => FileRecord::no_hit(file, block.request, listing, message.trim_end()),
        Content::Failed(error) => FileRecord::failed(&block.request.path, error),
    }
}

/// An answer of at most `max_chars` characters, where the characters of the text are not those of the answer: the
/// amount of text is found by halving.
fn fit_by_trying(max_chars: usize, mut answer_within: impl FnMut(usize) -> String) -> String {
    let whole = answer_within(max_chars);
    let n_chars = whole.chars().count();
    if n_chars <= max_chars {
        return whole;
    }
    let mut most = max_chars;
    let mut least = 0;
    let mut next = (max_chars as f64 * max_chars as f64 / n_chars as f64) as usize;
    let mut best = None;
    for _ in 0..10 {
        let text = answer_within(next);
        let n_chars = text.chars().count();
        if n_chars <= max_chars {
            least = next;
            best = Some(next);
            if n_chars * 100 >= max_chars * 92 {
                return text;
            }
        } else {
            most = next;
        }
        if most <= least + 1 {
            break;
        }
        next = least + (most - least) / 2;
    }
    answer_within(best.unwrap_or(0))
}

/// How many notices of one file are told one by one.
const MAX_NOTICES: usize = 10;

/// What was lost or guessed, a line each; the same thing in many places is told once.
pub(crate) fn notices_in_words(name: &str, document: &Document<'_>, is_empty: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if is_empty {
        lines.push(format!("{name} is empty"));
    }
    let mut places: HashMap<(NoticeKind, &str), usize> = HashMap::new();
    let mut firsts: Vec<&Notice> = Vec::new();
    for notice in &document.notices {
        if notice.kind == NoticeKind::LeftOut {
            continue;
        }
        let n_places = places.entry((notice.kind, &notice.message)).or_default();
        *n_places += 1;
        if *n_places == 1 {
            firsts.push(notice);
        }
    }
    for notice in firsts.iter().take(MAX_NOTICES) {
        let n_places = places.get(&(notice.kind, notice.message.as_str())).copied().unwrap_or(1);
        lines.push(match n_places {
            1 => format!("{name}: {notice}"),
            2 => format!("{name}: {notice} (and in 1 other place)"),
            n_places => format!("{name}: {notice} (and in {} other places)", n_places - 1),
        });
    }
    if firsts.len() > MAX_NOTICES {
        lines.push(format!("{name}: {} more notices; --format json has all", firsts.len() - MAX_NOTICES));
    }
    lines
}

/// Whether an answer is made of text that is no part of the file's lines.
pub(crate) fn map_text(answers: &[Answer]) -> Option<&str> {
    answers.iter().find_map(|answer| match &answer.body {
        Body::Text(text) => Some(text.as_str()),
        Body::View(_) => None,
    })
}
