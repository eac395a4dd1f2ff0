//! The native command line: loads data into a local store or writes it as SQL for a remote one, registers clients and
//! users, and makes keys.

#![allow(clippy::disallowed_methods, reason = "a runtime reads the clock")]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use clap::{Parser, Subcommand};
use edgechart::api::network_hash;
use edgechart::auth_store::{Holder, listed_patients};
use edgechart::fhir::{Id, Micros, Span};
use edgechart::ingest::DOCUMENTS;
use edgechart::ingest::job::Replay;
use edgechart::native::{
    Discarded, Failure, Loader, LogLines, Progress, Registrations, Reindexed, Rotation, SandboxToken,
    Sender, ShardStatus, SqlFiles, Switch, Use, Writer, access_statements, attach_auth, audit_events, bulk, database,
    delete_moved, done_again, dump, explain, move_buckets, new_secrets, private, register, registration_statements,
    reindex, rotated, run, sandbox_registrations, secret, shard_status, sharded_database, shelve, sql_text,
    stored_database, token, value_store, write_secrets,
};
use edgechart::oauth::{Pepper, SigningKeys};
use edgechart::store::Statement;
use edgechart::store::names::BUCKETS;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rusqlite::Connection;

/// A read-only FHIR R4 / US Core / SMART on FHIR API at the edge: its tools.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Loads FHIR resources: Bundles, single resources and NDJSON, each also gzip'd. Loading twice changes nothing.
    /// Rejected resources are listed, and the rest is loaded; then the exit status is 3.
    Load(Load),
    /// Indexes the stored records by the search parameters of this version, after some were added. Reads go on
    /// meanwhile. It may be stopped and run again.
    Reindex(Reindex),
    /// Registers apps: a JSON list of registrations.
    Register(Registration),
    /// Registers users: a JSON list of {"username", "password", "fhirUser", "patients"}.
    User(Registration),
    /// Changes whom registered users may see: a JSON list of {"username", "remove", "add"}, each of these two a list of
    /// ids of patients, or "all".
    Access(Access),
    /// Registers the published clients and users of the sandbox.
    Sandbox {
        /// The address of the server, which is part of the addresses of its own app.
        #[arg(long, env = "ORIGIN", default_value = "http://localhost:8787")]
        origin: String,
        /// The SQLite file.
        #[arg(long)]
        db: PathBuf,
        /// The file with the secrets, for passwords.
        #[arg(long, default_value = ".dev.vars")]
        keys: PathBuf,
    },
    /// Refuses a client or a user from now on, and ends what they hold: sessions, authorizations, codes and tokens.
    Disable(Disabling),
    /// Enables a client or a user again. What was ended stays ended.
    Enable(Disabling),
    /// Deletes all charts of a patient, of every type, because one cannot be read. The next load of the patient's
    /// records writes them anew.
    Discard(Discarding),
    /// Has all jobs since a time done again, after the records were restored to an earlier one. The cron trigger begins
    /// them.
    Replay {
        /// The time, as an instant.
        #[arg(long, value_name = "INSTANT")]
        since: String,
        /// A client whose jobs are left out, as those of disabled clients are. May be repeated.
        #[arg(long, value_name = "CLIENT")]
        except: Vec<String>,
        #[command(flatten)]
        database: AuthDatabase,
    },
    /// Explains a search and the conditions that the scopes add, and prints its statement for D1.
    Explain {
        /// The search: Observation?patient=…
        search: String,
        /// The scopes of the token.
        #[arg(long, default_value = "system/*.read")]
        scope: String,
        /// The patient in context.
        #[arg(long)]
        patient: Option<String>,
        /// The address of the FHIR base.
        #[arg(long, env = "FHIR_BASE", default_value = "http://localhost:8787/fhir/r4")]
        base: String,
        /// Prints all statements as JSON, and nothing else.
        #[arg(long)]
        sql: bool,
    },
    /// Prints the API as OpenAPI 3.1.
    Openapi {
        /// Leaves out the authorization server, for edge-only mode.
        #[arg(long)]
        edge_only: bool,
    },
    /// Makes new secrets, as lines of a .dev.vars file.
    Keys(Keys),
    /// Converts the log of a server to FHIR AuditEvents, as NDJSON.
    Audit(Audit),
    /// Distributes charts over several databases, while a server answers from them.
    Shard {
        #[command(subcommand)]
        action: ShardAction,
    },
    /// Writes all stored resources as NDJSON, byte for byte, and shows their counts and digests by type. It also reads
    /// databases of before charts, so that they can be loaded again.
    Dump {
        #[command(flatten)]
        files: ShardFiles,
        /// The file to write. With -, standard output.
        #[arg(long, value_name = "FILE", default_value = "-")]
        out: PathBuf,
    },
    /// Prints an access token for trying things out, signed with the key of a local server.
    Token(Token),
}

