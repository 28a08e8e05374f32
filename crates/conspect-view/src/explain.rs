//! Why a View shows what it shows, and what each part of it costs.
//!
//! Nothing here decides anything: it reads a finished [`View`], and looks for the query's terms the way the sampler
//! does. It takes about as long as sampling, so it is done only for whoever asks.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use crate::listing::Listing;
use crate::passage::{Passage, language, scan};
use crate::query::{Query, Terms};
use crate::render::{
    CharCount, Part, RenderOptions, each_part, gap, gap_marker, printed, visit_printed, write_between,
    write_line, write_profile,
};
use crate::sample::{passage_chars, ranked};
use crate::view::{Claim, Shown, View};
use crate::words::{each_word, guess_language};

/// What a View consists of, and why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The Listing from its first line to its last: what is shown, and what is not.
    pub stretches: Vec<Stretch>,
    /// What was printed, by reason. Together they are every character of it.
    pub costs: Vec<Cost>,
    /// How many characters the whole Listing would take, line ends included.
    pub n_chars: usize,
    /// What the query came to, where there was one.
    pub query: Option<ExplainedQuery>,
}

/// Lines that follow one another and are shown for the same reason, or are all left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Their indexes from 0.
    pub lines: Range<usize>,
    /// Why they are shown; `None` where they are not.
    pub claim: Option<Claim>,
    /// How many characters they have as written out whole, line ends included.
    pub n_chars: usize,
    /// How many of those are shown.
    pub n_shown: usize,
}

/// Characters that were printed for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The reason.
    pub of: CostOf,
    /// How many lines of the Listing they show; 0 where they show none.
    pub n_lines: usize,
    /// How many characters they are.
    pub n_chars: usize,
}

/// What characters of an answer were printed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CostOf {
    /// The line that says what the file is.
    Header,
    /// Text of the file, with its line ends.
    Claim(Claim),
    /// A structure map or outline.
    Map,
    /// What the columns of tables hold, above the tables.
    Profiles,
    /// The markers of gaps.
    GapMarkers,
    /// Everything else around the text: places, line numbers, marks of cuts, rules below table headers, fences, and
    /// blank lines.
    Marks,
    /// The line that says how to go on.
    GoOn,
}

impl CostOf {
    /// The reason's name: lower case, words joined by underscores.
    pub fn name(self) -> &'static str {
        match self {
            CostOf::Header => "header",
            CostOf::Claim(claim) => claim.name(),
            CostOf::Map => "map",
            CostOf::Profiles => "profiles",
            CostOf::GapMarkers => "gap_markers",
            CostOf::Marks => "marks",
            CostOf::GoOn => "go_on",
        }
    }

    /// The reason in words, for people.
    pub fn describe(self) -> &'static str {
        match self {
            CostOf::Header => "header line",
            CostOf::Claim(Claim::Asked) => "asked for",
            CostOf::Claim(Claim::Edge) => "first and last line",
            CostOf::Claim(Claim::Structure) => "headings and table headers",
            CostOf::Claim(Claim::Query) => "answers to the query",
            CostOf::Claim(Claim::Coverage) => "even coverage",
            CostOf::Map => "map",
            CostOf::Profiles => "what columns hold",
            CostOf::GapMarkers => "markers of gaps",
            CostOf::Marks => "places, rules, numbers",
            CostOf::GoOn => "how to go on",
        }
    }
}

/// A query as it was looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExplainedQuery {
    /// The language whose stems were compared: the document's, if it was recognised.
    pub language: Option<&'static str>,
    /// The terms, in the order in which the query has them.
    pub terms: Vec<ExplainedTerm>,
    /// Words of the query that were not looked for.
    pub dropped: Vec<DroppedWord>,
    /// How many passages hold a term.
    pub n_hits: usize,
    /// The best of them, the most worth first.
    pub hits: Vec<ExplainedHit>,
}

/// A term of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedTerm {
    /// What was compared: the stem of a word, a number marked by `#`, or an n-gram.
    pub stem: String,
    /// How much it counts; 1 is a whole word.
    pub weight: f32,
    /// How often it stands in the document.
    pub n_found: usize,
    /// The words of the document that it was found as, the most frequent first; only a few of them.
    pub forms: Vec<(String, usize)>,
}

/// A word of a query that was not looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedWord {
    /// The word, folded.
    pub word: String,
    /// Why.
    pub why: Dropped,
}

