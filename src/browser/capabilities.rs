//! The CapabilityStatement, for pages that offer search parameters.

use wasm_bindgen::prelude::*;

use super::ffi::index_of;

/// Returns the text of the CapabilityStatement of a server with the FHIR base `base`. It lists all types and their
/// parameters: those of US Core if `index` is `us-core`, otherwise all of R4.
#[wasm_bindgen]
pub fn capabilities(base: &str, index: &str) -> String {
    api::capabilities(base.trim_end_matches('/'), index_of(index))
}
