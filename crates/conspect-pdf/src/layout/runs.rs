//! Runs: glyphs that follow one another along a baseline, as words.

use std::borrow::Cow;

use conspect_model::Rect;
use rustc_hash::FxHashMap;
use unicode_bidi::{BidiInfo, Level};
use unicode_normalization::UnicodeNormalization;

use super::tagged::Place;
use crate::glyph::{Glyph, PageContent, Style};
use crate::unicode::{is_combining, is_right_to_left};

/// A gap wider than this part of the size is a blank.
const BLANK: f32 = 0.15;
/// Letters with gaps wider than this part of the size are no word spaced out, but stand by themselves.
const MAX_LETTER_SPACE: f32 = 0.45;
/// A gap wider than this part of the size may part columns: the run ends.
const COLUMN_GAP: f32 = 1.0;
/// The same where the file sets a new position after the gap.
const SET_GAP: f32 = 0.4;
/// How far a glyph may stand off the baseline and still belong to the run.
const OFF_BASELINE: f32 = 0.5;

/// Words along one baseline, without a gap wide enough to be between columns.
///
/// `u` runs along the writing direction and `v` against the direction in which lines follow, so that text turned by
/// quarters is laid out like upright text.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// In degrees counterclockwise, below 360; 0 is upright text from left to right.
    pub direction: u16,
    pub u0: f32,
    pub u1: f32,
    /// The baseline.
    pub v: f32,
    pub size: f32,
    pub style: Style,
    /// In logical order, words parted by single blanks. A soft hyphen can stand at the end.
    pub text: String,
    pub words: Vec<Word>,
    pub is_furniture: bool,
    /// What the file's structure says it belongs to.
    pub place: Place,
    /// On the page.
    pub rect: Rect,
}

/// Where a word of a [`Run`] stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub start: u32,
    pub end: u32,
    pub u0: f32,
    pub u1: f32,
}

impl Run {
    pub(crate) fn word_text(&self, word: &Word) -> &str {
        self.text.get(word.start as usize..word.end as usize).unwrap_or_default()
    }
}

/// A glyph in the frame of its writing direction.
#[derive(Clone, Copy)]
struct Placed<'c> {
    glyph: &'c Glyph,
    text: &'c str,
    direction: u16,
    u0: f32,
    u1: f32,
    v: f32,
    is_rtl: bool,
    place: Place,
}

/// The runs of a page in content order; text printed over itself counts once. `places` are those of the page's tags:
/// text of two elements is never one run.
pub(crate) fn runs(content: &PageContent, styles: &[Style], places: &[Place]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut seen = Overprints::default();
    let mut open: Vec<Placed<'_>> = Vec::new();
    let mut direction = 0;
    let mut left = 0.0;
    for glyph in &content.glyphs {
        let Some(text) = content.text.get(glyph.range()) else { continue };
        let of_tag = places.get(glyph.tag as usize).copied().unwrap_or_default();
        let placed = place(glyph, text, direction, of_tag);
        direction = placed.direction;
        if let Some(last) = open.last() {
            match follows(last, &placed, left) {
                Follows::Again => continue,
                Follows::Yes => {}
                Follows::No => {
                    finish(&mut open, styles, &mut seen, &mut runs);
                }
            }
        }
        left = if open.is_empty() { placed.u0 } else { left.min(placed.u0) };
        open.push(placed);
    }
    finish(&mut open, styles, &mut seen, &mut runs);
    runs
}

fn place<'c>(glyph: &'c Glyph, text: &'c str, last_direction: u16, place: Place) -> Placed<'c> {
    let direction = direction(glyph.x1 - glyph.x0, glyph.y1 - glyph.y0).unwrap_or(last_direction);
    let (u0, v) = turn(direction, glyph.x0, glyph.y0);
    let (u1, _) = turn(direction, glyph.x1, glyph.y1);
    let is_rtl = text.chars().next().is_some_and(is_right_to_left);
    Placed { glyph, text, direction, u0, u1: u1.max(u0), v, is_rtl, place }
}

