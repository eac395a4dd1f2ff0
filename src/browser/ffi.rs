//! Conversion of values and refusals between Rust and JavaScript.

use js_sys::JSON;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use collections::order::set_of;
use fhir::{Id, Issue, IssueCode, Reference, ResourceType, outcome};
use search::IndexSet;
use smart::{Grant, ScopeSet};
use store::AccessList;

/// The name of the user in the records.
const USER: &str = "user";

/// Converts a value to a plain object.
pub fn plain(value: &impl Serialize) -> Result<JsValue, JsValue> {
    value.serialize(&Serializer::json_compatible()).map_err(|error| refused(error.to_string()))
}

/// Converts a plain object to a value. The error message uses `name` for the type of the value.
pub fn typed<T: DeserializeOwned>(value: JsValue, name: &str) -> Result<T, JsValue> {
    serde_wasm_bindgen::from_value(value).map_err(|error| refused(format!("This is no {name}: {error}.")))
}

/// Converts any object to JSON. The object is serialized first, which fails if it contains itself.
pub fn json(value: &JsValue, name: &str) -> Result<Value, JsValue> {
    let text = JSON::stringify(value).ok().and_then(|text| text.as_string()).unwrap_or_default();
    serde_json::from_str(&text).map_err(|error| refused(format!("This is no {name}: {error}.")))
}

/// Returns an OperationOutcome with this text, to be thrown.
pub fn refused(text: impl Into<String>) -> JsValue {
    parsed(&outcome(&[Issue::error(IssueCode::Value, text)]))
}

/// Parses a JSON text.
pub fn parsed(json: &str) -> JsValue {
    JSON::parse(json).unwrap_or_else(|error| error)
}

/// The type `Grant` of `types.rs`.
#[derive(Deserialize)]
struct GrantInput {
    scopes: String,
    patient: Option<String>,
    #[serde(default, with = "serde_wasm_bindgen::preserve")]
    patients: JsValue,
    #[serde(rename = "fhirUser")]
    fhir_user: Option<String>,
    client: Option<String>,
    #[serde(default)]
    index: String,
}

/// The authority of a call: a grant, the access list of its user, and the parameters by which it may search.
pub type Authority = (Grant, Option<AccessList>, &'static IndexSet);

/// Parses a grant. Without a grant, everything is open.
pub fn authority(given: &JsValue) -> Result<Authority, JsValue> {
    if given.is_undefined() || given.is_null() {
        return Ok((everything(), None, IndexSet::of_r4()));
    }
    let GrantInput { scopes, patient, patients, fhir_user, client, index } = typed(given.clone(), "grant")?;
    let scopes = ScopeSet::parse(&scopes)
        .map_err(|error| refused(format!("{:?} is no scope: {}.", error.scope, error.reason)))?;
    let id = |text: &str| Id::parse(text).ok_or_else(|| refused(format!("{text:?} is not the id of a patient.")));
    let access_list = if patients.is_undefined() || patients.is_null() {
        None
    } else if patients == "all" {
        Some(AccessList::All)
    } else {
        let ids: Vec<String> = typed(patients, "list of patients, nor \"all\"")?;
        let ids = ids.iter().map(|text| id(text)).collect::<Result<Vec<_>, _>>()?;
        Some(AccessList::These(set_of(ids)))
    };
    let patient = patient.as_deref().map(id).transpose()?;
    let user = access_list.is_some().then(|| USER.to_owned());
    let named =
        |text: &str| Reference::parse(text).ok_or_else(|| refused(format!("{text:?} is not a reference: Type/id.")));
    let fhir_user = fhir_user.as_deref().map(named).transpose()?;
    let client = client.unwrap_or_default();
    let grant = Grant { client, patient, user, fhir_user, scopes, ..Grant::default() };
    Ok((grant, access_list, index_of(&index)))
}

/// Returns the set of parameters with this name: `us-core`, or all of R4.
pub fn index_of(name: &str) -> &'static IndexSet {
    if name == "us-core" { IndexSet::us_core() } else { IndexSet::of_r4() }
}

fn everything() -> Grant {
    let scopes: Vec<_> =
        ResourceType::served().iter().map(|resource_type| format!("system/{resource_type}.read")).collect();
    let scopes = ScopeSet::parse(&scopes.join(" ")).unwrap_or_default();
    Grant { scopes, ..Grant::default() }
}
