//! Agents: programs of assistants that read through `/mcp`. Nobody has to register one. Its `client_id` may be the
//! address of a Client ID Metadata Document, which describes it (draft-ietf-oauth-client-id-metadata-document;
//! docs/decisions/permission-and-sign-in.md#documents-of-agents).

use serde::Serialize;
use serde_json::{Value, json};

use super::auth_store::AuthStore;
use super::client::Client;
use super::documents::{Documents, Fetch, FetchError, OF_AGENTS};
use super::error::AuthStoreError;
use super::registration::address;
use fhir::ResourceType;

/// The path of the resource for agents.
const MCP: &str = "/mcp";
/// The beginning of the ids of authorizations for it.
const GRANT: &str = "mcp.";
/// The scope of a request for `/mcp` that names none, which its metadata list (RFC 9728).
pub const AGENT_SCOPE: &str = "patient/*.rs";

/// A resource of this server. A token is for one of them (RFC 8707).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Resource {
    /// The FHIR base.
    #[default]
    Fhir,
    /// `/mcp`, for agents.
    Mcp,
}

impl Resource {
    /// Returns the resource with an address of the server. The address of the server itself means `/mcp`.
    #[must_use]
    pub fn named(address: &str, issuer: &str, base: &str) -> Option<Self> {
        let address = address.strip_suffix('/').unwrap_or(address);
        if address == base {
            return Some(Self::Fhir);
        }
        matches!(address.strip_prefix(issuer)?, "" | MCP).then_some(Self::Mcp)
    }

    /// Returns the audience of its tokens.
    #[must_use]
    pub fn audience(self, issuer: &str, base: &str) -> String {
        if self.is_fhir() { base.to_owned() } else { [issuer, MCP].concat() }
    }

    /// Returns whether it is the FHIR base.
    pub fn is_fhir(&self) -> bool {
        *self == Self::Fhir
    }

    /// Returns the resource of an authorization, by its id.
    pub(super) fn of_grant(id: &str) -> Self {
        if id.starts_with(GRANT) { Self::Mcp } else { Self::Fhir }
    }

    /// Returns the id of an authorization for the resource.
    pub(super) fn grant_id(self, token: String) -> String {
        if self.is_fhir() { token } else { [GRANT, &token].concat() }
    }
}

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
        let own = issuer.split(['/', ':']).find(|part| part.contains('.'));
        if !is_admitted || own == Some(host) {
            return None;
        }
        let mut scopes = "openid fhirUser offline_access patient/*.rs user/*.rs".to_owned();
        for resource_type in ResourceType::served() {
            let name = resource_type.name();
            scopes.push_str(&format!(" patient/{name}.rs user/{name}.rs"));
        }
        Client::read(&json!({"client_id": id, "kind": "public", "scopes": scopes}).to_string()).ok()
    }
}

/// Returns the client with that `client_id`, unless it is disabled: a registered one, or one whose document is at that
/// address. Only [`described`] fetches the document.
pub(super) async fn known_client<L: AuthStore>(
    auth_store: &L,
    agents: Option<&Agents>,
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
    (agents, issuer): (Option<&Agents>, &str),
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
    let document = documents.get(fetch, (&client.client_id, OF_AGENTS), |_| true, now).await?;
    let text = |name| document.get(name).and_then(Value::as_str);
    let texts = |name| document.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let has_secret = ["client_secret", "client_secret_expires_at"].iter().any(|name| document.get(name).is_some());
    let is_public = text("token_endpoint_auth_method").is_none_or(|method| method == "none")
        || texts("token_endpoint_auth_methods_supported").any(|method| method == "none");
    // One address that is not accepted, such as that of another platform, does not end the others.
    let redirect_uris: Vec<_> = texts("redirect_uris").filter(|uri| address(uri).is_ok()).map(str::to_owned).collect();
    if text("client_id") != Some(&client.client_id) || has_secret || !is_public || redirect_uris.is_empty() {
        let why = "it is of another client, has a secret or no redirect address, or its client is not public";
        return Err(FetchError(why.to_owned()));
    }
    // Marks that turn or hide text could disguise the sentence around the name.
    let is_shown = |c: &char| c.is_alphanumeric() || *c == ' ' || c.is_ascii_punctuation();
    let name = text("client_name").unwrap_or_default().chars().filter(is_shown).take(60).collect();
    Ok(Client { name, redirect_uris, ..client })
}

/// Returns the host of an address at which the document of a client may be: https, with a path and a public host,
/// without a port, and without dot segments in any spelling.
pub(super) fn host_of(id: &str) -> Option<&str> {
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
