//! The Worker `reading`, through its service binding.

use std::time::Duration;

use futures_util::future::{Either, select};
use worker::{Delay, Env, Fetcher, Headers, Method, Request, RequestInit, Response};

use super::http::read;
use api::ReadingPort;
use job::LocalFuture;

/// The binding of the Worker.
pub const READING: &str = "READING";
/// The address of its requests. It has no host, so that any will do.
const ADDRESS: &str = "https://reading/";
/// The most time for a document.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest document, in bytes.
const MAX_LENGTH: usize = 32 * 1024 * 1024;

/// The Worker that writes documents.
pub struct Reading(Fetcher);

impl Reading {
    /// Returns the Worker, if the deployment has it.
    pub fn of(env: &Env) -> Option<Self> {
        env.service(READING).ok().map(Self)
    }

    async fn send(&self, what: &str, text: String) -> worker::Result<String> {
        let headers = Headers::new();
        headers.set("Content-Type", "application/json")?;
        let init = RequestInit { method: Method::Post, headers, body: Some(text.into()), ..RequestInit::default() };
        text_of(self.0.fetch_request(Request::new_with_init(&[ADDRESS, what].concat(), &init)?).await?).await
    }
}

/// Returns the text of a response with the status 200.
pub async fn text_of(mut response: Response) -> worker::Result<String> {
    if response.status_code() != 200 {
        return Err(worker::Error::RustError(format!("the answer was {}", response.status_code())));
    }
    let bytes = read(response.stream()?, MAX_LENGTH).await?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| worker::Error::RustError("the document is too long, or not UTF-8".to_owned()))
}

impl ReadingPort for Reading {
    fn ask(&self, what: &'static str, request: String) -> LocalFuture<'_, Result<String, String>> {
        Box::pin(async move {
            match select(Box::pin(self.send(what, request)), Delay::from(TIMEOUT)).await {
                Either::Left((answer, _)) => answer.map_err(|error| error.to_string()),
                Either::Right(_) => Err("the answer took too long".to_owned()),
            }
        })
    }
}
