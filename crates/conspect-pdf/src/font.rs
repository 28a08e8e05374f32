//! Fonts as this reader needs them: codes to text and advance, and whether they look bold.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, WINDOWS_1252};
use hayro_cmap::{BfString, CMap, CMapName, CidFamily};
use hayro_font::{CMapResolverFn, FontCache, FontData, FontGlyph, FontQuery, FontResolverFn};
use hayro_syntax::object::{Array, Dict, FromBytes, Name, Object, Stream, String as PdfString};
use rustc_hash::FxHashMap;
use skrifa::raw::ps::agl;

use crate::filters::decode;
use crate::glyph::Style;
use crate::glyph_names::{NumberedNames, numbered_names};
use crate::stream::is_bounded;
use crate::to_unicode::ToUnicode;
use crate::unicode::plain;

/// Ceiling for a font program.
const MAX_PROGRAM_BYTES: u64 = 64 << 20;
/// Ceiling for the glyphs that ranges of widths name; a font has at most 65,536, and ranges may overlap.
const MAX_GLYPHS_IN_RANGES: u64 = 4 * 65_536;
/// Ceiling for a mapping of codes, which takes several times its size once it is read.
const MAX_MAPPING_BYTES: u64 = 8 << 20;

/// All fonts of a file that were asked for so far.
pub(crate) struct Fonts<'a> {
    cache: FontCache<'a>,
    resolve_font: FontResolverFn,
    resolve_cmap: CMapResolverFn,
    by_object: FxHashMap<(u32, i32), Rc<Font<'a>>>,
    substitute: Option<Rc<Font<'a>>>,
    styles: Vec<Style>,
}

impl<'a> Fonts<'a> {
    pub(crate) fn new() -> Fonts<'a> {
        Fonts {
            cache: FontCache::new(),
            resolve_font: Arc::new(|query| match query {
                FontQuery::Standard(standard) => Some(standard.get_font_data()),
                FontQuery::Fallback(fallback) => Some(fallback.pick_standard_font().get_font_data()),
            }),
            resolve_cmap: Arc::new(hayro_cmap::load_embedded),
            by_object: FxHashMap::default(),
            substitute: None,
            styles: Vec::new(),
        }
    }

    /// The looks that [`crate::glyph::Glyph::style`] counts into.
    pub(crate) fn styles(&self) -> &[Style] {
        &self.styles
    }

    pub(crate) fn get(&mut self, dict: &Dict<'a>) -> Rc<Font<'a>> {
        let key = dict.obj_id().map(|id| (id.obj_number, id.gen_number));
        if let Some(font) = key.and_then(|key| self.by_object.get(&key)) {
            return Rc::clone(font);
        }
        let font = Rc::new(self.load(dict));
        if let Some(key) = key {
            self.by_object.insert(key, Rc::clone(&font));
        }
        font
    }

    /// What stands in for a font that cannot be found: its codes are taken for those of Windows, which is a guess.
    pub(crate) fn substitute(&mut self) -> Rc<Font<'a>> {
        if let Some(font) = &self.substitute {
            return Rc::clone(font);
        }
        let plain = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
        let dict = Dict::from_bytes(plain).unwrap_or_default();
        let font = Rc::new(Font { is_substitute: true, ..self.load(&dict) });
        self.substitute = Some(Rc::clone(&font));
        font
    }

    fn style_idx(&mut self, style: Style) -> u16 {
        let known = self.styles.iter().position(|known| *known == style);
        let idx = known.unwrap_or_else(|| {
            self.styles.push(style);
            self.styles.len() - 1
        });
        idx as u16
    }

    fn load(&mut self, dict: &Dict<'a>) -> Font<'a> {
        let style = style_of(dict);
        let unseen_style = self.style_idx(Style { is_monospace: false, ..style });
        let program = (has_bounded_streams(dict) && has_bounded_widths(dict))
            .then(|| self.cache.font(dict, &self.resolve_font, &self.resolve_cmap))
            .flatten();
        let to_unicode = to_unicode(dict);
        let subtype = dict.get::<Name<'_>>(b"Subtype");
        let is_composite = subtype.as_ref().is_some_and(|name| name.as_ref() == b"Type0");
        Font {
            is_horizontal: program.as_ref().is_none_or(|font| font.is_horizontal()),
            is_composite,
            is_substitute: false,
            legacy: if is_composite { None } else { legacy_encoding(dict) },
            is_windows: subtype.as_ref().is_some_and(|name| name.as_ref() == b"TrueType")
                && is_silent_on_codes(dict),
            em: if subtype.as_ref().is_some_and(|name| name.as_ref() == b"Type3") {
                type3_em(dict)
            } else {
                1.0
            },
            has_wrong_mapping: to_unicode.as_ref().is_some_and(ToUnicode::is_useless),
            to_unicode,
            is_embedded: is_embedded(dict),
            cid_to_text: OnceCell::new(),
            names: OnceCell::new(),
            has_widths: has_widths(dict),
            dict: dict.clone(),
            program,
            style: self.style_idx(style),
            unseen_style,
            simple_codes: RefCell::new(Vec::new()),
            composite_codes: RefCell::new(FxHashMap::default()),
            glyph_to_char: OnceCell::new(),
        }
    }
}

