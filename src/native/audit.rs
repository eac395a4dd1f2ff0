//! The audit log as FHIR AuditEvents (<https://hl7.org/fhir/R4/auditevent.html>), in the patterns of IHE's Basic Audit
//! Log Patterns (<https://profiles.ihe.net/ITI/BALP/>): `PatientRead`, `PatientQuery`, and for tokens ITI-71.

use base64ct::{Base64, Encoding};
use serde::Deserialize;
use serde_json::{Value, json};

use api::AUDIT;
use oauth::GrantType;

/// A line of the log, as `api/audit.rs` writes it.
#[derive(Deserialize)]
pub(super) struct Line {
    audit: String,
    event_id: String,
    pub(super) time: String,
    request: String,
    network: Option<String>,
    pub(super) event: String,
    pub(super) status: u16,
    pub(super) client: Option<String>,
    pub(super) user: Option<String>,
    unknown_user: Option<String>,
    launched: Option<String>,
    pub(super) context: Option<String>,
    job: Option<String>,
    #[serde(rename = "type")]
    resource_type: Option<String>,
    id: Option<String>,
    #[serde(default)]
    types: Vec<String>,
    export_type: Option<String>,
    recipient: Option<String>,
    #[serde(default)]
    parameters: Vec<String>,
    asked: Option<LoggedPatients>,
    pub(super) patients: Option<LoggedPatients>,
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum LoggedPatients {
    Listed(Vec<String>),
    Counted { count: u64, sha256: String },
}

/// Joins the lines of objects that span several lines, as `wrangler tail --format json` writes them. Such an object
/// begins with the line `{` and ends with the line `}`.
#[derive(Debug, Default)]
pub struct LogLines(String);

impl LogLines {
    /// Takes a line. Returns what it completes: an object, or the line itself if it is not part of an object.
    pub fn push(&mut self, line: &str) -> Option<String> {
        let line = line.trim_end();
        if self.0.is_empty() && line != "{" {
            return Some(line.to_owned());
        }
        self.0.push_str(line);
        (line == "}").then(|| std::mem::take(&mut self.0))
    }
}

/// Returns the AuditEvents of a line of a log. A line about several patients gives one event for each patient. `origin`
/// is the address of the server.
pub fn audit_events(line: &str, origin: &str) -> Vec<Value> {
    lines_in(line).iter().flat_map(|line| line.events(origin)).collect()
}

/// Returns the lines of the audit log in a line of a log: of the audit log itself, or of the output of `wrangler tail
/// --format json`, Logpush or a local server, which wrap the audit log. Other lines have none.
pub(super) fn lines_in(line: &str) -> Vec<Line> {
    let Ok(value) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    if let Some(line) = line_of(line) {
        return vec![line];
    }
    let logs = ["logs", "Logs"].into_iter().find_map(|name| value.get(name)?.as_array());
    let of_logs = logs.into_iter().flatten().filter_map(|log| log.get("message").or_else(|| log.get("Message")));
    let messages = of_logs.chain(value.get("message"));
    let texts = messages.flat_map(|message| match message.as_array() {
        Some(parts) => parts.iter().filter_map(Value::as_str).collect::<Vec<_>>(),
        None => message.as_str().into_iter().collect(),
    });
    texts.filter_map(line_of).collect()
}

fn line_of(text: &str) -> Option<Line> {
    serde_json::from_str(text).ok().filter(|line: &Line| line.audit == AUDIT)
}

fn coded(system: &str, code: &str, display: &str) -> Value {
    json!({"system": system, "code": code, "display": display})
}

const DICOM: &str = "http://dicom.nema.org/resources/ontology/DCM";
const ENTITY: &str = "http://terminology.hl7.org/CodeSystem/audit-entity-type";
const ROLE: &str = "http://terminology.hl7.org/CodeSystem/object-role";
const INTERACTION: &str = "http://hl7.org/fhir/restful-interaction";
const BALP: &str = "https://profiles.ihe.net/ITI/BALP/CodeSystem";

impl Line {
    fn events(&self, origin: &str) -> Vec<Value> {
        let patients = self.patients();
        let number = patients.len();
        let event = |(at, patient): (usize, Value)| {
            let id = if number > 1 { format!("{}-{}", self.event_id, at + 1) } else { self.event_id.clone() };
            self.event(&id, patient, origin)
        };
        if patients.is_empty() {
            return vec![self.event(&self.event_id, Value::Null, origin)];
        }
        patients.into_iter().enumerate().map(event).collect()
    }

