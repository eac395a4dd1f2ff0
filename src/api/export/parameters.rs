//! The parameters of the request for an export, from the address or from a Parameters resource.

use super::exporter::Exporter;
use super::type_filter::{TYPE_FILTER, TypeFilter, searches_in};
use super::types::{closed_by_wildcard, types_of};
use crate::http::form::{FormPairs, essence, is_json, parameters_of};
use crate::http::problem::Problem;
use crate::http::routes::ExportOperation;
use crate::records::record_types::type_named;
use crate::{Call, Method, Settings};
use ::export::ExportLevel;
use fhir::{Id, Issue, IssueCode, Micros, Reference, ResourceType, Span, quoted};
use search::Handling;

/// The parameters, as listed in refusals.
const PARAMETERS: &str = "_type, _since, _until, _typeFilter, _elements, _outputFormat, organizeOutputBy, \
    allowPartialManifests, _format; in the body of a POST for patients or a Group also patient";

/// The names of NDJSON. A raw plus sign of an address is decoded to a blank.
const FORMATS: [&str; 4] = ["application/fhir+ndjson", "application/fhir ndjson", "application/ndjson", "ndjson"];

/// The parameter of `$davinci-data-export` for the use of the records.
const EXPORT_TYPE: &str = "exportType";

/// The values of [`EXPORT_TYPE`]. They make no difference but one.
const EXPORT_TYPES: [&str; 5] = [
    "hl7.fhir.us.davinci-atr",
    "hl7.fhir.us.davinci-pdex#payertopayer",
    DELTA,
    "hl7.fhir.us.davinci-pdex#provider-download",
    "hl7.fhir.us.davinci-pdex#provider-snapshot",
];

/// The value for changes, which needs `_since`.
const DELTA: &str = "hl7.fhir.us.davinci-pdex#provider-delta";

/// The parameter that names patients.
const PATIENT: &str = "patient";

/// The most searches of `_typeFilter` in a request. Each resource of a type is compared with all searches of the type.
const MAX_FILTERS: usize = 50;

/// The most patients that a request may name.
const MAX_PATIENTS: usize = 1_000;

/// The parameters of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportParameters {
    /// The types, in order.
    pub types: Vec<ResourceType>,
    /// The types that a wildcard leaves closed, if the request names none.
    pub closed: Vec<ResourceType>,
    /// The time after which resources must have changed.
    pub since: Option<Micros>,
    /// The time before which resources must have changed.
    pub until: Option<Micros>,
    /// The searches of `_typeFilter`.
    pub filters: Vec<TypeFilter>,
    /// The elements, as written.
    pub elements: Vec<String>,
    /// The patients that the request names, without duplicates.
    pub patients: Option<Vec<Id>>,
    /// True if files are organized by patient.
    pub by_patient: bool,
    /// The use of the records, as `exportType` states it.
    pub export_type: Option<&'static str>,
    /// The notes about parameters that lenient handling ignored.
    pub notes: Vec<String>,
}

/// Returns the decoded parameters of a call: those of the address and, for a POST, also those of its body. In version
/// 4.0.0, all parameters are in the body.
///
/// # Errors
/// If the body is not a Parameters resource of plain values, a parameter is in both, or the address names patients.
pub fn given(call: &Call<'_>, operation: ExportOperation, query: FormPairs) -> Result<FormPairs, Problem> {
    if call.method != Method::Post {
        return Ok(query);
    }
    let refused = |text: &str, name: &str| Problem::from(Issue::error(IssueCode::Structure, text).about(name));
    if query.iter().any(|(name, _)| name == PATIENT) {
        return Err(refused("Patients are named in the body of a POST, and not in its address.", PATIENT));
    }
    if let (ExportOperation::Version4, Some((name, _))) = (operation, query.first()) {
        return Err(refused("Parameters are in the body, and not in the address.", name));
    }
    let body = call.body.as_deref().ok_or(Problem::TooLong)?;
    if body.is_empty() {
        return Ok(query);
    }
    if !is_json(call) {
        return Err(Problem::MediaType("application/fhir+json"));
    }
    let own = std::str::from_utf8(body).ok().and_then(parameters_of).ok_or_else(|| {
        let text = "The body is not a Parameters resource, each of whose parameters has a name and a value.";
        Problem::from(Issue::error(IssueCode::Structure, text))
    })?;
    match query.iter().find(|(name, _)| own.iter().any(|(other, _)| other == name)) {
        Some((name, _)) => Err(refused("The parameter is in the address of a POST and in its body.", name)),
        None => Ok([query, own].concat()),
    }
}

