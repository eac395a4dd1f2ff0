//! Writes the shelves of a loaded database: one shelf for each type of each patient, the directory in parts, the index,
//! and last the manifest. One shelf is in memory at a time.

use rusqlite::{Connection, OptionalExtension, Row, params};

use std::collections::BTreeMap;

use super::Failure;
use super::load::Progress;
use super::sqlite_tables::SqliteTables;
use super::writer::wanted;
use chart::{ChartError, PackedChart, deflate, pack};
use fhir::{Id, Reference, ResourceType};
use ingest::writer::Records;
use search::IndexSet;
use store::kv::{MANIFEST, Manifest, PackedShelf, format_field, index, location, part, shelf};
use store::names::{bucket, has_own_rows, names};
use store::sql::{ChartPart, open_chart, parts};
use store::{IndexedResource, format};

/// The approximate size of a part of a shelf, in bytes. An include or a read fetches one part, a search fetches all.
const PART: u64 = 1 << 20;
/// The approximate number of names in a value of the index.
const NAMES: u64 = 1_000;

/// Receives values by key.
pub trait Sink {
    /// Writes a value.
    ///
    /// # Errors
    /// If the value cannot be written.
    fn put(&mut self, key: &str, value: &[u8]) -> Result<(), Failure>;
}

/// The result of shelving.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Shelved {
    /// The number of values.
    pub values: usize,
    /// The size of the values, in bytes.
    pub bytes: u64,
}

/// Writes the shelves of all contents of a database, indexed by the set of parameters that the database names.
pub fn shelve(database: &Connection, sink: &mut dyn Sink, progress: &mut dyn Progress) -> Result<Shelved, Failure> {
    let stored: Option<String> = database.query_row("SELECT number FROM format", [], |row| row.get(0)).optional()?;
    if stored.as_ref().is_some_and(|stored| *stored != format()) {
        return Err(Failure(format!("the database was loaded in another format than {}: load again", format())));
    }
    let bytes =
        "SELECT (SELECT coalesce(sum(length(data)), 0) FROM chart) + coalesce(sum(length(body)), 0) FROM resource";
    let bytes: i64 = database.query_row(bytes, [], |row| row.get(0))?;
    progress.begin("shelving", bytes.unsigned_abs());
    let set = wanted(database)?.unwrap_or(IndexSet::us_core());
    let records = Records::of(SqliteTables::of(database)?, set);
    let mut shelver = Shelver { database, records, sink, shelved: Shelved::default() };
    // The transaction ensures that all shelves are written from one state of the data.
    database.execute_batch(
        "CREATE TEMP TABLE IF NOT EXISTS indexed (value INTEGER, line TEXT); DELETE FROM temp.indexed; SAVEPOINT shelving",
    )?;
    let done = shelver.run(progress);
    database.execute_batch("RELEASE shelving; DROP TABLE temp.indexed")?;
    done.map(|()| shelver.shelved)
}

struct ShelveProgress<'a> {
    progress: &'a mut dyn Progress,
    done: u64,
}

impl ShelveProgress<'_> {
    fn on(&mut self, bytes: usize) {
        self.done += bytes as u64;
        self.progress.at(self.done);
    }
}

struct Shelver<'a> {
    database: &'a Connection,
    records: Records<SqliteTables<&'a Connection>>,
    sink: &'a mut dyn Sink,
    shelved: Shelved,
}

