//! A page around content of any bytes, for reading content streams alone: what is wrong with a file's frame does not
//! hide what its operators do.
//!
//! The fuzz targets take this file as it stands, without the crate around it.

use conspect_model::Limits;

/// Ceilings that keep one read within some milliseconds and megabytes.
pub fn modest_limits() -> Limits {
    Limits {
        max_part_bytes: 4 << 20,
        max_total_bytes: 16 << 20,
        max_entries: 2_000,
        max_chars: 1 << 20,
        max_cells: 20_000,
        ..Limits::default()
    }
}

/// A file of one page with this content. Its resources are the fonts F1 (simple), F2 (with codes of two bytes and a
/// map to Unicode), F3 (drawn by procedures) and F4 (vertical), the form X1 and the image X2, the graphics state G1
/// with a font in it, the colour space C1, and the properties P1 (a layer) and P2 (with a text to be read instead).
pub fn page_of(content: &[u8]) -> Vec<u8> {
    let map = b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
        2 beginbfrange <0000> <00FF> <0020> <0100> <01FF> [<0041> <00660066> <D83DDE00>] endbfrange";
    let objects: &[(&str, Option<&[u8]>)] = &[
        ("/Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [13 0 R] /D << /OFF [13 0 R] >> >>", None),
        ("/Type /Pages /Kids [3 0 R] /Count 1", None),
        ("/Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 15 0 R /Resources 4 0 R", None),
        (
            "/Font << /F1 5 0 R /F2 6 0 R /F3 9 0 R /F4 14 0 R >> /XObject << /X1 11 0 R /X2 12 0 R >> \
             /ExtGState << /G1 << /Font [5 0 R 9] >> >> /ColorSpace << /C1 [/Indexed /DeviceRGB 1 <000000FFFFFF>] >> \
             /Properties << /P1 13 0 R /P2 << /ActualText (instead) >> >>",
            None,
        ),
        ("/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding", None),
        (
            "/Type /Font /Subtype /Type0 /BaseFont /Wide /Encoding /Identity-H /ToUnicode 8 0 R \
             /DescendantFonts [7 0 R]",
            None,
        ),
        (
            "/Type /Font /Subtype /CIDFontType2 /BaseFont /Wide /DW 600 /W [1 [500 700] 9 20 300] \
             /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>",
            None,
        ),
        ("", Some(map)),
        (
            "/Type /Font /Subtype /Type3 /FontMatrix [.001 0 0 .001 0 0] /FontBBox [0 0 700 700] /FirstChar 65 \
             /LastChar 66 /Widths [600 700] /Encoding << /Differences [65 /a /b] >> \
             /CharProcs << /a 10 0 R /b 10 0 R >> /Resources 4 0 R",
            None,
        ),
        ("", Some(b"600 0 0 0 700 700 d1 0 0 700 700 re f BT /F3 1 Tf (AB) Tj ET")),
        (
            "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Matrix [1 0 0 1 10 10] /Resources 4 0 R",
            Some(b"BT /F1 12 Tf 50 300 Td (Inside) Tj ET /X1 Do"),
        ),
        (
            "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
            Some(b"\xff"),
        ),
        ("/Type /OCG /Name (Layer)", None),
        (
            "/Type /Font /Subtype /Type0 /BaseFont /Tall /Encoding /Identity-V /ToUnicode 8 0 R \
             /DescendantFonts [7 0 R]",
            None,
        ),
        ("", Some(content)),
    ];
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (idx, (entries, data)) in objects.iter().enumerate() {
        offsets.push(bytes.len());
        let length = data.map(|data| format!(" /Length {}", data.len())).unwrap_or_default();
        bytes.extend(format!("{} 0 obj\n<< {entries}{length} >>\n", idx + 1).bytes());
        if let Some(data) = data {
            bytes.extend_from_slice(b"stream\n");
            bytes.extend_from_slice(data);
            bytes.extend_from_slice(b"\nendstream\n");
        }
        bytes.extend_from_slice(b"endobj\n");
    }
    let table = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for offset in offsets {
        bytes.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    bytes.extend(
        format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1)
            .bytes(),
    );
    bytes
}
