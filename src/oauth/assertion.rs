//! Client assertions (RFC 7523; SMART App Launch, "Client authentication: asymmetric";
//! docs/decisions/permission-and-sign-in.md#client-assertions).
//!
//! The registration of the client determines the key and the algorithm; the assertion does not.

use super::jws::{Jws, JwsFault, Members};
use super::jwt_policy::CLIENT_ASSERTION;

/// The `client_assertion_type` of a JWT (RFC 7523, section 2.2).
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// The maximum length of `jti`, in bytes.
const MAX_JTI_LENGTH: usize = 256;
/// The longest time until an assertion expires, in seconds, without the leeway for clocks.
const LIFE: i64 = 300;

/// An assertion with valid claims. Its signature has not been verified yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion<'a> {
    /// The claimed `client_id`.
    pub client_id: String,
    /// The identifier `jti`, which can be used once.
    pub jti: String,
    /// The time until which `jti` must be remembered, in seconds since 1970.
    pub until: i64,
    /// The claimed address of the key set.
    pub jku: Option<String>,
    /// The text as parsed, with the signature.
    pub jws: Jws<'a>,
}

struct Claims {
    iss: String,
    sub: String,
    aud: String,
    jti: String,
    exp: f64,
    begins: [Option<f64>; 2],
}

impl Claims {
    fn of(members: &Members) -> Option<Self> {
        let text = |name| members.text(name)?.map(str::to_owned);
        Some(Self {
            iss: text("iss")?,
            sub: text("sub")?,
            aud: text("aud")?,
            jti: text("jti")?,
            exp: members.number("exp")??,
            begins: [members.number("nbf")?, members.number("iat")?],
        })
    }
}

impl<'a> Assertion<'a> {
    /// Returns the claimed `client_id`, only for the log.
    pub fn claimed(text: &str) -> Option<String> {
        let jws = Jws::read(text, &CLIENT_ASSERTION).ok()?;
        jws.claims.text("iss")?.map(str::to_owned)
    }

