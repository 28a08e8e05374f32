//! Running headers, footers and page numbers: what repeats at the edges of pages.

use conspect_model::{PageNumber, Rect};
use rustc_hash::FxHashMap;

use super::LaidPage;
use super::lines::lines;
use super::runs::Run;
use super::tagged::Place;

/// How much of a page's height, at the top and at the bottom, can hold furniture.
const EDGE: f32 = 0.13;
/// How many lines of furniture a page has at each edge, at most.
const MAX_LINES: usize = 4;

/// A line of more pieces is a row of a table.
const MAX_PIECES: usize = 4;

/// One running header or footer, given once.
#[derive(Clone, Debug)]
pub(crate) struct Furniture {
    pub is_header: bool,
    /// What it says on the first of its pages; a number in it may be another on the next.
    pub text: String,
    pub last_text: String,
    /// Where it stands on the first of its pages.
    pub rect: Rect,
    /// The pages it was taken from, in ascending order; never empty.
    pub pages: Vec<PageNumber>,
    /// Whether it says nothing but the number of the page.
    pub is_number: bool,
    /// Whether it stands in the middle of a page, and only the file says that it is not text.
    pub is_aside: bool,
}

/// Takes running headers, footers and page numbers out of the pages.
pub(crate) fn take_out_furniture(pages: &mut [LaidPage]) -> Vec<Furniture> {
    let mut found: Vec<Furniture> = Vec::new();
    let mut known: FxHashMap<(bool, String), usize> = FxHashMap::default();
    for page in pages.iter_mut().filter(|page| page.is_tagged) {
        take_out_artifacts(page, &mut found, &mut known);
    }
    for is_header in [true, false] {
        // From the edge inwards: a line counts only if all lines nearer to the edge were furniture as well.
        for depth in 0..MAX_LINES {
            let bands: Vec<Option<Band>> = pages.iter().map(|page| band(page, is_header)).collect();
            let n_pages = bands.iter().flatten().count();
            let mut n_alike: FxHashMap<(&str, i32), usize> = FxHashMap::default();
            for band in bands.iter().flatten() {
                for at in [band.at - 1, band.at, band.at + 1] {
                    for key in &band.keys {
                        *n_alike.entry((key.as_str(), at)).or_default() += 1;
                    }
                }
            }
            let mut n_patterns: FxHashMap<(&str, i32), usize> = FxHashMap::default();
            let mut n_alone: FxHashMap<(&str, i32), usize> = FxHashMap::default();
            for band in bands.iter().flatten() {
                *n_patterns.entry((band.pattern.as_str(), band.at)).or_default() += 1;
                *n_alone.entry((band.pattern.as_str(), band.at)).or_default() += usize::from(band.is_alone);
            }
            let mut took_any = false;
            for (page, band) in pages.iter_mut().zip(&bands) {
                let Some(band) = band else { continue };
                let n = band.keys.iter().filter_map(|key| n_alike.get(&(key.as_str(), band.at)));
                let n = n.copied().max().unwrap_or(0);
                let is_number = is_page_number(&band.pattern);
                // Two pages that begin alike may simply be two copies: only the outermost line is taken for a header.
                let repeats = n >= 2 && (n > 2 || depth == 0) && (n >= 4 || n * 5 >= n_pages * 2);
                let repeats = repeats && band.members.len() <= MAX_PIECES;
                // Other numbers in the same words on other pages: it is data that happens to be equal here.
                let n_pattern = n_patterns.get(&(band.pattern.as_str(), band.at)).copied().unwrap_or(0);
                let repeats = repeats && n * 10 >= n_pattern * 8;
                // A line that is all that most of its pages say is what they are there for.
                let n_alone = n_alone.get(&(band.pattern.as_str(), band.at)).copied().unwrap_or(0);
                let repeats = repeats && n_alone * 2 <= n_pattern;
                if !(band.is_marked
                    || repeats && (band.pattern.len() < 150)
                    || is_number && (n >= 2 || band.says_page))
                {
                    continue;
                }
                took_any = true;
                let key = (is_header, band.pattern.clone());
                match known.get(&key).and_then(|&idx| found.get_mut(idx)) {
                    Some(furniture) => {
                        furniture.pages.push(page.number);
                        furniture.last_text.clone_from(&band.text);
                    }
                    None => {
                        known.insert(key, found.len());
                        found.push(Furniture {
                            is_header,
                            text: band.text.clone(),
                            last_text: band.text.clone(),
                            rect: band.rect,
                            pages: vec![page.number],
                            is_number,
                            is_aside: false,
                        });
                    }
                }
                let mut idx = 0;
                page.runs.retain(|_| {
                    let keep = !band.members.contains(&idx);
                    idx += 1;
                    keep
                });
            }
            if !took_any {
                break;
            }
        }
    }
    // A line of the same words can be furniture of one page in the first round and of another in the next.
    for furniture in &mut found {
        furniture.pages.sort_unstable();
        furniture.pages.dedup();
    }
    found
}

