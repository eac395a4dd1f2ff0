//! The discovery documents, made from one table so that they agree: `.well-known/smart-configuration`
//! (<https://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html>), the authorization server's metadata (RFC 8414),
//! and OpenID Connect Discovery 1.0. They list only supported features. In edge-only mode they repeat the trusted
//! issuer's document.

use serde_json::{Map, Value, json};

use crate::app_context::AppContext;
use crate::configuration::settings::Settings;
use crate::http::problem::Problem;
use crate::http::reply::{HeaderPolicy, Reply};
use crate::http::routes::{Audience, ClientRequest, Handler, Servers, SignInPath, path_of};
use fhir::{Language, ResourceType};
use oauth::{AGENT_SCOPE, Agents, Crypto, Fetch, FetchError, GrantType, Resource};
use smart::{Level, OF_APPS, part_scopes};

/// The addresses of the authorization server that the CapabilityStatement and the discovery documents list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Endpoints {
    /// `authorize`
    pub authorize: Option<String>,
    /// `token`
    pub token: Option<String>,
    /// `introspect`
    pub introspect: Option<String>,
    /// `revoke`
    pub revoke: Option<String>,
    /// `manage`
    pub manage: Option<String>,
}

impl Endpoints {
    /// Returns the endpoints of this server or, in edge-only mode, of the first trusted issuer.
    ///
    /// # Errors
    /// If the trusted issuer does not answer.
    pub async fn of<S, L, C: Crypto + Fetch>(app: &AppContext<'_, S, L, C>, now: i64) -> Result<Self, Problem> {
        let document = document(app, now).await?;
        let named = |name: &str| document.get(name).and_then(Value::as_str).map(str::to_owned);
        Ok(Self {
            authorize: named("authorization_endpoint"),
            token: named("token_endpoint"),
            introspect: named("introspection_endpoint"),
            revoke: named("revocation_endpoint"),
            manage: named("management_endpoint"),
        })
    }
}

use Audience::{OAuth, OpenId, Smart};
const ALL: &[Audience] = &[Smart, OAuth, OpenId];

fn own_document(settings: &Settings, audience: Audience) -> Value {
    let mut members = Map::new();
    for (name, audiences, member) in TABLE {
        if audiences.contains(&audience) {
            let value = match *member {
                Member::Issuer => json!(settings.issuer),
                Address(Handler::MakeLink) if !settings.links => continue,
                Address(Handler::RegisterAgent) if !Servers::RegisteringAgents.include(settings) => continue,
                Address(handler) => json!([&settings.issuer, path_of(handler)].concat()),
                Member::Scopes => json!(scopes()),
                GrantTypes => json!(GrantType::ALL),
                Texts(texts) => json!(texts),
                Flag(flag) => json!(flag),
                Member::ReadsDocuments => json!(settings.agents.as_ref().is_some_and(Agents::reads_documents)),
            };
            members.insert((*name).to_owned(), value);
        }
    }
    Value::Object(members)
}

/// The value of a member of a document.
enum Member {
    /// The address of the issuer.
    Issuer,
    /// The address of the route with this handler.
    Address(Handler),
    /// [`scopes()`].
    Scopes,
    /// [`GrantType::ALL`].
    GrantTypes,
    /// A list of texts.
    Texts(&'static [&'static str]),
    /// True or false.
    Flag(bool),
    /// True if clients may be described by documents.
    ReadsDocuments,
}

use Member::{Address, Flag, GrantTypes, Texts};

