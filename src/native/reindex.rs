//! Indexes stored records again, after parameters were added, or by another set of parameters. The texts stay.

use rusqlite::Connection;

use super::Failure;
use super::schema::has_format;
use super::shards::schema;
use super::writer::SqliteWriter;
use fhir::Micros;
use search::IndexSet;

/// The result of indexing again.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Reindexed {
    /// The charts that lacked a parameter, or had one that is not wanted.
    pub charts: usize,
    /// The resources whose rows have changed.
    pub resources: usize,
    /// The reasons why charts and resources stay as they are: what is stored of them is damaged.
    pub unread: Vec<String>,
}

/// Indexes all records of a database by the set of parameters that the database notes, or by another one, which it
/// notes then. Reads go on meanwhile: the charts of each compartment are changed in a transaction of their own, and all
/// rows in another one. When it is interrupted, the next run does the rest. `now` is the time of changes of resources
/// of which it is not known when they were changed.
///
/// # Errors
/// If the database has no records or those of another format, or does not accept the changes.
pub fn reindex(database: Connection, set: Option<&'static IndexSet>, now: Micros) -> Result<Reindexed, Failure> {
    if !has_format(&database, schema(0))? {
        return Err(Failure("the database has no records".to_owned()));
    }
    let mut writer = match set {
        Some(set) => SqliteWriter::turning_to(database, set)?,
        None => SqliteWriter::over(database)?,
    };
    writer.change_at(now);
    let mut unread = Vec::new();
    let charts = writer.index_charts(&mut unread)?;
    let resources = writer.index_rows(&mut unread)?;
    writer.finish()?;
    Ok(Reindexed { charts, resources, unread })
}
