//! `register`, `user`, `sandbox`: registers apps and users.

use std::path::{Path, PathBuf};

use native::{
    Failure, Registrations, database, register, registration_statements, sandbox_registrations, secret, sql_text,
};
use oauth::Pepper;

use super::auth_database::AuthDatabase;
use super::text_of;

#[derive(clap::Args)]
pub struct Registration {
    /// The JSON file.
    file: PathBuf,
    #[command(flatten)]
    database: AuthDatabase,
    /// The file with the secrets of the server, for passwords.
    #[arg(long, default_value = ".dev.vars")]
    keys: PathBuf,
}

impl Registration {
    /// Registers apps.
    pub fn run_apps(self) -> Result<(), Failure> {
        self.run(|text| Ok(Registrations { clients: serde_json::from_str(text)?, users: Vec::new() }))
    }

    /// Registers users.
    pub fn run_users(self) -> Result<(), Failure> {
        self.run(|text| Ok(Registrations { clients: Vec::new(), users: serde_json::from_str(text)? }))
    }

    fn run(self, parse: fn(&str) -> serde_json::Result<Registrations>) -> Result<(), Failure> {
        register_or_print(self.database.file(), &self.keys, parse(&text_of(&self.file)?))
    }
}

#[derive(clap::Args)]
pub struct Sandbox {
    /// The address of the server, which is part of the addresses of the server's own app.
    #[arg(long, env = "ORIGIN", default_value = "http://localhost:8787")]
    origin: String,
    /// The SQLite file.
    #[arg(long)]
    db: PathBuf,
    /// The file with the secrets, for passwords.
    #[arg(long, default_value = ".dev.vars")]
    keys: PathBuf,
}

impl Sandbox {
    pub fn run(self) -> Result<(), Failure> {
        register_or_print(Some(&self.db), &self.keys, sandbox_registrations(&self.origin))
    }
}

/// Registers in a database file. Without a file, prints the statements.
fn register_or_print(
    db: Option<&Path>,
    keys: &Path,
    registrations: serde_json::Result<Registrations>,
) -> Result<(), Failure> {
    let registrations = registrations.map_err(Failure::doing("reading the registrations"))?;
    let pepper = || Ok(Pepper::new(secret(keys, "PEPPER")?.as_bytes()));
    match db {
        Some(db) => println!("{} registered", register(&mut database(db)?, registrations, &pepper)?),
        None => print!("{}", sql_text(&registration_statements(registrations, &pepper)?)?),
    }
    Ok(())
}
