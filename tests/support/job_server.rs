//! A job server over SQLite, with a bucket and a queue in memory that fail, lose, repeat and reorder.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{BASE, CLOCK, now};
use api::{is_own_object, lines_of_export};
use database::{Database, DatabaseError, Statement};
use export::{
    self, ExportFile, ExportJobs, ExportPort, ExportRequest, ExportSource, ExportStatus, FileSegment, Manifest,
    ManifestFile, gzip_header, gzip_trailer,
};
use ingest::job::{IngestJobs, JobStatus, Pause, Progress, TargetRecords};
use ingest::writer::Clock;
use job::{Bucket, JobAnswer, JobError, Message, NotifiedObject, ObjectInfo, Queue, StorageError};
use native::{self, SqliteDatabase, move_buckets, sharded_database};
use rusqlite::Connection;
use search::IndexSet;
use serde_json::Value;
use smart::PublicScopes;
use store::names::BUCKETS;
use store::{Corrections, RecordDatabases, ShardMapCache};

const DOCUMENTS: &str = "https://documents.example.org";

/// A server with its records, the state of jobs, a bucket and a queue.
pub struct Server {
    pub records: PathBuf,
    /// The databases of further shards.
    pub shards: Vec<PathBuf>,
    /// The set of parameters by which the records are indexed.
    pub set: &'static IndexSet,
    /// The database of the authorization server.
    pub state: PathBuf,
    pub bucket: RefCell<BTreeMap<String, (Vec<u8>, i64)>>,
    pub queue: RefCell<Vec<Message>>,
    pub clock: Cell<i64>,
    /// The number of calls to databases, bucket and queue until one fails. That call may still have its effect.
    pub until_fault: Cell<Option<usize>>,
    pub fault_is_late: Cell<bool>,
    pub calls: Cell<usize>,
    /// The number of times that a job has paused.
    pub pauses: Cell<usize>,
    /// The beginnings of the executed statements.
    pub statements: RefCell<Vec<String>>,
    /// The lines of the audit log about parts of exports.
    pub audit: RefCell<Vec<String>>,
    /// True if long documents go to the bucket.
    pub has_documents: bool,
}

impl Drop for Server {
    fn drop(&mut self) {
        for file in self.shards.iter().chain([&self.records, &self.state]) {
            let _ = std::fs::remove_file(file);
        }
    }
}

impl Server {
    pub fn new() -> Self {
        let [records, state] = [super::tempfile(), super::tempfile()];
        for file in [&records, &state] {
            native::SqliteWriter::open(file).unwrap().finish().unwrap();
        }
        Self {
            records,
            shards: Vec::new(),
            set: IndexSet::us_core(),
            state,
            bucket: RefCell::default(),
            queue: RefCell::default(),
            clock: Cell::new(CLOCK),
            until_fault: Cell::new(None),
            fault_is_late: Cell::new(false),
            calls: Cell::new(0),
            pauses: Cell::new(0),
            statements: RefCell::default(),
            audit: RefCell::default(),
            has_documents: false,
        }
    }

    /// Makes a server with the same records, state, bucket and queue.
    pub fn copy(&self) -> Self {
        let copied = |file: &PathBuf| {
            let copy = super::tempfile();
            std::fs::copy(file, &copy).unwrap();
            copy
        };
        Self {
            records: copied(&self.records),
            shards: self.shards.iter().map(copied).collect(),
            set: self.set,
            state: copied(&self.state),
            bucket: self.bucket.clone(),
            queue: self.queue.clone(),
            clock: self.clock.clone(),
            until_fault: Cell::new(None),
            fault_is_late: Cell::new(false),
            calls: Cell::new(0),
            pauses: Cell::new(0),
            statements: RefCell::default(),
            audit: RefCell::default(),
            has_documents: self.has_documents,
        }
    }

    /// Makes a server with two further shards, each with a third of the buckets.
    pub fn sharded() -> Self {
        let mut server = Self::new();
        server.shards = vec![super::tempfile(), super::tempfile()];
        let mut database = server.open();
        for shard in [1, 2] {
            let buckets: Vec<u32> = (0..BUCKETS).filter(|bucket| *bucket as usize % 3 == shard).collect();
            move_buckets(&mut database, &buckets, shard, None).unwrap();
        }
        server
    }

