//! `DocumentReference/$docref` of US Core (<https://hl7.org/fhir/us/core/STU8/OperationDefinition-docref.html>), which
//! IPA has too: the documents about the care of a patient in a period. It is a search by type and dates.

use super::audit::Disclosure;
use super::form::FormPairs;
use super::interactions::{QueryContext, find};
use super::problem::Problem;
use super::reply::Reply;
use super::request::RecordRequest;
use fhir::{Issue, IssueCode, Micros, ResourceType, quoted};
use search::registry::named;
use search::{Clause, Handling, LatestLimit, ParseContext, Query, parse_in};
use store::Store;

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

/// Returns the search at a moment. Without dates it finds the newest current document of each type.
fn search(parameters: &FormPairs, context: QueryContext<'_>, now: Micros) -> Result<Query, Problem> {
    let bad = |issue: Issue, name: &str| Problem::from(issue.about(name));
    let resource_type = ResourceType::DocumentReference;
    let (mut types, mut dates, mut of_search) = (Vec::new(), Vec::new(), FormPairs::new());
    for (name, value) in parameters {
        match name.as_str() {
            "type" => types.push(value.as_str()),
            "start" => dates.extend(of_care("eb", "ge", (name, value), context, now)?),
            "end" => dates.extend(of_care("sa", "le", (name, value), context, now)?),
            // No document is made on demand, so that this changes nothing.
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
    if dates.is_empty() {
        of_search.push(("status".to_owned(), "current".to_owned()));
    }
    let mut query = context.parse(resource_type, &of_search, now)?;
    if !matches!(query.patients.as_deref(), Some([] | [_])) {
        return Err(bad(Issue::error(IssueCode::Required, "$docref needs one patient."), "patient"));
    }
    if dates.is_empty() {
        query.latest = named(resource_type, "type").map(|by| LatestLimit { max: 1, by });
    }
    query.all.extend(dates);
    query.parameters.clone_from(parameters);
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
    let pairs = [("period", outside, date), ("date", inside, date), ("period:missing", "", "false")];
    let pairs = pairs.map(|(name, prefix, value)| (name.to_owned(), [prefix, value].concat())).to_vec();
    let within = ParseContext { set: context.index, now, handling: Handling::Strict, base: context.base };
    let query = parse_in(&within, ResourceType::DocumentReference, &pairs)
        .map_err(|issues| Problem::Bad(issues.into_iter().map(|issue| issue.about(name)).collect()))?;
    let [period, date, has_period] = <[Clause; 3]>::try_from(query.all)
        .map_err(|_| Problem::Fault("the dates of $docref are not three conditions".to_owned()))?;
    Ok([Clause { negated: true, ..period }, Clause { also: Some((has_period.param, has_period.any)), ..date }])
}
