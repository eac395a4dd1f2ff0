//! The state in the folder of a bulk export, so that the same command goes on where it was, and the next one begins
//! where this one has ended.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::manifest::Manifest;
use crate::{Failure, private};

/// The times that a lock is asked for.
const LOCK_TRIES: u32 = 20;
/// The time between two of them.
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// The state of a folder.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BulkState {
    /// The address by which exports of this folder begin, but for the times.
    pub request: String,
    /// `transactionTime` of the last export that was loaded.
    pub transaction_time: Option<String>,
    /// The export that is under way.
    pub export: Option<RunningExport>,
}

/// An export that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningExport {
    /// The address of the status of the export.
    pub status: String,
    /// The time after which resources have changed that it has. `None`: all.
    pub since: Option<String>,
    /// The manifest of the export, once it is complete.
    pub manifest: Option<Manifest>,
}

/// The folder of an export. Nobody else may read it, and no second command may use it meanwhile.
#[derive(Debug)]
pub struct StateFolder {
    path: PathBuf,
    _lock: File,
}

impl StateFolder {
    /// Opens a folder, or makes it.
    ///
    /// # Errors
    /// If it cannot be written, or another command uses it.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let doing = || format!("the folder {}", path.display());
        std::fs::create_dir_all(path).map_err(Failure::doing(doing()))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let only_mine = std::fs::Permissions::from_mode(0o700);
            std::fs::set_permissions(path, only_mine).map_err(Failure::doing(doing()))?;
        }
        let file = path.join("lock");
        private::create_missing(&file).map_err(Failure::doing(doing()))?;
        let lock = File::open(&file).map_err(Failure::doing(doing()))?;
        // A process that starts at this moment has the lock of before until its program runs.
        let mut tries = 0;
        while lock.try_lock().is_err() {
            tries += 1;
            if tries == LOCK_TRIES {
                return Err(Failure(format!("another command uses {}", path.display())));
            }
            std::thread::sleep(LOCK_PAUSE);
        }
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// The state. A new one if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or is that of exports by another address.
    pub fn read(&self, request: &str) -> Result<BulkState, Failure> {
        let file = self.path.join("state.json");
        let doing = || format!("reading {}", file.display());
        if !file.exists() {
            return Ok(BulkState { request: request.to_owned(), ..BulkState::default() });
        }
        let text = std::fs::read(&file).map_err(Failure::doing(doing()))?;
        let state: BulkState = serde_json::from_slice(&text).map_err(Failure::doing(doing()))?;
        if state.request == request {
            return Ok(state);
        }
        let (path, other) = (self.path.display(), state.request);
        Err(Failure(format!("the folder {path} is for exports by {other}: name another one")))
    }

    /// Writes the state. It is the old one or the new one, whenever the command is ended.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, state: &BulkState) -> Result<(), Failure> {
        let (file, new) = (self.path.join("state.json"), self.path.join("state.new"));
        let doing = || format!("writing {}", file.display());
        let text = serde_json::to_vec_pretty(state).map_err(Failure::doing(doing()))?;
        private::write(&new, &text).map_err(Failure::doing(doing()))?;
        std::fs::rename(&new, &file).map_err(Failure::doing(doing()))
    }

    /// The folder of the files, which is made if it is missing.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn files(&self) -> Result<PathBuf, Failure> {
        let path = self.path.join("files");
        std::fs::create_dir_all(&path).map_err(Failure::doing(format!("the folder {}", path.display())))?;
        Ok(path)
    }

    /// Removes the files.
    ///
    /// # Errors
    /// If they cannot be removed.
    pub fn remove_files(&self) -> Result<(), Failure> {
        let path = self.files()?;
        std::fs::remove_dir_all(&path).map_err(Failure::doing(format!("removing {}", path.display())))
    }
}