#[derive(clap::Args)]
struct Registration {
    /// The JSON file.
    file: PathBuf,
    #[command(flatten)]
    database: AuthDatabase,
    /// The file with the secrets of the server, for passwords.
    #[arg(long, default_value = ".dev.vars")]
    keys: PathBuf,
}

#[derive(clap::Args)]
struct Access {
    /// The JSON file.
    #[arg(required_unless_present = "user")]
    file: Option<PathBuf>,
    /// Shows the access list of this user instead.
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    user: Option<String>,
    #[command(flatten)]
    database: AuthDatabase,
}

#[derive(clap::Args)]
struct Discarding {
    /// The id of the patient.
    #[arg(required_unless_present = "compartment")]
    patient: Option<String>,
    /// The number of the compartment instead, as the error of a load names it.
    #[arg(long, value_name = "NUMBER", conflicts_with = "patient")]
    compartment: Option<i64>,
    /// The SQLite file of the records. Without it the statements are printed, for each database elsewhere that has
    /// charts.
    #[arg(long)]
    db: Option<PathBuf>,
}

/// The database of the authorization server: a file, or one elsewhere.
#[derive(clap::Args)]
struct AuthDatabase {
    /// The SQLite file.
    #[arg(long, required_unless_present = "sql")]
    db: Option<PathBuf>,
    /// Prints the statements instead of running them, for a database elsewhere.
    #[arg(long)]
    sql: bool,
}

impl AuthDatabase {
    /// The file to change, or `None` if the statements are to be printed.
    fn file(&self) -> Option<&Path> {
        self.db.as_deref().filter(|_| !self.sql)
    }
}

#[derive(clap::Args)]
struct Disabling {
    /// The kind: client or user.
    kind: Kind,
    /// The client_id, or the username.
    name: String,
    #[command(flatten)]
    database: AuthDatabase,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    Client,
    User,
}

#[derive(clap::Args)]
struct Keys {
    /// Adds missing secrets to this file, instead of printing all. Existing ones stay.
    #[arg(long)]
    into: Option<PathBuf>,
    /// Makes secrets for a production server, which refuses those of a sandbox.
    #[arg(long)]
    production: bool,
    /// Does a step of the rotation of the signing keys in the file.
    #[arg(long, value_name = "STEP", requires = "into")]
    rotate: Option<Step>,
    /// Prints the secrets of the file as JSON, for `wrangler secret bulk`. After a step of a rotation, the signing keys
    /// alone.
    #[arg(long, requires = "into")]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Step {
    /// Makes the next keys, which do not sign yet.
    Next,
    /// Lets the next keys sign, five minutes later. Those of before are still accepted.
    Swap,
    /// Forgets the keys of before, when their last token has ended: an hour later.
    End,
}

