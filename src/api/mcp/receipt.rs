//! Receipts: what a tool told, signed, so that a person can check the sentences of an assistant (`/check.html`). A
//! receipt is a compact JWS (RFC 7515) with the type `receipt+jws` and a payload in raw DEFLATE. It is stored nowhere.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Map, Value, json};

use fhir::digest_text;
use oauth::SigningKeys;
use smart::Grant;

/// The most compressed bytes of a payload. A receipt then has at most 1,250 bytes.
const MAX_DEFLATED: usize = 750;

/// Returns the receipt of a call with as many of its facts as fit, from the first. `None` if there are no facts, or if
/// other servers issue the tokens, so that this one has no key. `now` is in seconds since 1970.
pub fn receipt(
    (keys, issuer, now): (&SigningKeys, &str, i64),
    (tool, arguments): (&str, &Map<String, Value>),
    grant: &Grant,
    facts: &[Value],
) -> Option<String> {
    let arguments = digest_text::<16>(Value::Object(arguments.clone()).to_string());
    let view = digest_text::<16>([grant.identity(), grant.scopes.to_string()].join("\u{1f}"));
    let mut count = facts.len();
    while count > 0 {
        let payload = json!({
            "iss": issuer, "iat": now, "tool": tool, "arguments": arguments, "view": view,
            "total": facts.len(), "facts": facts.get(..count),
        });
        let deflated = deflated(payload.to_string().as_bytes())?;
        if deflated.len() <= MAX_DEFLATED {
            return keys.sign_receipt(&deflated);
        }
        count = (count * MAX_DEFLATED / deflated.len()).min(count - 1);
    }
    None
}

/// Returns bytes in raw DEFLATE (RFC 1951).
fn deflated(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut deflating = DeflateEncoder::new(Vec::new(), Compression::new(9));
    deflating.write_all(bytes).ok()?;
    deflating.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oauth::EXAMPLE_KEY;

    #[test]
    fn a_receipt_has_as_many_facts_as_fit() {
        let keys = SigningKeys::new(EXAMPLE_KEY, &[]).unwrap();
        let with = |count: usize| {
            let fact = |n: usize| {
                json!([
                    "Hemoglobin A1c",
                    n.to_string(),
                    "%",
                    "2024-01-01",
                    format!("Observation/{}@1", digest_text::<16>(n.to_string()))
                ])
            };
            let facts: Vec<_> = (0..count).map(fact).collect();
            receipt((&keys, "https://here", 1_800_000_000), ("trend", &Map::new()), &Grant::default(), &facts)
        };
        assert_eq!(with(0), None);
        let sizes = [1, 10, 100, 1_000].map(|count| with(count).unwrap().len());
        assert!(sizes.iter().all(|size| *size <= 1_250) && sizes[3] > 1_000, "{sizes:?}");
    }
}
