//! The resources of a document. A document is one resource, or a Bundle of any type, including nested Bundles. A
//! `contained` resource is part of its container and not an entry.
//!
//! A `fullUrl` is only valid inside its Bundle. References to it are resolved here, and later steps do not know it
//! (<https://hl7.org/fhir/R4/bundle.html#references>).

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;

use serde::{Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::bundle_names::{BundleNames, base_of};
use super::catalogue::{self, Damage, EarlierLoads};
use super::invalid_data::{omit_documents, refusal};
use super::request::{Condition, Method, Request, RequestError, RequestedRecord};
use super::value::{self, MAX_BODY, too_long};
use fhir::{Elements, Id, OF_THING, Reference, ResourceType, compact, digest_text, json, respell};

/// An entry of a document: the text of one resource, or of a request that deletes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentEntry<'a> {
    /// The text of the resource or of the request.
    pub text: &'a str,
    /// The byte offset of the text in the document.
    pub at: usize,
    /// The indexes of the entry, from the outermost Bundle to its own. Empty if the document is the resource.
    pub path: Vec<usize>,
    content: Content<'a>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content<'a> {
    /// The text is a resource.
    Resource {
        /// The type and the id.
        reference: Result<Reference, Rejection>,
        /// The condition in the entry's request.
        condition: Option<Condition>,
        /// `Bundle.entry.fullUrl`, or the absolute address of the request, if one of them has a base.
        full_url: Option<Cow<'a, str>>,
        /// `Bundle.entry.response.lastModified`: when the source changed the resource.
        modified: Option<Cow<'a, str>>,
        /// The names in the entry's Bundle, and in those that enclose it.
        names: Rc<BundleNames>,
        intake: Intake,
    },
    /// The text is a `Bundle.entry.request` that deletes a resource.
    Deletion {
        reference: Result<Reference, Rejection>,
        /// `Bundle.entry.response.lastModified`, else `Bundle.timestamp`.
        at: Option<Cow<'a, str>>,
    },
}

/// The receiver of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Intake {
    /// A store of records. Requests are carried out, or are faults of their entries. A resource must fit into a row.
    #[default]
    Store,
    /// A viewer of a person's own file. Each resource is shown, whatever its length and its request.
    Viewer,
}

/// Returns the location of an entry in its document as a FHIRPath: `Bundle.entry[3]`. Empty for the document itself.
pub fn entry_path(path: &[usize]) -> String {
    let steps: Vec<_> = path.iter().map(|index| format!("entry[{index}]")).collect();
    if steps.is_empty() { String::new() } else { format!("Bundle.{}", steps.join(".resource.")) }
}

/// A parsed resource, ready to be indexed. References to other entries of its Bundle are resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedResource<'a> {
    pub resource_type: ResourceType,
    pub id: Id,
    /// The parsed JSON.
    pub resource: Value,
    pub text: Cow<'a, str>,
    /// The FHIR base of the server that it comes from, if the entry states it.
    pub base: Option<String>,
    /// True if the resource is an entry of a Bundle.
    pub is_entry: bool,
    /// The condition in the request.
    pub condition: Option<Condition>,
}

impl ParsedResource<'_> {
    /// Leaves out the values of `data` that are too long for documents. Returns a fault for each.
    pub fn omit_documents(&mut self) -> Vec<String> {
        let faults = omit_documents(&mut self.resource, &self.text);
        if !faults.is_empty() {
            self.text = respell(&self.resource, &self.text).into();
        }
        faults
    }

    /// Adds the time of the last change, if the resource does not state it.
    fn date(&mut self, modified: &str) {
        let meta =
            self.resource.as_object_mut().map(|members| members.entry("meta").or_insert_with(|| serde_json::json!({})));
        let Some(meta) = meta.and_then(Value::as_object_mut) else { return };
        if !meta.contains_key("lastUpdated") {
            meta.insert("lastUpdated".to_owned(), Value::from(modified));
            self.text = respell(&self.resource, &self.text).into();
        }
    }

    pub fn reference(&self) -> Reference {
        Reference { resource_type: self.resource_type, id: self.id.clone() }
    }

    /// Returns the resource if its condition is met: no other stored record has its identifier. A resource without an
    /// id of its own is the record with the identifier, and never one that had it before.
    ///
    /// # Errors
    /// If another record has the identifier, if the record that had it has another one now, or if a record with the
    /// identifier cannot be read.
    pub fn settled(mut self, earlier: &impl EarlierLoads) -> Result<Self, Rejection> {
        let Some(Condition { name, .. }) = &self.condition else { return Ok(self) };
        let own = self.reference();
        let fault = |why: String| Err(Rejection::Fault(format!("{own}: {why}")));
        let is_derived = id_of(name.as_bytes()).as_ref() == Some(&self.id);
        let (mine, mut others): (Vec<_>, Vec<_>) = match earlier.named(name) {
            Ok(named) => named.into_iter().partition(|one| *one == own),
            Err(Damage(why)) => return fault(why),
        };
        let Some(other) = others.pop() else {
            if mine.is_empty() && is_derived && earlier.body(&own).is_some() {
                return fault("the record that had the identifier of its request has another one now".to_owned());
            }
            return Ok(self);
        };
        if !(is_derived && others.is_empty()) {
            return fault(format!("{other} has the identifier of its request"));
        }
        if let Some(members) = self.resource.as_object_mut() {
            members.insert("id".to_owned(), Value::from(other.id.as_str()));
        }
        self.text = respell(&self.resource, &self.text).into();
        self.id = other.id;
        Ok(self)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion {
    /// The resource to delete.
    pub reference: Reference,
    /// The time of the deletion, as written in the source.
    pub at: Option<String>,
}

/// A parsed entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Parsed<'a> {
    /// A resource to store.
    Resource(ParsedResource<'a>),
    /// A resource to delete.
    Deletion(Deletion),
}

/// The reasons for rejecting a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
    /// The type is not supported. The value is `resourceType`.
    NotServed(String),
    /// The id of a resource of this type is not a valid FHIR id.
    IllegalId(ResourceType),
    /// The resource is malformed. The text is the reason.
    Fault(String),
}

