//! `Observation/$lastn` (<https://hl7.org/fhir/R4/observation-operation-lastn.html>): the newest observations of a
//! patient for each code. It is a search by `category` or `code`, which only keeps the newest matches of each code.

use super::request::RecordRequest;
use super::search::find;
use crate::audit::Disclosure;
use crate::http::form::FormPairs;
use crate::http::problem::Problem;
use crate::http::reply::Reply;
use crate::query_context::QueryContext;
use fhir::{Issue, IssueCode, Micros, ResourceType, quoted};
use search::registry::named;
use search::{LatestLimit, Query};
use store::Store;

/// The path of the operation below the FHIR base.
const PATH: &str = "Observation/$lastn";

/// Answers the operation. `disclosure` records the parameters and the patient, and the patient of the answer.
///
/// # Errors
/// If the parameters do not parse, if there is no patient or neither `category` nor `code`, if the search is not
/// permitted, or if the store does not answer.
pub async fn last_n<S: Store>(
    store: &S,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let (mut max, mut of_search) = (None, FormPairs::new());
    for (name, value) in parameters {
        match name.as_str() {
            "max" => {
                let number = value.parse().ok().filter(|number| *number > 0);
                let malformed = || Issue::error(IssueCode::Value, format!("{} is not a number.", quoted(value)));
                let number = number.ok_or_else(|| Problem::from(malformed().about("max").hint("1 or more")))?;
                if max.replace(number).is_some() {
                    let issue = Issue::error(IssueCode::Structure, "\"max\" is there more than once.");
                    return Err(Problem::from(issue.about("max")));
                }
            }
            "_sort" => {
                let issue = Issue::error(IssueCode::NotSupported, "The order is by code, and the newest first.");
                return Err(Problem::from(issue.about("_sort")));
            }
            // Only records of patients are searched.
            "subject" => of_search.push(("patient".to_owned(), value.clone())),
            _ => of_search.push((name.clone(), value.clone())),
        }
    }
    let parse = |now| search(&of_search, max, context, now);
    find(store, &parse, PATH, request, disclosure).await
}

/// Returns the search, at a moment, of which the newest matches are kept.
fn search(
    parameters: &FormPairs,
    max: Option<usize>,
    context: QueryContext<'_>,
    now: Micros,
) -> Result<Query, Problem> {
    let resource_type = ResourceType::Observation;
    let mut query = context.parse(resource_type, parameters, now)?;
    let is_limiting = |name: &str| query.all.iter().any(|clause| clause.param.name == name && !clause.negated);
    if !["category", "code"].into_iter().any(is_limiting) {
        let issue = Issue::error(IssueCode::Required, "$lastn needs one of these parameters: category, code.");
        return Err(Problem::from(issue.about("code")));
    }
    if query.patients.is_none() {
        query.patients = context.grant.patient.clone().map(|patient| vec![patient]);
    }
    match query.patients.as_deref() {
        Some([] | [_]) => {}
        Some(_) => {
            let issue = Issue::error(IssueCode::Value, "$lastn is about one patient at a time.");
            return Err(Problem::from(issue.about("patient")));
        }
        None => {
            let issue = Issue::error(IssueCode::Required, "$lastn needs the parameter patient or subject.");
            return Err(Problem::from(issue.about("patient")));
        }
    }
    query.parameters.extend(max.map(|max| ("max".to_owned(), max.to_string())));
    query.latest = named(resource_type, "code").map(|by| LatestLimit { max: max.unwrap_or(1), by });
    Ok(query)
}
