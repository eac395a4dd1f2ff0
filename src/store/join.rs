//! Joins: chains and `_has`, for the memory store and for charts.
//!
//! A join stays in the record of a patient: a resource and the resources that a reference connects with it are stored
//! in the compartment of the same patient. So the charts of a record suffice for a join, except for resources of the
//! directory to which a chain leads. Those are read by their references. A join that begins in the directory stays
//! there, as in one more record. A join only considers rows that the grant opens. A chain also searches the resources
//! contained in a row ([`Part`]), which are open like their container, if the grant opens their type.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::StoreError;
use super::names::compartments;
use chart::IndexedResource;
use chart::evaluate::{self, AccessLists, Candidate, opens};
use collections::order::set_of;
use fhir::{Id, Reference, ResourceType};
use search::kind::Target;
use search::{Clause, Contained, Fact, Hop, Param, Query, SortKey, Subquery, containing, meets, read_contained};
use smart::{AccessRule, Owner, Permitted, PermittedJoin, is_directory};

/// The most charts in which a search looks for joined resources, if it does not name patients. The parser limits
/// searches that name patients.
pub const MAX_CHARTS: usize = 125;

/// The most resources of the directory that a search reads for its joins.
const MAX_TARGETS: usize = 512;

/// The resources of one record.
pub trait Record<'a> {
    /// A resource.
    type Row: Candidate<'a>;

    fn rows(&self, resource_type: ResourceType) -> Vec<Self::Row>;

    /// Returns the values of a reference, each with the resources that have it.
    fn references(&self, param: &'static Param) -> Vec<(String, Vec<Self::Row>)>;

    /// Returns the resources of the record and their contained resources ([`parts`]).
    fn parts(&self) -> &[Part];
}

/// A contained resource, or its container.
#[derive(Debug)]
pub struct Part {
    /// The resource, with the id and the owner of the container.
    row: IndexedResource,
    /// See [`search::Contained::reference`].
    reference: Option<String>,
}

impl Part {
    /// Returns the text that identifies the part in joins: the id of a row, or the reference to a contained resource.
    fn key(&self) -> &str {
        self.reference.as_deref().unwrap_or(self.row.id.as_str())
    }

    /// Returns whether the part refers by a parameter to one of these resources.
    fn refers(&self, param: &'static Param, to: &FoundReferences) -> bool {
        let targets = self.row.facts_of(param).filter_map(Fact::reference);
        self.row.resource_type == param.base && { targets }.any(|target| to.contains(target))
    }
}

/// Returns the types of rows in which joins look for contained resources, each with a clause for such rows.
pub fn containers(joins: &[PermittedJoin]) -> Vec<(ResourceType, Clause)> {
    let mut types: BTreeMap<ResourceType, Vec<ResourceType>> = BTreeMap::new();
    for join in PermittedJoin::all(joins) {
        if let Hop::To(param) = join.hop() {
            let targets = join.alternatives().iter().map(|inner| inner.request().resource_type);
            types.entry(param.base).or_default().extend(targets);
        }
    }
    types.into_iter().filter_map(|(base, targets)| Some((base, containing(base, &targets)?))).collect()
}

/// Returns the parts of a row with this text that joins need.
pub fn parts(joins: &[PermittedJoin], row: &Reference, owner: &Owner, text: &str) -> Vec<Part> {
    let all = PermittedJoin::all(joins);
    let inner = all.iter().flat_map(|join| join.alternatives());
    let types: Vec<_> = inner.map(|inner| inner.request().resource_type).collect();
    let params: Vec<_> = all.iter().map(|join| join.hop().param()).collect();
    let part = |found: Contained| Part {
        row: IndexedResource {
            resource_type: found.resource_type,
            id: row.id.clone(),
            owner: owner.clone(),
            sort_key: SortKey::new(None, &row.id),
            version: String::new(),
            facts: found.facts,
            body: String::new(),
        },
        reference: found.reference,
    };
    read_contained(row, text, &types, &params).into_iter().map(part).collect()
}

/// Returns the rules that open the resources of a type for a search and its joins.
pub fn rules_of(permitted: &Permitted<Query>, resource_type: ResourceType) -> &[AccessRule] {
    let of_inner = || {
        let inner = permitted.all_joins().into_iter().flat_map(PermittedJoin::alternatives);
        { inner }.find(|inner| inner.request().resource_type == resource_type).map(Permitted::rules)
    };
    if permitted.request().resource_type == resource_type { permitted.rules() } else { of_inner().unwrap_or_default() }
}

