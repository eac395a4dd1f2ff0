//! The comparisons of which a query consists. The parser has already applied FHIR's rules, so that comparing a
//! criterion with a fact cannot fail.
//!
//! A criterion is interpreted in two ways, both exhaustive: [`Criterion::holds`] compares it with a fact, and
//! [`Criterion::lookups`] and [`Criterion::window`] describe how an index finds the facts that satisfy it. Each kind of
//! parameter implements both in its own file.

use super::breadth::Breadth;
use super::date::DateCriterion;
use super::date_window::DateWindow;
use super::fact::{Fact, InFact, Instance};
use super::form::{Comparison, Comparisons, Phrase};
use super::index::{Lookup, NameValue};
use super::interval::NumberCriterion;
use super::quantity::QuantityCriterion;
use super::reference::{OfType, ReferenceCriterion, Target};
use super::string::StringCriterion;
use super::token::TokenCriterion;
use super::uri::UriCriterion;
use crate::words::Texts;
use fhir::{Id, Reference};

/// A comparison with a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Criterion {
    /// Any value.
    Present,
    /// The id of a resource.
    Id(Id),
    /// A criterion of tokens.
    Token(TokenCriterion),
    /// A criterion of strings.
    String(StringCriterion),
    /// A criterion of times.
    Date(DateCriterion),
    /// A criterion of references.
    Refers(ReferenceCriterion),
    /// A reference to a resource of this type.
    RefersTo(OfType),
    /// A criterion of numbers.
    Number(NumberCriterion),
    /// A criterion of quantities.
    Quantity(QuantityCriterion),
    /// A criterion of instances of a composite.
    Composite(CompositeCriterion),
    /// A criterion of addresses.
    Uri(UriCriterion),
}

/// Evaluates an expression with the comparison of a criterion of any form, or another expression if the criterion is
/// only that a value exists.
macro_rules! with_comparison {
    ($criterion:expr, any => $present:expr, $comparison:ident => $result:expr) => {
        match $criterion {
            Criterion::Present => $present,
            Criterion::Id($comparison) => $result,
            Criterion::Token($comparison) => $result,
            Criterion::String($comparison) => $result,
            Criterion::Date($comparison) => $result,
            Criterion::Refers($comparison) => $result,
            Criterion::RefersTo($comparison) => $result,
            Criterion::Number($comparison) => $result,
            Criterion::Quantity($comparison) => $result,
            Criterion::Composite($comparison) => $result,
            Criterion::Uri($comparison) => $result,
        }
    };
}

/// Declares which form of a criterion has comparisons of a type.
macro_rules! forms {
    ($($form:ident($comparison:ty)),*) => {$(
        impl From<$comparison> for Criterion {
            fn from(comparison: $comparison) -> Self {
                Self::$form(comparison)
            }
        }
    )*};
}

forms!(
    Id(Id),
    Token(TokenCriterion),
    String(StringCriterion),
    Date(DateCriterion),
    Refers(ReferenceCriterion),
    RefersTo(OfType),
    Number(NumberCriterion),
    Quantity(QuantityCriterion),
    Composite(CompositeCriterion),
    Uri(UriCriterion)
);

/// Returns whether a fact has the form that a comparison is made for, and satisfies the comparison.
fn holds<C: Comparison<Value: InFact>>(comparison: &C, fact: &Fact) -> bool {
    InFact::in_fact(fact).is_some_and(|value| comparison.holds(value))
}

impl Criterion {
    /// Returns the criteria for one value of a query, one of which must hold.
    pub(super) fn of<C: Into<Self>>(comparisons: Comparisons<C>) -> Vec<Self> {
        match comparisons {
            Comparisons::OneOf(comparisons) => comparisons.into_iter().map(Into::into).collect(),
            Comparisons::AnyValue => vec![Self::Present],
        }
    }

    /// Returns the criterion of a reference to this resource.
    pub fn refers_to(target: &Reference) -> Self {
        ReferenceCriterion::To(Target(target.to_string())).into()
    }

    /// Returns whether a fact satisfies the criterion.
    #[must_use]
    pub fn holds(&self, fact: &Fact) -> bool {
        with_comparison!(self, any => true, comparison => holds(comparison, fact))
    }

    /// Returns whether any value satisfies the criterion.
    #[must_use]
    pub fn is_presence(&self) -> bool {
        matches!(self, Self::Present)
    }

    /// Returns the id, if the criterion compares with an id.
    pub fn as_id(&self) -> Option<&Id> {
        if let Self::Id(id) = self { Some(id) } else { None }
    }

    /// Returns whether the criterion compares with a code and its system, which is not empty.
    #[must_use]
    pub fn has_system(&self) -> bool {
        matches!(self, Self::Token(TokenCriterion::Coded { system, .. }) if !system.is_empty())
    }

    /// Returns the text of the reference, if the criterion compares with a single reference.
    pub fn reference(&self) -> Option<&str> {
        if let Self::Refers(ReferenceCriterion::To(Target(text))) = self { Some(text) } else { None }
    }

