//! Indexing stored records again after parameters were added, in steps, while reads and loads go on. The texts stay as
//! they are.

use super::load::{LoadTarget, Stored};
use super::writer::{WriteFailure, write};
use crate::database::{Database, DatabaseError, Rows, Statement};
use crate::fhir::{Id, Reference, ResourceType};
use crate::search::stored_params;
use crate::store::names::has_own_rows;
use crate::store::sql::RoutedStatement;
use crate::store::{IndexedParams, RecordDatabases, another_format, format};

/// The compartments, or rows, of one step. Their charts are in memory together.
const STEP: usize = 16;

/// The result of a run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Reindexed {
    /// The charts that lacked a parameter.
    pub charts: usize,
    /// The resources whose rows have changed.
    pub resources: usize,
    /// The reasons why charts and resources stay as they are: what is stored of them is damaged.
    pub unread: Vec<String>,
    /// True if no other record lacks a parameter any more.
    pub is_finished: bool,
}

/// The point that runs have come to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Done {
    /// The compartments up to this number.
    Compartments(i64),
    /// All compartments, and the rows up to this one.
    Rows(Option<Reference>),
}

impl Done {
    /// The point that a text names. `None` if it names none.
    fn parse(text: &str) -> Option<Self> {
        match text.parse() {
            Ok(n) => Some(Self::Compartments(n)),
            Err(_) if text.is_empty() => Some(Self::Rows(None)),
            Err(_) => Reference::parse(text).map(|last| Self::Rows(Some(last))),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Compartments(n) => n.to_string(),
            Self::Rows(last) => last.as_ref().map(ToString::to_string).unwrap_or_default(),
        }
    }
}

/// Indexes records by the parameters that they lack, until `goes_on` says no. The next run continues where this one has
/// stopped. Changes that a load makes meanwhile stay: the step fails, and the next run does it again. Returns `None` if
/// no record lacks a parameter.
///
/// # Errors
/// If the records are of another format, or a database does not answer or accept the changes.
pub async fn reindex<D: Database>(
    databases: &RecordDatabases<'_, D>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Reindexed>, WriteFailure> {
    let runs = Runs { databases, params: IndexedParams::all() };
    let (mut reindexed, Some((params, mut done))) = (Reindexed::default(), runs.state().await?) else {
        return Ok(None);
    };
    while goes_on() {
        let next = match &done {
            Done::Compartments(last) => runs.charts(*last, &mut reindexed).await?,
            Done::Rows(last) => runs.rows(last.as_ref(), &params, &mut reindexed).await?,
        };
        let Some(next) = next else {
            reindexed.is_finished = true;
            break;
        };
        done = next;
    }
    Ok(Some(reindexed))
}

struct Runs<'a, D> {
    databases: &'a RecordDatabases<'a, D>,
    params: IndexedParams,
}

/// The failure by a stored value of this column.
fn damaged(column: &str) -> WriteFailure {
    WriteFailure::Database(DatabaseError::damaged(column))
}

