//! The configuration of a deployment.

use super::service_base_urls::ServiceBaseUrls;
use oauth::{AdmittedAgents, Agents, IdentityProvider, Pepper, TrustedIssuer};
use search::{CursorKey, Guide, Guides, IndexSet};
use smart::PublicScopes;

/// The days for which a refresh token is valid, if nothing is configured.
const REFRESH_DAYS: i64 = 90;

/// The path of the FHIR base, relative to the origin.
pub const FHIR: &str = "/fhir/r4";

/// The kind of a deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// A sandbox: synthetic data, published users and secrets.
    Sandbox,
    /// Production: everything else.
    Production,
}

impl Environment {
    /// Returns the name in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Production => "production",
        }
    }
}

/// The settings of a deployment, from its configuration.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The origin of the server, without a trailing slash. It is the issuer of tokens. All links are built from it,
    /// never from a request.
    pub issuer: String,
    /// The address of the FHIR base.
    pub base: String,
    /// The kind of the deployment.
    pub environment: Environment,
    /// The set of search parameters that is offered. The records must be indexed by it.
    pub index: &'static IndexSet,
    /// The guides whose profiles and combinations the CapabilityStatement declares.
    pub guides: Guides,
    /// The key that signs cursors.
    pub cursors: CursorKey,
    /// The secret that is mixed into password hashes and keyed hashes.
    pub pepper: Pepper,
    /// The issuers whose tokens are accepted. If there are any, this server issues none (edge-only mode).
    pub trusted: Vec<TrustedIssuer>,
    /// The identity providers at which users can sign in.
    pub providers: Vec<IdentityProvider>,
    /// The clients that may read through `/mcp`. Without it, the address answers 404.
    pub agents: Option<Agents>,
    /// True if these may register themselves.
    pub agent_registration: bool,
    /// True if users can share records by links.
    pub links: bool,
    /// The days for which a refresh token is valid.
    pub refresh_days: i64,
    /// True if the deployment has a Worker that writes summaries.
    pub summaries: bool,
    /// The scopes of requests without a token. `None` if each needs one.
    pub public: Option<PublicScopes>,
    /// True if exports can also be begun as in Bulk Data Access 4.0.0-ballot.
    pub export_v4: bool,
    /// The text of the published service base URLs. Without it, the address answers 404.
    pub service_base_urls: Option<String>,
}

impl Settings {
    /// Creates the settings for an origin. The keys of cursors and of hashes are derived from `secret`.
    pub fn new(origin: &str, environment: Environment, secret: &[u8]) -> Self {
        let issuer = origin.trim_end_matches('/').to_owned();
        let base = format!("{issuer}{FHIR}");
        Self {
            service_base_urls: None,
            refresh_days: REFRESH_DAYS,
            base,
            issuer,
            environment,
            index: IndexSet::of_r4(),
            guides: Guide::of_contract().into(),
            cursors: CursorKey::new(secret),
            pepper: Pepper::new(secret),
            trusted: Vec::new(),
            providers: Vec::new(),
            agents: None,
            agent_registration: false,
            links: false,
            public: None,
            export_v4: false,
            summaries: false,
        }
    }

    /// Returns the clients that may read through `/mcp`.
    pub fn admitted_agents(&self) -> Option<AdmittedAgents<'_>> {
        let agents = self.agents.as_ref()?;
        Some(AdmittedAgents { agents, registration: self.agent_registration.then_some(&self.pepper) })
    }

    /// Returns the settings with the organizations to publish.
    #[must_use]
    pub fn publishing(self, list: &ServiceBaseUrls) -> Self {
        Self { service_base_urls: Some(list.bundle(&self.base)), ..self }
    }

    /// Returns whether the server's address is https.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.issuer.starts_with("https://")
    }
}
