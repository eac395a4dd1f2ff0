//! Loads of a file into databases that answer asynchronously, with a report.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Read;

use flate2::read::MultiGzDecoder;
use serde::Serialize;

use super::load::{Load, LoadEvent, Stored};
use super::memory::RejectedResource;
use super::text::TextDocuments;
use super::writer::{WriteError, WriteFailure, Writer, write};
use crate::store::{Database, DatabaseError, IndexedParams, RecordDatabases, Rows, Statement, another_format, format};

/// The longest file, in bytes, inflated. All its resources are in memory together, and are written together.
pub const LONGEST_FILE: usize = 8 << 20;

/// The times that a file is tried while others change the same records.
const TRIES: usize = 5;

/// The report of a load of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileReport {
    /// The resources that were not stored before.
    pub new: usize,
    /// The resources that were stored with other contents.
    pub changed: usize,
    /// The resources that were stored with the same contents.
    pub same: usize,
    /// The resources of which a newer form was kept.
    pub older: usize,
    /// The resources that were deleted.
    pub deleted: usize,
    /// The references to no known resource, or to several at once.
    pub unresolved: usize,
    /// The resources of types that are not served, by type.
    pub not_served: BTreeMap<String, usize>,
    /// The faults, and the occurrences in the file that differ from the one that counts.
    pub faults: Vec<RejectedResource>,
}

/// The result of a load of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedFile {
    /// The report.
    pub report: FileReport,
    /// True if the load has changed or removed what was stored before.
    pub corrects: bool,
}

impl LoadedFile {
    /// The result for a file that is not loaded for this reason.
    #[must_use]
    pub fn refused(why: String) -> Self {
        let faults = vec![RejectedResource { location: "the file".to_owned(), why }];
        Self { report: FileReport { faults, ..FileReport::default() }, corrects: false }
    }

    /// The result for a file that is longer than [`LONGEST_FILE`].
    #[must_use]
    pub fn too_long() -> Self {
        Self::refused(too_long())
    }
}

fn too_long() -> String {
    format!("it is longer than {LONGEST_FILE} bytes: divide it")
}

/// Loads a file: a resource, a Bundle, or NDJSON of either, and if its name ends in `.gz`, compressed. A file that
/// cannot be read is reported, and nothing is stored.
///
/// # Errors
/// If the records are of another format or damaged, or a database does not answer or accept the changes.
pub async fn load_file<D: Database>(
    databases: &RecordDatabases<'_, D>,
    load: Load<'_>,
    name: &str,
    bytes: &[u8],
) -> Result<LoadedFile, WriteFailure> {
    let text = match text_of(name, bytes) {
        Ok(text) => text,
        Err(why) => return Ok(LoadedFile::refused(why)),
    };
    begin(databases).await.map_err(WriteFailure::Database)?;
    let documents = TextDocuments::of(&text);
    let mut tries = 0;
    loop {
        tries += 1;
        match write(databases, |writer| run(load, &documents, writer)).await {
            // Somebody else has changed the same records since they were read.
            Err(WriteFailure::Database(error)) if tries < TRIES && error.0.contains("constraint failed") => {}
            written => {
                let written = written?;
                // With several shards a part of an earlier try may have been written.
                return Ok(LoadedFile { report: written.result, corrects: written.corrects || tries > 1 });
            }
        }
    }
}

fn text_of(name: &str, bytes: &[u8]) -> Result<String, String> {
    let mut inflated = Vec::new();
    let bytes = if name.ends_with(".gz") {
        let most = LONGEST_FILE as u64 + 1;
        let read = MultiGzDecoder::new(bytes).take(most).read_to_end(&mut inflated);
        read.map_err(|error| format!("it is not gzip: {error}"))?;
        &inflated
    } else {
        bytes
    };
    if bytes.len() > LONGEST_FILE {
        return Err(too_long());
    }
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| format!("it is not UTF-8: {error}"))
}

