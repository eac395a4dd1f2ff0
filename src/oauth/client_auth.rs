//! Client authentication: HTTP Basic (RFC 6749, section 2.3.1), a signed assertion (RFC 7523), or none for public
//! clients.

use base64ct::{Base64, Encoding};
use percent_encoding::percent_decode_str;

use super::agents::known_client;
use super::assertion::{ASSERTION_TYPE, Assertion};
use super::auth_store::AuthStore;
use super::client::Client;
use super::client_kind::ClientKind;
use super::crypto::Crypto;
use super::documents::{Fetch, FetchError, OF_CLIENTS};
use super::error::{OAuthError, OAuthErrorCode};
use super::guesses::{Guard, Guess, Secret};
use super::jws::Jws;
use super::key_set::{KeySet, key_at};
use super::secret::{hashed, same};
use super::service::{TokenRequest, TokenService};

/// The credentials of HTTP Basic.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The claimed `client_id`.
    pub client_id: String,
    /// The presented secret.
    pub secret: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Credentials({:?}, ..)", self.client_id)
    }
}

/// Authenticates the client of a request at the token endpoint, or at another endpoint that is protected in the same
/// way: by HTTP Basic, by a signed assertion, or, for a public client, only by `client_id`.
///
/// # Errors
/// If the client does not authenticate, or does so in more than one way. An unknown client is refused like one whose
/// authentication failed.
pub async fn authenticate<L: AuthStore + Guard, C: Crypto + Fetch>(
    service: &TokenService<'_, L, C>,
    request: &TokenRequest<'_>,
) -> Result<Client, OAuthError> {
    let refused = |code, why| Err(OAuthError::new(code, why));
    request.check_one_way()?;
    if request.get("client_secret").is_some() {
        let why = "a secret is taken in the Authorization header alone (HTTP Basic), not in the body";
        return refused(OAuthErrorCode::InvalidClient, why);
    }
    match (request.authorization, request.get("client_id")) {
        (Some(header), _) => authenticate_by_secret(service, request, &basic(header)?).await,
        (None, _) if request.assertion().is_some() => authenticate_by_assertion(service, request).await,
        (None, Some(id)) => {
            // The document of an agent is not needed: codes and refresh tokens are bound to what it permitted.
            let client = known_client(service.auth_store, service.agents, service.issuer, id).await?;
            let public = client.filter(|client| client.kind == ClientKind::Public);
            public
                .ok_or(OAuthError::new(OAuthErrorCode::InvalidClient, "the client is not known, or must authenticate"))
        }
        (None, None) => refused(OAuthErrorCode::InvalidClient, "the client did not authenticate"),
    }
}

impl<L: AuthStore, C> TokenService<'_, L, C> {
    /// Returns whether a `client_id` is that of a client, which may be disabled. It is not if the auth store fails.
    pub async fn is_registered(&self, id: &str) -> bool {
        self.auth_store.client(id).await.is_ok_and(|client| client.is_some())
            || self.agents.is_some_and(|agents| agents.client(id, self.issuer).is_some())
    }
}

impl TokenRequest<'_> {
    fn assertion(&self) -> Option<&str> {
        self.get("client_assertion").or(self.get("client_assertion_type"))
    }

    /// Checks that the client authenticates in one way at most (RFC 6749, section 2.3).
    pub(super) fn check_one_way(&self) -> Result<(), OAuthError> {
        let ways = [self.authorization, self.assertion(), self.get("client_secret")];
        if ways.into_iter().flatten().count() > 1 {
            let why = "the client authenticates in more than one way";
            return Err(OAuthError::new(OAuthErrorCode::InvalidRequest, why));
        }
        Ok(())
    }

    /// Returns the claimed `client_id`, only for the log.
    pub fn claimed(&self) -> Option<String> {
        let header = self.authorization.and_then(|header| basic(header).ok()).map(|credentials| credentials.client_id);
        header
            .or_else(|| self.get("client_id").map(str::to_owned))
            .or_else(|| self.get("client_assertion").and_then(Assertion::claimed))
    }
}

