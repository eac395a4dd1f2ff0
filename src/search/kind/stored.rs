//! The stored form of facts, in the heads of charts. Its variants are numbered in the order in which they stand here,
//! so that a new one goes to the end.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::fact::Fact;
use super::interval::StoredInterval;
use super::quantity::{Quantity, Unit};
use super::reference::Target;
use super::string::Text;
use super::token::Token;
use crate::fhir::{Id, Span, uuid, write_uuid};

/// The stored form of a [`Fact`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StoredFact<'a> {
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
    /// [`Fact::Number`].
    Number(StoredInterval),
    /// [`Fact::Quantity`]: the number, and the system, code and name of the unit.
    Quantity(StoredInterval, Cow<'a, str>, Cow<'a, str>, Cow<'a, str>),
}

/// The characters of a UUID as text.
const UUID: usize = 36;

impl<'a> StoredFact<'a> {
    /// The stored form of a fact.
    #[must_use]
    pub fn of(fact: &'a Fact) -> Self {
        match fact {
            Fact::Token(Token { system, code }) => Self::Token(system.into(), code.into()),
            Fact::Span(span) => Self::Span(span.from, span.until.wrapping_sub(span.from)),
            Fact::String(Text { folded, written }) => Self::String(folded.into(), written.into()),
            Fact::Reference(Target(target)) => Self::of_reference(target),
            Fact::Id(id) => Self::Id(id.as_str().into()),
            Fact::Number(interval) => Self::Number((*interval).into()),
            Fact::Quantity(Quantity { number, unit }) => {
                let Unit { system, code, unit, .. } = &**unit;
                Self::Quantity((*number).into(), system.into(), code.into(), unit.into())
            }
        }
    }

    /// The stored form of a reference.
    #[must_use]
    pub fn of_reference(target: &'a str) -> Self {
        let split = target.len().checked_sub(UUID).and_then(|at| target.split_at_checked(at));
        match split.and_then(|(before, id)| Some((before, uuid(id)?))) {
            Some((before, id)) => Self::ReferenceToUuid(before.into(), id),
            None => Self::Reference(target.into()),
        }
    }

    /// The time, if it is one.
    #[must_use]
    pub const fn span(&self) -> Option<Span> {
        if let Self::Span(from, length) = self {
            Some(Span { from: *from, until: from.wrapping_add(*length) })
        } else {
            None
        }
    }

    /// The fact, unless it is an invalid id.
    #[must_use]
    pub fn fact(self) -> Option<Fact> {
        Some(match self {
            Self::Token(system, code) => Token { system: system.into_owned(), code: code.into_owned() }.into(),
            Self::Span(from, length) => Span { from, until: from.wrapping_add(length) }.into(),
            Self::String(folded, written) => Text { folded: folded.into_owned(), written: written.into_owned() }.into(),
            Self::ReferenceToUuid(before, id) => {
                let mut target = before.into_owned();
                write_uuid(&id, &mut target);
                Target(target).into()
            }
            Self::Reference(target) => Target(target.into_owned()).into(),
            Self::Id(id) => Id::parse(&id)?.into(),
            Self::Number(interval) => Fact::Number(interval.into()),
            Self::Quantity(number, system, code, unit) => {
                let unit = Unit::new(system.into_owned(), code.into_owned(), unit.into_owned());
                Quantity { number: number.into(), unit }.into()
            }
        })
    }
}
