//! The comparisons that a query is made of. FHIR's meaning has been compiled away: a criterion is plain, and holding it
//! against a fact is total. Two places interpret it, both exhaustively: [`Criterion::holds`] here, and the SQL of
//! `store/sql.rs`.

use super::fact::Fact;
use super::fold::word_starts;
use crate::fhir::{Id, Micros, Span};

/// One plain comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Criterion {
    /// Has that id.
    Id(Id),
    /// There is some value.
    Present,
    /// Has that code, in whatever system.
    Code(String),
    /// Has that code in that system; in none, where the system is empty.
    Coded {
        /// The system, exactly.
        system: String,
        /// The code, as facts spell it.
        code: String,
    },
    /// Has some code in that system.
    System(String),
    /// Refers to that resource or address.
    Refers(String),
    /// A word begins with that folded text.
    Begins(String),
    /// That folded text stands anywhere.
    Contains(String),
    /// Is exactly that text.
    Is(String),
    /// Lies within.
    Within(Span),
    /// Starts before.
    StartsBefore(Micros),
    /// Starts then or later.
    StartsFrom(Micros),
    /// Ends (the first instant after it) later than that.
    EndsAfter(Micros),
    /// Ends by then.
    EndsBy(Micros),
}

impl Criterion {
    /// Whether the fact satisfies it.
    #[must_use]
    pub fn holds(&self, fact: &Fact) -> bool {
        match (self, fact) {
            (Self::Present, _) => true,
            (Self::Id(id), Fact::Id(other)) => id == other,
            (Self::Code(code), Fact::Token { code: other, .. }) => code == other,
            (Self::Coded { system, code }, Fact::Token { system: in_system, code: other }) => {
                system == in_system && code == other
            }
            (Self::System(system), Fact::Token { system: other, .. }) => system == other,
            (Self::Refers(target), Fact::Reference(other)) => target == other,
            (Self::Begins(start), Fact::Text { folded, .. }) => word_starts(folded).any(|tail| tail.starts_with(start)),
            (Self::Contains(part), Fact::Text { folded, .. }) => folded.contains(part),
            (Self::Is(text), Fact::Text { written, .. }) => text == written,
            (Self::Within(span), Fact::Span(other)) => span.from <= other.from && other.until <= span.until,
            (Self::StartsBefore(time), Fact::Span(span)) => span.from < *time,
            (Self::StartsFrom(time), Fact::Span(span)) => span.from >= *time,
            (Self::EndsAfter(time), Fact::Span(span)) => span.until > *time,
            (Self::EndsBy(time), Fact::Span(span)) => span.until <= *time,
            (
                Self::Id(_)
                | Self::Code(_)
                | Self::Coded { .. }
                | Self::System(_)
                | Self::Refers(_)
                | Self::Begins(_)
                | Self::Contains(_)
                | Self::Is(_)
                | Self::Within(_)
                | Self::StartsBefore(_)
                | Self::StartsFrom(_)
                | Self::EndsAfter(_)
                | Self::EndsBy(_),
                Fact::Id(_) | Fact::Token { .. } | Fact::Span(_) | Fact::Text { .. } | Fact::Reference(_),
            ) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_criterion_of_one_kind_does_not_hold_for_a_fact_of_another() {
        let text = Fact::Text { folded: "a".into(), written: "A".into() };
        assert!(Criterion::Begins("a".into()).holds(&text));
        assert!(!Criterion::Code("a".into()).holds(&text));
        assert!(!Criterion::Begins("a".into()).holds(&Fact::Reference("a".into())));
    }

    #[test]
    fn no_system_is_a_system_of_its_own() {
        let bare = Fact::Token { system: String::new(), code: "a".into() };
        let coded = |system: &str| Criterion::Coded { system: system.into(), code: "a".into() };
        assert!(coded("").holds(&bare) && !coded("s").holds(&bare) && Criterion::Code("a".into()).holds(&bare));
        assert!(!coded("").holds(&Fact::Token { system: "s".into(), code: "a".into() }));
    }
}
