(function_declaration name: (_) @name body: (_) @body) @def.function
(generator_function_declaration name: (_) @name body: (_) @body) @def.function
(function_signature name: (_) @name) @def.function
(class_declaration name: (_) @name body: (_) @body) @def.class
(abstract_class_declaration name: (_) @name body: (_) @body) @def.class
(interface_declaration name: (_) @name body: (_) @body) @def.interface
(type_alias_declaration name: (_) @name) @def.type
(enum_declaration name: (_) @name body: (_) @body) @def.enum
(internal_module name: (_) @name body: (_)? @body) @def.module
(module name: (_) @name body: (_)? @body) @def.module
(ambient_declaration "global" @name (statement_block) @body) @def.module

(method_definition name: (_) @name body: (_) @body) @def.method
(method_signature name: (_) @name) @def.method
(abstract_method_signature name: (_) @name) @def.method
(public_field_definition name: (_) @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body)
]) @def.method
(public_field_definition name: (_) @name) @def.field
(property_signature name: (_) @name (#under? "interface_body")) @def.field
(enum_assignment name: (_) @name) @def.variant
(enum_body [(property_identifier) (string)] @name @def.variant)

(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)
]) @def.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @def.class
(variable_declarator name: (identifier) @name (#under? "program")) @def.var
(variable_declarator name: (identifier) @name (#under? "statement_block" "internal_module|module|program")) @def.var
(variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (pair_pattern value: (identifier) @name)
]) (#under? "program")) @def.var
(variable_declarator name: (array_pattern (identifier) @name) (#under? "program")) @def.var

(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name) @qualified]
  right: [
    (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)
    (assignment_expression right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  ]) @def.function
(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name) @qualified]
  right: (class body: (_) @body)) @def.class
(pair key: (_) @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)
]) @def.method

(import_statement source: (_) @import.name) @import
(import_statement (import_require_clause source: (_) @import.name)) @import
(import_alias) @import
(export_statement source: (_) @import.name) @import
(variable_declarator
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.name))
  (#eq? @_require "require") (#under? "program")) @import
