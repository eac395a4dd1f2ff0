//! The audit log as FHIR AuditEvents (<https://hl7.org/fhir/R4/auditevent.html>; the patterns are those of IHE's Basic Audit
//! Log Patterns).

use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::AUDIT;

/// A line of the log, as `api/audit.rs` writes it.
#[derive(Deserialize)]
struct Line {
    audit: String,
    time: String,
    request: String,
    event: String,
    status: u16,
    client: Option<String>,
    user: Option<String>,
    patient: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    id: Option<String>,
    #[serde(default)]
    parameters: Vec<String>,
    error: Option<String>,
}

/// The AuditEvents in a line of a log: of the audit itself, or of what `wrangler tail --format json` and Logpush make of it.
/// Other lines have none.
#[must_use]
pub fn audit_events(line: &str) -> Vec<Value> {
    let Ok(value) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    if let Some(event) = event_of(line) {
        return vec![event];
    }
    let logs = ["logs", "Logs"].into_iter().find_map(|name| value.get(name)?.as_array());
    let messages = logs.into_iter().flatten().filter_map(|log| log.get("message").or_else(|| log.get("Message")));
    let texts = messages.flat_map(|message| match message.as_array() {
        Some(parts) => parts.iter().filter_map(Value::as_str).collect::<Vec<_>>(),
        None => message.as_str().into_iter().collect(),
    });
    texts.filter_map(event_of).collect()
}

fn event_of(line: &str) -> Option<Value> {
    let line: Line = serde_json::from_str(line).ok()?;
    (line.audit == AUDIT).then(|| line.event())
}

fn coded(system: &str, code: &str, display: &str) -> Value {
    json!({"system": system, "code": code, "display": display})
}

const DICOM: &str = "http://dicom.nema.org/resources/ontology/DCM";
const ENTITY: &str = "http://terminology.hl7.org/CodeSystem/audit-entity-type";
const ROLE: &str = "http://terminology.hl7.org/CodeSystem/object-role";

impl Line {
    fn event(self) -> Value {
        let (kind, subtype, action) = match self.event.as_str() {
            "read" => (rest(), coded("http://hl7.org/fhir/restful-interaction", "read", "read"), "R"),
            "search" => (rest(), coded("http://hl7.org/fhir/restful-interaction", "search-type", "search"), "E"),
            "access" => (rest(), json!({"display": "access"}), "E"),
            "login" => (security("110114", "User Authentication"), coded(DICOM, "110122", "Login"), "E"),
            "sign-out" => (security("110114", "User Authentication"), coded(DICOM, "110123", "Logout"), "E"),
            other => (security("110113", "Security Alert"), json!({"display": other}), "E"),
        };
        let outcome = match self.status / 100 {
            0..=3 => "0",
            4 => "4",
            _ => "8",
        };
        let mut event = json!({
            "resourceType": "AuditEvent",
            "id": self.request,
            "type": kind,
            "subtype": [subtype],
            "action": action,
            "recorded": self.time,
            "outcome": outcome,
            "agent": self.agents(),
            "source": {"observer": {"display": "edgechart"}},
            "entity": self.entities(),
        });
        if let (Some(error), Some(members)) = (self.error, event.as_object_mut()) {
            members.insert("outcomeDesc".to_owned(), error.into());
        }
        event
    }

    fn agents(&self) -> Vec<Value> {
        let agent = |role: Value, who: &str, requestor: bool| json!({"type": {"coding": [role]}, "who": {"identifier": {"value": who}}, "requestor": requestor});
        let client = self.client.as_deref().unwrap_or("unknown");
        let mut agents = vec![agent(coded(DICOM, "110153", "Source Role ID"), client, self.user.is_none())];
        let recipient =
            coded("http://terminology.hl7.org/CodeSystem/v3-ParticipationType", "IRCP", "information recipient");
        agents.extend(self.user.as_deref().map(|user| agent(recipient, user, true)));
        agents
    }

    fn entities(&self) -> Vec<Value> {
        let mut entities = Vec::new();
        if let Some(patient) = &self.patient {
            entities.push(json!({
                "what": {"reference": format!("Patient/{patient}")},
                "type": coded(ENTITY, "1", "Person"),
                "role": coded(ROLE, "1", "Patient"),
            }));
        }
        match (&self.kind, &self.id) {
            (Some(kind), Some(id)) => entities.push(json!({
                "what": {"reference": format!("{kind}/{id}")},
                "type": coded(ENTITY, "2", "System Object"),
                "role": coded(ROLE, "4", "Domain Resource"),
            })),
            // Only the names: the values would tell more than an audit needs.
            (Some(kind), None) => entities.push(json!({
                "type": coded(ENTITY, "2", "System Object"),
                "role": coded(ROLE, "24", "Query"),
                "description": format!("{kind}?{}", self.parameters.join("&")),
            })),
            (None, _) => {}
        }
        entities.push(json!({
            "what": {"identifier": {"value": self.request}},
            "type": coded("https://profiles.ihe.net/ITI/BALP/CodeSystem/BasicAuditEntityType", "XrequestId", "X-Request-Id"),
        }));
        entities
    }
}

fn rest() -> Value {
    coded("http://terminology.hl7.org/CodeSystem/audit-event-type", "rest", "RESTful Operation")
}

fn security(code: &str, display: &str) -> Value {
    coded(DICOM, code, display)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"audit":"edgechart/1","time":"2027-01-15T08:00:00.123Z","request":"r-1","event":"search","status":401,"client":"app","user":"amara","patient":"a","type":"Observation","parameters":["patient","code"],"error":"insufficient_scope"}"#;

    #[test]
    fn a_line_becomes_an_audit_event() {
        let events = audit_events(LINE);
        let event = &events[0];
        assert_eq!((&event["recorded"], &event["outcome"]), (&"2027-01-15T08:00:00.123Z".into(), &"4".into()));
        assert_eq!(event["agent"].as_array().unwrap().len(), 2);
        assert_eq!(event["agent"][1]["who"]["identifier"]["value"], "amara");
        assert_eq!(event["entity"][0]["what"]["reference"], "Patient/a");
        assert_eq!(event["entity"][1]["description"], "Observation?patient&code");
        assert_eq!(event["outcomeDesc"], "insufficient_scope");
    }

    #[test]
    fn lines_are_found_where_the_platform_wraps_them_and_others_are_left_alone() {
        let tail = json!({"outcome": "ok", "logs": [{"level": "log", "message": [LINE]}, {"message": ["hello"]}]});
        assert_eq!(audit_events(&tail.to_string()), audit_events(LINE));
        for other in ["", "hello", "{}", "[]", r#"{"request":"r","status":500,"detail":"x"}"#] {
            assert!(audit_events(other).is_empty(), "{other}");
        }
    }
}
