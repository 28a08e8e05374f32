(function_item name: (_) @name body: (_) @body) @def.function
(function_signature_item name: (_) @name) @def.function
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @def.struct
(struct_item name: (type_identifier) @name) @def.struct
(union_item name: (type_identifier) @name body: (_) @body) @def.struct
(enum_item name: (type_identifier) @name body: (_) @body) @def.enum
(enum_variant name: (identifier) @name) @def.variant
(field_declaration name: (field_identifier) @name) @def.field
(trait_item name: (type_identifier) @name body: (_) @body) @def.interface
(impl_item type: (_) @name body: (_) @body) @def.impl
(type_item name: (type_identifier) @name) @def.type
(associated_type name: (type_identifier) @name) @def.type
(const_item name: (identifier) @name) @def.const
(static_item name: (identifier) @name) @def.const
(mod_item name: (identifier) @name body: (_) @body) @def.module
(mod_item name: (identifier) @name) @def.module
(macro_definition name: (identifier) @name) @def.macro
[(use_declaration) (extern_crate_declaration)] @import
(macro_invocation (token_tree) @reparse)
