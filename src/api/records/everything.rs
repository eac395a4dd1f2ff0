//! `Patient/{id}/$everything` (<https://hl7.org/fhir/R4/patient-operation-everything.html>): the record of a patient,
//! type by type, and the resources of the directory to which it refers.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use futures_util::future::join_all;
use serde_json::Value;

use super::answer::{Answer, PageEnd, open_cursor};
use super::answer_tags::confirm;
use super::record_types::{in_order, is_of_records, types_of};
use super::request::RecordRequest;
use super::searchset::{closed_types, entries_in, searchset};
use crate::audit::Disclosure;
use crate::http::form::FormPairs;
use crate::http::problem::Problem;
use crate::http::reply::Reply;
use crate::query_context::QueryContext;
use fhir::{BodyPiece, Id, Issue, IssueCode, Reference, ResourceType, for_each_object, quoted};
use search::{ClinicalPeriod, EntryMode, Handling, MAX_COUNT, Query, parse};
use smart::{PatientSet, Permitted, is_directory};
use store::{Cost, Store};

/// The parameters of the operation, as listed in refusals.
const PARAMETERS: &str = "start, end, _since, _type, _count, _cursor, _format, _pretty";

/// The number of references that are followed in sequence from the record into the directory: from an Encounter to a
/// PractitionerRole, and from there to a Practitioner.
const STEPS: usize = 2;

/// The most ids in one search.
const IDS: usize = 100;

struct EverythingParameters {
    /// The requested types. Empty for all types.
    types: Vec<ResourceType>,
    /// `_since`: the earliest time of the last change.
    since: Option<String>,
    start: Option<String>,
    end: Option<String>,
    /// The number of resources on a page, and the cursor.
    page: Query,
    /// The parameters as understood, without the cursor.
    understood: FormPairs,
    /// A warning for each parameter that was ignored.
    ignored: Vec<Issue>,
}

impl EverythingParameters {
    fn parse(parameters: &FormPairs, handling: Handling, base: &str) -> Result<Self, Vec<Issue>> {
        let page = Query { count: MAX_COUNT, ..Query::everything(ResourceType::Patient) };
        let (types, understood, ignored) = (Vec::new(), Vec::new(), Vec::new());
        let mut asked = Self { types, since: None, start: None, end: None, page, understood, ignored };
        let (mut issues, mut shaping) = (Vec::new(), Vec::new());
        for (name, value) in parameters {
            match name.as_str() {
                "_count" | "_cursor" | "_format" | "_pretty" => {
                    shaping.push((name.clone(), value.clone()));
                    continue;
                }
                "_type" => match types_of(value) {
                    Ok(types) => asked.types.extend(types),
                    Err(issue) => issues.push(issue),
                },
                "_since" | "start" | "end" => {
                    let taken = match name.as_str() {
                        "_since" => &mut asked.since,
                        "start" => &mut asked.start,
                        _ => &mut asked.end,
                    };
                    if taken.replace(value.clone()).is_some() {
                        let text = format!("\"{name}\" is there more than once.");
                        issues.push(Issue::error(IssueCode::Structure, text).about(name.clone()));
                    }
                }
                _ => {
                    let text = format!("$everything has no parameter {}.", quoted(name));
                    match handling {
                        Handling::Strict => issues
                            .push(Issue::error(IssueCode::NotSupported, text).about(name.clone()).hint(PARAMETERS)),
                        Handling::Lenient => asked.ignored.push(
                            Issue::warning(IssueCode::NotSupported, format!("{text} It was left out."))
                                .about(name.clone()),
                        ),
                    }
                    continue;
                }
            }
            asked.understood.push((name.clone(), value.clone()));
        }
        match parse(ResourceType::Patient, &shaping, handling, base) {
            Ok(page) => {
                asked.understood.extend(page.parameters.iter().cloned());
                let is_said = shaping.iter().any(|(name, _)| name == "_count");
                asked.page = Query { count: if is_said { page.count } else { MAX_COUNT }, ..page };
            }
            Err(found) => issues.extend(found),
        }
        if issues.is_empty() { Ok(asked) } else { Err(issues) }
    }

