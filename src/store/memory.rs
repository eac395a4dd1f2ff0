//! The store in memory, of resources with their facts. The browser uses it, and it is the reference for other stores.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::join::{
    DirectoryEnd, FoundReferences, JoinMatches, JoinedRecords, Part, Record, containers, directory_ends,
    is_in_no_record, join, leading_out, parts, patients_of_records, reference, rules_of, satisfies,
};
use super::names::compartments;
use super::rounds::{IncludeSource, Rounds};
use super::search_charts::retry;
use super::search_in_turn::search_in_turn;
use super::{Cost, Dependency, Page, Read, Store, StoreError, StoredResource};
use chart::evaluate::{
    AccessList, AccessLists, Candidates, SearchResult, evaluate, is_in_same_record, matches, opens, patients_of,
};
use chart::{InRecord, IndexedResource};
use collections::order::{set_of, sorted};
use fhir::{Frame, Id, Reference, ResourceType};
use search::{Clause, Fact, Include, Param, Query, provenance_target};
use smart::{Authorization, Owner, PatientList, Permitted, PermittedJoin, is_directory, is_owned_through_others};

/// A store that holds every resource in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    base: String,
    /// The resources, ordered by type, then by sort key.
    rows: Vec<IndexedResource>,
    by_id: HashMap<(ResourceType, Id), usize>,
    compartments: HashMap<(ResourceType, Id), Vec<usize>>,
    /// The rows that refer to a resource by a parameter that includes may follow backward, by the reference.
    targeted: HashMap<String, Vec<usize>>,
    access_lists: AccessLists,
    revoked: HashSet<String>,
}

impl MemoryStore {
    /// Creates a store of these resources, whose entries have URLs below the FHIR base `base`. If two have the same
    /// type and id, the later one counts.
    pub fn new(base: String, indexed: impl IntoIterator<Item = IndexedResource>) -> Self {
        let mut latest: HashMap<(ResourceType, Id), IndexedResource> = HashMap::new();
        for row in indexed {
            latest.insert((row.resource_type, row.id.clone()), row);
        }
        Self::of_rows(base, latest.into_values().collect())
    }

    /// Returns a store of these resources, which contain no duplicates.
    fn of_rows(base: String, rows: Vec<IndexedResource>) -> Self {
        let rows = sorted(rows, &|a, b| (a.resource_type, &a.sort_key).cmp(&(b.resource_type, &b.sort_key)));
        let mut store = Self { base, ..Self::default() };
        for (at, row) in rows.iter().enumerate() {
            store.by_id.insert((row.resource_type, row.id.clone()), at);
            if let Owner::Patients(patients) = &row.owner {
                for patient in patients {
                    store.compartments.entry((row.resource_type, patient.clone())).or_default().push(at);
                }
            }
            if let Some(param) = provenance_target().filter(|param| param.base == row.resource_type) {
                for target in row.facts_of(param).filter_map(Fact::reference) {
                    store.targeted.entry(target.to_owned()).or_default().push(at);
                }
            }
        }
        Self { rows, ..store }
    }

    /// Adds resources. A resource replaces an earlier one with the same type and id.
    #[must_use]
    pub fn with(self, indexed: impl IntoIterator<Item = IndexedResource>) -> Self {
        let Self { base, rows, access_lists, revoked, .. } = self;
        Self { access_lists, revoked, ..Self::new(base, rows.into_iter().chain(indexed)) }
    }

    /// Returns the store without these resources.
    #[must_use]
    pub fn without(self, references: &BTreeSet<Reference>) -> Self {
        let Self { base, rows, access_lists, revoked, .. } = self;
        let others = rows.into_iter().filter(|row| !references.contains(&row.reference())).collect();
        Self { access_lists, revoked, ..Self::of_rows(base, others) }
    }

    /// Sets the patients on a list.
    pub fn enrol(&mut self, list: PatientList, patients: AccessList) {
        self.access_lists.insert(list, Rc::new(patients));
    }

    /// Revokes a grant.
    pub fn revoke(&mut self, grant: &str) {
        self.revoked.insert(grant.to_owned());
    }

    /// Returns all resources, ordered by type and sort key.
    pub fn rows(&self) -> &[IndexedResource] {
        &self.rows
    }

    /// Returns the resource with that reference.
    pub fn row(&self, reference: &Reference) -> Option<&IndexedResource> {
        self.rows.get(*self.by_id.get(&(reference.resource_type, reference.id.clone()))?)
    }

