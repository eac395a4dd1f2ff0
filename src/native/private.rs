//! Files of records and secrets, which only their owner may read.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Result, Write};
use std::path::Path;

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a file that does not exist yet.
///
/// # Errors
/// If the file exists, or cannot be written.
pub fn create_new(path: &Path) -> Result<File> {
    options().create_new(true).open(path)
}

/// Creates a file, or empties an existing one.
///
/// # Errors
/// If it cannot be written.
pub fn create(path: &Path) -> Result<File> {
    options().create(true).truncate(true).open(path)
}

/// Creates an empty file, unless the file exists.
///
/// # Errors
/// If it cannot be written.
pub fn create_missing(path: &Path) -> Result<()> {
    options().create(true).truncate(false).open(path).map(|_| ())
}

/// Writes a file, and replaces an existing one.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    create(path)?.write_all(bytes)
}

/// Removes a file, if it exists.
pub fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn nobody_else_may_read_what_is_created() {
        let path = std::env::temp_dir().join(format!("edgechart-private-{}", std::process::id()));
        create_missing(&path).unwrap();
        assert!(create_new(&path).is_err());
        write(&path, b"text").unwrap();
        create_missing(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"text");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::remove_file(&path).unwrap();
    }
}
