//! Kernels with options set: those that `ci/matrix.toml` declares to be part of the matrix, and those that a run asks for.
//! Each is a kernel of its own from here on.

use isobit::kernel::{Kernel, Registry};
use isobit::options::OptionError;

use crate::args::RunArgs;
use crate::config::{Config, MATRIX, Variant};
use crate::names;

/// Why there is no such variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// A variant is declared of a kernel that does not exist.
    #[error("`{MATRIX}` declares a variant of kernel `{kernel}`, which does not exist\nhint: the kernels are {known}")]
    Kernel {
        /// The name as declared.
        kernel: String,
        /// The names that exist, as a list.
        known: String,
    },
    /// A variant is the same kernel as another, or as the kernel without options.
    #[error(
        "`{MATRIX}` declares variant `{name}` of kernel `{kernel}`, and that kernel is in the matrix already\nhint: remove the entry, or set an option to another value than its default"
    )]
    Same {
        /// Name of the kernel.
        kernel: String,
        /// The name that follows from its options.
        name: String,
    },
    /// An option cannot be set.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// `registry` with the variants of `config`, each behind the kernel that it is a variant of.
///
/// # Errors
/// On an unknown kernel or option, and on a variant that adds nothing.
pub fn declared(registry: &Registry, config: &Config) -> Result<Registry, VariantError> {
    if config.matrix.variants.is_empty() {
        return Ok(*registry);
    }
    let mut kernels: Vec<Kernel> = registry.kernels.to_vec();
    for Variant {
        kernel: name, options, ..
    } in &config.matrix.variants
    {
        let unknown = || VariantError::Kernel {
            kernel: name.clone(),
            known: names::list(registry.kernels.iter().map(|kernel| kernel.name)),
        };
        let kernel = registry
            .kernels
            .iter()
            .find(|kernel| kernel.name == name)
            .ok_or_else(unknown)?;
        let options: Vec<_> = options
            .iter()
            .map(|(name, value)| (name.clone(), value.to_string()))
            .collect();
        let variant = kernel.with_options(&options)?;
        if kernels.iter().any(|kernel| kernel.name == variant.name) {
            return Err(VariantError::Same {
                kernel: name.clone(),
                name: variant.name.to_owned(),
            });
        }
        let behind = kernels.iter().rposition(|other| other.base(other.name) == kernel.name);
        kernels.insert(behind.map_or(kernels.len(), |place| place + 1), variant);
    }
    Ok(Registry {
        kernels: kernels.leak(),
        ..*registry
    })
}

/// What a run with options covers: `registry`, and `args` that name the kernels with `args.options` set.
///
/// # Errors
/// If a kernel that `args` names does not know an option. A name that does not exist is the manifest's to refuse.
pub fn asked(registry: &Registry, args: &RunArgs) -> Result<(Registry, RunArgs), VariantError> {
    let mut args = args.clone();
    if args.options.is_empty() {
        return Ok((*registry, args));
    }
    let mut kernels: Vec<Kernel> = registry.kernels.to_vec();
    for name in &mut args.kernels {
        let Some(kernel) = registry.kernels.iter().find(|kernel| kernel.name == name) else {
            continue;
        };
        let variant = kernel.with_options(&args.options)?;
        variant.name.clone_into(name);
        if kernels.iter().all(|kernel| kernel.name != variant.name) {
            kernels.push(variant);
        }
    }
    let registry = Registry {
        kernels: kernels.leak(),
        ..*registry
    };
    Ok((registry, args))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy;

    fn variants_of(toml: &str) -> Vec<Variant> {
        let mut tables: std::collections::BTreeMap<String, Vec<Variant>> = toml::from_str(toml).unwrap();
        tables.remove("variant").unwrap()
    }

    fn with(toml: &str) -> Result<Registry, VariantError> {
        let mut config = toy::config();
        config.matrix.variants = variants_of(toml);
        declared(&toy::REGISTRY, &config)
    }

    fn names(registry: &Registry) -> Vec<&'static str> {
        registry.kernels.iter().map(|kernel| kernel.name).collect()
    }

    #[test]
    fn a_variant_stands_behind_its_kernel() {
        let before = names(&toy::REGISTRY);
        let after = names(&with("[[variant]]\nkernel = \"invert\"\noptions = { offset = 1 }").unwrap());
        assert_eq!(after.len(), before.len() + 1);
        let place = before.iter().position(|name| *name == "invert").unwrap();
        assert_eq!(after[place + 1], "invert_o_1");
    }

    #[test]
    fn a_variant_with_fixtures_has_cells_of_no_other() {
        let text = "[[variant]]\nkernel = \"invert\"\noptions = { offset = 1 }\nfixtures = [\"odd\"]";
        let mut config = toy::config();
        config.matrix.variants = variants_of(text);
        let registry = declared(&toy::REGISTRY, &config).unwrap();
        let args = RunArgs {
            matrix: true,
            ..RunArgs::default()
        };
        let manifest = crate::manifest::Manifest::plan(&registry, &config, &args, None).unwrap();
        let fixtures = |kernel: &str| -> std::collections::BTreeSet<String> {
            let cells = manifest.cells.iter().filter(|cell| cell.kernel.name == kernel);
            cells.map(|cell| cell.source.name().to_owned()).collect()
        };
        assert_eq!(fixtures("invert_o_1"), ["odd".to_owned()].into());
        assert!(fixtures("invert").len() > 1);
    }

    #[test]
    fn what_adds_nothing_or_does_not_exist_is_refused() {
        let refused = |toml: &str| with(toml).unwrap_err();
        let same = refused("[[variant]]\nkernel = \"invert\"\noptions = { offset = 0 }");
        assert!(matches!(same, VariantError::Same { .. }), "{same}");
        let kernel = refused("[[variant]]\nkernel = \"convert\"\noptions = { offset = 1 }");
        assert!(matches!(kernel, VariantError::Kernel { .. }), "{kernel}");
        let option = refused("[[variant]]\nkernel = \"invert\"\noptions = { ofset = 1 }");
        assert!(matches!(option, VariantError::Option(_)), "{option}");
    }

    #[test]
    fn a_run_with_options_names_the_kernel_that_has_them() {
        let args = RunArgs {
            kernels: vec!["invert".to_owned()],
            options: vec![("offset".to_owned(), "2".to_owned())],
            ..RunArgs::default()
        };
        let (registry, args) = asked(&toy::REGISTRY, &args).unwrap();
        assert_eq!(args.kernels, ["invert_o_2"]);
        assert!(names(&registry).contains(&"invert_o_2"));
    }
}
