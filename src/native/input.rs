//! The documents of files and folders: `.json` (one document per file), and `.ndjson` or `.jsonl` (one per line), each
//! also compressed as `.gz`.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use super::Failure;
use super::blocks::SharedBlocks;
use ingest::{MAX_INLINE_LENGTH, Splitter, not_utf8};

/// Returns the files to load from these paths, sorted by name. In folders, hidden files and files of other kinds are
/// skipped; a path that names a file must name one that can be loaded.
///
/// # Errors
/// If a path does not exist, cannot be read, or is a folder without a file that can be loaded.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = found.len();
            walk(path, &mut found)?;
            if found.len() == before {
                return Err(Failure(format!(
                    "{}: there is nothing to load in this folder: no .json, .ndjson or .jsonl, and none as .gz",
                    path.display()
                )));
            }
        } else if !path.exists() {
            return Err(Failure(format!("{}: there is no such file or folder", path.display())));
        } else if form(path).is_none() {
            return Err(Failure(format!(
                "{}: only .json, .ndjson and .jsonl are loaded, each also as .gz",
                path.display()
            )));
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let doing = || format!("reading the folder {}", folder.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(Failure::doing(doing()))? {
        entries.push(entry.map_err(Failure::doing(doing()))?.path());
    }
    entries.sort();
    for path in entries {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden {
            walk(&path, found)?;
        } else if form(&path).is_some() && !hidden {
            found.push(path);
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum InputForm {
    Whole,
    Lines,
}

fn form(path: &Path) -> Option<InputForm> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match [".ndjson", ".jsonl"].iter().any(|end| name.ends_with(end)) {
        true => Some(InputForm::Lines),
        false => name.ends_with(".json").then_some(InputForm::Whole),
    }
}

/// A JSON document from a file.
#[derive(Debug)]
pub struct InputDocument {
    pub text: String,
    /// The line of the file that it begins on, counted from zero.
    pub line: usize,
    /// The number of bytes of the file that have been read so far; compressed bytes if it is compressed.
    pub read: u64,
}

/// The documents of one file, read one at a time.
pub struct InputDocuments {
    reader: BufReader<Box<dyn Read>>,
    counted: Rc<std::cell::Cell<u64>>,
    form: InputForm,
    line: usize,
    done: bool,
}

impl InputDocuments {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Self::with_blocks(path, None)
    }

    /// Opens a file. Long values of `data` become documents, whose blocks are stored in the given store. Without a
    /// store the values are left in the text.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn with_blocks(path: &Path, blocks: Option<&SharedBlocks>) -> Result<Self, Failure> {
        let file = File::open(path).map_err(Failure::doing(format!("opening {}", path.display())))?;
        let counted = Rc::default();
        let file = Counting { file, count: Rc::clone(&counted) };
        let is_gzip = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        let inflated: Box<dyn Read> = if is_gzip { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
        let splitter = Splitter::new(blocks.map(|_| MAX_INLINE_LENGTH));
        let reader: Box<dyn Read> =
            Box::new(Splitting { inflated, splitter, taken: 0, blocks: blocks.map(Rc::clone), is_ended: false });
        let form = form(path).unwrap_or(InputForm::Whole);
        Ok(Self { reader: BufReader::with_capacity(1 << 16, reader), counted, form, line: 0, done: false })
    }
}

impl Iterator for InputDocuments {
    /// A document, or the line and the reason why it cannot be read.
    type Item = Result<InputDocument, (usize, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            let mut bytes = Vec::new();
            let line = self.line;
            let read = match self.form {
                InputForm::Lines => self.reader.read_until(b'\n', &mut bytes),
                InputForm::Whole => self.reader.read_to_end(&mut bytes),
            };
            self.line += 1;
            self.done = self.form == InputForm::Whole || bytes.is_empty();
            if let Err(error) = read {
                self.done = true;
                return Some(Err((line, format!("it cannot be read: {error}"))));
            }
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
            if bytes.trim_ascii().is_empty() && self.form == InputForm::Lines {
                continue;
            }
            return Some(match std::str::from_utf8(bytes.trim_ascii_end()) {
                Ok(text) => Ok(InputDocument { text: text.to_owned(), line, read: self.counted.get() }),
                Err(error) => Err((line, not_utf8(bytes, &error))),
            });
        }
        None
    }
}

/// The text of a file, with document marks in place of long values of `data`.
struct Splitting {
    inflated: Box<dyn Read>,
    splitter: Splitter,
    /// The number of bytes of the splitter's text that were already returned.
    taken: usize,
    blocks: Option<SharedBlocks>,
    is_ended: bool,
}

impl Read for Splitting {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        while self.splitter.text().len() == self.taken && !self.is_ended {
            self.splitter.text().clear();
            self.taken = 0;
            let mut bytes = [0; 1 << 14];
            let read = self.inflated.read(&mut bytes)?;
            match bytes.get(..read).filter(|bytes| !bytes.is_empty()) {
                Some(bytes) => self.splitter.add(bytes),
                None => {
                    self.splitter.end();
                    self.is_ended = true;
                }
            }
            for taken in self.splitter.take_blocks() {
                let stored = self.blocks.as_ref().map_or(Ok(false), |blocks| blocks.borrow_mut().put(&taken));
                stored.map_err(|Failure(why)| std::io::Error::other(why))?;
            }
        }
        let rest = self.splitter.text().get(self.taken..).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        let (Some(from), Some(to)) = (rest.get(..length), buffer.get_mut(..length)) else { return Ok(0) };
        to.copy_from_slice(from);
        self.taken += length;
        Ok(length)
    }
}

struct Counting {
    file: File,
    count: Rc<std::cell::Cell<u64>>,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.count.set(self.count.get() + read as u64);
        Ok(read)
    }
}
