//! Access tokens: JWTs signed with ES256 (RFC 9068, docs/decisions/permission-and-sign-in.md#access-tokens).
//!
//! jwt-compact signs and parses. The platform verifies the signature ([`Crypto`]), which takes a fraction of the time
//! that it takes in wasm. `typ`, `crit` and the times are checked here, with saturating arithmetic: jwt-compact panics
//! on an extreme `nbf`.

use base64ct::{Base64UrlUnpadded, Encoding};
use jwt_compact::alg::Es256;
use jwt_compact::{AlgorithmExt, Claims, Header, UntrustedToken};
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::crypto::{Algorithm, Crypto};
use super::documents::DocumentSource;
use super::jwt_policy::{ACCESS_TOKEN, JwtPolicy};
use super::secret::hashed;
use fhir::{Id, Reference};
use smart::{Grant, ScopeSet};

/// The `typ` of an access token (RFC 9068, section 2.1).
const TYPE: &str = "at+jwt";

/// The shortest modulus of an RSA key, in bits (RFC 7518, section 3.3).
pub(super) const SHORTEST_RSA: usize = 2048;

/// The private example key of RFC 7515, appendix A.3, for examples, tests and rehearsals. Everybody knows it.
pub const EXAMPLE_KEY: &str = include_str!("signing.json");

/// The claims of an access token, without its times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessClaims {
    /// The issuer.
    pub iss: String,
    /// The audience: the FHIR base.
    pub aud: String,
    /// The subject: the user, or the client if it acts for itself.
    pub sub: String,
    /// The `client_id` of the holder.
    pub client_id: String,
    /// The unique id of the token.
    pub jti: String,
    /// The granted scopes, separated by blanks.
    pub scope: String,
    /// The id of the authorization, in the claim `sid`.
    #[serde(default, rename = "sid", skip_serializing_if = "Option::is_none")]
    pub grant_id: Option<String>,
    /// The id of the patient in context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patient: Option<String>,
    /// The id of the encounter in context. It opens nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encounter: Option<String>,
    /// The user's own resource.
    #[serde(default, rename = "fhirUser", skip_serializing_if = "Option::is_none")]
    pub fhir_user: Option<String>,
    /// The names of the Groups to which the client is limited ([`Grant::groups`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<String>>,
    /// The purpose of the client ([`Grant::purpose`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
}

/// The header members that jwt-compact does not check.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Critical {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crit: Option<Value>,
}

/// The keys of the authorization server.
pub struct SigningKeys {
    /// `None` in edge-only mode, in which other servers issue the tokens.
    signing: Option<SigningKey>,
    /// The public keys for access tokens by `kid`, beginning with the one that signs.
    verifying: Vec<(String, Value)>,
    /// The public keys for identity tokens by `kid`, beginning with the one that signs.
    identity: Vec<(String, Value)>,
}

impl std::fmt::Debug for SigningKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ids: Vec<_> = self.verifying.iter().map(|(id, _)| id).collect();
        write!(f, "Keys({ids:?})")
    }
}

/// The reason why a text is not a usable key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeyError(pub String);

impl SigningKeys {
    /// Parses the keys for access tokens, private JWKs on P-256: the current one, which signs, and others whose tokens
    /// are still accepted.
    ///
    /// # Errors
    /// If a text is not a private JWK on P-256.
    pub fn new(current: &str, others: &[&str]) -> Result<Self, KeyError> {
        let signing = private(current)?;
        let mut verifying = vec![public(&signing)];
        for other in others {
            verifying.push(public(&private(other)?));
        }
        Ok(Self { signing: Some(signing), verifying, identity: Vec::new() })
    }

    /// Returns no keys, for edge-only mode.
    pub const fn none() -> Self {
        Self { signing: None, verifying: Vec::new(), identity: Vec::new() }
    }

