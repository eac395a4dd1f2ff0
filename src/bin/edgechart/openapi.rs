//! `openapi`: prints the description of the API.

use api::openapi;
use native::Failure;
use search::IndexSet;

use super::index::Index;

#[derive(clap::Args)]
pub struct Openapi {
    /// Leaves out the authorization server, for edge-only mode.
    #[arg(long)]
    edge_only: bool,
    #[command(flatten)]
    index: Option<Index>,
}

impl Openapi {
    pub fn run(self) -> Result<(), Failure> {
        let index = self.index.map_or(Ok(IndexSet::us_core()), |index| index.set())?;
        println!("{}", openapi(index, self.edge_only));
        Ok(())
    }
}
