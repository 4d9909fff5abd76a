//! The two ways in which a device computes one and the same text: exactly, or with its own arithmetic.

use isobit::kernel::KernelError;

/// How a twin computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// With the chunks of `isobit-exact`.
    Exact,
    /// With the device's own operations and functions under the chunks' names, which a compiler may fuse and reorder.
    Native,
}

/// The chunks that [`Arithmetic::Native`] replaces, and their functions in the device's arithmetic.
const NATIVE: &[(&str, &str)] = &[
    ("seal", include_str!("arithmetic/seal.wgsl")),
    ("divide", include_str!("arithmetic/divide.wgsl")),
    ("square_root", include_str!("arithmetic/square_root.wgsl")),
    ("math_exp", include_str!("arithmetic/exp.wgsl")),
    ("math_log", include_str!("arithmetic/log.wgsl")),
    ("math_pow", include_str!("arithmetic/pow.wgsl")),
    ("math_sin", include_str!("arithmetic/sin.wgsl")),
    ("math_cos", include_str!("arithmetic/cos.wgsl")),
];

impl Arithmetic {
    /// `source` behind the chunks that it names, and behind the range of samples of `raster.wgsl`.
    pub(crate) fn module(self, kernel: &'static str, chunks: &[&str], source: &str) -> Result<String, KernelError> {
        let replaced = |name: &&str| NATIVE.iter().find(|(chunk, _)| chunk == name);
        let (kept, native): (Vec<&str>, Vec<&str>) = match self {
            Self::Exact => (chunks.to_vec(), Vec::new()),
            Self::Native => (
                chunks.iter().copied().filter(|name| replaced(name).is_none()).collect(),
                chunks.iter().filter_map(replaced).map(|(_, source)| *source).collect(),
            ),
        };
        let body = [native.concat().as_str(), include_str!("raster.wgsl"), source].join("\n");
        isobit_exact::join(&kept, &body).map_err(|error| KernelError::Module {
            kernel,
            message: error.to_string(),
        })
    }
}
