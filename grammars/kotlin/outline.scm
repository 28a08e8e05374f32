(class_declaration "interface" name: (_) @name (class_body)? @body) @def.interface
(class_declaration name: (_) @name (enum_class_body) @body) @def.enum
(class_declaration name: (_) @name (class_body)? @body) @def.class
(object_declaration name: (_) @name (class_body)? @body) @def.class
(companion_object "companion" @name (class_body)? @body) @def.class
(function_declaration name: (_) @name (function_body)? @body) @def.function
(property_declaration (variable_declaration (identifier) @name)) @def.var
(enum_entry (identifier) @name) @def.variant
(type_alias type: (_) @name) @def.type
(import) @import
