//! Errors of the FHIR endpoints, each with its status, OperationOutcome and headers. Errors of OAuth are in
//! `oauth/error.rs`.

use super::reply::{HeaderPolicy, Reply};
use fhir::{Issue, IssueCode, ResourceType, outcome, splice};
use oauth::TokenFault;
use search::registry::presence;
use smart::Denied;
use store::StoreError;

/// An error of a FHIR endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The request has no token in its `Authorization` header.
    NoToken,
    /// The token is not valid.
    Token(TokenFault),
    /// The authorization of the token was revoked.
    Revoked,
    /// The grant does not permit the request.
    Denied(Denied),
    /// The request is malformed, or needs something that is not supported.
    Bad(Vec<Issue>),
    /// There is no such resource, or the grant does not open it.
    NotFound,
    /// There is no route with this path.
    NoRoute,
    /// The path requests a history. The stores only keep the current version of each resource.
    NoHistory,
    /// The path is the FHIR base itself, which has no interaction.
    Base,
    /// The route does not accept this method. The text lists the accepted ones.
    Method(&'static str),
    /// The requested format is not offered.
    NotAcceptable,
    /// The type of the body is not supported. The text lists the supported ones.
    MediaType(&'static str),
    /// The body is too long.
    TooLong,
    /// The length of the body is not declared.
    NoLength,
    /// The grant does not permit something other than a read of a resource.
    MayNot {
        /// The action, as in "the token does not permit …".
        what: &'static str,
        /// The scope that would permit it.
        scope: &'static str,
    },
    /// The token lacks a scope that its client could get. The text has all scopes to request. Only `/mcp` answers so.
    StepUp(String),
    /// The network or the client has reached its limit.
    TooManyRequests {
        /// The seconds after which the next request is admitted.
        wait: i64,
    },
    /// The store did not answer. The text is for the log.
    Storage(String),
    /// The jobs of files did not answer. The text is for the log.
    Jobs(String),
    /// The exports did not answer. The text is for the log.
    Exports(String),
    /// The Worker that writes summaries did not answer. The text is for the log.
    Reading(String),
    /// An export has failed. The text is for the client.
    ExportFailed(String),
    /// The content has this length, but none of the requested bytes.
    NoRange(u64),
    /// The auth store did not report whether the grant is active. The text is for the log.
    GrantStatus(String),
    /// A fault of the server. The text is for the log.
    Fault(String),
}

/// The challenge of `WWW-Authenticate` (RFC 6750, section 3).
pub const REALM: &str = "Bearer realm=\"fhir\"";

/// The seconds after which a request may be tried again if a database does not answer. It may be busy with a move of
/// charts, or with an SQL file.
const SOON: &str = "5";

impl From<Issue> for Problem {
    fn from(issue: Issue) -> Self {
        Self::Bad(vec![issue])
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        Self::Denied(denied)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Revoked => Self::Revoked,
            StoreError::TooCostly => {
                let text =
                    "This would read more of the records than one request may; say of which patient, or ask for less.";
                Self::from(Issue::error(IssueCode::TooCostly, text))
            }
            StoreError::NotIndexed(param) => {
                let name = if presence(param.base) == Some(param) { ":missing" } else { param.name };
                let text = format!(
                    "The stored {} resources are not indexed by \"{name}\": they were loaded before this was added.",
                    param.base
                );
                let hint = "an operator can run edgechart reindex --index, with the names in INDEX and GUIDES";
                Self::from(Issue::error(IssueCode::NotSupported, text).hint(hint))
            }
            StoreError::Unavailable(detail) | StoreError::Damaged(detail) => Self::Storage(detail),
            StoreError::GrantStatus(detail) => Self::GrantStatus(detail),
        }
    }
}

impl Problem {
    /// Returns the text for the log, which the answer leaves out.
    pub fn detail(&self) -> Option<&str> {
        if let Self::Storage(detail)
        | Self::Jobs(detail)
        | Self::Exports(detail)
        | Self::Reading(detail)
        | Self::GrantStatus(detail)
        | Self::Fault(detail) = self
        {
            return Some(detail);
        }
        None
    }

