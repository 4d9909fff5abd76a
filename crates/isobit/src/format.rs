//! Sample formats: a bit depth and a layout of planes. Holds no samples.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The width of one sample, and how it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Depth {
    /// Eight bits in one byte.
    #[serde(rename = "8")]
    U8,
    /// Ten bits in the low end of a little-endian `u16`.
    #[serde(rename = "10")]
    U10,
    /// Twelve bits in the low end of a little-endian `u16`.
    #[serde(rename = "12")]
    U12,
    /// A whole little-endian `u16`.
    #[serde(rename = "16")]
    U16,
    /// A little-endian IEEE 754 binary32.
    #[serde(rename = "f32")]
    F32,
}

impl Depth {
    /// Every depth, narrowest first.
    pub const ALL: [Self; 5] = [Self::U8, Self::U10, Self::U12, Self::U16, Self::F32];
    /// The depths whose samples are integer codes.
    pub const INTEGER: [Self; 4] = [Self::U8, Self::U10, Self::U12, Self::U16];

    /// Significant bits of a sample.
    pub const fn bits(self) -> u32 {
        match self {
            Self::U8 => 8,
            Self::U10 => 10,
            Self::U12 => 12,
            Self::U16 => 16,
            Self::F32 => 32,
        }
    }

    /// Bytes that a stored sample takes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U10 | Self::U12 | Self::U16 => 2,
            Self::F32 => 4,
        }
    }

    /// The largest code of an integer depth; `None` for float samples.
    pub const fn max_code(self) -> Option<u32> {
        match self {
            Self::F32 => None,
            _ => Some((1 << self.bits()) - 1),
        }
    }

    /// The name used on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "8",
            Self::U10 => "10",
            Self::U12 => "12",
            Self::U16 => "16",
            Self::F32 => "f32",
        }
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Depth {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|depth| depth.name() == name)
            .ok_or_else(|| UnknownName::new("depth", name, Self::ALL.map(Self::name)))
    }
}

/// How the samples of a frame are divided into planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Y, Cb, Cr; chroma halved in both directions.
    Yuv420,
    /// Y, Cb, Cr; chroma halved horizontally.
    Yuv422,
    /// Y, Cb, Cr at full size.
    Yuv444,
    /// R, G, B, one plane each.
    Rgb,
    /// One plane.
    Mono,
    /// One plane of RGGB colour-filter samples.
    Bayer,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Self; 6] = [
        Self::Yuv420,
        Self::Yuv422,
        Self::Yuv444,
        Self::Rgb,
        Self::Mono,
        Self::Bayer,
    ];
    /// The layouts with a luma and two chroma planes.
    pub const YUV: [Self; 3] = [Self::Yuv420, Self::Yuv422, Self::Yuv444];

    /// The names of the planes, in storage order.
    pub const fn plane_names(self) -> &'static [&'static str] {
        match self {
            Self::Yuv420 | Self::Yuv422 | Self::Yuv444 => &["y", "cb", "cr"],
            Self::Rgb => &["r", "g", "b"],
            Self::Mono => &["mono"],
            Self::Bayer => &["bayer"],
        }
    }

    /// The number of planes.
    pub const fn planes(self) -> usize {
        self.plane_names().len()
    }

    /// Horizontal and vertical subsampling of `plane`.
    pub const fn subsampling(self, plane: usize) -> (u32, u32) {
        match self {
            Self::Yuv420 if plane > 0 => (2, 2),
            Self::Yuv422 if plane > 0 => (2, 1),
            _ => (1, 1),
        }
    }

    /// The size of `plane` in a frame of `width` × `height`; odd sizes round chroma up.
    pub const fn plane_size(self, plane: usize, width: u32, height: u32) -> (u32, u32) {
        let (sx, sy) = self.subsampling(plane);
        (width.div_ceil(sx), height.div_ceil(sy))
    }

    /// The name used on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yuv420 => "yuv420",
            Self::Yuv422 => "yuv422",
            Self::Yuv444 => "yuv444",
            Self::Rgb => "rgb",
            Self::Mono => "mono",
            Self::Bayer => "bayer",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Layout {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|layout| layout.name() == name)
            .ok_or_else(|| UnknownName::new("layout", name, Self::ALL.map(Self::name)))
    }
}

/// A layout at a depth, written `yuv420-10` or `rgb-f32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Format {
    /// How samples are divided into planes.
    pub layout: Layout,
    /// How a sample is stored.
    pub depth: Depth,
}

impl Format {
    /// A layout at a depth.
    pub const fn new(layout: Layout, depth: Depth) -> Self {
        Self { layout, depth }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}-{}", self.layout.name(), self.depth.name()))
    }
}

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let (layout, depth) = name
            .rsplit_once('-')
            .ok_or_else(|| UnknownName::new("format", name, ["yuv420-8", "yuv444-16", "rgb-f32"]))?;
        Ok(Self::new(layout.parse()?, depth.parse()?))
    }
}

impl Serialize for Format {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

/// A name that is not in a closed list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}`: expected one of {}", known.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "))]
pub struct UnknownName {
    /// What kind of thing was named.
    pub what: &'static str,
    /// The name as given.
    pub name: String,
    /// The names that exist.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    fn new(what: &'static str, name: &str, known: impl Into<Vec<&'static str>>) -> Self {
        Self {
            what,
            name: name.to_owned(),
            known: known.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for layout in Layout::ALL {
            for depth in Depth::ALL {
                let format = Format::new(layout, depth);
                assert_eq!(format.to_string().parse(), Ok(format));
                let json = serde_json::to_string(&format).unwrap();
                assert_eq!(serde_json::from_str::<Format>(&json).unwrap(), format);
            }
        }
    }

    #[test]
    fn chroma_of_odd_sizes_rounds_up() {
        assert_eq!(Layout::Yuv420.plane_size(1, 357, 353), (179, 177));
        assert_eq!(Layout::Yuv422.plane_size(2, 357, 353), (179, 353));
        assert_eq!(Layout::Yuv420.plane_size(1, 1, 1), (1, 1));
        assert_eq!(Layout::Yuv444.plane_size(1, 357, 353), (357, 353));
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let message = "9".parse::<Depth>().unwrap_err().to_string();
        assert_eq!(
            message,
            "unknown depth `9`: expected one of `8`, `10`, `12`, `16`, `f32`"
        );
    }
}
