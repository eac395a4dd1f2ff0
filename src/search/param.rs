//! Search parameters, as rows of the registry.

use super::definition::Source;
use super::kind::Kind;
use super::param_id::ParamId;
use crate::fhir::{ResourceType, is_same};

/// One search parameter of one resource type: a row of the registry.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// The type that is searched.
    pub on: ResourceType,
    /// Its name in a query string.
    pub name: &'static str,
    /// Its kind, which determines the comparison.
    pub kind: Kind,
    /// The paths of its elements (see [`crate::fhir::each`]).
    pub paths: &'static [&'static str],
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
    pub(super) const fn new(on: ResourceType, name: &'static str, kind: Kind, paths: &'static [&'static str]) -> Self {
        Self {
            on,
            name,
            kind,
            paths,
            clinical: false,
            identifying: false,
            repeats: false,
            unless: None,
            via: None,
            included: &[],
            definition: None,
            id: ParamId::of_param(on, name),
        }
    }

    pub(super) const fn identifying(self) -> Self {
        Self { identifying: true, ..self }
    }

    pub(super) const fn unless(self, path: &'static str, code: &'static str) -> Self {
        Self { unless: Some((path, code)), ..self }
    }

    /// Replaces the paths of the definition.
    pub(super) const fn paths(self, paths: &'static [&'static str]) -> Self {
        Self { paths, ..self }
    }

    /// Replaces the target types of the definition.
    pub(super) const fn to(self, targets: &'static [ResourceType]) -> Self {
        Self { kind: Kind::reference(targets), ..self }
    }

    /// Returns whether it is a date with the paths that come first in the clinical order of its type.
    #[allow(clippy::indexing_slicing, reason = "runs at compile time")]
    pub(super) const fn leads_clinical_order(&self) -> bool {
        let first = self.on.clinical_order()[0];
        let mut is_first = self.kind.is_date() && self.paths.len() == first.len();
        let mut at = 0;
        while is_first && at < first.len() {
            is_first = is_same(self.paths[at], first[at]);
            at += 1;
        }
        is_first
    }
}

impl PartialEq for Param {
    fn eq(&self, other: &Self) -> bool {
        self.on == other.on && self.name == other.name
    }
}

impl Eq for Param {}
