//! Writes the rows of a load as SQL files, for a database that cannot be opened directly. D1 takes no statement longer
//! than 100,000 bytes: long texts are appended in parts, and short rows share a statement.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Failure;

/// The longest part of a statement, in bytes, which leaves some for its head.
const LONGEST: usize = 90_000;
/// The largest file, in bytes. Files of this size can be uploaded one by one, and repeated.
const LARGEST: usize = 64 << 20;

/// SQL files in a folder. Their names sort in the order in which they have to be run.
#[derive(Debug)]
pub struct SqlFiles {
    folder: PathBuf,
    file: Option<BufWriter<File>>,
    files: Vec<PathBuf>,
    written: usize,
    head: String,
    rows: String,
}

impl SqlFiles {
    /// Starts writing into a folder, and creates it if it is missing.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn new(folder: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(folder).map_err(Failure::doing(format!("making {}", folder.display())))?;
        let (head, rows) = (String::new(), String::new());
        Ok(Self { folder: folder.to_owned(), file: None, files: Vec::new(), written: 0, head, rows })
    }

    /// Adds a row of SQL literals to `INSERT INTO <into> VALUES`. Successive rows of one table share a statement.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn insert(&mut self, into: &str, values: &[String]) -> Result<(), Failure> {
        let row = format!("({})", values.join(","));
        if self.head != into || self.rows.len() + row.len() > LONGEST {
            self.flush()?;
            into.clone_into(&mut self.head);
        }
        if !self.rows.is_empty() {
            self.rows.push_str(",\n");
        }
        self.rows.push_str(&row);
        Ok(())
    }

    /// Adds a statement.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn statement(&mut self, text: &str) -> Result<(), Failure> {
        self.flush()?;
        self.write(text)
    }

    /// Splits a text into parts, each of which fits into a statement.
    #[must_use]
    pub fn parts(text: &str) -> Vec<&str> {
        // A quote takes two bytes in a literal.
        let (mut parts, mut rest) = (Vec::new(), text);
        while rest.len() > LONGEST / 2 {
            let mut at = LONGEST / 2;
            while !rest.is_char_boundary(at) {
                at -= 1;
            }
            let (part, tail) = rest.split_at(at);
            parts.push(part);
            rest = tail;
        }
        parts.push(rest);
        parts
    }

    /// Writes the last file, and returns the paths of all.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<Vec<PathBuf>, Failure> {
        self.flush()?;
        if let Some(file) = &mut self.file {
            file.flush().map_err(Failure::doing("writing SQL"))?;
        }
        Ok(self.files)
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
            self.file = Some(BufWriter::new(File::create(&path).map_err(doing())?));
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

/// A text as an SQL literal.
#[must_use]
pub fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A text, or null.
#[must_use]
pub fn nullable(text: Option<&str>) -> String {
    text.map_or_else(|| "NULL".to_owned(), literal)
}
