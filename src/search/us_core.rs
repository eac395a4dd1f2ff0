//! Requirements of US Core for a server, from its table in `src/tables/`.

use std::sync::LazyLock;

use crate::fhir::{Blocks, ResourceType, columns};

macro_rules! version {
    () => {
        "6.1.0"
    };
}

/// The version of US Core that is served.
pub const US_CORE: &str = version!();

static TABLE: LazyLock<Blocks> =
    LazyLock::new(|| Blocks::read(include_str!(concat!("../tables/us-core-", version!(), ".tsv"))));

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

/// The lines of one sort about a type, such as `profile`: that word, a name, the expectation, and more.
fn about(on: &str, sort: &'static str) -> impl Iterator<Item = [&'static str; 7]> {
    TABLE.about(on).iter().map(|line| columns(line)).filter(move |[word, ..]| *word == sort)
}

/// The line of that sort and name.
fn line(on: &str, sort: &'static str, name: &str) -> Option<[&'static str; 7]> {
    about(on, sort).find(|[_, own, ..]| *own == name)
}

/// The columns of a parameter of a type. Behind the expectation are the id of its definition and, where R4 does not
/// define the same, its type, its elements, and its targets or its system.
pub(super) fn parameter(on: &str, name: &str) -> Option<[&'static str; 7]> {
    line(on, "parameter", name)
}

/// The target types that can be included by a parameter of a type. An empty text stands for all of the parameter.
pub(super) fn included(on: ResourceType, name: &str) -> Option<&'static str> {
    line(on.name(), "include", name).map(|[_, _, _, targets, ..]| targets)
}

/// The combinations of parameters of a type, with their expectations.
pub(super) fn combinations(on: ResourceType) -> impl Iterator<Item = (&'static str, Expectation)> {
    about(on.name(), "combination").filter_map(|[_, names, level, ..]| Some((names, Expectation::parse(level)?)))
}

/// Returns whether US Core requires `_revinclude=Provenance:target` for the type.
pub(super) fn has_provenance(on: ResourceType) -> bool {
    line(on.name(), "revinclude", "Provenance:target").is_some()
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

/// The names of the US Core profiles of a type: the first ones, the other ones of US Core, and those that it took over.
#[must_use]
pub fn profiles(on: ResourceType) -> Vec<&'static str> {
    let mut names = Vec::new();
    for first in FIRST {
        names.extend(line(on.name(), "profile", first).map(|[_, name, ..]| name));
    }
    for is_own in [true, false] {
        for [_, name, ..] in about(on.name(), "profile") {
            if name.starts_with("us-core-") == is_own && !FIRST.contains(&name) {
                names.push(name);
            }
        }
    }
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