    /// Adds keys for identity tokens from private RSA JWKs, beginning with the one that signs. The platform signs with
    /// it ([`super::Crypto`]); this type only keeps the public keys.
    ///
    /// # Errors
    /// If a text is not a private RSA JWK.
    pub fn with_identity(mut self, jwks: &[&str]) -> Result<Self, KeyError> {
        self.identity = jwks.iter().map(|jwk| public_rsa(jwk)).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// Returns the `kid` of the key that signs identity tokens.
    pub fn identity(&self) -> Option<&str> {
        self.identity.first().map(|(id, _)| id.as_str())
    }

    /// Signs an access token that is valid from `now` until `expires`, in seconds since 1970.
    ///
    /// # Errors
    /// If a time is out of range, or the claims cannot be serialized.
    pub fn sign(&self, claims: AccessClaims, now: i64, expires: i64) -> Result<String, String> {
        let time =
            |seconds| chrono::DateTime::from_timestamp(seconds, 0).ok_or_else(|| "a time out of range".to_owned());
        let mut all = Claims::new(claims);
        all.issued_at = Some(time(now)?);
        all.expiration = Some(time(expires)?);
        let keys = self.verifying.first().zip(self.signing.as_ref());
        let ((id, _), signing) = keys.ok_or("there is no key that signs")?;
        let header = Header::empty().with_key_id(id.clone()).with_token_type(TYPE);
        Es256.token(&header, &all, signing).map_err(|error| error.to_string())
    }

    /// Signs a payload, compressed with DEFLATE, as a compact JWS (RFC 7515) of the type `receipt+jws`, which is no
    /// access token. `None` if there is no key that signs.
    pub fn sign_receipt(&self, deflated: &[u8]) -> Option<String> {
        let ((id, _), signing) = self.verifying.first().zip(self.signing.as_ref())?;
        let header = json!({"alg": "ES256", "kid": id, "typ": "receipt+jws", "zip": "DEF"}).to_string();
        let data = [header.as_bytes(), deflated].map(Base64UrlUnpadded::encode_string).join(".");
        let signature: Signature = signing.sign(data.as_bytes());
        Some([data, Base64UrlUnpadded::encode_string(&signature.to_bytes())].join("."))
    }

    /// Returns the public keys as a JWK set (RFC 7517).
    pub fn jwks(&self) -> Value {
        let keys = self.verifying.iter().chain(&self.identity).map(|(_, key)| key.clone());
        json!({"keys": keys.collect::<Vec<_>>()})
    }
}

/// Parses a private JWK on P-256 (RFC 7518, section 6.2).
fn private(jwk: &str) -> Result<SigningKey, KeyError> {
    #[derive(Deserialize)]
    struct Ec {
        kty: String,
        crv: String,
        x: String,
        y: String,
        d: String,
    }
    let Ec { kty, crv, x, y, d } =
        serde_json::from_str(jwk).map_err(|error| KeyError(format!("it is no private key on P-256: {error}")))?;
    let key = Base64UrlUnpadded::decode_vec(&d).ok().and_then(|bytes| SigningKey::from_slice(&bytes).ok());
    key.filter(|key| kty == "EC" && crv == "P-256" && point(key.verifying_key()) == [x, y])
        .ok_or_else(|| KeyError("it is no private key on P-256".to_owned()))
}

/// Returns the coordinates `x` and `y` of a public key, in base64url.
fn point(key: &VerifyingKey) -> [String; 2] {
    let point = key.to_encoded_point(false);
    [point.x(), point.y()].map(|half| Base64UrlUnpadded::encode_string(half.map_or(&[], |half| half as &[u8])))
}

/// Returns a public key as a JWK, and its thumbprint (RFC 7638): a hash of the required members in alphabetical order.
fn public(key: &SigningKey) -> (String, Value) {
    let [x, y] = point(key.verifying_key());
    let id = hashed(&format!("{{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"{x}\",\"y\":\"{y}\"}}"));
    let jwk = json!({"kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": id, "use": "sig", "alg": "ES256"});
    (id, jwk)
}

/// Returns the public members of a private RSA JWK and its thumbprint (RFC 7638).
fn public_rsa(jwk: &str) -> Result<(String, Value), KeyError> {
    #[derive(Deserialize)]
    struct Rsa {
        kty: String,
        n: String,
        e: String,
        #[serde(rename = "d")]
        _private: String,
    }
    let Rsa { kty, n, e, .. } =
        serde_json::from_str(jwk).map_err(|error| KeyError(format!("it is no private RSA key: {error}")))?;
    let bits = Base64UrlUnpadded::decode_vec(&n).map_or(0, |bytes| bytes.len() * 8);
    if kty != "RSA" || bits < SHORTEST_RSA {
        return Err(KeyError(format!("it is no RSA key of {SHORTEST_RSA} bits or more")));
    }
    let id = hashed(&format!("{{\"e\":\"{e}\",\"kty\":\"RSA\",\"n\":\"{n}\"}}"));
    let key = json!({"kty": "RSA", "n": n, "e": e, "kid": id, "use": "sig", "alg": "RS256"});
    Ok((id, key))
}

/// A bearer token that has not been verified. Its claims cannot be read.
#[derive(Clone, Copy)]
pub struct UnverifiedToken<'a>(&'a str);

