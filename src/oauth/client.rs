//! A registered client (interface.md, "App registrations").

use serde::{Deserialize, Serialize};

use super::secret::hashed;
use crate::smart::{ScopeError, ScopeSet};

/// What a client can keep to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClientKind {
    /// Nothing: it runs in a browser or on a phone, and proves itself by PKCE alone.
    Public,
    /// A secret.
    Confidential,
    /// A private key.
    Asymmetric,
    /// A secret or a private key; it acts for itself.
    Backend,
}

/// A way to get a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantKind {
    /// RFC 6749, section 4.1.
    AuthorizationCode,
    /// RFC 6749, section 6.
    RefreshToken,
    /// RFC 6749, section 4.4.
    ClientCredentials,
}

/// A registered client. As a registration it may carry its secret; as it is stored it carries the secret's hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Its identifier.
    pub client_id: String,
    /// Its name, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What it can keep to itself.
    pub kind: ClientKind,
    /// Its secret, in a registration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// The hash of its secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_hash: Option<String>,
    /// Where an authorization may be sent, exactly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirect_uris: Vec<String>,
    /// Where an EHR launches it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_uri: Option<String>,
    /// The scopes that it is approved for, separated by blanks.
    pub scopes: String,
    /// Its public keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks: Option<serde_json::Value>,
    /// Where its public keys are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks_uri: Option<String>,
    /// The ways by which it may get tokens; by its kind, where nothing is said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<GrantKind>,
    /// The web origins that it calls from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<String>,
    /// Whether it may introspect every token.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub introspect: bool,
    /// Whether it is one of the playground's, whose secrets are published: a production server does not know it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sandbox: bool,
    /// Whether it is refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disabled: bool,
}

impl Client {
    /// The registration as it is stored: with the hash of its secret in the place of the secret.
    ///
    /// # Errors
    /// Where its approved scopes are no scopes.
    pub fn stored(mut self) -> Result<Self, ScopeError> {
        ScopeSet::parse(&self.scopes)?;
        if let Some(secret) = self.secret.take().filter(|secret| !secret.is_empty()) {
            self.secret_hash = Some(hashed(&secret));
        }
        Ok(self)
    }

    /// Whether it may get tokens that way.
    #[must_use]
    pub fn may(&self, grant: GrantKind) -> bool {
        use GrantKind::{AuthorizationCode, ClientCredentials, RefreshToken};
        if !self.grants.is_empty() {
            return self.grants.contains(&grant);
        }
        match self.kind {
            ClientKind::Backend => grant == ClientCredentials,
            ClientKind::Public | ClientKind::Confidential | ClientKind::Asymmetric => {
                matches!(grant, AuthorizationCode | RefreshToken)
            }
        }
    }

    /// The scopes that it is approved for. What is none among them approves nothing.
    #[must_use]
    pub fn approved(&self) -> ScopeSet {
        ScopeSet::parse(&self.scopes).unwrap_or_default()
    }

    /// Whether it is approved for each of these scopes: for them, or for others that open as much.
    #[must_use]
    pub fn is_approved_for(&self, scopes: &ScopeSet) -> bool {
        let approved = self.approved();
        scopes.iter().all(|(_, scope)| approved.covers(scope))
    }

    /// Its name for people.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.name.is_empty() { &self.client_id } else { &self.name }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> Client {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_stored_client_has_no_secret() {
        let stored =
            client(r#"{"client_id":"a","kind":"confidential","secret":"s3cret","scopes":"openid"}"#).stored().unwrap();
        let text = serde_json::to_string(&stored).unwrap();
        assert!(!text.contains("s3cret") && text.contains("secret_hash"), "{text}");
        assert_eq!(client(&text), stored);
    }

    #[test]
    fn an_empty_secret_is_no_secret() {
        let stored = client(r#"{"client_id":"a","kind":"confidential","secret":"","scopes":""}"#).stored().unwrap();
        assert_eq!(stored.secret_hash, None);
    }

    #[test]
    fn grants_follow_the_kind_where_nothing_is_said() {
        let backend = client(r#"{"client_id":"a","kind":"backend","scopes":""}"#);
        assert!(backend.may(GrantKind::ClientCredentials) && !backend.may(GrantKind::RefreshToken));
        let public = client(r#"{"client_id":"a","kind":"public","scopes":"","grants":["authorization_code"]}"#);
        assert!(public.may(GrantKind::AuthorizationCode) && !public.may(GrantKind::RefreshToken));
    }
}
