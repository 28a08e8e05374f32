use conspect_model::{BlockKind, FormatFamily};
use conspect_view::{
    Budget, Caps, LineChoice, Listing, MapOptions, Query, RenderOptions, SampleOptions, Selection, View, map,
    rendered_chars, sample,
};

use crate::answer::{Answer, Body, Shows};
use crate::excerpt::{Asked, excerpt};
use crate::header::{LeftOut, Title, header};

/// What to show of a file when no part of it was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Everything if it fits; else a structure map of code, and a sample of anything else.
    #[default]
    Auto,
    /// Everything, whatever the budget.
    Full,
    /// The beginning.
    Head,
    /// A sample, of code too.
    Sample,
    /// A map of symbols, headings, sheets, cells or keys.
    Outline,
}

impl Mode {
    /// Every mode with its name.
    pub const NAMES: &'static [(&'static str, Mode)] = &[
        ("auto", Mode::Auto),
        ("full", Mode::Full),
        ("head", Mode::Head),
        ("sample", Mode::Sample),
        ("outline", Mode::Outline),
    ];

    /// The mode with this name.
    pub fn from_name(name: &str) -> Option<Mode> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode)
    }
}

/// How a preview is made.
#[derive(Clone, Debug)]
pub struct PreviewOptions<'q> {
    /// What to show.
    pub mode: Mode,
    /// What the answer may hold, its header included. [`Mode::Full`] does not look at it.
    pub budget: Budget,
    /// What the reader wants to know.
    pub query: Option<&'q Query>,
    /// The share of the budget that lines may claim only because they answer the query.
    pub query_share: f64,
    /// Characters that one line of a sample may take.
    pub line_cap: usize,
    /// How it is written out.
    pub render: RenderOptions,
}

impl<'q> PreviewOptions<'q> {
    /// The defaults within this budget.
    pub fn new(budget: Budget) -> PreviewOptions<'q> {
        let defaults = SampleOptions::new(0);
        PreviewOptions {
            mode: Mode::Auto,
            budget,
            query: None,
            query_share: defaults.query_share,
            line_cap: defaults.line_cap,
            render: RenderOptions::default(),
        }
    }
}

/// The preview of a file as text, within the budget.
pub fn preview(listing: &Listing<'_>, title: Option<&Title<'_>>, options: &PreviewOptions<'_>) -> String {
    options.budget.fit(|max_chars| answer(listing, title, options, max_chars).text(listing, &options.render))
}

/// The preview of a file within so many characters, whatever the budget in `options`.
pub fn answer(
    listing: &Listing<'_>,
    title: Option<&Title<'_>>,
    options: &PreviewOptions<'_>,
    max_chars: usize,
) -> Answer {
    let whole = whole(listing, title);
    if options.mode == Mode::Full
        || fits(listing, &whole, &options.render, max_chars) && options.mode != Mode::Outline
    {
        return whole;
    }
    let is_code = listing.document().format.family() == FormatFamily::Code;
    let answer = match options.mode {
        Mode::Head => head(listing, title, options, max_chars),
        Mode::Outline => outline(listing, title, options, max_chars),
        // Code in which no symbol is found has no map to show.
        Mode::Auto if is_code => match outline(listing, title, options, max_chars) {
            Answer { body: Body::Text(map), .. } if map.is_empty() => {
                sampled(listing, title, options, max_chars)
            }
            answer => answer,
        },
        Mode::Auto | Mode::Full | Mode::Sample => sampled(listing, title, options, max_chars),
    };
    let answer = answer.cut(listing, &options.render, max_chars);
    match answer.n_chars(listing, &options.render) {
        // Not even the mark of a cut fits.
        0 if listing.n_lines() > 0 => {
            let first = listing.plain(0).chars().take(max_chars).collect();
            Answer { body: Body::Text(first), ..answer }
        }
        _ => answer,
    }
}

fn whole(listing: &Listing<'_>, title: Option<&Title<'_>>) -> Answer {
    let shows = if listing.n_lines() == 0 { Shows::Empty } else { Shows::Whole };
    let header = title
        .map(|title| header(title, listing.document(), &shows, LeftOut::default(), usize::MAX))
        .unwrap_or_default();
    Answer { header, shows, body: Body::View(View::whole(listing.n_lines())), next: None, within: None }
}

