//! Every language's query fits its grammar, and its node kinds exist.

use conspect_grammars::LANGUAGES;

#[test]
fn queries_compile_against_their_grammars() {
    let mut faults = Vec::new();
    for language in LANGUAGES {
        let Some(grammar) = language.grammar else { continue };
        let grammar = tree_sitter::Language::new(grammar);
        if let Err(error) = tree_sitter::Query::new(&grammar, language.query) {
            faults.push(format!("{}: {error}", language.name));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn node_kinds_exist_in_their_grammars() {
    let mut faults = Vec::new();
    for language in LANGUAGES {
        let Some(grammar) = language.grammar else { continue };
        let grammar = tree_sitter::Language::new(grammar);
        let kinds = [
            language.opaque,
            language.function_scopes,
            language.wrappers,
            language.sole_wrappers,
            language.decorators,
            language.comments,
            language.declarator_names,
            language.function_declarators,
        ];
        for kind in kinds.into_iter().flatten() {
            if grammar.id_for_node_kind(kind, true) == 0 {
                faults.push(format!("{}: no node kind {kind}", language.name));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn languages_are_told_by_something() {
    for language in LANGUAGES {
        let n_signs = language.extensions.len() + language.file_names.len() + language.shebangs.len();
        assert!(n_signs > 0, "{} has neither extension, file name nor shebang", language.name);
        for (extension, _) in language.claims {
            assert!(language.extensions.contains(extension), "{} claims {extension}", language.name);
        }
    }
}
