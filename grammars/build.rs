//! Turns the folders of this crate into one static table, so that a new language is a folder and two manifest lines.
#![expect(clippy::disallowed_methods, reason = "a build script reads the folders it stands beside")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use toml::{Table, Value};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut names: Vec<String> = fs::read_dir(&root)
        .expect("the folder of this crate")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| root.join(name).join("language.toml").is_file())
        .collect();
    names.sort();

    let mut table = String::from("/// Every language that has a folder here, sorted by name.\n");
    table.push_str("pub static LANGUAGES: &[Language] = &[\n");
    for name in &names {
        write_language(&mut table, &root, name);
    }
    table.push_str("];\n");

    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("languages.rs"), table).expect("the build folder can be written");
    println!("cargo::rerun-if-changed=.");
}

fn write_language(table: &mut String, root: &Path, name: &str) {
    let described = described(root, name);
    let text = |key: &str| described.get(key).map(|value| as_str(value, name, key));
    let section = |key: &str| described.get(key).and_then(Value::as_table).cloned().unwrap_or_default();
    let (nodes, declarators, names, visibility, imports) = (
        section("nodes"),
        section("declarators"),
        section("names"),
        section("visibility"),
        section("imports"),
    );

    writeln!(table, "Language {{").expect("strings grow");
    let mut field = |field: &str, value: String| {
        writeln!(table, "    {field}: {value},").expect("strings grow");
    };
    field("name", format!("{name:?}"));
    match text("crate") {
        None => field("grammar", "None".to_owned()),
        Some(package) => {
            let constant = text("constant").unwrap_or("LANGUAGE");
            let path = format!("{}::{constant}", package.replace('-', "_"));
            field(&format!("#[cfg(feature = {name:?})] grammar"), format!("Some({path})"));
            field(&format!("#[cfg(not(feature = {name:?}))] grammar"), "None".to_owned());
        }
    }
    field("query", format!("{:?}", query(root, name, &described)));
    field("separator", format!("{:?}", text("separator").unwrap_or(".")));
    for key in ["extensions", "file_names", "shebangs"] {
        field(key, list(&described, key));
    }
    field("claims", pairs(&section("claims")));
    for key in ["opaque", "function_scopes", "wrappers", "sole_wrappers", "decorators", "comments"] {
        field(key, list(&nodes, key));
    }
    field("declarator_names", list(&declarators, "names"));
    field("function_declarators", list(&declarators, "functions"));
    field("macro_name", pattern(&declarators, "macros"));
    field("blanked", pattern(&declarators, "blanked"));
    field("private_name", pattern(&names, "private"));
    field("constant_name", pattern(&names, "constant"));
    field("test_name", pattern(&names, "test"));
    field("public_signature", pattern(&visibility, "public"));
    field("private_signature", pattern(&visibility, "private"));
    field(
        "members_need_public",
        visibility.get("members").and_then(Value::as_bool).unwrap_or(false).to_string(),
    );
    field("doc_comment", pattern(&nodes, "doc_comment"));
    field("import_trim", pattern(&imports, "trim"));
    field(
        "import_separator",
        format!("{:?}", imports.get("separator").and_then(Value::as_str).unwrap_or(".")),
    );
    field("blocks", format!("Blocks::{}", text("blocks").unwrap_or("Braces")));
    field("line_rules", line_rules(&described, name, "line_rules"));
    field("macro_rules", line_rules(&described, name, "macro_rules"));
    table.push_str("},\n");
}

/// What `language.toml` says, with what it does not say taken from the language that it inherits from.
fn described(root: &Path, name: &str) -> Table {
    let own = read_toml(&root.join(name).join("language.toml"));
    let mut all = match own.get("inherits").and_then(Value::as_str) {
        Some(parent) => described(root, parent),
        None => Table::new(),
    };
    all.extend(own);
    all
}

/// The outline query: that of the language it inherits from, then its own.
fn query(root: &Path, name: &str, language: &Table) -> String {
    let inherited = match language.get("inherits").and_then(Value::as_str) {
        Some(parent) => query(root, parent, &described(root, parent)),
        None => String::new(),
    };
    let own = fs::read_to_string(root.join(name).join("outline.scm")).unwrap_or_default();
    inherited + &own
}

fn line_rules(described: &Table, name: &str, key: &str) -> String {
    let mut rules = String::from("&[");
    for rule in described.get(key).and_then(Value::as_array).into_iter().flatten() {
        let part = |key: &str| match rule.get(key).and_then(Value::as_str) {
            Some(part) => part,
            None => panic!("{name}: a rule without {key}"),
        };
        write!(rules, "LineRule {{ kind: {:?}, pattern: {:?} }}, ", part("kind"), part("pattern"))
            .expect("strings grow");
    }
    rules + "]"
}

fn list(table: &Table, key: &str) -> String {
    let mut list = String::from("&[");
    for value in table.get(key).and_then(Value::as_array).into_iter().flatten() {
        write!(list, "{:?}, ", as_str(value, "list", key)).expect("strings grow");
    }
    list + "]"
}

fn pairs(table: &Table) -> String {
    let mut pairs = String::from("&[");
    for (key, value) in table {
        write!(pairs, "({key:?}, {:?}), ", as_str(value, "claims", key)).expect("strings grow");
    }
    pairs + "]"
}

fn pattern(table: &Table, key: &str) -> String {
    format!("{:?}", table.get(key).map(|value| as_str(value, "pattern", key)))
}

fn as_str<'v>(value: &'v Value, place: &str, key: &str) -> &'v str {
    match value.as_str() {
        Some(text) => text,
        None => panic!("{place}: {key} is not text"),
    }
}

fn read_toml(path: &Path) -> Table {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
