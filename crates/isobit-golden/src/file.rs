//! A master as bytes: postcard, compressed with zstd.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::master::Master;

/// Bytes that no master reaches: a damaged file must not fill the memory.
const MOST_BYTES: u64 = 256 << 20;

/// Why bytes are no master.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// They are no whole zstd stream.
    #[error("it cannot be decompressed: {0}")]
    Compression(String),
    /// They hold something else.
    #[error("it does not hold a master: {0}")]
    Content(#[from] postcard::Error),
}

impl Master {
    /// The content of a master's file.
    ///
    /// # Errors
    /// Never for a master that was made or read here.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FileError> {
        let plain = postcard::to_stdvec(self)?;
        Ok(compress_to_vec(plain.as_slice(), CompressionLevel::Fastest))
    }

    /// The master in a file's content.
    ///
    /// # Errors
    /// If it is none, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let damaged = |error: &dyn std::fmt::Display| FileError::Compression(error.to_string());
        let decoder = StreamingDecoder::new(bytes).map_err(|error| damaged(&error))?;
        let mut plain = Vec::new();
        let mut limited = decoder.take(MOST_BYTES);
        limited.read_to_end(&mut plain).map_err(|error| damaged(&error))?;
        Ok(postcard::from_bytes(&plain)?)
    }
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Format, Layout};
    use isobit::output::ElementKind;

    use super::*;
    use crate::master::{Case, Content, Pinned};

    fn master() -> Master {
        let output = |content| Pinned {
            metric: "m".to_owned(),
            frame: 1,
            plane: 2,
            width: 300,
            height: 1,
            kind: ElementKind::U32,
            content,
        };
        Master {
            cases: vec![Case {
                fixture: "f".to_owned(),
                format: Format::new(Layout::Rgb, Depth::U10),
                outputs: vec![output(Content::Whole(vec![7; 1200])), output(Content::Digest([9; 32]))],
            }],
        }
    }

    #[test]
    fn a_file_gives_its_master_back() {
        let bytes = master().to_bytes().unwrap();
        assert!(bytes.len() < 400, "{}", bytes.len());
        assert_eq!(Master::from_bytes(&bytes).unwrap(), master());
    }

    #[test]
    fn what_is_no_master_is_an_error_that_says_so() {
        let bytes = master().to_bytes().unwrap();
        assert!(matches!(Master::from_bytes(b"{}"), Err(FileError::Compression(_))));
        assert!(Master::from_bytes(&bytes[..bytes.len() / 2]).is_err());
        let other = compress_to_vec(&b"\xff"[..], CompressionLevel::Fastest);
        assert!(matches!(Master::from_bytes(&other), Err(FileError::Content(_))));
    }
}
