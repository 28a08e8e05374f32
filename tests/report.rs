//! The page that `--report` draws: what it says, that it adds up, and that no file can break it.
//!
//! `report/` has the body of a page for a file of the corpus; `CONSPECT_UPDATE=1` writes it. Where a Chromium is
//! installed, or named by `CONSPECT_CHROMIUM`, pages are opened in it.

#![expect(clippy::disallowed_methods, reason = "pages are read from disk, and a browser is started")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use conspect_tests::process::{End, run};
use conspect_tests::repository;
use conspect_tools::{
    Context, Door, ExplanationOptions, Loose, OutputOptions, ReadFile, ReadOptions, Report, Settings,
    Workspace, read_file,
};

/// A call that draws a report.
#[derive(Default)]
struct Call<'a> {
    paths: &'a [&'a str],
    query: &'a str,
    budget: &'a str,
    lines: &'a str,
    line_numbers: bool,
    standard_input: Option<Vec<u8>>,
    force: bool,
}

impl Call<'_> {
    /// Makes the call. Gives what was printed and the report of the call.
    fn make(self, report: &Path) -> (String, Report) {
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let parameters = ReadFile {
            paths: Some(self.paths.iter().map(|path| (*path).to_owned()).collect()),
            options: ReadOptions {
                query: given(self.query),
                lines: given(self.lines).map(Loose),
                show_line_numbers: self.line_numbers,
                ..ReadOptions::default()
            },
            output: OutputOptions { budget: given(self.budget).map(Loose), ..OutputOptions::default() },
            explanation: ExplanationOptions {
                report: Some(report.to_string_lossy().into_owned()),
                force: self.force,
                ..ExplanationOptions::default()
            },
            ..ReadFile::default()
        };
        let context = Context {
            workspace: Workspace::open(&[&repository().join("fixtures"), &folder()]).expect("folders"),
            settings: Settings::resolve(&[], &|_| None).expect("the defaults are settings"),
            door: Door::Command,
            standard_input: self.standard_input,
        };
        let mut printed = String::new();
        let made = read_file(&context, &parameters, &mut |piece| printed.push_str(piece));
        let made = made.unwrap_or_else(|error| Report { errors: vec![error], ..Report::default() });
        (printed, made)
    }

    /// Makes the call. Gives the page, which says what was printed.
    fn page(self, name: &str) -> (PathBuf, String) {
        let path = folder().join(name);
        let _ = std::fs::remove_file(&path);
        let (printed, made) = self.make(&path);
        assert!(made.errors.is_empty(), "{name}: {:?}", made.errors);
        let page = std::fs::read_to_string(&path).expect("a page");
        let n_printed = grouped(printed.chars().count());
        assert!(
            page.contains(&format!("<b>{n_printed}</b>")) || page.contains("tokens used"),
            "{name}: {n_printed}"
        );
        (path, page)
    }
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn grouped(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

/// What stands between two marks of a page.
fn between<'p>(page: &'p str, begin: &str, end: &str) -> &'p str {
    let (_, rest) = page.split_once(begin).expect("a beginning");
    rest.split_once(end).expect("an end").0
}

#[test]
fn a_page_says_what_is_kept_and_why() {
    let call = Call {
        paths: &["markdown/headings_table_fences.md"],
        query: "Which knot holds in the rain?",
        budget: "500",
        ..Call::default()
    };
    let (_, page) = call.page("golden.html");
    let body = between(&page, "<main>\n", "</main>");
    let expected = repository().join("tests/report/headings_table_fences.md.html");
    if std::env::var_os("CONSPECT_UPDATE").is_some_and(|value| value == "1") {
        std::fs::write(&expected, body).expect("expected output can be written");
    }
    let expected = std::fs::read_to_string(&expected).unwrap_or_default();
    assert!(body == expected, "the page is another one; CONSPECT_UPDATE=1 writes it\n{body}");
}

/// Every table adds up, and what can be copied is what was printed.
#[test]
fn the_characters_of_a_page_add_up() {
    for (path, budget) in [
        ("pdf/long_report.pdf", "2000"),
        ("xlsx/tables_two.xlsx", "300"),
        ("code/inventory.py", "900"),
        ("csv/long_1200_rows.csv", "300"),
        ("docx/long_report.docx", "20000"),
    ] {
        let call =
            Call { paths: &[path], query: "meter pump", budget, line_numbers: true, ..Call::default() };
        let (_, page) = call.page("sums.html");
        let numbers = |attribute: &str| -> Vec<usize> {
            let mark = format!(" data-{attribute}=\"");
            page.split(&mark)
                .skip(1)
                .map(|rest| rest.split('"').next().expect("a value").parse().expect("a number"))
                .collect()
        };
        let rows: usize = numbers("chars").iter().sum();
        assert_eq!([rows].as_slice(), numbers("printed"), "{path}");
        assert_eq!(rows + numbers("unused-row")[0], budget.parse::<usize>().expect("a number"), "{path}");
    }
}

