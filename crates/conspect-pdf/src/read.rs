use std::panic::{AssertUnwindSafe, catch_unwind};

use conspect_model::{
    Document, Format, Input, Limits, Notice, NoticeKind, Origin, PageKind, PageNumber, PageSummary,
    ReadError, Recognizer, Rect, RunningText, Scope,
};
use hayro_syntax::Pdf;
use hayro_syntax::object::Dict;
use hayro_syntax::page::Page;

use crate::content::Interpreter;
use crate::fallback::Fallback;
use crate::font::Fonts;
use crate::glyph::PageContent;
use crate::layers::Layers;
use crate::layout::{
    Figure, Furniture, LaidPage, Place, Run, blocks, figures, places, runs, say_actual_texts, says_kinds,
    take_out_furniture,
};
use crate::metadata::metadata;
use crate::open::open;
use crate::structure::Structure;

/// Notices about running headers and footers; the last sums up the rest.
const MAX_FURNITURE: usize = 20;

/// Reads the pages of a PDF that the scope asks for.
///
/// The extent, the metadata and the outline are those of the whole file. A damaged page costs that page and a notice.
pub fn read(input: &Input<'_>, scope: &Scope, limits: &Limits) -> Result<Document<'static>, ReadError> {
    let mut document = Document::new(Format::Pdf);
    let pdf = open(input, limits, &mut document.notices)?;
    let n_pages = pdf.pages().len();
    document.extent.n_pages = u32::try_from(n_pages).unwrap_or(u32::MAX);
    check_scope(scope, document.extent.n_pages)?;
    // The libraries promise not to panic on any file; a file that makes them do so anyway costs its metadata only.
    match catch_unwind(AssertUnwindSafe(|| metadata(&pdf))) {
        Ok(metadata) => document.metadata = metadata,
        Err(_) => document.notices.push(Notice::new(
            NoticeKind::Damaged,
            "the metadata and the outline cannot be read",
            Origin::File,
        )),
    }
    read_pages(&pdf, input, scope, limits, &mut document);
    Ok(document)
}

/// A page beyond the last one is an error, even when other pages asked for exist.
fn check_scope(scope: &Scope, n_pages: u32) -> Result<(), ReadError> {
    let Some(ranges) = &scope.pages else { return Ok(()) };
    let missing = ranges.iter().find(|range| range.start().get() > n_pages);
    match missing {
        Some(range) => Err(no_such_page(*range.start(), n_pages)),
        None => Ok(()),
    }
}

pub(crate) fn no_such_page(number: PageNumber, n_pages: u32) -> ReadError {
    ReadError::NotThere {
        what: format!("page {number}"),
        instead: match n_pages {
            1 => "the file has 1 page".to_string(),
            n => format!("the file has {n} pages"),
        },
    }
}

fn read_pages(
    pdf: &Pdf,
    input: &Input<'_>,
    scope: &Scope,
    limits: &Limits,
    document: &mut Document<'static>,
) {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let layers = Layers::of_catalog(&catalog);
    let mut interpreter = Interpreter { fonts: Fonts::new(), layers, limits };
    // See `read` on why panics are caught here.
    let structure = catch_unwind(AssertUnwindSafe(|| Structure::of_catalog(&catalog, pdf.xref())));
    let mut structure = structure.unwrap_or_default();
    let fallback = Fallback::new(pdf);
    let mut laid: Vec<LaidPage> = Vec::new();
    let mut n_chars = 0;
    for (page_idx, page) in pdf.pages().iter().enumerate() {
        let number = PageNumber::from_idx(page_idx);
        if !scope.wants_page(number) {
            continue;
        }
        if limits.stop.is_stopped() {
            let message = "reading was stopped here: this page and those after it are missing";
            document.notices.push(Notice::new(NoticeKind::Limit, message, origin(page, number)));
            break;
        }
        // See `read` on why a panic is caught here. What is shared with the next page is a cache of fonts, which is
        // filled only with whole entries.
        let content = catch_unwind(AssertUnwindSafe(|| {
            let mut content = fallback.better(interpreter.page(page), page, number.get());
            let tagged = structure.as_mut().and_then(|structure| tagged(structure, page, &mut content));
            let places = tagged.as_ref().and_then(|(places, _)| places.as_deref());
            let runs = runs(&content, interpreter.fonts.styles(), places.unwrap_or_default());
            let is_tagged = places.is_some();
            (content, runs, is_tagged, tagged.map(|(_, figures)| figures).unwrap_or_default())
        }));
        let Ok((content, mut runs, is_tagged, figures)) = content else {
            let message = "the page cannot be interpreted";
            document.notices.push(Notice::new(NoticeKind::Damaged, message, origin(page, number)));
            interpreter.fonts = Fonts::new();
            structure = None;
            continue;
        };
        let kind = kind_of(&content, &runs);
        notices_of(&content, origin(page, number), &mut document.notices);
        if kind == PageKind::Image {
            let (recognized, notice) = match input.recognizer {
                Some(recognizer) => machine_read(page, recognizer),
                None => (Vec::new(), Notice::new(NoticeKind::NoText, no_text(&content), Origin::File)),
            };
            runs = recognized;
            document.notices.push(Notice { origin: origin(page, number), ..notice });
        }
        let is_recognized = kind == PageKind::Image && !runs.is_empty();
        document.pages.push(PageSummary { number, kind, is_recognized });
        let n_own_chars = content.text.len();
        n_chars += n_own_chars.max(runs.iter().map(|run| run.text.len()).sum());
        let (_, height) = page.render_dimensions();
        laid.push(LaidPage { number, height, runs, rules: content.rules, is_tagged, figures });
        if n_chars > limits.max_chars {
            let message = "the text is over the limit: the pages after this one are missing";
            document.notices.push(Notice::new(NoticeKind::Limit, message, origin(page, number)));
            break;
        }
    }
    if structure.as_ref().is_none_or(|structure| !says_kinds(structure, &laid)) {
        laid.iter_mut().for_each(|page| page.is_tagged = false);
    }
    let furniture = match scope.running_text {
        RunningText::LeftOut => take_out_furniture(&mut laid),
        RunningText::Kept => Vec::new(),
    };
    let structure = structure.as_ref();
    document.blocks =
        blocks(laid, structure, &document.metadata.outline, limits.max_cells, &mut document.notices);
    tell_furniture(&furniture, document);
}

/// What the structure tree says of the tags of a page, where it is to be believed, and the figures it has words for.
fn tagged(
    structure: &mut Structure<'_>,
    page: &Page<'_>,
    content: &mut PageContent,
) -> Option<(Option<Vec<Place>>, Vec<Figure>)> {
    let of_page = structure.page(page.raw(), content);
    say_actual_texts(structure, &of_page, content);
    let (width, height) = page.render_dimensions();
    let whole_page = Rect { x0: 0.0, y0: 0.0, x1: width, y1: height };
    let figures = figures(structure, &of_page, content, whole_page);
    Some((places(structure, &of_page, content), figures))
}

/// The whole page.
fn origin(page: &Page<'_>, number: PageNumber) -> Origin {
    let (width, height) = page.render_dimensions();
    Origin::Page { page: number, rect: Rect { x0: 0.0, y0: 0.0, x1: width, y1: height } }
}

fn kind_of(content: &PageContent, runs: &[Run]) -> PageKind {
    match (runs.is_empty(), content.n_images) {
        (true, 0) => PageKind::Empty,
        (true, _) => PageKind::Image,
        (false, 0) => PageKind::Text,
        (false, _) => PageKind::Mixed,
    }
}

/// What the recognizer reads in the picture of the page, with a notice that says so.
#[cfg(feature = "render")]
fn machine_read(page: &Page<'_>, recognizer: &dyn Recognizer) -> (Vec<Run>, Notice) {
    let name = recognizer.name();
    match crate::recognized::recognized(page, recognizer) {
        Ok(runs) if runs.is_empty() => {
            let message = format!("{name} finds no text in the picture of the page");
            (runs, Notice::new(NoticeKind::NoText, message, Origin::File))
        }
        Ok(runs) => {
            let message = format!("the text was read from a picture by {name}, and may be wrong");
            (runs, Notice::new(NoticeKind::Guessed, message, Origin::File))
        }
        Err(why) => {
            let message = format!("the picture of the page was not read by {name}: {why}");
            (Vec::new(), Notice::new(NoticeKind::NoText, message, Origin::File))
        }
    }
}

#[cfg(not(feature = "render"))]
fn machine_read(_: &Page<'_>, recognizer: &dyn Recognizer) -> (Vec<Run>, Notice) {
    let message = format!("no picture of the page can be drawn for {} in this build", recognizer.name());
    (Vec::new(), Notice::new(NoticeKind::NoText, message, Origin::File))
}

fn no_text(content: &PageContent) -> String {
    match content.n_images {
        1 => "no text, 1 image".to_string(),
        n_images => format!("no text, {n_images} images"),
    }
}

fn notices_of(content: &PageContent, origin: Origin, notices: &mut Vec<Notice>) {
    let mut push = |kind, message: String| notices.push(Notice::new(kind, message, origin));
    if let Some(why) = content.cut_short {
        push(NoticeKind::Limit, format!("only a part of the page was read: {why}"));
    }
    if content.is_damaged {
        push(NoticeKind::Damaged, "a part of the page cannot be decoded".to_string());
    }
    if content.n_unknown > 0 {
        let n_glyphs = content.glyphs.len();
        let message = format!(
            "text layer damaged: {} of {n_glyphs} characters have no known meaning",
            content.n_unknown
        );
        push(NoticeKind::Damaged, message);
    }
    if content.is_second_reading {
        push(NoticeKind::Guessed, "the text is that of a second reader, pdf-extract".to_string());
    }
    if content.has_hidden {
        push(NoticeKind::LeftOut, "a hidden layer was left out".to_string());
    }
}

/// What repeats on pages is not part of the text; what it says stands in a notice.
fn tell_furniture(furniture: &[Furniture], document: &mut Document<'static>) {
    let n_told = if furniture.len() > MAX_FURNITURE { MAX_FURNITURE - 1 } else { furniture.len() };
    let (told, rest) = furniture.split_at(n_told);
    for piece in told {
        let Some(&first) = piece.pages.first() else { continue };
        let of_pages = of_pages(&piece.pages);
        let message = match (piece.is_number, piece.is_header) {
            _ if piece.is_aside => {
                format!("left out {of_pages}, since the file says it is no part of the text: {}", piece.text)
            }
            (true, _) if piece.pages.len() > 1 => {
                format!("page numbers left out {of_pages}: {} to {}", piece.text, piece.last_text)
            }
            (true, _) => format!("page number left out {of_pages}: {}", piece.text),
            (false, true) => format!("running header left out {of_pages}: {}", piece.text),
            (false, false) => format!("running footer left out {of_pages}: {}", piece.text),
        };
        let origin = Origin::Page { page: first, rect: piece.rect };
        document.notices.push(Notice::new(NoticeKind::LeftOut, message, origin));
    }
    if rest.is_empty() {
        return;
    }
    let mut pages: Vec<PageNumber> = rest.iter().flat_map(|piece| piece.pages.iter().copied()).collect();
    pages.sort_unstable();
    pages.dedup();
    let message = format!("{} other running headers and footers left out {}", rest.len(), of_pages(&pages));
    document.notices.push(Notice::new(NoticeKind::LeftOut, message, Origin::File));
}

/// `of page 3`, `of pages 1-4, 7`; where there are too many ranges to name, from the first page to the last.
fn of_pages(pages: &[PageNumber]) -> String {
    const MAX_RANGES: usize = 6;
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for page in pages.iter().map(|page| page.get()) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == page => *last = page,
            _ => ranges.push((page, page)),
        }
    }
    let range = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    match ranges.as_slice() {
        [(first, last)] if first == last => format!("of page {first}"),
        [(first, _), .., (_, last)] if ranges.len() > MAX_RANGES => {
            format!("of {} pages from {first} to {last}", pages.len())
        }
        ranges => format!("of pages {}", ranges.iter().map(range).collect::<Vec<_>>().join(", ")),
    }
}
