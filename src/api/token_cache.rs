//! A cache of verified tokens. Verifying a signature takes milliseconds, and each request repeats the token.

use std::rc::Rc;

use super::http::throttle::ClientRates;
use collections::cache::{Cache, Cached};
use oauth::{DocumentSource, Documents, Resource, TokenFault, Verified};
use smart::Grant;

/// The tokens that an isolate has verified. The key is the whole text of a token. A token is kept until it expires; a
/// token of another issuer is verified again when the key set that verified it changes. The status of its grant is
/// queried for each answer.
#[derive(Debug, Default)]
pub struct TokenCache {
    known: Cache<Known, MAX>,
    /// The request rates of the clients.
    pub rates: ClientRates,
}

#[derive(Debug)]
struct Known {
    grant: Rc<Grant>,
    resource: Resource,
    /// The time at which the token expires, in seconds since 1970.
    expires: i64,
    /// The time at which the token is verified again at the latest, in seconds since 1970.
    until: i64,
    /// The key set that verified the token, if its issuer is another server.
    keys: Option<DocumentSource>,
}

impl Cached for Known {}

/// The most tokens in the cache.
const MAX: usize = 1_000;
/// The longest time for which a token is kept, in seconds.
const MAX_LENGTH: i64 = 86_400;

impl TokenCache {
    /// Returns the grant of a token for a resource that is in the cache and need not be verified again.
    pub fn known(
        &self,
        token: &str,
        resource: Resource,
        documents: &Documents,
        now: i64,
    ) -> Option<Result<Rc<Grant>, TokenFault>> {
        let grant = |known: &mut Known| {
            if known.resource != resource {
                return None;
            }
            if now >= known.expires {
                return Some(Err(TokenFault::Expired));
            }
            let holds = now < known.until && known.keys.as_ref().is_none_or(|keys| documents.is_current(keys, now));
            holds.then(|| Ok(Rc::clone(&known.grant)))
        };
        self.known.with(token, grant)?
    }

