//! The store over a database.

use std::borrow::Cow;
use std::collections::BTreeSet;

use futures_util::future::{join, join_all};

use super::chart_cache::ChartCache;
use super::charts::{ChartReader, reached_rows};
use super::from_charts::{answers_from_charts, reads_chart};
use super::joins::clauses_of_joins;
use super::lower::{MAX_GATHERED, RowOwner, SearchStatements, lower, lower_gathered, lower_patients, lower_read};
use super::{RecordDatabases, RoutedStatement};
use crate::access_lists::{AccessListReader, disclosed_cost, lists_of, patient_of, sees_all};
use crate::chart_source::{Attempt, ChartSource, IncludedPage};
use crate::encoding::LAST_SORT_KEY;
use crate::follow::follow;
use crate::indexed_params::needed_by_filters;
use crate::join::most_patients;
use crate::names::has_own_rows;
use crate::rounds::MAX_INCLUDED;
use crate::search_charts::{FirstCharts, read_chart, retry, search_charts, search_each_chart, search_from};
use crate::search_plan::{SearchPlan, rules};
use crate::{
    Corrections, Cost, Dependency, Page, Read, StoreError, StoredResource, UncheckedStore, another_format, format,
};
use chart::BodyRef;
use chart::evaluate::{AccessLists, SearchResult, page_of};
use database::{Database, Rows, Statement, missing_tables};
use fhir::{Id, Micros, Reference};
use search::sorting::{BEFORE_ID, codes_of_text, split_position};
use search::{Param, Query, SortKey, Total};
use smart::{Permitted, is_directory};

const TABLES: [&str; 12] = [
    "compartment",
    "chart",
    "locator",
    "shard_map",
    "resource",
    "fact",
    "link",
    "alias",
    "dependent",
    "format",
    "reindexing",
    "deleted",
];

/// A store that queries a database.
#[derive(Debug)]
pub struct SqlStore<'a, D: Database, A> {
    databases: RecordDatabases<'a, D>,
    access_lists: AccessListReader<'a, A>,
    base: String,
    cache: &'a ChartCache<D::Rows>,
    now: Micros,
}

impl<'a, D: Database, A> SqlStore<'a, D, A> {
    /// Creates a store over databases, whose entries have URLs below the FHIR base `base`. `access_lists` reads the
    /// access lists, `cache` is the cache of the isolate, and `now` the time of the call.
    pub const fn new(
        databases: RecordDatabases<'a, D>,
        access_lists: AccessListReader<'a, A>,
        base: String,
        cache: &'a ChartCache<D::Rows>,
        now: Micros,
    ) -> Self {
        Self { databases, access_lists, base, cache, now }
    }
}

