//! The sets of parameters by which a store is indexed. The registry knows every parameter that searches support; a
//! store has the values of those of its set, and searches by the others are refused.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, Mutex};

use super::guide::{Guide, NO_GUIDES, names_in};
use super::kind::Modifier;
use super::modifier_params::modifier_param;
use super::param::Param;
use super::registry::{named, params_of};
use super::stored_params::stored_params;
use fhir::{Issue, IssueCode, ResourceType};

/// A set of parameters. Each set contains those of US Core. Two sets are equal if they have the same parameters.
#[derive(Debug)]
pub struct IndexSet {
    /// The text that [`Self::parse`] reads as this set.
    text: String,
    /// True if the set has all parameters of R4 that searches support.
    has_r4: bool,
    /// The numbers of other parameters.
    others: BTreeSet<u16>,
}

impl PartialEq for IndexSet {
    fn eq(&self, other: &Self) -> bool {
        (self.has_r4, &self.others) == (other.has_r4, &other.others)
    }
}

impl Eq for IndexSet {}

static US_CORE: LazyLock<IndexSet> = LazyLock::new(|| IndexSet::base("us-core", false));
static R4: LazyLock<IndexSet> = LazyLock::new(|| IndexSet::base("r4", true));

impl IndexSet {
    /// Returns the parameters that the versions of US Core require, as `src/fhir/tables/served.tsv` names them.
    pub fn us_core() -> &'static Self {
        &US_CORE
    }

    /// Returns all parameters of R4 that searches support.
    pub fn of_r4() -> &'static Self {
        &R4
    }

    fn base(name: &str, has_r4: bool) -> Self {
        Self { text: name.to_owned(), has_r4, others: BTreeSet::new() }
    }

    /// Returns all parameters of R4 and of guides. Filters of scopes may name them.
    pub fn known() -> &'static Self {
        static KNOWN: LazyLock<&IndexSet> = LazyLock::new(|| {
            let names = std::iter::once("r4").chain(Guide::all().map(Guide::name)).collect::<Vec<_>>().join(" ");
            IndexSet::parse(&names).unwrap_or_else(|_| IndexSet::of_r4())
        });
        &KNOWN
    }

    /// Returns the set that a text describes. A line has names: `us-core`, `r4` and those of guides, such as
    /// `carin-bb-2.2.0`, which add what they need. Or it has the name of a type, a tab, and further parameters,
    /// separated by blanks, or `*` for all of R4. `#` begins a comment. Versions of US Core add nothing to its set.
    ///
    /// ```
    /// use fhir::ResourceType;
    /// use search::IndexSet;
    /// use search::registry::named;
    ///
    /// let set = IndexSet::parse("# A search for observations of an encounter.\nObservation\tencounter").unwrap();
    /// let has = |name: &str| set.has(named(ResourceType::Observation, name).unwrap());
    /// assert!(has("code") && has("encounter") && !has("performer"));
    /// assert_eq!(IndexSet::parse("r4"), Ok(IndexSet::of_r4()));
    /// assert_eq!(IndexSet::parse("us-core-7.0.0"), Ok(IndexSet::us_core()));
    /// let claims = IndexSet::parse("us-core-9.0.0 carin-bb-2.2.0").unwrap();
    /// assert!(claims.has(named(ResourceType::ExplanationOfBenefit, "service-date").unwrap()));
    /// ```
    ///
    /// # Errors
    /// If the text is neither, with the reason.
    pub fn parse(text: &str) -> Result<&'static Self, String> {
        /// The sets that were described so far, so that each is kept only once.
        static DESCRIBED: Mutex<BTreeMap<String, &'static IndexSet>> = Mutex::new(BTreeMap::new());
        let named = names_in(text);
        let has_r4 = named.contains(&"r4");
        let mut set = Self::base("", has_r4);
        let mut lines: Vec<String> = Vec::new();
        let mut names: Vec<&str> = if has_r4 { vec!["r4"] } else { Vec::new() };
        for name in named.into_iter().filter(|name| !NO_GUIDES.contains(name)) {
            let guide = Guide::parse(name).map_err(|why| {
                format!("{name:?} is neither us-core nor r4, nor a type, a tab, and the names of parameters; {why}")
            })?;
            for (base, param) in guide.needed() {
                set.add(base, param)?;
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let listed = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
        for (base, params) in listed {
            for param in params.split_ascii_whitespace() {
                set.add(base, param)?;
            }
            lines.push(format!("{base}\t{}", params.trim_end()));
        }
        if set.others.is_empty() {
            return Ok(if has_r4 { Self::of_r4() } else { Self::us_core() });
        }
        if !names.is_empty() {
            lines.insert(0, names.join(" "));
        }
        set.text = lines.join("\n");
        let mut known = DESCRIBED.lock().map_err(|_| "the sets cannot be used".to_owned())?;
        Ok(*known.entry(set.text.clone()).or_insert_with(|| Box::leak(Box::new(set))))
    }

    /// Adds a parameter of a type and the parameters that have its values, or all of R4 for `*`.
    fn add(&mut self, base: &str, name: &str) -> Result<(), String> {
        let of = ResourceType::parse(base).ok_or_else(|| format!("{base} is not served"))?;
        let is_meant = |param: &&Param| if name == "*" { !param.is_of_guides } else { param.name == name };
        let mut found = stored_params(of).filter(is_meant).peekable();
        if found.peek().is_none() {
            return Err(format!("no search supports the parameter {name:?} of {base}"));
        }
        let has_r4 = self.has_r4;
        let is_in_base = move |param: &Param| param.in_us_core || (has_r4 && !param.is_of_guides);
        for param in found.filter(|param| !is_in_base(param)) {
            let component_params =
                param.component_params.iter().filter_map(|place| params_of(of).as_slice().get(*place));
            let all = std::iter::once(param).chain(component_params);
            self.others
                .extend(all.flat_map(|param| param.columns.iter().chain([&param.index_id])).map(|id| id.number()));
        }
        Ok(())
    }

    /// Returns the text that [`Self::parse`] reads as this set. Stores record it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the name of the set that is shown to people.
    pub fn name(&self) -> Cow<'_, str> {
        let names = self.text.lines().next().filter(|line| !line.contains('\t')).unwrap_or("us-core");
        if self.text.contains('\t') { format!("{names} and a list").into() } else { names.into() }
    }

    /// Returns whether a parameter is in the set.
    #[must_use]
    pub fn has(&self, param: &Param) -> bool {
        param.in_us_core || (self.has_r4 && !param.is_of_guides) || self.others.contains(&param.index_id.number())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_with_guides_has_what_they_add_and_no_other_set_has_it() {
        let of = |text: &str| IndexSet::parse(text).unwrap();
        let of_guides =
            || ResourceType::served().iter().flat_map(|base| stored_params(*base)).filter(|one| one.is_of_guides);
        assert!(of_guides().all(|param| !IndexSet::us_core().has(param) && !IndexSet::of_r4().has(param)));
        assert!(of_guides().all(|param| IndexSet::known().has(param)));
        assert_eq!(of_guides().filter(|param| param.index_id == param.id).count(), 29);
        for (text, name, same) in [
            ("us-core-9.0.0", "us-core", "us-core"),
            ("us-core ipa-1.0.0", "ipa-1.0.0", "ipa-1.1.0 us-core-8.0.0"),
            ("r4 ipa-1.1.0", "r4", "r4"),
            ("r4 carin-bb-2.1.0", "r4 carin-bb-2.1.0", "carin-bb-2.0.0 r4"),
            ("Goal\tsubject\npdex-2.2.0", "pdex-2.2.0 and a list", "pdex-2.2.0\n# A comment.\nGoal\tsubject"),
            ("Goal\t*", "us-core and a list", "Goal\t*"),
        ] {
            let set = of(text);
            assert_eq!((set.name().as_ref(), of(set.text())), (name, set), "{text}");
            assert_eq!(of(same), set, "{text}");
        }
        // G11: a store without the guide.
        assert_ne!(of("us-core plan-net-1.2.0"), IndexSet::us_core());
        assert_ne!(of("plan-net-1.2.0"), of("plan-net-1.1.0"));
    }
}
