(function_definition name: (word) @name body: (_) @body) @def.function
(declaration_command
  ["readonly" "declare" "typeset"]
  (variable_assignment name: (variable_name) @name) @def.var
  (#under? "program"))
(command
  name: (command_name) @_command
  argument: (_) @import.name
  (#any-of? @_command "source" ".")) @import
