//! Writes indexed resources into the tables of `migrations/`: into charts, and the types that are searched without a
//! patient also into rows. One transaction holds a whole load. Fact rows are gathered in a temporary table and inserted
//! in the order of their key.

use base16ct::lower::encode_string;
use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Failure;
use super::charts::Charts;
use super::export::{SqlFiles, literal, nullable};
use super::shards::{AttachedShards, raise_corrections, schema};
use super::stored::{body_of, row_of, row_owner, stored_row};
use crate::fhir::{Id, Reference, ResourceType};
use crate::ingest::{EarlierLoads, Indexed, depends_on, names};
use crate::search::{ParamId, params_of, provenance_target};
use crate::smart::{Owner, is_directory};
use crate::store::names::is_whole;
use crate::store::{FactRow, IndexedParams, IndexedResource, LinkRow, fact_rows, format, known_params, link_rows};

/// The migrations, as wrangler applies them to D1.
const MIGRATIONS: [&str; 13] = [
    include_str!("../../migrations/0001_chart.sql"),
    include_str!("../../migrations/0002_access.sql"),
    include_str!("../../migrations/0003_signin.sql"),
    include_str!("../../migrations/0004_guard.sql"),
    include_str!("../../migrations/0005_session.sql"),
    include_str!("../../migrations/0006_limits.sql"),
    include_str!("../../migrations/0008_dependents.sql"),
    include_str!("../../migrations/0009_names.sql"),
    include_str!("../../migrations/0010_charts.sql"),
    include_str!("../../migrations/0011_rows.sql"),
    include_str!("../../migrations/0012_corrections.sql"),
    include_str!("../../migrations/0013_shards.sql"),
    include_str!("../../migrations/0014_indexed.sql"),
];

/// Opens a database file. The file and its tables are created if they are missing.
///
/// # Errors
/// If the file cannot be opened.
pub fn database(path: &Path) -> Result<Connection, Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Failure::doing(format!("making {}", folder.display())))?;
    }
    let connection =
        Connection::open(path).map_err(Failure::doing(format!("opening the database {}", path.display())))?;
    // A server may have the same file open. The timeout waits for it.
    connection.busy_timeout(std::time::Duration::from_secs(30))?;
    tables(connection)
}

/// Creates the tables that are missing.
///
/// # Errors
/// If the database does not accept them.
pub fn tables(connection: Connection) -> Result<Connection, Failure> {
    let exists = "SELECT count(*) FROM sqlite_schema WHERE name = 'resource'";
    if connection.query_row(exists, [], |row| row.get::<_, i64>(0))? == 0 {
        connection.execute_batch(&MIGRATIONS.concat())?;
    }
    Ok(connection)
}

/// Returns whether an attached database has records. They must be of this format.
///
/// # Errors
/// If they are of another format, or the database does not answer.
pub fn has_format(connection: &Connection, schema: &str) -> Result<bool, Failure> {
    let text = format!("SELECT number FROM {schema}.format");
    let stored: Option<String> = connection.query_row(&text, [], |row| row.get(0)).optional()?;
    match stored {
        Some(stored) if stored != format() => Err(Failure(format!(
            "the database was loaded in format {stored}, and this is {}: remove it and load again",
            format()
        ))),
        stored => Ok(stored.is_some()),
    }
}

/// A database that is being loaded.
pub struct Writer {
    connection: Connection,
    charts: Charts,
    journal: Option<SqlFiles>,
    /// True if the load changes or removes what was stored before.
    corrects: bool,
}

/// The effect of storing a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// The resource was not stored before.
    New,
    /// The resource was stored with other contents.
    Changed,
    /// The resource was stored with the same contents.
    Same,
}

impl Writer {
    /// Opens a database file. With a `journal`, every change is also written there, as SQL.
    ///
    /// # Errors
    /// If the file cannot be opened, or was written in another format.
    pub fn open(path: &Path, journal: Option<SqlFiles>) -> Result<Self, Failure> {
        Self::over(database(path)?, journal)
    }

