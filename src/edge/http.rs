//! Requests and responses of the runtime. A text from a row of D1 is passed on as a JavaScript string and never enters
//! wasm. A text from a chart or a shelf is in wasm, as bytes, and is copied out once, with the whole answer.

use std::borrow::Cow;

use futures_util::StreamExt;
use js_sys::{Array, JsString, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Headers, ReadableStream, Request, Response};
use worker::ByteStream;

use super::bucket::R2;
use super::ffi;
use super::js::object;
use super::text::Text;
use api::{
    Body, Call, HeaderPolicy, Method, Moment, ObjectForm, ObjectPiece, Reply, RequestTarget, Stream, StreamPiece,
};
use fhir::BodyPiece;

#[wasm_bindgen]
extern "C" {
    /// <https://developer.mozilla.org/docs/Web/API/Crypto/getRandomValues>
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues, catch)]
    fn random_values(bytes: &mut [u8]) -> Result<JsValue, JsValue>;
}

/// A request of the runtime. `worker::Request` is not used, because it turns an unknown method into GET.
pub struct IncomingRequest {
    request: Request,
    url: String,
    headers: Headers,
}

impl From<Request> for IncomingRequest {
    fn from(request: Request) -> Self {
        Self { url: request.url(), headers: request.headers(), request }
    }
}

impl IncomingRequest {
    /// Returns whether the request came over plain HTTP. The platform sets the scheme of its address.
    pub fn is_plain(&self) -> bool {
        !self.url.starts_with("https:")
    }

    /// Returns the value of a header. For `Accept-Encoding`, it is the caller's value, which the platform replaces.
    pub fn header(&self, name: &str) -> Option<Cow<'static, str>> {
        if name == "Accept-Encoding"
            && let Some(of_caller) = self.cf_text("clientAcceptEncoding")
        {
            return Some(Cow::Owned(of_caller));
        }
        self.headers.get(name).ok().flatten().map(Cow::Owned)
    }

    /// Returns a text that the platform adds to the request
    /// (<https://developers.cloudflare.com/workers/runtime-apis/request/#incomingrequestcfproperties>).
    fn cf_text(&self, name: &str) -> Option<String> {
        let cf = Reflect::get(&self.request, &"cf".into()).ok().filter(JsValue::is_object)?;
        Reflect::get(&cf, &name.into()).ok()?.as_string()
    }

    pub fn target(&self) -> RequestTarget<'_> {
        let after_scheme = self.url.split_once("://").map_or("", |(_, rest)| rest);
        RequestTarget::of(after_scheme.find('/').and_then(|at| after_scheme.get(at..)).unwrap_or("/"))
    }

    /// Reads the request at a moment. `headers` looks up a header.
    ///
    /// # Errors
    /// If the runtime does not return the body.
    pub async fn call<'a>(
        &'a self,
        target: RequestTarget<'a>,
        headers: &'a dyn Fn(&str) -> Option<Cow<'a, str>>,
        moment: Moment,
    ) -> worker::Result<Call<'a>> {
        let method = Method::parse(&self.request.method());
        let body = match (method, target.route.map_or(Body::None, |route| route.body)) {
            (Method::Post, Body::UpTo(longest)) => self.body(longest).await?,
            (_, Body::None | Body::Stream)
            | (Method::Get | Method::Head | Method::Delete | Method::Options | Method::Other, _) => None,
        };
        Ok(Call { method, target, headers, body, moment })
    }

    /// Returns the body as a stream.
    pub fn stream(&self) -> Option<ReadableStream> {
        self.request.body()
    }

    /// Reads the body. Returns `None` if it is longer than `longest` bytes, without reading the rest. If the body
    /// declares its length, none of it is read.
    async fn body(&self, longest: usize) -> worker::Result<Option<Vec<u8>>> {
        let declared = self.header("Content-Length").and_then(|length| length.parse::<usize>().ok());
        if declared.is_some_and(|length| length > longest) {
            return Ok(None);
        }
        match self.request.body() {
            Some(stream) => read(stream.into(), longest).await,
            None => Ok(Some(Vec::new())),
        }
    }
}

/// Returns random bytes.
///
/// # Errors
/// If the platform has none.
pub fn random() -> Result<[u8; 32], JsValue> {
    let mut random = [0; 32];
    random_values(&mut random).map(|_| random)
}

/// Returns the length of the body of a reply: in bytes, or, for texts of rows, in UTF-16 code units.
pub fn length_of(reply: &Reply<Text>) -> u64 {
    let pieces = reply.body.iter().map(|piece| length(piece) as u64).sum::<u64>();
    pieces + reply.stream.as_ref().map_or(0, Stream::length)
}

/// Reads a stream. Returns `None` if it is longer than `longest` bytes, without waiting for the rest.
///
/// # Errors
/// If the stream fails.
pub async fn read(mut stream: ByteStream, longest: usize) -> worker::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk?;
        if bytes.len() + chunk.len() > longest {
            return Ok(None);
        }
        bytes.extend(chunk);
    }
    Ok(Some(bytes))
}

