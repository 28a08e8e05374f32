//! The smallest font programs that say something of their glyphs. The glyphs themselves are empty.

/// A mapping of a TrueType font: platform, encoding, and the glyphs of its codes, which ascend.
pub(crate) type Mapping<'m> = (u16, u16, &'m [(u16, u16)]);

/// A TrueType font with these mappings, and with names for its glyphs from the second on.
pub(crate) fn true_type(mappings: &[Mapping<'_>], names: &[&str]) -> Vec<u8> {
    let last =
        mappings.iter().flat_map(|(_, _, codes)| codes.iter().map(|(_, glyph)| *glyph)).max().unwrap_or(0);
    let n_glyphs = (last + 1).max(names.len() as u16 + 1);
    let mut head = [0x0001_0000_u32, 0x0001_0000, 0, 0x5f0f_3cf5].map(u32::to_be_bytes).concat();
    head.extend(words(&[0, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 1000, 0, 8, 2, 0, 0]));
    let mut hhea = words(&[1, 0, 800, 0xff38, 0, 1000]);
    hhea.extend(words(&[0; 11]));
    hhea.extend(words(&[1]));
    let mut maxp = words(&[1, 0, n_glyphs]);
    maxp.extend(words(&[0; 13]));
    let mut hmtx = words(&[500, 0]);
    hmtx.extend(words(&vec![0; usize::from(n_glyphs) - 1]));
    let loca = words(&vec![0; usize::from(n_glyphs) + 1]);
    let tables: [(&[u8; 4], Vec<u8>); 8] = [
        (b"cmap", cmap(mappings)),
        (b"glyf", vec![0; 4]),
        (b"head", head),
        (b"hhea", hhea),
        (b"hmtx", hmtx),
        (b"loca", loca),
        (b"maxp", maxp),
        (b"post", post(names, n_glyphs)),
    ];
    let mut font = words(&[1, 0, tables.len() as u16, 128, 3, 0]);
    let mut at = font.len() + tables.len() * 16;
    for (tag, table) in &tables {
        font.extend_from_slice(*tag);
        font.extend([0, at as u32, table.len() as u32].map(u32::to_be_bytes).concat());
        at += table.len().next_multiple_of(4);
    }
    for (_, mut table) in tables {
        table.resize(table.len().next_multiple_of(4), 0);
        font.extend(table);
    }
    font
}

/// Format 6 for the Macintosh, format 4 for all others.
fn cmap(mappings: &[Mapping<'_>]) -> Vec<u8> {
    let mut table = words(&[0, mappings.len() as u16]);
    let mut bodies: Vec<u8> = Vec::new();
    let header = 4 + mappings.len() * 8;
    for (platform, encoding, codes) in mappings {
        table.extend(words(&[*platform, *encoding, 0, (header + bodies.len()) as u16]));
        let body = if *platform == 1 { trimmed(codes) } else { segments(codes) };
        bodies.extend(body);
    }
    table.extend(bodies);
    table
}

fn trimmed(codes: &[(u16, u16)]) -> Vec<u8> {
    let first = codes.first().map_or(0, |(code, _)| *code);
    let last = codes.last().map_or(0, |(code, _)| *code);
    let glyph = |code| codes.iter().find(|(known, _)| *known == code).map_or(0, |(_, glyph)| *glyph);
    let glyphs: Vec<u16> = (first..=last).map(glyph).collect();
    let mut body = words(&[6, 10 + 2 * glyphs.len() as u16, 0, first, glyphs.len() as u16]);
    body.extend(words(&glyphs));
    body
}

/// One segment a code, and the last that the format wants.
fn segments(codes: &[(u16, u16)]) -> Vec<u8> {
    let n = codes.len() as u16 + 1;
    let all: Vec<(u16, u16)> = codes.iter().copied().chain([(0xffff, 0)]).collect();
    let mut body = words(&[4, 16 + 8 * n, 0, 2 * n, 0, 0, 0]);
    body.extend(words(&all.iter().map(|(code, _)| *code).collect::<Vec<_>>()));
    body.extend(words(&[0]));
    body.extend(words(&all.iter().map(|(code, _)| *code).collect::<Vec<_>>()));
    body.extend(words(&all.iter().map(|(code, glyph)| glyph.wrapping_sub(*code)).collect::<Vec<_>>()));
    body.extend(words(&vec![0; all.len()]));
    body
}

/// Format 2, or format 3 where there are no names.
fn post(names: &[&str], n_glyphs: u16) -> Vec<u8> {
    const N_MACINTOSH_NAMES: u16 = 258;
    let format: u16 = if names.is_empty() { 3 } else { 2 };
    let mut table = words(&[format, 0]);
    table.extend([0; 28]);
    if names.is_empty() {
        return table;
    }
    table.extend(words(&[n_glyphs, 0]));
    table.extend(words(&(0..n_glyphs - 1).map(|idx| N_MACINTOSH_NAMES + idx).collect::<Vec<_>>()));
    for name in names {
        table.push(name.len() as u8);
        table.extend_from_slice(name.as_bytes());
    }
    table
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A bare CFF font whose glyphs have these names, its codes counting from 65 on.
pub(crate) fn cff(names: &[&str]) -> Vec<u8> {
    // Custom strings begin at 391.
    let charset: Vec<u8> =
        std::iter::once(0).chain((0..names.len()).flat_map(|idx| (391 + idx as u16).to_be_bytes())).collect();
    let encoding: Vec<u8> = [0, names.len() as u8].into_iter().chain((65..).take(names.len())).collect();
    let charstrings = index(&vec![b"\x0e".as_slice(); names.len() + 1]);
    let strings = index(&names.iter().map(|name| name.as_bytes()).collect::<Vec<_>>());
    let number = |value: usize| {
        let bytes = (value as u32).to_be_bytes();
        [&[29_u8], bytes.as_slice()].concat()
    };
    // The places stand in the dictionary, whose length does not depend on them.
    let top = |at: [usize; 4]| {
        let [charset, encoding, charstrings, private] = at.map(number);
        let dict = [
            [charset, vec![15]].concat(),
            [encoding, vec![16]].concat(),
            [charstrings, vec![17]].concat(),
            [number(0), private, vec![18]].concat(),
        ]
        .concat();
        index(&[dict.as_slice()])
    };
    let before = [[1, 0, 4, 4].as_slice(), &index(&[b"Tiny"])].concat();
    let after = [strings, index(&[])].concat();
    let start = before.len() + top([0; 4]).len() + after.len();
    let at_encoding = start + charset.len();
    let at_charstrings = at_encoding + encoding.len();
    let at_end = at_charstrings + charstrings.len();
    let top = top([start, at_encoding, at_charstrings, at_end]);
    [before, top, after, charset, encoding, charstrings].concat()
}

fn index(items: &[&[u8]]) -> Vec<u8> {
    let mut index = (items.len() as u16).to_be_bytes().to_vec();
    if items.is_empty() {
        return index;
    }
    index.push(2);
    let mut at: u16 = 1;
    index.extend(at.to_be_bytes());
    for item in items {
        at += item.len() as u16;
        index.extend(at.to_be_bytes());
    }
    index.extend(items.concat());
    index
}