    /// A writer on an open connection.
    ///
    /// # Errors
    /// If the tables were written in another format.
    pub fn over(connection: Connection, journal: Option<SqlFiles>) -> Result<Self, Failure> {
        connection.execute_batch("PRAGMA temp_store = FILE; PRAGMA cache_size = -131072;")?;
        let mut without_format = Vec::new();
        if !has_format(&connection, schema(0))? {
            without_format.push(0);
        }
        let shards = AttachedShards::of(&connection)?;
        for shard in 1..shards.count() {
            if !has_format(&connection, schema(shard))? {
                without_format.push(shard);
            }
        }
        connection.execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS gathered \
             (param INTEGER, value TEXT, sort TEXT, rest TEXT);",
        )?;
        let charts = Charts::of(&connection, shards)?;
        let mut writer = Self { connection, charts, journal, corrects: false };
        writer.connection.execute_batch("BEGIN IMMEDIATE")?;
        for shard in without_format {
            let text = format!("INSERT INTO {}.format (number) VALUES (?1)", schema(shard));
            writer.connection.execute(&text, [format()])?;
            writer.log(|journal| journal.of_shard(shard)?.insert("format (number)", &[literal(format())]))?;
            if shard == 0 {
                writer.set_params(&IndexedParams::all())?;
            }
        }
        // What this load stores is indexed by the parameters of this version, and by no others.
        let params = writer.params()?;
        let common = params.common(&IndexedParams::all());
        if common != params {
            writer.set_params(&common)?;
        }
        Ok(writer)
    }

    /// The parameters that all rows and names are indexed by.
    fn params(&self) -> Result<IndexedParams, Failure> {
        let text: String = self.connection.query_row("SELECT params FROM main.format", [], |row| row.get(0))?;
        Ok(IndexedParams::parse(&text))
    }

    fn set_params(&mut self, params: &IndexedParams) -> Result<(), Failure> {
        let text = params.text();
        self.connection.execute("UPDATE main.format SET params = ?1", [&text])?;
        self.log(|journal| journal.statement(&format!("UPDATE format SET params = {}", literal(&text))))
    }

    /// Stores a resource. A chart has it after [`Self::flush`].
    ///
    /// # Errors
    /// If the database does not accept it.
    pub fn store(&mut self, indexed: &Indexed) -> Result<Stored, Failure> {
        let resource = &indexed.resource;
        let stored = if is_directory(resource.kind) { Stored::Same } else { self.store_in_chart(resource)? };
        let in_rows = if is_whole(resource.kind) { self.store_row(resource)? } else { Stored::Same };
        self.remember(indexed)?;
        self.corrects |= [stored, in_rows].contains(&Stored::Changed);
        Ok(if stored == Stored::Same { in_rows } else { stored })
    }

    /// Stores a resource that belongs into a chart.
    fn store_in_chart(&mut self, resource: &IndexedResource) -> Result<Stored, Failure> {
        let old = self.charts.find(&self.connection, &resource.reference())?;
        let stored = match &old {
            Some(old) if is_same(old, resource) => return Ok(Stored::Same),
            Some(old) => {
                self.forget(resource.kind, &resource.id, &old.body)?;
                Stored::Changed
            }
            None => Stored::New,
        };
        self.charts.gather(&self.connection, old.as_ref(), resource, self.journal.as_mut())?;
        Ok(stored)
    }

    /// Stores a resource of a type that has rows.
    fn store_row(&mut self, resource: &IndexedResource) -> Result<Stored, Failure> {
        let (facts, links) = (fact_rows(resource), link_rows(resource));
        let digest = digest(resource, &facts, &links);
        let (kind, id) = (resource.kind, &resource.id);
        let old = self.replaced(kind, id)?;
        let stored = match &old {
            Some(old) if old.digest == digest => return Ok(Stored::Same),
            Some(old) => {
                self.remove(kind, id, old)?;
                Stored::Changed
            }
            None => Stored::New,
        };
        let (patient, owners) = columns(&resource.owner);
        let (sort_key, params) = (resource.sort_key.as_str(), known_params(resource));
        self.connection
            .prepare_cached(
                "INSERT OR REPLACE INTO resource (type, id, patient, owners, sort, params, version, modified, digest, body) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                kind.name(), id.as_str(), patient, owners, sort_key, params, resource.version, resource.modified(), digest,
                resource.body
            ])?;
        self.log(|journal| {
            let mut parts = SqlFiles::parts(&resource.body).into_iter();
            journal.insert(
                "resource (type, id, patient, owners, sort, params, version, modified, digest, body)",
                &[
                    literal(kind.name()),
                    literal(id.as_str()),
                    literal(&patient),
                    nullable(owners.as_deref()),
                    literal(sort_key),
                    literal(&params),
                    literal(&resource.version),
                    nullable(resource.modified().as_deref()),
                    literal(&digest),
                    literal(parts.next().unwrap_or_default()),
                ],
            )?;
            parts.try_for_each(|part| {
                let (part, id) = (literal(part), literal(id.as_str()));
                journal.statement(&format!(
                    "UPDATE resource SET body = body || {part} WHERE type = '{kind}' AND id = {id}"
                ))
            })
        })?;
        for row in &facts {
            self.connection.prepare_cached("INSERT INTO temp.gathered VALUES (?1, ?2, ?3, ?4)")?.execute(params![
                row.param_id.number(),
                row.value,
                row.sort_key,
                row.rest
            ])?;
        }
        for link in &links {
            self.connection.prepare_cached("INSERT OR REPLACE INTO link VALUES (?1, ?2, ?3)")?.execute(params![
                id.as_str(),
                link.param_id.number(),
                link.target
            ])?;
            self.log(|journal| {
                let param_id = link.param_id.number().to_string();
                journal.insert("link", &[literal(id.as_str()), param_id, literal(&link.target)])
            })?;
        }
        Ok(stored)
    }

    /// A stored resource with its facts and links.
    ///
    /// # Errors
    /// If the database does not answer, or the row holds no resource.
    pub fn indexed(&self, reference: &Reference) -> Result<Option<IndexedResource>, Failure> {
        if is_whole(reference.kind) {
            return row_of(&self.connection, reference)?.map(|row| stored_row(&self.connection, row)).transpose();
        }
        self.charts.find(&self.connection, reference)
    }

    /// Writes the charts of the resources that have been stored.
    ///
    /// # Errors
    /// If the database does not accept them.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.charts.flush(&self.connection, self.journal.as_mut())
    }

    /// Writes the charts, inserts the gathered facts, and ends the transaction. If that corrects what was stored
    /// before, the number of corrections rises.
    ///
    /// # Errors
    /// If the database does not accept them.
    pub fn finish(mut self) -> Result<Option<SqlFiles>, Failure> {
        self.write_gathered()?;
        self.connection.execute_batch("DROP TABLE temp.gathered; DROP TABLE temp.gathered_resource; COMMIT;")?;
        if self.corrects {
            raise_corrections(&self.connection, self.journal.as_mut())?;
        }
        Ok(self.journal)
    }

    /// Writes the charts and inserts the gathered facts.
    fn write_gathered(&mut self) -> Result<(), Failure> {
        self.flush()?;
        if self.journal.is_some() {
            let select = "SELECT param, value, sort, rest FROM temp.gathered ORDER BY param, value, sort, rest";
            let mut journal = self.journal.take();
            let mut statement = self.connection.prepare(select)?;
            let mut rows = statement.query([])?;
            while let (Some(row), Some(journal)) = (rows.next()?, &mut journal) {
                let text = |at: usize| -> Result<String, Failure> { Ok(literal(&row.get::<_, String>(at)?)) };
                let param_id = row.get::<_, u16>(0)?.to_string();
                journal.insert("fact", &[param_id, text(1)?, text(2)?, text(3)?])?;
            }
            drop(rows);
            drop(statement);
            self.journal = journal;
        }
        self.connection.execute_batch(
            "INSERT OR REPLACE INTO fact SELECT param, value, sort, rest FROM temp.gathered \
             ORDER BY param, value, sort, rest; DELETE FROM temp.gathered;",
        )?;
        Ok(())
    }

    /// Ends the transaction, and begins the next one. With a journal there is one transaction for all, so that the SQL
    /// files have either everything that the database has, or nothing.
    ///
    /// # Errors
    /// If the database does not accept it.
    fn commit(&mut self) -> Result<(), Failure> {
        if self.journal.is_some() {
            return Ok(());
        }
        self.write_gathered()?;
        Ok(self.connection.execute_batch("COMMIT; BEGIN IMMEDIATE")?)
    }

    /// Rewrites charts that lack a parameter, those of each compartment in a transaction of their own unless there is a
    /// journal.
    ///
    /// # Errors
    /// If a chart is damaged, or the database does not accept the changes.
    pub fn index_charts(&mut self, outdated: &[(i64, ResourceType)]) -> Result<(), Failure> {
        for of_compartment in outdated.chunk_by(|(n, _), (other, _)| n == other) {
            for (n, kind) in of_compartment {
                let journal = self.journal.as_mut();
                self.charts.gather_outdated(&self.connection, *n, *kind, journal)?;
            }
            self.commit()?;
        }
        Ok(())
    }

    /// Stores the rows of the types anew that lack a parameter, and notes that rows and names lack none. Returns the
    /// number of resources that have changed.
    ///
    /// # Errors
    /// If a stored resource is damaged, or the database does not accept the changes.
    pub fn index_rows(&mut self) -> Result<usize, Failure> {
        let (params, all) = (self.params()?, IndexedParams::all());
        let is_outdated = |kind: &&ResourceType| is_whole(**kind) && params_of(**kind).any(|param| !params.has(param));
        let mut count = 0;
        for kind in ResourceType::ALL.iter().filter(is_outdated) {
            let mut statement = self.connection.prepare("SELECT rowid FROM resource WHERE type = ?1")?;
            let rows: Vec<i64> = statement.query_map([kind.name()], |row| row.get(0))?.collect::<Result<_, _>>()?;
            drop(statement);
            for row in rows {
                let resource = stored_row(&self.connection, row)?;
                count += usize::from(self.store(&Indexed::again(resource))? != Stored::Same);
            }
        }
        if params != all {
            self.set_params(&all)?;
        }
        Ok(count)
    }

    fn references(&self, select: &str, key: &str) -> Vec<Reference> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.connection.prepare_cached(select)?;
            statement.query_map([key], |row| row.get(0))?.collect()
        };
        read().unwrap_or_default().iter().filter_map(|text| Reference::parse(text)).collect()
    }

    fn replaced(&self, kind: ResourceType, id: &Id) -> Result<Option<Replaced>, Failure> {
        let text = "SELECT digest, sort FROM resource WHERE type = ?1 AND id = ?2";
        let mut statement = self.connection.prepare_cached(text)?;
        let read = |row: &Row<'_>| Ok(Replaced { digest: row.get(0)?, sort_key: row.get(1)? });
        Ok(statement.query_row([kind.name(), id.as_str()], read).optional()?)
    }

    /// Deletes the facts, links and names of the earlier form of a resource that has rows.
    fn remove(&mut self, kind: ResourceType, id: &Id, old: &Replaced) -> Result<(), Failure> {
        let param_ids: Vec<_> = ParamId::of_type(kind).map(|id| id.number().to_string()).collect();
        let param_ids = param_ids.join(", ");
        for table in ["fact", "temp.gathered"] {
            let text = format!("DELETE FROM {table} WHERE param IN ({param_ids}) AND sort = ?1");
            self.connection.prepare_cached(&text)?.execute([&old.sort_key])?;
        }
        self.log(|journal| {
            let sort_key = literal(&old.sort_key);
            journal.statement(&format!("DELETE FROM fact WHERE param IN ({param_ids}) AND sort = {sort_key}"))
        })?;
        let reference = Reference { kind, id: id.clone() };
        if let Some(body) = body_of(&self.connection, &reference)? {
            self.forget(kind, id, &body)?;
        }
        let id = id.as_str();
        self.connection
            .prepare_cached(&format!("DELETE FROM link WHERE id = ?1 AND param IN ({param_ids})"))?
            .execute([id])?;
        self.log(|journal| journal.statement(&format!("DELETE FROM link WHERE id = '{id}' AND param IN ({param_ids})")))
    }

    /// Deletes what [`Self::remember`] stored for the earlier text of a resource.
    fn forget(&self, kind: ResourceType, id: &Id, body: &str) -> Result<(), Failure> {
        let reference = Reference { kind, id: id.clone() }.to_string();
        let Ok(resource) = serde_json::from_str::<Value>(body) else { return Ok(()) };
        for name in names(kind, &resource, None) {
            let text = "DELETE FROM alias WHERE name = ?1 AND target = ?2";
            self.connection.prepare_cached(text)?.execute([&name, &reference])?;
        }
        for target in depends_on(kind, &resource) {
            let text = "DELETE FROM dependent WHERE target = ?1 AND source = ?2";
            self.connection.prepare_cached(text)?.execute([&target.to_string(), &reference])?;
        }
        Ok(())
    }

    /// Stores the data that only later loads use: the names by which they may refer to the resource, and the resources
    /// that it depends on. They are not exported.
    fn remember(&self, indexed: &Indexed) -> Result<(), Failure> {
        let target = Reference { kind: indexed.resource.kind, id: indexed.resource.id.clone() }.to_string();
        for name in &indexed.names {
            self.connection.prepare_cached("INSERT OR IGNORE INTO alias VALUES (?1, ?2)")?.execute([name, &target])?;
        }
        for other in indexed.depends_on.iter().filter(|_| !is_found_by_charts(&indexed.resource)) {
            let text = "INSERT OR IGNORE INTO dependent VALUES (?1, ?2)";
            self.connection.prepare_cached(text)?.execute([&other.to_string(), &target])?;
        }
        Ok(())
    }

    fn log(&mut self, write: impl FnOnce(&mut SqlFiles) -> Result<(), Failure>) -> Result<(), Failure> {
        self.journal.as_mut().map_or(Ok(()), write)
    }
}

