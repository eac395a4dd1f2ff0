//! Indexing stored records again after parameters were added, or by another set of parameters. This is done in steps,
//! while reads and loads continue. The texts do not change. The store records the wanted set.

use super::load::{LoadTarget, Stored};
use super::load_documents::narrowing;
use super::writer::{Clock, Snapshot, WriteFailure, Writer, write};
use database::{Database, DatabaseError, Rows, Statement};
use fhir::{Id, Reference, ResourceType};
use search::IndexSet;
use store::names::has_own_rows;
use store::sql::RoutedStatement;
use store::{IndexedParams, RecordDatabases, another_format, format, wanted_set};

/// The compartments or rows of one step. Their charts are in memory at the same time.
const STEP: usize = 16;

/// The result of a run.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Reindexed {
    /// The charts that lacked a parameter, or had an unwanted one.
    pub charts: usize,
    /// The resources whose rows changed.
    pub resources: usize,
    /// The reasons why charts and resources stay unchanged: their stored data are damaged.
    pub unread: Vec<String>,
    /// True if no other record lacks a parameter.
    pub is_finished: bool,
}

/// The point that the runs have reached.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Done {
    /// The compartments up to this number.
    Compartments(i64),
    /// All compartments, and the rows up to this one.
    Rows(Option<Reference>),
}

