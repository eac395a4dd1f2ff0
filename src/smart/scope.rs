//! SMART scopes: v1 (`patient/Observation.read`), which the contract uses, and v2 (`patient/Observation.rs`,
//! `…?category=system|code`) (<https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html>;
//! docs/decisions/permission-and-sign-in.md#wildcard-scopes).

use fhir::ResourceType as T;
use search::{Clause, Handling, IndexSet, Param, ParseContext, parse_in};

/// The level of a scope: the authority under which it opens resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// `patient/`: resources of the patient in context.
    Patient,
    /// `user/`: resources of the patients whom the user may see.
    User,
    /// `system/`: resources of all patients, for the client itself.
    System,
    /// `system/` in the scopes of everybody, for a type with patients: resources of no patient.
    Public,
}

impl Level {
    /// Returns the name of the level in a scope.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Patient => "patient",
            Self::User => "user",
            Self::System | Self::Public => "system",
        }
    }
}

/// An interaction with a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A read by id.
    Read,
    /// A search, or the inclusion in a search.
    Search,
}

/// One scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// A scope that opens resources.
    Resource(ResourceScope),
    /// Any other known scope: `openid`, `fhirUser`, `profile`, `launch`, `launch/patient`, `launch/encounter`,
    /// `offline_access`, `online_access`.
    Other(&'static str),
}

/// A scope that opens resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceScope {
    /// The level.
    pub level: Level,
    /// The type of resources. `None` is `*`: all types on the level's list ([`wildcard`]).
    pub resource_type: Option<T>,
    /// True if the scope opens reading by id.
    pub read: bool,
    /// True if the scope opens searching.
    pub search: bool,
    /// True if the scope includes writing. Only [`ScopeSet::may_ingest`] permits it.
    pub write: bool,
    /// The filters, all of which a resource must satisfy.
    pub only: Vec<Clause>,
}

/// The scopes of apps that open no resources.
pub const OF_APPS: [&str; 8] = [
    "openid",
    "fhirUser",
    "profile",
    "launch",
    "launch/patient",
    "launch/encounter",
    "offline_access",
    "online_access",
];

/// The scope that permits sending records to `/ingest`, in the syntaxes of v1 and v2.
const INGEST: [&str; 2] = ["system/*.write", "system/*.cud"];

/// Returns whether a scope permits sending records.
pub fn sends(scope: &str) -> bool {
    INGEST.contains(&scope)
}

/// The types that wildcards stand for, in the contract's order, each with the lowest level whose wildcard includes it.
/// `user/*` includes the types of `patient/*`, and `system/*` those of both.
const LISTED: [(T, Level); 25] = [
    (T::Patient, Level::Patient),
    (T::AllergyIntolerance, Level::Patient),
    (T::CarePlan, Level::Patient),
    (T::CareTeam, Level::Patient),
    (T::Condition, Level::Patient),
    (T::Device, Level::Patient),
    (T::DiagnosticReport, Level::Patient),
    (T::DocumentReference, Level::Patient),
    (T::Goal, Level::Patient),
    (T::Encounter, Level::Patient),
    (T::Immunization, Level::Patient),
    (T::MedicationRequest, Level::Patient),
    (T::Observation, Level::Patient),
    (T::Procedure, Level::Patient),
    (T::Provenance, Level::Patient),
    (T::Practitioner, Level::Patient),
    (T::PractitionerRole, Level::Patient),
    (T::ServiceRequest, Level::Patient),
    (T::QuestionnaireResponse, Level::Patient),
    (T::RelatedPerson, Level::Patient),
    (T::Organization, Level::Patient),
    (T::Location, Level::Patient),
    (T::Binary, Level::System),
    (T::Group, Level::User),
    (T::Medication, Level::System),
];

/// Returns the types that the wildcard of a level includes, in the contract's order.
pub fn wildcard(level: Level) -> impl Iterator<Item = T> {
    LISTED.into_iter().filter(move |(_, lowest)| *lowest <= level).map(|(resource_type, _)| resource_type)
}

