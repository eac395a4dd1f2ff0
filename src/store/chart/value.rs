//! The value of a fact as it stands in the index of a head.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::id::{uuid, write_uuid};
use crate::fhir::{Id, Span};
use crate::search::Fact;

/// An entry of a column: a distinct value, and the rows that have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<'a> {
    /// The value.
    #[serde(borrow)]
    pub value: Value<'a>,
    /// The rows in ascending order: the first, and the difference of each further one to the row before it, as postcard
    /// writes numbers. They are read only for the values that a search asks for.
    #[serde(borrow, with = "serde_bytes")]
    row_deltas: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Appends the entry of a value that these rows have, in ascending order.
    pub fn write(value: &Value<'_>, rows: &[u32], to: &mut Vec<u8>) {
        let before = std::iter::once(0).chain(rows.iter().copied());
        let deltas = before.zip(rows).map(|(before, row)| row - before);
        let row_deltas: Vec<u8> = deltas.flat_map(|delta| postcard::to_allocvec(&delta).unwrap_or_default()).collect();
        let entry = Entry { value: value.clone(), row_deltas: &row_deltas };
        to.extend(postcard::to_allocvec(&entry).unwrap_or_default());
    }

    /// The rows, in ascending order.
    pub fn rows(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (mut rest, mut row) = (self.row_deltas, 0_u32);
        std::iter::from_fn(move || {
            let (delta, behind) = postcard::take_from_bytes::<u32>(rest).ok()?;
            rest = behind;
            row = row.saturating_add(delta);
            Some(row)
        })
    }
}

/// The value of a [`Fact`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value<'a> {
    /// [`Fact::Token`]: system and code.
    Token(Cow<'a, str>, Cow<'a, str>),
    /// [`Fact::Span`]: the start, and the microseconds until the end.
    Span(i64, i64),
    /// [`Fact::String`]: folded, and as written.
    String(Cow<'a, str>, Cow<'a, str>),
    /// [`Fact::Reference`] that ends in a UUID: the text before it, and the UUID.
    ReferenceToUuid(Cow<'a, str>, [u8; 16]),
    /// Another [`Fact::Reference`].
    Reference(Cow<'a, str>),
    /// [`Fact::Id`].
    Id(Cow<'a, str>),
}

/// The characters of a UUID as text.
const UUID: usize = 36;

impl<'a> Value<'a> {
    /// The value of a fact.
    pub fn of(fact: &'a Fact) -> Self {
        match fact {
            Fact::Token { system, code } => Self::Token(system.into(), code.into()),
            Fact::Span(span) => Self::Span(span.from, span.until.wrapping_sub(span.from)),
            Fact::String { folded, written } => Self::String(folded.into(), written.into()),
            Fact::Reference(target) => Self::of_reference(target),
            Fact::Id(id) => Self::Id(id.as_str().into()),
        }
    }

    fn of_reference(target: &'a str) -> Self {
        let split = target.len().checked_sub(UUID).and_then(|at| target.split_at_checked(at));
        match split.and_then(|(before, id)| Some((before, uuid(id)?))) {
            Some((before, id)) => Self::ReferenceToUuid(before.into(), id),
            None => Self::Reference(target.into()),
        }
    }

    /// The fact, unless it is an invalid id.
    pub fn fact(self) -> Option<Fact> {
        Some(match self {
            Self::Token(system, code) => Fact::Token { system: system.into_owned(), code: code.into_owned() },
            Self::Span(from, length) => Fact::Span(Span { from, until: from.wrapping_add(length) }),
            Self::String(folded, written) => {
                Fact::String { folded: folded.into_owned(), written: written.into_owned() }
            }
            Self::ReferenceToUuid(before, id) => {
                let mut target = before.into_owned();
                write_uuid(&id, &mut target);
                Fact::Reference(target)
            }
            Self::Reference(target) => Fact::Reference(target.into_owned()),
            Self::Id(id) => Fact::Id(Id::parse(&id)?),
        })
    }
}