#[derive(clap::Args)]
struct Audit {
    /// The log: lines of JSON, also in the form of `wrangler tail --format json`. With -, standard input.
    #[arg(required_unless_present = "network")]
    log: Option<PathBuf>,
    /// The address of the server, for the events.
    #[arg(long, env = "ORIGIN", default_value = "http://localhost:8787")]
    origin: String,
    /// Prints instead the name of this address's network in the log.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "log")]
    network: Option<String>,
    /// The file with the secrets. The pepper in it is the key of network names.
    #[arg(long, default_value = ".dev.vars")]
    keys: PathBuf,
}

#[derive(clap::Args)]
struct Token {
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

#[derive(Subcommand)]
enum ShardAction {
    /// Shows the buckets, compartments and bytes of each shard.
    Status(ShardFiles),
    /// Gives an equal share of all buckets to the last of the shards, which is new.
    Add {
        #[command(flatten)]
        shards: ShardFiles,
        #[command(flatten)]
        moving: Moving,
    },
    /// Moves buckets to a shard. With no buckets it finishes a move that was interrupted.
    Move {
        #[command(flatten)]
        shards: ShardFiles,
        /// The buckets, as numbers or ranges: 0-1023 or 7,9. There are 4,096.
        #[arg(long, default_value = "", value_parser = parse_buckets)]
        buckets: Buckets,
        /// The number of the shard to move them to. The database of the directory is shard 0.
        #[arg(long)]
        to: usize,
        #[command(flatten)]
        moving: Moving,
    },
}

/// Numbers of buckets, in order.
#[derive(Clone)]
struct Buckets(Vec<u32>);

#[derive(clap::Args)]
struct ShardFiles {
    /// The SQLite file of the directory, which is shard 0.
    #[arg(long)]
    db: PathBuf,
    /// The SQLite file of the authorization server, if it is another one.
    #[arg(long, value_name = "FILE", env = "AUTH_DB_FILE")]
    auth_db: Option<PathBuf>,
    /// The SQLite files of shards 1, 2 and so on, in this order. They are created if they are missing. Without this
    /// option, those in the variable SHARDS, separated by colons.
    #[arg(long = "shard", value_name = "FILE")]
    shards: Vec<PathBuf>,
}

impl ShardFiles {
    /// The files of the further shards.
    fn further(&self) -> Vec<PathBuf> {
        if !self.shards.is_empty() {
            return self.shards.clone();
        }
        let named = std::env::var_os("SHARDS").unwrap_or_default();
        std::env::split_paths(&named).filter(|file| !file.as_os_str().is_empty()).collect()
    }

