//! The kinds of search parameters (<https://hl7.org/fhir/R4/search.html#ptypes>), a file for each. A file has, side by
//! side: how facts are extracted from an element, how a value is parsed, how a criterion is held against a fact, said in
//! words and found by index keys. This file says which file is for which [`Kind`].
//!
//! A new kind (number, quantity, composite) is a file here, a variant of [`Kind`], and where its values are of a form of
//! their own, a variant of [`Fact`] and of [`Criterion`]. A new [`Modifier`] is a variant here and a line in the file of
//! each kind that takes it.

pub mod date;
mod escape;
mod id;
pub mod reference;
pub mod string;
pub mod token;
mod uri;

use serde_json::Value;

use super::{Criterion, Fact, Param};
use crate::fhir::{Issue, IssueCode, Micros, ResourceType};

pub use date::{DateCriterion, DateWindow, Length};
pub use escape::split;
pub use string::StringCriterion;
pub use token::TokenCriterion;

/// How a parameter compares: by the data type of its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A CodeableConcept or Coding.
    Token,
    /// An element of type `code`, with the system that its binding implies.
    Code(&'static str),
    /// An Identifier.
    Identifier,
    /// A date, dateTime, instant, Period or Timing.
    Date,
    /// A string.
    String,
    /// A reference to one of these types.
    Reference(&'static [ResourceType]),
    /// A canonical address.
    Canonical,
    /// The logical id.
    Id,
}

impl Kind {
    /// The type's name in a CapabilityStatement (<https://hl7.org/fhir/R4/valueset-search-param-type.html>).
    #[must_use]
    pub const fn fhir_type(self) -> &'static str {
        match self {
            Self::Token | Self::Code(_) | Self::Identifier | Self::Id => "token",
            Self::Date => "date",
            Self::String => "string",
            Self::Reference(_) | Self::Canonical => "reference",
        }
    }

    /// The modifiers that a parameter of this kind takes.
    #[must_use]
    pub const fn modifiers(self) -> &'static [Modifier] {
        match self {
            Self::String => string::MODIFIERS,
            Self::Token
            | Self::Code(_)
            | Self::Identifier
            | Self::Date
            | Self::Reference(_)
            | Self::Canonical
            | Self::Id => &[],
        }
    }

    /// Adds the facts of an element. An element of another form has none.
    pub(super) fn facts(self, element: &Value, add: &mut dyn FnMut(Fact)) {
        match self {
            Self::Token => token::facts_of_codings(element, add),
            Self::Code(system) => token::facts_of_code(element, system, add),
            Self::Identifier => token::facts_of_identifier(element, add),
            Self::Date => date::facts(element, add),
            Self::String => string::facts(element, add),
            Self::Reference(_) => reference::facts(element, add),
            Self::Canonical => uri::facts(element, add),
            Self::Id => id::facts(element, add),
        }
    }
}

/// What follows the name of a parameter, behind a colon (<https://hl7.org/fhir/R4/search.html#modifiers>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modifier {
    /// `:contains`
    Contains,
    /// `:exact`
    Exact,
}

impl Modifier {
    /// Its name in a query string.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Contains => "contains",
            Self::Exact => "exact",
        }
    }
}

/// The criteria that one value of a parameter stands for, of which one must hold. No criterion: nothing can match.
///
/// # Errors
/// Where the value is not of the parameter's form.
pub(super) fn criteria(
    param: &Param,
    modifier: Option<Modifier>,
    raw: &str,
    base: &str,
) -> Result<Vec<Criterion>, Issue> {
    if raw.is_empty() {
        return Err(Issue::error(IssueCode::Structure, format!("A value of \"{}\" is empty.", param.name)));
    }
    match param.kind {
        Kind::Token | Kind::Code(_) | Kind::Identifier => token::parse(param, raw),
        Kind::Date => date::parse(raw),
        Kind::String => Ok(string::parse(modifier, raw)),
        Kind::Reference(targets) => reference::parse(param, targets, raw, base),
        Kind::Canonical => Ok(vec![uri::parse(raw)]),
        Kind::Id => Ok(vec![id::parse(raw)?]),
    }
}

/// A text under which a store keeps a fact, so that a criterion finds it by equality or in a [`KeyRange`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexKey {
    /// The text.
    pub value: String,
    /// The end of the fact's own time, if it is one.
    pub ends_at: Option<Micros>,
}

impl IndexKey {
    /// A key of a fact that is no time.
    #[must_use]
    pub const fn of(value: String) -> Self {
        Self { value, ends_at: None }
    }
}

/// The keys under which a fact of a parameter is kept.
#[must_use]
pub fn index_keys(param: &Param, fact: &Fact) -> Vec<IndexKey> {
    match fact {
        Fact::Id(id) => vec![IndexKey::of(id.to_string())],
        Fact::Token { system, code } => token::keys(param.kind, system, code),
        Fact::Span(span) => vec![date::key(span)],
        Fact::String { folded, written } => string::keys(folded, written),
        Fact::Reference(target) => vec![IndexKey::of(target.clone())],
    }
}

/// Keys between two texts, and what else their rows must satisfy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// The first key.
    pub from: String,
    /// The first key behind.
    pub until: String,
    /// The row's time ends later than this.
    pub after: Option<Micros>,
    /// The row's time ends by this.
    pub by: Option<Micros>,
    /// The key contains this text.
    pub part: Option<String>,
}

impl KeyRange {
    /// A text behind any key: no key has this character twice.
    const END: &str = "\u{10ffff}\u{10ffff}";

    fn between(prefix: &str, from: &str, until: &str) -> Self {
        Self { from: format!("{prefix}{from}"), until: format!("{prefix}{until}"), after: None, by: None, part: None }
    }

    /// All keys behind `prefix`.
    pub(super) fn all(prefix: &str) -> Self {
        Self::between(prefix, "", Self::END)
    }

    /// One key behind `prefix`.
    pub(super) fn equal(prefix: &str, key: &str) -> Self {
        Self::between(prefix, key, &format!("{key}\u{1}"))
    }
}

/// The refusal of a value, with the forms that the parameter takes.
fn bad(text: String, forms: &str) -> Issue {
    Issue::error(IssueCode::Value, text).hint(forms)
}

/// A member of an element, if it is a text that is not empty.
fn text_of<'a>(element: &'a Value, name: &str) -> Option<&'a str> {
    element.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{facts, named};

    /// The criteria of a value.
    pub(super) fn parsed(on: ResourceType, name: &str, raw: &str) -> Result<Vec<Criterion>, Issue> {
        criteria(named(on, name).unwrap(), None, raw, "https://here/fhir/r4")
    }

    /// The facts of a resource, as `parameter=fact`.
    pub(super) fn found(kind: ResourceType, resource: &Value) -> Vec<String> {
        let said = |(param, fact): &(&Param, Fact)| match fact {
            Fact::Id(id) => format!("{}={id}", param.name),
            Fact::Token { system, code } => format!("{}={system}|{code}", param.name),
            Fact::Span(span) => format!("{}={}..{}", param.name, span.from, span.until),
            Fact::String { folded, .. } => format!("{}={folded}", param.name),
            Fact::Reference(text) => format!("{}={text}", param.name),
        };
        facts(kind, resource, &|_| None).iter().map(said).collect()
    }

    #[test]
    fn elements_of_another_shape_are_passed_over() {
        let odd = serde_json::json!({"status": 7, "code": "text", "effectiveDateTime": {"a": 1}, "category": [[null], 3, {"coding": {}}], "subject": "x"});
        assert_eq!(found(ResourceType::Observation, &odd), Vec::<String>::new());
    }
}
