//! The checks of a token, for pages that show them.

use wasm_bindgen::prelude::*;

use super::ffi::{json, plain, typed};
use oauth::{ExpectedToken, checks};

/// Checks a token against a JWK set at `now`, in seconds since 1970, and returns a line for each check. It verifies
/// ES256 signatures. For any other algorithm, the line of the signature is not `ok` and says that the page must verify
/// it, by WebCrypto. A malformed token has only the line `form`.
///
/// # Errors
/// An OperationOutcome, if `jwks` or `expected` is malformed.
#[wasm_bindgen(unchecked_return_type = "Check[]")]
pub fn verify(
    token: &str,
    #[wasm_bindgen(unchecked_param_type = "object")] jwks: &JsValue,
    now: f64,
    #[wasm_bindgen(unchecked_param_type = "{ issuer?: string; audience?: string; type: \"access\" | \"id\" }")]
    expected: &JsValue,
) -> Result<JsValue, JsValue> {
    let (expected, jwks) = (typed::<ExpectedToken>(expected.clone(), "expectation")?, json(jwks, "key set")?);
    plain(&checks(token, &jwks, now as i64, &expected))
}
