//! `$bulk-submit` and `$bulk-submit-status` of Bulk Data Access 4.0.0 (ballot): another server offers manifests of
//! files, which are fetched and loaded as jobs (decision 83).

use serde_json::{Map, Value, json};

use super::app_context::AppContext;
use super::audit::AuditEntry;
use super::bearer::grant_of;
use super::call::Call;
use super::form::{decode, encode, essence};
use super::ingest::{fault, is_base, may_send};
use super::ports::IngestPort;
use super::problem::Problem;
use super::reply::{HeaderPolicy, Reply};
use super::routes::{FhirHandler, Handler, SubmitHandler, path_of};
use super::throttle::Throttle;
use crate::fhir::{Id, Issue, IssueCode, instant, outcome};
use crate::ingest::job::{Manifest, SubmissionId, SubmissionReport, SubmissionStatus, SubmitRequest, Submitted};
use crate::oauth::{AuthStore, Crypto, Fetch};
use crate::store::Store;

/// The seconds after which a client may ask for the status again.
const POLL: &str = "5";

/// Answers a call. `id` is that of the submission, and `None` if the address has no text that is one.
///
/// # Errors
/// If the token does not permit it, the request is malformed, or the jobs do not answer.
pub async fn answer<S: Store, L: AuthStore, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    what: SubmitHandler,
    id: Option<Id>,
    audit: &mut AuditEntry,
) -> Result<Reply<S::Body>, Problem> {
    let jobs = app.ingest.filter(|jobs| !jobs.origins().is_empty()).ok_or(Problem::NoRoute)?;
    let parameters = decode(call.query()).map_err(|issue| Problem::Bad(vec![issue]))?;
    let grant = grant_of(app, call, &parameters).await?;
    audit.by(&grant);
    may_send(app, &grant, grant.scopes.may_submit(), "system/bulk-submit").await?;
    let status_path = path_of(Handler::Fhir(FhirHandler::Submit(SubmitHandler::Status)));
    let status_address = |id: &str| format!("{}{status_path}/{id}", app.settings.issuer);
    match what {
        SubmitHandler::Submit => {
            let request = request_of(&Parameters::of(call)?, &grant.client, jobs)?;
            submission_reply(jobs.submit(request).await.map_err(fault)?)
        }
        SubmitHandler::Status => {
            let id = Parameters::of(call)?.submission(&grant.client)?.id();
            jobs.submission(&grant.client, &id).await.map_err(fault)?.ok_or(Problem::NotFound)?;
            Ok(Reply::empty(202, HeaderPolicy::Fhir).with("Content-Location", status_address(&id)))
        }
        SubmitHandler::Poll | SubmitHandler::Faults => {
            let id = id.ok_or(Problem::NotFound)?;
            let report = jobs.submission(&grant.client, id.as_str()).await.map_err(fault)?.ok_or(Problem::NotFound)?;
            if what == SubmitHandler::Poll {
                return Ok(manifest(&report, &status_address(id.as_str())));
            }
            let wanted = parameters.iter().find(|(name, _)| name == "manifest").map(|(_, value)| value.as_str());
            let faults = report.faults.iter().find(|(url, _)| Some(url.as_str()) == wanted);
            let (_, faults) = faults.ok_or(Problem::NotFound)?;
            let line =
                |fault: &String| format!("{}\n", outcome(&[Issue::error(IssueCode::Processing, fault.as_str())]));
            let more = (report.more_faults > 0).then(|| {
                let text = format!("{} further faults of the submission are not listed.", report.more_faults);
                format!("{}\n", outcome(&[Issue::error(IssueCode::TooCostly, text)]))
            });
            let text = faults.iter().map(line).chain(more).collect();
            Ok(Reply::text(200, HeaderPolicy::Fhir, text).with("Content-Type", "application/fhir+ndjson"))
        }
    }
}

fn bad(text: &str, parameter: &str) -> Problem {
    Problem::Bad(vec![Issue::error(IssueCode::Value, text).about(parameter)])
}

/// The parameters of an operation: a Parameters resource (<https://hl7.org/fhir/R4/parameters.html>).
struct Parameters(Vec<Map<String, Value>>);

impl Parameters {
    fn of(call: &Call<'_>) -> Result<Self, Problem> {
        let body = call.body.as_deref().ok_or(Problem::TooLong)?;
        let malformed = || bad("The body is not a Parameters resource.", "Parameters");
        let body: Value = serde_json::from_slice(body).map_err(|_| malformed())?;
        if body.get("resourceType").and_then(Value::as_str) != Some("Parameters") {
            return Err(malformed());
        }
        let all = body.get("parameter").and_then(Value::as_array).into_iter().flatten();
        let all: Option<Vec<_>> = all.map(|one| one.as_object().cloned()).collect();
        all.map(Self).ok_or_else(malformed)
    }

