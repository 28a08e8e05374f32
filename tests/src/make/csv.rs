use super::prose::numbers;
use super::text::utf_16;
use super::{Fixture, fixture};

pub(super) fn fixtures() -> Vec<Fixture> {
    vec![
        fixture(
            "csv/utf16_with_bom.csv",
            "UTF-16 in little endian with a byte order mark.",
            utf_16(
                "\u{feff}Название,Количество,Цена\nХлеб,12,45.50\nМолоко,6,82.00\nСыр,1,640.00\n",
                u16::to_le_bytes,
            ),
        ),
        fixture(
            "csv/windows_1252.csv",
            "Letters with accents and the euro sign in windows-1252.",
            windows_1252(),
        ),
        fixture("csv/long_1200_rows.csv", "Twelve hundred rows, of which some begin with `#`.", long()),
    ]
}

fn windows_1252() -> Vec<u8> {
    let text = "Straße;Ort;Betrag\nMühlgasse 4;Gößweinstein;12,50 €\nCafé Noël;Besançon;7,00 €\n\
                Østerbrogade 9;København;31,20 €\n";
    text.chars()
        .map(|character| match character {
            '€' => 0x80,
            _ => u8::try_from(u32::from(character)).expect("the text is Latin-1"),
        })
        .collect()
}

fn long() -> String {
    let mut text = String::from("ticket,opened,district,subject,minutes\n");
    for row in 1..=1200 {
        let number = numbers(row);
        let district = ["Alder Green", "Brook End", "Copper Hill", "Dunmere"][number % 4];
        let subject = match row {
            733 => "\"a heron in the filter house, alive\"",
            _ => ["low pressure", "no water", "brown water", "a leak in the road", "meter frozen"]
                [number / 4 % 5],
        };
        // What begins a row like a heading or a remark is still a row.
        let mark = if row % 50 == 0 { "#" } else { "" };
        let day = row % 28 + 1;
        text.push_str(&format!(
            "{mark}T-{row:04},2023-11-{day:02},{district},{subject},{}\n",
            number / 20 % 240
        ));
    }
    text
}
