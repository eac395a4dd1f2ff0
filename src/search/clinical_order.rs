//! The elements that order the resources of a type (docs/decisions/search.md#default-order), from
//! `src/fhir/tables/served.tsv`.

use std::sync::LazyLock;

use serde_json::Value;

use fhir::{ResourceType, Span, for_each_value, words};

/// The order of a type whose resources have no date of their own.
const UPDATED: &str = "meta.lastUpdated";

/// The orders of the types of R4, by index.
static ORDERS: LazyLock<Vec<Vec<Vec<&'static str>>>> = LazyLock::new(|| {
    let of = |resource_type: ResourceType| {
        let order =
            resource_type.choices().map(|choices| choices.order).filter(|order| !order.is_empty()).unwrap_or(UPDATED);
        words(order).map(|paths| paths.split(',').collect()).collect()
    };
    ResourceType::all().map(of).collect()
});

/// Returns whether the resources of a type have a date of their own.
#[must_use]
pub fn has_clinical_date(resource_type: ResourceType) -> bool {
    resource_type.choices().is_some_and(|choices| !choices.order.is_empty())
}

/// Returns the elements that order the resources of a type, by their start or else their end. Each element is a list of
/// paths; the first path that has a time counts.
#[allow(clippy::indexing_slicing, reason = "the list has an element for each type of R4")]
pub fn clinical_order(resource_type: ResourceType) -> &'static [Vec<&'static str>] {
    &ORDERS[resource_type.index()]
}

/// Returns the date by which a resource is ordered: the first one present, in the order of its type.
pub fn clinical_date(resource_type: ResourceType, resource: &Value) -> Option<Span> {
    let first = |paths: &Vec<&str>| {
        let mut span = None;
        for path in paths {
            for_each_value(resource, path, &mut |element| span = span.or_else(|| Span::of_element(element)));
        }
        span
    };
    clinical_order(resource_type).iter().find_map(first)
}
