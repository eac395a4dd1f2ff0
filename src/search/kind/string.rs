//! Parameters of type string (<https://hl7.org/fhir/R4/search.html#string>): names, addresses, titles.
//!
//! A string is stored folded, for comparisons, and as written, for `:exact`. Its index keys are the folded string, with
//! the string as written as the rest; every tail of the folded string that begins with a word; and the first three
//! beginnings of each word. The texts of codes (`:text`) are stored only folded, without keys for beginnings.

use serde_json::Value;
use std::collections::BTreeSet;

use super::breadth::Breadth;
use super::element::MAX_LENGTH;
use super::escape::unescape;
use super::form::{Comparison, Comparisons, FactValue, ParamKind, Phrase, RawValue};
use super::index::{IndexKey, KeyMatch, KeyRange, Lookup};
use super::modifier::Modifier;
use crate::fold::{fold, word_starts};
use crate::sort_value::SortValue;
use fhir::Issue;

/// The prefix of the key of a folded tail.
const FOLDED: char = '~';
/// The prefix of the key of a beginning of a tail.
const BEGINNING: char = '^';
/// The longest beginning that is a key, in characters. Rows of one key are in the order of the answer, so a page of a
/// short beginning, which finds many resources, is read without the others. A longer one finds few resources: all tails
/// with it are read and sorted.
const MAX_BEGINNING: usize = 3;

/// The kind of parameters over a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strings {
    /// True if its values are the texts of codes.
    pub of_codes: bool,
}

impl Strings {
    /// Removes the keys of tails that are the beginning of another key, since that key finds the same resource.
    pub(super) fn tidy(keys: &mut BTreeSet<IndexKey>) {
        let all = std::mem::take(keys);
        let mut all = all.into_iter().peekable();
        while let Some(key) = all.next() {
            let is_repeated = key.value.starts_with(FOLDED)
                && key.rest.is_empty()
                && all.peek().is_some_and(|next| next.value.starts_with(&key.value));
            if !is_repeated {
                keys.insert(key);
            }
        }
    }
}

impl ParamKind for Strings {
    type Value = Text;
    type Comparison = StringCriterion;

    fn values(&self, element: &Value, add: &mut dyn FnMut(Text)) {
        if let Some(written) = element.as_str().filter(|written| !written.is_empty()) {
            let written = cut(written.to_owned());
            add(Text { folded: folded(&written), written: if self.of_codes { String::new() } else { written } });
        }
    }

    fn parse(&self, value: &RawValue<'_>) -> Result<Comparisons<StringCriterion>, Issue> {
        let text = unescape(value.text);
        // A text of nothing but accents, spaces and hyphens folds to the empty text, with which every word begins.
        let folded = Some(fold(&text)).filter(|folded| !folded.is_empty());
        let criterion = match value.modifier {
            Some(Modifier::Contains) => folded.map(StringCriterion::Contains),
            Some(Modifier::Exact) => Some(StringCriterion::Is(text)),
            _ if self.of_codes => folded.map(StringCriterion::BeginsInText),
            _ => folded.map(StringCriterion::Begins),
        };
        Ok(Comparisons::OneOf(criterion.into_iter().collect()))
    }

    fn keys(&self, Text { folded, written }: &Text) -> Vec<IndexKey> {
        let whole = IndexKey { value: format!("{FOLDED}{folded}"), rest: written.to_owned() };
        let tails = word_starts(folded).skip(1).map(|tail| IndexKey::of(format!("{FOLDED}{tail}")));
        let words = word_starts(folded).filter(|tail| begins_word(tail) && !self.of_codes);
        let beginnings = words.flat_map(beginnings);
        let beginnings = beginnings.map(|beginning| IndexKey::of(format!("{BEGINNING}{beginning}")));
        std::iter::once(whole).chain(tails).chain(beginnings).collect()
    }
}

/// A string of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The folded text, which searches compare.
    pub folded: String,
    /// The text as in the resource, or empty if it is the text of a code.
    pub written: String,
}

