(class_declaration name: (_) @name body: (_) @body) @def.class
(record_declaration name: (_) @name body: (_) @body) @def.class
(interface_declaration name: (_) @name body: (_) @body) @def.interface
(annotation_type_declaration name: (_) @name body: (_) @body) @def.interface
(enum_declaration name: (_) @name body: (_) @body) @def.enum
(enum_constant name: (_) @name body: (_)? @body) @def.variant
(annotation_type_element_declaration name: (_) @name) @def.method
(method_declaration name: (_) @name body: (_)? @body) @def.method
(constructor_declaration name: (_) @name body: (_) @body) @def.method
(compact_constructor_declaration name: (_) @name body: (_) @body) @def.method
(field_declaration declarator: (variable_declarator name: (_) @name)) @def.field
(constant_declaration declarator: (variable_declarator name: (_) @name)) @def.field
(import_declaration) @import
