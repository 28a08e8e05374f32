(class_declaration "struct" name: (_) @name body: (_) @body) @def.struct
(class_declaration "enum" name: (_) @name body: (_) @body) @def.enum
(class_declaration "extension" name: (_) @name body: (_) @body) @def.impl
(class_declaration name: (_) @name body: (_) @body) @def.class
(protocol_declaration name: (_) @name body: (_) @body) @def.interface
(function_declaration name: (simple_identifier) @name body: (_)? @body) @def.function
(protocol_function_declaration name: (simple_identifier) @name) @def.method
(init_declaration "init" @name body: (_)? @body) @def.method
(deinit_declaration "deinit" @name body: (_)? @body) @def.method
(subscript_declaration "subscript" @name) @def.method
(property_declaration name: (pattern bound_identifier: (_) @name)) @def.var
(protocol_property_declaration name: (pattern bound_identifier: (_) @name)) @def.field
(enum_entry name: (_) @name) @def.variant
(typealias_declaration name: (type_identifier) @name) @def.type
(associatedtype_declaration name: (type_identifier) @name) @def.type
(import_declaration) @import