async fn authenticate_by_secret<L: AuthStore + Guard, C>(
    service: &TokenService<'_, L, C>,
    request: &TokenRequest<'_>,
    credentials: &Credentials,
) -> Result<Client, OAuthError> {
    if request.get("client_id").is_some_and(|id| id != credentials.client_id) {
        let why = "client_id is another one than in the Authorization header";
        return Err(OAuthError::new(OAuthErrorCode::InvalidRequest, why));
    }
    let Credentials { client_id, secret } = credentials;
    Guess::new(Secret::ClientSecret, client_id, secret, request.network).admit(service.auth_store, service.now).await?;
    credentials.prove(service.auth_store.client(client_id).await?)
}

async fn authenticate_by_assertion<L: AuthStore + Guard, C: Crypto + Fetch>(
    service: &TokenService<'_, L, C>,
    request: &TokenRequest<'_>,
) -> Result<Client, OAuthError> {
    let refused = |why| OAuthError::new(OAuthErrorCode::InvalidClient, why);
    if request.get("client_assertion_type") != Some(ASSERTION_TYPE) {
        return Err(refused("client_assertion_type is not that of a JWT (RFC 7523)"));
    }
    let text = request.get("client_assertion").ok_or(refused("client_assertion is missing"))?;
    let endpoint = format!("{}/oauth/token", service.issuer);
    let assertion = Assertion::read(text, &[&endpoint, service.issuer], service.now).map_err(refused)?;
    if request.get("client_id").is_some_and(|id| id != assertion.client_id) {
        return Err(refused("client_id is another one than in the assertion"));
    }
    let client = service.auth_store.client(&assertion.client_id).await?.filter(|client| !client.disabled);
    let proven = match client {
        Some(client) => is_signed(service, &assertion, &client).await?.then_some(client),
        None => None,
    };
    let Some(client) = proven else {
        Guess::new(Secret::Assertion, &assertion.client_id, text, request.network)
            .admit(service.auth_store, service.now)
            .await?;
        return Err(refused("the client is not known, or the assertion is not signed by a key of it"));
    };
    // The signature is checked first. Otherwise anybody could redeem identifiers that the client will use later.
    if !service.auth_store.redeem_assertion(&client.client_id, &assertion.jti, assertion.until).await? {
        return Err(refused("the assertion was used before"));
    }
    Ok(client)
}

/// Returns whether a key of the client has signed the assertion.
///
/// # Errors
/// If the assertion names another key address than the registration, or if the keys cannot be obtained.
async fn is_signed<L, C: Crypto + Fetch>(
    service: &TokenService<'_, L, C>,
    assertion: &Assertion<'_>,
    client: &Client,
) -> Result<bool, OAuthError> {
    let refused = |why| OAuthError::new(OAuthErrorCode::InvalidClient, why);
    if assertion.jku.is_some() && assertion.jku != client.jwks_uri {
        return Err(refused("jku of the assertion is not the registered address"));
    }
    let Jws { algorithm, kid, data, signature, .. } = &assertion.jws;
    let key = match (&client.jwks, &client.jwks_uri) {
        (Some(inline), _) => KeySet::of(inline).and_then(|set| set.key(kid, *algorithm)),
        (None, Some(address)) => {
            let set = (address.as_str(), OF_CLIENTS);
            let found = key_at(service.documents, service.crypto, set, (kid, *algorithm), service.now).await;
            let found = found.map_err(|FetchError(detail)| OAuthError {
                detail: Some(format!("the keys of {:?}: {detail}", client.client_id)),
                ..refused("the keys of the client are not to be had at its registered address")
            })?;
            found.map(|(key, _)| key)
        }
        (None, None) => None,
    };
    let Some(key) = key else { return Ok(false) };
    let is_signed = service.crypto.verify(*algorithm, &key, data.as_bytes(), signature).await?;
    if let Some(address) = client.jwks_uri.as_deref().filter(|_| is_signed) {
        service.documents.allow_fetch(address, service.now);
    }
    Ok(is_signed)
}

