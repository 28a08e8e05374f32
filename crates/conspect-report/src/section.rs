use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::{ControlFlow, Range};

use conspect::{
    Answer, Claim, Dropped, Explained, ExplainedHit, ExplainedQuery, HitShown, Listing, RenderOptions, Run,
    Stretch, place, shown_text,
};

use crate::costs::{Row, class, grouped, write_costs};
use crate::escape;
use crate::strip::{percent, segments};

/// What is drawn for one file.
#[derive(Clone, Copy)]
pub struct Section<'a> {
    /// Its number on the page, from 1.
    pub number: usize,
    /// The path, as it was given.
    pub path: &'a str,
    /// The file.
    pub listing: &'a Listing<'a>,
    /// The answer.
    pub answer: &'a Answer,
    /// Why it is what it is.
    pub explained: &'a Explained,
    /// How it was written out.
    pub render: &'a RenderOptions,
    /// The budget in characters, where this is the only file and it has one.
    pub budget: Option<usize>,
}

/// Lines of an answer that are drawn one by one.
const MAX_LINES: usize = 4_000;
/// Characters of all lines that are drawn.
const MAX_CHARS: usize = 600_000;
/// Characters of one line that are drawn.
const MAX_LINE_CHARS: usize = 6_000;
/// Gaps that can be unfolded, and how much of each.
const MAX_OPEN_GAPS: usize = 200;
const MAX_GAP_LINES: usize = 30;
const MAX_GAP_CHARS: usize = 3_000;
/// Hits that are seen without unfolding the others.
const MAX_OPEN_HITS: usize = 6;
/// Symbols of a map that are listed.
const MAX_ENTRIES: usize = 600;

/// Draws the answer for one file.
pub fn section(section: &Section<'_>) -> String {
    let mut out = String::new();
    let n = section.number;
    let _ = write!(
        out,
        "<section class=\"file\" id=\"f{n}\" aria-labelledby=\"f{n}-name\">\n<h2 id=\"f{n}-name\">"
    );
    escape(section.path, &mut out);
    out.push_str("</h2>\n");
    write_facts(section, &mut out);
    // The text goes first, to know which lines there are to lead to.
    let mut text = String::new();
    let drawn = match section.answer.view() {
        Some(view) => Text { section, marked: marked(section), n_chars: 0, n_lines: 0, n_open: 0 }
            .write(&view.runs, &mut text),
        None => {
            write_map(section, &mut text);
            section.listing.n_lines()
        }
    };
    out.push_str("<div class=\"columns\">\n<div class=\"side\">\n");
    write_side(section, drawn, &mut out);
    out.push_str("</div>\n<div class=\"main\">\n");
    write_strip(section, drawn, &mut out);
    out.push_str(&text);
    out.push_str("</div>\n</div>\n</section>\n");
    out
}

/// The line below the name: what the answer's header says, without its brackets.
fn write_facts(section: &Section<'_>, out: &mut String) {
    let header = section.answer.header.trim_end();
    let header = header.strip_prefix('[').and_then(|header| header.strip_suffix(']')).unwrap_or(header);
    out.push_str("<p class=\"facts\">");
    let facts: Vec<&str> = header.split(" · ").skip(1).collect();
    escape(&facts.join(" · "), out);
    let explanation = &section.explained.explanation;
    let n_shown: usize = explanation.stretches.iter().map(|stretch| stretch.n_shown).sum();
    if n_shown > 0 && explanation.n_chars > 0 {
        let _ = write!(
            out,
            "{}{} of {} characters shown",
            if facts.is_empty() { "" } else { " · " },
            grouped(n_shown),
            grouped(explanation.n_chars)
        );
    }
    out.push_str("</p>\n");
}

