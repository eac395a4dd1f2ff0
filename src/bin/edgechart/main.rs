//! The native command line: loads data into a local store or sends it to a server, registers clients and users, and
//! makes keys.

#![allow(clippy::disallowed_methods, reason = "a runtime reads the clock")]

mod access;
mod audit;
mod auth_database;
mod bulk;
mod disable;
mod discard;
mod documents;
mod dump;
mod index;
mod keys;
mod load;
mod openapi;
mod progress;
mod register;
mod reindex;
mod replay;
mod shard;
mod shard_files;
mod shelves;
mod token;

use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::{Parser, Subcommand};
use fhir::Micros;
use native::Failure;

use access::{Access, OptOut};
use audit::Audit;
use disable::Disabling;
use discard::DiscardArguments;
use documents::Documents;
use dump::Dump;
use keys::Keys;
use load::Load;
use openapi::Openapi;
use register::{Registration, Sandbox};
use reindex::Reindex;
use replay::ReplayArguments;
use shard::Shard;
use token::Token;

/// The tools of a read-only FHIR R4 / US Core / SMART on FHIR API at the edge.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Loads FHIR resources: Bundles, single resources and NDJSON, each also gzip'd, or the bulk export of another
    /// server (--from-bulk). Loading twice changes nothing. Rejected resources are listed, and the other resources are
    /// loaded; the exit status is then 3.
    Load(Box<Load>),
    /// Indexes the stored records by the search parameters of this version, after some were added. Reads continue
    /// meanwhile. The command may be stopped and run again.
    Reindex(Reindex),
    /// Registers apps: a JSON list of registrations.
    Register(Registration),
    /// Registers users: a JSON list of {"username", "password", "fhirUser", "patients"}.
    User(Registration),
    /// Changes which patients registered users may see: a JSON list of {"username", "remove", "add"}. "remove" and
    /// "add" are each a list of ids of patients, or "all".
    Access(Access),
    /// Changes which patients have opted out of a purpose of exports: a JSON list of {"purpose", "remove", "add"}.
    /// "remove" and "add" are each a list of ids of patients.
    OptOut(OptOut),
    /// Registers the published clients and users of the sandbox.
    Sandbox(Sandbox),
    /// Refuses a client or a user from now on, and ends the sessions, authorizations, codes and tokens they hold.
    Disable(Disabling),
    /// Enables a client or a user again. Ended sessions, authorizations, codes and tokens are not restored.
    Enable(Disabling),
    /// Deletes all charts of a patient, of every type, because a chart cannot be read. The next load of the patient's
    /// records writes them again.
    Discard(DiscardArguments),
    /// Repeats all jobs since a time, after the records were restored to an earlier state. The cron trigger begins the
    /// jobs.
    Replay(ReplayArguments),
    /// Prints the API as OpenAPI 3.1.
    Openapi(Openapi),
    /// Makes new secrets, as lines of a .dev.vars file.
    Keys(Keys),
    /// Converts the log of a server to FHIR AuditEvents, as NDJSON.
    Audit(Audit),
    /// Distributes charts over several databases, while a server answers from them.
    Shard(Shard),
    /// Writes all stored resources as NDJSON, byte for byte, and shows their counts and digests by type.
    Dump(Dump),
    /// Lists the keys of the objects in the bucket of files that have the documents of resources, or deletes the
    /// objects that belong to no resource.
    Documents(Documents),
    /// Prints an access token for trying the API, signed with the key of a local server.
    Token(Token),
}

/// The exit status of a load that rejected some resources.
const WITH_FAULTS: u8 = 3;

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(WITH_FAULTS),
        Err(failure) => {
            eprintln!("edgechart: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a command, and returns the number of rejected resources.
fn run(command: Command) -> Result<usize, Failure> {
    match command {
        Command::Load(load) => return load.run(),
        Command::Reindex(reindex) => reindex.run(),
        Command::Register(registration) => registration.run_apps(),
        Command::User(registration) => registration.run_users(),
        Command::Access(access) => access.run(),
        Command::OptOut(opt_out) => opt_out.run(),
        Command::Sandbox(sandbox) => sandbox.run(),
        Command::Disable(disabling) => disabling.disable(),
        Command::Enable(disabling) => disabling.enable(),
        Command::Discard(discarding) => discarding.run(),
        Command::Replay(replaying) => replaying.run(),
        Command::Openapi(openapi) => openapi.run(),
        Command::Keys(keys) => keys.run(),
        Command::Audit(audit) => audit.run(),
        Command::Shard(shard) => shard.run(),
        Command::Documents(documents) => documents.run(),
        Command::Dump(dump) => dump.run(),
        Command::Token(token) => token.run(),
    }?;
    Ok(0)
}

/// Returns the current time, in microseconds since 1970-01-01T00:00:00Z.
fn micros() -> Result<Micros, Failure> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_err(Failure::doing("reading the clock"))?;
    Micros::try_from(now.as_micros()).map_err(Failure::doing("reading the clock"))
}

/// Returns the text of a file.
fn text_of(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(Failure::doing(format!("reading {}", file.display())))
}
