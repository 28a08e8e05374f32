//! Footnotes: small text at the foot of a page whose mark stands in the text above it.

use conspect_model::PageNumber;

use super::blocks::Piece;
use super::paragraphs::Paragraph;

/// Notes are no larger than this part of the size of the text.
const SMALL: f32 = 0.93;
/// Notes begin in this part of their page, from its foot.
const FOOT: f32 = 0.6;
/// Signs that mark notes besides numbers.
const SIGNS: [char; 7] = ['*', '∗', '†', '‡', '§', '¶', '‖'];
/// Digits of a number that marks a note.
const MAX_DIGITS: usize = 3;

/// Marks the paragraphs that are footnotes. What is small and numbered, and not referred to from the text of its page,
/// is none: an affiliation list or a bibliography is better told as what it looks like.
pub(crate) fn mark_footnotes(pieces: &mut Vec<Piece>, body_size: f32, height_of: impl Fn(PageNumber) -> f32) {
    let mut start = 0;
    while let Some(page) = pieces.get(start).map(page_of) {
        let n_pieces = pieces[start..].iter().take_while(|piece| page_of(piece) == page).count();
        mark_on_page(&mut pieces[start..start + n_pieces], body_size, height_of(page));
        start += n_pieces;
    }
    if pieces.iter().any(|piece| note_mark_of(piece).is_some()) {
        *pieces = std::mem::take(pieces).into_iter().flat_map(parted).collect();
    }
}

fn note_mark_of(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Paragraph(paragraph) => paragraph.note_mark.as_deref(),
        Piece::Table(..) | Piece::Figure { .. } => None,
    }
}

/// The notes that the piece is: short ones can stand as close as lines of one paragraph.
fn parted(piece: Piece) -> Vec<Piece> {
    let Some(mut mark) = note_mark_of(&piece).map(str::to_owned) else { return vec![piece] };
    let mut notes = vec![piece];
    while let Some(Piece::Paragraph(last)) = notes.last_mut() {
        let next = last.lines.iter().enumerate().skip(1).find_map(|(line_idx, line)| {
            let next = mark_of(&line.text)?;
            comes_after(next, &mark).then(|| (line_idx, next.to_owned()))
        });
        let Some((line_idx, next)) = next else { break };
        let Some(mut rest) = last.split_off(line_idx) else { break };
        rest.note_mark = Some(next.clone());
        notes.push(Piece::Paragraph(rest));
        mark = next;
    }
    notes
}

/// Whether a note with this mark can follow a note with that: the next number, or after a sign the first number or
/// another sign.
fn comes_after(next: &str, mark: &str) -> bool {
    let number = |mark: &str| mark.trim_end_matches(')').parse::<u32>().ok();
    match (number(next), number(mark)) {
        (Some(next), Some(number)) => next == number + 1,
        (Some(next), None) => next == 1,
        (None, None) => next != mark,
        (None, Some(_)) => false,
    }
}

fn page_of(piece: &Piece) -> PageNumber {
    match piece {
        Piece::Paragraph(paragraph) => paragraph.page,
        Piece::Table(_, page) | Piece::Figure { page, .. } => *page,
    }
}

fn mark_on_page(pieces: &mut [Piece], body_size: f32, height: f32) {
    let mut found: Vec<(usize, String)> = Vec::new();
    for (idx, piece) in pieces.iter().enumerate() {
        if let Piece::Paragraph(paragraph) = piece
            && paragraph.tagged.is_none()
            && paragraph.size <= SMALL * body_size
            && paragraph.rect.y1 < FOOT * height
            && let Some(mark) = mark_of(&paragraph.text)
            && is_at_the_foot(paragraph, pieces, body_size)
            && pieces[..idx].iter().any(|piece| refers_to(piece, mark, body_size))
        {
            found.push((idx, mark.to_string()));
        }
    }
    for (idx, mark) in found {
        if let Some(Piece::Paragraph(paragraph)) = pieces.get_mut(idx) {
            paragraph.note_mark = Some(mark);
        }
    }
}

/// The mark that the text begins with: a number or sign, and a word after it.
fn mark_of(text: &str) -> Option<&str> {
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let len = match n_digits {
        0 => text.chars().take_while(|c| SIGNS.contains(c)).take(3).map(char::len_utf8).sum(),
        // `1)` may be an item of a list as well: the text has to refer to it as that.
        1..=MAX_DIGITS if !text.starts_with('0') => n_digits + usize::from(text[n_digits..].starts_with(')')),
        _ => return None,
    };
    let (mark, rest) = text.split_at_checked(len).filter(|(mark, _)| !mark.is_empty())?;
    // `1.` begins an item of a list; a number and a small letter, a measure: `3 mm`.
    let rest = rest.trim_start();
    let begins_a_text = rest.starts_with(|c: char| {
        c.is_alphabetic() && !c.is_lowercase() || matches!(c, '“' | '"' | '(' | '‘' | '«')
    }) || rest.starts_with(char::is_alphabetic)
        && (n_digits == 0 || rest.starts_with("http"));
    (begins_a_text && rest.chars().filter(|c| c.is_alphabetic()).count() >= 8).then_some(mark)
}

/// Whether nothing of the text's size stands below the paragraph in its column.
fn is_at_the_foot(note: &Paragraph, pieces: &[Piece], body_size: f32) -> bool {
    let is_below = |size: f32, rect: conspect_model::Rect| {
        size > SMALL * body_size && rect.y1 < note.rect.y1 && rect.x0 < note.rect.x1 && rect.x1 > note.rect.x0
    };
    !pieces.iter().any(|piece| match piece {
        Piece::Paragraph(paragraph) => is_below(paragraph.size, paragraph.rect),
        Piece::Table(cells, _) => is_below(body_size, cells.rect),
        Piece::Figure { .. } => false,
    })
}

/// Whether the mark stands right after a word or the end of a sentence in the text.
fn refers_to(piece: &Piece, mark: &str, body_size: f32) -> bool {
    let Piece::Paragraph(paragraph) = piece else { return false };
    if paragraph.size <= SMALL * body_size {
        return false;
    }
    let is_digit = |c: char| c.is_ascii_digit();
    paragraph.text.match_indices(mark).any(|(at, _)| {
        let (before, after) = (&paragraph.text[..at], &paragraph.text[at + mark.len()..]);
        // `B1` and `2.5` hold no marks.
        let is_after_a_word = before.chars().rev().take(2).filter(|c| c.is_alphabetic()).count() == 2;
        let is_after_a_sentence = before
            .strip_suffix(['.', ',', ';', ':', '!', '?', ')', ']', '”', '’', '"', '»'])
            .is_some_and(|before| !before.ends_with(is_digit));
        (is_after_a_word || is_after_a_sentence) && !after.starts_with(char::is_alphanumeric)
    })
}
