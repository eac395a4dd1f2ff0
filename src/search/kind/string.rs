//! Parameters of type string (<https://hl7.org/fhir/R4/search.html#string>): names, addresses, titles.
//!
//! A string is stored folded, for comparisons, and as written, for `:exact`. Its index keys are the folded string, with
//! the string as written as the rest; every tail of the folded string that begins with a word; and the first three
//! beginnings of each word.

use serde_json::Value;
use std::collections::BTreeSet;

use super::escape::unescape;
use super::{IndexKey, KeyMatch, KeyRange, Lookup, Modifier};
use crate::search::{Criterion, Fact, fold, word_starts};

/// The modifiers that the type takes.
pub(super) const MODIFIERS: &[Modifier] = &[Modifier::Contains, Modifier::Exact];

/// The longest part of a string that is searched, in bytes. FHIR allows a megabyte, which would be stored once for each
/// of its words.
const MAX_LENGTH: usize = 2_000;
/// The prefix of the key of a folded tail.
const FOLDED: char = '~';
/// The prefix of the key of a beginning of a tail.
const BEGINNING: char = '^';
/// The longest beginning that is a key, in characters. Rows of one key are in the order of the answer, so that a page
/// of a short beginning, which finds many resources, is read without the others. A longer one finds few: all its tails
/// are read and sorted.
const MAX_BEGINNING: usize = 3;

/// A comparison with a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StringCriterion {
    /// A word begins with that folded text.
    Begins(String),
    /// The string contains that folded text.
    Contains(String),
    /// The string is that text, as written.
    Is(String),
}

impl StringCriterion {
    /// Returns whether a string satisfies it.
    pub(in crate::search) fn holds(&self, folded: &str, as_written: &str) -> bool {
        match self {
            Self::Begins(start) => word_starts(folded).any(|tail| tail.starts_with(start)),
            Self::Contains(part) => folded.contains(part),
            Self::Is(written) => written == as_written,
        }
    }

    /// The index keys of the strings that satisfy it.
    pub(in crate::search) fn lookup(&self) -> Lookup {
        match self {
            Self::Is(written) => {
                Lookup::Key(KeyMatch { value: format!("{FOLDED}{}", folded(written)), rest: Some(written.clone()) })
            }
            Self::Begins(text) if begins_word(text) && text.chars().nth(MAX_BEGINNING).is_none() => {
                Lookup::Key(KeyMatch::of(format!("{BEGINNING}{text}")))
            }
            Self::Begins(text) => Lookup::Range(KeyRange::from(format!("{FOLDED}{text}"))),
            Self::Contains(text) => {
                Lookup::Range(KeyRange { part: Some(text.clone()), ..KeyRange::from(FOLDED.to_string()) })
            }
        }
    }

    /// Describes it by a verb and an object.
    pub(in crate::search) fn words(&self) -> (&'static str, String) {
        let (verb, text) = match self {
            Self::Begins(text) => ("has a word that begins with", text),
            Self::Contains(text) => ("contains", text),
            Self::Is(text) => ("is exactly", text),
        };
        (verb, format!("“{text}”"))
    }
}

/// Adds the string of an element.
pub(super) fn facts(element: &Value, add: &mut dyn FnMut(Fact)) {
    if let Some(written) = element.as_str().filter(|written| !written.is_empty()) {
        let written = cut(written.to_owned());
        add(Fact::String { folded: folded(&written), written });
    }
}

/// The folded form of a string that is as long as a fact may be.
fn folded(written: &str) -> String {
    cut(fold(written))
}

/// Cuts a text to [`MAX_LENGTH`].
fn cut(mut text: String) -> String {
    let mut at = MAX_LENGTH.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    text.truncate(at);
    text
}

/// Parses a value. Without a criterion, nothing can match.
pub(super) fn parse(modifier: Option<Modifier>, raw: &str) -> Vec<Criterion> {
    let text = unescape(raw);
    // Accents, spaces and hyphens alone fold to the empty text, with which every word begins.
    let folded = Some(fold(&text)).filter(|folded| !folded.is_empty());
    let criterion = match modifier {
        None => folded.map(StringCriterion::Begins),
        Some(Modifier::Contains) => folded.map(StringCriterion::Contains),
        Some(Modifier::Exact) => Some(StringCriterion::Is(text)),
    };
    criterion.map(Criterion::String).into_iter().collect()
}

/// The index keys of a string.
pub(super) fn keys(folded: &str, written: &str) -> Vec<IndexKey> {
    let whole = IndexKey { value: format!("{FOLDED}{folded}"), rest: written.to_owned() };
    let tails = word_starts(folded).skip(1).map(|tail| IndexKey::of(format!("{FOLDED}{tail}")));
    let beginnings = word_starts(folded).filter(|tail| begins_word(tail)).flat_map(beginnings);
    let beginnings = beginnings.map(|beginning| IndexKey::of(format!("{BEGINNING}{beginning}")));
    std::iter::once(whole).chain(tails).chain(beginnings).collect()
}

/// Removes the keys of tails with which another key begins: what it finds, that one finds too.
pub(super) fn remove_repeated(keys: &mut BTreeSet<IndexKey>) {
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

/// Returns whether a text begins with a letter or a digit. Only such tails have beginnings as keys.
fn begins_word(text: &str) -> bool {
    text.starts_with(char::is_alphanumeric)
}

/// The beginnings of a tail that are keys.
fn beginnings(tail: &str) -> impl Iterator<Item = &str> {
    let ends = tail.char_indices().map(|(at, c)| at + c.len_utf8()).take(MAX_BEGINNING);
    ends.filter_map(|end| tail.get(..end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhir::ResourceType;
    use crate::search::facts;
    use serde_json::json;

    #[test]
    fn a_very_long_name_is_cut_at_a_character() {
        let long = "é".repeat(10) + &"ф".repeat(2000);
        let patient = json!({"name": [{"family": long}]});
        let facts = facts(ResourceType::Patient, &patient, &|_| None);
        assert!(
            facts.iter().all(|(_, fact)| matches!(fact, Fact::String { folded, .. } if folded.len() <= MAX_LENGTH))
        );
    }
}
