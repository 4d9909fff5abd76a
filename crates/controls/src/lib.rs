//! Controls: small kernels whose `broken` twin departs from the `sound` one by a single fault that a gate must see.
//!
//! A gate that only ever sees sound twins cannot be told from one that sees nothing. Each control stands for one kind of
//! fault known from practice, and states what it must look like from outside ([`Symptom`](isobit::kernel::Symptom)). Two
//! rules keep the evidence clean:
//!
//! * *One fault.* The broken twin is derived from the sound one: its shader by replacing one piece of text that occurs
//!   exactly once (`departure`), or its plan by leaving out one step. Nothing else can differ.
//! * *No luck.* A fault bites on every driver by construction. Addresses stay inside their buffers whatever the driver does
//!   with those that do not, arithmetic is of integers or exact in any compiler, and where invocations race, the loser is
//!   decided beforehand.
//!
//! A control's folder holds its reference, its sound shader (`twin.wgsl`), the fault (`twin.rs`) and its declaration.

mod departure;
mod device;
pub mod picture;

mod accumulator;
mod barrier;
mod fall_back;
mod last_column;
mod mirror;
mod nan;
mod one_ulp;
mod order;
mod packed_write;
mod past_end;
mod shift;
mod stride;
mod ties;

#[cfg(test)]
mod testing;

use isobit::kernel::Control;

/// Every control.
pub const CONTROLS: &[Control] = &[
    accumulator::CONTROL,
    barrier::CONTROL,
    fall_back::CONTROL,
    last_column::CONTROL,
    mirror::CONTROL,
    nan::CONTROL,
    one_ulp::CONTROL,
    order::CONTROL,
    packed_write::CONTROL,
    past_end::CONTROL,
    shift::CONTROL,
    stride::CONTROL,
    ties::CONTROL,
];
