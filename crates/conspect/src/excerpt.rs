use conspect_model::TextPart;
use conspect_view::{
    Caps, Cut, Found, LineChoice, Listing, RenderOptions, SelectError, Selection, Shown, View, select,
};

use crate::answer::{Answer, Body, Next, Shows, part_in_words};
use crate::header::{LeftOut, Title, header};
use crate::preview::max_header_chars;

/// Lines that are asked for, and how much of them may be shown.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// Which lines.
    pub selection: &'a Selection,
    /// The qualified name of the symbol that the lines are, if they were asked for by it.
    pub symbol: Option<&'a str>,
    /// Ceilings on the lines.
    pub caps: Caps,
    /// What the whole answer may hold, its header included; `None` is no budget.
    pub max_chars: Option<usize>,
    /// What else the call says that the next one has to say again, as people write it: `contains "low", pages "3-5"`.
    pub also: &'a str,
    /// How it is written out.
    pub render: &'a RenderOptions,
}

/// Shows the lines that were asked for. Where a ceiling cuts them, the answer says how to go on.
pub fn excerpt(
    listing: &Listing<'_>,
    title: Option<&Title<'_>>,
    asked: &Asked<'_>,
) -> Result<Answer, SelectError> {
    let mut caps = asked.caps;
    if let Some(max_chars) = asked.max_chars {
        caps.max_chars = caps.max_chars.min(max_chars);
    }
    loop {
        let view = select(listing, asked.selection, &caps, asked.render)?;
        let answer = answer_of(listing, title, asked, view);
        let Some(max_chars) = asked.max_chars else { return Ok(answer) };
        let too_many = answer.n_chars(listing, asked.render).saturating_sub(max_chars);
        if too_many == 0 {
            return Ok(answer);
        }
        // The header, the line that says how to go on, and marks between the lines take their part of the budget.
        if caps.max_chars == 0 {
            return Ok(answer.cut(listing, asked.render, max_chars));
        }
        caps.max_chars = caps.max_chars.saturating_sub(too_many);
    }
}

fn answer_of(listing: &Listing<'_>, title: Option<&Title<'_>>, asked: &Asked<'_>, view: View) -> Answer {
    let n_lines = listing.n_lines();
    let lines: Vec<_> = merged(view.runs.iter().map(|run| run.lines.clone()));
    let part = listing.document().part_read;
    let shown = part_in_words(&lines, n_lines, part);
    let next = view.cut.as_ref().map(|cut| next(&view, cut, asked, part, shown));
    let shows = match (&asked.selection.filter, asked.symbol) {
        _ if n_lines == 0 => Shows::Empty,
        (Some(filter), _) => {
            let Found { n_hits, n_searched } =
                view.found.unwrap_or(Found { n_hits: view.n_shown(), n_searched: n_lines });
            Shows::Hits { filter: filter.describe().to_owned(), n_hits, n_searched }
        }
        (None, Some(name)) => {
            let start = lines.first().map_or(0, |range| range.start);
            let end = lines.last().map_or(0, |range| range.end);
            Shows::Symbol { name: name.to_owned(), lines: start..end, n_lines }
        }
        (None, None) if view.is_whole() && part == TextPart::Whole => Shows::Whole,
        (None, None) => Shows::Lines { lines, n_lines, part },
    };
    let max_chars = asked.max_chars.map_or(usize::MAX, max_header_chars);
    let header = title
        .map(|title| header(title, listing.document(), &shows, LeftOut::default(), max_chars))
        .unwrap_or_default();
    Answer { header, shows, body: Body::View(view), next, within: None }
}

/// Neighbouring ranges as one: a View has a run of its own for every line that is cut.
fn merged(ranges: impl Iterator<Item = std::ops::Range<usize>>) -> Vec<std::ops::Range<usize>> {
    let mut merged: Vec<std::ops::Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => merged.push(range),
        }
    }
    merged
}

fn next(view: &View, cut: &Cut, asked: &Asked<'_>, part: TextPart, shown: String) -> Next {
    // A line that is longer than the whole answer may be is gone on with inside.
    let inside = match view.runs.as_slice() {
        [run] if run.lines.len() == 1 => match &run.shown {
            Shown::Pieces { pieces, n_chars } => {
                pieces.last().map(|piece| piece.chars.end).filter(|end| end < n_chars)
            }
            Shown::Whole => None,
        },
        _ => None,
    };
    let first_shown = view.runs.first().map_or(0, |run| run.lines.start);
    let also = asked.also.to_owned();
    let (lines, column, n_more_ranges) = match inside {
        // Lines whose numbers are not known are asked for by how many there are to the end.
        _ if part == TextPart::End => {
            let next = if inside.is_some() { first_shown } else { cut.rest.start };
            (format!("-{}", view.n_lines.saturating_sub(next)), inside.map(|end| end + 1), 0)
        }
        Some(end) => (format!("{}", first_shown + 1), Some(end + 1), 0),
        None => {
            let (lines, n_more_ranges) = rest(cut, asked.selection, view.n_lines, part);
            (lines, None, n_more_ranges)
        }
    };
    Next { reason: cut.reason, lines, column, n_more_ranges, also, shown }
}

/// How many ranges a next call is told one by one.
const MAX_NEXT_RANGES: usize = 20;