const HOSTILE: &str = "</pre></script><script>top.hacked = 1; hacked = 1</script>\n\
    \"><img src=x onerror=\"hacked=1\"> ' onmouseover='hacked=1' <!-- --> &lt; <style>*{display:none}</style>\n\
    evil \u{202E}gnirts desrever\u{2066} and no pop\n\
    controls \u{1}\u{7}\u{8}\u{1B}[31mred\u{1B}]0;title\u{7}\u{7F}\u{85}\u{2028}\u{2029} end\n\
    stacked a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}\u{309}\u{30A}\u{30B}\u{30C}\n";

/// A text that tries to get out of its element, with lines that are wide and high.
fn hostile() -> Vec<u8> {
    let wide = format!("{}\n{}\n", "W".repeat(30_000), "م".repeat(3_000));
    let high = format!("z{}\n", "\u{301}".repeat(2_000));
    let mut text = String::from(HOSTILE);
    text.push_str(&wide);
    text.push_str(&high);
    text.push_str(&HOSTILE.repeat(40));
    text.into_bytes()
}

fn hostile_page(name: &str) -> (PathBuf, String) {
    let file = folder().join("x' onload='hacked=1' \u{202E}.txt");
    std::fs::write(&file, hostile()).expect("a file");
    let path = file.to_string_lossy().into_owned();
    let query = "<img src=x onerror=hacked=1> script \u{202E} red";
    Call { paths: &[&path], query, budget: "9000", ..Call::default() }.page(name)
}

#[test]
fn no_text_becomes_markup() {
    let (_, page) = hostile_page("hostile.html");
    assert!(
        !page.contains("<img") && !page.contains("<!--") && !page.contains("onload='"),
        "markup got through"
    );
    // Its own script, and the text to be copied.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("<style>").count(), 1);
    let unseen = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    assert_eq!(page.chars().find(unseen), None);
}

/// However many rows there are, a page has a size that a browser can bear.
#[test]
fn a_page_is_bounded() {
    let rows: String = (0..200_000).map(|row| format!("{row},north,{}\n", row * 7 % 1000)).collect();
    let call = |lines, budget| Call {
        paths: &["-"],
        query: "north 150000",
        lines,
        budget,
        standard_input: Some(rows.clone().into_bytes()),
        ..Call::default()
    };
    let (_, sample) = call("", "20000").page("rows.html");
    assert!(sample.len() < 1_000_000, "{}", sample.len());
    let (_, whole) = call("1-", "").page("all_rows.html");
    assert!(whole.len() < 4_000_000, "{}", whole.len());
    assert!(whole.contains("more lines of the answer are not drawn here"));
    let anchors: HashSet<&str> =
        whole.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for link in whole.split(" href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(anchors.contains(link), "{link} leads nowhere");
    }
}

/// R60: an existing file is replaced only if it is a report, or by force, and never while it is read.
#[test]
fn a_report_replaces_nothing_but_reports() {
    let refused = |name: &str, paths: &[&str], force: bool| -> String {
        let (printed, made) = Call { paths, force, ..Call::default() }.make(&folder().join(name));
        assert_eq!(printed, "");
        made.errors.iter().map(ToString::to_string).collect()
    };
    let paths = ["csv/semicolon.csv"];
    let notes = folder().join("notes.txt");
    std::fs::write(&notes, "mine").expect("a file");
    assert!(refused("notes.txt", &paths, false).contains("--force"));
    assert_eq!(std::fs::read_to_string(&notes).expect("there"), "mine");

    let notes_path = notes.to_string_lossy().into_owned();
    assert!(refused("notes.txt", &[&notes_path], true).contains("which is being read"));
    assert_eq!(std::fs::read_to_string(&notes).expect("there"), "mine");
    assert!(refused("missing/report.html", &paths, false).contains("cannot be written"));

    let (_, made) = Call { paths: &paths, force: true, ..Call::default() }.make(&notes);
    assert_eq!(made.errors, []);
    let (_, made) = Call { paths: &paths, ..Call::default() }.make(&notes);
    assert_eq!(made.errors, [], "what is there is a report now");
}

/// Opens pages in a real browser, narrow and wide.
#[test]
fn pages_hold_in_a_browser() {
    let Some(browser) = browser() else {
        eprintln!("passed over: no Chromium is installed, and CONSPECT_CHROMIUM names none");
        return;
    };
    let report = Call {
        paths: &["pdf/long_report.pdf"],
        query: "When was the reserve pump replaced?",
        budget: "2000",
        ..Call::default()
    };
    check_in_browser(&browser, &report.page("browser.html").0);
    let several = Call {
        paths: &["code/inventory.py", "csv/long_1200_rows.csv", "xlsx/wide_60_columns.xlsx"],
        query: "meter frozen",
        budget: "4000",
        ..Call::default()
    };
    check_in_browser(&browser, &several.page("browser_several.html").0);
    let lines = Call { paths: &["code/scheduler.rs"], lines: "3-40", ..Call::default() };
    check_in_browser(&browser, &lines.page("browser_lines.html").0);
    check_in_browser(&browser, &hostile_page("browser_hostile.html").0);
}

