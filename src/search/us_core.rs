//! The requirements of each version of US Core for a server, from the tables in `src/search/tables/`.

use std::sync::LazyLock;

use fhir::{Blocks, Columns, ResourceType};

/// A version of US Core. Versions newer than 6.1.0 require other profiles and combinations, but the same parameters and
/// includes. Therefore the registry and [`super::IndexSet::us_core`] are the same for all versions.
#[derive(Debug)]
pub struct UsCore {
    version: &'static str,
    table: LazyLock<Blocks>,
}

macro_rules! version {
    ($name:ident, $version:literal) => {
        static $name: UsCore = UsCore {
            version: $version,
            table: LazyLock::new(|| Blocks::read(include_str!(concat!("tables/us-core-", $version, ".tsv")))),
        };
    };
}

version!(STU6, "6.1.0");
version!(STU7, "7.0.0");
version!(STU8, "8.0.0");

impl UsCore {
    /// Returns the version that the contract names, 6.1.0.
    #[must_use]
    pub fn of_contract() -> &'static Self {
        &STU6
    }

    /// Returns all versions.
    #[must_use]
    pub fn all() -> [&'static Self; 3] {
        [&STU6, &STU7, &STU8]
    }

    /// Returns the version with that number.
    #[must_use]
    pub fn parse(version: &str) -> Option<&'static Self> {
        Self::all().into_iter().find(|us_core| us_core.version == version)
    }

    /// Returns the version in the name of an index set, such as `us-core-7.0.0`.
    #[must_use]
    pub fn of_set(name: &str) -> Option<&'static Self> {
        name.strip_prefix("us-core-").and_then(Self::parse)
    }

    /// Returns the version that a server declares: the configured version, else the one in the name of its index set,
    /// else that of the contract.
    ///
    /// # Errors
    /// If there is no such version, or if the name of the set has a different one; with the reason.
    pub fn declared(configured: &str, set: &str) -> Result<&'static Self, String> {
        let of_set = Self::of_set(set.trim());
        if configured.is_empty() {
            return Ok(of_set.unwrap_or(Self::of_contract()));
        }
        let found = Self::parse(configured).ok_or_else(|| {
            let versions = Self::all().map(Self::version);
            format!("{configured:?} is none of {}", versions.join(", "))
        })?;
        match of_set.filter(|other| other.version != found.version) {
            Some(_) => Err(format!("it is {configured}, and the index set is {set}")),
            None => Ok(found),
        }
    }

    /// Returns the number of the version, such as `7.0.0`.
    #[must_use]
    pub const fn version(&self) -> &'static str {
        self.version
    }

    /// Returns the lines of one kind about a type, such as `profile`: that word, a name, the expectation, and more.
    fn about(&self, base: &str, sort: &'static str) -> impl Iterator<Item = Columns> {
        self.table.about(base).iter().copied().filter(move |[word, ..]| *word == sort)
    }

    /// Returns the line of that kind and name.
    fn line(&self, base: &str, sort: &'static str, name: &str) -> Option<Columns> {
        self.about(base, sort).find(|[_, own, ..]| *own == name)
    }

    /// Returns the columns of a parameter of a type. The expectation is followed by the id of the definition and, where
    /// R4 defines the parameter differently, by its type, its elements, and its targets or its system.
    pub(super) fn parameter(&self, base: &str, name: &str) -> Option<Columns> {
        self.line(base, "parameter", name)
    }

    /// Returns the target types that can be included by a parameter of a type. Empty means all types of the parameter.
    pub(super) fn included(&self, base: ResourceType, name: &str) -> Option<&'static str> {
        self.line(base.name(), "include", name).map(|[_, _, _, targets, ..]| targets)
    }

    /// Returns the combinations of parameters of a type, with their expectations.
    pub(super) fn combinations(&self, base: ResourceType) -> impl Iterator<Item = (&'static str, Expectation)> {
        let all = self.about(base.name(), "combination");
        all.filter_map(|[_, names, level, ..]| Some((names, Expectation::parse(level)?)))
    }

    /// Returns whether `_revinclude=Provenance:target` is required for the type.
    pub(super) fn has_provenance(&self, base: ResourceType) -> bool {
        self.line(base.name(), "revinclude", "Provenance:target").is_some()
    }

    /// Returns the names of the profiles of a type: the first ones, the other ones of US Core, those that US Core
    /// adopted, and the addresses of profiles of other guides.
    #[must_use]
    pub fn profiles(&self, base: ResourceType) -> Vec<&'static str> {
        let mut names = Vec::new();
        for first in FIRST {
            names.extend(self.line(base.name(), "profile", first).map(|[_, name, ..]| name));
        }
        for is_own in [true, false] {
            for [_, name, ..] in self.about(base.name(), "profile") {
                if name.starts_with("us-core-") == is_own && !FIRST.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}

/// The conformance expectation of US Core about a combination
/// (<https://hl7.org/fhir/R4/extension-capabilitystatement-expectation.html>).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expectation {
    /// Must be supported.
    Shall,
    /// Should be supported.
    Should,
}

