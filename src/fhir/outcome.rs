//! OperationOutcome: the answer of the FHIR endpoints to a request that fails
//! (<https://hl7.org/fhir/R4/operationoutcome.html>). `api/problem.rs` has the status of each.

use serde_json::{Value, json};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The request was not answered.
    Error,
    /// It was answered, with something left out.
    Warning,
}

/// The codes of <https://hl7.org/fhir/R4/valueset-issue-type.html> that this API uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueCode {
    /// The request cannot be read: broken encoding, an empty value.
    Structure,
    /// A parameter that must be there is not.
    Required,
    /// A value is not of its parameter's form.
    Value,
    /// A parameter, modifier, type, format or method that is not offered.
    NotSupported,
    /// There is no such resource or route, or none that this token may know of.
    NotFound,
    /// No valid token came with the request.
    Login,
    /// The token's time is over.
    Expired,
    /// The token is good, and does not open this.
    Forbidden,
    /// Part of the answer was left out because the token does not open it.
    Suppressed,
    /// More was asked at once than is answered.
    TooCostly,
    /// The limit on requests was reached.
    Throttled,
    /// The storage did not answer; the same request may succeed later.
    Transient,
    /// A fault of the server.
    Exception,
    /// Something to know, and nothing lost by it.
    Informational,
}

impl IssueCode {
    /// The code as FHIR spells it.
    #[must_use]
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
            Self::Informational => "informational",
        }
    }
}

/// One thing to say about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    /// Whether the request failed by it.
    pub severity: Severity,
    /// What kind of thing it is.
    pub code: IssueCode,
    /// A sentence for people.
    pub text: String,
    /// What a developer wants to know beside it.
    pub diagnostics: Option<String>,
    /// The request parameter that it is about, without the `http.` before it.
    pub parameter: Option<String>,
}

impl Issue {
    /// An error that says `text`.
    #[must_use]
    pub fn error(code: IssueCode, text: impl Into<String>) -> Self {
        Self { severity: Severity::Error, code, text: text.into(), diagnostics: None, parameter: None }
    }

    /// A warning that says `text`.
    #[must_use]
    pub fn warning(code: IssueCode, text: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, text) }
    }

    /// The same about the request parameter of that name.
    #[must_use]
    pub fn about(self, parameter: impl Into<String>) -> Self {
        Self { parameter: Some(parameter.into()), ..self }
    }

    /// The same with a word for developers.
    #[must_use]
    pub fn hint(self, diagnostics: impl Into<String>) -> Self {
        Self { diagnostics: Some(diagnostics.into()), ..self }
    }

    fn to_json(&self) -> Value {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut issue = json!({"severity": severity, "code": self.code.code(), "details": {"text": self.text}});
        if let Some(members) = issue.as_object_mut() {
            if let Some(diagnostics) = &self.diagnostics {
                members.insert("diagnostics".into(), json!(diagnostics));
            }
            if let Some(parameter) = &self.parameter {
                members.insert("expression".into(), json!([format!("http.{}", shortened(parameter))]));
            }
        }
        issue
    }
}

/// A text of the request as a message quotes it: enough of it to recognise it.
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text))
}

fn shortened(text: &str) -> String {
    const ENOUGH: usize = 80;
    if text.chars().nth(ENOUGH).is_none() {
        text.to_owned()
    } else {
        text.chars().take(ENOUGH).chain(['…']).collect()
    }
}

/// The text of an OperationOutcome that holds these issues.
#[must_use]
pub fn outcome(issues: &[Issue]) -> String {
    json!({"resourceType": "OperationOutcome", "issue": issues.iter().map(Issue::to_json).collect::<Vec<_>>()})
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_of_a_request_is_short() {
        assert_eq!(quoted("a"), "\"a\"");
        assert_eq!(quoted(&"é".repeat(81)), format!("\"{}…\"", "é".repeat(80)));
        let issue = Issue::error(IssueCode::NotSupported, "").about("x".repeat(60_000));
        assert!(outcome(&[issue]).len() < 300);
    }

    #[test]
    fn an_issue_names_its_parameter_and_escapes_what_it_quotes() {
        let issue = Issue::error(IssueCode::Value, "\"<b>\" is not a date").about("date").hint("use YYYY-MM-DD");
        assert_eq!(
            outcome(&[issue]),
            r#"{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"value","details":{"text":"\"<b>\" is not a date"},"diagnostics":"use YYYY-MM-DD","expression":["http.date"]}]}"#
        );
    }
}
