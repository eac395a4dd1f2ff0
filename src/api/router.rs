//! The router: answers a call according to its row in the table of [`super::http::routes`].

use super::app_context::AppContext;
use super::audit::{AuditEntry, Events};
use super::authorization::signin_pages::{self, answer_sign_in};
use super::authorization::style::style_document;
use super::authorization::{client_endpoints, launcher, pages, sandbox};
use super::bearer::ParsedRequest;
use super::configuration::settings::Settings;
use super::discovery::metadata;
use super::discovery::well_known::{self, Endpoints};
use super::http::call::{Call, Method};
use super::http::form::{FormPairs, decode, is_form, is_json, parameters_of};
use super::http::negotiate;
use super::http::path::Interaction;
use super::http::problem::Problem;
use super::http::reply::{FHIR_JSON, HeaderPolicy, Reply, with_cost};
use super::http::routes::{ExportHandler, FhirHandler, Handler, Route, Servers};
use super::http::throttle::{Throttle, is_admitted};
use super::measurement::AnsweredCall;
use super::records::binary;
use super::records::doc_ref::{is_on_demand, on_demand};
use super::records::documents::with_documents;
use super::records::request::RecordRequest;
use super::records::summary::summary;
use super::{export, health_links, ingest, mcp, operation};
use fhir::{BodyPiece, Id, Language, ResourceType};
use oauth::{AuthStore, Crypto, Fetch, Guard};
use smart::Denied;
use store::{Cost, Store};

/// The data on a call that are only logged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// Lines of the audit log.
    pub audit: Vec<String>,
    /// The detail of an error.
    pub detail: Option<String>,
    /// The properties of the call that are measured.
    pub call: AnsweredCall,
}

/// Answers a call. The second value is for the log.
pub async fn answer<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
) -> (Reply<S::Body>, Log) {
    let mut events = Events::default();
    let (reply, detail) = match call.target.route.filter(|route| route.servers.include(app.settings)) {
        Some(route) => {
            events.route = route.name();
            let answer = answer_route(app, call, route, &mut events).await;
            answer.unwrap_or_else(|problem| refuse(&problem, (route, app.settings), app.store.miss_cost(), &mut events))
        }
        None if is_oauth(call.target.path) => (client_endpoints::no_route(), None),
        None => (Problem::NoRoute.reply(), None),
    };
    let request_id = call.request_id();
    let audit = events.lines(call, &app.settings.pepper, &request_id, reply.status);
    let measured = AnsweredCall {
        route: events.route,
        resource_type: events.audit.as_ref().and_then(|audit| audit.resource_type),
        refusal: events.refusal(),
        status: reply.status,
        cost: reply.cost,
    };
    (finish(reply, call.method, request_id), Log { audit, detail, call: measured })
}

/// Returns whether a path belongs to the authorization server, whose errors are those of OAuth.
fn is_oauth(path: &str) -> bool {
    path.starts_with("/oauth/")
}