/// Converts a reply to a response. A stream is read from the bucket of files.
///
/// # Errors
/// If the runtime refuses a part of it, or there is no bucket.
pub fn response(reply: Reply<Text>, files: Option<&R2>) -> worker::Result<Response> {
    let Reply { status, policy, headers: own, body, stream, .. } = reply;
    let headers = Headers::new()?;
    for (name, value) in policy.headers() {
        headers.set(name, value)?;
    }
    for (name, value) in &own {
        match *name {
            "Set-Cookie" => headers.append(name, value)?,
            _ => headers.set(name, value)?,
        }
    }
    if matches!(status, 204 | 303 | 304 | 308) {
        headers.delete("Content-Type")?;
        return Ok(ffi::response(&JsValue::NULL, status, &headers)?);
    }
    if let Some(stream) = stream {
        let is_of_bucket = stream.pieces.iter().any(|piece| matches!(piece, StreamPiece::Object(_)));
        if files.is_none() && is_of_bucket {
            return Err(worker::Error::RustError("there is no binding FILES".to_owned()));
        }
        let bucket = files.map_or(JsValue::NULL, |R2(bucket)| bucket.as_ref().clone());
        let pieces = stream.pieces.iter().map(js_piece).collect::<Result<Array, _>>()?;
        return Ok(ffi::streamed(&bucket, &pieces, stream.length() as f64, status, &headers)?);
    }
    // A response to HEAD has the length of a body, but no body.
    let has_length = own.iter().any(|(name, _)| *name == "Content-Length");
    let body = if has_length { JsValue::NULL } else { js_body(body) };
    Ok(ffi::response(&body, status, &headers)?)
}

fn js_piece(piece: &StreamPiece) -> Result<JsValue, JsValue> {
    let number = |number: u64| JsValue::from(number as f64);
    let (form, part, mut members) = match piece {
        StreamPiece::Bytes(bytes) => {
            let bytes = Uint8Array::from(bytes.as_slice());
            ("bytes", 0..u64::from(bytes.length()), vec![("bytes", bytes.into())])
        }
        StreamPiece::Object(ObjectPiece { key, range, form }) => {
            let length = range.end.saturating_sub(range.start);
            let (form, part) = match form {
                ObjectForm::Plain => ("plain", 0..length),
                ObjectForm::Base64 => ("base64", 0..length.div_ceil(3) * 4),
                ObjectForm::Base64Part(part) => ("base64", part.clone()),
                ObjectForm::Inflated(part) => ("inflated", part.clone()),
            };
            let place = [("offset", number(range.start)), ("length", number(length))];
            (form, part, [vec![("key", key.as_str().into())], place.to_vec()].concat())
        }
    };
    members.extend([("form", form.into()), ("from", number(part.start)), ("to", number(part.end))]);
    object(&members).map(JsValue::from)
}

/// Joins the pieces to a string, or to bytes if one of the pieces is in wasm.
fn js_body(pieces: Vec<BodyPiece<Text>>) -> JsValue {
    if pieces.iter().any(|piece| matches!(piece, BodyPiece::Stored(Text::Wasm(_)))) {
        return Uint8Array::from(bytes(&pieces).as_slice()).into();
    }
    let mut body = JsString::from("");
    for piece in pieces {
        body = match piece {
            BodyPiece::Text(text) => body.concat(&text.into()),
            BodyPiece::Comma => body.concat(&",".into()),
            BodyPiece::Stored(Text::Js(text)) => body.concat(&text),
            BodyPiece::Stored(Text::Wasm(slice)) => body.concat(&String::from(slice).into()),
        };
    }
    body.into()
}

fn bytes(pieces: &[BodyPiece<Text>]) -> Vec<u8> {
    let mut all = Vec::with_capacity(pieces.iter().map(length).sum());
    for piece in pieces {
        match piece {
            BodyPiece::Text(text) => all.extend(text.as_bytes()),
            BodyPiece::Comma => all.push(b','),
            BodyPiece::Stored(Text::Wasm(slice)) => {
                all.extend(slice.before.as_bytes());
                all.extend(slice.bytes());
                all.extend(slice.after.as_bytes());
            }
            BodyPiece::Stored(Text::Js(text)) => all.extend(String::from(text.to_string()).as_bytes()),
        }
    }
    all
}

fn length(piece: &BodyPiece<Text>) -> usize {
    match piece {
        BodyPiece::Text(text) => text.len(),
        BodyPiece::Comma => 1,
        BodyPiece::Stored(Text::Wasm(slice)) => slice.before.len() + slice.bytes().len() + slice.after.len(),
        BodyPiece::Stored(Text::Js(text)) => text.unchecked_ref::<JsString>().length() as usize,
    }
}

/// Returns the response if the configuration is wrong, or the runtime has failed.
///
/// # Errors
/// If the runtime refuses the response.
pub fn failure_response() -> worker::Result<Response> {
    let text = "{\"error\":\"the server cannot answer; its log says why\"}".to_owned();
    response(Reply::text(500, HeaderPolicy::UncachedJson, text), None)
}

/// Writes a line about a fault to the log. The line has the route and no address, because addresses name patients.
pub fn log(call: &Call<'_>, route: &'static str, status: u16, detail: &str) {
    let request = call.request_id();
    let line =
        serde_json::json!({"event": "fault", "request": request, "route": route, "status": status, "detail": detail});
    worker::console_error!("{line}");
}
