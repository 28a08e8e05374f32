use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ceilings for one read. Hostile input ends early, with what was read so far and a notice.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes that one compressed stream or archive member may expand to.
    pub max_part_bytes: u64,
    /// Bytes that all compressed streams of a file together may expand to.
    pub max_total_bytes: u64,
    /// Members of an archive, objects of a PDF: how many are looked at.
    pub max_entries: usize,
    /// How deep elements, objects, groups and tables may nest.
    pub max_nesting: usize,
    /// Characters of text that a Document may hold.
    pub max_chars: usize,
    /// Cells that the tables of a Document may hold.
    pub max_cells: usize,
    /// Asked now and then; a set token ends the read with what there is.
    pub stop: StopToken,
}

impl Default for Limits {
    /// Generous for real files, and small enough for a hostile one to end within some hundred megabytes.
    fn default() -> Limits {
        Limits {
            max_part_bytes: 512 << 20,
            max_total_bytes: 1 << 30,
            max_entries: 100_000,
            max_nesting: 100,
            max_chars: 256 << 20,
            max_cells: 20_000_000,
            stop: StopToken::default(),
        }
    }
}

/// A flag that somebody with a clock, or a person at a keyboard, can set to end a read.
///
/// Readers have no clock of their own. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// Asks every read that holds this token to end.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the read should end with what it has.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
