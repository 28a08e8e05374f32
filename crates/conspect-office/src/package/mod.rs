//! Containers: zip archives, Office packages in them, OLE compound files, and the XML inside.

mod archive;
mod ole;
mod opc;
mod properties;
mod xml;

pub(crate) use archive::{Archive, u16_at, u32_at, u64_at};
pub(crate) use ole::Ole;
pub(crate) use opc::{Package, Relationships};
pub(crate) use properties::read_properties;
pub(crate) use xml::{Checkpoint, Element, Namespace, Token, Xml, decode};
