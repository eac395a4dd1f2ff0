//! The checks of a token, for a page to show.

use wasm_bindgen::prelude::*;

use super::ffi::{json, plain, typed};
use crate::oauth::{Expected, checks};

/// Checks a token against a JWK set at `now`, in seconds since 1970: one line for each check. A signature of ES256 is
/// checked here; of any other algorithm its line is not `ok` and says that the page must check it, by WebCrypto. A token
/// that is none at all has the one line `form`.
///
/// # Errors
/// An OperationOutcome, where `jwks` or `expected` is not of its form.
#[wasm_bindgen(unchecked_return_type = "Check[]")]
pub fn verify(
    token: &str,
    #[wasm_bindgen(unchecked_param_type = "object")] jwks: &JsValue,
    now: f64,
    #[wasm_bindgen(unchecked_param_type = "{ issuer?: string; audience?: string; type: \"access\" | \"id\" }")]
    expected: &JsValue,
) -> Result<JsValue, JsValue> {
    let (expected, jwks) = (typed::<Expected>(expected.clone(), "expectation")?, json(jwks, "key set")?);
    plain(&checks(token, &jwks, now as i64, &expected))
}
