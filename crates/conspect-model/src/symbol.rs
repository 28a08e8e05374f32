use crate::LineNumber;

/// A symbol of a source file: a class, function, constant, … Its range of lines is its block's origin, from the first
/// decorator, attribute or modifier to the last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Its own name.
    pub name: String,
    /// With the names around it: `Runner.run`.
    pub qualified_name: String,
    /// The line its name stands on.
    pub name_line: LineNumber,
    /// The declaration up to its body, on one line, blanks folded. Also the block's text.
    pub signature: String,
    /// The first line of its documentation.
    pub doc: Option<String>,
    /// How many symbols enclose it.
    pub depth: u32,
    /// Index, among the document's blocks, of the symbol around it.
    pub parent: Option<usize>,
    /// Whether it is defined inside a function's body.
    pub is_local: bool,
    /// Whether other files can name it, as far as the language says.
    pub is_exported: bool,
}

/// What a symbol is. Languages differ; these are the kinds that a reader of a map tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SymbolKind {
    /// A class.
    Class,
    /// A struct, record or union.
    Struct,
    /// An enumeration.
    Enum,
    /// An interface, trait or protocol.
    Interface,
    /// An implementation block, extension or category: it adds members to a type that stands elsewhere.
    Impl,
    /// A module, namespace or package.
    Module,
    /// A function that belongs to nothing.
    Function,
    /// A function that belongs to a type.
    Method,
    /// A macro.
    Macro,
    /// An alias or other named type.
    Type,
    /// A constant.
    Const,
    /// A variable.
    Var,
    /// A field or property.
    Field,
    /// A case of an enumeration.
    Variant,
    /// Something else with a name: an object literal, a heading, a key.
    Object,
}

impl SymbolKind {
    /// Every kind with its name: one word, in lower case.
    pub const NAMES: &'static [(SymbolKind, &'static str)] = &[
        (SymbolKind::Class, "class"),
        (SymbolKind::Struct, "struct"),
        (SymbolKind::Enum, "enum"),
        (SymbolKind::Interface, "interface"),
        (SymbolKind::Impl, "impl"),
        (SymbolKind::Module, "module"),
        (SymbolKind::Function, "function"),
        (SymbolKind::Method, "method"),
        (SymbolKind::Macro, "macro"),
        (SymbolKind::Type, "type"),
        (SymbolKind::Const, "const"),
        (SymbolKind::Var, "var"),
        (SymbolKind::Field, "field"),
        (SymbolKind::Variant, "variant"),
        (SymbolKind::Object, "object"),
    ];

    /// The kind's name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("object", |(_, name)| name)
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<SymbolKind> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// Whether it has members.
    pub fn is_container(self) -> bool {
        use SymbolKind::*;
        matches!(self, Class | Struct | Enum | Interface | Impl | Module)
    }
}
