use std::borrow::Cow;
use std::fmt::Write;

/// A number format of a spreadsheet, taken apart once and applied to many cells.
///
/// ECMA-376 part 1, 18.8.31, with what Excel does where that is silent. Names of months and days are English, and
/// separators are point and comma, whatever the machine: the same file gives the same text everywhere. What the width
/// of a column would cut or pad is not.
#[derive(Clone, Debug)]
pub(crate) struct NumberFormat {
    sections: Vec<Section>,
    is_general: bool,
}

#[derive(Clone, Debug, Default)]
struct Section {
    tokens: Vec<Token>,
    condition: Option<Condition>,
}

#[derive(Clone, Copy, Debug)]
struct Condition {
    comparison: Comparison,
    than: f64,
}

#[derive(Clone, Copy, Debug)]
enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Literal(String),
    /// `0`, `#` or `?`.
    Digit(char),
    Point,
    Comma,
    Percent,
    /// `E+` or `E-`.
    Exponent(char),
    Slash,
    General,
    /// `@`.
    Text,
    Year(usize),
    /// Months, or minutes beside hours or seconds.
    Month(usize),
    Day(usize),
    Hour(usize),
    Second(usize),
    /// `.000` behind seconds.
    Fraction(usize),
    /// `AM/PM` or `A/P`.
    HalfDay {
        is_full: bool,
    },
    /// `[h]`, `[mm]`, `[s]`: the whole duration in that unit.
    Elapsed(char, usize),
    /// Buddhist calendar.
    Buddhist,
}

impl Token {
    fn is_time(&self) -> bool {
        matches!(
            self,
            Token::Year(_)
                | Token::Month(_)
                | Token::Day(_)
                | Token::Hour(_)
                | Token::Second(_)
                | Token::Elapsed(..)
                | Token::HalfDay { .. }
                | Token::Buddhist
        )
    }

    fn is_digit(&self) -> bool {
        matches!(self, Token::Digit(_))
    }
}

impl Default for NumberFormat {
    fn default() -> NumberFormat {
        NumberFormat { sections: Vec::new(), is_general: true }
    }
}

impl NumberFormat {
    /// Takes a format code apart. Any text is some format.
    pub(crate) fn parse(code: &str) -> NumberFormat {
        let is_general = code.trim().is_empty() || code.trim().eq_ignore_ascii_case("general");
        if is_general {
            return NumberFormat::default();
        }
        NumberFormat {
            sections: split_sections(code).into_iter().map(|text| section(&text)).collect(),
            is_general,
        }
    }