/// The reasons for refusing a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenFault {
    /// The token is not valid at this server. The text is the reason.
    Invalid(&'static str),
    /// The token has expired.
    Expired,
}

/// The statements of a token, except its subject.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TokenStatements<'a> {
    pub typ: Option<&'a str>,
    /// True if the header requires the receiver to understand an extension.
    pub is_critical: bool,
    pub issuer: Option<&'a str>,
    pub audiences: Vec<&'a str>,
    /// The times from which the token is valid, `iat` and `nbf`, in seconds since 1970. NaN is not a time.
    pub begins: [Option<f64>; 2],
    /// The time until which the token is valid.
    pub ends: Option<f64>,
}

/// The requirements for a token at a moment, in seconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(super) struct TokenRequirements<'a> {
    pub policy: &'a JwtPolicy,
    pub issuer: Option<&'a str>,
    pub audience: Option<&'a str>,
    pub now: i64,
}

/// A check of a token with a valid signature: its name, the condition, and the reason for refusing a token.
pub(super) type TokenCheck = (&'static str, fn(&TokenStatements<'_>, TokenRequirements<'_>) -> bool, TokenFault);

/// The checks of a token with a valid signature. `token_explanation.rs` uses them to explain a token.
pub(super) const CHECKS: &[TokenCheck] = &[
    ("critical", |stated, _| !stated.is_critical, TokenFault::Invalid("it is not an access token")),
    ("type", |stated, of| of.policy.takes_type(stated.typ), TokenFault::Invalid("it is not an access token")),
    ("issuer", |stated, of| stated.issuer == of.issuer, ELSEWHERE),
    ("audience", |stated, of| of.audience.is_some_and(|one| stated.audiences.contains(&one)), ELSEWHERE),
    (
        "begins",
        |stated, of| of.policy.has_begun(stated.begins.into_iter().flatten(), of.now),
        TokenFault::Invalid("its time has not come"),
    ),
    ("ends", |stated, of| stated.ends.is_some_and(|ends| !of.policy.has_ended(ends, of.now)), TokenFault::Expired),
];

const ELSEWHERE: TokenFault = TokenFault::Invalid("it is of another issuer, or for another server");

/// A token whose signature, times, issuer and audience have been verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    claims: AccessClaims,
    scopes: ScopeSet,
    expires: i64,
    /// The key set that verified the signature, if the token is from another issuer.
    keys: Option<DocumentSource>,
}

