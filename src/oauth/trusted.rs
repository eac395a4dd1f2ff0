//! Edge-only mode (docs/decisions/permission-and-sign-in.md#edge-only-mode): access tokens of other authorization
//! servers. `TRUSTED_ISSUERS` configures the issuers and their audiences; the authorization server of this crate is
//! off.

use serde::Deserialize;
use serde_json::Value;

use super::access_token::{AccessClaims, TokenFault, Verified};
use super::address::address;
use super::crypto::Crypto;
use super::documents::{Documents, Fetch, FetchError, OF_ISSUERS};
use super::jws::{Jws, Members};
use super::jwt_policy::TRUSTED_ACCESS_TOKEN;
use super::key_set::key_at;
use smart::{Scope, ScopeSet};

/// The paths of an issuer's metadata, relative to its address (OpenID Connect Discovery; RFC 8414).
const DESCRIPTIONS: [&str; 2] = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

/// An authorization server whose tokens are accepted.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustedIssuer {
    /// The issuer identifier. `iss` of its tokens must be equal to it.
    pub issuer: String,
    /// The required audience of its tokens. By default, the FHIR base.
    #[serde(default)]
    pub audience: Option<String>,
    /// The address of its keys. By default, the one in its metadata.
    #[serde(default)]
    pub jwks_uri: Option<String>,
    /// The clients of the issuer that may send records, by their ids there. The scopes for sending are dropped from the
    /// tokens of all other clients, since some issuers give every scope to every client.
    #[serde(default)]
    pub ingest: Vec<String>,
}

/// The reasons for refusing a token of another issuer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustFault {
    /// The token is invalid or expired.
    Token(TokenFault),
    /// The issuer does not answer. The text is only for the log.
    Issuer(String),
}

impl TrustedIssuer {
    /// Parses the configuration, a JSON list.
    ///
    /// # Errors
    /// A description of the fault.
    pub fn parse(text: &str) -> Result<Vec<Self>, String> {
        let issuers: Vec<Self> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        for TrustedIssuer { issuer, jwks_uri, .. } in &issuers {
            for address_of in std::iter::once(issuer).chain(jwks_uri) {
                address(address_of).map_err(|reason| format!("{address_of:?}: {reason}"))?;
            }
        }
        Ok(issuers)
    }

    /// Fetches the issuer's metadata.
    ///
    /// # Errors
    /// If the issuer does not answer, or the metadata names another issuer.
    pub async fn description<F: Fetch>(
        &self,
        fetch: &F,
        documents: &Documents,
        now: i64,
    ) -> Result<std::rc::Rc<Value>, FetchError> {
        let root = self.issuer.trim_end_matches('/');
        let mut fault = FetchError("it does not describe itself".to_owned());
        for path in DESCRIPTIONS {
            match documents.get(fetch, (&format!("{root}{path}"), OF_ISSUERS), |_| true, now).await {
                Ok(found) if found.get("issuer").and_then(Value::as_str) == Some(&self.issuer) => return Ok(found),
                Ok(_) => fault = FetchError("its description names another issuer".to_owned()),
                Err(error) => fault = error,
            }
        }
        Err(fault)
    }

    /// Returns the address of the issuer's keys.
    pub(super) async fn keys<F: Fetch>(
        &self,
        fetch: &F,
        documents: &Documents,
        now: i64,
    ) -> Result<String, FetchError> {
        if let Some(address) = &self.jwks_uri {
            return Ok(address.clone());
        }
        let description = self.description(fetch, documents, now).await?;
        let named = description.get("jwks_uri").and_then(Value::as_str).filter(|named| address(named).is_ok());
        named.map(str::to_owned).ok_or_else(|| FetchError("it does not say where its keys are".to_owned()))
    }
}

