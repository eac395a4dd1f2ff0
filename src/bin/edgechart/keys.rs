//! `keys`: makes and rotates secrets.

use std::path::PathBuf;

use native::{Failure, Rotation, Use, bulk, new_secrets, rotated, write_secrets};

use super::micros;

#[derive(clap::Args)]
pub struct Keys {
    /// Adds missing secrets to this file, instead of printing all. Existing secrets are kept.
    #[arg(long)]
    into: Option<PathBuf>,
    /// Makes secrets for a production server, which refuses the secrets of a sandbox.
    #[arg(long)]
    production: bool,
    /// Does a step of the rotation of the signing keys in the file.
    #[arg(long, value_name = "STEP", requires = "into")]
    rotate: Option<Step>,
    /// Prints the secrets of the file as JSON, for `wrangler secret bulk`. After a step of a rotation, prints only the
    /// signing keys.
    #[arg(long, requires = "into")]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Step {
    /// Makes the next keys, which do not sign yet.
    Next,
    /// Lets the next keys sign, five minutes later. The previous keys are still accepted.
    Swap,
    /// Removes the previous keys when their last token has expired: an hour later.
    End,
}

impl Keys {
    pub fn run(self) -> Result<(), Failure> {
        let Self { into, production, rotate, json } = self;
        let usage = if production { Use::Production } else { Use::Sandbox };
        let Some(file) = into else {
            print!("{}", new_secrets(usage, "")?);
            return Ok(());
        };
        let known = match std::fs::read_to_string(&file) {
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
            write_secrets(&file, &text)?;
        }
        if json {
            println!("{}", bulk(&text, rotate.is_some())?);
        }
        Ok(())
    }
}
