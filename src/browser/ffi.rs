//! How values and refusals cross between JavaScript and here.

use std::collections::BTreeSet;

use js_sys::JSON;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::fhir::{Id, Issue, IssueCode, Reference, ResourceType, outcome};
use crate::smart::{Grant, ScopeSet};
use crate::store::AccessList;

/// The name by which a chart knows its user.
const USER: &str = "user";

/// A value as a plain object. It crosses as JSON, which both sides have at hand.
pub fn plain(value: &impl Serialize) -> Result<JsValue, JsValue> {
    serde_json::to_string(value).map(|json| parsed(&json)).map_err(|error| refused(error.to_string()))
}

/// What a plain object says. What goes round in circles is none.
pub fn said<T: DeserializeOwned>(value: &JsValue, name: &str) -> Result<T, JsValue> {
    let json = JSON::stringify(value).ok().and_then(|json| json.as_string()).unwrap_or_default();
    serde_json::from_str(&json).map_err(|error| refused(format!("This is no {name}: {error}.")))
}

/// An OperationOutcome that says `text`, to be thrown.
pub fn refused(text: impl Into<String>) -> JsValue {
    parsed(&outcome(&[Issue::error(IssueCode::Value, text)]))
}

/// The object that a JSON text is.
pub fn parsed(json: &str) -> JsValue {
    JSON::parse(json).unwrap_or_else(|error| error)
}

/// `Grant` in `types.rs`.
#[derive(Deserialize)]
struct GrantInput {
    scopes: String,
    patient: Option<String>,
    patients: Option<Value>,
    #[serde(rename = "fhirUser")]
    fhir_user: Option<String>,
    client: Option<String>,
}

/// A grant, and whom its user may see; everything where none is given.
pub fn authority(given: &JsValue) -> Result<(Grant, Option<AccessList>), JsValue> {
    if given.is_undefined() || given.is_null() {
        return Ok((everything(), None));
    }
    let GrantInput { scopes, patient, patients, fhir_user, client } = said(given, "grant")?;
    let scopes = ScopeSet::parse(&scopes)
        .map_err(|error| refused(format!("{:?} is no scope: {}.", error.scope, error.reason)))?;
    let id = |text: &str| Id::parse(text).ok_or_else(|| refused(format!("{text:?} is not the id of a patient.")));
    let access_list = match patients {
        None => None,
        Some(Value::String(word)) if word == "all" => Some(AccessList::All),
        Some(Value::Array(ids)) => {
            let ids = ids.iter().map(|text| id(text.as_str().unwrap_or_default()));
            Some(AccessList::These(ids.collect::<Result<BTreeSet<_>, _>>()?))
        }
        Some(other) => return Err(refused(format!("{other} is neither a list of patients nor \"all\"."))),
    };
    let patient = patient.as_deref().map(id).transpose()?;
    let user = access_list.is_some().then(|| USER.to_owned());
    let named =
        |text: &str| Reference::parse(text).ok_or_else(|| refused(format!("{text:?} is not a reference: Type/id.")));
    let fhir_user = fhir_user.as_deref().map(named).transpose()?;
    Ok((Grant { id: None, client: client.unwrap_or_default(), patient, user, fhir_user, scopes }, access_list))
}

/// The authority over everything.
fn everything() -> Grant {
    let scopes: Vec<_> = ResourceType::ALL.iter().map(|kind| format!("system/{kind}.read")).collect();
    let scopes = ScopeSet::parse(&scopes.join(" ")).unwrap_or_default();
    Grant { scopes, ..Grant::default() }
}
