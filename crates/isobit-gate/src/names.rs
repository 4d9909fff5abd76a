//! Nearest names: what somebody meant by a name that does not exist.

/// How alike two names must be, from 0 to 1, for one to be offered for the other.
const LIKENESS: f64 = 0.5;

/// The name in `known` that is nearest to `name`, where one is near enough to be meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness >= LIKENESS)
        // The first of equals, so that the answer follows the order of `known`.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, candidate)| candidate)
}

/// Names in backticks, separated by commas.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_and_a_far_one_is_not() {
        let known = ["tolerance", "reason", "metrics"];
        assert_eq!(nearest("tolerence", known), Some("tolerance"));
        assert_eq!(nearest("metric", known), Some("metrics"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("x", []), None);
    }
}
