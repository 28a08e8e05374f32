/// The files of the corpus that are written by hand, with what each shows.
pub const BY_HAND: &[(&str, &str)] = &[
    (
        "code/inventory.py",
        "Python: classes, decorators, nested functions, constants, properties, a main block.",
    ),
    ("code/scheduler.rs", "Rust: modules, traits, impls, generics, macros, enums with fields, tests."),
    ("code/cart.js", "JavaScript: classes with private members, closures, exports, generators."),
    ("code/router.ts", "TypeScript: interfaces, types, enums, generics, overloads, namespaces."),
    ("code/ledger.go", "Go: structs, methods, interfaces, constants, embedded types."),
    ("code/syntax_error.py", "Python with two errors; what stands around them is whole."),
    ("csv/semicolon.csv", "Semicolons, with commas inside cells."),
    ("csv/quoted_newlines.csv", "Quoted cells with ends of lines, quotes and commas in them."),
    ("csv/ragged.tsv", "Tabs; rows of different lengths."),
    (
        "eml/alternative_attachment.eml",
        "Mail in two forms, with an attachment and encoded words in its header.",
    ),
    ("html/article.html", "Headings, lists, a table, a link, code; navigation and scripts that are no text."),
    ("ipynb/analysis.ipynb", "A notebook: Markdown, code, outputs with colours, an image, an error."),
    ("json/nested.json", "An object with objects and arrays in it."),
    (
        "markdown/headings_table_fences.md",
        "Headings in both styles, a table, fences with `#` in them, a list, front matter.",
    ),
    ("toml/service.toml", "Tables, arrays of tables, dates."),
    ("txt/german.txt", "German prose with compounds, umlauts and inflected words."),
    ("txt/japanese.txt", "Japanese prose without blanks between words."),
    ("txt/russian.txt", "Russian prose with inflected words."),
    ("txt/thai.txt", "Thai prose without blanks between words."),
    ("yaml/pipeline.yaml", "Mappings, lists, anchors, block text."),
];
