//! The resources of a document, which is one resource or a Bundle of any type, nested Bundles included. A `contained`
//! resource is part of its container and not an entry.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::fhir::{Elements, Id, Micros, Reference, ResourceType, Span, json};

/// An entry of a document: the text of one resource, or of the request that deletes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentEntry<'a> {
    /// `Bundle.entry.fullUrl`.
    pub full_url: Option<Cow<'a, str>>,
    /// True if the text is a `Bundle.entry.request` that deletes.
    pub deletes: bool,
    /// The time of a deletion: `Bundle.entry.response.lastModified`, else `Bundle.timestamp`.
    pub deleted_at: Option<Cow<'a, str>>,
    /// The text of the resource or of the request.
    pub text: &'a str,
    /// The byte offset of the text in the document.
    pub at: usize,
    /// The indexes of the entry: first in the outermost Bundle, last in its own. Empty if the document is the resource.
    pub path: Vec<usize>,
}

/// Returns the location of an entry in its document as a FHIRPath, such as `Bundle.entry[3]`. Empty for the document
/// itself.
#[must_use]
pub fn entry_path(path: &[usize]) -> String {
    let steps: Vec<_> = path.iter().map(|index| format!("entry[{index}]")).collect();
    if steps.is_empty() { String::new() } else { format!("Bundle.{}", steps.join(".resource.")) }
}

/// A parsed resource, ready to be indexed.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedResource<'a> {
    /// Its type.
    pub kind: ResourceType,
    /// Its id.
    pub id: Id,
    /// The parsed JSON.
    pub resource: Value,
    /// The text of the resource.
    pub text: &'a str,
    /// `Bundle.entry.fullUrl`.
    pub url: Option<String>,
}

/// A parsed entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Parsed<'a> {
    /// A resource to store.
    Resource(ParsedResource<'a>),
    /// The resource to delete, and the time of the deletion, if it is known.
    Deletion(Reference, Option<Micros>),
}

/// The reasons to reject a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejected {
    /// Its type is not supported. The value is `resourceType`.
    NotServed(String),
    /// It is malformed. The text says why.
    Fault(String),
}

/// A Bundle with one entry.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OneEntry<'a> {
    resource_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<&'a str>,
    entry: [WrittenEntry<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WrittenEntry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    full_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<&'a RawValue>,
}

impl<'a> DocumentEntry<'a> {
    /// Writes a Bundle with this entry alone, as one line without its end. It means the same.
    #[must_use]
    pub fn to_line(&self) -> String {
        let text = on_one_line(self.text);
        let raw: Option<&RawValue> = serde_json::from_str(&text).ok();
        let (request, resource) = if self.deletes { (raw, None) } else { (None, raw) };
        let entry = WrittenEntry { full_url: self.full_url.as_deref(), request, resource };
        json(&OneEntry { resource_type: "Bundle", timestamp: self.deleted_at.as_deref(), entry: [entry] })
    }

    /// Parses the resource of the entry, or the address of the one that it deletes. A resource without an id gets that
    /// of its `urn:uuid:`.
    ///
    /// # Errors
    /// If the type is not supported, or the resource or the address is malformed.
    pub fn take(self) -> Result<Parsed<'a>, Rejected> {
        if !self.deletes {
            return self.resource().map(Parsed::Resource);
        }
        let time = self.deleted_at.as_deref().and_then(Span::parse).and_then(|span| span.starts());
        Ok(Parsed::Deletion(self.deletion()?, time))
    }

    /// The resource that a request deletes (<https://hl7.org/fhir/R4/http.html#transaction>).
    fn deletion(&self) -> Result<Reference, Rejected> {
        let Request { url, .. } = serde_json::from_str(self.text).unwrap_or_default();
        if let Some(reference) = Reference::parse(&url).filter(|reference| reference.to_string() == url) {
            return Ok(reference);
        }
        let (kind, id) = url.split_once('/').unwrap_or_default();
        Err(if Id::parse(id).is_some() && ResourceType::parse(kind).is_none() {
            Rejected::NotServed(kind.to_owned())
        } else {
            Rejected::Fault(format!("it deletes {url:?}, which is not of the form Type/id"))
        })
    }

    fn resource(self) -> Result<ParsedResource<'a>, Rejected> {
        let resource: Value =
            serde_json::from_str(self.text).map_err(|error| Rejected::Fault(format!("it cannot be read: {error}")))?;
        let name = resource.get("resourceType").and_then(Value::as_str).unwrap_or_default();
        let Some(kind) = ResourceType::parse(name) else {
            return Err(Rejected::NotServed(name.to_owned()));
        };
        let url = self.full_url.map(Cow::into_owned);
        let stated = match resource.get("id") {
            Some(id) => id.as_str(),
            None => url.as_deref().and_then(|url| url.strip_prefix("urn:uuid:")),
        };
        match stated.and_then(Id::parse) {
            Some(id) => Ok(ParsedResource { kind, id, resource, text: self.text, url }),
            None if resource.get("id").is_none() => Err(Rejected::Fault(format!("{name} without an id"))),
            None => Err(Rejected::Fault(format!("{name} with an id that is none: 1 to 64 of A-Z a-z 0-9 - ."))),
        }
    }
}

