//! Charts in the tables of a database file: looking up what is stored, and writing what a load changes. A load gathers
//! its changes in a temporary table, so that each chart is rewritten once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use base16ct::upper::encode_string;
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use super::Failure;
use super::export::{SqlFiles, literal};
use super::shards::{AttachedShards, numbers_of};
use super::stored::{index_again, resources_of, row_owner};
use crate::fhir::{Id, Reference, ResourceType};
use crate::search::{Fact, provenance_target};
use crate::smart::Owner;
use crate::store::IndexedResource;
use crate::store::chart::{Chart, ChartError, from_bytes, pack, to_bytes};
use crate::store::lru::{Cached, Lru};
use crate::store::names::{BUCKETS, bucket, compartments, is_whole, name_hash, names};
use crate::store::sql::{ChartChange, chart_keys, rewrite, whole_chart};

/// The most bytes of a blob in an SQL literal. D1 takes statements of 100,000 bytes, and a byte is two digits.
const LONGEST_BLOB: usize = 40_000;

/// The charts of a database that is being loaded.
pub struct Charts {
    shards: AttachedShards,
    /// The numbers of the compartments that the load adds.
    new: HashMap<String, i64>,
    /// The last number in each bucket, as far as the load has added to it.
    last: HashMap<u32, i64>,
    opened: Lru<OpenedChart>,
}

/// A chart with all its pages, or the absence of one.
#[derive(Clone)]
struct OpenedChart(Option<Rc<Chart>>);

impl Cached for OpenedChart {
    fn size(&self) -> usize {
        self.0.as_ref().map_or(0, |chart| chart.size())
    }
}

