(function_declaration
  name: [
    (identifier) @name
    (dot_index_expression field: (_) @name) @qualified
    (method_index_expression method: (_) @name) @qualified
  ]
  body: (_)? @body) @def.function
(assignment_statement
  (variable_list name: [(identifier) @name (dot_index_expression field: (_) @name) @qualified])
  (expression_list value: (function_definition body: (_)? @body))) @def.function
(field name: (identifier) @name value: (function_definition body: (_)? @body)) @def.method
(function_call
  name: (identifier) @_require
  arguments: (arguments (string content: (_) @import.name))
  (#eq? @_require "require")) @import
