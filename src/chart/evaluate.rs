//! The evaluation of a permitted query over candidate rows: filtering, ordering and paging. It reads rows only through
//! [`Candidate`], so that it serves the memory store and charts, both in a database and on shelves.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use collections::order::{ordered, sorted};
use fhir::{Id, Reference, ResourceType};
use search::sorting::{BEFORE_ID, compare_positions};
use search::{Clause, LatestLimit, MemberOf, Param, Query, SortRule, Total};
use smart::{AccessRule, Owner, PatientList, PatientSet, Permitted};

/// The patients on a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessList {
    /// Every patient.
    All,
    /// The patients of a set.
    These(BTreeSet<Id>),
    /// Every patient but those of a set.
    AllBut(BTreeSet<Id>),
}

impl AccessList {
    /// Returns whether patients have opted out.
    fn has_opt_outs(&self) -> bool {
        matches!(self, Self::AllBut(others) if !others.is_empty())
    }
}

/// The lists that access rules name.
pub type AccessLists = HashMap<PatientList, Rc<AccessList>>;

/// A resource, and the patient in whose record it is.
pub type InRecord = (Reference, Option<Id>);

/// A row that may match, as a handle that is cheap to copy.
pub trait Candidate<'a>: Copy {
    /// Returns the type.
    fn resource_type(self) -> ResourceType;
    /// Returns the id.
    fn id(self) -> &'a str;
    /// Returns the position in the default order.
    fn sort_key(self) -> &'a str;
    /// Returns the owner.
    fn owner(self) -> &'a Owner;
    /// Returns the values by which a search groups its matches, as texts that are equal if the values are.
    fn values(self, param: &'static Param) -> Vec<Rc<str>>;
    /// Returns whether the facts of the row satisfy the clause.
    fn satisfies(self, clause: &'a Clause) -> bool;
    /// Appends the row's code for a rule of `_sort` ([`SortRule::code`]).
    fn add_sort_code(self, rule: &SortRule, to: &mut String);
}

/// The rows of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchResult<R> {
    /// The matches of the page, in order.
    pub page: Vec<R>,
    /// The end of the page, if there are more matches.
    pub page_end: Option<String>,
    /// The number of matches on all pages, if it is known.
    pub total: Option<u64>,
}

/// The rows that may match.
#[derive(Debug, Clone, Copy)]
pub struct Candidates<I> {
    /// The rows.
    pub rows: I,
    /// True if the rows are in the default order. Then no more of them are read than the page needs.
    pub by_sort_key: bool,
}

