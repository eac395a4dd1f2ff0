//! The kinds of search parameters (<https://hl7.org/fhir/R4/search.html#ptypes>), with a file for each. A file
//! implements the traits of `form.rs`: the values of a kind in resources and in queries, their comparison, their
//! description and their index keys. Nothing outside this folder names a variant of [`Kind`], [`Fact`] or
//! [`Criterion`].
//!
//! A new kind needs a file here and a variant of [`Kind`]; if its values have a new form, also a variant of [`Fact`],
//! of [`StoredFact`] and of [`Criterion`]. A new [`Modifier`] needs a variant, and its meaning in the file of each kind
//! that takes it. `:missing`, which all kinds accept, and `:not` are not comparisons of a kind: `Kind::criteria` makes
//! the criterion, and `search/parse/` negates the clause. `docs/architecture.md`, "Making a change", lists the files
//! outside this folder.

mod breadth;
mod canonical;
mod composite;
mod criterion;
mod date;
mod date_window;
mod element;
mod escape;
mod fact;
mod form;
mod id;
mod index;
mod interval;
mod modifier;
mod number;
mod presence;
mod quantity;
mod reference;
mod stored;
mod string;
mod token;
mod tokens;
mod uri;

use serde_json::Value;
use std::collections::BTreeSet;

use canonical::Canonicals;
use composite::Composites;
use date::Dates;
use fact::InFact;
use fhir::{Issue, IssueCode, ResourceType, quoted};
use form::ParamKind;
use id::Ids;
use number::Numbers;
use quantity::Quantities;
use reference::References;
use string::Strings;
use tokens::Tokens;
use uri::Uris;

pub use breadth::Breadth;
pub use composite::Component;
pub use criterion::{Criterion, meets};
pub use date::DateCriterion;
pub use date_window::{DateWindow, Length};
pub use escape::split;
pub use fact::{Fact, Instance};
pub(super) use form::RawValue;
pub use index::{IndexForm, IndexKey, KeyMatch, KeyRange, Lookup, NameValue};
pub use interval::{Interval, NumberCriterion, StoredInterval};
pub use modifier::Modifier;
pub use presence::Presence;
pub use quantity::{Quantity, QuantityCriterion, Unit};
pub use reference::{OfType, Target, target};
pub use stored::{StoredFact, StoredUnit};
pub use string::{StringCriterion, Text};
pub use token::{Token, TokenCriterion};
pub use tokens::Form;
pub use uri::UriCriterion;

/// The values of `:missing`.
pub(super) const MISSING_VALUES: &str = "true or false";

/// The kind of a parameter: the data type of its elements, which determines the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A code, an identifier, or another element that is compared as a whole.
    Token(Tokens),
    /// A date, dateTime, instant, Period or Timing.
    Date(Dates),
    /// A string.
    String(Strings),
    /// A reference to one of several types.
    Reference(References),
    /// A canonical address.
    Canonical(Canonicals),
    /// The logical id.
    Id(Ids),
    /// A number or a Range.
    Number(Numbers),
    /// A Quantity, an amount of money or a Range.
    Quantity(Quantities),
    /// Several elements of one instance.
    Composite(Composites),
    /// An address.
    Uri(Uris),
}

/// Evaluates an expression with the type that implements a kind.
macro_rules! with_kind {
    ($which:expr, $kind:ident => $result:expr) => {
        match $which {
            Kind::Token($kind) => $result,
            Kind::Date($kind) => $result,
            Kind::String($kind) => $result,
            Kind::Reference($kind) => $result,
            Kind::Canonical($kind) => $result,
            Kind::Id($kind) => $result,
            Kind::Number($kind) => $result,
            Kind::Quantity($kind) => $result,
            Kind::Composite($kind) => $result,
            Kind::Uri($kind) => $result,
        }
    };
}

impl Kind {
    pub(super) const TOKEN: Self = Self::token(Form::Concept, "");
    pub(super) const DATE: Self = Self::Date(Dates);
    pub(super) const STRING: Self = Self::String(Strings { of_codes: false });
    pub(super) const TEXT: Self = Self::String(Strings { of_codes: true });
    pub(super) const CANONICAL: Self = Self::Canonical(Canonicals);
    pub(super) const ID: Self = Self::Id(Ids);
    pub(super) const NUMBER: Self = Self::Number(Numbers);
    pub(super) const QUANTITY: Self = Self::Quantity(Quantities);

    /// Returns the kind of tokens in elements of a form. Those of type `code` may imply a system.
    pub(super) const fn token(form: Form, system: &'static str) -> Self {
        Self::Token(Tokens { form, system })
    }

    /// Returns the kind of addresses that are also found without the part that begins with one of these characters.
    pub(super) const fn uri(until: &'static str) -> Self {
        Self::Uri(Uris(until))
    }

    /// Returns the kind of references to these types.
    pub(super) const fn reference(targets: &'static [ResourceType]) -> Self {
        Self::Reference(References(targets))
    }

    /// Returns the kind of composites of these components.
    pub(super) const fn composite(components: &'static [Component]) -> Self {
        Self::Composite(Composites(components))
    }

