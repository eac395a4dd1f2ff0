//! The browser of a sign-in: its cookies, and whether a form comes from a page of this server.

use crate::configuration::settings::Settings;
use crate::http::call::{Call, Method};
use crate::http::reply::Reply;
use crate::http::routes::OriginPolicy;
use base64ct::{Base64UrlUnpadded, Encoding};

use oauth::{Cookie, DEVICE_LIFE, MAX_DEVICES, UserAgent};

/// The life of the cookie with the submitted form fields, in seconds. The next page shows them.
const TYPED_LIFE: i64 = 300;

/// Returns the names of the cookies: of the browser, of the session, of the submitted fields, and of the device. With
/// https, they have the prefix `__Host-`, so that no other site can have set them (RFC 6265bis, section 4.1.3.2).
/// Browsers accept the prefix only over https.
fn names(settings: &Settings) -> [&'static str; 4] {
    if settings.is_secure() {
        ["__Host-visit", "__Host-session", "__Host-typed", "__Host-device"]
    } else {
        ["visit", "session", "typed", "device"]
    }
}

/// Returns the browser that makes a call, according to its cookies.
pub fn user_agent(call: &Call<'_>, settings: &Settings) -> UserAgent {
    let header = call.header("Cookie").unwrap_or_default();
    let cookie = |name: &str| {
        let mut values = header.split(';').filter_map(|pair| pair.trim().split_once('=')).filter(|(of, _)| *of == name);
        // If two cookies have the same name, another site has set one of them, and neither counts.
        values.next().filter(|_| values.next().is_none()).map(|(_, value)| value)
    };
    let legal =
        |value: &&str| value.len() == 43 && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    let token = |name| cookie(name).filter(legal).map(str::to_owned);
    let text = |name: &str| String::from_utf8(Base64UrlUnpadded::decode_vec(cookie(name)?).ok()?).ok();
    let [visit, session, typed, device] = names(settings);
    let devices = cookie(device).unwrap_or_default().split('.').filter(legal).take(MAX_DEVICES);
    UserAgent {
        visit: token(visit),
        session: token(session),
        typed: text(typed),
        devices: devices.map(str::to_owned).collect(),
        network: call.network(),
    }
}

/// Sets a cookie on a reply.
pub fn keep<B>(reply: Reply<B>, cookie: Option<&Cookie>, settings: &Settings) -> Reply<B> {
    let [visit, session, typed, device] = names(settings);
    let secure = if settings.is_secure() { "; Secure" } else { "" };
    let set =
        |name: &str, value: &str, more: &str| format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{more}");
    match cookie {
        None => reply,
        Some(Cookie::Visit(value)) => reply.with("Set-Cookie", set(visit, value, "")),
        Some(Cookie::Session(value, life, devices)) => reply
            .with("Set-Cookie", set(session, value, &format!("; Max-Age={life}")))
            .with("Set-Cookie", set(device, devices, &format!("; Max-Age={DEVICE_LIFE}"))),
        Some(Cookie::Typed(text)) => {
            let value = Base64UrlUnpadded::encode_string(text.as_bytes());
            reply.with("Set-Cookie", set(typed, &value, &format!("; Max-Age={TYPED_LIFE}")))
        }
        Some(Cookie::SignedOut) => reply.with("Set-Cookie", set(session, "", "; Max-Age=0")),
    }
}

/// Returns whether the headers of a browser allow a request according to the policy of its route. `has_token` is true
/// for a form with the token of a page.
pub fn is_permitted(origins: OriginPolicy, call: &Call<'_>, has_token: bool, settings: &Settings) -> bool {
    let is_link = call.method != Method::Post;
    match origins {
        OriginPolicy::Any => true,
        OriginPolicy::OwnForms => is_link || is_own(call, settings),
        OriginPolicy::OwnTokens => is_link || !has_token || is_own(call, settings),
        OriginPolicy::Own => is_own(call, settings),
        OriginPolicy::SurelyOwn => is_surely_own(call, settings),
    }
}

/// Returns whether, according to the headers of a browser, a form may come from a page of this server. Pages of this
/// server send no referrer, so their origin may be `null`; then `Sec-Fetch-Site` must be the same origin. A caller that
/// is not a browser sends neither header, and only the token in the form protects it.
fn is_own(call: &Call<'_>, settings: &Settings) -> bool {
    let site = call.header("Sec-Fetch-Site");
    let same = site.as_deref().is_none_or(|site| matches!(site, "same-origin" | "none"));
    match call.header("Origin").as_deref() {
        None | Some("null") => same,
        Some(origin) => same && origin == settings.issuer,
    }
}

/// Returns whether the headers of a browser confirm that a request comes from a page of this server.
fn is_surely_own(call: &Call<'_>, settings: &Settings) -> bool {
    let named = call.header("Origin").as_deref() == Some(settings.issuer.as_str());
    is_own(call, settings) && (named || call.header("Sec-Fetch-Site").as_deref() == Some("same-origin"))
}
