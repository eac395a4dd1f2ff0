//! The search over charts, for every store that has charts ([`ChartSource`]):
//!
//! 1. Name the charts that may hold matches. These are the charts of the patients whom the query names. Without
//!    patients, the source locates the charts of the resources that it names, or all charts of the type.
//! 2. Read their heads, while the access lists are read. A source may locate and read charts at once, but only for a
//!    grant that reaches all patients. The heads for the joins of the search are read at the same time if the patients
//!    are known, otherwise once the records of the matches are known.
//! 3. Find the resources of the directory to which chains lead, evaluate the joins ([`super::join`]), and evaluate the
//!    query over the remaining rows ([`evaluate`]), which yields the matches of the page.
//! 4. Read the texts of the matches, and at the same time the included resources.
//!
//! A read by id is a search for one resource.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::pin::pin;

use futures_util::future::{Either, join, poll_immediate, ready};

use super::access_lists::{disclosed_cost, reach_all, sees_all};
use super::chart_source::{Attempt, AttemptError, ChartQuery, ChartSource};
use super::follow::{announce, follow, reached};
use super::indexed_params::{check_chart, needed_by_filters};
use super::join::{
    JoinMatches, JoinedRecords, MAX_CHARTS, Part, Record, containers, directory_ends, is_in_no_record,
    join as join_records, joined_types, leading_out, parts, patients_of_records, rules_of,
};
use super::names::{has_own_rows, members_of, names_of};
use super::search_in_turn::{remaining, search_in_turn};
use super::search_plan::{Search, SearchPlan, rules};
use super::{Page, Read, StoreError, StoredResource};
use chart::evaluate::{AccessLists, Candidate, Candidates, evaluate, matches, may_reach, opens, patients_of};
use chart::{ChartName, ChartRow, View};
use fhir::{Id, Reference, ResourceType};
use search::registry::id_param;
use search::{Clause, Param, Query, SortRule};
use smart::{AccessRule, PatientSet, Permitted, PermittedJoin, is_directory};

/// The number of attempts at a request while loads change the charts that it reads.
const TRIES: usize = 3;

/// The most charts that searches of several types read at once.
const CHARTS_AT_ONCE: usize = 64;
/// The most charts that such searches read in all for a page.
const CHARTS_IN_TURN: usize = 512;

/// The most target types of includes whose charts are read together with those of the matches.
const MAX_FORWARD: usize = 2;

/// Tries to answer a request until no chart changes in the meantime.
///
/// # Errors
/// If an attempt fails, or if charts change in each attempt.
pub async fn retry<T>(attempt: impl AsyncFn() -> Attempt<T>) -> Result<T, StoreError> {
    for _ in 0..TRIES {
        match attempt().await {
            Ok(answer) => return Ok(answer),
            Err(AttemptError::Store(error)) => return Err(error),
            Err(AttemptError::Stale) => {}
        }
    }
    Err(StoreError::Unavailable("the charts change while they are read".to_owned()))
}

/// Answers a search from charts with the page after `after`. `listing` reads the access lists.
pub async fn search_charts<S: ChartSource>(
    source: &S,
    plan: &SearchPlan<'_>,
    base: &str,
    after: Option<&str>,
    listing: impl Future<Output = Result<AccessLists, StoreError>>,
) -> Attempt<Page<S::Body>> {
    let first = FirstCharts::of_search(plan.permitted);
    search_from(source, plan, base, after, first, listing).await
}

/// Answers a search like [`search_charts`], from these charts.
///
/// # Errors
/// As [`search_charts`].
pub async fn search_from<S: ChartSource>(
    source: &S,
    plan: &SearchPlan<'_>,
    base: &str,
    after: Option<&str>,
    first: FirstCharts,
    listing: impl Future<Output = Result<AccessLists, StoreError>>,
) -> Attempt<Page<S::Body>> {
    announce(source, plan.permitted);
    let (access_lists, charts) = candidates(source, first, listing, plan.permitted.rules()).await?;
    search_read_charts(source, plan, base, after, &access_lists, &charts).await
}

