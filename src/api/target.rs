//! The target of a request: its path, with the route, and its query.

use super::routes::{PathVariables, Route};

/// Returns a URL whose path has no percent-encoded letters, digits, `-`, `.`, `_`, `~` (RFC 3986, section 6.2.2.2) or
/// `$`, which some clients encode in the names of operations.
#[must_use]
pub fn normalized(url: &str) -> String {
    let (path, query) = url.split_at(url.find('?').unwrap_or(url.len()));
    let mut parts = path.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok()).map(char::from);
        match code.filter(|letter| letter.is_ascii_alphanumeric() || "-._~$".contains(*letter)).zip(part.get(2..)) {
            Some((letter, rest)) => text.extend([letter.encode_utf8(&mut [0; 4]) as &str, rest]),
            None => text.extend(["%", part]),
        }
    }
    text + query
}

/// The target of a request (RFC 9112, section 3.2.1).
#[derive(Debug, Clone, Copy)]
pub struct RequestTarget<'a> {
    /// The path as received, percent-encoded.
    pub path: &'a str,
    /// The part after the question mark as received, percent-encoded.
    pub query: Option<&'a str>,
    /// The route of the path, if there is one. The server may not have it.
    pub route: Option<&'static Route>,
    pub(super) captured: PathVariables<'a>,
}

impl<'a> RequestTarget<'a> {
    /// Parses a target, which begins with the path.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
        let (route, captured) = Route::find(path).unzip();
        Self { path, query, route, captured: captured.unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_the_mark_of_operations_are_decoded_in_a_path_alone() {
        for (url, expected) in [
            ("http://h/Patient/a/%24everything?x=%24", "http://h/Patient/a/$everything?x=%24"),
            ("/%50atient/%5Fsearch", "/Patient/_search"),
            ("/a%2Fb%2f%", "/a%2Fb%2f%"),
            ("/%c3%a9%2", "/%c3%a9%2"),
        ] {
            assert_eq!(normalized(url), expected);
        }
    }
}