impl<D: Database, A: Database> UncheckedStore for SqlStore<'_, D, A>
where
    <D::Rows as Rows>::Body: From<BodyRef>,
{
    type Body = <D::Rows as Rows>::Body;

    async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError> {
        let query = permitted.request();
        let (plan, patients) = (SearchPlan::of(permitted), query.patients.as_deref());
        retry(async || {
            let reader = ChartReader::new(&self.databases, self.cache, self.now);
            let listing = self.access_lists.read(lists_of(plan.rules.iter().copied()), patients);
            if answers_from_charts(query.resource_type, query.whose().is_some()) {
                search_charts(&reader, &plan, &self.base, after, listing).await
            } else if !permitted.joins().is_empty() && is_directory(query.resource_type) {
                let access_lists = listing.await?;
                let needed = needed_of_rows(&plan);
                let read = async |statements| reader.read_rows(statements, &needed).await;
                let clauses = clauses_of_joins(permitted.joins(), permitted, &access_lists, &read).await?;
                let of_rows = permitted.without_joins(clauses);
                self.search_rows(&reader, &SearchPlan::of(&of_rows), after, &access_lists).await
            } else if !permitted.joins().is_empty() {
                self.search_joined(&reader, &plan, after, listing.await?).await
            } else {
                self.search_rows(&reader, &plan, after, &listing.await?).await
            }
        })
        .await
    }

    async fn search_each(
        &self,
        searches: &[Permitted<Query>],
        after: Option<&str>,
    ) -> Result<Page<Self::Body>, StoreError> {
        let patients = searches.first().and_then(|permitted| permitted.request().patients.as_deref());
        retry(async || {
            let reader = ChartReader::new(&self.databases, self.cache, self.now);
            let listing = self.access_lists.read(lists_of(searches.iter().flat_map(rules)), patients);
            search_each_chart(&reader, searches, &self.base, after, listing).await
        })
        .await
    }

    async fn versions(&self, searches: &[Permitted<Query>]) -> Result<Option<(Vec<i64>, Cost)>, StoreError> {
        let Some(patients) = searches.first().and_then(|permitted| permitted.request().patients.as_deref()) else {
            return Ok(None);
        };
        let reader = ChartReader::new(&self.databases, self.cache, self.now);
        let listing = self.access_lists.read(lists_of(searches.iter().flat_map(rules)), Some(patients));
        let (access_lists, versions) = join(listing, reader.read_versions(patients)).await;
        let is_whole = sees_all(searches.iter().flat_map(rules), &access_lists?);
        Ok(versions?.filter(|_| is_whole).map(|versions| (versions, reader.cost())))
    }

    async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError> {
        retry(async || {
            let reader = ChartReader::new(&self.databases, self.cache, self.now);
            let listing = self.access_lists.read(lists_of([permitted.rules()].into_iter()), patient_of(permitted));
            if reads_chart(permitted) {
                read_chart(&reader, permitted, listing).await
            } else {
                Ok(Self::read_row(&reader, permitted, &listing.await?).await?)
            }
        })
        .await
    }

    fn corrections(&self) -> Option<&Corrections> {
        Some(self.cache.corrections())
    }

    async fn dependencies(&self) -> Vec<Dependency> {
        let check = async |(shard, database): (usize, &D)| {
            let name = if shard == 0 { "records".into() } else { Cow::from(format!("shard-{shard}")) };
            let status = match is_ready(database).await {
                Ok(()) if shard == 0 => has_shards(database, self.databases.all().count()).await,
                status => status,
            };
            Dependency::of(name, status)
        };
        join_all(self.databases.all().enumerate().map(check)).await
    }

    fn miss_cost(&self) -> Cost {
        Cost::D1 { rows_read: 1, trips: 1 }
    }
}

