use conspect_model::Rect;

use super::runs::{Run, Word};
use crate::glyph::Style;
use crate::unicode::is_right_to_left;

/// Runs that stand beside one another on a baseline and follow in the content.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub direction: u16,
    pub u0: f32,
    pub u1: f32,
    pub v: f32,
    pub size: f32,
    pub style: Style,
    pub text: String,
    pub words: Vec<Word>,
    pub rect: Rect,
}

impl Line {
    pub(crate) fn of(run: Run) -> Line {
        Line {
            direction: run.direction,
            u0: run.u0,
            u1: run.u1,
            v: run.v,
            size: run.size,
            style: run.style,
            text: run.text,
            words: run.words,
            rect: run.rect,
        }
    }

    /// Takes in the run if it goes on where the line ends.
    pub(crate) fn extend(&mut self, run: &Run) -> bool {
        let size = self.size.max(run.size);
        let is_rtl = |text: &str| text.chars().any(is_right_to_left);
        let is_left = run.u1 < self.u0 + 0.5 * size && (is_rtl(&self.text) || is_rtl(&run.text));
        let gap = if is_left { self.u0 - run.u1 } else { run.u0 - self.u1 };
        let is_beside =
            run.direction == self.direction && (run.v - self.v).abs() < 0.35 * size && gap > -0.5 * size;
        if !is_beside {
            return false;
        }
        // What follows a wide gap in another size is a neighbour, not the rest of the line.
        if gap > 3.0 * size && (self.size - run.size).abs() > 0.2 * size {
            return false;
        }
        if gap > 0.12 * size {
            self.text.push(' ');
        }
        let offset = self.text.len() as u32;
        self.text.push_str(&run.text);
        self.words.extend(run.words.iter().map(|word| Word {
            start: word.start + offset,
            end: word.end + offset,
            ..*word
        }));
        if run.text.len() as u32 > offset {
            self.style = run.style;
            self.size = run.size;
        } else if self.style.is_bold && !run.style.is_bold {
            self.style.is_bold = false;
        }
        self.u0 = self.u0.min(run.u0);
        self.u1 = self.u1.max(run.u1);
        self.rect = self.rect.union(run.rect);
        true
    }

    pub(crate) fn first_word_width(&self) -> f32 {
        self.words.first().map_or(0.0, |word| word.u1 - word.u0)
    }
}

/// Joins runs to lines as far as they follow one another.
pub(crate) fn lines(runs: impl IntoIterator<Item = Run>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for run in runs {
        if let Some(last) = lines.last_mut()
            && last.extend(&run)
        {
            continue;
        }
        lines.push(Line::of(run));
    }
    lines
}
