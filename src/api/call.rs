//! A request, independent of the runtime that received it.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use crate::fhir::{Micros, instant};
use crate::oauth::Pepper;

/// When a call was made, and randomness for it alone. The rooms below the hosts have no other clock and no other dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Microseconds since 1970.
    pub now: Micros,
    /// Random bytes.
    pub random: [u8; 32],
}

impl Moment {
    /// Seconds since 1970.
    #[must_use]
    pub const fn seconds(&self) -> i64 {
        self.now.div_euclid(1_000_000)
    }

    /// The time as a FHIR `instant`, to the millisecond.
    #[must_use]
    pub fn instant(&self) -> String {
        instant(self.now)
    }

    /// A random UUID (RFC 9562, version 4).
    #[must_use]
    pub fn uuid(&self) -> String {
        uuid_of(&self.random)
    }

    /// A random UUID for the event of that number. It is a hash, so that nothing else that is made of the same bytes can be
    /// told from it.
    #[must_use]
    pub fn event_id(&self, number: u8) -> String {
        uuid_of(&Sha256::new().chain_update(self.random).chain_update([number]).finalize().into())
    }
}

/// The UUID of the first bytes.
fn uuid_of(random: &[u8; 32]) -> String {
    let mut text = String::with_capacity(36);
    for (at, byte) in random.iter().take(16).enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        let byte = match at {
            6 => byte & 0x0f | 0x40,
            8 => byte & 0x3f | 0x80,
            _ => *byte,
        };
        write_hex(byte, &mut text);
    }
    text
}

/// Writes the two hexadecimal digits of a byte.
pub fn write_hex(byte: u8, text: &mut String) {
    for digit in [byte >> 4, byte & 0x0f] {
        text.push(char::from_digit(digit.into(), 16).unwrap_or_default());
    }
}

/// The methods that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// GET
    Get,
    /// HEAD: as GET, without the body.
    Head,
    /// POST
    Post,
    /// OPTIONS
    Options,
    /// Any other.
    Other,
}

impl Method {
    /// The method of that name.
    #[must_use]
    pub fn parse(name: &str) -> Self {
        match name {
            "GET" => Self::Get,
            "HEAD" => Self::Head,
            "POST" => Self::Post,
            "OPTIONS" => Self::Options,
            _ => Self::Other,
        }
    }

    /// Returns whether it is in the list of an `Allow` header.
    #[must_use]
    pub fn is_in(self, allow: &str) -> bool {
        allow.split(", ").any(|name| Self::parse(name) == self)
    }
}

/// A request: what it asks, and its headers, which are looked up when they are needed.
pub struct Call<'a> {
    /// The method.
    pub method: Method,
    /// The path, as it came: still percent-encoded.
    pub path: &'a str,
    /// What stands behind the question mark, as it came.
    pub query: Option<&'a str>,
    /// The value of a header.
    pub headers: &'a dyn Fn(&str) -> Option<Cow<'a, str>>,
    /// The body of a POST, or nothing where it is longer than [`Call::LONGEST_BODY`].
    pub body: Option<Vec<u8>>,
    /// When.
    pub moment: Moment,
}

impl<'a> Call<'a> {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<Cow<'a, str>> {
        (self.headers)(name)
    }

    /// The network address that it came from, as the platform tells; empty where it does not. Headers that a caller can
    /// write are not asked.
    #[must_use]
    pub fn address(&self) -> Cow<'a, str> {
        self.header("CF-Connecting-IP").unwrap_or_default()
    }

    /// The network that it came from: its address, of an IPv6 address the part that is a subscriber's.
    #[must_use]
    pub fn source(&self) -> String {
        subscriber(&self.address())
    }

    /// The longest body that is read, in bytes. Every POST here is a form.
    pub const LONGEST_BODY: usize = 64 * 1024;

    /// The name of the request in logs and answers: the caller's, where it is made of characters that are safe in both.
    #[must_use]
    pub fn name(&self) -> String {
        let safe = |name: &Cow<'_, str>| {
            (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b))
        };
        self.header("X-Request-Id").filter(safe).map_or_else(|| self.moment.uuid(), Cow::into_owned)
    }
}

fn subscriber(address: &str) -> String {
    match address.parse::<std::net::Ipv6Addr>() {
        Ok(v6) => v6.segments().iter().take(4).map(|part| format!("{part:x}:")).collect(),
        Err(_) => address.to_owned(),
    }
}

/// The network of an address as the audit log names it: a keyed hash, so that lines from one network can be matched by who
/// has the key, and nobody else can find the address. Nothing where there is no address.
#[must_use]
pub fn network(pepper: &Pepper, address: &str) -> Option<String> {
    (!address.is_empty()).then(|| pepper.pseudonym("network", &subscriber(address)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_prints_as_fhir_and_rfc_9562_have_it() {
        let moment = Moment { now: 1_800_000_000_123_456, random: [0xff; 32] };
        assert_eq!(moment.instant(), "2027-01-15T08:00:00.123Z");
        assert_eq!(moment.uuid(), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_ne!(moment.event_id(0), moment.event_id(1));
        assert_eq!(moment.event_id(0).as_bytes().get(14), Some(&b'4'));
    }

    #[test]
    fn a_network_is_that_of_a_subscriber() {
        let of = |address: &str| network(&Pepper::new(b"test"), address);
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2::"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("192.0.2.1").map(|hash| hash.len()), Some(22));
        assert_eq!(of(""), None);
    }
}
