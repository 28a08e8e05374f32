/// A program's output as a terminal would leave it: without colour codes and other escape sequences, and without
/// what a carriage return let the rest of the line overwrite (progress bars).
pub(crate) fn as_shown(output: &str) -> String {
    let plain = without_escapes(output);
    let mut shown = String::with_capacity(plain.len());
    for line in plain.split_inclusive('\n') {
        let (text, end) = match line.strip_suffix('\n') {
            Some(text) => (text.strip_suffix('\r').unwrap_or(text), "\n"),
            None => (line, ""),
        };
        let overwritten = text.trim_end_matches('\r').rfind('\r').map_or(0, |at| at + 1);
        shown.push_str(text[overwritten..].trim_end_matches('\r'));
        shown.push_str(end);
    }
    shown
}

fn without_escapes(output: &str) -> String {
    let mut plain = String::with_capacity(output.len());
    let mut rest = output;
    while let Some((before, after)) = rest.split_once('\u{1B}') {
        plain.push_str(before);
        rest = after_escape(after);
    }
    plain.push_str(rest);
    plain
}

/// What follows an escape sequence (ECMA-48) whose first character is already gone.
fn after_escape(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        // A control sequence ends with its first character from `@` to `~`.
        Some('[') => {
            let parameters = chars.as_str();
            let n_parameters = parameters.bytes().take_while(|byte| (0x20..0x40).contains(byte)).count();
            let rest = &parameters[n_parameters..];
            rest.strip_prefix(|c: char| ('@'..='~').contains(&c)).unwrap_or(rest)
        }
        // A command to the terminal (title, link) ends with a bell or a string terminator.
        Some(']') => {
            let command = chars.as_str();
            let end = command.find(['\u{7}', '\u{1B}', '\n']).unwrap_or(command.len());
            let rest = &command[end..];
            rest.strip_prefix('\u{7}').or_else(|| rest.strip_prefix("\u{1B}\\")).unwrap_or(rest)
        }
        Some('(' | ')' | '#') => {
            chars.next();
            chars.as_str()
        }
        Some(c) if c.is_ascii_graphic() => chars.as_str(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_as_a_terminal_shows_it() {
        let check = |output: &str, expected: &str| assert_eq!(as_shown(output), expected, "{output:?}");
        check("\u{1B}[0;31mValueError\u{1B}[0m: no\n", "ValueError: no\n");
        check("\u{1B}]8;;https://x.org\u{1B}\\link\u{1B}]8;;\u{7} end", "link end");
        check("\u{1B}(Ba\u{1B}=b\u{1B}", "ab");
        check("\u{1B}[", "");
        check("\u{1B}[31é", "é");
        check(" 10%\r 50%\r100%\r\nnext\r", "100%\nnext");
        check("a\r\nb\n", "a\nb\n");
    }
}