/// Returns the fault of a resource whose id is not a valid FHIR id.
pub fn illegal_id(resource_type: ResourceType) -> String {
    format!("{resource_type} with an id that is none: 1 to 64 of A-Z a-z 0-9 - .")
}

/// A Bundle with one entry.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SingleEntryBundle<'a> {
    resource_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    timestamp: Option<&'a str>,
    entry: [WrittenEntry<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WrittenEntry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    full_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<WrittenRequest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct WrittenRequest {
    method: &'static str,
    url: String,
}

impl Parsed<'_> {
    /// Writes a document with only this entry, as one line without a line end. Its meaning is the same.
    pub fn to_line(&self) -> String {
        let bundle = |timestamp, full_url, request, resource| {
            let entry = [WrittenEntry { full_url, request, resource }];
            json(&SingleEntryBundle { resource_type: "Bundle", timestamp, entry })
        };
        match self {
            Self::Resource(ParsedResource { resource_type, id, text, base, is_entry, condition, .. }) => {
                let text = on_one_line(text);
                if !is_entry {
                    return text.into_owned();
                }
                let full_url = base.as_ref().map(|base| format!("{base}/{resource_type}/{id}"));
                let request = condition.as_ref().map(Condition::request);
                let request = request.map(|(method, url)| WrittenRequest { method, url });
                match serde_json::from_str(&text) {
                    Ok(resource) => bundle(None, full_url, request, Some(resource)),
                    Err(_) => text.into_owned(),
                }
            }
            Self::Deletion(Deletion { reference, at }) => {
                let request = WrittenRequest { method: "DELETE", url: reference.to_string() };
                bundle(at.as_deref(), None, Some(request), None)
            }
        }
    }
}

/// Returns the byte offset and the path of an entry or a fault ([`DocumentEntry`]), and the parsed entry.
pub fn take<'a>(entry: Result<DocumentEntry<'a>, Fault>) -> (usize, Vec<usize>, Result<Parsed<'a>, Rejection>) {
    match entry {
        Ok(entry) => (entry.at, entry.path.clone(), entry.take()),
        Err(Fault { at, path, reason }) => (at, path, Err(Rejection::Fault(reason))),
    }
}

impl<'a> DocumentEntry<'a> {
    /// Parses the resource of the entry, or the address of the resource that it deletes.
    ///
    /// # Errors
    /// If the type is not supported, or if the resource or the address is malformed or too large.
    pub fn take(self) -> Result<Parsed<'a>, Rejection> {
        let Self { text, content, path, .. } = self;
        match content {
            Content::Deletion { reference, at } => {
                Ok(Parsed::Deletion(Deletion { reference: reference?, at: at.map(Cow::into_owned) }))
            }
            Content::Resource { reference, condition, full_url, modified, names, intake } => {
                let reference = reference?;
                let base = full_url.as_deref().and_then(base_of);
                let mut parsed = resource(text, reference, base, &names, intake)?;
                if let Some(modified) = modified.filter(|_| intake == Intake::Store) {
                    parsed.date(&modified);
                }
                if let Some(Condition { name, .. }) = &condition
                    && !catalogue::names(parsed.resource_type, &parsed.resource).contains(name)
                {
                    let why = format!("{}: it lacks the identifier of its request", parsed.reference());
                    return Err(Rejection::Fault(why));
                }
                Ok(Parsed::Resource(ParsedResource { is_entry: !path.is_empty(), condition, ..parsed }))
            }
        }
    }
}

/// Parses a resource, and resolves its references to other entries of its Bundle.
fn resource<'a>(
    text: &'a str,
    reference: Reference,
    base: Option<&str>,
    names: &BundleNames,
    intake: Intake,
) -> Result<ParsedResource<'a>, Rejection> {
    let fault = |why: &str| Rejection::Fault(format!("{reference}: {why}"));
    // The length without white space counts. It is checked before the text is processed.
    if text.len() > MAX_BODY && intake == Intake::Store {
        let text = compact(text);
        if text.len() > MAX_BODY {
            return Err(fault(&too_long(&text)));
        }
    }
    let unread = |why: String| Rejection::Fault(format!("{reference} cannot be read: {why}"));
    let mut resource = value::read(text).map_err(unread)?;
    if let Some(why) = refusal(&mut resource, text) {
        return Err(fault(&why));
    }
    let resolved = names.resolve(reference.resource_type, &mut resource, base);
    let mut is_changed =
        resolved.map_err(|to| fault(&format!("it refers to {to}, an entry of its Bundle that is a fault")))?;
    let Reference { resource_type, id } = reference;
    if let Some(members) = resource.as_object_mut()
        && !members.contains_key("id")
    {
        members.insert("id".to_owned(), Value::from(id.as_str()));
        is_changed = true;
    }
    let text = if is_changed { Cow::Owned(respell(&resource, text)) } else { Cow::Borrowed(text) };
    let base = base.map(str::to_owned);
    Ok(ParsedResource { resource_type, id, resource, text, base, is_entry: false, condition: None })
}