/// Parses the credentials of an `Authorization: Basic …` header. Identifier and secret may be percent-encoded or plain:
/// registration only allows characters that are the same in both forms.
///
/// # Errors
/// If the header has another scheme or is malformed.
pub fn basic(header: &str) -> Result<Credentials, OAuthError> {
    let refused = || OAuthError::new(OAuthErrorCode::InvalidClient, "the Authorization header is not HTTP Basic");
    let (scheme, encoded) = header.split_once(' ').ok_or_else(refused)?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return Err(refused());
    }
    let decoded = Base64::decode_vec(encoded.trim()).map_err(|_| refused())?;
    let text = String::from_utf8(decoded).map_err(|_| refused())?;
    let (id, secret) = text.split_once(':').ok_or_else(refused)?;
    let plain = |part: &str| percent_decode_str(part).decode_utf8().map(std::borrow::Cow::into_owned);
    match (plain(id), plain(secret)) {
        (Ok(client_id), Ok(secret)) if !client_id.is_empty() => Ok(Credentials { client_id, secret }),
        _ => Err(refused()),
    }
}

impl Credentials {
    /// Checks the secret against the registration. An unknown client fails in the same way as a wrong secret.
    ///
    /// # Errors
    /// If the secret is wrong, or the client is unknown or disabled.
    pub fn prove(&self, client: Option<Client>) -> Result<Client, OAuthError> {
        let refused =
            OAuthError::new(OAuthErrorCode::InvalidClient, "the client is not known, or its secret is not right");
        let presented = hashed(&self.secret);
        let expected = client.as_ref().and_then(|client| client.secret_hash.clone()).unwrap_or_default();
        let proven = same(&presented, &expected);
        client.filter(|client| proven && !client.disabled && client.client_id == self.client_id).ok_or(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> String {
        format!("Basic {}", Base64::encode_string(text.as_bytes()))
    }

    #[test]
    fn basic_is_read_plain_or_encoded() {
        let of = |text: &str| basic(&header(text)).map(|c| (c.client_id, c.secret));
        assert_eq!(of("app:s:e"), Ok(("app".into(), "s:e".into())));
        assert_eq!(of("app%2Dx:s%3A"), Ok(("app-x".into(), "s:".into())));
        assert_eq!(basic(&header("a:b").replace("Basic", "bAsIc")).unwrap().secret, "b");
    }

    #[test]
    fn other_headers_than_basic_are_refused() {
        for bad in
            ["", "Basic", "Basic ", "Basic !!!", "Bearer abc", &header("no colon"), &header(":x"), "Basic YTpi YTpi"]
        {
            assert_eq!(basic(bad).unwrap_err().code, OAuthErrorCode::InvalidClient, "{bad}");
        }
    }

    #[test]
    fn only_the_right_secret_of_an_enabled_client_authenticates_it() {
        let client: Client =
            serde_json::from_str(r#"{"client_id":"a","kind":"backend","secret":"right-secret","scopes":""}"#).unwrap();
        let client = client.stored().unwrap();
        let sent = |secret: &str| Credentials { client_id: "a".into(), secret: secret.into() };
        assert!(sent("right-secret").prove(Some(client.clone())).is_ok());
        for (secret, client) in [
            ("wrong", Some(client.clone())),
            ("", Some(client.clone())),
            ("right-secret", None),
            ("right-secret", Some(Client { disabled: true, ..client.clone() })),
            ("", Some(Client { secret_hash: None, ..client.clone() })),
            ("right-secret", Some(Client { client_id: "b".into(), ..client })),
        ] {
            assert!(sent(secret).prove(client).is_err(), "{secret}");
        }
    }
}
