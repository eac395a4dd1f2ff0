//! The scopes of requests without a token, which open a directory, such as a payer's list of practitioners.

use super::compartment::is_directory;
use super::grant::Grant;
use super::scope::{Level, ResourceScope, Scope, ScopeSet};
use fhir::ResourceType;
use search::about_directory;

/// The scopes that are open to everybody. Each is of level `system` and of a type of the directory, or of Basic with a
/// filter, such as the items of a formulary. Of Basic it opens what is about the directory and of no patient. So no
/// record of a patient can be public.
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
        let public = |(written, scope): (&str, &Scope)| {
            let public = scope.resources().and_then(public);
            let why = "only system/Type.rs of a type without patients, and Basic with a filter, can be public";
            public.map(|scope| (written.to_owned(), scope)).ok_or_else(|| format!("{written}: {why}"))
        };
        let scopes: ScopeSet = scopes.iter().map(public).collect::<Result<_, _>>()?;
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

/// Returns the scope as everybody may have it.
fn public(scope: &ResourceScope) -> Option<Scope> {
    let resource_type = scope.resource_type?;
    if scope.level != Level::System || !scope.read || !scope.search || scope.write {
        return None;
    }
    if is_directory(resource_type) {
        return Some(Scope::Resource(scope.clone()));
    }
    if resource_type != ResourceType::Basic || scope.only.is_empty() {
        return None;
    }
    let only = scope.only.iter().cloned().chain(about_directory(resource_type)?).collect();
    Some(Scope::Resource(ResourceScope { level: Level::Public, only, ..scope.clone() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grant::{Denied, PatientSet};
    use crate::scope::Action;
    use ResourceType as T;
    use fhir::Id;
    use search::{Handling, Query, parse};

    const ITEMS: &str = "system/Basic.rs?code=http://plans.example/items|formulary-item";

    #[test]
    fn sc15_no_record_of_a_patient_is_public() {
        for (scope, is_public) in [
            ("system/Practitioner.rs", true),
            ("system/Practitioner.rs?_tag=public", true),
            (ITEMS, true),
            ("system/Basic.rs", false),
            ("system/Basic.r?code=formulary-item", false),
            ("system/Basic.cruds?code=formulary-item", false),
            ("user/Basic.rs?code=formulary-item", false),
            ("patient/Basic.rs?code=formulary-item", false),
            ("system/Task.rs?code=formulary-item", false),
            ("system/Patient.rs?gender=female", false),
            ("system/Coverage.rs?status=active", false),
            ("system/Group.rs?identifier=g", false),
            ("system/Bundle.rs?type=collection", false),
            ("system/Device.rs?type=x", false),
            ("system/*.rs", false),
            ("openid", false),
        ] {
            assert_eq!(PublicScopes::parse(scope).is_ok(), is_public, "{scope}");
        }
    }

    #[test]
    fn sc15_what_patients_have_too_is_public_if_it_is_of_none() {
        let public = PublicScopes::parse(&format!("{ITEMS} system/InsurancePlan.rs")).unwrap();
        let narrow = |grant: &Grant, search: &[(&str, &str)]| {
            let pairs: Vec<_> = search.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            let query = parse(T::Basic, &pairs, Handling::Strict, "http://here").unwrap();
            let permitted = grant.narrow(query, None)?;
            Ok::<_, Denied>(permitted.rules().iter().map(|rule| rule.patients.clone()).collect::<Vec<_>>())
        };
        let own = Grant { patient: Id::parse("a"), user: Some("dr".into()), ..Grant::default() };
        let with = |scopes: &str| public.added_to(&Grant { scopes: ScopeSet::parse(scopes).unwrap(), ..own.clone() });
        let (one, list) = (PatientSet::One(Id::parse("a").unwrap()), PatientSet::AccessList("dr".into()));
        let nobody = || Some(vec![PatientSet::Nobody]);
        for (grant, search, expected) in [
            (public.grant(), &[][..], nobody()),
            (public.grant(), &[("code", "x")], nobody()),
            (public.grant(), &[("_id", "x")], nobody()),
            (public.grant(), &[("patient", "a")], None),
            (public.grant(), &[("subject", "Patient/a")], None),
            (with("openid"), &[], nobody()),
            (with("openid"), &[("patient", "a")], None),
            (with("patient/Basic.rs"), &[], Some(vec![one.clone()])),
            (with("patient/Basic.rs"), &[("patient", "b")], None),
            (with("user/Basic.rs"), &[], nobody()),
            (with("user/Basic.rs"), &[("patient", "b")], Some(vec![list.clone()])),
            (with("user/Basic.rs"), &[("_id", "x")], Some(vec![list, PatientSet::Nobody])),
            (with("system/Basic.rs"), &[], nobody()),
            (with("system/Basic.rs"), &[("_id", "x")], Some(vec![PatientSet::All, PatientSet::Nobody])),
        ] {
            assert_eq!(narrow(&grant, search).ok(), expected, "{search:?} by {}", grant.scopes);
        }
        let rules = public.grant().rules(T::Basic, Action::Read);
        assert_eq!((rules.len(), rules[0].only.len()), (1, 3), "{rules:?}");
        let exported = public.grant().exports(Query::everything(T::Basic)).unwrap();
        assert_eq!(exported.rules(), rules, "for a publication");
        let query = Query::everything(T::Basic);
        assert_eq!(with("patient/Basic.rs").permits_carriers(query).unwrap().rules()[0].patients, one);
        assert!(public.grant().permits_carriers(Query::everything(T::Basic)).is_none());
    }
}
