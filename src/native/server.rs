//! A remote server: how a client authenticates to it, and how requests are retried.

use std::time::{Duration, SystemTime};

use base64ct::{Base64, Encoding};
use serde_json::Value;

use super::access::random;
use super::client_key::ClientKey;
use super::http::{self, Request, Response, encoded};
use super::{Failure, Progress};
use oauth::token_of;

/// The number of tries of a request that the server does not answer.
pub(super) const TRIES: u32 = 6;
/// The longest wait between two requests, in units.
const MAX_WAIT: u64 = 300;
/// The seconds before the expiry of a token at which another token is requested.
const SPARE: u64 = 30;

/// The access to a server.
#[derive(Debug)]
pub enum ServerAccess {
    /// Access without a token, to an open server.
    Open,
    /// Access of a client that acts on its own behalf.
    Client(Box<ClientAccess>),
}

/// A client that acts on its own behalf.
#[derive(Debug)]
pub struct ClientAccess {
    /// The `client_id`.
    pub client: String,
    /// The credential of the client.
    pub proof: ClientProof,
    /// The scopes to request. `None` requests reading of the exported types.
    pub scope: Option<String>,
}

/// The credential of a client.
#[derive(Debug)]
pub enum ClientProof {
    /// A secret.
    Secret(String),
    /// A private key (SMART Backend Services).
    Key(ClientKey),
}

/// A token, and the time at which it expires.
#[derive(Debug)]
struct Token {
    text: String,
    ends_at: u64,
}

#[derive(Debug)]
pub struct Server<'a> {
    base: &'a str,
    access: &'a ServerAccess,
    types: &'a [String],
    unit: Duration,
    token: Option<Token>,
}

/// The number of failed tries. The wait before the next try grows with it.
#[derive(Debug, Default)]
pub struct Tries(u32);

impl Tries {
    /// Counts a failed try. Returns whether there is another try.
    pub const fn fails(&mut self) -> bool {
        self.0 += 1;
        self.0 < TRIES
    }

    /// Returns the units to wait after this number of failures.
    pub const fn wait(&self) -> u64 {
        1 << self.0
    }
}

impl<'a> Server<'a> {
    /// Makes a server with this FHIR base. `unit` is the duration of a wait of one second, which is shorter in tests.
    pub const fn new(base: &'a str, access: &'a ServerAccess, types: &'a [String], unit: Duration) -> Self {
        Self { base, access, types, unit, token: None }
    }

    /// Waits for this number of units, or for the maximum.
    pub fn wait(&self, units: u64) {
        std::thread::sleep(self.unit * u32::try_from(units.min(MAX_WAIT)).unwrap_or(u32::MAX));
    }

    /// Sends a request with a token. Repeats it with another token if the token has expired, and repeats it if the
    /// server is busy or does not answer. A refusal is returned unchanged.
    ///
    /// # Errors
    /// If there is no answer after all tries, or no token.
    pub fn ask(
        &mut self,
        address: &str,
        headers: &[&str],
        method: Option<&str>,
        progress: &mut dyn Progress,
    ) -> Result<Response, Failure> {
        let headers: Vec<_> = headers.iter().map(|header| (*header).to_owned()).collect();
        self.send(Request { address, headers: &headers, method, ..Request::default() }, progress)
    }

    /// Like [`Self::ask`], but sends any request.
    ///
    /// # Errors
    /// As for [`Self::ask`].
    pub fn send(&mut self, request: Request<'_>, progress: &mut dyn Progress) -> Result<Response, Failure> {
        let (mut tries, mut renewed) = (Tries::default(), false);
        loop {
            let mut headers = request.headers.to_vec();
            headers.extend(self.authorization(progress)?);
            let answer = http::send(Request { headers: &headers, ..request });
            let wait = match answer {
                Ok(response) if response.is_unauthorized() && !renewed && self.forget_token() => {
                    renewed = true;
                    continue;
                }
                Ok(response) if response.is_busy() => response.retry_after().unwrap_or_else(|| tries.wait()),
                Ok(response) if response.has_failed() && is_transient(&response) => {
                    if !tries.fails() {
                        return Ok(response);
                    }
                    response.retry_after().unwrap_or_else(|| tries.wait())
                }
                Ok(response) => return Ok(response),
                Err(failure) => {
                    if !tries.fails() {
                        return Err(Failure(format!("{}: {failure}", request.address)));
                    }
                    tries.wait()
                }
            };
            self.wait(wait.max(1));
        }
    }

