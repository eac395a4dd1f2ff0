//! Parameters of type reference (<https://hl7.org/fhir/R4/search.html#reference>).
//!
//! A fact is `Type/id`, or an address outside of this server, without a version.

use serde_json::Value;

use super::bad;
use super::escape::unescape;
use crate::fhir::{Id, Issue, Reference, ResourceType, quoted};
use crate::search::{Criterion, Fact, Param};

/// Adds the reference of an element.
pub(super) fn facts(element: &Value, add: &mut dyn FnMut(Fact)) {
    if let Some(target) = target(element) {
        add(Fact::Reference(target));
    }
}

/// The literal reference of a Reference element, without its version. `None` for a reference into `contained`.
pub fn target(element: &Value) -> Option<String> {
    let text = super::text_of(element, "reference").filter(|text| !text.starts_with('#'))?;
    Some(Reference::unversioned(text).to_owned())
}

/// Parses a value: an id, `Type/id`, or an address. `base` is the URL of this server's FHIR base. Absolute references
/// below it are local ones. An id alone may belong to any of the `targets`.
///
/// # Errors
/// If the value is not a reference, or refers to a type that the parameter cannot refer to.
pub(super) fn parse(param: &Param, targets: &[ResourceType], raw: &str, base: &str) -> Result<Vec<Criterion>, Issue> {
    let text = unescape(raw);
    let local = text.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
    let path = local.unwrap_or(&text);
    if let Some(id) = Id::parse(path) {
        return Ok(targets.iter().map(|kind| Criterion::Refers(Reference::join(*kind, &id))).collect());
    }
    if local.is_none() && (text.contains("://") || text.starts_with("urn:")) {
        return Ok(vec![Criterion::Refers(Reference::unversioned(&text).to_owned())]);
    }
    let names: Vec<_> = targets.iter().map(|kind| kind.name()).collect();
    match Reference::parse(path) {
        Some(reference) if targets.contains(&reference.kind) => Ok(vec![Criterion::Refers(reference.to_string())]),
        _ => Err(bad(
            format!("{} is not a reference that \"{}\" can have.", quoted(path), param.name),
            &format!("an id, or Type/id with one of: {}", names.join(", ")),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{found, parsed};
    use super::*;
    use ResourceType as T;
    use serde_json::json;

    #[test]
    fn references_are_the_same_as_id_as_type_and_id_and_under_our_base() {
        let alice = vec![Criterion::Refers("Encounter/a".into())];
        for raw in ["a", "Encounter/a", "https://here/fhir/r4/Encounter/a", "Encounter/a/_history/1"] {
            assert_eq!(parsed(T::Condition, "encounter", raw), Ok(alice.clone()), "{raw}");
        }
        for foreign in ["https://evil/fhir/r4/Encounter/a", "https://here/fhir/r4x/Encounter/a"] {
            assert_eq!(parsed(T::Condition, "encounter", foreign), Ok(vec![Criterion::Refers(foreign.into())]));
        }
        for bad in ["Patient/a", "Encounter/", "Foo/a", "a b", "https://here/fhir/r4/", "#a"] {
            assert!(parsed(T::Condition, "encounter", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn contained_resources_and_references_into_them_have_no_facts() {
        let request = json!({"contained": [{"resourceType": "Medication", "id": "m", "status": "active"}], "medicationReference": {"reference": "#m"}, "subject": {"reference": "Patient/p/_history/2"}});
        assert_eq!(found(T::MedicationRequest, &request), ["patient=Patient/p"]);
    }
}
