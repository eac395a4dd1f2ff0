//! `access`: changes or shows access lists. `opt-out`: changes the lists of patients who have opted out.

use std::path::PathBuf;

use auth_store::listed_patients;
use database::Statement;
use native::{Failure, access_statements, database, opt_out_statements, run, sql_text};

use super::auth_database::AuthDatabase;
use super::text_of;

#[derive(clap::Args)]
pub struct Access {
    /// The JSON file.
    #[arg(required_unless_present = "user")]
    file: Option<PathBuf>,
    /// Shows the access list of this user, instead of changing lists.
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    user: Option<String>,
    #[command(flatten)]
    database: AuthDatabase,
}

impl Access {
    pub fn run(self) -> Result<(), Failure> {
        let Self { file, user, database: target } = self;
        let (statements, lists) = match (&file, &user) {
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
        if !lists {
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
}

#[derive(clap::Args)]
pub struct OptOut {
    /// The JSON file.
    file: PathBuf,
    #[command(flatten)]
    database: AuthDatabase,
}

impl OptOut {
    pub fn run(self) -> Result<(), Failure> {
        let changes = serde_json::from_str(&text_of(&self.file)?).map_err(Failure::doing("reading the changes"))?;
        let statements = opt_out_statements(changes)?;
        match self.database.file() {
            Some(db) => run(&mut database(db)?, &statements)?,
            None => print!("{}", sql_text(&statements)?),
        }
        Ok(())
    }
}