impl Charts {
    /// The charts of a database, before any change.
    ///
    /// # Errors
    /// If the temporary table cannot be created.
    pub fn of(database: &Connection, shards: AttachedShards) -> Result<Self, Failure> {
        database.execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS gathered_resource \
             (n INTEGER, type INTEGER, id TEXT, data BLOB, PRIMARY KEY (n, type, id)) WITHOUT ROWID;",
        )?;
        Ok(Self { shards, new: HashMap::new(), last: HashMap::new(), opened: Lru::default() })
    }

    /// The stored resource with that reference, if it is in a chart.
    ///
    /// # Errors
    /// If the database does not answer, or a chart is damaged.
    pub fn find(&self, database: &Connection, reference: &Reference) -> Result<Option<IndexedResource>, Failure> {
        let Some((chart, row)) = self.place(database, reference)? else { return Ok(None) };
        chart.unpack_row(row).map(Some).map_err(damaged)
    }

    /// The owner of the stored resource with that reference, if it is in a chart.
    ///
    /// # Errors
    /// If the database does not answer, or a chart is damaged.
    pub fn owner(&self, database: &Connection, reference: &Reference) -> Result<Option<Owner>, Failure> {
        Ok(self.place(database, reference)?.map(|(chart, row)| chart.owner(row).clone()))
    }

    /// The Provenances about a stored resource, in the charts of its patients.
    ///
    /// # Errors
    /// If the database does not answer, or a chart is damaged.
    pub fn provenances(&self, database: &Connection, of: &Reference) -> Result<BTreeSet<Reference>, Failure> {
        let mut found = BTreeSet::new();
        let (Some(owner), Some(param)) = (self.owner(database, of)?, provenance_target()) else { return Ok(found) };
        let target = Fact::Reference(of.to_string());
        for patient in owner.patients() {
            let Some(n) = number_of(database, patient.as_str())? else { continue };
            let Some(chart) = self.chart(database, n, param.on)? else { continue };
            for entry in chart.entries(param.id).filter(|entry| entry.value.clone().fact().as_ref() == Some(&target)) {
                let ids = entry.rows().filter_map(|row| Id::parse(chart.id(row)));
                found.extend(ids.map(|id| Reference { kind: param.on, id }));
            }
        }
        Ok(found)
    }

    /// The chart and the row of a stored resource.
    fn place(&self, database: &Connection, reference: &Reference) -> Result<Option<(Rc<Chart>, u32)>, Failure> {
        let mut of_compartments: Vec<i64> = Vec::new();
        if is_whole(reference.kind) {
            let Some(owner) = row_owner(database, reference)? else { return Ok(None) };
            for compartment in compartments(reference.kind, &reference.id, &owner) {
                of_compartments.extend(number_of(database, &compartment)?);
            }
        } else {
            let mut statement = database.prepare_cached("SELECT n FROM locator WHERE hash = ?1")?;
            let numbers = statement.query_map([name_hash(&reference.to_string())], |row| row.get(0))?;
            of_compartments = numbers.collect::<Result<_, _>>()?;
        }
        for n in of_compartments {
            if let Some(chart) = self.chart(database, n, reference.kind)?
                && let Some(row) = chart.find(reference.id.as_str())
            {
                return Ok(Some((chart, row)));
            }
        }
        Ok(None)
    }

    /// A chart as it is when it is rewritten: indexed by all parameters.
    fn chart(&self, database: &Connection, n: i64, kind: ResourceType) -> Result<Option<Rc<Chart>>, Failure> {
        let key = format!("{n}/{kind}");
        if let Some(OpenedChart(chart)) = self.opened.get(&key) {
            return Ok(chart);
        }
        let chart = stored_chart(database, &self.shards, n, kind)?;
        let chart = chart.map(|chart| current(database, chart)).transpose()?.map(Rc::new);
        self.opened.put(key, OpenedChart(chart.clone()));
        Ok(chart)
    }

    /// Gathers the change from `old` to `new` of a resource.
    ///
    /// # Errors
    /// If the database does not accept it.
    pub fn gather(
        &mut self,
        database: &Connection,
        old: Option<&IndexedResource>,
        new: &IndexedResource,
        mut journal: Option<&mut SqlFiles>,
    ) -> Result<(), Failure> {
        let bytes = to_bytes(new);
        let mut of_new = Vec::new();
        for compartment in compartments(new.kind, &new.id, &new.owner) {
            let n = self.number(database, &compartment)?;
            of_new.push(n);
            gather(database, n, new, Some(&bytes))?;
        }
        let mut of_old = Vec::new();
        if let Some(old) = old {
            for compartment in compartments(old.kind, &old.id, &old.owner) {
                of_old.push(self.number(database, &compartment)?);
            }
        }
        for n in of_old.iter().filter(|n| !of_new.contains(n)) {
            gather(database, *n, new, None)?;
        }
        if is_whole(new.kind) {
            return Ok(());
        }
        let Some(first) = of_new.first() else { return Ok(()) };
        if let Some(before) = of_old.first().filter(|before| *before != first) {
            remove_location(database, name_hash(&new.reference().to_string()), *before, journal.as_deref_mut())?;
        }
        // Another resource of the compartment may have the other names, so that they stay. A search then looks in vain
        // there.
        let new_names = names(new).into_iter().map(|name| name_hash(&name));
        add_locations(database, new_names, *first, journal)
    }

    /// Gathers a resource of a chart if that lacks a parameter, so that it is rewritten with all of them.
    ///
    /// # Errors
    /// If the database does not accept it, or the chart is damaged.
    pub fn gather_outdated(
        &mut self,
        database: &Connection,
        n: i64,
        kind: ResourceType,
        journal: Option<&mut SqlFiles>,
    ) -> Result<(), Failure> {
        let chart = stored_chart(database, &self.shards, n, kind)?.filter(|chart| !chart.is_fully_indexed());
        let Some(chart) = chart else { return Ok(()) };
        let mut resource = chart.unpack_row(0).map_err(damaged)?;
        index_again(database, &mut resource)?;
        self.gather(database, Some(&resource), &resource, journal)
    }

    /// The number of a compartment. A new one is the next in its bucket.
    fn number(&mut self, database: &Connection, compartment: &str) -> Result<i64, Failure> {
        if let Some(n) = self.new.get(compartment) {
            return Ok(*n);
        }
        if let Some(n) = number_of(database, compartment)? {
            return Ok(n);
        }
        let of_bucket = bucket(compartment, BUCKETS);
        let (first, until) = numbers_of(of_bucket);
        let last = match self.last.get(&of_bucket) {
            Some(last) => *last,
            None => {
                let text = "SELECT max(n) FROM main.compartment WHERE n BETWEEN ?1 AND ?2";
                let last: Option<i64> = database.prepare_cached(text)?.query_row([first, until], |row| row.get(0))?;
                last.unwrap_or(first)
            }
        };
        self.last.insert(of_bucket, last + 1);
        self.new.insert(compartment.to_owned(), last + 1);
        Ok(last + 1)
    }

    /// Writes the gathered changes to the charts, and sets the versions of their compartments.
    ///
    /// # Errors
    /// If the database does not accept them, or a stored chart is damaged.
    pub fn flush(&mut self, database: &Connection, mut journal: Option<&mut SqlFiles>) -> Result<(), Failure> {
        self.opened = Lru::default();
        let mut statement =
            database.prepare("SELECT n, type, id, data FROM temp.gathered_resource ORDER BY n, type")?;
        let mut rows = statement.query([])?;
        let mut of_chart: Option<(i64, ResourceType)> = None;
        let mut changes = BTreeMap::new();
        let mut changed: BTreeMap<i64, Sha256> = BTreeMap::new();
        loop {
            let next = match rows.next()? {
                Some(row) => {
                    let number = row.get(1)?;
                    let no_type = || Failure(format!("{number} is the number of no type"));
                    let kind = ResourceType::numbered(number).ok_or_else(no_type)?;
                    Some(((row.get(0)?, kind), row.get::<_, String>(2)?, row.get::<_, Option<Vec<u8>>>(3)?))
                }
                None => None,
            };
            if let Some((n, kind)) = of_chart
                && next.as_ref().is_none_or(|(chart, ..)| *chart != (n, kind))
            {
                let change =
                    write(database, &self.shards, n, kind, std::mem::take(&mut changes), journal.as_deref_mut())?;
                if !change.is_empty() {
                    let digest = changed.entry(n).or_default();
                    digest.update([kind.number()]);
                    change.digest(digest);
                }
            }
            let Some((chart, id, data)) = next else { break };
            let id = Id::parse(&id).ok_or_else(|| Failure(format!("{id} is no id")))?;
            let resource = data.map(|data| from_bytes(chart.1, &data)).transpose().map_err(damaged)?;
            changes.insert(id, resource);
            of_chart = Some(chart);
        }
        drop(rows);
        drop(statement);
        database.execute_batch("DELETE FROM temp.gathered_resource")?;
        let new: HashMap<i64, &str> = self.new.iter().map(|(id, n)| (*n, id.as_str())).collect();
        for (n, digest) in changed {
            set_version(database, &self.shards, n, new.get(&n).copied(), digest, journal.as_deref_mut())?;
        }
        self.new.clear();
        self.last.clear();
        Ok(())
    }
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn damaged(error: ChartError) -> Failure {
    Failure(format!("a stored chart: {}", error.0))
}

