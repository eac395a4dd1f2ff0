//! The addresses, and what all answers have in common.

use super::app_context::AppContext;
use super::audit::{AuditEntry, Events};
use super::bearer::grant_of;
use super::call::{Call, Method};
use super::clinical::{self, QueryContext};
use super::discovery::{self, Endpoints, Reader};
use super::form::{FormPairs, decode, is_form};
use super::problem::Problem;
use super::reply::{Class, Reply};
use super::settings::{Environment, FHIR};
use super::signin::{self, Ask};
use super::signin_pages::{self, SignInPath, interact};
use super::throttle::{Limit, Throttle, is_admitted};
use super::{launcher, metadata, negotiate, operation, sandbox};
use crate::fhir::{Piece, Reference};
use crate::oauth::{AuthStore, Crypto, Fetch, Guard};
use crate::store::{Cost, Store};

/// Where the issuer describes itself (OpenID Connect Discovery; RFC 8414).
const OPEN_ID: &str = "/.well-known/openid-configuration";
const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";

/// What is for the log alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// Lines of the audit.
    pub audit: Vec<String>,
    /// What went wrong here.
    pub detail: Option<String>,
}

/// The answer to a call, and what only the log may know of it.
pub async fn answer<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
) -> (Reply<S::Body>, Log) {
    let mut events = Events::default();
    let (reply, detail) = match call.path.strip_prefix(FHIR) {
        Some(path) if path.is_empty() || path.starts_with('/') => {
            match fhir(app, call, path, &mut events.entry).await {
                Ok(reply) => (reply, None),
                Err(problem) => {
                    if let (Some(entry), Some(why)) = (&mut events.entry, problem.name()) {
                        entry.refused(why);
                    }
                    (refused(&problem, app.store.missed()), problem.detail().map(str::to_owned))
                }
            }
        }
        // The authorization wait with much more in hand than a search does: no search makes room for that.
        Some(_) | None => Box::pin(other(app, call, &mut events)).await,
    };
    let name = call.name();
    let audit = events.lines(call, &app.settings.pepper, &name, reply.status);
    (finished(reply, call.method, name), Log { audit, detail })
}

/// Everything under the FHIR base.
async fn fhir<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    path: &str,
    entry: &mut Option<AuditEntry>,
) -> Result<Reply<S::Body>, Problem> {
    let search = path.strip_suffix("/_search");
    let methods = if search.is_some() { "POST, OPTIONS" } else { "GET, HEAD, OPTIONS" };
    match (call.method, search) {
        (Method::Options, _) => return Ok(preflight(methods)),
        (Method::Get | Method::Head, None) | (Method::Post, Some(_)) => {}
        (Method::Get | Method::Head, Some(_)) | (Method::Post, None) | (Method::Other, _) => {
            return Err(Problem::Method(methods));
        }
    }
    let mut parameters = decode(call.query.unwrap_or_default()).map_err(|issue| Problem::Bad(vec![issue]))?;
    let path = search.unwrap_or(path);
    if search.is_none() {
        match path {
            "" | "/" => return Err(Problem::Base),
            "/metadata" | "/metadata/" => {
                negotiate::json_is_wanted(&parameters, call.header("Accept").as_deref())?;
                let endpoints = Endpoints::of(app, call.moment.seconds()).await?;
                return metadata::capability_statement(
                    app.settings,
                    &endpoints,
                    &parameters,
                    call.header("If-None-Match").as_deref(),
                );
            }
            "/.well-known/smart-configuration" => {
                return discovery::smart_configuration(app, call.moment.seconds()).await;
            }
            _ => {}
        }
    }
    // A token in the form is refused as one in the address is; what is wrong with the form itself is only said to a token.
    let form = if search.is_some() { body_of(call) } else { Ok(FormPairs::new()) };
    if let Ok(form) = &form {
        parameters.extend_from_slice(form);
    }
    let entry = entry.insert(AuditEntry::new("access"));
    let grant = grant_of(app, call, &parameters).await?;
    entry.by(&grant);
    form?;
    negotiate::json_is_wanted(&parameters, call.header("Accept").as_deref())?;
    let asked = QueryContext {
        base: &app.settings.base,
        cursors: &app.settings.cursors,
        grant: &grant,
        prefer: negotiate::handling(call.header("Prefer").as_deref()),
        moment: &call.moment,
    };
    let (kind, id) = clinical::route(path.strip_prefix('/').unwrap_or_default())?;
    let disclosure = entry.of(kind, id.as_ref());
    match (kind, id) {
        (kind, None) => clinical::search(&app.store, kind, &parameters, asked, disclosure).await,
        (kind, Some(id)) if search.is_none() => {
            let (reference, known) = (Reference { kind, id }, call.header("If-None-Match"));
            clinical::read(&app.store, reference, &parameters, known.as_deref(), asked, disclosure).await
        }
        (_, Some(_)) => Err(Problem::NoRoute),
    }
}

