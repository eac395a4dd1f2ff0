//! `Patient/{id}/$summary` (<https://hl7.org/fhir/uv/ips/OperationDefinition-summary.html>): the International Patient
//! Summary. This server chooses and permits the records; the Worker `reading` says what they mean and writes the
//! document.

use futures_util::future::try_join;
use serde_json::json;

use super::everything::referenced;
use super::request::RecordRequest;
use crate::audit::Disclosure;
use crate::http::call::Moment;
use crate::http::form::FormPairs;
use crate::http::negotiate::with_pretty;
use crate::http::problem::Problem;
use crate::http::reply::{HeaderPolicy, Reply, with_cost};
use crate::ports::ReadingPort;
use crate::query_context::QueryContext;
use fhir::{BodyPiece, Id, Issue, IssueCode, Language, Micros, Reference, ResourceType as T, quoted};
use search::registry::named;
use search::{LatestLimit, Query};
use store::Store;

/// The parameters of the operation, as listed in refusals.
const PARAMETERS: &str = "identifier (without an id), profile, _format, _pretty";

/// The profile of the document, and its versions that the document satisfies.
const PROFILE: &str = "http://hl7.org/fhir/uv/ips/StructureDefinition/Bundle-uv-ips";
const VERSIONS: [&str; 3] = ["1.1.0", "2.0.0", "2.0.1"];

/// The types of records that the document tells of. If there are too many records, the last ones are left out.
const TYPES: [T; 26] = [
    T::AllergyIntolerance,
    T::Condition,
    T::MedicationRequest,
    T::MedicationStatement,
    T::Flag,
    T::Consent,
    T::DeviceUseStatement,
    T::Device,
    T::Immunization,
    T::Procedure,
    T::CarePlan,
    T::ImmunizationRecommendation,
    T::FamilyMemberHistory,
    T::Goal,
    T::ServiceRequest,
    T::NutritionOrder,
    T::AdverseEvent,
    T::ClinicalImpression,
    T::DetectedIssue,
    T::RiskAssessment,
    T::List,
    T::Observation,
    T::DiagnosticReport,
    T::ImagingStudy,
    T::Composition,
    T::DocumentReference,
];

/// The types to which these records refer, for their names.
const NAMED: [T; 5] = [T::Medication, T::Practitioner, T::PractitionerRole, T::Organization, T::Location];

/// The most records in a document.
const MOST: usize = 1_000;

/// The records of a document.
#[derive(Clone, Copy)]
struct Choice {
    /// The number of results of each code.
    of_each_code: usize,
    /// Whether past orders are left out, which are not in the document.
    omits_past: bool,
}

/// The most results of each code, if some are about others, such as a donor: the patient's own may be older.
const WITH_OTHERS: usize = 10;

const DAY: Micros = 24 * 60 * 60 * 1_000_000;

/// Answers the operation for a patient or, without an id, for the patient with the `identifier`. `disclosure` records
/// the patient.
///
/// # Errors
/// If the parameters do not parse, if the grant does not open the patient, if the patient does not exist, or if the
/// store or the Worker does not answer.
pub async fn summary<S: Store>(
    store: &S,
    patient: Option<Id>,
    request: &RecordRequest<'_>,
    (reading, language): (&dyn ReadingPort, Language),
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let identifier = check(parameters, patient.is_some())?;
    let patient = match patient {
        Some(patient) => patient,
        None => identified(store, identifier, context).await?,
    };
    disclosure.record_operation(&patient, parameters);
    let reference = Reference { resource_type: T::Patient, id: patient.clone() };
    let of_patient = context.grant.permits(reference)?;
    // A token that only opens the patient gets a document that says so.
    let choose = |choice| -> Result<_, Problem> {
        let queries =
            TYPES.into_iter().map(|one| query(one, &patient, choice, context)).collect::<Result<Vec<_>, _>>()?;
        Ok(context.grant.narrow_each(queries, None).unwrap_or_else(|_| (Vec::new(), TYPES.to_vec())))
    };
    let (searches, closed) = choose(Choice { of_each_code: 1, omits_past: false })?;
    let partly: Vec<_> = TYPES.into_iter().filter(|one| context.grant.opens_partly(*one)).map(T::name).collect();
    // The document of a patient only changes with the records and the day.
    let day = context.moment.now - context.moment.now.rem_euclid(DAY);
    let tags = request.tags(&format!("Patient/{patient}/$summary {} {day}", language.tag()));
    let search =
        async { if searches.is_empty() { Ok(None) } else { store.search_each(&searches, None).await.map(Some) } };
    let (read, page) = try_join(store.read(&of_patient), search).await?;
    let person: String = read.found.ok_or(Problem::NotFound)?.body.into();
    let (mut entries, mut cost, mut is_cut) = (Vec::new(), read.cost, false);
    if let Some(page) = page {
        cost = cost.in_parallel(page.cost);
        is_cut = page.page_end.is_some();
        entries = texts(page.matches);
        let has_others = entries.iter().any(|entry| entry.contains("\"focus\":"));
        if is_cut || has_others {
            let of_each_code = if has_others { WITH_OTHERS } else { 1 };
            let page = store.search_each(&choose(Choice { of_each_code, omits_past: is_cut })?.0, None).await?;
            cost = cost.and_then(page.cost);
            is_cut = page.page_end.is_some();
            entries = texts(page.matches);
        }
        let opened = |one: &T| context.grant.narrow(Query::everything(*one), None).is_ok();
        let followed: Vec<_> = NAMED.into_iter().filter(opened).collect();
        let (included, of_included) = referenced(store, &entries, &followed, None, context).await?;
        entries.extend(included);
        cost = cost.and_then(of_included);
    }
    disclosure.patients = vec![patient];
    let closed: Vec<_> = closed.into_iter().map(T::name).collect();
    let entries = entries.join(",");
    let state = json!({"closed": closed, "partly": partly, "isCut": is_cut}).to_string();
    let tag = tags.map(|tags| tags.of_document(&[&state, &person, &entries]));
    let random = tag.as_ref().map_or(context.moment.random, |(_, _, bytes)| *bytes);
    let moment = Moment { now: day, random };
    let mut reply = with_cost(Reply::empty(200, HeaderPolicy::Fhir), cost).with("Content-Language", language.tag());
    if let Some((tag, is_known, _)) = tag {
        reply = reply.with("ETag", tag);
        if is_known {
            return Ok(Reply { status: 304, ..reply });
        }
    }
    let head = json!({
        "language": language.tag(), "base": context.base, "day": moment.instant(), "closed": closed, "partly": partly,
        "isCut": is_cut, "uuids": [moment.uuid(), moment.event_id(1)],
    });
    let head = head.to_string();
    let text = [head.trim_end_matches('}'), ",\"patient\":", &person, ",\"entries\":[", &entries, "]}"];
    let document = reading.ask("summary", text.concat()).await.map_err(Problem::Reading)?;
    Ok(with_pretty(Reply { body: vec![BodyPiece::Text(document)], ..reply }, parameters))
}

