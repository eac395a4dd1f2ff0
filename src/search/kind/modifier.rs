//! The modifiers of parameters (<https://hl7.org/fhir/R4/search.html#modifiers>).

use crate::fhir::ResourceType;

/// A modifier, the suffix of a parameter's name behind a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modifier {
    /// `:above`
    Above,
    /// `:below`
    Below,
    /// `:contains`
    Contains,
    /// `:exact`
    Exact,
    /// `:missing`
    Missing,
    /// `:not`
    Not,
    /// `:Patient`, or another type: the values of a reference are of that type.
    Type(ResourceType),
}

impl Modifier {
    /// Its name in a query string.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Above => "above",
            Self::Below => "below",
            Self::Contains => "contains",
            Self::Exact => "exact",
            Self::Missing => "missing",
            Self::Not => "not",
            Self::Type(resource_type) => resource_type.name(),
        }
    }
}