/// One font of the file.
pub(crate) struct Font<'a> {
    /// `None` where the font is too broken to be loaded: its codes are then taken for ASCII.
    program: Option<hayro_font::Font<'a>>,
    is_composite: bool,
    /// Whether it stands in for a font that cannot be found.
    pub is_substitute: bool,
    /// The encoding of a font that says nothing of its codes but has a Chinese, Japanese or Korean name.
    legacy: Option<&'static Encoding>,
    /// Whether the codes above ASCII are those of Windows, for want of any word on them.
    is_windows: bool,
    pub is_horizontal: bool,
    /// The height of the letters for a font size of one.
    pub em: f64,
    /// What the file itself says its codes mean.
    to_unicode: Option<ToUnicode>,
    /// Whether the mapping gives all codes the same text.
    has_wrong_mapping: bool,
    /// Whether the file holds the font's program; another font stands in otherwise, whose glyphs say nothing.
    is_embedded: bool,
    /// Whether the file states the widths of a composite font's glyphs; they may all be a default otherwise, with every
    /// glyph moved back to where its neighbour ends.
    has_widths: bool,
    /// The names that a simple font gives to its codes.
    names: OnceCell<NumberedNames>,
    /// The encoding to character identifiers, and from there to text, of fonts with a predefined character collection.
    cid_to_text: OnceCell<Option<(CMap, CMap)>>,
    dict: Dict<'a>,
    pub style: u16,
    /// The same where text is not painted: what a picture's letters are drawn in says nothing of the font.
    pub unseen_style: u16,
    simple_codes: RefCell<Vec<Option<Code>>>,
    composite_codes: RefCell<FxHashMap<(u32, u8), Code>>,
    glyph_to_char: OnceCell<FxHashMap<u32, Box<str>>>,
}

/// What a character code means.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    /// Its text; shared, since a page shows the same few codes over and over.
    pub text: Rc<str>,
    /// In thousandths of the font size.
    pub advance: f32,
    /// How wide the glyph is, where that is not the advance.
    pub width: Option<f32>,
    pub is_known: bool,
    /// Whether only the place of the glyph in its font told the text.
    pub is_guess: bool,
}

impl<'a> Font<'a> {
    /// The code at `offset` and how many bytes it takes, at least one.
    pub(crate) fn read_code(&self, bytes: &[u8], offset: usize) -> (u32, usize) {
        match &self.program {
            Some(font) if self.is_composite => {
                let (code, n_bytes) = font.read_code(bytes, offset);
                (code, n_bytes.max(1))
            }
            _ => {
                let first = bytes.get(offset).copied().unwrap_or_default();
                // A composite font that cannot be loaded most likely has the codes of two bytes that nearly all have.
                let is_pair = self.is_composite || self.legacy.is_some() && first >= 0x81;
                match bytes.get(offset + 1) {
                    Some(second) if is_pair => (u32::from(u16::from_be_bytes([first, *second])), 2),
                    _ => (first.into(), 1),
                }
            }
        }
    }