    /// Returns the header with the token, if the server needs one.
    ///
    /// # Errors
    /// If the server issues no token.
    pub fn authorization(&mut self, progress: &mut dyn Progress) -> Result<Option<String>, Failure> {
        let header = |token: &str| Some(format!("Authorization: Bearer {token}"));
        match self.access {
            ServerAccess::Open => Ok(None),
            ServerAccess::Client(access) => {
                let now = seconds()?;
                if let Some(token) = self.token.as_ref().filter(|token| token.ends_at > now + SPARE) {
                    return Ok(header(&token.text));
                }
                let token = self.new_token(access, progress)?;
                let text = header(&token.text);
                self.token = Some(token);
                Ok(text)
            }
        }
    }

    /// Forgets a token that the server does not accept any more. Returns whether another one can be requested.
    pub fn forget_token(&mut self) -> bool {
        self.token = None;
        matches!(self.access, ServerAccess::Client(_))
    }

    fn new_token(&self, access: &ClientAccess, progress: &mut dyn Progress) -> Result<Token, Failure> {
        let ClientAccess { client, proof, scope } = access;
        let (token_url, capabilities) = self.discovered()?;
        // The wildcard is tried last, if the server states no types or refuses their list: it may grant only a few.
        let mut scopes = match scope {
            Some(scope) => vec![scope.clone()],
            None if self.types.is_empty() => {
                let stated = self.stated_types();
                [vec!["*".to_owned()], stated]
                    .iter()
                    .filter(|types| !types.is_empty())
                    .map(|types| scopes_of(types, &capabilities))
                    .collect()
            }
            None => vec![scopes_of(self.types, &capabilities)],
        };
        let mut scope = scopes.pop().unwrap_or_default();
        let mut tries = Tries::default();
        loop {
            let now = seconds()?;
            let mut form = format!("grant_type=client_credentials&scope={}", encoded(&scope));
            let mut headers = vec!["Accept: application/json".to_owned()];
            match proof {
                ClientProof::Secret(secret) => {
                    let credentials = Base64::encode_string(format!("{client}:{secret}").as_bytes());
                    headers.push(format!("Authorization: Basic {credentials}"));
                }
                ClientProof::Key(key) => {
                    let id = token_of(&random()?, "assertion");
                    form.push_str(&format!(
                        "&client_assertion_type={}&client_assertion={}",
                        encoded("urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                        key.assertion(client, &token_url, now, &id)?
                    ));
                }
            }
            let request =
                Request { address: &token_url, headers: &headers, body: Some(form.as_bytes()), ..Request::default() };
            let failure = format!("{token_url} gives no token");
            let Some(body) = self.answered(http::send(request), &failure, &mut tries)? else { continue };
            if body.get("error").is_some_and(|error| error == "invalid_scope")
                && let Some(next) = scopes.pop()
            {
                progress.say(&format!("the server does not grant {scope}"));
                scope = next;
                continue;
            }
            let text = body.get("access_token").and_then(Value::as_str);
            let text = text.ok_or_else(|| Failure(format!("{failure}: {body}")))?;
            if let Some(granted) = body.get("scope").and_then(Value::as_str).filter(|granted| *granted != scope) {
                progress.say(&format!("the server grants {granted}"));
            }
            let life = body.get("expires_in").and_then(Value::as_u64).unwrap_or(300);
            return Ok(Token { text: text.to_owned(), ends_at: now + life });
        }
    }

    /// Returns the body of an answer. `None` if there is none: then this has waited for the next try.
    fn answered(
        &self,
        answer: Result<Response, Failure>,
        failure: &str,
        tries: &mut Tries,
    ) -> Result<Option<Value>, Failure> {
        let said = match answer {
            Ok(response) if response.is_busy() || response.has_failed() => response.json().to_string(),
            Ok(response) => return Ok(Some(response.json())),
            Err(failure) => failure.0,
        };
        if !tries.fails() {
            return Err(Failure(format!("{failure}: {said}")));
        }
        self.wait(tries.wait());
        Ok(None)
    }

    /// Returns the token endpoint that the server announces, and its capabilities
    /// (<https://hl7.org/fhir/smart-app-launch/conformance.html>).
    fn discovered(&self) -> Result<(String, Value), Failure> {
        let address = format!("{}/.well-known/smart-configuration", self.base);
        let headers = ["Accept: application/json".to_owned()];
        let mut tries = Tries::default();
        loop {
            let answer = http::send(Request { address: &address, headers: &headers, ..Request::default() });
            let Some(document) = self.answered(answer, &address, &mut tries)? else { continue };
            let url = document.get("token_endpoint").and_then(Value::as_str).map(str::to_owned);
            let none = || Failure(format!("{address} names no token_endpoint"));
            let capabilities = document.get("capabilities").cloned().unwrap_or_default();
            return Ok((url.ok_or_else(none)?, capabilities));
        }
    }

    /// Returns the types in the CapabilityStatement of the server. There are none if the statement cannot be read.
    fn stated_types(&self) -> Vec<String> {
        let address = format!("{}/metadata", self.base);
        let headers = ["Accept: application/fhir+json".to_owned()];
        let answer = http::send(Request { address: &address, headers: &headers, ..Request::default() });
        let statement = answer.map(|response| response.json()).unwrap_or_default();
        let lists = statement.get("rest").and_then(Value::as_array).into_iter().flatten();
        let resources = lists.filter_map(|rest| rest.get("resource")?.as_array()).flatten();
        resources.filter_map(|one| one.get("type")?.as_str()).map(str::to_owned).collect()
    }
}

/// Returns the scopes that open types, in the syntax of SMART 2 if the server supports it.
fn scopes_of(types: &[String], capabilities: &Value) -> String {
    let is_second = capabilities.as_array().is_some_and(|all| all.iter().any(|one| one == "permission-v2"));
    let letters = if is_second { "rs" } else { "read" };
    types.iter().map(|one| format!("system/{one}.{letters}")).collect::<Vec<_>>().join(" ")
}

/// Returns the time, in seconds since 1970.
#[allow(clippy::disallowed_methods, reason = "a runtime reads the clock")]
fn seconds() -> Result<u64, Failure> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_err(Failure::doing("reading the clock"))?;
    Ok(now.as_secs())
}

