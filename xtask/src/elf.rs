//! What the headers of a shared library say: its machine and the glibc that it needs. Reads files, loads nothing.

use std::io::Read as _;

use anyhow::{Context as _, Result, bail};
use camino::Utf8Path;
use object::Endianness;
use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader as _};

/// The machine that a library is built for, as ELF numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine(u16);

impl Machine {
    /// The machine of this program; absent where its libraries are not ELF or the machine has no number here.
    pub const fn ours() -> Option<Self> {
        if cfg!(not(target_os = "linux")) {
            return None;
        }
        let number = if cfg!(target_arch = "x86_64") {
            elf::EM_X86_64
        } else if cfg!(target_arch = "aarch64") {
            elf::EM_AARCH64
        } else if cfg!(target_arch = "x86") {
            elf::EM_386
        } else if cfg!(target_arch = "arm") {
            elf::EM_ARM
        } else if cfg!(any(target_arch = "riscv64", target_arch = "riscv32")) {
            elf::EM_RISCV
        } else if cfg!(target_arch = "s390x") {
            elf::EM_S390
        } else if cfg!(target_arch = "powerpc64") {
            elf::EM_PPC64
        } else if cfg!(target_arch = "loongarch64") {
            elf::EM_LOONGARCH
        } else {
            return None;
        };
        Some(Self(number))
    }

    /// Whether a library for this machine can be loaded here; unknown machines get the benefit of the doubt.
    pub fn loads_here(self) -> bool {
        Self::ours().is_none_or(|ours| ours == self)
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            elf::EM_X86_64 => f.write_str("x86_64"),
            elf::EM_AARCH64 => f.write_str("aarch64"),
            elf::EM_386 => f.write_str("x86"),
            elf::EM_ARM => f.write_str("arm"),
            elf::EM_RISCV => f.write_str("riscv"),
            number => write!(f, "ELF machine {number}"),
        }
    }
}

/// The machine in the first bytes of a library.
pub fn machine(path: &Utf8Path) -> Result<Machine> {
    let mut head = Vec::new();
    fs_err::File::open(path)?.take(64).read_to_end(&mut head)?;
    let number = match object::FileKind::parse(&*head) {
        Ok(object::FileKind::Elf64) => {
            let header = FileHeader64::<Endianness>::parse(&*head)?;
            header.e_machine(header.endian()?)
        }
        Ok(object::FileKind::Elf32) => {
            let header = FileHeader32::<Endianness>::parse(&*head)?;
            header.e_machine(header.endian()?)
        }
        _ => bail!("`{path}` is not an ELF library"),
    };
    Ok(Machine(number))
}

/// A version of glibc, such as 2.36.
pub type Glibc = (u32, u32);

/// The newest glibc symbol version that a library asks for; `None` where it asks for none.
pub fn required_glibc(path: &Utf8Path) -> Result<Option<Glibc>> {
    let data = fs_err::read(path)?;
    let needed = match object::FileKind::parse(&*data) {
        Ok(object::FileKind::Elf64) => needed_versions::<FileHeader64<Endianness>>(&data),
        Ok(object::FileKind::Elf32) => needed_versions::<FileHeader32<Endianness>>(&data),
        _ => bail!("`{path}` is not an ELF library"),
    };
    let needed = needed.with_context(|| format!("cannot read the symbol versions of `{path}`"))?;
    Ok(needed
        .iter()
        .filter_map(|name| parse_glibc(name.strip_prefix("GLIBC_")?))
        .max())
}

/// `2.36` in `2.36` or `2.36.1`.
pub fn parse_glibc(text: &str) -> Option<Glibc> {
    let mut parts = text.split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

fn needed_versions<H: FileHeader<Endian = Endianness>>(data: &[u8]) -> object::Result<Vec<String>> {
    let header = H::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let mut names = Vec::new();
    for section in sections.iter() {
        let Some((mut needs, link)) = section.gnu_verneed(endian, data)? else {
            continue;
        };
        let strings = sections.strings(endian, data, link)?;
        while let Some((_, mut versions)) = needs.next()? {
            while let Some(version) = versions.next()? {
                names.push(String::from_utf8_lossy(version.name(endian, strings)?).into_owned());
            }
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_glibc_compare_as_numbers() {
        assert_eq!(parse_glibc("2.36"), Some((2, 36)));
        assert!(parse_glibc("2.4") < parse_glibc("2.17"));
        assert_eq!(parse_glibc("2.2.5"), Some((2, 2)));
        assert_eq!(parse_glibc("PRIVATE"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_program_loads_here() {
        let path = camino::Utf8PathBuf::from_path_buf(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(machine(&path).unwrap(), Machine::ours().unwrap());
        assert!(required_glibc(&path).unwrap() < Some((9, 0)));
    }

    #[test]
    fn a_text_is_no_library() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs_err::write(file.path(), "hello").unwrap();
        let path = Utf8Path::from_path(file.path()).unwrap();
        assert!(
            machine(path)
                .unwrap_err()
                .to_string()
                .ends_with("is not an ELF library")
        );
        assert!(required_glibc(path).is_err());
    }
}
