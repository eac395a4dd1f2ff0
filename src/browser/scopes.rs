//! The scope decision table, for pages that show it.

use wasm_bindgen::prelude::*;

use super::ffi::plain;
use fhir::Language;
use smart::ScopeTable;

/// A list of scopes, parsed as on the server. An invalid scope gives a line with the reason, and nothing is thrown.
#[wasm_bindgen]
pub struct Scopes {
    table: ScopeTable,
}

#[wasm_bindgen]
impl Scopes {
    /// Parses the scopes of a token, which are separated by spaces. `patient` is the patient in context, if there is
    /// one. A user is assumed. `language` is the tag of the language of the words, such as `es`; they are in English
    /// without a tag, or if the language is not supported.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::needless_pass_by_value, reason = "wasm-bindgen passes owned values")]
    pub fn new(
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] patient: Option<String>,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] language: Option<String>,
    ) -> Self {
        let language = language.as_deref().and_then(Language::parse).unwrap_or_default();
        Self { table: ScopeTable::new(text, patient.as_deref(), language) }
    }

    /// Returns a line for each scope, which describes it in words for patients.
    #[wasm_bindgen(unchecked_return_type = "ScopeLine[]")]
    pub fn lines(&self) -> JsValue {
        plain(&self.table.lines()).unwrap_or_default()
    }

    /// Returns a row for each served type, with the access that all scopes together open.
    #[wasm_bindgen(unchecked_return_type = "ScopeRow[]")]
    pub fn matrix(&self) -> JsValue {
        plain(&self.table.rows()).unwrap_or_default()
    }
}
