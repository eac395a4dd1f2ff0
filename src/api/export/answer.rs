//! The requests for exports: to begin an export, to get its status or end it, and to get a file.

use super::exporter::Exporter;
use super::file::{content, file};
use super::manifest::{STUB, published, published_page, status_reply};
use super::members::{members_of, named_in};
use super::parameters::{ExportParameters, given};
use crate::audit::AuditEntry;
use crate::bearer::ParsedRequest;
use crate::http::form::FormPairs;
use crate::http::negotiate::{handling, is_known, require_json};
use crate::http::problem::Problem;
use crate::http::routes::{ExportHandler, ExportOperation, FhirHandler, Handler, path_of};
use crate::http::throttle::Throttle;
use crate::{AppContext, Call, HeaderPolicy, Method, Reply};
use ::export::{ExportLevel, ExportPort, ExportRequest};
use fhir::{Id, ResourceType};
use job::{JobAnswer, JobError};
use oauth::{AuthStore, Crypto, Fetch, hashed, token_of};
use search::Handling;
use store::Store;

/// The seconds after which a client may begin another export if too many are running.
const BUSY: i64 = 30;
/// The number of letters and digits in the id of an export.
const ID: usize = 32;

/// Returns whether a request only queries the progress of an export.
pub fn is_polling(what: ExportHandler, method: Method) -> bool {
    what == ExportHandler::Status && method != Method::Delete
}

/// Answers a request.
///
/// # Errors
/// If the token does not permit it, the request is malformed, the client has no such export or file, or the exports do
/// not answer.
pub async fn answer<S: Store, L: AuthStore, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    requested: ParsedRequest,
    what: ExportHandler,
    audit: &mut AuditEntry,
) -> Result<Reply<S::Body>, Problem> {
    let exports = app.export.ok_or(Problem::NoRoute)?;
    let [id, number, _] = call.target.captured;
    let authorized = requested.authorize(app, call, Some(audit)).await?;
    let (exporter, query) = Exporter::of(authorized, &app.store).await?;
    match what {
        ExportHandler::Publication => Err(Problem::NoRoute),
        ExportHandler::Begin(level, operation) => {
            begin(app, exports, &exporter, call, (level, operation, id, query), audit).await
        }
        ExportHandler::Status => {
            let id = Id::parse(id).ok_or(Problem::NotFound)?;
            audit.job = Some(id.to_string());
            if call.method == Method::Delete {
                audit.event.name = "export-cancel";
                return cancel(exports, &exporter, &id).await;
            }
            let status = exports.status(&exporter.grant.client, id.as_str()).await.map_err(fault)?;
            let files = format!("{}/{id}", address_of(&app.settings.issuer, ExportHandler::File));
            status_reply(&exporter, &status.ok_or(Problem::NotFound)?, &files)
        }
        ExportHandler::File => {
            let (id, number) = Id::parse(id).zip(number_of(number)).ok_or(Problem::NotFound)?;
            audit.job = Some(id.to_string());
            let (reply, types) = file(exports, &exporter, call, (id.as_str(), number)).await?;
            audit.types = types;
            Ok(reply)
        }
    }
}

/// Answers with the manifest of the public directory, a page of its chain, or a file of it. Nothing is kept about who
/// asks.
///
/// # Errors
/// If there is a token and it is wrong, if there is no such file, if nothing has been published yet, or if the exports
/// do not answer.
pub async fn publication<S: Store, L: AuthStore, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    requested: ParsedRequest,
) -> Result<Reply<S::Body>, Problem> {
    let (exports, settings) = (app.export.ok_or(Problem::NoRoute)?, app.settings);
    requested.authorize_records(app, call, &mut AuditEntry::new("")).await?;
    let scopes = settings.public.as_ref().map(|public| public.grant().scopes.to_string()).unwrap_or_default();
    let [id, ..] = call.target.captured;
    let address = address_of(&settings.issuer, ExportHandler::Publication);
    let text = if id.is_empty() {
        let manifest = exports.publication(&scopes).await.map_err(fault)?.ok_or(Problem::NotFound)?;
        published(&manifest, &address)
    } else if call.target.path.ends_with(".json") {
        let number = number_of(id.strip_suffix(STUB).unwrap_or(id)).ok_or(Problem::NotFound)?;
        let page = exports.page(&scopes, number).await.map_err(fault)?.ok_or(Problem::NotFound)?;
        published_page(&page, id.ends_with(STUB), &address)
    } else {
        let file = exports.published(&scopes, id).await.map_err(fault)?.ok_or(Problem::NotFound)?;
        return Ok(content(call, &file)?.with("Cache-Control", "public, max-age=31536000, immutable, no-transform"));
    };
    let (tag, policy) = (format!("\"{}\"", hashed(&text)), HeaderPolicy::Public(settings.environment));
    let is_known = is_known(call.header("If-None-Match").as_deref(), &tag);
    let reply = if is_known { Reply::empty(304, policy) } else { Reply::text(200, policy, text) };
    Ok(reply.with("ETag", tag).with("Cache-Control", "public, max-age=10"))
}

