//! Whether a shared library can be loaded: where a bare name leads, the machine it is built for, what it lacks.

use std::collections::BTreeSet;

use anyhow::Result;
use camino::{Utf8Path, Utf8PathBuf};

use crate::elf;
use crate::proc::Proc;

/// The Vulkan loader.
pub const LOADER: &str = "libvulkan.so.1";

/// Folders that the dynamic linker tries last.
const LAST: [&str; 4] = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"];

/// Where the dynamic linker looks for a bare name.
#[derive(Clone, Debug, Default)]
pub struct Search {
    folders: Vec<Utf8PathBuf>,
    cache: Vec<(String, Utf8PathBuf)>,
}

impl Search {
    /// This machine's order: `LD_LIBRARY_PATH`, the linker's cache, the default folders.
    pub fn here(proc: &Proc) -> Result<Self> {
        let variable = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
        let program = if Proc::has("ldconfig") {
            "ldconfig"
        } else {
            "/sbin/ldconfig"
        };
        let cache = if Proc::has(program) {
            String::from_utf8_lossy(&proc.output(proc.cmd(program).arg("-p"))?.stdout).into_owned()
        } else {
            String::new()
        };
        Ok(Self {
            folders: variable
                .split(':')
                .filter(|dir| !dir.is_empty())
                .map(Utf8PathBuf::from)
                .collect(),
            cache: parse_cache(&cache),
        })
    }

    /// The library that a bare name leads to; those of another machine are passed over, as the linker does.
    pub fn find(&self, name: &str) -> Option<Utf8PathBuf> {
        let first = self.folders.iter().map(|folder| folder.join(name));
        let cached = self
            .cache
            .iter()
            .filter(|(cached, _)| cached == name)
            .map(|(_, path)| path.clone());
        let last = LAST.iter().map(|folder| Utf8Path::new(folder).join(name));
        let fits = |path: &Utf8PathBuf| path.is_file() && elf::machine(path).is_ok_and(elf::Machine::loads_here);
        first.chain(cached).chain(last).find(fits)
    }
}

/// Why a library does not load; `Ok` with its path where nothing speaks against it.
///
/// `folders` are searched before the system's, as `LD_LIBRARY_PATH` is.
pub fn inspect(
    proc: &Proc,
    search: &Search,
    library: &Utf8Path,
    folders: &[Utf8PathBuf],
) -> Result<std::result::Result<Utf8PathBuf, String>> {
    let path = if library.components().count() > 1 {
        library.to_owned()
    } else {
        match search.find(library.as_str()) {
            Some(path) => path,
            None => return Ok(Err(format!("its library `{library}` is nowhere to be found"))),
        }
    };
    if !path.is_file() {
        return Ok(Err(format!("its library `{path}` does not exist")));
    }
    match elf::machine(&path) {
        Ok(machine) if !machine.loads_here() => {
            return Ok(Err(format!("its library `{path}` is built for {machine}")));
        }
        Ok(_) => {}
        Err(error) => return Ok(Err(format!("{error:#}"))),
    }
    let lacks = lacking(proc, &path, folders)?;
    if lacks.is_empty() {
        return Ok(Ok(path));
    }
    let lacks: Vec<_> = lacks.iter().map(|lack| format!("`{lack}`")).collect();
    Ok(Err(format!("its library `{path}` lacks {}", lacks.join(", "))))
}

/// What `ldd` cannot resolve; empty where there is no `ldd`.
pub fn lacking(proc: &Proc, library: &Utf8Path, folders: &[Utf8PathBuf]) -> Result<Vec<String>> {
    if !Proc::has("ldd") {
        return Ok(Vec::new());
    }
    let mut command = proc.cmd("ldd").arg(library);
    if !folders.is_empty() {
        command = command.env("LD_LIBRARY_PATH", search_path(folders));
    }
    let output = proc.output(command.env("LC_ALL", "C"))?;
    let text = [output.stdout, output.stderr].concat();
    Ok(parse_ldd(&String::from_utf8_lossy(&text)))
}