    pub(crate) fn code(&self, code: u32, n_bytes: usize) -> Code {
        if !self.is_composite {
            let mut codes = self.simple_codes.borrow_mut();
            if codes.is_empty() {
                codes.resize(256, None);
            }
            if let Some(slot) = codes.get_mut(code as usize) {
                return slot.get_or_insert_with(|| self.decode(code, n_bytes)).clone();
            }
        }
        let mut codes = self.composite_codes.borrow_mut();
        codes.entry((code, n_bytes as u8)).or_insert_with(|| self.decode(code, n_bytes)).clone()
    }

    fn decode(&self, code: u32, n_bytes: usize) -> Code {
        if let Some(legacy) = self.legacy {
            return legacy_code(legacy, code, n_bytes);
        }
        let stated = self.text_of(code, n_bytes);
        let is_guess = stated.is_none();
        let text = stated.or_else(|| self.guess(code));
        let advance = match &self.program {
            Some(font) => {
                let advance = font.code_advance(code);
                (if self.is_horizontal { advance.x } else { advance.y }) as f32
            }
            None => 500.0,
        };
        Code {
            is_known: text.is_some(),
            is_guess: is_guess && text.is_some(),
            text: text.unwrap_or_default().into(),
            advance: if advance.is_finite() { advance } else { 0.0 },
            width: if self.has_widths { None } else { self.program_width(code) },
        }
    }

    fn collection(&self) -> Option<&(CMap, CMap)> {
        let load = || if self.is_composite { cid_to_text(&self.dict) } else { None };
        self.cid_to_text.get_or_init(load).as_ref()
    }

