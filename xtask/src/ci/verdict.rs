//! `ci verdict`: whether a run of the workflow is green as a whole. A job that was skipped counts only where that was
//! declared: GitHub itself takes a skipped job for a success.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use isobit_gate::config::{Ci, Config, Job, Workflow};
use serde::Deserialize;

use super::render::QUICK;
use super::summary;
use crate::failure::{DIFFERENT, UNTRUSTED};
use crate::workspace::Workspace;

/// Judge a run of the workflow by the results of its jobs
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The results of the jobs: the workflow's `needs` as JSON
    #[arg(long, value_name = "JSON", env = "ISOBIT_CI_NEEDS", hide_env_values = true)]
    needs: String,
    /// The event that started the run
    #[arg(long, value_name = "NAME", env = "ISOBIT_CI_EVENT", hide_env_values = true)]
    event: String,
}

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<ExitCode> {
    let config = Config::load(&workspace.root)?;
    let needs: BTreeMap<String, Need> =
        serde_json::from_str(&args.needs).context("the results of the jobs are not the JSON of `needs`")?;
    let enabled = |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    let judged = judge(&config.matrix.ci, &needs, &args.event, &enabled);
    let page = page(&judged);
    anstream::print!("{page}");
    if std::env::var_os("GITHUB_STEP_SUMMARY").is_some() {
        summary::show(&page)?;
    }
    Ok(ExitCode::from(code(&judged)))
}

/// What GitHub tells about a job that was needed.
#[derive(Debug, Deserialize)]
struct Need {
    result: String,
}

/// A job and what became of it.
#[derive(Debug, PartialEq, Eq)]
struct Judged {
    name: String,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Passed,
    /// It ran and was red, or was cancelled.
    Red(String),
    /// It did not run, for a reason declared beforehand.
    Declared(String),
    /// It did not run, and nothing says that it need not.
    Absent(String),
}

/// Judges every job that the workflow has to have, and every one that it should not.
fn judge(ci: &Ci, needs: &BTreeMap<String, Need>, event: &str, enabled: &dyn Fn(&str) -> bool) -> Vec<Judged> {
    let mut expected: Vec<(String, Option<String>)> = vec![(QUICK.to_owned(), None)];
    for job in ci.jobs.iter().filter(|job| job.workflow == Workflow::Ci) {
        let reason = declared(job, event, enabled);
        expected.push((job.name.clone(), reason.clone()));
        expected.extend(job.merge().map(|merge| (merge, reason)));
    }
    let foreign = needs
        .keys()
        .filter(|name| !expected.iter().any(|(known, _)| known == *name));
    let foreign: Vec<Judged> = foreign
        .map(|name| Judged {
            name: name.clone(),
            state: State::Absent("`ci/matrix.toml` declares no such job".to_owned()),
        })
        .collect();
    let judged = expected.into_iter().map(|(name, reason)| {
        let state = match (needs.get(&name).map(|need| need.result.as_str()), reason) {
            (Some("success"), _) => State::Passed,
            (Some("skipped"), Some(reason)) => State::Declared(reason),
            (Some("skipped"), None) => State::Absent("skipped, and not declared".to_owned()),
            (Some(result), _) => State::Red(result.to_owned()),
            (None, _) => State::Absent("missing from the workflow".to_owned()),
        };
        Judged { name, state }
    });
    judged.chain(foreign).collect()
}

/// Why a job may be skipped; none where it may not.
fn declared(job: &Job, event: &str, enabled: &dyn Fn(&str) -> bool) -> Option<String> {
    if event == "pull_request" {
        return Some(format!("pull requests run `{QUICK}` alone"));
    }
    let variable = job.runner_variable.as_ref().filter(|variable| !enabled(variable))?;
    Some(format!("no runner: the repository's variable `{variable}` is empty"))
}