/// The lines still to come, as the next call asks for them, and how many ranges there are that it does not name.
fn rest(cut: &Cut, selection: &Selection, n_lines: usize, part: TextPart) -> (String, usize) {
    let mut parts: Vec<String> = Vec::new();
    if let (LineChoice::Ranges(ranges), TextPart::Beginning) = (&selection.lines, part)
        && let [(_, true)] = ranges.as_slice()
    {
        return (format!("{}-", cut.rest.start + 1), 0);
    }
    let mut push = |start: usize, end: usize| {
        let (start, end) = (start.max(cut.rest.start), end.min(cut.rest.end));
        match end.saturating_sub(start) {
            0 => {}
            1 => parts.push(format!("{end}")),
            _ => parts.push(format!("{}-{end}", start + 1)),
        }
    };
    match &selection.lines {
        LineChoice::All | LineChoice::Head(_) | LineChoice::Tail(_) => push(0, n_lines),
        LineChoice::Ranges(ranges) => {
            for (range, is_open) in ranges {
                let range = range.idx();
                push(range.start, if *is_open { n_lines } else { range.end });
            }
        }
    }
    let n_more_ranges = parts.len().saturating_sub(MAX_NEXT_RANGES);
    parts.truncate(MAX_NEXT_RANGES);
    (parts.join(","), n_more_ranges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Filter, FilterKind, Input, Limits, Scope, lay_out, read};

    fn document(text: &str) -> Document<'_> {
        read(&Input::new(text.as_bytes(), "notes.txt"), &Scope::default(), &Limits::default())
            .expect("a document")
    }

    fn check(text: &str, selection: &Selection, caps: Caps, max_chars: Option<usize>, expected: &str) {
        let document = document(text);
        let listing = lay_out(&document);
        let render = RenderOptions::default();
        let asked = Asked { selection, symbol: None, caps, max_chars, also: "", render: &render };
        let answer = excerpt(&listing, Some(&Title::new("notes.txt")), &asked).expect("an answer");
        assert_eq!(answer.text(&listing, &render), expected);
    }

    fn lines(choice: &str) -> Selection {
        Selection { lines: LineChoice::parse(choice).expect("lines"), filter: None }
    }

    const TEXT: &str = "alpha\nbeta\ngamma\ndelta\nepsilon\n";

    #[test]
    fn ranges_are_shown_with_their_numbers_in_the_header() {
        let header = |shows: &str| format!("[notes.txt · text, 5 lines · {shows}]\n");
        let check = |choice: &str, shows: &str, body: &str| {
            check(TEXT, &lines(choice), Caps::NONE, None, &(header(shows) + body));
        };
        check("2-3", "lines 2-3 of 5", "beta\ngamma\n");
        check("4+9", "lines 4-5 of 5", "delta\nepsilon\n");
        check("-1", "line 5 of 5", "epsilon\n");
        check("1,3", "lines 1, 3 of 5", "alpha\n[... skipped 1 line (2-2) ...]\ngamma\n");
    }

    /// R31 and R32.
    #[test]
    fn a_cut_says_why_and_what_comes_next() {
        let caps = Caps { max_lines: 2, ..Caps::NONE };
        check(
            TEXT,
            &lines("2-5"),
            caps,
            None,
            "[notes.txt · text, 5 lines · lines 2-3 of 5]\nbeta\ngamma\n\
             [lines 2-3 shown, cut by line_limit; next: lines \"4-5\"]\n",
        );
        let long = format!("{}\nend\n", "x".repeat(100));
        let caps = Caps { max_bytes: 160, ..Caps::NONE };
        let document = document(&long);
        let listing = lay_out(&document);
        let render = RenderOptions::default();
        let asked = Asked {
            selection: &lines("1-2"),
            symbol: None,
            caps,
            max_chars: Some(90),
            also: "",
            render: &render,
        };
        let answer = excerpt(&listing, None, &asked).expect("an answer");
        let next = answer.next.as_ref().expect("more to come");
        let shown = answer.text(&listing, &render).chars().take_while(|&c| c == 'x').count();
        assert_eq!((next.lines.as_str(), next.column), ("1", Some(shown + 1)));
    }

    #[test]
    fn hits_are_counted_and_named() {
        let mut filter = Filter::new(&FilterKind::Contains("ta".into()), false).expect("a filter");
        filter.context_lines = 0;
        let selection = Selection { lines: LineChoice::All, filter: Some(filter) };
        check(
            TEXT,
            &selection,
            Caps::NONE,
            None,
            "[notes.txt · text, 5 lines · 2 hits in 5 lines, contains \"ta\"]\nbeta\n\
             [... skipped 1 line (3-3) ...]\ndelta\n",
        );
    }

    #[test]
    fn a_budget_holds_the_whole_answer() {
        let text: String = (0..500).map(|number| format!("line {number}\n")).collect();
        let document = document(&text);
        let listing = lay_out(&document);
        let render = RenderOptions { line_numbers: true, ..RenderOptions::default() };
        for max_chars in [1, 10, 50, 200, 1000, 100_000] {
            let asked = Asked {
                selection: &lines("20-400"),
                symbol: None,
                caps: Caps::NONE,
                max_chars: Some(max_chars),
                also: "",
                render: &render,
            };
            let answer = excerpt(&listing, Some(&Title::new("notes.txt")), &asked).expect("an answer");
            let text = answer.text(&listing, &render);
            assert!(text.chars().count() <= max_chars && !text.is_empty(), "{max_chars}: {text}");
        }
    }
}
