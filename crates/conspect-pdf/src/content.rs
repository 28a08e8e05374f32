//! The interpreter: what a page's content stream draws, as glyphs and rules.
//!
//! Only text and straight lines matter here. Colours, shadings and pictures are passed over (pictures are counted).

use std::rc::Rc;

use conspect_model::{Limits, Rect, StopToken};
use hayro_font::kurbo::{Affine, Point, Vec2};
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream, String as PdfString};
use hayro_syntax::page::{Page, Resources};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::faults::behind_fault;
use crate::filters::decode;
use crate::font::{Font, Fonts};
use crate::glyph::{Glyph, NO_TAG, PageContent, Rule, Tag};
use crate::layers::Layers;
use crate::text_string::text_string;
use crate::{annotations, unicode};

/// Forms may show forms; real files stay below ten.
const MAX_FORM_DEPTH: usize = 16;
/// Operators of one page, forms included. The densest maps have some millions.
const MAX_OPERATORS: u64 = 10_000_000;
/// What showing a form costs besides its operators, counted in operators.
const FORM_COST: u64 = 200;
const MAX_GLYPHS: usize = 2_000_000;
const MAX_RULES: usize = 20_000;
const MAX_SAVED_STATES: usize = 512;
/// Marked sequences that are open at once; those inside are as good as absent.
const MAX_MARKED: usize = 4096;
const END_OF_CONTENT: &[u8] = b"end-of-content";
/// Places in one content stream where what stands there is passed over.
const MAX_FAULTS: u64 = 200;
/// What may be passed over without a word.
const MAX_STRAY_BYTES: usize = 16;
/// Marked content of one page that the structure tree is asked about.
const MAX_TAGS: usize = 200_000;
/// Decoded bytes of content streams that are held at once: the page's and those of the forms open in it.
const MAX_CONTENT_BYTES: u64 = 64 << 20;
/// How far a line may be out of true, in points, and still count as horizontal or vertical.
const STRAIGHT: f64 = 0.6;

/// What the file's pages have in common.
pub(crate) struct Interpreter<'a, 'l> {
    pub fonts: Fonts<'a>,
    pub layers: Layers,
    pub limits: &'l Limits,
}

impl<'a> Interpreter<'a, '_> {
    /// Everything the page and its annotations show.
    pub(crate) fn page(&mut self, page: &Page<'a>) -> PageContent {
        let mut run = Run {
            fonts: &mut self.fonts,
            layers: &self.layers,
            stop: &self.limits.stop,
            max_bytes: self.limits.max_part_bytes.min(MAX_CONTENT_BYTES),
            content: PageContent::default(),
            n_held_bytes: 0,
            n_operators: 0,
            active_forms: Vec::new(),
            marked: Vec::new(),
            holder: page.raw().get::<i32>(b"StructParents"),
            is_start: true,
            n_hidden: 0,
            n_furniture: 0,
            guessed: Vec::new(),
        };
        let [a, b, c, d, e, f] = page.initial_transform(false).as_coeffs();
        let to_page = Affine::new([a, b, c, d, e, f]);
        let data = run.page_data(page);
        run.stream(&data, page.resources(), State::new(to_page));
        let (annotations, has_hidden) = annotations::shown(page, run.layers);
        run.content.has_hidden |= has_hidden;
        for shown in annotations {
            run.annotation(&shown, page.resources(), to_page);
        }
        run.judge_guesses();
        run.content
    }
}

/// The interpretation of one page.
struct Run<'a, 'r> {
    fonts: &'r mut Fonts<'a>,
    layers: &'r Layers,
    stop: &'r StopToken,
    max_bytes: u64,
    content: PageContent,
    /// Decoded bytes of the streams being interpreted.
    n_held_bytes: u64,
    n_operators: u64,
    active_forms: Vec<ObjectIdentifier>,
    marked: Vec<Marked>,
    /// The entry of the page or form being interpreted in the structure's parent tree.
    holder: Option<i32>,
    /// Whether the next glyph is the first at a position set anew.
    is_start: bool,
    /// How many of the open marked-content sequences are hidden.
    n_hidden: usize,
    /// How many of them are running headers or footers.
    n_furniture: usize,
    /// Where in the text the characters stand that are only a guess.
    guessed: Vec<u32>,
}

