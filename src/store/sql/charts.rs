//! Reading charts from the table `chart`. An isolate keeps the charts that it has read. The statement for a chart
//! checks the version of its compartment, so that an unchanged chart is not sent again. Within the window after such a
//! check, the database is not queried at all.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::chart_cache::{CachedChart, ChartCache, Check, FetchedChart};
use super::chart_table::{
    ChartPart, Extent, ends_in_head, extents, open_chart, parts, select_chart, select_pages, select_shared,
};
use super::databases::{Destination, RecordDatabases, RoutedStatement};
use super::joins::clauses_of_joins;
use super::lower::{RowOwner, lower_end};
use super::lower_round::lower_round;
use super::text::{Sql, write_sql};
use crate::chart_source::{Attempt, AttemptError, ChartQuery, ChartSource, IncludedRow};
use crate::indexed_params::{needed_by_filters, needed_by_subquery};
use crate::join::{DirectoryEnd, FoundReferences};
use crate::names::{OF_MANY, name_hash};
use crate::rounds::{IncludeSource, Round};
use crate::search_plan::Search;
use crate::{Cost, IndexedParams, StoreError};
use chart::{BodyLocation, BodyRef, ChartName, ChartRow};
use database::{Database, DatabaseError, MAX_STATEMENT_LENGTH, Rows, Statement};
use fhir::{Id, Micros, Reference, ResourceType};
use search::{Param, references};

/// The most charts that one search may read. One invocation of a Worker may run 1,000 statements.
const MAX_CHARTS: usize = 512;
/// The most compartments in which resources with a name are located, before those that the grant does not open are
/// removed.
const MAX_COMPARTMENTS: usize = 20_000;
/// The most bytes that one search may read. An isolate has 128 MB.
const MAX_BYTES: usize = 48 << 20;

/// The most patients on whose versions an answer may depend.
const MAX_VERSIONS: usize = 8;

/// The version in the directory of a compartment whose charts are in another shard.
const ELSEWHERE: i64 = 0;

#[derive(Debug, Default)]
pub(super) struct ReadRecords {
    /// The charts by name. `None` stands for the absence of a compartment.
    charts: HashMap<ChartName, Option<CachedChart>>,
    /// True if something else was read too, such as rows of the directory.
    pub(super) is_more: bool,
    /// True if the search will need to know whether there are Provenances of many patients.
    expects_of_many: bool,
    /// The answer, once it is known.
    of_many: Option<bool>,
}

/// The reading of charts for one search or read.
pub struct ChartReader<'s, D: Database> {
    pub(super) databases: &'s RecordDatabases<'s, D>,
    pub(super) cache: &'s ChartCache<D::Rows>,
    pub(super) now: Micros,
    pub(super) read: Rc<RefCell<ReadRecords>>,
    rows_read: Cell<u64>,
    trips: Cell<u64>,
    bytes: Cell<usize>,
}

