//! `discard`: deletes the charts of a patient.

use std::path::PathBuf;

use fhir::Id;
use native::{DiscardTarget, Failure, database, sql_text};

#[derive(clap::Args)]
pub struct DiscardArguments {
    /// The id of the patient.
    #[arg(required_unless_present = "compartment")]
    patient: Option<String>,
    /// The number of the compartment, as in the error of a load, instead of a patient.
    #[arg(long, value_name = "NUMBER", conflicts_with = "patient")]
    compartment: Option<i64>,
    /// The SQLite file of the records. Without it the statements are printed, for each remote database that has charts.
    #[arg(long)]
    db: Option<PathBuf>,
}

impl DiscardArguments {
    pub fn run(self) -> Result<(), Failure> {
        let Self { patient, compartment, db } = self;
        let discarded = match (patient, compartment) {
            (Some(patient), _) => match Id::parse(&patient) {
                Some(patient) => DiscardTarget::Patient(patient),
                None => return Err(Failure(format!("{patient:?} is not the id of a patient"))),
            },
            (None, compartment) => DiscardTarget::Compartment(compartment.unwrap_or_default()),
        };
        match db {
            Some(db) if !db.exists() => return Err(Failure(format!("there is no file {}", db.display()))),
            Some(db) => println!("{} rows are deleted", discarded.run(&mut database(&db)?)?),
            None => print!("{}", sql_text(&discarded.statements())?),
        }
        Ok(())
    }
}