    /// The sources of meaning, best first.
    fn text_of(&self, code: u32, n_bytes: usize) -> Option<String> {
        let usable = |text: String| Some(plain(&text)).filter(|text| !text.is_empty());
        let mapped =
            self.to_unicode.as_ref().filter(|_| !self.has_wrong_mapping).and_then(|map| map.text(code));
        // A mapping to nothing or to a zero-width character is a meaning: the glyph says nothing, and should.
        let is_silent = |text: &str| {
            let is_silent = |c| matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}');
            text.chars().all(is_silent)
        };
        if mapped.as_deref().is_some_and(is_silent) {
            return Some(String::new());
        }
        if let Some(text) = mapped.and_then(usable) {
            return Some(text);
        }
        let Some(font) = &self.program else {
            return if self.is_composite { None } else { ascii(code).or_else(|| windows(code)) };
        };
        let glyph_id = font.map_code(code);
        let glyph = font.glyph(glyph_id, code);
        if self.is_windows {
            let is_plain = |text: &String| !text.starts_with(is_private);
            let of_program = self.char_of_glyph(&glyph, glyph_id.to_u32()).filter(is_plain);
            return of_program.and_then(usable).or_else(|| ascii(code)).or_else(|| windows(code));
        }
        let stated = match &glyph {
            _ if self.has_wrong_mapping => None,
            FontGlyph::Outline(outline) => outline.as_unicode(),
            FontGlyph::Type3(type3) => type3.as_unicode(),
        };
        let by_collection = || {
            let (encoding, to_text) = self.collection()?;
            let cid = encoding.lookup_cid_code(code, n_bytes as u8)?;
            to_text.lookup_bf_string(cid)
        };
        stated
            .map(string)
            .and_then(usable)
            .or_else(|| by_collection().map(string).and_then(usable))
            .or_else(|| self.char_of_glyph(&glyph, glyph_id.to_u32()).and_then(usable))
            .or_else(|| self.by_numbered_name(code, &glyph).and_then(usable))
            .or_else(|| {
                self.states_identity()
                    .then(|| char::from_u32(code).map(String::from))
                    .flatten()
                    .and_then(usable)
            })
            .or_else(|| if self.is_composite { None } else { ascii(code) })
    }

    /// What the font program itself maps to the glyph.
    fn char_of_glyph(&self, glyph: &FontGlyph<'_>, id: u32) -> Option<String> {
        let FontGlyph::Outline(outline) = glyph else { return None };
        if !self.is_embedded || id == 0 {
            return None;
        }
        let chars = self
            .glyph_to_char
            .get_or_init(|| outline.font_data().map(|data| chars_of_glyphs(data.data)).unwrap_or_default());
        chars.get(&id).map(|text| text.to_string())
    }

    /// The width that the font program itself has for the glyph, in thousandths of the font size.
    fn program_width(&self, code: u32) -> Option<f32> {
        let font = self.program.as_ref().filter(|_| self.is_embedded && self.is_horizontal)?;
        let glyph_id = font.map_code(code);
        let FontGlyph::Outline(outline) = font.glyph(glyph_id, code) else { return None };
        let program = skrifa::Font::new(outline.font_data()?.data, 0)?;
        let advance = program.glyph_metrics().h_advance(skrifa::GlyphId::new(glyph_id.to_u32()));
        let width = advance * 1000.0 / f32::from(program.units_per_em().max(1));
        (width.is_finite() && width > 0.0).then_some(width)
    }

    /// What the number in a glyph's made-up name stands for.
    fn by_numbered_name(&self, code: u32, glyph: &FontGlyph<'_>) -> Option<String> {
        if self.is_composite {
            return None;
        }
        let code = u8::try_from(code).ok()?;
        let names = self.names.get_or_init(|| numbered_names(&self.dict));
        let of_char = || names.chars.get(&code).map(char::to_string);
        of_char().or_else(|| self.char_of_glyph(glyph, *names.glyphs.get(&code)?))
    }

    /// Whether the font says, by the name of a mapping, that its codes are UTF-16.
    fn states_identity(&self) -> bool {
        let name = self.dict.get::<Name<'_>>(b"ToUnicode");
        self.is_composite && name.is_some_and(|name| matches!(name.as_ref(), b"Identity-H" | b"Identity-V"))
    }

    /// The order of the Macintosh glyph set, which many TrueType fonts without a mapping of their own keep to. Others
    /// number their glyphs anew, so what comes of it is to be looked at before it is believed.
    fn guess(&self, code: u32) -> Option<String> {
        let is_mapless = self.is_composite
            && self.program.is_some()
            && self.glyph_to_char.get().is_none_or(FxHashMap::is_empty)
            && self.collection().is_none();
        (is_mapless && (3..=97).contains(&code)).then(|| ascii(code + 29)).flatten()
    }
}

/// A code of a legacy encoding: two bytes stand for a square character, one for half of it.
fn legacy_code(encoding: &'static Encoding, code: u32, n_bytes: usize) -> Code {
    let bytes = code.to_be_bytes();
    let (text, _, has_errors) = encoding.decode(&bytes[4 - n_bytes.clamp(1, 4)..]);
    let text = plain(&text);
    Code {
        is_known: !has_errors && !text.is_empty(),
        text: text.into(),
        advance: 500.0 * n_bytes as f32,
        width: None,
        is_guess: false,
    }
}

fn has_widths(dict: &Dict<'_>) -> bool {
    let fonts = dict.get::<Array<'_>>(b"DescendantFonts");
    let descendant = fonts.and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    descendant.is_none_or(|descendant| descendant.contains_key(b"W"))
}

fn is_embedded(dict: &Dict<'_>) -> bool {
    let descendant =
        dict.get::<Array<'_>>(b"DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let descriptor =
        descendant.as_ref().unwrap_or(dict).get::<Dict<'_>>(b"FontDescriptor").unwrap_or_default();
    [b"FontFile".as_slice(), b"FontFile2", b"FontFile3"].iter().any(|key| descriptor.contains_key(key))
}

