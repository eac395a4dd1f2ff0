//! The native side of random exports: performs them, and writes the contents of their files.
//! `tests/oracle/trials.test.mjs` makes data, grants and requests, and judges the results.
//!
//! TRIALS_FOLDER names a folder with `exports.ndjson`, which has a population in each line. The test writes
//! `answers.ndjson` into the same folder.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;

use crate::support::{Access, BASE, index_respelled, loaded, now};
use crate::trials::{answer_each, name, names};
use database::{Database, DatabaseError, Statement};
use export::{
    ExportJobs, ExportLevel, ExportPort, ExportRequest, ExportSource, ExportStatus, gzip_header, gzip_trailer,
};
use job::{Bucket, JobAnswer, Message, ObjectInfo, Queue, StorageError};
use native::{SqliteDatabase, tables};
use search::IndexSet;
use serde_json::{Value, json};
use store::RecordDatabases;

/// A database that is shared by several users.
struct Shared<'d>(&'d SqliteDatabase);

impl Database for Shared<'_> {
    type Rows = <SqliteDatabase as Database>::Rows;

    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Self::Rows>, DatabaseError> {
        self.0.batch(statements).await
    }
}

#[derive(Default)]
struct Platform {
    objects: RefCell<HashMap<String, Vec<u8>>>,
    messages: RefCell<Vec<Message>>,
}

impl Bucket for &Platform {
    async fn info(&self, _: &str) -> Result<Option<ObjectInfo>, StorageError> {
        Ok(None)
    }

    async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Vec<u8>>, StorageError> {
        let objects = self.objects.borrow();
        let cut = |bytes: &Vec<u8>| bytes[range.start as usize..bytes.len().min(range.end as usize)].to_vec();
        Ok(objects.get(key).map(cut))
    }

    async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<(), StorageError> {
        self.objects.borrow_mut().insert(key.to_owned(), bytes);
        Ok(())
    }

    async fn delete(&self, keys: Vec<String>) -> Result<(), StorageError> {
        self.objects.borrow_mut().retain(|key, _| !keys.contains(key));
        Ok(())
    }
}

impl Queue for &Platform {
    async fn send(&self, messages: Vec<Message>) -> Result<(), StorageError> {
        self.messages.borrow_mut().extend(messages);
        Ok(())
    }
}

/// Returns the names of the resources of an export, in the order of its files.
fn exported(
    records: &SqliteDatabase,
    (state, platform): (&SqliteDatabase, &Platform),
    id: &str,
    asked: &Value,
) -> Vec<String> {
    let jobs = ExportJobs::new(Shared(state), platform, platform, 1_900_000_000_000_000, 1_000_000_000);
    let texts = |name: &str| names(&asked[name]).into_iter().map(str::to_owned).collect::<Vec<_>>();
    let request = ExportRequest {
        level: match asked["level"].as_str() {
            Some("Patient") => ExportLevel::Patient,
            Some("Group") => ExportLevel::Group,
            _ => ExportLevel::System,
        },
        url: String::new(),
        scopes: texts("scopes").join(" "),
        types: texts("types"),
        groups: asked["groups"].is_array().then(|| texts("groups")),
        since: None,
        until: None,
        filters: texts("filters"),
        elements: Vec::new(),
        patients: asked["members"].is_array().then(|| texts("members")),
        names_patients: false,
        by_patient: false,
        closed: Vec::new(),
        notes: Vec::new(),
    };
    assert_eq!(now(jobs.begin("app", id.to_owned(), request)), Ok(JobAnswer::Job(id.to_owned())));
    let source = ExportSource { databases: RecordDatabases::one(Shared(records)), set: IndexSet::of_r4(), base: BASE };
    loop {
        let next = platform.messages.borrow_mut().pop();
        let Some(Message::Export { job, part }) = next else { break };
        now(jobs.go_on(&job, part, &source)).unwrap();
    }
    let manifest = match now(jobs.status("app", id)) {
        Ok(Some(ExportStatus::Complete(manifest))) => manifest,
        other => panic!("{other:?}"),
    };
    assert!(manifest.error.is_empty() && manifest.deleted.is_empty());
    let mut found = Vec::new();
    for file in &manifest.output {
        let segments = now(jobs.file("app", id, file.number)).unwrap().unwrap().file.segments;
        let mut gzip = gzip_header();
        for segment in &segments {
            let (from, to) = (segment.offset as usize, (segment.offset + segment.stored) as usize);
            gzip.extend(&platform.objects.borrow()[&segment.object][from..to]);
        }
        gzip.extend(gzip_trailer(&segments));
        let mut text = String::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_string(&mut text).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        found.extend(lines.map(|resource| name(&resource)));
    }
    now(jobs.cancel("app", id)).unwrap();
    found
}

#[test]
#[ignore = "a part of tests/oracle/trials.test.mjs, which names in TRIALS_FOLDER the folder with the trials"]
fn exports_are_carried_out() {
    answer_each("exports.ndjson", |population| {
        let records =
            SqliteDatabase::new(loaded(&index_respelled(population["data"].as_array().unwrap()), &Access::new()));
        let state = SqliteDatabase::new(tables(rusqlite::Connection::open_in_memory().unwrap()).unwrap());
        // All exports of the same records share their parts.
        let platform = Platform::default();
        let asked = population["asked"].as_array().unwrap().iter().enumerate();
        asked.map(|(at, asked)| json!(exported(&records, (&state, &platform), &format!("e{at}"), asked))).collect()
    });
}
