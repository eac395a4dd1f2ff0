//! `Bundle.entry.request`: the record that an entry means, and whether to write it
//! (<https://hl7.org/fhir/R4/http.html#trules>). Requests that a load does not support are faults of their entries.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::Deserialize;

use super::bundle_names::base_of;
use super::catalogue::{conditional, identifier_in};
use fhir::{Id, Reference, ResourceType};

/// The members of a request that are used.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Request {
    method: Option<String>,
    url: Option<String>,
    if_none_exist: Option<String>,
    if_match: Option<String>,
    if_none_match: Option<String>,
    if_modified_since: Option<String>,
}

/// The action of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Stores the resource of the entry as the record at the address (PUT), or as a record of the address's type
    /// (POST). A request without a method counts as this.
    Write {
        /// True if the address must name the record (PUT).
        is_update: bool,
        /// True if the request has a method.
        is_said: bool,
    },
    /// Deletes a record.
    Delete,
    /// Changes a part of a record.
    Patch,
    /// Reads data.
    Read,
    /// A method that FHIR does not define.
    Unknown,
}

/// The record that a request means.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RequestedRecord {
    /// The id in its address.
    pub id: Option<Id>,
    /// A condition instead of an id, or in addition to it.
    pub condition: Option<Condition>,
}

/// A condition: the resource is that of the single record with an identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The identifier, as the text of a Reference: `Type?identifier=system|value`.
    pub name: String,
    /// True if an existing record is updated, false if it is left unchanged.
    pub is_update: bool,
}

impl Condition {
    /// Returns the method and the address of a request with this condition.
    pub fn request(&self) -> (&'static str, String) {
        let (path, identifier) = self.name.split_once('=').unwrap_or_default();
        let url = format!("{path}={}", utf8_percent_encode(identifier, NON_ALPHANUMERIC));
        (if self.is_update { "PUT" } else { "POST" }, url)
    }
}

/// The reason why a request is not carried out, for people.
#[derive(Debug, PartialEq, Eq)]
pub enum RequestError {
    /// The record is certain: it has this id, or that of the resource.
    Certain(Option<Id>, String),
    /// The request may mean any of several records.
    Doubtful(String),
    /// The id in the address is not a valid FHIR id.
    IllegalId,
}

