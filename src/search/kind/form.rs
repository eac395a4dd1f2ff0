//! Traits that each kind of parameter implements in its own file: reading, keeping and comparing its values. The sums
//! [`super::Kind`], [`super::Fact`] and [`super::Criterion`] call these traits.

use serde_json::Value;

use super::breadth::Breadth;
use super::index::{IndexKey, Lookup};
use super::modifier::Modifier;
use crate::sort_value::SortValue;
use crate::words::Texts;
use fhir::{Issue, Micros, ResourceType};

/// A kind of parameters: how its values are read, in resources and in queries, and which index keys they have.
pub trait ParamKind {
    type Value: FactValue;
    type Comparison: Comparison<Value = Self::Value>;

    /// Calls `add` with each value of an element, unless values are only in its text. An element of another form has
    /// none.
    fn values(&self, _element: &Value, _add: &mut dyn FnMut(Self::Value)) {}

    /// Parses one value of a query, which is not empty.
    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<Self::Comparison>, Issue>;

    fn keys(&self, value: &Self::Value) -> Vec<IndexKey>;
}

/// One value of a parameter in a query, with the context of its meaning.
#[derive(Debug, Clone, Copy)]
pub struct RawValue<'a> {
    /// The type that is searched.
    pub resource_type: ResourceType,
    /// The name of the parameter.
    pub param: &'a str,
    /// The modifier of the parameter, which its kind accepts.
    pub modifier: Option<Modifier>,
    /// The value, with its escapes.
    pub text: &'a str,
    /// The URL of this server's FHIR base. Absolute references below it are local ones.
    pub base: &'a str,
    /// The moment of the search.
    pub now: Micros,
}

/// The comparisons that a value of a query means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparisons<C> {
    /// One of these must hold. An empty list matches nothing.
    OneOf(Vec<C>),
    /// Any value of the parameter matches.
    AnyValue,
}

pub trait FactValue {
    /// Returns a text that is unique among the values of the parameter.
    fn text(&self) -> String;

    /// See [`super::Fact::is_short`].
    fn is_short(&self) -> bool {
        true
    }

    /// Returns whether no text of the value contains a character that separates the parts of index keys.
    fn is_separable(&self) -> bool {
        true
    }

    /// See [`super::Fact::sort_value`].
    fn sort_value(&self) -> SortValue {
        SortValue::Text(self.text())
    }
}

/// A verb and an object.
pub type Phrase = (&'static str, String);

/// A comparison with the value of a fact.
pub trait Comparison {
    type Value;

    /// Returns whether a value satisfies the comparison.
    fn holds(&self, value: &Self::Value) -> bool;

    /// See [`super::Criterion::words`].
    fn words(&self) -> Phrase;

    /// See [`super::Criterion::in_short`].
    fn in_short(&self, _: &Texts) -> Phrase {
        self.words()
    }

    /// Returns the only element of [`Self::lookups`], if there is exactly one.
    fn lookup(&self) -> Option<Lookup> {
        None
    }

    /// See [`super::Criterion::lookups`].
    fn lookups(&self) -> Vec<Lookup> {
        self.lookup().into_iter().collect()
    }

    /// Returns an estimate of how many resources the comparison finds, if it differs from the estimate of its kind.
    fn breadth(&self) -> Option<Breadth> {
        None
    }
}
