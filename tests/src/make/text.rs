use super::prose::{FACT, numbers, sections, wrap};
use super::{Fixture, fixture};

pub(super) fn fixtures() -> Vec<Fixture> {
    let dutch = "De brug gaat open om kwart over zes.\nDaarna niet meer tot de ochtend.\n";
    vec![
        fixture("txt/log_1500_lines.log", "A log of fifteen hundred lines with one error in it.", log()),
        fixture(
            "txt/line_100_kb.txt",
            "One line of a hundred thousand characters with a fact in its middle.",
            one_line(),
        ),
        fixture(
            "txt/line_ends_mixed.txt",
            "CR LF, LF, a lone CR and a form feed inside lines, and no end of line at the end.",
            "one ends in CR LF\r\ntwo ends in LF\nthree has a lone \r inside\r\nfour has a form feed \u{c} inside\n\r\nsix is the last",
        ),
        fixture(
            "txt/utf16le_without_bom.txt",
            "UTF-16 in little endian without a mark.",
            utf_16(dutch, u16::to_le_bytes),
        ),
        fixture(
            "txt/utf16be_with_bom.txt",
            "UTF-16 in big endian with a mark.",
            utf_16(&format!("\u{feff}{dutch}"), u16::to_be_bytes),
        ),
        fixture(
            "txt/utf8_with_bom.txt",
            "UTF-8 with a mark, which is no part of line 1.",
            format!("\u{feff}{dutch}"),
        ),
        fixture(
            "txt/wrapped_prose.txt",
            "A long report as wrapped plain text without any headings.",
            prose(),
        ),
        fixture("markdown/long_report.md", "Thirty sections as Markdown, a paragraph a line.", report()),
        fixture("json/one_line.json", "Four hundred records on one line.", records()),
    ]
}

pub(super) fn utf_16(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes_of).collect()
}

fn log() -> String {
    let mut text = String::new();
    for line in 0..1500 {
        let number = numbers(line);
        let (hour, minute, second) = (line / 60 % 24, line % 60, number % 60);
        let what = match line {
            912 => "ERROR valve 17 does not answer, gate left half open".to_owned(),
            _ => format!(
                "INFO  level {} at station {}",
                number / 60 % 500,
                ["weir", "intake", "tank"][number % 3]
            ),
        };
        text.push_str(&format!("2024-02-29T{hour:02}:{minute:02}:{second:02}Z {what}\n"));
    }
    text
}

fn one_line() -> String {
    let mut text = String::new();
    let mut idx = 0;
    while text.len() < 100_000 {
        if text.len() > 50_000 && !text.contains(FACT) {
            text.push_str(FACT);
            text.push(' ');
        }
        text.push_str(&format!("Reading {idx} of the gauge was {} millimetres. ", numbers(idx) % 900));
        idx += 1;
    }
    text
}

fn prose() -> String {
    let mut text = String::new();
    for section in sections(30) {
        for paragraph in &section.paragraphs {
            text.push_str(&wrap(paragraph, 78).join("\n"));
            text.push_str("\n\n");
        }
    }
    text
}

fn report() -> String {
    let mut text = String::from("# Report of the water works\n\n");
    for section in sections(30) {
        text.push_str(&format!("## {}\n\n", section.title));
        for paragraph in &section.paragraphs {
            text.push_str(&format!("{paragraph}\n\n"));
        }
    }
    text
}

fn records() -> String {
    let record = |idx: usize| {
        let number = numbers(idx);
        let note = if idx == 271 { r#","note":"gauge moved to the left bank""# } else { "" };
        format!(r#"{{"id":{idx},"station":"S{:02}","level":{}{note}}}"#, number % 20, number / 20 % 900)
    };
    let records: Vec<String> = (0..400).map(record).collect();
    format!(r#"{{"readings":[{}]}}"#, records.join(","))
}
