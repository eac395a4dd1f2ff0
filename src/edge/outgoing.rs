//! Requests to other servers: for the keys of clients and of issuers, and for the tokens of identity providers.

use worker::{AbortSignal, Headers, Method, Request, RequestInit, RequestRedirect};

use super::crypto::WebCrypto;
use super::http::read;
use oauth::{Fetch, FetchError, FetchedDocument};

/// The maximum time for a whole response, in milliseconds.
const TIMEOUT: u32 = 3_000;
/// The longest document that is read, in bytes.
const MAX_LENGTH: usize = 64 * 1024;

impl Fetch for WebCrypto {
    async fn fetch(&self, address: &str) -> Result<FetchedDocument, FetchError> {
        let response = send(address, RequestInit::default()).await.map_err(fault)?;
        let max_age = max_age(&header(&response, "Cache-Control"));
        Ok(FetchedDocument { text: json(response).await?, max_age })
    }

    async fn send_form(&self, address: &str, authorization: Option<&str>, form: String) -> Result<String, FetchError> {
        json(post(address, authorization, form).await.map_err(fault)?).await
    }
}

fn header(response: &worker::Response, name: &str) -> String {
    response.headers().get(name).ok().flatten().unwrap_or_default()
}

async fn json(mut response: worker::Response) -> Result<String, FetchError> {
    if response.status_code() != 200 {
        return Err(FetchError(format!("the answer was {}", response.status_code())));
    }
    let kind = header(&response, "Content-Type").to_ascii_lowercase();
    if !kind.contains("json") {
        return Err(FetchError(format!("the answer is {kind:?}, and not JSON")));
    }
    let bytes = read(response.stream().map_err(fault)?, MAX_LENGTH).await.map_err(fault)?;
    let bytes = bytes.ok_or_else(|| FetchError("the answer is too long".to_owned()))?;
    String::from_utf8(bytes).map_err(|_| FetchError("the answer is not UTF-8".to_owned()))
}

async fn post(address: &str, authorization: Option<&str>, form: String) -> worker::Result<worker::Response> {
    let headers = Headers::new();
    headers.set("Content-Type", "application/x-www-form-urlencoded")?;
    headers.set("Accept", "application/json")?;
    if let Some(authorization) = authorization {
        headers.set("Authorization", authorization)?;
    }
    let init = RequestInit { method: Method::Post, headers, body: Some(form.into()), ..RequestInit::default() };
    send(address, init).await
}

/// Sends a request. Redirects are not followed.
async fn send(address: &str, init: RequestInit) -> worker::Result<worker::Response> {
    let init = RequestInit { redirect: RequestRedirect::Manual, ..init };
    let signal = AbortSignal::from(web_sys::AbortSignal::timeout_with_u32(TIMEOUT));
    worker::Fetch::Request(Request::new_with_init(address, &init)?).send_with_signal(&signal).await
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn fault(error: worker::Error) -> FetchError {
    FetchError(error.to_string())
}

/// Returns the seconds for which a response may be cached, by its `Cache-Control` (RFC 9111).
fn max_age(cache_control: &str) -> Option<i64> {
    let mut directives = cache_control.split(',').map(str::trim);
    let forbids = |one: &str| one.eq_ignore_ascii_case("no-store") || one.eq_ignore_ascii_case("no-cache");
    if directives.clone().any(forbids) {
        return Some(0);
    }
    directives.find_map(|one| one.strip_prefix("max-age=")?.parse().ok())
}
