//! Options of a kernel: what it knows, what is set, and the name that follows from it.
//!
//! A kernel with an option set is another kernel: its name and the names of its metrics carry every option that differs
//! from its default, such as `motion2_mffw`. An option that the kernel does not know is refused.

use std::fmt;

use crate::kernel::Kernel;

/// An option that a kernel knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelOption {
    /// The name, in `snake_case`.
    pub name: &'static str,
    /// What stands for it in the names of kernels and metrics.
    pub alias: &'static str,
    /// One sentence on what it changes.
    pub summary: &'static str,
    /// The value that it has unless another is set; its type is the option's.
    pub default: OptionValue,
    /// The least and the greatest value of a number; both are allowed.
    pub range: [f64; 2],
    /// The values of a choice.
    pub choices: &'static [&'static str],
    /// The choices that are known and have no result, each with the reason.
    pub refused: &'static [(&'static str, &'static str)],
}

impl KernelOption {
    /// A switch that is off by default.
    pub const fn flag(name: &'static str, alias: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            alias,
            summary,
            default: OptionValue::Flag(false),
            range: [0.0, 1.0],
            choices: &[],
            refused: &[],
        }
    }

    /// A number.
    pub const fn number(
        name: &'static str,
        alias: &'static str,
        summary: &'static str,
        default: f64,
        range: [f64; 2],
    ) -> Self {
        Self {
            name,
            alias,
            summary,
            default: OptionValue::Number(default),
            range,
            choices: &[],
            refused: &[],
        }
    }

    /// A whole number.
    pub const fn integer(
        name: &'static str,
        alias: &'static str,
        summary: &'static str,
        default: i64,
        range: [i64; 2],
    ) -> Self {
        Self {
            name,
            alias,
            summary,
            default: OptionValue::Integer(default),
            range: [range[0] as f64, range[1] as f64],
            choices: &[],
            refused: &[],
        }
    }

    /// One of several words, by default the first.
    pub const fn choice(
        name: &'static str,
        alias: &'static str,
        summary: &'static str,
        choices: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            alias,
            summary,
            default: OptionValue::Choice(choices[0]),
            range: [0.0, 0.0],
            choices,
            refused: &[],
        }
    }

    /// The same choice, of which those in `refused` have no result, for the reasons beside them.
    #[must_use]
    pub const fn refusing(mut self, refused: &'static [(&'static str, &'static str)]) -> Self {
        self.refused = refused;
        self
    }

    fn parse(&self, text: &str) -> Option<OptionValue> {
        let value = match self.default {
            OptionValue::Flag(_) => OptionValue::Flag(text.parse().ok()?),
            OptionValue::Integer(_) => OptionValue::Integer(text.parse().ok()?),
            OptionValue::Number(_) => OptionValue::Number(text.parse().ok()?),
            OptionValue::Choice(_) => OptionValue::Choice(self.choices.iter().find(|choice| **choice == text)?),
        };
        let [least, most] = self.range;
        let inside = match value {
            OptionValue::Flag(_) | OptionValue::Choice(_) => true,
            OptionValue::Integer(value) => (least..=most).contains(&(value as f64)),
            OptionValue::Number(value) => (least..=most).contains(&value),
        };
        inside.then_some(value)
    }

    /// What a value has to be, as a noun phrase.
    fn domain(&self) -> String {
        let [least, most] = self.range;
        match self.default {
            OptionValue::Flag(_) => "`true` or `false`".to_owned(),
            OptionValue::Integer(_) => format!("a whole number from {least} to {most}"),
            OptionValue::Number(_) => format!("a number from {least} to {most}"),
            OptionValue::Choice(_) => format!("one of `{}`", self.choices.join("`, `")),
        }
    }
}

/// The value of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionValue {
    /// On or off.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// One of several words.
    Choice(&'static str),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Number(value) => value.fmt(f),
            Self::Choice(value) => value.fmt(f),
        }
    }
}

/// The options of a kernel, each with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    known: &'static [KernelOption],
    /// Those that differ from their defaults, by name.
    set: &'static [(&'static KernelOption, OptionValue)],
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The kernel does not know it.
    #[error("kernel `{kernel}` has no option `{option}`\nhint: {}", offer(known))]
    Unknown {
        /// Name of the kernel.
        kernel: String,
        /// The option as given.
        option: String,
        /// The options that the kernel knows.
        known: Vec<&'static str>,
    },
    /// The value is not one of the option's.
    #[error(
        "option `{option}` of kernel `{kernel}` is {domain}, not `{value}`\nhint: {option} is {default} by default"
    )]
    Value {
        /// Name of the kernel.
        kernel: String,
        /// Name of the option.
        option: &'static str,
        /// What it takes.
        domain: String,
        /// The value as given.
        value: String,
        /// The value without it.
        default: String,
    },
    /// The option is set more than once.
    #[error("option `{option}` of kernel `{kernel}` is set twice\nhint: leave one of the two out")]
    Twice {
        /// Name of the kernel.
        kernel: String,
        /// Name of the option.
        option: &'static str,
    },
}

fn offer(known: &[&str]) -> String {
    if known.is_empty() {
        return "it has no options".to_owned();
    }
    let names: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
    format!("its options are {}", names.join(", "))
}

