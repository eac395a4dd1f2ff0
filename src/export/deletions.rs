//! The deleted resources, for exports of changes since a time.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::selection::Selection;
use database::{Database, Rows, run_each};
use fhir::{Micros, Reference, ResourceType};
use job::{JobError, statement};
use smart::is_directory;
use store::RecordDatabases;
use store::names::name_hash;
use store::shards::bucket_of;
use store::sql::{ChartPart, chart_keys, chart_of, open_chart, parts, select_deleted};

/// The most deletions that are looked up at once.
const AT_ONCE: usize = 100;
/// The most entries of a Bundle.
const ENTRIES: usize = 100;
/// The number of keys reserved for the head of a chart, at its end.
const KEYS_OF_HEAD: i64 = 8;

/// Returns transaction Bundles of selected resources deleted after `since` and before `until` that are still gone.
///
/// # Errors
/// If a database does not answer.
pub async fn deletions<D: Database>(
    databases: &RecordDatabases<'_, D>,
    selection: &Selection,
    since: Micros,
    until: Option<Micros>,
) -> Result<Vec<String>, JobError> {
    let Some(directory) = databases.all().next() else { return Ok(Vec::new()) };
    let [rows] = run_each(directory, [select_deleted(Some(since), until)]).await?;
    let mut deleted = Vec::new();
    for row in 0..rows.count() {
        let reference = Reference::parse(&rows.required_text(row, "reference")?);
        deleted.extend(reference.filter(|reference| selection.tells_deletion(reference.resource_type)));
    }
    let mut gone = Vec::new();
    for some in deleted.chunks(AT_ONCE) {
        let there = stored(databases, some).await?;
        gone.extend(some.iter().filter(|reference| !there.contains(reference)));
    }
    Ok(bundles(&gone))
}

/// Returns transaction Bundles that delete these resources.
pub fn bundles(gone: &[impl ToString]) -> Vec<String> {
    let bundle = |some: &[_]| {
        let entry = |reference: &_| json!({"request": {"method": "DELETE", "url": ToString::to_string(reference)}});
        let entries: Vec<Value> = some.iter().map(entry).collect();
        json!({"resourceType": "Bundle", "type": "transaction", "entry": entries}).to_string()
    };
    gone.chunks(ENTRIES).map(bundle).collect()
}

/// A chart: the number of its compartment, and its type.
type ChartKey = (i64, ResourceType);

type RowsOfCharts = BTreeMap<ChartKey, Vec<(i64, Vec<u8>)>>;

/// Returns the resources of a list that are still stored.
async fn stored<'r, D: Database>(
    databases: &RecordDatabases<'_, D>,
    references: &'r [Reference],
) -> Result<BTreeSet<&'r Reference>, JobError> {
    let mut found = BTreeSet::new();
    let in_rows: BTreeSet<ResourceType> =
        references.iter().map(|reference| reference.resource_type).filter(|of| is_directory(*of)).collect();
    for of in in_rows {
        let ids: Value = references.iter().filter(|one| one.resource_type == of).map(|one| one.id.as_str()).collect();
        let text = "SELECT id FROM resource WHERE type = ?1 AND id IN (SELECT value FROM json_each(?2))";
        let rows = super::row_part::run(databases, statement(text, [of.to_string(), ids.to_string()])).await?;
        let there: BTreeSet<String> = (0..rows.count()).filter_map(|row| rows.text(row, "id")).collect();
        found.extend(references.iter().filter(|one| one.resource_type == of && there.contains(one.id.as_str())));
    }
    let in_charts = || references.iter().filter(|reference| !is_directory(reference.resource_type));
    let charts = charts_of(databases, in_charts()).await?;
    let map = databases.map().await?;
    for (shard, database) in databases.all().enumerate() {
        let own = charts.keys().filter(|(n, _)| map.shard(bucket_of(*n)) == shard);
        let ranges: Vec<Value> = own
            .map(|(n, of)| {
                let (_, last) = chart_keys(*n, *of);
                Value::from(vec![last - KEYS_OF_HEAD + 1, last])
            })
            .collect();
        if ranges.is_empty() {
            continue;
        }
        let text = "SELECT CAST(c.k AS TEXT) AS k, hex(c.data) AS data FROM json_each(?1) j CROSS JOIN chart c \
                    WHERE c.k BETWEEN j.value ->> 0 AND j.value ->> 1";
        let [rows] = run_each(database, [statement(text, [Value::from(ranges).to_string()])]).await?;
        let mut heads = RowsOfCharts::new();
        for row in 0..rows.count() {
            let key: i64 = rows.required_number(row, "k")?;
            if let (Some((n, of)), Ok(Some(bytes))) = (chart_of(key), rows.bytes(row, "data")) {
                heads.entry((n, of)).or_default().push((key - chart_keys(n, of).0, bytes));
            }
        }
        for ((n, of), rows) in heads {
            let is_head = |(part, _): &(ChartPart, Vec<u8>)| *part == ChartPart::Head;
            let head = parts(rows).map(|parts| parts.into_iter().find(is_head));
            // The part with a damaged chart reports the damage.
            let Ok(Some(chart)) = head.and_then(|head| open_chart(of, head)) else { continue };
            let here = charts.get(&(n, of)).into_iter().flatten();
            found.extend(here.filter(|reference| chart.find(reference.id.as_str()).is_some()));
        }
    }
    Ok(found)
}

/// Returns the charts that may contain resources, by the number of the compartment and the type.
async fn charts_of<'r, D: Database>(
    databases: &RecordDatabases<'_, D>,
    references: impl Iterator<Item = &'r Reference>,
) -> Result<BTreeMap<ChartKey, Vec<&'r Reference>>, JobError> {
    let references: Vec<_> = references.collect();
    let mut charts: BTreeMap<ChartKey, Vec<&Reference>> = BTreeMap::new();
    let Some(directory) = databases.all().next() else { return Ok(charts) };
    let hashes: Vec<i64> = references.iter().map(|reference| name_hash(&reference.to_string())).collect();
    // The id of a patient's compartment is the id of the patient.
    let ids: Vec<&str> = references.iter().map(|reference| reference.id.as_str()).collect();
    let by_name = "SELECT j.key AS at, l.n FROM json_each(?1) j CROSS JOIN locator l WHERE l.hash = j.value";
    let by_id = "SELECT j.key AS at, p.n FROM json_each(?1) j CROSS JOIN compartment p WHERE p.id = j.value";
    let [names, patients] = run_each(
        directory,
        [statement(by_name, [Value::from(hashes).to_string()]), statement(by_id, [Value::from(ids).to_string()])],
    )
    .await?;
    for (rows, is_of_patients) in [(names, false), (patients, true)] {
        for row in 0..rows.count() {
            let (Some(at), Some(n)) = (rows.number::<usize>(row, "at")?, rows.number(row, "n")?) else { continue };
            let Some(reference) = references.get(at) else { continue };
            if is_of_patients == (reference.resource_type == ResourceType::Patient) {
                charts.entry((n, reference.resource_type)).or_default().push(reference);
            }
        }
    }
    Ok(charts)
}