/// Answers several searches of the same patients' records as one, in sequence, with the page after `after`
/// ([`search_in_turn`]). The charts of several types are read at once, but those of later types only if the page has
/// room for their matches. `listing` reads the access lists.
///
/// # Errors
/// As [`search_charts`].
pub async fn search_each_chart<S: ChartSource>(
    source: &S,
    searches: &[Permitted<Query>],
    base: &str,
    after: Option<&str>,
    listing: impl Future<Output = Result<AccessLists, StoreError>>,
) -> Attempt<Page<S::Body>> {
    let (rest, _) = remaining(searches, after);
    let patients = searches.first().and_then(|permitted| permitted.request().whose()).unwrap_or_default();
    let size = (CHARTS_AT_ONCE / patients.len().max(1)).max(1);
    // The batches are the same for each page, so that charts that were read together are known from a single check.
    let types: Vec<_> = searches.iter().map(|permitted| permitted.request().resource_type).collect();
    let batch_of = |resource_type| types.iter().position(|one| *one == resource_type).unwrap_or_default() / size;
    let read = Cell::new(0);
    let (access_lists, members) = join(listing, located_members(source, rest)).await;
    let (access_lists, members) = (access_lists?, members?);
    let charts_of = |permitted: &Permitted<Query>| {
        let (mut whole, joined) = charts_of_patients(permitted, patients);
        members_of_type(permitted, &access_lists, &members).for_each(|name| name.put(&mut whole));
        (whole, joined)
    };
    // A count needs no texts.
    let only_counts = searches.iter().all(|permitted| permitted.request().count_only);
    let prefetch = async |batch: usize| {
        let (mut names, mut heads) = (Vec::new(), Vec::new());
        for permitted in rest.iter().filter(|permitted| batch_of(permitted.request().resource_type) == batch) {
            let (whole, joined) = charts_of(permitted);
            whole.into_iter().for_each(|name| name.put(&mut names));
            joined.into_iter().for_each(|name| name.put(&mut heads));
        }
        heads.retain(|name| !names.contains(name));
        if only_counts {
            heads.append(&mut names);
        }
        read.set(read.get() + names.len() + heads.len());
        if read.get() > CHARTS_IN_TURN {
            return Err(StoreError::TooCostly);
        }
        source.prefetch(&names, &heads).await
    };
    let first = rest.first().map(|permitted| batch_of(permitted.request().resource_type)).unwrap_or_default();
    prefetch(first).await?;
    let last_read = Cell::new(first);
    let answer = async |permitted: &Permitted<Query>, after: Option<&str>| {
        let resource_type = permitted.request().resource_type;
        if last_read.replace(batch_of(resource_type)) != batch_of(resource_type) {
            prefetch(batch_of(resource_type)).await?;
        }
        let charts = source.charts(&charts_of(permitted).0, Some(resource_type)).await?;
        search_read_charts(source, &SearchPlan::of(permitted), base, after, &access_lists, &charts).await
    };
    let page = search_in_turn(searches, after, &answer).await?;
    let cost = disclosed_cost(source.cost(), searches.iter().flat_map(rules), &access_lists);
    let is_whole = sees_all(searches.iter().flat_map(rules), &access_lists);
    let versions = searches.first().filter(|_| is_whole).and_then(|first| versions_of(source, first, &page.patients));
    Ok(Page { versions, cost, ..page })
}