/// Folders as one value of `LD_LIBRARY_PATH`, the person's own behind them.
pub fn search_path(folders: &[Utf8PathBuf]) -> String {
    let own = std::env::var("LD_LIBRARY_PATH").ok().filter(|own| !own.is_empty());
    let folders = folders.iter().map(ToString::to_string);
    folders.chain(own).collect::<Vec<_>>().join(":")
}

/// Pairs of name and path in the output of `ldconfig -p`.
fn parse_cache(text: &str) -> Vec<(String, Utf8PathBuf)> {
    let pair = |line: &str| {
        let (name, path) = line.trim().split_once(" => ")?;
        let name = name.split_once(" (").map_or(name, |(name, _)| name);
        Some((name.to_owned(), Utf8PathBuf::from(path)))
    };
    text.lines().filter_map(pair).collect()
}

/// Libraries and symbol versions that `ldd` reports as not found, in glibc's wording and in musl's.
fn parse_ldd(text: &str) -> Vec<String> {
    let lack = |line: &str| {
        let line = line.trim();
        if let Some((name, _)) = line.split_once(" => not found") {
            return Some(name.to_owned());
        }
        if let Some((_, rest)) = line.split_once("version `") {
            return rest.split_once("' not found").map(|(version, _)| version.to_owned());
        }
        let rest = line.strip_prefix("Error loading shared library ")?;
        rest.split_once(": ").map(|(name, _)| name.to_owned())
    };
    let lacks: BTreeSet<String> = text.lines().filter_map(lack).collect();
    lacks.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_libraries_and_versions_are_read_from_ldd() {
        let text = "\tlinux-vdso.so.1 (0x00007ffd)\n\
                    \tlibLLVM-15.so.1 => not found\n\
                    \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)\n\
                    ./a.so: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by ./a.so)\n\
                    ./a.so: /lib/x86_64-linux-gnu/libm.so.6: version `GLIBC_2.38' not found (required by ./a.so)\n";
        assert_eq!(parse_ldd(text), ["GLIBC_2.38", "libLLVM-15.so.1"]);
    }

    #[test]
    fn musl_words_it_differently() {
        let text = "Error loading shared library libz3.so.4: No such file or directory (needed by ./a.so)\n";
        assert_eq!(parse_ldd(text), ["libz3.so.4"]);
    }

    #[test]
    fn a_whole_library_lacks_nothing() {
        assert_eq!(
            parse_ldd("\tlibc.so.6 => /lib/libc.so.6 (0x7f)\n\t/lib64/ld-linux-x86-64.so.2 (0x7f)\n"),
            [""; 0]
        );
        assert_eq!(parse_ldd("\tstatically linked\n"), [""; 0]);
    }

    #[test]
    fn the_linkers_cache_is_read() {
        let text = "2 libs found in cache `/etc/ld.so.cache'\n\
                    \tlibvulkan.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libvulkan.so.1\n\
                    \tlibz.so.1 (libc6,AArch64, OS ABI: Linux 3.7.0) => /lib/aarch64-linux-gnu/libz.so.1\n";
        let cache = parse_cache(text);
        assert_eq!(cache.len(), 2);
        assert_eq!(
            cache[0],
            (LOADER.to_owned(), "/lib/x86_64-linux-gnu/libvulkan.so.1".into())
        );
    }

    #[test]
    fn a_library_that_is_not_there_is_named() {
        let proc = Proc::new(Utf8Path::new("/")).unwrap();
        let found = inspect(&proc, &Search::default(), Utf8Path::new("/nowhere/libx.so"), &[]).unwrap();
        assert_eq!(found, Err("its library `/nowhere/libx.so` does not exist".to_owned()));
        let found = inspect(&proc, &Search::default(), Utf8Path::new("libisobit-none.so"), &[]).unwrap();
        assert_eq!(
            found,
            Err("its library `libisobit-none.so` is nowhere to be found".to_owned())
        );
    }
}
