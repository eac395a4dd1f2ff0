//! `openapi`: prints the description of the API.

use edgechart::api::openapi;

#[derive(clap::Args)]
pub struct Openapi {
    /// Leaves out the authorization server, for edge-only mode.
    #[arg(long)]
    edge_only: bool,
}

impl Openapi {
    pub fn run(self) {
        println!("{}", openapi(self.edge_only));
    }
}
