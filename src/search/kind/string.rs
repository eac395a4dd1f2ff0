//! Parameters of type string (<https://hl7.org/fhir/R4/search.html#string>): names, addresses, titles.
//!
//! A string is stored folded, for comparisons, and as written, for `:exact`. Its index keys are the string as written,
//! every tail of the folded string that begins with a word, and the beginnings of each tail.

use serde_json::Value;

use super::escape::unescape;
use super::{IndexKey, KeyRange, Modifier};
use crate::search::{Criterion, Fact, fold, word_starts};

/// The modifiers that the type takes.
pub(super) const MODIFIERS: &[Modifier] = &[Modifier::Contains, Modifier::Exact];

/// The longest part of a string that is searched, in bytes. FHIR allows a megabyte, which would be stored once for each
/// of its words.
const MAX_LENGTH: usize = 2_000;
/// The prefix of the key of a string as written.
const WRITTEN: char = '=';
/// The prefix of the key of a folded tail.
const FOLDED: char = '~';
/// The prefix of the key of a beginning of a tail.
const BEGINNING: char = '^';
/// The longest beginning that is a key, in characters. Most searches are by a short word, and the rows of one key are
/// in the order of the answer.
const MAX_BEGINNING: usize = 10;

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

    /// The index key of the strings that satisfy it, if one key suffices.
    pub(in crate::search) fn key(&self) -> Option<String> {
        match self {
            Self::Is(written) => Some(format!("{WRITTEN}{written}")),
            Self::Begins(text) if text.chars().nth(MAX_BEGINNING).is_none() => Some(beginning_key(text)),
            Self::Begins(_) | Self::Contains(_) => None,
        }
    }

    /// The ranges of index keys of the strings that satisfy it.
    pub(in crate::search) fn ranges(&self, prefix: &str) -> Vec<KeyRange> {
        let range = match self {
            Self::Begins(text) => {
                KeyRange::between(prefix, &format!("{FOLDED}{text}"), &format!("{FOLDED}{text}{}", KeyRange::END))
            }
            Self::Contains(text) => KeyRange {
                part: Some(text.clone()),
                ..KeyRange::between(prefix, &FOLDED.to_string(), &format!("{FOLDED}{}", KeyRange::END))
            },
            Self::Is(written) => KeyRange::equal(prefix, &format!("{WRITTEN}{written}")),
        };
        vec![range]
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
        add(Fact::String { folded: cut(fold(written)), written: cut(written.to_owned()) });
    }
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
    // Accents alone fold to the empty text, with which every word begins.
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
    let of_tail = |tail| beginnings(tail).map(beginning_key).chain([format!("{FOLDED}{tail}")]);
    let tails = word_starts(folded).flat_map(of_tail);
    tails.chain([format!("{WRITTEN}{written}")]).map(IndexKey::of).collect()
}

/// The beginnings of a tail that are keys, from the shortest to the longest.
pub fn beginnings(tail: &str) -> impl Iterator<Item = &str> {
    let ends = tail.char_indices().map(|(at, c)| at + c.len_utf8()).take(MAX_BEGINNING);
    ends.filter_map(|end| tail.get(..end))
}

/// The key of a beginning.
#[must_use]
pub fn beginning_key(beginning: &str) -> String {
    format!("{BEGINNING}{beginning}")
}

/// Returns whether a key of a string is that of a whole tail.
#[must_use]
pub fn is_tail(key: &str) -> bool {
    key.starts_with(FOLDED)
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
