use lopdf::{
    Bookmark, Dictionary, EncryptionState, EncryptionVersion, Object, Permissions, Stream, dictionary,
};

use super::page::{File, Font, LEFT, Page};
use super::prose::{sections, wrap};
use super::{Fixture, fixture};

pub(super) fn fixtures() -> Vec<Fixture> {
    vec![
        fixture(
            "pdf/headings_two_pages.pdf",
            "Headings told by their size, a paragraph that goes on over the page, running header and page numbers.",
            headings_two_pages(),
        ),
        fixture("pdf/list_bulleted_numbered.pdf", "Bullets, numbers and an inner list.", list()),
        fixture("pdf/table_ruled.pdf", "A table drawn with rules, between two paragraphs.", table_ruled()),
        fixture("pdf/columns_two.pdf", "Two columns under a title across both.", columns_two()),
        fixture("pdf/bookmarks.pdf", "A bookmark outline of two levels.", bookmarks()),
        fixture(
            "pdf/page_image_only.pdf",
            "A page that is one image between pages of text.",
            page_image_only(),
        ),
        fixture(
            "pdf/encrypted_user_password.pdf",
            "Encrypted; the password is `kestrel`.",
            encrypted("kestrel"),
        ),
        fixture(
            "pdf/encrypted_owner_password_only.pdf",
            "Encrypted, but opens without a password.",
            encrypted(""),
        ),
        fixture(
            "pdf/page_rotated.pdf",
            "A page with /Rotate 90 whose text reads upright when shown.",
            page_rotated(),
        ),
        fixture("pdf/font_to_unicode.pdf", "Codes of a font of its own, with /ToUnicode.", font_coded(true)),
        fixture(
            "pdf/font_without_to_unicode.pdf",
            "The same codes without /ToUnicode: the text cannot be known.",
            font_coded(false),
        ),
        fixture("pdf/long_report.pdf", "Thirty sections on many pages.", long_report()),
    ]
}

fn headings_two_pages() -> Vec<u8> {
    let mut file = File::new();
    let mut page = Page::new();
    page.text(Font::Regular, 9, LEFT, 800, "Annals of the Dunmere Observatory");
    page.text(Font::Bold, 24, LEFT, 740, "The Night of the Long Exposure");
    page.text(Font::Bold, 16, LEFT, 700, "1. The plates");
    let y = page.lines(
        Font::Regular,
        11,
        LEFT,
        676,
        &wrap(
            "On the evening of 3 May 1931 the assistant loaded nine plates, four more than the rules allowed, and \
             opened the shutter at a quarter past ten. The sky was clear to the horizon and the wind had dropped.",
            84,
        ),
    );
    page.text(Font::Bold, 13, LEFT, y - 14, "1.1 What was seen");
    page.lines(
        Font::Regular,
        11,
        LEFT,
        y - 36,
        &wrap(
            "Plate seven shows a trail that crosses the field from the lower left. It is eleven degrees long and its \
             brightness does not change along the way, which rules out a meteor. The log of the night has no entry \
             for it, and the assistant, asked about it years later, remembered only that he had been",
            84,
        ),
    );
    page.text(Font::Regular, 9, 292, 40, "1");
    file.add(page);
    let mut page = Page::new();
    page.text(Font::Regular, 9, LEFT, 800, "Annals of the Dunmere Observatory");
    page.lines(
        Font::Regular,
        11,
        LEFT,
        740,
        &wrap("cold. No second trail was found on any plate of that year.", 84),
    );
    page.text(Font::Bold, 16, LEFT, 690, "2. The explanation");
    page.lines(
        Font::Regular,
        11,
        LEFT,
        666,
        &wrap(
            "A scratch on the plate holder has the same length and the same slope. It was found in 1958, when the \
             holder was sold.",
            84,
        ),
    );
    page.text(Font::Regular, 9, 292, 40, "2");
    file.add(page);
    file.finish()
}

fn list() -> Vec<u8> {
    let mut page = Page::new();
    page.text(Font::Bold, 18, LEFT, 760, "Before the first frost");
    page.text(Font::Regular, 11, LEFT, 730, "Three things are done in any order:");
    page.lines(Font::Regular, 11, LEFT + 12, 708, &["•  Empty the rain barrels.", "•  Lift the dahlias."]);
    page.lines(
        Font::Regular,
        11,
        LEFT + 36,
        682,
        &["–  Cut the stems to a hand's width.", "–  Label the tubers."],
    );
    page.text(Font::Regular, 11, LEFT + 12, 656, "•  Close the cold frames.");
    page.text(Font::Regular, 11, LEFT, 626, "The pump is drained in this order:");
    page.lines(
        Font::Regular,
        11,
        LEFT + 12,
        604,
        &["1.  Shut the valve in the cellar.", "2.  Open the tap outside.", "3.  Wait until nothing runs."],
    );
    let mut file = File::new();
    file.add(page);
    file.finish()
}