impl Shelver<'_> {
    fn run(&mut self, progress: &mut dyn Progress) -> Result<(), Failure> {
        let mut count: i64 = self.database.query_row("SELECT count(*) FROM main.locator", [], |row| row.get(0))?;
        for resource_type in ResourceType::served().iter().filter(|resource_type| has_own_rows(**resource_type)) {
            let text = "SELECT count(*) FROM main.resource WHERE type = ?1";
            count += self.database.query_row(text, [resource_type.name()], |row| row.get::<_, i64>(0))?;
        }
        let index = number(count.unsigned_abs() / NAMES + 1);
        let mut manifest = Manifest::new(index, self.records.set());
        let mut progress = ShelveProgress { progress, done: 0 };
        for resource_type in ResourceType::served().iter().filter(|resource_type| has_own_rows(**resource_type)) {
            let parts = self.parts_of_rows(*resource_type, index, &mut progress)?;
            if parts > 0 {
                manifest.set_parts(*resource_type, parts);
            }
        }
        for (resource_type, resources) in self.charts(index, &mut progress)? {
            let bytes = resources.iter().map(|resource| resource.body.len() as u64).sum::<u64>();
            let parts = number(bytes / PART + 1);
            let mut of_part: Vec<Vec<IndexedResource>> = (0..parts).map(|_| Vec::new()).collect();
            for resource in resources {
                if let Some(part) = of_part.get_mut(bucket(resource.id.as_str(), parts) as usize) {
                    part.push(resource);
                }
            }
            for (at, own) in (0..).zip(of_part) {
                self.list(own.iter(), index)?;
                self.put_shelf(&part(resource_type, at), &pack(&own, self.records.set()))?;
            }
            manifest.set_parts(resource_type, parts);
        }
        self.index(index)?;
        self.put(MANIFEST, manifest.text().as_bytes())
    }

    fn parts_of_rows(
        &mut self,
        resource_type: ResourceType,
        index: u32,
        progress: &mut ShelveProgress<'_>,
    ) -> Result<u32, Failure> {
        let mut statement = self.database.prepare("SELECT id, length(body) FROM main.resource WHERE type = ?1")?;
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs()));
        let rows: Vec<(String, u64)> = statement.query_map([resource_type.name()], read)?.collect::<Result<_, _>>()?;
        if rows.is_empty() {
            return Ok(0);
        }
        let parts = number(rows.iter().map(|(_, bytes)| bytes).sum::<u64>() / PART + 1);
        let mut of_part: Vec<Vec<Id>> = vec![Vec::new(); parts as usize];
        for id in rows.iter().filter_map(|(id, _)| Id::parse(id)) {
            if let Some(ids) = of_part.get_mut(bucket(id.as_str(), parts) as usize) {
                ids.push(id);
            }
        }
        for (at, ids) in (0..).zip(of_part) {
            let indexed = |id| self.records.indexed_row(&Reference { resource_type, id }).transpose();
            let own = ids.into_iter().filter_map(indexed).collect::<Result<Vec<_>, _>>();
            self.records.tables().check()?;
            let own = own?;
            self.list(own.iter().filter(|indexed| indexed.owner.sole().is_none()), index)?;
            progress.on(own.iter().map(|indexed| indexed.body.len()).sum());
            self.put_shelf(&part(resource_type, at), &pack(&own, self.records.set()))?;
        }
        Ok(parts)
    }

    /// Writes the charts of patients as shelves, and returns the resources that are not in one patient's record.
    fn charts(
        &mut self,
        index: u32,
        progress: &mut ShelveProgress<'_>,
    ) -> Result<BTreeMap<ResourceType, Vec<IndexedResource>>, Failure> {
        let mut elsewhere: BTreeMap<ResourceType, BTreeMap<Id, IndexedResource>> = BTreeMap::new();
        let mut statement = self.database.prepare("SELECT id, n FROM main.compartment ORDER BY id")?;
        let mut compartments = statement.query([])?;
        while let Some(row) = compartments.next()? {
            let (id, n): (String, i64) = (row.get(0)?, row.get(1)?);
            for resource_type in ResourceType::served() {
                let rows = self.records.chart_rows(n, *resource_type);
                self.records.tables().check()?;
                progress.on(rows.iter().map(|(_, bytes)| bytes.len()).sum());
                let damaged = |error: ChartError| Failure(format!("a stored chart, {id}/{resource_type}: {}", error.0));
                let parts = parts(rows).map_err(damaged)?;
                let Some(chart) = open_chart(*resource_type, parts.iter().cloned()).map_err(damaged)? else { continue };
                let resources = self.records.resources_of(n, &chart)?;
                self.list(resources.iter().filter(|resource| resource.owner.sole().is_some()), index)?;
                if let Some(patient) = Id::parse(&id) {
                    let set = self.records.set();
                    let is_current = chart.is_in_order() && chart.is_indexed_for(set);
                    let chart = if is_current { packed(parts) } else { pack(&resources, set) };
                    self.put_shelf(&shelf(&patient, *resource_type), &chart)?;
                }
                if !has_own_rows(*resource_type) {
                    let several = resources.into_iter().filter(|resource| resource.owner.sole().is_none());
                    let of_type = elsewhere.entry(*resource_type).or_default();
                    several.for_each(|resource| drop(of_type.insert(resource.id.clone(), resource)));
                }
            }
        }
        elsewhere.retain(|_, resources| !resources.is_empty());
        Ok(elsewhere
            .into_iter()
            .map(|(resource_type, resources)| (resource_type, resources.into_values().collect()))
            .collect())
    }

    fn list<'b>(&self, indexed: impl Iterator<Item = &'b IndexedResource>, index: u32) -> Result<(), Failure> {
        let mut insert = self.database.prepare_cached("INSERT INTO temp.indexed VALUES (?1, ?2)")?;
        for indexed in indexed {
            let location = location(indexed);
            for name in names(indexed) {
                insert.execute(params![bucket(&name, index), format!("{name}\t{location}")])?;
            }
        }
        Ok(())
    }

    fn index(&mut self, count: u32) -> Result<(), Failure> {
        let mut statement =
            self.database.prepare("SELECT DISTINCT value, line FROM temp.indexed ORDER BY value, line")?;
        let mut rows = statement.query([])?;
        let mut next: Option<(u32, String)> = None;
        for value in 0..count {
            let mut text = Vec::new();
            loop {
                if next.is_none() {
                    next = rows.next()?.map(|row| Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?))).transpose()?;
                }
                match next.take_if(|(of, _)| *of == value) {
                    Some((_, line)) => text.extend([line.as_bytes(), b"\n"].concat()),
                    None => break,
                }
            }
            self.put(&index(value), &[&format_field(format())[..], &deflate(&text)].concat())?;
        }
        Ok(())
    }

    fn put_shelf(&mut self, key: &str, chart: &PackedChart) -> Result<(), Failure> {
        if !chart.is_readable(false) {
            return Err(Failure(format!("{key}: its index is too large")));
        }
        let shelf = PackedShelf::of(chart);
        for (name, page) in shelf.pages {
            self.put(&format!("{key}/{name}"), &page)?;
        }
        self.put(key, &shelf.value)
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<(), Failure> {
        self.shelved.values += 1;
        self.shelved.bytes += value.len() as u64;
        self.sink.put(key, value)
    }
}

/// Returns the chart with this head and these pages, which are in descending order.
fn packed(parts: Vec<(ChartPart, Vec<u8>)>) -> PackedChart {
    let mut chart = PackedChart { head: Vec::new(), pages: Vec::new() };
    for (part, bytes) in parts.into_iter().rev() {
        match part {
            ChartPart::Head => chart.head = bytes,
            ChartPart::LastPage | ChartPart::Page(_) => chart.pages.push(bytes),
        }
    }
    chart
}

fn number(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
