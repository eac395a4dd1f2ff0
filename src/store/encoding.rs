//! The encoding of resources as rows, for types that are searched without a patient.
//!
//! A fact has a row for each of its index keys: a parameter id, the key, the sort key of the resource, and the rest of
//! the key. These four are the primary key, so that the rows of one key are in the order of the answer.
//! [`search::kind`] gives the keys of facts and of criteria.
//!
//! A time has a row only if a search may begin with it. Otherwise it is compared in the row of the resource, which
//! lists the parameters of the resource with their times ([`known_params`]).

use std::collections::BTreeMap;

use chart::IndexedResource;
use fhir::{Micros, Span};
use search::kind::IndexForm;
use search::registry::changed;
use search::sort_key::{newest_first, oldest_first};
use search::{IndexSet, Param, ParamId};
use smart::is_directory;

/// A text that sorts after every id, because ids consist of letters, digits, `-` and `.`.
const AFTER_IDS: char = '~';

/// A fact, as a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FactRow {
    /// The parameter, or the type as a whole.
    pub param_id: ParamId,
    /// The text of the key.
    pub value: String,
    /// The sort key of the resource.
    pub sort_key: String,
    /// The rest of the key.
    pub rest: String,
}

/// A reference that includes may follow, as a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkRow {
    /// The parameter.
    pub param_id: ParamId,
    /// `Type/id`.
    pub target: String,
}

/// Returns the rows of a resource's facts, for a set of parameters.
pub fn fact_rows(indexed: &IndexedResource, set: &IndexSet) -> Vec<FactRow> {
    let row = |param_id: ParamId, value: String, rest: String| {
        let sort_key = indexed.sort_key.as_str().to_owned();
        FactRow { param_id, value, sort_key, rest }
    };
    let mut rows = vec![row(ParamId::everything(indexed.resource_type), String::new(), String::new())];
    for param in set.stored_params(indexed.resource_type).filter(|param| has_rows(param)) {
        let keys = param.kind.index_keys(indexed.facts_of(param));
        rows.extend(keys.into_iter().map(|key| row(param.id, key.value, key.rest)));
    }
    rows
}

/// Returns the rows of the references that includes may follow from a resource.
pub fn link_rows(indexed: &IndexedResource) -> Vec<LinkRow> {
    indexed.links().map(|(param, target)| LinkRow { param_id: param.id, target: target.to_string() }).collect()
}

/// Returns the parameters of a set for which a resource has values, as a JSON object from parameter ids to arrays. The
/// array of a date has its start, counted forward and backward for `_sort`, and its end; for a Period without a start,
/// also the time by which it is sorted instead, counted forward and backward. Other arrays are empty.
pub fn known_params(indexed: &IndexedResource, set: &IndexSet) -> String {
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for param in set.stored_params(indexed.resource_type).filter(|param| !param.kind.is_id()) {
        if indexed.facts_of(param).next().is_some() {
            let codes = indexed.spans_of(param).next().map(time_codes);
            known.insert(param.id.number().to_string(), codes.unwrap_or_default());
        }
    }
    serde_json::json!(known).to_string()
}

fn time_codes(span: Span) -> Vec<String> {
    let both = |time| [oldest_first(Some(time)), newest_first(Some(time))];
    let mut codes = Vec::from(both(span.from));
    codes.push(oldest_first(Some(span.until)));
    if span.sort_time() != span.from {
        codes.extend(both(span.sort_time()));
    }
    codes
}

/// Returns whether the facts of a parameter of a type with rows have rows of their own. The id, the patient and the
/// clinical date do not, because the row of the resource contains them. Nor do dates with which no search may begin,
/// such as the time at which this server changed the resource.
fn has_rows(param: &Param) -> bool {
    match param.kind.index_form() {
        IndexForm::Id => false,
        IndexForm::Time => {
            let begins = param.identifying || is_directory(param.base);
            !param.clinical && begins && changed(param.base) != Some(param)
        }
        IndexForm::Keys => param.name != "patient",
    }
}

/// Returns a text that sorts between the sort keys of that time or later and those of earlier times.
pub fn sort_key_at(start: Micros) -> String {
    let mut sort_key = newest_first(Some(start));
    sort_key.push(AFTER_IDS);
    sort_key
}

/// A text that sorts after every sort key.
pub const LAST_SORT_KEY: &str = "~";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::has_own_rows;
    use fhir::ResourceType;

    #[test]
    fn a_resource_of_a_type_with_rows_has_one_value_of_a_date() {
        for resource_type in ResourceType::served().iter().filter(|resource_type| has_own_rows(**resource_type)) {
            let several =
                IndexSet::of_r4().stored_params(*resource_type).filter(|param| param.repeats).map(|param| param.name);
            assert_eq!(several.collect::<Vec<_>>(), Vec::<&str>::new(), "{resource_type}");
        }
    }

    #[test]
    fn each_instance_of_a_composite_of_a_type_with_rows_has_keys() {
        let own = ResourceType::served().iter().filter(|resource_type| has_own_rows(**resource_type));
        let params = own.flat_map(|resource_type| IndexSet::of_r4().params_of(*resource_type));
        let mut composites = 0;
        for param in params.filter(|param| !param.kind.components().is_empty()) {
            assert!(param.component_params.is_empty(), "{} {} reads the values of others", param.base, param.name);
            let [before @ .., _] = param.kind.components() else { panic!("{} {}", param.base, param.name) };
            let is_key = |kind: &str| ["Token", "Code", "Identifier", "Reference"].contains(&kind);
            assert!(before.iter().all(|component| is_key(component.kind.name())), "{} {}", param.base, param.name);
            composites += 1;
        }
        assert!(composites > 0);
    }

    #[test]
    fn the_parameters_without_rows_are_those_that_the_row_of_the_resource_has() {
        let all = ResourceType::served()
            .iter()
            .filter(|resource_type| has_own_rows(**resource_type))
            .flat_map(|resource_type| IndexSet::of_r4().stored_params(*resource_type));
        let without = all.filter(|param| !has_rows(param) && !param.kind.is_id() && !param.clinical);
        // The times of the last change and of the clinical date, which no request names.
        let without = without.filter(|param| changed(param.base) != Some(*param) && param.name != "_dated");
        let named: Vec<_> = without.map(|param| format!("{} {}", param.base, param.name)).collect();
        let of_patients = ["CareTeam _lastUpdated", "CareTeam patient", "CareTeam date", "RelatedPerson patient"];
        assert_eq!(named, [&of_patients[..], &["RelatedPerson birthdate"]].concat());
    }
}
