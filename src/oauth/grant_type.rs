//! The grant types of the token endpoint, one row each. Discovery, registration, the token endpoint and the audit log
//! read this table. A new grant type is a row here, a file in `token/`, and its arm in [`super::TokenService::answer`].

use serde::{Deserialize, Serialize};

use super::client::ClientKind;

/// A grant type of the token endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantType {
    /// `authorization_code` (RFC 6749, section 4.1).
    AuthorizationCode,
    /// `refresh_token` (RFC 6749, section 6).
    RefreshToken,
    /// `client_credentials` (RFC 6749, section 4.4).
    ClientCredentials,
}

struct Row {
    grant_type: GrantType,
    /// The value of `grant_type`.
    name: &'static str,
    /// The name of the event in the audit log.
    event: &'static str,
    /// The kinds of clients that may use it where their registration lists no grant types.
    kinds: &'static [ClientKind],
}

/// Clients that act for a user.
const FOR_USERS: &[ClientKind] = &[ClientKind::Public, ClientKind::Confidential, ClientKind::Asymmetric];

const TABLE: [Row; 3] = [
    Row { grant_type: GrantType::AuthorizationCode, name: "authorization_code", event: "code", kinds: FOR_USERS },
    Row { grant_type: GrantType::RefreshToken, name: "refresh_token", event: "refresh", kinds: FOR_USERS },
    Row {
        grant_type: GrantType::ClientCredentials,
        name: "client_credentials",
        event: "client-credentials",
        kinds: &[ClientKind::Backend],
    },
];

impl GrantType {
    /// Returns all grant types.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.grant_type)
    }

    /// Returns the grant type with that value of `grant_type`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.name == name).map(|row| row.grant_type)
    }

    /// The name of the event in the audit log.
    #[must_use]
    pub fn event(self) -> &'static str {
        self.row().map_or("token", |row| row.event)
    }

    /// Returns whether clients of that kind may use it where their registration lists no grant types.
    #[must_use]
    pub fn is_for(self, kind: ClientKind) -> bool {
        self.row().is_some_and(|row| row.kinds.contains(&kind))
    }

    fn row(self) -> Option<&'static Row> {
        TABLE.iter().find(|row| row.grant_type == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_registrations() {
        for row in &TABLE {
            assert_eq!(serde_json::to_value(row.grant_type).unwrap(), row.name);
            assert_eq!(GrantType::parse(row.name), Some(row.grant_type));
        }
        assert_eq!(GrantType::parse("password"), None);
    }
}