/// Returns a JSON document without line ends. They are between tokens only, since strings of JSON have none.
#[must_use]
pub fn on_one_line(document: &str) -> Cow<'_, str> {
    if document.contains(['\n', '\r']) { document.replace(['\n', '\r'], " ").into() } else { document.into() }
}

/// A document, or an entry of it, that is not a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The byte offset in the document.
    pub at: usize,
    /// See [`DocumentEntry::path`].
    pub path: Vec<usize>,
    /// A description of the fault for people.
    pub reason: String,
}

/// The member that every resource has.
#[derive(Deserialize)]
struct Typed<'a> {
    #[serde(rename = "resourceType", default, borrow)]
    kind: Option<Cow<'a, str>>,
}

/// The members of `Bundle.entry.request` by which a deletion is known.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Request<'a> {
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    url: Cow<'a, str>,
}

/// The maximum depth of nested Bundles.
const DEEPEST: usize = 20;

/// The most faults of one document. A Bundle may have more faulty entries than memory has room for.
const MOST_FAULTS: usize = 1_000;

/// Returns the resources of a JSON document, and a fault for each entry that should contain one and does not. A faulty
/// entry does not affect the others.
#[must_use]
pub fn entries(document: &str) -> Vec<Result<DocumentEntry<'_>, Fault>> {
    let mut collector = Collector { document, timestamp: None, path: Vec::new(), found: Vec::new(), faults: 0 };
    collector.collect(document, None);
    collector.found
}

struct Collector<'a> {
    document: &'a str,
    /// `Bundle.timestamp` of the innermost Bundle.
    timestamp: Option<Cow<'a, str>>,
    path: Vec<usize>,
    found: Vec<Result<DocumentEntry<'a>, Fault>>,
    faults: usize,
}

impl<'a> Collector<'a> {
    fn at(&self, text: &str) -> usize {
        (text.as_ptr() as usize).saturating_sub(self.document.as_ptr() as usize)
    }

    fn fault(&mut self, text: &str, reason: &str, error: Option<&serde_json::Error>) {
        self.faults += 1;
        let reason = match (self.faults.cmp(&MOST_FAULTS), error) {
            (Ordering::Less, Some(error)) => format!("{reason}: {error}"),
            (Ordering::Less, None) => reason.to_owned(),
            (Ordering::Equal, _) => "it is faulty, and further faults of the document are not listed".to_owned(),
            (Ordering::Greater, _) => return,
        };
        let before_line = error.map_or(0, |error| {
            let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
            lines.map(str::len).sum()
        });
        self.found.push(Err(Fault { at: self.at(text) + before_line, path: self.path.clone(), reason }));
    }

    fn collect(&mut self, text: &'a str, full_url: Option<Cow<'a, str>>) {
        if let Some(other) = other_than_object(text) {
            return self.fault(text, &format!("it is {other}, and no resource"), None);
        }
        // Only the entries of a Bundle are resources. In other resources a member `entry` may be anything.
        match serde_json::from_str::<Typed>(text) {
            Err(error) => self.fault(text, "it is not JSON", Some(&error)),
            Ok(Typed { kind: None }) => self.fault(text, "it has no resourceType", None),
            Ok(Typed { kind: Some(kind) }) if kind == "Bundle" => self.collect_bundle(text),
            Ok(Typed { kind: Some(_) }) => {
                let (at, path) = (self.at(text), self.path.clone());
                self.found.push(Ok(DocumentEntry { full_url, deletes: false, deleted_at: None, text, at, path }));
            }
        }
    }

