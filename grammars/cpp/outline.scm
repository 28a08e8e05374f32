(function_definition declarator: (_) @declarator [(default_method_clause) (delete_method_clause)]) @def.function
(function_definition declarator: (_) @declarator (try_statement) @body) @def.function
(class_specifier name: (_) @name body: (_) @body) @def.class
(struct_specifier name: (_) @name body: (_) @body) @def.struct
(union_specifier name: (_) @name body: (_) @body) @def.struct
(enum_specifier name: (_) @name body: (_) @body) @def.enum
(namespace_definition name: (_) @name body: (_) @body) @def.module
(namespace_alias_definition name: (_) @name) @def.type
(alias_declaration name: (type_identifier) @name) @def.type
(concept_definition name: (identifier) @name) @def.type