    /// Parses an assertion and checks everything that does not depend on the client: form, type, times, and that its
    /// audience is one of these.
    ///
    /// # Errors
    /// The first fault, described for the developer of the client.
    pub fn read(text: &'a str, audiences: &[&str], now: i64) -> Result<Self, &'static str> {
        const CLAIMS: &str =
            "the claims of the assertion are not right: it needs iss, sub, aud (one text), exp and jti";
        let jws = Jws::read(text, &CLIENT_ASSERTION).map_err(|fault| match fault {
            JwsFault::Form => "the assertion is no signed JWT, or too long",
            JwsFault::Header => "the header of the assertion is not right: it needs alg and kid, and no crit",
            JwsFault::Algorithm => "the alg of the assertion is neither RS384 nor ES384",
            JwsFault::Claims => CLAIMS,
        })?;
        let claims = Claims::of(&jws.claims).ok_or(CLAIMS)?;
        let (Some(typ), Some(jku)) = (jws.header.text("typ"), jws.header.text("jku")) else {
            return Err("typ or jku of the assertion is no text");
        };
        if !CLIENT_ASSERTION.takes_type(typ) {
            return Err("the typ of the assertion is not JWT");
        }
        let jku = jku.map(str::to_owned);
        if claims.iss != claims.sub {
            return Err("iss and sub of the assertion are not the same client_id");
        }
        // A list is refused, even of only this audience: a signer of lists may also sign for other servers.
        if !audiences.contains(&claims.aud.as_str()) {
            return Err("aud of the assertion is neither the token endpoint nor the issuer");
        }
        if claims.jti.is_empty() || claims.jti.len() > MAX_JTI_LENGTH {
            return Err("jti of the assertion is empty or too long");
        }
        let latest = (now + LIFE + CLIENT_ASSERTION.late) as f64;
        if CLIENT_ASSERTION.has_ended(claims.exp, now) || claims.exp > latest {
            return Err("exp of the assertion has passed, or is more than five minutes ahead");
        }
        if !CLIENT_ASSERTION.has_begun(claims.begins.into_iter().flatten(), now) {
            return Err("nbf or iat of the assertion is ahead");
        }
        Ok(Self { client_id: claims.iss, jti: claims.jti, until: now + LIFE + 2 * CLIENT_ASSERTION.late, jku, jws })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::Algorithm;
    use crate::testing::with;
    use base64ct::{Base64UrlUnpadded, Encoding};
    use serde_json::{Value, json};

    const NOW: i64 = 1_800_000_000;
    const TOKEN_URL: &str = "https://here/oauth/token";

    fn header() -> Value {
        json!({"alg": "RS384", "kid": "k", "typ": "JWT"})
    }

    fn claims() -> Value {
        json!({"iss": "app", "sub": "app", "aud": TOKEN_URL, "exp": NOW + 300, "jti": "once"})
    }

    fn written(header: &str, claims: &str) -> String {
        let part = |text: &str| Base64UrlUnpadded::encode_string(text.as_bytes());
        format!("{}.{}.{}", part(header), part(claims), part("signature"))
    }

    fn read(header: &Value, claims: &Value) -> Result<String, &'static str> {
        let text = written(&header.to_string(), &claims.to_string());
        Assertion::read(&text, &[TOKEN_URL, "https://here"], NOW).map(|assertion| assertion.client_id)
    }

    #[test]
    fn pj01_a_good_assertion_is_read() {
        let text = written(&header().to_string(), &claims().to_string());
        let assertion = Assertion::read(&text, &[TOKEN_URL], NOW).unwrap();
        assert_eq!((assertion.client_id.as_str(), assertion.jti.as_str()), ("app", "once"));
        assert_eq!((assertion.jws.algorithm, assertion.jws.kid.as_str()), (Algorithm::Rs384, "k"));
        assert_eq!(assertion.jws.data, text.rsplit_once('.').unwrap().0);
        assert!(assertion.until >= NOW + 300 + CLIENT_ASSERTION.late, "its identifier outlives it");
        assert!(read(&with(header(), "typ", Value::Null), &claims()).is_ok());
        assert!(read(&header(), &with(claims(), "aud", json!("https://here"))).is_ok());
    }

    #[test]
    fn pj03_pj34_to_pj37_other_forms_than_a_compact_jwt_are_refused() {
        let good = written(&header().to_string(), &claims().to_string());
        let (data, signature) = good.rsplit_once('.').unwrap();
        let doubled = |text: &Value, more: &str| format!("{}{more}}}", text.to_string().strip_suffix('}').unwrap());
        for bad in [
            String::new(),
            data.to_owned(),
            format!("{good}."),
            format!("{good}.a.b"),
            format!("{good}="),
            format!(" {good}"),
            format!("{data}.{signature}\n"),
            good.replace('.', ".."),
            format!("{good}{}", "A".repeat(CLIENT_ASSERTION.longest)),
            "é.é.é".into(),
            written(&doubled(&header(), r#","alg":"RS384""#), &claims().to_string()),
            written(&header().to_string(), &doubled(&claims(), r#","exp":1900000000"#)),
            written(
                &header().to_string(),
                &doubled(&claims(), &format!(r#","x":{}{}"#, "[".repeat(3000), "]".repeat(3000))),
            ),
            written("[]", &claims().to_string()),
            written(&header().to_string(), "null"),
        ] {
            assert!(Assertion::read(&bad, &[TOKEN_URL], NOW).is_err(), "{bad}");
        }
    }

    #[test]
    fn pj04_to_pj13_the_header_names_an_algorithm_and_a_key_and_nothing_critical() {
        for (name, value) in [
            ("alg", json!("none")),
            ("alg", json!("nOnE")),
            ("alg", json!("HS256")),
            ("alg", json!("HS384")),
            ("alg", json!("RS256")),
            ("alg", json!("RS512")),
            ("alg", json!("PS384")),
            ("alg", json!("ES256")),
            ("alg", json!("rs384")),
            ("alg", json!(["RS384"])),
            ("alg", Value::Null),
            ("kid", Value::Null),
            ("kid", json!(7)),
            ("kid", json!("k".repeat(10_240))),
            ("crit", json!(["x"])),
            ("crit", json!([])),
            ("typ", json!("at+jwt")),
            ("typ", json!(7)),
        ] {
            assert!(read(&with(header(), name, value.clone()), &claims()).is_err(), "{name}: {value}");
        }
        let text = written(r#"{"alg":"RS384","kid":"k","crit":null}"#, &claims().to_string());
        assert!(Assertion::read(&text, &[TOKEN_URL], NOW).is_err());
    }

    #[test]
    fn pj16_to_pj29_the_claims_name_one_client_this_server_and_the_present() {
        let huge = json!(i64::MAX);
        for (name, value) in [
            ("iss", Value::Null),
            ("iss", json!(["app"])),
            ("sub", json!("other")),
            ("sub", Value::Null),
            ("aud", Value::Null),
            ("aud", json!([])),
            ("aud", json!([TOKEN_URL])),
            ("aud", json!([TOKEN_URL, "https://elsewhere"])),
            ("aud", json!([TOKEN_URL, 7])),
            ("aud", json!("https://here/oauth/token/")),
            ("aud", json!("https://here/oauth/Token")),
            ("aud", json!("https://here/oauth/authorize")),
            ("aud", json!("https://here/fhir/r4")),
            ("aud", json!("https://elsewhere")),
            ("exp", Value::Null),
            ("exp", json!("soon")),
            ("exp", json!(NOW - 300)),
            ("exp", json!(NOW - CLIENT_ASSERTION.late)),
            ("exp", json!(NOW + 600)),
            ("exp", json!(NOW + LIFE + CLIENT_ASSERTION.late + 1)),
            ("exp", json!(1e300)),
            ("exp", huge.clone()),
            ("exp", json!(-1)),
            ("nbf", json!(NOW + 61)),
            ("nbf", huge.clone()),
            ("iat", json!(NOW + 61)),
            ("iat", json!("now")),
            ("jti", Value::Null),
            ("jti", json!("")),
            ("jti", json!(7)),
            ("jti", json!("j".repeat(10_240))),
        ] {
            assert!(read(&header(), &with(claims(), name, value.clone())).is_err(), "{name}: {value}");
        }
    }

    #[test]
    fn pj26_pj28_clocks_may_differ_and_extreme_times_never_panic() {
        for (name, value) in [
            ("nbf", json!(NOW + 8)),
            ("iat", json!(NOW + 8)),
            ("nbf", json!(-8_334_601_228_800_i64)),
            ("exp", json!(NOW + LIFE + CLIENT_ASSERTION.late)),
            ("exp", json!(NOW - CLIENT_ASSERTION.late + 1)),
            ("exp", json!(NOW as f64 + 0.5)),
        ] {
            assert!(read(&header(), &with(claims(), name, value.clone())).is_ok(), "{name}: {value}");
        }
    }
}
