//! `audit`: converts logs to FHIR, and counts the use of the Patient Access API in them.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use api::network_hash;
use native::{Failure, LogLines, Usage, audit_events, secret};
use oauth::Pepper;

#[derive(clap::Args)]
pub struct Audit {
    /// The log: lines of JSON, or the output of `wrangler tail --format json`. - means standard input.
    #[arg(required_unless_present = "network")]
    log: Option<PathBuf>,
    /// The address of the server, for the events.
    #[arg(long, env = "ORIGIN", default_value = "http://localhost:8787")]
    origin: String,
    /// Prints the name that the log uses for the network of this address, instead of converting a log.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "log")]
    network: Option<String>,
    /// Counts the patients of whom apps received records in this year, instead of converting the log.
    #[arg(long, value_name = "YEAR", conflicts_with = "network")]
    usage: Option<u16>,
    /// A client that is not counted, such as the own portal. May be repeated.
    #[arg(long, value_name = "CLIENT", requires = "usage")]
    except: Vec<String>,
    /// The file with the secrets. Its pepper is the key of network names.
    #[arg(long, default_value = ".dev.vars")]
    keys: PathBuf,
}

impl Audit {
    pub fn run(self) -> Result<(), Failure> {
        let Self { log, origin, network: address, usage, except, keys } = self;
        let mut usage = usage.map(|year| Usage::new(year, except));
        if let Some(address) = address {
            let pepper = Pepper::new(secret(&keys, "PEPPER")?.as_bytes());
            println!("{}", network_hash(&pepper, &address).unwrap_or_default());
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
            if let Some(usage) = &mut usage {
                usage.add(&line);
                continue;
            }
            for event in audit_events(&line, &origin) {
                match writeln!(out, "{event}") {
                    Ok(()) => {}
                    // The reader of the output has closed it.
                    Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
                    Err(error) => return Err(Failure(format!("writing the events: {error}"))),
                }
            }
        }
        if let Some(usage) = usage {
            println!("{}", usage.report());
        }
        Ok(())
    }
}
