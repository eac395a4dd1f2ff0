//! The Cloudflare host: the only room that names a Worker's runtime. It turns a request into a [`crate::api::Call`], and a
//! reply into a response; everything between is said elsewhere.

mod d1;
mod env;
mod http;
mod kv;
mod ledger;
mod records;

use worker::{Context, Env, event};

use crate::api::{Desk, answer};

/// Answers a request.
#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, _: Context) -> worker::Result<web_sys::Response> {
    let headers = http::headers(&request);
    let call = http::call(&request, &headers).await?;
    let isolate = match env::isolate(&env) {
        Ok(isolate) => isolate,
        Err(fault) => {
            http::log(&call, 500, &fault);
            return http::unconfigured();
        }
    };
    let desk = Desk {
        settings: &isolate.settings,
        keys: &isolate.keys,
        tokens: &isolate.tokens,
        store: records::Records::of(&env, &isolate, call.moment.seconds())?,
        ledger: ledger::D1Ledger::new(&env),
    };
    let (reply, detail) = answer(&desk, &call).await;
    if let Some(detail) = detail {
        http::log(&call, reply.status, &detail);
    }
    http::response(reply)
}
