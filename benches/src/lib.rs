//! Benches, and the comparison with what a user would pick instead.
//!
//! `cargo bench -p conspect-benches` measures the sampler on texts that it makes, and the readers on
//! the fixtures. The program `compare` runs the
//! command `conspect` and whichever of its peers are installed, side by side, over a folder of files.
