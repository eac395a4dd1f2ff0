//! The encoding of facts as bytes.

use std::str::from_utf8;

use crate::fhir::{Id, Span};
use crate::search::Fact;

const ID: u8 = 0;
const TOKEN: u8 = 1;
const SPAN: u8 = 2;
const TEXT: u8 = 3;
const REFERENCE: u8 = 4;

/// The bytes of a fact.
pub fn encode(fact: &Fact) -> Vec<u8> {
    // Two texts, of which the first is preceded by its length.
    let two = |kind: u8, first: &str, second: &str| {
        let length = u32::try_from(first.len()).unwrap_or_default().to_le_bytes();
        [&[kind][..], &length, first.as_bytes(), second.as_bytes()].concat()
    };
    match fact {
        Fact::Id(id) => [&[ID], id.as_str().as_bytes()].concat(),
        Fact::Token { system, code } => two(TOKEN, system, code),
        Fact::Span(span) => [&[SPAN][..], &span.from.to_le_bytes(), &span.until.to_le_bytes()].concat(),
        Fact::String { folded, written } => two(TEXT, folded, written),
        Fact::Reference(target) => of_reference(target),
    }
}

/// The fact that bytes encode, if they are valid.
pub fn decode(bytes: &[u8]) -> Option<Fact> {
    let (kind, rest) = bytes.split_first()?;
    let two = || {
        let (length, rest) = rest.split_first_chunk()?;
        let (first, second) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        Some((from_utf8(first).ok()?.to_owned(), from_utf8(second).ok()?.to_owned()))
    };
    match *kind {
        ID => Id::parse(from_utf8(rest).ok()?).map(Fact::Id),
        TOKEN => two().map(|(system, code)| Fact::Token { system, code }),
        SPAN => span(bytes).map(Fact::Span),
        TEXT => two().map(|(folded, written)| Fact::String { folded, written }),
        REFERENCE => from_utf8(rest).ok().map(|text| Fact::Reference(text.to_owned())),
        _ => None,
    }
}

/// The time that bytes encode, if they encode one.
pub fn span(bytes: &[u8]) -> Option<Span> {
    let (from, rest) = bytes.strip_prefix(&[SPAN])?.split_first_chunk()?;
    Some(Span { from: i64::from_le_bytes(*from), until: i64::from_le_bytes(*rest.first_chunk()?) })
}

/// The bytes of a reference.
pub fn of_reference(target: &str) -> Vec<u8> {
    [&[REFERENCE], target.as_bytes()].concat()
}

/// The reference that bytes encode, if they encode one.
pub fn reference(bytes: &[u8]) -> Option<&str> {
    from_utf8(bytes.strip_prefix(&[REFERENCE])?).ok()
}
