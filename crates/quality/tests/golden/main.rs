//! Holds the references to the scores that libvmaf printed, 17 digits each, for the 36 golden clips.
//!
//! The files under `golden/` are parts of what Netflix/vmaf at commit f85a8536, built as scalar C, printed for the fixtures
//! that are named there. One module here a file.

#![expect(
    clippy::unwrap_used,
    reason = "a golden file or fixture that does not load fails the test"
)]

mod adm;
mod cambi;
mod clips;
mod float_psnr;
mod motion;
mod psnr_and_moment;
mod psnr_hvs;
mod ssim;
mod vif;
