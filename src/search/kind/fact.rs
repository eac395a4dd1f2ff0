//! Facts: the values of search parameters in a resource, normalised once, when the resource is loaded. Stores keep
//! facts, and a query compares a [`super::Criterion`] with them.

use super::date_window::DAY;
use super::form::FactValue;
use super::index::{NameValue, PART_END, PART_REST};
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
    /// A number, or the numbers of a Range.
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
    /// Returns the value, if the fact has that form.
    fn in_fact(fact: &Fact) -> Option<&Self>;
}

/// Declares which form of a fact has values of a type.
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
    /// Returns a text that is unique among the values of the parameter.
    pub fn text(&self) -> String {
        with_value!(self, value => value.text())
    }

    /// Returns whether the fact can be stored in an index: no text in it is longer than 2,000 bytes. A string is
    /// shortened when it becomes a fact; a shortened code, identifier or reference would be a different one.
    #[must_use]
    pub fn is_short(&self) -> bool {
        with_value!(self, value => value.is_short())
    }

    /// Returns whether no text of the fact contains a character that separates the parts of index keys.
    pub(crate) fn is_separable(&self) -> bool {
        with_value!(self, value => value.is_separable())
    }

    /// Limits the fact to an instant, which has a time of day. A less precise time counts by its first day.
    pub(crate) fn limit_to_instant(&mut self) {
        if let Self::Span(span) = self {
            span.until = span.until.min(span.from.saturating_add(DAY));
        }
    }

    /// Returns the value by which answers are sorted.
    pub(crate) fn sort_value(&self) -> SortValue {
        with_value!(self, value => value.sort_value())
    }

    /// Returns the time, if the fact is one.
    pub fn span(&self) -> Option<Span> {
        if let Self::Span(span) = self { Some(*span) } else { None }
    }

    /// Returns the text of the reference, if the fact is one.
    pub fn reference(&self) -> Option<&str> {
        if let Self::Reference(Target(text)) = self { Some(text) } else { None }
    }

    /// Returns the values that name a resource, if the parameter gives names.
    pub fn names(&self) -> Vec<NameValue<'_>> {
        if let Self::Token(Token { system, code }) = self {
            vec![NameValue::Value(code), NameValue::System(system)]
        } else {
            Vec::new()
        }
    }
}

/// An instance of a composite: the facts of each component, of which there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance(pub Vec<Vec<Fact>>);

impl FactValue for Instance {
    fn text(&self) -> String {
        let of_component =
            |facts: &Vec<Fact>| facts.iter().map(|fact| format!("{}{PART_REST}", fact.text())).collect::<String>();
        self.0.iter().map(of_component).collect::<Vec<_>>().join(&PART_END.to_string())
    }
}
