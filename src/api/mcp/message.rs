//! Messages of the Model Context Protocol: JSON-RPC 2.0 in the body of a POST
//! (<https://modelcontextprotocol.io/specification/2026-07-28/basic/transports>). Two kinds of revisions share one
//! address. A modern request says its version and the abilities of the client in `_meta`, and repeats its method and
//! its name in headers. All else is a legacy request, of a revision that begins with `initialize`.

use base64ct::{Base64, Encoding};
use serde_json::{Map, Value, json};

use crate::http::form::json_in;

/// The modern revision.
pub const MODERN: &str = "2026-07-28";
/// The legacy revisions, the newest first.
pub const LEGACY: [&str; 3] = ["2025-11-25", "2025-06-18", "2025-03-26"];

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The extension for widgets (MCP Apps, 2026-01-26).
pub const WIDGETS: &str = "io.modelcontextprotocol/ui";
/// The media type of widgets.
pub const WIDGET: &str = "text/html;profile=mcp-app";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The member of `_meta` with the identity of the server.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The greatest depth of a message.
const MAX_DEPTH: usize = 32;

/// The kind of the revision of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// [`MODERN`]: each request stands alone.
    Modern,
    /// One of [`LEGACY`]: the client begins with `initialize`.
    Legacy,
}

/// A message of a client.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// The id of a request. `None` for a notification, and for an answer, which needs none.
    pub id: Option<Value>,
    /// The method. Empty for an answer.
    pub method: String,
    /// The parameters.
    pub params: Map<String, Value>,
    /// The kind of its revision.
    pub era: Era,
}

/// An error of JSON-RPC.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// The status of the answer over HTTP.
    pub status: u16,
    pub code: i64,
    /// The message, a constant text.
    pub message: &'static str,
    /// Further data.
    pub data: Option<Value>,
}

impl Message {
    /// Returns whether the client shows widgets. A legacy request does not say so.
    pub fn shows_widgets(&self) -> bool {
        let named = |value: &Value| value.as_array().is_some_and(|types| types.contains(&json!(WIDGET)));
        let meta = self.params.get("_meta").and_then(|meta| meta.get(CAPABILITIES));
        let extension = meta.and_then(|own| own.get("extensions")).and_then(|all| all.get(WIDGETS));
        self.era == Era::Modern && extension.and_then(|own| own.get("mimeTypes")).is_some_and(named)
    }
}

impl RpcError {
    pub const fn new(status: u16, code: i64, message: &'static str) -> Self {
        Self { status, code, message, data: None }
    }

    /// Returns the error of parameters that do not fit the method.
    pub const fn params(message: &'static str) -> Self {
        Self::new(200, -32602, message)
    }

    /// Adds data.
    pub fn with(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// Returns the answer to the request with this id.
    pub fn answer(&self, id: Option<&Value>) -> Value {
        let members = [("code", json!(self.code)), ("message", json!(self.message)), ("data", json!(self.data))];
        let answer = [("jsonrpc", json!("2.0")), ("id", json!(id)), ("error", with_members(members))];
        with_members(answer)
    }
}

/// Returns an object of the members that are not null. The id of an answer is never null in this protocol.
fn with_members<const N: usize>(members: [(&str, Value); N]) -> Value {
    members.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

const HEADER_DIFFERS: RpcError = RpcError::new(400, -32020, "a header is missing, or differs from the body");

/// The refusal of a message, with the id of the message if it has one.
pub type Refused = Box<(Option<Value>, RpcError)>;

/// Parses the body of a request. `header` returns headers by name.
///
/// # Errors
/// If the message is malformed.
pub fn parse(body: &[u8], header: &dyn Fn(&str) -> Option<String>) -> Result<Message, Refused> {
    let invalid = |id, message| Box::new((id, RpcError::new(400, -32600, message)));
    let unread = || Box::new((None, RpcError::new(400, -32700, "the body is not JSON, or has a member twice")));
    let value = json_in(body).ok_or_else(unread)?;
    if depth_of(&value) > MAX_DEPTH {
        return Err(invalid(None, "the message is too deep"));
    }
    let Value::Object(mut members) = value else {
        return Err(invalid(None, "the body is not one message"));
    };
    let id = members.remove("id");
    let known = id.as_ref().is_none_or(|id| id.is_string() || id.is_i64() || id.is_u64());
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") || !known {
        return Err(invalid(id.filter(|_| known), "the message is not of JSON-RPC 2.0"));
    }
    let is_answer = members.contains_key("result") || members.contains_key("error");
    let method = match members.remove("method") {
        Some(Value::String(method)) => method,
        None if is_answer => {
            return Ok(Message { id: None, method: String::new(), params: Map::new(), era: Era::Legacy });
        }
        _ => return Err(invalid(id, "the message has no method")),
    };
    let params = match members.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err(Box::new((id, RpcError::new(400, -32602, "the parameters are no object")))),
    };
    match era_of(&method, &params, header) {
        Ok(era) => Ok(Message { id, method, params, era }),
        Err(error) => Err(Box::new((id, error))),
    }
}

