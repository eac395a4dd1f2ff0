//! The options of `load --from-bulk`.

use std::path::PathBuf;
use std::time::Duration;

use fhir::Span;
use native::{BulkExport, BulkLevel, BulkSince, ClientAccess, ClientKey, ClientProof, Failure, ServerAccess};

use super::text_of;

#[derive(clap::Args)]
pub struct Bulk {
    /// Starts an export on the server with this FHIR base, fetches the files and loads them (Bulk Data Access).
    #[arg(long, value_name = "URL", conflicts_with = "paths")]
    from_bulk: Option<String>,
    /// Whose records are exported: the records of all patients, or all records.
    #[arg(long, value_enum, default_value = "patient", requires = "from_bulk", conflicts_with = "group")]
    level: Level,
    /// Exports the records of the patients of this Group, by its id.
    #[arg(long, value_name = "ID", requires = "from_bulk")]
    group: Option<String>,
    /// The types to export, separated by commas. The default is all types that the server offers.
    #[arg(long, value_name = "TYPES", value_delimiter = ',', requires = "from_bulk")]
    types: Vec<String>,
    /// A search, Type?name=value. The resources of its type must match one of the searches. It may be repeated.
    #[arg(long, value_name = "SEARCH", requires = "from_bulk")]
    type_filter: Vec<String>,
    /// Exports what has changed since an instant, or, with `last`, since the previous export.
    #[arg(long, value_name = "INSTANT|last", requires = "from_bulk")]
    since: Option<String>,
    /// A file with the private key of the client at that server: a JWK for ES384 or RS384, or a set of keys.
    #[arg(long, value_name = "FILE", requires = "source_client")]
    source_key: Option<PathBuf>,
    /// The `client_id` at that server.
    #[arg(long, value_name = "CLIENT", requires_all = ["from_bulk", "source_key"])]
    source_client: Option<String>,
    /// The scopes to request. The default is those for reading the types.
    #[arg(long, value_name = "SCOPES", requires = "source_key")]
    scope: Option<String>,
    /// The folder for the files until they are loaded, and for the time of the last export.
    #[arg(long, value_name = "FOLDER", default_value = ".edgechart-bulk", requires = "from_bulk")]
    state: PathBuf,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Level {
    System,
    Patient,
}

impl Bulk {
    /// Returns the requested export, if there is one.
    pub fn export(&self) -> Result<Option<BulkExport>, Failure> {
        let Some(base) = &self.from_bulk else { return Ok(None) };
        let access = match &self.source_key {
            Some(file) => ServerAccess::Client(Box::new(ClientAccess {
                client: self.source_client.clone().unwrap_or_default(),
                proof: ClientProof::Key(ClientKey::parse(&text_of(file)?)?),
                scope: self.scope.clone(),
            })),
            None => ServerAccess::Open,
        };
        let since = match self.since.as_deref() {
            None => None,
            Some("last") => Some(BulkSince::Last),
            Some(text) if Span::parse(text).is_some() && text.contains('T') => {
                Some(BulkSince::Instant(text.to_owned()))
            }
            Some(text) => return Err(Failure(format!("--since {text}: it is no instant, and not `last`"))),
        };
        let level = match (&self.group, self.level) {
            (Some(id), _) => BulkLevel::Group(id.clone()),
            (None, Level::System) => BulkLevel::System,
            (None, Level::Patient) => BulkLevel::Patient,
        };
        let export = BulkExport {
            base: base.trim_end_matches('/').to_owned(),
            level,
            types: self.types.clone(),
            filters: self.type_filter.clone(),
            since,
            access,
            state: PathBuf::new(),
            second: Duration::from_secs(1),
        };
        Ok(Some(BulkExport { state: export.folder(&self.state), ..export }))
    }
}
