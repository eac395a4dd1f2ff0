//! A load: two passes over documents. The first pass collects the names that references may use. The second pass
//! indexes each resource and stores or deletes it. Then the stored resources that depend on the load are indexed again.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::rc::Rc;

use super::age::{Age, SourceTime};
use super::catalogue::{Catalogue, ChosenForm, Damage, EarlierLoads, Resolution};
use super::document::{Deletion, Parsed, ParsedResource, Rejection};
use super::index::{IndexError, IndexedEntry, Indexer, is_stored_as};
use super::owners::Owners;
use super::request::Condition;
use super::sources::Sources;
use super::spill::SpillTable;
use super::value;
use fhir::{Micros, Reference, ResourceType, without_meta};
use search::IndexSet;
use smart::Owner;
use store::IndexedResource;

/// A store that a load fills.
pub trait LoadTarget {
    /// The reason why the store does not accept resources.
    type Error;
    /// See [`Self::earlier`].
    type Earlier: EarlierLoads;

    /// True if all loads into it are one set of files: absolute references of one load lead to resources of another.
    const IS_ONE_SET: bool = false;

    /// Returns the stored resources.
    fn earlier(&self) -> &Self::Earlier;

    /// Returns the set of parameters by which the store is indexed.
    fn set(&self) -> &'static IndexSet;

    /// Returns an empty table for the facts of a load, of which only a part is then in memory. [`Self::flush`] returns
    /// the error of a table that has failed.
    fn spill_table(&self) -> Result<Option<Rc<dyn SpillTable>>, Self::Error> {
        Ok(None)
    }

    /// Returns whether a resource is stored with a text for which `is_same` holds, belongs to known patients or to the
    /// directory, and was stored together with all its dependents. False if this is not known.
    fn holds(&self, _reference: &Reference, _is_same: &dyn Fn(&str) -> bool) -> bool {
        false
    }

    /// Stores a resource. Lookups may find it only after [`Self::flush`].
    fn store(&mut self, indexed: IndexedEntry) -> Result<Result<Stored, LoadRefusal>, Self::Error>;

    /// Removes a resource that was deleted at that time. Lookups may still find it until [`Self::flush`]. Returns
    /// whether it was stored.
    fn remove(&mut self, reference: &Reference, at: Micros) -> Result<Result<bool, LoadRefusal>, Self::Error>;

    /// Writes everything that has been stored.
    fn flush(&mut self) -> Result<(), Self::Error>;

    /// Returns a stored resource with its facts and owner.
    fn indexed(&self, reference: &Reference) -> Result<Result<Option<IndexedResource>, LoadRefusal>, Self::Error>;
}

/// The reason why a resource is not stored or removed. The stored data of it, or of its patient, stay unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LoadRefusal(pub String);

/// The effect of storing a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// The resource was not stored before.
    New,
    /// The resource was stored with other contents.
    Changed,
    /// The resource was stored with the same contents.
    Same,
}

/// The outcome for a resource in a load.
#[derive(Debug)]
pub enum LoadEvent<'a> {
    /// The type is not served.
    NotServed(String),
    /// The id of a resource of this type is not a FHIR id. The resource is left out, and references to it lead nowhere.
    IllegalId(ResourceType),
    /// The text is not a resource, or cannot be stored. The value is the reason.
    Fault(String),
    /// Another occurrence in the load counts: the newest one or, of equally new ones, the last.
    Repeated {
        /// True if this occurrence is older than that one.
        is_older: bool,
    },
    /// A newer form of the resource is stored, and counts.
    Older(&'a Reference),
    /// The resource occurred before with other contents and the same age, at these locations. This occurrence counts.
    Differs(&'a Reference, Vec<String>),
    /// The resource was deleted. The value is its owner, if it was stored.
    Deleted(Option<Owner>),
    /// The resource was stored.
    Stored {
        /// The type.
        resource_type: ResourceType,
        /// The effect.
        effect: Stored,
        /// The references that match several resources.
        ambiguous: Vec<String>,
        /// See [`IndexedEntry::unresolved`].
        unresolved: usize,
        /// The owner.
        owner: Owner,
    },
}

/// Takes each resource and each fault of documents, with its location.
pub type Take<'t, E> = dyn FnMut(&dyn Display, Result<Parsed<'_>, Rejection>) -> Result<(), E> + 't;

