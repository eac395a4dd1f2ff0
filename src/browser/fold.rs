//! Texts as searches compare them.

use wasm_bindgen::prelude::*;

/// Returns a text as searches compare it: without regard to case, accents, white space, hyphens and apostrophes.
#[wasm_bindgen]
#[must_use]
pub fn fold(text: &str) -> String {
    search::fold(text)
}
