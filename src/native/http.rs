//! An HTTP client that runs the program `curl`, since the command line has no TLS implementation. curl reads the
//! headers of a request from a file, which others cannot read, unlike arguments, and the body from its standard input.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{Failure, private};

/// The text that separates curl's messages from the status and the headers that follow them.
const MARK: &str = "\n@@edgechart ";
/// The maximum duration of a request whose response is held in memory, in seconds.
const MAX_LENGTH: &str = "600";
/// The seconds without a byte after which a download counts as interrupted.
const SILENCE: &str = "120";

#[derive(Debug, Clone, Copy, Default)]
pub struct Request<'a> {
    pub address: &'a str,
    /// The headers, one line each.
    pub headers: &'a [String],
    /// The body. A request with a body uses POST by default.
    pub body: Option<&'a [u8]>,
    /// The method if it is neither GET nor POST.
    pub method: Option<&'a str>,
    /// The file that the body of the response is written to. Without a file, the body is held in memory.
    pub output: Option<&'a Path>,
}

/// The response of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    /// The headers. The names are in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body. Empty if it was written to a file.
    pub body: Vec<u8>,
}

impl Response {
    /// Returns the value of a header. The name is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Returns the seconds that the server requests to wait, if it names a number.
    pub fn retry_after(&self) -> Option<u64> {
        self.header("retry-after")?.trim().parse().ok()
    }

    /// Returns whether the server requires another token.
    #[must_use]
    pub const fn is_unauthorized(&self) -> bool {
        self.status == 401
    }

    /// Returns whether the server is too busy, and will answer the same request later.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.status == 429
    }

    /// Returns whether the server has failed. The same request may succeed later.
    #[must_use]
    pub const fn has_failed(&self) -> bool {
        self.status >= 500
    }

    /// Returns the body as JSON, or as a text if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| String::from_utf8_lossy(&self.body).into())
    }
}

/// Encodes a name or a value of a query or a form.
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Sends a request to a server.
///
/// # Errors
/// If there is no answer.
pub fn send(request: Request<'_>) -> Result<Response, Failure> {
    let mut settings = Settings::of(request.address, request.headers);
    if request.body.is_some() {
        settings.set("data-binary", "@-");
    }
    if let Some(method) = request.method {
        settings.set("request", method);
    }
    let mut options = &["--max-time", MAX_LENGTH][..];
    if let Some(file) = request.output {
        settings.set("output", &file.display().to_string());
        options = &["--compressed", "--location", "--max-redirs", "5", "--speed-limit", "1", "--speed-time", SILENCE];
    }
    let output = settings.run(options, request.body.unwrap_or_default())?;
    let (said, head) = head_of(&output.stderr);
    match head {
        Some(head) if output.status.success() => Ok(Response { body: output.stdout, ..head }),
        Some(_) | None => Err(Failure(said)),
    }
}

/// The settings of one run of `curl`.
struct Settings(String);

impl Settings {
    fn of(address: &str, headers: &[String]) -> Self {
        let mut settings = Self(String::new());
        settings.set("url", address);
        headers.iter().for_each(|header| settings.set("header", header));
        // A redirect must not lead to a file of this machine.
        settings.set("proto", "=http,https");
        settings.set("proto-redir", "=http,https");
        settings.line("write-out", &format!("%{{stderr}}{}%{{http_code}} %{{header_json}}", MARK.replace('\n', "\\n")));
        settings
    }

    fn set(&mut self, name: &str, value: &str) {
        // A line break would begin another setting.
        self.line(name, &value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], ""));
    }

    fn line(&mut self, name: &str, quoted: &str) {
        self.0.push_str(&format!("{name} = \"{quoted}\"\n"));
    }

    /// Runs curl with these settings, options and input.
    fn run(&self, options: &[&str], input: &[u8]) -> Result<Output, Failure> {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let name = format!("edgechart-{}-{}.curl", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
        let file = TemporaryFile(std::env::temp_dir().join(name));
        let written = private::create_new(&file.0).and_then(|mut written| written.write_all(self.0.as_bytes()));
        written.map_err(Failure::doing(format!("writing {}", file.0.display())))?;
        let mut child = Command::new("curl")
            .args(["--silent", "--show-error", "--config"])
            .arg(&file.0)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(Failure::doing("starting curl"))?;
        if let Some(mut stdin) = child.stdin.take() {
            // If curl has already ended, its message says why.
            let _ = stdin.write_all(input);
        }
        child.wait_with_output().map_err(Failure::doing("waiting for curl"))
    }
}

/// A file that is removed when the value is dropped.
struct TemporaryFile(PathBuf);

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Returns the message of curl, and the status and headers that follow it.
fn head_of(written: &[u8]) -> (String, Option<Response>) {
    let text = String::from_utf8_lossy(written);
    let Some((said, head)) = text.rsplit_once(MARK) else { return (text.trim().to_owned(), None) };
    let (status, headers) = head.split_once(' ').unwrap_or_default();
    let parsed: Result<BTreeMap<String, Vec<String>>, _> = serde_json::from_str(headers.trim());
    let head = status.parse().ok().filter(|status| *status > 0).zip(parsed.ok()).map(|(status, headers)| {
        let last = |(name, values): (String, Vec<String>)| Some((name.to_lowercase(), values.last()?.clone()));
        Response { status, headers: headers.into_iter().filter_map(last).collect(), body: Vec::new() }
    });
    (said.trim().to_owned(), head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_and_the_headers_are_behind_the_message_of_curl() {
        let written = b"curl: (56) it was cut\n@@edgechart 206 {\"retry-after\":[\"7\"],\n\"etag\":[\"\\\"a\\\"\"]}";
        let (said, head) = head_of(written);
        let head = head.unwrap();
        assert_eq!((said.as_str(), head.status, head.retry_after()), ("curl: (56) it was cut", 206, Some(7)));
        assert_eq!((head.header("etag"), head.header("date")), (Some("\"a\""), None));
        assert_eq!(head_of(b"curl: (7) nobody is there\n@@edgechart 000 {}").1, None);
        assert_eq!(head_of(b"curl: no such option"), ("curl: no such option".to_owned(), None));
    }

    #[test]
    fn a_header_is_one_setting() {
        let settings = Settings::of("http://a.test/\"x", &["A: b\\c\nurl = \"http://b.test".to_owned()]);
        let lines: Vec<_> = settings.0.lines().collect();
        assert_eq!(lines[..2], [r#"url = "http://a.test/\"x""#, r#"header = "A: b\\curl = \"http://b.test""#]);
    }
}