fn check(parameters: &FormPairs, has_id: bool) -> Result<Option<&str>, Issue> {
    let mut identifier = None;
    for (name, value) in parameters {
        match name.as_str() {
            "_format" | "_pretty" => {}
            "profile" => {
                let (profile, version) = value.split_once('|').map_or((value.as_str(), None), |(p, v)| (p, Some(v)));
                if profile != PROFILE || version.is_some_and(|version| !VERSIONS.contains(&version)) {
                    let text = format!("{} is not a profile of this document.", quoted(value));
                    let hint = format!("{PROFILE}, also with |{}", VERSIONS.join(", |"));
                    return Err(Issue::error(IssueCode::NotSupported, text).about("profile").hint(hint));
                }
            }
            "identifier" if !has_id && identifier.is_none() => identifier = Some(value.as_str()),
            name => {
                let text = format!("$summary has no parameter {} here.", quoted(name));
                return Err(Issue::error(IssueCode::NotSupported, text).about(name).hint(PARAMETERS));
            }
        }
    }
    Ok(identifier)
}

/// Returns the patient with an identifier, whom the grant opens.
async fn identified<S: Store>(store: &S, identifier: Option<&str>, context: QueryContext<'_>) -> Result<Id, Problem> {
    let Some(identifier) = identifier else {
        let text = "Without an id, $summary needs the identifier of a patient.";
        return Err(Problem::from(Issue::error(IssueCode::Required, text).about("identifier")));
    };
    let pairs = vec![("identifier".to_owned(), identifier.to_owned())];
    let query = context.parse(T::Patient, &pairs, context.moment.now)?;
    let permitted = context.grant.narrow(query, None)?;
    let page = store.search(&permitted, None).await?;
    match <[Id; 1]>::try_from(page.patients) {
        Ok([patient]) => Ok(patient),
        Err(none) if none.is_empty() => Err(Problem::NotFound),
        Err(_) => {
            let text = "Several patients have this identifier.";
            Err(Problem::from(Issue::error(IssueCode::Value, text).about("identifier")))
        }
    }
}

fn texts<B: Into<String>>(bodies: Vec<B>) -> Vec<String> {
    bodies.into_iter().map(Into::into).collect()
}

/// Returns the search for the records of a type: of observations the newest valid ones of each code. A store that is
/// not indexed by a status gives records of any status.
fn query(
    resource_type: T,
    patient: &Id,
    Choice { of_each_code, omits_past }: Choice,
    context: QueryContext<'_>,
) -> Result<Query, Problem> {
    let of_patient = Query { patients: Some(vec![patient.clone()]), count: MOST, ..Query::everything(resource_type) };
    let (omitted, latest) = match resource_type {
        T::Observation => {
            let latest = named(T::Observation, "code").map(|by| LatestLimit { max: of_each_code, by });
            ("entered-in-error,cancelled", latest)
        }
        T::MedicationRequest if omits_past => ("entered-in-error,completed,stopped,cancelled", None),
        _ => return Ok(of_patient),
    };
    if !named(resource_type, "status").is_some_and(|status| context.index.has(status)) {
        return Ok(Query { latest, ..of_patient });
    }
    let pairs = vec![("status:not".to_owned(), omitted.to_owned())];
    let Query { all, .. } = context.parse(resource_type, &pairs, context.moment.now)?;
    Ok(Query { all, latest, ..of_patient })
}