/// The direction in degrees; what is close to a right angle is one. `None` for a glyph without an advance.
fn direction(dx: f32, dy: f32) -> Option<u16> {
    if dx.abs() + dy.abs() < 1e-3 {
        return None;
    }
    if dx > 0.0 && dy.abs() < 0.1 * dx {
        return Some(0);
    }
    let degrees = dy.atan2(dx).to_degrees().rem_euclid(360.0);
    let right_angle = (degrees / 90.0).round() * 90.0;
    let degrees =
        if (degrees - right_angle).abs() < 6.0 { right_angle } else { (degrees / 5.0).round() * 5.0 };
    Some(degrees as u16 % 360)
}

/// Page coordinates in the frame of a writing direction.
fn turn(direction: u16, x: f32, y: f32) -> (f32, f32) {
    match direction {
        0 => (x, y),
        90 => (y, -x),
        180 => (-x, -y),
        270 => (-y, x),
        _ => {
            let (sin, cos) = f32::from(direction).to_radians().sin_cos();
            (x * cos + y * sin, y * cos - x * sin)
        }
    }
}

/// And back.
fn turn_back(direction: u16, u: f32, v: f32) -> (f32, f32) {
    turn((360 - direction) % 360, u, v)
}

enum Follows {
    Yes,
    No,
    /// It is the last glyph printed over itself, to look bold.
    Again,
}

/// Whether the next glyph goes on where the last one ended; `left` is where the run begins.
fn follows(last: &Placed<'_>, next: &Placed<'_>, left: f32) -> Follows {
    let size = last.glyph.size.max(next.glyph.size).max(1e-3);
    if next.place != last.place
        || next.direction != last.direction
        || (next.v - last.v).abs() > OFF_BASELINE * size
    {
        return Follows::No;
    }
    let along = next.u0 - last.u1;
    let is_again = next.text == last.text
        && next.text != " "
        && last.u1 > last.u0
        && (next.u0 - last.u0).abs() < 0.2 * (last.u1 - last.u0).max(0.2 * size);
    if is_again {
        return Follows::Again;
    }
    // Text in a right-to-left script comes either as it is seen, glyph by glyph from the left, or as it is read.
    let column_gap = if next.glyph.is_start { SET_GAP } else { COLUMN_GAP };
    let goes_left = (next.is_rtl || last.is_rtl) && (left - next.u1).abs() < COLUMN_GAP * size;
    let back = if next.is_rtl && last.is_rtl { -COLUMN_GAP } else { -1.2 };
    if goes_left || (back * size..column_gap * size).contains(&along) { Follows::Yes } else { Follows::No }
}

/// Where runs with the same text begin, to know one that is printed again over itself.
#[derive(Default)]
struct Overprints(FxHashMap<i32, Vec<u32>>);

impl Overprints {
    /// Whether the run stands over an earlier one with the same text; remembers it otherwise.
    fn is_again(&mut self, run: &Run, runs: &[Run]) -> bool {
        let bucket = (run.v / 2.0).floor() as i32;
        let is_same = |earlier: &Run| {
            earlier.direction == run.direction
                && (earlier.u0 - run.u0).abs() < 0.25 * run.size
                && (earlier.v - run.v).abs() < 0.25 * run.size
                && earlier.text == run.text
        };
        let is_again = (bucket - 1..=bucket + 1)
            .filter_map(|bucket| self.0.get(&bucket))
            // Only the latest runs at this height: a page of nothing but one baseline stays cheap.
            .any(|earlier| {
                earlier.iter().rev().take(64).any(|&idx| runs.get(idx as usize).is_some_and(is_same))
            });
        if !is_again {
            self.0.entry(bucket).or_default().push(runs.len() as u32);
        }
        is_again
    }
}

fn finish(open: &mut Vec<Placed<'_>>, styles: &[Style], seen: &mut Overprints, runs: &mut Vec<Run>) {
    if let Some(run) = run_of(open, styles)
        && !seen.is_again(&run, runs)
    {
        runs.push(run);
    }
    open.clear();
}

