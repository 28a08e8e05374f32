//! The Markdown of a cell as headings, list items, code and paragraphs; inline style is left as it is written.

use conspect_model::{Block, BlockKind, Limits, Origin, OwnedLines};

use crate::markdown;

/// Appends the blocks of a cell.
pub(super) fn lay_out(source: &str, origin: Origin, blocks: &mut Vec<Block>) {
    let mut lines = OwnedLines::new();
    for line in source.lines() {
        lines.push(line);
    }
    let all: Vec<&str> = source.lines().collect();
    let mut line_idx = 0;
    for block in markdown::blocks(&lines, &Limits::default()) {
        let Origin::Lines(range) = block.origin else { continue };
        let range = range.idx();
        lay_out_prose(&all[line_idx.min(range.start)..range.start], origin, blocks);
        line_idx = range.end.min(all.len());
        let own = &all[range.start..line_idx];
        let text = match &block.kind {
            BlockKind::Heading { .. } => block.text,
            BlockKind::Code { .. } => without_fences(own).join("\n"),
            // A pipe table reads well as it is.
            _ => own.join("\n"),
        };
        let kind = match block.kind {
            BlockKind::TableLines { .. } => BlockKind::Code { language: None },
            kind => kind,
        };
        blocks.push(Block::new(kind, text, origin));
    }
    lay_out_prose(&all[line_idx..], origin, blocks);
}

fn without_fences<'s, 't>(lines: &'s [&'t str]) -> &'s [&'t str] {
    let is_fence = |line: &&str| markdown::fence(line.trim()).is_some();
    match lines {
        [_, inner @ .., last] if is_fence(last) => inner,
        [_, inner @ ..] => inner,
        [] => lines,
    }
}

fn lay_out_prose(lines: &[&str], origin: Origin, blocks: &mut Vec<Block>) {
    let mut open: Option<Block> = None;
    for line in lines {
        let text = line.trim_start();
        if text.trim_end().is_empty() {
            blocks.extend(open.take());
        } else if let Some((label, item)) = markdown::list_item(text) {
            let depth = ((line.len() - text.len()) / 2).min(20) as u8;
            let kind = BlockKind::ListItem { depth, label: label.to_owned() };
            blocks.extend(open.replace(Block::new(kind, item, origin)));
        } else if let Some(block) = &mut open {
            block.text.push('\n');
            block.text.push_str(text.trim_end());
        } else {
            open = Some(Block::new(BlockKind::Paragraph, line.trim_end(), origin));
        }
    }
    blocks.extend(open);
}
