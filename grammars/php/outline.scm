(class_declaration name: (_) @name body: (_) @body) @def.class
(interface_declaration name: (_) @name body: (_) @body) @def.interface
(trait_declaration name: (_) @name body: (_) @body) @def.interface
(enum_declaration name: (_) @name body: (_) @body) @def.enum
(enum_case name: (_) @name) @def.variant
(function_definition name: (_) @name body: (_) @body) @def.function
(method_declaration name: (_) @name body: (_)? @body) @def.method
(const_declaration (const_element (name) @name)) @def.const
(property_declaration (property_element name: (variable_name (name) @name))) @def.field
(namespace_use_declaration) @import
