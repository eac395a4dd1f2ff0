//! The audit log: one line of JSON for each access to records and each event of an authorization, denied or not. It says
//! who, what, which patient and how it ended; it has no secret, no token, and no value of a query but the patient.
//!
//! `edgechart audit` makes FHIR AuditEvents of it.

use super::call::Call;
use crate::fhir::{Id, texts, write_text};
use crate::oauth::{About, Noted};
use crate::smart::Grant;

/// What marks a line of the log as one of the audit, and says of which form it is.
pub const AUDIT: &str = "edgechart/1";

/// A line of the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When.
    time: String,
    /// What was done.
    event: &'static str,
    /// The app; where it did not prove who it is, who it says it is.
    client: Option<String>,
    /// The user.
    user: Option<String>,
    /// The patient: of the token, or that was asked for.
    patient: Option<String>,
    /// The type of the resources.
    kind: Option<&'static str>,
    /// The id of the resource.
    id: Option<String>,
    /// The names of the parameters.
    parameters: Vec<String>,
    /// Why not.
    error: Option<&'static str>,
}

impl Entry {
    /// A line about that call, before more is known.
    #[must_use]
    pub fn new(call: &Call<'_>, event: &'static str) -> Self {
        Self {
            time: call.moment.instant(),
            event,
            client: None,
            user: None,
            patient: None,
            kind: None,
            id: None,
            parameters: Vec::new(),
            error: None,
        }
    }

    /// Who asks.
    pub fn by(&mut self, grant: &Grant) {
        self.client = Some(grant.client.clone());
        self.user.clone_from(&grant.user);
        self.patient = grant.patient.as_ref().map(|id| id.as_str().to_owned());
    }

    /// What is asked for.
    pub fn of(&mut self, kind: crate::fhir::ResourceType, id: Option<&Id>, parameters: &[(String, String)]) {
        self.event = if id.is_some() { "read" } else { "search" };
        self.kind = Some(kind.name());
        self.id = id.map(|id| id.as_str().to_owned());
        let named = parameters.iter().find(|(name, _)| name == "patient" || name == "subject");
        let named = named.and_then(|(_, value)| {
            let id = value.bytes().rposition(|byte| byte == b'/').map_or(0, |slash| slash + 1);
            Id::parse(value.get(id..)?)
        });
        let own = id.filter(|_| kind == crate::fhir::ResourceType::Patient).cloned();
        if let Some(patient) = own.or(named) {
            self.patient = Some(patient.as_str().to_owned());
        }
        // Names come from outside too: only what a parameter can be called is kept.
        let plain =
            |name: &str| name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b));
        let mut names = Vec::new();
        for (name, _) in parameters {
            if names.len() < 50 && plain(name) {
                names.push(name.clone());
            }
        }
        self.parameters = names;
    }

    /// A line about something that a person did.
    #[must_use]
    pub fn noted(call: &Call<'_>, Noted { event, about, error }: Noted) -> Self {
        let mut entry = Self::new(call, event);
        entry.about(about);
        entry.error = error;
        entry
    }

    /// What was done, more exactly.
    pub const fn event(&mut self, event: &'static str) {
        self.event = event;
    }

    /// Whom it is about.
    pub fn about(&mut self, About { client, user, patient }: About) {
        (self.client, self.user, self.patient) = (client, user, patient);
    }

    /// Who a client says it is, where that could be a client's name.
    pub fn claimed(&mut self, client: Option<&str>) {
        let plain =
            |id: &&str| id.len() <= 128 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b));
        self.client = client.filter(plain).map(str::to_owned);
    }

    /// Why it was refused.
    pub const fn refused(&mut self, why: &'static str) {
        self.error = Some(why);
    }

    /// The line, with the name of the request and how it was answered.
    #[must_use]
    pub fn line(&self, request: &str, status: u16) -> String {
        let mut line = ["{\"audit\":\"", AUDIT, "\",\"status\":", &status.to_string()].concat();
        let mut member = |key: &str, value: Option<&str>| {
            if let Some(value) = value {
                line.push_str(key);
                write_text(value, &mut line);
            }
        };
        member(",\"time\":", Some(&self.time));
        member(",\"request\":", Some(request));
        member(",\"event\":", Some(self.event));
        member(",\"client\":", self.client.as_deref());
        member(",\"user\":", self.user.as_deref());
        member(",\"patient\":", self.patient.as_deref());
        member(",\"type\":", self.kind);
        member(",\"id\":", self.id.as_deref());
        member(",\"error\":", self.error);
        if !self.parameters.is_empty() {
            line.push_str(",\"parameters\":");
            line.push_str(&texts(&self.parameters));
        }
        line.push('}');
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Method, Moment};
    use crate::fhir::ResourceType;

    fn entry() -> Entry {
        let call = Call {
            method: Method::Get,
            path: "/",
            query: None,
            headers: &|_| None,
            body: None,
            moment: Moment { now: 1_800_000_000_000_000, random: [1; 32] },
        };
        Entry::new(&call, "access")
    }

    fn parameters(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn lg02_lg05_a_search_is_logged_with_its_patient_and_the_names_of_its_parameters() {
        let mut entry = entry();
        let asked = parameters(&[("patient", "Patient/a"), ("code", "http://loinc.org|4548-4"), ("name", "Okafor")]);
        entry.of(ResourceType::Observation, None, &asked);
        let line: serde_json::Value = serde_json::from_str(&entry.line("r", 200)).unwrap();
        assert_eq!(
            (&line["event"], &line["type"], &line["patient"]),
            (&"search".into(), &"Observation".into(), &"a".into())
        );
        assert_eq!(line["parameters"], serde_json::json!(["patient", "code", "name"]));
        assert!(!line.to_string().contains("4548") && !line.to_string().contains("Okafor"));
    }

    #[test]
    fn lg03_what_comes_from_outside_stays_one_line() {
        let mut entry = entry();
        entry.claimed(Some("a\nb"));
        entry.of(ResourceType::Patient, None, &parameters(&[("na\u{1b}me", "x"), ("patient", "a\n{\"audit\":1}")]));
        let line = entry.line("r", 400);
        assert!(!line.contains('\n') && !line.contains("audit\\\":1"), "{line}");
    }
}
