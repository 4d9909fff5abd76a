//! A broken shader as its sound one with a single piece of text replaced.

use isobit::kernel::KernelError;

/// Where and how the broken shader of a control departs from the sound one.
#[derive(Clone, Copy, Debug)]
pub struct Departure {
    /// Name of the control.
    pub kernel: &'static str,
    /// The sound shader.
    pub sound: &'static str,
    /// The text that is replaced; it occurs exactly once.
    pub from: &'static str,
    /// What stands there in the broken shader.
    pub to: &'static str,
}

impl Departure {
    /// The broken shader.
    ///
    /// # Errors
    /// If the text to replace does not occur exactly once: the broken twin would be sound, or broken in two places.
    pub fn broken(&self) -> Result<String, KernelError> {
        let found = self.sound.matches(self.from).count();
        if found != 1 {
            return Err(KernelError::Unsupported {
                kernel: self.kernel,
                reason: format!("its shader holds `{}` {found} times, not once", self.from),
            });
        }
        Ok(self.sound.replacen(self.from, self.to, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEPARTURE: Departure = Departure {
        kernel: "control_test",
        sound: "let a = 1; let b = 2; let c = 2;",
        from: "= 1",
        to: "= 3",
    };

    #[test]
    fn one_occurrence_is_replaced_and_nothing_else() {
        assert_eq!(DEPARTURE.broken().unwrap(), "let a = 3; let b = 2; let c = 2;");
    }

    #[test]
    fn any_other_number_of_occurrences_is_refused() {
        for (from, times) in [("= 4", "0 times"), ("= 2", "2 times")] {
            let error = Departure { from, ..DEPARTURE }.broken().unwrap_err().to_string();
            assert!(error.contains(times), "{error}");
        }
    }
}