/// The reason why a text is not a scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{scope}: {reason}")]
pub struct ScopeError {
    /// The invalid text.
    pub scope: String,
    /// The rule that the text breaks.
    pub reason: &'static str,
}

impl Scope {
    /// Parses one scope. Case matters.
    ///
    /// # Errors
    /// If the text has neither syntax, names a type that is not served, or filters by a parameter that is neither of
    /// type token nor `_profile`.
    pub fn parse(text: &str) -> Result<Self, ScopeError> {
        if let Some(other) = OF_APPS.iter().find(|other| **other == text) {
            return Ok(Self::Other(other));
        }
        let parsed =
            if text.bytes().all(is_legal) { resource_scope(text) } else { Err("it has a character that no scope has") };
        parsed.map(Self::Resource).map_err(|reason| ScopeError { scope: text.to_owned(), reason })
    }

    /// Returns the scope, if it opens resources.
    pub const fn resources(&self) -> Option<&ResourceScope> {
        match self {
            Self::Resource(scope) => Some(scope),
            Self::Other(_) => None,
        }
    }
}

/// Returns whether a scope may contain the character (RFC 6749, section 3.3). Scopes occur in headers and in quotes.
const fn is_legal(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\')
}

fn resource_scope(text: &str) -> Result<ResourceScope, &'static str> {
    let (level, rest) = text.split_once('/').ok_or("it is not known")?;
    let level = match level {
        "patient" => Level::Patient,
        "user" => Level::User,
        "system" => Level::System,
        _ => return Err("its level is none of patient, user, system"),
    };
    let (rest, filter) = rest.split_once('?').map_or((rest, None), |(rest, filter)| (rest, Some(filter)));
    let (resource_type, access) = rest.split_once('.').ok_or("it has no access part")?;
    let resource_type = match resource_type {
        "*" => None,
        name => Some(T::parse(name).ok_or("its resource type is not served")?),
    };
    let (read, search, write) = match access {
        "read" => (true, true, false),
        // Systems of the European API request this spelling of `s`.
        "search" => (false, true, false),
        "*" => (true, true, true),
        "write" => (false, false, true),
        "" => return Err("it has no access part"),
        letters => {
            let mut rest = letters;
            for letter in ["c", "r", "u", "d", "s"] {
                rest = rest.strip_prefix(letter).unwrap_or(rest);
            }
            if !rest.is_empty() {
                return Err("its access part is none of read, search, write, * and letters of cruds in that order");
            }
            (letters.contains('r'), letters.contains('s'), letters.contains(['c', 'u', 'd']))
        }
    };
    let only = match (filter, resource_type) {
        (None, _) => Vec::new(),
        (Some(_), None) => return Err("a filter needs a resource type"),
        (Some(filter), Some(resource_type)) => parse_filter(resource_type, filter)?,
    };
    Ok(ResourceScope { level, resource_type, read, search, write, only })
}

/// Returns the clauses of `category=system|code&…`. A name with a modifier is refused, since the clauses of two scopes
/// are compared ([`ResourceScope::covers`]).
fn parse_filter(resource_type: T, filter: &str) -> Result<Vec<Clause>, &'static str> {
    let pair = |part: &str| part.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let pairs: Option<Vec<_>> = filter.split('&').map(pair).collect();
    let pairs = pairs.ok_or("its filter is not name=value")?;
    // A store that is not indexed by a parameter refuses the request: a filter never opens more than it says.
    let context = ParseContext { set: IndexSet::known(), now: 0, handling: Handling::Strict, base: "" };
    let query = parse_in(&context, resource_type, &pairs);
    let query = query.map_err(|_| "its filter is not a search parameter of the type with a value")?;
    if pairs.iter().any(|(name, _)| name.contains(':')) {
        return Err("its filter has a modifier");
    }
    let is_token = |param: &Param| param.kind.fhir_type() == "token" && !param.kind.is_id() && param.via.is_none();
    let by_tokens = query.all.iter().all(|Clause { param, .. }| is_token(param) || param.name == "_profile");
    if query.all.len() == query.parameters.len() && by_tokens {
        Ok(query.all)
    } else {
        Err("its filter is by neither a token nor _profile")
    }
}

