//! Pages drawn as pictures, for eyes and for recognizers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use conspect_model::{Format, Input, Limits, PageImage, PageNumber, ReadError};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use hayro_syntax::page::Page;

use crate::open::open;
use crate::read::no_such_page;

/// Pixels of a picture; each takes four bytes, and several times that while it is drawn.
const MAX_PIXELS: u64 = 50_000_000;
/// Pixels along one edge.
const MAX_EDGE: f32 = 30_000.0;
/// Points to the inch: what pages are measured in.
pub(crate) const POINTS: f32 = 72.0;

/// Draws a page as a picture of `dpi` pixels to the inch.
///
/// The page is drawn as a viewer shows it: its crop box, turned as the file says, on white. What cannot be drawn is
/// left out. A picture of more than 50 million pixels is refused.
pub fn page_image(
    input: &Input<'_>,
    number: PageNumber,
    dpi: u32,
    limits: &Limits,
) -> Result<PageImage, ReadError> {
    let pdf = open(input, limits, &mut Vec::new())?;
    let pages = pdf.pages();
    let n_pages = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    let page = pages.get(number.get() as usize - 1).ok_or_else(|| no_such_page(number, n_pages))?;
    draw(page, dpi)
}

/// The most pixels to the inch at which a picture of the page is not too large.
pub(crate) fn max_dpi(page: &Page<'_>) -> u32 {
    let (width, height) = inches(page);
    let by_area = (MAX_PIXELS as f32 / (width * height)).sqrt();
    by_area.min(MAX_EDGE / width.max(height)).floor().max(0.0) as u32
}

pub(crate) fn draw(page: &Page<'_>, dpi: u32) -> Result<PageImage, ReadError> {
    if dpi > max_dpi(page) {
        let what = "number of pixels at this many to the inch";
        return Err(ReadError::Limit { what, limit: MAX_PIXELS });
    }
    let scale = dpi as f32 / POINTS;
    // The libraries promise not to panic on any file; a page that makes them do so anyway has no picture.
    let drawn = catch_unwind(AssertUnwindSafe(|| {
        let pixels = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
        let pixmap = hayro::render(
            page,
            &RenderCache::new(),
            &hayro::hayro_interpret::InterpreterSettings::default(),
            &RenderSettings::default(),
            &pixels,
        );
        let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
        pixmap.into_png().ok().map(|png| PageImage { width, height, dpi, png })
    }));
    let what = "the page cannot be drawn".to_string();
    drawn.ok().flatten().ok_or(ReadError::Damaged { format: Format::Pdf, what })
}

/// Width and height of the page as it is shown. A page without a size is drawn as a point.
fn inches(page: &Page<'_>) -> (f32, f32) {
    let (width, height) = page.render_dimensions();
    (width.max(1.0) / POINTS, height.max(1.0) / POINTS)
}