    /// Returns one entity for each patient: those whose records were in the answer; if there are none, the requested
    /// patients; otherwise the patient in context.
    fn patients(&self) -> Vec<Value> {
        let entity = |what: Value| json!({"what": what, "type": coded(ENTITY, "1", "Person"), "role": coded(ROLE, "1", "Patient")});
        let one = |id: &String| entity(json!({"reference": format!("Patient/{id}")}));
        let entities = |patients: &LoggedPatients| match patients {
            LoggedPatients::Listed(ids) => ids.iter().map(one).collect(),
            LoggedPatients::Counted { count, sha256 } => {
                let mut many = entity(json!({"display": format!("{count} patients")}));
                if let Some(members) = many.as_object_mut() {
                    members.insert("detail".to_owned(), json!([{"type": "sha256", "valueString": sha256}]));
                }
                vec![many]
            }
        };
        let named = |of: &Option<LoggedPatients>, description: Option<&str>| -> Vec<Value> {
            let mut all = of.as_ref().map(entities).unwrap_or_default();
            if let Some(text) = description {
                all.iter_mut().filter_map(Value::as_object_mut).for_each(|entity| {
                    entity.insert("description".to_owned(), text.into());
                });
            }
            all
        };
        let answered = named(&self.patients, None);
        let answered =
            if answered.is_empty() { named(&self.asked, Some("asked for, not in the answer")) } else { answered };
        let context = self.context.as_ref().filter(|_| answered.is_empty() && !self.is_rest());
        answered.into_iter().chain(context.map(one)).collect()
    }

    /// Returns whether the line is about a search, a read or an export.
    fn is_rest(&self) -> bool {
        const OTHERS: [&str; 8] =
            ["read", "search", "summary", "agent", "access", "patients-shown", "update", "delete"];
        OTHERS.contains(&self.event.as_str()) || self.is_export()
    }

    fn is_export(&self) -> bool {
        matches!(self.event.as_str(), "export" | "export-part" | "export-status" | "export-cancel" | "export-file")
    }

    fn event(&self, id: &str, patient: Value, origin: &str) -> Value {
        let rest = coded("http://terminology.hl7.org/CodeSystem/audit-event-type", "rest", "RESTful Operation");
        let authentication = coded(DICOM, "110114", "User Authentication");
        let (category, subtype, action) = match self.event.as_str() {
            "read" => (rest, coded(INTERACTION, "read", "read"), "R"),
            "search" | "patients-shown" => (rest, coded(INTERACTION, "search-type", "search"), "E"),
            "update" => (rest, coded(INTERACTION, "update", "update"), "U"),
            "delete" => (rest, coded(INTERACTION, "delete", "delete"), "D"),
            "access" => (rest, json!({"display": "access"}), "E"),
            // Files are the part of an export that discloses records.
            "export-file" => (rest, coded(INTERACTION, "operation", "operation"), "R"),
            event if matches!(event, "summary" | "agent") || self.is_export() => {
                (rest, coded(INTERACTION, "operation", "operation"), "E")
            }
            "login" => (authentication, coded(DICOM, "110122", "Login"), "E"),
            "sign-out" => (authentication, coded(DICOM, "110123", "Logout"), "E"),
            event if event == "token" || GrantType::ALL.iter().any(|grant_type| grant_type.event() == event) => {
                (authentication, coded("urn:ihe:event-type-code", "ITI-71", "Get Access Token"), "E")
            }
            "consent" => {
                let decision = coded(&format!("{BALP}/AuthZsubType"), "AuthZ-Consent", "Authorization Decision");
                (coded(DICOM, "110113", "Security Alert"), decision, "E")
            }
            other => (coded(DICOM, "110113", "Security Alert"), json!({"display": other}), "E"),
        };
        let outcome = match (self.status / 100, &self.error) {
            (0..=3, None) => "0",
            (0..=4, _) => "4",
            _ => "8",
        };
        let mut entities: Vec<_> = Some(patient).filter(|patient| !patient.is_null()).into_iter().collect();
        entities.extend(self.entities());
        let mut event = json!({
            "resourceType": "AuditEvent",
            "id": id,
            "type": category,
            "subtype": [subtype],
            "action": action,
            "recorded": self.time,
            "outcome": outcome,
            "agent": self.agents(origin),
            "source": {
                "observer": {"display": origin},
                "type": [coded("http://terminology.hl7.org/CodeSystem/security-source-type", "4", "Application Server")],
            },
            "entity": entities,
        });
        if let (Some(error), Some(members)) = (&self.error, event.as_object_mut()) {
            members.insert("outcomeDesc".to_owned(), error.as_str().into());
        }
        event
    }