impl ResourceScope {
    /// Returns whether the scope, ignoring its filters, opens this type for this action.
    #[must_use]
    pub fn opens(&self, resource_type: T, action: Action) -> bool {
        let acts = match action {
            Action::Read => self.read,
            Action::Search => self.search,
        };
        acts && self.names(resource_type)
    }

    fn names(&self, resource_type: T) -> bool {
        self.resource_type
            .map_or_else(|| wildcard(self.level).any(|listed| listed == resource_type), |own| own == resource_type)
    }

    /// Returns whether the scope opens everything that the other does at the same level: `patient/*.read` covers
    /// `patient/Observation.rs?category=…`, but not types that are missing from its list.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.level == other.level
            && other.resource_type.map_or(self.resource_type.is_none(), |resource_type| self.names(resource_type))
            && (self.read || !other.read)
            && (self.search || !other.search)
            && (self.write || !other.write)
            && self.only.iter().all(|clause| other.only.contains(clause))
    }
}

/// The scopes of a request or a grant, in the order in which they are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScopeSet {
    scopes: Vec<(String, Scope)>,
}

impl ScopeSet {
    /// The longest list that can be granted, in bytes, since a token contains it. A list of all types by name at one
    /// level is half as long.
    pub const MAX_LENGTH: usize = 8_192;

    /// Parses a blank-separated list. A repeated scope counts once.
    ///
    /// ```
    /// use fhir::ResourceType;
    /// use smart::{Action, ScopeSet};
    ///
    /// let scopes = ScopeSet::parse("openid patient/Observation.rs?category=laboratory").unwrap();
    /// let scope = scopes.resource_scopes().next().unwrap();
    /// assert!(scope.opens(ResourceType::Observation, Action::Search));
    /// assert_eq!(scope.only[0].describe(), "category is laboratory");
    ///
    /// let error = ScopeSet::parse("openid patient/Castle.read").unwrap_err();
    /// assert_eq!((error.scope.as_str(), error.reason), ("patient/Castle.read", "its resource type is not served"));
    /// ```
    ///
    /// # Errors
    /// If a part is not a scope. The error is that of the first such part.
    pub fn parse(text: &str) -> Result<Self, ScopeError> {
        let parts = text.split(' ').filter(|part| !part.is_empty());
        parts.map(|part| Ok((part.to_owned(), Scope::parse(part)?))).collect()
    }

    /// Parses the known scopes of a list. Parts that are not scopes are left out (RFC 6749, section 3.3).
    ///
    /// # Errors
    /// If it is longer than [`Self::MAX_LENGTH`], or contains a character that scopes must not contain.
    pub fn known(text: &str) -> Result<Self, &'static str> {
        if text.len() > Self::MAX_LENGTH {
            return Err("scope is too long");
        }
        if !text.bytes().all(|byte| byte == b' ' || is_legal(byte)) {
            return Err("scope has a character that no scope has");
        }
        let parts = text.split(' ').filter(|part| !part.is_empty());
        Ok(parts.filter_map(|part| Some((part.to_owned(), Scope::parse(part).ok()?))).collect())
    }

    /// Returns the scopes that open resources.
    pub fn resource_scopes(&self) -> impl Iterator<Item = &ResourceScope> {
        self.scopes.iter().filter_map(|(_, scope)| scope.resources())
    }

    /// Returns each scope as written, with its meaning.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Scope)> {
        self.scopes.iter().map(|(written, scope)| (written.as_str(), scope))
    }

    /// Returns whether a scope of the list covers this one ([`ResourceScope::covers`]). A scope that opens no resources
    /// covers itself.
    #[must_use]
    pub fn covers(&self, scope: &Scope) -> bool {
        self.iter().any(|(_, own)| match (own, scope) {
            (Scope::Resource(own), Scope::Resource(other)) => own.covers(other),
            (Scope::Other(own), Scope::Other(other)) => own == other,
            (Scope::Resource(_), Scope::Other(_)) | (Scope::Other(_), Scope::Resource(_)) => false,
        })
    }

    /// Returns the scopes for which `keep` returns true.
    #[must_use]
    pub fn retained(&self, keep: impl Fn(&str, &Scope) -> bool) -> Self {
        Self { scopes: self.scopes.iter().filter(|(written, scope)| keep(written, scope)).cloned().collect() }
    }

    /// Returns whether the list contains this scope. Only scopes that open no resources can be found.
    #[must_use]
    pub fn has(&self, other: &str) -> bool {
        self.iter().any(|(written, scope)| matches!(scope, Scope::Other(_)) && written == other)
    }

    /// Returns whether the list permits sending records of all types and patients: by `system/*.write`, or by
    /// `system/*.cud` in the syntax of v2.
    #[must_use]
    pub fn may_ingest(&self) -> bool {
        self.iter().any(|(written, _)| sends(written))
    }

    /// Returns whether the list only permits sending records.
    #[must_use]
    pub fn is_for_ingest(&self) -> bool {
        !self.is_empty() && self.iter().all(|(written, _)| sends(written))
    }

    /// Returns the list without the scopes that permit sending records.
    #[must_use]
    pub fn without_ingest(&self) -> Self {
        self.retained(|written, _| !sends(written))
    }

    /// Returns whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scopes.is_empty()
    }
}

