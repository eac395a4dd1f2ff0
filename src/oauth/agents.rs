//! Agents: programs of assistants that read through `/mcp`. Nobody has to register one. Its `client_id` may be the
//! address of a Client ID Metadata Document, which describes it (draft-ietf-oauth-client-id-metadata-document;
//! docs/decisions/permission-and-sign-in.md#documents-of-agents).

use base64ct::{Base64UrlUnpadded, Encoding};
use serde_json::{Value, json};

use super::address::address;
use super::auth_store::AuthStore;
use super::authorize::is_loopback;
use super::client::Client;
use super::documents::{Documents, Fetch, FetchError, OF_AGENTS};
use super::error::{AuthStoreError, OAuthError, OAuthErrorCode};
use super::secret::{Pepper, same};
use fhir::ResourceType;

/// The scope of a request for `/mcp` that names none, which its metadata list (RFC 9728).
pub const AGENT_SCOPE: &str = "patient/*.rs";

/// The clients that may read through `/mcp`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agents {
    /// Registered clients.
    Registered,
    /// Also clients with a document at any public host.
    Any,
    /// Also clients with a document at one of these hosts.
    Hosts(Vec<String>),
}

impl Agents {
    /// Parses the variable `AGENTS`. `off` is `None`.
    ///
    /// # Errors
    /// If a word is no public host.
    pub fn parse(text: &str) -> Result<Option<Self>, String> {
        Ok(Some(match text {
            "off" => return Ok(None),
            "registered" => Self::Registered,
            "any" => Self::Any,
            hosts => {
                let hosts: Vec<_> = hosts.split_ascii_whitespace().map(str::to_owned).collect();
                if let Some(other) = hosts.iter().find(|host| !is_public(host)) {
                    return Err(format!("{other:?} is none of off, registered, any, and no public host"));
                }
                Self::Hosts(hosts)
            }
        }))
    }

    /// Returns whether a client may be described by a document.
    #[must_use]
    pub fn reads_documents(&self) -> bool {
        *self != Self::Registered
    }

    /// Returns whether an agent may be sent to an address.
    fn admits(&self, redirect: &str) -> bool {
        let host = host_in(redirect);
        match self {
            Self::Registered => false,
            Self::Any => is_loopback(redirect) || is_public(host),
            Self::Hosts(hosts) => is_loopback(redirect) || hosts.iter().any(|one| one == host),
        }
    }

    /// Returns the client whose document has this address, without what the document says. It may get scopes that read
    /// the records of a patient or of a user. `None` if the address is none for a document, or its host is not
    /// admitted.
    fn client(&self, id: &str, issuer: &str) -> Option<Client> {
        let host = host_of(id)?;
        let is_admitted = match self {
            Self::Registered => false,
            Self::Any => true,
            Self::Hosts(hosts) => hosts.iter().any(|one| one == host),
        };
        if !is_admitted || host == host_in(issuer) {
            return None;
        }
        reader(id, host)
    }
}

/// Returns a public client at a host that may read the records of a patient or of a user.
fn reader(id: &str, host: &str) -> Option<Client> {
    let mut scopes = "openid fhirUser offline_access patient/*.rs user/*.rs".to_owned();
    for resource_type in ResourceType::served() {
        let name = resource_type.name();
        scopes.push_str(&format!(" patient/{name}.rs user/{name}.rs"));
    }
    let client = Client::read(&json!({"client_id": id, "kind": "public", "scopes": scopes}).to_string()).ok()?;
    Some(Client { agent_host: Some(host.to_owned()), ..client })
}

/// Returns the texts in a list of the metadata of a client.
fn texts<'a>(metadata: &'a Value, name: &str) -> impl Iterator<Item = &'a str> {
    metadata.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the redirect addresses in the metadata of a client that are accepted. One that is not, such as that of
/// another platform, does not end the others.
fn redirects(metadata: &Value) -> impl Iterator<Item = &str> {
    texts(metadata, "redirect_uris").filter(|uri| address(uri).is_ok())
}

/// The agents that a server admits.
#[derive(Debug, Clone, Copy)]
pub struct AdmittedAgents<'a> {
    /// The clients that may read through `/mcp`.
    pub agents: &'a Agents,
    /// The key of the ids of agents that register themselves. `None` if they may not.
    pub registration: Option<&'a Pepper>,
}

/// The beginning of the `client_id` of an agent that registered itself. Its name, its redirect addresses and a keyed
/// hash of both follow, so that nothing is stored.
const REGISTERED: &str = "agent.";
/// The most redirect addresses of such an agent.
const MAX_REDIRECTS: usize = 5;
/// The longest name and redirect addresses of such an agent, in bytes of JSON.
const LONGEST: usize = 1_024;