/// Returns the resource that a request deletes (<https://hl7.org/fhir/R4/http.html#transaction>). A request in a
/// history has been carried out. Some servers name the deleted version there.
fn deletion(request: &Request, is_in_history: bool) -> Result<Reference, Rejection> {
    let url = request.url();
    let named = base_of(url).and_then(|base| url.strip_prefix(base)?.strip_prefix('/')).unwrap_or(url);
    let named = if is_in_history { Reference::unversioned(named) } else { named };
    if let Some(member) = request.version_condition().filter(|_| !is_in_history) {
        return Err(Rejection::Fault(format!("it deletes {url:?} under the condition {member}, and is not done")));
    }
    if let Some(reference) = Reference::parse(named).filter(|reference| reference.to_string() == named) {
        return Ok(reference);
    }
    let (resource_type, id) = named.split_once('/').unwrap_or_default();
    Err(if Id::parse(id).is_some() && ResourceType::parse(resource_type).is_none() {
        Rejection::NotServed(resource_type.to_owned())
    } else {
        Rejection::Fault(format!("it deletes {url:?}, which is not of the form Type/id"))
    })
}

/// Returns a JSON document without line ends. They only occur between tokens, since JSON strings contain none.
pub fn on_one_line(document: &str) -> Cow<'_, str> {
    if document.contains(['\n', '\r']) { document.replace(['\n', '\r'], " ").into() } else { document.into() }
}

/// A part of a document that is not a resource: the document or an entry of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The byte offset in the document.
    pub at: usize,
    /// See [`DocumentEntry::path`].
    pub path: Vec<usize>,
    /// A description of the fault for people.
    pub reason: String,
}

/// The members that identify a resource.
struct Head<'a> {
    resource_type: Cow<'a, str>,
    id: Option<&'a str>,
}

/// The maximum depth of nested Bundles.
const MAX_DEPTH: usize = 20;

/// The most faults of one document. A Bundle may have more faulty entries than memory has room for.
const MAX_FAULTS: usize = 1_000;

/// The most entries of a Bundle. A larger set must be sent as NDJSON, which is read line by line.
const MAX_ENTRIES: usize = 100_000;

/// Returns the resources of a JSON document, and a fault for each entry that should contain a resource but does not. A
/// faulty entry does not affect the others.
pub fn entries(document: &str, intake: Intake) -> Vec<Result<DocumentEntry<'_>, Fault>> {
    let mut collector = Collector {
        document,
        intake,
        timestamp: None,
        names: Rc::default(),
        path: Vec::new(),
        found: Vec::new(),
        faults: 0,
    };
    match head(document) {
        Ok(head) if head.resource_type == BUNDLE => collector.collect_bundle(document),
        Ok(head) => collector.collect_resource(EntryResource {
            text: document,
            reference: head.reference(|_| None),
            condition: None,
            full_url: None,
            modified: None,
        }),
        Err((reason, error)) => collector.fault(document, reason, error.as_ref()),
    }
    collector.found
}

/// The type of a document with entries. Only the entries of a Bundle are resources; in other resources, a member
/// `entry` may have any meaning.
const BUNDLE: &str = "Bundle";

/// The type of the notes that servers add to the entries of a Bundle.
const OUTCOME: &str = "OperationOutcome";

/// The types that are never stored, each with the reason.
const NO_RECORDS: [(ResourceType, &str); 2] = [
    (ResourceType::OperationOutcome, "it is the outcome of a request, and no record"),
    (ResourceType::Parameters, "they are the input or output of an operation, and no record"),
];

/// Reads the members that identify a resource.
fn head(text: &str) -> Result<Head<'_>, (&'static str, Option<serde_json::Error>)> {
    if let Some(other) = other_than_object(text) {
        return Err((other, None));
    }
    let members = Elements::of(text).map_err(|error| ("it is not JSON", Some(error)))?;
    let twice = |_| ("resourceType or id comes twice", None);
    let (resource_type, id) = (members.only("resourceType").map_err(twice)?, members.only("id").map_err(twice)?);
    let resource_type = text_in(resource_type.ok_or(("it has no resourceType", None))?);
    Ok(Head { resource_type: resource_type.ok_or(("its resourceType is not a string", None))?, id })
}

impl Head<'_> {
    /// Returns the type of the resource, if its records are accepted.
    fn served(&self) -> Result<ResourceType, Rejection> {
        let name = &*self.resource_type;
        let Some(resource_type) = ResourceType::parse(name) else {
            return Err(Rejection::NotServed(name.to_owned()));
        };
        match NO_RECORDS.iter().find(|(no_record, _)| *no_record == resource_type) {
            Some((_, why)) => Err(Rejection::Fault(format!("{name}: {why}"))),
            None => Ok(resource_type),
        }
    }

    /// Returns the id that the resource states. `Some(None)` if it is not a valid FHIR id.
    fn stated(&self) -> Option<Option<Id>> {
        self.id.map(|stated| text_in(stated).and_then(|id| Id::parse(&id)))
    }

    fn reference(&self, other: impl FnOnce(ResourceType) -> Option<Id>) -> Result<Reference, Rejection> {
        let resource_type = self.served()?;
        let id = match self.stated() {
            Some(stated) => stated.ok_or(Rejection::IllegalId(resource_type))?,
            None => other(resource_type).ok_or_else(|| Rejection::Fault(format!("{resource_type} without an id")))?,
        };
        Ok(Reference { resource_type, id })
    }
}

/// Returns the id at the end of the `fullUrl` of an entry.
fn id_in(resource_type: ResourceType, full_url: &str) -> Option<Id> {
    let urn = ["urn:uuid:", "urn:oid:"].into_iter().find_map(|scheme| full_url.strip_prefix(scheme));
    let of_type = || full_url.strip_prefix(base_of(full_url)?)?.strip_prefix('/')?.strip_prefix(resource_type.name());
    Id::parse(urn.or_else(|| of_type()?.strip_prefix('/'))?)
}

/// Returns an id derived from a text, so that the same text always has the same id.
fn id_of(text: &[u8]) -> Option<Id> {
    Id::parse(&digest_text::<OF_THING>(text))
}

struct Collector<'a> {
    document: &'a str,
    intake: Intake,
    /// `Bundle.timestamp` of the innermost Bundle.
    timestamp: Option<Cow<'a, str>>,
    names: Rc<BundleNames>,
    path: Vec<usize>,
    found: Vec<Result<DocumentEntry<'a>, Fault>>,
    faults: usize,
}

