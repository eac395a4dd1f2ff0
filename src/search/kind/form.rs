//! Traits that each kind of parameter implements in its own file: reading, keeping and comparing its values. The sums
//! [`super::Kind`], [`super::Fact`] and [`super::Criterion`] call these traits.

use serde_json::Value;
use std::collections::BTreeSet;

use super::breadth::Breadth;
use super::date_window::DateWindow;
use super::index::{IndexForm, IndexKey, Lookup, NameValue};
use super::modifier::Modifier;
use crate::sort_value::SortValue;
use crate::words::Texts;
use fhir::{Id, Issue, Micros, ResourceType, Span};

/// A kind of parameters: how its values are read, in resources and in queries, and which index keys they have.
pub trait ParamKind {
    /// The values in resources.
    type Value: FactValue;
    /// The comparisons with them.
    type Comparison: Comparison<Value = Self::Value>;

    /// See [`super::Kind::name`].
    fn name(&self) -> &'static str;

    /// See [`super::Kind::fhir_type`].
    fn fhir_type(&self) -> &'static str;

    /// Calls `add` with each value of an element. An element of another form has none.
    fn values(&self, element: &Value, add: &mut dyn FnMut(Self::Value));

    /// Returns the value of a resource without an element of the parameter, if that has one too.
    fn value_of_none(&self) -> Option<Self::Value> {
        None
    }

    /// Returns whether values are only in the text of an element, as the digits of a number are.
    fn reads_text(&self) -> bool {
        false
    }

    /// Calls `add` with each value in the text of an element, if values are only in the text.
    fn values_in_text(&self, _: &str, _: &mut dyn FnMut(Self::Value)) {}

    /// Parses one value of a query, which is not empty.
    ///
    /// # Errors
    /// If the value is malformed.
    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<Self::Comparison>, Issue>;

    /// Returns the index keys of a value.
    fn keys(&self, value: &Self::Value) -> Vec<IndexKey>;

    /// Removes the redundant keys of a parameter of a resource.
    fn tidy(&self, _: &mut BTreeSet<IndexKey>) {}

    /// See [`super::Kind::modifiers`].
    fn modifiers(&self) -> &'static [Modifier] {
        &[Modifier::Missing]
    }

    /// See [`super::Kind::index_form`].
    fn index_form(&self) -> IndexForm {
        IndexForm::Keys
    }

    /// Returns the breadth of a comparison that has none of its own.
    fn breadth(&self) -> Breadth {
        Breadth::Code
    }

    /// See [`super::Kind::gives_names`].
    fn gives_names(&self) -> bool {
        false
    }

    /// See [`super::Kind::is_coded`].
    fn is_coded(&self) -> bool {
        false
    }

    /// See [`super::Kind::implied_system`].
    fn implied_system(&self) -> Option<&'static str> {
        None
    }

    /// See [`super::Kind::targets`].
    fn targets(&self) -> Option<&'static [ResourceType]> {
        None
    }
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

/// The value of a fact.
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

    /// Turns the value into that of an instant, which has a time of day. A less precise time counts by its first day.
    fn limit_to_instant(&mut self) {}

    /// See [`super::Fact::sort_value`].
    fn sort_value(&self) -> SortValue {
        SortValue::Text(self.text())
    }

    /// See [`super::Fact::span`].
    fn span(&self) -> Option<Span> {
        None
    }

    /// See [`super::Fact::reference`].
    fn reference(&self) -> Option<&str> {
        None
    }

    /// See [`super::Fact::names`].
    fn names(&self) -> Vec<NameValue<'_>> {
        Vec::new()
    }
}

/// A verb and an object.
pub type Phrase = (&'static str, String);

/// A comparison with the value of a fact.
pub trait Comparison {
    /// The values that the comparison is made for.
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

    /// See [`super::Criterion::window`].
    fn window(&self) -> Option<DateWindow> {
        None
    }

    /// Returns an estimate of how many resources the comparison finds, if it differs from the estimate of its kind.
    fn breadth(&self) -> Option<Breadth> {
        None
    }

    /// See [`super::Criterion::is_relative`].
    fn is_relative(&self) -> bool {
        false
    }

    /// See [`super::Criterion::as_id`].
    fn id(&self) -> Option<&Id> {
        None
    }

    /// See [`super::Criterion::reference`].
    fn reference(&self) -> Option<&str> {
        None
    }

    /// See [`super::Criterion::name`].
    fn name(&self) -> Option<NameValue<'_>> {
        None
    }
}
