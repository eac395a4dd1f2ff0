//! The addresses of the server, with one row for each. A row determines how a runtime receives the body of a call and
//! what it prepares, and the router answers by the same row. Discovery uses the addresses in the table, and the OpenAPI
//! document and `run_worker_first` in `wrangler.toml` are checked against it.

use super::path::{Interaction, Interacts, PathVariables, id_of};
use super::problem::Problem;
use super::reply::HeaderPolicy;
use super::throttle::Limit;
use crate::configuration::settings::{Environment, FHIR, Settings};
use ::export::ExportLevel;

/// An address of the server.
#[derive(Debug)]
pub struct Route {
    /// The path. Parts in braces are variables. Outside the FHIR base, a variable stands for one non-empty part. Below
    /// the base, it stands for one part with any text. The last variable stands for the whole rest of the path; if it
    /// is the only one, it also stands for no rest and no slash. So every path below the base matches a row.
    pub path: &'static str,
    /// True if an additional slash after the FHIR base or at the end makes no difference.
    pub ignores_slashes: bool,
    /// The methods that the route accepts, as listed in `Allow` (RFC 9110, section 10.2.1). If `OPTIONS` is among them,
    /// pages of other origins may call the route (CORS).
    pub allow: &'static str,
    /// The way in which the body of a POST is received.
    pub body: Body,
    /// True if the answer needs the jobs that load sent records.
    pub needs_jobs: bool,
    /// True if a call changes nothing, so that it is aborted if its caller disconnects.
    pub is_read: bool,
    /// The servers that have the route.
    pub servers: Servers,
    /// The pages from which a request may come.
    pub origins: OriginPolicy,
    /// The rate limit that counts its requests.
    pub limit: Option<Limit>,
    /// The event by which its requests are recorded in the audit log. Empty if they are not recorded.
    pub event: &'static str,
    /// The policy of its answers, which determines most of their headers.
    pub policy: fn(Environment) -> HeaderPolicy,
    /// The handler that answers it.
    pub handler: Handler,
    /// The interaction of a path of the route. Only routes of records have interactions.
    pub interaction: Interacts,
}

/// The way in which the body of a POST is received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// The body is not read.
    None,
    /// The body is read if it has at most this number of bytes.
    UpTo(usize),
    /// The body is left to the handler, as a stream.
    Stream,
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
    /// Servers that publish service base URLs.
    Publishing,
    /// Servers with a Worker that writes summaries.
    Summarizing,
    /// Servers that admit agents.
    Agents,
    /// Servers that issue tokens and at which agents register themselves.
    RegisteringAgents,
    /// Servers with a public directory.
    Public,
    /// Servers with the operations of Bulk Data Access 4.0.0-ballot.
    Version4,
    /// Servers that issue tokens and on which users share records by links.
    Sharing,
}

/// The pages from which a request may come, according to the headers of a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OriginPolicy {
    /// Pages of any site.
    Any,
    /// Forms must come from pages of this server. Links may be anywhere.
    OwnForms,
    /// Forms with a token must come from pages of this server. Forms without one, and links, may be anywhere.
    OwnTokens,
    /// Forms and links must be on pages of this server.
    Own,
    /// Like `Own`, but the headers must confirm it.
    SurelyOwn,
}

/// The handlers of routes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handler {
    /// A route under the FHIR base.
    Fhir(FhirHandler),
    /// A page of the sign-in, or its form.
    SignIn(SignInPath),
    /// A request of a client to the authorization server.
    Client(ClientRequest),
    /// The style sheet of the pages.
    Style,
    /// The style of the server for apps.
    StyleDocument,
    /// The service base URLs.
    ServiceBaseUrls,
    /// The endpoint at which agents register themselves.
    RegisterAgent,
    /// The endpoint at which an EHR prepares a launch.
    PrepareLaunch,
    /// The launcher of the sandbox.
    Launcher,
    /// The address to which systems send files.
    Ingest,
    /// The status of a sent file.
    IngestStatus,
    /// The address at which links to share are made.
    MakeLink,
    /// A link to share.
    OpenLink,
    /// A discovery document.
    Discovery(Audience),
    /// The Model Context Protocol.
    Mcp,
    /// The metadata of the resource for agents.
    ProtectedResource,
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
}

