//! Writes the shelves of a loaded database: one shelf for each type of each patient, the directory in parts, the index,
//! and last the manifest. One shelf is in memory at a time.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Failure;
use super::load::Progress;
use super::stored::stored_row;
use crate::fhir::{Id, ResourceType};
use crate::search::provenance_target;
use crate::store::chart::{deflate, pack};
use crate::store::kv::{
    MANIFEST, Manifest, PackedShelf, bucket, format_field, index, is_whole, location, names, part, shelf,
};
use crate::store::{IndexedResource, format};

/// The approximate size of a part of a shelf, in bytes. An include or a read fetches one part, a search of the type all
/// of them.
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

/// Writes the shelves of everything that a database holds.
///
/// # Errors
/// If the database cannot be read or was loaded in another format, or if a value cannot be written.
pub fn shelve(database: &Connection, sink: &mut dyn Sink, progress: &mut dyn Progress) -> Result<Shelved, Failure> {
    let stored: Option<String> = database.query_row("SELECT number FROM format", [], |row| row.get(0)).optional()?;
    if stored.as_ref().is_some_and(|stored| *stored != format()) {
        return Err(Failure(format!("the database was loaded in another format than {}: load again", format())));
    }
    let bytes: Option<i64> = database.query_row("SELECT sum(length(body)) FROM resource", [], |row| row.get(0))?;
    progress.begin("shelving", bytes.unwrap_or_default().unsigned_abs());
    let mut shelver = Shelver { database, sink, shelved: Shelved::default() };
    // The transaction keeps one state of the data while the shelves are written.
    database.execute_batch(
        "CREATE TEMP TABLE IF NOT EXISTS indexed (value INTEGER, line TEXT); DELETE FROM temp.indexed; SAVEPOINT shelving",
    )?;
    let done = shelver.run(progress);
    database.execute_batch("RELEASE shelving; DROP TABLE temp.indexed")?;
    done.map(|()| shelver.shelved)
}

/// The progress of shelving.
struct ShelveProgress<'a> {
    progress: &'a mut dyn Progress,
    done: u64,
}

impl ShelveProgress<'_> {
    fn on(&mut self, bodies: impl Iterator<Item = usize>) {
        self.done += bodies.sum::<usize>() as u64;
        self.progress.at(self.done);
    }
}

struct Shelver<'a> {
    database: &'a Connection,
    sink: &'a mut dyn Sink,
    shelved: Shelved,
}

impl Shelver<'_> {
    fn run(&mut self, progress: &mut dyn Progress) -> Result<(), Failure> {
        let count: i64 = self.database.query_row("SELECT count(*) FROM resource", [], |row| row.get(0))?;
        let index = number(count.unsigned_abs() / NAMES + 1);
        let mut manifest = Manifest::new(index);
        let mut progress = ShelveProgress { progress, done: 0 };
        for kind in ResourceType::ALL {
            let parts = self.parts(*kind, index, &mut progress)?;
            if parts > 0 {
                manifest.set_parts(*kind, parts);
            }
        }
        self.patients(index, &mut progress)?;
        self.index(index)?;
        self.put(MANIFEST, manifest.text().as_bytes())
    }

    /// Writes the parts of the shelf of a whole type: all its resources, or those that do not belong to exactly one
    /// patient.
    fn parts(&mut self, kind: ResourceType, index: u32, progress: &mut ShelveProgress<'_>) -> Result<u32, Failure> {
        let those = if is_whole(kind) { "" } else { " AND patient = ''" };
        let select = format!("SELECT rowid, id, length(body) FROM resource WHERE type = ?1{those}");
        let mut statement = self.database.prepare(&select)?;
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?.unsigned_abs()));
        let rows: Vec<(i64, String, u64)> = statement.query_map([kind.name()], read)?.collect::<Result<_, _>>()?;
        if rows.is_empty() {
            return Ok(0);
        }
        let parts = number(rows.iter().map(|(.., bytes)| bytes).sum::<u64>() / PART + 1);
        let mut of_part: Vec<Vec<i64>> = vec![Vec::new(); parts as usize];
        for (row, id, _) in &rows {
            if let Some(rows) = of_part.get_mut(bucket(id, parts) as usize) {
                rows.push(*row);
            }
        }
        for (at, rows) in (0..).zip(of_part) {
            let own = rows.into_iter().map(|row| self.row(row)).collect::<Result<Vec<_>, _>>()?;
            let homeless: Vec<_> = own.iter().filter(|indexed| indexed.owner.sole().is_none()).collect();
            self.list(homeless.into_iter(), index)?;
            progress.on(own.iter().filter(|indexed| indexed.owner.sole().is_none()).map(|indexed| indexed.body.len()));
            self.pack(&part(kind, at), &own)?;
        }
        Ok(parts)
    }

    /// Writes the shelves of the patients.
    fn patients(&mut self, index: u32, progress: &mut ShelveProgress<'_>) -> Result<(), Failure> {
        // A Provenance of several patients is included with the resources of each.
        let provenance = provenance_target().map_or("", |param| param.on.name());
        let mut statement = self.database.prepare(
            "SELECT patient, type, rowid FROM resource WHERE patient != '' \
             UNION ALL SELECT o.value, r.type, r.rowid FROM resource r, json_each(r.owners) o \
             WHERE r.type = ?1 AND r.patient = '' AND o.type = 'text' ORDER BY 1, 2",
        )?;
        let mut rows = statement.query([provenance])?;
        let mut compartment: Option<(String, String)> = None;
        let mut own: Vec<IndexedResource> = Vec::new();
        loop {
            let next = rows.next()?.map(|row| Ok::<_, rusqlite::Error>(((row.get(0)?, row.get(1)?), row.get(2)?)));
            let next = next.transpose()?;
            let goes_on = next.as_ref().is_some_and(|(next, _)| Some(next) == compartment.as_ref());
            if !goes_on && let Some(first) = own.first() {
                if let Some(patient) = compartment.as_ref().and_then(|(patient, _)| Id::parse(patient)) {
                    let key = shelf(&patient, first.kind);
                    let in_record = || own.iter().filter(|indexed| indexed.owner.sole().is_some());
                    self.list(in_record(), index)?;
                    progress.on(in_record().map(|indexed| indexed.body.len()));
                    self.pack(&key, &own)?;
                }
                own.clear();
            }
            let Some((next, row)) = next else { return Ok(()) };
            own.push(self.row(row)?);
            compartment = Some(next);
        }
    }

    /// Adds the locations of resources to the index.
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

    fn pack(&mut self, key: &str, own: &[IndexedResource]) -> Result<(), Failure> {
        let shelf = PackedShelf::of(&pack(own));
        for (name, page) in shelf.pages {
            self.put(&format!("{key}/{name}"), &page)?;
        }
        self.put(key, &shelf.value)
    }

    fn row(&self, row: i64) -> Result<IndexedResource, Failure> {
        stored_row(self.database, row)
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<(), Failure> {
        self.shelved.values += 1;
        self.shelved.bytes += value.len() as u64;
        self.sink.put(key, value)
    }
}

fn number(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
