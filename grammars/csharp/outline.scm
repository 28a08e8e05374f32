(namespace_declaration name: (_) @name body: (_) @body) @def.module
(file_scoped_namespace_declaration name: (_) @name) @def.module
(class_declaration name: (_) @name body: (_)? @body) @def.class
(record_declaration name: (_) @name body: (_)? @body) @def.class
(struct_declaration name: (_) @name body: (_)? @body) @def.struct
(interface_declaration name: (_) @name body: (_)? @body) @def.interface
(enum_declaration name: (_) @name body: (_)? @body) @def.enum
(enum_member_declaration name: (_) @name) @def.variant
(method_declaration name: (_) @name body: (_)? @body) @def.method
(constructor_declaration name: (_) @name body: (_)? @body) @def.method
(destructor_declaration name: (_) @name body: (_)? @body) @def.method
(operator_declaration operator: (_) @name body: (_)? @body) @def.method
(indexer_declaration "this" @name accessors: (_)? @body) @def.method
(property_declaration name: (_) @name accessors: (_)? @body) @def.field
(event_declaration name: (_) @name) @def.field
(delegate_declaration name: (_) @name) @def.type
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @def.field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @def.field
(local_function_statement name: (_) @name body: (_)? @body) @def.function
(using_directive) @import
