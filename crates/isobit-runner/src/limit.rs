//! How long a lane's worker may take for a cell.

use std::time::Duration;

use isobit::execution::DeviceKind;
use isobit_gate::config::Lane;

/// The limits of the lanes of one run.
///
/// A lane declares how long a cell may take where a core is left to it. Lanes on the CPU share its cores, so where more of their
/// workers run than there are cores, all of them get as much longer.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    given: Option<Duration>,
    crowding: u32,
}

impl Limits {
    /// Of `lanes` with `jobs` workers each on a machine of `cores`; `given` is used as it is, whatever a lane declares.
    pub fn of(given: Option<Duration>, lanes: &[&Lane], jobs: usize, cores: usize) -> Self {
        let workers = lanes.iter().filter(|lane| on_cpu(lane)).count() * jobs;
        let crowding = workers.div_ceil(cores.max(1)).max(1);
        Self {
            given,
            crowding: crowding.try_into().unwrap_or(u32::MAX),
        }
    }

    /// The limit of a lane.
    pub fn of_lane(&self, lane: &Lane) -> Duration {
        let declared = Duration::from_secs(lane.timeout_s);
        let crowding = if on_cpu(lane) { self.crowding } else { 1 };
        self.given.unwrap_or(declared.saturating_mul(crowding))
    }
}

fn on_cpu(lane: &Lane) -> bool {
    lane.left_out.is_none() && lane.adapter.kinds == [DeviceKind::Cpu]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(kind: DeviceKind, left_out: bool) -> Lane {
        Lane {
            name: "l".to_owned(),
            summary: String::new(),
            adapter: isobit::execution::AdapterRequest {
                backend: isobit::execution::Backend::Vulkan,
                kinds: vec![kind],
                name: "*".to_owned(),
                driver: "*".to_owned(),
            },
            driver: None,
            worker: None,
            environment: std::collections::BTreeMap::new(),
            default: true,
            timeout_s: 120,
            releases: Vec::new(),
            release: None,
            left_out: left_out.then(|| "it is left out".to_owned()),
        }
    }

    fn seconds(given: Option<u64>, lanes: &[&Lane], jobs: usize, cores: usize) -> Vec<u64> {
        let limits = Limits::of(given.map(Duration::from_secs), lanes, jobs, cores);
        lanes.iter().map(|lane| limits.of_lane(lane).as_secs()).collect()
    }

    #[test]
    fn workers_that_share_a_core_get_as_much_longer() {
        let (cpu, gpu, out) = (
            lane(DeviceKind::Cpu, false),
            lane(DeviceKind::Discrete, false),
            lane(DeviceKind::Cpu, true),
        );
        assert_eq!(seconds(None, &[&cpu, &cpu], 1, 2), [120, 120]);
        assert_eq!(seconds(None, &[&cpu, &cpu, &cpu, &cpu], 1, 2), [240; 4]);
        assert_eq!(seconds(None, &[&cpu, &cpu, &cpu], 1, 2), [240; 3]);
        assert_eq!(seconds(None, &[&cpu, &cpu], 8, 16), [120, 120]);
        assert_eq!(
            seconds(None, &[&cpu, &gpu, &gpu], 2, 1),
            [240, 120, 120],
            "a GPU is no core"
        );
        assert_eq!(seconds(None, &[&cpu, &out], 1, 1)[0], 120, "nothing runs on it");
        assert_eq!(seconds(Some(7), &[&cpu, &cpu], 1, 1), [7, 7]);
    }
}
