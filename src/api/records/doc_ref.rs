//! `DocumentReference/$docref` of US Core (<https://hl7.org/fhir/us/core/STU8/OperationDefinition-docref.html>), which
//! IPA has too: the documents about the care of a patient in a period. It is a search by type and dates.

use super::answer::Answer;
use super::request::RecordRequest;
use super::search::find;
use super::searchset::{cut_entries, left_out, searchset};
use crate::audit::Disclosure;
use crate::http::form::FormPairs;
use crate::http::problem::Problem;
use crate::http::reply::Reply;
use crate::query_context::QueryContext;
use fhir::{BodyPiece, Id, Issue, IssueCode, Micros, Reference, ResourceType as T, quoted};
use search::registry::named;
use search::{Clause, Handling, LatestLimit, ParseContext, Query, Total, check_date, parse_in};
use store::{Cost, Store};

/// The path of the operation below the FHIR base.
const PATH: &str = "DocumentReference/$docref";

/// Answers the operation. `disclosure` records the parameters and the patient, and the patient of the answer.
///
/// # Errors
/// If the parameters do not parse, if there is no patient, if the search is not permitted, or if the store does not
/// answer.
pub async fn doc_ref<S: Store>(
    store: &S,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let parse = |now| search(parameters, context, now);
    find(store, &parse, PATH, request, disclosure).await
}

/// Returns whether a request is for what is made on demand. Only a server that makes summaries answers it with
/// [`on_demand`]; others find what is stored.
pub fn is_on_demand(request: &RecordRequest<'_>) -> bool {
    request.parts().0.iter().any(|(name, value)| name == "on-demand" && value == "true")
}

/// Answers with the document that is made when it is read: the patient summary ([`summary`](super::summary)). Without a
/// patient whom the grant opens for reading, and if only other types are asked for, there is none.
///
/// # Errors
/// Those of [`doc_ref`].
pub async fn on_demand<S: Store>(
    store: &S,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let query = search(parameters, context, context.moment.now)?;
    disclosure.record_query(&query);
    let permitted = context.grant.narrow(query, context.prefer)?;
    let query = permitted.request();
    let is_summary = |one: &str| ["60591-5", "http://loinc.org|60591-5"].contains(&one);
    let mut types = parameters.iter().filter(|(name, _)| name == "type").peekable();
    let is_asked = types.peek().is_none() || types.flat_map(|(_, value)| value.split(',')).any(is_summary);
    let patient = query.patients.as_deref().and_then(|patients| patients.first()).filter(|_| is_asked);
    let (mut summary, mut cost) = (None, Cost::Free);
    if let Some(patient) = patient
        && let Ok(of_patient) = context.grant.permits(Reference { resource_type: T::Patient, id: patient.clone() })
    {
        let read = store.read(&of_patient).await?;
        cost = read.cost;
        if read.found.is_some() {
            summary = Some(summary_entry(patient, context));
            disclosure.patients = vec![patient.clone()];
        }
    }
    let own = context.address(PATH, &query.parameters);
    let total = (query.total != Total::None).then_some(u64::from(summary.is_some()));
    let shown = summary.filter(|_| !query.count_only);
    let entries = shown.into_iter().map(|entry| BodyPiece::Text(cut_entries(entry, &query.subset))).collect();
    let answer = Answer { own, page_end: None, total, entries, issues: left_out(&permitted), versions: None, cost };
    Ok(searchset(answer, None, parameters, context))
}

/// Returns the entry for the summary of a patient. It is stored nowhere, so that it has no id.
fn summary_entry(patient: &Id, context: QueryContext<'_>) -> String {
    const ENTRY: &str = r#"{"fullUrl":"urn:uuid:{uuid}","resource":{"resourceType":"DocumentReference",
"status":"current","type":{"coding":[{"system":"http://loinc.org","code":"60591-5",
"display":"Patient summary Document"}]},"category":[{"coding":[{
"system":"http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category","code":"clinical-note",
"display":"Clinical Note"}]}],"subject":{"reference":"Patient/{id}"},"date":"{date}",
"description":"Made when it is read.","content":[{"attachment":{"contentType":"application/fhir+json",
"url":"{base}/Patient/{id}/$summary"}}]},"search":{"mode":"match"}}"#;
    let values = [
        ("{id}", patient.as_str()),
        ("{uuid}", &context.moment.uuid()),
        ("{date}", &context.moment.instant()),
        ("{base}", context.base),
    ];
    values.iter().fold(ENTRY.replace('\n', ""), |text, (name, value)| text.replace(name, value))
}