/// Whether the whole fits. A text that is surely too long is not looked at.
fn fits(listing: &Listing<'_>, whole: &Answer, render: &RenderOptions, max_chars: usize) -> bool {
    let at_least = match listing.is_source() {
        true => listing.n_chars() + listing.n_lines(),
        false => listing.n_lines(),
    };
    let header = whole.header.chars().count();
    let Body::View(view) = &whole.body else { return false };
    at_least <= max_chars && header + rendered_chars(listing, view, render) <= max_chars
}

fn outline(
    listing: &Listing<'_>,
    title: Option<&Title<'_>>,
    options: &PreviewOptions<'_>,
    max_chars: usize,
) -> Answer {
    let document = listing.document();
    let has_symbols = document.blocks.iter().any(|block| matches!(block.kind, BlockKind::Symbol(_)));
    let shows = |n_shown: usize, n_entries: usize| {
        let counted = match (has_symbols, n_entries) {
            (_, 0) => "no structure found".to_owned(),
            (true, _) => format!("structure map: {n_shown} of {n_entries} symbols"),
            (false, _) => format!("outline: {n_shown} of {n_entries} entries"),
        };
        Shows::Map { counted }
    };
    let header_of = |shows: &Shows, max_chars| {
        title.map(|title| header(title, document, shows, LeftOut::default(), max_chars)).unwrap_or_default()
    };
    let within = |n_chars| {
        map(
            document,
            &MapOptions { budget: n_chars, query: options.query.map(|query| query.text().to_owned()) },
        )
    };
    // How many symbols are shown is known when the map is; the number has no more digits than that of all.
    let n_entries = within(0).n_symbols;
    let reserved = header_of(&shows(n_entries, n_entries), max_header_chars(max_chars)).chars().count();
    let budget = max_chars.saturating_sub(reserved);
    let map = within(budget);
    let shows = shows(map.n_shown, map.n_symbols);
    let header = header_of(&shows, reserved);
    Answer { header, shows, body: Body::Text(map.text), next: None, within: Some(budget) }
}

fn sampled(
    listing: &Listing<'_>,
    title: Option<&Title<'_>>,
    options: &PreviewOptions<'_>,
    max_chars: usize,
) -> Answer {
    let shows = Shows::Sample { n_lines: listing.n_lines() };
    let max_header = max_header_chars(max_chars);
    let header_of = |shows: &Shows, left_out, max_chars| {
        title.map(|title| header(title, listing.document(), shows, left_out, max_chars)).unwrap_or_default()
    };
    // How much is left out is known when the body is; the numbers have no more digits than those of all.
    let n_tables = listing.tables().len();
    let counts_tables = n_tables >= MIN_COUNTED_TABLES;
    let all =
        LeftOut { n_headings: listing.headings().len(), n_tables: if counts_tables { n_tables } else { 0 } };
    let reserved = header_of(&shows, all, usize::MAX).chars().count().min(max_header);
    let budget = max_chars.saturating_sub(reserved);
    let view = sample(
        listing,
        &SampleOptions {
            budget,
            query: options.query,
            query_share: options.query_share,
            line_cap: options.line_cap,
            render: options.render.clone(),
        },
    );
    // Where only the header was too long, everything is here.
    let shows = if view.is_whole() { Shows::Whole } else { shows };
    let left_out = LeftOut {
        n_headings: view.n_headings_left_out,
        n_tables: if counts_tables { view.n_tables_left_out } else { 0 },
    };
    let header = header_of(&shows, left_out, reserved);
    Answer { header, shows, body: Body::View(view), next: None, within: Some(budget) }
}

/// Where there are fewer tables, the gaps themselves say enough, and the room for the words is better used.
const MIN_COUNTED_TABLES: usize = 4;

