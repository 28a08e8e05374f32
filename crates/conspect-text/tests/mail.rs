//! Messages: header, the best body once, attachments.

use conspect_model::{Block, BlockKind, Input, Limits, Origin, Scope};
use conspect_text::mail;

/// Reads a message and gives its blocks, parts and notices, one a line.
fn check(message: &str, expected: &[&str]) {
    assert_eq!(shown(message.as_bytes()), expected, "in {message}");
}

fn shown(message: &[u8]) -> Vec<String> {
    let input = Input::new(message, "a.eml");
    let document = mail::read(&input, &Scope::default(), &Limits::default()).expect("a message is read");
    let mut shown: Vec<String> = document.blocks.iter().map(show).collect();
    shown.extend(
        document
            .parts
            .iter()
            .map(|part| format!("part {} {:?}", part.name, String::from_utf8_lossy(&part.bytes))),
    );
    shown.extend(document.notices.iter().map(ToString::to_string));
    shown
}

fn show(block: &Block) -> String {
    let Origin::Lines(lines) = block.origin else { panic!("a block without lines: {block:?}") };
    let (place, text) = (format!("{}-{}", lines.first, lines.last), block.text.replace('\n', " / "));
    match &block.kind {
        BlockKind::Heading { level } => format!("{place} h{level} {text}"),
        BlockKind::Paragraph => format!("{place} p {text}"),
        BlockKind::Quote => format!("{place} quote {text}"),
        other => format!("{place} {other:?}"),
    }
}

#[test]
fn a_plain_message() {
    check(
        "From: =?utf-8?q?J=C3=B6rg?= <j@x.org>\r\nTo: a@x.org,\r\n b@x.org\r\nSubject: =?utf-8?b?R3LDvMOfZQ==?=\r\nDate: Mon, 1 Jan 2024 12:00:00 +0100\r\n\r\nHello\r\nthere\r\n\r\n> quoted\r\n> text\r\nbye\r\n",
        &[
            "1-5 h1 Grüße",
            "1-5 p From: Jörg <j@x.org> / To: a@x.org, b@x.org / Date: 2024-01-01T12:00:00+01:00",
            "7-12 p Hello / there",
            "7-12 quote quoted / text",
            "7-12 p bye",
        ],
    );
}

#[test]
fn transfer_encodings_and_charsets() {
    let head = "From: a@b.c\nMIME-Version: 1.0\n";
    let body = |rest: &str| shown(format!("{head}{rest}").as_bytes())[1..].to_vec();
    assert_eq!(
        body(
            "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nna=EFve =\nand long\n"
        ),
        ["6-7 p naïve and long"]
    );
    assert_eq!(
        body(
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nR3LD\nvMOfZQ==\n"
        ),
        ["6-7 p Grüße"]
    );
    let guessed = [head.as_bytes(), b"\nna\xEFve caf\xE9\n"].concat();
    assert_eq!(shown(&guessed)[1..], ["4-4 p naïve café"]);
}

#[test]
fn the_best_body_is_given_once() {
    let alternative = |plain: &str, html: &str| {
        format!(
            "From: a@b.c\nContent-Type: multipart/alternative; boundary=\"=_x\"\n\npreamble\n--=_x\nContent-Type: text/plain\n\n{plain}\n--=_x\nContent-Type: text/html\n\n{html}\n--=_x--\nepilogue\n"
        )
    };
    check(&alternative("Hello you", "<p>Hello <b>you</b></p>"), &["1-2 p From: a@b.c", "8-8 p Hello you"]);
    let long = "all of it ".repeat(20);
    check(
        &alternative("Use another program", &format!("<h2>Hi</h2><p>{long}")),
        &["1-2 p From: a@b.c", "12-12 h2 Hi", &format!("12-12 p {}", long.trim_end())],
    );
}

#[test]
fn attachments_are_parts() {
    check(
        "From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nsee file\n--x\nContent-Type: text/csv; name=t.csv\nContent-Disposition: attachment; filename=t.csv\n\na,b\n1,2\n--x\nContent-Type: message/rfc822\n\nSubject: inner\n\nbody\n--x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBO\n--x--\n",
        &[
            "1-2 p From: a@b.c",
            "6-6 p see file",
            "part t.csv \"a,b\\n1,2\"",
            "part part-2.eml \"Subject: inner\\n\\nbody\"",
            "part part-3.png \"\u{FFFD}PN\"",
        ],
    );
}

#[test]
fn pictures_that_come_with_html_are_kept() {
    check(
        "From: a@b.c\nContent-Type: multipart/alternative; boundary=x\n\n--x\n\nHello\n--x\nContent-Type: multipart/related; boundary=y\n\n--y\nContent-Type: text/html\n\n<p>Hello\n--y\nContent-Type: image/gif\n\nGIF\n--y--\n--x--\n",
        &["1-2 p From: a@b.c", "6-6 p Hello", "part part-1.gif \"GIF\""],
    );
}

#[test]
fn broken_messages_give_what_is_there() {
    check(
        "From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\ncut off",
        &["1-2 p From: a@b.c", "7-7 p cut off"],
    );
    check(
        "From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\nno parts\n",
        &["1-2 p From: a@b.c", "4-4 p no parts", "lines 1-4: the parts of the message cannot be told apart"],
    );
    check("no header at all\n", &["this is no message (it has no header), so it is read as plain text"]);
}

/// Parts inside parts without end, and messages inside messages.
#[test]
fn hostile_messages_are_read_in_time() {
    let nested: String = (0..5000)
        .map(|idx| format!("Content-Type: multipart/mixed; boundary=b{idx}\n\n--b{idx}\n"))
        .collect();
    for message in [
        nested,
        "Content-Type: message/rfc822\n\n".repeat(50_000),
        "Content-Type: multipart/digest; boundary=x\n\n--x\n\n".repeat(20_000),
        "From: a\nContent-Type: multipart/mixed; boundary=x\n\n".to_owned() + &"--x\n\n".repeat(20_000),
        "From: ".to_owned() + &"(".repeat(100_000) + "\n\nx",
        "To: ".to_owned() + &"a:".repeat(100_000) + "\n\nx",
        "Content-Type: text/plain; ".to_owned() + &"a*0*=x;".repeat(20_000) + "\n\nx",
    ] {
        shown(message.as_bytes());
    }
}
