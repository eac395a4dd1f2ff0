//! The addresses of the server, one row each. The router answers by this table; discovery takes its addresses from it,
//! and the OpenAPI document and `run_worker_first` in `wrangler.toml` are checked against it.

use super::client_endpoints::ClientRequest;
use super::discovery::Audience;
use super::ingest::INGEST;
use super::reply::HeaderPolicy;
use super::settings::{Environment, Settings};
use super::signin_pages::SignInPath;
use super::submit::SubmitHandler;
use super::throttle::Limit;

/// An address outside the FHIR base.
#[derive(Debug)]
pub struct Route {
    /// The path, without a slash at its end. The last part may be `{id}`, which stands for any name.
    pub path: &'static str,
    /// The methods that the route takes, as `Allow` lists them (RFC 9110, section 10.2.1). If `OPTIONS` is among them,
    /// pages of other origins may call the route (CORS).
    pub allow: &'static str,
    /// The servers that have the route.
    pub servers: Servers,
    /// The limit that its requests count towards.
    pub limit: Option<Limit>,
    /// The event under which the router logs its requests. It is empty for routes that no limit holds.
    pub event: &'static str,
    /// The policy of its answers, which decides most of their headers.
    pub policy: fn(Environment) -> HeaderPolicy,
    /// The handler that answers it.
    pub handler: Handler,
}

/// The servers that have a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Servers {
    /// Every server.
    All,
    /// Servers that issue tokens. Those in edge-only mode do not.
    Issuing,
    /// Sandboxes.
    Sandbox,
}

/// The handlers of routes outside the FHIR base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handler {
    /// A page of the sign-in, or its form.
    SignIn(SignInPath),
    /// A request of a client to the authorization server.
    Client(ClientRequest),
    /// The style sheet of the pages.
    Style,
    /// The script of the pages.
    Script,
    /// The endpoint at which an EHR prepares a launch.
    PrepareLaunch,
    /// The launcher of the sandbox.
    Launcher,
    /// The files that systems send, and their jobs.
    Ingest,
    /// A discovery document.
    Discovery(Audience),
    /// The public keys of the server.
    Keys,
    /// The published clients and users of the sandbox.
    Sandbox,
    /// Liveness.
    Health,
    /// Readiness.
    Ready,
    /// The version.
    Version,
    /// The metrics.
    Metrics,
}

const PAGE: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::Page;
const UNCACHED: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::UncachedJson;
const HEALTH: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::Health;
const STYLE: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::Style;
const SCRIPT: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::Script;
const PUBLIC: fn(Environment) -> HeaderPolicy = HeaderPolicy::Public;

const READ: &str = "GET, HEAD, OPTIONS";
const NETWORK: Option<Limit> = Some(Limit::Network);
const AUTHORIZE: Option<Limit> = Some(Limit::Authorize);

const fn page(path: &'static str, allow: &'static str, limit: Option<Limit>, at: SignInPath) -> Route {
    Route {
        path,
        allow,
        servers: Servers::Issuing,
        limit,
        event: at.name(),
        policy: PAGE,
        handler: Handler::SignIn(at),
    }
}

const fn client(path: &'static str, request: ClientRequest) -> Route {
    let (allow, handler) = ("POST, OPTIONS", Handler::Client(request));
    Route { path, allow, servers: Servers::Issuing, limit: NETWORK, event: request.name(), policy: UNCACHED, handler }
}

const fn public(
    path: &'static str,
    servers: Servers,
    policy: fn(Environment) -> HeaderPolicy,
    handler: Handler,
) -> Route {
    Route { path, allow: READ, servers, limit: None, event: "", policy, handler }
}

const fn ingest(path: &'static str, allow: &'static str, event: &'static str) -> Route {
    Route { path, allow, servers: Servers::All, limit: NETWORK, event, policy: UNCACHED, handler: Handler::Ingest }
}

/// The address of metrics.
pub const METRICS_PATH: &str = "/metrics";

/// The address of readiness.
pub const READY: &str = "/readyz";