/// The resource of an entry, with the names that it and its request give it.
struct EntryResource<'a> {
    text: &'a str,
    reference: Result<Reference, Rejection>,
    condition: Option<Condition>,
    full_url: Option<Cow<'a, str>>,
    modified: Option<Cow<'a, str>>,
}

/// An entry of a Bundle whose members have been read.
enum ReadEntry<'a> {
    Resource(EntryResource<'a>),
    Bundle(&'a str),
    Deletion {
        reference: Result<Reference, Rejection>,
        at: Option<Cow<'a, str>>,
        text: &'a str,
    },
    /// A request without a resource, a response, or a note about a search.
    Nothing,
    Faulty {
        text: &'a str,
        reason: Cow<'static, str>,
        error: Option<serde_json::Error>,
    },
}

impl<'a> Collector<'a> {
    fn at(&self, text: &str) -> usize {
        (text.as_ptr() as usize).saturating_sub(self.document.as_ptr() as usize)
    }

    fn fault(&mut self, text: &str, reason: &str, error: Option<&serde_json::Error>) {
        self.faults += 1;
        let reason = match (self.faults.cmp(&MAX_FAULTS), error) {
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

    fn collect_resource(&mut self, entry: EntryResource<'a>) {
        let EntryResource { text, reference, condition, full_url, modified } = entry;
        let (names, intake) = (Rc::clone(&self.names), self.intake);
        let content = Content::Resource { reference, condition, full_url, modified, names, intake };
        self.found.push(Ok(DocumentEntry { text, at: self.at(text), path: self.path.clone(), content }));
    }

    fn collect_bundle(&mut self, text: &'a str) {
        if self.path.len() == MAX_DEPTH {
            return self.fault(text, "it is a Bundle in too many Bundles", None);
        }
        let bundle = match Elements::of(text) {
            Ok(bundle) => bundle,
            Err(error) => return self.fault(text, "it is not a Bundle", Some(&error)),
        };
        let (Ok(timestamp), Ok(listed)) = (bundle.only("timestamp"), bundle.only("entry")) else {
            return self.fault(text, "Bundle.timestamp or Bundle.entry comes twice", None);
        };
        let Some(listed) = listed else { return };
        let entries = match list_in(listed) {
            Ok(entries) => entries,
            Err(error) => return self.fault(listed, "Bundle.entry is not a list of entries", Some(&error)),
        };
        let outer_time = std::mem::replace(&mut self.timestamp, timestamp.and_then(text_in));
        let mut names = BundleNames::inside(Rc::clone(&self.names));
        let is_history = bundle.get("type").and_then(text_in).as_deref() == Some("history");
        let mut read: Vec<_> =
            entries.into_iter().map(|entry| self.read(entry.get(), is_history, &mut names)).collect();
        if is_history {
            leave_out_old_versions(&mut read);
        }
        let outer_names = std::mem::replace(&mut self.names, Rc::new(names));
        for (index, entry) in read.into_iter().enumerate() {
            self.path.push(index);
            self.collect(entry);
            self.path.pop();
        }
        (self.timestamp, self.names) = (outer_time, outer_names);
    }

    fn collect(&mut self, entry: ReadEntry<'a>) {
        match entry {
            ReadEntry::Resource(resource) => self.collect_resource(resource),
            ReadEntry::Bundle(text) => self.collect_bundle(text),
            ReadEntry::Deletion { reference, at, text } => {
                let content = Content::Deletion { reference, at: at.or_else(|| self.timestamp.clone()) };
                self.found.push(Ok(DocumentEntry { text, at: self.at(text), path: self.path.clone(), content }));
            }
            ReadEntry::Nothing => {}
            ReadEntry::Faulty { text, reason, error } => self.fault(text, &reason, error.as_ref()),
        }
    }

    fn read(&self, text: &'a str, is_in_history: bool, names: &mut BundleNames) -> ReadEntry<'a> {
        let faulty = |text, reason: &'static str| ReadEntry::Faulty { text, reason: reason.into(), error: None };
        if other_than_object(text).is_some() {
            return faulty(text, "it is not an object, and no entry");
        }
        let Ok(members) = Elements::of(text) else { return faulty(text, "it is no entry") };
        let [full_url, resource, request, response] =
            ["fullUrl", "resource", "request", "response"].map(|name| members.only(name));
        let (Ok(full_url), Ok(resource), Ok(request), Ok(response)) = (full_url, resource, request, response) else {
            return faulty(text, "a member of it comes twice");
        };
        let Some(full_url) = full_url.map_or(Some(None), |url| text_in(url).map(Some)) else {
            return faulty(text, "its fullUrl is not a string");
        };
        let read = match request.map(Request::read) {
            Some(Err(reason)) if self.intake == Intake::Store => {
                return ReadEntry::Faulty { text, reason: reason.into(), error: None };
            }
            read => read.and_then(Result::ok),
        };
        let method = read.as_ref().map(Request::method);
        let answered = response.and_then(|response| Elements::of(response).ok());
        let modified = answered.and_then(|response| text_in(response.get("lastModified")?));
        match (resource, request.zip(read.as_ref()), method) {
            (Some(_), _, Some(Method::Delete)) => faulty(text, "it deletes a resource, and has one"),
            (_, _, Some(Method::Patch)) => faulty(text, "it changes a part of a resource (PATCH), and is not done"),
            (Some(resource), ..) => self.read_resource(resource, (full_url, modified), read.as_ref(), names),
            (None, Some((text, request)), Some(Method::Delete)) => {
                ReadEntry::Deletion { reference: deletion(request, is_in_history), at: modified, text }
            }
            (None, _, Some(Method::Unknown)) if self.intake == Intake::Store => {
                faulty(text, "its request has a method that FHIR does not know")
            }
            (None, _, Some(Method::Write { is_said: true, .. }))
                if self.intake == Intake::Store && response.is_none() =>
            {
                faulty(text, "its request stores a resource, and there is none")
            }
            (None, ..) => ReadEntry::Nothing,
        }
    }

    /// Reads the resource of an entry. A resource without an id gets the one in the address of its request, or one
    /// derived from the condition there, or that of its `fullUrl`, or one derived from its text.
    fn read_resource(
        &self,
        text: &'a str,
        (full_url, modified): (Option<Cow<'a, str>>, Option<Cow<'a, str>>),
        request: Option<&Request>,
        names: &mut BundleNames,
    ) -> ReadEntry<'a> {
        let head = match head(text) {
            Ok(head) if head.resource_type == BUNDLE => return ReadEntry::Bundle(text),
            Ok(head) if head.resource_type == OUTCOME => return ReadEntry::Nothing,
            Ok(head) => head,
            Err((reason, error)) => return ReadEntry::Faulty { text, reason: reason.into(), error },
        };
        let stated = head.stated().flatten();
        let record = request.zip(head.served().ok()).map(|(request, served)| request.record(served, stated.as_ref()));
        let (id, mut condition, mut failure) = match record.unwrap_or_else(|| Ok(RequestedRecord::default())) {
            Ok(RequestedRecord { id, condition }) => (id, condition, None),
            Err(RequestError::Certain(id, why)) => (id, None, Some(why)),
            Err(RequestError::Doubtful(why)) if self.intake == Intake::Store => {
                let addressed = request.and_then(Request::addressed);
                let own = stated.zip(head.served().ok()).map(|(id, resource_type)| Reference { resource_type, id });
                addressed.iter().chain(&own).for_each(|name| names.refuse(&name.to_string()));
                let absolute = request.and_then(Request::absolute);
                full_url.as_deref().into_iter().chain(absolute).for_each(|name| names.refuse(name));
                let reference = Err(Rejection::Fault(format!("{}: {why}", head.resource_type)));
                return ReadEntry::Resource(EntryResource { text, reference, condition: None, full_url, modified });
            }
            Err(RequestError::IllegalId) if self.intake == Intake::Store => {
                let reference = head.served().and_then(|resource_type| Err(Rejection::IllegalId(resource_type)));
                return ReadEntry::Resource(EntryResource { text, reference, condition: None, full_url, modified });
            }
            Err(RequestError::Doubtful(_) | RequestError::IllegalId) => (None, None, None),
        };
        if self.intake == Intake::Viewer {
            (condition, failure) = (None, None);
        }
        let of_condition = || id_of(condition.as_ref()?.name.as_bytes());
        let reference = head.reference(|resource_type| {
            let of_address = || id_in(resource_type, full_url.as_deref().unwrap_or_default());
            id.or_else(of_condition).or_else(of_address).or_else(|| id_of(compact(text).as_bytes()))
        });
        let absolute = request.and_then(Request::absolute);
        if let Ok(reference) = &reference {
            let own = reference.to_string();
            let target = condition.as_ref().map_or(&own, |condition| &condition.name);
            full_url.as_deref().into_iter().chain(absolute).for_each(|name| names.add(name, target));
            if condition.is_some() {
                names.add(&own, target);
            }
        }
        let reference = match failure {
            Some(why) => reference.and_then(|reference| Err(Rejection::Fault(format!("{reference}: {why}")))),
            None => reference,
        };
        let full_url = full_url.filter(|url| base_of(url).is_some());
        let full_url = full_url.or_else(|| absolute.map(|url| url.to_owned().into()));
        ReadEntry::Resource(EntryResource { text, reference, condition, full_url, modified })
    }
}

/// Leaves out the versions without a time that follow another version of their record. The versions of a history are
/// sorted with the oldest one last (<https://hl7.org/fhir/R4/http.html#history>).
fn leave_out_old_versions(entries: &mut [ReadEntry]) {
    let mut seen = BTreeSet::new();
    for entry in entries {
        let version = match entry {
            ReadEntry::Resource(EntryResource { text, reference, modified, .. }) => {
                reference.clone().ok().map(|record| (record, modified.is_some() || states_time(text)))
            }
            ReadEntry::Deletion { reference, at, .. } => reference.clone().ok().map(|record| (record, at.is_some())),
            ReadEntry::Bundle(_) | ReadEntry::Nothing | ReadEntry::Faulty { .. } => None,
        };
        if version.is_some_and(|(record, is_dated)| !seen.insert(record) && !is_dated) {
            *entry = ReadEntry::Nothing;
        }
    }
}

/// Returns true if a resource has `meta.lastUpdated`.
fn states_time(resource: &str) -> bool {
    let meta = Elements::of(resource).ok().and_then(|resource| Elements::of(resource.get("meta")?).ok());
    meta.is_some_and(|meta| meta.get("lastUpdated").is_some())
}

/// Returns the items of a list, whose number is limited.
fn list_in(text: &str) -> Result<Vec<&RawValue>, serde_json::Error> {
    struct Items;

    impl<'de> serde::de::Visitor<'de> for Items {
        type Value = Vec<&'de RawValue>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(item) = items.next_element()? {
                if all.len() == MAX_ENTRIES {
                    let why = format!("there are more than {MAX_ENTRIES}: send them as NDJSON");
                    return Err(serde::de::Error::custom(why));
                }
                all.push(item);
            }
            Ok(all)
        }
    }

    Deserializer::deserialize_seq(&mut serde_json::Deserializer::from_str(text), Items)
}

fn text_in(json: &str) -> Option<Cow<'_, str>> {
    serde_json::from_str(json).ok()
}

