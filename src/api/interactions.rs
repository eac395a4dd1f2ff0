//! The interactions of the API (<https://hl7.org/fhir/R4/http.html>): searches and reads of records are parsed,
//! permitted, answered by the store, and written as FHIR.

use std::ops::ControlFlow;
use std::slice;

use serde_json::value::RawValue;

use super::answer_tags::{AnswerTags, confirm};
use super::audit::Disclosure;
use super::carrier::read_opened;
use super::form::{FormPairs, encode};
use super::group_joins::answer_naming_joins;
use super::negotiate;
use super::problem::Problem;
use super::reply::{HeaderPolicy, Reply};
use super::request::RecordRequest;
use database::LargeText;
use fhir::{
    BodyPiece, Elements, Issue, IssueCode, Micros, Reference, ResourceType, Searchset, Subset, indent, outcome, quoted,
    splice,
};
use oauth::hashed;
use search::{
    CursorKey, Handling, Include, IndexSet, MAX_COUNT, MAX_ROUNDS, ParseContext, Query, choose_subset, parse_in,
    presence,
};
use smart::{Grant, Permitted};
use store::{Cost, MAX_INCLUDED, Store, StoreError, StoredResource};

use super::call::Moment;

/// The context of a query or a read.
#[derive(Debug, Clone, Copy)]
pub struct QueryContext<'a> {
    /// The address of the FHIR base.
    pub base: &'a str,
    /// The set of search parameters that is offered.
    pub index: &'static IndexSet,
    /// The key that signs cursors.
    pub cursors: &'a CursorKey,
    /// The grant that permits the query.
    pub grant: &'a Grant,
    /// The value of `Prefer: handling=`, if present.
    pub prefer: Option<Handling>,
    /// The time and the random bytes of the call.
    pub moment: &'a Moment,
    /// The most matches of a page: [`MAX_COUNT`] for clients.
    pub most: usize,
}

impl QueryContext<'_> {
    /// Parses the parameters of a search at a moment.
    pub(super) fn parse(&self, resource_type: ResourceType, pairs: &FormPairs, now: Micros) -> Result<Query, Problem> {
        let handling = self.prefer.unwrap_or(Handling::Strict);
        let context = ParseContext { set: self.index, now, handling, base: self.base };
        let query = parse_in(&context, resource_type, pairs).map_err(Problem::Bad)?;
        let count = if query.count == MAX_COUNT { self.most } else { query.count };
        Ok(Query { count, ..query })
    }

    /// Returns the address of a request as understood: its path below the base, and its parameters.
    pub(super) fn address(&self, path: &str, parameters: &FormPairs) -> String {
        let text = encode(parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let mark = if text.is_empty() { "" } else { "?" };
        [self.base, "/", path, mark, &text].concat()
    }
}

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
    let mut permitted = context.grant.narrow(query, context.prefer).map_err(Problem::Denied)?;
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
    let page = store.search(&permitted, earlier).await.map_err(store_problem)?;
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

/// The answer to a search or to an operation that finds resources.
pub struct Answer<B> {
    /// The address of the request as understood.
    pub own: String,
    /// The end of the page, if there is another page.
    pub page_end: Option<PageEnd>,
    /// The number of matches on all pages, if known.
    pub total: Option<u64>,
    /// The entries: matches first, then included resources.
    pub entries: Vec<BodyPiece<B>>,
    /// Warnings about what was left out.
    pub issues: Vec<Issue>,
    /// The versions of the records on which the answer depends ([`store::Page::versions`]).
    pub versions: Option<Vec<i64>>,
    /// The cost of reading.
    pub cost: Cost,
}

