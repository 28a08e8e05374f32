//! Pages as pictures: drawn for eyes, and read by a recognizer where they are nothing else.
//!
//! Where `tesseract` is installed, a page that was drawn is read again through it.

#![expect(clippy::disallowed_methods, reason = "pictures are looked for on the disk")]

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use conspect::{
    Document, Input, Limits, NoticeKind, PageImage, PageKind, PageNumber, PixelRect, ReadError,
    RecognizeError, RecognizedLine, RecognizedWord, Recognizer, Scope, page_image, read,
};
use conspect_tests::repository;
use conspect_tools::{Context, Door, DrawPage, Loose, Settings, ToolError, Workspace, draw_page};
use conspect_workspace::Tesseract;
use lopdf::{Dictionary, Object, Stream, dictionary};

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(repository().join("fixtures/pdf").join(name)).expect("a fixture")
}

fn drawn(bytes: &[u8], page: u32, dpi: u32) -> Result<PageImage, ReadError> {
    let page = PageNumber::new(page).expect("a page");
    page_image(&Input::new(bytes, "scan.pdf"), page, dpi, &Limits::default())
}

#[test]
fn a_page_is_drawn_as_it_is_shown() {
    let picture = drawn(&fixture("long_report.pdf"), 2, 72).expect("a picture");
    assert_eq!((picture.width, picture.height, picture.dpi), (595, 842, 72));
    assert!(picture.png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert!(picture.png.len() > 10_000, "a page of text is not empty: {} bytes", picture.png.len());
    let turned = drawn(&fixture("page_rotated.pdf"), 1, 72).expect("a picture");
    assert!(turned.width > turned.height);
}

#[test]
fn a_picture_that_cannot_be_is_an_error() {
    let report = fixture("long_report.pdf");
    let page = drawn(&report, 11, 72).expect_err("there are ten pages");
    assert_eq!(page.to_string(), "it has no page 11: the file has 10 pages");
    assert!(matches!(drawn(&report, 1, 2000), Err(ReadError::Limit { limit: 50_000_000, .. })));
    let locked = drawn(&fixture("encrypted_user_password.pdf"), 1, 72);
    assert!(matches!(locked, Err(ReadError::Encrypted { can_open: true, .. })));
    assert!(matches!(drawn(b"", 1, 72), Err(ReadError::Damaged { .. })));
}

/// Says the same of every picture, and remembers the pictures.
struct Told {
    said: Result<Vec<RecognizedLine>, RecognizeError>,
    pictures: Mutex<Vec<(u32, u32)>>,
}

impl Recognizer for Told {
    fn name(&self) -> &str {
        "a friend"
    }

    fn recognize(&self, picture: &PageImage) -> Result<Vec<RecognizedLine>, RecognizeError> {
        self.pictures.lock().expect("no panic").push((picture.width, picture.height));
        self.said.clone()
    }
}

fn told(said: Result<Vec<RecognizedLine>, RecognizeError>) -> Told {
    Told { said, pictures: Mutex::new(Vec::new()) }
}

/// A line of words, each 200 pixels wide.
fn line(top: u32, words: &[&str]) -> RecognizedLine {
    let place = |left: u32, right: u32| PixelRect { left, top, right, bottom: top + 50 };
    let words = words.iter().zip(0..).map(|(text, idx)| RecognizedWord {
        text: (*text).to_owned(),
        place: place(300 + idx * 220, 500 + idx * 220),
        confidence: 90.0,
    });
    RecognizedLine { place: place(300, 1900), words: words.collect() }
}

fn read_with<'a>(bytes: &'a [u8], recognizer: &'a dyn Recognizer) -> Document<'a> {
    let input = Input::new(bytes, "scan.pdf").with_recognizer(Some(recognizer));
    read(&input, &Scope::default(), &Limits::default()).expect("a document")
}

/// Kinds and whether they were machine-read, page by page.
fn kinds(document: &Document<'_>) -> Vec<(PageKind, bool)> {
    document.pages.iter().map(|page| (page.kind, page.is_recognized)).collect()
}

#[test]
fn only_pages_that_are_nothing_but_a_picture_are_read_by_the_recognizer() {
    let bytes = fixture("page_image_only.pdf");
    let friend = told(Ok(vec![
        line(400, &["Depths", "are", "in", "fathoms"]),
        line(460, &["below", "low", "water."]),
    ]));
    let document = read_with(&bytes, &friend);
    assert_eq!(kinds(&document), [(PageKind::Text, false), (PageKind::Image, true), (PageKind::Text, false)]);
    let texts: Vec<&str> = document.blocks.iter().map(|block| block.text.as_str()).collect();
    assert_eq!(texts[1], "Depths are in fathoms below low water.");
    let notices: Vec<String> = document.notices.iter().map(ToString::to_string).collect();
    assert_eq!(notices, ["page 2: the text was read from a picture by a friend, and may be wrong"]);
    assert_eq!(document.notices[0].kind, NoticeKind::Guessed);
    // A4 at 300 pixels to the inch.
    assert_eq!(*friend.pictures.lock().expect("no panic"), [(2479, 3508)]);
}

/// L7: 300 pixels are an inch of 72 points, and pages count upwards.
#[test]
fn what_is_machine_read_has_its_place_on_the_page() {
    let friend = told(Ok(vec![line(300, &["Legend"])]));
    let bytes = fixture("page_image_only.pdf");
    let document = read_with(&bytes, &friend);
    let conspect::Origin::Page { page, rect } = document.blocks[1].origin else { panic!("a page") };
    assert_eq!(page.get(), 2);
    assert!((rect.x0 - 72.0).abs() < 1.0 && (rect.y1 - (842.0 - 72.0)).abs() < 1.0, "{rect:?}");
}

#[test]
fn a_picture_without_text_and_a_recognizer_that_fails_are_told() {
    let bytes = fixture("page_image_only.pdf");
    for (said, expected) in [
        (Ok(Vec::new()), "page 2: a friend finds no text in the picture of the page"),
        (
            Err(RecognizeError::TimedOut),
            "page 2: the picture of the page was not read by a friend: it took too long",
        ),
    ] {
        let friend = told(said);
        let document = read_with(&bytes, &friend);
        assert_eq!(document.notices.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
        assert_eq!(document.notices[0].kind, NoticeKind::NoText);
        assert_eq!(kinds(&document)[1], (PageKind::Image, false));
    }
}

#[test]
fn a_page_of_text_comes_back_from_its_picture() {
    let Ok(tesseract) = Tesseract::find(None) else {
        eprintln!("passed over: tesseract is not installed");
        return;
    };
    let scan = scan_of(&drawn(&fixture("long_report.pdf"), 2, 200).expect("a picture"));
    let document = read_with(&scan, &tesseract);
    let text: Vec<&str> = document.blocks.iter().map(|block| block.text.as_str()).collect();
    let text = text.join("\n");
    for sentence in ["Reservoir levels in Dunmere", "none stayed open for more than 5 days."] {
        assert!(text.contains(sentence), "{sentence:?} in {text:?}");
    }
    assert_eq!(kinds(&document), [(PageKind::Image, true)]);
    assert_eq!(document.notices.len(), 1);
    assert!(Tesseract::find(Some("eng+xxx")).is_err());
}

/// A PDF of one page that is nothing but the picture. The data of a PNG is what a PDF calls deflated with predictors.
fn scan_of(picture: &PageImage) -> Vec<u8> {
    const RGB: u8 = 2;
    assert_eq!(picture.png[25], RGB, "an opaque picture has no fourth channel");
    let mut chunks = &picture.png[8..];
    let mut data = Vec::new();
    while let [a, b, c, d, rest @ ..] = chunks {
        let len = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        if rest.starts_with(b"IDAT") {
            data.extend_from_slice(&rest[4..4 + len]);
        }
        chunks = &rest[4 + len + 4..];
    }
    let size = |pixels: u32| f64::from(pixels) * 72.0 / f64::from(picture.dpi);
    let (width, height) = (size(picture.width), size(picture.height));
    let mut document = lopdf::Document::with_version("1.5");
    let image = document.add_object(Stream::new(
        dictionary! {
            "Type" => "XObject", "Subtype" => "Image",
            "Width" => picture.width, "Height" => picture.height,
            "ColorSpace" => "DeviceRGB", "BitsPerComponent" => 8, "Filter" => "FlateDecode",
            "DecodeParms" => dictionary! { "Predictor" => 15, "Colors" => 3, "Columns" => picture.width },
        },
        data,
    ));
    let content = format!("{width} 0 0 {height} 0 0 cm /Im Do");
    let content = document.add_object(Stream::new(Dictionary::new(), content.into_bytes()));
    let pages = document.new_object_id();
    let page = document.add_object(dictionary! {
        "Type" => "Page", "Parent" => pages, "Contents" => content,
        "MediaBox" => vec![0.into(), 0.into(), Object::Real(width as f32), Object::Real(height as f32)],
        "Resources" => dictionary! { "XObject" => dictionary! { "Im" => image } },
    });
    document.set_object(pages, dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 });
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    document.trailer.set("Root", catalog);
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).expect("written to memory");
    bytes
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scans");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn draw(parameters: &DrawPage) -> Result<String, ToolError> {
    let context = Context {
        workspace: Workspace::open(&[&repository().join("fixtures"), &folder()]).expect("folders"),
        settings: Settings::resolve(&[], &|_| None).expect("the defaults are settings"),
        door: Door::Command,
        standard_input: None,
    };
    let mut printed = String::new();
    draw_page(&context, parameters, &mut |piece| printed.push_str(piece)).map(|_| printed)
}

