//! The groups of the consent page, and the types of each (`type-groups.tsv`).

use super::Messages;
use fhir::{ResourceType, columns, lines, words};

/// A group of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// The identity of the user, and the patient.
    Identity,
    /// Wildcards.
    Everything,
    /// Problems.
    Problems,
    /// Medications and vaccines.
    Medications,
    /// Observations of any kind.
    Results,
    /// Encounters, plans and care teams.
    Care,
    /// Documents and Provenance.
    Documents,
    /// Insurance, claims and bills.
    Insurance,
    /// Definitions, terminology and other knowledge, which is about no patient.
    Catalogues,
    /// Refresh tokens.
    Session,
}

impl Group {
    /// Every group, in the order of the page.
    pub const ALL: [Self; 10] = [
        Self::Identity,
        Self::Everything,
        Self::Problems,
        Self::Medications,
        Self::Results,
        Self::Care,
        Self::Documents,
        Self::Insurance,
        Self::Catalogues,
        Self::Session,
    ];

    /// Its heading.
    pub const fn title(self, messages: Messages) -> &'static str {
        match self {
            Self::Identity => messages.identity(),
            Self::Everything => messages.everything(),
            Self::Problems => messages.problems(),
            Self::Medications => messages.medications(),
            Self::Results => messages.results(),
            Self::Care => messages.care(),
            Self::Documents => messages.documents(),
            Self::Insurance => messages.insurance(),
            Self::Catalogues => messages.catalogues(),
            Self::Session => messages.session(),
        }
    }
}

/// The group of a type: the line of the table that names it.
pub fn group(resource_type: ResourceType) -> Group {
    let mut table = lines(include_str!("type-groups.tsv")).map(columns);
    let line = table.find(|[_, types, ..]| words(types).any(|name| name == resource_type.name()));
    match line.map(|[group, ..]| group) {
        Some("identity") => Group::Identity,
        Some("problems") => Group::Problems,
        Some("medications") => Group::Medications,
        Some("results") => Group::Results,
        Some("documents") => Group::Documents,
        Some("insurance") => Group::Insurance,
        Some("catalogues") => Group::Catalogues,
        _ => Group::Care,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_each_served_type_once() {
        let mut named: Vec<_> =
            lines(include_str!("type-groups.tsv")).flat_map(|line| words(columns(line)[1])).collect();
        named.sort_unstable();
        assert_eq!(named, ResourceType::served().iter().map(|one| one.name()).collect::<Vec<_>>());
        assert_eq!(group(ResourceType::Goal), Group::Care);
        assert_eq!(group(ResourceType::Invoice), Group::Insurance);
    }
}
