//! Registered clients (decision 39).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::grant_type::GrantType;
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
    /// Where a browser may be sent after its user signed out, exactly (OpenID Connect RP-Initiated Logout 1.0, section 3.1).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub post_logout_redirect_uris: Vec<String>,
    /// Where an EHR launches it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_uri: Option<String>,
    /// The scopes that it is approved for, separated by blanks.
    pub scopes: String,
    /// Its public keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks: Option<Value>,
    /// Where its public keys are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks_uri: Option<String>,
    /// The ways by which it may get tokens; by its kind, where nothing is said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<GrantType>,
    /// The web origins that it calls from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<String>,
    /// True if it may introspect every token.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub introspect: bool,
    /// True if it is one of the playground's, whose secrets are published: a production server does not know it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sandbox: bool,
    /// True if it is refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disabled: bool,
}

impl Client {
    /// The registration as it is stored: with the hash of its secret in the place of the secret.
    ///
    /// # Errors
    /// If its approved scopes are no scopes.
    pub fn stored(mut self) -> Result<Self, ScopeError> {
        ScopeSet::parse(&self.scopes)?;
        if let Some(secret) = self.secret.take().filter(|secret| !secret.is_empty()) {
            self.secret_hash = Some(hashed(&secret));
        }
        Ok(self)
    }

    /// Reads what [`Client::stored`] made. Through [`Value`]: the derived deserializer, which says what is wrong with a
    /// registration, is several KiB of code.
    ///
    /// # Errors
    /// If it is no JSON, or its kind or a grant of it is not known.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        let value: Value = serde_json::from_str(text)?;
        let maybe = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let text = |name: &str| maybe(name).unwrap_or_default();
        let flag = |name: &str| value.get(name).and_then(Value::as_bool).unwrap_or_default();
        let list = |name: &str| -> Vec<String> {
            let all = value.get(name).and_then(Value::as_array).into_iter().flatten();
            all.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let odd = || serde::de::Error::custom("a kind or grant that is not known");
        let kind = match text("kind").as_str() {
            "public" => ClientKind::Public,
            "confidential" => ClientKind::Confidential,
            "asymmetric" => ClientKind::Asymmetric,
            "backend" => ClientKind::Backend,
            _ => return Err(odd()),
        };
        Ok(Self {
            client_id: text("client_id"),
            name: text("name"),
            kind,
            secret: None,
            secret_hash: maybe("secret_hash"),
            redirect_uris: list("redirect_uris"),
            post_logout_redirect_uris: list("post_logout_redirect_uris"),
            launch_uri: maybe("launch_uri"),
            scopes: text("scopes"),
            jwks: value.get("jwks").cloned(),
            jwks_uri: maybe("jwks_uri"),
            grants: list("grants").iter().map(|name| GrantType::parse(name)).collect::<Option<_>>().ok_or_else(odd)?,
            origins: list("origins"),
            introspect: flag("introspect"),
            sandbox: flag("sandbox"),
            disabled: flag("disabled"),
        })
    }

    /// Returns whether it may get tokens that way.
    #[must_use]
    pub fn may(&self, grant: GrantType) -> bool {
        if self.grants.is_empty() { grant.is_for(self.kind) } else { self.grants.contains(&grant) }
    }

    /// The scopes that it is approved for. What is none among them approves nothing.
    #[must_use]
    pub fn approved(&self) -> ScopeSet {
        ScopeSet::parse(&self.scopes).unwrap_or_default()
    }

    /// Returns whether it is approved for each of these scopes: for them, or for others that open as much.
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
        assert_eq!(Client::read(&text).unwrap(), stored);
    }

    #[test]
    fn a_registration_is_read_as_it_was_stored() {
        for kind in ["public", "confidential", "asymmetric", "backend"] {
            let few = format!(r#"{{"client_id":"a","kind":"{kind}","scopes":""}}"#);
            assert_eq!(Client::read(&few).unwrap(), client(&few));
            let all = format!(
                r#"{{"client_id":"a","name":"N","kind":"{kind}","secret_hash":"h","redirect_uris":["r","s"],
                "post_logout_redirect_uris":["p"],"launch_uri":"l","scopes":"openid","jwks":{{"keys":[]}},"jwks_uri":"j",
                "grants":["authorization_code","refresh_token","client_credentials"],"origins":["o"],"introspect":true,
                "sandbox":true,"disabled":true}}"#
            );
            let stored = client(&all);
            assert_eq!(Client::read(&all).unwrap(), stored);
            let members = serde_json::to_value(&stored).unwrap();
            assert_eq!(members.as_object().unwrap().len(), 15, "every member but the secret is in it");
        }
        for odd in ["", "{}", r#"{"kind":"other"}"#, r#"{"kind":"public","grants":["other"]}"#] {
            assert!(Client::read(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn an_empty_secret_is_no_secret() {
        let stored = client(r#"{"client_id":"a","kind":"confidential","secret":"","scopes":""}"#).stored().unwrap();
        assert_eq!(stored.secret_hash, None);
    }

    #[test]
    fn grants_follow_the_kind_where_nothing_is_said() {
        let backend = client(r#"{"client_id":"a","kind":"backend","scopes":""}"#);
        assert!(backend.may(GrantType::ClientCredentials) && !backend.may(GrantType::RefreshToken));
        let public = client(r#"{"client_id":"a","kind":"public","scopes":"","grants":["authorization_code"]}"#);
        assert!(public.may(GrantType::AuthorizationCode) && !public.may(GrantType::RefreshToken));
    }
}
