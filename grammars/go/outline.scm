(function_declaration name: (identifier) @name body: (block)? @body) @def.function
(method_declaration receiver: (parameter_list) @receiver name: (field_identifier) @name body: (block)? @body) @def.method
(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @def.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @def.interface
(type_spec name: (type_identifier) @name) @def.type
(type_alias name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @def.struct
(type_alias name: (type_identifier) @name type: (interface_type "{" @body)) @def.interface
(type_alias name: (type_identifier) @name) @def.type
(method_elem name: (_) @name (#under? "interface_type" "type_spec|type_alias")) @def.method
(field_declaration name: (field_identifier) @name (#under? "field_declaration_list" "struct_type" "type_spec|type_alias")) @def.field
(const_spec name: (identifier) @name) @def.const
(var_spec name: (identifier) @name) @def.var
(import_spec path: (_) @import.name) @import
