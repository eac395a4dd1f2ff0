//! The store over a database.

use std::borrow::Cow;
use std::collections::BTreeSet;

use futures_util::future::{join, join_all};

use super::RecordDatabases;
use super::charts::{ChartCache, ChartName, ChartReader, FetchedChart};
use super::first_step::{FirstStep, answers_from_charts, begin, put, reads_chart};
use super::lower::{Lowered, RowOwner, lower, lower_read, lower_targets};
use crate::database::{Database, Rows, Statement, missing_tables};
use crate::fhir::{Frame, Id, Micros, Reference, ResourceType};
use crate::search::{Clause, Include, Query, SortRule, Total};
use crate::smart::{Owner, Permitted, is_directory};
use crate::store::access_lists::{AccessListReader, all_clauses, all_rules, patient_of, told, users};
use crate::store::chart::{BodyRef, ChartRow, View, pointing as pointing_rows, targets};
use crate::store::evaluate::{AccessLists, Candidate, Candidates, evaluate, include_group, open, patients_of};
use crate::store::indexed_params::{check_chart, needed, needed_by_filters};
use crate::store::names::{compartments, is_whole, pointing};
use crate::store::{
    Corrections, Cost, Dependency, Page, Read, RecordStore, StoreError, StoredResource, another_format, format,
};

/// The tables of the records.
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
/// The times that a search is tried while a load changes the charts that it reads.
const TRIES: usize = 3;

/// A store that queries a database.
#[derive(Debug)]
pub struct SqlStore<'a, D, A> {
    databases: RecordDatabases<'a, D>,
    access_lists: AccessListReader<'a, A>,
    base: String,
    cache: &'a ChartCache,
    now: Micros,
}

impl<'a, D, A> SqlStore<'a, D, A> {
    /// Creates a store over databases, whose entries have URLs below the FHIR base `base`. `access_lists` reads the
    /// access lists, `cache` is that of the isolate, and `now` the time of the call.
    pub const fn new(
        databases: RecordDatabases<'a, D>,
        access_lists: AccessListReader<'a, A>,
        base: String,
        cache: &'a ChartCache,
        now: Micros,
    ) -> Self {
        Self { databases, access_lists, base, cache, now }
    }
}

/// The texts of the resources that an answer includes, and the patients to whom they belong.
struct IncludedTexts<B> {
    texts: Vec<B>,
    patients: Vec<Id>,
}

impl<B> IncludedTexts<B> {
    const fn none() -> Self {
        Self { texts: Vec::new(), patients: Vec::new() }
    }

    /// The entries of these rows, which have these owners.
    fn of_rows<'a, R: Rows<Body = B>>(answers: impl Iterator<Item = (R, RowOwner<'a>)>) -> Self {
        let mut included = Self::none();
        for (rows, owner) in answers {
            if let Some(entries) = rows.run(usize::MAX) {
                owner.add(&rows, usize::MAX, &mut included.patients);
                included.texts.push(entries);
            }
        }
        included
    }

    /// Appends further texts.
    fn append(&mut self, other: Self) {
        self.texts.extend(other.texts);
        other.patients.into_iter().for_each(|patient| patient.put(&mut self.patients));
    }
}

impl<D: Database, A: Database> RecordStore for SqlStore<'_, D, A>
where
    <D::Rows as Rows>::Body: From<BodyRef>,
{
    type Body = <D::Rows as Rows>::Body;

    async fn search(&self, ask: &Permitted<Query>, after: Option<&str>) -> Result<Page<Self::Body>, StoreError> {
        let query = ask.question();
        for _ in 0..TRIES {
            let reader = ChartReader::new(&self.databases, self.cache, self.now);
            let found = if answers_from_charts(query.on, query.patients.is_some()) {
                self.search_charts(&reader, ask, after).await?
            } else {
                self.search_rows(&reader, ask, after).await?
            };
            if let Some(page) = found {
                return Ok(page);
            }
        }
        Err(StoreError::Unavailable("the charts change while they are read".to_owned()))
    }

    async fn read(&self, ask: &Permitted<Reference>) -> Result<Read<Self::Body>, StoreError> {
        for _ in 0..TRIES {
            let reader = ChartReader::new(&self.databases, self.cache, self.now);
            let found = if reads_chart(ask) {
                self.read_chart(&reader, ask).await?
            } else {
                Some(self.read_row(&reader, ask).await?)
            };
            if let Some(found) = found {
                return Ok(found);
            }
        }
        Err(StoreError::Unavailable("a chart changes while it is read".to_owned()))
    }

    fn corrections(&self) -> Option<&Corrections> {
        Some(self.cache.corrections())
    }

    async fn dependencies(&self) -> Vec<Dependency> {
        let check = async |(shard, database): (usize, &D)| {
            let name = if shard == 0 { "records".into() } else { Cow::from(format!("shard-{shard}")) };
            Dependency::of(name, is_ready(database).await)
        };
        join_all(self.databases.all().enumerate().map(check)).await
    }

    fn missed(&self) -> Cost {
        Cost::D1 { rows_read: 1, trips: 1 }
    }
}