/// Why a word of a query was not looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dropped {
    /// It is in nearly every sentence.
    StopWord,
    /// It is a single letter.
    TooShort,
    /// It lies across function words, or there were more words than are looked for.
    NotUsed,
}

impl Dropped {
    /// The reason's name.
    pub fn name(self) -> &'static str {
        match self {
            Dropped::StopWord => "stop_word",
            Dropped::TooShort => "too_short",
            Dropped::NotUsed => "not_used",
        }
    }
}

/// A passage that has to do with a query.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedHit {
    /// Its lines, by index from 0.
    pub lines: Range<usize>,
    /// Which characters of its only line it is, where that is too long to be taken whole.
    pub chars: Option<Range<usize>>,
    /// What it is worth, as the sampler ranks it.
    pub worth: f32,
    /// The terms that it holds, by their place in [`ExplainedQuery::terms`].
    pub terms: Vec<usize>,
    /// How much of it is shown.
    pub shown: HitShown,
    /// The beginning of it, or the words around a term.
    pub excerpt: String,
}

/// How much of a hit is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitShown {
    /// All of it.
    Whole,
    /// Some of it.
    Part,
    /// Nothing.
    Nothing,
}

impl HitShown {
    /// In a word or two.
    pub fn name(self) -> &'static str {
        match self {
            HitShown::Whole => "shown",
            HitShown::Part => "in part",
            HitShown::Nothing => "left out",
        }
    }
}

/// How many hits are told one by one.
const MAX_HITS: usize = 20;
/// How many forms of a term are told.
const MAX_FORMS: usize = 4;
/// How many forms of a term are counted.
const MAX_COUNTED_FORMS: usize = 200;
/// How many characters of a hit are told.
const EXCERPT_CHARS: usize = 140;

/// Explains a View that was sampled within `budget` characters, or that had none.
pub fn explain(
    listing: &Listing<'_>,
    view: &View,
    query: Option<&Query>,
    budget: Option<usize>,
    render: &RenderOptions,
) -> Explanation {
    let stretches = stretches(listing, view, render);
    Explanation {
        costs: costs(listing, view, render),
        n_chars: stretches.iter().map(|stretch| stretch.n_chars).sum(),
        stretches,
        query: query.map(|query| explain_query(listing, view, query, budget, render)),
    }
}

/// The runs of a View and the gaps between them, with their sizes.
fn stretches(listing: &Listing<'_>, view: &View, render: &RenderOptions) -> Vec<Stretch> {
    let new = |lines, claim| Stretch { lines, claim, n_chars: 0, n_shown: 0 };
    let mut stretches: Vec<Stretch> = view.gaps().into_iter().map(|gap| new(gap.lines, None)).collect();
    stretches.extend(view.runs.iter().map(|run| new(run.lines.clone(), Some(run.claim))));
    stretches.sort_by_key(|stretch| stretch.lines.start);
    let mut sizes = stretches.iter_mut().peekable();
    visit_sizes(listing, render, &mut |line_idx, n_chars| {
        while sizes.next_if(|stretch| stretch.lines.end <= line_idx).is_some() {}
        if let Some(stretch) = sizes.peek_mut() {
            stretch.n_chars += n_chars;
        }
    });
    let mut runs = view.runs.iter();
    for stretch in stretches.iter_mut().filter(|stretch| stretch.claim.is_some()) {
        stretch.n_shown = match runs.next().map(|run| &run.shown) {
            Some(Shown::Pieces { pieces, .. }) => {
                pieces.iter().map(|piece| piece.chars.len()).sum::<usize>() + 1
            }
            _ => stretch.n_chars,
        };
    }
    stretches
}

/// Calls `each` with the index of every line and how many characters it takes written out whole, its line end included.
pub fn visit_sizes(listing: &Listing<'_>, render: &RenderOptions, each: &mut dyn FnMut(usize, usize)) {
    visit_printed(listing, 0..listing.n_lines(), render.style, &mut |line_idx, text| {
        each(line_idx, text.chars().count() + 1);
        ControlFlow::Continue(())
    });
}