impl<D: Database> Runs<'_, D> {
    /// The parameters that all rows and names are indexed by, and how far runs by this version have come. `None` if
    /// there are no records, or none that is outdated.
    async fn state(&self) -> Result<Option<(IndexedParams, Done)>, WriteFailure> {
        let text = "SELECT f.number, f.params, r.params AS target, r.done FROM format f LEFT JOIN reindexing r";
        let [rows] = self.directory([text.to_owned()].map(|text| Statement { text, binds: Vec::new() })).await?;
        let Some(number) = rows.text(0, "number") else { return Ok(None) };
        if number != format() {
            return Err(WriteFailure::Database(DatabaseError::other(another_format("records", &number))));
        }
        let params = rows.required_text(0, "params").map_err(WriteFailure::Database)?;
        let params = IndexedParams::parse(&params).ok_or_else(|| damaged("params"))?;
        if params.common(&self.params) == self.params {
            return Ok(None);
        }
        let is_of_this_version = rows.text(0, "target").as_ref() == Some(&self.params.text());
        let done = rows.text(0, "done").filter(|_| is_of_this_version);
        // Runs begin anew where none has said how far it has come, or where that is damaged.
        let done = done.and_then(|done| Done::parse(&done)).unwrap_or(Done::Compartments(-1));
        Ok(Some((params, done)))
    }

    /// Indexes the charts of the next compartments again.
    async fn charts(&self, last: i64, reindexed: &mut Reindexed) -> Result<Option<Done>, WriteFailure> {
        let text = format!("SELECT n FROM compartment WHERE n > CAST(?1 AS INTEGER) ORDER BY n LIMIT {STEP}");
        let [rows] = self.directory([Statement { text, binds: vec![last.to_string()] }]).await?;
        let number = |row| rows.number::<i64>(row, "n").map_err(WriteFailure::Database)?.ok_or_else(|| damaged("n"));
        let numbers = (0..rows.count()).map(number).collect::<Result<Vec<_>, _>>()?;
        let Some(last) = numbers.last() else { return self.advance(Done::Rows(None)).await };
        let written = write(self.databases, |writer| {
            let (mut charts, mut unread) = (0, Vec::new());
            for n in &numbers {
                let (indexed, errors) = writer.index_charts(*n)?;
                charts += indexed;
                unread.extend(errors.into_iter().map(|error| format!("compartment {n}: {}", error.why)));
            }
            writer.flush()?;
            Ok((charts, unread))
        });
        let (charts, unread) = written.await?.result;
        reindexed.charts += charts;
        reindexed.unread.extend(unread);
        self.advance(Done::Compartments(*last)).await
    }

    /// Stores the next rows anew, of the types that lack a parameter of these. `None` if there are none any more; then
    /// nothing is outdated.
    async fn rows(
        &self,
        last: Option<&Reference>,
        params: &IndexedParams,
        reindexed: &mut Reindexed,
    ) -> Result<Option<Done>, WriteFailure> {
        let types: Vec<_> = outdated_types(params).map(ResourceType::name).collect();
        let text = format!(
            "SELECT type, id FROM resource WHERE (type, id) > (?1, ?2) AND type IN (SELECT value FROM json_each(?3)) \
             ORDER BY type, id LIMIT {STEP}"
        );
        let (resource_type, id) = last.map_or(("", ""), |last| (last.resource_type.name(), last.id.as_str()));
        let binds = vec![resource_type.to_owned(), id.to_owned(), serde_json::json!(types).to_string()];
        let [rows] = self.directory([Statement { text, binds }]).await?;
        let reference = |row: usize| {
            let (resource_type, id) = (rows.text(row, "type")?, rows.text(row, "id")?);
            Some(Reference { resource_type: ResourceType::parse(&resource_type)?, id: Id::parse(&id)? })
        };
        let references = (0..rows.count()).map(|row| reference(row).ok_or_else(|| damaged("id")));
        let references = references.collect::<Result<Vec<_>, _>>()?;
        let Some(last) = references.last() else {
            self.finish().await?;
            return Ok(None);
        };
        let written = write(self.databases, |writer| {
            let (mut changed, mut unread) = (0, Vec::new());
            for reference in &references {
                match writer.index_row(reference) {
                    Ok(stored) => changed += usize::from(stored == Stored::Changed),
                    Err(error) => unread.push(error.why),
                }
            }
            Ok((changed, unread))
        });
        let (changed, unread) = written.await?.result;
        reindexed.resources += changed;
        reindexed.unread.extend(unread);
        self.advance(Done::Rows(Some(last.clone()))).await
    }

    /// Notes how far the runs have come.
    async fn advance(&self, done: Done) -> Result<Option<Done>, WriteFailure> {
        let text = "INSERT OR REPLACE INTO reindexing (one, params, done) VALUES (1, ?1, ?2)".to_owned();
        self.directory([Statement { text, binds: vec![self.params.text(), done.text()] }]).await?;
        Ok(Some(done))
    }

    /// Notes that nothing is outdated.
    async fn finish(&self) -> Result<(), WriteFailure> {
        let params = Statement { text: "UPDATE format SET params = ?1".to_owned(), binds: vec![self.params.text()] };
        let state = Statement { text: "DELETE FROM reindexing".to_owned(), binds: Vec::new() };
        self.directory([params, state]).await.map(|_| ())
    }

    /// Runs statements in the directory.
    async fn directory<const N: usize>(&self, statements: [Statement; N]) -> Result<[D::Rows; N], WriteFailure> {
        let routed = statements.map(|statement| RoutedStatement { compartment: None, statement });
        let rows = self.databases.run(routed.into()).await.map_err(WriteFailure::Database)?;
        let other_number = |_| WriteFailure::Database(DatabaseError::other("another number of answers"));
        rows.try_into().map_err(other_number)
    }
}

/// The types whose rows lack a parameter, if they are indexed by these.
pub fn outdated_types(params: &IndexedParams) -> impl Iterator<Item = ResourceType> {
    let is_outdated = |resource_type: &ResourceType| {
        has_own_rows(*resource_type) && stored_params(*resource_type).any(|param| !params.has(param))
    };
    ResourceType::served().iter().copied().filter(is_outdated)
}
