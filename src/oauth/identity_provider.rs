//! Identity providers (OpenID Connect Core 1.0): users sign in elsewhere, and this server is the relying party.
//! `IDENTITY_PROVIDERS` configures them.

use base64ct::{Base64, Base64UrlUnpadded, Encoding};
use serde::Deserialize;
use serde_json::Value;

use super::address::address;
use super::authorize::{UI_LOCALES, encoded, form_of, with_parameters};
use super::crypto::Crypto;
use super::documents::{Documents, Fetch, FetchError, OF_ISSUERS};
use super::jws::Jws;
use super::jwt_policy::PROVIDER_ID_TOKEN;
use super::key_set::key_at;
use super::secret::{Pepper, hashed, same};
use super::trusted::TrustedIssuer;
use fhir::Language;

/// The maximum length of a subject, in bytes (OpenID Connect Core 1.0, section 2).
pub const MAX_SUBJECT_LENGTH: usize = 255;
/// The allowed difference of clocks, in seconds.
const LEEWAY: i64 = 30;

/// A configured identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityProvider {
    /// The issuer, and the way to find its metadata.
    issuer: TrustedIssuer,
    /// The name on the sign-in button.
    pub name: String,
    /// The `client_id` of this server at the provider.
    client_id: String,
    /// The secret of this server at the provider.
    secret: String,
}

/// The configuration of a provider, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderConfiguration {
    issuer: String,
    name: String,
    client_id: String,
    /// The name of the Worker's secret that contains the client secret.
    secret: String,
}

/// The reasons why a sign-in at a provider fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderFault {
    /// The provider does not answer, or gives an invalid answer. The text is only for the log.
    Provider(String),
    /// The identity token is not valid for this sign-in.
    Token(&'static str),
}

/// The values that bind one sign-in at a provider to its answer. They are derived from the `state`, and not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bindings {
    nonce: String,
    verifier: String,
}

impl Bindings {
    /// Derives the values from the `state`. Nobody can derive them without the secret of the server.
    pub fn of(pepper: &Pepper, state: &str) -> Self {
        let [nonce, verifier] = ["provider nonce", "provider verifier"]
            .map(|usage| Base64UrlUnpadded::encode_string(&pepper.mix(usage, state)));
        Self { nonce, verifier }
    }
}

/// An authentication request to a provider (section 3.1.2.1).
#[derive(Debug, Clone, Copy)]
pub struct AuthenticationRequest<'a> {
    /// The `state` that the answer repeats.
    pub state: &'a str,
    /// The address of the answer.
    pub redirect: &'a str,
    /// True if the provider must authenticate the user again.
    pub fresh: bool,
    /// The language of the provider's pages, if an app requests one. Otherwise the browser states it.
    pub language: Option<Language>,
}

impl IdentityProvider {
    /// Parses the configuration, a JSON list. `secret` returns the secret of the Worker with that name.
    ///
    /// # Errors
    /// A description of the fault.
    pub fn parse(text: &str, secret: impl Fn(&str) -> Result<String, String>) -> Result<Vec<Self>, String> {
        let all: Vec<ProviderConfiguration> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let mut providers: Vec<Self> = Vec::with_capacity(all.len());
        for ProviderConfiguration { issuer, name, client_id, secret: of } in all {
            Self::check_issuer(&issuer)?;
            if name.is_empty() || client_id.is_empty() {
                return Err(format!("{issuer:?}: the name or the client_id is empty"));
            }
            if providers.iter().any(|other| other.issuer() == issuer) {
                return Err(format!("{issuer:?} is there twice"));
            }
            let issuer = TrustedIssuer { issuer, audience: None, jwks_uri: None, ingest: Vec::new() };
            providers.push(Self { issuer, name, client_id, secret: secret(&of)? });
        }
        Ok(providers)
    }

    /// Checks an issuer identifier: https, or http on this machine.
    ///
    /// # Errors
    /// A description of the fault.
    pub fn check_issuer(issuer: &str) -> Result<(), String> {
        address(issuer).map_err(|reason| format!("the issuer {issuer:?}: {reason}"))
    }

    /// Returns the issuer identifier.
    pub fn issuer(&self) -> &str {
        &self.issuer.issuer
    }