/// Returns whether a resource is found as a dependent of each resource on which its owner depends, without rows that
/// say so: a Provenance whose targets are all known is in the charts of their patients.
fn is_found_by_charts(resource: &IndexedResource) -> bool {
    let is_known = matches!(&resource.owner, Owner::Patients(patients) if !patients.is_empty());
    is_known && provenance_target().is_some_and(|param| param.on == resource.kind)
}

/// Returns whether a resource is the same as the stored one, with the same facts.
fn is_same(old: &IndexedResource, new: &IndexedResource) -> bool {
    let facts = |resource: &IndexedResource| -> BTreeSet<String> {
        resource.facts.iter().map(|(param, fact)| format!("{}{fact:?}", param.id.number())).collect()
    };
    old.body == new.body
        && old.owner == new.owner
        && old.sort_key == new.sort_key
        && old.version == new.version
        && facts(old) == facts(new)
}

/// The stored form of a resource that is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Replaced {
    digest: String,
    sort_key: String,
}

impl EarlierLoads for Writer {
    fn named(&self, name: &str) -> Vec<Reference> {
        self.references("SELECT target FROM alias WHERE name = ?1", name)
    }

    fn owner(&self, reference: &Reference) -> Option<Owner> {
        if !is_whole(reference.kind) {
            return self.charts.owner(&self.connection, reference).ok()?;
        }
        row_owner(&self.connection, reference).ok()?
    }

