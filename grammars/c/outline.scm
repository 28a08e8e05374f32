(function_definition declarator: (_) @declarator body: (_) @body) @def.function
(declaration declarator: (_) @declarator) @def.var
(type_definition declarator: (_) @declarator) @def.type
(struct_specifier name: (type_identifier) @name body: (_) @body) @def.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @def.struct
(enum_specifier name: (type_identifier) @name body: (_) @body) @def.enum
(enumerator name: (identifier) @name) @def.variant
(field_declaration declarator: (_) @declarator) @def.field
(preproc_def name: (identifier) @name) @def.macro
(preproc_function_def name: (identifier) @name) @def.macro
(preproc_include path: (_) @import.name) @import
