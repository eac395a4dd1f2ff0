//! Loads of documents into databases that answer asynchronously.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::breaks::Breaks;
use super::document::{Parsed, Rejection};
use super::load::{FirstPass, Load, LoadEvent, LoadTarget, Stored};
use super::report::FileReport;
use super::sources::Sources;
use super::text::{is_json, not_utf8};
use super::writer::{Clock, SkippedCompartments, Snapshot, Tables, WriteError, WriteFailure, Writer, write};
use database::{Database, DatabaseError, DatabaseErrorKind, Rows, Statement};
use fhir::Id;
use search::IndexSet;
use store::{IndexedParams, RecordDatabases, another_format, format, wanted_set};

/// The longest text, in bytes, whose resources are in memory together and are written together.
pub const MAX_FILE_LENGTH: usize = 8 << 20;

/// The number of tries for a file while others change the same records.
const TRIES: usize = 5;

/// The result of a load of documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    pub report: FileReport,
    /// True if the load changed or removed data that were stored before.
    pub corrects: bool,
    /// The patients whose records changed.
    pub patients: ChangedPatients,
}

/// The patients whose records a load changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedPatients {
    /// The ids of resources that were stored, or stored with other contents.
    pub updated: BTreeSet<Id>,
    /// The ids of resources that were deleted.
    pub deleted: BTreeSet<Id>,
}

impl ChangedPatients {
    fn add(&mut self, event: &LoadEvent<'_>) {
        match event {
            LoadEvent::Stored { effect: Stored::New | Stored::Changed, owner, .. } => {
                self.updated.extend(owner.patients().cloned());
            }
            LoadEvent::Deleted(Some(owner)) => self.deleted.extend(owner.patients().cloned()),
            LoadEvent::Stored { effect: Stored::Same, .. }
            | LoadEvent::Deleted(None)
            | LoadEvent::NotServed(_)
            | LoadEvent::IllegalId(_)
            | LoadEvent::Fault(_)
            | LoadEvent::Repeated { .. }
            | LoadEvent::Older(_)
            | LoadEvent::Differs(..) => {}
        }
    }
}

/// The resources and faults of documents, each with its location.
pub type Entries<'d> =
    Box<dyn Iterator<Item = Result<(Box<dyn Display + 'd>, Result<Parsed<'d>, Rejection>), WriteError>> + 'd>;

/// Documents to load.
pub struct Documents<'d> {
    /// Returns what distinguishes the servers of the resources. It is called for each try.
    pub sources: &'d dyn Fn() -> Sources,
    /// Returns all resources and faults, in the same order each time.
    pub entries: &'d dyn Fn() -> Entries<'d>,
    /// True if the load fails if too much would be read at once.
    pub may_be_divided: bool,
}

/// Loads documents, whose resources are in memory together and are written together. Records are indexed by the set
/// that the store has recorded, and the first ones by `set`. `clock` returns the time that is stored for changes.
///
/// # Errors
/// If the records have another format or are damaged, or if a database does not answer or rejects the changes.
pub async fn load_documents<D: Database>(
    databases: &RecordDatabases<'_, D>,
    set: &'static IndexSet,
    clock: Clock<'_>,
    load: Load<'_>,
    documents: &Documents<'_>,
    breaks: &mut Breaks<'_>,
) -> Result<Loaded, WriteFailure> {
    let set = begin(databases, set).await?;
    let (mut tries, mut skipped) = (0, SkippedCompartments::new());
    loop {
        tries += 1;
        let work = async |writer: &mut Writer<Snapshot<'_>>| {
            writer.bar(&skipped);
            try_load(load, documents, writer, breaks).await
        };
        match write(databases, set, clock, documents.may_be_divided, work).await {
            // If a chart cannot be read or written, that is a fault of its patient's resources. The others are loaded.
            Err(WriteFailure::Work(WriteError { why, compartment: Some(n), .. })) if !skipped.contains_key(&n) => {
                skipped.insert(n, why);
                tries -= 1;
            }
            // Somebody else has changed the same records since they were read.
            Err(WriteFailure::Database(error)) if tries < TRIES && error.kind == DatabaseErrorKind::Conflict => {}
            written => {
                let written = written?;
                // With several shards, a part of an earlier try may have been written.
                let (report, patients) = written.result;
                return Ok(Loaded { report, corrects: written.corrects || tries > 1, patients });
            }
        }
    }
}

/// Returns the text of a file that is read as a whole.
///
/// # Errors
/// If the file is longer than [`MAX_FILE_LENGTH`], or not UTF-8. The reason is for people.
pub fn text_of(bytes: Vec<u8>) -> Result<String, TextFault> {
    if bytes.len() > MAX_FILE_LENGTH {
        return Err(TextFault::TooLong);
    }
    String::from_utf8(bytes).map_err(|error| {
        let first = error.as_bytes().split(|byte| *byte == b'\n').next().unwrap_or_default();
        let is_ndjson = std::str::from_utf8(first).is_ok_and(is_json);
        if is_ndjson { TextFault::Lines } else { TextFault::Bytes(not_utf8(error.as_bytes(), &error.utf8_error())) }
    })
}

/// The reason why a file is not read as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextFault {
    /// The file is longer than [`MAX_FILE_LENGTH`].
    TooLong,
    /// The file is NDJSON, and a line is not UTF-8.
    Lines,
    /// The file is not gzip, or not UTF-8.
    Bytes(String),
}

