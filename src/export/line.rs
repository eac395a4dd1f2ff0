//! The line of a resource, and the references in it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::str::from_utf8;

use memchr::memchr;

use super::selection::{Selection, TypeSelection};
use fhir::{Reference, Subset, compact, for_each_reference};

/// Returns the text of a resource as a line, without the line end. `None` if the text is damaged.
pub fn line<'t>(selection: &TypeSelection, text: &'t [u8]) -> Option<Cow<'t, [u8]>> {
    let is_one_line = memchr(b'\n', text).is_none() && memchr(b'\r', text).is_none();
    if is_one_line && selection.elements == Subset::Whole {
        return Some(Cow::Borrowed(text));
    }
    let text = from_utf8(text).ok()?;
    let text = if is_one_line { Cow::Borrowed(text) } else { compact(text) };
    if selection.elements == Subset::Whole {
        return Some(Cow::Owned(text.into_owned().into_bytes()));
    }
    selection.elements.cut(selection.resource_type, &text).ok().map(|cut| Cow::Owned(cut.into_bytes()))
}

/// Adds the references in a text to resources that are exported with it, as `Type/id`. Returns false if it is damaged.
pub fn note_references(selection: &Selection, text: &[u8], to: &mut BTreeSet<String>) -> bool {
    let noted = for_each_reference(text, &mut |reference| {
        if !to.contains(reference)
            && let Some(reference) = Reference::parse(reference).filter(|reference| selection.follows(reference))
        {
            to.insert(reference.to_string());
        }
    });
    noted.is_ok()
}
