//! Text of any length about a water works that does not exist: enough of a subject that questions can be asked of it.

/// A sentence that stands once in every long file, far from both ends.
pub const FACT: &str =
    "The reserve pump at Kestrel Weir was replaced on 14 March 2019 at a cost of 48,310 euros.";

/// The section whose middle paragraph holds [`FACT`].
const SECTION_OF_FACT: usize = 13;

/// A section of a long report.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) paragraphs: Vec<String>,
}

const DISTRICTS: [&str; 12] = [
    "Alder Green",
    "Brook End",
    "Copper Hill",
    "Dunmere",
    "East Quay",
    "Fallow Field",
    "Gorse Bank",
    "Hollin Vale",
    "Inch Abbas",
    "Juniper Row",
    "Kiln Lane",
    "Larch Wood",
];

const SUBJECTS: [&str; 10] = [
    "Supply",
    "Leakage",
    "Water quality",
    "Reservoir levels",
    "Maintenance",
    "Energy",
    "Staff",
    "Complaints",
    "Meters",
    "Outlook",
];

/// So many sections, none of which repeats another.
pub(crate) fn sections(n_sections: usize) -> Vec<Section> {
    (0..n_sections).map(section).collect()
}

/// The section of this index.
pub(crate) fn section(idx: usize) -> Section {
    let district = DISTRICTS[idx % DISTRICTS.len()];
    let subject = SUBJECTS[idx % SUBJECTS.len()];
    let mut paragraphs: Vec<String> = (0..3).map(|part| paragraph(idx, part, district)).collect();
    if idx == SECTION_OF_FACT {
        paragraphs[1].push(' ');
        paragraphs[1].push_str(FACT);
    }
    Section { title: format!("{subject} in {district}"), paragraphs }
}

fn paragraph(idx: usize, part: usize, district: &str) -> String {
    let number = numbers(idx * 3 + part);
    match part {
        0 => format!(
            "In the course of the year {district} drew {} thousand cubic metres, which is {}.{} per cent more than \
             the year before. The highest demand fell on the {} week, when the tanks above the town were down to {} \
             per cent.",
            number % 900 + 100,
            number % 7 + 1,
            number % 10,
            ordinal(number % 40 + 10),
            number % 30 + 40
        ),
        1 => format!(
            "Crews answered {} calls from {district}. Most of them concerned low pressure in the evening; {} led to a \
             repair on the same day, and none stayed open for more than {} days.",
            number % 200 + 50,
            number % 40 + 5,
            number % 9 + 3
        ),
        _ => format!(
            "For the coming year the board has set aside {} thousand euros for {district}. The sum covers {} valves, \
             {} metres of main and the survey of the old intake that was put off twice.",
            number % 400 + 100,
            number % 50 + 2,
            number % 3000 + 200
        ),
    }
}

/// A number that looks like nothing in particular, the same for the same index.
pub(crate) fn numbers(idx: usize) -> usize {
    let mixed = (idx as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as usize
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// The text in lines of at most so many characters, broken at blanks.
pub(crate) fn wrap(text: &str, max_chars: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= max_chars {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
