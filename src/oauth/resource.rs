//! The resources of this server, for which tokens are issued.

use serde::Serialize;

/// The path of the resource for agents.
const MCP: &str = "/mcp";
/// The beginning of the ids of authorizations for it.
const GRANT: &str = "mcp.";

/// A resource of this server. A token is for one of them (RFC 8707).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Resource {
    /// The FHIR base.
    #[default]
    Fhir,
    /// `/mcp`, for agents.
    Mcp,
}

impl Resource {
    /// Returns the resource with an address of the server. The address of the server itself means `/mcp`.
    pub fn named(address: &str, issuer: &str, base: &str) -> Option<Self> {
        let address = address.strip_suffix('/').unwrap_or(address);
        if address == base {
            return Some(Self::Fhir);
        }
        matches!(address.strip_prefix(issuer)?, "" | MCP).then_some(Self::Mcp)
    }

    /// Returns the audience of its tokens.
    pub fn audience(self, issuer: &str, base: &str) -> String {
        if self.is_fhir() { base.to_owned() } else { [issuer, MCP].concat() }
    }

    /// Returns whether it is the FHIR base.
    pub fn is_fhir(&self) -> bool {
        *self == Self::Fhir
    }

    /// Returns the resource of an authorization, by its id.
    pub(super) fn of_grant(id: &str) -> Self {
        if id.starts_with(GRANT) { Self::Mcp } else { Self::Fhir }
    }

    /// Returns the id of an authorization for the resource.
    pub(super) fn grant_id(self, token: String) -> String {
        if self.is_fhir() { token } else { [GRANT, &token].concat() }
    }
}
