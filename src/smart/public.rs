//! The scopes of requests without a token, which open a directory, such as a payer's list of practitioners.

use super::compartment::is_directory;
use super::grant::Grant;
use super::scope::{Level, Scope, ScopeSet};

/// The scopes that are open to everybody. Each is of level `system` and of a type of the directory, so that no record
/// of a patient can be public; a filter can restrict it to the resources of a profile or with a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicScopes(ScopeSet);

impl PublicScopes {
    /// Parses a list of scopes, separated by blanks or line ends.
    ///
    /// ```
    /// use smart::PublicScopes;
    ///
    /// let profile = "http://hl7.org/fhir/us/davinci-pdex-plan-net/StructureDefinition/plannet-Practitioner";
    /// assert!(PublicScopes::parse(&format!("system/Practitioner.rs?_profile={profile} system/Endpoint.rs")).is_ok());
    /// assert!(PublicScopes::parse("system/Observation.rs").is_err());
    /// ```
    ///
    /// # Errors
    /// If a part is not such a scope, with the reason.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let scopes = ScopeSet::parse(&text).map_err(|error| error.to_string())?;
        for (written, scope) in scopes.iter() {
            let is_public = |scope: &&super::ResourceScope| {
                scope.level == Level::System
                    && scope.read
                    && scope.search
                    && !scope.write
                    && scope.resource_type.is_some_and(is_directory)
            };
            if !matches!(scope, Scope::Resource(scope) if is_public(&scope)) {
                return Err(format!("{written}: only system/Type.rs of a type without patients can be public"));
            }
        }
        if scopes.is_empty() { Err("it has no scope".to_owned()) } else { Ok(Self(scopes)) }
    }

    /// Returns the grant of a request without a token. It names no client, user or patient.
    pub fn grant(&self) -> Grant {
        Grant { scopes: self.0.clone(), ..Grant::default() }
    }

    /// Returns a grant with these scopes added: a client with a token may see what everybody may.
    pub fn added_to(&self, grant: &Grant) -> Grant {
        let all = grant.scopes.iter().chain(self.0.iter()).map(|(written, scope)| (written.to_owned(), scope.clone()));
        Grant { scopes: all.collect(), ..grant.clone() }
    }
}
