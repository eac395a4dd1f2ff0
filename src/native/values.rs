//! The destinations of shelves: the files of local KV, or files to upload to Cloudflare. Unchanged values are not
//! written again; values that belong to no shelf any more are deleted.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use base64ct::{Base64, Encoding};
use rusqlite::{Connection, OptionalExtension, params};

use super::shelve::Sink;
use super::{Failure, private};
use fhir::DigestOfParts;

/// The most pairs in an upload file. Cloudflare accepts 10,000 per request.
const MAX_PAIRS: usize = 10_000;
/// The most bytes in an upload file. Cloudflare accepts 100 MB per request.
const MAX_BYTES: usize = 50 << 20;

/// The result of writing values.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Written {
    /// The number of values that were written.
    pub written: usize,
    /// The number of values that were unchanged.
    pub same: usize,
    /// The number of values that were deleted.
    pub gone: usize,
}

impl std::fmt::Display for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { written, same, gone } = self;
        write!(f, "{} shelves: {written} written, {same} as before, {gone} gone", written + same)
    }
}

/// A destination of values. [`Self::finish`] deletes the values that were not put.
pub trait ValueStore: Sink {
    /// Deletes the values that were not put, and returns the counts.
    fn finish(&mut self) -> Result<Written, Failure>;
}

/// Opens the destination of a path: local KV, if the path is its folder (`v3/kv` of a local state), or otherwise a
/// folder of upload files.
///
/// # Errors
/// If the destination cannot be opened.
pub fn value_store(path: &Path) -> Result<Box<dyn ValueStore>, Failure> {
    let objects = path.join("miniflare-KVNamespaceObject");
    Ok(if objects.is_dir() { Box::new(Local::open(path, &objects)?) } else { Box::new(Files::open(path)?) })
}

/// Returns the name of a value: a hash of its key and content, so that no two keys share a name.
fn digest(key: &str, value: &[u8]) -> String {
    let mut digest = DigestOfParts::default();
    digest.add(key).add(value);
    digest.text::<32>()
}

/// Local KV: a SQLite file of keys, and one file for each value.
struct Local {
    keys: Connection,
    blobs: PathBuf,
    /// The files of replaced values, which are deleted at the end.
    old: Vec<String>,
    written: Written,
}

impl Local {
    fn open(path: &Path, objects: &Path) -> Result<Self, Failure> {
        let entries = |folder: &Path| -> Result<Vec<PathBuf>, Failure> {
            let doing = || Failure::doing(format!("reading {}", folder.display()));
            fs::read_dir(folder).map_err(doing())?.map(|entry| Ok(entry.map_err(doing())?.path())).collect()
        };
        let named = |path: &Path, name: &str| path.file_name().is_some_and(|other| other == name);
        let of_keys = |file: &PathBuf| {
            file.extension().is_some_and(|extension| extension == "sqlite") && !named(file, "metadata.sqlite")
        };
        let files: Vec<_> = entries(objects)?.into_iter().filter(of_keys).collect();
        let folders: Vec<_> = entries(path)?.into_iter().filter(|folder| folder.join("blobs").is_dir()).collect();
        let ([file], [folder]) = (files.as_slice(), folders.as_slice()) else {
            return Err(Failure(format!("{}: there is not one KV namespace, but another number", path.display())));
        };
        let keys = Connection::open(file).map_err(Failure::doing(format!("opening {}", file.display())))?;
        keys.busy_timeout(std::time::Duration::from_secs(30))?;
        keys.execute_batch("CREATE TEMP TABLE put (key TEXT PRIMARY KEY) WITHOUT ROWID; BEGIN IMMEDIATE")?;
        Ok(Self { keys, blobs: folder.join("blobs"), old: Vec::new(), written: Written::default() })
    }
}

impl Sink for Local {
    fn put(&mut self, key: &str, value: &[u8]) -> Result<(), Failure> {
        self.keys.prepare_cached("INSERT OR IGNORE INTO temp.put VALUES (?1)")?.execute([key])?;
        let blob = digest(key, value);
        let mut statement = self.keys.prepare_cached("SELECT blob_id FROM _mf_entries WHERE key = ?1")?;
        let old: Option<String> = statement.query_row([key], |row| row.get(0)).optional()?;
        if old.as_ref() == Some(&blob) {
            self.written.same += 1;
            return Ok(());
        }
        private::write(&self.blobs.join(&blob), value).map_err(Failure::doing("writing a value"))?;
        self.keys
            .prepare_cached("INSERT OR REPLACE INTO _mf_entries (key, blob_id) VALUES (?1, ?2)")?
            .execute([key, &blob])?;
        self.old.extend(old);
        self.written.written += 1;
        Ok(())
    }
}

