//! `dump`: writes all stored resources.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use native::{Failure, block_store, dump, private, stored_database};

use super::shard_files::ShardFiles;

#[derive(clap::Args)]
pub struct Dump {
    #[command(flatten)]
    files: ShardFiles,
    /// The file to write, or - for standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// The folder with long documents, the same as for `load --files`.
    #[arg(long = "files", value_name = "FOLDER")]
    blocks: Option<PathBuf>,
}

impl Dump {
    pub fn run(self) -> Result<(), Failure> {
        let Self { files, out, blocks } = self;
        let database = stored_database(&files.db, &files.further())?;
        let mut output = BufWriter::new(output(&out)?);
        let blocks = blocks.as_deref().map(block_store).transpose()?;
        let contents = dump(&database, blocks.as_deref(), &mut output)?;
        output.flush().map_err(Failure::doing("writing resources"))?;
        eprintln!("{contents}");
        Ok(())
    }
}

/// Returns the file with this name, or standard output for -.
fn output(path: &Path) -> Result<Box<dyn Write>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdout().lock()));
    }
    let file = private::create(path).map_err(Failure::doing(format!("writing {}", path.display())))?;
    Ok(Box::new(file))
}
