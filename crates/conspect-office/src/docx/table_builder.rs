use conspect_model::{Block, BlockKind, MarkKind, Origin, Span, Table};

/// No table of a real document is wider; a span beyond it is a lie.
const MAX_COLUMNS: usize = 2_000;

/// A table while it is read.
#[derive(Default)]
pub(crate) struct TableBuilder {
    pub(crate) rows: Vec<RowBuilder>,
    pub(crate) style: Option<String>,
    /// Whether the table asks its style to set the first row apart.
    pub(crate) wants_first_row: bool,
}

/// A row while it is read.
pub(crate) struct RowBuilder {
    pub(crate) origin: Origin,
    pub(crate) cells: Vec<CellBuilder>,
    pub(crate) is_header: bool,
    /// Whether tracked changes take it away.
    pub(crate) is_removed: bool,
    /// Columns left free before the first cell.
    pub(crate) n_before: usize,
}

/// A cell while it is read.
#[derive(Default)]
pub(crate) struct CellBuilder {
    pub(crate) blocks: Vec<Block>,
    pub(crate) n_columns: usize,
    pub(crate) merge: Merge,
    pub(crate) is_removed: bool,
}

/// How a cell is merged with the one above it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Merge {
    /// Not at all.
    #[default]
    None,
    /// It begins a cell of several rows.
    Restart,
    /// It is covered by the cell above.
    Continue,
}

impl TableBuilder {
    /// The table as blocks: one table, or the contents of its cells where it only frames or arranges them.
    pub(crate) fn finish(mut self, style_has_first_row: bool) -> Vec<Block> {
        for row in &mut self.rows {
            row.cells.retain(|cell| !cell.is_removed);
        }
        self.rows.retain(|row| !row.is_removed && !row.cells.is_empty());
        if self.rows.is_empty() {
            return Vec::new();
        }
        if self.is_frame() {
            let cells = self.rows.into_iter().flat_map(|row| row.cells);
            return cells.flat_map(|cell| cell.blocks).collect();
        }
        let origin = self.rows[0].origin;
        let n_header_rows = self.n_header_rows(style_has_first_row);
        let mut table = Table::new();
        table.n_header_rows = n_header_rows;
        // For every column: the span that a vertically merged cell would go on.
        let mut open_spans: Vec<Option<usize>> = Vec::new();
        for (row_idx, row) in self.rows.iter().enumerate() {
            table.push_row(row.origin);
            let mut whole = true;
            let mut column_idx = 0;
            for _ in 0..row.n_before.min(MAX_COLUMNS) {
                whole &= table.push_cell("");
                column_idx += 1;
            }
            for cell in &row.cells {
                let n_columns = cell.n_columns.clamp(1, MAX_COLUMNS);
                if column_idx + n_columns > 2 * MAX_COLUMNS {
                    break;
                }
                open_spans.resize(open_spans.len().max(column_idx + n_columns), None);
                let covered = cell.merge == Merge::Continue && open_spans[column_idx].is_some();
                if covered {
                    whole &= table.push_cell("");
                    if let Some(span) = open_spans[column_idx].and_then(|idx| table.spans.get_mut(idx)) {
                        span.n_rows = row_idx + 1 - span.row_idx;
                    }
                } else {
                    whole &= table.push_cell(&cell_text(&cell.blocks));
                    let span = Span { row_idx, column_idx, n_rows: 1, n_columns };
                    let keeps_open = cell.merge == Merge::Restart;
                    open_spans[column_idx..column_idx + n_columns].fill(None);
                    if keeps_open || n_columns > 1 {
                        if keeps_open {
                            open_spans[column_idx] = Some(table.spans.len());
                        }
                        table.spans.push(span);
                    }
                }
                for _ in 1..n_columns {
                    whole &= table.push_cell("");
                }
                column_idx += n_columns;
            }
            if !whole {
                break;
            }
        }
        table.spans.retain(|span| span.n_rows > 1 || span.n_columns > 1);
        vec![Block::new(BlockKind::Table(Box::new(table)), "", origin)]
    }

    /// Whether it is no grid but a frame: one cell, or one column that arranges headings and tables.
    fn is_frame(&self) -> bool {
        let one_column = self.rows.iter().all(|row| row.cells.len() == 1);
        let n_rows = self.rows.len();
        let holds_structure = || {
            let cells = self.rows.iter().flat_map(|row| &row.cells);
            cells
                .flat_map(|cell| &cell.blocks)
                .any(|block| matches!(block.kind, BlockKind::Table(_) | BlockKind::Heading { .. }))
        };
        one_column && (n_rows == 1 || holds_structure())
    }

    fn n_header_rows(&self, style_has_first_row: bool) -> usize {
        let declared = self.rows.iter().take_while(|row| row.is_header).count();
        if declared > 0 {
            return if declared < self.rows.len() { declared } else { 1 };
        }
        let by_style = self.wants_first_row && style_has_first_row;
        let by_weight = || {
            let is_bold = |row: &RowBuilder| row.cells.iter().all(|cell| is_all_bold(&cell.blocks));
            is_bold(&self.rows[0]) && !is_bold(&self.rows[1])
        };
        usize::from(self.rows.len() > 1 && (by_style || by_weight()))
    }
}

fn is_all_bold(blocks: &[Block]) -> bool {
    !blocks.is_empty()
        && blocks.iter().all(|block| {
            let n_strong: usize = (block.marks.iter())
                .filter(|mark| mark.kind == MarkKind::Strong)
                .map(|mark| mark.range.len())
                .sum();
            n_strong >= block.text.trim().len() && !block.text.is_empty()
        })
}

/// The text of a cell: its paragraphs on lines of their own, list items with their labels, rows of inner tables with a
/// bar between cells.
pub(crate) fn cell_text(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        match &block.kind {
            BlockKind::ListItem { depth, label } => {
                new_line(&mut text);
                text.extend(std::iter::repeat_n("  ", usize::from(*depth)));
                text.push_str(label);
                text.push(' ');
                text.push_str(&block.text);
            }
            BlockKind::Table(table) => {
                for row in table.rows() {
                    new_line(&mut text);
                    let cells: Vec<String> = row.cells().map(|cell| cell.replace('\n', " ")).collect();
                    text.push_str(&cells.join(" | "));
                }
            }
            _ if block.text.is_empty() => {}
            BlockKind::Math => {
                new_line(&mut text);
                text.push_str(&format!("${}$", block.text));
            }
            _ => {
                new_line(&mut text);
                text.push_str(&block.text);
            }
        }
    }
    text
}

fn new_line(text: &mut String) {
    if !text.is_empty() {
        text.push('\n');
    }
}
