//! `POST /mcp`: the records of a grant for assistants, by the Model Context Protocol
//! (<https://modelcontextprotocol.io/specification/2026-07-28>). It is stateless and answers with JSON. The address is
//! an OAuth resource of its own: a token for it does not open the FHIR base, nor the reverse.

mod catalogue;
mod message;
mod receipt;
mod tool;

use std::borrow::Cow;
use std::cell::RefCell;

use serde_json::{Map, Value, json};

use self::catalogue::{CHART, INSTRUCTIONS, OVERVIEW};
use self::message::{Era, LEGACY, MODERN, Message, RpcError, SERVER_INFO, WIDGET, WIDGETS};
use self::receipt::receipt;
use self::tool::{Outcome, Told};
use super::app_context::AppContext;
use super::audit::{Disclosure, Events};
use super::bearer::{Authorized, ParsedRequest};
use super::configuration::settings::Settings;
use super::http::call::Call;
use super::http::form::is_json;
use super::http::negotiate;
use super::http::problem::{Problem, REALM};
use super::http::reply::{HeaderPolicy, Reply};
use super::http::routes::{Handler, Route, SignInPath, path_of};
use super::http::throttle::{Limit, Throttle, WAIT};
use fhir::{Id, Language, ResourceType, digest_text};
use oauth::{AGENT_SCOPE, AuthStore, Crypto, Fetch, Guard, could_get, hashed, is_loopback};
use smart::Grant;
use store::Store;

/// The milliseconds for which a client may keep a list.
const LISTS_KEPT: u32 = 300_000;

/// The most calls of tools with one grant in a day (UTC).
const CALLS_A_DAY: u32 = 2_000;
/// The seconds of a day.
const DAY: i64 = 86_400;

/// Answers a call of `/mcp`.
///
/// # Errors
/// If the token is refused, if a limit is reached, or if the store does not answer.
pub async fn answer<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle>(
    app: &AppContext<'_, S, L, C>,
    call: &Call<'_>,
    route: &Route,
    events: &mut Events,
) -> Result<(Reply<S::Body>, Option<String>), Problem> {
    let unlogged = |reply| Ok((reply, None));
    if !is_local(&app.settings.issuer, call) {
        return unlogged(Reply::empty(403, HeaderPolicy::UncachedJson));
    }
    let requested = ParsedRequest::of(call)?;
    let authorized = requested.authorize_agent(app, call, events.begin(route.event)).await?;
    let body = call.body.as_deref().ok_or(Problem::TooLong)?;
    if !is_json(call) {
        return Err(Problem::MediaType("application/json"));
    }
    let header = |name: &str| call.header(name).map(Cow::into_owned);
    let (detail, structured) = (RefCell::new(None), RefCell::new(None));
    let (id, era, answered) = match message::parse(body, &header) {
        Ok(Message { id: None, .. }) => {
            events.audit = None;
            return unlogged(Reply::empty(202, HeaderPolicy::UncachedJson));
        }
        Ok(message) => {
            let language = call.header("Accept-Language").and_then(|accepted| negotiate::language(&accepted));
            let session = Session {
                app,
                call,
                authorized: &authorized,
                language: language.unwrap_or(Language::English),
                detail: &detail,
                structured: &structured,
            };
            let answered = session.answer(&message, events).await?;
            (message.id, message.era, answered)
        }
        Err(refused) => (refused.0, Era::Modern, Err(refused.1)),
    };
    let (status, value) = match answered {
        Ok(result) => (200, json!({"jsonrpc": "2.0", "id": id, "result": result})),
        Err(error) => (if era == Era::Modern { error.status } else { 200 }, error.answer(id.as_ref())),
    };
    let text = with_structured(value.to_string(), structured.into_inner());
    Ok((Reply::text(status, HeaderPolicy::UncachedJson, text), detail.into_inner()))
}

