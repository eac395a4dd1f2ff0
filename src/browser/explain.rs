//! Explanations of queries, for a page to show.

use wasm_bindgen::prelude::*;

use super::ffi::{authority, plain};
use crate::api;

/// The FHIR base under which an absolute address is a local one, where nothing else is said.
const BASE: &str = "http://localhost:8787/fhir/r4";

/// How a query is understood, what the grant adds to it or refuses, and the statement that it becomes on D1. Nothing is
/// searched. Without a grant, everything is open. A query that cannot be answered says so in `refused`.
///
/// # Errors
/// An OperationOutcome, where the grant is none.
#[wasm_bindgen(unchecked_return_type = "Explanation")]
#[allow(clippy::needless_pass_by_value, reason = "what crosses is owned")]
pub fn explain(
    query: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "Grant")] grant: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "string")] base: Option<String>,
) -> Result<JsValue, JsValue> {
    let (grant, _) = authority(grant)?;
    plain(&api::explain(query, &grant, base.as_deref().unwrap_or(BASE).trim_end_matches('/')))
}
