//! The kernels and controls of this workspace: the list that its gate runs. Holds nothing else.

use isobit::kernel::{Kernel, Registry};

/// Every kernel, family by family.
const KERNELS: &[Kernel] = &[
    colour::srgb_to_linear::KERNEL,
    colour::linear_to_srgb::KERNEL,
    colour::srgb_to_oklab::KERNEL,
    colour::oklab_to_srgb::KERNEL,
    colour::delta_e_2000::KERNEL,
    colour::delta_e_ok::KERNEL,
    colour::pq_eotf::KERNEL,
    colour::pq_inverse_eotf::KERNEL,
    colour::hlg_eotf::KERNEL,
    colour::hlg_oetf::KERNEL,
    colour::primaries::DISPLAY_P3_TO_ACESCG,
    colour::primaries::ACESCG_TO_DISPLAY_P3,
    colour::ycbcr_to_rgb::BT601_LIMITED,
    colour::ycbcr_to_rgb::BT601_FULL,
    colour::ycbcr_to_rgb::BT709_LIMITED,
    colour::ycbcr_to_rgb::BT709_FULL,
    colour::ycbcr_to_rgb::BT2020_LIMITED,
    colour::ycbcr_to_rgb::BT2020_FULL,
    colour::rgb_to_ycbcr::BT601_LIMITED,
    colour::rgb_to_ycbcr::BT601_FULL,
    colour::rgb_to_ycbcr::BT709_LIMITED,
    colour::rgb_to_ycbcr::BT709_FULL,
    colour::rgb_to_ycbcr::BT2020_LIMITED,
    colour::rgb_to_ycbcr::BT2020_FULL,
    quality::psnr::KERNEL,
    quality::psnr::APSNR,
    quality::float_psnr::KERNEL,
    quality::float_moment::KERNEL,
    quality::ssim::KERNEL,
    quality::motion::KERNEL,
    quality::motion_v2::KERNEL,
    quality::adm::KERNEL,
    quality::psnr_hvs::KERNEL,
    quality::cambi::KERNEL,
    quality::cambi::FULL_REFERENCE,
    quality::vif::KERNEL,
    imaging::sharpness::KERNEL,
    imaging::tone::KERNEL,
    imaging::colourise::KERNEL,
    imaging::geometry::KERNEL,
    imaging::accumulate::KERNEL,
    imaging::stack::KERNEL,
    imaging::unsharp::KERNEL,
    imaging::wavelet::KERNEL,
    imaging::denoise::KERNEL,
    imaging::deconvolve::KERNEL,
    imaging::edit_list::KERNEL,
];

/// Every kernel and control of this workspace.
pub const fn registry() -> Registry {
    Registry {
        kernels: KERNELS,
        controls: controls::CONTROLS,
    }
}