/// The run that the glyphs make. Words are written straight into the run's text: pages have many thousands of them.
fn run_of(glyphs: &mut Vec<Placed<'_>>, styles: &[Style]) -> Option<Run> {
    let first = *glyphs.first()?;
    let is_rtl = glyphs.iter().any(|placed| placed.is_rtl);
    if is_rtl {
        order_as_seen(glyphs);
    }
    let size = dominant_size(glyphs);
    let blank = blank_width(glyphs, size);
    let mut text = String::with_capacity(2 * glyphs.len());
    let mut words: Vec<Word> = Vec::new();
    let mut is_word_open = false;
    let mut last_u1 = first.u0;
    let mut accent: Option<Placed<'_>> = None;
    let (mut u0, mut u1) = (f32::INFINITY, f32::NEG_INFINITY);
    for (idx, placed) in glyphs.iter().enumerate() {
        // A glyph that says nothing fills its place all the same.
        if placed.text.is_empty() {
            is_word_open &= placed.u0 - last_u1 <= blank;
            last_u1 = last_u1.max(placed.u1);
            continue;
        }
        if placed.text.bytes().all(|byte| byte == b' ') {
            // Some producers move back over a blank, so that nobody sees it.
            let is_taken_back = glyphs
                .get(idx + 1)
                .is_some_and(|next| !next.glyph.is_start && next.u0 - last_u1 < 0.02 * size);
            let is_covered = !words.is_empty()
                && placed.u1 - placed.u0 > 0.1 * size
                && (placed.u1 < last_u1 || is_taken_back);
            if is_covered {
                continue;
            }
            is_word_open = false;
            last_u1 = last_u1.max(placed.u1.min(placed.u0 + size));
            continue;
        }
        if placed.u0 - last_u1 > blank {
            is_word_open = false;
        }
        u0 = u0.min(placed.u0);
        u1 = u1.max(placed.u1);
        // TeX sets an accent first and the letter under it.
        if let Some(next) = glyphs.get(idx + 1)
            && combining_form(placed.text).is_some()
            && next.u0 < (placed.u0 + placed.u1) / 2.0 + 0.05 * size
            && next.u1 > (placed.u0 + placed.u1) / 2.0
            && next.text.chars().all(char::is_alphabetic)
        {
            accent = Some(*placed);
            if placed.u0.min(next.u0) - last_u1 > blank {
                is_word_open = false;
            }
            last_u1 = last_u1.max(next.u0);
            continue;
        }
        // The letters of one glyph are in reading order already; the reordering will turn them back.
        let seen = if is_rtl && placed.text.chars().nth(1).is_some() {
            Cow::Owned(reordered(placed.text, base_of_glyph(placed.text)))
        } else {
            Cow::Borrowed(placed.text)
        };
        // Some glyphs bring a blank of their own (a mapping to two characters).
        let shown = seen.trim_matches(' ');
        let (first_byte, last_byte) = (seen.as_bytes().first(), seen.as_bytes().last());
        if !is_word_open || first_byte == Some(&b' ') {
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len() as u32;
            words.push(Word { start, end: start, u0: placed.u0, u1: placed.u1 });
        }
        is_word_open = last_byte != Some(&b' ');
        match accent.take().and_then(|accent| combining_form(accent.text)) {
            Some(combining) => text.push_str(&accented(shown, combining)),
            None => text.push_str(shown),
        }
        if let Some(word) = words.last_mut() {
            word.end = text.len() as u32;
            word.u1 = word.u1.max(placed.u1);
        }
        last_u1 = placed.u1.max(if is_rtl { last_u1 } else { placed.u0 });
    }
    let (text, words) = if is_rtl { logical(&text, u0, u1) } else { without_soft_hyphens(text, words) };
    if text.is_empty() {
        return None;
    }
    let (u0, u1) = if u0 <= u1 { (u0, u1) } else { (first.u0, first.u1) };
    let v = baseline(glyphs, size);
    let (ax, ay) = turn_back(first.direction, u0, v - 0.22 * size);
    let (bx, by) = turn_back(first.direction, u1, v + 0.78 * size);
    Some(Run {
        direction: first.direction,
        u0,
        u1,
        v,
        size,
        style: dominant_style(glyphs, styles),
        text,
        words,
        is_furniture: first.glyph.is_furniture,
        place: first.place,
        rect: Rect { x0: ax.min(bx), y0: ay.min(by), x1: ax.max(bx), y1: ay.max(by) },
    })
}