/// The members, each with the documents that contain it.
const TABLE: &[(&str, &[Audience], Member)] = &[
    ("issuer", ALL, Member::Issuer),
    ("jwks_uri", ALL, Address(Handler::Keys)),
    ("authorization_endpoint", ALL, Address(Handler::SignIn(SignInPath::Authorize))),
    ("token_endpoint", ALL, Address(Handler::Client(ClientRequest::Token))),
    ("introspection_endpoint", ALL, Address(Handler::Client(ClientRequest::Introspect))),
    ("revocation_endpoint", ALL, Address(Handler::Client(ClientRequest::Revoke))),
    ("registration_endpoint", ALL, Address(Handler::RegisterAgent)),
    ("management_endpoint", &[Smart], Address(Handler::SignIn(SignInPath::Manage))),
    ("end_session_endpoint", &[Smart, OpenId], Address(Handler::SignIn(SignInPath::SignOut))),
    ("launch_endpoint", &[Smart], Address(Handler::PrepareLaunch)),
    ("health_links_endpoint", &[Smart], Address(Handler::MakeLink)),
    ("grant_types_supported", ALL, GrantTypes),
    ("response_types_supported", ALL, Texts(&["code"])),
    ("response_modes_supported", ALL, Texts(&["query"])),
    ("scopes_supported", ALL, Member::Scopes),
    ("token_endpoint_auth_methods_supported", ALL, Texts(METHODS)),
    ("token_endpoint_auth_signing_alg_values_supported", ALL, Texts(ASSERTED)),
    ("introspection_endpoint_auth_methods_supported", ALL, Texts(&["client_secret_basic", "private_key_jwt"])),
    ("introspection_endpoint_auth_signing_alg_values_supported", ALL, Texts(ASSERTED)),
    ("revocation_endpoint_auth_methods_supported", ALL, Texts(METHODS)),
    ("revocation_endpoint_auth_signing_alg_values_supported", ALL, Texts(ASSERTED)),
    ("code_challenge_methods_supported", ALL, Texts(&["S256"])),
    ("authorization_response_iss_parameter_supported", ALL, Flag(true)),
    ("client_id_metadata_document_supported", ALL, Member::ReadsDocuments),
    ("subject_types_supported", &[OpenId], Texts(&["public"])),
    ("id_token_signing_alg_values_supported", &[OpenId], Texts(&["RS256"])),
    ("ui_locales_supported", ALL, Texts(Language::TAGS)),
    ("claims_supported", &[OpenId], Texts(CLAIMS)),
    ("prompt_values_supported", &[OpenId], Texts(&["none", "login", "consent"])),
    ("claims_parameter_supported", &[OpenId], Flag(false)),
    ("request_parameter_supported", &[OpenId], Flag(false)),
    ("request_uri_parameter_supported", &[OpenId], Flag(false)),
    ("capabilities", &[Smart], Texts(CAPABILITIES)),
];

/// The methods of client authentication (RFC 7591, section 2).
const METHODS: &[&str] = &["client_secret_basic", "private_key_jwt", "none"];

/// The signature algorithms of client assertions ([`oauth::CLIENT_ASSERTION`]).
const ASSERTED: &[&str] = &["RS384", "ES384"];

