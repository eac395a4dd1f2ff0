//! The audit log: one line of JSON for each access to records and each event of an authorization, denied or not. A line
//! has the client, the user, the network, the event, its result, and the patients whose records were disclosed. It
//! never has secrets, tokens, or values of a query other than patients.
//!
//! `edgechart audit` converts the log to FHIR AuditEvents.

use std::collections::BTreeSet;

use serde::Serialize;

use super::call::{Call, network_hash, uuid_of};
use super::path::Interaction;
use ::export::ExportedPart;
use ::ingest::ChangedPatients;
use ::ingest::job::LoadedPart;
use fhir::{Id, Micros, Reference, ResourceType, digest, digest_text, instant, json};
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    event: Event,
    resource_type: Option<ResourceType>,
    id: Option<Id>,
    /// The job of a sent file, or of an export.
    job: Option<String>,
    /// The types of an export, or of one of its files.
    types: Vec<String>,
    /// The use of the records of an export, as the client states it.
    export_type: Option<&'static str>,
    /// The tool that an assistant called.
    tool: Option<&'static str>,
    /// The hash of the receipt that an assistant got.
    receipt: Option<String>,
    disclosure: Disclosure,
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
    #[must_use]
    pub fn new(event: &'static str) -> Self {
        let event = Event::done(event, EventContext::default());
        let disclosure = Disclosure::default();
        Self {
            event,
            resource_type: None,
            id: None,
            job: None,
            types: Vec::new(),
            export_type: None,
            tool: None,
            receipt: None,
            disclosure,
        }
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

    /// Returns the requested resource type.
    pub const fn resource_type(&self) -> Option<ResourceType> {
        self.resource_type
    }

    /// Records the Group of an export.
    pub fn group(&mut self, id: &Id) {
        self.resource_type = Some(ResourceType::Group);
        self.id = Some(id.clone());
    }

    /// Records the patients whom a request for an export names.
    pub fn asked(&mut self, patients: &[Id]) {
        self.disclosure.requested = Some(patients.to_vec());
    }

    /// Records the patients whose records an export contains.
    pub fn exported(&mut self, patients: &[Id]) {
        self.disclosure.patients = patients.to_vec();
    }

    /// Records the types of an export, or of one of its files.
    pub fn types(&mut self, types: Vec<String>) {
        self.types = types;
    }

    /// Records the use of the records of an export.
    pub const fn export_type(&mut self, export_type: Option<&'static str>) {
        self.export_type = export_type;
    }

    /// Records the tool that an assistant called, what it disclosed, and the hash of its receipt.
    pub fn agent(&mut self, tool: &'static str, disclosure: Disclosure, receipt: Option<String>) {
        self.tool = Some(tool);
        self.receipt = receipt;
        self.disclosure = disclosure;
    }

    /// Records the job of a sent file, or of an export.
    pub fn job(&mut self, job: &str) {
        self.job = Some(job.to_owned());
    }

    /// Renames the event.
    pub const fn event(&mut self, event: &'static str) {
        self.event.name = event;
    }

    /// Records the context of the event.
    pub fn about(&mut self, about: EventContext) {
        self.event.context = about;
    }

    /// Records the grant.
    pub fn grant(&mut self, grant: Option<String>) {
        self.event.context.grant = grant;
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
        let line =
            |event, number| Line::of(event, call.moment.event_id(number), status, &time, request, network.as_deref());
        if let Some(audit) = &self.audit {
            lines.push(audit.complete(line(&audit.event, 0)).json());
        }
        for (event, number) in self.events.iter().zip(1..) {
            lines.push(line(event, number).json());
        }
        lines
    }
}

/// A line of the audit log.
#[derive(Debug, Serialize)]
struct Line<'a> {
    audit: &'static str,
    event_id: String,
    status: u16,
    time: &'a str,
    request: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<&'a str>,
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown_user: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    launched: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grant: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    job: Option<&'a str>,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    resource_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    types: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    export_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recipient: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    parameters: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<Patients<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patients: Option<Patients<'a>>,
}

impl<'a> Line<'a> {
    fn of(
        event: &'a Event,
        event_id: String,
        status: u16,
        time: &'a str,
        request: &'a str,
        network: Option<&'a str>,
    ) -> Self {
        let Event { name, context, patients, error } = event;
        Self {
            audit: AUDIT,
            event_id,
            status,
            time,
            request,
            network,
            event: name,
            client: context.client.as_deref(),
            user: context.user.as_deref(),
            unknown_user: context.unknown_user.as_deref(),
            launched: context.launched.as_deref(),
            grant: context.grant.as_deref(),
            context: context.patient.as_deref(),
            error: *error,
            tool: None,
            receipt: None,
            job: None,
            resource_type: None,
            id: None,
            types: &[],
            export_type: None,
            recipient: context.recipient.as_deref(),
            parameters: &[],
            asked: None,
            patients: Patients::of(patients),
        }
    }

    fn json(&self) -> String {
        json(self)
    }
}

impl AuditEntry {
    /// Returns the line with the data on the resources that the request read.
    fn complete<'a>(&'a self, line: Line<'a>) -> Line<'a> {
        let Disclosure { requested, parameters, patients } = &self.disclosure;
        Line {
            tool: self.tool,
            receipt: self.receipt.as_deref(),
            job: self.job.as_deref(),
            resource_type: self.resource_type.map(ResourceType::name),
            id: self.id.as_ref().map(Id::as_str),
            types: &self.types,
            export_type: self.export_type,
            parameters,
            asked: requested.as_deref().map(Patients::listed),
            patients: Patients::of(patients),
            ..line
        }
    }
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
        let line = Line::of(&event, uuid_of(digest(format!("{job}/{part}/{name}/{number}"))), 200, &time, job, None);
        Line { job: Some(job), patients: Some(Patients::Listed(patients.to_vec())), ..line }.json()
    };
    patients.chunks(LISTED_OF_PART).enumerate().map(line).collect()
}

/// The patients of a line: their ids or, for more than [`LISTED`], their number and the SHA-256 of the ids, one a line.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Patients<'a> {
    Listed(Vec<&'a str>),
    Counted { count: usize, sha256: String },
}

impl<'a> Patients<'a> {
    fn of(patients: &'a [Id]) -> Option<Self> {
        (!patients.is_empty()).then(|| Self::listed(patients))
    }

    fn listed(patients: &'a [Id]) -> Self {
        if patients.len() <= LISTED {
            return Self::Listed(patients.iter().map(Id::as_str).collect());
        }
        let ids: String = patients.iter().flat_map(|patient| [patient.as_str(), "\n"]).collect();
        Self::Counted { count: patients.len(), sha256: digest_text::<32>(ids) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, Moment, RequestTarget};
    use search::{Handling, parse};
    use serde_json::{Value, json};

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
