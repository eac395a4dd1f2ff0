//! The parameter `_id` (<https://hl7.org/fhir/R4/search.html#id>). Its search type is token; all values are ids.
//!
//! Stores keep no facts for it, because the key of a resource contains its id.

use serde_json::Value;

use super::element::malformed;
use super::form::{Comparison, Comparisons, FactValue, ParamKind, Phrase, RawValue};
use super::index::{IndexKey, KeyMatch, Lookup};
use crate::words::Texts;
use fhir::{Id, Issue, quoted};

/// The kind of `_id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ids;

impl ParamKind for Ids {
    type Value = Id;
    type Comparison = Id;

    fn values(&self, element: &Value, add: &mut dyn FnMut(Id)) {
        if let Some(id) = element.as_str().and_then(Id::parse) {
            add(id);
        }
    }

    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<Id>, Issue> {
        match Id::parse(value.text) {
            Some(id) => Ok(Comparisons::OneOf(vec![id])),
            None => Err(malformed(format!("{} is not an id.", quoted(value.text)), "1 to 64 of A-Z a-z 0-9 - .")),
        }
    }

    fn keys(&self, id: &Id) -> Vec<IndexKey> {
        vec![IndexKey::of(id.to_string())]
    }
}

impl FactValue for Id {
    fn text(&self) -> String {
        self.to_string()
    }
}

impl Comparison for Id {
    type Value = Self;

    fn holds(&self, id: &Self) -> bool {
        self == id
    }

    fn words(&self) -> Phrase {
        ("is", self.to_string())
    }

    fn in_short(&self, texts: &Texts) -> Phrase {
        (texts.is, self.to_string())
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(Lookup::Key(KeyMatch::of(self.to_string())))
    }
}
