//! The configuration of a deployment.

use crate::oauth::{Pepper, TrustedIssuer};
use crate::search::CursorKey;

/// Where the FHIR base is, below the origin.
pub const FHIR: &str = "/fhir/r4";

/// Which kind of deployment this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// A playground: synthetic data, published users and secrets.
    Sandbox,
    /// Anything else.
    Production,
}

impl Environment {
    /// As the configuration spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Production => "production",
        }
    }
}

/// What the configuration says.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The origin, which is the issuer: no slash at its end. All links are built from it, never from a request.
    pub issuer: String,
    /// The address of the FHIR base.
    pub base: String,
    /// Which kind of deployment this is.
    pub environment: Environment,
    /// What signs cursors.
    pub cursors: CursorKey,
    /// What passwords are mixed with.
    pub pepper: Pepper,
    /// Whose tokens are taken. Where there are any, this server issues none.
    pub trusted: Vec<TrustedIssuer>,
}

impl Settings {
    /// Settings for that origin, with a secret that cursors and passwords are made safe by.
    #[must_use]
    pub fn new(origin: &str, environment: Environment, secret: &[u8]) -> Self {
        let issuer = origin.trim_end_matches('/').to_owned();
        let base = format!("{issuer}{FHIR}");
        Self {
            base,
            issuer,
            environment,
            cursors: CursorKey::new(secret),
            pepper: Pepper::new(secret),
            trusted: Vec::new(),
        }
    }

    /// The same, for a server that issues no tokens but takes those of others.
    #[must_use]
    pub fn trusting(self, trusted: Vec<TrustedIssuer>) -> Self {
        Self { trusted, ..self }
    }

    /// Returns whether browsers come over https.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.issuer.starts_with("https://")
    }
}