impl ExportParameters {
    /// Parses the parameters of a request for an export of that level, by POST or not, and by that operation.
    ///
    /// # Errors
    /// All faults of the parameters, or a denial if the token does not permit the types.
    pub fn read(
        settings: &Settings,
        exporter: &Exporter,
        level: ExportLevel,
        given: &FormPairs,
        (is_post, operation, handling): (bool, ExportOperation, Handling),
    ) -> Result<Self, Problem> {
        let (issues, read) = (Vec::new(), Read::default());
        let mut reader = Reader { settings, level, is_post, operation, handling, issues, read };
        for (name, value) in given {
            if let Err(issue) = reader.take(name, value) {
                reader.issues.push(if issue.parameter.is_none() { issue.about(name.clone()) } else { issue });
            }
        }
        let Reader { mut issues, read, .. } = reader;
        if read.export_type == Some(DELTA) && read.since.is_none() {
            let text = "The type of the export is that of changes, and nothing says since when.";
            issues.push(Issue::error(IssueCode::Required, text).about("_since"));
        }
        if !issues.is_empty() {
            return Err(Problem::Bad(issues));
        }
        let Read {
            types: asked, since, until, filters, elements, patients, by_patient, export_type, mut notes, ..
        } = read;
        let types = types_of(exporter, level, asked.as_deref())?;
        let closed = if asked.is_none() { closed_by_wildcard(exporter, level) } else { Vec::new() };
        let mut kept = Vec::new();
        for filter in filters {
            filter.permit(exporter)?;
            if types.contains(&filter.resource_type) {
                kept.push(filter);
                continue;
            }
            if asked.is_none() {
                exporter.require(filter.resource_type)?;
            }
            let text = format!("{} is filtered, and not exported.", filter.resource_type);
            match handling {
                Handling::Strict => {
                    return Err(Problem::from(Issue::error(IssueCode::Value, text).about(TYPE_FILTER)));
                }
                Handling::Lenient => notes.push(format!("_typeFilter: {text} The filter was ignored.")),
            }
        }
        Ok(Self { types, closed, since, until, filters: kept, elements, patients, by_patient, export_type, notes })
    }
}

/// The parameters that have been read so far.
#[derive(Default)]
struct Read {
    /// The names of the parameters so far that must not be repeated.
    once: Vec<String>,
    types: Option<Vec<ResourceType>>,
    since: Option<Micros>,
    until: Option<Micros>,
    /// The number of searches of `_typeFilter`.
    searches: usize,
    filters: Vec<TypeFilter>,
    elements: Vec<String>,
    patients: Option<Vec<Id>>,
    by_patient: bool,
    export_type: Option<&'static str>,
    notes: Vec<String>,
}

struct Reader<'a> {
    settings: &'a Settings,
    level: ExportLevel,
    is_post: bool,
    operation: ExportOperation,
    handling: Handling,
    issues: Vec<Issue>,
    read: Read,
}