fn head(
    listing: &Listing<'_>,
    title: Option<&Title<'_>>,
    options: &PreviewOptions<'_>,
    max_chars: usize,
) -> Answer {
    let asked = Asked {
        selection: &Selection { lines: LineChoice::All, filter: None },
        symbol: None,
        caps: Caps { max_line_chars: options.line_cap, ..Caps::NONE },
        max_chars: Some(max_chars),
        also: "",
        render: &options.render,
    };
    // Without a filter, a range or a column there is nothing that can be past the end.
    excerpt(listing, title, &asked).unwrap_or_else(|_| sampled(listing, title, options, max_chars))
}

/// How much of an answer its header may take: all of it where there is room, half of it where there is little.
pub(crate) fn max_header_chars(max_chars: usize) -> usize {
    (max_chars / 2).max(max_chars.saturating_sub(400))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, Limits, Scope, lay_out, read};

    fn check(mode: Mode, text: &str, max_chars: usize) -> String {
        let input = Input::new(text.as_bytes(), "notes.txt");
        let document = read(&input, &Scope::default(), &Limits::default()).expect("a document");
        let listing = lay_out(&document);
        let options = PreviewOptions { mode, ..PreviewOptions::new(Budget::Chars(max_chars)) };
        let preview = preview(&listing, Some(&Title::new("notes.txt")), &options);
        assert!(mode == Mode::Full || preview.chars().count() <= max_chars, "{preview}");
        preview
    }

    fn numbered(n_lines: usize) -> String {
        (1..=n_lines).map(|number| format!("this is line number {number}\n")).collect()
    }

    /// R20.
    #[test]
    fn what_fits_is_shown_whole_to_the_last_character() {
        let whole = "[notes.txt · text, 2 lines]\none\ntwo\n";
        let n_chars = whole.chars().count();
        assert_eq!(check(Mode::Auto, "one\ntwo", n_chars), whole);
        assert_ne!(check(Mode::Auto, "one\ntwo", n_chars - 1), whole);
        assert_eq!(check(Mode::Auto, "", 100), "[notes.txt · text · empty]\n");
    }

    /// R22 and S1.
    #[test]
    fn what_does_not_fit_is_sampled_within_the_budget() {
        let preview = check(Mode::Auto, &numbered(1000), 1000);
        assert!(
            preview.starts_with(
                "[notes.txt · text, 1000 lines · sample of 1000 lines]\nthis is line number 1\n"
            )
        );
        assert!(preview.ends_with("this is line number 1000\n"));
        assert!(preview.chars().count() > 900);
    }

    /// R23 and R32.
    #[test]
    fn the_head_says_how_to_go_on() {
        let preview = check(Mode::Head, &numbered(1000), 1000);
        let shown = preview.lines().filter(|line| line.starts_with("this")).count();
        assert!(preview.starts_with(&format!("[notes.txt · text, 1000 lines · lines 1-{shown} of 1000]\n")));
        assert!(preview.ends_with(&format!(
            "[lines 1-{shown} shown, cut by budget; next: lines \"{}-1000\"]\n",
            shown + 1
        )));
        assert_eq!(check(Mode::Full, &numbered(100), 10).lines().count(), 101);
    }

    /// R21.
    #[test]
    fn code_that_does_not_fit_is_mapped() {
        let text: String = (0..200)
            .map(|number| format!("def f{number}(x):\n    return {}\n\n", "x + ".repeat(20) + "x"))
            .collect();
        let input = Input::new(text.as_bytes(), "many.py");
        let document = read(&input, &Scope::default(), &Limits::default()).expect("a document");
        let listing = lay_out(&document);
        let options = PreviewOptions::new(Budget::Chars(6_000));
        let preview = preview(&listing, Some(&Title::new("many.py")), &options);
        assert!(
            preview.starts_with("[many.py · python, 600 lines · structure map: 200 of 200 symbols]\n"),
            "{preview}"
        );
        assert!(preview.chars().count() <= 6_000);
    }

    /// S10.
    #[test]
    fn the_smallest_budgets_are_kept() {
        for max_chars in 1..200 {
            for mode in [Mode::Auto, Mode::Head, Mode::Sample, Mode::Outline] {
                assert!(!check(mode, &numbered(1000), max_chars).is_empty());
            }
        }
    }
}