    /// Opens all files as one database. Missing files and tables are created.
    fn open(&self) -> Result<Connection, Failure> {
        let database = sharded_database(&self.db, &self.further())?;
        if let Some(auth) = &self.auth_db {
            attach_auth(&database, &self.db, auth)?;
        }
        Ok(database)
    }
}

#[derive(clap::Args)]
struct Moving {
    /// The seconds between the entry into the map and the deletion from the old shards. Servers learn of a new map
    /// within five seconds.
    #[arg(long, default_value_t = 15)]
    wait: u64,
    /// The files are below `1-move`, and below `2-delete` those that must be run after the wait.
    #[command(flatten)]
    mirror: Mirror,
}

/// Files of SQL for a deployment.
#[derive(clap::Args)]
struct Mirror {
    /// Writes every change as SQL files into this folder too, for remote D1 databases of which these ones are the
    /// mirror. Those for shard 1 are in its subfolder SHARD_1.
    #[arg(long, value_name = "FOLDER", requires = "jobs")]
    sql: Option<PathBuf>,
    /// The number of jobs of the deployment whose records the mirror lacks: the rows of its table `job`. If there are
    /// any, nothing is done.
    #[arg(long, value_name = "N", requires = "sql")]
    jobs: Option<u64>,
}

impl Mirror {
    /// The SQL files, if they are wanted, in the folder or in one inside it.
    fn journal(&self, inside: &str) -> Result<Option<SqlFiles>, Failure> {
        let Some((sql, jobs)) = self.sql.as_ref().zip(self.jobs) else { return Ok(None) };
        SqlFiles::of_mirror(&sql.join(inside), jobs).map(Some)
    }
}

#[derive(clap::Args)]
struct Load {
    /// The files and folders to load.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    files: Option<ShardFiles>,
    /// Sends the files to this server instead, as a client of the kind `ingest`, and waits for their jobs. The same
    /// command again goes on where an earlier one has stopped.
    #[arg(long, value_name = "URL", required_unless_present = "db", requires = "client", conflicts_with_all = ["db", "strict"])]
    to: Option<String>,
    #[command(flatten)]
    credentials: Credentials,
    #[command(flatten)]
    outputs: Outputs,
    /// Ends at the first fault, with nothing stored.
    #[arg(long)]
    strict: bool,
    /// Keeps a newer form of a resource that is stored, by meta.lastUpdated and then meta.versionId. Otherwise what is
    /// loaded last counts. In the files themselves the newest form always counts.
    #[arg(long)]
    keep_newer: bool,
    /// The address of the FHIR base that the data is served under.
    #[arg(long, env = "FHIR_BASE", default_value = "http://localhost:8787/fhir/r4")]
    base: String,
    /// The FHIR base of the server that the records come from. Absolute references below it are those of this server.
    #[arg(long, value_name = "URL")]
    source_base: Option<String>,
    /// The base address of documents, with which relative attachment addresses are completed.
    #[arg(long, env = "ATTACHMENT_BASE_URL", default_value = DOCUMENTS)]
    attachments: String,
    /// The time of the load, as an instant. With the same time, a load gives the same bytes. The default is now.
    #[arg(long, value_name = "INSTANT")]
    at: Option<String>,
}

#[derive(clap::Args)]
struct Credentials {
    /// The `client_id` of the client that sends files.
    #[arg(long)]
    client: Option<String>,
    /// The file with its secret. Without it, the variable CLIENT_SECRET.
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    /// Sends files again that were sent before.
    #[arg(long)]
    again: bool,
}

impl Credentials {
    fn sender(&self, server: &str, source_base: Option<String>) -> Result<Sender, Failure> {
        let secret = match &self.secret_file {
            Some(file) => {
                std::fs::read_to_string(file).map_err(Failure::doing(format!("reading {}", file.display())))?
            }
            None => std::env::var("CLIENT_SECRET").map_err(|_| Failure("there is no --secret-file".to_owned()))?,
        };
        Ok(Sender {
            server: server.trim_end_matches('/').to_owned(),
            client: self.client.clone().unwrap_or_default(),
            secret: secret.trim().to_owned(),
            again: self.again,
            source_base,
        })
    }
}

#[derive(clap::Args)]
struct Reindex {
    #[command(flatten)]
    files: ShardFiles,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(clap::Args)]
struct Outputs {
    #[command(flatten)]
    mirror: Mirror,
    /// Writes the shelves of all stored resources afterwards: into local KV (the folder v3/kv of a local state), or as
    /// files for `wrangler kv bulk put` and `wrangler kv bulk delete` into another folder.
    #[arg(long)]
    kv: Option<PathBuf>,
}

impl Outputs {
    /// Writes the shelves, ends the SQL files, and prints what was written.
    fn write(&self, files: &ShardFiles, journal: Option<SqlFiles>) -> Result<(), Failure> {
        if let Some(path) = &self.kv {
            let mut bar = Bar::default();
            let mut values = value_store(path)?;
            let shelved = shelve(&files.open()?, values.as_mut(), &mut bar);
            bar.end();
            shelved?;
            println!("{}", values.finish()?);
        }
        for file in journal.map(SqlFiles::finish).transpose()?.into_iter().flatten() {
            println!("{}", file.display());
        }
        Ok(())
    }
}

/// The exit status of a load that rejected some resources.
const WITH_FAULTS: u8 = 3;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Load(load) => match run_load(load) {
            Ok(0) => Ok(()),
            Ok(_) => return ExitCode::from(WITH_FAULTS),
            Err(failure) => Err(failure),
        },
        Command::Replay { since, except, database } => run_replay(&since, except, &database),
        Command::Reindex(reindex) => run_reindex(&reindex),
        Command::Register(registration) => run_register(&registration, |text| {
            Ok(Registrations { clients: serde_json::from_str(text)?, users: Vec::new() })
        }),
        Command::User(registration) => run_register(&registration, |text| {
            Ok(Registrations { clients: Vec::new(), users: serde_json::from_str(text)? })
        }),
        Command::Access(access) => run_access(access),
        Command::Sandbox { origin, db, keys } => registered(Some(&db), &keys, sandbox_registrations(&origin)),
        Command::Disable(stop) => run_stop(stop, false),
        Command::Enable(stop) => run_stop(stop, true),
        Command::Discard(discarding) => run_discard(discarding),
        Command::Explain { search, scope, patient, base, sql } => {
            run_explain(&search, &scope, patient.as_deref(), &base, sql)
        }
        Command::Openapi { edge_only } => {
            println!("{}", edgechart::api::openapi(edge_only));
            Ok(())
        }
        Command::Keys(keys) => run_keys(&keys),
        Command::Audit(audit) => run_audit(&audit),
        Command::Shard { action } => run_shard(action),
        Command::Dump { files, out } => run_dump(&files, &out),
        Command::Token(token) => run_token(token),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("edgechart: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Loads, and returns the number of faults.
fn run_load(load: Load) -> Result<usize, Failure> {
    let now = match &load.at {
        Some(text) => Span::parse(text).ok_or_else(|| Failure(format!("--at {text}: it is not a time")))?.from,
        None => micros()?,
    };
    let Some(files) = &load.files else {
        let server = load.to.as_deref().unwrap_or_default();
        let mut bar = Bar::default();
        let sent = load.credentials.sender(server, load.source_base.clone())?.send(&load.paths, &mut bar);
        bar.end();
        let sent = sent?;
        sent.report.faults.iter().for_each(|fault| println!("{}: {}", fault.location, fault.why));
        println!("{sent}");
        return Ok(sent.report.faults.len());
    };
    let journal = load.outputs.mirror.journal("")?;
    let writer = Writer::over(files.open()?, journal)?;
    let locked = Instant::now();
    let (strict, keeps_newer) = (load.strict, load.keep_newer);
    let source_base = load.source_base;
    let (base, attachments, clock) = (load.base, load.attachments, micros()?.max(now));
    let loader = Loader { base, attachments, source_base, strict, now, clock, keeps_newer };
    let mut bar = Bar::default();
    let loaded = loader.load(&load.paths, writer, &mut bar);
    bar.end();
    let (summary, journal) = loaded?;
    println!("{summary}");
    let seconds = locked.elapsed().as_secs_f64();
    println!("a server on this file answered searches and reads; signing in was not possible there for {seconds:.1} s");
    load.outputs.write(files, journal)?;
    Ok(summary.faults.len())
}

fn run_reindex(Reindex { files, outputs }: &Reindex) -> Result<(), Failure> {
    let (Reindexed { charts, resources }, journal) = reindex(files.open()?, outputs.mirror.journal("")?)?;
    println!("{charts} charts and the rows of {resources} resources were indexed again");
    outputs.write(files, journal)
}

/// The current time, in microseconds since 1970-01-01T00:00:00Z.
fn micros() -> Result<Micros, Failure> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_err(Failure::doing("reading the clock"))?;
    Micros::try_from(now.as_micros()).map_err(Failure::doing("reading the clock"))
}

type Parse = fn(&str) -> serde_json::Result<Registrations>;

fn run_register(registration: &Registration, parse: Parse) -> Result<(), Failure> {
    registered(registration.database.file(), &registration.keys, parse(&text_of(&registration.file)?))
}

fn text_of(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(Failure::doing(format!("reading {}", file.display())))
}

/// Registers in a database file. Without one it prints the statements.
fn registered(db: Option<&Path>, keys: &Path, registrations: serde_json::Result<Registrations>) -> Result<(), Failure> {
    let registrations = registrations.map_err(Failure::doing("reading the registrations"))?;
    let pepper = || Ok(Pepper::new(secret(keys, "PEPPER")?.as_bytes()));
    match db {
        Some(db) => println!("{} registered", register(&mut database(db)?, registrations, &pepper)?),
        None => print!("{}", sql_text(&registration_statements(registrations, &pepper)?)?),
    }
    Ok(())
}

fn run_access(Access { file, user, database: target }: Access) -> Result<(), Failure> {
    let (statements, shown) = match (&file, &user) {
        (Some(file), _) => {
            let changes = serde_json::from_str(&text_of(file)?).map_err(Failure::doing("reading the changes"))?;
            (access_statements(changes)?, false)
        }
        (None, user) => (vec![listed_patients(user.as_deref().unwrap_or_default())], true),
    };
    let Some(db) = target.file() else {
        print!("{}", sql_text(&statements)?);
        return Ok(());
    };
    let mut database = database(db)?;
    if !shown {
        return run(&mut database, &statements);
    }
    let user = user.unwrap_or_default();
    let known = "SELECT EXISTS (SELECT 1 FROM users WHERE name = ?1)";
    if !database.query_row(known, [&user], |row| row.get::<_, bool>(0))? {
        return Err(Failure(format!("there is no user {user:?}")));
    }
    for Statement { text, binds } in statements {
        let mut statement = database.prepare(&text)?;
        let mut rows = statement.query(rusqlite::params_from_iter(binds))?;
        while let Some(row) = rows.next()? {
            println!("{}", row.get::<_, String>(0)?);
        }
    }
    Ok(())
}

fn run_stop(Disabling { kind, name, database: target }: Disabling, enable: bool) -> Result<(), Failure> {
    let holder = match kind {
        Kind::Client => Holder::Client,
        Kind::User => Holder::User,
    };
    let switch = Switch { holder, name, enable };
    match target.file() {
        Some(db) => println!("{}", switch.run(&mut database(db)?)?),
        None => print!("{}", switch.sql()?),
    }
    Ok(())
}

fn run_discard(Discarding { patient, compartment, db }: Discarding) -> Result<(), Failure> {
    let discarded = match (patient, compartment) {
        (Some(patient), _) => match Id::parse(&patient) {
            Some(patient) => Discarded::Patient(patient),
            None => return Err(Failure(format!("{patient:?} is not the id of a patient"))),
        },
        (None, compartment) => Discarded::Compartment(compartment.unwrap_or_default()),
    };
    match db {
        Some(db) if !db.exists() => return Err(Failure(format!("there is no file {}", db.display()))),
        Some(db) => println!("{} rows are deleted", discarded.run(&mut database(&db)?)?),
        None => print!("{}", sql_text(&discarded.statements())?),
    }
    Ok(())
}

fn run_replay(since: &str, except: Vec<String>, target: &AuthDatabase) -> Result<(), Failure> {
    let from = Span::parse(since).ok_or_else(|| Failure(format!("--since {since}: it is not a time")))?.from;
    let replay = Replay { since: from, except };
    match target.file() {
        Some(db) => {
            for (client, jobs) in done_again(&mut database(db)?, &replay)? {
                println!("left out: {jobs} jobs of {client}");
            }
            println!("the other jobs since {since} are done again");
        }
        None => print!("{}", sql_text(&replay.statements())?),
    }
    Ok(())
}

fn run_explain(search: &str, scope: &str, patient: Option<&str>, base: &str, sql: bool) -> Result<(), Failure> {
    let explained = explain(search, scope, patient, base)?;
    if let Some(refused) = &explained.refused {
        return Err(Failure(format!("it is refused: {refused:#}")));
    }
    if sql {
        let all: Vec<_> = explained.statements().collect();
        println!("{}", serde_json::to_string(&all).map_err(Failure::doing("writing the statements"))?);
        return Ok(());
    }
    println!("{}", explained.kind);
    for condition in &explained.criteria {
        println!("  {}{}", condition.says, if condition.added { "   (the scopes say so)" } else { "" });
    }
    if !explained.order.is_empty() {
        println!("  {}", explained.order);
    }
    for include in &explained.includes {
        println!("  with {}{}", include.says, if include.left_out { "   (left out: no scope opens it)" } else { "" });
    }
    for Statement { text, binds } in explained.statements() {
        println!("\n{text}\n{binds:?}");
    }
    Ok(())
}

fn run_keys(Keys { into, production, rotate, json }: &Keys) -> Result<(), Failure> {
    let usage = if *production { Use::Production } else { Use::Sandbox };
    let Some(file) = into else {
        print!("{}", new_secrets(usage, "")?);
        return Ok(());
    };
    let known = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure(format!("reading {}: {error}", file.display()))),
    };
    let text = match rotate {
        Some(step) => {
            let step = match step {
                Step::Next => Rotation::Next,
                Step::Swap => Rotation::Swap,
                Step::End => Rotation::End,
            };
            rotated(step, usage, &known, micros()? / 1_000_000)?
        }
        None => {
            let new = new_secrets(usage, &known)?;
            for line in new.lines() {
                eprintln!("made {} in {}", line.split('=').next().unwrap_or_default(), file.display());
            }
            let gap = if known.is_empty() || known.ends_with('\n') { "" } else { "\n" };
            if new.is_empty() { known.clone() } else { format!("{known}{gap}{new}") }
        }
    };
    if text != known {
        write_secrets(file, &text)?;
    }
    if *json {
        println!("{}", bulk(&text, rotate.is_some())?);
    }
    Ok(())
}

