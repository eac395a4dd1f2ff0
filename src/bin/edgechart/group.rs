//! `group`: makes a Group of the patients that a search finds.

use std::path::PathBuf;

use fhir::Id;
use ingest::DOCUMENTS;
use native::{
    Failure, Loader, NoProgress, SearchedDatabases, SqliteWriter, group, id_of_name, patients_of, private,
    stored_database,
};

use super::micros;
use super::shard_files::ShardFiles;

#[derive(clap::Args)]
pub struct Group {
    /// The name of the Group.
    name: String,
    /// A search for patients, such as Patient?gender=female, or for resources that belong to patients, such as
    /// Condition?code=http://snomed.info/sct|44054006. It is answered from the files.
    search: String,
    #[command(flatten)]
    files: ShardFiles,
    /// The id of the Group. The default is derived from the name.
    #[arg(long)]
    id: Option<String>,
    /// The identifier, in the form system|value.
    #[arg(long)]
    identifier: Option<String>,
    /// Writes the Group into this file, for a load elsewhere, instead of loading it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The FHIR base under which the data is served.
    #[arg(long, env = "FHIR_BASE", default_value = "http://localhost:8787/fhir/r4")]
    base: String,
}

impl Group {
    pub fn run(self) -> Result<(), Failure> {
        let id = match &self.id {
            Some(text) => Id::parse(text).ok_or_else(|| Failure(format!("--id {text}: it is no id")))?,
            None => {
                id_of_name(&self.name).ok_or_else(|| Failure("no id follows from the name: give --id".to_owned()))?
            }
        };
        let further = self.files.further();
        let stored = |path: &PathBuf| stored_database(path, &[]);
        let databases = SearchedDatabases {
            directory: stored(&self.files.db)?,
            primary: stored(&self.files.db)?,
            shards: further.iter().map(stored).collect::<Result<_, _>>()?,
        };
        let now = micros()?;
        let patients = patients_of(&self.search, databases, &self.base, now)?;
        let text = group(&self.name, &id, self.identifier.as_deref(), &patients);
        println!("Group/{id}: {} patients", patients.len());
        if let Some(path) = &self.out {
            return private::write(path, format!("{text}\n").as_bytes())
                .map_err(Failure::doing(format!("writing {}", path.display())));
        }
        let file = std::env::temp_dir().join(format!("edgechart-group-{}.ndjson", std::process::id()));
        private::write(&file, text.as_bytes()).map_err(Failure::doing(format!("writing {}", file.display())))?;
        let loader = Loader {
            base: self.base,
            attachments: DOCUMENTS.to_owned(),
            source_base: None,
            strict: true,
            now,
            clock: now,
            keeps_newer: false,
        };
        let writer = SqliteWriter::over(self.files.open()?);
        let loaded = writer.and_then(|writer| loader.load(std::slice::from_ref(&file), writer, &mut NoProgress));
        std::fs::remove_file(&file).map_err(Failure::doing(format!("removing {}", file.display())))?;
        println!("{}", loaded?);
        Ok(())
    }
}
