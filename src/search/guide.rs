//! The guides whose CapabilityStatements a server instantiates: a version of US Core, and others.

use std::sync::LazyLock;

use fhir::{Blocks, Columns, ResourceType, words};

/// A version of an implementation guide, from `src/search/tables/guides.tsv`.
#[derive(Debug)]
pub struct Guide {
    /// The names of the versions that ask for the same, the newest first.
    names: &'static str,
    canonical: &'static str,
    /// The ids of its CapabilityStatements.
    statements: &'static str,
    lines: &'static [Columns],
}

static TABLE: LazyLock<Blocks> = LazyLock::new(|| Blocks::read(include_str!("tables/guides.tsv")));

static GUIDES: LazyLock<Vec<Guide>> = LazyLock::new(|| {
    let first = |(names, [word, canonical, statements, ..]): (&'static str, Columns)| {
        (word == "*").then(|| Guide {
            names,
            canonical,
            statements,
            lines: TABLE.about(names).get(1..).unwrap_or_default(),
        })
    };
    TABLE.all().filter_map(first).collect()
});

/// The names of sets of parameters that are no guides.
pub(super) const NO_GUIDES: [&str; 2] = ["us-core", "r4"];

/// The beginning of the names of versions of US Core.
const US_CORE: &str = "us-core-";

/// The conformance expectations of a guide (<https://hl7.org/fhir/R4/extension-capabilitystatement-expectation.html>).
const LEVELS: [&str; 3] = ["SHALL", "SHOULD", "MAY"];

impl Guide {
    /// Returns the version of US Core that the contract names, 6.1.0.
    #[allow(clippy::indexing_slicing, reason = "the table begins with it")]
    pub fn of_contract() -> &'static Self {
        &GUIDES[0]
    }

    /// Returns the versions of US Core, the oldest first. They have other profiles and combinations, but ask for the
    /// same parameters. Therefore the registry and [`super::IndexSet::us_core`] are the same for all versions.
    pub fn us_core() -> impl Iterator<Item = &'static Self> {
        GUIDES.iter().filter(|guide| guide.is_us_core())
    }

    /// Returns all guides, those of US Core first.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        GUIDES.iter()
    }

    /// Returns the guide with that name and version, such as `carin-bb-2.2.0`.
    ///
    /// # Errors
    /// If there is none, with the known names.
    pub fn parse(name: &str) -> Result<&'static Self, String> {
        let names = || GUIDES.iter().flat_map(|guide| guide.names().map(move |name| (name, guide)));
        let found = names().find(|(own, _)| *own == name).map(|(_, guide)| guide);
        found.ok_or_else(|| {
            let names: Vec<_> = names().map(|(name, _)| name).collect();
            format!("{name:?} is none of {}", names.join(", "))
        })
    }

    /// Returns the names with the versions that ask for the same, the newest first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        words(self.names)
    }

    /// Returns the first of the names.
    pub fn name(&self) -> &'static str {
        self.names().next().unwrap_or_default()
    }

    fn is_us_core(&self) -> bool {
        self.names.starts_with(US_CORE)
    }

    /// Returns the number of a version of US Core, such as `7.0.0`.
    fn version(&self) -> &'static str {
        self.names.trim_start_matches(US_CORE)
    }

    /// Returns a column of the line of a type.
    fn column(&self, base: &str, at: usize) -> &'static str {
        let line = self.lines.iter().find(|[own, ..]| *own == base);
        line.and_then(|columns| columns.get(at)).copied().unwrap_or_default()
    }

    /// Returns the words of a column, each with the expectation that precedes it.
    fn words(&self, base: &str, at: usize) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let mut level = "";
        words(self.column(base, at)).filter_map(move |word| {
            let is_level = LEVELS.contains(&word);
            if is_level {
                level = word;
            }
            (!is_level).then_some((word, level))
        })
    }

    /// Returns the types and names of the parameters that a server needs beside those of US Core.
    pub fn needed(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let lines = self.lines.iter().filter(|_| !self.is_us_core());
        lines.flat_map(|[base, _, params, ..]| words(params).map(|word| (*base, name_of(word))))
    }

    /// Returns the address of the definition of a parameter of a type.
    pub(super) fn definition(&self, base: &str, name: &str) -> Option<String> {
        let (word, _) = self.words(base, 2).find(|(word, _)| name_of(word) == name)?;
        let prefix = if self.is_us_core() { US_CORE } else { "" };
        let id = word.split_once('=').map(|(_, id)| id.to_owned());
        let id = id.unwrap_or_else(|| format!("{prefix}{}-{name}", base.to_ascii_lowercase()));
        Some(format!("{}/SearchParameter/{id}", self.canonical))
    }

    /// Returns the target types that can be included by a parameter of a type. None of them means all types of the
    /// parameter.
    pub(super) fn included(&self, base: ResourceType, name: &str) -> Option<Vec<&'static str>> {
        let values = self.words(base.name(), 4).map(|(value, _)| value.split_once(':').unwrap_or((value, "")));
        let targets: Vec<_> = values.filter(|(own, _)| *own == name).map(|(_, target)| target).collect();
        (!targets.is_empty()).then(|| targets.into_iter().filter(|target| !target.is_empty()).collect())
    }

    /// Returns the combinations of parameters of a type with an expectation, joined by `+`.
    pub(super) fn combinations(&self, base: ResourceType, level: Expectation) -> Vec<&'static str> {
        self.words(base.name(), 3).filter(|(_, of)| *of == level.word()).map(|(names, _)| names).collect()
    }

    /// Returns whether `_revinclude=Provenance:target` is required for the type.
    pub(super) fn has_provenance(&self, base: ResourceType) -> bool {
        self.column(base.name(), 5) == "Provenance:target"
    }

    /// Returns the addresses of the profiles of a type: of US Core the first ones, the other ones with a name of its
    /// own, those that it adopted, and the profiles of other guides.
    pub fn profiles(&self, base: ResourceType) -> Vec<String> {
        let all = || words(self.column(base.name(), 1));
        let mut names: Vec<_> = FIRST.into_iter().filter(|first| all().any(|name| name == *first)).collect();
        for is_own in [true, false] {
            names.extend(all().filter(|name| name.starts_with(US_CORE) == is_own && !FIRST.contains(name)));
        }
        let version = if self.is_us_core() { format!("|{}", self.version()) } else { String::new() };
        let address = |name: &str| match name.contains("://") {
            true => name.to_owned(),
            false => format!("{}/StructureDefinition/{name}{version}", self.canonical),
        };
        names.into_iter().map(address).collect()
    }
}

