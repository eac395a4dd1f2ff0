//! Search parameters, as rows of the registry.

use super::definition::Source;
use super::kind::Kind;
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
            id: ParamId(0),
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
        Self { kind: Kind::Reference(targets), ..self }
    }

    /// Returns whether it is a date with the paths that come first in the clinical order of its type.
    #[allow(clippy::indexing_slicing, reason = "runs at compile time")]
    pub(super) const fn leads_clinical_order(&self) -> bool {
        let first = self.on.clinical_order()[0];
        let mut is_first = matches!(self.kind, Kind::Date) && self.paths.len() == first.len();
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

/// The number under which a store keeps the facts of a parameter, of a pair of parameters, or of a type as a whole.
/// Each type has its own numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParamId(u16);

impl ParamId {
    /// The number of ids that each type has. No type uses more than sixteen so far.
    const PER_TYPE: u16 = 64;
    /// The first id of the pairs of a type.
    const PAIRS: u16 = 40;

    /// The parameter id under which every resource of the type is stored.
    #[must_use]
    pub const fn everything(kind: ResourceType) -> Self {
        Self(kind.index() as u16 * Self::PER_TYPE)
    }

    /// All parameter ids of a type.
    #[must_use]
    pub const fn of_type(kind: ResourceType) -> std::ops::RangeInclusive<Self> {
        let first = Self::everything(kind);
        first..=Self(first.0 + Self::PER_TYPE - 1)
    }

    pub(super) const fn of_param(kind: ResourceType, position: u16) -> Self {
        assert!(position < Self::PAIRS - 1, "a type has more parameters than ids");
        Self(Self::everything(kind).0 + 1 + position)
    }

    pub(super) const fn of_pair(kind: ResourceType, position: u16) -> Self {
        assert!(position < Self::PER_TYPE - Self::PAIRS, "a type has more pairs than ids");
        Self(Self::everything(kind).0 + Self::PAIRS + position)
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }
}
