//! Joins: chains and `_has`, for memory and charts alike.
//!
//! A join stays in the record of a patient: a resource and those that a reference connects it with are stored in the
//! compartment of the same patient. So a store that has read the charts of a record has all that a join needs, but what
//! a chain finds in the directory. It reads that by the references of the records. A join that begins in the directory
//! stays there, as in one more record. Each row that a join looks at is one that the grant opens.

use std::collections::{BTreeSet, HashSet};

use super::StoreError;
use super::evaluate::{AccessLists, Candidate, opens};
use super::names::compartments;
use crate::fhir::{Id, Reference, ResourceType};
use crate::order::set_of;
use crate::search::kind::Target;
use crate::search::{Clause, Fact, Hop, Inner, Param, Query, meets};
use crate::smart::{AccessRule, Permitted, PermittedJoin, is_directory};

/// The most charts in which a search looks for joined resources, if it does not say of which patients. A search that
/// does is bounded by the parser.
pub const MOST_CHARTS: usize = 125;

/// The most resources of the directory that a search looks at for its joins.
const MOST_TARGETS: usize = 512;

/// The resources of one record.
pub trait Record<'a> {
    /// A resource.
    type Row: Candidate<'a>;

    /// Those of a type.
    fn rows(&self, of: ResourceType) -> Vec<Self::Row>;

    /// The values of a reference, each with the resources that have it.
    fn references(&self, param: &'static Param) -> Vec<(String, Vec<Self::Row>)>;
}

/// The references that something finds.
pub type Found = HashSet<String>;

/// An inner question about resources of the directory, with which a chain ends.
#[derive(Debug)]
pub struct DirectoryEnd<'a> {
    /// The question.
    pub inner: &'a Permitted<Inner>,
    /// The resources that it may be about: those to which the references lead.
    pub targets: BTreeSet<Reference>,
}

/// What the inner questions about the directory have found.
type Directory<'a> = [(&'a Permitted<Inner>, Found)];

/// The ids of the resources of a type that satisfy a join.
#[derive(Debug, Default)]
pub struct Joined(HashSet<String>);

impl Joined {
    /// Adds what the same joins have found elsewhere.
    pub fn extend(joined: &mut [Self], others: Vec<Self>) {
        joined.iter_mut().zip(others).for_each(|(all, more)| all.0.extend(more.0));
    }

    /// Returns whether all joins find a resource.
    pub fn all_find<'a>(joined: &[Self], row: impl Candidate<'a>) -> bool {
        joined.iter().all(|found| found.0.contains(row.id()))
    }
}

/// The ends of the joins of a search in the directory, to which references of these records lead that the grant opens.
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
    if targets > MOST_TARGETS { Err(StoreError::TooCostly) } else { Ok(ends) }
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
            if is_directory(inner.request().on) {
                let references = records.iter().flat_map(|record| references(record, join.hop().param()));
                let opened = references.filter(|(_, rows)| rows.iter().any(|row| opens(rules, access_lists, *row)));
                let targets = opened.filter_map(|(target, _)| Reference::parse(&target));
                let targets = set_of(targets.filter(|target| target.resource_type == inner.request().on));
                ends.push(DirectoryEnd { inner, targets });
                // Its own joins stay in the directory.
                continue;
            }
            add_ends(records, inner.joins(), inner.rules(), access_lists, ends);
        }
    }
}

/// The resources of type `on` that satisfy each of these joins, within their records.
pub fn join<'a, R: Record<'a>>(
    records: &[R],
    joins: &'a [PermittedJoin],
    on: ResourceType,
    access_lists: &AccessLists,
    directory: &Directory<'_>,
) -> Vec<Joined> {
    let of_record = |join: &'a PermittedJoin, record: &R| ids(record, join, on, access_lists, directory);
    joins.iter().map(|join| Joined(records.iter().flat_map(|record| of_record(join, record)).collect())).collect()
}