    /// Opens the records of all shards.
    pub fn open(&self) -> Connection {
        sharded_database(&self.records, &self.shards).unwrap()
    }

    /// Opens the database of the authorization server.
    pub fn open_state(&self) -> Connection {
        native::database(&self.state).unwrap()
    }

    /// Counts a call. Returns `Some(true)` if it fails before its effect, `Some(false)` if it fails after it.
    fn fails(&self) -> Option<bool> {
        self.calls.set(self.calls.get() + 1);
        match self.until_fault.get() {
            Some(0) => {
                self.until_fault.set(None);
                Some(!self.fault_is_late.get())
            }
            Some(left) => {
                self.until_fault.set(Some(left - 1));
                None
            }
            None => None,
        }
    }

    fn database(&self, file: &Path) -> FaultyDatabase<'_> {
        FaultyDatabase { server: self, database: SqliteDatabase::new(super::limited(file)) }
    }

    /// Returns the database of the state, the bucket, the queue and the time, from which the jobs of a kind are made.
    pub fn ports(&self) -> (FaultyDatabase<'_>, Memory<'_>, Memory<'_>, i64) {
        (self.database(&self.state), Memory(self), Memory(self), self.clock.get())
    }

    /// Returns the jobs that load files.
    pub fn jobs(&self) -> IngestJobs<FaultyDatabase<'_>, Memory<'_>, Memory<'_>> {
        let (state, bucket, queue, now) = self.ports();
        IngestJobs::new(state, bucket, queue, now).with_documents(self.has_documents.then_some(Memory(self)))
    }

    pub fn send(&self, id: &str, bytes: &[u8], request: Option<&str>, is_gzip: bool) -> Result<JobAnswer, JobError> {
        self.send_as("ehr", id, bytes, request, is_gzip)
    }

    pub fn send_as(
        &self,
        client: &str,
        id: &str,
        bytes: &[u8],
        request: Option<&str>,
        is_gzip: bool,
    ) -> Result<JobAnswer, JobError> {
        let upload = async |key: &str| {
            Memory(self).write(key, bytes.to_vec()).await.map_err(|error| JobError(error.0))?;
            Ok(bytes.len() as u64)
        };
        now(self.jobs().accept(client, request, id.to_owned(), is_gzip, None, upload))
    }

    /// Sends a file of the client `ehr`, and receives all messages. Returns the status of the job.
    pub fn load(&self, id: &str, text: &str) -> JobStatus {
        self.send(id, text.as_bytes(), None, false).unwrap();
        self.settle();
        self.status(id)
    }

    pub fn drop_file(&self, key: &str, bytes: &[u8]) {
        self.bucket.borrow_mut().insert(key.to_owned(), (bytes.to_vec(), self.clock.get()));
        let object = NotifiedObject { key: key.to_owned() };
        self.queue.borrow_mut().push(Message::Notification { object });
    }

    pub fn receive(&self, message: &Message) -> Result<Progress, JobError> {
        let (map, corrections) = Default::default();
        let databases = self.record_databases(&map, &corrections);
        if let Message::Export { job, part } = message {
            let source = ExportSource { databases, set: self.set, base: BASE };
            if let export::Progress::Done(part) = now(self.exports().go_on(job, *part, &source))? {
                self.audit.borrow_mut().extend(lines_of_export(&part, self.clock.get()));
            }
            return Ok(Progress::None);
        }
        let (set, clock) = (self.set, || self.clock.get());
        let pause = || -> std::pin::Pin<Box<dyn Future<Output = ()>>> {
            self.pauses.set(self.pauses.get() + 1);
            Box::pin(std::future::ready(()))
        };
        let target = TargetRecords {
            databases,
            base: BASE,
            attachments: DOCUMENTS,
            set,
            clock: Clock(&clock),
            pause: Pause(&pause),
        };
        let jobs = self.jobs();
        match message {
            Message::Notification { object } if is_own_object(&object.key) => Ok(Progress::None),
            Message::Notification { object } => now(jobs.load_file(&object.key, &target)),
            Message::Ingest { job, part } => now(jobs.go_on(job, *part, &target)),
            Message::Export { .. } | Message::Unknown => panic!("no test sends one"),
        }
    }

    fn record_databases<'a>(
        &'a self,
        map: &'a ShardMapCache,
        corrections: &'a Corrections,
    ) -> RecordDatabases<'a, FaultyDatabase<'a>> {
        let directory = self.database(&self.records);
        if self.shards.is_empty() {
            return RecordDatabases::one(directory);
        }
        let others = self.shards.iter().map(|file| self.database(file)).collect();
        RecordDatabases::sharded(directory, others, self.database(&self.records), map, corrections)
    }

    /// Returns the exports, which are kept for a day.
    pub fn exports(&self) -> ExportJobs<FaultyDatabase<'_>, Memory<'_>, Memory<'_>> {
        let (state, bucket, queue, now) = self.ports();
        ExportJobs::new(state, bucket, queue, now, 24 * 3_600 * 1_000_000)
    }

    /// Begins an export of the client `app`.
    pub fn begin(&self, id: &str, request: &ExportRequest) -> Result<JobAnswer, JobError> {
        now(self.exports().begin("app", id.to_owned(), request.clone()))
    }

    /// Publishes what these scopes open to everybody, if it has changed. Returns the manifest.
    pub fn publish(&self, scopes: &str) -> Manifest {
        let (map, corrections) = Default::default();
        let databases = self.record_databases(&map, &corrections);
        let source = ExportSource { databases, set: self.set, base: BASE };
        now(self.exports().publish(&source, &PublicScopes::parse(scopes).unwrap())).unwrap();
        self.settle();
        now(self.exports().publication(scopes)).unwrap().unwrap()
    }

    /// Returns the status of an export of the client `app`.
    pub fn export_status(&self, id: &str) -> Option<ExportStatus> {
        now(self.exports().status("app", id)).unwrap()
    }

    /// Returns the manifest of an export of the client `app` that is complete.
    pub fn manifest(&self, id: &str) -> Manifest {
        match self.export_status(id) {
            Some(ExportStatus::Complete(manifest)) => manifest,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the text of a file of an export of the client `app`, as a client inflates it.
    pub fn file(&self, id: &str, number: usize) -> String {
        self.text(&now(self.exports().file("app", id, number)).unwrap().unwrap().file)
    }

    /// Returns the text of a file, as a client inflates it.
    pub fn text(&self, ExportFile { segments, .. }: &ExportFile) -> String {
        let bucket = self.bucket.borrow();
        let mut gzip = gzip_header();
        for FileSegment { object, offset, stored, .. } in segments {
            gzip.extend(&bucket[object].0[*offset as usize..][..*stored as usize]);
        }
        gzip.extend(gzip_trailer(segments));
        let mut text = String::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_string(&mut text).unwrap();
        text
    }

    /// Returns the lines of these files of an export of the client `app`. Checks the number of lines of each file.
    pub fn lines(&self, id: &str, files: &[ManifestFile]) -> Vec<String> {
        let of_file = |file: &ManifestFile| {
            let text = self.file(id, file.number);
            assert!(text.ends_with('\n'), "{file:?}");
            let lines: Vec<_> = text.lines().map(str::to_owned).collect();
            assert_eq!(lines.len() as u64, file.count, "{file:?}");
            let (plain, name) = (format!("\"resourceType\":\"{}\"", file.resource_type), &file.resource_type);
            let is_of_type = |line: &String| {
                line.contains(&plain) || serde_json::from_str::<Value>(line).unwrap()["resourceType"] == **name
            };
            assert!(name.is_empty() || lines.iter().all(is_of_type), "{file:?}");
            lines
        };
        files.iter().flat_map(of_file).collect()
    }

    /// Begins an export, receives all messages, and returns its lines. Checks that no line appears twice.
    pub fn exported(&self, id: &str, request: &ExportRequest) -> BTreeSet<String> {
        self.begin(id, request).unwrap();
        self.settle();
        let all = self.lines(id, &self.manifest(id).output);
        let lines: BTreeSet<_> = all.iter().cloned().collect();
        assert_eq!(lines.len(), all.len(), "a line comes twice");
        lines
    }

    /// Gives up the job or part of a message, as if it had failed too often.
    pub fn give_up(&self, message: &Message) {
        let jobs = self.jobs();
        let given_up = match message {
            Message::Notification { object } => now(jobs.give_up_file(&object.key)),
            Message::Ingest { job, part } => now(jobs.give_up(job, *part)),
            Message::Export { job, part } => now(self.exports().give_up(job, *part)),
            Message::Unknown => panic!("no test sends one"),
        };
        given_up.unwrap();
    }

    /// Receives messages until there are none. Failed messages are received again.
    pub fn settle(&self) {
        let mut why = String::new();
        for _ in 0..10_000 {
            let message = self.queue.borrow_mut().pop();
            let Some(message) = message else { return };
            if let Err(error) = self.receive(&message) {
                why = error.0;
                self.queue.borrow_mut().insert(0, message);
            }
        }
        panic!("the messages are not settled: {why}");
    }

    pub fn status(&self, id: &str) -> JobStatus {
        now(self.jobs().status("ehr", id)).unwrap().unwrap()
    }

    /// Returns the texts of all resources, as a dump writes them.
    pub fn dump(&self) -> BTreeSet<String> {
        dump(&self.open())
    }
}

pub fn dump(database: &Connection) -> BTreeSet<String> {
    let mut text = Vec::new();
    native::dump(database, None, &mut text).unwrap();
    String::from_utf8(text).unwrap().lines().map(str::to_owned).collect()
}

pub struct FaultyDatabase<'s> {
    server: &'s Server,
    database: SqliteDatabase,
}

