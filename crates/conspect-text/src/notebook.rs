//! Jupyter notebooks (format versions 3 and 4), laid out cell by cell.
//!
//! Every cell begins with a line that gives its id, type and run number; then come the headings, paragraphs and code
//! of a Markdown cell, or the source and the outputs of a code cell. Pictures are named with type and size; their
//! bytes are not read. A notebook that breaks off gives the cells before the break, and one that is no JSON at all is
//! read as plain text.

use conspect_model::{
    Block, BlockKind, Document, Extent, Format, Input, Limits, Notice, NoticeKind, Origin, ReadError, Scope,
    TextLines,
};

mod json;
mod markdown_cell;

use json::{Cell, Output, Shown};

use crate::{SourceText, ansi, html, plain};

/// Reads a notebook.
pub fn read<'a>(input: &Input<'a>, _scope: &Scope, limits: &Limits) -> Result<Document<'a>, ReadError> {
    let source = SourceText::decode(input, limits)?;
    if source.n_chars() > limits.max_chars {
        return Err(ReadError::Limit { what: "text", limit: limits.max_chars as u64 });
    }
    let mut notebook = json::Notebook::default();
    let outcome = notebook.read(&source.text(), limits);
    if let (Err(error), []) = (&outcome, notebook.cells.as_slice()) {
        let message = format!("this is no notebook ({error}), so it is read as plain text");
        let mut document = plain::document(Format::Json, source);
        document.notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
        return Ok(document);
    }
    let mut document = Document::new(Format::Notebook);
    document.extent = Extent { n_cells: notebook.cells.len() as u32, ..Extent::default() };
    document.encoding = Some(source.encoding().clone());
    document.notices = source.notices();
    document.metadata.title = notebook.title.take();
    for (cell_idx, cell) in notebook.cells.iter().enumerate() {
        if limits.stop.is_stopped() {
            let message = format!("reading was stopped after {cell_idx} of {} cells", notebook.cells.len());
            document.notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
            break;
        }
        lay_out_cell(cell, cell_idx as u32, notebook.language.as_deref(), &mut document.blocks);
    }
    if let Err(error) = outcome {
        let n_cells = notebook.cells.len();
        let message = format!("the notebook breaks off after {n_cells} cells: {error}");
        document.notices.push(Notice::new(NoticeKind::Damaged, message, Origin::File));
    }
    if notebook.n_cells_left_out > 0 {
        let message = format!("{} more cells are not read", notebook.n_cells_left_out);
        document.notices.push(Notice::new(NoticeKind::Limit, message, Origin::File));
    }
    Ok(document)
}

fn lay_out_cell(cell: &Cell, cell_idx: u32, language: Option<&str>, blocks: &mut Vec<Block>) {
    let origin = Origin::NotebookCell(cell_idx);
    blocks.push(Block::new(BlockKind::Paragraph, label(cell, cell_idx), origin));
    let source = cell.source.trim_end_matches('\n');
    match cell.cell_type.as_str() {
        "code" => {
            if !source.is_empty() {
                let language =
                    cell_magic(source).or(cell.language.as_deref()).or(language).map(str::to_owned);
                blocks.push(Block::new(BlockKind::Code { language }, source, origin));
            }
            for output in &cell.outputs {
                lay_out_output(output, origin, blocks);
            }
        }
        "markdown" => markdown_cell::lay_out(source, origin, blocks),
        "heading" => {
            let level = cell.level.clamp(1, 6) as u8;
            blocks.push(Block::new(BlockKind::Heading { level }, source.replace('\n', " "), origin));
        }
        _ => {
            if !source.is_empty() {
                blocks.push(Block::new(BlockKind::Code { language: None }, source, origin));
            }
        }
    }
    for (mime, n_bytes) in &cell.attachments {
        blocks.push(Block::new(BlockKind::Figure, picture(mime, *n_bytes), origin));
    }
}

/// `[a1b2c3] code, run 5`; a cell without an id is called by its number, as notebook programs do.
fn label(cell: &Cell, cell_idx: u32) -> String {
    let id = cell.id.clone().unwrap_or_else(|| format!("cell-{cell_idx}"));
    let cell_type = if cell.cell_type.is_empty() { "cell" } else { &cell.cell_type };
    match cell.run {
        Some(run) => format!("[{id}] {cell_type}, run {run}"),
        None => format!("[{id}] {cell_type}"),
    }
}

/// The language that the first line of a cell calls for: `%%bash`.
fn cell_magic(source: &str) -> Option<&str> {
    const LANGUAGES: &[&str] =
        &["bash", "sh", "html", "javascript", "js", "latex", "perl", "ruby", "sql", "svg"];
    let name = source.lines().next()?.strip_prefix("%%")?.split_whitespace().next()?;
    LANGUAGES.contains(&name).then_some(name)
}

fn lay_out_output(output: &Output, origin: Origin, blocks: &mut Vec<Block>) {
    let mut push_text = |text: &str| {
        let text = ansi::as_shown(text);
        let text = text.trim_end();
        if !text.trim().is_empty() {
            blocks.push(Block::new(BlockKind::Code { language: None }, text, origin));
        }
    };
    push_text(&output.text);
    match (output.traceback.is_empty(), &output.error) {
        (false, _) => push_text(&output.traceback),
        (true, Some(error)) => push_text(error),
        (true, None) => {}
    }
    match shown_text(output) {
        Some(("text/html", text)) => push_text(&html::text_of(text)),
        Some((_, text)) => push_text(text),
        None => {}
    }
    for (mime, shown) in &output.data {
        match shown {
            Shown::Picture { n_bytes } => {
                blocks.push(Block::new(BlockKind::Figure, picture(mime, *n_bytes), origin));
            }
            Shown::Other if shown_text(output).is_none() => {
                blocks.push(Block::new(BlockKind::Figure, format!("{mime}, not shown"), origin));
            }
            Shown::Other | Shown::Text(_) => {}
        }
    }
}

/// An output comes in several forms that say the same; the one that is shown is the plainest that says anything.
fn shown_text(output: &Output) -> Option<(&str, &str)> {
    let form = |wanted: &'static str| {
        output.data.iter().find_map(|(mime, shown)| match shown {
            Shown::Text(text) if mime == wanted => Some((wanted, text.as_str())),
            _ => None,
        })
    };
    let rich = || ["text/markdown", "text/html", "text/latex", "application/json"].into_iter().find_map(form);
    match form("text/plain") {
        // `<IPython.core.display.HTML object>` says nothing.
        Some((_, text)) if text.starts_with('<') && text.trim_end().ends_with(" object>") => {
            rich().or(form("text/plain"))
        }
        Some(plain) => Some(plain),
        None => rich(),
    }
}

fn picture(mime: &str, n_bytes: usize) -> String {
    match n_bytes {
        0..1000 => format!("{mime}, {n_bytes} bytes"),
        _ => format!("{mime}, {} kB", (n_bytes + 500) / 1000),
    }
}
