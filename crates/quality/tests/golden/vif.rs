//! `vif`. libvmaf prints the scores alone; numerators and denominators are held to them.

use isobit::output::Output;
use quality::vif::KERNEL;

use crate::clips::Golden;

#[test]
fn scores_are_those_of_libvmaf_to_the_last_bit() {
    for mut clip in Golden::all(include_str!("../../golden/vif.json")) {
        assert_eq!(clip.scores.len(), 4);
        let parts = clip.outputs(&KERNEL).into_iter().filter(is_part);
        for Output { metric, values, .. } in parts {
            let part = clip.scores.entry(metric.to_owned()).or_default();
            part.push(Some(values.get(0).as_f64()));
        }
        clip.check_bits(&KERNEL);
        for scale in 0..4 {
            let of = |part: &str| &clip.scores[&format!("integer_vif_{part}scale{scale}")];
            let quotient =
                |(n, d): (&Option<f64>, &Option<f64>)| Some(f64::from(n.unwrap() as f32 / d.unwrap() as f32));
            assert!(
                of("num_")
                    .iter()
                    .zip(of("den_"))
                    .map(quotient)
                    .eq(of("").iter().copied())
            );
        }
    }
}

/// Whether an output is the numerator or the denominator of a score.
fn is_part(output: &Output) -> bool {
    ["num", "den"].iter().any(|part| output.metric.contains(part))
}
