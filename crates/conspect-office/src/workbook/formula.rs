/// A formula as it reads in a cell that stands some rows and columns away: its relative references move along.
pub(crate) fn shift_references(formula: &str, n_rows: i64, n_columns: i64) -> String {
    let bytes = formula.as_bytes();
    let mut shifted = String::with_capacity(formula.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &formula[at..];
        let n_bytes = match bytes[at] {
            // Texts and quoted sheet names; a doubled quote inside begins another one.
            quote @ (b'"' | b'\'') => rest[1..].find(char::from(quote)).map_or(rest.len(), |end| end + 2),
            b'$' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'0'..=b'9' | b'.' | b'\\' => {
                let is_part =
                    |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'_' | b'.' | b'\\');
                let n_bytes = bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                let word = &rest[..n_bytes];
                let is_name = matches!(bytes.get(at + n_bytes), Some(b'(' | b'!' | b'['));
                match reference(word).filter(|_| !is_name) {
                    Some(reference) => shifted.push_str(&reference.moved(n_rows, n_columns)),
                    None => shifted.push_str(word),
                }
                at += n_bytes;
                continue;
            }
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
        shifted.push_str(&rest[..n_bytes]);
        at += n_bytes;
    }
    shifted
}

struct Reference<'f> {
    column_is_fixed: bool,
    column: &'f str,
    row_is_fixed: bool,
    row: i64,
}

fn reference(word: &str) -> Option<Reference<'_>> {
    let (column_is_fixed, rest) = word.strip_prefix('$').map_or((false, word), |rest| (true, rest));
    let n_letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    if !(1..=3).contains(&n_letters) {
        return None;
    }
    let (column, rest) = rest.split_at(n_letters);
    let (row_is_fixed, digits) = rest.strip_prefix('$').map_or((false, rest), |rest| (true, rest));
    let is_number =
        !digits.is_empty() && digits.len() <= 7 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let row = digits.parse().ok().filter(|_| is_number)?;
    Some(Reference { column_is_fixed, column, row_is_fixed, row })
}

impl Reference<'_> {
    fn moved(&self, n_rows: i64, n_columns: i64) -> String {
        let number = conspect_model::ColumnNumber::from_letters(self.column)
            .map_or(1, |column| i64::from(column.get()));
        let number = if self.column_is_fixed { number } else { number + n_columns };
        let row = if self.row_is_fixed { self.row } else { self.row + n_rows };
        let column = u32::try_from(number).ok().and_then(conspect_model::ColumnNumber::new);
        let (Some(column), 1..) = (column, row) else { return "#REF!".to_owned() };
        let fixed = |is_fixed: bool| if is_fixed { "$" } else { "" };
        format!("{}{}{}{row}", fixed(self.column_is_fixed), column.letters(), fixed(self.row_is_fixed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_formulas_move_their_relative_references() {
        let check = |formula: &str, expected: &str| assert_eq!(shift_references(formula, 2, 1), expected);
        check("A1+$A1+A$1+$A$1", "B3+$A3+B$1+$A$1");
        check("SUM(B2:C9)*Tax2!A1", "SUM(C4:D11)*Tax2!B3");
        check("LOG10(A1)&\"A1\"&'My A1'!A1", "LOG10(B3)&\"A1\"&'My A1'!B3");
        check("rate_A1+x.A1+É1", "rate_A1+x.A1+É1");
        assert_eq!(shift_references("A1", -3, 0), "#REF!");
    }
}
