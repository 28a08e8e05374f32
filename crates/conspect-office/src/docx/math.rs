use crate::package::{Namespace, Token, Xml};

/// Formulas nest as deep as their brackets; deeper ones are shown as their plain characters.
const MAX_DEPTH: usize = 60;

/// One element of Office Math.
#[derive(Default)]
struct Node {
    name: String,
    text: String,
    /// The `m:val` of properties: characters of delimiters, positions of bars.
    val: Option<String>,
    children: Vec<Node>,
}

/// Reads the rest of the formula whose element was just opened, and writes it as LaTeX.
pub(crate) fn read_math(xml: &mut Xml<'_>) -> String {
    let outside = xml.depth().saturating_sub(1);
    let mut open = vec![Node::default()];
    while xml.depth() > outside {
        match xml.next() {
            Token::Open(element) => {
                // Runs may carry the properties of WordprocessingML, which hold no text.
                let is_deleted = element.namespace == Namespace::Word && element.name() == "del";
                if is_deleted {
                    xml.skip();
                    continue;
                }
                if open.len() > MAX_DEPTH {
                    let text = xml.text().into_owned();
                    if let Some(last) = open.last_mut() {
                        last.children.push(Node { name: "t".to_owned(), text, ..Node::default() });
                    }
                    continue;
                }
                let val = element.val().map(|val| val.into_owned());
                open.push(Node { name: element.name().to_owned(), val, ..Node::default() });
            }
            Token::Close(_) => {
                if open.len() > 1
                    && let (Some(node), Some(parent)) = (open.pop(), open.last_mut())
                {
                    parent.children.push(node);
                }
            }
            Token::Text(text) => {
                if let Some(last) = open.last_mut().filter(|node| node.name == "t") {
                    last.text.push_str(&text);
                }
            }
            Token::End => break,
        }
    }
    while open.len() > 1 {
        if let (Some(node), Some(parent)) = (open.pop(), open.last_mut()) {
            parent.children.push(node);
        }
    }
    let mut latex = String::new();
    for node in &open[0].children {
        write(node, &mut latex);
    }
    latex.trim().to_owned()
}

fn write(node: &Node, out: &mut String) {
    match node.name.as_str() {
        "t" => out.push_str(&characters(&node.text)),
        "f" => {
            let kind = node.property("fPr", "type").unwrap_or("bar");
            match kind {
                "lin" => out.push_str(&format!("{}/{}", node.part("num"), node.part("den"))),
                "noBar" => out.push_str(&format!("\\binom{{{}}}{{{}}}", node.part("num"), node.part("den"))),
                _ => out.push_str(&format!("\\frac{{{}}}{{{}}}", node.part("num"), node.part("den"))),
            }
        }
        "sSup" => out.push_str(&format!("{}^{{{}}}", node.part("e"), node.part("sup"))),
        "sSub" => out.push_str(&format!("{}_{{{}}}", node.part("e"), node.part("sub"))),
        "sSubSup" => {
            out.push_str(&format!("{}_{{{}}}^{{{}}}", node.part("e"), node.part("sub"), node.part("sup")));
        }
        "sPre" => {
            out.push_str(&format!(
                "{{}}_{{{}}}^{{{}}}{}",
                node.part("sub"),
                node.part("sup"),
                node.part("e")
            ));
        }
        "rad" => match node.part("deg") {
            degree if degree.is_empty() => out.push_str(&format!("\\sqrt{{{}}}", node.part("e"))),
            degree => out.push_str(&format!("\\sqrt[{degree}]{{{}}}", node.part("e"))),
        },
        "d" => {
            let open = node.property("dPr", "begChr").unwrap_or("(");
            let close = node.property("dPr", "endChr").unwrap_or(")");
            let separator = node.property("dPr", "sepChr").unwrap_or("|");
            let parts: Vec<String> =
                node.children.iter().filter(|child| child.name == "e").map(inner).collect();
            out.push_str(bracket(open));
            out.push_str(&parts.join(separator));
            out.push_str(bracket(close));
        }
        "nary" => {
            let sign = node.property("naryPr", "chr").unwrap_or("∫");
            out.push_str(&characters(sign));
            for (part, mark) in [("sub", '_'), ("sup", '^')] {
                let part = node.part(part);
                if !part.is_empty() {
                    out.push_str(&format!("{mark}{{{part}}}"));
                }
            }
            out.push_str(&format!(" {}", node.part("e")));
        }
        "func" => {
            let name = node.part("fName");
            let is_word = name.len() > 1 && name.chars().all(|character| character.is_ascii_alphabetic());
            let slash = if is_word { "\\" } else { "" };
            out.push_str(&format!("{slash}{name} {}", node.part("e")));
        }
        "limLow" => out.push_str(&format!("{}_{{{}}}", node.part("e"), node.part("lim"))),
        "limUpp" => out.push_str(&format!("{}^{{{}}}", node.part("e"), node.part("lim"))),
        "acc" => {
            let accent = match node.property("accPr", "chr").unwrap_or("\u{302}") {
                "\u{303}" | "~" => "tilde",
                "\u{304}" | "\u{305}" | "¯" => "bar",
                "\u{307}" | "˙" => "dot",
                "\u{308}" | "¨" => "ddot",
                "\u{20D7}" | "→" => "vec",
                "\u{30C}" => "check",
                _ => "hat",
            };
            out.push_str(&format!("\\{accent}{{{}}}", node.part("e")));
        }
        "bar" => {
            let line = if node.property("barPr", "pos") == Some("top") { "overline" } else { "underline" };
            out.push_str(&format!("\\{line}{{{}}}", node.part("e")));
        }
        "groupChr" => {
            let brace =
                if node.property("groupChrPr", "pos") == Some("top") { "overbrace" } else { "underbrace" };
            out.push_str(&format!("\\{brace}{{{}}}", node.part("e")));
        }
        "m" => write_grid(node, "matrix", out),
        "eqArr" => {
            let rows: Vec<String> =
                node.children.iter().filter(|child| child.name == "e").map(inner).collect();
            out.push_str(&format!("\\begin{{aligned}}{}\\end{{aligned}}", rows.join(" \\\\ ")));
        }
        _ => {
            for child in &node.children {
                write(child, out);
            }
        }
    }
}

