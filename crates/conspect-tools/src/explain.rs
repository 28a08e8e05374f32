//! What an answer is explained by: which claims its characters serve, and what the query came to.
//!
//! The explanation is no part of the answer. As text it goes where notices go; in JSON it stands in an object of its
//! own, after the files, that the budget does not count.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use conspect::{
    Answer, Budget, Claim, CostOf, Dropped, Explained, ExplainedHit, ExplainedQuery, ExplainedTerm, Listing,
    RenderOptions, explain, place,
};
use conspect_report::{Section, Sums, page, section};
use conspect_workspace::escaped;
use serde::Serialize;

use crate::error::ToolError;
use crate::request::{Call, OutputFormat, Request};

/// Gathers the explanation of a call while its files are answered.
#[derive(Debug, Default)]
pub(crate) struct Explainer {
    /// What was printed so far, as far as it is kept.
    printed: String,
    n_printed: usize,
    is_json: bool,
    answers: Vec<AnswerRecord>,
    drawing: Option<Drawing>,
}

/// A report while it is drawn.
#[derive(Debug)]
struct Drawing {
    /// The budget in characters, where there is one answer that has it for itself.
    own_budget: Option<usize>,
    query: Option<String>,
    sections: Vec<String>,
    files: Vec<(String, usize)>,
    claims: BTreeSet<Claim>,
}

/// What of a long answer is kept to be counted in tokens. Answers within a budget are shorter.
const MAX_KEPT_BYTES: usize = 8 << 20;

/// What of a printed text goes into a report.
const MAX_DRAWN_BYTES: usize = 1 << 20;

/// The explanation of a call.
#[derive(Debug, Serialize)]
pub(crate) struct CallRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<BudgetRecord>,
    /// How many characters the answer has, this object left out.
    printed: usize,
    answers: Vec<AnswerRecord>,
    /// Characters that belong to no answer: empty lines between files, or what JSON puts around the text.
    around: usize,
    /// Characters of the budget that were not used; absent where it is counted in tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    unused: Option<usize>,
}

#[derive(Debug, Serialize)]
struct BudgetRecord {
    amount: usize,
    unit: &'static str,
    used: usize,
}

/// One answer: a file has two where an outline and lines were asked for.
#[derive(Debug, Serialize)]
struct AnswerRecord {
    path: String,
    /// As in the answer itself; `message` where nothing matched.
    shows: &'static str,
    printed: usize,
    costs: Vec<CostRecord>,
    /// How many characters the whole would take.
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<MapRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<QueryRecord>,
}

#[derive(Debug, Serialize)]
struct CostRecord {
    of: &'static str,
    #[serde(skip)]
    label: &'static str,
    lines: usize,
    chars: usize,
}

#[derive(Debug, Serialize)]
struct MapRecord {
    named: usize,
    total: usize,
    asked_for: usize,
}

#[derive(Debug, Serialize)]
struct QueryRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    terms: Vec<TermRecord>,
    dropped: Vec<DroppedRecord>,
    total_hits: usize,
    hits: Vec<HitRecord>,
}

#[derive(Debug, Serialize)]
struct TermRecord {
    stem: String,
    weight: f64,
    found: usize,
    forms: Vec<(String, usize)>,
}

#[derive(Debug, Serialize)]
struct DroppedRecord {
    word: String,
    why: &'static str,
}

#[derive(Debug, Serialize)]
struct HitRecord {
    /// Counted from 1, or from -1 backwards where only the end of a text was read.
    first: i64,
    last: i64,
    /// First and last character, where it is a piece of one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<(usize, usize)>,
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    worth: f64,
    terms: Vec<String>,
    shown: &'static str,
    excerpt: String,
}

