//! Registered clients (docs/decisions/permission-and-sign-in.md#registrations).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::client_kind::ClientKind;
use super::grant_type::GrantType;
use super::secret::hashed;
use smart::{Level, Scope, ScopeError, ScopeSet};

/// The bounds of a registered [`Client::token_lifetime`], in seconds.
pub const SHORTEST_LIFETIME: i64 = 60;
/// See [`SHORTEST_LIFETIME`]. SMART Backend Services recommends five minutes, and allows at most an hour.
pub const MAX_LIFETIME: i64 = 3_600;

/// The purposes of clients of which patients may opt out.
pub const PURPOSES: [&str; 2] = ["provider-access", "payer-to-payer"];

/// A registered client. A registration may contain the secret; the stored form contains a hash instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// The `client_id`.
    pub client_id: String,
    /// The display name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The kind of the client.
    pub kind: ClientKind,
    /// The secret, only in a registration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
    /// The hash of the secret, only in the stored form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_hash: Option<String>,
    /// The addresses to which authorization responses may be sent. They are compared exactly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redirect_uris: Vec<String>,
    /// The addresses to which a browser may be sent after sign-out. They are compared exactly (OpenID Connect
    /// RP-Initiated Logout 1.0, section 3.1).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub post_logout_redirect_uris: Vec<String>,
    /// The address at which an EHR launches the app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch_uri: Option<String>,
    /// The scopes for which the client is approved, separated by blanks.
    pub scopes: String,
    /// The public keys, as a JWK set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks: Option<Value>,
    /// The address of the JWK set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jwks_uri: Option<String>,
    /// The grant types that the client may use. If empty, its kind determines them.
    #[serde(default, rename = "grants", skip_serializing_if = "Vec::is_empty")]
    pub grant_types: Vec<GrantType>,
    /// The web origins from which the client calls (CORS).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<String>,
    /// The life of the access tokens of a client that acts for itself, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_lifetime: Option<i64>,
    /// The names of the Groups to which the client is limited ([`smart::Grant::groups`]). `None` if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<String>>,
    /// The purpose of the client, of which patients may opt out: one of [`PURPOSES`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// True if the client may introspect every token.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub introspect: bool,
    /// True if the client belongs to a sandbox, whose secrets are published. A production server does not accept it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sandbox: bool,
    /// True if every request of the client is refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disabled: bool,
    /// The host of an agent that nobody registered: of its document, or of its redirect addresses. The pages name it,
    /// since an agent describes itself, and anybody may claim any name.
    #[serde(skip)]
    pub agent_host: Option<String>,
}