    fn wants(&self, resource_type: ResourceType) -> bool {
        self.types.is_empty() || self.types.contains(&resource_type)
    }

    /// Returns the search of a patient's records for the requested resources of a type.
    fn query_of(&self, resource_type: ResourceType, patient: &Id, base: &str) -> Result<Query, Vec<Issue>> {
        let period = ClinicalPeriod::parse(resource_type, self.start.as_deref(), self.end.as_deref());
        Ok(Query {
            patients: Some(vec![patient.clone()]),
            period: period.map_err(|issue| vec![issue])?,
            count: self.page.count,
            count_only: self.page.count_only,
            ..changed_since(self.since.as_deref(), resource_type, None, base)?
        })
    }
}

/// Returns the search of a type for changes since a time, with this list of ids if there is one.
fn changed_since(
    since: Option<&str>,
    resource_type: ResourceType,
    ids: Option<String>,
    base: &str,
) -> Result<Query, Vec<Issue>> {
    let since = since.map(|since| ("_lastUpdated".to_owned(), format!("ge{since}")));
    let parameters: FormPairs = ids.map(|ids| ("_id".to_owned(), ids)).into_iter().chain(since).collect();
    let about_since = |issue: Issue| issue.about("_since");
    parse(resource_type, &parameters, Handling::Strict, base)
        .map_err(|issues| issues.into_iter().map(about_since).collect())
}

