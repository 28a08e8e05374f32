(class_definition name: (_) @name body: (_)? @body) @def.class
(object_definition name: (_) @name body: (_)? @body) @def.class
(trait_definition name: (_) @name body: (_)? @body) @def.interface
(enum_definition name: (_) @name body: (_)? @body) @def.enum
(simple_enum_case name: (_) @name) @def.variant
(full_enum_case name: (_) @name) @def.variant
(function_definition name: (_) @name body: (_)? @body) @def.function
(function_declaration name: (_) @name) @def.function
(given_definition name: (_) @name body: (_)? @body) @def.var
(val_definition pattern: (identifier) @name) @def.var
(var_definition pattern: (identifier) @name) @def.var
(val_declaration name: (_) @name) @def.var
(type_definition name: (_) @name) @def.type
(import_declaration) @import