impl Client {
    /// Returns the stored form of a registration: the hash of the secret replaces the secret.
    ///
    /// # Errors
    /// If an approved scope is malformed.
    ///
    /// # Examples
    ///
    /// ```
    /// use oauth::{Client, GrantType};
    ///
    /// let registration = r#"{"client_id": "portal", "kind": "confidential", "scopes": "openid patient/*.rs",
    ///     "secret": "a-long-secret", "redirect_uris": ["https://portal.example/callback"]}"#;
    /// let client: Client = serde_json::from_str(registration)?;
    /// assert!(client.check().is_ok());
    ///
    /// let stored = client.stored().expect("the scopes are well-formed");
    /// assert!(stored.secret.is_none() && stored.secret_hash.is_some());
    /// assert!(stored.may(GrantType::AuthorizationCode) && !stored.may(GrantType::ClientCredentials));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn stored(mut self) -> Result<Self, ScopeError> {
        ScopeSet::parse(&self.scopes)?;
        if let Some(secret) = self.secret.take().filter(|secret| !secret.is_empty()) {
            self.secret_hash = Some(hashed(&secret));
        }
        Ok(self)
    }

    /// Parses the form that [`Client::stored`] returns. It deserializes through [`Value`], because the derived
    /// deserializer with its detailed errors adds several KiB of code.
    ///
    /// # Errors
    /// If it is not JSON, or its kind or one of its grant types is unknown.
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
            "ingest" => ClientKind::Ingest,
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
            grant_types: list("grants")
                .iter()
                .map(|name| GrantType::parse(name))
                .collect::<Option<_>>()
                .ok_or_else(odd)?,
            origins: list("origins"),
            token_lifetime: value.get("token_lifetime").and_then(Value::as_i64),
            groups: value.get("groups").map(|_| list("groups")),
            purpose: maybe("purpose"),
            introspect: flag("introspect"),
            sandbox: flag("sandbox"),
            disabled: flag("disabled"),
            agent_host: None,
        })
    }

    /// Returns whether the client may use that grant type.
    #[must_use]
    pub fn may(&self, grant_type: GrantType) -> bool {
        if self.grant_types.is_empty() { grant_type.is_for(self.kind) } else { self.grant_types.contains(&grant_type) }
    }

    /// Returns the approved scopes. Text that is not a scope approves nothing.
    pub fn approved(&self) -> ScopeSet {
        ScopeSet::parse(&self.scopes).unwrap_or_default()
    }

    /// Returns the scopes that the client gets for a request: those that its approved scopes cover and that `may`
    /// allows. A request without scopes means all approved scopes. The answer tells the client what was granted (RFC
    /// 6749, section 3.3).
    ///
    /// # Errors
    /// If the list is malformed or too long, or if no scope remains.
    pub fn grantable(
        &self,
        requested: Option<&str>,
        may: impl Fn(&str, &Scope) -> bool,
    ) -> Result<ScopeSet, &'static str> {
        let approved = self.approved();
        let requested = requested.map_or_else(|| Ok(approved.clone()), ScopeSet::known)?;
        let granted = requested.retained(|written, scope| approved.covers(scope) && may(written, scope));
        if granted.is_empty() { Err("the client is approved for no scope that is asked for") } else { Ok(granted) }
    }

    /// Returns whether the client is an agent that nobody registered: it describes itself.
    #[must_use]
    pub fn is_described(&self) -> bool {
        self.agent_host.is_some()
    }

    /// Returns the display name, or the `client_id` if there is none. Of an agent it is its host.
    pub fn title(&self) -> &str {
        let name = if self.name.is_empty() { &self.client_id } else { &self.name };
        self.agent_host.as_ref().unwrap_or(name)
    }
}

/// Returns the registered scopes that a user can grant. A request for exactly these is stored without them.
pub fn registered_scopes(client: &Client, launched: bool) -> ScopeSet {
    client.approved().retained(|written, scope| is_for_users(scope) && (launched || written != "launch"))
}

/// Returns whether users can grant a scope.
pub fn is_for_users(scope: &Scope) -> bool {
    scope.resources().is_none_or(|scope| scope.level != Level::System)
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
        for kind in ["public", "confidential", "asymmetric", "backend", "ingest"] {
            let few = format!(r#"{{"client_id":"a","kind":"{kind}","scopes":""}}"#);
            assert_eq!(Client::read(&few).unwrap(), client(&few));
            let all = format!(
                r#"{{"client_id":"a","name":"N","kind":"{kind}","secret_hash":"h","redirect_uris":["r","s"],
                "post_logout_redirect_uris":["p"],"launch_uri":"l","scopes":"openid","jwks":{{"keys":[]}},"jwks_uri":"j",
                "grants":["authorization_code","refresh_token","client_credentials"],"origins":["o"],"token_lifetime":900,"groups":[],"purpose":"p","introspect":true,
                "sandbox":true,"disabled":true}}"#
            );
            let stored = client(&all);
            assert_eq!(Client::read(&all).unwrap(), stored);
            let members = serde_json::to_value(&stored).unwrap();
            assert_eq!(members.as_object().unwrap().len(), 18, "every member but the secret is in it");
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
    fn grant_types_default_to_those_of_the_kind() {
        let backend = client(r#"{"client_id":"a","kind":"backend","scopes":""}"#);
        assert!(backend.may(GrantType::ClientCredentials) && !backend.may(GrantType::RefreshToken));
        let public = client(r#"{"client_id":"a","kind":"public","scopes":"","grants":["authorization_code"]}"#);
        assert!(public.may(GrantType::AuthorizationCode) && !public.may(GrantType::RefreshToken));
    }
}