/// Every address outside the FHIR base.
pub const ROUTES: &[Route] = &[
    page("/oauth/authorize", "GET, POST", AUTHORIZE, SignInPath::Authorize),
    page("/oauth/sign-in", "GET", NETWORK, SignInPath::Resume),
    page("/oauth/login", "POST", NETWORK, SignInPath::Login),
    page("/oauth/patient", "POST", NETWORK, SignInPath::Patient),
    page("/oauth/consent", "POST", NETWORK, SignInPath::Consent),
    page("/oauth/manage", "GET, POST", NETWORK, SignInPath::Manage),
    page("/oauth/provider", "GET", AUTHORIZE, SignInPath::Provider),
    page("/oauth/callback", "GET", NETWORK, SignInPath::Callback),
    page("/oauth/passkey/challenge", "POST", AUTHORIZE, SignInPath::Challenge),
    page("/oauth/passkey", "POST", NETWORK, SignInPath::Passkey),
    page("/oauth/passkeys", "POST", NETWORK, SignInPath::Passkeys),
    page("/oauth/logout", "GET, POST", NETWORK, SignInPath::SignOut),
    Route {
        path: "/oauth/style.css",
        allow: "GET, HEAD",
        servers: Servers::Issuing,
        limit: None,
        event: "",
        policy: STYLE,
        handler: Handler::Style,
    },
    Route {
        path: "/oauth/passkey.js",
        allow: "GET, HEAD",
        servers: Servers::Issuing,
        limit: None,
        event: "",
        policy: SCRIPT,
        handler: Handler::Script,
    },
    client("/oauth/token", ClientRequest::Token),
    client("/oauth/introspect", ClientRequest::Introspect),
    client("/oauth/revoke", ClientRequest::Revoke),
    Route {
        path: "/oauth/launch",
        allow: "POST",
        servers: Servers::Issuing,
        limit: NETWORK,
        event: "launch",
        policy: UNCACHED,
        handler: Handler::PrepareLaunch,
    },
    ingest(INGEST, "POST, OPTIONS", "ingest"),
    ingest("/ingest/{id}", READ, "ingest-status"),
    public("/oauth/jwks.json", Servers::Issuing, PUBLIC, Handler::Keys),
    public("/.well-known/openid-configuration", Servers::Issuing, PUBLIC, Handler::Discovery(Audience::OpenId)),
    public("/.well-known/oauth-authorization-server", Servers::Issuing, PUBLIC, Handler::Discovery(Audience::OAuth)),
    Route {
        path: "/sandbox/launch",
        allow: "GET, POST, OPTIONS",
        servers: Servers::Sandbox,
        limit: None,
        event: "",
        policy: PAGE,
        handler: Handler::Launcher,
    },
    Route { servers: Servers::Sandbox, ..page("/sandbox/sign-in", "POST", NETWORK, SignInPath::Sandbox) },
    public("/sandbox.json", Servers::Sandbox, PUBLIC, Handler::Sandbox),
    public("/healthz", Servers::All, HEALTH, Handler::Health),
    public(READY, Servers::All, HEALTH, Handler::Ready),
    Route {
        path: METRICS_PATH,
        allow: "GET, HEAD",
        servers: Servers::All,
        limit: NETWORK,
        event: "metrics",
        policy: UNCACHED,
        handler: Handler::Metrics,
    },
    public("/version", Servers::All, UNCACHED, Handler::Version),
];

impl Route {
    /// The route of this path, if this server has it.
    pub fn find(path: &str, settings: &Settings) -> Option<&'static Self> {
        let row = ROUTES.iter().find(|row| row.is_of(path))?;
        let here = match row.servers {
            Servers::All => true,
            Servers::Issuing => settings.trusted.is_empty(),
            Servers::Sandbox => settings.environment == Environment::Sandbox,
        };
        here.then_some(row)
    }

    fn is_of(&self, path: &str) -> bool {
        match self.path.strip_suffix("{id}") {
            Some(start) => path.strip_prefix(start).is_some_and(|id| !id.is_empty() && !id.contains('/')),
            None => self.path == path,
        }
    }
}

/// Returns whether a form that is sent to an address, or a redirect from it, may end a grant or change an access list.
#[must_use]
pub fn may_end_grants(path: &str, settings: &Settings) -> bool {
    let ends =
        |route: &Route| matches!(route.handler, Handler::SignIn(_) | Handler::Client(_) | Handler::PrepareLaunch);
    Route::find(path, settings).is_some_and(ends)
}

/// The path of the route with this handler.
#[must_use]
pub fn path_of(handler: Handler) -> &'static str {
    ROUTES.iter().find(|row| row.handler == handler).map_or("", |row| row.path)
}

