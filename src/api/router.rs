//! The router: answers a call by the tables in [`super::routes`].

use super::app_context::AppContext;
use super::audit::{AuditEntry, Events};
use super::bearer::grant_of;
use super::call::{Call, Method};
use super::discovery::{self, Endpoints};
use super::form::{FormPairs, decode, is_form};
use super::observation::AnsweredCall;
use super::problem::Problem;
use super::records::{self, QueryContext};
use super::reply::{HeaderPolicy, Reply};
use super::routes::{FhirHandler, FhirRoute, Handler, Route};
use super::settings::FHIR;
use super::signin_pages::{self, interact};
use super::throttle::{Throttle, is_admitted};
use super::{client_endpoints, ingest, launcher, metadata, metrics, negotiate, operation, pages, sandbox, submit};
use crate::fhir::{Piece, Reference};
use crate::oauth::{AuthStore, Crypto, Fetch, Guard};
use crate::store::{Cost, Store};

/// The parts of the result of a call that only the log gets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// Lines of the audit log.
    pub audit: Vec<String>,
    /// The detail of an error.
    pub detail: Option<String>,
    /// The properties of the call that are observed.
    pub call: AnsweredCall,
}

/// Answers a call. The second value is for the log.
pub async fn answer<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
) -> (Reply<S::Body>, Log) {
    let mut events = Events::default();
    let (reply, detail) = match call.path.strip_prefix(FHIR) {
        Some(path) if path.is_empty() || path.starts_with('/') => match fhir(app, call, path, &mut events).await {
            Ok(reply) => (reply, None),
            Err(problem) => {
                if let (Some(audit), Some(why)) = (&mut events.audit, problem.name()) {
                    audit.refused(why);
                }
                (refused(&problem, app.store.missed()), problem.detail().map(str::to_owned))
            }
        },
        // The futures of the authorization server are larger than those of a search. They are boxed, so that a search
        // does not reserve their size.
        Some(_) | None => Box::pin(other(app, call, &mut events)).await,
    };
    let request_id = call.request_id();
    let audit = events.lines(call, &app.settings.pepper, &request_id, reply.status);
    let observed = AnsweredCall {
        route: events.route,
        kind: events.audit.as_ref().and_then(AuditEntry::kind),
        refusal: events.refusal(),
        status: reply.status,
        cost: reply.cost,
    };
    (finished(reply, call.method, request_id), Log { audit, detail, call: observed })
}

