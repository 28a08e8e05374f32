/// The kind of binary data that bytes begin as, in words; `None` where they may be text.
pub(crate) fn binary_kind(bytes: &[u8]) -> Option<&'static str> {
    let matches = |signature: &Signature| {
        signature
            .pieces
            .iter()
            .all(|&(at, piece)| bytes.get(at..).is_some_and(|rest| rest.starts_with(piece)))
    };
    SIGNATURES.iter().find(|signature| matches(signature)).map(|signature| signature.kind)
}

struct Signature {
    kind: &'static str,
    /// What stands where.
    pieces: &'static [(usize, &'static [u8])],
}

const fn signature(kind: &'static str, pieces: &'static [(usize, &'static [u8])]) -> Signature {
    Signature { kind, pieces }
}

/// What data of a kind without text begins with. A signature made of letters alone would be found in texts, so each
/// has a byte that no text has there, or is long enough.
const SIGNATURES: &[Signature] = &[
    signature("PNG image", &[(0, b"\x89PNG\r\n\x1A\n")]),
    signature("JPEG image", &[(0, b"\xFF\xD8\xFF")]),
    signature("GIF image", &[(0, b"GIF87a")]),
    signature("GIF image", &[(0, b"GIF89a")]),
    signature("WebP image", &[(0, b"RIFF"), (8, b"WEBP")]),
    signature("BMP image", &[(0, b"BM"), (6, b"\0\0\0\0"), (15, b"\0\0\0")]),
    signature("TIFF image", &[(0, b"II*\0")]),
    signature("TIFF image", &[(0, b"MM\0*")]),
    signature("icon", &[(0, b"\0\0\x01\0"), (5, b"\0")]),
    signature("Photoshop image", &[(0, b"8BPS\0\x01")]),
    signature("AVIF image", &[(4, b"ftypavif")]),
    signature("HEIC image", &[(4, b"ftyphei")]),
    signature("JPEG 2000 image", &[(0, b"\0\0\0\x0CjP  \r\n\x87\n")]),
    signature("JPEG XL image", &[(0, b"\xFF\x0A")]),
    signature("MP3 audio", &[(0, b"ID3"), (4, b"\0")]),
    signature("MP3 audio", &[(0, b"\xFF\xFB")]),
    signature("MP3 audio", &[(0, b"\xFF\xF3")]),
    signature("M4A audio", &[(4, b"ftypM4A")]),
    signature("QuickTime video", &[(4, b"ftypqt")]),
    signature("MP4 video", &[(4, b"ftyp")]),
    signature("Ogg audio or video", &[(0, b"OggS\0")]),
    signature("FLAC audio", &[(0, b"fLaC\0")]),
    signature("WAV audio", &[(0, b"RIFF"), (8, b"WAVE")]),
    signature("AVI video", &[(0, b"RIFF"), (8, b"AVI ")]),
    signature("MIDI music", &[(0, b"MThd\0\0")]),
    signature("Matroska or WebM video", &[(0, b"\x1A\x45\xDF\xA3")]),
    signature("ELF program", &[(0, b"\x7FELF")]),
    signature("Windows program", &[(0, b"MZ"), (3, b"\0"), (5, b"\0")]),
    signature("Mach-O program", &[(0, b"\xFE\xED\xFA\xCE")]),
    signature("Mach-O program", &[(0, b"\xFE\xED\xFA\xCF")]),
    signature("Mach-O program", &[(0, b"\xCE\xFA\xED\xFE")]),
    signature("Mach-O program", &[(0, b"\xCF\xFA\xED\xFE")]),
    // A universal Mach-O program begins with the same four bytes, then a small number of architectures; the version
    // of a Java class is above 43.
    signature("Mach-O program", &[(0, b"\xCA\xFE\xBA\xBE\0\0\0\x01")]),
    signature("Mach-O program", &[(0, b"\xCA\xFE\xBA\xBE\0\0\0\x02")]),
    signature("Java class", &[(0, b"\xCA\xFE\xBA\xBE")]),
    signature("WebAssembly module", &[(0, b"\0asm")]),
    signature("LLVM bitcode", &[(0, b"BC\xC0\xDE")]),
    signature("static library", &[(0, b"!<arch>\n")]),
    signature("gzip archive", &[(0, b"\x1F\x8B\x08")]),
    signature("bzip2 archive", &[(0, b"BZh"), (4, b"1AY&SY")]),
    signature("xz archive", &[(0, b"\xFD7zXZ\0")]),
    signature("zstd archive", &[(0, b"\x28\xB5\x2F\xFD")]),
    signature("lz4 archive", &[(0, b"\x04\x22\x4D\x18")]),
    signature("7z archive", &[(0, b"7z\xBC\xAF\x27\x1C")]),
    signature("RAR archive", &[(0, b"Rar!\x1A\x07")]),
    signature("tar archive", &[(257, b"ustar\0")]),
    signature("tar archive", &[(257, b"ustar  \0")]),
    signature("cabinet archive", &[(0, b"MSCF\0\0\0\0")]),
    signature("SQLite database", &[(0, b"SQLite format 3\0")]),
    signature("Parquet table", &[(0, b"PAR1\x15")]),
    signature("Arrow table", &[(0, b"ARROW1\0\0")]),
    signature("HDF5 data", &[(0, b"\x89HDF\r\n\x1A\n")]),
    signature("NumPy array", &[(0, b"\x93NUMPY")]),
    signature("Avro data", &[(0, b"Obj\x01")]),
    signature("WOFF font", &[(0, b"wOFF\0")]),
    signature("WOFF font", &[(0, b"wOFF"), (4, b"OTTO")]),
    signature("WOFF2 font", &[(0, b"wOF2\0")]),
    signature("WOFF2 font", &[(0, b"wOF2"), (4, b"OTTO")]),
    signature("OpenType font", &[(0, b"OTTO\0")]),
    signature("TrueType font", &[(0, b"\0\x01\0\0\0")]),
    signature("Git pack", &[(0, b"PACK\0\0\0")]),
    signature("compiled Python", &[(2, b"\r\n"), (4, b"\0\0\0\0"), (16, b"\xE3")]),
];