/// Answers a search from charts that have been read and may hold matches.
async fn search_read_charts<S: ChartSource>(
    source: &S,
    plan: &SearchPlan<'_>,
    base: &str,
    after: Option<&str>,
    access_lists: &AccessLists,
    charts: &[S::Fetched],
) -> Attempt<Page<S::Body>> {
    let (permitted, query) = (plan.permitted, plan.permitted.request());
    let search = plan.search(access_lists, base);
    search.check(charts)?;
    let clauses = || plan.clauses.iter().copied();
    let mut views: Vec<View<'_>> =
        charts.iter().map(|chart| View::new(chart.as_ref(), clauses(), &query.sort)).collect();
    if query.sort.iter().any(SortRule::is_by_name) {
        // Names are only in the texts. For types with names, a chart has few resources.
        let all: Vec<_> = views.iter().flat_map(View::rows).collect();
        source.texts(charts, &all).await?;
        views.iter_mut().try_for_each(View::read_names)?;
    }
    // A resource of several patients is not in their records. A shelf of a type also has resources of one patient.
    let rows = || {
        charts.iter().zip(&views).flat_map(|(chart, view)| {
            let is_found = |row: &ChartRow<'_, '_>| match row.owner().sole() {
                Some(patient) => query.member_of.is_none() || S::compartment(chart) == patient.as_str(),
                None => query.patients.is_none() && S::is_home(chart, *row),
            };
            view.rows().filter(is_found)
        })
    };
    let (joined, leading_out) = joined(source, &search, charts, rows()).await?;
    let rows = rows().filter(|row| JoinMatches::all_find(&joined, *row));
    // One chart has its rows in the default order.
    let found = evaluate(permitted, access_lists, after, Candidates { rows, by_sort_key: views.len() == 1 });
    let (of_includes, of_texts) = (source.parallel(), source.parallel());
    let included = follow(&of_includes, &search, reached(permitted, &found.page));
    let (included, texts) = join(included, of_texts.texts(charts, &found.page)).await;
    source.add_parallel(&of_includes, &of_texts);
    let (included, ()) = (included?, texts?);
    let matched = query.frame(base);
    let entry = |row: &ChartRow<'_, '_>| row.entry(&matched).map(Into::into).map_err(StoreError::from);
    let mut patients = patients_of(found.page.iter().map(|row| row.owner()));
    included.patients.into_iter().for_each(|patient| patient.put(&mut patients));
    let is_whole = sees_all(plan.rules.iter().copied(), access_lists);
    Ok(Page {
        matches: found.page.iter().map(entry).collect::<Result<_, _>>()?,
        included: included.texts,
        cut: included.cut,
        leading_out,
        page_end: found.page_end,
        total: found.total,
        types: Vec::new(),
        versions: if is_whole { versions_of(source, permitted, &patients) } else { None },
        patients,
        cost: disclosed_cost(source.cost(), plan.rules.iter().copied(), access_lists),
    })
}

/// Returns the versions on which a page depends ([`Page::versions`]), if no access list limits it. `found` are its
/// patients.
fn versions_of<S: ChartSource>(source: &S, permitted: &Permitted<Query>, found: &[Id]) -> Option<Vec<i64>> {
    let named = permitted.request().patients.as_deref().filter(|named| *named == found)?;
    source.versions(named)
}

/// Returns the matches of the joins of a search among the candidate `rows` of these charts.
async fn joined<'v, S: ChartSource>(
    source: &S,
    search: &'v Search<'v>,
    of_matches: &[S::Fetched],
    rows: impl Iterator<Item = ChartRow<'v, 'v>>,
) -> Attempt<JoinedRecords> {
    let (permitted, access_lists) = (search.permitted, search.access_lists);
    let query = permitted.request();
    if permitted.joins().is_empty() {
        return Ok(JoinedRecords::default());
    }
    let resource_type = query.resource_type;
    if is_directory(resource_type) {
        let joined = join_in_directory(source, search, permitted.joins(), resource_type).await?;
        return Ok((joined, BTreeSet::new()));
    }
    let mut types = joined_types(permitted);
    let mut matching = Vec::new();
    let patients: Vec<String> = match &query.patients {
        Some(patients) => patients.iter().map(ToString::to_string).collect(),
        None => {
            matching.extend(rows.filter(|row| matches(permitted, access_lists, *row)));
            patients_of_records(matching.iter().copied(), permitted)?
        }
    };
    if !types.contains(&query.resource_type) {
        types.push(query.resource_type);
    }
    let names = patients.iter().flat_map(|patient| types.iter().map(move |on| ChartName::new(patient, *on)));
    let names: Vec<_> = names.collect();
    source.prefetch(&[], &names).await?;
    let charts = source.charts(&names, None).await?;
    search.check(&charts)?;
    let views = search.views(&charts);
    let mut records = Vec::with_capacity(patients.len());
    for patient in &patients {
        let of_patient = charts.iter().zip(&views).filter(|(chart, _)| S::compartment(chart) == patient);
        let mut record = ChartRecord { views: of_patient.map(|(_, view)| view).collect(), parts: Vec::new() };
        let rows = record.containers(permitted.joins());
        record.parts = parts_of(source, search, permitted.joins(), &charts, rows).await?;
        records.push(record);
    }
    let (mut joined, mut leading_out) = joined_in(source, search, &records).await?;
    matching.retain(|row| is_in_no_record(*row));
    if !matching.is_empty() {
        let own = containers(permitted.joins()).into_iter().filter(|(on, _)| *on == query.resource_type);
        let has_parts = |row: &ChartRow<'_, '_>| own.clone().any(|(_, clause)| row.has(&clause));
        let rows = matching.iter().copied().filter(has_parts).collect();
        let parts = parts_of(source, search, permitted.joins(), of_matches, rows).await?;
        let (others, of_others) = joined_in(source, search, &[RowsOfNobody { rows: matching, parts }]).await?;
        JoinMatches::extend(&mut joined, others);
        leading_out.extend(of_others);
    }
    Ok((joined, leading_out))
}