fn run_audit(Audit { log, origin, network: address, keys }: &Audit) -> Result<(), Failure> {
    if let Some(address) = address {
        let pepper = Pepper::new(secret(keys, "PEPPER")?.as_bytes());
        println!("{}", network_hash(&pepper, address).unwrap_or_default());
        return Ok(());
    }
    let log = log.as_deref().unwrap_or_else(|| Path::new("-"));
    let reading = || format!("reading {}", log.display());
    let input: Box<dyn Read> = if log == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(log).map_err(Failure::doing(reading()))?)
    };
    let mut out = std::io::stdout().lock();
    let mut lines = LogLines::default();
    for line in BufReader::new(input).lines() {
        let Some(line) = lines.push(&line.map_err(Failure::doing(reading()))?) else { continue };
        for event in audit_events(&line, origin) {
            match writeln!(out, "{event}") {
                Ok(()) => {}
                // The reader of the output has closed it.
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
                Err(error) => return Err(Failure(format!("writing the events: {error}"))),
            }
        }
    }
    Ok(())
}

/// Reads numbers and ranges of buckets.
fn parse_buckets(text: &str) -> Result<Buckets, String> {
    let mut buckets = BTreeSet::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (first.parse::<u32>(), last.parse::<u32>()) {
            (Ok(first), Ok(last)) if first <= last && last < BUCKETS => buckets.extend(first..=last),
            _ => return Err(format!("{part} is no bucket or range of buckets from 0 to {}", BUCKETS - 1)),
        }
    }
    Ok(Buckets(buckets.into_iter().collect()))
}

