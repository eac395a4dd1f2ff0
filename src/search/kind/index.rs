//! Index keys, by which stores find facts: the texts under which facts are kept, and the texts that a comparison looks
//! up. They do not depend on the kind of a parameter.

use fhir::Id;

/// The end of a part of an index key: a control character that occurs in no part.
pub(super) const PART_END: char = '\u{1e}';
/// The separator between the key of a part and its rest: another such character.
pub(super) const PART_REST: char = '\u{1d}';

/// The way in which a store finds the resources with a value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexForm {
    /// By the id of the resource. Stores keep no facts of the parameter, because the key of a resource contains its id.
    Id,
    /// By comparing times ([`super::DateWindow`]).
    Time,
    /// By index keys ([`Lookup`]).
    Keys,
}

/// A text under which a store keeps a fact. A criterion finds it by a [`KeyMatch`] or in a [`KeyRange`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexKey {
    /// The text.
    pub value: String,
    /// The rest of the fact: the system of a token, a string as written, or the coded end of a time; otherwise empty.
    pub rest: String,
}

impl IndexKey {
    /// Creates a key without a rest.
    pub const fn of(value: String) -> Self {
        Self { value, rest: String::new() }
    }
}

/// The index keys with one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyMatch {
    /// The text.
    pub value: String,
    /// The rest, if only keys with this rest match.
    pub rest: Option<String>,
}

impl KeyMatch {
    /// Returns all keys with that text.
    pub const fn of(value: String) -> Self {
        Self { value, rest: None }
    }

    /// Returns the key as the beginning of a key with several parts.
    pub(super) fn as_part(&self) -> String {
        match &self.rest {
            None => format!("{}{PART_END}", self.value),
            Some(rest) => format!("{}{PART_REST}{rest}{PART_END}", self.value),
        }
    }
}

/// The index keys of the facts that satisfy a criterion. All such facts have one of these keys, and no others do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The keys with one text, whose rows are in the order of the answer.
    Key(KeyMatch),
    /// The keys between two texts, whose rows must be sorted.
    Range(KeyRange),
}

impl Lookup {
    /// Returns a lookup for the same keys after a given beginning.
    pub(super) fn behind(&self, begin: &str) -> Self {
        match self {
            Self::Key(key) => Self::Key(KeyMatch { value: format!("{begin}{}", key.value), rest: key.rest.clone() }),
            Self::Range(range) => {
                let [from, until] = [&range.from, &range.until].map(|text| format!("{begin}{text}"));
                Self::Range(KeyRange { from, until, ..range.clone() })
            }
        }
    }
}

#[cfg(test)]
impl Lookup {
    /// Returns whether the lookup finds a key.
    pub(super) fn finds(&self, key: &IndexKey) -> bool {
        match self {
            Self::Key(KeyMatch { value, rest }) => {
                key.value == *value && rest.as_ref().is_none_or(|rest| key.rest == *rest)
            }
            Self::Range(KeyRange { from, until, after, by, part }) => {
                (*from <= key.value && key.value < *until)
                    && after.as_ref().is_none_or(|after| key.rest > *after)
                    && by.as_ref().is_none_or(|by| key.rest <= *by)
                    && part.as_ref().is_none_or(|part| key.value.chars().skip(1).collect::<String>().contains(part))
            }
        }
    }
}

/// The keys between two texts, with further conditions on their rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// The first key.
    pub from: String,
    /// The first key after the range.
    pub until: String,
    /// The rest of the key is greater than this.
    pub after: Option<String>,
    /// The rest of the key is at most this.
    pub by: Option<String>,
    /// The key contains this text behind its first character, which is a mark.
    pub part: Option<String>,
}

impl KeyRange {
    /// A text that sorts after every key, because no key has this character twice.
    const END: &str = "\u{10ffff}\u{10ffff}";

    /// Returns all keys that begin with a text.
    pub(super) fn from(text: String) -> Self {
        Self { until: format!("{text}{}", Self::END), from: text, after: None, by: None, part: None }
    }
}

/// The values of a parameter that name a resource, by which it is found without its compartment (`src/store/names.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameValue<'a> {
    /// An id.
    Id(&'a Id),
    /// The value of an identifier, in any system.
    Value(&'a str),
    /// All identifiers of a system.
    System(&'a str),
}
