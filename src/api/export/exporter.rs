//! The client that exports: the permissions of its token, and the names of its exports.

use crate::bearer::Authorized;
use crate::http::form::FormPairs;
use crate::http::problem::Problem;
use fhir::ResourceType;
use smart::{Action, Denied, Grant, Level, Scope, ScopeSet};
use store::Store;

/// A client that may export, with the part of its grant that permits it.
pub struct Exporter {
    /// The grant with only its `system/` scopes.
    pub grant: Grant,
}

impl Exporter {
    /// Returns the exporter of a request, and its parameters.
    ///
    /// # Errors
    /// If the token is not active, or does not belong to a client that acts for itself and has a scope for reading.
    pub async fn of<S: Store>(authorized: Authorized, store: &S) -> Result<(Self, FormPairs), Problem> {
        let reads = |scope: &Scope| matches!(scope, Scope::Resource(one) if one.level == Level::System && one.read);
        let scopes = authorized.grant().scopes.retained(|_, scope| reads(scope));
        let may_export = !scopes.is_empty() && authorized.grant().patient.is_none();
        let active = authorized.activate(store, |_| may_export, ("an export", "system/*.read")).await?;
        Ok((Self { grant: Grant { scopes, ..active.grant().clone() } }, active.parameters().clone()))
    }

    /// Returns whether a scope opens a type for reading.
    pub fn opens(&self, resource_type: ResourceType) -> bool {
        self.grant.scopes.resource_scopes().any(|scope| scope.opens(resource_type, Action::Read))
    }

    /// Returns whether a scope without a filter opens a type for reading, and no patients may opt out of it.
    pub fn opens_all(&self, resource_type: ResourceType) -> bool {
        let mut scopes = self.grant.scopes.resource_scopes();
        let is_open = scopes.any(|scope| scope.opens(resource_type, Action::Read) && scope.only.is_empty());
        is_open && self.grant.purpose.is_none()
    }

    /// Checks that a scope opens a type for reading.
    ///
    /// # Errors
    /// If no scope opens it.
    pub fn require(&self, resource_type: ResourceType) -> Result<(), Problem> {
        let needed = format!("system/{resource_type}.read");
        if self.opens(resource_type) { Ok(()) } else { Err(Problem::Denied(Denied::Scope { resource_type, needed })) }
    }

    /// Returns the grant with which the server reads the patients of an export. The client's scopes may be narrower.
    /// The selection leaves out who has opted out, so that others of the same Group are exported.
    pub fn internal(&self) -> Grant {
        let scopes = ScopeSet::parse("system/Patient.rs system/Group.rs").unwrap_or_default();
        Grant { scopes, purpose: None, ..self.grant.clone() }
    }

    /// Checks that the token opens everything of a type that is in an export that was begun with these scopes.
    ///
    /// # Errors
    /// If the token does not open everything.
    pub fn require_as(&self, resource_type: ResourceType, scopes: &ScopeSet) -> Result<(), Problem> {
        self.require(resource_type)?;
        let begun = Grant { scopes: scopes.clone(), ..self.grant.clone() };
        if self.grant.covers(&begun, resource_type, Action::Read) {
            return Ok(());
        }
        Err(Problem::MayNot { what: "files of an export that was begun with wider scopes", scope: "system/*.read" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exporter(scopes: &str) -> Exporter {
        Exporter { grant: Grant { scopes: ScopeSet::parse(scopes).unwrap(), ..Grant::default() } }
    }

    #[test]
    fn ex02_a_token_opens_what_was_begun_with_scopes_that_are_as_wide_or_narrower() {
        let lab = "system/Observation.rs?category=laboratory";
        let both = format!("{lab} system/Observation.rs?category=survey");
        let exact = format!("{lab}&status=final");
        for (begun, token, opens) in [
            ("system/*.rs", "system/Observation.r", true),
            ("system/Observation.rs", "system/*.read", true),
            ("system/Observation.rs", lab, false),
            (lab, "system/*.read", true),
            (lab, lab, true),
            // Additional scopes, another syntax and another order make no difference.
            (lab, &format!("system/Goal.rs {lab}"), true),
            (&format!("system/Goal.rs {lab}"), lab, true),
            (lab, "system/Observation.r?category=laboratory", true),
            // An unfiltered scope opens more than a filter.
            (&format!("{lab} system/*.rs"), lab, false),
            (&format!("system/Observation.rs {lab}"), lab, false),
            (lab, &format!("{lab} system/*.rs"), true),
            (lab, &both, true),
            (&both, lab, false),
            (&both, &both, true),
            (&exact, lab, true),
            (lab, &exact, false),
            (lab, "system/Observation.rs?category=survey", false),
            (lab, "system/Observation.rs?status=final", false),
            (lab, "system/Goal.rs", false),
        ] {
            let permitted = exporter(token).require_as(ResourceType::Observation, &ScopeSet::parse(begun).unwrap());
            assert_eq!(permitted.is_ok(), opens, "{begun} by {token}");
        }
    }

    #[test]
    fn a_filter_opens_a_type_in_part() {
        let some = exporter("system/Observation.rs?category=laboratory system/Goal.s");
        assert!(some.opens(ResourceType::Observation) && !some.opens_all(ResourceType::Observation));
        assert!(!some.opens(ResourceType::Goal) && some.require(ResourceType::Goal).is_err());
        assert!(exporter("system/*.read").opens_all(ResourceType::Observation));
    }
}