/// Answers a call by its route. The text is for the log.
async fn answer_route<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    route: &'static Route,
    events: &mut Events,
) -> Result<(Reply<S::Body>, Option<String>), Problem> {
    let [first, ..] = call.target.captured;
    if !call.method.is_in(route.allow) {
        let reply = is_oauth(route.path).then(|| client_endpoints::wrong_method(route.allow));
        return reply.map(|reply| (reply, None)).ok_or(Problem::Method(route.allow));
    }
    if call.method == Method::Options {
        return Ok((preflight(route.allow, call), None));
    }
    if let Some(limit) = route.limit
        && !is_admitted(app.crypto, limit, &call.network()).await
    {
        events.begin(route.event).record_refusal("throttled");
        let is_page = matches!(route.handler, Handler::SignIn(_));
        return Ok((if is_page { signin_pages::too_many(call) } else { client_endpoints::too_many() }, None));
    }
    let text = |text| (Reply::text(200, (route.policy)(app.settings.environment), text), None);
    let unlogged = |reply| (reply, None);
    // The futures of the other handlers are larger than those of a search. They are boxed to keep a search small.
    Ok(match route.handler {
        Handler::Fhir(handler) => unlogged(answer_fhir(app, call, (route, handler), events).await?),
        Handler::SignIn(at) => Box::pin(answer_sign_in(app, call, route, at, events)).await,
        Handler::Client(request) => {
            Box::pin(client_endpoints::answer(app, call, request, events.begin(route.event))).await
        }
        Handler::PrepareLaunch => Box::pin(launcher::prepare_launch(app, call, events.begin(route.event))).await,
        Handler::RegisterAgent => unlogged(client_endpoints::register_agent(app, call, events.begin(route.event))),
        Handler::Mcp => Box::pin(mcp::answer(app, call, route, events)).await?,
        Handler::Ingest => unlogged(Box::pin(ingest::accept(app, call, events.begin(route.event))).await?),
        Handler::IngestStatus => {
            let id = Id::parse(first);
            unlogged(Box::pin(ingest::status(app, call, id, events.begin(route.event))).await?)
        }
        Handler::MakeLink => unlogged(Box::pin(health_links::make(app, call, events.begin(route.event))).await?),
        Handler::OpenLink => unlogged(Box::pin(health_links::open(app, call, first, events.begin(route.event))).await?),
        Handler::Launcher => Box::pin(launcher::simulate(app, call, events)).await,
        Handler::Sandbox => Box::pin(sandbox::sandbox(app)).await,
        Handler::Ready => Box::pin(operation::ready(app, call.moment.now)).await,
        Handler::Style => text(pages::STYLE.to_owned()),
        Handler::StyleDocument => {
            style_document(first).map_or_else(|| unlogged(client_endpoints::no_route()), |of| text(of.to_owned()))
        }
        Handler::ServiceBaseUrls => {
            let (reply, log) = text(app.settings.service_base_urls.clone().unwrap_or_default());
            (reply.with("Content-Type", FHIR_JSON), log)
        }
        Handler::Keys => text(app.keys.jwks().to_string()),
        Handler::Discovery(audience) => text(well_known::document_for(app.settings, audience)),
        Handler::ProtectedResource => text(well_known::resource_metadata(app.settings)),
        Handler::Health => text(operation::health()),
        Handler::Version => text(operation::version(app.settings)),
    })
}

