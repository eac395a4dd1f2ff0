//! Records with long documents. They are requested through the router, and answers have the bytes that a runtime sends.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use api::{
    Call, Environment, Method, Moment, ObjectForm, ObjectPiece, RequestTarget, Settings, Stream, StreamPiece, answer,
};
use base64ct::{Base64, Encoding};
use fhir::{Block, DOCUMENTS_PREFIX, splice};
use native::{NoProgress, SharedBlocks, SqliteDatabase, SqliteWriter, block_store, dump, stored_database};
use oauth::AccessClaims;
use rusqlite::Connection;
use serde_json::Value;
use store::SqlStore;

use super::app::{app_over, bearer, claims};
use super::{Guarded, ORIGIN, loader, now, over_sqlite, tempfile};

const MOMENT: Moment = Moment { now: 1_800_000_000_000_000, random: [7; 32] };

/// Records in a database file, and their documents in a bucket of local R2.
pub struct Records {
    pub database: PathBuf,
    folder: PathBuf,
}

impl Drop for Records {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.database);
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Records {
    pub fn new() -> Self {
        Self { database: tempfile(), folder: tempfile().with_extension("state") }
    }

    pub fn of(resources: &[Value]) -> Self {
        let records = Self::new();
        records.load(resources);
        records
    }

    pub fn blocks(&self) -> SharedBlocks {
        Rc::new(RefCell::new(block_store(&self.folder.join("v3/r2/edgechart-files")).unwrap()))
    }

    /// Loads the resources, and returns the summary.
    pub fn load(&self, resources: &[Value]) -> String {
        let lines: Vec<_> = resources.iter().map(ToString::to_string).collect();
        self.load_text(&lines.join("\n"))
    }

    pub fn load_text(&self, text: &str) -> String {
        let file = tempfile().with_extension("ndjson");
        std::fs::write(&file, text).unwrap();
        let writer = SqliteWriter::open(&self.database).unwrap();
        let loader = native::Loader { strict: false, ..loader() };
        let loaded = loader.load(std::slice::from_ref(&file), writer, Some(&self.blocks()), &mut NoProgress).unwrap();
        std::fs::remove_file(&file).unwrap();
        [vec![loaded.to_string()], loaded.faults].concat().join("\n")
    }

    pub fn dump(&self) -> BTreeMap<String, Value> {
        let mut out = Vec::new();
        let blocks = self.blocks();
        dump(&stored_database(&self.database, &[]).unwrap(), Some(&**blocks.borrow()), &mut out).unwrap();
        let resources = String::from_utf8(out).unwrap();
        let resources = resources.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        resources
            .map(|resource| (format!("{}/{}", text(&resource, "resourceType"), text(&resource, "id")), resource))
            .collect()
    }

    /// Requests a path below the FHIR base, with a token with these scopes and with these headers.
    pub fn ask(
        &self,
        scopes: &str,
        patient: Option<&str>,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Answered {
        let store: Guarded<SqlStore<'static, SqliteDatabase, SqliteDatabase>> =
            over_sqlite(Connection::open(&self.database).unwrap(), &BTreeMap::new());
        let app = app_over(store, Settings::new(ORIGIN, Environment::Production, b"test"));
        let claims = AccessClaims { patient: patient.map(Into::into), ..claims("app", scopes) };
        let token = bearer(&app, claims, MOMENT.seconds());
        let lookup = |name: &str| match name {
            "Authorization" => Some(Cow::Owned(token.clone())),
            _ => headers.iter().find(|(of, _)| *of == name).map(|(_, value)| Cow::Owned((*value).to_owned())),
        };
        let path = format!("/fhir/r4/{path}");
        let call = Call {
            method: Method::parse(method),
            target: RequestTarget::of(&path),
            headers: &lookup,
            body: None,
            moment: MOMENT,
        };
        let (reply, _) = now(answer(&app, &call));
        let headers = reply.all_headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let body = match reply.stream {
            Some(stream) => self.sent(&stream),
            None => splice(reply.body).into_bytes(),
        };
        Answered { status: reply.status, headers, body }
    }

    /// Returns the bytes that a runtime sends for a stream.
    fn sent(&self, stream: &Stream) -> Vec<u8> {
        let blocks = self.blocks();
        let piece = |piece: &StreamPiece| match piece {
            StreamPiece::Bytes(bytes) => bytes.clone(),
            StreamPiece::Object(ObjectPiece { key, range, form }) => {
                let hash = key.strip_prefix(DOCUMENTS_PREFIX).unwrap().to_owned();
                let bytes = std::fs::read(self.folder.join("v3/r2/edgechart-files/blobs").join(&hash)).unwrap();
                let block = Block { hash, length: bytes.len() as u64 };
                assert_eq!(blocks.borrow().read(&block).unwrap(), bytes);
                let part = &bytes[range.start as usize..range.end as usize];
                match form {
                    ObjectForm::Plain => part.to_vec(),
                    ObjectForm::Base64 => Base64::encode_string(part).into_bytes(),
                    other @ (ObjectForm::Base64Part(_) | ObjectForm::Inflated(_)) => panic!("{other:?}"),
                }
            }
        };
        let sent: Vec<u8> = stream.pieces.iter().flat_map(piece).collect();
        assert_eq!(sent.len() as u64, stream.length());
        sent
    }
}

/// Returns the text of a member of a resource.
pub fn text<'a>(resource: &'a Value, name: &str) -> &'a str {
    resource[name].as_str().unwrap()
}

/// An answer as it is sent.
pub struct Answered {
    pub status: u16,
    headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Answered {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}
