//! The audit log: one line of JSON for each access to records and each event of an authorization, denied or not. A line
//! has the client, the user, the network, the event, its result, and the patients whose records were disclosed. It
//! never has secrets, tokens, or values of a query other than patients.
//!
//! `edgechart audit` converts the log to FHIR AuditEvents.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::http::call::{Call, network_hash, uuid_of};
use super::http::path::Interaction;
use ::export::ExportedPart;
use ::ingest::ChangedPatients;
use ::ingest::job::LoadedPart;
use fhir::{Id, Micros, Reference, ResourceType, digest, digest_text, instant};
use job::DonePart;
use oauth::{Event, EventContext, Pepper};
use search::{Clause, Join, Query, Subquery};
use smart::Grant;

/// The value of the member `audit`, which marks the lines of the audit log and states their version.
pub const AUDIT: &str = "edgechart/2";

/// The most patients that a line lists. For more patients, it has their number and a digest.
const LISTED: usize = 20;
/// The most patients in a line about a part of a job, which may have several lines. The platform truncates long ones.
const LISTED_OF_PART: usize = 128;

/// The query of a request for records, and the patients whose records are in the answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disclosure {
    /// The patients that the query names, in order without duplicates. `None` if it names none.
    pub requested: Option<Vec<Id>>,
    /// The names of the accepted parameters, without duplicates.
    pub parameters: Vec<String>,
    /// The patients to whom the resources of the answer belong, in order without duplicates.
    pub patients: Vec<Id>,
}

impl Disclosure {
    /// Records the parameters and the patient of an operation.
    pub fn record_operation(&mut self, patient: &Id, parameters: &[(String, String)]) {
        self.record_parameters(parameters);
        self.requested = Some(vec![patient.clone()]);
    }

    /// Adds what another request of the same call disclosed.
    pub fn add(&mut self, other: Self) {
        self.record_names(other.parameters.iter());
        let requested = other.requested.into_iter().flatten();
        requested.for_each(|id| id.put(self.requested.get_or_insert_default()));
        other.patients.into_iter().for_each(|id| id.put(&mut self.patients));
    }

    fn record_parameters(&mut self, parameters: &[(String, String)]) {
        self.record_names(parameters.iter().map(|(name, _)| name));
    }

    fn record_names<'a>(&mut self, names: impl Iterator<Item = &'a String>) {
        for name in names {
            if !self.parameters.contains(name) {
                self.parameters.push(name.clone());
            }
        }
    }

    /// Records the parameters and patients of a query, without parameters that lenient handling ignores.
    pub fn record_query(&mut self, query: &Query) {
        self.record_parameters(&query.parameters);
        if let Some(patients) = query.whose() {
            self.requested = Some(patients.to_vec());
        }
        if query.resource_type == ResourceType::Patient {
            for id in query.all.iter().filter_map(Clause::ids).flatten() {
                id.put(self.requested.get_or_insert_default());
            }
        }
        query.joins.iter().for_each(|join| self.record_join(join));
    }

    /// Records the patients whom a chain or `_has` names.
    fn record_join(&mut self, join: &Join) {
        for Subquery { resource_type, all, joins } in &join.alternatives {
            let is_patient = *resource_type == ResourceType::Patient;
            for clause in all {
                let ids = clause.ids().filter(|_| is_patient).into_iter().flatten().cloned();
                let whose = clause.any.iter().filter(|_| clause.param.name == "patient");
                let whose = whose.filter_map(|criterion| Reference::parse(criterion.reference()?));
                for id in ids.chain(whose.map(|patient| patient.id)) {
                    id.put(self.requested.get_or_insert_default());
                }
            }
            joins.iter().for_each(|join| self.record_join(join));
        }
    }
}

/// An event of the audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditEntry {
    /// The client, the user, the action, and the reason of a refusal.
    pub(super) event: Event,
    /// The requested type.
    pub(super) resource_type: Option<ResourceType>,
    /// The id of the requested resource.
    pub(super) id: Option<Id>,
    /// The job of a sent file, or of an export.
    pub(super) job: Option<String>,
    /// The types of an export, or of one of its files.
    pub(super) types: Vec<String>,
    /// The use of the records of an export, as the client states it.
    pub(super) export_type: Option<&'static str>,
    /// The tool that an assistant called.
    pub(super) tool: Option<&'static str>,
    /// The hash of the receipt that an assistant got.
    pub(super) receipt: Option<String>,
    /// The request and the disclosed patients.
    pub(super) disclosure: Disclosure,
}

