//! Keys and indexes as one path: `services.web.ports[2]`.

/// A step from a value to one inside it.
#[derive(Clone, Copy)]
pub(super) enum Step<'s> {
    Key(&'s str),
    Idx(usize),
}

/// The longest path in characters; of a longer one the end is given, which says most.
const MAX_CHARS: usize = 80;

/// How many bytes of a key are kept.
pub(super) const MAX_KEY_BYTES: usize = 60;

/// The path as jq writes it, without the dot before everything. `None` where there is no step.
pub(super) fn path<'s>(steps: impl Iterator<Item = Step<'s>>) -> Option<String> {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Key(key) => {
                if !path.is_empty() {
                    path.push('.');
                }
                match is_plain(key) {
                    true => path.push_str(key),
                    false => {
                        path.push('"');
                        path.extend(key.chars().map(|c| if c.is_control() { ' ' } else { c }));
                        path.push('"');
                    }
                }
            }
            Step::Idx(idx) => path.push_str(&format!("[{idx}]")),
        }
    }
    let n_chars = path.chars().count();
    if n_chars > MAX_CHARS {
        path = std::iter::once('…').chain(path.chars().skip(n_chars - MAX_CHARS + 1)).collect();
    }
    (!path.is_empty()).then_some(path)
}

/// A key as it is kept: cut where it is long.
pub(super) fn kept(key: &str) -> Box<str> {
    if key.len() <= MAX_KEY_BYTES {
        return key.into();
    }
    let end = key.floor_char_boundary(MAX_KEY_BYTES - '…'.len_utf8());
    format!("{}…", &key[..end]).into()
}

fn is_plain(key: &str) -> bool {
    let mut chars = key.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}