    /// Returns the text of the OperationOutcome.
    pub fn outcome(&self) -> String {
        splice(self.reply::<String>().body)
    }

    /// Returns the name of the problem in the audit log. `None` if the status is sufficient.
    pub const fn name(&self) -> Option<&'static str> {
        match self {
            Self::NoToken => Some("no_token"),
            Self::Token(TokenFault::Invalid(_)) => Some("invalid_token"),
            Self::Token(TokenFault::Expired) => Some("expired_token"),
            Self::TooManyRequests { .. } => Some("throttled"),
            Self::Revoked => Some("revoked"),
            Self::Denied(Denied::Scope { .. } | Denied::Patient { .. }) | Self::MayNot { .. } | Self::StepUp(_) => {
                Some("insufficient_scope")
            }
            Self::Storage(_)
            | Self::Jobs(_)
            | Self::Exports(_)
            | Self::Reading(_)
            | Self::GrantStatus(_)
            | Self::Fault(_) => Some("fault"),
            Self::Denied(Denied::Whose(_) | Denied::Join(_))
            | Self::Bad(_)
            | Self::NotFound
            | Self::NoRoute
            | Self::NoHistory
            | Self::Base
            | Self::Method(_)
            | Self::NotAcceptable
            | Self::MediaType(_)
            | Self::TooLong
            | Self::ExportFailed(_)
            | Self::NoRange(_)
            | Self::NoLength => None,
        }
    }

    /// Returns the answer: status, headers and OperationOutcome.
    pub fn reply<B>(&self) -> Reply<B> {
        let error = Issue::error;
        match self {
            Self::NoToken => unauthorized(
                "",
                error(IssueCode::Login, "This needs an access token, and none came.")
                    .hint("Authorization: Bearer <access_token>"),
            ),
            Self::Token(TokenFault::Invalid(reason)) => unauthorized(
                ", error=\"invalid_token\"",
                error(IssueCode::Login, "The access token is invalid.").hint(*reason),
            ),
            Self::Token(TokenFault::Expired) => unauthorized(
                ", error=\"invalid_token\", error_description=\"expired\"",
                error(IssueCode::Expired, "The access token has expired."),
            ),
            Self::Revoked => unauthorized(
                ", error=\"invalid_token\", error_description=\"revoked\"",
                error(IssueCode::Login, "The authorization behind the access token has ended."),
            ),
            Self::Denied(denied) => denial_reply(denied),
            Self::Bad(issues) => outcome_reply(400, issues),
            Self::NotFound => outcome_reply(404, &[error(IssueCode::NotFound, "There is no such resource.")]),
            Self::NoRoute => {
                let names: Vec<_> = ResourceType::served().iter().map(|resource_type| resource_type.name()).collect();
                let issue = error(IssueCode::NotSupported, "no Route matched with those values");
                outcome_reply(
                    404,
                    &[issue.hint(format!("/<Type>, /<Type>/<id>, /<Type>/_search with one of: {}", names.join(", ")))],
                )
            }
            Self::NoHistory => {
                let text = "Only the current version of a resource is kept, so there is no history.";
                outcome_reply(
                    404,
                    &[error(IssueCode::NotSupported, text).hint("/<Type>/<id>, /<Type>/<id>/_history/<its version>")],
                )
            }
            Self::Base => {
                let text = "This is the base address of the FHIR API; resources are at the addresses below it.";
                outcome_reply(
                    404,
                    &[error(IssueCode::NotSupported, text)
                        .hint("/metadata, /<Type>?<parameters>, /<Type>/<id>, ?_type=<Types>&<parameters>")],
                )
            }
            Self::Method(allow) => {
                let issue =
                    error(IssueCode::NotSupported, "This API only reads; the address does not take that method.");
                outcome_reply(405, &[issue]).with("Allow", *allow)
            }
            Self::NotAcceptable => {
                let issue = error(IssueCode::NotSupported, "Only JSON of FHIR 4.0 is offered.").about("_format");
                outcome_reply(406, &[issue.hint("application/fhir+json, application/json, text/json, json")])
            }
            Self::MediaType(accepted) => {
                let issue = error(IssueCode::NotSupported, "The body has a media type that is not read here.");
                outcome_reply(415, &[issue.hint(*accepted)])
            }
            Self::NoLength => outcome_reply(
                411,
                &[error(IssueCode::Required, "The length of the body is not declared.").hint("Content-Length")],
            ),
            Self::MayNot { what, scope } => {
                let issue = error(IssueCode::Forbidden, &format!("The access token does not permit {what}."));
                let challenge = format!(", error=\"insufficient_scope\", scope=\"{scope}\"");
                unauthorized(&challenge, issue.hint(format!("it would need {scope}")))
            }
            Self::StepUp(_) => {
                let issue = error(IssueCode::Forbidden, "The access token does not open this type of records.");
                outcome_reply(403, &[issue]).with("WWW-Authenticate", format!("{REALM}, error=\"insufficient_scope\""))
            }
            Self::TooLong => outcome_reply(413, &[error(IssueCode::TooCostly, "The body is too long.")]),
            Self::TooManyRequests { wait } => {
                let issue = error(IssueCode::Throttled, "There are too many requests; try again later.");
                outcome_reply(429, &[issue]).with("Retry-After", wait.to_string())
            }
            Self::Storage(_) => outcome_reply(
                500,
                &[error(IssueCode::Transient, "The records did not answer; the same request may succeed later.")],
            ),
            Self::Jobs(_) => unavailable("Files cannot be taken now; the same request may succeed later."),
            Self::Exports(_) => unavailable("The exports do not answer now; the same request may succeed later."),
            Self::ExportFailed(why) => {
                let issue = error(IssueCode::Exception, "The export has failed. None of its files is complete.");
                outcome_reply(500, &[issue.hint(why.as_str())])
            }
            Self::NoRange(length) => {
                let text = format!("The file has {length} bytes; the requested range is outside of it.");
                let issue = error(IssueCode::Value, &text);
                outcome_reply(416, &[issue]).with("Content-Range", format!("bytes */{length}"))
            }
            Self::GrantStatus(_) => unavailable("The server cannot check the access token now; try again."),
            Self::Reading(_) => unavailable("The summary cannot be written now; searches and reads work as before."),
            Self::Fault(_) => outcome_reply(500, &[error(IssueCode::Exception, "The server has failed.")]),
        }
    }
}

