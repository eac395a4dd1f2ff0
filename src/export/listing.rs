//! Listings of the records in the databases, without their contents. A part is named by the listing of its records, so
//! that a later listing shows whether the part is still up to date.

use std::collections::BTreeMap;

use serde_json::Value;

use super::chart_part::Compartment;
use super::selection::Selection;
use database::{Database, DatabaseError, Rows, Statement, run_all};
use fhir::ResourceType;
use job::{JobError, statement};
use smart::is_directory;
use store::RecordDatabases;
use store::shards::{ShardMap, bucket_of};

/// The existing compartments and rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The compartments that may have resources of the export, by number.
    pub compartments: BTreeMap<i64, Compartment>,
    /// The digests of rows, by type and id.
    pub rows: BTreeMap<(ResourceType, String), String>,
}

/// The rows that are listed in addition to the compartments.
#[derive(Debug, Clone, Copy)]
pub enum ListedRows<'a> {
    /// All rows of the exported types of the directory.
    All,
    /// The rows with these ids.
    These(&'a BTreeMap<ResourceType, Vec<String>>),
}

/// The columns of a compartment whose charts are in this database.
const COMPARTMENTS: &str = "SELECT n, id, version FROM compartment WHERE version <> 0";

impl Listing {
    /// Lists the records in a single state. With several databases, they are listed twice: if both lists are equal,
    /// they describe the state in between.
    ///
    /// # Errors
    /// If a database does not answer, or the records change continually.
    pub async fn read<D: Database>(
        databases: &RecordDatabases<'_, D>,
        selection: &Selection,
        rows: ListedRows<'_>,
    ) -> Result<Self, JobError> {
        let mut listing = Self::read_once(databases, selection, rows).await?;
        if databases.is_one() {
            return Ok(listing);
        }
        for _ in 0..10 {
            databases.forget_map();
            let again = Self::read_once(databases, selection, rows).await?;
            if again == listing {
                return Ok(listing);
            }
            listing = again;
        }
        Err(JobError("the records change while they are listed".to_owned()))
    }

    async fn read_once<D: Database>(
        databases: &RecordDatabases<'_, D>,
        selection: &Selection,
        rows: ListedRows<'_>,
    ) -> Result<Self, JobError> {
        let map = databases.map().await?;
        let mut listing = Self::default();
        for (shard, database) in databases.all().enumerate() {
            let mut statements = vec![statement(COMPARTMENTS, [])];
            // The rows are in the first shard.
            let exported = selection.types.iter().filter(|_| shard == 0).map(|one| one.resource_type);
            let types: Vec<_> = exported.filter(|resource_type| is_directory(*resource_type)).collect();
            statements.extend(types.iter().map(|resource_type| select_rows(*resource_type, rows)));
            let mut answers = run_all(database, statements).await?.into_iter();
            if let Some(answer) = answers.next() {
                for compartment in compartments_in(&answer, &map, shard, selection)? {
                    listing.compartments.insert(compartment.n, compartment);
                }
            }
            for (resource_type, answer) in types.into_iter().zip(answers) {
                for row in 0..answer.count() {
                    let id = answer.required_text(row, "id")?;
                    listing.rows.insert((resource_type, id), answer.required_text(row, "digest")?);
                }
            }
        }
        Ok(listing)
    }

    /// Returns whether there are rows of a type.
    pub fn has_rows(&self, resource_type: ResourceType) -> bool {
        self.rows.range((resource_type, String::new())..).next().is_some_and(|((other, _), _)| *other == resource_type)
    }
}

fn select_rows(resource_type: ResourceType, rows: ListedRows<'_>) -> Statement {
    match rows {
        ListedRows::All => statement("SELECT id, digest FROM resource WHERE type = ?1", [resource_type.to_string()]),
        ListedRows::These(listed) => {
            let ids = Value::from(listed.get(&resource_type).map(Vec::as_slice).unwrap_or_default());
            let text = "SELECT id, digest FROM resource WHERE type = ?1 AND id IN (SELECT value FROM json_each(?2))";
            statement(text, [resource_type.to_string(), ids.to_string()])
        }
    }
}

/// Returns the compartments in rows of a shard that may have such resources. During a move, two shards list them.
pub fn compartments_in<R: Rows>(
    rows: &R,
    map: &ShardMap,
    shard: usize,
    selection: &Selection,
) -> Result<Vec<Compartment>, DatabaseError> {
    let mut found = Vec::with_capacity(rows.count());
    for row in 0..rows.count() {
        let n = rows.number(row, "n")?.ok_or_else(|| DatabaseError::damaged("n"))?;
        if map.shard(bucket_of(n)) != shard {
            continue;
        }
        let id = rows.required_text(row, "id")?;
        if selection.has_compartment(&id) {
            let version = rows.number(row, "version")?.ok_or_else(|| DatabaseError::damaged("version"))?;
            found.push(Compartment { n, id, version });
        }
    }
    Ok(found)
}

/// Selects the compartments in a range of numbers.
pub fn select_compartments(from: i64, to: i64) -> Statement {
    statement(&format!("{COMPARTMENTS} AND n BETWEEN {from} AND {to} ORDER BY n"), [])
}

/// Returns the digest of a part with the charts of these compartments, which must be ordered by their numbers.
pub fn digest_of_compartments<'a>(
    selection: &Selection,
    compartments: impl Iterator<Item = &'a Compartment>,
) -> String {
    let mut digest = selection.digest();
    digest.add("charts");
    for Compartment { id, version, .. } in compartments {
        digest.add(id).add(version.to_string());
    }
    digest.text::<32>()
}

/// Returns the digest of a part with these rows of a type, which must be ordered by their ids.
pub fn digest_of_rows<'a>(
    selection: &Selection,
    resource_type: ResourceType,
    rows: impl Iterator<Item = (&'a str, &'a str)>,
) -> String {
    let mut digest = selection.digest();
    digest.add("rows").add(resource_type.name());
    for (id, own) in rows {
        digest.add(id).add(own);
    }
    digest.text::<32>()
}
