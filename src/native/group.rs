//! Makes Groups of the patients that a search finds.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use percent_encoding::percent_decode_str;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{Failure, SqliteDatabase};
use fhir::{Id, Micros, ResourceType};
use search::{Handling, IndexSet, ParseContext, Query, parse_in};
use smart::{Grant, ScopeSet, is_directory};
use store::{
    AccessListCache, AccessListReader, ChartCache, Corrections, FreshnessWindow, RecordDatabases, ShardMapCache,
    SqlStore, StoreError, UncheckedStore,
};

/// The maximum number of matches on a page.
const PAGE: usize = 250;
/// The maximum number of patients that one search names. Each has separate charts to read.
const PATIENTS: usize = 50;

/// The databases in which patients are searched: the database of the directory, and those of further shards.
#[derive(Debug)]
pub struct SearchedDatabases {
    /// The directory.
    pub directory: Connection,
    /// Another connection to the directory, for the shard map.
    pub primary: Connection,
    /// The further shards, in order.
    pub shards: Vec<Connection>,
}

/// Returns the patients whom a search finds, or to whom the found resources belong, in order of their ids. Patients who
/// are not stored are left out. `base` is the FHIR base of the server.
///
/// # Errors
/// If the search is malformed or about resources of no patient, or if the databases do not answer.
pub fn patients_of(
    search: &str,
    databases: SearchedDatabases,
    base: &str,
    now: Micros,
) -> Result<BTreeSet<Id>, Failure> {
    let query = parsed(search, base, now)?;
    let (map, corrections) = (ShardMapCache::default(), Corrections::default());
    let (cache, lists) = (ChartCache::new(FreshnessWindow::NONE), AccessListCache::default());
    let SearchedDatabases { directory, primary, shards } = databases;
    let mut all = stored_patients(&directory)?;
    for shard in &shards {
        all.extend(stored_patients(shard)?);
    }
    let directory = SqliteDatabase::new(directory);
    let records = if shards.is_empty() {
        RecordDatabases::one(directory)
    } else {
        let shards = shards.into_iter().map(SqliteDatabase::new).collect();
        RecordDatabases::sharded(directory, shards, SqliteDatabase::new(primary), &map, &corrections)
    };
    let nobody = SqliteDatabase::new(Connection::open_in_memory()?);
    let access_lists = AccessListReader::new(nobody, &lists, now / 1_000_000);
    let store = SqlStore::new(records, access_lists, base.to_owned(), &cache, now);
    let grant = Grant { scopes: all_types()?, ..Grant::default() };
    let find = |query: Query| found(&store, &grant, query);
    let is_answered_at_once = query.resource_type == ResourceType::Patient && grant.narrow(query.clone(), None).is_ok();
    let mut members = BTreeSet::new();
    if is_answered_at_once || query.patients.is_some() {
        members = find(query)?;
    } else {
        let patients: Vec<_> = all.iter().cloned().collect();
        for some in patients.chunks(PATIENTS) {
            members.extend(find(Query { patients: Some(some.to_vec()), ..query.clone() })?);
        }
    }
    Ok(members.intersection(&all).cloned().collect())
}

fn stored_patients(database: &Connection) -> Result<BTreeSet<Id>, Failure> {
    let mut statement = database.prepare("SELECT id FROM resource WHERE type = 'Patient'")?;
    let ids = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    Ok(ids.iter().filter_map(|id| Id::parse(id)).collect())
}

fn all_types() -> Result<ScopeSet, Failure> {
    let scopes: Vec<_> = ResourceType::served().iter().map(|one| format!("system/{}.rs", one.name())).collect();
    ScopeSet::parse(&scopes.join(" ")).map_err(|error| Failure(error.reason.to_string()))
}

/// Parses the search, without the parameters for the form of the answer.
fn parsed(search: &str, base: &str, now: Micros) -> Result<Query, Failure> {
    let (name, text) = search.split_once('?').unwrap_or((search, ""));
    let unknown = || Failure(format!("{name} is no type that is served"));
    let resource_type = ResourceType::parse(name).ok_or_else(unknown)?;
    if is_directory(resource_type) && resource_type != ResourceType::Patient {
        return Err(Failure(format!("{name} belongs to no patient, so that no Group follows from it")));
    }
    let decoded = |text: &str| -> Result<String, Failure> {
        let text = text.replace('+', " ");
        let decoded = percent_decode_str(&text).decode_utf8().map_err(Failure::doing(format!("reading {text}")))?;
        Ok(decoded.into_owned())
    };
    let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Ok((decoded(name)?, decoded(value)?))
    });
    let pairs = pairs.collect::<Result<Vec<_>, Failure>>()?;
    let context = ParseContext { set: IndexSet::all(), now, handling: Handling::Strict, base };
    let query = parse_in(&context, resource_type, &pairs).map_err(|issues| {
        let texts: Vec<_> = issues.iter().map(|issue| issue.text.as_str()).collect();
        Failure(texts.join(" "))
    })?;
    if !query.include.is_empty() || !query.revinclude.is_empty() || query.cursor.is_some() || query.count_only {
        return Err(Failure("a Group follows from what a search matches, and not from what comes with it".to_owned()));
    }
    Ok(query)
}

/// Returns the patients on all pages of a search.
fn found<S: UncheckedStore>(store: &S, grant: &Grant, query: Query) -> Result<BTreeSet<Id>, Failure> {
    let refused = |denied| Failure(format!("the search is refused: {denied:?}"));
    let permitted = grant.narrow(Query { count: PAGE, ..query }, None).map_err(refused)?;
    let (mut patients, mut after) = (BTreeSet::new(), None::<String>);
    loop {
        let answer = store.search(&permitted, after.as_deref()).now_or_never();
        let answer = answer.unwrap_or_else(|| Err(StoreError::Unavailable("a file has waited".to_owned())));
        let page = answer.map_err(|error| Failure(format!("the search fails: {error:?}")))?;
        patients.extend(page.patients);
        let Some(end) = page.page_end else { return Ok(patients) };
        after = Some(end);
    }
}

/// Returns a Group of these patients, as JSON text. `identifier` is `system|value`, or only a value.
pub fn group(name: &str, id: &Id, identifier: Option<&str>, patients: &BTreeSet<Id>) -> String {
    let mut group = json!({"resourceType": "Group", "id": id.as_str()});
    let identifier = identifier.map(|text| match text.split_once('|') {
        Some((system, value)) => json!([{"system": system, "value": value}]),
        None => json!([{"value": text}]),
    });
    let member = |id: &Id| json!({"entity": {"reference": format!("Patient/{id}")}});
    let members: Vec<_> = patients.iter().map(member).collect();
    let rest: [(&str, Option<Value>); 6] = [
        ("identifier", identifier),
        ("active", Some(true.into())),
        ("type", Some("person".into())),
        ("actual", Some(true.into())),
        ("name", Some(name.into())),
        ("quantity", Some(members.len().into())),
    ];
    if let Some(object) = group.as_object_mut() {
        object.extend(rest.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        // FHIR forbids empty arrays.
        if !members.is_empty() {
            object.insert("member".to_owned(), members.into());
        }
    }
    group.to_string()
}

/// Returns the id that is derived from a name: its letters and digits, with hyphens for everything between them.
pub fn id_of_name(name: &str) -> Option<Id> {
    let lower = name.to_lowercase();
    let words: Vec<_> = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let id: String = words.join("-").chars().take(64).collect();
    Id::parse(id.trim_end_matches('-'))
}