    /// Returns the components, if this is the kind of composites.
    pub const fn components(self) -> &'static [Component] {
        if let Self::Composite(Composites(components)) = self { components } else { &[] }
    }

    /// Returns whether this is the kind of ids.
    #[must_use]
    pub const fn is_id(self) -> bool {
        matches!(self, Self::Id(_))
    }

    /// Returns whether this kind finds the same facts as another one in the same elements. Kinds of references find the
    /// same facts, whatever their target types are.
    pub(super) fn has_facts_of(self, other: Self) -> bool {
        match (self, other) {
            (Self::Composite(one), Self::Composite(other)) => one.has_facts_of(&other),
            _ => self == other || (self.targets().is_some() && other.targets().is_some()),
        }
    }

    /// Returns whether this is the kind of dates.
    #[must_use]
    pub const fn is_date(self) -> bool {
        matches!(self, Self::Date(_))
    }

    /// Returns the name, which the OpenAPI document uses to describe the values.
    pub fn name(self) -> &'static str {
        match self {
            Self::Token(tokens) => tokens.name(),
            Self::Date(_) => "Date",
            Self::String(_) => "String",
            Self::Reference(_) => "Reference",
            Self::Canonical(_) => "Canonical",
            Self::Id(_) => "Id",
            Self::Number(_) => "Number",
            Self::Quantity(_) => "Quantity",
            Self::Composite(_) => "Composite",
            Self::Uri(_) => "Uri",
        }
    }

    /// Returns the type in a CapabilityStatement (<https://hl7.org/fhir/R4/valueset-search-param-type.html>).
    pub const fn fhir_type(self) -> &'static str {
        match self {
            Self::Token(_) | Self::Id(_) => "token",
            Self::Date(_) => "date",
            Self::String(_) => "string",
            Self::Reference(_) | Self::Canonical(_) => "reference",
            Self::Number(_) => "number",
            Self::Quantity(_) => "quantity",
            Self::Composite(_) => "composite",
            Self::Uri(_) => "uri",
        }
    }

    /// Returns the modifiers that a parameter of this kind accepts.
    pub fn modifiers(self) -> &'static [Modifier] {
        match self {
            Self::Token(tokens) => tokens.modifiers(),
            Self::String(_) => &[Modifier::Contains, Modifier::Exact, Modifier::Missing],
            Self::Reference(_) => &[Modifier::Identifier, Modifier::Missing],
            Self::Canonical(_) => &[Modifier::Below, Modifier::Missing],
            Self::Uri(_) => &[Modifier::Above, Modifier::Below, Modifier::Missing],
            Self::Date(_) | Self::Id(_) | Self::Number(_) | Self::Quantity(_) => &[Modifier::Missing],
            Self::Composite(_) => &[],
        }
    }

    /// Returns the kind of the data that a modifier compares instead of the values, and the parts of the elements that
    /// contain these data. `None` if the modifier compares the values.
    pub(super) fn of_modifier(self, modifier: Modifier) -> Option<(Self, &'static [&'static str])> {
        match (self, modifier) {
            (Self::Token(Tokens { form: Form::Concept | Form::Mixed, .. }), Modifier::Text) => {
                Some((Self::TEXT, &["text", "coding.display", "display"]))
            }
            (Self::Token(Tokens { form: Form::Identifier, .. }), Modifier::Text) => Some((Self::TEXT, &["type.text"])),
            (Self::Token(Tokens { form: Form::Identifier, .. }), Modifier::OfType) => {
                Some((Self::token(Form::OfType, ""), &[""]))
            }
            (Self::Reference(_), Modifier::Identifier) => Some((Self::token(Form::Identifier, ""), &["identifier"])),
            _ => None,
        }
    }

    /// Returns the way in which stores find resources by values of this kind.
    pub fn index_form(self) -> IndexForm {
        if self.is_id() {
            IndexForm::Id
        } else if self.is_date() {
            IndexForm::Time
        } else {
            IndexForm::Keys
        }
    }

    /// Returns whether a value of an identifying parameter of this kind is a name by which a resource is found without
    /// its compartment.
    #[must_use]
    pub fn gives_names(self) -> bool {
        if let Self::Token(tokens) = self { tokens.gives_names() } else { self.is_id() }
    }

    /// Returns the code system of all values, if the binding of the element implies one.
    pub fn implied_system(self) -> Option<&'static str> {
        if let Self::Token(tokens) = self { tokens.implied_system() } else { None }
    }

    /// Returns the types to which the values may refer, if they are references to resources.
    pub fn targets(self) -> Option<&'static [ResourceType]> {
        if let Self::Reference(References(targets)) = self { Some(targets) } else { None }
    }

    /// Returns an estimate of how many resources a criterion finds.
    pub fn breadth(self, criterion: &Criterion) -> Breadth {
        criterion.breadth().unwrap_or_else(|| match self {
            Self::Token(tokens) => tokens.breadth(),
            Self::Id(_) => Breadth::Identifier,
            Self::Number(_) | Self::Quantity(_) => Breadth::OpenTime,
            Self::Date(_)
            | Self::String(_)
            | Self::Reference(_)
            | Self::Canonical(_)
            | Self::Composite(_)
            | Self::Uri(_) => Breadth::Code,
        })
    }

    /// Returns the keys under which the facts of one parameter of a resource are stored, sorted and without duplicates.
    pub fn index_keys<'f>(self, facts: impl Iterator<Item = &'f Fact>) -> BTreeSet<IndexKey> {
        let mut keys = facts.flat_map(|fact| self.keys_of(fact)).collect();
        if let Self::String(_) = self {
            Strings::tidy(&mut keys);
        }
        keys
    }

    fn keys_of(self, fact: &Fact) -> Vec<IndexKey> {
        with_kind!(self, kind => InFact::in_fact(fact).map(|value| kind.keys(value)).unwrap_or_default())
    }

    /// Adds the facts of an element. An element of another form has no facts.
    pub(super) fn facts(self, element: &Value, add: &mut dyn FnMut(Fact)) {
        with_kind!(self, kind => kind.values(element, &mut |value| add(value.into())));
    }

    /// Returns the fact of a resource that lacks the element of the parameter, if such a resource has a value too.
    pub(super) fn fact_of_none(self) -> Option<Fact> {
        if let Self::Token(tokens) = self { tokens.value_of_none().map(Into::into) } else { None }
    }

    /// Returns whether the facts of an element are only in its text.
    pub(super) fn reads_text(self) -> bool {
        matches!(self, Self::Number(_) | Self::Quantity(_) | Self::Composite(_))
    }

    /// Adds the facts in the text of an element, if they are only in the text.
    pub(super) fn facts_in_text(self, element: &str, add: &mut dyn FnMut(Fact)) {
        if let Self::Number(_) = self {
            Numbers::values_in_text(element, &mut |interval| add(interval.into()));
        } else if let Self::Quantity(_) = self {
            Quantities::values_in_text(element, &mut |quantity| add(quantity.into()));
        }
    }

    /// Adds the facts of a resource, given as a value and as its text, if this is the kind of composites: one fact for
    /// each instance that a path leads to.
    pub(super) fn instances(self, root: &str, resource: &Value, text: &str, add: &mut dyn FnMut(Fact)) {
        if let Self::Composite(composite) = self {
            composite.instances(root, resource, text, add);
        }
    }

    /// Parses one value of a parameter into criteria, one of which must hold. Without any criterion, nothing can match.
    /// Both values of `:missing` yield the criterion that there is a value; the clause is negated for one of them.
    ///
    /// # Errors
    /// If the value is malformed.
    pub(super) fn criteria(self, value: &RawValue<'_>) -> Result<Vec<Criterion>, Issue> {
        if value.text.is_empty() {
            return Err(Issue::error(IssueCode::Structure, format!("A value of \"{}\" is empty.", value.param)));
        }
        if value.modifier == Some(Modifier::Missing) {
            return match value.text {
                "true" | "false" => Ok(vec![Criterion::Present]),
                text => Err(element::malformed(format!("{} is neither true nor false.", quoted(text)), MISSING_VALUES)),
            };
        }
        with_kind!(self, kind => Ok(Criterion::of(kind.parse(value)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::named;
    use crate::{IndexSet, Param, facts};

    /// Returns the criteria of a value.
    pub(super) fn parsed(resource_type: ResourceType, name: &str, raw: &str) -> Result<Vec<Criterion>, Issue> {
        let param = named(resource_type, name).unwrap();
        let value =
            RawValue { resource_type, param: name, modifier: None, text: raw, base: "https://here/fhir/r4", now: 0 };
        param.kind.criteria(&value)
    }

    /// Returns the facts of a resource, as `parameter=fact`.
    pub(super) fn found(resource_type: ResourceType, resource: &Value) -> Vec<String> {
        let write = |(param, fact): &(&Param, Fact)| match fact {
            Fact::Id(id) => format!("{}={id}", param.name),
            Fact::Token(Token { system, code }) => format!("{}={system}|{code}", param.name),
            Fact::Span(span) => format!("{}={}..{}", param.name, span.from, span.until),
            Fact::String(Text { folded, .. }) => format!("{}={folded}", param.name),
            Fact::Reference(Target(text)) => format!("{}={text}", param.name),
            Fact::Number(_) | Fact::Quantity(_) | Fact::Instance(_) => format!("{}={}", param.name, fact.text()),
        };
        facts(resource_type, resource, &resource.to_string(), IndexSet::us_core(), &|_| None)
            .iter()
            .map(write)
            .collect()
    }

    #[test]
    fn elements_of_an_unexpected_form_have_no_values() {
        let odd = serde_json::json!({"status": 7, "code": "text", "effectiveDateTime": {"a": 1}, "category": [[null], 3, {"coding": {}}], "subject": "x"});
        let known = ["category", "code", "date", "status"].map(|name| format!("_present=|{name}"));
        assert_eq!(found(ResourceType::Observation, &odd), known);
    }
}