/// Returns whether a failure is temporary. If the body is an OperationOutcome, its code decides. Any other body comes
/// from an intermediary, and the failure is temporary.
fn is_transient(response: &Response) -> bool {
    let body = response.json();
    let Some(issues) = body.get("issue").and_then(Value::as_array) else { return true };
    let transient = ["transient", "timeout", "throttled", "lock-error", "no-store", "incomplete"];
    issues.iter().filter_map(|issue| issue.get("code")?.as_str()).any(|code| transient.contains(&code))
}

/// Returns the text of an OperationOutcome, or the beginning of another body.
pub fn text_of(body: &Value) -> String {
    let issue = |issue: &Value| {
        let details = issue.get("details").and_then(|details| details.get("text"));
        let text = details.or_else(|| issue.get("diagnostics")).and_then(Value::as_str);
        text.or_else(|| issue.get("code")?.as_str()).map(str::to_owned)
    };
    match body.get("issue").and_then(Value::as_array) {
        Some(issues) => issues.iter().filter_map(issue).collect::<Vec<_>>().join("; "),
        None => body.as_str().map_or_else(|| body.to_string(), str::to_owned).chars().take(200).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn scopes_are_those_of_the_types_in_the_words_of_the_server() {
        let types = ["Patient".to_owned(), "Group".to_owned()];
        let (second, first) = (json!(["permission-v1", "permission-v2"]), json!(["permission-v1"]));
        assert_eq!(scopes_of(&types, &second), "system/Patient.rs system/Group.rs");
        assert_eq!(scopes_of(&types, &first), "system/Patient.read system/Group.read");
        assert_eq!(scopes_of(&["*".to_owned()], &Value::Null), "system/*.read");
    }

    #[test]
    fn an_outcome_is_told_by_its_texts_and_says_whether_it_is_of_a_moment() {
        let outcome = |code: &str| {
            let issue =
                json!([{"code": code, "diagnostics": "why"}, {"code": "value", "details": {"text": "and why"}}]);
            json!({"resourceType": "OperationOutcome", "issue": issue})
        };
        assert_eq!(text_of(&outcome("exception")), "why; and why");
        assert_eq!(text_of(&"a page".into()), "a page");
        let failed = |body: &str| Response { status: 503, body: body.into(), ..Response::default() };
        assert!(is_transient(&failed("<html>")) && is_transient(&failed(&outcome("transient").to_string())));
        assert!(!is_transient(&failed(&outcome("exception").to_string())));
    }
}
