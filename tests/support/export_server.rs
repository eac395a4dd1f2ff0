//! A small server of exports, with faults. It answers each request with the next answer of a script for its path, and
//! repeats the last one. It uses sockets, since the client is a separate program.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request as received.
#[derive(Debug, Clone, Default)]
pub struct ReceivedRequest {
    /// Method and target.
    pub line: String,
    /// The headers, with names in lower case.
    pub headers: HashMap<String, String>,
    /// The body.
    pub body: String,
}

/// An answer.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers, one line each.
    pub headers: Vec<String>,
    /// The body.
    pub body: Vec<u8>,
    /// The number of bytes of the body after which the connection is cut.
    pub cut: Option<usize>,
    /// The token without which the request is refused.
    pub token: Option<String>,
}

impl Answer {
    /// Makes an answer with a body.
    pub fn new(status: u16, headers: &[&str], body: impl Into<Vec<u8>>) -> Self {
        let headers = headers.iter().map(|header| (*header).to_owned()).collect();
        Self { status, headers, body: body.into(), ..Self::default() }
    }

    /// Makes the answer end after this number of bytes.
    pub fn cut(self, after: usize) -> Self {
        Self { cut: Some(after), ..self }
    }

    /// Makes the answer require this token.
    pub fn needing(self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self }
    }

    /// Returns the bytes that are sent for a request.
    fn written(mut self, asked: &ReceivedRequest) -> Vec<u8> {
        if let Some(token) = &self.token
            && asked.headers.get("authorization") != Some(&format!("Bearer {token}"))
        {
            self = Self::new(401, &[], "{}");
        }
        let mut text =
            format!("HTTP/1.1 {} X\r\nConnection: close\r\nContent-Length: {}\r\n", self.status, self.body.len());
        self.headers.iter().for_each(|header| text.push_str(&format!("{header}\r\n")));
        self.body.truncate(self.cut.unwrap_or(usize::MAX));
        [text.as_bytes(), b"\r\n", &self.body].concat()
    }
}

/// The answers by path, each list beginning with the next answer, and the received requests.
#[derive(Debug, Default)]
struct Script {
    answers: HashMap<String, Vec<Answer>>,
    asked: Vec<ReceivedRequest>,
}

/// A server.
#[derive(Debug, Clone)]
pub struct ExportServer {
    /// The address.
    pub url: String,
    script: Arc<Mutex<Script>>,
}

impl ExportServer {
    /// Starts a server. It ends with the process.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let script = Arc::<Mutex<Script>>::default();
        let shared = Arc::clone(&script);
        std::thread::spawn(move || listener.incoming().for_each(|stream| answer(stream.unwrap(), &shared)));
        Self { url, script }
    }

    /// Sets the answers for requests to a path, which is given after a method: `GET /status`.
    pub fn on(&self, line: &str, answers: impl IntoIterator<Item = Answer>) {
        let answers: Vec<_> = answers.into_iter().collect();
        self.script.lock().unwrap().answers.insert(line.to_owned(), answers);
    }

    /// Returns the requests since the last call.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.script.lock().unwrap().asked)
    }

    /// Returns the methods and paths of the requests since the last call.
    pub fn lines(&self) -> Vec<String> {
        let path = |asked: ReceivedRequest| asked.line.split('?').next().unwrap().to_owned();
        self.asked().into_iter().map(path).collect()
    }
}

fn answer(mut stream: TcpStream, script: &Mutex<Script>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut asked = ReceivedRequest::default();
    let mut line = String::new();
    while reader.read_line(&mut line).unwrap() > 2 {
        match line.trim().split_once(": ") {
            _ if asked.line.is_empty() => line.trim().trim_end_matches(" HTTP/1.1").clone_into(&mut asked.line),
            Some((name, value)) => {
                asked.headers.insert(name.to_lowercase(), value.to_owned());
            }
            None => {}
        }
        line.clear();
    }
    let length = asked.headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    asked.body = String::from_utf8_lossy(&body).into_owned();
    let path = asked.line.split('?').next().unwrap().to_owned();
    let mut script = script.lock().unwrap();
    let answers = script.answers.entry(path).or_default();
    let next = if answers.len() > 1 { Some(answers.remove(0)) } else { answers.first().cloned() };
    let next = next.unwrap_or_else(|| Answer::new(404, &[], "{}"));
    script.asked.push(asked.clone());
    drop(script);
    // The client may have disconnected.
    let _ = stream.write_all(&next.written(&asked));
}