/// The events of a call.
#[derive(Debug, Default)]
pub struct Events {
    /// The name of the route. It is empty if no route matches.
    pub route: &'static str,
    /// The request of a client.
    pub audit: Option<AuditEntry>,
    /// The events of a sign-in, with the patients that its pages show.
    pub events: Vec<Event>,
}

impl AuditEntry {
    /// Creates an event that only has a name.
    pub fn new(event: &'static str) -> Self {
        Self { event: Event::done(event, EventContext::default()), ..Self::default() }
    }

    /// Records the client, the user and the patient of a grant.
    pub fn by(&mut self, grant: &Grant) {
        self.event.context = EventContext {
            client: Some(grant.client.clone()),
            user: grant.user.clone(),
            patient: grant.patient.as_ref().map(|id| id.as_str().to_owned()),
            grant: grant.id.clone(),
            ..EventContext::default()
        };
    }

    /// Records the type or the resource of an interaction, and returns the disclosure for adding further data.
    pub fn of(&mut self, interaction: &Interaction) -> &mut Disclosure {
        let (name, resource_type, id) = match interaction {
            Interaction::Read(reference, _) => ("read", Some(reference.resource_type), Some(reference.id.clone())),
            Interaction::Search(wanted) | Interaction::Compartment(_, Some(wanted)) => ("search", Some(*wanted), None),
            Interaction::Everything(_) => ("search", Some(ResourceType::Patient), None),
            Interaction::Summary(id) => ("summary", Some(ResourceType::Patient), id.clone()),
            Interaction::DocRef => ("search", Some(ResourceType::DocumentReference), None),
            Interaction::LastN => ("search", Some(ResourceType::Observation), None),
            Interaction::Compartment(_, None) | Interaction::Types => ("search", None, None),
        };
        self.event.name = name;
        self.resource_type = resource_type;
        self.id = id;
        &mut self.disclosure
    }

    /// Records the `client_id` that an unauthenticated client claims, if it is a possible one.
    pub fn record_claim(&mut self, client: Option<&str>) {
        let plain =
            |id: &&str| id.len() <= 128 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b));
        self.event.context.client = client.filter(plain).map(str::to_owned);
    }

    /// Records the reason of a refusal.
    pub const fn record_refusal(&mut self, why: &'static str) {
        self.event.error = Some(why);
    }

    /// Returns the members of its line that tell of the resources that the request read.
    fn members(&self) -> Vec<Member> {
        let Disclosure { requested, parameters, patients } = &self.disclosure;
        let some = |texts: &[String]| if texts.is_empty() { Value::Null } else { json!(texts) };
        vec![
            ("tool", json!(self.tool)),
            ("receipt", json!(self.receipt)),
            ("job", json!(self.job)),
            ("type", json!(self.resource_type.map(ResourceType::name))),
            ("id", json!(self.id.as_ref().map(Id::as_str))),
            ("types", some(&self.types)),
            ("export_type", json!(self.export_type)),
            ("parameters", some(parameters)),
            ("asked", requested.as_deref().map_or(Value::Null, listed)),
            ("patients", disclosed(patients)),
        ]
    }
}

impl Events {
    /// Begins the event of a client's request, with only a name.
    pub fn begin(&mut self, event: &'static str) -> &mut AuditEntry {
        self.audit.insert(AuditEntry::new(event))
    }

    /// Returns the reason of the first refusal.
    pub fn refusal(&self) -> Option<&'static str> {
        let audit = self.audit.as_ref().and_then(|audit| audit.event.error);
        audit.or_else(|| self.events.iter().find_map(|event| event.error))
    }

    /// Returns the log lines of the events, with the id of the request and the status of its answer.
    pub fn lines(&self, call: &Call<'_>, pepper: &Pepper, request: &str, status: u16) -> Vec<String> {
        let mut lines = Vec::new();
        if self.audit.is_none() && self.events.is_empty() {
            return lines;
        }
        let (time, network) = (call.moment.instant(), network_hash(pepper, &call.address()));
        let line = |event, number, more: Vec<Member>| {
            let of_call = [("request", json!(request)), ("network", json!(network))];
            line(event, (call.moment.event_id(number), status, &time), of_call.into_iter().chain(more))
        };
        lines.extend(self.audit.as_ref().map(|audit| line(&audit.event, 0, audit.members())));
        for (event, number) in self.events.iter().zip(1..) {
            lines.push(line(event, number, vec![("patients", disclosed(&event.patients))]));
        }
        lines
    }
}

