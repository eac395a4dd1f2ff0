//! Writes all stored resources as NDJSON, to copy a database or to convert it to another format.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use rusqlite::Connection;

use super::Failure;
use super::blocks::{BlockStore, joined};
use super::sqlite_tables::SqliteTables;
use fhir::{ResourceType, digest, documents, may_have_documents};
use ingest::writer::Records;
use search::IndexSet;
use smart::is_directory;
use store::names::compartments;
use store::sql::whole_chart;

/// The counts and digests of the resources of a database, by type. Databases with the same texts have equal contents,
/// regardless of order and storage format.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Contents(BTreeMap<String, TypeContents>);

/// The number of resources of a type, and the sum of the digests of their texts.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct TypeContents {
    count: u64,
    digest: u128,
}

impl Contents {
    fn add(&mut self, resource_type: &str, text: &str) {
        let contents = self.0.entry(resource_type.to_owned()).or_default();
        contents.count += 1;
        contents.digest = contents.digest.wrapping_add(u128::from_be_bytes(digest(text)));
    }
}

impl std::fmt::Display for Contents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut all = TypeContents::default();
        for (resource_type, TypeContents { count, digest }) in &self.0 {
            writeln!(f, "  {resource_type:<24}{count:>9}  {digest:032x}")?;
            all = TypeContents { count: all.count + count, digest: all.digest.wrapping_add(*digest) };
        }
        write!(f, "  {:<24}{:>9}  {:032x}", "all", all.count, all.digest)
    }
}

/// Writes each stored resource unchanged, as a line. If a store has the blocks of documents, the documents are whole.
///
/// # Errors
/// If the database does not answer, a chart is damaged, the output cannot be written, or there are documents but no
/// store has their blocks.
pub fn dump(database: &Connection, blocks: Option<&dyn BlockStore>, out: &mut dyn Write) -> Result<Contents, Failure> {
    let mut contents = Contents::default();
    for_each_text(database, &mut |resource_type, text| {
        let whole;
        let text = if may_have_documents(text.as_bytes()) {
            whole = joined(text, blocks)?;
            &whole
        } else {
            text
        };
        contents.add(resource_type, text);
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).map_err(Failure::doing("writing resources"))
    })?;
    Ok(contents)
}

/// Returns the hashes of the blocks of all documents in the resources of a database.
///
/// # Errors
/// If the database does not answer, or a chart is damaged.
pub fn documents_of(database: &Connection) -> Result<BTreeSet<String>, Failure> {
    let mut found = BTreeSet::new();
    for_each_text(database, &mut |_, text| {
        let blocks = documents(text).flat_map(|(_, document)| document.blocks().to_vec());
        found.extend(blocks.map(|block| block.hash));
        Ok(())
    })?;
    Ok(found)
}

/// Calls `take` with the text of each resource, as stored.
fn for_each_text(
    database: &Connection,
    take: &mut dyn FnMut(&str, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    of_rows(database, take)?;
    of_charts(database, take)
}

/// Calls `take` with the resources of no patient, which are only in rows. A type may be unknown.
fn of_rows(database: &Connection, take: &mut dyn FnMut(&str, &str) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut statement = database.prepare("SELECT type, body FROM main.resource ORDER BY type, id")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let resource_type: String = row.get(0)?;
        if ResourceType::parse(&resource_type).is_none_or(is_directory) {
            take(&resource_type, &row.get::<_, String>(1)?)?;
        }
    }
    Ok(())
}

/// Calls `take` with the resources of all charts. A resource of several patients is taken only from the first one.
fn of_charts(database: &Connection, take: &mut dyn FnMut(&str, &str) -> Result<(), Failure>) -> Result<(), Failure> {
    let records = Records::of(SqliteTables::of(database)?, IndexSet::us_core());
    let mut statement = database.prepare("SELECT id, n FROM main.compartment ORDER BY id")?;
    let mut all = statement.query([])?;
    while let Some(row) = all.next()? {
        let (compartment, n): (String, i64) = (row.get(0)?, row.get(1)?);
        for resource_type in ResourceType::served() {
            let damaged = || Failure::doing(format!("the chart of {resource_type} in {compartment}"));
            let stored = records.chart_rows(n, *resource_type);
            records.tables().check()?;
            let Some(chart) = whole_chart(*resource_type, stored).map_err(|error| damaged()(error.0))? else {
                continue;
            };
            for resource in chart.unpack().map_err(|error| damaged()(error.0))? {
                let is_first =
                    compartments(*resource_type, &resource.id, &resource.owner).first() == Some(&compartment);
                if is_first {
                    take(resource_type.name(), &resource.body)?;
                }
            }
        }
    }
    Ok(())
}
