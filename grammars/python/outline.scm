(class_definition
  name: (identifier) @name
  body: (block . (comment)* . (expression_statement . (string) @doc)?) @body) @def.class
(function_definition
  name: (identifier) @name
  body: (block . (comment)* . (expression_statement . (string) @doc)?) @body) @def.function
(assignment left: (identifier) @name) @def.var
(assignment left: (pattern_list (identifier) @name)) @def.var
(assignment left: (tuple_pattern (identifier) @name)) @def.var
(type_alias_statement left: (type (identifier) @name)) @def.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @def.type

(import_statement name: (dotted_name) @import.name) @import
(import_statement name: (aliased_import name: (dotted_name) @import.name)) @import
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name) @import
(import_from_statement module_name: (_) @import.module name: (aliased_import name: (dotted_name) @import.name)) @import
(import_from_statement module_name: (_) @import.module (wildcard_import) @import.name) @import
(future_import_statement name: (dotted_name) @import.name) @import
