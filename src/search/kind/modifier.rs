//! The modifiers of parameters (<https://hl7.org/fhir/R4/search.html#modifiers>).

use fhir::ResourceType;

/// A modifier: the suffix after a colon of a parameter's name.
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
    /// `:identifier`
    Identifier,
    /// `:missing`
    Missing,
    /// `:not`
    Not,
    /// `:of-type`
    OfType,
    /// `:text`
    Text,
    /// `:Patient`, or another type: the values of a reference are of that type.
    Type(ResourceType),
}

impl Modifier {
    /// Returns whether the modifier compares the values of a parameter, rather than their absence or other data of the
    /// element.
    #[must_use]
    pub const fn compares_values(self) -> bool {
        !matches!(self, Self::Identifier | Self::Missing | Self::Not | Self::OfType | Self::Text)
    }

    /// Returns the name in a query string.
    pub fn name(self) -> &'static str {
        match self {
            Self::Above => "above",
            Self::Below => "below",
            Self::Contains => "contains",
            Self::Exact => "exact",
            Self::Identifier => "identifier",
            Self::Missing => "missing",
            Self::Not => "not",
            Self::OfType => "of-type",
            Self::Text => "text",
            Self::Type(resource_type) => resource_type.name(),
        }
    }
}