    /// The code of one of the formats that files refer to by number only.
    pub(crate) fn built_in(id: u32) -> &'static str {
        match id {
            1 => "0",
            2 => "0.00",
            3 => "#,##0",
            4 => "#,##0.00",
            5 => "$#,##0_);\\($#,##0\\)",
            6 => "$#,##0_);[Red]\\($#,##0\\)",
            7 => "$#,##0.00_);\\($#,##0.00\\)",
            8 => "$#,##0.00_);[Red]\\($#,##0.00\\)",
            9 => "0%",
            10 => "0.00%",
            11 => "0.00E+00",
            12 => "# ?/?",
            13 => "# ??/??",
            14 => "m/d/yy",
            15 => "d-mmm-yy",
            16 => "d-mmm",
            17 => "mmm-yy",
            18 => "h:mm AM/PM",
            19 => "h:mm:ss AM/PM",
            20 => "h:mm",
            21 => "h:mm:ss",
            22 => "m/d/yy h:mm",
            37 => "#,##0_);(#,##0)",
            38 => "#,##0_);[Red](#,##0)",
            39 => "#,##0.00_);(#,##0.00)",
            40 => "#,##0.00_);[Red](#,##0.00)",
            41 => "_(* #,##0_);_(* (#,##0);_(* \"-\"_);_(@_)",
            42 => "_($* #,##0_);_($* (#,##0);_($* \"-\"_);_(@_)",
            43 => "_(* #,##0.00_);_(* (#,##0.00);_(* \"-\"??_);_(@_)",
            44 => "_($* #,##0.00_);_($* (#,##0.00);_($* \"-\"??_);_(@_)",
            45 => "mm:ss",
            46 => "[h]:mm:ss",
            47 => "mm:ss.0",
            48 => "##0.0E+0",
            49 => "@",
            _ => "",
        }
    }

    /// Whether it shows numbers as dates or times.
    pub(crate) fn is_date(&self) -> bool {
        self.sections.first().is_some_and(|section| section.tokens.iter().any(Token::is_time))
    }

    /// A number as shown.
    pub(crate) fn number(&self, value: f64, is_1904: bool) -> String {
        if self.is_general || !value.is_finite() {
            return general(value);
        }
        let (section, takes_sign_off) = self.section_for(value);
        let Some(section) = section else { return general(value) };
        let value = if takes_sign_off { value.abs() } else { value };
        let tokens = &section.tokens;
        let text = if tokens.iter().any(Token::is_time) {
            date_and_time(value, tokens, is_1904)
        } else if tokens.iter().any(|token| matches!(token, Token::General | Token::Text)) {
            let mut text = String::new();
            for token in tokens {
                match token {
                    Token::Literal(literal) => text.push_str(literal),
                    Token::General | Token::Text => text.push_str(&general(value)),
                    Token::Percent => text.push('%'),
                    _ => {}
                }
            }
            text
        } else {
            digits(value, tokens)
        };
        if text.trim().len() == text.len() { text } else { text.trim().to_owned() }
    }

    /// A text as shown.
    pub(crate) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let section = match self.sections.as_slice() {
            [_, _, _, text_section, ..] => Some(text_section),
            sections => sections.last().filter(|section| section.tokens.contains(&Token::Text)),
        };
        let Some(section) = section.filter(|section| section.tokens != [Token::Text]) else {
            return Cow::Borrowed(text);
        };
        let mut shown = String::new();
        for token in &section.tokens {
            match token {
                Token::Literal(literal) => shown.push_str(literal),
                Token::Text => shown.push_str(text),
                _ => {}
            }
        }
        Cow::Owned(shown.trim().to_owned())
    }

    /// The section that shows a number, and whether that section shows the sign itself.
    fn section_for(&self, value: f64) -> (Option<&Section>, bool) {
        let sections = &self.sections[..self.sections.len().min(3)];
        if sections.iter().any(|section| section.condition.is_some()) {
            let holds = |section: &&Section| section.condition.is_none_or(|condition| condition.holds(value));
            let found = sections.iter().position(|section| holds(&section));
            let idx = found.unwrap_or(sections.len() - 1);
            return (sections.get(idx), idx > 0 && value < 0.0);
        }
        match sections {
            [_, negative] if value < 0.0 => (Some(negative), true),
            [_, negative, _] if value < 0.0 => (Some(negative), true),
            [_, _, zero] if value == 0.0 => (Some(zero), false),
            _ => (sections.first(), false),
        }
    }
}

impl Condition {
    fn holds(self, value: f64) -> bool {
        match self.comparison {
            Comparison::Less => value < self.than,
            Comparison::LessOrEqual => value <= self.than,
            Comparison::Greater => value > self.than,
            Comparison::GreaterOrEqual => value >= self.than,
            Comparison::Equal => value == self.than,
            Comparison::NotEqual => value != self.than,
        }
    }
}

