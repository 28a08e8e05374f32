//! Pages that are only a picture, read by a recognizer.

use conspect_model::{PageImage, RecognizedLine, RecognizedWord, Recognizer, Rect};
use hayro_syntax::page::Page;

use crate::glyph::Style;
use crate::layout::{Place, Run, Word};
use crate::page_image::{POINTS, draw, max_dpi};

/// What recognizers read best; they are trained on scans of this resolution.
const DPI: u32 = 300;
/// Lines whose height differs from the usual one by less than this part of it have its size: how high a line's box is
/// depends on its letters.
const LIKE_OTHERS: f32 = 0.4;
/// A gap wider than this part of the size may part columns: the run ends.
const COLUMN_GAP: f32 = 1.2;
/// How much of a line's box lies below the baseline.
const DESCENT: f32 = 0.2;

/// What the recognizer reads on the page, as runs of words, or why it reads nothing, in words.
pub(crate) fn recognized(page: &Page<'_>, recognizer: &dyn Recognizer) -> Result<Vec<Run>, String> {
    let dpi = DPI.min(max_dpi(page)).max(1);
    let picture = draw(page, dpi).map_err(|error| error.to_string())?;
    let lines = recognizer.recognize(&picture).map_err(|error| error.to_string())?;
    Ok(runs_of(&lines, &picture))
}

fn runs_of(lines: &[RecognizedLine], picture: &PageImage) -> Vec<Run> {
    let height_of = |line: &RecognizedLine| line.place.bottom.saturating_sub(line.place.top).max(1) as f32;
    let mut heights: Vec<f32> = lines.iter().map(height_of).collect();
    heights.sort_by(f32::total_cmp);
    let usual = heights.get(heights.len() / 2).copied().unwrap_or(1.0);
    let mut runs = Vec::new();
    for line in lines {
        let height = height_of(line);
        let size = if (height - usual).abs() < LIKE_OTHERS * usual { usual } else { height };
        let mut words: Vec<&RecognizedWord> = Vec::new();
        for word in &line.words {
            let gap_after = |last: &&RecognizedWord| word.place.left as f32 - last.place.right as f32;
            if words.last().is_some_and(|last| gap_after(last) > COLUMN_GAP * size) {
                runs.extend(run_of(&words, line, size, picture));
                words.clear();
            }
            words.push(word);
        }
        runs.extend(run_of(&words, line, size, picture));
    }
    runs
}

fn run_of(words: &[&RecognizedWord], line: &RecognizedLine, size: f32, picture: &PageImage) -> Option<Run> {
    let points = POINTS / picture.dpi as f32;
    let across = |x: u32| x as f32 * points;
    let up = |y: f32| (picture.height as f32 - y) * points;
    let mut text = String::new();
    let mut placed = Vec::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        let start = text.len() as u32;
        text.push_str(&word.text);
        let end = text.len() as u32;
        placed.push(Word { start, end, u0: across(word.place.left), u1: across(word.place.right) });
    }
    let (u0, u1) = (across(words.first()?.place.left), across(words.last()?.place.right));
    let (top, bottom) = (line.place.top as f32, line.place.bottom as f32);
    Some(Run {
        direction: 0,
        u0,
        u1,
        v: up(bottom - DESCENT * size),
        size: size * points,
        style: Style::default(),
        text,
        words: placed,
        is_furniture: false,
        place: Place::Loose,
        rect: Rect { x0: u0, y0: up(bottom), x1: u1, y1: up(top) },
    })
}
