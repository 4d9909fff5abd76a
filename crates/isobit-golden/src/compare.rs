//! Where a reference differs from its master.

use std::fmt;

use isobit::format::Format;
use isobit::output::Value;

use crate::master::{Case, Content, Master, Pinned};

/// The first difference of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the fixture.
    pub fixture: String,
    /// Layout and depth.
    pub format: Format,
    /// What differs.
    pub what: What,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The case has no outputs in the master.
    New,
    /// The kernel no longer has the case.
    Gone,
    /// Number, order, size or type of the outputs differ.
    Shape {
        /// The first output of the master that has no equal, in words.
        master: String,
        /// The reference's output in that place, in words.
        reference: String,
    },
    /// An element.
    Element {
        /// Name of the metric.
        metric: String,
        /// Index of the frame.
        frame: usize,
        /// Index of the plane.
        plane: usize,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
        /// What the master holds.
        master: Value,
        /// What the reference yields.
        reference: Value,
    },
    /// An output of which the master holds the hash alone.
    Digest {
        /// Name of the metric.
        metric: String,
        /// Index of the frame.
        frame: usize,
        /// Index of the plane.
        plane: usize,
    },
}

/// Such as ``rgb-8 codes, metric `linear`, frame 0, plane 1, x 3, y 0: the master holds …, the reference yields …``.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.format, self.fixture)?;
        match &self.what {
            What::New => f.write_str(": the master does not have this case"),
            What::Gone => f.write_str(": the kernel no longer has this case"),
            What::Shape { master, reference } => {
                write!(f, ": the master holds {master}, the reference yields {reference}")
            }
            What::Element {
                metric,
                frame,
                plane,
                x,
                y,
                master,
                reference,
            } => write!(
                f,
                ", metric `{metric}`, frame {frame}, plane {plane}, x {x}, y {y}: the master holds {master} ({}), the \
                 reference yields {reference} ({})",
                master.hex(),
                reference.hex()
            ),
            What::Digest { metric, frame, plane } => write!(
                f,
                ", metric `{metric}`, frame {frame}, plane {plane}: the output has another hash, and the master of a large \
                 output holds no more than that"
            ),
        }
    }
}

/// The first difference of each case between `master` and what the reference yields now, `reference`.
pub fn compare(master: &Master, reference: &Master) -> Vec<Difference> {
    let find = |of: &'_ Master, case: &Case| -> Option<usize> {
        let same = |other: &Case| other.fixture == case.fixture && other.format == case.format;
        of.cases.iter().position(same)
    };
    let difference = |case: &Case, what: What| Difference {
        fixture: case.fixture.clone(),
        format: case.format,
        what,
    };
    let now = reference.cases.iter().filter_map(|case| {
        let what = match find(master, case) {
            None => Some(What::New),
            Some(index) => outputs(&master.cases[index].outputs, &case.outputs),
        };
        what.map(|what| difference(case, what))
    });
    let gone = master.cases.iter().filter(|case| find(reference, case).is_none());
    now.chain(gone.map(|case| difference(case, What::Gone))).collect()
}

fn outputs(master: &[Pinned], reference: &[Pinned]) -> Option<What> {
    let words = |output: Option<&Pinned>| {
        output.map_or("nothing more".to_owned(), |o| {
            format!(
                "{} of {}x{} {:?} for frame {}, plane {}",
                o.metric, o.width, o.height, o.kind, o.frame, o.plane
            )
        })
    };
    for index in 0..master.len().max(reference.len()) {
        let (m, r) = (master.get(index), reference.get(index));
        let what = match (m, r) {
            (Some(m), Some(r)) if same_place(m, r) => content(m, r),
            _ => Some(What::Shape {
                master: words(m),
                reference: words(r),
            }),
        };
        if what.is_some() {
            return what;
        }
    }
    None
}

fn same_place(a: &Pinned, b: &Pinned) -> bool {
    let place = |o: &Pinned| (o.frame, o.plane, o.width, o.height, o.kind);
    a.metric == b.metric && place(a) == place(b)
}

fn content(master: &Pinned, reference: &Pinned) -> Option<What> {
    if master.content == reference.content {
        return None;
    }
    let hash = What::Digest {
        metric: master.metric.clone(),
        frame: master.frame,
        plane: master.plane,
    };
    let (Content::Whole(m), Content::Whole(r)) = (&master.content, &reference.content) else {
        return Some(hash);
    };
    let pairs = Content::values(m, master.kind).zip(Content::values(r, reference.kind));
    let first = pairs.enumerate().find(|(_, (m, r))| m != r);
    Some(first.map_or(hash, |(index, (m, r))| What::Element {
        metric: master.metric.clone(),
        frame: master.frame,
        plane: master.plane,
        x: index as u32 % master.width,
        y: index as u32 / master.width,
        master: m,
        reference: r,
    }))
}