/// Returns the parts of those rows of charts that the grant opens.
async fn parts_of<'v, S: ChartSource>(
    source: &S,
    search: &'v Search<'v>,
    joins: &[PermittedJoin],
    charts: &[S::Fetched],
    mut rows: Vec<ChartRow<'v, 'v>>,
) -> Attempt<Vec<Part>> {
    rows.retain(|row| opens(rules_of(search.permitted, row.resource_type()), search.access_lists, *row));
    source.texts(charts, &rows).await?;
    let mut all = Vec::new();
    for row in rows {
        if let Some(reference) = row.reference() {
            all.extend(parts(joins, &reference, row.owner(), &row.chart().text(row.row)?));
        }
    }
    Ok(all)
}

/// Returns the resources that satisfy the joins of a search in these records.
async fn joined_in<'r, S: ChartSource, R: Record<'r>>(
    source: &S,
    search: &'r Search<'r>,
    records: &[R],
) -> Attempt<JoinedRecords> {
    let (permitted, access_lists) = (search.permitted, search.access_lists);
    let ends = directory_ends(records, permitted, access_lists)?;
    let found = if ends.is_empty() { Vec::new() } else { source.directory(search, &ends).await? };
    let directory = ends.iter().map(|end| end.inner).zip(found).collect::<Vec<_>>();
    let joined = join_records(records, permitted.joins(), permitted.request().resource_type, access_lists, &directory);
    Ok((joined, leading_out(records, permitted, access_lists)))
}

/// Matches that are in no record. Their references may lead into the directory.
struct RowsOfNobody<'v> {
    rows: Vec<ChartRow<'v, 'v>>,
    parts: Vec<Part>,
}

impl<'v> Record<'v> for RowsOfNobody<'v> {
    type Row = ChartRow<'v, 'v>;

    fn rows(&self, _: ResourceType) -> Vec<ChartRow<'v, 'v>> {
        Vec::new()
    }

    fn references(&self, param: &'static Param) -> Vec<(String, Vec<ChartRow<'v, 'v>>)> {
        let of_type = self.rows.iter().filter(|row| row.resource_type() == param.base);
        of_type.flat_map(|row| row.references(param).into_iter().map(|target| (target, vec![*row]))).collect()
    }

    fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// Returns the resources of the directory that satisfy the joins from resources of a type in the directory, for a