impl Options {
    /// No options.
    pub const NONE: Self = Self::of(&[]);

    /// Options at their defaults.
    pub const fn of(known: &'static [KernelOption]) -> Self {
        Self { known, set: &[] }
    }

    /// The options that the kernel knows.
    pub const fn known(&self) -> &'static [KernelOption] {
        self.known
    }

    /// Those that differ from their defaults, by name.
    pub const fn set(&self) -> &'static [(&'static KernelOption, OptionValue)] {
        self.set
    }

    /// Whether a switch is on.
    ///
    /// # Panics
    /// If the kernel declares no such switch.
    pub fn flag(&self, name: &str) -> bool {
        match self.value(name) {
            Some(OptionValue::Flag(value)) => value,
            other => panic!("option `{name}` is {other:?}, not a declared switch"),
        }
    }

    /// A whole number.
    ///
    /// # Panics
    /// If the kernel declares no such option.
    pub fn integer(&self, name: &str) -> i64 {
        match self.value(name) {
            Some(OptionValue::Integer(value)) => value,
            other => panic!("option `{name}` is {other:?}, not a declared whole number"),
        }
    }

    /// A number.
    ///
    /// # Panics
    /// If the kernel declares no such option.
    pub fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Some(OptionValue::Number(value)) => value,
            other => panic!("option `{name}` is {other:?}, not a declared number"),
        }
    }

    /// One of several words.
    ///
    /// # Panics
    /// If the kernel declares no such option.
    pub fn choice(&self, name: &str) -> &'static str {
        match self.value(name) {
            Some(OptionValue::Choice(value)) => value,
            other => panic!("option `{name}` is {other:?}, not a declared choice"),
        }
    }

    fn value(&self, name: &str) -> Option<OptionValue> {
        let known = self.known.iter().find(|option| option.name == name)?;
        let set = self.set.iter().find(|(option, _)| option.name == name);
        Some(set.map_or(known.default, |(_, value)| *value))
    }

    /// Why a choice that is set has no result, on any side.
    pub fn refusal(&self) -> Option<&'static str> {
        self.set.iter().find_map(|(option, value)| {
            let refused = option.refused.iter();
            let mut of_value = refused.filter(|(choice, _)| *value == OptionValue::Choice(choice));
            of_value.next().map(|(_, reason)| *reason)
        })
    }

    /// What the names of kernel and metrics end with: `_` and the alias of each option that is not at its default, in the
    /// order of their names, with `_` and its value unless it is a switch.
    pub fn suffix(&self) -> String {
        let part = |(option, value): &(&KernelOption, OptionValue)| match value {
            OptionValue::Flag(_) => format!("_{}", option.alias),
            value => format!("_{}_{value}", option.alias),
        };
        self.set.iter().map(part).collect()
    }

    fn parse(&self, kernel: &str, given: &[(String, String)]) -> Result<Self, OptionError> {
        let mut set: Vec<(&'static KernelOption, OptionValue)> = self.set.to_vec();
        let mut seen = Vec::new();
        for (name, text) in given {
            let option = self.known.iter().find(|option| option.name == name);
            let option = option.ok_or_else(|| OptionError::Unknown {
                kernel: kernel.to_owned(),
                option: name.clone(),
                known: self.known.iter().map(|option| option.name).collect(),
            })?;
            if seen.contains(&option.name) {
                return Err(OptionError::Twice {
                    kernel: kernel.to_owned(),
                    option: option.name,
                });
            }
            seen.push(option.name);
            let value = option.parse(text).ok_or_else(|| OptionError::Value {
                kernel: kernel.to_owned(),
                option: option.name,
                domain: option.domain(),
                value: text.clone(),
                default: option.default.to_string(),
            })?;
            set.retain(|(other, _)| other.name != option.name);
            if value != option.default {
                set.push((option, value));
            }
        }
        set.sort_by_key(|(option, _)| option.name);
        Ok(Self {
            known: self.known,
            set: set.leak(),
        })
    }
}

impl Kernel {
    /// The kernel with options set, each a name and a value in text; what is not named keeps its value.
    ///
    /// A kernel is part of a registry that lives as long as the program, and so does the result: its names are never freed.
    ///
    /// # Errors
    /// On an option that the kernel does not know, that is named twice, or a value outside its range.
    pub fn with_options(&self, given: &[(String, String)]) -> Result<Self, OptionError> {
        let options = self.options.parse(self.name, given)?;
        let (old, new) = (self.options.suffix(), options.suffix());
        let renamed = |name: &'static str| -> &'static str {
            let base = name.strip_suffix(old.as_str()).unwrap_or(name);
            if new.is_empty() {
                base
            } else {
                format!("{base}{new}").leak()
            }
        };
        let metrics = self.metrics.iter().map(|metric| crate::kernel::Metric {
            name: renamed(metric.name),
            ..*metric
        });
        Ok(Self {
            name: renamed(self.name),
            metrics: metrics.collect::<Vec<_>>().leak(),
            options,
            ..*self
        })
    }

    /// `name`, a kernel's or a metric's, without what the options add to it.
    pub fn base<'a>(&self, name: &'a str) -> &'a str {
        name.strip_suffix(self.options.suffix().as_str()).unwrap_or(name)
    }
}

#[cfg(test)]
mod tests;
