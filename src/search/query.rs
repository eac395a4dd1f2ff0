//! Parsed searches. The field names follow FHIR's logic: a resource matches a query if it satisfies `all` clauses. It
//! satisfies a clause if some value satisfies `any` criterion, and a negated clause if none does.

use super::clause::Clause;
use super::clinical_period::ClinicalPeriod;
use super::include::Include;
use super::join::Join;
use super::param::Param;
use fhir::{Frame, Id, Issue, Micros, ResourceType, Subset};

/// The condition of being in the compartment of one of these patients: the resource belongs to the patient (perhaps
/// with others), or another parameter of R4's definition refers to the patient. For a Patient, only the latter counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberOf {
    /// The patients.
    pub patients: Vec<Id>,
    /// The clause for resources that refer to one of the patients and belong to none of them.
    pub clause: Clause,
}

/// A key to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortRule {
    /// A parameter of the type that is not chained.
    pub param: &'static Param,
    /// True for descending order.
    pub descending: bool,
}

/// The request for `Bundle.total` (<https://hl7.org/fhir/R4/search.html#total>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// The total is given if it is known without extra cost, because the page contains all matches.
    WhereKnown,
    /// The total is not wanted.
    None,
    /// The total is wanted, and counted.
    Accurate,
}

/// The mode of the entries that a search finds (<https://hl7.org/fhir/R4/valueset-search-entry-mode.html>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryMode {
    /// The resources are matches.
    Match,
    /// The resources are added to the matches of another search.
    Include,
}

/// The limit of `$lastn`. Matches that share a value of a parameter, directly or through other matches, form a group,
/// of which the newest are kept. A match without a value shares none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LatestLimit {
    /// The number of matches that are kept in each group.
    pub max: usize,
    /// The parameter.
    pub by: &'static Param,
}

/// A search, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The type that is searched.
    pub resource_type: ResourceType,
    /// The patients to whom the matches must belong, in order and each once, if the query names any. With an empty
    /// list, nothing can match.
    pub patients: Option<Vec<Id>>,
    /// The clauses of the parameter `patient`, all of which must hold, for a type whose resources may belong to
    /// patients who are not their subjects.
    pub about: Vec<Clause>,
    /// The compartments in one of which the matches must be. `None` if ownership decides.
    pub member_of: Option<MemberOf>,
    /// The clauses, all of which must hold.
    pub all: Vec<Clause>,
    /// The clauses of which at least one must hold, unless the list is empty.
    pub any_of: Vec<Clause>,
    /// The conditions on resources that references connect with the matches, all of which must hold.
    pub joins: Vec<Join>,
    /// The period of care to which the matches are limited.
    pub period: Option<ClinicalPeriod>,
    /// The limit on the newest matches of each group. Groups are ordered by their newest match.
    pub latest: Option<LatestLimit>,
    /// The references to follow from the matches.
    pub include: Vec<Include>,
    /// The references to follow backward from the matches.
    pub revinclude: Vec<Include>,
    /// The order; empty for the default one.
    pub sort: Vec<SortRule>,
    /// The mode of the entries of the results.
    pub mode: EntryMode,
    /// The most matches on a page.
    pub count: usize,
    /// True if only the number of matches is wanted.
    pub count_only: bool,
    /// The request for the number of matches beside the page.
    pub total: Total,
    /// The part of each resource that is wanted.
    pub subset: Subset,
    /// The cursor that came with the query, as text.
    pub cursor: Option<String>,
    /// The moment of the search, if a criterion depends on it. Later pages use the same moment.
    pub now: Option<Micros>,
    /// The query as understood, name and value, without the cursor, for the `self` link.
    pub parameters: Vec<(String, String)>,
    /// A warning for each parameter that was ignored (`Prefer: handling=lenient`).
    pub ignored: Vec<Issue>,
}

/// The most matches on a page of a query without `_count`.
const DEFAULT_COUNT: usize = 50;

impl Query {
    /// Returns the query without parameters.
    pub const fn everything(resource_type: ResourceType) -> Self {
        Self {
            resource_type,
            patients: None,
            about: Vec::new(),
            member_of: None,
            all: Vec::new(),
            any_of: Vec::new(),
            joins: Vec::new(),
            period: None,
            latest: None,
            include: Vec::new(),
            revinclude: Vec::new(),
            sort: Vec::new(),
            mode: EntryMode::Match,
            count: DEFAULT_COUNT,
            count_only: false,
            total: Total::WhereKnown,
            subset: Subset::Whole,
            cursor: None,
            now: None,
            parameters: Vec::new(),
            ignored: Vec::new(),
        }
    }

    /// Returns the patients whose records the query is limited to, by owner or by compartment.
    pub fn whose(&self) -> Option<&[Id]> {
        self.patients.as_deref().or_else(|| Some(self.member_of.as_ref()?.patients.as_slice()))
    }

    /// Returns the types of the resources that the joins lead to, without duplicates.
    pub fn joined_types(&self) -> Vec<ResourceType> {
        let mut types = Vec::new();
        self.joins.iter().for_each(|join| join.add_types(&mut types));
        types
    }

    /// Returns the references to follow, forward and then backward.
    pub fn includes(&self) -> Vec<Include> {
        self.include.iter().chain(&self.revinclude).copied().collect()
    }

    /// Returns the frame of the entries of the results, for this FHIR base.
    pub fn frame(&self, base: &str) -> Frame {
        match self.mode {
            EntryMode::Match => Frame::matched(base, self.resource_type),
            EntryMode::Include => Frame::included(base, self.resource_type),
        }
    }

    /// Returns the sort keys before `_id`, and true if ids descend. Keys after the unique ids have no effect.
    pub fn sort_keys(&self) -> (Vec<SortRule>, bool) {
        let is_id = |key: &&SortRule| key.param.name == "_id";
        let keys = self.sort.iter().take_while(|key| !is_id(key)).copied().collect();
        (keys, self.sort.iter().find(is_id).is_some_and(|key| key.descending))
    }

    /// Returns whether the query names resources or patients, so that it does not list a whole type. Conditions on the
    /// absence or mere presence of a value, and negated ones, do not name a resource.
    #[must_use]
    pub fn is_identifying(&self) -> bool {
        self.whose().is_some() || self.all.iter().any(Clause::identifies)
    }
}
