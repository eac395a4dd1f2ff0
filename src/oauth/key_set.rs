//! Key sets of clients and issuers (JWK sets, RFC 7517), inline in a registration or at an address, and the choice of
//! the key for a signature.

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::Deserialize;
use serde_json::{Value, json};

use super::access_token::SHORTEST_RSA;
use super::crypto::Algorithm;
use super::documents::{DocumentSource, Documents, Fetch, FetchError, Retention};

const MAX_KEYS: usize = 20;

/// The reasons for refusing a registered key.
const PRIVATE: &str = "a key has private members: they are not for sending. Register the public half only";
const WRONG_KIND: &str = "it has no key that verifies RS384 or ES384: one of kty RSA, or EC on P-384, whose alg, use and \
                          key_ops, where they are said, are those of a verifying key";
const WEAK: &str = "a key for RS384 or ES384 is none: RSA needs 2048 bits, P-384 both coordinates";
const NO_KID: &str = "each key needs a kid of its own";

/// A JWK set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct KeySet {
    keys: Vec<Value>,
}

impl KeySet {
    /// Parses a set. Returns `None` if it is malformed or has more than 20 keys.
    pub fn of(value: &Value) -> Option<Self> {
        Self::deserialize(value).ok().filter(|set| set.keys.len() <= MAX_KEYS)
    }

    /// Returns the public members of the key with that `kid`, if it fits the algorithm. Two keys with the same `kid`
    /// count as none (SMART App Launch, "Asymmetric client authentication").
    pub fn key(&self, kid: &str, algorithm: Algorithm) -> Option<Value> {
        let mut named = self.keys.iter().filter(|key| member(key, "kid") == Some(kid));
        match (named.next(), named.next()) {
            (Some(key), None) => usable(key, algorithm),
            (_, _) => None,
        }
    }

    fn knows(&self, kid: &str) -> bool {
        self.keys.iter().any(|key| member(key, "kid") == Some(kid))
    }

    /// Checks the keys of a registration. All keys must be public. Those for one of these algorithms must have a unique
    /// `kid` and be strong, and there must be at least one. Other keys, for encryption or of unknown types, are
    /// ignored.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self, algorithms: &[Algorithm]) -> Result<(), &'static str> {
        let mut fault = Err(WRONG_KIND);
        for key in &self.keys {
            if ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].iter().any(|private| key.get(private).is_some()) {
                return Err(PRIVATE);
            }
            let Some(algorithm) = algorithms.iter().find(|algorithm| is_for(key, **algorithm)) else { continue };
            let kid = member(key, "kid").filter(|kid| !kid.is_empty()).ok_or(NO_KID)?;
            if self.keys.iter().filter(|other| member(other, "kid") == Some(kid)).count() > 1 {
                return Err(NO_KID);
            }
            usable(key, *algorithm).ok_or(WEAK)?;
            fault = Ok(());
        }
        fault
    }
}

fn member<'a>(key: &'a Value, name: &str) -> Option<&'a str> {
    key.get(name)?.as_str()
}

/// Returns whether the members of a key declare it for signatures of that algorithm (RFC 7517, section 4).
fn is_for(key: &Value, algorithm: Algorithm) -> bool {
    let is = |name, wanted| key.get(name).is_none_or(|value| value.as_str() == Some(wanted));
    let verifies = key.get("key_ops").is_none_or(|operations| {
        operations.as_array().is_some_and(|all| all.iter().any(|one| one.as_str() == Some("verify")))
    });
    let is_of_type = member(key, "kty") == Some(algorithm.key_type()) && member(key, "crv") == algorithm.curve();
    is_of_type && is("use", "sig") && is("alg", algorithm.name()) && verifies
}

/// Returns the public members of a key, if it may verify signatures of that algorithm.
fn usable(key: &Value, algorithm: Algorithm) -> Option<Value> {
    if !is_for(key, algorithm) {
        return None;
    }
    let number = |name| Base64UrlUnpadded::decode_vec(member(key, name)?).ok();
    match algorithm {
        Algorithm::Rs256 | Algorithm::Rs384 => {
            let modulus = number("n")?;
            let zeros = modulus.iter().take_while(|byte| **byte == 0).count();
            let first = modulus.get(zeros)?;
            let bits = (modulus.len() - zeros) * 8 - first.leading_zeros() as usize;
            let exponent = number("e")?;
            let zeros = exponent.iter().take_while(|byte| **byte == 0).count();
            // With an exponent of 1, a signature is the padded digest, which anybody can write.
            let is_odd = exponent.last().is_some_and(|last| last % 2 == 1) && exponent.get(zeros..) != Some(&[1]);
            (bits >= SHORTEST_RSA && is_odd).then(|| json!({"kty": "RSA", "n": key["n"], "e": key["e"]}))
        }
        Algorithm::Es256 | Algorithm::Es384 => {
            let curve = algorithm.curve()?;
            let size = if curve == "P-256" { 32 } else { 48 };
            let whole = number("x")?.len() == size && number("y")?.len() == size;
            whole.then(|| json!({"kty": "EC", "crv": curve, "x": key["x"], "y": key["y"]}))
        }
    }
}

