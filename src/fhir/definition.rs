//! The form of the facts about resource types that come from the official definitions. The facts are in
//! `definitions.rs`; `search/definition.rs` has the form of those about search parameters.

use super::definitions::TYPES;

/// Facts from the definitions about a resource type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Definition {
    name: &'static str,
    /// The elements of the search parameter `patient`.
    pub patient: &'static [&'static str],
    /// The elements that are mandatory or modifying (`isModifier`), except those that all types share.
    pub essential: &'static [&'static str],
    /// The elements of type Attachment. Elements with a choice of types are not among them.
    pub attachments: &'static [&'static str],
    /// The names of its US Core profiles.
    pub profiles: &'static [&'static str],
    /// True if US Core requires `_revinclude=Provenance:target` for the type.
    pub provenance: bool,
}

pub(super) const fn define(
    name: &'static str,
    patient: &'static [&'static str],
    essential: &'static [&'static str],
) -> Definition {
    Definition { name, patient, essential, attachments: &[], profiles: &[], provenance: false }
}

impl Definition {
    pub const fn attachments(self, attachments: &'static [&'static str]) -> Self {
        Self { attachments, ..self }
    }

    pub const fn profiles(self, profiles: &'static [&'static str]) -> Self {
        Self { profiles, ..self }
    }

    pub const fn with_provenance(self) -> Self {
        Self { provenance: true, ..self }
    }

    /// The facts about the type of this name.
    ///
    /// # Panics
    /// If there is no such type. The panic is at compile time, where rows are made.
    #[allow(clippy::indexing_slicing, reason = "runs at compile time")]
    pub const fn of(name: &str) -> Self {
        let mut at = 0;
        while at < TYPES.len() && !is_same(TYPES[at].name, name) {
            at += 1;
        }
        assert!(at < TYPES.len(), "the definitions have no such type: see tools/definitions.mjs");
        TYPES[at]
    }
}

/// Returns whether two texts are equal. `==` on texts does not work at compile time yet.
#[must_use]
#[allow(clippy::indexing_slicing, reason = "runs at compile time")]
pub const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
