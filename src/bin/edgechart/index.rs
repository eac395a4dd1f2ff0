//! The option `--index`.

use edgechart::native::Failure;
use edgechart::search::IndexSet;

use super::text_of;

#[derive(clap::Args)]
pub struct Index {
    /// The set of search parameters by which the records are indexed: us-core, r4, or a file with a line for each type:
    /// its name, a tab, and the names of parameters beside those of US Core, or * for all. Records that are stored keep
    /// theirs until they are indexed again by another one. The default for new ones is us-core.
    #[arg(long = "index", value_name = "us-core|r4|FILE", required = false)]
    name: String,
}

impl Index {
    /// The set.
    pub fn set(&self) -> Result<&'static IndexSet, Failure> {
        let is_name = ["us-core", "r4"].contains(&self.name.as_str());
        let text = if is_name { self.name.clone() } else { text_of(self.name.as_ref())? };
        IndexSet::parse(&text).map_err(|why| Failure(format!("--index {}: {why}", self.name)))
    }
}