fn write_grid(node: &Node, environment: &str, out: &mut String) {
    let rows: Vec<String> = (node.children.iter().filter(|child| child.name == "mr"))
        .map(|row| {
            let cells: Vec<String> =
                row.children.iter().filter(|child| child.name == "e").map(inner).collect();
            cells.join(" & ")
        })
        .collect();
    out.push_str(&format!("\\begin{{{environment}}}{}\\end{{{environment}}}", rows.join(" \\\\ ")));
}

impl Node {
    fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }

    fn part(&self, name: &str) -> String {
        self.child(name).map(inner).unwrap_or_default()
    }

    fn property(&self, properties: &str, name: &str) -> Option<&str> {
        self.child(properties)?.child(name).map(|property| property.val.as_deref().unwrap_or_default())
    }
}

fn inner(node: &Node) -> String {
    let mut text = String::new();
    for child in &node.children {
        write(child, &mut text);
    }
    text
}

fn bracket(character: &str) -> &str {
    match character {
        "{" => "\\{",
        "}" => "\\}",
        "‖" => "\\|",
        "⟨" | "〈" => "\\langle ",
        "⟩" | "〉" => "\\rangle ",
        "⌊" => "\\lfloor ",
        "⌋" => "\\rfloor ",
        "⌈" => "\\lceil ",
        "⌉" => "\\rceil ",
        _ => character,
    }
}

/// Letters and signs as LaTeX names them; everything else stays the character it is, which LaTeX reads as well.
fn characters(text: &str) -> String {
    const NAMES: &[(char, &str)] = &[
        ('∑', "\\sum"),
        ('∏', "\\prod"),
        ('∫', "\\int"),
        ('∬', "\\iint"),
        ('∮', "\\oint"),
        ('⋃', "\\bigcup"),
        ('⋂', "\\bigcap"),
        ('α', "\\alpha"),
        ('β', "\\beta"),
        ('γ', "\\gamma"),
        ('δ', "\\delta"),
        ('ε', "\\varepsilon"),
        ('ϵ', "\\epsilon"),
        ('ζ', "\\zeta"),
        ('η', "\\eta"),
        ('θ', "\\theta"),
        ('ι', "\\iota"),
        ('κ', "\\kappa"),
        ('λ', "\\lambda"),
        ('μ', "\\mu"),
        ('ν', "\\nu"),
        ('ξ', "\\xi"),
        ('π', "\\pi"),
        ('ρ', "\\rho"),
        ('σ', "\\sigma"),
        ('τ', "\\tau"),
        ('φ', "\\varphi"),
        ('ϕ', "\\phi"),
        ('χ', "\\chi"),
        ('ψ', "\\psi"),
        ('ω', "\\omega"),
        ('Γ', "\\Gamma"),
        ('Δ', "\\Delta"),
        ('Θ', "\\Theta"),
        ('Λ', "\\Lambda"),
        ('Ξ', "\\Xi"),
        ('Π', "\\Pi"),
        ('Σ', "\\Sigma"),
        ('Φ', "\\Phi"),
        ('Ψ', "\\Psi"),
        ('Ω', "\\Omega"),
        ('∞', "\\infty"),
        ('≤', "\\le"),
        ('≥', "\\ge"),
        ('≠', "\\ne"),
        ('≈', "\\approx"),
        ('±', "\\pm"),
        ('∓', "\\mp"),
        ('×', "\\times"),
        ('÷', "\\div"),
        ('⋅', "\\cdot"),
        ('·', "\\cdot"),
        ('→', "\\to"),
        ('⇒', "\\Rightarrow"),
        ('∈', "\\in"),
        ('∉', "\\notin"),
        ('⊂', "\\subset"),
        ('∪', "\\cup"),
        ('∩', "\\cap"),
        ('∂', "\\partial"),
        ('∇', "\\nabla"),
        ('∀', "\\forall"),
        ('∃', "\\exists"),
        ('…', "\\dots"),
        ('⋯', "\\cdots"),
        ('−', "-"),
    ];
    let mut latex = String::with_capacity(text.len());
    let mut after_name = false;
    for character in text.chars() {
        // A name runs on into a letter behind it.
        if after_name && character.is_alphanumeric() {
            latex.push(' ');
        }
        match NAMES.iter().find(|(known, _)| *known == character) {
            Some((_, name)) => {
                latex.push_str(name);
                after_name = name.starts_with('\\');
            }
            None => {
                latex.push(character);
                after_name = false;
            }
        }
    }
    if after_name {
        latex.push(' ');
    }
    latex
}