/// Describes a text that is valid JSON but not an object.
fn other_than_object(text: &str) -> Option<&'static str> {
    let other = match text.trim_start().bytes().next()? {
        b'{' => return None,
        b'[' => "it is an array, and no resource",
        b'"' => "it is a string, and no resource",
        b'n' => "it is null, and no resource",
        b't' | b'f' => "it is a boolean, and no resource",
        _ => "it is a number, and no resource",
    };
    serde_json::from_str::<&RawValue>(text).is_ok().then_some(other)
}

/// Returns the line, counted from zero, of a byte offset in a document.
pub fn line_of(document: &str, at: usize) -> usize {
    document.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_bundle_yields_its_entries_and_their_lines() {
        let document = "{\"resourceType\":\"Bundle\",\"entry\":[\n {\"fullUrl\":\"urn:uuid:1\",\"resource\":\n  {\"id\":\"a\",\"resourceType\":\"Patient\"}},\n {\"response\":{}},\n {\"resource\":{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":{\"resourceType\":\"Group\",\"contained\":[{\"resourceType\":\"Patient\",\"id\":\"x\"}]}}]}}]}";
        let found: Vec<_> = entries(document, Intake::Store).into_iter().map(Result::unwrap).collect();
        let shape: Vec<_> = found.iter().map(|entry| (line_of(document, entry.at), entry_path(&entry.path))).collect();
        assert_eq!(shape, [(2, "Bundle.entry[0]".to_owned()), (4, "Bundle.entry[2].resource.entry[0]".to_owned())]);
        assert!(found[1].text.starts_with("{\"resourceType\":\"Group\""));
    }

    #[test]
    fn an_entry_of_a_history_has_the_time_of_its_response() {
        let date = |meta: Value| {
            let response = json!({"status": "200", "lastModified": "2024-02-01T00:00:00Z"});
            let resource = json!({"resourceType": "Patient", "id": "a", "meta": meta});
            let entry = json!({"resource": resource, "response": response});
            let bundle = json!({"resourceType": "Bundle", "type": "history", "entry": [entry]}).to_string();
            let Parsed::Resource(parsed) = entries(&bundle, Intake::Store).pop().unwrap().unwrap().take().unwrap()
            else {
                panic!("{bundle}")
            };
            let stated = parsed.resource["meta"]["lastUpdated"].clone();
            assert!(parsed.text.contains(stated.as_str().unwrap()), "{}", parsed.text);
            stated
        };
        assert_eq!(date(json!({"versionId": "1"})), "2024-02-01T00:00:00Z");
        assert_eq!(date(json!({"lastUpdated": "2024-01-01T00:00:00Z"})), "2024-01-01T00:00:00Z");
    }

    #[test]
    fn an_undated_version_of_a_history_is_older_than_those_before_it() {
        let version = |family: &str, meta: Value| json!({"resource": {"resourceType": "Patient", "id": "a", "meta": meta, "name": [{"family": family}]}});
        let url = "Patient/a/_history/2";
        let deletion =
            json!({"request": {"method": "DELETE", "url": url, "ifMatch": "1"}, "response": {"status": "204"}});
        let dated = json!({"lastUpdated": "2024-03-01T00:00:00Z"});
        for (versions, expected) in [
            (vec![version("New", dated.clone()), deletion.clone(), version("Old", json!({}))], 1),
            (vec![deletion.clone(), version("Old", json!({}))], 1),
            (vec![version("New", json!({})), version("Old", dated)], 2),
        ] {
            let bundle = json!({"resourceType": "Bundle", "type": "history", "entry": versions}).to_string();
            let found = entries(&bundle, Intake::Store);
            assert_eq!(found.len(), expected, "{bundle}");
            assert_eq!(found[0].as_ref().unwrap().path, [0]);
        }
    }

    #[test]
    fn an_entry_may_be_a_request_that_deletes() {
        let request = |request: &str| format!("{{\"resourceType\":\"Bundle\",\"entry\":[{{\"request\":{request}}}]}}");
        let deletes = |url: &str| {
            let document = request(&format!("{{\"method\":\"DELETE\",\"url\":\"{url}\"}}"));
            let entry = entries(&document, Intake::Store).pop().unwrap().unwrap();
            assert!(entry.text.contains(url));
            entry.take().map(|parsed| match parsed {
                Parsed::Deletion(deletion) => deletion,
                Parsed::Resource(_) => panic!("{url}"),
            })
        };
        let deletion = Deletion { reference: Reference::parse("Patient/a").unwrap(), at: None };
        assert_eq!(deletes("Patient/a"), Ok(deletion.clone()));
        assert_eq!(deletes("https://there.example/fhir/Patient/a"), Ok(deletion));
        assert_eq!(deletes("Foo/a"), Err(Rejection::NotServed("Foo".to_owned())));
        for url in ["", "Patient", "Patient/", "Patient/a/_history/1", "Patient?identifier=x", "/Patient/a"] {
            let Err(Rejection::Fault(reason)) = deletes(url) else { panic!("{url}") };
            assert_eq!(reason, format!("it deletes {url:?}, which is not of the form Type/id"));
        }
        for other in ["{\"method\":\"GET\",\"url\":\"Patient/a\"}", "{}", "{\"url\":\"Patient/a\"}"] {
            assert_eq!(entries(&request(other), Intake::Store), [], "{other}");
        }
        for other in
            ["[7]", "7", "{\"method\":7}", "{\"method\":\"X\"}", "{\"method\":\"put\"}", "{\"method\":\"POST\"}"]
        {
            assert_eq!(entries(&request(other), Intake::Viewer), [], "{other}");
            assert_eq!(faults(&request(other)).len(), 1, "{other}");
        }
        let conditional = request("{\"method\":\"delete\",\"url\":\"Patient/a\",\"ifMatch\":\"W/1\"}");
        let refused = entries(&conditional, Intake::Store).pop().unwrap().unwrap().take();
        assert!(matches!(refused, Err(Rejection::Fault(why)) if why.contains("ifMatch")));
    }

    #[test]
    fn what_is_no_record_is_refused_with_the_reason() {
        for (resource, why) in [
            (json!({"resourceType": "Parameters", "id": "p"}), "Parameters: they are the input"),
            (json!({"resourceType": "OperationOutcome", "issue": []}), "OperationOutcome: it is the outcome"),
        ] {
            assert!(parsed(&resource)[0].as_ref().is_err_and(|found| found.starts_with(why)), "{resource}");
        }
        let entry = |name| json!({"resource": {"resourceType": name, "id": "x"}});
        let found = parsed(&bundle(&["OperationOutcome", "Parameters", "Task"].map(entry)));
        assert!(found.len() == 2 && found[0].is_err() && found[1].is_ok(), "{found:?}");
    }

    fn faults(document: &str) -> Vec<(usize, String, String)> {
        let faults = entries(document, Intake::Store).into_iter().filter_map(Result::err);
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
            ("{\"resourceType\":7}", "its resourceType is not a string"),
            ("{\"resourceType\":\"Patient\",\"id\":\"a\",\"id\":\"b\"}", "resourceType or id comes twice"),
            ("{\"resourceType\":\"Bundle\",\"entry\":7}", "Bundle.entry is not a list of entries"),
            ("{\"resourceType\":\"Bundle\",\"entry\":[],\"entry\":[]}", "Bundle.timestamp or Bundle.entry comes twice"),
        ] {
            let faults = faults(bad);
            assert!(faults.len() == 1 && faults[0].2.starts_with(reason), "{bad}: {faults:?}");
        }
    }

    #[test]
    fn the_depth_of_nested_bundles_is_limited() {
        let (open, close) = ("{\"resourceType\":\"Bundle\",\"entry\":[{\"resource\":", "}]}");
        let nested = |depth: usize| format!("{}{{}}{}", open.repeat(depth), close.repeat(depth));
        assert!(faults(&nested(MAX_DEPTH))[0].2.contains("no resourceType"));
        assert!(faults(&nested(10_000))[0].2.contains("too many Bundles"));
    }

    /// Returns the parsed resources of a document, and the reasons for rejected ones.
    fn parsed(document: &Value) -> Vec<Result<Value, String>> {
        let text = document.to_string();
        let parsed = entries(&text, Intake::Store).into_iter().map(|entry| match entry.unwrap().take() {
            Ok(Parsed::Resource(parsed)) => {
                assert_eq!(parsed.text.parse::<Value>().unwrap(), parsed.resource);
                Ok(parsed.resource)
            }
            Err(Rejection::Fault(why)) => Err(why),
            Err(Rejection::IllegalId(resource_type)) => Err(illegal_id(resource_type)),
            other => panic!("{other:?}"),
        });
        parsed.collect()
    }

    fn bundle(entries: &[Value]) -> Value {
        json!({"resourceType": "Bundle", "entry": entries})
    }

    #[test]
    fn an_entry_without_an_id_has_that_of_its_address_or_one_that_follows_from_its_text() {
        let condition = json!({"resourceType": "Condition", "code": {"text": "x"}});
        let id = |url: Option<&str>| {
            let entry = match url {
                Some(url) => json!({"fullUrl": url, "resource": condition}),
                None => json!({"request": {"method": "POST", "url": "Condition"}, "resource": condition}),
            };
            parsed(&bundle(&[entry]))[0].clone().map(|resource| resource["id"].as_str().unwrap().to_owned())
        };
        assert_eq!(id(Some("urn:uuid:1f0c7b1e")).as_deref(), Ok("1f0c7b1e"));
        assert_eq!(id(Some("urn:oid:1.2.3.4")).as_deref(), Ok("1.2.3.4"));
        assert_eq!(id(Some("https://a/fhir/Condition/c7")).as_deref(), Ok("c7"));
        let of_text = id(None).unwrap();
        assert_eq!(of_text.len(), 32);
        assert_eq!(id(None).as_deref(), Ok(&*of_text));
        for other in ["https://a/fhir/Patient/c7", "urn:uuid:no_id", "x"] {
            assert_eq!(id(Some(other)).as_deref(), Ok(&*of_text), "{other}");
        }
        assert_eq!(parsed(&condition), [Err("Condition without an id".to_owned())]);
        let illegal = json!({"resourceType": "Condition", "id": "no id"});
        assert!(parsed(&bundle(&[json!({"resource": illegal})]))[0].is_err());
    }

    #[test]
    fn a_full_url_is_known_in_its_bundle_and_in_no_other() {
        let patient = json!({"fullUrl": "urn:uuid:x", "resource": {"resourceType": "Patient", "id": "a"}});
        let condition =
            json!({"resource": {"resourceType": "Condition", "id": "c", "subject": {"reference": "urn:uuid:x"}}});
        let subject = |parsed: Vec<Result<Value, String>>| {
            parsed.last().unwrap().clone().unwrap()["subject"]["reference"].as_str().unwrap().to_owned()
        };
        assert_eq!(subject(parsed(&bundle(&[patient.clone(), condition.clone()]))), "Patient/a");
        assert_eq!(
            subject(parsed(&bundle(&[condition.clone(), patient.clone()])).into_iter().rev().collect()),
            "Patient/a"
        );
        let two = bundle(&[
            json!({"resource": bundle(std::slice::from_ref(&patient))}),
            json!({"resource": bundle(std::slice::from_ref(&condition))}),
        ]);
        assert_eq!(subject(parsed(&two)), "urn:uuid:x");
        let broken = json!({"fullUrl": "urn:uuid:x", "resource": {"resourceType": "Patient", "id": "no id"}});
        assert_eq!(subject(parsed(&bundle(&[broken, condition]))), "urn:uuid:x");
    }

    #[test]
    fn a_request_names_its_record_and_what_it_does_not_do_is_a_fault_for_a_store_alone() {
        for (request, resource, of_store, of_viewer) in [
            (json!({"method": "PUT", "url": "Patient/a"}), json!({}), Ok("a"), "a"),
            (json!({"url": "https://e/Patient/a/_history/1"}), json!({}), Ok("a"), "a"),
            (json!({"method": "POST", "url": "Patient"}), json!({}), Ok("x"), "x"),
            (json!({"method": "PUT", "url": "Patient/a"}), json!({"id": "b"}), Err("its resource is b"), "b"),
            (json!({"method": "PUT", "url": "Group/a"}), json!({}), Err("of type Patient"), "x"),
            (json!({"method": "PUT", "url": "Patient?identifier=s|1"}), json!({}), Err("lacks the identifier"), "x"),
            (json!({"method": "PUT", "url": "Patient?name=x"}), json!({"id": "b"}), Err("a condition"), "b"),
            (json!({"method": "GET", "url": "Patient/a"}), json!({}), Err("stores nothing"), "a"),
            (json!({"method": "PUT", "url": "Patient/a", "ifMatch": "W/1"}), json!({}), Err("ifMatch"), "a"),
            (json!({"method": "PUT", "url": "Patient/a_b"}), json!({}), Err("an id that is none"), "x"),
            (json!({"method": "PUT", "url": 7}), json!({}), Err("cannot be read"), "x"),
        ] {
            let mut patient = json!({"resourceType": "Patient"});
            patient.as_object_mut().unwrap().extend(resource.as_object().unwrap().clone());
            let entry = json!({"fullUrl": "urn:uuid:x", "request": request, "resource": patient});
            let text = bundle(&[entry]).to_string();
            let taken = |intake| match entries(&text, intake).pop().unwrap().map(DocumentEntry::take) {
                Ok(Ok(Parsed::Resource(parsed))) => Ok(parsed.id.to_string()),
                Ok(Err(Rejection::Fault(why))) | Err(Fault { reason: why, .. }) => Err(why),
                Ok(Err(Rejection::IllegalId(resource_type))) => Err(illegal_id(resource_type)),
                other => panic!("{other:?}"),
            };
            match (taken(Intake::Store), of_store) {
                (Ok(id), Ok(expected)) => assert_eq!(id, expected, "{request}"),
                (Err(why), Err(expected)) => assert!(why.contains(expected), "{request}: {why}"),
                other => panic!("{request}: {other:?}"),
            }
            assert_eq!(taken(Intake::Viewer).as_deref(), Ok(of_viewer), "{request}");
        }
    }

    #[test]
    fn what_could_not_be_kept_as_it_is_is_refused() {
        let resource = |text: &str| entries(text, Intake::Store).pop().unwrap().unwrap().take().unwrap_err();
        let fault = |text: &str| match resource(text) {
            Rejection::Fault(why) => why,
            other @ (Rejection::NotServed(_) | Rejection::IllegalId(_)) => panic!("{other:?}"),
        };
        let twice = r#"{"resourceType":"Condition","id":"c","subject":{"reference":"Patient/a"},"subject":{"reference":"Patient/b"}}"#;
        assert!(fault(twice).starts_with("Condition/c cannot be read: the member \"subject\" comes twice"));
        let long = format!(r#"{{"resourceType":"Patient","id":"p","x":"{}"}}"#, "x".repeat(MAX_BODY));
        assert!(fault(&long).ends_with("without its documents; there may be 1998000"));
        let scan = format!(r#"{{"resourceType":"Binary","id":"b","data":"{}"}}"#, "_".repeat(MAX_BODY));
        assert!(fault(&scan).contains("1998000 of them in a value of \"data\" that is not base64"));
        assert!(entries(&scan, Intake::Viewer).pop().unwrap().unwrap().take().is_ok());
        let spaced = format!(r#"{{"resourceType":"Patient","id":"p"{}}}"#, " ".repeat(MAX_BODY));
        assert!(entries(&spaced, Intake::Store).pop().unwrap().unwrap().take().is_ok());
        let patch = json!({"request": {"method": "PATCH", "url": "Patient/a"}, "resource": {"resourceType": "Binary"}});
        assert!(faults(&bundle(&[patch]).to_string())[0].2.contains("PATCH"));
        let many = format!(r#"{{"resourceType":"Bundle","entry":[{}0]}}"#, "0,".repeat(MAX_ENTRIES));
        assert!(faults(&many)[0].2.contains("there are more than 100000: send them as NDJSON"));
    }

    #[test]
    fn a_line_of_an_entry_means_the_same() {
        let document = json!({"resourceType": "Bundle", "timestamp": "2026-01-01T00:00:00Z", "entry": [
            {"fullUrl": "https://a/fhir/Patient/p", "resource": {"resourceType": "Patient", "id": "p"}},
            {"fullUrl": "urn:uuid:c", "resource": {"resourceType": "Condition", "subject": {"reference": "Patient/p"}}},
            {"request": {"method": "PUT", "url": "Device?identifier=http://s%26|1%2B2"},
                "resource": {"resourceType": "Device", "identifier": [{"system": "http://s&", "value": "1+2"}]}},
            {"request": {"method": "POST", "url": "Device", "ifNoneExist": "identifier=s|1"},
                "resource": {"resourceType": "Device", "id": "d", "identifier": [{"system": "s", "value": "1"}]}},
            {"request": {"method": "DELETE", "url": "Patient/q"}},
        ]});
        let text = document.to_string();
        for entry in entries(&text, Intake::Store) {
            let parsed = entry.unwrap().take().unwrap();
            let line = parsed.to_line();
            let again = entries(&line, Intake::Store).pop().unwrap().unwrap().take().unwrap();
            assert_eq!(again, parsed, "{line}");
        }
    }
}
