//! `token`: makes an access token.

use std::path::PathBuf;

use native::{Failure, SandboxToken, database, secret, token};
use oauth::SigningKeys;

use super::micros;

#[derive(clap::Args)]
pub struct Token {
    /// Scopes, separated by spaces.
    scope: String,
    /// The patient in context.
    #[arg(long)]
    patient: Option<String>,
    /// The user.
    #[arg(long)]
    user: Option<String>,
    /// The resource of the user: Practitioner/x.
    #[arg(long)]
    fhir_user: Option<String>,
    /// The client.
    #[arg(long, default_value = "demo-app")]
    client: String,
    /// The issuer.
    #[arg(long, env = "ORIGIN", default_value = "http://localhost:8787")]
    origin: String,
    /// True for a token of /mcp, instead of the FHIR base.
    #[arg(long)]
    mcp: bool,
    /// The file with the secrets.
    #[arg(long, default_value = ".dev.vars")]
    keys: PathBuf,
    /// The SQLite file.
    #[arg(long)]
    db: PathBuf,
    /// The lifetime of the token, in seconds.
    #[arg(long, default_value_t = 3600)]
    life: i64,
}

impl Token {
    pub fn run(self) -> Result<(), Failure> {
        let Self { scope, patient, user, fhir_user, client, origin: issuer, mcp, keys, db, life } = self;
        let keys = SigningKeys::new(&secret(&keys, "SIGN_ES256_CURRENT")?, &[]).map_err(|error| Failure(error.0))?;
        let now = micros()? / 1_000_000;
        let wanted = SandboxToken { issuer, client, user, fhir_user, patient, scope, mcp, life };
        println!("{}", token(&database(&db)?, &keys, wanted, now)?);
        Ok(())
    }
}