/// The handlers of routes under the FHIR base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FhirHandler {
    /// The base itself, which has no interaction.
    Base,
    /// The CapabilityStatement. It needs no token.
    Capabilities,
    /// The SMART configuration. It needs no token.
    SmartConfiguration,
    /// A search by a form (`POST [type]/_search`).
    SearchForm,
    /// A request for an export or its files.
    Export(ExportHandler),
    /// A search or a read.
    Records,
    /// An operation on records. Its parameters are in the address, in a form, or in a Parameters resource.
    Operation,
}

/// The pages of the sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInPath {
    /// `/oauth/authorize`
    Authorize,
    /// `/oauth/sign-in`
    Resume,
    /// `/oauth/login`
    Login,
    /// `/oauth/patient`
    Patient,
    /// `/oauth/consent`
    Consent,
    /// `/oauth/manage`
    Manage,
    /// `/oauth/provider`
    Provider,
    /// `/oauth/callback`
    Callback,
    /// `/oauth/logout`
    SignOut,
    /// `/sandbox/sign-in`
    Sandbox,
}

/// A form request of a client to the authorization server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientRequest {
    /// `POST /oauth/token`
    Token,
    /// `POST /oauth/introspect`
    Introspect,
    /// `POST /oauth/revoke`
    Revoke,
}

/// The requests for exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportHandler {
    /// An operation that begins an export, such as `Patient/$export`.
    Begin(ExportLevel, ExportOperation),
    /// `$export-status/{id}`
    Status,
    /// `$export-file/{id}/{number}.ndjson`
    File,
    /// `$bulk-publish`, `$bulk-publish/{id}.ndjson`, `$bulk-publish/{id}.json`
    Publication,
}

/// The operations that begin an export, which have the same meaning but other rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportOperation {
    /// `$export` (Bulk Data Access 2.0.0 and 3.0.0)
    Export,
    /// `$export-v4` (Bulk Data Access 4.0.0-ballot)
    Version4,
    /// `$davinci-data-export`
    DaVinci,
}

/// The audience of a discovery document: the standard whose clients read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// `.well-known/smart-configuration`, below the FHIR base.
    Smart,
    /// `.well-known/oauth-authorization-server`
    OAuth,
    /// `.well-known/openid-configuration`
    OpenId,
}