/// source with charts of the directory. All charts of each type are read.
pub async fn join_in_directory<S: ChartSource>(
    source: &S,
    search: &Search<'_>,
    joins: &[PermittedJoin],
    resource_type: ResourceType,
) -> Attempt<Vec<JoinMatches>> {
    let mut names = Vec::new();
    let inner = PermittedJoin::all(joins).into_iter().flat_map(PermittedJoin::alternatives);
    for resource_type in inner.map(|inner| inner.request().resource_type).chain([resource_type]) {
        source.locate(&ChartQuery::All, resource_type).await?.into_iter().for_each(|name| name.put(&mut names));
    }
    let charts = source.charts(&names, None).await?;
    search.check(&charts)?;
    let views = search.views(&charts);
    let mut record = ChartRecord { views: views.iter().collect(), parts: Vec::new() };
    let rows = record.containers(joins);
    record.parts = parts_of(source, search, joins, &charts, rows).await?;
    Ok(join_records(&[record], joins, resource_type, search.access_lists, &[]))
}

struct ChartRecord<'v> {
    views: Vec<&'v View<'v>>,
    parts: Vec<Part>,
}

impl<'v> ChartRecord<'v> {
    fn of_type(&self, resource_type: ResourceType) -> impl Iterator<Item = &'v View<'v>> {
        self.views.iter().copied().filter(move |view| view.resource_type() == resource_type)
    }

    /// Returns the rows in which joins look for contained resources.
    fn containers(&self, joins: &[PermittedJoin]) -> Vec<ChartRow<'v, 'v>> {
        let of_type = |(on, clause): (_, Clause)| self.of_type(on).flat_map(move |view| view.with(&clause));
        containers(joins).into_iter().flat_map(of_type).collect()
    }
}

impl<'v> Record<'v> for ChartRecord<'v> {
    type Row = ChartRow<'v, 'v>;

    fn rows(&self, resource_type: ResourceType) -> Vec<ChartRow<'v, 'v>> {
        self.of_type(resource_type).flat_map(View::rows).collect()
    }

    fn references(&self, param: &'static Param) -> Vec<(String, Vec<ChartRow<'v, 'v>>)> {
        self.of_type(param.base).flat_map(|view| view.references(param)).collect()
    }

    fn parts(&self) -> &[Part] {
        &self.parts
    }
}

/// Reads a resource from a chart. `listing` reads the access lists.
///
/// # Errors
/// As [`search_charts`].
pub async fn read_chart<S: ChartSource>(
    source: &S,
    permitted: &Permitted<Reference>,
    listing: impl Future<Output = Result<AccessLists, StoreError>>,
) -> Attempt<Read<S::Body>> {
    let (access_lists, charts) =
        candidates(source, FirstCharts::of_read(permitted), listing, permitted.rules()).await?;
    let clauses: Vec<_> = permitted.rules().iter().flat_map(|rule| &rule.only).collect();
    let needed = needed_by_filters(permitted.rules());
    for chart in charts.iter().map(AsRef::as_ref) {
        let row = chart.find(permitted.request().id.as_str());
        check_chart(chart, row.into_iter(), &needed, [permitted.rules()].into_iter(), &access_lists)?;
    }
    let views: Vec<View<'_>> =
        charts.iter().map(|chart| View::new(chart.as_ref(), clauses.iter().copied(), &[])).collect();
    let reference = permitted.request();
    let is_open = |row: &ChartRow<'_, '_>| opens(permitted.rules(), &access_lists, *row);
    let Some(row) = views.iter().filter_map(|view| view.find(reference)).find(is_open) else {
        return Ok(Read { found: None, cost: source.cost() });
    };
    let modified = row.chart().modified(row.row);
    source.texts(&charts, &[row]).await?;
    let found = StoredResource {
        body: row.body(String::new(), "")?.into(),
        version: row.chart().version(row.row),
        modified,
        patients: patients_of(std::iter::once(row.owner())),
    };
    Ok(Read { found: Some(found), cost: source.cost() })
}

