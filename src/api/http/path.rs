//! The interaction of a path below the FHIR base (<https://hl7.org/fhir/R4/http.html>).

use percent_encoding::percent_decode_str;

use super::problem::Problem;
use fhir::{Id, Reference, ResourceType};
use search::compartment_types;

/// The interaction of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interaction {
    /// `[type]`: a search.
    Search(ResourceType),
    /// `[type]/[id]`: a read. `[type]/[id]/_history/[vid]`: a read of the version with that name.
    Read(Reference, Option<String>),
    /// `Patient/[id]/$everything`, or `Patient/$everything` without an id.
    Everything(Option<Id>),
    /// `Patient/[id]/$summary`, or `Patient/$summary` without an id.
    Summary(Option<Id>),
    /// `Observation/$lastn`.
    LastN,
    /// `DocumentReference/$docref`.
    DocRef,
    /// `[type]/[id]/[type]`: a search in a compartment. `Patient/[id]/*`: a search of all its types.
    Compartment(Reference, Option<ResourceType>),
    /// The base itself: a search of the types in `_type`.
    Types,
}

/// The texts of the variables of a path, such as `Patient` and `a` for `/{type}/{id}`. They are empty for missing
/// variables.
pub type PathVariables<'a> = [&'a str; 3];

/// A function that returns the interaction for the texts of a path's variables.
pub type Interacts = fn(PathVariables<'_>) -> Result<Interaction, Problem>;

impl Interaction {
    /// Handles `[type]`, or the base itself.
    pub(crate) fn search([name, ..]: PathVariables<'_>) -> Result<Self, Problem> {
        if name.is_empty() { Ok(Self::Types) } else { searched(name).map(Self::Search) }
    }

    /// Handles `[type]/[id]`. Without an id, this is `[type]`.
    pub(crate) fn read([name, id, _]: PathVariables<'_>) -> Result<Self, Problem> {
        let resource_type = type_of(name)?;
        match id {
            "" => Ok(Self::Search(resource_type)),
            "_history" => Err(Problem::NoHistory),
            id => Ok(Self::Read(Reference { resource_type, id: id_of(id)? }, None)),
        }
    }

    /// Handles `[type]/[id]/_history/[vid]`.
    pub(crate) fn version([name, id, version]: PathVariables<'_>) -> Result<Self, Problem> {
        let resource_type = type_of(name).ok().filter(|_| !version.contains('/')).ok_or(Problem::NoRoute)?;
        Ok(Self::Read(Reference { resource_type, id: id_of(id)? }, Some(decoded(version))))
    }

    /// Handles `[type]/[id]/[type]`, or `Patient/[id]/*`.
    pub(crate) fn compartment([of, id, name]: PathVariables<'_>) -> Result<Self, Problem> {
        let resource_type = type_of(of)?;
        let is_whole = name == "*" && resource_type == ResourceType::Patient;
        let name = if is_whole { None } else { Some(searched(name)?) };
        if !compartment_types().any(|of| of == resource_type) {
            return Err(Problem::NoRoute);
        }
        Ok(Self::Compartment(Reference { resource_type, id: id_of(id)? }, name))
    }
}

fn type_of(name: &str) -> Result<ResourceType, Problem> {
    ResourceType::parse(name).ok_or(Problem::NoRoute)
}

fn searched(name: &str) -> Result<ResourceType, Problem> {
    if name == "_history" { Err(Problem::NoHistory) } else { type_of(name) }
}

/// Returns the id in a part of a path. A text that is not an id names no resource. A text that begins with `$` or `_`
/// is an unsupported operation, and so is a longer path.
pub fn id_of(part: &str) -> Result<Id, Problem> {
    match Id::parse(&decoded(part)) {
        Some(id) => Ok(id),
        None if part.starts_with(['$', '_']) || part.contains('/') => Err(Problem::NoRoute),
        None => Err(Problem::NotFound),
    }
}

fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}