/// Answers a path under the FHIR base.
async fn fhir<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    path: &str,
    Events { audit, route: observed, .. }: &mut Events,
) -> Result<Reply<S::Body>, Problem> {
    let route = FhirRoute::of(path);
    // The base itself has no row.
    *observed = if matches!(path, "" | "/") { "" } else { route.path };
    if !call.method.is_in(route.allow) {
        return Err(Problem::Method(route.allow));
    }
    if call.method == Method::Options {
        return Ok(preflight(route.allow));
    }
    let mut parameters = decode(call.query.unwrap_or_default()).map_err(|issue| Problem::Bad(vec![issue]))?;
    let (form, path) = match route.handler {
        FhirHandler::Capabilities => {
            negotiate::json_is_wanted(&parameters, call.header("Accept").as_deref())?;
            let endpoints = Endpoints::of(app, call.moment.seconds()).await?;
            let known = call.header("If-None-Match");
            return metadata::capability_statement(app.settings, &endpoints, &parameters, known.as_deref());
        }
        FhirHandler::Submit(what) => {
            let audit = audit.insert(AuditEntry::new("submit"));
            return Box::pin(submit::answer(app, call, path, what, audit)).await;
        }
        FhirHandler::SmartConfiguration => return discovery::smart_configuration(app, call.moment.seconds()).await,
        FhirHandler::Records if matches!(path, "" | "/") => return Err(Problem::Base),
        FhirHandler::Records => (Ok(FormPairs::new()), path),
        FhirHandler::SearchForm => (body_of(call), path.strip_suffix("/_search").unwrap_or(path)),
    };
    // A token in a form is refused as one in an address is. Errors of the form itself are told to holders of a token
    // only.
    if let Ok(form) = &form {
        parameters.extend_from_slice(form);
    }
    let audit = audit.insert(AuditEntry::new("access"));
    let grant = grant_of(app, call, &parameters).await?;
    audit.by(&grant);
    form?;
    negotiate::json_is_wanted(&parameters, call.header("Accept").as_deref())?;
    let context = QueryContext {
        base: &app.settings.base,
        cursors: &app.settings.cursors,
        grant: &grant,
        prefer: negotiate::handling(call.header("Prefer").as_deref()),
        moment: &call.moment,
    };
    let (kind, id) = records::route(path.strip_prefix('/').unwrap_or_default())?;
    let disclosure = audit.of(kind, id.as_ref());
    match (kind, id) {
        (kind, None) => records::search(&app.store, kind, &parameters, context, disclosure).await,
        (kind, Some(id)) if route.handler == FhirHandler::Records => {
            let (reference, known) = (Reference { kind, id }, call.header("If-None-Match"));
            records::read(&app.store, reference, &parameters, known.as_deref(), context, disclosure).await
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
        return Err(Problem::MediaType("application/x-www-form-urlencoded"));
    }
    let bad = |text: &str| Problem::Bad(vec![crate::fhir::Issue::error(crate::fhir::IssueCode::Structure, text)]);
    let text = std::str::from_utf8(body).map_err(|_| bad("The body is not UTF-8."))?;
    decode(text).map_err(|issue| Problem::Bad(vec![issue]))
}

/// Answers a path outside the FHIR base. The text is for the log.
async fn other<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    events: &mut Events,
) -> (Reply<S::Body>, Option<String>) {
    let is_oauth = call.path.starts_with("/oauth/");
    let Some(route) = Route::find(call.path, app.settings) else {
        return (if is_oauth { client_endpoints::no_route() } else { Problem::NoRoute.reply() }, None);
    };
    events.route = route.path;
    if !call.method.is_in(route.allow) {
        let refused =
            if is_oauth { client_endpoints::wrong_method(route.allow) } else { Problem::Method(route.allow).reply() };
        return (refused, None);
    }
    if call.method == Method::Options {
        return (preflight(route.allow), None);
    }
    if let Some(limit) = route.limit
        && !is_admitted(app.crypto, limit, call).await
    {
        events.audit.insert(AuditEntry::new(route.event)).refused("throttled");
        let refused = if let Handler::SignIn(_) = route.handler {
            signin_pages::too_many(call)
        } else {
            client_endpoints::too_many()
        };
        return (refused, None);
    }
    let policy = (route.policy)(app.settings.environment);
    let reply = match route.handler {
        Handler::SignIn(at) => return interact(app, call, at, events).await,
        Handler::Client(request) => {
            let audit = events.audit.insert(AuditEntry::new(route.event));
            return client_endpoints::answer(app, call, request, audit).await;
        }
        Handler::PrepareLaunch => {
            let audit = events.audit.insert(AuditEntry::new(route.event));
            return launcher::prepare_launch(app, call, audit).await;
        }
        Handler::Ingest => {
            let audit = events.audit.insert(AuditEntry::new(route.event));
            return match ingest::answer(app, call, audit).await {
                Ok(reply) => (reply, None),
                Err(problem) => {
                    if let Some(why) = problem.name() {
                        audit.refused(why);
                    }
                    (problem.reply(), problem.detail().map(str::to_owned))
                }
            };
        }
        Handler::Metrics => {
            return match metrics::answer(app, call).await {
                Ok(answered) => answered,
                Err(problem) => {
                    // A scrape is no access to records. Only a refused one is an event.
                    if let Some(why) = problem.name() {
                        events.audit.insert(AuditEntry::new(route.event)).refused(why);
                    }
                    (problem.reply(), problem.detail().map(str::to_owned))
                }
            };
        }
        Handler::Launcher => return launcher::simulate(app, call, events).await,
        Handler::Sandbox => return sandbox::sandbox(app).await,
        Handler::Ready => return operation::ready(app, call.moment.now).await,
        Handler::Style => Reply::text(200, policy, pages::STYLE.to_owned()),
        Handler::Script => Reply::text(200, policy, pages::SCRIPT.to_owned()),
        Handler::Keys => Reply::text(200, policy, app.keys.jwks().to_string()),
        Handler::Discovery(audience) => Reply::text(200, policy, discovery::document_for(app.settings, audience)),
        Handler::Health => Reply::text(200, policy, operation::health()),
        Handler::Version => Reply::text(200, policy, operation::version(app.settings)),
    };
    (reply, None)
}

/// An error. A 404 reports the cost of a read that finds its row, so that the cost does not disclose whether there is
/// one.
fn refused<B>(problem: &Problem, missed: Cost) -> Reply<B> {
    let reply = problem.reply();
    match problem {
        Problem::NotFound => records::timed(reply, missed),
        Problem::NoToken
        | Problem::Token(_)
        | Problem::Revoked
        | Problem::Denied(_)
        | Problem::Bad(_)
        | Problem::NoRoute
        | Problem::Base
        | Problem::Method(_)
        | Problem::NotAcceptable
        | Problem::MediaType(_)
        | Problem::TooLong
        | Problem::NoLength
        | Problem::MayNot { .. }
        | Problem::TooManyRequests
        | Problem::Storage(_)
        | Problem::Jobs(_)
        | Problem::GrantStatus(_)
        | Problem::Fault(_) => reply,
    }
}

/// The answer to a CORS preflight. `Authorization` is listed because `*` does not cover it.
fn preflight<B>(methods: &str) -> Reply<B> {
    Reply::empty(204, HeaderPolicy::Fhir)
        .with("Allow", methods)
        .with("Access-Control-Allow-Methods", methods)
        .with(
            "Access-Control-Allow-Headers",
            "Authorization, Accept, Content-Type, If-None-Match, Prefer, X-Request-Id",
        )
        .with("Access-Control-Max-Age", "86400")
}

/// Adds the headers of every answer, and removes the body of an answer to HEAD.
pub fn finished<B>(reply: Reply<B>, method: Method, request_id: String) -> Reply<B> {
    let mut reply = reply.with("X-Request-Id", request_id);
    if method == Method::Head {
        reply.body = vec![Piece::Text(String::new())];
    }
    reply
}
