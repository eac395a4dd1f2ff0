//! Logical ids and literal references (<https://hl7.org/fhir/R4/references.html>).

use super::ResourceType;

/// A logical id: 1 to 64 characters of `A-Z a-z 0-9 - .` (<https://hl7.org/fhir/R4/datatypes.html#id>). Case matters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(String);

impl Id {
    /// The longest id that FHIR allows.
    pub const MAX_LENGTH: usize = 64;

    /// Parses an id. Returns `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Self::is_valid(text).then(|| Self(text.to_owned()))
    }

    /// Returns whether the text is an id.
    #[must_use]
    pub fn is_valid(text: &str) -> bool {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
        (1..=Self::MAX_LENGTH).contains(&text.len()) && text.bytes().all(legal)
    }

    /// Inserts the id into a sorted list without duplicates, unless the list already contains it.
    pub fn put(&self, others: &mut Vec<Self>) {
        if let Err(index) = others.binary_search(self) {
            others.insert(index, self.clone());
        }
    }

    /// Returns the id as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A relative reference to a resource of a served type: `Patient/1`. The version of a versioned reference
/// (`Patient/1/_history/2`) is dropped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The type before the slash.
    pub resource_type: ResourceType,
    /// The id after the slash.
    pub id: Id,
}

impl Reference {
    /// Parses `Type/id`. Returns `None` for any other kind of reference.
    pub fn parse(text: &str) -> Option<Self> {
        let (resource_type, id) = text.split_once('/')?;
        let resource_type = ResourceType::parse(resource_type)?;
        // The version is removed only if the id does not parse, since few references have one.
        let id = Id::parse(id).or_else(|| Id::parse(Self::unversioned(id)))?;
        Some(Self { resource_type, id })
    }

    /// Returns the text `Type/id`.
    pub fn join(resource_type: ResourceType, id: &Id) -> String {
        format!("{resource_type}/{id}")
    }

    /// Returns the text without `/_history/<version>`.
    pub fn unversioned(text: &str) -> &str {
        text.split_once("/_history/").map_or(text, |(resource, _)| resource)
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.resource_type, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_the_characters_and_length_of_fhir() {
        for good in ["85", "PatientA", "1729354690326214000.df0daa25", "a-b.C", &"x".repeat(64)] {
            assert!(Id::parse(good).is_some(), "{good}");
        }
        for bad in ["", "a b", "é", "a/b", "'", "a_b", &"x".repeat(65)] {
            assert!(Id::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_reference_is_relative_and_drops_its_version() {
        assert_eq!(Reference::parse("Patient/45/_history/2").map(|r| r.to_string()).as_deref(), Some("Patient/45"));
        for other in
            ["45", "urn:uuid:1", "#p1", "http://x/Patient/1", "Foo/1", "Patient/", "Patient/1/2", "Patient/a b"]
        {
            assert_eq!(Reference::parse(other), None, "{other}");
        }
    }
}
