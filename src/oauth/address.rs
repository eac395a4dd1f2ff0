//! Checks of addresses in registrations and settings.

/// The names of the loopback interface, for which http is allowed (RFC 8252, section 7.3).
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Checks an address to which codes and launches may be sent, or from which keys may be fetched: absolute, exact, and
/// https or loopback.
///
/// # Errors
/// The reason why the text is not such an address.
pub fn address(text: &str) -> Result<(), &'static str> {
    let is_illegal = |c: char| !c.is_ascii_graphic() || "\\<>\"{}|^`".contains(c);
    if text.len() > 2_048 || text.contains(is_illegal) {
        return Err("it is too long, or has a character that no address has");
    }
    if text.contains('#') {
        return Err("it has a fragment");
    }
    if text.contains('*') {
        return Err("it has a wildcard: addresses are compared exactly");
    }
    let (scheme, rest) = text.split_once("://").ok_or("it is not absolute")?;
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end).ok_or("it is not well formed")?;
    if authority.contains('@') {
        return Err("it has a user in it");
    }
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        Some(_) | None => (authority, None),
    };
    if host.is_empty() || port.is_some_and(|port| !is_port(port)) {
        return Err("it has no host, or a port that is none");
    }
    let before = path.split(['?']).next().unwrap_or_default();
    if before.split('/').any(|segment| matches!(segment, "." | "..")) {
        return Err("it has dot segments");
    }
    match scheme {
        "https" => Ok(()),
        "http" if LOOPBACK.contains(&host) => Ok(()),
        "http" => Err("http is for this machine alone (localhost, 127.0.0.1, [::1]); else it is https"),
        _ => Err("it is neither https nor http on this machine"),
    }
}

/// Returns whether a text is a TCP port in digits, at most 65,535.
pub fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}
