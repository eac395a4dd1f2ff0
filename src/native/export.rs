//! Writes a move between shards as SQL files, for databases that cannot be opened directly. D1 accepts no statement
//! longer than 100,000 bytes: long blobs are appended in parts, and short rows share a statement.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use base16ct::upper::encode_string;

use super::{Failure, private};
use database::RAISE_CORRECTIONS;
use store::sql::{ColumnType, Table, Value};

/// The longest part of a statement, in bytes. The rest is left for the beginning of the statement.
const MAX_LENGTH: usize = 90_000;
/// The largest file, in bytes. Files of this size can be uploaded, and uploaded again, one by one.
const LARGEST: usize = 64 << 20;

/// The folder for the database of the authorization server.
const AUTH_FOLDER: &str = "AUTH_DB";

/// SQL files in a folder, to be run in the order of their names. The file to be run last, in the database of the
/// authorization server, is in a separate folder.
#[derive(Debug, Default)]
pub struct SqlFiles {
    folder: PathBuf,
    file: Option<BufWriter<File>>,
    files: Vec<PathBuf>,
    written: usize,
    head: String,
    rows: String,
    shards: BTreeMap<usize, Self>,
    corrections: Option<PathBuf>,
}

impl SqlFiles {
    /// Starts writing into a folder, and creates the folder if it is missing.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn new(folder: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(folder).map_err(Failure::doing(format!("making {}", folder.display())))?;
        Ok(Self { folder: folder.to_owned(), ..Self::default() })
    }

    /// Returns the files for the database of a shard, in a subfolder with the name of its binding, such as `SHARD_1`.
    /// The files of the first shard are in the folder itself.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn of_shard(&mut self, shard: usize) -> Result<&mut Self, Failure> {
        if shard == 0 {
            return Ok(self);
        }
        match self.shards.entry(shard) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => Ok(new.insert(Self::new(&self.folder.join(format!("SHARD_{shard}")))?)),
        }
    }

    /// Adds a row of SQL literals to `INSERT INTO <into> VALUES`. Successive rows of one table share a statement.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn insert(&mut self, into: &str, values: &[String]) -> Result<(), Failure> {
        let row = format!("({})", values.join(","));
        if self.head != into || self.rows.len() + row.len() > MAX_LENGTH {
            self.flush()?;
            into.clone_into(&mut self.head);
        }
        if !self.rows.is_empty() {
            self.rows.push_str(",\n");
        }
        self.rows.push_str(&row);
        Ok(())
    }

    /// Adds a row of a table. A long blob in its last column is written in parts.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put(&mut self, table: Table, row: &[Value]) -> Result<(), Failure> {
        let columns: Vec<_> = table.columns().iter().map(|(name, _)| *name).collect();
        let (Some((last, others)), Some(column)) = (row.split_last(), columns.last()) else { return Ok(()) };
        // Each byte takes two in hexadecimal.
        let chunks = last.bytes().unwrap_or_default().chunks(MAX_LENGTH / 2 - 10);
        let mut parts = chunks.map(|chunk| format!("X'{}'", encode_string(chunk)));
        let mut literals: Vec<_> = others.iter().map(literal_of).collect();
        literals.push(parts.next().unwrap_or_else(|| literal_of(last)));
        self.insert(&format!("{} ({})", table.name(), columns.join(", ")), &literals)?;
        let of_key = |((name, _), value): (&(&str, ColumnType), &Value)| format!("{name} = {}", literal_of(value));
        let key: Vec<_> = table.key().iter().zip(row).map(of_key).collect();
        parts.try_for_each(|part| {
            let (name, key) = (table.name(), key.join(" AND "));
            self.statement(&format!("UPDATE {name} SET {column} = CAST({column} || {part} AS BLOB) WHERE {key}"))
        })
    }

    /// Adds a statement.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn statement(&mut self, text: &str) -> Result<(), Failure> {
        self.flush()?;
        self.write(text)
    }

    /// Adds the file for the database of the authorization server, which raises the number of corrections there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn correct(&mut self) -> Result<(), Failure> {
        let folder = self.folder.join(AUTH_FOLDER);
        let file = folder.join("corrections.sql");
        std::fs::create_dir_all(&folder)
            .and_then(|()| private::write(&file, format!("{RAISE_CORRECTIONS};\n").as_bytes()))
            .map_err(Failure::doing("writing SQL"))?;
        self.corrections = Some(file);
        Ok(())
    }

    /// Writes the last files, and returns the paths of all files. Files of other shards come first, since the directory
    /// refers to their contents.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<Vec<PathBuf>, Failure> {
        self.flush()?;
        if let Some(file) = &mut self.file {
            file.flush().map_err(Failure::doing("writing SQL"))?;
        }
        let mut files = Vec::new();
        for shard in self.shards.into_values() {
            files.extend(shard.finish()?);
        }
        files.extend(self.files);
        files.extend(self.corrections);
        Ok(files)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let statement = format!("INSERT OR REPLACE INTO {} VALUES\n{}", self.head, self.rows);
        self.rows.clear();
        self.write(&statement)
    }

    fn write(&mut self, statement: &str) -> Result<(), Failure> {
        let doing = || Failure::doing("writing SQL");
        if self.written > LARGEST {
            self.file = None;
        }
        if self.file.is_none() {
            let path = self.folder.join(format!("{:04}.sql", self.files.len() + 1));
            self.file = Some(BufWriter::new(private::create(&path).map_err(doing())?));
            self.files.push(path);
            self.written = 0;
        }
        if let Some(file) = &mut self.file {
            self.written += statement.len();
            file.write_all(statement.as_bytes()).and_then(|()| file.write_all(b";\n")).map_err(doing())?;
        }
        Ok(())
    }
}

/// Returns a text as an SQL literal. It is hexadecimal if the quoted text would be misread: SQLite ends a statement at
/// a NUL, and wrangler refuses a file that contains the beginning of a transaction, even in quotes.
pub fn literal(text: &str) -> String {
    if text.contains('\0') || text.contains("BEGIN TRANSACTION") {
        return format!("CAST(X'{}' AS TEXT)", encode_string(text.as_bytes()));
    }
    format!("'{}'", text.replace('\'', "''"))
}

/// Returns a value as an SQL literal.
fn literal_of(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Text(text) => literal(text),
        Value::Blob(bytes) => format!("X'{}'", encode_string(bytes)),
    }
}
