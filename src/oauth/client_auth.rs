//! How a client proves who it is: HTTP Basic (RFC 6749, section 2.3.1), a signed assertion (RFC 7523), or nothing at all
//! where it can keep nothing to itself.

use base64ct::{Base64, Encoding};
use percent_encoding::percent_decode_str;

use super::assertion::{ASSERTION_TYPE, Assertion};
use super::client::{Client, ClientKind};
use super::crypto::Crypto;
use super::error::{OAuthError, OAuthErrorCode};
use super::guard::{Guard, Guess, Secret};
use super::key_set::{Fetch, FetchError, KeySet};
use super::ledger::Ledger;
use super::secret::{hashed, same};
use super::token::{TokenRequest, TokenService};

/// What a client sent to prove who it is.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Who it says it is.
    pub client_id: String,
    /// Its secret.
    pub secret: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Credentials({:?}, ..)", self.client_id)
    }
}

/// The client that makes a request at the token endpoint, or at one that is guarded as it is: by HTTP Basic, by a signed
/// assertion, or, where it is public, by its name alone.
///
/// # Errors
/// Where it does not prove who it is, or does so in more than one way. A client that is not there is refused as one that
/// did not prove itself.
pub async fn authenticate<L: Ledger + Guard, C: Crypto + Fetch>(
    service: &TokenService<'_, L, C>,
    request: &TokenRequest<'_>,
) -> Result<Client, OAuthError> {
    let refused = |code, why| Err(OAuthError::new(code, why));
    let asserted = request.get("client_assertion").is_some() || request.get("client_assertion_type").is_some();
    let secret = request.get("client_secret").is_some();
    if [request.authorization.is_some(), asserted, secret].into_iter().filter(|used| *used).count() > 1 {
        return refused(OAuthErrorCode::InvalidRequest, "the client authenticates in more than one way");
    }
    if secret {
        let why = "a secret is taken in the Authorization header alone (HTTP Basic), not in the body";
        return refused(OAuthErrorCode::InvalidClient, why);
    }
    match (request.authorization, request.get("client_id")) {
        (Some(header), _) => by_secret(service, request, &basic(header)?).await,
        (None, _) if asserted => by_assertion(service, request).await,
        (None, Some(id)) => {
            let client = service.ledger.client(id).await?;
            let public = client.filter(|client| client.kind == ClientKind::Public && !client.disabled);
            public
                .ok_or(OAuthError::new(OAuthErrorCode::InvalidClient, "the client is not known, or must authenticate"))
        }
        (None, None) => refused(OAuthErrorCode::InvalidClient, "the client did not authenticate"),
    }
}

async fn by_secret<L: Ledger + Guard, C>(
    service: &TokenService<'_, L, C>,
    request: &TokenRequest<'_>,
    credentials: &Credentials,
) -> Result<Client, OAuthError> {
    if request.get("client_id").is_some_and(|id| id != credentials.client_id) {
        let why = "client_id is another one than in the Authorization header";
        return Err(OAuthError::new(OAuthErrorCode::InvalidRequest, why));
    }
    let guess = Guess::new(Secret::ClientSecret, &credentials.client_id, request.from);
    guess.admit(service.ledger, service.now).await?;
    let client = service.ledger.client(&credentials.client_id).await?;
    let proven = credentials.prove(client);
    if proven.is_err() {
        guess.was_wrong(service.ledger, service.now).await?;
    }
    proven
}

async fn by_assertion<L: Ledger + Guard, C: Crypto + Fetch>(
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
    let unknown = refused("the client is not known, or the assertion is not signed by a key of it");
    let client = service.ledger.client(&assertion.client_id).await?.filter(|client| !client.disabled);
    let client = client.ok_or(unknown.clone())?;
    if assertion.jku.is_some() && assertion.jku != client.jwks_uri {
        return Err(refused("jku of the assertion is not the registered address"));
    }
    let Assertion { kid, algorithm, .. } = &assertion;
    let key = match (&client.jwks, &client.jwks_uri) {
        (Some(inline), _) => KeySet::of(inline).and_then(|set| set.key(kid, *algorithm)),
        (None, Some(address)) => {
            let key = service.key_sets.key(service.crypto, address, kid, *algorithm, service.now).await;
            key.map_err(|FetchError(detail)| OAuthError {
                detail: Some(format!("the keys of {:?}: {detail}", client.client_id)),
                ..refused("the keys of the client are not to be had at its registered address")
            })?
        }
        (None, None) => None,
    };
    let key = key.ok_or(unknown.clone())?;
    if !service.crypto.verify(*algorithm, &key, assertion.data.as_bytes(), &assertion.signature).await? {
        return Err(unknown);
    }
    // Only now: else anybody could spend identifiers that the client will use.
    if !service.ledger.spend_assertion(&client.client_id, &assertion.jti, assertion.until).await? {
        return Err(refused("the assertion was used before"));
    }
    Ok(client)
}

/// Reads the credentials of an `Authorization: Basic …` header. Identifier and secret may be percent-encoded or plain:
/// both are made of characters for which that is the same.
///
/// # Errors
/// Where the header is of another scheme, or not of this form.
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
    /// Holds the credentials against the client's registration. A client that is not there fails as one whose secret is
    /// wrong does.
    ///
    /// # Errors
    /// Where they do not prove that it is this client, or the client is disabled.
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
    fn what_is_not_basic_is_refused() {
        for bad in
            ["", "Basic", "Basic ", "Basic !!!", "Bearer abc", &header("no colon"), &header(":x"), "Basic YTpi YTpi"]
        {
            assert_eq!(basic(bad).unwrap_err().code, OAuthErrorCode::InvalidClient, "{bad}");
        }
    }

    #[test]
    fn only_the_right_secret_of_an_enabled_client_proves_it() {
        let client: Client =
            serde_json::from_str(r#"{"client_id":"a","kind":"backend","secret":"right","scopes":""}"#).unwrap();
        let client = client.stored().unwrap();
        let sent = |secret: &str| Credentials { client_id: "a".into(), secret: secret.into() };
        assert!(sent("right").prove(Some(client.clone())).is_ok());
        for (secret, client) in [
            ("wrong", Some(client.clone())),
            ("", Some(client.clone())),
            ("right", None),
            ("right", Some(Client { disabled: true, ..client.clone() })),
            ("", Some(Client { secret_hash: None, ..client.clone() })),
            ("right", Some(Client { client_id: "b".into(), ..client })),
        ] {
            assert!(sent(secret).prove(client).is_err(), "{secret}");
        }
    }
}