impl Request {
    /// Parses a request.
    ///
    /// # Errors
    /// If the text is not a request. The reason is for people.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| format!("its request cannot be read: {error}"))
    }

    /// Returns the action. The method may have letters of either case.
    pub fn method(&self) -> Method {
        match self.method.as_deref().unwrap_or_default().to_ascii_uppercase().as_str() {
            "PUT" => Method::Write { is_update: true, is_said: true },
            "POST" => Method::Write { is_update: false, is_said: true },
            "" => Method::Write { is_update: false, is_said: false },
            "DELETE" => Method::Delete,
            "PATCH" => Method::Patch,
            "GET" | "HEAD" => Method::Read,
            _ => Method::Unknown,
        }
    }

    /// Returns the address, as written.
    pub fn url(&self) -> &str {
        self.url.as_deref().unwrap_or_default()
    }

    /// Returns the method and the address, as shown to people.
    pub fn words(&self) -> String {
        let words = format!("{} {}", self.method.as_deref().unwrap_or_default(), self.url());
        words.trim().to_owned()
    }

    /// Returns the member that makes the request depend on the stored version, which loads do not check.
    pub fn version_condition(&self) -> Option<&'static str> {
        let members = [
            ("ifMatch", &self.if_match),
            ("ifNoneMatch", &self.if_none_match),
            ("ifModifiedSince", &self.if_modified_since),
        ];
        members.into_iter().find_map(|(name, value)| value.is_some().then_some(name))
    }

    /// Returns the record that a request to write means. The entry has a resource of this type, with this id if any.
    ///
    /// # Errors
    /// If the request is not supported, or means a record other than that of the resource.
    pub fn record(&self, resource_type: ResourceType, stated: Option<&Id>) -> Result<RequestedRecord, RequestError> {
        let (words, is_update) = (self.words(), matches!(self.method(), Method::Write { is_update: true, .. }));
        let doubtful = |why: &str| Err(RequestError::Doubtful(format!("its request is {words}, {why}")));
        let (path, query) = self.url().split_once('?').map_or((self.url(), None), |(path, query)| (path, Some(query)));
        let Some((named, id)) = record_in(path) else { return doubtful("which is not the address of a record") };
        if named.is_some_and(|named| named != resource_type) {
            return doubtful(&format!("and its resource is of type {resource_type}"));
        }
        let id = match id.map(|id| Id::parse(&id)) {
            Some(None) => return Err(RequestError::IllegalId),
            id => id.flatten(),
        };
        if let (Some(id), Some(stated)) = (&id, stated)
            && id != stated
        {
            return doubtful(&format!("and the id of its resource is {stated}"));
        }
        let query = query.filter(|query| !query.is_empty());
        let condition = match (query, self.if_none_exist.as_deref()) {
            (Some(_), Some(_)) => return doubtful("and it has ifNoneExist too"),
            (Some(_), None) if id.is_some() => return doubtful("an address with both an id and a query"),
            (None, Some(_)) if is_update => return doubtful("and ifNoneExist is for POST"),
            (query, if_none_exist) => query.or(if_none_exist),
        };
        let condition = match condition.map(|condition| identifier_of(resource_type, condition)) {
            Some(None) => {
                return doubtful("with a condition that is not met here: only identifier=system|value is looked at");
            }
            name => name.flatten().map(|name| Condition { name, is_update }),
        };
        let is_known = condition.is_none() && (id.is_some() || stated.is_some());
        let undone = match (self.method(), self.version_condition()) {
            (Method::Write { .. }, None) => None,
            (Method::Write { .. }, Some(member)) => {
                Some(format!("its request has {member}, and versions are not compared here"))
            }
            _ => Some(format!("its request is {words}, which stores nothing")),
        };
        if let Some(why) = undone {
            return Err(if is_known { RequestError::Certain(id, why) } else { RequestError::Doubtful(why) });
        }
        if is_update && !is_known && condition.is_none() {
            return doubtful("which names no record");
        }
        Ok(RequestedRecord { id, condition })
    }

    /// Returns the address of the record, if it is absolute, without a version.
    pub fn absolute(&self) -> Option<&str> {
        base_of(self.url()).map(|_| Reference::unversioned(self.url()))
    }

    /// Returns the record at the address.
    pub fn addressed(&self) -> Option<Reference> {
        let (resource_type, id) = record_in(self.url().split('?').next()?)?;
        Some(Reference { resource_type: resource_type?, id: Id::parse(&id?)? })
    }
}

/// Returns the type and the id in the path of a request, as far as present: `Type`, `Type/id` or
/// `Type/id/_history/version`, after any base. The id is percent-decoded. `None` for any other path.
fn record_in(path: &str) -> Option<(Option<ResourceType>, Option<String>)> {
    let path = Reference::unversioned(path).trim_end_matches('/');
    if path.is_empty() {
        return Some((None, None));
    }
    let (before, last) = path.rsplit_once('/').unwrap_or(("", path));
    let named = before.rsplit('/').next().and_then(ResourceType::parse);
    match (named, ResourceType::parse(last)) {
        // Operations are not records.
        (Some(_), _) if last.starts_with(['$', '_']) => None,
        (Some(named), _) => Some((Some(named), Some(percent_decode_str(last).decode_utf8().ok()?.into_owned()))),
        (None, Some(named)) => Some((Some(named), None)),
        (None, None) => None,
    }
}

