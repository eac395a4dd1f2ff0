//! The browser behind a call: its cookies, and whether a form comes from a page of ours.

use super::call::Call;
use super::reply::Reply;
use super::settings::Settings;
use crate::oauth::{Cookie, Visitor};

/// How the two cookies are called. Over https the prefix says that nobody else can have set them (RFC 6265bis, section
/// 4.1.3.2); a browser takes it there alone.
fn names(settings: &Settings) -> (&'static str, &'static str) {
    if settings.is_secure() { ("__Host-visit", "__Host-session") } else { ("visit", "session") }
}

/// The browser that makes a call.
pub fn visitor(call: &Call<'_>, settings: &Settings) -> Visitor {
    let header = call.header("Cookie").unwrap_or_default();
    let cookie = |name: &str| {
        let mut values = header.split(';').filter_map(|pair| pair.trim().split_once('=')).filter(|(of, _)| *of == name);
        // Two of one name: somebody else has set one, and nobody can say which.
        let value = values.next().filter(|_| values.next().is_none()).map(|(_, value)| value);
        let legal =
            |value: &&str| value.len() == 43 && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        value.filter(legal).map(str::to_owned)
    };
    let (visit, session) = names(settings);
    Visitor { visit: cookie(visit), session: cookie(session), network: call.source() }
}

/// Puts a cookie on a reply.
pub fn keep<B>(reply: Reply<B>, cookie: Option<&Cookie>, settings: &Settings) -> Reply<B> {
    let (visit, session) = names(settings);
    let secure = if settings.is_secure() { "; Secure" } else { "" };
    let set =
        |name: &str, value: &str, more: &str| format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{more}");
    match cookie {
        None => reply,
        Some(Cookie::Visit(value)) => reply.with("Set-Cookie", set(visit, value, "")),
        Some(Cookie::Session(value, life)) => {
            reply.with("Set-Cookie", set(session, value, &format!("; Max-Age={life}")))
        }
        Some(Cookie::SignedOut) => reply.with("Set-Cookie", set(session, "", "; Max-Age=0")),
    }
}

/// Whether a form may come from a page of ours, as far as the browser says. Our pages say no referrer, so that their
/// origin is `null`; then it must say that the page was of the same origin. What is no browser says nothing at all, and its
/// form stands on the token in it alone.
pub fn is_own(call: &Call<'_>, settings: &Settings) -> bool {
    let site = call.header("Sec-Fetch-Site");
    let same = site.as_deref().is_none_or(|site| matches!(site, "same-origin" | "none"));
    match call.header("Origin").as_deref() {
        None => same,
        Some("null") => same,
        Some(origin) => same && origin == settings.issuer,
    }
}
