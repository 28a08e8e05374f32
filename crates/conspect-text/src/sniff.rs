//! Which textual format bytes are: by what stands in them first, by the file's name second.

use conspect_model::{Format, Input};

use crate::charset::Charset;
use crate::{detect, magic};

/// The format of a text, or the kind of binary data; `None` for the containers that other crates read (PDF, zip, OLE).
///
/// Languages of source code are not told here: who knows them by name asks before.
pub fn sniff(input: &Input<'_>) -> Option<Format> {
    let bytes = input.bytes;
    if is_container(bytes) {
        return None;
    }
    if let Some(kind) = magic::binary_kind(bytes) {
        return Some(Format::Binary(kind));
    }
    let Some(head) = head_text(input) else { return Some(Format::Binary("binary data")) };
    let extension = input.extension();
    let by_name = EXTENSIONS.iter().find(|(known, _)| *known == extension).map(|(_, format)| *format);
    by_marks(&head, by_name).or(by_name).or_else(|| by_shape(&head, &extension)).or(Some(Format::Text))
}

/// How much of a file is looked at.
const HEAD_BYTES: usize = 64 << 10;

/// What the last extension of a name says, where the bytes have nothing to say against it.
const EXTENSIONS: &[(&str, Format)] = &[
    ("md", Format::Markdown),
    ("markdown", Format::Markdown),
    ("mdx", Format::Markdown),
    ("mkd", Format::Markdown),
    ("csv", Format::Csv),
    ("tsv", Format::Tsv),
    ("tab", Format::Tsv),
    ("log", Format::Log),
    ("json", Format::Json),
    ("jsonl", Format::Json),
    ("ndjson", Format::Json),
    ("jsonc", Format::Json),
    ("json5", Format::Json),
    ("geojson", Format::Json),
    ("webmanifest", Format::Json),
    ("yaml", Format::Yaml),
    ("yml", Format::Yaml),
    ("toml", Format::Toml),
    ("html", Format::Html),
    ("htm", Format::Html),
    ("xhtml", Format::Html),
    ("xml", Format::Xml),
    ("xsd", Format::Xml),
    ("xsl", Format::Xml),
    ("xslt", Format::Xml),
    ("svg", Format::Xml),
    ("rss", Format::Xml),
    ("atom", Format::Xml),
    ("plist", Format::Xml),
    ("ipynb", Format::Notebook),
    ("eml", Format::Mail),
];

fn is_container(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1024)];
    head.starts_with(b"PK\x03\x04")
        || head.starts_with(b"PK\x05\x06")
        || head.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
        || memchr::memmem::find(head, b"%PDF-").is_some()
}

/// The beginning of a text, decoded; `None` where it is no text. Where only its characters would matter, and not its
/// ASCII, any charset is as good as another.
fn head_text(input: &Input<'_>) -> Option<String> {
    let bytes = input.bytes;
    let (charset, n_mark) = match (input.encoding.and_then(Charset::for_label), Charset::from_mark(bytes)) {
        (_, Some(marked)) => marked,
        (Some(charset), None) => (charset, 0),
        (None, None) => {
            let has_zero = memchr::memchr(0, &bytes[..bytes.len().min(HEAD_BYTES)]).is_some();
            let wide = if has_zero { Some(detect::utf16_without_mark(bytes)?) } else { None };
            (wide.unwrap_or(Charset::Utf8), 0)
        }
    };
    let end = bytes.len().min(n_mark + HEAD_BYTES);
    Some(charset.decode(&bytes[n_mark..end]).into_owned())
}

/// Formats that say what they are.
fn by_marks(head: &str, by_name: Option<Format>) -> Option<Format> {
    let text = head.trim_start();
    if text.starts_with("{\\rtf") {
        return Some(Format::Rtf);
    }
    if text.starts_with('<') {
        return by_first_tag(text);
    }
    if text.starts_with(['{', '['])
        && !matches!(by_name, Some(Format::Markdown | Format::Yaml | Format::Toml))
    {
        let is_notebook =
            text.contains("\"cells\"") && text.contains("\"cell_type\"") && text.starts_with('{');
        return match by_name {
            Some(Format::Notebook) => Some(Format::Notebook),
            _ if is_notebook => Some(Format::Notebook),
            _ => is_json(text).then_some(Format::Json),
        };
    }
    is_mail(head).then_some(Format::Mail)
}

/// HTML or XML by its first tag; comments and declarations before it are passed over.
fn by_first_tag(text: &str) -> Option<Format> {
    let mut rest = text;
    let mut is_xml = false;
    loop {
        rest = rest.trim_start();
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else if starts_with_ignoring_case(rest, "<?xml") {
            is_xml = true;
            rest.find("?>").map(|at| at + 2)
        } else if starts_with_ignoring_case(rest, "<!doctype") {
            if starts_with_ignoring_case(rest["<!doctype".len()..].trim_start(), "html") {
                return Some(Format::Html);
            }
            is_xml = true;
            None
        } else {
            None
        };
        match end {
            Some(end) => rest = &rest[end..],
            None => break,
        }
    }
    let is_html = ["<html", "<head", "<body"].iter().any(|tag| {
        starts_with_ignoring_case(rest, tag)
            && !rest[tag.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '-')
    });
    match (is_html, is_xml) {
        (true, _) => Some(Format::Html),
        (false, true) => Some(Format::Xml),
        (false, false) => None,
    }
}

fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Whether a text, of which the end may be missing, is one JSON value or one after the other.
fn is_json(text: &str) -> bool {
    let mut n_values = 0;
    for value in serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>() {
        match value {
            Ok(_) => n_values += 1,
            Err(error) => return error.is_eof(),
        }
    }
    n_values > 0
}

/// Whether a text begins with the header of a message.
fn is_mail(head: &str) -> bool {
    let mut n_fields = 0;
    let (mut has_sender, mut has_trace) = (false, false);
    for line in head.lines() {
        if line.starts_with([' ', '\t']) && n_fields > 0 {
            continue;
        }
        let Some((name, _)) = line.split_once(':') else { break };
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            break;
        }
        n_fields += 1;
        match name.to_ascii_lowercase().as_str() {
            "from" | "sender" | "return-path" => has_sender = true,
            "received" | "message-id" | "mime-version" | "date" | "delivered-to" => has_trace = true,
            _ => {}
        }
    }
    n_fields >= 3 && has_sender && has_trace
}

/// Formats told by the look of the first lines, for names that say nothing. Text that is merely like Markdown is left
/// alone where the name says text.
fn by_shape(head: &str, extension: &str) -> Option<Format> {
    let lines: Vec<&str> = head.lines().filter(|line| !line.trim().is_empty()).take(50).collect();
    let n_timed = lines.iter().filter(|line| begins_with_time(line)).count();
    if n_timed >= 3 && n_timed * 10 >= lines.len() * 6 {
        return Some(Format::Log);
    }
    if !matches!(extension, "" | "txt" | "text" | "dat" | "data" | "asc") {
        return None;
    }
    for (delimiter, format) in
        [('\t', Format::Tsv), (';', Format::Csv), (',', Format::Csv), ('|', Format::Csv)]
    {
        if is_delimited(&lines, delimiter) {
            return Some(format);
        }
    }
    (extension.is_empty() && is_markdown(head)).then_some(Format::Markdown)
}

/// Beginnings of log lines: `0` is any digit, `M` a month's name, anything else itself.
const TIMES: &[&str] = &[
    "0000-00-00",
    "0000/00/00",
    "0000.00.00",
    "00:00:00",
    "00/M/0000",
    "00.00.0000 00",
    "00/00/0000 00",
    "00-00-00 00:",
    "00000000 00:",
    "0000000000.0",
    "M 00 00:",
    "M  0 00:",
    "M 0 00:",
];

const MONTHS: &[&str] = &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Whether a line begins with a date or a time of day, as logs write them, bare or in brackets.
fn begins_with_time(line: &str) -> bool {
    time_at_beginning(line).is_some()
}

/// The date and time of day that a line begins with, as it is written there.
pub(crate) fn time_at_beginning(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(['[', '(', '<', '"']);
    // Access logs begin with an address; the time follows in brackets.
    let in_brackets = || line.find('[').filter(|&at| at < 80).map(|at| &line[at + 1..]);
    time_of(bare).or_else(|| in_brackets().and_then(time_of))
}

/// The time that a text begins with, to its last digit.
fn time_of(text: &str) -> Option<&str> {
    let rest = TIMES.iter().find_map(|shape| after_shape(text, shape))?;
    let n_shape = text.len() - rest.len();
    let mut end = n_shape;
    let mut chars = text[n_shape..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_part = match c {
            '0'..='9' | 'Z' => true,
            ':' | '.' | ',' | '+' | '-' | 'T' | ' ' | '/' => {
                chars.peek().is_some_and(|(_, next)| next.is_ascii_digit())
            }
            _ => false,
        };
        // What follows a time of day after a blank is something else.
        let is_another = c == ' ' && text[..n_shape + at].contains(':');
        if !is_part || is_another || n_shape + at >= MAX_TIME_BYTES {
            break;
        }
        end = n_shape + at + c.len_utf8();
    }
    Some(text[..end].trim_end_matches([' ', ':']))
}

/// The longest that a time is taken to be.
const MAX_TIME_BYTES: usize = 40;

/// What comes after a time of this shape.
fn after_shape<'t>(text: &'t str, shape: &str) -> Option<&'t str> {
    let mut rest = text;
    for wanted in shape.chars() {
        rest = match wanted {
            'M' => MONTHS.iter().find_map(|month| rest.strip_prefix(month)),
            '0' => rest.strip_prefix(|c: char| c.is_ascii_digit()),
            other => rest.strip_prefix(other),
        }?;
    }
    Some(rest)
}

/// Whether every line has the same number of a delimiter, and enough of them that this is no accident.
fn is_delimited(lines: &[&str], delimiter: char) -> bool {
    let count = |line: &&str| line.matches(delimiter).count();
    let n_wanted = lines.first().map_or(0, count);
    lines.len() >= 5 && n_wanted >= 2 && lines.iter().all(|line| count(line) == n_wanted)
}

/// Headings of two numbers of `#`, or headings together with a fence or links.
fn is_markdown(head: &str) -> bool {
    let n_hashes = |line: &str| line.bytes().take_while(|&byte| byte == b'#').count();
    let headings: Vec<usize> = head
        .lines()
        .filter(|line| (1..=6).contains(&n_hashes(line)) && line[n_hashes(line)..].starts_with(' '))
        .map(n_hashes)
        .collect();
    let has_levels = headings.contains(&1) && headings.iter().any(|&level| level > 1);
    let has_fence = head.lines().filter(|line| line.starts_with("```")).count() >= 2;
    headings.len() >= 2
        && (has_levels || has_fence)
        && (has_fence || head.contains("](") || head.contains("\n- ") || head.contains("\n* "))
}