/// Parses the number of a file in a path.
fn number_of(text: &str) -> Option<usize> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain)
}

/// Returns the address of the first route with that handler, up to its variables.
fn address_of(issuer: &str, at: ExportHandler) -> String {
    let path = path_of(Handler::Fhir(FhirHandler::Export(at)));
    let path = path.split_once("/{").map_or(path, |(start, _)| start);
    format!("{issuer}{path}")
}

/// Returns the problem of exports that do not answer.
fn fault(JobError(detail): JobError) -> Problem {
    Problem::Exports(detail)
}

async fn begin<S: Store, L, C>(
    app: &AppContext<'_, S, L, C>,
    exports: &dyn ExportPort,
    exporter: &Exporter,
    call: &Call<'_>,
    (level, operation, group, query): (ExportLevel, ExportOperation, &str, FormPairs),
    audit: &mut AuditEntry,
) -> Result<Reply<S::Body>, Problem> {
    let settings = app.settings;
    let is_post = call.method == Method::Post;
    let prefer = call.header("Prefer");
    let handled = handling(prefer.as_deref());
    let given = given(call, operation, query)?;
    require_json(&given, call.header("Accept").as_deref())?;
    let how = (is_post, operation, handled.unwrap_or(Handling::Strict));
    let asked = ExportParameters::read(settings, exporter, level, &given, how)?;
    audit.export_type = asked.export_type;
    audit.types = asked.types.iter().map(|resource_type| resource_type.name().to_owned()).collect();
    let mut notes = asked.notes;
    let members = match level {
        ExportLevel::Group => {
            let group = Id::parse(group).ok_or(Problem::NotFound)?;
            audit.resource_type = Some(ResourceType::Group);
            audit.id = Some(group.clone());
            let members = members_of(&app.store, settings, exporter, group, call.moment.now).await?;
            notes.extend(members.notes.iter().cloned());
            Some(members)
        }
        ExportLevel::System | ExportLevel::Patient | ExportLevel::Public => None,
    };
    let patients = match (&asked.patients, members) {
        (Some(named), members) => {
            audit.disclosure.requested = Some(named.to_vec());
            let (patients, ignored) =
                named_in(&app.store, exporter, named, members, operation == ExportOperation::DaVinci).await?;
            notes.extend(ignored);
            Some(patients)
        }
        (None, members) => members.map(|members| members.patients),
    };
    audit.disclosure.patients = patients.clone().unwrap_or_default();
    let target = call.target.query.map(|query| format!("?{query}"));
    let request = ExportRequest {
        level,
        url: match operation {
            ExportOperation::Version4 => String::new(),
            ExportOperation::Export | ExportOperation::DaVinci => {
                [settings.issuer.as_str(), call.target.path, target.as_deref().unwrap_or_default()].concat()
            }
        },
        scopes: exporter.grant.scopes.to_string(),
        groups: exporter.grant.groups.clone(),
        types: asked.types.iter().map(|resource_type| resource_type.name().to_owned()).collect(),
        since: asked.since,
        until: asked.until,
        filters: asked.filters.into_iter().map(|filter| filter.text).collect(),
        elements: asked.elements,
        patients: patients.map(|all| all.iter().map(ToString::to_string).collect()),
        names_patients: asked.patients.is_some(),
        by_patient: asked.by_patient,
        closed: asked.closed.iter().map(|resource_type| resource_type.name().to_owned()).collect(),
        notes,
    };
    let letters = token_of(&call.moment.random, "export").replace(['-', '_'], "");
    let id: String = letters.chars().take(ID).collect();
    let accepted = exports.begin(&exporter.grant.client, id, request).await.map_err(fault)?;
    match accepted {
        JobAnswer::Job(id) => {
            audit.job = Some(id.clone());
            let address = format!("{}/{id}", address_of(&settings.issuer, ExportHandler::Status));
            let reply = Reply::empty(202, HeaderPolicy::Fhir).with("Content-Location", address);
            Ok(match applied(prefer.as_deref(), handled) {
                Some(applied) => reply.with("Preference-Applied", applied),
                None => reply,
            })
        }
        JobAnswer::Busy => {
            audit.record_refusal("throttled");
            Ok(Problem::TooManyRequests { wait: BUSY }.reply())
        }
        JobAnswer::Stopped => Err(Problem::Revoked),
    }
}

fn applied(prefer: Option<&str>, handled: Option<Handling>) -> Option<String> {
    let is_async = prefer?.split([',', ';']).any(|one| one.trim().eq_ignore_ascii_case("respond-async"));
    let is_lenient = handled == Some(Handling::Lenient);
    let all = [(is_async, "respond-async"), (is_lenient, "handling=lenient")];
    let all: Vec<_> = all.into_iter().filter(|(applies, _)| *applies).map(|(_, name)| name).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

async fn cancel<B>(exports: &dyn ExportPort, exporter: &Exporter, id: &Id) -> Result<Reply<B>, Problem> {
    let was_there = exports.cancel(&exporter.grant.client, id.as_str()).await.map_err(fault)?;
    if was_there { Ok(Reply::empty(202, HeaderPolicy::Fhir)) } else { Err(Problem::NotFound) }
}