fn run_shard(action: ShardAction) -> Result<(), Failure> {
    let (shards, moving, wanted) = match action {
        ShardAction::Status(shards) => (shards, None, None),
        ShardAction::Add { shards, moving } => (shards, Some(moving), None),
        ShardAction::Move { shards, buckets, to, moving } => (shards, Some(moving), Some((buckets.0, to))),
    };
    let mut database = shards.open()?;
    let Some(Moving { wait, mirror }) = moving else { return print_shards(&database) };
    let (buckets, to) = match wanted {
        Some(wanted) => wanted,
        None => {
            let (map, status) = shard_status(&database)?;
            let to = status.len() - 1;
            if to == 0 || status.last().is_some_and(|last| last.buckets > 0) {
                return Err(Failure(
                    "the last shard must be a new one, without buckets: give its file last".to_owned(),
                ));
            }
            (map.share_of_new(to), to)
        }
    };
    let mut files = Vec::new();
    let mut moved = mirror.journal("1-move")?;
    let count = move_buckets(&mut database, &buckets, to, moved.as_mut())?;
    files.extend(moved.map(SqlFiles::finish).transpose()?.into_iter().flatten());
    println!("{count} buckets are in shard {to}; waiting {wait} s for servers that use the map of before");
    std::thread::sleep(Duration::from_secs(wait));
    let mut deleted = mirror.journal("2-delete")?;
    let count = delete_moved(&mut database, deleted.as_mut())?;
    files.extend(deleted.map(SqlFiles::finish).transpose()?.into_iter().flatten());
    println!("{count} buckets are deleted where they were");
    files.iter().for_each(|file| println!("{}", file.display()));
    print_shards(&database)
}

