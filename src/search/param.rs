//! Search parameters, as rows of the registry.

use super::definition::Source;
use super::kind::{Kind, Modifier};
use super::param_id::ParamId;
use crate::fhir::ResourceType;

/// One search parameter of one resource type: a row of the registry.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// The type that is searched.
    pub on: ResourceType,
    /// Its name in a query string.
    pub name: &'static str,
    /// Its kind, which determines the comparison.
    pub kind: Kind,
    /// The paths of its elements (see [`crate::fhir::for_each_value`]).
    pub paths: &'static [&'static str],
    /// The paths of the elements of which `paths` may name parts. The parameter is missing if none of them has content.
    pub elements: &'static [&'static str],
    /// True if it is the date by which the type is ordered (decision 8), so that a store can read a range of it in
    /// order.
    pub clinical: bool,
    /// True if a search by it need not name a patient.
    pub identifying: bool,
    /// For a date: true if a resource may have several values.
    pub repeats: bool,
    /// A path and a code. A resource with that code at that path is not found by this parameter.
    pub unless: Option<(&'static str, &'static str)>,
    /// For a chained parameter, the path of the reference and the type of the target, whose elements `paths` name.
    pub via: Option<(&'static str, ResourceType)>,
    /// For a reference, the types that can be included by it.
    pub included: &'static [ResourceType],
    /// Its definition. A chained parameter has none.
    pub definition: Option<Source>,
    /// Its number in stores.
    pub id: ParamId,
}

impl Param {
    /// The modifiers that it takes: those of its kind. `patient`, which says whose records are meant, and a chain,
    /// whose elements belong to another resource, can be neither missing nor negated.
    pub fn modifiers(&self) -> impl Iterator<Item = Modifier> {
        let is_selecting = self.via.is_none() && self.name != "patient";
        let all = self.kind.modifiers().iter().copied();
        all.filter(move |modifier| is_selecting || !matches!(modifier, Modifier::Missing | Modifier::Not))
    }

    /// Returns whether it takes a modifier.
    #[must_use]
    pub fn takes(&self, modifier: Modifier) -> bool {
        self.modifiers().any(|taken| taken == modifier)
    }
}

impl PartialEq for Param {
    fn eq(&self, other: &Self) -> bool {
        self.on == other.on && self.name == other.name
    }
}

impl Eq for Param {}
