//! `/ingest`: the address to which systems of a hospital send records. A file is accepted at once and loaded in the
//! background; its job reports the result (docs/decisions/ingest-and-export.md#clients-that-send-records).

use serde_json::json;

use super::app_context::AppContext;
use super::audit::AuditEntry;
use super::bearer::{Active, ParsedRequest};
use super::http::call::Call;
use super::http::form::essence;
use super::http::problem::Problem;
use super::http::reply::{HeaderPolicy, Reply};
use super::http::routes::{Handler, path_of};
use super::http::throttle::Throttle;
use super::ports::{IngestPort, IngestRequest};
use ::ingest::job::JobStatus;
use fhir::{Id, Issue, IssueCode, json as to_json};
use job::{JobAnswer, JobError};
use oauth::{AuthStore, Crypto, Fetch, hashed, token_of};
use smart::ScopeSet;
use store::Store;

/// The longest file that may be sent, in bytes. The platform does not accept longer bodies.
const MAX_UPLOAD_LENGTH: u64 = 100 << 20;

/// The parameter with the FHIR base of the server from which the records come.
const SOURCE_BASE: &str = "source-base";
/// The longest FHIR base.
const MAX_BASE_LENGTH: usize = 255;

/// The media types of files: NDJSON, or a Bundle or another resource.
const MEDIA_TYPES: [&str; 5] = [
    "application/fhir+ndjson",
    "application/ndjson",
    "application/x-ndjson",
    "application/fhir+json",
    "application/json",
];

/// The seconds after which a client may ask for the status of a job again.
const POLL: &str = "1";
/// The seconds after which a client may send a file again if too many files are waiting.
const BUSY: i64 = 30;

/// Accepts a file that a client sends.
///
/// # Errors
/// If the token does not permit it, the request is malformed, or the jobs do not answer.
pub async fn accept<S: Store, L: AuthStore, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    audit: &mut AuditEntry,
) -> Result<Reply<S::Body>, Problem> {
    let (jobs, sender) = sender_of(app, call, audit).await?;
    let request = request_of(call, &sender.grant().client, sender.parameters())?;
    let accepted = jobs.accept(request).await.map_err(fault)?;
    if let JobAnswer::Job(id) = &accepted {
        audit.job = Some(id.to_owned());
    }
    acceptance(&app.settings.issuer, accepted)
}

/// Answers with the status of a job. `id` is `None` if the text in the address is not an id.
///
/// # Errors
/// If the token does not permit it, the client has no such job, or the jobs do not answer.
pub async fn status<S: Store, L: AuthStore, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    id: Option<Id>,
    audit: &mut AuditEntry,
) -> Result<Reply<S::Body>, Problem> {
    let (jobs, sender) = sender_of(app, call, audit).await?;
    let id = id.ok_or(Problem::NotFound)?;
    let status = jobs.status(&sender.grant().client, id.as_str()).await.map_err(fault)?;
    Ok(status_reply(&status.ok_or(Problem::NotFound)?))
}

/// Returns the jobs and the request, if the client may send records and may not read any.
async fn sender_of<'a, S: Store, L, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'a, S, L, C>,
    call: &Call<'_>,
    audit: &mut AuditEntry,
) -> Result<(&'a dyn IngestPort, Active), Problem> {
    let jobs = app.ingest.ok_or(Problem::NoRoute)?;
    let sender = ParsedRequest::of(call)?.authorize(app, call, Some(audit)).await?;
    let what = ("sending records", "system/*.write");
    Ok((jobs, sender.activate(&app.store, ScopeSet::is_for_ingest, what).await?))
}

/// Returns the problem of jobs that do not answer.
fn fault(JobError(detail): JobError) -> Problem {
    Problem::Jobs(detail)
}

/// Parses the headers and the parameters of a file.
fn request_of<'a>(
    call: &Call<'_>,
    client: &'a str,
    parameters: &[(String, String)],
) -> Result<IngestRequest<'a>, Problem> {
    let bad = |text: &str| Problem::from(Issue::error(IssueCode::Structure, text));
    let mut source = None;
    for (name, value) in parameters {
        let problem = match name.as_str() {
            SOURCE_BASE if !is_base(value) => "It is not the FHIR base of a server: http:// or https://, and no query.",
            SOURCE_BASE if source.is_some() => "It is there twice.",
            SOURCE_BASE => {
                source = Some(value.clone());
                continue;
            }
            _ => "This parameter is not known.",
        };
        return Err(Problem::from(Issue::error(IssueCode::Value, problem).about(name)));
    }
    let media_type = call.header("Content-Type").unwrap_or_default();
    if !MEDIA_TYPES.iter().any(|accepted| essence(&media_type).eq_ignore_ascii_case(accepted)) {
        return Err(Problem::MediaType("application/fhir+ndjson, application/fhir+json"));
    }
    let is_gzip = match call.coding().as_deref().map(str::trim) {
        None => false,
        // `x-gzip` is an older name of gzip (RFC 9110, section 8.4.1.3).
        Some(coding) if ["gzip", "x-gzip"].iter().any(|gzip| coding.eq_ignore_ascii_case(gzip)) => true,
        Some(_) => return Err(Problem::MediaType("Content-Encoding: gzip")),
    };
    let length = call.header("Content-Length").and_then(|length| length.parse::<u64>().ok());
    match length {
        None => return Err(Problem::NoLength),
        Some(0) => return Err(bad("The body is empty.")),
        Some(length) if length > MAX_UPLOAD_LENGTH => return Err(Problem::TooLong),
        Some(_) => {}
    }
    let request = call.header("Idempotency-Key");
    let legal = |key: &str| (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    if request.as_deref().is_some_and(|key| !legal(key)) {
        return Err(bad("Idempotency-Key has 1 to 255 visible ASCII characters."));
    }
    // The id of a job is a FHIR id, which has no underscore.
    let job = hashed(&token_of(&call.moment.random, "job")).replace(['_', '-'], "");
    Ok(IngestRequest { client, request: request.map(|key| hashed(&key)), job, is_gzip, source })
}

/// Returns whether a text is the FHIR base of a server.
fn is_base(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_legal = |byte: u8| byte.is_ascii_graphic() && !b"?#\\<>\"{}|^`".contains(&byte);
    text.len() <= MAX_BASE_LENGTH
        && rest.is_some_and(|rest| !rest.starts_with('/') && rest.bytes().all(is_legal) && !rest.is_empty())
}

/// Returns the answer to a file: the address of its job, or the request to wait.
fn acceptance<B>(issuer: &str, accepted: JobAnswer) -> Result<Reply<B>, Problem> {
    Ok(match accepted {
        JobAnswer::Job(id) => {
            let address = format!("{issuer}{}/{id}", path_of(Handler::Ingest));
            let body = json!({"id": id, "status": "in-progress"}).to_string();
            Reply::text(202, HeaderPolicy::UncachedJson, body).with("Content-Location", address)
        }
        JobAnswer::Busy => Problem::TooManyRequests { wait: BUSY }.reply(),
        JobAnswer::Stopped => return Err(Problem::Revoked),
    })
}

/// Returns the status of a job. For a job in progress, the status code is 202, as for asynchronous requests of FHIR.
fn status_reply<B>(status: &JobStatus) -> Reply<B> {
    let reply = |code| Reply::text(code, HeaderPolicy::UncachedJson, to_json(status));
    if status.ended.is_some() {
        return reply(200);
    }
    let progress = match status.parts {
        Some(parts) => format!("{} of {parts} parts", status.parts_done),
        None => "waiting".to_owned(),
    };
    reply(202).with("X-Progress", progress).with("Retry-After", POLL)
}