const PRICES: [[&str; 4]; 5] = [
    ["Item", "Unit", "Quantity", "Price"],
    ["Slaked lime", "bag", "40", "312.00"],
    ["River sand", "tonne", "6", "198.50"],
    ["Oak pegs", "hundred", "3", "87.25"],
    ["Total", "", "", "597.75"],
];

fn table_ruled() -> Vec<u8> {
    let columns = [LEFT, 232, 322, 412, 512];
    let (top, row_height) = (700, 24);
    let bottom = top - row_height * PRICES.len() as i32;
    let mut page = Page::new();
    page.text(Font::Regular, 11, LEFT, 740, "The mason was paid on delivery for the following goods.");
    for row in 0..=PRICES.len() as i32 {
        page.rule((columns[0], top - row * row_height), (columns[4], top - row * row_height));
    }
    for x in columns {
        page.rule((x, top), (x, bottom));
    }
    for (row_idx, row) in PRICES.iter().enumerate() {
        let font = if row_idx == 0 { Font::Bold } else { Font::Regular };
        for (cell, x) in row.iter().zip(columns) {
            if !cell.is_empty() {
                page.text(font, 11, x + 6, top - row_height * row_idx as i32 - 16, cell);
            }
        }
    }
    page.text(Font::Regular, 11, LEFT, bottom - 40, "Carriage is included in all prices.");
    let mut file = File::new();
    file.add(page);
    file.finish()
}

fn columns_two() -> Vec<u8> {
    let left = "The ferry has crossed here since before the road was built. Its rope is as thick as a wrist and is \
                turned end for end every spring, so that it wears evenly. Whoever wants to cross rings the bell on \
                the far bank and waits.";
    let right = "In a dry summer the boat runs aground in the middle and the passengers wade. The ferryman then takes \
                 half the fare, which the parish has never put in writing but which nobody has ever refused. The last \
                 crossing is at dusk.";
    let mut page = Page::new();
    page.text(Font::Bold, 20, LEFT, 770, "The ferry at Inch Abbas");
    page.lines(Font::Regular, 10, LEFT, 730, &wrap(left, 40));
    page.lines(Font::Regular, 10, 320, 730, &wrap(right, 40));
    let mut file = File::new();
    file.add(page);
    file.finish()
}

fn bookmarks() -> Vec<u8> {
    let chapters = [
        ("Wind", "The mill turns from a breeze of four metres a second."),
        ("Stone", "French burr is harder than any stone from the hills here."),
        ("Dressing", "Furrows are cut anew after three weeks of grinding."),
        ("Flour", "Bran leaves the bolter last."),
    ];
    let mut file = File::new();
    for (title, text) in chapters {
        let mut page = Page::new();
        page.text(Font::Bold, 18, LEFT, 760, title);
        page.text(Font::Regular, 11, LEFT, 730, text);
        file.add(page);
    }
    let pages = file.pages.clone();
    let bookmark =
        |title: &str, page_idx: usize| Bookmark::new(title.to_owned(), [0.0; 3], 0, pages[page_idx]);
    let part = file.document.add_bookmark(bookmark("The mill", 0), None);
    file.document.add_bookmark(bookmark("Wind", 0), Some(part));
    file.document.add_bookmark(bookmark("Stone", 1), Some(part));
    file.document.add_bookmark(bookmark("Dressing", 2), Some(part));
    file.document.add_bookmark(bookmark("What comes out", 3), None);
    let outline = file.document.build_outline().expect("there are bookmarks");
    file.close(dictionary! { "Outlines" => outline });
    file.write()
}

fn page_image_only() -> Vec<u8> {
    let mut file = File::new();
    let text_page = |text: &str| {
        let mut page = Page::new();
        page.text(Font::Regular, 11, LEFT, 760, text);
        page
    };
    file.add(text_page("The map on the next page was scanned and nobody has typed its legend."));
    let grey: Vec<u8> = (0..16 * 16).map(|pixel| (pixel % 16 * 16) as u8).collect();
    let image = file.document.add_object(Stream::new(
        dictionary! {
            "Type" => "XObject",
            "Subtype" => "Image",
            "Width" => 16,
            "Height" => 16,
            "ColorSpace" => "DeviceGray",
            "BitsPerComponent" => 8,
        },
        grey,
    ));
    let mut page = Page::new();
    page.image(image, 0, 0, 595, 842);
    file.add(page);
    file.add(text_page("North is to the left."));
    file.finish()
}

