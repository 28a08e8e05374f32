(class name: [(constant) (scope_resolution)] @name body: (_)? @body) @def.class
(module name: [(constant) (scope_resolution)] @name body: (_)? @body) @def.module
(method name: (_) @name body: (_)? @body) @def.method
(singleton_method name: (_) @name body: (_)? @body) @def.method
(assignment left: (constant) @name) @def.const
(assignment left: (scope_resolution) @name) @def.const
(assignment left: (left_assignment_list (constant) @name)) @def.const
(operator_assignment left: (constant) @name) @def.const
(alias name: (_) @name) @def.method
(call
  method: (identifier) @_method
  arguments: (argument_list . (string (string_content) @import.name) .)
  (#any-of? @_method "require" "require_relative" "load")) @import