/// Verifies a token of a trusted issuer: issuer, key, signature, type, audience, times. Before the signature is
/// verified, the claim `iss` only selects the key set. `audience` is that of a resource other than the FHIR base.
///
/// # Errors
/// The first fault.
pub async fn verify_trusted<C: Crypto + Fetch>(
    token: &str,
    issuers: &[TrustedIssuer],
    (base, audience): (&str, Option<&str>),
    (crypto, documents): (&C, &Documents),
    now: i64,
) -> Result<Verified, TrustFault> {
    let invalid = |why| TrustFault::Token(TokenFault::Invalid(why));
    let jws = Jws::read(token, &TRUSTED_ACCESS_TOKEN).map_err(|_| invalid("it is not a signed token"))?;
    let named = jws.claims.text("iss").flatten();
    let issuer = issuers.iter().find(|issuer| named == Some(&issuer.issuer));
    let issuer = issuer.ok_or(invalid("it is of another issuer"))?;
    if !jws.header.text("typ").is_some_and(|typ| TRUSTED_ACCESS_TOKEN.takes_type(typ)) {
        return Err(invalid("it is not an access token"));
    }
    let unanswered = |FetchError(why)| TrustFault::Issuer(format!("{}: {why}", issuer.issuer));
    let address = issuer.keys(crypto, documents, now).await.map_err(unanswered)?;
    let wanted = (jws.kid.as_str(), jws.algorithm);
    let found = key_at(documents, crypto, (&address, OF_ISSUERS), wanted, now).await.map_err(unanswered)?;
    let (key, set) = found.ok_or(invalid("its key is not known"))?;
    let signed = crypto.verify(jws.algorithm, &key, jws.data.as_bytes(), &jws.signature).await;
    if !signed.map_err(|error| TrustFault::Issuer(error.0))? {
        return Err(invalid("its signature is not right"));
    }
    let claims = jws.claims;
    let ours = audience.or(issuer.audience.as_deref()).unwrap_or(base);
    if !claims.texts("aud").is_some_and(|all| all.contains(&ours)) {
        return Err(invalid("it is for another server"));
    }
    let (Some(Some(ends)), Some(nbf), Some(iat)) = (claims.number("exp"), claims.number("nbf"), claims.number("iat"))
    else {
        return Err(invalid("it does not say when it ends, or its times are none"));
    };
    if !TRUSTED_ACCESS_TOKEN.has_begun([nbf, iat].into_iter().flatten(), now) {
        return Err(invalid("its time has not come"));
    }
    if TRUSTED_ACCESS_TOKEN.has_ended(ends, now) {
        return Err(TrustFault::Token(TokenFault::Expired));
    }
    let verified = convert_claims(&claims, base, ends as i64, (issuer, issuers.len() > 1));
    Ok(verified.ok_or(invalid("a claim is missing or has the wrong form"))?.by_keys_of(set))
}

