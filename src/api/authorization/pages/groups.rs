//! The groups of the consent page, and the types of each (`type-groups.tsv`).

use fhir::{ResourceType, columns, lines, words};

/// A group of scopes. [`super::Messages::group`] is its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Identity,
    Everything,
    Problems,
    Medications,
    Results,
    Care,
    Documents,
    Insurance,
    Catalogues,
    Session,
}

impl Group {
    /// Every group, in the order of the page.
    pub const ALL: [Self; 10] = {
        use Group::*;
        [Identity, Everything, Problems, Medications, Results, Care, Documents, Insurance, Catalogues, Session]
    };
}

/// Returns the group of a type, according to the table.
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