/// The methods that a route accepts, and the way in which the body of a POST is received.
type Methods = (&'static str, Body);

/// The longest body that is read as a whole, in bytes.
const FORM: Body = Body::UpTo(64 * 1024);

/// The longest body of the request for an export, which may name patients.
const PATIENTS: Body = Body::UpTo(256 * 1024);

const READ: Methods = ("GET, HEAD, OPTIONS", Body::None);
const FILE: Methods = ("GET, HEAD", Body::None);
const GET: Methods = ("GET", Body::None);
const POST: Methods = ("POST", FORM);
const GET_POST: Methods = ("GET, POST", FORM);
const GET_HEAD_POST: Methods = ("GET, HEAD, POST", FORM);
const READ_CALL: Methods = ("GET, HEAD, POST, OPTIONS", FORM);
const CALL: Methods = ("POST, OPTIONS", FORM);
/// A request for a link, with an encrypted file. A row of D1 has at most 2,000,000 bytes.
const LINK: Methods = ("GET, POST, OPTIONS", FORM);
const ENCRYPTED: Methods = ("POST, OPTIONS", Body::UpTo(1_500_000));
const UPLOAD: Methods = ("POST, OPTIONS", Body::Stream);
const EXPORT: Methods = ("GET, POST, OPTIONS", PATIENTS);
const JOB: Methods = ("GET, HEAD, DELETE, OPTIONS", Body::None);

const FHIR_POLICY: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::Fhir;
const PAGE: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::Page;
const UNCACHED: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::UncachedJson;
const HEALTH: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::Health;
const STYLE: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::Style;
const UNCHANGING: fn(Environment) -> HeaderPolicy = |_| HeaderPolicy::Unchanging;
const PUBLIC: fn(Environment) -> HeaderPolicy = HeaderPolicy::Public;

const NETWORK: Option<Limit> = Some(Limit::Network);
const AUTHORIZE: Option<Limit> = Some(Limit::Authorize);

/// Returns a route of every server, without a limit.
const fn row(
    path: &'static str,
    (allow, body): Methods,
    policy: fn(Environment) -> HeaderPolicy,
    handler: Handler,
) -> Route {
    Route {
        path,
        ignores_slashes: false,
        allow,
        body,
        needs_jobs: false,
        is_read: false,
        servers: Servers::All,
        origins: OriginPolicy::Any,
        limit: None,
        event: "",
        policy,
        handler,
        interaction: |_| Err(Problem::NoRoute),
    }
}

/// Returns a route with JSON answers that must not be stored. Its requests are limited, and logged as an event.
const fn limited(path: &'static str, methods: Methods, event: &'static str, handler: Handler) -> Route {
    Route { limit: NETWORK, event, ..row(path, methods, UNCACHED, handler) }
}

const fn fhir(path: &'static str, methods: Methods, event: &'static str, handler: FhirHandler) -> Route {
    Route { is_read: true, event, ..row(path, methods, FHIR_POLICY, Handler::Fhir(handler)) }
}

const fn records(path: &'static str, methods: Methods, handler: FhirHandler, interaction: Interacts) -> Route {
    Route { interaction, ..fhir(path, methods, "access", handler) }
}

/// Returns a route under the FHIR base that needs no token.
const fn public(path: &'static str, handler: FhirHandler) -> Route {
    Route { ignores_slashes: true, ..fhir(path, READ, "", handler) }
}

const fn export(path: &'static str, methods: Methods, event: &'static str, at: ExportHandler) -> Route {
    Route { is_read: false, ..fhir(path, methods, event, FhirHandler::Export(at)) }
}

const fn begin(path: &'static str, level: ExportLevel, operation: ExportOperation) -> Route {
    export(path, EXPORT, "export", ExportHandler::Begin(level, operation))
}

const fn version_4(path: &'static str, level: ExportLevel) -> Route {
    let route = begin(path, level, ExportOperation::Version4);
    Route { servers: Servers::Version4, allow: "POST, OPTIONS", ..route }
}

/// Returns a route of what needs no token. Only refusals are recorded.
const fn publication(path: &'static str) -> Route {
    Route { servers: Servers::Public, is_read: true, ..export(path, READ, "access", ExportHandler::Publication) }
}

const fn page(path: &'static str, methods: Methods, event: &'static str, at: SignInPath) -> Route {
    Route {
        servers: Servers::Issuing,
        origins: OriginPolicy::OwnForms,
        policy: PAGE,
        ..limited(path, methods, event, Handler::SignIn(at))
    }
}

const fn client(path: &'static str, event: &'static str, request: ClientRequest) -> Route {
    Route { servers: Servers::Issuing, ..limited(path, CALL, event, Handler::Client(request)) }
}

/// Returns a public document of servers that issue tokens.
const fn issuer(path: &'static str, handler: Handler) -> Route {
    Route { servers: Servers::Issuing, ..row(path, READ, PUBLIC, handler) }
}

/// All addresses except those of [`RECORDS`], which come after them.
pub static ROUTES: &[Route] = &[
    Route { interaction: Interaction::search, ..public("/fhir/r4", FhirHandler::Base) },
    public("/fhir/r4/metadata", FhirHandler::Capabilities),
    public("/fhir/r4/.well-known/smart-configuration", FhirHandler::SmartConfiguration),
    begin("/fhir/r4/$export", ExportLevel::System, ExportOperation::Export),
    begin("/fhir/r4/Patient/$export", ExportLevel::Patient, ExportOperation::Export),
    begin("/fhir/r4/Group/{id}/$export", ExportLevel::Group, ExportOperation::Export),
    begin("/fhir/r4/Group/{id}/$davinci-data-export", ExportLevel::Group, ExportOperation::DaVinci),
    version_4("/fhir/r4/$export-v4", ExportLevel::System),
    version_4("/fhir/r4/Patient/$export-v4", ExportLevel::Patient),
    version_4("/fhir/r4/Group/{id}/$export-v4", ExportLevel::Group),
    export("/fhir/r4/$export-status/{id}", JOB, "export-status", ExportHandler::Status),
    Route {
        is_read: true,
        ..export("/fhir/r4/$export-file/{id}/{number}.ndjson", READ, "export-file", ExportHandler::File)
    },
    publication("/fhir/r4/$bulk-publish"),
    publication("/fhir/r4/$bulk-publish/{id}.ndjson"),
    publication("/fhir/r4/$bulk-publish/{id}.json"),
    records("/fhir/r4/{type}/_search", CALL, FhirHandler::SearchForm, Interaction::form),
    Route {
        limit: AUTHORIZE,
        origins: OriginPolicy::Any,
        ..page("/oauth/authorize", GET_POST, "authorize", SignInPath::Authorize)
    },
    page("/oauth/sign-in", GET, "sign-in", SignInPath::Resume),
    page("/oauth/login", POST, "login", SignInPath::Login),
    page("/oauth/patient", POST, "patient", SignInPath::Patient),
    page("/oauth/consent", POST, "consent", SignInPath::Consent),
    page("/oauth/manage", GET_HEAD_POST, "manage", SignInPath::Manage),
    // A link on another site must not begin a sign-in at a provider.
    Route {
        limit: AUTHORIZE,
        origins: OriginPolicy::Own,
        ..page("/oauth/provider", GET, "provider", SignInPath::Provider)
    },
    page("/oauth/callback", GET, "login-provider", SignInPath::Callback),
    Route { origins: OriginPolicy::OwnTokens, ..page("/oauth/logout", GET_HEAD_POST, "sign-out", SignInPath::SignOut) },
    Route { servers: Servers::Issuing, ..row("/oauth/style.css", FILE, STYLE, Handler::Style) },
    Route { servers: Servers::Issuing, ..row("/oauth/style/{id}.json", READ, UNCHANGING, Handler::StyleDocument) },
    client("/oauth/token", "token", ClientRequest::Token),
    client("/oauth/introspect", "introspect", ClientRequest::Introspect),
    client("/oauth/revoke", "revoke", ClientRequest::Revoke),
    Route {
        servers: Servers::RegisteringAgents,
        ..limited("/oauth/register", CALL, "register", Handler::RegisterAgent)
    },
    Route { servers: Servers::Issuing, ..limited("/oauth/launch", POST, "launch", Handler::PrepareLaunch) },
    Route { servers: Servers::Sharing, ..limited("/links", ENCRYPTED, "link-made", Handler::MakeLink) },
    Route { servers: Servers::Sharing, ..limited("/links/{id}", LINK, "link-refused", Handler::OpenLink) },
    Route { needs_jobs: true, ..limited("/ingest", UPLOAD, "ingest", Handler::Ingest) },
    Route { needs_jobs: true, ..limited("/ingest/{id}", READ, "ingest-status", Handler::IngestStatus) },
    Route { ignores_slashes: true, servers: Servers::Agents, ..limited("/mcp", CALL, "agent", Handler::Mcp) },
    issuer("/oauth/jwks.json", Handler::Keys),
    issuer("/.well-known/openid-configuration", Handler::Discovery(Audience::OpenId)),
    issuer("/.well-known/oauth-authorization-server", Handler::Discovery(Audience::OAuth)),
    Route {
        servers: Servers::Agents,
        ..row("/.well-known/oauth-protected-resource/mcp", READ, PUBLIC, Handler::ProtectedResource)
    },
    // Clients look for the metadata of a server here, whatever its resource is.
    Route {
        servers: Servers::Agents,
        ..row("/.well-known/oauth-protected-resource", READ, PUBLIC, Handler::ProtectedResource)
    },
    Route {
        servers: Servers::Publishing,
        ..row("/.well-known/service-base-urls.json", READ, PUBLIC, Handler::ServiceBaseUrls)
    },
    Route {
        servers: Servers::Sandbox,
        ..row("/sandbox/launch", ("GET, POST, OPTIONS", FORM), PAGE, Handler::Launcher)
    },
    // The app does not use a form of these pages. The browser must confirm that it has this origin.
    Route {
        servers: Servers::Sandbox,
        origins: OriginPolicy::SurelyOwn,
        ..page("/sandbox/sign-in", POST, "login-sandbox", SignInPath::Sandbox)
    },
    Route { servers: Servers::Sandbox, ..row("/sandbox.json", READ, PUBLIC, Handler::Sandbox) },
    row("/healthz", READ, HEALTH, Handler::Health),
    Route { needs_jobs: true, ..row("/readyz", READ, HEALTH, Handler::Ready) },
    row("/version", READ, UNCACHED, Handler::Version),
];

/// The addresses of records. Special ones come before those that match more paths.
pub static RECORDS: &[Route] = &[
    records("/fhir/r4/Observation/$lastn", READ_CALL, FhirHandler::Operation, |_| Ok(Interaction::LastN)),
    records("/fhir/r4/DocumentReference/$docref", READ_CALL, FhirHandler::Operation, |_| Ok(Interaction::DocRef)),
    records("/fhir/r4/Patient/$everything", READ_CALL, FhirHandler::Operation, |_| Ok(Interaction::Everything(None))),
    records("/fhir/r4/Patient/{id}/$everything", READ_CALL, FhirHandler::Operation, |[id, ..]| {
        Ok(Interaction::Everything(Some(id_of(id)?)))
    }),
    Route {
        servers: Servers::Summarizing,
        ..records("/fhir/r4/Patient/$summary", READ_CALL, FhirHandler::Operation, |_| Ok(Interaction::Summary(None)))
    },
    Route {
        servers: Servers::Summarizing,
        ..records("/fhir/r4/Patient/{id}/$summary", READ_CALL, FhirHandler::Operation, |[id, ..]| {
            Ok(Interaction::Summary(Some(id_of(id)?)))
        })
    },
    records("/fhir/r4/{type}/{id}/_history/{vid}", READ, FhirHandler::Records, Interaction::version),
    records("/fhir/r4/{compartment}/{id}/{type}", READ, FhirHandler::Records, Interaction::compartment),
    records("/fhir/r4/{type}/{id}", READ, FhirHandler::Records, Interaction::read),
    records("/fhir/r4/{type}", READ, FhirHandler::Records, Interaction::search),
];

impl Route {
    /// Returns the first route that matches a path, with the texts of its variables.
    pub fn find(path: &str) -> Option<(&'static Self, PathVariables<'_>)> {
        Self::all().find_map(|route| Some((route, route.captured_in(path)?)))
    }

    /// Returns every address.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        ROUTES.iter().chain(RECORDS)
    }

    /// Returns the texts of the variables in a path. `None` if the path belongs to another route.
    pub fn captured_in<'a>(&self, path: &'a str) -> Option<PathVariables<'a>> {
        let mut captured = [""; 3];
        let Some((start, rest)) = self.path.split_once('{') else {
            let below = |path: &'a str| {
                let path = path.strip_prefix(if self.is_fhir() { FHIR } else { "" })?;
                let path = path.strip_prefix('/').filter(|path| path.starts_with('/')).unwrap_or(path);
                Some(path.strip_suffix('/').unwrap_or(path))
            };
            let is_alike = || self.ignores_slashes && below(path).is_some_and(|path| Some(path) == below(self.path));
            return (path == self.path || is_alike()).then_some(captured);
        };
        let (names, end) = rest.rsplit_once('}')?;
        let path = path.strip_suffix(end)?;
        let without = || start.strip_suffix('/').filter(|start| self.is_fhir() && *start == path).map(|_| "");
        let text = path.strip_prefix(start).or_else(without)?;
        if !self.is_fhir() && (text.is_empty() || text.contains('/')) {
            return None;
        }
        let (mut parts, mut variables) = (text.splitn(names.split('/').count(), '/'), captured.iter_mut());
        for (at, name) in names.split('/').enumerate() {
            let part = parts.next()?;
            if at == 0 || name.starts_with('{') {
                *variables.next()? = part;
            } else if part != name {
                return None;
            }
        }
        Some(captured)
    }

    /// Returns whether the route is below the FHIR base.
    pub const fn is_fhir(&self) -> bool {
        matches!(self.handler, Handler::Fhir(_))
    }

    /// Returns whether the answer needs the exports, or reports whether there are any.
    pub const fn needs_exports(&self) -> bool {
        matches!(self.handler, Handler::Fhir(FhirHandler::Export(_) | FhirHandler::Capabilities))
    }

    /// Returns whether the answer needs the Worker that writes summaries.
    pub const fn needs_reading(&self) -> bool {
        matches!(self.servers, Servers::Summarizing) || matches!(self.handler, Handler::Mcp)
    }

    /// Returns whether the handler reads files of the app.
    pub const fn needs_assets(&self) -> bool {
        matches!(self.handler, Handler::Mcp)
    }

    /// Returns the name in logs and measurements: the path, relative to the FHIR base if it is below it.
    pub fn name(&self) -> &'static str {
        self.path.strip_prefix(FHIR).unwrap_or(self.path)
    }
}

