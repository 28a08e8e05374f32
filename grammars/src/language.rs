use tree_sitter_language::LanguageFn;

/// A language: how its files are told, and how its definitions are found. Patterns are regular expressions in the
/// syntax of the `regex` crate.
pub struct Language {
    /// The folder's name.
    pub name: &'static str,
    /// The grammar; `None` where there is none, or where its feature is off.
    pub grammar: Option<LanguageFn>,
    /// The outline query.
    pub query: &'static str,
    /// What stands between the parts of a qualified name.
    pub separator: &'static str,
    /// Extensions of its files, in lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// Whole names of its files.
    pub file_names: &'static [&'static str],
    /// Programs that a `#!` line names, without a version.
    pub shebangs: &'static [&'static str],
    /// For an extension that it shares: what the head of a file must match to be its own.
    pub claims: &'static [(&'static str, &'static str)],
    /// Node kinds that hold no definitions; a sound one is not entered.
    pub opaque: &'static [&'static str],
    /// Node kinds whose inside is a function's inside, beyond those of definitions: closures, anonymous classes.
    pub function_scopes: &'static [&'static str],
    /// Node kinds around a definition that belong to it: `export`, `template <..>`, a group with decorators.
    pub wrappers: &'static [&'static str],
    /// Node kinds around a definition that belong to it if they hold no other: `const a = 1;`.
    pub sole_wrappers: &'static [&'static str],
    /// Node kinds before or in a definition that belong to its lines, and not to its signature.
    pub decorators: &'static [&'static str],
    /// Node kinds of comments.
    pub comments: &'static [&'static str],
    /// What a comment must match to be documentation; without it, any comment right before a definition is.
    pub doc_comment: Option<&'static str>,
    /// Where names stand inside declarators (the C family): node kinds of the names.
    pub declarator_names: &'static [&'static str],
    /// Node kinds of declarators that make what they declare a function.
    pub function_declarators: &'static [&'static str],
    /// What a function without a type is called that is really a call of a macro.
    pub macro_name: Option<&'static str>,
    /// What a grammar of the C family cannot know: macros that stand for nothing, attributes or types. If there are
    /// errors, what the groups of the pattern match is blanked for a second parse.
    pub blanked: Option<&'static str>,
    /// Names that are private by convention or by rule.
    pub private_name: Option<&'static str>,
    /// Names of variables that are constants by convention.
    pub constant_name: Option<&'static str>,
    /// Names of tests.
    pub test_name: Option<&'static str>,
    /// What a signature must match for other files to see the symbol.
    pub public_signature: Option<&'static str>,
    /// What a signature matches when other files do not see the symbol.
    pub private_signature: Option<&'static str>,
    /// Whether `public_signature` is asked of members of types too.
    pub members_need_public: bool,
    /// What is cut from an import statement that the query takes as a whole.
    pub import_trim: Option<&'static str>,
    /// What stands between a module and a name taken from it.
    pub import_separator: &'static str,
    /// How a block ends, for definitions that were found by line rules.
    pub blocks: Blocks,
    /// How to find definitions where the grammar fails. The first rule that matches a line counts.
    pub line_rules: &'static [LineRule],
    /// What calls of well-known macros define, told by their text. Other calls are shown as they are written.
    pub macro_rules: &'static [LineRule],
}

/// A definition told by one line alone.
#[derive(Debug)]
pub struct LineRule {
    /// The name of its kind of symbol.
    pub kind: &'static str,
    /// What the line matches; the group `name` is the symbol's name.
    pub pattern: &'static str,
}

/// How a block of lines ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// Before the next line that is indented no deeper.
    Indent,
    /// With a closing bracket that is indented as the first line.
    Braces,
    /// With a line `end` that is indented as the first line.
    End,
}

include!(concat!(env!("OUT_DIR"), "/languages.rs"));