impl Done {
    /// Parses the text of a point. `None` if it is invalid.
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

/// Indexes records by the wanted set of parameters until `goes_on` returns false. The next run continues where this one
/// stopped. Records without a time of change get the time that `clock` returns. A load's changes in the meantime are
/// kept: the step fails, and the next run repeats it. Returns `None` if no record lacks a parameter or has an unwanted
/// one. Values of unwanted parameters may remain in the rows of types that are searched without a patient, where no
/// search finds them, until their resources change.
pub async fn reindex<D: Database>(
    databases: &RecordDatabases<'_, D>,
    clock: Clock<'_>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Reindexed>, WriteFailure> {
    let (mut reindexed, Some((runs, params, mut done))) = (Reindexed::default(), Runs::of(databases, clock).await?)
    else {
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
    clock: Clock<'a>,
    set: &'static IndexSet,
    /// The parameters of the set.
    params: IndexedParams,
}

/// Returns a statement without binds.
fn plain(text: &str) -> Statement {
    Statement { text: text.to_owned(), binds: Vec::new() }
}

fn damaged(column: &str) -> WriteFailure {
    WriteFailure::Database(DatabaseError::damaged(column))
}

impl<'a, D: Database> Runs<'a, D> {
    /// Returns the runs by the wanted set, with the parameters by which all rows and names are indexed, and the point
    /// that runs of this version have reached. `None` if there are no records, or if none are outdated.
    async fn of(
        databases: &'a RecordDatabases<'a, D>,
        clock: Clock<'a>,
    ) -> Result<Option<(Self, IndexedParams, Done)>, WriteFailure> {
        let runs = |set| Self { databases, clock, set, params: IndexedParams::of(set) };
        let text =
            "SELECT f.number, f.params, f.wanted, r.params AS target, r.done FROM format f LEFT JOIN reindexing r";
        let [rows] = runs(IndexSet::us_core()).directory([plain(text)]).await?;
        let Some(number) = rows.text(0, "number") else { return Ok(None) };
        if number != format() {
            return Err(DatabaseError::other(another_format("records", &number)).into());
        }
        let required = |column| rows.required_text(0, column);
        let runs = runs(wanted_set(&required("wanted")?).map_err(DatabaseError::other)?);
        let params = IndexedParams::parse(&required("params")?).ok_or_else(|| damaged("params"))?;
        let is_of_this_version = rows.text(0, "target").as_ref() == Some(&runs.params.text());
        let done = rows.text(0, "done").filter(|_| is_of_this_version);
        // Parameters of other versions are irrelevant.
        let known = params.common(&IndexedParams::of(IndexSet::of_r4()));
        if known == runs.params && done.is_none() {
            return Ok(None);
        }
        let indexed = params.common(&runs.params);
        // Runs begin at the start if no point is stored, or if it is damaged.
        let done = match done.and_then(|done| Done::parse(&done)) {
            Some(done) => done,
            None => {
                // From now on, no search uses rows for unwanted parameters.
                runs.directory(narrowing(runs.set).each_ref().map(|text| plain(text))).await?;
                runs.note(&Done::Compartments(-1)).await?;
                Done::Compartments(-1)
            }
        };
        Ok(Some((runs, indexed, done)))
    }

    /// Indexes the charts of the next compartments again.
    async fn charts(&self, last: i64, reindexed: &mut Reindexed) -> Result<Option<Done>, WriteFailure> {
        let text = format!("SELECT n FROM compartment WHERE n > CAST(?1 AS INTEGER) ORDER BY n LIMIT {STEP}");
        let [rows] = self.directory([Statement { text, binds: vec![last.to_string()] }]).await?;
        let number = |row| rows.number::<i64>(row, "n")?.ok_or_else(|| damaged("n"));
        let mut numbers = (0..rows.count()).map(number).collect::<Result<Vec<_>, _>>()?;
        if numbers.is_empty() {
            return self.advance(Done::Rows(None)).await;
        }
        let written = loop {
            let work = async |writer: &mut Writer<Snapshot<'_>>| {
                let (mut charts, mut unread) = (0, Vec::new());
                for n in &numbers {
                    let (indexed, errors) = writer.index_charts(*n)?;
                    charts += indexed;
                    unread.extend(errors.into_iter().map(|error| format!("compartment {n}: {}", error.why)));
                }
                writer.flush()?;
                Ok((charts, unread))
            };
            match write(self.databases, self.set, self.clock, numbers.len() > 1, work).await {
                // Large charts are indexed in fewer compartments at a time.
                Err(WriteFailure::TooMuch) => numbers.truncate(numbers.len().div_ceil(2)),
                written => break written?,
            }
        };
        let Some(last) = numbers.last() else { return Ok(None) };
        let (charts, unread) = written.result;
        reindexed.charts += charts;
        reindexed.unread.extend(unread);
        self.advance(Done::Compartments(*last)).await
    }

    /// Stores the next rows again, for types whose rows lack one of the parameters. `None` if nothing is outdated.
    async fn rows(
        &self,
        last: Option<&Reference>,
        params: &IndexedParams,
        reindexed: &mut Reindexed,
    ) -> Result<Option<Done>, WriteFailure> {
        let text = format!(
            "SELECT type, id FROM resource WHERE (type, id) > (?1, ?2) AND type IN (SELECT value FROM json_each(?3)) \
             ORDER BY type, id LIMIT {STEP}"
        );
        let (resource_type, id) = last.map_or(("", ""), |last| (last.resource_type.name(), last.id.as_str()));
        let names: Vec<_> = outdated_types(params, self.set).map(ResourceType::name).collect();
        let binds = vec![resource_type.to_owned(), id.to_owned(), serde_json::json!(names).to_string()];
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
        let written = write(self.databases, self.set, self.clock, false, async |writer: &mut Writer<Snapshot<'_>>| {
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

    /// Stores the point that the runs have reached, and returns it.
    async fn advance(&self, done: Done) -> Result<Option<Done>, WriteFailure> {
        self.note(&done).await?;
        Ok(Some(done))
    }

    async fn note(&self, done: &Done) -> Result<(), WriteFailure> {
        let text = "INSERT OR REPLACE INTO reindexing (one, params, done) VALUES (1, ?1, ?2)".to_owned();
        self.directory([Statement { text, binds: vec![self.params.text(), done.text()] }]).await.map(|_| ())
    }

    /// Records that nothing is outdated.
    async fn finish(&self) -> Result<(), WriteFailure> {
        let params = Statement { text: "UPDATE format SET params = ?1".to_owned(), binds: vec![self.params.text()] };
        self.directory([params, plain("DELETE FROM reindexing")]).await.map(|_| ())
    }

    async fn directory<const N: usize>(&self, statements: [Statement; N]) -> Result<[D::Rows; N], WriteFailure> {
        let routed = statements.map(RoutedStatement::directory);
        let rows = self.databases.run(routed.into()).await?;
        let other_number = |_| WriteFailure::Database(DatabaseError::other("another number of answers"));
        rows.try_into().map_err(other_number)
    }
}

/// Returns the types whose rows lack a parameter of a set, if they are indexed by `params`.
pub fn outdated_types(params: &IndexedParams, set: &IndexSet) -> impl Iterator<Item = ResourceType> {
    let is_outdated = |resource_type: &ResourceType| {
        has_own_rows(*resource_type) && set.stored_params(*resource_type).any(|param| !params.has(param))
    };
    ResourceType::served().iter().copied().filter(is_outdated)
}