/// An open marked-content sequence.
struct Marked {
    is_hidden: bool,
    is_furniture: bool,
    actual_text: Option<ActualText>,
    /// Index into the page's tags.
    tag: u32,
}

/// What to say instead of what a marked sequence draws.
struct ActualText {
    text: String,
    /// The first of the glyphs that it stands for.
    start: usize,
    /// Where the sequence drew anything but glyphs.
    drawn: Option<Extent>,
}

#[derive(Clone)]
struct State<'a> {
    to_page: Affine,
    font: Option<Rc<Font<'a>>>,
    size: f64,
    char_spacing: f64,
    word_spacing: f64,
    scale: f64,
    leading: f64,
    rise: f64,
    /// Whether text is not painted, as that which was recognized in a picture.
    is_unseen: bool,
}

impl State<'_> {
    fn new(to_page: Affine) -> Self {
        State {
            to_page,
            font: None,
            size: 1.0,
            char_spacing: 0.0,
            word_spacing: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
            is_unseen: false,
        }
    }
}

impl<'a> Run<'a, '_> {
    /// The page's content streams as one, since operators may begin in one and end in the next.
    fn page_data(&mut self, page: &Page<'a>) -> Vec<u8> {
        let streams: Vec<Stream<'_>> = match page.raw().get::<Object<'_>>(b"Contents") {
            Some(Object::Stream(stream)) => vec![stream],
            Some(Object::Array(array)) => array.iter::<Stream<'_>>().collect(),
            _ => Vec::new(),
        };
        let mut data = Vec::new();
        for stream in &streams {
            match decode(stream, self.max_bytes.saturating_sub(data.len() as u64)) {
                Some(decoded) => {
                    self.content.is_damaged |= decoded.is_damaged;
                    if decoded.is_cut {
                        self.content.cut_short = Some("its content expands over the limit");
                    }
                    if data.is_empty() {
                        data = decoded.data.into_owned();
                    } else {
                        data.extend_from_slice(&decoded.data);
                    }
                    data.push(b' ');
                }
                None => self.content.is_damaged = true,
            }
        }
        self.n_held_bytes = data.len() as u64;
        push_end(&mut data);
        data
    }

    fn annotation(&mut self, shown: &annotations::Shown<'a>, resources: &Resources<'a>, to_page: Affine) {
        match shown {
            annotations::Shown::Appearance { stream, rect, value } => {
                let matrix = matrix_of(stream.dict());
                let placed = annotations::placement(stream.dict(), matrix, *rect);
                let start = self.content.glyphs.len();
                self.form(stream, resources, &State::new(to_page * placed));
                // The same letters in another order: the drawing shows them from right to left.
                if let Some(value) = value
                    && letters(value) == letters(&self.shown_from(start))
                {
                    self.replace_glyphs(start, value);
                }
            }
            annotations::Shown::Text { text, rect } => {
                let size = (rect[3] - rect[1]).clamp(4.0, 12.0);
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                for (line_idx, line) in lines.enumerate() {
                    let start = Point::new(rect[0], rect[3] - size * (line_idx + 1) as f64);
                    let end = start + Vec2::new(size * 0.5 * line.chars().count() as f64, 0.0);
                    self.push(to_page * start, to_page * end, size, line, 0);
                }
            }
        }
    }

    fn stream(&mut self, data: &[u8], resources: &Resources<'a>, mut state: State<'a>) {
        use TypedInstruction as Op;
        let mut saved: Vec<State<'a>> = Vec::new();
        let mut text = Affine::IDENTITY;
        let mut line = Affine::IDENTITY;
        self.is_start = true;
        let mut fonts: FxHashMap<Vec<u8>, Rc<Font<'a>>> = FxHashMap::default();
        let mut path = Path::default();
        let n_marked_before = self.marked.len();
        let mut n_marked_beyond = 0_u64;
        let mut rest = data;
        let (mut n_faults, mut n_faulty_bytes) = (0, 0);
        loop {
            let mut operators = TypedIter::new(rest);
            let (mut n_read, mut is_at_end) = (0, false);
            while let Some(operator) = operators.next() {
                n_read += 1;
                self.n_operators += 1;
                if self.n_operators > MAX_OPERATORS || self.content.glyphs.len() > MAX_GLYPHS {
                    self.content.cut_short = Some("it has more operators than the limit allows");
                    return;
                }
                if self.n_operators.is_multiple_of(1024) && self.stop.is_stopped() {
                    self.content.cut_short = Some("the time given for reading is over");
                    return;
                }
                match operator {
                    Op::SaveState(_) if saved.len() < MAX_SAVED_STATES => saved.push(state.clone()),
                    Op::RestoreState(_) => {
                        if let Some(restored) = saved.pop() {
                            state = restored;
                        }
                    }
                    Op::Transform(m) => {
                        state.to_page *= affine([&m.0, &m.1, &m.2, &m.3, &m.4, &m.5]);
                    }
                    Op::SetGraphicsState(name) => {
                        let font =
                            resources.get_ext_g_state(name.0).and_then(|gs| gs.get::<Array<'_>>(b"Font"));
                        if let Some(font) = font {
                            let mut parts = font.flex_iter();
                            if let (Some(dict), Some(size)) = (parts.next::<Dict<'_>>(), parts.next::<f64>())
                            {
                                state.font = Some(self.fonts.get(&dict));
                                state.size = size;
                            }
                        }
                    }
                    Op::BeginText(_) => {
                        text = Affine::IDENTITY;
                        line = Affine::IDENTITY;
                    }
                    Op::TextFont(set) => {
                        state.size = set.1.as_f64();
                        let name: &[u8] = set.0.as_ref();
                        if let Some(font) = fonts.get(name) {
                            state.font = Some(Rc::clone(font));
                        } else {
                            let font = match resources.get_font(set.0) {
                                Some(dict) => self.fonts.get(&dict),
                                None => self.fonts.substitute(),
                            };
                            fonts.insert(name.to_vec(), Rc::clone(&font));
                            state.font = Some(font);
                        }
                    }
                    Op::CharacterSpacing(set) => state.char_spacing = set.0.as_f64(),
                    Op::WordSpacing(set) => state.word_spacing = set.0.as_f64(),
                    Op::HorizontalScaling(set) => state.scale = set.0.as_f64() / 100.0,
                    Op::TextLeading(set) => state.leading = set.0.as_f64(),
                    Op::TextRenderingMode(set) => state.is_unseen = set.0.as_i64() == 3,
                    Op::TextRise(set) => state.rise = set.0.as_f64(),
                    Op::NextLine(to) => {
                        line *= Affine::translate((to.0.as_f64(), to.1.as_f64()));
                        text = line;
                        self.is_start = true;
                    }
                    Op::NextLineAndSetLeading(to) => {
                        state.leading = -to.1.as_f64();
                        line *= Affine::translate((to.0.as_f64(), to.1.as_f64()));
                        text = line;
                        self.is_start = true;
                    }
                    Op::NextLineUsingLeading(_) => {
                        line *= Affine::translate((0.0, -state.leading));
                        text = line;
                        self.is_start = true;
                    }
                    Op::SetTextMatrix(m) => {
                        line = affine([&m.0, &m.1, &m.2, &m.3, &m.4, &m.5]);
                        text = line;
                        self.is_start = true;
                    }
                    Op::ShowText(show) => self.show(&state, &mut text, show.0.as_bytes()),
                    Op::NextLineAndShowText(show) => {
                        line *= Affine::translate((0.0, -state.leading));
                        text = line;
                        self.is_start = true;
                        self.show(&state, &mut text, show.0.as_bytes());
                    }
                    Op::ShowTextWithParameters(show) => {
                        state.word_spacing = show.0.as_f64();
                        state.char_spacing = show.1.as_f64();
                        line *= Affine::translate((0.0, -state.leading));
                        text = line;
                        self.is_start = true;
                        self.show(&state, &mut text, show.2.as_bytes());
                    }
                    Op::ShowTexts(show) => {
                        let is_horizontal = state.font.as_ref().is_none_or(|font| font.is_horizontal);
                        for part in show.0.iter::<Object<'_>>() {
                            match part {
                                Object::String(bytes) => self.show(&state, &mut text, bytes.as_bytes()),
                                Object::Number(number) => {
                                    let shift = -number.as_f64() / 1000.0 * state.size;
                                    text *= match is_horizontal {
                                        true => Affine::translate((shift * state.scale, 0.0)),
                                        false => Affine::translate((0.0, shift)),
                                    };
                                }
                                _ => {}
                            }
                        }
                    }
                    Op::MoveTo(to) => path.move_to(state.to_page * Point::new(to.0.as_f64(), to.1.as_f64())),
                    Op::LineTo(to) => path.line_to(state.to_page * Point::new(to.0.as_f64(), to.1.as_f64())),
                    Op::CubicTo(to) => path.jump_to(state.to_page * Point::new(to.4.as_f64(), to.5.as_f64())),
                    Op::CubicStartTo(to) => {
                        path.jump_to(state.to_page * Point::new(to.2.as_f64(), to.3.as_f64()))
                    }
                    Op::CubicEndTo(to) => {
                        path.jump_to(state.to_page * Point::new(to.2.as_f64(), to.3.as_f64()))
                    }
                    Op::RectPath(r) => {
                        let (x, y, w, h) = (r.0.as_f64(), r.1.as_f64(), r.2.as_f64(), r.3.as_f64());
                        let corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)];
                        let corners = corners.map(|corner| state.to_page * Point::from(corner));
                        path.rectangle(corners);
                    }
                    Op::ClosePath(_) => path.close(),
                    Op::StrokePath(_)
                    | Op::FillAndStrokeNonZero(_)
                    | Op::FillAndStrokeEvenOdd(_)
                    | Op::FillPathNonZero(_)
                    | Op::FillPathNonZeroCompatibility(_)
                    | Op::FillPathEvenOdd(_) => self.paint(&mut path),
                    Op::CloseAndStrokePath(_)
                    | Op::CloseFillAndStrokeNonZero(_)
                    | Op::CloseFillAndStrokeEvenOdd(_) => {
                        path.close();
                        self.paint(&mut path);
                    }
                    Op::EndPath(_) => path.clear(),
                    Op::BeginMarkedContent(_) | Op::BeginMarkedContentWithProperties(_)
                        if self.marked.len() >= MAX_MARKED =>
                    {
                        n_marked_beyond += 1;
                    }
                    Op::EndMarkedContent(_) if n_marked_beyond > 0 => n_marked_beyond -= 1,
                    Op::BeginMarkedContent(tag) => self.begin_marked(tag.0, None, resources),
                    Op::BeginMarkedContentWithProperties(tag) => {
                        self.begin_marked(tag.0, Some(tag.1), resources);
                    }
                    Op::EndMarkedContent(_) if self.marked.len() > n_marked_before => self.end_marked(),
                    Op::InlineImage(_) if self.n_hidden == 0 => self.content.n_images += 1,
                    Op::Fallback(operator) if **operator == *END_OF_CONTENT => is_at_end = true,
                    Op::XObject(name) => {
                        if let Some(stream) = resources.get_x_object(name.0) {
                            self.x_object(&stream, resources, &state);
                        }
                    }
                    _ => {}
                }
            }
            if is_at_end {
                break;
            }
            let Some((behind, n_bytes)) = behind_fault(rest, n_read) else { break };
            rest = behind;
            n_faults += 1;
            n_faulty_bytes += n_bytes;
            if n_faults > MAX_FAULTS {
                n_faulty_bytes += rest.len();
                break;
            }
        }
        // Single signs that should not be there cost nothing.
        self.content.is_damaged |= n_faulty_bytes > MAX_STRAY_BYTES;
        while self.marked.len() > n_marked_before {
            self.end_marked();
        }
    }

    fn paint(&mut self, path: &mut Path) {
        if self.n_hidden == 0 {
            self.draw(path.extent);
            path.paint(&mut self.content.rules);
        }
        path.clear();
    }

    /// Remembers where something was drawn that a marked sequence says in text.
    fn draw(&mut self, extent: Option<Extent>) {
        let open = self.marked.iter_mut().rev().find_map(|marked| marked.actual_text.as_mut());
        if let (Some(open), Some(extent)) = (open, extent) {
            open.drawn = Some(open.drawn.map_or(extent, |drawn| drawn.with(extent)));
        }
    }

    fn x_object(&mut self, stream: &Stream<'a>, resources: &Resources<'a>, state: &State<'a>) {
        let dict = stream.dict();
        if dict.get::<Dict<'_>>(b"OC").is_some_and(|layer| self.layers.is_hidden(&layer)) {
            self.content.has_hidden = true;
            return;
        }
        match dict.get::<Name<'_>>(b"Subtype").as_deref() {
            Some(b"Image") => {
                if self.n_hidden == 0 {
                    self.content.n_images += 1;
                    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
                    self.draw(Extent::of(&corners.map(|corner| state.to_page * Point::from(corner))));
                    self.tagged_image(state.to_page);
                }
            }
            _ => {
                let mut inner = state.clone();
                inner.to_page *= matrix_of(dict);
                self.form(stream, resources, &inner);
            }
        }
    }

    /// Runs a form's content; the state already holds its matrix.
    fn form(&mut self, stream: &Stream<'a>, resources: &Resources<'a>, state: &State<'a>) {
        let id = stream.obj_id();
        if self.active_forms.len() >= MAX_FORM_DEPTH || self.active_forms.contains(&id) {
            return;
        }
        let room = self.max_bytes.saturating_sub(self.n_held_bytes);
        let Some(decoded) = decode(stream, room) else {
            self.content.is_damaged = true;
            return;
        };
        self.content.is_damaged |= decoded.is_damaged;
        if decoded.is_cut {
            self.content.cut_short = Some("its content expands over the limit");
        }
        // Decoding the same form a million times must count as well.
        self.n_operators += FORM_COST + decoded.data.len() as u64 / 16;
        self.n_held_bytes += decoded.data.len() as u64;
        let mut data = decoded.data.into_owned();
        let n_bytes = data.len() as u64;
        push_end(&mut data);
        self.active_forms.push(id);
        let outer_holder = self.holder;
        // Content numbered in a form counts by the form's own entry; without one, the numbers lead nowhere.
        self.holder = stream.dict().get::<i32>(b"StructParents");
        let n_marked = self.marked.len();
        self.begin_whole(stream.dict());
        match stream.dict().get::<Dict<'_>>(b"Resources") {
            Some(own) => self.stream(&data, &Resources::new(own), state.clone()),
            None => self.stream(&data, resources, state.clone()),
        }
        self.marked.truncate(n_marked);
        self.holder = outer_holder;
        self.active_forms.pop();
        self.n_held_bytes -= n_bytes;
    }

    fn begin_marked(&mut self, tag: &Name<'_>, properties: Option<&Object<'_>>, resources: &Resources<'a>) {
        let named = match properties {
            Some(Object::Name(name)) => resources.properties.get::<Dict<'_>>(name.as_ref()),
            _ => None,
        };
        let inline = match properties {
            Some(Object::Dict(dict)) => Some(dict),
            _ => None,
        };
        let is_hidden =
            tag.as_ref() == b"OC" && named.as_ref().is_some_and(|layer| self.layers.is_hidden(layer));
        let get_name = |key: &[u8]| {
            let of_inline =
                inline.and_then(|dict| dict.get::<Name<'_>>(key)).map(|name| name.as_ref().to_vec());
            of_inline.or_else(|| Some(named.as_ref()?.get::<Name<'_>>(key)?.as_ref().to_vec()))
        };
        let is_furniture =
            tag.as_ref() == b"Artifact" && get_name(b"Type").is_some_and(|kind| kind == b"Pagination");
        let actual_text = inline
            .and_then(|dict| dict.get::<PdfString<'_>>(b"ActualText"))
            .map(|text| text_string(text.as_bytes()))
            .or_else(|| Some(text_string(named.as_ref()?.get::<PdfString<'_>>(b"ActualText")?.as_bytes())))
            .map(|text| ActualText { text, start: self.content.glyphs.len(), drawn: None });
        let mcid = inline
            .and_then(|dict| dict.get::<u32>(b"MCID"))
            .or_else(|| named.as_ref().and_then(|dict| dict.get::<u32>(b"MCID")));
        let tag = match (tag.as_ref(), self.holder, mcid) {
            (b"Artifact", _, _) => self.new_tag(Tag::Artifact),
            (_, Some(holder), Some(mcid)) => self.new_tag(Tag::Content { holder, mcid }),
            _ => self.tag(),
        };
        self.n_hidden += usize::from(is_hidden);
        self.n_furniture += usize::from(is_furniture);
        self.content.has_hidden |= is_hidden;
        self.marked.push(Marked { is_hidden, is_furniture, actual_text, tag });
    }

    /// Marks what a form or annotation draws where the structure tree names it as a whole.
    fn begin_whole(&mut self, dict: &Dict<'_>) {
        if let Some(holder) = dict.get::<i32>(b"StructParent") {
            let tag = self.new_tag(Tag::Whole { holder });
            self.marked.push(Marked { is_hidden: false, is_furniture: false, actual_text: None, tag });
        }
    }

    fn new_tag(&mut self, tag: Tag) -> u32 {
        if self.content.tags.len() >= MAX_TAGS {
            return NO_TAG;
        }
        self.content.tags.push(tag);
        self.content.tags.len() as u32 - 1
    }

    /// The tag of what is shown now.
    fn tag(&self) -> u32 {
        self.marked.last().map_or(NO_TAG, |marked| marked.tag)
    }

    /// Remembers where an image stands whose content is tagged; `to_page` takes the unit square there.
    fn tagged_image(&mut self, to_page: Affine) {
        let tag = self.tag();
        if tag == NO_TAG || self.content.tagged_images.len() >= MAX_TAGS {
            return;
        }
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        let corners = corners.map(|corner| to_page * Point::from(corner));
        let low = |of: fn(&Point) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min) as f32;
        let high = |of: fn(&Point) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max) as f32;
        let rect = Rect { x0: low(|c| c.x), y0: low(|c| c.y), x1: high(|c| c.x), y1: high(|c| c.y) };
        if [rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|c| c.is_finite() && c.abs() < 1e6) {
            self.content.tagged_images.push((tag, rect));
        }
    }

    fn end_marked(&mut self) {
        let Some(ended) = self.marked.pop() else { return };
        self.n_hidden -= usize::from(ended.is_hidden);
        self.n_furniture -= usize::from(ended.is_furniture);
        let Some(actual) = ended.actual_text else { return };
        if self.content.glyphs.len() > actual.start {
            self.replace_glyphs(actual.start, &actual.text);
        } else if let Some(extent) = actual.drawn
            && self.n_hidden == 0
            && !ended.is_hidden
        {
            self.say_drawing(&actual.text, extent);
        }
    }

    /// The text of the glyphs from `start` on.
    fn shown_from(&self, start: usize) -> String {
        let glyphs = self.content.glyphs.get(start..).unwrap_or_default();
        glyphs.iter().filter_map(|glyph| self.content.text.get(glyph.range())).collect()
    }

    /// Puts one glyph with this text in the place of the glyphs from `start` on.
    fn replace_glyphs(&mut self, start: usize, actual_text: &str) {
        let replaced = self.content.glyphs.get(start..).unwrap_or_default();
        let (Some(first), Some(last)) = (replaced.first().cloned(), replaced.last().cloned()) else { return };
        let shown = self.shown_from(start);
        let text = unicode::plain(actual_text);
        // Glyphs that already say so keep their places, which tell words and lines better than one long glyph.
        if shown == text || text.len() > usize::from(u16::MAX) {
            return;
        }
        // A sequence over several lines cannot be told apart into them: only its first line's place is kept.
        let is_one_line = (first.y0 - last.y1).abs() < first.size;
        let n_replaced = replaced.len();
        let is_legible = !shown.contains(char::REPLACEMENT_CHARACTER);
        if !is_one_line && is_legible && text.split_whitespace().count() > 1 && n_replaced > 8 {
            return;
        }
        self.content.n_unknown -=
            shown.matches(char::REPLACEMENT_CHARACTER).count().min(self.content.n_unknown);
        self.content.glyphs.truncate(start);
        let at = self.content.text.len();
        self.content.text.push_str(&text);
        let (x1, y1) = if is_one_line { (last.x1, last.y1) } else { (first.x1, first.y1) };
        self.content.glyphs.push(Glyph { x1, y1, start: at as u32, len: text.len() as u16, ..first });
    }

    /// Text that is drawn, as lines and curves or as a picture, and said in words as well.
    fn say_drawing(&mut self, text: &str, extent: Extent) {
        let text = unicode::plain(text);
        if text.trim().is_empty() {
            return;
        }
        // The place of the baseline is a guess: letters that go below it are as common as not.
        let size = extent.high.y - extent.low.y;
        let start = Point::new(extent.low.x, extent.low.y + 0.2 * size);
        self.is_start = true;
        self.push(start, Point::new(extent.high.x, start.y), size, text.trim(), 0);
        self.is_start = true;
    }

    fn show(&mut self, state: &State<'a>, text: &mut Affine, bytes: &[u8]) {
        let Some(font) = &state.font else {
            self.content.is_damaged |= !bytes.is_empty();
            return;
        };
        self.content.is_damaged |= font.is_substitute && !bytes.is_empty();
        let size_to_page = |text: Affine| {
            state.to_page
                * text
                * Affine::new([state.size * state.scale, 0.0, 0.0, state.size, 0.0, state.rise])
        };
        let style = if state.is_unseen { font.unseen_style } else { font.style };
        let mut offset = 0;
        while offset < bytes.len() {
            let (code, n_bytes) = font.read_code(bytes, offset);
            offset += n_bytes;
            let meaning = font.code(code, n_bytes);
            let advance = f64::from(meaning.advance) / 1000.0;
            let is_blank = code == 32 && n_bytes == 1;
            let spacing = state.char_spacing + if is_blank { state.word_spacing } else { 0.0 };
            if self.n_hidden == 0 {
                let to_page = size_to_page(*text);
                let start = Point::ZERO;
                let end = match font.is_horizontal {
                    true => Point::new(meaning.width.map_or(advance, |width| f64::from(width) / 1000.0), 0.0),
                    false => Point::new(0.0, advance),
                };
                let up = to_page * Point::new(0.0, 1.0) - to_page * Point::ZERO;
                let size = up.hypot() * font.em;
                if meaning.is_known {
                    if meaning.is_guess || font.is_substitute {
                        self.guessed.push(self.content.text.len() as u32);
                    }
                    self.push(to_page * start, to_page * end, size, &meaning.text, style);
                } else {
                    self.content.n_unknown += 1;
                    self.push(to_page * start, to_page * end, size, "\u{fffd}", style);
                }
            }
            *text *= match font.is_horizontal {
                true => Affine::translate(((advance * state.size + spacing) * state.scale, 0.0)),
                false => Affine::translate((0.0, advance * state.size + spacing)),
            };
        }
    }

    /// Takes back what was guessed on the page where it does not look like text.
    fn judge_guesses(&mut self) {
        if self.guessed.is_empty() {
            return;
        }
        let guessed: FxHashSet<u32> = self.guessed.drain(..).collect();
        let content = &mut self.content;
        let is_guessed = |glyph: &Glyph| guessed.contains(&glyph.start);
        let text = |glyph: &Glyph| content.text.get(glyph.range()).unwrap_or_default();
        let all: String = content.glyphs.iter().filter(|glyph| is_guessed(glyph)).map(text).collect();
        if looks_like_text(&all) {
            return;
        }
        let mut kept = String::with_capacity(content.text.len());
        for glyph in &mut content.glyphs {
            let start = kept.len() as u32;
            if is_guessed(glyph) {
                content.n_unknown += 1;
                kept.push(char::REPLACEMENT_CHARACTER);
            } else {
                kept.push_str(content.text.get(glyph.range()).unwrap_or_default());
            }
            glyph.start = start;
            glyph.len = (kept.len() - start as usize) as u16;
        }
        content.text = kept;
    }

    fn push(&mut self, start: Point, end: Point, size: f64, text: &str, style: u16) {
        let coordinates = [start.x, start.y, end.x, end.y, size];
        // A place no page can have would only poison the layout's arithmetic.
        if coordinates.iter().any(|c| !c.is_finite() || c.abs() > 1e6) {
            return;
        }
        let (Ok(at), Ok(len)) = (u32::try_from(self.content.text.len()), u16::try_from(text.len())) else {
            return;
        };
        self.content.text.push_str(text);
        self.content.glyphs.push(Glyph {
            x0: start.x as f32,
            y0: start.y as f32,
            x1: end.x as f32,
            y1: end.y as f32,
            size: size as f32,
            start: at,
            len,
            style,
            is_start: std::mem::take(&mut self.is_start),
            is_furniture: self.n_furniture > 0,
            tag: self.tag(),
        });
    }
}

/// Whether characters of the ASCII set are words or numbers rather than codes that were given out in the order in which
/// characters first came up: those are mostly signs, and their letters spell nothing.
fn looks_like_text(text: &str) -> bool {
    let count = |is: fn(char) -> bool| text.chars().filter(|&c| is(c)).count();
    let n_ink = count(|c| c != ' ');
    let n_letters = count(|c| c.is_ascii_alphabetic());
    let n_vowels = count(|c| matches!(c.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y'));
    let n_plain = n_letters + count(|c| c.is_ascii_digit());
    // Too few letters may be an abbreviation.
    n_plain * 10 >= n_ink * 7 && (n_letters < 12 || n_vowels * 5 >= n_letters)
}

/// The upright rectangle around what is drawn.
#[derive(Clone, Copy)]
struct Extent {
    low: Point,
    high: Point,
}

impl Extent {
    fn of(points: &[Point]) -> Option<Extent> {
        let extents = points.iter().map(|point| Extent { low: *point, high: *point });
        extents.reduce(Extent::with)
    }

    fn with(self, other: Extent) -> Extent {
        Extent {
            low: Point::new(self.low.x.min(other.low.x), self.low.y.min(other.low.y)),
            high: Point::new(self.high.x.max(other.high.x), self.high.y.max(other.high.y)),
        }
    }
}

/// The path under construction, as far as it is made of horizontal and vertical lines.
#[derive(Default)]
struct Path {
    start: Point,
    current: Point,
    lines: Vec<(Point, Point)>,
    extent: Option<Extent>,
}

impl Path {
    fn move_to(&mut self, to: Point) {
        self.start = to;
        self.jump_to(to);
    }

    fn jump_to(&mut self, to: Point) {
        self.current = to;
        let extent = Extent { low: to, high: to };
        self.extent = Some(self.extent.map_or(extent, |known| known.with(extent)));
    }

    fn line_to(&mut self, to: Point) {
        let is_straight =
            (to.x - self.current.x).abs() < STRAIGHT || (to.y - self.current.y).abs() < STRAIGHT;
        if is_straight && self.lines.len() < MAX_RULES {
            self.lines.push((self.current, to));
        }
        self.jump_to(to);
    }

    fn rectangle(&mut self, corners: [Point; 4]) {
        self.move_to(corners[0]);
        for corner in [corners[1], corners[2], corners[3], corners[0]] {
            self.line_to(corner);
        }
    }

    fn close(&mut self) {
        self.line_to(self.start);
    }

    fn clear(&mut self) {
        self.lines.clear();
        self.extent = None;
    }

    /// Filled shapes count like strokes: thin ones are how many producers draw lines, and the edges of larger ones are
    /// those of shaded cells.
    fn paint(&mut self, rules: &mut Vec<Rule>) {
        for (from, to) in self.lines.drain(..) {
            if rules.len() < MAX_RULES {
                rules.extend(rule(from, to));
            }
        }
    }
}

fn rule(from: Point, to: Point) -> Option<Rule> {
    let (dx, dy) = ((to.x - from.x).abs(), (to.y - from.y).abs());
    if !dx.is_finite() || !dy.is_finite() || dx.max(dy) < 4.0 || dx.max(dy) > 1e5 {
        return None;
    }
    Some(if dx >= dy {
        let (from_x, to_x) = (from.x.min(to.x) as f32, from.x.max(to.x) as f32);
        Rule { is_horizontal: true, at: ((from.y + to.y) / 2.0) as f32, from: from_x, to: to_x }
    } else {
        let (from_y, to_y) = (from.y.min(to.y) as f32, from.y.max(to.y) as f32);
        Rule { is_horizontal: false, at: ((from.x + to.x) / 2.0) as f32, from: from_y, to: to_y }
    })
}

/// Marks the end of content, by an operator that no file has: a parser that comes to it has read everything.
fn push_end(data: &mut Vec<u8>) {
    data.push(b'\n');
    data.extend_from_slice(END_OF_CONTENT);
}

/// The characters of a text in alphabetical order, without blanks and without regard to case.
fn letters(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).collect();
    letters.sort_unstable();
    letters
}

fn affine(numbers: [&hayro_syntax::object::Number; 6]) -> Affine {
    Affine::new(numbers.map(|number| number.as_f64()))
}

fn matrix_of(dict: &Dict<'_>) -> Affine {
    Affine::new(dict.get::<[f64; 6]>(b"Matrix").unwrap_or([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]))
}