/// Returns the search at a moment. Without dates it finds the newest current document of each type.
fn search(parameters: &FormPairs, context: QueryContext<'_>, now: Micros) -> Result<Query, Problem> {
    let bad = |issue: Issue, name: &str| Problem::from(issue.about(name));
    let resource_type = T::DocumentReference;
    let (mut types, mut dates, mut of_search) = (Vec::new(), Vec::new(), FormPairs::new());
    for (name, value) in parameters {
        match name.as_str() {
            "type" => types.push(value.as_str()),
            "start" => dates.extend(of_care("eb", "ge", (name, value), context, now)?),
            "end" => dates.extend(of_care("sa", "le", (name, value), context, now)?),
            "on-demand" if matches!(value.as_str(), "true" | "false") => {}
            "on-demand" => {
                let text = format!("{} is neither true nor false.", quoted(value));
                return Err(bad(Issue::error(IssueCode::Value, text), name));
            }
            "profile" => {
                let text = "No document is selected by its profile.";
                return Err(bad(Issue::error(IssueCode::NotSupported, text), name));
            }
            _ => of_search.push((name.clone(), value.clone())),
        }
    }
    if !types.is_empty() {
        of_search.push(("type".to_owned(), types.join(",")));
    }
    let mut query = context.parse(resource_type, &of_search, now)?;
    if !matches!(query.patients.as_deref(), Some([] | [_])) {
        return Err(bad(Issue::error(IssueCode::Required, "$docref needs one patient."), "patient"));
    }
    if dates.is_empty() {
        if parameters.iter().any(|(name, _)| name == "_sort") {
            let text = "Only the documents of a period can be sorted.";
            return Err(bad(Issue::error(IssueCode::NotSupported, text), "_sort"));
        }
        query.latest = named(resource_type, "type").map(|by| LatestLimit { max: 1, by });
        dates = conditions(&[("status".to_owned(), "current".to_owned())], context, now)?;
    }
    query.all.extend(dates);
    let is_of_operation = |name: &str| matches!(name, "start" | "end" | "on-demand");
    query.parameters.extend(parameters.iter().filter(|(name, _)| is_of_operation(name)).cloned());
    Ok(query)
}

/// Returns the conditions that the time of the care is not outside of a date. It is `context.period`, else the `date`
/// of the document.
fn of_care(
    outside: &str,
    inside: &str,
    (name, date): (&str, &str),
    context: QueryContext<'_>,
    now: Micros,
) -> Result<[Clause; 2], Problem> {
    check_date(name, date)?;
    let pairs = [("period", outside, date), ("date", inside, date), ("period:missing", "", "false")];
    let pairs = pairs.map(|(name, prefix, value)| (name.to_owned(), [prefix, value].concat()));
    let [period, date, has_period] = <[Clause; 3]>::try_from(conditions(&pairs, context, now)?)
        .map_err(|_| Problem::Fault("the dates of $docref are not three conditions".to_owned()))?;
    Ok([Clause { negated: true, ..period }, Clause { also: Some((has_period.param, has_period.any)), ..date }])
}

/// Returns the conditions of the parameters of a search.
fn conditions(parameters: &[(String, String)], context: QueryContext<'_>, now: Micros) -> Result<Vec<Clause>, Problem> {
    let within = ParseContext { set: context.index, now, handling: Handling::Strict, base: context.base };
    Ok(parse_in(&within, T::DocumentReference, parameters).map_err(Problem::Bad)?.all)
}
