//! A request, independent of the runtime that received it.

use std::borrow::Cow;

use super::target::RequestTarget;
use fhir::{Micros, OF_THING, digest, instant, shortened};
use oauth::Pepper;

/// The time of a call, and random bytes only for this call. Modules below the runtimes have no other source of either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub now: Micros,
    /// Random bytes, only used for this call.
    pub random: [u8; 32],
}

impl Moment {
    /// Returns the seconds since 1970-01-01T00:00:00Z.
    pub const fn seconds(&self) -> i64 {
        self.now.div_euclid(1_000_000)
    }

    /// Returns the time as a FHIR `instant`, to the millisecond.
    pub fn instant(&self) -> String {
        instant(self.now)
    }

    /// Returns a random UUID (RFC 9562, version 4).
    pub fn uuid(&self) -> String {
        uuid_of(shortened(&self.random))
    }

    /// Returns a UUID for the event with this number. It is a hash of the random bytes, so it discloses nothing about
    /// other values that are derived from them.
    pub fn event_id(&self, number: u8) -> String {
        uuid_of(digest([&self.random[..], &[number]].concat()))
    }
}

/// Returns a UUID of version 4, made of these random bytes (RFC 9562, section 5.4).
pub fn uuid_of(random: [u8; OF_THING]) -> String {
    uuid::Builder::from_random_bytes(random).into_uuid().hyphenated().to_string()
}

/// The request methods that the server distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `GET`
    Get,
    /// `HEAD`: answered like `GET`, without the body.
    Head,
    /// `POST`
    Post,
    /// `DELETE`
    Delete,
    /// `OPTIONS`
    Options,
    /// Any other method.
    Other,
}

impl Method {
    /// Returns the method with this name. Case matters (RFC 9110, section 9.1).
    pub fn parse(name: &str) -> Self {
        match name {
            "GET" => Self::Get,
            "HEAD" => Self::Head,
            "POST" => Self::Post,
            "DELETE" => Self::Delete,
            "OPTIONS" => Self::Options,
            _ => Self::Other,
        }
    }

    /// Returns whether the method is in the list of an `Allow` header.
    #[must_use]
    pub fn is_in(self, allow: &str) -> bool {
        allow.split(", ").any(|name| Self::parse(name) == self)
    }
}

/// A request. Its headers are only read when they are needed.
pub struct Call<'a> {
    /// The method.
    pub method: Method,
    /// The path with its route, and the query.
    pub target: RequestTarget<'a>,
    /// Returns the value of a header.
    pub headers: &'a dyn Fn(&str) -> Option<Cow<'a, str>>,
    /// The body of a POST. `None` if the route does not read it, or if it is longer than the route allows
    /// ([`crate::Route::body`]).
    pub body: Option<Vec<u8>>,
    /// The time and the random bytes of the call.
    pub moment: Moment,
}

impl<'a> Call<'a> {
    /// Returns the query as received, or an empty text if there is none.
    pub fn query(&self) -> &'a str {
        self.target.query.unwrap_or_default()
    }

    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<Cow<'a, str>> {
        (self.headers)(name)
    }

    /// Returns the coding of the body (RFC 9110, section 8.4). `None` if there is none, which is also named `identity`.
    pub fn coding(&self) -> Option<Cow<'a, str>> {
        let is_none = |coding: &str| coding.is_empty() || coding.eq_ignore_ascii_case("identity");
        self.header("Content-Encoding").filter(|coding| !is_none(coding.trim()))
    }

    /// Returns the caller's network address as the platform reports it, or an empty text. Headers are ignored.
    pub fn address(&self) -> Cow<'a, str> {
        self.header("CF-Connecting-IP").unwrap_or_default()
    }

    /// Returns the network of the caller: its IPv4 address, or the first 64 bits of its IPv6 address.
    pub fn network(&self) -> String {
        network_of(&self.address())
    }

    /// Returns the id of the request in logs and answers. It is the `X-Request-Id` of the caller if that is safe.
    pub fn request_id(&self) -> String {
        let safe = |name: &Cow<'_, str>| {
            (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
        };
        self.header("X-Request-Id").filter(safe).map_or_else(|| self.moment.uuid(), Cow::into_owned)
    }
}

/// Returns the network of an address: an IPv4 address, or the first 64 bits of an IPv6 address.
fn network_of(address: &str) -> String {
    match address.parse::<std::net::Ipv6Addr>() {
        Ok(v6) => v6.segments().iter().take(4).map(|part| format!("{part:x}:")).collect(),
        Err(_) => address.to_owned(),
    }
}

/// Returns the network of an address as it appears in the audit log: a keyed hash. A holder of the key can match lines
/// from the same network, but nobody else can find the address. `None` if there is no address.
pub fn network_hash(pepper: &Pepper, address: &str) -> Option<String> {
    (!address.is_empty()).then(|| pepper.pseudonym("network", &network_of(address)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_as_fhir_and_rfc_9562_require() {
        let moment = Moment { now: 1_800_000_000_123_456, random: [0xff; 32] };
        assert_eq!(moment.instant(), "2027-01-15T08:00:00.123Z");
        assert_eq!(moment.uuid(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_ne!(moment.event_id(0), moment.event_id(1));
        assert_eq!(moment.event_id(0).as_bytes().get(14), Some(&b'4'));
    }

    #[test]
    fn an_ipv6_network_is_the_first_64_bits() {
        let of = |address: &str| network_hash(&Pepper::new(b"test"), address);
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2::"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("192.0.2.1").map(|hash| hash.len()), Some(22));
        assert_eq!(of(""), None);
    }
}
