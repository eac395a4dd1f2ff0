//! The stores of document blocks: the files of local R2, or a folder of files to upload to Cloudflare. A block is
//! stored once and never changed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use base16ct::lower::encode_string;
use hmac::{Hmac, Mac};
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use super::{Failure, private};
use fhir::{Block, DOCUMENTS_PREFIX};
use ingest::TakenBlock;

/// A store that finds document blocks by the hashes of their contents.
pub trait BlockStore {
    /// Stores a block. Returns whether it was new.
    fn put(&mut self, taken: &TakenBlock) -> Result<bool, Failure>;

    /// Returns the bytes of a block.
    fn read(&self, block: &Block) -> Result<Vec<u8>, Failure>;

    /// Ends a load, and lists the blocks to upload, if there are any.
    fn finish(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    /// Returns the hashes of the blocks that are at least this old.
    fn older_than(&self, age: Duration) -> Result<BTreeSet<String>, Failure>;

    /// Deletes the block with this hash.
    fn remove(&mut self, hash: &str) -> Result<(), Failure>;
}

/// A store of blocks, to which the readers of files write during a load.
pub type SharedBlocks = Rc<RefCell<Box<dyn BlockStore>>>;

/// Opens the store at a path: a bucket of local R2, if the path is its folder (`v3/r2/` and the name of the bucket), or
/// otherwise a folder of files to upload.
///
/// # Errors
/// If it cannot be opened.
pub fn block_store(path: &Path) -> Result<Box<dyn BlockStore>, Failure> {
    let is_local = path.parent().is_some_and(|parent| parent.ends_with("v3/r2"));
    Ok(if is_local { Box::new(Local::open(path)?) } else { Box::new(Folder::open(path)?) })
}

/// Returns the text with base64 in place of its document marks.
///
/// # Errors
/// If the text has marks and there is no store, or a block is missing.
pub fn joined(text: &str, blocks: Option<&dyn BlockStore>) -> Result<String, Failure> {
    let none = || Failure("some documents are in the bucket: name it by --files".to_owned());
    fhir::joined(text, |block| blocks.ok_or_else(none)?.read(block))
}

/// Reads the bytes of a block from its file, and checks them.
fn read(path: Option<PathBuf>, block: &Block) -> Result<Vec<u8>, Failure> {
    let path = path.ok_or_else(|| Failure(format!("the block {} is missing", block.hash)))?;
    let bytes = fs::read(path).map_err(Failure::doing(format!("reading the block {}", block.hash)))?;
    if Block::of(&bytes) == *block { Ok(bytes) } else { Err(Failure(format!("the block {} is damaged", block.hash))) }
}

/// Writes a block into a file. The file appears as a whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let doing = || Failure::doing(format!("writing {}", path.display()));
    let new = path.with_extension("new");
    private::write(&new, bytes).map_err(doing())?;
    fs::rename(&new, path).map_err(doing())
}

fn remove(path: &Path) -> Result<(), Failure> {
    private::remove(path).map_err(Failure::doing(format!("removing {}", path.display())))
}

/// Local R2: a SQLite file of keys, and a file for each object.
struct Local {
    keys: Connection,
    blobs: PathBuf,
}

/// The name of the Durable Objects in which local R2 keeps the keys of buckets.
const OBJECTS: &str = "miniflare-R2BucketObject";

impl Local {
    fn open(path: &Path) -> Result<Self, Failure> {
        let doing = || Failure::doing(format!("opening {}", path.display()));
        let bucket = path.file_name().unwrap_or_default().to_string_lossy();
        let objects = path.with_file_name(OBJECTS);
        let blobs = path.join("blobs");
        fs::create_dir_all(&objects).and_then(|()| fs::create_dir_all(&blobs)).map_err(doing())?;
        let keys = Connection::open(objects.join(format!("{}.sqlite", object_id(&bucket))))?;
        keys.busy_timeout(Duration::from_secs(30))?;
        // The same table as local R2 creates.
        keys.execute_batch(
            "CREATE TABLE IF NOT EXISTS _mf_objects (key TEXT PRIMARY KEY, blob_id TEXT, version TEXT NOT NULL, \
             size INTEGER NOT NULL, etag TEXT NOT NULL, uploaded INTEGER NOT NULL, checksums TEXT NOT NULL, \
             http_metadata TEXT NOT NULL, custom_metadata TEXT NOT NULL)",
        )?;
        Ok(Self { keys, blobs })
    }