    fn collect_bundle(&mut self, text: &'a str) {
        if self.path.len() == DEEPEST {
            return self.fault(text, "it is a Bundle in too many Bundles", None);
        }
        let bundle = match Elements::of(text) {
            Ok(bundle) => bundle,
            Err(error) => return self.fault(text, "it is not a Bundle", Some(&error)),
        };
        let outer = std::mem::replace(&mut self.timestamp, bundle.get("timestamp").and_then(text_in));
        self.collect_entries(&bundle);
        self.timestamp = outer;
    }

    fn collect_entries(&mut self, bundle: &Elements<'a>) {
        let Some(listed) = bundle.get("entry") else { return };
        let Ok(listed) = serde_json::from_str::<Vec<&'a RawValue>>(listed) else {
            return self.fault(listed, "Bundle.entry is not an array", None);
        };
        for (index, entry) in listed.into_iter().enumerate() {
            self.path.push(index);
            self.collect_entry(entry.get());
            self.path.pop();
        }
    }

    fn collect_entry(&mut self, entry: &'a str) {
        let Ok(members) = Elements::of(entry) else {
            return self.fault(entry, "it is not an object, and no entry", None);
        };
        let full_url = members.get("fullUrl").map(serde_json::from_str::<Cow<'a, str>>).transpose();
        let request = members.get("request").filter(|request| is_deletion(request));
        match (full_url, members.get("resource"), request) {
            (Err(_), ..) => self.fault(entry, "its fullUrl is not a string", None),
            (Ok(_), Some(_), Some(_)) => self.fault(entry, "it deletes a resource, and has one", None),
            (Ok(full_url), Some(resource), None) => self.collect(resource, full_url),
            (Ok(_), None, Some(text)) => {
                let response = members.get("response").and_then(|response| Elements::of(response).ok());
                let modified = response.and_then(|response| response.get("lastModified").and_then(text_in));
                let deleted_at = modified.or_else(|| self.timestamp.clone());
                let (at, path) = (self.at(text), self.path.clone());
                self.found.push(Ok(DocumentEntry { full_url: None, deletes: true, deleted_at, text, at, path }));
            }
            // An entry may consist of a request or a response alone.
            (Ok(_), None, None) => {}
        }
    }
}

/// The text in a JSON string.
fn text_in(json: &str) -> Option<Cow<'_, str>> {
    serde_json::from_str(json).ok()
}

fn is_deletion(request: &str) -> bool {
    serde_json::from_str::<Request<'_>>(request).is_ok_and(|request| request.method == "DELETE")
}

/// Describes a text that is valid JSON and not an object.
fn other_than_object(text: &str) -> Option<&'static str> {
    let other = match text.trim_start().bytes().next()? {
        b'{' => return None,
        b'[' => "an array",
        b'"' => "a string",
        b'n' => "null",
        b't' | b'f' => "a boolean",
        _ => "a number",
    };
    serde_json::from_str::<&RawValue>(text).is_ok().then_some(other)
}

