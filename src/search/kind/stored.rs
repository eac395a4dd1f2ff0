//! The stored form of facts, in the heads of charts. The order of its variants determines their numbers, so that a new
//! variant goes to the end.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::fact::{Fact, Instance};
use super::interval::StoredInterval;
use super::quantity::{Quantity, Unit};
use super::reference::Target;
use super::string::Text;
use super::token::Token;
use fhir::{Id, Span, to_postcard, uuid, write_uuid};

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
    /// The other forms of [`Fact::Reference`].
    Reference(Cow<'a, str>),
    /// [`Fact::Id`].
    Id(Cow<'a, str>),
    /// [`Fact::Number`].
    Number(StoredInterval),
    /// [`Fact::Quantity`].
    Quantity(StoredInterval, StoredUnit<'a>),
    /// [`Fact::Instance`]: the facts of each component in their stored form, as postcard writes them.
    Instance(#[serde(borrow, with = "serde_bytes")] Cow<'a, [u8]>),
}

/// The stored form of a [`Unit`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum StoredUnit<'a> {
    /// The system, the code and the name.
    Whole(Cow<'a, str>, Cow<'a, str>, Cow<'a, str>),
    /// The position in a list of units, which is stored beside the facts.
    At(u32),
}

impl StoredUnit<'_> {
    /// Returns the unit with owned texts.
    pub fn into_owned(self) -> StoredUnit<'static> {
        match self {
            Self::Whole(system, code, unit) => {
                let [system, code, unit] = [system, code, unit].map(|text| Cow::Owned(text.into_owned()));
                StoredUnit::Whole(system, code, unit)
            }
            Self::At(at) => StoredUnit::At(at),
        }
    }
}

/// The characters of a UUID as text.
const UUID: usize = 36;

impl<'a> StoredFact<'a> {
    /// Returns the stored form of a fact.
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
                Self::Quantity((*number).into(), StoredUnit::Whole(system.into(), code.into(), unit.into()))
            }
            Fact::Instance(Instance(parts)) => {
                let parts: Vec<Vec<_>> = parts.iter().map(|facts| facts.iter().map(Self::of).collect()).collect();
                Self::Instance(to_postcard(&parts).into())
            }
        }
    }

    /// Replaces the unit, if there is one, by its position in a list, to which the unit is added.
    #[must_use]
    pub fn with_unit_in(self, units: &mut Vec<StoredUnit<'a>>) -> Self {
        let Self::Quantity(number, unit @ StoredUnit::Whole(..)) = self else { return self };
        let at = units.iter().position(|known| *known == unit).unwrap_or_else(|| {
            units.push(unit);
            units.len() - 1
        });
        Self::Quantity(number, StoredUnit::At(u32::try_from(at).unwrap_or(u32::MAX)))
    }

    /// Replaces the position of the unit in a list, if there is one, by the unit.
    #[must_use]
    pub fn with_unit_of(self, units: &'a [StoredUnit<'a>]) -> Option<Self> {
        let Self::Quantity(number, StoredUnit::At(at)) = self else { return Some(self) };
        let StoredUnit::Whole(system, code, unit) = units.get(at as usize)? else { return None };
        let [system, code, unit] = [system, code, unit].map(|text| Cow::Borrowed(&**text));
        Some(Self::Quantity(number, StoredUnit::Whole(system, code, unit)))
    }

    /// Returns the stored form of a reference.
    pub fn of_reference(target: &'a str) -> Self {
        let split = target.len().checked_sub(UUID).and_then(|at| target.split_at_checked(at));
        match split.and_then(|(before, id)| Some((before, uuid(id)?))) {
            Some((before, id)) => Self::ReferenceToUuid(before.into(), id),
            None => Self::Reference(target.into()),
        }
    }

    /// Returns the time, if the fact is one.
    pub const fn span(&self) -> Option<Span> {
        if let Self::Span(from, length) = self {
            Some(Span { from: *from, until: from.wrapping_add(*length) })
        } else {
            None
        }
    }

    /// Returns the fact. `None` for an invalid id, the position of a unit, or an instance within an instance.
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
            Self::Quantity(number, StoredUnit::Whole(system, code, unit)) => {
                Quantity { number: number.into(), unit: Unit::of(&system, &code, &unit) }.into()
            }
            Self::Quantity(_, StoredUnit::At(_)) => return None,
            Self::Instance(parts) => {
                let parts: Vec<Vec<StoredFact<'_>>> = postcard::from_bytes(&parts).ok()?;
                let value = |part: StoredFact<'_>| if let StoredFact::Instance(_) = part { None } else { part.fact() };
                let facts = parts.into_iter().map(|part| part.into_iter().map(value).collect());
                Instance(facts.collect::<Option<_>>()?).into()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Interval;
    use fhir::Decimal;

    #[test]
    fn units_stand_in_a_list_once() {
        let fact = |number: &str, code: &str| {
            let number = Interval::point(Decimal::parse(number).unwrap());
            Fact::from(Quantity { number, unit: Unit::of("s", code, "") })
        };
        let facts = [fact("1.50", "mg"), fact("2", "g"), fact("-3e-7", "mg"), Id::parse("a").unwrap().into()];
        let mut units = Vec::new();
        let placed: Vec<_> = facts.iter().map(|fact| StoredFact::of(fact).with_unit_in(&mut units)).collect();
        assert_eq!(units.len(), 2);
        assert!(placed[0].clone().fact().is_none());
        let sizes: Vec<_> = placed.iter().map(|fact| postcard::to_allocvec(fact).unwrap().len()).collect();
        assert_eq!(sizes, [6, 6, 6, 3]);
        for (placed, fact) in placed.into_iter().zip(&facts) {
            assert_eq!(placed.with_unit_of(&units).unwrap().fact().as_ref(), Some(fact));
        }
        let beyond = StoredFact::of(&facts[0]).with_unit_in(&mut units).with_unit_of(&[]);
        assert_eq!(beyond, None);
    }
}