/// A number as the format `General` shows it.
///
/// Excel rounds to what eleven characters hold. Whole numbers of up to fifteen digits, and decimals of up to twelve,
/// are what somebody typed: they are shown with all their digits, as in Excel's formula bar, since an account number
/// must not become 1.23457E+14. Results of arithmetic have more digits than they mean, and are rounded as Excel does.
pub(crate) fn general(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return value.to_string();
    }
    let size = value.abs();
    if (1e-4..1e15).contains(&size) {
        let plain = value.to_string();
        let digits = plain.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit);
        if digits.count() <= if value.fract() == 0.0 { 15 } else { 12 } {
            return plain;
        }
    }
    if !(0.000_099_999..99_999_999_999.5).contains(&size) {
        if size < 1.0 {
            let plain = value.to_string();
            if plain.trim_start_matches('-').len() <= 11 {
                return plain;
            }
        }
        let text = format!("{value:.5e}");
        let Some((mantissa, exponent)) = text.split_once('e') else { return text };
        let mantissa = without_trailing_zeros(mantissa);
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}E{sign}{:02}", exponent.abs());
    }
    let n_integer_digits = (size.log10().floor() as i32 + 1).max(1) as usize;
    let n_decimals = if size < 1.0 { 9 } else { 10usize.saturating_sub(n_integer_digits) };
    let text = format!("{value:.n_decimals$}");
    match without_trailing_zeros(&text) {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

fn without_trailing_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn split_sections(code: &str) -> Vec<String> {
    let mut sections = vec![String::new()];
    let mut characters = code.chars();
    let (mut quoted, mut bracketed) = (false, false);
    while let Some(character) = characters.next() {
        let is_break = character == ';' && !quoted && !bracketed;
        if is_break {
            sections.push(String::new());
            continue;
        }
        let Some(section) = sections.last_mut() else { break };
        section.push(character);
        match character {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '\\' | '_' | '*' => section.extend(characters.next()),
            '[' => bracketed = true,
            ']' => bracketed = false,
            _ => {}
        }
    }
    sections
}

fn section(text: &str) -> Section {
    let characters: Vec<char> = text.chars().collect();
    let mut section = Section::default();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let rest = &characters[at..];
        at += match character {
            '"' => {
                let literal: String = rest[1..].iter().take_while(|&&other| other != '"').collect();
                section.literal(&literal);
                literal.chars().count() + 2
            }
            '\\' => {
                section.literal(&rest[1..].iter().take(1).collect::<String>());
                2
            }
            // A blank as wide as the next character.
            '_' => {
                section.literal(" ");
                2
            }
            // The next character fills the column.
            '*' => 2,
            '[' => {
                let inside: String = rest[1..].iter().take_while(|&&other| other != ']').collect();
                section.bracket(&inside);
                inside.chars().count() + 2
            }
            '0' | '#' | '?' => section.push(Token::Digit(character), 1),
            '.' => {
                let n_zeros = rest[1..].iter().take_while(|&&other| other == '0').count();
                match section.tokens.last() {
                    Some(Token::Second(_) | Token::Elapsed('s', _)) if n_zeros > 0 => {
                        section.push(Token::Fraction(n_zeros), 1 + n_zeros)
                    }
                    _ => section.push(Token::Point, 1),
                }
            }
            ',' => section.push(Token::Comma, 1),
            '%' => section.push(Token::Percent, 1),
            '@' => section.push(Token::Text, 1),
            '/' => section.push(Token::Slash, 1),
            'E' | 'e'
                if matches!(rest.get(1), Some('+' | '-')) && section.tokens.iter().any(Token::is_digit) =>
            {
                section.push(Token::Exponent(rest[1]), 2)
            }
            'G' | 'g' if begins(rest, "general") => section.push(Token::General, 7),
            'A' | 'a' if begins(rest, "am/pm") => section.push(Token::HalfDay { is_full: true }, 5),
            'A' | 'a' if begins(rest, "a/p") => section.push(Token::HalfDay { is_full: false }, 3),
            'y' | 'Y' | 'm' | 'M' | 'd' | 'D' | 'h' | 'H' | 's' | 'S' | 'e' => {
                let letter = character.to_ascii_lowercase();
                let n = rest.iter().take_while(|other| other.to_ascii_lowercase() == letter).count();
                let token = match letter {
                    'y' => Token::Year(n),
                    'e' => Token::Year(4),
                    'm' => Token::Month(n),
                    'd' => Token::Day(n),
                    'h' => Token::Hour(n),
                    _ => Token::Second(n),
                };
                section.push(token, n)
            }
            'b' | 'B' if begins(rest, "b1") || begins(rest, "b2") => section.push(Token::Buddhist, 2),
            _ => {
                section.literal(character.encode_utf8(&mut [0; 4]));
                1
            }
        };
    }
    section
}