    /// Returns the client, the server, and the user if there is one. In a search the client is the source, since the
    /// query flows from it to the server; in a read the server is the source.
    fn agents(&self, origin: &str) -> Vec<Value> {
        let source = || coded(DICOM, "110153", "Source Role ID");
        let destination = || coded(DICOM, "110152", "Destination Role ID");
        let (client, server) = match self.event.as_str() {
            "read" | "export-file" => (destination(), source()),
            _ if self.is_rest() => (source(), destination()),
            _ => (
                coded(DICOM, "110150", "Application"),
                coded(&format!("{BALP}/UserAgentTypes"), "AuthzOauthService", "OAuth authorization service"),
            ),
        };
        let user = self.user.as_deref().or(self.unknown_user.as_deref());
        let named = |name: &str| json!({"identifier": {"value": name}});
        let mut asker = json!({
            "type": {"coding": [client]},
            "who": match (&self.client, &self.recipient) {
                // Anybody may say any name of a recipient.
                (None, Some(recipient)) => json!({"display": recipient}),
                (client, _) => named(client.as_deref().unwrap_or("unknown")),
            },
            "requestor": user.is_none(),
        });
        if let (Some(network), Some(members)) = (&self.network, asker.as_object_mut()) {
            members.insert("network".to_owned(), json!({"address": network}));
        }
        let server = json!({
            "type": {"coding": [server]},
            "who": {"display": origin},
            "requestor": false,
            "network": {"address": origin, "type": "5"},
        });
        let recipient =
            coded("http://terminology.hl7.org/CodeSystem/v3-ParticipationType", "IRCP", "information recipient");
        let user = user.map(|user| json!({"type": {"coding": [recipient]}, "who": named(user), "requestor": true}));
        [asker, server].into_iter().chain(user).collect()
    }