    /// Returns the address at which the user signs in (section 3.1.2.1).
    ///
    /// # Errors
    /// If the provider does not answer, or has no such address.
    pub async fn authorization_address<F: Fetch>(
        &self,
        (fetch, documents): (&F, &Documents),
        AuthenticationRequest { state, redirect, fresh, language }: AuthenticationRequest<'_>,
        bindings: &Bindings,
        now: i64,
    ) -> Result<String, FetchError> {
        let metadata = self.issuer.description(fetch, documents, now).await?;
        let endpoint = endpoint(&metadata, "authorization_endpoint")?;
        let challenge = hashed(&bindings.verifier);
        let mut request = vec![
            ("response_type", "code"),
            ("client_id", self.client_id.as_str()),
            ("redirect_uri", redirect),
            ("scope", "openid"),
            ("state", state),
            ("nonce", &bindings.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        if fresh {
            request.extend([("prompt", "login"), ("max_age", "0")]);
        }
        request.extend(language.map(|language| (UI_LOCALES, language.tag())));
        Ok(with_parameters(endpoint, &request))
    }

    /// Returns whether an authorization response may be from this provider, according to its `iss` (RFC 9207). A
    /// provider whose metadata promise `iss` must send it.
    ///
    /// # Errors
    /// If the provider does not answer.
    pub async fn may_have_sent<F: Fetch>(
        &self,
        (fetch, documents): (&F, &Documents),
        iss: Option<&str>,
        now: i64,
    ) -> Result<bool, FetchError> {
        if let Some(iss) = iss {
            return Ok(iss == self.issuer());
        }
        let metadata = self.issuer.description(fetch, documents, now).await?;
        Ok(metadata.get("authorization_response_iss_parameter_supported") != Some(&Value::Bool(true)))
    }

    /// Exchanges a code, verifies the identity token, and returns its subject (sections 3.1.3.1 and 3.1.3.7). `began`
    /// is the time at which the sign-in began, if the provider had to authenticate the user again.
    ///
    /// # Errors
    /// If the provider does not answer, or its identity token is not valid for this sign-in.
    pub async fn fetch_subject<P: Crypto + Fetch>(
        &self,
        (platform, documents): (&P, &Documents),
        (code, redirect): (&str, &str),
        bindings: &Bindings,
        began: Option<i64>,
        now: i64,
    ) -> Result<String, ProviderFault> {
        let unanswered = |FetchError(why)| ProviderFault::Provider(format!("{}: {why}", self.issuer()));
        let metadata = self.issuer.description(platform, documents, now).await.map_err(unanswered)?;
        let tokens = endpoint(&metadata, "token_endpoint").map_err(unanswered)?;
        // The secret is sent in the form only if the provider does not accept HTTP Basic (Discovery, section 3).
        let methods = metadata.get("token_endpoint_auth_methods_supported").and_then(Value::as_array);
        let takes = |method: &str| methods.is_some_and(|all| all.iter().any(|one| one.as_str() == Some(method)));
        let in_form = takes("client_secret_post") && !takes("client_secret_basic");
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect),
            ("code_verifier", bindings.verifier.as_str()),
        ];
        if in_form {
            form.extend([("client_id", self.client_id.as_str()), ("client_secret", &self.secret)]);
        }
        let authorization = (!in_form).then(|| basic(&self.client_id, &self.secret));
        let answer = platform.send_form(tokens, authorization.as_deref(), form_of(&form)).await.map_err(unanswered)?;
        let answer: Value = serde_json::from_str(&answer).map_err(|error| unanswered(FetchError(error.to_string())))?;
        let token = answer.get("id_token").and_then(Value::as_str);
        let token = token.ok_or(ProviderFault::Token("there is no identity token"))?;
        let keys = self.issuer.keys(platform, documents, now).await.map_err(unanswered)?;
        let jws = Jws::read(token, &PROVIDER_ID_TOKEN)
            .map_err(|_| ProviderFault::Token("it is no identity token with an accepted algorithm"))?;
        let wanted = (jws.kid.as_str(), jws.algorithm);
        let found = key_at(documents, platform, (&keys, OF_ISSUERS), wanted, now).await.map_err(unanswered)?;
        let (key, _) = found.ok_or(ProviderFault::Token("its key is not known"))?;
        let signed = platform.verify(jws.algorithm, &key, jws.data.as_bytes(), &jws.signature).await;
        if !signed.map_err(|error| ProviderFault::Provider(error.0))? {
            return Err(ProviderFault::Token("its signature is not right"));
        }
        self.check_claims(&jws, bindings, began, now).map_err(ProviderFault::Token)
    }

