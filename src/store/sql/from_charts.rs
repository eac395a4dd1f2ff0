//! The choice between charts and rows for an answer.

use crate::names::has_own_rows;
use crate::search_charts::sole_patients;
use fhir::{Reference, ResourceType};
use smart::{Permitted, is_directory};

/// Returns whether a search or a read of a type is answered from charts: if it concerns given patients, or if the type
/// has no rows of its own.
#[must_use]
pub fn answers_from_charts(resource_type: ResourceType, has_patients: bool) -> bool {
    !is_directory(resource_type) && (has_patients || !has_own_rows(resource_type))
}

/// Returns whether a read is answered from charts.
#[must_use]
pub fn reads_chart(permitted: &Permitted<Reference>) -> bool {
    answers_from_charts(permitted.request().resource_type, sole_patients(permitted).is_some())
}
