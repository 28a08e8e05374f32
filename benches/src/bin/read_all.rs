//! Reads every file it is given in one process and on one thread, lays each out and writes it whole to nowhere; prints
//! how many could be read and how many characters came out. `compare --engines` measures it.

#![expect(clippy::disallowed_methods, reason = "it reads the files that it is given")]

use conspect::{Budget, Input, Limits, Mode, PreviewOptions, Scope, lay_out, preview, read};

/// As much stack as the command gives to its readers.
const STACK_BYTES: usize = 64 << 20;

fn main() {
    let reader = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(read_all);
    reader.expect("a thread can be had").join().expect("a panic in a reader is caught by the library");
}

fn read_all() {
    let whole = PreviewOptions { mode: Mode::Full, ..PreviewOptions::new(Budget::Chars(usize::MAX)) };
    let (mut n_files, mut n_chars) = (0, 0);
    for name in std::env::args().skip(1) {
        let Ok(bytes) = std::fs::read(&name) else { continue };
        let input = Input::new(&bytes, &name);
        let Ok(document) = read(&input, &Scope::default(), &Limits::default()) else { continue };
        n_chars += preview(&lay_out(&document), None, &whole).chars().count();
        n_files += 1;
    }
    println!("{n_files} {n_chars}");
}
