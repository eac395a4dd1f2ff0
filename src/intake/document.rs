//! The resources of a document: one resource, or a Bundle of any type, nested Bundles included. A `contained` resource is
//! part of its owner and never an entry.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::fhir::{Id, ResourceType};

/// A resource of a document, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// `Bundle.entry.fullUrl`.
    pub full_url: Option<Cow<'a, str>>,
    /// Its text.
    pub text: &'a str,
    /// The byte of the document that it begins at.
    pub at: usize,
}

/// A resource that can be settled.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken<'a> {
    /// Its type.
    pub kind: ResourceType,
    /// Its id.
    pub id: Id,
    /// It.
    pub resource: Value,
    /// Its text.
    pub text: &'a str,
    /// Its address in its Bundle.
    pub url: Option<String>,
}

/// Why a resource is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// Its type is not served.
    NotServed(String),
    /// It is not right.
    Fault(String),
}

impl<'a> Entry<'a> {
    /// The resource of the entry: of a served type, with an id of its own or, where it has none, that of its `urn:uuid:`.
    ///
    /// # Errors
    /// Where it is none.
    pub fn take(self) -> Result<Taken<'a>, Refused> {
        let resource: Value =
            serde_json::from_str(self.text).map_err(|error| Refused::Fault(format!("it cannot be read: {error}")))?;
        let name = resource.get("resourceType").and_then(Value::as_str).unwrap_or_default();
        let Some(kind) = ResourceType::parse(name) else {
            return Err(Refused::NotServed(name.to_owned()));
        };
        let url = self.full_url.map(Cow::into_owned);
        let stated = match resource.get("id") {
            Some(id) => id.as_str(),
            None => url.as_deref().and_then(|url| url.strip_prefix("urn:uuid:")),
        };
        match stated.and_then(Id::parse) {
            Some(id) => Ok(Taken { kind, id, resource, text: self.text, url }),
            None if resource.get("id").is_none() => Err(Refused::Fault(format!("{name} without an id"))),
            None => Err(Refused::Fault(format!("{name} with an id that is none: 1 to 64 of A-Z a-z 0-9 - ."))),
        }
    }
}

/// Why a document or a resource cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The line, counted from zero.
    pub line: usize,
    /// What is wrong, for people.
    pub reason: String,
}

/// What every resource says of itself.
#[derive(Deserialize)]
struct Typed<'a> {
    #[serde(rename = "resourceType", default, borrow)]
    kind: Option<Cow<'a, str>>,
}

/// What a Bundle holds.
#[derive(Deserialize)]
struct Bundle<'a> {
    #[serde(default, borrow)]
    entry: Option<Vec<BundleEntry<'a>>>,
}

#[derive(Deserialize)]
struct BundleEntry<'a> {
    #[serde(rename = "fullUrl", default, borrow)]
    full_url: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    resource: Option<&'a RawValue>,
}

/// The resources of a JSON document.
///
/// # Errors
/// Where it is no JSON, or says no `resourceType`.
pub fn entries(document: &str) -> Result<Vec<Entry<'_>>, Fault> {
    let mut found = Vec::new();
    collect(document, document, None, &mut found)?;
    Ok(found)
}

fn collect<'a>(
    document: &'a str,
    text: &'a str,
    full_url: Option<Cow<'a, str>>,
    found: &mut Vec<Entry<'a>>,
) -> Result<(), Fault> {
    let at = (text.as_ptr() as usize).saturating_sub(document.as_ptr() as usize);
    let fault = |reason: &str, error: Option<serde_json::Error>| {
        let line = line_of(document, at);
        match error {
            None => Fault { line, reason: reason.to_owned() },
            Some(error) => Fault { line: line + error.line().saturating_sub(1), reason: format!("{reason}: {error}") },
        }
    };
    // Only a Bundle's entries are looked at; in any other resource `entry` may be anything.
    let typed: Typed = serde_json::from_str(text).map_err(|error| fault("it is not JSON", Some(error)))?;
    match typed.kind.as_deref() {
        None => return Err(fault("it has no resourceType", None)),
        Some("Bundle") => {
            let bundle: Bundle =
                serde_json::from_str(text).map_err(|error| fault("it is not a Bundle", Some(error)))?;
            for BundleEntry { full_url, resource } in bundle.entry.into_iter().flatten() {
                if let Some(resource) = resource {
                    collect(document, resource.get(), full_url, found)?;
                }
            }
        }
        Some(_) => found.push(Entry { full_url, text, at }),
    }
    Ok(())
}

/// The line, counted from zero, of a byte of a document.
#[must_use]
pub fn line_of(document: &str, at: usize) -> usize {
    document.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_gives_its_entries_and_their_lines() {
        let document = "{\"resourceType\":\"Bundle\",\"entry\":[\n {\"fullUrl\":\"urn:uuid:1\",\"resource\":\n  {\"id\":\"a\",\"resourceType\":\"Patient\"}},\n {\"response\":{}},\n {\"resource\":{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":{\"resourceType\":\"Group\",\"contained\":[{\"resourceType\":\"Patient\",\"id\":\"x\"}]}}]}}]}";
        let found = entries(document).unwrap();
        let shape: Vec<_> =
            found.iter().map(|entry| (entry.full_url.as_deref(), line_of(document, entry.at))).collect();
        assert_eq!(shape, [(Some("urn:uuid:1"), 2), (None, 4)]);
        assert!(found[1].text.starts_with("{\"resourceType\":\"Group\""));
    }

    #[test]
    fn what_is_no_resource_is_a_fault_with_its_line() {
        assert_eq!(entries("{}").unwrap_err().reason, "it has no resourceType");
        assert_eq!(entries("{\n\n  \"resourceType\": oops}").unwrap_err().line, 2);
        for bad in ["", "[]", "null", "{\"resourceType\":7}", "{\"resourceType\":\"Bundle\",\"entry\":7}"] {
            assert!(entries(bad).is_err(), "{bad}");
        }
    }
}
