//! The option `--index`.

use native::Failure;
use search::IndexSet;

use super::text_of;

#[derive(clap::Args)]
pub struct Index {
    /// The set of search parameters by which the records are indexed: us-core, r4, the names of guides whose parameters
    /// are added to us-core ("carin-bb-2.2.0 pdex-2.2.0"), or a file with such names and a line for each type: its
    /// name, a tab, and the names of further parameters, or * for all of R4. Stored records keep their set until they
    /// are indexed again by another set. The default for new records is us-core.
    #[arg(long = "index", value_name = "us-core|r4|GUIDES|FILE", required = false)]
    name: String,
}

impl Index {
    /// Returns the set.
    pub fn set(&self) -> Result<&'static IndexSet, Failure> {
        let why = match IndexSet::parse(&self.name) {
            Ok(named) => return Ok(named),
            Err(why) => why,
        };
        let refused = |why: &str| Failure(format!("--index {}: {why}", self.name));
        let text = text_of(self.name.as_ref()).map_err(|Failure(absent)| refused(&format!("{why}; {absent}")))?;
        IndexSet::parse(&text).map_err(|why| refused(&why))
    }
}