/// The ids of the resources of a record and of type `on` that satisfy a join.
fn ids<'a, R: Record<'a>>(
    record: &R,
    join: &'a PermittedJoin,
    on: ResourceType,
    access_lists: &AccessLists,
    directory: &Directory<'_>,
) -> HashSet<String> {
    match join.hop() {
        Hop::To(param) => {
            let mut found = Found::new();
            for inner in join.alternatives() {
                match directory.iter().find(|(end, _)| std::ptr::eq(*end, inner)) {
                    Some((_, references)) => found.extend(references.iter().cloned()),
                    None => found.extend(matches(record, inner, access_lists, directory).into_iter().map(reference)),
                }
            }
            let connected = references(record, param).into_iter().filter(|(target, _)| found.contains(target));
            connected.flat_map(|(_, rows)| rows).map(|row| row.id().to_owned()).collect()
        }
        Hop::From(param) => {
            let inner = join.alternatives().iter().flat_map(|inner| matches(record, inner, access_lists, directory));
            let found: HashSet<&str> = inner.map(Candidate::id).collect();
            let is_connected = |rows: &[R::Row]| rows.iter().any(|row| found.contains(row.id()));
            let connected = references(record, param).into_iter().filter(|(_, rows)| is_connected(rows));
            let target = connected.filter_map(|(target, _)| Reference::parse(&target));
            target.filter(|target| target.resource_type == on).map(|target| target.id.to_string()).collect()
        }
    }
}

/// The values of a reference in a record, each with the resources that have it. Where no element says to which patient
/// a resource belongs, as of a Provenance, it is the one to whom all that it is about belong.
fn references<'a, R: Record<'a>>(record: &R, param: &'static Param) -> Vec<(String, Vec<R::Row>)> {
    if !param.paths.is_empty() {
        return record.references(param);
    }
    record.rows(param.on).into_iter().filter_map(|row| Some((patient(row)?, vec![row]))).collect()
}

/// The reference to the one patient to whom a resource belongs.
fn patient<'a>(row: impl Candidate<'a>) -> Option<String> {
    row.owner().sole().map(|patient| Reference::join(ResourceType::Patient, patient))
}

/// The resources of a record that satisfy the inner question of a join, and that the grant opens.
fn matches<'a, R: Record<'a>>(
    record: &R,
    permitted: &'a Permitted<Inner>,
    access_lists: &AccessLists,
    directory: &Directory<'_>,
) -> Vec<R::Row> {
    let joins = permitted.joins().iter();
    let joined: Vec<_> = joins.map(|join| ids(record, join, permitted.request().on, access_lists, directory)).collect();
    let mut rows = record.rows(permitted.request().on);
    rows.retain(|row| joined.iter().all(|ids| ids.contains(row.id())) && satisfies(permitted, access_lists, *row));
    rows
}

/// Returns whether a resource satisfies the clauses of an inner question, and the grant opens it.
pub fn satisfies<'a>(permitted: &'a Permitted<Inner>, access_lists: &AccessLists, row: impl Candidate<'a>) -> bool {
    let holds = |clause: &'a Clause| match clause.param.kind.targets() {
        Some(_) if clause.param.paths.is_empty() => {
            let patient = patient(row).map(|patient| Fact::from(Target(patient)));
            patient.is_some_and(|patient| meets(&clause.any, &patient))
        }
        Some(_) | None => row.satisfies(clause),
    };
    permitted.request().all.iter().all(holds) && opens(permitted.rules(), access_lists, row)
}

/// The reference to a resource.
pub fn reference<'a>(row: impl Candidate<'a>) -> String {
    format!("{}/{}", row.resource_type(), row.id())
}

/// The patients in whose records these resources are, each once, for the joins of a search.
///
/// # Errors
/// If they are too many.
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

/// Returns whether a resource is in no record of a patient. Its references into the directory can be followed, and no
/// others.
pub fn is_in_no_record<'a>(row: impl Candidate<'a>) -> bool {
    patients_of_row(row).is_empty()
}

/// The patients in whose records a resource is.
fn patients_of_row<'a>(row: impl Candidate<'a>) -> Vec<String> {
    let compartments = Id::parse(row.id()).map(|id| compartments(row.resource_type(), &id, row.owner()));
    compartments.into_iter().flatten().filter(|compartment| Id::is_valid(compartment)).collect()
}

/// The most patients in whose records the joins of a search are looked for, if it does not say which.
pub fn most_patients(permitted: &Permitted<Query>) -> usize {
    MOST_CHARTS / joined_types(permitted).len().max(1)
}

/// The types of the resources of records that joins lead to, at any depth, each once.
pub fn joined_types(permitted: &Permitted<Query>) -> Vec<ResourceType> {
    let mut types = Vec::new();
    for inner in permitted.all_joins().iter().flat_map(|join| join.alternatives()) {
        let on = inner.request().on;
        if !is_directory(on) && !types.contains(&on) {
            types.push(on);
        }
    }
    types
}
