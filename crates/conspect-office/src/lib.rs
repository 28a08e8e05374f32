//! Zip-and-XML formats and workbooks to a Document: Word (.docx and its kin) and Excel (.xlsx, .xlsm, .xlsb, .xls),
//! with OpenDocument spreadsheets.
//!
//! Begin with [`read`]; [`sniff`] tells what a container holds. The parts: `package` opens containers and XML,
//! `docx` reads Word, `workbook` reads sheets.
//!
//! # Architecture invariants
//!
//! This crate does no input or output: bytes in, [`Document`](conspect_model::Document) out. Nothing recurses as deep
//! as a file nests, no loop runs longer than a file is long, and no memory is reserved on a file's word alone.

mod package;

mod docx;
mod workbook;

mod read;
mod sniff;

pub use read::read;
pub use sniff::sniff;