/// Answers the operation for a patient or, without one, for the patient of the token. `disclosure` records the
/// parameters, and the patient if the answer contains resources of the record.
///
/// # Errors
/// If the parameters do not parse, if the grant opens no type of the record, if the patient does not exist or is not
/// open, or if the store does not answer.
pub async fn everything<S: Store>(
    store: &S,
    patient: Option<Id>,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let Some(patient) = patient.or_else(|| context.grant.patient.clone()) else {
        let text = "Without an id this is about the patient of the access token, and the token has none.";
        return Err(Problem::from(Issue::error(IssueCode::Required, text).hint("/Patient/<id>/$everything")));
    };
    let handling = context.prefer.unwrap_or(Handling::Strict);
    let asked = EverythingParameters::parse(parameters, handling, context.base).map_err(Problem::Bad)?;
    disclosure.record_operation(&patient, &asked.understood);
    let of_record: Vec<_> = in_order().filter(|on| is_of_records(*on) && asked.wants(*on)).collect();
    if of_record.is_empty() {
        let text = "No type is wanted whose resources belong to patients. One of the directory comes with those that \
            refer to it.";
        return Err(Problem::from(Issue::error(IssueCode::Value, text).about("_type")));
    }
    let mut queries = Vec::with_capacity(of_record.len());
    for resource_type in of_record {
        queries.push(asked.query_of(resource_type, &patient, context.base).map_err(Problem::Bad)?);
    }
    // Strict handling applies only to named types. Without any, it is no fault that a token opens only some.
    let named = context.prefer.filter(|_| !asked.types.is_empty());
    let (searches, mut left_out) = context.grant.narrow_each(queries, named)?;
    let mut followed = Vec::new();
    for resource_type in in_order().filter(|one| is_directory(*one) && asked.wants(*one)) {
        match context.grant.narrow(Query::everything(resource_type), named) {
            Ok(_) => followed.push(resource_type),
            Err(denied) if named == Some(Handling::Strict) => return Err(Problem::Denied(denied)),
            Err(_) => left_out.push(resource_type),
        }
    }
    let path = format!("Patient/{patient}/$everything");
    let own = context.address(&path, &asked.understood);
    let earlier = open_cursor(asked.page.cursor.as_deref(), &own, false, context)?;
    let earlier = earlier.as_ref().map(|end| end.position.as_str());
    let tags = request.tags(&path);
    let before = match Box::pin(confirm(tags.as_ref(), store, &searches, context.prefer, disclosure)).await? {
        ControlFlow::Break(reply) => return Ok(reply),
        ControlFlow::Continue(cost) => cost,
    };
    let page = store.search_each(&searches, earlier).await?;
    let texts: Vec<String> = page.matches.into_iter().map(Into::into).collect();
    // The first entry of a record is its Patient, unless other types or changes are asked for.
    let of_patient = format!(r#""fullUrl":"{}/Patient/{patient}""#, context.base);
    let is_shown = earlier.is_some() || texts.first().is_some_and(|entry| entry.contains(&of_patient));
    if !is_shown
        && let Ok(permitted) =
            context.grant.permits(Reference { resource_type: ResourceType::Patient, id: patient.clone() })
        && (page.total == Some(0) || reaches(&permitted, &patient))
        && store.read(&permitted).await?.found.is_none()
    {
        return Err(Problem::NotFound);
    }
    disclosure.patients = page.patients;
    let (included, cost) = referenced(store, &texts, &followed, asked.since.as_deref(), context).await?;
    let answer = Answer {
        own,
        page_end: page.page_end.map(|position| PageEnd { position, moment: None }),
        total: page.total,
        entries: texts.into_iter().chain(included).map(BodyPiece::Text).collect(),
        issues: asked.ignored.into_iter().chain(closed_types(&left_out)).collect(),
        // Without a cost, the directory was not searched.
        versions: page.versions.filter(|_| cost == Cost::Free),
        cost: if page.cost == Cost::Free { Cost::Free } else { before.and_then(page.cost).and_then(cost) },
    };
    Ok(searchset(answer, tags.as_ref(), parameters, context))
}

/// Returns whether a Patient that is not found is not there. Records may be there of a patient who is not, and a grant
/// may open records of a patient whom it does not open.
fn reaches(permitted: &Permitted<Reference>, patient: &Id) -> bool {
    permitted.rules().iter().any(|rule| {
        let is_of_patient = match &rule.patients {
            PatientSet::All => true,
            PatientSet::One(one) => one == patient,
            PatientSet::AccessList(_) | PatientSet::Nobody => false,
        };
        is_of_patient && rule.only.is_empty()
    })
}

/// Returns the resources of these types of the directory to which entries refer, and those to which these refer in
/// turn, as entries, with the cost of reading them. Those that did not change since a time are left out.
pub async fn referenced<S: Store>(
    store: &S,
    entries: &[String],
    types: &[ResourceType],
    since: Option<&str>,
    context: QueryContext<'_>,
) -> Result<(Vec<String>, Cost), Problem> {
    let (mut included, mut cost) = (Vec::new(), Cost::default());
    let mut known = BTreeSet::new();
    let mut newest: Vec<String> = Vec::new();
    for step in 0..STEPS {
        let mut wanted = BTreeSet::new();
        for entry in if step == 0 { entries } else { &newest } {
            for entry in entries_in(entry)? {
                for_each_object(&entry, &mut |members| {
                    wanted.extend(members.get("reference").and_then(Value::as_str).and_then(Reference::parse));
                });
            }
        }
        wanted.retain(|reference| types.contains(&reference.resource_type) && known.insert(reference.clone()));
        let mut searches = Vec::new();
        for resource_type in types {
            let of_type = wanted.iter().filter(|to| to.resource_type == *resource_type);
            let ids: Vec<_> = of_type.map(|to| to.id.as_str()).collect();
            for ids in ids.chunks(IDS) {
                let query =
                    changed_since(since, *resource_type, Some(ids.join(",")), context.base).map_err(Problem::Bad)?;
                let query = Query { mode: EntryMode::Include, count: IDS, ..query };
                searches.push(context.grant.narrow(query, None)?);
            }
        }
        let pages = join_all(searches.iter().map(|permitted| store.search(permitted, None))).await;
        newest.clear();
        let mut of_step = Cost::default();
        for page in pages {
            let page = page?;
            of_step = of_step.in_parallel(page.cost);
            newest.extend(page.matches.into_iter().map(Into::into));
        }
        cost = cost.and_then(of_step);
        included.extend(newest.iter().cloned());
    }
    Ok((included, cost))
}