/// Returns the key with that `kid` from the set at an address, and the set. An unknown `kid` causes another fetch of a
/// cached set, because its owner may have changed keys, but only as often as the retention allows.
///
/// # Errors
/// If the set cannot be fetched.
pub async fn key_at<F: Fetch>(
    documents: &Documents,
    fetch: &F,
    (address, retention): (&str, Retention),
    (kid, algorithm): (&str, Algorithm),
    now: i64,
) -> Result<Option<(Value, DocumentSource)>, FetchError> {
    let knows = |document: &Value| KeySet::of(document).is_some_and(|set| set.knows(kid));
    let document = documents.get(fetch, (address, retention), knows, now).await?;
    let set = KeySet::of(&document).ok_or_else(|| FetchError("it is no JWK set".to_owned()))?;
    Ok(set.key(kid, algorithm).map(|key| (key, DocumentSource { address: address.to_owned(), document })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::FetchedDocument;
    use crate::documents::{OF_CLIENTS, OF_ISSUERS};
    use crate::testing::{FakeDocuments, IDENTITY, with};
    use Algorithm::{Es256, Es384, Rs256, Rs384};
    use sqlite::now;
    use std::future::{Future, poll_fn};
    use std::task::{Context, Poll, Waker};

    fn rsa() -> Value {
        let key: Value = serde_json::from_str(IDENTITY).unwrap();
        json!({"kty": "RSA", "n": key["n"], "e": key["e"], "kid": "r"})
    }

    fn ec() -> Value {
        let whole = |size| Base64UrlUnpadded::encode_string(&vec![1; size]);
        json!({"kty": "EC", "crv": "P-384", "x": whole(48), "y": whole(48), "kid": "e"})
    }

    fn set(keys: &[Value]) -> KeySet {
        KeySet::of(&json!({"keys": keys})).unwrap()
    }

    #[test]
    fn pj07_a_key_is_for_its_own_algorithm() {
        let set = set(&[rsa(), ec()]);
        assert!(set.key("r", Rs384).is_some() && set.key("r", Rs256).is_some() && set.key("e", Es384).is_some());
        assert!(set.key("r", Es384).is_none() && set.key("e", Rs384).is_none() && set.key("e", Es256).is_none());
        assert!(set.key("R", Rs384).is_none() && set.key("", Rs384).is_none());
        assert_eq!(set.key("e", Es384).unwrap().as_object().unwrap().len(), 4, "only what makes it a key");
    }

    #[test]
    fn pj09_two_keys_with_one_kid_count_as_none() {
        assert!(set(&[rsa(), with(ec(), "kid", json!("r"))]).key("r", Rs384).is_none());
    }

    #[test]
    fn pj14_a_key_for_another_purpose_verifies_nothing() {
        for (name, value) in [
            ("use", json!("enc")),
            ("key_ops", json!(["sign"])),
            ("key_ops", json!("verify")),
            ("alg", json!("PS384")),
            ("alg", json!("RS256")),
            ("e", json!("AA")),
            ("e", json!("AQ")),
            ("e", json!("AAE")),
            ("n", json!("AQAB")),
            ("n", json!(7)),
        ] {
            assert!(set(&[with(rsa(), name, value.clone())]).key("r", Rs384).is_none(), "{name}: {value}");
        }
        assert!(set(&[with(rsa(), "key_ops", json!(["verify"]))]).key("r", Rs384).is_some());
    }

    #[test]
    fn pj15_a_short_key_is_refused_at_registration_and_in_use() {
        let bits = |count: usize| {
            let mut modulus = vec![0xff; count.div_ceil(8)];
            modulus[0] = 0xff >> (modulus.len() * 8 - count);
            with(rsa(), "n", json!(Base64UrlUnpadded::encode_string(&modulus)))
        };
        for short in [bits(1024), bits(2047)] {
            assert_eq!(set(std::slice::from_ref(&short)).check(&[Rs384]), Err(WEAK));
            assert!(set(&[short]).key("r", Rs384).is_none());
        }
        assert_eq!(set(&[bits(2048)]).check(&[Rs384]), Ok(()));
    }

    #[test]
    fn a_registered_key_is_public_has_a_kid_and_fits_an_algorithm() {
        let check = |keys: &[Value]| set(keys).check(&[Rs384, Es384]);
        assert_eq!(check(&[rsa(), ec()]), Ok(()));
        assert_eq!(check(&[with(rsa(), "d", json!("x"))]), Err(PRIVATE));
        assert_eq!(check(&[json!({"kty": "oct", "k": "x", "kid": "k"})]), Err(PRIVATE));
        assert_eq!(check(&[with(ec(), "crv", json!("P-256"))]), Err(WRONG_KIND));
        assert_eq!(check(&[with(rsa(), "kid", Value::Null)]), Err(NO_KID));
        assert_eq!(check(&[rsa(), with(ec(), "kid", json!("r"))]), Err(NO_KID));
    }

    #[test]
    fn pj40_a_changed_key_is_found_and_unknown_ones_are_fetched_once_in_ten_seconds() {
        let shelf = FakeDocuments::default();
        let sets = Documents::default();
        let has = |kid: &str, at| {
            now(key_at(&sets, &shelf, ("https://a/jwks", OF_CLIENTS), (kid, Rs384), at)).map(|key| key.is_some())
        };
        shelf.put("https://a/jwks", &json!({"keys": [rsa()]}), Some(3_600));
        assert_eq!((has("r", 0), has("r", 10), shelf.fetches()), (Ok(true), Ok(true), 1));
        shelf.put("https://a/jwks", &json!({"keys": [with(rsa(), "kid", json!("s"))]}), Some(3_600));
        assert_eq!((has("s", 9), shelf.fetches()), (Ok(false), 1));
        assert_eq!((has("s", 10), shelf.fetches()), (Ok(true), 2));
        assert_eq!((has("x", 11), has("y", 19), shelf.fetches()), (Ok(false), Ok(false), 2));
        // After an assertion from the client, another key is looked up at once, but only one time.
        sets.allow_fetch("https://a/jwks", 19);
        assert_eq!((has("s", 19), has("x", 19), has("y", 28), shelf.fetches()), (Ok(true), Ok(false), Ok(false), 3));
        assert_eq!((has("s", 19 + 3_600), shelf.fetches()), (Ok(true), 4));
    }

    #[test]
    fn pj41_a_set_that_may_not_be_cached_is_fetched_after_each_assertion_of_its_client() {
        let shelf = FakeDocuments::default();
        let sets = Documents::default();
        shelf.put("https://a", &json!({"keys": [rsa()]}), Some(0));
        for fetches in 1..4 {
            // Assertions from other clients cause no fetch.
            for kid in ["r", "x", "r"] {
                assert!(now(key_at(&sets, &shelf, ("https://a", OF_CLIENTS), (kid, Rs384), 0)).is_ok());
            }
            assert_eq!(shelf.fetches(), fetches);
            sets.allow_fetch("https://a", 0);
        }
    }

    #[test]
    fn the_set_of_an_issuer_is_fetched_once_a_minute_despite_its_headers() {
        for max_age in [Some(0), Some(1), None, Some(3_600)] {
            let (shelf, sets) = (FakeDocuments::default(), Documents::default());
            let has = |kid: &str, at| {
                now(key_at(&sets, &shelf, ("https://a", OF_ISSUERS), (kid, Rs384), at)).map(|key| key.is_some())
            };
            shelf.put("https://a", &json!({"keys": [rsa()]}), max_age);
            for at in 0..60 {
                assert_eq!((has("r", at), has(&format!("x{at}"), at)), (Ok(true), Ok(false)), "{max_age:?}");
            }
            assert_eq!(shelf.fetches(), 1, "{max_age:?}");
            for at in 60..120 {
                assert_eq!(has(&format!("x{at}"), at), Ok(false));
            }
            assert_eq!(shelf.fetches(), 2, "{max_age:?}");
        }
    }

    #[test]
    fn concurrent_requests_for_unknown_keys_fetch_once() {
        let (shelf, sets) = (FakeDocuments::default(), Documents::default());
        let set = ("https://a", OF_ISSUERS);
        shelf.put("https://a", &json!({"keys": [rsa()]}), None);
        assert!(now(key_at(&sets, &shelf, set, ("r", Rs384), 0)).unwrap().is_some());
        let slow = SlowDocuments(&shelf);
        let mut context = Context::from_waker(Waker::noop());
        let mut all = ["x", "y", "z"].map(|kid| Box::pin(key_at(&sets, &slow, set, (kid, Rs384), 60)));
        let pending = all.iter_mut().filter_map(|one| one.as_mut().poll(&mut context).is_pending().then_some(one));
        let mut pending: Vec<_> = pending.collect();
        assert_eq!(pending.len(), 1, "the others are told what is known");
        assert!(pending[0].as_mut().poll(&mut context).is_ready());
        assert_eq!(shelf.fetches(), 2);
        // If there is no usable document, at most two callers fetch it.
        for (address, at) in [("https://b", 60), ("https://a", 9_000)] {
            shelf.put(address, &json!({"keys": [rsa()]}), None);
            let mut all = ["r"; 5].map(|kid| Box::pin(key_at(&sets, &slow, (address, OF_CLIENTS), (kid, Rs384), at)));
            let pending = all.iter_mut().filter_map(|one| one.as_mut().poll(&mut context).is_pending().then_some(one));
            let mut pending: Vec<_> = pending.collect();
            assert_eq!(pending.len(), 2);
            assert!(pending.iter_mut().all(|one| one.as_mut().poll(&mut context).is_ready()));
        }
    }

    /// Documents that arrive after one poll.
    struct SlowDocuments<'a>(&'a FakeDocuments);

    impl Fetch for SlowDocuments<'_> {
        async fn fetch(&self, address: &str) -> Result<FetchedDocument, FetchError> {
            let mut turns = 0;
            poll_fn(|_| {
                turns += 1;
                if turns == 1 { Poll::Pending } else { Poll::Ready(()) }
            })
            .await;
            self.0.fetch(address).await
        }

        async fn send_form(&self, address: &str, by: Option<&str>, form: String) -> Result<String, FetchError> {
            self.0.send_form(address, by, form).await
        }
    }

    #[test]
    fn keys_of_an_issuer_are_used_for_a_day_while_it_does_not_answer() {
        let (shelf, sets) = (FakeDocuments::default(), Documents::default());
        let has = |at| now(key_at(&sets, &shelf, ("https://a", OF_ISSUERS), ("r", Rs384), at)).map(|key| key.is_some());
        shelf.put("https://a", &json!({"keys": [rsa()]}), Some(0));
        assert_eq!(has(0), Ok(true));
        shelf.take("https://a");
        assert_eq!(
            (has(59), has(60), has(119), shelf.fetches()),
            (Ok(true), Ok(true), Ok(true), 2),
            "asked once a minute"
        );
        assert_eq!((has(120), has(80_000), has(86_399)), (Ok(true), Ok(true), Ok(true)));
        assert!(has(86_400).is_err() && has(86_404).is_err());
        shelf.put("https://a", &json!({"keys": [rsa()]}), Some(0));
        assert_eq!(has(86_405), Ok(true));
        shelf.put("https://a", &json!({"keys": []}), Some(0));
        assert_eq!((has(86_464), has(86_465)), (Ok(true), Ok(false)), "a key that is gone is gone");
    }

    #[test]
    fn keys_of_a_client_are_used_no_longer_than_its_headers_allow() {
        let (shelf, sets) = (FakeDocuments::default(), Documents::default());
        let has = |kid: &str, at| {
            now(key_at(&sets, &shelf, ("https://a", OF_CLIENTS), (kid, Rs384), at)).map(|key| key.is_some())
        };
        shelf.put("https://a", &json!({"keys": [rsa()]}), Some(300));
        assert_eq!(has("r", 0), Ok(true));
        shelf.take("https://a");
        assert_eq!((has("x", 60), has("r", 60), has("r", 299)), (Ok(false), Ok(true), Ok(true)));
        assert!(has("r", 300).is_err());
    }

    #[test]
    fn pj39_a_malformed_set_is_refused_and_fetched_again_after_a_while() {
        let shelf = FakeDocuments::default();
        let sets = Documents::default();
        shelf.put("https://a", &json!("<html>"), None);
        let key = |at| now(key_at(&sets, &shelf, ("https://a", OF_CLIENTS), ("r", Rs384), at));
        assert!(key(0).is_err() && key(9).is_err());
        assert_eq!(shelf.fetches(), 1);
        let nothing = |at| now(key_at(&sets, &shelf, ("https://b", OF_CLIENTS), ("r", Rs384), at));
        assert!(nothing(0).is_err() && nothing(4).is_err() && nothing(5).is_err());
        assert_eq!(shelf.fetches(), 3);
        let many: Vec<_> = (0..21).map(|at| with(rsa(), "kid", json!(at.to_string()))).collect();
        assert!(KeySet::of(&json!({"keys": many})).is_none());
    }
}
