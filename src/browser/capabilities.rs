//! The CapabilityStatement, for pages that offer search parameters.

use wasm_bindgen::prelude::*;

use crate::api;

/// The text of the CapabilityStatement of a server with the FHIR base `base`, which lists all types and their
/// parameters.
#[wasm_bindgen]
#[must_use]
pub fn capabilities(base: &str) -> String {
    api::capabilities(base.trim_end_matches('/'))
}