fn begins(characters: &[char], word: &str) -> bool {
    let mut characters = characters.iter();
    word.chars().all(|expected| characters.next().is_some_and(|found| found.eq_ignore_ascii_case(&expected)))
}

impl Section {
    fn push(&mut self, token: Token, n_characters: usize) -> usize {
        self.tokens.push(token);
        n_characters
    }

    fn literal(&mut self, text: &str) {
        match self.tokens.last_mut() {
            Some(Token::Literal(literal)) => literal.push_str(text),
            _ => self.tokens.push(Token::Literal(text.to_owned())),
        }
    }

    /// `[$€-407]` is a currency sign, `[h]` elapsed hours, `[<100]` a condition; colours say nothing.
    fn bracket(&mut self, inside: &str) {
        let lower = inside.to_lowercase();
        if let Some(currency) = inside.strip_prefix('$') {
            self.literal(currency.split('-').next().unwrap_or_default());
            return;
        }
        let first = lower.chars().next();
        if let Some(unit @ ('h' | 'm' | 's')) = first
            && lower.chars().all(|other| other == unit)
        {
            self.tokens.push(Token::Elapsed(unit, lower.chars().count()));
            return;
        }
        let number = lower.trim_start_matches(['<', '>', '=']);
        let comparison = match &lower[..lower.len() - number.len()] {
            "<" => Comparison::Less,
            "<=" => Comparison::LessOrEqual,
            ">" => Comparison::Greater,
            ">=" => Comparison::GreaterOrEqual,
            "=" => Comparison::Equal,
            "<>" => Comparison::NotEqual,
            _ => return,
        };
        if let Ok(than) = number.trim().parse() {
            self.condition = Some(Condition { comparison, than });
        }
    }
}

fn literals(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Literal(literal) => text.push_str(literal),
            Token::Percent => text.push('%'),
            Token::Slash => text.push('/'),
            Token::Point => text.push('.'),
            _ => {}
        }
    }
    text
}

/// A number in a section made of digit places.
fn digits(value: f64, tokens: &[Token]) -> String {
    let is_negative = value < 0.0;
    let sign = if is_negative { "-" } else { "" };
    let (Some(first_digit), Some(last_digit)) =
        (tokens.iter().position(Token::is_digit), tokens.iter().rposition(Token::is_digit))
    else {
        return format!("{sign}{}", literals(tokens));
    };
    let n_percents = tokens.iter().filter(|token| **token == Token::Percent).count();
    let mut size = value.abs() * 100f64.powi(n_percents.min(10) as i32);
    if let Some(slash) = tokens.iter().position(|token| *token == Token::Slash)
        && slash > first_digit
    {
        return fraction(is_negative, size, tokens, slash);
    }
    if let Some(exponent) = tokens.iter().position(|token| matches!(token, Token::Exponent(_))) {
        return scientific(sign, size, tokens, first_digit, exponent);
    }
    let point = tokens.iter().position(|token| *token == Token::Point);
    let integer_end = point.unwrap_or(tokens.len());
    let integer_tokens = &tokens[..integer_end];
    let last_integer_digit = integer_tokens.iter().rposition(Token::is_digit);
    let mut is_grouped = false;
    if let Some(last) = last_integer_digit {
        is_grouped = tokens[first_digit..last].contains(&Token::Comma);
        // Commas behind the last digit divide by a thousand each.
        let n_thousands = tokens[last + 1..].iter().take_while(|token| **token == Token::Comma).count();
        size /= 1000f64.powi(n_thousands as i32);
    }
    if point.is_some() && last_integer_digit != Some(last_digit) {
        let n_thousands = tokens[last_digit + 1..].iter().take_while(|token| **token == Token::Comma).count();
        size /= 1000f64.powi(n_thousands as i32);
    }
    let decimal_tokens = point.map_or(&[][..], |point| &tokens[point + 1..]);
    let n_decimals = decimal_tokens.iter().filter(|token| token.is_digit()).count();
    let rounded = round_to(size, n_decimals);
    let (integer, decimals) = rounded.split_once('.').unwrap_or((&rounded, ""));
    let integer = integer.trim_start_matches('0');
    let is_zero = integer.is_empty() && decimals.bytes().all(|digit| digit == b'0');

    let mut text = place_integer(integer, integer_tokens, is_grouped);
    if point.is_some() {
        text.push('.');
        place_decimals(decimals, decimal_tokens, &mut text);
    }
    if is_negative && !is_zero { format!("-{text}") } else { text }
}

