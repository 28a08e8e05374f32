/// Writes text that may come from anywhere so that it can stand in an element or in a quoted attribute, and can neither
/// end it nor turn the direction of what is around it. Characters that are not seen are written as ones that are.
pub(crate) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            // The pictures of control characters stand in their order.
            '\0'..='\u{1F}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{FFFD}')),
            '\u{7F}' => out.push('\u{2421}'),
            c if is_unseen(c) => out.push_str(&format!("⟨U+{:04X}⟩", u32::from(c))),
            c => out.push(c),
        }
    }
}

/// Controls above ASCII, what turns the direction of text, separators of lines, tags, and what is no character.
fn is_unseen(c: char) -> bool {
    matches!(u32::from(c),
        0x80..=0x9F
        | 0x061C | 0x200E | 0x200F | 0x202A..=0x202E | 0x2066..=0x2069
        | 0x2028 | 0x2029 | 0xFEFF | 0xFFF9..=0xFFFB | 0xE0000..=0xE007F)
        || u32::from(c) & 0xFFFE == 0xFFFE
}

/// Writes text as a JSON string that can stand in a script element.
pub(crate) fn json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '<' | '>' | '&' | '\'' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c if c.is_control() || is_unseen(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup_or_unseen() {
        let check = |text: &str, expected: &str| {
            let mut out = String::new();
            escape(text, &mut out);
            assert_eq!(out, expected);
        };
        check("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
        check("\" onclick=\"x & y", "&quot; onclick=&quot;x &amp; y");
        check("a\u{202E}b\u{2066}c", "a⟨U+202E⟩b⟨U+2066⟩c");
        check("\0\u{1B}[31m\r\u{7F}\u{85}", "␀␛[31m␍␡⟨U+0085⟩");
        check("naïve 東京 \t🙂", "naïve 東京 \t🙂");
    }

    #[test]
    fn a_string_for_a_script_cannot_end_it() {
        let mut out = String::new();
        json_string("</script><!--\0\u{2028}\"\\", &mut out);
        assert_eq!(out, r#""\u003c/script\u003e\u003c!--\u0000\u2028\"\\""#);
    }
}