/// The form of a POST to `_search`.
fn body_of(call: &Call<'_>) -> Result<FormPairs, Problem> {
    let body = call.body.as_deref().ok_or(Problem::TooLong)?;
    if body.is_empty() {
        return Ok(FormPairs::new());
    }
    if !is_form(call) {
        return Err(Problem::MediaType);
    }
    let bad = |text: &str| Problem::Bad(vec![crate::fhir::Issue::error(crate::fhir::IssueCode::Structure, text)]);
    let text = std::str::from_utf8(body).map_err(|_| bad("The body is not UTF-8."))?;
    decode(text).map_err(|issue| Problem::Bad(vec![issue]))
}

/// Everything beside the FHIR base.
async fn other<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    events: &mut Events,
) -> (Reply<S::Body>, Option<String>) {
    let methods = match call.path {
        path if path.starts_with("/oauth/") && !app.settings.trusted.is_empty() => return (signin::no_route(), None),
        "/oauth/token" | "/oauth/introspect" | "/oauth/revoke" => "POST, OPTIONS",
        "/oauth/authorize" | "/oauth/manage" | "/oauth/logout" => "GET, POST",
        "/oauth/sign-in" => "GET",
        "/oauth/login" | "/oauth/patient" | "/oauth/consent" | "/oauth/launch" => "POST",
        "/oauth/style.css" => "GET, HEAD",
        "/sandbox/launch" if app.settings.environment == Environment::Sandbox => "GET, POST, OPTIONS",
        OPEN_ID | AUTHORIZATION_SERVER if app.settings.trusted.is_empty() => "GET, HEAD, OPTIONS",
        "/sandbox.json" if app.settings.environment == Environment::Sandbox => "GET, HEAD, OPTIONS",
        "/oauth/jwks.json" | "/healthz" | "/readyz" | "/version" => "GET, HEAD, OPTIONS",
        path if path.starts_with("/oauth/") => return (signin::no_route(), None),
        _ => return (Problem::NoRoute.reply(), None),
    };
    let reply = match (call.path, call.method) {
        (_, Method::Options) if methods.contains("OPTIONS") => preflight(methods),
        ("/oauth/authorize", Method::Get | Method::Post) => {
            return meet(app, call, SignInPath::Authorize, events).await;
        }
        ("/oauth/sign-in", Method::Get) => return meet(app, call, SignInPath::Resume, events).await,
        ("/oauth/login", Method::Post) => return meet(app, call, SignInPath::Login, events).await,
        ("/oauth/patient", Method::Post) => return meet(app, call, SignInPath::Patient, events).await,
        ("/oauth/consent", Method::Post) => return meet(app, call, SignInPath::Consent, events).await,
        ("/oauth/manage", Method::Get | Method::Post) => return meet(app, call, SignInPath::Manage, events).await,
        ("/oauth/logout", Method::Get | Method::Post) => return meet(app, call, SignInPath::Logout, events).await,
        ("/oauth/style.css", Method::Get | Method::Head) => signin_pages::style(),
        ("/sandbox/launch", Method::Get | Method::Post) => return launcher::launch(app, call, events).await,
        ("/oauth/launch", Method::Post) => {
            let entry = events.entry.insert(AuditEntry::new("launch"));
            if !is_admitted(app.crypto, Limit::Flood, call).await {
                entry.refused("throttled");
                return (signin::too_many(), None);
            }
            return launcher::make(app, call, entry).await;
        }
        ("/oauth/token", Method::Post) => return ask(app, call, Ask::Token, events).await,
        ("/oauth/introspect", Method::Post) => return ask(app, call, Ask::Introspect, events).await,
        ("/oauth/revoke", Method::Post) => return ask(app, call, Ask::Revoke, events).await,
        (OPEN_ID, Method::Get | Method::Head) => discovery::at_root(app.settings, Reader::OpenId),
        (AUTHORIZATION_SERVER, Method::Get | Method::Head) => discovery::at_root(app.settings, Reader::OAuth),
        ("/oauth/jwks.json", Method::Get | Method::Head) => signin::jwks(app.keys, app.settings),
        ("/sandbox.json", Method::Get | Method::Head) => return sandbox::sandbox(app).await,
        ("/healthz", Method::Get | Method::Head) => operation::health(),
        ("/readyz", Method::Get | Method::Head) => return operation::ready(&app.store, &app.auth_store).await,
        ("/version", Method::Get | Method::Head) => operation::version(app.settings),
        (path, Method::Get | Method::Head | Method::Post | Method::Options | Method::Other)
            if path.starts_with("/oauth/") =>
        {
            signin::wrong_method(methods)
        }
        (_, Method::Get | Method::Head | Method::Post | Method::Options | Method::Other) => {
            Problem::Method(methods).reply()
        }
    };
    (reply, None)
}