/// A route under the FHIR base.
#[derive(Debug, PartialEq, Eq)]
pub struct FhirRoute {
    /// The path below the FHIR base. A part in braces stands for any name.
    pub path: &'static str,
    /// The methods that the route takes, as `Allow` lists them.
    pub allow: &'static str,
    /// The handler that answers it.
    pub handler: FhirHandler,
}

/// The handlers of routes under the FHIR base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FhirHandler {
    /// The CapabilityStatement. It needs no token.
    Capabilities,
    /// The SMART configuration. It needs no token.
    SmartConfiguration,
    /// A search by a form (`POST [type]/_search`).
    SearchForm,
    /// A request about a submission of files.
    Submit(SubmitHandler),
    /// A search or a read.
    Records,
}

const fn submit(path: &'static str, allow: &'static str, at: SubmitHandler) -> FhirRoute {
    FhirRoute { path, allow, handler: FhirHandler::Submit(at) }
}

/// Every route under the FHIR base. The last one takes every path that no earlier one matches.
pub const FHIR_ROUTES: [FhirRoute; 9] = [
    FhirRoute { path: "/metadata", allow: READ, handler: FhirHandler::Capabilities },
    FhirRoute { path: "/.well-known/smart-configuration", allow: READ, handler: FhirHandler::SmartConfiguration },
    submit("/$bulk-submit", "POST, OPTIONS", SubmitHandler::Submit),
    submit("/$bulk-submit-status", "POST, OPTIONS", SubmitHandler::Status),
    submit("/$bulk-submit-status/{id}", READ, SubmitHandler::Poll),
    submit("/$bulk-submit-status/{id}/faults", READ, SubmitHandler::Faults),
    FhirRoute { path: "/{type}/_search", allow: "POST, OPTIONS", handler: FhirHandler::SearchForm },
    FhirRoute { path: "/{type}/{id}", allow: READ, handler: FhirHandler::Records },
    FhirRoute { path: "/{type}", allow: READ, handler: FhirHandler::Records },
];

impl FhirRoute {
    /// The first route that matches a path below the FHIR base.
    pub fn of(path: &str) -> &'static Self {
        let [metadata, smart, submit, status, poll, faults, form, read, search] = &FHIR_ROUTES;
        match path {
            path if path == submit.path => submit,
            path if path == status.path => status,
            path if path.starts_with("/$bulk-submit-status/") => {
                if path.ends_with("/faults") {
                    faults
                } else {
                    poll
                }
            }
            "/metadata" | "/metadata/" => metadata,
            path if path == smart.path => smart,
            path if path.ends_with("/_search") => form,
            path if path.trim_start_matches('/').contains('/') => read,
            _ => search,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::api::settings::FHIR;

    #[test]
    fn paths_are_unique_and_lowercase() {
        let paths: BTreeSet<_> = ROUTES.iter().map(|row| row.path).collect();
        assert_eq!(paths.len(), ROUTES.len());
        for row in ROUTES {
            assert_eq!(row.limit.is_some(), !row.event.is_empty(), "{}", row.path);
            assert!(row.path.starts_with('/') && !row.path.ends_with('/') && !row.allow.is_empty(), "{}", row.path);
        }
    }

    #[test]
    fn the_worker_answers_every_path_before_the_files_of_the_app() {
        let configuration = std::fs::read_to_string("wrangler.toml").unwrap();
        let line = configuration.lines().find(|line| line.starts_with("run_worker_first")).unwrap();
        let patterns: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
        let first = |path: &str| {
            patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
                Some(start) => path.starts_with(start),
                None => path == *pattern,
            })
        };
        let under_fhir = FHIR_ROUTES.iter().map(|row| [FHIR, row.path].concat());
        for path in ROUTES.iter().map(|row| row.path.to_owned()).chain(under_fhir) {
            assert!(first(&path), "{path} is not in run_worker_first");
        }
        for pattern in patterns {
            let start = pattern.trim_end_matches('*');
            let is_used =
                ROUTES.iter().any(|row| row.path.starts_with(start)) || FHIR.starts_with(start.trim_end_matches('/'));
            assert!(is_used, "{pattern} is of no route");
        }
    }

    #[test]
    fn routes_for_other_origins_have_a_policy_that_those_may_read() {
        for row in ROUTES.iter().filter(|row| row.allow.contains("OPTIONS") && row.handler != Handler::Launcher) {
            let mut headers = (row.policy)(Environment::Production).headers();
            assert!(headers.any(|header| header == ("Access-Control-Allow-Origin", "*")), "{}", row.path);
        }
    }
}