/// Measures a page in frames of several widths. The measuring is done from outside, since the page lets no script run
/// but its own.
fn check_in_browser(browser: &Path, page: &Path) {
    const MEASURE: &str = r#"
        const measured = [];
        for (const frame of document.querySelectorAll("iframe")) {
            const page = frame.contentDocument, root = page.documentElement;
            const sum = (box, name) => [...box.querySelectorAll(`[data-${name}]`)]
                .reduce((sum, cell) => sum + Number(cell.getAttribute(`data-${name}`)), 0);
            const wrong = [];
            if (root.dataset.script !== "ran") wrong.push("its script did not run");
            if (root.scrollWidth > root.clientWidth) wrong.push(`it is ${root.scrollWidth} wide`);
            if (window.hacked || frame.contentWindow.hacked) wrong.push("a script of the file ran");
            if (!page.querySelector(".strip a")) wrong.push("there is no strip");
            for (const table of page.querySelectorAll(".costs"))
                if (sum(table, "chars") !== sum(table, "printed")) wrong.push("a table does not add up");
            for (const link of page.querySelectorAll("a[href^='#']"))
                if (!page.getElementById(decodeURIComponent(link.hash.slice(1)))) wrong.push(`${link.hash} leads nowhere`);
            for (const strip of page.querySelectorAll(".strip"))
                if (strip.getBoundingClientRect().height < 100) wrong.push("a strip is too small to be seen");
            // One answer is all of what was printed, so its table and the text to be copied are of one length.
            const button = page.querySelector("button[data-copies]"), tables = page.querySelectorAll(".costs");
            if (!button || button.hidden) wrong.push("nothing can be copied");
            else if (sum(tables[0], "printed") !== Number(button.dataset.length)) wrong.push("what is copied is not what was printed");
            measured.push(`${frame.clientWidth}: ${wrong.join("; ") || "good"}`);
        }
        document.title = "measured " + measured.join(" | ") + " end";
    "#;
    const WIDTHS: [u32; 4] = [360, 800, 1200, 1600];
    let name = page.file_name().expect("a name").to_string_lossy().into_owned();
    let frames: String = WIDTHS
        .iter()
        .map(|width| {
            format!("<iframe src=\"{name}\" style=\"width:{width}px;height:900px;border:0\"></iframe>")
        })
        .collect();
    let harness = folder().join(format!("frames_{name}"));
    let text = format!(
        "<!doctype html><title>not measured</title><body>{frames}<script>onload = () => {{ {MEASURE} }};</script>"
    );
    std::fs::write(&harness, text).expect("a page");
    let profile = folder().join("profile");
    let profile = format!("--user-data-dir={}", profile.display());
    let page = format!("file://{}", harness.canonicalize().expect("it is there").display());
    let arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--allow-file-access-from-files",
        "--enable-logging=stderr",
        "--virtual-time-budget=5000",
        "--window-size=1700,1000",
        "--dump-dom",
        &profile,
        &page,
    ];
    let finished = run(browser, &arguments, Duration::from_secs(120)).expect("the browser starts");
    let (dom, said) = (String::from_utf8_lossy(&finished.stdout), finished.stderr);
    let complaints: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{name}: {complaints:#?}");
    assert!(dom.contains("<title>measured "), "{name} was not measured: {said}");
    let measured = between(&dom, "<title>measured ", " end</title>");
    let expected: Vec<String> = WIDTHS.iter().map(|width| format!("{width}: good")).collect();
    assert_eq!(measured, expected.join(" | "), "{name}");
}

/// A Chromium, if there is one.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CONSPECT_CHROMIUM").filter(|named| !named.is_empty()) {
        return Some(PathBuf::from(named));
    }
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
        "chrome-headless-shell",
    ];
    let path = std::env::var_os("PATH")?;
    let installed = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file() && starts(program));
    installed.or_else(|| {
        // Playwright keeps its browsers in the user's cache.
        let cache = PathBuf::from(std::env::var_os("HOME")?).join(".cache/ms-playwright");
        let mut found: Vec<PathBuf> = std::fs::read_dir(cache)
            .ok()?
            .filter_map(|entry| Some(entry.ok()?.path().join("chrome-linux/chrome")))
            .filter(|program| program.is_file())
            .collect();
        found.sort();
        found.pop().filter(|program| starts(program))
    })
}

/// Whether the program is there in more than its name: some systems install a script that only says what to install.
fn starts(program: &Path) -> bool {
    let version = run(program, &["--version"], Duration::from_secs(30));
    version.is_ok_and(|version| version.end == End::Exit(0))
}