/// Old producers of China, Japan and Korea wrote simple fonts that are not embedded, have no mapping, and are used with the
/// system's own encoding. Only the name tells.
fn legacy_encoding(dict: &Dict<'_>) -> Option<&'static Encoding> {
    let subtype = dict.get::<Name<'_>>(b"Subtype")?;
    if is_embedded(dict) || dict.contains_key(b"ToUnicode") || subtype.as_ref() == b"Type3" {
        return None;
    }
    let name = dict.get::<Name<'_>>(b"BaseFont")?;
    let name: &[u8] = name.as_ref();
    let has = |words: &[&[u8]]| words.iter().any(|word| name.windows(word.len()).any(|part| part == *word));
    if has(&[b"MS-Gothic", b"MS-Mincho", b"MS-PGothic", b"MS-PMincho", b"Ryumin", b"GothicBBB"]) {
        return Some(SHIFT_JIS);
    }
    if has(&[b"GB2312", b"SimSun", b"SimHei", b"KaiTi", b"FangSong", b"STSong"]) {
        return Some(GBK);
    }
    if has(&[b"MingLiU", b"MSung", b"MHei"]) {
        return Some(BIG5);
    }
    if has(&[b"Batang", b"Gulim", b"Dotum", b"HYSMyeongJo", b"HYGoThic"]) {
        return Some(EUC_KR);
    }
    let n_high = name.iter().filter(|byte| **byte >= 0x80).count();
    if n_high < 4 || std::str::from_utf8(name).is_ok() {
        return None;
    }
    // A name in the encoding itself: the same bytes may be sound in several, but only one says what fonts are called.
    let families: [(&'static Encoding, &[&str]); 4] = [
        (GBK, &["宋", "黑", "楷", "仿", "圆", "体"]),
        (SHIFT_JIS, &["明朝", "ゴシック", "教科書", "楷書", "行書"]),
        (BIG5, &["明體", "楷體", "黑體", "宋體"]),
        (EUC_KR, &["바탕", "굴림", "돋움", "궁서", "명조", "고딕"]),
    ];
    let says = |(encoding, words): &(&'static Encoding, &[&str])| {
        let (name, _, has_errors) = encoding.decode(name);
        !has_errors && words.iter().any(|word| name.contains(word))
    };
    let known = families.iter().find(|family| says(family)).map(|(encoding, _)| *encoding);
    known.or_else(|| [GBK, SHIFT_JIS].into_iter().find(|encoding| !encoding.decode(name).2))
}

/// Whether nothing tells what the codes of a simple font mean: no encoding and no mapping.
fn is_silent_on_codes(dict: &Dict<'_>) -> bool {
    !dict.contains_key(b"ToUnicode") && !dict.contains_key(b"Encoding")
}

/// A code above ASCII as Windows has it. The standard wants its own encoding here, but the producers that say nothing
/// are those of Windows, and other readers follow them.
fn windows(code: u32) -> Option<String> {
    let byte = u8::try_from(code).ok()?;
    let (text, ..) = WINDOWS_1252.decode(std::slice::from_ref(&byte));
    Some(plain(&text)).filter(|text| !text.is_empty())
}

/// The height of the letters of a Type 3 font, which may be drawn in any unit: what its matrix does not tell is taken
/// from the widths, a letter being about half as wide as the font is high.
fn type3_em(dict: &Dict<'_>) -> f64 {
    let matrix = dict.get::<Array<'_>>(b"FontMatrix");
    let scale = matrix.and_then(|matrix| matrix.flex_iter().next::<f64>()).unwrap_or(0.001).abs();
    let widths = dict.get::<Array<'_>>(b"Widths");
    let widths = widths.iter().flat_map(|widths| widths.iter::<f64>()).filter(|width| *width > 0.0);
    let (n, sum) = widths.take(256).fold((0.0, 0.0), |(n, sum), width| (n + 1.0, sum + width));
    let mean = sum / n * scale;
    if !mean.is_normal() || (0.25..=1.0).contains(&mean) { 1.0 } else { 2.0 * mean }
}

fn string(text: BfString) -> String {
    match text {
        BfString::Char(c) => c.to_string(),
        BfString::String(text) => text,
    }
}

fn ascii(code: u32) -> Option<String> {
    (0x20..0x7f).contains(&code).then(|| char::from_u32(code)).flatten().map(|c| c.to_string())
}

/// What the font program itself says of its glyphs: the characters it maps to them, turned around, and their names.
fn chars_of_glyphs(data: FontData) -> FxHashMap<u32, Box<str>> {
    const MAX_CHARS: usize = 1 << 17;
    let mut chars: FxHashMap<u32, Box<str>> = FxHashMap::default();
    let Some(font) = skrifa::Font::new(data, 0) else { return chars };
    for (code, glyph) in font.charmap().unicodes().take(MAX_CHARS) {
        let Some(c) = char::from_u32(code) else { continue };
        let slot = chars.entry(glyph.to_u32()).or_insert_with(|| String::from(c).into());
        // The private character is only the better answer where there is no other.
        if !is_private(c) && slot.starts_with(is_private) {
            *slot = String::from(c).into();
        }
    }
    for (glyph, name) in font.glyph_names().take(MAX_CHARS).filter(|(_, name)| !name.is_synthesized()) {
        let text: String = agl::name_to_chars(name.as_str()).collect();
        if !text.is_empty() && chars.get(&glyph.to_u32()).is_none_or(|known| known.starts_with(is_private)) {
            chars.insert(glyph.to_u32(), text.into());
        }
    }
    chars
}

fn is_private(c: char) -> bool {
    ('\u{e000}'..='\u{f8ff}').contains(&c)
}

/// The mapping that the font states, as far as it can be read and is not beyond measure.
fn to_unicode(dict: &Dict<'_>) -> Option<ToUnicode> {
    let decoded = decode(&stream(dict, b"ToUnicode")?, MAX_MAPPING_BYTES)?;
    ToUnicode::parse(&decoded.data)
}

/// The two mappings that lead from the codes of a font with a predefined character collection to text.
fn cid_to_text(dict: &Dict<'_>) -> Option<(CMap, CMap)> {
    let encoding = dict.get::<Name<'_>>(b"Encoding")?;
    let descendant = dict.get::<Array<'_>>(b"DescendantFonts")?.iter::<Dict<'_>>().next()?;
    let system = descendant.get::<Dict<'_>>(b"CIDSystemInfo")?;
    let registry = system.get::<PdfString<'_>>(b"Registry")?;
    let ordering = system.get::<PdfString<'_>>(b"Ordering")?;
    let family = CidFamily::from_registry_ordering(registry.as_bytes(), ordering.as_bytes());
    let to_text = load_cmap(family.ucs2_cmap()?)?;
    let encoding = match encoding.as_ref() {
        b"Identity-H" => CMap::identity_h(),
        b"Identity-V" => CMap::identity_v(),
        name => load_cmap(CMapName::from_bytes(name))?,
    };
    Some((encoding, to_text))
}

fn load_cmap(name: CMapName<'_>) -> Option<CMap> {
    CMap::parse(hayro_cmap::load_embedded(name)?, hayro_cmap::load_embedded)
}

/// Whether none of the streams a font is made of expands without measure.
fn has_bounded_streams(dict: &Dict<'_>) -> bool {
    let descendant =
        dict.get::<Array<'_>>(b"DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let dicts = [Some(dict.clone()), descendant];
    dicts.iter().flatten().all(|dict| {
        let descriptor = dict.get::<Dict<'_>>(b"FontDescriptor").unwrap_or_default();
        let own = [b"ToUnicode".as_slice(), b"CIDToGIDMap", b"Encoding"].map(|key| stream(dict, key));
        let programs =
            [b"FontFile".as_slice(), b"FontFile2", b"FontFile3"].map(|key| stream(&descriptor, key));
        own.iter().flatten().all(|stream| is_bounded(stream, MAX_MAPPING_BYTES))
            && programs.iter().flatten().all(|stream| is_bounded(stream, MAX_PROGRAM_BYTES))
    })
}

/// Whether the widths of a composite font speak of no more glyphs than a font can have: a range such as
/// `0 2147483647 500` becomes an entry for each of its numbers when the font is loaded.
fn has_bounded_widths(dict: &Dict<'_>) -> bool {
    let fonts = dict.get::<Array<'_>>(b"DescendantFonts");
    let Some(descendant) = fonts.and_then(|fonts| fonts.iter::<Dict<'_>>().next()) else { return true };
    // A range is followed by one width, or by three numbers where writing is vertical.
    let all = [(b"W".as_slice(), 1), (b"W2".as_slice(), 3)];
    all.into_iter().all(|(key, n_values)| match descendant.get::<Array<'_>>(key) {
        Some(widths) => n_glyphs_in_ranges(&widths, n_values) <= MAX_GLYPHS_IN_RANGES,
        None => true,
    })
}

/// How many glyphs the ranges of a `W` or `W2` array name; a range is two numbers and `n_values` more.
fn n_glyphs_in_ranges(widths: &Array<'_>, n_values: usize) -> u64 {
    let mut n_glyphs: u64 = 0;
    let mut first = None;
    let mut objects = widths.iter::<Object<'_>>();
    while let Some(object) = objects.next() {
        match (object, first.take()) {
            (Object::Number(number), None) => first = Some(number.as_f64()),
            (Object::Number(last), Some(first)) => {
                n_glyphs = n_glyphs.saturating_add((last.as_f64() - first + 1.0).max(0.0) as u64);
                for _ in 0..n_values {
                    objects.next();
                }
            }
            _ => {}
        }
    }
    n_glyphs
}

fn stream<'a>(dict: &Dict<'a>, key: &[u8]) -> Option<Stream<'a>> {
    match dict.get::<Object<'_>>(key)? {
        Object::Stream(stream) => Some(stream),
        _ => None,
    }
}

