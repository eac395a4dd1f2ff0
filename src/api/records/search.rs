//! Searches of records (<https://hl7.org/fhir/R4/http.html#search>): a query is parsed, permitted, answered by the
//! store, and written as a searchset.

use std::ops::ControlFlow;
use std::slice;

use super::answer::{Answer, PageEnd, open_cursor};
use super::answer_tags::confirm;
use super::group_joins::answer_naming_joins;
use super::request::RecordRequest;
use super::searchset::{cut, leading_out, left_out, piece, searchset};
use crate::audit::Disclosure;
use crate::http::problem::Problem;
use crate::http::reply::Reply;
use fhir::{Micros, ResourceType, Subset};
use search::{Handling, Query};
use store::Store;

/// Answers a search. `disclosure` records the parameters and the patients of the query, and the patients of the answer.
///
/// # Errors
/// If the query does not parse or is not permitted, or if the store does not answer.
pub async fn search<S: Store>(
    store: &S,
    resource_type: ResourceType,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let parse = |now| context.parse(resource_type, parameters, now);
    find(store, &parse, resource_type.name(), request, disclosure).await
}

/// Answers a request as a search with this path below the FHIR base. `parse` parses the query at a moment.
///
/// # Errors
/// If the query does not parse or is not permitted, or if the store does not answer.
pub async fn find<S: Store>(
    store: &S,
    parse: &dyn Fn(Micros) -> Result<Query, Problem>,
    path: &str,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let mut query = parse(context.moment.now)?;
    disclosure.record_query(&query);
    let own = context.address(path, &query.parameters);
    let earlier = open_cursor(query.cursor.as_deref(), &own, query.now.is_some(), context)?;
    if let Some(PageEnd { moment: Some(moment), .. }) = earlier {
        query = parse(moment)?;
    }
    let mut permitted = context.grant.narrow(query, context.prefer)?;
    // An answer that depends on its moment has no tag.
    let tags = request.tags(path).filter(|_| permitted.request().now.is_none());
    let mut before =
        match Box::pin(confirm(tags.as_ref(), store, slice::from_ref(&permitted), context.prefer, disclosure)).await? {
            ControlFlow::Break(reply) => return Ok(reply),
            ControlFlow::Continue(cost) => cost,
        };
    let answered = Box::pin(answer_naming_joins(store, &permitted)).await?;
    let is_alone = answered.is_none();
    if let Some((answered, cost)) = answered {
        (permitted, before) = (answered, before.and_then(cost));
    }
    let earlier = earlier.as_ref().map(|end| end.position.as_str());
    let page = store.search(&permitted, earlier).await?;
    let is_strict = context.prefer == Some(Handling::Strict);
    let leading_out: Vec<_> = page.leading_out.iter().map(|name| leading_out(name, is_strict)).collect();
    if is_strict && !leading_out.is_empty() {
        return Err(Problem::Bad(leading_out));
    }
    disclosure.patients = page.patients;
    let query = permitted.request();
    let mut entries = Vec::with_capacity(page.matches.len() + page.included.len());
    entries.extend(page.matches.into_iter().map(|entry| piece(entry, &query.subset)));
    let of_included = if query.subset.includes_whole() { &Subset::Whole } else { &query.subset };
    entries.extend(page.included.into_iter().map(|entries| piece(entries, of_included)));
    let page_end = page.page_end.map(|position| PageEnd { position, moment: query.now });
    let issues = left_out(&permitted).into_iter().chain(page.cut.iter().map(cut)).chain(leading_out).collect();
    let cost = before.and_then(page.cost);
    let versions = page.versions.filter(|_| is_alone);
    let answer = Answer { own, page_end, total: page.total, entries, issues, versions, cost };
    Ok(searchset(answer, tags.as_ref(), parameters, context))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::call::Moment;
    use crate::http::form::{FormPairs, decode, encode};
    use crate::{QueryContext, answer_request};
    use ::ingest::LoadedMemory;
    use fhir::splice;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;
    use search::registry::params_of;
    use search::{CursorKey, IndexSet, Kind, MAX_COUNT, Param, parse};
    use smart::{Grant, ScopeSet};
    use sqlite::now;

    const BASE: &str = "https://here/fhir/r4";

    fn value(kind: Kind) -> BoxedStrategy<String> {
        let odd = ".{0,9}";
        match kind.name() {
            "Token" | "Code" | "Identifier" => {
                prop_oneof![4 => "([a-z:/]{0,5}\\|)?[A-Za-z0-9,\\\\&=+%# -]{1,9}", 1 => odd].boxed()
            }
            "Date" => {
                prop_oneof![4 => "(ge|lt|ne|ap)?20[0-9]{2}(-0[1-9](-[12][0-9](T1[0-9]:[0-5][0-9]([+ -]0[0-9]:30|Z)?)?)?)?", 1 => odd]
                    .boxed()
            }
            "Reference" => prop_oneof![4 => "(https://here/fhir/r4/)?(Patient/)?[a-z0-9]{1,5}", 1 => odd].boxed(),
            "Id" => "[A-Za-z0-9.,-]{1,9}".boxed(),
            _ => odd.boxed(),
        }
    }

    fn parameter(param: &'static Param) -> impl Strategy<Value = (String, String)> {
        let names = param.modifiers().map(|modifier| format!(":{}", modifier.name()));
        let modifier = select(names.chain(["", ":in"].map(str::to_owned)).collect::<Vec<_>>());
        (modifier, prop_oneof![4 => value(param.kind), 1 => Just("true".to_owned())])
            .prop_map(move |(modifier, value)| (format!("{}{modifier}", param.name), value))
    }

    fn result_parameter(resource_type: ResourceType) -> impl Strategy<Value = (String, String)> {
        let values = [
            "_count=7",
            "_count=0",
            "_count=5000",
            "_sort=-_id",
            "_sort=_lastUpdated,_id",
            "_sort=-patient,_lastUpdated",
            "_total=estimate",
            "_summary=count",
            "_summary=true",
            "_totalMethod=count",
            "_contained=false",
            "_elements=id, code",
            "_pretty=true",
            "_format=application/fhir+json",
            "_cursor=x",
            "foo=1",
            "_include=*",
        ];
        let fixed =
            values.map(|pair| pair.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())).unwrap());
        let revinclude = ("_revinclude".to_owned(), format!("Provenance:target:{resource_type}"));
        select([&fixed[..], &[revinclude]].concat())
    }

    fn question() -> impl Strategy<Value = (ResourceType, FormPairs)> {
        select(ResourceType::served()).prop_flat_map(|resource_type| {
            let params: Vec<_> = params_of(resource_type).collect();
            let parameter =
                prop_oneof![3 => select(params).prop_flat_map(parameter), 1 => result_parameter(resource_type)];
            vec(parameter, 0..5).prop_map(move |form| (resource_type, form))
        })
    }

    #[test]
    fn later_pages_are_of_the_moment_of_the_first() {
        let mut loaded = LoadedMemory::new(BASE);
        for day in 9..14 {
            let observation = serde_json::json!({"resourceType": "Observation", "id": day.to_string(),
                "subject": {"reference": "Patient/a"}, "effectiveDateTime": format!("1970-01-{day:02}")});
            loaded.load(&observation.to_string(), 0);
        }
        let grant = Grant { scopes: ScopeSet::parse("system/*.rs").unwrap(), ..Grant::default() };
        let cursors = CursorKey::new(b"secret");
        let page = |question: &str, day: Micros| {
            let moment = Moment { now: day * 86_400_000_000, random: [0; 32] };
            let index = IndexSet::us_core();
            let context = QueryContext {
                base: BASE,
                index,
                cursors: &cursors,
                grant: &grant,
                prefer: None,
                moment: &moment,
                most: MAX_COUNT,
            };
            let reply = now(answer_request(loaded.store(), question, context, &mut Disclosure::default()))?;
            let page: serde_json::Value = serde_json::from_str(&splice(reply.body)).unwrap();
            let id = page["entry"][0]["resource"]["id"].as_str().unwrap().to_owned();
            Ok::<_, Problem>((id, page["link"][1]["url"].as_str().map(str::to_owned)))
        };
        // The margin is a day, a tenth of the ten days before the date. On the day itself, there is no margin.
        let (mut found, mut next) = page("Observation?patient=a&date=ap1970-01-11&_count=1", 0).unwrap();
        while let Some(link) = next {
            let (id, further) = page(&link, 10).unwrap();
            (found, next) = (format!("{found} {id}"), further);
        }
        assert_eq!(found, "12 11 10");

        let plain = cursors.seal("x", &format!("{BASE}/Observation?patient=a&date=ap1970\u{1f}{}", grant.identity()));
        assert!(page(&format!("Observation?patient=a&date=ap1970&_cursor={plain}"), 0).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn the_self_link_parses_to_the_same_query((resource_type, form) in question(), lenient: bool) {
            let pairs = form.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            prop_assert_eq!(decode(&encode(pairs)), Ok(form.clone()));
            let handling = if lenient { Handling::Lenient } else { Handling::Strict };
            let Ok(query) = parse(resource_type, &form, handling, BASE) else { return Ok(()) };
            let link = [BASE, "/", resource_type.name(), "?", &encode(query.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())))].concat();
            let (path, text) = link.strip_prefix(BASE).and_then(|rest| rest.split_once('?')).unwrap_or((link.as_str(), ""));
            prop_assert!(path.ends_with(resource_type.name()));
            // The link contains neither the cursor nor ignored parameters.
            let expected = Query { cursor: None, ignored: Vec::new(), ..query };
            prop_assert_eq!(parse(resource_type, &decode(text).unwrap(), Handling::Strict, BASE), Ok(expected));
        }
    }
}