impl<'a> UnverifiedToken<'a> {
    /// Wraps the text of a bearer token.
    pub const fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// Verifies key, signature, type, times, issuer and audience. No claim is read before the signature is verified.
    ///
    /// # Errors
    /// The first fault.
    ///
    /// # Examples
    ///
    /// ```
    /// use oauth::{AccessClaims, Crypto, EXAMPLE_KEY, SigningKeys, TokenFault, UnverifiedToken};
    ///
    /// # async fn example(platform: &impl Crypto) -> Result<(), oauth::KeyError> {
    /// let keys = SigningKeys::new(EXAMPLE_KEY, &[])?;
    /// let (issuer, audience) = ("https://ehr.example", "https://ehr.example/fhir/r4");
    /// let claims = AccessClaims {
    ///     iss: issuer.to_owned(),
    ///     aud: audience.to_owned(),
    ///     sub: "amara".to_owned(),
    ///     client_id: "app".to_owned(),
    ///     jti: "1".to_owned(),
    ///     scope: "patient/Observation.rs".to_owned(),
    ///     grant_id: Some("an-authorization".to_owned()),
    ///     patient: Some("a".to_owned()),
    ///     encounter: None,
    ///     fhir_user: None,
    ///     groups: None,
    ///     purpose: None,
    /// };
    /// let token = keys.sign(claims, 1_000, 1_300).expect("the times are in range");
    ///
    /// let token = UnverifiedToken::new(&token);
    /// let verified = token.verify((&keys, platform), 1_299, issuer, audience).await.expect("the token is valid");
    /// assert_eq!(verified.grant().patient.as_ref().map(|id| id.as_str()), Some("a"));
    /// let expired = token.verify((&keys, platform), 1_300, issuer, audience).await;
    /// assert!(matches!(expired, Err(TokenFault::Expired)));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn verify<C: Crypto>(
        self,
        (keys, crypto): (&SigningKeys, &C),
        now: i64,
        issuer: &str,
        audience: &str,
    ) -> Result<Verified, TokenFault> {
        use TokenFault::Invalid;
        if self.0.len() > ACCESS_TOKEN.longest {
            return Err(Invalid("it is too long"));
        }
        let token = UntrustedToken::<Critical>::try_from(self.0).map_err(|_| Invalid("it is not a signed token"))?;
        let header = token.header();
        let named = keys.verifying.iter().find(|(id, _)| header.key_id.as_deref() == Some(id));
        let (_, key) = named.ok_or(Invalid("its key is not known"))?;
        let (data, _) = self.0.rsplit_once('.').ok_or(Invalid("it is not a signed token"))?;
        let (algorithm, signature) = (Algorithm::Es256, token.signature_bytes());
        let is_verified = token.algorithm() == algorithm.name()
            && crypto.verify(algorithm, key, data.as_bytes(), signature).await.unwrap_or_default();
        if !is_verified {
            return Err(Invalid("its signature is not right"));
        }
        let claims = token.deserialize_claims_unchecked::<AccessClaims>();
        let claims = claims.map_err(|_| Invalid("its claims are not right"))?;
        let expires = claims.expiration.ok_or(Invalid("it does not say when it ends"))?.timestamp();
        if claims.custom.grant_id.is_none() {
            return Err(Invalid("it does not say which authorization it stems from"));
        }
        let stated = TokenStatements {
            typ: header.token_type.as_deref(),
            is_critical: header.other_fields.crit.is_some(),
            issuer: Some(&claims.custom.iss),
            audiences: vec![&claims.custom.aud],
            begins: [claims.issued_at, claims.not_before].map(|time| Some(time?.timestamp() as f64)),
            ends: Some(expires as f64),
        };
        let required = TokenRequirements { policy: &ACCESS_TOKEN, issuer: Some(issuer), audience: Some(audience), now };
        if let Some((_, _, fault)) = CHECKS.iter().find(|(_, holds, _)| !holds(&stated, required)) {
            return Err(*fault);
        }
        let scopes = ScopeSet::parse(&claims.custom.scope).map_err(|_| Invalid("its scopes are not known"))?;
        Ok(Verified { claims: claims.custom.clone(), scopes, expires, keys: None })
    }
}

impl Verified {
    /// Returns the verified claims.
    pub const fn claims(&self) -> &AccessClaims {
        &self.claims
    }

    /// Creates a token that another part of this module verified.
    pub(super) const fn of(claims: AccessClaims, scopes: ScopeSet, expires: i64) -> Self {
        Self { claims, scopes, expires, keys: None }
    }

    /// Adds the key set of the issuer.
    pub(super) fn by_keys_of(self, set: DocumentSource) -> Self {
        Self { keys: Some(set), ..self }
    }

    /// Returns the key set that verified the signature, if the token is from another issuer.
    pub const fn keys(&self) -> Option<&DocumentSource> {
        self.keys.as_ref()
    }

    /// Returns the time at which the token expires, in seconds since 1970.
    pub const fn expires(&self) -> i64 {
        self.expires
    }

    /// Returns the access that the token permits. A patient whose id is not a FHIR id, or a `fhirUser` of another
    /// server, permits nothing.
    pub fn grant(&self) -> Grant {
        let AccessClaims { aud, sub, client_id, patient, grant_id, fhir_user, groups, purpose, .. } = &self.claims;
        Grant {
            id: grant_id.clone(),
            client: client_id.clone(),
            patient: patient.as_deref().and_then(Id::parse),
            user: (sub != client_id).then(|| sub.clone()),
            fhir_user: fhir_user.as_deref().and_then(|address| resource_at(address, aud)),
            scopes: self.scopes.clone(),
            groups: groups.clone(),
            purpose: purpose.clone(),
        }
    }
}

