//! A second reader for pages of which this one makes nothing, where the feature `fallback-pdf-extract` is on.
//!
//! It reads less than this one on nearly all files, reads the whole file to get at a page, and panics easily, so it is
//! asked only when there is nothing to lose. It is off by default: what it does with hostile files cannot be bounded
//! from here, and a stack that overflows cannot be caught.

use hayro_syntax::Pdf;

/// What the second reader makes of the file's pages.
pub(crate) struct Fallback<'p> {
    #[cfg(feature = "fallback-pdf-extract")]
    pdf: &'p Pdf,
    #[cfg(feature = "fallback-pdf-extract")]
    document: std::cell::OnceCell<Option<pdf_extract::Document>>,
    #[cfg(not(feature = "fallback-pdf-extract"))]
    _pdf: std::marker::PhantomData<&'p Pdf>,
}

#[cfg(not(feature = "fallback-pdf-extract"))]
mod without_pdf_extract {
    use hayro_syntax::Pdf;
    use hayro_syntax::page::Page;

    use super::Fallback;
    use crate::glyph::PageContent;

    impl<'p> Fallback<'p> {
        pub(crate) fn new(_: &'p Pdf) -> Fallback<'p> {
            Fallback { _pdf: std::marker::PhantomData }
        }

        /// The page as it was read.
        pub(crate) fn better(&self, content: PageContent, _: &Page<'_>, _: u32) -> PageContent {
            content
        }
    }
}

#[cfg(feature = "fallback-pdf-extract")]
mod with_pdf_extract {
    use std::cell::OnceCell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use hayro_font::kurbo::{Affine, Point};
    use hayro_syntax::Pdf;
    use hayro_syntax::page::Page;
    use pdf_extract::{Document, MediaBox, OutputDev, OutputError, Transform, output_doc_page};

    use super::Fallback;
    use crate::glyph::{Glyph, NO_TAG, PageContent};
    use crate::unicode::plain;

    /// Files that the second reader may take into memory, which multiplies their size.
    const MAX_FILE_BYTES: usize = 32 << 20;
    const MAX_GLYPHS: usize = 200_000;

    impl<'p> Fallback<'p> {
        pub(crate) fn new(pdf: &'p Pdf) -> Fallback<'p> {
            Fallback { pdf, document: OnceCell::new() }
        }

        /// The page as the second reader has it, where the first found no usable text in spite of fonts and the second
        /// did; the page as it was read otherwise.
        pub(crate) fn better(&self, content: PageContent, page: &Page<'_>, number: u32) -> PageContent {
            // The second reader knows nothing of layers: what is hidden would come back.
            if looks_read(&content) || content.has_hidden || page.resources().fonts.is_empty() {
                return content;
            }
            let second = catch_unwind(AssertUnwindSafe(|| self.page(page, number)));
            match second {
                Ok(Some(second)) if n_letters(&second) > n_letters(&content) => PageContent {
                    glyphs: second.glyphs,
                    text: second.text,
                    n_unknown: 0,
                    is_second_reading: true,
                    ..content
                },
                _ => content,
            }
        }

        fn page(&self, page: &Page<'_>, number: u32) -> Option<PageContent> {
            let load = || {
                let bytes = self.pdf.data().as_ref();
                if bytes.len() > MAX_FILE_BYTES { None } else { Document::load_mem(bytes).ok() }
            };
            let document = self.document.get_or_init(load).as_ref()?;
            let to_page = Affine::new(page.initial_transform(false).as_coeffs());
            let mut glyphs = Glyphs { to_page, content: PageContent::default(), is_start: true };
            // What was read before an error is as good as without it.
            let _ = output_doc_page(document, &mut glyphs, number);
            Some(glyphs.content)
        }
    }

    /// Whether most glyphs have a meaning.
    fn looks_read(content: &PageContent) -> bool {
        n_letters(content) > 0 && content.n_unknown * 2 <= content.glyphs.len()
    }

    fn n_letters(content: &PageContent) -> usize {
        content.text.chars().filter(|c| c.is_alphanumeric()).count()
    }

    struct Glyphs {
        to_page: Affine,
        content: PageContent,
        is_start: bool,
    }

    impl OutputDev for Glyphs {
        fn begin_page(
            &mut self,
            _: u32,
            _: &MediaBox,
            _: Option<(f64, f64, f64, f64)>,
        ) -> Result<(), OutputError> {
            Ok(())
        }

        fn end_page(&mut self) -> Result<(), OutputError> {
            Ok(())
        }

        fn output_character(
            &mut self,
            text_to_user: &Transform,
            width: f64,
            _: f64,
            size: f64,
            text: &str,
        ) -> Result<(), OutputError> {
            let m = text_to_user;
            let to_page = self.to_page * Affine::new([m.m11, m.m12, m.m21, m.m22, m.m31, m.m32]);
            let (start, end) = (to_page * Point::ZERO, to_page * Point::new(width * size, 0.0));
            let height = (to_page * Point::new(0.0, size) - start).hypot();
            let coordinates = [start.x, start.y, end.x, end.y, height];
            let text = plain(text);
            let is_placed = coordinates.iter().all(|c| c.is_finite() && c.abs() < 1e6);
            if !is_placed || text.is_empty() || self.content.glyphs.len() >= MAX_GLYPHS {
                return Ok(());
            }
            let (at, len) = (self.content.text.len() as u32, text.len() as u16);
            self.content.text.push_str(&text);
            self.content.glyphs.push(Glyph {
                x0: start.x as f32,
                y0: start.y as f32,
                x1: end.x as f32,
                y1: end.y as f32,
                size: height as f32,
                start: at,
                len,
                style: 0,
                is_start: std::mem::take(&mut self.is_start),
                is_furniture: false,
                tag: NO_TAG,
            });
            Ok(())
        }

        fn begin_word(&mut self) -> Result<(), OutputError> {
            self.is_start = true;
            Ok(())
        }

        fn end_word(&mut self) -> Result<(), OutputError> {
            Ok(())
        }

        fn end_line(&mut self) -> Result<(), OutputError> {
            Ok(())
        }
    }
}
