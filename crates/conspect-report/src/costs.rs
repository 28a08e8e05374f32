use std::fmt::Write as _;

use conspect::CostOf;

use crate::escape;

/// A row of the table of what characters serve.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The class of its colour.
    pub(crate) class: &'static str,
    pub(crate) label: String,
    pub(crate) n_lines: usize,
    pub(crate) n_chars: usize,
}

/// The class of a reason's colour.
pub(crate) fn class(of: CostOf) -> &'static str {
    match of {
        CostOf::Claim(claim) => claim.name(),
        CostOf::Map => "structure",
        CostOf::Header | CostOf::GoOn => "o1",
        CostOf::GapMarkers => "o2",
        CostOf::Marks | CostOf::Profiles => "o3",
    }
}

/// The bar and the table. Shares are differences of rounded running sums, so that they add up to a hundred.
pub(crate) fn write_costs(head: &str, rows: &[Row], budget: Option<usize>, out: &mut String) {
    let printed: usize = rows.iter().map(|row| row.n_chars).sum();
    let unused = budget.map_or(0, |budget| budget.saturating_sub(printed));
    let whole = printed + unused;
    let share = |from: usize, to: usize| {
        let rounded = |sum: usize| (sum * 2000 + whole) / (2 * whole.max(1));
        let tenths = rounded(to) - rounded(from);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    out.push_str("<div class=\"bar\" aria-hidden=\"true\">");
    for row in rows {
        let _ = write!(out, "<span class=\"{}\" style=\"flex-grow:{}\" title=\"", row.class, row.n_chars);
        escape(&row.label, out);
        let _ = write!(out, ": {}\"></span>", grouped(row.n_chars));
    }
    if unused > 0 {
        let _ = write!(
            out,
            "<span class=\"unused\" style=\"flex-grow:{unused}\" title=\"unused: {}\"></span>",
            grouped(unused)
        );
    }
    let has_lines = rows.iter().any(|row| row.n_lines > 0);
    let _ = writeln!(
        out,
        "</div>\n<table class=\"costs\"><thead><tr><th scope=\"col\">{head}</th>{}<th scope=\"col\">Characters</th>\
         <th scope=\"col\">%</th></tr></thead>\n<tbody>",
        if has_lines { "<th scope=\"col\">Lines</th>" } else { "" }
    );
    let mut told = 0;
    for row in rows {
        let lines = match (has_lines, row.n_lines) {
            (false, _) => String::new(),
            (true, 0) => "<td></td>".to_owned(),
            (true, n_lines) => format!("<td>{}</td>", grouped(n_lines)),
        };
        let _ = write!(out, "<tr><th scope=\"row\"><i class=\"{}\"></i>", row.class);
        escape(&row.label, out);
        let _ = writeln!(
            out,
            "</th>{lines}<td data-chars=\"{}\">{}</td><td>{}</td></tr>",
            row.n_chars,
            grouped(row.n_chars),
            share(told, told + row.n_chars)
        );
        told += row.n_chars;
    }
    out.push_str("</tbody>\n<tfoot>\n");
    let blank = if has_lines { "<td></td>" } else { "" };
    let mut foot = |class: &str, label: &str, n_chars: usize, share: String| {
        let _ = writeln!(
            out,
            "<tr class=\"{class}\"><th scope=\"row\">{label}</th>{blank}<td data-{class}=\"{n_chars}\">{}</td>\
             <td>{share}</td></tr>",
            grouped(n_chars)
        );
    };
    foot("printed", "Printed", printed, share(0, printed));
    if let Some(budget) = budget {
        foot("unused-row", "Unused", unused, share(printed, whole));
        foot("budget", "Budget", budget, share(0, whole));
    }
    out.push_str("</tfoot></table>\n");
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        for (number, expected) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), expected);
        }
    }
}
