//! The published service base URLs (45 CFR 170.404(b)(2)): a Bundle of an Endpoint for each address of a FHIR server
//! and an Organization for each provider, from a configured list.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use collections::order::set_of;
use oauth::hashed;

pub const SANDBOX_ORGANIZATIONS: &str = r#"[
  {"name": "Harbour Clinic (synthetic)",
   "identifier": {"system": "https://sandbox.example.org/facilities", "value": "harbour-clinic"},
   "address": {"line": ["1 Quay Street"], "city": "Springfield", "state": "IL", "postalCode": "62701", "country": "US"}},
  {"name": "Hill Hospital (synthetic)",
   "identifier": {"system": "https://sandbox.example.org/facilities", "value": "hill-hospital"},
   "address": {"line": ["2 Hill Road"], "city": "Springfield", "state": "IL", "postalCode": "62702", "country": "US"}}
]"#;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Organization {
    name: String,
    /// The identifier of the facility, such as its NPI.
    identifier: Identifier,
    address: Address,
    /// The addresses of its FHIR servers. If empty, this server is its only one.
    #[serde(default)]
    endpoints: Vec<String>,
    /// False if the organization is closed. True by default.
    #[serde(default = "active")]
    active: bool,
}

const fn active() -> bool {
    true
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Identifier {
    system: String,
    value: String,
}

/// A FHIR Address. The names are those of its elements.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Address {
    line: Vec<String>,
    city: String,
    state: String,
    postal_code: String,
    #[serde(default)]
    country: Option<String>,
}

/// The organizations whose service base URLs are published.
#[derive(Debug, Clone)]
pub struct ServiceBaseUrls {
    organizations: Vec<Organization>,
}

impl ServiceBaseUrls {
    /// Parses the list: a JSON array of objects with `name`, `identifier` and `address`, and optionally `endpoints` and
    /// `active`.
    ///
    /// # Errors
    /// If the text is no such list, is empty, repeats an organization, or has an address that is not a FHIR server's.
    pub fn parse(text: &str) -> Result<Self, String> {
        let organizations: Vec<Organization> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if organizations.is_empty() {
            return Err("it has no organization".to_owned());
        }
        let mut known = BTreeSet::new();
        for Organization { name, identifier, address, endpoints, .. } in &organizations {
            let texts =
                [name, &identifier.system, &identifier.value, &address.city, &address.state, &address.postal_code];
            if texts.into_iter().chain(&address.line).any(|text| text.trim().is_empty()) || address.line.is_empty() {
                return Err(format!("{name:?} has an empty text, or no line of its address"));
            }
            if let Some(wrong) = endpoints.iter().find(|address| !is_base(address)) {
                return Err(format!("{wrong:?} is no https address without a query, a fragment or a slash at its end"));
            }
            if !known.insert((&identifier.system, &identifier.value)) {
                return Err(format!("the identifier of {name:?} is there twice"));
            }
        }
        Ok(Self { organizations })
    }

    /// Returns the Bundle. `base` is the FHIR base of this server.
    pub fn bundle(&self, base: &str) -> String {
        let own = [base.to_owned()];
        let endpoints_of = |organization: &Organization| {
            if organization.endpoints.is_empty() { own.to_vec() } else { organization.endpoints.clone() }
        };
        let addresses = set_of(self.organizations.iter().flat_map(endpoints_of));
        let endpoint = |address: &String| {
            json!({
                "resourceType": "Endpoint",
                "id": id_of(&["Endpoint", address]),
                "status": "active",
                "connectionType": {
                    "system": "http://terminology.hl7.org/CodeSystem/endpoint-connection-type", "code": "hl7-fhir-rest",
                },
                "name": "FHIR R4",
                "payloadType": [{
                    "coding": [{
                        "system": "http://terminology.hl7.org/CodeSystem/endpoint-payload-type", "code": "none",
                    }],
                }],
                "payloadMimeType": ["application/fhir+json"],
                "address": address,
            })
        };
        let organization = |of: &Organization| {
            let Organization { name, identifier, address, active, .. } = of;
            let references = set_of(endpoints_of(of));
            let references = references
                .iter()
                .map(|address| json!({"reference": format!("Endpoint/{}", id_of(&["Endpoint", address]))}));
            let mut place = json!({
                "line": address.line, "city": address.city, "state": address.state, "postalCode": address.postal_code,
            });
            if let (Some(country), Some(members)) = (&address.country, place.as_object_mut()) {
                members.insert("country".to_owned(), json!(country));
            }
            json!({
                "resourceType": "Organization",
                "id": id_of(&["Organization", &identifier.system, &identifier.value]),
                "identifier": [{"system": identifier.system, "value": identifier.value}],
                "active": active,
                "name": name,
                "address": [place],
                "endpoint": references.collect::<Vec<_>>(),
            })
        };
        let entry = |resource: Value| {
            let part = |name: &str| resource.get(name).and_then(Value::as_str).unwrap_or_default();
            json!({"fullUrl": format!("{base}/{}/{}", part("resourceType"), part("id")), "resource": resource})
        };
        let endpoints = addresses.iter().map(endpoint);
        let entries: Vec<_> = endpoints.chain(self.organizations.iter().map(organization)).map(entry).collect();
        json!({"resourceType": "Bundle", "type": "collection", "entry": entries}).to_string()
    }
}