impl<D: Database, A: Database> SqlStore<'_, D, A>
where
    <D::Rows as Rows>::Body: From<BodyRef>,
{
    /// Answers a search from the rows of a type. Resources that refer to the matches are in charts.
    async fn search_rows(
        &self,
        reader: &ChartReader<'_, D>,
        plan: &SearchPlan<'_>,
        after: Option<&str>,
        access_lists: &AccessLists,
    ) -> Attempt<Page<<Self as UncheckedStore>::Body>> {
        let (permitted, query) = (plan.permitted, plan.permitted.request());
        let needed = needed_of_rows(plan);
        let resource_type = query.resource_type;
        let mut lowered = lower(permitted, access_lists, &self.base, after);
        let mut sorted = None;
        if let Some(statement) = lowered.gathered.take() {
            let answers = reader.read_rows(vec![RoutedStatement::directory(statement)], &needed).await?;
            let gathered = answers.first().map(|rows| sort_gathered(query, after, rows)).transpose()?;
            let SearchResult { page, page_end, total } = gathered.unwrap_or_default();
            if !page.is_empty() {
                lowered = lower_gathered(permitted, access_lists, &self.base, page);
            }
            sorted = Some((page_end, total));
        }
        let SearchStatements { page, count, includes, owner, .. } = lowered;
        let (paged, counted, is_followed) = (page.is_some(), count.is_some(), includes.is_none());
        let mut statements: Vec<_> = page.into_iter().chain(count).collect();
        let mut owners = Vec::new();
        for include in includes.into_iter().flatten() {
            statements.push(include.statement);
            owners.push(include.owner);
        }
        let statements: Vec<_> = statements.into_iter().map(RoutedStatement::directory).collect();
        let answers = if statements.is_empty() { Vec::new() } else { reader.read_rows(statements, &needed).await? };
        let mut answers = answers.into_iter();
        let page = if paged { answers.next() } else { None };
        let total = if counted { answers.next() } else { None };
        if page.iter().chain(&total).any(is_cut) {
            return Err(StoreError::TooCostly.into());
        }
        let total = total.map_or(Ok(None), |rows| rows.number(0, "total"))?;
        let found = page.as_ref().map_or(0, Rows::count);
        let length = found.min(query.count);
        let more = found > length;
        let known = query.total == Total::WhereKnown && after.is_none() && !more;
        let mut matches = Vec::new();
        match &page {
            // If the query requests a part of each resource, each entry must be separate.
            Some(rows) if !query.subset.is_whole() => matches = rows.entries(length),
            Some(rows) => matches.extend(rows.run(length)),
            None => {}
        }
        let mut patients = Vec::new();
        if let Some(rows) = page.as_ref().filter(|_| length > 0) {
            owner.add(rows, length, &mut patients);
        }
        let included = match page.as_ref().filter(|_| is_followed) {
            None => linked_entries(permitted, answers.zip(owners)),
            Some(rows) => {
                let reached = reached_rows(resource_type, rows, length, &permitted.followed(resource_type))?;
                let search = plan.search(access_lists, &self.base);
                follow(reader, &search, reached).await?
            }
        };
        included.patients.into_iter().for_each(|patient| patient.put(&mut patients));
        let (page_end, total) = sorted.unwrap_or_else(|| {
            let last = page.as_ref().filter(|_| more);
            let page_end = last.and_then(|rows| rows.text(length.checked_sub(1)?, "position"));
            (page_end, total.or_else(|| known.then_some(length as u64)))
        });
        Ok(Page {
            matches,
            included: included.texts,
            cut: included.cut,
            leading_out: BTreeSet::new(),
            page_end,
            total,
            types: Vec::new(),
            patients,
            versions: None,
            cost: disclosed_cost(reader.cost(), plan.rules.iter().copied(), access_lists),
        })
    }

    /// Answers a search with joins and without patients, of a type that has rows. The rows that satisfy the clauses
    /// determine the records, in whose charts the search continues.
    async fn search_joined(
        &self,
        reader: &ChartReader<'_, D>,
        plan: &SearchPlan<'_>,
        after: Option<&str>,
        access_lists: AccessLists,
    ) -> Attempt<Page<<Self as UncheckedStore>::Body>> {
        let permitted = plan.permitted;
        let statement = lower_patients(permitted, &access_lists);
        let needed = needed_of_rows(plan);
        let answers = reader.run_indexed(vec![RoutedStatement::directory(statement)], &needed).await?;
        let patients = |rows: &D::Rows| {
            (0..rows.count()).filter_map(|row| Id::parse(&rows.text(row, "patient")?)).collect::<Vec<_>>()
        };
        let patients = answers.first().map(patients).unwrap_or_default();
        if patients.len() > most_patients(permitted) {
            return Err(StoreError::TooCostly.into());
        }
        let first = FirstCharts::of_patients(permitted, &patients);
        search_from(reader, plan, &self.base, after, first, async { Ok(access_lists) }).await
    }

    /// Reads a resource from the rows of its type.
    async fn read_row(
        reader: &ChartReader<'_, D>,
        permitted: &Permitted<Reference>,
        access_lists: &AccessLists,
    ) -> Result<Read<<Self as UncheckedStore>::Body>, StoreError> {
        let (statement, owner) = lower_read(permitted, access_lists);
        let statement = vec![RoutedStatement::directory(statement)];
        let answers = reader.read_rows(statement, &needed_by_filters(permitted.rules())).await?;
        let stored = |rows: &D::Rows| {
            let damaged = || StoreError::Damaged(format!("the row of {} is damaged", permitted.request()));
            let body = rows.entries(1).pop().ok_or_else(damaged)?;
            let version = rows.text(0, "version").ok_or_else(damaged)?;
            let mut patients = Vec::new();
            owner.add(rows, 1, &mut patients);
            Ok::<_, StoreError>(StoredResource { body, version, modified: rows.text(0, "modified"), patients })
        };
        let found = answers.first().filter(|rows| rows.count() > 0).map(stored).transpose()?;
        Ok(Read { found, cost: reader.cost() })
    }
}