/// Passes on all resources of the documents.
type EachDocument<'e, E> = dyn FnMut(&mut Take<'_, E>) -> Result<(), E> + 'e;

/// Receives the outcome for a resource, with its location.
pub(super) type Report<'r, E> = dyn FnMut(&dyn Display, LoadEvent<'_>) -> Result<(), E> + 'r;

/// The settings of a load.
#[derive(Debug, Clone, Copy)]
pub struct Load<'a> {
    /// The FHIR base under which the data will be served.
    pub base: &'a str,
    /// The base of relative attachment addresses.
    pub attachments: &'a str,
    /// The time of the load. Resources without `meta.lastUpdated` get it.
    pub now: Micros,
    /// The current time. A later time that a source states is in the future, and is ignored.
    pub clock: Micros,
    /// True if a newer stored form of a resource counts. Within the load, the newest form always counts.
    pub keeps_newer: bool,
}

/// Returns an entry if the stored data meet its condition ([`ParsedResource::settled`]).
fn settled<'a>(parsed: Parsed<'a>, earlier: &impl EarlierLoads) -> Result<Parsed<'a>, Rejection> {
    match parsed {
        Parsed::Resource(resource) => Ok(Parsed::Resource(resource.settled(earlier)?)),
        Parsed::Deletion(_) => Ok(parsed),
    }
}

fn delete_one<T: LoadTarget>(
    reference: &Reference,
    at: Micros,
    target: &mut T,
) -> Result<Result<LoadEvent<'static>, LoadRefusal>, T::Error> {
    let owner = owner_of_stored(reference, target.earlier());
    let removed = target.remove(reference, at)?;
    Ok(removed.map(|was_stored| LoadEvent::Deleted(was_stored.then_some(owner))))
}

/// Returns the owner of a stored resource, for the report. If it cannot be read, its records will not be changed.
fn owner_of_stored(reference: &Reference, earlier: &impl EarlierLoads) -> Owner {
    earlier.owner(reference).ok().flatten().unwrap_or(Owner::Everyone)
}

/// An entry of a document, with its time and age.
enum LoadEntry<'a> {
    Resource(ParsedResource<'a>, Age),
    /// A deletion, with its time.
    Deletion(Reference, Micros, Age),
}

/// The first pass of a load, which collects the names that references may use. All entries of the load pass through it.
#[derive(Debug)]
pub(super) struct FirstPass<'l> {
    load: Load<'l>,
    catalogue: Catalogue,
    /// The number of entries so far.
    number: usize,
}

/// The second pass of a load, which stores or deletes each entry that counts. It takes the entries of the first pass,
/// in the same order.
#[derive(Debug)]
pub(super) struct SecondPass<'l> {
    load: Load<'l>,
    catalogue: Catalogue,
    owners: Owners,
    /// The resources that depend on the load.
    stale: Catalogue,
    /// The number of entries so far.
    number: usize,
    /// The number of entries of the first pass.
    last: usize,
    /// The resources that were refused.
    rejected: BTreeSet<Reference>,
}

/// The stored resources that depend on loaded or rejected ones, and are indexed again.
#[derive(Debug)]
pub(super) struct Dependents<'l> {
    load: Load<'l>,
    stale: Catalogue,
    owners: Owners,
}