/// Returns the answer to a refused call. If a token is missing or refused, the challenge has the address of the
/// metadata of the resource (RFC 9728, section 5.1), and the scope to request.
pub fn refusal<B>(problem: &Problem, settings: &Settings) -> Reply<B> {
    let reply = problem.reply();
    let challenge = reply.headers.iter().find(|(name, _)| *name == "WWW-Authenticate");
    let Some(error) = challenge.and_then(|(_, challenge)| challenge.strip_prefix(REALM)) else { return reply };
    let metadata = [&settings.issuer, path_of(Handler::ProtectedResource)].concat();
    let scope = if let Problem::StepUp(scope) = problem { scope } else { AGENT_SCOPE };
    let challenge = format!("Bearer resource_metadata=\"{metadata}\", scope=\"{scope}\"{error}");
    reply.with("WWW-Authenticate", challenge)
}

/// Returns whether the page of a request, if it comes from one, is of this server. A server on this computer also
/// checks the host, since a foreign name may be made to lead to it (DNS rebinding).
fn is_local(issuer: &str, call: &Call<'_>) -> bool {
    let own = issuer.split_once("://").map_or(issuer, |(_, host)| host);
    call.header("Origin").is_none_or(|origin| origin == issuer)
        && (!is_loopback(&[issuer, "/"].concat()) || call.header("Host").is_none_or(|host| host == own))
}

/// A call whose token has been verified.
struct Session<'a, 'app, 'call, S, L, C> {
    app: &'a AppContext<'app, S, L, C>,
    call: &'a Call<'call>,
    authorized: &'a Authorized,
    language: Language,
    /// The fault of a call whose answer is words, for the log.
    detail: &'a RefCell<Option<String>>,
    /// The result of a tool as JSON, whose numbers keep their digits ([`with_structured`]).
    structured: &'a RefCell<Option<String>>,
}

/// The result of a method, or an error of JSON-RPC.
type Answered = Result<Value, RpcError>;

