//! `explain`: shows how a search is understood.

use database::Statement;
use native::{Failure, explain};

use crate::micros;

#[derive(clap::Args)]
pub struct Explain {
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
}

impl Explain {
    pub fn run(self) -> Result<(), Failure> {
        let explained = explain(&self.search, &self.scope, self.patient.as_deref(), &self.base, micros()?)?;
        if let Some(refused) = &explained.refused {
            return Err(Failure(format!("it is refused: {refused:#}")));
        }
        if self.sql {
            let all: Vec<_> = explained.statements().collect();
            println!("{}", serde_json::to_string(&all).map_err(Failure::doing("writing the statements"))?);
            return Ok(());
        }
        println!("{}", explained.resource_type);
        for condition in &explained.criteria {
            println!("  {}{}", condition.says, if condition.added { "   (the scopes say so)" } else { "" });
        }
        if !explained.order.is_empty() {
            println!("  {}", explained.order);
        }
        for include in &explained.includes {
            println!(
                "  with {}{}",
                include.says,
                if include.left_out { "   (left out: no scope opens it)" } else { "" }
            );
        }
        for Statement { text, binds } in explained.statements() {
            println!("\n{text}\n{binds:?}");
        }
        Ok(())
    }
}