    fn entities(&self) -> Vec<Value> {
        let mut entities = Vec::new();
        let resource_type = self.resource_type.as_deref().or((self.event == "patients-shown").then_some("Patient"));
        match (resource_type, &self.id) {
            (Some(resource_type), Some(id)) => entities.push(json!({
                "what": {"reference": format!("{resource_type}/{id}")},
                "type": coded(ENTITY, "2", "System Object"),
                "role": coded(ROLE, "4", "Domain Resource"),
            })),
            // The query names the search parameters. Their values would disclose more than an audit needs.
            (Some(resource_type), None) => {
                let query = format!("{resource_type}?{}", self.parameters.join("&"));
                entities.push(json!({
                    "type": coded(ENTITY, "2", "System Object"),
                    "role": coded(ROLE, "24", "Query"),
                    "description": query,
                    "query": Base64::encode_string(query.as_bytes()),
                }));
            }
            (None, _) => {}
        }
        if !self.types.is_empty() {
            entities.push(json!({
                "type": coded(ENTITY, "2", "System Object"),
                "role": coded(ROLE, "24", "Query"),
                "description": self.types.join(", "),
            }));
        }
        entities.extend(self.export_type.as_ref().map(|export_type| {
            json!({"what": {"identifier": {"value": export_type}}, "type": coded(ENTITY, "2", "System Object"), "description": "the type of the export"})
        }));
        let of = if self.is_export() { "the export" } else { "the job of the file" };
        entities.extend(self.job.as_ref().map(|job| {
            json!({"what": {"identifier": {"value": job}}, "type": coded(ENTITY, "2", "System Object"), "role": coded(ROLE, "20", "Job"), "description": of})
        }));
        entities.extend(self.launched.as_ref().map(|app| {
            json!({"what": {"identifier": {"value": app}}, "type": coded(ENTITY, "2", "System Object"), "description": "the app that is launched"})
        }));
        entities.push(json!({
            "what": {"identifier": {"value": self.request}},
            "type": coded(&format!("{BALP}/BasicAuditEntityType"), "XrequestId", "X-Request-Id"),
        }));
        entities
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "https://chart.example.org";
    const LINE: &str = r#"{"audit":"edgechart/2","event_id":"e-1","status":401,"time":"2027-01-15T08:00:00.123Z","request":"r-1","network":"hash","event":"search","client":"app","user":"amara","context":"a","type":"Observation","parameters":["patient","code"],"asked":["b"],"error":"insufficient_scope"}"#;

    fn events(line: &Value) -> Vec<Value> {
        audit_events(&line.to_string(), ORIGIN)
    }

    fn line(changes: &Value) -> Value {
        let mut line: Value = serde_json::from_str(LINE).unwrap();
        for (name, value) in changes.as_object().unwrap() {
            line[name] = value.clone();
        }
        line
    }

    #[test]
    fn a_line_becomes_an_audit_event() {
        let events = audit_events(LINE, ORIGIN);
        let event = &events[0];
        assert_eq!((&event["recorded"], &event["outcome"]), (&"2027-01-15T08:00:00.123Z".into(), &"4".into()));
        assert_eq!(event["id"], "e-1", "not the caller's name of the request");
        assert_eq!(event["agent"].as_array().unwrap().len(), 3);
        assert_eq!(
            (&event["agent"][0]["network"]["address"], &event["agent"][0]["type"]["coding"][0]["code"]),
            (&"hash".into(), &"110153".into())
        );
        assert_eq!(event["agent"][1]["network"], json!({"address": ORIGIN, "type": "5"}));
        assert_eq!(event["agent"][2]["who"]["identifier"]["value"], "amara");
        assert_eq!(
            (&event["entity"][0]["what"]["reference"], &event["entity"][0]["description"]),
            (&"Patient/b".into(), &"asked for, not in the answer".into())
        );
        assert_eq!(event["entity"][1]["description"], "Observation?patient&code");
        assert_eq!(event["entity"][1]["query"], "T2JzZXJ2YXRpb24/cGF0aWVudCZjb2Rl");
        assert_eq!(event["entity"][2]["what"]["identifier"]["value"], "r-1");
        assert_eq!(event["outcomeDesc"], "insufficient_scope");
    }

    #[test]
    fn a_change_by_a_job_is_an_update_or_a_deletion() {
        let line = |event: &str| {
            json!({"audit": "edgechart/2", "event_id": "e", "status": 200, "time": "2027-01-15T08:00:00.123Z",
                "request": "j", "event": event, "client": "ehr", "job": "j", "patients": ["a", "b"]})
        };
        for (event, action) in [("update", "U"), ("delete", "D")] {
            let events = events(&line(event));
            assert_eq!(events.len(), 2);
            assert_eq!((&events[1]["action"], &events[1]["subtype"][0]["code"]), (&action.into(), &event.into()));
            assert_eq!(events[1]["entity"][0]["what"]["reference"], "Patient/b");
            assert_eq!(events[1]["entity"][1]["role"]["code"], "20");
            assert_eq!(events[1]["agent"][0]["who"]["identifier"]["value"], "ehr");
        }
    }

    #[test]
    fn an_export_and_its_files_are_operations_of_a_client() {
        let line = |event: &str, more: &Value| {
            let mut line = json!({"audit": "edgechart/2", "event_id": "e", "status": 202, "job": "j",
                "time": "2027-01-15T08:00:00.123Z", "request": "r", "event": event, "client": "etl",
                "types": ["Patient", "Observation"]});
            for (name, value) in more.as_object().unwrap() {
                line[name] = value.clone();
            }
            events(&line).remove(0)
        };
        let begun = line("export", &json!({"type": "Group", "id": "all"}));
        assert_eq!((&begun["action"], &begun["subtype"][0]["code"]), (&"E".into(), &"operation".into()));
        assert_eq!(begun["entity"][0]["what"]["reference"], "Group/all");
        assert_eq!(begun["entity"][1]["description"], "Patient, Observation");
        assert_eq!(
            (&begun["entity"][2]["what"]["identifier"]["value"], &begun["entity"][2]["description"]),
            (&"j".into(), &"the export".into())
        );
        assert_eq!(begun["agent"][0]["type"]["coding"][0]["code"], "110153");
        let file = line("export-file", &json!({"status": 200}));
        assert_eq!((&file["action"], &file["agent"][0]["type"]["coding"][0]["code"]), (&"R".into(), &"110152".into()));
        assert!(!file.to_string().contains("Patient/"));
    }

    #[test]
    fn each_patient_of_an_answer_has_an_event() {
        let several = events(&line(&json!({"status": 200, "error": null, "patients": ["b", "c"]})));
        let found: Vec<_> = several
            .iter()
            .map(|event| (event["id"].as_str().unwrap(), event["entity"][0]["what"]["reference"].as_str().unwrap()))
            .collect();
        assert_eq!(found, [("e-1-1", "Patient/b"), ("e-1-2", "Patient/c")]);
        let summary = &events(&line(&json!({"event": "summary", "status": 200, "error": null, "patients": ["a"]})))[0];
        assert_eq!((&summary["type"]["code"], &summary["subtype"][0]["code"]), (&"rest".into(), &"operation".into()));
        assert!(several.iter().all(|event| event["outcome"] == "0"));
        let many = events(&line(&json!({"patients": {"count": 21, "sha256": "d"}})));
        assert_eq!((many.len(), &many[0]["entity"][0]["detail"][0]["valueString"]), (1, &"d".into()));
    }

    #[test]
    fn a_read_flows_from_the_server_and_an_app_hears_of_an_error_in_a_redirect() {
        let read = events(&line(&json!({"event": "read", "id": "o", "patients": ["a"], "status": 304, "error": null})));
        assert_eq!(
            (&read[0]["agent"][0]["type"]["coding"][0]["code"], &read[0]["action"]),
            (&"110152".into(), &"R".into())
        );
        assert_eq!(read[0]["entity"][1]["what"]["reference"], "Observation/o");
        let told = events(&line(&json!({"event": "authorize", "status": 303, "type": null, "asked": null})));
        assert_eq!(
            (&told[0]["outcome"], &told[0]["entity"][0]["what"]["reference"]),
            (&"4".into(), &"Patient/a".into())
        );
    }

    #[test]
    fn objects_over_several_lines_are_read_as_one() {
        let tail = json!({"outcome": "ok", "logs": [{"level": "log", "message": [LINE, "}"]}]});
        let text = format!("hello\n{}\r\n{tail:#}\n{LINE}\n{{}}\n", serde_json::to_string_pretty(&tail).unwrap());
        let mut lines = LogLines::default();
        let whole: Vec<_> = text.lines().filter_map(|line| lines.push(line)).collect();
        let counts: Vec<_> = whole.iter().map(|line| audit_events(line, ORIGIN).len()).collect();
        assert_eq!(counts, [0, 1, 1, 1, 0], "{whole:?}");
    }

    #[test]
    fn lines_in_platform_logs_are_found_and_others_are_skipped() {
        let tail = json!({"outcome": "ok", "logs": [{"level": "log", "message": [LINE]}, {"message": ["hello"]}]});
        assert_eq!(events(&tail), audit_events(LINE, ORIGIN));
        assert_eq!(events(&json!({"level": "info", "message": LINE})), audit_events(LINE, ORIGIN));
        for other in ["", "hello", "{}", "[]", r#"{"request":"r","status":500,"detail":"x"}"#] {
            assert!(audit_events(other, ORIGIN).is_empty(), "{other}");
        }
    }
}