/// Returns the parameters of types with rows that a search needs.
fn needed_of_rows(plan: &SearchPlan<'_>) -> Vec<&'static Param> {
    plan.needed.iter().copied().filter(|param| has_own_rows(param.base)).collect()
}

/// Fails unless a database has the tables and the format of records.
async fn is_ready<D: Database>(database: &D) -> Result<(), String> {
    let statement = Statement { text: "SELECT number FROM format".to_owned(), binds: Vec::new() };
    let answers = database.batch(vec![Statement::tables(), statement]).await;
    let answers = answers.map_err(|error| error.detail)?;
    let missing = answers.first().and_then(|tables| missing_tables(tables, &TABLES));
    if let Some(missing) = missing {
        return Err(missing);
    }
    let stored = answers.get(1).and_then(|rows| rows.text(0, "number")).unwrap_or_default();
    if stored == format() {
        return Ok(());
    }
    Err(another_format("records", &stored))
}

/// Fails if the map of shards names a shard that is not among the first `shards`.
async fn has_shards<D: Database>(directory: &D, shards: usize) -> Result<(), String> {
    let text = format!("SELECT max(shard) AS shard FROM shard_map WHERE shard >= {shards}");
    let answers = directory.batch(vec![Statement { text, binds: Vec::new() }]).await.map_err(|error| error.detail)?;
    let missing = answers.first().and_then(|rows| rows.text(0, "shard"));
    missing.map_or(Ok(()), |shard| Err(format!("the map of shards names shard {shard}, which is not bound")))
}

/// Returns the ids of the page after `after` of a search whose matches have been gathered, in the requested order.
///
/// # Errors
/// If there are too many matches or candidates, or a text is damaged.
fn sort_gathered<R: Rows>(query: &Query, after: Option<&str>, rows: &R) -> Result<SearchResult<String>, StoreError> {
    if rows.count() > MAX_GATHERED {
        return Err(StoreError::TooCostly);
    }
    let (keys, _) = query.sort_keys();
    let mut positions = Vec::with_capacity(rows.count());
    for row in 0..rows.count() {
        let sort_key = rows.text(row, "sort").unwrap_or_default();
        if sort_key == LAST_SORT_KEY {
            return Err(StoreError::TooCostly);
        }
        let id = sort_key.get(SortKey::ID_AT..).unwrap_or_default();
        let codes = rows.text(row, "elements").and_then(|elements| codes_of_text(&keys, &elements).ok());
        let damaged = || StoreError::Damaged(format!("the text of {}/{id} is damaged", query.resource_type));
        let codes = codes.ok_or_else(damaged)?;
        positions.push(Cow::Owned([&codes, BEFORE_ID, id].concat()));
    }
    let SearchResult { page, page_end, total } = page_of(query, after, &positions);
    let ids = page.into_iter().filter_map(|at| positions.get(at)).map(|position| split_position(position).1.to_owned());
    Ok(SearchResult { page: ids.collect(), page_end, total })
}

/// Returns whether rows indicate that a search would read too many candidates. Such a row is the first or the last.
fn is_cut<R: Rows>(rows: &R) -> bool {
    let last = rows.count().saturating_sub(1);
    [0, last].into_iter().any(|row| rows.text(row, "cut").is_some_and(|cut| cut == "1"))
}

/// Returns the entries of the rows of a page's includes, which have these owners. Closed resources have no entry.
fn linked_entries<'a, R: Rows>(
    permitted: &Permitted<Query>,
    answers: impl Iterator<Item = (R, RowOwner<'a>)>,
) -> IncludedPage<R::Body> {
    let mut included = IncludedPage::default();
    let answers: Vec<_> = answers.collect();
    let has_room = answers.iter().map(|(rows, _)| rows.count()).sum::<usize>() <= MAX_INCLUDED;
    for (rows, owner) in answers {
        owner.add(&rows, usize::MAX, &mut included.patients);
        if has_room {
            included.texts.extend(rows.run(usize::MAX));
        } else {
            included.texts.extend(rows.entries(usize::MAX));
        }
    }
    if !has_room && included.texts.len() > MAX_INCLUDED {
        included.texts.truncate(MAX_INCLUDED);
        included.cut = permitted.includes().to_vec();
    }
    included
}
