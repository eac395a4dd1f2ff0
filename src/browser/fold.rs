//! Texts in the form that searches compare.

use wasm_bindgen::prelude::*;

/// Returns a text in the form that searches compare: without case, accents, white space, hyphens and apostrophes.
#[wasm_bindgen]
pub fn fold(text: &str) -> String {
    search::fold(text)
}