/// Returns the reply with an answer as a searchset, or without it if the caller knows its tag.
pub fn searchset<B: LargeText>(
    answer: Answer<B>,
    tags: Option<&AnswerTags>,
    parameters: &FormPairs,
    context: QueryContext<'_>,
) -> Reply<B> {
    let outcome = (!answer.issues.is_empty()).then(|| outcome(&answer.issues));
    let mut reply = with_cost(with_preference(Reply::empty(200, HeaderPolicy::Fhir), context.prefer), answer.cost);
    if let Some((tag, is_known)) = tags.map(|tags| tags.of(&answer, outcome.as_deref())) {
        reply = reply.with("ETag", tag);
        if is_known {
            return Reply { status: 304, ..reply };
        }
    }
    let Answer { own, page_end, total, entries, .. } = answer;
    let seal = |end: &PageEnd| context.cursors.seal(&end.written(), &cursor_context(&own, context));
    let next = page_end.map(|end| next_address(&own, &seal(&end)));
    let (id, made) = (context.moment.uuid(), context.moment.instant());
    let pieces = Searchset { id, made, total, this: own, next, entries, outcome }.into_pieces();
    with_pretty(Reply { body: pieces, ..reply }, parameters)
}

/// Adds a `Preference-Applied` header, if lenient handling was preferred.
pub fn with_preference<B>(reply: Reply<B>, prefer: Option<Handling>) -> Reply<B> {
    if prefer == Some(Handling::Lenient) { reply.with("Preference-Applied", "handling=lenient") } else { reply }
}

/// Answers a read by id, or a read of one version. `disclosure` records the patients of the resource.
///
/// # Errors
/// If the read is not permitted, if the resource does not exist or no access rule opens it, if its current version is a
/// different one, or if the store does not answer.
pub async fn read<S: Store>(
    store: &S,
    reference: Reference,
    version: Option<&str>,
    request: &RecordRequest<'_>,
    disclosure: &mut Disclosure,
) -> Result<Reply<S::Body>, Problem> {
    let (parameters, context) = request.parts();
    let subset = subset_of_read(parameters, context.prefer).map_err(|issue| Problem::Bad(vec![issue]))?;
    let resource_type = reference.resource_type;
    let read = read_opened(store, &reference, context).await?;
    let is_wanted = |found: &StoredResource<_>| version.is_none_or(|version| version == found.version);
    let resource = read.found.filter(is_wanted).ok_or(Problem::NotFound)?;
    // A 304 (the caller's copy is current) and a HEAD (the length) disclose the resource too.
    disclosure.patients = resource.patients;
    // Each part of a resource is a separate representation.
    let part = if subset.is_whole() { String::new() } else { format!("-{}", hashed(&subset.label())) };
    let tag = format!("W/\"{}{part}\"", resource.version);
    let mut reply = if negotiate::is_known(request.known(), &tag) {
        Reply::empty(304, HeaderPolicy::Fhir)
    } else {
        let body = if subset.is_whole() {
            BodyPiece::Stored(resource.body)
        } else {
            let text: String = resource.body.into();
            BodyPiece::Text(subset.cut(resource_type, &text).unwrap_or(text))
        };
        with_pretty(Reply { body: vec![body], ..Reply::empty(200, HeaderPolicy::Fhir) }, parameters)
    };
    reply = reply.with("ETag", tag);
    if let Some(modified) = resource.modified {
        reply = reply.with("Last-Modified", modified);
    }
    Ok(with_cost(reply, read.cost))
}

/// Returns the part of the resource that a read requests. Lenient handling ignores unsupported parameters.
fn subset_of_read(parameters: &FormPairs, prefer: Option<Handling>) -> Result<Subset, Issue> {
    let mut subset = Subset::Whole;
    for (name, value) in parameters {
        match name.as_str() {
            "_format" | "_pretty" => {}
            "_elements" | "_summary" => {
                choose_subset(&mut subset, name, value).map_err(|issue| issue.about(name.clone()))?;
            }
            _ if prefer == Some(Handling::Lenient) => {}
            name => {
                let issue = Issue::error(IssueCode::NotSupported, format!("A read has no parameter {}.", quoted(name)));
                return Err(issue.about(name).hint("_elements, _format, _pretty, _summary"));
            }
        }
    }
    Ok(subset)
}