/// Bold, italic and monospace, from the descriptor and from the words that font names use.
fn style_of(dict: &Dict<'_>) -> Style {
    let descendant =
        dict.get::<Array<'_>>(b"DescendantFonts").and_then(|fonts| fonts.iter::<Dict<'_>>().next());
    let descriptor =
        descendant.as_ref().unwrap_or(dict).get::<Dict<'_>>(b"FontDescriptor").unwrap_or_default();
    let name = dict.get::<Name<'_>>(b"BaseFont").map(|name| name.as_str().to_lowercase()).unwrap_or_default();
    let name = name.split_once('+').map_or(name.as_str(), |(_, rest)| rest);
    let flags = descriptor.get::<i32>(b"Flags").unwrap_or(0);
    let weight = descriptor.get::<f32>(b"FontWeight").unwrap_or(400.0);
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    // TeX names its fonts by a few letters: cmbx is Computer Modern bold extended, cmtt its typewriter face.
    let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word));
    Style {
        is_bold: weight >= 600.0
            || flags & (1 << 18) != 0
            || has(&["bold", "black", "heavy", "-semib", "demi", "-medi"])
            || begins(&["cmbx", "cmssbx", "sfbx", "sfsx", "ecbx", "lmbx", "cmb1"]),
        is_italic: has(&["italic", "oblique", "slanted"])
            || begins(&["cmti", "cmsl", "sfti", "sfsl", "ecti"]),
        is_monospace: has(&["courier", "mono", "consol", "typewriter", "menlo", "lucidacon"])
            || begins(&["cmtt", "sftt", "ectt", "lmtt", "cmitt", "cmsltt", "nimbusmon", "txtt"])
            || flags & 1 != 0 && !has(&["song", "gothic", "mincho", "hei", "ming"]),
    }
}