#[cfg(test)]
mod tests {
    use isobit::format::{Depth, Layout};
    use isobit::frame::Input;
    use isobit::kernel::{Kernel, KernelError, Metric, MetricKind, NanPolicy, Window};
    use isobit::options::Options;
    use isobit::output::{Output, Values};

    use super::*;

    type Reference = fn(&Input, &Options) -> Result<Vec<Output>, KernelError>;

    /// A kernel of the float fixtures, of which some are kept in full and others as hashes.
    const fn kernel(reference: Reference) -> Kernel {
        Kernel {
            name: "red",
            summary: "The first plane.",
            clips: 1,
            metrics: &[Metric {
                name: "red",
                kind: MetricKind::Plane(None),
                nan: NanPolicy::Class,
            }],
            options: Options::NONE,
            window: Window::FRAME,
            accepts: |format| matches!((format.layout, format.depth), (Layout::Rgb, Depth::F32)),
            refuses: Kernel::refuses_nothing,
            reference,
            twins: &[],
        }
    }

    /// The first plane of the first frame, with `change` applied to each row.
    fn red(input: &Input, change: fn(u32, &mut [f32])) -> Result<Vec<Output>, KernelError> {
        let plane = input.plane(0, 0, 0);
        let shape = plane.shape();
        let rows = (0..shape.height).flat_map(|y| {
            let mut row: Vec<f32> = plane.floats(y).collect();
            change(y, &mut row);
            row
        });
        Ok(vec![Output {
            metric: "red",
            frame: 0,
            plane: 0,
            width: shape.width,
            height: shape.height,
            values: Values::F32(rows.collect()),
        }])
    }

    fn differences(reference: Reference) -> Vec<String> {
        let master = Master::of(&kernel(|input, _| red(input, |_, _| {}))).unwrap();
        let now = Master::of(&kernel(reference)).unwrap();
        compare(&master, &now).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_same_reference_has_no_difference_whatever_its_nan() {
        fn other_nan(_: u32, row: &mut [f32]) {
            for value in row.iter_mut().filter(|value| value.is_nan()) {
                *value = -f32::NAN;
            }
        }
        assert!(differences(|input, _| red(input, |_, _| {})).is_empty());
        assert!(differences(|input, _| red(input, other_nan)).is_empty());
    }

    #[test]
    fn the_first_element_that_moved_is_named_with_both_values() {
        let moved = differences(|input, _| {
            red(input, |y, row| {
                if y == 2 && row.len() > 5 {
                    row[3] = 0.5;
                    row[4] = 0.5;
                }
            })
        });
        let tiny = moved.iter().find(|line| line.starts_with("rgb-f32 tiny_7x5,")).unwrap();
        assert!(
            tiny.contains("metric `red`, frame 0, plane 0, x 3, y 2: the master holds ")
                && tiny.ends_with("the reference yields 0.5 (0x3f000000)"),
            "{tiny}"
        );
        let large = moved
            .iter()
            .find(|line| line.starts_with("rgb-f32 float_sweep,"))
            .unwrap();
        assert!(large.contains("another hash"), "{large}");
    }

    #[test]
    fn an_output_more_or_of_another_type_is_a_difference() {
        let more = differences(|input, _| {
            let mut outputs = red(input, |_, _| {})?;
            outputs.extend(outputs.clone());
            Ok(outputs)
        });
        assert!(
            more[0].contains("the master holds nothing more, the reference yields red of"),
            "{more:?}"
        );
        let typed = differences(|input, _| {
            let mut outputs = red(input, |_, _| {})?;
            outputs[0].values = Values::U32(vec![0; outputs[0].values.len()]);
            Ok(outputs)
        });
        assert!(typed[0].contains("F32") && typed[0].contains("U32"), "{typed:?}");
    }

    #[test]
    fn new_and_gone_cases_are_differences() {
        let whole = Master::of(&kernel(|input, _| red(input, |_, _| {}))).unwrap();
        let part = Master {
            cases: whole.cases[1..].to_vec(),
        };
        let what = |master, now| compare(master, now).into_iter().map(|d| d.what).collect::<Vec<_>>();
        assert_eq!(what(&whole, &part), [What::Gone]);
        assert_eq!(what(&part, &whole), [What::New]);
    }
}