/// Digits into the places left of the point, from the right; the leftmost place takes what is left over.
fn place_integer(integer: &str, tokens: &[Token], is_grouped: bool) -> String {
    let n_places = tokens.iter().filter(|token| token.is_digit()).count();
    let mut rest: Vec<char> = integer.chars().collect();
    let mut reversed: Vec<char> = Vec::new();
    let mut n_written = 0;
    let mut write = |digit: char, reversed: &mut Vec<char>| {
        if is_grouped && n_written > 0 && n_written % 3 == 0 {
            reversed.push(',');
        }
        reversed.push(digit);
        n_written += 1;
    };
    let mut n_seen = 0;
    for token in tokens.iter().rev() {
        match token {
            Token::Digit(place) => {
                n_seen += 1;
                match (rest.pop(), place) {
                    (Some(digit), _) => write(digit, &mut reversed),
                    (None, '0') => write('0', &mut reversed),
                    (None, '?') => reversed.push(' '),
                    (None, _) => {}
                }
                if n_seen == n_places {
                    while let Some(digit) = rest.pop() {
                        write(digit, &mut reversed);
                    }
                }
            }
            Token::Literal(literal) => reversed.extend(literal.chars().rev()),
            Token::Percent => reversed.push('%'),
            Token::Slash => reversed.push('/'),
            _ => {}
        }
    }
    let mut text: String = reversed.iter().rev().collect();
    if n_places == 0 {
        text.push_str(integer);
    }
    text
}

fn place_decimals(decimals: &str, tokens: &[Token], text: &mut String) {
    let decimals: Vec<char> = decimals.chars().collect();
    let mut n_needed = decimals.iter().rposition(|&digit| digit != '0').map_or(0, |idx| idx + 1);
    let places = tokens.iter().filter(|token| token.is_digit());
    for (idx, _) in places.enumerate().filter(|(_, token)| **token == Token::Digit('0')) {
        n_needed = n_needed.max(idx + 1);
    }
    let mut idx = 0;
    for token in tokens {
        match token {
            Token::Digit(place) => {
                if idx < n_needed {
                    text.push(decimals.get(idx).copied().unwrap_or('0'));
                } else if *place == '?' {
                    text.push(' ');
                }
                idx += 1;
            }
            Token::Literal(literal) => text.push_str(literal),
            Token::Percent => text.push('%'),
            Token::Slash => text.push('/'),
            _ => {}
        }
    }
}

