//! The modifiers of parameters (<https://hl7.org/fhir/R4/search.html#modifiers>).

/// A modifier, the suffix of a parameter's name behind a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modifier {
    /// `:contains`
    Contains,
    /// `:exact`
    Exact,
    /// `:missing`
    Missing,
    /// `:not`
    Not,
}

impl Modifier {
    /// Its name in a query string.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Contains => "contains",
            Self::Exact => "exact",
            Self::Missing => "missing",
            Self::Not => "not",
        }
    }
}
