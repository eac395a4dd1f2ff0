//! A load: two passes over documents. The first one collects the names that references may use, the second one indexes
//! each resource and stores it, or deletes it. Then the stored resources that depend on the load are indexed again.

use std::collections::BTreeSet;
use std::fmt::Display;

use super::age::{Age, SourceTime};
use super::catalogue::{Catalogue, ChosenForm, Damage, EarlierLoads, Resolution};
use super::document::{Deletion, Parsed, ParsedResource, Rejection};
use super::index::{IndexError, IndexedEntry, Indexer, is_stored_as};
use super::owners::Owners;
use super::request::Condition;
use super::sources::Sources;
use super::value;
use fhir::{Micros, Reference, ResourceType, without_meta};
use search::IndexSet;
use smart::Owner;
use store::IndexedResource;

/// A store that a load fills.
pub trait LoadTarget: EarlierLoads {
    /// The reason why it does not accept resources.
    type Error;

    /// True if all loads into it are one set of files: absolute references of one load lead to resources of another.
    const IS_ONE_SET: bool = false;

    /// The set of parameters by which it is indexed.
    fn set(&self) -> &'static IndexSet;

    /// Returns whether a resource is stored with a text for which `is_same` holds, belongs to known patients or to the
    /// directory, and was stored together with all that depends on it. `false` if it is not known.
    fn holds(&self, _reference: &Reference, _is_same: &dyn Fn(&str) -> bool) -> bool {
        false
    }

    /// Stores a resource. Lookups may find it only after [`Self::flush`].
    ///
    /// # Errors
    /// If the store does not accept it.
    fn store(&mut self, indexed: IndexedEntry) -> Result<Result<Stored, LoadRefusal>, Self::Error>;

    /// Removes a resource that was deleted at that time. Lookups may find it until [`Self::flush`]. Returns whether it
    /// was stored.
    ///
    /// # Errors
    /// If what is stored is damaged.
    fn remove(&mut self, reference: &Reference, at: Micros) -> Result<Result<bool, LoadRefusal>, Self::Error>;

    /// Writes what has been stored.
    ///
    /// # Errors
    /// If the store does not accept it.
    fn flush(&mut self) -> Result<(), Self::Error>;

    /// A stored resource with its facts and owner.
    ///
    /// # Errors
    /// If what is stored is damaged.
    fn indexed(&self, reference: &Reference) -> Result<Result<Option<IndexedResource>, LoadRefusal>, Self::Error>;
}

/// The reason why a resource is not stored or removed: what is stored of it, or of its patient, is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// What happens to a resource in a load.
#[derive(Debug)]
pub enum LoadEvent<'a> {
    /// The type is not served.
    NotServed(String),
    /// The id of a resource of this type is not one of FHIR. The resource is left out; references to it lead nowhere.
    IllegalId(ResourceType),
    /// The text is no resource, or cannot be stored. The text is the reason.
    Fault(String),
    /// The other occurrence in the load counts: the newest, and of equal ones the last.
    Repeated {
        /// True if it is older than that one.
        is_older: bool,
    },
    /// A newer form of it is stored, and counts.
    Older(&'a Reference),
    /// The resource came before with other contents and the same age, at these locations. This occurrence counts.
    Differs(&'a Reference, Vec<String>),
    /// The resource was deleted. The value is its owner, if it had been stored.
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

/// Takes each resource of the documents, and each fault, with its location.
pub type Take<'t, E> = dyn FnMut(&dyn Display, Result<Parsed<'_>, Rejection>) -> Result<(), E> + 't;

/// Gives all resources of the documents.
type EachDocument<'e, E> = dyn FnMut(&mut Take<'_, E>) -> Result<(), E> + 'e;

/// Is told what happens to a resource, with its location.
type Report<'r, E> = dyn FnMut(&dyn Display, LoadEvent<'_>) -> Result<(), E> + 'r;

/// The settings of a load.
#[derive(Debug, Clone, Copy)]
pub struct Load<'a> {
    /// The FHIR base that the data will be served under.
    pub base: &'a str,
    /// The base of relative attachment addresses.
    pub attachments: &'a str,
    /// The time of the load. Resources without `meta.lastUpdated` have it.
    pub now: Micros,
    /// The time by the clock. A later time that a source states is in the future, and does not count.
    pub clock: Micros,
    /// True if a newer form of a resource that is stored counts. In the load itself the newest form always counts.
    pub keeps_newer: bool,
}

/// An entry whose condition is met by what is stored ([`ParsedResource::settled`]).
fn settled<'a>(parsed: Parsed<'a>, target: &impl EarlierLoads) -> Result<Parsed<'a>, Rejection> {
    match parsed {
        Parsed::Resource(resource) => Ok(Parsed::Resource(resource.settled(|name| target.named(name))?)),
        Parsed::Deletion(_) => Ok(parsed),
    }
}

