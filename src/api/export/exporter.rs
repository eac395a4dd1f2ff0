//! The client that exports: what its token permits, and the names of its exports.

use crate::api::audit::AuditEntry;
use crate::api::bearer::grant_of;
use crate::api::form::FormPairs;
use crate::api::interactions::store_problem;
use crate::api::problem::Problem;
use crate::api::throttle::Throttle;
use crate::api::{AppContext, Call};
use crate::fhir::ResourceType;
use crate::oauth::{Crypto, Fetch, hashed, token_of};
use crate::smart::{Action, Denied, Grant, Level, Scope, ScopeSet};
use crate::store::Store;

/// A client that may export, with the part of its grant that does.
pub struct Exporter {
    /// The grant with its `system/` scopes alone.
    pub grant: Grant,
}

impl Exporter {
    /// The exporter of a call.
    ///
    /// # Errors
    /// If there is no active token, or none of a client that acts for itself with a scope that reads.
    pub async fn of<S: Store, L, C: Crypto + Fetch + Throttle>(
        app: &AppContext<'_, S, L, C>,
        call: &Call<'_>,
        parameters: &FormPairs,
        audit: &mut AuditEntry,
    ) -> Result<Self, Problem> {
        let grant = grant_of(app, call, parameters).await?;
        audit.by(&grant);
        let reads = |scope: &Scope| matches!(scope, Scope::Resource(one) if one.level == Level::System && one.read);
        let scopes = grant.scopes.retained(|_, scope| reads(scope));
        if scopes.is_empty() || grant.user.is_some() || grant.patient.is_some() {
            return Err(Problem::MayNot { what: "an export", scope: "system/*.read" });
        }
        app.store.check(grant.id.as_deref()).await.map_err(store_problem)?;
        Ok(Self { grant: Grant { scopes, ..(*grant).clone() } })
    }

    /// Returns whether a scope opens a type for reading.
    pub fn opens(&self, on: ResourceType) -> bool {
        self.grant.scopes.resource_scopes().any(|scope| scope.opens(on, Action::Read))
    }

    /// Returns whether a scope without a filter opens a type for reading.
    pub fn opens_all(&self, on: ResourceType) -> bool {
        self.grant.scopes.resource_scopes().any(|scope| scope.opens(on, Action::Read) && scope.only.is_empty())
    }

    /// Checks that a scope opens a type for reading.
    ///
    /// # Errors
    /// If none does.
    pub fn require(&self, on: ResourceType) -> Result<(), Problem> {
        let needed = format!("system/{on}.read");
        if self.opens(on) { Ok(()) } else { Err(Problem::Denied(Denied::Scope { resource_type: on, needed })) }
    }

    /// The grant by which the server itself reads whom an export is about. The client's own scopes may not open it.
    pub fn internal(&self) -> Grant {
        let scopes = ScopeSet::parse("system/Patient.rs system/Group.rs").unwrap_or_default();
        Grant { scopes, ..self.grant.clone() }
    }

    /// The id of a new export. It ends with a digest of the scopes, so that a later token of the same client is known
    /// to open the same.
    pub fn new_id(&self, random: &[u8; 32]) -> String {
        format!("{}.{}", letters(&token_of(random, "export"), 32), self.digest())
    }

    /// Returns whether the export with that id was begun with the same scopes.
    pub fn has_scopes_of(&self, id: &str) -> bool {
        id.rsplit_once('.').is_some_and(|(_, digest)| digest == self.digest())
    }

    fn digest(&self) -> String {
        let mut all: Vec<_> = self.grant.scopes.iter().map(|(written, _)| written).collect();
        all.sort_unstable();
        letters(&hashed(&all.join(" ")), 16)
    }
}

/// The first letters and digits of a text. An id of FHIR has no underscore.
fn letters(text: &str, most: usize) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fhir::Id;

    fn exporter(scopes: &str) -> Exporter {
        Exporter { grant: Grant { scopes: ScopeSet::parse(scopes).unwrap(), ..Grant::default() } }
    }

    #[test]
    fn an_id_knows_the_scopes_in_any_order() {
        let (a, b) = ("system/Patient.read", "system/Observation.rs?category=laboratory");
        let id = exporter(&format!("{a} {b}")).new_id(&[7; 32]);
        assert!(Id::is_valid(&id) && id.len() > 40, "{id}");
        assert!(exporter(&format!("{b} {a}")).has_scopes_of(&id));
        for others in [a.to_owned(), format!("{a} {b} system/Goal.read")] {
            assert!(!exporter(&others).has_scopes_of(&id), "{others}");
        }
        assert_ne!(id, exporter(&format!("{a} {b}")).new_id(&[8; 32]));
    }

    #[test]
    fn a_filter_opens_a_type_in_part() {
        let some = exporter("system/Observation.rs?category=laboratory system/Goal.s");
        assert!(some.opens(ResourceType::Observation) && !some.opens_all(ResourceType::Observation));
        assert!(!some.opens(ResourceType::Goal) && some.require(ResourceType::Goal).is_err());
        assert!(exporter("system/*.read").opens_all(ResourceType::Observation));
    }
}
