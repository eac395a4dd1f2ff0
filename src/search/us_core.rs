//! What US Core asks of a server, from its table in `src/tables/`.

use std::sync::LazyLock;

use crate::fhir::{Blocks, ResourceType, blocks, columns};

macro_rules! version {
    () => {
        "6.1.0"
    };
}

/// The version of US Core that is served.
pub const US_CORE: &str = version!();

static TABLE: LazyLock<Blocks> =
    LazyLock::new(|| blocks(include_str!(concat!("../tables/us-core-", version!(), ".tsv"))));

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
    /// The expectation with that code. Others ask for nothing.
    fn parse(code: &str) -> Option<Self> {
        [Self::Shall, Self::Should].into_iter().find(|level| level.word() == code)
    }

    /// The code in the expectation extension.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Shall => "SHALL",
            Self::Should => "SHOULD",
        }
    }
}

/// The lines of one sort about a type, such as `profile`, without that word.
fn about<const N: usize>(on: &str, sort: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let lines = TABLE.get(on).into_iter().flatten();
    lines.filter_map(move |line| Some(columns(line.strip_prefix(sort)?.strip_prefix('\t')?)))
}

/// The columns of a parameter of a type: its name, its expectation, the id of its definition, and, where R4 does not
/// define the same, its type, its elements, and its targets or its system.
pub(super) fn parameter(on: &str, name: &str) -> Option<[&'static str; 6]> {
    about::<6>(on, "parameter").find(|[own, ..]| *own == name)
}

/// The target types that can be included by a parameter of a type. An empty text stands for all of the parameter.
pub(super) fn included(on: ResourceType, name: &str) -> Option<&'static str> {
    about::<3>(on.name(), "include").find(|[own, ..]| *own == name).map(|[_, _, targets]| targets)
}

/// The combinations of parameters of a type, with their expectations.
pub(super) fn combinations(on: ResourceType) -> impl Iterator<Item = (&'static str, Expectation)> {
    about(on.name(), "combination").filter_map(|[names, level]| Some((names, Expectation::parse(level)?)))
}

/// Returns whether US Core requires `_revinclude=Provenance:target` for the type.
pub(super) fn has_provenance(on: ResourceType) -> bool {
    about(on.name(), "revinclude").any(|[name]| name == "Provenance:target")
}

/// The profiles of Observation that come before the others: kinds of observations, and vital signs in general.
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

/// The names of the US Core profiles of a type.
#[must_use]
pub fn profiles(on: ResourceType) -> Vec<&'static str> {
    let mut names: Vec<_> = about(on.name(), "profile").map(|[name]| name).collect();
    let place = |name: &&str| FIRST.iter().position(|first| first == name).unwrap_or(FIRST.len());
    names.sort_by_key(|name| (place(name), !name.starts_with("us-core-")));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_first_is_a_profile_of_observation() {
        let profiles = profiles(ResourceType::Observation);
        assert_eq!(profiles.get(..FIRST.len()), Some(FIRST.as_slice()));
        assert_eq!(profiles.last(), Some(&"pediatric-weight-for-height"));
    }
}
