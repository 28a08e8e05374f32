//! Shapes.

use std::fmt::{self, Display};
pub use crate::other::*;
extern crate alloc;

/// The most there may be.
pub const LIMIT: usize = 10;
static mut COUNT: u32 = 0;

/// A shape.
///
/// Two-dimensional.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Shape<T> {
    /// Round.
    Circle { radius: T },
    Square(T),
    #[doc(hidden)]
    Nothing,
}

pub struct Unit;

pub(crate) struct Point {
    /// Across.
    pub x: f64,
    y: f64, // up
}

impl<T: Display> Shape<T> {
    pub fn area(&self) -> f64
    where
        T: Into<f64>,
    {
        fn square(x: f64) -> f64 {
            x * x
        }
        let closure = |x: f64| {
            const INSIDE: f64 = 1.0;
            x
        };
        square(1.0)
    }

    fn hidden(&self) {}
}

impl<T> Display for Shape<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fn not_a_function() {{}}")
    }
}

pub trait Draw: Send {
    type Canvas;
    const SIDES: usize = 4;
    fn draw(&self, canvas: &mut Self::Canvas);
    fn twice(&self) {}
}

cfg_if::cfg_if! {
    if #[cfg(unix)] {
        pub fn platform() -> &'static str {
            "unix"
        }
    } else {
        pub fn platform() -> &'static str {
            "other"
        }
    }
}

bitflags! {
    /// Flags.
    pub struct Flags: u32 {
        const A = 1;
    }
}

macro_rules! square {
    ($x:expr) => {
        fn in_definition() {}
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares() {}
}

mod elsewhere;

extern "C" {
    fn outside(x: i32) -> i32;
}