/// The claims of identity tokens.
const CLAIMS: &[&str] = &["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "sid", "fhirUser"];

/// The capabilities of SMART App Launch ("Capabilities").
const CAPABILITIES: &[&str] = &[
    "launch-ehr",
    "launch-standalone",
    "authorize-post",
    "client-public",
    "client-confidential-symmetric",
    "client-confidential-asymmetric",
    "sso-openid-connect",
    "context-banner",
    "context-style",
    "context-ehr-patient",
    "context-ehr-encounter",
    "context-standalone-patient",
    "context-standalone-encounter",
    "permission-offline",
    "permission-online",
    "permission-patient",
    "permission-user",
    "permission-v1",
    "permission-v2",
];

const LEVELS: [Level; 3] = [Level::Patient, Level::User, Level::System];

/// Returns every scope that this server can grant to a client.
pub fn scopes() -> Vec<String> {
    scopes_with(["read", "rs"]).chain(LEVELS.into_iter().flat_map(part_scopes)).collect()
}

/// Returns the scopes without a resource, and those of each level and type with one of these accesses.
pub fn scopes_with<const N: usize>(accesses: [&'static str; N]) -> impl Iterator<Item = String> {
    let types = || std::iter::once("*").chain(ResourceType::served().iter().map(|resource_type| resource_type.name()));
    let of_resources = LEVELS.into_iter().flat_map(move |level| {
        types()
            .flat_map(move |resource_type| accesses.map(|access| format!("{}/{resource_type}.{access}", level.name())))
    });
    OF_APPS.map(str::to_owned).into_iter().chain(of_resources)
}

/// The members of a trusted issuer's document that apps need. They are repeated.
const PASSED_ON: [&str; 17] = [
    "issuer",
    "jwks_uri",
    "authorization_endpoint",
    "token_endpoint",
    "introspection_endpoint",
    "revocation_endpoint",
    "registration_endpoint",
    "management_endpoint",
    "end_session_endpoint",
    "grant_types_supported",
    "response_types_supported",
    "scopes_supported",
    "token_endpoint_auth_methods_supported",
    "token_endpoint_auth_signing_alg_values_supported",
    "code_challenge_methods_supported",
    "authorization_response_iss_parameter_supported",
    "capabilities",
];
/// The capabilities that depend on this server and not on the issuer: the permissions that a token may have.
const CAPABILITIES_HERE: [&str; 4] = ["permission-patient", "permission-user", "permission-v1", "permission-v2"];

/// Returns the SMART configuration of this server, or one derived from the document of the first trusted issuer.
async fn document<S, L, C: Crypto + Fetch>(app: &AppContext<'_, S, L, C>, now: i64) -> Result<Value, Problem> {
    let Some(issuer) = app.settings.trusted.first() else { return Ok(own_document(app.settings, Smart)) };
    let theirs = issuer.description(app.crypto, app.documents, now).await;
    let theirs = theirs.map_err(|FetchError(why)| Problem::Storage(format!("{}: {why}", issuer.issuer)))?;
    let passed = PASSED_ON.into_iter().filter_map(|name| Some((name.to_owned(), theirs.get(name)?.clone())));
    let mut members: Map<_, _> = passed.collect();
    members.entry("capabilities").or_insert_with(|| json!(CAPABILITIES_HERE));
    Ok(Value::Object(members))
}

/// Answers `/fhir/r4/.well-known/smart-configuration`.
///
/// # Errors
/// If a trusted issuer does not answer.
pub async fn smart_configuration<S, L, C: Crypto + Fetch, B>(
    app: &AppContext<'_, S, L, C>,
    now: i64,
) -> Result<Reply<B>, Problem> {
    let text = document(app, now).await?.to_string();
    Ok(Reply::text(200, HeaderPolicy::Public(app.settings.environment), text))
}

/// Returns the document for an audience, at the root of the issuer.
pub fn document_for(settings: &Settings, audience: Audience) -> String {
    own_document(settings, audience).to_string()
}

/// Returns the metadata of the resource `/mcp` (RFC 9728, section 2). They name the issuers of its tokens.
pub fn resource_metadata(settings: &Settings) -> String {
    let trusted: Vec<_> = settings.trusted.iter().map(|trusted| &trusted.issuer).collect();
    json!({
        "resource": Resource::Mcp.audience(&settings.issuer, &settings.base),
        "authorization_servers": if trusted.is_empty() { vec![&settings.issuer] } else { trusted },
        "scopes_supported": [AGENT_SCOPE],
        "bearer_methods_supported": ["header"],
        "resource_name": "edgechart: health records",
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;
    use oauth::CLIENT_ASSERTION;
    use smart::ScopeSet;

    fn settings() -> Settings {
        let own = Settings::new("https://here.test", Environment::Sandbox, b"test");
        Settings { agents: Some(Agents::Any), links: true, agent_registration: true, ..own }
    }

    #[test]
    fn ds_the_three_documents_agree_on_shared_members() {
        let [smart, oauth, open_id] = [Smart, OAuth, OpenId].map(|audience| own_document(&settings(), audience));
        for (name, value) in oauth.as_object().unwrap() {
            assert_eq!(Some(value), smart.get(name), "{name}");
            assert_eq!(Some(value), open_id.get(name), "{name}");
        }
    }

    #[test]
    fn ds02_ds06_the_members_that_clients_need_are_there() {
        let smart = own_document(&settings(), Smart);
        for name in ["authorization_endpoint", "token_endpoint", "introspection_endpoint", "jwks_uri", "issuer"] {
            assert!(smart[name].as_str().unwrap().starts_with("https://here.test"), "{name}");
        }
        assert_eq!(smart["code_challenge_methods_supported"], json!(["S256"]));
        let asserted = CLIENT_ASSERTION.algorithms.iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>();
        assert_eq!(smart["token_endpoint_auth_signing_alg_values_supported"], json!(asserted));
        assert!(TABLE.iter().all(|(name, ..)| {
            [Smart, OAuth, OpenId].iter().any(|audience| !own_document(&settings(), *audience)[name].is_null())
        }));
        let open_id = own_document(&settings(), OpenId);
        assert_eq!(open_id["id_token_signing_alg_values_supported"], json!(["RS256"]));
        assert_eq!(open_id["ui_locales_supported"], json!(["en", "es"]));
        assert!(open_id.get("capabilities").is_none() && smart.get("subject_types_supported").is_none());
    }

    #[test]
    fn every_listed_scope_parses() {
        assert!(ScopeSet::parse(&scopes().join(" ")).is_ok());
    }
}