fn write_side(section: &Section<'_>, drawn: usize, out: &mut String) {
    out.push_str("<h3>What the characters serve</h3>\n");
    let costs = section.explained.explanation.costs.iter();
    let rows: Vec<Row> = costs
        .map(|cost| Row {
            class: class(cost.of),
            label: capital(cost.of.describe()),
            n_lines: cost.n_lines,
            n_chars: cost.n_chars,
        })
        .collect();
    write_costs("Serves", &rows, section.budget, out);
    if let Some(query) = &section.explained.explanation.query {
        write_terms(query, out);
        write_hits(section, query, drawn, out);
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn write_terms(query: &ExplainedQuery, out: &mut String) {
    out.push_str("<h3>Terms looked for");
    if let Some(language) = query.language {
        let _ = write!(out, " <small>{language}</small>");
    }
    out.push_str("</h3>\n<ul class=\"terms\">\n");
    for term in &query.terms {
        let missing = if term.n_found == 0 { " class=\"missing\"" } else { "" };
        let _ = write!(out, "<li{missing}><b>");
        escape(&term.stem, out);
        let _ = write!(out, "</b> <span>{}×</span>", grouped(term.n_found));
        let forms: Vec<String> = match term.forms.as_slice() {
            [(form, _)] if *form == term.stem => Vec::new(),
            [(form, _)] => vec![form.clone()],
            forms => forms.iter().map(|(form, n_found)| format!("{form} {}", grouped(*n_found))).collect(),
        };
        if !forms.is_empty() {
            out.push_str(" <small>");
            escape(&forms.join(", "), out);
            out.push_str("</small>");
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ul>\n");
    for (label, why) in [
        ("Stop words, not looked for", Dropped::StopWord),
        ("Too short to be looked for", Dropped::TooShort),
        ("Not looked for", Dropped::NotUsed),
    ] {
        let words: Vec<&str> = query
            .dropped
            .iter()
            .filter(|dropped| dropped.why == why)
            .map(|dropped| dropped.word.as_str())
            .collect();
        if !words.is_empty() {
            let _ = write!(out, "<p class=\"dropped\">{label}: ");
            escape(&words.join(", "), out);
            out.push_str("</p>\n");
        }
    }
}

fn write_hits(section: &Section<'_>, query: &ExplainedQuery, drawn: usize, out: &mut String) {
    let _ = writeln!(
        out,
        "<h3>Best passages <small>{} of {}</small></h3>",
        query.hits.len(),
        grouped(query.n_hits)
    );
    if query.hits.is_empty() {
        out.push_str("<p class=\"dropped\">No passage holds a term.</p>\n");
        return;
    }
    let most = query.hits.first().map_or(1.0, |hit| hit.worth.max(0.01));
    out.push_str("<ol class=\"hits\">\n");
    for (idx, hit) in query.hits.iter().enumerate() {
        // On a narrow page the text comes below.
        if idx == MAX_OPEN_HITS {
            let _ = writeln!(
                out,
                "</ol>\n<details class=\"more-hits\"><summary>{} more</summary>\n<ol class=\"hits\">",
                query.hits.len() - idx
            );
        }
        let state = match hit.shown {
            HitShown::Whole => "yes",
            HitShown::Part => "part",
            HitShown::Nothing => "no",
        };
        let _ = write!(
            out,
            "<li><a class=\"hit {state}\" href=\"#{}\"><span class=\"hit-head\"><b>{}</b> <span class=\"worth\" \
             title=\"worth, as the sampler ranks it\"><i style=\"width:{}%\"></i>{:.2}</span> <em>{}</em></span>\
             <span class=\"excerpt\">",
            anchor(section, hit.lines.start, drawn),
            lines_in_words(section.listing, &hit.lines),
            (hit.worth / most * 100.0).clamp(2.0, 100.0) as u32,
            hit.worth,
            hit.shown.name(),
        );
        escape(&hit.excerpt, out);
        out.push_str("</span>");
        write_hit_place(section, query, hit, out);
        out.push_str("</a></li>\n");
    }
    out.push_str("</ol>\n");
    if query.hits.len() > MAX_OPEN_HITS {
        out.push_str("</details>\n");
    }
}

fn write_hit_place(section: &Section<'_>, query: &ExplainedQuery, hit: &ExplainedHit, out: &mut String) {
    let mut parts = Vec::new();
    if let Some(chars) = &hit.chars {
        parts.push(format!("columns {}–{}", grouped(chars.start + 1), grouped(chars.end)));
    }
    parts.extend(Some(place(section.listing, hit.lines.start)).filter(|place| !place.is_empty()));
    let terms: Vec<&str> =
        hit.terms.iter().filter_map(|&term| Some(query.terms.get(term)?.stem.as_str())).collect();
    parts.push(terms.join(" + "));
    out.push_str("<span class=\"where\">");
    escape(&parts.join(" · "), out);
    out.push_str("</span>");
}

/// `line 12` or `lines 12–15`.
fn lines_in_words(listing: &Listing<'_>, lines: &Range<usize>) -> String {
    let (first, last) = (listing.number(lines.start), listing.number(lines.end.max(1) - 1));
    match lines.len() {
        1 => format!("line {first}"),
        _ => format!("lines {first}–{last}"),
    }
}

/// Where a line is drawn: itself, or the gap that it lies in. Lines from `drawn` on are not: the text ends before them.
fn anchor(section: &Section<'_>, line_idx: usize, drawn: usize) -> String {
    let n = section.number;
    let stretches = &section.explained.explanation.stretches;
    let at = stretches.partition_point(|stretch| stretch.lines.end <= line_idx);
    match stretches.get(at) {
        Some(_) if line_idx >= drawn => format!("f{n}-end"),
        Some(stretch) if section.answer.view().is_some() && stretch.claim.is_none() => {
            format!("f{n}-g{}", stretch.lines.start + 1)
        }
        Some(_) if section.answer.view().is_some() => format!("f{n}-l{}", line_idx + 1),
        _ => format!("f{n}"),
    }
}

/// The words that the terms were found as, to be marked in the text.
fn marked(section: &Section<'_>) -> HashSet<String> {
    let query = section.explained.explanation.query.iter();
    query.flat_map(|query| &query.terms).flat_map(|term| &term.forms).map(|(form, _)| form.clone()).collect()
}

/// The document as a strip. Every piece is a link to its place in the text, named for what it shows.
fn write_strip(section: &Section<'_>, drawn: usize, out: &mut String) {
    let stretches = &section.explained.explanation.stretches;
    let (segments, n_cells) = segments(stretches);
    let n = section.number;
    let _ = writeln!(
        out,
        "<div class=\"strip-cell\"><a class=\"sr jump\" href=\"#f{n}-end\">Skip the strip and the text</a><div class=\"strip-box\"><nav class=\"strip\" aria-label=\"The document from top to bottom: what is shown, and \
         what is skipped\" data-segments=\"{}\">",
        segments.len()
    );
    for segment in &segments {
        let what = what(section, segment.claim);
        let (name, class) =
            (segment.claim.map_or("skipped", Claim::name), segment.claim.map_or("skip", Claim::name));
        let target = anchor(section, segment.lines.start, drawn);
        let _ = write!(
            out,
            "<a class=\"{class}\" href=\"#{target}\" style=\"top:{};height:{}\" title=\"",
            percent(segment.cells.start, n_cells),
            percent(segment.cells.len(), n_cells),
        );
        let mut label = format!("{what}: {}", lines_in_words(section.listing, &segment.lines));
        let places = places(section.listing, &segment.lines);
        if !places.is_empty() {
            label.push_str(", ");
            label.push_str(&places);
        }
        escape(&label, out);
        let _ = write!(out, "\"><span class=\"sr\">{name} ");
        escape(&lines_in_words(section.listing, &segment.lines), out);
        out.push_str("</span></a>");
    }
    let _ = writeln!(out, "</nav></div></div>");
}

/// What a claim is called beside a line.
fn what(section: &Section<'_>, claim: Option<Claim>) -> &'static str {
    let is_map = section.answer.view().is_none();
    match claim {
        None if is_map => "not named",
        None => "skipped",
        Some(_) if is_map => "named in the map",
        Some(Claim::Asked) => "asked for",
        Some(Claim::Edge) => "first or last line",
        Some(Claim::Structure) => "heading or table header",
        Some(Claim::Query) => "answers the query",
        Some(Claim::Coverage) => "even coverage",
    }
}

/// Where lines begin and end in the file, in words.
fn places(listing: &Listing<'_>, lines: &Range<usize>) -> String {
    let (start, end) = (lines.start, lines.end.saturating_sub(1));
    if let (Some(first), Some(last)) = (listing.page(start), listing.page(end))
        && first < last
    {
        return format!("pages {first}–{last}");
    }
    let (first, last) = (place(listing, start), place(listing, end));
    match (first.strip_prefix("paragraph "), last.strip_prefix("paragraph ")) {
        _ if first == last => first,
        (Some(first), Some(last)) => format!("paragraphs {first}–{last}"),
        _ => format!("{first} – {last}"),
    }
}

/// The text of the answer, line after line, with its gaps.
struct Text<'s, 'a> {
    section: &'s Section<'a>,
    marked: HashSet<String>,
    n_chars: usize,
    n_lines: usize,
    n_open: usize,
}

impl Text<'_, '_> {
    /// Writes as much as has room. Gives the index of the first line that is not drawn, in a gap or by itself.
    fn write(mut self, runs: &[Run], out: &mut String) -> usize {
        let n = self.section.number;
        out.push_str("<div class=\"text\">\n");
        let mut runs = runs.iter();
        let mut before = None;
        let mut n_left_out = 0;
        let mut drawn = self.section.listing.n_lines();
        for stretch in &self.section.explained.explanation.stretches {
            if stretch.claim.is_none() {
                before = None;
                match self.has_room() {
                    true => self.write_gap(stretch, out),
                    false => drawn = drawn.min(stretch.lines.start),
                }
                continue;
            }
            let Some(run) = runs.next() else { continue };
            for line_idx in run.lines.clone() {
                if !self.has_room() {
                    n_left_out += run.lines.end - line_idx;
                    drawn = drawn.min(line_idx);
                    break;
                }
                self.write_line(line_idx, run, before != Some(run.claim), out);
                before = Some(run.claim);
            }
        }
        if n_left_out > 0 {
            let _ = writeln!(
                out,
                "<p class=\"more\">{} more lines of the answer are not drawn here.</p>",
                grouped(n_left_out)
            );
        }
        if self.section.listing.n_lines() == 0 {
            out.push_str("<p class=\"more\">The file is empty.</p>\n");
        }
        let _ = writeln!(out, "</div>\n<span id=\"f{n}-end\"></span>");
        drawn
    }

    fn has_room(&self) -> bool {
        self.n_lines < MAX_LINES && self.n_chars < MAX_CHARS
    }

    fn write_line(&mut self, line_idx: usize, run: &Run, begins: bool, out: &mut String) {
        let (n, id, number) = (self.section.number, line_idx + 1, self.section.listing.number(line_idx));
        let what = what(self.section, Some(run.claim));
        let mut title = format!("line {number} · {what}");
        let place = place(self.section.listing, line_idx);
        if !place.is_empty() {
            let _ = write!(title, " · {place}");
        }
        let _ = write!(
            out,
            "<div class=\"line {}\" id=\"f{n}-l{id}\"><a class=\"no\" href=\"#f{n}-l{id}\" title=\"",
            run.claim.name()
        );
        escape(&title, out);
        let _ = write!(out, "\">{number}</a><div class=\"t\" dir=\"auto\" title=\"");
        escape(&title, out);
        out.push_str("\">");
        let text = shown_text(self.section.listing, line_idx, &run.shown, self.section.render.style);
        let (text, n_more) = cut(&text, MAX_LINE_CHARS);
        self.n_chars += text.len();
        self.n_lines += 1;
        self.write_words(text, out);
        if n_more > 0 {
            let _ = write!(out, "<span class=\"cutoff\">… {} more characters</span>", grouped(n_more));
        }
        out.push_str("</div>");
        if begins {
            let _ = write!(out, "<span class=\"chip\">{what}</span>");
        }
        out.push_str("</div>\n");
    }

    /// Text with the words that are terms marked.
    fn write_words(&self, text: &str, out: &mut String) {
        if self.marked.is_empty() {
            return escape(text, out);
        }
        let mut written = 0;
        let mut start = None;
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            match (start, c.is_alphanumeric()) {
                (None, true) => start = Some(at),
                (Some(begin), false) => {
                    start = None;
                    let word = text.get(begin..at).unwrap_or_default();
                    let number = format!("#{word}");
                    if self.marked.contains(&word.to_lowercase()) || self.marked.contains(&number) {
                        escape(text.get(written..begin).unwrap_or_default(), out);
                        out.push_str("<mark>");
                        escape(word, out);
                        out.push_str("</mark>");
                        written = at;
                    }
                }
                _ => {}
            }
        }
        escape(text.get(written..).unwrap_or_default(), out);
    }

    fn write_gap(&mut self, stretch: &Stretch, out: &mut String) {
        let listing = self.section.listing;
        let (n, first, last) = (self.section.number, stretch.lines.start + 1, stretch.lines.end);
        let noun = if stretch.lines.len() == 1 { "line" } else { "lines" };
        let can_open = self.n_open < MAX_OPEN_GAPS;
        self.n_open += 1;
        let _ = write!(
            out,
            "<details class=\"gap\" id=\"f{n}-g{first}\"><summary><span class=\"size\">{} {noun} skipped · {} characters",
            grouped(stretch.lines.len()),
            grouped(stretch.n_chars),
        );
        let places = places(listing, &stretch.lines);
        if !places.is_empty() {
            out.push_str(" · ");
            escape(&places, out);
        }
        out.push_str("</span>");
        // Numbers counted from the end are not those of a call.
        if listing.number(stretch.lines.start) > 0 {
            let _ = write!(out, " <code>lines=\"{first}-{last}\"</code>");
        }
        out.push_str("</summary>\n<div class=\"inside\">");
        let mut n_shown = 0;
        if can_open {
            let mut n_left = MAX_GAP_CHARS;
            listing.visit(stretch.lines.clone(), &mut |line_idx, text| {
                let (text, n_more) = cut(text, n_left);
                let _ = write!(
                    out,
                    "<div class=\"line\"><span class=\"no\">{}</span><div class=\"t\" dir=\"auto\">",
                    listing.number(line_idx)
                );
                self.write_words(text, out);
                if n_more > 0 {
                    let _ =
                        write!(out, "<span class=\"cutoff\">… {} more characters</span>", grouped(n_more));
                }
                out.push_str("</div></div>\n");
                n_shown += 1;
                n_left = n_left.saturating_sub(text.chars().count() + 1);
                match n_left == 0 || n_shown >= MAX_GAP_LINES {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
        }
        let n_more = stretch.lines.len() - n_shown;
        if n_more > 0 {
            let _ = write!(
                out,
                "<p class=\"more\">{} more {}</p>",
                grouped(n_more),
                if n_more == 1 { "line" } else { "lines" }
            );
        }
        out.push_str("</div></details>\n");
    }
}

/// The beginning of a text, and how many characters come after it.
fn cut(text: &str, max_chars: usize) -> (&str, usize) {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => (&text[..end], text[end..].chars().count()),
        None => (text, 0),
    }
}

/// A map is shown as it is; below it, every symbol and whether the map names it.
fn write_map(section: &Section<'_>, out: &mut String) {
    let n = section.number;
    out.push_str("<div class=\"text\">\n<pre class=\"map\" dir=\"auto\">");
    if let conspect::Body::Text(text) = &section.answer.body {
        let (text, _) = cut(text, MAX_CHARS);
        escape(text, out);
    }
    out.push_str("</pre>\n");
    let entries = &section.explained.entries;
    if !entries.is_empty() {
        let n_named = entries.iter().filter(|entry| entry.is_named).count();
        let _ = write!(
            out,
            "<details class=\"entries\"><summary>{} of {} symbols and headings are named</summary>\n<ul>\n",
            grouped(n_named),
            grouped(entries.len())
        );
        for entry in entries.iter().take(MAX_ENTRIES) {
            let class = if entry.is_named { "named" } else { "folded" };
            let asked = if entry.is_asked_for { " <em>has words of the query</em>" } else { "" };
            let _ = write!(
                out,
                "<li class=\"{class}\"><span class=\"sr\">{}: </span><code>{}–{}</code> ",
                if entry.is_named { "named" } else { "not named" },
                entry.lines.first,
                entry.lines.last
            );
            escape(cut(&entry.name, 300).0, out);
            let _ = writeln!(out, "{asked}</li>");
        }
        out.push_str("</ul>\n");
        if entries.len() > MAX_ENTRIES {
            let _ = writeln!(out, "<p class=\"more\">{} more</p>", grouped(entries.len() - MAX_ENTRIES));
        }
        out.push_str("</details>\n");
    }
    let _ = writeln!(out, "</div>\n<span id=\"f{n}-end\"></span>");
}