/// Answers a search from `candidates`. The caller has already left out rows that do not satisfy the query's joins, and
/// adds the included resources.
pub fn evaluate<'a, R: Candidate<'a>>(
    permitted: &'a Permitted<Query>,
    access_lists: &AccessLists,
    after: Option<&str>,
    candidates: Candidates<impl Iterator<Item = R>>,
) -> SearchResult<R> {
    let query = permitted.request();
    let (keys, _) = query.sort_keys();
    let is_enough = candidates.by_sort_key && query.sort.is_empty() && query.latest.is_none() && !counts(query);
    let (first, most) = if is_enough { (after, query.count.saturating_add(1)) } else { (None, usize::MAX) };
    let (mut positions, mut rows): (Vec<Cow<'a, str>>, Vec<R>) = candidates
        .rows
        .skip_while(|row| first.is_some_and(|after| row.sort_key() <= after))
        .filter(|row| matches(permitted, access_lists, *row))
        .map(|row| (position(query, &keys, row), row))
        .take(most)
        .unzip();
    if let Some(latest) = query.latest {
        (positions, rows) = latest_of(latest, &rows);
    }
    let SearchResult { page, page_end, total } = page_of(query, after, &positions);
    SearchResult { page: page.into_iter().filter_map(|at| rows.get(at).copied()).collect(), page_end, total }
}

/// Returns whether the matches on all pages must be counted.
fn counts(query: &Query) -> bool {
    query.count_only || query.total == Total::Accurate
}

/// Returns the page after `after` of matches with these positions, as indexes of the matches.
pub fn page_of(query: &Query, after: Option<&str>, positions: &[Cow<'_, str>]) -> SearchResult<usize> {
    let (_, descending) = query.sort_keys();
    let has_codes = !query.sort.is_empty();
    let order = |a: &str, b: &str| if has_codes { compare_positions(a, b, descending) } else { a.cmp(b) };
    let position = |at: usize| positions.get(at).map(Cow::as_ref).unwrap_or_default();
    let hits = if positions.is_sorted_by(|a, b| order(a, b) != Ordering::Greater) {
        (0..positions.len()).collect()
    } else {
        ordered(positions.len(), &|a, b| order(position(a), position(b)))
    };
    let from = after.map_or(0, |after| hits.partition_point(|at| order(position(*at), after) != Ordering::Greater));
    let count = if query.count_only { 0 } else { query.count };
    let rest = hits.get(from..).unwrap_or_default();
    let page = rest.get(..count.min(rest.len())).unwrap_or_default();
    let page_end = if rest.len() > page.len() { page.last().map(|at| position(*at).to_owned()) } else { None };
    let known = query.total == Total::WhereKnown && after.is_none() && page_end.is_none();
    let total = (counts(query) || known).then_some(hits.len() as u64);
    SearchResult { page: page.to_vec(), page_end, total }
}

/// Returns the newest rows of each group with their positions. A position is the sort key of the newest row of the
/// group, a space (which sorts before the characters of ids), and the sort key of the row.
fn latest_of<'a, R: Candidate<'a>>(LatestLimit { max, by }: LatestLimit, rows: &[R]) -> (Vec<Cow<'a, str>>, Vec<R>) {
    let rows = sorted(rows.to_vec(), &|a, b| a.sort_key().cmp(b.sort_key()));
    // Each row begins as a group. Each group leads to an earlier one with which it shares a value, or to itself.
    let mut leads_to: Vec<usize> = (0..rows.len()).collect();
    let mut with_value: HashMap<Rc<str>, usize> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        for value in row.values(by) {
            let other = *with_value.entry(value).or_insert(at);
            let (one, other) = (first_of(at, &leads_to), first_of(other, &leads_to));
            if let Some(later) = leads_to.get_mut(one.max(other)) {
                *later = one.min(other);
            }
        }
    }
    let mut kept = Vec::new();
    let mut counts = vec![0; rows.len()];
    for (at, row) in rows.iter().enumerate() {
        let first = first_of(at, &leads_to);
        let (Some(count), Some(newest)) = (counts.get_mut(first), rows.get(first)) else { continue };
        *count += 1;
        if *count <= max {
            kept.push((Cow::Owned([newest.sort_key(), " ", row.sort_key()].concat()), *row));
        }
    }
    kept.into_iter().unzip()
}

/// Returns the first row of the group of a row.
fn first_of(row: usize, leads_to: &[usize]) -> usize {
    let mut at = row;
    while let Some(next) = leads_to.get(at).filter(|next| **next != at) {
        at = *next;
    }
    at
}

/// Returns the patients among owners, in order and without duplicates.
pub fn patients_of<'a>(owners: impl Iterator<Item = &'a Owner>) -> Vec<Id> {
    let mut all = Vec::new();
    for patient in owners.flat_map(Owner::patients) {
        patient.put(&mut all);
    }
    all
}

/// Returns whether a row satisfies the clauses of a search and is in its period, and an access rule opens the row.
pub fn matches<'a, R: Candidate<'a>>(permitted: &'a Permitted<Query>, access_lists: &AccessLists, row: R) -> bool {
    let query = permitted.request();
    query.about.iter().chain(&query.all).all(|clause| row.satisfies(clause))
        && (query.any_of.is_empty() || query.any_of.iter().any(|clause| row.satisfies(clause)))
        && query.member_of.as_ref().is_none_or(|members| is_member(members, row))
        && query.period.as_ref().is_none_or(|period| period.has(|clause| row.satisfies(clause)))
        && opens(permitted.rules(), access_lists, row)
}

