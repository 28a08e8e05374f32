//! Formats told by the bytes first and by the name second.

use conspect_model::Input;
use conspect_text::sniff;

fn check(bytes: &[u8], name: &str, expected: &str) {
    let format = sniff(&Input::new(bytes, name)).map_or("-", |format| format.name());
    assert_eq!(format, expected, "{name}: {}", String::from_utf8_lossy(bytes));
}

#[test]
fn binary_data_by_its_signature() {
    check(b"\x89PNG\r\n\x1A\n....", "a.txt", "PNG image");
    check(b"\xFF\xD8\xFF\xE0", "", "JPEG image");
    check(b"\x7FELF\x02\x01\x01\0", "", "ELF program");
    check(b"\x1F\x8B\x08\0", "a.log", "gzip archive");
    check(b"\0\0\0\x20ftypisom", "", "MP4 video");
    check(b"\xCA\xFE\xBA\xBE\0\0\0\x41", "", "Java class");
    check(b"\xCA\xFE\xBA\xBE\0\0\0\x02", "", "Mach-O program");
    check(b"\x01\x02\x03\0\x04\x05", "a.md", "binary data");
    check(b"BM and MZ begin texts as well", "a.txt", "text");
}

#[test]
fn containers_are_for_other_readers() {
    check(b"PK\x03\x04\0\0", "a.docx", "-");
    check(b"junk\n%PDF-1.4\n", "a.pdf", "-");
    check(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0", "a.xls", "-");
}

#[test]
fn texts_that_say_what_they_are() {
    check(b"{\\rtf1\\ansi a}", "a.doc", "RTF");
    check(b"<!DOCTYPE HTML PUBLIC \"x\">", "a", "HTML");
    check(b" <!-- c -->\n<html>", "a.txt", "HTML");
    check(b"<?xml version='1.0'?><html xmlns='x'>", "a", "HTML");
    check(b"<?xml version='1.0'?><heading>", "a", "XML");
    check(b"<header>", "a.txt", "text");
    check(b"<p>", "a.htm", "HTML");
    check(b"\xFF\xFE<\0h\0t\0m\0l\0>\0", "a", "HTML");
    check(b"{\"a\": 1}", "a", "JSON");
    check(b"{\"a\": 1}\n{\"a\": 2}\n", "a.txt", "JSON");
    check(b"[1, 2", "a", "JSON");
    check(b"[section]\nkey = 1\n", "a", "text");
    check(b"[1] Smith, J.\n[2] Doe\n", "a.txt", "text");
    check(b"{\"cells\": [{\"cell_type\": \"code\"}]}", "a.json", "notebook");
    check(b"// comment\n{}", "a.jsonc", "JSON");
    check(b"From: a@b.c\r\nDate: Mon, 1 Jan 2024\r\nSubject: x\r\n\r\nhi", "a", "mail");
    check(b"Note: this\nFrom: here\n\n", "a", "text");
}

#[test]
fn names_decide_where_bytes_do_not() {
    check(b"a", "README.md", "Markdown");
    check(b"a", "b.MARKDOWN", "Markdown");
    check(b"a,b", "a.csv", "CSV");
    check(b"a", "a.tsv", "TSV");
    check(b"a: 1", "a.yml", "YAML");
    check(b"", "a.toml", "TOML");
    check(b"", "a", "text");
    check(b"# One\n\n## Two\n\n[a](b)\n", "a.txt", "text");
    check(b"# One\n\n## Two\n\n[a](b)\n", "README", "Markdown");
}

#[test]
fn logs_and_tables_by_their_lines() {
    let repeated = |line: &str| line.repeat(5).into_bytes();
    check(&repeated("2024-01-01 12:00:00 INFO x\n"), "out.txt", "log");
    check(&repeated("[12:00:00] x\n"), "out", "log");
    check(&repeated("Jan  2 12:00:00 host x\n"), "messages", "log");
    check(&repeated("127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET\"\n"), "access", "log");
    check(&repeated("1. item\n"), "a", "text");
    check(&repeated("a;b;c\n"), "export", "CSV");
    check(&repeated("a\tb\tc\n"), "export.txt", "TSV");
    check(b"One, two, three.\nFour, five.\nSix, seven, eight.\nNine.\nTen, eleven.\n", "a.txt", "text");
}