/// Returns the problem of a store that does not answer.
pub fn store_problem(error: StoreError) -> Problem {
    match error {
        StoreError::Revoked => Problem::Revoked,
        StoreError::TooCostly => {
            let text =
                "This would read more of the records than one request may; say of which patient, or ask for less.";
            Problem::Bad(vec![Issue::error(IssueCode::TooCostly, text)])
        }
        StoreError::NotIndexed(param) => {
            let name = if presence(param.base) == Some(param) { ":missing" } else { param.name };
            let text = format!(
                "The stored {} resources are not indexed by \"{name}\": they were loaded before this was added.",
                param.base
            );
            let hint = "an operator can run edgechart reindex --index, with the names in INDEX and GUIDES";
            Problem::Bad(vec![Issue::error(IssueCode::NotSupported, text).hint(hint)])
        }
        StoreError::Unavailable(detail) | StoreError::Damaged(detail) => Problem::Storage(detail),
        StoreError::GrantStatus(detail) => Problem::GrantStatus(detail),
    }
}

/// The end of a page, which the cursor of the next page contains.
pub struct PageEnd {
    /// The position of its last match in the store.
    pub position: String,
    /// The moment of the search, if the query depends on it. It is the same for each page.
    pub moment: Option<Micros>,
}

impl PageEnd {
    /// Separates the moment from the position.
    const SEPARATOR: char = '\u{1f}';

    fn written(&self) -> String {
        match self.moment {
            None => self.position.clone(),
            Some(moment) => format!("{}{}{moment}", self.position, Self::SEPARATOR),
        }
    }

    /// Parses the end of a page.
    fn read(text: String, has_moment: bool) -> Option<Self> {
        if !has_moment {
            return Some(Self { position: text, moment: None });
        }
        let (position, moment) = text.rsplit_once(Self::SEPARATOR)?;
        Some(Self { position: position.to_owned(), moment: Some(moment.parse().ok()?) })
    }
}

/// Returns the end of the previous page from the cursor of a request. `own` is the address of the request, and
/// `has_moment` is true if the request depends on its moment.
///
/// # Errors
/// If the cursor belongs to another request.
pub fn open_cursor(
    cursor: Option<&str>,
    own: &str,
    has_moment: bool,
    context: QueryContext<'_>,
) -> Result<Option<PageEnd>, Problem> {
    let Some(cursor) = cursor else { return Ok(None) };
    let refused = || {
        let text = "The cursor does not fit: it is bound to its query and to the client, the user and the patient of the \
            token that it came with.";
        Problem::Bad(vec![Issue::error(IssueCode::Value, text).about("_cursor").hint("follow the next link as it is")])
    };
    let end = context.cursors.open(cursor, &cursor_context(own, context));
    end.and_then(|text| PageEnd::read(text, has_moment)).map(Some).ok_or_else(refused)
}

/// Returns the text to which a cursor is bound: the address of the query, and the identity of the grant.
fn cursor_context(own: &str, context: QueryContext<'_>) -> String {
    [own, "\u{1f}", &context.grant.identity()].concat()
}

/// Returns the address of the next page: the same query with a cursor. A cursor needs no encoding in an address.
fn next_address(own: &str, cursor: &str) -> String {
    let mark = if own.contains('?') { "&" } else { "?" };
    [own, mark, "_cursor=", cursor].concat()
}

/// Returns the warning about types that the answer leaves out because the grant does not open them, if there are any.
pub fn closed_types(types: &[ResourceType]) -> Option<Issue> {
    let names: Vec<_> = types.iter().map(|resource_type| resource_type.name()).collect();
    let text = "Types were left out, because the access token does not open them.";
    (!names.is_empty()).then(|| Issue::warning(IssueCode::Suppressed, text).hint(names.join(", ")))
}

/// Returns warnings about the parameters, includes and types that the answer leaves out.
pub fn left_out(permitted: &Permitted<Query>) -> Vec<Issue> {
    let query = permitted.request();
    let ignored = query.ignored.iter().cloned();
    let left_out = permitted.left_out().chunk_by(|(a, _), (b, _)| a == b);
    let suppressed = left_out.filter_map(|closed| {
        let include = closed.first()?.0;
        let names = closed.iter().map(|(_, brought)| brought.name()).collect::<Vec<_>>().join(", ");
        let (value, warning) = (include.value(), |text| Issue::warning(IssueCode::Suppressed, text));
        let issue = if closed.len() == 1 {
            warning(format!("{names} by {value} was left out: the access token does not open {names}."))
        } else {
            let text = format!("Types by {value} were left out, because the access token does not open them.");
            warning(text).hint(names)
        };
        Some(issue.about(include.name()))
    });
    let closed = permitted.closed().iter().map(|(name, resource_type)| {
        let text = format!("No {resource_type} was looked at: the access token does not open {resource_type}.");
        Issue::warning(IssueCode::Suppressed, text).about(name.clone())
    });
    ignored.chain(suppressed).chain(closed).collect()
}

