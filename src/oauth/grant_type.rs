//! The grant types of the token endpoint. Discovery, the OpenAPI document, registration, the token endpoint and the
//! audit log read their rows. A new grant type needs a variant, an element of [`GrantType::ALL`] and a row here, an arm
//! in [`super::TokenService::answer`], and a file in `token/`.

use serde::{Deserialize, Serialize};

use super::client_kind::ClientKind;

/// A grant type of the token endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum GrantType {
    /// `authorization_code` (RFC 6749, section 4.1).
    AuthorizationCode,
    /// `refresh_token` (RFC 6749, section 6).
    RefreshToken,
    /// `client_credentials` (RFC 6749, section 4.4).
    ClientCredentials,
}

struct Row {
    /// The value of `grant_type`.
    name: &'static str,
    /// The name of the event in the audit log.
    event: &'static str,
    /// The kinds of clients that may use it if their registration lists no grant types.
    kinds: &'static [ClientKind],
}

const FOR_USERS: &[ClientKind] = &[ClientKind::Public, ClientKind::Confidential, ClientKind::Asymmetric];

impl GrantType {
    /// All grant types.
    pub const ALL: &'static [Self] = &[Self::AuthorizationCode, Self::RefreshToken, Self::ClientCredentials];

    const fn row(self) -> Row {
        match self {
            Self::AuthorizationCode => Row { name: "authorization_code", event: "code", kinds: FOR_USERS },
            Self::RefreshToken => Row { name: "refresh_token", event: "refresh", kinds: FOR_USERS },
            Self::ClientCredentials => {
                let kinds = &[ClientKind::Backend, ClientKind::Ingest];
                Row { name: "client_credentials", event: "client-credentials", kinds }
            }
        }
    }

    /// Returns the value of `grant_type`, in requests, registrations and discovery.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the grant type with that value of `grant_type`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|grant_type| grant_type.name() == name)
    }

    /// Returns the name of the event in the audit log.
    pub const fn event(self) -> &'static str {
        self.row().event
    }

    /// Returns whether clients of that kind may use it if their registration lists no grant types.
    #[must_use]
    pub fn is_for(self, kind: ClientKind) -> bool {
        self.row().kinds.contains(&kind)
    }
}

impl From<GrantType> for &'static str {
    fn from(grant_type: GrantType) -> Self {
        grant_type.name()
    }
}

impl TryFrom<String> for GrantType {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        let known = || Self::ALL.iter().map(|grant_type| grant_type.name()).collect::<Vec<_>>().join(", ");
        Self::parse(&name).ok_or_else(|| format!("{name:?} is no grant type: there are {}", known()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_registrations() {
        for grant_type in GrantType::ALL {
            assert_eq!(serde_json::to_value(grant_type).unwrap(), grant_type.name());
            assert_eq!(GrantType::parse(grant_type.name()), Some(*grant_type));
        }
        assert_eq!(GrantType::parse("password"), None);
    }
}
