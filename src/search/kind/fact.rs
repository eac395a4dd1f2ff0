//! Facts: the values of search parameters in a resource, normalised once, when the resource is loaded. Stores keep
//! facts, and a query compares a [`super::Criterion`] with them.

use super::form::FactValue;
use super::index::NameValue;
use super::instance::Instance;
use super::interval::Interval;
use super::quantity::Quantity;
use super::reference::Target;
use super::string::Text;
use super::token::Token;
use crate::sort_value::SortValue;
use fhir::{Id, Span};

/// A value of a search parameter in a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// The logical id.
    Id(Id),
    /// A code and its system.
    Token(Token),
    /// A time.
    Span(Span),
    /// A string.
    String(Text),
    /// A reference.
    Reference(Target),
    /// A number, or those of a Range.
    Number(Interval),
    /// A number with a unit.
    Quantity(Quantity),
    /// An instance of a composite.
    Instance(Instance),
}

/// Evaluates an expression with the value of a fact of any form.
macro_rules! with_value {
    ($fact:expr, $value:ident => $result:expr) => {
        match $fact {
            Fact::Id($value) => $result,
            Fact::Token($value) => $result,
            Fact::Span($value) => $result,
            Fact::String($value) => $result,
            Fact::Reference($value) => $result,
            Fact::Number($value) => $result,
            Fact::Quantity($value) => $result,
            Fact::Instance($value) => $result,
        }
    };
}

/// The value of a fact of one form.
pub(super) trait InFact: Sized {
    /// The value, if the fact is of that form.
    fn in_fact(fact: &Fact) -> Option<&Self>;
}

/// Says which form of a fact has values of a type.
macro_rules! forms {
    ($($form:ident($value:ty)),*) => {$(
        impl From<$value> for Fact {
            fn from(value: $value) -> Self {
                Self::$form(value)
            }
        }

        impl InFact for $value {
            fn in_fact(fact: &Fact) -> Option<&Self> {
                if let Fact::$form(value) = fact { Some(value) } else { None }
            }
        }
    )*};
}

forms!(
    Id(Id),
    Token(Token),
    Span(Span),
    String(Text),
    Reference(Target),
    Number(Interval),
    Quantity(Quantity),
    Instance(Instance)
);

impl Fact {
    /// A text that another value of the same parameter does not have.
    #[must_use]
    pub fn text(&self) -> String {
        with_value!(self, value => value.text())
    }

    /// Returns whether it can be stored in an index: no text in it is longer than 2,000 bytes. A string is shortened
    /// when it becomes a fact; a shortened code, identifier or reference would be another one.
    #[must_use]
    pub fn is_short(&self) -> bool {
        with_value!(self, value => value.is_short())
    }

    /// Returns whether no text in it has a character that separates the parts of index keys.
    pub(crate) fn is_separable(&self) -> bool {
        with_value!(self, value => value.is_separable())
    }

    /// Makes it the value of an instant, which has a time of day. One that is less precise counts by its first day.
    pub(crate) fn limit_to_instant(&mut self) {
        with_value!(self, value => value.limit_to_instant());
    }

    /// The value by which answers are sorted.
    pub(crate) fn sort_value(&self) -> SortValue {
        with_value!(self, value => value.sort_value())
    }

    /// The time, if it is one.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        with_value!(self, value => value.span())
    }

    /// The text of the reference, if it is one.
    #[must_use]
    pub fn reference(&self) -> Option<&str> {
        with_value!(self, value => value.reference())
    }

    /// The values that give a resource names, if its parameter does so.
    #[must_use]
    pub fn names(&self) -> Vec<NameValue<'_>> {
        with_value!(self, value => value.names())
    }
}