fn denial_reply<B>(denied: &Denied) -> Reply<B> {
    let (issue, needed) = match denied {
        Denied::Whose(issue) | Denied::Join(issue) => return outcome_reply(400, std::slice::from_ref(issue)),
        Denied::Scope { resource_type, needed } => {
            (Issue::error(IssueCode::Forbidden, format!("The access token does not open {resource_type}.")), needed)
        }
        Denied::Patient { needed } => {
            let text = "The access token is for another patient.";
            (Issue::error(IssueCode::Forbidden, text).about("patient"), needed)
        }
    };
    let error = format!(", error=\"insufficient_scope\", scope=\"{needed}\"");
    unauthorized(&error, issue.hint(format!("it would need {needed}")))
}

fn unauthorized<B>(error: &str, issue: Issue) -> Reply<B> {
    outcome_reply(401, &[issue]).with("WWW-Authenticate", format!("{REALM}{error}"))
}

/// Returns an answer that states when to try again.
fn unavailable<B>(text: &str) -> Reply<B> {
    outcome_reply(503, &[Issue::error(IssueCode::Transient, text)]).with("Retry-After", SOON)
}

fn outcome_reply<B>(status: u16, issues: &[Issue]) -> Reply<B> {
    Reply::text(status, HeaderPolicy::Fhir, outcome(issues))
}