/// A table in Markdown.
fn page(judged: &[Judged]) -> String {
    let mut page = "| job | verdict |\n|---|---|\n".to_owned();
    for Judged { name, state } in judged {
        let words = match state {
            State::Passed => "passed".to_owned(),
            State::Red(result) => format!("**{result}**"),
            State::Declared(reason) => format!("skipped as declared: {reason}"),
            State::Absent(reason) => format!("**{reason}**"),
        };
        page.push_str(&format!("| `{name}` | {words} |\n"));
    }
    page
}

/// A job that did not run says nothing, and that is worse than one that failed.
fn code(judged: &[Judged]) -> u8 {
    let any = |wanted: fn(&State) -> bool| judged.iter().any(|judged| wanted(&judged.state));
    if any(|state| matches!(state, State::Absent(_))) {
        UNTRUSTED
    } else if any(|state| matches!(state, State::Red(_))) {
        DIFFERENT
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ci() -> Ci {
        let job = |name: &str, shards, variable: Option<&str>| Job {
            name: name.to_owned(),
            summary: String::new(),
            workflow: Workflow::Ci,
            lanes: Vec::new(),
            environment: Default::default(),
            runner: None,
            runner_variable: variable.map(str::to_owned),
            nixpkgs: None,
            shards,
            timeout_min: 1,
        };
        Ci {
            jobs: vec![job("cut", 2, None), job("own", 1, Some("OWN"))],
            ..Ci::default()
        }
    }

    fn run_of(results: &[(&str, &str)], event: &str, enabled: bool) -> (Vec<Judged>, u8) {
        let needs = results.iter().map(|(name, result)| {
            let result = (*result).to_owned();
            ((*name).to_owned(), Need { result })
        });
        let judged = judge(&ci(), &needs.collect(), event, &|_| enabled);
        let code = code(&judged);
        (judged, code)
    }

    const GREEN: [(&str, &str); 4] = [
        ("quick", "success"),
        ("cut", "success"),
        ("cut-merge", "success"),
        ("own", "success"),
    ];

    fn with(name: &str, result: &str) -> Vec<(&'static str, String)> {
        GREEN
            .iter()
            .map(|(job, was)| (*job, if *job == name { result } else { *was }.to_owned()))
            .collect()
    }

    fn code_with(name: &str, result: &str, event: &str, enabled: bool) -> u8 {
        let results = with(name, result);
        let results: Vec<_> = results.iter().map(|(job, result)| (*job, result.as_str())).collect();
        run_of(&results, event, enabled).1
    }

    #[test]
    fn green_is_every_job_green() {
        assert_eq!(run_of(&GREEN, "push", true).1, 0);
        assert_eq!(code_with("cut", "failure", "push", true), DIFFERENT);
        assert_eq!(code_with("quick", "cancelled", "push", true), DIFFERENT);
    }

    #[test]
    fn a_job_of_an_own_runner_may_be_skipped_only_while_there_is_none() {
        assert_eq!(code_with("own", "skipped", "push", false), 0);
        assert_eq!(code_with("own", "skipped", "push", true), UNTRUSTED);
        assert_eq!(code_with("own", "failure", "push", true), DIFFERENT);
        assert_eq!(code_with("cut", "skipped", "push", false), UNTRUSTED);
    }

    #[test]
    fn pull_requests_need_the_quick_job_and_no_other() {
        let skipped = [
            ("quick", "success"),
            ("cut", "skipped"),
            ("cut-merge", "skipped"),
            ("own", "skipped"),
        ];
        let (judged, code) = run_of(&skipped, "pull_request", true);
        assert_eq!(code, 0);
        assert!(page(&judged).contains("| `cut-merge` | skipped as declared: pull requests run `quick` alone |"));
        assert_eq!(run_of(&skipped, "merge_group", true).1, UNTRUSTED);
        assert_eq!(code_with("quick", "skipped", "pull_request", true), UNTRUSTED);
    }

    #[test]
    fn a_job_that_is_missing_or_foreign_is_not_green() {
        assert_eq!(run_of(&GREEN[..3], "push", true).1, UNTRUSTED);
        let mut more = GREEN.to_vec();
        more.push(("other", "success"));
        assert_eq!(run_of(&more, "push", true).1, UNTRUSTED);
    }
}
