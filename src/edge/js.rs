//! What this room asks of JavaScript in more than one place.

use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use worker::Env;

/// What is bound by that name, where anything is.
pub fn bound<T: JsCast>(env: &Env, name: &str) -> Option<T> {
    let binding = Reflect::get(env, &name.into()).ok()?;
    (!binding.is_undefined()).then(|| binding.unchecked_into())
}

/// The same, where the Worker cannot do without it.
///
/// # Errors
/// Where nothing is bound.
pub fn needed<T: JsCast>(env: &Env, name: &str) -> Result<T, String> {
    bound(env, name).ok_or_else(|| format!("nothing is bound as {name}"))
}

/// An object of these members.
///
/// # Errors
/// Where the runtime does not take one.
pub fn object(members: &[(&str, JsValue)]) -> Result<Object, JsValue> {
    let object = Object::new();
    for (name, value) in members {
        Reflect::set(&object, &(*name).into(), value)?;
    }
    Ok(object)
}

/// What an exception says.
pub fn said(error: &JsValue) -> String {
    let text = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    text.unwrap_or_else(|| format!("{error:?}"))
}
