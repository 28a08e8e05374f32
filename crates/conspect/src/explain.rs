use conspect_model::Origin;
use conspect_view::{
    Claim, Cost, CostOf, Explanation, Listing, MapEntry, MapOptions, Query, RenderOptions, Stretch,
    map_entries,
};

use crate::answer::{Answer, Body, Shows};

/// Why an answer shows what it shows, and what each part of it costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explained {
    /// What the answer consists of. Its costs are every character of the answer, header and all.
    pub explanation: Explanation,
    /// The symbols or headings that a map could name; empty where the answer is none.
    pub entries: Vec<MapEntry>,
}

impl Explained {
    /// How many characters the answer has.
    pub fn n_chars(&self) -> usize {
        self.explanation.costs.iter().map(|cost| cost.n_chars).sum()
    }
}

/// Explains an answer: which lines are shown for which reason, what each reason costs, and what the query came to.
///
/// ```
/// use conspect::{Budget, CostOf, Input, Limits, PreviewOptions, Query, Scope, answer, explain, lay_out, read};
///
/// let text: String = (1..=400).map(|n| format!("line {n} of the log\n")).collect();
/// let input = Input::new(text.as_bytes(), "a.log");
/// let document = read(&input, &Scope::default(), &Limits::default())?;
/// let listing = lay_out(&document);
/// let query = Query::parse("line 250");
/// let options = PreviewOptions { query: Some(&query), ..PreviewOptions::new(Budget::Chars(1_000)) };
/// let answer = answer(&listing, None, &options, 1_000);
/// let explained = explain(&listing, &answer, Some(&query), &options.render);
/// assert_eq!(explained.n_chars(), answer.n_chars(&listing, &options.render));
/// let best = &explained.explanation.query.unwrap().hits[0];
/// assert!(best.lines.contains(&249), "{best:?}");
/// # Ok::<(), conspect::ReadError>(())
/// ```
pub fn explain(
    listing: &Listing<'_>,
    answer: &Answer,
    query: Option<&Query>,
    render: &RenderOptions,
) -> Explained {
    let mut entries = Vec::new();
    let mut explanation = match (&answer.body, &answer.shows) {
        (Body::View(view), _) => conspect_view::explain(listing, view, query, answer.within, render),
        (Body::Text(text), shows) => {
            if let (Shows::Map { .. }, Some(budget)) = (shows, answer.within) {
                let query = query.map(|query| query.text().to_owned());
                entries = map_entries(listing.document(), &MapOptions { budget, query });
            }
            // What is cut to the last character is no longer told apart.
            let of = if matches!(shows, Shows::Map { .. }) { CostOf::Map } else { CostOf::Marks };
            let stretches = mapped(listing, &entries, render);
            Explanation {
                costs: vec![Cost { of, n_lines: 0, n_chars: text.chars().count() }],
                n_chars: stretches.iter().map(|stretch| stretch.n_chars).sum(),
                stretches,
                query: None,
            }
        }
    };
    let header = Cost { of: CostOf::Header, n_lines: 0, n_chars: answer.header.chars().count() };
    let go_on = answer.next.as_ref().map_or(0, |next| next.n_chars());
    let go_on = Cost { of: CostOf::GoOn, n_lines: 0, n_chars: go_on };
    let costs = &mut explanation.costs;
    costs.extend([header, go_on]);
    costs.retain(|cost| cost.n_chars > 0);
    costs.sort_by_key(|cost| {
        matches!(
            cost.of,
            CostOf::Header | CostOf::Profiles | CostOf::GapMarkers | CostOf::Marks | CostOf::GoOn
        )
    });
    Explained { explanation, entries }
}

/// The lines of a Listing by whether a map names what they belong to most closely.
fn mapped(listing: &Listing<'_>, entries: &[MapEntry], render: &RenderOptions) -> Vec<Stretch> {
    let mut named = vec![false; listing.n_lines()];
    // Outer symbols come before those inside them.
    for entry in entries {
        let lines = entry.lines.idx();
        if let Some(lines) =
            named.get_mut(lines.start.min(listing.n_lines())..lines.end.min(listing.n_lines()))
        {
            lines.fill(entry.is_named);
        }
    }
    let mut stretches: Vec<Stretch> = Vec::new();
    conspect_view::visit_sizes(listing, render, &mut |line_idx, n_chars| {
        let claim = named[line_idx].then_some(Claim::Structure);
        match stretches.last_mut() {
            Some(last) if last.claim == claim => {
                last.lines.end = line_idx + 1;
                last.n_chars += n_chars;
            }
            _ => stretches.push(Stretch { lines: line_idx..line_idx + 1, claim, n_chars, n_shown: 0 }),
        }
    });
    stretches
}

/// Where a line stands in the file, in words: `page 3`, `sheet "Fees" A2:F2`. Empty where its number says it all.
pub fn place(listing: &Listing<'_>, line_idx: usize) -> String {
    if listing.is_source() || line_idx >= listing.n_lines() {
        return String::new();
    }
    match listing.origin(line_idx) {
        Origin::Page { page, .. } => format!("page {page}"),
        Origin::Paragraph { paragraph, page: Some(page) } => format!("page {page}, paragraph {paragraph}"),
        Origin::Paragraph { paragraph, page: None } => format!("paragraph {paragraph}"),
        Origin::Cells { sheet, range } => match listing.document().extent.sheet_name(sheet) {
            Some(name) => format!("sheet \"{name}\" {range}"),
            None => format!("sheet {sheet} {range}"),
        },
        Origin::Slide(slide) => format!("slide {slide}"),
        Origin::NotebookCell(cell) => format!("cell {cell}"),
        Origin::Lines(_) | Origin::File => String::new(),
    }
}