    fn blob_of(&self, hash: &str) -> Result<Option<PathBuf>, Failure> {
        let mut statement = self.keys.prepare_cached("SELECT blob_id FROM _mf_objects WHERE key = ?1")?;
        let blob: Option<String> = statement.query_row([key_of(hash)], |row| row.get(0)).optional()?;
        Ok(blob.map(|blob| self.blobs.join(blob)))
    }
}

fn key_of(hash: &str) -> String {
    [DOCUMENTS_PREFIX, hash].concat()
}

/// Returns the id of the Durable Object of a bucket: a keyed hash of the bucket's name, and a keyed hash of that hash.
fn object_id(bucket: &str) -> String {
    let keyed = |data: &[u8]| {
        // HMAC accepts keys of any length.
        let keyed = Hmac::<Sha256>::new_from_slice(&Sha256::digest(OBJECTS)).map(|hmac| hmac.chain_update(data));
        keyed.map(|hmac| hmac.finalize().into_bytes().get(..16).map(<[u8]>::to_vec)).ok().flatten().unwrap_or_default()
    };
    let name = keyed(bucket.as_bytes());
    encode_string(&[name.clone(), keyed(&name)].concat())
}

/// Returns the milliseconds since 1970.
fn millis(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl BlockStore for Local {
    fn put(&mut self, TakenBlock { block, bytes }: &TakenBlock) -> Result<bool, Failure> {
        if self.blob_of(&block.hash)?.is_some_and(|path| path.exists()) {
            return Ok(false);
        }
        write(&self.blobs.join(&block.hash), bytes)?;
        let tag = block.hash.get(..32).unwrap_or_default();
        self.keys
            .prepare_cached("INSERT OR REPLACE INTO _mf_objects VALUES (?1, ?2, ?3, ?4, ?3, ?5, '{}', '{}', '{}')")?
            .execute(params![block.key(), block.hash, tag, block.length as i64, millis(now())])?;
        Ok(true)
    }

    fn read(&self, block: &Block) -> Result<Vec<u8>, Failure> {
        read(self.blob_of(&block.hash)?, block)
    }

    fn older_than(&self, age: Duration) -> Result<BTreeSet<String>, Failure> {
        let mut statement = self.keys.prepare("SELECT key FROM _mf_objects WHERE uploaded <= ?1")?;
        let before = millis(now() - age);
        let keys = statement.query_map([before], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
        Ok(keys.iter().filter_map(|key| key.strip_prefix(DOCUMENTS_PREFIX)).map(str::to_owned).collect())
    }

    fn remove(&mut self, hash: &str) -> Result<(), Failure> {
        let path = self.blob_of(hash)?;
        self.keys.prepare_cached("DELETE FROM _mf_objects WHERE key = ?1")?.execute([key_of(hash)])?;
        path.map_or(Ok(()), |path| remove(&path))
    }
}

#[allow(clippy::disallowed_methods, reason = "a runtime reads the clock")]
fn now() -> SystemTime {
    SystemTime::now()
}

/// A folder of files: `new/` has the blocks that have not been uploaded, and `sent/` copies of uploaded blocks.
/// `put.json` lists the new blocks, for `wrangler r2 bulk put`. Whoever uploads them moves their files to `sent/`.
struct Folder {
    folder: PathBuf,
}

/// The names of the subfolders.
const NEW: &str = "new";
const SENT: &str = "sent";
/// The list of blocks to upload.
const LIST: &str = "put.json";

impl Folder {
    fn open(folder: &Path) -> Result<Self, Failure> {
        for name in [NEW, SENT] {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(Failure::doing(format!("making {}", path.display())))?;
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// Returns the file of a block, if it exists.
    fn find(&self, hash: &str) -> Option<PathBuf> {
        [NEW, SENT].map(|name| self.folder.join(name).join(hash)).into_iter().find(|path| path.exists())
    }

    /// Returns the files of a subfolder, each with its name, which is the hash of its block.
    fn files(&self, name: &str) -> Result<Vec<(String, fs::DirEntry)>, Failure> {
        let path = self.folder.join(name);
        let doing = || Failure::doing(format!("reading {}", path.display()));
        let mut found = Vec::new();
        for entry in fs::read_dir(&path).map_err(doing())? {
            let entry = entry.map_err(doing())?;
            // Files with other names are left from interrupted writes.
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.len() == 64 {
                found.push((name, entry));
            }
        }
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(found)
    }
}

impl BlockStore for Folder {
    fn put(&mut self, TakenBlock { block, bytes }: &TakenBlock) -> Result<bool, Failure> {
        if self.find(&block.hash).is_some() {
            return Ok(false);
        }
        write(&self.folder.join(NEW).join(&block.hash), bytes)?;
        Ok(true)
    }

    fn read(&self, block: &Block) -> Result<Vec<u8>, Failure> {
        read(self.find(&block.hash), block)
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let path = self.folder.join(LIST);
        let folder =
            std::path::absolute(self.folder.join(NEW)).map_err(Failure::doing("finding the folder of blocks"))?;
        let pair = |(hash, _): &(String, _)| serde_json::json!({"key": key_of(hash), "file": folder.join(hash)});
        let pairs: Vec<_> = self.files(NEW)?.iter().map(pair).collect();
        if pairs.is_empty() {
            return remove(&path);
        }
        let text = serde_json::Value::from(pairs).to_string();
        private::write(&path, text.as_bytes()).map_err(Failure::doing(format!("writing {}", path.display())))
    }

    fn older_than(&self, age: Duration) -> Result<BTreeSet<String>, Failure> {
        let mut found = BTreeSet::new();
        for (hash, entry) in self.files(NEW)?.into_iter().chain(self.files(SENT)?) {
            let written =
                entry.metadata().and_then(|data| data.modified()).map_err(Failure::doing("reading a block"))?;
            if now().duration_since(written).unwrap_or_default() >= age {
                found.insert(hash);
            }
        }
        Ok(found)
    }

    fn remove(&mut self, hash: &str) -> Result<(), Failure> {
        self.find(hash).map_or(Ok(()), |path| remove(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fhir::Document;

    fn folder(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("edgechart-blocks-{}-{name}", std::process::id()))
    }

    fn taken(bytes: &[u8]) -> TakenBlock {
        TakenBlock { block: Block::of(bytes), bytes: bytes.to_vec() }
    }

    #[test]
    fn a_block_is_stored_once_and_comes_back_in_each_store() {
        for path in [folder("local").join("v3/r2/edgechart-files"), folder("upload")] {
            let (first, second) = (taken(b"first"), taken(b"second"));
            let mut store = block_store(&path).unwrap();
            assert!(store.put(&first).unwrap() && !store.put(&first).unwrap() && store.put(&second).unwrap());
            drop(store);
            let mut store = block_store(&path).unwrap();
            assert!(!store.put(&first).unwrap());
            assert_eq!(store.read(&first.block).unwrap(), b"first");
            assert!(store.read(&Block::of(b"other")).is_err());
            assert!(store.older_than(Duration::from_secs(3_600)).unwrap().is_empty());
            let all = BTreeSet::from([first.block.hash.clone(), second.block.hash.clone()]);
            assert_eq!(store.older_than(Duration::ZERO).unwrap(), all);
            let text = format!("{{\"data\":\"{}\"}}", Document::of(b"first"));
            assert_eq!(joined(&text, Some(&*store)).unwrap(), "{\"data\":\"Zmlyc3Q=\"}");
            assert!(joined(&text, None).unwrap_err().0.contains("--files"));
            assert_eq!(joined("{}", None).unwrap(), "{}");
            store.remove(&first.block.hash).unwrap();
            assert!(store.read(&first.block).is_err() && joined(&text, Some(&*store)).is_err());
            assert!(store.put(&first).unwrap());
            // A damaged block is refused.
            let file = path.join(if path.ends_with("edgechart-files") { "blobs" } else { NEW });
            fs::write(file.join(&second.block.hash), b"secone").unwrap();
            assert!(store.read(&second.block).unwrap_err().0.contains("damaged"));
            store.finish().unwrap();
        }
        let list = fs::read_to_string(folder("upload").join(LIST)).unwrap();
        let list: Vec<serde_json::Value> = serde_json::from_str(&list).unwrap();
        assert_eq!(list.len(), 2);
        for pair in &list {
            let file = Path::new(pair["file"].as_str().unwrap());
            fs::rename(file, folder("upload").join(SENT).join(file.file_name().unwrap())).unwrap();
        }
        let mut store = block_store(&folder("upload")).unwrap();
        store.finish().unwrap();
        assert!(!store.put(&taken(b"first")).unwrap() && !folder("upload").join(LIST).exists());
        for name in ["local", "upload"] {
            fs::remove_dir_all(folder(name)).unwrap();
        }
    }

    #[test]
    fn the_id_of_a_bucket_is_that_of_local_r2() {
        // The id that workerd computes.
        let expected = "b90b9207705aa66db054ef29a037bb8adb46e3391b05f86ab26297e044278678";
        assert_eq!(object_id("edgechart-files"), expected);
    }
}