impl Reader<'_> {
    fn take(&mut self, name: &str, value: &str) -> Result<(), Issue> {
        const ONCE: [&str; 6] =
            ["_since", "_until", "_outputFormat", "organizeOutputBy", "allowPartialManifests", EXPORT_TYPE];
        if ONCE.contains(&name) {
            if self.read.once.iter().any(|earlier| earlier == name) {
                return Err(Issue::error(IssueCode::Value, format!("\"{name}\" is there more than once.")));
            }
            self.read.once.push(name.to_owned());
        }
        match name {
            // This is the format of an OperationOutcome.
            "_format" => {}
            "_outputFormat" if FORMATS.iter().any(|known| known.eq_ignore_ascii_case(essence(value))) => {}
            "_outputFormat" => {
                let text = format!("{} is no format of exports.", quoted(value));
                return Err(Issue::error(IssueCode::NotSupported, text).hint("application/fhir+ndjson"));
            }
            "_since" => self.read.since = Some(instant(value)?),
            "_until" => self.read.until = Some(instant(value)?),
            "_type" => self.types(value)?,
            TYPE_FILTER => self.filters(value)?,
            "_elements" => self.elements(value)?,
            PATIENT => self.patient(value)?,
            "organizeOutputBy" if value == "Patient" => self.read.by_patient = true,
            "organizeOutputBy" => {
                let text = format!("Files are organized by type or by Patient, not by {}.", quoted(value));
                self.leave_out(name, text, "Patient")?;
            }
            EXPORT_TYPE if self.operation == ExportOperation::DaVinci => {
                let known = EXPORT_TYPES.into_iter().find(|known| *known == value);
                self.read.export_type = Some(known.ok_or_else(|| {
                    let text = format!("{} is no type of exports.", quoted(value));
                    Issue::error(IssueCode::NotSupported, text).hint(EXPORT_TYPES.join(", "))
                })?);
            }
            // A manifest is only returned when it is complete, which the parameter allows.
            "allowPartialManifests" if matches!(value, "true" | "false") => {}
            "allowPartialManifests" => {
                return Err(Issue::error(IssueCode::Value, "It is neither true nor false.".to_owned()));
            }
            "includeAssociatedData" => {
                let text = "\"includeAssociatedData\" is not supported: every Provenance of the records comes anyway.";
                self.leave_out(name, text.to_owned(), PARAMETERS)?;
            }
            _ => self.leave_out(name, format!("An export has no parameter {}.", quoted(name)), PARAMETERS)?,
        }
        Ok(())
    }

    /// Refuses an unknown parameter, or ignores it with a note if the handling is lenient.
    fn leave_out(&mut self, name: &str, text: String, hint: &str) -> Result<(), Issue> {
        match self.handling {
            Handling::Strict => Err(Issue::error(IssueCode::NotSupported, text).about(name).hint(hint)),
            Handling::Lenient => {
                self.read.notes.push(format!("{text} It was ignored."));
                Ok(())
            }
        }
    }

    /// Returns the texts in a value. In version 4.0.0, no value is a list.
    fn texts_in<'v>(&self, value: &'v str) -> Vec<&'v str> {
        match self.operation {
            ExportOperation::Version4 => vec![value],
            ExportOperation::Export | ExportOperation::DaVinci => value.split(',').map(str::trim).collect(),
        }
    }

    fn types(&mut self, value: &str) -> Result<(), Issue> {
        for name in self.texts_in(value) {
            match (type_named(name, "_type"), self.handling) {
                (Ok(resource_type), _) => {
                    let types = self.read.types.get_or_insert_default();
                    if !types.contains(&resource_type) {
                        types.push(resource_type);
                    }
                }
                (Err(issue), Handling::Strict) => return Err(issue),
                (Err(issue), Handling::Lenient) => self.read.notes.push(format!("{} It was ignored.", issue.text)),
            }
        }
        // If no requested type remains, the export must not become one of all types.
        if self.read.types.is_none() {
            let text = format!("{} names no type that is served here.", quoted(value));
            return Err(Issue::error(IssueCode::Value, text));
        }
        Ok(())
    }

    fn filters(&mut self, value: &str) -> Result<(), Issue> {
        let is_one = self.operation == ExportOperation::Version4;
        let searches = if is_one { vec![value] } else { searches_in(value) };
        self.read.searches += searches.len();
        if self.read.searches > MAX_FILTERS {
            let text = format!("A request has at most {MAX_FILTERS} searches in \"{TYPE_FILTER}\".");
            return Err(Issue::error(IssueCode::TooCostly, text));
        }
        for search in searches {
            match TypeFilter::parse(self.settings, search) {
                Ok(filter) => self.read.filters.push(filter),
                Err(issues) => self.issues.extend(issues),
            }
        }
        Ok(())
    }

    fn elements(&mut self, value: &str) -> Result<(), Issue> {
        let is_legal = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        for element in self.texts_in(value) {
            let name = match element.split_once('.') {
                None => element,
                Some((resource_type, name)) => {
                    type_named(resource_type, "_elements")?;
                    name
                }
            };
            if !is_legal(name) {
                let text = format!("{} is not the name of an element.", quoted(element));
                return Err(Issue::error(IssueCode::Value, text).hint("Type.element, or element"));
            }
            if !self.read.elements.iter().any(|known| known == element) {
                self.read.elements.push(element.to_owned());
            }
        }
        Ok(())
    }

    fn patient(&mut self, value: &str) -> Result<(), Issue> {
        let refused = |text: &str| Err(Issue::error(IssueCode::NotSupported, text));
        if self.level == ExportLevel::System {
            return refused("An export of the system is of no patient.");
        }
        if !self.is_post {
            return refused("\"patient\" is a parameter of POST alone.");
        }
        let relative =
            value.strip_prefix(self.settings.base.as_str()).map_or(value, |rest| rest.trim_start_matches('/'));
        let reference = Reference::parse(relative).filter(|one| one.resource_type == ResourceType::Patient);
        let patients = self.read.patients.get_or_insert_default();
        let Some(Reference { id, .. }) = reference else {
            let text = format!("{} is no reference to a Patient.", quoted(value));
            if self.operation == ExportOperation::DaVinci {
                // Without this one patient, the export must not become one of everybody.
                self.read.notes.push(format!("{text} It was ignored."));
                return Ok(());
            }
            return Err(Issue::error(IssueCode::Value, text)
                .hint("{\"name\": \"patient\", \"valueReference\": {\"reference\": \"Patient/1\"}}"));
        };
        id.put(patients);
        if patients.len() > MAX_PATIENTS {
            let text = format!("A request names at most {MAX_PATIENTS} patients.");
            return Err(Issue::error(IssueCode::TooCostly, text).hint("Group/<id>/$export"));
        }
        Ok(())
    }
}