fn scientific(sign: &str, size: f64, tokens: &[Token], first_digit: usize, exponent_idx: usize) -> String {
    let point = tokens[..exponent_idx].iter().position(|token| *token == Token::Point);
    let count = |tokens: &[Token]| tokens.iter().filter(|token| token.is_digit()).count();
    let n_integer_places = count(&tokens[..point.unwrap_or(exponent_idx)]).max(1) as i32;
    let n_decimals = point.map_or(0, |point| count(&tokens[point..exponent_idx]));
    let mut exponent = if size == 0.0 { 0 } else { size.log10().floor() as i32 };
    exponent = exponent.div_euclid(n_integer_places) * n_integer_places;
    let scaled = |exponent: i32| if size == 0.0 { 0.0 } else { size / 10f64.powi(exponent) };
    let mut mantissa = round_to(scaled(exponent), n_decimals);
    if mantissa.parse().is_ok_and(|rounded: f64| rounded >= 10f64.powi(n_integer_places)) {
        exponent += n_integer_places;
        mantissa = round_to(scaled(exponent), n_decimals);
    }
    if let Some(point) = point {
        for place in tokens[point..exponent_idx].iter().rev() {
            if *place == Token::Digit('#') && mantissa.ends_with('0') {
                mantissa.pop();
            } else {
                break;
            }
        }
    }
    let n_exponent_places = count(&tokens[exponent_idx..]);
    let exponent_sign = match (exponent < 0, &tokens[exponent_idx]) {
        (true, _) => "-",
        (false, Token::Exponent('+')) => "+",
        _ => "",
    };
    let before = literals(&tokens[..first_digit]);
    let last_digit = tokens.iter().rposition(Token::is_digit).unwrap_or(exponent_idx);
    let after = literals(&tokens[last_digit + 1..]);
    format!("{sign}{before}{mantissa}E{exponent_sign}{:0n_exponent_places$}{after}", exponent.abs())
}

