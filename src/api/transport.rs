//! Requests over plain HTTP to a server whose address is HTTPS. They are redirected or refused: anybody on the network
//! path can read the tokens that they contain.

use super::configuration::settings::Settings;
use super::http::call::{Call, Method};
use super::http::reply::{HeaderPolicy, Reply};
use super::router::finish;

/// Returns the answer to a call over plain HTTP, if the server's address is HTTPS. GET and HEAD are redirected to the
/// same address there (RFC 9110, section 15.4.9). Others are refused, since their bodies have already been sent.
///
/// A proxy that terminates TLS reports this by `X-Forwarded-Proto: https`. Nothing else depends on that header, and a
/// caller that sends it over plain HTTP is only not redirected to HTTPS, so the header need not be trusted.
pub fn plain_http<B>(settings: &Settings, call: &Call<'_>) -> Option<Reply<B>> {
    let is_forwarded = || call.header("X-Forwarded-Proto").is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"));
    if !settings.is_secure() || is_forwarded() {
        return None;
    }
    let reply = match call.method {
        Method::Get | Method::Head => {
            let query = call.target.query.map(|query| format!("?{query}")).unwrap_or_default();
            Reply::empty(308, HeaderPolicy::UncachedJson)
                .with("Location", format!("{}{}{query}", settings.issuer, call.target.path))
        }
        Method::Post | Method::Delete | Method::Options | Method::Other => {
            let error = r#"{"error":"invalid_request","error_description":"this server is at https alone"}"#;
            Reply::text(403, HeaderPolicy::UncachedJson, error.to_owned())
        }
    };
    Some(finish(reply, call.method, call.request_id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::settings::Environment;
    use crate::http::call::Moment;
    use crate::http::target::RequestTarget;

    fn answer(origin: &str, method: Method, forwarded: Option<&'static str>) -> Option<(u16, Option<String>)> {
        let call = Call {
            method,
            target: RequestTarget::of("/fhir/r4/Patient?_id=a&x=%20"),
            headers: &|name| forwarded.filter(|_| name == "X-Forwarded-Proto").map(Into::into),
            body: None,
            moment: Moment { now: 0, random: [1; 32] },
        };
        let reply = plain_http::<String>(&Settings::new(origin, Environment::Sandbox, b"x"), &call)?;
        let location = reply.all_headers().find(|(name, _)| *name == "Location").map(|(_, value)| value.to_owned());
        Some((reply.status, location))
    }

    #[test]
    fn plain_http_to_an_https_server_is_redirected_or_refused() {
        let there = "https://chart.example/fhir/r4/Patient?_id=a&x=%20".to_owned();
        assert_eq!(answer("https://chart.example", Method::Get, None), Some((308, Some(there.clone()))));
        assert_eq!(answer("https://chart.example", Method::Head, Some("http")), Some((308, Some(there.clone()))));
        for (forwarded, is_plain) in
            [("https", false), ("HTTPS", false), ("https, http", true), ("httpsx", true), ("", true)]
        {
            let expected = is_plain.then_some((308, Some(there.clone())));
            assert_eq!(answer("https://chart.example", Method::Get, Some(forwarded)), expected, "{forwarded}");
        }
        for other in [Method::Post, Method::Delete, Method::Options, Method::Other] {
            assert_eq!(answer("https://chart.example", other, None), Some((403, None)));
        }
        assert_eq!(answer("http://localhost:8787", Method::Get, None), None);
    }
}