fn encrypted(user_password: &str) -> Vec<u8> {
    let mut page = Page::new();
    page.text(Font::Regular, 11, LEFT, 760, "The key is under the third flower pot.");
    let mut file = File::new();
    file.add(page);
    file.close(Dictionary::new());
    // The oldest version is the only one without random bytes in it.
    let version = EncryptionVersion::V1 {
        document: &file.document,
        owner_password: "gorse bank",
        user_password,
        permissions: Permissions::PRINTABLE,
    };
    let state = EncryptionState::try_from(version).expect("the passwords can be used");
    file.document.encrypt(&state).expect("the document can be encrypted");
    file.write()
}

fn page_rotated() -> Vec<u8> {
    let mut page = Page::new();
    page.entry("Rotate", 90);
    // On the unturned page the text runs from the bottom to the top.
    page.matrix([0, 1, -1, 0, 595, 0]);
    page.text(Font::Bold, 18, LEFT, 520, "Tides at East Quay");
    page.text(Font::Regular, 11, LEFT, 490, "High water is at 04:12 and 16:40 on the first of the month.");
    page.text(Font::Regular, 11, LEFT, 460, "The gates close an hour before.");
    let mut file = File::new();
    file.add(page);
    file.finish()
}

/// A line in a font that numbers its glyphs in the order of their first use, as subsets of fonts do.
fn font_coded(has_to_unicode: bool) -> Vec<u8> {
    let text = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich";
    let mut glyphs: Vec<char> = Vec::new();
    let mut codes = Vec::new();
    for character in text.chars() {
        let idx = glyphs.iter().position(|&known| known == character).unwrap_or_else(|| {
            glyphs.push(character);
            glyphs.len() - 1
        });
        codes.extend([0, idx as u8 + 1]);
    }
    let mut file = File::new();
    let descendant = file.document.add_object(dictionary! {
        "Type" => "Font",
        "Subtype" => "CIDFontType2",
        "BaseFont" => "ABCDEF+Unknown",
        "CIDSystemInfo" => dictionary! {
            "Registry" => Object::string_literal("Adobe"),
            "Ordering" => Object::string_literal("Identity"),
            "Supplement" => 0,
        },
        "DW" => 500,
    });
    let mut font = dictionary! {
        "Type" => "Font",
        "Subtype" => "Type0",
        "BaseFont" => "ABCDEF+Unknown",
        "Encoding" => "Identity-H",
        "DescendantFonts" => vec![descendant.into()],
    };
    if has_to_unicode {
        let map = file.document.add_object(Stream::new(Dictionary::new(), to_unicode(&glyphs).into_bytes()));
        font.set("ToUnicode", map);
    }
    file.font("F9", font);
    let mut page = Page::new();
    page.text(Font::Regular, 11, LEFT, 760, "A line in a font that is known to every reader.");
    page.bytes("F9", 11, LEFT, 730, codes);
    file.add(page);
    file.finish()
}

fn to_unicode(glyphs: &[char]) -> String {
    let mut map = String::from(
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Fixture def\n/CMapType 2 def\n\
         1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n",
    );
    map.push_str(&format!("{} beginbfchar\n", glyphs.len()));
    for (idx, glyph) in glyphs.iter().enumerate() {
        map.push_str(&format!("<{:04X}> <{:04X}>\n", idx + 1, u32::from(*glyph)));
    }
    map.push_str("endbfchar\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
    map
}

/// Thirty sections, three on a page.
fn long_report() -> Vec<u8> {
    let mut file = File::new();
    for (page_idx, of_page) in sections(30).chunks(3).enumerate() {
        let mut page = Page::new();
        let mut y = 770;
        if page_idx == 0 {
            page.text(Font::Bold, 22, LEFT, y, "Report of the water works");
            y -= 40;
        }
        for section in of_page {
            page.text(Font::Bold, 14, LEFT, y, &section.title);
            y -= 22;
            for paragraph in &section.paragraphs {
                y = page.lines(Font::Regular, 10, LEFT, y, &wrap(paragraph, 92)) - 8;
            }
            y -= 10;
        }
        page.text(Font::Regular, 9, 292, 40, &format!("{}", page_idx + 1));
        file.add(page);
    }
    file.document.compress();
    file.finish()
}