/// Converts the claims. Unknown scopes are dropped. A subject and a client id are only unique at their issuer (OpenID
/// Connect Core, section 5.7; RFC 6749, section 2.2): if several issuers are trusted, the issuer becomes part of them,
/// so that `amara` of one is not `amara` of another, nor a client one of the same name.
fn convert_claims(
    members: &Members,
    base: &str,
    expires: i64,
    (issuer, of_several): (&TrustedIssuer, bool),
) -> Option<Verified> {
    let text = |name| Some(members.text(name)?.map(str::to_owned));
    let iss = text("iss")??;
    let (scope, scp) = (members.texts("scope")?, members.texts("scp")?);
    let all = if scope.is_empty() { scp } else { scope }.join(" ");
    let known = all.split_ascii_whitespace().filter_map(|one| Some((one.to_owned(), Scope::parse(one).ok()?)));
    let sub = text("sub")?;
    let client_id = text("client_id")?.or(text("azp")?).or(text("cid")?).or_else(|| sub.clone()).unwrap_or_default();
    let sub = sub.unwrap_or_else(|| client_id.clone());
    let may_send = sub == client_id && issuer.ingest.contains(&client_id);
    let scopes: ScopeSet = known.collect();
    let scopes = if may_send { scopes } else { scopes.without_ingest() };
    let unique = |name: String| if of_several { format!("{iss}|{name}") } else { name };
    let (sub, client_id) = (unique(sub), unique(client_id));
    let claims = AccessClaims {
        sub,
        iss,
        aud: base.to_owned(),
        client_id,
        jti: text("jti")?.unwrap_or_default(),
        scope: scopes.to_string(),
        grant_id: None,
        patient: text("patient")?.map(|patient| patient.strip_prefix("Patient/").unwrap_or(&patient).to_owned()),
        encounter: None,
        fhir_user: text("fhirUser")?,
        groups: None,
        purpose: None,
    };
    Some(Verified::of(claims, scopes, expires))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{IDENTITY, Native, with};
    use base64ct::{Base64UrlUnpadded, Encoding};
    use fhir::Reference;
    use serde_json::json;
    use sqlite::now;

    const NOW: i64 = 1_800_000_000;
    const BASE: &str = "https://here/fhir/r4";

    fn platform() -> Native {
        let platform = Native::default();
        let key: Value = serde_json::from_str(IDENTITY).unwrap();
        let jwks = json!({"keys": [{"kty": "RSA", "kid": "r", "n": key["n"], "e": key["e"]}]});
        platform.0.put("https://idp.example/keys", &jwks, None);
        let description = json!({"issuer": "https://idp.example", "jwks_uri": "https://idp.example/keys"});
        platform.0.put("https://idp.example/.well-known/openid-configuration", &description, None);
        platform
    }

    fn claims() -> Value {
        json!({
            "iss": "https://idp.example", "aud": BASE, "sub": "amara", "azp": "app", "exp": NOW + 300, "iat": NOW,
            "scope": "openid email patient/*.rs", "patient": "a", "fhirUser": "Patient/a",
        })
    }

    fn token(header: &Value, claims: &Value) -> String {
        let part = |value: &Value| Base64UrlUnpadded::encode_string(value.to_string().as_bytes());
        let data = format!("{}.{}", part(header), part(claims));
        let signature = now(platform().sign_rs256(data.as_bytes())).unwrap();
        format!("{data}.{}", Base64UrlUnpadded::encode_string(&signature))
    }

    fn verify(header: &Value, claims: &Value, config: &str) -> Result<Verified, TrustFault> {
        let issuers = TrustedIssuer::parse(config).unwrap();
        let documents = Documents::default();
        now(verify_trusted(&token(header, claims), &issuers, (BASE, None), (&platform(), &documents), NOW))
    }

    const CONFIG: &str = r#"[{"issuer": "https://idp.example"}]"#;

    fn header() -> Value {
        json!({"alg": "RS256", "kid": "r", "typ": "at+jwt"})
    }

    #[test]
    fn a_token_of_a_trusted_issuer_permits_its_scopes() {
        let grant = verify(&header(), &claims(), CONFIG).unwrap().grant();
        assert_eq!((grant.client.as_str(), grant.user.as_deref()), ("app", Some("amara")));
        assert_eq!(grant.patient.unwrap().as_str(), "a");
        assert_eq!(grant.scopes.to_string(), "openid patient/*.rs", "unknown scopes are dropped");
        assert_eq!(grant.id, None, "only its issuer knows if it is active");
        assert_eq!(grant.fhir_user, Reference::parse("Patient/a"));
    }

    #[test]
    fn fhir_user_is_a_resource_of_this_server_or_none() {
        let named = |address: &str| {
            verify(&header(), &with(claims(), "fhirUser", json!(address)), CONFIG).unwrap().grant().fhir_user
        };
        assert_eq!(named("https://here/fhir/r4/Practitioner/d"), Reference::parse("Practitioner/d"));
        for other in [
            "https://idp.example/fhir/Practitioner/d",
            "https://here/fhir/r4x/Practitioner/d",
            "d",
            "https://here/fhir/r4",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }

    #[test]
    fn the_client_is_client_id_else_azp_else_cid_else_the_subject() {
        let client = |claims: Value| verify(&header(), &claims, CONFIG).unwrap().grant().client;
        let all = with(with(claims(), "cid", json!("by-cid")), "client_id", json!("by-client-id"));
        assert_eq!(client(all.clone()), "by-client-id");
        let all = with(all, "client_id", Value::Null);
        assert_eq!(client(all.clone()), "app");
        let all = with(all, "azp", Value::Null);
        assert_eq!(client(all.clone()), "by-cid");
        assert_eq!(client(with(all, "cid", Value::Null)), "amara");
    }

    #[test]
    fn wr01_only_a_named_client_that_acts_for_itself_keeps_the_scopes_of_sending() {
        let named = r#"[{"issuer": "https://idp.example", "ingest": ["feed"]}]"#;
        let sent = with(with(claims(), "azp", json!("feed")), "scope", json!("system/*.write system/*.cud"));
        let scopes = |claims: &Value, config| verify(&header(), claims, config).unwrap().grant().scopes.to_string();
        let feed = with(sent.clone(), "sub", json!("feed"));
        assert_eq!(scopes(&feed, named), "system/*.write system/*.cud");
        assert_eq!(scopes(&feed, CONFIG), "", "the operator names no client");
        assert_eq!(scopes(&sent, named), "", "a person who uses the client");
        assert_eq!(scopes(&with(feed, "azp", json!("portal")), named), "", "another client");
    }

    #[test]
    fn jw_a_client_of_one_issuer_is_not_that_of_another() {
        let several = r#"[{"issuer": "https://other.example"}, {"issuer": "https://idp.example", "ingest": ["feed"]}]"#;
        let grant = verify(&header(), &claims(), several).unwrap().grant();
        assert_eq!(grant.client, "https://idp.example|app");
        let feed = with(with(claims(), "azp", json!("feed")), "sub", json!("feed"));
        let grant = verify(&header(), &with(feed, "scope", json!("system/*.write")), several).unwrap().grant();
        assert_eq!((grant.client.as_str(), grant.user), ("https://idp.example|feed", None));
        assert_eq!(grant.scopes.to_string(), "system/*.write");
    }

    #[test]
    fn jw_a_subject_of_one_issuer_is_not_that_of_another() {
        let several = r#"[{"issuer": "https://other.example"}, {"issuer": "https://idp.example"}]"#;
        let user = |claims: &Value| verify(&header(), claims, several).unwrap().grant().user;
        assert_eq!(user(&claims()).as_deref(), Some("https://idp.example|amara"));
        assert_eq!(user(&with(claims(), "sub", json!("app"))), None, "a client that acts for itself is no user");
        assert_eq!(user(&with(claims(), "sub", Value::Null)), None);
    }

    #[test]
    fn claims_in_the_forms_of_other_servers_are_read() {
        for claims in [
            with(claims(), "aud", json!([BASE, "other"])),
            with(with(claims(), "scope", Value::Null), "scp", json!(["openid", "patient/*.rs"])),
            with(claims(), "patient", json!("Patient/a")),
            with(with(claims(), "azp", Value::Null), "cid", json!("app")),
            with(claims(), "exp", json!(NOW as f64 + 0.5)),
        ] {
            let grant = verify(&header(), &claims, CONFIG).unwrap().grant();
            assert_eq!((grant.client.as_str(), grant.user.as_deref()), ("app", Some("amara")), "{claims}");
            assert_eq!(
                (grant.scopes.to_string().as_str(), grant.patient.unwrap().as_str()),
                ("openid patient/*.rs", "a")
            );
        }
        let configured =
            r#"[{"issuer": "https://idp.example", "audience": "fhir", "jwks_uri": "https://idp.example/keys"}]"#;
        assert!(verify(&header(), &with(claims(), "aud", json!("fhir")), configured).is_ok());
        assert!(verify(&header(), &claims(), configured).is_err());
        assert!(verify(&json!({"alg": "RS256", "kid": "r"}), &claims(), CONFIG).is_ok());
    }

    #[test]
    fn jw_each_fault_of_a_trusted_token_is_found() {
        for bad in [
            with(claims(), "iss", json!("https://idp.example/")),
            with(claims(), "iss", json!("https://evil.example")),
            with(claims(), "aud", json!("app")),
            with(claims(), "aud", json!([])),
            with(claims(), "exp", Value::Null),
            with(claims(), "exp", json!("soon")),
            with(claims(), "nbf", json!(NOW + 60)),
            with(claims(), "iat", json!(i64::MAX)),
            with(claims(), "scope", json!(7)),
        ] {
            assert!(matches!(verify(&header(), &bad, CONFIG), Err(TrustFault::Token(TokenFault::Invalid(_)))), "{bad}");
        }
        let expired = verify(&header(), &with(claims(), "exp", json!(NOW)), CONFIG);
        assert_eq!(expired, Err(TrustFault::Token(TokenFault::Expired)));
        for bad in [
            with(header(), "alg", json!("none")),
            with(header(), "alg", json!("HS256")),
            with(header(), "alg", json!("RS384")),
            with(header(), "kid", json!("x")),
            with(header(), "typ", json!("logout+jwt")),
            with(header(), "crit", json!(["x"])),
        ] {
            assert!(matches!(verify(&bad, &claims(), CONFIG), Err(TrustFault::Token(_))), "{bad}");
        }
    }

    #[test]
    fn an_issuer_that_does_not_answer_is_no_fault_of_the_token() {
        let config = r#"[{"issuer": "https://silent.example"}]"#;
        let claims = with(claims(), "iss", json!("https://silent.example"));
        assert!(matches!(verify(&header(), &claims, config), Err(TrustFault::Issuer(_))));
    }

    #[test]
    fn the_configuration_of_issuers_is_strict() {
        assert!(TrustedIssuer::parse("[]").unwrap().is_empty());
        for bad in [
            "",
            "{}",
            r#"[{"issuer": "http://idp.example"}]"#,
            r#"[{"issuer": "https://idp.example", "jwks": "x"}]"#,
            r#"[{"issuer": "https://idp.example", "jwks_uri": "file:///keys"}]"#,
        ] {
            assert!(TrustedIssuer::parse(bad).is_err(), "{bad}");
        }
    }
}