/// What printing a View takes, by reason: the same steps as writing it out, counted apart.
fn costs(listing: &Listing<'_>, view: &View, render: &RenderOptions) -> Vec<Cost> {
    let mut by_reason: BTreeMap<CostOf, (usize, usize)> = BTreeMap::new();
    let mut add = |of: CostOf, n_lines: usize, n_chars: usize| {
        let (lines, chars) = by_reason.entry(of).or_default();
        *lines += n_lines;
        *chars += n_chars;
    };
    let count = |write: &dyn Fn(&mut CharCount)| {
        let mut count = CharCount(0);
        write(&mut count);
        count.0
    };
    each_part(listing, view, render.style, &mut |part| match part {
        Part::Between(prev, next) => {
            let n_all = count(&|sink| write_between(listing, prev, next, render, sink));
            let gap = gap(listing, prev, next);
            let n_marker = if gap.is_empty() { 0 } else { gap_marker(listing, gap).chars().count() };
            add(CostOf::GapMarkers, 0, n_marker);
            add(CostOf::Marks, 0, n_all - n_marker);
        }
        Part::Profile(profile) => {
            add(CostOf::Profiles, 0, count(&|sink| write_profile(profile, render.style, sink)));
        }
        Part::Line { line_idx, text, run } => {
            let n_all = count(&|sink| write_line(listing, line_idx, text, &run.shown, render, sink));
            let n_own = 1 + match &run.shown {
                Shown::Whole => text.chars().count(),
                Shown::Pieces { pieces, .. } => pieces.iter().map(|piece| piece.chars.len()).sum(),
            };
            add(CostOf::Claim(run.claim), 1, n_own);
            add(CostOf::Marks, 0, n_all - n_own);
        }
    });
    let costs = by_reason.into_iter().map(|(of, (n_lines, n_chars))| Cost { of, n_lines, n_chars });
    costs.filter(|cost| cost.n_chars > 0).collect()
}

fn explain_query(
    listing: &Listing<'_>,
    view: &View,
    query: &Query,
    budget: Option<usize>,
    render: &RenderOptions,
) -> ExplainedQuery {
    let language = language(listing);
    let passage_chars = passage_chars(budget.unwrap_or(usize::MAX));
    let scan = scan(listing, Some(query), render.style, passage_chars);
    let hits: Vec<Passage> = scan.hits.into_iter().filter(Passage::holds_terms).collect();
    let terms = scan.terms.unwrap_or_else(|| query.terms(language));
    let best: Vec<ExplainedHit> = ranked(&hits)
        .into_iter()
        .take(MAX_HITS)
        .map(|hit| explain_hit(listing, view, &hits[hit], &terms, render))
        .collect();
    ExplainedQuery {
        language: language.map(|language| language.name),
        terms: explain_terms(listing, &terms, render),
        dropped: dropped(query, &terms, language),
        n_hits: hits.len(),
        hits: best,
    }
}

/// How often each term stands in the document, and as which words.
fn explain_terms(listing: &Listing<'_>, terms: &Terms, render: &RenderOptions) -> Vec<ExplainedTerm> {
    let mut counts: Vec<(usize, BTreeMap<String, usize>)> = vec![(0, BTreeMap::new()); terms.len()];
    visit_printed(listing, 0..listing.n_lines(), render.style, &mut |_, text| {
        each_word(text, &mut |word| {
            let Some((n_found, forms)) = terms.find(word).and_then(|term| counts.get_mut(term)) else {
                return;
            };
            *n_found += 1;
            if let Some(count) = forms.get_mut(word) {
                *count += 1;
            } else if forms.len() < MAX_COUNTED_FORMS {
                forms.insert(word.to_owned(), 1);
            }
        });
        ControlFlow::Continue(())
    });
    let stems = terms.stems();
    let explained = counts.into_iter().enumerate().map(|(term, (n_found, forms))| {
        let mut forms: Vec<(String, usize)> = forms.into_iter().collect();
        forms.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        forms.truncate(MAX_FORMS);
        ExplainedTerm { stem: stems[term].clone(), weight: terms.weight(term), n_found, forms }
    });
    explained.collect()
}

