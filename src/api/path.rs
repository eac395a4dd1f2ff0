//! The interaction that a path below the FHIR base asks for (<https://hl7.org/fhir/R4/http.html>).

use percent_encoding::percent_decode_str;

use super::problem::Problem;
use fhir::{Id, Reference, ResourceType};
use search::compartment_types;

/// The interaction of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interaction {
    /// `[type]`: a search.
    Search(ResourceType),
    /// `[type]/[id]`: a read. `[type]/[id]/_history/[vid]`: a read of the version of that name.
    Read(Reference, Option<String>),
    /// `Patient/[id]/$everything`, or `Patient/$everything` without an id.
    Everything(Option<Id>),
    /// `Observation/$lastn`.
    LastN,
    /// `[type]/[id]/[type]`: a search in a compartment. `Patient/[id]/*`: one of all types.
    Compartment(Reference, Option<ResourceType>),
    /// The base itself: a search of the types in `_type`.
    Types,
}

impl Interaction {
    /// The interaction of a path. The characters of an id may be percent-encoded (RFC 3986, section 6.2.2.2).
    ///
    /// # Errors
    /// If the path is of none that is offered, or the text in the place of an id is no id.
    pub fn parse(path: &str) -> Result<Self, Problem> {
        let segments: Vec<&str> = path.split('/').collect();
        match segments.as_slice() {
            [""] => Ok(Self::Types),
            ["_history"] => Err(Problem::NoHistory),
            [name, rest @ ..] => Self::of_type(ResourceType::parse(name).ok_or(Problem::NoRoute)?, rest),
            [] => Err(Problem::NoRoute),
        }
    }

    fn of_type(resource_type: ResourceType, rest: &[&str]) -> Result<Self, Problem> {
        let read = |id: &str, version| Ok(Self::Read(Reference { resource_type, id: id_of(id)? }, version));
        match rest {
            [] | [""] => Ok(Self::Search(resource_type)),
            ["_history"] | [_, "_history"] => Err(Problem::NoHistory),
            ["$everything"] if resource_type == ResourceType::Patient => Ok(Self::Everything(None)),
            [id, "$everything"] if resource_type == ResourceType::Patient => Ok(Self::Everything(Some(id_of(id)?))),
            ["$lastn"] if resource_type == ResourceType::Observation => Ok(Self::LastN),
            [id] => read(id, None),
            [id, "*"] if resource_type == ResourceType::Patient => {
                Ok(Self::Compartment(Reference { resource_type, id: id_of(id)? }, None))
            }
            [id, on] if compartment_types().any(|of| of == resource_type) => {
                let on = ResourceType::parse(on).ok_or(Problem::NoRoute)?;
                Ok(Self::Compartment(Reference { resource_type, id: id_of(id)? }, Some(on)))
            }
            [id, "_history", version] => read(id, Some(decoded(version))),
            _ => Err(Problem::NoRoute),
        }
    }
}

/// The id in a segment. A text that is no id names no resource. One that begins with `$` or `_` is an operation, and
/// not supported.
fn id_of(segment: &str) -> Result<Id, Problem> {
    match Id::parse(&decoded(segment)) {
        Some(id) => Ok(id),
        None if segment.starts_with(['$', '_']) => Err(Problem::NoRoute),
        None => Err(Problem::NotFound),
    }
}

fn decoded(segment: &str) -> String {
    percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_a_search_or_a_read_or_none() {
        let reference = || Reference::parse("Patient/a").unwrap();
        for (path, expected) in [
            ("Patient", Ok(Interaction::Search(ResourceType::Patient))),
            ("Patient/", Ok(Interaction::Search(ResourceType::Patient))),
            ("Patient/a", Ok(Interaction::Read(reference(), None))),
            ("Patient/%61", Ok(Interaction::Read(reference(), None))),
            ("Patient/a/_history/2", Ok(Interaction::Read(reference(), Some("2".to_owned())))),
            ("Patient/$everything", Ok(Interaction::Everything(None))),
            ("Patient/a/$everything", Ok(Interaction::Everything(Id::parse("a")))),
            ("Observation/$lastn", Ok(Interaction::LastN)),
            ("Condition/$lastn", Err(Problem::NoRoute)),
            ("Encounter/a/$everything", Err(Problem::NoRoute)),
            ("Patient/a/_history", Err(Problem::NoHistory)),
            ("Patient/_history", Err(Problem::NoHistory)),
            ("_history", Err(Problem::NoHistory)),
            ("Patient/a_b/_history/2", Err(Problem::NotFound)),
            ("Patient/$x", Err(Problem::NoRoute)),
            ("Patient/a/", Err(Problem::NoRoute)),
            ("Patient/a/_history/2/", Err(Problem::NoRoute)),
            ("Colour/a/_history", Err(Problem::NoRoute)),
            ("/", Err(Problem::NoRoute)),
            ("", Ok(Interaction::Types)),
            ("Patient/a/Goal", Ok(Interaction::Compartment(reference(), Some(ResourceType::Goal)))),
            ("Patient/a/*", Ok(Interaction::Compartment(reference(), None))),
            ("Encounter/a/*", Err(Problem::NoRoute)),
            ("Goal/a/Observation", Err(Problem::NoRoute)),
            ("Patient/a/Colour", Err(Problem::NoRoute)),
        ] {
            assert_eq!(Interaction::parse(path), expected, "{path}");
        }
    }
}
