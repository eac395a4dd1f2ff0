//! The CapabilityStatement, for pages that offer search parameters.

use wasm_bindgen::prelude::*;

use super::ffi::index_of;

/// The text of the CapabilityStatement of a server with the FHIR base `base`, which lists all types and their
/// parameters: those of US Core where `index` is `us-core`, else all of R4.
#[wasm_bindgen]
#[must_use]
pub fn capabilities(base: &str, index: &str) -> String {
    api::capabilities(base.trim_end_matches('/'), index_of(index))
}
