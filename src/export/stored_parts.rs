//! The parts that exports share, in the table `export_part` (`migrations/0002_authorization.sql`).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::keys::key_of_object;
use super::segment::Segment;
use database::{Database, Rows, run_each};
use fhir::{Micros, json};
use job::{Bucket, JobError, statement, stored};

/// The time after which a part is made again, so that its objects may expire.
const RENEWED_AFTER: Micros = 6 * 24 * 3_600 * 1_000_000;
/// The most parts that one statement reads.
const AT_ONCE: usize = 64;
/// The most parts that one run of the cron trigger deletes.
const MAX_DELETED: usize = 200;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredPart {
    /// The prefix of the keys of its objects.
    pub object: String,
    pub contents: PartContents,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartContents {
    pub segments: Vec<Segment>,
    /// The resources to which those of the part refer and that are exported with them: `Type/id`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub referred: Vec<String>,
    /// The types that are in its charts but are not exported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<String>,
    /// The faults: a sentence for each resource that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The publication to which it belongs. Everybody may read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publication: Option<String>,
}

impl PartContents {
    /// Returns the number of resources.
    pub fn count(&self) -> u64 {
        self.segments.iter().map(|segment| segment.count).sum()
    }
}

/// Returns the part with that digest, and keeps it until this time. `None` if it is unknown or old, or if it has faults
/// and belongs to another job: unreadable data may have become readable.
///
/// # Errors
/// If the database does not answer.
pub async fn find<D: Database>(
    database: &D,
    digest: &str,
    job: &str,
    (now, until): (Micros, Micros),
) -> Result<Option<StoredPart>, JobError> {
    let text = "UPDATE export_part SET until = max(until, CAST(?2 AS INTEGER)) WHERE digest = ?1 \
                AND made_at > CAST(?3 AS INTEGER) RETURNING object, segments";
    let binds = [digest.to_owned(), until.to_string(), (now - RENEWED_AFTER).to_string()];
    let [found] = run_each(database, [statement(text, binds)]).await?;
    if found.count() == 0 {
        return Ok(None);
    }
    let part = part_in(&found, 0)?;
    let is_own = part.object.ends_with(&format!("-{job}"));
    Ok(Some(part).filter(|part| part.contents.faults.is_empty() || is_own))
}

/// Stores a part.
///
/// # Errors
/// If the database does not answer.
pub async fn store<D: Database>(
    database: &D,
    digest: &str,
    part: &StoredPart,
    (now, until): (Micros, Micros),
) -> Result<(), JobError> {
    let text = "INSERT INTO export_part (digest, object, segments, made_at, until) VALUES (?1, ?2, ?3, ?4, ?5) \
                ON CONFLICT (digest) DO UPDATE SET object = excluded.object, segments = excluded.segments, \
                made_at = excluded.made_at, until = max(until, excluded.until)";
    let binds = [digest.to_owned(), part.object.clone(), json(&part.contents), now.to_string(), until.to_string()];
    run_each(database, [statement(text, binds)]).await?;
    Ok(())
}

/// Returns the parts with these digests, and keeps them until this time.
pub async fn read<D: Database>(database: &D, digests: &[String], until: Micros) -> Result<Vec<StoredPart>, JobError> {
    let text = "UPDATE export_part SET until = max(until, CAST(?2 AS INTEGER)) \
                WHERE digest IN (SELECT value FROM json_each(?1)) RETURNING digest, object, segments";
    let mut parts = Vec::with_capacity(digests.len());
    for some in digests.chunks(AT_ONCE) {
        let binds = [Value::from(some).to_string(), until.to_string()];
        let [rows] = run_each(database, [statement(text, binds)]).await?;
        let row_of = |digest: &String| (0..rows.count()).find(|row| rows.text(*row, "digest").as_ref() == Some(digest));
        for digest in some {
            let row = row_of(digest).ok_or_else(|| JobError("a part of an export is not there any more".to_owned()))?;
            parts.push(part_in(&rows, row)?);
        }
    }
    Ok(parts)
}

/// Returns the part with that digest, if it belongs to that publication.
///
/// # Errors
/// If the database does not answer.
pub async fn published<D: Database>(
    database: &D,
    digest: &str,
    publication: &str,
) -> Result<Option<StoredPart>, JobError> {
    let text = "SELECT object, segments FROM export_part WHERE digest = ?1";
    let [found] = run_each(database, [statement(text, [digest.to_owned()])]).await?;
    let part = if found.count() == 0 { None } else { Some(part_in(&found, 0)?) };
    Ok(part.filter(|part| part.contents.publication.as_deref() == Some(publication)))
}

/// Deletes parts that no export needs any more, with their objects.
///
/// # Errors
/// If the database or the bucket does not answer.
pub async fn delete_ended<D: Database>(database: &D, bucket: &impl Bucket, now: Micros) -> Result<(), JobError> {
    let text = format!(
        "SELECT digest, object, segments FROM export_part WHERE until < CAST(?1 AS INTEGER) \
         ORDER BY until LIMIT {MAX_DELETED}"
    );
    let [ended] = run_each(database, [statement(&text, [now.to_string()])]).await?;
    let digests: Vec<_> = (0..ended.count()).filter_map(|row| ended.text(row, "digest")).collect();
    if digests.is_empty() {
        return Ok(());
    }
    // An export may have begun to use a part in the meantime.
    let delete = "DELETE FROM export_part WHERE until < CAST(?1 AS INTEGER) \
                  AND digest IN (SELECT value FROM json_each(?2)) RETURNING object, segments";
    let binds = [now.to_string(), Value::from(digests).to_string()];
    let [deleted] = run_each(database, [statement(delete, binds)]).await?;
    for row in 0..deleted.count() {
        let StoredPart { object, contents } = part_in(&deleted, row)?;
        let objects = contents.segments.iter().map(|segment| segment.object + 1).max().unwrap_or_default();
        if objects > 0 {
            bucket.delete((0..objects).map(|number| key_of_object(&object, number)).collect()).await?;
        }
    }
    Ok(())
}

fn part_in(rows: &impl Rows, row: usize) -> Result<StoredPart, JobError> {
    let contents = stored(rows, row, "segments")?;
    Ok(StoredPart { object: rows.required_text(row, "object")?, contents: contents.unwrap_or_default() })
}