#[test]
fn a_picture_replaces_nothing_unless_told_to() {
    let output = folder().join("page.png");
    let _ = std::fs::remove_file(&output);
    let parameters = DrawPage {
        path: Some("pdf/long_report.pdf".to_owned()),
        page: Some(Loose("2".to_owned())),
        dpi: Some(Loose("50".to_owned())),
        output: Some(output.to_string_lossy().into_owned()),
        ..DrawPage::default()
    };
    let said = draw(&parameters).expect("drawn");
    assert!(said.contains(": page 2 of pdf/long_report.pdf, 413×584 pixels at 50 to the inch, "), "{said}");
    assert!(std::fs::read(&output).expect("a picture").starts_with(b"\x89PNG"));

    std::fs::write(&output, "mine").expect("a file");
    let refused = draw(&parameters).expect_err("it is there already").to_string();
    assert!(refused.contains("is there already") && refused.contains("force"), "{refused}");
    assert_eq!(std::fs::read_to_string(&output).expect("there"), "mine");
    draw(&DrawPage { force: true, ..parameters.clone() }).expect("replaced");
    assert!(std::fs::read(&output).expect("a picture").starts_with(b"\x89PNG"));

    let itself =
        DrawPage { output: Some("pdf/long_report.pdf".to_owned()), force: true, ..parameters.clone() };
    assert!(draw(&itself).expect_err("it is being read").to_string().contains("is there already"));
    assert!(fixture("long_report.pdf").starts_with(b"%PDF"));
}
