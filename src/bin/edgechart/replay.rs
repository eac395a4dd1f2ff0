//! `replay`: repeats jobs.

use api::KINDS;
use fhir::Span;
use job::Replay;
use native::{Failure, database, done_again, sql_text};

use super::auth_database::AuthDatabase;

#[derive(clap::Args)]
pub struct ReplayArguments {
    /// The time since which jobs are repeated, as an instant.
    #[arg(long, value_name = "INSTANT")]
    since: String,
    /// A client whose jobs are left out, in addition to disabled clients. May be repeated.
    #[arg(long, value_name = "CLIENT")]
    except: Vec<String>,
    #[command(flatten)]
    database: AuthDatabase,
}

impl ReplayArguments {
    pub fn run(self) -> Result<(), Failure> {
        let Self { since, except, database: target } = self;
        let from = Span::parse(&since).ok_or_else(|| Failure(format!("--since {since}: it is not a time")))?.from;
        let replay = Replay { since: from, except };
        match target.file() {
            Some(db) => {
                for (client, jobs) in done_again(&mut database(db)?, &replay)? {
                    println!("left out: {jobs} jobs of {client}");
                }
                println!("the other jobs since {since} are done again");
            }
            None => print!("{}", sql_text(&replay.statements(&KINDS))?),
        }
        Ok(())
    }
}