/// Returns the line, counted from zero, of a byte offset in a document.
#[must_use]
pub fn line_of(document: &str, at: usize) -> usize {
    document.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_yields_its_entries_and_their_lines() {
        let document = "{\"resourceType\":\"Bundle\",\"entry\":[\n {\"fullUrl\":\"urn:uuid:1\",\"resource\":\n  {\"id\":\"a\",\"resourceType\":\"Patient\"}},\n {\"response\":{}},\n {\"resource\":{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":{\"resourceType\":\"Group\",\"contained\":[{\"resourceType\":\"Patient\",\"id\":\"x\"}]}}]}}]}";
        let found: Vec<_> = entries(document).into_iter().map(Result::unwrap).collect();
        let shape: Vec<_> = found
            .iter()
            .map(|entry| (entry.full_url.as_deref(), line_of(document, entry.at), entry_path(&entry.path)))
            .collect();
        assert_eq!(
            shape,
            [
                (Some("urn:uuid:1"), 2, "Bundle.entry[0]".to_owned()),
                (None, 4, "Bundle.entry[2].resource.entry[0]".to_owned())
            ]
        );
        assert!(found[1].text.starts_with("{\"resourceType\":\"Group\""));
    }

    #[test]
    fn an_entry_may_be_a_request_that_deletes() {
        let request = |request: &str| format!("{{\"resourceType\":\"Bundle\",\"entry\":[{{\"request\":{request}}}]}}");
        let deletes = |url: &str| {
            let document = request(&format!("{{\"method\":\"DELETE\",\"url\":\"{url}\"}}"));
            let entry = entries(&document).pop().unwrap().unwrap();
            assert!(entry.deletes && entry.text.contains(url));
            entry.deletion()
        };
        assert_eq!(deletes("Patient/a"), Ok(Reference::parse("Patient/a").unwrap()));
        assert_eq!(deletes("Claim/a"), Err(Rejected::NotServed("Claim".to_owned())));
        for url in ["", "Patient", "Patient/", "Patient/a/_history/1", "Patient?identifier=x", "/Patient/a"] {
            let Err(Rejected::Fault(reason)) = deletes(url) else { panic!("{url}") };
            assert_eq!(reason, format!("it deletes {url:?}, which is not of the form Type/id"));
        }
        for other in ["{\"method\":\"GET\",\"url\":\"Patient/a\"}", "{}", "[]", "7", "{\"method\":7}"] {
            assert_eq!(entries(&request(other)), [], "{other}");
        }
    }

    fn faults(document: &str) -> Vec<(usize, String, String)> {
        let faults = entries(document).into_iter().filter_map(Result::err);
        faults.map(|fault| (line_of(document, fault.at), entry_path(&fault.path), fault.reason)).collect()
    }

    #[test]
    fn other_json_than_a_resource_is_a_fault_with_its_line() {
        assert_eq!(faults("{}"), [(0, String::new(), "it has no resourceType".to_owned())]);
        assert_eq!(faults("{\n\n  \"resourceType\": oops}")[0].0, 2);
        for (bad, reason) in [
            ("", "it is not JSON"),
            ("oops", "it is not JSON"),
            ("[", "it is not JSON"),
            ("[{\"resourceType\":\"Patient\",\"id\":\"a\"}]", "it is an array"),
            ("[\"Patient\"]", "it is an array"),
            ("null", "it is null"),
            ("-5", "it is a number"),
            ("\"Patient/a\"", "it is a string"),
            ("{\"resourceType\":7}", "it is not JSON"),
            ("{\"resourceType\":\"Bundle\",\"entry\":7}", "Bundle.entry is not an array"),
        ] {
            let faults = faults(bad);
            assert!(faults.len() == 1 && faults[0].2.starts_with(reason), "{bad}: {faults:?}");
        }
    }

    #[test]
    fn a_faulty_entry_is_reported_by_its_index_and_does_not_affect_the_others() {
        let document = concat!(
            "{\"resourceType\":\"Bundle\",\"entry\":[null,5,\"x\",{\"resource\":null},{\"resource\":\"text\"},\n",
            "{\"resource\":{\"id\":\"x\"}},{\"resource\":5},{\"resource\":[]},{\"fullUrl\":5,\"resource\":{}},\n",
            "{\"resource\":{\"resourceType\":\"Patient\",\"id\":\"a\"}},",
            "{\"resource\":{\"resourceType\":\"Bundle\",\"entry\":[{},[]]}}]}"
        );
        let told: Vec<_> = faults(document).into_iter().map(|(line, path, _)| format!("{line} {path}")).collect();
        let expected: Vec<_> =
            (0..9).map(|index| format!("{} Bundle.entry[{index}]", usize::from(index > 4))).collect();
        assert_eq!(told[..9], expected);
        assert_eq!(told[9..], ["2 Bundle.entry[10].resource.entry[1]"]);
        assert_eq!(entries(document).into_iter().flatten().count(), 1);
    }

    #[test]
    fn the_depth_of_nested_bundles_is_limited() {
        let (open, close) = ("{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":", "}]}");
        let nested = |depth: usize| format!("{}{{}}{}", open.repeat(depth), close.repeat(depth));
        assert!(faults(&nested(DEEPEST))[0].2.contains("no resourceType"));
        assert!(faults(&nested(10_000))[0].2.contains("too many Bundles"));
    }
}