async fn answer_fhir<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    (route, handler): (&'static Route, FhirHandler),
    events: &mut Events,
) -> Result<Reply<S::Body>, Problem> {
    let requested = ParsedRequest::of(call)?;
    let parameters = requested.parameters();
    let requested = match handler {
        FhirHandler::Base if !parameters.iter().any(|(name, _)| name == "_type") => return Err(Problem::Base),
        FhirHandler::Capabilities => {
            negotiate::require_json(parameters, call.header("Accept").as_deref())?;
            let endpoints = Endpoints::of(app, call.moment.seconds()).await?;
            let known = call.header("If-None-Match");
            let exports = app.export.is_some();
            return metadata::capability_statement(app.settings, &endpoints, exports, parameters, known.as_deref());
        }
        FhirHandler::SmartConfiguration => return well_known::smart_configuration(app, call.moment.seconds()).await,
        FhirHandler::Export(ExportHandler::Publication) => {
            return Box::pin(export::publication(app, call, requested)).await;
        }
        FhirHandler::Export(what) => {
            let reply = Box::pin(export::answer(app, call, requested, what, events.begin(route.event))).await?;
            // Beginning an export and getting a file are events. Getting the status is not.
            if export::is_polling(what, call.method) {
                events.audit = None;
            }
            return Ok(reply);
        }
        FhirHandler::Base | FhirHandler::Records | FhirHandler::SearchForm | FhirHandler::Operation => {
            requested.with_body(body_of(call, handler))
        }
    };
    // An unknown address does not require a token. Otherwise a client would infer that discovery needs one.
    let interaction = match (route.interaction)(call.target.captured) {
        Err(problem @ (Problem::NoRoute | Problem::NoHistory)) => return Err(problem),
        other => other,
    };
    // The base itself, which needs no token, is not an event.
    let audit = events.begin(if route.event.is_empty() { "access" } else { route.event });
    let authorized = requested.authorize_records(app, call, audit).await?;
    let audit = if authorized.is_public() {
        // Nothing is kept about who reads what is open to everybody.
        events.audit = None;
        &mut AuditEntry::new("")
    } else {
        audit
    };
    let accept = call.header("Accept").unwrap_or_default();
    // A format other than those of FHIR may be a request for the bytes of a Binary.
    let for_bytes = binary::ranges_for_bytes(authorized.parameters(), &accept);
    let [resource_type, ..] = call.target.captured;
    if !for_bytes.is_empty() && resource_type == ResourceType::Binary.name() && !authorized.is_public() {
        let interaction = interaction.clone()?;
        let (disclosure, context) = (audit.of(&interaction), authorized.context(app.settings, call));
        if let Interaction::Read(reference, None) = &interaction
            && let Some(reply) =
                Box::pin(binary::read_bytes(&app.store, reference, &for_bytes, call, context, disclosure)).await?
        {
            return Ok(reply);
        }
    }
    let negotiated = RecordRequest::of(&authorized, app.settings, call)?;
    let interaction = interaction?;
    let disclosure = audit.of(&interaction);
    let answer = if let Interaction::Summary(patient) = interaction {
        let language = call.header("Accept-Language").and_then(|accepted| negotiate::language(&accepted));
        let reading = (app.reading.ok_or(Problem::NoRoute)?, language.unwrap_or(Language::English));
        Box::pin(summary(&app.store, patient, &negotiated, reading, disclosure)).await
    } else if interaction == Interaction::DocRef && app.settings.summaries && is_on_demand(&negotiated) {
        Box::pin(on_demand(&app.store, &negotiated, disclosure)).await
    } else {
        negotiated.answer(&app.store, interaction, disclosure).await
    };
    let answer = answer.map(with_documents);
    if !authorized.is_public() {
        return answer;
    }
    match answer {
        Err(Problem::Denied(Denied::Scope { .. } | Denied::Patient { .. })) => {
            events.begin("access");
            Err(Problem::NoToken)
        }
        answer => answer.map(|reply| reply.with("Cache-Control", "public, max-age=60")),
    }
}

/// Returns the parameters in the body of a POST to `_search` or of an operation. Other requests have none.
fn body_of(call: &Call<'_>, handler: FhirHandler) -> Result<FormPairs, Problem> {
    if call.method != Method::Post {
        return Ok(FormPairs::new());
    }
    let body = call.body.as_deref().ok_or(Problem::TooLong)?;
    if body.is_empty() {
        return Ok(FormPairs::new());
    }
    let bad = |text: &str| Problem::from(fhir::Issue::error(fhir::IssueCode::Structure, text));
    if call.coding().is_some() {
        return Err(Problem::MediaType("Content-Encoding: identity"));
    }
    let text = || std::str::from_utf8(body).map_err(|_| bad("The body is not UTF-8."));
    if is_form(call) {
        return decode(text()?).map_err(Problem::from);
    }
    if handler != FhirHandler::Operation {
        return Err(Problem::MediaType("application/x-www-form-urlencoded"));
    }
    if !is_json(call) {
        return Err(Problem::MediaType("application/fhir+json, application/x-www-form-urlencoded"));
    }
    parameters_of(text()?).ok_or_else(|| bad("The body is not a Parameters resource of plain values."))
}