/// Returns whether the ids of agents that register themselves have this form.
pub(super) fn is_registered_agent(id: &str) -> bool {
    id.starts_with(REGISTERED)
}

impl AdmittedAgents<'_> {
    /// Registers an agent by its metadata (RFC 7591), and returns the answer. It is a public client.
    ///
    /// # Errors
    /// If no redirect address is accepted, or the metadata are too long.
    pub fn register(&self, metadata: &Value, now: i64) -> Result<Value, OAuthError> {
        let invalid = |code, why| Err(OAuthError::new(code, why));
        let Some(pepper) = self.registration else {
            return invalid(OAuthErrorCode::InvalidRequest, "agents do not register here");
        };
        // All have one host, which the pages name.
        let mut admitted = redirects(metadata).filter(|uri| self.agents.admits(uri)).peekable();
        let host = admitted.peek().map_or("", |uri| host_in(uri));
        let redirects: Vec<_> = admitted.filter(|uri| host_in(uri) == host).take(MAX_REDIRECTS).collect();
        let name = shown_name(metadata.get("client_name").and_then(Value::as_str).unwrap_or_default());
        let described = json!([name, redirects]).to_string();
        if redirects.is_empty() || described.len() > LONGEST {
            let why = "no redirect address is https at an admitted host or loopback, or they are too long";
            return invalid(OAuthErrorCode::InvalidRedirectUri, why);
        }
        let id = [REGISTERED, &Base64UrlUnpadded::encode_string(described.as_bytes())].concat();
        let id = [&id, ".", &pepper.pseudonym("agent", &id)].concat();
        let asked: Vec<_> = texts(metadata, "grant_types").collect();
        if !asked.is_empty() && !asked.contains(&"authorization_code") {
            return invalid(OAuthErrorCode::InvalidRequest, "an agent needs the grant type authorization_code");
        }
        let offered = ["authorization_code", "refresh_token"].into_iter();
        let grant_types: Vec<_> = offered.filter(|one| asked.is_empty() || asked.contains(one)).collect();
        let scope = metadata.get("scope").and_then(Value::as_str);
        let granted = scope.and_then(|scope| reader(&id, host)?.grantable(Some(scope), |_, _| true).ok());
        Ok(json!({
            "client_id": id, "client_id_issued_at": now, "client_name": name, "redirect_uris": redirects,
            "token_endpoint_auth_method": "none", "response_types": ["code"],
            "grant_types": grant_types,
            "scope": granted.map_or_else(|| AGENT_SCOPE.to_owned(), |scopes| scopes.to_string()),
        }))
    }

    /// Returns the client with an id, if it is one of the agents. [`described`] adds what a document says.
    pub(super) fn client(&self, id: &str, issuer: &str) -> Option<Client> {
        if !is_registered_agent(id) {
            return self.agents.client(id, issuer);
        }
        let (signed, mac) = id.rsplit_once('.')?;
        if !same(mac, &self.registration?.pseudonym("agent", signed)) {
            return None;
        }
        let described = Base64UrlUnpadded::decode_vec(signed.strip_prefix(REGISTERED)?).ok()?;
        let (name, redirect_uris): (String, Vec<String>) = serde_json::from_slice(&described).ok()?;
        let host = host_in(redirect_uris.first()?);
        let is_admitted = redirect_uris.iter().all(|uri| self.agents.admits(uri));
        reader(id, host).filter(|_| is_admitted).map(|client| Client { name, redirect_uris, ..client })
    }
}