/// Returns whether a text is the base address of a FHIR server: https, or http on this machine.
fn is_base(text: &str) -> bool {
    oauth::check_address(text).is_ok() && !text.contains('?') && !text.ends_with('/')
}

/// Returns an id that is derived from texts. All ids have the same length, so that none is a prefix of another one.
fn id_of(texts: &[&str]) -> String {
    hashed(&texts.join("\n")).chars().map(|c| if c == '_' { '.' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "https://here/fhir/r4";

    fn bundle(text: &str) -> Value {
        serde_json::from_str(&ServiceBaseUrls::parse(text).unwrap().bundle(BASE)).unwrap()
    }

    fn of_type<'a>(bundle: &'a Value, name: &str) -> Vec<&'a Value> {
        let resources = bundle["entry"].as_array().unwrap().iter().map(|entry| &entry["resource"]);
        resources.filter(|resource| resource["resourceType"] == name).collect()
    }

    #[test]
    fn g10_11_14_each_endpoint_is_referenced_and_each_organization_has_an_address() {
        let bundle = bundle(SANDBOX_ORGANIZATIONS);
        assert_eq!((&bundle["resourceType"], &bundle["type"]), (&json!("Bundle"), &json!("collection")));
        let (endpoints, organizations) = (of_type(&bundle, "Endpoint"), of_type(&bundle, "Organization"));
        assert_eq!((endpoints.len(), organizations.len()), (1, 2));
        let endpoint = endpoints[0];
        assert_eq!((&endpoint["address"], &endpoint["status"]), (&json!(BASE), &json!("active")));
        assert!(endpoint["payloadType"][0].is_object() && endpoint["connectionType"]["code"] == "hl7-fhir-rest");
        for organization in organizations {
            assert_eq!(organization["active"], true);
            assert!(organization["name"].is_string() && organization["identifier"][0]["value"].is_string());
            assert!(organization["address"][0]["city"].is_string());
            let reference = format!("Endpoint/{}", endpoint["id"].as_str().unwrap());
            assert_eq!(organization["endpoint"], json!([{"reference": reference}]));
        }
    }

    #[test]
    fn ids_are_valid_and_none_is_the_beginning_of_another() {
        let one = |n: usize| {
            json!({"name": "N", "identifier": {"system": "s", "value": n.to_string()},
                   "address": {"line": ["l"], "city": "c", "state": "s", "postalCode": "p"},
                   "endpoints": [format!("https://{n}.example/fhir"), "https://x.example/fhir"], "active": n != 3})
        };
        let list = json!((0..12).map(one).collect::<Vec<_>>());
        let bundle = bundle(&list.to_string());
        let ids: Vec<_> =
            bundle["entry"].as_array().unwrap().iter().map(|e| e["resource"]["id"].as_str().unwrap()).collect();
        assert_eq!((ids.len(), of_type(&bundle, "Endpoint").len()), (25, 13));
        for (at, id) in ids.iter().enumerate() {
            assert!(fhir::Id::parse(id).is_some(), "{id}");
            assert!(ids.iter().enumerate().all(|(other, text)| other == at || !text.starts_with(id)), "{id}");
        }
        assert_eq!(of_type(&bundle, "Organization")[3]["active"], false);
        assert!(of_type(&bundle, "Organization")[3]["address"][0].get("country").is_none());
    }

    #[test]
    fn a_list_that_would_make_an_invalid_bundle_is_refused() {
        let good = json!({"name": "N", "identifier": {"system": "s", "value": "v"},
                          "address": {"line": ["l"], "city": "c", "state": "s", "postalCode": "p"}});
        let with = |pointer: &str, value: Value| {
            let mut all = json!([good]);
            *all.pointer_mut(pointer).unwrap() = value;
            all.to_string()
        };
        assert!(ServiceBaseUrls::parse(&json!([good]).to_string()).is_ok());
        let endpoints = |address: &str| {
            let mut all = good.clone();
            all["endpoints"] = json!([address]);
            json!([all]).to_string()
        };
        for bad in [
            String::new(),
            "{}".to_owned(),
            "[]".to_owned(),
            json!([good, good]).to_string(),
            with("/0/name", json!("")),
            with("/0/identifier", json!({"value": "v"})),
            with("/0/address/line", json!([])),
            with("/0/address/city", json!(" ")),
            with("/0/address", json!({"line": ["l"]})),
            endpoints("http://a.example/fhir"),
            endpoints("https://a.example/fhir/"),
            endpoints("https://a.example/fhir?x"),
            endpoints("a.example/fhir"),
        ] {
            assert!(ServiceBaseUrls::parse(&bad).is_err(), "{bad}");
        }
    }
}