/// Orders glyphs from left to right, marks right after the letter they stand on.
fn order_as_seen(glyphs: &mut [Placed<'_>]) {
    glyphs.sort_by(|a, b| {
        let is_mark = |placed: &Placed<'_>| placed.text.chars().all(is_combining);
        let key =
            |placed: &Placed<'_>| if is_mark(placed) { (placed.u0 + placed.u1) / 2.0 } else { placed.u0 };
        key(a).total_cmp(&key(b))
    });
}

/// The size that most of the text has. Signs count only where there is nothing else: bullets and boxes are often larger
/// than the text beside them.
fn dominant_size(glyphs: &[Placed<'_>]) -> f32 {
    let first = glyphs.first().map_or(1.0, |placed| placed.glyph.size);
    if glyphs.iter().all(|placed| placed.glyph.size == first) {
        return first;
    }
    let size_of = |placed: &Placed<'_>| placed.glyph.size;
    let is_word = |placed: &&Placed<'_>| placed.text.contains(char::is_alphanumeric);
    let mut sizes: Vec<f32> = glyphs.iter().filter(is_word).map(size_of).collect();
    if sizes.is_empty() {
        sizes = glyphs.iter().map(size_of).collect();
    }
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or(first)
}

/// The baseline that most of the text of the dominant size stands on.
fn baseline(glyphs: &[Placed<'_>], size: f32) -> f32 {
    let of_size = |placed: &&Placed<'_>| (placed.glyph.size - size).abs() < 0.1 * size;
    let mut vs: Vec<f32> = glyphs.iter().filter(of_size).map(|placed| placed.v).collect();
    vs.sort_by(f32::total_cmp);
    vs.get(vs.len() / 2).copied().unwrap_or_else(|| glyphs.first().map_or(0.0, |placed| placed.v))
}

fn dominant_style(glyphs: &[Placed<'_>], styles: &[Style]) -> Style {
    let style = |placed: &Placed<'_>| styles.get(placed.glyph.style as usize).copied().unwrap_or_default();
    let n = glyphs.len();
    let most = |has: fn(&Style) -> bool| glyphs.iter().filter(|placed| has(&style(placed))).count() * 2 > n;
    Style {
        is_bold: most(|style| style.is_bold),
        is_italic: most(|style| style.is_italic),
        is_monospace: most(|style| style.is_monospace),
    }
}

/// How wide a gap must be to part words: a fixed part of the size, or more where letters are spaced out on purpose.
fn blank_width(glyphs: &[Placed<'_>], size: f32) -> f32 {
    let usual = BLANK * size;
    // Dots that lead to a page number are spaced as well, and say nothing about words.
    let is_letter = |placed: &Placed<'_>| placed.text.chars().all(char::is_alphanumeric);
    let pairs = glyphs.windows(2).filter_map(|pair| match pair {
        [a, b] if is_letter(a) && is_letter(b) => Some(b.u0 - a.u1),
        _ => None,
    });
    let mut gaps: Vec<f32> = pairs.collect();
    let n_wide = gaps.iter().filter(|gap| **gap > usual).count();
    if gaps.len() < 4 || n_wide * 10 < gaps.len() * 7 {
        return usual;
    }
    gaps.sort_by(f32::total_cmp);
    let middle = gaps.get(gaps.len() / 2).copied().unwrap_or(usual);
    let n_alike = gaps.iter().filter(|gap| (**gap - middle).abs() < 0.25 * middle).count();
    // Words of one letter each would look the same, but nobody writes five of them in a row.
    let is_spaced_out = n_alike * 10 >= gaps.len() * 6 && middle < MAX_LETTER_SPACE * size;
    if is_spaced_out { (middle * 1.5).max(middle + 0.1 * size) } else { usual }
}

/// The combining character for an accent that stands by itself.
fn combining_form(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    Some(match c {
        '`' | '\u{2cb}' => '\u{300}',
        '´' | '\u{2ca}' => '\u{301}',
        'ˆ' | '^' => '\u{302}',
        '˜' | '~' => '\u{303}',
        '¯' | '\u{2c9}' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        _ => return None,
    })
}

fn accented(letter: &str, combining: char) -> String {
    // A dotless i under an accent is an i.
    let letter = match letter {
        "ı" => "i",
        "ȷ" => "j",
        letter => letter,
    };
    let mut chars = letter.chars();
    let first: Option<char> = chars.next();
    first.into_iter().chain(std::iter::once(combining)).chain(chars).nfc().collect()
}

fn push_word(word: &str, u0: f32, u1: f32, text: &mut String, words: &mut Vec<Word>) {
    if word.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push(' ');
    }
    let start = text.len() as u32;
    text.push_str(word);
    words.push(Word { start, end: text.len() as u32, u0, u1 });
}

/// A soft hyphen counts only at the end of a line.
fn without_soft_hyphens(text: String, words: Vec<Word>) -> (String, Vec<Word>) {
    if !text.trim_end_matches('\u{ad}').contains('\u{ad}') {
        return (text, words);
    }
    let mut clean = String::with_capacity(text.len());
    let mut clean_words = Vec::with_capacity(words.len());
    let n_words = words.len();
    for (idx, word) in words.iter().enumerate() {
        let shown = text.get(word.start as usize..word.end as usize).unwrap_or_default();
        let mut kept = shown.replace('\u{ad}', "");
        if idx + 1 == n_words && shown.ends_with('\u{ad}') {
            kept.push('\u{ad}');
        }
        push_word(&kept, word.u0, word.u1, &mut clean, &mut clean_words);
    }
    (clean, clean_words)
}

/// Words that stand as they are seen, put in the order they are read, where right-to-left scripts are among them.
///
/// Reordering by the bidirectional algorithm is its own inverse for what documents hold: applied to what is seen, it
/// gives what was written. Letters of one glyph (a ligature) are already in reading order and are turned twice.
fn logical(seen: &str, u0: f32, u1: f32) -> (String, Vec<Word>) {
    let n_rtl = seen.chars().filter(|&c| is_right_to_left(c)).count();
    let n_ltr = seen.chars().filter(|c| c.is_alphabetic() && !is_right_to_left(*c)).count();
    let text = reordered(seen, if n_rtl >= n_ltr { Level::rtl() } else { Level::ltr() });
    let text = text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    // Single words cannot be followed through the reordering; the run as a whole keeps its place.
    let words = vec![Word { start: 0, end: text.len() as u32, u0, u1 }];
    (text, words)
}

/// The direction of a glyph that stands for several letters: where both occur, it is that of the glyphs that follow.
fn base_of_glyph(text: &str) -> Level {
    let has_ltr = text.chars().any(|c| c.is_alphabetic() && !is_right_to_left(c));
    if has_ltr || !text.contains(is_right_to_left) { Level::ltr() } else { Level::rtl() }
}

fn reordered(line: &str, base: Level) -> String {
    let info = BidiInfo::new(line, Some(base));
    let mut text = String::with_capacity(line.len());
    for paragraph in &info.paragraphs {
        let (levels, level_runs) = info.visual_runs(paragraph, paragraph.range.clone());
        for range in level_runs {
            let is_rtl = levels.get(range.start).is_some_and(|level| level.is_rtl());
            let part = line.get(range).unwrap_or_default();
            if is_rtl { push_reversed(part, &mut text) } else { text.push_str(part) }
        }
    }
    text
}

/// Characters from the last to the first, marks kept after the letter they belong to, brackets turned round.
fn push_reversed(part: &str, text: &mut String) {
    let chars: Vec<char> = part.chars().collect();
    let mut end = chars.len();
    while end > 0 {
        let mut start = end - 1;
        while start > 0 && is_combining(chars[start]) {
            start -= 1;
        }
        text.extend(chars[start..end].iter().map(|&c| mirrored(c)));
        end = start;
    }
}

fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        c => c,
    }
}
