//! The messages of the queue, as JSON. A message names the job to continue, and carries no state: messages may be lost,
//! repeated, and arrive in any order.

use serde::{Deserialize, Serialize};

/// A message of the queue. Its member `kind` names the variant; only the notifications of the bucket have no `kind`.
/// Each version reads the messages of the previous version: members keep their names and types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", try_from = "Members")]
pub enum Message {
    /// A notification of the bucket (<https://developers.cloudflare.com/r2/buckets/event-notifications/>).
    Notification {
        /// The object that was stored.
        object: NotifiedObject,
    },
    /// A load of a file, or a part of it, that is to be continued.
    Ingest {
        /// The id of the job.
        job: String,
        /// The number of the part.
        part: Option<usize>,
    },
    /// An export, or a part of it, that is to be continued.
    Export {
        /// The id of the job.
        job: String,
        /// The number of the part.
        part: Option<usize>,
    },
    /// A message of an unknown kind. A later version sent it, before the deployment was rolled back to this version.
    Unknown,
}

/// The object of a notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotifiedObject {
    /// The key.
    pub key: String,
}

#[derive(Deserialize)]
struct Members {
    kind: Option<String>,
    object: Option<NotifiedObject>,
    job: Option<String>,
    part: Option<usize>,
}

impl TryFrom<Members> for Message {
    type Error = &'static str;

    fn try_from(Members { kind, object, job, part }: Members) -> Result<Self, Self::Error> {
        match (kind.as_deref(), object, job) {
            (None | Some("notification"), Some(object), _) => Ok(Self::Notification { object }),
            (Some("ingest"), _, Some(job)) => Ok(Self::Ingest { job, part }),
            (Some("export"), _, Some(job)) => Ok(Self::Export { job, part }),
            (None | Some("notification" | "ingest" | "export"), ..) => Err("a message lacks a member"),
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

    #[test]
    fn a_message_says_its_kind() {
        let object = || NotifiedObject { key: "k".to_owned() };
        for (message, written) in [
            (Message::Ingest { job: "j".to_owned(), part: None }, json!({"kind": "ingest", "job": "j", "part": null})),
            (Message::Ingest { job: "j".to_owned(), part: Some(3) }, json!({"kind": "ingest", "job": "j", "part": 3})),
            (Message::Export { job: "j".to_owned(), part: Some(3) }, json!({"kind": "export", "job": "j", "part": 3})),
            (Message::Notification { object: object() }, json!({"kind": "notification", "object": {"key": "k"}})),
        ] {
            assert_eq!(serde_json::to_value(&message).unwrap(), written);
            assert_eq!(read(written), Some(message));
        }
        let of_bucket = json!({"account": "a", "action": "PutObject", "object": {"key": "k", "size": 1}});
        assert_eq!(read(of_bucket), Some(Message::Notification { object: object() }));
        for later in [json!({"kind": "later", "job": "j"}), json!({"kind": "later", "more": {}}), json!({"kind": ""})] {
            assert_eq!(read(later), Some(Message::Unknown));
        }
        for other in [
            json!({"kind": "ingest"}),
            json!({"kind": "export"}),
            json!({"kind": 1, "job": "j"}),
            json!({"job": "j"}),
            json!({"object": {}}),
            json!({}),
            json!("j"),
        ] {
            assert_eq!(read(other), None);
        }
    }
}