/// Returns the condition of a query that consists only of an identifier with its system.
fn identifier_of(resource_type: ResourceType, query: &str) -> Option<String> {
    let query = query.rsplit('?').next()?;
    let is_one = query.starts_with("identifier=") && !query.contains(['&', ',', '\\']);
    let condition = conditional(&format!("{resource_type}?{query}"))?.into_owned();
    let (_, system, value) = identifier_in(&condition)?;
    (is_one && !system.is_empty() && !value.is_empty() && !value.contains('|')).then_some(condition)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(method: &str, url: &str, stated: Option<&str>) -> Result<RequestedRecord, RequestError> {
        let request = Request::read(&json!({"method": method, "url": url}).to_string()).unwrap();
        request.record(ResourceType::Patient, stated.and_then(Id::parse).as_ref())
    }

    #[test]
    fn an_address_says_the_id_in_any_spelling() {
        for url in [
            "Patient/a.1",
            "/Patient/a.1",
            "Patient/a.1/",
            "Patient/a%2E1",
            "Patient/a.1/_history/3",
            "https://ehr.example/fhir/Patient/a.1",
            "http://ehr.example/Patient/a.1/_history/3",
            "fhir/Patient/a.1",
        ] {
            for stated in [None, Some("a.1")] {
                let found = record("PUT", url, stated).unwrap();
                assert_eq!((found.id.unwrap().as_str(), found.condition), ("a.1", None), "{url}");
            }
        }
        for url in ["Patient", "Patient/", "https://ehr.example/fhir/Patient", "Patient?", ""] {
            assert_eq!(record("PUT", url, Some("a")), Ok(RequestedRecord::default()), "{url}");
            assert_eq!(record("POST", url, None), Ok(RequestedRecord::default()), "{url}");
            assert!(
                matches!(record("PUT", url, None), Err(RequestError::Doubtful(why)) if why.contains("no record")),
                "{url}"
            );
        }
        assert_eq!(record("PUT", "Patient/a_1", None), Err(RequestError::IllegalId));
        assert_eq!(record("PUT", &format!("Patient/{}", "x".repeat(65)), None), Err(RequestError::IllegalId));
    }

    #[test]
    fn what_is_not_done_is_told() {
        for (url, stated, why) in [
            ("Patient/a", Some("b"), "the id of its resource is b"),
            ("Observation/a", None, "its resource is of type Patient"),
            ("Observation", Some("a"), "its resource is of type Patient"),
            ("Patient/a?_format=json", Some("a"), "an id and a query"),
            ("Patient?family=x", Some("a"), "only identifier=system|value"),
            ("Patient?identifier=1", None, "only identifier=system|value"),
            ("Patient?identifier=s|1&family=x", None, "only identifier=system|value"),
            ("Patient?identifier=s|1,s|2", None, "only identifier=system|value"),
            ("Patient/$validate", None, "not the address of a record"),
            ("Patient/_search", None, "not the address of a record"),
            ("Patient/a/b", None, "not the address of a record"),
            ("urn:uuid:1", None, "not the address of a record"),
        ] {
            let Err(RequestError::Doubtful(found)) = record("PUT", url, stated) else { panic!("{url}") };
            assert!(found.contains(why), "{url}: {found}");
        }
        for member in ["ifMatch", "ifNoneMatch", "ifModifiedSince"] {
            let text = json!({"method": "PUT", "url": "Patient/a", member: "W/\"1\""}).to_string();
            let found = Request::read(&text).unwrap().record(ResourceType::Patient, None);
            assert!(matches!(found, Err(RequestError::Certain(Some(_), why)) if why.contains(member)), "{member}");
        }
        for method in ["GET", "head", "SOMETHING"] {
            assert!(matches!(record(method, "Patient/a", None), Err(RequestError::Certain(Some(_), _))), "{method}");
            assert!(matches!(record(method, "Patient", None), Err(RequestError::Doubtful(_))), "{method}");
        }
        assert!(record("put", "Patient/a", None).is_ok() && record("", "Patient/a", None).is_ok());
        assert!(Request::read("{\"url\":\"Patient/a\",\"url\":\"Patient/b\"}").is_err());
    }

    #[test]
    fn a_condition_is_one_identifier() {
        for url in ["Patient?identifier=http://s|1%26%2B", "/Patient?identifier=http%3A%2F%2Fs%7C1%26%2B"] {
            let condition = record("PUT", url, None).unwrap().condition.unwrap();
            assert_eq!((condition.name.as_str(), condition.is_update), ("Patient?identifier=http://s|1&+", true));
            let (method, written) = condition.request();
            assert_eq!(record(method, &written, None).unwrap().condition, Some(condition));
        }
        for condition in ["identifier=s|1", "?identifier=s|1", "Patient?identifier=s%7C1"] {
            let of = |method: &str, url: &str| {
                let text = json!({"method": method, "url": url, "ifNoneExist": condition}).to_string();
                Request::read(&text).unwrap().record(ResourceType::Patient, None)
            };
            let condition = of("POST", "Patient").unwrap().condition.unwrap();
            assert_eq!((condition.name.as_str(), condition.is_update), ("Patient?identifier=s|1", false));
            assert!(of("PUT", "Patient/a").is_err() && of("POST", "Patient?identifier=s|1").is_err());
        }
    }
}
