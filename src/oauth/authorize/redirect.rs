//! Redirect addresses: responses are sent only to an address of the client's registration (RFC 9700, section 2.1).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::address::is_port;

/// An address from the registration of a client. It is constructed only here, which excludes open redirects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedRedirect(String);

/// The characters to encode in a query: all except the unreserved ones (RFC 3986, section 2.3).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

impl VerifiedRedirect {
    /// Returns the address if it is equal to a registered one, character by character. Only the port of an address on
    /// the loopback interface may differ (RFC 8252, section 7.3), since a native app uses any free port.
    pub fn of(addresses: &[String], uri: &str) -> Option<Self> {
        Self::among(addresses, uri, false)
    }

    /// Returns the address as [`Self::of`] does. With `localhost`, its port may differ too: native clients publish one
    /// document, and listen on the port that is free.
    pub(crate) fn among(addresses: &[String], uri: &str, localhost: bool) -> Option<Self> {
        let parts = loopback(uri, localhost);
        let registered = |known: &String| known == uri || parts.is_some() && loopback(known, localhost) == parts;
        let is_valid = !uri.contains('#') && uri.bytes().all(|byte| byte.is_ascii_graphic()) && navigates(uri);
        (is_valid && addresses.iter().any(registered)).then(|| Self(uri.to_owned()))
    }

    /// Returns the address with added query parameters.
    pub fn with(&self, parameters: &[(&str, &str)]) -> String {
        with_parameters(&self.0, parameters)
    }

    /// Returns the origin, or the scheme if the address has no origin. A form on our page may lead to it (CSP,
    /// `form-action`).
    pub fn origin(&self) -> String {
        match self.0.split_once("://") {
            Some((scheme @ ("http" | "https"), rest)) => {
                let authority = rest.split(['/', '?']).next().unwrap_or_default();
                format!("{scheme}://{authority}")
            }
            Some(_) | None => format!("{}:", self.0.split(':').next().unwrap_or_default()),
        }
    }

    /// Returns whether the address identifies the client. An https host does; a custom scheme or a loopback port does
    /// not, since any app may claim it.
    #[must_use]
    pub fn identifies_client(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// Returns the address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Encodes a name or a value of a query or a form.
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Writes parameters as a query or a form.
pub fn form_of(parameters: &[(&str, &str)]) -> String {
    let pairs = parameters.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// Appends query parameters to an address.
pub fn with_parameters(address: &str, parameters: &[(&str, &str)]) -> String {
    if parameters.is_empty() {
        return address.to_owned();
    }
    let mark = if address.contains('?') { '&' } else { '?' };
    format!("{address}{mark}{}", form_of(parameters))
}

/// Returns whether a browser navigates to the address, instead of executing or displaying it.
fn navigates(uri: &str) -> bool {
    let scheme = uri.split(':').next().unwrap_or_default().to_ascii_lowercase();
    !matches!(
        scheme.as_str(),
        "javascript" | "data" | "vbscript" | "file" | "blob" | "about" | "filesystem" | "view-source"
    )
}

/// Returns whether an address has a port or a path on the loopback interface.
#[must_use]
pub fn is_loopback(uri: &str) -> bool {
    loopback(uri, true).and_then(|(host, _)| uri.strip_prefix(host)).is_some_and(|rest| rest.starts_with([':', '/']))
}

/// Returns the parts of a loopback address before and after its port.
fn loopback(uri: &str, localhost: bool) -> Option<(&str, &str)> {
    let mut hosts = ["http://127.0.0.1", "http://[::1]"].into_iter().chain(localhost.then_some("http://localhost"));
    let (host, rest) = hosts.find_map(|host| Some((host, uri.strip_prefix(host)?)))?;
    let (port, rest) = rest.split_at_checked(rest.find(['/', '?']).unwrap_or(rest.len()))?;
    let is_legal = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    is_legal.then_some((host, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verified(registered: &str, uri: &str) -> bool {
        VerifiedRedirect::of(&[registered.to_owned()], uri).is_some()
    }

    #[test]
    fn a1_only_the_registered_address_is_a_redirect() {
        let registered = "https://app.example/cb";
        assert!(verified(registered, registered));
        for other in [
            "",
            "https://evil.example/cb",
            "https://app.example/cb/x",
            "https://app.example/cbx",
            "https://app.example/cb?a=b",
            "https://app.example/cb#x",
            "https://app.example:443/cb",
            "https://APP.example/cb",
            "HTTPS://app.example/cb",
            "https://app.example/CB",
            "https://app.example/cb/",
            "https://app.example/cb/../evil",
            "https://app.example/%63b",
            "https://app.example/%2e%2e/cb",
            "https://app.example@evil.example/cb",
            "https://app.example\\@evil.example/cb",
            "https://app.example.evil/cb",
            "http://app.example/cb",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "https://app.example/cb\r\nSet-Cookie: a=b",
            "https://app.example/cb\0",
            " https://app.example/cb",
        ] {
            assert!(!verified(registered, other), "{other}");
        }
        assert!(!verified("javascript:alert(1)", "javascript:alert(1)"));
        assert!(!verified("https://app.example/cb#x", "https://app.example/cb#x"));
        assert!(!verified("https://app.example/", "https://app.example"));
    }

    #[test]
    fn a1_mcp44_mcp45_only_the_port_of_a_loopback_address_may_differ() {
        let registered = "http://127.0.0.1:8000/cb";
        assert!(verified(registered, "http://127.0.0.1:61234/cb") && verified("http://[::1]/cb", "http://[::1]:9/cb"));
        for other in [
            "http://127.0.0.1:61234/other",
            "http://localhost:61234/cb",
            "http://127.0.0.1.evil/cb",
            "http://127.0.0.1:8000@evil.example/cb",
            "http://127.0.0.1:80a/cb",
            "http://127.0.0.1:/cb",
            "http://127.0.0.1:65536/cb",
            "http://127.0.0.1:+80/cb",
            "https://127.0.0.1:61234/cb",
        ] {
            assert!(!verified(registered, other), "{other}");
        }
        assert!(!verified("http://localhost:8000/cb", "http://localhost:8001/cb"));
        let of_agent = |uri: &str| VerifiedRedirect::among(&["http://localhost/cb".to_owned()], uri, true).is_some();
        assert!(of_agent("http://localhost/cb") && of_agent("http://localhost:61234/cb"));
        assert!(!of_agent("http://localhost:1/x") && !of_agent("http://localhost.evil:1/cb"));
    }

    #[test]
    fn parameters_are_encoded_once() {
        let at = |uri: &str| VerifiedRedirect::of(&[uri.to_owned()], uri).unwrap();
        let state = "a&b=#é<script> \u{0}";
        assert_eq!(
            at("https://app.example/cb?x=1").with(&[("state", state)]),
            "https://app.example/cb?x=1&state=a%26b%3D%23%C3%A9%3Cscript%3E%20%00"
        );
        assert_eq!(at("org.example.app:/cb").with(&[("code", "c")]), "org.example.app:/cb?code=c");
        assert_eq!(at("https://app.example/cb").with(&[]), "https://app.example/cb");
        assert_eq!(at("https://app.example:8443/cb?x").origin(), "https://app.example:8443");
        assert_eq!(at("org.example.app:/cb").origin(), "org.example.app:");
    }
}
