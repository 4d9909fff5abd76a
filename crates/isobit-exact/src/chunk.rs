//! WGSL chunks and how they are joined to a module.

use crate::{divide, grid, math, ordered, reduce, samples, seal, soft, soft64, square_root, wide};

/// A piece of WGSL that modules build on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The name by which a module or another chunk asks for it.
    pub name: &'static str,
    /// The names of the chunks whose declarations it uses.
    pub needs: &'static [&'static str],
    /// The declarations.
    pub source: &'static str,
}

/// Every chunk, each behind those it needs.
pub const CHUNKS: &[Chunk] = &[
    wide::CHUNK,
    samples::CHUNK,
    grid::CHUNK,
    seal::CHUNK,
    soft::CHUNK,
    soft64::CHUNK,
    divide::CHUNK,
    square_root::CHUNK,
    ordered::CHUNK,
    reduce::CHUNK,
    math::core::CHUNK,
    math::exp::CHUNK,
    math::exp2::CHUNK,
    math::log::CHUNK,
    math::log2::CHUNK,
    math::log10::CHUNK,
    math::pow::CHUNK,
    math::cbrt::CHUNK,
    math::hypot::CHUNK,
    math::turn::CHUNK,
    math::sin::CHUNK,
    math::cos::CHUNK,
    math::atan2::CHUNK,
];

/// Why chunks cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// No chunk has that name.
    #[error("no WGSL chunk is named `{name}`: the chunks are {}", CHUNKS.iter().map(|c| format!("`{}`", c.name)).collect::<Vec<_>>().join(", "))]
    Missing {
        /// The name that was asked for.
        name: String,
    },
    /// The same chunk was asked for twice.
    #[error("the WGSL chunk `{name}` is asked for twice")]
    Doubled {
        /// The name of the chunk.
        name: String,
    },
}

/// `body` behind the chunks named in `names` and all that these need, each once and in order of dependency.
///
/// # Errors
/// If a name is not a chunk's, or is given twice.
pub fn join(names: &[&str], body: &str) -> Result<String, JoinError> {
    join_from(CHUNKS, names, body)
}

/// [`join`] over any list in which each chunk stands behind those it needs.
fn join_from(chunks: &[Chunk], names: &[&str], body: &str) -> Result<String, JoinError> {
    let position = |name: &str| {
        let found = chunks.iter().position(|chunk| chunk.name == name);
        found.ok_or_else(|| JoinError::Missing { name: name.to_owned() })
    };
    let mut wanted = vec![false; chunks.len()];
    for name in names {
        if std::mem::replace(&mut wanted[position(name)?], true) {
            return Err(JoinError::Doubled {
                name: (*name).to_owned(),
            });
        }
    }
    // Needs point towards the front of the list, so one walk from its end reaches all of them.
    for index in (0..chunks.len()).rev() {
        if wanted[index] {
            for need in chunks[index].needs {
                wanted[position(need)?] = true;
            }
        }
    }
    let sources = chunks.iter().zip(wanted).filter(|(_, wanted)| *wanted);
    let mut parts: Vec<&str> = sources.map(|(chunk, _)| chunk.source.trim_end()).collect();
    parts.push(body.trim_end());
    Ok(parts.join("\n\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn chunk(name: &'static str, needs: &'static [&'static str], source: &'static str) -> Chunk {
        Chunk { name, needs, source }
    }

    const ABC: &[Chunk] = &[
        chunk("a", &[], "fn a() {}\n"),
        chunk("b", &["a"], "fn b() {}\n"),
        chunk("c", &["b", "a"], "fn c() {}\n"),
    ];

    #[test]
    fn needs_come_first_and_once() {
        let joined = join_from(ABC, &["c", "a"], "fn body() {}").unwrap();
        assert_eq!(joined, "fn a() {}\n\nfn b() {}\n\nfn c() {}\n\nfn body() {}\n");
        assert_eq!(
            join_from(ABC, &["a"], "fn body() {}").unwrap(),
            "fn a() {}\n\nfn body() {}\n"
        );
        assert_eq!(join_from(ABC, &[], "fn body() {}\n").unwrap(), "fn body() {}\n");
    }

    #[test]
    fn a_missing_chunk_is_named() {
        let message = join(&["wide", "deep"], "").unwrap_err().to_string();
        let known = "no WGSL chunk is named `deep`: the chunks are `wide`, `samples`, `grid`, ";
        assert!(message.starts_with(known), "{message}");
        let broken = [chunk("a", &["z"], "")];
        assert_eq!(
            join_from(&broken, &["a"], ""),
            Err(JoinError::Missing { name: "z".to_owned() })
        );
    }

    #[test]
    fn a_doubled_chunk_is_refused() {
        assert_eq!(
            join(&["wide", "grid", "wide"], ""),
            Err(JoinError::Doubled {
                name: "wide".to_owned()
            })
        );
    }

    #[test]
    fn each_chunk_stands_behind_its_needs_under_a_name_of_its_own() {
        for (index, chunk) in CHUNKS.iter().enumerate() {
            let before: Vec<_> = CHUNKS[..index].iter().map(|chunk| chunk.name).collect();
            assert!(!before.contains(&chunk.name), "`{}` twice", chunk.name);
            for need in chunk.needs {
                assert!(before.contains(need), "`{}` needs `{need}`, not before it", chunk.name);
            }
        }
    }

    #[test]
    fn every_chunk_is_valid_wgsl_with_no_more_than_its_needs() {
        for chunk in CHUNKS {
            let source = join(&[chunk.name], "").unwrap();
            let module = naga::front::wgsl::parse_str(&source)
                .unwrap_or_else(|error| panic!("{}: {}", chunk.name, error.emit_to_string(&source)));
            naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
                .validate(&module)
                .unwrap_or_else(|error| panic!("{}: {error:?}", chunk.name));
        }
    }
}