impl Explainer {
    pub(crate) fn new(call: &Call, budget: Option<Budget>) -> Explainer {
        let is_json = matches!(call.format, Some(OutputFormat::Json | OutputFormat::JsonLines));
        let own_budget = match (call.requests.as_slice(), budget) {
            ([only], Some(Budget::Chars(amount))) if !only.with_outline => Some(amount),
            _ => None,
        };
        let drawing = call.report.is_some().then(|| Drawing {
            own_budget,
            query: call.requests.iter().find_map(|request| Some(request.query.as_ref()?.text().to_owned())),
            sections: Vec::new(),
            files: Vec::new(),
            claims: BTreeSet::new(),
        });
        Explainer { is_json, drawing, ..Explainer::default() }
    }

    /// Takes note of what is printed.
    pub(crate) fn printed(&mut self, piece: &str) {
        self.n_printed += piece.chars().count();
        if self.printed.len() + piece.len() <= MAX_KEPT_BYTES {
            self.printed.push_str(piece);
        }
    }

    /// Explains the answer for a file.
    pub(crate) fn add(
        &mut self,
        request: &Request,
        listing: &Listing<'_>,
        answer: &Answer,
        render: &RenderOptions,
    ) {
        let explained = explain(listing, answer, request.query.as_ref(), render);
        if let Some(drawing) = &mut self.drawing {
            drawing.claims.extend(explained.explanation.stretches.iter().filter_map(|stretch| stretch.claim));
            drawing.files.push((request.path.clone(), explained.n_chars()));
            drawing.sections.push(section(&Section {
                number: drawing.sections.len() + 1,
                path: &request.path,
                listing,
                answer,
                explained: &explained,
                render,
                budget: drawing.own_budget,
            }));
        }
        self.answers.push(AnswerRecord::of(request, listing, answer, &explained, self.is_json));
    }

    /// A plain answer: nothing matches.
    pub(crate) fn add_message(&mut self, request: &Request, message: &str) {
        let chars = message.chars().count();
        let cost = CostRecord { of: "message", label: "message", lines: 0, chars };
        self.answers.push(AnswerRecord {
            path: request.path.clone(),
            shows: "message",
            printed: chars,
            costs: vec![cost],
            total: 0,
            map: None,
            query: None,
        });
    }

    /// The page, once everything is printed; `None` where there is nothing to draw.
    pub(crate) fn page(&self, budget: Option<Budget>, errors: &[ToolError]) -> Option<String> {
        let drawing = self.drawing.as_ref().filter(|drawing| !drawing.sections.is_empty())?;
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let is_kept = self.printed.chars().count() == self.n_printed && self.printed.len() <= MAX_DRAWN_BYTES;
        let claims: Vec<Claim> = drawing.claims.iter().copied().collect();
        let sums = Sums {
            claims: &claims,
            query: drawing.query.as_deref(),
            budget,
            files: &drawing.files,
            n_printed: self.n_printed,
            printed: is_kept.then_some(self.printed.as_str()),
            errors: &errors,
        };
        Some(page(&drawing.sections, &sums))
    }

    /// Sums up, once everything is printed.
    pub(crate) fn finish(self, budget: Option<Budget>) -> CallRecord {
        let in_answers: usize = self.answers.iter().map(|answer| answer.printed).sum();
        CallRecord {
            budget: budget.map(|budget| BudgetRecord {
                amount: budget.amount(),
                unit: if matches!(budget, Budget::Chars(_)) { "characters" } else { "tokens" },
                used: budget.measure(&self.printed),
            }),
            printed: self.n_printed,
            around: self.n_printed.saturating_sub(in_answers),
            unused: match budget {
                Some(Budget::Chars(amount)) => Some(amount.saturating_sub(self.n_printed)),
                Some(Budget::Tokens(_)) | None => None,
            },
            answers: self.answers,
        }
    }
}