fn run<T: super::writer::Tables>(
    load: Load<'_>,
    documents: &TextDocuments<'_>,
    writer: &mut Writer<T>,
) -> Result<FileReport, WriteError> {
    let mut report = FileReport::default();
    let mut count = |location: &dyn Display, event: LoadEvent<'_>| {
        let mut refuse = |location: String, why: String| report.faults.push(RejectedResource { location, why });
        match event {
            LoadEvent::NotServed(kind) => *report.not_served.entry(kind).or_default() += 1,
            LoadEvent::Fault(why) => refuse(location.to_string(), why),
            LoadEvent::Repeated => {}
            LoadEvent::Older => report.older += 1,
            LoadEvent::Differs(reference, others) => {
                let why = format!("{reference} comes again with another content, and the last one counts");
                others.into_iter().for_each(|location| refuse(location, why.clone()));
            }
            LoadEvent::Deleted(_, was_stored) => report.deleted += usize::from(was_stored),
            LoadEvent::Stored { effect, ambiguous, unresolved, .. } => {
                *match effect {
                    Stored::New => &mut report.new,
                    Stored::Changed => &mut report.changed,
                    Stored::Same => &mut report.same,
                } += 1;
                report.unresolved += unresolved + ambiguous.len();
            }
        }
        Ok(())
    };
    load.run::<_, WriteError>(writer, &mut |take| documents.each(take), &mut count)?;
    Ok(report)
}

/// Checks the format of the records, and enters it where there are none yet.
async fn begin<D: Database>(databases: &RecordDatabases<'_, D>) -> Result<(), DatabaseError> {
    for (shard, database) in databases.all().enumerate() {
        let statement = |text: &str, binds: Vec<String>| Statement { text: text.to_owned(), binds };
        let stored = database.batch(vec![statement("SELECT number FROM format", Vec::new())]).await?;
        let mut statements = Vec::new();
        match stored.first().and_then(|rows| rows.text(0, "number")) {
            Some(stored) if stored != format() => return Err(DatabaseError(another_format("records", &stored))),
            Some(_) => {}
            None => {
                // The parameters are those of the directory. Another shard has none.
                let params = if shard == 0 { IndexedParams::all() } else { IndexedParams::default() };
                let binds = vec![format().to_owned(), params.text()];
                statements.push(statement(
                    "INSERT INTO format (number, params) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM format)",
                    binds,
                ));
            }
        }
        if shard == 0 {
            statements.extend(narrowing().map(|text| statement(&text, Vec::new())));
        }
        if !statements.is_empty() {
            database.batch(statements).await?;
        }
    }
    Ok(())
}

/// The statements of the directory before a load: what it stores is indexed by the parameters of this version, and by
/// no others, and an indexing by another version begins anew.
#[must_use]
pub fn narrowing() -> [String; 2] {
    // A JSON array of numbers.
    let params = format!("'{}'", IndexedParams::all().text());
    [
        format!(
            "UPDATE format SET params = (SELECT json_group_array(p.value) FROM json_each(format.params) p \
             WHERE p.value IN (SELECT value FROM json_each({params})))"
        ),
        format!("DELETE FROM reindexing WHERE params <> {params}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    }

    #[test]
    fn a_file_is_text_of_a_limited_length() {
        assert_eq!(text_of("a.json", b"{}"), Ok("{}".to_owned()));
        let twice = [gzip(b"one"), gzip(b"two")].concat();
        assert_eq!(text_of("a.ndjson.gz", &twice), Ok("onetwo".to_owned()));
        let why = |name, bytes: &[u8]| text_of(name, bytes).unwrap_err();
        assert!(why("a.json.gz", b"{}").starts_with("it is not gzip"));
        assert!(why("a.json.gz", &twice[..30]).starts_with("it is not gzip"));
        assert!(why("a.json", b"\xff").starts_with("it is not UTF-8"));
        let long = vec![b' '; LONGEST_FILE + 1];
        assert!(text_of("a.json", &long[1..]).is_ok());
        for (name, bytes) in [("a.json", &long), ("a.json.gz", &gzip(&long))] {
            assert!(why(name, bytes).starts_with("it is longer than"));
        }
    }
}