/// The references to resources that were found.
pub type FoundReferences = HashSet<String>;

/// A subquery about resources of the directory, at the end of a chain.
#[derive(Debug)]
pub struct DirectoryEnd<'a> {
    pub inner: &'a Permitted<Subquery>,
    /// The resources to which the references lead.
    pub targets: BTreeSet<Reference>,
}

type Directory<'a> = [(&'a Permitted<Subquery>, FoundReferences)];

/// The matches of joins, and the names of the joins that lead out of records ([`leading_out`]).
pub type JoinedRecords = (Vec<JoinMatches>, BTreeSet<String>);

/// The ids of the resources of a type that satisfy a join.
#[derive(Debug, Default)]
pub struct JoinMatches(HashSet<String>);

impl JoinMatches {
    /// Adds the results of the same joins for other records.
    pub fn extend(joined: &mut [Self], others: Vec<Self>) {
        joined.iter_mut().zip(others).for_each(|(all, more)| all.0.extend(more.0));
    }

    /// Returns the ids of the matching resources.
    pub fn ids(&self) -> impl Iterator<Item = Id> {
        self.0.iter().filter_map(|key| Id::parse(key))
    }

    /// Returns whether a resource matches all joins.
    pub fn all_find<'a>(joined: &[Self], row: impl Candidate<'a>) -> bool {
        joined.iter().all(|found| found.0.contains(row.id()))
    }
}

/// Returns the ends of the joins of a search to which references of open resources in these records lead.
///
/// # Errors
/// If they lead to too many resources.
pub fn directory_ends<'a, R: Record<'a>>(
    records: &[R],
    permitted: &'a Permitted<Query>,
    access_lists: &AccessLists,
) -> Result<Vec<DirectoryEnd<'a>>, StoreError> {
    let mut ends = Vec::new();
    add_ends(records, permitted.joins(), permitted.rules(), access_lists, &mut ends);
    let targets: usize = ends.iter().map(|end| end.targets.len()).sum();
    if targets > MAX_TARGETS { Err(StoreError::TooCostly) } else { Ok(ends) }
}

/// Returns the joins of a search that lead out of records: no resource with the reference in the record of the
/// referring one is open and satisfies the other conditions. The result does not depend on closed resources.
pub fn leading_out<'a, R: Record<'a>>(
    records: &[R],
    permitted: &'a Permitted<Query>,
    access_lists: &AccessLists,
) -> BTreeSet<String> {
    let is_asked = |row: R::Row| evaluate::matches(permitted, access_lists, row);
    let leads_out = |join: &&'a PermittedJoin| records.iter().any(|one| leads_out(one, join, access_lists, &is_asked));
    permitted.joins().iter().filter(leads_out).map(|join| join.name().to_owned()).collect()
}

/// Returns whether a join leads out of a record, from a row for which `is_asked` returns true.
fn leads_out<'a, R: Record<'a>>(
    record: &R,
    join: &'a PermittedJoin,
    access_lists: &AccessLists,
    is_asked: &dyn Fn(R::Row) -> bool,
) -> bool {
    join.alternatives().iter().any(|inner| {
        let resource_type = inner.request().resource_type;
        let is_inner_asked = |row: R::Row| satisfies(inner, access_lists, row);
        let is_out = || {
            let opened = record.rows(resource_type).into_iter().filter(|row| opens(inner.rules(), access_lists, *row));
            let here: FoundReferences = opened.map(reference).collect();
            let is_elsewhere = |(target, rows): (String, Vec<R::Row>)| {
                let is_of_type = Reference::parse(&target).is_some_and(|target| target.resource_type == resource_type);
                is_of_type && !here.contains(&target) && rows.into_iter().any(is_asked)
            };
            references(record, join.hop().param()).into_iter().any(is_elsewhere)
        };
        let goes_on = || inner.joins().iter().any(|join| leads_out(record, join, access_lists, &is_inner_asked));
        !is_directory(resource_type) && ((matches!(join.hop(), Hop::To(_)) && is_out()) || goes_on())
    })
}