/// Returns the name of a parameter without the id of its definition.
fn name_of(word: &'static str) -> &'static str {
    word.split_once('=').map_or(word, |(name, _)| name)
}

/// Returns the names in the text of a set.
pub(super) fn names_in(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.contains('\t') && !line.starts_with('#'));
    lines.flat_map(str::split_ascii_whitespace).collect()
}

/// The guides that a server declares.
#[derive(Debug, Clone)]
pub struct Guides {
    us_core: &'static Guide,
    others: Vec<&'static Guide>,
}

impl PartialEq for Guides {
    fn eq(&self, other: &Self) -> bool {
        self.all().map(Guide::name).eq(other.all().map(Guide::name))
    }
}

impl From<&'static Guide> for Guides {
    fn from(us_core: &'static Guide) -> Self {
        Self { us_core, others: Vec::new() }
    }
}

impl Guides {
    /// Returns the guides with these names, separated by blanks, and those that the text of an index set names.
    /// `us_core` is the number of the version of US Core, and may be empty. The default is that of the contract.
    ///
    /// # Errors
    /// If a guide is unknown, or there are several versions of US Core; with the reason.
    pub fn declared(names: &str, us_core: &str, set: &str) -> Result<Self, String> {
        let number = if us_core.is_empty() { String::new() } else { format!("{US_CORE}{us_core}") };
        let (mut of_us_core, mut others): (Vec<&Guide>, Vec<&Guide>) = Default::default();
        for name in [names, &number, set].into_iter().flat_map(names_in).filter(|name| !NO_GUIDES.contains(name)) {
            let guide = Guide::parse(name)?;
            let of_kind = if guide.is_us_core() { &mut of_us_core } else { &mut others };
            if !of_kind.iter().any(|known| known.names == guide.names) {
                of_kind.push(guide);
            }
        }
        match *of_us_core.as_slice() {
            [] => Ok(Self { us_core: Guide::of_contract(), others }),
            [us_core] => Ok(Self { us_core, others }),
            [one, other, ..] => Err(format!("{} and {} are two versions of US Core", one.names, other.names)),
        }
    }

