//! Annotations that show text of their own: form fields, free text, stamps.

use hayro_font::kurbo::{Affine, Point};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};
use hayro_syntax::page::Page;

use crate::filters::decode;
use crate::layers::Layers;
use crate::text_string::text_string;

/// How many annotations of a page are looked at.
const MAX_ANNOTATIONS: usize = 10_000;
/// How much of an appearance is looked at to know whether it draws anything.
const MAX_APPEARANCE_BYTES: u64 = 4 << 20;
/// How far up a form field's values are looked for.
const MAX_FIELD_DEPTH: usize = 16;

/// What an annotation puts on the page.
pub(crate) enum Shown<'a> {
    /// A drawing, to be fitted into the rectangle. What a form field holds is its value.
    Appearance { stream: Stream<'a>, rect: [f64; 4], value: Option<String> },
    /// Only a text; the viewer would draw it.
    Text { text: String, rect: [f64; 4] },
}

/// The annotations of a page that show text, in file order, and whether others were left out with their layer.
pub(crate) fn shown<'a>(page: &Page<'a>, layers: &Layers) -> (Vec<Shown<'a>>, bool) {
    let Some(annotations) = page.raw().get::<Array<'a>>(b"Annots") else { return (Vec::new(), false) };
    let mut has_hidden = false;
    let mut all = Vec::new();
    for annotation in annotations.iter::<Dict<'a>>().take(MAX_ANNOTATIONS) {
        let Some(shown) = shown_by(&annotation) else { continue };
        if annotation.get::<Dict<'_>>(b"OC").is_some_and(|layer| layers.is_hidden(&layer)) {
            has_hidden = true;
        } else {
            all.push(shown);
        }
    }
    (all, has_hidden)
}

fn shown_by<'a>(annotation: &Dict<'a>) -> Option<Shown<'a>> {
    const HIDDEN: u32 = 1 << 1;
    const NO_VIEW: u32 = 1 << 5;
    if annotation.get::<u32>(b"F").unwrap_or(0) & (HIDDEN | NO_VIEW) != 0 {
        return None;
    }
    let subtype = annotation.get::<Name<'_>>(b"Subtype")?;
    let is_field = subtype.as_ref() == b"Widget";
    if !is_field && !matches!(subtype.as_ref(), b"FreeText" | b"Stamp") {
        return None;
    }
    let [x0, y0, x1, y1] = annotation.get::<[f64; 4]>(b"Rect")?;
    let rect = [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)];
    if let Some(stream) = appearance(annotation) {
        // An appearance that draws nothing hides nothing: the value is then still to be said.
        let draws = |data: &[u8]| data.windows(2).any(|pair| pair == b"BT" || pair == b"Do");
        let is_empty = decode(&stream, MAX_APPEARANCE_BYTES).is_some_and(|decoded| !draws(&decoded.data));
        if !is_empty {
            let value = if is_field { field_value(annotation) } else { None };
            return Some(Shown::Appearance { stream, rect, value });
        }
    }
    let text = if is_field { field_value(annotation)? } else { text_of(annotation, b"Contents")? };
    (!text.trim().is_empty()).then_some(Shown::Text { text, rect })
}

/// The normal appearance, in the state the annotation is in.
fn appearance<'a>(annotation: &Dict<'a>) -> Option<Stream<'a>> {
    match annotation.get::<Dict<'a>>(b"AP")?.get::<Object<'a>>(b"N")? {
        Object::Stream(stream) => Some(stream),
        Object::Dict(states) => {
            let state = annotation.get::<Name<'_>>(b"AS")?;
            states.get::<Stream<'a>>(state.as_ref())
        }
        _ => None,
    }
}

/// The value of a text or choice field, from the field or one of its parents.
fn field_value(annotation: &Dict<'_>) -> Option<String> {
    let mut field = annotation.clone();
    let mut kind = None;
    let mut value = None;
    for _ in 0..MAX_FIELD_DEPTH {
        kind = kind.or_else(|| field.get::<Name<'_>>(b"FT").map(|name| name.as_ref().to_vec()));
        value = value.or_else(|| text_of(&field, b"V"));
        match field.get::<Dict<'_>>(b"Parent") {
            Some(parent) if kind.is_none() || value.is_none() => field = parent,
            _ => break,
        }
    }
    matches!(kind.as_deref(), Some(b"Tx" | b"Ch")).then_some(value).flatten()
}

fn text_of(dict: &Dict<'_>, key: &[u8]) -> Option<String> {
    match dict.get::<Object<'_>>(key)? {
        Object::String(text) => Some(text_string(text.as_bytes())),
        Object::Array(texts) => {
            let texts: Vec<String> =
                texts.iter::<PdfString<'_>>().map(|text| text_string(text.as_bytes())).collect();
            Some(texts.join("\n"))
        }
        _ => None,
    }
}

/// Where an appearance goes (ISO 32000-1, 12.5.5): its box, transformed by its matrix, is fitted into the rectangle.
/// The answer includes the matrix.
pub(crate) fn placement(dict: &Dict<'_>, matrix: Affine, rect: [f64; 4]) -> Affine {
    let [x0, y0, x1, y1] =
        dict.get::<[f64; 4]>(b"BBox").unwrap_or([0.0, 0.0, rect[2] - rect[0], rect[3] - rect[1]]);
    let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|corner| matrix * Point::from(corner));
    let min_max = |of: fn(&Point) -> f64| {
        let values = corners.iter().map(of);
        values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (left, right) = min_max(|point| point.x);
    let (bottom, top) = min_max(|point| point.y);
    let factor = |from: f64, to: f64| if from > 0.0 && to > 0.0 { to / from } else { 1.0 };
    let scale_x = factor(right - left, rect[2] - rect[0]);
    let scale_y = factor(top - bottom, rect[3] - rect[1]);
    Affine::translate((rect[0], rect[1]))
        * Affine::scale_non_uniform(scale_x, scale_y)
        * Affine::translate((-left, -bottom))
        * matrix
}
