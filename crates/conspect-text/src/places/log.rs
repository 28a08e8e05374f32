//! Logs: lines that continue an entry stand at its time.

use std::ops::ControlFlow;

use conspect_model::TextLines as _;

use crate::SourceText;
use crate::sniff::time_at_beginning;

/// How far before a line the beginning of its entry is looked for.
const MAX_LINES: usize = 2_000;

/// The time of the entry that a line continues; `None` for a line that has a time of its own.
pub(super) fn place(text: &SourceText<'_>, line_idx: usize) -> Option<String> {
    // Most entries are short, so the nearest lines are looked at first.
    let mut end = line_idx + 1;
    let mut n_lines = 8;
    while end > 0 && line_idx - (end - 1) < MAX_LINES {
        let start = end.saturating_sub(n_lines);
        let mut found = None;
        text.visit(start..end, &mut |idx, line| {
            if let Some(time) = time_at_beginning(line) {
                found = Some((idx, time.to_owned()));
            }
            ControlFlow::Continue(())
        });
        if let Some((found_idx, time)) = found {
            return (found_idx < line_idx).then_some(time);
        }
        end = start;
        n_lines *= 8;
    }
    None
}
