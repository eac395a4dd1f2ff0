//! How a client proves who it is: HTTP Basic (RFC 6749, section 2.3.1).

use base64ct::{Base64, Encoding};
use percent_encoding::percent_decode_str;

use super::client::Client;
use super::crypto::Crypto;
use super::error::{OAuthError, OAuthErrorCode};
use super::guard::Guard;
use super::ledger::Ledger;
use super::secret::{hashed, same};
use super::token::{TokenRequest, TokenService, broken};

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

/// The client that makes a request at the token endpoint, or at one that is guarded as it is.
///
/// # Errors
/// Where it does not prove who it is, or does so in more than one way.
pub async fn authenticate<L: Ledger + Guard, C: Crypto>(
    service: &TokenService<'_, L, C>,
    request: &TokenRequest<'_>,
) -> Result<Client, OAuthError> {
    use OAuthErrorCode::{InvalidClient, InvalidRequest};
    let Some(header) = request.authorization else {
        return Err(OAuthError::new(InvalidClient, "the client did not authenticate"));
    };
    let credentials = basic(header)?;
    if request.get("client_secret").is_some() || request.get("client_assertion").is_some() {
        return Err(OAuthError::new(InvalidRequest, "the client authenticates in more than one way"));
    }
    if request.get("client_id").is_some_and(|id| id != credentials.client_id) {
        return Err(OAuthError::new(InvalidRequest, "client_id is another one than in the Authorization header"));
    }
    let client = service.ledger.client(&credentials.client_id).await.map_err(broken)?;
    credentials.prove(client)
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
