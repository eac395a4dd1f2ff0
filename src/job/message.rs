//! The messages of the queue, as JSON. A message says what to go on with, and has no state: messages may be lost,
//! repeated, and come in any order.

use serde::{Deserialize, Serialize};

/// A message of the queue. The member `kind` says which one it is, but for the notifications of the bucket, which have
/// none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", try_from = "Members")]
pub enum Message {
    /// A notification of the bucket (<https://developers.cloudflare.com/r2/buckets/event-notifications/>).
    Notification {
        /// The object that was stored.
        object: NotifiedObject,
    },
    /// A load of a file, or a part of it, that is to go on.
    Ingest {
        /// The id of the job.
        job: String,
        /// The number of the part.
        part: Option<usize>,
    },
    /// A submission whose files are to be fetched.
    Submission {
        /// Its id.
        submission: String,
    },
    /// An export, or a part of it, that is to go on.
    Export {
        /// The id of the job.
        job: String,
        /// The number of the part.
        part: Option<usize>,
    },
    /// A message of a kind that this version does not know. A later version has sent it, before a deployment went back.
    Unknown,
}

/// The object of a notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotifiedObject {
    /// The key.
    pub key: String,
}

/// The members of all messages.
#[derive(Deserialize)]
struct Members {
    kind: Option<String>,
    object: Option<NotifiedObject>,
    job: Option<String>,
    part: Option<usize>,
    submission: Option<String>,
}

impl TryFrom<Members> for Message {
    type Error = &'static str;

    fn try_from(Members { kind, object, job, part, submission }: Members) -> Result<Self, Self::Error> {
        // Before 0.1.0 no message had a kind. Its members said what it is, and such messages may still be in a queue
        // when this version is deployed. Members keep their names and types, so that the version before reads those of
        // this one.
        match (kind.as_deref(), object, job, submission) {
            (None | Some("notification"), Some(object), ..) => Ok(Self::Notification { object }),
            (None | Some("ingest"), _, Some(job), _) => Ok(Self::Ingest { job, part }),
            (None | Some("submission"), .., Some(submission)) => Ok(Self::Submission { submission }),
            (Some("export"), _, Some(job), _) => Ok(Self::Export { job, part }),
            (None | Some("notification" | "ingest" | "submission" | "export"), ..) => Err("a message lacks a member"),
            (Some(_), ..) => Ok(Self::Unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(text: Value) -> Option<Message> {
        serde_json::from_value(text).ok()
    }

    fn messages() -> [Message; 4] {
        let job = |part| Message::Ingest { job: "j".to_owned(), part };
        let object = NotifiedObject { key: "k".to_owned() };
        let submission = Message::Submission { submission: "s".to_owned() };
        [job(None), job(Some(3)), submission, Message::Notification { object }]
    }

    #[test]
    fn a_message_says_its_kind() {
        let written = [
            json!({"kind": "ingest", "job": "j", "part": null}),
            json!({"kind": "ingest", "job": "j", "part": 3}),
            json!({"kind": "submission", "submission": "s"}),
            json!({"kind": "notification", "object": {"key": "k"}}),
        ];
        for (message, written) in messages().into_iter().zip(written) {
            assert_eq!(serde_json::to_value(&message).unwrap(), written);
            assert_eq!(read(written), Some(message));
        }
        let export = Message::Export { job: "j".to_owned(), part: Some(3) };
        let written = json!({"kind": "export", "job": "j", "part": 3});
        assert_eq!(serde_json::to_value(&export).unwrap(), written);
        assert_eq!(read(written), Some(export));
        for later in [json!({"kind": "later", "job": "j"}), json!({"kind": "later", "more": {}}), json!({"kind": ""})] {
            assert_eq!(read(later), Some(Message::Unknown));
        }
        for other in [
            json!({"kind": "ingest"}),
            json!({"kind": "submission", "job": "j"}),
            json!({"kind": "export"}),
            json!({"kind": 1, "job": "j"}),
        ] {
            assert_eq!(read(other), None);
        }
    }

    #[test]
    fn a_message_without_a_kind_is_a_notification_or_one_of_the_version_before() {
        let without_kind = [
            json!({"job": "j", "part": null}),
            json!({"job": "j", "part": 3}),
            json!({"submission": "s"}),
            json!({"account": "a", "action": "PutObject", "object": {"key": "k", "size": 1}}),
        ];
        for (message, text) in messages().into_iter().zip(without_kind) {
            assert_eq!(read(text), Some(message));
        }
        assert_eq!(read(json!({"job": "j"})), Some(Message::Ingest { job: "j".to_owned(), part: None }));
        assert_eq!([json!({"object": {}}), json!({}), json!("j")].map(read), [None, None, None]);
    }
}
