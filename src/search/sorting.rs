//! The order of `_sort` (<https://hl7.org/fhir/R4/search.html#sort>), as text that any store can sort by: one code for
//! each rule, followed by the id.
//!
//! A resource with several values has the code of the least one in ascending order, of the greatest in descending.

use std::cmp::Ordering;

use serde_json::Value;

use super::extract::facts_of;
use super::fold::fold;
use super::kind::Fact;
use super::query::SortRule;
use super::sort_value::{MISSING, SortValue};

/// The text between the codes and the id of a position, which occurs in none of them.
pub const BEFORE_ID: &str = "/";

impl SortRule {
    /// Returns whether the rule sorts by the names of people. Names are sorted by the family name, then by the given
    /// names of the same name. No fact contains both.
    #[must_use]
    pub fn is_by_name(&self) -> bool {
        self.param.elements == ["name"] && self.param.paths.contains(&"name.family")
    }

    /// Returns the code of a resource with these values of the parameter, which must not be one of names.
    pub fn code<'f>(&self, facts: impl Iterator<Item = &'f Fact>) -> String {
        let facts = facts.filter(|fact| self.param.has_value(fact));
        let codes = facts.map(|fact| fact.sort_value().code(self.descending));
        codes.min().unwrap_or_else(|| MISSING.to_owned())
    }

    fn code_of(&self, resource: &Value, text: &str) -> String {
        if self.is_by_name() {
            return name(resource).map_or_else(|| MISSING.to_owned(), |name| name.code(self.descending));
        }
        self.code(facts_of(self.param, resource, text).iter().map(|(_, fact)| fact))
    }
}

/// Returns the codes of a resource, given its text or a part of its text that contains the elements of the rules.
///
/// # Errors
/// If the text is not JSON.
pub fn codes_of_text(rules: &[SortRule], text: &str) -> Result<String, serde_json::Error> {
    let resource = serde_json::from_str(text)?;
    Ok(rules.iter().map(|rule| rule.code_of(&resource, text)).collect())
}

/// Returns the sort value of a person's official name, else of the first name.
fn name(resource: &Value) -> Option<SortValue> {
    let names = resource.get("name").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_official = |name: &&Value| name.get("use").and_then(Value::as_str) == Some("official");
    let name = names.iter().find(is_official).or(names.first())?;
    let part = |member: &str| fold(name.get(member).and_then(Value::as_str).unwrap_or_default());
    let given = name.get("given").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let (family, given) = (part("family"), fold(&given.collect::<Vec<_>>().join(" ")));
    if !(family.is_empty() && given.is_empty()) {
        return Some(SortValue::of_parts(&family, &given));
    }
    let text = part("text");
    (!text.is_empty()).then(|| SortValue::of_parts(&text, ""))
}

/// Compares the positions of two resources by their codes, then by their ids, which may be in descending order.
pub fn compare_positions(a: &str, b: &str, descending: bool) -> Ordering {
    let ((a, a_id), (b, b_id)) = (split_position(a), split_position(b));
    a.cmp(b).then(if descending { b_id.cmp(a_id) } else { a_id.cmp(b_id) })
}

/// Splits a position into the codes and the id.
pub fn split_position(position: &str) -> (&str, &str) {
    position.split_once(BEFORE_ID).unwrap_or((position, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::named;
    use fhir::ResourceType as T;
    use serde_json::json;

    fn codes(base: T, name: &str, descending: bool, resource: &Value) -> String {
        codes_of_text(&[SortRule { param: named(base, name).unwrap(), descending }], &resource.to_string()).unwrap()
    }

    fn is_sorted(base: T, name: &str, descending: bool, resources: &[Value]) -> bool {
        resources.iter().map(|resource| codes(base, name, descending, resource)).is_sorted()
    }

    #[test]
    fn only_references_to_the_types_of_a_parameter_count() {
        let about = |target: &str| json!({"subject": {"reference": target}});
        let rising = [about("Patient/b"), about("Patient/c"), about("Group/a")];
        assert!(is_sorted(T::Observation, "patient", false, &rising));
        assert_eq!(codes(T::Observation, "patient", true, &rising[2]), MISSING);
        assert_ne!(codes(T::Observation, "subject", true, &rising[2]), MISSING);
    }

    #[test]
    fn positions_go_by_codes_and_then_by_ids() {
        assert_eq!(compare_positions("00/a", "00/b", false), Ordering::Less);
        assert_eq!(compare_positions("00/a", "00/b", true), Ordering::Greater);
        assert_eq!(compare_positions("00/b", "01/a", true), Ordering::Less);
    }
}