impl<'l> FirstPass<'l> {
    /// Begins a load, with a table for a part of its facts if not all of them fit into memory.
    pub fn of(load: Load<'l>, table: Option<&Rc<dyn SpillTable>>) -> Self {
        let mut catalogue = Catalogue::default();
        catalogue.spill_into(table);
        Self { load, catalogue, number: 0 }
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// The errors of `report`.
    pub fn take<T: LoadTarget, E: From<T::Error>>(
        &mut self,
        location: &dyn Display,
        entry: Result<Parsed<'_>, Rejection>,
        target: &T,
        sources: &mut Sources,
        report: &mut Report<'_, E>,
    ) -> Result<(), E> {
        self.number += 1;
        let parsed = entry.and_then(|parsed| sources.localize(settled(parsed, target.earlier())?));
        let add = |parsed| self.load.add_to_catalogue(&mut self.catalogue, self.number, parsed, sources, target);
        let fault = match parsed.map(add) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(LoadRefusal(why))) | Err(Rejection::Fault(why)) => LoadEvent::Fault(why),
            Err(Rejection::NotServed(resource_type)) => LoadEvent::NotServed(resource_type),
            Err(Rejection::IllegalId(resource_type)) => LoadEvent::IllegalId(resource_type),
        };
        report(location, fault)
    }

    /// Ends the pass, and begins the second one.
    pub fn end<T: LoadTarget>(self, target: &T, sources: &Sources) -> SecondPass<'l> {
        let Self { load, mut catalogue, number: last } = self;
        catalogue.set_source(sources.only(), T::IS_ONE_SET);
        let owners = Owners::compute(&catalogue, target.earlier(), load.base);
        let stale = catalogue.of_dependents(owners.dependents().clone());
        SecondPass { load, catalogue, owners, stale, number: 0, last, rejected: BTreeSet::new() }
    }
}

impl<'l> SecondPass<'l> {
    /// Takes the next entry.
    ///
    /// # Errors
    /// The errors of the store and of `report`.
    pub fn take<T: LoadTarget, E: From<T::Error>>(
        &mut self,
        location: &dyn Display,
        entry: Result<Parsed<'_>, Rejection>,
        target: &mut T,
        sources: &mut Sources,
        report: &mut Report<'_, E>,
    ) -> Result<(), E> {
        let Self { load, catalogue, owners, number, last, rejected, .. } = self;
        *number += 1;
        if number > last {
            return report(location, LoadEvent::Fault("it was added to the file after the first pass".to_owned()));
        }
        let parsed = entry.and_then(|parsed| sources.localize(settled(parsed, target.earlier())?));
        let Ok(parsed) = parsed else { return Ok(()) };
        let (load_entry, faults) = load.load_entry(parsed);
        let (reference, text, age) = match &load_entry {
            LoadEntry::Resource(parsed, age) => (parsed.reference(), parsed.text.as_ref(), *age),
            LoadEntry::Deletion(reference, _, age) => (reference.clone(), "", *age),
        };
        // An entry with a condition may have been refused in the first pass, and not in this one.
        let has_condition = matches!(&load_entry, LoadEntry::Resource(parsed, _) if parsed.condition.is_some());
        if has_condition && !catalogue.has_occurred(&reference) {
            return report(location, LoadEvent::Older(&reference));
        }
        match catalogue.choice(*number, &reference, age, text, &|| location.to_string()) {
            ChosenForm::Stored => return report(location, LoadEvent::Older(&reference)),
            ChosenForm::Another { is_older } => return report(location, LoadEvent::Repeated { is_older }),
            ChosenForm::This(others) if others.is_empty() => {}
            ChosenForm::This(others) => report(location, LoadEvent::Differs(&reference, others))?,
        }
        for fault in faults {
            report(location, LoadEvent::Fault(fault))?;
        }
        let event = match load_entry {
            _ if catalogue.is_unchanged(&reference) => Ok(LoadEvent::Stored {
                resource_type: reference.resource_type,
                effect: Stored::Same,
                ambiguous: Vec::new(),
                unresolved: 0,
                owner: owner_of_stored(&reference, target.earlier()),
            }),
            LoadEntry::Resource(parsed, _) => {
                let tell = &mut |fault| report(location, LoadEvent::Fault(fault));
                load.store_one(catalogue, owners, parsed, target, tell)?
            }
            LoadEntry::Deletion(_, at, _) => delete_one(&reference, at, target)?,
        };
        let event = event.unwrap_or_else(|LoadRefusal(why)| {
            let why = format!("{reference}: {why}");
            rejected.insert(reference);
            LoadEvent::Fault(why)
        });
        report(location, event)
    }

    /// Ends the pass. The changes must have been written ([`LoadTarget::flush`]).
    pub fn end<T: LoadTarget>(self, target: &T) -> Dependents<'l> {
        let Self { load, mut stale, rejected, .. } = self;
        for reference in rejected {
            // The dependents were stored according to the rejected form. The first pass has reported unreadable ones.
            let _ = stale.depend(&reference.to_string(), target.earlier());
        }
        let owners = Owners::compute(&stale, target.earlier(), load.base);
        Dependents { load, stale, owners }
    }
}

