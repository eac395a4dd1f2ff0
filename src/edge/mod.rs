//! The Cloudflare host: the only room that names a Worker's runtime. It turns a request into a [`crate::api::Call`], and a
//! reply into a response; everything between is said elsewhere.

mod crossing;
mod crypto;
mod d1;
mod env;
mod fetch;
mod flood;
mod http;
mod js;
mod kv;
mod ledger;
mod records;
mod text;

use worker::{Context, Env, ScheduleContext, ScheduledEvent, event};

use crate::api::{Desk, Environment, Log, answer};
use crate::ledger::SqlLedger;

/// Takes `queueMicrotask` away, before anything waits: the runtime makes a new function of whatever it is given by it. Where
/// it is not there, wasm-bindgen waits for a promise that is kept already, which is as soon and cheaper.
#[event(start)]
fn start() {
    drop(js_sys::Reflect::set(&js_sys::global(), &"queueMicrotask".into(), &wasm_bindgen::JsValue::UNDEFINED));
}

/// Answers a request.
#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, _: Context) -> worker::Result<web_sys::Response> {
    let head = http::head(&request);
    let incoming = http::Incoming::new(request, &head);
    let headers = |name: &str| incoming.header(name);
    let call = http::call(&incoming, &headers).await?;
    let isolate = match env::isolate(&env) {
        Ok(isolate) => isolate,
        Err(fault) => {
            http::log(&call, 500, &fault);
            return http::unconfigured();
        }
    };
    let remembered = SqlLedger::new(ledger::Primary(&env));
    let desk = Desk {
        settings: &isolate.settings,
        keys: &isolate.keys,
        tokens: &isolate.tokens,
        store: records::Records::of(&env, &isolate, call.moment.seconds())?,
        ledger: match isolate.settings.environment {
            Environment::Sandbox => remembered,
            Environment::Production => remembered.in_production(),
        },
        crypto: &isolate.crypto,
        documents: &isolate.documents,
    };
    let (reply, Log { audit, detail }) = answer(&desk, &call).await;
    // Whatever was asked there may have ended an authorization.
    if call.path.starts_with("/oauth/") {
        isolate.shelves.forget_grants();
    }
    if let Some(line) = audit {
        worker::console_log!("{line}");
    }
    if let Some(detail) = detail {
        http::log(&call, reply.status, &detail);
    }
    http::response(reply)
}

/// Forgets what has ended, as often as `[triggers]` says.
#[event(scheduled)]
async fn scheduled(_: ScheduledEvent, env: Env, _: ScheduleContext) {
    let now = (js_sys::Date::now() / 1_000.0) as i64;
    if let Err(fault) = SqlLedger::new(ledger::Primary(&env)).purge(now).await {
        worker::console_error!("{}", serde_json::json!({"event": "purge", "detail": fault.0}));
    }
}