    /// Answers a search with whole resources; the caller applies [`Query::subset`]. `after` is the [`Page::page_end`]
    /// of the previous page. [`Store::search`] is the same for callers that await.
    ///
    /// # Errors
    /// If the grant has been revoked, or a join would read too many records.
    pub fn evaluate(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<String>, StoreError> {
        self.check(permitted.authorization())?;
        let query = permitted.request();
        let rows = self.candidates(query);
        let (joined, leading_out) = self.join(permitted, &rows)?;
        let rows = rows.into_iter().filter(|row| JoinMatches::all_find(&joined, *row));
        let candidates = Candidates { rows, by_sort_key: false };
        let SearchResult { page, page_end, total } = evaluate(permitted, &self.access_lists, after, candidates);
        let (included, cut) = self.include(permitted, &page);
        let patients = patients_of(page.iter().chain(&included).map(|row| &row.owner));
        let matched = query.frame(&self.base);
        let framed =
            |row: &&IndexedResource| Frame::included(&self.base, row.resource_type).around(row.id.as_str(), &row.body);
        Ok(Page {
            matches: page.iter().map(|row| matched.around(row.id.as_str(), &row.body)).collect(),
            included: included.iter().map(framed).collect(),
            cut,
            leading_out,
            page_end,
            total,
            types: Vec::new(),
            patients,
            versions: None,
            cost: Cost::default(),
        })
    }

    /// Answers a read.
    ///
    /// # Errors
    /// If the grant has been revoked.
    pub fn find(&self, permitted: &Permitted<Reference>) -> Result<Read<String>, StoreError> {
        self.check(permitted.authorization())?;
        let row = self.row(permitted.request()).filter(|row| opens(permitted.rules(), &self.access_lists, *row));
        let stored = |row: &IndexedResource| StoredResource {
            body: row.body.clone(),
            version: row.version.clone(),
            modified: row.modified(),
            patients: patients_of(std::iter::once(&row.owner)),
        };
        Ok(Read { found: row.map(stored), cost: Cost::default() })
    }

    fn check(&self, authorization: Option<&Authorization>) -> Result<(), StoreError> {
        if authorization.is_some_and(|one| self.revoked.contains(one.key().as_ref())) {
            Err(StoreError::Revoked)
        } else {
            Ok(())
        }
    }

    /// Returns the matches of the joins of a search among these candidate rows.
    fn join(&self, permitted: &Permitted<Query>, rows: &[&IndexedResource]) -> Result<JoinedRecords, StoreError> {
        if permitted.joins().is_empty() {
            return Ok(JoinedRecords::default());
        }
        let query = permitted.request();
        if is_directory(query.resource_type) {
            return Ok((self.join_in_directory(permitted, permitted.joins(), query.resource_type), BTreeSet::new()));
        }
        let mut matching: Vec<_> = Vec::new();
        let patients = match &query.patients {
            Some(patients) => patients.iter().map(ToString::to_string).collect(),
            None => {
                let matches = |row: &&&IndexedResource| matches(permitted, &self.access_lists, **row);
                matching.extend(rows.iter().filter(matches).copied());
                patients_of_records(matching.iter().copied(), permitted)?
            }
        };
        matching.retain(|row| is_in_no_record(*row));
        let record = |of| self.record(permitted, permitted.joins(), of);
        let records = patients.into_iter().map(RecordOf::Patient).chain([RecordOf::Nobody(matching)]);
        let records: Vec<_> = records.map(record).collect();
        let ends = directory_ends(&records, permitted, &self.access_lists)?;
        let directory: Vec<_> = ends.iter().map(|end| (end.inner, self.find_in_directory(permitted, end))).collect();
        let joined = join(&records, permitted.joins(), query.resource_type, &self.access_lists, &directory);
        Ok((joined, leading_out(&records, permitted, &self.access_lists)))
    }

    /// Returns the references that satisfy an end of a join in the directory.
    fn find_in_directory(&self, permitted: &Permitted<Query>, end: &DirectoryEnd<'_>) -> FoundReferences {
        let joined = self.join_in_directory(permitted, end.inner.joins(), end.inner.request().resource_type);
        let rows = end.targets.iter().filter_map(|target| self.row(target));
        let is_found = |row: &&IndexedResource| {
            satisfies(end.inner, &self.access_lists, *row) && JoinMatches::all_find(&joined, *row)
        };
        rows.filter(is_found).map(reference).collect()
    }

    fn join_in_directory(
        &self,
        permitted: &Permitted<Query>,
        joins: &[PermittedJoin],
        resource_type: ResourceType,
    ) -> Vec<JoinMatches> {
        join(&[self.record(permitted, joins, RecordOf::Directory)], joins, resource_type, &self.access_lists, &[])
    }

    /// Returns the given resources, and their contained resources that the grant opens.
    fn record<'a>(
        &'a self,
        permitted: &Permitted<Query>,
        joins: &[PermittedJoin],
        kind: RecordOf<'a>,
    ) -> MemoryRecord<'a> {
        let mut record = MemoryRecord { store: self, kind, parts: Vec::new() };
        for (base, clause) in containers(joins) {
            let rows = record.all_rows(base).into_iter().filter(|row| {
                opens(rules_of(permitted, base), &self.access_lists, *row) && clause.holds(|param| row.facts_of(param))
            });
            let of_row = |row: &IndexedResource| parts(joins, &row.reference(), &row.owner, &row.body);
            let found: Vec<Part> = rows.flat_map(of_row).collect();
            record.parts.extend(found);
        }
        record
    }

    /// Returns the candidate rows: those of the query's patients, else those with its ids, else those of its type.
    fn candidates<'a>(&'a self, query: &'a Query) -> Vec<&'a IndexedResource> {
        let indexes: Vec<usize> = if let Some(patients) = &query.patients {
            let compartments =
                patients.iter().filter_map(|patient| self.compartments.get(&(query.resource_type, patient.clone())));
            compartments.flatten().copied().collect()
        } else if let Some(ids) = query.all.iter().find_map(Clause::ids) {
            ids.into_iter().filter_map(|id| self.by_id.get(&(query.resource_type, id.clone())).copied()).collect()
        } else {
            self.of_type(query.resource_type).collect()
        };
        let mut indexes = sorted(indexes, &Ord::cmp);
        indexes.dedup();
        // A resource of several patients is not in the record of any of them.
        let in_record = |row: &&IndexedResource| query.patients.is_none() || row.owner.sole().is_some();
        indexes.into_iter().filter_map(|at| self.rows.get(at)).filter(in_record).collect()
    }

    fn of_type(&self, resource_type: ResourceType) -> Range<usize> {
        self.rows.partition_point(|row| row.resource_type < resource_type)
            ..self.rows.partition_point(|row| row.resource_type <= resource_type)
    }

    /// Returns the resources that the includes of a search add to its page, and the includes that are cut short.
    fn include<'a>(
        &'a self,
        permitted: &Permitted<Query>,
        page: &[&'a IndexedResource],
    ) -> (Vec<&'a IndexedResource>, Vec<Include>) {
        let reached = |row: &&IndexedResource| {
            let followed = permitted.followed(row.resource_type).into_iter();
            let links = followed.flat_map(|param| row.references(param).map(move |target| (param, target)));
            IncludeSource { reference: row.reference(), patient: row.owner.sole().cloned(), links: links.collect() }
        };
        let is_opened = |row: &&IndexedResource| {
            let rules = permitted.rules_of_included(row.resource_type);
            rules.is_some_and(|rules| opens(rules, &self.access_lists, *row))
        };
        let mut included = Vec::new();
        let mut rounds = Rounds::new(permitted, page.iter().map(reached).collect());
        while let Some(round) = rounds.next() {
            let targets = round.targets.keys().filter_map(|target| self.row(target));
            let referring = round.referring.iter().flat_map(|(param, targets)| self.referring(param, targets));
            let found = targets.chain(referring).filter(is_opened).map(|row| (row.reference(), row));
            let chosen = rounds.choose(found.collect());
            rounds.go_on(chosen.iter().map(reached).collect());
            included.extend(chosen);
        }
        (included, rounds.into_cut())
    }

    /// Returns the rows that refer by a parameter to one of these resources and are in the same record.
    fn referring(&self, param: &'static Param, targets: &[InRecord]) -> Vec<&IndexedResource> {
        if provenance_target() == Some(param) {
            let of_target = |(target, patient): &InRecord| {
                let indexes = self.targeted.get(&target.to_string()).cloned().unwrap_or_default();
                let rows = indexes.into_iter().filter_map(|at| self.rows.get(at));
                rows.filter(|row| is_in_same_record(&row.owner, patient.as_ref())).collect::<Vec<_>>()
            };
            return targets.iter().flat_map(of_target).collect();
        }
        let refers = |row: &IndexedResource, patient: Option<&Id>| {
            row.references(param).any(|to| {
                let is_of_record = |other: &Option<Id>| patient.is_none() || other.as_ref() == patient;
                targets.iter().any(|(target, other)| *target == to && is_of_record(other))
            })
        };
        if is_directory(param.base) {
            let rows = self.of_type(param.base).filter_map(|at| self.rows.get(at));
            return rows.filter(|row| refers(row, None)).collect();
        }
        let patients = set_of(targets.iter().filter_map(|(_, patient)| patient.as_ref()));
        let of_patient = |patient: &Id| {
            let rows = if is_owned_through_others(param.base) {
                // A resource of several patients is in the record of each.
                let rows = self.of_type(param.base).filter_map(|at| self.rows.get(at));
                rows.filter(|row| is_in_same_record(&row.owner, Some(patient))).collect()
            } else {
                let kind = RecordOf::Patient(patient.to_string());
                MemoryRecord { store: self, kind, parts: Vec::new() }.rows(param.base)
            };
            rows.into_iter().filter(|row| refers(row, Some(patient))).collect::<Vec<_>>()
        };
        patients.into_iter().flat_map(of_patient).collect()
    }
}