/// Adds the ends of joins from resources that these rules open.
fn add_ends<'a, R: Record<'a>>(
    records: &[R],
    joins: &'a [PermittedJoin],
    rules: &'a [AccessRule],
    access_lists: &AccessLists,
    ends: &mut Vec<DirectoryEnd<'a>>,
) {
    for join in joins {
        for inner in join.alternatives() {
            if is_directory(inner.request().resource_type) {
                let references = records.iter().flat_map(|record| references(record, join.hop().param()));
                let opened = references.filter(|(_, rows)| rows.iter().any(|row| opens(rules, access_lists, *row)));
                let parts = records.iter().flat_map(Record::parts);
                let parts = parts.filter(|part| part.row.resource_type == join.hop().param().base);
                let parts = parts.filter(|part| opens(rules, access_lists, &part.row));
                let of_parts = parts.flat_map(|part| part.row.references(join.hop().param()));
                let targets = opened.filter_map(|(target, _)| Reference::parse(&target)).chain(of_parts);
                let targets = set_of(targets.filter(|target| target.resource_type == inner.request().resource_type));
                if !targets.is_empty() {
                    ends.push(DirectoryEnd { inner, targets });
                }
            }
            // The joins of a subquery about the directory stay there, except for contained resources of records.
            add_ends(records, inner.joins(), inner.rules(), access_lists, ends);
        }
    }
}

/// Returns the resources of a type that satisfy each of these joins, within their records.
pub fn join<'a, R: Record<'a>>(
    records: &[R],
    joins: &'a [PermittedJoin],
    resource_type: ResourceType,
    access_lists: &AccessLists,
    directory: &Directory<'_>,
) -> Vec<JoinMatches> {
    let of_record = |join: &'a PermittedJoin, record: &R| ids(record, join, resource_type, access_lists, directory);
    joins.iter().map(|join| JoinMatches(records.iter().flat_map(|record| of_record(join, record)).collect())).collect()
}

/// Returns the ids of the resources of a type in a record that satisfy a join, and the references to such parts.
fn ids<'a, R: Record<'a>>(
    record: &R,
    join: &'a PermittedJoin,
    resource_type: ResourceType,
    access_lists: &AccessLists,
    directory: &Directory<'_>,
) -> HashSet<String> {
    match join.hop() {
        Hop::To(param) => {
            let mut found = FoundReferences::new();
            for inner in join.alternatives() {
                found.extend(in_directory(inner, directory).cloned());
                let (rows, parts) = matches(record, inner, access_lists, directory);
                found.extend(rows.into_iter().map(reference));
                found.extend(parts.into_iter().filter_map(|part| part.reference.clone()));
            }
            let connected = references(record, param).into_iter().filter(|(target, _)| found.contains(target));
            let ids = connected.flat_map(|(_, rows)| rows).map(|row| row.id().to_owned());
            let parts = record.parts().iter().filter(|part| part.refers(param, &found));
            ids.chain(parts.map(|part| part.key().to_owned())).collect()
        }
        // A contained resource does not count as a referring resource of its own.
        Hop::From(param) => {
            let alternatives = || join.alternatives().iter();
            let rows = alternatives().flat_map(|inner| matches(record, inner, access_lists, directory).0);
            let elsewhere = alternatives().flat_map(|inner| in_directory(inner, directory));
            let elsewhere = elsewhere.filter_map(|reference| Some(Reference::parse(reference)?.id.to_string()));
            let found: HashSet<String> = rows.map(|row| row.id().to_owned()).chain(elsewhere).collect();
            let is_connected = |rows: &[R::Row]| rows.iter().any(|row| found.contains(row.id()));
            let connected = references(record, param).into_iter().filter(|(_, rows)| is_connected(rows));
            let target = connected.filter_map(|(target, _)| Reference::parse(&target));
            let ids = target.filter(|target| target.resource_type == resource_type).map(|target| target.id.to_string());
            let is_found = |part: &&Part| part.row.resource_type == param.base && found.contains(part.key());
            let parts = record.parts().iter().filter(is_found).flat_map(|part| part.row.facts_of(param));
            ids.chain(parts.filter_map(Fact::reference).map(str::to_owned)).collect()
        }
    }
}

/// Returns the references to resources of the directory that satisfy a subquery.
fn in_directory<'d>(inner: &Permitted<Subquery>, directory: &'d Directory<'_>) -> impl Iterator<Item = &'d String> {
    let end = directory.iter().find(|(end, _)| std::ptr::eq(*end, inner));
    end.into_iter().flat_map(|(_, references)| references)
}