/// Collects scopes, each with its text. Of two scopes with the same text, the first counts.
impl FromIterator<(String, Scope)> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = (String, Scope)>>(scopes: I) -> Self {
        let mut set = Self::default();
        for (written, scope) in scopes {
            if !set.scopes.iter().any(|(other, _)| *other == written) {
                set.scopes.push((written, scope));
            }
        }
        set
    }
}

impl std::fmt::Display for ScopeSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, (written, _)) in self.scopes.iter().enumerate() {
            write!(f, "{}{written}", if at == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;
    use std::collections::BTreeSet;

    fn opens(scope: &str, resource_type: T, action: Action) -> bool {
        ScopeSet::parse(scope).unwrap().resource_scopes().any(|scope| scope.opens(resource_type, action))
    }

    #[test]
    fn the_wildcards_are_the_lists_of_the_contract() {
        assert_eq!(wildcard(Level::Patient).count(), 22);
        assert_eq!(wildcard(Level::User).count(), 23);
        assert_eq!(wildcard(Level::System).count(), 25);
        let others = "MedicationDispense Medication Binary Group Endpoint Coverage Specimen Media Questionnaire";
        for name in others.split(' ') {
            assert!(!opens("patient/*.read", T::parse(name).unwrap(), Action::Read), "{name}");
        }
        assert!(opens("user/*.read", T::Group, Action::Search));
        assert!(opens("system/*.read", T::Binary, Action::Read));
        for scope in ["user/*.read", "system/*.read"] {
            assert!(!opens(scope, T::MedicationDispense, Action::Read), "{scope}");
            assert!(!opens(scope, T::MedicationDispense, Action::Search), "{scope}");
        }
        assert!(opens("patient/MedicationDispense.read", T::MedicationDispense, Action::Search));
    }

    #[test]
    fn permissions_are_written_as_in_version_1_or_2() {
        for (scope, read, search) in [
            ("patient/Observation.read", true, true),
            ("patient/Observation.*", true, true),
            ("patient/Observation.write", false, false),
            ("patient/Observation.rs", true, true),
            ("patient/Observation.r", true, false),
            ("patient/Observation.s", false, true),
            ("patient/Observation.cruds", true, true),
            ("patient/Observation.cud", false, false),
        ] {
            let opened = [Action::Read, Action::Search].map(|action| opens(scope, T::Observation, action));
            assert_eq!(opened, [read, search], "{scope}");
        }
    }

    #[test]
    fn a_text_that_is_no_scope_is_refused() {
        let all = "foo patient/Foo.read patient/observation.read Patient/*.read patient/Observation.Read patient/Obs.read \
            patient/ObservationX.read patient/Observation patient/Observation. patient/Observation.rs?category=a\"b \
            patient/Observation.rs?category=a\\,b patient/Observation.rs?category=a\nb \
            patient/Observation.rs?category=a\tb patient/Observation.rs?category=é patient/Observation.sr \
            patient/Observation.rr patient/*.rs?category=a patient/Observation.rs?foo=1 \
            patient/Observation.rs?date=2020 patient/Observation.rs?category patient/Observation.rs?patient=a \
            patient/Observation.rs?_id=a patient/PractitionerRole.rs?practitioner.identifier=a \
            patient/Observation.rs?category:not=a patient/Practitioner.rs?name:exact=a \
            patient/Observation.rs?_count=1 launch/practitioner openid\n a\"b";
        for bad in all.split(' ') {
            assert!(ScopeSet::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_scope_covers_those_that_open_no_more() {
        let covers = |own: &str, other: &str| ScopeSet::parse(own).unwrap().covers(&Scope::parse(other).unwrap());
        for (own, other) in [
            ("patient/*.read", "patient/*.rs"),
            ("patient/*.rs", "patient/Observation.read"),
            ("patient/*.read", "patient/Observation.rs?category=a"),
            ("patient/Observation.*", "patient/Observation.write"),
            ("patient/Observation.rs?category=a", "patient/Observation.s?category=a"),
            ("user/*.cruds", "user/Group.*"),
            ("openid", "openid"),
        ] {
            assert!(covers(own, other), "{own} {other}");
        }
        for (own, other) in [
            ("patient/*.read", "user/Observation.read"),
            ("patient/*.read", "patient/MedicationDispense.read"),
            ("patient/*.read", "patient/Observation.write"),
            ("patient/*.read", "patient/*.*"),
            ("patient/Observation.read", "patient/*.read"),
            ("patient/Observation.r", "patient/Observation.read"),
            ("patient/Observation.rs?category=a", "patient/Observation.rs"),
            ("patient/Observation.rs?category=a", "patient/Observation.rs?category=b"),
            ("openid", "fhirUser"),
            ("patient/*.read", "openid"),
        ] {
            assert!(!covers(own, other), "{own} {other}");
        }
    }

    #[test]
    fn a_list_prints_as_it_was_written() {
        let text = "openid patient/Observation.rs?category=http://x|laboratory patient/*.read";
        assert_eq!(ScopeSet::parse(text).unwrap().to_string(), text);
        assert_eq!(ScopeSet::parse("openid  openid").unwrap().to_string(), "openid");
        let set = ScopeSet::parse(text).unwrap();
        assert_eq!(set.resource_scopes().next().unwrap().only.len(), 1);
    }

    fn scope() -> impl Strategy<Value = String> {
        let resource_type = prop_oneof![1 => Just("*"), 4 => select(T::served()).prop_map(T::name)];
        let access = prop_oneof![Just("read".to_owned()), Just("*".to_owned()), "c?r?u?d?s?"];
        let of_resources = (
            select(&["patient", "user", "system"][..]),
            resource_type,
            access,
            "(\\?(category|status|code)=[a-z:/|]{1,9})?",
        )
            .prop_map(|(level, resource_type, access, filter)| format!("{level}/{resource_type}.{access}{filter}"));
        prop_oneof![4 => of_resources, 1 => select(&OF_APPS[..]).prop_map(str::to_owned), 1 => "[a-z/*.]{1,9}"]
    }

    proptest! {
        #[test]
        fn every_list_parses_to_what_it_prints(scopes in vec(scope(), 0..6)) {
            let legal: Vec<_> = scopes.iter().filter(|scope| Scope::parse(scope).is_ok()).cloned().collect();
            let text = legal.join(" ");
            let set = ScopeSet::parse(&text).unwrap();
            prop_assert_eq!(ScopeSet::parse(&set.to_string()), Ok(set.clone()));
            let mut once = BTreeSet::new();
            let written = legal.iter().filter(|scope| once.insert(scope.as_str())).cloned().collect::<Vec<_>>();
            prop_assert_eq!(set.to_string(), written.join(" "));
            for (written, scope) in set.iter() {
                prop_assert_eq!(Scope::parse(written), Ok(scope.clone()));
                prop_assert!(set.covers(scope));
            }
            prop_assert_eq!(ScopeSet::parse(&scopes.join(" ")).is_ok(), legal.len() == scopes.len());
        }
    }
}