/// The charts with which an answer begins.
pub enum FirstCharts {
    /// The named charts of this type, and at the same time the other charts for reverse includes, and the heads for
    /// joins.
    Of(ResourceType, Vec<ChartName>, Vec<ChartName>),
    /// The charts of resources of a type, which the source locates, and at the same time the heads of these types in
    /// the same records, for joins.
    Located(ChartQuery, ResourceType, Vec<ResourceType>),
    /// The named charts and heads, as for [`Self::Of`], and the charts of other members, by these names.
    WithMembers(Vec<ChartName>, Vec<ChartName>, (&'static Param, Vec<String>)),
}

impl FirstCharts {
    /// Returns the charts that may hold matches of a search and, if the patients are known, those for its reverse
    /// includes and joins.
    pub fn of_search(permitted: &Permitted<Query>) -> Self {
        let query = permitted.request();
        if let Some(patients) = &query.patients {
            return Self::of_patients(permitted, patients);
        }
        if let Some(members) = sought_members(query) {
            let (names, heads) = charts_of_patients(permitted, query.whose().unwrap_or_default());
            return Self::WithMembers(names, heads, members);
        }
        let wanted = names_of(query).map_or(ChartQuery::All, |(param, names)| ChartQuery::Named(param, names));
        Self::Located(wanted, query.resource_type, joined_types(permitted))
    }

    /// Returns the charts for a search of these patients' records.
    pub fn of_patients(permitted: &Permitted<Query>, patients: &[Id]) -> Self {
        let (names, heads) = charts_of_patients(permitted, patients);
        Self::Of(permitted.request().resource_type, names, heads)
    }

    /// Returns the charts that may hold a resource.
    pub fn of_read(permitted: &Permitted<Reference>) -> Self {
        let reference = permitted.request();
        let Some(patients) = sole_patients(permitted) else {
            let names = vec![reference.to_string()];
            let wanted = ChartQuery::Named(id_param(reference.resource_type), names);
            return Self::Located(wanted, reference.resource_type, Vec::new());
        };
        let mut names = Vec::new();
        patients.into_iter().for_each(|patient| ChartName::new(patient, reference.resource_type).put(&mut names));
        Self::Of(reference.resource_type, names, Vec::new())
    }
}

/// Returns the charts for a search of these patients' records: those of its type and of its reverse includes, and those
/// whose heads its joins and includes need. If includes lead to many types, their charts are read later, when needed.
fn charts_of_patients(permitted: &Permitted<Query>, patients: &[Id]) -> (Vec<ChartName>, Vec<ChartName>) {
    let query = permitted.request();
    let (mut names, mut heads) = (Vec::new(), Vec::new());
    let mut joined = joined_types(permitted);
    let reverse: Vec<_> =
        permitted.followed_back().iter().map(|param| param.base).filter(|on| !is_directory(*on)).collect();
    let includes = || permitted.included().iter().map(|(on, _)| *on);
    let forward: Vec<_> = includes().filter(|on| !has_own_rows(*on) && !reverse.contains(on)).collect();
    if forward.len() <= MAX_FORWARD {
        let new: Vec<_> = forward.into_iter().filter(|resource_type| !joined.contains(resource_type)).collect();
        joined.extend(new);
    }
    for patient in patients {
        let types = std::iter::once(query.resource_type).chain(reverse.iter().copied());
        types.for_each(|resource_type| ChartName::new(patient, resource_type).put(&mut names));
        heads.extend(joined.iter().map(|resource_type| ChartName::new(patient, *resource_type)));
    }
    heads.retain(|name| !names.contains(name));
    (names, heads)
}

/// Returns the names of matches of a search that are in patients' compartments but are not stored with the patients.
fn sought_members(query: &Query) -> Option<(&'static Param, Vec<String>)> {
    let members = query.member_of.as_ref().filter(|_| query.patients.is_none())?;
    members_of(query.resource_type, &members.patients)
}

/// Returns the charts that may hold such matches, for searches of several types.
async fn located_members<S: ChartSource>(
    source: &S,
    searches: &[Permitted<Query>],
) -> Result<Vec<ChartName>, StoreError> {
    let wanted: Vec<_> = searches.iter().filter_map(|permitted| sought_members(permitted.request())).collect();
    if wanted.is_empty() { Ok(Vec::new()) } else { source.locate_each(&wanted).await }
}

/// Returns the charts of such matches that have the type of a search and that its rules may reach.
fn members_of_type<'a>(
    permitted: &'a Permitted<Query>,
    access_lists: &'a AccessLists,
    members: &'a [ChartName],
) -> impl Iterator<Item = ChartName> {
    let is_wanted = |name: &&ChartName| {
        name.resource_type == permitted.request().resource_type
            && may_reach(permitted.rules(), access_lists, &name.compartment)
    };
    members.iter().filter(is_wanted).cloned()
}

/// Returns the patients to whose records a read is limited, if each of its rules is for one patient.
pub fn sole_patients(permitted: &Permitted<Reference>) -> Option<Vec<&Id>> {
    permitted
        .rules()
        .iter()
        .map(|rule| match &rule.patients {
            PatientSet::One(patient) => Some(patient),
            PatientSet::All | PatientSet::AccessList(_) | PatientSet::Nobody => None,
        })
        .collect()
}

/// Reads the charts with which an answer begins, while the access lists are read. Charts are located and read at once
/// if `rules` are known to reach all patients. Otherwise all charts are located first, and then only those that the
/// rules may reach are read: an id in another compartment takes as many trips, and as long, as a missing one. Resources
/// of several patients are in compartments of their own, which are read.
async fn candidates<S: ChartSource>(
    source: &S,
    first: FirstCharts,
    listing: impl Future<Output = Result<AccessLists, StoreError>>,
    rules: &[AccessRule],
) -> Result<(AccessLists, Vec<S::Fetched>), StoreError> {
    match first {
        FirstCharts::Of(resource_type, names, heads) => {
            let reading = async {
                if !heads.is_empty() {
                    source.prefetch(&names, &heads).await?;
                }
                source.charts(&names, Some(resource_type)).await
            };
            let (access_lists, charts) = join(listing, reading).await;
            Ok((access_lists?, charts?))
        }
        FirstCharts::WithMembers(mut names, heads, wanted) => {
            let (of_patients, of_members) = (source.parallel(), source.parallel());
            let wanted = [wanted];
            let reading = join(of_patients.prefetch(&names, &heads), of_members.locate_each(&wanted));
            let (access_lists, (read, located)) = join(listing, reading).await;
            source.add_parallel(&of_patients, &of_members);
            let (access_lists, ()) = (access_lists?, read?);
            let is_open = |name: &ChartName| may_reach(rules, &access_lists, &name.compartment);
            located?.into_iter().filter(is_open).for_each(|name| name.put(&mut names));
            let [(param, _)] = wanted;
            let charts = source.charts(&names, Some(param.base)).await?;
            Ok((access_lists, charts))
        }
        FirstCharts::Located(wanted, resource_type, joined) => {
            let mut listing = pin!(listing);
            // Nothing is read if no rule needs a list, or if the lists are in the isolate's cache.
            let listing = match poll_immediate(listing.as_mut()).await.transpose()? {
                Some(access_lists) if joined.is_empty() && reach_all(rules, &access_lists) => {
                    return Ok((access_lists, source.located(&wanted, resource_type).await?));
                }
                Some(access_lists) => Either::Left(ready(Ok(access_lists))),
                None => Either::Right(listing),
            };
            let (access_lists, located) = join(listing, source.locate(&wanted, resource_type)).await;
            let access_lists = access_lists?;
            let mut names = Vec::new();
            for name in located? {
                if may_reach(rules, &access_lists, &name.compartment) {
                    name.put(&mut names);
                }
            }
            // The chart of several patients, or the part of a shelf, belongs to no patient's record.
            let records = names.iter().filter(|name| Id::is_valid(&name.compartment));
            let heads = records.flat_map(|name| joined.iter().map(|on| ChartName::new(&name.compartment, *on)));
            let heads: Vec<_> = heads.filter(|head| !names.contains(head)).collect();
            if !heads.is_empty() && heads.len() <= MAX_CHARTS {
                source.prefetch(&names, &heads).await?;
            }
            let charts = source.charts(&names, Some(resource_type)).await?;
            Ok((access_lists, charts))
        }
    }
}