    /// The parameters with a name.
    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Map<String, Value>> {
        self.0.iter().filter(move |one| one.get("name").and_then(Value::as_str) == Some(name))
    }

    /// The text of a parameter that may be there once.
    fn text(&self, name: &str, of: &[&str]) -> Result<Option<String>, Problem> {
        let mut all = self.all(name);
        let Some(first) = all.next() else { return Ok(None) };
        let value = of.iter().find_map(|member| first.get(*member)).and_then(Value::as_str);
        match (value.filter(|value| !value.is_empty()), all.next()) {
            (Some(value), None) => Ok(Some(value.to_owned())),
            (None, _) => Err(bad("It has no value of its type.", name)),
            (Some(_), Some(_)) => Err(bad("It is there twice.", name)),
        }
    }

    fn submission(&self, client: &str) -> Result<SubmissionId, Problem> {
        let name = self.text("submissionId", &["valueString"])?;
        let name = name.filter(|name| name.len() <= 255).ok_or_else(|| bad("It is required.", "submissionId"))?;
        let submitter = self.all("submitter").next().and_then(|one| one.get("valueIdentifier"));
        let part = |name| submitter.and_then(|one| one.get(name)).and_then(Value::as_str).unwrap_or_default();
        if part("value").is_empty() {
            return Err(bad("It is required, as valueIdentifier with a value.", "submitter"));
        }
        let submitter = format!("{}|{}", part("system"), part("value"));
        Ok(SubmissionId { client: client.to_owned(), submitter, name })
    }
}

/// Reads the parameters of `$bulk-submit`.
fn request_of(parameters: &Parameters, client: &str, jobs: &dyn IngestPort) -> Result<SubmitRequest, Problem> {
    for name in ["oauthMetadataUrl", "fileEncryptionKey", "import"] {
        if parameters.all(name).next().is_some() {
            let issue = Issue::error(IssueCode::NotSupported, "This parameter is not supported.").about(name);
            return Err(Problem::Bad(vec![issue.hint("files are fetched with fileRequestHeader, and not encrypted")]));
        }
    }
    let format = parameters.text("outputFormat", &["valueString"])?.unwrap_or_default();
    if !matches!(essence(&format), "" | "application/fhir+ndjson" | "application/ndjson" | "ndjson") {
        return Err(bad("Only application/fhir+ndjson is supported.", "outputFormat"));
    }
    let id = parameters.submission(client)?;
    let url = |name| parameters.text(name, &["valueUrl", "valueUri", "valueString"]);
    let (manifest, replaces, base) = (url("manifestUrl")?, url("replacesManifestUrl")?, url("fhirBaseUrl")?);
    if let Some(url) = &manifest
        && !is_allowed(url, jobs.origins())
    {
        return Err(bad("It is at none of the servers that this deployment fetches from.", "manifestUrl"));
    }
    if manifest.is_some() && base.is_none() {
        return Err(bad("It is required with manifestUrl.", "fhirBaseUrl"));
    }
    if base.as_deref().is_some_and(|base| !is_base(base)) {
        return Err(bad("It is not the FHIR base of a server.", "fhirBaseUrl"));
    }
    let coding = parameters.all("submissionStatus").next();
    let code = coding.map(|one| one.get("valueCoding").and_then(|coding| coding.get("code")).and_then(Value::as_str));
    let status = match code {
        None => Some(SubmissionStatus::InProgress),
        Some(code) => code.and_then(SubmissionStatus::parse),
    };
    let status = status.ok_or_else(|| bad("It is none of in-progress, completed and stopped.", "submissionStatus"))?;
    if coding.is_none() && manifest.is_none() {
        return Err(bad("One of submissionStatus and manifestUrl is required.", "submissionStatus"));
    }
    let headers = headers_of(parameters)?;
    let source = base.unwrap_or_default();
    Ok(SubmitRequest { id, manifest: manifest.map(|url| Manifest { url, headers, source }), replaces, status })
}

/// The headers of the requests for files, as a JSON object.
fn headers_of(parameters: &Parameters) -> Result<String, Problem> {
    let mut headers = Map::new();
    for header in parameters.all("fileRequestHeader") {
        let parts = header.get("part").and_then(Value::as_array);
        let part = |name: &str| {
            let found = parts.into_iter().flatten().find(|one| one.get("name").and_then(Value::as_str) == Some(name));
            found.and_then(|one| one.get("valueString")).and_then(Value::as_str).unwrap_or_default()
        };
        let (name, value) = (part("headerName"), part("headerValue"));
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let is_legal =
            !name.is_empty() && name.bytes().all(is_token) && value.bytes().all(|b| (b' '..=b'~').contains(&b));
        if !is_allowed_header(name) {
            return Err(bad(
                "It may name Authorization, Accept, Accept-Language, and X- headers that no proxy sets.",
                "fileRequestHeader",
            ));
        }
        if !is_legal || headers.len() >= 20 {
            return Err(bad("It has no headerName and headerValue that are legal.", "fileRequestHeader"));
        }
        headers.insert(name.to_owned(), value.into());
    }
    Ok(Value::Object(headers).to_string())
}

