//! The option `--index`.

use native::Failure;
use search::IndexSet;

use super::text_of;

#[derive(clap::Args)]
pub struct Index {
    /// The set of search parameters by which the records are indexed: us-core, which is the same for all versions of US
    /// Core (us-core-7.0.0), r4, or a file with a line for each type: its name, a tab, and the names of parameters in
    /// addition to those of US Core, or * for all. Stored records keep their set until they are indexed again by
    /// another set. The default for new records is us-core.
    #[arg(long = "index", value_name = "us-core|us-core-VERSION|r4|FILE", required = false)]
    name: String,
}

impl Index {
    /// Returns the set.
    pub fn set(&self) -> Result<&'static IndexSet, Failure> {
        if let Some(named) = IndexSet::of_name(&self.name) {
            return Ok(named);
        }
        IndexSet::parse(&text_of(self.name.as_ref())?).map_err(|why| Failure(format!("--index {}: {why}", self.name)))
    }
}