/// Deletes a resource.
fn delete_one<T: LoadTarget>(
    reference: &Reference,
    at: Micros,
    target: &mut T,
) -> Result<Result<LoadEvent<'static>, LoadRefusal>, T::Error> {
    let owner = owner_of_stored(reference, target);
    let removed = target.remove(reference, at)?;
    Ok(removed.map(|was_stored| LoadEvent::Deleted(was_stored.then_some(owner))))
}

/// The owner of a stored resource, for the report. If it cannot be read, its records are not changed.
fn owner_of_stored(reference: &Reference, target: &impl EarlierLoads) -> Owner {
    target.owner(reference).ok().flatten().unwrap_or(Owner::Everyone)
}

/// An entry of a document, at the time of the load.
enum LoadEntry<'a> {
    Resource(ParsedResource<'a>, Age),
    /// A deletion, and its time.
    Deletion(Reference, Micros, Age),
}

impl Load<'_> {
    /// Loads documents into a store. `each` is called twice, and gives all resources in the same order each time.
    /// `sources` tells the servers of the resources apart. `report` is told what happens to each resource, and may end
    /// the load.
    ///
    /// # Errors
    /// The errors of the store, of `each` and of `report`. What was stored before then is incomplete.
    pub fn load<T: LoadTarget, E: From<T::Error>>(
        &self,
        target: &mut T,
        sources: &mut Sources,
        each: &mut EachDocument<'_, E>,
        report: &mut Report<'_, E>,
    ) -> Result<(), E> {
        let mut catalogue = self.catalogue_all(target, sources, each, report)?;
        catalogue.set_source(sources.only(), T::IS_ONE_SET);
        let owners = Owners::compute(&catalogue, target, self.base);
        let mut stale = catalogue.of_dependents(owners.dependents().clone());
        let rejected = self.change_all((&mut catalogue, &owners), target, sources, each, report)?;
        target.flush()?;
        for reference in rejected {
            // The dependents were stored by the new form. The first pass has reported those that cannot be read.
            let _ = stale.depend(&reference.to_string(), target);
        }
        self.index_dependents(&stale, target, report)
    }

    /// The first pass: the catalogue of all entries, by their numbers.
    fn catalogue_all<T: LoadTarget, E: From<T::Error>>(
        &self,
        target: &T,
        sources: &mut Sources,
        each: &mut EachDocument<'_, E>,
        report: &mut Report<'_, E>,
    ) -> Result<Catalogue, E> {
        let (mut catalogue, mut number) = (Catalogue::default(), 0);
        each(&mut |location, entry| {
            number += 1;
            let parsed = entry.and_then(|parsed| sources.localize(settled(parsed, target)?));
            let fault =
                match parsed.map(|parsed| self.add_to_catalogue(&mut catalogue, number, parsed, sources, target)) {
                    Ok(Ok(())) => return Ok(()),
                    Ok(Err(LoadRefusal(why))) | Err(Rejection::Fault(why)) => LoadEvent::Fault(why),
                    Err(Rejection::NotServed(resource_type)) => LoadEvent::NotServed(resource_type),
                    Err(Rejection::IllegalId(resource_type)) => LoadEvent::IllegalId(resource_type),
                };
            report(location, fault)
        })?;
        Ok(catalogue)
    }

    /// The second pass: stores or deletes each entry that counts by its number. Returns those that were refused.
    fn change_all<T: LoadTarget, E: From<T::Error>>(
        &self,
        (catalogue, owners): (&mut Catalogue, &Owners),
        target: &mut T,
        sources: &mut Sources,
        each: &mut EachDocument<'_, E>,
        report: &mut Report<'_, E>,
    ) -> Result<BTreeSet<Reference>, E> {
        let (mut rejected, mut number) = (BTreeSet::new(), 0);
        each(&mut |location, entry| {
            number += 1;
            let parsed = entry.and_then(|parsed| sources.localize(settled(parsed, target)?));
            let Ok(parsed) = parsed else { return Ok(()) };
            let (load_entry, fault) = self.load_entry(parsed);
            let (reference, text, age) = match &load_entry {
                LoadEntry::Resource(parsed, age) => (parsed.reference(), parsed.text.as_ref(), *age),
                LoadEntry::Deletion(reference, _, age) => (reference.clone(), "", *age),
            };
            match catalogue.choice(number, &reference, age, text, &|| location.to_string()) {
                ChosenForm::Stored => return report(location, LoadEvent::Older(&reference)),
                ChosenForm::Another { is_older } => return report(location, LoadEvent::Repeated { is_older }),
                ChosenForm::This(others) if others.is_empty() => {}
                ChosenForm::This(others) => report(location, LoadEvent::Differs(&reference, others))?,
            }
            if let Some(fault) = fault {
                report(location, LoadEvent::Fault(fault))?;
            }
            let event = match load_entry {
                _ if catalogue.is_unchanged(&reference) => Ok(LoadEvent::Stored {
                    resource_type: reference.resource_type,
                    effect: Stored::Same,
                    ambiguous: Vec::new(),
                    unresolved: 0,
                    owner: owner_of_stored(&reference, target),
                }),
                LoadEntry::Resource(parsed, _) => {
                    let tell = &mut |fault| report(location, LoadEvent::Fault(fault));
                    self.store_one(catalogue, owners, parsed, target, tell)?
                }
                LoadEntry::Deletion(_, at, _) => delete_one(&reference, at, target)?,
            };
            let event = event.unwrap_or_else(|LoadRefusal(why)| {
                let why = format!("{reference}: {why}");
                rejected.insert(reference);
                LoadEvent::Fault(why)
            });
            report(location, event)
        })?;
        Ok(rejected)
    }

    /// Adds an entry, which has that number, to the catalogue. Fails if what depends on it cannot be read.
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
                let result = catalogue.add_resource(resource_type, &reference.id, &resource, target);
                (reference, result)
            }
            LoadEntry::Deletion(reference, _, age) => {
                if !self.counts(catalogue, number, &reference, age, target) {
                    return Ok(());
                }
                let result = catalogue.add_deletion(&reference, target);
                (reference, result)
            }
        };
        result.map_err(|Damage(why)| LoadRefusal(format!("what depends on {reference}: {why}")))
    }

    /// Stores a resource. `tell` is told a fault of it that does not keep it out.
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
        if let Some(Condition { name, .. }) = condition {
            let why = match catalogue.find(&name, target) {
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

    /// An entry with its age. A stated time that does not count is a fault; then the resource has the time of the load.
    fn load_entry<'a>(&self, parsed: Parsed<'a>) -> (LoadEntry<'a>, Option<String>) {
        match parsed {
            Parsed::Resource(mut parsed) => {
                let age = Age::of(&parsed.resource, self.now, self.clock);
                let problem = SourceTime::of_resource(&parsed.resource, self.clock).fault("meta.lastUpdated");
                let fault = problem.map(|problem| format!("{}: {problem}", parsed.reference()));
                if fault.is_some()
                    && let Ok(text) = without_meta(&parsed.text, &["lastUpdated"])
                    && let Ok(resource) = value::read(&text)
                {
                    (parsed.resource, parsed.text) = (resource, text.into());
                }
                (LoadEntry::Resource(parsed, age), fault)
            }
            Parsed::Deletion(Deletion { reference, at }) => {
                let stated = SourceTime::read(at.as_deref(), self.clock);
                let problem = stated.fault("the time of the deletion");
                let fault = problem.map(|problem| format!("{reference}: {problem}"));
                let time = stated.time().unwrap_or(self.now);
                (LoadEntry::Deletion(reference, time, Age::of_deletion(time)), fault)
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
            let stored = target.body(reference).and_then(|stored| Age::of_text(&stored, self.now, self.clock));
            let stored = stored.or_else(|| target.deleted_at(reference).map(Age::of_deletion));
            stored.is_some_and(|stored| age.is_before(stored))
        };
        catalogue.add_occurrence(number, reference, age, &|| self.keeps_newer && is_outdated())
    }

    /// Indexes again the stored resources that depend on those that were loaded, or on those that were rejected. One
    /// that is damaged or refused stays as it is.
    fn index_dependents<T: LoadTarget, E: From<T::Error>>(
        &self,
        stale: &Catalogue,
        target: &mut T,
        report: &mut Report<'_, E>,
    ) -> Result<(), E> {
        let owners = Owners::compute(stale, target, self.base);
        for reference in owners.dependents() {
            let indexed = match target.indexed(reference)? {
                Ok(None) => continue,
                Ok(Some(stored)) => self.indexer(stale, &owners, target).index_again(stored),
                Err(LoadRefusal(why)) => Err(IndexError(why)),
            };
            let stored = match indexed {
                Ok(indexed) => target.store(indexed)?.map(|_| ()),
                Err(IndexError(why)) => Err(LoadRefusal(why)),
            };
            if let Err(LoadRefusal(why)) = stored {
                report(&"the stored records", LoadEvent::Fault(format!("{reference} is not indexed again: {why}")))?;
            }
        }
        Ok(target.flush()?)
    }

    fn indexer<'a, T: LoadTarget>(
        &'a self,
        catalogue: &'a Catalogue,
        owners: &'a Owners,
        earlier: &'a T,
    ) -> Indexer<'a, T> {
        let (base, attachments, now) = (self.base, self.attachments, self.now);
        Indexer { catalogue, owners, earlier, set: earlier.set(), base, attachments, now }
    }
}
