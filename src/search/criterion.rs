//! The comparisons that a query is made of. Parsing has worked out FHIR's rules: a criterion is plain, and to hold it against
//! a fact cannot fail.
//!
//! A criterion is interpreted in two ways, both exhaustive: [`Criterion::holds`] compares it with a fact, and
//! [`Criterion::key`] and [`Criterion::ranges`] find the index keys of such facts. Each kind of parameter does both in its
//! own file of [`super::kind`].

use super::fact::Fact;
use super::kind::KeyRange;
use super::kind::date::{DateCriterion, DateWindow};
use super::kind::string::StringCriterion;
use super::kind::token::TokenCriterion;
use crate::fhir::Id;

/// One plain comparison with a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Criterion {
    /// There is some value.
    Present,
    /// Has that id.
    Id(Id),
    /// Has such a token.
    Token(TokenCriterion),
    /// Has such a string.
    String(StringCriterion),
    /// Has such a time.
    Date(DateCriterion),
    /// Refers to that resource or address.
    Refers(String),
}

impl Criterion {
    /// Whether the fact satisfies it.
    #[must_use]
    pub fn holds(&self, fact: &Fact) -> bool {
        match (self, fact) {
            (Self::Present, _) => true,
            (Self::Id(id), Fact::Id(other)) => id == other,
            (Self::Token(token), Fact::Token { system, code }) => token.holds(system, code),
            (Self::String(string), Fact::String { folded, written }) => string.holds(folded, written),
            (Self::Date(date), Fact::Span(span)) => date.holds(span),
            (Self::Refers(target), Fact::Reference(other)) => target == other,
            (
                Self::Id(_) | Self::Token(_) | Self::String(_) | Self::Date(_) | Self::Refers(_),
                Fact::Id(_) | Fact::Token { .. } | Fact::Span(_) | Fact::String { .. } | Fact::Reference(_),
            ) => false,
        }
    }

    /// The id that it asks for, if it asks for one.
    #[must_use]
    pub const fn as_id(&self) -> Option<&Id> {
        match self {
            Self::Id(id) => Some(id),
            Self::Present | Self::Token(_) | Self::String(_) | Self::Date(_) | Self::Refers(_) => None,
        }
    }

    /// The index key of every fact that satisfies it, where they have one key.
    #[must_use]
    pub fn key(&self) -> Option<String> {
        match self {
            Self::Id(id) => Some(id.to_string()),
            Self::Token(token) => Some(token.key()),
            Self::String(string) => string.key(),
            Self::Refers(target) => Some(target.clone()),
            Self::Present | Self::Date(_) => None,
        }
    }

    /// The ranges of index keys that it asks for: it holds for a fact that has a key in one of them. In a pair of facts,
    /// `prefix` is the key of the first, and the separator behind it.
    #[must_use]
    pub fn ranges(&self, prefix: &str) -> Vec<KeyRange> {
        match self {
            Self::Present => vec![KeyRange::all(prefix)],
            Self::Id(id) => vec![KeyRange::equal(prefix, id.as_str())],
            Self::Token(token) => vec![KeyRange::equal(prefix, &token.key())],
            Self::String(string) => string.ranges(prefix),
            Self::Date(date) => date.window().ranges(prefix),
            Self::Refers(target) => vec![KeyRange::equal(prefix, target)],
        }
    }

    /// The window of the times that satisfy it, if it is a comparison that a time can satisfy.
    #[must_use]
    pub fn window(&self) -> Option<DateWindow> {
        match self {
            Self::Present => Some(DateWindow::default()),
            Self::Date(date) => Some(date.window()),
            Self::Id(_) | Self::Token(_) | Self::String(_) | Self::Refers(_) => None,
        }
    }

    /// A verb and its object. `short` leaves out code systems.
    pub(super) fn words(&self, short: bool) -> (&'static str, String) {
        match self {
            Self::Present => ("has", "a value".to_owned()),
            Self::Id(id) => ("is", id.to_string()),
            Self::Token(token) => token.words(short),
            Self::String(string) => string.words(),
            Self::Date(date) => date.words(),
            Self::Refers(target) => ("refers to", target.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_criterion_of_one_kind_does_not_hold_for_a_fact_of_another() {
        let begins = Criterion::String(StringCriterion::Begins("a".into()));
        let text = Fact::String { folded: "a".into(), written: "A".into() };
        assert!(begins.holds(&text));
        assert!(!Criterion::Token(TokenCriterion::Code("a".into())).holds(&text));
        assert!(!begins.holds(&Fact::Reference("a".into())));
    }
}
