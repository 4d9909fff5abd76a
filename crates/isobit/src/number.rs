//! Doubles in JSON without loss: a number where finite, else one of the strings `inf`, `-inf` and `NaN`.
//!
//! For `#[serde(with = "isobit::number")]`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The form in which a double is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Schema {
    /// A finite number.
    Number(f64),
    /// `inf`, `-inf` or `NaN`.
    Text(String),
}

impl From<f64> for Schema {
    fn from(value: f64) -> Self {
        if value.is_finite() {
            Self::Number(value)
        } else {
            Self::Text(value.to_string())
        }
    }
}

impl TryFrom<Schema> for f64 {
    type Error = std::num::ParseFloatError;

    fn try_from(form: Schema) -> Result<Self, Self::Error> {
        match form {
            Schema::Number(value) => Ok(value),
            Schema::Text(text) => text.parse(),
        }
    }
}

/// Writes `value`.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Schema::from(*value).serialize(serializer)
}

/// Reads what [`serialize`] wrote.
///
/// # Errors
/// If it is neither a number nor one of the three strings.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Schema::deserialize(deserializer)?
        .try_into()
        .map_err(serde::de::Error::custom)
}

/// The same for a double that may be missing.
pub mod option {
    use super::{Deserialize, Deserializer, Schema, Serialize, Serializer};

    /// Writes `value`.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(Schema::from).serialize(serializer)
    }

    /// Reads what [`serialize`] wrote.
    ///
    /// # Errors
    /// If it is neither null, a number nor one of the three strings.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        Option::<Schema>::deserialize(deserializer)?
            .map(f64::try_from)
            .transpose()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_double_round_trips() {
        #[derive(serde::Serialize, serde::Deserialize)]
        struct Both(
            #[serde(with = "crate::number")] f64,
            #[serde(with = "crate::number::option")] Option<f64>,
        );
        for value in [0.1, -0.0, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let json = serde_json::to_string(&Both(value, Some(value))).unwrap();
            let Both(plain, optional) = serde_json::from_str(&json).unwrap();
            assert_eq!(plain.to_bits(), value.to_bits(), "{json}");
            assert_eq!(optional.unwrap().to_bits(), value.to_bits(), "{json}");
        }
    }
}
