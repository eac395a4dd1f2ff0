//! Requests and responses of the runtime. A text from D1 is passed on as the JavaScript string that it is: it never enters
//! wasm. A text from a shelf is in wasm already, as bytes, and leaves it once, with the whole answer.

use std::borrow::Cow;
use std::cell::RefCell;

use js_sys::{Array, Date, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Headers, ReadableStream, ReadableStreamDefaultReader};

use super::ffi::{self, Texts};
use super::text::Text;
use super::turns::settled;
use crate::api::{Call, Class, Method, Moment, Reply};
use crate::fhir::Piece;

#[wasm_bindgen]
extern "C" {
    /// <https://developer.mozilla.org/docs/Web/API/Crypto/getRandomValues>
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues, catch)]
    fn random_values(bytes: &mut [u8]) -> Result<JsValue, JsValue>;
}

/// The headers that most requests are asked for: they come with the method and the target.
const LOOKED_AT: [&str; 5] = ["Authorization", "Accept", "Prefer", "X-Request-Id", "CF-Connecting-IP"];

/// What stands for a header that is not there: no value of one has it (RFC 9110, section 5.5), nor a line's end.
const ABSENT: &str = "\0";

/// What a request says first: its method, its scheme, its target (RFC 9112, section 3.2.1), and each of [`LOOKED_AT`], a line
/// each.
pub fn head(request: &web_sys::Request) -> String {
    thread_local! {
        static NAMES: Array = LOOKED_AT.iter().copied().map(JsValue::from).collect();
    }
    NAMES.with(|names| ffi::head(request, names))
}

/// A request of the runtime.
pub struct Incoming<'a> {
    request: web_sys::Request,
    method: &'a str,
    /// Whether it came over plain http: of the scheme in its address the platform vouches.
    pub is_plain: bool,
    target: &'a str,
    /// The values of [`LOOKED_AT`].
    looked_at: [&'a str; LOOKED_AT.len()],
}

impl<'a> Incoming<'a> {
    /// A request of that [`head`].
    pub fn new(request: web_sys::Request, head: &'a str) -> Self {
        let mut lines = head.split('\n');
        let method = lines.next().unwrap_or_default();
        let is_plain = lines.next() != Some("https");
        let target = lines.next().unwrap_or_default();
        let mut looked_at = [ABSENT; LOOKED_AT.len()];
        for value in &mut looked_at {
            *value = lines.next().unwrap_or(ABSENT);
        }
        Self { request, method, is_plain, target, looked_at }
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<Cow<'a, str>> {
        match LOOKED_AT.iter().position(|known| *known == name).and_then(|at| self.looked_at.get(at)) {
            Some(value) => (*value != ABSENT).then_some(Cow::Borrowed(*value)),
            None => self.request.headers().get(name).ok().flatten().map(Cow::Owned),
        }
    }
}

/// Reads a request; `headers` looks one up in it.
///
/// # Errors
/// Where the runtime does not hand it out.
pub async fn call<'a>(
    incoming: &Incoming<'a>,
    headers: &'a dyn Fn(&str) -> Option<Cow<'a, str>>,
) -> worker::Result<Call<'a>> {
    // A fragment never reaches a server.
    let (path, query) = match incoming.target.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (incoming.target, None),
    };
    let random = random()?;
    let method = Method::parse(incoming.method);
    let body = match method {
        Method::Post => body(&incoming.request, headers("Content-Length").as_deref()).await?,
        Method::Get | Method::Head | Method::Options | Method::Other => None,
    };
    Ok(Call { method, path, query, headers, body, moment: Moment { now: (Date::now() * 1_000.0) as i64, random } })
}

/// Random bytes for one call: drawn for many at once, and given out once.
fn random() -> Result<[u8; 32], JsValue> {
    thread_local! {
        static DRAWN: RefCell<Vec<[u8; 32]>> = const { RefCell::new(Vec::new()) };
    }
    DRAWN.with_borrow_mut(|drawn| {
        if let Some(random) = drawn.pop() {
            return Ok(random);
        }
        let mut bytes = [[0; 32]; 64];
        random_values(bytes.as_flattened_mut())?;
        let [random, others @ ..] = bytes;
        drawn.extend(others);
        Ok(random)
    })
}

/// The body, or nothing where it is too long: then no more of it is read, and where its length is told, nothing at all.
async fn body(request: &web_sys::Request, length: Option<&str>) -> worker::Result<Option<Vec<u8>>> {
    let told = length.and_then(|length| length.parse::<usize>().ok());
    if told.is_some_and(|told| told > Call::LONGEST_BODY) {
        return Ok(None);
    }
    Ok(read(request.body(), Call::LONGEST_BODY).await?)
}

