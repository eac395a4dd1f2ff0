//! The Cloudflare host: the only room that names a Worker's runtime. It turns a request into a [`crate::api::Call`], and a
//! reply into a response; everything between is said elsewhere.

mod crypto;
mod d1;
mod env;
mod fetch;
mod ffi;
mod http;
mod js;
mod kv;
mod rate_limit;
mod records;
mod text;
mod turns;

use wasm_bindgen::prelude::*;
use worker::Env;

use crate::api::{self, AppContext, Environment, Log};
use crate::auth_store::SqlAuthStore;
use crate::store::GuardedStore;
use d1::{AuthD1, D1};
use turns::Turns;

/// Answers a request.
#[wasm_bindgen]
pub fn answer(request: web_sys::Request, env: Env) -> Turns {
    Turns::of(async move {
        let answered = answered(request, &env).await.or_else(|fault| {
            worker::console_error!("{fault}");
            http::unanswered()
        });
        answered.map(JsValue::from).map_err(JsValue::from)
    })
}

async fn answered(request: web_sys::Request, env: &Env) -> worker::Result<web_sys::Response> {
    let head = http::head(&request);
    let incoming = http::Incoming::new(request, &head);
    let headers = |name: &str| incoming.header(name);
    let call = http::call(&incoming, &headers).await?;
    let isolate = match env::isolate(env) {
        Ok(isolate) => isolate,
        Err(fault) => {
            http::log(&call, 500, &fault);
            return http::unanswered();
        }
    };
    if incoming.is_plain
        && let Some(reply) = api::plain_http(&isolate.settings, &call)
    {
        return http::response(reply, &[]);
    }
    let (remembered, now) = (auth_store(&isolate), call.moment.seconds());
    let primary = AuthD1(D1::primary(&isolate.database));
    let app = AppContext {
        settings: &isolate.settings,
        keys: &isolate.keys,
        tokens: &isolate.tokens,
        store: GuardedStore::new(records::Records::of(&isolate, now), primary, &isolate.grants, now),
        auth_store: match isolate.settings.environment {
            Environment::Sandbox => remembered,
            Environment::Production => remembered.in_production(),
        },
        crypto: &isolate.crypto,
        documents: &isolate.documents,
    };
    let (reply, Log { audit, detail }) = api::answer(&app, &call).await;
    // Whatever was asked there may have ended an authorization.
    if call.path.starts_with("/oauth/") {
        isolate.grants.forget();
    }
    if let Some(detail) = detail {
        http::log(&call, reply.status, &detail);
    }
    http::response(reply, &audit)
}

/// Forgets what has ended, as often as `[triggers]` says.
#[wasm_bindgen]
pub fn purge(env: Env) -> Turns {
    Turns::of(async move {
        let now = (js_sys::Date::now() / 1_000.0) as i64;
        let purged = match env::isolate(&env) {
            Ok(isolate) => match auth_store(&isolate).purge(now).await {
                Ok(true) => Ok(()),
                Ok(false) => Err("there is more that has ended than one run deletes".to_owned()),
                Err(fault) => Err(fault.0),
            },
            Err(fault) => Err(fault),
        };
        if let Err(detail) = purged {
            worker::console_error!("{}", serde_json::json!({"event": "purge", "detail": detail}));
        }
        Ok(JsValue::UNDEFINED)
    })
}

/// The authorization' memory.
fn auth_store(isolate: &env::Isolate) -> SqlAuthStore<AuthD1<'_>> {
    SqlAuthStore::new(AuthD1(D1::primary(&isolate.database)))
}