fn print_shards(database: &Connection) -> Result<(), Failure> {
    let (map, all) = shard_status(database)?;
    println!("{:>5}{:>9}{:>14}{:>12}{:>16}", "shard", "buckets", "compartments", "rows", "bytes");
    for (shard, status) in all.iter().enumerate() {
        let ShardStatus { buckets, compartments, rows, bytes, others } = status;
        println!("{shard:>5}{buckets:>9}{compartments:>14}{rows:>12}{bytes:>16}");
        if !others.is_empty() {
            println!("      and copies of {} buckets of other shards: an interrupted move", others.len());
        }
    }
    let ranges: Vec<_> = map.ranges().iter().map(|(first, shard)| format!("from {first}: {shard}")).collect();
    println!("map: {}", ranges.join(", "));
    Ok(())
}

fn run_dump(files: &ShardFiles, out: &Path) -> Result<(), Failure> {
    let database = stored_database(&files.db, &files.further())?;
    let mut output = BufWriter::new(output(out)?);
    let contents = dump(&database, &mut output)?;
    output.flush().map_err(Failure::doing("writing resources"))?;
    eprintln!("{contents}");
    Ok(())
}

/// The file with that name, or with - the standard output.
fn output(path: &Path) -> Result<Box<dyn Write>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdout().lock()));
    }
    let file = private::create(path).map_err(Failure::doing(format!("writing {}", path.display())))?;
    Ok(Box::new(file))
}

