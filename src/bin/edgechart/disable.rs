//! `disable`, `enable`: the emergency stop of a client or a user.

use auth_store::Holder;
use native::{Failure, Switch, database};

use super::auth_database::AuthDatabase;

#[derive(clap::Args)]
pub struct Disabling {
    /// The kind. A foreign client is one of another authorization server, and need not be known here yet.
    kind: Kind,
    /// The client_id, or the username.
    name: String,
    #[command(flatten)]
    database: AuthDatabase,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    Client,
    ForeignClient,
    User,
}

impl Disabling {
    /// Refuses the client or user from now on.
    pub fn disable(self) -> Result<(), Failure> {
        self.run(false)
    }

    /// Accepts the client or user again.
    pub fn enable(self) -> Result<(), Failure> {
        self.run(true)
    }

    fn run(self, enable: bool) -> Result<(), Failure> {
        let Self { kind, name, database: target } = self;
        let holder = match kind {
            Kind::Client => Holder::Client,
            Kind::ForeignClient => Holder::ForeignClient,
            Kind::User => Holder::User,
        };
        let switch = Switch { holder, name, enable };
        match target.file() {
            Some(db) => println!("{}", switch.run(&mut database(db)?)?),
            None => print!("{}", switch.sql()?),
        }
        Ok(())
    }
}