/// Rounds half away from zero on fifteen significant digits, which is how many a spreadsheet keeps.
fn round_to(size: f64, n_decimals: usize) -> String {
    let n_decimals = n_decimals.min(30);
    if size >= 1e15 || size == 0.0 {
        return format!("{size:.n_decimals$}");
    }
    let text = format!("{size:.14e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    // Where the digits stand: `digits[0]` is worth ten to the `place`.
    let mut place = exponent;
    let n_kept = place + 1 + n_decimals as i32;
    if n_kept < 0 {
        return format!("{:.n_decimals$}", 0.0);
    }
    if (n_kept as usize) < digits.len() {
        let rounds_up = digits[n_kept as usize] >= 5;
        digits.truncate(n_kept as usize);
        if rounds_up {
            let mut idx = digits.len();
            loop {
                if idx == 0 {
                    digits.insert(0, 1);
                    place += 1;
                    break;
                }
                idx -= 1;
                if digits[idx] < 9 {
                    digits[idx] += 1;
                    break;
                }
                digits[idx] = 0;
            }
        }
    }
    let digit_at = |wanted: i32| {
        let idx = place - wanted;
        let digit = usize::try_from(idx).ok().and_then(|idx| digits.get(idx)).copied().unwrap_or(0);
        char::from(b'0' + digit)
    };
    let mut rounded: String = (0..=place.max(0)).rev().map(digit_at).collect();
    if n_decimals > 0 {
        rounded.push('.');
        rounded.extend((1..=n_decimals as i32).map(|decimal| digit_at(-decimal)));
    }
    rounded
}

fn fraction(is_negative: bool, size: f64, tokens: &[Token], slash: usize) -> String {
    let numerator_start =
        tokens[..slash].iter().rposition(|token| !token.is_digit()).map_or(0, |idx| idx + 1);
    let has_integer = tokens[..numerator_start].iter().any(Token::is_digit);
    let is_digits = |token: &Token| match token {
        Token::Literal(literal) => literal.chars().all(|character| character.is_ascii_digit()),
        token => token.is_digit(),
    };
    let denominator = &tokens[slash + 1..];
    let denominator = &denominator[..denominator.iter().take_while(|token| is_digits(token)).count()];
    let fixed: String = (denominator.iter())
        .map(|token| match token {
            Token::Literal(literal) => literal.clone(),
            Token::Digit('0') => "0".to_owned(),
            _ => String::new(),
        })
        .collect();
    let fixed: Option<u64> = fixed.parse().ok().filter(|&fixed| fixed > 0);
    let n_places = denominator.len().clamp(1, 7);
    let integer = if has_integer { size.trunc() } else { 0.0 };
    let rest = size - integer;
    let (numerator, denominator) = match fixed {
        Some(fixed) => ((rest * fixed as f64).round() as u64, fixed),
        None => nearest_fraction(rest, 10u64.pow(n_places as u32) - 1),
    };
    let (integer, numerator) =
        if has_integer && numerator == denominator { (integer + 1.0, 0) } else { (integer, numerator) };
    let sign = if is_negative { "-" } else { "" };
    let before = literals(&tokens[..tokens.iter().position(Token::is_digit).unwrap_or(0)]);
    if !has_integer {
        return format!("{sign}{before}{numerator}/{denominator}");
    }
    match (integer == 0.0, numerator == 0) {
        (_, true) => format!("{sign}{before}{integer}"),
        (true, false) if !tokens[..numerator_start].contains(&Token::Digit('0')) => {
            format!("{sign}{before}{numerator}/{denominator}")
        }
        _ => format!("{sign}{before}{integer} {numerator}/{denominator}"),
    }
}

/// The best fraction with a denominator up to `max_denominator`, by continued fractions.
fn nearest_fraction(value: f64, max_denominator: u64) -> (u64, u64) {
    let (mut before, mut this) = ((0u64, 1u64), (1u64, 0u64));
    let mut rest = value;
    for _ in 0..64 {
        let whole = rest.floor();
        if whole > 1e15 {
            break;
        }
        let step = whole as u64;
        let next = (
            step.saturating_mul(this.0).saturating_add(before.0),
            step.saturating_mul(this.1).saturating_add(before.1),
        );
        if next.1 > max_denominator {
            break;
        }
        (before, this) = (this, next);
        if rest - whole < 1e-10 {
            break;
        }
        rest = 1.0 / (rest - whole);
    }
    (this.0, this.1.max(1))
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// A day of the spreadsheet's calendar.
struct Date {
    year: i64,
    month: usize,
    day: u32,
    weekday: usize,
}

/// Counts from 1900, where the calendar has a 29 February 1900 that never was, and a day 0.
fn date_of(day: i64) -> Date {
    match day {
        60 => Date { year: 1900, month: 2, day: 29, weekday: 3 },
        0 => Date { year: 1900, month: 1, day: 0, weekday: 6 },
        _ => {
            let days_since_1970 = if day < 60 { day - 25_568 } else { day - 25_569 };
            let (year, month, month_day) = civil(days_since_1970);
            Date { year, month, day: month_day, weekday: (day + 6).rem_euclid(7) as usize }
        }
    }
}

/// Year, month and day of the Gregorian calendar, from days since 1970.
fn civil(days: i64) -> (i64, usize, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u32;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month as usize, day)
}

fn date_and_time(value: f64, tokens: &[Token], is_1904: bool) -> String {
    let is_elapsed = tokens.iter().any(|token| matches!(token, Token::Elapsed(..)));
    let is_negative = value < 0.0;
    // What Excel cannot show as a date it shows as a row of hashes; the number says more.
    if (is_negative && !is_elapsed) || value.abs() >= 2_958_466.0 {
        return general(value);
    }
    let value = value.abs();
    let n_decimals =
        tokens.iter().map(|token| if let Token::Fraction(n) = token { *n } else { 0 }).max().unwrap_or(0);
    let n_decimals = n_decimals.min(9);
    let unit = 10f64.powi(n_decimals as i32);
    let ticks = (value * 86_400.0 * unit).round();
    let seconds = (ticks / unit).floor();
    let fraction_of_second = (ticks - seconds * unit) as u64;
    let day = (seconds / 86_400.0).floor();
    let second_of_day = (seconds - day * 86_400.0) as u32;
    let (hour, minute, second) = (second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    let date = date_of(day as i64 + if is_1904 { 1462 } else { 0 });
    let has_half_days = tokens.iter().any(|token| matches!(token, Token::HalfDay { .. }));
    let buddhist = if tokens.contains(&Token::Buddhist) { 543 } else { 0 };

    let mut text = String::new();
    if is_negative {
        text.push('-');
    }
    for (idx, token) in tokens.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = match token {
            Token::Year(n) if *n <= 2 => write!(text, "{:02}", (date.year + buddhist) % 100),
            Token::Year(_) => write!(text, "{:04}", date.year + buddhist),
            Token::Month(n) if is_minutes(tokens, idx) => write!(text, "{:01$}", minute, *n),
            Token::Month(n @ (1 | 2)) => write!(text, "{:01$}", date.month, *n),
            Token::Month(n) => {
                let name = MONTHS.get(date.month.wrapping_sub(1)).copied().unwrap_or_default();
                match n {
                    3 => text.push_str(name.get(..3).unwrap_or(name)),
                    5 => text.push_str(name.get(..1).unwrap_or(name)),
                    _ => text.push_str(name),
                }
                Ok(())
            }
            Token::Day(n @ (1 | 2)) => write!(text, "{:01$}", date.day, *n),
            Token::Day(n) => {
                let name = DAYS.get(date.weekday).copied().unwrap_or_default();
                text.push_str(if *n == 3 { name.get(..3).unwrap_or(name) } else { name });
                Ok(())
            }
            Token::Hour(n) => {
                let shown = match (has_half_days, hour % 12) {
                    (true, 0) => 12,
                    (true, half) => half,
                    (false, _) => hour,
                };
                write!(text, "{:01$}", shown, *n.min(&2))
            }
            Token::Second(n) => write!(text, "{:01$}", second, *n.min(&2)),
            Token::Fraction(n) => {
                let n = (*n).min(n_decimals);
                write!(text, ".{:01$}", fraction_of_second / 10u64.pow((n_decimals - n) as u32), n)
            }
            Token::HalfDay { is_full } => {
                text.push(if hour >= 12 { 'P' } else { 'A' });
                if *is_full {
                    text.push('M');
                }
                Ok(())
            }
            Token::Elapsed(unit, n) => {
                let elapsed = match unit {
                    'h' => (seconds / 3600.0).floor(),
                    'm' => (seconds / 60.0).floor(),
                    _ => seconds,
                };
                write!(text, "{:01$}", elapsed as u64, *n.min(&20))
            }
            Token::Literal(literal) => write!(text, "{literal}"),
            Token::Slash => write!(text, "/"),
            Token::Comma => write!(text, ","),
            Token::Point => write!(text, "."),
            Token::Percent => write!(text, "%"),
            Token::Digit('0') => write!(text, "0"),
            Token::Digit(_) | Token::Exponent(_) | Token::General | Token::Text | Token::Buddhist => Ok(()),
        };
    }
    text
}

/// `m` and `mm` are minutes next to hours or seconds.
fn is_minutes(tokens: &[Token], idx: usize) -> bool {
    let Some(Token::Month(1 | 2)) = tokens.get(idx) else { return false };
    let is_neighbour = |token: &Token| token.is_time() && !matches!(token, Token::HalfDay { .. });
    let before = tokens[..idx].iter().rev().find(|token| is_neighbour(token));
    let after = tokens[idx + 1..].iter().find(|token| is_neighbour(token));
    matches!(before, Some(Token::Hour(_) | Token::Elapsed('h', _)))
        || matches!(after, Some(Token::Second(_) | Token::Elapsed('s', _)))
}