/// The words of a query that are no term.
fn dropped(
    query: &Query,
    terms: &Terms,
    language: Option<&'static crate::words::Language>,
) -> Vec<DroppedWord> {
    let mut words: Vec<String> = Vec::new();
    each_word(query.text(), &mut |word| words.push(word.to_owned()));
    let own = guess_language(words.iter().map(String::as_str));
    let mut dropped: Vec<DroppedWord> = Vec::new();
    for word in &words {
        // Digits are looked for as the number that they are part of.
        let is_number = word.starts_with('#') || word.bytes().all(|b| b.is_ascii_digit());
        let is_known = dropped.iter().any(|known| known.word == *word);
        if is_number || is_known || terms.find(word).is_some() {
            continue;
        }
        let is_stop_word = [language, own].iter().flatten().any(|language| language.is_function_word(word));
        let why = match word.chars().nth(1) {
            _ if is_stop_word => Dropped::StopWord,
            None => Dropped::TooShort,
            Some(_) => Dropped::NotUsed,
        };
        dropped.push(DroppedWord { word: word.clone(), why });
    }
    dropped
}

fn explain_hit(
    listing: &Listing<'_>,
    view: &View,
    passage: &Passage,
    terms: &Terms,
    render: &RenderOptions,
) -> ExplainedHit {
    let mut found: Vec<usize> = Vec::new();
    let mut best: Option<(usize, String)> = None;
    for line_idx in passage.lines.clone() {
        let text = printed(listing, line_idx, render.style);
        let text = match &passage.piece {
            Some(piece) => text.get(piece.bytes.clone()).unwrap_or_default(),
            None => &text,
        };
        let mut here: Vec<usize> = Vec::new();
        each_word(text, &mut |word| here.extend(terms.find(word)));
        here.sort_unstable();
        here.dedup();
        if best.as_ref().is_none_or(|(most, _)| here.len() > *most) {
            best = Some((here.len(), excerpt(text, terms)));
        }
        found.extend(here);
    }
    found.sort_unstable();
    found.dedup();
    ExplainedHit {
        lines: passage.lines.clone(),
        chars: passage.piece.as_ref().map(|piece| piece.chars.clone()),
        worth: passage.worth,
        terms: found,
        shown: hit_shown(view, passage),
        excerpt: best.map(|(_, excerpt)| excerpt).unwrap_or_default(),
    }
}

/// About so many characters, from a little before the first word that is a term.
fn excerpt(text: &str, terms: &Terms) -> String {
    let mut first = 0;
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let mut is_term = false;
        each_word(word, &mut |word| is_term |= terms.find(word).is_some());
        if is_term {
            first = text[..at].chars().count();
            break;
        }
        at += word.len();
    }
    let n_chars = text.chars().count();
    let start = match n_chars {
        0..=EXCERPT_CHARS => 0,
        _ => first.saturating_sub(EXCERPT_CHARS / 4).min(n_chars - EXCERPT_CHARS),
    };
    let mut cut: String = text.chars().skip(start).take(EXCERPT_CHARS).collect();
    // A word that is cut at the beginning says nothing, unless there is no other.
    if let Some(blank) = cut.find(' ').filter(|&blank| start > 0 && blank < 24) {
        cut.drain(..blank);
    }
    let before = if start > 0 { "…" } else { "" };
    let after = if start + EXCERPT_CHARS < n_chars { "…" } else { "" };
    format!("{before}{}{after}", cut.trim())
}

fn hit_shown(view: &View, passage: &Passage) -> HitShown {
    let first = view.runs.partition_point(|run| run.lines.end <= passage.lines.start);
    let runs = view.runs[first..].iter().take_while(|run| run.lines.start < passage.lines.end);
    let (mut n_lines, mut n_whole) = (0, 0);
    for run in runs {
        let both = run.lines.start.max(passage.lines.start)..run.lines.end.min(passage.lines.end);
        let is_whole = match (&run.shown, &passage.piece) {
            (Shown::Whole, _) => true,
            (Shown::Pieces { .. }, None) => false,
            (Shown::Pieces { pieces, .. }, Some(wanted)) => {
                let overlaps = |piece: &&crate::view::Piece| {
                    piece.chars.start < wanted.chars.end && wanted.chars.start < piece.chars.end
                };
                let Some(piece) = pieces.iter().find(overlaps) else { continue };
                piece.chars.start <= wanted.chars.start && piece.chars.end >= wanted.chars.end
            }
        };
        n_lines += both.len();
        n_whole += if is_whole { both.len() } else { 0 };
    }
    match (n_lines, n_whole) {
        (0, _) => HitShown::Nothing,
        (_, n_whole) if n_whole == passage.lines.len() => HitShown::Whole,
        _ => HitShown::Part,
    }
}
