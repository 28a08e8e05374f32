//! Lines, counts and places of a text in every encoding, against a plain implementation that splits strings.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use conspect_model::{Input, Limits, NoticeKind, ReadError, SharedBytes, TextLines};
use conspect_text::{LineEnds, SourceText};
use proptest::prelude::*;

/// Reads bytes in an encoding (empty: whatever it is) and gives `encoding [+mark] [guessed]`, then the lines in brackets.
fn check(bytes: &[u8], encoding: &str, expected: &str) {
    let input = Input::new(bytes, "a.txt").with_encoding(Some(encoding).filter(|label| !label.is_empty()));
    let shown = match SourceText::decode(&input, &Limits::default()) {
        Ok(text) => {
            let mark = if text.encoding().bom { " +mark" } else { "" };
            let guessed = if text.encoding().certain { "" } else { " guessed" };
            let lines: String = lines_of(&text).iter().map(|line| format!(" [{line}]")).collect();
            format!("{}{mark}{guessed}{lines}", text.encoding().name)
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(shown, expected);
}

fn lines_of(text: &SourceText<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    text.visit(0..usize::MAX, &mut |_, line| {
        lines.push(line.to_owned());
        ControlFlow::Continue(())
    });
    lines
}

/// R1.
#[test]
fn only_a_line_feed_ends_a_line() {
    check(b"", "", "UTF-8");
    check(b"\n", "", "UTF-8 []");
    check(b"a", "", "UTF-8 [a]");
    check(b"a\n", "", "UTF-8 [a]");
    check(b"a\n\n", "", "UTF-8 [a] []");
    check(b"a\r\nb\n", "", "UTF-8 [a] [b]");
    check(b"a\rb\r\r\nc\r", "", "UTF-8 [a\rb\r] [c\r]");
    check(
        "a\u{B}b\u{C}c\u{85}d\u{2028}e\u{2029}f".as_bytes(),
        "",
        "UTF-8 [a\u{B}b\u{C}c\u{85}d\u{2028}e\u{2029}f]",
    );
}

/// R4, R6.
#[test]
fn a_mark_tells_the_encoding_and_is_not_text() {
    check(b"\xEF\xBB\xBFgr\xC3\xBC\xC3\x9F\n", "", "UTF-8 +mark [grüß]");
    check(b"\xFF\xFEa\0\r\0\n\0\xAC\x20", "", "UTF-16LE +mark [a] [€]");
    check(b"\xFE\xFF\0a\0\r\0\n\x20\xAC", "", "UTF-16BE +mark [a] [€]");
    check(b"\xFF\xFE\0\0a\0\0\0\n\0\0\0\xAC\x20\0\0", "", "UTF-32LE +mark [a] [€]");
    check(b"\0\0\xFE\xFF\0\0\0a\0\0\0\n\0\x01\xF6\0", "", "UTF-32BE +mark [a] [😀]");
    check(b"\xEF\xBB\xBF", "", "UTF-8 +mark");
    check(b"\xEF\xBB\xBF\xEF\xBB\xBFa", "", "UTF-8 +mark [\u{FEFF}a]");
}

/// A line feed in UTF-16 is two bytes at an even place: U+0A0A and U+010A hold the byte and are none.
#[test]
fn bytes_of_other_characters_are_no_line_feeds() {
    check(b"\xFF\xFE\x0A\x0A\x0A\x01\x00\x0A\n\0b\0", "", "UTF-16LE +mark [\u{A0A}\u{10A}\u{A00}] [b]");
    check(b"\xFE\xFF\x0A\x0A\x01\x0A\x0A\x00\0\n\0b", "", "UTF-16BE +mark [\u{A0A}\u{10A}\u{A00}] [b]");
}

/// R4.
#[test]
fn without_a_mark_the_bytes_tell_the_encoding() {
    check(&utf16("Größe\nb", u16::to_le_bytes), "", "UTF-16LE guessed [Größe] [b]");
    check(&utf16("Größe\nb", u16::to_be_bytes), "", "UTF-16BE guessed [Größe] [b]");
    let russian = "Вот дом, который построил Джек. А это пшеница, которая в темном чулане хранится.\n";
    check(&utf16(russian, u16::to_le_bytes), "", &format!("UTF-16LE guessed [{}]", russian.trim_end()));
    check(
        &encoding_rs::WINDOWS_1251.encode(russian).0,
        "",
        &format!("windows-1251 guessed [{}]", russian.trim_end()),
    );
    let japanese = "これは日本語の文章です。漢字とかなが混ざっています。";
    check(&encoding_rs::SHIFT_JIS.encode(japanese).0, "", &format!("Shift_JIS guessed [{japanese}]"));
    check(b"pre\xE7o \x80 5 \x96 \x93final\x94\x85\n", "", "windows-1252 guessed [preço € 5 – “final”…]");
}

#[test]
fn the_user_knows_the_encoding_best() {
    check(b"na\xC3\xAFve", "windows-1252", "windows-1252 [naÃ¯ve]");
    check(b"na\xEFve", "latin1", "windows-1252 [naïve]");
    check(b"a\0b", "utf-8", "UTF-8 [a\0b]");
    check(b"\xFE\xFF\0a", "utf-16", "UTF-16BE +mark [a]");
    check(b"\0a\0\n\0b", "UTF-16BE", "UTF-16BE [a] [b]");
    check(b"a\0\0\0", "utf-32le", "UTF-32LE [a]");
    check(b"\x1B$B$3$l\x1B(B\n\x1B$B$O\x1B(B", "iso-2022-jp", "ISO-2022-JP [これ] [は]");
    check(b"a", "klingon", "there is no encoding called \"klingon\"");
    check(b"a", "iso-2022-kr", "there is no encoding called \"iso-2022-kr\"");
}

/// R5.
#[test]
fn zero_bytes_and_signatures_are_binary() {
    let binary = "it is binary data, not text";
    check(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0", "", binary);
    check(b"\x89PNG\r\n\x1A\n", "", binary);
    check(b"\xFF\xD8\xFF\xE1Exif", "", binary);
    check(b"text with a zero\0 in it\n", "", binary);
    check(b"\xE4 text with a zero\0 in it\n", "", binary);
    check(b"\xEF\xBB\xBFmarked\0", "", binary);
    check(&b"abc\0def\n".repeat(10), "", binary);
    check(&[[1u8, 0, 2, 0, 3, 0], [0, 0, 4, 0, 5, 0]].concat(), "", binary);
    let mut long = b"plain text\n".repeat(10_000);
    long.push(0);
    check(&long, "", binary);
}

/// R5.
#[test]
fn text_that_ends_inside_a_character_is_text() {
    check("Žluťoučký kůň €".as_bytes().split_last().unwrap().1, "", "UTF-8 guessed [Žluťoučký kůň \u{FFFD}]");
    // The border between two pieces of the scan falls inside a character, at each of its bytes.
    for n_before in 65_533..65_537 {
        let text = format!("{}😀é", "x".repeat(n_before));
        check(text.as_bytes(), "", &format!("UTF-8 [{text}]"));
    }
}

#[test]
fn one_broken_sequence_does_not_make_another_encoding() {
    let mut bytes = "Grüße aus Köln, schöne Straße\n".repeat(3).into_bytes();
    bytes.extend(b"cut \xC3\n");
    let text = SourceText::decode(&Input::new(&bytes, "a.log"), &Limits::default()).unwrap();
    assert_eq!(text.line(3), "cut \u{FFFD}");
    assert_eq!(text.line(0), "Grüße aus Köln, schöne Straße");
    assert_eq!((text.encoding().name, text.encoding().n_malformed), ("UTF-8", 1));
    let notices: Vec<(NoticeKind, String)> =
        text.notices().iter().map(|notice| (notice.kind, notice.to_string())).collect();
    let guessed = "the encoding is not marked; decoded as UTF-8, a guess from the bytes";
    let damaged = "line 4: 1 byte sequence is malformed in UTF-8 and shown as U+FFFD, the first here";
    assert_eq!(
        notices,
        [(NoticeKind::Guessed, guessed.to_owned()), (NoticeKind::Damaged, damaged.to_owned())]
    );
}

#[test]
fn line_ends_are_counted_by_kind() {
    let check = |bytes: &[u8], n_lf, n_crlf, n_lone_cr, final_newline| {
        let text = SourceText::decode(&Input::new(bytes, ""), &Limits::default()).unwrap();
        assert_eq!(text.line_ends(), LineEnds { n_lf, n_crlf, n_lone_cr, final_newline });
    };
    check(b"", 0, 0, 0, false);
    check(b"a\nb\r\nc\rd\r\r\n", 1, 2, 2, true);
    check(b"a\r\nb", 0, 1, 0, false);
    check(b"\xFF\xFEa\0\r\0\n\0\r\0b\0\n\0", 1, 1, 1, true);
    check(b"\xE9\r\n\xE9\r\xE9\n", 1, 1, 1, true);
}

#[test]
fn text_goes_back_into_its_own_encoding() {
    let check = |bytes: &[u8], text: &str, expected: Result<&[u8], &str>| {
        let source = SourceText::decode(&Input::new(bytes, ""), &Limits::default()).unwrap();
        let encoded = source.encode(text).map(|bytes| bytes.to_vec()).map_err(|error| error.to_string());
        assert_eq!(encoded, expected.map(<[u8]>::to_vec).map_err(str::to_owned));
    };
    check(b"plain", "é€", Ok("é€".as_bytes()));
    check(b"\xFF\xFEa\0", "é😀", Ok(b"\xE9\0\x3D\xD8\0\xDE"));
    check(b"\xFE\xFF\0a", "é😀", Ok(b"\0\xE9\xD8\x3D\xDE\0"));
    check(b"\0\0\xFE\xFF\0\0\0a", "😀", Ok(b"\0\x01\xF6\0"));
    check(b"pre\xE7o", "ç€", Ok(b"\xE7\x80"));
    check(b"pre\xE7o", "ab→c", Err("'→' (U+2192) does not exist in windows-1252"));
}

#[test]
fn a_stopped_read_holds_what_was_read_and_says_so() {
    let limits = Limits::default();
    limits.stop.stop();
    let text = SourceText::decode(&Input::new(b"one\ntwo\n", ""), &limits).unwrap();
    assert_eq!(text.n_lines(), 0);
    assert_eq!(text.notices()[0].message, "reading was stopped after 0 of 8 bytes");
}

#[test]
fn memory_behind_the_scan_is_given_back() {
    let bytes = b"0123456789abcde\n".repeat(1 << 20);
    let n_bytes = bytes.len();
    let released = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&released);
    let bytes = SharedBytes::new(bytes).with_release(move |range| noted.lock().unwrap().push(range));
    let text = SourceText::decode(&Input::of_shared(&bytes, ""), &Limits::default()).unwrap();
    let mut at = 0;
    for range in released.lock().unwrap().drain(..) {
        assert_eq!(range.start, at);
        assert!(range.len() <= 8 << 20);
        at = range.end;
    }
    assert_eq!(at, n_bytes);
    text.visit(0..usize::MAX, &mut |_, _| ControlFlow::Continue(()));
    assert!(released.lock().unwrap().len() >= 3, "a walk over 16 MiB gives memory back");
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

fn utf32(text: &str, to_bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
    text.chars().flat_map(|c| to_bytes(c as u32)).collect()
}

/// Everything a text says, against its lines found by splitting a string.
fn check_against_split(bytes: &[u8], label: &str, expected: &str) -> Result<(), TestCaseError> {
    let input = Input::new(bytes, "").with_encoding(Some(label));
    let text =
        SourceText::decode(&input, &Limits::default()).expect("any bytes are text in a given encoding");
    prop_assert_eq!(&text.text(), expected);
    let mut lines: Vec<&str> = expected.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    let n_ended = expected.matches('\n').count();
    let lines: Vec<&str> = lines
        .iter()
        .enumerate()
        .map(|(idx, line)| if idx < n_ended { line.strip_suffix('\r').unwrap_or(line) } else { line })
        .collect();
    prop_assert_eq!(text.n_lines(), lines.len());
    prop_assert_eq!(text.n_chars(), lines.iter().map(|line| line.chars().count()).sum::<usize>());
    prop_assert_eq!(&lines_of(&text), &lines);
    let ends = text.line_ends();
    prop_assert_eq!(ends.n_crlf, expected.matches("\r\n").count());
    prop_assert_eq!(ends.n_lf + ends.n_crlf, n_ended);
    prop_assert_eq!(ends.n_lone_cr + ends.n_crlf, expected.matches('\r').count());
    prop_assert_eq!(ends.final_newline, expected.ends_with('\n'));
    // The lines' bytes lie side by side from the mark to the end of the file.
    prop_assert_eq!(text.byte_range(0).start, text.bom().len());
    let step = lines.len() / 40 + 1;
    for line_idx in (0..lines.len()).step_by(step).chain(lines.len().checked_sub(1)) {
        prop_assert_eq!(text.byte_range(line_idx).end, text.byte_range(line_idx + 1).start);
        prop_assert_eq!(&text.line(line_idx), lines[line_idx]);
        let mut seen = Vec::new();
        text.visit(line_idx..line_idx + 3, &mut |idx, line| {
            seen.push((idx, line.to_owned()));
            ControlFlow::Continue(())
        });
        let wanted: Vec<(usize, String)> = lines
            .iter()
            .enumerate()
            .skip(line_idx)
            .take(3)
            .map(|(idx, line)| (idx, line.to_string()))
            .collect();
        prop_assert_eq!(seen, wanted);
    }
    prop_assert_eq!(text.byte_range(lines.len()), bytes.len()..bytes.len());
    prop_assert_eq!(text.line(lines.len()), "");
    Ok(())
}

/// Texts of up to some 300 KB, so that they have several checkpoints: pieces of lines, some of them repeated.
fn text_of(letters: &'static str) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::collection::vec(proptest::sample::select(letters.chars().collect::<Vec<_>>()), 0..40)
            .prop_map(|letters| letters.into_iter().collect::<String>()),
        2 => Just("\n".to_owned()),
        2 => Just("\r\n".to_owned()),
        1 => Just("\r".to_owned()),
    ];
    proptest::collection::vec((piece, prop_oneof![20 => 1usize..3, 1 => 1000usize..3000]), 0..30)
        .prop_map(|pieces| pieces.iter().map(|(piece, n)| piece.repeat(*n)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unicode_texts_have_the_lines_that_splitting_gives(text in text_of("aZ 0\u{B}\u{C}\u{85}\u{2028}éßЖ中\u{A0A}\u{A00}😀")) {
        check_against_split(text.as_bytes(), "utf-8", &text)?;
        check_against_split(&utf16(&text, u16::to_le_bytes), "utf-16le", &text)?;
        check_against_split(&utf16(&text, u16::to_be_bytes), "utf-16be", &text)?;
        check_against_split(&utf32(&text, u32::to_le_bytes), "utf-32le", &text)?;
        check_against_split(&utf32(&text, u32::to_be_bytes), "utf-32be", &text)?;
        check_against_split(&encoding_rs::GB18030.encode(&text).0, "gb18030", &text)?;
        // Without a given encoding it is valid UTF-8, found by the scan that takes whole chunks.
        let plain = SourceText::decode(&Input::new(text.as_bytes(), ""), &Limits::default()).expect("it is text");
        let given = SourceText::decode(
            &Input::new(text.as_bytes(), "").with_encoding(Some("utf-8")),
            &Limits::default(),
        ).expect("it is text");
        prop_assert_eq!(plain.line_ends(), given.line_ends());
        prop_assert_eq!(plain.n_chars(), given.n_chars());
        prop_assert_eq!(lines_of(&plain), lines_of(&given));
        for line_idx in (0..plain.n_lines()).step_by(plain.n_lines() / 50 + 1) {
            prop_assert_eq!(plain.byte_range(line_idx), given.byte_range(line_idx));
        }
    }

    #[test]
    fn legacy_texts_have_the_lines_that_splitting_gives(
        latin in text_of("aZ ~\\éß€"), russian in text_of("ab Жшщъ"), japanese in text_of("ab 表ソ能はカ中国"),
    ) {
        check_against_split(&encoding_rs::WINDOWS_1252.encode(&latin).0, "windows-1252", &latin)?;
        check_against_split(&encoding_rs::KOI8_R.encode(&russian).0, "koi8-r", &russian)?;
        check_against_split(&encoding_rs::WINDOWS_1251.encode(&russian).0, "windows-1251", &russian)?;
        for (encoding, label) in [
            (encoding_rs::SHIFT_JIS, "shift_jis"),
            (encoding_rs::EUC_JP, "euc-jp"),
            (encoding_rs::ISO_2022_JP, "iso-2022-jp"),
            (encoding_rs::GBK, "gbk"),
        ] {
            check_against_split(&encoding.encode(&japanese).0, label, &japanese)?;
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for label in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "gb18030", "big5", "iso-2022-jp", "x-user-defined"] {
            let input = Input::new(&bytes, "").with_encoding(Some(label));
            let text = SourceText::decode(&input, &Limits::default()).expect("any bytes are text in a given encoding");
            check_against_split(&bytes, label, &text.text())?;
            let n_shown = text.text().matches('\u{FFFD}').count() as u64;
            prop_assert!(n_shown >= text.encoding().n_malformed);
        }
        match SourceText::decode(&Input::new(&bytes, ""), &Limits::default()) {
            Ok(text) => prop_assert_eq!(lines_of(&text).len(), text.n_lines()),
            Err(error) => prop_assert_eq!(error, ReadError::Binary),
        }
    }
}