impl<D: Database> ChartSource for ChartReader<'_, D>
where
    <D::Rows as Rows>::Body: From<BodyRef>,
{
    type Fetched = FetchedChart;
    type Body = <D::Rows as Rows>::Body;

    async fn locate(&self, wanted: &ChartQuery, resource_type: ResourceType) -> Result<Vec<ChartName>, StoreError> {
        if let ChartQuery::Named(param, names) = wanted {
            return self.locate_each(&[(*param, names.clone())]).await;
        }
        // `Grant::narrow` permits such a search only of what belongs to no patient.
        self.read.borrow_mut().is_more = true;
        let answers = self.databases.run_in_each(&select_shared(resource_type, MAX_CHARTS + 1)).await;
        let mut names = Vec::new();
        for rows in self.counted(answers)? {
            let ids = (0..rows.count()).filter_map(|row| rows.text(row, "id"));
            ids.for_each(|compartment| ChartName { compartment, resource_type }.put(&mut names));
        }
        Ok(names)
    }

    async fn locate_each(&self, wanted: &[(&'static Param, Vec<String>)]) -> Result<Vec<ChartName>, StoreError> {
        let select = |(_, names): &(_, Vec<String>)| RoutedStatement::directory(select_compartments(names));
        let needed: Vec<_> = wanted.iter().map(|(param, _)| *param).collect();
        let answers = self.run_indexed(wanted.iter().map(select).collect(), &needed).await?;
        let mut found = Vec::new();
        for (param, rows) in needed.iter().zip(&answers) {
            let id = |row| Some(ChartName::new(&rows.text(row, "id")?, param.base));
            let ids: Vec<_> = (0..rows.count()).filter_map(id).collect();
            if ids.len() > MAX_COMPARTMENTS {
                return Err(StoreError::TooCostly);
            }
            found.extend(ids);
        }
        Ok(found)
    }

    fn expect_provenances(&self) {
        self.read.borrow_mut().expects_of_many = true;
    }

    async fn has_provenances_of_many(&self) -> Result<bool, StoreError> {
        if let Some(found) = self.known_of_many() {
            return Ok(found);
        }
        let check = self.cache.check(self.now);
        let answers = self.run_routed(vec![select_of_many()]).await?;
        Ok(self.take_of_many(answers.first(), check))
    }

    async fn located(&self, wanted: &ChartQuery, resource_type: ResourceType) -> Result<Vec<FetchedChart>, StoreError> {
        if let ChartQuery::Named(param, names) = wanted
            && self.databases.is_one()
            && let Some(charts) = self.read_located(param, names, resource_type).await?
        {
            return Ok(charts);
        }
        self.charts(&self.locate(wanted, resource_type).await?, Some(resource_type)).await
    }

    async fn charts(&self, names: &[ChartName], only: Option<ResourceType>) -> Result<Vec<FetchedChart>, StoreError> {
        let unread: Vec<ChartName> = {
            let read = &self.read.borrow().charts;
            names.iter().filter(|name| !read.contains_key(name)).cloned().collect()
        };
        self.prefetch(&unread, &[]).await?;
        let read = &self.read.borrow().charts;
        let names = names.iter().filter(|name| only.is_none_or(|only| name.resource_type == only));
        let chart = |name: &ChartName| read.get(name)?.clone()?.fetched(name);
        Ok(names.filter_map(chart).collect())
    }

    async fn prefetch(&self, names: &[ChartName], heads: &[ChartName]) -> Result<(), StoreError> {
        let unread: Vec<(ChartName, Extent)> = {
            let read = &self.read.borrow().charts;
            let unread = extents(names, heads).filter(|(name, _)| !read.contains_key(name));
            unread.map(|(name, extent)| (name.clone(), extent)).collect()
        };
        let charts = self.fetch(&unread).await?;
        self.read.borrow_mut().charts.extend(unread.into_iter().map(|(name, _)| name).zip(charts));
        Ok(())
    }

    fn compartment(chart: &FetchedChart) -> &str {
        &chart.name.compartment
    }

    /// If a chart has changed since it was read, it will be read again.
    async fn texts(&self, charts: &[FetchedChart], rows: &[ChartRow<'_, '_>]) -> Attempt<()> {
        for FetchedChart { name, chart, .. } in charts {
            chart.check().map_err(StoreError::of_chart(name))?;
        }
        let mut wanted: Vec<(&FetchedChart, BTreeSet<usize>)> =
            charts.iter().map(|chart| (chart, BTreeSet::new())).collect();
        let body = |row: &ChartRow<'_, '_>, FetchedChart { name, .. }: &FetchedChart| {
            row.chart().body(row.row).map_err(StoreError::of_chart(name))
        };
        let is_of = |row: &ChartRow<'_, '_>, chart: &FetchedChart| std::ptr::eq(&*chart.chart, row.chart());
        for row in rows {
            if let Some((chart, pages)) = wanted.iter_mut().find(|(chart, _)| is_of(row, chart))
                && let BodyLocation::Unread(number) = body(row, chart)?
            {
                pages.insert(number);
            }
        }
        wanted.retain(|(_, pages)| !pages.is_empty());
        if wanted.is_empty() {
            return Ok(());
        }
        let select = |(FetchedChart { name, version, chart }, pages): &(&FetchedChart, BTreeSet<usize>)| {
            let ChartName { compartment, resource_type } = name;
            let statement = select_pages(compartment, *resource_type, *version, &chart.page_lengths(pages));
            RoutedStatement { to: Destination::Compartment(compartment.clone()), statement }
        };
        let answers = self.run_routed(wanted.iter().map(select).collect()).await?;
        let mut is_complete = true;
        for ((chart, pages), rows) in wanted.iter().zip(answers) {
            let parts = self.parts(&chart.name, &rows, 0..rows.count())?;
            is_complete &= parts.len() == pages.len();
            for (part, stored) in parts {
                if let ChartPart::Page(number) = part {
                    chart.chart.put_page(usize::from(number), stored);
                }
            }
            let key = chart.name.to_string();
            if is_complete { self.cache.charts.measure(&key) } else { self.cache.charts.forget(&key) }
        }
        for row in rows {
            charts.iter().find(|chart| is_of(row, chart)).map(|chart| body(row, chart)).transpose()?;
        }
        if is_complete { Ok(()) } else { Err(AttemptError::Stale) }
    }

    const HAS_ROWS: bool = true;

    async fn rows(
        &self,
        search: &Search<'_>,
        round: &Round,
        most: usize,
    ) -> Result<Vec<IncludedRow<Self::Body>>, StoreError> {
        let lowered = lower_round(search, round, most).into_iter();
        let (lowered, statements): (Vec<_>, Vec<_>) =
            lowered.map(|one| ((one.resource_type, one.followed), RoutedStatement::directory(one.statement))).unzip();
        if statements.is_empty() {
            return Ok(Vec::new());
        }
        let rules = search.permitted.included().iter().flat_map(|(_, rules)| rules);
        let referring = round.referring.iter().map(|(param, _)| *param);
        let needed: Vec<_> = needed_by_filters(rules).into_iter().chain(referring).collect();
        let answers = self.read_rows(statements, &needed).await?;
        let mut found = Vec::new();
        for ((resource_type, followed), rows) in lowered.iter().zip(&answers) {
            let reached = reached_rows(*resource_type, rows, rows.count(), followed)?;
            for (at, (reached, entry)) in reached.into_iter().zip(rows.entries(usize::MAX)).enumerate() {
                let owner = rows.text(at, "owner").unwrap_or_default();
                let ids = owner.split(['[', ']', '"', ',']).filter_map(Id::parse);
                let is_patient = *resource_type == ResourceType::Patient;
                let patients = if is_patient { vec![reached.reference.id.clone()] } else { ids.collect() };
                found.push(IncludedRow { reached, patients, entry });
            }
        }
        Ok(found)
    }

    /// Finds the resources in the rows of their types.
    async fn directory(&self, search: &Search<'_>, ends: &[DirectoryEnd<'_>]) -> Attempt<Vec<FoundReferences>> {
        let asked = |end: &&DirectoryEnd<'_>| !end.targets.is_empty();
        let needed = ends.iter().flat_map(|end| needed_by_subquery(end.inner)).collect::<Vec<_>>();
        let read = async |statements| self.run_indexed(statements, &needed).await;
        let mut statements = Vec::new();
        for end in ends.iter().filter(asked) {
            let joins = end.inner.joins();
            let own = end.inner.as_search(Vec::new());
            let of_joins = clauses_of_joins(joins, &own, search.access_lists, &read).await?;
            statements.push(RoutedStatement::directory(lower_end(end, &of_joins, search.access_lists)));
        }
        if statements.is_empty() {
            return Ok(ends.iter().map(|_| FoundReferences::new()).collect());
        }
        let mut answers = self.run_indexed(statements, &needed).await?.into_iter();
        let found = |end: &DirectoryEnd<'_>| {
            let rows = if asked(&end) { answers.next() } else { None };
            let ids = rows.iter().flat_map(|rows| (0..rows.count()).filter_map(|row| rows.text(row, "id")));
            ids.map(|id| format!("{}/{id}", end.inner.request().resource_type)).collect()
        };
        Ok(ends.iter().map(found).collect())
    }

    fn is_home(chart: &FetchedChart, row: ChartRow<'_, '_>) -> bool {
        chart.is_home(row.row)
    }

    fn parallel(&self) -> Self {
        Self { read: Rc::clone(&self.read), ..Self::new(self.databases, self.cache, self.now) }
    }

    fn add_parallel(&self, one: &Self, other: &Self) {
        self.rows_read.set(self.rows_read.get() + one.rows_read.get() + other.rows_read.get());
        self.trips.set(self.trips.get() + one.trips.get().max(other.trips.get()));
    }

    fn versions(&self, patients: &[Id]) -> Option<Vec<i64>> {
        let read = self.read.borrow();
        let is_named = |name: &&ChartName| patients.iter().any(|patient| patient.as_str() == name.compartment);
        if read.is_more || patients.len() > MAX_VERSIONS || !read.charts.keys().all(|name| is_named(&name)) {
            return None;
        }
        // A load may have changed a record between two trips.
        let version = |patient: &Id| {
            let charts = read.charts.iter().filter(|(name, _)| name.compartment == patient.as_str());
            let mut versions = charts.map(|(_, chart)| Some(chart.as_ref()?.version));
            let first = versions.next()?;
            first.filter(|_| versions.all(|other| other == first))
        };
        patients.iter().map(version).collect()
    }

    fn cost(&self) -> Cost {
        Cost::D1 { rows_read: self.rows_read.get(), trips: self.trips.get() }
    }
}

