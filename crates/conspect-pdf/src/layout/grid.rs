//! Ruled tables: the grid that lines on the page make.

use crate::glyph::Rule;

/// How far apart two rules may be and still be one.
const SNAP: f32 = 3.0;
/// How far short of another rule a rule may end and still meet it.
const REACH: f32 = 4.0;
/// A grid with more lines than this is a drawing.
const MAX_LINES: usize = 400;

/// Lines that cross, from the lowest and leftmost on.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// Where columns begin and end, ascending.
    pub xs: Vec<f32>,
    /// Where rows begin and end, descending: the first row is the top one.
    pub ys: Vec<f32>,
    vertical: Vec<Rule>,
    horizontal: Vec<Rule>,
}

impl Grid {
    pub(crate) fn holds(&self, x: f32, y: f32) -> bool {
        let (Some(left), Some(right)) = (self.xs.first(), self.xs.last()) else { return false };
        let (Some(top), Some(bottom)) = (self.ys.first(), self.ys.last()) else { return false };
        (left - 1.0..right + 1.0).contains(&x) && (bottom - 1.0..top + 1.0).contains(&y)
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.xs.len().saturating_sub(1)
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.ys.len().saturating_sub(1)
    }

    /// The row and column that the point lies in.
    pub(crate) fn place(&self, x: f32, y: f32) -> (usize, usize) {
        let column = self.xs.iter().skip(1).take_while(|right| **right <= x).count();
        let row = self.ys.iter().skip(1).take_while(|bottom| **bottom >= y).count();
        (row.min(self.n_rows().saturating_sub(1)), column.min(self.n_columns().saturating_sub(1)))
    }

    /// The leftmost column and the topmost row of the cell at this place: cells without a line between are one.
    pub(crate) fn merged(&self, row: usize, column: usize) -> (usize, usize) {
        let mut column = column;
        while column > 0 && !self.has_left_edge(row, column) {
            column -= 1;
        }
        let mut row = row;
        while row > 0 && !self.has_top_edge(row, column) {
            row -= 1;
        }
        (row, column)
    }

    fn has_left_edge(&self, row: usize, column: usize) -> bool {
        let (Some(x), Some(top), Some(bottom)) =
            (self.xs.get(column), self.ys.get(row), self.ys.get(row + 1))
        else {
            return true;
        };
        covers(&self.vertical, *x, *bottom, *top)
    }

    fn has_top_edge(&self, row: usize, column: usize) -> bool {
        let (Some(y), Some(left), Some(right)) =
            (self.ys.get(row), self.xs.get(column), self.xs.get(column + 1))
        else {
            return true;
        };
        covers(&self.horizontal, *y, *left, *right)
    }
}

/// Whether a rule at this coordinate runs through the middle of the stretch.
fn covers(rules: &[Rule], at: f32, from: f32, to: f32) -> bool {
    let middle = (from + to) / 2.0;
    rules.iter().any(|rule| (rule.at - at).abs() <= SNAP && rule.from <= middle && rule.to >= middle)
}

/// The grids of a page: groups of rules that cross, with at least two rows or two columns.
pub(crate) fn grids(rules: &[Rule]) -> Vec<Grid> {
    let horizontal = snapped(rules, true);
    let vertical = snapped(rules, false);
    if horizontal.len() < 2 || vertical.len() < 2 || horizontal.len() + vertical.len() > 2 * MAX_LINES {
        return Vec::new();
    }
    // Which horizontal rules hang together, through the vertical ones that cross them.
    let mut group: Vec<usize> = (0..horizontal.len() + vertical.len()).collect();
    for (h, across) in horizontal.iter().enumerate() {
        for (v, down) in vertical.iter().enumerate() {
            let meets = down.at >= across.from - REACH
                && down.at <= across.to + REACH
                && across.at >= down.from - REACH
                && across.at <= down.to + REACH;
            if meets {
                join(&mut group, h, horizontal.len() + v);
            }
        }
    }
    let mut roots: Vec<usize> = (0..group.len()).map(|idx| root(&group, idx)).collect();
    let of_group = |wanted: usize, rules: &[Rule], offset: usize, roots: &[usize]| -> Vec<Rule> {
        let members = rules.iter().enumerate().filter(|(idx, _)| roots.get(idx + offset) == Some(&wanted));
        members.map(|(_, rule)| *rule).collect()
    };
    let all = std::mem::take(&mut roots);
    let mut names: Vec<usize> = all.clone();
    names.sort_unstable();
    names.dedup();
    let mut grids = Vec::new();
    for name in names {
        let horizontal = of_group(name, &horizontal, 0, &all);
        let vertical = of_group(name, &vertical, all.len() - vertical.len(), &all);
        let xs = distinct(&vertical);
        let mut ys = distinct(&horizontal);
        ys.reverse();
        if xs.len() < 2 || ys.len() < 2 || xs.len() + ys.len() < 5 {
            continue;
        }
        grids.push(Grid { xs, ys, vertical, horizontal });
    }
    grids
}

fn root(group: &[usize], mut idx: usize) -> usize {
    while let Some(&next) = group.get(idx) {
        if next == idx {
            break;
        }
        idx = next;
    }
    idx
}

fn join(group: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(group, a), root(group, b));
    if let Some(slot) = group.get_mut(a.max(b)) {
        *slot = a.min(b);
    }
}

/// The rules of one orientation, those that lie on or continue one another made one.
fn snapped(rules: &[Rule], is_horizontal: bool) -> Vec<Rule> {
    let mut sorted: Vec<Rule> =
        rules.iter().filter(|rule| rule.is_horizontal == is_horizontal).copied().collect();
    sorted.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    let mut snapped: Vec<Rule> = Vec::new();
    for rule in sorted {
        let known = snapped.iter_mut().rev().take(64).find(|known| {
            (known.at - rule.at).abs() <= SNAP
                && rule.from <= known.to + REACH
                && rule.to >= known.from - REACH
        });
        match known {
            Some(known) => {
                known.from = known.from.min(rule.from);
                known.to = known.to.max(rule.to);
            }
            None => snapped.push(rule),
        }
        if snapped.len() > MAX_LINES {
            return snapped;
        }
    }
    snapped.retain(|rule| rule.to - rule.from >= 6.0);
    snapped
}

fn distinct(rules: &[Rule]) -> Vec<f32> {
    let mut ats: Vec<f32> = rules.iter().map(|rule| rule.at).collect();
    ats.sort_by(f32::total_cmp);
    ats.dedup_by(|next, kept| (*next - *kept).abs() <= SNAP);
    ats
}
