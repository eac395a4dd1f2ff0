//! The line of a resource, and what it refers to.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::str::from_utf8;

use memchr::{memchr, memmem};

use super::selection::{Selection, TypeSelection};
use crate::fhir::{Reference, Subset, compact};

/// The beginning of a reference in a stored text, which has no blanks.
const REFERENCE: &[u8] = b"\"reference\":\"";

/// The text of a resource as a line, without its end. `None` if it is damaged.
pub fn line<'t>(of: &TypeSelection, text: &'t [u8]) -> Option<Cow<'t, [u8]>> {
    let is_one_line = memchr(b'\n', text).is_none() && memchr(b'\r', text).is_none();
    if is_one_line && of.elements == Subset::Whole {
        return Some(Cow::Borrowed(text));
    }
    let text = from_utf8(text).ok()?;
    let text = if is_one_line { Cow::Borrowed(text) } else { compact(text) };
    if of.elements == Subset::Whole {
        return Some(Cow::Owned(text.into_owned().into_bytes()));
    }
    of.elements.cut(of.resource_type, &text).ok().map(|cut| Cow::Owned(cut.into_bytes()))
}

/// Adds the references in a text that lead to resources that come with it.
pub fn note_references(selection: &Selection, text: &[u8], to: &mut BTreeSet<String>) {
    for at in memmem::find_iter(text, REFERENCE) {
        let Some(rest) = text.get(at + REFERENCE.len()..) else { return };
        let reference = memchr(b'"', rest).and_then(|end| from_utf8(rest.get(..end)?).ok());
        let Some(reference) = reference.filter(|reference| !to.contains(*reference)) else { continue };
        if Reference::parse(reference).is_some_and(|reference| selection.follows(&reference)) {
            to.insert(reference.to_owned());
        }
    }
}
