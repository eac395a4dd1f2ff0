//! The token service: the requests of clients for tokens, about tokens, and to revoke tokens.

use super::documents::Documents;
use super::error::{OAuthError, OAuthErrorCode};
use super::jwt::SigningKeys;

/// A token request, decoded.
#[derive(Debug)]
pub struct TokenRequest<'a> {
    /// The `Authorization` header.
    pub authorization: Option<&'a str>,
    /// The parameters of the form.
    pub form: &'a [(String, String)],
    /// The network address that it came from; empty where the host does not tell.
    pub from: &'a str,
}

impl TokenRequest<'_> {
    /// Whether each parameter is there once (RFC 6749, section 3.2).
    ///
    /// # Errors
    /// If one is there twice.
    pub fn each_once(&self) -> Result<(), OAuthError> {
        let mut names: Vec<_> = self.form.iter().map(|(name, _)| name).collect();
        names.sort();
        if names.windows(2).any(|pair| pair.first() == pair.last()) {
            return Err(OAuthError::new(OAuthErrorCode::InvalidRequest, "a parameter is there twice"));
        }
        Ok(())
    }

    /// A parameter; an empty one counts as absent (RFC 6749, section 3.2).
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.form.iter().find(|(of, _)| of == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}

/// What the token endpoint works with.
#[derive(Debug)]
pub struct TokenService<'a, L, C> {
    /// Its memory.
    pub auth_store: &'a L,
    /// The platform's cryptography.
    pub crypto: &'a C,
    /// The documents of others that were fetched before.
    pub documents: &'a Documents,
    /// Its keys.
    pub keys: &'a SigningKeys,
    /// Its name.
    pub issuer: &'a str,
    /// The FHIR base that the tokens are for.
    pub audience: &'a str,
    /// Seconds since 1970.
    pub now: i64,
    /// 32 random bytes, for this call alone.
    pub random: &'a [u8; 32],
}
