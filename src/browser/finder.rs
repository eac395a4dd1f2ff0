//! Finding records by the words that people read in them.

use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::prelude::*;

use super::ffi::plain;
use crate::search::TextIndex;

/// The texts of records that a page holds. Grants do not matter: nothing is found that was not added.
#[wasm_bindgen]
#[derive(Default)]
pub struct Finder {
    index: TextIndex,
}

/// The type `Finding` of `types.rs`.
#[derive(Serialize)]
struct FindingOutput<'a> {
    address: &'a str,
    element: &'a str,
    text: &'a str,
}

#[wasm_bindgen]
impl Finder {
    /// Creates an empty one.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds resources as NDJSON. Lines that are none are left out.
    pub fn add(&mut self, text: &str) {
        for resource in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            self.index.add(&resource);
        }
    }

    /// Returns the records that have all of these words, or words that begin with them: `most` at most, those that are
    /// named so first.
    #[wasm_bindgen(unchecked_return_type = "Finding[]")]
    #[must_use]
    pub fn find(&self, words: &str, most: usize) -> JsValue {
        let found = self.index.find(words, most);
        let found =
            found.iter().map(|one| FindingOutput { address: one.address, element: one.element, text: one.text });
        plain(&found.collect::<Vec<_>>()).unwrap_or_default()
    }
}
