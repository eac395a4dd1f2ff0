//! Identity tokens (OpenID Connect Core 1.0, section 2; SMART App Launch, `sso-openid-connect`): JWTs with RS256.

use base64ct::{Base64UrlUnpadded, Encoding};
use serde::Serialize;
use serde_json::json;

use super::crypto::{Crypto, CryptoError};

/// The life of an identity token, in seconds. Apps only read it once, on receipt.
const LIFE: i64 = 300;

/// The claims of an identity token, without its times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdClaims {
    /// The issuer.
    pub iss: String,
    /// The subject: the name of the user.
    pub sub: String,
    /// The audience: the `client_id`.
    pub aud: String,
    /// The absolute address of the user's own resource, if the scope `fhirUser` (or `profile`) was granted.
    #[serde(rename = "fhirUser", skip_serializing_if = "Option::is_none")]
    pub fhir_user: Option<String>,
    /// The `nonce` of the authorization request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<String>,
    /// The session in which the user signed in, in the claim `sid` (OpenID Connect Front-Channel Logout 1.0, section
    /// 3).
    #[serde(rename = "sid", skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The time of the user's sign-in, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_time: Option<i64>,
}

/// Signs an identity token with the key `kid` ([`super::SigningKeys::identity`]).
///
/// # Errors
/// If the platform cannot sign.
pub async fn issue<C: Crypto>(crypto: &C, kid: &str, claims: IdClaims, now: i64) -> Result<String, CryptoError> {
    #[derive(Serialize)]
    struct All {
        #[serde(flatten)]
        claims: IdClaims,
        iat: i64,
        exp: i64,
    }
    let header = json!({"alg": "RS256", "kid": kid, "typ": "JWT"}).to_string();
    let all = All { claims, iat: now, exp: now.saturating_add(LIFE) };
    let payload = serde_json::to_string(&all).map_err(|error| CryptoError(error.to_string()))?;
    let part = |text: &str| Base64UrlUnpadded::encode_string(text.as_bytes());
    let data = format!("{}.{}", part(&header), part(&payload));
    let signature = crypto.sign_rs256(data.as_bytes()).await?;
    Ok(format!("{data}.{}", Base64UrlUnpadded::encode_string(&signature)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Algorithm;
    use crate::testing::{IDENTITY, Native, keys};
    use sqlite::now;

    #[test]
    fn ac16_an_identity_token_is_rs256_and_verifies_with_the_published_key() {
        let keys = keys().with_identity(&[IDENTITY]).unwrap();
        let claims = IdClaims {
            iss: "https://here".into(),
            sub: "amara".into(),
            aud: "app".into(),
            fhir_user: Some("https://here/fhir/r4/Patient/a".into()),
            nonce: Some("n".into()),
            session: Some("s".into()),
            auth_time: None,
        };
        let token = now(issue(&Native::default(), keys.identity().unwrap(), claims, 1_000)).unwrap();
        let (data, signature) = token.rsplit_once('.').unwrap();
        let decoded = |part: &str| -> serde_json::Value {
            serde_json::from_slice(&Base64UrlUnpadded::decode_vec(part).unwrap()).unwrap()
        };
        let (header, payload) = data.split_once('.').unwrap();
        let jwks = keys.jwks();
        let published = jwks["keys"].as_array().unwrap().iter().find(|key| key["kid"] == decoded(header)["kid"]);
        let signature = Base64UrlUnpadded::decode_vec(signature).unwrap();
        assert!(
            now(Native::default().verify(Algorithm::Rs256, published.unwrap(), data.as_bytes(), &signature)).unwrap()
        );
        assert_eq!(decoded(header)["alg"], "RS256");
        let expected = serde_json::json!({
            "iss": "https://here", "sub": "amara", "aud": "app", "fhirUser": "https://here/fhir/r4/Patient/a",
            "nonce": "n", "sid": "s", "iat": 1_000, "exp": 1_000 + LIFE,
        });
        assert_eq!(decoded(payload), expected);
    }

    #[test]
    fn ds08_no_private_member_is_published() {
        let jwks = keys().with_identity(&[IDENTITY]).unwrap().jwks();
        for key in jwks["keys"].as_array().unwrap() {
            for private in ["d", "p", "q", "dp", "dq", "qi", "k"] {
                assert!(key.get(private).is_none(), "{private} in {key}");
            }
        }
        assert_eq!(jwks["keys"].as_array().unwrap().len(), 2);
    }
}
