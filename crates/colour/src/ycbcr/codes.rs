//! Planes of codes, packed as they are stored and without padding: what a twin leaves and how it is read back.

use isobit::execution::Readback;
use isobit::format::Depth;
use isobit::kernel::KernelError;
use isobit::output::{Output, Values};

pub(crate) use crate::pixel_map::refuses;

/// Invocations of a workgroup, one a word of each output plane; `INVOCATIONS` of the twins.
pub(crate) const INVOCATIONS: u64 = 64;

/// Workgroups for a plane of `samples` codes.
pub(crate) fn workgroups(samples: u64, depth: Depth) -> u64 {
    (samples * depth.bytes() as u64).div_ceil(4).div_ceil(INVOCATIONS)
}

/// The module of a twin.
pub(crate) fn module(kernel: &'static str, chunks: &[&str], sources: &[&str]) -> Result<String, KernelError> {
    isobit_exact::join(chunks, &sources.join("\n")).map_err(|error| KernelError::Module {
        kernel,
        message: error.to_string(),
    })
}

/// Where codes belong: metric, frame, plane and size.
pub(crate) struct Place {
    pub(crate) metric: &'static str,
    pub(crate) frame: usize,
    pub(crate) plane: usize,
    pub(crate) size: (u32, u32),
}

impl Place {
    /// `codes` at this place.
    pub(crate) fn output(self, codes: Vec<u32>) -> Output {
        let (width, height) = self.size;
        Output {
            metric: self.metric,
            frame: self.frame,
            plane: self.plane,
            width,
            height,
            values: Values::U32(codes),
        }
    }

    /// The codes that a twin left in `buffer`.
    pub(crate) fn read(self, buffer: &str, depth: Depth, readback: &Readback) -> Result<Output, KernelError> {
        let mut codes: Vec<u32> = match depth.bytes() {
            1 => readback.u8s(buffer)?.into_iter().map(u32::from).collect(),
            _ => readback.u16s(buffer)?.into_iter().map(u32::from).collect(),
        };
        // The last word may reach beyond the plane.
        codes.truncate(self.size.0 as usize * self.size.1 as usize);
        Ok(self.output(codes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place {
        Place {
            metric: "m",
            frame: 2,
            plane: 1,
            size: (3, 1),
        }
    }

    #[test]
    fn codes_are_read_as_they_are_stored_and_the_padding_is_dropped() {
        let readback = Readback {
            buffers: [("b".to_owned(), vec![1, 2, 3, 0, 5, 6, 0, 0])].into(),
        };
        let bytes = place().read("b", Depth::U8, &readback).unwrap();
        assert_eq!(bytes, place().output(vec![1, 2, 3]));
        let words = place().read("b", Depth::U10, &readback).unwrap();
        assert_eq!(words, place().output(vec![0x201, 3, 0x605]));
        assert!(place().read("c", Depth::U8, &readback).is_err());
    }

    #[test]
    fn a_workgroup_fills_64_words() {
        assert_eq!([1, 256, 257].map(|samples| workgroups(samples, Depth::U8)), [1, 1, 2]);
        assert_eq!([128, 129].map(|samples| workgroups(samples, Depth::U12)), [1, 2]);
    }
}