/// Returns whether a row is in the compartment of one of these patients.
fn is_member<'a, R: Candidate<'a>>(members: &'a MemberOf, row: R) -> bool {
    let belongs = row.owner().patients().any(|owner| members.patients.contains(owner));
    (belongs && row.resource_type() != ResourceType::Patient) || row.satisfies(&members.clause)
}

/// Returns whether at least one of the access rules opens a row.
pub fn opens<'a, R: Candidate<'a>>(rules: &'a [AccessRule], access_lists: &AccessLists, row: R) -> bool {
    rules.iter().any(|rule| {
        let has_opt_outs = match &rule.patients {
            PatientSet::AccessList(name) => access_lists.get(name).is_some_and(|list| list.has_opt_outs()),
            PatientSet::All | PatientSet::One(_) | PatientSet::Nobody => false,
        };
        let is_reached = match row.resource_type() {
            // A Group only has the ids of its members.
            ResourceType::Group if has_opt_outs && row.owner().sole().is_none() => true,
            // A Binary without an owner belongs to the patients of the resources that carry it.
            ResourceType::Binary if has_opt_outs && row.owner().patients().next().is_none() => false,
            _ => reaches(&rule.patients, access_lists, row.owner()),
        };
        is_reached && rule.only.iter().all(|clause| row.satisfies(clause))
    })
}

/// Returns whether an access rule for these patients reaches resources of this owner.
pub fn reaches(patients: &PatientSet, access_lists: &AccessLists, owner: &Owner) -> bool {
    match (patients, owner) {
        (PatientSet::All, _) | (_, Owner::Everyone) => true,
        (PatientSet::Nobody, owner) => matches!(owner, Owner::Patients(patients) if patients.is_empty()),
        (PatientSet::One(patient), Owner::Patients(_) | Owner::Undetermined(_)) => owner.sole() == Some(patient),
        (PatientSet::AccessList(name), Owner::Patients(known) | Owner::Undetermined(known)) => {
            match access_lists.get(name).map(Rc::as_ref) {
                Some(AccessList::All) => true,
                Some(AccessList::AllBut(others)) => known.is_disjoint(others),
                Some(AccessList::These(listed)) => {
                    matches!(owner, Owner::Patients(_)) && !known.is_empty() && known.is_subset(listed)
                }
                None => false,
            }
        }
    }
}

/// Returns whether access rules may reach a resource in a compartment. A compartment that is not a patient's may hold
/// resources of several patients.
pub fn may_reach(rules: &[AccessRule], access_lists: &AccessLists, compartment: &str) -> bool {
    let Some(patient) = Id::parse(compartment) else { return true };
    let owner = Owner::Patients([patient].into());
    rules.iter().any(|rule| reaches(&rule.patients, access_lists, &owner))
}

/// Returns whether a resource of `owner` is included with a resource that it refers to, which is in the record of
/// `patient`, or in none without a patient: both must be in the same record, or both in none. A Provenance is in the
/// record of each of its patients.
#[must_use]
pub fn is_in_same_record(owner: &Owner, patient: Option<&Id>) -> bool {
    match (owner, patient) {
        (Owner::Patients(patients) | Owner::Undetermined(patients), Some(patient)) => patients.contains(patient),
        (owner, None) => owner.sole().is_none(),
        (Owner::Everyone, Some(_)) => true,
    }
}

/// Returns the position of a row in the query's order: its sort key or, with `_sort`, the rules' codes and the id.
fn position<'a, R: Candidate<'a>>(query: &Query, keys: &[SortRule], row: R) -> Cow<'a, str> {
    if query.sort.is_empty() {
        return Cow::Borrowed(row.sort_key());
    }
    let mut codes = String::new();
    keys.iter().for_each(|rule| row.add_sort_code(rule, &mut codes));
    Cow::Owned([&codes, BEFORE_ID, row.id()].concat())
}
