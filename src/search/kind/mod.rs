//! The kinds of search parameters (<https://hl7.org/fhir/R4/search.html#ptypes>), with a file for each. A file holds
//! the extraction of facts from an element, the parser of values, the comparison of criteria with facts, their
//! description and their index keys. This file calls the right one for each [`Kind`].
//!
//! A new kind (number, quantity, composite) needs a file here and a variant of [`Kind`]; if its values have a new form,
//! also a variant of [`Fact`] and of [`Criterion`]. A new [`Modifier`] needs a variant and its kinds here
//! (`modifiers`), and its meaning: in the file of each kind that takes it, or, where it negates a clause, in
//! `search/parse.rs`.

pub mod date;
mod escape;
mod id;
pub mod reference;
pub mod string;
pub mod token;
mod uri;

use serde_json::Value;
use std::collections::BTreeSet;

use super::{Criterion, Fact, Param};
use crate::fhir::{Issue, IssueCode, ResourceType};

pub use date::{DateCriterion, DateWindow, Length};
pub use escape::split;
pub use string::StringCriterion;
pub use token::TokenCriterion;

/// The kind of a parameter: the data type of its elements, which determines the comparison.
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
    /// The type in a CapabilityStatement (<https://hl7.org/fhir/R4/valueset-search-param-type.html>).
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

/// A modifier, the suffix of a parameter's name behind a colon (<https://hl7.org/fhir/R4/search.html#modifiers>).
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

/// Parses one value of a parameter into criteria, of which one must hold. Without a criterion, nothing can match.
///
/// # Errors
/// If the value is malformed.
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

/// A text under which a store keeps a fact, so that a criterion finds it by a [`KeyMatch`] or in a [`KeyRange`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexKey {
    /// The text.
    pub value: String,
    /// The rest of the fact: the system of a token, a string as written, the coded end of a time; else empty.
    pub rest: String,
}

impl IndexKey {
    /// A key without a rest.
    #[must_use]
    pub const fn of(value: String) -> Self {
        Self { value, rest: String::new() }
    }
}

/// The index keys with one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyMatch {
    /// The text.
    pub value: String,
    /// The rest, if only keys with this one match.
    pub rest: Option<String>,
}

impl KeyMatch {
    /// All keys with that text.
    #[must_use]
    pub const fn of(value: String) -> Self {
        Self { value, rest: None }
    }
}

/// The keys under which the facts of one parameter of a resource are stored, in order and each once.
#[must_use]
pub fn index_keys<'f>(param: &Param, facts: impl Iterator<Item = &'f Fact>) -> BTreeSet<IndexKey> {
    let of_fact = |fact: &Fact| match fact {
        Fact::Id(id) => vec![IndexKey::of(id.to_string())],
        Fact::Token { system, code } => token::keys(param.kind, system, code),
        Fact::Span(span) => vec![date::key(span)],
        Fact::String { folded, written } => string::keys(folded, written),
        Fact::Reference(target) => vec![IndexKey::of(target.clone())],
    };
    let mut keys = facts.flat_map(of_fact).collect();
    if param.kind == Kind::String {
        string::remove_repeated(&mut keys);
    }
    keys
}

/// The index keys of the facts that satisfy a criterion: such a fact has one of them, and no other fact has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The keys with one text, whose rows are in the order of the answer.
    Key(KeyMatch),
    /// The keys between two texts, whose rows have to be sorted.
    Range(KeyRange),
}

/// The keys between two texts, with further conditions on their rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// The first key.
    pub from: String,
    /// The first key behind the range.
    pub until: String,
    /// The rest of the key is greater than this.
    pub after: Option<String>,
    /// The rest of the key is at most this.
    pub by: Option<String>,
    /// The key contains this text.
    pub part: Option<String>,
}

impl KeyRange {
    /// A text that sorts after every key, because no key has this character twice.
    const END: &str = "\u{10ffff}\u{10ffff}";

    /// All keys that begin with a text.
    fn from(text: String) -> Self {
        Self { until: format!("{text}{}", Self::END), from: text, after: None, by: None, part: None }
    }
}

/// The issue of a malformed value, with the forms that the parameter takes.
fn bad(text: String, forms: &str) -> Issue {
    Issue::error(IssueCode::Value, text).hint(forms)
}

/// A member of an element, if it is a string that is not empty.
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
    fn elements_of_an_unexpected_form_are_ignored() {
        let odd = serde_json::json!({"status": 7, "code": "text", "effectiveDateTime": {"a": 1}, "category": [[null], 3, {"coding": {}}], "subject": "x"});
        assert_eq!(found(ResourceType::Observation, &odd), Vec::<String>::new());
    }
}
