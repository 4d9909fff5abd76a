//! What goes wrong with containers, in one sentence each, and what to do about it.

use camino::Utf8Path;

use crate::failure::Failure;
use crate::proc::last_error;

/// The engine is installed and does not answer.
pub fn silent(program: &str, complaint: &str) -> anyhow::Error {
    let message = format!("the container engine `{program}` does not answer: {complaint}");
    let hint = if complaint.contains("permission denied") {
        "sudo usermod -aG docker \"$USER\", then log in again; or use podman: ISOBIT_ENGINE=podman"
    } else if program.ends_with("podman") {
        "podman info"
    } else {
        "sudo systemctl start docker; where there is no systemd: sudo dockerd &"
    };
    Failure::error(message, hint)
}

/// `what`, a clause such as "cannot build `isobit/lavapipe:trixie`", was given up when the person pressed Ctrl-C.
pub fn interrupted(what: &str) -> anyhow::Error {
    Failure::error(
        format!("{what}: interrupted"),
        "run the command again: the steps that were finished are kept",
    )
}

/// `what` failed; `log`, in the file `path`, says why.
pub fn failed(what: &str, log: &str, path: &Utf8Path, program: &str) -> anyhow::Error {
    if line_with(log, &["no space left on device", "disk quota exceeded"]).is_some() {
        return Failure::error(
            format!("{what}: no space is left on the disk of the container engine"),
            format!("{program} system prune, and run the command again"),
        );
    }
    let network = [
        "temporary failure resolving",
        "could not resolve",
        "unable to connect",
        "could not connect",
    ];
    if let Some(reason) = line_with(log, &network) {
        return Failure::error(
            format!("{what}: {reason}"),
            "check the network; a proxy, a mirror and their certificates are set as `docker/README.md` says",
        );
    }
    Failure::error(format!("{what}: {}", reason(log)), format!("less {path}"))
}

/// An image of a registry cannot be had.
pub fn not_pulled(image: &str, complaint: &str) -> anyhow::Error {
    Failure::error(
        format!("cannot pull the image `{image}`: {complaint}"),
        "make the base on this machine (`apt-get install mmdebstrap`): cargo xtask parity --env docker --base auto",
    )
}

/// The first line of a log that holds one of `words`, whatever their case.
fn line_with<'a>(log: &'a str, words: &[&str]) -> Option<&'a str> {
    let holds = |line: &&str| {
        let line = line.to_lowercase();
        words.iter().any(|word| line.contains(word))
    };
    let line = log.lines().map(unnumbered).find(holds)?;
    Some(line.trim_start_matches("E: ").trim_start_matches("W: "))
}

/// The line of a build's log that says what went wrong, without the engine's own prefix.
fn reason(log: &str) -> String {
    let plain: Vec<&str> = log.lines().map(unnumbered).collect();
    let text = plain.join("\n");
    last_error(&text).unwrap_or("it says nothing").to_owned()
}

/// BuildKit numbers each line: `#7 1.234 E: no package`.
fn unnumbered(line: &str) -> &str {
    let rest = line.strip_prefix('#').and_then(|rest| rest.split_once(' '));
    let Some((step, rest)) = rest else { return line };
    if !step.bytes().all(|byte| byte.is_ascii_digit()) {
        return line;
    }
    match rest.split_once(' ') {
        Some((time, rest)) if time.parse::<f64>().is_ok() => rest,
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(log: &str) -> String {
        failed("cannot build `i`", log, Utf8Path::new("/t/log"), "docker").to_string()
    }

    #[test]
    fn a_failed_build_says_what_apt_said() {
        let classic = "Step 5/9 : RUN sh install\nE: Version '9.*' for 'mesa-vulkan-drivers' was not found\n\
                       The command '/bin/sh -c sh install' returned a non-zero code: 100\n";
        let buildkit = "#7 0.4 E: Version '9.*' for 'mesa-vulkan-drivers' was not found\n#7 ERROR: process failed\n";
        for log in [classic, buildkit] {
            assert_eq!(
                text(log),
                "cannot build `i`: Version '9.*' for 'mesa-vulkan-drivers' was not found\nhint: less /t/log"
            );
        }
        assert_eq!(text("\n"), "cannot build `i`: it says nothing\nhint: less /t/log");
    }

    #[test]
    fn a_full_disk_and_a_dead_network_have_hints_of_their_own() {
        let full = text("E: Write error - write (28: No space left on device)\n");
        assert!(
            full.contains("no space is left") && full.contains("\nhint: docker system prune"),
            "{full}"
        );
        let offline = text("E: Failed to fetch x  Temporary failure resolving 'mirror'\nE: Some index files failed\n");
        assert!(
            offline.starts_with(
                "cannot build `i`: Failed to fetch x  Temporary failure resolving 'mirror'\nhint: check the network"
            ),
            "{offline}"
        );
    }

    #[test]
    fn an_engine_that_does_not_answer_is_started_or_permitted() {
        let stopped = silent("docker", "Cannot connect to the Docker daemon").to_string();
        assert!(stopped.contains("hint: sudo systemctl start docker"), "{stopped}");
        let refused = silent("docker", "permission denied while trying to connect").to_string();
        assert!(refused.contains("hint: sudo usermod"), "{refused}");
    }
}