impl FactValue for Text {
    fn text(&self) -> String {
        if self.written.is_empty() { self.folded.clone() } else { self.written.clone() }
    }

    /// Returns the folded text, since case has no effect.
    fn sort_value(&self) -> SortValue {
        SortValue::Text(self.folded.clone())
    }
}

/// A comparison with a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StringCriterion {
    /// A word begins with this folded text.
    Begins(String),
    /// A word in the text of a code begins with this folded text.
    BeginsInText(String),
    /// The string contains this folded text.
    Contains(String),
    /// The string is this text, as written.
    Is(String),
}

impl Comparison for StringCriterion {
    type Value = Text;

    fn holds(&self, string: &Text) -> bool {
        match self {
            Self::Begins(start) | Self::BeginsInText(start) => {
                word_starts(&string.folded).any(|tail| tail.starts_with(start))
            }
            Self::Contains(part) => string.folded.contains(part),
            Self::Is(written) => *written == string.written,
        }
    }

    fn lookup(&self) -> Option<Lookup> {
        Some(match self {
            Self::Is(written) => {
                Lookup::Key(KeyMatch { value: format!("{FOLDED}{}", folded(written)), rest: Some(written.clone()) })
            }
            Self::Begins(text) if is_beginning(text) => Lookup::Key(KeyMatch::of(format!("{BEGINNING}{text}"))),
            Self::Begins(text) | Self::BeginsInText(text) => Lookup::Range(KeyRange::from(format!("{FOLDED}{text}"))),
            Self::Contains(text) => {
                Lookup::Range(KeyRange { part: Some(text.clone()), ..KeyRange::from(FOLDED.to_string()) })
            }
        })
    }

    fn breadth(&self) -> Option<Breadth> {
        let shorter = |text: &str| usize::MAX - text.len();
        Some(match self {
            Self::Contains(_) => Breadth::Anywhere,
            Self::Begins(text) if is_beginning(text) => Breadth::Beginning(shorter(text)),
            Self::Begins(text) | Self::BeginsInText(text) | Self::Is(text) => Breadth::LongString(shorter(text)),
        })
    }

    fn words(&self) -> Phrase {
        let (verb, text) = match self {
            Self::Begins(text) | Self::BeginsInText(text) => ("has a word that begins with", text),
            Self::Contains(text) => ("contains", text),
            Self::Is(text) => ("is exactly", text),
        };
        (verb, format!("“{text}”"))
    }
}

/// Returns the folded form of a string, cut to the length of a fact.
fn folded(written: &str) -> String {
    cut(fold(written))
}

/// Cuts a text to [`MAX_LENGTH`]. FHIR allows a megabyte, which would be stored once for each of its words.
fn cut(mut text: String) -> String {
    let mut at = MAX_LENGTH.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    text.truncate(at);
    text
}

/// Returns whether a text begins with a letter or a digit. Only such tails have beginnings as keys.
fn begins_word(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric)
}

/// Returns whether a text is the key of all words that begin with it.
fn is_beginning(text: &str) -> bool {
    begins_word(text) && text.chars().nth(MAX_BEGINNING).is_none()
}

fn beginnings(tail: &str) -> impl Iterator<Item = &str> {
    let ends = tail.char_indices().map(|(at, c)| at + c.len_utf8()).take(MAX_BEGINNING);
    ends.filter_map(|end| tail.get(..end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fact, IndexSet, facts};
    use fhir::ResourceType;
    use serde_json::json;

    #[test]
    fn a_very_long_name_is_cut_at_a_character() {
        let long = "é".repeat(10) + &"ф".repeat(2000);
        let patient = json!({"name": [{"family": long}]});
        let facts = facts(ResourceType::Patient, &patient, "", IndexSet::us_core(), &|_| None);
        assert!(
            facts
                .iter()
                .all(|(_, fact)| matches!(fact, Fact::String(Text { folded, .. }) if folded.len() <= MAX_LENGTH))
        );
    }
}
