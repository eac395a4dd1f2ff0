//! A part with rows of a type of the directory.

use std::collections::BTreeMap;

use serde_json::Value;

use super::chart_part::PartFailure;
use super::line::line;
use super::selection::TypeSelection;
use super::stored_parts::PartContents;
use super::writer::PartWriter;
use database::{Database, Rows, Statement};
use fhir::{Id, ResourceType, Span};
use job::{Bucket, JobError, statement};
use search::registry::id_param;
use search::sort_key::time_of;
use search::{IndexSet, SortKey, facts};
use smart::Owner;
use store::sql::RoutedStatement;
use store::{IndexedResource, RecordDatabases};

/// The most characters of texts that one statement reads.
const AT_ONCE: usize = 2 << 20;

/// Selects columns of a range of rows, in the order of their ids.
pub fn select(columns: &str, resource_type: ResourceType, from: &str, to: Option<&str>) -> Statement {
    let text =
        format!("SELECT {columns} FROM resource WHERE type = ?1 AND id >= ?2 AND (?3 = '' OR id < ?3) ORDER BY id");
    statement(&text, [resource_type.to_string(), from.to_owned(), to.unwrap_or_default().to_owned()])
}

/// Runs a statement on the rows of types.
pub async fn run<D: Database>(databases: &RecordDatabases<'_, D>, statement: Statement) -> Result<D::Rows, JobError> {
    let mut answers = databases.run(vec![RoutedStatement::directory(statement)]).await?;
    answers.pop().ok_or_else(|| JobError("the database did not answer".to_owned()))
}

/// Makes a part with the rows of a type that have these digests.
///
/// # Errors
/// If a database or the bucket does not answer, or a row changes in the meantime.
pub async fn make<D: Database, B: Bucket>(
    databases: &RecordDatabases<'_, D>,
    set: &'static IndexSet,
    (place, selected): (usize, &TypeSelection),
    digests: &BTreeMap<String, String>,
    mut writer: PartWriter<'_, B>,
) -> Result<PartContents, PartFailure> {
    let resource_type = selected.resource_type;
    let (Some((first, _)), Some((last, _))) = (digests.first_key_value(), digests.last_key_value()) else {
        return Ok(PartContents::default());
    };
    let mut faults = Vec::new();
    let behind = format!("{last}\u{1}");
    let statement = select("id, length(body) AS length", resource_type, first, Some(&behind));
    let sizes = run(databases, statement).await?;
    let mut ids: Vec<Vec<String>> = Vec::new();
    let mut length = AT_ONCE;
    for row in 0..sizes.count() {
        let own: usize = sizes.required_number(row, "length")?;
        length += own;
        if length > AT_ONCE {
            ids.push(Vec::new());
            length = own;
        }
        if let Some(last) = ids.last_mut() {
            last.push(sizes.required_text(row, "id")?);
        }
    }
    let mut count = 0;
    for ids in ids {
        let rows = run(databases, select_texts(resource_type, &ids)).await?;
        for row in 0..rows.count() {
            let id = rows.required_text(row, "id")?;
            if digests.get(&id) != rows.text(row, "digest").as_ref() {
                return Err(PartFailure::Changed);
            }
            count += 1;
            let text = rows.required_text(row, "body")?;
            let taken =
                takes(selected, &id, &text, rows.text(row, "params"), set, |indexed| selected.takes(None, indexed));
            match taken
                .and_then(|is_taken| if is_taken { line(selected, text.as_bytes()).map(Some) } else { Some(None) })
            {
                Some(Some(line)) => writer.add(place, resource_type.name(), &line),
                Some(None) => {}
                None => faults.push(format!("{resource_type}/{id} cannot be read.")),
            }
            writer.write_full().await?;
        }
    }
    if count != digests.len() {
        return Err(PartFailure::Changed);
    }
    Ok(PartContents { segments: writer.finish().await?, faults, ..PartContents::default() })
}

/// Selects the texts of rows.
pub fn select_texts(resource_type: ResourceType, ids: &[String]) -> Statement {
    let text = "SELECT id, digest, params, body FROM resource WHERE type = ?1 \
                AND id IN (SELECT value FROM json_each(?2)) ORDER BY id";
    statement(text, [resource_type.to_string(), Value::from(ids).to_string()])
}

/// Returns whether a row of the directory is exported, according to `finds` for its facts. These are read from its
/// text; times that are not in the text come from `params`. `None` if the row is damaged.
pub fn takes(
    selected: &TypeSelection,
    id: &str,
    text: &str,
    params: Option<String>,
    set: &'static IndexSet,
    finds: impl FnOnce(&IndexedResource) -> bool,
) -> Option<bool> {
    if selected.is_everything() {
        return Some(true);
    }
    let resource_type = selected.resource_type;
    let resource: Value = serde_json::from_str(text).ok()?;
    let id = Id::parse(id)?;
    let mut found = facts(resource_type, &resource, text, set, &|_| None);
    found.insert(0, (id_param(resource_type), id.clone().into()));
    let known: BTreeMap<String, Vec<String>> = serde_json::from_str(&params?).ok()?;
    for param in set.stored_params(resource_type).filter(|param| param.kind.is_date()) {
        let codes = known.get(&param.id.number().to_string());
        let has_none = !found.iter().any(|(other, _)| other.id == param.id);
        if let Some([from, _, until, ..]) = codes.map(Vec::as_slice)
            && has_none
            && let (Some(from), Some(until)) = (time_of(from), time_of(until))
        {
            found.push((param, Span { from, until }.into()));
        }
    }
    let (owner, sort_key) = (Owner::Everyone, SortKey::new(None, &id));
    let (version, body) = (String::new(), String::new());
    Some(finds(&IndexedResource { resource_type, id, owner, sort_key, version, facts: found, body }))
}