/// A member of a line. It is left out if it is null.
type Member = (&'static str, Value);

/// Returns a line of the audit log.
fn line(event: &Event, (id, status, time): (String, u16, &str), more: impl IntoIterator<Item = Member>) -> String {
    let Event { name, context, error, .. } = event;
    let members = [
        ("audit", json!(AUDIT)),
        ("event_id", json!(id)),
        ("status", json!(status)),
        ("time", json!(time)),
        ("event", json!(name)),
        ("client", json!(context.client)),
        ("unknown_client", json!(context.unknown_client)),
        ("user", json!(context.user)),
        ("unknown_user", json!(context.unknown_user)),
        ("launched", json!(context.launched)),
        ("grant", json!(context.grant)),
        ("context", json!(context.patient)),
        ("error", json!(error)),
        ("recipient", json!(context.recipient)),
    ];
    Value::from_iter(members.into_iter().chain(more).filter(|(_, member)| !member.is_null())).to_string()
}

/// Returns the log lines of the changes by a part of a job: events `update` for stored resources, `delete` for deleted.
pub fn lines_of_part(part: &LoadedPart, now: Micros) -> Vec<String> {
    let ChangedPatients { updated, deleted } = &part.details;
    let of = |name, patients| lines_of(name, part, patients, now);
    [of("update", updated), of("delete", deleted)].concat()
}

/// Returns the log lines of a part of an export of listed patients: events `export-part`.
pub fn lines_of_export(part: &ExportedPart, now: Micros) -> Vec<String> {
    lines_of("export-part", part, &part.details, now)
}

/// Returns the log lines of an event of a part of a job. All patients are listed, since nothing else shows whose
/// records they were. Event ids are the same for the same part, so that a repeated part counts once.
fn lines_of<R, D>(
    name: &'static str,
    DonePart { job, client, part, .. }: &DonePart<R, D>,
    patients: &BTreeSet<Id>,
    now: Micros,
) -> Vec<String> {
    let event = Event::done(name, EventContext { client: client.clone(), ..EventContext::default() });
    let time = instant(now);
    let patients: Vec<&str> = patients.iter().map(Id::as_str).collect();
    let line = |(number, patients): (usize, &[&str])| {
        let event_id = uuid_of(digest(format!("{job}/{part}/{name}/{number}")));
        let more = [("request", json!(job)), ("job", json!(job)), ("patients", json!(patients))];
        line(&event, (event_id, 200, &time), more)
    };
    patients.chunks(LISTED_OF_PART).enumerate().map(line).collect()
}

/// Returns the patients of a line, if there are any.
fn disclosed(patients: &[Id]) -> Value {
    if patients.is_empty() { Value::Null } else { listed(patients) }
}

/// Returns the ids of patients or, for more than [`LISTED`], their number and the SHA-256 of the ids, one a line.
fn listed(patients: &[Id]) -> Value {
    if patients.len() <= LISTED {
        return patients.iter().map(Id::as_str).collect();
    }
    let ids: String = patients.iter().flat_map(|patient| [patient.as_str(), "\n"]).collect();
    json!({"count": patients.len(), "sha256": digest_text::<32>(ids)})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, Moment, RequestTarget};
    use search::{Handling, parse};

    #[test]
    fn wr11_changes_of_a_job_name_the_client_and_every_patient() {
        let ids = |count: usize| (0..count).map(|number| Id::parse(&format!("p{number:03}")).unwrap()).collect();
        let details = ChangedPatients { updated: ids(200), deleted: ids(1) };
        let (job, client, report) = ("j".to_owned(), Some("ehr".to_owned()), ::ingest::FileReport::default());
        let mut part = LoadedPart { job, client, part: 2, report, details };
        let texts = lines_of_part(&part, 0);
        let lines: Vec<Value> = texts.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected = [("update", 128), ("update", 72), ("delete", 1)];
        assert_eq!(lines.len(), expected.len());
        for (line, (event, count)) in lines.iter().zip(expected) {
            assert_eq!((&line["event"], &line["client"], &line["job"]), (&event.into(), &"ehr".into(), &"j".into()));
            assert_eq!((line["patients"].as_array().unwrap().len(), &line["status"]), (count, &200.into()));
        }
        let ids_of_lines: BTreeSet<_> = lines.iter().map(|line| line["event_id"].to_string()).collect();
        assert_eq!(ids_of_lines.len(), lines.len());
        let export = ExportedPart {
            job: "e".to_owned(),
            client: Some("etl".to_owned()),
            part: 1,
            report: ::export::ExportReport::default(),
            details: ids(300),
        };
        let exported: Vec<Value> =
            lines_of_export(&export, 0).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let listed: Vec<_> = exported.iter().flat_map(|line| line["patients"].as_array().unwrap()).collect();
        assert_eq!((exported.len(), listed.len(), &exported[2]["event"]), (3, 300, &"export-part".into()));
        assert!(lines_of_part(&part, 9)[0].contains(lines[0]["event_id"].as_str().unwrap()));
        part.details = ChangedPatients::default();
        assert!(lines_of_part(&part, 0).is_empty());
    }

    const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [1; 32] };

    fn line(entry: &AuditEntry) -> Value {
        let address = |name: &str| (name == "CF-Connecting-IP").then(|| "192.0.2.1".into());
        let call =
            Call { method: Method::Get, target: RequestTarget::of("/"), headers: &address, body: None, moment: MOMENT };
        let events = Events { audit: Some(entry.clone()), ..Events::default() };
        let line = events.lines(&call, &Pepper::new(b"test"), "r", 200).pop().unwrap();
        assert!(!line.contains('\n'), "{line}");
        serde_json::from_str(&line).unwrap()
    }

    fn searched(resource_type: ResourceType, parameters: &[(&str, &str)]) -> AuditEntry {
        let mut entry = AuditEntry::new("access");
        let all: Vec<_> = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        entry
            .of(&Interaction::Search(resource_type))
            .record_query(&parse(resource_type, &all, Handling::Lenient, "https://here").unwrap());
        entry
    }

    #[test]
    fn lg02_lg05_a_search_is_logged_with_its_patients_and_the_names_of_its_parameters() {
        let searched_for =
            [("patient", "Patient/b,a"), ("code", "http://loinc.org|4548-4"), ("date", "ge2020"), ("date", "lt2021")];
        let mut entry = searched(ResourceType::Observation, &searched_for);
        entry.disclosure.patients.extend(Id::parse("a"));
        let line = line(&entry);
        assert_eq!((&line["event"], &line["type"]), (&"search".into(), &"Observation".into()));
        assert_eq!((&line["asked"], &line["patients"]), (&json!(["a", "b"]), &json!(["a"])));
        assert_eq!(line["parameters"], json!(["patient", "code", "date"]));
        assert!(!line.to_string().contains("4548") && !line.to_string().contains("2020"));
    }

    #[test]
    fn patients_that_are_searched_by_id_are_recorded() {
        assert_eq!(line(&searched(ResourceType::Patient, &[("_id", "b,a")]))["asked"], json!(["a", "b"]));
        assert!(line(&searched(ResourceType::Patient, &[("name", "Okafor")])).get("asked").is_none());
        assert!(line(&searched(ResourceType::Observation, &[("_id", "o")])).get("asked").is_none());
        let nobody = searched(ResourceType::Observation, &[("patient", "a"), ("patient", "b")]);
        assert_eq!(line(&nobody)["asked"], json!([]));
    }

    #[test]
    fn many_patients_are_a_number_and_a_digest() {
        let mut entry = searched(ResourceType::Patient, &[("gender", "female")]);
        entry.disclosure.patients.extend((10..30).filter_map(|n| Id::parse(&n.to_string())));
        assert_eq!(line(&entry)["patients"].as_array().unwrap().len(), 20);
        entry.disclosure.patients.extend(Id::parse("30"));
        // seq 10 30 | sha256sum
        let digest = "c96c45c262b1f6bace4140dedc338add1cdd60ed9f9b5bca9eae6fffcd0b595f";
        assert_eq!(line(&entry)["patients"], json!({"count": 21, "sha256": digest}));
    }

    #[test]
    fn lg03_a_line_has_an_id_of_its_own_and_the_network_as_a_keyed_hash() {
        let line = line(&AuditEntry::new("login"));
        assert_eq!(line["event_id"], MOMENT.event_id(0));
        assert_ne!(line["event_id"], MOMENT.uuid());
        assert_eq!(line["network"], network_hash(&Pepper::new(b"test"), "192.0.2.1").unwrap());
        assert!(!line.to_string().contains("192.0"));
    }

    #[test]
    fn lg03_the_name_of_a_client_is_plain_or_not_there() {
        let mut entry = AuditEntry::new("token");
        entry.record_claim(Some("a\nb{\"audit\":1}"));
        assert!(line(&entry).get("client").is_none());
    }
}