    /// Returns the guides, US Core first.
    pub fn all(&self) -> impl Iterator<Item = &'static Guide> {
        std::iter::once(self.us_core).chain(self.others.iter().copied())
    }

    /// Returns the number of the version of US Core, such as `7.0.0`.
    pub fn us_core_version(&self) -> &'static str {
        self.us_core.version()
    }

    /// Returns the addresses of the CapabilityStatements. That of US Core comes first with its version, then all come
    /// without one.
    pub fn statements(&self) -> Vec<String> {
        let address = |guide: &Guide, id: &str| format!("{}/CapabilityStatement/{id}", guide.canonical);
        let plain = self.all().flat_map(|guide| words(guide.statements).map(move |id| address(guide, id)));
        let first = words(self.us_core.statements).map(|id| address(self.us_core, id));
        first.map(|first| format!("{first}|{}", self.us_core_version())).chain(plain).collect()
    }

    /// Returns the addresses of the profiles of a type, without duplicates.
    pub fn profiles(&self, base: ResourceType) -> Vec<String> {
        let mut all = Vec::new();
        for profile in self.all().flat_map(|guide| guide.profiles(base)) {
            if !all.contains(&profile) {
                all.push(profile);
            }
        }
        all
    }
}

/// The conformance expectation of a guide about a combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expectation {
    /// Must be supported.
    Shall,
    /// Should be supported.
    Should,
}

impl Expectation {
    /// Returns the code in the expectation extension.
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
    use crate::IndexSet;
    use crate::registry::named;

    #[test]
    fn what_comes_first_is_a_profile_of_observation() {
        for us_core in Guide::us_core() {
            let url =
                |name: &str| format!("http://hl7.org/fhir/us/core/StructureDefinition/{name}|{}", us_core.version());
            let profiles = us_core.profiles(ResourceType::Observation);
            assert_eq!(profiles.get(..FIRST.len()), Some(FIRST.map(url).as_slice()), "{}", us_core.names);
            assert_eq!(profiles.last(), Some(&url("pediatric-weight-for-height")));
        }
    }

    #[test]
    fn the_versions_of_us_core_ask_for_parameters_of_one_set() {
        for (us_core, parameters) in Guide::us_core().zip([103, 107, 106, 108]) {
            // Parameters without an expectation are defined, but not required.
            let of_type = |base: ResourceType| us_core.words(base.name(), 2).map(move |one| (base, one));
            let all =
                ResourceType::served().iter().copied().flat_map(of_type).filter(|(_, (_, level))| !level.is_empty());
            let asked: Vec<_> = all.map(|(base, (word, _))| (base, name_of(word))).collect();
            for (base, name) in &asked {
                assert!(named(*base, name).is_some_and(|one| one.in_us_core), "{} {base} {name}", us_core.names);
            }
            assert_eq!(asked.len(), parameters, "{}", us_core.names);
            for base in ResourceType::served() {
                assert_eq!(us_core.column(base.name(), 4), Guide::of_contract().column(base.name(), 4), "{base}");
            }
        }
    }

    #[test]
    fn a_set_has_every_parameter_that_a_guide_needs() {
        for guide in Guide::all() {
            let set = IndexSet::parse(guide.name()).unwrap();
            for (base, name) in guide.needed() {
                let base = ResourceType::parse(base).unwrap();
                assert!(named(base, name).is_some_and(|param| set.has(param)), "{} {base} {name}", guide.names);
            }
        }
    }

    #[test]
    fn the_configuration_says_which_guides_are_declared() {
        for (names, us_core, set, expected) in [
            ("", "", "us-core", Ok("us-core-6.1.0")),
            ("", "", " us-core-7.0.0\n", Ok("us-core-7.0.0")),
            ("", "8.0.0", "r4", Ok("us-core-8.0.0")),
            ("", "7.0.0", "Observation\tencounter", Ok("us-core-7.0.0")),
            ("us-core-8.0.0", "8.0.0", "us-core-8.0.0", Ok("us-core-8.0.0")),
            (
                " pdex-2.2.0  carin-bb-2.0.0",
                "",
                "r4 ipa-1.1.0",
                Ok("us-core-6.1.0 pdex-2.2.0 carin-bb-2.2.0 ipa-1.1.0"),
            ),
            ("ipa-1.1.0 us-core-9.0.0 ipa-1.0.0", "", "", Ok("us-core-9.0.0 ipa-1.1.0")),
            ("us-core-9.0.0", "8.0.0", "", Err("us-core-9.0.0 and us-core-8.0.0 are two")),
            // G1
            ("us-core-9.0.0 nope-1", "", "", Err("\"nope-1\" is none of us-core-6.1.0, us-core-7.0.0, ")),
            ("", "5.0.0", "r4", Err("\"us-core-5.0.0\" is none of ")),
        ] {
            match (Guides::declared(names, us_core, set), expected) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(found.all().map(Guide::name).collect::<Vec<_>>().join(" "), expected);
                }
                (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
                (found, _) => panic!("{names} {us_core} {set}: {found:?}"),
            }
        }
    }
}
