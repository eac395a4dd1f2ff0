//! What a row of the registry says.

use super::definition::Source;
use super::kind::Kind;
use crate::fhir::{ResourceType, is_same};

/// One search parameter of one resource type: a row of the registry.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// The type that it searches.
    pub on: ResourceType,
    /// Its name in a query string.
    pub name: &'static str,
    /// How it compares.
    pub kind: Kind,
    /// The elements that it looks at (see [`crate::fhir::each`]).
    pub paths: &'static [&'static str],
    /// Whether it is the date by which the type is ordered (decision 8), so that a store can range over it in order.
    pub clinical: bool,
    /// Whether it may be asked without saying of which patient.
    pub identifying: bool,
    /// For a date: whether a resource may have several of it.
    pub repeats: bool,
    /// A path and a code: a resource that has the code there is not found by this parameter.
    pub unless: Option<(&'static str, &'static str)>,
    /// For a chained parameter, the reference that it follows, and to what; `paths` then are those of the target.
    pub via: Option<(&'static str, ResourceType)>,
    /// For a reference, the types that can be included by it.
    pub included: &'static [ResourceType],
    /// Where it is defined; nowhere, if it is chained.
    pub definition: Option<Source>,
    /// Its number in a store.
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

    /// Looks at other elements than the definition says.
    pub(super) const fn paths(self, paths: &'static [&'static str]) -> Self {
        Self { paths, ..self }
    }

    /// Refers to these types, in this order.
    pub(super) const fn to(self, targets: &'static [ResourceType]) -> Self {
        Self { kind: Kind::Reference(targets), ..self }
    }

    /// Whether it is a date that looks where the clinical order of its type looks first.
    #[allow(clippy::indexing_slicing, reason = "runs at compile time")]
    pub(super) const fn leads_clinical_order(&self) -> bool {
        let first = self.on.clinical_order()[0];
        let mut is_same_place = matches!(self.kind, Kind::Date) && self.paths.len() == first.len();
        let mut at = 0;
        while is_same_place && at < first.len() {
            is_same_place = is_same(self.paths[at], first[at]);
            at += 1;
        }
        is_same_place
    }
}

impl PartialEq for Param {
    fn eq(&self, other: &Self) -> bool {
        self.on == other.on && self.name == other.name
    }
}

impl Eq for Param {}

/// The number under which a store keeps the facts of a parameter, of a pair of parameters, or of a type as a whole.
/// It includes the type: a fact of one type is never under a parameter id of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParamId(u16);

impl ParamId {
    /// The number of ids that each type has. No type uses more than sixteen so far.
    const PER_TYPE: u16 = 64;
    /// The first id of the pairs of a type.
    const PAIRS: u16 = 40;

    /// The parameter id that holds every resource of the type.
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

    pub(super) const fn of_param(kind: ResourceType, place: u16) -> Self {
        assert!(place < Self::PAIRS - 1, "a type has more parameters than ids");
        Self(Self::everything(kind).0 + 1 + place)
    }

    pub(super) const fn of_pair(kind: ResourceType, place: u16) -> Self {
        assert!(place < Self::PER_TYPE - Self::PAIRS, "a type has more pairs than ids");
        Self(Self::everything(kind).0 + Self::PAIRS + place)
    }

    /// The number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }
}