/// Returns whether a header of a request for files is one that clients may set: what proves who they are, and what only
/// the server of the files understands.
fn is_allowed_header(name: &str) -> bool {
    const NAMES: [&str; 3] = ["authorization", "accept", "accept-language"];
    // Those by which proxies tell where a request comes from or goes to.
    const OF_PROXIES: [&str; 6] = ["x-forwarded", "x-real-", "x-original-", "x-rewrite-", "x-client-", "x-http-method"];
    let name = name.to_ascii_lowercase();
    NAMES.contains(&name.as_str()) || name.starts_with("x-") && !OF_PROXIES.iter().any(|of| name.starts_with(of))
}

/// Returns whether an address is at one of these origins.
#[must_use]
pub fn is_allowed(url: &str, origins: &[String]) -> bool {
    let legal =
        url.len() <= 2_048 && url.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\<>\"{}|^`".contains(&byte));
    let rest = origins.iter().find_map(|origin| url.strip_prefix(origin.as_str()));
    legal && rest.is_some_and(|rest| rest.starts_with(['/', '?']))
}

/// The answer to a request of `$bulk-submit`.
fn submission_reply<B>(answer: Submitted) -> Result<Reply<B>, Problem> {
    match answer {
        Submitted::Noted => Ok(Reply::empty(200, HeaderPolicy::Fhir)),
        Submitted::Stopped => Err(Problem::Revoked),
        Submitted::Over => Err(bad("The submission was completed or stopped before.", "submissionId")),
        Submitted::NoManifest => Err(bad("The submission has no such manifest.", "replacesManifestUrl")),
        Submitted::TooMany => Err(bad("The submission has too many manifests.", "manifestUrl")),
    }
}

/// The status manifest: 202 while the submission goes on, then 200.
fn manifest<B>(report: &SubmissionReport, address: &str) -> Reply<B> {
    let faults = report.faults.iter().filter(|(_, faults)| !faults.is_empty() || report.more_faults > 0);
    let item = |(url, faults): &(String, Vec<String>)| {
        let query = encode([("manifest", url.as_str())]);
        json!({
            "type": "OperationOutcome",
            "manifestUrl": url,
            "url": format!("{address}/faults?{query}"),
            "count": faults.len(),
            "countSeverity": [{"code": "error", "count": faults.len()}],
        })
    };
    let body = json!({
        "submissionId": report.name,
        "transactionTime": instant(report.created_at),
        "requiresAccessToken": true,
        "output": [],
        "error": faults.map(item).collect::<Vec<_>>(),
    });
    let reply = |status| Reply::text(status, HeaderPolicy::UncachedJson, body.to_string());
    if report.is_over {
        return reply(200);
    }
    let (all, done) = report.files;
    reply(202).with("X-Progress", format!("{done} of {all} files")).with("Retry-After", POLL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wr06_headers_of_the_connection_and_of_proxies_are_not_set_by_clients() {
        for name in
            ["Host", "COOKIE", "CF-Connecting-IP", "X-Forwarded-For", "X-Forwarded", "Transfer-Encoding", "X-Real-IP"]
                .into_iter()
                .chain([
                    "Proxy-Authorization",
                    "True-Client-IP",
                    "X-Original-URL",
                    "X-Rewrite-URL",
                    "Range",
                    "X-Client-IP",
                ])
                .chain(["Accept-Encoding", "X-HTTP-Method-Override", "Content-Type", "If-Match", ""])
        {
            assert!(!is_allowed_header(name), "{name}");
        }
        for name in ["Authorization", "X-Api-Key", "Accept", "x-tenant"] {
            assert!(is_allowed_header(name), "{name}");
        }
    }

    #[test]
    fn a_server_is_allowed_by_its_whole_origin() {
        let origins = ["https://ehr.example".to_owned(), "http://localhost:9000".to_owned()];
        for url in ["https://ehr.example/m.json", "https://ehr.example?x", "http://localhost:9000/a/b"] {
            assert!(is_allowed(url, &origins), "{url}");
        }
        for url in [
            "https://ehr.example",
            "https://ehr.example.evil/m",
            "https://ehr.example@evil/m",
            "https://ehr.example:444/m",
            "http://ehr.example/m",
            "http://localhost:90001/m",
            "https://ehr.example/\\evil",
            "https://ehr.example/ü",
        ] {
            assert!(!is_allowed(url, &origins), "{url}");
        }
    }
}