impl Expectation {
    /// Returns the expectation with that code. Other codes require nothing.
    fn parse(code: &str) -> Option<Self> {
        [Self::Shall, Self::Should].into_iter().find(|level| level.word() == code)
    }

    /// Returns the code in the expectation extension.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Shall => "SHALL",
            Self::Should => "SHOULD",
        }
    }
}

/// The profiles of Observation that are listed first: kinds of observations, and vital signs in general.
const FIRST: [&str; 10] = [
    "us-core-observation-lab",
    "us-core-observation-clinical-result",
    "us-core-observation-screening-assessment",
    "us-core-simple-observation",
    "us-core-observation-pregnancystatus",
    "us-core-observation-pregnancyintent",
    "us-core-observation-occupation",
    "us-core-observation-sexual-orientation",
    "us-core-smokingstatus",
    "us-core-vital-signs",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;

    #[test]
    fn what_comes_first_is_a_profile_of_observation() {
        for us_core in UsCore::all() {
            let profiles = us_core.profiles(ResourceType::Observation);
            assert_eq!(profiles.get(..FIRST.len()), Some(FIRST.as_slice()), "{}", us_core.version);
            assert_eq!(profiles.last(), Some(&"pediatric-weight-for-height"));
        }
    }

    #[test]
    fn the_versions_ask_for_the_same_parameters_and_includes() {
        for (us_core, parameters) in UsCore::all().into_iter().zip([103, 107, 106]) {
            let mut count = 0;
            for base in ResourceType::served() {
                // Parameters without an expectation are defined, but not required.
                let all = us_core.about(base.name(), "parameter").filter(|[_, _, level, ..]| !level.is_empty());
                for [_, name, ..] in all {
                    count += 1;
                    assert!(named(*base, name).is_some_and(|one| one.in_us_core), "{} {base} {name}", us_core.version);
                }
                let lines = |of: &UsCore, sort| of.about(base.name(), sort).collect::<Vec<_>>();
                for sort in ["include", "revinclude"] {
                    assert_eq!(lines(us_core, sort), lines(&STU6, sort), "{} {base}", us_core.version);
                }
            }
            assert_eq!(count, parameters, "{}", us_core.version);
        }
    }

    #[test]
    fn the_configuration_says_which_version_is_declared() {
        for (configured, set, expected) in [
            ("", "us-core", Ok("6.1.0")),
            ("", "r4", Ok("6.1.0")),
            ("", "us-core-6.1.0", Ok("6.1.0")),
            ("", " us-core-7.0.0\n", Ok("7.0.0")),
            ("8.0.0", "r4", Ok("8.0.0")),
            ("7.0.0", "Observation\tencounter", Ok("7.0.0")),
            ("8.0.0", "us-core-8.0.0", Ok("8.0.0")),
            ("8.0.0", "us-core-7.0.0", Err("it is 8.0.0, and the index set is us-core-7.0.0")),
            ("9.0.0", "r4", Err("\"9.0.0\" is none of 6.1.0, 7.0.0, 8.0.0")),
        ] {
            let declared = UsCore::declared(configured, set).map(UsCore::version);
            assert_eq!(declared, expected.map_err(str::to_owned), "{configured} {set}");
        }
        assert!(UsCore::of_set("us-core-9.0.0").is_none() && UsCore::of_set("7.0.0").is_none());
    }
}