    /// Checks the claims of an identity token with a verified signature, and returns the subject.
    fn check_claims(
        &self,
        jws: &Jws<'_>,
        bindings: &Bindings,
        began: Option<i64>,
        now: i64,
    ) -> Result<String, &'static str> {
        let claims = &jws.claims;
        if !jws.header.text("typ").is_some_and(|typ| PROVIDER_ID_TOKEN.takes_type(typ)) {
            return Err("it is not an identity token");
        }
        if claims.text("iss").flatten() != Some(self.issuer()) {
            return Err("it is of another issuer");
        }
        // Any other audience is untrusted (section 3.1.3.7, no. 3).
        if claims.texts("aud").as_deref() != Some(&[self.client_id.as_str()]) {
            return Err("it is for another client");
        }
        if !matches!(claims.text("azp"), Some(None)) && claims.text("azp").flatten() != Some(&self.client_id) {
            return Err("it was issued to another client");
        }
        let (Some(Some(exp)), Some(Some(iat)), Some(nbf)) =
            (claims.number("exp"), claims.number("iat"), claims.number("nbf"))
        else {
            return Err("it does not say when it was issued and when it ends");
        };
        if !PROVIDER_ID_TOKEN.has_begun(std::iter::once(iat).chain(nbf), now) {
            return Err("its time has not come");
        }
        if PROVIDER_ID_TOKEN.has_ended(exp, now) {
            return Err("it has expired");
        }
        if !claims.text("nonce").flatten().is_some_and(|nonce| same(nonce, &bindings.nonce)) {
            return Err("it is of another sign-in");
        }
        if let Some(began) = began {
            let at = claims.number("auth_time").flatten().ok_or("it does not say when the user signed in")?;
            if at.is_nan() || at < (began - LEEWAY) as f64 {
                return Err("the user did not sign in again");
            }
        }
        let subject = claims.text("sub").flatten().filter(|sub| !sub.is_empty() && sub.len() <= MAX_SUBJECT_LENGTH);
        subject.map(str::to_owned).ok_or("it has no subject")
    }
}

/// Returns the address of an endpoint in the metadata of a provider.
fn endpoint<'a>(metadata: &'a Value, name: &str) -> Result<&'a str, FetchError> {
    let named = metadata.get(name).and_then(Value::as_str).filter(|named| address(named).is_ok());
    named.ok_or_else(|| FetchError(format!("it has no {name}")))
}

/// Returns the `Authorization` header of HTTP Basic. Both parts are form-encoded first (RFC 6749, section 2.3.1).
fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", Base64::encode_string(format!("{}:{}", encoded(id), encoded(secret)).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_that_is_wrong_is_refused() {
        let good = r#"[{"issuer":"https://a.example","name":"A","client_id":"c","secret":"S"}]"#;
        let parse = |text: &str| {
            IdentityProvider::parse(text, |name| if name == "S" { Ok("x".into()) } else { Err("no".into()) })
        };
        assert_eq!(parse(good).unwrap().len(), 1);
        assert!(parse("[]").unwrap().is_empty());
        assert!(parse(&good.replace("https://a.example", "http://localhost:9")).is_ok());
        for bad in [
            "{}".to_owned(),
            good.replace("https:", "http:"),
            good.replace("\"A\"", "\"\""),
            good.replace("\"c\"", "\"\""),
            good.replace("\"S\"", "\"T\""),
            good.replace("secret", "secrets"),
            good.replace("https://a.example", "https://a.example/#x"),
            format!("[{0},{0}]", good.trim_matches(['[', ']'])),
        ] {
            assert!(parse(&bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_parts_of_basic_are_encoded_first() {
        assert_eq!(basic("a:b", "c d"), format!("Basic {}", Base64::encode_string(b"a%3Ab:c%20d")));
    }
}
