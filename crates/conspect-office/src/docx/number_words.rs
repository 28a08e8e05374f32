/// A number in one of Word's number formats (`w:numFmt`, ECMA-376 part 1, 17.18.59); plain digits where we do not know
/// the format.
pub(crate) fn in_format(number: i64, format: &str) -> String {
    match format {
        "none" | "bullet" => String::new(),
        "lowerLetter" => letters(number, 'a'),
        "upperLetter" => letters(number, 'A'),
        "lowerRoman" => roman(number).to_lowercase(),
        "upperRoman" => roman(number),
        "decimalZero" => format!("{number:02}"),
        "ordinal" => format!("{number}{}", ordinal_ending(number)),
        "cardinalText" => in_words(number, &CARDINALS),
        "ordinalText" => in_words(number, &ORDINALS),
        "hex" => format!("{number:X}"),
        "numberInDash" => format!("- {number} -"),
        "decimalEnclosedParen" => format!("({number})"),
        "decimalEnclosedFullstop" => format!("{number}."),
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => {
            from_alphabet(number, 20, 0x2460).unwrap_or_else(|| number.to_string())
        }
        "decimalFullWidth" | "decimalFullWidth2" => number.to_string().chars().map(full_width).collect(),
        "chicago" => {
            const MARKS: [&str; 4] = ["*", "†", "‡", "§"];
            let idx = number.max(1) as usize - 1;
            MARKS[idx % 4].repeat((idx / 4 + 1).min(20))
        }
        "chineseCounting"
        | "chineseCountingThousand"
        | "ideographDigital"
        | "japaneseCounting"
        | "taiwaneseCounting"
        | "taiwaneseCountingThousand"
        | "taiwaneseDigital"
        | "koreanDigital2"
        | "japaneseDigitalTenThousand" => chinese(number),
        "ideographTraditional" => pick(number, "甲乙丙丁戊己庚辛壬癸"),
        "ideographZodiac" => pick(number, "子丑寅卯辰巳午未申酉戌亥"),
        "aiueo" | "aiueoFullWidth" => pick(
            number,
            "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
        ),
        "iroha" | "irohaFullWidth" => pick(
            number,
            "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン",
        ),
        "ganada" => pick(number, "가나다라마바사아자차카타파하"),
        "chosung" => pick(number, "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"),
        "russianLower" => pick(number, "абвгдежзиклмнопрстуфхцчшщыэюя"),
        "russianUpper" => pick(number, "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ"),
        "arabicAlpha" => pick(number, "أبتثجحخدذرزسشصضطظعغفقكلمنهوي"),
        "arabicAbjad" => pick(number, "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"),
        "hebrew1" | "hebrew2" => pick(number, "אבגדהוזחטיכלמנסעפצקרשת"),
        _ => number.to_string(),
    }
}

/// a, b, … z, aa, bb, …: Word repeats the letter.
fn letters(number: i64, first: char) -> String {
    if number < 1 {
        return String::new();
    }
    let letter = char::from(first as u8 + ((number - 1) % 26) as u8);
    let n_times = ((number - 1) / 26 + 1).min(30) as usize;
    std::iter::repeat_n(letter, n_times).collect()
}

fn roman(number: i64) -> String {
    const DIGITS: [(i64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if !(1..40_000).contains(&number) {
        return number.to_string();
    }
    let mut rest = number;
    let mut text = String::new();
    for (value, digit) in DIGITS {
        while rest >= value {
            text.push_str(digit);
            rest -= value;
        }
    }
    text
}

fn ordinal_ending(number: i64) -> &'static str {
    match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    }
}

const CARDINALS: [&str; 20] = [
    "Zero",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
];
const ORDINALS: [&str; 20] = [
    "Zeroth",
    "First",
    "Second",
    "Third",
    "Fourth",
    "Fifth",
    "Sixth",
    "Seventh",
    "Eighth",
    "Ninth",
    "Tenth",
    "Eleventh",
    "Twelfth",
    "Thirteenth",
    "Fourteenth",
    "Fifteenth",
    "Sixteenth",
    "Seventeenth",
    "Eighteenth",
    "Nineteenth",
];

fn in_words(number: i64, small: &[&str; 20]) -> String {
    const TENS: [&str; 10] =
        ["", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];
    match number {
        0..20 => small[number as usize].to_owned(),
        20..100 if number % 10 != 0 => {
            format!("{}-{}", TENS[number as usize / 10], small[number as usize % 10].to_lowercase())
        }
        20..100 if small[1] == "First" => TENS[number as usize / 10].replace('y', "ieth"),
        20..100 => TENS[number as usize / 10].to_owned(),
        _ => number.to_string(),
    }
}

fn chinese(number: i64) -> String {
    const DIGITS: [&str; 10] = ["〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    match number {
        0..10 => DIGITS[number as usize].to_owned(),
        10..100 => {
            let (tens, ones) = (number as usize / 10, number as usize % 10);
            let before = if tens == 1 { "" } else { DIGITS[tens] };
            let after = if ones == 0 { "" } else { DIGITS[ones] };
            format!("{before}十{after}")
        }
        _ => number.to_string(),
    }
}

fn pick(number: i64, alphabet: &str) -> String {
    let n_letters = alphabet.chars().count();
    let idx = (number.max(1) - 1) as usize % n_letters;
    alphabet.chars().nth(idx).map(String::from).unwrap_or_default()
}

fn from_alphabet(number: i64, n_letters: i64, first: u32) -> Option<String> {
    let offset = u32::try_from(number - 1).ok().filter(|_| number <= n_letters)?;
    char::from_u32(first + offset).map(String::from)
}

fn full_width(digit: char) -> char {
    match digit.to_digit(10) {
        Some(value) => char::from_u32(0xFF10 + value).unwrap_or(digit),
        None => digit,
    }
}