/// Returns the resource at an address under the FHIR base, or of a relative reference. `None` for another server.
fn resource_at(address: &str, base: &str) -> Option<Reference> {
    let below = address.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
    Reference::parse(below.unwrap_or(address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Native, claims, keys, with};
    use jwt_compact::alg::{Hs256, Hs256Key};

    const NOW: i64 = 1_800_000_000;

    fn verify(token: &str, now: i64) -> Result<Verified, TokenFault> {
        let (keys, platform) = (keys(), Native::default());
        let token = UnverifiedToken::new(token);
        sqlite::now(token.verify((&keys, &platform), now, "https://here", "https://here/fhir/r4"))
    }

    /// Returns a token with this header and payload, signed with the test key.
    fn signed(header: &str, payload: &str) -> String {
        let data = format!(
            "{}.{}",
            Base64UrlUnpadded::encode_string(header.as_bytes()),
            Base64UrlUnpadded::encode_string(payload.as_bytes())
        );
        let signature: Signature = keys().signing.unwrap().sign(data.as_bytes());
        format!("{data}.{}", Base64UrlUnpadded::encode_string(&signature.to_bytes()))
    }

    fn header(more: &str) -> String {
        format!(r#"{{"alg":"ES256","kid":"{}","typ":"at+jwt"{more}}}"#, keys().verifying[0].0)
    }

    fn payload(more: &str) -> String {
        let text = serde_json::to_string(&claims()).unwrap();
        format!("{}{more}}}", text.strip_suffix('}').unwrap())
    }

    #[test]
    fn a_signed_token_verifies_until_it_expires() {
        let token = keys().sign(claims(), NOW, NOW + 300).unwrap();
        let verified = verify(&token, NOW).unwrap();
        assert_eq!(verified.grant().patient.as_ref().map(Id::as_str), Some("a"));
        assert_eq!(verified.grant().user.as_deref(), Some("amara"));
        assert!(verify(&token, NOW + 299).is_ok());
        assert_eq!(verify(&token, NOW + 300), Err(TokenFault::Expired));
        assert!(matches!(verify(&token, NOW - ACCESS_TOKEN.early - 1), Err(TokenFault::Invalid(_))));
    }

    #[test]
    fn jw_another_issuer_audience_or_type_is_invalid() {
        for other in [
            AccessClaims { iss: "https://here/".into(), ..claims() },
            AccessClaims { aud: "app".into(), ..claims() },
            AccessClaims { scope: "patient/Foo.read".into(), ..claims() },
            AccessClaims { grant_id: None, ..claims() },
        ] {
            assert!(matches!(verify(&keys().sign(other, NOW, NOW + 9).unwrap(), NOW), Err(TokenFault::Invalid(_))));
        }
        let good = payload(&format!(r#","exp":{}"#, NOW + 9));
        assert!(verify(&signed(&header(""), &good), NOW).is_ok());
        for bad in [
            header("").replace("at+jwt", "JWT"),
            header("").replace(r#","typ":"at+jwt""#, ""),
            header(r#","crit":["x"]"#),
            header(r#","crit":[]"#),
            header("").replace("ES256", "none"),
            header("").replace("ES256", "es256"),
            header("").replace("ES256", "HS256"),
            header(r#","alg":"ES256""#),
            header(r#","cty":"cbor""#),
            header("").replace(keys().verifying[0].0.as_str(), "other"),
            header("").replace("\"kid\"", "\"kidd\""),
            header("").replace("at+jwt", "logout+jwt"),
            header("").replace("\"at+jwt\"", "[\"at+jwt\"]"),
            header(r#","crit":["exp"]"#),
            format!("\u{feff}{}", header("")),
            "[]".into(),
            "null".into(),
            "{".into(),
            String::new(),
        ] {
            assert!(matches!(verify(&signed(&bad, &good), NOW), Err(TokenFault::Invalid(_))), "{bad}");
        }
        let bom = format!("\u{feff}{good}");
        for bad in ["", "null", "[]", "1", "\"x\"", good.trim_start_matches('{'), &good.replace('}', "}x"), &bom] {
            assert!(matches!(verify(&signed(&header(""), bad), NOW), Err(TokenFault::Invalid(_))), "{bad}");
        }
        let parsed: Value = serde_json::from_str(&good).unwrap();
        for (name, values) in [
            ("iss", json!([null, ["https://here"]])),
            ("aud", json!([null, ["https://other.example"]])),
            ("sub", json!([null, 1])),
            ("client_id", json!([null, {}])),
            ("jti", json!([null, 1])),
            ("scope", json!([null, ["patient/*.read"]])),
            ("patient", json!([1, ["a"]])),
        ] {
            for value in values.as_array().unwrap() {
                let bad = with(parsed.clone(), name, value.clone()).to_string();
                assert!(matches!(verify(&signed(&header(""), &bad), NOW), Err(TokenFault::Invalid(_))), "{bad}");
            }
        }
    }

    #[test]
    fn jw_extreme_times_are_invalid_and_never_panic() {
        for bad in [
            "",
            r#","exp":"soon""#,
            r#","exp":null"#,
            r#","exp":{}"#,
            r#","exp":1900000000,"nbf":"0""#,
            r#","exp":1900000000,"iat":"x""#,
            r#","exp":1900000000,"nbf":1900000000"#,
            r#","exp":1900000000,"iat":1900000000"#,
            r#","exp":1900000000,"exp":1900000000"#,
            r#","exp":1900000000,"sub":"other""#,
        ] {
            assert!(verify(&signed(&header(""), &payload(bad)), NOW).is_err(), "{bad}");
        }
        for extreme in ["-8334601228801", "9223372036854775807", "-9223372036854775808", "1e300", "1e400", "-1e400"] {
            for before in [r#","exp":"#, r#","exp":1900000000,"iat":"#, r#","exp":1900000000,"nbf":"#] {
                let bad = payload(&format!("{before}{extreme}"));
                assert!(verify(&signed(&header(""), &bad), NOW).is_err(), "{bad}");
            }
        }
        // The smallest possible time is in the past. The check in jwt-compact itself would panic on it.
        assert!(verify(&signed(&header(""), &payload(r#","exp":1900000000,"nbf":-8334601228800"#)), NOW).is_ok());
    }

    #[test]
    fn jw_a_changed_or_foreign_signature_is_invalid() {
        let token = keys().sign(claims(), NOW, NOW + 300).unwrap();
        let (data, signature) = token.rsplit_once('.').unwrap();
        let public_key_as_secret = Hs256Key::new(keys().jwks().to_string().as_bytes());
        let confused = Hs256
            .token(
                &Header::empty().with_key_id(keys().verifying[0].0.clone()),
                &Claims::new(claims()),
                &public_key_as_secret,
            )
            .unwrap();
        for bad in [
            data.to_owned(),
            format!("{data}."),
            format!("{data}.{}", signature.split_at(2).1),
            format!("{data}.{signature}{signature}"),
            format!("{data}.{}", Base64UrlUnpadded::encode_string(&[0; 64])),
            format!("{data}.{signature}="),
            format!("{data}.{signature} "),
            format!("{data}x.{signature}"),
            format!("{token}.x"),
            format!("{{\"payload\":\"{token}\"}}"),
            token.replace('.', ".."),
            confused,
            "é".repeat(10),
            "a".repeat(ACCESS_TOKEN.longest + 1),
            String::new(),
        ] {
            assert!(matches!(verify(&bad, NOW), Err(TokenFault::Invalid(_))), "{bad}");
        }
        let deep = signed(&header(""), &payload(&format!(",\"x\":{}{}", "[".repeat(3000), "]".repeat(3000))));
        assert!(verify(&deep, NOW).is_err());
    }

    #[test]
    fn the_key_set_is_public() {
        let jwks = keys().jwks();
        let key = &jwks["keys"][0];
        assert_eq!(
            (key["kty"].as_str(), key["crv"].as_str(), key["alg"].as_str()),
            (Some("EC"), Some("P-256"), Some("ES256"))
        );
        assert!(key.get("d").is_none() && !jwks.to_string().contains("jpsQnnGQmL"));
    }

    #[test]
    fn malformed_private_keys_are_refused() {
        for bad in [
            "",
            "{}",
            &EXAMPLE_KEY.replace("\"d\"", "\"e\""),
            &EXAMPLE_KEY.replace("P-256", "P-384"),
            &EXAMPLE_KEY.replace("jpsQ", "kpsQ"),
        ] {
            assert!(SigningKeys::new(bad, &[]).is_err(), "{bad}");
        }
    }
}