    /// Adds a token that was verified for a resource at `now`.
    pub fn add(&self, token: &str, resource: Resource, verified: &Verified, now: i64) -> Rc<Grant> {
        let grant = Rc::new(verified.grant());
        let keys = verified.keys().cloned();
        let (expires, until) = (verified.expires(), now + MAX_LENGTH);
        let known = Known { grant: Rc::clone(&grant), resource, expires, until, keys };
        self.known.put(token, known);
        grant
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64ct::{Base64UrlUnpadded, Encoding};
    use oauth::testing::{IDENTITY, Native, claims, keys};
    use oauth::{Crypto, TrustedIssuer, UnverifiedToken, verify_trusted};
    use serde_json::{Value, json};
    use sqlite::now;

    const NOW: i64 = 1_800_000_000;
    const JWKS: &str = "https://idp.example/keys";
    const DAY: i64 = 86_400;

    /// An issuer, and the caches of an isolate.
    #[derive(Default)]
    struct World {
        platform: Native,
        documents: Documents,
        tokens: TokenCache,
        verified: std::cell::Cell<usize>,
    }

    impl World {
        fn publish(&self, kid: &str, max_age: i64) {
            let key: Value = serde_json::from_str(IDENTITY).unwrap();
            let key = json!({"kty": "RSA", "kid": kid, "n": key["n"], "e": key["e"]});
            self.platform.0.put(JWKS, &json!({"keys": [key]}), Some(max_age));
        }

        fn token(&self, kid: &str, life: i64) -> String {
            let part = |value: &Value| Base64UrlUnpadded::encode_string(value.to_string().as_bytes());
            let claims = json!({
                "iss": "https://idp.example", "aud": "https://here", "sub": "amara", "exp": NOW + life,
                "scope": "patient/*.rs",
            });
            let data = format!("{}.{}", part(&json!({"alg": "RS256", "kid": kid})), part(&claims));
            let signature = now(self.platform.sign_rs256(data.as_bytes())).unwrap();
            format!("{data}.{}", Base64UrlUnpadded::encode_string(&signature))
        }

        /// Returns whether a token is valid after `later` seconds. A token that is not cached is verified.
        fn is_good(&self, token: &str, later: i64) -> bool {
            let at = NOW + later;
            if let Some(known) = self.tokens.known(token, Resource::Fhir, &self.documents, at) {
                return known.is_ok();
            }
            self.verified.set(self.verified.get() + 1);
            let config = json!([{"issuer": "https://idp.example", "jwks_uri": JWKS}]).to_string();
            let issuers = TrustedIssuer::parse(&config).unwrap();
            let with = (&self.platform, &self.documents);
            let verified = now(verify_trusted(token, &issuers, ("https://here", None), with, at));
            verified.is_ok_and(|verified| {
                !self.tokens.add(token, Resource::Fhir, &verified, at).scopes.to_string().is_empty()
            })
        }
    }

    #[test]
    fn a_token_ends_with_its_key() {
        let world = World::default();
        world.publish("old", 600);
        let token = world.token("old", 10 * DAY);
        assert!(world.is_good(&token, 0) && world.is_good(&token, 599));
        assert_eq!(world.verified.get(), 1);
        world.publish("new", 600);
        assert!(world.is_good(&token, 599), "the set may still be kept");
        assert!(!world.is_good(&token, 600));
    }

    #[test]
    fn a_token_ends_when_another_causes_a_fetch_of_the_key_set() {
        let world = World::default();
        world.publish("old", 3_600);
        let (old, new) = (world.token("old", DAY), world.token("new", DAY));
        assert!(world.is_good(&old, 0));
        world.publish("new", 3_600);
        assert!(world.is_good(&old, 61), "nothing has asked for the set again");
        assert!(world.is_good(&new, 61));
        assert!(!world.is_good(&old, 61));
    }

    #[test]
    fn an_unchanged_key_set_keeps_verified_tokens() {
        let world = World::default();
        world.publish("old", 600);
        let tokens = [world.token("old", DAY), world.token("old", DAY + 1)];
        assert!(tokens.iter().all(|token| world.is_good(token, 0)));
        assert!(tokens.iter().all(|token| world.is_good(token, 600)));
        assert_eq!((world.verified.get(), world.platform.0.fetches()), (3, 2));
    }

    #[test]
    fn a_token_is_cached_for_a_day_at_most() {
        let (tokens, documents) = (TokenCache::default(), Documents::default());
        for (life, kept) in [(60, 60), (100 * DAY, DAY)] {
            let token = keys().sign(claims(), NOW, NOW + life).unwrap();
            let (keys, platform) = (keys(), Native::default());
            let token_of = UnverifiedToken::new(&token);
            let verified = now(token_of.verify((&keys, &platform), NOW, "https://here", "https://here/fhir/r4"));
            let verified = verified.unwrap();
            let grant = tokens.add(&token, Resource::Fhir, &verified, NOW);
            let known = |later| tokens.known(&token, Resource::Fhir, &documents, NOW + later);
            assert_eq!(known(kept - 1), Some(Ok(grant)));
            assert_eq!(tokens.known(&token, Resource::Mcp, &documents, NOW), None, "it is for one resource");
            let end = (life == kept).then_some(Err(TokenFault::Expired));
            assert_eq!(known(kept), end, "it has expired, or is verified again");
        }
    }

    #[test]
    fn tokens_of_an_unreachable_issuer_are_valid_for_a_day() {
        let world = World::default();
        world.publish("old", 0);
        let token = world.token("old", 100 * DAY);
        assert!(world.is_good(&token, 0));
        world.platform.0.take(JWKS);
        assert!((1..1_440).all(|minute| world.is_good(&token, minute * 60)));
        assert!(!world.is_good(&token, DAY));
    }
}