/// Loads documents with a writer, based on the rows that it has.
async fn try_load<T: Tables>(
    load: Load<'_>,
    documents: &Documents<'_>,
    writer: &mut Writer<T>,
    breaks: &mut Breaks<'_>,
) -> Result<(FileReport, ChangedPatients), WriteError> {
    let (mut report, mut patients) = (FileReport::default(), ChangedPatients::default());
    let mut count = |location: &dyn Display, event: LoadEvent<'_>| {
        patients.add(&event);
        report.count(location, event);
        Ok::<_, WriteError>(())
    };
    let mut sources = (documents.sources)();
    let mut first = FirstPass::of(load, None);
    for entry in (documents.entries)() {
        let (location, entry) = entry?;
        let bytes = length(&entry);
        first.take(&*location, entry, writer, &mut sources, &mut count)?;
        breaks.after_loading(bytes).await;
    }
    let mut second = first.end(writer, &sources);
    for entry in (documents.entries)() {
        let (location, entry) = entry?;
        let bytes = length(&entry);
        second.take(&*location, entry, writer, &mut sources, &mut count)?;
        breaks.after_loading(bytes).await;
    }
    write_charts(writer, breaks).await?;
    let dependents = second.end(writer);
    for reference in dependents.all() {
        dependents.index(reference, writer, &mut count)?;
        breaks.after_loading(0).await;
    }
    write_charts(writer, breaks).await?;
    Ok((report, patients))
}

/// Returns the length of the text of a resource.
fn length(entry: &Result<Parsed<'_>, Rejection>) -> usize {
    match entry {
        Ok(Parsed::Resource(parsed)) => parsed.text.len(),
        Ok(Parsed::Deletion(_)) | Err(_) => 0,
    }
}

/// Writes what has been stored, with a break after some charts.
async fn write_charts<T: Tables>(writer: &mut Writer<T>, breaks: &mut Breaks<'_>) -> Result<(), WriteError> {
    while let Some(bytes) = writer.write_next_chart()? {
        breaks.after_loading(bytes).await;
    }
    writer.flush()
}

/// Checks the format of the records, or sets it if there are no records yet. Returns the set of parameters by which the
/// records are indexed, which is `first` for new records.
async fn begin<D: Database>(
    databases: &RecordDatabases<'_, D>,
    first: &'static IndexSet,
) -> Result<&'static IndexSet, DatabaseError> {
    let mut set = first;
    for (shard, database) in databases.all().enumerate() {
        let statement = |text: &str, binds: Vec<String>| Statement { text: text.to_owned(), binds };
        let stored = database.batch(vec![statement("SELECT number, wanted FROM format", Vec::new())]).await?;
        let stored = stored.first().and_then(|rows| Some((rows.text(0, "number")?, rows.text(0, "wanted")?)));
        let mut statements = Vec::new();
        match stored {
            Some((number, _)) if number != format() => {
                return Err(DatabaseError::other(another_format("records", &number)));
            }
            Some((_, wanted)) if shard == 0 => set = wanted_set(&wanted).map_err(DatabaseError::other)?,
            Some(_) => {}
            None => {
                // The parameters are those of the directory. Other shards have none.
                let params = if shard == 0 { IndexedParams::of(set) } else { IndexedParams::default() };
                let binds = vec![format().to_owned(), params.text(), set.text().to_owned()];
                statements.push(statement(
                    "INSERT INTO format (number, params, wanted) SELECT ?1, ?2, ?3 \
                     WHERE NOT EXISTS (SELECT 1 FROM format)",
                    binds,
                ));
            }
        }
        if shard == 0 {
            statements.extend(narrowing(set).map(|text| statement(&text, Vec::new())));
        }
        if !statements.is_empty() {
            database.batch(statements).await?;
        }
    }
    Ok(set)
}

/// Returns the statements to run on the directory before a load. The stored data will be indexed by this version's
/// parameters of the set, and by no others. Indexing by another version or another set starts again.
pub fn narrowing(set: &IndexSet) -> [String; 2] {
    // A JSON array of numbers.
    let params = format!("'{}'", IndexedParams::of(set).text());
    [
        format!(
            "UPDATE format SET params = (SELECT json_group_array(p.value) FROM json_each(format.params) p \
             WHERE p.value IN (SELECT value FROM json_each({params})))"
        ),
        format!("DELETE FROM reindexing WHERE params <> {params}"),
    ]
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    /// Compresses bytes, for tests of this module and of jobs.
    pub fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    }

    #[test]
    fn a_file_is_text_of_a_limited_length() {
        assert_eq!(text_of(b"{}".to_vec()), Ok("{}".to_owned()));
        let why = |bytes: &[u8]| match text_of(bytes.to_vec()) {
            Err(TextFault::Bytes(why)) => why,
            other => panic!("{other:?}"),
        };
        assert!(why(b"\xff").starts_with("it is not UTF-8"));
        assert!(why(b"{\n\xff}").starts_with("it is not UTF-8"));
        assert_eq!(text_of(b"{}\n\xff".to_vec()), Err(TextFault::Lines));
        let long = vec![b' '; MAX_FILE_LENGTH + 1];
        assert!(text_of(long[1..].to_vec()).is_ok());
        assert_eq!(text_of(long), Err(TextFault::TooLong));
    }
}
