//! The search parameters, for a page to offer.

use wasm_bindgen::prelude::*;

use crate::api;

/// The text of the CapabilityStatement of a server at `base`, the address of a FHIR base: every type with its parameters.
#[wasm_bindgen]
#[must_use]
pub fn capabilities(base: &str) -> String {
    api::capabilities(base.trim_end_matches('/'))
}