/// Returns the reply to a problem, which is also recorded in the audit log. The text is for the log. A 404 below the
/// FHIR base reports the cost of a read that finds its row, so that the cost does not disclose whether there is one.
fn refuse<B>(
    problem: &Problem,
    (route, settings): (&Route, &Settings),
    missed: Cost,
    events: &mut Events,
) -> (Reply<B>, Option<String>) {
    if let Some(why) = problem.name()
        && (!route.event.is_empty() || events.audit.is_some())
    {
        events.audit.get_or_insert_with(|| AuditEntry::new(route.event)).record_refusal(why);
    }
    let reply = if route.servers == Servers::Agents { mcp::refusal(problem, settings) } else { problem.reply() };
    let is_missing = route.is_fhir() && *problem == Problem::NotFound;
    (if is_missing { with_cost(reply, missed) } else { reply }, problem.detail().map(str::to_owned))
}

/// Returns the answer to a CORS preflight. It allows all requested headers: HTTP clients, caches and tracers add their
/// own, and a header gives a page no more access than its token does, since there is no cookie here. The headers are
/// listed because `*` does not cover `Authorization`. Texts that are not header names are left out.
fn preflight<B>(methods: &str, call: &Call<'_>) -> Reply<B> {
    const USUAL: &str = "Authorization, Accept, Content-Type, If-None-Match, If-Range, Prefer, Range, X-Request-Id";
    let requested = call.header("Access-Control-Request-Headers").unwrap_or_default();
    let is_other = |name: &&str| !USUAL.split(", ").any(|usual| usual.eq_ignore_ascii_case(name));
    let more = requested.split(',').map(str::trim_ascii).filter(|name| is_header_name(name)).filter(is_other);
    let headers: Vec<_> = std::iter::once(USUAL).chain(more.take(MAX_HEADERS)).collect();
    Reply::empty(204, HeaderPolicy::Fhir)
        .with("Allow", methods)
        .with("Access-Control-Allow-Methods", methods)
        .with("Access-Control-Allow-Headers", headers.join(", "))
        .with("Access-Control-Max-Age", "86400")
}

/// The most headers that a preflight allows in addition to the usual ones. The longest name is limited, too.
const MAX_HEADERS: usize = 50;
const MAX_HEADER_LENGTH: usize = 100;

/// Returns whether a text is the name of a header (RFC 9110, section 5.6.2).
fn is_header_name(name: &str) -> bool {
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.len() <= MAX_HEADER_LENGTH && name.bytes().all(is_legal)
}

/// Adds the headers of every answer, and removes the body of an answer to HEAD.
pub fn finish<B>(reply: Reply<B>, method: Method, request_id: String) -> Reply<B> {
    let mut reply = reply.with("X-Request-Id", request_id);
    if method == Method::Head {
        reply.body = vec![BodyPiece::Text(String::new())];
        reply.stream = None;
    }
    reply
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::call::Moment;
    use crate::http::target::RequestTarget;

    #[test]
    fn a_preflight_allows_the_headers_that_are_asked_for() {
        let allowed = |requested: String| {
            let call = Call {
                method: Method::Options,
                target: RequestTarget::of("/fhir/r4/Observation"),
                headers: &|name| (name == "Access-Control-Request-Headers").then(|| requested.clone().into()),
                body: None,
                moment: Moment { now: 0, random: [1; 32] },
            };
            let reply = preflight::<String>("GET", &call);
            let all =
                reply.all_headers().find(|(name, _)| *name == "Access-Control-Allow-Headers").unwrap().1.to_owned();
            all.split(", ").skip(8).map(str::to_owned).collect::<Vec<_>>()
        };
        let added = "x-correlation-id,traceparent, tracestate ,baggage,b3,pragma,cache-control,if-modified-since,x-requested-with";
        assert_eq!(allowed(format!("authorization,{added},accept")).join(","), added.replace(' ', ""));
        let odd = "x\r\nset-cookie: a=b,,x y,\"x\",é,x:y,*(),x/y,x;y, x-good";
        assert_eq!(allowed(odd.to_owned()), ["x-good"]);
        assert_eq!(allowed("a".repeat(101)), [""; 0]);
        assert_eq!(allowed("x-a,".repeat(5_000)).len(), MAX_HEADERS);
        assert_eq!(allowed(String::new()), [""; 0]);
    }
}