/// The bytes of a stream, or nothing where they are more than that: then the rest is not waited for.
///
/// # Errors
/// Where the runtime does not hand them out.
pub async fn read(stream: Option<ReadableStream>, longest: usize) -> Result<Option<Vec<u8>>, JsValue> {
    let mut bytes = Vec::new();
    let Some(stream) = stream else { return Ok(Some(bytes)) };
    let reader: ReadableStreamDefaultReader = stream.get_reader().dyn_into()?;
    loop {
        let chunk = settled(reader.read()).await?;
        if Reflect::get(&chunk, &"done".into())?.is_truthy() {
            return Ok(Some(bytes));
        }
        let chunk = Uint8Array::new(&Reflect::get(&chunk, &"value".into())?);
        if bytes.len() + chunk.length() as usize > longest {
            drop(reader.cancel());
            return Ok(None);
        }
        bytes.extend(chunk.to_vec());
    }
}

thread_local! {
    /// The headers of each class of answers, made once.
    static HEADERS: RefCell<Vec<(Class, Headers)>> = const { RefCell::new(Vec::new()) };
}

/// What every answer of that class begins with.
fn headers_of(class: Class) -> Result<Headers, JsValue> {
    let known = |known: &RefCell<Vec<(Class, Headers)>>| {
        known.borrow().iter().find(|(of, _)| *of == class).map(|(_, headers)| headers.clone())
    };
    if let Some(headers) = HEADERS.with(known) {
        return Ok(headers);
    }
    let headers = Headers::new()?;
    for (name, value) in class.headers() {
        headers.set(name, value)?;
    }
    HEADERS.with(|known| known.borrow_mut().push((class, headers.clone())));
    Ok(headers)
}

/// Makes a response of a reply, and writes the lines of the log about it.
///
/// # Errors
/// Where the runtime does not take it.
pub fn response(reply: Reply<Text>, lines: &[String]) -> worker::Result<web_sys::Response> {
    let Reply { status, class, headers, body } = reply;
    let (mut texts, mut stored) = (Texts::default(), Vec::new());
    for line in lines {
        texts.push(line);
    }
    let in_wasm = |piece: &Piece<Text>| matches!(piece, Piece::Stored(Text::Here(_)));
    let body = if matches!(status, 204 | 303 | 304 | 308) {
        JsValue::NULL
    } else if body.iter().any(in_wasm) {
        Uint8Array::from(bytes(&body).as_slice()).into()
    } else {
        gather(body, &mut texts, &mut stored);
        JsValue::UNDEFINED
    };
    for (name, value) in &headers {
        texts.push(name);
        texts.push(value);
    }
    let of_class = headers_of(class)?;
    Ok(ffi::response(status, &of_class, headers.len(), lines.len(), &body, &texts.all, &texts.lengths, stored)?)
}

/// Tells the stored texts, which are outside of wasm, from those that stand before each and behind the last.
fn gather(pieces: Vec<Piece<Text>>, texts: &mut Texts, stored: &mut Vec<JsValue>) {
    let mut before = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => before.push_str(&text),
            Piece::Comma => before.push(','),
            Piece::Stored(Text::Here(cut)) => before.push_str(&String::from(cut)),
            Piece::Stored(Text::There(text)) => {
                texts.push(&before);
                before.clear();
                stored.push(text.into());
            }
        }
    }
    texts.push(&before);
}

fn bytes(pieces: &[Piece<Text>]) -> Vec<u8> {
    let mut all = Vec::with_capacity(pieces.iter().map(length).sum());
    for piece in pieces {
        match piece {
            Piece::Text(text) => all.extend(text.as_bytes()),
            Piece::Comma => all.push(b','),
            Piece::Stored(Text::Here(cut)) => {
                all.extend(cut.before.as_bytes());
                all.extend(cut.bytes());
                all.extend(cut.after.as_bytes());
            }
            Piece::Stored(Text::There(text)) => all.extend(String::from(text.to_string()).as_bytes()),
        }
    }
    all
}

fn length(piece: &Piece<Text>) -> usize {
    match piece {
        Piece::Text(text) => text.len(),
        Piece::Comma => 1,
        Piece::Stored(Text::Here(cut)) => cut.before.len() + cut.bytes().len() + cut.after.len(),
        Piece::Stored(Text::There(_)) => 0,
    }
}

/// What is answered where nothing can be: the configuration is not right, or the runtime did not do as asked.
///
/// # Errors
/// Where the runtime does not take it.
pub fn unanswered() -> worker::Result<web_sys::Response> {
    let text = "{\"error\":\"the server cannot answer; its log says why\"}".to_owned();
    response(Reply::text(500, Class::Client, text), &[])
}

/// One line for the log: no address, since addresses name patients.
pub fn log(call: &Call<'_>, status: u16, detail: &str) {
    let line = serde_json::json!({"request": call.name(), "status": status, "detail": detail});
    worker::console_error!("{line}");
}
