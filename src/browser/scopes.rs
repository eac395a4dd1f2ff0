//! The scope decision table, for a page to show.

use wasm_bindgen::prelude::*;

use super::ffi::plain;
use crate::smart::ScopeTable;

/// A list of scopes, taken apart as a server does it. What is no scope is a line that says so; nothing is thrown.
#[wasm_bindgen]
pub struct Scopes {
    table: ScopeTable,
}

#[wasm_bindgen]
impl Scopes {
    /// The blank-separated scopes of a token that has this patient in context, if any. A user is taken to be there.
    #[wasm_bindgen(constructor)]
    #[must_use]
    #[allow(clippy::needless_pass_by_value, reason = "what crosses is owned")]
    pub fn new(text: &str, #[wasm_bindgen(unchecked_optional_param_type = "string")] patient: Option<String>) -> Self {
        Self { table: ScopeTable::new(text, patient.as_deref()) }
    }

    /// What each scope means, in words that a patient understands.
    #[wasm_bindgen(unchecked_return_type = "ScopeLine[]")]
    #[must_use]
    pub fn lines(&self) -> JsValue {
        plain(&self.table.lines()).unwrap_or_default()
    }

    /// What they open together: a row for each type that is served.
    #[wasm_bindgen(unchecked_return_type = "ScopeRow[]")]
    #[must_use]
    pub fn matrix(&self) -> JsValue {
        plain(&self.table.rows()).unwrap_or_default()
    }
}