impl Dependents<'_> {
    /// Returns the references of all dependents.
    pub const fn all(&self) -> &BTreeSet<Reference> {
        self.owners.dependents()
    }

    /// Indexes one of them again. A damaged or refused one stays unchanged.
    ///
    /// # Errors
    /// The errors of the store and of `report`.
    pub fn index<T: LoadTarget, E: From<T::Error>>(
        &self,
        reference: &Reference,
        target: &mut T,
        report: &mut Report<'_, E>,
    ) -> Result<(), E> {
        let indexed = match target.indexed(reference)? {
            Ok(None) => return Ok(()),
            Ok(Some(stored)) => self.load.indexer(&self.stale, &self.owners, target).index_again(stored),
            Err(LoadRefusal(why)) => Err(IndexError(why)),
        };
        let stored = match indexed {
            Ok(indexed) => target.store(indexed)?.map(|_| ()),
            Err(IndexError(why)) => Err(LoadRefusal(why)),
        };
        match stored {
            Ok(()) => Ok(()),
            Err(LoadRefusal(why)) => {
                report(&"the stored records", LoadEvent::Fault(format!("{reference} is not indexed again: {why}")))
            }
        }
    }
}

impl Load<'_> {
    /// Loads documents into a store. `each` is called twice, and passes on all resources in the same order each time.
    /// `sources` distinguishes the servers of the resources. `report` receives the outcome for each resource, and may
    /// end the load.
    ///
    /// # Errors
    /// The errors of the store, of `each` and of `report`. Data stored before such an error are incomplete.
    pub fn load<T: LoadTarget, E: From<T::Error>>(
        &self,
        target: &mut T,
        sources: &mut Sources,
        each: &mut EachDocument<'_, E>,
        report: &mut Report<'_, E>,
    ) -> Result<(), E> {
        let table = target.spill_table()?;
        let mut first = FirstPass::of(*self, table.as_ref());
        sources.spill_into(table.as_ref());
        each(&mut |location, entry| first.take(location, entry, target, sources, report))?;
        let mut second = first.end(target, sources);
        each(&mut |location, entry| second.take(location, entry, target, sources, report))?;
        target.flush()?;
        let dependents = second.end(target);
        dependents.all().iter().try_for_each(|reference| dependents.index(reference, target, report))?;
        Ok(target.flush()?)
    }

    /// Adds the entry with that number to the catalogue. Fails if its dependents cannot be read.
    fn add_to_catalogue<T: LoadTarget>(
        &self,
        catalogue: &mut Catalogue,
        number: usize,
        parsed: Parsed<'_>,
        sources: &mut Sources,
        target: &T,
    ) -> Result<(), LoadRefusal> {
        let (reference, result) = match self.load_entry(parsed).0 {
            LoadEntry::Resource(ParsedResource { resource_type, id, resource, text, .. }, age) => {
                sources.note(&resource, self.base);
                let reference = Reference { resource_type, id };
                let is_same = |stored: &str| is_stored_as(resource_type, &resource, &text, stored);
                if !self.counts(catalogue, number, &reference, age, target) {
                    return Ok(());
                }
                if catalogue.is_first(&reference) && target.holds(&reference, &is_same) {
                    catalogue.add_unchanged(&reference);
                    return Ok(());
                }
                let result = catalogue.add_resource(resource_type, &reference.id, &resource, target.earlier());
                (reference, result)
            }
            LoadEntry::Deletion(reference, _, age) => {
                if !self.counts(catalogue, number, &reference, age, target) {
                    return Ok(());
                }
                let result = catalogue.add_deletion(&reference, target.earlier());
                (reference, result)
            }
        };
        result.map_err(|Damage(why)| LoadRefusal(format!("what depends on {reference}: {why}")))
    }

    /// Stores a resource. `tell` receives a fault that does not keep the resource out.
    fn store_one<T: LoadTarget, E: From<T::Error>>(
        &self,
        catalogue: &Catalogue,
        owners: &Owners,
        parsed: ParsedResource<'_>,
        target: &mut T,
        tell: &mut dyn FnMut(String) -> Result<(), E>,
    ) -> Result<Result<LoadEvent<'static>, LoadRefusal>, E> {
        let reference = parsed.reference();
        let ParsedResource { resource_type, id, resource, text, is_entry, condition, .. } = parsed;
        if let Some(Condition { name, is_update }) = condition {
            if !is_update && target.earlier().body(&reference).is_some() {
                let owner = target.earlier().owner(&reference).ok().flatten().unwrap_or(Owner::Everyone);
                let (effect, ambiguous) = (Stored::Same, Vec::new());
                return Ok(Ok(LoadEvent::Stored { resource_type, effect, ambiguous, unresolved: 0, owner }));
            }
            let why = match catalogue.find(&name, target.earlier()) {
                Ok(Resolution::One(found)) if found == reference => None,
                Ok(_) => Some("another record of the file has the identifier of its request".to_owned()),
                Err(Damage(why)) => Some(why),
            };
            if let Some(why) = why {
                return Ok(Err(LoadRefusal(why)));
            }
        }
        let indexed = match self.indexer(catalogue, owners, target).index(resource_type, &id, resource, &text) {
            Ok(indexed) => indexed,
            Err(IndexError(why)) => return Ok(Err(LoadRefusal(why))),
        };
        if let Some(stray) = indexed.stray.as_ref().filter(|_| is_entry) {
            tell(format!("{reference} belongs to nobody: no entry of its Bundle is {stray}"))?;
        }
        let (ambiguous, unresolved) = (indexed.ambiguous.clone(), indexed.unresolved);
        let owner = indexed.resource.owner.clone();
        let stored = target.store(indexed)?;
        Ok(stored.map(|effect| LoadEvent::Stored { resource_type, effect, ambiguous, unresolved, owner }))
    }

    /// Returns an entry with its age, and its faults. An invalid stated time is replaced by the time of the load.
    fn load_entry<'a>(&self, parsed: Parsed<'a>) -> (LoadEntry<'a>, Vec<String>) {
        match parsed {
            Parsed::Resource(mut parsed) => {
                let age = Age::of(&parsed.resource, self.now, self.clock);
                let problem = SourceTime::of_resource(&parsed.resource, self.clock).fault("meta.lastUpdated");
                if problem.is_some()
                    && let Ok(text) = without_meta(&parsed.text, &["lastUpdated"])
                    && let Ok(resource) = value::read(&text)
                {
                    (parsed.resource, parsed.text) = (resource, text.into());
                }
                let omitted = parsed.omit_documents();
                let of_resource = |problem| format!("{}: {problem}", parsed.reference());
                let faults = problem.into_iter().chain(omitted).map(of_resource).collect();
                (LoadEntry::Resource(parsed, age), faults)
            }
            Parsed::Deletion(Deletion { reference, at }) => {
                let stated = SourceTime::read(at.as_deref(), self.clock);
                let problem = stated.fault("the time of the deletion");
                let fault = problem.map(|problem| format!("{reference}: {problem}"));
                let time = stated.time().unwrap_or(self.now);
                (LoadEntry::Deletion(reference, time, Age::of_deletion(time)), fault.into_iter().collect())
            }
        }
    }

    /// Returns whether an occurrence of a resource counts, unless a later one does.
    fn counts<T: LoadTarget>(
        &self,
        catalogue: &mut Catalogue,
        number: usize,
        reference: &Reference,
        age: Age,
        target: &T,
    ) -> bool {
        let is_outdated = || {
            let earlier = target.earlier();
            let stored = earlier.body(reference).and_then(|stored| Age::of_text(&stored, self.now, self.clock));
            let stored = stored.or_else(|| earlier.deleted_at(reference).map(Age::of_deletion));
            stored.is_some_and(|stored| age.is_before(stored))
        };
        catalogue.add_occurrence(number, reference, age, &|| self.keeps_newer && is_outdated())
    }

    fn indexer<'a, T: LoadTarget>(
        &'a self,
        catalogue: &'a Catalogue,
        owners: &'a Owners,
        target: &'a T,
    ) -> Indexer<'a, T::Earlier> {
        let (base, attachments, now) = (self.base, self.attachments, self.now);
        Indexer { catalogue, owners, earlier: target.earlier(), set: target.set(), base, attachments, now }
    }
}
