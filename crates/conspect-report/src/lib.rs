//! A page that shows why an answer is what it is: one HTML file that needs nothing else.
//!
//! [`section`] draws the answer for one file: the document as a strip, the text beside it with the reason for every
//! line, what the characters serve, and what the query came to. [`page`] puts sections together with the whole answer
//! as it was printed. [`is_report`] tells an earlier page from any other file.
//!
//! # Architecture invariants
//!
//! This crate decides nothing: everything shown is in an [`Answer`](conspect::Answer) and its
//! [`Explained`](conspect::Explained). It does no input or output. Whatever comes from a file goes through one
//! function, `escape`, and the page forbids itself any script but its own and anything from the
//! network. What a page holds is bounded, however large the file is. The same answer gives the same page.

mod page;
mod section;
mod strip;
mod costs;
mod escape;

pub use page::{Sums, is_report, page};
pub use section::{Section, section};

pub(crate) use escape::escape;