impl Servers {
    /// Returns whether a server is one of these.
    pub fn include(self, settings: &Settings) -> bool {
        match self {
            Servers::All => true,
            Servers::Issuing => settings.trusted.is_empty(),
            Servers::Sandbox => settings.environment == Environment::Sandbox,
            Servers::Publishing => settings.service_base_urls.is_some(),
            Servers::Summarizing => settings.summaries,
            Servers::Agents => settings.agents.is_some(),
            Servers::RegisteringAgents => {
                settings.agents.as_ref().is_some_and(oauth::Agents::reads_documents)
                    && settings.agent_registration
                    && settings.trusted.is_empty()
            }
            Servers::Public => settings.public.is_some(),
            Servers::Version4 => settings.export_v4,
            Servers::Sharing => settings.links && settings.trusted.is_empty(),
        }
    }
}

impl Interaction {
    /// Returns the interaction of a path below the FHIR base, according to the table of routes. The characters of an id
    /// may be percent-encoded (RFC 3986, section 6.2.2.2).
    ///
    /// # Errors
    /// If no such path is offered, or the text in place of an id is not an id.
    pub fn of(path: &str) -> Result<Self, Problem> {
        let path = [FHIR, "/", path].concat();
        let found = RECORDS.iter().find_map(|row| Some((row.interaction, row.captured_in(&path)?)));
        found.map_or(Err(Problem::NoRoute), |(interaction, captured)| interaction(captured))
    }

