//! The context in which calls are answered: settings, stores, keys and caches of an isolate.

use super::settings::Settings;
use super::token_cache::TokenCache;
use crate::oauth::{Documents, SigningKeys};

/// What calls are answered with.
#[derive(Debug)]
pub struct AppContext<'a, S, L, C> {
    /// What the configuration says.
    pub settings: &'a Settings,
    /// The keys that sign and verify tokens.
    pub keys: &'a SigningKeys,
    /// Tokens that were verified before.
    pub tokens: &'a TokenCache,
    /// Who holds the records.
    pub store: S,
    /// Who remembers authorizations.
    pub auth_store: L,
    /// The platform's cryptography.
    pub crypto: &'a C,
    /// The documents of others that were fetched before.
    pub documents: &'a Documents,
}