/// Returns the values of a reference in a record, each with the resources that have it. If a type has no element for
/// the patient (such as Provenance), the value is the sole owner, to whom all targets belong.
fn references<'a, R: Record<'a>>(record: &R, param: &'static Param) -> Vec<(String, Vec<R::Row>)> {
    if !param.paths.is_empty() {
        return record.references(param);
    }
    record.rows(param.base).into_iter().filter_map(|row| Some((patient(row)?, vec![row]))).collect()
}

/// Returns the reference to the one patient to whom a resource belongs.
fn patient<'a>(row: impl Candidate<'a>) -> Option<String> {
    row.owner().sole().map(|patient| Reference::join(ResourceType::Patient, patient))
}

/// Returns the resources and the parts of a record that satisfy the subquery of a join and that the grant opens.
fn matches<'a: 'r, 'r, R: Record<'a>>(
    record: &'r R,
    permitted: &'a Permitted<Subquery>,
    access_lists: &AccessLists,
    directory: &Directory<'_>,
) -> (Vec<R::Row>, Vec<&'r Part>) {
    let (resource_type, joins) = (permitted.request().resource_type, permitted.joins().iter());
    let joined: Vec<_> = joins.map(|join| ids(record, join, resource_type, access_lists, directory)).collect();
    let is_joined = |key: &str| joined.iter().all(|keys| keys.contains(key));
    let mut rows = record.rows(resource_type);
    rows.retain(|row| is_joined(row.id()) && satisfies(permitted, access_lists, *row));
    let contained = record.parts().iter().filter(|part| part.reference.is_some());
    let parts = contained.filter(|part| part.row.resource_type == resource_type && is_joined(part.key()));
    let parts = parts.filter(|part| satisfies(permitted, access_lists, &part.row));
    (rows, parts.collect())
}

/// Returns whether a resource satisfies the clauses of a subquery, and the grant opens it.
pub fn satisfies<'a>(permitted: &'a Permitted<Subquery>, access_lists: &AccessLists, row: impl Candidate<'a>) -> bool {
    let holds = |clause: &'a Clause| match clause.param.kind.targets() {
        Some(_) if clause.param.paths.is_empty() => {
            let patient = patient(row).map(|patient| Fact::from(Target(patient)));
            patient.is_some_and(|patient| meets(&clause.any, &patient))
        }
        Some(_) | None => row.satisfies(clause),
    };
    permitted.request().all.iter().all(holds) && opens(permitted.rules(), access_lists, row)
}

/// Returns the reference to a resource.
pub fn reference<'a>(row: impl Candidate<'a>) -> String {
    format!("{}/{}", row.resource_type(), row.id())
}

/// Returns the patients in whose records these resources are, without duplicates, for the joins of a search.
pub fn patients_of_records<'a>(
    rows: impl Iterator<Item = impl Candidate<'a>>,
    permitted: &Permitted<Query>,
) -> Result<Vec<String>, StoreError> {
    let most = most_patients(permitted);
    let mut patients: Vec<String> = Vec::new();
    for row in rows {
        for patient in patients_of_row(row) {
            if !patients.contains(&patient) {
                patients.push(patient);
            }
        }
        if patients.len() > most {
            return Err(StoreError::TooCostly);
        }
    }
    Ok(patients)
}

/// Returns whether a resource is in no patient's record. Only its references into the directory can be followed.
pub fn is_in_no_record<'a>(row: impl Candidate<'a>) -> bool {
    patients_of_row(row).is_empty()
}

/// Returns the patients in whose records a resource is.
fn patients_of_row<'a>(row: impl Candidate<'a>) -> Vec<String> {
    let compartments = Id::parse(row.id()).map(|id| compartments(row.resource_type(), &id, row.owner()));
    compartments.into_iter().flatten().filter(|compartment| Id::is_valid(compartment)).collect()
}

/// Returns the most patients in whose records the joins of a search are evaluated, if it does not name patients.
pub fn most_patients(permitted: &Permitted<Query>) -> usize {
    MAX_CHARTS / joined_types(permitted).len().max(1)
}

/// Returns the types of the resources of records to which joins lead, at any depth, without duplicates.
pub fn joined_types(permitted: &Permitted<Query>) -> Vec<ResourceType> {
    let mut types = Vec::new();
    for inner in permitted.all_joins().iter().flat_map(|join| join.alternatives()) {
        let resource_type = inner.request().resource_type;
        if !is_directory(resource_type) && !types.contains(&resource_type) {
            types.push(resource_type);
        }
    }
    types
}