/// Returns the host in an address, without its port.
fn host_in(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let end = rest.find(['/', '?', ':']).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// Returns the name of an agent without marks that turn or hide text, which could disguise the sentence around it.
fn shown_name(name: &str) -> String {
    let is_shown = |c: &char| c.is_alphanumeric() || *c == ' ' || c.is_ascii_punctuation();
    name.chars().filter(is_shown).take(60).collect()
}

/// Returns the client with that `client_id`, unless it is disabled: a registered one, or one whose document is at that
/// address. Only [`described`] fetches the document.
pub(super) async fn known_client<L: AuthStore>(
    auth_store: &L,
    agents: Option<AdmittedAgents<'_>>,
    issuer: &str,
    id: &str,
) -> Result<Option<Client>, AuthStoreError> {
    Ok(match auth_store.client(id).await? {
        Some(client) => Some(client).filter(|client| !client.disabled),
        None => agents.and_then(|agents| agents.client(id, issuer)),
    })
}

/// Returns whether a client could get a scope, if the person allows it.
///
/// # Errors
/// If the auth store does not answer.
pub async fn could_get<L: AuthStore>(
    auth_store: &L,
    (agents, issuer): (Option<AdmittedAgents<'_>>, &str),
    client: &str,
    scope: &str,
) -> Result<bool, AuthStoreError> {
    let client = known_client(auth_store, agents, issuer, client).await?;
    Ok(client.is_some_and(|client| client.grantable(Some(scope), |_, _| true).is_ok()))
}

/// Returns a client with the name and the redirect addresses of its document.
///
/// # Errors
/// If the document cannot be fetched, or is not valid.
pub(super) async fn described<F: Fetch>(
    client: Client,
    fetch: &F,
    documents: &Documents,
    now: i64,
) -> Result<Client, FetchError> {
    if is_registered_agent(&client.client_id) {
        return Ok(client);
    }
    let document = documents.get(fetch, (&client.client_id, OF_AGENTS), |_| true, now).await?;
    let text = |name| document.get(name).and_then(Value::as_str);
    let has_secret = ["client_secret", "client_secret_expires_at"].iter().any(|name| document.get(name).is_some());
    let is_public = text("token_endpoint_auth_method").is_none_or(|method| method == "none")
        || texts(&document, "token_endpoint_auth_methods_supported").any(|method| method == "none");
    let redirect_uris: Vec<_> = redirects(&document).map(str::to_owned).collect();
    if text("client_id") != Some(&client.client_id) || has_secret || !is_public || redirect_uris.is_empty() {
        let why = "it is of another client, has a secret or no redirect address, or its client is not public";
        return Err(FetchError(why.to_owned()));
    }
    let name = shown_name(text("client_name").unwrap_or_default());
    Ok(Client { name, redirect_uris, ..client })
}

/// Returns the host of an address at which the document of a client may be: https, with a path and a public host,
/// without a port, and without dot segments in any spelling.
fn host_of(id: &str) -> Option<&str> {
    address(id).ok()?;
    let (host, path) = id.strip_prefix("https://")?.split_once('/')?;
    let is_plain = !path.is_empty() && !path.starts_with('?') && !path.to_ascii_lowercase().contains("%2e");
    (is_plain && is_public(host)).then_some(host)
}

/// The last labels of names in local networks.
const LOCAL: [&str; 7] = ["arpa", "corp", "home", "internal", "lan", "local", "localhost"];

/// Returns whether a host is a public name in lower case. Numeric addresses, in any spelling, end in a number.
fn is_public(host: &str) -> bool {
    let is_label = |label: &str| {
        let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        (1..=63).contains(&label.len()) && label.bytes().all(legal)
    };
    let Some((_, last)) = host.rsplit_once('.') else { return false };
    let is_name = last.starts_with("xn--") || last.bytes().all(|byte| byte.is_ascii_lowercase());
    host.split('.').all(is_label) && is_name && !LOCAL.contains(&last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Native, with};
    use sqlite::now;

    const ID: &str = "https://agent.example/client.json";

    #[test]
    fn mcp43_the_document_of_a_client_is_at_a_public_address_with_a_path() {
        let admits = |agents: &str, id: &str| {
            Agents::parse(agents).unwrap().unwrap().client(id, "https://here.example").is_some()
        };
        for good in [ID, "https://xn--bcher-kva.example/a?b=c", "https://a.b.co/oauth/x-y_z", "https://a.xn--p1ai/c"] {
            assert!(admits("any", good), "{good}");
        }
        let paths = "agent.example/c http://agent.example/c HTTPS://agent.example/c https://agent.example \
            https://agent.example/ https://agent.example/?c https://agent.example?/c https://user@agent.example/c \
            https://agent.example/c#x https://agent.example/a/../c https://agent.example/./c \
            https://agent.example/a/%2e%2E/c https://agent.example\\@evil.example/c https://agent.example:8443/c";
        let hosts = "Agent.example agent.example. agent localhost app.localhost printer.local google.internal \
            127.0.0.1 127.1 0x7f.0.0.0x1 2130706433 [::1] here.example a..example";
        let hosts = hosts.split(' ').map(|host| format!("https://{host}/c"));
        for bad in paths.split(' ').map(str::to_owned).chain(hosts).chain([format!("{ID}{}", "x".repeat(2_048))]) {
            assert!(!admits("any", &bad), "{bad}");
        }
        assert!(admits("other.example agent.example", ID) && !admits("other.example", ID) && !admits("registered", ID));
        assert_eq!(Agents::parse("off"), Ok(None));
        for odd in ["on", "localhost", "https://agent.example", "agent.example,other.example"] {
            assert!(Agents::parse(odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn mcp94_an_agent_registers_itself_without_a_row() {
        let (pepper, other) = (Pepper::new(b"a secret of the server"), Pepper::new(b"another secret"));
        let hosts = Agents::parse("agent.example").unwrap().unwrap();
        let admitted = AdmittedAgents { agents: &hosts, registration: Some(&pepper) };
        let metadata = json!({
            "client_name": "An agent", "token_endpoint_auth_method": "client_secret_basic",
            "redirect_uris": [
                "cursor://x/cb", "https://134744072/agent.example/cb", "https://[2606::1]/agent.example/cb",
                "https://evil?agent.example", "https://agent.example/cb", "http://localhost/cb",
                "https://agent.example:8443/other",
            ],
            "grant_types": ["authorization_code", "refresh_token", "password"], "response_types": ["code", "token"],
            "scope": "patient/Observation.rs system/*.rs nonsense offline_access",
        });
        let answer = admitted.register(&metadata, 7).unwrap();
        let redirects = json!(["https://agent.example/cb", "https://agent.example:8443/other"]);
        assert_eq!((&answer["redirect_uris"], &answer["token_endpoint_auth_method"]), (&redirects, &json!("none")));
        assert_eq!(answer["grant_types"], json!(["authorization_code", "refresh_token"]));
        assert_eq!(answer["scope"], "patient/Observation.rs offline_access");
        let id = answer["client_id"].as_str().unwrap();
        let client = admitted.client(id, "https://here.example").unwrap();
        assert_eq!((client.name.as_str(), client.title(), client.is_described()), ("An agent", "agent.example", true));
        assert_eq!(json!(client.redirect_uris), redirects);
        let altered = id.replacen("agent.", "agent.A", 1);
        let is_known = |agents: &AdmittedAgents<'_>, id: &str| agents.client(id, "https://here.example").is_some();
        assert!(!is_known(&admitted, &altered) && !is_known(&admitted, "agent.") && !is_known(&admitted, "agent.x.y"));
        let elsewhere = Agents::parse("other.example").unwrap().unwrap();
        for agents in [
            AdmittedAgents { registration: Some(&other), ..admitted },
            AdmittedAgents { registration: None, ..admitted },
            AdmittedAgents { agents: &elsewhere, ..admitted },
            AdmittedAgents { agents: &Agents::Registered, ..admitted },
        ] {
            assert!(!is_known(&agents, id));
        }
        for redirects in
            [json!([]), json!(["cursor://x/cb"]), json!([format!("https://agent.example/{}", "x".repeat(1_000))])]
        {
            let error = admitted.register(&with(metadata.clone(), "redirect_uris", redirects), 7).unwrap_err();
            assert_eq!(error.code, OAuthErrorCode::InvalidRedirectUri);
        }
    }

    #[test]
    fn mcp41_mcp42_mcp97_a_document_that_is_not_right_describes_no_client() {
        let platform = Native::default();
        let read = |name: &str, value: Value| {
            let document =
                json!({"client_id": ID, "client_name": "An agent", "redirect_uris": ["http://localhost/cb"]});
            platform.0.put(ID, &with(document, name, value), None);
            let client = Agents::Any.client(ID, "https://here.example").unwrap();
            now(described(client, &platform, &Documents::default(), 0))
        };
        let good = read("token_endpoint_auth_methods_supported", json!(["none", "private_key_jwt"])).unwrap();
        assert_eq!((good.name.as_str(), good.title()), ("An agent", "agent.example"));
        let redirects = json!(["cursor://x/cb", "https://agent.example/cb", "http://localhost:*/callback", 7]);
        assert_eq!(read("redirect_uris", redirects).unwrap().redirect_uris, ["https://agent.example/cb"]);
        assert_eq!(read("client_name", json!("<b>A\u{202e}\u{0}\u{200b}\n")).unwrap().name, "<b>A");
        for (name, value) in [
            ("client_id", json!("https://agent.example/other.json")),
            ("client_id", Value::Null),
            ("client_secret", json!("s")),
            ("client_secret_expires_at", json!(0)),
            ("token_endpoint_auth_method", json!("private_key_jwt")),
            ("redirect_uris", json!("https://agent.example/cb")),
            ("redirect_uris", json!(["http://localhost:*/callback"])),
            ("redirect_uris", json!(["http://agent.example/cb"])),
            ("client_uri", json!("x".repeat(6_000))),
        ] {
            assert!(read(name, value).is_err(), "{name}");
        }
    }
}