impl<D: Database, A: Database> SqlStore<'_, D, A>
where
    <D::Rows as Rows>::Body: From<BodyRef>,
{
    /// Answers a search from charts. `None` if they have changed while they were read.
    async fn search_charts(
        &self,
        reader: &ChartReader<'_, D>,
        ask: &Permitted<Query>,
        after: Option<&str>,
    ) -> Result<Option<Page<<Self as RecordStore>::Body>>, StoreError> {
        let query = ask.question();
        let listing = self.access_lists.read(users(all_rules(ask)), query.patients.as_deref());
        let (access_lists, charts) = begin(reader, FirstStep::of_search(query)?, listing, ask.rules()).await?;
        let clauses = all_clauses(ask);
        let (matching, beside): (Vec<_>, Vec<_>) = charts.into_iter().partition(|chart| chart.name.1 == query.on);
        let needed = needed(ask);
        for FetchedChart { chart, .. } in &matching {
            check_chart(chart, chart.rows(), &needed, all_rules(ask), &access_lists)?;
        }
        let views = views(&matching, &clauses, &query.sort);
        let rows = matching.iter().zip(&views).flat_map(|(chart, view)| {
            let in_patients = query.patients.is_some();
            view.rows().filter(move |row| is_counted(*row, &chart.name.0, in_patients))
        });
        // One chart has its rows in the default order.
        let by_sort_key = views.len() == 1;
        let found = evaluate(ask, &access_lists, after, Candidates { rows, by_sort_key });
        let reached: Vec<_> = found.page.iter().map(|row| (row.reference(), row.owner().clone())).collect();
        let forward = |include: Include| targets(include, &found.page);
        let (of_includes, of_texts) = (reader.beside(), reader.beside());
        let included = self.included(&of_includes, ask, &access_lists, beside, &reached, forward);
        let (included, is_complete) = join(included, of_texts.texts(&matching, &found.page)).await;
        reader.join(&of_includes, &of_texts);
        let (Some(included), true) = (included?, is_complete?) else { return Ok(None) };
        let matched = Frame::matched(&self.base, query.on);
        let entry = |row: &ChartRow<'_, '_>| BodyRef::entry(*row, &matched).map(Into::into).map_err(StoreError::from);
        let mut patients = patients_of(found.page.iter().map(|row| row.owner()));
        included.patients.into_iter().for_each(|patient| patient.put(&mut patients));
        Ok(Some(Page {
            matches: found.page.iter().map(entry).collect::<Result<_, _>>()?,
            included: included.texts,
            page_end: found.page_end,
            total: found.total,
            patients,
            cost: told(reader.cost(), all_rules(ask), &access_lists),
        }))
    }

    /// Answers a search from the rows of a type. `None` if an included chart has changed while it was read.
    async fn search_rows(
        &self,
        reader: &ChartReader<'_, D>,
        ask: &Permitted<Query>,
        after: Option<&str>,
    ) -> Result<Option<Page<<Self as RecordStore>::Body>>, StoreError> {
        let query = ask.question();
        let access_lists = self.access_lists.read(users(all_rules(ask)), query.patients.as_deref()).await?;
        let Lowered { page, count, includes, owner } = lower(ask, &access_lists, &self.base, after);
        let (paged, counted) = (page.is_some(), count.is_some());
        let mut statements: Vec<_> = page.into_iter().chain(count).collect();
        let mut owners = Vec::with_capacity(includes.len());
        for include in includes {
            statements.push(include.statement);
            owners.push(include.owner);
        }
        let mut needed = needed(ask);
        needed.retain(|param| is_whole(param.on));
        let mut answers = reader.run_indexed(statements, &needed).await?.into_iter();
        let page = if paged { answers.next() } else { None };
        let total = if counted { answers.next() } else { None };
        let total = total.and_then(|rows| rows.text(0, "total")).and_then(|number| number.parse().ok());
        let found = page.as_ref().map_or(0, Rows::count);
        let shown = found.min(query.count);
        let more = found > shown;
        let known = query.total == Total::WhereKnown && after.is_none() && !more;
        let mut matches = Vec::new();
        match &page {
            // For some elements alone, each entry is needed by itself.
            Some(rows) if !query.elements.is_empty() => matches = rows.entries(shown),
            Some(rows) => matches.extend(rows.run(shown)),
            None => {}
        }
        let mut patients = Vec::new();
        if let Some(rows) = page.as_ref().filter(|_| shown > 0) {
            owner.add(rows, shown, &mut patients);
        }
        let mut included = IncludedTexts::of_rows(answers.zip(owners));
        let reached = page.as_ref().map(|rows| reached(query.on, rows, shown)).unwrap_or_default();
        let reverse = self.reverse_included(reader, ask, &access_lists, Vec::new(), &reached).await?;
        let Some(reverse) = reverse else { return Ok(None) };
        included.append(reverse);
        included.patients.into_iter().for_each(|patient| patient.put(&mut patients));
        Ok(Some(Page {
            matches,
            included: included.texts,
            page_end: page.as_ref().filter(|_| more).and_then(|rows| rows.text(shown.checked_sub(1)?, "place")),
            total: total.or_else(|| known.then_some(shown as u64)),
            patients,
            cost: told(reader.cost(), all_rules(ask), &access_lists),
        }))
    }

    /// The resources that the includes of a search add to its page. `reached` are the references and owners of its
    /// matches, `beside` the charts that may hold what refers to them, as far as they have been read, and `forward`
    /// returns the targets of an include.
    async fn included(
        &self,
        reader: &ChartReader<'_, D>,
        ask: &Permitted<Query>,
        access_lists: &AccessLists,
        beside: Vec<FetchedChart>,
        reached: &[(String, Owner)],
        forward: impl Fn(Include) -> BTreeSet<Reference>,
    ) -> Result<Option<IncludedTexts<<Self as RecordStore>::Body>>, StoreError> {
        if reached.is_empty() {
            return Ok(Some(IncludedTexts::none()));
        }
        let on = ask.question().on;
        let mut statements = Vec::new();
        let mut owners = Vec::new();
        for group in ask.include_groups() {
            let targets: BTreeSet<Reference> = group
                .iter()
                .filter(|(include, _)| include.param.on == on)
                .flat_map(|(include, _)| forward(*include))
                .collect();
            if let Some(lowered) = lower_targets(&group, on, &targets, access_lists, &self.base) {
                statements.push(lowered.statement);
                owners.push(lowered.owner);
            }
        }
        let needed = needed_by_filters(ask.includes().iter().flat_map(|(_, rules)| rules));
        let answers = if statements.is_empty() { Vec::new() } else { reader.run_indexed(statements, &needed).await? };
        let mut included = IncludedTexts::of_rows(answers.into_iter().zip(owners));
        let Some(reverse) = self.reverse_included(reader, ask, access_lists, beside, reached).await? else {
            return Ok(None);
        };
        included.append(reverse);
        Ok(Some(included))
    }

    /// The resources that the reverse includes of a search add to its page; see [`Self::included`].
    async fn reverse_included(
        &self,
        reader: &ChartReader<'_, D>,
        ask: &Permitted<Query>,
        access_lists: &AccessLists,
        beside: Vec<FetchedChart>,
        reached: &[(String, Owner)],
    ) -> Result<Option<IncludedTexts<<Self as RecordStore>::Body>>, StoreError> {
        let mut included = IncludedTexts::none();
        let on = ask.question().on;
        let is_reverse = |group: &Vec<&(Include, _)>| group.iter().any(|(include, _)| include.param.on != on);
        let groups: Vec<_> = ask.include_groups().into_iter().filter(is_reverse).collect();
        if groups.is_empty() || reached.is_empty() {
            return Ok(Some(included));
        }
        let mut wanted: Vec<ChartName> = Vec::new();
        for (Include { param, .. }, _) in groups.iter().filter_map(|group| group.first()) {
            let mut names = Vec::new();
            for (reference, owner) in reached {
                match owner.sole() {
                    Some(patient) => put((patient.to_string(), param.on), &mut wanted),
                    None => names.push(pointing(param, reference)),
                }
            }
            if !names.is_empty() {
                for compartment in reader.locate(param, &names).await? {
                    put((compartment, param.on), &mut wanted);
                }
            }
        }
        // The charts of the patients of the query have been read.
        let read = ask.question().patients.as_deref().unwrap_or_default();
        wanted.retain(|(compartment, _)| read.iter().all(|patient| patient.as_str() != compartment));
        let mut charts = beside;
        charts.extend(reader.charts(&wanted).await?);
        let (clauses, needed) = (all_clauses(ask), needed(ask));
        for FetchedChart { chart, .. } in &charts {
            check_chart(chart, chart.rows(), &needed, all_rules(ask), access_lists)?;
        }
        let views = views(&charts, &clauses, &[]);
        let mut found: Vec<ChartRow<'_, '_>> = Vec::new();
        for group in &groups {
            found.extend(include_group(group, access_lists, |include| {
                pointing_rows(&views, include, reached.iter().map(|(reference, owner)| (reference.clone(), owner)))
            }));
        }
        if !reader.texts(&charts, &found).await? {
            return Ok(None);
        }
        for row in &found {
            let entry = BodyRef::entry(*row, &Frame::included(&self.base, row.kind()))?;
            included.texts.push(entry.into());
        }
        included.patients = patients_of(found.iter().map(|row| row.owner()));
        Ok(Some(included))
    }

    /// Reads a resource from a chart. `None` if the chart has changed meanwhile.
    async fn read_chart(
        &self,
        reader: &ChartReader<'_, D>,
        ask: &Permitted<Reference>,
    ) -> Result<Option<Read<<Self as RecordStore>::Body>>, StoreError> {
        let listing = self.access_lists.read(users([ask.rules()].into_iter()), patient_of(ask));
        let (access_lists, charts) = begin(reader, FirstStep::of_read(ask), listing, ask.rules()).await?;
        let clauses: Vec<_> = ask.rules().iter().flat_map(|rule| &rule.only).collect();
        let needed = needed_by_filters(ask.rules());
        for FetchedChart { chart, .. } in &charts {
            let row = chart.find(ask.question().id.as_str());
            check_chart(chart, row.into_iter(), &needed, [ask.rules()].into_iter(), &access_lists)?;
        }
        let views = views(&charts, &clauses, &[]);
        let Some(row) = views.iter().find_map(|view| open(ask, &access_lists, view.find(ask.question()))) else {
            return Ok(Some(Read { found: None, cost: reader.cost() }));
        };
        if !reader.texts(&charts, &[row]).await? {
            return Ok(None);
        }
        let found = StoredResource {
            body: BodyRef::of_row(row, String::new(), "")?.into(),
            version: row.chart().version(row.row),
            modified: row.chart().modified(row.row),
            patients: patients_of(std::iter::once(row.owner())),
        };
        Ok(Some(Read { found: Some(found), cost: reader.cost() }))
    }

    /// Reads a resource from the rows of its type.
    async fn read_row(
        &self,
        reader: &ChartReader<'_, D>,
        ask: &Permitted<Reference>,
    ) -> Result<Read<<Self as RecordStore>::Body>, StoreError> {
        let access_lists = self.access_lists.read(users([ask.rules()].into_iter()), patient_of(ask)).await?;
        let (statement, owner) = lower_read(ask, &access_lists);
        let answers = reader.run_indexed(vec![statement], &needed_by_filters(ask.rules())).await?;
        let held = |rows: &D::Rows| {
            let (body, version) = (rows.entries(1).pop()?, rows.text(0, "version")?);
            let mut patients = Vec::new();
            owner.add(rows, 1, &mut patients);
            Some(StoredResource { body, version, modified: rows.text(0, "modified"), patients })
        };
        Ok(Read { found: answers.first().filter(|rows| rows.count() > 0).and_then(held), cost: reader.cost() })
    }
}