impl Database for FaultyDatabase<'_> {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        let failed = || DatabaseError::other("a fault");
        if statements.is_empty() {
            return Err(DatabaseError::other("No SQL statements detected."));
        }
        let beginnings = statements.iter().map(|statement| statement.text.chars().take(120).collect());
        self.server.statements.borrow_mut().extend(beginnings);
        match self.server.fails() {
            Some(true) => Err(failed()),
            fails => {
                let rows = self.database.batch(statements).await?;
                if fails.is_some() { Err(failed()) } else { Ok(rows) }
            }
        }
    }
}

pub struct Memory<'s>(pub &'s Server);

impl Memory<'_> {
    /// Performs an action on the bucket or the queue, unless the call is to fail.
    fn call<R>(&self, act: impl FnOnce() -> R) -> Result<R, StorageError> {
        let failed = || StorageError("a fault".to_owned());
        match self.0.fails() {
            Some(true) => Err(failed()),
            fails => {
                let result = act();
                if fails.is_some() { Err(failed()) } else { Ok(result) }
            }
        }
    }
}

impl Bucket for Memory<'_> {
    async fn info(&self, key: &str) -> Result<Option<ObjectInfo>, StorageError> {
        self.call(|| {
            self.0.bucket.borrow().get(key).map(|(bytes, stored_at)| ObjectInfo {
                bytes: bytes.len() as u64,
                etag: format!("{}-{}", bytes.len(), bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>()),
                stored_at: *stored_at,
            })
        })
    }

    async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>, StorageError> {
        self.call(|| {
            let bucket = self.0.bucket.borrow();
            bucket.get(key).map(|(bytes, _)| bytes[range.start as usize..bytes.len().min(range.end as usize)].to_vec())
        })
    }

    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<(), StorageError> {
        self.call(|| {
            self.0.bucket.borrow_mut().insert(key.to_owned(), (bytes, self.0.clock.get()));
        })
    }

    async fn delete(&self, keys: Vec<String>) -> Result<(), StorageError> {
        self.call(|| self.0.bucket.borrow_mut().retain(|key, _| !keys.contains(key)))
    }
}

impl Queue for Memory<'_> {
    async fn send(&self, messages: Vec<Message>) -> Result<(), StorageError> {
        self.call(|| self.0.queue.borrow_mut().extend(messages))
    }
}
