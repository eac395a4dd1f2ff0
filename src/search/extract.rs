//! The extraction of facts: the values of the elements that the search parameters of a type name.

use std::cell::Cell;
use std::collections::BTreeSet;

use serde_json::Value;

use super::clinical_order::clinical_date;
use super::contained::{contained_in, contained_types};
use super::index_set::IndexSet;
use super::kind::{Fact, Modifier, Presence, target as reference_target};
use super::param::Param;
use super::registry::{clinical_dates, contained, presence};
use fhir::{Reference, ResourceType, for_each_text, for_each_value};

/// The number of values of a parameter up to which each is compared with all others.
const FEW: usize = 16;

/// The facts of one resource. Parameters with the same elements share facts, under one of them ([`Param::columns`]).
pub type Facts = Vec<(&'static Param, Fact)>;

/// Returns the facts that are values of a parameter: those of its columns, which parameters with the same elements
/// share.
pub fn values_of<'f>(facts: &'f Facts, param: &Param) -> impl Iterator<Item = &'f Fact> {
    facts.iter().filter(move |(of, _)| param.columns.contains(&of.id)).map(|(_, fact)| fact)
}

/// Returns the facts of a resource, given as a value and as its text, for a set of parameters, in the order of the
/// registry. Numbers are read from the text, which has their digits. `target` gives the resource of a reference, for
/// chained parameters. Elements of an unexpected form have no facts. Resources in `contained` add only their types. The
/// facts of [`presence`], of these types and of `clinical_dates` come last.
///
/// ```
/// use fhir::ResourceType;
/// use search::{IndexSet, facts};
/// use search::kind::Text;
///
/// let patient = serde_json::json!({"resourceType": "Patient", "name": [{"family": "Páez"}]});
/// let found = facts(ResourceType::Patient, &patient, &patient.to_string(), IndexSet::us_core(), &|_| None);
/// let (param, fact) = &found[0];
/// assert_eq!(param.name, "family");
/// assert_eq!(*fact, Text { folded: "paez".to_owned(), written: "Páez".to_owned() }.into());
/// ```
pub fn facts(
    resource_type: ResourceType,
    resource: &Value,
    text: &str,
    set: &IndexSet,
    target: &dyn Fn(&Reference) -> Option<Value>,
) -> Facts {
    let mut found = Facts::new();
    for param in set.stored_params(resource_type).filter(|param| param.is_stored()) {
        if !is_excepted(param, resource) {
            read_param(param, resource, text, target, &mut found);
        }
    }
    let mut known = Vec::new();
    for param in set.params_of(resource_type) {
        if is_excepted(param, resource) {
            known.push(Presence::Excepted.fact(param.name));
        }
        let has_value = found.iter().any(|(of, _)| param.columns.contains(&of.id));
        if !has_value && has_element(param, resource) {
            known.push(Presence::Element.fact(param.name));
        }
    }
    if let Some(presence) = presence(resource_type) {
        found.extend(known.into_iter().map(|fact| (presence, fact)));
    }
    if let Some(param) = contained(resource_type) {
        found.extend(contained_types(resource).into_iter().map(|fact| (param, fact)));
    }
    let has_date = found.iter().any(|(param, _)| param.clinical);
    let date = if has_date { None } else { clinical_date(resource_type, resource) };
    found.extend(clinical_dates(resource_type).last().zip(date.map(Into::into)));
    found
}

/// Returns [`facts`], for chains that may lead to resources that cannot be read.
///
/// # Errors
/// The last error of `target`.
pub fn try_facts<E>(
    resource_type: ResourceType,
    resource: &Value,
    text: &str,
    set: &IndexSet,
    target: &dyn Fn(&Reference) -> Result<Option<Value>, E>,
) -> Result<Facts, E> {
    let failed = Cell::new(None);
    let target = |reference: &Reference| {
        target(reference).unwrap_or_else(|error| {
            failed.set(Some(error));
            None
        })
    };
    let facts = facts(resource_type, resource, text, set, &target);
    failed.into_inner().map_or(Ok(facts), Err)
}

/// Returns the facts of one parameter that is not chained, in a resource given as a value and as its text.
pub(super) fn facts_of(param: &'static Param, resource: &Value, text: &str) -> Facts {
    let mut found = Facts::new();
    if !is_excepted(param, resource) {
        read_param(param, resource, text, &|_| None, &mut found);
    }
    found
}