impl AnswerRecord {
    fn of(
        request: &Request,
        listing: &Listing<'_>,
        answer: &Answer,
        explained: &Explained,
        is_json: bool,
    ) -> AnswerRecord {
        let costs = explained.explanation.costs.iter();
        // JSON has fields where text has marks.
        let is_printed = |of: CostOf| !is_json || matches!(of, CostOf::Claim(_) | CostOf::Map);
        let costs: Vec<CostRecord> = costs
            .filter(|cost| is_printed(cost.of))
            .map(|cost| CostRecord {
                of: cost.of.name(),
                label: cost.of.describe(),
                lines: cost.n_lines,
                chars: cost.n_chars,
            })
            .collect();
        let entries = &explained.entries;
        AnswerRecord {
            path: request.path.clone(),
            shows: answer.shows.name(),
            printed: costs.iter().map(|cost| cost.chars).sum(),
            costs,
            total: explained.explanation.n_chars,
            map: (!entries.is_empty()).then(|| MapRecord {
                named: entries.iter().filter(|entry| entry.is_named).count(),
                total: entries.len(),
                asked_for: entries.iter().filter(|entry| entry.is_asked_for).count(),
            }),
            query: explained.explanation.query.as_ref().map(|query| QueryRecord::of(query, listing)),
        }
    }
}

impl QueryRecord {
    fn of(query: &ExplainedQuery, listing: &Listing<'_>) -> QueryRecord {
        let term = |term: &ExplainedTerm| TermRecord {
            stem: term.stem.clone(),
            weight: rounded(term.weight),
            found: term.n_found,
            forms: term.forms.clone(),
        };
        let hit = |hit: &ExplainedHit| HitRecord {
            first: listing.number(hit.lines.start),
            last: listing.number(hit.lines.end.max(1) - 1),
            columns: hit.chars.as_ref().map(|chars| (chars.start + 1, chars.end)),
            place: place(listing, hit.lines.start),
            worth: rounded(hit.worth),
            terms: hit.terms.iter().filter_map(|&term| Some(query.terms.get(term)?.stem.clone())).collect(),
            shown: hit.shown.name(),
            excerpt: hit.excerpt.clone(),
        };
        QueryRecord {
            language: query.language,
            terms: query.terms.iter().map(term).collect(),
            dropped: query
                .dropped
                .iter()
                .map(|dropped| DroppedRecord { word: dropped.word.clone(), why: dropped.why.name() })
                .collect(),
            total_hits: query.n_hits,
            hits: query.hits.iter().map(hit).collect(),
        }
    }
}

/// Two places are enough to compare by.
fn rounded(number: f32) -> f64 {
    (f64::from(number) * 100.0).round() / 100.0
}

/// How many hits are told at a terminal.
const MAX_HITS: usize = 5;

impl CallRecord {
    /// For a terminal: a table of what the characters serve, the terms of the query, and its best hits.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let whole = match (self.unused, &self.budget) {
            (Some(_), Some(budget)) => budget.amount.max(self.printed),
            _ => self.printed,
        };
        let several = self.answers.len() > 1;
        let mut told = 0;
        for answer in &self.answers {
            let _ = writeln!(text, "explain: {} ({})", escaped(&answer.path), answer.shows);
            let mut sum = told;
            for cost in &answer.costs {
                let percent = Percent { from: sum, to: sum + cost.chars, whole };
                sum += cost.chars;
                text.push_str(&row(
                    cost.label,
                    Some(cost.lines).filter(|&lines| lines > 0),
                    cost.chars,
                    percent,
                ));
            }
            if several {
                let percent = Percent { from: told, to: sum, whole };
                text.push_str(&row("this file", None, answer.printed, percent));
            }
            told = sum;
            answer.write_map(&mut text);
            if let Some(query) = &answer.query {
                query.write(&mut text);
            }
        }
        if several {
            text.push_str("explain: all files\n");
        }
        let printed = told + self.around;
        if self.around > 0 {
            text.push_str(&row("around them", None, self.around, Percent { from: told, to: printed, whole }));
        }
        text.push_str(&row("printed", None, self.printed, Percent { from: 0, to: printed, whole }));
        match (&self.budget, self.unused) {
            (Some(budget), Some(unused)) => {
                let percent = Percent { from: printed, to: printed + unused, whole };
                text.push_str(&row("unused", None, unused, percent));
                text.push_str(&row(
                    "budget",
                    None,
                    budget.amount,
                    Percent { from: 0, to: budget.amount, whole },
                ));
            }
            (Some(budget), None) => {
                let _ = writeln!(text, "  {} of {} {}", budget.used, budget.amount, budget.unit);
            }
            _ => {}
        }
        text
    }
}