    /// Returns the name of the resources that satisfy the criterion, if its parameter gives names.
    pub fn name(&self) -> Option<NameValue<'_>> {
        if let Self::Token(token) = self { Some(token.name()) } else { self.as_id().map(NameValue::Id) }
    }

    /// Returns the index keys that find the facts that satisfy the criterion: each such fact has one of these keys.
    /// Times and the mere existence of a value have no such keys.
    pub fn lookups(&self) -> Vec<Lookup> {
        with_comparison!(self, any => Vec::new(), comparison => comparison.lookups())
    }

    /// Returns the window of the times that satisfy the criterion. `None` if no time can satisfy it.
    pub fn window(&self) -> Option<DateWindow> {
        if let Self::Date(date) = self { Some(date.window()) } else { self.is_presence().then(DateWindow::default) }
    }

    /// Returns an estimate of how many resources the criterion finds, if it differs from the estimate of its kind.
    pub(super) fn breadth(&self) -> Option<Breadth> {
        with_comparison!(self, any => None, comparison => comparison.breadth())
    }

    /// Returns the criteria for the component with that number, one of which must hold, if this compares instances.
    pub fn part(&self, at: usize) -> Option<&[Self]> {
        if let Self::Composite(composite) = self { composite.part(at) } else { None }
    }

    /// Returns whether the criterion depends on the moment of the search.
    pub(crate) fn is_relative(&self) -> bool {
        if let Self::Composite(composite) = self {
            composite.is_relative()
        } else {
            matches!(self, Self::Date(date) if date.is_relative())
        }
    }

    /// Describes the criterion in English, as a verb and an object.
    pub(crate) fn words(&self) -> Phrase {
        with_comparison!(self, any => ("has", "a value".to_owned()), comparison => comparison.words())
    }

    /// Describes this criterion and the next one, one of which must hold, as one verb and an object, if a query writes
    /// both as one comparison.
    pub(crate) fn words_of_two(&self, next: &Self) -> Option<Phrase> {
        match (self, next) {
            (Self::Date(first), Self::Date(second)) => first.words_of_two(second),
            _ => None,
        }
    }

    /// Describes the criterion without code systems, as a verb and an object. Only conditions that a scope can have are
    /// described in other languages than English.
    pub(crate) fn in_short(&self, texts: &Texts) -> Phrase {
        with_comparison!(self, any => (texts.has, texts.value.to_owned()), comparison => comparison.in_short(texts))
    }
}

/// Returns whether a fact satisfies one of these criteria.
#[must_use]
pub fn meets(any: &[Criterion], fact: &Fact) -> bool {
    any.iter().any(|criterion| criterion.holds(fact))
}

/// A comparison with an instance: for each component its name and its criteria, one of which must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompositeCriterion(pub Vec<(&'static str, Vec<Criterion>)>);

impl CompositeCriterion {
    /// See [`Criterion::part`].
    pub fn part(&self, at: usize) -> Option<&[Criterion]> {
        self.0.get(at).map(|(_, any)| any.as_slice())
    }

    /// Returns whether a criterion depends on the moment of the search.
    pub(super) fn is_relative(&self) -> bool {
        self.parts().flatten().any(Criterion::is_relative)
    }

    fn parts(&self) -> impl Iterator<Item = &[Criterion]> {
        self.0.iter().map(|(_, any)| any.as_slice())
    }
}

impl Comparison for CompositeCriterion {
    type Value = Instance;

    fn holds(&self, Instance(facts): &Instance) -> bool {
        self.parts().zip(facts).all(|(any, facts)| facts.iter().any(|fact| meets(any, fact)))
    }

    fn words(&self) -> Phrase {
        let part = |(name, any): &(&str, Vec<Criterion>)| {
            let mut phrases: Vec<String> = Vec::new();
            for (verb, object) in any.iter().map(Criterion::words) {
                let phrase = format!("{verb} {object}");
                if !phrases.contains(&phrase) {
                    phrases.push(phrase);
                }
            }
            format!("{name} {}", if phrases.is_empty() { "is nothing".to_owned() } else { phrases.join(" or ") })
        };
        ("is one where", self.0.iter().map(part).collect::<Vec<_>>().join(" and "))
    }

    /// Returns the lookups of the last component, after the texts of the other components.
    fn lookups(&self) -> Vec<Lookup> {
        let mut begins = vec![String::new()];
        let mut lookups = Vec::new();
        for (at, any) in self.parts().enumerate() {
            let own: Vec<Lookup> = any.iter().flat_map(Criterion::lookups).collect();
            if at + 1 == self.0.len() {
                lookups = begins.iter().flat_map(|begin| own.iter().map(move |lookup| lookup.behind(begin))).collect();
                break;
            }
            let texts = own.iter().filter_map(|lookup| match lookup {
                Lookup::Key(key) => Some(key.as_part()),
                Lookup::Range(_) => None,
            });
            let texts: Vec<String> = texts.collect();
            begins = begins.iter().flat_map(|begin| texts.iter().map(move |text| format!("{begin}{text}"))).collect();
        }
        lookups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Text;

    #[test]
    fn a_criterion_of_one_kind_does_not_hold_for_a_fact_of_another() {
        let begins = Criterion::String(StringCriterion::Begins("a".into()));
        let text = Fact::String(Text { folded: "a".into(), written: "A".into() });
        assert!(begins.holds(&text));
        assert!(!Criterion::Token(TokenCriterion::Code("a".into())).holds(&text));
        assert!(!begins.holds(&Fact::Reference(Target("a".into()))));
    }
}