impl<S: Store, L: AuthStore + Guard, C: Crypto + Fetch + Throttle> Session<'_, '_, '_, S, L, C> {
    /// Answers a request.
    async fn answer(&self, message: &Message, events: &mut Events) -> Result<Answered, Problem> {
        let Message { method, params, era, .. } = message;
        let is_of_records = match method.as_str() {
            "tools/list" => self.authorized.grant().patient.is_some(),
            method => matches!(method, "tools/call" | "resources/read"),
        };
        if !is_of_records {
            // Only what reads records is an event.
            events.audit = None;
        }
        let answered = match (method.as_str(), era) {
            ("server/discover", Era::Modern) => Ok(json!({
                "supportedVersions": [MODERN], "capabilities": with_widgets(capabilities()), "instructions": INSTRUCTIONS,
            })),
            ("initialize", Era::Legacy) => Ok(self.initialize(params)),
            ("ping" | "logging/setLevel", Era::Legacy) => Ok(json!({})),
            ("tools/list", _) => {
                let grant = self.authorized.grant();
                let of_chart = self.types_of_chart(&Map::new(), events).await;
                Ok(json!({"tools": catalogue::tools(grant, of_chart.as_deref(), message.shows_widgets())}))
            }
            ("resources/list", _) => Ok(json!({"resources": catalogue::resources()})),
            ("resources/templates/list", _) => Ok(json!({"resourceTemplates": catalogue::templates()})),
            ("prompts/list", _) => Ok(json!({"prompts": catalogue::prompts(self.language)})),
            ("prompts/get", _) => self.prompt(params),
            ("tools/call", _) => self.call_tool(params, events).await?,
            ("resources/read", _) => self.read(params, events).await?,
            _ => Err(RpcError::new(404, -32601, "there is no such method")),
        };
        Ok(answered.map(|result| if *era == Era::Modern { self.completed(message, result) } else { result }))
    }

    /// Adds to the result of a modern request what each one has.
    fn completed(&self, message: &Message, mut result: Value) -> Value {
        let mut add = |name: &str, value| {
            result.as_object_mut().map(|members| members.insert(name.to_owned(), value));
        };
        add("resultType", json!("complete"));
        add("_meta", json!({ SERVER_INFO: self.identity() }));
        let kept = match message.method.as_str() {
            "server/discover" | "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list" => {
                Some((LISTS_KEPT, "private"))
            }
            // A widget is the same for everybody.
            "resources/read" if catalogue::widget_at(uri_of(&message.params)).is_some() => Some((LISTS_KEPT, "public")),
            "resources/read" => Some((0, "private")),
            _ => None,
        };
        if let Some((kept, scope)) = kept {
            add("ttlMs", json!(kept));
            add("cacheScope", json!(scope));
        }
        result
    }

    /// Returns the identity of this server.
    fn identity(&self) -> Value {
        let icon = [&self.app.settings.issuer, "/icon-192.png"].concat();
        json!({
            "name": "edgechart", "title": "edgechart", "version": env!("CARGO_PKG_VERSION"),
            "icons": [{"src": icon, "mimeType": "image/png", "sizes": ["192x192"]}],
        })
    }

    fn initialize(&self, params: &Map<String, Value>) -> Value {
        let asked = params.get("protocolVersion").and_then(Value::as_str);
        let version = LEGACY.into_iter().find(|known| Some(*known) == asked).unwrap_or(LEGACY[0]);
        json!({
            "protocolVersion": version, "capabilities": capabilities(), "serverInfo": self.identity(),
            "instructions": INSTRUCTIONS,
        })
    }

    fn prompt(&self, params: &Map<String, Value>) -> Answered {
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let none = Map::new();
        let arguments = match params.get("arguments") {
            None => &none,
            Some(Value::Object(arguments)) if arguments.values().all(Value::is_string) => arguments,
            Some(_) => return Err(RpcError::params("the arguments are no object of texts")),
        };
        catalogue::prompt(name, arguments, self.language).ok_or(RpcError::params("there is no such prompt"))
    }

    /// Answers `tools/call`. What the model can mend is a result that says so, and no error of the protocol.
    async fn call_tool(&self, params: &Map<String, Value>, events: &mut Events) -> Result<Answered, Problem> {
        let none = Map::new();
        let arguments = match params.get("arguments") {
            None => &none,
            Some(Value::Object(arguments)) => arguments,
            Some(_) => return Ok(Err(RpcError::params("the arguments are no object"))),
        };
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let open = catalogue::open_types(self.authorized.grant(), true);
        let Some(checked) = catalogue::check(&open, name, arguments) else {
            return Ok(Err(RpcError::params("there is no such tool")));
        };
        if name == "query" && checked.is_err() {
            self.step_up(arguments).await?;
        }
        let mut outcome = match checked {
            Ok(tool) => self.outcome(tool, arguments, events).await?,
            Err(fault) => Err(fault),
        };
        if name == "query" && outcome.as_deref().map_or(true, is_empty) {
            let types = self.types_of_chart(arguments, events).await.filter(|types| !types.is_empty());
            if let Some(Some(Err(fault))) = types.map(|types| catalogue::check(&types, name, arguments)) {
                outcome = Err(fault);
            }
        }
        Ok(Ok(match outcome {
            Ok(text) => {
                let content = json!({"content": [{"type": "text", "text": text}], "isError": false});
                *self.structured.borrow_mut() = Some(text);
                content
            }
            Err(why) => json!({"content": [{"type": "text", "text": why}], "isError": true}),
        }))
    }

    /// Returns the types of which a chart has open records: that of the patient in the arguments, or of the grant.
    /// `None` if nobody is meant, or if the chart cannot be read.
    async fn types_of_chart(&self, arguments: &Map<String, Value>, events: &mut Events) -> Option<Vec<ResourceType>> {
        let grant = self.authorized.grant();
        let patient = match arguments.get("patient").and_then(Value::as_str) {
            Some(named) => Id::parse(named.strip_prefix("Patient/").unwrap_or(named)),
            None => grant.patient.clone(),
        }?;
        if let Some(audit) = &mut events.audit {
            patient.put(audit.disclosure.requested.get_or_insert_default());
        }
        let types = catalogue::types_of_chart(&self.app.store, grant, &patient).await;
        types.inspect_err(|error| *self.detail.borrow_mut() = Some(error.to_string())).ok()
    }

    /// Asks for a scope that opens the type of a query, if the token does not open it and its client could get it.
    async fn step_up(&self, arguments: &Map<String, Value>) -> Result<(), Problem> {
        let grant = self.authorized.grant();
        let asked = arguments.get("type").and_then(Value::as_str).and_then(ResourceType::parse);
        let Some(closed) = asked.filter(|one| catalogue::is_closed(grant, *one)) else { return Ok(()) };
        let level = if grant.patient.is_some() { "patient" } else { "user" };
        let scope = format!("{level}/{}.rs", closed.name());
        let settings = self.app.settings;
        let of_server = (settings.admitted_agents(), settings.issuer.as_str());
        match could_get(&self.app.auth_store, of_server, &grant.client, &scope).await {
            Ok(true) => Err(Problem::StepUp([&grant.scopes.to_string(), " ", &scope].concat())),
            Ok(false) => Ok(()),
            Err(error) => Err(Problem::GrantStatus(error.to_string())),
        }
    }

    /// Counts a call of a grant. The platform counts the calls of a minute, and the auth store those of a day.
    async fn admit(&self, grant: &Grant) -> Result<(), Problem> {
        let counted = grant.id.as_deref().unwrap_or(&grant.client);
        if !self.app.crypto.admits(Limit::Agent, counted).await {
            return Err(Problem::TooManyRequests { wait: WAIT });
        }
        let now = self.call.moment.seconds();
        let ends = now - now.rem_euclid(DAY) + DAY;
        let calls = self.app.auth_store.count_call(&hashed(&format!("agent\n{counted}\n{ends}")), ends).await;
        match calls {
            Ok(calls) if calls > CALLS_A_DAY => Err(Problem::TooManyRequests { wait: ends - now }),
            Ok(_) => Ok(()),
            Err(error) => Err(Problem::GrantStatus(error.to_string())),
        }
    }

    /// Calls a tool with checked arguments. Returns its result as JSON, with the receipt, or the words of a refusal.
    async fn outcome(
        &self,
        tool: &'static str,
        arguments: &Map<String, Value>,
        events: &mut Events,
    ) -> Result<Result<String, String>, Problem> {
        let grant = self.authorized.grant();
        let mut disclosure = Disclosure::default();
        self.admit(grant).await?;
        let of_chart = if tool == "search" { self.types_of_chart(arguments, events).await } else { None };
        let context = self.authorized.context(self.app.settings, self.call);
        let outcome = match (tool, self.app.reading) {
            ("access", _) => Ok(Outcome::Result(Told { result: self.access(grant).to_string(), facts: Vec::new() })),
            (_, Some(reading)) => {
                let of = (context, self.language);
                tool::call(&self.app.store, reading, (tool, arguments, of_chart), of, &mut disclosure).await
            }
            (_, None) => Err(Problem::Reading("the deployment has no Worker that reads charts".to_owned())),
        };
        let (outcome, receipt) = match outcome {
            Ok(Outcome::Result(Told { result, facts })) => {
                let signer = (self.app.keys, self.app.settings.issuer.as_str(), self.call.moment.seconds());
                let receipt = receipt(signer, (tool, arguments), grant, &facts);
                (Ok(Ok(with_receipt(result, receipt.as_deref()))), receipt)
            }
            Ok(Outcome::Refusal(why)) => (Ok(Err(why)), None),
            // The other problems are those of HTTP.
            Err(Problem::Reading(detail)) => {
                *self.detail.borrow_mut() = Some(detail);
                let text = "The chart cannot be read for tools now. Searches by FHIR work as before. Try again later.";
                (Ok(Err(text.to_owned())), None)
            }
            Err(problem) => (Err(problem), None),
        };
        if let Some(audit) = &mut events.audit {
            (audit.tool, audit.receipt) = (Some(tool), receipt.map(digest_text::<16>));
            audit.disclosure.add(disclosure);
        }
        outcome
    }

    /// Answers `resources/read` by the tools, or with a widget.
    async fn read(&self, params: &Map<String, Value>, events: &mut Events) -> Result<Answered, Problem> {
        let uri = uri_of(params);
        if let Some((file, assets)) = catalogue::widget_at(uri).zip(self.app.assets) {
            events.audit = None;
            let text = assets.text(file).await.map_err(Problem::Fault)?;
            let content = json!({"uri": uri, "mimeType": WIDGET, "text": text, "_meta": {"ui": {"csp": {}}}});
            return Ok(Ok(json!({"contents": [content]})));
        }
        let missing = || RpcError::params("there is no such resource").with(json!({ "uri": uri }));
        let (tool, id) = match uri.strip_prefix(CHART) {
            _ if uri == OVERVIEW => ("overview", None),
            Some(_) => ("fetch", Some(uri)),
            None => return Ok(Err(missing())),
        };
        let arguments = id.map(|id| ("id".to_owned(), Value::from(id))).into_iter().collect();
        let outcome = self.outcome(tool, &arguments, events).await?;
        Ok(match outcome {
            Ok(text) => Ok(json!({"contents": [{"uri": uri, "mimeType": "application/json", "text": text}]})),
            Err(_) => Err(missing()),
        })
    }

    /// Returns what the grant opens, and where that is changed.
    fn access(&self, grant: &Grant) -> Value {
        let open: Vec<_> = catalogue::open_types(grant, true).into_iter().map(ResourceType::name).collect();
        let scopes: Vec<_> = grant.scopes.iter().map(|(_, scope)| scope.describe(self.language)).collect();
        let manage = [&self.app.settings.issuer, path_of(Handler::SignIn(SignInPath::Manage))].concat();
        let closed: Vec<_> = USUAL.into_iter().filter(|name| !open.contains(name)).collect();
        let shown: Vec<_> = open.iter().take(40).collect();
        let mut told = json!({
            "now": self.call.moment.instant(), "app": grant.client, "user": grant.user,
            "patient": grant.patient.as_ref().map(Id::as_str), "allowed": scopes,
            "open": shown, "shown": shown.len(), "total": open.len(), "closed": closed,
            "complete": shown.len() == open.len(),
            "change": format!("The person changes or ends this at {manage}."),
        });
        if let Some(members) = told.as_object_mut() {
            members.retain(|_, value| !value.is_null());
        }
        told
    }
}

