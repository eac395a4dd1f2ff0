//! The rehearsal of an isolate that starts. V8 compiles a function when it is first called, and optimizes it when it
//! has run for a while, which takes most of the time of an isolate's first requests. The rehearsal answers recorded
//! requests in the global scope, before the first request arrives (docs/performance.md#rehearsal).

use wasm_bindgen::prelude::*;
use web_sys::Request;
use worker::Env;

use super::http::IncomingRequest;
use super::{answer_call, env};
use api::Moment;
use fhir::Micros;

/// Answers requests in the environment of the rehearsal, as if it were `now`, in milliseconds since 1970. Returns the
/// status of each. The state of this rehearsal ends with it, so that a later request finds none of its keys, tokens and
/// records.
///
/// # Errors
/// If the environment is not complete, or the runtime refuses a request.
#[wasm_bindgen(wasm_bindgen_futures = worker::wasm_bindgen_futures)]
pub async fn rehearse(requests: Vec<Request>, env: Env, now: f64) -> Result<Vec<u16>, JsValue> {
    let isolate = env::rehearsing(&env)?;
    let moment = Moment { now: now as Micros * 1_000, random: [0; 32] };
    let mut statuses = Vec::with_capacity(requests.len());
    for incoming in requests.into_iter().map(IncomingRequest::from) {
        let headers = |name: &str| incoming.header(name);
        let call = incoming.call(incoming.target(), &headers, moment).await.map_err(|error| error.to_string())?;
        let (reply, _) = answer_call(&isolate, &env, &incoming, &call).await;
        statuses.push(reply.status);
    }
    Ok(statuses)
}