/// A share in tenths of a percent, as the difference of two running sums: so rows add up to a hundred.
#[derive(Clone, Copy)]
struct Percent {
    from: usize,
    to: usize,
    whole: usize,
}

impl Percent {
    fn tenths(self) -> usize {
        let rounded = |sum: usize| (sum * 2000 + self.whole) / (2 * self.whole.max(1));
        rounded(self.to) - rounded(self.from)
    }
}

fn row(label: &str, n_lines: Option<usize>, n_chars: usize, percent: Percent) -> String {
    let lines = n_lines.map(|n_lines| format!("{n_lines} lines")).unwrap_or_default();
    let lines = if n_lines == Some(1) { "1 line".to_owned() } else { lines };
    let tenths = percent.tenths();
    format!("  {label:<26}  {lines:>12}  {n_chars:>9}  {:>3}.{} %\n", tenths / 10, tenths % 10)
}

impl AnswerRecord {
    fn write_map(&self, text: &mut String) {
        let Some(map) = &self.map else { return };
        let _ = write!(text, "  named: {} of {}", map.named, map.total);
        if map.asked_for > 0 {
            let _ = write!(text, "; {} with words of the query", map.asked_for);
        }
        text.push('\n');
    }
}

impl QueryRecord {
    fn write(&self, text: &mut String) {
        let terms: Vec<String> = self.terms.iter().map(TermRecord::describe).collect();
        let language = self.language.map(|language| format!(" ({language})")).unwrap_or_default();
        let _ = writeln!(text, "  terms{language}: {}", terms.join(" · "));
        let words = |why: Dropped| -> Vec<String> {
            let of = self.dropped.iter().filter(|dropped| dropped.why == why.name());
            of.map(|dropped| escaped(&dropped.word)).collect()
        };
        for (label, why) in [
            ("stop words", Dropped::StopWord),
            ("too short", Dropped::TooShort),
            ("not used", Dropped::NotUsed),
        ] {
            let words = words(why);
            if !words.is_empty() {
                let _ = writeln!(text, "  {label}: {}", words.join(", "));
            }
        }
        let n_told = self.hits.len().min(MAX_HITS);
        let _ = writeln!(text, "  hits: {n_told} of {}", self.total_hits);
        for hit in self.hits.iter().take(MAX_HITS) {
            let lines = match hit.last == hit.first {
                true => format!("line {}", hit.first),
                false => format!("lines {}-{}", hit.first, hit.last),
            };
            let columns =
                hit.columns.map(|(first, last)| format!(", columns {first}-{last}")).unwrap_or_default();
            let place =
                if hit.place.is_empty() { String::new() } else { format!(", {}", escaped(&hit.place)) };
            let _ = writeln!(
                text,
                "  {:>6.2}  {:<9}  {lines}{columns}{place}: {}",
                hit.worth,
                hit.shown,
                escaped(&hit.excerpt)
            );
        }
    }
}

impl TermRecord {
    /// `replac 3 (replaced 2, replace 1)`.
    fn describe(&self) -> String {
        let is_itself = matches!(self.forms.as_slice(), [(form, _)] if *form == self.stem);
        let forms: Vec<String> =
            self.forms.iter().map(|(form, n_found)| format!("{} {n_found}", escaped(form))).collect();
        match is_itself || forms.is_empty() {
            true => format!("{} {}", escaped(&self.stem), self.found),
            false => format!("{} {} ({})", escaped(&self.stem), self.found, forms.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_that_are_rounded_add_up_to_a_hundred() {
        for parts in [vec![1, 1, 1], vec![333, 333, 334], vec![1, 999_999], vec![5, 0, 7, 11]] {
            let whole: usize = parts.iter().sum();
            let mut sum = 0;
            let mut tenths = 0;
            for part in parts {
                tenths += Percent { from: sum, to: sum + part, whole }.tenths();
                sum += part;
            }
            assert_eq!(tenths, 1000);
        }
    }
}
