//! `gate`: what can be judged without a device. Prints each finding with what repairs it.

use std::process::ExitCode;

use anyhow::Result;
use isobit_gate::check::{self, Class, Finding};
use isobit_gate::config::Config;
use isobit_registry::registry;

use crate::workspace::Workspace;

/// Check without a device that kernels, tolerances, exact twins and records agree
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(workspace: &Workspace, _: &Args) -> Result<ExitCode> {
    check(workspace).map(ExitCode::from)
}

/// Checks and prints; returns the exit code.
pub fn check(workspace: &Workspace) -> Result<u8> {
    let config = Config::load(&workspace.root)?;
    let registry = registry();
    let findings = check::run(&registry, &config, &workspace.root);
    anstream::eprint!("{}", render(&findings));
    if findings.is_empty() {
        let (kernels, controls) = (registry.kernels.len(), registry.controls.len());
        let (fragments, records) = (config.fragments.len(), config.records.len());
        anstream::println!(
            "gate: {kernels} kernels, {controls} controls, {fragments} exact twins and {records} records agree"
        );
    }
    Ok(check::exit_code(&findings))
}

fn render(findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let class = match finding.class {
            Class::Wrong => "error",
            Class::Stale => "stale",
        };
        format!("{class}: {}\nhint: {}\n", finding.message, finding.hint)
    };
    let mut text: String = findings.iter().map(line).collect();
    if let Some(command) = check::measure_all(findings) {
        text.push_str(&format!("hint: all that is stale, in one run: {command}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_finding_comes_with_what_repairs_it() {
        let finding = |class, message: &str, hint: &str| Finding {
            class,
            message: message.to_owned(),
            hint: hint.to_owned(),
            lane: (class == Class::Stale).then(|| "lavapipe".to_owned()),
        };
        let text = render(&[
            finding(Class::Wrong, "`ci/gate.toml` names no twin `psnr/exact`", "add it"),
            finding(Class::Stale, "`psnr.lavapipe` was measured before", "measure it"),
        ]);
        assert_eq!(
            text,
            "error: `ci/gate.toml` names no twin `psnr/exact`\nhint: add it\n\
             stale: `psnr.lavapipe` was measured before\nhint: measure it\n"
        );
        let stale = || finding(Class::Stale, "it was measured before", "measure it");
        let text = render(&[stale(), stale()]);
        assert!(
            text.ends_with(
                "hint: all that is stale, in one run: cargo xtask parity --matrix --record --stale --lanes lavapipe\n"
            ),
            "{text}"
        );
    }
}