fn number_of(database: &Connection, compartment: &str) -> Result<Option<i64>, Failure> {
    let mut statement = database.prepare_cached("SELECT n FROM main.compartment WHERE id = ?1")?;
    Ok(statement.query_row([compartment], |row| row.get(0)).optional()?)
}

/// All rows of a chart in descending order, each by what its key adds to the first key.
///
/// # Errors
/// If the database does not answer.
pub fn stored_rows(
    database: &Connection,
    shards: &AttachedShards,
    n: i64,
    kind: ResourceType,
) -> Result<Vec<(i64, Vec<u8>)>, Failure> {
    let (first, last) = chart_keys(n, kind);
    let schema = shards.schema(n);
    let text = format!("SELECT k - ?1, data FROM {schema}.chart WHERE k BETWEEN ?1 AND ?2 ORDER BY k DESC");
    let mut statement = database.prepare_cached(&text)?;
    let rows = statement.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn stored_chart(
    database: &Connection,
    shards: &AttachedShards,
    n: i64,
    kind: ResourceType,
) -> Result<Option<Chart>, Failure> {
    whole_chart(kind, stored_rows(database, shards, n, kind)?).map_err(damaged)
}

/// The charts that lack a parameter, each by the number of its compartment and its type.
///
/// # Errors
/// If the database does not answer, or a chart is damaged.
pub fn outdated_charts(database: &Connection) -> Result<Vec<(i64, ResourceType)>, Failure> {
    let shards = AttachedShards::of(database)?;
    let mut outdated = Vec::new();
    let mut statement = database.prepare("SELECT n FROM main.compartment ORDER BY n")?;
    let numbers: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for n in numbers {
        for kind in ResourceType::ALL {
            let chart = stored_chart(database, &shards, n, *kind)?;
            outdated.extend(chart.filter(|chart| !chart.is_fully_indexed()).map(|_| (n, *kind)));
        }
    }
    Ok(outdated)
}

/// A chart that is indexed by all parameters, with the same resources.
fn current(database: &Connection, chart: Chart) -> Result<Chart, Failure> {
    if chart.is_fully_indexed() {
        return Ok(chart);
    }
    let packed = pack(&resources_of(database, &chart)?);
    let chart = Chart::open(chart.kind(), &packed.head).map_err(damaged)?;
    packed.pages.into_iter().enumerate().for_each(|(number, page)| chart.put_page(number, page));
    Ok(chart)
}

fn gather(database: &Connection, n: i64, of: &IndexedResource, data: Option<&[u8]>) -> Result<(), Failure> {
    let text = "INSERT OR REPLACE INTO temp.gathered_resource VALUES (?1, ?2, ?3, ?4)";
    database.prepare_cached(text)?.execute(params![n, of.kind.number(), of.id.as_str(), data])?;
    Ok(())
}

fn remove_location(database: &Connection, hash: i64, n: i64, journal: Option<&mut SqlFiles>) -> Result<(), Failure> {
    database.prepare_cached("DELETE FROM locator WHERE hash = ?1 AND n = ?2")?.execute([hash, n])?;
    let text = format!("DELETE FROM locator WHERE hash = {hash} AND n = {n}");
    journal.map_or(Ok(()), |journal| journal.statement(&text))
}

fn add_locations(
    database: &Connection,
    hashes: impl Iterator<Item = i64>,
    n: i64,
    mut journal: Option<&mut SqlFiles>,
) -> Result<(), Failure> {
    for hash in hashes {
        let text = "INSERT OR IGNORE INTO locator VALUES (?1, ?2)";
        let is_new = database.prepare_cached(text)?.execute([hash, n])? > 0;
        if let Some(journal) = journal.as_deref_mut().filter(|_| is_new) {
            journal.insert("locator", &[hash.to_string(), n.to_string()])?;
        }
    }
    Ok(())
}

/// Rewrites a chart, and returns what that changed.
fn write(
    database: &Connection,
    shards: &AttachedShards,
    n: i64,
    kind: ResourceType,
    changes: BTreeMap<Id, Option<IndexedResource>>,
    mut journal: Option<&mut SqlFiles>,
) -> Result<ChartChange, Failure> {
    let mut new_names = Vec::new();
    let mut again = |resource: &mut IndexedResource| {
        index_again(database, resource)?;
        let all = compartments(kind, &resource.id, &resource.owner);
        let first = all.first().map(|first| number_of(database, first)).transpose()?.flatten();
        if !is_whole(kind) && first == Some(n) {
            new_names.extend(names(resource).into_iter().map(|name| name_hash(&name)));
        }
        Ok::<(), Failure>(())
    };
    let stored = stored_rows(database, shards, n, kind)?;
    let mut again = |resource: &mut IndexedResource| again(resource).map_err(|failure| ChartError(failure.0));
    let change = rewrite(kind, stored, changes, &mut again).map_err(damaged)?;
    add_locations(database, new_names.into_iter(), n, journal.as_deref_mut())?;
    let mut journal = shards.journal(n, journal)?;
    let ((first, _), schema) = (chart_keys(n, kind), shards.schema(n));
    for place in &change.delete {
        let key = first + place;
        database.prepare_cached(&format!("DELETE FROM {schema}.chart WHERE k = ?1"))?.execute([key])?;
        if let Some(journal) = journal.as_deref_mut() {
            journal.statement(&format!("DELETE FROM chart WHERE k = {key}"))?;
        }
    }
    for (place, data) in &change.put {
        let key = first + place;
        let text = format!("INSERT OR REPLACE INTO {schema}.chart VALUES (?1, ?2)");
        database.prepare_cached(&text)?.execute(params![key, data])?;
        if let Some(journal) = journal.as_deref_mut() {
            journal_chart_row(journal, key, data)?;
        }
    }
    Ok(change)
}

/// Writes a row of the table `chart` as SQL.
///
/// # Errors
/// If the file cannot be written.
pub fn journal_chart_row(journal: &mut SqlFiles, key: i64, data: &[u8]) -> Result<(), Failure> {
    let mut chunks = data.chunks(LONGEST_BLOB);
    let blob = |bytes: &[u8]| format!("X'{}'", encode_string(bytes));
    journal.insert("chart", &[key.to_string(), blob(chunks.next().unwrap_or_default())])?;
    for chunk in chunks {
        let chunk = blob(chunk);
        journal.statement(&format!("UPDATE chart SET data = CAST(data || {chunk} AS BLOB) WHERE k = {key}"))?;
    }
    Ok(())
}

/// Sets the version of a compartment: a digest of the version before and of the changes since. So a version stands for
/// the content, and charts of a database that was loaded anew or restored are not taken for those of before. It has 52
/// bits, which JavaScript holds exactly, and is not 0, which says that the charts are in another shard. A compartment
/// with an `id` is new.
fn set_version(
    database: &Connection,
    shards: &AttachedShards,
    n: i64,
    id: Option<&str>,
    mut digest: Sha256,
    mut journal: Option<&mut SqlFiles>,
) -> Result<(), Failure> {
    let (schema, is_elsewhere) = (shards.schema(n), shards.shard(n) > 0);
    if id.is_none() {
        let text = format!("SELECT version FROM {schema}.compartment WHERE n = ?1");
        let version: i64 = database.prepare_cached(&text)?.query_row([n], |row| row.get(0))?;
        digest.update(version.to_be_bytes());
    }
    let digest = i64::from_be_bytes(digest.finalize().first_chunk().copied().unwrap_or_default());
    let version = (digest >> 12).unsigned_abs().max(1);
    let Some(id) = id else {
        let text = format!("UPDATE {schema}.compartment SET version = ?2 WHERE n = ?1");
        database.prepare_cached(&text)?.execute(params![n, version])?;
        let text = format!("UPDATE compartment SET version = {version} WHERE n = {n}");
        return shards.journal(n, journal)?.map_or(Ok(()), |journal| journal.statement(&text));
    };
    let text = format!("INSERT INTO {schema}.compartment VALUES (?1, ?2, ?3)");
    database.prepare_cached(&text)?.execute(params![n, id, version])?;
    if let Some(journal) = shards.journal(n, journal.as_deref_mut())? {
        journal.insert("compartment", &[n.to_string(), literal(id), version.to_string()])?;
    }
    if is_elsewhere {
        database.prepare_cached("INSERT INTO main.compartment VALUES (?1, ?2, 0)")?.execute(params![n, id])?;
        if let Some(journal) = journal {
            journal.insert("compartment", &[n.to_string(), literal(id), "0".to_owned()])?;
        }
    }
    Ok(())
}