/// Parses a FHIR `instant`: a date and a time to the second, with a zone. The `+` of a zone may be decoded to a blank.
fn instant(value: &str) -> Result<Micros, Issue> {
    let text = match value.rsplit_once(' ') {
        Some((time, zone)) => format!("{time}+{zone}"),
        None => value.to_owned(),
    };
    let is_whole = text.split_once('T').is_some_and(|(_, time)| {
        let clock = time.split(['Z', '+', '-']).next().unwrap_or_default();
        clock.len() < time.len() && clock.split(':').count() == 3
    });
    let span = Span::parse(&text).filter(|_| is_whole);
    span.map(|span| span.from).ok_or_else(|| {
        let text = format!("{} is no instant.", quoted(value));
        Issue::error(IssueCode::Value, text).hint("2026-01-31T12:00:00Z, or with a zone such as -05:00 for Z")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_has_a_time_and_a_zone() {
        let zero = Ok(1_737_394_838_000_000);
        for text in [
            "2025-01-20T17:40:38Z",
            "2025-01-20T12:40:38-05:00",
            "2025-01-20T19:40:38+02:00",
            "2025-01-20T19:40:38 02:00",
            "2025-01-21T07:40:38+14:00",
            "2025-01-20T17:40:38.000Z",
        ] {
            assert_eq!(instant(text).map_err(|issue| issue.text), zero, "{text}");
        }
        assert!(instant("2016-12-31T23:59:60Z").is_ok(), "a leap second");
        for text in [
            "",
            "yesterday",
            "2025",
            "2025-01-20",
            "2025-01-20T17:40:38",
            "2025-01-20T17:40Z",
            "2025-13-20T17:40:38Z",
            "2025-01-20T17:40:38+15:00",
            "2025-01-20T17:40:38+2:00",
            "2025-01-20 17:40:38Z",
            "1737394838",
        ] {
            let issue = instant(text).unwrap_err();
            assert_eq!(issue.code, IssueCode::Value, "{text}");
        }
    }
}
