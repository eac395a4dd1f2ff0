//! The types of an export.

use super::exporter::Exporter;
use crate::http::problem::Problem;
use crate::records::record_types::{in_order, is_of_records};
use ::export::ExportLevel;
use fhir::{Issue, IssueCode, ResourceType};

/// The types of the directory that are exported with patients' records, as far as these refer to them.
const FOLLOWED: [ResourceType; 5] = [
    ResourceType::Location,
    ResourceType::Medication,
    ResourceType::Organization,
    ResourceType::Practitioner,
    ResourceType::PractitionerRole,
];

fn is_of(level: ExportLevel, resource_type: ResourceType) -> bool {
    level == ExportLevel::System || is_of_records(resource_type) || FOLLOWED.contains(&resource_type)
}

/// Returns the types of an export, in order: those in `_type`, or all that the exporter's scopes open. Binary is only
/// included if `_type` names it, since DocumentReference contains documents.
///
/// # Errors
/// If the scopes do not open a type in `_type`, if the level has no resources of a type, or if no type remains.
pub fn types_of(
    exporter: &Exporter,
    level: ExportLevel,
    asked: Option<&[ResourceType]>,
) -> Result<Vec<ResourceType>, Problem> {
    let Some(asked) = asked else {
        let comes = |on: &ResourceType| *on != ResourceType::Binary && is_of(level, *on) && exporter.opens(*on);
        let all: Vec<_> = in_order().filter(comes).collect();
        if all.iter().any(|resource_type| level == ExportLevel::System || is_of_records(*resource_type)) {
            return Ok(all);
        }
        return Err(Problem::MayNot { what: "an export of the records of patients", scope: "system/*.read" });
    };
    for resource_type in asked {
        exporter.require(*resource_type)?;
    }
    let outside = |resource_type: &&ResourceType| !is_of(level, **resource_type);
    let bad = |text: String| {
        let names: Vec<_> = in_order().filter(|on| is_of(level, *on)).map(ResourceType::name).collect();
        Problem::from(Issue::error(IssueCode::NotSupported, text).about("_type").hint(names.join(", ")))
    };
    if let Some(resource_type) = asked.iter().find(outside) {
        return Err(bad(format!("{resource_type} is in no record of a patient. An export of the system has it.")));
    }
    if level != ExportLevel::System && !asked.iter().any(|resource_type| is_of_records(*resource_type)) {
        let text =
            "These types come only as far as exported records refer to them, and \"_type\" names no type of records.";
        return Err(bad(text.to_owned()));
    }
    Ok(in_order().filter(|resource_type| asked.contains(resource_type)).collect())
}

/// Returns the types of a level that the scopes do not open, if one of them is a wildcard. A wildcard stands for a list
/// of types, but a client may expect all types.
pub fn closed_by_wildcard(exporter: &Exporter, level: ExportLevel) -> Vec<ResourceType> {
    let has_wildcard = exporter.grant.scopes.resource_scopes().any(|scope| scope.resource_type.is_none());
    let is_closed = |on: &ResourceType| *on != ResourceType::Binary && is_of(level, *on) && !exporter.opens(*on);
    in_order().filter(|_| has_wildcard).filter(is_closed).collect()
}
