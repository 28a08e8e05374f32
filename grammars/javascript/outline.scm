(function_declaration name: (_) @name body: (_) @body) @def.function
(generator_function_declaration name: (_) @name body: (_) @body) @def.function
(class_declaration name: (_) @name body: (_) @body) @def.class
(method_definition name: (_) @name body: (_) @body) @def.method
(field_definition property: (_) @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)
]) @def.method
(field_definition property: (_) @name) @def.field

(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)
]) @def.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @def.class
(variable_declarator name: (identifier) @name (#under? "program")) @def.var
(variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name
  (pair_pattern value: (identifier) @name)
]) (#under? "program")) @def.var
(variable_declarator name: (array_pattern (identifier) @name) (#under? "program")) @def.var

; `Type.prototype.run = function () {}`, `exports.a = exports.b = () => {}`
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
(export_statement source: (_) @import.name) @import
(variable_declarator
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import.name))
  (#eq? @_require "require") (#under? "program")) @import
