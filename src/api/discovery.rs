//! How an app finds its way: `.well-known/smart-configuration`
//! (<https://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html>). Only what works is listed.

use serde_json::{Value, json};

use super::reply::{JSON, Reply};
use super::route::Settings;
use crate::smart::{Level, wildcard};

/// The addresses of the authorization server, as the CapabilityStatement and the discovery documents name them.
pub struct Endpoints {
    /// `token`
    pub token: String,
    /// `jwks.json`
    pub jwks: String,
}

impl Endpoints {
    /// Those of this server.
    pub fn of(settings: &Settings) -> Self {
        let at = |path: &str| format!("{}/oauth/{path}", settings.issuer);
        Self { token: at("token"), jwks: at("jwks.json") }
    }
}

/// `/fhir/r4/.well-known/smart-configuration`
pub fn smart_configuration<B>(settings: &Settings) -> Reply<B> {
    let endpoints = Endpoints::of(settings);
    let body = json!({
        "issuer": settings.issuer,
        "jwks_uri": endpoints.jwks,
        "token_endpoint": endpoints.token,
        "grant_types_supported": ["client_credentials"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        "scopes_supported": scopes(),
        "code_challenge_methods_supported": ["S256"],
        "capabilities": ["permission-v1", "permission-v2"],
    });
    Reply::text(200, JSON, body.to_string()).with("Cache-Control", settings.discovery_cache())
}

/// Every scope that a client can be granted here.
fn scopes() -> Vec<Value> {
    let types = wildcard(Level::System).map(|kind| format!("system/{kind}.read"));
    std::iter::once("system/*.read".to_owned()).chain(types).map(Value::from).collect()
}