impl<'s, D: Database> ChartReader<'s, D> {
    /// Creates a reader of the charts in these databases, with the cache of the isolate and the time of the call.
    pub fn new(databases: &'s RecordDatabases<'s, D>, cache: &'s ChartCache<D::Rows>, now: Micros) -> Self {
        let read = Rc::default();
        Self { databases, cache, now, read, rows_read: Cell::new(0), trips: Cell::new(0), bytes: Cell::new(0) }
    }

    /// Returns the current versions of the records of these patients. `None` if there are too many, or if one of them
    /// has no record.
    ///
    /// # Errors
    /// If a database does not answer.
    pub async fn read_versions(&self, patients: &[Id]) -> Result<Option<Vec<i64>>, StoreError> {
        if patients.is_empty() || patients.len() > MAX_VERSIONS {
            return Ok(None);
        }
        let select = |patient: &Id| {
            let text = "SELECT p.version FROM compartment p WHERE p.id = ?1".to_owned();
            let statement = Statement { text, binds: vec![patient.to_string()] };
            RoutedStatement { to: Destination::Compartment(patient.to_string()), statement }
        };
        let answers = self.run_routed(patients.iter().map(select).collect()).await?;
        let version = |rows: &D::Rows| rows.number(0, "version").ok().flatten().filter(|version| *version != ELSEWHERE);
        Ok(answers.iter().map(version).collect())
    }