fn run_token(wanted: Token) -> Result<(), Failure> {
    let keys = SigningKeys::new(&secret(&wanted.keys, "SIGN_ES256_CURRENT")?, &[]).map_err(|error| Failure(error.0))?;
    let now = micros()? / 1_000_000;
    let connection = database(&wanted.db)?;
    let Token { scope, patient, user, fhir_user, client, origin: issuer, life, .. } = wanted;
    let wanted = SandboxToken { issuer, client, user, fhir_user, patient, scope, life };
    println!("{}", token(&connection, &keys, wanted, now)?);
    Ok(())
}

/// A progress bar on a terminal; elsewhere a line for each part of the work.
#[derive(Default)]
struct Bar(Option<ProgressBar>);

impl Bar {
    fn end(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn begin(&mut self, what: &str, bytes: u64) {
        self.end();
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{msg:>8} {wide_bar} {bytes}/{total_bytes}, {eta} left");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        if bar.is_hidden() {
            eprintln!("{what} {:.1} MB", bytes as f64 / 1e6);
        }
        self.0 = Some(bar);
    }

    fn at(&mut self, bytes: u64) {
        if let Some(bar) = &self.0 {
            bar.set_position(bytes);
        }
    }

    fn say(&mut self, line: &str) {
        match &self.0 {
            Some(bar) if !bar.is_hidden() => bar.println(line),
            Some(_) | None => eprintln!("{line}"),
        }
    }
}