    /// Returns a search, for `POST [path]/_search`, which is equivalent to `GET [path]`.
    fn form([path, ..]: PathVariables<'_>) -> Result<Self, Problem> {
        match Self::of(path)? {
            search @ (Self::Search(_) | Self::Compartment(..) | Self::Types) => Ok(search),
            Self::Read(..) | Self::Everything(_) | Self::Summary(_) | Self::LastN | Self::DocRef => {
                Err(Problem::NoRoute)
            }
        }
    }
}

/// Returns the path of the first route with this handler.
pub fn path_of(handler: Handler) -> &'static str {
    Route::all().find(|row| row.handler == handler).map_or("", |row| row.path)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use fhir::{Id, Reference, ResourceType};

    #[test]
    fn paths_are_unique_and_lowercase() {
        let paths: BTreeSet<_> = Route::all().map(|row| row.path).collect();
        assert_eq!(paths.len(), ROUTES.len() + RECORDS.len());
        for row in Route::all() {
            let path = row.path;
            let needs_token = row.is_fhir() && row.name().contains(['{', '_', '$']);
            assert_eq!(row.limit.is_some() || needs_token, !row.event.is_empty(), "{path}");
            assert!(path.starts_with('/') && !path.ends_with('/') && !row.allow.is_empty(), "{path}");
            assert_eq!(row.is_fhir(), path.starts_with(FHIR), "{path}");
            assert_eq!(row.body != Body::None, row.allow.contains("POST"), "{path}");
            // Only pages of the sign-in check the origin of a request.
            assert!(row.origins == OriginPolicy::Any || matches!(row.handler, Handler::SignIn(_)), "{path}");
        }
    }

    #[test]
    fn a_path_is_of_the_first_row_that_matches() {
        for row in Route::all() {
            let (found, _) = Route::find(row.path).unwrap();
            assert_eq!(found.path, row.path, "hidden");
        }
        let captured = |path| {
            let (found, captured) = Route::find(path)?;
            Some((found.name(), captured.join(" ").trim_end().to_owned()))
        };
        let row = |name, texts: &str| Some((name, texts.to_owned()));
        assert_eq!(captured("/ingest/a"), row("/ingest/{id}", "a"));
        assert_eq!(captured("/ingest/a/b"), None);
        assert_eq!(captured("/ingest/"), None);
        assert_eq!(captured("/fhir/r4/Patient/a"), row("/{type}/{id}", "Patient a"));
        assert_eq!(captured("/fhir/r4/Patient/a/b/c"), row("/{compartment}/{id}/{type}", "Patient a b/c"));
        assert_eq!(captured("/fhir/r4/Patient/a/_history/1"), row("/{type}/{id}/_history/{vid}", "Patient a 1"));
        assert_eq!(captured("/fhir/r4/Patient/a/_search"), row("/{type}/_search", "Patient/a"));
        assert_eq!(captured("/fhir/r4//Patient"), row("/{type}/{id}", " Patient"));
        assert_eq!(captured("/fhir/r4/_search"), row("/{type}/_search", ""));
        assert_eq!(captured("/fhir/r4/$export-file/a/1.ndjson"), row("/$export-file/{id}/{number}.ndjson", "a 1"));
        for (public, paths) in [
            ("", &["/fhir/r4/", "/fhir/r4//"][..]),
            ("/metadata", &["/fhir/r4//metadata", "/fhir/r4/metadata/", "/fhir/r4//metadata/"]),
            (
                "/.well-known/smart-configuration",
                &["/fhir/r4//.well-known/smart-configuration", "/fhir/r4/.well-known/smart-configuration/"],
            ),
        ] {
            assert!(paths.iter().all(|path| captured(path) == row(public, "")), "{public}");
        }
        assert_eq!(captured("/fhir/r4metadata"), None);
        assert_eq!(captured("/fhir/r4x"), None);
    }

    #[test]
    fn every_path_under_the_fhir_base_has_a_row() {
        for below in ["", "/", "//", "/x", "/x/y", "/x/y/z", "/x/_search", "/$x", "/\u{e9}/%", "/metadata/x"] {
            let path = [FHIR, below].concat();
            assert!(Route::find(&path).is_some_and(|(found, _)| found.is_fhir()), "{path}");
        }
    }

    #[test]
    fn routes_for_other_origins_have_a_policy_that_those_may_read() {
        for row in Route::all().filter(|row| row.allow.contains("OPTIONS") && row.handler != Handler::Launcher) {
            let mut headers = (row.policy)(Environment::Production).headers();
            assert!(headers.any(|header| header == ("Access-Control-Allow-Origin", "*")), "{}", row.path);
        }
    }

    #[test]
    fn a_path_is_a_search_or_a_read_or_none() {
        let reference = || Reference::parse("Patient/a").unwrap();
        for (path, expected) in [
            ("Patient", Ok(Interaction::Search(ResourceType::Patient))),
            ("Patient/", Ok(Interaction::Search(ResourceType::Patient))),
            ("Patient/a", Ok(Interaction::Read(reference(), None))),
            ("Patient/%61", Ok(Interaction::Read(reference(), None))),
            ("Patient/a/_history/2", Ok(Interaction::Read(reference(), Some("2".to_owned())))),
            ("Patient/$everything", Ok(Interaction::Everything(None))),
            ("Patient/a/$everything", Ok(Interaction::Everything(Id::parse("a")))),
            ("Observation/$lastn", Ok(Interaction::LastN)),
            ("DocumentReference/$docref", Ok(Interaction::DocRef)),
            ("Condition/$lastn", Err(Problem::NoRoute)),
            ("Encounter/a/$everything", Err(Problem::NoRoute)),
            ("Patient/a/_history", Err(Problem::NoHistory)),
            ("Patient/_history", Err(Problem::NoHistory)),
            ("_history", Err(Problem::NoHistory)),
            ("Patient/a_b/_history/2", Err(Problem::NotFound)),
            ("Patient/$x", Err(Problem::NoRoute)),
            ("Patient/a/", Err(Problem::NoRoute)),
            ("Patient/a/_history/2/", Err(Problem::NoRoute)),
            ("Colour/a/_history", Err(Problem::NoRoute)),
            ("/", Err(Problem::NoRoute)),
            ("", Ok(Interaction::Types)),
            ("Patient/a/Goal", Ok(Interaction::Compartment(reference(), Some(ResourceType::Goal)))),
            ("Patient/a/*", Ok(Interaction::Compartment(reference(), None))),
            ("Encounter/a/*", Err(Problem::NoRoute)),
            ("Goal/a/Observation", Err(Problem::NoRoute)),
            ("Patient/a/Colour", Err(Problem::NoRoute)),
        ] {
            assert_eq!(Interaction::of(path), expected, "{path}");
        }
    }
}
