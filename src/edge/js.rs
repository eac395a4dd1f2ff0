//! Helpers for JavaScript values.

use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// Creates an object with these members.
///
/// # Errors
/// If the runtime refuses a member.
pub fn object(members: &[(&str, JsValue)]) -> Result<Object, JsValue> {
    let object = Object::new();
    for (name, value) in members {
        Reflect::set(&object, &(*name).into(), value)?;
    }
    Ok(object)
}

/// Returns the message of an exception.
pub fn message(error: &JsValue) -> String {
    let text = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    text.unwrap_or_else(|| format!("{error:?}"))
}
