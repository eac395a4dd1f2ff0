//! OperationOutcome: the answer of the FHIR endpoints to a request that fails
//! (<https://hl7.org/fhir/R4/operationoutcome.html>). The HTTP statuses are in `api/http/problem.rs`.

use std::fmt;

use serde_json::{Value, json};

/// The severity of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The request was refused or failed.
    Error,
    /// The request was answered, but something was left out.
    Warning,
    /// The request was answered as requested.
    Information,
}

/// The codes of <https://hl7.org/fhir/R4/valueset-issue-type.html> that this API uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueCode {
    /// The request cannot be parsed: it has a broken encoding, or an empty value.
    Structure,
    /// A required parameter is missing.
    Required,
    /// A value does not have the form of its parameter.
    Value,
    /// A parameter, modifier, type, format or method is not supported.
    NotSupported,
    /// There is no such resource or route, or the token does not permit knowing whether there is.
    NotFound,
    /// The request has no valid token.
    Login,
    /// The token has expired.
    Expired,
    /// The token is valid, but does not open the requested resources.
    Forbidden,
    /// Part of the answer was left out because the token does not open it.
    Suppressed,
    /// The request needs more than is answered at once.
    TooCostly,
    /// The limit on requests was reached.
    Throttled,
    /// The storage did not answer; the same request may succeed later.
    Transient,
    /// An internal error of the server.
    Exception,
    /// A resource or a file could not be loaded.
    Processing,
    /// Information without consequence.
    Informational,
}

impl IssueCode {
    /// Returns the code in FHIR.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Structure => "structure",
            Self::Required => "required",
            Self::Value => "value",
            Self::NotSupported => "not-supported",
            Self::NotFound => "not-found",
            Self::Login => "login",
            Self::Expired => "expired",
            Self::Forbidden => "forbidden",
            Self::Suppressed => "suppressed",
            Self::TooCostly => "too-costly",
            Self::Throttled => "throttled",
            Self::Transient => "transient",
            Self::Exception => "exception",
            Self::Processing => "processing",
            Self::Informational => "informational",
        }
    }
}

/// An issue of an OperationOutcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// The severity.
    pub severity: Severity,
    /// The code.
    pub code: IssueCode,
    /// A sentence that is shown to people.
    pub text: String,
    /// Details for developers.
    pub diagnostics: Option<String>,
    /// The request parameter that the issue is about, without the prefix `http.`.
    pub parameter: Option<String>,
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Issue {}

impl Issue {
    /// Returns an issue of severity `error`.
    pub fn error(code: IssueCode, text: impl Into<String>) -> Self {
        Self { severity: Severity::Error, code, text: text.into(), diagnostics: None, parameter: None }
    }

    /// Returns an issue of severity `warning`.
    pub fn warning(code: IssueCode, text: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, text) }
    }

    /// Returns an issue of severity `information`.
    pub fn information(code: IssueCode, text: impl Into<String>) -> Self {
        Self { severity: Severity::Information, ..Self::error(code, text) }
    }

    /// Returns the issue with the request parameter that it is about.
    #[must_use]
    pub fn about(self, parameter: impl Into<String>) -> Self {
        Self { parameter: Some(parameter.into()), ..self }
    }

    /// Returns the issue with details for developers.
    #[must_use]
    pub fn hint(self, diagnostics: impl Into<String>) -> Self {
        Self { diagnostics: Some(diagnostics.into()), ..self }
    }

    fn to_json(&self) -> Value {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "information",
        };
        let mut issue = json!({"severity": severity, "code": self.code.code(), "details": {"text": self.text}});
        if let Some(members) = issue.as_object_mut() {
            if let Some(diagnostics) = &self.diagnostics {
                members.insert("diagnostics".into(), json!(diagnostics));
            }
            if let Some(parameter) = &self.parameter {
                members.insert("expression".into(), json!([format!("http.{}", abridged(parameter, ENOUGH))]));
            }
        }
        issue
    }
}

/// Returns a text of the request in quotes, shortened, but long enough to be recognised.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", abridged(text, ENOUGH))
}

/// The most characters of a text of the request.
const ENOUGH: usize = 80;

/// Returns a text, of which at most this many characters are kept.
pub fn abridged(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() { text.to_owned() } else { text.chars().take(most).chain(['…']).collect() }
}

/// Returns the text of an OperationOutcome with these issues.
pub fn outcome(issues: &[Issue]) -> String {
    json!({"resourceType": "OperationOutcome", "issue": issues.iter().map(Issue::to_json).collect::<Vec<_>>()})
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_of_a_request_are_shortened() {
        assert_eq!(quoted("a"), "\"a\"");
        assert_eq!(quoted(&"é".repeat(81)), format!("\"{}…\"", "é".repeat(80)));
        let issue = Issue::error(IssueCode::NotSupported, "").about("x".repeat(60_000));
        assert!(outcome(&[issue]).len() < 300);
    }

    #[test]
    fn an_issue_names_its_parameter_and_escapes_what_it_quotes() {
        let issue = Issue::error(IssueCode::Value, "\"<b>\" is not a date").about("date").hint("use YYYY-MM-DD");
        assert_eq!(issue.to_string(), "\"<b>\" is not a date");
        assert_eq!(
            outcome(&[issue]),
            r#"{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"value","details":{"text":"\"<b>\" is not a date"},"diagnostics":"use YYYY-MM-DD","expression":["http.date"]}]}"#
        );
    }
}
