//! Indexes stored records again, after parameters were added, or by another set of parameters. The texts are unchanged.

use rusqlite::Connection;

use super::Failure;
use super::schema::has_format;
use super::shards::schema;
use super::writer::SqliteWriter;
use fhir::Micros;
use search::IndexSet;

/// The result of a reindex.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Reindexed {
    /// The number of charts that lacked a parameter, or had a superfluous one.
    pub charts: usize,
    /// The number of resources whose rows have changed.
    pub resources: usize,
    /// The reasons why charts and resources are left unchanged: their stored form is damaged.
    pub unread: Vec<String>,
}

/// Indexes all records of a database by the set of parameters that the database names, or by another set, which the
/// database then names. Reads continue: the charts of each compartment are changed in a separate transaction, and all
/// rows in one more. After an interruption, the next run does the rest. `now` becomes the time of change of resources
/// for which that time is unknown.
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
