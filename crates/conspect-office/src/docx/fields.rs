use crate::package::{Namespace, Token, Xml};

/// A field while it is read: its instruction is kept aside, its result is text.
#[derive(Default)]
pub(crate) struct Field {
    pub(crate) instruction: String,
    pub(crate) is_in_result: bool,
    /// Where in its paragraph's text the result begins.
    pub(crate) result_start: usize,
    /// How many paragraphs were open when it began.
    pub(crate) n_paragraphs: usize,
    /// What a form field shows: a box ticked or not, the chosen entry.
    pub(crate) form_value: Option<String>,
}

impl Field {
    /// The target, if the field is a link.
    pub(crate) fn link_target(&self) -> Option<String> {
        let rest = self.instruction.trim().strip_prefix("HYPERLINK")?;
        let mut target = String::new();
        let mut anchor = None;
        let mut words = words_of(rest).into_iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "\\l" => anchor = words.next(),
                "\\o" | "\\t" => {
                    words.next();
                }
                _ if word.starts_with('\\') => {}
                _ if target.is_empty() => target = word,
                _ => {}
            }
        }
        if let Some(anchor) = anchor {
            target.push('#');
            target.push_str(&anchor);
        }
        (!target.is_empty()).then_some(target)
    }

    /// Whether what it shows is its form value, and no run.
    pub(crate) fn shows_form_value(&self) -> bool {
        let instruction = self.instruction.trim_start();
        instruction.starts_with("FORMCHECKBOX") || instruction.starts_with("FORMDROPDOWN")
    }
}

/// Reads the rest of `w:ffData`: what the form field shows.
pub(crate) fn read_form_value(xml: &mut Xml<'_>) -> Option<String> {
    let outside = xml.depth().saturating_sub(1);
    let (mut default, mut checked, mut result) = (None, None, 0usize);
    let mut entries: Vec<String> = Vec::new();
    let mut is_check_box = false;
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => match element.key() {
                (Namespace::Word, "checkBox") => is_check_box = true,
                (Namespace::Word, "default") => default = Some(element.is_on()),
                (Namespace::Word, "checked") => checked = Some(element.is_on()),
                (Namespace::Word, "result") => result = element.number("val").unwrap_or(0),
                (Namespace::Word, "listEntry") => {
                    entries.push(element.val().unwrap_or_default().into_owned())
                }
                _ => {}
            },
            Token::Close(_) | Token::Text(_) => {}
            Token::End => break,
        }
    }
    if is_check_box {
        let is_checked = checked.or(default).unwrap_or(false);
        return Some(if is_checked { "☒" } else { "☐" }.to_owned());
    }
    entries.into_iter().nth(result)
}

/// The words of an instruction: blanks separate them, quotes keep them together.
fn words_of(instruction: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for character in instruction.chars() {
        match character {
            '"' | '“' | '”' => {
                if quoted {
                    words.push(std::mem::take(&mut word));
                }
                quoted = !quoted;
            }
            _ if character.is_whitespace() && !quoted => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(character),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_targets_are_read_from_instructions() {
        let check = |instruction: &str, expected: Option<&str>| {
            let field = Field { instruction: instruction.to_owned(), ..Field::default() };
            assert_eq!(field.link_target().as_deref(), expected, "{instruction}");
        };
        check(r#" HYPERLINK "https://example.org/a b" \o "tip" "#, Some("https://example.org/a b"));
        check(r#" HYPERLINK \l "_Toc1" \h "#, Some("#_Toc1"));
        check(r#" HYPERLINK "a.docx" \l "place" "#, Some("a.docx#place"));
        check(" PAGE ", None);
        check(" HYPERLINK ", None);
    }
}
