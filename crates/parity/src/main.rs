//! The gate over this workspace's kernels.

fn main() -> std::process::ExitCode {
    isobit_runner::main(&isobit_registry::registry())
}