/// Returns the resources to which a resource refers by these parameters, which must not be chained.
pub fn references(resource: &Value, params: &[&'static Param]) -> Vec<(&'static Param, Reference)> {
    let of_param = |param: &&'static Param| facts_of(param, resource, "");
    let facts = params.iter().flat_map(of_param);
    facts.filter_map(|(param, fact)| Some((param, Reference::parse(fact.reference()?)?))).collect()
}

/// Adds the facts of one parameter, without duplicates.
fn read_param(
    param: &'static Param,
    resource: &Value,
    text: &str,
    target: &dyn Fn(&Reference) -> Option<Value>,
    found: &mut Facts,
) {
    let (before, mut many) = (found.len(), BTreeSet::new());
    let mut add = |mut fact: Fact| {
        if param.name == "_lastUpdated" {
            fact.limit_to_instant();
        }
        // A value that is too long counts only as present. For a parameter of US Core, the resource is refused instead.
        if !fact.is_separable() || !(param.in_us_core || fact.is_short()) {
            return;
        }
        // Most parameters have few values, which are compared one by one. If there are many, a set of texts is used.
        let of_param = found.get(before..).unwrap_or_default();
        let is_new = if of_param.len() < FEW {
            of_param.iter().all(|(_, known)| *known != fact)
        } else {
            if many.is_empty() {
                many.extend(of_param.iter().map(|(_, known)| known.text()));
            }
            many.insert(fact.text())
        };
        if is_new {
            found.push((param, fact));
        }
    };
    match param.via {
        None if param.kind.reads_text() => read_text(param, resource, text, &mut add),
        None => read(param, resource, &mut add),
        // A target of another type has no facts, because a search by the chain needs a scope only for `to`.
        Some((reference, to)) => for_each_value(resource, reference, &mut |element| {
            let follow = |text: String| target(&Reference::parse(&text).filter(|found| found.resource_type == to)?);
            let local = element.get("reference").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
            if let Some(chained) = local.and_then(|id| contained_in(resource, id, to)) {
                read(param, chained, &mut add);
            } else if let Some(chained) = reference_target(element).and_then(follow) {
                read(param, &chained, &mut add);
            }
        }),
    }
}

fn is_excepted(param: &Param, resource: &Value) -> bool {
    let Some((path, code)) = param.unless else { return false };
    let mut excepted = false;
    for_each_value(resource, path, &mut |element| excepted |= element.as_str() == Some(code));
    excepted
}

/// Returns whether a resource has content in an element of a parameter for which `:missing` is supported, so that the
/// parameter is not missing.
fn has_element(param: &Param, resource: &Value) -> bool {
    let (mut has, is_present) = (false, !param.typed && param.takes(Modifier::Missing));
    for path in param.elements.iter().filter(|_| is_present) {
        for_each_value(resource, path, &mut |element| has |= has_content(element));
    }
    has
}

/// Returns whether an element has content besides its id and its extensions.
fn has_content(element: &Value) -> bool {
    match element {
        Value::Null => false,
        Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => items.iter().any(has_content),
        Value::Object(members) => {
            members.iter().any(|(name, member)| !matches!(name.as_str(), "id" | "extension") && has_content(member))
        }
    }
}

fn read(param: &Param, resource: &Value, add: &mut dyn FnMut(Fact)) {
    let mut has_value = false;
    let mut add_value = |fact| {
        has_value = true;
        add(fact);
    };
    for path in param.paths {
        for_each_value(resource, path, &mut |element| param.kind.facts(element, &mut add_value));
    }
    if let Some(fact) = param.kind.fact_of_none().filter(|_| !has_value) {
        add(fact);
    }
}

/// Adds the facts of a parameter whose elements are read from the text. The text is searched only for elements that the
/// resource has.
fn read_text(param: &Param, resource: &Value, text: &str, add: &mut dyn FnMut(Fact)) {
    for path in param.paths {
        param.kind.instances(path, resource, text, add);
        let mut is_there = false;
        for_each_value(resource, path, &mut |_| is_there = true);
        if is_there {
            for_each_text(text, path, &mut |element| param.kind.facts_in_text(element, add));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(resource_type: ResourceType, resource: &Value) -> Vec<(&'static str, Fact)> {
        let facts = facts(resource_type, resource, "", IndexSet::us_core(), &|_| None);
        facts.into_iter().map(|(param, fact)| (param.name, fact)).collect()
    }

    #[test]
    fn an_element_without_a_value_is_noted_if_it_has_content() {
        let extension = json!([{"url": "http://x", "valueCode": "unknown"}]);
        for (path, element, is_there) in [
            ("category", json!([{"text": "A"}]), true),
            ("category", json!([{"coding": [{"display": "A"}]}]), true),
            ("category", json!([{"extension": extension, "id": "1"}, {"coding": [{"extension": extension}]}]), false),
            ("category", json!([]), false),
            ("category", json!([{"text": ""}, null]), false),
            ("encounter", json!({"display": "somewhere"}), true),
            ("encounter", json!({}), false),
        ] {
            let expected = is_there.then(|| ("_present", Presence::Element.fact(path)));
            assert_eq!(found(ResourceType::Condition, &json!({path: element})), Vec::from_iter(expected), "{element}");
        }
        let display = json!({"subject": {"display": "Ann"}});
        assert_eq!(found(ResourceType::Condition, &display), [], "that of a patient is not looked for");
        let named = found(ResourceType::Practitioner, &json!({"name": [{"use": "official"}]}));
        assert_eq!(named, [("_present", Presence::Element.fact("name"))]);
    }

    #[test]
    fn a_set_has_facts_of_its_parameters_and_each_once() {
        let resource = json!({
            "subject": {"reference": "Patient/a"}, "performer": [{"reference": format!("Practitioner/{}", "x".repeat(2_001))}],
            "code": {"coding": [{"code": "c"}]}, "component": [{"code": {"coding": [{"code": "d"}]}}], "method": {"text": "by hand"}
        });
        let found = |set| {
            let facts = facts(ResourceType::Observation, &resource, &resource.to_string(), set, &|_| None);
            let (present, values): (Vec<_>, Vec<_>) =
                facts.into_iter().partition(|(param, _)| param.name == "_present");
            let names: Vec<_> = values.into_iter().map(|(param, _)| param.name).collect();
            (names, present.into_iter().map(|(_, fact)| fact).collect::<Vec<_>>())
        };
        assert_eq!(found(IndexSet::us_core()), (vec!["patient", "code"], Vec::new()));
        // An element whose value is too long counts only as present.
        let present = ["method", "performer"].map(|name| Presence::Element.fact(name)).to_vec();
        let of_r4 = vec!["patient", "code", "component-code", "method:text"];
        assert_eq!(found(IndexSet::of_r4()), (of_r4, present));
        let of_list = IndexSet::parse("Observation\tcombo-code").unwrap();
        assert_eq!(
            found(of_list).0,
            ["patient", "code", "component-code"],
            "the columns of a parameter are kept with it"
        );
    }

    #[test]
    fn values_are_found_once_however_many_there_are() {
        let target = |number: usize| json!({"reference": format!("Observation/{number}")});
        let targets: Vec<_> = (0..50_000).map(|number| target(number % 25_000)).collect();
        let facts = facts(ResourceType::Provenance, &json!({"target": targets}), "", IndexSet::of_r4(), &|_| None);
        assert_eq!(facts.iter().filter(|(param, _)| param.name == "target").count(), 25_000);
    }

    #[test]
    fn a_chain_reads_the_target_of_its_own_type_alone() {
        let practitioner = json!({"name": [{"family": "Páez"}], "identifier": [{"value": "7"}]});
        let target = |reference: &Reference| (reference.id.as_str() == "p").then(|| practitioner.clone());
        let names = |target_type: &str| {
            let role = json!({"practitioner": {"reference": format!("{target_type}/p")}});
            let facts = facts(ResourceType::PractitionerRole, &role, "", IndexSet::us_core(), &target);
            facts.iter().map(|(param, _)| param.name).collect::<Vec<_>>()
        };
        assert_eq!(names("Practitioner"), ["practitioner", "practitioner.identifier", "practitioner.name"]);
        assert_eq!(names("Patient"), ["practitioner"]);
    }
}
