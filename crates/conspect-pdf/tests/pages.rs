//! A few pages of a long file: what they cost follows the pages asked, not the file. Spec D6.

mod builder;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use builder::{Builder, lines, pretty_equal, told};
use conspect_model::{Input, Limits, PageNumber, Scope, SharedBytes};

/// A file whose pages say nothing but which they are.
fn book(n_pages: usize) -> Vec<u8> {
    let mut builder = Builder::new();
    for number in 1..=n_pages {
        builder.page(&lines("F1", 12, 50, 700, &[&format!("Words of leaf {number}")]));
    }
    builder.finish()
}

fn scope_of(pages: [usize; 2]) -> Scope {
    let [first, last] = pages.map(|page| PageNumber::from_idx(page - 1));
    Scope { pages: Some(vec![first..=last]), ..Scope::default() }
}

#[test]
fn only_the_pages_asked_are_read() {
    let bytes = book(40);
    // What pages 6 and later say cannot be decoded, which nobody who asks for others hears of.
    let at = memchr::memmem::find(&bytes, b"(Words of leaf 6)").expect("page 6");
    let mut damaged = bytes.clone();
    damaged[at] = b'<';
    let document =
        conspect_pdf::read(&Input::new(&damaged, "book.pdf"), &scope_of([3, 5]), &Limits::default())
            .expect("a document");
    pretty_equal(&told(&document), &["p Words of leaf 3", "p Words of leaf 4", "p Words of leaf 5"]);
    assert_eq!(document.extent.n_pages, 40);
}

#[test]
fn the_memory_of_a_mapped_file_is_given_back_while_its_pages_are_found() {
    let n_released = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&n_released);
    let bytes = SharedBytes::new(book(2000)).with_release(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let input = Input::of_shared(&bytes, "book.pdf");
    conspect_pdf::read(&input, &scope_of([3, 5]), &Limits::default()).expect("a document");
    let n_released = n_released.load(Ordering::Relaxed);
    assert!(n_released > 5, "a walk over 2,000 pages gave memory back {n_released} times");
}
