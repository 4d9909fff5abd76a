//! From a name on the command line to an open backend.

use anyhow::{Context as _, Result, anyhow};
use camino::Utf8Path;
use isobit_gate::config::{Config, Lane};
use isobit_wgpu::backend::{Backend, Opened};

/// Opens `cpu`, `auto`, or the lane of that name of the workspace.
pub fn open(name: &str) -> Result<Opened> {
    let backend = match name {
        "cpu" => Backend::Cpu,
        "auto" => Backend::Auto,
        lane => Backend::Lane(adapter(lane)?),
    };
    let opened = backend.open().with_context(|| format!("cannot open backend `{name}`"));
    opened.map_err(|error| anyhow!("{error:#}\nhint: --backend cpu, or see what is there: cargo xtask doctor"))
}

/// What runs, in a line.
pub fn description(opened: &Opened) -> String {
    match opened.adapter() {
        Some(adapter) => format!("backend: {}, {}\n", adapter.name, adapter.driver_info),
        None => match opened.passed_over().first() {
            None => "backend: the references, on the CPU\n".to_owned(),
            Some(first) => format!("backend: the references, on the CPU, as no GPU could be opened: {first}\n"),
        },
    }
}

fn adapter(lane: &str) -> Result<isobit::execution::AdapterRequest> {
    let root = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let config = Config::load(&root)?;
    // Lanes of containers and of other programs are no adapters of this process.
    let of_process = |lane: &&Lane| lane.worker.is_none() && !lane.name.contains('@');
    let lanes = || config.matrix.lanes.iter().filter(of_process);
    let named = lanes().find(|known| known.name == lane);
    let names = || {
        lanes()
            .map(|lane| format!("`{}`", lane.name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let lane = named.ok_or_else(|| {
        anyhow!(
            "unknown backend `{lane}`\nhint: the backends are `cpu`, `auto`, and the lanes {}",
            names()
        )
    })?;
    Ok(lane.adapter.clone())
}