impl RowOwner<'_> {
    /// Adds the patients to whom the first `most` rows belong.
    fn add<R: Rows>(self, rows: &R, most: usize, patients: &mut Vec<Id>) {
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

/// Returns whether a row of a chart is a match of a search. A resource of several patients is in none of their records.
/// Its charts all have it, so that a search without patients counts that to which its names lead.
fn is_counted(row: ChartRow<'_, '_>, compartment: &str, in_patients: bool) -> bool {
    let is_first =
        |id: Id| compartments(row.kind(), &id, row.owner()).first().is_some_and(|first| first == compartment);
    row.owner().sole().is_some() || (!in_patients && Id::parse(row.id()).is_some_and(is_first))
}

/// The references and owners of the first `shown` rows of a page.
fn reached<R: Rows>(kind: ResourceType, rows: &R, shown: usize) -> Vec<(String, Owner)> {
    let resource = |row: usize| {
        let id = rows.text(row, "id")?;
        let patient = rows.text(row, "patient").and_then(|patient| Id::parse(&patient));
        let owner = if is_directory(kind) { Owner::Everyone } else { Owner::Patients(patient.into_iter().collect()) };
        Some((format!("{kind}/{id}"), owner))
    };
    (0..shown).filter_map(resource).collect()
}

/// The charts as a search looks at them.
fn views<'a>(charts: &'a [FetchedChart], clauses: &[&'a Clause], sort: &[SortRule]) -> Vec<View<'a>> {
    charts.iter().map(|chart| View::new(&chart.chart, clauses.iter().copied(), sort)).collect()
}
