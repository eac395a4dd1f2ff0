//! The sets of parameters by which a store is indexed. The registry knows every parameter that searches support; a
//! store has the values of those of its set, and searches by the others are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use super::kind::Modifier;
use super::modifier_params::modifier_param;
use super::param::Param;
use super::registry::{named, params_of, stored_params};
use super::us_core::UsCore;
use fhir::{Issue, IssueCode, ResourceType};

/// A set of parameters. Each set contains those of US Core.
#[derive(Debug, PartialEq, Eq)]
pub struct IndexSet {
    text: String,
    others: FurtherParams,
}

/// The parameters of a set besides those of US Core.
#[derive(Debug, PartialEq, Eq)]
enum FurtherParams {
    None,
    All,
    These(BTreeSet<u16>),
}

static US_CORE: IndexSet = IndexSet { text: String::new(), others: FurtherParams::None };
static R4: IndexSet = IndexSet { text: String::new(), others: FurtherParams::All };

impl IndexSet {
    /// Returns the parameters that the versions of US Core require, as `src/fhir/tables/served.tsv` names them.
    #[must_use]
    pub fn us_core() -> &'static Self {
        &US_CORE
    }

    /// Returns all parameters of R4 that searches support.
    #[must_use]
    pub fn all() -> &'static Self {
        &R4
    }

    /// Returns the set of that name: `us-core`, also with a version of US Core (`us-core-7.0.0`), or `r4`. All versions
    /// have the same set, so that stores do not record the version.
    #[must_use]
    pub fn of_name(name: &str) -> Option<&'static Self> {
        match name {
            "us-core" => Some(Self::us_core()),
            "r4" => Some(Self::all()),
            _ => UsCore::of_set(name).map(|_| Self::us_core()),
        }
    }

    /// Returns the set with that name, or the set of US Core with further parameters from lines: the name of a type, a
    /// tab, and parameters separated by blanks, or `*` for all. `#` begins a comment.
    ///
    /// ```
    /// use fhir::ResourceType;
    /// use search::{IndexSet, named};
    ///
    /// let set = IndexSet::parse("# A search for observations of an encounter.\nObservation\tencounter").unwrap();
    /// let has = |name: &str| set.has(named(ResourceType::Observation, name).unwrap());
    /// assert!(has("code") && has("encounter") && !has("performer"));
    /// assert_eq!(IndexSet::parse("r4"), Ok(IndexSet::all()));
    /// assert_eq!(IndexSet::parse("us-core-7.0.0"), Ok(IndexSet::us_core()));
    /// ```
    ///
    /// # Errors
    /// If the text is neither a name nor such lines, with the reason.
    pub fn parse(text: &str) -> Result<&'static Self, String> {
        /// The sets that were described so far, so that each is kept only once.
        static DESCRIBED: Mutex<BTreeMap<String, &'static IndexSet>> = Mutex::new(BTreeMap::new());
        if let Some(named) = Self::of_name(text.trim()) {
            return Ok(named);
        }
        let mut others = BTreeSet::new();
        let mut described = Vec::new();
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (base, names) = line.split_once('\t').ok_or_else(|| {
                format!("{line:?} is neither us-core nor r4, nor a type, a tab, and the names of parameters")
            })?;
            let base = ResourceType::parse(base).ok_or_else(|| format!("{base} is not served"))?;
            for name in names.split_ascii_whitespace() {
                let all: &mut dyn Iterator<Item = _> =
                    if name == "*" { &mut stored_params(base) } else { &mut params_of(base) };
                let found: Vec<_> = all.filter(|param| name == "*" || param.name == name).collect();
                if found.is_empty() {
                    return Err(format!("no search supports the parameter {name:?} of {base}"));
                }
                for param in found.iter().filter(|param| !param.in_us_core) {
                    let component_params =
                        param.component_params.iter().filter_map(|place| params_of(base).as_slice().get(*place));
                    let all = std::iter::once(*param).chain(component_params);
                    others.extend(
                        all.flat_map(|param| param.columns.iter().chain([&param.index_id])).map(|id| id.number()),
                    );
                }
            }
            described.push(line);
        }
        let set = Self { text: described.join("\n"), others: FurtherParams::These(others) };
        let mut known = DESCRIBED.lock().map_err(|_| "the sets cannot be used".to_owned())?;
        Ok(*known.entry(set.text.clone()).or_insert_with(|| Box::leak(Box::new(set))))
    }

    /// Returns the text that [`Self::parse`] reads as this set. Stores record it.
    #[must_use]
    pub fn text(&self) -> &str {
        match self.others {
            FurtherParams::None => "us-core",
            FurtherParams::All => "r4",
            FurtherParams::These(_) => &self.text,
        }
    }

    /// Returns the name of the set that is shown to people.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.others {
            FurtherParams::None | FurtherParams::All => self.text(),
            FurtherParams::These(_) => "us-core and a list",
        }
    }

    /// Returns whether a parameter is in the set.
    #[must_use]
    pub fn has(&self, param: &Param) -> bool {
        param.in_us_core
            || match &self.others {
                FurtherParams::None => false,
                FurtherParams::All => true,
                FurtherParams::These(others) => others.contains(&param.index_id.number()),
            }
    }

    /// Returns whether a parameter of the set accepts a modifier. The values of some modifiers are stored separately.
    #[must_use]
    pub fn takes(&self, param: &Param, modifier: Modifier) -> bool {
        param.takes(modifier) && modifier_param(param, modifier).is_none_or(|other| self.has(other))
    }

    /// Returns the parameters of a type that are in the set, `_id` and `_lastUpdated` first.
    pub fn params_of(&self, base: ResourceType) -> impl Iterator<Item = &'static Param> {
        params_of(base).filter(|param| self.has(param))
    }

    /// Returns the parameter with that name, if the type has one and it is in the set.
    #[must_use]
    pub fn named(&self, base: ResourceType, name: &str) -> Option<&'static Param> {
        named(base, name).filter(|param| self.has(param))
    }

    /// Returns the parameter with that name. `None` if the type has none.
    ///
    /// # Errors
    /// If the parameter is not in the set.
    pub(super) fn find(&self, base: ResourceType, name: &str) -> Result<Option<&'static Param>, Issue> {
        let found = named(base, name);
        if found.is_none_or(|param| self.has(param)) {
            return Ok(found);
        }
        Err(self.not_indexed(base, name))
    }

    /// Returns the issue for a parameter that is not in the set. It lists the parameters of the set.
    pub(super) fn not_indexed(&self, base: ResourceType, name: &str) -> Issue {
        let text = format!("{base} is not indexed by \"{name}\" here.");
        let names: Vec<_> = self.params_of(base).map(|param| param.name).collect();
        let hint = format!("The index {} of {base} has: {}", self.name(), names.join(", "));
        Issue::error(IssueCode::NotSupported, text).hint(hint)
    }

    /// Returns the parameters of [`stored_params`] that are in the set. Stores record which of them they have indexed.
    pub fn stored_params(&self, base: ResourceType) -> impl Iterator<Item = &'static Param> {
        stored_params(base).filter(|param| self.has(param))
    }
}
