//! Golden masters: what a kernel's reference yields over the fixtures, pinned in a file, so that a compiler or a platform
//! that moves a reference is caught before a GPU is blamed. Knows no kernel by name, no twin and no device.
//!
//! A [`Master`] holds the outputs of every case of the kernel's matrix: in full where a case is small, so that a difference
//! can be named to the bit, and as one SHA-256 an output where it is not. [`compare`] finds the first difference of each
//! case.

mod compare;
mod file;
mod master;

pub use compare::{Difference, What, compare};
pub use file::FileError;
pub use master::{Case, Content, Master, Pinned, ReferenceError, WHOLE_BYTES};
