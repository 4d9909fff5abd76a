//! `ci/gate.toml` and `ci/devices.toml`: the rules that twins are held to, each with its reason.

use std::collections::BTreeMap;

use isobit::kernel::Kernel;
use isobit::tolerance::Rule;
use serde::Deserialize;
use wildmatch::WildMatch;

use super::family;

/// Rules by kernel and twin.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Entries(pub BTreeMap<String, BTreeMap<String, Vec<RuleRow>>>);

impl Entries {
    /// The rows of one twin that hold for `metric`; every one of them must hold.
    pub fn rows<'a>(&'a self, kernel: &str, twin: &str, metric: &'a str) -> impl Iterator<Item = &'a RuleRow> {
        let rows = self.0.get(kernel).and_then(|twins| twins.get(twin));
        let holds = move |row: &&RuleRow| row.metrics.iter().any(|name| name == metric);
        rows.into_iter().flatten().filter(holds)
    }

    /// The rows of one twin of `kernel` that hold for `metric`: those of the kernel with its options, or else those of the
    /// kernel without.
    pub fn of<'a>(&'a self, kernel: &Kernel, twin: &str, metric: &'a str) -> Vec<&'a RuleRow> {
        let own: Vec<_> = self.rows(kernel.name, twin, metric).collect();
        if own.is_empty() {
            self.rows(kernel.base(kernel.name), twin, kernel.base(metric)).collect()
        } else {
            own
        }
    }

    /// Every row with its kernel and its twin.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &RuleRow)> {
        self.0.iter().flat_map(|(kernel, twins)| {
            twins
                .iter()
                .flat_map(move |(twin, rows)| rows.iter().map(move |row| (kernel.as_str(), twin.as_str(), row)))
        })
    }
}

/// One rule for some metrics of a twin.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Row")]
pub struct RuleRow {
    /// Names of the metrics.
    pub metrics: Vec<String>,
    /// The rule, for frames up to the reference area.
    pub rule: Rule,
    /// How the bounds grow with the frame; absent where they do not.
    pub area: Option<Area>,
    /// Why the bounds are what they are.
    pub reason: String,
}

/// How bounds grow with the area of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Width and height in luma samples up to which the bounds hold as they are written.
    pub reference: [u32; 2],
    /// The power of the ratio of areas by which they are multiplied beyond that.
    pub exponent: f64,
}

impl Area {
    /// The factor for a frame of `width` × `height`; never below 1.
    pub fn factor(&self, width: u32, height: u32) -> f64 {
        let area = |w: u32, h: u32| f64::from(w) * f64::from(h);
        let [w, h] = self.reference;
        (area(width, height) / area(w, h)).max(1.0).powf(self.exponent)
    }
}

/// Rules for devices whose error was measured; they replace the rules of the gate for the metrics that they name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// The devices, as a pattern with `*` and `?` on `<lane>/<name of the adapter>`.
    pub devices: String,
    /// The rules.
    pub kernel: Entries,
}

impl Calibration {
    /// Whether it speaks of that adapter on `lane`, or on the lane whose container it is.
    pub fn covers(&self, lane: &str, adapter: &str) -> bool {
        let pattern = WildMatch::new(&self.devices);
        [lane, family(lane)]
            .iter()
            .any(|lane| pattern.matches(&format!("{lane}/{adapter}")))
    }

    /// Characters of the pattern before its first `*` or `?`: how specific it is.
    pub fn literal_prefix(&self) -> usize {
        self.devices.chars().take_while(|c| !matches!(c, '*' | '?')).count()
    }
}

/// A row as it is written: the fields of all rules, so that unknown ones are refused where they stand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    metrics: Vec<String>,
    rule: String,
    zero_signs_agree: Option<bool>,
    abs: Option<f64>,
    rel: Option<f64>,
    ulp: Option<u32>,
    delta_e: Option<f64>,
    normwise: Option<f64>,
    rmse: Option<f64>,
    nrmse: Option<f64>,
    area: Option<Area>,
    reason: String,
}

impl TryFrom<Row> for RuleRow {
    type Error = String;

    fn try_from(row: Row) -> Result<Self, String> {
        let bounds = [
            ("abs", row.abs),
            ("rel", row.rel),
            ("delta_e", row.delta_e),
            ("normwise", row.normwise),
            ("rmse", row.rmse),
            ("nrmse", row.nrmse),
        ];
        if let Some((name, _)) = bounds
            .iter()
            .find(|(_, b)| b.is_some_and(|b| !(b.is_finite() && b >= 0.0)))
        {
            return Err(format!("`{name}` is not a finite number of at least 0"));
        }
        let mut fields = toml::Table::from_iter([("rule".to_owned(), row.rule.clone().into())]);
        let numbers = bounds
            .into_iter()
            .filter_map(|(name, bound)| Some((name, bound?.into())));
        let ulp = row.ulp.map(|ulp| ("ulp", i64::from(ulp).into()));
        let signs = row.zero_signs_agree.map(|agree| ("zero_signs_agree", agree.into()));
        fields.extend(
            numbers
                .chain(ulp)
                .chain(signs)
                .map(|(name, value): (_, toml::Value)| (name.to_owned(), value)),
        );

        let rule = Rule::deserialize(fields.clone())
            .map_err(|error: toml::de::Error| format!("rule `{}`: {}", row.rule, error.message()))?;
        // Rules without fields ignore any that they are given, so the rule is asked for its own.
        let own = toml::Table::try_from(&rule).map_err(|error| error.to_string())?;
        if let Some(stray) = fields.keys().find(|name| !own.contains_key(*name)) {
            return Err(format!("rule `{}` takes no `{stray}`", row.rule));
        }
        if row.metrics.is_empty() {
            return Err("`metrics` names no metric".to_owned());
        }
        if row.reason.trim().is_empty() {
            return Err("`reason` is empty".to_owned());
        }
        if let Some(area) = row.area {
            if area.reference.contains(&0) || !(area.exponent > 0.0 && area.exponent.is_finite()) {
                return Err("`area` needs a reference size and an exponent above 0".to_owned());
            }
            if rule.scaled(2.0) == rule {
                return Err(format!("rule `{}` has no bound that an `area` could scale", row.rule));
            }
        }
        Ok(Self {
            metrics: row.metrics,
            rule,
            area: row.area,
            reason: row.reason,
        })
    }
}
