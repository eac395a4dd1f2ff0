//! The context in which calls are answered: settings, stores, keys and caches of an isolate.

use super::configuration::settings::Settings;
use super::ports::{AssetPort, IngestPort, ReadingPort};
use super::readiness::Readiness;
use super::token_cache::TokenCache;
use ::export::ExportPort;
use oauth::{Documents, SigningKeys};

/// Everything that is needed to answer calls. It is the same for all calls of an isolate.
pub struct AppContext<'a, S, L, C> {
    /// The configuration.
    pub settings: &'a Settings,
    /// The keys that sign and verify the tokens of this server.
    pub keys: &'a SigningKeys,
    /// The tokens that this isolate has verified.
    pub tokens: &'a TokenCache,
    /// The store of records.
    pub store: S,
    /// The state of the authorization server.
    pub auth_store: L,
    /// The platform: cryptography, requests to other servers, and rate limits.
    pub crypto: &'a C,
    /// The cache of documents fetched from other servers: key sets and discovery documents.
    pub documents: &'a Documents,
    /// The recent state of the dependencies.
    pub readiness: &'a Readiness,
    /// The jobs that load sent records. `None` if the deployment has no bucket and queue for them.
    pub ingest: Option<&'a dyn IngestPort>,
    /// The exports. `None` if the deployment has no bucket and queue for them.
    pub export: Option<&'a dyn ExportPort>,
    /// The Worker that writes summaries. `None` if the deployment has none.
    pub reading: Option<&'a dyn ReadingPort>,
    /// The files of the app. `None` if the deployment has none.
    pub assets: Option<&'a dyn AssetPort>,
}
