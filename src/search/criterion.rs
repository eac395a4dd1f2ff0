//! The comparisons of which a query consists. The parser has applied FHIR's rules, so that a criterion is plain and
//! comparing it with a fact cannot fail.
//!
//! A criterion is interpreted in two ways, both exhaustive: [`Criterion::holds`] compares it with a fact, and
//! [`Criterion::lookup`] and [`Criterion::window`] say how an index finds the facts that satisfy it. Each kind of
//! parameter implements both in its own file of [`super::kind`].

use super::fact::Fact;
use super::kind::date::{DateCriterion, DateWindow};
use super::kind::string::StringCriterion;
use super::kind::token::TokenCriterion;
use super::kind::{KeyMatch, Lookup};
use crate::fhir::{Id, Language};

/// A comparison with a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Criterion {
    /// Any value.
    Present,
    /// This id.
    Id(Id),
    /// Such a token.
    Token(TokenCriterion),
    /// Such a string.
    String(StringCriterion),
    /// Such a time.
    Date(DateCriterion),
    /// A reference to this resource or address.
    Refers(String),
}

impl Criterion {
    /// Returns whether a fact satisfies it.
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

    /// The id, if it is a comparison with an id.
    #[must_use]
    pub const fn as_id(&self) -> Option<&Id> {
        match self {
            Self::Id(id) => Some(id),
            Self::Present | Self::Token(_) | Self::String(_) | Self::Date(_) | Self::Refers(_) => None,
        }
    }

    /// The index keys of the facts that satisfy it, if it compares more than whether there is a value, and not a time.
    #[must_use]
    pub fn lookup(&self) -> Option<Lookup> {
        match self {
            Self::Id(id) => Some(Lookup::Key(KeyMatch::of(id.to_string()))),
            Self::Token(token) => Some(Lookup::Key(token.key())),
            Self::String(string) => Some(string.lookup()),
            Self::Refers(target) => Some(Lookup::Key(KeyMatch::of(target.clone()))),
            Self::Present | Self::Date(_) => None,
        }
    }

    /// The window of the times that satisfy it. `None` if no time can satisfy it.
    #[must_use]
    pub fn window(&self) -> Option<DateWindow> {
        match self {
            Self::Present => Some(DateWindow::default()),
            Self::Date(date) => Some(date.window()),
            Self::Id(_) | Self::Token(_) | Self::String(_) | Self::Refers(_) => None,
        }
    }

    /// Describes it in English, by a verb and an object.
    pub(super) fn words(&self) -> (&'static str, String) {
        match self {
            Self::Present => ("has", "a value".to_owned()),
            Self::Id(id) => ("is", id.to_string()),
            Self::Token(token) => token.words(),
            Self::String(string) => string.words(),
            Self::Date(date) => date.words(),
            Self::Refers(target) => ("refers to", target.clone()),
        }
    }

    /// Describes it without code systems, by a verb and an object. Only a condition that a scope can have is described
    /// in other languages than English.
    pub(super) fn in_short(&self, language: Language) -> (&'static str, String) {
        match self {
            Self::Token(token) => token.in_short(language),
            Self::Present => (language.of(["has", "tiene"]), language.of(["a value", "un valor"]).to_owned()),
            Self::Id(id) => (language.of(["is", "es"]), id.to_string()),
            Self::String(_) | Self::Date(_) | Self::Refers(_) => self.words(),
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