/// What a client asks of the authorization server.
async fn ask<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    what: Ask,
    events: &mut Events,
) -> (Reply<S::Body>, Option<String>) {
    let entry = events.entry.insert(AuditEntry::new(what.name()));
    if !is_admitted(app.crypto, Limit::Flood, call).await {
        entry.refused("throttled");
        return (signin::too_many(), None);
    }
    signin::ask(app, call, what, entry).await
}

/// What a person does.
async fn meet<S: Store, L: AuthStore, C: Crypto + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    at: SignInPath,
    events: &mut Events,
) -> (Reply<S::Body>, Option<String>) {
    let limit = if at == SignInPath::Authorize { Limit::Authorize } else { Limit::Flood };
    if !is_admitted(app.crypto, limit, call).await {
        events.entry.insert(AuditEntry::new(at.name())).refused("throttled");
        return (signin_pages::too_many(), None);
    }
    interact(app, call, at, events).await
}

/// A refusal. On a 404 the cost is said as if the row had been there: whether it was is nobody's to read off.
fn refused<B>(problem: &Problem, missed: Cost) -> Reply<B> {
    let reply = problem.reply();
    match problem {
        Problem::NotFound => clinical::timed(reply, missed),
        Problem::NoToken
        | Problem::Token(_)
        | Problem::Revoked
        | Problem::Denied(_)
        | Problem::Bad(_)
        | Problem::NoRoute
        | Problem::Base
        | Problem::Method(_)
        | Problem::NotAcceptable
        | Problem::MediaType
        | Problem::TooLong
        | Problem::Flood
        | Problem::Storage(_)
        | Problem::GrantStatus(_)
        | Problem::Fault(_) => reply,
    }
}

/// What a browser asks before it calls from another origin. `Authorization` must be named: `*` does not cover it.
fn preflight<B>(methods: &str) -> Reply<B> {
    Reply::empty(204, Class::Fhir)
        .with("Allow", methods)
        .with("Access-Control-Allow-Methods", methods)
        .with(
            "Access-Control-Allow-Headers",
            "Authorization, Accept, Content-Type, If-None-Match, Prefer, X-Request-Id",
        )
        .with("Access-Control-Max-Age", "86400")
}

/// What every answer says of itself.
pub fn finished<B>(reply: Reply<B>, method: Method, name: String) -> Reply<B> {
    let mut reply = reply.with("X-Request-Id", name);
    if method == Method::Head {
        reply.body = vec![Piece::Text(String::new())];
    }
    reply
}