/// A set of resources that joins do not leave.
struct MemoryRecord<'a> {
    store: &'a MemoryStore,
    kind: RecordOf<'a>,
    parts: Vec<Part>,
}

impl<'a> MemoryRecord<'a> {
    /// Returns the resources of a type, including those that are in no record.
    fn all_rows(&self, resource_type: ResourceType) -> Vec<&'a IndexedResource> {
        match &self.kind {
            RecordOf::Nobody(rows) => rows.iter().copied().filter(|row| row.resource_type == resource_type).collect(),
            RecordOf::Patient(_) | RecordOf::Directory => self.rows(resource_type),
        }
    }
}

enum RecordOf<'a> {
    /// The record of a patient: the resources in the patient's compartment.
    Patient(String),
    /// The directory.
    Directory,
    /// Resources that are in no record. Their references may lead into the directory.
    Nobody(Vec<&'a IndexedResource>),
}

impl<'a> Record<'a> for MemoryRecord<'a> {
    type Row = &'a IndexedResource;

    fn rows(&self, resource_type: ResourceType) -> Vec<&'a IndexedResource> {
        let store = self.store;
        let patient = match &self.kind {
            RecordOf::Patient(patient) => patient,
            RecordOf::Directory => return store.of_type(resource_type).filter_map(|at| store.rows.get(at)).collect(),
            RecordOf::Nobody(_) => return Vec::new(),
        };
        let indexes: Vec<usize> = if provenance_target().is_some_and(|param| param.base == resource_type) {
            // A Provenance of several patients is in the record of each.
            store.of_type(resource_type).collect()
        } else {
            let rows = Id::parse(patient).and_then(|patient| store.compartments.get(&(resource_type, patient)));
            rows.cloned().unwrap_or_default()
        };
        let is_here = |row: &&IndexedResource| compartments(resource_type, &row.id, &row.owner).contains(patient);
        indexes.into_iter().filter_map(|at| store.rows.get(at)).filter(is_here).collect()
    }

    fn references(&self, param: &'static Param) -> Vec<(String, Vec<&'a IndexedResource>)> {
        let targets = |row: &'a IndexedResource| row.facts_of(param).filter_map(Fact::reference);
        let of_row = |row: &'a IndexedResource| targets(row).map(move |target| (target.to_owned(), vec![row]));
        self.all_rows(param.base).into_iter().flat_map(of_row).collect()
    }

    fn parts(&self) -> &[Part] {
        &self.parts
    }
}

impl Store for MemoryStore {
    type Body = String;

    async fn search(&self, permitted: &Permitted<Query>, after: Option<&str>) -> Result<Page<String>, StoreError> {
        self.evaluate(permitted, after)
    }

    async fn search_each(
        &self,
        searches: &[Permitted<Query>],
        after: Option<&str>,
    ) -> Result<Page<String>, StoreError> {
        let answer = async |permitted: &Permitted<Query>, after: Option<&str>| Ok(self.evaluate(permitted, after)?);
        retry(async || search_in_turn(searches, after, &answer).await).await
    }

    async fn read(&self, permitted: &Permitted<Reference>) -> Result<Read<String>, StoreError> {
        self.find(permitted)
    }

    async fn check(&self, authorization: Option<&Authorization>) -> Result<(), StoreError> {
        Self::check(self, authorization)
    }

    async fn dependencies(&self) -> Vec<Dependency> {
        Vec::new()
    }

    fn miss_cost(&self) -> Cost {
        Cost::Free
    }
}
