//! What the twins of this crate share: the formats they are defined for, and how a plane is divided among workgroups.

use isobit::format::{Depth, Format, Layout};
use isobit::frame::{ClipShape, PlaneShape};
use isobit::kernel::KernelError;
use isobit_exact::samples::sample_plane;

/// Samples that one workgroup reduces to a partial sum: `INVOCATIONS` times `SAMPLES_PER_INVOCATION` of the shaders.
///
/// Small workgroups with a single barrier, since a barrier costs a software adapter a switch of fibres per subgroup: for the
/// same 256 samples, 64 invocations that sum in a tree of six barriers take SwiftShader four times as long, and lavapipe
/// twice.
const SAMPLES_PER_WORKGROUP: u64 = 16 * 16;

/// Integer codes in luma and chroma planes.
pub(crate) fn accepts(format: Format) -> bool {
    Layout::YUV.contains(&format.layout) && Depth::INTEGER.contains(&format.depth)
}

/// Why a clip of this shape cannot be addressed by a twin.
pub(crate) fn refuses(shape: &ClipShape) -> Option<String> {
    let reachable = |plane: &PlaneShape| plane_words(plane, shape.format.depth).is_some();
    let (index, plane) = shape.planes.iter().enumerate().find(|(_, plane)| !reachable(plane))?;
    Some(format!(
        "plane {index} takes {} bytes, and samples are addressed up to 2^31",
        plane.bytes()
    ))
}

/// The uniform that describes `plane` to a shader.
///
/// # Errors
/// If [`refuses`] has a reason against the plane.
pub(crate) fn uniform(kernel: &'static str, plane: &PlaneShape, depth: Depth) -> Result<[u32; 4], KernelError> {
    plane_words(plane, depth).ok_or_else(|| KernelError::Unsupported {
        kernel,
        reason: format!(
            "a plane of {} bytes, and samples are addressed up to 2^31",
            plane.bytes()
        ),
    })
}

fn plane_words(plane: &PlaneShape, depth: Depth) -> Option<[u32; 4]> {
    sample_plane(plane.width, plane.height, plane.stride, depth.bits())
}

/// Workgroups that cover `plane`; the last one may reach beyond its end.
pub(crate) const fn workgroups(plane: &PlaneShape) -> u64 {
    plane.samples().div_ceil(SAMPLES_PER_WORKGROUP)
}

/// `body` behind the chunks that every reduction of a plane builds on.
pub(crate) fn module(kernel: &'static str, body: &str) -> Result<String, KernelError> {
    module_with(kernel, &["wide", "samples", "grid"], body)
}

/// `body` behind the chunks that it names.
pub(crate) fn module_with(kernel: &'static str, chunks: &[&str], body: &str) -> Result<String, KernelError> {
    isobit_exact::join(chunks, body).map_err(|error| KernelError::Module {
        kernel,
        message: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_large_fixture_needs_more_groups_than_one_dispatch_may_have() {
        let shape = ClipShape::tight(Format::new(Layout::Yuv420, Depth::U8), 4160, 4096);
        assert!(workgroups(&shape.planes[0]) > 65_535);
        assert_eq!(workgroups(&PlaneShape::tight(1, 1, Depth::U8)), 1);
        assert_eq!(workgroups(&PlaneShape::tight(257, 1, Depth::U8)), 2);
    }

    #[test]
    fn the_shaders_reduce_as_many_samples_as_the_plans_count_on() {
        for source in [
            include_str!("psnr/twin.wgsl"),
            include_str!("float_psnr/twin.wgsl"),
            include_str!("float_moment/twin.wgsl"),
        ] {
            let constant = |name: &str| -> u64 {
                let (_, rest) = source.split_once(&format!("const {name}: u32 = ")).unwrap();
                rest.split_once('u').unwrap().0.parse().unwrap()
            };
            assert_eq!(
                constant("INVOCATIONS") * constant("SAMPLES_PER_INVOCATION"),
                SAMPLES_PER_WORKGROUP
            );
        }
    }

    #[test]
    fn a_plane_beyond_the_reach_of_an_offset_is_refused() {
        let format = Format::new(Layout::Yuv420, Depth::U16);
        assert_eq!(refuses(&ClipShape::tight(format, 8192, 8192)), None);
        let reason = refuses(&ClipShape::tight(format, 40_000, 40_000)).unwrap();
        assert_eq!(
            reason,
            "plane 0 takes 3200000000 bytes, and samples are addressed up to 2^31"
        );
    }
}