/// Takes out what the file itself says is no part of the text, line by line.
fn take_out_artifacts(
    page: &mut LaidPage,
    found: &mut Vec<Furniture>,
    known: &mut FxHashMap<(bool, String), usize>,
) {
    let (artifacts, text): (Vec<Run>, Vec<Run>) =
        std::mem::take(&mut page.runs).into_iter().partition(|run| run.place == Place::Artifact);
    page.runs = text;
    for line in lines(artifacts) {
        let is_header = line.v * 2.0 > page.height;
        let pattern = pattern(&line.text);
        let is_aside =
            line.direction != 0 || (EDGE * page.height..(1.0 - EDGE) * page.height).contains(&line.v);
        let key = (is_header, pattern.clone());
        match known.get(&key).and_then(|&idx| found.get_mut(idx)) {
            Some(furniture) => {
                furniture.pages.push(page.number);
                furniture.last_text = line.text;
            }
            None => {
                known.insert(key, found.len());
                found.push(Furniture {
                    is_header,
                    last_text: line.text.clone(),
                    text: line.text,
                    rect: line.rect,
                    pages: vec![page.number],
                    is_number: is_page_number(&pattern),
                    is_aside,
                });
            }
        }
    }
}

/// The outermost line of a page.
struct Band {
    members: Vec<usize>,
    text: String,
    /// The text with every number made the same.
    pattern: String,
    /// What the line has in common with that of other pages: the text as it is, or the text but for one number that
    /// grows with the pages.
    keys: Vec<String>,
    /// Where it stands, coarsely: in steps of four points from the edge.
    at: i32,
    rect: Rect,
    is_marked: bool,
    /// Whether it names itself as a page's number.
    says_page: bool,
    /// Whether the page says nothing else.
    is_alone: bool,
}

fn band(page: &LaidPage, is_header: bool) -> Option<Band> {
    let upright = || page.runs.iter().enumerate().filter(|(_, run)| run.direction == 0);
    let edge = upright().map(|(_, run)| run.v).reduce(|a, b| if is_header { a.max(b) } else { a.min(b) })?;
    let depth = if is_header { page.height - edge } else { edge };
    let first = upright().find(|(_, run)| run.v == edge).map(|(_, run)| run)?;
    let is_marked_first = first.is_furniture;
    if depth > EDGE * page.height && !is_marked_first {
        return None;
    }
    let mut members: Vec<(usize, f32)> = upright()
        .filter(|(_, run)| (run.v - edge).abs() < 0.4 * first.size.max(run.size))
        .map(|(idx, run)| (idx, run.u0))
        .collect();
    members.sort_by(|a, b| a.1.total_cmp(&b.1));
    let members: Vec<usize> = members.into_iter().map(|(idx, _)| idx).collect();
    let runs: Vec<_> = members.iter().filter_map(|&idx| page.runs.get(idx)).collect();
    let text = runs.iter().map(|run| run.text.as_str()).collect::<Vec<_>>().join(" ");
    let pattern = pattern(&text);
    let says_page = {
        let lower = pattern.to_lowercase();
        lower.starts_with("page #") || lower.ends_with("# of #")
    };
    Some(Band {
        rect: runs.iter().map(|run| run.rect).reduce(Rect::union)?,
        is_marked: runs.iter().all(|run| run.is_furniture),
        at: (depth / 4.0).round() as i32,
        keys: keys(&text, page.number),
        is_alone: members.len() == page.runs.len(),
        members,
        text,
        pattern,
        says_page,
    })
}

fn keys(text: &str, page: PageNumber) -> Vec<String> {
    let mut keys = vec![text.to_string()];
    let is_digit = |c: char| c.is_ascii_digit();
    let mut grown = |start: usize| {
        let digits = text.get(start..).unwrap_or_default();
        let digits = &digits[..digits.find(|c| !is_digit(c)).unwrap_or(digits.len())];
        if let Ok(number) = digits.parse::<i64>() {
            let offset = number - i64::from(page.get());
            let end = start + digits.len();
            keys.push(format!("{}\0{offset}\0{}", &text[..start], &text[end..]));
        }
    };
    if let Some(first) = text.find(is_digit) {
        grown(first);
        let last_end = text.rfind(is_digit).map_or(0, |at| at + 1);
        let last = text[..last_end]
            .rfind(|c| !is_digit(c))
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        if last != first {
            grown(last);
        }
    }
    keys
}

fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_numeric() {
            if !pattern.ends_with('#') {
                pattern.push('#');
            }
        } else {
            pattern.push(c);
        }
    }
    pattern
}

/// Whether nothing but a page's number is there, with the usual words and marks around it.
fn is_page_number(pattern: &str) -> bool {
    let lower = pattern.to_lowercase();
    let rest = lower.trim_start_matches("page").trim();
    let rest = rest.trim_matches(['-', '–', '—', '|', '.', '[', ']', '(', ')', ' ']);
    matches!(rest, "#" | "# of #" | "# / #" | "#/#" | "# | #")
        || !rest.is_empty() && rest.len() <= 5 && rest.chars().all(|c| matches!(c, 'i' | 'v' | 'x' | 'l'))
}