impl ValueStore for Local {
    fn finish(&mut self) -> Result<Written, Failure> {
        let mut statement =
            self.keys.prepare("SELECT blob_id FROM _mf_entries WHERE key NOT IN (SELECT key FROM temp.put)")?;
        let gone: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        self.keys.execute_batch(
            "DELETE FROM _mf_entries WHERE key NOT IN (SELECT key FROM temp.put); DROP TABLE temp.put; COMMIT",
        )?;
        for blob in gone.iter().chain(&self.old) {
            private::remove(&self.blobs.join(blob)).map_err(Failure::doing("removing a value"))?;
        }
        self.written.gone = gone.len();
        Ok(self.written.clone())
    }
}

/// Files for `wrangler kv bulk put` and `wrangler kv bulk delete`. They are uploaded in the order of their names, and
/// each is removed after its upload; a run leaves existing files unchanged. A database beside the files records the
/// values that they contain.
struct Files {
    folder: PathBuf,
    known: Connection,
    next: usize,
    file: Option<BufWriter<File>>,
    pairs: usize,
    bytes: usize,
    written: Written,
}

impl Files {
    fn open(folder: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(folder).map_err(Failure::doing(format!("making {}", folder.display())))?;
        private::create_missing(&folder.join("sent.sqlite")).map_err(Failure::doing("making sent.sqlite"))?;
        let known = Connection::open(folder.join("sent.sqlite")).map_err(Failure::doing("opening sent.sqlite"))?;
        known.execute_batch(
            "CREATE TABLE IF NOT EXISTS sent (key TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID; \
             CREATE TEMP TABLE put (key TEXT PRIMARY KEY) WITHOUT ROWID; BEGIN IMMEDIATE",
        )?;
        let mut files = Self {
            folder: folder.to_owned(),
            known,
            next: 1,
            file: None,
            pairs: 0,
            bytes: 0,
            written: Written::default(),
        };
        // New files follow those that have not been uploaded yet.
        for entry in fs::read_dir(folder).map_err(Failure::doing(format!("reading {}", folder.display())))? {
            let name = entry.map_err(Failure::doing("reading a folder"))?.file_name();
            let number = name.to_string_lossy().split('-').next().and_then(|number| number.parse().ok());
            files.next = files.next.max(number.map_or(1, |number: usize| number + 1));
        }
        Ok(files)
    }

    fn path(&self, what: &str) -> PathBuf {
        self.folder.join(format!("{:06}-{what}.json", self.next))
    }

    /// Writes a pair to the last file, or to a new one.
    fn write(&mut self, pair: &str) -> Result<(), Failure> {
        let doing = || Failure::doing("writing values");
        if self.pairs == MAX_PAIRS || self.bytes > MAX_BYTES {
            self.close()?;
        }
        let before = if self.file.is_none() {
            let file = private::create(&self.path("put")).map_err(doing())?;
            self.file = Some(BufWriter::new(file));
            "["
        } else {
            ",\n"
        };
        if let Some(file) = &mut self.file {
            file.write_all(before.as_bytes()).and_then(|()| file.write_all(pair.as_bytes())).map_err(doing())?;
        }
        self.pairs += 1;
        self.bytes += pair.len();
        Ok(())
    }

    fn close(&mut self) -> Result<(), Failure> {
        if let Some(mut file) = self.file.take() {
            file.write_all(b"]\n").and_then(|()| file.flush()).map_err(Failure::doing("writing values"))?;
            self.next += 1;
        }
        (self.pairs, self.bytes) = (0, 0);
        Ok(())
    }
}

impl Sink for Files {
    fn put(&mut self, key: &str, value: &[u8]) -> Result<(), Failure> {
        self.known.prepare_cached("INSERT OR IGNORE INTO temp.put VALUES (?1)")?.execute([key])?;
        let digest = digest(key, value);
        let mut statement = self.known.prepare_cached("SELECT digest FROM sent WHERE key = ?1")?;
        let old: Option<String> = statement.query_row([key], |row| row.get(0)).optional()?;
        drop(statement);
        if old.as_ref() == Some(&digest) {
            self.written.same += 1;
            return Ok(());
        }
        let pair = serde_json::json!({"key": key, "value": Base64::encode_string(value), "base64": true}).to_string();
        self.write(&pair)?;
        self.known.prepare_cached("INSERT OR REPLACE INTO sent VALUES (?1, ?2)")?.execute(params![key, digest])?;
        self.written.written += 1;
        Ok(())
    }
}

impl ValueStore for Files {
    fn finish(&mut self) -> Result<Written, Failure> {
        self.close()?;
        let mut statement = self.known.prepare("SELECT key FROM sent WHERE key NOT IN (SELECT key FROM temp.put)")?;
        let gone: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        drop(statement);
        for keys in gone.chunks(MAX_PAIRS) {
            let text = serde_json::json!(keys).to_string();
            private::write(&self.path("delete"), text.as_bytes()).map_err(Failure::doing("writing keys"))?;
            self.next += 1;
        }
        self.known.execute_batch(
            "DELETE FROM sent WHERE key NOT IN (SELECT key FROM temp.put); DROP TABLE temp.put; COMMIT",
        )?;
        self.written.gone = gone.len();
        Ok(self.written.clone())
    }
}