/// Returns the address of a resource in parameters.
fn uri_of(params: &Map<String, Value>) -> &str {
    params.get("uri").and_then(Value::as_str).unwrap_or_default()
}

/// Returns whether a query found nothing.
fn is_empty(result: &str) -> bool {
    serde_json::from_str(result).is_ok_and(|result: Value| result.get("total") == Some(&json!(0)))
}

/// Adds the receipt to a result. `result` is a JSON object with members.
fn with_receipt(result: String, receipt: Option<&str>) -> String {
    match receipt.zip(result.strip_suffix('}')) {
        Some((receipt, start)) => [start, ",\"receipt\":\"", receipt, "\"}"].concat(),
        None => result,
    }
}

/// Adds the structured result of a tool to an answer, as it is. A parsed number would lose digits. The id of the
/// answer, the only text before its result, has no unescaped quotation mark.
fn with_structured(answer: String, structured: Option<String>) -> String {
    const RESULT: &str = "\"result\":{";
    match structured {
        Some(text) => answer.replacen(RESULT, &[RESULT, "\"structuredContent\":", &text, ","].concat(), 1),
        None => answer,
    }
}

/// The types that people ask about most.
const USUAL: [&str; 12] = [
    "AllergyIntolerance",
    "CarePlan",
    "Condition",
    "Coverage",
    "DiagnosticReport",
    "DocumentReference",
    "Encounter",
    "Immunization",
    "MedicationRequest",
    "Observation",
    "Patient",
    "Procedure",
];

/// Adds the extension for widgets to the capabilities. A legacy client cannot say that it shows them.
fn with_widgets(mut capabilities: Value) -> Value {
    if let Some(members) = capabilities.as_object_mut() {
        members.insert("extensions".to_owned(), json!({WIDGETS: {"mimeTypes": [WIDGET]}}));
    }
    capabilities
}

fn capabilities() -> Value {
    json!({"tools": {}, "resources": {}, "prompts": {}})
}
