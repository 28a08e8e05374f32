use std::fmt;

use conspect_model::Input;

/// The BLAKE3 hash of a file's raw bytes: it tells whether a file is still the one that was read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

/// How many bytes are hashed before their memory is given back.
const CHUNK_BYTES: usize = 4 << 20;

/// Hashes the raw bytes of an input.
pub fn content_hash(input: &Input<'_>) -> ContentHash {
    let mut hasher = blake3::Hasher::new();
    let mut start = 0;
    for chunk in input.bytes.chunks(CHUNK_BYTES) {
        hasher.update(chunk);
        input.release(start..start + chunk.len());
        start += chunk.len();
    }
    ContentHash(*hasher.finalize().as_bytes())
}

impl ContentHash {
    /// The first 12 hexadecimal digits: what headers show.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for ContentHash {
    /// All 64 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_the_raw_bytes() {
        let hash = content_hash(&Input::new(b"abc", "x"));
        assert_eq!(hash.short(), "6437b3ac3846");
        assert_eq!(hash.to_string().len(), 64);
        let long = vec![7; CHUNK_BYTES + 1];
        let expected = blake3::hash(&long).to_string();
        assert_eq!(content_hash(&Input::new(&long, "x")).to_string(), expected);
    }
}
