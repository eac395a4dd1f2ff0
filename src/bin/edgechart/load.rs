//! `load`: writes records into a database, or sends them to a server.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

use fhir::Span;
use ingest::DOCUMENTS;
use native::{ClientAccess, ClientKey, ClientProof, Failure, Loader, Sender, ServerAccess, SqliteWriter, block_store};

use super::bulk::Bulk;
use super::index::Index;
use super::progress::Bar;
use super::shard_files::ShardFiles;
use super::shelves::Shelves;
use super::{micros, text_of};

#[derive(clap::Args)]
pub struct Load {
    /// The files and folders to load.
    #[arg(required_unless_present = "from_bulk")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    bulk: Bulk,
    #[command(flatten)]
    files: Option<ShardFiles>,
    /// Sends the files to this server instead, as a client of the kind `ingest`, and waits for their jobs. A repeated
    /// command continues where an earlier one stopped.
    #[arg(long, value_name = "URL", required_unless_present = "db", requires = "client", conflicts_with_all = ["db", "strict"])]
    to: Option<String>,
    #[command(flatten)]
    credentials: Credentials,
    #[command(flatten)]
    shelves: Shelves,
    /// The folder for long documents: a bucket of local R2 (`v3/r2/` of a local state, and its name), or another folder
    /// of files for `wrangler r2 bulk put`. Without it, documents stay in their resources, which may have 2 MB.
    #[arg(long = "files", value_name = "FOLDER", conflicts_with = "to")]
    blocks: Option<PathBuf>,
    /// Stops at the first fault, and stores nothing.
    #[arg(long)]
    strict: bool,
    /// Keeps a stored resource that is newer, by meta.lastUpdated and then meta.versionId. Otherwise the last loaded
    /// version is kept. Among the loaded files, the newest version is always kept.
    #[arg(long)]
    keep_newer: bool,
    /// The FHIR base under which the data is served.
    #[arg(long, env = "FHIR_BASE", default_value = "http://localhost:8787/fhir/r4")]
    base: String,
    /// The FHIR base of the server that the records come from. Absolute references below it count as local.
    #[arg(long, value_name = "URL")]
    source_base: Option<String>,
    /// The base address of documents, which completes relative attachment addresses.
    #[arg(long, env = "ATTACHMENT_BASE_URL", default_value = DOCUMENTS)]
    attachments: String,
    #[command(flatten)]
    index: Option<Index>,
    /// The time of the load, as an instant. With the same time, a load gives the same bytes. The default is now. The
    /// time is also stored as the time of the server's changes, which exports of changes use.
    #[arg(long, value_name = "INSTANT")]
    at: Option<String>,
}

impl Load {
    /// Loads, and returns the number of faults.
    pub fn run(mut self) -> Result<usize, Failure> {
        let Some(export) = self.bulk.export()? else { return self.load() };
        let mut bar = Bar::default();
        let fetched = export.fetch(&mut bar);
        bar.end();
        let fetched = fetched?;
        println!("{fetched}");
        let faults = if fetched.resources + fetched.deletions == 0 {
            0
        } else {
            self.paths.clone_from(&fetched.files);
            // Absolute references to the exporting server count as local.
            self.source_base.get_or_insert_with(|| export.base.clone());
            self.load()?
        };
        if faults > 0 {
            println!("the files are kept in {} until the next export", export.state.display());
        }
        let errors = fetched.errors.len();
        export.finish(fetched, faults > 0)?;
        Ok(faults + errors)
    }

    /// Loads the files.
    fn load(self) -> Result<usize, Failure> {
        let now = match &self.at {
            Some(text) => Span::parse(text).ok_or_else(|| Failure(format!("--at {text}: it is not a time")))?.from,
            None => micros()?,
        };
        let Some(files) = &self.files else {
            let server = self.to.as_deref().unwrap_or_default();
            let mut bar = Bar::default();
            let sent = self.credentials.sender(server, self.source_base.clone())?.send(&self.paths, &mut bar);
            bar.end();
            let sent = sent?;
            sent.report.faults.iter().for_each(|fault| println!("{}: {}", fault.location, fault.why));
            println!("{sent}");
            return Ok(sent.report.faults.len());
        };
        let writer = match self.index {
            Some(index) => SqliteWriter::indexing(files.open()?, index.set()?)?,
            None => SqliteWriter::over(files.open()?)?,
        };
        let locked = Instant::now();
        let (strict, keeps_newer) = (self.strict, self.keep_newer);
        let source_base = self.source_base;
        let (base, attachments, clock) = (self.base, self.attachments, micros()?.max(now));
        let loader = Loader { base, attachments, source_base, strict, now, clock, keeps_newer };
        let mut bar = Bar::default();
        let blocks = self.blocks.as_deref().map(block_store).transpose()?.map(|store| Rc::new(RefCell::new(store)));
        let loaded = loader.load(&self.paths, writer, blocks.as_ref(), &mut bar);
        bar.end();
        let summary = loaded?;
        println!("{summary}");
        let seconds = locked.elapsed().as_secs_f64();
        println!(
            "a server on this file answered searches and reads; signing in was not possible there for {seconds:.1} s"
        );
        self.shelves.write(files)?;
        Ok(summary.faults.len())
    }
}

#[derive(clap::Args)]
struct Credentials {
    /// The `client_id` of the client that sends files.
    #[arg(long, requires = "to")]
    client: Option<String>,
    /// The file with the private key of the client: a JWK for ES384 or RS384, or a set of keys.
    #[arg(long, value_name = "FILE", requires = "to", conflicts_with = "secret_file")]
    key: Option<PathBuf>,
    /// The file with the secret of the client. Without it and without --key, the variable CLIENT_SECRET is used.
    #[arg(long, value_name = "FILE", requires = "to")]
    secret_file: Option<PathBuf>,
    /// Sends files again that were already sent.
    #[arg(long)]
    again: bool,
}

impl Credentials {
    fn sender(&self, server: &str, source_base: Option<String>) -> Result<Sender, Failure> {
        let proof = match (&self.key, &self.secret_file) {
            (Some(file), _) => ClientProof::Key(ClientKey::parse(&text_of(file)?)?),
            (None, Some(file)) => ClientProof::Secret(text_of(file)?.trim().to_owned()),
            (None, None) => match std::env::var("CLIENT_SECRET") {
                Ok(secret) => ClientProof::Secret(secret.trim().to_owned()),
                Err(_) => return Err(Failure("there is neither --key nor --secret-file".to_owned())),
            },
        };
        let client = self.client.clone().unwrap_or_default();
        let scope = Some("system/*.write".to_owned());
        let access = ClientAccess { client: client.clone(), proof, scope };
        Ok(Sender {
            server: server.trim_end_matches('/').to_owned(),
            client,
            access: ServerAccess::Client(Box::new(access)),
            again: self.again,
            source_base,
            second: Duration::from_secs(1),
        })
    }
}
