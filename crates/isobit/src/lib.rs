//! The contract between a kernel, the executors that run its GPU twin and the gate that compares the two.
//!
//! This crate does no I/O and names no GPU library, so a kernel crate that depends on it builds and tests anywhere.
//!
//! * [`format`] and [`frame`]: what a clip is, down to the stride of each plane;
//! * [`kernel`] and [`options`]: a computation, its reference and its twins, and what can be varied in it;
//! * [`plan`] and [`work`]: a twin as data, and how its work is divided;
//! * [`stage`]: intermediate results, to find where the bits part;
//! * [`execution`]: what running a plan returns, and how an executor can fail;
//! * [`output`]: the numbers that a reference or a twin yields;
//! * [`tolerance`] and [`compare`]: when two outputs agree, and a precise account of where they do not.

pub mod compare;
pub mod delta_e;
pub mod execution;
pub mod format;
pub mod frame;
pub mod kernel;
pub mod number;
pub mod options;
pub mod output;
pub mod plan;
pub mod stage;
mod symptom;
pub mod tolerance;
pub mod work;
