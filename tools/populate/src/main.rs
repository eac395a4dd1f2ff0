//! The program: writes a population to a file or to standard output.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use populate::Population;

/// Writes synthetic patients with all their records, as NDJSON. The same seed gives the same bytes, and the patients of
/// a small population are the first of a larger one.
#[derive(Parser)]
struct Arguments {
    /// The number of patients.
    #[arg(long, value_name = "N")]
    patients: u64,
    /// The seed. Populations of different seeds have no patients in common.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write. With -, standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let Arguments { patients, seed, out } = Arguments::parse();
    match open(&out).and_then(|mut output| Population { patients, seed }.write(&mut output)) {
        // The reader of the output has closed it.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("populate: writing {}: {error}", out.display());
            ExitCode::FAILURE
        }
        Ok(()) | Err(_) => ExitCode::SUCCESS,
    }
}

/// The file with that name, or with - the standard output.
fn open(path: &Path) -> io::Result<Box<dyn Write>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdout().lock()));
    }
    Ok(Box::new(File::create(path)?))
}