    fn body(&self, reference: &Reference) -> Option<String> {
        if !is_whole(reference.kind) {
            return self.charts.find(&self.connection, reference).ok()?.map(|stored| stored.body);
        }
        body_of(&self.connection, reference).ok()?
    }

    fn dependents(&self, reference: &Reference) -> Vec<Reference> {
        let mut all = self.references("SELECT source FROM dependent WHERE target = ?1", &reference.to_string());
        all.extend(self.charts.provenances(&self.connection, reference).unwrap_or_default());
        all
    }
}

/// The values of the columns `patient` and `owners`.
fn columns(owner: &Owner) -> (String, Option<String>) {
    match (owner, owner.sole()) {
        (_, Some(patient)) => (patient.to_string(), None),
        (Owner::Patients(patients), None) if !patients.is_empty() => {
            let ids: Vec<_> = patients.iter().map(Id::as_str).collect();
            (String::new(), Some(Value::from(ids).to_string()))
        }
        // The patients follow an empty array. An array is no id, so that no access list contains it.
        (Owner::Undetermined(patients), None) => {
            let ids = patients.iter().map(|patient| Value::from(patient.as_str()));
            (String::new(), Some(std::iter::once(Value::Array(Vec::new())).chain(ids).collect::<Value>().to_string()))
        }
        (Owner::Patients(_) | Owner::Everyone, None) => (String::new(), None),
    }
}

fn digest(indexed: &IndexedResource, facts: &[FactRow], links: &[LinkRow]) -> String {
    let mut digest = Sha256::new();
    let mut add = |part: &str| {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    };
    add(&indexed.body);
    add(&format!("{:?}{:?}", indexed.owner, indexed.modified()));
    for row in facts {
        add(&row.param_id.number().to_string());
        add(&row.value);
        add(&row.rest);
    }
    for link in links {
        add(&link.target);
    }
    encode_string(digest.finalize().get(..16).unwrap_or_default())
}