/// Returns the depth of a value: 1 for a text, 2 for a list of texts.
fn depth_of(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(depth_of).max().unwrap_or(0),
        Value::Object(members) => members.values().map(depth_of).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Returns the kind of a message, and checks the headers and `_meta` of a modern one.
fn era_of(method: &str, params: &Map<String, Value>, header: &dyn Fn(&str) -> Option<String>) -> Result<Era, RpcError> {
    let of_header = header("MCP-Protocol-Version").map(|text| text.trim().to_owned());
    let meta = params.get("_meta").and_then(Value::as_object);
    let Some(version) = meta.and_then(|meta| meta.get(VERSION)) else {
        return match of_header {
            Some(version) if !LEGACY.contains(&version.as_str()) => {
                Err(RpcError::new(400, -32602, "a modern request says its version in _meta"))
            }
            _ => Ok(Era::Legacy),
        };
    };
    let version = version.as_str().ok_or(RpcError::new(400, -32602, "the version in _meta is no text"))?;
    let of_method = header("Mcp-Method");
    if of_header.as_deref() != Some(version) || of_method.as_deref().map(str::trim) != Some(method) {
        return Err(HEADER_DIFFERS);
    }
    let name = match method {
        "tools/call" | "prompts/get" => params.get("name"),
        "resources/read" => params.get("uri"),
        _ => None,
    };
    if let Some(name) = name.and_then(Value::as_str)
        && header("Mcp-Name").and_then(|given| header_text(given.trim())).as_deref() != Some(name)
    {
        return Err(HEADER_DIFFERS);
    }
    if version != MODERN {
        let data = json!({"supported": [MODERN], "requested": version});
        return Err(RpcError::new(400, -32022, "the version is not supported").with(data));
    }
    if !meta.is_some_and(|meta| meta.get(CAPABILITIES).is_some_and(Value::is_object)) {
        return Err(RpcError::new(400, -32602, "a modern request says the abilities of its client in _meta"));
    }
    Ok(Era::Modern)
}

/// Returns the text of a header, which may be in base64 (`=?base64?…?=`).
fn header_text(given: &str) -> Option<String> {
    match given.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => Base64::decode_vec(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok()),
        None => Some(given.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Parses a body with these headers.
    fn parsed(body: &str, headers: &[(&str, &str)]) -> Result<Message, Refused> {
        let header = |name: &str| headers.iter().find(|(of, _)| *of == name).map(|(_, text)| (*text).to_owned());
        parse(body.as_bytes(), &header)
    }

    #[test]
    fn a_message_is_of_an_era_by_its_meta_and_its_headers() {
        let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        let era = |headers: &[_]| parsed(list, headers).map(|message| message.era).map_err(|refused| refused.1.code);
        assert_eq!(era(&[]), Ok(Era::Legacy));
        assert_eq!(era(&[("MCP-Protocol-Version", "2025-06-18")]), Ok(Era::Legacy));
        assert_eq!(era(&[("MCP-Protocol-Version", MODERN)]), Err(-32602));
    }

    #[test]
    fn an_answer_without_an_id_has_no_such_member() {
        let text = |id: Option<Value>| RpcError::params("x").answer(id.as_ref()).to_string();
        assert_eq!(text(None), r#"{"jsonrpc":"2.0","error":{"code":-32602,"message":"x"}}"#);
        assert!(text(Some(json!("a"))).starts_with(r#"{"jsonrpc":"2.0","id":"a","error""#));
    }

    proptest! {
        #[test]
        fn mcp112_each_message_is_parsed_or_refused_with_its_id(
            id in "[0-9]{1,3}|\"[a-z]{0,4}\"|null|\\[\\]|-1|1.5",
            rest in "(,\"(jsonrpc|method|params|result|_meta)\":(\"2.0\"|\"ping\"|\\{\\}|\\[\\]|1|null)){0,4}",
            cut in 0_usize..60,
            version in "20[0-9]{2}-[01][0-9]-28|[ -~]{0,6}",
        ) {
            let body = format!("{{\"id\":{id}{rest}}}");
            let body: String = body.chars().take(body.len().saturating_sub(cut / 6)).collect();
            let header = |name: &str| (name == "MCP-Protocol-Version").then(|| version.clone());
            if let Err(refused) = parse(body.as_bytes(), &header) {
                let (given, error) = *refused;
                prop_assert!((400..500).contains(&error.status));
                prop_assert!(given.is_none_or(|given| given.is_string() || given.is_number()));
            }
        }
    }
}