/// Returns the warning or error about a chain that leads out of patients' records.
fn leading_out(name: &str, is_error: bool) -> Issue {
    const TEXT: &str = "What is referred to was not looked at where it is not in the record of the same patient, or the \
        access token does not open it.";
    let issue = if is_error { Issue::error } else { Issue::warning };
    issue(IssueCode::NotSupported, TEXT.to_owned()).about(name)
}

/// Returns the warning about an include that was not followed to its end.
fn cut(include: &Include) -> Issue {
    let text = format!(
        "Not all of {} is here: at most {MAX_ROUNDS} references are followed one after the other, and at most \
         {MAX_INCLUDED} resources included in a page.",
        include.value()
    );
    Issue::warning(IssueCode::TooCostly, text).about(include.name())
}

/// Returns the entries in a stored text, each with the requested part of its resource.
pub fn piece<B: Into<String>>(entries: B, subset: &Subset) -> BodyPiece<B> {
    if subset.is_whole() { BodyPiece::Stored(entries) } else { BodyPiece::Text(cut_entries(entries.into(), subset)) }
}

/// Returns the entries, separated by commas, each with a part of its resource. Text with a damaged entry is unchanged.
fn cut_entries(entries: String, subset: &Subset) -> String {
    let cut = |entry: &str| {
        let members = Elements::of(entry).ok()?;
        let (url, resource, search) = (members.get("fullUrl")?, members.get("resource")?, members.get("search")?);
        let resource_type: String = serde_json::from_str(Elements::of(resource).ok()?.get("resourceType")?).ok()?;
        let resource = subset.cut(ResourceType::parse(&resource_type)?, resource).ok()?;
        Some(format!("{{\"fullUrl\":{url},\"resource\":{resource},\"search\":{search}}}"))
    };
    let all = ["[", &entries, "]"].concat();
    let each = serde_json::from_str::<Vec<&RawValue>>(&all).ok();
    let cut: Option<Vec<_>> = each.and_then(|each| each.into_iter().map(|entry| cut(entry.get())).collect());
    cut.map_or(entries, |cut| cut.join(","))
}

/// Returns the body with `_pretty` applied. This parses stored texts.
pub fn with_pretty<B: Into<String>>(reply: Reply<B>, parameters: &FormPairs) -> Reply<B> {
    if !parameters.iter().any(|(name, value)| name == "_pretty" && value == "true") {
        return reply;
    }
    let body = vec![BodyPiece::Text(indent(&splice(reply.body)))];
    Reply { body, ..reply }
}

/// Adds a `Server-Timing` header with the cost of the answer, if the store counts it.
pub fn with_cost<B>(reply: Reply<B>, cost: Cost) -> Reply<B> {
    let reply = Reply { cost, ..reply };
    match cost {
        Cost::Free => reply,
        Cost::D1 { rows_read, trips } => {
            let parts = ["d1;desc=\"rows_read=", &rows_read.to_string(), ", trips=", &trips.to_string(), "\""];
            reply.with("Server-Timing", parts.concat())
        }
        Cost::Kv { reads } => reply.with("Server-Timing", format!("kv;desc=\"reads={reads}\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer_request;
    use crate::form::decode;
    use ::ingest::LoadedMemory;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;
    use search::{Kind, Param, params_of, parse};
    use smart::ScopeSet;
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
    fn entries_are_cut_whatever_the_spelling_of_their_type() {
        for name in ["Patient", "P\\u0061tient"] {
            let resource = format!("{{\"resourceType\":\"{name}\",\"id\":\"a\",\"birthDate\":\"2020\"}}");
            let entry = format!("{{\"fullUrl\":\"u\",\"resource\":{resource},\"search\":{{}}}}");
            let cut = cut_entries(entry, &Subset::Elements(vec!["name".to_owned()]));
            assert!(cut.contains("SUBSETTED") && !cut.contains("2020"), "{cut}");
        }
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
