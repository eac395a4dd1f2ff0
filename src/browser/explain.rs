//! Explanations of queries, for pages that show them.

use wasm_bindgen::prelude::*;

use super::ffi::{authority, plain};
use super::records::moment;

/// The default FHIR base. Absolute references below it are local.
const BASE: &str = "http://localhost:8787/fhir/r4";

/// Explains how a query is understood, and what the grant adds to it or refuses. It does not search. Without a grant,
/// everything is open, and every parameter of R4 is accepted. `refused` has the reason if the query cannot be answered.
///
/// # Errors
/// An OperationOutcome, if the grant is invalid.
#[wasm_bindgen(unchecked_return_type = "Explanation")]
#[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen passes owned values")]
pub fn explain(
    query: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "Grant")] grant: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "string")] base: Option<String>,
) -> Result<JsValue, JsValue> {
    let (grant, _, set) = authority(grant)?;
    let base = base.as_deref().unwrap_or(BASE).trim_end_matches('/');
    plain(&api::explain(query, &grant, base, set, moment(None)?))
}