    /// Runs statements on names and rows as one trip. Their answer is complete only if the directory is indexed by the
    /// `needed` parameters. The trip checks this, unless an earlier trip of the isolate has already found them.
    ///
    /// # Errors
    /// If a statement is too long, or a database does not answer, or [`StoreError::NotIndexed`].
    pub async fn run_indexed(
        &self,
        mut statements: Vec<RoutedStatement>,
        needed: &[&'static Param],
    ) -> Result<Vec<D::Rows>, StoreError> {
        self.read.borrow_mut().is_more = true;
        let is_known = self.cache.indexed.borrow().require(needed).is_ok();
        if !is_known {
            let statement = Statement { text: "SELECT params FROM format".to_owned(), binds: Vec::new() };
            statements.push(RoutedStatement::directory(statement));
        }
        let mut answers = self.run_routed(statements).await?;
        if !is_known {
            let params = answers.pop().and_then(|rows| rows.text(0, "params"));
            let params = params.map_or_else(|| Some(IndexedParams::default()), |text| IndexedParams::parse(&text));
            let damaged = || StoreError::Damaged("the list of parameters in the table format is damaged".to_owned());
            *self.cache.indexed.borrow_mut() = params.ok_or_else(damaged)?;
            self.cache.indexed.borrow().require(needed)?;
        }
        Ok(answers)
    }

    /// Runs statements in the databases to which they belong, at the same time. The cost is that of one trip.
    async fn run_routed(&self, statements: Vec<RoutedStatement>) -> Result<Vec<D::Rows>, StoreError> {
        // A token with many filters adds each filter to the condition for each included type.
        if statements.iter().any(|routed| routed.statement.text.len() > MAX_STATEMENT_LENGTH) {
            return Err(StoreError::TooCostly);
        }
        let answers = self.databases.run(statements).await;
        self.counted(answers)
    }

    /// Returns the answers of a trip, and adds its cost.
    fn counted(&self, answers: Result<Vec<D::Rows>, DatabaseError>) -> Result<Vec<D::Rows>, StoreError> {
        let answers = answers?;
        self.trips.set(self.trips.get() + 1);
        self.rows_read.set(self.rows_read.get() + answers.iter().map(Rows::rows_read).sum::<u64>());
        Ok(answers)
    }

    async fn fetch(&self, names: &[(ChartName, Extent)]) -> Result<Vec<Option<CachedChart>>, StoreError> {
        if names.len() > MAX_CHARTS {
            return Err(StoreError::TooCostly);
        }
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let known: Vec<_> = names.iter().map(|(name, _)| self.cache.charts.get(&name.to_string())).collect();
        if let Some(fresh) = self.fresh(&known) {
            return Ok(fresh.into_iter().map(Some).collect());
        }
        let select = |((name, extent), known): (&(ChartName, Extent), &Option<CachedChart>)| {
            let known = known.as_ref().map(|known| known.version);
            let statement = select_chart(&name.compartment, name.resource_type, known, *extent);
            RoutedStatement { to: Destination::Compartment(name.compartment.clone()), statement }
        };
        let check = self.cache.check(self.now);
        let statements = || names.iter().zip(&known).map(select).collect::<Vec<_>>();
        let mut first = statements();
        let asks_of_many = self.read.borrow().expects_of_many && self.known_of_many().is_none();
        if asks_of_many {
            first.push(select_of_many());
        }
        let mut answers = self.run_routed(first).await?;
        if asks_of_many {
            self.take_of_many(answers.pop().as_ref(), check);
        }
        if names.iter().zip(&answers).any(|((name, _), rows)| version(name, rows, 0) == Ok(Some(ELSEWHERE))) {
            self.databases.forget_map();
            answers = self.run_routed(statements()).await?;
        }
        if answers.iter().any(is_cut) {
            let whole = names.iter().map(|(name, _)| (name.clone(), Extent::MAX)).collect::<Vec<_>>();
            answers = self.run_routed(whole.iter().zip(&known).map(select).collect()).await?;
        }
        let mut found = Vec::with_capacity(names.len());
        for (((name, _), known), rows) in names.iter().zip(known).zip(answers) {
            found.push(self.take(name, known, (&rows, 0..rows.count()), true, check)?);
        }
        Ok(found)
    }

    /// Returns whether there are Provenances of many patients, if this search or one within the window has found it.
    fn known_of_many(&self) -> Option<bool> {
        let fresh = self.cache.of_many.get().filter(|(_, check)| self.cache.is_fresh(*check, self.now));
        self.read.borrow().of_many.or_else(|| fresh.map(|(found, _)| found))
    }

    /// Notes and returns whether there are Provenances of many patients, from the answer to [`select_of_many`].
    fn take_of_many(&self, rows: Option<&D::Rows>, check: Check) -> bool {
        let found = rows.is_some_and(|rows| rows.count() > 0);
        self.cache.of_many.set(Some((found, check)));
        self.read.borrow_mut().of_many = Some(found);
        found
    }

    /// Returns the given charts, if a single check within the window found all of them. A resource may move from one
    /// chart to another, so that charts of different checks might both contain it, or neither.
    fn fresh(&self, known: &[Option<CachedChart>]) -> Option<Vec<CachedChart>> {
        let known: Vec<CachedChart> = known.iter().cloned().collect::<Option<_>>()?;
        let checked = known.first()?.checked.get();
        (self.cache.is_fresh(checked, self.now) && known.iter().all(|chart| chart.checked.get() == checked))
            .then_some(known)
    }

    /// Returns the chart in some of the rows of a statement. `None` if the compartment does not exist. The cache keeps
    /// charts with several pages only if `keeps_pages`.
    pub(super) fn take(
        &self,
        name: &ChartName,
        known: Option<CachedChart>,
        (rows, own): (&D::Rows, impl Iterator<Item = usize> + Clone),
        keeps_pages: bool,
        check: Check,
    ) -> Result<Option<CachedChart>, StoreError> {
        let Some(version) = own.clone().next().map_or(Ok(None), |row| version(name, rows, row))? else {
            return Ok(None);
        };
        if version == ELSEWHERE {
            return Err(unavailable("a compartment is in another shard than the map says"));
        }
        if let Some(known) = known.filter(|known| known.version == version) {
            known.checked.set(check);
            return Ok(Some(known));
        }
        let chart = self.parts(name, rows, own)?;
        let chart = open_chart(name.resource_type, chart).map_err(StoreError::of_chart(name))?.map(Rc::new);
        // Without the newest pages of a chart, a search of its patient would need a second trip.
        let keeps = keeps_pages || chart.as_ref().is_none_or(|chart| chart.pages() <= 1);
        let read = CachedChart { version, chart, checked: Rc::new(Cell::new(check)) };
        if keeps {
            self.cache.charts.put(&name.to_string(), read.clone());
        }
        Ok(Some(read))
    }

    /// Returns the head and pages in some rows, which are all of one chart.
    fn parts(
        &self,
        name: &ChartName,
        rows: &D::Rows,
        own: impl Iterator<Item = usize>,
    ) -> Result<Vec<(ChartPart, Vec<u8>)>, StoreError> {
        let mut all = Vec::new();
        for row in own {
            if let (Some(offset), Some(bytes)) = (rows.number(row, "offset")?, rows.bytes(row, "data")?) {
                self.bytes.set(self.bytes.get() + bytes.len());
                all.push((offset, bytes));
            }
        }
        if self.bytes.get() > MAX_BYTES {
            return Err(StoreError::TooCostly);
        }
        parts(all).map_err(StoreError::of_chart(name))
    }
}

/// Returns the version of the compartment in a row of a chart. `None` if the database does not have the compartment.
pub(super) fn version<R: Rows>(name: &ChartName, rows: &R, row: usize) -> Result<Option<i64>, StoreError> {
    let damaged = |_| StoreError::Damaged(format!("the version of the compartment {} is damaged", name.compartment));
    rows.number(row, "version").map_err(damaged)
}

/// Returns whether the rows of a chart end within its head, so that they contain no chart.
fn is_cut<R: Rows>(rows: &R) -> bool {
    let last = rows.count().checked_sub(1).and_then(|last| rows.number(last, "offset").ok().flatten());
    last.is_some_and(ends_in_head)
}

/// Returns the statement for the compartments of the resources with these names, without duplicates.
pub fn select_compartments(names: &[String]) -> Statement {
    let mut sql = Sql::new();
    let hashes = sql.list(names.iter().map(|name| name_hash(name).to_string()));
    write_sql!(&mut sql, "SELECT DISTINCT p.id FROM json_each(", hashes, ") j ");
    write_sql!(&mut sql, "CROSS JOIN locator l CROSS JOIN compartment p ");
    write_sql!(&mut sql, "WHERE l.hash = CAST(j.value AS INTEGER) AND p.n = l.n ORDER BY p.id LIMIT ");
    write_sql!(&mut sql, MAX_COMPARTMENTS + 1);
    sql.finish()
}

/// Returns the statement that finds whether there are Provenances of many patients.
fn select_of_many() -> RoutedStatement {
    let text = "SELECT n FROM locator WHERE hash = CAST(?1 AS INTEGER) LIMIT 1".to_owned();
    RoutedStatement::directory(Statement { text, binds: vec![name_hash(OF_MANY).to_string()] })
}

/// Returns the first `length` resources of rows of a type, as sources of includes by these parameters.
///
/// # Errors
/// If the text of a resource is damaged.
pub fn reached_rows<R: Rows>(
    resource_type: ResourceType,
    rows: &R,
    length: usize,
    followed: &[&'static Param],
) -> Result<Vec<IncludeSource>, StoreError> {
    let damaged = |_| StoreError::Damaged(format!("the text of a {resource_type} is damaged"));
    let mut reached = Vec::with_capacity(length);
    for row in 0..length {
        let Some(id) = rows.text(row, "id").and_then(|id| Id::parse(&id)) else { continue };
        let patient = match resource_type {
            ResourceType::Patient => Some(id.clone()),
            _ => rows.text(row, "patient").and_then(|patient| Id::parse(&patient)),
        };
        let mut links = Vec::new();
        if !followed.is_empty() {
            let elements = rows.text(row, "elements").unwrap_or_default();
            links = references(&serde_json::from_str(&elements).map_err(damaged)?, followed);
        }
        reached.push(IncludeSource { reference: Reference { resource_type, id }, patient, links });
    }
    Ok(reached)
}

impl RowOwner<'_> {
    /// Adds the patients to whom the first `most` rows belong.
    pub fn add<R: Rows>(self, rows: &R, most: usize, patients: &mut Vec<Id>) {
        match self {
            Self::None => {}
            Self::Patient(patient) => patient.put(patients),
            Self::Column => {
                for id in rows.owners(most).split('\n') {
                    if let Some(patient) = Id::parse(id) {
                        patient.put(patients);
                    }
                }
            }
        }
    }
}

fn unavailable(text: &str) -> StoreError {
    StoreError::Unavailable(text.to_owned())
}
