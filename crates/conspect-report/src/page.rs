use std::fmt::Write as _;

use conspect::{Budget, Claim, CostOf};

use crate::costs::{Row, grouped, write_costs};
use crate::escape;
use crate::escape::json_string;

/// What holds for the whole answer.
#[derive(Clone, Debug)]
pub struct Sums<'a> {
    /// The query's text, where there was one.
    pub query: Option<&'a str>,
    /// The budget, where there was one.
    pub budget: Option<Budget>,
    /// The paths of the files, each with the characters that its answers have.
    pub files: &'a [(String, usize)],
    /// How many characters were printed.
    pub n_printed: usize,
    /// What was printed; `None` where it is too long to be shown.
    pub printed: Option<&'a str>,
    /// The claims that lines are shown for.
    pub claims: &'a [Claim],
    /// The files that failed, in words.
    pub errors: &'a [String],
}

/// How every page begins, and nothing else does.
const BEGINNING: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                         <meta name=\"generator\" content=\"conspect read --report\">\n";

/// The only script that the page lets run; its hash is checked by the browser.
const SCRIPT: &str = include_str!("page.js");
const SCRIPT_HASH: &str = "sha256-AQ2HaLVqaLE3egtXNy9TwNZG/wHiCFUH9Shi3Q9aU+I=";

/// Whether these are the bytes of a page that was written by [`page`].
pub fn is_report(bytes: &[u8]) -> bool {
    bytes.starts_with(BEGINNING.as_bytes())
}

/// The page with these sections.
pub fn page(sections: &[String], sums: &Sums<'_>) -> String {
    let mut out = String::from(BEGINNING);
    let _ = write!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         img-src data:; script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>"
    );
    let names: Vec<&str> = sums.files.iter().map(|(path, _)| path.as_str()).collect();
    escape(&names.join(", "), &mut out);
    out.push_str(" – what Conspect shows, and why</title>\n<style>\n");
    out.push_str(include_str!("page.css"));
    out.push_str("</style>\n</head>\n<body>\n<div class=\"page\">\n");
    write_top(sums, &mut out);
    out.push_str("<main>\n");
    if sums.files.len() > 1 {
        write_files(sums, &mut out);
    }
    for error in sums.errors {
        out.push_str("<p class=\"failed\">");
        escape(error, &mut out);
        out.push_str("</p>\n");
    }
    for section in sections {
        out.push_str(section);
    }
    write_printed(sums, &mut out);
    out.push_str(
        "</main>\n<footer>Written by <code>conspect read --report</code>. Nothing here was loaded from anywhere \
         else.</footer>\n</div>\n<script>",
    );
    out.push_str(SCRIPT);
    out.push_str("</script>\n</body>\n</html>\n");
    out
}

fn write_top(sums: &Sums<'_>, out: &mut String) {
    out.push_str("<header>\n<div class=\"top\"><div><h1>Conspect · what is shown, and why</h1>\n<blockquote dir=\"auto\">");
    match sums.query {
        Some(query) => escape(query, out),
        None => out.push_str("Without a question"),
    }
    out.push_str("</blockquote></div>\n<p class=\"used\">");
    let _ = match sums.budget {
        Some(Budget::Chars(amount)) => {
            write!(out, "<b>{}</b> of {} characters used", grouped(sums.n_printed), grouped(amount))
        }
        Some(budget @ Budget::Tokens(amount)) => match sums.printed {
            Some(printed) => write!(
                out,
                "<b>{}</b> of {} tokens used · {} characters",
                grouped(budget.measure(printed)),
                grouped(amount),
                grouped(sums.n_printed)
            ),
            None => {
                write!(out, "<b>{}</b> characters within {} tokens", grouped(sums.n_printed), grouped(amount))
            }
        },
        None => write!(out, "<b>{}</b> characters, no budget", grouped(sums.n_printed)),
    };
    out.push_str("</p></div>\n<ul class=\"legend\" aria-label=\"Colours\">\n");
    for claim in sums.claims {
        let _ =
            writeln!(out, "<li><i class=\"{}\"></i>{}</li>", claim.name(), CostOf::Claim(*claim).describe());
    }
    out.push_str(
        "<li><i class=\"o2\"></i>around the text</li>\n<li><i class=\"skip\"></i>skipped</li>\n</ul>\n</header>\n",
    );
}

/// How several files share the budget.
fn write_files(sums: &Sums<'_>, out: &mut String) {
    out.push_str(
        "<section class=\"file share\" aria-labelledby=\"all\">\n<h3 id=\"all\">How the files share it</h3>\n",
    );
    let classes = ["s1", "s2", "s3"];
    let mut rows: Vec<Row> = sums
        .files
        .iter()
        .zip(classes.iter().cycle())
        .map(|((path, n_chars), class)| Row { class, label: path.clone(), n_lines: 0, n_chars: *n_chars })
        .collect();
    let in_files: usize = rows.iter().map(|row| row.n_chars).sum();
    let around = sums.n_printed.saturating_sub(in_files);
    if around > 0 {
        rows.push(Row { class: "o2", label: "Around them".to_owned(), n_lines: 0, n_chars: around });
    }
    write_costs("File", &rows, chars(sums.budget), out);
    out.push_str("</section>\n");
}

fn chars(budget: Option<Budget>) -> Option<usize> {
    match budget {
        Some(Budget::Chars(amount)) => Some(amount),
        Some(Budget::Tokens(_)) | None => None,
    }
}

/// The answer as it was printed. What is copied is exact; what is seen has pictures for what cannot be seen.
fn write_printed(sums: &Sums<'_>, out: &mut String) {
    out.push_str("<section class=\"whole\">\n");
    match sums.printed {
        Some(printed) => {
            let _ = write!(
                out,
                "<details open><summary>The text exactly as it is printed · {} characters</summary>\n\
                 <button type=\"button\" data-copies=\"printed\" hidden>Copy</button>\n\
                 <pre tabindex=\"0\" aria-label=\"The printed text\">\n",
                grouped(sums.n_printed)
            );
            escape(printed, out);
            out.push_str("</pre></details>\n<script type=\"application/json\" id=\"printed\">");
            json_string(printed, out);
            out.push_str("</script>\n");
        }
        None => {
            let _ = writeln!(
                out,
                "<p class=\"more\">The printed text has {} characters, too many for this page.</p>",
                grouped(sums.n_printed)
            );
        }
    }
    out.push_str("</section>\n");
}
